"""A place in a token sequence, and what atoms ask of the parser that stands there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from hybridverify.maths.algebra.nodes import Node
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokens import Token

END = Token("end", "")


class Cursor(ABC):
    """`at` is where it stands.

    `tokens` may grow on the way (`\\frac12` has two arguments in one token): read the rest from here.
    """

    def __init__(self, tokens: Sequence[Token], mixed: bool = True) -> None:
        self.tokens = tokens
        self.mixed = mixed
        self.at = 0
        self.depth = 0
        self.bars = 0

    def peek(self, ahead: int = 0) -> Token:
        """The token to come."""
        try:  # it is asked of every token, and nearly always there is one
            return self.tokens[self.at + ahead]
        except IndexError:
            return END

    def take(self) -> Token:
        """Consume one token."""
        try:
            token = self.tokens[self.at]
        except IndexError:
            token = END
        self.at += 1
        return token

    def expect(self, text: str) -> None:
        """Consume this token, or raise."""
        if self.take().text != text:
            raise Unread(f"expected {text!r}")

    @abstractmethod
    def whole(self) -> Node:
        """What a group holds."""

    @abstractmethod
    def expression(self) -> Node:
        """A sum."""

    @abstractmethod
    def product(self) -> Node:
        """A term of a sum."""

    @abstractmethod
    def power(self) -> Node:
        """An atom with its exponent."""

    @abstractmethod
    def starts_atom(self, token: Token) -> bool:
        """Whether an atom begins with this token."""
