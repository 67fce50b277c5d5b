"""The atoms of LaTeX commands."""

from __future__ import annotations

from hybridverify.judges.translation.senses import CALLED, SENSES
from hybridverify.judges.translation.signs import COMMAND_SENSES, FUNCTIONS, RELATION_SENSES, STYLES
from hybridverify.maths.notation import vocabulary as known

NUMBER_SET_STYLES = ("mathbb", "Bbb", "mathds")
"""Styles that turn a letter into a set of numbers."""
_ESCAPED = {"$": ("currency", "$"), "%": ("sign", "percent")}


def of_command(name: str) -> list[tuple[str, str]]:
    """The atoms of a command without its backslash. Commands of layout have none.

    >>> of_command("pi"), of_command("div"), of_command("quad")
    ([('const', 'pi')], [('sign', 'division')], [])
    """
    for read in (_symbol, _operator):
        found = read(name)
        if found is not None:
            return found
    return _other(name)


def _symbol(name: str) -> list[tuple[str, str]] | None:
    """An escaped sign, a Greek letter, a constant or a function."""
    if name in _ESCAPED:
        return [_ESCAPED[name]]
    if name in known.GREEK:
        return [("letter", name.removeprefix("var"))]
    if name in known.CONSTANTS:
        return [("const", known.CONSTANTS[name])]
    return [("function", FUNCTIONS[name])] if name in FUNCTIONS else None


def _operator(name: str) -> list[tuple[str, str]] | None:
    """A relation, an operator, or a word for one."""
    if name in known.RELATIONS:
        sign = known.RELATIONS[name]
        return [RELATION_SENSES.get(sign, ("bound", sign))]
    if name in COMMAND_SENSES:
        return [COMMAND_SENSES[name]]
    if name in CALLED:
        return [("function", CALLED[name])]
    return SENSES.get(name)


def _other(name: str) -> list[tuple[str, str]]:
    if name in known.DOTS:
        return [("dots", "")]
    if name == "div":
        return [("sign", "division")]
    is_layout = name in STYLES or name.endswith(("space", "arrow"))
    return [] if is_layout else [("command", name)]
