"""A resources server of NeMo Gym: what its agents and its environment servers ask for.

Its client is told a host and a port, and no address: what a row holds is found in the row. Rows without a grade are
masked. Grading keeps no state, so a session is a name that is given back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hybridverify.language import expressions as re
from hybridverify.service.bites import in_bites
from hybridverify.service.rows import Malformed, figure, kind, listed, mapping, reference, text
from hybridverify.service.trainers import content_text, last_user_text, reason_of
from hybridverify.types import Grade, Outcome, Sample

PATHS = ("/verify", "/seed_session", "/close_session", "/aggregate_metrics")
_PREFIX = re.compile(r"/ng-rollout/[A-Za-z0-9][A-Za-z0-9._-]*(?=/)")
"""Where NeMo Gym watches its rollouts, their number stands before the path."""
_SESSION = "resources_session_id"
_MOST = 1e300


def without_rollout(path: str) -> str:
    """The path without the number of a rollout.

    >>> without_rollout("/ng-rollout/12-3/verify"), without_rollout("/grade")
    ('/verify', '/grade')
    """
    found = _PREFIX.match(path)
    return path[found.end() :] if found and path[found.end() :] in PATHS else path


def gym_sample(given: Mapping[str, Any], fields: Mapping[str, str]) -> Sample:
    """NeMo Gym's verify request: a row of its data set beside a response of the Responses API. Raises Malformed.

    `fields` names the row's fields for reference and question; where there is no question, the prompt's last message
    of the user is it.
    """
    mapping(given, "body")
    if fields["reference"] not in given:
        raise Malformed(f"body, {fields['reference']}: missing; ?reference=FIELD names another field")
    question = given.get(fields["question"])
    if question is None:
        asked = mapping(given.get("responses_create_params", {}), "body, responses_create_params")
        question = last_user_text(asked.get("input", ""), "body, responses_create_params.input")
    source = given.get("data_source")
    return Sample(
        _output_text(given),
        reference(given[fields["reference"]], f"body, {fields['reference']}"),
        text(question, f"body, {fields['question']}"),
        source if isinstance(source, str) else "",
    )


def _output_text(given: Mapping[str, Any]) -> str:
    """The texts of the assistant's messages, joined."""
    if "response" not in given:
        raise Malformed("body, response: missing")
    output = mapping(given["response"], "body, response").get("output")
    said = []
    for at, item in enumerate(listed(output, "body, response.output")):
        where = f"body, response.output[{at}]"
        if mapping(item, where).get("type") == "message":
            said.append(content_text(item.get("content"), f"{where}.content", "output_text"))
    return "".join(said)


def gym_answer(given: Mapping[str, Any], grade: Grade) -> dict[str, Any]:
    """NeMo Gym's verify response: the request, and what came of it. A row without a grade is masked."""
    told = {
        **given,
        "reward": grade.score,
        "mask_sample": not grade.graded,
        "extracted_answer": grade.rule.answer or grade.judge.answer,
        "hv_outcome": grade.outcome.value,
    }
    if not grade.graded:
        told["failure_kind"] = _failure_kind(grade)
        told["failure_reason"] = f"{grade.outcome}: {reason_of(grade)}"
    return told


def _failure_kind(grade: Grade) -> str:
    """The word for it in NeMo Gym's own vocabulary."""
    if not grade.judge_asked:
        return "verifier_error"
    return "judge_unparseable" if grade.outcome is Outcome.UNPARSEABLE else "judge_failed"


def session(given: Any) -> dict[str, str]:
    """The answer to a session that is opened or closed: its name, where an environment server gave it one. Raises
    Malformed.

    >>> session({"resources_session_id": "s-1", "task_data": {}}), session({"question": "6*7?"})
    ({'resources_session_id': 's-1'}, {})
    """
    told = mapping(given, "body")
    return {_SESSION: text(told[_SESSION], f"body, {_SESSION}")} if _SESSION in told else {}


async def aggregate(given: Any) -> dict[str, Any]:
    """The figures of a run: the mean reward of the rows that were measured, and how many were. Raises Malformed."""
    rows = mapping(given, "body").get("verify_responses")
    if not isinstance(rows, list):
        raise Malformed(f"body, verify_responses: expected a list, got {kind(rows)}")
    paid = await in_bites(rows, lambda at, row: _reward(row, f"body, verify_responses[{at}]"))
    measured = [reward for reward in paid if reward is not None]
    figures: dict[str, float] = {"mean/reward": math.fsum(measured) / len(measured)} if measured else {}
    coverage = {
        "coverage/measured_rollouts": len(measured),
        "coverage/masked_rollouts": len(paid) - len(measured),
    }
    return {"agent_metrics": {**figures, **coverage}, "key_metrics": figures}


def _reward(row: Any, where: str) -> float | None:
    """The reward of a row; None where it was masked."""
    if mapping(row, where).get("mask_sample") is True:
        return None
    reward = row.get("reward")
    if type(reward) not in (int, float) or not abs(reward) <= _MOST:
        raise Malformed(f"{where}, reward: expected a number, got {figure(reward)}")
    return float(reward)
