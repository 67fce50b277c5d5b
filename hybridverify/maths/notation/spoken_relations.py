"""Inequalities in words: "x is greater than 3", "all real numbers at most 5", "x is in [0, 3]"."""

from __future__ import annotations

from itertools import takewhile

from hybridverify.language import expressions as re
from hybridverify.language.patterns import IN_TEXT, WORD
from hybridverify.maths.notation.vocabulary import GREATEST, LEAST, words

_SIGNS = {
    "greater than or equal to": r"\ge ",
    "more than or equal to": r"\ge ",
    "at least": r"\ge ",
    "no less than": r"\ge ",
    "not less than": r"\ge ",
    "less than or equal to": r"\le ",
    "at most": r"\le ",
    "no more than": r"\le ",
    "no greater than": r"\le ",
    "not more than": r"\le ",
    "not greater than": r"\le ",
    "strictly greater than": ">",
    "strictly less than": "<",
    "greater than": ">",
    "larger than": ">",
    "more than": ">",
    "less than": "<",
    "smaller than": "<",
}
_LONGEST_SIGN = 6
_OR_MORE = {
    **dict.fromkeys(("more", "greater", "above", "over", "larger", "higher"), r"\ge "),
    **dict.fromkeys(("less", "fewer", "below", "under", "smaller", "lower"), r"\le "),
}
_BOUNDS = {
    **_SIGNS,
    **dict.fromkeys(("\\geqslant", "\\geq", "\\ge", "≥", ">="), r"\ge "),
    **dict.fromkeys(("\\leqslant", "\\leq", "\\le", "≤", "<="), r"\le "),
    ">": ">",
    "<": "<",
}
_STARTS = tuple(_BOUNDS)
_NOUNS = words("for all any every real number numbers value values of")
_VERBS = words("such that which is are must be has to lies lie")
_FROM_TO = ("between and", "from to", "from and")
_COMPARING = (" than ", "at least ", "at most ", "clusive")
_VALUES = ("\\frac", "\\sqrt", "\\pi")
_RELATIONS = ("<", ">", "\\le", "\\ge", "\\ne")
_MAX, _MAX_VALUE = 120, 60


def relation_in_words(text: str) -> str:
    r"""The text as an inequality or interval where it says one in words, else as it stands.

    >>> relation_in_words("x is greater than 3"), relation_in_words("at least 5")
    ('x>3', 'at least 5')
    """
    if " " not in text or len(text) > _MAX:
        return text
    if " in " in text or "all " in text:
        text = _without_subject(text)
    if not any(word in text for word in _COMPARING):
        return text
    told = IN_TEXT.sub(r" \1 ", text).replace("$", " ").split()
    return _interval(told) or _inequality(told) or text


def bound_in_words(text: str) -> str:
    r"""`at least 10`, "10 or more" and `\ge 10` as an inequality of x, "" for any other text.

    >>> bound_in_words("at least 10"), bound_in_words("10 or fewer"), bound_in_words(r"\ge 10"), bound_in_words("10")
    ('x\\ge 10', 'x\\le 10', 'x\\ge 10', '')
    """
    told = text.strip(" $.") if len(text) <= _MAX_VALUE else ""
    number, _, rest = told.partition(" or ")
    if rest.lower() in _OR_MORE:
        sign, value = _OR_MORE[rest.lower()], _value(number)
    else:
        low = told.lower()
        start = next(filter(low.startswith, _BOUNDS)) if low.startswith(_STARTS) else ""
        sign, value = _BOUNDS.get(start, ""), _value(told[len(start) :].strip()) if start else ""
    return f"x{sign}{value}" if value else ""


def _without_subject(text: str) -> str:
    """`for all x > 3` as `x > 3`, `x is in the interval [0, 3]` with the sign of a set."""
    subject, inside, rest = text.partition(" in ")
    name, *verbs = subject.split(" ")
    rest = rest.removeprefix("the ").removeprefix("interval ")
    is_member = verbs and _VERBS.issuperset(verbs) and rest[:1] in ("[", "(", "]", "\\")
    if inside and is_member and len(name) == 1 and name.isalpha():
        return f"{name}\\in {rest}"
    told = text.split(" ")
    nouns = [*takewhile(lambda word: word.lower() in _NOUNS, told)]
    rest = " ".join(told[len(nouns) :])
    is_compared = rest[:1].isalpha() and rest[1:].lstrip().startswith(_RELATIONS)
    return rest if "all" in nouns and is_compared else text


def _interval(told: list[str]) -> str:
    """`between 1 and 5, inclusive` in brackets; "" for other texts."""
    *subject, opening, low, joined, high, ends = ["", "", "", "", "", *map(str.lower, told)]
    if ends not in ("inclusive", "exclusive") or f"{opening} {joined}" not in _FROM_TO:
        return ""
    if not all(word in _NOUNS or word in _VERBS or len(word) < 2 for word in subject):
        return ""
    high = high.rstrip(",")
    if not all(re.fullmatch(r"-?[\d./]{1,12}", end) for end in (low, high)):
        return ""
    left, right = "[]" if ends == "inclusive" else "()"
    return f"{left}{low},{high}{right}"


def _inequality(told: list[str]) -> str:
    """`x is at least 5` with its sign; "" for other texts, and where neither a letter nor a number is spoken of."""
    low = [word.lower() for word in told]
    for start in range(len(told)):
        for end in range(min(start + _LONGEST_SIGN, len(told)), start + 1, -1):
            sign = _SIGNS.get(" ".join(low[start:end]))
            if sign:
                name, value = _subject(told[:start]), _value(" ".join(low[end:]))
                return f"{name}{sign}{value}" if name and value else ""
    return ""


def _subject(told: list[str]) -> str:
    """The letter of `all real x that are`; x where only numbers are spoken of, "" for anything else."""
    nouns = [*takewhile(lambda word: word.lower() in _NOUNS, told)]
    rest = told[len(nouns) :]
    names = [word for word in rest if len(word) == 1 and word.isalpha()]
    verbs = [word for word in rest if word not in names]
    if len({*names}) > 1 or not _VERBS.issuperset(map(str.lower, verbs)):
        return ""
    return names[0] if names else "x" * (not {"real", "numbers"}.isdisjoint(map(str.lower, nouns)))


def _value(text: str) -> str:
    """The number that a comparison ends on, "" where more than a number follows."""
    if text.startswith("negative ") and text[9:].isdigit():
        return "-" + text[9:]
    has_words = any("a" <= char <= "z" for char in text) and not text.startswith(_VALUES)
    first = text.removeprefix("-")[:1]
    return text if (first.isdigit() or first == "\\") and not has_words and len(text) <= _MAX_VALUE else ""


_ENDS = LEAST | GREATEST
_EXTREME = re.compile(
    rf"(?:\\text\s?\{{\s?)?\\?(?:the )?\b(?:({'|'.join(sorted(GREATEST))})|(?:{'|'.join(sorted(LEAST))}))"
    r"(?: value)?\s?(?::|is|of|=)?\s?\}?\s?(?::|is|=)?\s?(?=-?\s?(?:\d|\\(?:d?frac|sqrt|pi|infty)))",
    re.IGNORECASE,
)


def extremes(text: str) -> str:
    r"""The text with one spelling of its greatest and least values.

    >>> extremes(r"\max = 7, the minimum value is -2")
    'maximum: 7, minimum: -2'
    """
    if ("m" not in text and "s" not in text) or sum(map(_ENDS.__contains__, WORD.findall(text.lower()))) < 2:
        return text
    return _EXTREME.sub(lambda found: "maximum: " if found[1] else "minimum: ", text)
