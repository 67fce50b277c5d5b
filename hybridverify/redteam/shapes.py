"""Every kind of response that must be refused, with references of every shape: which pairs are paid?

The shapes are chosen, not drawn, so rates mean nothing here. The result is a list of faults to look at.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from hybridverify.redteam.informed import MUST_REFUSE
from hybridverify.redteam.questions import Question
from hybridverify.redteam.trial import Ask, Hit
from hybridverify.types import Grade, Sample

SHAPES: Final = (
    "A", "E", "(C)", "e", "i", "x", "yes", "no", "true", "no solution", r"\emptyset", "0", "1", "-1", r"\infty", "DNE",
    "undefined", "5%", "5 kg", "$5", "5:30", "12", "1/2", "(1,2)", "[1,2)", "x=3", "y=2x+1", "x>2", r"\mathbb{R}",
    "Lima", "New York", "United States", "Marie Curie", "May 5", "5 May 2024", "1969", r"\pi", "e^x", "f(x)=x", "H2O",
    "A and C", "1, 2, 3", r"\{1,2\}", "42", r"\frac{3}{4}", r"2\sqrt{3}", "x^2+1", "(x+1)(x-2)", "green tea",
    "the heart", "because it is lighter", "not continuous", "north", r"60^\circ", "100 m/s", "two", "half",
    r"\begin{pmatrix}1\\2\end{pmatrix}",
)  # fmt: skip
_QUESTIONS: Final = (
    "",
    "What is it?",
    "Which one is right?\n(A) zero (B) one (C) minus one (D) ten (E) four",
)
_OTHERS = 4
"""The other answers for each shape."""
_BATCH = 2000


def crossed_with_shapes(ask: Ask, seed: int = 0, pays: float = 0.5) -> Iterator[Hit]:
    """The responses that are paid and should not be. If the other answer alone is paid, it is an equal value and no
    fault."""
    random_ = random.Random(seed)
    rows: list[tuple[Hit, Sample, Sample]] = []
    for shape in SHAPES:
        others = random_.sample([text for text in SHAPES if text != shape], _OTHERS)
        for text in _QUESTIONS:
            rows += [
                row
                for references in ((shape,), (shape, others[0]))
                for other in others[1:]
                for row in _rows(Question(text, references), shape, other)
            ]
    for start in range(0, len(rows), _BATCH):
        yield from _paid(ask, rows[start : start + _BATCH], pays)


def _rows(question: Question, shape: str, other: str) -> Iterator[tuple[Hit, Sample, Sample]]:
    for name, probe in MUST_REFUSE.items():
        response = probe(question, shape, other)
        if response:
            sample = Sample(response, list(question.references), question.question)
            hit = Hit(name, "shapes", question.question, " | ".join(question.references), response)
            yield hit, sample, sample.answered(other)


def _paid(ask: Ask, rows: list[tuple[Hit, Sample, Sample]], pays: float) -> Iterator[Hit]:
    for (hit, _, alone), score in zip(rows, ask([sample for _, sample, _ in rows]), strict=True):
        if _score(score) > pays and _score(ask([alone])[0]) <= pays:
            yield hit


def _score(score: float | Grade) -> float:
    return score.score if isinstance(score, Grade) else float(score)
