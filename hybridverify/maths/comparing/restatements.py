r"""An answer that gives its value in several forms: `1/4 (25%)`, `12 (3 * 4)`, `fifty-five (55)`.

Such a text is the reference only where each form of it is. `12 (3 * 4)` may be a product as well, so what is equal in
one reading alone proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from hybridverify.maths.comparing.rules import Case, Comparison, equal, undecided
from hybridverify.maths.values.kinds import Listing, Value

_MAX_TEXT = 200
_GAPS = (" ", "~", "\\,", "\\;", "\\quad")
_OPENINGS = tuple(gap + "(" for gap in _GAPS)
_HEAD_ENDS = frozenset("%}$)°")
_CONSTANTS = ("pi", "degree", "circ", "infty")
"""Commands on which a value may end; after others, such as a union, it goes on."""


def forms_of(text: str) -> tuple[str, ...]:
    r"""The two forms in which a text gives its value, the second in brackets after a gap; nothing for any other text.

    >>> forms_of("1/4 (25%)"), forms_of("12 (3*(1+3))"), forms_of("2(x+1)"), forms_of("3 + (4)")
    (('1/4', '25%'), ('12', '3*(1+3)'), (), ())
    """
    text = text.rstrip(" .")
    if not text.endswith(")") or len(text) > _MAX_TEXT or not any(map(text.__contains__, _OPENINGS)):
        return ()
    opening = _opening(text)
    before, inside = text[:opening], text[opening + 1 : -1].strip(" $")
    head = (
        before.rstrip(" ~$").removesuffix("\\,").removesuffix("\\;").removesuffix("\\quad").removesuffix("\\")
    )
    head = head.rstrip()
    if not before.endswith(_GAPS) or not any(map(str.isalnum, inside)) or len(head) < 2 > len(inside):
        return ()
    return (head, inside) if _is_whole(head) else ()


def _is_whole(head: str) -> bool:
    """Whether a text may end here."""
    _, backslash, command = head.rpartition("\\")
    if backslash and command.isalpha():
        return command in _CONSTANTS
    return head[-1].isalnum() or head[-1] in _HEAD_ENDS


def _opening(text: str) -> int:
    """The place of the bracket that the last character closes."""
    depth = 0
    for place in range(len(text) - 1, 0, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if not depth:
            return place
    return 0


def by_forms(
    mine: str, theirs: str, whole: Comparison, compare: Callable[[str, str], Comparison]
) -> Comparison:
    """What the forms of a reference and of an answer say beside the two texts read as a whole.

    Forms that agree are one value, and no product. Where the first alone is the other side, it may be meant.
    """
    left, right = sides = _all_forms(mine), _all_forms(theirs)
    if len(left) == len(right) == 1:
        return whole
    if whole.equal:
        return undecided("two readings") if _agree(sides, compare) else whole
    first = compare(left[0], right[0])
    if first.equal:
        return equal("restated") if _agree(sides, compare) else _doubted(whole)
    if whole.outcome == "different":
        return _doubted(whole) if _is_second(mine, right, compare) else whole
    return first if _are_apart(first, sides, compare) else whole


def _all_forms(text: str) -> tuple[str, ...]:
    return forms_of(text) or (text,)


def _are_apart(
    first: Comparison,
    sides: tuple[tuple[str, ...], tuple[str, ...]],
    compare: Callable[[str, str], Comparison],
) -> bool:
    """Do the forms of each text agree, and differ from those of the other?"""
    if first.outcome == "undecided" or not _agree(sides, compare):
        return False
    return all(compare(*pair).outcome == "different" for pair in product(*sides))


def _agree(sides: Sequence[tuple[str, ...]], compare: Callable[[str, str], Comparison]) -> bool:
    """Whether the forms of each text are one value."""
    return all(compare(*forms).equal for forms in sides if len(forms) > 1)


def _is_second(mine: str, forms: tuple[str, ...], compare: Callable[[str, str], Comparison]) -> bool:
    r"""The second form may be exact, the first near it: `1.414 (\sqrt{2})`."""
    return len(forms) > 1 and compare(mine, forms[1]).equal and compare(*forms).outcome != "different"


def _doubted(whole: Comparison) -> Comparison:
    return undecided("two readings") if whole.outcome == "different" else whole


def by_alternatives(left: Value, right: Value, case: Case) -> Comparison:
    """A value beside a list: `1/4 or 25%` is the value where each item is."""
    listed, other = (left, right) if isinstance(left, Listing) else (right, left)
    if isinstance(listed, Listing) and "or" in listed.separators and not isinstance(other, Listing):
        same = [case.same(left, item) if listed is right else case.same(item, right) for item in listed.items]
        if all(result.equal for result in same):
            return equal("restated")
    return undecided(f"{type(left).__name__} and {type(right).__name__}")
