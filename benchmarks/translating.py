"""Stand-ins for translation.py: a judge that remembers, a model that answers from a file, one that knows both sides."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import hybridverify as hv
from hybridverify.judges.backends.transformers import TransformersBackend
from hybridverify.judges.base import Failure, Prompt, Reply, Request, Sampling, Subject
from hybridverify.judges.translation.prompt import rendered
from hybridverify.judges.translation.sides import reference_texts


class Recorder:
    """A judge that only remembers what it was asked about."""

    name, weight = "recorder", 1.0

    def __init__(self) -> None:
        self.subjects: list[Subject] = []

    def identity(self) -> Mapping[str, Any]:
        return {"preset": "recorder"}

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | hv.Verdict]:
        self.subjects += subjects
        return [hv.Verdict(hv.Outcome.UNDECIDED, source="judge:recorder") for _ in subjects]

    def decide(self, requests: Sequence[Request]) -> list[hv.Verdict]:
        return []

    def usage(self) -> Mapping[str, float]:
        return {}

    def close(self) -> None:
        pass


class Replies:
    """A backend that answers from a file of replies: one draw is the first text, several are those after it."""

    name, model, revision, concurrent = "replies", "replies", "", False

    def __init__(self, texts: Mapping[str, Sequence[str]]) -> None:
        self.texts = texts
        self.missing = 0

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        return [self._reply(self.texts.get(prompt_id(prompt), ()), sampling.n) for prompt in prompts]

    def _reply(self, texts: Sequence[str], draws: int) -> Reply | Failure:
        chosen = tuple(texts[:1] if draws == 1 else texts[1 : draws + 1])
        if len(chosen) < draws:
            self.missing += 1
            return Failure(hv.Outcome.FAILED, "no reply in the file")
        return Reply(chosen, ("stop",) * draws)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 for text in texts]

    def context_tokens(self) -> int:
        return 0

    def close(self) -> None:
        pass


class InLeague(Replies):
    """Translates each side into the other: it knows both."""

    def __init__(self) -> None:
        super().__init__({})
        self.sides = hv.Sample("", "")

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        told = [prompt.messages[-1].content.split("\nText: ", 1)[-1].rsplit("\n", 1)[0] for prompt in prompts]
        references = reference_texts(self.sides)
        shown = {neutral(text) for text in references}
        answers = [text for text in told if text not in shown]
        return [
            Reply(
                ((answers[0] if answers and text in shown else references[0]).replace("\n", " "),), ("stop",)
            )
            for text in told
        ]


def local_model(model: str) -> TransformersBackend:
    """The model in this process, in batches as large as a big card takes; halved where they do not fit."""
    return TransformersBackend(model, batch_size=512, max_batch_tokens=1_000_000)


def neutral(text: str) -> str:
    """A text as it stands in a prompt."""
    return rendered("", text).messages[-1].content.split("\nText: ", 1)[-1].rsplit("\n", 1)[0]


def prompt_id(prompt: Prompt) -> str:
    text = json.dumps(prompt.payload(), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
