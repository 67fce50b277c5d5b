"""The canary: the same answer beside a foreign reference, which is certainly not its own. If a judge accepts that
too, the text has talked it round, and its accept is worth nothing.

The foreign reference depends on the row alone, never on other rows of the batch: a resumed or distributed run must
come to the same grades.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from hybridverify.gate.fold import folded
from hybridverify.guards.content_floor import Content, content
from hybridverify.judges.base import Subject
from hybridverify.types import Sample

_SCALE = 1 << 64
_MAX_READ = 10_000
"""The most characters of an answer and of a reference that are read, from their ends."""
_NUMBERS = ("-83", "417", "0.0625", "29/31", "5038", "-6.4", "176", "2/17", "90210", "61")
_WORDS = (
    "the Danube",
    "a copper kettle",
    "Queen Christina of Sweden",
    "photosynthesis",
    "the Battle of Lepanto",
    "sodium carbonate",
    "Ouagadougou",
    "a harpsichord",
    "the Treaty of Tordesillas",
    "granite",
)
_FORMULAS = ("7w^5 - 3w", "x = -44", "(19, -23)", "\\frac{11}{\\sqrt{13}}", "31e^{-5u}", "88 kg", "[14, 15)")
_LETTERS = ("Q", "J", "W", "R", "Z")


def picked(subject: Subject, share: float, seed: int, purpose: str) -> bool:
    """Whether this row belongs to a sample of that share. Its texts and the seed alone decide.

    >>> subject = Subject(Sample("7", "8"), "7")
    >>> picked(subject, 1.0, 0, "canary"), picked(subject, 0.0, 0, "canary")
    (True, False)
    """
    return share > 0.0 and _number(subject, seed, purpose) < share * _SCALE


def with_foreign_reference(subject: Subject, seed: int = 0) -> Subject:
    """The subject with a reference of the same kind (a number, words, a formula, a letter) that shares nothing with
    its own references or with the answer.

    >>> foreign = with_foreign_reference(Subject(Sample("It is 7", "7", "3 + 4?"), "7")).sample
    >>> foreign.references[0] in _NUMBERS, foreign.question
    (True, '3 + 4?')
    """
    sample = subject.sample
    start = _number(subject, seed, "foreign")
    known = [text[-_MAX_READ:] for text in (*sample.references, subject.answer)]
    said = {word for text in known for word in folded(text)}
    chosen = next(text for text in _candidates(sample, start) if said.isdisjoint(folded(text)))
    return replace(
        subject, sample=Sample(sample.response, chosen, sample.question, sample.data_source, sample.meta)
    )


def _candidates(sample: Sample, start: int) -> Iterator[str]:
    pool = _pool(sample)
    for step in range(len(pool)):
        yield pool[(start + step) % len(pool)]
    while True:  # all of them stand in the answer: take a number that nobody wrote
        start = (start * 6364136223846793005 + 1442695040888963407) % _SCALE
        yield str(start)


def _pool(sample: Sample) -> tuple[str, ...]:
    references = [reference.strip() for reference in sample.references if reference.strip()]
    if references and all(len(reference) == 1 and reference.isalpha() for reference in references):
        return _LETTERS
    kinds = set(map(content, references))
    if kinds == {Content.DIGITS}:
        return _NUMBERS
    return _WORDS if kinds == {Content.WORDS} else _FORMULAS


def _number(subject: Subject, seed: int, purpose: str) -> int:
    parts = (purpose, str(seed), subject.sample.question, *subject.sample.references, subject.answer)
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
