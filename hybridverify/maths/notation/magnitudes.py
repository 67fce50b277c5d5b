r"""Large numbers in words and signs: `$1.2B`, `2.5 lakh`, `₹2,50,000`, `120万`, `3億5000万`.

`in_words` spells what is abbreviated; `magnitude_before` reads what multiplies the number before it.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.foreign_numbers import MYRIADS, TENS, read_foreign
from hybridverify.language.magnitudes import NAMES, VALUES
from hybridverify.maths.notation.rewriting import rewritten, rules
from hybridverify.maths.notation.tokenlists import Tokens

_LONGEST = 60
"""A longer text is no number."""
_SIGNS = MYRIADS | TENS
_ALONE = frozenset(("bn", "mln"))
"""Abbreviations that need no money beside them."""
_LETTERS = frozenset(name[0] for name in NAMES)
_SHORT = "|".join(sorted(NAMES, key=len, reverse=True))
_SIGN = r"\\?[$€£¥₹₩]|USD|EUR|GBP|INR"
_CURRENCY = r"(?:US )?dollars?|USD|euros?|EUR|€|pounds|GBP|£|yen|rupees|INR"
_AMOUNT = re.compile(
    rf"(?P<number>\(?[-+]?\s?(?P<sign>{_SIGN})?\s?-?\d[\d,]{{0,20}}(?:\.\d{{1,12}})?)\s?(?:\\text\{{\s?)?"
    rf"(?P<short>{_SHORT})\.?\}}?\s?(?P<currency>{_CURRENCY})?(?P<end>\)?)"
)
_RUPEES = r"^(?:Rs\.?|INR)\s?(?=\d)"
_INDIAN = r"(?<![\d.,])\d{1,2}(?:,\d{2})+,\d{3}(?![\d,])"
_TWO_MYRIADS = r"(?<![\d.,])(\d{1,4})\s?[億亿억]\s?(\d{1,4})\s?([万萬만])"
_EASTERN_DIGITS = "零〇一二三四五六七八九十百千万萬亿億两兩"
_EASTERN = re.compile(rf"([{_EASTERN_DIGITS}]{{2,20}})(?![{_EASTERN_DIGITS}])([^\W\d_a-zA-Z]{{1,3}})")


def _indian(found: re.Match[str]) -> str:
    """Groups of two digits: surely one number after a sign of money, or where one of them begins with 0."""
    before = found.string[: found.start()].rstrip()
    one = before.endswith("₹") or ",0" in found[0]
    return found[0].replace(",", "") if one else found[0]


_RULES = rules(
    ("R", _RUPEES, "₹"),
    ("INR", _RUPEES, "₹"),
    (",", _INDIAN, _indian),
    *((sign, _TWO_MYRIADS, lambda found: f"{found[1]}{found[2]:0>4}{found[3]}") for sign in "億亿억"),
)


def in_words(text: str) -> str:
    r"""The text with what its number is multiplied by as a word.

    >>> in_words("$1.2B"), in_words("Rs 2,50,000"), in_words("3億5000万"), in_words("三百零五个"), in_words("2B")
    ('$1.2 billion', '₹250000', '35000万', '305个', '2B')
    """
    if len(text) > _LONGEST:
        return text
    if not text.isascii() and (counted := _EASTERN.fullmatch(text)):
        digits = read_foreign(counted[1])
        return f"{digits}{counted[2]}" if digits else text
    text = rewritten(text, _RULES)
    return text if _LETTERS.isdisjoint(text) else _spelled(text)


def _spelled(text: str) -> str:
    """`$1.2B` and `3M dollars` are amounts; `2B` may be twice a letter."""
    found = _AMOUNT.fullmatch(text)
    if found is None or not (found["sign"] or found["currency"] or found["short"] in _ALONE):
        return text
    currency = f" {found['currency']}" if found["currency"] else ""
    return f"{found['number']} {NAMES[found['short']]}{currency}{found['end']}"


def magnitude_before(rest: Tokens) -> tuple[int, Tokens]:
    """What the words after a number multiply it by, 1 for none, and what is left of them.

    >>> from hybridverify.maths.notation.tokens import Token
    >>> magnitude_before([Token("word", "万人")]), magnitude_before([Token("word", "crore")])
    ((10000, [Token(kind='word', text='人', gap=False, note='')]), (10000000, []))
    """
    word = rest[0].text
    if word.lower() in VALUES:
        return VALUES[word.lower()], [*rest[1:]]
    factor, at = 1, 0
    while at < len(word) and word[at] in _SIGNS:
        factor *= _SIGNS[word[at]]
        at += 1
    left = [rest[0]._replace(text=word[at:])] if word[at:] else []
    return factor, [*left, *rest[1:]]
