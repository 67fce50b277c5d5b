"""Files that other programs leave: which keys tell one, and where it keeps response, reference and question.

Read from what they write: verl's rollout and validation dumps (0.5 to 0.9), lm-eval's samples (0.4), lighteval's
details (0.8 to 0.13, and before), EvalScope's reviews and predictions (0.x and 1.x), NeMo-Skills' outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybridverify.errors import InputError
from hybridverify.records.cells import MISSING, value_at, walk
from hybridverify.records.rows import Row


def _nothing_wrong(head: Sequence[Row]) -> str:
    return ""


@dataclass(frozen=True)
class Dump:
    """One kind of file. Of several paths, the first that is present is taken; "" is none.

    `pick` is the path of a position, or of several, in the list of references. Rows that differ in `apart` are of
    different prompts, whatever else they share.
    """

    name: str
    keys: tuple[str, ...]
    response: tuple[str, ...]
    reference: tuple[str, ...]
    question: tuple[str, ...] = ()
    data_source: tuple[str, ...] = ()
    pick: str = ""
    apart: tuple[str, ...] = ()
    fault: Callable[[Sequence[Row]], str] = _nothing_wrong
    """What makes rows of this kind impossible to grade; "" if nothing does."""

    def columns(self, head: Sequence[Row]) -> dict[str, str]:
        """The path of each role in these rows."""
        roles = ("response", "reference", "question", "data_source")
        return {role: _first(getattr(self, role), head) for role in roles}


def known_dump(head: Sequence[Row], file: str) -> Dump | None:
    """The kind of dump that these rows are of. Raises InputError if it holds nothing to grade."""
    for dump in DUMPS:
        if all(is_present(key, head) for key in dump.keys):
            if fault := dump.fault(head):
                raise InputError(f"{file}: {dump.name}: {fault}")
            return dump
    return None


def is_present(path: str, head: Sequence[Row]) -> bool:
    """Whether one of the rows has this path, be it null."""
    return any(walk(row, path) is not MISSING for row in head)


def picked(options: Any, chosen: Any) -> Any:
    """The options at one position or several; what points nowhere gives none.

    >>> picked(["A", "B", "C"], 1), picked(["A", "B", "C"], [0, 2, 9])
    (['B'], ['A', 'C'])
    """
    positions = chosen if isinstance(chosen, (list, tuple)) else [chosen]
    if not isinstance(options, (list, tuple)):
        return options
    whole = [at for at in positions if isinstance(at, int) and not isinstance(at, bool)]
    return [options[at] for at in whole if 0 <= at < len(options)]


def _first(paths: Sequence[str], head: Sequence[Row]) -> str:
    return next((path for path in paths if is_present(path, head)), "")


def _likelihoods(head: Sequence[Row]) -> str:
    """lm-eval keeps (log-likelihood, greedy) pairs for tasks where nothing is generated."""
    if all(isinstance(value_at(row, "resps.0.0"), (list, tuple)) for row in head):
        return "log-likelihoods of given options; this task generated no answer that could be graded"
    return ""


def _scored_only(head: Sequence[Row]) -> str:
    if all(not value_at(row, "model_response.text") for row in head):
        return "no generated text (log-likelihoods of given options); there is nothing to grade"
    return ""


def _without_reference(head: Sequence[Row]) -> str:
    if any(isinstance(value_at(row, "target"), (str, list)) for row in head):
        return ""
    return "predictions hold no reference; give the file of the same name in the folder reviews"


_TASK_QUESTIONS = ("question", "Question", "problem", "query", "prompt", "instruction")

DUMPS = (
    Dump(
        "verl's dump of generations",
        ("input", "output", "gts"),
        ("output",),
        ("gts",),
        ("input",),
        ("data_source",),
    ),
    Dump(
        "samples of lm-eval",
        ("doc_id", "doc", "target", "resps", "filtered_resps"),
        ("resps.0",),
        ("target",),
        (*(f"doc.{name}" for name in _TASK_QUESTIONS), "arguments.gen_args_0.arg_0", "arguments.0.0"),
        ("task_name",),
        apart=("filter",),
        fault=_likelihoods,
    ),
    Dump(
        "details of lighteval",
        ("doc.query", "doc.choices", "doc.gold_index", "model_response.text"),
        ("model_response.text",),
        ("doc.choices",),
        ("doc.query",),
        ("doc.task_name",),
        pick="doc.gold_index",
        fault=_scored_only,
    ),
    Dump(
        "details of lighteval",
        ("example", "full_prompt", "predictions", "gold"),
        ("predictions",),
        ("gold",),
        ("example",),
    ),
    Dump(
        "reviews of EvalScope",
        ("index", "target", "sample_score.score.prediction"),
        ("sample_score.score.prediction",),
        ("target",),
        ("input", "messages"),
    ),
    Dump(
        "predictions of EvalScope",
        ("index", "model_output.choices", "messages"),
        ("model_output.choices.0.message.content",),
        ("target",),
        ("messages",),
        fault=_without_reference,
    ),
    Dump(
        "reviews of EvalScope",
        ("choices.0.review.gold", "choices.0.message.content"),
        ("choices.0.message.content",),
        ("choices.0.review.gold",),
        ("raw_input.question", "raw_input.problem", "raw_input.query"),
    ),
    Dump(
        "outputs of NeMo-Skills",
        ("generation", "expected_answer"),
        ("generation",),
        ("expected_answer",),
        ("problem", "question"),
    ),
)
"""In the order in which they are tried: each by keys that no other kind of file has together."""


def told(dump: Dump, columns: Mapping[str, str]) -> str:
    """One line for a log: the kind, and which column was taken for what."""
    taken = ", ".join(f"{role} from {path}" for role, path in columns.items() if path)
    return f"{dump.name}: {taken}"
