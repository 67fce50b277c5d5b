"""Without a tokenizer at hand the server shows how it writes a chat, and chats travel many in a body."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.base import Message, Prompt, Reply, Sampling
from tests.judges.server import JudgeServer

CHATS = 40


def written(messages: list[dict[str, str]]) -> str:
    return "".join(f"<{one['role']}>{one['content']}</>" for one in messages) + "<assistant>"


def stripped(messages: list[dict[str, str]]) -> str:
    return "".join(f"<{one['role']}>{one['content'].strip()}</>" for one in messages) + "<assistant>"


def looking(messages: list[dict[str, str]]) -> str:
    mark = "!" if "number" in messages[-1]["content"] else ""
    return written(messages) + mark


def chats(system: str = "Be fair.") -> list[Prompt]:
    return [
        Prompt(messages=(Message("system", system), Message("user", f"number {number}")))
        for number in range(CHATS)
    ]


def asked(server: JudgeServer, prompts: list[Prompt], sampling: Sampling | None = None) -> list[Reply]:
    backend = OpenAIBackend("m", server.url)
    found = backend.complete(prompts, sampling or Sampling())
    again = backend.complete(prompts, sampling or Sampling())
    backend.close()
    assert all(isinstance(one, Reply) for one in [*found, *again])
    assert [one.texts for one in found if isinstance(one, Reply)] == [
        one.texts for one in again if isinstance(one, Reply)
    ]
    return [one for one in found if isinstance(one, Reply)]


def test_chats_travel_as_texts_in_the_servers_own_form() -> None:
    with JudgeServer(reply=lambda text: text[-25:], max_model_len=999, writes=written) as server:
        found = asked(server, chats())
        assert [reply.texts[0] for reply in found] == [
            f"<system>Be fair.</><user>number {number}</><assistant>"[-25:] for number in range(CHATS)
        ]
        assert [len(one.prompts()) for one in server.asked] == [CHATS, CHATS]
        assert {one.path for one in server.asked} == {"/v1/completions"}
        assert all(one.body["add_special_tokens"] is False for one in server.asked)


def test_the_server_is_asked_for_its_form_once() -> None:
    with JudgeServer(max_model_len=999, writes=written) as server:
        asked(server, chats())
        assert server.tokens_asked == 2 + 2 * 3


def test_log_probabilities_are_read_from_texts_too() -> None:
    with JudgeServer(max_model_len=999, writes=written) as server:
        assert asked(server, chats(), Sampling(logprobs=5))[0].logprobs == ({"True": -0.1, "other": -2.5},)


@pytest.mark.parametrize("writes", [None, stripped, looking])
def test_a_server_whose_form_cannot_be_known_gets_a_chat_a_request(
    writes: Callable[[list[dict[str, str]]], str] | None,
) -> None:
    with JudgeServer(max_model_len=999, writes=writes) as server:
        asked(server, chats())
        assert {one.path for one in server.asked} == {"/v1/chat/completions"}
        assert len(server.asked) == 2 * CHATS


def test_chats_with_different_beginnings_are_not_mixed() -> None:
    with JudgeServer(max_model_len=999, writes=written) as server:
        asked(server, [*chats(), *chats("Be strict.")])
        assert {one.path for one in server.asked} == {"/v1/chat/completions"}
        assert server.tokens_asked == 0


def test_few_chats_are_not_worth_the_questions() -> None:
    with JudgeServer(max_model_len=999, writes=written) as server:
        asked(server, chats()[:4])
        assert server.tokens_asked == 0


def test_a_form_that_the_user_fixed_stays() -> None:
    with JudgeServer(max_model_len=999, writes=written) as server:
        backend = OpenAIBackend("m", server.url, request="chat")
        backend.complete(chats(), Sampling())
        backend.close()
        assert {one.path for one in server.asked} == {"/v1/chat/completions"}
