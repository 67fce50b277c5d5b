"""Hints that the model reads beside the text: results of counting in the answer, one word of each group.

A model of six layers reads meaning well, but letters, order and number badly. Counting does this for it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from hybridverify.judges.embedded.overlap import FUNCTION_WORDS, Overlap, contents, key, plain_words
from hybridverify.language import expressions as re
from hybridverify.language.patterns import WORD

_EXTRA_LEVELS = (1, 2, 4, 10)
_NAME_LEVELS, _NUMBER_LEVELS, _ITEM_LEVELS = (1, 2, 3), (1, 2), (1, 2, 4)
GROUPS: dict[str, tuple[str, ...]] = {
    "placed": ("same", "early", "late", "inside", "none"),
    "words": tuple("01234"),
    "letters": tuple("01234"),
    "numbers": ("none", "all", "some", "no"),
    "extra": tuple("01234"),
    "names": tuple("0123"),
    "more": tuple("012"),
    "denied": ("none", "reference", "answer", "both"),
    "order": ("none", "same", "turned"),
    "items": tuple("0123"),
}
"""`extra`, `names`, `more`: content words, names and numbers that stand neither in the reference nor in the question.
`denied`: which side holds a word that denies. `order`: whether shared words have the same order. `items`: how many
items the answer has more."""
MARKS = tuple(f"{group}:{name}" for group, names in GROUPS.items() for name in names)
# The model was trained with exactly these words. Sharing the words of language.denials (more of them, in more
# languages) would change scores.
_DENIES = re.compile(
    r"n['\u2019]t\b|\b(?:not|no|never|none|nobody|nothing|nor|neither|without|except|excluding|cannot|instead|rather|opposite|"
    r"unlike|unrelated|hardly|wrong|wrongly|false|falsely|incorrect|incorrectly|untrue|myth|misconception|mistaken|"
    r"deny|denied|denies|fails|failed|refused|anything but|all but|every \w+ but)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"[,;\n|/\u2022\u00b7\u2014]|[.!?](?:\s|$)|\s[-\u2013=+&]\s|\b(?:and|or)\b|(?:^|\s)\(?\w[.)]\s",
    re.IGNORECASE,
)
_MAX_TEXT = 4000


def marks(near: Overlap, texts: Sequence[str], answer: str, question: str) -> tuple[str, ...]:
    """Names of the hints, one of each group. `texts` are the spellings that are shown, nearest first.

    >>> from hybridverify.judges.embedded.overlap import overlap
    >>> near = overlap("Ada Holm", "not Ada Holm but Ivo Brandt")
    >>> marks(near, ["Ada Holm"], "not Ada Holm but Ivo Brandt", "Who?")[4:]
    ('extra:2', 'names:2', 'more:0', 'denied:answer', 'order:same', 'items:0')
    """
    answer = answer[:_MAX_TEXT]
    reference = texts[0] if texts else ""
    known = {key(word) for text in (*texts, question) for word in plain_words(text)}
    given = plain_words(answer)
    told, wanted = contents(given), contents(plain_words(reference))
    extra = [word for word in dict.fromkeys(told) if word not in known]
    numbers = sum(word[0].isdigit() for word in extra)
    said = {
        "placed": near.placed,
        "words": near.words,
        "letters": near.letters,
        "numbers": near.numbers,
        "extra": bisect_right(_EXTRA_LEVELS, len(extra)),
        "names": bisect_right(_NAME_LEVELS, _names(answer, known)),
        "more": bisect_right(_NUMBER_LEVELS, numbers),
        "denied": _denied(reference, answer),
        "order": _order(wanted, told),
        "items": bisect_right(_ITEM_LEVELS, _items(answer) - _items(reference)),
    }
    return tuple(f"{group}:{said[group]}" for group in GROUPS)


def _names(answer: str, known: set[str]) -> int:
    """The number of capitalised words that are not known. A capital at the beginning of a sentence does not count
    alone."""
    found: set[str] = set()
    before, end = False, 0
    words = list(WORD.finditer(answer))
    for at, word in enumerate(words):
        capital = word.group()[0].isupper()
        gap = answer[end : word.start()]
        begins = at == 0 or any(sign in gap for sign in ".!?\n:")
        joined = before and gap == " "
        if capital and (not begins or joined or _goes_on(words, at)):
            plain = plain_words(word.group())
            found.update(contents(plain))
        before, end = capital, word.end()
    return len(found - known)


def _goes_on(words: Sequence[re.Match[str]], at: int) -> bool:
    """Whether a capitalised word follows after one character."""
    if at + 1 == len(words):
        return False
    following = words[at + 1]
    return following.group()[0].isupper() and following.start() - words[at].end() == 1


def _denied(reference: str, answer: str) -> str:
    there, here = _DENIES.search(reference), _DENIES.search(answer)
    return "both" if there and here else "reference" if there else "answer" if here else "none"


def _order(wanted: list[str], given: list[str]) -> str:
    """Whether the words that each side holds once have the same order."""
    place = {word: at for at, word in enumerate(given) if given.count(word) == 1} if len(given) < 200 else {}
    places = [place[word] for word in wanted if word in place and wanted.count(word) == 1]
    if len(places) < 2:
        return "none"
    return "same" if places == sorted(places) else "turned"


def _items(text: str) -> int:
    """The number of parts with a content word, cut at commas, line ends, "and", "or" and the like."""
    return sum(not FUNCTION_WORDS.issuperset(plain_words(part)) for part in _PARTS.split(text)[:200])
