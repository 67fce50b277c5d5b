"""Formulas of substances without subscripts: `H2SO4` is `H_2SO_4`."""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.maths.notation.vocabulary import words

_PARTS = r"[A-Z][a-z]?(?:[1-9]\d?)?"
_FORMULA = re.compile(rf"(?:{_PARTS}|\((?:{_PARTS}){{1,6}}\)[1-9]?){{1,12}}")
_SYMBOL = re.compile(r"[A-Z][a-z]?")
_COUNT = re.compile(r"(?<=[A-Za-z)])(\d+)")
_MAX_FORMULA = 60
_ELEMENTS = words(
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb "
    "Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au "
    "Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts "
    "Og"
)


def with_counts(text: str) -> str:
    """The counts of a formula as subscripts; the text itself where a letter is no element, or there is one alone.

    >>> with_counts("H2SO4"), with_counts("C6H12O6"), with_counts("K2"), with_counts("X2Y3")
    ('H_2SO_4', 'C_6H_{12}O_6', 'K2', 'X2Y3')
    """
    if not text[:1].isupper() or len(text) > _MAX_FORMULA or not _FORMULA.fullmatch(text):
        return text
    symbols = _SYMBOL.findall(text)
    if len(symbols) < 2 or not _ELEMENTS.issuperset(symbols):
        return text
    return _COUNT.sub(lambda found: f"_{found[1]}" if len(found[1]) == 1 else f"_{{{found[1]}}}", text)
