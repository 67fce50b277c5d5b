"""How a server has to be asked, as far as its refusals tell: which fields of a request it does not take.

Reasoning models refuse `temperature` and `max_tokens`. The refusal names the field, so it is learnt from, once, and
what is sent from then on enters the cache key: no key may claim a temperature that was not used.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

from hybridverify.language import expressions as re

log = logging.getLogger("hybridverify")

LEFT_OUT = ("seed", "temperature", "top_p")
"""Fields without which a request still asks the same."""
LENGTH, REASONING_LENGTH = "max_tokens", "max_completion_tokens"
REASONING_ROOM = 4096
"""The least tokens for a reply that begins with hidden reasoning. The limit covers both."""
_FIELD_STATUSES = (400, 422)
_REFUSES = re.compile(
    r"unsupported|n[o']t (?:be )?(?:support|permit|allow|accept|recogni[sz])|unrecogni[sz]ed|unknown|unexpected"
    r"|forbidden|deprecated|only the default|instead|must be|invalid|does not support|extra inputs",
    re.IGNORECASE,
)
_MOST_READ = 4000
_NO_SUCH_PATH = (404, 405, 501)
_NOT_FOR_THIS_MODEL = re.compile(
    r"(?:no|n['o]?t)\s(?:\w+\s){0,3}support\w*.{0,80}\b(?:decision|endpoint)"
    r"|\b(?:decision|endpoint).{0,80}\b(?:not|n't)\s(?:\w+\s){0,3}support",
    re.IGNORECASE | re.DOTALL,
)
_TOLD_ENDPOINT = {
    "systemone": "has no /decisions for this model: /systemone is asked",
    "p_yes": "has no typed decisions for this model: it is asked by chat, for P(yes)",
}


@dataclass(frozen=True)
class Form:
    """The form of the requests: `without` these fields, with `max_completion_tokens` if `reasons`. `endpoint` is for
    backends that know several."""

    without: frozenset[str] = frozenset()
    reasons: bool = False
    endpoint: str = ""

    def apply(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that are sent.

        >>> Form(frozenset({"temperature"}), True).apply({"temperature": 0.0, "max_tokens": 16})
        {'max_completion_tokens': 4096}
        """
        sent = {name: value for name, value in fields.items() if name not in self.without}
        if self.reasons and LENGTH in sent:
            sent[REASONING_LENGTH] = max(sent.pop(LENGTH), REASONING_ROOM)
        return sent

    def identity(self) -> dict[str, Any]:
        """What differs from the usual form, for the cache key; empty if nothing does."""
        told: dict[str, Any] = {"without": sorted(self.without)} if self.without else {}
        if self.reasons:
            told[REASONING_LENGTH] = REASONING_ROOM
        return told


USUAL = Form()
"""The form in which a server is asked that has refused nothing."""


def forms(endpoints: tuple[str, ...] = ("",)) -> Iterator[Form]:
    """Every form that a server can bring about."""
    subsets = list(chain.from_iterable(combinations(LEFT_OUT, size) for size in range(len(LEFT_OUT) + 1)))
    for endpoint in endpoints:
        for names in subsets:
            for reasons in (False, True):
                yield Form(frozenset(names), reasons, endpoint)


class Dialect:
    """The form in use. It changes on the event loop and is read in any thread."""

    def __init__(
        self,
        host: str,
        form: Form = USUAL,
        kept: Mapping[str, Any] | None = None,
        endpoints: tuple[str, ...] = (),
    ) -> None:
        self.form = form
        self._endpoints = endpoints
        self._host = host
        self._kept = kept or {}
        """The user's own fields: they are sent as they are."""

    def learn(self, status: int, text: str, sent: Mapping[str, Any], asked: Form) -> bool:
        """Whether this refusal of a request in the form `asked` tells to ask in another one, which is then in use."""
        name = self._refused_field(status, text, sent)
        if not name:
            return False
        if name in (LENGTH, REASONING_LENGTH):
            lesson = replace(asked, reasons=True)
        else:
            lesson = replace(asked, without=asked.without | {name})
        return self.change(asked, lesson, _told(name))

    def lacks(self, status: int, text: str, asked: Form) -> bool:
        """Whether this refusal says that the server has no such endpoint, for this model at least; the next one is
        then in use, if there is one."""
        message, named = _message(text[:_MOST_READ])
        absent = status in _NO_SUCH_PATH or (
            status in _FIELD_STATUSES and (named == "model" or _NOT_FOR_THIS_MODEL.search(message))
        )
        after = self._endpoints[self._endpoints.index(asked.endpoint) + 1 :]
        if not absent or not after:
            return False
        return self.change(asked, replace(asked, endpoint=after[0]), _TOLD_ENDPOINT[after[0]])

    def change(self, asked: Form, lesson: Form, told: str) -> bool:
        """Use the form `lesson` in place of `asked`, and say so; nothing is said if another request did so before."""
        if lesson == asked:
            return False
        if self.form == asked:
            self.form = lesson
            log.warning("the judge at %s %s", self._host, told)
        return True

    def _refused_field(self, status: int, text: str, sent: Mapping[str, Any]) -> str:
        if status not in _FIELD_STATUSES:
            return ""
        message, named = _message(text[:_MOST_READ])
        ours = self._own_fields(sent)
        if named and named not in ours:
            return ""  # another field is to blame
        may_be = [name for name in ours if name != LENGTH or _names_other_length(message)]
        return named if named in may_be else _refused_in(message, may_be)

    def _own_fields(self, sent: Mapping[str, Any]) -> list[str]:
        """The fields of a request that may be left out or renamed."""
        return [name for name in (*LEFT_OUT, LENGTH) if name in sent and name not in self._kept]


def _names_other_length(message: str) -> bool:
    """A limit that is refused because the prompt is too long is no matter of its name."""
    return REASONING_LENGTH in message and "context" not in message.casefold()


def _refused_in(message: str, names: Sequence[str]) -> str:
    """The first of these fields that a message names, if it refuses anything; else ""."""
    found = [name for name in names if re.search(rf"(?<!\w){name}(?!\w)", message)]
    return found[0] if found and _REFUSES.search(message) else ""


def _told(name: str) -> str:
    if name == LENGTH:
        return (
            f"reasons before it answers: it is given {REASONING_LENGTH}, at least {REASONING_ROOM} for reasoning and "
            f"reply (backend.extra_body: {{{REASONING_LENGTH}: N}} sets another limit)"
        )
    effect = "its replies may differ from call to call" if name == "temperature" else "the server chooses"
    return f"takes no {name}: it is asked without it, so {effect}; cached verdicts carry this in their key"


def _message(text: str) -> tuple[str, str]:
    """The server's message, and the field that it names in a field of its own."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return text, ""
    error = told.get("error", told) if isinstance(told, Mapping) else told
    if not isinstance(error, Mapping):
        return text, ""
    param = error.get("param")
    message = error.get("message")
    named = param if isinstance(param, str) else ""
    return message if isinstance(message, str) else text, named
