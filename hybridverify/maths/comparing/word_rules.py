"""Comparing option letters and words."""

from __future__ import annotations

import unicodedata

from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.letter_case import says_yes_or_no
from hybridverify.language.number_words import read_place
from hybridverify.language.roman import is_roman
from hybridverify.maths.algebra.equality import Same, Setting, same_expression
from hybridverify.maths.algebra.nodes import Const, Node, Sym, symbols
from hybridverify.maths.comparing.phrases import says_no_more
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, undecided
from hybridverify.maths.notation.vocabulary import word_list
from hybridverify.maths.parsing.synonyms import are_other_members
from hybridverify.maths.values.kinds import (
    FiniteSet,
    Letter,
    Listing,
    Named,
    NumberSet,
    RealSet,
    Scalar,
    Text,
    Tuple,
    Value,
    is_infinite,
)

_MAX_QUESTION = 20_000
_VERDICTS = frozenset(("yes", "no", "true", "false"))
_TRUTH = {"yes": "true", "no": "false"}
_INITIALS = frozenset(word[0] for word in _VERDICTS)
_OPPOSITES = frozenset((("yes", "no"), ("no", "yes"), ("true", "false"), ("false", "true")))
_NONE = (0, -1)
_NOTHING = ("does not exist", "undefined")
_STANDS_FOR = ("write", "enter", "answer ", "output", "return", "print")
"""What tells to give a number where nothing exists."""
_EXCLUSIVE = (
    frozenset(("converges", "diverges")),
    frozenset(("converges absolutely", "converges conditionally")),
    frozenset(("no solution", "infinity")),
)
_QUOTED = re.compile(r"[\"“`]([^\"”`\n]{1,40})[\"”`]")
_MAX_TOLD = 14
_SHORT = 4
_TELLING = frozenset(word_list("it this that they he she there x n f the these both"))
_DECADE = len("1990s")
_ROUGHLY = frozenset(
    word_list("about around approximately roughly nearly almost over under least most circa ca")
)
_TURNING = claims.kinds("contrast supposed or unsure")
_UNBOUNDED = frozenset(("no limit", "unlimited", "unbounded", "no upper bound", "no maximum"))


def letters(left: Letter, right: Letter, case: Case) -> Comparison:
    """Letters of options, in any usual spelling."""
    if left.letter == right.letter:
        return equal("choice")
    if left.letter.upper() == right.letter.upper():
        return equal("choice") if not case.question or left.marked or right.marked else undecided("choice")
    sure = (left.marked and right.marked) or (left.letter.isupper() and right.letter.isupper())
    return different("choice") if sure else undecided("choice")


def letter_and_scalar(left: Letter, right: Scalar, case: Case) -> Comparison:
    """A letter may be a variable."""
    if type(right.node) is Sym and right.node.name.upper() == left.letter.upper():
        return letters(left, Letter(right.node.name), case)
    if left.letter == "E" and right.node == Const("e"):
        return letters(left, Letter("e"), case)
    return undecided("choice")


def scalar_and_letter(left: Scalar, right: Letter, case: Case) -> Comparison:
    """The reference is a variable."""
    if type(left.node) is Sym and left.node.name == right.letter:
        return equal("choice")
    if right.letter in "iI" and not symbols(left.node) and _is_imaginary_unit(left.node):
        return equal()
    return undecided("choice")


def _is_imaginary_unit(node: Node) -> bool:
    r"""`\sqrt{-1}` is what programs call I."""
    return same_expression(node, Sym("i"), Setting(imaginary=True)) is Same.EQUAL


def text_and_letter(left: Text, right: Letter, case: Case) -> Comparison:
    """A reference such as `(C) Rome` names the option and its text."""
    return equal("choice") if left.option and left.option == right.letter else undecided("choice")


def texts(left: Text, right: Text, case: Case) -> Comparison:
    """Folded words."""
    if case.conventions.text == "fold" and _say_the_same(left.words, right.words, case):
        return equal("text")
    truth = _truths(left.words, right.words, case)
    if truth:
        return equal("text") if len(set(truth)) == 1 else different("text")
    numerals = case.asks("roman numeral") and is_roman(left.words) and is_roman(right.words)
    if (numerals or _other_number(left.words, right.words)) and not case.speaks_of("moving"):
        return different("another number")
    return different("text") if _are_opposite(left.words, right.words, case) else undecided("text")


def _say_the_same(one: str, other: str, case: Case) -> bool:
    """The same words, the same verdict, or one of them with words that add nothing."""
    if one == other or says_yes_or_no(one, other, case.question) or _without_accents(one) == other:
        return True
    if _says_yes_or_no(one, other) or _says_yes_or_no(other, one):
        return True
    if {one, other} == {"no solution", "no real solution"} and case.asks("real"):
        return True
    return says_no_more(one, other, case) or says_no_more(other, one, case)


def _without_accents(words: str) -> str:
    """The words as someone types them who has no accents; "" where there are none, or in short words, which they tell
    apart."""
    if words.isascii():
        return ""
    least = _SHORT + (" " not in words)
    plain = "".join(char for char in unicodedata.normalize("NFKD", words) if not unicodedata.combining(char))
    told = zip(words.split(), plain.split(), strict=False)
    return plain if plain.isascii() and all(one == other or len(one) >= least for one, other in told) else ""


def _are_opposite(one: str, other: str, case: Case) -> bool:
    """Yes and no, true and false, `Monday` and `not Monday`, or two of the words that the question offers in quotes."""
    first, second = one.casefold(), other.casefold()
    if are_other_members(first, second) and not case.speaks_of("moving"):
        return True
    if first == "not " + second or second == "not " + first:
        return True
    told = _verdict(one), _verdict(other)
    if all(told):
        return told in _OPPOSITES
    if {first, second} in _EXCLUSIVE:
        return True
    offered = {text.casefold() for text in _QUOTED.findall(case.question[:_MAX_QUESTION])}
    return first != second and {first, second} <= offered


def _truths(one: str, other: str, case: Case) -> tuple[str, ...]:
    """`yes` and `true`, of a question that is no question about what is false; nothing for any other pair."""
    told = _verdict(one), _verdict(other)
    if not all(told) or (told[0] in _TRUTH) == (told[1] in _TRUTH):
        return ()
    if not read_question(case.question).yes_no or case.asks("false", "wrong", "incorrect", " not ", "n't "):
        return ()
    return tuple(_TRUTH.get(word, word) for word in told)


def _other_number(one: str, other: str) -> bool:
    """`19th century` and `18th century`, `chapter 3` and `chapter 4`: the same words with another number in them."""
    mine, theirs = one.casefold().split(), other.casefold().split()
    if len(mine) != len(theirs) or len(mine) < 2 or not _ROUGHLY.isdisjoint(mine):
        return False
    apart = [place for place, first in enumerate(mine) if first != theirs[place]]
    if len(apart) != 1:
        return False
    pair = mine[apart[0]], theirs[apart[0]]
    last = apart[0] == len(mine) - 1
    return all(map(_is_whole, pair)) or (last and len(max(pair, key=len)) > 1 and all(map(is_roman, pair)))


def _is_whole(word: str) -> bool:
    return word.isdecimal() or read_place(word) > 0 or _is_decade(word)


def _is_decade(word: str) -> bool:
    return len(word) == _DECADE and word.isascii() and word[:4].isdigit() and word.endswith("0s")


def _verdict(words: str) -> str:
    """The yes, no, true or false that a text is or begins with."""
    low = words.casefold()
    if low[:1] not in _INITIALS:
        return ""
    if low in _VERDICTS:
        return low
    return next((word for word in ("yes", "no") if _says_yes_or_no(word, words)), "")


def letter_and_text(left: Letter, right: Text, _case: Case) -> Comparison:
    """`not B` is not B."""
    negated = right.words.casefold() == "not " + left.letter.casefold()
    return different("choice") if negated else undecided("choice")


def text_and_value(left: Text, right: Value, case: Case) -> Comparison:
    """No solution is none of the numbers that are given as solutions; a count of none is 0."""
    none = left.words in ("no solution", "no real solution") and not case.asks("how many", "number of")
    found = right.value if isinstance(right, Named) else right
    zero = isinstance(found, Scalar) and (symbols(found.node) or found.exact == 0)
    some = isinstance(found, (Scalar, Tuple, RealSet, NumberSet)) or (
        isinstance(found, (Listing, FiniteSet)) and found.items
    )
    return different("no solution") if none and some and not zero else undecided("text")


def _says_yes_or_no(word: str, phrase: str) -> bool:
    """`yes` and `Yes, it is prime`; `No` and `No, it is not`."""
    told, word = phrase.casefold().split(), word.casefold()
    if (
        word not in ("yes", "no")
        or told[:1] != [word]
        or not 1 < len(told) <= _MAX_TOLD
        or told[1] not in _TELLING
    ):
        return False
    rest = " ".join(told[1:])
    return (
        not claims.holds(rest, _TURNING)
        and "only" not in told
        and (word == "no" or not claims.is_denial(rest))
    )


def text_and_scalar(left: Text, right: Scalar, case: Case) -> Comparison:
    """`infinitely many` is infinity, and none of something that is counted is 0."""
    sign = _infinity_in_words(left.words, case)
    if sign:
        return _beside_infinity(sign, right.node)
    if left.words in _NOTHING and right.exact is not None:
        meant = case.asks("how many", "number of") or (right.exact in _NONE and case.asks(*_STANDS_FOR))
        return undecided("text") if meant else different(left.words)
    nothing = left.words in ("no solution", "no real solution", "none") and right.exact == 0
    if nothing and case.asks("how many", "number of"):
        return equal("text")
    return text_and_value(left, right, case)


def _beside_infinity(sign: int, node: Node) -> Comparison:
    if is_infinite(node) == sign:
        return equal("text")
    return undecided("text") if is_infinite(node) or symbols(node) else different("infinity")


def _infinity_in_words(words: str, case: Case) -> int:
    """1 or -1 for words that are an infinity, as `no limit` is where no limit of a function is asked; else 0."""
    if words in _UNBOUNDED and case.question and not case.asks("lim"):
        return 1
    return {"infinity": 1, "-infinity": -1}.get(words, 0)
