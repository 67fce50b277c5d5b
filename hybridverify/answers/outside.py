r"""Whether a box is only a part of what is written around it: `-\boxed{4}`, `3\boxed{4}`, `\sout{\boxed{4}}`.

Separate from frame.py because here signs of the formula are read, no words. Units, degree signs, percent signs and
base indices after a box are usual and change nothing.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.lexicon.phrases import longest_of

_LOOK = 120
"""How far back the formula of a box is read."""
_NEAR = 48
_DEEP = 6
_RELATIONS = (
    r"not\s?(?:\\[a-zA-Z]+|=|<|>)|ne|neq|nless|ngtr|nleq|ngeq|nleqslant|ngeqslant|nsim|ncong|napprox"
    r"|notin|nmid"
)
_FUNCTIONS = (
    r"log|ln|lg|exp|sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|det|gcd|lcm|sum|prod|int|lim"
    r"|Delta|nabla|partial|neg|lnot|sqrt|overline|bar|hat|vec|tilde|d?frac|tfrac|binom"
)
_COMMAND_BEFORE = re.compile(
    rf"\\(?:{_RELATIONS}|le|leq|leqslant|ge|geq|geqslant|lt|gt|cdot|times|div|pm|mp|{_FUNCTIONS})(?![A-Za-z])"
    r"(?:[_^](?:\w|\{[^{}]{1,12}\}))?[\s{]{0,4}\Z"
)
_OPERATOR_BEFORE = re.compile(
    r"(?:[≠≤≥±√≉≢∉¬]|\\not\s?[=<>]|[!/]=|[$(=]\s{0,2}-|[A-Za-z0-9)}]\s{0,2}[<>]|[\d})]\$?\s{0,2}/"
    r"|[\w)}]\s{0,2}\+|[$(=]\s?\||\\(?:log|lim|sum|prod|int|max|min)[_^]\w)[\s{]{0,4}\Z"
    r"|(?<![\w.])\d{1,12}(?:[.,]\d{1,12})?\Z|(?<![:\w])-\Z|[\d)}]-\Z|\([^()\s]{1,16}[-+^][^()\s]{1,16}\)\Z"
)
_OPERAND_BEFORE = re.compile(r"(?:[\d)}]\s{0,2}-|(?<![\w^_\\])[a-z]\s{0,2}-|\d)[\s{]{0,4}\Z")
"""What changes a box within a formula, while in a text it is a dash or the number of an item."""
_ENDS = frozenset("≠≤≥±√≉≢∉¬-<>/+|=)0123456789")
"""Characters on which the patterns above end, blanks and brackets aside."""
_NEAREST = 36
_TAG_BEFORE = re.compile(r"</?\w[\w-]{0,30}>[\s{$]{0,4}\Z")
_OPERATIONS_ON = ("times", "plus", "minus", "divided by", "multiplied by")
"""Words that compute with a number after them."""
_POWERS = ("squared", "cubed", "factorial")
COMPUTING_CUES = longest_of((*_OPERATIONS_ON, *_POWERS))
"""How the words begin that compute with what stands before them."""
_OPERATOR_AFTER = re.compile(
    r"\d|\{\s?[-\d]|\s?\^\s?(?!\{?\s?(?:\\circ|\\degree|°))|\s?\\(?:cdot|times|div|pi|sqrt|[dt]?frac|sin"
    r"|cos|tan|ln|log)(?![A-Za-z])"
    r"|\s?/\s?\d|\s?\+\s?[\d\\A-Za-z]|\s?-\s?(?:\d|\\boxed)|\s?[+*/]\s?\$?\Z|!\s?(?:\$|\\\)|\\\]|[-+*/=^])"
    r"|\([^()\s]{1,12}[-+^][^()\s]{1,12}\)|[√π]"
    r"|\s?\\(?:ne|neq|lt|gt|le|leq|ge|geq|not)(?![A-Za-z])|\s?[≠≤≥]|\s?[<>]\s[\w\\]"
    rf"|[\s$]{{1,4}}(?:{'|'.join(_OPERATIONS_ON)}) [\d$\\(]|[\s$]{{1,4}}(?:{'|'.join(_POWERS)})\b"
)
_BEGINS = "0123456789{^\\/+-*!(<>tpmdsfc"
"""On these, after blanks and dollars, the pattern above begins in ASCII: a quick look."""
_BLANKS = 5
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?\s?(?:\[[^\[\]]{0,12}\])?(?:\{[^{}]{0,60}\})?\s?\Z|([\^_])\s?\Z")
_STRIKING = ("cancel", "strike", "phantom")
_CHANGING = frozenset(
    (
        "cancel", "bcancel", "xcancel", "hcancel", "cancelto", "sout", "st", "phantom", "hphantom", "vphantom", "frac",
        "dfrac", "tfrac", "cfrac", "nicefrac", "sqrt", "overline", "bar", "binom", "hat", "vec", "lnot", "neg",
    )
)  # fmt: skip
"""Commands that strike out, hide or compute with what stands in their braces."""


def is_changed_before(text: str, start: int) -> bool:
    r"""Whether what stands before `start` computes with, strikes out or hides what follows.

    >>> is_changed_before(r"$3\boxed{4}$", 2), is_changed_before(r"$3 = \boxed{4}$", 5)
    (True, False)
    """
    before = text[max(0, start - _NEAR) : start]
    if _is_operand(before, text, start):
        return True
    return "{" in before and _is_inside_command(text[max(0, start - _LOOK) : start])


def is_changed_after(text: str, end: int) -> bool:
    """Whether what stands after `end` computes with what precedes it."""
    first = text[end : end + _BLANKS].lstrip(" \t\n$")[:1]
    if first.isascii() and first.isprintable() and first not in _BEGINS:
        return False
    return _OPERATOR_AFTER.match(text, end, end + _NEAR) is not None


def _is_operand(before: str, text: str, start: int) -> bool:
    """Whether a sign, a factor or a function stands right before the box."""
    at = len(before)
    while at and (before[at - 1] == "{" or before[at - 1].isspace()):
        at -= 1
    last = before[at - 1 : at]
    if last in _ENDS:
        return _is_operator(before, text, start)
    command = before.rfind("\\")
    if command < 0 or not (last.isalpha() or last == "}"):
        return False
    return before[:command].rstrip().endswith("\\not") or _COMMAND_BEFORE.match(before, command) is not None


def _is_operator(before: str, text: str, start: int) -> bool:
    """Whether what ends on a sign or a number computes with what follows."""
    near = before[-_NEAREST:]
    if not _OPERATOR_BEFORE.search(near) and not (
        _OPERAND_BEFORE.search(near) and _is_in_formula(text, start)
    ):
        return False
    return not _TAG_BEFORE.search(before) and not _is_dash(before)


def _is_dash(before: str) -> bool:
    """ "Ans:-" and "Answer-" announce; so does a long word before the sign."""
    word = before[before.rfind("\\") + 1 : -1]
    command = len(word) < len(before) - 1 and word.isalpha()
    return before.endswith("-") and before[-3:-1].isalpha() and len(before) > 3 and not command


def _is_in_formula(text: str, start: int) -> bool:
    line = text[max(text.rfind("\n", 0, start) + 1, start - _LOOK) : start]
    dollars = line.count("$") - line.count("\\$") - 2 * line.count("$$")
    displayed = line.count("$$")
    return bool(dollars % 2 or displayed % 2) or any(
        line.rfind(opening) > line.rfind(closing) for opening, closing in (("\\(", "\\)"), ("\\[", "\\]"))
    )


def _is_inside_command(before: str) -> bool:
    """Whether one of the braces that are open before the box belongs to a command that changes what it holds."""
    if before.count("{") <= before.count("}"):
        return False
    depth = 0
    for _ in range(_DEEP * 8):
        brace = max(before.rfind("{"), before.rfind("}"))
        if brace < 0:
            return False
        depth += 1 if before[brace] == "}" else -1
        before = before[:brace]
        if depth < 0:
            depth = 0
            command = _COMMAND.search(before)
            if command and (command.group(2) or _changes(command.group(1))):
                return True
    return False


def _changes(name: str) -> bool:
    return name in _CHANGING or name.endswith("out") or any(map(name.__contains__, _STRIKING))
