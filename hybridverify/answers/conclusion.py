"""The value on which a response ends, where it neither marks nor states one: "So the total is 7."

Separate from stated.py because such a value is a guess: good enough to accept an answer, not to reject one.
"""

from __future__ import annotations

from collections import deque

from hybridverify.answers import conclusion_chinese
from hybridverify.answers.beside_mark import follows_another, offers_another
from hybridverify.answers.closing_line import is_value
from hybridverify.answers.conflict import conflict
from hybridverify.answers.frame import denied_before
from hybridverify.answers.predicates import CONCLUDING, sentence_from, subject_of
from hybridverify.answers.printed import OUTPUT
from hybridverify.answers.sentences import SENTENCES
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.joining import AND, OR
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.names import starts_with_name
from hybridverify.language.number_words import read_words
from hybridverify.language.patterns import DOLLAR, FORMULA, NUMBER
from hybridverify.language.pieces import pieces
from hybridverify.language.scripts import has_chinese
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

_MAX_CLOSING = 400
"""A closing sentence is short; a longer line is a derivation."""
_VERB = phrases("phrases", "getting", after=r"\s(?=[\d$\\-])")
_NAMED = phrases("phrases", "sought")
_ADVERBS = tuple(f" {entry}" for entry in entries("english", "adding_up"))
_CHANGED_BEFORE = frozenset(entries("neighbours", "another", "bounding"))
_CHANGED_AFTER = ("?", *entries("neighbours", "after"))
_TURNS = claims.kinds("refuted opposite unsure believed contrast apart several dropped first")
"""Beside a formula in a sentence that does not say what it is: it may be what the answer is not."""
_DOUBTED = phrases("phrases", "weighed")
_UNSURE = claims.kinds("unsure asked")
_ARROWS = tuple("∴=⇒→➡👉")
_SUPPOSING = frozenset(entries("english", "supposing"))


def conclusion(body: str) -> str:
    """The value on which the last sentence ends, if it is a closing sentence or the only one.

    >>> conclusion("She has 3 and buys 4. So the total is **7**."), conclusion("It could be 3 or 4.")
    ('7', '')
    """
    line, sentences = _last_line(body)
    last = _after_formula(sentences[-1]) if sentences else ""
    if not last or len(last) > _MAX_CLOSING:
        return ""
    if output := _program_output(body, last):
        return output
    alone = body.strip() == line.strip()
    if not alone and (formula := FORMULA.fullmatch(line.strip())):
        return _of_formula(formula, _above(body, line))
    if not alone and _is_one_of_several(_above(body, line), last):
        return ""
    return _of_sentence(last, only=alone and len(sentences) == 1)


def _after_formula(sentence: str) -> str:
    """The sentence that begins after a formula without a stop: "$3 + 4 = 7$ So the total is 7"."""
    parts = sentence[-_MAX_CLOSING - 2 :].split("$ ")
    for at in range(len(parts) - 1, 0, -1):
        if parts[at][:1].isupper() and opens(parts[at]):
            return "$ ".join(parts[at:]).strip()
    return sentence.strip()


def _of_formula(formula: re.Match[str], above: str) -> str:
    """A last line that is a formula gives its value to a name, unless that is only supposed."""
    content: str = next(filter(None, formula.groups()))
    return (
        content
        if content.count("=") == 1
        and starts_with_name(content)
        and not claims.ends_on(above.rstrip(": ,"), _SUPPOSING)
        else ""
    )


def _above(body: str, line: str) -> str:
    """What leads up to the last line."""
    return body[: body.rfind(line)].rstrip()[-_MAX_CLOSING:].rpartition("\n")[2]


def _of_sentence(last: str, only: bool) -> str:
    """The value of the last sentence: its one part in bold type, else what a closing sentence states or is."""
    opening = CONCLUDING.match(last)
    rest = last[opening.end() :].strip(" ,:.") if opening else ""
    if only and any(map(str.isdigit, rest)) and is_value(rest):
        return rest  # "Hence, 64."
    if bold := _one_in_bold(last):
        return "" if claims.is_denial(last) or _is_one_of_two(bold, last) else bold
    return _claimed(last) if only or opening else ""


def _claimed(last: str) -> str:
    """What a closing sentence states, unless it denies or doubts it."""
    if not last.isascii() and has_chinese(last) and (chinese := conclusion_chinese.value_of(last)):
        return chinese
    return "" if claims.is_denial(last) or _is_doubted(last) else _stated_value(last)


def _is_doubted(sentence: str) -> bool:
    return _DOUBTED.search(sentence) is not None or (
        not sentence.isascii() and claims.holds(sentence, _UNSURE)
    )


def _last_line(body: str) -> tuple[str, list[str]]:
    """The last line that says something, and its sentences."""
    lines = reversed(body[-3 * MAX_ANSWER :].splitlines())
    line = next((line for line in lines if any(map(str.isalnum, line))), "")
    return line, [part for part in SENTENCES.split(line) if any(map(str.isalnum, part))]


def _one_in_bold(last: str) -> str:
    """The one part in bold type, unless it is a label."""
    parts = last.split("**")
    bold = parts[1] if len(parts) == 3 else ""
    return bold if bold.strip() and not bold.rstrip().endswith((":", "：")) else ""


def _is_one_of_two(bold: str, last: str) -> bool:
    """Whether another answer is joined to the part in bold type: "**Lima** (or maybe Cusco)"."""
    before, _, after = last.partition(f"**{bold}**")
    return offers_another(bold, after) or follows_another(bold, before)


def _is_one_of_several(above: str, last: str) -> bool:
    """Whether both lines are in bold alone and of one kind: candidates in a row, of which none is the conclusion."""
    if not (_is_in_bold(above.strip()) and _is_in_bold(last)) or ":" in above:
        return False
    return any(map(str.isdigit, above)) == any(map(str.isdigit, last))


def _is_in_bold(line: str) -> bool:
    return line.startswith("**") and line.endswith("**") and bool(_one_in_bold(line))


def _stated_value(last: str) -> str:
    """What a closing sentence says after its last "is", else after its last verb."""
    claim = claims.last_claim(last)
    if claim is None:
        verb = deque(_VERB.finditer(last), maxlen=1)
        if verb:
            return _without_adverb(sentence_from(last, verb[0].end()))
        return _after_colon(last) or _single_formula(last)
    if denied_before(last, claim.start):
        return ""
    content = sentence_from(last, claim.start)
    if _is_claimed_otherwise(last, claim, content):
        return ""
    if _NAMED.match(content):  # "Therefore x > 5 is the solution."
        content = subject_of(claim.subject)
    return _without_adverb(content)


def _is_claimed_otherwise(last: str, claim: claims.Claim, content: str) -> bool:
    """Whether the sentence gives another value of the same thing before: "I think it is 7, and hope it is 9"."""
    name = claim.subject.lower().split()[-1:]
    for one in claims.claims_of(claim.subject):
        same = one.subject.lower().split()[-1:] == name and not denied_before(last, one.start)
        if same and conflict(pieces(claim.subject[one.start :], ",;", AND | OR)[0], content):
            return True
    return False


def _after_colon(last: str) -> str:
    """The value of "Hence the result: 17"."""
    head, colon, value = last.partition(": ")
    return value.strip() if colon and is_value(unwrap(value)) and head[-1:].isalpha() else ""


def _without_adverb(content: str) -> str:
    adverb = next(filter(content.lower().endswith, _ADVERBS), "")
    return content[: len(content) - len(adverb)].removesuffix(",") if adverb else content


def opens(sentence: str) -> bool:
    """Whether the sentence begins with a word such as "therefore"."""
    return (sentence[:1].isalpha() or sentence[:1] in _ARROWS) and CONCLUDING.match(sentence) is not None


def _single_formula(sentence: str) -> str:
    parts = DOLLAR.split(sentence)
    if len(parts) == 3 and not any(map(str.isdigit, parts[0] + parts[2])):
        before, formula, after = parts
        changed = claims.ends_on(before[-40:], _CHANGED_BEFORE) or after.lstrip().startswith(_CHANGED_AFTER)
        return "" if changed or claims.holds(before + after, _TURNS) else formula
    return _right_side(sentence)


def _right_side(sentence: str) -> str:
    """What stands after the last equals sign of a plain equation."""
    head, equals, tail = sentence.rpartition("=")
    if not equals or "$" in sentence or re.search(r"[<>≤≥≠]|\\", head) or claims.holds(head, _TURNS):
        return ""
    return tail


def _program_output(body: str, last: str) -> str:
    """The printed value of the last program run, where the closing sentence repeats it."""
    at = body.rfind(OUTPUT)
    if at < 0:
        return ""
    value = body[at + len(OUTPUT) : at + len(OUTPUT) + 200].partition("```")[0].strip()
    read = numerals.read(value)
    told = {match.group().replace(",", "") for match in NUMBER.finditer(last)}
    told |= {read_words(word) for word in last.split()[:100]}
    return value if read is not None and str(read.value) in told else ""


def last_number(body: str) -> str:
    """The last number of the text: only under the convention `number_fallback`."""
    found = NUMBER.findall(body)
    return str(found[-1]).rstrip(",") if found else ""
