r"""The option that a sentence chooses: "I think it's (B).", "Option B is right", "this rules out C, leaving D".

Separate from choice_letter.py, which reads a letter that stands by itself, because here every option that the sentence
names is looked at: all but one have to be denied, and that one has to be chosen in so many words.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.answers import retraction
from hybridverify.answers.choice_claims import CHOSEN, Claim, State, claims_of
from hybridverify.answers.choice_flat import flat
from hybridverify.answers.choice_sides import ends_after, is_denied_by_sign
from hybridverify.answers.sentences import SENTENCES
from hybridverify.language import claims
from hybridverify.language.languages import FUNCTION_WORDS, PREDICATES
from hybridverify.language.patterns import WORD

_MAX_SENTENCE = 300
_BREAKS_OFF = ".."
_ARTICLES = FUNCTION_WORDS - PREDICATES
_LETTERS = frozenset("ABCDEFGHIJ")
_STOPS = claims.kinds(
    "contracted refuted opposite unsure believed modal conditional obliged supposed or several extreme first "
    "others asked"
)


def chosen_letter(text: str, clear: bool) -> str:
    """The letter of the one option that the last sentence of a text chooses, "" where none or several stand.

    `clear`: the letter has to be named as an option, in brackets or as "option B".

    >>> chosen_letter("I think it's (B).", True), chosen_letter("That rules out C, leaving D", False)
    ('B', 'D')
    >>> [chosen_letter(text, True) for text in ("I think (B) or (C)", "It is not (B).", "See (B).")]
    ['', '', '']
    >>> chosen_letter("C. B.", False)
    ''
    """
    *earlier, sentence = _last_sentences(text) or [""]
    if claims.holds(sentence, _STOPS) or _is_reopened(sentence):
        return ""
    plain = flat(sentence)
    live = [one for one in claims_of(plain) if one.state is not State.DENIED]
    return _only_chosen(plain, live, _alone(earlier), clear) if live else ""


def _only_chosen(plain: str, live: Sequence[Claim], others: frozenset[str], clear: bool) -> str:
    """The letter of the options in a sentence where all are one, and chosen in so many words."""
    letters = others.union(one.letter for one in live)
    if len(letters) != 1 or _BREAKS_OFF in plain[live[-1].label.end :]:
        return ""
    chosen = any(_is_chosen(plain, one) for one in live if one.label.clear or not clear)
    return live[0].letter if chosen else ""


def _is_chosen(plain: str, one: Claim) -> bool:
    before = plain[: one.label.start]
    if is_denied_by_sign(before):
        return False
    opens = _ARTICLES.issuperset(WORD.findall(before.lower()))
    return one.state in CHOSEN or (opens and ends_after(plain, one.label.end))


def _alone(sentences: Sequence[str]) -> frozenset[str]:
    """The options that are sentences of their own."""
    bare = ("".join(filter(str.isalnum, sentence)) for sentence in sentences if "?" not in sentence)
    return _LETTERS.intersection(bare)


def _last_sentences(text: str) -> list[str]:
    """The sentences of the last line; none if the last one is too long."""
    line = text.strip().rpartition("\n")[2]
    sentences = [part for part in SENTENCES.split(line[-2 * _MAX_SENTENCE :]) if any(map(str.isalnum, part))]
    return sentences if sentences and len(sentences[-1]) <= _MAX_SENTENCE else []


def _is_reopened(sentence: str) -> bool:
    low = sentence.lower()
    return retraction.given_up(low) >= 0 or retraction.reopened(low) >= 0
