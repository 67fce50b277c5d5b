"""Which prompts an engine in this process is asked about, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TypeVar

from hybridverify.errors import Fault
from hybridverify.judges.backends.scripted import prompt_text
from hybridverify.judges.base import Failure, Prompt
from hybridverify.types import Outcome

T = TypeVar("T")
Checked = Sequence["list[int] | Failure"]
"""The token ids of each prompt, or the failure where there are none or the prompt cannot be asked."""


def fitting(ids: Checked, room: int, max_tokens: int = 0) -> list[list[int] | Failure]:
    """The ids of the prompts that fit, together with `max_tokens` for the reply, into a context of `room` tokens (0:
    unknown), and a failure for every other prompt.

    >>> fitting([[1, 2], [1, 2, 3], []], 2)[0]
    [1, 2]
    >>> [failure.reason for failure in fitting([[1, 2], [1, 2, 3], []], 2)[1:]]
    ['3 tokens do not fit the context of 2', 'the prompt is empty']
    """
    return [one if isinstance(one, Failure) else _refusal(len(one), room, max_tokens) or one for one in ids]


def answered(checked: Checked, ask: Callable[[list[list[int]]], Sequence[T | Failure]]) -> list[T | Failure]:
    """Ask about the prompts that fit, in one call. Answers and failures come in order."""
    asked = [one for one in checked if not isinstance(one, Failure)]
    answers = iter(ask(asked) if asked else ())
    return [one if isinstance(one, Failure) else next(answers) for one in checked]


def by_beginning(prompts: Sequence[Prompt]) -> list[int]:
    """The places of the prompts, sorted so that equal beginnings are neighbours: each prompt then finds its beginning
    in the engine's prefix cache."""
    return sorted(range(len(prompts)), key=[prompt_text(prompt) for prompt in prompts].__getitem__)


def put_back(order: Sequence[int], results: Sequence[T]) -> list[T]:
    """Results of prompts that were asked in the order `order`, sorted back into the caller's order.

    >>> put_back([2, 0, 1], ["c", "a", "b"])
    ['a', 'b', 'c']
    """
    return [result for _, result in sorted(zip(order, results, strict=True), key=itemgetter(0))]


def _refusal(tokens: int, room: int, max_tokens: int) -> Failure | None:
    if not tokens:
        return Failure(Outcome.FAILED, "the prompt is empty", Fault.ROW)
    if room and tokens + max_tokens > room:
        reply = f" and {max_tokens} for the reply" if max_tokens else ""
        return Failure(
            Outcome.TOO_LONG, f"{tokens} tokens{reply} do not fit the context of {room}", Fault.ROW
        )
    return None
