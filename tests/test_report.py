"""The agreement page: self-contained, inert whatever the rows hold, and the same for the same figures."""

from __future__ import annotations

import base64
import re
import sys
from functools import lru_cache
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from hybridverify.agreement import Agreement, agreement
from hybridverify.agreement.cases import Case, Setup
from hybridverify.agreement.report import MAX_SHOWN, report_page, require_extra
from hybridverify.agreement.text import printable, summary_line
from hybridverify.errors import ConfigError
from hybridverify.policies import make_policy
from hybridverify.types import Outcome, Verdict

HOSTILE = (
    "</svg></style></title><script>alert(1)</script><img src=x onerror=alert(2)>\" onload='x()' {{ 7*7 }} $x$"
)
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "dl", "dt", "dd", "div", "table", "thead",
    "tbody", "tr", "th", "td", "br", "small", "img", "details", "summary",
}  # fmt: skip


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
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\0"

    def images(self) -> list[str]:
        return [attributes["src"] or "" for tag, attributes in self.elements if tag == "img"]


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


@lru_cache
def hostile_page() -> Page:
    return Page(report_page(judged(HOSTILE), {"inputs": HOSTILE}))


@lru_cache
def plain_page() -> str:
    return report_page(judged(), {"inputs": "rows.jsonl"})


def test_hostile_texts_are_shown_and_do_nothing() -> None:
    page = hostile_page()
    assert page.open == []
    assert {tag for tag, _ in page.elements} <= ALLOWED
    for _, attributes in page.elements:
        assert not [
            name for name in attributes if name.startswith("on") or name in ("href", "srcset", "action")
        ]
    assert page.text.count(HOSTILE) > 24


def test_the_page_needs_nothing_from_outside() -> None:
    text = plain_page()
    page = Page(text)
    assert len(page.images()) == 3
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.images())
    assert not re.search(r"https?:|//[a-z]|@import|url\(", re.sub(r'src="data:[^"]*"', "", text))
    policy = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


def test_plots_are_well_formed_drawings_without_scripts_or_links() -> None:
    for source in hostile_page().images():
        drawing = ElementTree.fromstring(base64.b64decode(source.partition(",")[2]))
        assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
        for element in drawing.iter():
            assert element.tag.rpartition("}")[2] not in ("script", "foreignObject", "a", "image")
            links = [value for name, value in element.attrib.items() if name.endswith("href")]
            assert all(link.startswith("#") for link in links)


def test_tables_hold_the_figures_of_every_grader() -> None:
    found = judged()
    text = Page(plain_page()).text
    for name, member in found.members().items():
        assert re.search(rf"\b{name}\b", text)
        assert f"{member.whole.figures.values['accuracy']:.3f}" in text
    assert summary_line(found) in text
    assert "rows.jsonl" in text
    for title in ("By data_source", "Thresholds over p_yes", "Rescues: ", "Vetoes: ", "Disagreements: "):
        assert title in text


def test_without_a_judge_the_page_tells_of_rules_alone() -> None:
    page = Page(report_page(agreement(cases(), Setup()), {}))
    assert len(page.images()) == 1
    assert "Thresholds" not in page.text
    assert re.findall(r"(Rescues|Vetoes|Disagreements): [0-9]", page.text) == ["Disagreements"]


def test_undefined_figures_are_dashes() -> None:
    right = [Case(True, Verdict(Outcome.CORRECT, 1.0, "rule:r"))]
    text = Page(report_page(agreement(right, Setup()), {})).text
    assert "nan" not in text.lower()
    assert "None" not in text
    assert re.search(r"1\.000\s*1\.000–1\.000\s*-", text)  # the rate over wrong rows has none to divide by


def test_long_lists_are_cut_and_say_so() -> None:
    found = agreement([Case(True, Verdict(Outcome.UNDECIDED))] * (MAX_SHOWN + 3), Setup())
    text = Page(report_page(found, {})).text
    assert f"Disagreements: {MAX_SHOWN + 3}" in text
    assert f"The first {MAX_SHOWN} are shown." in text


def test_characters_that_steer_or_cannot_be_written_are_written_out() -> None:
    text = report_page(judged("a\x1b[31m\u202eb\ud800\x00"), {})
    assert "a\\x1b[31m\\u202eb\\ud800\\x00" in text
    text.encode("utf-8")
    assert printable("é\u00a0漢\n\t∑") == "é\u00a0漢\n\t∑"


@pytest.mark.parametrize(
    ("module", "name"), [("sklearn", "scikit-learn"), ("jinja2", "jinja2"), ("matplotlib", "matplotlib")]
)
def test_a_missing_package_is_named_with_the_command_that_helps(
    module: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    expected = f'agreement needs {name}, which is not installed: pip install "hybridverify[report]"'
    with pytest.raises(ConfigError) as caught:
        require_extra(page=True)
    assert str(caught.value) == expected
    if module != "sklearn":
        require_extra(page=False)


def test_the_same_figures_give_the_same_bytes_under_any_settings_of_the_process() -> None:
    import matplotlib

    with matplotlib.rc_context({"axes.grid": False, "font.size": 20.0, "svg.fonttype": "none"}):
        assert report_page(judged(), {"inputs": "rows.jsonl"}) == plain_page()
