"""Whether a response is right, by the task's own construction: an exact value, or a closed set of names.

It is the measure of a reward, so it asks nothing of the library. It never raises, and reads a bounded text.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction

from training.final import final_answer, unit_beside
from training.measures import UNITS, words
from training.quantities import BEFORE, MAX_CHARACTERS, Quantity, among, plain, quantity

RIGHT = "right"
WRONG = (
    "no answer",
    "too long",
    "another value",
    "no unit",
    "another unit",
    "other words",
    "hedged",
    "several answers",
    "another name",
    "unread",
)
"""Why a response is not right."""


@dataclass(frozen=True)
class Truth:
    """A number (`value` in the measure of `kind`, give or take `within`), or names (`forms`).

    `bare` is the size of the unit that a number without one is in; 0 where the question asks for the unit.
    """

    question: str
    reference: str
    value: Fraction = Fraction(0)
    kind: str = ""
    bare: Fraction = Fraction(1)
    within: Fraction = Fraction(0)
    forms: tuple[str, ...] = ()

    def dumps(self) -> str:
        return json.dumps(asdict(self), default=str, ensure_ascii=False)

    @classmethod
    def loads(cls, text: str) -> Truth:
        data = json.loads(text)
        numbers = {name: Fraction(data[name]) for name in ("value", "bare", "within")}
        return cls(**{**data, **numbers, "forms": tuple(data["forms"])})


def true(truth: Truth, response: str) -> bool:
    """Whether the response's final answer is right.

    >>> true(Truth("How many?", "24", Fraction(24)), r"So \\boxed{\\text{twenty-four}}.")
    True
    """
    return verdict(truth, response) == RIGHT


def verdict(truth: Truth, response: str) -> str:
    """`right`, or one of WRONG."""
    answer = final_answer(response)
    if not answer:
        return "no answer"
    if len(answer) > MAX_CHARACTERS:
        return "too long"
    if truth.forms:
        return _name(truth, answer)
    found = _number(truth, answer)
    if found == "no unit" and (unit := unit_beside(response)):
        return _number(truth, f"{answer} {unit}")
    return found


_HEDGE = re.compile(
    r"\b(?:not|never|no|neither|nor|nearly|almost|maybe|perhaps|either|least|most)\b|n't\b"
    r"|\b(?:more|less|fewer|greater|over|under) than\s+[\\$\d.]|\?",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"\\approx|≈|\\simeq|\\sim\b")
_ASIDE = re.compile(
    r"\(?(?:\brounded\s+)?\bto the nearest tens?\b\)?"
    r"|(?<=[a-z])\s*(?:/\s*|\b(?:in an?|per|an?|each|every)\s+)(?:day|week)\b|(\d\s?h(?:ours?|rs?)?\s?\d+\s?)m\b",
    re.IGNORECASE,
)
"""Said beside a quantity: `to the nearest ten`, `24 hours a week`; and minutes that look like meters, `1h 30m`."""
_OR = re.compile(r"\bor\b|[();]|\bi\.?e\.|\baka\b|\balso known as\b", re.IGNORECASE)


def _number(truth: Truth, answer: str) -> str:
    answer = _ASIDE.sub(
        lambda m: f"{m[1]}min" if m[1] else " ", _uncounted(truth, plain(_ABOUT.split(answer)[-1]))
    )
    if _HEDGE.search(answer):
        return "hedged"
    asked = frozenset(re.findall(r"[a-z]+", truth.question.casefold()))
    sides = answer.split("=")
    before = [said for side in sides[:-1] if (said := quantity(side, asked)) is not None and not said.strange]
    found = [*(_compare(truth, said) for said in before), *_read(truth, sides[-1], asked)]
    if not found:
        return "unread"
    wrong = [verdict for verdict in found if verdict != RIGHT]
    if not wrong:
        return RIGHT
    return wrong[0] if len(found) == len(wrong) else "several answers"


_COUNTED = re.compile(r"how many ([a-z]+)", re.IGNORECASE)


def _uncounted(truth: Truth, answer: str) -> str:
    """Without the noun that is counted where it is a unit too: `7 days` are in a week."""
    counted = _COUNTED.search(truth.question)
    if truth.kind or not counted or counted[1].casefold() not in UNITS:
        return answer
    return re.sub(rf"\b{counted[1]}\b", " ", answer, flags=re.IGNORECASE)


def _read(truth: Truth, text: str, asked: frozenset[str]) -> Iterator[str]:
    """The verdict of each alternative: `2 hours (120 minutes)`, `24 or 25`. Mere words of the question say nothing."""
    for part in _OR.split(text):
        said = quantity(part, asked)
        if said is not None:
            yield _compare(truth, said)
        elif any(
            not among(word, asked) and word not in BEFORE
            for word in re.findall(r"\w+|[^\w\s]", part.casefold())
        ):
            yield "unread"


def _compare(truth: Truth, said: Quantity) -> str:
    value, share = said.value, truth.kind == "share"
    if said.strange:
        return "other words"
    if said.kind and said.kind != truth.kind and not (share and said.kind == "percent"):
        return "another unit"
    if said.bare:
        if not truth.bare:
            return "no unit"
        if share and value == 100 * truth.value:
            return "no unit"  # 75 for 75 %
        value *= truth.bare
    return RIGHT if abs(value - truth.value) <= truth.within else "another value"


_SEVERAL = re.compile(r"[,;:/()=]|\bor\b|\band\b|\baka\b|[–—]", re.IGNORECASE)
_DRESS = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|ce|boxed|operatorname)\s*\{|[{}$_^*`\"]"
)
_AROUND = BEFORE | frozenset(
    words(
        "an and animal as by called capital city country currency element formerly i its itself known language means "
        "name named officially one our planet symbol think you"
    )
)
"""Words around a name that name nothing else."""


def _name(truth: Truth, answer: str) -> str:
    """Every alternative that is named has to be an accepted form; words of the question may stand beside it."""
    forms = {tuple(_words(form)) for form in truth.forms}
    if "?" in answer:
        return "hedged"
    if tuple(_words(answer)) in forms:
        return RIGHT
    around = _AROUND | frozenset(_words(truth.question))
    named = strange = False
    for part in _SEVERAL.split(answer):
        said = _words(part)
        at = 0
        while at < len(said):
            length = next((n for n in range(6, 0, -1) if tuple(said[at : at + n]) in forms), 0)
            named |= length > 0
            strange |= length == 0 and said[at] not in around
            at += length or 1
    if not named:
        return "another name"
    return "several answers" if strange else RIGHT


def _words(text: str) -> list[str]:
    """Folded words without accents, points and LaTeX.

    >>> _words("The U.S.A., \\\\text{Türkiye} H_2O")
    ['the', 'usa', 'turkiye', 'h2o']
    """
    text = _DRESS.sub("", text.replace("\\ ", " ").replace("~", " "))
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    return re.findall(r"\w+", re.sub(r"[.'’]", "", text))
