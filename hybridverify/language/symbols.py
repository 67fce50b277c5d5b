"""Signs outside ASCII and what they stand for in LaTeX: one table for the normal form of a text and for its reading."""

from __future__ import annotations

SIGNS = {
    "−": "-", "‐": "-", "‑": "-", "–": "-", "﹣": "-", "×": r"\times ", "·": r"\cdot ", "⋅": r"\cdot ",
    "÷": r"\div ", "±": r"\pm ", "∓": r"\mp ", "≤": r"\le ", "⩽": r"\le ", "≥": r"\ge ", "⩾": r"\ge ",
    "≠": r"\ne ", "≈": r"\approx ", "∞": r"\infty ", "π": r"\pi ", "∅": r"\emptyset ", "∪": r"\cup ",
    "∩": r"\cap ", "∈": r"\in ", "…": r"\ldots ", "、": ",", "“": '"', "”": '"', "‘": "'", "’": "'",
    "′": "'", "。": ".", "¬": r"\neg ", "∧": r"\land ", "∨": r"\lor ", "≦": r"\le ", "≧": r"\ge ",
}  # fmt: skip
TICKS = {
    **dict.fromkeys(("√", "✓", "✔", "☑", "✅"), "true"),
    **dict.fromkeys(("×", "✗", "✘", "✕", "❌"), "false"),
}
"""Signs that call a statement true or false, where nothing stands beside them."""
