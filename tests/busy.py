"""Runs a command beside processes that spin, as a training node does: `python tests/busy.py 8 COMMAND ...`.

`make test-load` runs the tests that wait or measure time so: no verdict and no test may hang on a quiet machine.
"""

from __future__ import annotations

import os
import subprocess
import sys


def main() -> int:
    """The command's exit code."""
    number, *command = sys.argv[1:]
    spin = f"import os\nwhile os.getppid() == {os.getpid()}: pass"  # they end with us, however we end
    spinning = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(int(number))]
    try:
        return subprocess.run(command).returncode
    finally:
        for process in spinning:
            process.kill()
        for process in spinning:
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
