"""The commands that grade no files: `explain`, `presets`, `config`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridverify.cli import judge_options, options
from hybridverify.cli.messages import coloured, say
from hybridverify.errors import ConfigError, InputError
from hybridverify.language.printable import one_line

if TYPE_CHECKING:
    from hybridverify.pipeline.explain import Step

presets_app = typer.Typer(
    help="Judge presets: the prompts and parsers that come with the library.", no_args_is_help=True
)
config_app = typer.Typer(help="Check configuration files.", no_args_is_help=True)


_WIDTH = 200
_EMBEDDED = "a small cross-encoder that ships with the library, for answers in words: no server, no GPU"


def explain(
    response: Annotated[
        str,
        typer.Argument(metavar="RESPONSE", help="what the model answered; - reads it from standard input"),
    ],
    reference: Annotated[str, typer.Argument(metavar="REFERENCE", help="the right answer")],
    question: Annotated[str, typer.Option("--question", "-q", help="what was asked")] = "",
    data_source: Annotated[str, typer.Option(help="chooses a route of the configuration")] = "",
    config: options.ConfigFile = None,
    policy: Annotated[
        str, typer.Option(metavar="P", help="how rule and judge are combined; see: grade")
    ] = "",
    grader: options.Grader = "",
    judge: options.JudgePreset = "",
    backend: options.BackendName = "",
    model: options.ModelName = "",
    base_url: options.BaseUrl = "",
    api_key_env: judge_options.ApiKeyEnv = "",
    header: judge_options.Headers = None,
    no_model_check: judge_options.NoModelCheck = False,
    cache: options.CacheFolder = None,
) -> None:
    """Grade one pair and show what each rule and judge read, and why it decided so."""
    from hybridverify.cli.grade import reach_judges
    from hybridverify.cli.settings import JudgeOptions, asks_judges, verifier_settings
    from hybridverify.cli.trial import READY_S
    from hybridverify.cli.waiting import engines_announced
    from hybridverify.types import Sample
    from hybridverify.verifier import Verifier

    sample = Sample(_text(response), reference, question, data_source)
    server = judge_options.ServerOptions.given(api_key_env, header, 0.0, no_model_check)
    asked = JudgeOptions(judge, backend, model, base_url, server)
    settings = verifier_settings(
        config, policy, asked, cache, not (config or cache), None, grader, find_model=True
    )
    with (
        engines_announced(lines=True),
        Verifier.from_config({**settings, "stop_on_outage": True}) as verifier,
    ):
        if asks_judges(settings):
            reach_judges(verifier, READY_S)
        explanation = verifier.explain(sample)
    grade = explanation.grade
    graded = "" if grade.graded else ", not graded"
    lines = [(step.tier, step.outcome, *_told(step)) for step in explanation.steps]
    lines.append(("grade", grade.outcome.value, f"score {grade.score:g}{graded}, policy {grade.policy}"))
    tier, outcome = (max(len(line[column]) for line in lines) for column in (0, 1))
    for line in lines:
        say("  ".join((f"{line[0]:<{tier}}", coloured(line[1], outcome), *line[2:])).rstrip())


def _told(step: Step) -> list[str]:
    option = f"[{step.option}]" if step.option else ""
    return [text for text in (one_line(step.reading, _WIDTH), one_line(step.reason, _WIDTH), option) if text]


def _text(argument: str) -> str:
    if argument != "-":
        return argument
    try:
        return typer.get_text_stream("stdin", encoding="utf-8").read()
    except UnicodeDecodeError as error:
        raise InputError(f"stdin is not UTF-8: {error.reason}") from error


@presets_app.command("list")
def list_presets() -> None:
    """List the presets, one line each."""
    from hybridverify.judges.decisions import PRESET as DECISIONS
    from hybridverify.judges.presets import PRESETS
    from hybridverify.judges.translation.prompt import TRANSLATE

    summaries = {name: preset.summary for name, preset in PRESETS.items()}
    summaries |= {DECISIONS.name: DECISIONS.summary}
    summaries |= {TRANSLATE.name: TRANSLATE.summary, "embedded": _EMBEDDED}
    width = max(map(len, summaries))
    for name, summary in summaries.items():
        say(f"{name:<{width}}  {summary}")


@presets_app.command("show", short_help="Show the prompt and the settings of a preset.")
def show_preset(name: Annotated[str, typer.Argument(help="see: presets list")]) -> None:
    """Show a preset: its prompt, its settings, and the replies that it understands."""
    from hybridverify.judges.decisions import PRESET as DECISIONS
    from hybridverify.judges.presets import preset
    from hybridverify.judges.translation.prompt import TRANSLATE

    if name == "embedded":
        from hybridverify.judges.embedded.model import model_card

        say(f"name: embedded\nsummary: {_EMBEDDED}\nbackend: embedded\ncard:\n{_indented(model_card())}")
        return
    own = {one.name: one for one in (TRANSLATE, DECISIONS)}
    shown = own.get(name) or preset(name)
    for key, value in shown.describe().items():
        if isinstance(value, dict):
            value = "\n".join(f"{inner}: {text}" for inner, text in value.items())
        elif isinstance(value, list):
            value = ", ".join(value)
        say(f"{key}:\n{_indented(str(value))}" if "\n" in str(value) else f"{key}: {value}")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.split("\n"))


@config_app.command("check")
def check_config(file: Annotated[Path, typer.Argument(help=".yaml, .toml or .json")]) -> None:
    """Read a configuration as `grade` would. If something is wrong, say so in one line and exit 2."""
    from hybridverify.types import Sample
    from hybridverify.verifier import Verifier

    try:
        with Verifier.from_config(file, cache=None) as verifier:
            (grade,) = verifier.grade([Sample("", "1")])  # an empty response asks no judge
    except ConfigError as error:
        told = str(error)
        raise ConfigError(told if told.startswith(f"{file}: ") else f"{file}: {told}") from None
    say(f"{file}: fine; default route: {grade.fingerprint}")
