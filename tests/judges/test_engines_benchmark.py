"""benchmarks/engines.py compares like with like: the engine is asked the same by hand and by the stage."""

from __future__ import annotations

import importlib
import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from hybridverify.judges.backends.vllm import VLLMBackend
from tests.judges.tiny_models import save_fast_tokenizer
from tests.judges.vllm_fake import FakeVLLM

ROOT = Path(__file__).parents[2]
if str(ROOT / "benchmarks") not in sys.path:
    sys.path.insert(0, str(ROOT / "benchmarks"))
engines: Any = importlib.import_module("engines")
cards: Any = importlib.import_module("cards")

pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")

PAIRS = {"raw, token ids": "stage, label", "raw, token ids, logprobs=5": "stage, P(yes)"}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeVLLM:
    return FakeVLLM(logprobs={"T": -0.1, "F": -2.5}).install(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    save_fast_tokenizer(tmp_path)
    return str(tmp_path)


def test_raw_rows_ask_what_the_stage_asks(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder, max_model_len=4096)
    backend.start()
    rows = engines.rows_of(backend, 4, 2)(1)
    asked = {}
    with backend.engine().running(0.0) as llm:
        ways = {**engines.raw_ways(backend, llm), **engines.stage_ways(backend)}
        del ways["raw, texts"]
        for name, way in ways.items():
            assert way(rows) == len(rows[0])
            params = fake.params[-1]
            told = (params.temperature, params.max_tokens, params.logprobs, params.detokenize)
            asked[name] = (sorted(fake.prompts[-1]), told)
    backend.close()
    for by_hand, by_stage in PAIRS.items():
        assert asked[by_hand] == asked[by_stage]


def test_ways_are_warmed_up_with_a_part_and_timed_with_all(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder, max_model_len=4096)
    backend.start()
    rows = engines.timed(engines.stage_ways(backend), engines.rows_of(backend, 4, 4), 2)
    backend.close()
    assert [len(prompts) for prompts in fake.prompts] == [4, 4, 16, 16, 16, 16]
    assert [(row.name, len(row.seconds)) for row in rows] == [("stage, label", 2), ("stage, P(yes)", 2)]
    every = [text for prompts in fake.prompts for text in prompts]
    assert len(set(every)) == len(every), "an engine that knew a prompt would have less to do"


def test_the_hosts_work_is_measured_without_an_engine(folder: str, tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    arguments = Namespace(
        model=folder, engine="none", engines=[1, 2], questions=9, repeats=1, load_format="auto", json=out
    )
    figures = cards.measured(arguments)
    assert figures["pairs"] == 72
    assert all(cost > 0 for rows in figures["host_us_a_pair"].values() for cost in rows.values())
    told = json.loads(out.read_text(encoding="utf-8"))
    assert told["figures"]["seconds"] == figures["seconds"]
    assert told["python"].startswith("3.")
    assert isinstance(told["cards"], list)
