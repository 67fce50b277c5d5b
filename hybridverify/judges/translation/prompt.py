"""The model's prompt: the question, one text, and examples. The reference is never shown beside the answer.

The examples are in examples.json. They are turns of the chat, so that all prompts of a kind begin alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from hybridverify.judges.base import Prompt, Sampling
from hybridverify.judges.embedded.kinds import is_mathematical
from hybridverify.judges.parse import Reading, unparseable
from hybridverify.judges.presets.base import Example, Preset
from hybridverify.judges.template import Template

VERSION = 3
"""The version of the prompts and examples. It enters the cache key."""
PARSER_VERSION = 1
"""The version of the reading of a reply (reply.py). It enters the cache key."""
MAX_TOKENS = 160
STYLE = "all"
"""The form of the prompt that is used. Compared on one half of the questions, it rescued the most rows with a model of
1.5B parameters; the others stay for comparisons (benchmarks/README.md)."""
NONE = "none"
"""The model writes this for a text without an answer."""
UNASKED, NO_QUESTION = "What is the result?", "(none)"
"""This takes the place of the question in a row without one."""
_TEMPLATE = Template.parse("Question: {question}\nText: {answer}\nStandard form:")
_MARKS = ("Question:", "Text:", "Standard form:")
_LISTED = ("maths", "both", "facts")


def rendered(question: str, text: str, style: str = STYLE) -> Prompt:
    """The prompt that asks for the standard form of one text.

    >>> rendered("How many?", "It is seven.").messages[-1].content
    'Question: How many?\\nText: It is seven.\\nStandard form:'
    """
    unasked = NO_QUESTION if style == "bare" else UNASKED
    values = {"question": question.strip() or unasked, "answer": text.strip()}
    return STYLES[style](question, text).render(values)


def _all_examples(question: str, text: str) -> Preset:
    """Every example, whatever the text is about."""
    return _family(_LISTED)


def _by_kind(question: str, text: str) -> Preset:
    """Examples of mathematics for mathematics, of short factual answers for other texts."""
    return _family(_kinds_of(question, text))


def _kinds_of(question: str, text: str) -> tuple[str, ...]:
    return ("maths", "both") if is_mathematical(question, (text,), text) else ("both", "facts")


def _unasked(question: str, text: str) -> Preset:
    """As `kinds`, but a row without a question is shown no examples: small models then answer "none" more often."""
    return _family(_kinds_of(question, text), NO_QUESTION)


def _in_one_message(question: str, text: str) -> Preset:
    """The examples as lines of the system message, without their questions."""
    lines = (f"{one['text']} => {one['form']}" for one in _data()["examples"])
    return _preset("\n".join([_system(), "Texts and their standard forms:", *lines]), ())


STYLES: Mapping[str, Callable[[str, str], Preset]] = {
    "all": _all_examples,
    "kinds": _by_kind,
    "lines": _in_one_message,
    "bare": _unasked,
}
"""The forms of the prompt that were compared."""


@lru_cache(maxsize=8)
def _family(kinds: tuple[str, ...], unasked: str = UNASKED) -> Preset:
    told = [one for one in _data()["examples"] if one["for"] in kinds]
    examples = tuple(
        Example({"question": one["question"] or unasked, "answer": one["text"]}, one["form"]) for one in told
    )
    return _preset(_system(), examples)


def _preset(system: str, examples: tuple[Example, ...]) -> Preset:
    return Preset(
        name="translate",
        version=VERSION,
        parser_version=PARSER_VERSION,
        summary="any instruction-tuned model: each side in standard notation, compared by the rules",
        form="chat",
        system=system,
        template=_TEMPLATE,
        examples=examples,
        read=_no_label,
        sampling=Sampling(max_tokens=MAX_TOKENS),
        marks=_MARKS,
    )


def _no_label(text: str) -> Reading:
    return unparseable("a translation holds no label")


def _system() -> str:
    return " ".join(_data()["system"])


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return json.loads(files(__package__).joinpath("examples.json").read_text("utf-8"))  # type: ignore[no-any-return]


TRANSLATE = _family(("maths", "both"))
"""The family as `presets show` prints it, with the examples of mathematics."""
