r"""Whether a translation says the same as its text: it must neither invent nor drop anything. No model is asked.

Every atom of the translation stands in the text. Every atom of the text stands in the translation or in the question.
The numbers keep their order, and a bound keeps its direction.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.judges.translation.atoms import Atom, atoms_of
from hybridverify.judges.translation.bounds import bounds_differ
from hybridverify.judges.translation.counted import Counted, Stated
from hybridverify.judges.translation.order import FREE_ORDER, disordered, told_apart_no_more
from hybridverify.judges.translation.senses import ANNOUNCING, CONNECTIVES, NAMING

_EXACT = ("number", "letter", "function", "const", "currency", "command", "unit", "set")
_NAMED = ("function", "const", "currency", "command", "set")
_COUNTED = ("minus", "plus", "!", "percent")
_PRESENT = ("division", "power", "mod", "degree", "cup", "cap")


def void_reason(text: str, translation: str, question: str) -> str:
    r"""The reason why the translation of a text must not be used, or "".

    >>> void_reason("the length is 12 metres", "12 m", "How long is it?")
    ''
    >>> void_reason("5/8", "0.625", ""), void_reason("700%", "7", ""), void_reason("6, or perhaps 8", "6, 8", "")
    ('invents number 0.625', 'invents number 7', 'drops hedge perhaps')
    """
    ours, theirs = Counted(atoms_of(text)), Counted(atoms_of(translation))
    asked = Stated(question)
    return (
        _invented(ours, theirs)
        or _dropped(ours, theirs, asked)
        or bounds_differ(text, translation, ours.found, theirs.found)
        or disordered(ours, theirs, asked)
        or told_apart_no_more(text, ours, theirs, asked)
    )


def named_by(text: str) -> frozenset[tuple[str, str]]:
    """The words and letters of a text, without those that only announce a value.

    >>> sorted(named_by("the value of x is 5 for the box"))
    [('letter', 'x'), ('word', 'box')]
    """
    return frozenset(
        (kind, value)
        for kind, value in all_of(text)
        if kind in ("word", "letter") and value not in NAMING | ANNOUNCING
    )


def all_of(text: str) -> frozenset[tuple[str, str]]:
    """The atoms of a text without their places."""
    return frozenset(atom[:2] for atom in atoms_of(text))


def _invented(ours: Counted, theirs: Counted) -> str:
    """The atoms that the translation has and the text lacks."""
    twice = ours.doubled and not theirs.doubled
    present = _present(ours, theirs)
    told = (
        _more_of_value(kind, value, count, ours, twice)
        or _more_of_sign(kind, value, count, ours, present, twice)
        for (kind, value), count in theirs.count.items()
    )
    return next(filter(None, told), "")


def _more_of_value(kind: str, value: str, count: int, ours: Counted, twice: bool) -> str:
    had = ours.count[(kind, value)]
    if kind in _EXACT and count > had * (1 + twice):
        return f"invents {kind} {value}"
    if kind == "word" and not had and value not in CONNECTIVES:
        return f"invents word {value}"
    return "invents a negation" if kind == "negation" and "negation" not in ours.kinds else ""


def _more_of_sign(kind: str, value: str, count: int, ours: Counted, present: set[str], twice: bool) -> str:
    if kind != "sign":
        return ""
    had = ours.count[(kind, value)]
    more = (value in present and not had) or (value in _COUNTED and count > had and not twice)
    if not more and value == "pm" and not had:
        return "invents plus-minus"
    return f"invents {value}" if more else ""


def _dropped(ours: Counted, theirs: Counted, asked: Stated) -> str:
    """The atoms of the text that neither the translation nor the question has."""
    if len(ours.values("negation")) > len(theirs.values("negation")):
        return "drops a negation"
    counted = ("number",) if "word" in ours.kinds else ("number", "letter", "function")
    for place, atom in enumerate(ours.found):
        least = ours.count[atom[:2]] if atom.kind in counted else 1
        if theirs.count[atom[:2]] < least and not _may_go(atom, place, ours, theirs, asked):
            return f"drops {atom.value}" if atom.kind == "sign" else f"drops {atom.kind} {atom.value}"
    return _fewer_signs(ours, theirs)


def _may_go(atom: Atom, place: int, ours: Counted, theirs: Counted, asked: Stated) -> bool:
    """Whether the translation may leave out this atom of the text."""
    kind, value = atom.kind, atom.value
    if kind == "number":
        return _restated(ours.found, place, asked)
    if kind == "letter":
        return _is_label(ours.found, place, set(ours.values("letter")), asked)
    if kind == "unit":
        return value in asked.units
    if kind in _NAMED:
        real = (
            kind == "set" and value == "R" and "bound" in ours.kinds
        )  # an interval is an interval of real numbers
        return real or asked.count[(kind, value)] > 0
    if kind == "word":
        labels = NAMING | ANNOUNCING if len(theirs.values("number")) < 2 else ANNOUNCING
        return value in labels or value in asked.words
    return kind != "hedge" and not (kind == "sign" and value in _present(ours, theirs))


def _fewer_signs(ours: Counted, theirs: Counted) -> str:
    fewer = next((name for name in _COUNTED if ours.sign(name) > theirs.sign(name)), "")
    if fewer:
        return f"drops {fewer}"
    if ours.doubled and not theirs.doubled and theirs.sign("minus") <= ours.sign("minus"):
        return "drops plus-minus"
    return "drops bars" if ours.sign("bar") >= 2 > theirs.sign("bar") else ""


def _restated(found: Sequence[Atom], place: int, asked: Stated) -> bool:
    """Whether the question has this number with the same neighbour: "8 of the 20 boxes" where it says "20 boxes"."""
    here = found[place][:2]
    behind = found[place + 1][:2] if place + 1 < len(found) else ("", "")
    return behind[0] in ("word", "unit", "letter") and (here, behind) in asked.pairs


def _is_label(found: Sequence[Atom], place: int, named: set[str], asked: Stated) -> bool:
    """Whether this is the single name before the equals sign of a text, `x = 5`, or a name of the question before a
    statement about it."""
    behind = found[place + 1].kind if place + 1 < len(found) else ""
    if behind == "equals":
        return len(named) == 1 or asked.count[("letter", found[place].value)] > 0
    said = found[place].value
    return said.islower() and behind in ("word", "number", "sign") and asked.count[("letter", said)] > 0


def _present(ours: Counted, theirs: Counted) -> set[str]:
    """Signs that one side has and the other lacks. The upper end of a sum is no power; a remainder belongs to a
    division."""
    idle = {"power"} if not FREE_ORDER.isdisjoint(ours.values("function")) else set()
    return set(_PRESENT) - idle - ({"division"} if ours.sign("mod") and theirs.sign("mod") else set())
