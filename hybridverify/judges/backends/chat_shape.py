"""The rendered form of all chats that differ only in their last text: rendered once, then filled in.

Templates are programs. They may strip a text, look for a tag in it, count it. So one chat is rendered with an object
in place of its last text. The object may be written out and joined to other texts. It answers a few questions about
its text, and every other text must give the same answers. Anything else that a template does with it ends the
attempt.
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
"""Methods that make a plain text of the object: its place in that text would be lost."""
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
"""Tests that have the same answer for all texts."""

_NOBODY_CAN_TELL = (
    *("str", "repr", "format", "hash", "len", "iter", "getitem", "call", "lt", "le", "gt", "ge"),
    *("mod", "rmod", "mul", "rmul", "int", "float", "index", "reversed"),
)
"""Special methods that all refuse to answer."""


class Looked(BaseException):
    """Raised when the template needs more than can be known for all texts. A template cannot catch it."""


class Unread:
    """Stands for `text` in a chat. `parts` is None while it is written; later it holds the texts joined to it."""

    def __init__(self, text: str, asked: list[Asked], parts: tuple[str | None, ...] = (None,)) -> None:
        self._text, self._asked, self._parts = text, asked, parts

    def written(self) -> str:
        """The output of the template, with a sign in the place of the text."""
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
    """`pieces` with one text between them. Fits all texts that give the same answers as the first one."""

    pieces: tuple[str, ...]
    asked: tuple[Asked, ...] = ()

    def filled(self, text: str) -> str | None:
        """The rendered chat that ends on this text, or None if this text has to be rendered by itself."""
        for question, answer in self.asked:
            if question(text) is not answer:
                return None
        return text.join(self.pieces)


def watched(template: str) -> Any:
    """The template in an environment that notices every use of an `Unread`; None if there is no such environment.
    Raises ImportError if jinja2 is missing."""
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
    """The shape of chats like this one, made with a `watched` template; None if the template examines the text."""
    asked: list[Asked] = []
    *before, last = chat
    stand_in = {**last, "content": Unread(last["content"], asked)}
    try:
        written = template.render(messages=[*before, stand_in], **given)
    except (Looked, Exception):  # the caller renders the chat itself and then meets the same error
        return None
    return Shape(tuple(written.split(_PLACE)), tuple(asked))


def _unseen(work: Callable[..., Any], answer: bool | None = None) -> Callable[..., Any]:
    @functools.wraps(work)  # with the marks that tell jinja2 which values to pass
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
