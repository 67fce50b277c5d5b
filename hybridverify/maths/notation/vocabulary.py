"""The words and commands the tokenizer knows. A command that is not listed here makes a text unreadable."""

from __future__ import annotations


def word_list(text: str) -> list[str]:
    """The words of a text in order."""
    return text.split()


def words(text: str) -> frozenset[str]:
    """The set of the words of a text."""
    return frozenset(text.split())


GREEK = words(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho varrho "
    "sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega ell "
    "hbar"
)

CONSTANTS = {"pi": "pi", "inf": "inf", "infinity": "inf", "infty": "inf", "oo": "inf"}

WORD_SYMBOLS = words(
    "alpha beta gamma delta theta lambda mu sigma omega phi rho tau epsilon chi zeta eta xi nu kappa iota upsilon"
)

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
    **{name: name for name in words("sin cos tan cot sec csc sinh cosh tanh coth exp ln log lg")},
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
    "frac": "frac",
    "dfrac": "frac",
    "tfrac": "frac",
    "cfrac": "frac",
    "nicefrac": "frac",
    "sfrac": "frac",
    "flatfrac": "frac",
    "sqrt": "sqrt",
    "surd": "sqrt",
    "binom": "binom",
    "dbinom": "binom",
    "tbinom": "binom",
    "pm": "pm",
    "mp": "mp",
    "cup": "cup",
    "bigcup": "cup",
    "cupdot": "cup",
    "cap": "cap",
    "setminus": "setminus",
    "backslash": "setminus",
    "forall": "forall",
    "mid": "mid",
    "vert": "bar",
    "lvert": "bar",
    "rvert": "bar",
    "emptyset": "emptyset",
    "varnothing": "emptyset",
    "pmod": "pmod",
    "bmod": "bmod",
    "mod": "bmod",
    "circ": "circ",
    "degree": "degree",
    "over": "over",
    "choose": "choose",
    "overline": "overline",
    "bar": "overline",
    "vec": "vec",
    "overrightarrow": "vec",
    "hat": "hat",
    "angle": "angle",
    "triangle": "triangle",
    "bigtriangleup": "triangle",
    "prime": "prime",
    "dot": "dot",
    "ddot": "ddot",
    "tilde": "tilde",
    "widetilde": "tilde",
    "widehat": "hat",
    "det": "det",
    "adjugate": "adjugate",
    "top": "top",
    "iint": "iint",
    "iiint": "iint",
    "oint": "oint",
    "sum": "sum",
    "prod": "prod",
    "lim": "lim",
    "int": "int",
    "partial": "partial",
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
    "lfloor": ("open", "floor("),
    "rfloor": ("close", "floor)"),
    "lceil": ("open", "ceil("),
    "rceil": ("close", "ceil)"),
    "langle": ("open", "<("),
    "rangle": ("close", ")>"),
    "lbrace": ("open", "\\{"),
    "rbrace": ("close", "\\}"),
    "lbrack": ("open", "["),
    "rbrack": ("close", "]"),
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
    "left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr displaystyle textstyle "
    "scriptstyle limits nolimits mathstrut strut hline "
    "tiny scriptsize footnotesize small normalsize huge Huge large Large LARGE mathord mathop mathrel"
)

TEXT_STYLES = words("text textbf textit textrm textsf texttt mbox hbox textnormal emph textup")

STYLES = words(
    "mathrm mathbf mathit mathsf mathtt bf rm it boxed fbox framebox mathbin bm pmb boldsymbol ensuremath underline"
)
BOLD = words("mathbf bf bm pmb boldsymbol")


NOT_PRODUCTS = words(
    "not the are all any but for per mod has was its one two six ten so if is no day way cm mm km kg ft deg rad in lb "
    "oz yd mi hr ml mg nm gal sq mph kph mol kj kw hz pa st nd rd th ms dm ton hrs yrs lbs no on of to "
    "min sec kmh mhz ghz khz kwh kpa mpa cc cu rpm psi atm usd eur gbp jpy inr cny rmb aud cad chf pct ohm"
)
"""Short words that are never a product of letters."""

VOWELS = frozenset("aeiouAEIOU")
"""A run of letters without one is no word."""
NUMBER_SETS = frozenset("RZQNC")
"""Letters of \\mathbb."""
