"""From text to a typed value: the whole way, bounded at every step. `read` never raises."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hybridverify.conventions import Conventions
from hybridverify.maths.algebra.nodes import Num
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.notation.clean import clean
from hybridverify.maths.notation.tokenizer import tokenize
from hybridverify.maths.notation.tokenlists import Tokens, notation, split, whole_bracket, without_group
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.notation.vocabulary import VOWELS, words
from hybridverify.maths.parsing import conditions, lists, relations, sets
from hybridverify.maths.parsing.expressions import is_product
from hybridverify.maths.parsing.matrices import read_matrix
from hybridverify.maths.parsing.scalars import read_scalar
from hybridverify.maths.parsing.spoken_amounts import one_for_article, read_spoken_amount
from hybridverify.maths.parsing.spoken_sets import named_set, points_excepted, without
from hybridverify.maths.parsing.texts import (
    decimal_points,
    fold,
    french_brackets,
    number_word,
    read_words,
    spoken_lead_removed,
    without_commands,
)
from hybridverify.maths.values.kinds import (
    Dots,
    FiniteSet,
    Letter,
    Listing,
    Named,
    NumberSet,
    Proportion,
    Qualified,
    Scalar,
    Unreadable,
    Value,
)

_EXTREMES = words("least greatest minimum maximum min max smallest largest lowest highest")


class Reading(NamedTuple):
    """A value with the notation it came from."""

    value: Value
    text: str
    tokens: tuple[tuple[str, str], ...] = ()


def read(text: str, conventions: Conventions, question: str = "") -> Value:
    """The typed value of an answer; `Unreadable` where it is not understood to the end.

    >>> read(r"\\frac{1}{2}", Conventions()).exact
    Fraction(1, 2)
    >>> read("1/2x", Conventions())
    Unreadable(reason='1/2x is read in two ways')
    """
    return reading_of(text, conventions).value


def reading_of(text: str, conventions: Conventions) -> Reading:
    """The value and its notation."""
    if text.isdigit() and text.isascii() and len(text) < 100:
        return Reading(Scalar(Num(int(text))), text)
    try:
        cleaned = clean(text, conventions)
    except Unread as error:
        return Reading(Unreadable(str(error)), "")
    if not any(char.isalnum() for char in without_commands(cleaned)) and not has_content(cleaned):
        return Reading(Unreadable("empty"), "")
    return _read_clean(cleaned, conventions)


def has_content(cleaned: str) -> bool:
    """An empty set in braces is an answer without a letter or digit."""
    return cleaned.replace(" ", "") in ("\\{\\}",)


@lru_cache(maxsize=4096)
def reference_reading(text: str, conventions: Conventions) -> Reading:
    """`reading_of`, kept: a reference is read once however many responses it has."""
    return reading_of(text, conventions)


@lru_cache(maxsize=512)
def answer_reading(text: str, conventions: Conventions) -> Reading:
    """`reading_of`, kept for a while: the rules of a chain read the same answer, and so do responses that agree."""
    return reading_of(text, conventions)


def _read_clean(cleaned: str, conventions: Conventions) -> Reading:
    text = french_brackets(spoken_lead_removed(cleaned))
    if conventions.decimal_comma:
        text = decimal_points(text)
    spoken = read_words(text, conventions)
    if spoken is not None and not (
        isinstance(spoken, Letter) and not spoken.marked and spoken.letter.islower()
    ):
        return Reading(spoken, cleaned)
    tokens: list[Token] = []
    try:
        tokens = tokenize(text, conventions.e_notation, conventions.thousands == "groups")
        value = _Reader(conventions).answer(tokens)
    except Limit as error:
        value = Unreadable(str(error))
    except (Unread, RecursionError) as error:
        value = _without_points(text, conventions) or named_set(fold(text)) or Unreadable(str(error))
    return Reading(value, cleaned, notation(tokens))


def _without_points(text: str, conventions: Conventions) -> Value | None:
    """`all real numbers except 2 and 3`."""
    excepted = points_excepted(text)
    try:
        return without(reading_of(excepted, conventions).value) if excepted else None
    except Unread:  # points that nobody can put in order: "except 0 and k"
        return None


class _Reader:
    def __init__(self, conventions: Conventions) -> None:
        self.conventions = conventions

    def answer(self, tokens: Tokens) -> Value:
        """A whole answer: conditions behind it, then a list or one item."""
        if tokens and tokens[-1].text == ".":
            tokens = tokens[:-1]
        spoken = read_spoken_amount(tokens, self.conventions)
        if spoken is not None:
            return spoken
        tokens = one_for_article(tokens, self.conventions)
        _check_letters(tokens)
        tokens = without_group(tokens)
        main, condition = conditions.cut_condition(tokens)
        if condition:
            return self._qualified(main, condition)
        items, signs = lists.split_items(tokens)
        if len(items) > 1:
            return lists.connected(lists.read_list(items, signs, self.item), tokens)
        return self.item(items[0])

    def _qualified(self, main: Tokens, condition: Tokens) -> Value:
        later = conditions.answers_after(condition)
        if later is not None:  # `f(x)=1 for all x, and f(x)=2 for all x`
            first = self._qualified(main, condition[:later])
            rest = self.answer(conditions.without_separators(condition[later:]))
            parts = list(rest.items) if isinstance(rest, Listing) else [rest]
            return lists.assembled([first, *parts], frozenset(("and",)))
        return Qualified(
            self.answer(main),
            conditions.canonical(condition),
            conditions.integer_names(condition),
            conditions.constant_names(condition),
            conditions.domain(condition),
            conditions.is_harmless(condition),
        )

    def item(self, tokens: Tokens) -> Value:
        """One item: expanded where it holds a plus-minus."""
        tokens = without_group(tokens)
        if not tokens:
            raise Unread("empty")
        if len(tokens) == 1 and tokens[0].kind == "dots":
            return Dots()
        if lists.has_plus_minus(tokens) and not (tokens[0].text == "\\{" and whole_bracket(tokens)):
            if self.conventions.plus_minus == "strict":
                raise Unread("plus-minus")
            both = [self.single(reading) for reading in lists.expand_signs(tokens)]
            return Listing(tuple(both), frozenset(("pm",)))
        return self.single(tokens)

    def single(self, tokens: Tokens) -> Value:
        """One item without a plus-minus."""
        if relations.has_relation(tokens):
            return relations.read_relation(tokens, self.item)
        matrix = read_matrix(tokens, self.answer)
        if matrix is not None:
            return matrix
        if sets.has_set_operation(tokens):
            return sets.read_set_operation(tokens, self.item)
        if whole_bracket(tokens):
            value = sets.read_bracket(tokens, self.item, self.answer)
            if value is not None:
                return value
            if tokens[0].text == "[":
                raise Unread("square brackets around one value")
            if relations.has_relation(tokens[1:-1]):
                return self.item(tokens[1:-1])
        return (
            self._labelled(tokens)
            or self._proportion(tokens)
            or self._named_set(tokens)
            or self._scalar(tokens)
        )

    def _scalar(self, tokens: Tokens) -> Value:
        return read_scalar(tokens, self.conventions)

    def _named_set(self, tokens: Tokens) -> Value | None:
        first = tokens[0]
        if first.text == "emptyset" and len(tokens) == 1:
            return FiniteSet(())
        if first.kind != "set":
            return None
        suffix = "".join(token.text for token in tokens[1:] if token.text not in "{}")
        if len(tokens) > 6 or not all(char in "^_+->=0*" for char in suffix):
            raise Unread("set")
        return NumberSet(first.text + suffix.replace("_", "").replace("^", "").replace(">0", "+"))

    def _labelled(self, tokens: Tokens) -> Value | None:
        """`Minimum: 3`, `least 3`."""
        place = next((i for i, token in enumerate(tokens) if token.text == ":"), 0)
        if place and place < len(tokens) - 1:
            head = tokens[:place]
            if all(token.kind == "word" for token in head):
                name = " ".join(token.text for token in head).casefold()
                return Named(name, (), self.item(tokens[place + 1 :]), None, word=True)
            return None
        first = tokens[0].text.lower()
        extreme = tokens[0].kind == "word" and first in _EXTREMES
        if (
            extreme
            and len(tokens) > 2
            and tokens[1].kind == "word"
            and tokens[1].text.lower() in ("value", "is")
        ):
            tokens = [tokens[0], *tokens[2:]]
        if extreme and len(tokens) > 1 and tokens[1].kind in ("num", "op", "cmd"):
            return Named(first, (), self.item(tokens[1:]), None, word=True)
        return None

    def _proportion(self, tokens: Tokens) -> Value | None:
        parts, signs = split(tokens, lambda token: token.text == ":" and token.kind == "op")
        if signs:
            return Proportion(tuple(self.item(part) for part in parts))
        if tokens[0].kind != "num" or not any(token.text == "to" for token in tokens):
            return None
        parts, _ = split(tokens, lambda token: token.text == "to" and token.kind == "word")
        if not all(len(part) == 1 and part[0].kind == "num" for part in parts):
            return None
        return Proportion(tuple(self.item(part) for part in parts), spoken=True)


def _check_letters(tokens: Tokens) -> None:
    """Letters alone, in a run or in capitals, spell a word or an order rather than a product."""
    if all(token.kind in ("let", "word") and not token.note for token in tokens):
        if tokens and number_word(tokens[0].text) is not None:  # `seven apples`
            return
        capitals = sum(token.text.isupper() for token in tokens)
        if any(token.kind == "word" and not _is_plain_product(token.text) for token in tokens):
            raise Unread("letters alone")
        if len(tokens) > 1 and capitals:
            raise Unread("letters alone")


def _is_plain_product(run: str) -> bool:
    """`xy`: small letters that spell no word."""
    return run.islower() and is_product(run) and VOWELS.isdisjoint(run)
