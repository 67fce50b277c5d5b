r"""The options of a multiple-choice question: "(A) Line (B) Circle", "A. 12", "\textbf{(B)}\ 7 \qquad"."""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.patterns import TYPESETTING
from hybridverify.language.text import same_text
from hybridverify.maths import numerals

_LABEL = re.compile(r"(?<![A-Za-z0-9])(?:[(\[（]\s*([A-J])\s*[)\]）]|([A-J])\s?[).:：、．])\s*")
_FIRST = ("A)", "A.", "A:", "A]", "A}", "A )", "A :")
_LETTERS = "abcdefghij"
_SMALL_LABEL = re.compile(r"^[ \t]*\(?([a-j])[).][ \t]+([^\n]{1,400})$", re.MULTILINE)
_SMALL_IN_LINE = re.compile(r"(?<![\w(])\(?([a-j])\s?\)\s{0,3}((?:(?!(?<![\w(])\(?[a-j]\s?\)).){1,200})")
_LABEL_SIGNS = ")].:"
_MAX_WORDS = 8
_DENYING = claims.DENIED | claims.kinds("or supposed refuted")
_MAX_QUESTION = 50_000

Options = tuple[tuple[str, str], ...]
"""Letters and texts of a question's options."""


def may_list(question: str) -> bool:
    """A quick look for how the first option of a question may begin, before options are read."""
    return "A" in question and (not question.isascii() or any(map(question.__contains__, _FIRST)))


@lru_cache(maxsize=512)
def read_options(question: str) -> Options:
    """Letters and texts, in order; () where the question lists none.

    >>> read_options("What is it? (A) a line (B) a circle\\nChoose.")
    (('A', 'a line'), ('B', 'a circle'))
    """
    plain = TYPESETTING.sub(" ", question[:_MAX_QUESTION])
    chain = _labels(plain)
    if len(chain) < 2:
        return ()
    ends = [label.start() for label in chain[1:]] + [len(plain)]
    texts = [plain[label.end() : end] for label, end in zip(chain, ends, strict=True)]
    texts[-1] = texts[-1].partition("\n")[0]  # instructions follow the last option
    return tuple(
        (label.group(1) or label.group(2), " ".join(text.split()))
        for label, text in zip(chain, texts, strict=True)
    )


@lru_cache(maxsize=512)
def small_options(question: str, references: tuple[str, ...]) -> Options:
    """The options a), b), c) of a question, a line each or all in one, by capital letters; () unless one letter is
    asked for.

    They may as well be parts of a question: the references say which they are.

    >>> small_options("Which is odd?\\na) 4\\nb) 6\\nc) 9", ("c",)), small_options("a) Add.\\nb) Subtract.", ("7",))
    ((('A', '4'), ('B', '6'), ('C', '9')), ())
    """
    if not references or not all(_bare(reference) in _LETTERS for reference in references):
        return ()
    text = question[:_MAX_QUESTION]
    return _in_order(_SMALL_LABEL.findall(text)) or _in_order(_SMALL_IN_LINE.findall(text))


def _in_order(found: list[tuple[str, str]]) -> Options:
    """Labels and texts by capital letters, () unless they run a, b, c."""
    letters = "".join(letter for letter, _ in found)
    if not 2 <= len(letters) <= len(_LETTERS) or letters != _LETTERS[: len(letters)]:
        return ()
    return tuple((letter.upper(), " ".join(text.split()).rstrip(" ,;")) for letter, text in found)


def _bare(reference: str) -> str:
    """The small letter of a reference such as "(B)", and a sign that is no letter for any other."""
    bare = reference.removeprefix("(").removesuffix(")").lower()
    return bare if len(bare) == 1 else "-"


@lru_cache(maxsize=512)
def stem_of(question: str) -> str:
    """What a question says before the options that it lists, "" where it lists none."""
    text = question[:_MAX_QUESTION]
    chain = _labels(text)
    return text[: chain[0].start()] if len(chain) > 1 else ""


def _labels(plain: str) -> list[re.Match[str]]:
    """The labels A, B, C ... of options."""
    chain: list[re.Match[str]] = []
    for label in _LABEL.finditer(plain):
        letter = label.group(1) or label.group(2)
        if letter == "A" and len(chain) < 2:
            chain = [label]
        elif chain and ord(letter) == ord("A") + len(chain):
            chain.append(label)
    return chain


def letter_for(text: str, options: Options) -> str:
    """The letter of the one option that says `text`, "" where none or several do."""
    found = [letter for letter, option in options if says(text, option)]
    return found[0] if len(found) == 1 else ""


def label_with_words(text: str, options: Options) -> str:
    """The letter on which a text opens, where the words after it hold that option's text and no other's.

    >>> label_with_words("B second option", (("A", "first"), ("B", "second"))), label_with_words("A dog", ())
    ('B', '')
    """
    first, _, rest = text.strip(" .*").partition(" ")
    told = rest.lower().split()
    if not dict(options).get(first) or not 0 < len(told) <= _MAX_WORDS or claims.holds(rest, _DENYING):
        return ""
    held = [letter for letter, option in options if set(told).issuperset(option.lower().strip(" .").split())]
    return first if held == [first] else ""


def labelled_text(answer: str, options: Options) -> str:
    """The letter of an answer that is one option as the question writes it, its label and its text.

    >>> labelled_text("B) D", (("A", "C"), ("B", "D"))), labelled_text("B) C", (("A", "C"), ("B", "D")))
    ('B', '')
    """
    bare = answer.strip(" .").lstrip("([")
    letter, rest = bare[:1], bare[1:]
    told = rest.lstrip(_LABEL_SIGNS).strip()
    labelled = told and rest[0] in _LABEL_SIGNS and "\n" not in told
    return letter if labelled and same_text(told, dict(options).get(letter) or "\0") else ""


def says(text: str, option: str) -> bool:
    """True where an answer and the text of an option are the same text or the same number."""
    if same_text(text, option):
        return True
    one, other = numerals.read(text), numerals.read(option)
    return one is not None and other is not None and (one.value, one.percent) == (other.value, other.percent)
