"""Texts by the short road are those of `batch_decode`, with the transformers of this environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.decoding import FEW, _core, decoded
from transformers import PreTrainedTokenizerFast

TEXTS = ["Three and four make #### 7", "", "7", " two  spaces , and a comma .", "do n't", "é ü 語", "7" * 60]


class Shouting(PreTrainedTokenizerFast):  # type: ignore[misc]
    """A tokenizer with a word of its own in its texts."""

    def _decode(self, *arguments: Any, **options: Any) -> str:
        return str(super()._decode(*arguments, **options)).upper()


def rows_of(tokenizer: Any) -> list[Any]:
    """Ids of every text, with the special tokens that a rollout leaves; enough of them for a batch."""
    special = [[], [tokenizer.eos_token_id], [tokenizer.bos_token_id, tokenizer.eos_token_id]]
    rows = [[*tokenizer.encode(text), *special[i % 3]] for i, text in enumerate(TEXTS * FEW)]
    return [np.array(row, dtype=np.int64) for row in rows]


def byte_level_tokenizer(clean_up: bool) -> Any:
    """A token a byte, as Qwen's and Llama's tokenizers have for what is no word of theirs."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE(vocab={sign: i for i, sign in enumerate(signs)}, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        eos_token="<eos>",
        bos_token="<bos>",
        clean_up_tokenization_spaces=clean_up,
    )


def usual(tokenizer: Any, rows: Sequence[Any]) -> list[str]:
    return [tokenizer.batch_decode([row], skip_special_tokens=True)[0] if len(row) else "" for row in rows]


def test_the_core_of_a_fast_tokenizer_gives_the_usual_texts(tokenizer: Any) -> None:
    rows = rows_of(tokenizer)
    assert _core(tokenizer) is not None
    assert decoded(tokenizer, rows) == usual(tokenizer, rows)
    assert decoded(tokenizer, []) == []
    assert decoded(tokenizer, rows[1:2]) == [""]


@pytest.mark.parametrize("clean_up", [False, True])
def test_a_byte_level_tokenizer_gives_the_usual_texts(clean_up: bool) -> None:
    tokenizer = byte_level_tokenizer(clean_up)
    rows = rows_of(tokenizer)
    assert (_core(tokenizer) is None) == clean_up
    assert decoded(tokenizer, rows) == usual(tokenizer, rows)
    tokenizer.add_special_tokens({"additional_special_tokens": ["7"]})  # and the digit is no text any more
    rows = rows_of(tokenizer)
    assert decoded(tokenizer, rows) == usual(tokenizer, rows)
    assert "7" not in "".join(decoded(tokenizer, rows))


def test_a_tokenizer_with_a_word_of_its_own_is_asked_itself(tokenizer_folder: Any, tokenizer: Any) -> None:
    shouting = Shouting.from_pretrained(tokenizer_folder)
    rows = rows_of(tokenizer)
    assert _core(shouting) is None
    assert decoded(shouting, rows)[0] == "THREE AND FOUR MAKE #### 7"


@pytest.mark.parametrize("name", ["batch_decode", "decode", "_decode"])
def test_a_method_put_on_the_object_is_called(tokenizer_folder: Any, name: str) -> None:
    tokenizer = PreTrainedTokenizerFast.from_pretrained(tokenizer_folder)
    said = ["mine"] if name == "batch_decode" else "mine"
    setattr(tokenizer, name, lambda *_arguments, **_options: said)
    assert _core(tokenizer) is None


def test_a_tokenizer_that_cleans_its_texts_up_is_asked_itself(tokenizer_folder: Any) -> None:
    tokenizer = PreTrainedTokenizerFast.from_pretrained(tokenizer_folder, clean_up_tokenization_spaces=True)
    rows = rows_of(tokenizer)
    assert _core(tokenizer) is None
    assert decoded(tokenizer, rows) == usual(tokenizer, rows)
