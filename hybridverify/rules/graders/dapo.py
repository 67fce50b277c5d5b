r"""DAPO's grader (verl's `math_dapo`): the text after the last `Answer:`, in Minerva's spelling.

Since verl 0.9.1 a response without such a line may give its answer in a box, which then has to be the reference to the
letter; `answer_line` is the rule before that.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.rules.graders import boxed
from hybridverify.rules.graders.told import Told

_TAIL, _BOX_TAIL = 300, 100
_ANSWER = re.compile(r"answer\s*:\s*([^\n]+)", re.IGNORECASE)
_REPLACED = (
    ("an ", ""),
    ("a ", ""),
    (".$", "$"),
    ("\\$", ""),
    ("\\ ", ""),
    (" ", ""),
    ("mbox", "text"),
    (",\\text{and}", ","),
    ("\\text{and}", ","),
    ("\\text{m}", "\\text{}"),
)
_UNITS = (
    *(
        "cents",
        "childrentickets",
        "cm",
        "degrees",
        "digits",
        "dollars",
        "edges",
        "feet",
        "gm",
        "hours",
        "inches",
    ),
    *(
        "integers",
        "km",
        "meals",
        "meters",
        "minutes",
        "mph",
        "multiples",
        "points",
        "pounds",
        "square",
        "students",
    ),
    *("sue", "units", "ways", "\\ldots"),
)
_LEFT_OVER = (
    "\\text{s}",
    "\\text{.}",
    "\\text{\ns}",
    "\\text{}^2",
    "\\text{}^3",
    "\\text{\n}",
    "\\text{}",
    "\\mathrm{th}",
    "^\\circ",
    "^{\\circ}",
    "\\;",
    ",\\!",
    "{,}",
    '"',
    "\\dots",
)
_FIRST_FORMULA = re.compile(r".*?\$(.*?)\$.*")
_WRAPPERS = tuple(
    re.compile(rf"\\{name}\{{({content})\}}")
    for name, content in (("text", ".*?"), ("textbf", ".*?"), ("overline", ".*?"), ("boxed", ".*"))
)
_SHORT_FRACTION = re.compile(r"frac([^{])(.)")
_SHORT_ROOT = re.compile(r"sqrt([^{])")


def dapo(response: str, reference: str) -> Told:
    r"""The `Answer:` line, else the last box within the last hundred characters.

    >>> dapo("Answer: 42 dollars", "42").equal, dapo(r"so \boxed{42}", "42").equal, dapo("so 42", "42").equal
    (True, True, False)
    """
    told = answer_line(response, reference)
    if told.answer:
        return told
    tail = response[-_BOX_TAIL:]
    start = tail.rfind("\\boxed{")
    box = boxed.content(boxed.braced(tail, start)) if start >= 0 else None
    if box is None:
        return told
    return Told(box == reference, box, "same box" if box == reference else "another box")


def answer_line(response: str, reference: str) -> Told:
    """The `Answer:` line alone.

    >>> answer_line("ANSWER : x = 1,000", "1000").equal, answer_line("so 42", "42").equal
    (True, False)
    """
    found = _ANSWER.findall(response[-_TAIL:])
    if not found:
        return Told(False, "", "no line with 'Answer:'")
    same = _spelled(found[-1]) == _spelled(reference)
    return Told(same, found[-1], "same spelling" if same else "another spelling")


def _spelled(text: str) -> str:
    text = text.rpartition("=")[2]
    for old, new in _REPLACED:
        text = text.replace(old, new)
    for gone in (*_UNITS, *_LEFT_OVER):
        text = text.replace(gone, "")
    text = _FIRST_FORMULA.sub(r"$\1$", text)
    for wrapper in _WRAPPERS:
        text = wrapper.sub(r"\1", text)
    text = _SHORT_FRACTION.sub(r"frac{\1}{\2}", text)
    text = _SHORT_ROOT.sub(r"sqrt{\1}", text).replace("$", "")
    plain = text.replace(",", "")
    return (plain if plain.isdigit() else text).strip()
