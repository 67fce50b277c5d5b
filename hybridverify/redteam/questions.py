"""The questions under attack: their families, their half, and the rate of an honest guess."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from hybridverify.agreement.rows import answer_kind
from hybridverify.answers.options import Options, read_options
from hybridverify.language.text import same_text
from hybridverify.redteam import formulas
from hybridverify.types import Sample

FAMILIES = ("drill", "maths", "choice", "words")
_DRILL = re.compile(
    r"\b(?:compute|calculate|evaluate|simplify|solve|convert|factor|factori[sz]e|expand|reduce|what\s+is|find|express"
    r"|write|differentiate|integrate|work\s+out|complete|combine|rationali[sz]e|round)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:times|plus|minus|divided by|multiplied by|percent of|squared|sum of|product of)\b|\d\s?\\?%\s+of\b"
)
_REWRITTEN = (
    "convert ", "as a decimal", "as a fraction", "as a percent", "as a mixed number", "in scientific notation",
    "prime factorization", "absolute value", "decimal places",
)  # fmt: skip
"""A value of the question is to be told in another unit or notation."""
_UNIT = re.compile(r"(?<=\d)\s?[^\W\d_]{1,20}\.?$")
_LATEX = re.compile(r"\\(?:begin|end)\s?\{[a-z*]{1,20}\}|\\[A-Za-z]{1,30}")
_LETTERED = re.compile(r"\s*[(\[]{0,2}([A-Ja-j])(?:[)\].:]{1,2}(?:\s.*)?)?\s*", re.DOTALL)
_MAX_DRILL = 160  # characters; longer questions tell a story
_PLAIN_NUMBER = re.compile(r"[-+−]?[$€£]?\d[\d,]{0,40}(?:\.\d{1,40})?")


@dataclass(frozen=True)
class Question:
    """A question with its references. `family` and `heldout` depend only on its text."""

    question: str
    references: tuple[str, ...]
    data_source: str = ""
    place: str = ""

    @classmethod
    def of(cls, row: Question | Sample | Mapping[str, Any]) -> Question:
        """A row as a question. Of a mapping the keys question, reference (or gold, answer) and data_source are used."""
        if isinstance(row, Question):
            return row
        if not isinstance(row, Sample):
            reference = next((row[key] for key in ("reference", "gold", "answer") if key in row), ())
            row = Sample("", reference, row.get("question") or "", row.get("data_source") or "")
        return cls(row.question, row.references, row.data_source)

    @cached_property
    def options(self) -> Options:
        """Letters and texts, if the question lists options."""
        return read_options(self.question)

    @cached_property
    def family(self) -> str:
        """drill, maths, choice or words."""
        return family_of(self.question, self.references)

    @cached_property
    def digest(self) -> int:
        """A number that depends only on the text."""
        text = "\x00".join((self.question, *self.references))
        return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8], "big")

    @property
    def heldout(self) -> bool:
        """Whether it is in the half that figures are reported for. Only the question decides, so equal questions stay
        together."""
        text = self.question or "\x00".join(self.references)
        return bool(hashlib.sha256(text.encode("utf-8", "replace")).digest()[8] & 1)

    def is_answer(self, candidate: str) -> bool:
        """Whether a candidate has a reference's own text, or names the option with that text."""
        if any(candidate_is(candidate, reference) for reference in self.alternatives):
            return True
        letter = self.option_of(candidate)
        return bool(letter) and any(self.option_of(reference) == letter for reference in self.references)

    @cached_property
    def alternatives(self) -> tuple[str, ...]:
        """The references; of words, also the parts between slashes."""
        parts = [
            part.strip() for text in self.references if self.family == "words" for part in text.split("/")
        ]
        return tuple(dict.fromkeys((*self.references, *(part for part in parts if part))))

    @property
    def spoken(self) -> str:
        """The first reference as one would say it: of several words between slashes, the first."""
        return first_alternative(self.references[0]) if self.family == "words" else self.references[0].strip()

    def option_of(self, text: str) -> str:
        """The letter that a candidate names, alone or before its option, or whose option it is word for word."""
        if not self.options or not text:
            return ""
        named = _LETTERED.fullmatch(text)
        if named and named[1].upper() in dict(self.options):
            return named[1].upper()
        found = [
            letter
            for letter, option in self.options
            if _bare(option) == _bare(text) or candidate_is(text, option)
        ]
        return found[0] if len(found) == 1 else ""


def first_alternative(text: str) -> str:
    """The first part of a list of words with slashes. A text with other signs of mathematics stays whole.

    >>> first_alternative("Hans Holbein/Holbein the Younger"), first_alternative("n/a"), first_alternative("3/4")
    ('Hans Holbein', 'n/a', '3/4')
    """
    first = text.partition("/")[0].strip()
    return first if len(first) > 2 and first[0].isalpha() and "\\" not in text else text.strip()


@lru_cache(maxsize=65536)
def candidate_is(candidate: str, reference: str) -> bool:
    """Whether two texts are the same, or two spellings of one plain number. A value that is not worked out does not
    count.

    >>> candidate_is("1,200", "1200"), candidate_is("The Nile", "nile"), candidate_is("6/4", "3/2")
    (True, True, False)
    """
    if same_text(candidate, reference):
        return True
    one, other = (_UNIT.sub("", text.strip("$ .")) for text in (candidate, reference))
    if not (_PLAIN_NUMBER.fullmatch(one) and _PLAIN_NUMBER.fullmatch(other)):
        return False
    return _number(one) == _number(other)


def _number(text: str) -> float:
    return float(re.sub(r"[^\d.-]", "", text.replace("−", "-")))


def family_of(question: str, references: Sequence[str]) -> str:
    r"""The family, derived from question and reference.

    >>> family_of(r"Compute $3\cdot 4$.", ["12"]), family_of("Tom has 3 hats and buys 4. How many now?", ["7"])
    ('drill', 'maths')
    >>> family_of("Which is odd? (A) 2 (B) 3", ["B"]), family_of("Who wrote Faust?", ["Goethe"])
    ('choice', 'words')
    """
    options = read_options(question)
    reference = next((text for text in references if text.strip()), "")
    if options and _names_option(reference, options):
        return "choice"
    kind = answer_kind([_LATEX.sub(" \\\\ ", text) for text in references])
    if kind in ("text", "none") or (kind == "choice" and not options):
        return "words"
    return _family_of_value(question, reference, is_number=kind == "number")


def _family_of_value(question: str, reference: str, is_number: bool) -> str:
    if _is_drill(question):
        return "drill"
    return "words" if is_number and _is_phrase(question, reference) else "maths"


def _is_phrase(question: str, reference: str) -> bool:
    """Whether a number of the reference stands among other words, and the question has no formula."""
    wordy = re.search(r"[^\W\d_]{2,}", reference) is not None and len(reference.split()) > 2
    return wordy and not formulas.formulas(question)


def _names_option(reference: str, options: Options) -> bool:
    if reference.strip("()[]. ") in dict(options):
        return True
    return any(same_text(reference, text) or _bare(reference) == _bare(text) for _, text in options)


def _bare(text: str) -> str:
    """The text of an option without braces."""
    return re.sub(r"[{}$\s]", "", text)


def _is_drill(question: str) -> bool:
    if not question or len(question) > _MAX_DRILL or not _DRILL.search(question):
        return False
    if formulas.formulas(question) or _TIMES.search(question):
        return len(re.findall(r"[.?!](?:\s|$)", question)) <= 2
    low = question.lower()
    factorial = any(word.rstrip("!.?").isdigit() for word in low.split() if "!" in word)
    return factorial or any(map(low.__contains__, _REWRITTEN)) or " in " in low.partition("how many")[2]


def distinct(questions: Iterable[Question]) -> list[Question]:
    """Each question once, without those that have no reference."""
    found = dict.fromkeys(each for each in questions if any(text.strip() for text in each.references))
    return list(found)


def honest_guess(questions: Sequence[Question]) -> float:
    """The rate of an honest guess: 1 / options for a choice question, else the share of the commonest answer.

    >>> honest_guess([Question("a?", ("7",)), Question("b?", ("7",)), Question("c?", ("8",))])
    0.6666666666666666
    """
    if not questions:
        return 0.0
    open_ones = [each for each in questions if each.family != "choice"]
    counts = Counter(each.references[0].strip().casefold() for each in open_ones)
    hits = float(max(counts.values(), default=0))
    hits += sum(1.0 / max(2, len(each.options)) for each in questions if each.family == "choice")
    return hits / len(questions)
