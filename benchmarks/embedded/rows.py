"""Human-labelled answers of question sets, and the folds: a question, or one nearly alike, is on one side only."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from hybridverify.judges.embedded.overlap import plain_words

FILES = {"nq": "qa_evouna_nq.jsonl", "tq": "qa_evouna_tq.jsonl", "nq301": "qa_nq301_human.jsonl"}
FOLDS = 3
_ALIKE = 0.75  # shared words of all words: such questions count as one
_COMMON = 60  # a word in more questions than this finds no neighbours


@dataclass(frozen=True)
class Row:
    """One answer. `origin` is the set it is from, or `made:<kind>` of what is constructed from one."""

    question: str
    references: tuple[str, ...]
    response: str
    label: bool
    origin: str
    fold: int = -1


def load(folder: Path, seed: int = 0) -> list[Row]:
    """All labelled rows, each with its fold."""
    rows = [
        Row(row["question"], (row["gold"],), row["response"], bool(row["label"]), name)
        for name, file in FILES.items()
        for row in map(json.loads, (folder / file).read_text("utf-8").splitlines())
    ]
    folds = folds_of([row.question for row in rows], seed)
    return [Row(**{**vars(row), "fold": folds[row.question]}) for row in rows]


def folds_of(questions: list[str], seed: int) -> dict[str, int]:
    """A fold for each question; questions that are alike share it."""
    distinct = sorted(set(questions))
    group = list(range(len(distinct)))

    def root(at: int) -> int:
        while group[at] != at:
            at = group[at]
        return at

    for one, other in _alike([frozenset(plain_words(question)) for question in distinct]):
        group[root(one)] = root(other)
    roots = sorted({root(at) for at in range(len(distinct))})
    random.Random(seed).shuffle(roots)
    fold = {at: place % FOLDS for place, at in enumerate(roots)}
    return {question: fold[root(at)] for at, question in enumerate(distinct)}


def _alike(words: list[frozenset[str]]) -> list[tuple[int, int]]:
    holders: dict[str, list[int]] = defaultdict(list)
    for at, held in enumerate(words):
        for word in held:
            holders[word].append(at)
    pairs = {
        (one, other)
        for having in holders.values()
        if len(having) <= _COMMON
        for place, one in enumerate(having)
        for other in having[place + 1 :]
    }
    return sorted(
        (one, other)
        for one, other in pairs
        if len(words[one] & words[other]) >= _ALIKE * len(words[one] | words[other])
    )
