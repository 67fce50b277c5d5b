r"""A value under the name that the question has for it: `A \cap B = \{3, 5\}` where $A \cap B$ is asked for.

Names that are no letter are not read; what stands before the sign is looked up in the question instead.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language.asked import read_question

_MAX_NAME, _MAX_QUESTION = 30, 20_000
_SIGNS = {
    "\\cap": "∩",
    "\\cup": "∪",
    "\\circ": "∘",
    "\\setminus": "∖",
    "\\times": "×",
    "\\overline": "",
    "\\vec": "",
    "\\left": "",
    "\\right": "",
}
_IDLE = str.maketrans("", "", " $\\{}")
_INVERSE = "^-1"


def value_sought(answer: str, question: str, alone: bool = False) -> str:
    r"""What the answer says of the name that the question asks for, "" for any other answer. With `alone`, the name is
    a whole expression of the question, and no side or part of one.

    >>> value_sought(r"A\cap B = \{3, 5\}", r"Find $A \cap B$."), value_sought("A^{-1} = M", "Find the inverse of A.")
    ('\\{3, 5\\}', 'M')
    >>> value_sought("A^{-1} = M", "Find A."), value_sought("x < y = 3", "Find x < y.")
    ('', '')
    >>> value_sought("m+n = 75", "Find $m+n$.", True), value_sought("4x+9 = 1", "Solve $4x+9 = 13$.", True)
    ('75', '')
    """
    name, equals, value = answer.partition("=")
    if not equals or "=" in value or not _may_be_sought(name):
        return ""
    told, asked = _plain(name), _plain(question[:_MAX_QUESTION])
    if alone and told not in map(_plain, read_question(question).expressions):
        return ""
    inverse = told.endswith(_INVERSE) and "inverse" in asked
    return value.strip() if told and (told in asked or inverse) else ""


def names_another_bracket(answer: str, question: str) -> bool:
    """Does the answer give the value of another pair of letters in brackets than the question has?

    >>> asked = "Find $[x, p]$."
    >>> [names_another_bracket(text, asked) for text in ("[x,p] = 3i", "[p,x] = 3i", "3i")]
    [False, True, False]
    """
    name, equals, _ = answer.strip(" $").partition("=")
    told, asked = (_plain(name), _plain(question[:_MAX_QUESTION])) if equals and name[:1] == "[" else ("", "")
    return "," in told and "[" in asked and told not in asked


def _may_be_sought(name: str) -> bool:
    """Is it short, with a letter in it, and no part of an inequality?"""
    if not 1 < len(name.strip()) <= _MAX_NAME or name[-1:] in "<>!≤≥":
        return False
    return any(map(str.isalpha, name)) and "<" not in name and ">" not in name


@lru_cache(maxsize=512)
def _plain(text: str) -> str:
    """Without blanks and marks, and with one sign for each operation."""
    for command, sign in _SIGNS.items():
        text = text.replace(command, sign)
    return text.translate(_IDLE)
