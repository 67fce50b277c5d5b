r"""Safe normal forms of answers: what may be rewritten without losing a sign, a unit, a bracket or a word.

Two texts with one `canonical` form are the same answer before any parsing. Deleting is not normalising:
what carries meaning stays, so "-3", "5 kg", ".5" and "A \cup B" keep all they say.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.letter_case import fold_case, says_yes_or_no
from hybridverify.language.patterns import DIGIT, DOLLAR, IN_TEXT, NO_ELEMENTS
from hybridverify.language.symbols import SIGNS
from hybridverify.language.wrapping import unwrap, visible

_SIGNS = SIGNS | {
    "°": r"^{\circ}", "→": r"\to ", "\u3000": " ", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
}  # fmt: skip
_TRANSLATE = str.maketrans(_SIGNS) | {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_PLAIN_SUPER = str.maketrans(_SUPERSCRIPTS, "0123456789+-")

_RENAMED = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "nicefrac": "frac", "sfrac": "frac", "leq": "le",
    "leqslant": "le", "geq": "ge",
    "geqslant": "ge", "neq": "ne", "rightarrow": "to", "varnothing": "emptyset", "dots": "ldots",
    "cdots": "ldots", "lbrace": "{", "rbrace": "}", "infin": "infty", "degree": "^{\\circ}", "lvert": "|",
    "rvert": "|", "vert": "|", "mid": "|", "operatorname": "mathrm",
    "lnot": "neg", "wedge": "land", "vee": "lor",
}  # fmt: skip
_DROPPED = frozenset(
    ("left", "right", "displaystyle", "textstyle", "limits", "bigl", "bigr", "big", "Big", "!")
)
_BLANK = frozenset((",", ";", ":", " ", ">", "quad", "qquad", "thinspace", "\n"))
_MATH_MARK = frozenset("()[]")
_MARKED_UP = frozenset("\\${^_~")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)\s*|(\\)|!\s*|(.)|$)", re.DOTALL)
# Escaped once too often: two backslashes before a command are no row break.
_DOUBLED = re.compile(
    r"(?<!\\)\\\\(?=(?:[dt]?frac|left|right|sqrt|text|begin|end|pi|cdot|times|infty|circ|pm)(?![A-Za-z]))"
)
_NO_BRACKET = re.compile(r"\\(?:left|right)\s*\.")
_BRACED_COMMA = re.compile(r"\s?\{,\s?\}\s?")
_SHORT_FRACTION = re.compile(r"\\frac\s*(?:(\d)\s*(\d)(?!\d)|(\d)\s*(?=\{))")
_SHORT_ROOT = re.compile(r"\\sqrt\s*([A-Za-z0-9])(?![A-Za-z0-9])")
_SHORT_SCRIPT = re.compile(r"([\^_])([A-Za-z0-9])(?![0-9])")
# "1, 234" is a list and "1,234" a number: that blank stays, and those between two letters or digits.
_IDLE_BLANK = re.compile(
    r"(?<![^\W_])(?<!\d,) | (?![^\W_])|(?<=\d,) (?!\d{3}(?!\d))|(?<=\d) (?![eE]\d)(?=[^\W\d_])"
)
_AFTER_COMMAND = re.compile(r"(\\[A-Za-z]+) (?=[^A-Za-z])")
NUMERAL = re.compile(r"-?[0-9]+(?:[.,][0-9]+)*")
"""Such a text has nothing to unwrap, no label, and is its own canonical form: the common case needs no more."""
_TIE = re.compile(
    r"(?<=[\w)\]}.,;:%'])"
    r"(?<!\\land)(?<!\\wedge)(?<!\\lor)(?<!\\vee)(?<!\\to)(?<!arrow)(?<!\\implies)(?<!\\iff)"
    r"(?<!\band)(?<!\bor)(?<!\bnot)~"
)
"""A tie stands after the word or number that it ties, never after a connective."""
_WORD_TIE = re.compile(r"(\S\s?\\(?:text|textrm|mathrm|mbox|rm)\s?\{)~")
_ROUGH = re.compile(r"~(?=\s?\\?\$?\s?[\d.-])")
_MAX_FOLDED = 20_000
"""Longer texts are the same only letter for letter."""
_TEXT_ROUNDS = 4
_WORD_MARKS = re.compile(r"[.,;:!\"']|(?<=[^\W\d_])-(?=[^\W\d_])")
_MAX_PLAIN_WORDS = 100
_QUOTES = frozenset("'\"")
_YES_NO = frozenset(("yes", "no", "true", "false"))


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    r"""The one form of all harmless spellings of an answer.

    >>> canonical(r"$\dfrac12$") == canonical(r"\frac{1}{2}"), canonical(r"\text{5 kg}"), canonical("x ≥ −3")
    (True, '5kg', 'x\\ge-3')
    """
    text = unwrap(text)
    if not text.isascii():
        text = _plain_characters(text)
    if NO_ELEMENTS.fullmatch(text):
        return r"\emptyset"
    if not _MARKED_UP.isdisjoint(text):
        text = _plain_latex(text)
    return _tight(unwrap(text))


def _plain_characters(text: str) -> str:
    text = visible(text).translate(_TRANSLATE)
    if text.isascii():
        return text
    runs = groupby(text, key=_SUPERSCRIPTS.__contains__)
    return "".join(_plain_run("".join(run), raised) for raised, run in runs)


def _plain_run(run: str, raised: bool) -> str:
    """Characters in a row that are all superscripts (`raised`), or none."""
    return f"^{{{run.translate(_PLAIN_SUPER)}}}" if raised else "".join(map(_plain_character, run))


def _plain_character(char: str) -> str:
    if char.isascii():
        return char
    if unicodedata.category(char) == "Nd":
        return str(unicodedata.decimal(char))
    parts = unicodedata.normalize("NFKC", char).split("⁄")  # ½ is 1, a fraction slash, 2
    return rf"\frac{{{parts[0]}}}{{{parts[1]}}}" if len(parts) == 2 and all(parts) else char


def _plain_latex(text: str) -> str:
    text = _without_dollars(flat_words(without_ties(text)))
    if "\\left" in text:
        text = _NO_BRACKET.sub("", text)
    if "\\\\" in text:
        text = _DOUBLED.sub(r"\\", text)
    text = _COMMAND.sub(_rename, text)
    text = _BRACED_COMMA.sub(",", text).replace(r"^\circ", r"^{\circ}")
    if "\\frac" in text:
        text = _SHORT_FRACTION.sub(_braced_fraction, text)
    if "\\sqrt" in text:
        text = _SHORT_ROOT.sub(r"\\sqrt{\1}", text)
    return _SHORT_SCRIPT.sub(r"\1{\2}", text) if "^" in text or "_" in text else text


def without_ties(text: str) -> str:
    r"""Blanks for the `~` of TeX, which stands after what it ties; any other one is a sign: `~p`, `x \land ~y`.

    Two of them are no sign: half a strike-out, or a negation taken back.

    >>> without_ties("5~kg"), without_ties("~p"), without_ties(r"p\lor~q")
    ('5 kg', '~p', 'p\\lor~q')
    """
    if "~" not in text:
        return text
    return _TIE.sub(" ", _WORD_TIE.sub(r"\1 ", text.replace("~~", " ")))


def tilde_signs(text: str) -> str:
    r"""The text with `~` as ties only: before a number the sign means about, before a statement it denies.

    >>> tilde_signs("5~kg"), tilde_signs("~p"), tilde_signs("~ 5")
    ('5~kg', '\\neg p', '\\approx  5')
    """
    ties = _TIE.sub("\x00", _WORD_TIE.sub("\\1\x00", text.replace("~~", " ")))
    return _ROUGH.sub(r"\\approx ", ties).replace("~", r"\neg ").replace("\x00", "~")


def flat_words(text: str) -> str:
    r"""Words in formulas without their command: `\text{12 and }13` is "12 and 13"."""
    for _ in range(_TEXT_ROUNDS if "\\" in text else 0):
        shorter = IN_TEXT.sub(r"\1", text)
        if shorter == text:
            break
        text = shorter
    return text


def _without_dollars(text: str) -> str:
    r"""Without the dollars that open and close formulas; a single one is a currency, written `\$`."""
    bare = DOLLAR.findall(text)
    if not bare:
        return text
    return DOLLAR.sub("" if len(bare) % 2 == 0 else r"\\$", text)


def _rename(match: re.Match[str]) -> str:
    name, row, sign = match.groups()
    if row:
        return r"\\"
    if name is None:
        return _rename_sign(sign)
    if name in _DROPPED:
        return ""
    if name in _BLANK:
        return " "
    new = _RENAMED.get(name, name)
    if new in ("{", "}"):
        return "\\" + new
    return "\\" + new + " " if new.isalpha() else new


def _rename_sign(sign: str | None) -> str:
    if sign is None or sign in _DROPPED or sign in _MATH_MARK:
        return ""
    return " " if sign in _BLANK else ("%" if sign == "%" else "\\" + sign)


def _braced_fraction(match: re.Match[str]) -> str:
    top, bottom, alone = match.groups()
    return rf"\frac{{{alone}}}" if alone else rf"\frac{{{top}}}{{{bottom}}}"


def _tight(text: str) -> str:
    """Without blanks, but for those between two letters or digits that would otherwise read as one."""
    text = _IDLE_BLANK.sub("", " ".join(text.split()))
    return _AFTER_COMMAND.sub(r"\1", text) if "\\" in text else text


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a plain text, case, articles and punctuation folded; () for anything but plain words.

    >>> words("The Eiffel Tower."), words("5 kg"), words("vitamin A")
    (('eiffel', 'tower'), (), ('vitamin', 'a'))
    """
    plain = unwrap(text)
    if DIGIT.search(plain):
        return ()
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", visible(plain).translate(_TRANSLATE))
    tokens = _WORD_MARKS.sub(" ", IN_TEXT.sub(r"\1", plain).replace("'", "")).split()
    if len(tokens) > _MAX_PLAIN_WORDS or not all(map(str.isalpha, tokens)) or not any(map(_tells, tokens)):
        return ()
    return fold_case([token for at, token in enumerate(tokens) if not _is_article(tokens, at)])


def _tells(word: str) -> bool:
    """Whether the word is no mere symbol."""
    return len(word) > 2 or word.lower() in _YES_NO


def _is_article(tokens: list[str], at: int) -> bool:
    if at == len(tokens) - 1:
        return False
    return tokens[at].lower() == "the" or (at == 0 and tokens[at].lower() in ("a", "an"))


def same_text(one: str, other: str, fold_words: bool = True, question: str = "") -> bool:
    """True where both say the same in the same words and signs. Nothing equals an empty text.

    The question tells whether a bare `NO` is an answer or a gas.

    >>> same_text("The answer", "answer"), same_text("-3", "3"), same_text("", "")
    (True, False, False)
    """
    first, second = one.strip(), other.strip()
    if first == second:
        return bool(first)
    if max(len(one), len(other)) > _MAX_FOLDED or _other_digits(first, second):
        return False
    form = canonical(first)
    if form and form == canonical(second):
        return True
    quoted = question and _QUOTES.issuperset((first[:1], second[:1]))
    if quoted and read_question(question).speaks_of("program"):
        return first[1:-1] == second[1:-1]  # texts of a program
    return fold_words and _same_words(words(first), words(second), question)


def _same_words(spoken: tuple[str, ...], told: tuple[str, ...], question: str) -> bool:
    if not spoken or not told:
        return False
    return spoken == told or (len(spoken) == len(told) == 1 and says_yes_or_no(spoken[0], told[0], question))


def _other_digits(first: str, second: str) -> bool:
    """Two numbers in other digits; or any ASCII texts: no spelling drops, adds or moves a digit."""
    if first.isdigit() and second.isdigit() and first.isascii() and second.isascii():
        return True  # the usual numbers, without a pattern
    if NUMERAL.fullmatch(first) and NUMERAL.fullmatch(second):
        return True
    return first.isascii() and second.isascii() and DIGIT.findall(first) != DIGIT.findall(second)


def place_of(words: Sequence[str], among: Sequence[str]) -> int:
    """Where the words stand side by side, -1 for nowhere; no words stand nowhere.

    >>> place_of(("b", "c"), ("a", "b", "c")), place_of(("c", "b"), ("a", "b", "c")), place_of((), ("a",))
    (1, -1, -1)
    """
    size = len(words)
    if not size:
        return -1
    first = words[0]
    for at in range(len(among) - size + 1):
        if among[at] == first and among[at : at + size] == words:
            return at
    return -1
