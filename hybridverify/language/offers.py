"""Two things between which a question leaves the choice: "(red/blue)", "red or blue?", ": the red one or the blue?"."""

from __future__ import annotations

from functools import lru_cache

_MAX_QUESTION = 20_000
_MAX_WORD, _MAX_PHRASE = 20, 120
_BRACKETS = str.maketrans("[]", "()")


@lru_cache(maxsize=128)
def offers(question: str) -> frozenset[tuple[str, str]]:
    """The pairs that a question names, words before phrases.

    >>> sorted(offers("Is the lake deep or shallow?")), sorted(offers("It is wide (true/false)."))
    ([('deep', 'shallow')], [('true', 'false')])
    >>> sorted(offers("Which is longer: the first road or the second one?"))
    [('the first road', 'the second one')]
    """
    text = question[:_MAX_QUESTION]
    asked = [part.rpartition(" or ") for part in text.split("?")[:-1]]
    told = _in_brackets(text) + [_last_words(left, right) for left, _, right in asked]
    return frozenset(filter(all, told)) or frozenset(
        filter(all, (_phrases(one, two) for one, _, two in asked))
    )


def _in_brackets(text: str) -> list[tuple[str, str]]:
    """`(red/blue)` and `[red or blue]`."""
    insides = [part.partition(")")[0] for part in text.translate(_BRACKETS).split("(")[1:]]
    pairs = [inside.replace("/", " or ").split(" or ") for inside in insides]
    return [_words(*pair) for pair in pairs if len(pair) == 2]


def _last_words(left: str, right: str) -> tuple[str, str]:
    """The words around the last "or" of a question, none where a third one stands before them."""
    *before, first = ["", *left.split(" ")]
    return ("", "") if before[-1] == "or" else _words(first.lstrip("("), right)


def _words(one: str, other: str) -> tuple[str, str]:
    pair = one.strip(), other.strip()
    plain = all(
        1 < len(word) <= _MAX_WORD and word.isascii() and word.replace("-", "").isalpha() for word in pair
    )
    return pair if plain else ("", "")


def _phrases(left: str, right: str) -> tuple[str, str]:
    """What stands around the "or" after a colon or a comma, up to the question mark."""
    left = left.removesuffix(",")
    start = max(map(left.rfind, ":,.\n")) + 1
    pair = left[start:].strip(), right.strip()
    told = start and left[start - 1] in ":," and not any(sign in right for sign in ":,.\n")
    return pair if told and all(1 < len(part) <= _MAX_PHRASE for part in pair) else ("", "")
