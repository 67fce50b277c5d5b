"""Asks a model for translations, one text at a time. They are cached unchanged: whether one is faithful is decided
anew at each use."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from hybridverify.cache.entry import TRANSLATION_STAGE
from hybridverify.judges.base import Backend, Failure, Reply, Request, Sampling, Subject
from hybridverify.judges.call import completed, current_call
from hybridverify.judges.locked import USAGE, Counting
from hybridverify.judges.translation.prompt import PARSER_VERSION, STYLE, VERSION, rendered
from hybridverify.judges.translation.reply import read_translation
from hybridverify.types import Outcome, Verdict


class Translator(Counting):
    """Turns requests into undecided verdicts whose answer is the translation: one line for each draw.

    In the pipeline it takes the place of a judge, so that its answers are deduplicated, cached under keys of their
    own, and counted against the budget of calls.
    """

    stage = TRANSLATION_STAGE
    """The cache's stage for its answers."""
    weight = 1.0

    def __init__(self, name: str, backend: Backend, sampling: Sampling, style: str = STYLE) -> None:
        self.name = name
        self.backend = backend
        self.sampling = sampling
        self.style = style
        self.concurrent = bool(getattr(backend, "concurrent", True))
        self._usage = dict.fromkeys(USAGE, 0.0)
        super().__init__()

    def identity(self) -> Mapping[str, Any]:
        """Prompt, model and sampling. Neither the other side nor the comparison of translations is part of it."""
        own = getattr(self.backend, "identity", None)
        return {
            "preset": "translate",
            "version": VERSION,
            "style": self.style,
            "parser_version": PARSER_VERSION,
            "model": self.backend.model,
            "revision": self.backend.revision,
            "sampling": asdict(self.sampling),
            **(own() if own is not None else {}),
        }

    def request(self, question: str, text: str) -> Request:
        """The question for the standard form of one text."""
        prompt = rendered(question, text, self.style)
        return Request(prompt, prompt.payload())

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """The requests for these questions."""
        return [self.request(subject.sample.question, subject.answer) for subject in subjects]

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Ask all in one call. Raises JudgeUnavailable."""
        if not requests:
            return []
        begin = time.perf_counter()
        replies = completed(self.backend, [request.prompt for request in requests], self.sampling)
        current_call().heard(requests, replies)
        self._count(replies, time.perf_counter() - begin)
        return [self._verdict(reply) for reply in replies]

    def close(self) -> None:
        """Close the backend."""
        self.backend.close()

    def _verdict(self, reply: Reply | Failure) -> Verdict:
        source = f"translation:{self.name}"
        if isinstance(reply, Failure):
            return Verdict(reply.outcome, 0.0, source, "", reply.reason, fault=reply.fault)
        cut = [reason == "length" for reason in reply.finish_reasons] + [False] * len(reply.texts)
        lines = [read_translation(text, cut=end) for text, end in zip(reply.texts, cut, strict=False)]
        return Verdict(Outcome.UNDECIDED, 0.0, source, "\n".join(lines), "translation")
