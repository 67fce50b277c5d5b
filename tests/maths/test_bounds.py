"""Hostile and huge answers: undecided, quickly, and without side effects."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hybridverify.conventions import Conventions
from hybridverify.maths import Unreadable, compare, read

CONVENTIONS = Conventions()
SECONDS = 0.5
"""Far above the tens of milliseconds that the bounds allow, for a loaded machine."""

HUGE = {
    "power tower": r"9^{9^{9^{9}}}",
    "program tower": "9**9**9**9",
    "factorials of factorials": "((((4!)!)!)!)",
    "large factorial": "100000!",
    "large binomial": r"\binom{900000}{400000}",
    "large power": "3^{500000}",
    "long integer": "7" * 1999,
    "too long": "7" * 2001,
    "nested brackets": "(1+" * 200 + "7" + ")" * 200,
    "nested fractions": r"\frac{1}{" * 45 + "2" + "}" * 45,
    "nested roots": r"\sqrt{2+" * 28 + "3" + "}" * 28,
    "nested text": r"\text{" * 200 + "7" + "}" * 200,
    "many signs": "-" * 900 + "7",
    "many powers": "^".join(["2"] * 300),
    "expansion": "(a+b+c+d)^{70}",
    "expansion of a product": "(a+b)(c+d)(e+f)(g+h)(k+l)(m+n)(p+q)(r+s)(t+u)(v+w)(x+y)",
    "long sum": "+".join(f"x_{{{i}}}" for i in range(250)),
    "long list": ",".join(map(str, range(400))),
    "long set": r"\{" + ",".join(f"y_{{{i}}}" for i in range(190)) + r"\}",
    "wide matrix": r"\begin{pmatrix}" + "&".join("1" * 30) + r"\end{pmatrix}",
    "sines of sums": r"\sin(x+y+z+u+v+w)\cos(x-y+z-u+v-w)\tan(x+y-z-u)",
    "sine of a large number": r"\sin(10^{400})",
    "large exponent in e-notation": "1e99999",
    "deep unary function chain": r"\sin " * 300 + "x",
    "spaces and digits": "1 " * 900,
    "slashes": "1/" * 900 + "1",
    "open brackets": "[" * 900,
    "bars": "|" * 900,
    "dollars": "$ a " * 400,
    "boxes": r"\boxed{" * 250 + "7" + "}" * 250,
    "combining marks": "7" + "\u0301" * 1900,
}


@pytest.mark.load
@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("reference", ["7", r"\sqrt{5}", r"\{1,2,3\}", "(x+1)^{90}", "x_1+x_2"])
def test_huge_answers_are_never_equal_and_never_slow(name: str, reference: str) -> None:
    start = time.process_time()
    result = compare(reference, HUGE[name], "", CONVENTIONS)
    assert time.process_time() - start < SECONDS
    assert not result.equal or (name, reference) in {
        ("nested text", "7"),
        ("many signs", "7"),
        ("boxes", "7"),
    }


@pytest.mark.load
@pytest.mark.parametrize("name", HUGE)
def test_huge_references_are_read_in_bounded_time(name: str) -> None:
    start = time.process_time()
    read(HUGE[name], CONVENTIONS)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize(
    "name", ["power tower", "too long", "nested brackets", "large exponent in e-notation"]
)
def test_a_bound_is_named_limit(name: str) -> None:
    assert compare("7", HUGE[name], "", CONVENTIONS).reason == "limit"


@pytest.mark.parametrize(
    ("inside", "beyond"),
    [
        ("2^{1000}", "2^{100000}"),
        ("800!/799!", "1001!/1000!"),
        (r"\binom{1000}{1}", r"\binom{1001}{1}"),
        ("(2+" * 29 + "5" + ")" * 29, "(2+" * 31 + "5" + ")" * 31),
        ("+".join(["1"] * 900), "+".join(["1"] * 1100)),
    ],
)
def test_each_bound_holds_on_both_sides(inside: str, beyond: str) -> None:
    assert compare(inside, f"0+{inside}", "", CONVENTIONS).outcome == "equal"
    assert compare(beyond, f"0+{beyond}", "", CONVENTIONS).outcome == "undecided"


CODE = [
    "__import__('os').system('touch {path}')",
    "exec(\"open('{path}', 'w')\")",
    "open('{path}','w').write('x')",
    "lambda: open('{path}','w')",
    "().__class__.__bases__[0].__subclasses__()",
    "Symbol('x')/open('{path}','w').read()",
    'sympify(\'open("{path}","w")\')',
    "\\input{{{path}}}",
    "$(touch {path})",
    "5; import os; os.remove('{path}')",
]


@pytest.mark.parametrize("code", CODE)
def test_code_in_an_answer_is_text(code: str, tmp_path: Path) -> None:
    target = tmp_path / "made"
    text = code.replace("{path}", str(target)).replace("{{", "{").replace("}}", "}")
    assert not compare("5", text, "", CONVENTIONS).equal
    assert not compare(text, "5", "", CONVENTIONS).equal
    assert not target.exists()


@pytest.mark.parametrize("text", ["", " ", "$$", r"\text{}", "{}", r"\boxed{}", "\u200b", r"\,"])
def test_nothing_is_no_answer(text: str) -> None:
    assert isinstance(read(text, CONVENTIONS), Unreadable)
    assert compare(text, text, "", CONVENTIONS).outcome == "undecided"
