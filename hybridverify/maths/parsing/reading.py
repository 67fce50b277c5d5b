"""From text to a typed value: the whole way, bounded at every step. `read` never raises."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hybridverify.conventions import Conventions
from hybridverify.language.patterns import NO_ELEMENTS
from hybridverify.maths.algebra.nodes import Num
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.notation.clean import clean
from hybridverify.maths.notation.tokenizer import tokenize
from hybridverify.maths.notation.tokenlists import Tokens, notation, split, whole_bracket, without_group
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.notation.vocabulary import GREATEST, LEAST
from hybridverify.maths.parsing import conditions, lists, relations, sets
from hybridverify.maths.parsing.expressions import spells_word
from hybridverify.maths.parsing.index_values import over_index
from hybridverify.maths.parsing.matrices import read_matrix
from hybridverify.maths.parsing.scalars import read_scalar
from hybridverify.maths.parsing.spoken_amounts import one_for_article, read_spoken_amount
from hybridverify.maths.parsing.spoken_sets import named_set, points_excepted, without
from hybridverify.maths.parsing.synonyms import verdict_of
from hybridverify.maths.parsing.texts import (
    decimal_points,
    fold,
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
    Relation,
    Scalar,
    Text,
    Unreadable,
    Value,
)

_ALONE = ("num", "dots")
"""What is no more than itself where it is the only token."""
_EXTREMES = LEAST | GREATEST


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
    if not text.isascii() and (verdict := verdict_of(text)):
        return Reading(Text(verdict), text)
    try:
        cleaned = clean(text, conventions)
    except Unread as error:
        return Reading(Unreadable(str(error)), "")
    if cleaned.startswith("\\{") and NO_ELEMENTS.fullmatch(cleaned):
        return Reading(FiniteSet(()), cleaned)
    if not any(map(str.isalnum, without_commands(cleaned))):
        return Reading(Unreadable("empty"), "")
    return _read_clean(cleaned, conventions)


@lru_cache(maxsize=4096)
def reference_reading(text: str, conventions: Conventions) -> Reading:
    """`reading_of`, kept: a reference is read once however many responses it has."""
    return reading_of(text, conventions)


@lru_cache(maxsize=512)
def answer_reading(text: str, conventions: Conventions) -> Reading:
    """`reading_of`, kept for a while: the rules of a chain read the same answer, and so do responses that agree."""
    return reading_of(text, conventions)


def _read_clean(cleaned: str, conventions: Conventions) -> Reading:
    text = spoken_lead_removed(cleaned)
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
        told = over_index(items, self.item) if len(items) > 2 else None
        if told is not None:
            return told
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
        if len(tokens) == 1 and tokens[0].kind in _ALONE:
            return Dots() if tokens[0].kind == "dots" else self._scalar(tokens)
        if lists.has_plus_minus(tokens) and not (tokens[0].text == "\\{" and whole_bracket(tokens)):
            if self.conventions.plus_minus == "strict":
                raise Unread("plus-minus")
            both = [self.single(reading) for reading in lists.expand_signs(tokens)]
            return Listing(tuple(both), frozenset(("pm",)))
        return self.single(tokens)

    def single(self, tokens: Tokens) -> Value:
        """One item without a plus-minus."""
        if relations.has_relation(tokens):
            return self._labelled_chain(tokens) or relations.read_relation(tokens, self.item)
        matrix = read_matrix(tokens, self.answer)
        if matrix is not None:
            return matrix
        if sets.has_set_operation(tokens):
            return sets.read_set_operation(tokens, self.item)
        if whole_bracket(tokens):
            value = self._bracket(tokens)
            if value is not None:
                return value
        return (
            self._labelled(tokens)
            or self._proportion(tokens)
            or self._named_set(tokens)
            or self._scalar(tokens)
        )

    def _bracket(self, tokens: Tokens) -> Value | None:
        """What stands in one pair of brackets, None where they only group an expression."""
        value = sets.read_bracket(tokens, self.item, self.answer)
        if value is not None:
            return value
        if tokens[0].text == "[":
            raise Unread("square brackets around one value")
        inner = tokens[1:-1]
        return self.item(inner) if relations.has_relation(inner) or sets.has_set_operation(inner) else None

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
        texts = [token.text for token in tokens]
        place = texts.index(":") if ":" in texts else 0
        if 0 < place < len(tokens) - 1:
            return self._behind_colon(tokens[:place], tokens[place + 1 :])
        first = tokens[0].text.lower()
        return self._extreme(first, tokens[1:]) if first in _EXTREMES and tokens[0].kind == "word" else None

    def _labelled_chain(self, tokens: Tokens) -> Value | None:
        """`Total cost: 3 x $4 = $12`; a name within the chain is read instead."""
        found = self._labelled(tokens) if tokens[0].kind == "word" else None
        return found if isinstance(found, Named) and not isinstance(found.value, (Named, Relation)) else None

    def _behind_colon(self, head: Tokens, rest: Tokens) -> Value | None:
        if not all(token.kind == "word" for token in head):
            return None
        name = " ".join(token.text for token in head).casefold()
        return Named(name, (), self.item(rest), None, word=True)

    def _extreme(self, name: str, rest: Tokens) -> Value | None:
        """`least 3`, `minimum value 3`, `maximum is 3`."""
        if len(rest) > 1 and rest[0].kind == "word" and rest[0].text.lower() in ("value", "is"):
            rest = rest[1:]
        if rest and rest[0].kind in ("num", "op", "cmd"):
            return Named(name, (), self.item(rest), None, word=True)
        return None

    def _proportion(self, tokens: Tokens) -> Value | None:
        texts = [token.text for token in tokens]
        if ":" in texts:
            parts, signs = split(tokens, lambda token: token.text == ":" and token.kind == "op")
            if signs:
                return Proportion(tuple(self.item(part) for part in parts))
        spoken = tokens[0].kind == "num" and "to" in texts
        return self._spoken_proportion(tokens) if spoken else None

    def _spoken_proportion(self, tokens: Tokens) -> Value | None:
        """`5 to 8`."""
        parts, _ = split(tokens, lambda token: token.text == "to" and token.kind == "word")
        if not all(map(_is_number, parts)):
            return None
        return Proportion(tuple(self.item(part) for part in parts), spoken=True)


def _check_letters(tokens: Tokens) -> None:
    """Letters alone, in a run or in capitals, spell a word or an order rather than a product."""
    if not all(token.kind in ("let", "word") and not token.note for token in tokens):
        return
    if tokens and number_word(tokens[0].text) is not None:  # `seven apples`
        return
    if any(map(spells_word, tokens)):
        raise Unread("letters alone")
    if len(tokens) > 1 and any(token.text.isupper() for token in tokens):
        raise Unread("letters alone")


def _is_number(tokens: Tokens) -> bool:
    return len(tokens) == 1 and tokens[0].kind == "num"
