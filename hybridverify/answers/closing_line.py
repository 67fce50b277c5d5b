r"""A value on the last line, led up to by what stands above or before it: "So the total is" and `$$42$$`, "Sum = 7".

Separate from conclusion.py, which reads the last sentence, because here the value stands outside of any sentence. What
leads up to it has to announce a value, and may neither deny nor suppose one.
"""

from __future__ import annotations

from collections import deque

from hybridverify.answers.frame import denied_before
from hybridverify.answers.labels import ROOTS
from hybridverify.answers.predicates import CONCLUDING
from hybridverify.answers.sentences import SENTENCES
from hybridverify.language import claims
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import COMMAND, FORMULA, ITEM, LONG_WORD, RELATION, WORD
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

_MAX_TAIL = 600
_MAX_VALUE, _MAX_VERB = 160, 40
_DISPLAYS = ("$$", "\\[")
_ANNOUNCES = phrases("announcing", "copula", "coming", after=r"[\s:：*]*\Z")
_COLONS = (":", "：")
_STOPS = claims.DENIED | claims.kinds(
    "refuted unsure believed modal conditional obliged supposed tried or several compared near extreme "
    "shared first numbered listed related asked"
)
_LABELLED = phrases("announcing", "result", after=r"\s*(?:[:：]|=(?!=))\s*(.+)")
_LABEL_SIGNS = frozenset(":：=")
_BEFORE_LABEL = frozenset(("the", "our", "my", "total", "final"))


def value_of(body: str) -> str:
    r"""The value on which the text ends, "" where nothing announces one.

    >>> value_of("So the total is\n$$\n42\n$$"), value_of("3 + 4\nSum: 7"), value_of("Hence $$x = 5.$$")
    ('42', '7', 'x = 5')
    >>> value_of("Let\n$$x = 5$$"), value_of("It cannot be\n42"), value_of("Line one.\n42")
    ('', '', '')
    """
    tail = "\n" + body[-_MAX_TAIL:].rstrip()
    before, content = _last_part(tail)
    if told := labelled(content):
        return told if is_value(told) else ""
    lead = _lead(before)
    content = unwrap(ITEM.sub("", content, count=1))  # no closing line rejects: `- 42` may be an item
    if not lead or not is_value(content) or not _announces(lead):
        return ""
    return content


def labelled(line: str) -> str:
    """What a line gives as the result, "" for any other line.

    >>> labelled("**Total:** 7"), labelled("Sum = 3 + 4 = 7"), labelled("Sum of the rest: 7")
    ('7', '7', '')
    """
    line = line.strip("*$ .")
    label = None if _LABEL_SIGNS.isdisjoint(line) else _LABELLED.search(line)
    if label is None or not _BEFORE_LABEL.issuperset(line[: label.start()].lower().split()):
        return ""
    return _without_steps(label[1]).strip("* ")


def _last_part(tail: str) -> tuple[str, str]:
    """What stands before the formula or line on which a text ends, and what that holds."""
    formula = deque(FORMULA.finditer(tail), maxlen=1)
    if formula and formula[0][0].startswith(_DISPLAYS) and not tail[formula[0].end() :].strip(" \n\t.*"):
        return tail[: formula[0].start()], next(filter(None, formula[0].groups())).strip()
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
    if lead.rstrip(" *").endswith(_COLONS) and (len(WORD.findall(lead)) > 1 or _names_answer(lead)):
        return True
    return lead.rstrip(" *").endswith("=") or _ANNOUNCES.search(lead[-_MAX_VERB:]) is not None


def _names_answer(lead: str) -> bool:
    return lead.lstrip(" *_#>").lower().startswith(ROOTS)


def _without_steps(content: str) -> str:
    """What a sum comes to: "3 + 4 = 7"."""
    return content.rpartition("=")[2].strip() if "=" in content else content.strip()


def is_value(content: str) -> bool:
    """A number, or a formula without words that states no inequality."""
    if not content or len(content) > _MAX_VALUE:
        return False
    if numerals.read(content) is not None:
        return True
    bare = COMMAND.sub(" ", content)
    return not (LONG_WORD.search(bare) or RELATION.search(content)) and any(map(str.isalnum, bare))
