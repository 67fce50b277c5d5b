"""The model's input for a sample: the question, the nearest spellings of the reference, the answer, and hints."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hybridverify.judges.base import Subject
from hybridverify.judges.embedded.alternatives import nearest
from hybridverify.judges.embedded.hints import marks
from hybridverify.language import expressions as re
from hybridverify.language.patterns import APOSTROPHED_WORD
from hybridverify.language.text import flat_words

VERSION = 3
"""Raised if a sample may be shown differently than before. It enters the cache key."""
MAX_WHOLE = 700
"""The most characters of an answer that is shown whole."""
MAX_TEXT = 20_000
_STATEMENT, _TAIL = 250, 440
_MARKED = ("\\boxed", "####", "<answer")
_DECORATION = re.compile(r"\*\*|__|\$|`|\\boxed|<[^<>]{0,40}>")
_SHARE_OF_QUESTION = 0.5
"""A piece has to hold this share of the question's words: a shorter one may be part of the answer."""
_LEAST_PIECE = 4
"""The least words of a piece. A shorter question is not looked for."""
_MOST_COMPARED = 400
"""The most words of answer and question that are compared."""


@dataclass(frozen=True)
class Shown:
    """The texts of one row, and the names of its hints."""

    question: str
    reference: str
    answer: str
    marks: tuple[str, ...]


def shown(subject: Subject) -> Shown:
    """The input for a subject.

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
    """Of a marked answer, only the answer; a short response whole; of a long one its final statement and its end."""
    reply = subject.reply or subject.sample.response
    if subject.marked and subject.answer.strip() and any(mark in reply for mark in _MARKED):
        return subject.answer
    if len(reply) <= MAX_WHOLE:
        return reply
    statement = subject.answer.strip()[-_STATEMENT:] if subject.marked else ""
    return f"{statement} … {reply[-_TAIL:]}" if statement else reply[-MAX_WHOLE:]


def tidy(text: str) -> str:
    """The text on one line, without decoration."""
    text = text[:MAX_TEXT]
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair
    if "\\" in text:
        text = flat_words(text)
    return " ".join(_DECORATION.sub(" ", text).split())


def beyond(question: str, answer: str) -> str:
    """The answer without long pieces of the question, or the whole answer if it holds none.

    >>> beyond("Who was the first governor of Tarn?", "Ada Holm was the first governor of Tarn.")
    'Ada Holm .'
    >>> beyond("Who was the first governor of Tarn?", "Who was the first governor of Tarn? Yes")
    '? Yes'
    >>> beyond("Who was the first governor of Tarn?", "the first governor, Ada Holm")
    'the first governor, Ada Holm'
    """
    given = list(APOSTROPHED_WORD.finditer(answer))
    said, asked = (
        [word.group().casefold() for word in words][:_MOST_COMPARED]
        for words in (given, APOSTROPHED_WORD.finditer(question))
    )
    least = max(_LEAST_PIECE, math.ceil(_SHARE_OF_QUESTION * len(asked)))
    if min(len(said), len(asked)) < least:
        return answer
    runs = _runs(said, asked)
    kept, end, at = [], 0, 0
    while at < len(said):
        size = runs[at]
        if size >= least:
            kept.append(answer[end : given[at].start()])
            end = given[at + size - 1].end()
        at += size if size >= least else 1
    return " ".join(" ".join([*kept, answer[end:]]).split()) if kept else answer


def _runs(said: list[str], asked: list[str]) -> list[int]:
    """For each word of `said`: how many words from there on also stand side by side in `asked`."""
    found, after = [0] * len(said), [0] * (len(asked) + 1)
    for at in range(len(said) - 1, -1, -1):
        here = [after[place + 1] + 1 if word == said[at] else 0 for place, word in enumerate(asked)]
        found[at], after = max(here), [*here, 0]
    return found
