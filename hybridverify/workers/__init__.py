"""Worker processes that can be killed, with a deadline for each job: for work without a known bound, such as sympy
and users' functions.

A pool (`pool.py`) hands jobs to workers (`worker.py`). A worker is a child of the nursery (`nursery.py`, its process
`forking.py`), a process that has imported what jobs need, has no threads, and forks. So a killed worker is replaced
in milliseconds. `child.py` runs in the worker process. `clock.py` says when a job has used up its deadline: by
processor time and by its own sleep, never by how busy the machine is.

Entry points: `WorkerPool`, `shared_pool`, `Interrupted`.
"""

from hybridverify.workers.pool import WorkerPool, shared_pool
from hybridverify.workers.worker import Interrupted

__all__ = ["Interrupted", "WorkerPool", "shared_pool"]
