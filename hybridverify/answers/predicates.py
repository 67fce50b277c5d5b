"""What a sentence says from a place on, without its reasons and remarks: "5, because 2 + 3 = 5" says 5.

Separate from stated.py because closing sentences are read in the same way, without any label.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from hybridverify.answers.retraction import MAX_READ, takes_back
from hybridverify.answers.sentences import SENTENCES, is_left_open, sentence_end
from hybridverify.language import expressions as re
from hybridverify.language.endings import MAY_END, without_ending
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import NO_ELEMENTS

_LISTS, _MAX_LIST = ('["', "['"), 600
"""How a list of quoted texts begins, and its most characters."""
_CLOSING = " \t\n.$"
_DENIED = phrases("phrases", "denied", before=r"[\s*_]*")
_ADVERB = phrases("phrases", "adverb", after=r"\s(?=[\d$\\(*-])")
_NOTHING_SIGNS = frozenset("∅∄∞")
_EMPTY_VALUES = ("[]", "()", "{}", "''", '""')
"""What a program prints of what holds nothing."""
_CHATTER = re.compile(
    r"(?:[,，]\s?|\s)(?:because|since|which (?:is|means|was))\b.*"
    r"|,\s?as (?:required|desired|needed|expected|claimed|wanted|stated|shown|we|you|can be)\b.*"
    r"|,\s?I(?: am|'m) (?:sure|certain|confident)\b.*"
    r"|,\s(?:and )?not\s(?:\$?\\?\$?-?[\w.,\\{}^/()=+*-]{1,30}\$?)$"
    r"|\s\((?:since|because|as|not)\s[^()]{1,120}\)$|\s\([^()]{1,60}\b(?:was|were|is|fails?)\b[^()]{0,60}\)$"
    r"|[,，](?:因|所以|即|也就|而|故).*",
    re.DOTALL,
)
CONCLUDING = phrases("announcing", "conclusion", before=r"[\s*_>#-]*(?:step \d+:?\s*)?(?:and\s|但)?")
"""How a closing sentence begins."""


class Stated(NamedTuple):
    """What a sentence says, and where it ends in the text."""

    text: str
    end: int


NOTHING = Stated("", 0)


def subject_of(text: str) -> str:
    """The subject of "X is the answer": the last sentence, without its "therefore"."""
    last = SENTENCES.split(text)[-1]
    opening = CONCLUDING.match(last)
    return last[opening.end() if opening else 0 :].strip(" ,*_")


def sentence_from(body: str, start: int) -> str:
    """From `start` to the end of the sentence or line; "" for what is denied, taken back or blank."""
    told = statement_from(body, start)
    return told.text if told else ""


def statement_from(body: str, start: int) -> Stated | None:
    """The same with its end, and None for what is taken back at once."""
    while start < len(body) and body[start].isspace():
        start += 1
    end = max(sentence_end(body, start), _list_end(body, start))
    content = body[start:end]
    after = body[end : end + MAX_READ]
    goes_on = after.strip(_CLOSING)
    if goes_on and (takes_back(content, after) or is_left_open(content, body, end)):
        return None
    if _DENIED.match(content) or not _says_something(content):
        return NOTHING
    content = content.removeprefix("}")  # "\\text{Answer: } 7"
    content = _ADVERB.sub("", content, count=1) if content[:1].isalpha() else content
    return _without_remark(content, end)


def _without_remark(content: str, end: int) -> Stated | None:
    """A statement without what it remarks on its answer, None where that calls the answer wrong."""
    kept = without_remark(content)
    if kept != content and takes_back(kept, content[len(kept) :]):
        return None
    content = kept.strip()
    return Stated(without_ending(content) if content[-1:] in MAY_END else content, end)


def without_remark(content: str) -> str:
    """What is said, without a reason or the denial of another value after it.

    >>> without_remark("5, because it is odd"), without_remark("5, not 6"), without_remark("5, 6")
    ('5', '5', '5, 6')
    """
    return _CHATTER.sub("", content, count=1) or content


def _list_end(body: str, start: int) -> int:
    """The end of a list of quoted texts that begins here, whatever stops these have; 0 where none does."""
    if not body.startswith(_LISTS, start):
        return 0
    return body.find("]", start, start + _MAX_LIST) + 1


def _says_something(content: str) -> bool:
    return any(map(str.isalnum, content)) or not _NOTHING_SIGNS.isdisjoint(content) or _is_sign(content)


def _is_sign(content: str) -> bool:
    """One sign that is no markup: "○", "+", "{}"."""
    if NO_ELEMENTS.search(content) or content.strip("`*$ .") in _EMPTY_VALUES:
        return True
    bare = content.strip("*_$ .\t")
    return len(bare) == 1 and (
        bare in "-/%&#@" or (unicodedata.category(bare)[0] == "S" and bare not in "`^~|$")
    )
