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
from hybridverify.language import claims

_EXACT = ("number", "letter", "function", "const", "currency", "command", "unit", "set")
_NAMED = ("function", "const", "currency", "command", "set")
_COUNTED = ("minus", "plus", "!", "percent")
_REFUTED = claims.kinds("refuted")
"""Words that deny what a question asks: "it is false that it is true"."""
_PRESENT = ("division", "power", "mod", "degree", "cup", "cap")


def void_reason(text: str, translation: str, question: str) -> str:
    r"""The reason why the translation of a text must not be used, or "".

    >>> void_reason("the length is 12 metres", "12 m", "How long is it?")
    ''
    >>> void_reason("5/8", "0.625", ""), void_reason("700%", "7", ""), void_reason("6, or perhaps 8", "6, 8", "")
    ('invents number 0.625', 'invents number 7', 'drops hedge perhaps')
    """
    translated, source = Counted(atoms_of(text)), Counted(atoms_of(translation))
    asked = Stated(question)
    return (
        _invented(translated, source)
        or _dropped(translated, source, asked)
        or bounds_differ(text, translation, translated.found, source.found)
        or disordered(translated, source, asked)
        or told_apart_no_more(text, translated, source, asked)
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


def _invented(translated: Counted, source: Counted) -> str:
    """The atoms that the translation has and the text lacks."""
    twice = translated.doubled and not source.doubled
    present = _present(translated, source)
    told = (
        _more_of_value(kind, value, count, translated, twice)
        or _more_of_sign(kind, value, count, translated, present, twice)
        for (kind, value), count in source.count.items()
    )
    return next(filter(None, told), "")


def _more_of_value(kind: str, value: str, count: int, translated: Counted, twice: bool) -> str:
    had = translated.count[(kind, value)]
    if kind in _EXACT and count > had * (1 + twice):
        return f"invents {kind} {value}"
    if kind == "word" and not had and value not in CONNECTIVES:
        return f"invents word {value}"
    return "invents a negation" if kind == "negation" and "negation" not in translated.kinds else ""


def _more_of_sign(
    kind: str, value: str, count: int, translated: Counted, present: set[str], twice: bool
) -> str:
    if kind != "sign":
        return ""
    had = translated.count[(kind, value)]
    counted = _counted(present)
    more = (value in present and not had) or (value in counted and count > had and not twice)
    if not more and value == "pm" and not had:
        return "invents plus-minus"
    return f"invents {value}" if more else ""


def _dropped(translated: Counted, source: Counted, asked: Stated) -> str:
    """The atoms of the text that neither the translation nor the question has."""
    if len(translated.values("negation")) > len(source.values("negation")):
        return "drops a negation"
    counted = ("number",) if "word" in translated.kinds else ("number", "letter", "function")
    for place, atom in enumerate(translated.found):
        least = translated.count[atom[:2]] if atom.kind in counted else 1
        if source.count[atom[:2]] < least and not _may_go(atom, place, translated, source, asked):
            return f"drops {atom.value}" if atom.kind == "sign" else f"drops {atom.kind} {atom.value}"
    return _fewer_signs(translated, source)


def _may_go(atom: Atom, place: int, translated: Counted, source: Counted, asked: Stated) -> bool:
    """Whether the translation may leave out this atom of the text."""
    kind, value = atom.kind, atom.value
    if kind == "number":
        return _restated(translated.found, place, asked)
    if kind == "letter":
        return _is_label(translated.found, place, set(translated.values("letter")), asked)
    if kind == "unit":
        return value in asked.units
    if kind in _NAMED:
        return _is_range_of_reals(atom, translated) or asked.count[(kind, value)] > 0
    if kind == "word":
        return _announces(value, source) or (value in asked.words and not claims.holds(value, _REFUTED))
    return kind != "hedge" and not (kind == "sign" and value in _present(translated, source))


def _is_range_of_reals(atom: Atom, translated: Counted) -> bool:
    """The set of real numbers beside a bound: an interval is an interval of real numbers."""
    return atom.kind == "set" and atom.value == "R" and "bound" in translated.kinds


def _announces(word: str, source: Counted) -> bool:
    """Whether a word only announces a value, or names the single one."""
    return word in (NAMING | ANNOUNCING if len(source.values("number")) < 2 else ANNOUNCING)


def _fewer_signs(translated: Counted, source: Counted) -> str:
    counted = _counted(_present(translated, source))
    fewer = next((name for name in counted if translated.sign(name) > source.sign(name)), "")
    if fewer:
        return f"drops {fewer}"
    if translated.doubled and not source.doubled and source.sign("minus") <= translated.sign("minus"):
        return "drops plus-minus"
    return "drops bars" if translated.sign("bar") >= 2 > source.sign("bar") else ""


def _restated(found: Sequence[Atom], place: int, asked: Stated) -> bool:
    """Whether the question has this number with the same neighbour: "8 of the 20 boxes" where it says "20 boxes"."""
    here = found[place][:2]
    following = found[place + 1][:2] if place + 1 < len(found) else ("", "")
    return following[0] in ("word", "unit", "letter") and (here, following) in asked.pairs


def _is_label(found: Sequence[Atom], place: int, named: set[str], asked: Stated) -> bool:
    """Whether this is the single name before the equals sign of a text, `x = 5`, or a name of the question before a
    statement about it, "n is -5". A name within a formula is none: `n - 5`, `2n + 1`."""
    following = found[place + 1] if place + 1 < len(found) else Atom("", "")
    said, is_asked = found[place].value, asked.count[("letter", found[place].value)] > 0
    if _is_joined(found, place):
        return False
    if following.kind == "equals":
        return len(named) == 1 or is_asked
    apart = following.kind in ("number", "sign") and following.at > found[place].at + 1
    return is_asked and said.islower() and (apart or following.kind == "word")


def _is_joined(found: Sequence[Atom], place: int) -> bool:
    """Whether a number, a sign or a name stands right before this name: it is a part of a formula."""
    before = found[place - 1] if place else Atom("", "", -9)
    return before.kind in ("number", "sign", "letter", "function") and before.at + 1 >= found[place].at


def _counted(present: set[str]) -> tuple[str, ...]:
    """Signs of which none may be missing: `2^n + n^2` is not `2n + n^2`."""
    return (*_COUNTED, "power") if "power" in present else _COUNTED


def _present(translated: Counted, source: Counted) -> set[str]:
    """Signs that one side has and the other lacks. The upper end of a sum is no power; a remainder belongs to a
    division."""
    idle = {"power"} if not FREE_ORDER.isdisjoint(translated.values("function")) else set()
    return set(_PRESENT) - idle - ({"division"} if translated.sign("mod") and source.sign("mod") else set())
