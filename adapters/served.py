"""Finds out which judge runs on the server of the TinyV recipe, whose users start it and do not name it.

They serve a TinyV model or a rubric model beside the trainer and type neither a name nor a preset. The model is the
one that the server lists. The preset follows from its name, else from the columns of the rows.
"""

from __future__ import annotations

import json
import logging
import os
import re
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.adapters.programs import routed

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.openai_settings import addresses
from hybridverify.types import Sample

logger = logging.getLogger(__name__)

MODEL, PRESET = "model", "preset"
TIMEOUT_S = 10.0
MAX_BYTES = 1_000_000
NO_LIST_STATUSES = (403, 404, 405, 501)
"""Status codes of servers that may judge well but show no list of models."""


def preset_of(name: str) -> str:
    """The preset that the name of a model, folder or data source stands for; "" if it stands for none.

    >>> preset_of("zhangchenxu/TinyV-Qwen3-1.7B-Think"), preset_of("/ckpt/rubric-rm/step_80"), preset_of("/ckpt/80")
    ('tinyv_qwen3_think', 'rubric', '')
    """
    words = re.split(r"[^a-z0-9]+", name.casefold())
    if "rrm" in words or any(word.startswith("rubric") for word in words):
        return "rubric"
    if not any(word.startswith("tinyv") for word in words):
        return ""
    return "tinyv" + "".join(f"_{kind}" for kind in ("qwen3", "think") if kind in words)


def open_questions(given: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The settings of its one server that the recipe's user left out: model, preset, both or none."""
    judges = list(settings.get("judges") or ())
    if not given.get("tinyv_setup") or given.get("judges") or len(judges) != 1:
        return ()
    backend = judges[0].get("backend") or {}
    if backend.get("name") != "openai" or not backend.get("base_url"):
        return ()
    unsaid = {MODEL: not given.get("model"), PRESET: not given.get("judge")}
    return tuple(name for name, is_open in unsaid.items() if is_open)


class Served:
    """The judge's entry, as far as it is known. The server and the first judged rows complete it."""

    def __init__(self, settings: Mapping[str, Any], unsaid: Sequence[str]) -> None:
        self.unsaid = tuple(unsaid)
        self.entry: dict[str, Any] = dict(settings["judges"][0]) if unsaid else {}
        routes = settings.get("routes") or {}
        self._patterns = [str(name).casefold() for name, route in routes.items() if route.get("policy")]
        self._everything = settings.get("policy", "rule_only") != "rule_only"

    def settled(self, samples: Sequence[Sample]) -> dict[str, Any] | None:
        """The complete entry; None while no row needs it. Raises JudgeUnavailable if the server does not answer."""
        if not self.unsaid:
            return self.entry
        judged = [sample for sample in samples if self._may_ask(sample)]
        if not judged:
            return None
        backend = dict(self.entry["backend"])
        listed = listed_models(backend) if MODEL in self.unsaid else []
        if listed:
            backend["model"] = _chosen(listed, str(backend.get("model", "")))
        preset, why = str(self.entry.get("preset")), "as given"
        if PRESET in self.unsaid:
            preset, why = _preset(str(backend["model"]), judged)
        logger.warning(
            "judge at %s: model %r%s, preset %r %s; say model= and judge= if you mean others",
            backend["base_url"],
            backend["model"],
            f" of {len(listed)} that it serves" if len(listed) > 1 else "",
            preset,
            why,
        )
        self.entry, self.unsaid = {**self.entry, "preset": preset, "backend": backend}, ()
        return self.entry

    def _may_ask(self, sample: Sample) -> bool:
        return self._everything or routed(sample.data_source.strip().casefold(), self._patterns)


def listed_models(backend: Mapping[str, Any]) -> list[str]:
    """The names in the list of the first server that answers; empty if it shows no list.

    Raises JudgeUnavailable if no server answers.
    """
    trouble = ""
    for address in addresses(backend["base_url"]):
        try:
            return _listed(address, os.environ.get(str(backend.get("api_key_env") or ""), ""))
        except urllib.error.HTTPError as error:
            if error.code in NO_LIST_STATUSES:
                return []
            trouble = f"answers {error.code} to the question for its models"
        except (OSError, ValueError) as error:
            trouble = f"does not say what it serves: {type(error).__name__}: {error}"
    raise JudgeUnavailable(f"judge at {backend['base_url']} {trouble}")


def _listed(address: str, key: str) -> list[str]:
    headers = {"Authorization": f"Bearer {key}"} if key.strip() else {}
    request = urllib.request.Request(f"{address}/models", headers=headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:
        answer = json.loads(reply.read(MAX_BYTES))
    entries = answer.get("data") if isinstance(answer, dict) else None
    names = [entry.get("id") for entry in entries or () if isinstance(entry, dict)]
    return [name for name in names if isinstance(name, str) and name]


def _chosen(listed: Sequence[str], default: str) -> str:
    """The recipe's own model, else the first whose name stands for a preset, else the first."""
    return next((name for name in listed if name == default or preset_of(name)), listed[0])


def _preset(model: str, judged: Sequence[Sample]) -> tuple[str, str]:
    """The preset, and the reason for it."""
    if named := preset_of(model):
        return named, "by the model's name"
    sources = {preset_of(sample.data_source) for sample in judged}
    if "rubric" in sources and len(sources) == 1:
        return "rubric", "by data_source"
    if all(sample.meta.get("criteria") for sample in judged):
        return "rubric", "as the rows bring criteria"
    return "tinyv", "by data_source" if any(sources - {"rubric"}) else "as the recipe's own"
