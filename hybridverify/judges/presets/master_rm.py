"""Master-RM: sees only the last non-empty line of the response, and says YES or NO. Headings as published,
sentences our own."""

from __future__ import annotations

from hybridverify.judges.base import Sampling
from hybridverify.judges.parse import Menu, Reading
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import Template

MENU = Menu(correct=("YES",), incorrect=("NO",))
HEADING = "Output:"

_PROMPT = """Check the end of a solution against a reference answer. You see the last step only, which may be \
incomplete. The reference may be a letter, a number, an expression, a list, or text in another language. Write YES \
if the last step arrives at what the reference says. In every other case, and whenever it is not clear, write NO.

---

**Question:**
{question}

**Solution Process (Final Step Only):**
{answer}

**Reference Answer:**
{reference}

**Output:**
"""


def read_yes_no(text: str) -> Reading:
    """The reply is the word, perhaps with the prompt's last heading repeated before it."""
    return MENU.whole(text[len(HEADING) :] if text.casefold().startswith(HEADING.casefold()) else text)


MASTER_RM = Preset(
    name="master_rm",
    version=1,
    parser_version=1,
    summary="Master-RM: last line of the response; YES or NO",
    form="chat",
    template=Template.parse(_PROMPT),
    read=read_yes_no,
    sampling=Sampling(max_tokens=4),
    marks=(
        "**Question:**",
        "**Solution Process (Final Step Only):**",
        "**Reference Answer:**",
        "**Output:**",
        HEADING,
    ),
    answer_from="last_step",
    menu=MENU,
    samples={"correct": "YES", "incorrect": "NO"},
)
