"""Text of tools in a response: left out where a mask tells it apart, never spliced, counted."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.options import parse_options
from hybridverify.adapters.verl_batch import rows_of
from hybridverify.adapters.verl_reward_loop import HybridRewardManager
from verl_fakes import CharTokenizer, batch_of, object_column

TOKENIZER = CharTokenizer()


def with_masks(*texts: str, name: str = "response_mask") -> Any:
    """A batch whose texts have their tools' parts in square brackets."""
    batch = batch_of([("q", text, "42") for text in texts])
    mask = np.zeros_like(batch.batch["responses"])
    for i, text in enumerate(texts):
        inside = False
        for place, character in enumerate(text):
            inside = inside or character == "["
            mask[i, place] = not inside
            inside = inside and character != "]"
    batch.batch[name] = mask
    return batch


def texts_of(batch: Any, drop: bool | str = "auto") -> list[str]:
    return [sample.response for sample in rows_of(batch, TOKENIZER, drop_tool_tokens=drop).samples]


def test_it_is_the_default() -> None:
    assert parse_options({}).drop_tool_tokens == "auto"
    assert parse_options({"drop_tool_tokens": False}).drop_tool_tokens is False


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("4[tool]2", "4\n2"),
        ("a[x]b[y]c", "a\nb\nc"),
        ("[x]a", "a"),
        ("a[x]", "a"),
        ("no tool", "no tool"),
        ("[all]", "[all]"),
        ("", ""),
    ],
)
def test_the_models_own_text_is_graded_and_never_spliced(text: str, own: str) -> None:
    batch = with_masks(text, "another row")
    assert texts_of(batch) == [own, "another row"]
    assert texts_of(batch, False) == [text, "another row"]


def test_asked_for_outright_a_mask_that_marks_nothing_is_believed() -> None:
    assert texts_of(with_masks("a[x]b", "[all]"), True) == ["a\nb", ""]


def test_rows_whose_text_changed_are_counted_and_no_others() -> None:
    batch = with_masks("a[x]b", "plain", "[all]", "c[y]")
    assert rows_of(batch, TOKENIZER, drop_tool_tokens="auto").cut == 2
    assert rows_of(batch, TOKENIZER, drop_tool_tokens=False).cut == 0


def test_a_left_out_token_without_a_text_changes_nothing() -> None:
    class SkipsHash(CharTokenizer):  # type: ignore[misc]
        def decode(self, ids: Any, skip_special_tokens: bool = False) -> str:
            return str(super().decode(ids)).replace("#", "")

    batch = with_masks("7#")
    batch.batch["response_mask"][0, 1] = 0  # an end of sequence that is not learnt
    rows = rows_of(batch, SkipsHash(), drop_tool_tokens="auto")
    assert (rows.samples[0].response, rows.cut) == ("7", 0)


def test_the_older_mask_covers_the_prompt_and_stands_beside_a_full_one() -> None:
    batch = with_masks("4[tool]2", name="loss_mask")
    own = batch.batch["loss_mask"]
    batch.batch["loss_mask"] = np.concatenate([np.zeros_like(batch.batch["prompts"]), own], axis=1)
    assert texts_of(batch) == ["4\n2"]
    batch.batch["response_mask"] = np.ones_like(own)
    assert texts_of(batch) == ["4\n2"]
    batch.batch["loss_mask"] = np.zeros_like(batch.batch["loss_mask"])
    assert texts_of(batch) == ["4[tool]2"]


def test_a_mask_of_another_width_says_nothing() -> None:
    batch = with_masks("4[tool]2")
    batch.batch["response_mask"] = batch.batch["response_mask"][:, :3]
    assert texts_of(batch) == ["4[tool]2"]


def test_streaming_rows_are_cut_at_their_length() -> None:
    batch = with_masks("4[tool]2[x]")
    batch.non_tensor_batch["response_len"] = object_column([8])
    batch.batch["attention_mask"][:] = 0
    assert texts_of(batch) == ["4\n2"]


def test_the_loop_grades_without_the_tools_and_counts_it(caplog: pytest.LogCaptureFixture) -> None:
    options: dict[str, Any] = {"policy": "rule_only", "cache": None, "max_batch": 31}
    batch = with_masks("#### 4[\nI count again.\n#### 42\n]", "#### 4[x]2", "#### 42[of course]", "#### 42")
    config = {"reward": {"reward_kwargs": options}}
    manager = HybridRewardManager(config, TOKENIZER)
    with caplog.at_level(logging.WARNING, "hybridverify"):
        outputs = [asyncio.run(manager.run_single(batch[i : i + 1])) for i in range(4)]
    assert [output["reward_score"] for output in outputs] == [0.0, 0.0, 1.0, 1.0]
    assert manager.metrics["hv/rows/without_tools"] == 3.0
    assert len([line for line in caplog.messages if "drop_tool_tokens=false" in line]) == 1
    whole = HybridRewardManager(config, TOKENIZER, drop_tool_tokens=False)
    assert asyncio.run(whole.run_single(batch[:1]))["reward_score"] == 1.0
