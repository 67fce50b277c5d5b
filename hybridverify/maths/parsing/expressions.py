"""From tokens to expression nodes: sums, products written or implied, powers. Atoms are in atoms.py.

Notation that people read in two ways (`1/2x`, `x2`) is unreadable rather than guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.maths.algebra import products
from hybridverify.maths.algebra.literals import number as number
from hybridverify.maths.algebra.nodes import (
    Add,
    Call,
    Const,
    Mul,
    Node,
    Num,
    Pow,
    Sym,
    negative,
)
from hybridverify.maths.limits import MAX_DEPTH, Limit, Unread
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.notation.vocabulary import VOWELS, words
from hybridverify.maths.parsing import atoms
from hybridverify.maths.parsing.cursor import Cursor
from hybridverify.maths.parsing.letters import MARKS, index
from hybridverify.maths.parsing.mixed_numbers import read_number
from hybridverify.maths.parsing.series import series
from hybridverify.maths.units.measures import is_physical
from hybridverify.maths.units.reading import read_unit
from hybridverify.maths.units.words import CODES, NOT_PRODUCTS

DEGREE = Const("deg")
_ATOMS = frozenset(("num", "let", "const", "fun", "open", "cmd"))
_STARTING_COMMANDS = words("frac sqrt binom sum prod lim int") | MARKS
_UNIT_LETTERS = frozenset("mgsLlhNJVWAKCFT") | {"mu", "Omega"}


def parse(tokens: Sequence[Token], mixed: bool = True) -> Node:
    """The expression that the tokens spell, to the last one; raises Unread otherwise."""
    parser = Parser(tokens, mixed)
    node = parser.whole()
    if parser.at < len(parser.tokens):
        raise Unread(f"unexpected {parser.peek().text[:20]!r}")
    return node


class Parser(Cursor):
    """A recursive descent over one token sequence."""

    def whole(self) -> Node:
        """What a group holds: an expression, or two around `\\over` or `\\choose`."""
        node = self.expression()
        if self.peek().kind != "cmd" or self.peek().text not in ("over", "choose"):
            return node
        if self.take().text == "over":
            return atoms.divided(node, self.expression())
        return Call("binom", (node, self.expression()))

    def expression(self) -> Node:
        """A sum."""
        self.depth += 1
        if self.depth > 2 * MAX_DEPTH:
            raise Limit("limit")
        terms = [self.product()]
        while self.peek().text in ("+", "-") and self.peek().kind == "op":
            sign = self.take().text
            if self.peek().kind == "dots" and sign == "+":
                return self._series(terms)
            term = self.product()
            terms.append(negative(term) if sign == "-" else term)
        total = _sum_of(terms)
        self.depth -= 1
        return total

    def _series(self, before: list[Node]) -> Node:
        """`1 + 2 + \\dots + n` from the dots on: one more term, and nothing behind it."""
        self.take()
        self.expect("+")
        last = self.product()
        if self.peek().text in ("+", "-"):
            raise Unread("terms behind a sum with dots")
        self.depth -= 1
        return series(before, last)

    def product(self) -> Node:
        """Factors, with or without signs between them."""
        start = self.at
        factors = [self._unary()]
        divided = False
        while True:
            token = self.peek()
            if token.kind == "op" and token.text == "*":
                if self._is_unit(self.peek(1)):
                    return _product_of(factors)
                start = self._times(factors, start)
                divided = False
            elif token.kind == "op" and token.text == "/":
                factors = [self._over(_product_of(factors))]
                divided = True
            elif token.text == "bmod" and token.kind == "cmd":
                self.take()
                factors = [Call("mod", (_product_of(factors), self._unary()))]
            elif self.starts_atom(token):
                start = self.at
                factors.append(self._beside(token, factors[-1], divided))
            else:
                return _product_of(factors)

    def _is_unit(self, token: Token) -> bool:
        """A word behind a sign of multiplication is the unit of the number before it: `8650*watt`."""
        if token.kind != "word" or self.starts_atom(token):
            return False
        unit = read_unit([token])
        return unit is not None and unit.known and is_physical(unit)

    def _times(self, factors: list[Node], start: int) -> int:
        """Take a sign and the factor behind it, and tell where that starts; the last factor began at `start`."""
        product = self._vector_product(factors[-1], start)
        self.take()
        start = self.at
        factor = self._unary()
        if product and self._is_vector(factor, start):
            factor = Call(product, (factors.pop(), factor))
        factors.append(factor)
        return start

    def _over(self, top: Node) -> Node:
        """The fraction of what stands before a slash and the one factor behind it."""
        self.take()
        if self.peek().kind == "word":
            raise Unread("a/bc is read in two ways")
        return atoms.divided(top, self._unary())

    def _beside(self, token: Token, last: Node, divided: bool) -> Node:
        """The factor that begins with this token next to the last one, without a sign; none behind a slash."""
        if divided:
            raise Unread("1/2x is read in two ways")
        if token.kind == "num" and not self._may_follow(token, last):
            raise Unread("number after number or letter")
        factor = self.power()
        if type(factor) is Num and type(last) is Num and token.text == "{":
            raise Unread("{5}{6} is printed as 56")
        return factor

    def _vector_product(self, last: Node, start: int) -> str:
        """The product that the sign to come means behind a vector, `""` for a product of numbers."""
        name = products.VECTOR_PRODUCTS.get(self.peek().note, "")
        return name if name and self._is_vector(last, start) else ""

    def _is_vector(self, node: Node, start: int) -> bool:
        """A vector by its mark, or set in bold from this token on."""
        return products.is_vector(node) or any(token.note == "bold" for token in self.tokens[start : self.at])

    def _may_follow(self, token: Token, last: Node) -> bool:
        """May this number stand behind that factor? `3!7!` is a product, `x 2` and `x2` nobody knows."""
        if type(last) in (Num, Sym, Const):
            return False
        return token.gap or self.tokens[self.at - 1].text == "!"

    def starts_atom(self, token: Token) -> bool:
        """True when the token, standing next to a factor, means a product."""
        if token.kind == "word":
            return not token.note and is_product(token.text)
        if token.kind == "bar":
            return token.text == "|" and self.bars == 0
        if token.kind == "cmd":
            return token.text in _STARTING_COMMANDS
        if self._is_in_unit(token):
            return False
        return token.kind in _ATOMS and token.text != "\\{"

    def _is_in_unit(self, token: Token) -> bool:
        """An upright letter that is a unit, or the prefix of one."""
        if token.note == "roman" and token.text in _UNIT_LETTERS:
            return True
        return token.text == "mu" and _may_be_unit(self.peek(1))

    def _unary(self) -> Node:
        token = self.peek()
        if token.kind == "op" and token.text in "+-":
            self.take()
            self.depth += 1
            if self.depth > 2 * MAX_DEPTH:
                raise Limit("limit")
            node = self._unary()
            self.depth -= 1
            return negative(node) if token.text == "-" else node
        return self.power()

    def power(self) -> Node:
        """An atom with its exponents, factorial signs and degree signs."""
        token = self.peek()
        if token.kind == "word":
            self._split_letters()
        base = read_number(self) if token.kind == "num" else atoms.atom(self)
        while True:
            token = self.peek()
            if token.text == "^" and token.kind == "op":
                self.take()
                base = self._indexed(base, self._raised(base))
            elif token.text == "!" and token.kind == "op":
                base = self._factorial(base)
            elif token.text == "degree":
                self.take()
                base = Mul((base, DEGREE))
            else:
                return base

    def _factorial(self, base: Node) -> Node:
        """`n!` or `n!!`."""
        self.take()
        double = self.peek().text == "!" and not self.peek().gap
        if double:
            self.take()
            if self.peek().text == "!":
                raise Unread("three factorial signs")
        return Call("factorial2" if double else "factorial", (base,))

    def _indexed(self, base: Node, raised: Node) -> Node:
        """`x^2_1`: an index behind the exponent belongs to the letter."""
        if self.peek().text != "_" or type(base) is not Sym or "_" in base.name or type(raised) is not Pow:
            return raised
        return Pow(Sym(base.name + index(self)), raised.exponent)

    def _split_letters(self) -> None:
        """A run of letters is a product: an exponent behind `xy` belongs to `y` alone."""
        token = self.peek()
        if not self.starts_atom(token):
            return
        letters = [
            Token("const" if letter == "e" else "let", letter, token.gap and not at)
            for at, letter in enumerate(token.text)
        ]
        self.tokens = [*self.tokens[: self.at], *letters, *self.tokens[self.at + 1 :]]

    def _raised(self, base: Node) -> Node:
        token = self.peek()
        if token.text in ("circ", "degree"):
            self.take()
            return Mul((base, DEGREE))
        if token.text == "{" and self.peek(1).text in ("circ", "degree") and self.peek(2).text == "}":
            self.at += 3
            return Mul((base, DEGREE))
        self.depth += 1
        if self.depth > 2 * MAX_DEPTH:
            raise Limit("limit")
        exponent = self._exponent()
        self.depth -= 1
        return Pow(base, exponent)

    def _exponent(self) -> Node:
        token = self.peek()
        if token.kind == "op" and token.text in "+-":
            self.take()
            inner = self._exponent()
            return negative(inner) if token.text == "-" else inner
        node: Node = number(self.take()) if token.kind == "num" else atoms.atom(self)
        if self.peek().text == "^":  # 2^3^2 without braces is right-associative
            self.take()
            return self._raised(node)
        return node


def is_product(run: str) -> bool:
    """May this run of letters be a product? Words, units and differentials may not."""
    if len(run) > 3 or (run.lower() in NOT_PRODUCTS and not run.isupper()) or run in CODES:
        return False
    return not (len(run) == 2 and run[0] == "d")


def spells_word(token: Token) -> bool:
    """Whether a run of letters is more than a product such as `xy`."""
    if token.kind != "word":
        return False
    return not (token.text.islower() and is_product(token.text) and VOWELS.isdisjoint(token.text))


def _sum_of(terms: list[Node]) -> Node:
    if len(terms) == 1:
        return terms[0]
    if any(type(term) is Call and term.name == "mod" for term in terms):
        raise Unread("a + b mod m is read in two ways")
    return Add(tuple(terms))


def _may_be_unit(token: Token) -> bool:
    """An upright letter or word."""
    return token.note in ("roman", "text") and token.kind in ("let", "word")


def _product_of(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Mul(tuple(factors))
