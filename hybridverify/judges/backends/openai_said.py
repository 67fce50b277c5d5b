"""What a server said when it refused, fit for one line, and what to do about it.

The text is the server's: it is trimmed, escaped, and cleared of keys and of what differs from run to run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from hybridverify.language import expressions as re
from hybridverify.language.printable import one_line

MOST_CHARS = 240
_MOST_READ = 4000
_REMOVED = "***"
_LEAST_SECRET = 4
_KEYS = re.compile(
    r"(?i)\bbearer\s+\S+"
    r"|\b(?:sk|pk|rk|gsk|xai|hf|key|api|tok)[-_][\w*-]{6,}"
    r"|(?<=[\s'\"=:])(?=[\w-]*\d)(?=[\w-]*[a-zA-Z])[\w-]{32,}"
)
_RUN = re.compile(
    r"(?i)\s*[(,;]?\s*\b(?:request|trace|correlation)[ _-]?id\b\W{0,4}[\w-]+\)?"
    r"|\breq_[\w-]+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
)
_TAGS = re.compile(
    r"<(?:script|style)\b.{0,2000}?</(?:script|style)>|<[^<>]{0,300}>", re.IGNORECASE | re.DOTALL
)


def said(text: str, secrets: Iterable[str] = ()) -> str:
    """The message in a refusal, in one line; "" if there is none.

    >>> said('{"error": {"message": "Bad key sk-abcdefgh123", "code": 401}}')
    'Bad key ***'
    >>> said("<html><title>502 Bad Gateway</title></html>")
    '502 Bad Gateway'
    """
    message = _message(text[:_MOST_READ])
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _LEAST_SECRET:
            message = message.replace(secret, _REMOVED)
    message = _RUN.sub("", _KEYS.sub(_REMOVED, message))
    return one_line(" ".join(message.split()).rstrip(" .;:,"), MOST_CHARS)


def told(head: str, text: str, remedy: str, secrets: Iterable[str] = ()) -> str:
    """One line: what happened, what the server said, what to do.

    >>> told("refused (400)", '{"message": "no"}', "try another")
    'refused (400): no; try another'
    """
    words = said(text, secrets)
    return "; ".join(part for part in (f"{head}: {words}" if words else head, remedy) if part)


def remedy(status: int, text: str) -> str:
    """What helps most likely, "" if nobody can tell."""
    lowered = text[:_MOST_READ].casefold()
    if status == 401:
        return "name the variable that holds the key: --api-key-env NAME (backend.api_key_env)"
    if status == 403:
        return "the key may not use this model, or a gateway wants a header: --header NAME=VALUE"
    if status in (402, 429):
        return "the account has no credit left"
    if status in (404, 405, 501):
        return "check --model and --base-url, which ends before /chat/completions"
    if "logprob" in lowered:
        return "this model gives no log-probabilities: use score: label"
    for name in ("temperature", "max_tokens", "stop", "seed"):
        if re.search(rf"['\"`]{name}['\"`]", lowered):
            return f"leave the field out with backend.extra_body: {{{name}: null}}"
    if "model" in lowered:
        return "check --model"
    return ""


def _message(text: str) -> str:
    try:
        found = _in_json(json.loads(text))
    except (ValueError, RecursionError):
        found = ""
    if found:
        return found
    return _TAGS.sub(" ", text) if "<" in text else text


def _in_json(told: object, depth: int = 0) -> str:
    """The message of the usual shapes: `error.message`, `message`, `detail`, `error`, lists of these."""
    if isinstance(told, str):
        return told
    if depth > 3:
        return ""
    if isinstance(told, list):
        return "; ".join(filter(None, (_in_json(item, depth + 1) for item in told[:3])))
    if isinstance(told, Mapping):
        for name in ("error", "message", "detail", "msg", "errors"):
            if told.get(name) and (found := _in_json(told[name], depth + 1)):
                return found
    return ""
