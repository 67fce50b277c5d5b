r"""Parts that can be cut out of a question's text without understanding it: formulas, quantities, numbers, names.

Reading is linear and bounded. Nothing is computed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hybridverify.language.patterns import FORMULA, LONG_WORD

_MAX_QUESTION = 20_000
_MATHS_WORD = re.compile(
    r"[\d().,\[\]+\-−*/×÷·^=<>≤≥√%|!{}\\_πa-zA-Z]{1,80}"  # examined once more by _is_maths
)
_OPERATOR = re.compile(r"[+−*/×÷·^=<>≤≥√!|]|(?<=[\w)])\s?-\s?(?=[\w(])|\\(?:frac|cdot|times|sqrt)")
_UNEQUAL = re.compile(r"[<>≤≥]|\\[lg]eq?(?![A-Za-z])")
_LONG_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_FUNCTIONS = frozenset(("sin", "cos", "tan", "log", "ln", "sqrt", "lim", "mod", "gcd", "lcm", "exp", "pi"))
_TASK = re.compile(
    r"\b(?:what\s+is|what's|compute|calculate|evaluate|find|simplify|solve|convert|factor(?:ise|ize)?|expand|express"
    r"|determine|write|work\s+out|who|where|when|which)\b[:\s]+([^?\n]{1,400})",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"(?<![\w.])-?\d[\d,]{0,20}(?:\.\d{1,20})?[ ]?(?:%|°[ ]?[CF]?|[A-Za-z]{1,20})(?![\w])")
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]{0,20}(?:\.\d{1,20})?(?!\w)")
_NAME = re.compile(
    r"(?<![.?!]\s)(?<!^)\b[A-Z][\w'’-]{1,30}(?:\s(?:of|the|de|von)?\s?[A-Z][\w'’-]{1,30}){0,4}"
)
_EITHER = re.compile(r"\b([^\W\d_]{2,30})(?:\s+or\s+(?:an?\s+|the\s+)?|/)([^\W\d_]{2,30})\b")
_LETTER = re.compile(r"(?<![A-Za-z\\])([a-z])(?![A-Za-z])")


@lru_cache(maxsize=4096)
def formulas(question: str) -> tuple[str, ...]:
    r"""Formulas between dollars or brackets. If there are none, runs of words that look like mathematics.

    >>> formulas(r"Compute $17\cdot 23$."), formulas("Solve 2x + 3 = 11 for x.")
    (('17\\cdot 23',), ('2x + 3 = 11',))
    """
    text = question[:_MAX_QUESTION]
    found = [next(part for part in match.groups() if part) for match in FORMULA.finditer(text)]
    found = [" ".join(part.split()).rstrip(".,;") for part in found]
    return tuple(dict.fromkeys(part for part in found if part)) or tuple(_plain_runs(text))


def _plain_runs(text: str) -> list[str]:
    runs: list[list[str]] = [[]]
    for word in text.split():
        bare = word.rstrip(".,;:?")
        if _is_maths(bare):
            runs[-1].append(bare)
        if not _is_maths(bare) or bare != word:
            runs.append([])
    joined = [" ".join(run) for run in runs if run]
    return [run for run in joined if _OPERATOR.search(run) and re.search(r"\d", run)]


def _is_maths(word: str) -> bool:
    if not word or not _MATHS_WORD.fullmatch(word):
        return False
    return all(part.lower() in _FUNCTIONS for part in _LONG_WORD.findall(word))


def equations(question: str) -> tuple[str, ...]:
    """Those of its formulas that are equations."""
    return tuple(part for part in formulas(question) if part.count("=") == 1 and "\\le" not in part)


def inequalities(question: str) -> tuple[str, ...]:
    """Those of its formulas that are inequalities.

    >>> inequalities("Solve $x-3>1$."), inequalities("Solve $x=4$.")
    (('x-3>1',), ())
    """
    return tuple(part for part in formulas(question) if _UNEQUAL.search(part))


def variable(formula: str) -> str:
    """The first single letter of a formula, else x."""
    match = _LETTER.search(formula)
    return match.group(1) if match else "x"


def task(question: str) -> str:
    """The text after the asking verb.

    >>> task("What is 3 times 4?"), task("Convert 3 km to metres.")
    ('3 times 4', '3 km to metres')
    """
    found = _TASK.findall(question[:_MAX_QUESTION])
    return found[-1].strip().rstrip(".:") if found else ""


def quantities(question: str) -> tuple[str, ...]:
    """Numbers with the word after them."""
    return tuple(dict.fromkeys(_QUANTITY.findall(question[:_MAX_QUESTION])))


def numbers(question: str) -> tuple[str, ...]:
    """Plain numbers in order."""
    return tuple(dict.fromkeys(_NUMBER.findall(question[:_MAX_QUESTION])))


def names(question: str) -> tuple[str, ...]:
    """Spans of capitalised words that do not begin a sentence."""
    return tuple(dict.fromkeys(_NAME.findall(question[:_MAX_QUESTION])))


def alternatives(question: str) -> tuple[str, ...]:
    """The words on both sides of the question's last "or" or slash.

    >>> alternatives("Is the sum odd or even?"), alternatives("Answer [true/false].")
    (('odd', 'even'), ('true', 'false'))
    """
    found = _EITHER.findall(question[:_MAX_QUESTION])
    return found[-1] if found else ()


def words(question: str) -> tuple[str, ...]:
    """All words, the longest first."""
    found = dict.fromkeys(LONG_WORD.findall(question[:_MAX_QUESTION]))
    return tuple(sorted(found, key=lambda word: (-len(word), word)))
