"""`hybridverify judge try`: what it shows, and how it ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from hybridverify.cli import main  # noqa: E402
from hybridverify.cli.trial import PAIRS  # noqa: E402
from hybridverify.judges.presets import PRESETS  # noqa: E402
from tests.judges.decisions_server import NO_PATH, DecisionsServer  # noqa: E402
from tests.judges.server import Behaviour, JudgeServer  # noqa: E402
from tests.judges.test_openai_hosted import Reasoner  # noqa: E402


def tried(*arguments: object) -> int:
    return main(["judge", "try", *map(str, arguments)])


def oracle(prompt: object) -> str:
    """Knows the right answers by the built-in pairs."""
    right = [pair.answer for pair in PAIRS if pair.right]
    shown = str(prompt)
    answers = [pair.answer for pair in PAIRS if f"\n{pair.answer}\n" in shown]
    return "ACCEPT" if answers and answers[-1] in right else "REJECT"


def test_eight_pairs_are_shown_with_prompt_reply_reading_and_time(capsys: pytest.CaptureFixture[str]) -> None:
    with JudgeServer(reply=oracle) as server:
        assert tried("--preset", "generic", "--base-url", server.url) == 0
        assert len(server.asked) == len(PAIRS) == 8
        assert {asked.body["model"] for asked in server.asked} == {"m"}
    told = capsys.readouterr().out
    assert told.startswith("judge generic: model m, temperature 0, max_tokens 16, 8 pairs, one call each\n")
    assert "   sent  [system] You are an impartial grader" in told
    assert told.count("   came  ") == told.count("   read  ") == 8
    assert "read  correct (the judge says ACCEPT): as it should be; " in told
    assert "8 of 8 replies read, 8 as they should be; median " in told
    assert told.count("[system]") == 1


def test_full_shows_every_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    with JudgeServer(reply=oracle) as server:
        assert tried("--base-url", server.url, "--full") == 0
    assert capsys.readouterr().out.count("[system]") == 8


def test_replies_that_nobody_can_read_end_with_1_and_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with JudgeServer(reply=lambda prompt: "Sure!\x1b[31m\nWhat do you mean?") as server:
        assert tried("--preset", "generic", "--base-url", server.url) == 1
    told = capsys.readouterr().out
    assert "   came  Sure!\\x1b[31m\n         What do you mean?" in told
    assert "read  unparseable (the reply is no label): no verdict" in told
    assert "0 of 8 replies read, 0 as they should be" in told


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_tried(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    with JudgeServer(reply=lambda prompt: PRESETS[preset].samples["correct"]) as server:
        assert tried("--preset", preset, "--base-url", server.url) == 0
    assert "8 of 8 replies read, 4 as they should be" in capsys.readouterr().out


def test_typed_decisions_and_their_fallback_can_be_tried(capsys: pytest.CaptureFixture[str]) -> None:
    with DecisionsServer(likely=lambda text: 0.97) as server:
        assert tried("--preset", "decisions", "--base-url", server.url) == 0
    told = capsys.readouterr().out
    assert "P(yes) 0.970" in told
    assert "   came  Same" in told
    absent = {name: Behaviour(404, text=NO_PATH) for name in ("decisions", "systemone")}
    with DecisionsServer(reply=lambda prompt: "Different", lacks=absent) as server:
        assert tried("--preset", "decisions", "--base-url", server.url) == 0
        assert len(server.chats()) == 8
    assert "8 of 8 replies read, 4 as they should be" in capsys.readouterr().out


def test_a_model_that_reasons_is_found_out_here_too(capsys: pytest.CaptureFixture[str]) -> None:
    with JudgeServer(reply=oracle, judging=Reasoner("max_tokens", "temperature")) as server:
        assert tried("--base-url", server.url) == 0
    assert "8 of 8 replies read, 8 as they should be" in capsys.readouterr().out


def test_configured_judges_are_tried_one_after_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "c.json"
    judges = [
        {"preset": name, "backend": {"name": "scripted", "replies": "ACCEPT"}}
        for name in ("generic", "generic_cot")
    ]
    config.write_text(json.dumps({"policy": "addon", "judges": judges}), "utf-8")
    assert tried("--config", config) == 0
    told = capsys.readouterr().out
    assert "judge generic: " in told
    assert "judge generic_cot: " in told


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (("a", "b"), "--model: name the judge's model; the server has a, b"),
        (None, "--model: name the judge's model; the server shows no list of models"),
    ],
)
def test_a_model_that_cannot_be_chosen_is_asked_for(
    models: tuple[str, ...] | None, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with JudgeServer(models=models) as server:
        assert tried("--preset", "generic", "--base-url", server.url) == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.splitlines()) == 1  # nothing of a check of a name that was not given


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--preset", "generik", "--base-url", "u:1", "--model", "m"], 2, "did you mean 'generic'"),
        (["--preset", "generic"], 2, "--preset needs an engine"),
        (["--config", "no-such.yaml"], 2, "no-such.yaml"),
        (["--base-url", "127.0.0.1:9", "--model", "m"], 3, "judge unreachable at 127.0.0.1"),
        (["--base-url", "127.0.0.1:9"], 3, "judge unreachable at 127.0.0.1"),
        (["--header", "x", "--base-url", "u:1"], 2, "--header"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str],
    code: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hybridverify.cli.trial.READY_S", 0.1)
    assert tried(*arguments) == code
    told = capsys.readouterr().err
    assert message in told
    assert len(told.splitlines()) == 1


def test_a_wrong_key_ends_with_3_and_says_what_the_server_said(capsys: pytest.CaptureFixture[str]) -> None:
    with JudgeServer(
        models=None, always=Behaviour(401, text='{"error": {"message": "no such key"}}')
    ) as server:
        assert tried("--base-url", server.url, "--model", "m", "--no-model-check") == 3
    assert (
        "judge generic: the judge refused the API key (401): no such key; name the variable"
        in capsys.readouterr().err
    )
