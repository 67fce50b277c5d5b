"""GSM8K's number as verl takes it: strict after `####`, flexible the last run of digits. It compares texts."""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.rules.graders.told import Told

_TAIL = 300
"""verl looks at no more, since 0.5."""
_MARK = "#### "
_RUN = re.compile(r"-?[0-9.,]+")
NO_NUMBER = "no number where this grader looks"


def strict(response: str, reference: str) -> Told:
    """What stands directly after the last `#### `, without commas.

    >>> strict("so #### 1,200", "1200").equal, strict("so #### 1200.", "1200").equal, strict("1200", "1200").equal
    (True, False, False)
    """
    marked = reversed(response[-_TAIL:].split(_MARK)[1:])
    found = next(filter(None, map(_RUN.match, marked)), None)
    return _same(found[0].replace(",", ""), reference) if found else Told(False, "", NO_NUMBER)


def flexible(response: str, reference: str) -> Told:
    """The last run of digits, commas and points that is more than a point; commas stay.

    >>> [flexible(text, "13").equal for text in ("12 eggs. Or 13", "12 eggs. Or 13.", "It is 13 .")]
    [True, False, True]
    """
    found = [run for run in _RUN.findall(response[-_TAIL:]) if run != "."]
    return _same(found[-1], reference) if found else Told(False, "", NO_NUMBER)


def _same(answer: str, reference: str) -> Told:
    return Told(answer == reference, answer, "same text" if answer == reference else "another text")
