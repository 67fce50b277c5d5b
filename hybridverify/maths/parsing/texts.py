"""Answers in words: number words, bases, option letters, folded text, lead-ins."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language import number_words
from hybridverify.language.braces import closing_brace
from hybridverify.language.letter_case import fold_case
from hybridverify.maths.algebra.nodes import Num, whole
from hybridverify.maths.parsing.synonyms import one_phrase
from hybridverify.maths.parsing.times import clock, date
from hybridverify.maths.values.kinds import BaseNumber, Letter, Scalar, Text, Value

_COMMANDS = re.compile(
    r"\\(?:boxed|fbox|text|textbf|textit|textrm|mathrm|mathbf|mbox|mathit|operatorname|textsf)\s?\{"
)
_HEXADECIMAL = frozenset("0123456789ABCDEF")
_PROGRAM_BASES = {"0x": 16, "0b": 2, "0o": 8}
_MAX_DIGITS = 64
_BASE_NAMES = {"binary": 2, "octal": 8, "hexadecimal": 16}
_LEAD = re.compile(
    r"(?:is |lies |located |situated )*at {1,3}(?=\$?\\?\(|\\left)"
    r"|(?:the |my |our )?(?:final |correct |required |desired )?(?:answer|result|solution|value)s?"
    r"(?: to the (?:question|problem))?(?: is| are|:| =)[:\s]*",
    re.IGNORECASE,
)
_LEAD_CHINESE = re.compile(r"(?:因此|所以|故)?[,，]?(?:最终)?(?:答案|结果)(?:是|为|：|:)[:：\s]*")
_NAMED_OPTION = re.compile(r"\(([A-J])\)\s+\w|([B-HJ])[).:]?\s+[A-Z][a-z]")
_MAX_COMMANDS = 60
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_OPTION_WORDS = ("option", "choice", "answer")
_LONGEST_OPTION = len("option (A).")
_AFTER_LETTER = (")", ".", ":")
_OPTION_LETTERS = frozenset("ABCDEFGHIJabcdefghij")

_FORMULA_SIGNS = frozenset("\\=+*^<>|&$%")
"""What no text has that is read here: most answers are told by them."""
_ARTICLES = frozenset(("the", "The", "a", "an", "An"))


def without_commands(text: str) -> str:
    """The text without text commands and the braces that belong to them."""
    if "\\" not in text:
        return text
    for _ in range(_MAX_COMMANDS):
        match = _COMMANDS.search(text)
        if match is None:
            break
        end = closing_brace(text, match.end() - 1)
        inner, rest = (text[match.end() : end], text[end + 1 :]) if end >= 0 else (text[match.end() :], "")
        text = text[: match.start()] + inner + rest
    return text


def without_lead(text: str) -> str:
    """The text without `the answer is` in front; unchanged where something else follows it.

    >>> without_lead("The answer is 8")
    '8'
    """
    if not text[:1].isalpha():
        return text
    match = _LEAD.match(text) or (None if text.isascii() else _LEAD_CHINESE.match(text))
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


def decimal_points(text: str) -> str:
    """`3,14` as 3.14, for answers written with a decimal comma."""
    return _DECIMAL_COMMA.sub(".", text)


def read_words(text: str, conventions: Conventions) -> Value | None:
    """A clock time, date, base-n number, option letter or number word, None where the text is none of these."""
    plain = " ".join(without_commands(text).replace("\\,", " ").replace("\\ ", " ").split())
    if len(plain) > 60 or not _FORMULA_SIGNS.isdisjoint(plain):
        return None
    return (
        clock(plain)
        or date(plain)
        or _base_number(plain)
        or _letter(plain, text)
        or _number_word(plain, conventions)
    )


def _base_number(text: str) -> BaseNumber | None:
    """`1010_2`, `(1A)_{16}`, `1A base sixteen`, `1010 (binary)`."""
    if text[:2].lower() in _PROGRAM_BASES:
        return _in_base(text[2:].upper(), _PROGRAM_BASES[text[:2].lower()])
    digits, sign, name = text.replace(" ", "").partition("_")
    if not sign:
        first, *words = text.replace("(", " ").replace(")", " ").replace(",", " ").split() or [""]
        digits, name = first, " ".join(words).removeprefix("in ")
        if name not in _BASE_NAMES and not name.startswith("base "):
            return None
    base = base_of(name.removeprefix("base ").strip("{()}"))
    digits = digits.removeprefix("(").removesuffix(")").upper()
    surely = any(map(str.isdigit, digits)) or (base > 10 and len(digits) > 1 and text[:2].isupper())
    return _in_base(digits, base) if surely else None


def _in_base(digits: str, base: int) -> BaseNumber | None:
    if not 2 <= base <= 36 or not 0 < len(digits) <= _MAX_DIGITS or not _HEXADECIMAL.issuperset(digits):
        return None
    if not digits.isdigit() and any(int(digit, 36) >= base for digit in digits):
        return None
    return BaseNumber(digits.lstrip("0") or "0", base)


def base_of(name: str) -> int:
    """Of `2`, `two` and `binary`; 0 for any other word."""
    if name.isdigit():
        return int(name[:3])
    value = number_words.read_words(name)
    return _BASE_NAMES.get(name) or (int(value) if value.isdigit() else 0)


def _letter(plain: str, text: str) -> Letter | None:
    if len(plain) > _LONGEST_OPTION:
        return None
    letter = plain
    if len(plain) > 1:
        for word in _OPTION_WORDS:
            if plain.lower().startswith(word):
                letter = plain[len(word) :].removeprefix(" ")
        letter = letter.removeprefix("(")
        letter = letter[:-1] if letter[-1:] in _AFTER_LETTER else letter
    if letter not in _OPTION_LETTERS:
        return None
    return Letter(letter, marked=len(plain) > 1 or plain != text)


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
    words = _with_places(words)
    low = [word.casefold() for word in words]
    phrase = one_phrase(low)
    said = phrase if phrase != " ".join(low) else " ".join(fold_case(words))
    return Text(said, (named[1] or named[2]) if named else "")


def _with_places(words: list[str]) -> list[str]:
    """`nineteenth century` as `19th century`, with one ending for all; a place alone may be a part of something."""
    if len(words) < 2:
        return words
    places = map(number_words.read_place, words)
    return [f"{place}th" if place else word for place, word in zip(places, words, strict=True)]


def _bare_words(plain: str) -> list[str]:
    """The words without articles, quotes and punctuation."""
    words = (word.strip(".,;:!?\"'") for word in plain.split() if word not in _ARTICLES)
    return [word for word in words if word]


def with_initials(text: str) -> tuple[str, str] | tuple[()]:
    """A name and its initials in brackets; nothing for any other text.

    >>> with_initials("World Trade Organization (WTO)"), with_initials("The Sea (2004)")
    (('World Trade Organization', 'WTO'), ())
    """
    name, _, short = text.removesuffix(")").partition(" (")
    if not text.endswith(")") or not short.isalpha() or not short.isupper() or len(short) < 2:
        return ()
    return (name, short) if "".join(word[0] for word in name.split() if word[0].isupper()) == short else ()
