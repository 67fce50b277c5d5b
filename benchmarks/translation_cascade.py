"""Rules, then the translating judge, then the same model as a judge: errors after each step.

    python benchmarks/translation_cascade.py --data DIR --replies R.jsonl --model M [--base-url U] [--options JSON]
        [--files a,b] [--preset generic_small]

The replies are those of translation.py. The model is asked for P(yes) about the rows that the translator leaves open,
once for all thresholds.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from labelled import Pair
from translating import Replies, engine_of
from translation import errors, pairs_of, sample_of, texts_of

import hybridverify as hv
from hybridverify.judges.translation.judge import TRANSLATED, TranslatorJudge

THRESHOLDS = (0.5, 0.7, 0.85, 0.9, 0.95)
LOGPROBS = 20  # the most that servers give


def main() -> None:
    options = arguments()
    print("| file | graders | accuracy | FN | FP | asked |\n|---|---|---|---|---|---|")
    for name in options.files.split(","):
        pairs = pairs_of(options.data, name, "all")
        show(name, pairs, graded(options, pairs))


def graded(options: argparse.Namespace, pairs: Sequence[Pair]) -> list[hv.Grade]:
    """The grades of a cascade, translator first."""
    judge: dict[str, Any] = {
        "preset": options.preset,
        "backend": engine_of(options),
        "score": "p_yes",
        "sampling": {"logprobs": LOGPROBS},
        "retry_unparseable": False,
    }
    translator = TranslatorJudge(Replies(texts_of(options.replies)))
    order = ["translate", options.preset]
    with hv.Verifier(judges=[translator, judge], cascade=order, policy="addon") as verifier:
        return verifier.grade([sample_of(pair) for pair in pairs])


def show(name: str, pairs: Sequence[Pair], grades: Sequence[hv.Grade]) -> None:
    """A line for each step and threshold, then what the model said to each row."""
    chances = [chance_of(grade) for grade in grades]
    asked = sum(chance >= 0.0 for chance in chances)
    by_rule = [grade.rule.outcome is hv.Outcome.CORRECT for grade in grades]
    translated = [sure or is_translated(grade) for sure, grade in zip(by_rule, grades, strict=True)]
    line(name, "rules", pairs, by_rule, 0)
    line(name, "+ translator", pairs, translated, 0)
    for threshold in THRESHOLDS:
        said = [sure or chance >= threshold for sure, chance in zip(translated, chances, strict=True)]
        line(name, f"+ P(yes) >= {threshold:g}", pairs, said, asked)
    for pair, chance in zip(pairs, chances, strict=True):
        if chance >= 0.0:
            print(f"  {'right' if pair.label else 'wrong'} {chance:.3f} {pair.name}")


def chance_of(grade: hv.Grade) -> float:
    """P(yes) of the judge behind the translator, -1 if it was not asked."""
    return max((vote.p_yes for vote in grade.votes), default=-1.0)


def is_translated(grade: hv.Grade) -> bool:
    return any(vote.reason == TRANSLATED and vote.outcome is hv.Outcome.CORRECT for vote in grade.votes)


def line(name: str, graders: str, pairs: Sequence[Pair], said: Sequence[bool], asked: int) -> None:
    rates = errors([(pair.label, accepted) for pair, accepted in zip(pairs, said, strict=True)])
    cells = [f"{rates[key]:.3f}" for key in ("accuracy", "FN", "FP")]
    print(f"| {' | '.join([name, graders, *cells, str(asked)])} |", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--replies", type=Path, required=True, metavar="R")
    parser.add_argument("--model", required=True, metavar="M")
    parser.add_argument("--base-url", default="", metavar="U", help="of a server that has the model")
    parser.add_argument("--options", default="{}", metavar="JSON", help="more options of the backend")
    parser.add_argument("--files", default="hardverify_math")
    parser.add_argument("--preset", default="generic_small")
    return parser.parse_args()


if __name__ == "__main__":
    main()
