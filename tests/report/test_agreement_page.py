"""The agreement page: self-contained, inert whatever the rows hold, and the same for the same figures."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser

import pytest

from hybridverify.agreement import Agreement, agreement
from hybridverify.agreement.cases import Case, Setup
from hybridverify.agreement.extra import require_extra
from hybridverify.agreement.rows import LabelledRow
from hybridverify.agreement.text import printable, summary_line
from hybridverify.errors import ConfigError
from hybridverify.policies import make_policy
from hybridverify.report import agreement_page
from hybridverify.report.embed import source_hash
from hybridverify.types import Outcome, Sample, Verdict

HOSTILE = (
    "</svg></style></title><script>alert(1)</script><img src=x onerror=alert(2)>\" onload='x()' {{ 7*7 }} $x$"
)
OWN = {
    "html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "article", "dialog", "form",
    "h1", "h2", "p", "dl", "dt", "dd", "div", "span", "strong", "small", "i", "kbd", "a", "button", "label", "input",
    "output", "select", "noscript", "figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td", "details",
    "summary", "script", "svg", "line", "circle", "rect", "polyline", "text",
}  # fmt: skip
"""The elements that the page itself has."""
EMPTY = ("meta", "input")


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        self.text = self.text.replace("\0", " ")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\0"

    def drawings(self) -> int:
        return sum(tag == "svg" for tag, _ in self.elements)


def cases(text: str = "plain") -> list[Case]:
    """Rows of every kind: rescued, vetoed, agreed, gated, failed; texts are `text` wherever a text can be."""
    made = []
    for index in range(24):
        rule = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNDECIDED)[index % 3]
        p_yes = (index * 7 % 24) / 24
        said = Outcome.CORRECT if p_yes >= 0.5 else Outcome.INCORRECT
        vote = Verdict(
            said, float(said is Outcome.CORRECT), f"judge:{text}", text, text, p_yes=p_yes, p_mass=1.0
        )
        if index == 5:
            vote = Verdict(Outcome.FAILED, 0.0, f"judge:{text}", "", text)
        made.append(
            Case(
                index % 2 == 0,
                Verdict(rule, float(rule is Outcome.CORRECT), f"rule:{text}", text, text),
                () if index == 4 else (vote,),
                f"gate: {text}" if index == 4 else "",
                groups={"data_source": text, f"column {text}": f"{index % 2} {text}"},
                number=index + 1,
                place=f"row {index + 1} of {text}",
                question=text,
                reference=text,
                response=text,
            )
        )
    return made


@lru_cache
def judged(text: str = "plain") -> Agreement:
    return agreement(cases(text), Setup(make_policy("addon"), weights=(1.0,), judges=(text,)), {"asked": 23})


def report_page(found: Agreement, facts: dict[str, str]) -> str:
    return agreement_page(found, rows_of(found), facts)


def rows_of(found: Agreement) -> Iterator[LabelledRow]:
    for case in found.cases:
        sample = Sample(case.response, case.reference, case.question, case.groups.get("data_source", ""))
        yield LabelledRow(sample, case.label, case.number, case.place, case.groups)


def data_of(page: str) -> dict[str, object]:
    """The rows that the page holds."""
    text = page.partition('id="data">')[2].partition("</script>")[0]
    data: dict[str, object] = json.loads(text)
    return data


@lru_cache
def hostile_page() -> Page:
    return Page(report_page(judged(HOSTILE), {"inputs": HOSTILE}))


@lru_cache
def plain_page() -> str:
    return report_page(judged(), {"inputs": "rows.jsonl"})


def test_hostile_texts_are_shown_and_do_nothing() -> None:
    page = hostile_page()
    assert page.open == []
    assert {tag for tag, _ in page.elements} <= OWN
    assert sum(tag == "script" for tag, _ in page.elements) == 3
    for tag, attributes in page.elements:
        assert not {name for name in attributes if name.startswith("on")} | {"src", "srcset", "style"} & set(
            attributes
        )
        assert "action" not in attributes
        assert (attributes.get("href") or "#").startswith("#"), tag
    assert page.text.count(HOSTILE) > 4


def test_rows_are_data_without_markup() -> None:
    page = report_page(judged(HOSTILE), {})
    data = page.partition('id="data">')[2].partition("</script>")[0]
    assert not re.search("[<>&\u2028\u2029]", data)
    rows = data_of(page)["rows"]
    assert isinstance(rows, dict)
    assert HOSTILE in rows["texts"]


def test_the_page_needs_nothing_from_outside() -> None:
    page = Page(plain_page())
    assert not [
        tag for tag, _ in page.elements if tag in ("img", "link", "iframe", "object", "embed", "base")
    ]
    own = re.sub(r"<script.*?</script>", "", plain_page(), flags=re.DOTALL)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", own)
    style, script, katex = re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", plain_page(), re.DOTALL)
    policy = [a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == [
        f"default-src 'none'; script-src {source_hash(script)} {source_hash(katex)}; "
        f"style-src {source_hash(style)}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    ]


def test_tables_hold_the_figures_of_every_grader() -> None:
    found = judged()
    text = Page(plain_page()).text
    for name, member in found.members().items():
        assert re.search(rf"\b{name}\b", text)
        assert f"{member.whole.figures.values['accuracy']:.1%}" in text
        for metric in ("kappa", "j", "recall", "fpr"):
            assert f"{member.whole.figures.values[metric]:.3f}" in text
        low, high = member.whole.figures.intervals["j"] or (0.0, 0.0)
        assert f"{low:.3f}–{high:.3f}" in text
    assert summary_line(found) in text
    assert "rows.jsonl" in text
    for title in ("By data_source", "judge by threshold", "Rules against judge", "Calibration", "Confusion"):
        assert title in text
    assert Page(plain_page()).drawings() > 3 * len(found.members())


def test_disagreements_with_the_label_are_marked() -> None:
    found = judged()
    rows = data_of(plain_page())["rows"]
    assert isinstance(rows, dict)
    at = rows["fields"].index("disagreement")
    differing = [row[0] - 1 for row in rows["rows"] if row[at] & 24]
    assert differing == list(found.hybrid[found.main].disagreements)


def test_without_a_judge_the_page_tells_of_rules_alone() -> None:
    page = Page(report_page(agreement(cases(), Setup()), {}))
    assert "threshold" not in page.text.partition('"settings"')[0]
    assert "Rules against judge" not in page.text


def test_undefined_figures_are_dashes() -> None:
    right = [Case(True, Verdict(Outcome.CORRECT, 1.0, "rule:r"))]
    text = Page(report_page(agreement(right, Setup()), {})).text.partition('"settings"')[0]
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)
    assert "None" not in text
    assert re.search(r"100\.0%\s+100\.0–100\.0\s+–\s+–", text)  # kappa and J have nothing to divide by


def test_characters_that_steer_or_cannot_be_written_are_written_out() -> None:
    text = report_page(judged("a\x1b[31m\u202eb\ud800\x00"), {})
    assert "a\\x1b[31m\\u202eb\\ud800\\x00" in text
    text.encode("utf-8")
    assert printable("é\u00a0漢\n\t∑") == "é\u00a0漢\n\t∑"


def test_a_missing_package_is_named_with_the_command_that_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    expected = 'agreement needs scikit-learn, which is not installed: pip install "hybridverify[report]"'
    with pytest.raises(ConfigError) as caught:
        require_extra()
    assert str(caught.value) == expected


def test_the_page_needs_neither_jinja2_nor_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("jinja2", "matplotlib"):
        monkeypatch.setitem(sys.modules, module, None)
    require_extra()
    assert report_page(judged(), {"inputs": "rows.jsonl"}) == plain_page()


def test_the_same_figures_give_the_same_bytes() -> None:
    again = agreement(cases(), Setup(make_policy("addon"), weights=(1.0,), judges=("plain",)), {"asked": 23})
    assert report_page(again, {"inputs": "rows.jsonl"}) == plain_page()
