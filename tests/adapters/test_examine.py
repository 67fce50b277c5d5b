"""The rows that a trainer asks to see: how many, and that their text cannot touch the terminal."""

from __future__ import annotations

import io
import sys

import pytest
from hybridverify.adapters.examine import MAX_CHARACTERS, print_rows, printable

from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict

RIGHT = Grade(1.0, True, Outcome.CORRECT, Verdict(Outcome.CORRECT, 1.0, "rule:x", "7"), SKIPPED)


def shown(samples: list[Sample], count: int) -> None:
    print_rows(samples, [RIGHT] * len(samples), [1.0] * len(samples), count)


def test_so_many_rows_of_each_data_source_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    samples = [Sample(f"response {i}", "7", "2+5?", source) for i, source in enumerate("aabab")]
    shown(samples, 2)
    text = capsys.readouterr().out
    assert [f"response {i}" in text for i in range(5)] == [True, True, True, False, True]
    assert "[prompt] 2+5?\n[response] response 0\n[ground_truth] 7\n[score] 1.0\n[status] correct\n" in text


def test_none_is_printed_where_none_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    shown([Sample("r", "7")], 0)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\r", "\n[score] 0.0", "\u202e", "\x00", "\x9b31m", "\ud800"])
def test_control_characters_are_escaped(hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown([Sample(f"a{hostile}b", f"c{hostile}", f"d{hostile}", f"e{hostile}")], 1)
    text = capsys.readouterr().out
    assert hostile not in text
    assert len(text.splitlines()) == 6
    assert all(character.isprintable() or character == "\n" for character in text)


def test_mathematics_and_other_writing_stay_as_they_are() -> None:
    for text in (r"\frac{1}{2}", "因此结果为9。", "π ≈ 3.14", "a\tb".replace("\t", " ")):
        assert printable(text) == text


def test_a_long_text_is_trimmed_in_the_middle() -> None:
    text = printable("first " + "x" * 50_000 + " last")
    assert text.startswith("first ")
    assert text.endswith(" last")
    assert f"[... {50_011 - MAX_CHARACTERS} characters ...]" in text
    assert len(text) < MAX_CHARACTERS + 50


def test_a_screen_that_lacks_a_character_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    shown([Sample("π", "7")], 1)
    assert b"[response] \\u03c0\n" in raw.getvalue()
