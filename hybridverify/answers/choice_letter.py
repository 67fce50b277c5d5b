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
from hybridverify.language.text import canonical
from hybridverify.language.wrapping import unwrap

_NOUN = (
    r"(?:option|choice|answer|alternative|letter|вариант|opción|opcion|réponse|antwort"
    r"|选项|選項|选择|選擇|答案|选|選|故选|应选)"
)
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
_SEVERAL = re.compile(
    r"[\s(\[（]*[A-J][)\]）.]?(?:(?:\s*(?:,|/|;|&|、|，)\s*|\s+)?(?:(?:or|and|и|oder|und|ou|et|或|和)\s*)?[(\[（]?[A-J][)\]）.]?)+[\s.]*"
)
_RUN = re.compile(r"[A-J]{2,8}")
_BRACKETED_RUN = re.compile(r"(?:[(\[（][A-J][)\]）]){2,8}")
_LIST = re.compile(
    rf"(?:(?:(?:options?|choices?|answers?)\s|{_NOUN}\s*[:：]?\s*))?(?P<list>[(\[]?[A-J][)\].]?"
    r"(?:(?:\s?[,;&/、，和与與]\s?|\s)(?:and\s|和)?[(\[]?[A-J][)\].]?)+)(?:\sare (?:all )?(?:correct|right|true))?",
    re.IGNORECASE,
)
_MAX_LIST = 60
_LETTERS = frozenset("ABCDEFGHIJ")
_MARKUP = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|mbox|bf|rm|textrm)\b\s*|[{}$*]|\\[,;:! ()\[\]]|\\q?quad\b"
)
_LABELS = (
    "final choice",
    "selected option",
    "option selected",
    "selected answer",
    "my choice",
    "choice",
    "option",
)
_CHOSEN = re.compile(r"(?:应选|應選|故选|故選|选择|選擇|选|選)\s*[:：]?\s*[(（]?([A-J])(?![A-Za-z])")
_LABELLED = re.compile(
    rf"\b(?:{'|'.join(_LABELS)})s?(?:\s+is|\s*[:：=])?[\s*_]*[(\[]?(?P<letter>[A-J])(?![A-Za-z])",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:first|second|third|other|next|backup|alternative)\s+$"
    r"|[不别非没]\s?$|(?:\bnot|n't|\bno|\bwrong|\bincorrect|\beliminate[sd]?|\bruled? out)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
"""Before the label of a choice that was ranked or ruled out."""
_ANOTHER = re.compile(
    r"\A(?:or|and|oder|ou|或|和)\s?[(\[]?[A-J](?![\w'])|\b(?:so|as) (?:is|are|was|were|well as) [(\[]?[A-J](?![\w'])"
    r"|\b(?:actually|rather|no|sorry|wait|instead)\b[,:]?\s(?:\w+\s){0,3}[(\[]?[A-J](?![\w'])"
    r"|(?:\A|[.;,?!\s])\s{0,2}[(\[]?[A-J](?:[)\]]|\s?[:：]|(?<=[,;.\s][A-J])\s?[.,;](?=\s)|(?<=[,;]\s[A-J])\s*\Z)"
)
"""Another option beside or after the first: "A or B?", "A: no. B: yes.", "A, C, D", "(A) one (B) two"."""
_JOINED = re.compile(r"\?|[=&+/]|,?\s?(?:\.{2,}|…)|(?:and|or|also|plus|und|oder|et|ou)\b", re.IGNORECASE)
"""What joins a second candidate to a letter, or doubts it: "(C) and seven", "C = seven", "(C)? Hardly."."""
_DENIED_AFTER = re.compile(
    r"[^.!?\n]{0,40}?\b(?:is|are|was|were)\s(?:not|all|both|wrong|incorrect|false|out)\b"
)
_SECOND = re.compile(
    r"[)\]）]?\s?(?:[,&/、，或和与]|\b(?:and|or|oder|ou|und|et)\b)\s?(?:or\s|and\s)?[(\[（]?[A-J](?!\w)"
)
"""Another option joined to the one that is chosen."""
_CONTRASTED = re.compile(r"\b(?:not|non|pas|nicht)\s[(\[]?[A-J][)\]]?(?![\w'])", re.IGNORECASE)
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
    return taken_back is not None or denied_after(rest, 0) or _is_corrected(rest)


def _is_corrected(rest: str) -> bool:
    rest = _CONTRASTED.sub(" ", rest[:_MAX_CORRECTED]).lower()
    return retraction.given_up(rest) >= 0 or retraction.reopened(rest) >= 0


def names_several(answer: str) -> bool:
    """True for a list of letters: "A, B and C", "A or B".

    >>> names_several("A, B, C and D"), names_several("D")
    (True, False)
    """
    plain = _plain(answer)
    return len(plain) <= 200 and bool(_SEVERAL.fullmatch(plain)) and len(set(re.findall(r"[A-J]", plain))) > 1


def letter_set(answer: str) -> frozenset[str]:
    """The options that a list names, none for anything but a list without an "or".

    >>> sorted(letter_set("A, C and D")), sorted(letter_set("ACD")), letter_set("A or C"), letter_set("CAB")
    (['A', 'C', 'D'], ['A', 'C', 'D'], frozenset(), frozenset())
    """
    plain = _plain(answer)
    letters = _run(plain) or _listed(plain)
    ordered = all(one < other for one, other in itertools.pairwise(letters))
    return frozenset(letters) if len(letters) > 1 and ordered else frozenset()


def _run(plain: str) -> str:
    """The letters of `ACD` or `(A)(C)(D)` in their order, "" for other texts."""
    if _BRACKETED_RUN.fullmatch(plain):
        return "".join(char for char in plain if char in _LETTERS)
    return plain if _RUN.fullmatch(plain) else ""


def _listed(plain: str) -> str:
    """The letters of `D, A and C`, sorted, "" for other texts."""
    listed = _LIST.fullmatch(plain) if len(plain) <= _MAX_LIST else None
    return "".join(sorted(char for char in listed.group("list") if char in _LETTERS)) if listed else ""


@lru_cache(maxsize=256)  # each way to read letters asks for the same answer
def _plain(answer: str) -> str:
    return " ".join(_MARKUP.sub(" ", unwrap(answer)).split())


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
    last = [deque(pattern.finditer(body), maxlen=stated.MAX_LABELS) for pattern in (_LABELLED, _CHOSEN)]
    for match in sorted(itertools.chain(*last), key=re.Match.start, reverse=True):
        denied = _DENIED.search(body[max(0, match.start() - 30) : match.start()])
        joined = _SECOND.match(body, match.end())
        if not denied and not joined and not _DENIED_AFTER.match(body, match.end()):
            return match.group(1)
    return ""
