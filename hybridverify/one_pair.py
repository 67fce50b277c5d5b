"""`hybridverify.verify`: one pair, default rules, no judge."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

from hybridverify.types import Grade, Sample
from hybridverify.verifier import Verifier

_default: list[Verifier] = []
"""One for each process: a forked child has no use for its parent's threads and locks."""
_default_lock = threading.Lock()
if hasattr(os, "register_at_fork"):  # not on Windows, which knows no forks
    os.register_at_fork(after_in_child=_default.clear)


def verify(response: str, reference: str | Sequence[str], question: str = "") -> Grade:
    """Grade one pair with the default rules and no judge.

    >>> verify("the answer is 12", "12").outcome
    <Outcome.CORRECT: 'correct'>
    """
    verifier = _default[0] if _default else _make_default()
    (grade,) = verifier.grade([Sample(response, reference, question)])
    return grade


def _make_default() -> Verifier:
    with _default_lock:
        if not _default:
            _default.append(Verifier())
        return _default[0]
