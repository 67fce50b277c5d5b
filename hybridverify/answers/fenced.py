"""Answers in a code fence, as JSON or in one element: "```\\n42\\n```", `{"answer": 42}`, `<output>42</output>`.

Only what is one short value is read.
"""

from __future__ import annotations

import json

from hybridverify.language import expressions as re

_FENCE = "```"
_PLAIN = ("", "text", "txt", "plaintext")
_ONE_LINE = (*_PLAIN, "latex", "tex", "math", "markdown", "md")
_LINES = (*_PLAIN, "output")
_ELEMENTS = ("output", "result", "response", "solution", "final", "value")
_MAX_LINE, _MAX_LINES = 400, 2_000
_LATEX = re.compile(r"(?<!\\)\\(?=[A-Za-z]{2}|[(\[,;!%{}])")
"""A backslash of LaTeX that JSON would take for an escape, or refuse."""
_KEYS = ("final_answer", "final answer", "answer", "result", "solution")
_ALTERNATIVES = ("alternative", "candidate", "guess", "backup", "fallback")
"""What the name of one more answer holds."""
_ELEMENT_SIGNS = frozenset("<>\n")
_MAX_JSON = 2_000


def told(body: str) -> str | None:
    """The value that is the whole response, None where there is more or something else in it.

    >>> told("```\\n42\\n```"), told('{"answer": "x = 3"}'), told("42")
    ('42', 'x = 3', None)
    >>> told("<output>42</output>")
    '42'
    """
    if body[:1] == "<":
        return _in_element(body)
    if body[:1] == "`":
        return _in_fence(body)
    if body[:1] == "{" and body[-1:] == "}" and '"' in body and len(body) <= _MAX_JSON:
        return _member(body)
    return None


def _in_element(body: str) -> str | None:
    """What stands in the one element of the text."""
    name, _, rest = body[1:].partition(">")
    content, closing = rest[: -len(name) - 3].strip(), rest[-len(name) - 3 :]
    if name.lower() not in _ELEMENTS or closing.lower() != f"</{name.lower()}>":
        return None
    return content if 0 < len(content) <= _MAX_LINE and _ELEMENT_SIGNS.isdisjoint(content) else None


def _in_fence(body: str) -> str | None:
    """What stands in the one fence of the text: a line, some lines, or JSON."""
    language, content = _opened_fence(body)
    if "\n" not in content and language in _ONE_LINE and 0 < len(content) <= _MAX_LINE:
        return content
    if language in ("", "json") and content[:1] == "{" and content[-1:] == "}":
        return told(content)
    return content if language in _LINES and content else None


def _opened_fence(body: str) -> tuple[str, str]:
    """The language of a fence and what it holds, "" for any other text."""
    language, _, rest = body.removeprefix(_FENCE).partition("\n")
    content = rest.removesuffix(_FENCE)
    if content == rest or not body.startswith(_FENCE) or len(content) > _MAX_LINES or "`" in content:
        return "", ""
    return language.rstrip(), content.strip()


def tells_several(body: str, lists: bool = False) -> bool:
    """Whether a response is a JSON object with several answers in it; where `lists`, also one with a list of them.

    >>> tells_several('{"answer": 4, "alternative": 5}'), tells_several('{"answer": 4, "score": 5}')
    (True, False)
    >>> tells_several('{"answer": [4, 5]}', lists=True), tells_several('{"answer": [4, 5]}')
    (True, False)
    """
    text = body.strip()
    if text[:1] != "{" or text[-1:] != "}" or len(text) > _MAX_JSON:
        return False
    members = _members(text) or []
    told = [value for key, value in members if _tells_answer(key)]
    if lists and any(map(_is_list, told)):
        return True
    return len(set(map(str, told))) > 1 or _holds_alternative(members)


def _is_list(value: object) -> bool:
    """Whether it is a list with different items."""
    return isinstance(value, list) and len(set(map(str, value))) > 1


def _holds_alternative(members: list[tuple[str, object]]) -> bool:
    """Whether one of several texts is named as an alternative."""
    values = {value for _, value in members if isinstance(value, str)}
    return len(values) > 1 and any(word in key.lower() for key, _ in members for word in _ALTERNATIVES)


def _member(body: str) -> str | None:
    members = _members(body) or []
    values = [value for key, value in members if key.lower() in _KEYS]
    others = sum(1 for key, _ in members if _tells_answer(key))
    return values[0] if len(values) == others == 1 and isinstance(values[0], str) else None


def _members(body: str) -> list[tuple[str, object]] | None:
    """The names and values of a JSON object, None for any other text."""
    try:
        found = json.loads(
            _LATEX.sub(r"\\\\", body), parse_float=str, parse_int=str, object_pairs_hook=_Members
        )
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, _Members) else None


def _tells_answer(key: str) -> bool:
    return any(word in key.lower() for word in (*_KEYS, *_ALTERNATIVES))


class _Members(list[tuple[str, object]]):
    """The names and values of an object, with those names that come twice."""


def opened(body: str) -> str:
    """The text with a fence of one line at its end taken off: "Final answer:\\n```\\n42\\n```"."""
    if not body.endswith("```"):
        return body
    at = max(0, body.rfind(_FENCE, 0, -len(_FENCE)))
    language, content = _opened_fence(body[at:])
    one_line = language in _ONE_LINE and 0 < len(content) <= _MAX_LINE and "\n" not in content
    return body[:at] + content if one_line else body
