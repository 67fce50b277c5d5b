"""Electrons as chemists write them: `1s^2 2s^2 2p^4`, `[Ne] 3s2`, and hybrid orbitals, `sp3`."""

from __future__ import annotations

from hybridverify.maths.parsing.texts import without_commands

_CORES = {
    "He": "1s2",
    "Ne": "[He]2s22p6",
    "Ar": "[Ne]3s23p6",
    "Kr": "[Ar]4s23d104p6",
    "Xe": "[Kr]5s24d105p6",
    "Rn": "[Xe]6s24f145d106p6",
}
_SHELLS, _FULL = frozenset("1234567"), {"s": 2, "p": 6, "d": 10, "f": 14}
_HYBRIDS = frozenset(("sp", "sp2", "sp3", "sp3d", "sp3d2", "dsp2", "dsp3", "d2sp3"))
_MARKS = str.maketrans("", "", "^{} $,\\")
_MAX, _OPENING = 200, frozenset("1234567[sd\\$")


def orbitals(text: str) -> str:
    """The electrons in one spelling, "" for any other text.

    >>> orbitals("[He] 2s^2 2p^4") == orbitals("1s2 2p4 2s2"), orbitals("sp^{3}"), orbitals("2p^7"), orbitals("x^2")
    (True, 'sp3', '', '')
    """
    if len(text) > _MAX or text[:1] not in _OPENING:
        return ""
    plain = without_commands(text).translate(_MARKS)
    if plain in _HYBRIDS:
        return plain
    found = _configuration(plain) if plain[:1] == "[" or plain[:1] in _SHELLS else None
    return " ".join(f"{orbital}{count}" for orbital, count in sorted(found.items())) if found else ""


def _configuration(plain: str) -> dict[str, int] | None:
    """The electrons in each orbital; None where the text is no configuration, or an orbital holds too many."""
    found: dict[str, int] = {}
    if plain[:1] == "[":
        core, closing, plain = plain[1:].partition("]")
        inner = _configuration(_CORES[core]) if closing and core in _CORES else None
        if inner is None:
            return None
        found = inner
    while plain:
        orbital, plain = plain[:2], plain[2:]
        count, plain = _count(plain)
        if orbital[0] not in _SHELLS or not 0 < count <= _FULL.get(orbital[1:], 0) or orbital in found:
            return None
        found[orbital] = count
    return found


def _count(rest: str) -> tuple[int, str]:
    """The number of electrons and what follows it. Before a letter stands the number of the next shell."""
    digits = next((at for at, char in enumerate(rest) if not char.isdigit()), len(rest))
    end = digits if digits == len(rest) else digits - 1
    return (int(rest[:end]) if 0 < end <= 2 else 0), rest[end:]
