"""Processes that have never imported verl, without the ten seconds that its dependencies take.

Run as a script this is the parent: it imports what verl needs from others, but nothing of verl, and forks a child for
each line of JSON on its input. The child runs the code that the line holds; its exit status and what it wrote come
back as a line of JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import IO, NamedTuple, NoReturn

HERE = Path(__file__).resolve().parent
NEEDED = (
    "torch.distributed.fsdp",
    "tensordict",
    "ray",
    "datasets",
    "peft",
    "accelerate",
    "pandas",
    "fastapi",
    "transformers.modeling_utils",
    "transformers.models.auto.modeling_auto",
    "transformers.generation",
)
"""What takes long of all that verl's trainer imports; what a release does without may be absent."""


class Done(NamedTuple):
    """How a child ended."""

    returncode: int
    stdout: str
    stderr: str


class Parent:
    """The process that forks children, asked from a test."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, code: str, *arguments: str, **variables: str) -> Done:
        """Run `code` in a child with `sys.argv[1:]` and variables of the environment."""
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        into.write(json.dumps({"code": code, "arguments": arguments, "variables": variables}) + "\n")
        into.flush()
        return Done(**json.loads(out.readline()))


@contextmanager
def parent() -> Iterator[Parent]:
    """The parent, started; its input's end ends it."""
    command = [sys.executable, "-W", "ignore", str(HERE / "fresh.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE
    ) as process:
        yield Parent(process)


def main() -> NoReturn:
    for name in NEEDED:
        with suppress(ImportError):
            importlib.import_module(name)
    assert not {"verl", "hybridverify"} & sys.modules.keys()
    for line in sys.stdin:
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            child = os.fork()
            if not child:
                run(out, err, **json.loads(line))
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            err.seek(0)
            done = Done(status, out.read(), err.read())
        sys.stdout.write(json.dumps(done._asdict()) + "\n")
        sys.stdout.flush()
    os._exit(0)  # taking torch apart would take as long again


def run(out: IO[str], err: IO[str], code: str, arguments: list[str], variables: dict[str, str]) -> NoReturn:
    """The child: it never returns."""
    status = 1
    try:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        os.environ |= variables
        sys.argv = ["-c", *arguments]
        module = sys.modules["__main__"] = ModuleType("__main__")
        exec(code, module.__dict__)  # noqa: S102 - the tests' own lines, as `python -c` would run them
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
