"""The graders of this process: one for each set of options, made at first use.

Managers and functions hold only `Options`, so they can be pickled. Connections, pools and locks are made anew in the
process that grades.
"""

from __future__ import annotations

import os
import threading

from hybridverify.adapters.grader import Grader
from hybridverify.adapters.options import Options

_graders: dict[str, Grader] = {}
_inherited: list[Grader] = []
"""Those of the process that this one was forked from. Kept, since their end would end what still serves the other."""
_lock = threading.Lock()


def _forked() -> None:
    """A child makes its own graders."""
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it
    _inherited.extend(_graders.values())
    _graders.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def grader_for(options: Options) -> Grader:
    """This process's grader for these options."""
    found = _graders.get(options.key)
    if found is not None:  # nearly always, and felt in every call
        return found
    with _lock:
        if options.key not in _graders:
            _graders[options.key] = Grader(options)
        return _graders[options.key]


def close_graders() -> None:
    """Close the graders of this process. The next call makes new ones."""
    with _lock:
        graders = list(_graders.values())
        _graders.clear()
    for grader in graders:
        grader.close()


def process_metrics() -> dict[str, float]:
    """The counters of this process's grader; empty if it has none, or several: their numbers cannot be read as one."""
    with _lock:
        graders = list(_graders.values())
    return graders[0].metrics() if len(graders) == 1 else {}
