"""How an answer is announced, in many languages. The words stand in `lexicon/announcing.toml` and `english.toml`."""

from __future__ import annotations

from hybridverify.language.lexicon import entries

ANSWER_ROOTS = entries("announcing", "answer")
"""Roots of the word "answer" besides the English one; their endings are free."""
COPULAS = entries("announcing", "copula")
"""Words between such a root and the answer; signs (`:`, `=`) and East Asian particles stand in stated.py."""
RIGHT_ANSWER = entries("announcing", "right")
"""How words begin that call an answer the right or the final one."""
COMPARING = entries("announcing", "comparing")
"""What makes another number of the one that follows, or leaves it open."""
RESULTS = entries("announcing", "result")
"""Labels of a last line that give what was sought."""
OPTION_NOUNS = entries("announcing", "option")
"""What stands before the letter of an option."""
CHOOSING = entries("announcing", "choosing")
"""What leads up to an option that is chosen."""
CONCLUSIONS = entries("announcing", "conclusion")
"""Words that open a closing sentence."""
ENDINGS_JOINED = entries("announcing", "ending_joined")
"""Copulas that stand after the value that they state, without a blank."""
ENDINGS = entries("announcing", "ending")
"""The same, words of their own."""
FUNCTION_WORDS = frozenset(entries("english", "function", "predicate"))
"""Words that hold a phrase together and name nothing."""
PREDICATES = frozenset(entries("english", "predicate"))
"""Those of them that make a sentence of a phrase."""
ARTICLES = frozenset(entries("english", "article"))
PRONOUNS = frozenset(entries("english", "pronoun"))
"""Those that stand for what was asked about."""
MEASURED = frozenset(entries("english", "measured"))
"""What may be said to be *of* so much and so many, while half of it, and the opposite of it, are others."""
SAYING_LITTLE = frozenset(entries("english", "saying_little"))
"""Words of a sentence with a value that add nothing to what was asked."""
SUMMING = frozenset(entries("english", "summing"))
"""Words that a sentence with a result has beside what it counts."""
