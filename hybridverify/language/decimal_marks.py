"""Whether a question is in a language that writes a comma before decimals, and points between thousands."""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language.patterns import WORD

_TOLD = """
der die das ein eine ist sind und wie viel viele wird hat le la les des du est une et combien de el los las en il che
sono quanto quanti quante gli di o os um uma quantos het een hoeveel van
"""
_WORDS = frozenset(_TOLD.split())
"""Words that hold a sentence together in these languages; English has few of them."""
_ENGLISH = frozenset(("the", "of", "how", "what", "is", "are", "find", "a", "and", "each", "to"))
_ENOUGH = 2


@lru_cache(maxsize=512)  # every response to a question asks the same
def writes_commas(question: str) -> bool:
    """Is the question in a language of Europe or Russia that writes a comma before decimals?

    >>> writes_commas("Wie viel kostet das Brot?"), writes_commas("How much is the bread?")
    (True, False)
    """
    low = question.lower()
    if " the " in low:
        return False
    if any("ß" <= char <= "ž" or "а" <= char <= "я" for char in low if char != "÷"):
        return True
    words = WORD.findall(low)
    return len(_WORDS.intersection(words)) >= _ENOUGH and _ENGLISH.isdisjoint(words)
