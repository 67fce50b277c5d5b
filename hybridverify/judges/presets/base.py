"""A judge family: its prompt, its parser, and the settings it was made for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

from hybridverify.judges.base import Message, Prompt, Sampling
from hybridverify.judges.hostile import fenced, neutralise
from hybridverify.judges.imitation import Spots, headings_of
from hybridverify.judges.parse import Menu, Read, Reading, read_reply
from hybridverify.judges.template import CRITIQUE, Template

AnswerFrom = Literal["answer", "last_step"]
_WRITTEN = frozenset(("response", "answer", CRITIQUE))
"""Fields that a model wrote. Only these could imitate a section of the prompt on purpose."""
_MOST_KEPT = 4096
"""Characters of a question or reference that is made safe once for its group."""


@lru_cache(maxsize=512)  # the rows of a group share question and reference
def _of_row(value: str, marks: tuple[str, ...], spots: Spots | None) -> str:
    return neutralise(value, marks, (), spots)


@dataclass(frozen=True)
class Example:
    """The values of a question and the right reply, shown as turns before the real question."""

    values: Mapping[str, str]
    reply: str


@dataclass(frozen=True)
class Preset:
    """A judge family.

    `version` changes with the prompt, `parser_version` with the parser; both enter the cache key. `form` says whether
    engines get a raw string or chat messages. `marks` are the family's own tags and headings, which lose their effect
    inside values. `answer_from` says what `{answer}` is: the extracted answer or the last non-empty line of the
    response. `menu` and `heading` say where the label stands, for P(yes): after the last `heading`, or as the first
    output token.
    """

    name: str
    version: int
    parser_version: int
    summary: str
    form: Literal["chat", "raw"]
    template: Template
    read: Read
    system: str = ""
    sampling: Sampling = field(default_factory=Sampling)
    context_tokens: int = 0
    """Used if the engine does not give its context length; 0 is unknown."""
    marks: tuple[str, ...] = ()
    fenced: bool = False
    answer_from: AnswerFrom = "answer"
    thinks: bool = False
    """Whether it thinks before it answers. Then a reply that is cut inside the thinking holds no verdict."""
    says: Literal["label", "score"] = "label"
    menu: Menu | None = None
    heading: str = ""
    samples: Mapping[str, str] = field(default_factory=dict)
    """For each outcome a reply that is read as that outcome; for tests with a scripted judge."""
    swap: Template | None = None
    """The same question with the answer before the reference, if the family has such a form."""
    spots: Spots | None = None
    """Finds verdicts that the parser would read without a heading."""
    examples: tuple[Example, ...] = ()
    """Messages before the question, of chat families. They enter the cache key with the others."""
    digest: str = ""
    """A digest of a user's template file, so that a changed sentence asks again."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the shown values, in order."""
        return self.template.fields

    @property
    def needs_reference(self) -> bool:
        """False if the prompt shows no reference: a rubric."""
        return "reference" in self.fields

    def swapped(self) -> Preset:
        """This family with the answer before the reference, or unchanged if it has no such form."""
        return replace(self, template=self.swap) if self.swap is not None else self

    def render(self, values: Mapping[str, str]) -> Prompt:
        """The final prompt, in which every value was made safe."""
        text = self._filled(values)
        return Prompt((), text) if self.form == "raw" else Prompt((*self._before, Message("user", text)))

    @cached_property
    def _before(self) -> tuple[Message, ...]:
        """The messages that all prompts begin with."""
        system = (Message("system", self.system),) if self.system else ()
        return (*system, *self._turns())

    def _turns(self) -> Iterator[Message]:
        for example in self.examples:
            yield Message("user", self._filled(example.values))
            yield Message("assistant", example.reply)

    def _filled(self, values: Mapping[str, str]) -> str:
        return self.template.fill({name: self.safe(name, values[name]) for name in self.fields})

    def safe(self, name: str, value: str) -> str:
        """One value as it stands in the prompt."""
        if name in _WRITTEN:
            inert = neutralise(value, self.marks, self._headings, self.spots)
        elif len(value) <= _MOST_KEPT:
            inert = _of_row(value, self.marks, self.spots)
        else:
            inert = neutralise(value, self.marks, (), self.spots)
        return fenced(name, inert) if self.fenced else inert

    @cached_property
    def _headings(self) -> tuple[str, ...]:
        return headings_of(self.template)

    def parse(self, text: str, *, cut: bool = False) -> Reading:
        """Read one reply. `cut`: it ended at the length limit."""
        return read_reply(self.read, text, cut=cut, thinks=self.thinks)

    def describe(self) -> dict[str, Any]:
        """The text that `hybridverify presets show` prints."""
        slots = {name: f"{{{name}}}" for name in self.fields}
        return {
            "name": self.name,
            "version": f"{self.version}.{self.parser_version}",
            "summary": self.summary,
            "form": self.form,
            "fields": list(self.fields),
            "answer_from": self.answer_from,
            "sampling": f"temperature {self.sampling.temperature:g}, max_tokens {self.sampling.max_tokens}",
            "context_tokens": self.context_tokens,
            "system": self.system,
            "prompt": self.template.fill(slots),
            "replies": dict(self.samples),
        }
