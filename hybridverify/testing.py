"""For users' own tests: judges and backends that answer from a script or a function, without a model.

def test_my_pipeline_trusts_the_judge():
    judge = ScriptedJudge(lambda question, reference, answer: answer == "a half")
    verifier = hv.Verifier(policy="judge_only", judges=[judge])
    assert verifier.grade([hv.Sample("a half", "1/2", "What is left?")])[0].score == 1.0
    assert judge.asked == [("What is left?", "1/2", "a half")]
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hybridverify.errors import ConfigError
from hybridverify.judges.backends.scripted import ScriptedBackend, prompt_text
from hybridverify.judges.base import Failure, Prompt, Reply, Request, Sampling, Subject
from hybridverify.judges.llm import LLMJudge
from hybridverify.judges.presets import Preset
from hybridverify.judges.shown import reference_text
from hybridverify.types import Outcome, Verdict

__all__ = ["FunctionBackend", "ScriptedBackend", "ScriptedJudge"]

_FAILURES = (Outcome.FAILED, Outcome.TIMED_OUT, Outcome.TOO_LONG)


class FunctionBackend:
    """A backend that answers each prompt with `reply(prompt, sampling)`: a text, said once for each of `sampling.n`
    draws, a `Reply` or a `Failure`. Unlike `ScriptedBackend` it shows the function the whole prompt, and keeps nothing.

    >>> backend = FunctionBackend(lambda prompt, sampling: prompt.text.upper())
    >>> backend.complete([Prompt(text="yes")], Sampling())[0].texts
    ('YES',)
    """

    revision = ""
    concurrent = False

    def __init__(
        self, reply: Callable[[Prompt, Sampling], str | Reply | Failure], name: str = "function"
    ) -> None:
        self.name = self.model = name
        self._reply = reply

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """One answer for each prompt, in order."""
        said = [self._reply(prompt, sampling) for prompt in prompts]
        return [_drawn(one, sampling.n) if isinstance(one, str) else one for one in said]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """One token for four characters."""
        return [len(text) // 4 for text in texts]

    def context_tokens(self) -> int:
        """0: no bound."""
        return 0

    def close(self) -> None:
        """Nothing to close."""


def _drawn(text: str, draws: int) -> Reply:
    return Reply((text,) * draws, ("stop",) * draws)


class ScriptedJudge(LLMJudge):
    """A judge whose replies are scripted; prompts, parser, retries and cache are the real ones.

    `replies` is one reply for all, a list taken in order (and again from its start), a mapping from the answer
    judged to the reply, or a function of (question, reference, answer). A reply is True, False, an `Outcome`
    or its name, a score (for a rubric, or P(yes) with `score="p_yes"`), the raw text of a reply, a `Reply`, a
    `Failure`, or an exception to raise.

    >>> from hybridverify import Sample, Verifier
    >>> judge = ScriptedJudge({"1/2": True, "1/3": False})
    >>> with Verifier(policy="judge_only", judges=[judge], cache=None) as verifier:
    ...     grades = verifier.grade([Sample("1/2", "0.5"), Sample("1/3", "0.5")])
    >>> [grade.score for grade in grades]
    [1.0, 0.0]
    >>> judge.asked
    [('', '0.5', '1/2'), ('', '0.5', '1/3')]

    `asked` lists what was asked, without repetitions of the same request after an unreadable reply; `prompts`
    the full text of every prompt sent.
    """

    def __init__(
        self,
        replies: Any = True,
        preset: str | Preset = "generic",
        *,
        name: str = "scripted",
        model: str = "scripted",
        **settings: Any,
    ) -> None:
        if isinstance(replies, (list, tuple)) and not replies:
            raise ConfigError("ScriptedJudge: the list of replies is empty")
        if inspect.iscoroutinefunction(replies):
            raise ConfigError(
                "ScriptedJudge: replies is an async function; give a plain one, which may sleep"
            )
        self.asked: list[tuple[str, str, str]] = []
        self._replies = replies
        self._questions: dict[str, tuple[str, str, str]] = {}
        self._script = ScriptedBackend(self._reply, model=model)
        self._taken = 0
        super().__init__(preset, self._script, name=name, **settings)

    @property
    def prompts(self) -> list[str]:
        """The text of every prompt that was sent."""
        return self._script.prompts

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        return self._remembered(super().prepare(subjects), subjects)

    def prepare_swapped(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        return self._remembered(super().prepare_swapped(subjects), subjects)

    def _remembered(
        self, prepared: list[Request | Verdict], subjects: Sequence[Subject]
    ) -> list[Request | Verdict]:
        for request, subject in zip(prepared, subjects, strict=True):
            if isinstance(request, Request):
                sample = subject.sample
                asked = (sample.question, reference_text(sample.references), subject.answer)
                self._questions[prompt_text(request.prompt)] = asked
        return prepared

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        self.asked += [self._questions[prompt_text(request.prompt)] for request in requests]
        return super().decide(requests)

    def _reply(self, prompt: str) -> Any:
        return self._spoken(self._scripted(*self._questions[prompt]))

    def _scripted(self, question: str, reference: str, answer: str) -> Any:
        script = self._replies
        if isinstance(script, Exception) or not callable(script):
            if isinstance(script, (list, tuple)):
                self._taken += 1
                return script[(self._taken - 1) % len(script)]
            if isinstance(script, Mapping):
                return script.get(answer, Failure(Outcome.FAILED, f"no reply is scripted for {answer!r}"))
            return script
        return script(question, reference, answer)

    def _spoken(self, reply: Any) -> Any:
        """A verdict in this family's own words."""
        if isinstance(reply, bool):
            reply = Outcome.CORRECT if reply else Outcome.INCORRECT
        if isinstance(reply, (int, float)):
            return self._spoken_score(float(reply))
        if isinstance(reply, str) and reply in Outcome._value2member_map_:
            reply = Outcome(reply)
        if not isinstance(reply, Outcome):
            return reply
        if reply in _FAILURES:
            return Failure(reply, "scripted failure")
        if reply is Outcome.UNPARSEABLE:
            return "a reply that holds no label"
        if reply.value not in self.preset.samples:
            raise ConfigError(f"preset {self.preset.name!r} has no words for the outcome {reply.value!r}")
        return self.preset.samples[reply.value]

    def _spoken_score(self, score: float) -> Any:
        if self.scoring.score != "p_yes" or self.preset.menu is None:
            return f"Total Score: {10 * score:g}/10"
        yes, no = self.preset.menu.correct[0], self.preset.menu.incorrect[0]
        tiny = 1e-9  # the logarithm of 0 is not finite
        top = {yes: math.log(max(score, tiny)), no: math.log(max(1.0 - score, tiny))}
        return Reply((yes if score >= 0.5 else no,), ("stop",), (top,))
