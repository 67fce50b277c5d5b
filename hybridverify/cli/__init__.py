"""The command line, one file a command. `app` joins them, `run` drives rows through a Verifier for `grade`.

In: arguments. Out: files, tables and an exit code. Every fault becomes one plain line.

Entry point: `main`.
"""

from hybridverify.cli.app import main

__all__ = ["main"]
