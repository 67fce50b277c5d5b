r"""What a list says of an item more than once: `1 (multiplicity 2), 3`, `x_1 = x_2 = 1`."""

from __future__ import annotations

from itertools import chain

from hybridverify.language import expressions as re
from hybridverify.language.pieces import pieces

_MAX, _MOST = 200, 8
_COUNTS = {
    "1": 1,
    "one": 1,
    "2": 2,
    "two": 2,
    "double": 2,
    "repeated": 2,
    "3": 3,
    "three": 3,
    "triple": 3,
}
_TOLD = re.compile(
    r"(?P<value>[^()]{1,60}?),?\s?(?:\\text\s?\{)?\s?(?:\(|with |of )?(?:a |of |with |algebraic |the )*"
    r"(?:multiplicity (?:of )?(?P<count>\w{1,5})|(?P<word>double|repeated|triple)(?: root| eigenvalue)?)\)?\s?\}?"
)
_WORDS = ("ultiplicity", "double", "repeated", "triple")


def with_repeats(text: str) -> str:
    r"""The list with each item as often as the text says, "" where it says so of none.

    >>> with_repeats("1 (multiplicity 2), 3"), with_repeats("2 (double) and 5"), with_repeats("1, 2")
    ('1, 1, 3', '2, 2, 5', '')
    """
    if len(text) > _MAX or ("ultiplicity" not in text and "(double" not in text):
        return ""
    items = [_repeated(item.strip(" $")) for item in pieces(text, ",;", frozenset(("and",)))]
    return ", ".join(chain.from_iterable(items)) if all(items) else ""


def _repeated(item: str) -> list[str]:
    found = _TOLD.fullmatch(item)
    if found is None:
        return [item] if not any(word in item for word in _WORDS) else []
    count = _COUNTS.get(found["count"] or found["word"], 0)
    return [found["value"].strip(" $")] * count


def with_own_values(text: str) -> str:
    r"""`x_1 = x_2 = 1` with the value after each name, "" for a text without such a chain.

    >>> with_own_values("x_1=x_2=1, x_3=3"), with_own_values("x=1, y=2"), with_own_values("2x=2y=6")
    ('x_1=1, x_2=1, x_3=3', '', '')
    """
    if len(text) > _MAX or text.count("=") < 2 or ("(" in text):
        return ""
    told = [item.split("=") for item in text.split(",")]
    if all(len(parts) == 2 for parts in told) or not all(map(_is_chain, told)):
        return ""
    return ", ".join(f"{name.strip()}={parts[-1].strip()}" for parts in told for name in parts[:-1])


def _is_chain(parts: list[str]) -> bool:
    """Names before the one value."""
    names = [part.strip() for part in parts[:-1]]
    return 0 < len(names) <= _MOST and all(map(_is_name, names)) and bool(parts[-1].strip())


def _is_name(text: str) -> bool:
    """A letter, or one with an index."""
    base, _, index = text.replace("{", "").replace("}", "").partition("_")
    return (
        base.removeprefix("\\").isalpha()
        and (len(base) == 1 or base[0] == "\\")
        and (not index or index.isalnum())
    )
