"""Which script a letter belongs to, where that decides how words are found: some set no blanks between words."""

from __future__ import annotations

_UNSPACED = (("\u0e00", "\u0eff"), ("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7af"))
"""Thai and Lao, Japanese, Chinese, Korean: their first and last letters."""
_CHINESE = ("\u3400", "\u9fff")


def is_unspaced(text: str) -> bool:
    """Whether every character is of a script that sets no blanks between words.

    >>> is_unspaced("答え"), is_unspaced("답은 4"), is_unspaced("")
    (True, False, False)
    """
    return bool(text) and all(any(first <= char <= last for first, last in _UNSPACED) for char in text)


def has_chinese(text: str) -> bool:
    """Whether the text has a Chinese character."""
    first, last = _CHINESE
    return not text.isascii() and any(first <= char <= last for char in text)


def is_in_word(char: str) -> bool:
    """Whether the character belongs to a word, as `\\w` of an expression has it."""
    return char.isalnum() or char == "_"


def up_to_last_word(text: str) -> str:
    """The text without the signs on which it ends.

    >>> up_to_last_word("Final answer: **")
    'Final answer'
    """
    end = len(text)
    while end and not is_in_word(text[end - 1]):
        end -= 1
    return text[:end]
