"""Judge `translate`: the model translates each side alone, the rules decide."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hybridverify.errors import ConfigError, Fault
from hybridverify.judges.base import Answered, Backend, Request, Sampling, Subject
from hybridverify.judges.llm_settings import chosen_sampling
from hybridverify.judges.locked import Locked
from hybridverify.judges.translation.asker import Translator
from hybridverify.judges.translation.faithful import void_reason
from hybridverify.judges.translation.pairs import Form, Pairing, pairing
from hybridverify.judges.translation.prompt import STYLE, TRANSLATE
from hybridverify.judges.translation.proof import Comparer
from hybridverify.judges.translation.sides import answer_text, every_reference, reference_texts
from hybridverify.judges.verdicts import Scoring
from hybridverify.rules.asking import ASKED
from hybridverify.rules.echo import ECHO
from hybridverify.rules.work_left import WORK_LEFT
from hybridverify.types import CORRECT, INCORRECT, UNDECIDED, Outcome, Verdict

VERSION = 3
"""The version of the checks and of the comparison. Cached translations do not depend on it."""
TRANSLATED = "translated"
ANOTHER_VALUE = "has another value"
"""The rules are sure that a text and its translation differ: `2(x + 1)` is not `2x + 1`, though each atom is there."""
_DRAWN = {"temperature": 0.7, "top_p": 0.95}
"""The sampling for several translations. A single one is the likeliest."""
MAX_SAMPLES = 16


class TranslatorJudge(Locked):
    """Asks `backend` for the standard form of each reference and of the answer, one at a time, and compares by the
    rules.

    "Correct" needs a proof by the rules that the answer is a reference, with one or both translated, and translations
    that neither invent nor drop anything. Everything else is undecided. With `translate_rejects`, a difference that
    the rules are sure of for every pair is "incorrect". `samples` translations of each text are drawn. With several,
    `agree` of the pairs have to be proved: by default more than half, since one of many draws may hit any value.
    `style` is the form of the prompt. Raises ConfigError.

    >>> from hybridverify.judges.backends.scripted import ScriptedBackend
    >>> from hybridverify.types import Sample
    >>> judge = TranslatorJudge(ScriptedBackend("5 \\\\pmod{8}"))
    >>> row = Sample("", "leaves 5 when divided by 8", "Which numbers?")
    >>> subject = Subject(row, "remainder 5 modulo 8", True, r"\\boxed{remainder 5 modulo 8}")
    >>> judge.decide(judge.prepare([subject]))[0].reason
    'translated'
    """

    needs_reference = True

    def __init__(
        self,
        backend: Backend,
        *,
        samples: int = 1,
        agree: int | None = None,
        translate_rejects: bool = False,
        sampling: Sampling | Mapping[str, Any] | None = None,
        weight: float = 1.0,
        name: str = "translate",
        style: str = STYLE,
    ) -> None:
        if not isinstance(weight, (int, float)) or not math.isfinite(weight):
            raise ConfigError(f"weight: expected a finite number, got {weight!r}")
        self.samples = _counted("samples", samples, MAX_SAMPLES)
        self.agree = _counted("agree", self.samples // 2 + 1 if agree is None else agree, self.samples)
        self.translate_rejects = bool(translate_rejects)
        self.weight, self.name = float(weight), name
        self.asker = Translator(name, backend, _sampling(sampling, self.samples), style)
        self.concurrent = self.asker.concurrent
        super().__init__()

    @property
    def source(self) -> str:
        """How this judge signs its verdicts."""
        return f"judge:{self.name}"

    def ensure_ready(self, timeout_s: float) -> None:
        """Raise JudgeUnavailable if the engine cannot be asked at all."""
        check = getattr(self.asker.backend, "ensure_ready", None)
        if check is not None:
            check(timeout_s)

    def identity(self) -> Mapping[str, Any]:
        """The translator's identity, and the settings of the comparison."""
        return {
            **self.asker.identity(),
            "judge": "translator",
            "compared": VERSION,
            "samples": self.samples,
            "agree": self.agree,
            "translate_rejects": self.translate_rejects,
        }

    def parts(self, subjects: Sequence[Subject]) -> list[tuple[Request, ...] | Verdict]:
        """A request for each reference and one for the answer. A verdict if the rules settle the row as it is, or
        leave it open for a reason that no translation removes."""
        return [self._parts(subject) for subject in subjects]

    def conclude(self, subject: Subject, answered: Sequence[Answered]) -> tuple[Verdict, tuple[Verdict, ...]]:
        """The verdict from the answers to `parts`, and a verdict for each text that shows its translation."""
        texts = (*reference_texts(subject.sample), answer_text(subject))
        said = [_Said(text, one.verdict) for text, one in zip(texts, answered, strict=True)]
        question = subject.sample.question
        compare = Comparer(subject.conventions)
        forms = [[self._form(compare, one, draw, question) for one in said] for draw in range(self.samples)]
        known = every_reference(subject.sample)
        pairs = [pairing(compare, question, known, row[:-1], row[-1]) for row in forms]
        return self._verdict(subject, pairs, said), tuple(self._told(one) for row in forms for one in row)

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """One request for each subject that holds all its parts, for callers that do not know parts."""
        return [
            own
            if isinstance(own, Verdict)
            else Request(
                own[-1].prompt, [one.payload for one in own], subject.answer, {"row": subject, "parts": own}
            )
            for subject, own in zip(subjects, self.parts(subjects), strict=True)
        ]

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Ask the parts of all requests, equal ones once. Raises JudgeUnavailable."""
        parts = {part.prompt: part for request in requests for part in request.extra["parts"]}
        found = dict(zip(parts, self.asker.decide(list(parts.values())), strict=True))
        return [
            self.conclude(
                request.extra["row"], [Answered(found[part.prompt]) for part in request.extra["parts"]]
            )[0]
            for request in requests
        ]

    def usage(self) -> Mapping[str, float]:
        """The translator's counters."""
        return self.asker.usage()

    def close(self) -> None:
        """Close the backend."""
        self.asker.close()

    def _parts(self, subject: Subject) -> tuple[Request, ...] | Verdict:
        references, answer = reference_texts(subject.sample), answer_text(subject)
        if not any(reference.strip() for reference in subject.sample.references):
            return self._own(subject, Outcome.BAD_REFERENCE, "there is no reference to compare with")
        known = Comparer(subject.conventions).of_row(subject.sample, subject.reply)
        if known.sure:
            return Verdict(known.outcome, known.score, self.source, subject.answer, known.reason)
        if not known.answer or not answer or not references:
            return self._own(subject, UNDECIDED, "not translated: no answer was given")
        if known.reason in OTHER_REASONS:
            return self._own(subject, UNDECIDED, f"not translated: {known.reason}")
        question = subject.sample.question
        return tuple(self.asker.request(question, text) for text in (*references, answer))

    def _own(self, subject: Subject, outcome: Outcome, reason: str) -> Verdict:
        return Verdict(outcome, 0.0, self.source, subject.answer, reason, fault=Fault.ROW)

    def _form(self, compare: Comparer, said: _Said, draw: int, question: str) -> Form:
        lines = said.verdict.answer.split("\n") if said.verdict.outcome is UNDECIDED else []
        text = lines[draw] if draw < len(lines) else ""
        void = void_reason(said.text, text, question) if text else said.silence
        if text and not void and compare.differ([said.text], text, question):
            void = ANOTHER_VALUE
        return Form(said.text, text, void)

    def _told(self, form: Form) -> Verdict:
        shown = f"{form.original} → {form.text or 'none'}"
        reason = form.void or ("faithful" if form.text else "no translation")
        return Verdict(UNDECIDED, 0.0, f"translation:{self.name}", shown, reason)

    def _verdict(self, subject: Subject, pairs: Sequence[Pairing], said: Sequence[_Said]) -> Verdict:
        def verdict(outcome: Outcome, reason: str) -> Verdict:
            score = 1.0 if outcome is CORRECT else 0.0
            return Verdict(outcome, score, self.source, subject.answer, reason)

        if sum(pair.same for pair in pairs) >= self.agree:
            return verdict(CORRECT, TRANSLATED)
        silent = next((one.verdict for one in said if one.verdict.outcome is not UNDECIDED), None)
        if silent is not None:
            return verdict(silent.outcome, silent.reason).but(fault=silent.fault)
        if self.translate_rejects and sum(pair.different for pair in pairs) >= self.agree:
            return verdict(INCORRECT, TRANSLATED)
        return verdict(UNDECIDED, pairs[0].reason)


OTHER_REASONS = frozenset((ECHO, WORK_LEFT, ASKED, "marks_disagree", "hedge"))
"""Reasons of the rules to leave a row open that do not come from its notation."""


class _Said(NamedTuple):
    """A text and the model's answer to it."""

    text: str
    verdict: Verdict

    @property
    def silence(self) -> str:
        return "" if self.verdict.outcome is UNDECIDED else self.verdict.reason


def _sampling(given: Sampling | Mapping[str, Any] | None, samples: int) -> Sampling:
    drawn = {"n": samples, **_DRAWN} if samples > 1 else {}
    if isinstance(given, Sampling):
        given = vars(given)
    return chosen_sampling(TRANSLATE, {**drawn, **(given or {}), "n": samples}, Scoring())


def _counted(name: str, value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise ConfigError(f"{name}: expected a whole number from 1 to {most}, got {value!r}")
    return value
