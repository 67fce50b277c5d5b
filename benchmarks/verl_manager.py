"""What the classic verl manager adds to the work that nobody can leave out, for one batch of a training step.

    .venv-verl/bin/python benchmarks/verl_manager.py [--rows 4096] [--answers 8] [--rounds 9] [--tokenizer DIR]

"By hand" is that work: the trainer's tokenizer decodes the valid tokens of every response (`batch_decode`), a `Sample`
is made of each row, `Verifier.grade` grades them. The manager does the same and reads what verl put in the batch:
lengths, ground truths of any shape, questions, groups; it fills the reward tensor and the columns of
`reward_extra_info`. It decodes by a shorter road (adapters/decoding.py); "by hand, its decoding" is the work by hand
with that road, so that this ratio holds nothing but the adapter's own work. Medians of processor time of this
process (what workers prove is the same for all, and left out); the three take turns, each on batches of its own, so
that no cache of an earlier run helps, and ratios are taken within a round. "manager / its grade" sets the whole
manager, decoding and all, against the call of `Verifier.grade` within it. Rows of the last kind are answered in words
and, where the rules cannot tell, judged by the embedded judge (policy `addon`). Without `--tokenizer` a byte-level BPE
of 8,000 tokens is trained on the rows.
"""

from __future__ import annotations

import argparse
import gc
import logging
import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
from hybridverify.adapters.decoding import decoded
from hybridverify.adapters.graders import close_graders, grader_for
from hybridverify.adapters.verl_manager import HybridRewardManager
from overhead import KINDS, Row, make_rows, thought
from tensordict import TensorDict
from verl import DataProto
from verl_figures import asked, tell

import hybridverify as hv

RATIO, STRICT_RATIO = "manager / by hand", "manager / by hand, its decoding"
GRADE_RATIO = "manager / its grade"
TIMED = (
    "decode",
    "its decoding",
    "samples",
    "grade",
    "by hand",
    "by hand, its decoding",
    "manager",
    "its grade",
)
STEPS = (*TIMED, RATIO, STRICT_RATIO, GRADE_RATIO)
LONG_PARAGRAPHS = 8
"""About 500 tokens: the length of an answer that reasons."""


def main() -> None:
    arguments = asked(str(__doc__), rows=4096, rounds=9, kinds=range(len(ROWS)))
    logging.getLogger("hybridverify").setLevel(logging.ERROR)
    tokenizer = load_tokenizer(arguments.tokenizer)
    figures = {
        kind: measure(kind, tokenizer, arguments) for kind in map(list(ROWS).__getitem__, arguments.kinds)
    }
    title = f"Milliseconds of processor time for {arguments.rows} rows, medians of {arguments.rounds} rounds"
    tell(figures, arguments.json, title, "rows", lambda name: ".3f" if "/" in name else ".0f")


def measure(kind: str, tokenizer: Any, arguments: argparse.Namespace) -> dict[str, float]:
    """Milliseconds a step and ratios, medians over the rounds."""
    settings: dict[str, Any] = {"cache": None, "workers": 2, **SETTINGS.get(kind, {})}
    manager = HybridRewardManager(tokenizer, 0, **settings)
    verifier = hv.Verifier(**settings)
    turns: list[Callable[[Any], dict[str, float]]] = [
        lambda batch: by_hand(batch, partial(usual_decoding, tokenizer), verifier),
        lambda batch: by_manager(manager, batch),
        lambda batch: of_its_decoding(by_hand(batch, partial(decoded, tokenizer), verifier)),
    ]
    rounds: list[dict[str, float]] = []
    tokens = 0.0
    for number in range(arguments.rounds + 1):
        figures: dict[str, float] = {}
        for place in range(len(turns)):
            turn = (place + number) % len(turns)
            rows = ROWS[kind](arguments.rows // arguments.answers, arguments.answers, f"{number} {turn}")
            batch = batch_of(tokenizer, rows, arguments.answers)
            tokens = float(batch.batch["response_mask"].sum()) / len(batch)
            gc.collect()
            figures.update(turns[turn](batch))
        rounds.append(with_ratios({step: seconds * 1e3 for step, seconds in figures.items()}))
    close_graders()
    verifier.close()
    kept = rounds[1:]  # the first imports and is thrown away
    return {
        "tokens": tokens,
        **{step: statistics.median(figures[step] for figures in kept) for step in STEPS},
    }


def with_ratios(figures: dict[str, float]) -> dict[str, float]:
    """Ratios of one round: what else the machine does changes less within a round than between rounds."""
    manager = figures["manager"]
    return {
        **figures,
        RATIO: manager / figures["by hand"],
        STRICT_RATIO: manager / figures["by hand, its decoding"],
        GRADE_RATIO: manager / figures["its grade"],
    }


def by_manager(manager: HybridRewardManager, batch: Any) -> dict[str, float]:
    """The manager, and what of it is `Verifier.grade`."""
    verifier, steps = grader_for(manager.options).verifier, {}
    grade = verifier.grade

    def timed_grade(samples: Sequence[hv.Sample]) -> list[hv.Grade]:
        grades, steps["its grade"] = timed(lambda: grade(samples))
        return list(grades)

    with mock.patch.object(verifier, "grade", timed_grade):
        _, steps["manager"] = timed(lambda: manager(batch, return_dict=True))
    return steps


def by_hand(batch: Any, decode: Callable[[Any], list[str]], verifier: hv.Verifier) -> dict[str, float]:
    """The same rows through the library without an adapter, as one would write it for this batch alone; like the
    manager it keeps nothing but the scores."""
    steps: dict[str, float] = {}

    def texts_of() -> list[str]:
        ids = batch.batch["responses"].numpy()
        lengths = batch.batch["response_mask"].numpy().sum(-1)
        return decode([row[:n] for row, n in zip(ids, lengths, strict=True)])

    def samples_of(texts: list[str]) -> list[hv.Sample]:
        columns = batch.non_tensor_batch
        return [
            hv.Sample(text, reward_model["ground_truth"], prompt[-1]["content"], source)
            for text, reward_model, prompt, source in zip(
                texts, columns["reward_model"], columns["raw_prompt"], columns["data_source"], strict=True
            )
        ]

    def work() -> list[float]:
        texts, steps["decode"] = timed(texts_of)
        samples, steps["samples"] = timed(lambda: samples_of(texts))
        grades, steps["grade"] = timed(lambda: verifier.grade(samples))
        return [grade.score for grade in grades]

    _, total = timed(work)
    return {**steps, "by hand": total}


def usual_decoding(tokenizer: Any, rows: Sequence[Any]) -> list[str]:
    return list(tokenizer.batch_decode(rows, skip_special_tokens=True))


def of_its_decoding(figures: dict[str, float]) -> dict[str, float]:
    return {"its decoding": figures["decode"], "by hand, its decoding": figures["by hand"]}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    begin = time.process_time()
    result = work()
    return result, time.process_time() - begin


# ---- rows


def short_rows(groups: int, answers: int, seed: str) -> list[Row]:
    return [row for row in make_rows("#### 42", groups, seed) for _ in range(answers)]


def long_rows(kind: str, groups: int, answers: int, seed: str) -> list[Row]:
    """Answers that reason at length before `kind`; those of a group differ."""
    draw = random.Random(f"long {seed}")
    rows = []
    for response, reference, question in make_rows(kind, groups, seed):
        for _ in range(answers):
            paragraphs = [thought(draw, draw.randrange(9_999)) for _ in range(LONG_PARAGRAPHS)]
            rows.append(("".join(paragraphs) + response, reference, question or f"Find it, {draw.random()}."))
    return rows


def word_rows(groups: int, answers: int, seed: str) -> list[Row]:
    """Short answers to questions about people; a quarter each is the reference, part of it, and wrong twice over."""
    draw = random.Random(f"words {seed}")
    rows = []
    for _ in range(groups):
        first, last, other, another = draw.sample(NAMES, 4)
        year = draw.randrange(1500, 1990)
        question = f"Who built the mill of {year} by the river, entry {draw.randrange(10**9)}?"
        for told in (f"{first} {last}", last, f"{other} {another}", another) * (answers // 4):
            page = (
                f"Page {draw.randrange(10**6)} of the records names several people, but one alone built it."
            )
            rows.append((f"{page} The answer is {told}.", f"{first} {last}", question))
    return rows


def long_kind(kind: str) -> Callable[[int, int, str], list[Row]]:
    return lambda groups, answers, seed: long_rows(kind, groups, answers, seed)


NAMES = (
    "Alder",
    "Birger",
    "Castro",
    "Dalton",
    "Elin",
    "Fabian",
    "Greta",
    "Haddad",
    "Ines",
    "Jonas",
    "Kerr",
    "Lindholm",
    "Moreau",
    "Noor",
    "Okafor",
    "Petrov",
)
WORDS = "words, embedded judge"
ROWS: dict[str, Callable[[int, int, str], list[Row]]] = {
    "short #### 42": short_rows,
    **{f"long {kind}": long_kind(kind) for kind in KINDS if "boxed" in kind},
    WORDS: word_rows,
}
SETTINGS: dict[str, dict[str, Any]] = {WORDS: {"policy": "addon", "judges": [{"preset": "embedded"}]}}
"""What the verifier of a kind is told beyond its defaults."""


def batch_of(tokenizer: Any, rows: Sequence[Row], answers: int) -> Any:
    """verl's layout: prompts padded on the left, responses on the right, one object a group in the columns."""
    pad = tokenizer.pad_token_id
    said = tokenizer([response for response, _, _ in rows])["input_ids"]
    asked = tokenizer([question for _, _, question in rows])["input_ids"]
    prompts, prompt_mask = padded(asked, pad, left=True)
    responses, response_mask = padded([[*ids, tokenizer.eos_token_id] for ids in said], pad)
    tensors = {
        "prompts": prompts,
        "responses": responses,
        "attention_mask": torch.cat([prompt_mask, response_mask], 1),
        "response_mask": response_mask,
    }
    firsts = rows[::answers]
    columns: dict[str, list[Any]] = {
        "data_source": ["toy/sums"] * len(firsts),
        "reward_model": [{"style": "rule", "ground_truth": reference} for _, reference, _ in firsts],
        "extra_info": [{"index": number, "split": "train"} for number, _ in enumerate(firsts)],
        "raw_prompt": [[{"role": "user", "content": question}] for _, _, question in firsts],
        "uid": [f"{number:032x}" for number, _ in enumerate(firsts)],
    }
    return DataProto(
        batch=TensorDict(tensors, batch_size=len(rows)),
        non_tensor_batch={name: np.repeat(objects(values), answers) for name, values in columns.items()},
    )


def padded(ids: Sequence[Sequence[int]], pad: int, left: bool = False) -> tuple[Any, Any]:
    width = max(map(len, ids))
    tensor, mask = torch.full((len(ids), width), pad), torch.zeros(len(ids), width, dtype=torch.long)
    for i, row in enumerate(ids):
        place = slice(width - len(row), width) if left else slice(0, len(row))
        tensor[i, place], mask[i, place] = torch.tensor(row), 1
    return tensor, mask


def objects(values: Sequence[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def load_tokenizer(folder: Path | None) -> Any:
    if folder is not None:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(folder)
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    texts = [response for make in ROWS.values() for response, _, _ in make(200, 2, "tokenizer")]
    trainer = trainers.BpeTrainer(vocab_size=8000, special_tokens=["<pad>", "<eos>"], show_progress=False)
    core.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=core, pad_token="<pad>", eos_token="<eos>")


if __name__ == "__main__":
    main()
