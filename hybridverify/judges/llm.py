"""A language model as a judge: a preset renders the question, a backend answers it, the preset's parser reads it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from hybridverify.errors import ConfigError, Fault, JudgeUnavailable
from hybridverify.judges.base import Backend, Failure, Prompt, Reply, Request, Sampling, Subject
from hybridverify.judges.call import completed, current_call
from hybridverify.judges.hooks import Hooks, MessageTokenizer, Refusal
from hybridverify.judges.llm_settings import chosen_preset, chosen_sampling
from hybridverify.judges.locked import USAGE, Counting
from hybridverify.judges.p_yes import require_labels
from hybridverify.judges.presets import Preset
from hybridverify.judges.retries import second_calls
from hybridverify.judges.shown import reference_text, row_text, values_of
from hybridverify.judges.truncate import Limits, fit
from hybridverify.judges.verdicts import Scoring, verdicts
from hybridverify.types import Outcome, Verdict

_NOTHING_BESIDE: Mapping[str, Any] = {}


class LLMJudge(Counting):
    """Judges with `preset` (a name, a `Preset`) or a user's `template_file`, asked through `backend`.

    `sampling` overrides single values of the preset's. `score="p_yes"` decides by the probability of the positive
    label: correct from `threshold` on, undecided within `abstain=(low, high)`. `hooks` are a user's `preprocess` and
    `postprocess`, in place of template and parser. `context_tokens` and `response_tokens` limit the prompt: only the
    response is cut, and its end is kept. `retry_unparseable` asks once more, at temperature 0.3 or, if the reply was
    cut, with twice the tokens. Raises ConfigError.

    >>> from hybridverify.judges.backends.scripted import ScriptedBackend
    >>> from hybridverify.types import Sample
    >>> judge = LLMJudge("tinyv", ScriptedBackend("True"))
    >>> requests = judge.prepare([Subject(Sample("It is 1/2", "0.5", "Half?"), answer="1/2")])
    >>> judge.decide(requests)[0].outcome
    <Outcome.CORRECT: 'correct'>
    """

    def __init__(
        self,
        preset: str | Preset | None = None,
        backend: Backend | None = None,
        *,
        template_file: str | None = None,
        sampling: Sampling | Mapping[str, Any] | None = None,
        weight: float = 1.0,
        name: str | None = None,
        hooks: Hooks | Mapping[str, Any] | None = None,
        score: str = "label",
        threshold: float = 0.5,
        abstain: Sequence[float] | None = None,
        context_tokens: int | None = None,
        response_tokens: int | None = None,
        retry_unparseable: bool = True,
    ) -> None:
        if backend is None:
            raise ConfigError("a judge needs a backend, the engine that is asked")
        if not isinstance(weight, (int, float)) or not math.isfinite(weight):
            raise ConfigError(f"weight: expected a finite number, got {weight!r}")
        self.preset = chosen_preset(preset, template_file)
        self.backend = backend
        self.hooks = Hooks.from_setting(hooks)
        self.scoring = Scoring(score, threshold, None if abstain is None else tuple(abstain))  # type: ignore[arg-type]
        self.sampling = chosen_sampling(self.preset, sampling, self.scoring)
        self.weight = float(weight)
        self.name = name or self.preset.name
        self.context_tokens = context_tokens or 0
        self.response_tokens = response_tokens or 0
        self.retry_unparseable = retry_unparseable
        self.concurrent = bool(getattr(backend, "concurrent", True))
        """Whether it may be asked beside other judges, from a thread of its own."""
        self._usage = dict.fromkeys(USAGE, 0.0)
        super().__init__()
        if score == "p_yes":
            require_labels(self.preset.menu, self.preset.name)

    @property
    def source(self) -> str:
        """How this judge signs its verdicts."""
        return f"judge:{self.name}"

    @property
    def needs_reference(self) -> bool:
        """False if the prompt shows no reference: rubrics, and prompts that a hook builds."""
        return self.preset.needs_reference and self.hooks.preprocess is None

    def ensure_ready(self, timeout_s: float) -> None:
        """Raise JudgeUnavailable if the engine cannot be asked at all."""
        check = getattr(self.backend, "ensure_ready", None)
        if check is not None:
            check(timeout_s)

    def identity(self) -> dict[str, Any]:
        """Preset and versions, model, sampling, limits and score mode. Address, weight and GPU settings are no part
        of it."""
        own = getattr(
            self.backend, "identity", None
        )  # request fields that may change a reply, if there are any
        return {
            "preset": self.preset.name,
            "version": self.preset.version,
            "parser_version": self.preset.parser_version,
            "template": self.preset.digest,
            "model": self.backend.model,
            "revision": self.backend.revision,
            "sampling": asdict(self.sampling),
            "limits": {"context_tokens": self.context_tokens, "response_tokens": self.response_tokens},
            "scoring": asdict(self.scoring),
            "retry_unparseable": self.retry_unparseable,
            "hooks": self.hooks.identity(),
            **(own() if own is not None else {}),
        }

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """Render every subject's prompt. A row that cannot be asked gets its verdict here."""
        prompts = self._hooked(subjects) if self.hooks.preprocess else self._rendered(self.preset, subjects)
        return self._requests(prompts, subjects)

    @property
    def can_swap(self) -> bool:
        """Whether the preset has a second order of reference and answer."""
        return self.preset.swap is not None and self.hooks.preprocess is None

    def prepare_swapped(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """As `prepare`, with the answer before the reference."""
        return self._requests(self._rendered(self.preset.swapped(), subjects), subjects)

    def _requests(
        self, prompts: Sequence[Prompt | Verdict], subjects: Sequence[Subject]
    ) -> list[Request | Verdict]:
        return [
            Request(prompt, prompt.payload(), subject.answer, _NOTHING_BESIDE)
            if isinstance(prompt, Prompt)
            else replace(prompt, source=self.source, answer=subject.answer)
            for prompt, subject in zip(prompts, subjects, strict=True)
        ]

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Ask in one call. Requests with an unreadable reply are asked once more, as far as the call's budget goes.

        Raises JudgeUnavailable.
        """
        if not requests:
            return []
        call = current_call()
        replies = self._ask([request.prompt for request in requests], self.sampling)
        call.heard(requests, replies)
        found = self._verdicts(replies)
        if self.retry_unparseable and self.hooks.postprocess is None:
            for sampling, unread in second_calls(self.preset, self.scoring, self.sampling, replies, found):
                if rows := unread[: call.reserve(len(unread))]:
                    self._ask_again(requests, rows, sampling, found)
        return [v.but(answer=request.answer) for v, request in zip(found, requests, strict=True)]

    def _ask_again(
        self, requests: Sequence[Request], rows: Sequence[int], sampling: Sampling, found: list[Verdict]
    ) -> None:
        """Put into `found` the verdicts of these rows that can be read this time."""
        replies = self._ask([requests[row].prompt for row in rows], sampling)
        for row, reply, new in zip(rows, replies, self._verdicts(replies), strict=True):
            if new.sure or new.outcome is Outcome.INVALID:
                found[row] = new
                current_call().heard([requests[row]], [reply])
        with self._lock:
            self._usage["retries"] += len(rows)

    def close(self) -> None:
        """Close the backend."""
        self.backend.close()

    def _rendered(self, preset: Preset, subjects: Sequence[Subject]) -> list[Prompt | Verdict]:
        values = [values_of(preset, subject) for subject in subjects]
        limits = Limits(self._context(), self.response_tokens)
        return fit(preset, values, self.backend, limits, self.sampling.max_tokens)

    def _context(self) -> int:
        if self.context_tokens:
            return self.context_tokens
        try:
            known = self.backend.context_tokens()
        except JudgeUnavailable:  # the cache may hold every answer; an outage shows when somebody is asked
            known = 0
        return known or self.preset.context_tokens

    def _hooked(self, subjects: Sequence[Subject]) -> list[Prompt | Verdict]:
        samples = [subject.sample for subject in subjects]
        prompts = self.hooks.prompts(
            {
                "text_prompts": [row_text(sample.meta, "rm_prompt") or sample.question for sample in samples],
                "text_responses": [sample.response for sample in samples],
                "tgt_tokenizer": getattr(self.backend, "tokenizer", None) or MessageTokenizer(),
                "references": [reference_text(sample.references) for sample in samples],
            }
        )
        return [
            Verdict(Outcome.FAILED, reason=one.reason, fault=Fault.ROW) if isinstance(one, Refusal) else one
            for one in prompts
        ]

    def _ask(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        begin = time.perf_counter()
        replies = completed(self.backend, prompts, sampling)
        self._count(replies, time.perf_counter() - begin)
        return replies

    def _verdicts(self, replies: Sequence[Reply | Failure]) -> list[Verdict]:
        if self.hooks.postprocess is None:
            return verdicts(self.preset, self.scoring, self.source, replies)
        answered = [reply for reply in replies if isinstance(reply, Reply)]
        results = [reply.texts[0] if len(reply.texts) == 1 else list(reply.texts) for reply in answered]
        scores = iter(self.hooks.scores(results) if results else [])
        return [
            Verdict(reply.outcome, 0.0, self.source, "", reply.reason, fault=reply.fault)
            if isinstance(reply, Failure)
            else _scored(next(scores), self.source, reply)
            for reply in replies
        ]


def _scored(score: float | Refusal, source: str, reply: Reply) -> Verdict:
    if isinstance(score, Refusal):
        seconds = reply.seconds
        return Verdict(Outcome.FAILED, 0.0, source, "", score.reason, seconds=seconds, fault=Fault.ROW)
    outcome = Outcome.CORRECT if score >= 1.0 else Outcome.INCORRECT if score <= 0.0 else Outcome.PARTIAL
    return Verdict(outcome, score, source, "", "score of the postprocess hook", False, reply.seconds)
