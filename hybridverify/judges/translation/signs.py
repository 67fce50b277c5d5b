"""The meaning of signs and commands, in the words of `senses`."""

from __future__ import annotations

from hybridverify.maths.notation import vocabulary as known

SIGN_SENSES = {
    "<": ("bound", "<"), ">": ("bound", ">"), "<=": ("bound", "<="), ">=": ("bound", ">="),
    "!=": ("negation", ""), "%": ("sign", "percent"), "/": ("sign", "division"), ":": ("sign", "division"),
    "^": ("sign", "power"), "**": ("sign", "power"), "+": ("sign", "plus"), "-": ("sign", "minus"),
    "|": ("sign", "bar"), "€": ("currency", "€"), "£": ("currency", "£"), "¥": ("currency", "¥"), "!": ("sign", "!"),
    "°": ("sign", "degree"),
}  # fmt: skip
STYLES = known.TEXT_STYLES | known.STYLES | known.IGNORED | known.SPACES | {
    "overline", "bar", "vec", "hat", "boxed", "cdot", "times", "ast", "mathbb", "operatorname", "qquad", "to", "quad",
    "begin", "end", "pmatrix", "bmatrix", "matrix", "cases", "aligned", "array", "hline", "forall",
}  # fmt: skip
COMMAND_SENSES = {
    "frac": ("sign", "division"), "sqrt": ("function", "sqrt"), "binom": ("function", "binom"), "pm": ("sign", "pm"),
    "mp": ("sign", "pm"), "setminus": ("negation", ""), "pmod": ("sign", "mod"), "bmod": ("sign", "mod"),
    "circ": ("sign", "degree"), "degree": ("sign", "degree"), "over": ("sign", "division"),
    "choose": ("function", "binom"), "bar": ("sign", "bar"), "mid": ("sign", "bar"), "cup": ("sign", "cup"),
    "cap": ("sign", "cap"), "emptyset": ("const", "emptyset"),
}  # fmt: skip
RELATION_SENSES = {"!=": ("negation", ""), "notin": ("negation", ""), "mod=": ("sign", "mod"), "in": ("sign", "in"),
                    "~": ("word", "approx")}  # fmt: skip
FUNCTIONS = dict(known.FUNCTIONS) | {
    spelling: f"arc{name}h"
    for name in ("sin", "cos", "tan")
    for spelling in (f"a{name}h", f"ar{name}h", f"arc{name}h")
}
"""With the spellings of the inverse hyperbolic functions."""
TABLES = frozenset(("matrix", "pmatrix", "bmatrix", "vmatrix", "smallmatrix", "array", "cases", "aligned"))
"""Names of environments; also of a table in program notation if a bracket follows."""
