r"""LaTeX as one line of text, the way `latex2text` of pylatexenc writes it: `\frac{1}{2}` as `1/2`, `\pi` as π.

Only spelling: two texts are compared after it, so a command that both converters treat alike on both sides is enough.
A command without a meaning here vanishes and leaves what stands in its braces, as there.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.rules.graders.latex_form import Odd

_MAX_NESTING = 30
_TOKEN = re.compile(r"\\[A-Za-z]+[ \t\n]*|\\.|[{}]|[^\\{}]", re.DOTALL)
_NAMED = (
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh"),
    *("ln", "log", "exp", "min", "max", "lim", "sup", "inf"),
)
"""Others, `cot` and `gcd` among them, vanish there."""
_SIGNS = {
    "pi": "π", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "theta": "θ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "ϕ", "varphi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω", "zeta": "ζ", "eta": "η", "kappa": "κ", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ",
    "infty": "∞", "cup": "∪", "cap": "∩", "cdot": "·", "times": "×", "div": "÷", "pm": "±", "mp": "∓", "circ": "∘",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "leqslant": "⩽", "geqslant": "⩾", "neq": "≠", "in": "∈",
    "notin": "∉", "subset": "⊂",
    "emptyset": "∅", "angle": "∠", "to": "→", "rightarrow": "→", "Rightarrow": "⇒", "sum": "∑", "prod": "∏", "int": "∫",
    "dots": "…", "ldots": "…", "cdots": "⋯", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "mid": "|",
    "lvert": "|", "rvert": "|", "vert": "|", "lbrace": "{", "rbrace": "}", "langle": "⟨", "rangle": "⟩", "prime": "'",
    "equiv": "≡", "approx": "≈", "sim": "∼", "forall": "∀", "exists": "∃", "partial": "∂", "perp": "⊥",
    "parallel": "∥", "square": "□", "star": "⋆", "ast": "∗", "bullet": "∙", "oplus": "⊕", "propto": "∝",
    "varnothing": "∅", "subseteq": "⊆", "supset": "⊃", "cong": "≅", "nabla": "∇", "ll": "≪", "gg": "≫",
    "therefore": "∴", "because": "∵", "textdegree": "°", "setminus": "∖", "wedge": "∧", "vee": "∨",
    "quad": "  ", "qquad": "    ",
}  # fmt: skip
_CONTROL = {
    "\\": "\n",
    ",": " ",
    ";": " ",
    ":": " ",
    " ": " ",
    "!": "",
    "(": "",
    ")": "",
    "[": "",
    "]": "",
    "|": "",
    ">": "",
    "/": "",
    "-": "\u00ad",
}
_SWALLOWED = ("textcolor", "color", "hspace", "vspace", "mbox", "textup", "texttt")
"""These take the group behind them away."""
_STYLES = {
    "mathit": "\u2110",
    "mathsf": "\u2111",
    "mathbb": "\u2102",
    "mathbf": "\u2103",
    "mathcal": "\u2107",
    "mathfrak": "\u210c",
    "mathscr": "\u210b",
}
"""Letters in these styles are other letters; which sign marks them is our own affair."""
_ACCENTS = {"vec": "\u20d7", "hat": "\u0302", "bar": "\u0305", "tilde": "\u0303", "dot": "\u0307"}
_MATRICES = ("pmatrix", "bmatrix", "array")
_TYPED = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", "\u00a0"))


def plain_latex(text: str) -> str:
    r"""The text without commands; a brace without a partner is passed over. Raises Odd for one nested too deeply.

    >>> plain_latex(r"3 \frac{1}{\sqrt 2}"), plain_latex(r"(-\infty, 3] \cup \{5\}"), plain_latex(r"\mathrm{km}^{2}")
    ('3 1/√(2)', '(-∞, 3] ∪{5}', 'km^2')
    """
    for typed, shown in _TYPED:
        text = text.replace(typed, shown)
    return _Converter(_TOKEN.findall(text)).rest(0)


def _sign(name: str) -> str:
    """What a command without arguments prints."""
    if name in _NAMED:
        return name
    if name in _SIGNS:
        return _SIGNS[name]
    return _CONTROL.get(name, "" if name.isalpha() else name)


class _Converter:
    """Reads tokens from the left."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def rest(self, depth: int) -> str:
        """Up to the end, or to the brace that closes this group."""
        if depth > _MAX_NESTING:
            raise Odd
        done = []
        while self._at < len(self._tokens):
            if self._tokens[self._at] != "}":
                done.append(self._one(depth))
                continue
            self._at += 1
            if depth:
                break
        return "".join(done)

    def _one(self, depth: int) -> str:
        """The next token with what belongs to it."""
        if depth > _MAX_NESTING:
            raise Odd
        token = self._tokens[self._at]
        self._at += 1
        if token == "{":
            return self.rest(depth + 1)
        if token[0] != "\\" or len(token) == 1:
            return token
        return self._command(token[1:].rstrip() or " ", depth + 1)

    def _command(self, name: str, depth: int) -> str:
        if name == "frac":
            top = self._argument(depth)
            return f"{top}/{self._argument(depth)}"
        if name == "sqrt":
            self._skip_option()
            return f"√({self._argument(depth)})"
        if name in _STYLES:
            styled = self._argument(depth)
            return "".join(sign + _STYLES[name] if sign.isalpha() else sign for sign in styled)
        if name in _SWALLOWED or name == "end":
            self._argument(depth)
            return ""
        if name in _ACCENTS:
            return self._argument(depth) + _ACCENTS[name]
        if name == "begin":
            return self._environment(depth)
        return _sign(name)

    def _argument(self, depth: int) -> str:
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        if self._at == len(self._tokens) or self._tokens[self._at] == "}":
            return ""
        return self._one(depth)

    def _skip_option(self) -> None:
        if self._at < len(self._tokens) and self._tokens[self._at] == "[":
            while self._at < len(self._tokens) and self._tokens[self._at] != "]":
                self._at += 1
            self._at += 1

    def _environment(self, depth: int) -> str:
        """A matrix with its rows between `;`, whatever spaces stand in it; what else is begun is passed over."""
        name = self._argument(depth)
        if name not in _MATRICES:
            return ""
        if name == "array":
            self._argument(depth)
        cells = []
        while self._at < len(self._tokens) and self._tokens[self._at] != "\\end":
            cells.append(self._one(depth))
        rows = "".join(cells).replace("&", " ").split("\n")
        return f"[ {'; '.join(' '.join(row.split()) for row in rows)} ]"
