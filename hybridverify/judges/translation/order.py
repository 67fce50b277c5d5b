"""Order and names: numbers keep their order, and words that tell the things of a question apart are not lost."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.judges.translation.atoms import Atom, atoms_of, verbs_of
from hybridverify.judges.translation.counted import Counted, Stated

FREE_ORDER = frozenset(("sum", "prod", "int", "lim", "log"))
"""Operators whose sides may be written in any order."""


def disordered(ours: Counted, theirs: Counted, asked: Stated) -> str:
    """Whether numbers have another order, or dropped labels had another order than in the question."""
    if ours.doubled or _bounds_one_name(ours):
        return ""
    if _values_turned(ours, theirs):
        return "another order"
    spoken = [value for value in theirs.values("word") if ours.count[("word", value)]]
    if not _is_within(spoken, ours.values("word")):
        return "another order of words"
    return "labels in another order" if _labels_turned(ours, theirs, asked) else ""


def _bounds_one_name(ours: Counted) -> bool:
    """Whether the text is a relation with a single name, like `3 < x` and `x > 3`: its order says nothing."""
    return "bound" in ours.kinds and len({*ours.values("letter"), *ours.values("function")}) < 2


def _values_turned(ours: Counted, theirs: Counted) -> bool:
    if not FREE_ORDER.isdisjoint(ours.values("function")):
        return False
    kinds = ("number", "letter", "const", "function") if "word" not in ours.kinds else ("number",)
    written = [atom[:2] for atom in theirs.found if atom.kind in kinds]
    return not any(_is_within(written, ordered) for ordered in _orders(ours.found, kinds))


def _labels_turned(ours: Counted, theirs: Counted, asked: Stated) -> bool:
    """Whether labels of several numbers were dropped that had another order than in the question."""
    said, known = ours.values("word"), list(dict.fromkeys(asked.words))
    gone = dict.fromkeys(word for word in said if not theirs.count[("word", word)] and word in known)
    return len(theirs.values("number")) > 1 and len(gone) > 1 and not _is_within(list(gone), known)


def told_apart_no_more(text: str, ours: Counted, theirs: Counted, asked: Stated) -> str:
    """Whether a translation that only chooses a thing of the question has lost a part of its name: "the box" does not
    say "the blue box", nor does "A" say "A, the blue one" if that is option B. What comes after a verb is not part
    of the name."""
    letters = theirs.values("letter")
    if len(letters) == len(theirs.found) == 1:
        return _of_other_option(letters[0], ours, asked)
    words = [atom for atom in ours.found if atom.kind == "word"]
    kept = [atom for atom in words if theirs.count[("word", atom.value)]]
    if not kept or theirs.values("number") or not {atom.value for atom in kept} <= set(asked.words):
        return ""
    gone = [atom for atom in words if atom not in kept and atom.value not in asked.kinds]
    lost = _of_the_name(gone, kept, verbs_of(text))
    return f"drops word {lost} of a name" if lost else ""


def _of_the_name(gone: Sequence[Atom], kept: Sequence[Atom], verbs: frozenset[int]) -> str:
    """The value of a dropped word without a verb between it and the nearest kept word, or ""."""
    for atom in gone:
        near = min(kept, key=lambda one: abs(one.at - atom.at))
        low, high = sorted((near.at, atom.at))
        if not any(low < place < high for place in verbs):
            return atom.value
    return ""


def _of_other_option(letter: str, ours: Counted, asked: Stated) -> str:
    """The reason against words beside the letter of an option that belong to another option, or ""."""
    options = dict(asked.options)
    own = {atom[:2] for atom in atoms_of(options[letter])} if letter in options else set()
    others = {atom[:2] for name, text in options.items() if name != letter for atom in atoms_of(text)} - own
    wrong = next((atom for atom in ours.found if atom[:2] in others), None)
    return f"drops {wrong.kind} {wrong.value} of another option" if wrong else ""


def _orders(found: Sequence[Atom], kinds: Sequence[str]) -> list[list[tuple[str, str]]]:
    """The atoms in order, and with the sides of one equation or of a chain of relations exchanged."""
    sides: list[list[Atom]] = [[]]
    one = sum(atom.kind == "equals" for atom in found) == 1
    for atom in found:
        if atom.kind == "bound" or (one and atom.kind == "equals"):
            sides.append([])
        else:
            sides[-1].append(atom)
    turned = [atom for side in sides[::-1] for atom in side]
    return [[(atom.kind, atom.value) for atom in way if atom.kind in kinds] for way in (found, turned)]


def _is_within(sought: Sequence[object], found: Sequence[object]) -> bool:
    """Whether all wanted atoms are found, in the same order."""
    rest = iter(found)
    return all(any(one == other for other in rest) for one in sought)
