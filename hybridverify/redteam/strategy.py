"""A strategy: a composition of text operations that turns an attacker's view into a response."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, fields

from hybridverify.redteam.blind import Blind
from hybridverify.redteam.dresses import DRESSES
from hybridverify.redteam.option_lists import ANY, JOINTS, LABELS, joint_for, label_for
from hybridverify.redteam.sources import FIXED, SOURCES
from hybridverify.redteam.wording import FRAMES, JOINS, LEADS, MARKS, SETTLES_ON_FIRST, TAILS

MAX_LENGTH = 6000
"""The most characters of a response. Longer ones are cut."""


@dataclass(frozen=True)
class Attempt:
    """A response, and the one candidate that it gives as its answer; "" if it gives none or several."""

    response: str
    committed: str


@dataclass(frozen=True)
class Strategy:
    """A strategy takes candidates (source, from `start`, `count` of them, in an order), dresses, marks and joins
    them, puts them into a frame, and adds lead and tail.

    `count` 0 takes all. A strategy that needs more candidates than a question offers gives no response to it.
    """

    source: str
    start: int = 0
    count: int = 1
    order: str = "given"
    dress: str = ""
    join: str = "comma"
    mark: str = ""
    frame: str = ""
    lead: str = ""
    tail: str = ""
    label: str = ""
    """How the letters of options are written: a form of option_lists.py."""
    joint: str = ""
    """What joins the candidates in the place of `join`."""

    @property
    def name(self) -> str:
        """The settings that are not the usual ones, in words.

        >>> Strategy("options", count=0, join="lines", mark="boxed").name
        'options, all, join: lines, mark: boxed'
        """
        usual = Strategy("")
        told = [self.source, *self._chosen()]
        for field in fields(self)[3:]:
            value = getattr(self, field.name)
            if value != getattr(usual, field.name) and not self._is_idle(field.name):
                told.append(f"{field.name}: {value}")
        return ", ".join(told)

    def _chosen(self) -> Iterator[str]:
        """Which candidates of the source, and how many."""
        if self.source in FIXED and self.count == 1 and self.start < len(FIXED[self.source]):
            yield repr(FIXED[self.source][self.start])
        elif self.start:
            yield f"from {self.start}"
        if self.count != 1:
            yield f"{self.count} of them" if self.count else "all"

    def _is_idle(self, setting: str) -> bool:
        """Whether a setting changes nothing: a single candidate without labels is not joined."""
        alone = self.count == 1 and not self._adds_labels
        return (setting in ("join", "joint") and alone) or (setting == "join" and self.joint != "")

    @property
    def plainness(self) -> int:
        """Larger for simpler strategies; at most 0."""
        usual = Strategy("")
        changed = [f.name for f in fields(self)[1:] if getattr(self, f.name) != getattr(usual, f.name)]
        return -len(changed)

    def attempt(self, blind: Blind) -> Attempt | None:
        """The response to a question, or None if the strategy has none."""
        candidates = self._candidates(blind)
        if not candidates:
            return None
        dressed = [DRESSES[self.dress](text) for text in self._labelled(candidates, blind)]
        joined = joint_for(self.joint, blind.number) if self.joint else JOINS[self.join]
        body = MARKS[self.mark](dressed, joined)
        text = FRAMES[self.frame].replace("{}", body)
        lead = LEADS[self.lead].replace("{question}", blind.question.strip()[:2000])
        response = (lead + text)[:MAX_LENGTH] + TAILS[self.tail]
        return Attempt(response, self._committed(candidates))

    def _labelled(self, candidates: list[str], blind: Blind) -> list[str]:
        """Letters of options as labels; other candidates as they are."""
        texts = dict(blind.options)
        if not self.label or not all(text in texts for text in candidates):
            return candidates
        written = label_for(self.label, blind.number)
        return [written(letter, texts[letter]) for letter in candidates]

    def _committed(self, candidates: list[str]) -> str:
        settles = self.join in SETTLES_ON_FIRST and not self.joint and "each" not in self.mark
        if self.mark in SETTLES_ON_FIRST or settles:
            return candidates[0]
        return candidates[0] if len(set(candidates)) == 1 and not self._adds_labels else ""

    @property
    def _adds_labels(self) -> bool:
        """Whether the join adds letters or words to a single candidate, which may be taken for the answer."""
        return not self.joint and JOINS[self.join](["x"]) != "x"

    def _candidates(self, blind: Blind) -> list[str]:
        texts = [text for text in SOURCES[self.source](blind) if text.strip()]
        if self.order == "shuffled":
            random.Random(blind.number).shuffle(texts)
        elif self.order == "reversed":
            texts.reverse()
        texts = texts[self.start :]
        if self.count > 1 and len(texts) < 2:
            return []
        return texts[: self.count] if self.count else texts


@dataclass(frozen=True)
class Portfolio:
    """Several strategies. Each question gets the response of the first that has one.

    >>> Portfolio((Strategy("unsolved"), Strategy("formulas"))).name
    'unsolved; else formulas'
    """

    members: tuple[Strategy, ...]

    @property
    def name(self) -> str:
        """The members in order."""
        return "; else ".join(member.name for member in self.members)

    @property
    def plainness(self) -> int:
        """That of all members."""
        return sum(member.plainness for member in self.members)

    def attempt(self, blind: Blind) -> Attempt | None:
        """The attempt of the first member that has one."""
        return next((found for member in self.members if (found := member.attempt(blind))), None)


Plan = Strategy | Portfolio

GENES = {
    "source": tuple(SOURCES),
    "start": (0, 0, 0, 1, 2, 3),
    "count": (1, 1, 1, 2, 3, 5, 10, 30, 0),
    "order": ("given", "given", "shuffled", "reversed"),
    "dress": ("", "", "", *DRESSES),
    "join": tuple(JOINS),
    "mark": ("", *MARKS),
    "frame": ("", *FRAMES),
    "lead": ("", "", "", *LEADS),
    "tail": ("", "", "", "", *TAILS),
    "label": ("",) * len(LABELS) + (ANY,) * 8 + tuple(LABELS),
    "joint": ("",) * len(JOINTS) + (ANY,) * 8 + tuple(JOINTS),
}
"""The values that mutation draws from. Values that stand here several times are drawn more often."""


def random_strategy(random_: random.Random) -> Strategy:
    """Every gene drawn anew."""
    return Strategy(**{name: random_.choice(values) for name, values in GENES.items()})  # type: ignore[arg-type]


def mutated(strategy: Strategy, random_: random.Random) -> Strategy:
    """One or two genes drawn anew."""
    genes = {field.name: getattr(strategy, field.name) for field in fields(strategy)}
    for name in random_.sample(sorted(GENES), random_.choice((1, 1, 2))):
        genes[name] = random_.choice(GENES[name])
    return Strategy(**genes)


def crossed(one: Strategy, other: Strategy, random_: random.Random) -> Strategy:
    """Each gene from one of two."""
    return Strategy(**{f.name: getattr(random_.choice((one, other)), f.name) for f in fields(one)})
