"""What a chat template makes of all chats that differ in their last text alone: rendered once and filled in.

Templates are programs: they may strip a text, look for a tag in it, count it. So one chat is rendered with an object
in place of its last text. It can be written out and joined to other texts; a few questions about it are answered,
and every other text has to give the same answers; whatever else a template does to it ends the attempt.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from hybridverify.judges.backends.chat_template import environment, ready

Asked = tuple[Callable[[str], bool], bool]
"""A question about a text, and the answer."""
_PLACE = f"\0{secrets.token_hex(16)}\0"
_CAPTURES = ("Macro", "CallBlock", "FilterBlock", "AssignBlock", "Block", "ScopedEvalContextModifier")
"""What makes a plain text of what was written inside: its place in there would be lost."""
_OF_ANY_TEXT = {
    "string": True,
    "defined": True,
    "iterable": True,
    "sequence": True,
    "undefined": False,
    "none": False,
    "mapping": False,
    "number": False,
    "boolean": False,
}
"""Tests whose answer is the same for all texts."""

_NOBODY_CAN_TELL = (
    *("str", "repr", "format", "hash", "len", "iter", "getitem", "call", "lt", "le", "gt", "ge"),
    *("mod", "rmod", "mul", "rmul", "int", "float", "index", "reversed"),
)
"""Special methods of which none is answered."""


class Looked(BaseException):
    """The template did something to a text that nobody can answer for all texts. Nothing in a template catches it."""


class Unread:
    """Stands for `text` in a chat; `parts` is None where it is written, between the texts joined to it."""

    def __init__(self, text: str, asked: list[Asked], parts: tuple[str | None, ...] = (None,)) -> None:
        self._text, self._asked, self._parts = text, asked, parts

    def written(self) -> str:
        """What the template writes, with a sign where the text belongs."""
        return "".join(_PLACE if part is None else part for part in self._parts)

    def startswith(self, prefix: object) -> bool:
        return self._ask(lambda text: text.startswith(_plain(prefix)))

    def endswith(self, suffix: object) -> bool:
        return self._ask(lambda text: text.endswith(_plain(suffix)))

    def strip(self) -> Unread:
        return self if self._ask(lambda text: text.strip() == text) else _look()

    def lstrip(self) -> Unread:
        return self if self._ask(lambda text: text.lstrip() == text) else _look()

    def rstrip(self) -> Unread:
        return self if self._ask(lambda text: text.rstrip() == text) else _look()

    def __bool__(self) -> bool:
        return self._ask(bool)

    def __contains__(self, part: object) -> bool:
        return self._ask(lambda text: _plain(part) in text)

    def __eq__(self, other: object) -> bool:
        return self._ask(lambda text: text == _plain(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __add__(self, other: object) -> Unread:
        return Unread(self._text, self._asked, (*self._parts, *_parts(other)))

    def __radd__(self, other: object) -> Unread:
        return Unread(self._text, self._asked, (*_parts(other), *self._parts))

    def __getattr__(self, name: str) -> NoReturn:
        _look()

    def _ask(self, question: Callable[[str], bool]) -> bool:
        if self._parts != (None,):
            _look()
        answer = question(self._text)
        self._asked.append((question, answer))
        return answer


def _look(*_: object, **__: object) -> NoReturn:
    raise Looked


for _name in _NOBODY_CAN_TELL:
    setattr(Unread, f"__{_name}__", _look)


def _plain(text: object) -> str:
    return text if type(text) is str else _look()


def _parts(other: object) -> tuple[str | None, ...]:
    return other._parts if isinstance(other, Unread) else (_plain(other),)


@dataclass(frozen=True)
class Shape:
    """`pieces` with one text between them, for texts that give the same answers as the first one did."""

    pieces: tuple[str, ...]
    asked: tuple[Asked, ...] = ()

    def filled(self, text: str) -> str | None:
        """The rendered chat that ends on this text, or None where it has to be rendered by itself."""
        for question, answer in self.asked:
            if question(text) is not answer:
                return None
        return text.join(self.pieces)


def watched(template: str) -> Any:
    """The template in an environment in which nothing reads an `Unread` unseen; None where that cannot be had.
    Raises ImportError where jinja2 is missing."""
    from jinja2 import nodes

    made = environment()
    made.finalize = lambda value: value.written() if isinstance(value, Unread) else value
    for name, test in made.tests.items():
        made.tests[name] = _unseen(test, _OF_ANY_TEXT.get(name))
    for name, work in made.filters.items():
        made.filters[name] = _trim(work) if name == "trim" else _unseen(work)
    made.filters["random"] = _look
    made.globals.pop("lipsum", None)
    parsed = made.parse(template)
    captures = tuple(getattr(nodes, name) for name in _CAPTURES)
    if parsed.find(captures) or any(loop.recursive for loop in parsed.find_all(nodes.For)):
        return None
    return ready(made, parsed)


def shape_of(template: Any, chat: Sequence[Mapping[str, str]], given: Mapping[str, Any]) -> Shape | None:
    """The shape of chats like this one, made with a `watched` template; None where the template looks deeper."""
    asked: list[Asked] = []
    *before, last = chat
    stand_in = {**last, "content": Unread(last["content"], asked)}
    try:
        written = template.render(messages=[*before, stand_in], **given)
    except (Looked, Exception):  # whoever renders the chat itself meets what the template raises
        return None
    return Shape(tuple(written.split(_PLACE)), tuple(asked))


def _unseen(work: Callable[..., Any], answer: bool | None = None) -> Callable[..., Any]:
    @functools.wraps(work)  # with the marks by which jinja2 knows what to hand over
    def called(*args: Any, **options: Any) -> Any:
        if any(isinstance(value, Unread) for value in (*args, *options.values())):
            return _look() if answer is None or len(args) > 1 or options else answer
        return work(*args, **options)

    return called


def _trim(work: Callable[..., Any]) -> Callable[..., Any]:
    unseen = _unseen(work)

    @functools.wraps(work)
    def called(*args: Any, **options: Any) -> Any:
        alone = len(args) == 1 and not options and isinstance(args[0], Unread)
        return args[0].strip() if alone else unseen(*args, **options)

    return called
