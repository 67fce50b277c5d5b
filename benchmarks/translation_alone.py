"""What the translating judge can do by itself, on rows that are named in a list.

    python benchmarks/translation.py requests --data DIR --rows NAMES.json --files a --out F.jsonl
    python benchmarks/translation.py replies --requests F.jsonl --model M [--base-url U] [--draws 5] --out R.jsonl
    python benchmarks/translation_alone.py --data DIR --replies R.jsonl --rows NAMES.json [--files a,b]

It is asked about each of these rows, whatever the rules say of it today, and what the rules prove of the two texts as
they stand counts for nothing: at least one side has to be a translation. Guards refuse what they refuse.
`results/translation_rows.json` names the facts of peer_suites that the rules left open when the judge was begun.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from labelled import Pair
from translating import Replies
from translation import DRAWS, among, open_rows, pairs_of, texts_of

from hybridverify.judges.base import Answered
from hybridverify.judges.translation.judge import TranslatorJudge
from hybridverify.judges.translation.sides import answer_text, reference_texts
from hybridverify.types import Outcome


def main() -> None:
    options = arguments()
    texts = texts_of(options.replies)
    drawn = max((len(said) for said in texts.values()), default=0)
    print("| file | draws | agree | right | rescued | wrong | accepted |\n|---|---|---|---|---|---|---|")
    for name in options.files.split(","):
        pairs = among(pairs_of(options.data, name, "all"), options.rows)
        for samples, agree in (draw for draw in DRAWS if draw[0] == 1 or draw[0] < drawn):
            judge = TranslatorJudge(Replies(texts), samples=samples, agree=agree)
            accepted = [pair for pair in pairs if is_translated(judge, pair)]
            counts = [
                sum(pair.label is label for pair in rows)
                for label in (True, False)
                for rows in (pairs, accepted)
            ]
            print(f"| {' | '.join(map(str, (name, samples, agree, *counts)))} |", flush=True)


def is_translated(judge: TranslatorJudge, pair: Pair) -> bool:
    """Whether the judge accepts a row by its translations."""
    subjects = open_rows([pair], "judge_only")
    answer = answer_text(subjects[0]) if subjects else ""
    if not answer:
        return False
    (subject,) = subjects
    texts = (*reference_texts(subject.sample), answer)
    requests = [judge.asker.request(subject.sample.question, text) for text in texts]
    said = judge.asker.decide(requests)
    return judge.conclude(subject, [Answered(one) for one in said])[0].outcome is Outcome.CORRECT


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--replies", type=Path, required=True, metavar="R")
    parser.add_argument("--rows", type=Path, required=True, metavar="NAMES")
    parser.add_argument("--files", default="peer_suites")
    return parser.parse_args()


if __name__ == "__main__":
    main()
