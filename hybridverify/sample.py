"""What is graded: one response, its question and its references. Apart from types.py, which holds what comes of it.

Arguments are checked here and nowhere else, so that checkers, judges and policies meet texts alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from hybridverify.errors import SampleError
from hybridverify.scalars import plain


@dataclass(frozen=True, init=False)
class Sample:
    """One response to be graded against one or several references.

    `response` and `question` are texts, or chats, of which the last message of the assistant and of the user count.
    `reference` is a text, or a sequence of texts of which any one may match. `question` helps where units,
    options or a percentage are at stake, and is shown to judges. `data_source` picks a route. `meta` carries
    what a user's checker or a template needs; checkers and judges see only the keys they declare.

    >>> Sample("so 40 + 2. #### 42", "42").references
    ('42',)
    >>> Sample("Paris", ["paris", "City of Paris"]).references
    ('paris', 'City of Paris')
    >>> Sample([{"role": "assistant", "content": "It is 42."}], 42).response
    'It is 42.'

    Numbers are accepted as references and written out as text; an absent reference (`None`) is no reference,
    and grades to `bad_reference`. Raises SampleError for other types.
    """

    response: str
    reference: str | Sequence[str]
    question: str = ""
    data_source: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __init__(
        self,
        response: str,
        reference: str | Sequence[str],
        question: str = "",
        data_source: str = "",
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        told = (
            self.__dict__
        )  # filled at once: the setter around a frozen class costs as much as the first rule
        told["response"] = response
        told["reference"] = reference
        told["question"] = question
        told["data_source"] = data_source
        told["meta"] = meta = {} if meta is None else meta
        if (
            type(response) is type(reference) is type(question) is type(data_source) is str
            and type(meta) is dict
        ):
            told["references"] = (reference,)
        elif type(reference) is list and _are_texts(response, question, data_source, meta, *reference):
            told["references"] = tuple(reference)
        else:
            self.__post_init__()

    def __post_init__(self) -> None:
        told = self.__dict__
        for name in ("response", "question", "data_source"):
            told[name] = _text(name, told[name])
        if self.meta is None:
            told["meta"] = {}
        elif not isinstance(self.meta, Mapping):
            raise SampleError(f"Sample.meta must be a mapping, not {type(self.meta).__name__}")
        told["references"] = _references(self.reference)

    def answered(self, response: str) -> Sample:
        """The same question with another response. Half the cost of a new sample: the other fields were checked.

        >>> Sample("6", "7", "3+4?").answered("7")
        Sample(response='7', reference='7', question='3+4?', data_source='', meta={})
        """
        other = object.__new__(Sample)
        told = self.__dict__.copy()
        told["response"] = response
        object.__setattr__(other, "__dict__", told)
        return other

    @cached_property
    def references(self) -> tuple[str, ...]:
        """The references as a tuple of texts, in the order given."""
        return _references(self.reference)


def samples_of_columns(
    responses: Sequence[Any], references: Sequence[str], questions: Sequence[Any]
) -> list[Sample]:
    """`Sample` for each row of three columns, in one pass and with the fewest checks, for calls of a few rows.
    Responses and questions are texts, or chats whose last turn is the assistant's and the user's.
    Raises TypeError, KeyError or IndexError where one is anything else: `Sample` tells what is wrong with it.

    >>> samples_of_columns(["It is 42."], ["42"], [[{"role": "user", "content": "6*7?"}]])
    [Sample(response='It is 42.', reference='42', question='6*7?', data_source='', meta={})]
    """
    made, new = [], object.__new__
    for response, reference, question in zip(responses, references, questions, strict=True):
        if type(response) is not str:
            turn = response[-1]
            response = turn["content"] if turn["role"] == "assistant" else None
        if type(question) is not str:
            turn = question[-1]
            question = turn["content"] if turn["role"] == "user" else None
        if not type(response) is type(reference) is type(question) is str or not reference:
            raise TypeError("expected texts, or chats that end with a turn of the usual role")
        sample = new(Sample)
        told = sample.__dict__
        told["response"] = response
        told["reference"] = reference
        told["question"] = question
        told["data_source"] = ""
        told["meta"] = {}
        told["references"] = (reference,)
        made.append(sample)
    return made


def _are_texts(response: object, question: object, data_source: object, meta: object, *texts: object) -> bool:
    """Whether nothing has to be checked or written out."""
    if not type(response) is type(question) is type(data_source) is str or type(meta) is not dict:
        return False
    return all(type(text) is str for text in texts)


def is_chat(value: Any) -> bool:
    """Whether a value is a list of chat messages."""
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(isinstance(message, Mapping) and "content" in message for message in value)
    )


def last_said(messages: Sequence[Mapping[str, Any]], role: str) -> Any:
    """The content of the last message with that role, or else of the last; of content in parts, the texts.

    >>> last_said([{"role": "user", "content": "3+4?"}, {"role": "assistant", "content": "7"}], "user")
    '3+4?'
    """
    content = ([message for message in messages if message.get("role") == role] or messages)[-1]["content"]
    if not isinstance(content, list):
        return content
    parts = [text_of_part(part) if isinstance(part, Mapping) else part for part in content]
    return "\n".join(part for part in parts if isinstance(part, str))


TEXT_PARTS = ("text", "output_text", "input_text", None, "")
"""The types of parts whose text is for the reader: no reasoning."""


def field_of(thing: Any, name: str) -> Any:
    """A field of a message or of a part of one, which is a mapping or an object; None if it has no such field."""
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def text_of_part(part: Any) -> Any:
    """The text of a part of a message; None where the part holds anything else."""
    return field_of(part, "text") if field_of(part, "type") in TEXT_PARTS else None


_ROLES = {"response": "assistant", "question": "user"}
_SEVERAL = "for several: Verifier().grade(responses, references)"
_HELP = {
    "response": _SEVERAL,
    "question": "give the text or the chat",
    "data_source": "give a name",
    "reference": "give the text itself, or a list of texts of which any may match",
}


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if _is_absent(value):
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number_text(value)
    if name in _ROLES and is_chat(value):
        return _text(name, last_said(cast("Sequence[Mapping[str, Any]]", value), _ROLES[name]))
    if hasattr(value, "tolist") and getattr(value, "ndim", 1) == 0:  # scalars of NumPy
        return _text(name, plain(value))
    raise SampleError(f"Sample.{name} must be text, not {type(value).__name__}; {_HELP[name]}")


def _is_absent(value: object) -> bool:
    """None, and what tables have in an empty cell: NaN and NA."""
    if value is None or (isinstance(value, float) and value != value):
        return True
    return type(value).__name__ in ("NAType", "NaTType")


def _number_text(value: int | float) -> str:
    if isinstance(value, float) and math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return str(value)


_TRUTHS = frozenset(("ground_truth", "target"))
"""Under which of these names a data set keeps the references of a row."""


def _references(reference: object) -> tuple[str, ...]:
    if _is_absent(reference):
        return ()
    if isinstance(reference, (str, int, float)):
        return (_text("reference", reference),)
    if hasattr(reference, "tolist"):  # NumPy arrays and scalars, without importing NumPy
        return _references(plain(reference))
    if isinstance(reference, Mapping) and not _TRUTHS.isdisjoint(reference):
        return _references(reference.get("ground_truth", reference.get("target")))
    if isinstance(reference, Sequence) and not isinstance(reference, (bytes, bytearray)):
        return tuple(_text("reference", item) for item in reference if not _is_absent(item))
    raise SampleError(
        f"Sample.reference must be text or a sequence of texts, not {type(reference).__name__}; {_HELP['reference']}"
    )
