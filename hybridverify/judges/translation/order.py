"""Order and names: numbers keep their order, and words that tell the things of a question apart are not lost."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.judges.translation.atoms import Atom, atoms_of, verbs_of
from hybridverify.judges.translation.counted import Counted, Stated

FREE_ORDER = frozenset(("sum", "prod", "int", "lim", "log"))
"""Operators whose sides may be written in any order."""


def disordered(translated: Counted, source: Counted, asked: Stated) -> str:
    """Whether numbers have another order, or dropped labels had another order than in the question."""
    if translated.doubled or _bounds_one_name(translated):
        return ""
    if _values_turned(translated, source):
        return "another order"
    spoken = [value for value in source.values("word") if translated.count[("word", value)]]
    if not _is_within(spoken, translated.values("word")):
        return "another order of words"
    return "labels in another order" if _labels_turned(translated, source, asked) else ""


def _bounds_one_name(translated: Counted) -> bool:
    """Whether the text is a relation with a single name, like `3 < x` and `x > 3`: its order says nothing."""
    return (
        "bound" in translated.kinds
        and len({*translated.values("letter"), *translated.values("function")}) < 2
    )


def _values_turned(translated: Counted, source: Counted) -> bool:
    if not FREE_ORDER.isdisjoint(translated.values("function")):
        return False
    kinds = ("number", "letter", "const", "function") if "word" not in translated.kinds else ("number",)
    written = [atom[:2] for atom in source.found if atom.kind in kinds]
    return not any(_is_within(written, ordered) for ordered in _orders(translated.found, kinds))


def _labels_turned(translated: Counted, source: Counted, asked: Stated) -> bool:
    """Whether labels of several numbers were dropped that had another order than in the question."""
    said, known = translated.values("word"), list(dict.fromkeys(asked.words))
    gone = dict.fromkeys(word for word in said if not source.count[("word", word)] and word in known)
    return len(source.values("number")) > 1 and len(gone) > 1 and not _is_within(list(gone), known)


def told_apart_no_more(text: str, translated: Counted, source: Counted, asked: Stated) -> str:
    """Whether a translation that only chooses a thing of the question has lost a part of its name: "the box" does not
    say "the blue box", nor does "A" say "A, the blue one" if that is option B. What comes after a verb is not part
    of the name."""
    letters = source.values("letter")
    if len(letters) == len(source.found) == 1:
        return _of_other_option(letters[0], translated, asked)
    lost = _lost_of_name(text, translated, source, asked)
    return f"drops word {lost} of a name" if lost else ""


def _lost_of_name(text: str, translated: Counted, source: Counted, asked: Stated) -> str:
    """A dropped word of the name of a thing of the question that other words still choose, or ""."""
    words = [atom for atom in translated.found if atom.kind == "word"]
    kept = [atom for atom in words if source.count[("word", atom.value)]]
    if not kept or not _only_chooses(kept, source, asked):
        return ""
    gone = [atom for atom in words if atom not in kept and atom.value not in asked.kinds]
    return _of_the_name(gone, kept, verbs_of(text))


def _only_chooses(kept: Sequence[Atom], source: Counted, asked: Stated) -> bool:
    """Whether the kept words are words of the question, and no number says more."""
    return not source.values("number") and {atom.value for atom in kept} <= set(asked.words)


def _of_the_name(gone: Sequence[Atom], kept: Sequence[Atom], verbs: frozenset[int]) -> str:
    """The value of a dropped word without a verb between it and the nearest kept word, or ""."""
    for atom in gone:
        near = min(kept, key=lambda one: abs(one.at - atom.at))
        low, high = sorted((near.at, atom.at))
        if not any(low < place < high for place in verbs):
            return atom.value
    return ""


def _of_other_option(letter: str, translated: Counted, asked: Stated) -> str:
    """The reason against words beside the letter of an option that belong to another option, or ""."""
    options = dict(asked.options)
    own = {atom[:2] for atom in atoms_of(options[letter])} if letter in options else set()
    others = {atom[:2] for name, text in options.items() if name != letter for atom in atoms_of(text)} - own
    wrong = next((atom for atom in translated.found if atom[:2] in others), None)
    return f"drops {wrong.kind} {wrong.value} of another option" if wrong else ""


def _orders(found: Sequence[Atom], kinds: Sequence[str]) -> list[list[tuple[str, str]]]:
    """The atoms in order, and with the sides of one equation or of a chain of relations exchanged."""
    turned = [atom for side in _sides(found)[::-1] for atom in side]
    return [[(atom.kind, atom.value) for atom in way if atom.kind in kinds] for way in (found, turned)]


def _sides(found: Sequence[Atom]) -> list[list[Atom]]:
    """The atoms between the relations. Several equals signs are steps, and part nothing."""
    sides: list[list[Atom]] = [[]]
    one = sum(atom.kind == "equals" for atom in found) == 1
    for atom in found:
        if atom.kind == "bound" or (one and atom.kind == "equals"):
            sides.append([])
        else:
            sides[-1].append(atom)
    return sides


def _is_within(sought: Sequence[object], found: Sequence[object]) -> bool:
    """Whether all wanted atoms are found, in the same order."""
    rest = iter(found)
    return all(any(one == other for other in rest) for one in sought)
