"""The counters of a backend. Separate because they outlive connections and load no SDK."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from hybridverify.judges.base import Failure, Reply


@dataclass
class Counters:
    """Sums since the backend was made, written on its event loop alone.

    `requests` counts every try, `retries` those after the first, `prompts` the answered prompts, and `timed_out` the
    requests that were given up unanswered. `seconds` adds up requests that ran side by side.
    """

    requests: int = 0
    retries: int = 0
    prompts: int = 0
    timed_out: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def usage(self) -> dict[str, float]:
        return asdict(self)

    def count(self, results: Sequence[Reply | Failure]) -> None:
        for result in results:
            if isinstance(result, Reply):
                self.prompts += 1
                self.prompt_tokens += result.prompt_tokens
                self.output_tokens += result.output_tokens

    @property
    def silence(self) -> str:
        """One line if no request was ever answered in time, else ""."""
        if self.prompts or not self.timed_out:
            return ""
        return f"the judge has answered none of {self.timed_out} requests in time"
