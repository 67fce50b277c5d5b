r"""Two spellings that physics has for one thing: \hbar for h over 2 pi, and points over a letter for derivatives."""

from __future__ import annotations

from hybridverify.language import expressions as re

_MAX = 200
_REDUCED = ("\\hbar", "\\hslash", "ħ")
_POINTS = re.compile(
    r"\\(d{1,2})ot\s?\{?\s?([a-z]|\\[a-z]{2,7})\s?\}?|\\d?frac\{d\^\{?2\}?\s?([a-z])\}\{dt\^\{?2\}?\}"
)


def with_planck(text: str) -> str:
    r"""The text with `\frac{h}{2\pi}` for each `\hbar`, "" where it has none.

    >>> with_planck(r"\frac{\hbar}{2}"), with_planck("2h")
    ('\\frac{(\\frac{h}{2\\pi})}{2}', '')
    """
    if len(text) > _MAX or not any(sign in text for sign in _REDUCED):
        return ""
    for sign in _REDUCED:
        text = text.replace(sign, "(\\frac{h}{2\\pi})")
    return text


def with_primes(text: str) -> str:
    r"""The text with `x''` for `\ddot{x}` and for the second derivative after t, "" where it has none.

    >>> with_primes(r"\ddot{x}+3\dot{x}=0"), with_primes(r"\frac{d^2x}{dt^2}=-x"), with_primes("x''=0")
    ("x''+3x'=0", "x''=-x", '')
    """
    if len(text) > _MAX or ("ot" not in text and "dt" not in text):
        return ""
    told = _POINTS.sub(_primed, text)
    return told if told != text else ""


def _primed(found: re.Match[str]) -> str:
    return f"{found[3]}''" if found[3] else found[2] + "'" * len(found[1])
