"""General-Verifier: a 1.5B model that completes a raw string, no chat template: a short reason, then
`Final Decision: Yes` or `No`. Headings as published, sentences our own."""

from __future__ import annotations

from itertools import takewhile

from hybridverify.judges.base import Sampling
from hybridverify.judges.parse import Menu, Reading
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import Template

MENU = Menu(correct=("Yes",), incorrect=("No",))
HEADING = "Final Decision:"

_PROMPT = """User: ### Question: {question}

### Ground Truth Answer: {reference}

### Student Answer: {answer}

Say whether the student's answer to the question above means the same as the ground truth answer. Only compare \
the two; working out a solution of your own is not wanted. Close with "Final Decision: Yes" for an answer that \
is right and with "Final Decision: No" for one that is wrong. Assistant:"""

_NEXT_TURN = "User:"


def read_decision(text: str) -> Reading:
    """The last `Final Decision:` of the first turn. A raw completion may go on and invent another user."""
    turn = takewhile(lambda line: not line.lstrip().startswith(_NEXT_TURN), text.split("\n"))
    return MENU.after("\n".join(turn), HEADING, last=True)


GENERAL_VERIFIER = Preset(
    name="general_verifier",
    version=1,
    parser_version=1,
    summary="General-Verifier 1.5B: raw completion, short reason, then 'Final Decision: Yes' or 'No'",
    form="raw",
    template=Template.parse(_PROMPT),
    read=read_decision,
    sampling=Sampling(max_tokens=2048),
    marks=(
        "### Question:",
        "### Ground Truth Answer:",
        "### Student Answer:",
        HEADING,
        "User:",
        "Assistant:",
    ),
    menu=MENU,
    heading=HEADING,
    samples={
        "correct": "Both are the same number. Final Decision: Yes",
        "incorrect": "The numbers differ. Final Decision: No",
    },
)
