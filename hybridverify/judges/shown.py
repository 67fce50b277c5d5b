"""What a judge is shown of a sample: the values that go into a template's slots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hybridverify.judges.base import Subject
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import CRITIQUE
from hybridverify.types import Outcome, Sample, Verdict


def values_of(preset: Preset, subject: Subject) -> dict[str, str] | Verdict:
    """A value for each slot of the preset, or the verdict of a row that lacks one."""
    wanted = preset.fields
    sample = subject.sample
    values = {
        "question": sample.question.strip(),
        "reference": reference_text(sample.references),
        "response": (subject.reply or sample.response).strip(),
        "answer": _answer(preset, subject),
        "criteria": row_text(sample.meta, "criteria"),
        CRITIQUE: "",  # not written yet
    }
    if "reference" in wanted and not values["reference"]:
        return Verdict(Outcome.BAD_REFERENCE, reason="there is no reference to show to the judge")
    if "criteria" in wanted and not values["criteria"]:
        return Verdict(Outcome.FAILED, reason="the row has no criteria: meta['criteria'] is missing or empty")
    values["rm_prompt"] = row_text(sample.meta, "rm_prompt") or _built_prompt(sample)
    return {name: values[name] for name in wanted}


def reference_text(references: tuple[str, ...]) -> str:
    """One text for all references.

    >>> reference_text(("Paris",))
    'Paris'
    >>> print(reference_text(("Paris", "City of Paris")))
    Any one of these is right:
    - Paris
    - City of Paris
    """
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


def _built_prompt(sample: Sample) -> str:
    """What stands for `{rm_prompt}` in a row that brings none."""
    reference = reference_text(sample.references)
    question = f"Question:\n{sample.question}\n\n" if sample.question else ""
    return f"{question}Reference answer:\n{reference}" if reference else question.rstrip()
