"""Our own bounded reader of final answers, in LaTeX and program notation, and equality on top of it.

It runs in process: every step has a bound (limits.py), nothing is evaluated but a whitelist of nodes (nodes.py),
and what is not understood to the end is undecided. `equal` is proved; `different` is given only for kinds where
another value is surely wrong.
"""

from hybridverify.checkers.reader.compare import compare, compare_readings
from hybridverify.checkers.reader.reading import Reading, answer_reading, read, reading_of, reference_reading
from hybridverify.checkers.reader.rules import Comparison
from hybridverify.checkers.reader.values import Unreadable, Value

__all__ = [
    "Comparison",
    "Reading",
    "Unreadable",
    "Value",
    "answer_reading",
    "compare",
    "compare_readings",
    "read",
    "reading_of",
    "reference_reading",
]
