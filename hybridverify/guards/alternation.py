"""Answers that join another thing to the reference: "It is Lima or Oslo", "Lima, if not Oslo", "Lima, maybe Oslo".

Separate from candidates.py, which compares the parts of a whole answer, because here only what stands right beside the
reference is read: a word that leaves both open, and a candidate of the reference's kind. A name that holds an "and" or
"or" of its own is taken as a whole, and so is every other spelling of the reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from hybridverify.gate.fold import folded
from hybridverify.guards.choices import gives_other_choice, offered
from hybridverify.guards.initials import is_short_for
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.joining import EITHER, adds_another
from hybridverify.language.languages import ARTICLES, FUNCTION_WORDS, PREDICATES
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import SPELLED_WORD
from hybridverify.language.pieces import runs

_MAX_TEXT, _MAX_BLANKS, _MAX_REFERENCE = 400, 40, 200
_MOST_WORDS, _MOST_BESIDE_NAME = 7, 14
"""A longer answer explains, and "or" stands there between words for one thing."""
_REFERENCE = "\0"
"""Stands for the reference in a text that is cut into words and signs."""
_TOKENS = re.compile(rf"{_REFERENCE}|{SPELLED_WORD.pattern}|[^\w\s]")
_UNSURE = frozenset((*entries("joining", "perhaps"), *entries("joining", "unsure")))
"""Beside a name these leave another name open; "copper, possibly green" has one metal."""
_IF_NOT = ("if", "not")
_SECOND = entries("joining", "second")
_SECOND_WORDS = frozenset(word for phrase in _SECOND for word in phrase.split())
JOINTS = EITHER.union(_UNSURE, _IF_NOT[:1], (runs(phrase)[0] for phrase in _SECOND))
"""Without one of these words, a comma or a choice of the question nothing is joined."""
_PAUSES = frozenset(",.?!;(")
_FILLERS = PREDICATES | ARTICLES | {"then", "but"}
_MOST_BETWEEN = 6
_MOST_LISTED = 8
_LEAST_OF_LIST, _LEAST_OF_NAMES = 3, 5
"""Things and names without a word between them: "Lima, Peru" tells where, and so may four names."""


def joins_another(answer: str, references: Sequence[str], question: str = "") -> bool:
    """Whether another candidate is joined to the reference so that either may be meant.

    >>> joins_another("It is Lima or Oslo.", ["Lima"]), joins_another("Lima, if not Oslo", ["Lima"])
    (True, True)
    >>> joins_another("Lima, Peru", ["Lima"]), joins_another("Trinidad and Tobago", ["Trinidad and Tobago"])
    (False, False)
    """
    if _is_long(answer) or read_question(question).several:
        return False
    wanted = _short(alternatives(references))
    tokens, name, second = _tokens(answer, wanted), _is_name(answer, wanted), adds_another(answer)
    said = _words(tokens)
    most = _MOST_BESIDE_NAME if name or second else _MOST_WORDS
    if _REFERENCE not in tokens or len(said) > most:
        return False
    if gives_other_choice(said, wanted, question):
        return True
    candidates = chain(_beside(tokens, name), _listed(tokens, name), _added(tokens, name, wanted, second))
    return any(_is_another(folded(one), wanted, question) for one in candidates)


def _short(references: Sequence[str]) -> list[str]:
    return [text for text in references if len(text) <= _MAX_REFERENCE]


def _words(tokens: Sequence[str]) -> list[str]:
    return [token.lower() for token in tokens if token[:1].isalnum()]


def _is_long(answer: str) -> bool:
    return len(answer) > _MAX_TEXT or answer.count(" ") > _MAX_BLANKS


def _is_another(candidate: Sequence[str], wanted: Sequence[str], question: str) -> bool:
    """Whether the candidate says what neither a reference nor the question says."""
    spelled = [folded(text) for text in wanted]
    known = (frozenset(folded(question)) - offered(question)).union(*spelled)
    return not known.issuperset(candidate) and not any(is_short_for(candidate, text) for text in spelled)


def _tokens(answer: str, wanted: Sequence[str]) -> list[str]:
    """The words and signs of an answer, each spelling of the reference as one."""
    text = answer.replace(_REFERENCE, " ")
    low = text.lower()
    for spelling in sorted((one for one in wanted if one.lower() in low), key=len, reverse=True):
        text = _masked(text, spelling)
    if _REFERENCE not in text:
        for name in _last_names(wanted):
            text = _masked(text, name)
    return _TOKENS.findall(text)


def _masked(text: str, spelling: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(spelling)}(?!\w)", _REFERENCE, text, flags=re.IGNORECASE)


def _last_names(wanted: Sequence[str]) -> list[str]:
    """The last words of names of several words."""
    return [words[-1] for words in map(str.split, wanted) if len(words) > 1 and words[-1].istitle()]


def _is_name(answer: str, wanted: Sequence[str]) -> bool:
    """Whether the answer writes a reference, or a part of it, with capitals."""
    known = {word.lower() for text in wanted for word in text.split()}
    return any(word[:1].isupper() and word.lower() in known for word in SPELLED_WORD.findall(answer))


def _beside(tokens: Sequence[str], name: bool) -> Iterator[str]:
    """The candidates that are joined to the reference, before and after it."""
    for at, token in enumerate(tokens):
        if token == _REFERENCE:
            yield from _joined(tokens[at + 1 :], name, 1)
            yield from _joined(tokens[:at][::-1], name, -1)


def _joined(tokens: Sequence[str], name: bool, step: int) -> Iterator[str]:
    """The candidate after a joint, in tokens that lead away from the reference; `step` is -1 where they lead back."""
    size = next((at for at, token in enumerate(tokens) if not _may_join(token)), len(tokens))
    between = tuple(token.lower() for token in tokens[:size])
    candidate = _run(tokens[size:], name)
    if not candidate or size > _MOST_BETWEEN:
        return
    listed = step > 0 and between == (",",) and _goes_on(tokens[size + len(candidate) :][:_MOST_LISTED])
    if listed or _leaves_open(between[::step], name):
        yield " ".join(candidate[::step])


def _may_join(token: str) -> bool:
    low = token.lower()
    return token in _PAUSES or low in _FILLERS or low in EITHER or low in _UNSURE or low in _IF_NOT


def _leaves_open(between: tuple[str, ...], name: bool) -> bool:
    if "not" in between and not _has_if_not(between):
        return False
    if not name and not PREDICATES.isdisjoint(between):
        return False  # "otherwise it would melt" goes on with a clause
    return not EITHER.isdisjoint(between) or (
        name and (not _UNSURE.isdisjoint(between) or _has_if_not(between))
    )


def _has_if_not(between: tuple[str, ...]) -> bool:
    return any(between[at : at + 2] == _IF_NOT for at in range(len(between)))


def _goes_on(tokens: Sequence[str]) -> bool:
    """Whether "or" follows, as in "Lima, Oslo or Bern", perhaps after more of the list."""
    words = [token.lower() for token in tokens]
    at = next((at for at, word in enumerate(words) if word in EITHER), -1)
    between = words[:at] if at >= 0 else ["."]
    listed = between[:-1] if between[-1:] == [","] else between
    return listed[::2].count(",") == (len(listed) + 1) // 2 and "," not in listed[1::2]


def _run(tokens: Sequence[str], name: bool) -> list[str]:
    """The words of a candidate: up to the next sign or word that holds a sentence together."""
    told: list[str] = []
    for token in tokens:
        if not token[:1].isalnum() or token.lower() in FUNCTION_WORDS:
            break
        told.append(token)
    upper = [word[:1].isupper() for word in told if not word[:1].isdigit()]
    return told if (all(upper) if name else not any(upper)) else []


def _added(tokens: Sequence[str], name: bool, wanted: Sequence[str], second: bool) -> Iterator[str]:
    """The candidates where the text says that it gives a second answer: names, or as many words as a reference has."""
    if not second:
        return
    parts = ["," if token.lower() in _SECOND_WORDS else token for token in tokens]
    told = list(_runs(parts, name))
    if name or sum(map(len, told)) <= max(len(text.split()) for text in wanted):
        yield from map(" ".join, told)


def _runs(tokens: Sequence[str], name: bool) -> Iterator[list[str]]:
    """The words between references, signs and words that hold a sentence together."""
    at = 0
    while at < len(tokens):
        run = [] if tokens[at] == _REFERENCE else _run(tokens[at:], name)
        if run:
            yield run
        at += max(1, len(run))


def _listed(tokens: Sequence[str], name: bool) -> Iterator[str]:
    """The items of an answer that is nothing but a list with commas."""
    items: list[list[str]] = [[]]
    for token in tokens:
        if token == ",":
            items.append([])
        else:
            items[-1].append(token)
    least = _LEAST_OF_NAMES if name else _LEAST_OF_LIST
    if len(items) >= least and [_REFERENCE] in items and all(_is_item(item, name) for item in items):
        yield from (" ".join(item) for item in items if item != [_REFERENCE])


def _is_item(item: list[str], name: bool) -> bool:
    return item == [_REFERENCE] or (0 < len(item) <= 2 and _run(item, name) == item)
