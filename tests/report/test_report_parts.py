"""Texts cut, rows chosen, data escaped: what the page is made of."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from hybridverify.report import page as report_page
from hybridverify.report.charts import Axis
from hybridverify.report.contradictions import (
    ASKED_AGAIN,
    BETWEEN_JUDGES,
    RULE_AND_JUDGE,
    deciding_tier,
    disagreements,
)
from hybridverify.report.cut import cut, find_answer
from hybridverify.report.embed import json_text, written_size
from hybridverify.report.rows import GradedRow, Limits, grade_of
from hybridverify.report.sample import MAX_ROWS, KeptRows, RowSample
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict
from tests.report import report_rows
from tests.report.chromium import run_page


def test_katex_is_the_unmodified_release_with_its_licence() -> None:
    source = (report_page.ASSETS / "katex.min.js").read_bytes()
    assert hashlib.sha256(source).hexdigest() == report_page.KATEX_SHA256
    assert "MIT" in (report_page.ASSETS / "katex-LICENSE.txt").read_text()
    assert b"</script" not in source.lower()


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        (r"First \boxed{3}, no: \boxed{4}. Or 4?", "4", (28, 29)),
        ("#### 12\nthat is 12 in all", "12", (5, 7)),
        ("it is 112, 12.5 or 12", "12", (19, 21)),
        ("only 112", "12", None),
        ("any", "", None),
        ("x" * 400, "x" * 400, None),
        ("1" * 4000, "11", None),
    ],
)
def test_the_last_marked_answer_is_found(text: str, answer: str, expected: tuple[int, int] | None) -> None:
    assert find_answer(text, answer) == expected


def test_a_long_text_keeps_its_ends_and_the_passage_of_the_answer() -> None:
    text = "a" * 5000 + r" so \boxed{42} " + "b" * 5000
    shown, place = cut(text, 1000, "42")
    assert isinstance(shown, list)
    parts = [part for part in shown if isinstance(part, str)]
    assert len("".join(parts)) < 1600
    assert sum(part if isinstance(part, int) else len(part) for part in shown) == len(text)
    assert (parts[0][0], parts[-1][-1]) == ("a", "b")
    assert place is not None
    part = shown[place[0]]
    assert isinstance(part, str)
    assert part[place[1] : place[2]] == "42"


def test_places_count_as_a_browser_counts() -> None:
    text = "𝑥 is 😀 and so 7"
    place = cut(text, 100, "7").answer
    assert place is not None
    units = text.encode("utf-16-le")
    assert units[2 * place[1] : 2 * place[2]].decode("utf-16-le") == "7"


def test_data_holds_no_markup_and_reads_back() -> None:
    value = ["</script><!--", "a & b", "\u2028\u2029", "half \ud83d", "😀", "\x00\x1b"]
    text = json_text(value)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == value
    assert written_size('"<a> & é"') == len(json_text("<a> & é").encode())


def held(number: int, length: int = 400, disagreement: int = 0, limits: Limits | None = None) -> GradedRow:
    sample = Sample(f"{number} " + "y" * length, "12", f"Question {number}", "s")
    grade = Grade(1.0, True, Outcome.CORRECT, report_rows.RIGHT, SKIPPED)
    return GradedRow(sample, grade, number, limits or Limits.sharing(1600), disagreement=disagreement)


def filled(count: int, max_bytes: int, order: int = 1, every: int = 50) -> KeptRows:
    rows = RowSample(count, max_bytes)
    for number in list(range(1, count + 1))[::order]:
        rows.offer(number, number % every == 0, lambda n=number: held(n, limits=rows.limits))  # type: ignore[misc]
    return rows.kept()


def test_rows_that_disagree_come_first_and_the_bytes_are_bounded() -> None:
    kept = filled(3000, 200_000)
    assert len(kept.data.encode()) <= 200_000 + 1000
    assert (kept.disagreeing, kept.disagreeing_kept) == (60, 60)
    assert set(range(50, 3001, 50)) <= set(kept.numbers)
    assert 150 < kept.rows < 1500
    others = [number for number in kept.numbers if number % 50]
    assert 1000 < sum(others) / len(others) < 2000  # from everywhere
    assert [row[0] for row in json.loads(kept.data)["rows"]] == list(kept.numbers)


def test_the_same_rows_are_kept_in_whatever_order_they_come() -> None:
    assert filled(2000, 100_000) == filled(2000, 100_000, order=-1)


def test_more_disagreements_than_fit_are_told() -> None:
    kept = filled(2000, 60_000, every=1)
    assert kept.disagreeing == 2000
    assert kept.disagreeing_kept == kept.rows < 2000


def test_no_more_rows_than_open_quickly_and_few_rows_cut_little() -> None:
    rows = RowSample(MAX_ROWS + 500)
    for number in range(1, MAX_ROWS + 501):
        rows.offer(number, False, lambda n=number: held(n, 1))  # type: ignore[misc]
    assert rows.kept().rows == MAX_ROWS
    assert RowSample(20).limits.response > 4 * RowSample(100_000).limits.response


def test_a_row_far_longer_than_its_limit_is_not_held_whole() -> None:
    light = held(1, 100_000).light()
    assert not isinstance(light, GradedRow)
    assert light.size() < 4000


def test_all_rows_of_a_large_run_within_ten_megabytes(tmp_path: Path) -> None:
    text = "We add 3 < 4 & so on. " * 200
    pairs = [
        (Sample(f"{text}{n} \\boxed{{12}}", "12", f"{text[:900]}{n}", "s"), report_rows.grade(n))
        for n in range(1, 12_001)
    ]
    path = run_page(tmp_path, pairs)
    page = path.read_text("utf-8")
    assert path.stat().st_size <= 10_000_000
    assert "of 12,000 rows" in page
    assert "rows are left out" in page
    assert "All rows that disagree are here" in page
    assert "out.jsonl" in page


@pytest.mark.parametrize(
    ("judge", "votes", "checks", "expected"),
    [
        (SKIPPED, (), (), 0),
        (report_rows.YES, (report_rows.YES,), (), RULE_AND_JUDGE),
        (report_rows.NO, (report_rows.NO,), (), 0),
        (report_rows.NO, (report_rows.NO, report_rows.YES), (), BETWEEN_JUDGES),
        (report_rows.NO, (report_rows.NO,), (Verdict(Outcome.CORRECT, 1.0, "swap:tinyv"),), ASKED_AGAIN),
        (report_rows.NO, (report_rows.NO,), (Verdict(Outcome.INCORRECT, 0.0, "swap:tinyv"),), 0),
        (report_rows.NO, (report_rows.NO,), (Verdict(Outcome.CORRECT, 1.0, "canary:tinyv"),), ASKED_AGAIN),
        (report_rows.NO, (report_rows.NO,), (Verdict(Outcome.UNDECIDED, 0.0, "translation:t"),), 0),
    ],
)
def test_who_contradicts_whom(
    judge: Verdict, votes: tuple[Verdict, ...], checks: tuple[Verdict, ...], expected: int
) -> None:
    grade = Grade(
        0.0, True, Outcome.INCORRECT, report_rows.WRONG, judge, votes, "p", "f", bool(votes), checks
    )
    assert disagreements(grade) == expected


def test_who_decided() -> None:
    told = [deciding_tier(report_rows.grade(kind)) for kind in range(5)]
    assert told == ["judge", "rule:exact", "rule:exact", "judge", "nobody"]
    gated = Verdict(Outcome.SKIPPED, 0.0, "gate", "", "no answer")
    assert deciding_tier(Grade(0.0, True, Outcome.INCORRECT, report_rows.OPEN, gated)) == "gate"


def test_a_row_of_an_earlier_run_is_read_from_its_columns() -> None:
    for kind in range(5):
        grade = report_rows.grade(kind)
        again = grade_of(grade.to_dict())
        assert again.to_dict() == grade.to_dict()
        assert deciding_tier(again) == deciding_tier(grade)


def test_axes_fit_their_intervals() -> None:
    assert Axis.around([(0.0, 1.0)]) == (0.0, 1.0)
    assert Axis.around([(0.97, 0.99)]) == (0.8, 1.0)
    assert Axis.around([(-0.12, 0.3)]).low == pytest.approx(-0.2)
    assert Axis(0.5, 1.0).percent(2.0) == "100.00%"
