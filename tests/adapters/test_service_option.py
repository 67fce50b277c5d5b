"""`service=ADDRESS` in a trainer's options: a real service grades, and what the trainer gets is the same."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hybridverify.adapters.grader import Grader
from hybridverify.adapters.options import parse_options
from hybridverify.adapters.reward_function import compute_score, compute_score_async, compute_score_batch

from hybridverify.errors import ConfigError, JudgeUnavailable

pytest.importorskip("uvicorn")
from tests.service.service_process import running

JUDGE = {"preset": "tinyv", "backend": {"name": "scripted", "replies": {"in Ulm": "True", "in Kiel": "?"}}}
SETTINGS = {"policy": "addon", "judges": [JUDGE], "serve": {"max_body_mb": 0.05}}
ROWS = [
    ("openai/gsm8k", "#### 7", "7"),
    ("openai/gsm8k", "#### 8", "7"),
    ("any", "It lies in Ulm", "Ulm on the Danube"),
    ("any", "7", ""),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("service"), SETTINGS) as service:
        yield service.base_url


def columns() -> list[list[Any]]:
    return [list(column) for column in zip(*ROWS, strict=True)]


def test_every_form_gives_what_it_gives_in_this_process(address: str) -> None:
    own: dict[str, Any] = {"policy": "addon", "judges": [JUDGE], "cache": None}
    expected = [dict(row) for row in compute_score_batch(*columns(), **own)]
    assert [row["score"] for row in expected] == [1.0, 0.0, 1.0, 0.0]
    assert [dict(row) for row in compute_score_batch(*columns(), service=address)] == expected
    assert [dict(compute_score(*row, service=address)) for row in ROWS] == expected

    async def all_rows() -> list[dict[str, Any]]:
        return [
            dict(r)
            for r in await asyncio.gather(*(compute_score_async(*row, service=address) for row in ROWS))
        ]

    assert asyncio.run(all_rows()) == expected


def test_a_row_that_the_service_refuses_is_a_row_without_a_grade(address: str) -> None:
    rows = [*ROWS, ("any", "7" * 100_000, "7")]
    scores = compute_score_batch(*[list(column) for column in zip(*rows, strict=True)], service=address)
    assert [row["hv_graded"] for row in scores] == [1, 1, 1, 0, 0]
    assert scores[-1]["hv_status"] == "failed"


def test_a_service_that_is_gone_stops_the_run_and_pays_nothing(tmp_path: Path) -> None:
    with running(tmp_path, SETTINGS) as service:
        address = service.base_url
    import hybridverify.adapters.service as module

    before, module.RETRY_S = module.RETRY_S, 0.1
    try:
        with pytest.raises(JudgeUnavailable, match="does not answer"):
            compute_score_batch(*columns(), service=address, outage_wait_s=0.2)
    finally:
        module.RETRY_S = before


def test_it_is_told_and_counted(address: str) -> None:
    grader = Grader(parse_options({"service": address}))
    assert grader.options.describe() == f"service at {address}"
    grader.grade([])
    assert grader.metrics()["hv/service/rows"] == 0.0
    grader.close()


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"policy": "addon"}, "leave out policy"),
        ({"judge": "tinyv", "cache": None}, "leave out cache, judge"),
        ({"service_token_env": "HV_NO_SUCH"}, "HV_NO_SUCH is not set"),
        ({"service": "ftp://x"}, "is no address"),
    ],
)
def test_what_contradicts_is_refused(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        Grader(parse_options({"service": "http://127.0.0.1:1", **options}))
