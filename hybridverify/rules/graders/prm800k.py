"""PRM800K's grader, the first half of PRIME's: two spellings, then tuples item by item."""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.rules.graders.latex_form import ONLY_TEXT, Odd, without_text
from hybridverify.rules.graders.plain_latex import plain_latex
from hybridverify.rules.graders.values import by_value, every

_REPLACED = (
    ("\\%", "%"),
    ("\\$", "$"),
    ("$", ""),
    ("%", ""),
    (" or ", " , "),
    (" and ", " , "),
    ("million", "*10^6"),
    ("billion", "*10^9"),
    ("trillion", "*10^12"),
)
_UNITS = (
    *(
        "centimeter",
        "cm",
        "day",
        "degree",
        "feet",
        "foot",
        "hour",
        "inch",
        "liter",
        "meter",
        "mile",
        "minute",
    ),
    *("month", "second", "week", "yard", "year"),
)
_UNIT = tuple(re.compile(rf"{unit}(?:es)?s? *(?:\^[0-9]+)?") for unit in _UNITS)
_SIGNS = (("√", "sqrt"), ("π", "pi"), ("∞", "inf"), ("∪", "U"), ("·", "*"), ("×", "*"))
_SPACED = re.compile(r"([0-9]) +([0-9])")
_GROUP = re.compile(r"(?<=\d),(?=\d\d\d(?:$|\D))")
_BRACKETS = "()[]"
_FRACTION = re.compile(r"-?[0-9]+.?/0*[1-9][0-9]*.?")
_MAX_LETTERS = 2
"""With more letters, or with powers that are no single digit, the original does not evaluate but says no."""
_NEAR = 1e-7


def grade(answer: str, reference: str) -> bool | None:
    r"""Whether PRM800K's grader accepts; None where it would evaluate and our reader cannot tell.

    >>> grade("1,000", "1000"), grade(r"(1,\frac{1}{2})", "(1, 0.5)"), grade("2/4", "1/2"), grade("5", "five")
    (True, True, False, False)
    """
    if without_text(answer) == without_text(reference):
        return True
    wanted, given = _normal(reference), _normal(answer)
    if wanted == given:
        return True
    if not given:
        return False
    items, mine = _items(wanted), _items(given)
    if len(items) != len(mine) or (len(items) > 1 and (wanted[0], wanted[-1]) != (given[0], given[-1])):
        return False
    said = []
    for item, other in zip(items, mine, strict=True):
        said.append(_same_item(item, other))
        if said[-1] is False:
            return False
    return every(said)


def _same_item(wanted: str, given: str) -> bool | None:
    if _FRACTION.fullmatch(wanted) and _FRACTION.fullmatch(given):
        return wanted == given  # a fraction that is not in lowest terms is wrong
    if (_whole(wanted) is None) != (_whole(given) is None):
        return False
    if "," in wanted or "," in given:
        return False  # the original takes one tuple from another, which fails
    difference = f"({wanted})-({given})"
    letters = {sign for sign in difference.replace("sqrt", "").replace("frac", "") if sign.isalpha()}
    if len(letters) > _MAX_LETTERS or _has_power(difference):
        return False
    return by_value(given, wanted)


def _has_power(text: str) -> bool:
    *raised, last = text.split("^")[1:] or [""]
    digits = (part.isascii() and part.isdigit() for part in raised)
    return any(digits) or any(part[:1] in ("{", "(") or _is_long(part[:2]) for part in (*raised, last))


def _is_long(part: str) -> bool:
    return len(part) > 1 and part.isascii() and part.isdigit()


def _normal(text: str) -> str:
    wrapped = ONLY_TEXT.fullmatch(text.removesuffix("\n"))
    text = wrapped[1] if wrapped else text
    for old, new in _REPLACED:
        text = text.replace(old, new)
    for unit in _UNIT:
        text = unit.sub("", text)
    text = _without_degrees(text)
    if text[:1] == "{" and text[-1:] == "}":
        text = text[1:-1]
    first, *rest = text.split(",\\!")
    text = first + "".join(part.lstrip(" ") for part in rest)
    whole = _near_whole(text)
    text = _as_text(text if whole is None else str(round(whole)))
    text = re.sub("- *", "-", text)
    text = _SPACED.sub(r"\1+\2", text).lower()
    number = _whole(text)
    return text if number is None else str(number)


def _without_degrees(text: str) -> str:
    *before, last = text.split("\\circ")
    raised = (part.rstrip(" ") for part in before)
    kept = (
        high[:-1] if high[-1:] == "^" else f"{part}\\circ" for part, high in zip(before, raised, strict=True)
    )
    return "".join(kept) + last


def _as_text(text: str) -> str:
    if "\\" not in text:
        return text
    spelled = text.replace("\\tfrac", "\\frac").replace("\\dfrac", "\\frac").replace("\\frac", " \\frac")
    try:
        spelled = plain_latex(spelled)
    except Odd:
        return text
    for sign, name in _SIGNS:
        spelled = spelled.replace(sign, name)
    return spelled.strip()


def _items(text: str) -> list[str]:
    text = _without_groups(text)
    inner = text[1:-1]
    if (
        len(text) > len("()")
        and text[0] in _BRACKETS
        and text[-1] in _BRACKETS
        and not any(sign in inner for sign in _BRACKETS)
    ):
        return [item.strip() for item in inner.split(",")]
    return [text] if text else []


def _without_groups(text: str) -> str:
    return _GROUP.sub("", text)


def _near_whole(text: str) -> float | None:
    """The number that a text is, where it is within 1e-7 of a whole one."""
    try:
        number = float(text)
        return number if abs(number - round(number)) <= _NEAR else None
    except (ValueError, OverflowError):
        return None


def _whole(text: str) -> int | None:
    """The whole number that a text with well-placed commas is."""
    near = _near_whole(_without_groups(text))
    if near is None:
        return None
    try:
        return int(float(text.replace(",", "")))
    except ValueError:
        return None
