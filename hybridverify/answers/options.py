r"""The options of a multiple-choice question: "(A) Line (B) Circle", "A. 12", "\textbf{(B)}\ 7 \qquad"."""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.patterns import TYPESETTING
from hybridverify.language.text import same_text
from hybridverify.maths import numerals

_LABEL = re.compile(r"(?<![A-Za-z0-9])(?:[(\[（]\s*([A-J])\s*[)\]）]|([A-J])\s?[).:：、．])\s*")
_LETTERS = "abcdefghij"
_SMALL_LETTER = re.compile(r"\(?[a-jA-J]\)?")
_SMALL_LABEL = re.compile(r"^[ \t]*\(?([a-j])[).][ \t]+([^\n]{1,400})$", re.MULTILINE)
_LABELLED = re.compile(r"([A-J])\s((?:[^\s]{1,40}\s?){1,8})")
_WHOLE_OPTION = re.compile(r"[(\[]?([A-J])[)\].:]{1,2}\s?(\S.{0,400})")
_DENYING = claims.DENIED | claims.kinds("or supposed refuted")
_MAX_QUESTION = 50_000

Options = tuple[tuple[str, str], ...]
"""Letters and texts of a question's options."""


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
    """The options a), b), c) of a question, a line each, by capital letters; () unless one letter is asked for.

    Such lines may as well be parts of a question: the references say which they are.

    >>> small_options("Which is odd?\\na) 4\\nb) 6\\nc) 9", ("c",)), small_options("a) Add.\\nb) Subtract.", ("7",))
    ((('A', '4'), ('B', '6'), ('C', '9')), ())
    """
    if not references or not all(map(_SMALL_LETTER.fullmatch, references)):
        return ()
    found = _SMALL_LABEL.findall(question[:_MAX_QUESTION])
    letters = "".join(letter for letter, _ in found)
    if not 2 <= len(letters) <= len(_LETTERS) or letters != _LETTERS[: len(letters)]:
        return ()
    return tuple((letter.upper(), " ".join(text.split())) for letter, text in found)


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
    match = _LABELLED.fullmatch(text.strip(" .*"))
    told = dict(options).get(match[1]) if match else None
    if match is None or not told or claims.holds(match[2], _DENYING):
        return ""
    words = set(match[2].lower().split())
    held = [letter for letter, option in options if words.issuperset(option.lower().strip(" .").split())]
    return match[1] if held == [match[1]] else ""


def labelled_text(answer: str, options: Options) -> str:
    """The letter of an answer that is one option as the question writes it, its label and its text.

    >>> labelled_text("B) D", (("A", "C"), ("B", "D"))), labelled_text("B) C", (("A", "C"), ("B", "D")))
    ('B', '')
    """
    match = _WHOLE_OPTION.fullmatch(answer.strip(" ."))
    return match[1] if match and same_text(match[2], dict(options).get(match[1]) or "\0") else ""


def says(text: str, option: str) -> bool:
    """True where an answer and the text of an option are the same text or the same number."""
    if same_text(text, option):
        return True
    one, other = numerals.read(text), numerals.read(option)
    return one is not None and other is not None and (one.value, one.percent) == (other.value, other.percent)
