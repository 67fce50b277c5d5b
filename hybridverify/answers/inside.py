r"""A box or a tag that holds a response of its own: `\boxed{<answer>4</answer>}`, `\boxed{So the total is 4.}`.

Separate from extraction.py, because what is held is read once more as a whole response. Such a reading counts where it
finds a mark, or ends on one value; anything else in a box is the answer as it stands.
"""

from __future__ import annotations

from collections.abc import Callable

from hybridverify.answers.extraction import Extraction, Mark
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import COMMAND, LONG_WORD, TELLING_WORD, WORD
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

_MARKS = ("</", "####", "\n")
_LEAST_WORDS = 2
_MARKED = (Mark.BOXED, Mark.HASH, Mark.TAG, Mark.STATED)
_YES_NO, _REASONS = frozenset(("yes", "no")), frozenset(entries("announcing", "reason"))
_MAX_VALUE = 80
_MAX_UNIT = 3
_LEADING = frozenset(("about", "approximately", "approx", "approx.", "roughly", "around", "exactly", "just"))


def within(found: Extraction, read: Callable[[str], Extraction]) -> Extraction:
    """The answer that `read` finds in what a mark holds; `found` where it holds the answer itself."""
    if found.problem or not 0 < len(found.answer) <= MAX_ANSWER or len(found.boxes) > 1:
        return found
    content = found.answer
    marked = any(map(content.__contains__, _MARKS))
    if not marked and (not _has_words(content) or _gives_reason(content)):
        return found
    inner = read(content)
    if inner.answer == content or not _counts(inner, marked):
        return found
    return inner._replace(body=found.body, boxes=())


def _gives_reason(text: str) -> bool:
    """Whether a yes or no stands first and its reason follows, so that no value in the reason is the answer.

    >>> _gives_reason("Yes, because its rank is 3."), _gives_reason("Yes, the rank is 3.")
    (True, False)
    """
    first, *rest = WORD.findall(text.lower())[:2] or ("",)
    return first in _YES_NO and not _REASONS.isdisjoint(rest)


def _has_words(text: str) -> bool:
    return " " in text and len(TELLING_WORD.findall(text)) >= _LEAST_WORDS


def _counts(inner: Extraction, marked: bool) -> bool:
    """A value, or what stands in a mark of its own."""
    if not inner.answer or inner.problem or inner.mark is Mark.NONE:
        return False
    return _is_value(inner.answer) or (marked and inner.mark in _MARKED)


def _is_value(text: str) -> bool:
    """A number, or a short formula without any word."""
    first, _, rest = text.partition(" ")
    text = rest if first.lower() in _LEADING else text
    if numerals.read(text) is not None or _is_amount(text):
        return True
    bare = COMMAND.sub(" ", unwrap(text))
    return len(text) <= _MAX_VALUE and any(map(str.isdigit, bare)) and not LONG_WORD.search(bare)


def _is_amount(text: str) -> bool:
    """A number and one to three words that it counts."""
    number, *words = text.split(" ")
    counted = all(word.isascii() and word.replace("/", "").isalpha() for word in words)
    return 0 < len(words) <= _MAX_UNIT and counted and numerals.read(number) is not None
