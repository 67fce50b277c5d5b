"""Where a response names its answer ("the answer", "final choice", "答案"), and the copula that announces it there.

Separate from stated.py, which weighs what a label announces, because here nothing is read but the label and the words
that lead from it to the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.languages import ANSWER_ROOTS, COPULAS
from hybridverify.language.patterns import WORD

_SIGN = r"[:：=]|=>|-{1,2}>|→|⇒"
_ENGLISH_COPULA = (
    r"(?:(?:(?:should|would|must|will|can only|has to|turns out to) be|comes? out (?:to be|as|to)"
    rf"|is|are|was|were|equals|becomes)(?![^\W_])(?!\s+n[o']t\b)|{_SIGN})"
)
_ENGLISH_ASIDE = (
    r"(?:[ \t]*\([^()\n]{0,40}\))?"
    r"(?:,?[ ](?:to|for|of|in|here|then|therefore|thus|hence|below|option|choice|we)\b[^.:：=\n]{0,60}?)?"
)
_FOREIGN_COPULA = rf"(?:(?:{'|'.join(COPULAS)})(?![^\W_])|{_SIGN}|等于|是|为|為|は|는|은|가)"
_FOREIGN_ASIDE = (  # an ending, and "final" or "correct" after the noun
    r"[^\s\d:：=.,;!?*_()\[\]{}$\\不非没未]{0,8}?"
    r"(?:[ ](?:final\w?|correct\w?|corretta|définitive|[^\W\d_a-z]{2,12})){0,2}"
)
_GAP = r"[\s*_\")\]】」~]{0,6}"
_AFTER = r"[\s:：*_]{0,8}(?:(?:therefore|thus|then|hence|simply|just|indeed)\s)?"
_AFTER_ENGLISH = re.compile(rf"s?(?![^\W_]){_ENGLISH_ASIDE}{_GAP}{_ENGLISH_COPULA}{_AFTER}", re.IGNORECASE)
_AFTER_FOREIGN = re.compile(rf"{_FOREIGN_ASIDE}{_GAP}{_FOREIGN_COPULA}{_AFTER}", re.IGNORECASE)
_CHOICE_ROOTS = (
    "final choice", "my choice", "correct choice", "final option", "selected option", "option selected",
    "chosen option", "correct option",
)  # fmt: skip
_ENGLISH_ROOTS = ("answer", "ans.", "ans:", *_CHOICE_ROOTS)
ROOTS = (*_ENGLISH_ROOTS, *ANSWER_ROOTS)
_USUAL_ROOTS = tuple(root for root in ROOTS if root not in _CHOICE_ROOTS)
_ASCII_ROOTS = tuple(filter(str.isascii, _USUAL_ROOTS))
_UNSURE = claims.kinds("unsure")
_LEADING = frozenset(("step", "the", "my", "final", "correct"))
_LEADING_SIGNS = frozenset(" \t#>*_.-:0123456789")
_MAX_LEADING = 4


def labels(body: str) -> Iterator[tuple[str, int]]:
    """The labels of a text and where they stand, the last one first.

    >>> list(labels("Answer: 4. So the final answer is 5"))
    [('answer', 24), ('answer', 0)]
    """
    low = _lower(body)
    roots = _ASCII_ROOTS if low.isascii() else _USUAL_ROOTS
    if "choice" in low or "option" in low:
        roots += _CHOICE_ROOTS
    for root, at in _from_end(low, roots):
        if at == 0 or not (low[at].isascii() and low[at - 1].isalpha()):
            yield root, at


def _from_end(low: str, roots: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Where roots stand; of several that end together the longest."""
    places = {root: at for root in roots if (at := low.rfind(root)) >= 0}
    while places:
        root, at = max(places.items(), key=lambda item: (item[1] + len(item[0]), len(item[0])))
        yield root, at
        places[root] = low.rfind(root, 0, at + len(root) - 1)
        if places[root] < 0:
            del places[root]


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def is_english(root: str) -> bool:
    return root in _ENGLISH_ROOTS


def copula_after(body: str, root: str, end: int) -> re.Match[str] | None:
    """What leads from a label to its value: " is ", ": ", " to the question is "."""
    return (_AFTER_ENGLISH if is_english(root) else _AFTER_FOREIGN).match(body, end)


def is_unsure(copula: re.Match[str]) -> bool:
    """Whether it says that the value is only possible: "答案可能是"."""
    return not copula[0].isascii() and claims.holds(copula[0], _UNSURE)


def has_label(text: str, root: str) -> bool:
    """Whether the text announces something at its last label of this kind."""
    at = _lower(text).rfind(root)
    return at >= 0 and _AFTER_ENGLISH.match(text, at + len(root)) is not None


def opens_line(before: str) -> bool:
    """Whether a label after this text begins its line, but for signs, a number and words such as "final".

    >>> opens_line("### 3. The final "), opens_line("I think the ")
    (True, False)
    """
    words = WORD.findall(before.lower())
    signs = set("".join(char for char in before if not char.isalpha()))
    return len(words) <= _MAX_LEADING and _LEADING.issuperset(words) and signs <= _LEADING_SIGNS


def is_label_alone(text: str) -> bool:
    """Whether a text is a label, and nothing follows it.

    >>> is_label_alone("**Final answer:**"), is_label_alone("The answer is"), is_label_alone("Answer: 4")
    (True, True, False)
    """
    root, at = next(labels(text), ("", 0))
    if not root or not opens_line(text[:at]):
        return False
    copula = copula_after(text, root, at + len(root))
    return not any(map(str.isalnum, text[copula.end() if copula else at + len(root) :]))
