r"""The option that a sentence chooses: "I think it's (B).", "Option B is right", "this rules out C, leaving D".

Separate from choice_letter.py, which reads a letter that stands by itself, because here every option that the sentence
names is looked at: all but one have to be denied, and that one has to be chosen in so many words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hybridverify.answers import retraction
from hybridverify.answers.frame import is_denied
from hybridverify.answers.sentences import SENTENCES
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.languages import CHOOSING, COPULAS, OPTION_NOUNS, RIGHT_ANSWER

_MAX_SENTENCE = 300
_CJK = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"
_NOUN = "|".join(map(re.escape, OPTION_NOUNS))
_MENTION = re.compile(
    rf"(?P<bracketed>[(\[（【]\s?(?P<inside>[A-J])\s?[)\]）】])"
    rf"|(?P<named>(?:{_NOUN})[\s:：*]{{0,3}}(?P<after>[A-J])(?![\w'’]|-\w))"
    rf"|(?<![\w'’.\\$^{{-])(?P<alone>[B-HJ]|A(?!\s[a-z]))(?![^\W{_CJK}]|['’\\$^}}]|-\w|\.\w)"
    rf"|(?<=[{_CJK}])(?P<joined>[A-J])(?![\w'’])|(?<=[{_CJK}])(?P<between>[A-J])(?=[{_CJK}])",
    re.IGNORECASE,
)
_GROUPS = ("inside", "after", "alone", "joined", "between")
_WORDS = r"(?:(?:for|with|that|it|is|the|la|el|le|il|o|a|die|der|das)\s){0,3}"
_CHOOSE = "|".join(sorted(map(re.escape, (*CHOOSING, *COPULAS, *OPTION_NOUNS)), key=len, reverse=True))
_CHOSEN_BEFORE = re.compile(rf"(?:(?<![^\W{_CJK}])(?:{_CHOOSE})[\s:：,*\"'“—–-]{{0,4}}|\A\W*){_WORDS}\Z")
_CALLED_RIGHT = re.compile(
    r"[\s*\"'”)\]）】]{0,4}(?:is|are|seems|looks|must be|ist|est|es|è|é|—|-|ni)?\s?(?:\w{1,9}\s){0,2}?"
    rf"(?:right|true|best|answer|正确|正確|對|对|が正解|が正しい|맞|정답|{'|'.join(RIGHT_ANSWER)})"
)
_ENDS_AFTER = re.compile(
    r"[\s*\"'”’]{0,3}(?:\.(?!\.)|[,;:!。，；]|\Z|(?:because|since|as|for|which|where|by|when|है|입니다|이다|です)(?![^\W_])|[-—–(（]|因)"
)
_EXCLUDED = re.compile(
    r"(?:\b(?:rul(?:es?|ed|ing) out|eliminat\w*|exclud\w*|dismiss\w*|discard\w*|reject\w*|cross\w* out|than|not|nor"
    r"|neither|unlike|without|except|(?:all|everything|anything|any|each|none) but)\b|排除|而不是|不是|不选|不選)"
    r"(?:\s(?:both|options?|choices?))?(?:[\s,(\[]{0,3}(?:and |or |nor |和|、)?[A-J][)\]]?){0,6}"
    r"[\s,(\[（]{0,3}(?:and |or |nor |和|、)?\Z",
    re.IGNORECASE,
)
_ALONE = re.compile(r"[^\w?]*([A-J])[^\w?]*")
_STOPS = claims.kinds(
    "contracted refuted opposite unsure believed modal conditional obliged supposed or several extreme first "
    "others asked"
)


class _Mention(NamedTuple):
    letter: str
    start: int
    end: int
    clear: bool
    """Named as an option: in brackets or after a noun."""


def chosen_letter(text: str, clear: bool) -> str:
    """The letter of the one option that the last sentence of a text chooses, "" where none or several stand.

    `clear`: the letter has to be named as an option, in brackets or as "option B".

    >>> chosen_letter("I think it's (B).", True), chosen_letter("That rules out C, leaving D", False)
    ('B', 'D')
    >>> [chosen_letter(text, True) for text in ("I think (B) or (C)", "It is not (B).", "See (B).")]
    ['', '', '']
    >>> chosen_letter("C. B.", False)
    ''
    """
    *earlier, sentence = _last_sentences(text) or [""]
    if not sentence or claims.holds(sentence, _STOPS) or _is_reopened(sentence):
        return ""
    live = _left(sentence)
    if len({one.letter for one in live} | _alone(earlier)) != 1:
        return ""
    chosen = any(_is_chosen(sentence, one) for one in live if one.clear or not clear)
    return live[0].letter if chosen else ""


def _alone(sentences: Sequence[str]) -> set[str]:
    """The options that are sentences of their own."""
    return {found[1] for found in map(_ALONE.fullmatch, sentences) if found}


def _left(sentence: str) -> list[_Mention]:
    """The options that are not ruled out."""
    return [one for one in _mentions(sentence) if not _is_out(sentence, one)]


def _last_sentences(text: str) -> list[str]:
    """The sentences of the last line; none if the last one is too long."""
    line = text.strip().rpartition("\n")[2]
    sentences = [part for part in SENTENCES.split(line[-2 * _MAX_SENTENCE :]) if any(map(str.isalnum, part))]
    return sentences if sentences and len(sentences[-1]) <= _MAX_SENTENCE else []


def _is_reopened(sentence: str) -> bool:
    low = sentence.lower()
    return retraction.given_up(low) >= 0 or retraction.reopened(low) >= 0


def _mentions(sentence: str) -> list[_Mention]:
    found = []
    for match in _MENTION.finditer(sentence):
        group = next(group for group in _GROUPS if match[group])
        if match[group].isupper():
            found.append(_Mention(match[group], match.start(), match.end(), group in ("inside", "after")))
    return found


def _is_out(sentence: str, one: _Mention) -> bool:
    before = sentence[: one.start].lower().replace("*", "")
    return (
        _EXCLUDED.search(sentence[: one.start]) is not None
        or is_denied(sentence, one.start, one.end)
        or before.endswith("n't ")
    )


def _is_chosen(sentence: str, one: _Mention) -> bool:
    before, after = sentence[: one.start].lower(), sentence[one.end :].lower()
    if _CALLED_RIGHT.match(after):
        return True
    return _CHOSEN_BEFORE.search(before) is not None and _ENDS_AFTER.match(after) is not None
