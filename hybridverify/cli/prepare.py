"""`hybridverify prepare`: question sets as training files for verl."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridverify.cli import options
from hybridverify.cli.messages import note, say, warn, with_way_out
from hybridverify.errors import InputError, UnreadableLine

if TYPE_CHECKING:
    from hybridverify.records.question_sets import Counts

_NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(?:\.[0-9]+)?")
_MAX_SOURCES_SHOWN = 20


def prepare(
    inputs: Annotated[
        list[Path], typer.Argument(metavar="IN...", help=f"questions with answers: {options.INPUTS}")
    ],
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT.parquet", help="verl's training file")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="count, and write nothing")] = False,
    data_source: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="data_source of all rows; default: the column, else the file's name"
        ),
    ] = "",
    suffix: Annotated[
        str, typer.Option(metavar="TEXT", help="ends each data_source, such as _tinyv, for a route")
    ] = "",
    instruction: Annotated[
        str, typer.Option(metavar="TEXT", help="follows each question in the prompt")
    ] = "",
    system: Annotated[str, typer.Option(metavar="TEXT", help="system message before each prompt")] = "",
    ability: Annotated[str, typer.Option(metavar="NAME", help="verl's column of that name")] = "math",
    split: Annotated[str, typer.Option(metavar="NAME", help="split in extra_info")] = "train",
    whole_reference: Annotated[
        bool,
        typer.Option(
            "--whole-reference", help="keep a solution as ground truth; otherwise its #### or boxed answer"
        ),
    ] = False,
    rm_prompt: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="text of the judge's prompt, with {question} and {reference}"),
    ] = None,
    extra: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=COLUMN", help="put a column into extra_info[KEY]; may be repeated"),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="write only the first N rows")] = None,
    skip_bad_lines: Annotated[
        bool, typer.Option("--skip-bad-lines", help="leave out lines that cannot be read, and count them")
    ] = False,
    reference_column: options.ReferenceColumn = "",
    question_column: options.QuestionColumn = "",
    data_source_column: options.DataSourceColumn = "",
) -> int:
    """Turn question sets into verl's Parquet: prompt, data_source, ground truth, extra_info, and rm_prompt."""
    from hybridverify.cli.inputs import check_writable, expanded
    from hybridverify.records.question_sets import QuestionSets, Recipe

    _check_output(out, dry_run)
    files = expanded(inputs, (out,))
    check_writable(out, files)
    recipe = Recipe(
        data_source,
        suffix,
        system,
        instruction,
        ability,
        split,
        str if whole_reference else final_answer,
        _template(rm_prompt),
        dict(_pair(text) for text in extra or []),
    )
    names = options.column_names("", reference_column, question_column, data_source_column)
    try:
        sets = QuestionSets(files, names, recipe, warn, limit, skip_bad_lines)
        if out is None or dry_run:
            for _ in sets.rows():
                pass
        else:
            sets.write(out)
    except UnreadableLine as fault:
        raise InputError(with_way_out(fault)) from fault
    return _tell(sets.counts, None if dry_run else out)


def final_answer(reference: str) -> str:
    """The answer of a worked solution that marks it; any other text as it is.

    >>> final_answer("6 * 7 = 42\\n#### 1,042"), final_answer(r"Thus \\boxed{\\frac12}."), final_answer("x = 4")
    ('1042', '\\\\frac12', 'x = 4')
    """
    from hybridverify.answers.extract import extract
    from hybridverify.answers.extraction import Mark

    if "####" not in reference and "boxed" not in reference:
        return reference
    found = extract(reference)
    if found.mark not in (Mark.HASH, Mark.BOXED) or not found.answer:
        return reference
    answer = found.answer.strip()
    return answer.replace(",", "") if _NUMBER.fullmatch(answer) else answer


def _check_output(out: Path | None, dry_run: bool) -> None:
    if out is None and not dry_run:
        raise InputError("-o is missing: name a .parquet file, or count with --dry-run")
    if out is not None and out.suffix.lower() != ".parquet":
        raise InputError(f"{out}: verl reads .parquet; name such a file")


def _template(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8: {error.reason}") from error
    if "{question}" not in text or "{reference}" not in text:
        raise InputError(f"{file}: a judge's prompt needs the fields {{question}} and {{reference}}")
    return text


def _pair(text: str) -> tuple[str, str]:
    key, separator, column = text.partition("=")
    if not (key and separator and column):
        raise InputError(f"--extra {text}: expected KEY=COLUMN")
    if key in ("split", "index", "question"):
        raise InputError(f"--extra {text}: {key} is written in any case; name another key")
    return key, column


def _tell(counts: Counts, out: Path | None) -> int:
    for line in _left_out(counts):
        warn(line)
    if counts.several.count:
        note(f"{counts.several} with several references: the first is the ground truth")
    if counts.repeated.count:
        note(f"{counts.repeated} with a question and reference that were there before: kept")
    for source, count in counts.sources.most_common(_MAX_SOURCES_SHOWN):
        say(f"  {source}: {count}")
    where = f"written to {out}" if out else "nothing written (--dry-run)"
    rows = "1 row" if counts.written == 1 else f"{counts.written} rows"
    sources = "1 data source" if len(counts.sources) == 1 else f"{len(counts.sources)} data sources"
    say(f"{rows} of {sources}; longest prompt {counts.longest} characters; {where}")
    return 0


def _left_out(counts: Counts) -> Iterator[str]:
    kinds = {
        "without a reference": counts.no_reference,
        "without a question": counts.no_question,
        "with half a character, which Parquet cannot hold": counts.unwritable,
    }
    for what, tally in kinds.items():
        if tally.count:
            yield f"{tally} {what}: left out"
    if counts.skipped.count:
        yield f"{counts.skipped.count} lines skipped (--skip-bad-lines); the first: {counts.skipped.first}"
