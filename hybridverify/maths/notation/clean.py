"""Spelling, before any reading: Unicode, broken escapes, mark-up around the answer. No step here drops meaning."""

from __future__ import annotations

import html
import unicodedata
from functools import lru_cache
from itertools import groupby

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language.braces import closing_brace
from hybridverify.language.symbols import SIGNS
from hybridverify.language.text import tilde_signs
from hybridverify.maths.limits import MAX_CHARS, Limit
from hybridverify.maths.notation.spelling import respelled
from hybridverify.maths.notation.vocabulary import GREEK

# Python strings that went through a second round of escapes: "\text" became tab + "ext".
_BROKEN = {
    "\t": ("ext", "frac", "imes", "an", "heta", "o ", "riangle", "au", "op"),
    "\x0c": ("rac", "orall", "box"),
    "\x08": ("eta", "oxed", "inom", "egin", "ar", "mod", "f", "ig"),
    "\r": ("ight", "ho", "m"),
    "\x07": ("lpha", "ngle", "pprox"),
    "\x0b": ("ec", "arphi", "mathbf"),
}
_LETTER = {"\t": "t", "\x0c": "f", "\x08": "b", "\r": "r", "\x07": "a", "\x0b": "v"}

_SIGNS = str.maketrans(
    SIGNS
    | {
        "—": "-", "✕": r"\times ", "∙": r"\cdot ", "∕": "/", "⁄": "/", "√": r"\sqrt ", "∛": r"\sqrt[3]",
        "≡": r"\equiv ",
        "°": r"^\circ ", "˚": r"^\circ ", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "⌈": r"\lceil ", "⌉": r"\rceil ",
        "∜": r"\sqrt[4]", "∠": r"\angle ", "△": r"\triangle ", "¢": " cents", "º": r"^\circ ", "∄": " no solution ",
        "∀": r"\forall ", "ℝ": r"\mathbb{R}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}", "ℕ": r"\mathbb{N}",
        "⋯": r"\ldots ", "【": "[", "】": "]", "∣": "|", "∶": ":", "″": '"', "⋀": r"\land ", "⋁": r"\lor ",
        "∖": r"\setminus ", "⟨": r"\langle ", "⟩": r"\rangle ", "µ": r"\mu ", "Ω": r"\Omega ",
        "℃": r"^\circ \text{C}", "℉": r"^\circ \text{F}", "\u2009": r"\,", "\u202f": r"\,",
    }
)  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n")
_SUNK = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₙ", "0123456789n")
_JOINTS = {
    **dict.fromkeys(("或", "或者"), r" \text{ or } "),
    **dict.fromkeys(("且", "并且", "和", "与", "及"), r" \text{ and } "),
    "度": r"^\circ ",
}
"""Words of Chinese that stand alone between formulas."""
_RAISED_POINT = re.compile(r"(?<![\d.·,])0·(?=\d)")
"""`0·5` as the British write it: nobody multiplies by a nought."""
_DOUBLED = re.compile(r"\\\\(?=[A-Za-z])")
_ENTITY = re.compile(
    r"&(?:lt|gt|amp|le|ge|ne|times|divide|minus|deg|pi|infin|radic|plusmn|nbsp|frac\d\d|sup\d|#\d{2,5})(?:;|$)"
)
_TAG = re.compile(r"<(/?)([A-Za-z]{1,6})(?: [^<>]{0,80})?>")
_BOX = "\\boxed{"
_MAX_LETTERS = 3
_SETS_TYPE = frozenset(("b", "i", "u", "em", "strong", "span", "font", "mark", "code", "center", "p", "div"))
_SCRIPTS = {"sup": "^{", "sub": "_{"}
_COLOUR = re.compile(r"\\(?:text)?color(?:box)?\s?\{[A-Za-z0-9!.]{0,30}\}")


def clean(text: str, conventions: Conventions) -> str:
    """The text in ASCII LaTeX spelling, without outer mark-up. Raises Limit for a text that is too long.

    >>> clean("$２√3$", Conventions())
    '2\\\\sqrt 3'
    """
    if len(text) > MAX_CHARS:
        raise Limit("limit")
    if conventions.escapes and not text.isprintable():
        text = _repaired(text)
    text = _without_markup(_in_ascii(text, conventions), conventions)
    text = _without_box(_single_backslashes(text).strip())
    return _without_idle_brackets(respelled(unwrapped(text)))


def _in_ascii(text: str, conventions: Conventions) -> str:
    return text if text.isascii() or not conventions.unicode else in_ascii(text)


def _without_markup(text: str, conventions: Conventions) -> str:
    """Without HTML and colours."""
    if "&" in text and _ENTITY.search(text):
        text = _ENTITY.sub(lambda found: html.unescape(found[0].rstrip(";") + ";"), text)
        text = _in_ascii(text, conventions)
    if "<" in text and ">" in text:
        text = without_tags(with_raised_parts(text))
    if "~" in text:
        text = tilde_signs(text)
    if "color" in text:
        text = _COLOUR.sub("", text)
    return with_signs_of_powers(text) if "10^" in text else text


def with_signs_of_powers(text: str) -> str:
    r"""`5.0 x 10^14` with a sign of multiplication for its letter.

    >>> with_signs_of_powers("5.0 x 10^14 Hz"), with_signs_of_powers("x10^2")
    ('5.0 \\times 10^14 Hz', 'x10^2')
    """
    before, *rest = text.split("10^")
    for part in rest:
        head = before.rstrip(" ")
        if head[-1:] in ("x", "X") and head[:-1].rstrip(" ")[-1:].isdigit():
            before = head[:-1] + "\\times "
        before += "10^" + part
    return before


def with_raised_parts(text: str) -> str:
    """`x<sup>2</sup>` as TeX writes it."""
    return _TAG.sub(_raised, text)


def _raised(tag: re.Match[str]) -> str:
    opening = _SCRIPTS.get(tag[2].lower(), tag[0])
    return "}" if tag[1] and opening != tag[0] else opening


def without_tags(text: str) -> str:
    """Without bold and the like of HTML, where each tag is closed: `a<b>c` keeps its signs."""
    tags = [(m[2].lower(), m[1]) for m in _TAG.finditer(text) if m[2].lower() in _SETS_TYPE]
    opened, closed = (sorted(name for name, slash in tags if slash == kind) for kind in ("", "/"))
    return _TAG.sub(_without_type, text) if tags and opened == closed else text


def _without_type(tag: re.Match[str]) -> str:
    """A blank stays between two elements beside each other: `<b>3</b><i>7</i>` is no 37."""
    if tag[2].lower() not in _SETS_TYPE:
        return tag[0]
    parts = tag[1] != "" and tag.string[tag.end() : tag.end() + 1] == "<"
    return " " if parts and tag.string[tag.end() + 1 : tag.end() + 2] != "/" else ""


def _without_box(text: str) -> str:
    """Without a box around the whole, also where its end was cut off."""
    if not text.startswith(_BOX):
        return text
    end = closing_brace(text, len(_BOX) - 1)
    if end < 0:
        return text.removeprefix(_BOX) if text.count("{") - text.count("}") == 1 else text
    return text[len(_BOX) : end] if end == len(text) - 1 else text


def _without_idle_brackets(text: str) -> str:
    """Many brackets around one thing are one pair: no depth is spent on them."""
    count = min(len(text) - len(text.lstrip("(")), len(text) - len(text.rstrip(")")))
    inner = text[count:-count]
    if count < 3 or "(" in inner or ")" in inner:
        return text
    return f"({inner})"


def _repaired(text: str) -> str:
    for char, tails in _BROKEN.items():
        if char not in text:
            continue
        for tail in tails:
            text = text.replace(char + tail, "\\" + _LETTER[char] + tail)
    return text


def in_ascii(text: str) -> str:
    """Signs of Unicode in the spelling of LaTeX; letters stay as they are."""
    if "0·" in text:
        text = _RAISED_POINT.sub("0.", text)
    return "".join(_spelled(script, "".join(run)) for script, run in groupby(text, _script))


@lru_cache(maxsize=1024)
def _script(char: str) -> str:
    """Which characters are read together with their neighbours: raised and sunk ones, and letters of Greek."""
    code = ord(char)
    if code in _RAISED or code in _SUNK:
        return "raised" if code in _RAISED else "sunk"
    if "\u0370" <= char <= "\u03ff" and code not in _SIGNS:
        return "Greek"
    return "plain" if char.isascii() else "sign"


def _spelled(script: str, run: str) -> str:
    if script == "plain":
        return run
    if script == "Greek":
        return _greek(run)
    if script == "sign":
        return _JOINTS.get(run.strip(" ，")) or "".join(map(_one, run))
    return f"^{{{run.translate(_RAISED)}}}" if script == "raised" else f"_{{{run.translate(_SUNK)}}}"


def _greek(run: str) -> str:
    """Up to three Greek letters by their names, where LaTeX has them: `χ` is `\\chi`. A run of more is a word."""
    return "".join(map(_by_name if len(run) <= _MAX_LETTERS else _one, run))


def _by_name(char: str) -> str:
    name = unicodedata.name(char, "").removeprefix("GREEK ")
    kind, _, letter = name.replace("LAMDA", "LAMBDA").partition(" LETTER ")
    letter = letter.capitalize() if kind == "CAPITAL" else letter.lower()
    return rf"\{letter} " if letter in GREEK or letter in ("pi", "Pi") else _one(char)


@lru_cache(maxsize=1024)
def _one(char: str) -> str:
    """A sign that stands for itself alone."""
    if ord(char) in _SIGNS:
        return char.translate(_SIGNS)
    if "①" <= char <= "⑳":
        return f" {ord(char) - 0x245F},"
    category = unicodedata.category(char)
    if category == "Cf":  # zero-width and direction marks carry no meaning
        return ""
    if category == "No":
        value = unicodedata.normalize("NFKC", char)
        top, slash, bottom = value.partition("\u2044")
        return rf"\frac{{{top}}}{{{bottom}}}" if slash else value
    if char.isspace():
        return " "
    if "\uff00" <= char <= "\uffef" or "\U0001d400" <= char <= "\U0001d7ff" or category == "Lu":
        folded = unicodedata.normalize("NFKC", char)
        return folded if folded == char else "".join(_spelled(_script(part), part) for part in folded)
    return char


def _single_backslashes(text: str) -> str:
    if "\\\\" not in text:
        return text
    if "\\\\begin" in text:
        return text.replace("\\\\", "\\")
    return text if "\\begin" in text else _DOUBLED.sub(r"\\", text)


_PAIRS = (("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"))


_OPENINGS = frozenset(left[0] for left, _ in _PAIRS)


def unwrapped(text: str) -> str:
    """Without outer dollars, maths delimiters, bold marks, quotes, and the full stop of a sentence."""
    while True:
        before = text
        text = _without_pairs(_without_end(text.strip()))
        if "$" in text:
            text = _without_dollars(text)
        if text == before:
            return text


def _without_end(text: str) -> str:
    """Without a full stop, or a backslash that escapes nothing."""
    if text.endswith(".") and not text.endswith(("..", "a.m.", "p.m.", "A.M.", "P.M.")):
        text = text[:-1]
    while text.endswith("\\") and not text.endswith("\\\\\\"):
        text = text[:-1]
    return text


def _without_pairs(text: str) -> str:
    """Without the marks of `_PAIRS` around the whole."""
    if text[:1] not in _OPENINGS:
        return text
    for left, right in _PAIRS:
        size = len(left)
        if len(text) > 2 * size and text.startswith(left) and text.endswith(right):
            inner = text[size:-size]
            if left not in inner and right not in inner:
                text = inner
    return text


def _without_dollars(text: str) -> str:
    """Drop dollars that only switch to mathematics; keep those that mean money."""
    spots = {i for i, char in enumerate(text) if char == "$" and not text.startswith("\\$", i - 1)}
    if not spots or ("$$" not in text and _means_money(text, spots)):
        return text
    return "".join(" " if i in spots else char for i, char in enumerate(text))


def _means_money(text: str, spots: set[int]) -> bool:
    """A dollar without a partner, or one before a number at the end."""
    after = max(spots) + 1
    return len(spots) % 2 == 1 or text[after : after + 1].isdigit()
