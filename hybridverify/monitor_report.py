"""What the monitor tells: numbers for metrics, and lines for people, in which no text of a model can do harm."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

_MAX_SHOWN = 60


class Repeated(NamedTuple):
    """A text, and against how many different references judges accepted it."""

    text: str
    references: int


@dataclass(frozen=True)
class MonitorReport:
    """`numbers` are floats; `repeated` holds the most often rescued texts; `alarms` one sentence each."""

    numbers: Mapping[str, float]
    repeated: tuple[Repeated, ...] = ()
    alarms: tuple[str, ...] = ()

    @property
    def suspicious(self) -> bool:
        """Whether any alarm was raised."""
        return bool(self.alarms)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "numbers": dict(self.numbers),
            "repeated": [entry._asdict() for entry in self.repeated],
            "alarms": list(self.alarms),
        }

    def lines(self) -> list[str]:
        """The report as a person reads it: one fact a line, texts of the model escaped."""
        n = self.numbers
        lines = [
            f"rescued {n['rescued']:.0f} of {n['asked']:.0f} asked ({n['rescue_rate']:.2f}); first window "
            f"{n['first_rescue_rate']:.2f}, last window {n['recent_rescue_rate']:.2f}",
            f"rescued answers are {n['length_ratio']:.1f} times as long as their references",
        ]
        for name, value in n.items():
            kind, separator, source = name.partition(":")
            if separator:
                lines.append(f"{source}: {kind.replace('_', ' ')} {value:.2f}")
        for entry in self.repeated:
            lines.append(f'rescued against {entry.references} references: "{shown_safely(entry.text)}"')
        return [*lines, *(f"suspicious: {alarm}" for alarm in self.alarms)]


def shown_safely(text: str, most: int = _MAX_SHOWN) -> str:
    r"""One line of printable characters: control, format, bidirectional and private characters are escaped.

    >>> shown_safely("so\x1b[2J \u202egnal"), shown_safely("解 " * 50)[-3:]
    ('so\\x1b[2J \\u202egnal', '...')
    """
    shown = "".join(_printable(char) for char in text[: most + 1])
    return shown if len(text) <= most else shown[:most] + "..."


def _printable(char: str) -> str:
    kind = unicodedata.category(char)
    if kind[0] == "C" or kind in ("Zl", "Zp", "Mn", "Me"):
        return char.encode("unicode_escape").decode("ascii")
    return char
