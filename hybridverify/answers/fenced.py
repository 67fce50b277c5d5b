"""Answers in a code fence, as JSON or in one element: "```\\n42\\n```", `{"answer": 42}`, `<output>42</output>`.

Only what is one short value is read.
"""

from __future__ import annotations

import json

from hybridverify.language import expressions as re

_FENCE = re.compile(
    r"```(?:text|txt|plaintext|latex|tex|math|markdown|md)?[ \t]*\n([^\n`]{1,400})\n[ \t]*```"
)
_FENCED_LINES = re.compile(r"```(?:text|txt|plaintext|output)?[ \t]*\n([^`]{1,2000})\n[ \t]*```")
_JSON_FENCE = re.compile(r"```(?:json)?\s*\n(\{[^`]{1,2000}\})\s*```")
_ELEMENT = re.compile(
    r"<(output|result|response|solution|final|value)>\s*([^<>\n]{1,400}?)\s*</\1>", re.IGNORECASE
)
_LATEX = re.compile(r"(?<!\\)\\(?=[A-Za-z]{2}|[(\[,;!%{}])")
"""A backslash of LaTeX that JSON would take for an escape, or refuse."""
_KEYS = ("final_answer", "final answer", "answer", "result", "solution")
_MAX_JSON = 2_000


def told(body: str) -> str | None:
    """The value that is the whole response, None where there is more or something else in it.

    >>> told("```\\n42\\n```"), told('{"answer": "x = 3"}'), told("42")
    ('42', 'x = 3', None)
    >>> told("<output>42</output>")
    '42'
    """
    if body[:1] == "<":
        element = _ELEMENT.fullmatch(body)
        return element.group(2) if element else None
    if body[:1] == "`":
        match = _FENCE.fullmatch(body)
        data = None if match else _JSON_FENCE.fullmatch(body)
        if data:
            return told(data.group(1))
        match = match or _FENCED_LINES.fullmatch(body)
        return match.group(1).strip() if match else None
    if body[:1] == "{" and body[-1:] == "}" and '"' in body and len(body) <= _MAX_JSON:
        return _member(body)
    return None


def _member(body: str) -> str | None:
    try:
        found = json.loads(_LATEX.sub(r"\\\\", body), parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return None
    keys = [key for key in found if str(key).lower() in _KEYS] if isinstance(found, dict) else []
    value = found[keys[0]] if len(keys) == 1 else None
    return value if isinstance(value, str) else None


def opened(body: str) -> str:
    """The text with a fence of one line at its end taken off: "Final answer:\\n```\\n42\\n```"."""
    if not body.endswith("```"):
        return body
    match = _FENCE.fullmatch(body, max(0, body.rfind("```", 0, -3)))
    return body[: match.start()] + match.group(1) if match else body
