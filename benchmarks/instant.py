"""The backend `vllm` with an engine that answers at once: what is left is the work of the process that feeds it."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence

from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling

LABELS = ("True", "False")
OTHERS = (" True", " False", "true", "The", " the", "Yes", "No")
PROMPT_TOKENS = 190


class InstantBackend(VLLMBackend):
    """Needs neither vLLM nor a GPU. `engines` copies run in processes of their own, as engines do."""

    def start(self) -> None:
        if self._replicas is not None:
            self._replicas.each("start")

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        if self._replicas is not None:
            return super().complete(prompts, sampling)
        return [*answers(len(prompts), sampling)]


def answers(number: int, sampling: Sampling) -> list[Reply]:
    """Replies of one token as the reader of an engine makes them: equal ones are one object, except for their
    log-probabilities. Every third is a no."""
    seconds = time.perf_counter() % 1 / 1000
    said = [Reply((label,), ("length",), (), PROMPT_TOKENS, 1, seconds) for label in LABELS]
    replies = [said[place % 3 == 1] for place in range(number)]
    if not sampling.logprobs:
        return replies
    return [
        Reply(
            one.texts, one.finish_reasons, (_top(one.texts[0], sampling.logprobs),), PROMPT_TOKENS, 1, seconds
        )
        for one in replies
    ]


def _top(label: str, most: int) -> dict[str, float]:
    """The likeliest tokens at a place, with the label first."""
    tokens = (label, *[other for other in LABELS if other != label], *OTHERS)[:most]
    left, found = 1.0, {}
    for token in tokens:
        share = left * random.uniform(0.6, 0.99)
        found[token] = math.log(share)
        left -= share
    return found
