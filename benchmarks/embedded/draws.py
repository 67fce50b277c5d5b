"""What makers of rows draw from: short spellings of a reference, other rows like a row, parts of a question."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from embedded.near import near_number, type_of
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.judges.embedded.overlap import FUNCTION_WORDS, overlap, plain_words

_NOUN = re.compile(
    r"\b(?:which|what) ((?:[\w'-]+ ){0,2}?[\w'-]+) (?:is|was|were|are|did|does|do|has|have|had|can|will|won|wrote|made|"
    r"in|of|that|would|plays|played|became|means|held|hosted|covers|\w+ed)\b",
    re.IGNORECASE,
)
_AUXILIARY = frozenset(
    [
        "is",
        "was",
        "were",
        "are",
        "did",
        "does",
        "do",
        "has",
        "have",
        "had",
        "can",
        "will",
        "would",
        "should",
        "the",
        "of",
        "in",
    ]
)


_Any = TypeVar("_Any")


@dataclass(frozen=True)
class Kind:
    """A way to make rows: `make` gives a response, or a whole row, or None where a row does not allow it."""

    name: str
    label: bool
    weight: float
    make: Callable[[Draws, Row], str | Row | None]


class Draws:
    """Everything that is drawn, from the right rows of one fold."""

    def __init__(self, rows: Sequence[Row], seed: int) -> None:
        self.rng = random.Random(seed)
        self.right = [row for row in rows if row.label]
        self.by_question: dict[str, list[Row]] = defaultdict(list)
        self._of_type: dict[str, list[Row]] = defaultdict(list)
        for row in self.right:
            self.by_question[row.question].append(row)
            self._of_type[type_of(row)].append(row)

    def pick(self, texts: Sequence[_Any]) -> _Any:
        """One of them."""
        return self.rng.choice(texts)

    def other(self, row: Row, same_type: bool = True) -> Row:
        """A right row of another question, mostly one that asks for the like."""
        pool = self._of_type[type_of(row)] if same_type and self.rng.random() < 0.8 else self.right
        for _ in range(20):
            other = self.rng.choice(pool)
            if other.question != row.question:
                break
        return other

    def short(self, row: Row) -> str:
        """One spelling of a row's reference: the one its answer used, as far as that is short."""
        texts = [text for text in alternatives(row.references) if len(text) < 60]
        if not texts:
            return alternatives(row.references)[0][:100]
        best = max(texts, key=lambda text: overlap(text, row.response).nearness)
        return best if self.rng.random() < 0.6 else self.rng.choice(texts)

    def foreign(self, row: Row) -> str:
        """A wrong answer of the like: another row's, or the row's own with another number; never the reference."""
        wanted = [set(plain_words(text)) for text in alternatives(row.references)]
        for _ in range(6):
            near = near_number(self.short(row), self.rng) if self.rng.random() < 0.3 else None
            found = near or self.short(self.other(row))
            words = set(plain_words(found))
            if words and not any(words >= texts or words <= texts for texts in wanted):
                return found
        return "Torquay" if row.question[:1] != "T" else "Omsk"

    def pair(self, row: Row) -> tuple[str, str]:
        """The right answer and a wrong one."""
        return self.short(row), self.foreign(row)


def asks(row: Row) -> str:
    """who, when, where, number or what."""
    asked = row.question.casefold()
    if re.search(r"\b(?:who|whose|whom)\b", asked):
        return "who"
    if re.search(r"\b(?:when|what year|which year|what date|what day)\b", asked):
        return "when"
    if re.search(r"\bwhere\b|\b(?:which|what) (?:city|country|state|town|county|island)\b", asked):
        return "where"
    return "number" if re.search(r"\bhow (?:many|much|long|old|far|tall|high)\b", asked) else "what"


def noun_of(question: str) -> str:
    """What kind of thing is asked for, as the question names it, or nothing."""
    found = _NOUN.search(question)
    words = found.group(1).split() if found else []
    return " ".join(words) if words and not _AUXILIARY & {word.casefold() for word in words} else ""


def predicate_of(question: str) -> str:
    """Of "who wrote it?" what stands behind "who", or nothing."""
    found = re.match(
        r"\s*who ((?!is\b|was\b|are\b|were\b|did\b|does\b|do\b)\w+ .{3,80}?)\s*\??$", question, re.IGNORECASE
    )
    return found.group(1) if found else ""


def content_words(text: str) -> list[str]:
    """The words of a text as they are written, without those of closed classes."""
    return [
        word
        for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text)
        if word.casefold() not in FUNCTION_WORDS
    ]


def is_name(text: str) -> bool:
    """Two to four capitalised words and nothing else."""
    words = text.split()
    return 2 <= len(words) <= 4 and all(word[:1].isupper() for word in words) and not re.search(r"\d", text)


def framed(text: str, draws: Draws) -> str:
    """The text as responses bring their answers: plain, in a sentence, or marked."""
    frames = (
        "{}",
        "{}",
        "{}.",
        "The answer is {}.",
        "It is {}.",
        "Answer: {}",
        "\\boxed{{{}}}",
        "<answer>{}</answer>",
        "#### {}",
        "**{}**",
        "I think it is {}.",
    )
    return draws.pick(frames).format(text)
