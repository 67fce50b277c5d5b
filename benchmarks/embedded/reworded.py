"""The same answer written otherwise: rules only, each of which keeps the meaning."""

from __future__ import annotations

import random
import re

_DATE = re.compile(r"\b([A-Z][a-z]+) (\d{1,2}),? (\d{4})\b")
_DATE_BRITISH = re.compile(r"\b(\d{1,2}) ([A-Z][a-z]+),? (\d{4})\b")
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
]
_LONE_NUMBER = re.compile(r"(?<![\d.,])(\d{1,2})(?![\d.,%])")
_MONTHS = {
    month: month[:3]
    for month in [
        "January",
        "February",
        "March",
        "April",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
}
_SHORT_FORMS = {
    "United States": "US", "United Kingdom": "UK", "Saint": "St", "Doctor": "Dr", "Mount": "Mt", "percent": "%",
    "kilometers": "km", "kilometres": "km", "meters": "m", "metres": "m", "and": "&", "Junior": "Jr.", "Street": "St",
    "New York City": "NYC", "Los Angeles": "LA", "World War II": "WW2", "World War I": "WWI", "versus": "vs",
}  # fmt: skip
_TRAILING = re.compile(r"\s*\([^()]*\)$")


def reworded(text: str, question: str, rng: random.Random) -> str:
    """One or two changes that leave the answer what it is; the text itself where none applies."""
    changes = [_case, _article, _date, _number_word, _name_order, _surname, _short_form, _plain, _months]
    rng.shuffle(changes)
    left = rng.choice((1, 1, 2))
    for change in changes:
        new = change(text, question, rng)
        if new and new != text:
            text, left = new, left - 1
        if not left:
            break
    return text


def _case(text: str, question: str, rng: random.Random) -> str:
    return rng.choice((text.lower(), text.upper(), text[:1].upper() + text[1:]))


def _article(text: str, question: str, rng: random.Random) -> str:
    if text.lower().startswith("the "):
        return text[4:]
    return f"the {text}" if text[:1].isalpha() and " " in text and "who" not in question.lower() else ""


def _date(text: str, question: str, rng: random.Random) -> str:
    if _DATE.search(text):
        return _DATE.sub(r"\2 \1 \3", text)
    return _DATE_BRITISH.sub(r"\2 \1, \3", text)


def _number_word(text: str, question: str, rng: random.Random) -> str:
    found = _LONE_NUMBER.search(text)
    if found and int(found.group()) < len(_SMALL) and not any(month in text for month in _MONTHS):
        return text[: found.start()] + _SMALL[int(found.group())] + text[found.end() :]
    words = text.split()
    for at, word in enumerate(words):
        if word.lower() in _SMALL:
            words[at] = str(_SMALL.index(word.lower()))
            return " ".join(words)
    return ""


def _name_order(text: str, question: str, rng: random.Random) -> str:
    words = text.split()
    if (
        question.lower().startswith("who")
        and len(words) == 2
        and text.istitle()
        and text.replace(" ", "").isalpha()
    ):
        return f"{words[1]}, {words[0]}"
    return ""


def _surname(text: str, question: str, rng: random.Random) -> str:
    words = text.split()
    if (
        not question.lower().startswith("who")
        or not 2 <= len(words) <= 3
        or not text.replace(" ", "").isalpha()
    ):
        return ""
    if not all(word[:1].isupper() for word in words) or words[0] in ("The", "King", "Queen"):
        return ""
    initial = f"{words[0][0]}. {' '.join(words[1:])}"
    return rng.choice((words[-1], initial, initial)) if len(words[-1]) > 3 else initial


def _short_form(text: str, question: str, rng: random.Random) -> str:
    for long, short in _SHORT_FORMS.items():
        if re.search(rf"\b{re.escape(long)}\b", text):
            return re.sub(rf"\b{re.escape(long)}\b", short, text)
    return ""


def _plain(text: str, question: str, rng: random.Random) -> str:
    """Without a bracketed remark at the end, and without punctuation."""
    return _TRAILING.sub("", text).strip(" .\"'") or text


def _months(text: str, question: str, rng: random.Random) -> str:
    for month, short in _MONTHS.items():
        if month in text:
            return text.replace(month, short)
    return ""
