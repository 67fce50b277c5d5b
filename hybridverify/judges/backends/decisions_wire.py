"""Typed decisions on the wire: many questions over one shared input, and a probability for each option.

Two protocols of vLLM 0.33: `/v1/decisions`, which is OpenAI's (client 3.57), and `/v1/systemone`, its own. Every answer
is checked: a probability that cannot be one, or that may belong to another question, is a failure of its row.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.errors import Fault
from hybridverify.judges.backends.openai_wire import (
    Body,
    UnreadableReply,
    even_share,
    json_object,
    sendable,
)
from hybridverify.judges.base import Failure, Prompt, Reply
from hybridverify.types import Outcome

DECISIONS, SYSTEMONE, P_YES = "decisions", "systemone", "p_yes"
ENDPOINTS = (DECISIONS, SYSTEMONE, P_YES)
"""In the order in which they are tried. The last one is a chat that is asked for log-probabilities."""
TYPED = (DECISIONS, SYSTEMONE)
SAME, DIFFERENT = "Same", "Different"
OPTIONS: Mapping[str, str] = {
    SAME: "the candidate's answer means what the reference means",
    DIFFERENT: "a value differs, is missing or is added, or there is no answer",
}
_TOLERANCE = 0.02
"""How far from 1 the sum of the probabilities may be: servers round them."""
_LEAST = 1e-300


def decision_fields(body: Body, model: str, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of one request. A field that is None in `extra` is left out."""
    prompts: Sequence[Prompt] = body.prompts
    shared = "\n\n".join(sendable(message.content) for message in prompts[0].messages[:-1])
    asked = {str(place): sendable(one.messages[-1].content) for place, one in enumerate(prompts)}
    fields: dict[str, Any] = {"model": model}
    if body.kind == DECISIONS:
        fields |= {"input": shared, "questions": [_choice(name, text) for name, text in asked.items()]}
    else:
        questions = {
            name: {"type": "choice", "instructions": text, "criteria": dict(OPTIONS)}
            for name, text in asked.items()
        }
        fields |= {"state": shared, "questions": questions}
    return {name: value for name, value in (fields | dict(extra)).items() if value is not None}


def _choice(name: str, text: str) -> dict[str, Any]:
    choices = [{"value": value, "description": meaning} for value, meaning in OPTIONS.items()]
    return {"type": "choice", "name": name, "instructions": text, "choices": choices}


def read_decisions(body: Body, text: str, seconds: float) -> list[Reply | Failure]:
    """One result for each question of `body`. Raises UnreadableReply if the text is no JSON object with answers."""
    told = json_object(text)
    answers = told.get("answers")
    if body.kind == DECISIONS:
        found = _by_place(answers, len(body.prompts))
    elif isinstance(answers, Mapping):
        found = {int(name): answer for name, answer in answers.items() if _is_place(name, len(body.prompts))}
    else:
        raise UnreadableReply("the judge's reply has no answers")
    masses = told.get("diagnostics") if body.kind == SYSTEMONE else None
    results = [
        _result(found.get(place), _mass(masses, str(place)), seconds / len(body.prompts))
        for place in range(len(body.prompts))
    ]
    return _counted(results, told.get("usage"))


def _by_place(answers: object, size: int) -> dict[int, Any]:
    """The answers by the names that their questions were given; without any names in order, if their number is right.

    An answer whose name is unknown or comes twice is dropped: guessing would give a verdict to the wrong row.
    """
    if not isinstance(answers, list):
        raise UnreadableReply("the judge's reply has no answers")
    names = [answer.get("name") if isinstance(answer, Mapping) else None for answer in answers]
    if all(name is None for name in names):
        return dict(enumerate(answers)) if len(answers) == size else {}
    times = Counter(map(str, names))
    return {
        int(str(name)): answer
        for name, answer in zip(names, answers, strict=True)
        if _is_place(name, size) and times[str(name)] == 1
    }


def _is_place(name: object, size: int) -> bool:
    return isinstance(name, str) and name in map(str, range(size))


def _result(answer: object, mass: float | None, seconds: float) -> Reply | Failure:
    if not isinstance(answer, Mapping):
        return _failure("the judge's reply has no answer to this question")
    if answer.get("type") == "refusal":
        return _failure("the judge declined to answer")
    shares = _shares(answer.get("probabilities"))
    if isinstance(shares, str):
        return _failure(shares)
    top = max(shares, key=shares.__getitem__)
    choice = answer.get("choice", top)
    if not isinstance(choice, str) or shares.get(choice) != shares[top]:
        return _failure("the judge's choice is not the option that it finds likeliest")
    if shares[SAME] == shares[DIFFERENT]:
        return _failure("the judge finds both options equally likely")
    within = _within(answer.get("confidence"), shares[top]) if mass is None else mass
    logprobs = {value: math.log(max(share * within, _LEAST)) for value, share in shares.items()}
    return Reply((top,), ("stop",), (logprobs,), seconds=seconds)


def _shares(given: object) -> dict[str, float] | str:
    """The probability of each option, with the sum 1; else what is wrong with them."""
    pairs = _pairs(given)
    if pairs is None:
        return "the judge's answer has no probabilities"
    if sorted(str(value) for value, _ in pairs) != sorted(OPTIONS):
        return "the judge's probabilities are for other options than those it was given"
    if not all(_is_share(share) for _, share in pairs):
        return "the judge gave a probability that is none"
    total = math.fsum(share for _, share in pairs)
    if abs(total - 1.0) > _TOLERANCE:
        return "the judge's probabilities do not add up to 1"
    return {str(value): share / total for value, share in pairs}


def _pairs(given: object) -> list[tuple[Any, Any]] | None:
    """Each option with its probability, as a mapping or a list of both; None for anything else."""
    if isinstance(given, Mapping):
        return list(given.items())
    if isinstance(given, list) and all(isinstance(item, Mapping) for item in given):
        return [(item.get("value"), item.get("probability")) for item in given]
    return None


def _is_share(value: object) -> bool:
    return (
        isinstance(value, (int, float)) and not isinstance(value, bool) and 0.0 <= value <= 1.0 + _TOLERANCE
    )


def _within(confidence: object, top: float) -> float:
    """How much of all probability lies on the options. Servers give the chosen option's share of all as their
    confidence; where it cannot be that, nothing is known and all of it is taken to."""
    if not _is_share(confidence) or confidence > top + _TOLERANCE:  # type: ignore[operator]
        return 1.0
    return min(1.0, confidence / top)  # type: ignore[operator]


def _mass(diagnostics: object, name: str) -> float | None:
    told = diagnostics.get(name) if isinstance(diagnostics, Mapping) else None
    mass = told.get("label_mass") if isinstance(told, Mapping) else None
    return min(1.0, float(mass)) if _is_share(mass) else None  # type: ignore[arg-type]


def _failure(reason: str) -> Failure:
    return Failure(Outcome.FAILED, reason, Fault.ROW)


def _counted(results: list[Reply | Failure], usage: object) -> list[Reply | Failure]:
    """The replies with equal shares of the body's tokens."""
    told = usage if isinstance(usage, Mapping) else {}
    read, wrote = (_tokens(told.get(name)) for name in ("input_tokens", "output_tokens"))
    answered = [place for place, result in enumerate(results) if isinstance(result, Reply)]
    for share, place in enumerate(answered):
        one = results[place]
        assert isinstance(one, Reply)
        prompt, output = (even_share(total, len(answered), share) for total in (read, wrote))
        results[place] = Reply(one.texts, one.finish_reasons, one.logprobs, prompt, output, one.seconds)
    return results


def _tokens(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
