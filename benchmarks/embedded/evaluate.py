"""Held-out agreement with people: `python -m embedded.evaluate --data DIR --features DIR --logits DIR --calibration F`.

Reads what training left for three folds by question (`--runs`: names of single seeds and of the averaged model, with
`{fold}`), and prints for each set kappa, false negatives and false positives with intervals over questions, beside
"contains the reference" and exact match; what is accepted of canaries and attack strings; and rules with the judge
(`--rules`). `--thresholds .6 .7 .8` compares thresholds. `--plot F.svg` draws how often an answer is right against
what the model says.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from embedded.calibrate import held_out
from embedded.prepare import shown_of, subject_of
from embedded.rows import FILES, Row, load
from hybridverify.guards.judge_guards import Guards
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.judges.embedded.overlap import plain_words

DRAWS = 1000


def kappa(labels: np.ndarray, accepted: np.ndarray) -> float:
    """Cohen's kappa."""
    agree = float((labels == accepted).mean())
    chance = labels.mean() * accepted.mean() + (1 - labels.mean()) * (1 - accepted.mean())
    return float((agree - chance) / (1 - chance)) if chance < 1 else 0.0


def false_negatives(labels: np.ndarray, accepted: np.ndarray) -> float:
    """Share of right answers that are refused."""
    return float((~accepted[labels]).mean()) if labels.any() else 0.0


def false_positives(labels: np.ndarray, accepted: np.ndarray) -> float:
    """Share of wrong answers that are accepted."""
    return float(accepted[~labels].mean()) if (~labels).any() else 0.0


MEASURES: tuple[Callable[[np.ndarray, np.ndarray], float], ...] = (kappa, false_negatives, false_positives)


def line(labels: np.ndarray, accepted: np.ndarray, questions: np.ndarray) -> str:
    """The three measures, each with its 95 % interval from draws of questions."""
    rng = np.random.default_rng(0)
    _, places = np.unique(questions, return_inverse=True)
    of_question = [np.flatnonzero(places == place) for place in range(places.max() + 1)]
    drawn = []
    for _ in range(DRAWS):
        rows = np.concatenate([of_question[at] for at in rng.integers(0, len(of_question), len(of_question))])
        drawn.append([measure(labels[rows], accepted[rows]) for measure in MEASURES])
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    values = [measure(labels, accepted) for measure in MEASURES]
    return "  ".join(f"{value:.3f} [{a:.3f}, {b:.3f}]" for value, a, b in zip(values, low, high, strict=True))


def contains(row: Row) -> bool:
    """The usual rule: some spelling of the reference stands in the response, letter for letter after folding."""
    said = f" {' '.join(plain_words(row.response))} "
    return any(
        f" {' '.join(plain_words(text))} " in said
        for text in alternatives(row.references)
        if plain_words(text)
    )


def exact(row: Row) -> bool:
    """Exact match after folding case, articles and punctuation."""
    return any(plain_words(row.response) == plain_words(text) for text in alternatives(row.references))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "features", "logits", "calibration"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument(
        "--runs", nargs="+", default=["seed0-f{fold}", "seed1-f{fold}", "seed2-f{fold}", "soup-f{fold}"]
    )
    parser.add_argument("--rules", action="store_true", help="also rules with the judge; takes a minute")
    parser.add_argument("--plot", type=Path)
    parser.add_argument(
        "--thresholds", nargs="*", type=float, default=[], help="compare these, of the last run"
    )
    parser.add_argument("--errors", type=int, default=0, help="print so many wrong decisions of each sort")
    options = parser.parse_args()
    known = json.loads(options.calibration.read_text("utf-8"))
    rows = load(options.data)
    labels = np.array([row.label for row in rows])
    origins = np.array([row.origin for row in rows])
    questions = np.array([row.question for row in rows])
    deciders = {
        "exact match": np.array(list(map(exact, rows))),
        "contains": np.array(list(map(contains, rows))),
    }
    for name in options.runs:
        at, logits, _, kinds = held_out(options.features, options.logits, f"{name}.npz")
        chance = 1.0 / (1.0 + np.exp(-(logits / known["temperature"] + known["shift"])))
        human = np.isin(kinds, list(FILES))
        assert list(at[human]) == list(range(len(rows))), "features of other rows"
        deciders[name] = chance[human] >= known["threshold"]
        print(f"{name:16} accepted: {_tests(kinds, chance >= known['threshold'])}")
    for threshold in options.thresholds:
        print(_at(threshold, chance, labels, kinds))
    chance = chance[human]
    if options.rules:
        right, wrong = _rules(rows)
        deciders["rules"] = right
        deciders["rules, guards, judge"] = right | (deciders[name] & ~wrong)
    for origin in FILES:
        mine = origins == origin
        print(f"\n{origin}: {mine.sum()} answers, {len(set(questions[mine]))} questions; kappa, FN, FP")
        for name, accepted in deciders.items():
            print(f"  {name:20} {line(labels[mine], accepted[mine], questions[mine])}")
    if options.plot:
        _plot(options.plot, chance, labels, origins)
    if options.errors:
        _errors(rows, chance, known["threshold"], options.errors)


def _at(threshold: float, chance: np.ndarray, labels: np.ndarray, kinds: np.ndarray) -> str:
    parts = [f"threshold {threshold:.2f}: {_tests(kinds, chance >= threshold)}; kappa, FN, FP"]
    for origin in FILES:
        mine = kinds == origin
        said = chance[mine] >= threshold
        right = labels[kinds[np.isin(kinds, list(FILES))] == origin]
        parts.append(f"{origin} " + " ".join(f"{measure(right, said):.3f}" for measure in MEASURES))
    return "  ".join(parts)


def _tests(kinds: np.ndarray, accepted: np.ndarray) -> str:
    parts = []
    for prefix in ("test:canary", "test:attack"):
        mine = np.char.startswith(kinds, prefix)
        parts.append(f"{prefix[5:]} {accepted[mine].mean():.4f} of {mine.sum()}")
    return ", ".join(parts)


def _rules(rows: list[Row]) -> tuple[np.ndarray, np.ndarray]:
    """What the default rules call right, and what they or the guards before a judge call wrong."""
    from hybridverify import Outcome, Sample, Verifier

    with Verifier() as verifier:
        samples = [Sample(row.response, alternatives(row.references), row.question) for row in rows]
        outcomes = [grade.rule.outcome for grade in verifier.grade(samples)]
    refused = np.array([bool(Guards().refusal(subject_of(row))) for row in rows])
    return (
        np.array([outcome is Outcome.CORRECT for outcome in outcomes]),
        np.array([outcome is Outcome.INCORRECT for outcome in outcomes]) | refused,
    )


def _plot(path: Path, chance: np.ndarray, labels: np.ndarray, origins: np.ndarray) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "hybridverify"
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(4.5, 4.5))
    axis.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=1)
    edges = np.linspace(0, 1, 11)
    for origin in FILES:
        said, right = chance[origins == origin], labels[origins == origin]
        place = np.clip(np.digitize(said, edges) - 1, 0, 9)
        points = [
            (said[place == at].mean(), right[place == at].mean())
            for at in range(10)
            if (place == at).sum() >= 10
        ]
        axis.plot(*zip(*points, strict=True), marker="o", markersize=4, label=origin)
    axis.set(xlabel="P(correct), held out", ylabel="share called right by people", xlim=(0, 1), ylim=(0, 1))
    axis.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def _errors(rows: list[Row], chance: np.ndarray, threshold: float, count: int) -> None:
    rng = np.random.default_rng(0)
    for label in (False, True):
        for origin in FILES:
            wrong = [
                at
                for at, row in enumerate(rows)
                if row.label == label and row.origin == origin and (chance[at] >= threshold) != label
            ]
            print(f"\n{origin}: {len(wrong)} {'refused though right' if label else 'accepted though wrong'}")
            for at in rng.permutation(wrong)[:count]:
                row = shown_of(rows[at])
                print(f"  {chance[at]:.2f} {row.question[:80]} | {row.reference[:60]} | {row.answer[:160]}")


if __name__ == "__main__":
    main()
