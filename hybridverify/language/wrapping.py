r"""Take the wrapping off an answer: dollars, bold marks, \text{..}, outer braces, a full stop, invisible characters.

Separate from text.py because the result is still the response's own text, fit to be shown to a judge: nothing
with a meaning goes, and nothing is rewritten.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language import expressions as re
from hybridverify.language.braces import closing_brace
from hybridverify.language.patterns import COMMAND, TEXT_COMMANDS

_ROUNDS = 8
"""Wrappings inside wrappings that are taken off; hostile texts nest thousands."""
_SHORT = 200
"""Longer texts are no answers that several readers ask for."""
_PAIRS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"), ("__", "__"), ("`", "`"))
_OPENINGS = frozenset("$\\*_`{")
"""What a pair, an emphasis or a command begins with."""
_BUILDER = re.compile(r"\{\s?[a-z]\s?(?:[|:∣∈]|\\(?:mid|in|vert)(?![A-Za-z]))")
_WRAPPERS = frozenset((*TEXT_COMMANDS, "mathrm", "boxed", "fbox", "framebox", "pmb", "bm", "ensuremath"))
_SWITCHES = frozenset(("displaystyle", "textstyle", "quad", "qquad", "bf", "rm", "large", "Large"))
_SPACES = tuple("\\" + sign for sign in ",;:! ")
_EMPHASIS, _MAX_EMPHASIS = frozenset("*_\\"), 200
_PLAIN = re.compile(r"(?:[A-Za-z0-9+/() =-]|[.,](?=[\w ]))*[A-Za-z0-9)]")
_TRAILING = ".,;。，；、．।۔"
_END_SIGNS = frozenset("✓✔✅☑∎■□◼◻▪🎉🎊👍💯")
"""Signs of an end, or that all is well. After a blank they say nothing of the answer; "5 ✘" does."""
_UNSEEN = (  # control characters but line ends and tab, soft hyphen, zero-width and direction marks, tags
    (0x00, 0x09), (0x0B, 0x0C), (0x0E, 0x20), (0x7F, 0xA0), (0xAD, 0xAE), (0x34F, 0x350), (0x61C, 0x61D),
    (0x180B, 0x180F), (0x200B, 0x2010), (0x202A, 0x202F), (0x2060, 0x2070), (0xFE00, 0xFE10), (0xFEFF, 0xFF00),
    (0xFFF9, 0xFFFC), (0xE0000, 0xE0080), (0xE0100, 0xE01F0),
)  # fmt: skip
INVISIBLE = dict.fromkeys(code for first, end in _UNSEEN for code in range(first, end))
_HIDDEN = re.compile("[" + "".join(rf"\U{first:08x}-\U{end - 1:08x}" for first, end in _UNSEEN) + "]")


def visible(text: str) -> str:
    r"""The text without characters that nobody sees.

    >>> visible("5\u200b")
    '5'
    """
    if text.isascii() and text.isprintable():  # most answers: ten times faster than the search
        return text
    return text.translate(INVISIBLE) if _HIDDEN.search(text) else text


def unwrap(text: str) -> str:
    r"""The answer itself.

    >>> unwrap(r" $\text{(C) Evelyn}$. ")
    '(C) Evelyn'
    >>> unwrap("**12 dollars**"), unwrap(r"\$12"), unwrap("1, 2, ..."), unwrap("12 ✔"), unwrap("12 ✘")
    ('12 dollars', '\\$12', '1, 2, ...', '12', '12 ✘')
    """
    text = visible(text).strip()
    if text.isalnum() and text.isascii():
        return text
    return _kept(text) if len(text) <= _SHORT else _unwrapped(text)


def _unwrapped(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    for _ in range(_ROUNDS):
        before = text
        text = _without_stop(_without_halves(_without_end_sign(text.strip())))
        if text[:1] in _OPENINGS:
            text = _without_command(_without_pairs(text))
        if text == before:
            break
    return text


_kept = lru_cache(maxsize=1024)(_unwrapped)
"""Every reader of an answer takes the same wrapping off it."""


def _without_pairs(text: str) -> str:
    for opening, closing in _PAIRS:
        if text.startswith(opening):
            text = _peel(text, opening, closing)
    inner = text[1:-1]
    if text[:1] not in ("*", "_") or text[-1] != text[0] or inner != inner.strip():
        return text
    return inner if len(inner) <= _MAX_EMPHASIS and _EMPHASIS.isdisjoint(inner) else text


def _peel(text: str, opening: str, closing: str) -> str:
    if len(text) < len(opening) + len(closing) or not text.endswith(closing):
        return text
    inner = text[len(opening) : -len(closing)]
    if opening in inner or closing in inner or (closing == "$" and inner.endswith("\\")):
        return text
    return inner.strip()


def _without_command(text: str) -> str:
    command = COMMAND.match(text)
    name = command[0][1:] if command else ""
    rest = text[len(name) + 1 :].lstrip()
    if name in _SWITCHES:
        return rest
    if text.startswith(_SPACES) and not text[2:3].isalpha():
        return text[2:].lstrip()
    brace = len(text) - len(rest) if name in _WRAPPERS else 0
    if not brace and _BUILDER.match(text):
        return text
    if text.startswith("{", brace) and closing_brace(text, brace) == len(text) - 1:
        return text[brace + 1 : -1]
    return text


def _without_halves(text: str) -> str:
    """Bold marks of which only one half fell into the answer: '** 42' after '**Answer:', '42**'."""
    while text.startswith("**") and text[2:3].isspace():
        text = text[2:].lstrip()
    if text.endswith("**") and text.count("**") % 2:
        text = text[:-2].rstrip()
    elif text.startswith("**") and text.count("**") % 2:
        text = text[2:].lstrip()
    return text


def _without_end_sign(text: str) -> str:
    return text[:-1].rstrip() if text[-1:] in _END_SIGNS and text[-2:-1].isspace() else text


def _without_stop(text: str) -> str:
    end = len(text)
    while end and text[end - 1] in _TRAILING and not text.endswith(("\\" + text[end - 1], "..."), 0, end):
        end -= 1
    return text[:end].rstrip() if end < len(text) else text
