"""What a translating judge adds to the rules: the prompts for a model, and the tables from its replies.

    python benchmarks/translation.py requests --data DIR --out F.jsonl [--style kinds] [--part all|tune|report]
    python benchmarks/translation.py grade --data DIR --replies R.jsonl --out J.json [--style kinds] [--part ...]

`requests` writes each prompt once, {"id", "messages"}, for the rows that the rules leave open. Whoever runs the model
writes {"id", "texts": [greedy, sample 1, ...]}. `grade` gives these replies to the real judge. Rows are parted by
their question, so that forms of the prompt are compared on one half and reported on the other.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from labelled import Pair, load

import hybridverify as hv
from hybridverify.judges.base import Prompt, Request, Subject
from hybridverify.judges.translation.prompt import STYLES, rendered
from hybridverify.judges.translation.sides import answer_text, reference_texts

FILES = ("hardverify_math", "peer_suites", "math_variants", "unit_cases", "qa_nq301_human")
PARTS = ("all", "tune", "report")


class Recorder:
    """A judge that only remembers what it was asked about."""

    name, weight = "recorder", 1.0

    def __init__(self) -> None:
        self.subjects: list[Subject] = []

    def identity(self) -> Mapping[str, Any]:
        return {"preset": "recorder"}

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | hv.Verdict]:
        self.subjects += subjects
        return [hv.Verdict(hv.Outcome.UNDECIDED, source="judge:recorder") for _ in subjects]

    def decide(self, requests: Sequence[Request]) -> list[hv.Verdict]:
        return []

    def usage(self) -> Mapping[str, float]:
        return {}

    def close(self) -> None:
        pass


def main() -> None:
    options = arguments()
    if options.command == "requests":
        write_requests(options)


def write_requests(options: argparse.Namespace) -> None:
    """Every prompt once, in the order of the files."""
    told: dict[str, str] = {}
    for name in options.files.split(","):
        before = len(told)
        subjects = open_rows(pairs_of(options.data, name, options.part))
        for subject in subjects:
            answer = answer_text(subject)
            if not answer:
                continue
            for text in (*reference_texts(subject.sample), answer):
                prompt = rendered(subject.sample.question, text, options.style)
                told[prompt_id(prompt)] = json.dumps(
                    {"id": prompt_id(prompt), "messages": [vars(m) for m in prompt.messages]},
                    ensure_ascii=False,
                )
        print(f"{name}: {len(subjects)} open rows, {len(told) - before} new prompts")
    opened = gzip.open if options.out.suffix == ".gz" else open
    with opened(options.out, "wt", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in told.values())
    print(f"{len(told)} prompts in {options.out}")


def open_rows(pairs: Sequence[Pair]) -> list[Subject]:
    """What a judge behind the rules is asked about."""
    recorder = Recorder()
    with hv.Verifier(judges=[recorder], policy="addon") as verifier:
        verifier.grade([sample_of(pair) for pair in pairs])
    return recorder.subjects


def pairs_of(folder: Path, name: str, part: str) -> list[Pair]:
    """The labelled rows of a file, or those of one half of the questions. Of suites only what is a fact."""
    pairs = load(folder / f"{name}.jsonl", certainty="fact")
    return [pair for pair in pairs if part in ("all", half_of(pair))]


def half_of(pair: Pair) -> str:
    told = pair.question or pair.reference
    return PARTS[1 + hashlib.sha256(told.encode()).digest()[0] % 2]


def sample_of(pair: Pair) -> hv.Sample:
    """The row as a sample; golds of question answering are alternatives, joined by a slash between blanks."""
    several = pair.name.startswith("qa_") and " / " in pair.reference
    references = tuple(pair.reference.split(" / ")) if several else pair.reference
    return hv.Sample(pair.response, references, pair.question)


def prompt_id(prompt: Prompt) -> str:
    text = json.dumps(prompt.payload(), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("requests", "grade"))
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--out", type=Path, required=True, metavar="F")
    parser.add_argument("--replies", type=Path, metavar="R")
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument("--style", default="kinds", choices=tuple(STYLES))
    parser.add_argument("--part", default="all", choices=PARTS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
