"""A base for objects with a lock that can be pickled."""

from __future__ import annotations

import threading
from typing import Any


class Locked:
    """Pickles everything but `_lock`, and has a lock of its own wherever it arrives.

    >>> import pickle
    >>> locked = pickle.loads(pickle.dumps(Locked()))
    >>> with locked._lock:
    ...     pass
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock())
