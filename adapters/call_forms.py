"""How trainers call a reward function: their arguments as samples.

| called with | by |
|---|---|
| `prompts=, completions=, **columns`, or `completions, **columns`: a list of rewards | TRL, ms-swift |
| `prompt=, completion=, answer=, **fields`: one reward | rollouts of verifiers |
| `prompt, completions, prompt_ids, completion_ids, **fields`, `completions` a text: one reward | AReaL |
| `args, sample` or `args, samples` with `.response` and `.label`: one reward, or a list | slime |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hybridverify.adapters.cells import meta_of, references_of, text_of
from hybridverify.adapters.chats import asked_in, last_texts, response_of
from hybridverify.adapters.columns import PLACED, QUESTIONS, REFERENCES, Columns, first_of
from hybridverify.adapters.usual_call import usual_samples

from hybridverify.errors import InputError, SampleError
from hybridverify.scalars import plain
from hybridverify.types import Sample

CALLS = (
    "call it as TRL does, (prompts=[...], completions=[...], answer=[...]), or for one row as verifiers does, "
    "(prompt=..., completion=..., answer=...)"
)
AREAL = ("prompt", "completions", "prompt_ids", "completion_ids")


class Call(NamedTuple):
    """The rows of one call. `problems` says, by index, why a row could not be read."""

    samples: list[Sample]
    problems: dict[int, str]
    single: bool = False
    """Whether one reward is wanted, and not a list."""
    takes_none: bool = True
    """Whether the caller knows that `None` is no reward."""

    def groups(self) -> list[Any]:
        """A key for each row, equal for rows with the same question and reference; None if there is no question."""
        return [(s.question, s.references, s.data_source) if s.question else None for s in self.samples]


def read_call(arguments: Sequence[Any], named: Mapping[str, Any], columns: Columns) -> Call:
    """The rows of a call. Raises InputError, in one line, if it is the call of no trainer known here."""
    if arguments:
        if len(arguments) == 2 and (call := _of_samples(arguments[1], columns)) is not None:
            return call
        named = {**_by_name(arguments), **named}
    if (samples := usual_samples(named, columns)) is not None:
        return Call(samples, {})
    if "completions" in named:
        completions = named["completions"]
        if isinstance(completions, str):  # AReaL says `completions` of one
            return one_row(completions, named, columns)
        return rows(completions, named, columns)
    if "completion" in named:
        return one_row(named["completion"], named, columns)
    got = ", ".join(f"{name}=" for name in named) or f"{len(arguments)} argument(s)"
    raise InputError(f"reward: no completions in this call ({got}); {CALLS}")


def rows(completions: Any, named: Mapping[str, Any], columns: Columns, *, takes_none: bool = True) -> Call:
    """A batch: each column a list with a cell for each completion."""
    completions = plain(completions)
    if not isinstance(completions, (list, tuple)):
        raise InputError(f"reward: completions must be a list, not {type(completions).__name__}; {CALLS}")
    count = len(completions)
    references = _references(named, columns, count)
    questions = _questions(named, columns.question, count) or [""] * count
    responses, problems = _responses(completions)
    if columns.data_source or not PLACED.isdisjoint(named):
        placed = _placed(named, columns, count)
        samples = list(map(Sample, responses, references, questions, *placed))
    else:
        samples = list(map(Sample, responses, references, questions))
    return Call(samples, problems, takes_none=takes_none)


def _placed(named: Mapping[str, Any], columns: Columns, count: int) -> tuple[list[str], list[dict[str, Any]]]:
    """The data source and the meta of each row."""
    own = columns.data_source
    sources = _cells(named, own or "data_source", count, needed=bool(own))
    extras = _cells(named, "extra_info", count)
    return list(map(text_of, sources)) or [""] * count, list(map(meta_of, extras)) or [
        {} for _ in range(count)
    ]


def _responses(completions: Sequence[Any]) -> tuple[list[str], dict[int, str]]:
    """The texts, and by index why one could not be read: one bad row must not end a run."""
    problems: dict[int, str] = {}
    if (texts := last_texts(completions, "assistant")) is not None:
        return texts, problems
    try:
        return list(map(response_of, completions)), problems
    except SampleError:
        responses = []
        for i, completion in enumerate(completions):
            try:
                responses.append(response_of(completion))
            except SampleError as error:
                responses.append("")
                problems[i] = f"{type(error).__name__}: {error}"
        return responses, problems


def one_row(completion: Any, named: Mapping[str, Any], columns: Columns) -> Call:
    """One row: each field a cell."""
    call = rows([completion], {name: [cell] for name, cell in named.items()}, columns)
    return Call(call.samples, call.problems, single=True, takes_none=False)


def _references(named: Mapping[str, Any], columns: Columns, count: int) -> list[Any]:
    """The reference of each row, as samples take it."""
    found = first_of(columns.references, named)
    if found:
        cells = list(map(references_of, _cells(named, found, count)))
    elif not columns.reference and "reward_model" in named:
        cells = [references_of(_truth(cell)) for cell in _cells(named, "reward_model", count)]
    else:
        there = ", ".join(sorted(name for name in named if not callable(named[name]))) or "none"
        wanted = (
            f"column {columns.reference!r}"
            if columns.reference
            else f"column with the reference ({', '.join(REFERENCES)})"
        )
        raise InputError(
            f"reward: no {wanted} in this call; columns: {there}. Name it with reference_column="
        )
    return [cell[0] if len(cell) == 1 else cell for cell in cells]


def _truth(cell: Any) -> Any:
    return cell.get("ground_truth") if isinstance(cell, Mapping) else None


def _questions(named: Mapping[str, Any], own: str, count: int) -> list[str]:
    found = own or first_of(QUESTIONS, named)
    if not own and found and not _filled(named[found]):
        found = first_of(QUESTIONS, {name: cells for name, cells in named.items() if _filled(cells)})
    if not found:
        return []
    cells = _cells(named, found, count, bool(own))
    texts = last_texts(cells, "user")
    return list(map(asked_in, cells)) if texts is None else texts


def _filled(column: Any) -> bool:
    return hasattr(column, "__len__") and len(column) > 0 and column[0] is not None


def _cells(named: Mapping[str, Any], name: str, count: int, needed: bool = False) -> list[Any]:
    """A column as a list; empty if it is not there and need not be. Raises InputError for another length."""
    column = named.get(name)
    if type(column) is list and len(column) == count:  # the usual column
        return column
    if column is None and not needed:
        return []
    column = plain(column)
    if not isinstance(column, (list, tuple)):
        raise InputError(
            f"reward: column {name!r} must be a list with a cell for each completion, "
            f"not {'absent' if column is None else type(column).__name__}; {CALLS}"
        )
    if len(column) != count:
        raise InputError(f"reward: column {name!r} has {len(column)} cells for {count} completions")
    return column if type(column) is list else list(column)


def _by_name(arguments: Sequence[Any]) -> dict[str, Any]:
    """Names for arguments by position."""
    if len(arguments) == len(AREAL) and isinstance(arguments[1], str):
        return dict(zip(AREAL, arguments, strict=True))
    names = {1: ("completions",), 2: ("prompts", "completions")}.get(len(arguments))
    if names is None or isinstance(arguments[-1], str):
        raise InputError(f"reward: {len(arguments)} argument(s) by position; {CALLS}")
    return dict(zip(names, arguments, strict=True))


def _of_samples(given: Any, columns: Columns) -> Call | None:
    """slime's call: objects with a prompt, a response and a label."""
    samples = given if isinstance(given, list) else [given]
    if not samples or not all(hasattr(sample, "response") and hasattr(sample, "label") for sample in samples):
        return None
    metadata = [getattr(sample, "metadata", None) or {} for sample in samples]
    named: dict[str, Any] = {
        "reference": [sample.label for sample in samples],
        "prompts": [getattr(sample, "prompt", "") for sample in samples],
        "extra_info": metadata,
        "data_source": [row.get("data_source", "") for row in metadata],
    }
    own = Columns()  # a sample has no columns that could be named
    call = rows([sample.response for sample in samples], named, own, takes_none=False)
    return call if isinstance(given, list) else Call(call.samples, call.problems, True, False)
