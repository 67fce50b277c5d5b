"""From cleaned text to tokens. Whatever has no rule here ends the reading: nothing is skipped unseen."""

from __future__ import annotations

from hybridverify.language.braces import closing_brace
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation import vocabulary as known
from hybridverify.maths.notation.scanner import Scanner
from hybridverify.maths.notation.tokens import Token

_NUMBER_SETS = frozenset("RZQNC")
_BLACKBOARD_LETTERS = frozenset("PEV")


def tokenize(text: str, e_notation: bool = True, thousands: bool = True) -> list[Token]:
    """The tokens of a cleaned text. Raises Unread at the first thing it does not know.

    >>> [t.text for t in tokenize(r"\\dfrac{1,000}{x_1}")]
    ['frac', '{', '1000', '}', '{', 'x', '_', '1', '}']
    """
    return _Tokenizer(text, e_notation, thousands, 0).run()


class _Tokenizer(Scanner):
    def _cmd(self, found: str) -> None:
        name = found[1:]
        if name in known.SPACES or name in known.IGNORED:
            self._skip(name)
        elif name in known.COMMANDS:
            self._command(known.COMMANDS[name])
        elif name in known.OPERATORS:
            self._operator(known.OPERATORS[name], name)
        elif name in known.BRACKETS:
            self._bracket(known.BRACKETS[name])
        elif name in known.TEXT_STYLES:
            self._text_group()
        elif name in known.STYLES:
            self._style_group("bold" if name in known.BOLD else "roman")
        elif not self._is_one_token(name):
            self._rare(name)

    def _skip(self, name: str) -> None:
        self.gap = self.gap or name in known.SPACES
        if name in ("left", "right") and self.text.startswith(".", self.at):
            raise Unread("half a pair of brackets")

    def _is_one_token(self, name: str) -> bool:
        """Emit a command that is one token whatever stands around it; false for any other."""
        if name in known.GREEK:
            self.emit("let", name, "roman" if self.nesting else "")
        elif name in known.CONSTANTS:
            self.emit("const", known.CONSTANTS[name])
        elif name in known.FUNCTIONS:
            self.emit("fun", known.FUNCTIONS[name])
        elif name in known.QUANTITIES:
            self.emit("fun", name)
        elif name in known.RELATIONS:
            self.emit("rel", known.RELATIONS[name])
        elif name in known.DOTS:
            self.emit("dots", "...")
        elif name == "Pr":
            self.emit("let", "P", "roman")
        elif name in _NUMBER_SETS:  # `\R`, which many documents define
            self.emit("set", name)
        else:
            return False
        return True

    def _operator(self, text: str, name: str) -> None:
        logic = text in ("and", "or")
        self.emit("sep" if logic else "op", text, "logic" if logic else name)

    def _command(self, text: str) -> None:
        self.emit("bar" if text in ("bar", "mid") else "cmd", "|" if text == "bar" else text)

    def _rare(self, name: str) -> None:
        argument, end = self._argument()
        argument = argument.strip()
        if name in ("mathbb", "Bbb", "mathds") and argument in _NUMBER_SETS:
            self.emit("set", argument)
        elif name in ("mathbb", "Bbb", "mathds") and argument in _BLACKBOARD_LETTERS:
            self.emit("let", argument, "roman")
        elif name == "operatorname" and argument.isascii() and argument.isalpha():
            self.emit("fun", known.FUNCTIONS.get(argument, argument))
        elif name == "not" and argument == "=":
            self.emit("rel", "!=")
        else:
            raise Unread(f"command {name[:20]!r}")
        self.at = end

    def _argument(self) -> tuple[str, int]:
        """What a command applies to, a group in braces or one character, and where it ends."""
        start = self._skip_spaces()
        if not self.text.startswith("{", start):
            return self.text[start : start + 1], start + 1
        end = closing_brace(self.text, start)
        if end < 0:
            raise Unread("open bracket")
        return self.text[start + 1 : end], end + 1

    def _text_group(self) -> None:
        if not self.text.startswith("{", self._skip_spaces()):
            raise Unread("text command without braces")
        content, end = self._argument()
        inner = _Tokenizer(content, self.e_notation, self.thousands, self.nesting + 1)
        inner.gap = True
        inner.stack = []
        self.out += inner.run()
        self.at, self.gap = end, True

    def _style_group(self, note: str) -> None:
        if not self.text.startswith("{", self._skip_spaces()):
            return
        content, end = self._argument()
        words = content.replace("~", " ").split()
        if not all(word.isascii() and word.isalpha() for word in words):
            return  # the braces that follow stay as a group
        self.at = end
        for run in words:
            if len(run) == 1:
                self.emit("const" if run == "e" else "let", run, note)
            else:
                self._run(run)
        self.gap = True

    def _skip_spaces(self) -> int:
        at = self.at
        while at < len(self.text) and self.text[at] == " ":
            at += 1
        return at
