"""The monitor's report: numbers for metrics, and lines for people in which a model's text can do no harm."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

TOLD = 5
"""How many repeated texts a report names."""
_MAX_SHOWN = 60


class Repeated(NamedTuple):
    """A text, and against how many different references judges accepted it."""

    text: str
    references: int


@dataclass(frozen=True)
class MonitorReport:
    """`numbers` are floats; `repeated` holds the texts that were rescued most often; `alarms` has one sentence each."""

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
        """The report for people: one fact a line, with the model's texts escaped."""
        n = self.numbers
        if not n.get("asked"):
            return ["no judge was asked about a row that the rules had not accepted"]
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
    r"""One line of printable characters. Control, format, bidirectional and private characters are escaped.

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


def merged(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The numbers of several processes in one: counts are added, rates are weighted by the rows each was asked about.

    >>> one = {"asked": 3, "rescued": 3, "rescue_rate": 1.0, "repeats": 2.0}
    >>> merged([one, {"asked": 1, "rescued": 0, "rescue_rate": 0.0, "repeats": 5.0}])
    {'asked': 4, 'rescued': 3, 'rescue_rate': 0.75, 'repeats': 5.0}
    """
    total: dict[str, float] = {}
    weights = [part.get("asked", 0.0) for part in parts]
    for name in dict.fromkeys(name for part in parts for name in part):
        values = [part.get(name, 0.0) for part in parts]
        if "rate" in name or "ratio" in name:
            total[name] = rate(sum(v * w for v, w in zip(values, weights, strict=True)), sum(weights))
        else:
            total[name] = max(values) if name == "repeats" else sum(values)
    return total


def merged_reports(reports: Sequence[MonitorReport]) -> MonitorReport:
    """One report of several processes, each with its own rows. For a text that several report, the references are
    added."""
    counts: dict[str, int] = {}
    for entry in (entry for report in reports for entry in report.repeated):
        counts[entry.text] = counts.get(entry.text, 0) + entry.references
    repeated = sorted(
        (Repeated(*item) for item in counts.items()), key=lambda entry: (-entry.references, entry.text)
    )
    alarms = dict.fromkeys(alarm for report in reports for alarm in report.alarms)
    numbers = merged([report.numbers for report in reports])
    return MonitorReport(numbers, tuple(repeated[:TOLD]), tuple(alarms))


def rate(part: float, whole: float) -> float:
    """The share of `part` in `whole`, or 0 where there is nothing."""
    return part / whole if whole else 0.0
