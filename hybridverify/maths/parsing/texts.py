"""Answers in words: number words, bases, option letters, folded text, lead-ins."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language import number_words
from hybridverify.language.letter_case import fold_case
from hybridverify.maths.algebra.nodes import Num, whole
from hybridverify.maths.parsing.synonyms import one_phrase
from hybridverify.maths.parsing.times import clock, date
from hybridverify.maths.values.kinds import BaseNumber, Letter, Scalar, Text, Value

_COMMANDS = re.compile(
    r"\\(?:boxed|fbox|text|textbf|textit|textrm|mathrm|mathbf|mbox|mathit|operatorname|textsf)\s?\{"
)
_BASE = re.compile(r"\(?([0-9A-Fa-f]+)\)?_\{?\(?(\d{1,2}|[a-z]{3,8})\)?\}?")
_SPOKEN_BASE = re.compile(
    r"\(?([0-9A-F]+)\)?,? (?:\((?:in )?base (\w+)\)|(?:in )?base (\w+)|\(?(?:in )?(binary|octal|hexadecimal)\)?)"
)
_BASE_NAMES = {"binary": 2, "octal": 8, "hexadecimal": 16}
_LEAD = re.compile(
    r"(?:the |my |our )?(?:final |correct |required |desired )?(?:answer|result|solution|value)s?"
    r"(?: to the (?:question|problem))?(?: is| are|:| =)[:\s]*",
    re.IGNORECASE,
)
_LEAD_CHINESE = re.compile(r"(?:因此|所以|故)?[,，]?(?:最终)?(?:答案|结果)(?:是|为|：|:)[:：\s]*")
_NAMED_OPTION = re.compile(r"\(([A-J])\)\s+\w|([B-HJ])[).:]?\s+[A-Z][a-z]")
_MAX_COMMANDS = 60
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_OPTION = re.compile(r"(?:option|choice|answer)?\s?\(?([A-Ja-j])[).:]?", re.IGNORECASE)

_ARTICLES = frozenset(("the", "The", "a", "an", "An"))


def without_commands(text: str) -> str:
    """The text without text commands and the braces that belong to them."""
    for _ in range(_MAX_COMMANDS):
        match = _COMMANDS.search(text)
        if match is None:
            break
        depth, at = 1, match.end()
        while at < len(text) and depth:
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
        inner = text[match.end() : at - 1] if not depth else text[match.end() :]
        text = text[: match.start()] + inner + text[at:]
    return text


def without_lead(text: str) -> str:
    """The text without `the answer is` in front; unchanged where something else follows it.

    >>> without_lead("The answer is 8")
    '8'
    """
    match = _LEAD.match(text) or _LEAD_CHINESE.match(text)
    if match is None or match.end() >= len(text):
        return text
    rest = text[match.end() :]
    return text if rest.lower().startswith(("not ", "no ", "n't")) else rest


def spoken_lead_removed(text: str) -> str:
    """`without_lead`, also where the words stand in a text command."""
    if text.startswith(("\\text", "\\mbox", "\\mathrm")):
        plain = without_commands(text)
        shorter = without_lead(plain)
        return shorter if shorter != plain else text
    return without_lead(text)


def french_brackets(text: str) -> str:
    """`]a, b[` in the usual brackets.

    >>> french_brackets("]0, 2]")
    '(0, 2]'
    """
    turned = text[:1] == "]" or text[-1:] == "["
    if not turned or text[:1] not in "[]" or text[-1:] not in "[]" or len(text) < 4:
        return text
    inner = text[1:-1]
    if "[" in inner or "]" in inner:
        return text
    return ("(" if text[0] == "]" else "[") + inner + (")" if text[-1] == "[" else "]")


def decimal_points(text: str) -> str:
    """`3,14` as 3.14, for answers written with a decimal comma."""
    return _DECIMAL_COMMA.sub(".", text)


def read_words(text: str, conventions: Conventions) -> Value | None:
    """A clock time, date, base-n number, option letter or number word, None where the text is none of these."""
    plain = " ".join(without_commands(text).replace("\\,", " ").replace("\\ ", " ").split())
    if len(plain) > 60:
        return None
    return (
        clock(plain)
        or date(plain)
        or _base_number(plain)
        or _letter(plain, text)
        or _number_word(plain, conventions)
    )


def _base_number(text: str) -> BaseNumber | None:
    spoken = _SPOKEN_BASE.fullmatch(text)
    match = spoken or _BASE.fullmatch(text.replace(" ", ""))
    if match is None or not text[:2].lstrip("(")[:1].isalnum():
        return None
    base, digits = base_of(next(filter(None, match.groups()[1:]))), match[1].upper()
    if not 2 <= base <= 36 or not any(c.isdigit() for c in digits):
        return None
    if not digits.isdigit() and any(int(digit, 36) >= base for digit in digits):
        return None
    return BaseNumber(digits.lstrip("0") or "0", base)


def base_of(name: str) -> int:
    """Of `2`, `two` and `binary`; 0 for any other word."""
    if name.isdigit():
        return int(name[:3])
    return _BASE_NAMES.get(name) or int(number_words.read_words(name) or 0)


def _letter(plain: str, text: str) -> Letter | None:
    match = _OPTION.fullmatch(plain)
    if match is None:
        return None
    return Letter(match[1], marked=len(plain) > 1 or plain != text)


def _number_word(text: str, conventions: Conventions) -> Scalar | None:
    value = number_word(text) if conventions.number_words else None
    return None if value is None else Scalar(value)


def number_word(text: str) -> Num | None:
    """The value of a number in words.

    >>> number_word("twenty-one"), number_word("minus two thirds")
    (Num(value=21, digits=-1), Num(value=Fraction(-2, 3), digits=-1))
    """
    words = number_words.read_words(text)
    if not words:
        return None
    return Num(whole(Fraction(words)), len(words.partition(".")[2]) or -1)


def fold(text: str) -> Text | None:
    """Words with case, articles and end punctuation folded; None where there are no words.

    >>> fold(r"\\text{The  Red ball.}").words
    'red ball'
    """
    plain = without_commands(text).replace("~", " ").replace("\\ ", " ").replace("\\,", " ")
    words = [] if "\\" in plain else _bare_words(plain)
    if not any(len(word) > 1 and word.replace("-", "").isalpha() for word in words):
        return None
    named = _NAMED_OPTION.match(plain)
    low = [word.casefold() for word in words]
    phrase = one_phrase(low)
    said = phrase if phrase != " ".join(low) else " ".join(fold_case(words))
    return Text(said, (named[1] or named[2]) if named else "")


def _bare_words(plain: str) -> list[str]:
    """The words without articles, quotes and punctuation."""
    words = (word.strip(".,;:!?\"'") for word in plain.split() if word not in _ARTICLES)
    return [word for word in words if word]
