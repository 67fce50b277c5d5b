"""`hybridverify cache`: show, remove, export and merge stored verdicts."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridverify.cli.messages import say
from hybridverify.errors import ConfigError

if TYPE_CHECKING:
    from hybridverify.cache.commands import Removed

cache_app = typer.Typer(help="Look after the cache of verdicts.", no_args_is_help=True)

_Folder = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        help="folder; default: $HYBRIDVERIFY_CACHE, else in your user's cache folder",
    ),
]
_Stage = Annotated[
    str | None, typer.Option(help="only the entries of this stage: rule, judge or translation")
]


@cache_app.command()
def stats(cache: _Folder = None) -> None:
    """Show the number of entries by stage, their size and their age."""
    from hybridverify.cache.commands import stats

    found = stats(cache)
    say(f"folder  {found.path}{'' if found.exists else ' (no store yet)'}")
    for stage in sorted({"rule", "judge", *found.stages}):
        say(f"{stage or 'other':<7} {found.stages.get(stage, 0)} entries")
    say(f"all     {found.entries} entries, {_size(found.bytes)}")
    if found.entries:
        say(f"age     {_day(found.oldest)} to {_day(found.newest)}")
    say(f"limit   {found.limit}")


@cache_app.command()
def prune(
    cache: _Folder = None,
    older_than_days: Annotated[
        float | None, typer.Option(metavar="DAYS", help="remove entries that are older")
    ] = None,
    max_entries: Annotated[
        int | None, typer.Option(metavar="N", help="keep only the newest N entries")
    ] = None,
    stage: _Stage = None,
) -> None:
    """Remove old entries. Safe while a run uses the cache."""
    from hybridverify.cache.commands import prune

    _tell(prune(cache, older_than_days=older_than_days, max_entries=max_entries, stage=stage))


@cache_app.command()
def clear(
    cache: _Folder = None,
    stage: _Stage = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask for confirmation")] = False,
) -> None:
    """Remove every entry, or those of one stage."""
    from hybridverify.cache.commands import clear
    from hybridverify.cache.location import cache_folder

    if not yes and not _agreed(
        f"Remove all {stage or ''} verdicts in {cache_folder(cache)}?".replace("  ", " ")
    ):
        raise ConfigError("nothing removed; --yes removes without asking")
    _tell(clear(cache, stage))


@cache_app.command()
def export(
    out: Annotated[
        Path, typer.Argument(metavar="OUT.jsonl", help="the file to write, one line for each entry")
    ],
    cache: _Folder = None,
) -> None:
    """Write all entries as JSON lines, to merge them on another machine."""
    from hybridverify.cache.commands import export

    done = export(cache, out)
    damaged = f", {done.damaged} damaged ones left out" if done.damaged else ""
    say(f"{done.written} entries written to {out}{damaged}")


@cache_app.command()
def merge(
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCE...", help="cache folders or exported files")
    ],
    cache: _Folder = None,
) -> None:
    """Add the entries of other caches or exports to this one."""
    from hybridverify.cache.commands import merge

    done = merge(cache, sources)
    say(
        f"{done.added} entries added, {done.present} were there, {done.conflicts} differed and stayed as they were,"
        f" {done.refused} refused"
    )


def _agreed(question: str) -> bool:
    import sys

    return sys.stdin.isatty() and typer.confirm(question)


def _tell(done: Removed) -> None:
    say(
        f"{done.removed} entries removed, {done.left} left; "
        f"{_size(done.bytes_before)} before, {_size(done.bytes_after)} now"
    )


def _size(count: float) -> str:
    """A size for people.

    >>> _size(351), _size(20_000_000)
    ('351 B', '20.0 MB')
    """
    if count < 1000:
        return f"{count:.0f} B"
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 1000 or unit == "GB":
            break
    return f"{count:.1f} {unit}"


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
