"""Coverage-guided fuzzing with atheris: no crash, no hang, no memory growth, and the claims of targets.py.

    python -m tests.fuzz.fuzz --minutes 30 [--target reader] [--corpus .fuzz]

Each target gets an equal share of the time in a process of its own. An input that takes over ten seconds of a busy
machine, or a process that grows beyond a gigabyte, counts as a finding, as an exception does; findings and the
corpus stay in the folder, so that the next run goes on from there. Ends with 1 where there was a finding.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

LIMITS = ("-timeout=10", "-rss_limit_mb=1024", "-max_len=600", "-print_final_stats=1", "-verbosity=0")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--target", default="", help="this one alone")
    parser.add_argument("--corpus", type=Path, default=Path(".fuzz"))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        fuzz(arguments.target, arguments.corpus, arguments.minutes)
    names = (
        [arguments.target] if arguments.target else ["extraction", "reader", "rules", "parsers", "prompts"]
    )
    failed = [name for name in names if run(name, arguments.corpus, arguments.minutes / len(names))]
    print(f"fuzzed {', '.join(names)} for {arguments.minutes:g} min: {', '.join(failed) or 'no'} findings")
    return 1 if failed else 0


def run(target: str, corpus: Path, minutes: float) -> int:
    """Fuzz one target in a process of its own; its exit status."""
    print(f"== {target}", flush=True)
    own = ["--here", "--target", target, "--corpus", str(corpus), "--minutes", str(minutes)]
    return subprocess.run([sys.executable, "-m", "tests.fuzz.fuzz", *own]).returncode


def fuzz(target: str, corpus: Path, minutes: float) -> None:
    """Does not return: libFuzzer ends the process."""
    import atheris

    with atheris.instrument_imports(include=["hybridverify"]):
        from tests.fuzz import targets

    folder = corpus / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(targets.seeds(target)):
        (folder / f"seed-{number}").write_bytes(seed)
    found = f"-artifact_prefix={corpus}/{target}-"
    atheris.Setup(
        [sys.argv[0], *LIMITS, f"-max_total_time={round(minutes * 60)}", found, str(folder)],
        targets.TARGETS[target],
    )
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
