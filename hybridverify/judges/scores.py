"""Numbers in judges' replies: a rubric's total and bracketed ratings.

A score is the whole number on the reply's score line, divided by the scale that stands beside it, else by the usual
one. NaN, infinities, ranges, exponents and scores above their scale are `unparseable`, and nothing is guessed.
"""

from __future__ import annotations

from hybridverify.judges.parse import Reading, unparseable, unwrap
from hybridverify.language import expressions as re
from hybridverify.types import Outcome

_NUMBER = re.compile(r"[-−+]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})")
_BEFORE = " \t*_#>|`-–—•0123456789.)("
"""Markup and list numbers that may stand before a heading."""
_RATING = re.compile(r"\[\[\s{0,4}([-−+]?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s{0,4}\]\]")
_LEAD = re.compile(r"(?:[\s:*_|\[\](){}<>`'\"#~≈$=–—]|-(?=\s)|\b(?:is|of)\b)*", re.IGNORECASE)
_SCALE = re.compile(
    r"[\s*_|\])`'\"$}]{0,8}(?:/|(?:out\s{1,4})?of\b)[\s*_\[(`'\"$]{0,8}([0-9]{1,9}(?:\.[0-9]{1,9})?)",
    re.IGNORECASE,
)
# The number goes on, or is part of a range, a percentage or an exponent: "8-9", "8 to 9", "8,5", "80 %", "8e3".
_GOES_ON = re.compile(
    r"(?!points?\b|pts?\b|marks?\b)[^\W_]|[/^]|[.,][0-9]|\s{0,4}%"
    r"|\s{0,4}(?:[-–—−+*×~]|to\b|or\b|and\b)\s{0,4}[0-9]",
    re.IGNORECASE,
)


def read_total(text: str, heading: str, scale: float = 10.0) -> Reading:
    """The number after the last line that begins with `heading`, else after its last mention.

    >>> read_total("Clear steps.\\nTotal Score: 8 out of 10", "Total Score").score
    0.8
    >>> read_total("Total Score: -3/10", "Total Score").reason
    'score -3 of 10 lies below the scale: 0 taken'
    >>> read_total("Total Score: 8/100", "Total Score").score
    0.08
    """
    line = _score_line(text, heading)
    if line is None:
        return unparseable(f"no line {heading!r}")
    return _on_scale(line, scale)


def read_rating(text: str, scale: float) -> Reading:
    """The last rating in double brackets, such as [[2]], divided by the highest one."""
    ratings = _RATING.findall(text)
    return _scaled(ratings[-1], scale) if ratings else unparseable("no rating in double brackets")


def scored(score: float, reason: str = "") -> Reading:
    """The reading of a score in [0, 1]: correct at 1, incorrect at 0, partial between.

    >>> scored(0.25).outcome
    <Outcome.PARTIAL: 'partial'>
    """
    if score <= 0.0:
        return Reading(Outcome.INCORRECT, 0.0, reason)
    return Reading(Outcome.CORRECT, 1.0, reason) if score >= 1.0 else Reading(Outcome.PARTIAL, score, reason)


def _score_line(text: str, heading: str) -> str | None:
    """The text after the heading that counts: the rest of its line or, if that is blank, the next line."""
    pattern = re.compile(r"\s{1,4}".join(map(re.escape, heading.split())), re.IGNORECASE)
    lines = [line for line in text.splitlines() if line.strip()]
    leading, mentioned = "", ""
    found = False
    for index, line in enumerate(lines):
        for match in pattern.finditer(line):
            rest = line[match.end() :]
            if not _LEAD.sub("", rest) and index + 1 < len(lines):
                rest = lines[index + 1]
            found, mentioned = True, rest
            if not line[: match.start()].strip(_BEFORE):
                leading = rest
                break
    return (leading or mentioned) if found else None


def _on_scale(line: str, scale: float) -> Reading:
    body = unwrap(line.rpartition("=")[2])  # "3 + 4 = 7/10": the sum counts
    lead = _LEAD.match(body)
    number = _NUMBER.match(body, lead.end() if lead else 0)
    if number is None:
        return unparseable("no number on the score line")
    given = _SCALE.match(body, number.end())
    if given and not float(given[1]):
        return unparseable("the score is given out of 0")
    if _GOES_ON.match(body, given.end() if given else number.end()):
        return unparseable("no single number on the score line")
    return _scaled(number[0], float(given[1]) if given else scale)


def _scaled(number: str, scale: float) -> Reading:
    value = float(number.replace("−", "-"))
    if value < 0.0:
        return scored(0.0, f"score {value:g} of {scale:g} lies below the scale: 0 taken")
    if value > scale:
        return unparseable(f"score {value:g} of {scale:g} lies above the scale")
    return scored(value / scale, f"score {value:g} of {scale:g}")
