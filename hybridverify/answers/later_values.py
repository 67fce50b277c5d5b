r"""Whether the text after an answer ends on another value: `\boxed{4} ... Then finally 5`.

Separate from later_answer.py, which knows the words of a correction, because here no words are needed: what a text says
last, and never comes back from, is what it answers. Reasons, checks, units and refuted values are no answers.
"""

from __future__ import annotations

from hybridverify.answers.comments import without_tex_comments
from hybridverify.answers.conflict import conflict, says
from hybridverify.answers.frame import denied_before
from hybridverify.answers.sentences import sentences_of
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.languages import ANSWER_ROOTS, CONCLUSIONS, COPULAS, RESULTS, RIGHT_ANSWER, SUMMING
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.names import before_name
from hybridverify.language.patterns import COMMAND, LONG_WORD, OPTION_LETTER
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

_MAX_LINE = 240
_MAX_AFTER = 4_000
_FORMULA = r"\$[^$\n]{1,80}\$|\\\([^\n]{1,80}?\\\)|\\\[[^\n]{1,80}?\\\]"
_TOKEN = r"(?:[-+−]|\\?\$|\\)?[\w(\\{][^\s,;。，；]*"
_VALUE = re.compile(rf"(?<![^\s({{\[:：。，>*=])(?:{_FORMULA}|{_TOKEN})")
_CJK_VALUE = re.compile(r"(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af：])-?[\d\\][\w.,/^{}\\+-]*")
_SIGNS = frozenset("0123456789\\^_=+∅∞π√")
"""Of these a value has one."""
_REASON = phrases("phrases", "remark", before=r"[\s\W_]{0,12}", after="(?!>)")
_REFUTED = claims.DENIED | claims.kinds(
    "refuted dropped faulted conditional supposed passed_over compared beyond extreme shared part"
)
_AFFIRMING = frozenset((*entries("phrases", "affirming"), *entries("english", "leading"), *COPULAS)) | SUMMING
"""Words that a sentence may have after its value and affirm it."""
_AFFIRMING_JOINED = entries("phrases", "affirming_joined")
_MAX_AFFIRMING = 8
_REPLACED = ("replace by", "replaced by")
_REASONED = claims.kinds("reasoned")
_LABELS = frozenset((*RESULTS, *CONCLUSIONS, "answer", "final", "it", "endantwort")) | SUMMING
"""Words with a capital that are no name of what a number belongs to, as in "Exercise 3"."""
_NAMED = phrases("phrases", "stating", after=r"[\s*$]{0,3}\Z")
_SILENT = " .$*)}\\]\n"
_OPENED = " \t\n$*)}]"
_ENDS = " \t\n.!*$)]}_~`。！"
_CLAUSE = phrases("phrases", "clause")
_TURNING = ("but", "yet", "then", "finally")
_MAX_WORDS, _MAX_WORD = 25, 20
_WORD_SIGNS = str.maketrans(dict.fromkeys("'%&/-", "_"))
_AFTER = 8
"""So many words may follow the sentence of the value: "But it is not.", "I choose the other."."""


def ends_on_another(answer: str, text: str) -> bool:
    r"""Whether `text`, which follows an answer, leads to another value of its kind and never comes back to it.

    >>> ends_on_another("4", "Add the rest: 5."), ends_on_another("4", "since 2 + 3 is 5.")
    (True, False)
    >>> ends_on_another("4", " m in 5 s")
    False
    """
    if not _may_give_another(answer, text):
        return False
    kind, text = _kind(answer), without_tex_comments(text[-_MAX_AFTER:])
    if not kind or says(answer, text):
        return False
    found, after = _last_telling(text, kind)
    if found is None or len(LONG_WORD.findall(after)) > _AFTER:
        return False
    sentence, value, end = found
    before, rest = sentence[: end - len(value)], sentence[end:]
    own = text.lstrip().startswith(sentence.strip()) and text[:1] != "\n"
    if (own and not _CLAUSE.search(before)) or not _is_told(sentence, before, rest):
        return False
    return _differs(answer, value, kind)


def _may_give_another(answer: str, text: str) -> bool:
    """Whether the text holds a sign of a value, or may choose another letter, and is no reason or unit."""
    if _SIGNS.isdisjoint(text.strip(_SILENT)) and (len(answer) > 3 or not OPTION_LETTER.fullmatch(answer)):
        return False
    return not _REASON.match(text) and not _is_own_clause(text)


def _is_own_clause(text: str) -> bool:
    """Whether the text only ends the answer's own clause: " dollars in 3 weeks."."""
    told = text.lstrip(_OPENED + "\\").rstrip(_SILENT)
    if "\n" in text[:2] or not told.isascii() or COMMAND.match(text.lstrip(_OPENED)):
        return False
    words = told.translate(_WORD_SIGNS).split(" ")
    plain = all(word.replace("_", "a").isalnum() and len(word) <= _MAX_WORD for word in words)
    return plain and len(words) <= _MAX_WORDS and not any(word in _TURNING for word in words[:-1])


def _is_told(sentence: str, before: str, rest: str) -> bool:
    """Whether the sentence gives its value as what it comes to, and neither denies it nor gives it as a reason."""
    if claims.holds(sentence, _REASONED):
        return False
    nearest = " ".join(before.split()[-2:])
    if nearest.lower() not in _REPLACED and claims.holds(nearest, _REFUTED):
        return False
    if _belongs_to_name(before) or denied_before(sentence, len(before)):
        return False
    if _is_affirmed(rest):
        return True
    if claims.holds(rest, _REFUTED):
        return False
    return not rest.strip(_ENDS) or (_NAMED.search(before) is not None and rest.lstrip()[:1] in ",;")


def _belongs_to_name(before: str) -> bool:
    """Whether a number belongs to a name ("Exercise 3") or to a variable that a sentence speaks of."""
    words = before.split()
    if before[-1:].isspace() and len(words) > 1 and words[-1][0].isupper() and words[-1].isalnum():
        return len(words[-1]) > 1 and words[-1].lower() not in _LABELS
    named = before_name(before)
    return named != before and any(map(str.isalnum, named))


def _is_affirmed(rest: str) -> bool:
    """Whether nothing follows the value but words that affirm it: "5 is the right answer"."""
    told = rest.strip(_ENDS + "\\")
    if told in _AFFIRMING_JOINED:
        return True
    words = told.replace("*", " ").replace("$", " ").lower().split()
    return 0 < len(words) <= _MAX_AFFIRMING and all(map(_affirms, words))


def _affirms(word: str) -> bool:
    return word in _AFFIRMING or word.startswith((*RIGHT_ANSWER, *ANSWER_ROOTS))


def _kind(answer: str) -> str:
    """What sort of value an answer is, "" for a text."""
    if not answer or len(answer) > _MAX_LINE:
        return ""
    if numerals.read(answer):
        return "percent" if "%" in answer else "number"
    if OPTION_LETTER.fullmatch(answer):
        return "letter"
    words = LONG_WORD.findall(COMMAND.sub(" ", answer))
    return "formula" if not (words or _SIGNS.isdisjoint(answer)) else ""


def _last_telling(text: str, kind: str) -> tuple[tuple[str, str, int] | None, str]:
    """The last sentence that holds a value of this kind: the sentence, the value and where it ends; and the rest."""
    after = ""
    for sentence in reversed(sentences_of(text)):
        if len(sentence) > _MAX_LINE:
            return None, after
        found = None
        for match in (*_VALUE.finditer(sentence), *_CJK_VALUE.finditer(sentence)):
            value = match.group().rstrip(".!?*`)~。" if "(" not in match.group() else ".!?*`~。")
            value = value if value[:1] == "$" else value.rstrip("$")
            if _is_of(value, kind):
                found = (sentence, value, match.start() + len(value))
        if found:
            return found, after
        after = sentence + " " + after
        if len(after) > _MAX_LINE:
            return None, after
    return None, after


def _is_of(value: str, kind: str) -> bool:
    bare = unwrap(value)
    if kind == "letter":
        return OPTION_LETTER.fullmatch(bare) is not None
    if kind == "formula":
        return not _SIGNS.isdisjoint(bare) and _kind(bare) in ("formula", "number")
    return _kind(bare) == kind


def _differs(answer: str, value: str, kind: str) -> bool:
    return (
        conflict(answer, unwrap(value))
        if kind != "letter"
        else answer.strip("()[].") != unwrap(value).strip("()[].")
    )
