"""The one value on which a sentence of another language ends: "Das Ergebnis ist 42.", "따라서 총 42개입니다.".

Separate from one_value.py, which knows English: here a sentence counts that ends on its only number after a copula or
after an opening such as "therefore", and holds no word that denies, doubts, compares or joins in any language we know.
"""

from __future__ import annotations

from hybridverify.answers.predicates import CONCLUDING
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.denials import IF, IF_JOINED, NOT, NOT_AFTER, NOT_JOINED
from hybridverify.language.endings import without_ending
from hybridverify.language.joining import OR
from hybridverify.language.languages import COMPARING, COPULAS, FUNCTION_WORDS
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import DIGIT, WORD
from hybridverify.maths import numerals

_MAX_SENTENCE = 160
_NUMBER = re.compile(
    r"(?<![\\w.,^_])-?\d+(?:[.,]\d+)*%?|(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])\d+(?:[.,]\d+)*%?"
)
_OTHER = frozenset('=<>≤≥≠≈±√^_\\{}$|~?？؟;:"“„«(')
_MAX_QUESTION, _STEM = 20_000, 4
_IDLE = FUNCTION_WORDS | frozenset(entries("announcing", "conclusion"))
_STOPS = (". ", "। ")
_ALSO_ENGLISH = frozenset(["to", "on", "er", "je", "e", "o", "so", "om"])
_LEADS = frozenset(COPULAS) - _ALSO_ENGLISH | frozenset(("vale", "gleich", "à", "égal"))
_PARTICLES = ("は", "は、", "는", "은", "为", "為", "是", "有", "총", "共")
_CLAUSES = frozenset(("que", "dass", "daß", "che", "что", "jeśli", "kwamba", "कि"))
"""What opens a clause: somebody may only be said to believe what follows."""
_STOPPING = NOT | _CLAUSES | OR.union(IF, ("au", "y", "und"))
_JOINED = (*NOT_JOINED, *NOT_AFTER, *IF_JOINED)
_WRONG = phrases("denying", "wrong")
_DOUBTS = claims.kinds("denied_elsewhere unsure")


def value_of(sentence: str, question: str = "") -> str:
    """The number with the counter that is joined to it, or with the noun of the question after it; "" where there is
    any doubt.

    >>> value_of("Das Ergebnis ist 42."), value_of("따라서 총 42개입니다."), value_of("إذن المجموع هو 42.")
    ('42', '42개', '42')
    >>> value_of("Das Ergebnis ist nicht 42."), value_of("結果は42ではない。"), value_of("Es sind mehr als 42.")
    ('', '', '')
    >>> value_of("Also bleiben 18 Äpfel übrig.", "Wie viele Äpfel bleiben übrig?")
    '18 Äpfel'
    """
    text = sentence.strip().rstrip(" .。।۔!*")
    if not _may_hold_one(text):
        return ""
    told = without_ending(text)
    number = _only_number(told)
    if number is None:
        return ""
    before, after = told[: number.start()].rstrip(), told[number.end() :]
    words = WORD.findall(before.lower())
    if not words or not _STOPPING.isdisjoint(WORD.findall(told.lower())) or _is_doubted(text):
        return ""
    if _is_counter(after) and _leads_up(before, words[-1], ended=told != text):
        return f"{number[0]}{after}"
    opening = CONCLUDING.match(before)
    said = WORD.findall(before[opening.end() :].lower()) if opening else words
    return f"{number[0]} {after.split()[0]}" if _are_of_question(said, after, question) else ""


def _are_of_question(before: list[str], after: str, question: str) -> bool:
    """Does a sentence say nothing that the question does not, and does it name what is counted? A word that English
    has may hold together an English sentence, which others read."""
    following = WORD.findall(after.lower())
    if not question or not following or after[:1] != " " or len(following) != len(after.split()):
        return False
    known = {word[:_STEM] for word in WORD.findall(question[:_MAX_QUESTION].lower())}
    said = [word for word in (*before, *following) if word not in _IDLE]
    return following[0] not in FUNCTION_WORDS and all(word[:_STEM] in known for word in said)


def _may_hold_one(text: str) -> bool:
    """One short sentence with a digit and no formula."""
    if not 0 < len(text) <= _MAX_SENTENCE or "\n" in text:
        return False
    single = _OTHER.isdisjoint(text) and not any(map(text.__contains__, _STOPS))
    return single and DIGIT.search(text) is not None


def _is_doubted(text: str) -> bool:
    """Is anything denied, supposed or compared by a sign or an ending, which no word shows?"""
    low = text.lower()
    if claims.holds(text, _DOUBTS) or _WRONG.search(text):
        return True
    return any(entry in text for entry in _JOINED) or any(entry in low for entry in COMPARING)


def _only_number(text: str) -> re.Match[str] | None:
    found = list(_NUMBER.finditer(text))
    return found[0] if len(found) == 1 and numerals.read(found[0][0]) is not None else None


def _is_counter(after: str) -> bool:
    """Whether the text after the number is empty or one word that is joined to it."""
    return " " not in after.strip() and after[:1] != " "


def _leads_up(before: str, last: str, *, ended: bool) -> bool:
    """Whether the words before the number state it: they end on a copula or a particle, or begin with a "therefore" in
    another script. Where a copula after the number was cut off, any words in another script do."""
    if last in _LEADS or before.endswith(_PARTICLES):
        return True
    return not before.isascii() and (ended or CONCLUDING.match(before) is not None)
