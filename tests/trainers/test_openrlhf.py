"""OpenRLHF's own rollout code asks a running service for its rewards, over HTTP.

Its package wants an engine and a GPU, so of it only the file of the client is imported, and the file of its log. The
engine is one that answers from a script.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import toy
from service_process import Running, running

PROMPT = "<|user|>Who wrote the play?<|assistant|>"


@pytest.fixture(scope="module")
def executor() -> Any:
    """The class that OpenRLHF's engines make for `--remote_rm_url`."""
    folder = toy.package_folder("openrlhf", "OpenRLHF")
    for name, path in (("openrlhf", folder), ("openrlhf.utils", folder / "utils")):
        package = ModuleType(name)
        package.__path__ = [
            str(path)
        ]  # its modules are found; its __init__, which imports the rest, is not run
        sys.modules[name] = package
    yield importlib.import_module("openrlhf.utils.agent").SingleTurnAgentExecutor
    for name in [name for name in sys.modules if name.partition(".")[0] == "openrlhf"]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = {name: value for name, value in toy.judged().items() if name in ("policy", "judges")}
    with running(
        tmp_path_factory.mktemp("service"),
        settings,
        "--token-env",
        "HV_TOKEN",
        variables={"HV_TOKEN": "a/b c"},
    ) as found:
        yield found


class Characters:
    """A tokenizer of one token a character, with the words that OpenRLHF uses."""

    def __call__(self, text: str, **_: Any) -> dict[str, Any]:
        import torch

        return {"input_ids": torch.tensor([[ord(c) for c in text]])}

    def decode(self, tokens: Sequence[int], skip_special_tokens: bool) -> str:
        assert not skip_special_tokens
        return "".join(map(chr, tokens))


class Engine:
    """An engine that says one thing."""

    def __init__(self, said: str) -> None:
        self.said = said

    async def generate(self, *_: Any, **__: Any) -> Any:
        ids = [ord(c) for c in f"{self.said}<|end|>"]
        return SimpleNamespace(outputs=[SimpleNamespace(token_ids=ids, finish_reason="stop", logprobs=None)])


def rollouts(executor: Any, url: Any, answers: Sequence[str], label: str, most: int = 500) -> list[Any]:
    """What OpenRLHF makes of these answers to one prompt, all at a time."""
    made = executor(url)
    sampling = SimpleNamespace(max_tokens=None, logprobs=None)

    async def all_of_them() -> list[Any]:
        calls = [
            made.execute(PROMPT, label, sampling, most, Characters(), Engine(answer)) for answer in answers
        ]
        return list(await asyncio.gather(*calls))

    return asyncio.run(all_of_them())


def url(service: Running, options: str = "") -> str:
    return f"{service.base_url.replace('//', '//any:a%2Fb%20c@')}/get_reward{options}"


def test_each_rollout_gets_its_reward(executor: Any, service: Running) -> None:
    found = rollouts(executor, url(service), [toy.RIGHT, toy.WRONG, toy.RIGHT], toy.REFERENCE)
    assert [one["reward"] for one in found] == [[1.0], [0.0], [1.0]]
    assert [one["scores"] for one in found] == [[1.0], [0.0], [1.0]]
    assert [one["extra_logs"] for one in found] == [{"hv_graded": [1.0]}] * 3


def test_a_prompt_that_openrlhf_cuts_is_not_read_as_the_answer(executor: Any, service: Running) -> None:
    """Of a prompt that is too long it keeps the end, and sends the whole prompt beside it."""
    made = executor(url(service))
    sampling = SimpleNamespace(max_tokens=60, logprobs=None)
    call = made.execute(
        "43 " * 50 + PROMPT, "42", sampling, 60 + len(PROMPT) + 30, Characters(), Engine("#### 42")
    )
    assert asyncio.run(call)["reward"] == [1.0]


def test_queries_are_spread_over_several_services(executor: Any, service: Running) -> None:
    made = executor([url(service), url(service)])
    answers = [PROMPT + answer for answer in (toy.RIGHT, toy.WRONG, toy.RIGHT)]
    fetched = asyncio.run(made._fetch_rewards_via_http(answers, [PROMPT] * 3, [toy.REFERENCE] * 3))
    assert [reward for shard in fetched for reward in shard["rewards"]] == [1.0, 0.0, 1.0]


def test_a_row_without_a_grade_has_no_reward_or_the_number_that_is_asked_for(
    executor: Any, service: Running
) -> None:
    """It asks five times and goes on without a reward, which its own trainer cannot use: name a number."""
    without, paid = (
        rollouts(executor, url(service, options), [toy.LOST], toy.REFERENCE)[0]
        for options in ("", "?ungraded=0.5")
    )
    assert (without["reward"], without["extra_logs"]) == (None, {})
    assert (paid["reward"], paid["extra_logs"]) == ([0.5], {"hv_graded": [0.0]})


def test_a_wrong_token_gives_no_reward(executor: Any, service: Running) -> None:
    address = f"{service.base_url.replace('//', '//any:wrong@')}/get_reward"
    (found,) = rollouts(executor, address, [toy.RIGHT], toy.REFERENCE)
    assert found["reward"] is None
