"""Values: a bounded reader of final answers, in LaTeX and program notation, and equality on top of it.

In: two texts, the question, the conventions. Out: same, different or unknown, with a reason. It runs in process: every
step has a bound (`limits`), nothing is evaluated but a whitelist of nodes (`nodes`), and what is not understood to the
end is unknown. `equal` is proved; `different` is given only for kinds where another value is surely wrong.

Entry points: those named here; `numerals`, the fast way for plain numbers; `symbolic`, a second opinion by sympy.
"""

from hybridverify.maths.comparing.compare import compare, compare_readings
from hybridverify.maths.comparing.rules import Comparison
from hybridverify.maths.parsing.reading import Reading, answer_reading, read, reading_of, reference_reading
from hybridverify.maths.values.kinds import Unreadable, Value

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
