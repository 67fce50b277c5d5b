"""Where a sentence of a response ends: formulas, abbreviations and initials end none.

Separate from stated.py because nothing here asks what the sentence says.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.patterns import LONG_WORD

_MAX_SENTENCE = MAX_ANSWER + 100
SENTENCES = re.compile(r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[.!?।۔؟])\s+(?=\S)|(?<=[。！？])")
_CLOSING = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_STOP = re.compile(r"\$\$?|\\[()\[\]]|\\.|\n|[.。?？](?=[\s*_\"')\]]|$)|[。？।۔؟]", re.DOTALL)
_TITLE = re.compile(r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs|No|approx|ca|Mt|Ft|Lt|Gen|Gov|Sen)$")
_ELLIPSIS = re.compile(r"\d\.\.\.")
_SHORTENED = re.compile(
    r"(?:^|[\s\d{])(?:ft|in|hrs?|mins?|secs?|yds?|lbs?|oz|sq|cu|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)$"
)
_GOES_ON = re.compile(r"\.\s?(?:\d|(?:cm|m|km|mm|in|ft|inches|feet|units?|yards?|miles?)\b)")
_INITIAL = re.compile(r"(?:^|[\s(.])[A-Z]$")
_MORE = re.compile(r"[ \t]{0,4}[^\s.]")
_TITLE_WORDS = 2


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
        if token == "." and _ELLIPSIS.match(body, match.start() - 3):
            return match.end()  # `0.333...`
        if _ends_sentence(token, body, start, match.start()):
            return match.start()
    return end


def _ends_sentence(token: str, body: str, start: int, stop: int) -> bool:
    return token == "\n" or (token in ".。?？।۔؟" and not _is_abbreviated(body, start, stop))


def _is_abbreviated(body: str, start: int, stop: int) -> bool:
    before = body[max(start, stop - 8) : stop]
    if _INITIAL.search(before):  # "J. K. Rowling" goes on, the letter of an option ends the sentence
        return stop - start > 1 or bool(re.match(r"\.\s?[A-Z]\.", body[stop : stop + 4]))
    if _SHORTENED.search(before):  # "7 ft. 6 in.", "Aug. 25"
        return bool(_GOES_ON.match(body, stop))
    return bool(_TITLE.search(before))


def is_left_open(content: str, body: str, end: int) -> bool:
    """Whether the sentence that ends at `end` asks ("7? 8?") or breaks off and goes on ("7 ... 8").

    >>> is_left_open("7", "It is 7? 8?", 7), is_left_open("Who's Afraid of Virginia Woolf", "Who .. Woolf?", 12)
    (True, False)
    """
    if body[end : end + 1] in ("?", "？", "؟"):  # a text of several words may be a title
        return len(LONG_WORD.findall(content)) < _TITLE_WORDS or any(map(str.isdigit, content))
    return body.startswith("...", max(0, end - 2)) and _MORE.match(body, end + 1) is not None
