r"""Whether a translation says what its text says: it may neither invent nor drop. No model is asked.

Every atom of the translation stands in the text, and every atom of the text stands in the translation or is restated by
the question. The numbers keep their order; a bound keeps its direction.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from hybridverify.answers.options import read_options
from hybridverify.judges.translation.atoms import Atom, atoms_of, verbs_of
from hybridverify.judges.translation.bounds import bounds_differ
from hybridverify.judges.translation.senses import ANNOUNCING, CONNECTIVES, NAMING
from hybridverify.language.asked import read_question
from hybridverify.language.word_forms import singular

_EXACT = ("number", "letter", "function", "const", "currency", "command", "unit", "set")
_COUNTED = ("minus", "plus", "!", "percent")
_PRESENT = ("division", "power", "mod", "degree", "cup", "cap")
_ASKED_KIND = re.compile(
    r"\b(?:which|what)\s(?:of\s(?:the|these|those)\s(?:[a-z]{2,5}\s)?)?([^\W\d_]{3,20})", re.IGNORECASE
)
_FREE_ORDER = frozenset(("sum", "prod", "int", "lim", "log"))


def void_reason(text: str, translation: str, question: str) -> str:
    r"""Why the translation of a text may not be used, "" where it may.

    >>> void_reason("the length is 12 metres", "12 m", "How long is it?")
    ''
    >>> void_reason("5/8", "0.625", ""), void_reason("700%", "7", ""), void_reason("6, or perhaps 8", "6, 8", "")
    ('invents number 0.625', 'invents number 7', 'drops hedge perhaps')
    """
    ours, theirs = _Atoms(atoms_of(text)), _Atoms(atoms_of(translation))
    asked = _Asked(question)
    return (
        _invented(ours, theirs)
        or _dropped(ours, theirs, asked)
        or bounds_differ(text, translation, ours.found, theirs.found)
        or _disordered(ours, theirs, asked)
        or _told_apart_no_more(text, ours, theirs, asked)
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


class _Atoms:
    """The atoms of a text, counted."""

    def __init__(self, found: Sequence[Atom]) -> None:
        self.found = found
        self.count = Counter((atom.kind, atom.value) for atom in found)
        self.kinds = {atom.kind for atom in found}
        self.doubled = ("sign", "pm") in self.count
        """A plus-minus may be written out: everything twice, once with a minus."""

    def values(self, kind: str) -> list[str]:
        return [atom.value for atom in self.found if atom.kind == kind]

    def sign(self, name: str) -> int:
        return self.count[("sign", name)]


class _Asked:
    """What the question says already."""

    def __init__(self, question: str) -> None:
        self.atoms = atoms_of(question[:4000])
        self.count = Counter((atom.kind, atom.value) for atom in self.atoms)
        self.options = read_options(question)
        self.kinds = {singular(word) for word in _ASKED_KIND.findall(question[:4000])}
        """What is chosen among: the "clock" of "which clock". Every answer is one."""
        self.words = [atom.value for atom in self.atoms if atom.kind == "word"]
        self.units = {
            atom.value
            for word in read_question(question).units
            for atom in atoms_of(word)
            if atom.kind == "unit"
        }
        follows = zip(self.atoms, self.atoms[1:], strict=False)
        self.pairs = {(one[:2], other[:2]) for one, other in follows}


def _invented(ours: _Atoms, theirs: _Atoms) -> str:
    """What the translation has more of than the text."""
    twice = 2 if ours.doubled and not theirs.doubled else 1
    for (kind, value), count in theirs.count.items():
        had = ours.count[(kind, value)]
        if kind in _EXACT and count > had * twice:
            return f"invents {kind} {value}"
        if kind == "word" and not had and value not in CONNECTIVES:
            return f"invents word {value}"
        if kind == "negation" and "negation" not in ours.kinds:
            return "invents a negation"
        if kind == "sign" and value in _present(ours, theirs) and not had:
            return f"invents {value}"
        if kind == "sign" and value in _COUNTED and count > had and twice == 1:
            return f"invents {value}"
        if kind == "sign" and value == "pm" and not had:
            return "invents plus-minus"
    return ""


def _dropped(ours: _Atoms, theirs: _Atoms, asked: _Asked) -> str:
    """What the text says and neither the translation nor the question does."""
    if len(ours.values("negation")) > len(theirs.values("negation")):
        return "drops a negation"
    named = set(ours.values("letter"))
    labels = NAMING | ANNOUNCING if len(theirs.values("number")) < 2 else ANNOUNCING
    present = _present(ours, theirs)
    counted = ("number",) if "word" in ours.kinds else ("number", "letter", "function")
    for place, atom in enumerate(ours.found):
        kind, value = atom.kind, atom.value
        if theirs.count[(kind, value)] >= (ours.count[(kind, value)] if kind in counted else 1):
            continue
        if kind == "number" and not _restated(ours.found, place, asked):
            return f"drops number {value}"
        if kind == "letter" and not _is_label(ours.found, place, named, asked):
            return f"drops letter {value}"
        if kind == "unit" and value not in asked.units:
            return f"drops unit {value}"
        if kind == "set" and value == "R" and "bound" in ours.kinds:
            continue  # an interval is one of real numbers
        if kind in ("function", "const", "currency", "command", "set") and not asked.count[(kind, value)]:
            return f"drops {kind} {value}"
        if kind == "hedge" or (kind == "word" and value not in labels and value not in asked.words):
            return f"drops {kind} {value}"
        if kind == "sign" and value in present:
            return f"drops {value}"
    for name in _COUNTED:
        if ours.sign(name) > theirs.sign(name):
            return f"drops {name}"
    if ours.doubled and not theirs.doubled and theirs.sign("minus") <= ours.sign("minus"):
        return "drops plus-minus"
    if ours.sign("bar") >= 2 > theirs.sign("bar"):
        return "drops bars"
    return ""


def _restated(found: Sequence[Atom], place: int, asked: _Asked) -> bool:
    """Whether the question has this number beside the same neighbour: "8 of the 20 boxes" for its "20 boxes"."""
    here = found[place][:2]
    behind = found[place + 1][:2] if place + 1 < len(found) else ("", "")
    return behind[0] in ("word", "unit", "letter") and (here, behind) in asked.pairs


def _is_label(found: Sequence[Atom], place: int, named: set[str], asked: _Asked) -> bool:
    """The one name of a text before its equals sign, `x = 5`, or one of the question before what is said of it."""
    behind = found[place + 1].kind if place + 1 < len(found) else ""
    if behind == "equals":
        return len(named) == 1 or asked.count[("letter", found[place].value)] > 0
    said = found[place].value
    return said.islower() and behind in ("word", "number", "sign") and asked.count[("letter", said)] > 0


def _present(ours: _Atoms, theirs: _Atoms) -> set[str]:
    """Signs that stand on both sides or on none. The upper end of a sum is no power; a remainder is of a division."""
    idle = {"power"} if not _FREE_ORDER.isdisjoint(ours.values("function")) else set()
    return set(_PRESENT) - idle - ({"division"} if ours.sign("mod") and theirs.sign("mod") else set())


def _disordered(ours: _Atoms, theirs: _Atoms, asked: _Asked) -> str:
    """Numbers in another order, or labels dropped that stand in another order than the question's."""
    if ours.doubled or (
        "bound" in ours.kinds and len({*ours.values("letter"), *ours.values("function")}) < 2
    ):
        return ""
    if _FREE_ORDER.isdisjoint(ours.values("function")):
        kinds = ("number", "letter", "const", "function") if "word" not in ours.kinds else ("number",)
        written = [atom[:2] for atom in theirs.found if atom.kind in kinds]
        if not any(_is_within(written, ordered) for ordered in _orders(ours.found, kinds)):
            return "another order"
    spoken = [value for value in theirs.values("word") if ours.count[("word", value)]]
    if not _is_within(spoken, ours.values("word")):
        return "another order of words"
    gone = [
        value for value in ours.values("word") if not theirs.count[("word", value)] and value in asked.words
    ]
    several = len(theirs.values("number")) > 1
    if (
        several
        and len(set(gone)) > 1
        and not _is_within(list(dict.fromkeys(gone)), list(dict.fromkeys(asked.words)))
    ):
        return "labels in another order"
    return ""


def _told_apart_no_more(text: str, ours: _Atoms, theirs: _Atoms, asked: _Asked) -> str:
    """A translation of which all is in the question chooses one of its things, and may lose nothing of the name: "the
    box" is not what "the blue box" says, nor is "A" what "A, the blue one" says where that is option B. What is said
    of the thing stands beyond a verb."""
    letters = theirs.values("letter")
    if len(letters) == len(theirs.found) == 1:
        return _of_other_option(letters[0], ours, asked)
    kept = [atom for atom in ours.found if atom.kind == "word" and theirs.count[("word", atom.value)]]
    if not kept or theirs.values("number") or not {atom.value for atom in kept} <= set(asked.words):
        return ""
    gone = [atom for atom in ours.found if atom.kind == "word" and not theirs.count[("word", atom.value)]]
    gone = [atom for atom in gone if atom.value not in asked.kinds]
    verbs = verbs_of(text)
    for atom in gone:
        near = min(kept, key=lambda one: abs(one.at - atom.at))
        low, high = sorted((near.at, atom.at))
        if not any(low < place < high for place in verbs):
            return f"drops word {atom.value} of a name"
    return ""


def _of_other_option(letter: str, ours: _Atoms, asked: _Asked) -> str:
    """What is said beside the letter of an option, and is not of that option."""
    options = dict(asked.options)
    own = {atom[:2] for atom in atoms_of(options[letter])} if letter in options else set()
    others = {atom[:2] for name, text in options.items() if name != letter for atom in atoms_of(text)} - own
    wrong = next((atom for atom in ours.found if atom[:2] in others), None)
    return f"drops {wrong.kind} {wrong.value} of another option" if wrong else ""


def _orders(found: Sequence[Atom], kinds: Sequence[str]) -> list[list[tuple[str, str]]]:
    """The atoms in order, and with the sides of one equation or of a chain of relations in the other order."""
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
    """Whether all that is sought is found in the same order."""
    rest = iter(found)
    return all(any(one == other for other in rest) for one in sought)
