"""The keys of stored verdicts: SHA-256 of the canonical JSON of everything that may change a verdict.

Separate from the store, because the keys must never change: a changed key asks every paid question again.
tests/golden/cache_keys.json fixes them.

Equal: mappings with their keys in any order; a tuple and a list of equal items. Different: `1`, `1.0`, `"1"` and
`True`; texts that only look alike (nothing is normalised). Refused: NaN, infinities, sets, bytes, objects, and
mapping keys that are no text (JSON would write `1` and `"1"` alike).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from hybridverify.errors import ConfigError


def key(stage: str, identity: Mapping[str, Any], payload: object, namespace: str = "") -> str:
    """The key of one verdict: 64 hexadecimal digits.

    `stage` is `rule`, `judge` or `translation`. `identity` is everything besides the question that may change a
    verdict (name, versions, model, sampling, limits). `payload` is the question. Raises ConfigError for values that
    JSON cannot hold.

    >>> key("judge", {"model": "m"}, "2 = 2?")[:12]
    '9fe31bb363d1'
    >>> key("judge", {"a": 1, "b": 2}, "") == key("judge", {"b": 2, "a": 1}, "")
    True
    """
    return keys(stage, identity, [payload], namespace)[0]


def keys(
    stage: str, identity: Mapping[str, Any], payloads: Iterable[object], namespace: str = ""
) -> list[str]:
    """The keys of many payloads with one identity, which is written out and hashed once."""
    # The four fields are in alphabetical order, so the text is what json.dumps would write with sorted keys.
    head = f'{{"identity":{canonical_json(identity)},"namespace":{canonical_json(namespace)},"payload":'
    tail = _utf8(f',"stage":{canonical_json(stage)}}}')
    start = hashlib.sha256(_utf8(head))
    return [_finish(start, _utf8(payload) + tail) for payload in written(payloads)]


def written(payloads: Iterable[object]) -> list[str]:
    """The canonical JSON of each payload, from which `keys` makes keys.

    >>> written(["2 = 2?", [["user", "2 = 2?"]]])
    ['"2 = 2?"', '[["user","2 = 2?"]]']
    """
    return list(map(_Writer(), payloads))


def fingerprint(parts: object) -> str:
    """A short name of a set of settings (versions, conventions, presets, models): 16 hexadecimal digits.

    >>> fingerprint({"rules": ["exact"]}) == fingerprint({"rules": ("exact",)})
    True
    """
    return hashlib.sha256(_utf8(canonical_json(parts))).hexdigest()[:16]


def canonical_json(value: object) -> str:
    """JSON with sorted keys and no spaces, characters as they are.

    >>> canonical_json({"b": (1, 1.0, True), "a": "é"})
    '{"a":"é","b":[1,1.0,true]}'
    """
    try:
        _require_text_keys(value)
        return _ENCODER.encode(value)
    except RecursionError:
        raise ConfigError("cache key: a value is nested too deeply or holds itself") from None
    except ValueError as error:  # NaN, infinities and circular references
        raise ConfigError(f"cache key: {error}") from None


def _require_text_keys(value: object) -> None:
    if isinstance(
        value, (list, tuple)
    ):  # first, because messages are lists, and a test for Mapping takes longer
        for item in value:
            if not isinstance(item, str):
                _require_text_keys(item)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            if not isinstance(name, str):
                raise ConfigError(
                    f"cache key: the keys of a mapping must be text, not {type(name).__name__} {name!r}"
                )
            _require_text_keys(item)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise ConfigError(
        f"cache key: {type(value).__name__} cannot be written as JSON; give text, numbers, lists and mappings"
    )


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_plain
)


_quoted = json.encoder.encode_basestring
"""A text as the encoder above writes it."""


def _utf8(text: str) -> bytes:
    # Lone surrogates come from responses that were cut inside a character. "surrogatepass" keeps two of them apart
    # from the one character that they would make together; JSON's own \ud83d\ude00 escapes would not.
    return text.encode("utf-8", "surrogatepass")


def _finish(start: hashlib._Hash, rest: bytes) -> str:
    digest = start.copy()
    digest.update(rest)
    return digest.hexdigest()


class _Writer:
    """`canonical_json` for the payloads of one batch. Texts, and messages as pairs of texts, are joined here: calling
    the encoder for each takes four times as long. The common beginning of many chats is written once."""

    def __init__(self) -> None:
        self._written: dict[tuple[str, str], str] = {}

    def __call__(self, payload: object) -> str:
        if type(payload) is str:
            return _quoted(payload)
        if type(payload) is not list or not payload:
            return canonical_json(payload)
        for item in payload:
            if not (type(item) is list and len(item) == 2 and type(item[0]) is type(item[1]) is str):
                return canonical_json(payload)
        *before, (role, content) = payload
        parts = [self._before(*item) for item in before]
        return f"[{','.join([*parts, _message(role, content)])}]"

    def _before(self, role: str, content: str) -> str:
        found = self._written.get((role, content))
        if found is None:
            found = self._written[role, content] = _message(role, content)
        return found


def _message(role: str, content: str) -> str:
    return f"[{_quoted(role)},{_quoted(content)}]"
