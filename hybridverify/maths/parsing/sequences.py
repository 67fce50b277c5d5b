r"""Things in an order, `B → A → C`, "mouse < dog < horse", "B, then A, then C", and matchings, `A-2, B-1`."""

from __future__ import annotations

from typing import NamedTuple

from hybridverify.maths.parsing.texts import without_commands

_ARROWS = ("\\rightarrow", "\\longrightarrow", "\\to", "->", "→", "⟶")
_LESS, _GREATER, _THEN = "<", ">", "→"
_SIGNS = (_LESS, _GREATER, _THEN)
_MAX, _MOST, _LONGEST = 300, 12, 40
_ARTICLES = ("the ", "a ", "an ")
_OPENING = frozenset("ABCDEFGHIJ(\\123456789abcdefghi")
_DASHES = str.maketrans("–—−", "---")
_BESIDE_PAIRS = str.maketrans(dict.fromkeys("()[]{},;:=-–—→", " "))


class Sequence(NamedTuple):
    """The items from first to last, and whether a sign of size between them says which end is the small one."""

    items: tuple[str, ...]
    sized: bool


def sequence(text: str) -> Sequence | None:
    """The items that the text puts in an order or lists, None for any other text. `a > b` is `b < a`.

    >>> sequence("dog < horse < whale") == sequence("whale > horse > dog"), sequence("B → A → C").items
    (True, ('b', 'a', 'c'))
    >>> sequence("B, then A, then C").items, sequence("dog, horse and whale").items, sequence("2, 3, 4")
    (('b', 'a', 'c'), ('dog', 'horse', 'whale'), None)
    """
    if len(text) > _MAX or not any(map(str.isalpha, text[:_LONGEST])) or "=" in text:
        return None
    plain = _with_plain_signs(text)
    signs = [sign for sign in _SIGNS if sign in plain]
    if len(signs) > 1:
        return None
    items = tuple(map(_folded, plain.split(signs[0]) if signs else _listed(plain)))
    listed_pair = len(items) == 2 and (signs or " and " not in plain)
    if listed_pair or not _are_items(items):
        return None
    return Sequence(items[::-1] if signs == [_GREATER] else items, bool(signs) and signs != [_THEN])


def _with_plain_signs(text: str) -> str:
    plain = without_commands(text.replace("\\gt", _GREATER).replace("\\lt", _LESS))
    for arrow in _ARROWS:
        plain = plain.replace(arrow, _THEN)
    return plain


def _are_items(items: tuple[str, ...]) -> bool:
    """Whether these are several names, none of them twice."""
    return 1 < len(items) <= _MOST and all(map(_is_item, items)) and len(set(items)) == len(items)


def _listed(text: str) -> list[str]:
    """The parts between commas, without the `and` or `then` that joins them."""
    parts = [part.strip() for part in text.split(",")]
    if " and " in parts[-1]:
        parts[-1:] = parts[-1].rsplit(" and ", 1)
    return [part.removeprefix("and ").removeprefix("then ") for part in parts]


def _folded(part: str) -> str:
    plain = part.strip(" .$()*").casefold()
    article = next((word for word in _ARTICLES if plain.startswith(word)), "")
    return plain.removeprefix(article)


def _is_item(text: str) -> bool:
    return (
        0 < len(text) <= _LONGEST and text.replace(" ", "").replace("-", "").isalnum() and text[0].isalpha()
    )


def matching(text: str) -> dict[str, str] | None:
    """The number or small letter that each capital is matched with, None for any other text.

    >>> matching("A-2, B-1") == matching("(A, 2), (B, 1)") == matching("A2 B1") == matching("2→A, 1→B")
    True
    >>> matching("A, B, C"), matching("A = 2, B = 1"), matching("A: -2, B: 1")
    (None, None, None)
    """
    if len(text) > _MAX or text[:1] not in _OPENING or _has_signs(text):
        return None
    plain = without_commands(text)
    for arrow in _ARROWS:
        plain = plain.replace(arrow, " ")
    words = plain.translate(_BESIDE_PAIRS).split()
    if all(len(word) == 2 for word in words):
        words = list("".join(words))
    pairs = [*zip(words[::2], words[1::2], strict=False)]
    if pairs and pairs[0][1].isupper():
        pairs = [(label, value) for value, label in pairs]
    told = dict(pairs)
    whole = 1 < len(told) == len(pairs) and 2 * len(pairs) == len(words)
    return told if whole and all(map(_is_pair, told.items())) else None


def _has_signs(text: str) -> bool:
    """Are there values under names, `A = 2`, or a minus, `A: -2`? A dash that joins stands right after a label."""
    befores = text.translate(_DASHES).replace("->", "→").split("-")[:-1]
    return "=" in text or any(not before.rstrip()[-1:].isalnum() for before in befores)


def _is_pair(pair: tuple[str, str]) -> bool:
    label, value = pair
    small = value.isdecimal() or (value.islower() and len(value) == 1)
    return len(label) == 1 and label.isupper() and small and len(value) <= 2
