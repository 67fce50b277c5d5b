"""Reward models behind servers: vLLM's two forms, SGLang's, and servers that misbehave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.openai_wire import UnreadableReply
from hybridverify.judges.backends.scorer_http import HttpScorer
from hybridverify.judges.backends.scorer_wire import ScoreBody, read_scores, request_json
from hybridverify.judges.base import Failure, Message, Prompt
from hybridverify.types import Outcome
from tests.judges.score_server import ScoreServer

CHAT = Prompt(messages=(Message("user", "Q"), Message("assistant", "A")))
TEXTS = [Prompt(text=text) for text in ("a", "bb", "ccc")]


def size(prompt: Any) -> list[float]:
    return [float(len(prompt))]


def vllm(path: str, fields: dict[str, Any]) -> Any:
    """Scores by length, in another order: what counts is the index."""
    prompts = fields["input"] if "input" in fields else [fields["messages"]]
    rows = [{"index": n, "label": "L", "probs": size(p), "num_classes": 1} for n, p in enumerate(prompts)]
    return {"data": rows[::-1]}


def pooling(path: str, fields: dict[str, Any]) -> Any:
    return {"data": [{"index": n, "data": size(p)} for n, p in enumerate(fields["input"])]}


def sglang(path: str, fields: dict[str, Any]) -> Any:
    prompts = fields["text"] if "text" in fields else fields["input_ids"]
    rows = [{"embedding": size(p), "meta_info": {}} for p in prompts]
    return rows if len(rows) > 1 else rows[0]


@pytest.fixture
def scorer() -> Iterator[Callable[..., HttpScorer]]:
    made: list[HttpScorer] = []

    def make(url: str | list[str], **options: Any) -> HttpScorer:
        made.append(HttpScorer("m", url, **{"backoff_s": 0.01, **options}))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize(
    ("api", "answer", "path"),
    [("vllm", vllm, "/classify"), ("vllm_pooling", pooling, "/pooling"), ("sglang", sglang, "/classify")],
)
def test_texts_are_scored_in_their_order(
    scorer: Callable[..., HttpScorer], api: str, answer: Any, path: str
) -> None:
    with ScoreServer(answer) as server:
        found = scorer(f"{server.url}/v1", api=api, prompts_per_request=2).score(TEXTS)
    assert found == [(1.0,), (2.0,), (3.0,)]
    assert [asked for asked, _ in server.asked] == [path, path]


def test_raw_scores_are_asked_for() -> None:
    body = ScoreBody("ids", (0,), ([1, 2],))
    assert request_json(body, "vllm", "m", {}) == {
        "model": "m",
        "input": [[1, 2]],
        "use_activation": False,
        "add_special_tokens": False,
    }
    assert request_json(body, "vllm_pooling", "m", {})["task"] == "classify"
    assert request_json(body, "sglang", "m", {}) == {"model": "m", "input_ids": [[1, 2]]}
    assert "use_activation" not in request_json(body, "vllm", "m", {"use_activation": None})


def test_without_a_tokenizer_vllm_renders_chats_and_sglang_cannot(scorer: Callable[..., HttpScorer]) -> None:
    with ScoreServer(vllm) as server:
        assert scorer(server.url).score([CHAT]) == [(2.0,)]
    fields = server.asked[0][1]
    assert [m["role"] for m in fields["messages"]] == ["user", "assistant"]
    assert fields["add_generation_prompt"] is False
    (refused,) = scorer("localhost:9", api="sglang").score([CHAT])
    assert isinstance(refused, Failure)
    assert "tokenizer" in refused.reason


def test_with_a_tokenizer_chats_travel_as_ids_of_a_finished_conversation(
    scorer: Callable[..., HttpScorer], tmp_path: Path
) -> None:
    pytest.importorskip("tokenizers")
    from tests.judges.tiny_models import save_fast_tokenizer

    save_fast_tokenizer(tmp_path)
    with ScoreServer(sglang) as server:
        found = scorer(server.url, api="sglang", tokenizer=str(tmp_path)).score([CHAT, CHAT])
    # <|user|>Q<|end|><|assistant|>A<|end|>: six tokens, and no open turn after them
    assert found == [(6.0,), (6.0,)]


def test_a_body_with_one_prompt_that_is_too_long_is_split(scorer: Callable[..., HttpScorer]) -> None:
    def picky(path: str, fields: dict[str, Any]) -> Any:
        if any(len(prompt) > 2 for prompt in fields["input"]):
            return 400, '{"error": {"message": "maximum context length is 2 tokens"}}'
        return vllm(path, fields)

    with ScoreServer(picky) as server:
        found = scorer(server.url).score(TEXTS)
    assert found[:2] == [(1.0,), (2.0,)]
    assert isinstance(found[2], Failure)
    assert found[2].outcome is Outcome.TOO_LONG


def test_server_errors_are_tried_again_at_the_next_address(scorer: Callable[..., HttpScorer]) -> None:
    with ScoreServer(lambda path, fields: (500, "{}")) as bad, ScoreServer(vllm) as good:
        assert scorer([bad.url, good.url], prompts_per_request=8).score(TEXTS) == [(1.0,), (2.0,), (3.0,)]
    assert len(bad.asked) == len(good.asked) == 1


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ((500, "{}"), Outcome.FAILED),
        ((404, "{}"), Outcome.FAILED),
        ((200, "{cut"), Outcome.FAILED),
        ({"data": []}, Outcome.FAILED),
        ({"data": [{"index": 0, "probs": [None]}]}, Outcome.FAILED),
        ([], Outcome.FAILED),
    ],
)
def test_what_is_no_score_is_a_failure_of_its_rows(
    scorer: Callable[..., HttpScorer], answer: Any, outcome: Outcome
) -> None:
    with ScoreServer(lambda path, fields: answer) as server:
        (found,) = scorer(server.url, max_retries=1).score(TEXTS[:1])
    assert isinstance(found, Failure)
    assert found.outcome is outcome


@pytest.mark.parametrize(
    ("answer", "api"),
    [
        ({"data": [{"index": 0, "probs": [float("nan")]}]}, "vllm"),
        ({"data": [{"index": 0, "probs": [True]}]}, "vllm"),
        ({"data": [{"index": 0, "probs": "0.5"}]}, "vllm"),
        ({"data": ["x"]}, "vllm"),
        ({"data": [{"index": 0, "data": []}]}, "vllm_pooling"),
        ("text", "sglang"),
        ([{"embedding": [0.1]}, {"embedding": [0.2]}], "sglang"),
    ],
)
def test_odd_answers_are_no_scores(answer: Any, api: str) -> None:
    with pytest.raises(UnreadableReply):
        read_scores(answer, api, 1)


def test_a_nested_row_of_the_pooling_form_is_read() -> None:
    assert read_scores({"data": [{"index": 0, "data": [[0.25]]}]}, "vllm_pooling", 1) == [(0.25,)]


def test_a_server_that_is_there_is_ready_and_one_that_is_not_ends_the_run(
    scorer: Callable[..., HttpScorer],
) -> None:
    with ScoreServer(vllm) as server:
        scorer(server.url).ensure_ready(1.0)
    with pytest.raises(JudgeUnavailable, match=r"127\.0\.0\.1"):
        scorer(server.url).ensure_ready(0.05)


def test_a_dead_server_fails_its_rows(scorer: Callable[..., HttpScorer]) -> None:
    with ScoreServer(vllm) as server:
        pass
    (found,) = scorer(server.url, max_retries=1).score(TEXTS[:1])
    assert found == Failure(Outcome.FAILED, "the connection to the judge failed")


def test_the_key_is_sent_from_its_variable(
    scorer: Callable[..., HttpScorer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RM_KEY", "s3cret")
    with ScoreServer(vllm) as server:
        scorer(server.url, api_key_env="RM_KEY").score(TEXTS[:1])
    assert server.keys == ["Bearer s3cret"]


def test_it_answers_again_after_it_was_closed(scorer: Callable[..., HttpScorer]) -> None:
    with ScoreServer(vllm) as server:
        made = scorer(server.url)
        made.score(TEXTS)
        made.close()
        assert made.score(TEXTS[:1]) == [(1.0,)]
