"""The cross-encoder itself: loaded at the first question, asked from any thread, one core by default.

Every row is run alone. Its score then depends on its own text only, never on the rows beside it: the layers take
their 8-bit steps from all that is in a batch, so that a padded batch would score the same row a little otherwise
from one run to the next. For rows of fifty tokens this is also no slower, as nothing is padded (benchmarks/embedded).
Nor does a score depend on the processor (benchmarks/embedded/graph.py).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.embedded.hints import GROUPS, MARKS
from hybridverify.judges.embedded.inputs import Shown

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FOLDER = Path(__file__).parent
WEIGHTS, TOKENIZER, CARD = FOLDER / "model.onnx", FOLDER / "tokenizer.json", FOLDER / "model.json"
_NEEDED = ("onnxruntime", "tokenizers")
START, END = 101, 102
_FIRST_MARK = 1
"""The vocabulary begins with padding, then with places that no text uses: hints stand there."""
MARK_IDS = {name: _FIRST_MARK + place for place, name in enumerate(MARKS)}
NO_HINT = _FIRST_MARK + len(MARKS)
"""Stands in place of hints in a part of the rows in training, so that the text is read too."""
HINTS = slice(1, 1 + len(GROUPS))
"""Their place in a row."""
MAX_QUESTION, MAX_REFERENCE, MAX_ANSWER = 48, 64, 192


@lru_cache(maxsize=1)
def card() -> dict[str, Any]:
    """What the model is: name, version, sums of its files, threshold, figures."""
    found: dict[str, Any] = json.loads(CARD.read_text("utf-8"))
    return found


def model_card() -> str:
    """The card in words: base, data, licences, figures, limits."""
    return FOLDER.joinpath("MODEL_CARD.md").read_text("utf-8").rstrip()


class CrossEncoder:
    """P(correct) of shown rows. `threads` rows are scored side by side."""

    def __init__(self, threads: int = 1) -> None:
        missing = [name for name in _NEEDED if util.find_spec(name) is None]
        if missing:
            raise JudgeUnavailable(
                f"the embedded judge needs {' and '.join(missing)}: pip install 'hybridverify[embedded]'",
                Fault.SETTINGS,
            )
        self.threads = threads
        self._loaded: tuple[InferenceSession, Encoding] | None = None
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        """The number of threads: another process loads its own."""
        return {"threads": self.threads}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _loaded=None, _lock=threading.Lock())

    def load(self) -> tuple[InferenceSession, Encoding]:
        """Session and encoding, loaded once. Raises JudgeUnavailable where a file is damaged or too new."""
        with self._lock:
            if self._loaded is None:
                try:
                    self._loaded = session(WEIGHTS), Encoding(TOKENIZER)
                except Exception as error:  # onnxruntime and tokenizers raise what they like
                    reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                    raise JudgeUnavailable(
                        f"the embedded judge cannot be loaded: {reason}", Fault.SETTINGS
                    ) from error
            return self._loaded

    def score(self, rows: Sequence[Shown]) -> list[float]:
        """P(correct) of each row. Same length and order."""
        opened, encoding = self.load()
        encoded = encoding(rows)
        if self.threads < 2 or len(rows) < 2:
            return [_run(opened, row) for row in encoded]
        with ThreadPoolExecutor(self.threads, thread_name_prefix="hybridverify-embedded") as pool:
            return list(pool.map(lambda row: _run(opened, row), encoded))

    def close(self) -> None:
        """Give the memory back."""
        with self._lock:
            self._loaded = None


def _run(opened: InferenceSession, row: Encoded) -> float:
    import numpy

    ids = numpy.array([row.ids], numpy.int32)
    types = (numpy.arange(len(row.ids), dtype=numpy.int32) >= row.second).astype(numpy.int32)[None]
    return float(opened.run(None, {"ids": ids, "types": types})[0][0])


def session(path: Path) -> InferenceSession:
    """A graph on one core, run as it is written."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # rows are what runs side by side
    # Fused operators sum and round in ways that differ between processors; the graph is written without them.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # rows are small; the arena would only hold memory
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class Encoded(NamedTuple):
    """Token ids of one row; from `second` on they are the answer's."""

    ids: list[int]
    second: int


class Encoding:
    """Encodes rows with a tokenizer file. Its added tokens were taken out: "[SEP]" in an answer is plain text."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(path))

    def __call__(self, rows: Sequence[Shown]) -> list[Encoded]:
        texts = [text for row in rows for text in (row.question, row.reference, row.answer)]
        ids = iter([found.ids for found in self._tokenizer.encode_batch(texts, add_special_tokens=False)])
        return [_joined(row, next(ids), next(ids), next(ids)) for row in rows]


def _joined(row: Shown, question: list[int], reference: list[int], answer: list[int]) -> Encoded:
    """Start, hints, question, reference, answer; what is too long loses its end, an answer its middle."""
    if len(answer) > MAX_ANSWER:
        half = MAX_ANSWER // 2
        answer = [*answer[:half], *answer[-half:]]
    first = [
        START,
        *(MARK_IDS[name] for name in row.marks),
        *question[:MAX_QUESTION],
        END,
        *reference[:MAX_REFERENCE],
        END,
    ]
    return Encoded([*first, *answer, END], len(first))
