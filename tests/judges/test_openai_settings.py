"""Options of the openai backend: addresses, checks, the key."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from hybridverify.errors import ConfigError
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.backends.openai_settings import address, addresses
from hybridverify.judges.base import Backend


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ("localhost:8000", "http://localhost:8000/v1"),
        ("http://localhost:8000", "http://localhost:8000/v1"),
        ("http://localhost:8000/", "http://localhost:8000/v1"),
        ("HTTP://node7:30000/v1/", "http://node7:30000/v1"),
        ("https://judge.example/api/openai", "https://judge.example/api/openai"),
        ("judge.example", "http://judge.example/v1"),
        ("10.1.2.3:30000", "http://10.1.2.3:30000/v1"),
        ("[::1]:8000", "http://[::1]:8000/v1"),
        ("::1", "http://[::1]/v1"),
        ("fd00::12:30000", "http://[fd00::12]:30000/v1"),
        ("http://fd00::12:30000/v1", "http://[fd00::12]:30000/v1"),
        ("  node7:80  ", "http://node7:80/v1"),
    ],
)
def test_an_address_gets_its_scheme_brackets_and_path(given: str, full: str) -> None:
    assert address(given) == full


@pytest.mark.parametrize("given", ["", "ftp://host", "http://", "host:port", "host:99999", "http://[::1", 7])
def test_what_is_no_address_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError, match=r"backend\.base_url"):
        OpenAIBackend("m", given)


def test_a_list_of_addresses_keeps_its_order_and_drops_repeats() -> None:
    assert addresses(["b:2", "a:1", "http://b:2/v1"]) == ("http://b:2/v1", "http://a:1/v1")
    with pytest.raises(ConfigError, match="at least one address"):
        addresses([])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": " "}, "backend.model"),
        ({"request": "completion_text"}, "did you mean 'completions_text'"),
        ({"timeout_s": 0}, "backend.timeout_s: must be above 0"),
        ({"timeout_s": "60"}, "backend.timeout_s"),
        ({"max_retries": -1}, "backend.max_retries: must be 0 or more"),
        ({"max_in_flight": 0}, "backend.max_in_flight"),
        ({"prompts_per_request": True}, "backend.prompts_per_request"),
        ({"extra_body": {"x": object()}}, "backend.extra_body"),
        ({"tokenizer": "/no/such/folder"}, "backend.tokenizer"),
        ({"request": "completions_ids"}, "backend.tokenizer"),
        ({"api_key_env": "HV_TEST_NO_SUCH_KEY"}, "HV_TEST_NO_SUCH_KEY is not set"),
    ],
)
def test_a_wrong_option_is_named_when_the_backend_is_made(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        OpenAIBackend(**{"model": "m", "base_url": "localhost:1", **options})


def test_passwords_in_an_address_and_keys_are_in_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HV_TEST_KEY", "sk-secret")
    backend = OpenAIBackend("m", "http://user:pass@host:1/v1", api_key_env="HV_TEST_KEY")
    assert "sk-secret" not in repr(backend) + repr(vars(backend)) + repr(backend._settings)
    assert "pass" not in repr(backend)
    with pytest.raises(ConfigError) as caught:
        address("http://user:pass@host:port")
    assert "pass" not in str(caught.value)


def test_a_key_that_is_no_header_is_refused_without_showing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HV_TEST_KEY", "schlüssel")
    with pytest.raises(ConfigError, match="HV_TEST_KEY") as caught:
        OpenAIBackend("m", "localhost:1", api_key_env="HV_TEST_KEY")
    assert "schl" not in str(caught.value)


def test_it_is_a_backend_and_travels_as_its_settings() -> None:
    backend = OpenAIBackend("m", ["a:1", "b:2"], revision="r7", timeout_s=3)
    twin = pickle.loads(pickle.dumps(backend))  # noqa: S301 - our own bytes
    assert (twin.model, twin.revision, twin._settings) == ("m", "r7", backend._settings)
    assert isinstance(twin, Backend)
