r"""The one value of a sentence: "It costs $12.50.", "He earns 57,500 dollars in total.", "Twenty-three miners died".

Separate from conclusion.py, which knows the words of closing sentences, because here the words do not matter: a
sentence that gives one value, of whatever kind, and denies, doubts, compares or changes nothing, answers with it. Such
a value is good enough to accept an answer, not to reject one.
"""

from __future__ import annotations

from hybridverify.answers.frame import is_denied
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.languages import COPULAS, FUNCTION_WORDS, MEASURED, SAYING_LITTLE, SUMMING
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.number_words import NUMBER_WORDS, read_words
from hybridverify.language.patterns import DIGIT, WORD
from hybridverify.language.word_forms import MONTH, singular

MAX_TEXT = 220
"""A longer text is no short sentence."""
_MAX_SENTENCE = 200
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = rf"(?:{_DAY}\s(?:of\s)?(?:{MONTH})|(?:{MONTH})\.?\s{_DAY})(?:,?\s\d{{4}})?"
SPOKEN_WORDS = NUMBER_WORDS - {"a", "and", "point"}
_SPOKEN = "|".join(sorted(SPOKEN_WORDS, key=len, reverse=True))
_NUMBER = (
    r"(?:\\?[$€£¥₹]\s?)?[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:/\d+)?(?:\s?\\?%|\s?[€£¥₹]|\s?°[CF]?)?"
)
_WORDS = rf"(?:{_SPOKEN})(?:[\s-](?:and\s)?(?:{_SPOKEN}))*"
_VALUE = re.compile(
    rf"(?<![\w.^_/-])(?:(?P<date>{_DATE})|(?P<number>{_NUMBER})|(?P<words>{_WORDS}))(?![\w^_=+*<>]|[.,/:]\d|-\d)",
    re.IGNORECASE,
)
_CHANGING = frozenset("=<>≤≥≠≈±√^_{}|~?？;:…")
"""Signs of which none stands in a sentence with one value."""
_OTHER, _OTHER_WORDS = _CHANGING | frozenset("\\$"), frozenset(("dozen", "both"))
"""What else may be a value in a sentence, or change its one."""
_SHARED = claims.kinds("shared")
_ORDINAL = phrases("phrases", "ordinal")
_STOPS = claims.DENIED | claims.kinds(
    "refuted opposite dropped unsure believed modal conditional obliged supposed contrast apart or several compared "
    "near beyond level more extreme changed claimed timed first numbered asked"
)
_SUBJECTS = frozenset(entries("english", "subject"))
_VERBS = frozenset(entries("english", "verb"))
_SCALES = frozenset(("celsius", "fahrenheit", "centigrade"))
_ENDS = FUNCTION_WORDS.union(entries("english", "unit_end"))
_MAX_UNIT = 3
_NO_NOUN = FUNCTION_WORDS | frozenset(COPULAS)
_STEM = 4
_IDLE = FUNCTION_WORDS | SUMMING | SAYING_LITTLE
"""Words of a sentence that add nothing to what was asked."""


def value_of(sentence: str, question: str = "") -> str:
    """The value with the words that it counts, "" for a sentence with none or several, or with any doubt.

    With a question the sentence may say nothing that the question does not: "She died in 1951" is no year of birth.

    >>> value_of("It costs $12.50."), value_of("He earns a total of 57,500 dollars."), value_of("Two miners died")
    ('$12.50', '57,500 dollars', '2 miners')
    >>> value_of("He died in 1951.", "When was he born?"), value_of("He was born in 1951.", "When was he born?")
    ('', '1951')
    >>> value_of("It is not 5."), value_of("She has 5 or 6."), value_of("He has 5 more than Bo."), value_of("5 apples")
    ('', '', '', '')
    """
    text = _short_sentence(sentence)
    if not _may_hold_one(text):
        return ""
    found = list(_VALUE.finditer(text))
    if len(found) != 1:
        return ""
    value = found[0]
    before, after = text[: value.start()], text[value.end() :]
    if not _is_sentence(before, after, question) or _is_share(before, after) or _belongs_to_another(before):
        return ""
    told = _with_unit(value, after)
    if not _says_what_is_asked(before + " " + after, told, question):
        return ""
    changed = _is_changed(f"{before} {after}") or is_denied(text, *value.span())
    return "" if changed else told


def _short_sentence(text: str) -> str:
    """The text without its end sign where it is one short sentence, else ""."""
    if len(text) > MAX_TEXT:
        return ""
    sentence = text.strip().rstrip(".!。").replace("*", "")
    single = "\n" not in sentence and ". " not in sentence
    return sentence if single and len(sentence) <= _MAX_SENTENCE else ""


def _is_changed(around: str) -> bool:
    """Do the words around a value hold another one, or deny, doubt or change it?"""
    if not _OTHER.isdisjoint(around) or DIGIT.search(around) or "..." in around or _ORDINAL.search(around):
        return True
    return not _OTHER_WORDS.isdisjoint(WORD.findall(around.lower())) or claims.holds(around, _STOPS)


def _is_share(before: str, after: str) -> bool:
    """`5 each`, `per 5`."""
    nearest = before.split()[-1:] if before[-1:].isspace() else []
    return claims.holds(after, _SHARED) or claims.holds(" ".join(nearest), _SHARED)


def _belongs_to_another(before: str) -> bool:
    """A 5 that is a total of 5 is one; half of 5, and the opposite of 5, are others."""
    words = WORD.findall(before.removesuffix("the ")) if before[-1:].isspace() else []
    return len(words) > 1 and words[-1] == "of" and singular(words[-2]) not in MEASURED


def _says_what_is_asked(words: str, told: str, question: str) -> bool:
    if not question:
        return True
    known = {word[:_STEM] for word in WORD.findall((question + " " + told).lower())}
    said = {word for word in WORD.findall(words.lower()) if word not in _IDLE}
    return all(word[:_STEM] in known for word in said)


def _may_hold_one(text: str) -> bool:
    """A quick look: a digit or a number in words, and no sign that stands in no value and changes it."""
    if not _CHANGING.isdisjoint(text):
        return False
    return DIGIT.search(text) is not None or not SPOKEN_WORDS.isdisjoint(WORD.findall(text.lower()))


def _is_sentence(before: str, after: str, question: str) -> bool:
    """English words that lead up to the value as in a sentence, or enough of them after it."""
    leading, following = WORD.findall(before), WORD.findall(after)
    if leading:
        opening = before.strip()
        first = leading[0]
        is_name = opening.startswith(first) and first.istitle() and len(first) > 1
        named = is_name and (question or not _VERBS.isdisjoint(leading))
        speaks = opening[0].isalpha() and leading[0].lower() in _SUBJECTS
        return len(leading) > 1 and (speaks or bool(named))
    return len(following) > 1 and following[0].lower() not in _NO_NOUN


def _with_unit(value: re.Match[str], after: str) -> str:
    if value["date"]:
        return value["date"]
    number = read_words(value["words"]) if value["words"] else value["number"]
    words = _counted(after)
    if after.split()[len(words) :][:1] and after.split()[len(words)].startswith("/"):
        return ""  # `25 m/s /s` is no speed
    plural = any(word.endswith("s") for word in words)
    unit = " ".join(words if plural else words[:1])
    return f"{number} {unit}".strip() if number else ""


def _counted(after: str) -> list[str]:
    """The words after a number up to the first plural, or as many as a unit may have."""
    words: list[str] = []
    told = after.split()
    for word, following in zip(told, [*told[1:], ""], strict=False):
        bare = word.strip(".,;!")
        if not _may_be_unit(bare):
            break
        words.append(bare)
        if following.strip(".,;!").lower() in _SCALES and bare == "degrees":
            continue
        if bare.endswith("s") or len(words) == _MAX_UNIT or bare != word:
            break
    return words


def _may_be_unit(word: str) -> bool:
    return word.replace("/", "").replace("-", "").isalpha() and word.lower() not in _ENDS
