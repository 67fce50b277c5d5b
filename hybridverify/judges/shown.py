"""The values of a sample that go into the slots of a template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hybridverify.judges.base import Subject
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import CRITIQUE
from hybridverify.types import Outcome, Sample, Verdict


def values_of(preset: Preset, subject: Subject) -> dict[str, str] | Verdict:
    """A value for each slot of the preset, or the verdict on a row that lacks one."""
    values = {name: _VALUES[name](preset, subject) for name in preset.fields}
    if values.get("reference") == "":
        return Verdict(Outcome.BAD_REFERENCE, reason="there is no reference to show to the judge")
    if values.get("criteria") == "":
        return Verdict(Outcome.FAILED, reason="the row has no criteria: meta['criteria'] is missing or empty")
    return values


def reference_text(references: tuple[str, ...]) -> str:
    """One text for all references.

    >>> reference_text(("Paris",))
    'Paris'
    >>> print(reference_text(("Paris", "City of Paris")))
    Any one of these is right:
    - Paris
    - City of Paris
    """
    if len(references) == 1:
        return references[0].strip()
    distinct = [text for text in dict.fromkeys(text.strip() for text in references) if text]
    if len(distinct) < 2:
        return "".join(distinct)
    return "\n".join(["Any one of these is right:", *(f"- {text}" for text in distinct)])


def _answer(preset: Preset, subject: Subject) -> str:
    if preset.answer_from == "last_step":
        lines = (subject.reply or subject.sample.response).rstrip().splitlines()
        return lines[-1].strip() if lines else ""
    return subject.answer.strip()


def row_text(meta: Mapping[str, Any], key: str) -> str:
    """`meta[key]`, else `meta["extra_info"][key]`, as text; a list becomes one item a line."""
    value = meta.get(key)
    if value is None or (isinstance(value, str) and not value.strip()):
        nested = meta.get("extra_info")
        value = nested.get(key) if isinstance(nested, Mapping) else None
    value = getattr(value, "tolist", lambda: value)()  # NumPy, as Parquet readers give lists
    if isinstance(value, (list, tuple)):
        return "\n".join(f"- {item}" for item in value)
    return "" if value is None else str(value).strip()


def _prompt(sample: Sample) -> str:
    return row_text(sample.meta, "rm_prompt") or _built_prompt(sample)


def _built_prompt(sample: Sample) -> str:
    """The text for `{rm_prompt}` if the row has none."""
    reference = reference_text(sample.references)
    question = f"Question:\n{sample.question}\n\n" if sample.question else ""
    return f"{question}Reference answer:\n{reference}" if reference else question.rstrip()


_VALUES: Mapping[str, Callable[[Preset, Subject], str]] = {
    "question": lambda _, subject: subject.sample.question.strip(),
    "reference": lambda _, subject: reference_text(subject.sample.references),
    "response": lambda _, subject: (subject.reply or subject.sample.response).strip(),
    "answer": lambda preset, subject: _answer(preset, subject),
    "criteria": lambda _, subject: row_text(subject.sample.meta, "criteria"),
    "rm_prompt": lambda _, subject: _prompt(subject.sample),
    CRITIQUE: lambda _, subject: "",  # not built yet
}
"""How each slot is filled. Only the slots of the template are built."""
