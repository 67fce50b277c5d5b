"""Whether the sentence around an answer denies it, only supposes it, or calls it wrong, in any language we know.

Two places are read: what leads up to the answer and what is said of it after. A denial counts only where it
reaches the answer: "the share that is not red is 4" and "it is not 5 but 4" answer 4.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.denials import (
    BETWEEN,
    COPULAS_AFTER,
    DOUBTFUL,
    FIRST,
    IF,
    IF_JOINED,
    NOT,
    NOT_AFTER,
    NOT_JOINED,
    REPLACE,
    SIGNS,
    STATEMENT_DENIED,
    WRONG,
)
from hybridverify.language.languages import ANSWER_ROOTS
from hybridverify.language.patterns import IN_TEXT

_BEFORE = 200
"""How far back the sentence of an answer is read."""
_AFTER = 100
_WORDS_BETWEEN = 7
_NEAREST = 6
_OPENERS = "$*:(\\[{ \n\t`\"'~“„«"
_STOPS = "。！？；"
_LATE = frozenset(("pas", "jamais", "nicht", "niet", "inte", "ikke", "ikkje"))
"""These follow the verb that they deny: before a copula they belong to another clause ("qui ne jouent pas est 4")."""
_LATE_COPULAS = frozenset(("est", "sont", "ist", "sind", "is", "zijn", "är", "er"))
_NAME = re.compile(r"(?<![^\W_])[A-Za-z](?:_\{?\w{1,3}\}?|\([a-z\d]\))?\s?=$")


def _any(words: tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_SAY = (
    "think|believe|say|claim|accept|answer|write|choose|agree|suppose|mean|conclude|support|vouch|box|report|give|submit"
    "|pick|assert|state|trust|endorse|consider|call"
)
_FALSE_THAT = (
    r"\b(?:impossible|false|untrue|wrong|incorrect|mistaken|mistake|absurd|unlikely|nonsense|error|fallacy"
    r"|(?:not|n't) (?:true|the case|correct|right|possible|likely|so))[,:]? (?:that|to (?:\w+ )?(?:say"
    r"|claim|answer|write|think"
    r"|believe|conclude|suppose|assume|state|give|box|report|call))\b"
)
_DENYING = re.compile(
    rf"{_FALSE_THAT}|\bno way (?:that )?|\bcontrary to\b|\bdisagree (?:that|with)\b"
    r"|\bunder no circumstances\b|\bby no means\b|\bin no (?:way|case)\b"
    rf"|(?:\bnot|n't|\bnever|\brefuse to|\bnobody|\bno one|\bcannot|\bdecline to"
    rf"|\bavoid)(?: \w+)?? (?:{_SAY})(?:ing|ed)?\b"
    r"|\b(?:i|we|one|you|to|must|should|can|could|will|would|may|now|therefore|hereby)(?: \w+)? (?:reject"
    r"|doubt|deny|refute"
    r"|dispute|exclude|discard|rule out|disprove|avoid|dismiss)\b"
    rf"|\b(?:instead of|rather than|unlike)\b|{_any(STATEMENT_DENIED)}"
)
_REPLACED = re.compile(
    rf"(?:^|[,;:] |\b(?:to|please|must|should|i|we|and|then) )(?:{_any(REPLACE)})"
    r"(?: (?:the|my|our|this|value|number|answer)){0,3}$"
)
_BREAK = re.compile(
    r"[,;:.–—→，；：]|\b(?:so|hence|thus|therefore|but|then|giving|leaving|gives|yields|leaves|means|sondern"
    r"|mais|sino|ma|mas|но)\b"
    r"|\\implies|\\rightarrow|\\to(?![a-z])|=>"
)
_ROOTS = "answer|result|value|solution|total|sum|" + _any(tuple(root.strip(":：") for root in ANSWER_ROOTS))
_SUPPOSED = re.compile(
    rf"(?:^|[\s,(])(?:{_any(IF)}),?\s(?:(?!so\b|then\b|not\b)\S{{1,12}}\s){{0,3}}?(?:{_ROOTS})[^,;:]{{0,30}}$"
    r"|(?:^|[\s,(])(?:if|unless|were) (?:it|that|this)(?: (?:were|was|is|really|indeed|equal(?:s|led)?|to"
    r"|had|been)){0,3}$"
    rf"|^should (?:it|that|(?:the|my) (?:{_ROOTS})) be[^,;:]{{0,16}}$"
    rf"|(?:{_any(IF_JOINED)})[^，；,]{{0,4}}(?:{_ROOTS})[^，；,]{{0,4}}$"
    r"|(?:^|, )(?:had|were|if) (?:i|we) .{0,120}\b(?:would|i'd|we'd)\b[^,;:]{0,30}$"
    r"|\b(?:suppose|assume|assuming|supposing|imagine|pretend|what if|let us (?:test|try|check)"
    r"|let's (?:test|try|check)"
    r"|testing|trying)\b"
    rf"(?: that)?(?: (?:it|this|that|(?:the |an? )?(?:{_ROOTS})))?[^,;:=<>]{{0,16}}$"
)
_BAD = "wrong|incorrect|false|mistaken|erroneous|invalid|rejected|discarded|outdated|naive|tempting"
_SAYS = (
    "say|says|said|answer|answers|answered|claim|claims|think|thinks|thought|believe|believes|write"
    "|writes|guess|guesses"
)
_MISLABELLED = re.compile(
    rf"(?:^|[,;:(] ?)(?:(?:a|an|one|the|my|another|some) )?(?:common |typical |popular |frequent )?(?:{_BAD})"
    r"(?: (?:answer|result|value|guess|attempt|choice|solution|option|approach|candidate|root)s?)?"
    r"(?: (?:is|are|was|would be|gives|gave|yields|says|reads))?$"
    r"|\b(?:common|frequent|typical|usual|popular|tempting|classic) (?:mistake|error|misconception"
    r"|trap|pitfall|slip|wrong"
    r" answer)s?(?: here)?(?: is| would be| gives)?$|\bmisprints?(?: is| gives| says| reads)?$"
    rf"|\b(?:many|some|most|other|others|students|people|friend|classmate)(?: \w+)? (?:{_SAYS})(?: that)?"
    rf"(?: (?:it|the (?:{_ROOTS})) is)?$"
)
"""What leads up to somebody else's answer, or to one that is called wrong beforehand."""
_WRONG = _any(WRONG)
_COPULA = (
    rf"(?:(?:{_any(COPULAS_AFTER)})\s)(?:(?:be|been|clearly|simply|just|also|therefore|a|an|the|my|our"
    rf"|\w{{3,12}}ly)\s){{0,3}}"
)
_CLOSE = r"[\s$*)\]}\\`_~]{0,8}"
_OPEN = r"[(\[—–:;,<←=-]{1,3}\s?"
_ENDS = r"(?=\s{0,2}(?:[)\].,;!:。，]|\Z|\n|है|(?:by|after|because|since|as|if)\b))"
_BADE = re.compile(
    rf"{_CLOSE}(?:(?:{_OPEN})?(?!(?:this|that|it|here)\b)(?:{_COPULA}){{1,3}}?(?<!has )(?<!had )"
    rf"(?:not|nicht|niet|pas|no|non"
    rf"|inte|ikke|nie|не)(?![^\W_])"
    rf"|(?:{_OPEN})?(?:{_COPULA}){{1,3}}?(?:{_WRONG})(?![^\W_])"
    rf"|(?:{_OPEN})?(?:{_WRONG})(?![^\W_]){_ENDS}"
    rf"|(?:{_any(tuple(word for word in WRONG if not word.isascii()))})(?![^\W_])"
    rf"|(?:no|non|não|nie|nu|ne|не|δεν|ei|n['’])\s?(?:{_any(COPULAS_AFTER)}|является|ole|sont|sunt)(?![^\W_])"
    r"|(?:není|nije|ليس|ليست|לא|אינו|אינה)(?![^\W_])"
    r"|(?:stimmt|passt|gilt|klopt|vale|va|convient|подходит) (?:nicht|niet|pas)\b"
    r"|(?:could|might|may) (?:well |also )?(?:be|have been|seem|look|appear)\b"
    r"|(?:is|was|are|were)n['’]t\b|(?:does|do|did)(?: not|n['’]t) (?:work|fit|hold|satisfy|match|apply|count)\b"
    r"|(?:cannot|can't|can not|couldn't|could not) be\b|should (?:be|have been) [$*\\({]{0,4}[-\d]"
    r"|(?:would|will) (?:only )?(?:be|have been) [^.\n]{0,40}?\b(?:if|were|had|only when|unless|provided)\b"
    r"|(?:is|was|looks|seems) (?:merely |only |just )?(?:tempting|one (?:option|candidate|possibility"
    r"|guess)|a (?:candidate|guess|trap|decoy)"
    r"|an? (?:old|earlier|previous)|the (?:old|earlier|previous|first)|what (?:many|most|some|others"
    r"|people))\b)",
)
_NOT_AFTER = re.compile(
    rf"{_CLOSE}[^\s.,;。，\\$]{{0,3}}\s?(?:[^.,;。，\\$\d]{{1,24}}\s)?(?:{_any(NOT_AFTER)})"
)
_DOUBTFUL = frozenset(DOUBTFUL) | {
    word for entry in STATEMENT_DENIED for word in entry.replace(",", "").split()
}
_CUE_WORDS = frozenset(
    word for entry in (*NOT, *IF, *REPLACE, *_DOUBTFUL) for word in entry.split() if word.isascii()
)
_CUES = frozenset(
    form for word in _CUE_WORDS for form in (word, word + ",", word + ":", "(" + word, '"' + word)
)
"""A plain text without one of these words denies and supposes nothing before an answer."""
_FIRST_WORD = re.compile(r"[\W_]*([a-z]*)")
_FIRST_WORDS = frozenset(entry.split()[0] for entry in (*WRONG, *COPULAS_AFTER)) | frozenset(FIRST)
"""On what the pattern above, and those of box_context.py and retraction.py, begin."""
_BLANKS = str.maketrans(dict.fromkeys(",;:()[]*_-!", " "))


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a value denies it."""
    return denied_before(text, start) or denied_after(text, end)


def denied_before(text: str, start: int) -> bool:
    """Whether what leads up to `start` denies or supposes what follows.

    >>> denied_before("It is false that it is 4.", 22), denied_before("It is false that a = 0, so it is 4.", 32)
    (True, False)
    """
    low = _led_up(text, start)
    if not low or (low.isascii() and _is_plain(low)):
        return False
    interjected = low in NOT and text[:start].rstrip("$\\([* ")[-1:] in (":", ",")
    return not interjected and _denies(low)  # "No: 4"


def _led_up(text: str, start: int) -> str:
    """The sentence up to `start` in small letters, without the signs that open a formula or a quotation."""
    before = text[max(0, start - _BEFORE) : start].rstrip(_OPENERS)
    for stop in (". ", "? ", "! ") if "\n" not in before else ("\n", ". ", "? ", "! "):
        if stop in before:
            before = before[before.rindex(stop) + 1 :]
    if "}" in before and "\\" in before:
        before = IN_TEXT.sub(r" \1 ", before)
    if not before.isascii():
        for stop in _STOPS:
            before = before.rpartition(stop)[2]
    return before.strip(_OPENERS).lower()


def _is_plain(low: str) -> bool:
    """A quick look: an ASCII sentence without any word that denies or supposes."""
    if "n't" in low:
        return False
    return _CUES.isdisjoint((low.translate(_BLANKS) if "*" in low else low).split())


def _denies(low: str) -> bool:
    if low[-1] in SIGNS or low.endswith(NOT_JOINED):
        return True
    low = _NAME.sub("", low).rstrip(_OPENERS)
    if _ends_on_not(low) or _denies_statement(low) or _REPLACED.search(low):
        return True
    return _SUPPOSED.search(low) is not None or _MISLABELLED.search(low) is not None


def _ends_on_not(low: str) -> bool:
    """Whether a "not" comes last, copulas and the like aside."""
    after, copula = "", False
    for told in reversed(low.split()[-_WORDS_BETWEEN:]):
        word = told.lstrip("([\"'“„«*_").rstrip("*_")
        if word.endswith(("n't", "n’t")):
            return True
        if word in NOT or f"{word} {after}" in NOT:
            return not (copula and word in _LATE)
        if not _may_stand_between(word):
            return False
        after, copula = word, copula or word in _LATE_COPULAS
    return False


def _may_stand_between(word: str) -> bool:
    return word in BETWEEN or word == "nu" or word.endswith("ly") or word.startswith(("n'", "n’"))


def _denies_statement(low: str) -> bool:
    denials = list(_DENYING.finditer(low))
    return bool(denials) and not _BREAK.search(low, denials[-1].end())


def denied_after(text: str, end: int) -> bool:
    """Whether what follows `end` calls what stands before it wrong, or no more than possible.

    >>> denied_after("4 (rejected)", 1), denied_after("4 (not 5)", 1), denied_after("Cevap 4 değil", 7)
    (True, False, True)
    """
    low = text[end : end + _AFTER].lower()
    if not may_deny(low):
        return False
    if any(sign in low[:_NEAREST] for sign in SIGNS) or _NOT_AFTER.match(low):
        return True
    return _BADE.match(low) is not None


def may_deny(low: str) -> bool:
    """A quick look at the first word after an answer, in small letters: no other begins what denies or takes it back.

    >>> may_deny(" dollars."), may_deny("$ is wrong"), may_deny("?")
    (False, True, True)
    """
    if not low.isascii() or "?" in low[:_NEAREST]:
        return True
    first = _FIRST_WORD.match(low)
    return first is not None and first.group(1) in _FIRST_WORDS
