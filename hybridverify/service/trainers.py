"""The request forms of trainers that ask a reward server: OpenRLHF and slime. NeMo Gym's is in gym.py.

They differ in names and in what they take back. Neither knows of rows without a grade.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.language import expressions as re
from hybridverify.service.asked import read_number
from hybridverify.service.bites import in_bites
from hybridverify.service.rows import Malformed, ensure_few, figure, listed, mapping, reference, text
from hybridverify.types import Grade, Sample

BATCH_KEYS = ("query", "prompts", "labels")
ROW_KEYS = ("prompt", "response", "label")
_MIN_OVERLAP = 16
"""Characters. A prompt that was cut at its front is told from one that is not in the text by so long an end."""
_MAX_PLACES = 16
"""Places in a prompt that are tried. Only a text of repetitions has so many that begin alike."""
_LONGEST_MARK = 80
_MOST_RUNS = 1_000
"""Runs of one mark at the end of a text that are taken away: padding is one, however long."""
_MARK = re.compile(r"\s*<(?:[|｜][^<>|｜\n]{1,64}[|｜]|/s|eos|end_of_turn|pad)>\s*$")
"""A token at the end of a decoded text that ends a turn, or fills it up."""


async def batch_samples(given: Mapping[str, Any], data_source: str, most: int) -> list[Sample]:
    """OpenRLHF's `{"query": [...], "prompts": [...], "labels": [...]}`, at most so many rows. Raises Malformed."""
    mapping(given, "body", BATCH_KEYS)
    columns = [_texts(given, name) for name in BATCH_KEYS]
    ensure_few(max(map(len, columns)), most)
    if len(set(map(len, columns))) > 1:
        told = ", ".join(f"{len(c)} {name}" for c, name in zip(columns, BATCH_KEYS, strict=True))
        raise Malformed(f"body: the lists differ in length: {told}")

    def sample(row: int, told: tuple[Any, ...]) -> Sample:
        query, prompt, label = told
        said = without_prompt(text(query, f"row {row}, query"), text(prompt, f"row {row}, prompts"))
        return Sample(said, reference(label, f"row {row}, labels"), prompt, data_source)

    return await in_bites(zip(*columns, strict=True), sample)


def _texts(given: Mapping[str, Any], name: str) -> Sequence[Any]:
    if name not in given:
        raise Malformed(f"body, {name}: missing")
    column = given[name]
    if not isinstance(column, list):
        raise Malformed(f"body, {name}: expected a list")
    return column


def one_sample(given: Mapping[str, Any], data_source: str) -> Sample:
    """slime's `{"prompt": ..., "response": ..., "label": ...}`; the prompt may be a chat. Raises Malformed."""
    mapping(given, "body", ROW_KEYS)
    for name in ("response", "label"):
        if name not in given:
            raise Malformed(f"body, {name}: missing")
    return Sample(
        without_marks(text(given["response"], "body, response")),
        reference(given["label"], "body, label"),
        last_user_text(given.get("prompt", ""), "body, prompt"),
        data_source,
    )


def last_user_text(prompt: Any, where: str) -> str:
    """The question in a prompt: the text itself, or the last message of the user in a chat. Raises Malformed."""
    if isinstance(prompt, str):
        return prompt
    listed(prompt, where, "text or a list of messages")
    for at in range(len(prompt) - 1, -1, -1):
        message = mapping(prompt[at], f"{where}[{at}]")
        if message.get("role") == "user":
            return content_text(message.get("content"), f"{where}[{at}].content", "text", "input_text")
    return ""


def content_text(content: Any, where: str, *kinds: str) -> str:
    """A message's content: a text, or parts of which those of these kinds count. Raises Malformed."""
    if isinstance(content, str):
        return content
    said = []
    for at, part in enumerate(listed(content, where, "text or a list of parts")):
        if mapping(part, f"{where}[{at}]").get("type") in kinds:
            said.append(text(part.get("text"), f"{where}[{at}].text"))
    return "".join(said)


def without_prompt(query: str, prompt: str) -> str:
    """The response in a text that holds prompt and response, as the trainer decoded it.

    The prompt may have been cut at its front, because it was too long. What is left of it is the longest end of the
    prompt that the text begins with.

    >>> without_prompt("What is 3 + 4?7<|im_end|>", "What is 3 + 4?")
    '7'
    """
    if query.startswith(prompt):
        return without_marks(query[len(prompt) :])
    return without_marks(query[_overlap(prompt, query) :])


def _overlap(prompt: str, query: str) -> int:
    """The length of the longest end of `prompt` that `query` begins with, if it is long enough to be no accident.

    >>> _overlap("Say what three and four are.", "three and four are. 7")
    19
    """
    begin, at = query[:_MIN_OVERLAP], -1
    if len(begin) < _MIN_OVERLAP:
        return 0
    for _ in range(_MAX_PLACES):
        at = prompt.find(begin, at + 1)
        if at < 0:
            break
        if query.startswith(prompt[at:]):
            return len(prompt) - at
    return 0


def without_marks(said: str) -> str:
    """The response without the tokens at its end that close a turn.

    >>> without_marks("so it is 7.<|im_end|></s>")
    'so it is 7.'
    """
    end = len(said)
    for _ in range(_MOST_RUNS):
        found = _MARK.search(said[max(0, end - _LONGEST_MARK) : end])
        if not found:
            break
        while said.endswith(found.group(), 0, end):
            end -= len(found.group())
    return said[:end]


def reason_of(grade: Grade) -> str:
    """The reason in a grade."""
    return str(grade.to_dict()["reason"]) or grade.outcome.value


def rewards(grades: Sequence[Grade], ungraded: str) -> list[float]:
    """A number for each row. What a row without a grade gets is for the user to say; it is never 0 by itself. Raises
    Malformed with status 503, which clients ask again after."""
    if ungraded != "error":
        paid = _amount(ungraded)
        return [grade.score if grade.graded else paid for grade in grades]
    for row, grade in enumerate(grades):
        if not grade.graded:
            why = f"{grade.outcome}: {reason_of(grade)}"
            raise Malformed(f"row {row} has no grade ({why}); ?ungraded=NUMBER pays such rows", 503)
    return [grade.score for grade in grades]


def _amount(told: str) -> float:
    amount = read_number(told)
    if not isinstance(amount, float) or not math.isfinite(amount):
        raise Malformed(f"?ungraded: expected a number, or error, got {figure(amount)}")
    return amount
