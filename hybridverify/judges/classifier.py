"""A reward model as a judge: Bradley-Terry or sequence classification, with or without a critique by a second model.

Separate from `LLMJudge` because nothing is parsed: the model gives a number, and a threshold turns it into a verdict.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.scorer import Logits, Scorer
from hybridverify.judges.base import Failure, Prompt, Request, Subject
from hybridverify.judges.classifier_settings import ClassScore, chosen_form
from hybridverify.judges.critic import Critic
from hybridverify.judges.llm import LLMJudge
from hybridverify.judges.locked import USAGE, Locked
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.shown import values_of
from hybridverify.judges.truncate import Limits, fit
from hybridverify.types import Verdict

VERSION = 1


class ClassifierJudge(Locked):
    """Judges by the score of a reward model, asked through `backend`.

    The model is shown the conversation (question, response) in its own chat template, or the text that
    `template_file` makes from `{question} {reference} {response}` (`{answer}`, `{critique}`). `activation`: "sigmoid"
    gives scores in [0, 1], "none" raw ones. `positive`: the class that means right, of a model with several.
    `threshold`: scores from it on are correct (default: 0.5; 0 for raw scores). `critique`: a generative judge whose
    text is put after the response, or in the place of `{critique}` in the template. Raises ConfigError.
    """

    def __init__(
        self,
        backend: Scorer,
        *,
        activation: str = "sigmoid",
        threshold: float | None = None,
        positive: int = 1,
        template_file: str | None = None,
        critique: LLMJudge | None = None,
        weight: float = 1.0,
        name: str | None = None,
        context_tokens: int | None = None,
        response_tokens: int | None = None,
    ) -> None:
        self.backend = backend
        self.form: Preset = chosen_form(template_file, critique is not None)
        self.class_score = ClassScore(activation, threshold, positive)
        self.critic = Critic(critique) if critique is not None else None
        self.weight = float(weight)
        self.name = name or "classifier"
        self.limits = Limits(context_tokens or 0, response_tokens or 0)
        self.concurrent = bool(getattr(backend, "concurrent", True)) and bool(
            getattr(critique, "concurrent", True)
        )
        self._usage = dict.fromkeys(USAGE, 0.0)
        super().__init__()

    @property
    def source(self) -> str:
        """How this judge signs its verdicts."""
        return f"judge:{self.name}"

    @property
    def needs_reference(self) -> bool:
        """False for the plain conversation, which shows no reference."""
        return self.form.needs_reference or (self.critic is not None and self.critic.judge.needs_reference)

    def ensure_ready(self, timeout_s: float) -> None:
        """Raise JudgeUnavailable if an engine cannot be asked at all."""
        for asked in (self.critic.judge if self.critic else None, self.backend):
            check = getattr(asked, "ensure_ready", None)
            if check is not None:
                check(timeout_s)

    def identity(self) -> dict[str, Any]:
        """The model, the form of its input, the scoring, the limits, and the critic's identity."""
        return {
            "judge": "classifier",
            "version": VERSION,
            "model": self.backend.model,
            "revision": self.backend.revision,
            "form": [self.form.name, self.form.version, self.form.digest],
            "score": self.class_score.identity(),
            "limits": {
                "context_tokens": self.limits.context_tokens,
                "response_tokens": self.limits.response_tokens,
            },
            "critique": self.critic.judge.identity() if self.critic else {},
            **self.backend.identity(),
        }

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """The text that is scored; with a critic, the text that it is asked. A row that cannot be scored gets its
        verdict here."""
        values = [values_of(self.form, subject) for subject in subjects]
        if self.critic is None:
            ready = self._fitted(values)
            prepared = [Request(one, one.payload()) if isinstance(one, Prompt) else one for one in ready]
        else:
            prepared = self.critic.prepare(subjects, values)
        return [
            replace(one, source=self.source, answer=subject.answer)
            if isinstance(one, Verdict)
            else replace(one, answer=subject.answer)
            for one, subject in zip(prepared, subjects, strict=True)
        ]

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Score all rows in one call, after the critic's texts are there. Raises JudgeUnavailable."""
        if not requests:
            return []
        ready = self._ready(requests)
        asked = {row: prompt for row, prompt in enumerate(ready) if isinstance(prompt, Prompt)}
        begin = time.perf_counter()
        found = dict(zip(asked, self.backend.score(list(asked.values())) if asked else (), strict=True))
        self._count(list(asked.values()), time.perf_counter() - begin)
        verdicts = [self._verdict(found[row]) if row in found else one for row, one in enumerate(ready)]
        return [
            replace(verdict, source=self.source, answer=request.answer)
            for verdict, request in zip(verdicts, requests, strict=True)
            if isinstance(verdict, Verdict)
        ]

    def _ready(self, requests: Sequence[Request]) -> list[Prompt | Verdict]:
        """The prompts, with the critic's texts if there is a critic."""
        if self.critic is None:
            return [request.prompt for request in requests]
        return self._fitted(self.critic.values(requests))

    def usage(self) -> dict[str, float]:
        """Counters since this judge was made, the critic's included."""
        with self._lock:
            own = dict(self._usage)
        for name, count in (self.critic.usage() if self.critic else {}).items():
            own[name] = own.get(name, 0.0) + count
        return own

    def close(self) -> None:
        """Close the engines."""
        if self.critic is not None:
            self.critic.judge.close()
        self.backend.close()

    def _fitted(self, values: Sequence[Mapping[str, str] | Verdict]) -> list[Prompt | Verdict]:
        limits = replace(self.limits, context_tokens=self.limits.context_tokens or self._context())
        return fit(self.form, values, self.backend, limits, 0)

    def _context(self) -> int:
        try:
            return self.backend.context_tokens()
        except JudgeUnavailable:  # the cache may hold every answer; an outage shows when somebody is asked
            return 0

    def _verdict(self, logits: Logits | Failure) -> Verdict:
        if isinstance(logits, Failure):
            return Verdict(logits.outcome, reason=logits.reason, fault=logits.fault)
        return self.class_score.verdict(logits)

    def _count(self, prompts: Sequence[Prompt], seconds: float) -> None:
        with self._lock:
            self._usage["requests"] += len(prompts)
            self._usage["seconds"] += seconds
