"""Whether all that may be a number in a text can be read here. Whatever is not known to be harmless ends the proof."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from hybridverify.language import expressions as re
from hybridverify.language.number_words import NUMBER_WORDS
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.notation.clean import in_ascii
from hybridverify.maths.notation.tokenizer import tokenize
from hybridverify.maths.notation.tokenlists import partners
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.units.measures import LETTERS
from hybridverify.maths.units.table import UNITS
from hybridverify.maths.units.words import LABELS, NOUNS
from hybridverify.rules.absent import words as known

MAX_CHARS = 4_000
"""A longer response is left open: a derivation of that length states nearly every number."""
_SPOKEN_LETTERS = frozenset(("a", "A", "I", "s", "t", "m"))
_AFTER_APOSTROPHE = frozenset("stmd")
_ENVIRONMENTS = frozenset(
    f"{side} {name}" for side in ("begin", "end") for name in ("align", "aligned", "gather")
)
_READ = {
    "fun": frozenset(("min", "sec", "max")),
    "cmd": frozenset(("frac", "over", "circ", "degree")),
    "env": _ENVIRONMENTS,
}
"""By their kind, the tokens that say nothing of a number, or are read."""
_UNREAD = {"fun": "the function {}", "cmd": "the command {}", "env": "an environment"}
_LAYOUT = re.compile(
    r"^\s{0,3}#{1,6}(?=\s|\d)|^\s{0,8}[-*•]\s+(?=\**[A-Za-z])"
    r"|(?<![\d)])\*\*|\*\*(?![\d( ])|\*\*(?= +[^\d( ])|(?<=\d)\*\*(?= )",
    re.MULTILINE,
)
"""Headings, bullets and bold type."""
_ARROW = re.compile(r"\\(?:implies|[Rr]ightarrow|therefore|longrightarrow|to)(?![A-Za-z])|→|⇒|=>|-+>|∴")
_SHORT_FRACTION = re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)(?!\d)")
_CODE = re.compile(r"`|0[xXbBoO][\dA-Fa-f]|&[^\s=]")
"""Code, a number to another base, an entity of HTML: their parts read like other numbers, so the look ends here."""
_IDLE = frozenset(("a", "and", "point"))
_BESIDE = frozenset("%'!:/")
_COMPUTING = frozenset("+*^")
_MIN_SHARE = 4
"""One word in so many is a common English one, in any English text of some length."""


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text in which nothing numeric stands unread. Raises Unread.

    >>> [token.text for token in tokens_of("So it is **12** now.")]
    ['So', 'it', 'is', '12', 'now', '.']
    """
    if len(text) > MAX_CHARS:
        raise Limit("limit")
    if known.IN_WORDS.search(text):
        raise Unread("a computation in words")
    if _CODE.search(text):
        raise Unread("code")
    text = "".join(map(_digit, text)) if not text.isascii() else text
    text = _LAYOUT.sub(" ", _ARROW.sub(" = ", text))
    text = _SHORT_FRACTION.sub(r"\\frac{\1}{\2}", in_ascii(text).replace('"', " "))
    tokens = tokenize(text, e_notation=True, thousands=True)
    if not tokens:
        return []
    tokens = list(map(_times, tokens, [None, *tokens], [*tokens[1:], None]))
    for before, token, behind in zip([None, *tokens[:-1]], tokens, [*tokens[1:], None], strict=True):
        if not _is_unit_letter(before, token, behind):
            _check(token, before)
    _check_unknowns(tokens)
    _check_language(tokens)
    return _with_slashes(tokens)


def _times(token: Token, before: Token | None, behind: Token | None) -> Token:
    """`3 x 4`, `3 rows x 4`: no unknown."""
    if (
        token.text not in ("x", "X")
        or before is None
        or behind is None
        or behind.kind != "num"
        or not behind.gap
    ):
        return token
    return (
        token._replace(kind="op", text="*")
        if token.gap and before.kind in ("num", "word", "close")
        else token
    )


def _digit(char: str) -> str:
    """Digits of all scripts as ours."""
    value = unicodedata.decimal(char, -1)
    return char if value < 0 else str(value)


def _is_unit_letter(before: Token | None, token: Token, behind: Token | None) -> bool:
    """`2 h 35 min`: no unknown, since nothing is computed with it."""
    if token.kind != "let" or token.text not in LETTERS or before is None or before.kind != "num":
        return False
    return behind is None or behind.kind in ("num", "stop", "sep", "word")


def _check(token: Token, before: Token | None) -> None:
    kind, text = token.kind, token.text
    if kind == "word":
        _check_word(text)
    elif kind == "let":
        if not _is_spoken(text, before):
            raise Unread(f"the letter {text}")
    elif kind in _READ:
        if text not in _READ[kind]:
            raise Unread(_UNREAD[kind].format(text))
    elif kind in ("const", "set", "bar", "dots") or text in ("_", "<", ">", "|", "in", "mod="):
        raise Unread(f"the sign {text}")


def _is_spoken(letter: str, before: Token | None) -> bool:
    """Is the letter a word, or what follows an apostrophe?"""
    if letter in ("A", "a", "I") and before is not None and before.kind in ("num", "op", "cmd"):
        return False
    joined = before is not None and before.text == "'"
    return letter in _SPOKEN_LETTERS and (joined or letter not in _AFTER_APOSTROPHE)


def _check_word(text: str) -> None:
    low = text.lower()
    if not text.isascii():
        raise Unread("a word in another script")
    if low in NUMBER_WORDS or low in known.FACTORS or low in known.POWERS:
        return
    if low in known.UNREAD or known.NUMBER_LIKE.match(low) or known.OTHER_NUMERALS.match(text):
        raise Unread(f"the word {low[:20]}")


def _check_unknowns(tokens: Sequence[Token]) -> None:
    """No word is computed with as if it were a number: `10 + John's age`. Words behind a number are what it counts."""
    counted, before = False, ""
    for token, behind in zip(tokens, [*tokens[1:], None], strict=True):
        if _computes(token, counted) and (not counted or _is_name(behind)):
            raise Unread("a name in a computation")
        _check_operation(token.text, before)
        if token.text == "!" and behind is not None and behind.kind == "num" and not behind.gap:
            raise Unread("a subfactorial")
        if token.kind == "num" or token.text.lower() in NUMBER_WORDS - _IDLE:
            counted = True
        elif token.kind in ("rel", "stop", "sep") or (token.kind == "op" and token.text not in _BESIDE):
            counted = False
        before = token.text


def _check_operation(text: str, before: str) -> None:
    if text == "!" and before in (")", "!"):
        raise Unread("a factorial")
    if text == "of" and before.lower() in ("square", "cube"):
        raise Unread("a power in words")


def _computes(token: Token, counted: bool) -> bool:
    """A sign of arithmetic; a minus only where a number and a blank stand before it."""
    return token.kind == "op" and (token.text in _COMPUTING or (token.text == "-" and token.gap and counted))


def _is_name(token: Token | None) -> bool:
    """A word or a letter that is no number."""
    return token is not None and token.kind in ("word", "let") and token.text.lower() not in NUMBER_WORDS


def is_english(tokens: Sequence[Token]) -> bool:
    """Do enough of the words show it?"""
    spoken = [
        token.text.lower() for token in tokens if token.kind in ("word", "sep") and token.text.isalpha()
    ]
    told = sum(word in known.ENGLISH or word in NUMBER_WORDS for word in spoken)
    return told * _MIN_SHARE >= len(spoken) or all(map(_is_common, spoken))


def _is_common(word: str) -> bool:
    one = word[:-1] if word.endswith("s") else word
    return any(
        form in table for form in (word, one) for table in (UNITS, NOUNS, LABELS, NUMBER_WORDS, known.FACTORS)
    ) or (word == "percent")


def _check_language(tokens: Sequence[Token]) -> None:
    if not is_english(tokens):
        raise Unread("another language")


def _between_braces(tokens: Sequence[Token]) -> set[int]:
    """Where the first pair of braces of each fraction closes. Raises Unread for a fraction without two pairs."""
    partner = partners(tokens)
    ends = {partner.get(place + 1, -1) for place, token in enumerate(tokens) if token[:2] == ("cmd", "frac")}
    if not all(end + 1 in partner and end >= 0 for end in ends):
        raise Unread("a fraction without braces")
    return ends


def _with_slashes(tokens: list[Token]) -> list[Token]:
    """Fractions as a division of what stands in the two pairs of braces, degree signs dropped."""
    slashes = _between_braces(tokens)
    out: list[Token] = []
    for place, token in enumerate(tokens):
        if token.kind == "cmd" and token.text in ("circ", "degree"):
            if out and out[-1].text == "^":
                out.pop()
            continue
        if token.kind == "cmd" and token.text == "over":
            token = Token("op", "/")
        if token.kind != "cmd":
            out.append(token)
        if place in slashes:
            out.append(Token("op", "/"))
    return out
