r"""The spelling that Hendrycks' MATH grader gives an answer before it compares texts; PRM800K's first look is the same.

It knows no mathematics: `\frac12` becomes `\frac{1}{2}`, spaces and some units go. A text that it cannot take apart
raises Odd, upon which it is compared as it stands.
"""

from __future__ import annotations

from hybridverify.language import expressions as re

DROPPED_FIRST = ("\n", "\\!")
RENAMED = (("\\\\", "\\"), ("tfrac", "frac"), ("dfrac", "frac"))
DROPPED = ("\\left", "\\right", "^{\\circ}", "^\\circ", "\\$")
_UNIT = "\\text{ "
_NAME_LENGTH = 2
ONLY_TEXT = re.compile(r"\\text\{(.+)\}")
_BARE_ROOT = re.compile(r"\\sqrt(?!\{)(.)", re.DOTALL)


class Odd(Exception):
    """A text on which the original gives up."""


def normal_form(text: str) -> str:
    r"""The spelling that is compared, or the text itself where the original would give up.

    >>> normal_form(r"x = \dfrac12"), normal_form("3/4"), normal_form(r"5\text{ cm}"), normal_form(".5")
    ('\\frac{1}{2}', '\\frac{3}{4}', '5', '\\frac{1}{2}')
    """
    try:
        return spelled(text)
    except Odd:
        return text


def without_text(text: str) -> str:
    r"""The same after a `\text{...}` around the whole is taken off.

    >>> without_text(r" \text{ Tuesday } ")
    'Tuesday'
    """
    stripped = text.strip()
    wrapped = ONLY_TEXT.fullmatch(stripped)
    return normal_form(wrapped[1].strip() if wrapped else stripped)


def spelled(text: str) -> str:
    """One spelling. Raises Odd."""
    for gone in DROPPED_FIRST:
        text = text.replace(gone, "")
    for old, new in RENAMED:
        text = text.replace(old, new)
    for gone in DROPPED:
        text = text.replace(gone, "")
    text = _without_unit(text).replace("\\\\%", "").replace("\\%", "")
    text = text.replace(" .", " 0.").replace("{.", "{0.")
    if not text:
        return text
    text = _without_name(f"0{text}" if text[0] == "." else text)
    text = _fractions(_roots(text).replace(" ", ""))
    if text == "0.5":
        return "\\frac{1}{2}"
    top, _, bottom = text.partition("/")
    return f"\\frac{{{top}}}{{{bottom}}}" if _is_whole(top) and _is_whole(bottom) else text


def _is_whole(text: str) -> bool:
    """Whether a text is a whole number in its usual spelling."""
    digits = text.removeprefix("-")
    return text == "0" or (digits.isascii() and digits.isdigit() and digits[0] != "0")


def _without_unit(text: str) -> str:
    if text.count(_UNIT) > 1:
        raise Odd
    return text.partition(_UNIT)[0]


def _without_name(text: str) -> str:
    """`k=3` as 3, where there is one equals sign after at most two characters."""
    name, sign, value = text.partition("=")
    return value if sign and "=" not in value and len(name) <= _NAME_LENGTH else text


def _roots(text: str) -> str:
    if text.endswith("\\sqrt") or "\\sqrt\\sqrt" in text:
        raise Odd
    return _BARE_ROOT.sub(r"\\sqrt{\1}", text)


def _fractions(text: str) -> str:
    r"""Braces for `\frac12` and `\frac1{2}`, not for `\frac{1}2`."""
    head, *rest = text.split("\\frac")
    done = [head]
    for part in rest:
        if not part:
            raise Odd
        if part[0] == "{":
            done.append(part)
        elif len(part) == 1:
            return text
        else:
            bottom = part[1:] if part[1] == "{" else f"{{{part[1]}}}{part[2:]}"
            done.append(f"{{{part[0]}}}{bottom}")
    return "\\frac".join(done)
