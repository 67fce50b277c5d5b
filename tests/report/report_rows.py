"""Rows for reports: of every outcome, disagreeing, hostile."""

from __future__ import annotations

from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict

RIGHT = Verdict(Outcome.CORRECT, 1.0, "rule:exact", "12", "same text")
WRONG = Verdict(Outcome.INCORRECT, 0.0, "rule:exact", "13", "12 and 13 differ")
OPEN = Verdict(Outcome.UNDECIDED, 0.0, "rule:sympy", "x", "no rule can tell")
YES = Verdict(
    Outcome.CORRECT, 1.0, "judge:tinyv", "12", "the judge says True", p_yes=0.97, reply="True, 12 it is"
)
NO = Verdict(Outcome.INCORRECT, 0.0, "judge:tinyv", "12", "the judge says False", p_yes=0.03, reply="False")

BOMB = r"$\def\a#1{#1#1#1#1#1#1#1#1}\a{\a{\a{\a{\a{\a{\a{\a{\a{x}}}}}}}}}$"
HOSTILE = (
    "</script><script>window.pwned = 1</script><img src=http://127.0.0.1:9/x onerror='window.pwned = 2'>"
    "<svg onload='window.pwned = 3'></svg> <!-- <script> \u2028 \u202e reversed \u202c nul \x00"
    " half \ud800 zero\u200bwidth\n"
    r"$\href{javascript:window.pwned=4}{click}$ $\includegraphics{http://127.0.0.1:9/y}$ $\htmlClass{top}{z}$ "
    + BOMB
    + " $" + "{" * 700 + "x" + "}" * 700 + "$ $"
    + r"\rule{90000em}{90000em}$ $\text{<img src=x onerror=alert(1)>}$ "
    + "$" * 3000
    + " $5 and $6 is 11"
)  # fmt: skip


def pairs(count: int = 60) -> list[tuple[Sample, Grade]]:
    """Rows in turn: right, wrong, open, the judge against the rule, and one that nobody could grade."""
    return [(sample(number), grade(number)) for number in range(1, count + 1)]


def sample(number: int) -> Sample:
    source = "sums" if number % 2 else "proofs"
    response = f"We get $x^2 = {number}$, word{number}. " + "long " * (number % 3 * 250) + r"So \boxed{12}."
    return Sample(response, "12", f"Question {number} about a garden?", source)


def grade(number: int) -> Grade:
    kind = number % 5
    if kind == 0:
        return Grade(1.0, True, Outcome.CORRECT, WRONG, YES, (YES,), "judge_only", "f", True)
    if kind == 1:
        return Grade(1.0, True, Outcome.CORRECT, RIGHT, SKIPPED, (), "addon", "f")
    if kind == 2:
        return Grade(0.0, True, Outcome.INCORRECT, WRONG, SKIPPED, (), "addon", "f")
    if kind == 3:
        return Grade(0.0, True, Outcome.INCORRECT, OPEN, NO, (NO,), "addon", "f", True)
    failed = Verdict(Outcome.FAILED, 0.0, "judge:tinyv", "", "the server is gone")
    return Grade(0.0, False, Outcome.FAILED, OPEN, failed, (failed,), "addon", "f", True)


def hostile() -> tuple[Sample, Grade]:
    """One row whose every text attacks the page."""
    rule = Verdict(Outcome.UNDECIDED, 0.0, HOSTILE[:200], HOSTILE[:200], HOSTILE)
    judge = Verdict(Outcome.CORRECT, 1.0, f"judge:{HOSTILE[:60]}", HOSTILE[:60], HOSTILE, reply=HOSTILE)
    graded = Grade(1.0, True, Outcome.CORRECT, rule, judge, (judge,), "addon", HOSTILE, True)
    return Sample(HOSTILE, (HOSTILE, "7"), HOSTILE, HOSTILE), graded
