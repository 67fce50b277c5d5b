"""The texts of a row that are translated: each reference, and an answer that was given as one."""

from __future__ import annotations

from hybridverify.answers.references import read_reference
from hybridverify.judges.base import Subject
from hybridverify.language.wrapping import unwrap
from hybridverify.sample import Sample

MAX_TEXT = 600
"""In characters. A longer text may hold an answer that one line cannot hold."""
MAX_REFERENCES = 4
_MAX_LINE = 200
"""A response of one line with at most this many characters is its own answer, whatever marks or stop it has."""


def every_reference(sample: Sample) -> tuple[str, ...]:
    """All readable references, each once."""
    told = dict.fromkeys(read_reference(one, True) for one in sample.references)
    return tuple(one for one in told if one)


def reference_texts(sample: Sample) -> tuple[str, ...]:
    """The references that are translated.

    >>> reference_texts(Sample("", ["#### 7", "seven", "7"]))
    ('7', 'seven')
    """
    return tuple(one for one in every_reference(sample) if len(one) <= MAX_TEXT)[:MAX_REFERENCES]


def answer_text(subject: Subject) -> str:
    """The answer if it may be translated, else "".

    >>> answer_text(Subject(Sample("", "7"), "seven", True)), answer_text(Subject(Sample("", "7"), "a piece of it"))
    ('seven', '')
    >>> answer_text(Subject(Sample("", "7"), "seven", False, "$seven$."))
    'seven'
    """
    text = subject.answer.strip()
    if subject.marked:
        return text if len(text) <= MAX_TEXT else ""
    reply = subject.reply.strip()
    whole = "\n" not in reply and unwrap(reply) == unwrap(text)
    return text if whole and len(reply) <= _MAX_LINE else ""
