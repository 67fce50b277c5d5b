"""One draw of translations, compared: is the answer proved to be a reference, with either or both in translation?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hybridverify.judges.translation.faithful import all_of, left_out
from hybridverify.judges.translation.proof import Comparer


class Form(NamedTuple):
    """A text and its translation. `void` says why the translation may not be used, "" where it may."""

    original: str
    text: str
    void: str = ""

    @property
    def usable(self) -> bool:
        return bool(self.text) and not self.void


class Pairing(NamedTuple):
    """What the rules say of one draw."""

    same: bool
    different: bool
    reason: str


def pairing(
    compare: Comparer, question: str, references: Sequence[str], forms: Sequence[Form], answer: Form
) -> Pairing:
    """The comparison of one draw of the references' forms and the answer's."""
    usable = [form for form in forms if form.usable]
    tried: list[tuple[Sequence[str], str]] = []
    if answer.usable:
        alike = [form.text for form in usable if not _distinguishes(form, answer)]
        tried += [(alike, answer.text), (references, answer.text)]
    tried.append(([form.text for form in usable], answer.original))
    tried = [(known, text) for known, text in tried if known]
    if any(compare.same(known, text, question) for known, text in tried):
        return Pairing(True, False, "")
    complete = answer.usable and len(usable) == len(forms)
    different = complete and all(compare.differ(known, text, question) for known, text in tried)
    return Pairing(False, different, _reason(forms, answer))


def _distinguishes(reference: Form, answer: Form) -> bool:
    """Whether both translations leave out what the other text has not: "the red box" and "the blue box" are no box."""
    of_reference = left_out(reference.original, reference.text) - all_of(answer.original)
    return bool(of_reference and left_out(answer.original, answer.text) - all_of(reference.original))


def _reason(forms: Sequence[Form], answer: Form) -> str:
    if not answer.text:
        return answer.void or "no translation of the answer"
    if answer.void:
        return f"translation of the answer: {answer.void}"
    void = next((form.void for form in forms if form.void), "")
    return f"translation of the reference: {void}" if void else "not proved equal in translation"
