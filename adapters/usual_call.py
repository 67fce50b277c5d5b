"""The call that trainers make nearly always: lists of texts or of plain chats, with a reference for each.

It is read by few steps, since each of them is felt where a call holds some dozen rows. call_forms.py reads every call.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hybridverify.adapters.columns import PLACED, QUESTIONS, Columns, first_of

from hybridverify.sample import samples_of_columns
from hybridverify.types import Sample


def usual_samples(named: Mapping[str, Any], own: Columns) -> list[Sample] | None:
    """The rows of a call by these arguments; None if it is another call, or one at fault."""
    found = _names_in(own, *named)
    if found is None:
        return None
    reference, question = found
    completions, references, prompts = named["completions"], named[reference], named[question]
    if not type(completions) is type(references) is type(prompts) is list or not completions:
        return None
    if not len(completions) == len(references) == len(prompts):
        return None
    try:
        return samples_of_columns(completions, references, prompts)
    except (TypeError, KeyError, IndexError, ValueError):  # objects, no turn at all, or an array for a role
        return None


@lru_cache(maxsize=64)
def _names_in(own: Columns, *names: str) -> tuple[str, str] | None:
    """The columns of references and questions among these; None if there is more to read, or less.
    A trainer has the same columns in every call, so they are looked for once."""
    reference, question = first_of(own.references, names), own.question or first_of(QUESTIONS, names)
    if own.data_source or not PLACED.isdisjoint(names):
        return None
    if not reference or question not in names or "completions" not in names:
        return None
    return reference, question
