"""Hooks as the users of several reward models write them: prompts in, scores out."""

from __future__ import annotations

from typing import Any


def rm_preprocess(text_prompts: list[str], text_responses: list[str], tgt_tokenizer: Any) -> list[str]:
    return [f"{prompt} => {response}" for prompt, response in zip(text_prompts, text_responses, strict=True)]


def rm_postprocess(results: list[str]) -> list[float]:
    return [float(result) for result in results]
