"""Chat templates, compiled in the environment that transformers gives to them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any


def compiled(template: str) -> Any:
    """The compiled template; None if there is none, or if jinja2 is missing."""
    if not template:
        return None
    try:
        made = environment()
    except ImportError:
        return None
    return ready(made, template)


def ready(made: Any, template: Any) -> Any:
    """The template of an environment, from its text or its parsed form."""
    found = made.from_string(template)
    found.globals = dict(
        found.globals
    )  # a ChainMap, which takes half of the time of every rendering to search
    return found


def environment() -> Any:
    """A new environment. Raises ImportError if jinja2 is missing."""
    from jinja2 import TemplateError
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, _generation_blocks()]
    )

    def raise_exception(message: str) -> None:
        raise TemplateError(message)

    made.filters["tojson"] = _to_json
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return made


def _to_json(value: object, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
    """Plain JSON, as chat templates expect it; Jinja's own filter escapes HTML."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, **options)


def _generation_blocks() -> Any:
    """`{% generation %}` marks the model's text for training. In a prompt it is only its content."""
    from jinja2.ext import Extension

    class Generation(Extension):  # type: ignore[misc]
        tags = {"generation"}  # noqa: RUF012

        def parse(self, parser: Any) -> Any:
            next(parser.stream)
            return parser.parse_statements(["name:endgeneration"], drop_needle=True)

    return Generation
