"""The words and units that our own task's answers are written in."""

from __future__ import annotations

from fractions import Fraction


def words(text: str) -> list[str]:
    """A list of words, written as one text."""
    return text.split()


ONES = {
    word: value
    for value, word in enumerate(
        words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen"
        )
    )
}
TENS = {
    word: 10 * value
    for value, word in enumerate(words("twenty thirty forty fifty sixty seventy eighty ninety"), 2)
}
SCALES = {"dozen": 12, "dozens": 12, "hundred": 100, "thousand": 1000}
PARTS = {
    "half": 2,
    "halves": 2,
    "quarter": 4,
    "quarters": 4,
    **{
        name + plural: value
        for value, name in enumerate(words("third fourth fifth sixth seventh eighth ninth tenth"), 3)
        for plural in ("", "s")
    },
    "twelfth": 12,
    "twelfths": 12,
    "twentieth": 20,
    "twentieths": 20,
}
"""The words of a denominator."""

_UNITS: dict[str, list[tuple[Fraction, str]]] = {
    "time": [
        (Fraction(1), "s sec secs second seconds"),
        (Fraction(60), "min mins minute minutes"),
        (Fraction(3600), "h hr hrs hour hours"),
        (Fraction(86400), "day days"),
        (Fraction(604800), "week weeks"),
    ],
    "length": [
        (Fraction(1, 1000), "mm millimeter millimeters millimetre millimetres"),
        (Fraction(1, 100), "cm centimeter centimeters centimetre centimetres"),
        (Fraction(1), "m meter meters metre metres"),
        (Fraction(1000), "km kilometer kilometers kilometre kilometres"),
    ],
    "mass": [
        (Fraction(1, 1000), "mg milligram milligrams"),
        (Fraction(1), "g gram grams gramme grammes"),
        (Fraction(1000), "kg kgs kilo kilos kilogram kilograms"),
    ],
    "volume": [
        (Fraction(1), "ml milliliter milliliters millilitre millilitres"),
        (Fraction(10), "cl centiliter centiliters centilitre centilitres"),
        (Fraction(1000), "l liter liters litre litres"),
    ],
    "money": [(Fraction(1, 100), "cent cents"), (Fraction(1), "dollar dollars usd buck bucks")],
    "percent": [(Fraction(1, 100), "percent")],
}
UNITS = {
    word: (kind, size) for kind, sizes in _UNITS.items() for size, words in sizes for word in words.split()
}
"""A unit's dimension, and its size in the dimension's first-named measure (second, metre, gram, millilitre, dollar)."""


def spelled(value: int) -> str:
    """A whole number below a million in words.

    >>> spelled(24), spelled(312), spelled(2005)
    ('twenty-four', 'three hundred and twelve', 'two thousand and five')
    """
    if value >= 1000:
        rest = value % 1000
        return f"{spelled(value // 1000)} thousand" + (
            f"{' and' if rest < 100 else ''} {spelled(rest)}" if rest else ""
        )
    if value >= 100:
        return f"{spelled(value // 100)} hundred" + (f" and {spelled(value % 100)}" if value % 100 else "")
    names = {number: word for table in (ONES, TENS) for word, number in table.items()}
    return names[value] if value in names else f"{names[value // 10 * 10]}-{names[value % 10]}"


def spelled_part(part: Fraction) -> str:
    """A proper fraction in words.

    >>> spelled_part(Fraction(3, 4)), spelled_part(Fraction(1, 2))
    ('three quarters', 'one half')
    """
    names = {below: word for word, below in PARTS.items() if word.endswith("s") == (part.numerator > 1)}
    names.update({4: "quarters" if part.numerator > 1 else "quarter"})
    return f"{spelled(part.numerator)} {names[part.denominator]}"


def decimal(value: Fraction) -> str:
    """A finite decimal without trailing zeros; a fraction where there is none.

    >>> decimal(Fraction(3, 2)), decimal(Fraction(2, 3))
    ('1.5', '2/3')
    """
    if (value * 10**6).denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    whole, rest = divmod(value * 10**6, 10**6)
    return f"{whole}.{int(rest):06}".rstrip("0").rstrip(".")
