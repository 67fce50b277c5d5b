"""What the model is shown of a sample: the question, the nearest spellings of the reference, the answer, hints."""

from __future__ import annotations

from embedded.second.hints import marks
from embedded.second.overlap import overlap
from hybridverify.judges.base import Subject
from hybridverify.judges.embedded.alternatives import nearest
from hybridverify.judges.embedded.inputs import Shown, answer_text, tidy

VERSION = 3
"""Raised where the same sample may be shown otherwise: it enters the cache key."""


def shown(subject: Subject) -> Shown:
    """What is shown of this subject.

    >>> from hybridverify.types import Sample
    >>> shown(Subject(Sample("It was Ulm.", ["Ulm", "Ulm, Germany"], "Where?"), "It was Ulm.", False, "It was Ulm."))
    Shown(question='Where?', reference='Ulm / Ulm, Germany', answer='It was Ulm.', \
marks=('placed:early', 'words:4', 'letters:4', 'numbers:none', 'extra:0', 'names:0', 'more:0', 'denied:none', \
'order:none', 'items:0'))
    """
    sample = subject.sample
    question, answer = tidy(sample.question), tidy(answer_text(subject))
    texts, near = nearest([tidy(text) for text in sample.references], answer, question, overlap)
    return Shown(question, " / ".join(texts), answer, marks(near, texts, answer, question))
