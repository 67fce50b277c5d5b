"""`--report`: its path is checked before anything is graded, and the facts at the end of its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hybridverify.errors import InputError

if TYPE_CHECKING:
    from hybridverify.cli.ray import RayGrader
    from hybridverify.cli.run import FileJob
    from hybridverify.report import RunReport
    from hybridverify.verifier import Verifier


def check_report(report: Path | None, inputs: Sequence[Path], others: Mapping[str, Path | None]) -> None:
    """Raises InputError where the page cannot be written, or would take the place of another file of the run: an input,
    or one of `others`, by option."""
    if report is None:
        return
    if not report.resolve().parent.is_dir():
        raise InputError(f"--report {report}: no such folder: {report.parent}")
    if report.is_dir():
        raise InputError(
            f"--report {report}: is a folder; name a file in it, such as {report / 'report.html'}"
        )
    if report.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"--report {report}: is written as HTML; name a file that ends in .html")
    if any(path.resolve() == report.resolve() for path in inputs):
        raise InputError(f"--report {report}: is an input too; name another file")
    for name, other in others.items():
        if other is not None and other.resolve() == report.resolve():
            raise InputError(f"--report {report}: is {name} too; name another file")


def new_report(verifier: Verifier | RayGrader) -> RunReport:
    """What collects the rows of a run. The verifier tells it what every rule said, if it runs here."""
    from hybridverify.report import RunReport  # with all that draws: only for runs that want a page

    record = getattr(verifier, "record_rules", None)
    if record is not None:
        record()
    return RunReport()


def run_facts(job: FileJob, verifier: Verifier | RayGrader) -> dict[str, str]:
    """What the figures depend on."""
    return {
        "inputs": ", ".join(map(str, job.inputs)),
        "settings of the default route": verifier.fingerprint(""),
    }
