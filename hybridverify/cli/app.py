"""The command line: its commands, and how every fault becomes one plain line and an exit code.

0 fine · 1 more rows ungraded than allowed · 2 usage or input · 3 judge unavailable · 130 interrupted · 143
terminated. Slow modules are imported inside the commands, so that `--help` is quick.
"""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from hybridverify.cli.agree import agree
from hybridverify.cli.cache import cache_app
from hybridverify.cli.compare import compare
from hybridverify.cli.grade import grade
from hybridverify.cli.judge import judge_app
from hybridverify.cli.messages import be_verbose, error, reader_gone, show_warnings
from hybridverify.cli.prepare import prepare
from hybridverify.cli.redteam import redteam
from hybridverify.cli.serve import serve
from hybridverify.cli.show import config_app, explain, presets_app
from hybridverify.errors import HybridVerifyError

app = typer.Typer(
    name="hybridverify",
    help="Decide whether answers are right: rules first, an LLM judge where rules cannot tell, and a cache for both.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("grade")(grade)
app.command("agree")(agree)
app.command("compare", short_help="Say which rows change between two ways to grade.")(compare)
app.command("prepare", short_help="Turn question sets into training files for verl.")(prepare)
app.command("redteam", short_help="Attack a verifier, and tell what pays without an answer.")(redteam)
app.command("serve", short_help="Serve the verifier over HTTP to trainers.")(serve)
app.command(
    "explain", short_help="Grade one pair and show why.", context_settings={"ignore_unknown_options": True}
)(explain)
app.add_typer(presets_app, name="presets", short_help="Prompts and parsers of judges.")
app.add_typer(config_app, name="config")
app.add_typer(cache_app, name="cache")
app.add_typer(judge_app, name="judge")

# since 0.26 typer has its own copy of click; the class is found through what typer exports
_UsageFault: type[Exception] = typer.BadParameter.__mro__[2]

_ARROW_MEMORY = ("ARROW_DEFAULT_MEMORY_POOL", "system")
"""Tables are read in small batches, in threads of Arrow's. Its own pool would keep 70 MB of what these gave back."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. `arguments` are those of the process by default."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    show_warnings()
    os.environ.setdefault(*_ARROW_MEMORY)
    command = typer.main.get_command(app)
    _add_verbose(command)
    try:
        code = command.main(_with_verbose(given), prog_name="hybridverify", standalone_mode=False, obj=given)
    except HybridVerifyError as fault:
        error(str(fault))
        return fault.exit_code
    except _UsageFault as fault:
        return _usage_fault(fault)
    except typer.Abort:
        return 130
    except SystemExit as end:
        if isinstance(
            end.__context__, BrokenPipeError
        ):  # typer ends the process with 1, which means something else
            return reader_gone()
        raise
    except BrokenPipeError:
        return reader_gone()
    except OSError as fault:
        where = f"{fault.filename}: " if fault.filename else ""
        error(f"{where}{fault.strerror or fault}")
        return 2
    return code if isinstance(code, int) else 0


def _add_verbose(group: Any) -> None:
    """Let every command take `-v`, which users type at the end as often as at the start."""
    (option,) = (parameter for parameter in group.params if parameter.name == "verbose")
    for command in _commands(group):
        own = copy.copy(option)
        own.expose_value = False
        if command.context_settings.get("ignore_unknown_options"):
            own.opts = ["--verbose"]  # elsewhere -v^2 is a response, and no option with letters after it
            own.help = f"{own.help} So does -v alone."
        command.params.append(own)


def _commands(group: Any) -> Iterator[Any]:
    for command in group.commands.values():
        if hasattr(command, "commands"):
            yield from _commands(command)
        else:
            yield command


def _with_verbose(given: Sequence[str]) -> list[str]:
    """The arguments with the long form of `-v`, which every command knows."""
    end = given.index("--") if "--" in given else len(given)
    return ["--verbose" if word == "-v" and at < end else word for at, word in enumerate(given)]


def _usage_fault(fault: Exception) -> int:
    message = fault.format_message() if hasattr(fault, "format_message") else str(fault)
    context = getattr(fault, "ctx", None)
    if context is not None and message == context.get_help():  # no command was given: this is no fault
        typer.echo(message, err=True)
        return 2
    command = context.command_path if context else "hybridverify"
    error(f"{message.rstrip('.')}; see {command} --help")
    return 2


def _version(wanted: bool) -> None:
    if wanted:
        from hybridverify._version import __version__

        typer.echo(f"hybridverify {__version__}")
        raise typer.Exit


def _verbose(wanted: bool) -> None:
    if wanted:
        be_verbose()


@app.callback()
def _every_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", callback=_verbose, help="Tell more of the work, on stderr.")
    ] = False,
) -> None:
    pass


if __name__ == "__main__":
    sys.exit(main())
