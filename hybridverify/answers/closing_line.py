r"""A value on the last line, led up to by what stands above or before it: "So the total is" and `$$42$$`, "Sum = 7".

Separate from conclusion.py, which reads the last sentence, because here the value stands outside of any sentence. What
leads up to it has to announce a value, and may neither deny nor suppose one.
"""

from __future__ import annotations

from hybridverify.answers.frame import denied_before
from hybridverify.answers.sentences import SENTENCES
from hybridverify.answers.stated import CONCLUDING, ROOTS
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.languages import COPULAS, RESULTS
from hybridverify.language.patterns import COMMAND, LONG_WORD, RELATION, WORD
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

_MAX_TAIL = 600
_MAX_VALUE = 160
_DISPLAY = re.compile(r"(?:\$\$([^$]{1,200})\$\$|\\\[((?:(?!\\\[).){1,200}?)\\\])[\s.*]*\Z", re.DOTALL)
_VERBS = (
    "is|are|equals?|be|becomes?|was|were|get|gets|got|obtain|obtains|have|find|gives?|yields?|produces?|following"
    "|(?:evaluates|simplifies|comes|reduces|amounts) to"
)
_ANNOUNCES = re.compile(
    rf"(?:\b(?:{_VERBS})|(?<![^\W_])(?:{'|'.join(map(re.escape, COPULAS))})|等于|得|为|是|有|[:：=])[\s:：*]*\Z",
    re.IGNORECASE,
)
_STOPS = claims.DENIED | claims.kinds(
    "refuted unsure believed modal conditional obliged supposed tried or several compared near extreme "
    "shared first numbered listed related asked"
)
_LABELLED = re.compile(
    rf"(?:the\s|our\s|total\s|final\s)*(?:{'|'.join(map(re.escape, RESULTS))})\s*(?:[:：]|=(?!=))\s*(.+)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?:[-*•–]|\d{1,2}[.)])[ \t]+(?=\S)")
"""Before the one item of a list: whether `- 42` is a negative number stays open, since no closing line rejects."""
_LABEL = re.compile(
    rf"[\W_]*(?:(?:the|final|my)\s)*(?:{'|'.join(map(re.escape, ROOTS))})s?[\W_]*", re.IGNORECASE
)


def value_of(body: str) -> str:
    r"""The value on which the text ends, "" where nothing announces one.

    >>> value_of("So the total is\n$$\n42\n$$"), value_of("3 + 4\nSum: 7"), value_of("Hence $$x = 5.$$")
    ('42', '7', 'x = 5')
    >>> value_of("Let\n$$x = 5$$"), value_of("It cannot be\n42"), value_of("Line one.\n42")
    ('', '', '')
    """
    tail = "\n" + body[-_MAX_TAIL:].rstrip()
    before, content = _last_part(tail)
    labelled = _LABELLED.fullmatch(content.strip("*$ ."))
    if labelled:
        told = _without_steps(labelled[1])
        return told if _is_value(told) else ""
    lead = _lead(before)
    content = unwrap(_BULLET.sub("", content))
    if not lead or not _is_value(content) or not _announces(lead):
        return ""
    return content


def _last_part(tail: str) -> tuple[str, str]:
    """What stands before the formula or line on which a text ends, and what that holds."""
    formula = _DISPLAY.search(tail)
    if formula:
        return tail[: formula.start()], next(filter(None, formula.groups())).strip()
    before, _, line = tail.rpartition("\n")
    return before, line.strip()


def _lead(before: str) -> str:
    """The sentence that leads up to the value."""
    line = before.rstrip().rpartition("\n")[2]
    return SENTENCES.split(line)[-1].strip() if line.strip() else ""


def _announces(lead: str) -> bool:
    if claims.holds(lead, _STOPS) or denied_before(lead + " ", len(lead) + 1):
        return False
    opening = CONCLUDING.match(lead)
    if opening and not lead[opening.end() :].strip(" ,:*"):
        return True
    if _LABEL.fullmatch(lead):
        return True
    told = _ANNOUNCES.search(lead)
    return told is not None and (len(WORD.findall(lead)) > 1 or told[0].strip(" *")[:1] not in (":", "："))


def _without_steps(content: str) -> str:
    """What a sum comes to: "3 + 4 = 7"."""
    return content.rpartition("=")[2].strip() if "=" in content else content.strip()


def _is_value(content: str) -> bool:
    """A number, or a formula without words that states no inequality."""
    if not content or len(content) > _MAX_VALUE:
        return False
    if numerals.read(content) is not None:
        return True
    bare = COMMAND.sub(" ", content)
    return not (LONG_WORD.search(bare) or RELATION.search(content)) and any(map(str.isalnum, bare))
