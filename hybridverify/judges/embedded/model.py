"""The cross-encoder and its encoding. It is loaded at the first question and may be asked from any thread.

Every row is run alone, so that its score depends on its own text only. In a padded batch it would not: the layers
choose their 8-bit steps from the whole batch. For rows of fifty tokens running them alone is no slower, as nothing is
padded (benchmarks/embedded). Nor does a score depend on the processor (benchmarks/embedded/graph.py). Training uses
the same encoding.
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
from hybridverify.judges.backends.starting import starting
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
"""The vocabulary begins with padding, then with ids that no text uses. The hints have these ids."""
MARK_IDS = {name: _FIRST_MARK + place for place, name in enumerate(MARKS)}
NO_HINT = _FIRST_MARK + len(MARKS)
"""In training this replaces the hints in a part of the rows, so that the model learns to read the text too."""
HINTS = slice(1, 1 + len(GROUPS))
"""The place of the hints in a row."""
MAX_QUESTION, MAX_REFERENCE, MAX_ANSWER = 48, 64, 192


@lru_cache(maxsize=1)
def card() -> dict[str, Any]:
    """The model's card: name, version, checksums of its files, threshold, figures."""
    found: dict[str, Any] = json.loads(CARD.read_text("utf-8"))
    return found


def model_card() -> str:
    """The card in words: base, data, licences, figures, limits."""
    return FOLDER.joinpath("MODEL_CARD.md").read_text("utf-8").rstrip()


class CrossEncoder:
    """Gives P(correct) for inputs. `threads` rows are scored side by side."""

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
        """The number of threads. Another process loads the model anew."""
        return {"threads": self.threads}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _loaded=None, _lock=threading.Lock())

    def load(self) -> tuple[InferenceSession, Encoding]:
        """Session and encoding, loaded once. Raises JudgeUnavailable if a file is damaged or too new."""
        with self._lock:
            if self._loaded is None:
                try:
                    with starting("the embedded judge to load its model"):
                        self._loaded = session(WEIGHTS), Encoding(TOKENIZER)
                except Exception as error:  # onnxruntime and tokenizers raise many kinds of exceptions
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
        """Free the model's memory."""
        with self._lock:
            self._loaded = None


def _run(opened: InferenceSession, row: Encoded) -> float:
    import numpy

    ids = numpy.array([row.ids], numpy.int32)
    types = (numpy.arange(len(row.ids), dtype=numpy.int32) >= row.second).astype(numpy.int32)[None]
    return float(opened.run(None, {"ids": ids, "types": types})[0][0])


def session(path: Path) -> InferenceSession:
    """A session for a graph: on one core, without optimisation."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # instead, rows run side by side
    # Fused operators sum and round differently on different processors; the graph is written without them.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # rows are small, so the arena would only hold memory
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class Encoded(NamedTuple):
    """The token ids of one row. Those from `second` on are the answer's."""

    ids: list[int]
    second: int


class Encoding:
    """Encodes rows with a tokenizer file without added tokens: "[SEP]" in an answer is plain text."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(path))

    def __call__(self, rows: Sequence[Shown]) -> list[Encoded]:
        texts = [text for row in rows for text in (row.question, row.reference, row.answer)]
        ids = iter([found.ids for found in self._tokenizer.encode_batch(texts, add_special_tokens=False)])
        return [_joined(row, next(ids), next(ids), next(ids)) for row in rows]


def _joined(row: Shown, question: list[int], reference: list[int], answer: list[int]) -> Encoded:
    """Start, hints, question, reference, answer. A text that is too long loses its end, an answer its middle."""
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
