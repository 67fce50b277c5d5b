"""Markup that shows nothing by itself: HTML, fences, chat tokens, and LaTeX commands of layout and signs."""

from __future__ import annotations

import re

MARKUP = re.compile(
    r"```[ \t]*[A-Za-z]*|<!--[^<>]{0,200}-->|</?[A-Za-z][\w-]*(?:\s[^<>]{0,80})?/?>|<[|｜][^<>\n]{0,60}[|｜]>"
    r"|&(?:nbsp|ensp|emsp|zwnj|lt|gt|amp|quot|#\d{1,6});?|\\[A-Za-z]{1,20}(?:\s?\{\s?\}){1,3}"
    r"|\\(?:begin|end)\s*\{[A-Za-z]{0,20}\*?\}"
    r"|\\(?:[hv]space|phantom|color|textcolor)\*?\{[^{}]{0,40}\}"
    r"|\\(?:boxed|fbox|framebox|text[a-z]{0,6}|math(?:rm|bf|it|sf|tt|normal)|mbox|operatorname|underline|overline|emph"
    r"|left|right|big[lrg]?|Big[lrg]?|quad|qquad|displaystyle|[lcvd]?dots|dotsc|cdot|times|checkmark|square"
    r"|blacksquare|Box|qed|star|ast|bullet|circ|hline|newline|limits|langle|rangle|lbrace|rbrace|emptyset|varnothing"
    r"|pm|mp|div|to|rightarrow|implies|therefore|because|sim|approx|equiv|neq?|[lg]eq?)(?![A-Za-z])"
)
