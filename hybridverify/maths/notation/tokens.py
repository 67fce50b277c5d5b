"""The tokens between text and reading.

Kinds: `num` digits · `let` a variable or Greek letter · `const` · `fun` a function name · `cmd` (frac, sqrt,
binom, pm, ...) · `op` · `rel` · `sep` (`,` `;` `and` `or` `&` `\\\\`) · `open` `close` · `word` · `set` (R, Z,
...) · `env` (begin or end of a matrix) · `bar` · `dots` · `stop` · `money`. `gap`: white space came before.
"""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """One token. `text` is canonical: `\\dfrac` is `frac`, `\\leqslant` is `<=`."""

    kind: str
    text: str
    gap: bool = False
    note: str = ""
