"""Lists of values with a label each: `House 1: Eric, House 2: Ana`, "mean 12, standard deviation 3"."""

from __future__ import annotations

from hybridverify.language.pieces import pieces
from hybridverify.maths.parsing.texts import without_commands

_MAX, _MOST, _LONGEST = 400, 12, 40
_SIGNS = (":", "=", " - ", " – ", " is ", "→", " ")
"""What stands between a label and its value; a blank only before a number."""


def labelled_texts(text: str) -> dict[str, str] | None:
    """The value of each label, in small letters; None for any other text.

    >>> labelled_texts("House 1: Eric; House 2: Ana") == labelled_texts("House 2 - Ana, House 1 - Eric")
    True
    >>> labelled_texts("mean 12, standard deviation 3"), labelled_texts("red, blue"), labelled_texts("a: 1")
    ({'mean': '12', 'standard deviation': '3'}, None, None)
    """
    if len(text) > _MAX or not ("," in text or ";" in text or " and " in text) or not _has_label(text):
        return None
    parts = pieces(without_commands(text).replace("\\n", ","), ",;", frozenset(("and",)))
    told = [_cut(part.strip(" .$*")) for part in parts]
    found = dict(told)
    whole = 1 < len(found) == len(told) <= _MOST and all(label and value for label, value in told)
    return found if whole else None


def _has_label(text: str) -> bool:
    """Does it begin with a word?"""
    return text.lstrip(" \\$*{(")[:1].isalpha() and text[1:2] not in ("=", "_", "(")


def _cut(part: str) -> tuple[str, str]:
    """The label and the value of a part, empty where it has none."""
    for sign in _SIGNS:
        label, found, value = part.rpartition(sign) if sign == " " else part.partition(sign)
        if found:
            break
    label, value = " ".join(label.lower().split()).removeprefix("the "), value.strip()
    worded = len(label) > 1 and label[0].isalpha() and label.replace(" ", "").replace("'", "").isalnum()
    told = value[:1].isdigit() or value[:1] == "-" if sign == " " else value[:1].isalnum()
    return (label, value) if worded and told and max(len(label), len(value)) <= _LONGEST else ("", "")
