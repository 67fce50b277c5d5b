r"""Read the letter of an option in any usual spelling: "(D)", "D.", "Option D", "D) 12", \text{D}, 选D.

Separate from choice.py because extraction reads letters too, where a task fixes the form `choice`.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from hybridverify.answers import marks, retraction, stated
from hybridverify.answers.frame import denied_after
from hybridverify.language import expressions as re
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.languages import OPTION_NOUNS
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import TYPESETTING
from hybridverify.language.text import canonical
from hybridverify.language.wrapping import unwrap

_NOUN = rf"(?:{'|'.join(re.escape(noun) for noun in OPTION_NOUNS if noun != 'options')})"
_LETTER = re.compile(
    rf"(?:the\s+)?(?:correct\s+)?(?:{_NOUN}\s*(?:is|are|as|=|是|为|為)?\s*[:：]?\s*)?"
    r"[\[(（【{*\"'\s]*(?P<letter>[A-Ja-j])(?![A-Za-z0-9À-ɏ])(?P<close>[\])）】}*\"'\s]*)",
    re.IGNORECASE,
)
_AFTER_LETTER = re.compile(
    r"$|[.:：、,，。)）;；]|[-–—]\s|因|是"
    r"|(?:because|since|as|for|is (?:the\s)?(?:correct|right|best|true|answer)|which|where|non|not|,)(?![^\W_])",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[(\[（]?(?<![A-Za-z])([A-J]+)(?![A-Za-z])[)\]）.]?")
_BESIDE = re.compile(r"[^\W\d_]+|\S")
_JOINTS = frozenset(entries("joining", "mark", "and")) | frozenset("/與.")
_OR = frozenset(entries("joining", "or"))
_NOUNS = frozenset((*OPTION_NOUNS, "options", "choices", "answers"))
_CALLED_RIGHT = frozenset(("are", "all", "correct", "right", "true"))
_MAX_LIST = 60
_LABELS = (
    "final choice",
    "selected option",
    "option selected",
    "selected answer",
    "my choice",
    "choice",
    "option",
)
_LABELLED = re.compile(
    rf"(?:\b(?:{'|'.join(_LABELS)})s?(?:\s+is|\s*[:：=])?|(?:选择|選擇|选|選)\s*[:：]?)[\s*_]*[(\[（]?([A-J])(?![A-Za-z])",
    re.IGNORECASE,
)
_RANKED = phrases("phrases", "ranked", after=r"\s*$")
_ANOTHER = re.compile(
    r"\A(?:or|and|oder|ou|或|和)\s?[(\[]?[A-J](?![\w'])|\b(?:so|as) (?:is|are|was|were|well as) [(\[]?[A-J](?![\w'])"
    r"|\b(?:actually|rather|no|sorry|wait|instead)\b[,:]?\s(?:\w+\s){0,3}[(\[]?[A-J](?![\w'])"
    r"|(?:\A|[.;,?!\s])\s{0,2}[(\[]?[A-J](?:[)\]]|\s?[:：]|(?<=[,;.\s][A-J])\s?[.,;](?=\s)|(?<=[,;]\s[A-J])\s*\Z)"
)
"""Another option beside or after the first: "A or B?", "A: no. B: yes.", "A, C, D", "(A) one (B) two"."""
_ONLY_ANOTHER = re.compile(
    r"""[\s.,:;：、，。；"'“”\]–—|~+*-]*(?:\b(?:or|and|also|alias|aka|maybe|perhaps|possibly)\b[\s,]*|[或和与亦也可能者是许])*"""
    r"""[\s"'“”\[]*[(\[（]?(?P<other>[A-J])[)\]）]?(?:[\s"'“”,，、]+[(\[（]?[A-J][)\]）]?)*[\s"'“”.。\]})]*"""
)
"""What follows a letter where it is nothing but another: "B - C", "B: C", `B", "C"]}`, "B，也可能是C"."""
_LABEL_END = re.compile(r"\)|\.(?!\.)")
_NEXT_OF_LIST = re.compile(r"""[)\]]?["'”]?\s?,\s?["'“]?[(\[]?[A-J](?:[)\]]|["'”])""")
"""The next option of a list in brackets or quotes, whatever follows the list: `"(A)", "(B)"]} or another`."""
_NEXT_QUOTED = re.compile(r"""["'”]\s?,\s?["'“]\s?[(\[]?[A-J][)\].:"'”]""")
_DOUBLED = re.compile(r"[(\[（]{2,}\s?([A-J])\s?[)\]）]{2,}")
_JOINED = re.compile(r"\?|[=&+/]|,?\s?(?:\.{2,}|…)|(?:and|or|also|plus|und|oder|et|ou)\b", re.IGNORECASE)
"""What joins a second candidate to a letter, or doubts it: "(C) and seven", "C = seven", "(C)? Hardly."."""
_REFUSED = phrases("phrases", "refused", before=r"[^.!?\n]{0,40}?")
_SECOND = re.compile(
    r"[)\]）]?\s?(?:[,&/、，或和与]|\b(?:and|or|oder|ou|und|et)\b)\s?(?:or\s|and\s)?[(\[（]?[A-J](?!\w)"
)
"""Another option joined to the one that is chosen."""
_CONTRASTED = phrases("phrases", "contrasted", after=r"\s[(\[]?[A-J][)\]]?(?![\w'])")
"""What the letter is not: "C, not A"."""
_MAX_CORRECTED = 300
_MAX_LAST = 12
"""Signs of a last line that is no sentence."""
_ENCLOSING = frozenset(")]）】}")


def letter_of(answer: str) -> tuple[str, str]:
    r"""The letter an answer names and the text after it, ("", "") where it names none or several.

    >>> letter_of(r"\text{(D)} 12"), letter_of("Option b"), letter_of("A car is moving"), letter_of("A or B")
    (('D', '12'), ('B', ''), ('', ''), ('', ''))
    """
    plain = _plain(answer)
    match = _LETTER.match(plain)
    if not match or names_several(answer):
        return "", ""
    rest = plain[match.end() :].strip()
    primed = "'" in match.group("close") and "'" not in plain[: match.start("letter")]
    if primed or _is_refused(rest) or not _ends_after(match, rest):
        return "", ""  # the complement D', "(D) is wrong", and "a circle"
    return match.group("letter").upper(), rest.lstrip(".:：、,，。)）;； -–—").strip()


def _ends_after(match: re.Match[str], rest: str) -> bool:
    """Whether the letter is closed off from the text after it: "a) circle" is an option, "a circle" is none."""
    if not _ENCLOSING.isdisjoint(match.group("close")):
        return True
    if _AFTER_LETTER.match(rest) is None:
        return False
    return not rest or match.group("letter").isupper() or rest[0] in ").:"


def _is_refused(rest: str) -> bool:
    """Whether the text after a letter takes it back, or offers another."""
    taken_back = retraction.TAKEN_BACK.match(rest) or _ANOTHER.search(rest) or _JOINED.match(rest)
    taken_back = taken_back or _NEXT_OF_LIST.match(rest) or _NEXT_QUOTED.search(rest)
    only_another = not _LABEL_END.match(rest) and _ONLY_ANOTHER.fullmatch(rest[:_MAX_LIST])
    return bool(taken_back or only_another) or denied_after(rest, 0) or _is_corrected(rest)


def _is_corrected(rest: str) -> bool:
    rest = _CONTRASTED.sub(" ", rest[:_MAX_CORRECTED]).lower()
    return retraction.given_up(rest) >= 0 or retraction.reopened(rest) >= 0


def names_several(answer: str) -> bool:
    """True for a list of letters: "A, B and C", "A or B".

    >>> names_several("A, B, C and D"), names_several("D")
    (True, False)
    """
    letters, beside = _taken_apart(_plain(answer))
    return len(set(letters)) > 1 and beside <= _JOINTS | _OR


def _taken_apart(plain: str) -> tuple[str, set[str]]:
    """The letters of options in a short text, and the words and signs beside them."""
    if len(plain) > _MAX_LIST:
        return "", set()
    return "".join(_ITEM.findall(plain)), set(_BESIDE.findall(_ITEM.sub(" ", plain).lower()))


def letter_set(answer: str) -> frozenset[str]:
    """The options that a list names, none for anything but a list without an "or".

    >>> sorted(letter_set("A, C and D")), sorted(letter_set("ACD")), letter_set("A or C"), letter_set("CAB")
    (['A', 'C', 'D'], ['A', 'C', 'D'], frozenset(), frozenset())
    """
    letters, beside = _taken_apart(_plain(answer))
    if not beside <= _JOINTS | _NOUNS | _CALLED_RIGHT | {":"}:
        return frozenset()
    letters = "".join(sorted(letters)) if beside else letters
    ordered = all(one < other for one, other in itertools.pairwise(letters))
    return frozenset(letters) if len(letters) > 1 and ordered else frozenset()


@lru_cache(maxsize=256)  # each way to read letters asks for the same answer
def _plain(answer: str) -> str:
    plain = " ".join(TYPESETTING.sub(" ", unwrap(answer)).split())
    return _DOUBLED.sub(r"(\1)", plain) if plain.count("(") + plain.count("[") > 1 else plain


def last_letter(body: str) -> tuple[str, str]:
    """Where and what letter a response of a choice task gives: ("boxed" | "stated" | "bare", content)."""
    for kind, content in _candidates(body):
        if letter_of(content)[0] or names_several(content):
            return kind, content
    return "", ""


def _candidates(body: str) -> Iterator[tuple[str, str]]:
    """Marks, then statements, then a last line that is a letter: most trusted first."""
    box = next((box for box in marks.boxes_from_end(body) if box.closed), None)  # it replaces earlier ones
    found = (("boxed", box), ("tag", marks.last_tag(body)), ("hash", marks.last_hash(body, strict=False)))
    yield from ((kind, mark.content) for kind, mark in found if mark and not mark.too_long)
    yield "stated", stated.last_stated(body)
    yield "stated", _chosen(body)
    yield "bare", _last_line(body)


def _last_line(body: str) -> str:
    """The last line where it is a whole response or short, and gives no verdict on each option."""
    above, _, last = body.strip().rpartition("\n")
    if len(last) > MAX_ANSWER or (above and len(canonical(last)) > _MAX_LAST):
        return ""
    judged = above and letter_of(last)[1] and letter_of(above.rstrip().rpartition("\n")[2])[1]
    return "" if judged else last


def _chosen(body: str) -> str:
    """The letter of the last "Option selected: C" or 故选C that is not denied, "" where there is none."""
    for match in reversed(deque(_LABELLED.finditer(body), maxlen=stated.MAX_LABELS)):
        denied = _RANKED.search(body[max(0, match.start() - 30) : match.start()])
        joined = _SECOND.match(body, match.end())
        if not denied and not joined and not _REFUSED.match(body, match.end()):
            return match.group(1)
    return ""
