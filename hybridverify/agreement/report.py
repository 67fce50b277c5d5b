"""The agreement report: one HTML page that opens without a network and runs no scripts.

Its texts come from files of strangers: jinja2 escapes all of them, plots are images in data URLs, and the page itself
forbids scripts and outside resources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hybridverify.agreement import plots as report_plots
from hybridverify.agreement import text as agreement_text
from hybridverify.agreement.cases import Case
from hybridverify.agreement.figures import DRAWS, LEVEL
from hybridverify.agreement.summary import Agreement
from hybridverify.errors import ConfigError
from hybridverify.policies import RIGHT_FROM

TEMPLATE = Path(__file__).with_name("report_page.html")
MAX_SHOWN = 200  # cases in each list
_NEEDED = {"sklearn": "scikit-learn", "jinja2": "jinja2", "matplotlib": "matplotlib"}
_LISTS = {
    "Rescues": "The judge accepts what the rules do not accept.",
    "Vetoes": "The judge rejects what the rules accept.",
    "Disagreements": "The configured policy, {}, and the label differ.",
}


def require_extra(page: bool) -> None:
    """Raises ConfigError if a package is missing that figures need, or that the page needs as well."""
    for module in _NEEDED if page else ("sklearn",):
        if find_spec(module) is None:  # searched, not loaded: scikit-learn takes a second
            raise ConfigError(
                f'agreement needs {_NEEDED[module]}, which is not installed: pip install "hybridverify[report]"'
            )


def report_page(found: Agreement, facts: Mapping[str, str]) -> str:
    """The page as text. `facts` (inputs, fingerprint, ...) are listed at its head."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    for name in ("number", "figure", "ends", "printable", "verdict", "judge_said"):
        environment.filters[name] = getattr(agreement_text, name)
    template = environment.from_string(TEMPLATE.read_text("utf-8"))
    members = found.members()
    curves = {name: found.sweep.curves[name] for name in _swept(found)}
    page: str = template.render(
        found=found,
        facts=facts,
        summary=agreement_text.summary_line(found),
        titles=agreement_text.TITLES,
        members=members,
        curves=curves,
        plots=_plots(found, curves),
        lists=_lists(found),
        right_from=RIGHT_FROM,
        level=f"{LEVEL:.0%}",
        draws=DRAWS,
    )
    return page


def _swept(found: Agreement) -> list[str]:
    """The judge, and the configured policy or, if that has no curve, `addon`."""
    policy = found.main if found.main in found.sweep.curves else "addon"
    return [name for name in ("judge", policy) if name in found.sweep.curves]


def _plots(found: Agreement, curves: Mapping[str, Any]) -> dict[str, str]:
    plots = {"forest": report_plots.forest(found.members()), "thresholds": "", "calibration": ""}
    if curves:
        plots["thresholds"] = report_plots.thresholds(curves)
    if found.sweep.calibration:
        plots["calibration"] = report_plots.calibration(found.sweep.calibration, found.sweep.kind)
    return plots


def _lists(found: Agreement) -> list[tuple[str, str, int, Sequence[Case]]]:
    places = {
        "Rescues": found.differences.rescues,
        "Vetoes": found.differences.vetoes,
        "Disagreements": found.hybrid[found.main].disagreements,
    }
    if not found.setup.judges:
        places = {"Disagreements": places["Disagreements"]}
    return [
        (name, _LISTS[name].format(found.main), len(which), [found.cases[i] for i in which[:MAX_SHOWN]])
        for name, which in places.items()
    ]
