"""What a translating judge adds to the rules: the prompts for a model, and the tables from its replies.

    python benchmarks/translation.py requests --data DIR --out F.jsonl [--style all] [--part all|tune|report]
    python benchmarks/translation.py replies --requests F.jsonl --model DIR --out R.jsonl [--base-url U] [--draws 5]
    python benchmarks/translation.py grade --data DIR --replies R.jsonl --out J.json [--style all] [--part ...]
    python benchmarks/translation.py worst --data DIR [--part ...]

`requests` writes each prompt once, {"id", "messages"}, for the rows that the rules leave open. `replies` asks a model
as the judge does, with the backend `transformers` or, given an address, `openai`, and writes {"id", "texts": [greedy,
draw 1, ...]}; any other program may do that, too.
`grade` gives these replies to the real judge. `worst` needs no model:
it stands for one in league with the attacker, which knows both sides and translates each into the other, so that only
the check for faithfulness is in its way. Rows are parted by their question, so that forms of the prompt are compared on
one half and reported on the other. `requests --rows NAMES.json`, a list of names of rows, writes the prompts for these
whatever the rules say of them: for `translation_alone.py`.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from labelled import Pair, load
from rich.progress import track
from translating import InLeague, Recorder, Replies, engine_of, prompt_id

import hybridverify as hv
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Subject
from hybridverify.judges.translation.judge import TranslatorJudge
from hybridverify.judges.translation.prompt import STYLE, STYLES, rendered
from hybridverify.judges.translation.sides import answer_text, reference_texts

DRAWS = ((1, 1), (3, 1), (3, 2), (5, 1), (5, 2), (5, 3))
"""Draws of each text, and how many pairs have to agree."""
FILES = ("hardverify_math", "peer_suites", "math_variants", "unit_cases", "qa_nq301_human")
PARTS = ("all", "tune", "report")
NEEDS = {
    "requests": ("data", "out"),
    "replies": ("requests", "model", "out"),
    "grade": ("data", "replies", "out"),
    "worst": ("data",),
}


def main() -> None:
    options = arguments()
    missing = [name for name in NEEDS[options.command] if getattr(options, name) is None]
    if missing:
        raise SystemExit(f"{options.command} needs {', '.join('--' + name for name in missing)}")
    {"worst": print_worst, "requests": write_requests, "replies": write_replies, "grade": write_tables}[
        options.command
    ](options)


def print_worst(options: argparse.Namespace) -> None:
    """How many open rows a model that knows both sides could pass: right ones it should, wrong ones it must not."""
    print("| file | open right | passed | open wrong | passed |\n|---|---|---|---|---|")
    for name in options.files.split(","):
        backend = InLeague()
        pairs = pairs_of(options.data, name, options.part)
        samples = [sample_of(pair) for pair in pairs]
        with hv.Verifier(judges=[TranslatorJudge(backend)], policy="addon") as verifier:
            grades = []
            for sample in samples:
                backend.sides = sample
                grades += verifier.grade([sample])
        rows = [(pair, grade) for pair, grade in zip(pairs, grades, strict=True) if not grade.rule.sure]
        counts = [
            sum(pair.label is label and (grade.score >= 0.5 or not passed) for pair, grade in rows)
            for label in (True, False)
            for passed in (False, True)
        ]
        print(f"| {name} | {' | '.join(map(str, counts))} |", flush=True)
        for pair, grade in rows:
            if grade.score >= 0.5 and not pair.label:
                print(f"  accepted: {pair.name}: {[check.answer for check in grade.checks]}")


def write_tables(options: argparse.Namespace) -> None:
    """The figures of each file for each number of draws, and the rows that were accepted."""
    texts = texts_of(options.replies)
    drawn = max((len(said) for said in texts.values()), default=0)
    report: dict[str, Any] = {}
    print(
        "| file | draws | agree | rows | accuracy | FN | FP | open right | rescued | open wrong | accepted | asked |"
    )
    print("|---" * 12 + "|")
    for name in options.files.split(","):
        pairs = pairs_of(options.data, name, options.part)
        for samples, agree in (draw for draw in DRAWS if draw[0] == 1 or draw[0] < drawn):
            backend = Replies(texts)
            judge = TranslatorJudge(backend, samples=samples, agree=agree, style=options.style)
            with hv.Verifier(judges=[judge], policy="addon") as verifier:
                grades = verifier.grade([sample_of(pair) for pair in pairs])
                figures = figures_of(pairs, grades, verifier.stats["judge"])
            figures["missing replies"] = backend.missing
            report[f"{name}, {agree} of {samples}"] = figures
            print_line(name, samples, agree, figures)
    options.out.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def texts_of(path: Path) -> dict[str, list[str]]:
    """What the model said to each prompt."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return {row["id"]: row["texts"] for row in map(json.loads, file)}


def figures_of(
    pairs: Sequence[Pair], grades: Sequence[hv.Grade], stats: Mapping[str, float]
) -> dict[str, Any]:
    """Errors of rules alone and with the translator, and what it made of the rows that the rules left open."""
    rows = list(zip(pairs, grades, strict=True))
    still = [(pair, grade) for pair, grade in rows if not grade.rule.sure]
    told = [(pair, grade, grade.rule.outcome is hv.Outcome.CORRECT) for pair, grade in rows]
    return {
        "rows": len(rows),
        "rules": errors([(pair.label, by_rule) for pair, _, by_rule in told]),
        "translator": errors([(pair.label, grade.score >= 0.5) for pair, grade, _ in told]),
        "open right": sum(pair.label for pair, _ in still),
        "rescued": sum(pair.label and grade.score >= 0.5 for pair, grade in still),
        "open wrong": sum(not pair.label for pair, _ in still),
        "accepted": sum(not pair.label and grade.score >= 0.5 for pair, grade in still),
        "requests": stats["requests"],
        "shared": stats["deduplicated"],
        "shown": [shown(pair, grade) for pair, grade in still if grade.checks],
    }


def errors(rows: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    right, wrong = sum(label for label, _ in rows), sum(not label for label, _ in rows)
    return {
        "accuracy": sum(label == said for label, said in rows) / max(len(rows), 1),
        "FN": sum(label and not said for label, said in rows) / max(right, 1),
        "FP": sum(said and not label for label, said in rows) / max(wrong, 1),
    }


def shown(pair: Pair, grade: hv.Grade) -> dict[str, Any]:
    """One row as a person reads it."""
    return {
        "name": pair.name,
        "label": pair.label,
        "accepted": grade.score >= 0.5,
        "question": pair.question[-200:],
        "translations": [f"{check.answer}  [{check.reason}]" for check in grade.checks],
        "reason": grade.judge.reason,
    }


def print_line(name: str, samples: int, agree: int, figures: Mapping[str, Any]) -> None:
    rules, both = figures["rules"], figures["translator"]
    rates = [f"{rules[key]:.3f} → {both[key]:.3f}" for key in ("accuracy", "FN", "FP")]
    counts = [
        str(int(figures[key])) for key in ("open right", "rescued", "open wrong", "accepted", "requests")
    ]
    print(
        f"| {' | '.join([name, str(samples), str(agree), str(figures['rows']), *rates, *counts])} |",
        flush=True,
    )


def write_requests(options: argparse.Namespace) -> None:
    """Every prompt once, in the order of the files."""
    told: dict[str, str] = {}
    for name in options.files.split(","):
        before = len(told)
        pairs = pairs_of(options.data, name, options.part)
        named = among(pairs, options.rows) if options.rows else pairs
        subjects = open_rows(named, "judge_only" if options.rows else "addon")
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


def write_replies(options: argparse.Namespace) -> None:
    """What a model says to each prompt, asked as the judge asks: the likeliest text, then as many draws as wanted."""
    rows = [json.loads(line) for line in options.requests.read_text(encoding="utf-8").splitlines()]
    prompts = [Prompt(tuple(Message(**each) for each in row["messages"])) for row in rows]
    texts: list[list[str]] = [[] for _ in rows]
    backend = engine_of(options)
    for draws in (1, options.draws) if options.draws else (1,):
        sampling = TranslatorJudge(backend, samples=draws).asker.sampling
        begin = time.monotonic()
        for place in track(
            range(0, len(prompts), options.slice), f"{draws} texts each", disable=options.quiet
        ):
            replies = backend.complete(prompts[place : place + options.slice], sampling)
            for said, reply in zip(texts[place:], replies, strict=False):
                said += whole_texts(reply, draws)
            told = [{"id": row["id"], "texts": said} for row, said in zip(rows, texts, strict=True) if said]
            write_lines(options.out, told)
        print(f"{len(rows)} prompts, {draws} texts each: {time.monotonic() - begin:.0f} s", flush=True)
    backend.close()


def whole_texts(reply: Reply | Failure, draws: int) -> list[str]:
    """The texts of a reply; nothing in place of one that was cut off. Ends the run if the model did not answer."""
    if isinstance(reply, Failure):
        raise SystemExit(f"no reply: {reply.reason}")
    ends = (*reply.finish_reasons, *[""] * draws)
    return ["" if end == "length" else text for text, end in zip(reply.texts, ends, strict=False)]


def write_lines(path: Path, rows: Iterable[Any]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def among(pairs: Sequence[Pair], rows: Path) -> list[Pair]:
    """The rows whose names are in a list."""
    names = frozenset(json.loads(rows.read_text(encoding="utf-8")))
    return [pair for pair in pairs if pair.name in names]


def open_rows(pairs: Sequence[Pair], policy: str = "addon") -> list[Subject]:
    """What a judge is asked about."""
    recorder = Recorder()
    with hv.Verifier(judges=[recorder], policy=policy) as verifier:
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


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=tuple(NEEDS))
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, metavar="F")
    parser.add_argument("--replies", type=Path, metavar="R")
    parser.add_argument("--requests", type=Path, metavar="F", help="prompts, as `requests` wrote them")
    parser.add_argument(
        "--model", metavar="M", help="a model that transformers loads, or the name at --base-url"
    )
    parser.add_argument("--base-url", default="", metavar="U", help="of a server that has the model")
    parser.add_argument("--options", default="{}", metavar="JSON", help="more options of the backend")
    parser.add_argument(
        "--slice",
        type=int,
        default=512,
        metavar="N",
        help="prompts at once; the file is written after each slice",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument(
        "--draws", type=int, default=0, help="texts drawn for each prompt, beside the likeliest"
    )
    parser.add_argument(
        "--rows", type=Path, metavar="NAMES", help="rows to ask about, whatever the rules say"
    )
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument("--style", default=STYLE, choices=tuple(STYLES))
    parser.add_argument("--part", default="all", choices=PARTS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
