"""How much there is to read: tokens, expressions and entries of tables, by package.

    python benchmarks/size.py [FOLDER] [--files]

Tokens are those of Python's `tokenize` without comments, docstrings, line ends and indentation. Entries are words of
tables and elements of sets, tuples and mappings at module level, as `ablation.py` finds them, and the words of the
files of word lists (TOML); the last column counts ten for each beside the tokens. Expressions are calls of
`re.compile` wherever they stand.
"""

from __future__ import annotations

import argparse
import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

from ablating.entries import changed, list_words
from rich.console import Console
from rich.table import Table

COLUMNS = ("files", "tokens", "expressions", "entries", "tokens + 10 entries")
_NO_TOKENS = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
)
ENTRY_WEIGHT = 10


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent.parent / "hybridverify")
    parser.add_argument("--files", action="store_true", help="one line for each file")
    options = parser.parse_args()
    table = Table(title=f"Size of {options.folder.name}")
    table.add_column("part")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    parts: dict[str, Counter[str]] = {}
    for path in sorted(path for kind in ("*.py", "*.toml") for path in options.folder.rglob(kind)):
        inner = path.relative_to(options.folder)
        name = inner.as_posix() if options.files else inner.parts[0] if len(inner.parts) > 1 else "."
        parts[name] = parts.get(name, Counter()) + counts_of(path)
    for name, counts in (*parts.items(), ("all", sum(parts.values(), Counter()))):
        table.add_row(name, *(f"{counts[column]:,}" for column in COLUMNS))
    Console(width=max(120, Console().width)).print(table)


def counts_of(path: Path) -> Counter[str]:
    text = path.read_text(encoding="utf-8")
    return measured(text) if path.suffix == ".py" else of_lists(text)


def of_lists(text: str) -> Counter[str]:
    """The figures of a file of word lists: no tokens, only entries."""
    entries = len(list_words("m", "f", text, ())[1])
    return Counter({"files": 1, "entries": entries, "tokens + 10 entries": ENTRY_WEIGHT * entries})


def measured(source: str) -> Counter[str]:
    """The figures of one module, or of one file of word lists.

    >>> measured('"Says."\\nA = {"x", "y"}  # no token\\n')["tokens"]
    7
    """
    tokens = count_tokens(source)
    entries = sum(entry.kind in ("word", "item") for entry in changed("m", source, ())[1])
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    expressions = sum(ast.unparse(call.func) == "re.compile" for call in calls)
    figures = (1, tokens, expressions, entries, tokens + ENTRY_WEIGHT * entries)
    return Counter(dict(zip(COLUMNS, figures, strict=True)))


def count_tokens(source: str) -> int:
    """Tokens that a reader has to understand."""
    left_out = docstrings(source)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return sum(token.type not in _NO_TOKENS and token.start not in left_out for token in tokens)


def docstrings(source: str) -> set[tuple[int, int]]:
    """Where texts stand that are no values: docstrings, and those behind an assignment."""
    return {
        (node.lineno, node.col_offset)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


if __name__ == "__main__":
    main()
