"""Checks on a judge's verdict that ask no rule and no second model.

`shares_content` is a floor under what a judge may accept; `with_foreign_references` makes the canary of a panel:
a judge that accepts an answer against somebody else's reference has been talked round by its text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from hybridverify.judges.base import Subject
from hybridverify.types import Sample

_WORD = re.compile(r"[^\W\d_]+")
_COMMAND = re.compile(r"\\(?:left|right|text|mathrm|mathbf|boxed|displaystyle|quad|,|;|!| )")
_NUMBER_WORDS = frozenset(
    _WORD.findall(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
        "million billion half third quarter twice none dozen"
    )
)


def shares_content(answer: str, references: Sequence[str]) -> bool:
    """Whether the answer could say what a reference says: both hold digits, or letters, or the same symbol.

    Number words count as digits too. True where there is no reference to compare with.

    >>> shares_content("forty-two", ["42"]), shares_content("It follows at once.", ["42"])
    (True, False)
    >>> shares_content("∅", ["∅"]), shares_content("...", ["x + 1"])
    (True, False)
    """
    wanted = [content_classes(reference) for reference in references]
    wanted = [classes for classes in wanted if classes]
    return not wanted or any(content_classes(answer) & classes for classes in wanted)


def content_classes(text: str) -> frozenset[str]:
    """What a text holds: "digit", "letter", and each mathematical symbol by itself."""
    plain = _COMMAND.sub(" ", text)
    words = [word.casefold() for word in _WORD.findall(plain)]
    classes = {"digit"} if any(word in _NUMBER_WORDS for word in words) else set()
    for character in set(plain):
        category = unicodedata.category(character)
        if category[0] == "N" or unicodedata.numeric(character, None) is not None:
            classes.add("digit")
        if category[0] == "L":
            classes.add("letter")
        elif category == "Sm" or character in "∅%°":
            classes.add(character)
    return frozenset(classes)


def with_foreign_references(subjects: Sequence[Subject], seed: int = 0) -> list[Subject | None]:
    """The subjects again, each with the references of another one that differ from its own; None where no
    other has different ones. The choice depends on the texts and the seed alone, not on the order."""
    pool = sorted({subject.sample.references for subject in subjects if subject.sample.references})
    return [_with_foreign(subject, pool, seed) for subject in subjects]


def _with_foreign(subject: Subject, pool: Sequence[tuple[str, ...]], seed: int) -> Subject | None:
    sample = subject.sample
    own = {text.strip().casefold() for text in (*sample.references, subject.answer)}
    data = f"{seed}\0{sample.question}\0{subject.answer}".encode("utf-8", "surrogatepass")
    start = int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
    for step in range(len(pool)):
        foreign = pool[(start + step) % len(pool)]
        if not own & {text.strip().casefold() for text in foreign}:
            return replace(subject, sample=_asking_with(sample, foreign))
    return None


def _asking_with(sample: Sample, references: tuple[str, ...]) -> Sample:
    return Sample(sample.response, references, sample.question, sample.data_source, sample.meta)
