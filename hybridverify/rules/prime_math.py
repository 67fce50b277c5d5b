"""Mathematical equality by our own bounded reader: in process, fast, three-valued."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hybridverify.answers.thinking import THINKING_TAGS
from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.maths import compare, read
from hybridverify.rules.comparison import Reasons, compared
from hybridverify.rules.kinds import ANY, Kind
from hybridverify.rules.prefilter import open_case
from hybridverify.types import Sample, Verdict


@dataclass(frozen=True)
class PrimeMath:
    r"""Compare the answer with each reference as typed values: numbers, expressions, sets, intervals, equations.

    Correct where equality is proved; incorrect only for kinds where another value is surely wrong; everything
    else is undecided. The reason names the option that decided.

    >>> PrimeMath().check(Sample(r"so \boxed{\frac{\sqrt 8}{4}}", r"\frac{1}{\sqrt{2}}")).outcome
    <Outcome.CORRECT: 'correct'>
    >>> PrimeMath().check(Sample(r"\boxed{0 < x \le 2}", "(0, 2]")).reason
    'relation_form'
    """

    conventions: Conventions = DEFAULT
    thinking_tags: tuple[str, str] = THINKING_TAGS

    name: ClassVar[str] = "prime_math"
    version: ClassVar[int] = 12
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ("form",)
    reads: ClassVar[Kind] = ANY

    def check(self, sample: Sample) -> Verdict:
        case = open_case(self, sample)
        if isinstance(case, Verdict):
            return case
        under = () if self.conventions is DEFAULT else (self.conventions,)  # the defaults need no hashing
        said: dict[str, str] = {}  # the first reason of each outcome
        for reference in case.references:
            found = compare(reference, case.answer, sample.question, *under)
            said.setdefault(found.outcome, found.reason)
            if found.outcome == "equal":
                break
        equal = "equal" in said or (None if "undecided" in said else False)
        different = said.get("different", "")
        reasons = Reasons(said.get("equal", ""), different, said.get("undecided", different))
        return compared(self, case, equal, reasons)

    def reading(self, sample: Sample) -> str:
        """What this checker makes of the answer, for `explain`."""
        case = open_case(self, sample)
        if isinstance(case, Verdict):
            return case.answer
        return f"{case.answer}: {type(read(case.answer, self.conventions)).__name__}"
