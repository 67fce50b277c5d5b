"""Which road token ids take to their text, with a stand-in for transformers, which is not needed for the import."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.decoding import FEW, decoded
from verl_fakes import CharTokenizer

ROWS = [np.array(CharTokenizer().encode(text), dtype=np.int64) for text in ("#### 4", "", "7")]


class Core:
    """The core of a fast tokenizer; `says` replaces its texts."""

    decoder = None  # none of the library's, so not the byte-level one

    def __init__(self, says: str = "") -> None:
        self.says, self.calls = says, 0

    def decode(self, row: Sequence[int], skip_special_tokens: bool) -> str:
        self.calls += 1
        assert skip_special_tokens
        return self.says or str(CharTokenizer().decode(row))


class Fast(CharTokenizer):  # type: ignore[misc]
    """What the adapters look at in a fast tokenizer."""

    clean_up_tokenization_spaces = False

    def __init__(self, core: Core) -> None:
        super().__init__()
        self.backend_tokenizer, self.rows = core, 0

    def _decode(self) -> None:
        """Not called here."""

    def batch_decode(self, rows: Sequence[Sequence[int]], skip_special_tokens: bool = False) -> list[str]:
        self.rows += len(rows)
        return list(super().batch_decode(rows, skip_special_tokens))


@pytest.fixture(autouse=True)
def transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", SimpleNamespace(PreTrainedTokenizerFast=Fast))


def test_a_batch_goes_through_the_core() -> None:
    tokenizer = Fast(core := Core())
    assert decoded(tokenizer, ROWS * FEW) == ["#### 4", "", "7"] * FEW
    assert (core.calls, tokenizer.rows) == (2 * FEW, 1)  # one row the usual way, for comparison


def test_a_few_rows_go_through_the_tokenizer() -> None:
    tokenizer = Fast(core := Core())
    assert decoded(tokenizer, ROWS) == ["#### 4", "", "7"]
    assert (core.calls, tokenizer.rows) == (0, 2)


def test_a_core_that_says_other_things_than_the_tokenizer_is_not_believed() -> None:
    tokenizer = Fast(Core(says="other"))
    assert decoded(tokenizer, ROWS * FEW) == ["#### 4", "", "7"] * FEW


def test_any_other_tokenizer_is_asked_itself() -> None:
    core = Core()
    tokenizer: Any = CharTokenizer()
    tokenizer.backend_tokenizer = core
    assert decoded(tokenizer, ROWS * FEW) == ["#### 4", "", "7"] * FEW
    assert core.calls == 0
