"""Rubric reward model (RRM): judges the whole response by criteria that come with the row, without a reference,
and ends in a total of 0 to 10. Headings as published, sentences our own."""

from __future__ import annotations

from hybridverify.judges.base import Sampling
from hybridverify.judges.parse import Reading
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.scores import read_total
from hybridverify.judges.template import Template

HEADING = "Total Score"
SCALE = 10.0

_PROMPT = """Grade a student's answer by the criteria below. Go through the criteria one after the other, note for \
each what the answer does and how many points that is worth, and take no account of how sure of itself or how long \
the answer is. A right result that the steps do not lead to earns no points for those steps.

Question:
{question}

Scoring Criteria:
{criteria}

Student's Answer:
{response}

When all criteria are done, add the points up on a scale from 0 to 10 and write the sum on a last line of this form:
Total Score: N/10"""


def read_rubric(text: str) -> Reading:
    """The number on the last Total Score line, out of 10 or of the scale that it names."""
    return read_total(text, HEADING, SCALE)


RUBRIC = Preset(
    name="rubric",
    version=1,
    parser_version=2,
    summary="Rubric reward model: criteria of the row, no reference, 'Total Score: N/10'",
    form="chat",
    template=Template.parse(_PROMPT),
    read=read_rubric,
    sampling=Sampling(max_tokens=2048),
    context_tokens=15_000,
    marks=("Scoring Criteria:", "Student's Answer:", HEADING),
    says="score",
    samples={
        "correct": "All criteria are met.\nTotal Score: 10/10",
        "incorrect": "No criterion is met.\nTotal Score: 0/10",
    },
)
