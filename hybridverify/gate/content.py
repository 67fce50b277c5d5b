r"""The content gate: which texts answer nothing, so that no judge is asked about them.

Judges accept an opener ("Solution", "解", "Thought process:"), a lone symbol or the word None for a part of all
questions, and a policy that learns this stops solving. A text that equals a reference always passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hybridverify.answers.extract import Extraction, Mark, extract
from hybridverify.gate.claims import claims, shares_a_number
from hybridverify.gate.fold import (
    folded_words,
    has_digit,
    parts_of,
    reference_words,
    single_words,
    table,
)
from hybridverify.gate.given_up import gives_up
from hybridverify.gate.refusals import (
    is_silent,
    names_nothing,
    points_elsewhere,
    refuses,
)
from hybridverify.gate.signs import MARKUP, speaks_of_nothing, symbols_reason
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.number_words import read_words
from hybridverify.language.patterns import DIGIT, ENUMERATED
from hybridverify.language.scripts import is_in_word, up_to_last_word
from hybridverify.language.text import same_text
from hybridverify.language.wrapping import visible
from hybridverify.maths import numerals

_NO_TEXT = ("unfinished_thinking", "empty_mark", "no_answer")
_MAX_HEADING = 12
"""The most words of a heading. A longer text says something."""
_MAX_NAME = 3
_SODIUM = "Na"
"""Spelled so it is a symbol, and no abbreviation for "not available"."""
_MAX_REPEATED, _MAX_SAME = 6, 400
_MAX_SYMBOL = 16
_SCORING = frozenset(("score", "total", "rating", "grade"))
_HEAD = 300
"""Of a long text, this many characters are read first: one word of content among them is enough."""

_COLONS = ":：﹕︰"
_NUMBERED = phrases("phrases", "numbered", after=r"\s*\d{1,2}\s*步?\s*[:：)]")
_AROUND = frozenset(("there", "is", "was", "the", "it"))
_NEVER_MEANT = frozenset(
    ("no answer", "i dont know", "i do not know", "idk", "not sure", "unsure", "no idea")
)
_CLAIMING = (
    "OPENERS", "FILLERS", "CLAIMS", "ADDRESS", "ADDRESS_FILLERS", "LABELS", "PLACEHOLDERS", "POINTING",
    "ABOUT_POINTING", "EMPTY_WORDS",
)  # fmt: skip
"""The tables for texts that say they are right, point elsewhere or name nothing."""


def gate_reason(response: Extraction | str, references: Sequence[str] = (), question: str = "") -> str:
    r"""The reason why a judge must not be asked about this response, or "" where it may be asked.

    The question is read only for its options: where "It cannot be determined" is one of them, it is an answer.

    The reasons: `unfinished_thinking`, `empty_mark`, `no_answer`, `empty`, `symbols_only`, `master_key`,
    `no_content`, `judge_label`.

    >>> gate_reason("Thought process:"), gate_reason(r"\boxed{\text{Lösung}}"), gate_reason("???")
    ('master_key', 'master_key', 'symbols_only')
    >>> gate_reason("None", ["12"]), gate_reason("None", ["None"]), gate_reason("π"), gate_reason("no solution")
    ('no_answer', '', '', '')
    """
    reading = extract(response) if isinstance(response, str) else response
    return reason_against(reading, tuple(references), question)


@lru_cache(maxsize=64)  # the rules ask, and the stage that runs them
def reason_against(reading: Extraction, references: tuple[str, ...], question: str) -> str:
    """The same for a response that was read. A number is always something."""
    if reading.answer and (numerals.is_short(reading.answer) or numerals.read(reading.answer)):
        return ""
    reason = _reason(reading, references, question)
    if reason and any(_is_a_reference(reading, reference) for reference in references):
        return ""
    return reason


def _reason(reading: Extraction, references: tuple[str, ...], question: str) -> str:
    if reading.problem in _NO_TEXT:
        blank = reading.problem == "no_answer" and not visible(reading.body).strip()
        return "empty" if blank else reading.problem
    seen = visible(reading.shown)
    core = _without_markup(seen)
    if _is_tautology(reading.answer):
        return "no_content"
    if not any(char.isalnum() and char.isascii() for char in core) and (
        reason := symbols_reason(seen, core, references)
    ):
        return reason
    return _without_content(reading, core, references, question)


def _is_tautology(answer: str) -> bool:
    """`x = x` is true of whatever was asked."""
    if len(answer) > 3 * _MAX_SYMBOL:
        return False
    left, _, right = answer.replace("\\equiv", "=").replace("==", "=").partition("=")
    name = left.strip()
    symbol = name.removeprefix("\\").partition("(")[0]
    return name == right.strip() and len(name) <= _MAX_SYMBOL and symbol.isalpha()


def _without_markup(seen: str) -> str:
    if "\\" in seen or "<" in seen or "&" in seen or "```" in seen:
        return MARKUP.sub(" ", seen)
    return seen


def _is_a_reference(reading: Extraction, reference: str) -> bool:
    return _is_the_same(reading.shown, reference) or same_text(reading.body, reference)


def _is_the_same(text: str, reference: str) -> bool:
    short = len(text) + len(reference) < _MAX_SAME
    return same_text(text, reference) or (short and folded_words(text) == folded_words(reference) != [])


def _without_content(reading: Extraction, core: str, references: tuple[str, ...], question: str) -> str:
    core = _without_numbers(core, references)
    if gives_up(reading, references, question):
        return "no_answer"
    if _surely_gives_a_number(core) or not _is_silent_at_first(core):
        return ""
    said = folded_words(core)
    if not said or _gives_a_number(said, references):
        return ""
    return _refused_words(reading, core, said, references, question)


def _refused_words(
    reading: Extraction, core: str, said: list[str], references: tuple[str, ...], question: str
) -> str:
    """The reason for which words without a number are no answer, else ""."""
    if reason := _no_answer(core, said, references) or _opener(core, said, references):
        return reason
    if _may_refuse(core, said) and refuses(core, said, references, question):
        return "no_answer"
    if _has_a_word_of_its_own(said):
        return ""
    claim = claims(said, reading.shown, references, reading.mark is Mark.STATED)
    return claim or ("no_content" if _says_nothing(core, said, references, question) else "")


def _surely_gives_a_number(core: str) -> bool:
    """A quick test: there is a digit, and no word of a score."""
    if not core.isascii() or not DIGIT.search(core):
        return False
    return not any(map(core.lower().__contains__, _SCORING))


def _is_silent_at_first(core: str) -> bool:
    """Whether the beginning of a long text holds no word of content."""
    return len(core) <= _HEAD or all(map(_is_silent, folded_words(core[:_HEAD])[:-1]))


def _gives_a_number(said: list[str], references: tuple[str, ...]) -> bool:
    """Whether the text holds a number that is not a score for the answer itself."""
    if not has_digit(" ".join(said)):
        return False
    return _SCORING.isdisjoint(said) or shares_a_number(said, references)


def _without_numbers(core: str, references: tuple[str, ...]) -> str:
    """The text without the numbers of its steps and of the first item of a list; a reference's number stays."""
    if ":" in core or "：" in core or ")" in core:
        core = _NUMBERED.sub(" step: ", core)
    listed = ENUMERATED.match(core)
    if listed is None or shares_a_number(folded_words(listed[0]), references):
        return core
    return core[listed.end() :]


def _may_refuse(core: str, said: list[str]) -> bool:
    """Whether the text holds a word of a refusal. Scripts without blanks have to be split first, so they count as
    yes."""
    return not core.isascii() or not table("DENIALS", "UNKNOWING", "GIVING_UP").isdisjoint(said)


def _has_a_word_of_its_own(said: list[str]) -> bool:
    """Whether the text has several words and one of them stands in none of the tables above."""
    if len(set(said)) < 2:
        return False
    known = _known_words()
    return any(len(word) > 1 and word not in known and not word.isdigit() for word in said)


@lru_cache(maxsize=1)
def _known_words() -> frozenset[str]:
    return frozenset(table(*_CLAIMING) | single_words("ELSEWHERE"))


def _says_nothing(core: str, said: list[str], references: tuple[str, ...], question: str) -> bool:
    return points_elsewhere(said, references, question) or names_nothing(core, said, references, question)


def _is_silent(word: str) -> bool:
    silent = table("CLAIMS", "ADDRESS", "ADDRESS_FILLERS", "LABELS")
    return word in silent or word in single_words("NO_ANSWER") or bool(parts_of(word)) or is_silent(word)


def _no_answer(core: str, said: list[str], references: tuple[str, ...]) -> str:
    if core[:2] == _SODIUM == core.strip(" .") and not any(map(DIGIT.search, references)):
        return ""
    told = _once(said)
    if len(told) > 2 and _ends_on_capital(core):
        return ""  # "I don't know. A"; "N/A" is none
    phrase = _known_phrase(told)
    if not phrase or _is_meant(phrase, told, references):
        return ""
    return "" if any(folded_words(reference) == said for reference in references) else "no_answer"


def _known_phrase(told: list[str]) -> str:
    """The phrase that the text consists of, leaving out idle words, if that phrase is known to give no answer."""
    phrases = table("NO_ANSWER", "IDIOMS")
    plain = (word for word in told if word not in _AROUND)
    return next((phrase for phrase in (" ".join(told), " ".join(plain)) if phrase in phrases), "")


def _is_meant(phrase: str, told: list[str], references: tuple[str, ...]) -> bool:
    """Whether the phrase may be the right answer: a title may be an idiom, and the right answer may be "none"."""
    if phrase in table("IDIOMS") and any(_is_within(told, reference) for reference in references):
        return True
    return phrase not in _NEVER_MEANT and any(map(speaks_of_nothing, references))


def _once(said: list[str]) -> list[str]:
    """A phrase that is repeated, once: "None, None", "I don't know. I don't know."."""
    sizes = range(1, _MAX_REPEATED + 1)
    return next((said[:size] for size in sizes if said == said[:size] * (len(said) // size)), said)


def _opener(core: str, said: list[str], references: tuple[str, ...]) -> str:
    # In any language, a text that ends with a colon announces an answer and gives none.
    if _ends_on_colon(core) and _is_heading(said):
        return "master_key"
    if not _only_opens(said) or _counts(said, references):
        return ""
    if len(said) > 1 and _ends_on_capital(core):
        return ""  # "Solution A" is one of several
    if any(_names_part(said, reference) for reference in references):
        return ""
    return "master_key"


def _ends_on_colon(text: str) -> bool:
    return any(map(text[len(up_to_last_word(text)) :].__contains__, _COLONS))


def _ends_on_capital(text: str) -> bool:
    """Whether the last word is a capital letter."""
    told = up_to_last_word(text)
    return "A" <= told[-1:] <= "Z" and not (len(told) > 1 and is_in_word(told[-2]))


def _names_part(said: list[str], reference: str) -> bool:
    """Is it a part of the reference: `Gold` of `Gold (Au)`? One word of many is none."""
    return _is_within(said, reference) and (len(said) > 1 or len(reference_words(reference)) <= _MAX_NAME)


def _is_heading(said: list[str]) -> bool:
    return len("".join(said)) > 1 and len(said) <= _MAX_HEADING and not has_digit(" ".join(said))


def _only_opens(said: list[str]) -> bool:
    """Whether every word is an opener or a filler, and at least one is an opener."""
    openers, opens = table("OPENERS"), False
    for word in said:
        parts = parts_of(word)
        if not parts:
            return False
        opens |= not openers.isdisjoint(parts)
    return opens


def _counts(said: list[str], references: tuple[str, ...]) -> bool:
    """Whether the text names the number that is asked for: "One solution" where the reference is 1."""
    told = {value for word in said[:_MAX_HEADING] if (value := read_words(word))}
    return any(
        (number := numerals.read(reference)) is not None and str(number.value) in told
        for reference in (references if told else ())
    )


def _is_within(said: list[str], reference: str) -> bool:
    """Whether the text is part of a reference ("Let it be" of "'Let It Be' by the Beatles")."""
    return f" {' '.join(said)} " in f" {' '.join(reference_words(reference))} "
