"""Whether the sentence around an answer denies it, only supposes it, or calls it wrong, in any language we know.

Two places are read: what leads up to the answer and what is said of it after. A denial counts only where it
reaches the answer: "the share that is not red is 4" and "it is not 5 but 4" answer 4.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language import expressions as re
from hybridverify.language.denials import (
    BETWEEN,
    NOT,
    NOT_JOINED,
    SIGNS,
)
from hybridverify.language.languages import ANSWER_ROOTS
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import CUE, cue_words, first_words, phrases
from hybridverify.language.lexicon.vocabulary import words_of
from hybridverify.language.names import before_name
from hybridverify.language.patterns import IN_TEXT, TYPESETTING, WORD

SEEN_BEFORE = 200
"""How far back the sentence of an answer is read."""
_AFTER = 100
_WORDS_BETWEEN = 7
_NEAREST = 6
OPENERS = "$*:(\\[{ \n\t`\"'~“„«"
_STOPS = "。！？；"
_LATE = frozenset(("pas", "jamais", "nicht", "niet", "inte", "ikke", "ikkje"))
"""These follow the verb that they deny: before a copula they belong to another clause ("qui ne jouent pas est 4")."""
_LATE_COPULAS = frozenset(("est", "sont", "ist", "sind", "is", "zijn", "är", "er"))
_DENYING = phrases("denying", "denying", "unsaid", "statement_denied")
_BREAK = phrases("denying", "break")
_NO_DENIAL = ("only", "just", "merely")
_REMINDING = entries("denying", "reminding")
_REPLACED = phrases(
    "denying",
    "replace",
    before=r"(?:^|[,;:] |\b(?:to|please|must|should|i|we|and|then) )",
    after=r"(?: (?:the|my|our|this|value|number|answer)){0,3}$",
)
_ROOTS = "|".join(
    ["answer|result|value|solution|total|sum", *(re.escape(root.strip(":：")) for root in ANSWER_ROOTS)]
)
_SUPPOSED = (
    phrases(
        "denying",
        "if",
        before=r"(?:^|[\s,(])",
        after=rf",?\s(?:(?!so\b|then\b|not\b)\S{{1,12}}\s){{0,3}}?(?:{_ROOTS})[^,;:]{{0,30}}$",
    ),
    phrases("denying", "if_joined", after=rf"[^，；,]{{0,4}}(?:{_ROOTS})[^，；,]{{0,4}}$"),
    phrases("denying", "if_it", after="$"),
    phrases("denying", "if_we", after="[^,;:]{0,30}$"),
    phrases("denying", "supposing", after=r"[^,;:=<>\"]{0,16}$"),
)
_POINTING = r"\b(?:following|follows|here|below|next)\s(?:\S{1,12}\s)?(?:is|are|comes)\s"
"""What leads up to something that is still to come."""
_MISLABELLED = (
    phrases("denying", "mislabelled", before=rf"(?:^|[,;:(] ?|{_POINTING})", after="$"),
    phrases("denying", "elsewhere", after="$"),
)
"""What leads up to somebody else's answer, or to one that is called wrong beforehand."""
_CLOSE = r"[\s$*)\]}\\`_~]{0,8}"
_OPEN = r"(?:[(\[—–:;,<←=-]{1,3}\s?)?"
_ENDS = r"(?=\s{0,2}(?:[)\].,;!:。，]|\Z|\n|है|(?:by|after|because|since|as|if)\b)|(?<=[^\x00-\x7f]))"
_NOT_AFTER = phrases(
    "denying",
    "not_after",
    "not_after_joined",
    before=_CLOSE + r"[^\s.,;。，\\$]{0,3}\s?(?:[^.,;。，\\$\d]{1,24}\s)?",
)
_DENIED_AFTER = (
    phrases("denying", "denied_after", before=_CLOSE + _OPEN),
    phrases("denying", "denied_next", before=_CLOSE),
    phrases("denying", "denied_number", before=_CLOSE, after=r"\s[$*\\({]{0,4}[-\d]"),
    phrases("denying", "wrong", before=_CLOSE + _OPEN, after=_ENDS),
    _NOT_AFTER,
)
_LEADING = (
    *("not_before", "if", "replace", "denying", "falsehood", "refusing", "statement_denied"),
    *("if_it", "if_we", "supposing", "mislabelled", "elsewhere"),
)
"""Every phrase that is looked for before an answer holds one of these lists."""
CUES_BEFORE = cue_words("denying", *_LEADING)
"""An ASCII text without one of these words denies and supposes nothing before an answer."""
_FIRST_WORDS = first_words(
    "denying",
    *("wrong", "denied_after", "denied_next", "denied_number", "not_after", "refused", "conditional"),
)
"""On what the patterns above, and those of box_context.py, begin."""
_LATER_WORDS = sorted(word for word in first_words("denying", "not_after") if word.isascii())
"""What may also stand after another word: "4 cevap olamaz"."""
CUES_AFTER = _FIRST_WORDS.union(_LATER_WORDS)
"""Words without any of these beginnings deny and take back nothing before them."""


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a value denies it."""
    return denied_before(text, start) or denied_after(text, end)


def denied_before(text: str, start: int) -> bool:
    """Whether what leads up to `start` denies or supposes what follows.

    >>> denied_before("It is false that it is 4.", 22), denied_before("It is false that a = 0, so it is 4.", 32)
    (True, False)
    """
    low = _led_up(text, start)
    if not low or (low.isascii() and _is_plain(low)):
        return False
    return not _is_interjected(low, text[:start]) and _denies(low)


def _is_interjected(low: str, before: str) -> bool:
    """ "No: 4", "No, 4": the "no" answers something else."""
    return low in NOT and before.rstrip("$\\([* ")[-1:] in (":", ",")


def may_refute(text: str) -> bool:
    """A quick look for a "not" of any language or a sign for "wrong".

    >>> may_refute("He was born in Ulm."), may_refute("nicht Ulm"), may_refute("Ulm ❌")
    (False, True, True)
    """
    low = text.lower()
    return not NOT.isdisjoint(WORD.findall(low)) or may_deny(low)


def is_refuted(text: str, start: int, end: int) -> bool:
    """Whether a "not" or a sign for "wrong" stands right beside a value: less than `is_denied`, and surer.

    >>> is_refuted("答案不是4。", 4, 5), is_refuted("Cevap 4 değil", 6, 7), is_refuted("If it is 4", 9, 10)
    (True, True, False)
    """
    low, after = _led_up(text, start), _flat(text[end : end + _AFTER].lower())
    if low in SIGNS and low:
        return True
    refuted = low.endswith(NOT_JOINED) or _ends_on_not(before_name(low).rstrip(OPENERS))
    refuted = refuted and not _is_interjected(low, text[:start])
    if refuted and not low.endswith(_NO_DENIAL):
        return True
    line, _, below = after.partition("\n")
    near = line if below.strip(f" \n{SIGNS}") else after  # a sign before another text is that text's
    return any(map(near[:_NEAREST].__contains__, SIGNS)) or _NOT_AFTER.match(after) is not None


def _led_up(text: str, start: int) -> str:
    """The sentence up to `start` in small letters, without the signs that open a formula or a quotation."""
    before = text[max(0, start - SEEN_BEFORE) : start].rstrip(OPENERS)
    for stop in (". ", "? ", "! ") if "\n" not in before else ("\n", ". ", "? ", "! "):
        if stop in before:
            before = before[before.rindex(stop) + 1 :]
    if "}" in before and "\\" in before:
        before = IN_TEXT.sub(r" \1 ", before)
    if not before.isascii():
        for stop in _STOPS:
            before = before.rpartition(stop)[2]
    return before.strip(OPENERS).lower()


@lru_cache(maxsize=1024)  # "the answer is" leads up to most answers
def _is_plain(low: str) -> bool:
    """A quick look: an ASCII sentence without any word that denies or supposes."""
    if "n't" in low:
        return False
    return CUES_BEFORE.isdisjoint(words_of(low))


def _denies(low: str) -> bool:
    if low[-1] in SIGNS or low.endswith(NOT_JOINED):
        return True
    low = before_name(low).rstrip(OPENERS)
    if _ends_on_not(low) or _denies_statement(low) or _REPLACED.search(low):
        return True
    return any(pattern.search(low) for pattern in (*_SUPPOSED, *_MISLABELLED))


def _ends_on_not(low: str) -> bool:
    """Whether a "not" comes last, copulas and the like aside."""
    after, copula = "", False
    for told in reversed(low.split()[-_WORDS_BETWEEN:]):
        word = told.lstrip("([\"'“„«*_").rstrip("*_")
        if word.endswith(("n't", "n’t")):
            return True
        if word in NOT or f"{word} {after}" in NOT:
            return not (copula and word in _LATE)
        if not _may_stand_between(word):
            return False
        after, copula = word, copula or word in _LATE_COPULAS
    return False


def _may_stand_between(word: str) -> bool:
    return word in BETWEEN or word == "nu" or word.endswith("ly") or word.startswith(("n'", "n’"))


def _denies_statement(low: str) -> bool:
    denials = [match for match in _DENYING.finditer(low) if not _reminds(match[0])]
    return bool(denials) and not _BREAK.search(low, denials[-1].end())


def _reminds(denial: str) -> bool:
    """ "Do not forget that", "no more than": with such a word a "not" and a "that" deny nothing."""
    return any(word.startswith(_REMINDING) for word in denial.split())


def denied_after(text: str, end: int) -> bool:
    """Whether what follows `end` calls what stands before it wrong, or no more than possible.

    >>> denied_after("4 (rejected)", 1), denied_after("4 (not 5)", 1), denied_after("Cevap 4 değil", 7)
    (True, False, True)
    """
    low = _flat(text[end : end + _AFTER].lower())
    if not may_deny(low):
        return False
    if any(sign in low[:_NEAREST] for sign in SIGNS):
        return True
    return any(pattern.match(low) for pattern in _DENIED_AFTER)


def _flat(low: str) -> str:
    r"""What follows an answer as its reader sees it, if it begins in TeX: `\quad\text{(wrong)}` is "(wrong)"."""
    return TYPESETTING.sub(" ", low).lstrip() if low.lstrip("$ ")[:1] == "\\" else low


def may_deny(low: str) -> bool:
    """A quick look at the words after an answer, in small letters: whether one of them can deny it or take it back.

    >>> may_deny(" dollars."), may_deny("$ is wrong"), may_deny("?"), may_deny(" cevap olamaz")
    (False, True, True, True)
    """
    low = _flat(low)
    if not low.isascii() or "?" in low[:_NEAREST]:
        return True
    for word in _LATER_WORDS:  # a loop, since a generator takes longer than all else here
        if word in low:
            return True
    first = WORD.search(low)
    return first is not None and first[0][:CUE] in _FIRST_WORDS
