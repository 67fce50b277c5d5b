"""NeMo Gym's own client and its agents' own code ask a running service, in the place of a resources server."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import toy
from service_process import Running, running

pytest.importorskip("nemo_gym", reason="NeMo Gym is not installed")

from nemo_gym import server_utils
from nemo_gym.base_resources_server import BaseRunRequest, BaseVerifyResponse, ResourcesSeedSessionRequest
from nemo_gym.config_types import AggregateMetrics, BaseServerConfig, ResourcesServerRef
from nemo_gym.failure_kinds import FAILURE_KINDS
from nemo_gym.global_config import NEMO_GYM_CONFIG_DICT_ENV_VAR_NAME, NEMO_GYM_CONFIG_PATH_ENV_VAR_NAME
from nemo_gym.openai_utils import NeMoGymResponse
from nemo_gym.rollout_correlation import rollout_context
from nemo_gym.sandbox.agent_tools import verify_agent_response
from nemo_gym.testing.session_conformance import check_resources_session_contract
from omegaconf import OmegaConf

OURS = "ours"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = {name: value for name, value in toy.judged().items() if name in ("policy", "judges")}
    with running(tmp_path_factory.mktemp("service"), settings) as found:
        yield found


def client_of(service: Running, **settings: Any) -> Any:
    """NeMo Gym's client, told of our service as its configuration tells of a resources server."""
    host, _, port = service.base_url.removeprefix("http://").partition(":")
    place = {"host": host, "port": int(port), "entrypoint": "app.py"}
    config = OmegaConf.create({OURS: {"resources_servers": {"hybridverify": place}}, **settings})
    return server_utils.ServerClient(
        head_server_config=BaseServerConfig(host="127.0.0.1", port=1), global_config_dict=config
    )


def within(work: Any) -> Any:
    """Run a coroutine with NeMo Gym's connections, which belong to one loop."""

    async def run() -> Any:
        made = server_utils.set_global_aiohttp_client(server_utils.GlobalAIOHTTPAsyncClientConfig())
        try:
            return await work
        finally:
            await made.close()
            server_utils._GLOBAL_AIOHTTP_CLIENT = None

    return asyncio.run(run())


def response(*said: str) -> NeMoGymResponse:
    parts = [{"type": "output_text", "text": text, "annotations": []} for text in said]
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": parts}
    thought = {"id": "t", "type": "reasoning", "summary": []}
    return NeMoGymResponse.model_validate(
        {
            "id": "r",
            "created_at": 0.0,
            "model": "scripted",
            "object": "response",
            "output": [thought, message],
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
        }
    )


class Row(BaseRunRequest, extra="allow"):
    """A row of a data set, as an agent gets it."""


def row(question: str, reference: Any) -> Row:
    asked = {"input": [{"role": "user", "content": question}]}
    return Row.model_validate(
        {"responses_create_params": asked, "expected_answer": reference, "agent_ref": {"name": "a"}}
    )


async def verified(client: Any, asked: Row, said: NeMoGymResponse, zero: bool = False) -> Any:
    told = await verify_agent_response(
        client,
        ResourcesServerRef(type="resources_servers", name=OURS),
        asked,
        said,
        {},
        force_zero_reward=zero,
    )
    return BaseVerifyResponse.model_validate(told), told


def test_an_agents_rollouts_are_verified(service: Running) -> None:
    client = client_of(service)
    for question, said, reference, reward in toy.SUMS:
        found, told = within(verified(client, row(question, reference), response(said)))
        assert (found.reward, found.mask_sample, found.failure_kind) == (reward, False, None)
        assert (told["agent_ref"], told["expected_answer"]) == ({"name": "a"}, reference)
    found, _ = within(verified(client, row(*toy.SUMS[0][::2]), response("It is ", r"\boxed{42}")))
    assert found.reward == 1.0


def test_a_rollout_that_nobody_could_grade_is_masked(service: Running) -> None:
    for said, reference, kind in (
        (toy.LOST, toy.REFERENCE, "judge_unparseable"),
        ("42", "", "verifier_error"),
    ):
        found, _ = within(verified(client_of(service), row(toy.QUESTION, reference), response(said)))
        assert (found.reward, found.mask_sample, found.failure_kind) == (0.0, True, kind)
        assert found.failure_reason
        assert kind in FAILURE_KINDS


def test_an_agent_that_failed_is_an_unmasked_zero(service: Running) -> None:
    found, _ = within(verified(client_of(service), row("6*7?", "42"), response(r"\boxed{42}"), zero=True))
    assert (found.reward, found.mask_sample) == (0.0, False)


def test_a_row_that_cannot_be_read_is_an_error_of_its_request(service: Running) -> None:
    with pytest.raises(Exception, match="422"):
        within(verified(client_of(service), row("6*7?", {}), response("42")))


def test_rollouts_are_found_where_they_are_watched(service: Running) -> None:
    client = client_of(service, observability_enabled=True)
    with rollout_context("3-1-a2"):
        found, _ = within(verified(client, row("6*7?", 42), response(r"\boxed{42}")))
    assert found.reward == 1.0
    assert 'path="/verify",status="200"' in service.ask_text("/metrics")[1]


def test_the_figures_of_a_run_are_asked_for_at_its_end(service: Running) -> None:
    rows = [{"reward": 1.0, "_ng_task_index": 0}, {"reward": 0.0, "mask_sample": True}, {"reward": 0.0}]

    async def asked() -> Any:
        reply = await client_of(service).post(OURS, "/aggregate_metrics", json={"verify_responses": rows})
        await server_utils.raise_for_status(reply)
        return AggregateMetrics.model_validate(await server_utils.get_response_json(reply))

    found = within(asked())
    assert found.key_metrics == {"mean/reward": 0.5}
    assert found.agent_metrics["coverage/masked_rollouts"] == 1


def test_the_lines_of_the_page_start_a_service(tmp_path: Path) -> None:
    """As NeMo Gym starts a server: its own configuration and the server's name are in the environment."""
    page = (Path(__file__).parents[2] / "docs" / "trainers" / "nemo_gym.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "app.py").write_text(lines, encoding="utf-8")
    (tmp_path / "conf.yaml").write_text("cache: null\n", encoding="utf-8")
    place = {"entrypoint": "app.py", "domain": "math", "host": "127.0.0.1", "port": 0}
    config = OmegaConf.create({OURS: {"resources_servers": {"hybridverify": place}}})
    told = {NEMO_GYM_CONFIG_DICT_ENV_VAR_NAME: OmegaConf.to_yaml(config)}
    told |= {NEMO_GYM_CONFIG_PATH_ENV_VAR_NAME: OURS, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=tmp_path,
        env={**os.environ, **told},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found
        served = Running(process, found.group())
        answer, _ = within(verified(client_of(served), row("6*7?", "42"), response("42")))
        assert answer.reward == 1.0
    finally:
        process.terminate()
        process.wait(200)
        process.stdout.close()


def test_sessions_are_what_its_own_check_asks_for() -> None:
    from hybridverify import Verifier
    from hybridverify.config import ServeEntry
    from hybridverify.service.app import Service
    from hybridverify.service.desk import Desk

    seed = ResourcesSeedSessionRequest.model_validate(
        {
            "resources_session_id": "s-1",
            "episode_id": {"rollout_id": "3-1"},
            "task_id": {"taskset": "sums", "task_id": "3"},
            "task_data": {"expected_answer": "42"},
        }
    )
    with Verifier(cache=None) as verifier:
        desk = Desk(verifier)
        check_resources_session_contract(Service(verifier, ServeEntry(), desk).app, seed, keeps_state=False)
        desk.close()
