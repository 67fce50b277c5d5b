r"""What a reader of the rendered response does not see, or sees struck out: no mark in it is an answer.

`~~\boxed{4}~~`, `<s>..</s>`, `<span style="display:none">..</span>`, `<scratchpad>..</scratchpad>`. Separate from
comments.py because a span here counts only where it is closed. Struck formulas (`\cancel{..}`) are read in
outside.py: what stands beside them in one formula stays.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.braces import closing_brace

_STRIKE = re.compile(
    r"(?:(?<=[\s(>*_.,:])|\A)~~(?=[^\s~])(?:[^\n~]|~(?!~)){1,400}(?<=[^\s~])~~(?=[\s).,;:!?*_<]|\Z)"
)
_OPENING = re.compile(
    r"<(?P<struck>s|del|strike|template)(?:\s[^<>]{0,200})?>"
    r"|<(?P<styled>[a-z][a-z0-9]{0,15})\s(?=[^<>]{0,300}(?:display\s{0,3}:\s{0,3}none"
    r"|visibility\s{0,3}:\s{0,3}hidden"
    r"|font-size\s{0,3}:\s{0,3}0(?![.\d]*[1-9])|opacity\s{0,3}:\s{0,3}0(?![.\d]*[1-9])|\shidden(?![\w-])"
    r"|(?<![\w-])color\s{0,3}[:=]\s{0,3}[\"']?(?:white|transparent|#fff(?![0-9a-f]{1,2}(?![0-9a-f])))"
    r"|\Ahidden))[^<>]{0,300}>"
    r"|<(?P<hidden>[a-z][a-z0-9]{0,15})\shidden(?:\s[^<>]{0,200}|=[^<>]{0,20})?>"
    r"|(?P<bracket>[<\[])(?P<draft>scratch(?:[ _-]?pad)?|draft|rough[ _-]?work|thoughts?|thinking"
    r"|inner[ _-]?monologue|notes)[>\]]",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]{1,80}\]:[ \t]*\S[^\n]{0,2000}$", re.MULTILINE)
"""Of Markdown: the address of a link, which shows nothing by itself and serves as a comment."""
_TEX_SPANS = (("\\iffalse", "\\fi"), ("\\begin{comment}", "\\end{comment}"))
_WHITE = re.compile(r"\\(?:text)?color(?:\[\w{1,8}\])?\s?\{\s?white\s?\}[ \t]*")
_MAX_SPANS = 1_000
"""Of a text with more struck or hidden spans nothing is taken: no answer looks so."""


def without_hidden(text: str) -> str:
    """The text without what is struck out or hidden.

    >>> without_hidden("~~7~~ 8"), without_hidden("<del>7</del> 8"), without_hidden("$a~~b~~c$")
    (' 8', ' 8', '$a~~b~~c$')
    >>> without_hidden("\\\\iffalse 7 \\\\fi 8"), without_hidden("8\\n[//]: # (7)")
    (' 8', '8\\n')
    >>> without_hidden("8 \\\\textcolor{white}{7}")
    '8 '
    """
    if "\\" in text:
        text = _without_tex(text)
    if "]:" in text:
        text = _DEFINITION.sub("", text)
    if "~~" in text:
        text = _without_strikes(text)
    if "</" in text or "[/" in text:
        text = _without_tags(text)
    return text


def _without_tex(text: str) -> str:
    """Without what TeX leaves out or prints in white; what is never closed goes on to the end."""
    for opening, closing in _TEX_SPANS:
        kept, at = [], 0
        while (start := text.find(opening, at)) >= 0:
            kept.append(text[at:start])
            end = text.find(closing, start)
            at = end + len(closing) if end >= 0 else len(text)
        text = "".join([*kept, text[at:]]) if kept else text
    return _without_white(text) if "white" in text else text


def _without_white(text: str) -> str:
    kept, at = [], 0
    for match in _WHITE.finditer(text):
        if match.start() < at:
            continue
        kept.append(text[at : match.start()])
        at = _end_of_white(text, match.end())
    return "".join([*kept, text[at:]])


def _end_of_white(text: str, start: int) -> int:
    """The end of the braces that open here, else of the line."""
    end = closing_brace(text, start) + 1 if text.startswith("{", start) else text.find("\n", start)
    return end if end > 0 else len(text)


def _without_strikes(text: str) -> str:
    r"""Two tildes are two blanks within a formula: there they strike nothing."""
    kept, at = [], 0
    for match in _STRIKE.finditer(text):
        line = text[max(text.rfind("\n", 0, match.start()) + 1, match.start() - 400) : match.start()]
        if (line.count("$") - line.count("\\$")) % 2 or line.count("\\(") > line.count("\\)"):
            continue
        if line.count("\\[") > line.count("\\]") or line.count("{") > line.count("}"):
            continue
        kept.append(text[at : match.start()])
        at = match.end()
        if len(kept) > _MAX_SPANS:
            return ""
    return "".join([*kept, text[at:]]) if kept else text


def _closing_of(opening: re.Match[str]) -> str:
    name = next(filter(None, opening.group("struck", "styled", "hidden", "draft"))).lower()
    return f"[/{name}]" if opening["bracket"] == "[" else f"</{name}>"


def _without_tags(text: str) -> str:
    low = text.lower()
    if len(low) != len(text):  # a letter whose small form is longer: places would not agree
        return text
    kept, at = [], 0
    unclosed: set[str] = set()
    for match in _OPENING.finditer(text):
        if match.start() < at:
            continue
        closing = _closing_of(match)
        end = -1 if closing in unclosed else low.find(closing, match.end())
        if end < 0:
            unclosed.add(closing)
            continue
        kept.append(text[at : match.start()])
        at = end + len(closing)
        if len(kept) > _MAX_SPANS:
            return ""
    return "".join([*kept, text[at:]]) if kept else text
