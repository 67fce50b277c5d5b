"""Run the tests of this folder against every release of verl that the adapters promise to work with.

    python tests/verl/matrix.py                  # all eight, those of WITH_RAY on Ray as well
    python tests/verl/matrix.py 0.6.1 0.9.0      # some
    python tests/verl/matrix.py --ray            # each with the tests that start Ray
    python tests/verl/matrix.py --others         # all but the installed one, with which `make test-verl` runs them

Run it with the interpreter of the environment of requirements-verl.txt. Wheels are unpacked beside that
environment and put first on PYTHONPATH; releases up to 0.7.0 get an environment laid over it, which adds the
older transformers they need. Exit status 1 when a release fails.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BASE = Path(sys.prefix)
OLD = BASE.with_name(BASE.name + "-old")
RELEASES = ("0.4.1", "0.5.0", "0.6.1", "0.7.0", "0.7.1", "0.8.0", "0.9.0", "0.9.1")
WITH_RAY = ("0.4.1", "0.7.0", "0.7.1", "0.8.0", "0.9.1")
"""The first, the last, and both sides of what changed most: the managers' contract (0.7.1), the v1 trainer (0.8.0)."""
LAST_OLD = (0, 7, 0)


def main() -> int:
    """Run the chosen releases; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("releases", nargs="*", default=RELEASES, metavar="RELEASE")
    parser.add_argument("--ray", action="store_true", help="run the tests that start Ray with every release")
    parser.add_argument("--others", action="store_true", help="leave out the release that is installed")
    options = parser.parse_args()
    left_out = importlib.metadata.version("verl") if options.others else None
    releases = [release for release in options.releases if release != left_out]
    results = {release: run(release, options.ray or release in WITH_RAY) for release in releases}
    for release, (passed, line) in results.items():
        say(f"{'PASS' if passed else 'FAIL'}  verl {release:6}  {line}")
    return int(not all(passed for passed, _ in results.values()))


def run(release: str, with_ray: bool) -> tuple[bool, str]:
    """Whether one release passes, and pytest's last line with the seconds taken."""
    say(f"---- verl {release}")
    python = old_python() if numbers(release) <= LAST_OLD else Path(sys.executable)
    command = [python, "-m", "pytest", "-c", HERE / "pytest.ini", HERE, "-W", "ignore", "-v"]
    command += ["--tb=short"] if with_ray else ["--tb=short", "-m", "not ray"]
    paths = [str(unpacked(release)), str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "EXPECTED_VERL": release}
    begin = time.monotonic()
    done = subprocess.run(list(map(str, command)), env=environment, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        say(done.stdout[-6000:] + done.stderr[-2000:])
    last = done.stdout.strip().splitlines()[-1].strip("= ") if done.stdout.strip() else "no output"
    return done.returncode == 0, f"{last} ({time.monotonic() - begin:.0f} s in all)"


def numbers(release: str) -> tuple[int, ...]:
    """A release as numbers.

    >>> numbers("0.10.0") > numbers("0.9.1")
    True
    """
    return tuple(map(int, release.split(".")))


def unpacked(release: str) -> Path:
    """The folder with the release's code, fetched at first use."""
    folder = BASE / "verl-releases" / release
    if not (folder / "verl").is_dir():
        wheels = folder.parent / "wheels"
        pip(sys.executable, "download", "--no-deps", "--dest", str(wheels), f"verl=={release}")
        (wheel,) = wheels.glob(f"verl-{release}-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder


def old_python() -> Path:
    """The interpreter of the environment that lies over the base one."""
    python = OLD / "bin" / "python"
    ready = OLD / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(OLD)], check=True)
        (site,) = OLD.glob("lib/python*/site-packages")
        (base_site,) = BASE.glob("lib/python*/site-packages")
        (site / "base.pth").write_text(f"{base_site}\n")
        pip(python, "install", "--no-compile", "-r", str(HERE / "requirements-verl-old.txt"))
        pip(
            python, "install", "--no-compile", "--no-deps", "-r", str(HERE / "requirements-verl-old-bare.txt")
        )
        ready.touch()
    return python


def pip(python: Path | str, *arguments: str) -> None:
    """Quiet, and without its warnings of what the base environment lacks."""
    command = [str(python), "-m", "pip", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
