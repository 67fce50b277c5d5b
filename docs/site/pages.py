"""Pages of the site that are made from the code: rules, conventions, outcomes, and files that live elsewhere."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from pathlib import Path

import griffe
import mkdocs_gen_files

from hybridverify.config.registry import CHECKERS, DEFAULT_RULES, find
from hybridverify.conventions import Conventions
from hybridverify.types import Outcome

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = (
    "A rule says correct, incorrect or undecided. The first sure verdict counts. The default chain is "
    f"{', '.join(f'`{name}`' for name in DEFAULT_RULES)}."
)
CONVENTIONS = (
    "The named options of what counts as equal: `Verifier(conventions={...})`, or `conventions:` in a file or of one "
    "route. A reason names the conventions that made it."
)
OUTCOMES = "What a checker, a judge or the whole grade came to. Only `correct` and `incorrect` are verdicts."
LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")


def main() -> None:
    listed("rules", RULES, rules())
    listed("conventions", CONVENTIONS, options())
    listed("outcomes", OUTCOMES, outcomes())
    write("figures.md", elsewhere("benchmarks/README.md"))
    write("changes.md", elsewhere("CHANGELOG.md"))


def write(name: str, text: str) -> None:
    with mkdocs_gen_files.open(name, "w") as page:
        page.write(text)


def listed(kind: str, about: str, pages: Mapping[str, str]) -> None:
    """A page for each name, and one that lists them with the first sentence of each."""
    lines = []
    for name, text in pages.items():
        first = text.partition("\n\n")[0].replace("\n", " ")
        write(f"reference/{kind}/{name}.md", f"# `{name}`\n\n{text}\n")
        lines.append(f"- [`{name}`]({kind}/{name}.md): {first}\n")
    write(f"reference/{kind}.md", f"# {kind.capitalize()}\n\n{about}\n\n{''.join(lines)}")


def rules() -> dict[str, str]:
    """Every rule by the name that settings use, the default chain first."""
    default = [name for name in CHECKERS if name in DEFAULT_RULES]
    found = {}
    for name in [*default, *(other for other in CHECKERS if other not in DEFAULT_RULES)]:
        rule = find("checkers", "rule", name, CHECKERS)
        found[name] = f"{inspect.getdoc(rule) or ''}\n\n{inspect.getdoc(inspect.getmodule(rule)) or ''}"
    return found


def options() -> dict[str, str]:
    """Every convention with its meaning, its default and what else it may be."""
    kind = griffe.load("hybridverify.conventions", search_paths=[str(ROOT)])["Conventions"]
    return {
        name: f"{_about(kind.members[name])}\n\nDefault `{default!r}`, one of `{kind.members[name].annotation}`."
        for name, default in vars(Conventions()).items()
    }


def outcomes() -> dict[str, str]:
    """Every outcome, and what it means."""
    kind = griffe.load("hybridverify.types", search_paths=[str(ROOT)])["Outcome"]
    return {outcome.value: _about(kind.members[outcome.name]) for outcome in Outcome}


def _about(member: griffe.Object) -> str:
    return member.docstring.value if member.docstring else ""


def elsewhere(path: str) -> str:
    """A file of the repository. Its links to other files become plain text, its pictures go."""
    text = PICTURE.sub("", (ROOT / path).read_text(encoding="utf-8"))
    return LINK.sub(lambda link: link[0] if link[2].startswith(("http", "#")) else f"`{link[1]}`", text)


main()
