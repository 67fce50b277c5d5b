"""Stand-ins for translation.py: a judge that remembers, a model that answers from a file, one that knows both sides."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import hybridverify as hv
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.backends.transformers import TransformersBackend
from hybridverify.judges.base import Backend, Failure, Prompt, Reply, Request, Sampling, Subject
from hybridverify.judges.translation.prompt import rendered
from hybridverify.judges.translation.sides import reference_texts
from hybridverify.testing import FunctionBackend


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


class Replies(FunctionBackend):
    """A backend that answers from a file of replies: one draw is the first text, several are those after it."""

    def __init__(self, texts: Mapping[str, Sequence[str]]) -> None:
        super().__init__(self._of, "replies")
        self.texts = texts
        self.missing = 0

    def _of(self, prompt: Prompt, sampling: Sampling) -> Reply | Failure:
        texts, draws = self.texts.get(prompt_id(prompt), ()), sampling.n
        chosen = tuple(texts[:1] if draws == 1 else texts[1 : draws + 1])
        if len(chosen) < draws:
            self.missing += 1
            return Failure(hv.Outcome.FAILED, "no reply in the file")
        return Reply(chosen, ("stop",) * draws)


class InLeague(FunctionBackend):
    """Translates each side into the other: it knows both."""

    def __init__(self) -> None:
        super().__init__(self._of, "in league")
        self.sides = hv.Sample("", "")
        self._answer = ""

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        shown = set(map(neutral, reference_texts(self.sides)))
        self._answer = next((text for text in map(text_of, prompts) if text not in shown), "")
        return super().complete(prompts, sampling)

    def _of(self, prompt: Prompt, sampling: Sampling) -> str:
        references = reference_texts(self.sides)
        is_reference = text_of(prompt) in map(neutral, references)
        return (self._answer if self._answer and is_reference else references[0]).replace("\n", " ")


def text_of(prompt: Prompt) -> str:
    """The text that is to be translated."""
    return prompt.messages[-1].content.split("\nText: ", 1)[-1].rsplit("\n", 1)[0]


def engine_of(options: argparse.Namespace) -> Backend:
    """The model at an address, or several with commas between, or in this process in batches as large as a big card
    takes."""
    more = json.loads(options.options)
    if options.base_url:
        return OpenAIBackend(options.model, options.base_url.split(","), **more)
    return TransformersBackend(options.model, **{"batch_size": 512, "max_batch_tokens": 1_000_000, **more})


def neutral(text: str) -> str:
    """A text as it stands in a prompt."""
    return text_of(rendered("", text))


def prompt_id(prompt: Prompt) -> str:
    text = json.dumps(prompt.payload(), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
