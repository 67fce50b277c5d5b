"""The words and commands the tokenizer knows. A command that is not listed here makes a text unreadable."""

from __future__ import annotations

import unicodedata

from hybridverify.language.patterns import TEXT_COMMANDS


def word_list(text: str) -> list[str]:
    """The words of a text in order."""
    return text.split()


def words(text: str) -> frozenset[str]:
    """The set of the words of a text."""
    return frozenset(text.split())


_NAMES = frozenset(
    unicodedata.name(chr(code)).split()[-1].replace("LAMDA", "LAMBDA") for code in range(0x3B1, 0x3CA)
)
_SMALL = frozenset(map(str.lower, _NAMES)) - {"pi", "omicron"}
GREEK = _SMALL | {name.capitalize() for name in _SMALL} | words("varepsilon vartheta varrho varphi ell hbar")
"""Letters by their commands; the one that is a number is no letter."""

CONSTANTS = {"pi": "pi", "inf": "inf", "infinity": "inf", "infty": "inf", "oo": "inf"}

WORD_SYMBOLS = _SMALL - {"psi"}
"""Letters by their names alone; one name is a unit as well."""

LABELS = words("pH pOH pKa pKb")
"""Names of what is measured that are no products of their letters."""

PROGRAMS = {
    "binomial": "binom",
    "ceiling": "ceil",
    "Max": "max",
    "Min": "min",
    "doublefactorial": "factorial2",
    **{
        name: name
        for name in words("summation sum Sum prod product Product integrate Integral limit Limit diff")
    },
    "Derivative": "diff",
}
"""Functions of programs: words unless a bracket follows."""

FUNCTIONS = {
    **{name: name for name in words("sin cos tan cot sec csc sinh cosh tanh coth exp ln log lg cis")},
    **{name: name for name in words("arcsin arccos arctan arccot max min gcd lcm floor ceil abs cbrt")},
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "tg": "tan",
    "ctg": "cot",
    "arctg": "arctan",
    "cosec": "csc",
    **{
        spelling + name: "arc" + name
        for spelling in ("arc", "ar", "a")
        for name in words("sinh cosh tanh coth")
    },
    **{spelling + name: "arc" + name for spelling in ("arc", "a") for name in words("sec csc cot")},
    "factorial": "factorial",
    "Abs": "abs",
}

QUANTITIES = words("deg dim arg Re Im")
"""Commands that are functions without a value here."""

RELATIONS = {
    "le": "<=",
    "leq": "<=",
    "leqslant": "<=",
    "leqq": "<=",
    "ge": ">=",
    "geq": ">=",
    "geqslant": ">=",
    "geqq": ">=",
    "lt": "<",
    "gt": ">",
    "ne": "!=",
    "neq": "!=",
    "in": "in",
    "equiv": "mod=",
    "approx": "~",
    "simeq": "~",
    "notin": "notin",
}

COMMANDS = {
    **{
        name: name
        for name in words(
            "frac sqrt binom pm mp cup cap setminus forall mid emptyset pmod bmod circ degree over choose "
            "overline vec hat angle triangle prime dot ddot tilde det adjugate top iint oint sum prod lim int "
            "partial"
        )
    },
    "dfrac": "frac",
    "tfrac": "frac",
    "cfrac": "frac",
    "nicefrac": "frac",
    "sfrac": "frac",
    "flatfrac": "frac",
    "surd": "sqrt",
    "dbinom": "binom",
    "tbinom": "binom",
    "bigcup": "cup",
    "cupdot": "cup",
    "backslash": "setminus",
    "vert": "bar",
    "lvert": "bar",
    "rvert": "bar",
    "varnothing": "emptyset",
    "mod": "bmod",
    "bar": "overline",
    "overrightarrow": "vec",
    "bigtriangleup": "triangle",
    "widetilde": "tilde",
    "widehat": "hat",
    "iiint": "iint",
    **dict.fromkeys(words("to rightarrow longrightarrow Rightarrow Longrightarrow"), "to"),
}

OPERATORS = {
    "cdot": "*",
    "times": "*",
    "div": "/",
    "ast": "*",
    "land": "and",
    "lor": "or",
    "wedge": "and",
    "vee": "or",
}

DOTS = words("ldots dots cdots dotsc dotsb dotso")

BRACKETS = {
    "lfloor": "floor(",
    "rfloor": "floor)",
    "lceil": "ceil(",
    "rceil": "ceil)",
    "langle": "<(",
    "rangle": ")>",
    "lbrace": "\\{",
    "rbrace": "\\}",
    "lbrack": "[",
    "rbrack": "]",
}

CLOSES = {
    ")": ("(", "["),
    "]": ("(", "["),
    "}": ("{",),
    "\\}": ("\\{",),
    "floor)": ("floor(",),
    "ceil)": ("ceil(",),
    ")>": ("<(",),
}

SPACES = words(
    "quad qquad enspace thinspace space medspace thickspace hfill newline negthinspace negmedspace negthickspace"
)

IGNORED = words(
    "left right middle displaystyle textstyle scriptstyle limits nolimits mathstrut strut hline "
    "tiny scriptsize footnotesize small normalsize huge Huge large Large LARGE mathord mathop mathrel"
) | {size + side for size in words("big Big bigg Bigg") for side in ("", "l", "m", "r")}

TEXT_STYLES = frozenset(TEXT_COMMANDS)

STYLES = words(
    "mathrm mathbf mathit mathsf mathtt bf rm it boxed fbox framebox mathbin bm pmb boldsymbol ensuremath underline"
)
BOLD = words("mathbf bf bm pmb boldsymbol")


SHORT_WORDS = words(
    "not the are all any but for per mod has was its one two six ten so if is no way deg sq st nd rd th on of to cu "
    "rpm psi pct"
)
"""Words that are never a product of letters; no unit is one either."""

LEAST = words("least minimum min smallest lowest")
GREATEST = words("greatest maximum max largest highest")
VOWELS = frozenset("aeiouAEIOU")
"""A run of letters without one is no word."""
NUMBER_SETS = frozenset("RZQNC")
"""Letters of \\mathbb."""
