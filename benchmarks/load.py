"""Is a verdict the same on a busy machine? Hard pairs are graded twice: quiet, and beside processes that spin.

    python benchmarks/load.py [--rows 200] [--spin 8] [--json OUT]

The pairs are identities of trigonometry, logarithms, roots and absolute values in several letters, true and false ones,
which only the last rule (sympy in workers) may prove. Prints outcomes and wall seconds of both runs, every row that
ended otherwise, and the processor time of the proofs that took longest: none should end between 0.4 and 2.5 deadlines,
where a slower processor would turn it. Ends 1 where an outcome differs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import hybridverify as hv
from hybridverify.rules.sympy_tier import SympyTier
from hybridverify.types import Verdict
from hybridverify.workers import shared_pool

PARTS = (
    "x", "2x", "x^2", "(a+b)", r"\sqrt{x}", r"\frac{x}{y}", "(x+y)", "e^{x}", "(3x-1)", r"\frac{a}{b+c}", "x^3",
    "(x^2+y^2)", r"\sqrt{a+b}", r"\frac{1}{x}", "(x+y+z)",
)  # fmt: skip
IDENTITIES = (
    (r"\arctan(U)+\arctan\frac{1}{U}", r"\frac{\pi}{2}"),
    (r"\arcsin(U)+\arccos(U)", r"\frac{\pi}{2}"),
    (r"\ln\left(U+\sqrt{(U)^2+4}\right)-\ln 2", r"\ln\frac{U+\sqrt{(U)^2+4}}{2}"),
    (r"\sqrt{(U)^2+2(U)(V)+(V)^2}", "|U+V|"),
    (r"\tan(U+V)", r"\frac{\tan(U)+\tan(V)}{1-\tan(U)\tan(V)}"),
    (r"\sin(3(U))", r"3\sin(U)-4\sin^3(U)"),
    (r"\cos(4(U))", r"8\cos^4(U)-8\cos^2(U)+1"),
    (r"\cosh(U+V)", r"\cosh(U)\cosh(V)+\sinh(U)\sinh(V)"),
    (r"\sqrt{U}\sqrt{V}", r"\sqrt{(U)(V)}"),
    (r"\max(U,V)+\min(U,V)", "(U)+(V)"),
    (r"\frac{1-\cos(2(U))}{\sin(2(U))}", r"\tan(U)"),
    (r"\ln((U)^3(V)^2)", r"3\ln(U)+2\ln(V)"),
    (r"\sqrt[3]{(U)^3+3(U)^2(V)+3(U)(V)^2+(V)^3}", "(U)+(V)"),
    (r"\sin(U)\sin(V)", r"\frac{\cos(U-V)-\cos(U+V)}{2}"),
    (r"\frac{|U|}{U}\cdot|U|", "U"),
    (r"\tan\frac{U}{2}", r"\frac{\sin(U)}{1+\cos(U)}"),
    (r"\sin^6(U)+\cos^6(U)", r"1-3\sin^2(U)\cos^2(U)"),
    (r"\cot(U)-\tan(U)", r"2\cot(2(U))"),
    (r"\sqrt{U+2\sqrt{U-1}}", r"1+\sqrt{U-1}"),
)


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--spin", type=int, default=8)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    samples = hard_rows(given.rows)
    quiet, quiet_s = graded(samples)
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(given.spin)]
    try:
        busy, busy_s = graded(samples)
    finally:
        for process in spinning:
            process.kill()
            process.wait()
    slowest = sorted(processor_times(samples), reverse=True)[:5]
    differ = [i for i, (one, other) in enumerate(zip(quiet, busy, strict=True)) if one != other]
    print(f"{len(samples)} rows of the last tier")
    print(f"quiet                      {quiet_s:6.1f} s  {told(quiet)}")
    print(f"beside {given.spin} spinning processes {busy_s:6.1f} s  {told(busy)}")
    for i in differ:
        print(f"differs: {samples[i].references[0]} | {samples[i].response}: {quiet[i]} -> {busy[i]}")
    print(f"{len(differ)} differ; slowest proofs: " + ", ".join(f"{seconds:.2f} s" for seconds in slowest))
    if given.json:
        found = {"quiet": quiet, "busy": busy, "quiet_s": quiet_s, "busy_s": busy_s, "slowest_s": slowest}
        given.json.write_text(json.dumps(found, indent=1))
    return 1 if differ else 0


def hard_rows(number: int) -> list[hv.Sample]:
    """Pairs that the rules before the last leave open."""
    draw = random.Random(11)
    early, tier = hv.Verifier(rules=["exact", "choice", "gsm8k", "prime_math"]), SympyTier()
    found: dict[tuple[str, str], hv.Sample] = {}
    while len(found) < number:
        first, second = draw.choice(IDENTITIES), draw.choice(IDENTITIES)
        u, v = draw.sample(PARTS, 2)
        left, right = first
        if draw.random() < 0.7:
            left, right = f"({first[0]})+({second[1]})", f"({first[1]})+({second[0]})"
        reference, answer = (text.replace("U", u).replace("V", v) for text in (left, right))
        sample = hv.Sample(rf"\boxed{{{answer}}}", reference)
        (grade,) = early.grade([sample])
        if grade.rule.outcome is hv.Outcome.UNDECIDED and not isinstance(tier.prepare(sample), Verdict):
            found[answer, reference] = sample
    return list(found.values())


def graded(samples: list[hv.Sample]) -> tuple[list[str], float]:
    """Outcome and reason of each row, and the seconds it took; without the imports of the workers."""
    verifier = hv.Verifier(cache=None)
    verifier.grade(samples[:2])
    begin = time.monotonic()
    grades = verifier.grade(samples)
    seconds = time.monotonic() - begin
    return [f"{grade.outcome.value} ({grade.rule.reason})" for grade in grades], seconds


def told(outcomes: list[str]) -> str:
    """How many of each."""
    return ", ".join(f"{number} {name}" for name, number in Counter(outcomes).most_common())


def processor_times(samples: list[hv.Sample]) -> list[float]:
    """Seconds that each proof takes its worker."""
    prepared = [SympyTier().prepare(sample) for sample in samples]
    proofs = [sample for sample in prepared if isinstance(sample, hv.Sample)]
    return [seconds for seconds in shared_pool(None, 30.0).run(timed, proofs) if isinstance(seconds, float)]


def timed(sample: hv.Sample) -> float:
    """In a worker."""
    begin = time.process_time()
    SympyTier().check(sample)
    return time.process_time() - begin


if __name__ == "__main__":
    sys.exit(main())
