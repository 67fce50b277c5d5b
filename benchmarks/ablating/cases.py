"""A case is a test function with its parameters, a row an answer with its reference: what comes of each."""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

STUCK_S = 3.0
_LEFT_OUT = ("skip", "skipif", "slow", "gpu", "load", "asyncio", "xfail")


@dataclass(frozen=True)
class Case:
    """One call of a test function."""

    function: Callable[..., None]
    arguments: dict[str, Any]
    source: str = ""
    fixtures: dict[str, Callable[[], Any]] = field(default_factory=dict)
    """What makes the other arguments, once in a process."""


def cases_of(function: Callable[..., None], module: Mapping[str, Any]) -> Iterator[Case]:
    """The calls of a test function that needs nothing but its parameters and fixtures of its module."""
    marks = getattr(function, "pytestmark", [])
    if hasattr(function, "hypothesis") or inspect.iscoroutinefunction(function):
        return
    if any(mark.name in _LEFT_OUT for mark in marks):
        return
    given = []
    for mark in marks:
        if mark.name == "parametrize":
            names = mark.args[0]
            names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
            given.append([_named(names, values) for values in mark.args[1]])
    known = {name for choices in given for name in (choices[0] if choices else ())}
    fixtures = {
        name: _fixture(module.get(name)) for name in inspect.signature(function).parameters.keys() - known
    }
    makers = {name: maker for name, maker in fixtures.items() if maker}
    if len(makers) < len(fixtures):
        return
    source = "" if known else inspect.getsource(function)
    for chosen in itertools.product(*given):
        arguments = {name: value for part in chosen for name, value in part.items()}
        yield Case(function, arguments, source, makers)


@cache
def _fixture(fixture: Any) -> Callable[[], Any] | None:
    """What makes the value of a fixture that needs no other one, None for any other thing."""
    function = getattr(fixture, "_fixture_function", None)
    if function is None or inspect.signature(function).parameters:
        return None
    if inspect.isgeneratorfunction(function):
        return cache(lambda: next(_kept(function())))
    return cache(function)


def _kept(generator: Iterator[Any]) -> Iterator[Any]:
    """The generator, which ends with the process: what its fixture made stays usable."""
    _OPEN.append(generator)
    return generator


_OPEN: list[Iterator[Any]] = []


def _named(names: list[str], values: Any) -> dict[str, Any]:
    values = values.values if hasattr(values, "marks") else values if len(names) > 1 else (values,)
    return dict(zip(names, values, strict=True))


def passes(case: Case) -> bool:
    """Whether the test function raises nothing."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, STUCK_S)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            case.function(**case.arguments, **{name: made() for name, made in case.fixtures.items()})
    except BaseException:  # pytest's outcomes are no exceptions
        return False
    else:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def graded(pairs: Sequence[Any]) -> list[tuple[str, ...]]:
    """What the rules say of each row, what they and a judge that says yes, and what that was asked about."""
    if not pairs:
        return []
    import hybridverify as hv
    from hybridverify.testing import ScriptedJudge

    judge = ScriptedJudge(True)
    with hv.Verifier(policy="addon", judges=[judge]) as verifier:
        grades = verifier.grade([hv.Sample(p.response, p.reference, question=p.question) for p in pairs])
    return [(g.rule.outcome.value, g.outcome.value, g.judge.answer) for g in grades]
