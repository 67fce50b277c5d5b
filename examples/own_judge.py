"""A judge of your own: any object with these five methods. This one looks for the words of the reference.

A prompt of your own to a language model needs no class, only a text file: see README.md beside this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import hybridverify as hv
from hybridverify.judges.base import Prompt, Request, Subject


class AllWords:
    name, weight = "all_words", 1.0

    def identity(self) -> Mapping[str, Any]:
        """Part of the cache key: raise the version when the code may decide otherwise."""
        return {"judge": self.name, "version": 1}

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | hv.Verdict]:
        """One request each. `payload` is the other part of the cache key: all that `decide` looks at."""
        pairs = [(subject.answer, list(subject.sample.references)) for subject in subjects]
        return [Request(Prompt(), payload=[answer, right], answer=answer) for answer, right in pairs]

    def decide(self, requests: Sequence[Request]) -> list[hv.Verdict]:
        """Same length and order. For a row that cannot be judged return a `failed` verdict, never a 0."""
        return [self._verdict(*request.payload) for request in requests]  # type: ignore[misc]

    def usage(self) -> Mapping[str, float]:
        return {}

    def close(self) -> None: ...

    def _verdict(self, answer: str, references: list[str]) -> hv.Verdict:
        words = set(answer.lower().replace(",", " ").replace(".", " ").split())
        right = any(set(reference.lower().split()) <= words for reference in references)
        outcome = hv.Outcome.CORRECT if right else hv.Outcome.INCORRECT
        return hv.Verdict(outcome, float(right), f"judge:{self.name}", answer)


if __name__ == "__main__":
    with hv.Verifier(policy="addon", judges=[AllWords()]) as verifier:
        for response in ("It was the work of Lovelace, Ada.", "It was the work of Babbage.", ""):
            (grade,) = verifier.grade([hv.Sample(response, "Ada Lovelace", "Who wrote the first program?")])
            print(f"{response!r:<36} {grade.outcome.value:<9} asked: {grade.judge_asked}")
