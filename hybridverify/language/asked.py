"""What a question asks for, read once: a percentage, a unit, an order, the expressions to be worked out.

`read_question(question)` gives an `Asked`, kept for the next response to the same question. Everything here is read
off the question's own words and is bounded; a question that says nothing of a kind decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from hybridverify.language import expressions as re
from hybridverify.language.languages import FUNCTION_WORDS, SUMMING
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.lexicon.vocabulary import Vocabulary, words_of
from hybridverify.language.patterns import WORD
from hybridverify.language.question_formulas import amounts, shortened, written
from hybridverify.language.word_forms import singular

_VOCABULARY = Vocabulary("questions")
_MAX_QUESTION, _MAX_COUNTED = 50_000, 300
_BLANK, _SEVERAL = r"_{2,}|\\underline\s?\{(?:\\q?quad|\\hspace|\s)", 2
"""Gaps to fill in: two of them cut a text in three."""
_SENTENCE = re.compile(r"[^.?!。？！\n]{1,2000}[.?!。？！\n]?")
_PERCENT = phrases("phrases", "percent", before=r"(?<!\d)(?<!\d )(?<!\d-)")
_ASKED_IN = re.compile(
    r"\b(?:how many|number of|in|into|to)\s+"
    r"(?:(?:the|total|nearest|closest|whole|full|more|extra|additional|of|terms)\s+){0,3}([a-z]{1,20})\b"
    r"|(?:多少|几)([\u4e00-\u9fff]{1,4})",
    re.IGNORECASE,
)
_POLAR = frozenset(entries("questions", "polar"))
_WHAT, _PLURAL = frozenset(entries("questions", "what")), frozenset(entries("questions", "plural"))
_WANTS = phrases(
    "phrases", "wanting", before=r"(?:(?:^|[,;:]|\b(?:and|then|please|who|what)\b)\s*|(?=[求排写]))"
)
"""A sentence that asks or tells, not one that says what is given."""
_PLACED = re.compile(
    r"\brespectively\b|\bin (?:that|this|the (?:same|given|right|correct|following|above)) order\b|分别"
    r"|\b(?:put|place|arrange|list|sort)\b[^.?!\n]{0,80}\bin (?:\w+ )?order\b|\bordered (?:pair|triple|list|tuple)\b"
    r"|\b(?:first|next|last) (?:\w+ ){1,2}(?:terms|numbers|elements|members|digits|primes)\b"
    r"|\bquotient and (?:the )?remainder\b|\bfirst\b[^.?!\n]{0,60}\bsecond\b[^.?!\n]{0,60}\b(?:third|last)\b"
    r"|\bhow many\b[^.?!\n]{1,60}\band how many\b"
    r"|\b(?:find|determine|compute|give|what (?:is|are)|values? of)(?: the)?(?: values? of)?"
    r"[\s$]{1,3}([a-z])[\s$]{0,3}(?:,[\s$]{0,3}[a-z][\s$]{0,3}){0,3},?[\s$]{0,2}and[\s$]{1,3}[a-z](?![\w'])",
    re.IGNORECASE,
)
"""Items that belong to places: what is asked for first is answered first."""
_DRILL = re.compile(
    r"[^\d.?!。？！]{0,30}\d[\d.,]*(?:\s[^\W\d_]{1,14}\s|\s?[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{1,6}\s?)\d[\d.,]*"
    r"[^\d?？]{0,30}[?？.。]?"
)
"""Two numbers with one word between them, and little else: an exercise in whatever language."""
_AROUND = FUNCTION_WORDS | SUMMING | {"how", "many", "much"}


@dataclass(frozen=True)
class Asked:
    """What one question asks for. Made by `read_question`."""

    question: str

    @cached_property
    def percent(self) -> bool:
        """Whether the asking sentence wants a percentage; "a 20 percent discount" does not.

        >>> read_question("He kept 3 of 4. What percentage is that?").percent
        True
        >>> read_question("What is 20 percent of 5?").percent
        False
        """
        text = self.question
        if "%" not in text and "百分" not in text and "cent" not in text.lower():
            return False  # the usual question, told without cutting it into sentences
        return any(_PERCENT.search(one) and _asks(one) for one in self._sentences)

    @cached_property
    def units(self) -> frozenset[str]:
        """The words that may be the unit an asking sentence wants its answer in; a unit of the story is none of them.

        >>> sorted(read_question("A roll takes 9 minutes. How many hours do 20 take, to the nearest hour?").units)
        ['hour', 'hours']
        """
        found: set[str] = set()
        for sentence in self._sentences:
            if _asks(sentence):
                for word, chinese in _ASKED_IN.findall(sentence):
                    found |= {word} if word else {chinese[:end] for end in range(1, len(chinese) + 1)}
        return frozenset(found)

    @cached_property
    def number(self) -> bool:
        """Whether it asks how many or how much there is of something.

        >>> read_question("How many eggs are left?").number, read_question("Wie viele sind es?").number
        (True, True)
        >>> read_question("When did he die?").number
        False
        """
        return "measuring" in self._kinds or "how_many" in self._kinds

    @cached_property
    def options(self) -> bool:
        """Whether the question speaks of options without listing them in a form we read."""
        return "options" in self._kinds or "a,b,c" in "".join(self._text.lower().split())

    @cached_property
    def yes_no(self) -> bool:
        """Whether a sentence begins as a question that "It is" may answer.

        >>> read_question("Look at the map. Is the mill on it?").yes_no, read_question("Where is the mill?").yes_no
        (True, False)
        """
        return not _POLAR.isdisjoint(self.openings)

    @cached_property
    def decides(self) -> bool:
        """Whether a yes or a no may be what is asked for, in whatever words.

        >>> read_question("Say whether it holds.").decides, read_question("Where is the mill?").decides
        (True, False)
        """
        return self.yes_no or "deciding" in self._kinds

    @cached_property
    def openings(self) -> frozenset[str]:
        """The words on which the clauses begin."""
        return frozenset(map(_first_word, re.split(r"[.?!;:,\n]", self.question[-_MAX_QUESTION:])))

    @cached_property
    def explained(self) -> bool:
        """Whether a reason is asked for, or a way."""
        return "explaining" in self._kinds

    @cached_property
    def several(self) -> bool:
        """Whether several things are asked for: "which towns are", "the members of".

        >>> read_question("Which towns are there?").several, read_question("Which town is it?").several
        (True, False)
        """
        words = WORD.findall(self._text.lower())
        what = (at for at, word in enumerate(words) if word in _WHAT)
        return "listing" in self._kinds or any(not _PLURAL.isdisjoint(words[at + 1 : at + 3]) for at in what)

    @cached_property
    def roughly(self) -> bool:
        """Whether an estimate is asked for, or a rounded number."""
        return "roughly" in self._kinds

    @cached_property
    def direction(self) -> int:
        """1 where items are to be sorted upwards, -1 where downwards, 0 where the question sorts nothing.

        >>> read_question("List 3, 1, 2 in increasing order.").direction
        1
        >>> read_question("The list 3, n, 7 is in increasing order. Find n.").direction
        0
        """
        if "no_order" in self._kinds:
            return 0
        for sentence in self._wanting:
            kinds = kinds_in(sentence)
            if "rising" in kinds or "falling" in kinds:
                return 1 if "rising" in kinds else -1
        return 0

    @cached_property
    def ordered(self) -> bool:
        """Whether the answer's items have an order: sorted, a sequence, or placed as they are asked for.

        >>> read_question("What are x and y, respectively?").ordered
        True
        >>> read_question("Find the roots, in any order.").ordered
        False
        """
        if self.direction or len(re.split(_BLANK, self._text)) > _SEVERAL:
            return True
        return "no_order" not in self._kinds and any(map(_PLACED.search, self._wanting))

    @cached_property
    def counted(self) -> frozenset[str]:
        """The words of the sentence that asks how many or how much, without endings and without words that only
        hold it together.

        >>> sorted(read_question("Ann buys 4 more. How many apples does Ann have now?").counted)
        ['ann', 'apple', 'doe']
        """
        asking = [sentence for sentence in self._sentences if "measuring" in kinds_in(sentence)]
        if len(asking) != 1:
            return frozenset()
        words = WORD.findall(asking[0][-_MAX_COUNTED:].lower())
        return frozenset(map(singular, words)) - _AROUND

    @cached_property
    def formulas(self) -> tuple[str, ...]:
        r"""The expressions that the question may want worked out, as written; none where it lets one choose.

        >>> read_question(r"Compute $17\cdot 23$.").formulas, read_question("What is 12 + 30?").formulas
        (('17\\cdot 23',), ('12 + 30',))
        >>> read_question("Which is larger, 3/7 or 4/9?").formulas, read_question("Convert 5 km to m.").formulas
        ((), ('5 km', '5'))
        """
        return () if "choosing" in self._kinds else self.expressions

    @cached_property
    def expressions(self) -> tuple[str, ...]:
        """All expressions of the question, as written."""
        found = written(self._text)
        if self.renotates or "measuring" in self._kinds:
            found += amounts(self._text, alone=self.renotates)
        return shortened(found)

    @cached_property
    def calculates(self) -> bool:
        """Whether a sentence tells to calculate, or to convert: "the sum of 52 and 204", "25 % of 1040".

        >>> read_question("8 mal 9 ist was?").calculates, read_question("There are 8 boxes of 9 eggs.").calculates
        (True, False)
        """
        if "converting" in self._kinds or _DRILL.fullmatch(self._text.strip()):
            return True
        return any(
            kinds_in(one.replace("%", " percent ")) >= {"calculating", "operation"} for one in self._sentences
        )

    @cached_property
    def simplest(self) -> bool:
        """Whether like terms are to be put together."""
        return not self._kinds.isdisjoint(("simplest", "expanding", "converting", "lowest_terms"))

    @cached_property
    def lowest_terms(self) -> bool:
        """Whether a fraction is to be reduced."""
        return not self._kinds.isdisjoint(("lowest_terms", "converting"))

    @cached_property
    def rewrites(self) -> bool:
        """Whether what is asked for may be a number of the question in another form."""
        return self.speaks_of("rewriting")

    @cached_property
    def renotates(self) -> bool:
        """The same, or a notation is named: "What is 3/8 as a decimal?", "the prime factorization of 60"."""
        return self.rewrites or self.speaks_of("notation")

    def speaks_of(self, *kinds: str) -> bool:
        """Whether the question has words of one of these kinds of `lexicon/questions.toml`."""
        said = self._said
        if said is not None and not _VOCABULARY.may_hold(said, *kinds):
            return False
        return not self._kinds.isdisjoint(kinds)

    @cached_property
    def _said(self) -> frozenset[str] | None:
        """The words of a question in ASCII; None for any other."""
        low = self._text.lower()
        return frozenset(words_of(low)) if low.isascii() else None

    @cached_property
    def _kinds(self) -> frozenset[str]:
        return kinds_in(self._text)

    @cached_property
    def _text(self) -> str:
        return self.question[:_MAX_QUESTION]

    @cached_property
    def _wanting(self) -> list[str]:
        return [sentence for sentence in self._sentences if _wants(sentence.strip())]

    @cached_property
    def _sentences(self) -> list[str]:
        return _SENTENCE.findall(self._text)


@lru_cache(maxsize=512)  # what a sentence says is asked for more than one reason
def kinds_in(text: str) -> frozenset[str]:
    """The kinds of words in a part of a question."""
    return frozenset(_VOCABULARY.of(text.lower()))


def _wants(sentence: str) -> bool:
    return sentence.endswith(("?", "？")) or _WANTS.search(sentence) is not None


def _asks(sentence: str) -> bool:
    return sentence.endswith(("?", "？")) or "asking" in kinds_in(sentence)


def _first_word(sentence: str) -> str:
    first = WORD.match(sentence.strip().lower())
    return first.group() if first else ""


@lru_cache(maxsize=512)
def read_question(question: str) -> Asked:
    """What a question asks for; the same object for the same text, while it is kept."""
    return Asked(question)
