"""What the model is shown of a sample: the question, the nearest spellings of the reference, the answer, hints."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hybridverify.judges.base import Subject
from hybridverify.judges.embedded.alternatives import nearest
from hybridverify.judges.embedded.hints import marks
from hybridverify.judges.embedded.restated import beyond
from hybridverify.language.text import flat_words

VERSION = 3
"""Raised where the same sample may be shown otherwise: it enters the cache key."""
MAX_WHOLE = 700
"""Characters of an answer that is shown whole."""
MAX_TEXT = 20_000
_STATEMENT, _TAIL = 250, 440
_MARKED = ("\\boxed", "####", "<answer")
_DECORATION = re.compile(r"\*\*|__|\$|`|\\boxed|<[^<>]{0,40}>")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class Shown:
    """The texts of one row, and the names of its hints."""

    question: str
    reference: str
    answer: str
    marks: tuple[str, ...]


def shown(subject: Subject) -> Shown:
    """What is shown of this subject.

    >>> from hybridverify.types import Sample
    >>> shown(Subject(Sample("It was Ulm.", ["Ulm", "Ulm, Germany"], "Where?"), "It was Ulm.", False, "It was Ulm."))
    Shown(question='Where?', reference='Ulm / Ulm, Germany', answer='It was Ulm.', \
marks=('placed:early', 'words:4', 'letters:4', 'numbers:none', 'extra:0', 'names:0', 'more:0', 'denied:none', \
'order:none', 'items:0'))
    """
    sample = subject.sample
    question = tidy(sample.question)
    answer = beyond(question, tidy(answer_text(subject)))
    texts, near = nearest([tidy(text) for text in sample.references], answer, question)
    return Shown(question, " / ".join(texts), answer, marks(near, texts, answer, question))


def answer_text(subject: Subject) -> str:
    """A marked answer alone; a short response whole; of a long one its final statement, then its tail."""
    reply = subject.reply or subject.sample.response
    if subject.marked and subject.answer.strip() and any(mark in reply for mark in _MARKED):
        return subject.answer
    if len(reply) <= MAX_WHOLE:
        return reply
    statement = subject.answer.strip()[-_STATEMENT:] if subject.marked else ""
    return f"{statement} … {reply[-_TAIL:]}" if statement else reply[-MAX_WHOLE:]


def tidy(text: str) -> str:
    """The text as the model sees it: one line, without decoration."""
    text = text[:MAX_TEXT]
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair
    if "\\" in text:
        text = flat_words(text)
    return _BLANKS.sub(" ", _DECORATION.sub(" ", text)).strip()
