"""The generative half of critique-then-score: a judge whose text goes to a reward model instead of a parser."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from hybridverify.judges.base import Reply, Request, Subject
from hybridverify.judges.call import completed, current_call
from hybridverify.judges.llm import LLMJudge
from hybridverify.judges.locked import Counting
from hybridverify.judges.parse import final_part
from hybridverify.judges.template import CRITIQUE
from hybridverify.types import Outcome, Verdict


class Critic(Counting):
    """Asks `judge` for a text about each subject. Its labels and scores are ignored."""

    def __init__(self, judge: LLMJudge) -> None:
        self.judge = judge
        self._usage = {"prompt_tokens": 0.0, "output_tokens": 0.0, "seconds": 0.0}
        super().__init__()

    def prepare(
        self, subjects: Sequence[Subject], values: Sequence[Mapping[str, str] | Verdict]
    ) -> list[Request | Verdict]:
        """The critic's requests. Each carries the values that the reward model is shown beside the critique."""
        prepared: list[Request | Verdict] = []
        for asked, row in zip(self.judge.prepare(subjects), values, strict=True):
            if isinstance(row, Verdict):
                prepared.append(row)
            elif isinstance(asked, Verdict):
                prepared.append(asked)
            else:
                payload = {"critic": asked.payload, "values": dict(row)}
                prepared.append(Request(asked.prompt, payload, extra={"values": row}))
        return prepared

    def values(self, requests: Sequence[Request]) -> list[Mapping[str, str] | Verdict]:
        """The values of each row with the critique, or the verdict if there is none. Raises JudgeUnavailable."""
        begin = time.perf_counter()
        replies = completed(self.judge.backend, [one.prompt for one in requests], self.judge.sampling)
        current_call().heard(requests, replies)
        answered = [reply for reply in replies if isinstance(reply, Reply)]
        with self._lock:
            self._usage["prompt_tokens"] += sum(reply.prompt_tokens for reply in answered)
            self._usage["output_tokens"] += sum(reply.output_tokens for reply in answered)
            self._usage["seconds"] += time.perf_counter() - begin
        return [
            _with_critique(request.extra["values"], reply)
            if isinstance(reply, Reply)
            else Verdict(reply.outcome, reason=f"critique: {reply.reason}", fault=reply.fault)
            for request, reply in zip(requests, replies, strict=True)
        ]


def _with_critique(values: Mapping[str, str], reply: Reply) -> Mapping[str, str] | Verdict:
    """The text of the draws, one after another, without the thinking."""
    parts = [final_part(text) for text in reply.texts]
    said = [part.strip() for part in parts if part and part.strip()]
    if not said:
        return Verdict(Outcome.UNPARSEABLE, reason="the critic's reply holds no text beside its thinking")
    return {**values, CRITIQUE: "\n\n".join(said)}
