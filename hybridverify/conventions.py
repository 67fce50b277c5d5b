"""The named options of what counts as equal. Each result says which conventions made it.

The defaults and the reasons for them stand beside each field; `Conventions.from_settings` refuses unknown
names and values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

from hybridverify.errors import ConfigError, did_you_mean


@dataclass(frozen=True)
class Conventions:
    """Options of the rule checkers; every field is a documented choice with a default.

    >>> Conventions.from_settings({"rounding": "none"}).rounding
    'none'
    """

    list_order: Literal["by_bracket", "ordered", "unordered"] = "by_bracket"
    """`by_bracket`: bare lists and `{}` unordered, `(..)` ordered, labelled lists by label."""
    set_repeats: Literal["collapse", "keep"] = "collapse"
    """`{3,7,7}` equals `{3,7}`; bare lists keep repeats in any case."""
    rounding: Literal["reference_digits", "none"] = "reference_digits"
    """A decimal reference with d digits accepts what rounds to it; an exact one needs `exact_digits`."""
    exact_digits: int = 6
    """Significant right digits a decimal response needs against an exact reference; fewer is undecided."""
    percent: Literal["signed", "strict", "loose"] = "signed"
    """`signed`: p% is p/100; a bare p counts only if the question asks for a percentage or the reference has
    the sign. `strict`: signs must agree. `loose`: a bare p equals p% as well."""
    units: Literal["convert", "same", "drop"] = "convert"
    """One side bare: numbers compare. Both with a unit: same unit or exact conversion (`convert`), same unit
    only (`same`), units ignored (`drop`)."""
    currency: Literal["agree", "drop"] = "agree"
    """A sign may be absent on one side; two signs must agree unless `drop`."""
    brackets: Literal["strict", "loose"] = "strict"
    """`(` and `[` differ in intervals; `loose` ignores the kind of bracket."""
    tuple_form: Literal["free", "strict"] = "free"
    """`(a,b)`, `a,b`, a column vector and `x=a, y=b` are the same tuple."""
    multiple_boxes: Literal["last", "join", "all_same"] = "last"
    """`last`: the last box, several only when they stand in one last sentence that asks for several."""
    base: Literal["drop_suffix", "strict"] = "drop_suffix"
    """A base suffix may be absent on one side with equal digits; two suffixes must agree."""
    degrees: Literal["radian_when_shown", "strict"] = "radian_when_shown"
    """A degree sign equals its radian value where the other side shows pi or rad; bare 30 is never pi/6."""
    variable_name: Literal["drop", "strict"] = "drop"
    """`x=5` equals `5` and `f(x)=e` equals `e`; two different names only if the question names neither."""
    bound_names: Literal["rename", "strict"] = "rename"
    """Integer parameters and free constants may be renamed one to one."""
    relation_form: Literal["any", "strict"] = "any"
    """Interval, inequality and set-builder are compared as sets, both ways."""
    equation_scale: Literal["any", "strict"] = "any"
    """Equations are equal up to a nonzero constant factor and swapped sides."""
    plus_minus: Literal["expand", "strict"] = "expand"
    """A plus-minus sign stands for both values, correlated inside one tuple; two in one sum make four."""
    mixed_number: Literal["sum", "product"] = "sum"
    """`1 1/4` is five quarters."""
    thousands: Literal["groups", "off"] = "groups"
    """Comma, `{,}`, thin and plain spaces in groups of three are one number, else separators of a list."""
    decimal_comma: bool = False
    """Read `3,14` as a decimal: clashes with lists."""
    e_notation: bool = True
    """`2e3` is 2000."""
    unicode: bool = True
    """Unicode roots, signs, fractions and full-width characters read as their usual forms."""
    number_words: bool = True
    """`seven` is 7."""
    ordinals: bool = True
    """`7th` is 7."""
    choice: Literal["letter", "letter_or_text"] = "letter_or_text"
    """Option text counts only with the question's options at hand and a single match."""
    clock: Literal["agree", "loose"] = "agree"
    """12 h and 24 h times are equal; am and pm must agree, and where one is absent it is undecided."""
    imaginary_unit: Literal["when_shown", "always", "never"] = "when_shown"
    """`i` is the imaginary unit where the reference or the question shows complex numbers."""
    form_sensitive: Literal["off", "on"] = "off"
    """`on`: where the question asks to simplify, factor or expand, another form is undecided."""
    text: Literal["fold", "exact"] = "fold"
    """Case, articles and punctuation are folded before texts compare; otherwise undecided."""
    escapes: bool = True
    """Repair tab+`ext`, form feed+`rac`, backspace+`eta` in references."""
    number_fallback: bool = False
    """Take the last number of the text where there is no mark and no stated answer."""

    def __hash__(self) -> int:
        """Of few fields: caches hash their conventions at every look-up, and nearly all are the defaults."""
        return hash((self.multiple_boxes, self.rounding, self.percent, self.text))

    def __post_init__(self) -> None:
        hints = get_type_hints(Conventions)
        for name, value in asdict(self).items():
            allowed = get_args(hints[name])
            if allowed and value not in allowed:
                raise ConfigError(
                    f"conventions.{name}: {value!r} is not one of {', '.join(map(repr, allowed))}"
                )
            if not allowed and type(value) is not hints[name]:
                raise ConfigError(f"conventions.{name}: expected {hints[name].__name__}, got {value!r}")

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Conventions:
        """Build from a mapping; raises ConfigError for unknown names and values."""
        known = {field.name for field in fields(cls)}
        for name in settings:
            if name not in known:
                raise ConfigError(f"conventions.{name}: no such convention; {did_you_mean(name, known)}")
        found = cls(**settings)
        return DEFAULT if found == DEFAULT else found

    def changed(self) -> dict[str, Any]:
        """The fields that differ from the defaults, for fingerprints."""
        return {f.name: v for f in fields(self) if (v := getattr(self, f.name)) != getattr(DEFAULT, f.name)}


DEFAULT = Conventions()
"""One object for all that use the defaults: what is read under it is cached by the text alone."""
