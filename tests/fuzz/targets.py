"""What is fuzzed: each target takes bytes, runs one part of the library, and asserts what must hold of any text.

`fuzz.py` drives them for minutes under coverage guidance; `test_fuzz.py` runs them on seeds and a few random bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path

from hybridverify.answers.extract import FORMS, MAX_SHOWN, extract
from hybridverify.conventions import DEFAULT
from hybridverify.gate.content import gate_reason
from hybridverify.judges.base import Prompt, Reply
from hybridverify.judges.presets import PRESETS, preset
from hybridverify.judges.verdicts import Scoring, verdict
from hybridverify.maths import compare
from hybridverify.rules.absent.rule import Absent
from hybridverify.rules.choice import Choice
from hybridverify.rules.exact import Exact
from hybridverify.rules.grade import Grade
from hybridverify.rules.gsm8k import Gsm8k
from hybridverify.rules.prime_math import PrimeMath
from hybridverify.rules.sympy_tier import SympyTier
from hybridverify.types import SURE, Outcome, Sample
from tests.fuzz.words import TOKENS

CASES = Path(__file__).parent.parent / "cases"
BOUND = 4_000
"""Bytes; longer ones are left to the tests of the bounds themselves."""


def text(data: bytes) -> str:
    """Half of the inputs are UTF-8 as it comes; the others choose from words of the field."""
    if data[:1] < b"\x80":
        return data[1:].decode("utf-8", "replace")
    return "".join(TOKENS[byte % len(TOKENS)] for byte in data[1:])


def parts(data: bytes, number: int) -> list[str]:
    """Several texts out of one input, which 0xFF separates; missing ones are empty."""
    found = [text(part) for part in data[:BOUND].split(b"\xff", number - 1)]
    return found + [""] * (number - len(found))


def extraction(data: bytes) -> None:
    """Any response in any form: the answer and what is shown stay within bounds, twice the same."""
    response = text(data[:BOUND])
    for form in FORMS:
        for boxes in ("last", "join"):
            found = extract(response, form, multiple_boxes=boxes, number_fallback=boxes == "join")
            assert len(found.shown) <= MAX_SHOWN + 1, "more shown than allowed"
            assert not (found.firm and not found.answer)
    gate_reason(response, (response[:50],))


def reader(data: bytes) -> None:
    """Two readings: whatever they are, equality is symmetric, and a text never differs from itself."""
    left, right, question = parts(data, 3)
    found, turned = compare(left, right, question, DEFAULT), compare(right, left, question, DEFAULT)
    assert {found.outcome, turned.outcome} != {"equal", "different"}, "equal one way, different the other"
    assert compare(left, left, question, DEFAULT).outcome != "different", "differs from itself"


def rules(data: bytes) -> None:
    """Whole checkers: none crashes, none says wrong of the reference itself, no two sure ones disagree."""
    response, reference, question = parts(data, 3)
    sample = Sample(response, reference, question)
    sure = set()
    for checker in CHECKERS:
        found = checker.check(sample)
        assert found.outcome is not Outcome.FAILED
        if found.outcome in SURE and checker.name in ("exact", "prime_math"):
            sure.add(found.outcome)
    assert len(sure) < 2, "one checker is sure that it is right, another that it is wrong"
    SYMPY.prepare(sample)
    for checker in CHECKERS:
        itself = checker.check(Sample(f"\\boxed{{{reference}}}", reference)) if is_whole(reference) else None
        assert itself is None or itself.outcome is not Outcome.INCORRECT or is_refused(reference)
    Grade().check(sample)


def parsers(data: bytes) -> None:
    """Every preset's parser and P(yes) on any reply: an outcome of its own, a score within [0, 1]."""
    reply, token, reason = parts(data, 3)
    for name in PRESETS:
        chosen = preset(name)
        top: Mapping[str, float] = {token: -0.5, reply[:3]: -1.0, "True": -2.0, "": -9.0}
        told = Reply((reply,), ("length" if reason else "stop",), (top, top))
        for scoring in (Scoring(), Scoring("p_yes")) if chosen.menu else (Scoring(),):
            found = verdict(chosen, scoring, "judge:x", told)
            assert found.outcome in READ
            assert 0.0 <= found.score <= 1.0
            assert math.isfinite(found.p_yes)


def prompts(data: bytes) -> None:
    """Every preset's prompt of any values: what is not a value stands once, whatever the values say."""
    question, reference, answer = parts(data, 3)
    for name in PRESETS:
        chosen = preset(name)
        values = dict.fromkeys(chosen.fields, answer) | {"question": question, "reference": reference}
        empty = plain(chosen.render(dict.fromkeys(chosen.fields, "")))
        full = plain(chosen.render({field: values[field] for field in chosen.fields}))
        for mark in chosen.marks:
            assert full.count(mark) == empty.count(mark), f"{name}: a value speaks as {mark!r}"


def plain(prompt: Prompt) -> str:
    return prompt.text or "\n".join(message.content for message in prompt.messages)


def is_whole(reference: str) -> bool:
    """Texts that can stand in a box and stay one box."""
    return bool(reference.strip()) and not any(sign in reference for sign in "{}\\<#`$\n%*")


def is_refused(reference: str) -> bool:
    """What is no answer even where it is the reference: the gate and hedges speak before any comparison."""
    return bool(gate_reason(f"\\boxed{{{reference}}}", (reference,))) or bool(
        extract(f"\\boxed{{{reference}}}").problem
    )


CHECKERS = (Exact(), Choice(), Gsm8k(), PrimeMath(), Absent())
SYMPY = SympyTier()
READ = (
    Outcome.CORRECT,
    Outcome.INCORRECT,
    Outcome.PARTIAL,
    Outcome.INVALID,
    Outcome.UNPARSEABLE,
    Outcome.UNDECIDED,
)
TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "extraction": extraction,
    "reader": reader,
    "rules": rules,
    "parsers": parsers,
    "prompts": prompts,
}


def seeds(target: str) -> list[bytes]:
    """Inputs to begin with: the texts of the case files."""
    found = []
    for path in sorted(CASES.glob("parse_*.jsonl" if target == "parsers" else "[!p]*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            texts = [
                row.get(name)
                for name in ("response", "reference", "question", "reply", "text", "left", "right")
            ]
            texts = [item if isinstance(item, str) else str(item[0]) for item in texts if item]
            found.append(b"\xff".join(b"\x10" + item.encode("utf-8", "replace") for item in texts)[:BOUND])
    return found
