"""Options about the judge's server, and runs that a judge is of no use to: what they say, cost, and end with."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import hybridverify as hv  # noqa: E402
from hybridverify.cli import main  # noqa: E402
from hybridverify.cli.judge_options import ServerOptions, with_probe  # noqa: E402
from hybridverify.cli.settings import JudgeOptions, verifier_settings  # noqa: E402
from hybridverify.errors import InputError, NoUsableReply  # noqa: E402
from hybridverify.testing import ScriptedJudge  # noqa: E402
from tests.judges.server import Behaviour, JudgeServer  # noqa: E402
from tests.judges.test_openai_hosted import Reasoner  # noqa: E402


def rows(path: Path, count: int, label: bool = False) -> Path:
    told = [
        {
            "question": f"Whose river is number {n}?",
            "reference": "Danube",
            "response": f"It is called river {n}.",
        }
        for n in range(count)
    ]
    lines = [json.dumps({**row, "label": False} if label else row) + "\n" for row in told]
    path.write_text("".join(lines), "utf-8")
    return path


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def judged(server: JudgeServer, preset: str = "generic") -> list[str]:
    return ["--judge", preset, "--model", "m", "--base-url", server.url, "--no-cache"]


# ---- options of the server


def test_every_option_reaches_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HV_TEST_KEY", "k-1")
    with JudgeServer(reply=lambda prompt: "REJECT", api_key="k-1", models=("listed otherwise",)) as server:
        more = ["--api-key-env", "HV_TEST_KEY", "--header", "X-Title=a run", "--header", "X-B=${HV_TEST_KEY}"]
        more += ["--rpm", "6000", "--no-model-check"]
        source, out = rows(tmp_path / "in.jsonl", 3), tmp_path / "out.jsonl"
        assert run("grade", source, "-o", out, *judged(server), *more) == 0
        assert {(a.headers["x-title"], a.headers["x-b"]) for a in server.asked} == {("a run", "k-1")}
        assert server.models_asked == 0
    assert "k-1" not in out.read_text("utf-8")


def test_options_go_over_those_of_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    config.write_text(
        "policy: addon\nprobe: false\njudges: [{preset: tinyv, backend: {name: openai, model: m, base_url: u,"
        " rpm: 30, headers: {A: a, B: b}, model_check: false}}]\n",
        "utf-8",
    )
    server = ServerOptions.given("", ["B=c"], 60.0, False)
    settings = verifier_settings(config, judge=JudgeOptions(server=server))
    backend = settings["judges"][0]["backend"]
    assert (backend["headers"], backend["rpm"], backend["model_check"]) == ({"A": "a", "B": "c"}, 60.0, False)
    assert with_probe(settings, no_probe=False)["probe"] is False
    assert with_probe({"probe": None}, no_probe=False)["probe"] is True
    assert with_probe({"probe": True}, no_probe=True)["probe"] is False


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--header", "just-a-name"], "--header ...: expected NAME=VALUE"),
        (["--header", "=v"], "--header : expected NAME=VALUE"),
        (["--header", "X="], "--header X: expected NAME=VALUE"),
        (["--header", "a b=v"], "'a b' is no name of a header"),
        (["--header", "X=${HV_TEST_NOT_THERE}"], "the variable HV_TEST_NOT_THERE is not set"),
        (["--api-key-env", "HV_TEST_NOT_THERE"], "the variable HV_TEST_NOT_THERE is not set"),
        (["--rpm", "-1"], "--rpm"),
        (["--rpm", "many"], "--rpm"),
        (["--backend", "scripted", "--rpm", "5"], "backend.rpm: scripted has no such option"),
    ],
)
def test_a_wrong_option_is_one_line_and_exit_2(
    option: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = rows(tmp_path / "in.jsonl", 1)
    judge = ["--judge", "generic", "--model", "m"] + ([] if "--backend" in option else ["--base-url", "u:1"])
    assert run("grade", source, "-o", tmp_path / "out.jsonl", *judge, *option) == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.splitlines()) == 1


def test_a_header_without_a_judge_names_what_is_missing() -> None:
    with pytest.raises(hv.HybridVerifyError, match="need one judge, and no judge is configured"):
        verifier_settings(None, judge=JudgeOptions(server=ServerOptions(headers={"a": "b"})))
    with pytest.raises(InputError, match="expected NAME=VALUE"):
        ServerOptions.given("", ["secret"], 0.0, False)


def test_the_line_that_says_how_to_go_on_holds_no_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = rows(tmp_path / "in.jsonl", 300)
    answers = [Behaviour()] * 270

    with JudgeServer(reply=lambda prompt: "REJECT", script=answers, always=Behaviour(500)) as server:
        options = ["--header", "api-key=open-secret", "--no-progress"]
        assert run("grade", source, "-o", tmp_path / "out.jsonl", *judged(server), *options) == 3
    told = capsys.readouterr().err
    assert "--header api-key=..." in told.replace("'", "")
    assert "open-secret" not in told


# ---- judges of no use


def test_a_run_whose_first_replies_cannot_be_read_stops_before_it_costs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = rows(tmp_path / "in.jsonl", 100), tmp_path / "out.jsonl"
    with JudgeServer(reply=lambda prompt: "I am happy to help!\x1b[31m") as server:
        assert run("grade", source, "-o", out, *judged(server)) == 1
        assert len(server.asked) == 16  # eight, and each once more because it could not be read
    told = capsys.readouterr().err
    assert "judge generic: none of its first 8 replies can be read (the reply is no label, such as" in told
    assert "--no-probe" in told
    assert "\x1b" not in told
    assert not out.exists()


def test_no_probe_goes_on_and_the_end_says_that_nothing_was_usable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = rows(tmp_path / "in.jsonl", 20), tmp_path / "out.jsonl"
    with JudgeServer(reply=lambda prompt: "Happy to help!") as server:
        assert run("grade", source, "-o", out, *judged(server), "--no-probe") == 1
        assert len(server.asked) == 40
    assert (
        "warning: the judge gave no usable label for any of the 20 rows it was asked about "
        "(unparseable: the reply is no label)"
    ) in capsys.readouterr().err
    assert len(out.read_text("utf-8").splitlines()) == 20


def test_one_readable_reply_among_the_first_is_enough(tmp_path: Path) -> None:
    source = rows(tmp_path / "in.jsonl", 20)
    with JudgeServer(reply=lambda prompt: "REJECT" if "number 5?" in str(prompt) else "hm") as server:
        assert run("grade", source, "-o", tmp_path / "out.jsonl", *judged(server)) == 0


def test_a_panel_that_never_has_its_quorum_gives_no_usable_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = "{preset: tinyv, name: %s, backend: {name: scripted, replies: {river: 'as you like'}}}"
    conf = tmp_path / "panel.yaml"
    conf.write_text(f"policy: addon\njudges: [{entry % 'one'}, {entry % 'two'}]\n")
    given = rows(tmp_path / "in.jsonl", 3)
    assert run("grade", given, "-o", tmp_path / "o.jsonl", "-c", conf, "--no-cache", "--no-probe") == 1
    assert (
        "no usable label for any of the 3 rows it was asked about (undecided: no quorum"
        in capsys.readouterr().err
    )


def test_few_rows_are_no_probe_and_still_end_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = rows(tmp_path / "in.jsonl", 1)
    with JudgeServer(
        always=Behaviour(400, text='{"error": {"message": "no such field: \\u001b[1m"}}')
    ) as server:
        assert run("grade", source, "-o", tmp_path / "out.jsonl", *judged(server)) == 1
    told = capsys.readouterr().err
    assert (
        "for the 1 row it was asked about (failed: the judge refused the request (400): no such field" in told
    )
    assert "\x1b" not in told


def test_agree_stops_and_warns_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = rows(tmp_path / "in.jsonl", 20, label=True)
    with JudgeServer(reply=lambda prompt: "Happy to help!") as server:
        assert run("agree", source, *judged(server)) == 1
        assert len(server.asked) == 16
        capsys.readouterr()
        assert run("agree", source, *judged(server), "--no-probe") == 1
    assert "generic: the judge gave no usable label for any of the 20 rows" in capsys.readouterr().err


def samples(count: int) -> list[hv.Sample]:
    return [hv.Sample(f"It is called river {n}.", "Danube", "Whose river?") for n in range(count)]


def test_the_library_goes_on_unless_it_is_asked_to_stop() -> None:
    for probe, count in ((None, 20), (False, 20), (True, 8)):
        judge = ScriptedJudge("hm", retry_unparseable=False)
        with hv.Verifier(judges=[judge], policy="judge_only", probe=probe, guards=None) as verifier:
            if probe:
                with pytest.raises(NoUsableReply, match=r"first 8 replies"):
                    verifier.grade(samples(20))
            else:
                assert {grade.outcome.value for grade in verifier.grade(samples(20))} == {"unparseable"}
        assert len(judge.asked) == count


def test_replies_that_come_in_small_batches_are_counted_together() -> None:
    judge = ScriptedJudge("hm", retry_unparseable=False)
    with hv.Verifier(judges=[judge], policy="judge_only", probe=True, guards=None) as verifier:
        for sample in samples(7):
            verifier.grade([sample])
        with pytest.raises(NoUsableReply):
            verifier.grade(samples(9)[7:])


def test_the_configuration_takes_probe_and_refuses_other_words() -> None:
    with pytest.raises(hv.HybridVerifyError, match="probe"):
        hv.Verifier.from_config({"probe": "sometimes"})
    with pytest.raises(hv.HybridVerifyError, match="did you mean 'probe'"):
        hv.Verifier.from_config({"probes": True})
    hv.Verifier.from_config({"probe": True, "cache": None}).close()


# ---- a model that reasons, over several runs


def test_a_resumed_run_takes_the_rows_that_were_graded_in_the_form_that_was_found_out(tmp_path: Path) -> None:
    source, out, whole = rows(tmp_path / "in.jsonl", 300), tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    refuses = Reasoner("max_tokens", "temperature")
    config = tmp_path / "c.json"

    def configured(server: JudgeServer) -> list[object]:
        backend = {
            "name": "openai",
            "model": "m",
            "base_url": server.url,
            "max_retries": 0,
            "max_in_flight": 8,
        }
        judge = {"preset": "generic", "backend": {**backend, "backoff_s": 0.01}}
        config.write_text(json.dumps({"policy": "addon", "judges": [judge], "cache": None}), "utf-8")
        return ["grade", source, "--config", config, "-o"]

    with JudgeServer(reply=lambda prompt: "REJECT", judging=refuses) as server:
        assert run(*configured(server), whole) == 0
    dying = [Behaviour()] * 260
    with JudgeServer(
        reply=lambda prompt: "REJECT", judging=refuses, script=dying, always=Behaviour(500)
    ) as server:
        assert run(*configured(server), out) == 3
    with JudgeServer(reply=lambda prompt: "REJECT", judging=refuses) as server:
        assert run(*configured(server), out, "--resume") == 0
        assert not any(
            "temperature" in asked.body for asked in server.asked
        )  # known from the rows that were kept
        assert run(*configured(server), out, "--resume") == 0
    assert out.read_bytes() == whole.read_bytes()
    with JudgeServer(reply=lambda prompt: "REJECT") as server:
        other = [*configured(server), out, "--resume", "--policy", "mixed"]
        assert run(*other) == 2
