"""mypy over the whole tree, with `adapters/` under the name by which it is imported: `python tests/typecheck.py`.

mypy names a module by where its file lies, and no setting of mypy maps a folder to another name (docs/architecture.md,
"Types"). So mypy collects the files that pyproject.toml names, the adapters are renamed, and then it checks them all.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from mypy.build import build
from mypy.errors import CompileError
from mypy.fscache import FileSystemCache
from mypy.main import process_options


def main(arguments: Sequence[str]) -> int:
    """Check what pyproject.toml names, or the files given; print what mypy says; 1 where it finds fault."""
    files = FileSystemCache()
    sources, options = process_options(list(arguments), fscache=files)
    for source in sources:
        if source.module.partition(".")[0] == "adapters":
            source.module = f"hybridverify.{source.module}"
    try:
        messages = build(sources, options, fscache=files).errors
    except CompileError as error:
        messages = error.messages
    faults = sum(": error:" in message for message in messages)
    sys.stdout.write("\n".join([*messages, f"mypy: {faults} errors in {len(sources)} files checked\n"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
