"""Reads a judge's reply: strictly, and in the same steps for all families.

Remove the thinking, invisible characters and bold marks, take the label from the place where the family puts it, and
compare it with the whole words of its menu. Anything else is `unparseable`: never 0, never a pass. The families' own
rules are beside their prompts in presets/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from hybridverify.judges.folding import stripped
from hybridverify.language import expressions as re
from hybridverify.language.pieces import runs
from hybridverify.types import Outcome

Read = Callable[[str], "Reading"]
"""The rule of a family: from the cleaned final part of a reply to a reading."""

_THINK_TAG = re.compile(r"<(/?)(?:think|thinking)>", re.IGNORECASE)
_END_TOKENS, _BARS = ("</s>", "<eos>", "<end_of_turn>"), "|｜"
_LONGEST_NAME = 40
_CUT = "..."
_EDGES = " \t\r\n.,:;!'\"`*_~#|()[]{}<>$“”‘’«»-–—"
_WRAPPED = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf|fbox)\s*\{([^{}]*)\}")
# After the label comes the end of the line or punctuation: "No doubt" and "Yes-ish" do not begin with a label.
_LEADING_WORD = re.compile(r"[^\w\s\\]{0,8}\s{0,8}([^\W_]+)(?:\s*$|\s*[^\w\s–—-]|\s+[–—-])")


class Reading(NamedTuple):
    """The content of a reply: an outcome and its score, or the reason why it could not be read."""

    outcome: Outcome
    score: float = 0.0
    reason: str = ""


def unparseable(reason: str) -> Reading:
    """A reply that holds no single label."""
    return Reading(Outcome.UNPARSEABLE, 0.0, reason)


def read_reply(read: Read, text: str, *, cut: bool = False, thinks: bool = False) -> Reading:
    """Read one reply. `cut`: it ended at the length limit. `thinks`: this family thinks before it answers.

    >>> menu = Menu(correct=("True",), incorrect=("False",))
    >>> read_reply(menu.whole, "<think>False?</think> **True**").outcome
    <Outcome.CORRECT: 'correct'>
    """
    final = final_part(text)
    if final is None or (cut and thinks and "</think" not in text.casefold()):
        return unparseable("the reply ends inside its thinking")
    cleaned = _without_end_tokens(stripped(final))
    if not cleaned:
        return unparseable("the reply was cut before its label" if cut else "the reply is empty")
    return _read_cut(read, cleaned) if cut else read(cleaned)


def _read_cut(read: Read, cleaned: str) -> Reading:
    if cleaned[-1].isdigit():
        cleaned = cleaned.rstrip("0123456789.") + _CUT  # 8/1 was going to be 8/10
    reading = read(cleaned)
    if reading.outcome is Outcome.UNPARSEABLE:
        return unparseable(f"the reply was cut by length: {reading.reason}")
    return reading


def final_part(text: str) -> str | None:
    """The text after the last closed thinking part; None if thinking was opened and not closed.

    >>> final_part("<think>a</think> b"), final_part("a</think> b"), final_part("<think>a")
    (' b', ' b', None)
    """
    start, is_open = 0, False
    for tag in _THINK_TAG.finditer(text):
        is_open = not tag[1]
        if not is_open:
            start = tag.end()
    return None if is_open else text[start:]


def _without_end_tokens(text: str) -> str:
    """The text without tokens such as `<|im_end|>`, which some engines leave at its end."""
    for _ in range(4):
        text = text.strip()
        start = text.rfind("<")
        if start < 0 or not _is_end_token(text[start:]):
            break
        text = text[:start]
    return text


def _is_end_token(token: str) -> bool:
    if token in _END_TOKENS:
        return True
    name = token[2:-2]
    between_bars = token[1:2] in _BARS and token[-2:-1] in _BARS and token[-1] == ">"
    return (
        between_bars
        and 0 < len(name) <= _LONGEST_NAME
        and name.split() == [name]
        and set(name).isdisjoint(">|｜")
    )


@dataclass(frozen=True)
class Menu:
    """The label words of a family. They are compared as whole words, without regard to case.

    >>> Menu(correct=("Correct",), incorrect=("Incorrect",)).whole("[Incorrect].").outcome
    <Outcome.INCORRECT: 'incorrect'>
    """

    correct: tuple[str, ...]
    incorrect: tuple[str, ...]
    invalid: tuple[str, ...] = ()

    def outcome(self, text: str) -> Outcome | None:
        """The outcome of a text that is one word of the menu, apart from brackets, quotes and full stops."""
        return self._words.get(bare(text).casefold())

    @cached_property
    def _words(self) -> Mapping[str, Outcome]:
        words = {bare(word).casefold(): Outcome.CORRECT for word in self.correct}
        words |= {bare(word).casefold(): Outcome.INCORRECT for word in self.incorrect}
        return words | {bare(word).casefold(): Outcome.INVALID for word in self.invalid}

    def whole(self, text: str) -> Reading:
        """Label-only form: the reply is only the label."""
        outcome = self.outcome(text)
        if outcome is not None:
            return self.reading(outcome)
        lines = {self.outcome(line) for line in text.splitlines()} - {None}
        return unparseable("two different verdicts" if len(lines) > 1 else "the reply is no label")

    def after(self, text: str, *headings: str, last: bool = False) -> Reading:
        """The label after the last heading. Labels after earlier ones must agree, unless `last` is the rule."""
        readings = [self.leading(label) for label in after_headings(text, *headings)]
        if not readings:
            return unparseable(f"no {headings[0]!r} in the reply")
        if last or readings[-1].outcome is Outcome.UNPARSEABLE:
            return readings[-1]
        # "Model answer: 5" in the reasoning is a heading without a label, not a verdict.
        return self.agree([reading for reading in readings if reading.outcome is not Outcome.UNPARSEABLE])

    def leading(self, text: str) -> Reading:
        """The label that a line begins with: 'No, 3 is not 4' is No; 'No doubt' and 'Yes or No' have none."""
        outcome = self.outcome(text)
        if outcome is not None:
            return self.reading(outcome)
        line = unwrap(text)
        first = _LEADING_WORD.match(line)
        outcome = self._words.get(first[1].casefold()) if first else None
        if outcome is None:
            return unparseable("no label after its heading")
        if self.named(line) - {outcome}:
            return unparseable("two different verdicts")
        return self.reading(outcome)

    def named(self, text: str) -> set[Outcome]:
        """The outcomes whose words stand anywhere in a text. Words of one letter count only as capitals, because of
        "a"."""
        found = (word for word in runs(text) if len(word) > 1 or word.isupper())
        return {self._words[word.casefold()] for word in found if word.casefold() in self._words}

    @staticmethod
    def agree(readings: Sequence[Reading]) -> Reading:
        """The reading, if all are the same; else none."""
        if len({reading.outcome for reading in readings}) > 1:
            return unparseable("two different verdicts")
        return readings[-1]

    def closing(self, text: str) -> Reading:
        """The label as a sentence of its own at the very end: 'the numbers differ. No'."""
        head, label = _last_word(text)
        outcome = self.outcome(label)
        if outcome is None or (head and head[-1] not in ".!?:;\n"):
            return unparseable("the reply does not end in a label")
        return self.reading(outcome)

    def anywhere(self, text: str) -> Reading:
        """The only marked label in a reply, such as [[A=B]], wherever it stands."""
        found = {self._words[bare(match).casefold()] for match in self._marked.findall(text)}
        if len(found) != 1:
            return unparseable("two different verdicts" if found else "no label in the reply")
        return self.reading(found.pop())

    @cached_property
    def _marked(self) -> re.Pattern[str]:
        labels = sorted((*self.correct, *self.incorrect, *self.invalid), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, labels)), re.IGNORECASE)

    def reading(self, outcome: Outcome) -> Reading:
        """The reading of a label. A yes/no judge's score is 0 or 1."""
        words = {Outcome.CORRECT: self.correct, Outcome.INCORRECT: self.incorrect}.get(outcome, self.invalid)
        return Reading(outcome, float(outcome is Outcome.CORRECT), f"the judge says {words[0]}")


def bare(text: str) -> str:
    """`text` without the brackets, quotes, marks and full stops around it."""
    return unwrap(text).strip(_EDGES)


def unwrap(text: str) -> str:
    r"""`text` without TeX wrappers such as \boxed{...} and \text{...}."""
    for _ in range(3):  # \boxed{\text{A}}: a few layers at most
        text, changed = _WRAPPED.subn(r" \1 ", text)
        if not changed:
            break
    return text


def _last_word(text: str) -> tuple[str, str]:
    stripped = text.rstrip(_EDGES)
    start = len(stripped)
    while start and (stripped[start - 1].isalnum() or stripped[start - 1] == "\\"):
        start -= 1
    return stripped[:start].rstrip(" \t'\"`*_([{“‘"), stripped[start:]


def after_headings(text: str, *headings: str) -> Iterator[str]:
    """The text after each occurrence of a heading: the rest of its line or, if that is blank, the next line.

    A heading counts only at the start of a word: "downgrade:" is not "grade:".
    """
    pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, headings))})", re.IGNORECASE)
    matches = list(pattern.finditer(text))
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        lines = [line for line in text[match.end() : end].splitlines() if line.strip(_EDGES)]
        yield lines[0] if lines else ""
