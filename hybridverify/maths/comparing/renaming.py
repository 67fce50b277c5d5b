"""Letters that stand for nothing of their own and may have any name: integer parameters and free constants."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import permutations

from hybridverify.language import expressions as re
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Add, Call, Const, Mul, Node, Pow, Sym, rename, symbols, walk
from hybridverify.maths.comparing.rules import Case, Comparison, equal, undecided
from hybridverify.maths.values.kinds import Scalar

_PARAMETERS = frozenset("knmljpq")
_KNOWN = frozenset("ied")
"""Letters that may be constants or differentials are no names of anything."""
VARIABLES = frozenset("xyztns")
_CONSTANTS = frozenset("ABCDKabck")
_TWO = 2
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_FREE_CONSTANTS = ("C", "K", "c")


def may_be_constant(name: str) -> bool:
    """Is it what free constants are called, with or without a number?"""
    letter, _, number = name.partition("_")
    return letter in _FREE_CONSTANTS and (not number or number.isdigit())


def mentions(question: str, name: str) -> bool:
    """Does the question use this name as a variable?"""
    letter = name.partition("_")[0]
    if len(letter) > 1 and letter.isalpha():
        return _mentions_greek(question, letter)
    return letter in (letters_in(question) if len(letter) == 1 and letter.isascii() else question)


@lru_cache(maxsize=256)  # what the two sides have in letters is looked up again and again
def letters_in(text: str) -> frozenset[str]:
    r"""The letters that stand alone in a text.

    >>> sorted(letters_in(r"Let 2x + y = \pi in km."))
    ['x', 'y']
    """
    return frozenset(_LETTER.findall(text))


def _mentions_greek(question: str, name: str) -> bool:
    r"""`\theta`, `theta` or the letter itself."""
    if re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", question):
        return True
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {name}") in question
    except KeyError:
        return False


def renamed_scalars(left: Scalar, right: Scalar, case: Case) -> Comparison:
    """Integer parameters (`k pi` and `n pi`) and free constants (`+ C`) may be renamed one to one."""
    if case.conventions.bound_names == "strict":
        return undecided("bound_names")
    mine, theirs = symbols(left.node) - symbols(right.node), symbols(right.node) - symbols(left.node)
    if len(mine) == len(theirs) == _TWO:
        return _two_renamed(left, right, mine, theirs, case)
    if len(mine) != 1 or len(theirs) != 1:
        return undecided("variable_name")
    old, new = next(iter(theirs)), next(iter(mine))
    if not _may_be_renamed(left.node, right.node, new, old, case):
        return undecided("variable_name")
    moved = rename(right.node, {old: Sym(new)})
    if same_expression(left.node, moved, case.setting) is not Same.EQUAL:
        return undecided("bound_names")
    kept = {name: name for name in symbols(right.node) - {old}} | {old: new}
    return equal("bound_names") if case.keeps(kept) else undecided("bound_names")


def _two_renamed(
    left: Scalar, right: Scalar, mine: frozenset[str], theirs: frozenset[str], case: Case
) -> Comparison:
    """`C_1 e^x + C_2 e^{-x}` and `A e^{-x} + B e^x`: two free constants, each once and in no power."""
    free = all(_letter_of(name) in _CONSTANTS for name in mine | theirs) and _is_family(left.node, mine)
    if not free or _may_be_meant(set(mine | theirs), case.question):
        return undecided("variable_name")
    if not symbols(left.node) - mine <= VARIABLES:
        return undecided("variable_name")
    if not (_are_linear(left.node, mine) and _are_linear(right.node, theirs)):
        return undecided("variable_name")
    for order in permutations(sorted(mine)):
        kept = dict(zip(sorted(theirs), order, strict=True))
        moved = rename(right.node, {old: Sym(new) for old, new in kept.items()})
        same = same_expression(left.node, moved, case.setting) is Same.EQUAL
        if same and case.keeps({name: name for name in symbols(right.node) - theirs} | kept):
            return equal("bound_names")
    return undecided("bound_names")


def _are_linear(node: Node, names: frozenset[str]) -> bool:
    """Is each of the letters there once, and in no power?"""
    return all(_is_linear(node, name) for name in names)


def _is_family(node: Node, constants: frozenset[str]) -> bool:
    """A sum of functions of a variable, or a product of such a sum: `44 AB` is none."""
    kinds = {type(part) for part in walk(node)}
    return Add in kinds and bool(symbols(node) - constants) and any(map(_makes_function, walk(node)))


def _may_be_renamed(left: Node, right: Node, new: str, old: str, case: Case) -> bool:
    """Do the two letters stand for nothing of their own? In `F = ma` and `40 mA` each means its own quantity."""
    both = {old, new}
    if both <= _PARAMETERS and _times_period(left, new) and _times_period(right, old):
        return True
    if all(map(may_be_constant, both)) and _is_term(left, new) and _is_term(right, old):
        return True
    if _may_be_meant(both, case.question):
        return False
    return _is_lone(left, right) or _is_factor(left, right, new, old, case)


def _may_be_meant(names: set[str], question: str) -> bool:
    """Does the question speak of one of them, or is there none to look them up in?"""
    return not question or any(mentions(question, name) for name in names)


def _is_lone(left: Node, right: Node) -> bool:
    """`x^2 + 1` and `t^2 + 1`: sums in one small letter, which is any number's name."""
    return all(_in_one_letter(symbols(node)) and _is_sum(node) for node in (left, right))


def _in_one_letter(names: frozenset[str]) -> bool:
    name = next(iter(names), "")
    return len(names) == len(name) == 1 and name.islower() and name not in _KNOWN


def _is_sum(node: Node) -> bool:
    """Is a sum in it, and no function?"""
    kinds = {type(part) for part in walk(node)}
    return Add in kinds and Call not in kinds


def _is_factor(left: Node, right: Node, new: str, old: str, case: Case) -> bool:
    """`c(x^2 - 1)` and `a(x^2 - 1)`, `Ce^x` and `Ae^x`: a constant before a function of one variable."""
    others = symbols(left) - {new}
    if len(others) != 1 or not (others <= case.parameters or others <= VARIABLES):
        return False
    if _letter_of(new) not in _CONSTANTS or _letter_of(old) not in _CONSTANTS:
        return False
    return _is_linear(left, new) and _is_linear(right, old) and any(map(_makes_function, walk(left)))


def is_factor_of_function(node: Node, name: str) -> bool:
    """`Ae^x`, `Ax + B`: may the letter be a free constant in a function of a variable?"""
    return (
        _letter_of(name) in _CONSTANTS
        and not VARIABLES.isdisjoint(symbols(node) - {name})
        and any(map(_makes_function, walk(node)))
        and _is_linear(node, name)
    )


def _makes_function(part: Node) -> bool:
    """A sum, a function, or a power with a letter as exponent: more than a product of letters."""
    return type(part) in (Add, Call) or (type(part) is Pow and bool(symbols(part.exponent)))


def _letter_of(name: str) -> str:
    return name.partition("_")[0]


def _is_linear(node: Node, name: str) -> bool:
    """Does the name stand once, and in no power or function?"""
    if type(node) is Sym:
        return node.name == name
    if type(node) not in (Add, Mul):
        return False
    parts = node.terms if type(node) is Add else node.factors if type(node) is Mul else ()
    holding = [part for part in parts if name in symbols(part)]
    return len(holding) == 1 and _is_linear(holding[0], name)


def has_period(node: Node, name: str) -> bool:
    """Is the letter an integer parameter, by its name and by the pi or degree sign that it counts?"""
    return name in _PARAMETERS and _times_period(node, name)


def _times_period(node: Node, name: str) -> bool:
    """The parameter occurs only in a product with pi or a degree sign."""
    found = 0
    for part in walk(node):
        if type(part) is not Mul or Sym(name) not in part.factors:
            continue
        if not any(type(f) is Const and f.name in ("pi", "deg") for f in walk(part)):
            return False
        found += 1
    return found > 0


def _is_term(node: Node, name: str) -> bool:
    if type(node) is not Add or Sym(name) not in node.terms:
        return False
    return sum(1 for part in walk(node) if part == Sym(name)) == 1
