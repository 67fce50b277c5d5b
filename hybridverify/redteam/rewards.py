"""Users' reward functions, called by the names of their parameters: verl's, TRL's, a plain pair, or a Sample.

`module:function` is imported, which runs the user's own file. Nothing that a model wrote is ever executed.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hybridverify.errors import ConfigError
from hybridverify.objects import load
from hybridverify.redteam.questions import Question
from hybridverify.types import Sample

_REFERENCE_NAMES = frozenset((
    "reference", "references", "ground_truth", "ground_truths", "gold", "answer", "target", "solution", "label",
    "expected", "expected_answer", "reference_answer", "truth",
))  # fmt: skip
_QUESTION_NAMES = frozenset(("question", "prompt", "problem", "query"))
_ENOUGH = 40
"""A function that fails on all of this many first responses was called in the wrong way."""


@dataclass
class RewardFunction:
    """A reward function as a grader of samples. Where it raises, the score is 0; the number of failures is reported."""

    function: Callable[..., Any]
    name: str = ""
    columns: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """Digest of a question → its row, for functions that want columns."""
    calls: int = 0
    failed: int = 0
    first_failure: str = ""
    chat: bool = False
    """Whether it takes TRL's conversations instead of texts. Found out by trying."""

    @classmethod
    def load(cls, path: str, columns: Mapping[int, Mapping[str, Any]]) -> RewardFunction:
        """The function named `module:function`. Raises ConfigError."""
        function = load(path)
        if not callable(function):
            raise ConfigError(f"{path} is not callable")
        return cls(function, path, columns)

    def __post_init__(self) -> None:
        try:
            parameters = inspect.signature(self.function).parameters.values()
        except (TypeError, ValueError):  # some builtin functions have no signature
            parameters = {}.values()
        kinds = inspect.Parameter
        self._named = [
            p.name for p in parameters if p.kind in (kinds.POSITIONAL_OR_KEYWORD, kinds.KEYWORD_ONLY)
        ]
        self._needed = [p.name for p in parameters if p.default is p.empty and p.name in self._named]
        self._takes_all = any(p.kind is kinds.VAR_KEYWORD for p in parameters)

    @property
    def style(self) -> str:
        """How the function is called: verl, verl_batch, trl, sample or pair.

        >>> RewardFunction(lambda data_source, solution_str, ground_truth, extra_info=None: 0).style
        'verl'
        >>> RewardFunction(lambda prompts, completions, **columns: []).style
        'trl'
        """
        names = set(self._named)
        if {"solution_str", "ground_truth"} <= names:
            return "verl"
        if {"solution_strs", "ground_truths"} <= names:
            return "verl_batch"
        if "completions" in names:
            return "trl"
        return "sample" if len(self._needed) == 1 and len(self._named) == 1 else "pair"

    def grade(self, samples: Sequence[Sample]) -> list[float]:
        """A score for each sample. With several references the best score counts."""
        if self.style in ("verl_batch", "trl"):
            return self._together(samples)
        return [self._best(sample) for sample in samples]

    def _best(self, sample: Sample) -> float:
        if self.style == "sample":
            return self._called(sample)
        references = sample.references or ("",)
        return max(self._one(sample, reference) for reference in references)

    def _one(self, sample: Sample, reference: str) -> float:
        if self.style == "verl":
            return self._called(**self._accepted(_verl_arguments(sample, reference)))
        texts = [sample.response, reference]
        if self._named[:1] and self._named[0] in _REFERENCE_NAMES:
            texts.reverse()
        asked = [name for name in self._named[2:] if name in _QUESTION_NAMES]
        return self._called(*texts, **dict.fromkeys(asked[:1], sample.question))

    def _together(self, samples: Sequence[Sample]) -> list[float]:
        lists = self._lists(samples)
        scores = self._raw((), self._accepted(lists), len(samples))
        if self._may_want_chats():
            self.chat = True
            scores = self._raw((), self._accepted({**lists, **self._texts(samples)}), len(samples))
            self.chat = not self._last_failed
        if not isinstance(scores, Sequence) or len(scores) != len(samples):
            if not self._last_failed:
                raise ConfigError(
                    f"{self.name}: expected a list of {len(samples)} scores, got {scores!r:.80}"
                )
            return [0.0] * len(samples)
        return [self._number(score) for score in scores]

    def _lists(self, samples: Sequence[Sample]) -> dict[str, list[Any]]:
        """The arguments for all samples together, a list of each."""
        firsts = [(sample.references or ("",))[0] for sample in samples]
        if self.style != "verl_batch":
            return {**self._texts(samples), **self._columns(samples, firsts)}
        rows = [_verl_arguments(sample, first) for sample, first in zip(samples, firsts, strict=True)]
        return {f"{name}s": [row[name] for row in rows] for name in rows[0]}

    def _may_want_chats(self) -> bool:
        """Whether the function failed on texts, and may have been written for conversations."""
        return self._last_failed and self.style == "trl" and not self.chat

    def _texts(self, samples: Sequence[Sample]) -> dict[str, list[Any]]:
        prompts = [self._said("user", sample.question) for sample in samples]
        return {"prompts": prompts, "completions": [self._said("assistant", s.response) for s in samples]}

    def _said(self, role: str, text: str) -> Any:
        return [{"role": role, "content": text}] if self.chat else text

    def _columns(self, samples: Sequence[Sample], firsts: Sequence[str]) -> dict[str, list[Any]]:
        rows = [self.columns.get(_digest(sample), {}) for sample in samples]
        found: dict[str, list[Any]] = {}
        for name in self._wanted(rows):
            if any(name in row for row in rows):
                found[name] = [row.get(name) for row in rows]
            elif name in _REFERENCE_NAMES:
                found[name] = list(firsts)
            elif name in self._needed:
                raise ConfigError(f"{self.name}: no column {name!r} for its parameter of that name")
        return found

    def _wanted(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        """The columns that the function may take, in order."""
        more = [key for row in rows for key in row] if self._takes_all else []
        names = dict.fromkeys((*self._named, *more))
        return [name for name in names if name not in ("prompts", "completions")]

    def _accepted(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in arguments.items() if self._takes_all or name in self._named}

    def _called(self, *positional: Any, **named: Any) -> float:
        return self._number(self._raw(positional, named, 1))

    def _raw(self, positional: tuple[Any, ...], named: Mapping[str, Any], rows: int) -> Any:
        self.calls += rows
        self._last_failed = False
        try:
            score = self.function(*positional, **named)
            return asyncio.run(_awaited(score)) if inspect.isawaitable(score) else score
        except Exception as error:  # the user's code, on responses unlike any that it has seen
            self._last_failed = True
            self.failed += rows
            self.first_failure = self.first_failure or f"{type(error).__name__}: {error}"
            if self.failed == self.calls >= _ENOUGH:
                raise ConfigError(f"{self.name} fails on every response: {self.first_failure}") from error
            return 0.0

    def _number(self, score: Any) -> float:
        if isinstance(score, Mapping):
            score = score.get("score", 0.0)
        score = getattr(score, "score", score)
        try:
            return 0.0 if score is None else float(score)
        except (TypeError, ValueError):
            raise ConfigError(f"{self.name} returned a {type(score).__name__}, not a number") from None


async def _awaited(score: Any) -> Any:
    return await score


def _verl_arguments(sample: Sample, reference: str) -> dict[str, Any]:
    return {
        "data_source": sample.data_source,
        "solution_str": sample.response,
        "ground_truth": reference,
        "extra_info": {"question": sample.question},
    }


def _digest(sample: Sample) -> int:
    return Question(sample.question, sample.references).digest
