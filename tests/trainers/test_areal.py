"""AReaL's own `AsyncRewardWrapper` with our reward function: in its processes, with its arguments.

Its package needs a CUDA engine to be imported. The file of the wrapper is loaded by itself, with a stand-in for the
package's log.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import sys
from types import ModuleType
from typing import Any

import pytest
import toy
from hybridverify.adapters.areal import reward_function

from hybridverify.errors import ConfigError


@pytest.fixture(scope="module")
def wrapper() -> Any:
    folder = toy.package_folder("areal", "AReaL")
    stand_ins = {"areal": ModuleType("areal"), "areal.utils": ModuleType("areal.utils")}
    stand_ins["areal.utils"].logging = logging  # type: ignore[attr-defined]
    sys.modules.update(stand_ins)
    spec = importlib.util.spec_from_file_location("areal_reward_api", folder / "api" / "reward_api.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in stand_ins:
        del sys.modules[name]
    yield module.AsyncRewardWrapper
    module.AsyncRewardWrapper._atexit_shutdown_all()


def paid(wrapper: Any, function: Any, rows: list[tuple[str, str, str]]) -> list[float]:
    wrapped = wrapper(function, timeout_seconds=120, max_workers=1)

    async def all_of_them() -> list[float]:
        calls = [wrapped(q, said, [1, 2], [3], answer=reference, messages=[]) for q, said, reference in rows]
        return list(await asyncio.gather(*calls))

    return asyncio.run(all_of_them())


def test_rewards_come_from_its_processes(wrapper: Any) -> None:
    rows = [(q, said, reference) for q, said, reference, _ in toy.SUMS]
    assert paid(wrapper, reward_function(cache=None), rows) == [reward for *_, reward in toy.SUMS]


def test_the_advantage_of_a_row_without_a_grade_is_that_of_a_wrong_one(wrapper: Any) -> None:
    """The mean of the group is taken here: AReaL's trainer is not installed."""
    rows = [(toy.QUESTION, said, toy.REFERENCE) for said in toy.GROUP]
    found = paid(wrapper, reward_function(**toy.judged()), rows)
    assert [reward - sum(found) / 4 for reward in found] == [0.75, -0.25, -0.25, -0.25]
    assert paid(wrapper, reward_function(ungraded=0.5, **toy.judged()), rows)[3] == 0.5


def test_none_is_refused_when_the_function_is_made() -> None:
    with pytest.raises(ConfigError, match=r"^ungraded: AReaL wants a number for every row; take one$"):
        reward_function(ungraded="none", cache=None)
