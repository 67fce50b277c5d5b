"""Killable worker processes with a deadline per job, for work that nobody can bound: sympy and users' functions.

A pool (`pool.py`) hands jobs to workers (`worker.py`). A worker is a child of the nursery (`nursery.py`): one process
that has imported what jobs need, has no threads, and forks. So a killed worker is replaced in milliseconds. What runs
at the worker's end of the pipe is `child.py`. `clock.py` says when a job has used up its deadline: by processor time
and by its own sleep, never by how busy the machine is.

Entry points: `WorkerPool`, `shared_pool`, `Interrupted`.
"""

from hybridverify.workers.pool import WorkerPool, shared_pool
from hybridverify.workers.worker import Interrupted

__all__ = ["Interrupted", "WorkerPool", "shared_pool"]
