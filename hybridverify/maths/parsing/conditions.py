"""Conditions behind an answer: `for all x in R`, `k in Z`, `where n is an integer`. They are kept, never dropped."""

from __future__ import annotations

from itertools import pairwise

from hybridverify.maths.notation.tokenlists import Tokens, depth_change, kinds_of, spelled, split
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.notation.vocabulary import words

_QUANTIFIERS = words("all any every each some integer integers")
_CONSTANT_WORDS = words("constant constants arbitrary")
_HARMLESS_WORDS = (
    _QUANTIFIERS
    | _CONSTANT_WORDS
    | words("for real number numbers positive natural rational where with is are an a")
)
_HARMLESS_SIGNS = frozenset(("in", ",", "^", "_", "{", "}", "+", "*", "forall", "and", "(", ")"))
_DOMAINS = {
    "integer": "Z",
    "integers": "Z",
    "natural": "N",
    "real": "R",
    "rational": "Q",
    "positive": "+",
    ">": "+",
    ">=": ">=",
}
_INTEGER_WORDS = words("integer integers")
_TELLING = frozenset(("word", "set", "rel", "fun"))
"""Kinds of tokens without which there is no condition: its words, its set or its sign of order."""
_DECLARES = words("in is any integer")


def cut_condition(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """The answer and the condition behind it, which is empty where there is none."""
    if _TELLING.isdisjoint(kinds_of(tokens)) and "forall" not in {token.text for token in tokens}:
        return tokens, ()  # the usual answer
    depth = 0
    for place, token in enumerate(tokens):
        depth += depth_change(token)
        if place and depth == 0 and _opens(tokens, place):
            head = tokens[:place]
            while any(map(_is_pause, head[-1:])):
                head = head[:-1]
            return head, tokens[place:]
    return _bracketed_condition(tokens)


def _is_pause(token: Token) -> bool:
    return token.kind in ("sep", "op") and token.text in (",", ":", ";")


def _opens(tokens: Tokens, place: int) -> bool:
    token = tokens[place]
    if token.text == "forall":
        return True
    if token.kind != "word":
        return False
    following = [later.text.lower() for later in tokens[place + 1 : place + 3]]
    if token.text.lower() == "for" and following:
        return following[0] in _QUANTIFIERS or following[1:] == ["in"]
    if token.text.lower() == "with":
        return len(following) == 2 and following[1] in ("in", "is", "an", "any")
    return token.text.lower() == "where"


def _bracketed_condition(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """`k\\pi (k \\in \\mathbb{Z})`, and `k\\pi, k \\in \\mathbb{Z}`."""
    parts = split(tokens, _separates)[0] if "sep" in kinds_of(tokens) else []
    if len(parts) > 1 and (_declares_integers(parts[-1]) or _declares_reals(parts[-1], parts[0])):
        return tokens[: len(tokens) - len(parts[-1]) - 1], parts[-1]
    place = _last_bracket(tokens)
    if place and (_declares_integers(tokens[place + 1 : -1]) or _is_bound(tokens, place)):
        return tokens[:place], tokens[place + 1 : -1]
    return tokens, ()


def _separates(token: Token) -> bool:
    return token.text in (",", ";") and token.kind == "sep"


def _declares_integers(condition: Tokens) -> bool:
    return bool(integer_names(condition)) and any(token.text in _DECLARES for token in condition)


def _is_bound(tokens: Tokens, place: int) -> bool:
    """`2x (x > 0)`: a letter of the answer and a sign of order, in a bracket behind it."""
    inner = tokens[place + 1 : -1]
    ordered = (
        len(inner) > 2 and inner[0].kind == "let" and inner[1].kind == "rel" and inner[1].text[0] in "<>"
    )
    return ordered and tokens[place].gap and any(token.text == inner[0].text for token in tokens[:place])


def _declares_reals(condition: Tokens, answer: Tokens) -> bool:
    """`x \\in \\mathbb{R}` behind a formula in x."""
    if (
        len(condition) != 3
        or condition[1].text != "in"
        or (condition[2].kind, condition[2].text) != ("set", "R")
    ):
        return False
    letter = condition[0]
    return letter.kind == "let" and len(answer) > 1 and any(token.text == letter.text for token in answer)


def _last_bracket(tokens: Tokens) -> int:
    """Where the round bracket opens that closes at the end; 0 for none behind an answer."""
    if not tokens or tokens[-1].text != ")":
        return 0
    depth = 0
    for place in range(len(tokens) - 1, 0, -1):
        depth += depth_change(tokens[place])
        if depth == 0:
            return place
    return 0


def integer_names(condition: Tokens) -> frozenset[str]:
    """The letters that a condition declares as integers."""
    texts = [token.text for token in condition]
    integers = any(t.kind == "set" and t.text in ("Z", "N") for t in condition) or any(
        text.lower() in _INTEGER_WORDS for text in texts
    )
    if not integers or not is_harmless(condition):
        return frozenset()
    return _names(condition)


def _names(condition: Tokens) -> frozenset[str]:
    """The letters in it; inside a text command a lone letter is one, unless it is an article."""
    found = {token.text for token in condition if token.kind == "let"}
    for token, later in pairwise(condition):
        if token.kind == "word" and len(token.text) == 1 and (token.text != "a" or later.text == "is"):
            found.add(token.text)
    if condition[-1].kind == "word" and len(condition[-1].text) == 1:
        found.add(condition[-1].text)
    return frozenset(found)


def constant_names(condition: Tokens) -> frozenset[str]:
    """The letters that a condition declares as free constants."""
    free = any(token.text.lower() in _CONSTANT_WORDS for token in condition)
    if not free or not is_harmless(condition):
        return frozenset()
    return _names(condition)


def domain(condition: Tokens) -> frozenset[str]:
    """The number sets and restrictions that a condition names."""
    found = set()
    for token in condition:
        low = token.text.lower()
        if token.kind == "set":
            found.add(token.text)
        elif low in _DOMAINS:
            found.add(_DOMAINS[low])
        elif token.text in ("+", "*", "0"):
            found.add(low)
    return frozenset(found - {"0"} if "+" in found or ">=" in found else found)


def is_harmless(condition: Tokens) -> bool:
    """True when the condition only names a whole number set: no bound, no case."""
    after_set = False
    for token in condition:
        lone = token.kind == "word" and len(token.text) == 1
        if lone or token.kind in ("let", "set") or token.text.lower() in _HARMLESS_WORDS:
            after_set = token.kind == "set"
        elif after_set and token.text in (">", ">=", "0", "_", "^", "{", "}", "+"):
            continue
        elif token.text not in _HARMLESS_SIGNS:
            return False
    return True


def answers_after(condition: Tokens) -> int | None:
    """The place in a condition where a further answer with an equals sign begins."""
    for place, token in enumerate(condition):
        if place and token.kind == "sep" and token.text in (",", "and", "or", ";"):
            rest = without_separators(condition[place:])
            if len(rest) > 2 and any(t.text == "=" for t in rest[:8]):
                return place
    return None


def without_separators(tokens: Tokens) -> Tokens:
    """The tokens behind leading separators."""
    while tokens and tokens[0].kind == "sep":
        tokens = tokens[1:]
    return tokens


_ASKED = {
    "R": ("mathbb{R}", "real", "mathbf{R}"),
    "Z": ("mathbb{Z}", "integer"),
    "Q": ("mathbb{Q}", "rational"),
    "N": ("mathbb{N}", "natural", "positive integer", "mathbb{Z}"),
    "real": ("real", "mathbb{R}"),
    "integer": ("integer", "mathbb{Z}", "mathbb{N}"),
    "positive": ("positive", "^+", "^{+}", "_{>0}", "_{> 0}", "mathbb{N}"),
    "natural": ("natural", "mathbb{N}", "positive integer"),
    "rational": ("rational", "mathbb{Q}"),
}


def repeats_question(condition: str, question: str) -> bool:
    """Does the question itself set the domain that the condition names?"""
    named = [word.rstrip("s") if len(word) > 1 else word for word in condition.split()]
    asked = [_ASKED[word] for word in named if word in _ASKED]
    return all(any(spelling in question for spelling in spellings) for spellings in asked)


def canonical(condition: Tokens) -> str:
    """The condition as text for comparison."""
    return spelled(condition)
