r"""The name of a value before its equals sign: `x =`, `x_1 =`, `f(x) =`."""

from __future__ import annotations

from hybridverify.language import expressions as re

_NAME = re.compile(r"(?<![^\W_])[A-Za-z](?:_\{?\w{1,3}\}?|\([a-z\d]\))?\s{0,2}\Z")
_OPENERS = " \t\n$([{\\"
"""What opens a formula or a bracket."""


def starts_with_name(text: str) -> bool:
    """Whether an equation gives a value to a name.

    >>> starts_with_name("x_1 = 5"), starts_with_name("2x = 5"), starts_with_name("x = y = 5")
    (True, False, True)
    """
    name, equals, _ = text.partition("=")
    return bool(equals) and _NAME.match(name.strip()) is not None


def without_name(text: str) -> str:
    """The value of an equation that gives one to a name, any other text as it is.

    >>> without_name("x = 5"), without_name("2x = 5")
    ('5', '2x = 5')
    """
    return text.partition("=")[2].lstrip() if starts_with_name(text) else text


def before_name(text: str) -> str:
    r"""What stands before the name of the value that follows a text, the text itself where it ends on no name.

    >>> before_name(r"4 and $x = "), before_name("2x =")
    ('4 and $', '2x =')
    """
    equation = text.rstrip(_OPENERS)
    found = _NAME.search(equation[:-1]) if equation.endswith("=") else None
    return text[: found.start()] if found else text
