"""The atoms of a text, counted, and the atoms that a question states already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hybridverify.answers.options import read_options
from hybridverify.judges.translation.atoms import Atom, atoms_of
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.word_forms import singular

_ASKED_KIND = re.compile(
    r"\b(?:which|what)\s(?:of\s(?:the|these|those)\s(?:[a-z]{2,5}\s)?)?([^\W\d_]{3,20})", re.IGNORECASE
)


class Counted:
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


class Stated:
    """The atoms that the question states already."""

    def __init__(self, question: str) -> None:
        self.atoms = atoms_of(question[:4000])
        self.count = Counter((atom.kind, atom.value) for atom in self.atoms)
        self.options = read_options(question)
        self.kinds = {singular(word) for word in _ASKED_KIND.findall(question[:4000])}
        """The word for the things to choose from: the "clock" of "which clock". Every answer is one."""
        self.words = [atom.value for atom in self.atoms if atom.kind == "word"]
        self.units = {
            atom.value
            for word in read_question(question).units
            for atom in atoms_of(word)
            if atom.kind == "unit"
        }
        follows = zip(self.atoms, self.atoms[1:], strict=False)
        self.pairs = {(one[:2], other[:2]) for one, other in follows}
