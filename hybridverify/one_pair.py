"""`hybridverify.verify`: one pair, default rules, no judge."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

from hybridverify.types import Grade, Sample
from hybridverify.verifier import Verifier

_default: dict[int, Verifier] = {}
_default_lock = threading.Lock()


def verify(response: str, reference: str | Sequence[str], question: str = "") -> Grade:
    """Grade one pair with the default rules and no judge.

    >>> verify("the answer is 12", "12").outcome
    <Outcome.CORRECT: 'correct'>
    """
    verifier = _default.get(os.getpid()) or _default_verifier()
    (grade,) = verifier.grade([Sample(response, reference, question)])
    return grade


def _default_verifier() -> Verifier:
    """One for each process: a forked child has no use for its parent's threads and locks."""
    pid = os.getpid()
    with _default_lock:
        if pid not in _default:
            _default[pid] = Verifier()
        return _default[pid]
