r"""Whether another answer is joined to a marked one: `\boxed{12} or 13`, `Oslo or \boxed{Lima}`, `\boxed{yes}/no`.

Separate from later_values.py, which reads sentences, because here the joint says that both are answers. The same value
in another form (`\boxed{1/2} or 0.5`) is none, and neither is what only tells more.
"""

from __future__ import annotations

from collections.abc import Iterator

from hybridverify.answers.conflict import MAX_COMPARED, conflict, differ, says
from hybridverify.conventions import DEFAULT
from hybridverify.language.joining import AGAINST, AND, EITHER, EXCEPTING, adds_another
from hybridverify.language.languages import FUNCTION_WORDS
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import COMMAND, IN_TEXT, LONG_WORD, WORD
from hybridverify.language.pieces import pieces
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import Value, answer_reading, compare, numerals
from hybridverify.maths.values.kinds import Quantity, Scalar

_MOST_WORDS = 4
_EITHER = EITHER.union(EXCEPTING)
_BOTH = AND.union(AGAINST, ("/", "&", "|", "->", "→"))
"""These leave two answers only where nothing else follows."""
_SIGNS_AFTER = ";:!?\n"
_JOINTS = _EITHER | _BOTH
_SIGNS = ("->", "→", "/", "&", "|")
_SPOKEN = ((r"\lor", " or "), (r"\vee", " or "), (r"\land", " and "), (r"\wedge", " and "), (r"\quad", " "))
_AROUND = " \t\n.,$*)}\\](["
_DASHES = "–—"
_BEFORE_NAME = _AROUND.replace(".", "") + ";"
"""What separates a name from the answer before it; after a full stop another sentence begins."""
_LONGEST_NAME = 40
_REMARKS = frozenset(entries("english", "remark"))
_NARROWING = frozenset(entries("joining", "narrowing"))
_DOUBTING = frozenset(entries("joining", "perhaps"))
_FALLBACKS = entries("joining", "fallback")
_TALK = FUNCTION_WORDS.union(word for phrase in entries("joining", "second") for word in phrase.split())
_MARKS = ("\\boxed", "\\fbox", "####", "<answer")


def offers_another(answer: str, text: str) -> bool:
    r"""Whether the text after an answer begins with a joint and another answer, and does not come back.

    >>> offers_another("12", "$ or 13."), offers_another("1/2", " or 0.5"), offers_another("12", " or more")
    (True, False, False)
    >>> offers_another("12", r"\text{ or }13"), offers_another("12", r"\text{ or more}")
    (True, False)
    >>> offers_another("Lima", " and Oslo"), offers_another("Lima", " and its port"), offers_another("yes", "/no")
    (True, False, True)
    """
    text = _with_spoken_joints(text[:MAX_COMPARED])
    if _gives_a_second(answer, text):
        return True
    joint, rest = _joint(text.lstrip(_AROUND + _DASHES).removeprefix("--").lstrip())
    if not joint or len(answer) > MAX_COMPARED or says(answer, rest):
        return False
    clause, *after = pieces(_with_pauses(rest), _SIGNS_AFTER)
    if joint in _BOTH and any(map(str.isalnum, "".join(after))):
        return False
    other, *narrowed = pieces(clause, "", _NARROWING)
    return (joint in _EITHER or not narrowed) and _is_another(answer, unwrap(other))


def _with_spoken_joints(text: str) -> str:
    r"""The text with `\text{ or }`, `\lor` and `\land` as words."""
    if "\\" not in text:
        return text
    text = IN_TEXT.sub(r" \1 ", text)
    for sign, word in _SPOKEN:
        text = text.replace(sign, word)
    return text


def _gives_a_second(answer: str, text: str) -> bool:
    """Whether a clause calls something a second answer: ". 13 is possible too.", ". If not, 13."."""
    low = text.lower()
    if not adds_another(low) and not any(map(low.__contains__, _FALLBACKS)):
        return False
    clauses = pieces(_with_pauses(text.replace(": ", " ")), _SIGNS_AFTER)
    others = map(_without_talk, _called_second(clauses))
    return any(one.count(" ") <= 1 and not says(answer, one) and _is_another(answer, one) for one in others)


def _called_second(clauses: list[str]) -> Iterator[str]:
    """The clauses that call what they hold another answer, and those that follow an "if not"."""
    for at, one in enumerate(clauses):
        if adds_another(one):
            yield one
        elif one.strip().lower() in _FALLBACKS:
            yield " ".join(clauses[at + 1 : at + 2])


def _without_talk(clause: str) -> str:
    return unwrap(" ".join(word for word in clause.split() if word.lower() not in _TALK))


def _with_pauses(text: str) -> str:
    """The text with one sign for every pause, so that no sign within a number or formula is taken for one."""
    for pause in (", ", ". ", " ("):
        text = text.replace(pause, ";")
    plain = text.replace("$", "").rstrip(" .")
    return plain.removesuffix(")") if plain.count(")") > plain.count("(") else plain


def lists_another_name(answer: str, text: str, question: str) -> bool:
    r"""Whether nothing but other names follows a name: `, Quito` or ` Quito` after Lima. A name of the question may
    say where the first one lies.

    >>> asked = "What is the capital of Peru?"
    >>> [lists_another_name("Lima", text, asked) for text in (r"$, $\text{Quito}$.", " Quito", ", Peru", ", the city")]
    [True, True, False, False]
    """
    if len(text) > _LONGEST_NAME or len(answer) < 2 or not answer[0].isupper():
        return False
    told = _with_spoken_joints(text.partition("\n")[0]).lstrip(_BEFORE_NAME)
    names = [unwrap(one.strip(_AROUND)) for one in pieces(told, ",;")]
    words = [word for name in names for word in name.split()]
    return bool(words and question) and all(_is_new_name(word, f"{answer} {question}") for word in words)


def _is_new_name(word: str, said: str) -> bool:
    return word[0].isupper() and word.isalpha() and word not in said and word.lower() not in _REMARKS


def is_second_choice(answer: str, body: str, end: int) -> bool:
    """Whether a mark that ends at `end` follows another answer and an "or".

    >>> is_second_choice("12", "13 or #### 12", 13), is_second_choice("12", "3 + 9 or #### 12", 16)
    (True, False)
    """
    line = body[body.rfind("\n", 0, end) + 1 : end]
    return len(line) <= 2 * MAX_COMPARED and follows_another(answer, line[: _last_mark(line)])


def follows_another(answer: str, before: str) -> bool:
    """Whether the text before a mark ends on another answer and an "or".

    >>> follows_another("Lima", "It is Quito or "), follows_another("Lima", "It is large, or ")
    (True, False)
    """
    lead, _, word = _with_spoken_joints(before).rstrip(_AROUND).rpartition(" ")
    if word.lower() in _DOUBTING:
        lead, _, word = lead.rstrip(_AROUND).rpartition(" ")
    if word.lower() not in _EITHER:
        return False
    other = pieces(lead.replace("$", "").rstrip(" ,*\\"), ",;:!?\n", _LEADING)[-1]
    return _is_another(answer, unwrap(other))


def _last_mark(line: str) -> int:
    """Where the last mark of a line begins; nearly always there is one, a box."""
    if "#" in line or "<" in line or "\\fbox" in line:
        return max(map(line.rfind, _MARKS))
    return line.rfind("\\boxed")


_LEADING = frozenset((*entries("english", "predicate"), *entries("english", "place")))
"""Words by which a sentence leads up to an answer."""


def _joint(text: str) -> tuple[str, str]:
    """The sign or word on which a text begins, if it joins, and what follows it."""
    if text.startswith(_SIGNS):
        sign = next(filter(text.startswith, _SIGNS))
        return sign, text[len(sign) :].strip()
    word, _, rest = text.partition(" ")
    if word.lower() not in _JOINTS:
        return "", ""
    first, _, others = rest.partition(" ")
    if first.lower() in _DOUBTING:
        rest = others
    return word.lower(), rest


def _is_another(answer: str, other: str) -> bool:
    """Whether both are values, names or things, and surely not one."""
    if are_names(answer, other) or _are_things(answer, other):
        return differ(answer, other)
    if not any(map(str.isdigit, other)) and not numerals.read(other):
        return False
    if not LONG_WORD.search(COMMAND.sub("", answer + " " + other)) and not numerals.read(answer):
        return conflict(answer, other)  # of two formulas it is enough that nothing proves them equal
    return compare(answer, _without_noun(other), "", DEFAULT).outcome == "different"


def are_names(*texts: str) -> bool:
    """Whether each is a few words, the first of them with a capital, and no number."""
    return all(text[:1].isupper() and _is_short(text) for text in map(unwrap, texts))


def _are_things(*texts: str) -> bool:
    """Whether each is a few words in small letters that name something."""
    return all(text.islower() and _is_short(text) and _names(text) for text in texts)


def _names(text: str) -> bool:
    return FUNCTION_WORDS.isdisjoint(text.split()) and "".join(text.split()).isalpha()


def _is_short(text: str) -> bool:
    return not any(map(str.isdigit, text)) and 0 < len(WORD.findall(text)) <= _MOST_WORDS


def _without_noun(text: str) -> str:
    """The number of "13 apples", any other text as it is: a unit changes the number."""
    value = measured(text)
    counts = isinstance(value, Quantity) and not value.unit.known
    return text.split()[0] if counts and numerals.read(text.split()[0]) else text


def measured(text: str) -> Value:
    """The value of a text, as a quantity where its letters may be a unit."""
    value = answer_reading(text, DEFAULT).value
    return value.measured or value if isinstance(value, Scalar) else value
