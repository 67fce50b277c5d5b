"""Phrases that say the same, folded to one of them: "the series is divergent" and "diverges", "DNE" and the like.

Only phrases that mean the same in any question: "no limit" is infinity for some and "does not exist" for others.
"""

from __future__ import annotations

from hybridverify.language import expressions as re

_GROUPS = {
    "infinity": "infinitely many|infinite|infinitely many solutions|infinite number|infinite number of solutions"
    "|infinitely many solutions exist|there are infinitely many|there are infinitely many solutions"
    "|has infinitely many solutions|infinite solutions|positive infinity|plus infinity|there are infinite solutions"
    "|there is infinite number of solutions|there are infinite number of solutions|infinitely many values",
    "-infinity": "negative infinity|minus infinity",
    "no solution": "no solutions|no solution exists|no solutions exist|empty set|null set|no such x exists"
    "|no such number exists|no such numbers exist|has no solution|has no solutions|does not have solution"
    "|equation has no solution|equation has no solutions|system has no solution|system has no solutions"
    "|does not have any solution|does not have any solutions|no roots|has no roots|no root"
    "|there does not exist any solution|无解|没有解|方程无解|不等式无解|方程组无解",
    "no real solution": "no real solutions|no real solution exists|no real solutions exist|no real roots|no real root"
    "|has no real solutions|has no real roots|equation has no real solutions|equation has no real roots",
    "does not exist": "不存在|dne"
    "|doesn't exist|limit does not exist|limit doesn't exist|it does not exist|no limit exists"
    "|non-existent|nonexistent|limit dne",
    "diverges": "divergent|it diverges|series diverges|series is divergent|it is divergent|sequence diverges"
    "|integral diverges|sequence is divergent|integral is divergent|is divergent",
    "converges": "convergent|it converges|series converges|series is convergent|it is convergent|sequence converges"
    "|integral converges|sequence is convergent|integral is convergent|is convergent",
    "true": "statement is true|it is true|it's true|claim is true",
    "false": "statement is false|it is false|it's false|claim is false",
}
_SAME = {phrase: name for name, phrases in _GROUPS.items() for phrase in phrases.split("|")}
_KIND = re.compile(
    r"(?:all |every )(even|odd|prime|composite)(?: integers?| numbers?)?(?: [a-z])?"
    r"|[a-z] (?:is |must be |has to be |are )?(even|odd|prime|composite)(?: integer| number)?"
)
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_WEEKDAYS = {name: day for day in _DAYS.split() for name in (day, day[:3])}
_WEEKDAYS |= {"tues": "tuesday", "thur": "thursday", "thurs": "thursday"}


def one_phrase(words: list[str]) -> str:
    """The folded words as the phrase that stands for them.

    >>> one_phrase(["series", "is", "divergent"]), one_phrase(["on", "fri"]), one_phrase(["red"])
    ('diverges', 'friday', 'red')
    """
    if words[-1] in _WEEKDAYS and (len(words) == 1 or words[:-1] == ["on"]):
        return _WEEKDAYS[words[-1]]
    joined = " ".join(words)
    for opening in ("there are no ", "there is no "):
        if joined.startswith(opening):
            joined = joined[len(opening) - 3 :]
    kind = _KIND.fullmatch(joined)
    if kind:
        return kind[1] or kind[2]
    return _SAME.get(joined, joined)
