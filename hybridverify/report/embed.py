"""Data and scripts inside a page: what a browser may not take for markup is written otherwise."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from typing import Any

from hybridverify.language import expressions as re
from hybridverify.language.printable import printable

_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKUP = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def json_text(value: Any) -> str:
    r"""JSON that is safe between script tags, and that UTF-8 can hold.

    >>> print(json_text({"a": "</script>", "b": "half \ud800"}))
    {"a":"\u003c/script\u003e","b":"half \ud800"}
    """
    return markup_safe(plain_json(value))


def plain_json(value: Any) -> str:
    """JSON that is not safe in markup yet."""
    return _ENCODE(value)


def markup_safe(text: str) -> str:
    """JSON whose texts hold no markup and no half characters. Both can only stand inside of strings."""
    for letter, written in _MARKUP.items():
        text = text.replace(letter, written)
    return text if text.isascii() else _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def written_size(text: str) -> int:
    """How many bytes this JSON takes when it is safe in markup."""
    marked = sum(text.count(letter) for letter in "<>&")
    return (len(text) if text.isascii() else len(text.encode("utf-8", "replace"))) + 5 * marked


def escaped(text: object) -> str:
    """A text in the page's markup. What steers the reading direction is written out.

    >>> escaped('<b> "x" \u202e')
    '&lt;b&gt; &quot;x&quot; \\\\u202e'
    """
    return html.escape(printable(str(text)))


def source_hash(source: str) -> str:
    """The hash by which a Content-Security-Policy lets one inline script or style run."""
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
