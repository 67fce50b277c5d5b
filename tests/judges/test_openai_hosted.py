"""Hosted judges and gateways: keys and headers, addresses with a query, a limit on requests, models that reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.errors import ConfigError, Fault
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.backends.openai_dialect import REASONING_ROOM, Dialect, Form, forms
from hybridverify.judges.backends.openai_pace import Pace
from hybridverify.judges.backends.openai_said import MOST_CHARS, said
from hybridverify.judges.backends.openai_settings import address
from hybridverify.judges.base import Message, Prompt, Reply, Request, Sampling, Subject
from hybridverify.judges.llm import LLMJudge
from tests.judges.server import Asked, Behaviour, JudgeServer

GREEDY = Sampling()
CHAT = [Prompt(messages=(Message("user", "equal?"),))]


def backend(server: JudgeServer, **options: Any) -> OpenAIBackend:
    return OpenAIBackend("m", **{"base_url": server.url, "backoff_s": 0.01, "timeout_s": 20.0, **options})


def ask(made: OpenAIBackend, prompts: list[Prompt] = CHAT, sampling: Sampling = GREEDY) -> list[Any]:
    try:
        return made.complete(prompts, sampling)
    finally:
        made.close()


# ---- keys, headers, addresses


def test_headers_are_sent_and_a_variable_stands_for_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HV_TEST_GATE", "gate-secret")
    headers = {"api-key": "${HV_TEST_GATE}", "X-Title": "judge of answers"}
    with JudgeServer() as server:
        made = backend(server, headers=headers)
        assert isinstance(ask(made)[0], Reply)
        (asked,) = server.asked
    assert (asked.headers["api-key"], asked.headers["x-title"]) == ("gate-secret", "judge of answers")
    assert "authorization" not in asked.headers
    assert "gate-secret" not in repr(made) + repr(vars(made)) + repr(made.identity())


def test_a_header_replaces_the_key_in_any_spelling_and_is_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HV_TEST_KEY", "key-one")
    with JudgeServer() as server:
        ask(backend(server, headers={"AUTHORIZATION": "Basic abc"}, api_key_env="HV_TEST_KEY"))
        ask(backend(server, headers={"X-Team": "a"}, api_key_env="HV_TEST_KEY"))
        ask(backend(server))
    found = [asked.headers["authorization"] for asked in server.asked]
    assert found == ["Basic abc", "Bearer key-one", "Bearer EMPTY"]


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({"a b": "c"}, "'a b' is no name of a header"),
        ({"": "c"}, "no name of a header"),
        ({"x": "two\nlines"}, "the value of x"),
        ({"x": 7}, "the value of x"),
        ({"x": "schlüssel"}, "the value of x"),
        ({"Host": "elsewhere"}, "Host is set by the client"),
        (["x=y"], "expected names and values"),
        ({"x": "${HV_TEST_NOT_THERE}"}, "the variable HV_TEST_NOT_THERE is not set"),
    ],
)
def test_wrong_headers_are_refused_when_the_backend_is_made(headers: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        OpenAIBackend("m", "localhost:1", headers=headers)


@pytest.mark.parametrize("options", [{"rpm": -1}, {"rpm": "60"}, {"rpm": True}, {"model_check": "no"}])
def test_wrong_limits_are_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"backend.{next(iter(options))}"):
        OpenAIBackend("m", "localhost:1", **options)


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ("https://r.example/openai/v1/", "https://r.example/openai/v1"),
        (
            "https://r.example/openai/deployments/d?api-version=1",
            "https://r.example/openai/deployments/d?api-version=1",
        ),
        ("https://r.example/api/v1/chat/completions", "https://r.example/api/v1"),
        ("https://r.example/d/chat/completions?api-version=1", "https://r.example/d?api-version=1"),
        ("r.example/v1/decisions", "http://r.example/v1"),
        ("https://r.example/models", "https://r.example/v1"),
    ],
)
def test_an_address_is_taken_as_people_copy_it(given: str, full: str) -> None:
    assert address(given) == full


def test_the_query_of_an_address_goes_with_every_request() -> None:
    with JudgeServer() as server:
        url = server.url.replace("/v1", "/openai/deployments/d") + "?api-version=2024-10-21"
        assert isinstance(ask(backend(server, base_url=url))[0], Reply)
        assert [asked.path for asked in server.asked] == [
            "/openai/deployments/d/chat/completions?api-version=2024-10-21"
        ]


def test_without_the_model_check_nobody_asks_for_a_list() -> None:
    with JudgeServer(models=("other",)) as server:
        assert isinstance(ask(backend(server, model_check=False))[0], Reply)
        assert server.models_asked == 0
        with pytest.raises(hv.HybridVerifyError, match="--no-model-check"):
            ask(backend(server))


def test_a_pace_spreads_requests_over_the_minute() -> None:
    now = [0.0]
    pace = Pace(60, clock=lambda: now[0])
    assert [pace.wait_s() for _ in range(3)] == [0.0, 1.0, 2.0]
    now[0] = 10.0
    assert pace.wait_s() == 0.0
    assert [Pace(0).wait_s() for _ in range(3)] == [0.0] * 3


def test_a_limit_on_requests_counts_every_try() -> None:
    with JudgeServer(script=[Behaviour(500)]) as server:
        made = backend(server, rpm=6000)
        assert isinstance(ask(made, CHAT * 5)[0], Reply)
        assert len(server.asked) == 6


# ---- what a server said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"error": {"message": "no such field: top_k", "type": "x"}}', "no such field: top_k"),
        (
            '{"detail": [{"loc": ["body"], "msg": "Field required"}, {"msg": "and more"}]}',
            "Field required; and more",
        ),
        ('{"message": "Access denied."}', "Access denied"),
        ('{"error": "overdrawn"}', "overdrawn"),
        ("plain words", "plain words"),
        ("<html><head><style>b{}</style><title>403 Forbidden</title></head></html>", "403 Forbidden"),
        ('{"error": {"message": "Incorrect key: sk-ab12**********wxyz."}}', "Incorrect key: ***"),
        ('{"error": {"message": "key my-very-own is revoked"}}', "key *** is revoked"),
        ('{"error": {"message": "bad (request id: 20261129abcdef)"}}', "bad"),
        ('{"error": {"message": "red \\u001b[31m\\nline"}}', "red \\x1b[31m line"),
        ("", ""),
        ("[" * 3000, "[" * (MOST_CHARS - 3) + "..."),
        ('{"error": {"error": {"error": {"error": {"error": "deep"}}}}}', None),
    ],
)
def test_the_words_of_a_server_are_one_short_line_without_keys(text: str, line: str | None) -> None:
    found = said(text, ["my-very-own", ""])
    assert len(found) <= MOST_CHARS
    assert "\n" not in found
    assert line is None or found == line


def test_no_key_of_ours_comes_back_in_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HV_TEST_KEY", "plainword")
    monkeypatch.setenv("HV_TEST_GATE", "gateword")
    text = json.dumps({"error": {"message": "keys plainword and gateword are unknown"}})
    with JudgeServer(always=Behaviour(401, text=text)) as server:
        headers = {"X-Gate": "${HV_TEST_GATE}"}
        (failure,) = ask(backend(server, api_key_env="HV_TEST_KEY", headers=headers))
    assert failure.reason.startswith("the judge refused the API key (401): keys *** and *** are unknown; ")


def test_an_empty_account_is_not_asked_again() -> None:
    text = '{"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}'
    with JudgeServer(always=Behaviour(429, text=text)) as server:
        (failure,) = ask(backend(server))
        assert len(server.asked) == 1
    assert failure.fault is Fault.SETTINGS
    assert failure.reason.endswith("You exceeded your current quota; the account has no credit left")


# ---- models that reason


class Reasoner:
    """Refuses what OpenAI's reasoning models refuse, in their words; `server.always` for a JudgeServer."""

    def __init__(self, *refused: str, words: str = "openai") -> None:
        self.refused, self.words = refused, words

    def __call__(self, asked: Asked) -> Behaviour | None:
        for name in self.refused:
            if name in asked.body:
                return Behaviour(400, text=json.dumps(self._refusal(name)))
        return None

    def _refusal(self, name: str) -> dict[str, Any]:
        hint = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
        if self.words == "openai":
            message = f"Unsupported parameter: '{name}' is not supported with this model.{hint}"
            return {"error": {"message": message, "param": name, "code": "unsupported_parameter"}}
        return {"detail": [{"type": "extra_forbidden", "msg": f"`{name}` is not permitted.{hint}"}]}


@pytest.fixture(params=["openai", "gateway"])
def reasoner(request: pytest.FixtureRequest) -> Iterator[JudgeServer]:
    with JudgeServer(
        reply=lambda prompt: "ACCEPT", judging=Reasoner("max_tokens", "temperature", words=request.param)
    ) as server:
        yield server


def test_a_reasoning_model_is_found_out_and_said_once(
    reasoner: JudgeServer, caplog: pytest.LogCaptureFixture
) -> None:
    made = backend(reasoner)
    judge = LLMJudge("generic", made)
    assert "sent" not in judge.identity()
    prepared = judge.prepare([Subject(sample, "Ulm") for sample in SAMPLES])
    verdicts = judge.decide([one for one in prepared if isinstance(one, Request)])
    made.close()
    assert {verdict.outcome.value for verdict in verdicts} == {"correct"}
    body = reasoner.asked[-1].body
    assert body["max_completion_tokens"] == REASONING_ROOM
    assert not {"max_tokens", "temperature"} & set(body)
    assert judge.identity()["sent"] == {"without": ["temperature"], "max_completion_tokens": REASONING_ROOM}
    told = [record.getMessage() for record in caplog.records]
    assert [sum(part in line for line in told) for part in ("takes no temperature", "reasons before")] == [
        1,
        1,
    ]


SAMPLES = [
    hv.Sample(
        f"The town is called Ulm {number}, I believe.", "Neu-Ulm", f"Where was he born, guest {number}?"
    )
    for number in range(12)
]


def grades(server: JudgeServer, cache: Path | None, **options: Any) -> tuple[list[hv.Grade], dict[str, Any]]:
    judge = {
        "preset": "generic",
        "backend": {"name": "openai", "model": "m", "base_url": server.url, "backoff_s": 0.01},
    }
    with hv.Verifier(judges=[judge], policy="judge_only", cache=cache, guards=None, **options) as verifier:
        return verifier.grade(SAMPLES), dict(verifier.stats["judge"])


def test_what_was_sent_enters_key_and_fingerprint_and_the_cache_is_found_again(
    reasoner: JudgeServer, tmp_path: Path
) -> None:
    first, stats = grades(reasoner, tmp_path)
    assert {grade.score for grade in first} == {1.0}
    assert (stats["called"], stats["failed"], stats["cached"]) == (12, 0, 0)
    again, stats = grades(reasoner, tmp_path)
    assert (stats["called"], stats["cached"]) == (0, 12)
    assert [grade.to_dict() for grade in again] == [grade.to_dict() for grade in first]
    with JudgeServer(reply=lambda prompt: "REJECT") as plain:  # it takes a temperature of 0
        others, stats = grades(plain, tmp_path)
    assert (stats["called"], stats["cached"]) == (12, 0)
    assert {grade.score for grade in others} == {0.0}
    assert {grade.fingerprint for grade in others} & {grade.fingerprint for grade in first} == set()


def test_calls_that_were_refused_for_their_form_are_not_spent(reasoner: JudgeServer) -> None:
    told, stats = grades(reasoner, None, max_calls=12)
    assert {grade.score for grade in told} == {1.0}
    assert stats["called"] == 12


def test_a_fingerprint_of_another_form_is_adopted_and_one_of_other_settings_is_not(
    reasoner: JudgeServer,
) -> None:
    first, _ = grades(reasoner, None)
    judge = {"preset": "generic", "backend": {"name": "openai", "model": "m", "base_url": reasoner.url}}
    with hv.Verifier(judges=[judge], policy="judge_only", cache=None, guards=None) as verifier:
        plain = verifier.fingerprint()
        assert not verifier.adopts("", "another")
        assert verifier.fingerprint() == plain
        assert verifier.adopts("", first[0].fingerprint)
        assert verifier.fingerprint() == first[0].fingerprint != plain
        assert verifier.adopts("", plain)
        asked = len(reasoner.asked)
        assert verifier.grade(SAMPLES[:1])[0].score == 1.0
        assert len(reasoner.asked) == asked + 1  # nothing had to be found out


def test_an_unreadable_reply_is_asked_again_even_if_a_seed_is_refused(tmp_path: Path) -> None:
    with JudgeServer(reply=lambda prompt: "maybe", judging=Reasoner("seed")) as server:
        told, _ = grades(server, tmp_path)
    assert {grade.outcome.value for grade in told} == {"unparseable"}


@pytest.mark.parametrize(
    ("status", "message", "param", "learnt"),
    [
        (
            400,
            "Unsupported value: 'temperature' does not support 0.0 with this model.",
            "temperature",
            "temperature",
        ),
        (422, "temperature: Extra inputs are not permitted", None, "temperature"),
        (400, "`top_p` is deprecated for this model.", None, "top_p"),
        (400, "max_tokens is not supported, use max_completion_tokens", None, "reasons"),
        (400, "max_tokens is too large: 16; the maximum context length is 8", "max_tokens", ""),
        (
            400,
            "'max_tokens' or 'max_completion_tokens' is too large for the context length",
            "max_tokens",
            "",
        ),
        (400, "the prompt talks of temperature", None, ""),
        (400, "Unknown parameter: 'logprobs'; temperature is fine", "logprobs", ""),
        (500, "temperature is not supported", "temperature", ""),
        (404, "temperature is not supported", "temperature", ""),
        (400, "my_temperature is not supported", None, ""),
    ],
)
def test_which_refusals_teach(status: int, message: str, param: str | None, learnt: str) -> None:
    dialect = Dialect("host")
    sent = {"temperature": 0.0, "top_p": 0.9, "max_tokens": 16, "messages": []}
    text = json.dumps({"error": {"message": message, "param": param}})
    assert dialect.learn(status, text, sent, Form()) is bool(learnt)
    wanted = (
        Form() if not learnt else Form(reasons=True) if learnt == "reasons" else Form(frozenset({learnt}))
    )
    assert dialect.form == wanted
    # The same refusal of what is no longer sent tells nothing.
    assert not dialect.learn(status, text, dialect.form.apply(sent), dialect.form)


def test_the_users_own_fields_are_never_taken_out() -> None:
    dialect = Dialect("host", kept={"temperature": 1})
    text = json.dumps({"error": {"message": "temperature is not supported", "param": "temperature"}})
    assert not dialect.learn(400, text, {"temperature": 1}, Form())


def test_every_form_has_its_own_identity() -> None:
    identities = [json.dumps(form.identity()) for form in forms()]
    assert len(set(identities)) == len(identities) == 16
    assert identities[0] == "{}"


def test_a_reply_that_is_only_reasoning_is_no_label_and_gets_more_room(tmp_path: Path) -> None:
    def only_thought(reply: dict[str, Any]) -> dict[str, Any]:
        message = {"role": "assistant", "content": None, "reasoning_content": "ACCEPT or not"}
        return {**reply, "choices": [{"index": 0, "message": message, "finish_reason": "length"}]}

    with JudgeServer(reply=lambda prompt: "ACCEPT", script=[Behaviour(edit=only_thought)] * 12) as server:
        told, _ = grades(server, None)
    assert {grade.score for grade in told} == {1.0}
    assert sorted({asked.body["max_tokens"] for asked in server.asked}) == [16, 32]
    assert {asked.body["temperature"] for asked in server.asked} == {0.0}
