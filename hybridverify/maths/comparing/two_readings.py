r"""Notation that people read in two ways: what differs from the reference in both is another value.

`5\frac{5}{4}` is a sum or a product, `1/6x` a sixth of x or one over 6x. Such a text is never read as a value, but it
may be told from one.
"""

from __future__ import annotations

from hybridverify.maths.notation.tokenlists import Notation
from hybridverify.maths.parsing.reading import Reading
from hybridverify.maths.parsing.texts import without_commands
from hybridverify.maths.values.kinds import Unreadable

_SIGNS = (r"\neg", r"\lnot", "¬")
_MAX_DIGITS = 9


def ways_to_read(reading: Reading) -> tuple[str, ...]:
    """Of a text that was not read, the ways to read it."""
    return readings(reading.tokens) if isinstance(reading.value, Unreadable) else ()


def is_negated(one: str, other: str) -> bool:
    r"""Does one of two texts say that it is not the other?

    >>> is_negated(r"\text{M}", r"\text{not M}"), is_negated(r"\neg p", "p"), is_negated("p", "q")
    (True, True, False)
    """
    one, other = ("not " + text[4:] if text.startswith("Not ") else text for text in (one, other))
    if not any(sign in text for text in (one, other) for sign in ("not ", *_SIGNS)):
        return False
    first, second = map(_with_nots, (one, other))
    return first != second and (first == "not " + second or second == "not " + first)


def _with_nots(text: str) -> str:
    """The text with the word in the place of the sign."""
    text = without_commands(text)
    for sign in _SIGNS:
        text = text.replace(sign, " not ")
    return " ".join(text.split())


def readings(tokens: Notation) -> tuple[str, ...]:
    r"""The ways to read tokens that have two, each in a spelling that has one; nothing for any others.

    >>> readings((("num", "1"), ("op", "/"), ("num", "6"), ("let", "x")))
    ('(1/6)x', '1/(6x)')
    >>> readings((("num", "5"), ("cmd", "frac"), ("num", "5"), ("num", "4")))
    ('5+5/4', '5*5/4')
    """
    texts = [text for _, text in tokens]
    sign = "-" if texts[:1] == ["-"] else ""
    match texts[len(sign) :]:
        case [top, "/", bottom, letter, *power] if _are_numbers(top, bottom) and _is_letter(letter, power):
            letter = "".join((letter, *power))
            return f"({sign}{top}/{bottom}){letter}", f"{sign}{top}/({bottom}{letter})"
        case [whole, "frac", top, bottom] | [whole, top, "/", bottom] if _are_numbers(whole, top, bottom):
            improper = int(top) >= int(bottom) > 0
            sum_, product = f"{sign}{whole}{sign or '+'}{top}/{bottom}", f"{sign}{whole}*{top}/{bottom}"
            return (sum_, product) if improper else ()
    return ()


def _are_numbers(*texts: str) -> bool:
    return all(text.isdigit() and len(text) <= _MAX_DIGITS for text in texts)


def _is_letter(name: str, power: list[str]) -> bool:
    """One letter, perhaps with a digit above it."""
    plain = not power or (power[0] == "^" and len(power) == 2 and power[1].isdigit())
    return len(name) == 1 and name.isalpha() and plain
