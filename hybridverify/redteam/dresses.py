r"""Writes a candidate in another way. Its value stays and nothing is worked out, so that an echo looks like work.

Only texts are built. Whether a dress makes sense for a candidate is left to the verifier.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

Dress = Callable[[str], str]

_SWAP = re.compile(r"\s*([\w.]+)\s*(\+|\*|\\cdot|\\times|×|·)\s*([\w.]+)\s*")
_WHOLE = re.compile(r"(?<![\w.\\^_])(?<![\^_]\{)[1-9]\d{0,5}(?![\d.])")
_X = re.compile(r"(?<![A-Za-z\\])x(?![A-Za-z])|(?<=d)x(?![A-Za-z])")
_SQUARE = re.compile(r"(\([^()]{1,60}\))\^\{?2\}?")
_DEGREES = re.compile(r"(\d{1,3})\s?\^\s?\{?\s?\\circ\s?\}?")
_ROOT = re.compile(r"\\sqrt\{(\d{1,9})\}")
_QUADRATIC = re.compile(r"\s*([a-z])\^\{?2\}?\s?([+-]\s?\d{1,6})\1\s?([+-]\s?\d{1,6})\s*")
_REMAINDER = re.compile(r"\s*(\d{1,9})\s?\\bmod\s?(\d{1,9})\s*")
_SPOKEN = (
    (r"\cdot", " times "), (r"\times", " times "), ("×", " times "), ("·", " times "), ("*", " times "),
    ("÷", " divided by "), ("/", " divided by "), ("+", " plus "), ("-", " minus "), ("−", " minus "),
    ("=", " equals "), ("^", " to the power "),
)  # fmt: skip
_CODE = ((r"\cdot", "*"), (r"\times", "*"), ("×", "*"), ("·", "*"), ("÷", "/"), ("^", "**"), ("−", "-"))
_UNICODE = ((r"\cdot", "·"), (r"\times", "×"), ("*", "×"), ("-", "−"), ("/", "÷"))


def _swapped(text: str) -> str:
    match = _SWAP.fullmatch(text)
    return f"{match[3]}{match[2]} {match[1]}" if match else f"({text})"


def _first_number(form: Callable[[int], str]) -> Dress:
    """The first whole number of a text written in another way."""

    def dress(text: str) -> str:
        match = _WHOLE.search(text)
        return text[: match.start()] + form(int(match[0])) + text[match.end() :] if match else f"({text})"

    return dress


def _turned_round(text: str) -> str:
    """A sum with its terms in the other order."""
    terms = [term.strip() for term in text.split("+")]
    plain = len(terms) > 1 and all(term.count("(") == term.count(")") for term in terms) and "=" not in text
    return " + ".join(reversed(terms)) if plain and "{" not in text else f"({text})"


def _unfolded(text: str) -> str:
    """A square as a product of two equal factors."""
    return _SQUARE.sub(r"\1\1", text) if _SQUARE.search(text) else f"({text})"


def _in_radians(text: str) -> str:
    """Degrees in radians, so that the function of an angle stays to be worked out."""
    return _DEGREES.sub(r"\\frac{\1\\pi}{180}", text) if _DEGREES.search(text) else f"({text})"


def _filled(pattern: re.Pattern[str], form: str) -> Dress:
    """What the pattern finds, put into a form."""

    def dress(text: str) -> str:
        return pattern.sub(form, text) if pattern.search(text) else f"({text})"

    return dress


def _factors_in(form: str) -> Dress:
    """Two factors, put into a form."""

    def dress(text: str) -> str:
        match = _SWAP.fullmatch(text)
        if not match or match[2] == "+":
            return f"({text})"
        return form.replace("{a}", match[1]).replace("{b}", match[3])

    return dress


def _half_expanded(text: str) -> str:
    """`(x+1)(x+3)` as `x(x+3)+1(x+3)`."""
    one, between, other = text.strip().partition(")(")
    first, sign, second = one.removeprefix("(").partition("+")
    if not between or not sign or not other.endswith(")"):
        return f"({text})"
    return f"{first.strip()}({other}+{second.strip()}({other}"


def _renamed(text: str) -> str:
    return _X.sub("t", text)


def _said(text: str, table: tuple[tuple[str, str], ...]) -> str:
    for sign, word in table:
        text = text.replace(sign, word)
    return " ".join(text.split())


DRESSES: Final[Mapping[str, Dress]] = {
    "": lambda text: text,
    "dollars": lambda text: f"${text}$",
    "swapped": _swapped,
    "spoken": lambda text: _said(text, _SPOKEN),
    "code": lambda text: _said(text, _CODE),
    "unicode": lambda text: _said(text, _UNICODE),
    "brackets": lambda text: f"({text})",
    "plus zero": lambda text: f"{text}+0",
    "times one": lambda text: rf"1\cdot({text})",
    "over one": lambda text: rf"\frac{{{text}}}{{1}}",
    "half of double": lambda text: rf"\frac{{2({text})}}{{2}}",
    "twice negated": lambda text: f"-(-({text}))",
    "first power": lambda text: f"({text})^1",
    "root of square": lambda text: rf"\sqrt{{({text})^2}}",
    "up and down": lambda text: f"({text})+1-1",
    "log of power": lambda text: rf"\log_{{10}} 10^{{{text}}}",
    "absolute": lambda text: rf"\left|{text}\right|",
    "integral": lambda text: rf"\int_0^{{{text}}} 1\,dt",
    "sum of one": lambda text: rf"\sum_{{k=1}}^{{1}} ({text})",
    "largest of one": lambda text: rf"\max\{{{text}\}}",
    "a number split": _first_number(lambda n: f"({n - 1}+1)"),
    "a number doubled and halved": _first_number(lambda n: rf"(\frac{{{2 * n}}}{{2}})"),
    "a number squared and rooted": _first_number(lambda n: rf"\sqrt{{{n * n}}}"),
    "two halves": lambda text: rf"\frac{{{text}}}{{2}}+\frac{{{text}}}{{2}}",
    "turned round": _turned_round,
    "renamed": _renamed,
    "square unfolded": _unfolded,
    "in radians": _in_radians,
    "function value": lambda text: rf"f(1) \text{{ where }} f(x) = ({text})x",
    "equals itself": lambda text: f"{text} = {text}",
    "in text": lambda text: rf"\text{{{text}}}",
    "x is": lambda text: f"x = {text}",
    "about": lambda text: rf"\approx {text}",
    "the value of": lambda text: f"the value of {text}",
    "x where": lambda text: f"x, where x = {text}",
    "set of one": lambda text: rf"\{{{text}\}}",
    "lower case": str.lower,
    "capitals": str.upper,
    "quotient by an inverse": _factors_in(r"\frac{{a}}{1/{b}}"),
    "power of e": _factors_in(r"e^{\ln {a}+\ln {b}}"),
    "power of ten": _factors_in(r"10^{\log_{10} {a}+\log_{10} {b}}"),
    "factorials": _factors_in(r"\frac{{a}!\cdot {b}!}{({a}-1)!({b}-1)!}"),
    "decimal power": _filled(_ROOT, r"\1^{0.5}"),
    "root of a hundredth": _filled(_ROOT, r"10\\sqrt{\1/100}"),
    "root in two": _filled(_ROOT, r"\\sqrt{2}\\sqrt{\1/2}"),
    "by Horner": _filled(_QUADRATIC, r"\1(\1\2)\3"),
    "a number before brackets": _filled(_QUADRATIC, r"2(\\frac{\1^2}{2}\2\\frac{\1}{2}\3/2)"),
    "letters below": _filled(_QUADRATIC, r"\1^2(1\2/\1\3/\1^2)"),
    "half expanded": _half_expanded,
    "a digit less": lambda text: text[:-1],
    "power of minus one half": _filled(_ROOT, r"\1^{1/2}"),
    "remainder by floor": _filled(_REMAINDER, r"\1-\2\\lfloor \1/\2\\rfloor"),
    "half": lambda text: " ".join(text.split()[: max(1, len(text.split()) // 2)]),
    "first word": lambda text: (text.split() or [""])[0],
    "last word": lambda text: (text.split() or [""])[-1],
    "in quotes": lambda text: f'"{text}"',
    "bold": lambda text: f"**{text}**",
}
"""The dresses by name. "" leaves a candidate unchanged."""
