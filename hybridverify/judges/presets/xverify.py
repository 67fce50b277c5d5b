"""xVerify: judges the whole response with one word, Correct or Incorrect.

The licence of the published prompt does not allow shipping it, nor a changed copy. The sentences here are our own;
only the names and the order of the fields are taken over. Load your own copy with `template_file`.
"""

from __future__ import annotations

from hybridverify.judges.base import Sampling
from hybridverify.judges.parse import Menu, Reading
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import Template

MENU = Menu(correct=("Correct",), incorrect=("Incorrect",))
HEADINGS = ("Judgement:", "Judgment:")

_PROMPT = '''A model was asked a question and put out a text. Settle whether the answer in that text agrees with the \
known right answer. Say one word: Correct or Incorrect.

What counts:
- If the text names more than one answer, the one it names last.
- If no clear answer can be found in the text, say Incorrect.
- Mathematical answers agree when they are equal, in whatever way they are written.
- With options to choose from, either the code of an option or what that option says is enough.
- Any other answer has to say what the right answer says.

Question: """{question}"""

Output sentence: """{response}"""

Correct answer: {reference}

Judgement:'''


def read_word(text: str) -> Reading:
    """The reply is the word, perhaps with the prompt's last heading repeated before it."""
    for heading in HEADINGS:
        if text.casefold().startswith(heading.casefold()):
            text = text[len(heading) :]
    return MENU.whole(text)


XVERIFY = Preset(
    name="xverify",
    version=1,
    parser_version=1,
    summary="xVerify: whole response; one word, Correct or Incorrect",
    form="chat",
    template=Template.parse(_PROMPT),
    read=read_word,
    sampling=Sampling(max_tokens=2048),
    marks=('"""', "Output sentence:", "Correct answer:", *HEADINGS),
    menu=MENU,
    samples={"correct": "Correct", "incorrect": "Incorrect"},
)
