"""`Verifier.grade_here`: the grades that need no other process, equal to those of `grade`."""

from __future__ import annotations

from typing import Any

import hybridverify as hv
from hybridverify import Sample
from hybridverify.testing import ScriptedJudge
from hybridverify.types import Verdict

ROWS = [
    Sample("#### 7", "7"),
    Sample("#### 8", "7"),
    Sample("", "7"),
    Sample("7", ""),
    Sample("It lies in Ulm", "Ulm on the Danube", "", "judged"),
    Sample(r"\boxed{\arctan(x)+\arctan\frac{1}{x}}", r"\frac{\pi}{2}"),
    Sample(r"\boxed{\frac{2}{4}}", "0.5", "", "boxes"),
]
ROUTES: dict[str, dict[str, Any]] = {
    "judged": {"policy": "addon"},
    "boxes": {"form": "boxed", "rules": ["exact", "prime_math"]},
}


def test_what_is_decided_here_is_decided_alike() -> None:
    judge = ScriptedJudge(True)
    with hv.Verifier(judges=[judge], routes=ROUTES) as verifier:
        here = verifier.grade_here(ROWS)
        assert judge.asked == []
        assert [grade is None for grade in here] == [False, False, False, False, True, True, False]
        whole = verifier.grade(ROWS)
        assert all(grade is None or grade == other for grade, other in zip(here, whole, strict=True))


def test_rows_that_are_left_open_are_counted_once() -> None:
    with hv.Verifier(judges=[ScriptedJudge(True)], routes=ROUTES) as verifier:
        left = [row for row, grade in zip(ROWS, verifier.grade_here(ROWS), strict=True) if grade is None]
        verifier.grade(left)
        counts = verifier.stats
        assert counts["samples"]["graded"] + counts["samples"]["ungraded"] == len(ROWS)
        assert counts["judge"]["asked"] == 1


def test_chains_of_every_shape_are_alike() -> None:
    for rules in (["sympy"], ["exact"], ["sympy", "exact"], ["exact", "sympy", "gsm8k"]):
        with hv.Verifier(rules=rules) as verifier:
            here, whole = verifier.grade_here(ROWS), verifier.grade(ROWS)
            assert all(grade is None or grade == other for grade, other in zip(here, whole, strict=True))


class Own:
    name, version, isolated, meta_keys = "own", 1, False, ()

    def check(self, sample: Sample) -> Verdict:
        raise ZeroDivisionError


def test_a_rule_of_the_users_in_this_process_has_no_known_bound() -> None:
    with hv.Verifier() as verifier, hv.Verifier(rules=["exact", Own()]) as own:
        assert (verifier.bounded, own.bounded) == (True, False)
        (grade,) = own.grade_here([Sample("a", "b")])
        assert grade == own.grade([Sample("a", "b")])[0]
