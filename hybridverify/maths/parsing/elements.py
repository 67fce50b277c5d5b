"""The chemical elements by symbol and by name."""

from __future__ import annotations

from hybridverify.maths.notation.vocabulary import word_list

_TABLE = word_list("""
H hydrogen He helium Li lithium Be beryllium B boron C carbon N nitrogen O oxygen F fluorine Ne neon Na sodium
Mg magnesium Al aluminium Si silicon P phosphorus S sulfur Cl chlorine Ar argon K potassium Ca calcium Sc scandium
Ti titanium V vanadium Cr chromium Mn manganese Fe iron Co cobalt Ni nickel Cu copper Zn zinc Ga gallium Ge germanium
As arsenic Se selenium Br bromine Kr krypton Rb rubidium Sr strontium Y yttrium Zr zirconium Nb niobium Mo molybdenum
Tc technetium Ru ruthenium Rh rhodium Pd palladium Ag silver Cd cadmium In indium Sn tin Sb antimony Te tellurium
I iodine Xe xenon Cs caesium Ba barium La lanthanum Ce cerium Pr praseodymium Nd neodymium Pm promethium Sm samarium
Eu europium Gd gadolinium Tb terbium Dy dysprosium Ho holmium Er erbium Tm thulium Yb ytterbium Lu lutetium Hf hafnium
Ta tantalum W tungsten Re rhenium Os osmium Ir iridium Pt platinum Au gold Hg mercury Tl thallium Pb lead Bi bismuth
Po polonium At astatine Rn radon Fr francium Ra radium Ac actinium Th thorium Pa protactinium U uranium Np neptunium
Pu plutonium Am americium Cm curium Bk berkelium Cf californium Es einsteinium Fm fermium Md mendelevium No nobelium
Lr lawrencium Rf rutherfordium Db dubnium Sg seaborgium Bh bohrium Hs hassium Mt meitnerium Ds darmstadtium
Rg roentgenium Cn copernicium Nh nihonium Fl flerovium Mc moscovium Lv livermorium Ts tennessine Og oganesson
""")
NAMES = dict(zip(_TABLE[::2], _TABLE[1::2], strict=True))
"""The name of each symbol."""
SYMBOLS = {name: symbol for symbol, name in NAMES.items()} | {
    "aluminum": "Al",
    "cesium": "Cs",
    "sulphur": "S",
}
"""The symbol of each name."""
_LONGEST = 40
_MARKS = str.maketrans("(),", "   ")


def element_of(text: str) -> str:
    """The symbol of the one element that the text names, by name, symbol or both; "" for any other text.

    >>> element_of("Copper"), element_of("copper (Cu)"), element_of("Cu"), element_of("cu"), element_of("tin and lead")
    ('Cu', 'Cu', 'Cu', '', '')
    """
    if not text[:1].isalpha() or len(text) > _LONGEST:
        return ""
    parts = text.translate(_MARKS).split()
    found = {part if part in NAMES else SYMBOLS.get(part.lower(), "") for part in parts}
    return found.pop() if len(parts) <= 2 and len(found) == 1 else ""
