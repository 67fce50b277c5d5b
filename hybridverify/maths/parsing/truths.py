"""Lists of truth values: `T, F, T`, `TFT`, `yes, no and yes`; and one of them, `True`, `F`."""

from __future__ import annotations

from hybridverify.maths.parsing.texts import without_commands

_WORDS = {"t": "T", "true": "T", "f": "F", "false": "F", "yes": "Y", "no": "N"}
_FAMILIES = (frozenset("TF"), frozenset("YN"))
_SEPARATORS = str.maketrans(",;()[]{}*.，、", " " * 12)
_MAX, _OPENING = 200, frozenset("TFtfYyNn(\\*$")


def truths(text: str) -> str:
    """The values by their first letters, "" for any other text.

    >>> truths("True, False and True"), truths("TFT"), truths("no, yes"), truths("T, no"), truths("FT = 2")
    ('TFT', 'TFT', 'NY', '', '')
    """
    if len(text) > _MAX or text[:1] not in _OPENING:
        return ""
    words = _words(text)
    if len(words) == 1 and len(words[0]) > 1 and _FAMILIES[0].issuperset(words[0]):
        return words[0]
    told = "".join(_WORDS.get(word.lower(), "?") for word in words)
    return told if told and any(family.issuperset(told) for family in _FAMILIES) else ""


def _words(text: str) -> list[str]:
    told = without_commands(text).translate(_SEPARATORS).split()
    return [word for word in told if word not in ("and", "\\")]
