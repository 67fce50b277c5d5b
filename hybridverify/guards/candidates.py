"""Answers that name several candidates: "Ulm? Bonn?", "1. Ulm 2. Bonn", "Some say Ulm, some say Bonn".

A judge finds the right candidate among them and says yes. So the answer is cut where any language divides (lines,
numbering, bullets, ends of sentences, semicolons), and each part is held against the part with the reference. A part
is a rival if it says the same about another thing: beside a bare reference a bare candidate of the same kind, else
the same words around another candidate. A part that tells more about the reference ("Ulm. It lies on the Danube.")
has other words around it and is no rival.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from hybridverify.gate.fold import folded
from hybridverify.guards.choices import offered
from hybridverify.guards.initials import is_short_for
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.joining import AND, CLAUSES, OR
from hybridverify.language.languages import FUNCTION_WORDS, PREDICATES, PRONOUNS
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import COMMAND, SPELLED_WORD, WORD
from hybridverify.language.pieces import pieces
from hybridverify.language.text import place_of

_MAX_TEXT = 4_000
_MAX_PARTS = 400
_MOST_WORDS = 8
"""The most words of a bare candidate."""
_NUMBERING = r"(?:^|(?<=\s)|(?<=\{))(?:\(?(?:\d{1,2}|[a-h]|[ivx]{1,4})[.)]|[-*•·✓✔✗➤→>#①-⑳]+)(?=\s)"
_FULL_STOP = "".join(rf"(?<!\b{title})" for title in entries("english", "title")) + r"(?<!\b\w)\.(?=[\s*]|$)"
"""The end of a sentence, but not of an abbreviation."""
_CUTS = re.compile(
    rf"\n+|\t+|{_NUMBERING}|[;|；。！？…]+|\.{{2,}}|[!?]+(?=[\s*]|$)|{_FULL_STOP}|\s[-–—]+\s|(?<=\w)·(?=\w)",
    re.MULTILINE,
)
_LISTING = AND | OR
_JOINING = _LISTING | {"plus", "vs", "versus"}
_LIST_SIGNS, _JOINING_SIGNS = ",;\n/", "/=&"
_LONG_JOINTS = (" as well as ", " + ")
_ONE_OF = phrases("phrases", "one_of", before=r"^\W*", after=r"\s*[:,]?\s+")
_MOST_JOINED = 400
"""The most words of a text that may consist of candidates alone."""
_RELATIONS, _OPERATORS = frozenset("=<>≤≥≈"), frozenset("-+*/^")
ROW = 6
"""So many capitalised words in a row are not the name of one thing."""
_SPOKEN_SIGNS = ",;:.()"
JOINING = CLAUSES.union(_JOINING, ("well",))  # of "as well as"
_ANY_SIGN = frozenset(",;:.()\n/=&+")
_LINE_ENDS = ("<br>", "<br/>", "<br />", "=>")
_MARKUP = re.compile(r"\\(?:boxed|text|fbox)\s*\{|</?\w+>|\*\*|[{}\"`]")


Words: TypeAlias = tuple[str, ...]


class Part(NamedTuple):
    """A part of the answer: its words as written, and folded."""

    written: Words
    words: Words

    def begins_upper(self, word: str) -> bool:
        """Whether this folded word is written with a capital."""
        return self._spelling(word)[:1].isupper()

    def _spelling(self, word: str) -> str:
        return next((one for one in reversed(self.written) if word in folded(one)), word)


class Frame(NamedTuple):
    """The words of a part around the reference, and whether the reference is a name there."""

    before: Words
    after: Words
    reference: Words
    name: bool


def offers_several(answer: str, references: Sequence[str], question: str = "") -> bool:
    """Whether a part of the answer names another candidate in the place of the reference.

    >>> offers_several("1. Bonn 2. Ulm", ["Ulm"]), offers_several("Some say Ulm, some say Bonn.", ["Ulm"])
    (True, True)
    >>> offers_several("Ulm. It lies on the Danube.", ["Ulm"]), offers_several("Ulm, Germany", ["Ulm"])
    (False, False)
    """
    text = answer[:_MAX_TEXT]
    for sign in filter(answer.__contains__, _LINE_ENDS):
        text = text.replace(sign, "\n")
    text = _MARKUP.sub(" ", text)
    if "%" in text and not any(map(str.isdigit, "".join(references))):
        text = _cut_at_shares(text)
    asked, said = frozenset(folded(question)) - offered(question), folded(text)
    found = _named(said, references)
    if not found or said in found or read_question(question).several or _are_several(found):
        return False
    joined = _may_join(text)
    return (
        _among_parts(_parts(_CUTS.split(text, maxsplit=_MAX_PARTS)), found, asked)
        or (joined and _among_parts(_parts(pieces(text, _SPOKEN_SIGNS, CLAUSES)), found, asked, spoken=True))
        or (not _calculates(text) and _is_nothing_else(text, said, found, asked, joined))
    )


def _cut_at_shares(text: str) -> str:
    """ "Ulm 60%, Bonn (40%)" as "Ulm ; Bonn ;": how sure the text is of a name is no part of it."""
    return " ".join(";" if word.rstrip("),.;").endswith("%") else word for word in text.split(" "))


def _may_join(text: str) -> bool:
    """A quick look for a sign or a word that joins candidates, before the end of the text."""
    if not _ANY_SIGN.isdisjoint(text.rstrip(" .\n")):
        return True
    return not JOINING.isdisjoint(WORD.findall(text.lower()))


def _calculates(text: str) -> bool:
    """Whether the text has a calculation or a relation: numbers beside each other there are no candidates."""
    if not _RELATIONS.isdisjoint(text) or COMMAND.search(text):
        return True
    return any(one.isdigit() and other in _OPERATORS for one, other in pairwise("".join(text.split())))


def _named(said: Words, references: Sequence[str]) -> list[Words]:
    """The spellings of the references that stand in the text."""
    return [one for one in _spellings(tuple(references)) if place_of(one, said) >= 0]


def _is_nothing_else(
    text: str, said: Words, found: Sequence[Words], asked: frozenset[str], joined: bool
) -> bool:
    """Whether the whole text is a list of candidates."""
    if joined and len(said) <= _MOST_JOINED and _joins_bare(text, found, asked):
        return True
    return _joins_numbers(said, found, asked) or _is_run_of_names(text, found)


@lru_cache(maxsize=512)  # a group shares its references
def _spellings(references: tuple[str, ...]) -> frozenset[Words]:
    spelled = [_MARKUP.sub(" ", reference) for reference in references]
    return frozenset(folded(one) for one in alternatives(spelled))


def _are_several(found: Sequence[Words]) -> bool:
    """Whether the references have no word in common. Then they are several answers, and a list of some holds no
    rival."""
    return any(set(one).isdisjoint(other) for one in found for other in found)


def _joins_bare(text: str, found: Sequence[Words], asked: frozenset[str]) -> bool:
    """ "Ulm and Bonn", "Ulm versus Bonn", "one of Ulm, Bonn": only candidates."""
    lead = _ONE_OF.match(text)
    cut = pieces(text[lead.end() :], _LIST_SIGNS, _LISTING) if lead else _joined(text)
    parts = _without_prose(_parts(cut))
    frames = (frame for part in parts for frame in _frames(part, found))
    return all(not frame.before and not frame.after for frame in frames) and _among_parts(parts, found, asked)


def _without_prose(parts: Sequence[Part]) -> list[Part]:
    """The bare parts; where one is a clause, the clauses and single words alone."""
    clause = any(map(_is_clause, parts))
    return [_bare(part) for part in parts if not clause or _is_clause(part) or len(part.words) == 1]


def _joined(text: str) -> list[str]:
    for joint in _LONG_JOINTS:
        text = text.replace(joint, " & ")
    return pieces(text, _JOINING_SIGNS, _JOINING)


def _is_clause(part: Part) -> bool:
    """ "it rises": then the reference is a verb, and "the volume falls" tells of something else."""
    first, second = (*part.words[:2], "", "")[:2]
    return first in PRONOUNS and second not in PREDICATES


def _bare(part: Part) -> Part:
    """The part without the words that lead to the candidate: "maybe Ulm", "it is Ulm"."""
    lead = next((at for at, word in enumerate(part.words) if word not in PREDICATES), 0)
    return Part(part.written, part.words[lead:])


def _is_run_of_names(text: str, found: Sequence[Words]) -> bool:
    """Whether the text is only capitalised words, several times as many as in a name: "Ole Gant Hanna Brisk Maud
    Hollis"."""
    words = text.split()
    longest = max(map(len, found))
    return len(words) >= max(ROW, 3 * longest) and all(
        word[:1].isupper() and word.isalpha() for word in words
    )


def _joins_numbers(said: Words, found: Sequence[Words], asked: frozenset[str]) -> bool:
    """Whether there are two numbers of a kind and the reference is one: "between 1887 and 1916", "1887, also 1891"."""
    if not all(len(one) == 1 and one[0].isdigit() for one in found):
        return False
    numbers = set(filter(str.isdigit, said))
    like = {word for word in numbers - asked if len(word) == len(found[0][0])}
    return len(like) > 1 and set(said) <= numbers | FUNCTION_WORDS | asked


def _parts(cut: Sequence[str]) -> list[Part]:
    """The pieces that hold words, or none where nothing divides the text."""
    worded = [piece for piece in cut if SPELLED_WORD.search(piece)]
    if len(worded) < 2:
        return []
    return [Part(tuple(SPELLED_WORD.findall(piece)), folded(piece)) for piece in worded[: _MAX_PARTS + 1]]


def _among_parts(
    parts: Sequence[Part], wanted: Sequence[Words], asked: frozenset[str], spoken: bool = False
) -> bool:
    for part in parts:
        for frame in _frames(part, wanted):
            told = len(frame.before) > 1 or not spoken
            if told and any(_is_rival(other, frame, asked) for other in parts if other is not part):
                return True
    return False


def _frames(part: Part, wanted: Sequence[Words]) -> Iterator[Frame]:
    """Where each reference stands in the part, and the words around it."""
    for sought in wanted:
        at = place_of(sought, part.words)
        if at >= 0:
            yield Frame(part.words[:at], part.words[at + len(sought) :], sought, _is_name(sought, part))


def _is_name(sought: Words, part: Part) -> bool:
    return any(map(part.begins_upper, (word for word in sought if word not in FUNCTION_WORDS)))


def _is_rival(other: Part, frame: Frame, asked: frozenset[str]) -> bool:
    """Whether the part says of another candidate what the part of the frame says of the reference."""
    inner = _within(other.words, frame)
    if inner is None or set(frame.reference) <= set(other.words):
        return False
    if len(inner) > _MOST_WORDS or not PREDICATES.isdisjoint(inner):
        return False
    new = [word for word in inner if word not in FUNCTION_WORDS]
    if is_short_for(new, frame.reference):
        return False
    return not asked.union(frame.reference).issuperset(new) and _is_of_its_kind(new, other, frame)


def _is_of_its_kind(new: Sequence[str], other: Part, frame: Frame) -> bool:
    """Whether the words are of the reference's kind: a number for a number, a name for a name, else about as many
    words."""
    if _has_digits(frame.reference) and not _has_digits(new):
        return False
    if not frame.name:
        return len(new) <= len(frame.reference) + 2
    return all(word[:1].isdigit() or other.begins_upper(word) for word in new)


def _has_digits(words: Sequence[str]) -> bool:
    return any(map(str.isdigit, words))


def _within(words: Words, frame: Frame) -> Words | None:
    """The words in the place of the reference, if the words around them are those of the frame. One may differ."""
    size, last = len(frame.before), len(frame.after)
    if len(words) <= size + last:
        return None
    before, after = words[:size], words[len(words) - last :] if last else ()
    if not _alike(before, frame.before) or not _alike(after, frame.after):
        return None
    return words[size : len(words) - last]


def _alike(one: Words, other: Words) -> bool:
    """Whether the words are equal, or one of several differs: "some say" and "others say"."""
    different = sum(first != second for first, second in zip(one, other, strict=True))
    return different == 0 or (different == 1 and len(one) > 1)
