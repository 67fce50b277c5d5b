"""Names to classes: checkers and backends, our own and those of installed plugins.

A plugin is an entry point in the group `hybridverify.checkers` or `hybridverify.backends`; every extension
point stands on this page.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any

from hybridverify.conventions import Conventions
from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.judges.base import Backend, Judge
from hybridverify.objects import load
from hybridverify.rules.base import Checker

if TYPE_CHECKING:
    from hybridverify.judges.backends.scorer import Scorer
    from hybridverify.judges.llm import LLMJudge

DEFAULT_RULES = ("exact", "choice", "gsm8k", "prime_math", "absent", "sympy")
"""Cheap rules first, workers last. The first sure verdict wins."""

_OPTIONS = {"model": " (--model M)", "base_url": " (--base-url U)"}
"""What sets a backend's parameter on the command line."""

CHECKERS: Mapping[str, str] = {
    "exact": "hybridverify.rules.exact:Exact",
    "choice": "hybridverify.rules.choice:Choice",
    "gsm8k": "hybridverify.rules.gsm8k:Gsm8k",
    "prime_math": "hybridverify.rules.prime_math:PrimeMath",
    "absent": "hybridverify.rules.absent.rule:Absent",
    "sympy": "hybridverify.rules.sympy_tier:SympyTier",
    "grade": "hybridverify.rules.grade:Grade",
    "grader_math_verify": "hybridverify.rules.graders.math_verify:math_verify",
    "grader_math_verify_verl": "hybridverify.rules.graders.math_verify:math_verify_verl",
    "grader_prime_math": "hybridverify.rules.graders.rules:prime_math",
    "grader_gsm8k_strict": "hybridverify.rules.graders.rules:gsm8k_strict",
    "grader_gsm8k_flexible": "hybridverify.rules.graders.rules:gsm8k_flexible",
    "grader_hendrycks": "hybridverify.rules.graders.rules:hendrycks",
    "grader_math_dapo": "hybridverify.rules.graders.rules:math_dapo",
    "grader_math_dapo_answer": "hybridverify.rules.graders.rules:math_dapo_answer",
}
"""Those named `grader_*` are graders of others, which the setting `grader` chooses."""
BACKENDS: Mapping[str, str] = {
    "decisions": "hybridverify.judges.backends.decisions:DecisionsBackend",
    "openai": "hybridverify.judges.backends.openai:OpenAIBackend",
    "scripted": "hybridverify.judges.backends.scripted:ScriptedBackend",
    "sglang": "hybridverify.judges.backends.sglang:SGLangBackend",
    "transformers": "hybridverify.judges.backends.transformers:TransformersBackend",
    "vllm": "hybridverify.judges.backends.vllm:VLLMBackend",
}

EMBEDDED = "embedded"
"""A preset that is its own backend: its model ships with the library."""

DECISIONS = "decisions"
"""A preset and the backend that it needs: servers with typed decisions."""

TRANSLATE = "translate"
"""A preset whose model only translates each side. The rules prove the equality."""

SCORERS: Mapping[str, str] = {
    "transformers": "hybridverify.judges.backends.scorer_transformers:TransformersScorer",
    "vllm": "hybridverify.judges.backends.scorer_vllm:VllmScorer",
    "http": "hybridverify.judges.backends.scorer_http:HttpScorer",
}
"""Engines of a `classifier` judge."""


def make_checkers(
    rules: str | Sequence[object], conventions: Conventions, thinking_tags: tuple[str, str]
) -> tuple[Checker, ...]:
    """The chain for a `rules` setting: "default", a name, or a list of names, checkers and user functions.

    Raises ConfigError for unknown names and for what is no rule.
    """
    if isinstance(rules, str):
        rules = DEFAULT_RULES if rules == "default" else (rules,)
    if not isinstance(rules, Sequence):
        raise ConfigError(f'rules: expected "default" or a list of rules, got {rules!r}')
    chain: list[Checker] = []
    for rule in rules:
        if rule == "default":
            chain += make_checkers("default", conventions, thinking_tags)
        else:
            chain.append(_checker(rule, conventions, thinking_tags))
    return tuple(chain)


def _checker(rule: object, conventions: Conventions, thinking_tags: tuple[str, str]) -> Checker:
    from hybridverify.rules.user import UserRule

    if isinstance(rule, str):
        if ":" in rule:
            return UserRule.from_name(rule)
        kind = find("checkers", "rule", rule, CHECKERS)
        offered = {"conventions": conventions, "thinking_tags": thinking_tags}
        wanted = inspect.signature(kind).parameters
        return kind(**{name: value for name, value in offered.items() if name in wanted})  # type: ignore[no-any-return]
    if isinstance(rule, Checker):
        return rule
    if callable(rule):
        return UserRule(rule)
    raise ConfigError(f"rules: {rule!r} is no rule; give a name, a checker, or a function of a sample")


def make_backend(settings: str | Mapping[str, Any] | Backend) -> Backend:
    """A backend from its name or from `{"name": ..., **options}`, or the backend itself. Raises ConfigError."""
    if isinstance(settings, Backend):
        return settings
    options: dict[str, Any] = {"name": settings} if isinstance(settings, str) else dict(settings)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise ConfigError("backend: needs a name, such as backend: {name: openai, model: ...}")
    return _engine(name, find("backends", "backend", name, BACKENDS), options)  # type: ignore[no-any-return]


def make_scorer(settings: Mapping[str, Any] | Scorer) -> Scorer:
    """The engine of a classifier from `{"name": "classifier", "engine": ..., **options}`, or the engine itself."""
    if not isinstance(settings, Mapping):
        return settings
    options = {name: value for name, value in settings.items() if name != "name"}
    engine = str(options.pop("engine", "transformers"))
    if engine not in SCORERS:
        raise ConfigError(f"backend.engine: no engine {engine!r}; {did_you_mean(engine, SCORERS)}")
    return _engine(f"classifier with engine {engine}", load(SCORERS[engine]), options)  # type: ignore[no-any-return]


def _engine(name: str, kind: Callable[..., Any], options: Mapping[str, Any]) -> Any:
    """The engine, made with its options. Raises ConfigError for an unknown option, with the nearest known name."""
    known = [p for p in inspect.signature(kind).parameters.values() if p.kind is not p.VAR_KEYWORD]
    for option in options:
        if option not in (names := [p.name for p in known]):
            raise ConfigError(f"backend.{option}: {name} has no such option; {did_you_mean(option, names)}")
    for parameter in known:
        if parameter.default is parameter.empty and parameter.name not in options:
            raise ConfigError(f"backend.{parameter.name}: {name} needs it{_OPTIONS.get(parameter.name, '')}")
    return kind(**options)


def make_judge(settings: Mapping[str, Any] | Judge) -> Judge:
    """A judge from its entry in a configuration; a judge is returned as it is. Raises ConfigError."""
    if isinstance(settings, Judge):
        return settings
    if not isinstance(settings, Mapping):
        raise ConfigError(
            f"judges: expected an entry with preset and backend, got {settings!r}{_entry_for(settings)}"
        )
    from hybridverify.config.judge_entries import classifier_settings, embedded_settings, judge_settings

    if EMBEDDED in (settings.get("preset"), backend_name(settings)):
        from hybridverify.judges.embedded import EmbeddedJudge

        return EmbeddedJudge(**embedded_settings(settings))
    if settings.get("preset") == TRANSLATE:
        return _translator_judge(settings)
    if DECISIONS in (settings.get("preset"), backend_name(settings)):
        return _decisions_judge(settings)
    if backend_name(settings) == "classifier":
        return _classifier_judge(classifier_settings(settings))
    return _llm_judge(judge_settings(settings))


def _entry_for(name: object) -> str:
    """What to write for a judge that was given by the name of its preset."""
    from hybridverify.judges.presets import PRESETS

    if not isinstance(name, str):
        return ""
    if name == EMBEDDED:
        return f'; write {{"preset": "{EMBEDDED}"}}'
    known = (EMBEDDED, DECISIONS, TRANSLATE, *PRESETS)
    if name not in known:
        return f"; {did_you_mean(name, known)}"
    backend = DECISIONS if name == DECISIONS else "openai"
    return (
        f'; write {{"preset": "{name}", "backend": {{"name": "{backend}", "model": ..., "base_url": ...}}}}'
    )


def backend_name(entry: Mapping[str, Any]) -> str:
    """The name of the backend in an entry of `judges`, or "" where it names none or brings an object.

    >>> backend_name({"preset": "tinyv", "backend": {"name": "openai"}}), backend_name({"preset": "embedded"})
    ('openai', 'embedded')
    """
    backend = entry.get("backend")
    name = backend.get("name") if isinstance(backend, Mapping) else backend
    if not name and entry.get("preset") == EMBEDDED:
        return EMBEDDED
    return name if isinstance(name, str) else ""


def _classifier_judge(settings: Mapping[str, Any]) -> Judge:
    from hybridverify.config.judge_entries import judge_settings
    from hybridverify.judges.classifier import ClassifierJudge

    options = dict(settings)
    backend = options.pop("backend")
    critique = options.pop("critique", None)
    if critique is not None:
        options["critique"] = _llm_judge(judge_settings(critique, "critique: "))
    return ClassifierJudge(make_scorer({} if backend == "classifier" else backend), **options)


def _decisions_judge(settings: Mapping[str, Any]) -> Judge:
    from hybridverify.config.judge_entries import decisions_settings
    from hybridverify.judges.decisions import DecisionsJudge

    options = dict(decisions_settings(settings))
    return DecisionsJudge(make_backend(options.pop("backend")), **options)


def _translator_judge(settings: Mapping[str, Any]) -> Judge:
    from hybridverify.config.judge_entries import translator_settings
    from hybridverify.judges.translation.judge import TranslatorJudge

    options = dict(translator_settings(settings))
    return TranslatorJudge(make_backend(options.pop("backend")), **options)


def _llm_judge(settings: Mapping[str, Any]) -> LLMJudge:
    from hybridverify.judges.llm import LLMJudge

    options = dict(settings)
    backend = make_backend(options.pop("backend"))
    return LLMJudge(backend=backend, **options)


def find(group: str, noun: str, name: str, known: Mapping[str, str]) -> Callable[..., Any]:
    """The class of that name: the library's own, else an installed plugin's. Raises ConfigError."""
    if name in known:
        return load(known[name])  # type: ignore[no-any-return]
    plugins = {point.name: point for point in metadata.entry_points(group=f"hybridverify.{group}")}
    if name not in plugins:
        raise ConfigError(f"no {noun} {name!r}; {did_you_mean(name, [*known, *plugins])}")
    try:
        return plugins[name].load()  # type: ignore[no-any-return]
    except Exception as error:  # a plugin may fail in any way; the user needs its name and the kind of fault
        raise ConfigError(
            f"plugin {noun} {name!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
