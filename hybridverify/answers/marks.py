r"""Find the places where a response marks its answer: \boxed{..}, '#### ..' and <answer>..</answer>.

Separate from extract.py because only positions and raw contents are found here; which mark counts is decided
there. Every scan is linear or bounded: boxes are read from the end of the text, each at most `MAX_BOX` far.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hybridverify.language import expressions as re
from hybridverify.language.braces import MAX_BOX, closing_brace
from hybridverify.language.patterns import COMMAND

MAX_BOXES = 64
"""How many boxes are looked at from the end: enough for several asked answers, and bounds hostile texts."""

# The last two are boxed and fbox after a JSON decoder took \b and \f for control characters.
_BOX_NAMES = ("\\boxed", "\\fbox", "\\framebox", "\x08oxed", "\x0cbox")
_BARE_TOKEN = re.compile(r"[-+]?\d(?:[\d.,/]*\d)?|[A-Za-z](?![A-Za-z])")
_LINE_END = re.compile(r"\$|\\\)|\\\]|\n")
_HASH = re.compile(r"(?<!#)####(?!#)(?:[ \t]*:)?[ \t]*([^\n]*)")
_NUMBERED_HEADING = re.compile(r"\d{1,3}(?:[.):]\s+\D|\s+[A-Z])")
_TAG = re.compile(
    r"<(/?)(?:answer|final_answer)>|<\|(?:begin|(end))_of_box\|>|\[(/?)(?:final[ _])?answer\]", re.IGNORECASE
)


class Found(NamedTuple):
    """One mark: the span it takes in the text, and what stands in it.

    `closed` is false for a box that the response was cut off in, `too_long` for contents beyond the limit.
    """

    start: int
    end: int
    content: str
    closed: bool = True
    too_long: bool = False


def boxes_from_end(text: str) -> Iterator[Found]:
    r"""The boxes of a text, last one first; boxes inside a box that was yielded are not yielded again.

    >>> [box.content for box in boxes_from_end(r"\boxed{4}, no, \fbox{\frac{1}{2}} or \boxed 7")]
    ['7', '\\frac{1}{2}', '4']
    """
    if not has_box(text):
        return
    names = [name for name in _BOX_NAMES if name in text]
    end = len(text)
    for _ in range(MAX_BOXES):
        start, name = text.rfind(names[0], 0, end), names[0]
        for other in names[1:]:  # two names in one text are rare
            start, name = max((start, name), (text.rfind(other, 0, end), other))
        if start < 0:
            return
        box = _read_box(text, start, start + len(name))
        if box is not None:
            yield box
        end = start


def has_mark(text: str) -> bool:
    """Whether there may be any mark in the text."""
    return has_box(text) or has_line_or_tag(text)


def has_line_or_tag(text: str) -> bool:
    """Whether there may be a line of hashes or a tag. Single characters are looked for first: they are found faster."""
    return ("#" in text and "####" in text) or (("<" in text or "[" in text) and may_have_tag(text))


def has_box(text: str) -> bool:
    """Whether any box is named in the text: a quick look before boxes are read."""
    if "\\" not in text and "\x08" not in text and "\x0c" not in text:
        return False  # a single character is found ten times faster than a word
    return (
        "\\boxed" in text
        or "\\fbox" in text
        or "\\framebox" in text
        or "\x08oxed" in text
        or "\x0cbox" in text
    )


def _read_box(text: str, start: int, after_name: int) -> Found | None:
    """The box whose name ends at `after_name`; None where the name is only mentioned."""
    at = after_name
    while at < len(text) and at < after_name + 20 and text[at].isspace():
        at += 1
    if text.startswith("{", at):
        return _read_braces(text, start, at)
    command = COMMAND.match(text, at)
    if command:
        return _read_command(text, start, command)
    token = _BARE_TOKEN.match(text, at)
    if token and (at > after_name or not token.group()[0].isalpha()):
        return Found(start, token.end(), token.group())
    return None


def _read_braces(text: str, start: int, brace: int) -> Found:
    end = closing_brace(text, brace)
    if end >= 0:
        return Found(start, end + 1, text[brace + 1 : end])
    if len(text) - brace > MAX_BOX:
        return Found(start, brace + MAX_BOX, text[brace + 1 : brace + MAX_BOX], too_long=True)
    mended = _escaped_end(text, brace)
    if mended:  # "\\boxed{185\\}": the brace that closes it was escaped
        return Found(start, mended, text[brace + 1 : mended - 2])
    stop = _LINE_END.search(text, brace)
    if stop:  # a forgotten brace: the formula or the line ends the box
        return Found(start, stop.start(), text[brace + 1 : stop.start()])
    return Found(start, len(text), text[brace + 1 :], closed=False)


def _escaped_end(text: str, brace: int) -> int:
    """The end of a box whose only closing brace is escaped, 0 where another brace could be meant."""
    line = text[brace + 1 : brace + MAX_BOX].partition("\n")[0]
    if line.count("}") != 1 or "{" in line or line.find("\\}") < 1:
        return 0
    return brace + 1 + line.index("}") + 1


def _read_command(text: str, start: int, command: re.Match[str]) -> Found | None:
    r"""`\boxed\frac{1}{2}`: the command and the brace groups right after it."""
    end = command.end()
    for _ in range(3):
        if not text.startswith("{", end):
            break
        close = closing_brace(text, end)
        if close < 0:
            return None
        end = close + 1
    return Found(start, end, text[command.start() : end]) if end > command.end() else None


def last_hash(text: str, strict: bool) -> Found | None:
    """The last '#### ..' line. Unless `strict`, markdown headings of level four do not count.

    >>> last_hash("#### Step 1\\nadd\\n#### 12 dollars", strict=False).content
    '12 dollars'
    """
    start = len(text)
    while (at := text.rfind("####", 0, start)) >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        match = _HASH.search(text, start, end if end >= 0 else len(text))  # the first of its line
        if match and (strict or not _is_heading(match.group(1), text, match.end())):
            return Found(match.start(), match.end(), _hash_content(match, text))
    return None


def _is_heading(content: str, text: str, end: int) -> bool:
    """Words, or a number and a full stop before words, with text below them; nothing, and no single line below."""
    if end == len(text):
        return False
    start = content.lstrip(" *_")
    below = text[end : end + MAX_BOX].strip()
    if not start:
        return "\n" in below
    return bool(below) and (start[:2].isalpha() or bool(_NUMBERED_HEADING.match(start)))


def _hash_content(match: re.Match[str], text: str) -> str:
    if match.group(1).strip():
        return match.group(1)
    rest = text[match.end() : match.end() + MAX_BOX].strip()
    return "" if "\n" in rest else rest  # '####' on a line of its own, and one last line below it


def may_have_tag(text: str) -> bool:
    """A quick look for the end of a tag. Single characters are looked for first: they are found faster."""
    return ("<" in text and ("</" in text or "_of_box|>" in text)) or ("[" in text and "[/" in text)


def last_tag(text: str) -> Found | None:
    """The last <answer>..</answer> or <final_answer>..</final_answer>, in whichever brackets.

    >>> last_tag("<answer>3</answer> checked, so <Answer> 4 </Answer>").content
    ' 4 '
    >>> last_tag("So <|begin_of_box|>4<|end_of_box|>").content, last_tag("[ANSWER]4[/ANSWER]").content
    ('4', '4')
    """
    if not may_have_tag(text):
        return None
    opened: re.Match[str] | None = None
    found: Found | None = None
    for match in _TAG.finditer(text):
        if not any(match.groups()):
            opened = match
        elif opened is not None:
            found = Found(opened.start(), match.end(), text[opened.end() : match.start()])
            opened = None
    if found and len(found.content) > MAX_BOX:
        return Found(found.start, found.end, found.content[:MAX_BOX], too_long=True)
    return found
