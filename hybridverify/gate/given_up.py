"""Two short sentences that end in giving up: "I saw 12 in the text but I cannot solve it. I do not know."

Apart from refusals.py, whose texts hold nothing but the refusal, because here a number of the question may be spoken
of. It is no answer where the first sentence turns to a refusal and the second is nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.answers.extract import Extraction, Mark
from hybridverify.answers.sentences import SENTENCES
from hybridverify.gate.fold import folded_words
from hybridverify.gate.refusals import refuses
from hybridverify.language.claims import COPULA
from hybridverify.language.lexicon.phrases import phrases

_MAX_TEXT = 300
_TURN = phrases("phrases", "turn", before=r",?\s", after=r",?\s")
_QUOTES, _GIVES = phrases("phrases", "quoted"), phrases("phrases", "offered")


def gives_up(reading: Extraction, references: Sequence[str], question: str) -> bool:
    """Does an unmarked text of two sentences end in giving up, and offer nothing before?"""
    body = reading.body.strip()
    if reading.mark not in (Mark.BARE, Mark.NONE, Mark.CONCLUSION) or not 0 < len(body) <= _MAX_TEXT:
        return False
    sentences = SENTENCES.split(body)
    if len(sentences) != 2 or not _is_refusal(sentences[1], references, question):
        return False
    told = _TURN.split(sentences[0])
    if len(told) != 2 or not _QUOTES.search(told[0]) or COPULA.search(told[0]) or _GIVES.search(told[0]):
        return False
    return _is_refusal(told[1], references, question)


def _is_refusal(text: str, references: Sequence[str], question: str) -> bool:
    return bool(said := folded_words(text)) and refuses(text, said, references, question)
