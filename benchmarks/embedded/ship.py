"""Write the card's sums and settings beside the exported model: `python -m embedded.ship --model F --tokenizer F
--calibration F`. The files go into the package; `MODEL_CARD.md` there is written by hand."""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path

from hybridverify.judges.embedded.model import CARD, TOKENIZER, WEIGHTS

NAME = "hybridverify-embedded-3"


def main() -> None:
    """Copy the files and write model.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("model", "tokenizer", "calibration"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    for source, target in ((options.model, WEIGHTS), (options.tokenizer, TOKENIZER)):
        if source.resolve() != target:
            shutil.copyfile(source, target)
    calibration = json.loads(options.calibration.read_text("utf-8"))
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (WEIGHTS, TOKENIZER)}
    found = {"name": NAME, **calibration, "sha256": sums}
    CARD.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
