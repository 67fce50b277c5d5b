"""Read what a response states in words: "the answer is ..", "Answer: ..", 答案是.., or a closing sentence.

Apart from marks.py because words are weaker than marks: a label may be denied, asked about or left open, and
each of these must yield nothing rather than a number that happened to stand near.
"""

from __future__ import annotations

import re

from hybridverify.checkers import numerals
from hybridverify.checkers.languages import ANSWER_ROOTS, CONCLUSIONS, COPULAS
from hybridverify.checkers.marks import MAX_ANSWER
from hybridverify.checkers.number_words import read_words
from hybridverify.checkers.text import flat_words
from hybridverify.checkers.wrapping import unwrap

MAX_LABELS = 200
"""How many labels are tried from the end; a text of thousands of empty labels states nothing."""
_MAX_SENTENCE = MAX_ANSWER + 100
_MAX_CLOSING = 400
"""A closing sentence is short; a longer line is a derivation."""

_SIGN = r"[:：=]|=>|→|⇒"
_ENGLISH_COPULA = (
    r"(?:(?:(?:should|would|must|will|can only|has to|turns out to) be|comes? out (?:to be|as|to)"
    rf"|is|are|was|were|equals|becomes)(?![^\W_])(?!\s+n[o']t\b)|{_SIGN})"
)
_ENGLISH_ASIDE = (
    r"(?:[ \t]*\([^()\n]{0,40}\))?"
    r"(?:,?[ ](?:to|for|of|in|here|then|therefore|thus|hence|below|option|choice|we)\b[^.:：=\n]{0,60}?)?"
)
_FOREIGN_COPULA = rf"(?:(?:{'|'.join(COPULAS)})(?![^\W_])|{_SIGN}|等于|是|为|為|は|는|은|가)"
_FOREIGN_ASIDE = (  # an ending, and "final" or "correct" behind the noun
    r"[^\s\d:：=.,;!?*_()\[\]{}$\\]{0,8}?"
    r"(?:[ ](?:final\w?|correct\w?|corretta|définitive|[^\W\d_a-z]{2,12})){0,2}"
)
_GAP = r"[\s*_\")\]】」~]{0,6}"
_BEHIND = r"[\s:：*_]{0,8}(?:(?:therefore|thus|then|hence|simply|just|indeed)\s)?"
_AFTER_ENGLISH = re.compile(rf"s?(?![^\W_]){_ENGLISH_ASIDE}{_GAP}{_ENGLISH_COPULA}{_BEHIND}", re.IGNORECASE)
_AFTER_FOREIGN = re.compile(rf"{_FOREIGN_ASIDE}{_GAP}{_FOREIGN_COPULA}{_BEHIND}", re.IGNORECASE)
_ENGLISH_ROOTS = ("answer", "ans.", "ans:")
_ROOTS = (*_ENGLISH_ROOTS, *ANSWER_ROOTS)
_HEADING_END = re.compile(r"s?[ \t]*[*_#:：]*[ \t]*\r?\n")
_LINE_VALUE = re.compile(r"s?[\s*_]{0,4}[-–—]?[\s*_]{0,4}(?=[\d$(\\\[+-]|[A-J](?![A-Za-z]))")
_LINE_START = re.compile(
    r"[\s#>*_.\-\d]*(?:step \d+:?\s*)?(?:(?:the|my|final|correct)[\s*_]+){0,3}$", re.IGNORECASE
)
_DOUBT = re.compile(
    r"(?:\b(?:if|whether|suppose|assume|unless|why|how|verify|check)\b[^.!?\n]{0,25}"
    r"|\b(?:wrong|incorrect|previous|initial|first|earlier|old|other|alternative|tempting|possible|no)\s"
    r"|\b(?:not|n't)\s(?:the|an|my|our)\s)$",
    re.IGNORECASE,
)
_BEFORE_LABEL = re.compile(
    r"\s(?:is|are)\s(?:the|our|my)\s(?:(?:final|correct|right|best|required)\s){0,2}$", re.IGNORECASE
)
_DENIED = re.compile(r"[\s*_]*(?:not|n't|never|unclear|不是|并非|pas|nicht|не)(?![^\W_])", re.IGNORECASE)
_CLOSING = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_STOP = re.compile(r"\$\$?|\\[()\[\]]|\\.|\n|[.。?？](?=[\s*_\"')\]]|$)|[。？]", re.DOTALL)
_ENUMERATION = re.compile(r"\s*\d{1,2}[.)]\s+\S")
_TITLE = re.compile(r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs|No|approx|ca|Mt|Ft|Lt|Gen|Gov|Sen)$")
_INITIAL = re.compile(r"(?:^|[\s(.])[A-Z]$")
_CHATTER = re.compile(
    r"(?:[,，]\s?|\s)(?:because|since|which (?:is|means|was))\b.*|[,，](?:因|所以|即|也就|而|故).*", re.DOTALL
)
_NEGATION = re.compile(
    r"\bnot\b|n't\b|\bcannot\b|\bno\b|不是|并非|没有|\bnicht\b|\bpas\b|\bне\b", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])")
_CONCLUDING = re.compile(
    r"[\s*_>#-]*(?:step \d+:?\s*)?(?:and\s|但)?(?:"
    + "|".join(sorted(map(re.escape, CONCLUSIONS), key=len, reverse=True))
    + r")",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*")
_SUBJECT = re.compile(
    r"(?:(?:so|thus|therefore|hence),?\s+)?(?:the|there|our|his|her|its|their)\s", re.IGNORECASE
)
_NAMED = re.compile(r"(?:the|our|my|a)\s+(?:\w+\s+){0,2}(?:solution|answer|result|value)s?\b", re.IGNORECASE)
_ADVERB = re.compile(r",?\s(?:altogether|in total|in all|overall|respectively)$", re.IGNORECASE)
_WORD_COPULA = re.compile(
    r"(?:(?<![^\W_])(?:is|are|equals?|was|were|es|est|ist|è|é|jest|равно?|равна)(?![^\W_])|是|为|為|等于|等於)"
)
_OUTPUT = "```output"
_LONG_WORD = re.compile(r"(?<!\\)(?<![^\W\d_])[^\W\d_]{2,}")
_OTHER_MARK = re.compile(r"\\fbox|\\boxed|####|</?answer>", re.IGNORECASE)
_EITHER = re.compile(r"(?<![^\W_])either(?![^\W_])", re.IGNORECASE)
_OR = re.compile(r"(?:\\text\s*\{\s*or\s*\}|(?<![^\W_])(?:or|oder|ou|или)(?![^\W_])|或者?)", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:/\d+)?")


def last_stated(body: str) -> str:
    """What the last label with something behind it announces, "" where there is none.

    >>> last_stated("Let me know if the answer is 6 for you. **Answer:** 5 apples. I hope it helps.")
    '5 apples'
    >>> last_stated("故答案为：12。"), last_stated("The answer is not 7.")
    ('12', '')
    """
    low = _lower(body)
    places = {root: at for root in _ROOTS if (at := low.rfind(root)) >= 0}
    for _ in range(MAX_LABELS):
        if not places:
            return ""
        root, at = max(places.items(), key=lambda item: (item[1] + len(item[0]), len(item[0])))
        content = _announced(body, root, at) if _is_word_start(low, at) else ""
        if content:
            return content
        places[root] = low.rfind(root, 0, at + len(root) - 1)
        if places[root] < 0:
            del places[root]
    return ""


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def _is_word_start(low: str, at: int) -> bool:
    return at == 0 or not (low[at].isascii() and low[at - 1].isalpha())


def _announced(body: str, root: str, start: int) -> str:
    """What the label `root` at `start` announces."""
    line = max(body.rfind("\n", 0, start) + 1, start - 200)
    before = body[line:start]
    if _DOUBT.search(before):
        return ""
    end = start + len(root)
    if root[-1] in ".:：":
        return _sentence(body, end)
    after = (_AFTER_ENGLISH if root in _ENGLISH_ROOTS else _AFTER_FOREIGN).match(body, end)
    if after:
        listed = "\n" in after.group() and _ENUMERATION.match(body, after.end())
        return "" if listed else _sentence(body, after.end())
    if _LINE_START.match(before):
        heading = _HEADING_END.match(body, end) or _LINE_VALUE.match(body, end)
        if heading and not _ENUMERATION.match(body, heading.end()):
            return _sentence(body, heading.end())
    left = _BEFORE_LABEL.search(before)
    return _subject(before[: left.start()]) if left else ""


def _subject(text: str) -> str:
    """The subject of "X is the answer": the last sentence, without its "therefore"."""
    last = _SENTENCES.split(text)[-1]
    opening = _CONCLUDING.match(last)
    return last[opening.end() if opening else 0 :].strip(" ,*_")


def _sentence(body: str, start: int) -> str:
    """From `start` to the end of the sentence or line."""
    while start < len(body) and body[start].isspace():
        start += 1
    content = body[start : _sentence_end(body, start)]
    if _DENIED.match(content) or not any(char.isalnum() or char in "∅∞" for char in content):
        return ""
    return (_CHATTER.sub("", content, count=1) or content).strip()


def _sentence_end(body: str, start: int) -> int:
    """A full stop inside a formula ends nothing, nor does a line end inside a displayed one."""
    end, inside = min(len(body), start + _MAX_SENTENCE), ""
    for match in _STOP.finditer(body, start, end):
        token = match.group()
        if token == inside or (token == "\n" and inside in ("$", "\\)")):
            inside = ""
            if token != "\n":
                continue
        if inside:
            continue
        inside = _CLOSING.get(token, "")
        if token == "\n" or (token in ".。?？" and not _is_abbreviated(body, start, match.start())):
            return match.start()
    return end


def _is_abbreviated(body: str, start: int, stop: int) -> bool:
    before = body[max(start, stop - 8) : stop]
    if _INITIAL.search(before):  # "J. K. Rowling" goes on, the letter of an option ends the sentence
        return stop - start > 1 or bool(re.match(r"\.\s?[A-Z]\.", body[stop : stop + 4]))
    return bool(_TITLE.search(before))


def strip_label(answer: str) -> str:
    r"""An answer that is a sentence ("the answer is 8", "The area is 5") without its beginning.

    >>> strip_label("The answer is 8"), strip_label(r"\text{The area is }5"), strip_label("The answer is not 8")
    ('8', '5', 'The answer is not 8')
    """
    if len(answer) > 300 or "\n" in answer or not any(map(str.isspace, answer)):
        return answer
    plain = flat_words(answer)
    content = last_stated(plain)
    if not content and _SUBJECT.match(plain) and not _negated(plain):
        copula = _WORD_COPULA.search(plain)
        alone = copula and _sentence_end(plain, copula.end()) >= len(plain.rstrip(". "))
        content = _sentence(plain, copula.end()) if copula and alone else ""
    return unwrap(content) or answer


def conclusion(body: str) -> str:
    """The value on which the last sentence ends, if it is a closing sentence or the only one.

    >>> conclusion("She has 3 and buys 4. So the total is **7**."), conclusion("It could be 3 or 4.")
    ('7', '')
    """
    line = next(
        (line for line in reversed(body[-3 * MAX_ANSWER :].splitlines()) if any(map(str.isalnum, line))), ""
    )
    sentences = [part for part in _SENTENCES.split(line) if any(map(str.isalnum, part))]
    if not sentences or len(sentences[-1]) > _MAX_CLOSING:
        return ""
    last = sentences[-1].strip()
    output = _program_output(body, last)
    if output:
        return output
    bold = _BOLD.findall(last)
    only = len(sentences) == 1 and body.strip() == line.strip()
    if len(bold) == 1 and not bold[0].rstrip().endswith((":", "：")):
        return "" if _negated(last) else str(bold[0])
    if not (only or _CONCLUDING.match(last)) or _negated(last):
        return ""
    copulas = list(_WORD_COPULA.finditer(last))
    if not copulas:
        return _single_formula(last)
    content = _sentence(last, copulas[-1].end())
    if _NAMED.match(content):  # "Therefore x > 5 is the solution."
        content = _subject(last[: copulas[-1].start()])
    return _ADVERB.sub("", content)


def _negated(sentence: str) -> bool:
    return bool(
        re.search(
            r"\bnot\b|n't\b|\bcannot\b|\bno\b|不是|并非|没有|\bnicht\b|\bpas\b|\bне\b",
            sentence,
            re.IGNORECASE,
        )
    )


def _single_formula(sentence: str) -> str:
    parts = re.split(r"(?<!\\)\$", sentence)
    if len(parts) == 3 and not any(char.isdigit() for char in parts[0] + parts[2]):
        return parts[1]
    head, equals, tail = sentence.rpartition("=")
    return tail if equals and "$" not in sentence and not re.search(r"[<>≤≥≠]|\\", head) else ""


def _program_output(body: str, last: str) -> str:
    """The printed value of the last program run, where the closing sentence repeats it."""
    at = body.rfind(_OUTPUT)
    if at < 0:
        return ""
    value = body[at + len(_OUTPUT) : at + len(_OUTPUT) + 200].partition("```")[0].strip()
    read = numerals.read(value)
    told = {match.group().replace(",", "") for match in _NUMBER.finditer(last)}
    told |= {read_words(word) for word in last.split()[:100]}
    return value if read is not None and str(read.value) in told else ""


def is_bare(line: str) -> bool:
    """True for a line that is an answer and no prose: what a task with a fixed form lets pass unmarked.

    >>> is_bare("7"), is_bare("x = 5 cm"), is_bare("The total is 7"), is_bare("I think that it must be 7")
    (True, True, False, False)
    """
    if len(line) > 200 or _OTHER_MARK.search(line) or _WORD_COPULA.search(line) or last_stated(line):
        return False
    return len(_LONG_WORD.findall(line)) <= 4


def is_hedge(answer: str) -> bool:
    """True for an answer that offers alternatives: "7 or 8", "either x or y", "A or B".

    Words on both sides ("New York City or NYC") may be two names of one thing: no hedge. Nor are two
    spellings of one number.
    """
    if len(answer) > 300:
        return False
    either = bool(_EITHER.search(answer))
    parts = [part.strip(" ,;$") for part in _OR.split(answer)]
    if len(parts) < 2:
        return False
    values = {read.value for part in parts if (read := numerals.read(part)) is not None}
    if len(values) == 1 and all(numerals.read(part) for part in parts):
        return False
    return either or all(_is_value(part) for part in parts)


def _is_value(text: str) -> bool:
    return any(char.isdigit() for char in text) or "\\" in text or bool(re.fullmatch(r"\(?[A-Za-z]\)?", text))


def last_number(body: str) -> str:
    """The last number of the text: only under the convention `number_fallback`."""
    found = _NUMBER.findall(body)
    return str(found[-1]).rstrip(",") if found else ""
