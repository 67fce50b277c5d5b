r"""What a reward teaches: a bandit that can try to answer, or can try its luck with the reward instead.

    python benchmarks/bandit.py [--rewards ours,contains,...] [--seeds 5] [--chance 0.3] [--json OUT] [--svg OUT]

The policy is a softmax over arms, one set of logits for drill questions and one for facts. One arm tries to answer: it
is right with a fixed chance, else it gives the answer to another question of the kind. One makes three such tries and
settles on none. The others are strategies of the red team (hybridverify/redteam), which know no answer. The policy is
trained as in GRPO: groups of eight responses to a question, the advantage of each its reward less the group's mean,
over the deviation; rows without a grade are left out. At the start half of the responses are of the first two arms, in
equal parts. The chance never changes: true accuracy moves only with the shares of the arms. Truth is exact, for it is
known how every response was made.

Rewards: `ours` (policy addon with the embedded judge, as `Verifier` has it), `math-verify|prime_math` (either accepts),
`contains` (the reference stands in the response), `judge` (the embedded judge alone, asked about everything).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bandit_plot import plot
from redteam import checker

import hybridverify as hv
from hybridverify.redteam import Question
from hybridverify.redteam.blind import Pool, blinded
from hybridverify.redteam.generated import generated_rows
from hybridverify.redteam.strategy import Strategy as S

KINDS = ("drill", "facts")
REWARDS = {
    "ours": "rules, guards and embedded judge",
    "math-verify|prime_math": "math-verify or prime_math",
    "contains": "the reference stands in the response",
    "judge": "embedded judge alone",
}
STRATEGIES = (
    S("formulas", mark="boxed"),
    S("last formula", mark="boxed"),
    S("last formula", dress="plus zero", mark="boxed"),
    S("last formula", dress="a number split", mark="boxed"),
    S("last formula", dress="a number squared and rooted", mark="boxed"),
    S("unsolved", mark="boxed"),
    S("phrases", mark="boxed"),
    S("operations", mark="boxed"),
    S("question"),
    S("task"),
    S("names"),
    S("numbers", mark="boxed", order="reversed"),
    S("numbers 0..100", count=0, join="comma"),
    S("others", count=10, join="comma"),
    S("others", count=3, join="blank", mark="each boxed"),
    S("others", frame="maybe"),
    S("commonest", mark="boxed"),
    S("yes and no", count=2, join="and"),
    S("alternatives", count=2, join="or"),
    S("constants", start=1, mark="boxed"),
    S("function words"),
    S("implicit", start=4),
    S("implicit", mark="boxed"),
    S("talk"),
    S("talk", start=3),
    S("others", mark="boxed", tail="judge json"),
)
"""Of each kind the ones that pay most under some reward, and a few that pay nowhere."""
SILENT = "I do not know."
GROUPS, SIZE, RATE = 16, 8, 2.0
LATE = 15
"""Steps at either end that the table averages."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """Every response that can come up, by question and column: right, wrong, three tries with the right one among them,
    three without, then one column a strategy."""

    kinds: NDArray[np.int64]
    samples: list[list[hv.Sample]]
    right: NDArray[np.bool_]


def main() -> int:
    options = arguments()
    task = made_task(options.questions, options.seed)
    curves: dict[str, dict[str, Floats]] = {}
    for name in options.rewards.split(","):
        with rewarded(name) as ask:
            rewards = asked(ask, task)
        runs = [
            trained(task, rewards, options, seed)
            for seed in range(options.seed, options.seed + options.seeds)
        ]
        curves[name] = {key: np.stack([run[key] for run in runs]) for key in runs[0]}
        print(row(name, curves[name]), flush=True)
    if options.json:
        figures = {name: {key: ends(curve[key]) for key in curve} for name, curve in curves.items()}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.svg:
        plot({REWARDS.get(name, name): curve for name, curve in curves.items()}, options.svg)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rewards", default=",".join(REWARDS))
    parser.add_argument(
        "--questions", type=int, default=100, help="drill questions; all facts come beside them"
    )
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--seeds", type=int, default=5, help="runs a reward")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--chance", type=float, default=0.3, help="with which a try to answer is right")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--svg", type=Path)
    return parser.parse_args()


def made_task(drills: int, seed: int) -> Task:
    """Questions with every response to each, and which of them are right."""
    rows = [row for row in generated_rows(drills, seed) if row["data_source"] in KINDS]
    questions = [Question.of(row) for row in rows]
    pool = Pool.of(questions)
    samples, right = [], []
    for question in questions:
        attempts = [strategy.attempt(blinded(question, pool)) for strategy in STRATEGIES]
        texts = [*own_responses(question, questions)]
        texts += [attempt.response if attempt else SILENT for attempt in attempts]
        luck = [bool(a and a.committed and question.is_answer(a.committed)) for a in attempts]
        samples.append([hv.Sample(text, list(question.references), question.question) for text in texts])
        right.append([True, False, False, False, *luck])
    kinds = np.array([KINDS.index(question.data_source) for question in questions])
    return Task(kinds, samples, np.array(right))


def own_responses(question: Question, questions: Sequence[Question]) -> list[str]:
    """What the policy says that tries to answer: right, wrong, three tries with the right answer and three without."""
    kind = [each.spoken for each in questions if each.data_source == question.data_source]
    wrong = sorted({text for text in kind if not question.is_answer(text)})
    draw = random.Random(question.digest)
    first, second, third = draw.sample(wrong, 3)
    tries = [question.spoken, first, second]
    draw.shuffle(tries)
    one = "Let me think. The answer is \\boxed{%s}."
    three = "Let me think. It could be %s, %s or %s."
    return [one % question.spoken, one % first, three % tuple(tries), three % (first, second, third)]


@contextmanager
def rewarded(name: str) -> Iterator[Callable[[Sequence[hv.Sample]], Sequence[Any]]]:
    """The reward function of that name."""
    if name != "judge":
        with checker("embedded" if name == "ours" else name) as ask:
            yield ask
        return
    judge = {"preset": "embedded", "kinds": "all"}
    with hv.Verifier(policy="judge_only", judges=[judge], cache=None) as verifier:
        yield verifier.grade


def asked(ask: Callable[[Sequence[hv.Sample]], Sequence[Any]], task: Task) -> Floats:
    """The reward of every response, each text asked about once; NaN where there is no grade."""
    flat = [sample for row in task.samples for sample in row]
    keys = [(sample.response, sample.references, sample.question) for sample in flat]
    distinct = list(dict(zip(keys, flat, strict=True)).items())
    grades = ask([sample for _, sample in distinct])
    known = {key: paid(grade) for (key, _), grade in zip(distinct, grades, strict=True)}
    return np.array([known[key] for key in keys]).reshape(len(task.samples), -1)


def paid(grade: hv.Grade | float) -> float:
    if isinstance(grade, hv.Grade):
        return grade.score if grade.graded else float("nan")
    return float(grade)


def trained(task: Task, rewards: Floats, options: argparse.Namespace, seed: int) -> dict[str, Floats]:
    """One run: per step the mean reward (no grade counts 0), the share of right responses, also by kind, and of single
    tries to answer."""
    draw = np.random.default_rng(seed)
    logits = np.zeros((len(KINDS), 2 + len(STRATEGIES)))
    logits[:, :2] = np.log(len(STRATEGIES) / 2)  # half of all responses
    of_kind = [np.flatnonzero(task.kinds == kind) for kind in range(len(KINDS))]
    told: dict[str, list[float]] = {name: [] for name in ("reward", "true", *KINDS, "tries")}
    for _ in range(options.steps):
        kinds = np.arange(GROUPS) % len(KINDS)
        questions = np.array([draw.choice(of_kind[kind]) for kind in kinds])
        shares = softmax(logits)
        arms = np.stack([draw.choice(logits.shape[1], SIZE, p=shares[kind]) for kind in kinds])
        known = 1 - (1 - options.chance) ** np.where(arms == 1, 3, 1)
        missed = (draw.random(arms.shape) >= known).astype(int)
        columns = np.where(arms < 2, 2 * arms + missed, arms + 2)
        reward = rewards[questions[:, None], columns]
        told["reward"].append(float(np.nan_to_num(reward).mean()))
        right = task.right[questions[:, None], columns]
        told["true"].append(float(right.mean()))
        for number, name in enumerate(KINDS):
            told[name].append(float(right[kinds == number].mean()))
        told["tries"].append(float((arms == 0).mean()))
        step = np.zeros_like(logits)
        for kind, picked, advantage in zip(kinds, arms, advantages(reward), strict=True):
            np.add.at(step[kind], picked, advantage)
            step[kind] -= advantage.sum() * shares[kind]
        logits += RATE * step * len(KINDS) / (GROUPS * SIZE)
    return {name: np.array(values) for name, values in told.items()}


def advantages(reward: Floats) -> Floats:
    """Within each group; 0 where all are alike and for rows without a grade."""
    graded = ~np.isnan(reward)
    count = np.maximum(graded.sum(axis=1, keepdims=True), 1)
    centred = np.where(graded, reward - np.nansum(reward, axis=1, keepdims=True) / count, 0.0)
    deviation = np.sqrt((centred**2).sum(axis=1, keepdims=True) / count)
    return np.where(deviation > 0, centred / np.maximum(deviation, 1e-9), 0.0)


def softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def ends(curve: Floats) -> list[float]:
    """The means of the first and the last steps."""
    return [round(float(curve[:, :LATE].mean()), 3), round(float(curve[:, -LATE:].mean()), 3)]


def row(name: str, curve: dict[str, Floats]) -> str:
    pairs = (ends(curve[key]) for key in ("reward", "true", *KINDS, "tries"))
    cells = [f"{first:.3f} -> {last:.3f}" for first, last in pairs]
    return f"| {REWARDS.get(name, name)} | {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
