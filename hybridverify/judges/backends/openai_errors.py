"""The meaning of a failed request: whether to try again, whether a smaller body would help, and the reason for its
row.

Reasons are stable text without times, ports and request ids. A refusal holds what the server said, without keys.
"""

from __future__ import annotations

import asyncio
import email.utils
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.backends.openai_said import remedy, told
from hybridverify.judges.backends.openai_settings import Settings
from hybridverify.judges.backends.openai_wire import UnreadableReply
from hybridverify.judges.base import Failure
from hybridverify.types import Outcome

log = logging.getLogger(__name__)

TOO_LONG_PHRASES = (
    "context_length_exceeded",
    "context length",  # vLLM, SGLang, OpenAI: "maximum context length is", "longer than the model's context length"
    "context size",  # llama.cpp
    "context window",
    "maximum model length",  # vLLM: "The decoder prompt (length 5000) is longer than the maximum model length of"
    "max_model_len",
    "reduce the length",
    "prompt is too long",
    "too many tokens",
    "maximum input length",
    "must have less than",  # TGI: "`inputs` must have less than 1000 tokens"
)
NO_CREDIT_PHRASES = ("insufficient_quota", "exceeded your current quota", "insufficient credit", "billing")
"""429 has two meanings: too fast, which passes, and nothing left to pay with."""
MAX_RETRY_AFTER_S = 30.0
"""Seconds. A server may ask for a longer pause. It is asked again after this, if the request has time left."""


@dataclass(frozen=True)
class Trouble:
    """Why a request gave nothing."""

    outcome: Outcome
    reason: str
    retryable: bool = False
    splits: bool = False
    """Whether the server refused the body, so that a single prompt in it may be to blame."""
    retry_after_s: float = 0.0
    fault: Fault = Fault.ENGINE

    @property
    def blames_server(self) -> bool:
        """Whether the server is at fault. Otherwise the request is, and another server would refuse it too."""
        return self.fault is not Fault.ROW

    def failure(self) -> Failure:
        return Failure(self.outcome, self.reason, self.fault)


def unreachable(settings: Settings, cause: Trouble) -> str:
    """The reason of rows whose judge cannot be asked at all. Without ports, which differ from run to run."""
    return f"judge unreachable at {settings.host}: {cause.reason}"


def no_judge(settings: Settings, cause: Trouble) -> JudgeUnavailable:
    """The error of a command that finds no judge. It says which port was tried."""
    return JudgeUnavailable(f"judge unreachable at {settings.places}: {cause.reason}", cause.fault)


OTHER_FORM = Trouble(Outcome.FAILED, "the judge has to be asked in another form", fault=Fault.FORM)


def trouble(error: Exception, secrets: Iterable[str] = ()) -> Trouble:
    """The failure for an exception of the SDK."""
    import openai

    if isinstance(error, (asyncio.TimeoutError, openai.APITimeoutError)):
        return Trouble(Outcome.TIMED_OUT, "the judge did not answer in time", retryable=True)
    if isinstance(error, openai.APIConnectionError):
        return Trouble(Outcome.FAILED, "the connection to the judge failed", retryable=True)
    if isinstance(error, UnreadableReply):
        return Trouble(Outcome.FAILED, str(error), retryable=True)
    if isinstance(error, openai.APIStatusError):
        return _status_trouble(error.status_code, error.response.text, error.response.headers, secrets)
    return Trouble(Outcome.FAILED, f"the request to the judge failed ({type(error).__name__})")


_ABOUT_ROW = (400, 422)
_HEADS = {
    401: "the judge refused the API key (401)",
    403: "the judge refused the API key (403)",
    404: "the judge knows neither this model nor this path (404)",
}


def _passing(status: int) -> str:
    """What a status says of the server for which another try may help, "" for any other."""
    if status == 429:
        return "the judge is overloaded (429)"
    if (status >= 500 and status != 501) or status == 408:
        return f"server error of the judge ({status})"
    return ""


def _status_trouble(status: int, text: str, headers: Any, secrets: Iterable[str] = ()) -> Trouble:
    log.debug("the judge answered %d: %s", status, told("", text, "", secrets))
    no_credit = status == 429 and any(phrase in text.lower() for phrase in NO_CREDIT_PHRASES)
    if not no_credit and (passing := _passing(status)):
        wait_s = _retry_after_s(headers.get("retry-after"))
        return Trouble(Outcome.FAILED, passing, retryable=True, retry_after_s=wait_s)
    if status == 413 or (status in _ABOUT_ROW and any(phrase in text.lower() for phrase in TOO_LONG_PHRASES)):
        reason = "the prompt does not fit the judge's context"
        return Trouble(Outcome.TOO_LONG, reason, splits=True, fault=Fault.ROW)
    head = _HEADS.get(status, f"the judge refused the request ({status})")
    reason = told(head, text, remedy(status, text), secrets)
    if status in _ABOUT_ROW:
        return Trouble(Outcome.FAILED, reason, splits=True, fault=Fault.ROW)
    return Trouble(Outcome.FAILED, reason, fault=Fault.SETTINGS)


def _retry_after_s(value: str | None) -> float:
    """The seconds that a Retry-After header asks for, as a number or a date; 0 if it holds nothing usable.

    >>> _retry_after_s("2"), _retry_after_s("86400"), _retry_after_s("soon")
    (2.0, 30.0, 0.0)
    """
    if not value:
        return 0.0
    try:
        wait_s = float(value)
    except ValueError:
        moment = email.utils.parsedate_tz(value)
        wait_s = email.utils.mktime_tz(moment) - time.time() if moment else 0.0
    return min(wait_s, MAX_RETRY_AFTER_S) if wait_s > 0 else 0.0
