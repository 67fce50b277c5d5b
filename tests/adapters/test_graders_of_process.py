"""The graders of a process: one for each set of options, and none of another process."""

from __future__ import annotations

import os

import pytest
from hybridverify.adapters import graders
from hybridverify.adapters.options import parse_options


def test_equal_options_share_a_grader() -> None:
    assert graders.grader_for(parse_options({"cache": None})) is graders.grader_for(
        parse_options({"cache": None})
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_a_forked_child_makes_a_grader_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    options = parse_options({"cache": None})
    parents = graders.grader_for(options)
    monkeypatch.setattr(graders, "Grader", lambda _: "made anew")
    child = os.fork()
    if not child:
        code = 2
        try:
            code = int(graders.grader_for(options) != "made anew")  # type: ignore[comparison-overlap]
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert graders.grader_for(options) is parents
