"""Rows as they stand in the page's data. Texts that rows share (a question, a reason) are written once, in lists."""

from __future__ import annotations

from typing import Any

from hybridverify.report.rows import ReportRow

FIELDS = (
    "number", "line", "source", "outcome", "tier", "judge", "policy", "score", "disagreement", "label", "length",
    "question", "references", "response", "place", "answer", "said",
)  # fmt: skip
"""Of a row in the page's data, in order. `said`: who, outcome, score, answer, reason, P(yes), convention, reply."""


class Names:
    """Texts that are written once: a row holds their numbers."""

    def __init__(self) -> None:
        self.listed: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        """The number of a value, which is added if it is new."""
        key = value if isinstance(value, str) else (repr(value),)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.listed)
            self.listed.append(value)
        return found


def encoded(row: ReportRow, names: Names, texts: Names) -> list[Any]:
    """The row as a list, in the order of FIELDS."""
    said = [
        [
            names.number(one.who), names.number(one.outcome), round(one.score, 6), one.answer,
            texts.number(one.reason), round(one.p_yes, 4), names.number(one.option), one.reply,
        ]
        for one in row.said
    ]  # fmt: skip
    return [
        row.number, row.line, names.number(row.source), names.number(row.outcome), names.number(row.tier),
        names.number(row.judge), names.number(row.policy), round(row.score, 6), row.disagreement, row.label,
        row.length, texts.number(row.question), texts.number(list(row.references)), row.response, row.place,
        row.answer, said,
    ]  # fmt: skip
