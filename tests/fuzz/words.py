"""Words that mathematics and judges' replies are made of, for inputs that get past the first line of a parser."""

from __future__ import annotations

# fmt: off
TOKENS = (
    "\\boxed{", "}", "{", "(", ")", "[", "]", "|", "$", "$$", "\\(", "\\)", "\\[", "\\]", "\n", "\n\n",
    " ", "\\frac{", "\\frac", "\\sqrt{", "\\sqrt[3]{", "\\binom{", "\\text{", "\\mathrm{", "\\left(",
    "\\right)", "\\pi", "\\infty", "\\pm", "\\cdot", "\\times", "\\le", "\\ge", "\\ne", "\\in", "\\cup",
    "\\emptyset", "\\begin{pmatrix}", "\\end{pmatrix}", "\\begin{cases}", "\\end{cases}", '\\\\', "&",
    "\\circ", "\\%", "\\sin", "\\log", "\\ln", "\\sum", "\\int", "^{", "_{", "^", "_", "!", "'", "\\,",
    "\\!", "\\displaystyle", "0", "1", "2", "3", "7", "9", "10", "12", "100", "1,000", "0.5", "3.14",
    "1e9", "-", "+", "*", "/", "=", "<", ">", "<=", ">=", "!=", ",", ";", ".", ":", "%", "°", "√", "²",
    "½", "×", "−", "∞", "≤", "π", "１", "，", "x", "y", "n", "i", "e", "A", "B", "C", "D", "k", "f(x)",
    "sin", "sqrt(", "pi", "and", "or", "the answer is ", "#### ", "<think>", "</think>", "<answer>",
    "</answer>", "Final answer: ", "So ", "kg", "cm", "miles", "$5", "PM", "3:15", "half", "twenty",
    "January 5, 2020", "true", "yes", "no", "None", "N/A", "答案是", "解：", "或", "\u200b", "\u202e", "\x00",
    "\ud800", "🙂", "e\u0301", "\t", "\r", "**", "`", "```", "<b>", "<!--", "%\n", "True", "False",
    "Final Decision: ", "Yes", "Correct", "Incorrect", "Total Score: ", "/10", "Judgement: ", "**",
    "\\boxed{A}", "Answer: ", "[[", "]]", "{\"", "\": ", "</s>", "<|im_end|>", "NaN", "-3", "CORRECT",
)
# fmt: on
