"""The words that matter for an absent value, as data: operations, factors, approximations, and what ends a proof."""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.pieces import runs
from hybridverify.maths.notation.vocabulary import words

_SIGNS = {
    "*": "times multiplied multiply multiplying doubled x groups rows sets lots",
    "*+-": "with",
    "*|": "by of per each every apiece ratio quotient",
    "|": "divided divide dividing divides over into out in",
    ":": "to",
    "+-": "plus add added adding adds increased extra additional another",
    "-": "minus subtract subtracted subtracting less fewer off without decreased taken away from",
    "+-*#": "than",
}
OPERATIONS: dict[str, frozenset[str]] = {
    word: frozenset(signs) for signs, listed in _SIGNS.items() for word in listed.split()
}
"""What a word between two numbers may do to them: `|` divides either by the other, `:` makes shares of both, `#` is
so many times more.

Too much is safe: it only makes more candidates."""
TIGHT = words("in to by over")
"""These join two numbers only where hardly anything else stands between them: `3 in 4`, `3 by 4`."""
TOLD_BEFORE = words(
    "add adds adding sum sums subtract subtracts subtracting difference product multiply multiplies multiplying "
    "divide divides dividing increase increases increasing reduce reduces reducing reduced raise raised decrease "
    "decreases combine ratio quotient"
)
"""Words that may stand before both numbers they join, or behind them: `add 3 to 4`."""
TOLD_BEHIND = {
    **dict.fromkeys(
        words("more extra less fewer again short shy longer shorter older younger left"), frozenset("+-")
    ),
    **dict.fromkeys(words("times each apiece per every altogether"), frozenset("*")),
}
EACH = words("each every per all")
POOLED = words(
    "sum total totals product difference combined combining together altogether both plus adding sums "
    "sharing rest remainder"
)
"""Words beside which neighbouring numbers may be meant together: `a total of 3 cows and 4 hens`."""
SHARED = words("all same whole entire every everything everyone unchanged equal equally as full")
"""Words that may name a number of the question without stating it."""
_POWERS_OF_TEN = tuple(
    words(
        "hundred thousand million milion myllion mylion billion bilion trillion power kilo mega milli micro scientific"
    )
)
SHARES = phrases("phrases", "share", "coin")
"""Where a number may be told as a percentage, or in cents."""
PARTS = phrases("phrases", "share", "part")
"""Where the numbers of two parts may stand for one of them as a part of both."""
IN_WORDS = re.compile(
    r"\b(?:all|any|every|everything|everyone|each|none)\b.{0,20}\b(?:but|except|save|besides|apart)\b|\bbaker.s dozen"
    r"|\bto the (?:[a-z]+th|third|second|\d+(?:st|nd|rd|th))\b"
    r"|\b(?:doubl|tripl|halv)(?:es|ed|ing)\b.{0,60}\b(?:times|every|each|repeatedly|again)\b",
    re.IGNORECASE,
)
"""A computation in words: what is missing from another number, a power, a doubling that is repeated."""
SERIES = words("sum sums total add adding added product multiply multiplying consecutive integers numbers")
"""Words that may compute with all that lies in a range: `the sum from 1 to 10`."""
ORDINALS = {"first": 1, "second": 2}
"""Behind tens: `twenty-first`. The others are read with the number words."""
FACTORS = {
    **dict.fromkeys(
        words("twice double doubles doubled doubling twofold pair pairs couple couples twin twins duo"), 2
    ),
    **dict.fromkeys(
        words("thrice triple triples tripled tripling treble threefold trio trios triplet triplets"), 3
    ),
    **dict.fromkeys(words("quadruple quadrupled fourfold quartet quartets quadruplets"), 4),
    **dict.fromkeys(words("quintuple fivefold quintet quintets nickel nickels"), 5),
    **dict.fromkeys(words("dime dimes"), 10),
    **dict.fromkeys(words("fortnight fortnights"), 14),
    **dict.fromkeys(words("score scores"), 20),
    **dict.fromkeys(words("gross"), 144),
    **dict.fromkeys(words("noon midnight"), 12),
}
COUNTED_IN = {
    **dict.fromkeys(words("dozen dozens"), 12),
    **{
        word: FACTORS[word]
        for word in words("pair pairs couple couples score scores gross fortnight fortnights trio trios")
    },
    **{word: FACTORS[word] for word in words("nickel nickels dime dimes")},
    **dict.fromkeys(words("quarter quarters"), 4),
    **dict.fromkeys(words("half halves"), 2),
}
"""What a question may want its number in: `how many dozen eggs`."""
VERBS = words(
    "are is do does did were was will can could would should have has had of in per times more and or to from a the"
)
"""Behind `how many` these leave open what is counted."""
POWERS = {"squared": 2, "cubed": 3}
ABOUT = words(
    "about approximately around roughly nearly almost over under above below circa approx least most exceeding beyond "
    "upto up some estimated"
)
"""Before a number: it need not be meant to the digit."""
BOUNDS = words("more less fewer greater larger smaller higher lower longer shorter older younger")
UNREAD = words(
    "absolute average base basis billions binary bln bn bps bushel carat celsius centigrade centuries "
    "century choice choose code combination combinations crore crores cube decade decades def digit "
    "digits divisor dozenth equation exponent exponential factorial fahrenheit few furlong googol grand "
    "guinea guineas handful hex hexadecimal hundreds infinite infinity kelvin lakh lakhs log logarithm "
    "mean median millennia millennium millions mio mln mn mod mode modulo modulus mrd multiple multiples "
    "myriad naught nil nought numeral numerals o'clock octal option past pence pennies penny permille "
    "permutation permutations pi power powers print quid rad radian radians ream remainder return roman "
    "root roots several shilling shillings stone tablespoon tbsp teaspoon tens thousands tn tsp twelves "
    "umpteen unknown variable zilch"
)
"""Words that stand for a number, or for a computation, that is not read here."""
CALENDAR = {
    **dict.fromkeys(
        words("January February March April May June July August September October November December"), 12
    ),
    **dict.fromkeys(words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"), 7),
}
"""Names that may stand for a number, and the largest one."""
_STEMS = (
    r"(?:two|three|four|five|six|seven|eight|nine)(?!r)\w+|(?:twelf|twen|thirt|fort[iyh]|fourt|fift|sixt|sevent|eight|nin[et])"
    r"\w*|\w+teens?|\w+teenth|hundre\w*|thousa\w*|mill?ion\w*|bill?ion\w*|trill?ion\w*|quadrill\w*|dozen\w+|ten(?:th|fold)s?"
    r"|eleven\w*|(?:tri|quadri|penta|hexa|hepta|octa|nona|deca)(?:gon|ngle|angle|lateral|hedron|ngular)\w*|\w+fold"
    r"|quint\w+|sext\w+|sept\w*ple\w*|oct(?:et|uple)\w*|bi(?:weekly|monthly|annual|ennial)\w*"
)
NUMBER_LIKE = re.compile(rf"(?:{_STEMS})\Z")
"""Words that look like numbers, misspelled ones among them."""
_FOREIGN = (
    r"(?:ein|zwei|drei|vier|fünf|fuenf|sechs|sieben|acht|neun)(?:und|hundert|tausend|zig|zehn|und\w+|hundert\w+)\w*"
    r"|zwei|drei|vier|fünf|fuenf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwoelf|zwanzig|dreißig|dreissig|hundert|tausend"
    r"|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante"
    r"|cinquante|soixante|mille"
    r"|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|trece|catorce|quince|dieci\w+|veint\w+|treinta|cuarenta"
    r"|cincuenta|sesenta|setenta|ochenta|noventa|cien|ciento|mil"
    r"|tre|quattro|cinque|sei|sette|otto|nove|undici|dodici|tredici|quattordici|quindici|sedici|diciassette|diciotto"
    r"|diciannove|venti\w*|trenta\w*|quaranta\w*|cinquanta\w*|sessanta\w*|settanta\w*|ottanta\w*|novanta\w*|cento"
    r"|dois|duas|quatro|sete|oito|dez|doze|treze|quatorze|dezesseis|dezessete|dezoito|dezenove|vinte|quarenta|cinquenta"
    r"|twee|drie|vijf|zes|zeven|negen|tien|twaalf|dertien|veertien|vijftien|twintig|dertig|veertig|vijftig|honderd"
    r"|dwa|trzy|cztery|piec|szesc|siedem|osiem|dziewiec|dziesiec|dwadziescia|trzydziesci|sto"
    r"|tva|fyra|fem|sju|atta|nio|tio|tolv|tjugo|trettio|hundra"
    r"|iki|dort|bes|alti|yedi|sekiz|dokuz|yirmi|otuz|kirk|elli|yuz|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan|puluh"
)
OTHER_NUMERALS = re.compile(rf"(?:{_FOREIGN}|[IVXLCDM]{{2,}})\Z")
"""Number words of languages whose numbers are not read, and Roman numerals."""
ENGLISH = words(
    "be been of and so has have had each in to will would with therefore thus hence total left his her their my your "
    "then than at on from after if when which what how many much more all these those does do did can not or first "
    "next now gets get makes make needs need costs cost answer final number find finds buys sells pays remain remains "
    "remaining still altogether together per out but"
).union(entries("english", "article", "being", "pronoun", "reason"))
"""Words that show a text to be English."""


def is_scaled(text: str) -> bool:
    """Whether numbers are told in thousands and the like: any power of ten may lie between two of them.

    >>> is_scaled("3 million"), is_scaled("5k"), is_scaled("3 mugs")
    (True, True, False)
    """
    told = runs(text)
    return "^" in text or any(word.startswith(_POWERS_OF_TEN) or _ends_on_scale(word) for word in told)


def _ends_on_scale(word: str) -> bool:
    return word[-1] in "kKmM" and word[-2:-1].isdecimal()
