"""A user's functions in place of a template and a parser: `preprocess` builds the engine's texts, `postprocess` turns
its answers into scores.

The signatures are those of VeRL-with-RMs, so that its reward functions run unchanged: `preprocess(text_prompts,
text_responses, tgt_tokenizer) -> texts` and `postprocess(results) -> scores`.
"""

from __future__ import annotations

import hashlib
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.judges.base import Message, Prompt
from hybridverify.objects import load

Function = Callable[..., Any]
_NAMES = ("preprocess", "postprocess")
_POSITIONAL = 3
"""The arguments of VeRL-with-RMs: prompts, responses, tokenizer. A function may also name `references`."""


@dataclass(frozen=True)
class Refusal:
    """Why a hook gave nothing for a row."""

    reason: str


@dataclass(frozen=True)
class Hooks:
    """A judge's hooks. Where one is absent, the preset's template or parser is used."""

    preprocess: Function | None = None
    postprocess: Function | None = None

    @classmethod
    def from_setting(cls, setting: Hooks | Mapping[str, Any] | None) -> Hooks:
        """Build from callables or `module:function` names. Raises ConfigError."""
        if isinstance(setting, Hooks):
            return setting
        chosen = dict(setting or {})
        for name in chosen:
            if name not in _NAMES:
                raise ConfigError(f"hooks.{name}: no such hook; {did_you_mean(name, _NAMES)}")
        return cls(**{name: _function(name, value) for name, value in chosen.items() if value is not None})

    def identity(self) -> dict[str, str]:
        """Names and digests of the source, so that a changed hook asks again."""
        chosen = {"preprocess": self.preprocess, "postprocess": self.postprocess}
        return {name: _digest(function) for name, function in chosen.items() if function is not None}

    def prompts(self, offered: Mapping[str, Any]) -> list[Prompt | Refusal]:
        """One prompt for each row from `preprocess`, or why there is none."""
        assert self.preprocess is not None
        wanted = len(offered["text_prompts"])
        texts = _row_by_row("preprocess", self.preprocess, offered, wanted, "{} texts for {} rows")
        return [text if isinstance(text, Refusal) else _prompt(text) for text in texts]

    def scores(self, results: Sequence[Any]) -> list[float | Refusal]:
        """One score for each result from `postprocess`, or why there is none."""
        assert self.postprocess is not None
        offered = {"results": list(results)}
        counts = "{} scores for {} results"
        scores = _row_by_row("postprocess", self.postprocess, offered, len(results), counts)
        return [value if isinstance(value, Refusal) else _score(value) for value in scores]


def _function(name: str, value: Any) -> Function:
    if isinstance(value, str):
        if ":" not in value:
            raise ConfigError(f"hooks.{name}: expected 'module:function', got {value!r}")
        value = load(value)
    if not callable(value):
        raise ConfigError(f"hooks.{name}: {value!r} cannot be called")
    return value  # type: ignore[no-any-return]


def _digest(function: Function) -> str:
    name = (
        f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', type(function).__name__)}"
    )
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):  # defined in a shell, or written in C
        return name
    return f"{name}#{hashlib.sha256(source.encode()).hexdigest()[:16]}"


def _row_by_row(
    name: str, function: Function, offered: Mapping[str, Any], rows: int, counts: str
) -> list[Any]:
    """The function's result for each row. If it raises for all rows together, each is tried alone, so that one bad
    row costs no other. A wrong number of results is a fault on all rows: it is unknown which result belongs to
    which."""
    try:
        results = _listed(_apply(function, offered))
    except Exception as error:  # a user's code may fail in any way; the kind of fault goes into the verdicts
        if rows < 2:
            return [Refusal(f"{name} raised {type(error).__name__}")] * rows
        alone = [{key: _only(value, row, rows) for key, value in offered.items()} for row in range(rows)]
        return [one for part in alone for one in _row_by_row(name, function, part, 1, counts)]
    if len(results) != rows:
        return [Refusal(f"{name} gave {counts.format(len(results), rows)}")] * rows
    return results


def _listed(result: Any) -> list[Any]:
    return list(result.tolist() if hasattr(result, "tolist") else result)  # NumPy arrays, torch tensors


def _only(value: Any, row: int, rows: int) -> Any:
    """An argument for one row: from a list, its entry for this row; the tokenizer is the same for all."""
    return [value[row]] if isinstance(value, list) and len(value) == rows else value


def _apply(function: Function, offered: Mapping[str, Any]) -> Any:
    """The arguments by keyword, if the function knows all the names it needs; else by position."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # the function has no signature
        return function(*list(offered.values())[:_POSITIONAL])
    named = _names(parameters) & set(offered)
    if named and _needed(parameters) <= named:
        return function(**{name: value for name, value in offered.items() if name in named})
    return function(*list(offered.values())[: _places(parameters)])


def _names(parameters: Sequence[inspect.Parameter]) -> set[str]:
    """The parameters that can be given by name."""
    return {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def _needed(parameters: Sequence[inspect.Parameter]) -> set[str]:
    """The parameters that must be given."""
    free = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {p.name for p in parameters if p.default is p.empty and p.kind not in free}


def _places(parameters: Sequence[inspect.Parameter]) -> int:
    """How many arguments can be given by position."""
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return _POSITIONAL
    placed = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    return min(placed, _POSITIONAL)


def _prompt(text: Any) -> Prompt | Refusal:
    if isinstance(text, ChatText):
        return Prompt(messages=text.messages)
    if isinstance(text, str):
        return Prompt(text=text)
    try:
        return Prompt(messages=tuple(Message(str(m["role"]), str(m["content"])) for m in text))
    except (TypeError, KeyError):
        return Refusal(f"preprocess must give texts or chat messages, not {type(text).__name__}")


def _score(value: Any) -> float | Refusal:
    if isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    if hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, (bool, int, float)):
        return Refusal(f"postprocess gave {type(value).__name__}, not a number")
    if not math.isfinite(value):
        return Refusal("postprocess gave a score that is not finite")
    return float(value)


class ChatText(str):
    """A rendered chat that keeps its messages."""

    messages: tuple[Message, ...]


class MessageTokenizer:
    """Replaces `tgt_tokenizer` if the engine renders chats itself (an HTTP server): the result of
    `apply_chat_template` is sent as chat messages."""

    def apply_chat_template(self, conversation: Sequence[Mapping[str, Any]], **options: Any) -> ChatText:
        """A text that stands for these messages. Only `tokenize=False` is supported."""
        if options.get("tokenize"):
            raise TypeError("this judge's engine renders chats itself: call with tokenize=False")
        messages = tuple(Message(str(m["role"]), str(m["content"])) for m in conversation)
        text = ChatText("\n\n".join(f"{m.role}: {m.content}" for m in messages))
        text.messages = messages
        return text
