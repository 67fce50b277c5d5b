r"""Large numbers by their scales: `$1.2B`, `2.5 lakh`, `₹2,50,000`, `120万`, `3億5000万`.

`SCALES` are the words behind a number that multiply it; `in_words` spells what is abbreviated with such words.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.foreign_numbers import MYRIADS, TENS, read_foreign
from hybridverify.maths.notation.rewriting import rewritten, rules
from hybridverify.maths.notation.tokenlists import Tokens

SCALES = {
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "dozen": 12,
    **dict.fromkeys(("lakh", "lakhs"), 10**5),
    **dict.fromkeys(("crore", "crores"), 10**7),
}
_LONGEST = 60
"""A longer text is no number."""
_SIGNS = MYRIADS | TENS
_NAMES = {
    **dict.fromkeys(("k", "K"), "thousand"),
    **dict.fromkeys(("M", "MM", "mn", "mln"), "million"),
    **dict.fromkeys(("B", "bn", "Bn"), "billion"),
    **dict.fromkeys(("T", "tn", "trn"), "trillion"),
    **dict.fromkeys(("cr", "Cr"), "crore"),
}
_SHORT = "|".join(sorted(_NAMES, key=len, reverse=True))
_SIGN = r"(?:\\?[$€£¥₹₩]|USD|EUR|GBP|INR)"
_NUMBER = r"\d[\d,]{0,20}(?:\.\d{1,12})?"
_MONEY = rf"^(\(?[-+]?\s?{_SIGN}\s?-?{_NUMBER})\s?(?:\\text\{{\s?)?({_SHORT})\.?\}}?(\)?)$"
_NAMED_MONEY = (
    rf"^(-?{_NUMBER})\s?({_SHORT})\s?((?:US )?dollars?|USD|euros?|EUR|€|pounds|GBP|£|yen|rupees|INR)$"
)
_BILLIONS = rf"^(-?{_NUMBER})\s?(bn|mln)$"
_RUPEES = r"^(?:Rs\.?|INR)\s?(?=\d)"
_INDIAN = r"(?<![\d.,])\d{1,2}(?:,\d{2})+,\d{3}(?![\d,])"
_TWO_MYRIADS = r"(?<![\d.,])(\d{1,4})\s?[億亿억]\s?(\d{1,4})\s?([万萬만])"
_EASTERN_DIGITS = "零〇一二三四五六七八九十百千万萬亿億两兩"
_EASTERN = re.compile(rf"([{_EASTERN_DIGITS}]{{2,20}})(?![{_EASTERN_DIGITS}])([^\W\d_a-zA-Z]{{1,3}})")


def _spelled(found: re.Match[str]) -> str:
    rest = f" {found[3]}" if found[3] not in ("", ")") else found[3]
    return f"{found[1]} {_NAMES[found[2]]}{rest}"


def _indian(found: re.Match[str]) -> str:
    """Groups of two digits: surely one number behind a sign of money, or where one of them begins with 0."""
    before = found.string[: found.start()].rstrip()
    one = before.endswith("₹") or ",0" in found[0]
    return found[0].replace(",", "") if one else found[0]


_RULES = rules(
    ("R", _RUPEES, "₹"),
    ("INR", _RUPEES, "₹"),
    (",", _INDIAN, _indian),
    *((letter, _MONEY, _spelled) for letter in "kKMnBTr"),
    *((letter, _NAMED_MONEY, _spelled) for letter in "kKMnBTr"),
    ("n", _BILLIONS, lambda found: f"{found[1]} {_NAMES[found[2]]}"),
    *((sign, _TWO_MYRIADS, lambda found: f"{found[1]}{found[2]:0>4}{found[3]}") for sign in "億亿억"),
)


def in_words(text: str) -> str:
    r"""The text with the scale of its number as a word.

    >>> in_words("$1.2B"), in_words("Rs 2,50,000"), in_words("3億5000万"), in_words("三百零五个"), in_words("2B")
    ('$1.2 billion', '₹250000', '35000万', '305个', '2B')
    """
    if len(text) > _LONGEST:
        return text
    if not text.isascii() and (counted := _EASTERN.fullmatch(text)):
        digits = read_foreign(counted[1])
        return f"{digits}{counted[2]}" if digits else text
    return rewritten(text, _RULES)


def scale_before(rest: Tokens) -> tuple[int, Tokens]:
    """The scale on which the words behind a number begin, 1 for none, and what is left of them.

    >>> from hybridverify.maths.notation.tokens import Token
    >>> scale_before([Token("word", "万人")]), scale_before([Token("word", "crore")])
    ((10000, [Token(kind='word', text='人', gap=False, note='')]), (10000000, []))
    """
    word = rest[0].text
    if word.lower() in SCALES:
        return SCALES[word.lower()], [*rest[1:]]
    scale, at = 1, 0
    while at < len(word) and word[at] in _SIGNS:
        scale *= _SIGNS[word[at]]
        at += 1
    left = [rest[0]._replace(text=word[at:])] if word[at:] else []
    return scale, [*left, *rest[1:]]
