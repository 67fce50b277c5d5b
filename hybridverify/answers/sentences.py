"""Where a sentence of a response ends: formulas, abbreviations and initials end none.

Separate from stated.py because nothing here asks what the sentence says.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import LONG_WORD

QUESTION_MARKS = frozenset("?？؟‽⁇⸮")
ASKED_EQUALS = ("{?}{=}", "{?}=", "?=", "≟")
"""Equals signs with a question mark, in a formula without blanks."""
_MAX_SENTENCE = MAX_ANSWER + 100
SENTENCES = re.compile(
    r"(?<=[.!?।۔؟])(?<!\be\.g\.)(?<!\bi\.e\.)\s+(?=\S)|(?<=[.!?][\"”’)])\s+(?=[A-Z])|(?<=[。！？])"
)
_CLOSING = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_STOP = re.compile(r"\$\$?|\\[()\[\]]|\\.|\n|[.。?？](?=[\s*_\"')\]]|$)|[。？।۔؟]", re.DOTALL)
_TITLES = frozenset(entries("english", "title"))
_SHORTENED = frozenset(entries("english", "shortened"))
_GOES_ON = re.compile(r"\.\s?(?:\d|(?:cm|m|km|mm|in|ft|inches|feet|units?|yards?|miles?)\b)")
_TITLE_WORDS = 2
_NOTHING_MORE = ("", ".", "\n")


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each within its line.

    >>> sentences_of("He has 3. She has 4.\\nTotal: 7")
    ['He has 3.', 'She has 4.', 'Total: 7']
    """
    return [part for line in text.split("\n") for part in SENTENCES.split(line)]


def sentence_end(body: str, start: int) -> int:
    """A full stop inside a formula ends nothing, nor does a line end inside a displayed one."""
    end, inside = min(len(body), start + _MAX_SENTENCE), ""
    for match in _STOP.finditer(body, start, end):
        token = match.group()
        if token == "\n" and inside in ("$", "\\)"):
            inside = ""
        if inside:
            inside = "" if token == inside else inside
            continue
        inside = _CLOSING.get(token, "")
        if token == "." and match.start() > 2 and _is_ellipsis(body[match.start() - 3 : match.end()]):
            return match.end()  # `0.333...`
        if _ends_sentence(token, body, start, match.start()):
            return match.start()
    return end


def _is_ellipsis(text: str) -> bool:
    return text[0].isdigit() and text[1:] == "..."


def _ends_sentence(token: str, body: str, start: int, stop: int) -> bool:
    return token == "\n" or (token in ".。?？।۔؟" and not _is_abbreviated(body, start, stop))


def _is_abbreviated(body: str, start: int, stop: int) -> bool:
    if body.endswith(("i.e", "e.g"), start, stop):
        return True
    word = _last_word(body[max(start, stop - 8) : stop])
    if len(word) == 1 and word.isupper() and not _counts(body[stop - 2]):
        # "J. K. Rowling" goes on, the letter of an option ends the sentence
        return stop - start > 1 or bool(re.match(r"\.\s?[A-Z]\.", body[stop : stop + 4]))
    if word in _SHORTENED:  # "7 ft. 6 in.", "Aug. 25"
        return bool(_GOES_ON.match(body, stop))
    return word in _TITLES


def _last_word(text: str) -> str:
    """The letters on which the text ends, "" where a sign joins them to what stands before."""
    at = len(text)
    while at and text[at - 1].isalpha():
        at -= 1
    before = text[at - 1 : at]
    return text[at:] if not before or before.isspace() or before.isdigit() or before in "(.{" else ""


def _counts(char: str) -> bool:
    r"""Before a letter: "12V", "\text{A"."""
    return char.isdigit() or char == "{"


def is_left_open(content: str, body: str, end: int) -> bool:
    """Whether the sentence that ends at `end` asks ("7? 8?") or breaks off and goes on ("7 ... 8").

    >>> is_left_open("7", "It is 7? 8?", 7), is_left_open("Who's Afraid of Virginia Woolf", "Who .. Woolf?", 12)
    (True, False)
    """
    if body[end : end + 1] in QUESTION_MARKS:  # a text of several words may be a title
        return len(LONG_WORD.findall(content)) < _TITLE_WORDS or any(map(str.isdigit, content))
    return (
        body.startswith("...", max(0, end - 2))
        and body[end + 1 : end + 6].lstrip(" \t")[:1] not in _NOTHING_MORE
    )
