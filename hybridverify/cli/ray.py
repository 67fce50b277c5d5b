"""`grade --engine ray`: a run whose rows are graded by Ray actors, each with a Verifier.

Chunks come back in the order in which they were sent, so output, journal and resuming are those of a local run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from hybridverify.errors import ConfigError, HybridVerifyError, JudgeUnavailable
from hybridverify.guards.monitor_report import MonitorReport, merged_reports
from hybridverify.types import Grade, Sample

_QUEUED = 2  # chunks of one actor at a time: one at work, one waiting
_ON_GPU = ("vllm", "sglang", "transformers")


class RayGrader:
    """Has the methods of a Verifier that a run uses. `workers` is the number of actors; by default as many as the
    cluster has room for.

    A judge that runs in the process takes `tensor_parallel_size` GPUs for each actor. Raises ConfigError if Ray is
    missing.
    """

    def __init__(self, settings: Mapping[str, Any], workers: int | None = None) -> None:
        ray = self._ray = _ray()
        if not ray.is_initialized():
            ray.init(log_to_driver=False, logging_level="ERROR")
        gpus = sum(map(_gpus, settings.get("judges") or ()))
        make = ray.remote(_Worker).options(num_cpus=1, num_gpus=gpus)
        own = {**settings, "workers": 1}
        self._actors = [make.remote(own) for _ in range(workers or self._room(gpus))]
        self._stats: dict[int, Mapping[str, Any]] = {}
        self._reports: dict[int, MonitorReport] = {}
        try:
            self._get(
                [actor.fingerprint.remote("") for actor in self._actors]
            )  # a wrong setting is found here
        except HybridVerifyError:
            self.close()
            raise

    def fingerprint(self, data_source: str) -> str:
        """The fingerprint for rows of this source."""
        return str(self._get(self._actors[0].fingerprint.remote(data_source)))

    def grade(self, samples: list[Sample]) -> list[Grade]:
        """A grade for each sample, same length and order."""
        return list(self.grade_iter(iter(samples), chunk_size=max(1, len(samples))))

    def grade_iter(self, samples: Iterator[Sample], chunk_size: int) -> Iterator[Grade]:
        """Grades in order; every actor has work while chunks last."""
        chunks = iter(lambda: list(islice(samples, chunk_size)), [])
        flying: deque[tuple[int, Any]] = deque()
        for number, chunk in enumerate(chunks):
            if len(flying) >= _QUEUED * len(self._actors):
                yield from self._landed(flying.popleft())
            which = number % len(self._actors)
            flying.append((which, self._actors[which].grade.remote(chunk)))
        while flying:
            yield from self._landed(flying.popleft())

    @property
    def stats(self) -> dict[str, dict[str, float]]:
        """The counters of all actors, for the chunks that have come back."""
        total: dict[str, dict[str, float]] = {"judge": {"called": 0, "cached": 0}}
        for counts in self._stats.values():
            for stage, numbers in counts.items():
                if stage == "monitor":
                    continue  # rates cannot be added
                sums = total.setdefault(stage, {})
                for name, number in numbers.items():
                    sums[name] = sums.get(name, 0) + number
        return {**total, "monitor": dict(self.monitor.numbers)}

    @property
    def monitor(self) -> MonitorReport:
        """What the judges of all actors rescued."""
        return merged_reports(list(self._reports.values()))

    def ensure_ready(self, timeout_s: float) -> None:
        """Check that every actor reaches its judges. Raises JudgeUnavailable."""
        self._get([actor.ensure_ready.remote(timeout_s) for actor in self._actors])

    def close(self) -> None:
        """End the actors. A cluster that was there before is kept."""
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors = []

    def __enter__(self) -> RayGrader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _room(self, gpus: int) -> int:
        has = self._ray.cluster_resources()
        return max(1, int(has.get("GPU", 0)) // gpus if gpus else int(has.get("CPU", 1)))

    def _landed(self, flight: tuple[int, Any]) -> list[Grade]:
        which, reference = flight
        grades, self._stats[which], self._reports[which] = self._get(reference)
        return list(grades)

    def _get(self, reference: Any) -> Any:
        """The result. An error of this library is raised as in the actor; a lost actor counts as a judge that is
        unavailable."""
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, HybridVerifyError):
                raise error.cause from None
            raise
        except self._ray.exceptions.RayActorError as error:
            raise JudgeUnavailable(f"a Ray actor died: {str(error).splitlines()[0]}") from error


class _Worker:
    """The code that runs in an actor."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._settings = settings
        self._verifier: Any = None

    def fingerprint(self, data_source: str) -> str:
        (grade,) = self._own().grade([Sample("", "1", data_source=data_source)])
        return str(grade.fingerprint)

    def grade(self, samples: list[Sample]) -> tuple[list[Grade], Mapping[str, Any], MonitorReport]:
        return self._own().grade(samples), self._own().stats, self._own().monitor

    def ensure_ready(self, timeout_s: float) -> None:
        self._own().ensure_ready(timeout_s)

    def _own(self) -> Any:
        """The Verifier, made at the first call: an error in an actor's constructor would hide its message."""
        if self._verifier is None:
            from hybridverify.verifier import Verifier

            self._verifier = Verifier.from_config(self._settings)
        return self._verifier


def _ray() -> Any:
    try:
        import ray

        if hasattr(ray, "remote"):  # not an empty folder: Ray itself leaves /tmp/ray on the disk
            return ray
    except ImportError:
        pass
    raise ConfigError('--engine ray needs Ray: pip install "hybridverify[ray]"')


def _gpus(judge: Any) -> int:
    backend = judge.get("backend") if isinstance(judge, Mapping) else None
    name = backend.get("name") if isinstance(backend, Mapping) else backend
    if name not in _ON_GPU:
        return 0
    return int(backend.get("tensor_parallel_size", 1)) if isinstance(backend, Mapping) else 1
