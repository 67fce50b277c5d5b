"""Runs the tests on real vLLM, each module in a process of its own, so that an engine's memory comes back.

    .venv-vllm/bin/python tests/vllm/run.py [MODULE ...]

`VLLM_MODEL` is a folder with SmolLM2-135M-Instruct; without it the model is fetched into `.models/`. Ends with 1
where a module failed. Two cores take about a quarter of an hour.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    # In this very process: starts in seconds, with half of the memory, and needs no main guard.
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "TOKENIZERS_PARALLELISM": "true",
}


def main() -> int:
    environment = {**os.environ, **ENVIRONMENT, **model()}
    modules = [HERE / name for name in sys.argv[1:]] or sorted(HERE.glob("test_*.py"))
    failed = []
    for module in modules:
        begin = time.monotonic()
        command = [sys.executable, "-m", "pytest", "-c", str(HERE / "pytest.ini"), str(module)]
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        sys.stdout.write(f"{module.name}: exit {code} after {time.monotonic() - begin:.0f} s\n")
        sys.stdout.flush()
        if code:
            failed.append(module.name)
    sys.stdout.write(f"real vLLM: {len(modules) - len(failed)} of {len(modules)} modules passed\n")
    return 1 if failed else 0


def model() -> dict[str, str]:
    """Where the model is, or why there is none: then the tests that need it are skipped for that reason."""
    given = os.environ.get("VLLM_MODEL", "")
    folder = Path(given) if given else ROOT / ".models" / "smollm2-135m"
    if given and not (folder / "config.json").is_file():
        raise SystemExit(f"VLLM_MODEL: {folder} is no model folder")
    if not given:
        got = subprocess.run([sys.executable, str(HERE / "get_model.py"), str(folder)], check=False)
        if got.returncode:
            return {"VLLM_MODEL": "", "VLLM_MODEL_MISSING": "SmolLM2-135M cannot be fetched (see above)"}
    return {"VLLM_MODEL": str(folder)}


if __name__ == "__main__":
    sys.exit(main())
