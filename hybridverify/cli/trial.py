"""What `hybridverify judge try` does: asks a judge about eight built-in pairs, one by one, and shows every step."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybridverify.cache import NoCache
from hybridverify.cli.messages import say
from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.base import Judge, Prompt, Subject
from hybridverify.language.printable import one_line, printable
from hybridverify.pipeline.judge_client import JudgeClient
from hybridverify.pipeline.judge_stage import JudgeStage, Vote
from hybridverify.pipeline.stats import Stats
from hybridverify.types import SURE, Outcome, Sample

READY_S = 10.0
_SHORT = 160
_REPLY_CHARS = 600


@dataclass(frozen=True)
class Pair:
    """A question, its reference, an answer, and whether the answer is right."""

    question: str
    reference: str
    answer: str
    right: bool


PAIRS = (
    Pair("How much is three quarters of 56?", "42", "42", True),
    Pair("How much is three quarters of 56?", "42", "24", False),
    Pair("Solve $2x^2 - 5x - 3 = 0$.", "$x = 3$ or $x = -\\frac{1}{2}$", "-0.5 and 3", True),
    Pair("Solve $2x^2 - 5x - 3 = 0$.", "$x = 3$ or $x = -\\frac{1}{2}$", "x = 3", False),
    Pair("Which planet has the most moons that are known?", "Saturn", "the planet Saturn", True),
    Pair("Which planet has the most moons that are known?", "Saturn", "Saturn or Jupiter", False),
    Pair("How long is a marathon, in kilometres?", "42.195 km", "42,195 metres", True),
    Pair("How long is a marathon, in kilometres?", "42.195 km", "42,195 km", False),
)
"""Four right and four wrong answers: numbers, several solutions, words, units."""
_CRITERIA = "10 points if the final answer means the same as this one, else 0: "


@dataclass(frozen=True)
class Tried:
    """What became of one pair."""

    pair: Pair
    vote: Vote
    seconds: float

    @property
    def read(self) -> bool:
        """Whether the judge's reply held a verdict."""
        return self.vote.verdict.outcome in (*SURE, Outcome.INVALID)

    @property
    def hit(self) -> bool:
        """Whether the verdict is the right one."""
        return self.read and (self.vote.verdict.score >= 0.5) is self.pair.right


def try_judge(judge: Judge, full: bool) -> bool:
    """Ask about every pair and print what happened. Returns whether any reply could be read.

    Raises JudgeUnavailable if the judge cannot be asked at all.
    """
    ready = getattr(judge, "ensure_ready", None)
    if ready is not None:
        ready(READY_S)
    stage = JudgeStage([judge], JudgeClient(NoCache(), Stats()), Stats())
    say(f"judge {judge.name}: {_settings(judge.identity())}")
    tried = []
    for number, pair in enumerate(PAIRS, start=1):
        one = _tried(stage, pair)
        if one.vote.verdict.fault is Fault.SETTINGS and one.vote.verdict.outcome is Outcome.FAILED:
            raise JudgeUnavailable(f"judge {judge.name}: {one.vote.verdict.reason}", Fault.SETTINGS)
        for line in _lines(number, one, whole=full or number == 1):
            say(line)
        tried.append(one)
    say(_summary(tried, judge.usage()))
    return any(one.read for one in tried)


def _tried(stage: JudgeStage, pair: Pair) -> Tried:
    sample = Sample(pair.answer, pair.reference, pair.question, meta={"criteria": _CRITERIA + pair.reference})
    begin = time.perf_counter()
    ((vote,),) = stage.ask([Subject(sample, pair.answer, True, pair.answer)])
    return Tried(pair, vote, time.perf_counter() - begin)


def _settings(identity: Mapping[str, Any]) -> str:
    sampling = identity.get("sampling") or {}
    told = [f"model {identity['model']}"] if identity.get("model") else []
    told += [f"{name} {sampling[name]:g}" for name in ("temperature", "max_tokens") if name in sampling]
    return ", ".join([*told, f"{len(PAIRS)} pairs, one call each"])


def _lines(number: int, tried: Tried, whole: bool) -> Iterator[str]:
    pair, verdict = tried.pair, tried.vote.verdict
    wanted = "right" if pair.right else "wrong"
    yield ""
    yield f"{number}. {pair.question}  reference: {pair.reference}  answer: {pair.answer}  ({wanted})"
    request = tried.vote.asked.request
    if request is not None and (request.prompt.messages or request.prompt.text):
        yield from _indented("sent", _prompt(request.prompt) if whole else _end(_prompt(request.prompt)))
    reply = tried.vote.asked.reply
    came = printable(reply)[:_REPLY_CHARS] if whole else one_line(reply, _SHORT)
    yield from _indented("came", came or "(no text)")
    chance = f", P(yes) {verdict.p_yes:.3f}" if verdict.p_yes >= 0 else ""
    reason = f" ({one_line(verdict.reason, 400)})" if verdict.reason else ""
    yield f"   read  {verdict.outcome.value}{reason}{chance}: {_judgement(tried)}; {tried.seconds:.2f} s"


def _judgement(tried: Tried) -> str:
    if not tried.read:
        return "no verdict"
    return "as it should be" if tried.hit else "not as it should be"


def _prompt(prompt: Prompt) -> str:
    if not prompt.messages:
        return printable(prompt.text)
    return "\n".join(f"[{message.role}] {printable(message.content)}" for message in prompt.messages)


def _end(text: str) -> str:
    line = one_line(text, len(text) * 2 + 8)
    return line if len(line) <= _SHORT else "..." + line[3 - _SHORT :]


def _indented(name: str, text: str) -> Iterator[str]:
    for at, line in enumerate(text.split("\n")):
        yield f"   {name if at == 0 else '':<4}  {line}".rstrip()


def _summary(tried: Sequence[Tried], usage: Mapping[str, float]) -> str:
    read, hits = sum(one.read for one in tried), sum(one.hit for one in tried)
    median_s = statistics.median(one.seconds for one in tried)
    tokens = ""
    if usage.get("prompt_tokens") or usage.get("output_tokens"):
        tokens = f"; {usage['prompt_tokens']:,.0f} tokens read, {usage['output_tokens']:,.0f} written"
    return f"\n{read} of {len(tried)} replies read, {hits} as they should be; median {median_s:.2f} s{tokens}"
