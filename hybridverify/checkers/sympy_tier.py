"""The last rule: exact equality by sympy, in a killable worker. It only ever accepts; its "no" is `undecided`.

The rules before it decide most pairs in a bounded way. Here a proof may take any time, so the answer is cut out,
read and bounded in the caller's process, and proved equal in another.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from hybridverify.checkers.base import decided, undecided
from hybridverify.checkers.conventions import Conventions
from hybridverify.checkers.extract import Mark, extract
from hybridverify.checkers.reader.equality import Same, Setting, same_expression
from hybridverify.checkers.reader.limits import Limit, Unread
from hybridverify.checkers.reader.nodes import Node
from hybridverify.checkers.symbolic_latex import operators_of, plain_latex
from hybridverify.checkers.symbolic_shape import Shape, same_shape, shape_of
from hybridverify.checkers.wrapping import unwrap
from hybridverify.errors import ConfigError
from hybridverify.types import Sample, Verdict

PREPARED = "prepared"
"""The `form` of a sample whose response is the bare answer already."""
IMAGINARY = "imaginary"
"""Stands in a prepared sample's meta where `i` is the imaginary unit."""
ANTLR = ("4.9.3", "4.11", "4.13.2")
"""The runtimes for which math-verify's parser is built; under any other it does not import."""
_COMPLEX_QUESTION = re.compile(r"complex|imaginary|\\mathbb\{C\}|roots? of unity|i\^2", re.IGNORECASE)
_COMPLEX_REFERENCE = re.compile(r"(?<![A-Za-z\\])(?:\d|[-+]|\})\s*i(?![A-Za-z])|\^\s*\{[^{}]{0,50}\bi\b")


@dataclass(frozen=True)
class SympyTier:
    r"""Accept what sympy proves equal to a reference.

    >>> SympyTier().check(Sample(r"\boxed{2^{n+1}-2^n}", "2^n")).outcome.value
    'correct'
    """

    name: ClassVar[str] = "sympy"
    version: ClassVar[int] = 1
    isolated: ClassVar[bool] = True
    meta_keys: ClassVar[tuple[str, ...]] = ("form",)

    conventions: Conventions = field(default_factory=Conventions)
    thinking_tags: tuple[str, str] = ("<think>", "</think>")

    def __post_init__(self) -> None:
        require_parser()

    def libraries(self) -> dict[str, str]:
        """Versions that may change a verdict: part of the cache key."""
        return {name: importlib.metadata.version(name) for name in ("sympy", "latex2sympy2_extended")}

    def prepare(self, sample: Sample) -> Sample | Verdict:
        """In the caller's process: a verdict where there is nothing for sympy, else the answer alone.

        Equal answers to one question so become equal samples, which are computed and cached once.
        """
        found = extract(
            sample.response,
            str(sample.meta.get("form", "auto")),
            self.thinking_tags,
            multiple_boxes=self.conventions.multiple_boxes,
            number_fallback=self.conventions.number_fallback,
        )
        if found.problem or not found.answer:
            return undecided(self, reason=found.problem or "no_answer", answer=found.answer)
        answer = read(found.answer, self.conventions)
        if answer.obstacle:
            return undecided(self, reason=answer.obstacle, answer=found.answer)
        references = [reference_text(text) for text in sample.references]
        comparable = [text for text in references if answer.comparable(read(text, self.conventions))]
        if not comparable:
            return undecided(self, reason="not comparable with the reference", answer=found.answer)
        meta = {"form": PREPARED} | ({IMAGINARY: "yes"} if self._imaginary(sample) else {})
        return Sample(found.answer, comparable, meta=meta)

    def check(self, sample: Sample) -> Verdict:
        """In a worker: correct where a reference is proved equal, else undecided."""
        if sample.meta.get("form") != PREPARED:
            prepared = self.prepare(sample)
            return prepared if isinstance(prepared, Verdict) else self.check(prepared)
        answer = read(sample.response, self.conventions)
        setting = Setting(imaginary=IMAGINARY in sample.meta)
        if any(
            answer.equals(read(r, self.conventions), setting, self.conventions) for r in sample.references
        ):
            return decided(self, correct=True, answer=sample.response, reason="proved equal")
        return undecided(self, reason="not proved equal", answer=sample.response)

    def _imaginary(self, sample: Sample) -> bool:
        if self.conventions.imaginary_unit != "when_shown":
            return self.conventions.imaginary_unit == "always"
        shown = any(_COMPLEX_REFERENCE.search(reference) for reference in sample.references)
        return shown or bool(_COMPLEX_QUESTION.search(sample.question))


@dataclass(frozen=True)
class Reading:
    """One side, read to its last token: its `shape`, or the `latex` of a sum, integral or limit.

    `obstacle` says why there is neither. `words` are the words in it, `operators` its sums and the like.
    """

    shape: Shape | None = None
    words: tuple[str, ...] = ()
    latex: str = ""
    operators: tuple[str, ...] = ()
    obstacle: str = ""

    def comparable(self, other: Reading) -> bool:
        """False where equality would rest on something that only one side says."""
        kinds = set(self.operators) == set(other.operators)
        return not other.obstacle and kinds and self.words == other.words

    def equals(self, other: Reading, setting: Setting, conventions: Conventions) -> bool:
        """Proved equal. Takes any time: only for workers."""
        from hybridverify.checkers import symbolic
        from hybridverify.checkers.symbolic_latex import parsed

        if not self.comparable(other):
            return False
        if self.latex or self.shape is None or other.shape is None:
            return symbolic.equal(parsed(self.latex), parsed(other.latex))
        leaves = _Leaves(setting)
        return same_shape(self.shape, other.shape, leaves.equal, leaves.scaled, conventions)


@dataclass(frozen=True)
class _Leaves:
    setting: Setting

    def equal(self, left: Node, right: Node) -> bool:
        from hybridverify.checkers import symbolic

        same = same_expression(left, right, self.setting)
        if same is not Same.UNKNOWN:
            return same is Same.EQUAL
        imaginary = self.setting.imaginary
        return symbolic.equal(symbolic.expression(left, imaginary), symbolic.expression(right, imaginary))

    def scaled(self, left: Node, right: Node) -> bool:
        from hybridverify.checkers import symbolic

        imaginary = self.setting.imaginary
        return symbolic.scaled(symbolic.expression(left, imaginary), symbolic.expression(right, imaginary))


@lru_cache(maxsize=4096)  # a reference is read once, however many responses it has
def read(text: str, conventions: Conventions) -> Reading:
    """The reading of an answer or reference. Bounded, raises nothing."""
    operators = operators_of(text)
    try:
        if operators:
            return Reading(latex=plain_latex(text), operators=operators)
        shape, words = shape_of(text, conventions)
        return Reading(shape, words)
    except Limit:
        return Reading(obstacle="limit")
    except (Unread, RecursionError):
        return Reading(obstacle="no mathematics that is understood")


def reference_text(reference: str) -> str:
    r"""What a reference says: the content of its mark, else all of it.

    >>> reference_text(r"Adding up, $2+2=\boxed{4}$."), reference_text("$x+1$")
    ('4', 'x+1')
    """
    found = extract(reference)
    marked = found.mark in (Mark.BOXED, Mark.HASH, Mark.TAG) and not found.problem
    return found.answer if marked else unwrap(reference)


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


def warm_up() -> None:
    """Import all that a check needs and run each part once, so that no job pays for it."""
    from hybridverify.checkers.symbolic_latex import parsed

    tier = SympyTier()
    tier.check(Sample(r"\boxed{\sqrt{2+\sin x}}", r"\sqrt{\cos x}"))
    parsed(plain_latex(r"\sum_{k=1}^{n} k"))
