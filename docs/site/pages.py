"""Pages of the site that are made from the code: rules, conventions, outcomes, and files that live elsewhere."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import griffe
import mkdocs_gen_files

from hybridverify.config.registry import CHECKERS, DEFAULT_RULES, find
from hybridverify.conventions import Conventions
from hybridverify.types import Outcome

ROOT = Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")


def main() -> None:
    write("reference/rules.md", rules())
    write("reference/conventions.md", options())
    write("reference/outcomes.md", outcomes())
    write("figures.md", elsewhere("benchmarks/README.md"))
    write("changes.md", elsewhere("CHANGELOG.md"))


def write(name: str, text: str) -> None:
    with mkdocs_gen_files.open(name, "w") as page:
        page.write(text)


def rules() -> str:
    """Every rule by the name that settings use, the default chain first."""
    default = [name for name in CHECKERS if name in DEFAULT_RULES]
    others = [name for name in CHECKERS if name not in DEFAULT_RULES]
    parts = [
        "# Rules\n\nA rule says correct, incorrect or undecided. The first sure verdict counts. "
        f"The default chain is {', '.join(f'`{name}`' for name in DEFAULT_RULES)}.\n"
    ]
    for name in [*default, *others]:
        rule = find("checkers", "rule", name, CHECKERS)
        about = inspect.getdoc(rule) or ""
        module = inspect.getdoc(inspect.getmodule(rule)) or ""
        parts.append(f"## `{name}`\n\n{about}\n\n{module}\n")
    return "\n".join(parts)


def options() -> str:
    """Every convention with its default and its meaning."""
    kind = griffe.load("hybridverify.conventions", search_paths=[str(ROOT)])["Conventions"]
    parts = [
        "# Conventions\n\nThe named options of what counts as equal: `Verifier(conventions={...})`, or `conventions:` "
        "in a file or of one route. A reason names the conventions that made it.\n"
    ]
    for name, default in vars(Conventions()).items():
        member = kind.members[name]
        about = member.docstring.value if member.docstring else ""
        parts.append(f"## `{name}`\n\nDefault `{default!r}`, one of `{member.annotation}`.\n\n{about}\n")
    return "\n".join(parts)


def outcomes() -> str:
    """Every outcome, and what it means."""
    kind = griffe.load("hybridverify.types", search_paths=[str(ROOT)])["Outcome"]
    parts = [f"# Outcomes\n\n{kind.docstring.value}\n"]
    for outcome in Outcome:
        member = kind.members[outcome.name]
        parts.append(f"## `{outcome.value}`\n\n{member.docstring.value if member.docstring else ''}\n")
    return "\n".join(parts)


def elsewhere(path: str) -> str:
    """A file of the repository. Its links to other files become plain text, its pictures go."""
    text = PICTURE.sub("", (ROOT / path).read_text(encoding="utf-8"))
    return LINK.sub(lambda link: link[0] if link[2].startswith(("http", "#")) else f"`{link[1]}`", text)


main()
