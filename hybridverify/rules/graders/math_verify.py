"""Math-Verify itself, as installed, in a worker: its README's form and the form in which verl calls it.

Its limits are alarms by the wall clock, which a busy machine turns into wrong answers. Here the same limits count
processor time, and with them as with its own a step that takes too long is a "no".
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import itertools
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from hybridverify.rules.base import decided
from hybridverify.rules.graders.told import PREFIX
from hybridverify.types import Sample, Verdict

_STEP_S = 5.0
"""Math-Verify's own limit for reading a text, and for one comparison."""
_FORMULA_MARKS = ("$", "\\(", "\\[", "\\boxed")


@dataclass(frozen=True)
class MathVerify:
    """`verify(parse(reference), parse(response))`; a reference without marks is put between dollars.

    `as_verl`: the reference in a box and read as LaTeX alone, the response as an expression or LaTeX.
    """

    as_verl: bool = False

    version: ClassVar[int] = 1
    isolated: ClassVar[bool] = True
    meta_keys: ClassVar[tuple[str, ...]] = ()
    deadline_s: ClassVar[float] = 30.0
    """Six steps: two texts are read, each as two values at most."""

    @property
    def name(self) -> str:
        return PREFIX + ("math_verify_verl" if self.as_verl else "math_verify")

    def libraries(self) -> dict[str, str]:
        """Versions that may change a verdict: part of the cache key."""
        return {
            name: importlib.metadata.version(name)
            for name in ("math-verify", "latex2sympy2_extended", "sympy")
        }

    def check(self, sample: Sample) -> Verdict:
        """In a worker."""
        found = self._read(sample.response, reference=False)
        for reference in sample.references:
            known = self._read(reference, reference=True)
            if any(_same(wanted, given) for wanted, given in itertools.product(known, found)):
                return decided(self, correct=True, answer=_shown(found), reason="verified")
        reason = "not verified" if found else "nothing to compare"
        return decided(self, correct=False, answer=_shown(found), reason=reason)

    def _read(self, text: str, reference: bool) -> list[Any]:
        from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse

        options: dict[str, Any] = {}
        if self.as_verl:
            latex = LatexExtractionConfig()
            options["extraction_config"] = (latex,) if reference else (ExprExtractionConfig(), latex)
        if reference:
            text = self._marked(text)
        with _limited():
            return list(parse(text, parsing_timeout=None, **options))
        return []

    def _marked(self, reference: str) -> str:
        if self.as_verl:
            return f"\\boxed{{{reference}}}"
        return reference if any(mark in reference for mark in _FORMULA_MARKS) else f"${reference}$"


def math_verify() -> MathVerify:
    """The form of its README."""
    return MathVerify()


def math_verify_verl() -> MathVerify:
    """The form of verl's `reward_score/math_verify.py`."""
    return MathVerify(as_verl=True)


def _same(wanted: Any, given: Any) -> bool:
    from math_verify import verify

    with _limited():
        return bool(verify(wanted, given, timeout_seconds=None))
    return False


def _shown(found: list[Any]) -> str:
    """The text that it took, which comes last; an expression is not written out, because that may take for ever."""
    return found[-1] if found and isinstance(found[-1], str) else ""


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Leave the block after so much processor time. Off the main thread, and on Windows, there is no such timer."""
    from math_verify.errors import TimeoutException

    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutException

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _STEP_S)
    try:
        with contextlib.suppress(TimeoutException):
            yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
