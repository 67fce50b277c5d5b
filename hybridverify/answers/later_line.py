r"""Whether the last line after an answer is another one of its kind: "Final: Oslo" after Lima, "15 kg" after "12 kg".

Separate from later_values.py, which reads sentences, because here the line says nothing but the value: with the label
of a result it may be a name, alone it has to be the same quantity.
"""

from __future__ import annotations

from hybridverify.answers.beside_mark import are_names, measured
from hybridverify.answers.closing_line import labelled
from hybridverify.answers.conflict import differ, says
from hybridverify.conventions import DEFAULT
from hybridverify.language.patterns import COMMAND, LONG_WORD
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import compare, numerals
from hybridverify.maths.values.kinds import Clock, Date, Quantity, Scalar, Tuple

_MAX_LINE = 60
"""A longer line is no mere value."""


def gives_another(answer: str, line: str, text: str) -> bool:
    """Whether `line`, the last one of `text` after the answer, is another answer of its kind.

    >>> gives_another("Lima", "Final: Oslo", "Final: Oslo"), gives_another("Lima", "Country: Peru", "Country: Peru")
    (True, False)
    >>> gives_another("12 kg", "15 kg", "15 kg"), gives_another("12 kg", "3 m", "3 m")
    (True, False)
    """
    if max(len(answer), len(line)) > _MAX_LINE:
        return False
    told = labelled(line)
    said = told or line
    if not _may_be_like(answer, said) or says(answer, text):
        return False
    if told and are_names(answer, told):
        return differ(answer, told)
    above = text.rstrip().rpartition("\n")[0].rstrip()
    if not told and above.endswith((":", "：")):
        return False  # of what the line above names
    other = unwrap(said)
    return _are_alike(answer, other) and compare(answer, other, "", DEFAULT).outcome == "different"


def _may_be_like(answer: str, line: str) -> bool:
    """Whether a line may hold such an answer: beside a plain number only a formula without words may."""
    return numerals.read(answer) is None or ("\\" in line and not LONG_WORD.search(COMMAND.sub("", line)))


def _are_alike(one: str, other: str) -> bool:
    """Whether both are amounts of one quantity, numbers, times or places."""
    if not any(map(str.isdigit, one)) or not any(map(str.isdigit, other)):
        return False
    mine, theirs = measured(one), measured(other)
    if isinstance(mine, Quantity) and isinstance(theirs, Quantity):
        return mine.unit.dimension == theirs.unit.dimension
    return type(mine) is type(theirs) and isinstance(mine, (Scalar, Clock, Date, Tuple))
