r"""Whether the text after an answer ends on another value: `\boxed{4} ... Then finally 5`.

Separate from later_answer.py, which knows the words of a correction, because here no words are needed: what a text says
last, and never comes back from, is what it answers. Reasons, checks, units and refuted values are no answers.
"""

from __future__ import annotations

from hybridverify.answers.conflict import conflict, says
from hybridverify.answers.frame import denied_before
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import LONG_WORD, OPTION_LETTER
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

_MAX_LINE = 240
_MAX_AFTER = 4_000
_FORMULA = r"\$[^$\n]{1,80}\$|\\\([^\n]{1,80}?\\\)|\\\[[^\n]{1,80}?\\\]"
_TOKEN = r"(?:[-+−]|\\?\$|\\)?[\w(\\{][^\s,;。，；]*"
_VALUE = re.compile(rf"(?<![^\s({{\[:：。，>*=])(?:{_FORMULA}|{_TOKEN})")
_CJK_VALUE = re.compile(r"(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af：])-?[\d\\][\w.,/^{}\\+-]*")
_SIGN = re.compile(r"[\d\\^_=+∅∞π√]")
_REASON = re.compile(
    r"[\s\W_]{0,12}(?:check|verif|explan|reason|justif|proof|because|since|where|using|which(?! i\b)|as\s"
    r"|note\b|nb\b|hint"
    r"|remark|units?\b|here\b|source|that is|i\.e|e\.g|equivalent|or (?:about|approx|roughly)|about"
    r"|approx|denn|weil|car\b"
    r"|porque|puesto|parce|perché|потому|так как|проверка|prüf|probe\b|vérif|comprob|因为|因為|检验|验证|理由|解释|解析"
    r"|confidence|difficult|rating|level|see\b"
    r"|time|score|page|exercise|problem|question|≈|~|=(?!>)|\\approx|\(\s?(?:≈|~|=|\\approx))",
    re.IGNORECASE,
)
_REFUTED = claims.DENIED | claims.kinds(
    "refuted dropped faulted conditional supposed passed_over compared beyond extreme shared part"
)
_AFFIRMED = re.compile(
    r"[\s*$)\\]{0,4}(?:(?:is|was|ist|est|es|è|é|it|that|this|the|my|our|das|die|la|le|lo|верно|правильно|才|对|對|是|正确|が正解|richtig|juste?"
    r"|juist|correct[oa]?|right|answer|one|true|final|then|instead|antwort|réponse|respuesta|ответ|so"
    r"|in the end|at the end|at last|in fact|in total|altogether|overall)[\s*$]{0,2}){1,4}[\s.!*$)\]。]*\Z",
    re.IGNORECASE,
)
_REPLACED = ("replace by", "replaced by")
_REASONED = claims.kinds("reasoned")
_OF_A_NAME = re.compile(
    r"(?<=\s)(?!(?:Answer|Final|Result|Total|Value|Now|Then|So|Thus|Finally|Hence|Therefore|It"
    r"|Endantwort)\b)[A-Z]\w+\s\Z"
    r"|\w.*\s[A-Za-z]\s?=\s?[$*]{0,2}\Z"
)
"""A number that belongs to a name ("Exercise 3") or to a variable that a sentence speaks of."""
_COMMENT = re.compile(r"(?<![^\s])%[^\n]*")
_OWN_CLAUSE = re.compile(
    r"(?:[\s$*)}\]]|\\(?![A-Za-z])){0,6}(?:(?!but |yet |then |finally )[\w'%&/-]{1,20} ){0,24}[\w'%&/-]{1,20}"
)
"""Plain words and numbers without any stop go on with the clause of the answer."""
_NAMED = phrases("phrases", "stating", after=r"[\s*$]{0,3}\Z")
_SILENT = " .$*)}\\]\n"
_ENDS = " \t\n.!*$)]}_~`。！"
_CLAUSE = re.compile(r"[,;:：，；.!—–\n(\[]|\s-\s|=>|->|→|\\to|\\rightarrow|\b(?:but|yet|then|finally)\b")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])|(?<=[。！？])|\n")
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
    kind, text = _kind(answer), _COMMENT.sub("", text[-_MAX_AFTER:])
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
    if not _SIGN.search(text.strip(_SILENT)) and (len(answer) > 3 or not OPTION_LETTER.fullmatch(answer)):
        return False
    return not _REASON.match(text) and not _is_own_clause(text)


def _is_own_clause(text: str) -> bool:
    """Whether the text only ends the answer's own clause: " dollars in 3 weeks."."""
    return (
        "\n" not in text[:2]
        and text.strip(_SILENT).isascii()
        and _OWN_CLAUSE.fullmatch(text.rstrip(_SILENT)) is not None
    )


def _is_told(sentence: str, before: str, rest: str) -> bool:
    """Whether the sentence gives its value as what it comes to, and neither denies it nor gives it as a reason."""
    if claims.holds(sentence, _REASONED):
        return False
    nearest = " ".join(before.split()[-2:])
    if nearest.lower() not in _REPLACED and claims.holds(nearest, _REFUTED):
        return False
    if _OF_A_NAME.search(before) or denied_before(sentence, len(before)):
        return False
    if _AFFIRMED.match(rest):
        return True
    if claims.holds(rest, _REFUTED):
        return False
    return not rest.strip(_ENDS) or (_NAMED.search(before) is not None and rest.lstrip()[:1] in ",;")


def _kind(answer: str) -> str:
    """What sort of value an answer is, "" for a text."""
    if not answer or len(answer) > _MAX_LINE:
        return ""
    if numerals.read(answer):
        return "percent" if "%" in answer else "number"
    if OPTION_LETTER.fullmatch(answer):
        return "letter"
    words = LONG_WORD.findall(re.sub(r"\\[A-Za-z]+", " ", answer))
    return "formula" if _SIGN.search(answer) and not words else ""


def _last_telling(text: str, kind: str) -> tuple[tuple[str, str, int] | None, str]:
    """The last sentence that holds a value of this kind: the sentence, the value and where it ends; and the rest."""
    after = ""
    for sentence in reversed(_SENTENCES.split(text)):
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
        return bool(_SIGN.search(bare)) and _kind(bare) in ("formula", "number")
    return _kind(bare) == kind


def _differs(answer: str, value: str, kind: str) -> bool:
    return (
        conflict(answer, unwrap(value))
        if kind != "letter"
        else answer.strip("()[].") != unwrap(value).strip("()[].")
    )
