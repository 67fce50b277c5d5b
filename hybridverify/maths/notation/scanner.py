"""The part of the tokenizer that knows no commands: numbers with their separators, letters, brackets, signs."""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.joining import AND_IN_SCRIPTS, OR_IN_SCRIPTS
from hybridverify.maths.limits import MAX_DEPTH, MAX_DIGITS, Limit, Unread
from hybridverify.maths.notation import vocabulary as known
from hybridverify.maths.notation.tokens import Token

_GROUP = r"(?:,|\{,\}|\\,|\\!|,\\!|,\\! | )"
_TOKEN = re.compile(
    r"(?P<gap>\s+|~|\\[,;:! ]|\\[()\[\]])"
    r"|(?P<repeat>\d*\.\d*\\(?:overline|bar|dot)\s?\{\d+\})"
    rf"|(?P<group>\d{{1,3}}(?:{_GROUP}\d{{3}})+(?!\d)(?:\.\d+)?)"
    r"|(?P<num>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<env>\\(?:begin|end)\s?\{[a-zA-Z]+\*?\})"
    r"|(?P<cmd>\\[a-zA-Z]+)"
    r"|(?P<run>[a-zA-Z]+)"
    r"|(?P<foreign>(?:[^\W\d_][\u0300-\u036f\u0900-\u0903\u093a-\u094f]*)+)"
    r"|(?P<row>\\\\)"
    r"|(?P<esc>\\[{}%$#&_|])"
    r"|(?P<rel><=|>=|==|!=|:=|[<>=])"
    r"|(?P<pow>\*\*)"
    r"|(?P<dots>\.\.\.)"
    r"|(?P<one>[-+*/^_!'%$&|,;:(){}\[\].?€£¥₹₩₽])"
)
_EXPONENT = re.compile(r"([eE])([+-]?)(\d+)(?![\d.])")
_TIGHT_COMMA = re.compile(r"\d,(?!\d{3}(?!\d))[^\s,]")


_FOREIGN_SEPARATORS = dict.fromkeys(OR_IN_SCRIPTS, "or") | dict.fromkeys(AND_IN_SCRIPTS, "and")
MAX_TEXT_NESTING = 4
_new = tuple.__new__
"""Makes a token in half the time of its class: an answer has dozens."""

_MASS_TIMES = ("mg", "ml", "mL", "Ml", "ML")
"""Units whose letters are as often a mass and what it is multiplied with."""
_LEADING_ON = ("op", "rel", "let", "const", "cmd", "fun")
_GOING_ON = tuple("^/\\+-*)(}_=<>")


class Scanner:
    """Numbers, letters, brackets and signs; commands are in tokenizer.py."""

    def __init__(self, text: str, e_notation: bool, thousands: bool, nesting: int) -> None:
        if nesting > MAX_TEXT_NESTING:
            raise Limit("limit")
        self.text = text
        self.e_notation = e_notation
        self.thousands = thousands
        self.nesting = nesting  # above 0 inside \text{...}: letters are words there
        self.out: list[Token] = []
        self.at = 0
        self.gap = False
        self.opened: list[int] = []  # where the open brackets stand
        self.stack: list[tuple[str, bool]] = []  # open brackets; does a comma inside separate items?

    def run(self) -> list[Token]:
        text, size, match_at = self.text, len(self.text), _TOKEN.match
        while self.at < size:
            match = match_at(text, self.at)
            if match is None:
                raise Unread(f"character {text[self.at]!r}")
            self.at = match.end()
            if match.lastgroup == "gap":
                self.gap = True
            else:
                getattr(self, f"_{match.lastgroup}")(match[0])
        if self.stack:
            raise Unread("open bracket")
        return self.out

    def emit(self, kind: str, text: str, note: str = "") -> None:
        self.out.append(_new(Token, (kind, text, self.gap, note)))
        self.gap = False

    def _listy(self) -> bool:
        return bool(self.stack) and self.stack[-1][1]

    def _num(self, found: str) -> None:
        if len(found) > MAX_DIGITS:
            raise Limit("limit")
        if found[0] == "." and self.out and not self.gap and self.out[-1].kind in ("num", "word"):
            raise Unread("two decimal points")
        match = _EXPONENT.match(self.text, self.at) if self.e_notation else None
        if match:
            found += _power_of_ten(found, match)
            self.at = match.end()
        self.emit("num", found)

    def _group(self, found: str) -> None:
        if self._is_no_group(found):
            first = len(found) - len(found.lstrip("0123456789"))
            self.at -= len(found) - first
            self._num(found[:first])
            return
        if found[0] == "0":
            raise Unread("a number that starts with 0 has no thousands")
        digits = "".join(char for char in found if char.isdigit() or char == ".")
        self.emit("num", digits, "grouped")

    def _is_no_group(self, found: str) -> bool:
        """Does the number end before its first separator: in a list, or behind a sign, as in `\\log_2 256`?"""
        if not self.thousands or (self.out and self.out[-1].text in ("_", "^")):
            return True
        if not found.partition(".")[0].replace(",", "").isdigit():
            return False  # blanks and braced commas set thousands apart
        return found[0] == "0" or self._commas_separate(self.at - len(found))

    def _commas_separate(self, start: int) -> bool:
        """Does a tight comma separate items here? Inside brackets it does, unless others have a space.

        Anywhere it does where another tight comma of the same bracket stands before no three digits.
        """
        left = self.opened[-1] if self.opened else 0
        right = min(
            (at for at in (self.text.find(c, start) for c in ")]}") if at >= 0), default=len(self.text)
        )
        segment = self.text[left : right if self.opened else len(self.text)]
        if _TIGHT_COMMA.search(segment):
            return True
        return self._listy() and ", " not in segment and ";" not in segment

    def _repeat(self, found: str) -> None:
        head, _, tail = found.partition("\\")
        whole, _, fixed = head.partition(".")
        self.emit("num", f"{whole or '0'}.{fixed}", "cycle" + tail[tail.index("{") + 1 : -1])

    def _run(self, run: str) -> None:
        low = run.lower()
        if low in ("and", "or"):
            self.emit("sep", low)
        elif self.nesting:
            self.emit("word", run, "text")
        elif len(run) == 1:
            self.emit("const" if run == "e" else "let", run)
        elif not self._is_name(run, low):
            self._letters(run)

    def _is_name(self, run: str, low: str) -> bool:
        """Emit a constant, a function or a letter by its name; false for any other run."""
        if low in known.CONSTANTS:
            self.emit("const", known.CONSTANTS[low])
        elif run in known.FUNCTIONS:
            self.emit("fun", known.FUNCTIONS[run])
        elif run in known.WORD_SYMBOLS:
            self.emit("let", run)
        elif run in known.PROGRAMS and self.text.startswith("(", self.at):
            self.emit("fun", known.PROGRAMS[run])
        elif run in known.LABELS:
            self.emit("word", run, "text")
        elif run in ("sqrt", "binom"):
            self.emit("cmd", run)
        else:
            return False
        return True

    def _letters(self, run: str) -> None:
        """A run without a meaning of its own is a word, unless one letter of it stands apart."""
        if len(run) == 2 and run[1] == "e" and self._is_exponent() and self.text.startswith("^", self.at):
            self.emit("let", run[0])  # `e^xe^y`, as TeX reads it
            self.emit("const", "e")
        elif self._is_mass_times(run):
            self.emit("let", run[0])
            self.emit("let", run[1])
        elif run[:2] == "or" and len(run) == 3 and self.out and self.out[-1].kind in ("num", "close"):
            self.emit("sep", "or")
            self.emit("let", run[2])
        else:
            self.emit("word", run)

    def _is_mass_times(self, run: str) -> bool:
        r"""Is this a product and no unit? `ml^2` is no power of a millilitre, and before `mg\sin\theta` and within
        `\frac{2mg}{k}` no number is told that could have a unit."""
        if run not in _MASS_TIMES or any(one.kind == "word" for one in self.out):  # `5 mg/mL`
            return False
        if run[1] in "lL" and self.text.startswith("^", self.at):
            return True
        told = [one for one in self.out[-3:] if one.kind != "open"]
        if told and told[-1].kind == "num" and len(told) > 1 and told[-2].text == "frac":
            return self.text.startswith("}", self.at)
        before = next((one for one in reversed(told) if one.text != "frac"), None)
        if before is not None:
            return before.kind in _LEADING_ON
        return self.text[self.at :].lstrip()[:1] in _GOING_ON

    def _is_exponent(self) -> bool:
        return bool(self.out) and self.out[-1].text == "^" and not self.gap

    def _foreign(self, found: str) -> None:
        if found in _FOREIGN_SEPARATORS:
            self.emit("sep", _FOREIGN_SEPARATORS[found])
            return
        self.emit("word", found, "text")

    def _env(self, found: str) -> None:
        name = found[found.index("{") + 1 : -1].rstrip("*")
        if found.startswith("\\begin"):
            if name == "array":
                self._skip_columns()
            self._push(name, True)
            self.emit("env", "begin " + name)
        else:
            if not self.stack or self.stack.pop()[0] != name:
                raise Unread("unbalanced environment")
            self.opened.pop()
            self.emit("env", "end " + name)

    def _skip_columns(self) -> None:
        """Go past `{lcr}` behind the name of an array."""
        start, end = self.text.find("{", self.at), self.text.find("}", self.at) + 1
        if end and not self.text[self.at : end].strip("lcr| {}") and not self.text[self.at : start].strip():
            self.at = end

    def _row(self, _found: str) -> None:
        self.emit("sep", "\\\\")

    def _pow(self, _found: str) -> None:
        self.emit("op", "^")

    def _dots(self, _found: str) -> None:
        self.emit("dots", "...")

    def _rel(self, found: str) -> None:
        self.emit("rel", {"==": "=", ":=": "="}.get(found, found))

    def _esc(self, found: str) -> None:
        if found[1] in "{}":
            self._bracket(found)
        elif found[1] == "_":
            self.emit("op", "_")
        else:
            self._one(found[1])

    def _one(self, char: str) -> None:
        if char in "(){}[]":
            self._bracket(char)
        elif char in ",;&":
            self.emit("sep", char)
        elif char == "|":
            self.emit("bar", char)
        elif char in "$€£¥₹₩₽":
            self.emit("money", char)
        elif char in ".?":
            self.emit("stop", char)
        elif char == "#":
            raise Unread("number sign")
        else:
            self.emit("op", char)

    def _bracket(self, text: str) -> None:
        if text in known.CLOSES:
            if not self.stack or self.stack.pop()[0] not in known.CLOSES[text]:
                raise Unread("unbalanced bracket")
            self.opened.pop()
            self.emit("close", text)
            return
        argument = text == "{" and bool(self.out) and self._takes_argument(self.out[-1])
        self._push(text, self._listy() if argument or text in ("floor(", "ceil(") else True)
        self.emit("open", text)

    def _takes_argument(self, last: Token) -> bool:
        """A brace that belongs to a command groups; any other bracket may hold a list."""
        return last.kind in ("cmd", "fun") or last.text in ("^", "_") or last.text in ("}", "]")

    def _push(self, text: str, listy: bool) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise Limit("limit")
        self.stack.append((text, listy))
        self.opened.append(self.at)


def _power_of_ten(number: str, match: re.Match[str]) -> str:
    """The exponent behind a number; `2e-1` may as well be a product of e."""
    if number != "1" and "." not in number and match[1] == "e" and match[2] == "-" and len(match[3]) == 1:
        raise Unread("2e-1 is read in two ways")
    return "e" + match[2] + match[3]
