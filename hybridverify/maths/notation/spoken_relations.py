"""Inequalities in words: "x is greater than 3", "all real numbers at most 5", "x is in [0, 3]"."""

from __future__ import annotations

from hybridverify.language import expressions as re

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
_WORDS = "|".join(sorted(_SIGNS, key=len, reverse=True))
_VALUE = r"(?P<value>-?[\d\\][^a-z]{0,40}|-?\d+|\\(?:frac|sqrt|pi).{0,60}|negative \d+)"
_SUBJECT = (
    r"(?:(?:for )?(?:all|any|every) )?(?:(?:real )?(?:numbers?|values?)(?: of)? )?(?:(?P<name>[a-z]) )?"
    r"(?:such that [a-z] )?(?:(?:is|are|must be|has to be|that are|which are) )?"
)
_COMPARED = re.compile(rf"{_SUBJECT}(?P<sign>{_WORDS}) {_VALUE}", re.IGNORECASE)
_ALL = re.compile(
    r"^(?:for )?all (?:real )?(?:numbers |values )?(?:of )?(?=[a-z]\s?(?:[<>]|\\[lg]e|\\neq?))", re.IGNORECASE
)
_IN = re.compile(
    r"^([a-z]) (?:is|lies|must be|must lie) in (?:the )?(?:interval )?(?=[\[(\]\\])", re.IGNORECASE
)
_BETWEEN = re.compile(
    r"(?:[a-z] (?:is|lies) |all real numbers )?(?:from|between) (-?[\d./]{1,12}) (?:to|and) (-?[\d./]{1,12}),? "
    r"(inclusive|exclusive)",
    re.IGNORECASE,
)
_REAL = re.compile(r"\b(?:real|numbers)\b", re.IGNORECASE)
_PLAIN = re.compile(r"\\text\s?\{([^{}]*)\}")
_MAX = 120


def relation_in_words(text: str) -> str:
    r"""The text as an inequality or interval where it says one in words, else as it stands.

    >>> relation_in_words("x is greater than 3"), relation_in_words("at least 5")
    ('x>3', 'at least 5')
    """
    if " " not in text or len(text) > _MAX:
        return text
    if "all " in text[:8]:
        text = _ALL.sub("", text, count=1)
    if " in " in text:
        text = _IN.sub(r"\1\\in ", text, count=1)
    if not any(word in text for word in (" than ", "at least ", "at most ", "clusive")):
        return text
    plain = " ".join(_PLAIN.sub(r" \1 ", text).replace("$", " ").split())
    return _interval(plain) or _inequality(plain) or text


def _interval(plain: str) -> str:
    """`between 1 and 5, inclusive` in brackets; "" for other texts."""
    between = _BETWEEN.fullmatch(plain)
    if not between:
        return ""
    opening, closing = "[]" if between[3].lower() == "inclusive" else "()"
    return f"{opening}{between[1]},{between[2]}{closing}"


def _inequality(plain: str) -> str:
    """`x is at least 5` with its sign; "" for other texts, and where neither a letter nor a number is spoken of."""
    found = _COMPARED.fullmatch(plain)
    if found is None or not (found["name"] or _REAL.search(plain[: found.start("sign")])):
        return ""
    value = found["value"].lower().replace("negative ", "-")
    return f"{found['name'] or 'x'}{_SIGNS[found['sign'].lower()]}{value}"


_EXTREME = re.compile(
    r"(?:\\text\s?\{\s?)?\\?(?:the )?\b(?:(max|maximum|greatest|largest|highest)|(min|minimum|least|smallest|lowest))"
    r"(?: value)?\s?(?::|is|of|=)?\s?\}?\s?(?::|is|=)?\s?(?=-?\s?(?:\d|\\(?:d?frac|sqrt|pi|infty)))",
    re.IGNORECASE,
)
_NAMES = re.compile(r"max|min|least|greatest|largest|smallest", re.IGNORECASE)


def extremes(text: str) -> str:
    r"""The text with one spelling of its greatest and least values.

    >>> extremes(r"\max = 7, the minimum value is -2")
    'maximum: 7, minimum: -2'
    """
    if ("m" not in text and "s" not in text) or len(_NAMES.findall(text)) < 2:
        return text
    return _EXTREME.sub(lambda found: "maximum: " if found[1] else "minimum: ", text)
