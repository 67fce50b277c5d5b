"""The last rule: exact equality by sympy, in a killable worker. It only ever accepts; its "no" is `undecided`.

The rules before it decide most pairs in a bounded way. Here a proof may take any time: the answer is cut out,
read and bounded in the caller's process, and only where numbers do not tell the two apart is a worker asked.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import ClassVar

from hybridverify.answers.thinking import THINKING_TAGS
from hybridverify.conventions import Conventions
from hybridverify.errors import ConfigError
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.symbolic.latex import parsed, plain_latex
from hybridverify.maths.symbolic.proof import possible, proved
from hybridverify.rules.base import decided, undecided
from hybridverify.rules.comparison import held_back
from hybridverify.rules.kinds import Kind, kind_of
from hybridverify.rules.prefilter import open_case
from hybridverify.types import Sample, Verdict

PREPARED = "prepared"
"""The `form` of a sample whose response is the bare answer already, and whose references are read."""
ANTLR = ("4.9.3", "4.11", "4.13.2")
"""The runtimes for which math-verify's parser is built; under any other it does not import."""


@dataclass(frozen=True)
class SympyTier:
    r"""Accept what sympy proves equal to a reference.

    >>> SympyTier().check(Sample(r"\boxed{\cos\frac{\pi}{5}}", r"\frac{1+\sqrt5}{4}")).outcome.value
    'correct'
    """

    name: ClassVar[str] = "sympy"
    version: ClassVar[int] = 12
    isolated: ClassVar[bool] = True
    meta_keys: ClassVar[tuple[str, ...]] = ("form",)
    reads: ClassVar[Kind] = Kind.FORMULA

    conventions: Conventions = field(default_factory=Conventions)
    thinking_tags: tuple[str, str] = THINKING_TAGS

    def __post_init__(self) -> None:
        require_parser()

    def libraries(self) -> dict[str, str]:
        """Versions that may change a verdict: part of the cache key."""
        return {name: importlib.metadata.version(name) for name in ("sympy", "latex2sympy2_extended")}

    def prepare(self, sample: Sample) -> Sample | Verdict:
        """In the caller's process: a verdict where there is nothing for sympy, else the answer alone.

        Equal answers to one question so become equal samples, which are computed and cached once.
        """
        case = open_case(self, sample)
        if isinstance(case, Verdict):
            return case
        formulas = [text for text in case.references if kind_of(text, self.conventions) & Kind.FORMULA]
        if not formulas:
            return undecided(self, reason="no formula as reference", answer=case.answer)
        looks = [possible(text, case.answer, sample.question, self.conventions) for text in formulas]
        open_references = [text for text, look in zip(formulas, looks, strict=True) if look.equal]
        if not open_references:
            return undecided(self, reason=looks[0].reason, answer=case.answer)
        if why := held_back(case, self.conventions):
            return undecided(self, reason=why, answer=case.answer)
        return Sample(case.answer, open_references, sample.question, meta={"form": PREPARED})

    def check(self, sample: Sample) -> Verdict:
        """In a worker: correct where a reference is proved equal, else undecided."""
        if sample.meta.get("form") != PREPARED:
            prepared = self.prepare(sample)
            return prepared if isinstance(prepared, Verdict) else self.check(prepared)
        from hybridverify.maths.symbolic.steps import bounded

        answer, question = sample.response, sample.question
        reason = "not proved equal"
        for reference in sample.references:
            try:
                with bounded(interrupt=_in_worker):
                    equal = proved(reference, answer, question, self.conventions)
            except Limit:
                reason = "limit"
                continue
            if equal:
                return decided(self, correct=True, answer=answer, reason="proved equal")
        return undecided(self, reason=reason, answer=answer)


def require_parser() -> None:
    """Raise ConfigError where math-verify's parser is missing or cannot work with the ANTLR runtime here.

    A missing parser must not look like wrong answers. Nothing heavy is imported for this.
    """
    missing = [name for name in ("sympy", "math_verify", "latex2sympy2_extended") if not _installed(name)]
    if missing:
        raise ConfigError(f"the rule 'sympy' needs {', '.join(missing)}: pip install math-verify")
    try:
        found = importlib.metadata.version("antlr4-python3-runtime")
    except importlib.metadata.PackageNotFoundError:
        found = "none"
    if not found.startswith(ANTLR):
        raise ConfigError(
            f"the rule 'sympy' needs antlr4-python3-runtime {', '.join(ANTLR[:-1])} or {ANTLR[-1]}, found {found}: "
            "pip install 'math-verify[antlr4_13_2]', or leave 'sympy' out of the rules"
        )


@lru_cache(maxsize=8)
def _installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


_in_worker = False
"""Whether this is a worker process, in which a timer may break off a proof."""
_WARM = (
    r"\sum_{k=1}^{n} k",
    r"\prod_{k=1}^{3} k",
    r"\int_{0}^{1} x^{2} dx",
    r"\int_{f(a)}^{b} f(x) dx",
    r"\lim_{x \to 0} \frac{\sin x}{x}",
)
"""Texts that lead through each part of math-verify's parser: the first of a kind takes it ten times as long."""


_CHECKED = (
    (r"\cos\frac{\pi}{5}", r"\frac{1+\sqrt5}{4}"),
    (r"\frac{\pi}{4}", r"\arctan\frac{1}{2}+\arctan\frac{1}{3}"),
    (r"\tan(x+y)", r"\frac{\tan x+\tan y}{1-\tan x\tan y}"),
    (r"\sqrt{x^2+2xy+y^2}", "|x+y|"),
)
"""Answers and references that lead through each kind of proof."""


def prepare_worker() -> list[Callable[[], object]]:
    """For a worker process: import sympy, and return what else may be done ahead, in steps of a tenth of a second.

    Each step runs a part that is slow at its first use; a job that comes before pays for what it needs itself.
    """
    from hybridverify.maths.symbolic import steps  # noqa: F401  brings sympy

    global _in_worker
    _in_worker = True
    return [
        *(partial(_check_once, response, reference) for response, reference in _CHECKED),
        *(partial(_parse_once, text) for text in _WARM),
    ]


def _check_once(response: str, reference: str) -> None:
    SympyTier().check(Sample(rf"\boxed{{{response}}}", reference))


def _parse_once(text: str) -> None:
    with contextlib.suppress(Unread):
        parsed(plain_latex(text))
