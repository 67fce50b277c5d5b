"""Judge `embedded`: a small cross-encoder that runs on any laptop, without a server or a GPU."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.errors import ConfigError
from hybridverify.judges.base import Prompt, Request, Subject
from hybridverify.judges.embedded.inputs import VERSION, Shown, shown
from hybridverify.judges.embedded.kinds import LEAST_WORD, asks_for_mathematics, is_formula
from hybridverify.judges.embedded.model import CrossEncoder, card
from hybridverify.judges.embedded.overlap import plain_words
from hybridverify.judges.locked import Counting
from hybridverify.types import Outcome, Verdict

KINDS = ("text", "all")
_SCORES = ("label", "p_yes")
UNSHARED = 0.7
"""The threshold for an answer that shares no word with the reference. People accept one of eight such answers, but
among them is everything that can be said without knowing the answer."""
_RUN = 20
"""An answer of at least this many words that only repeats one or two words is not judged."""
BAND = 0.01
"""Within this distance of the threshold nothing is decided: scores differ by so much between processors and versions
of ONNX Runtime."""


class EmbeddedJudge(Counting):
    """Decides by P(correct), the output of a model with 22 million parameters that ships with the library.

    `kinds`: with "text" it is asked about names, phrases, sentences and dates, and is `undecided` about mathematics,
    because it cannot compute; with "all" it is asked about everything. `threshold` (default: the model card's):
    answers from it on are correct; an answer that shares no word with the reference needs .70. `abstain=(low, high)`
    (default: .01 around the threshold): nothing is decided in between. `score`: with "label" the score is 0 or 1,
    with "p_yes" it is P(correct). An answer without a shared word that falls short of .70 then gets P(correct) *
    threshold / .70, so that no incorrect answer is paid the threshold or more. `threads`: how many rows are scored
    side by side.

    The model is loaded at the first question. Raises ConfigError, and JudgeUnavailable if onnxruntime or tokenizers
    is missing.

    >>> judge = EmbeddedJudge()
    >>> from hybridverify.types import Sample
    >>> judge.prepare([Subject(Sample("x = 4", "4"), "4", True, "x = 4")])[0].reason
    'kind: mathematics, which this judge is not asked about'
    """

    concurrent = True
    needs_reference = True

    def __init__(
        self,
        *,
        kinds: str = "text",
        score: str = "label",
        threshold: float | None = None,
        abstain: Sequence[float] | None = None,
        weight: float = 1.0,
        name: str = "embedded",
        threads: int = 1,
    ) -> None:
        self.kinds = _one_of("kinds", kinds, KINDS)
        self.score = _one_of("score", score, _SCORES)
        self.threshold = _probability("threshold", card()["threshold"] if threshold is None else threshold)
        self.abstain = _about(self.threshold) if abstain is None else _band(abstain)
        if not isinstance(weight, (int, float)) or not math.isfinite(weight):
            raise ConfigError(f"weight: expected a finite number, got {weight!r}")
        if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
            raise ConfigError(f"threads: expected a whole number of at least 1, got {threads!r}")
        self.weight, self.name = float(weight), name
        self._model = CrossEncoder(threads)
        self._usage = {"requests": 0.0, "seconds": 0.0}
        super().__init__()

    @property
    def source(self) -> str:
        """How this judge signs its verdicts."""
        return f"judge:{self.name}"

    def ensure_ready(self, timeout_s: float) -> None:
        """Load the model. Raises JudgeUnavailable."""
        self._model.load()

    def identity(self) -> Mapping[str, Any]:
        """Model, version of its input, kinds and scoring. Weight and number of threads are no part of it."""
        scoring = {"score": self.score, "threshold": self.threshold, "abstain": self.abstain}
        if self.score == "p_yes":
            scoring["unshared"] = UNSHARED
        return {
            "preset": "embedded",
            "version": VERSION,
            "model": card()["name"],
            "revision": card()["sha256"]["model.onnx"],
            "kinds": self.kinds,
            "scoring": scoring,
        }

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """The model's input for each subject. A row that it is not asked about gets its verdict here."""
        return [self._prepared(subject) for subject in subjects]

    def _prepared(self, subject: Subject) -> Request | Verdict:
        sample = subject.sample
        if not any(reference.strip() for reference in sample.references):
            reason = "there is no reference to show to the judge"
            return Verdict(Outcome.BAD_REFERENCE, 0.0, self.source, subject.answer, reason)
        if self.kinds == "text" and _is_mathematical(subject):
            reason = "kind: mathematics, which this judge is not asked about"
            return Verdict(Outcome.UNDECIDED, 0.0, self.source, subject.answer, reason)
        row = shown(subject)
        if unread := _unreadable(row):
            outcome, reason = unread
            return Verdict(outcome, 0.0, self.source, subject.answer, reason)
        payload = [row.question, row.reference, row.answer, *row.marks]
        return Request(Prompt(text=row.answer), payload, subject.answer, {"shown": row})

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Score all rows. Raises JudgeUnavailable if the model cannot be loaded."""
        if not requests:
            return []
        begin = time.perf_counter()
        rows: list[Shown] = [request.extra["shown"] for request in requests]
        chances = self._model.score(rows)
        with self._lock:
            self._usage["requests"] += len(requests)
            self._usage["seconds"] += time.perf_counter() - begin
        return [self._verdict(chance, request) for chance, request in zip(chances, requests, strict=True)]

    def _verdict(self, chance: float, request: Request) -> Verdict:
        chance = round(chance, 6)
        reason = f"P(correct) = {chance:.3f}"
        if self.abstain[0] <= chance <= self.abstain[1]:
            outcome, score, reason = Outcome.UNDECIDED, 0.0, f"{reason} lies in the band of no verdict"
        else:
            needed = max(self.threshold, UNSHARED) if _shares_nothing(request) else self.threshold
            correct = chance >= needed
            outcome = Outcome.CORRECT if correct else Outcome.INCORRECT
            score = self._scored(chance, needed) if self.score == "p_yes" else float(correct)
        return Verdict(outcome, score, self.source, request.answer, reason, p_yes=chance, p_mass=1.0)

    def _scored(self, chance: float, needed: float) -> float:
        """The score for "p_yes": P(correct), scaled down if `needed` is above the threshold and was not reached. So
        an incorrect answer is always paid less than the threshold."""
        return chance if chance >= needed else chance * self.threshold / needed

    def close(self) -> None:
        """Drop the loaded model. A later question loads it again."""
        self._model.close()


def _is_mathematical(subject: Subject) -> bool:
    """As told by kinds.py; an answer of plain words is no formula."""
    sample, answer = subject.sample, subject.answer.rstrip(" .")
    if asks_for_mathematics(sample.question, sample.references):
        return True
    words = answer.split() if answer.isascii() and answer.replace(" ", "").isalpha() else ()
    return max(map(len, words), default=0) < LEAST_WORD and is_formula(subject.answer)


def _unreadable(row: Shown) -> tuple[Outcome, str] | None:
    """The verdict on rows unlike any in training, whose score would mean nothing."""
    said = plain_words(row.answer)
    if not said and plain_words(row.reference):
        return Outcome.INCORRECT, "the answer adds no word and no number to the question"
    if len(said) >= _RUN and len(set(said)) <= 2:
        return Outcome.UNDECIDED, "the answer only repeats itself"
    return None


def _shares_nothing(request: Request) -> bool:
    """Whether the hints say that answer and reference share no content word and fewer than half of their letters."""
    said = request.extra["shown"].marks
    return "words:0" in said and not {"letters:0", "letters:1"}.isdisjoint(said)


def _one_of(setting: str, value: object, known: Sequence[str]) -> str:
    if value not in known:
        raise ConfigError(f"{setting}: expected {' or '.join(known)}, got {value!r}")
    return str(value)


def _probability(setting: str, value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
        raise ConfigError(f"{setting}: expected a number in [0, 1], got {value!r}")
    return float(value)


def _about(threshold: float) -> tuple[float, float]:
    return max(0.0, round(threshold - BAND, 6)), min(1.0, round(threshold + BAND, 6))


def _band(value: Sequence[float]) -> tuple[float, float]:
    ends = tuple(_probability("abstain", end) for end in value)
    if len(ends) != 2 or ends[0] > ends[1]:
        raise ConfigError(f"abstain: expected [low, high] within [0, 1], got {list(value)!r}")
    return ends[0], ends[1]
