"""Imported before `tests.…`: makes that name this checkout's folder.

Some packages install one of the same name (verl does), and Python takes a package before a folder without
`__init__.py`, wherever it stands in `sys.path`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent

sys.path.insert(0, str(ROOT))
if "tests" not in sys.modules:
    ours = ModuleType("tests")
    ours.__path__ = [str(ROOT / "tests")]
    sys.modules["tests"] = ours
