"""Copies of a backend in processes of their own."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Iterator, Sequence

import pytest

from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.parcel import Parcel
from hybridverify.judges.backends.replicas import Replicas
from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling


class Strange(Exception):
    """Cannot be unpickled: its arguments are not those that it keeps."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one}, {other}")


class Telling:
    """Answers with its process and its device, so that a test sees who answered."""

    name = model = "telling"
    revision = ""

    def __init__(self) -> None:
        self._meeting: threading.Barrier | None = None

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        if prompts[0].text == "raise":
            raise JudgeUnavailable("nobody is there")
        if prompts[0].text == "strange":
            raise Strange("one", "two")
        if prompts[0].text == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if prompts[0].text == "meet":
            self._met().wait(60)
        return [Reply((f"{os.environ.get('DEVICE')} {os.getpid()} {prompt.text}",)) for prompt in prompts]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [1 for _ in texts]

    def context_tokens(self) -> int:
        return 0

    def close(self) -> None:
        pass

    def _met(self) -> threading.Barrier:
        with _LOCK:
            self._meeting = self._meeting or threading.Barrier(2)
            return self._meeting

    def __reduce__(self) -> tuple[type[Telling], tuple[()]]:
        return Telling, ()


_LOCK = threading.Lock()


@pytest.fixture
def copies() -> Iterator[Replicas]:
    made = Replicas(Telling(), [{"DEVICE": "a"}, {"DEVICE": "b"}])
    yield made
    made.close()


def texts(results: list[Reply | Failure]) -> list[str]:
    return [result.texts[0] if isinstance(result, Reply) else result.reason for result in results]


def raw(*given: str) -> list[Prompt]:
    return [Prompt(text=text) for text in given]


def test_a_long_batch_is_shared_out_and_comes_back_in_order(copies: Replicas) -> None:
    found = texts(copies.complete(raw(*map(str, range(10))), Sampling(), 5))
    assert [text.split()[2] for text in found] == [str(number) for number in range(10)]
    assert {text.split()[0] for text in found[:5]} != {text.split()[0] for text in found[5:]}
    assert len({text.split()[1] for text in found}) == 2
    assert str(os.getpid()) not in {text.split()[1] for text in found}


def test_a_short_batch_goes_to_one_copy(copies: Replicas) -> None:
    assert len({text.split()[1] for text in texts(copies.complete(raw("1", "2", "3"), Sampling(), 4))}) == 1


@pytest.mark.parametrize(
    "prompts",
    [
        [],
        raw("x", "y\ud83d"),
        [Prompt((Message("system", "s"), Message("user", text))) for text in ("x", "", "y\ud83d")],
        [Prompt((Message("system", system), Message("user", "x"))) for system in ("s", "t")],
        [Prompt((Message(role, "x"),)) for role in ("user", "assistant")],
        [*raw("x"), Prompt((Message("user", "x"),)), Prompt((Message("", ""), Message("user", "x")))],
    ],
)
def test_prompts_arrive_in_another_process_as_they_were(prompts: list[Prompt]) -> None:
    assert pickle.loads(pickle.dumps(Parcel(prompts))) == prompts  # noqa: S301


def test_a_copy_works_on_several_calls_at_a_time() -> None:
    alone = Replicas(Telling(), [{"DEVICE": "a"}])
    threads = [threading.Thread(target=alone.complete, args=(raw("meet"), Sampling(), 9)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert not any(thread.is_alive() for thread in threads)
    alone.close()


def test_an_error_of_a_copy_is_raised_here(copies: Replicas) -> None:
    with pytest.raises(JudgeUnavailable, match="nobody is there"):
        copies.complete(raw("raise"), Sampling(), 9)


def test_an_error_that_cannot_be_unpickled_is_told_in_words(copies: Replicas) -> None:
    with pytest.raises(JudgeUnavailable, match="Strange: one, two"):
        copies.complete(raw("strange"), Sampling(), 9)
    assert texts(copies.complete(raw("x"), Sampling(), 9))[0].endswith(" x")


def test_a_copy_that_dies_fails_its_calls_and_the_next_starts_another(copies: Replicas) -> None:
    with pytest.raises(JudgeUnavailable, match=r"the process of engine \d ended"):
        copies.complete(raw("die"), Sampling(), 9)
    for _ in range(2):  # whichever copy is picked
        assert texts(copies.complete(raw("x"), Sampling(), 9))[0].endswith(" x")


def test_closing_ends_the_processes_and_a_later_call_starts_them_again(copies: Replicas) -> None:
    before = texts(copies.complete(raw("x"), Sampling(), 9))[0].split()[1]
    copies.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(before), 0)
    assert texts(copies.complete(raw("x"), Sampling(), 9))[0].split()[1] != before


def test_a_scripted_backend_works_in_copies() -> None:
    made = Replicas(ScriptedBackend("True"), [{}, {}])
    assert texts(made.complete(raw("x", "y"), Sampling(), 1)) == ["True", "True"]
    made.close()


def test_engines_need_gpus_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5,6")
    with pytest.raises(ConfigError, match="4 engines need 4 GPUs"):
        VLLMBackend("m", engines=4)
    with pytest.raises(ConfigError, match="engines"):
        VLLMBackend("m", engines=-1)
    assert VLLMBackend("m", engines=3).batches_at_once == 12
    assert VLLMBackend("m", engines=1).batches_at_once == VLLMBackend("m").batches_at_once == 4
    assert VLLMBackend("m", engines=3).identity() == VLLMBackend("m").identity()
