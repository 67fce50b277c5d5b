"""The figures of a `grade` run: on the screen, and as JSON for `--summary`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridverify.agreement.run_figures import RunFigures, Tally
from hybridverify.cli.messages import say
from hybridverify.errors import InputError
from hybridverify.language.printable import printable
from hybridverify.records.streams import STDOUT

MAX_GROUPS_SHOWN = 20
_MILLION = 1_000_000


def judge_figures(stats: Mapping[str, float], price_in: float, price_out: float) -> dict[str, Any]:
    """What the judges did in this run. Prices are per million tokens; without any there is no `cost`. `saved` is what
    the cache and equal prompts saved; its tokens are estimated by the calls of this run, and 0 if there were none.

    >>> judge_figures({"called": 2, "cached": 1, "prompt_tokens": 4000.0, "output_tokens": 100.0}, 0.5, 2.0)["cost"]
    0.0022
    """
    counts = ("called", "cached", "deduplicated", "failed", "requests", "prompt_tokens", "output_tokens")
    told: dict[str, Any] = {name: int(stats.get(name, 0)) for name in counts}
    saved = told["cached"] + told["deduplicated"]
    share = saved / told["called"] if told["called"] else 0.0
    told["saved"] = {
        "calls": saved,
        "prompt_tokens": round(told["prompt_tokens"] * share),
        "output_tokens": round(told["output_tokens"] * share),
    }
    if price_in or price_out:
        for part in (told, told["saved"]):
            spent = part["prompt_tokens"] * price_in + part["output_tokens"] * price_out
            part["cost"] = round(spent / _MILLION, 6)
    return told


def write_summary(
    path: Path, figures: RunFigures, judge: Mapping[str, Any], out: Path, skipped_lines: int = 0
) -> None:
    """Write all figures as one JSON object; `-` is standard output."""
    told = {"output": str(out), "skipped_lines": skipped_lines, **figures.to_dict(), "judge": judge}
    text = json.dumps(told, ensure_ascii=False, indent=2)
    if path == STDOUT:
        say(text)
    else:
        path.write_text(text + "\n", encoding="utf-8")


def check_summary(summary: Path | None, inputs: Sequence[Path], out: Path) -> None:
    """Raises InputError where the figures cannot be written, or would take the place of another file of the run."""
    if summary is None:
        return
    if summary == STDOUT:
        if out == STDOUT:
            raise InputError("--summary -: standard output takes the rows (-o -); name a file")
        return
    if not summary.resolve().parent.is_dir():
        raise InputError(f"--summary {summary}: no such folder: {summary.parent}")
    if summary.is_dir():
        raise InputError(f"--summary {summary}: is a folder; name a file in it")
    if any(path.resolve() == summary.resolve() for path in inputs):
        raise InputError(f"--summary {summary}: is an input too; name another file")
    if out.resolve() == summary.resolve():
        raise InputError(f"--summary {summary}: is --output too; name another file")


def lines(figures: RunFigures, judge: Mapping[str, Any]) -> Iterator[str]:
    """What is printed before the closing line: accuracy, groups, samples of one prompt, the judges' tokens."""
    if figures.whole.rows:
        yield f"accuracy: {_accuracy(figures.whole)}"
    for column, groups in figures.groups.items():
        if len(groups) > 1:
            yield from _groups(column, groups)
    samples = figures.samples()
    if samples:
        open_rows = figures.whole.undecided or figures.whole.ungraded
        yield _samples(samples) + ("; undecided and ungraded rows count as not right" if open_rows else "")
    if judged := _judged(judge):
        yield f"judge: {judged}"


def _judged(judge: Mapping[str, Any]) -> str:
    saved, told = judge["saved"], []
    if judge["prompt_tokens"] or judge["output_tokens"]:
        told.append(f"{judge['prompt_tokens']:,} tokens read, {judge['output_tokens']:,} written")
    if judge.get("cost"):
        told.append(f"cost {judge['cost']:g}")
    if saved["calls"]:
        about = f" (about {saved['cost']:g})" if saved.get("cost") else ""
        told.append(f"{saved['calls']:,} calls saved by the cache and by equal prompts{about}")
    return "; ".join(told)


def _samples(samples: Mapping[str, Any]) -> str:
    shares = [f"pass@{k} {share:.1%}" for k, share in samples["pass_at"].items()]
    shares += [f"maj@{k} {share:.1%}" for k, share in samples["maj_at"].items()]
    low, high = samples["samples"]
    each = str(low) if low == high else f"{low} to {high}"
    prompts = "1 prompt" if samples["prompts"] == 1 else f"{samples['prompts']} prompts"
    return f"{prompts} with {each} samples: {', '.join(shares)}"


def _accuracy(tally: Tally) -> str:
    told = tally.to_dict()
    if not tally.decided:
        return f"no row is decided; {_rest(tally)}" if _rest(tally) else "no row is decided"
    low, high = told["interval"]
    text = f"{told['accuracy']:.1%} ({low:.1%} to {high:.1%}) of {tally.decided} decided rows"
    return f"{text}; {_rest(tally)}" if _rest(tally) else text


def _rest(tally: Tally) -> str:
    """The rows that accuracy says nothing of."""
    counts = ((tally.undecided, "undecided"), (tally.ungraded, "not graded"))
    return ", ".join(f"{count} {name}" for count, name in counts if count)


def _groups(column: str, groups: Mapping[str, Tally]) -> Iterator[str]:
    shown = sorted(groups.items(), key=lambda item: -item[1].rows)
    names = [printable(name).replace("\n", "\\n") or "(none)" for name, _ in shown[:MAX_GROUPS_SHOWN]]
    width = max(map(len, names))
    yield f"by {printable(column)}:"
    for name, (_, tally) in zip(names, shown, strict=False):
        yield f"  {name:<{width}}  {_accuracy(tally)}"
    if len(shown) > MAX_GROUPS_SHOWN:
        yield f"  and {len(shown) - MAX_GROUPS_SHOWN} smaller groups; --summary holds all"
