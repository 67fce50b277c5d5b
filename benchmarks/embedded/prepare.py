"""Token ids of all rows, labelled and constructed: `python -m embedded.prepare --data DIR --base DIR --out DIR`.

Tests ride along: each labelled row with another question's reference (the canary), and, where DIR holds
`attack_strings.json`, those strings against labelled questions. They are never trained on.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np

from embedded import scenes
from embedded.made import Maker
from embedded.rows import FOLDS, Row, load
from hybridverify.answers.extract import Mark, extract
from hybridverify.judges.base import Subject
from hybridverify.judges.embedded.inputs import Shown, shown
from hybridverify.judges.embedded.model import HINTS, NO_HINT, Encoding
from hybridverify.types import Sample

DRAWS = 9
LEFT_OUT_ROWS = 250
SCENES = 2500
ATTACKED_QUESTIONS = 60
GIVEN = (Mark.BOXED, Mark.HASH, Mark.TAG, Mark.STATED)


def main() -> None:
    """Write the features."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--base", type=Path, required=True, help="folder with the base model's tokenizer.json"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--other", type=Path, nargs="*", default=[], help="folders of other bases, for the same rows"
    )
    parser.add_argument("--limit", type=int, default=0, help="labelled rows to keep, for a dry run")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    slim_tokenizer(options.base / "tokenizer.json", options.out / "tokenizer.json")
    rows = all_rows(options.data, options.limit)
    texts = [shown_of(row) for row in rows]
    _write(rows, texts, options.out)
    for other in options.other:
        folder = options.out / other.name
        folder.mkdir(exist_ok=True)
        slim_tokenizer(other / "tokenizer.json", folder / "tokenizer.json")
        _write(rows, texts, folder)
    questions = sorted({row.question for row in rows})
    place = {question: at for at, question in enumerate(questions)}
    np.save(options.out / "questions.npy", np.array([place[row.question] for row in rows], np.int32))


def _write(rows: list[Row], texts: list[Shown], folder: Path) -> None:
    encoded = Encoding(folder / "tokenizer.json")(texts)
    np.savez_compressed(
        folder / "features.npz",
        ids=np.concatenate([np.array(row.ids, np.uint16) for row in encoded]),
        lengths=np.array([len(row.ids) for row in encoded], np.int32),
        seconds=np.array([row.second for row in encoded], np.int32),
        labels=np.array([row.label for row in rows], np.int8),
        folds=np.array([row.fold for row in rows], np.int8),
        origins=np.array([row.origin for row in rows]),
        hints=np.array([HINTS.start, HINTS.stop, NO_HINT], np.int32),
    )
    print(f"{folder}: {len(rows)} rows, {sum(len(row.ids) for row in encoded)} tokens")


def all_rows(folder: Path, limit: int = 0) -> list[Row]:
    """Labelled rows, constructed ones, and tests."""
    rows = load(folder)
    if limit:
        rows = random.Random(5).sample(rows, limit)
    made: list[Row] = []
    for fold in range(FOLDS):
        maker = Maker([row for row in rows if row.fold == fold], fold)
        made += [
            *maker.rows(DRAWS),
            *maker.left_out(LEFT_OUT_ROWS),
            *scenes.rows(limit if limit else SCENES, fold, fold),
        ]
    return [*rows, *made, *_canaries(rows), *_attacked(rows, folder / "attack_strings.json")]


def shown_of(row: Row) -> Shown:
    """What the judge would be shown of this row."""
    return shown(subject_of(row))


def subject_of(row: Row) -> Subject:
    """The row as the batch flow hands it to judges."""
    reading = extract(row.response)
    sample = Sample(row.response, row.references, row.question)
    return Subject(sample, reading.shown, reading.mark in GIVEN, reading.body)


def slim_tokenizer(source: Path, target: Path) -> None:
    """The tokenizer without added tokens, padding, truncation and post-processing: those are the encoding's."""
    settings = json.loads(source.read_text("utf-8"))
    settings |= {"added_tokens": [], "truncation": None, "padding": None, "post_processor": None}
    target.write_text(json.dumps(settings, ensure_ascii=False, separators=(",", ":")), "utf-8")


def _canaries(rows: list[Row]) -> list[Row]:
    """Within a fold each row with the reference of a row with another question."""
    rng, found = random.Random(13), []
    for fold in range(FOLDS):
        mine = [row for row in rows if row.fold == fold]
        for row in mine:
            other = rng.choice(mine)
            if other.question != row.question and other.references != row.references:
                found.append(
                    replace(row, references=other.references, label=False, origin=f"test:canary:{row.origin}")
                )
    return found


def _attacked(rows: list[Row], path: Path) -> list[Row]:
    if not path.exists():
        return []
    rng = random.Random(11)
    strings = json.loads(path.read_text("utf-8"))
    return [
        replace(row, response=string["text"], label=False, origin=f"test:attack:{string['cls']}")
        for fold in range(FOLDS)
        for row in rng.sample([r for r in rows if r.fold == fold], min(ATTACKED_QUESTIONS, len(rows) // 9))
        for string in strings
        if string["text"].strip().casefold() not in row.references[0].casefold()
    ]


if __name__ == "__main__":
    main()
