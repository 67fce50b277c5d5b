r"""Letters to which the question gives a value of its own: `x = 7` is no answer to "If x = 3 and y = 4, find x + y".

An answer that names such a letter says something about it that the question denies.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from hybridverify.maths.values.kinds import Named

_MAX_QUESTION = 4_000
_GIVES = ("=", "is ", "equals ", "be ")
_NUMBER, _OPERATORS, _SET = frozenset("0123456789.,/"), frozenset("+-*/^=·×_(∪∩"), "{"
_MARKS = str.maketrans("", "", "$\\")


def names_given_letter(named: Named, question: str) -> bool:
    """Whether the name stands in the question for a number or a set that is given, or for another argument.

    >>> from hybridverify.maths.algebra.nodes import Num
    >>> from hybridverify.maths.values.kinds import Scalar
    >>> x = Named("x", (), Scalar(Num(7)))
    >>> names_given_letter(x, "If x = 3 and y = 4, find x + y."), names_given_letter(x, "At first x = 3. Find x now.")
    (True, False)
    >>> names_given_letter(Named("f", ("4",), Scalar(Num(7))), "Find f(5).")
    True
    """
    text = question[:_MAX_QUESTION]
    if named.parameters:
        return _has_other_argument(named, "".join(text.split()))
    name = named.name.split(" ")[-1]
    return len(name) == 1 and name.isalpha() and _is_given(name, text.translate(_MARKS))


def _has_other_argument(named: Named, question: str) -> bool:
    """`f(4)` and `f(x)` where the question speaks of f(5)."""
    called = f"{named.name}("
    arguments = [part.partition(")")[0] for part in question.split(called)[1:]]
    told = ",".join(named.parameters)
    return any(map(str.isdigit, arguments)) and told not in filter(str.isdigit, arguments)


@lru_cache(maxsize=512)  # every response to a question asks the same
def _is_given(name: str, question: str) -> bool:
    number, alone = False, False
    for before, after in _places(name, question):
        rest = next((after[len(word) :].lstrip() for word in _GIVES if after.startswith(word)), None)
        if rest is not None and rest.startswith(_SET):
            return True
        if rest is not None and _is_number(rest):
            number = True
        else:
            alone |= before[-1:] not in _OPERATORS and after[:1] not in _OPERATORS
    return number and not alone


def _places(name: str, question: str) -> Iterator[tuple[str, str]]:
    """What stands before and after a letter that is no part of a word."""
    at = question.find(name)
    while at >= 0:
        before, after = question[:at].rstrip(), question[at + 1 :].lstrip()
        if not question[at - 1 : at].isalpha() and not question[at + 1 : at + 2].isalpha():
            yield before, after
        at = question.find(name, at + 1)


def _is_number(rest: str) -> bool:
    """Whether a number stands there, and no longer expression."""
    number = rest.lstrip("-")
    end = next((at for at, sign in enumerate(number) if sign not in _NUMBER), len(number))
    following = number[end : end + 1]
    return (
        end > 0
        and number[0].isdigit()
        and not following.isalnum()
        and number[end:].lstrip()[:1] not in _OPERATORS
    )
