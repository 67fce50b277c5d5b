"""Texts from a table of bytes are those of the tokenizer itself, whatever ids a model wrote."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.byte_level import ROWS_AT_ONCE, ByteTable, is_byte_level
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

TEXTS = [
    "Three and four make #### 7.\n",
    "The radius is 3√2, so the answer is \\boxed{18π}.",
    "答案是七。é ü ñ",
]


@pytest.fixture(scope="module")
def core() -> Any:
    """A byte-level BPE with special tokens and tokens that were added as they are written."""
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<eos>"], initial_alphabet=alphabet, show_progress=False
    )
    core.train_from_iterator(TEXTS, trainer)
    core.add_special_tokens(["<|end|>"])
    core.add_tokens(["<think>", "ĠĠ", "思考", AddedToken("\u00e9t\u00e9", normalized=True)])
    return core


def usual(core: Any, rows: list[Any]) -> list[str]:
    return [core.decode(row.tolist(), skip_special_tokens=True) for row in rows]


def test_texts_read_as_they_were_written(core: Any) -> None:
    rows = [np.array(core.encode(text + "<eos>").ids) for text in TEXTS]
    assert is_byte_level(core)
    assert ByteTable(core).texts(rows) == TEXTS


def test_every_token_alone(core: Any) -> None:
    rows = [np.array([i]) for i in range(core.get_vocab_size())]
    assert ByteTable(core).texts(rows) == usual(core, rows)


@pytest.mark.parametrize("seed", range(5))
def test_ids_in_no_order_break_characters_as_the_tokenizer_does(core: Any, seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows = [
        draw.integers(0, core.get_vocab_size(), draw.integers(1, 90)) for _ in range(3 * ROWS_AT_ONCE + 1)
    ]
    assert any("\ufffd" in text for text in usual(core, rows))
    table = ByteTable(core)
    assert table.texts(rows) == usual(core, rows)
    assert table.texts(rows[::-1]) == usual(core, rows[::-1])


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint32])
def test_ids_of_any_width(core: Any, kind: Any) -> None:
    rows = [np.array(core.encode(text).ids, dtype=kind) for text in TEXTS]
    assert ByteTable(core).texts(rows) == TEXTS


def test_ids_beyond_the_vocabulary_are_left_out(core: Any) -> None:
    rows = [np.array([*core.encode("#### 7").ids, core.get_vocab_size(), 10**6]), np.array([1, 2])]
    assert ByteTable(core).texts(rows) == usual(core, rows)


def test_negative_ids_are_an_error_as_for_the_tokenizer(core: Any) -> None:
    with pytest.raises(OverflowError):
        ByteTable(core).texts([np.array([5, -1])])


def test_a_table_ends_with_the_tokens_it_was_made_for(core: Any) -> None:
    changed = Tokenizer.from_str(core.to_str())
    table = ByteTable(changed)
    assert table.holds(changed)
    assert not table.holds(core)
    changed.add_special_tokens(["<|later|>"])
    assert not table.holds(changed)


def test_other_decoders_are_no_byte_level(core: Any) -> None:
    other = Tokenizer.from_str(core.to_str())
    other.decoder = decoders.Sequence([decoders.ByteLevel(), decoders.Strip("x", 1, 0)])
    assert not is_byte_level(other)
    other.decoder = decoders.Metaspace()
    assert not is_byte_level(other)
