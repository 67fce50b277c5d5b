"""One draw of translations, compared: is the answer proved to be a reference, with one or both translated?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hybridverify.judges.translation.faithful import all_of, named_by
from hybridverify.judges.translation.proof import Comparer


class Form(NamedTuple):
    """A text and its translation. `void` is the reason why the translation must not be used, or ""."""

    original: str
    text: str
    void: str = ""

    @property
    def usable(self) -> bool:
        return bool(self.text) and not self.void


class Pairing(NamedTuple):
    """The result of the rules for one draw."""

    same: bool
    different: bool
    reason: str


def pairing(
    compare: Comparer, question: str, references: Sequence[str], forms: Sequence[Form], answer: Form
) -> Pairing:
    """The comparison of one draw of the references' forms and the answer's."""
    usable = [form for form in forms if form.usable]
    compared = _compared(references, usable, answer)
    if any(compare.same(known, text, question) for known, text in compared):
        return Pairing(True, False, "")
    complete = answer.usable and len(usable) == len(forms)
    different = complete and all(compare.differ(known, text, question) for known, text in compared)
    return Pairing(False, different, _reason(forms, answer))


def _compared(references: Sequence[str], usable: Sequence[Form], answer: Form) -> list[tuple[list[str], str]]:
    """Texts of the references, and the text of the answer to compare them with. At least one is a translation."""
    plain = [Form(text, text) for text in references]
    tried = [(usable, answer), (plain, answer)] if answer.usable else []
    tried.append((usable, Form(answer.original, answer.original)))
    compared = [(_comparable(known, one), one.text) for known, one in tried]
    return [(known, text) for known, text in compared if known]


def _comparable(known: Sequence[Form], answer: Form) -> list[str]:
    return [form.text for form in known if not distinguished(form, answer)]


def distinguished(reference: Form, answer: Form) -> bool:
    """Whether each side says something that the other does not, and a translation left it out: "the red box" and "the
    blue box" are not both "box", and `x = 5` is not `y = 5` although the rules let one of them lose its name.

    >>> known = Form("x = 5", "x = 5")
    >>> distinguished(known, Form("y = 5", "5")), distinguished(known, Form("it is 5", "5"))
    (True, False)
    """
    of_reference = named_by(reference.original) - all_of(answer.original) - all_of(answer.text)
    of_answer = named_by(answer.original) - all_of(reference.original) - all_of(reference.text)
    lost = (of_reference - all_of(reference.text)) | (of_answer - all_of(answer.text))
    return bool(of_reference and of_answer and lost)


def _reason(forms: Sequence[Form], answer: Form) -> str:
    if not answer.text:
        return answer.void or "no translation of the answer"
    if answer.void:
        return f"translation of the answer: {answer.void}"
    void = next((form.void for form in forms if form.void), "")
    return f"translation of the reference: {void}" if void else "not proved equal in translation"
