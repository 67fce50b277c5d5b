r"""An answer as its reader sees it: what TeX or HTML sets beside, above or below something else stands by itself.

Guards compare values and words. `\overset{12}{15}`, `<b>12</b><i>15</i>` and the rows of a table show two of them,
whatever the commands are called.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.braces import closing_brace
from hybridverify.language.joining import OR_IN_SCRIPTS
from hybridverify.language.patterns import IN_TEXT
from hybridverify.language.scripts import is_unspaced
from hybridverify.maths.notation import vocabulary as known

_LAYOUT = re.compile(
    r"\\(?:begin|end)\{[A-Za-z]{1,12}\*?\}(?:\{[clr|\s]{0,12}\})?|\\(?:[hv]space\*?|(?:text)?color)\s?\{[^{}]{0,20}\}"
    r"|\\[hm]?(?:kern|skip)\s?-?[\d.]{1,9}[a-z]{2}|\{?\s?\\(?:tiny|scriptsize|footnotesize|small|large)(?![A-Za-z])"
    r"|<\|[\w\s]{1,30}\|>|\\operatorname\*?\{(?:or|and|else)\}|</?[A-Za-z][\w-]{0,20}(?:\s[^<>\n]{0,60})?>"
    r"|(?<!\\)\\(?P<command>[A-Za-z]{1,30})"
)
"""What sets things apart, and all other commands, most of which say something."""
_SAYING = frozenset(known.COMMANDS).union(
    known.OPERATORS, known.RELATIONS, known.FUNCTIONS, known.CONSTANTS, known.GREEK, known.DOTS, known.BRACKETS,
    known.SPACES, known.IGNORED, known.TEXT_STYLES, known.STYLES, known.BOLD, known.QUANTITIES,
    ("mathbb", "operatorname", "not", "vee", "lor", "hfill", "rm"),
) - {"boxed", "fbox", "oplus"}  # fmt: skip
"""Commands that are part of a value or of words. Whatever any other one does, it is not read."""
_LAYING = known.words(
    "boxed fbox overset underset overbrace underbrace substack subarray stackrel atop phantom hphantom vphantom"
    " llap rlap clap mathllap mathrlap mathclap footnote par newline oplus"
)
"""Commands that set something beside, above or below something else."""
_MAX_TEXT, _MOST_OPENED = 4_000, 40
_DISJUNCTIONS = ("\\vee", "\\lor")
_ROWS = ("\\\\", "\\quad", "\\qquad", "\\hfill")


def laid_out(text: str, sign: str) -> str:
    r"""The text with a sign where things are set apart, and without the braces of what is.

    >>> laid_out(r"\overset{7}{\frac{1}{2}}", ";"), laid_out("<b>7</b>", ";"), laid_out(r"\frac{1}{2}", ";")
    ('; 7; \\frac{1}{2};', ';7;', '\\frac{1}{2}')
    """
    if "\\" not in text and "<" not in text:
        return text
    told = _LAYOUT.sub(lambda found: found[0] if found["command"] in _SAYING else sign, text)
    at = told.find(sign) if told != text else -1
    for _ in range(_MOST_OPENED):
        if at < 0:
            break
        told = _opened(told, at + len(sign), sign)
        at = told.find(sign, at + len(sign))
    return told


def is_laid_out_only(text: str) -> bool:
    r"""Whether the text has no command that we do not know: `\floored{7}` may be another value than 7.

    >>> is_laid_out_only(r"\overset{7}{8}"), is_laid_out_only(r"\floored{7}")
    (True, False)
    """
    names = (found["command"] for found in _LAYOUT.finditer(text))
    return all(name is None or name in _SAYING or name in _LAYING for name in names)


def _opened(text: str, start: int, sign: str) -> str:
    """The text without the braces that open at `start`, after blanks and the sign of an index."""
    brace = len(text) - len(text[start:].lstrip(" _^"))
    end = closing_brace(text, brace) if text[brace : brace + 1] == "{" else -1
    if end < 0:
        return text
    return f"{text[:start]} {text[brace + 1 : end]}{sign}{text[end + 1 :]}"


def as_words(text: str) -> str:
    r"""The words of a text, on a line each where they are set apart; a sign for "or" is the word. A long text stays.

    >>> as_words(r"Ulm \mbox{ or } Bonn").split(), as_words(r"Ulm \\ Bonn"), as_words("Ulm或Bonn")
    (['Ulm', 'or', 'Bonn'], 'Ulm \n Bonn', 'Ulm 或 Bonn')
    """
    if len(text) > _MAX_TEXT:
        return text
    if "\\" in text or "<" in text:
        text = IN_TEXT.sub(r" \1 ", laid_out(text, "\n"))
        for command in _ROWS:
            text = text.replace(command, "\n")
        for command in _DISJUNCTIONS:
            text = text.replace(command, " or ")
        text = text.replace("\\operatorname", " ").replace("\\rm", " ")
    return text if text.isascii() else _with_blanks(text)


def _with_blanks(text: str) -> str:
    """The text with blanks around each "or" between words of a script that has blanks."""
    for word in filter(text.__contains__, OR_IN_SCRIPTS):
        before, _, after = text.partition(word)
        if (
            before
            and after
            and is_unspaced(word[0])
            and not (is_unspaced(before[-1]) or is_unspaced(after[0]))
        ):
            text = f"{before} {word} {after}"
    return text
