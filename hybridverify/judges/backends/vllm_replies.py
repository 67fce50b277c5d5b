"""From what vLLM gives back to replies: texts and log-probabilities by token text, made from ids.

The engine is asked not to turn ids into text: it would do so token by token for each request, and the host, not
the GPU, is what bounds a small judge. Here each distinct reply is decoded once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.judges.base import Reply


class ReplyReader:
    """Reads outputs with the engine's own tokenizer, which knows the special tokens; keeps what it decoded."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._texts: dict[int, str] = {}

    def replies(self, outputs: Sequence[Any], seconds: float) -> list[Reply]:
        """One reply for each output, in order. `seconds` is what the whole batch took."""
        share = seconds / max(1, len(outputs))
        decoded = self._decoded(outputs)
        return [self._reply(output, decoded, share) for output in outputs]

    def _reply(self, output: Any, decoded: Mapping[tuple[int, ...], str], seconds: float) -> Reply:
        draws = output.outputs
        return Reply(
            tuple([draw.text or decoded.get(_shown(draw), "") for draw in draws]),
            tuple([draw.finish_reason or "" for draw in draws]),
            tuple([self._top(position) for position in draws[0].logprobs]) if draws[0].logprobs else (),
            len(output.prompt_token_ids or ()),
            sum([len(draw.token_ids) for draw in draws]),
            seconds,
        )

    def _decoded(self, outputs: Sequence[Any]) -> dict[tuple[int, ...], str]:
        """The text of each distinct reply that came as ids alone."""
        wanted = list({_shown(draw): None for output in outputs for draw in output.outputs if not draw.text})
        if not wanted or self._tokenizer is None:
            return {}
        decode_all = getattr(self._tokenizer, "batch_decode", None)
        if decode_all is not None:
            texts = decode_all([list(ids) for ids in wanted], skip_special_tokens=True)
        else:
            texts = [self._tokenizer.decode(list(ids), skip_special_tokens=True) for ids in wanted]
        return dict(zip(wanted, texts, strict=True))

    def _top(self, position: Mapping[int, Any]) -> dict[str, float]:
        top: dict[str, float] = {}
        for token, found in sorted(position.items(), key=lambda item: -item[1].logprob):
            # the likeliest of tokens that read alike
            top.setdefault(found.decoded_token or self._text(token), found.logprob)
        return top

    def _text(self, token: int) -> str:
        """A token as it stands inside a text: decoded alone, some tokenizers drop its leading blank."""
        if token not in self._texts:
            text = str(self._tokenizer.decode([token]))
            convert = getattr(self._tokenizer, "convert_ids_to_tokens", None)
            piece = str(convert(token) or "") if convert is not None else ""
            self._texts[token] = f" {text}" if piece.startswith("▁") and not text.startswith(" ") else text
        return self._texts[token]


def _shown(draw: Any) -> tuple[int, ...]:
    """The ids that belong to the text: without the token that ended it."""
    ids = tuple(draw.token_ids)
    ended = draw.finish_reason == "stop" and not isinstance(draw.stop_reason, str)
    return ids[:-1] if ended else ids
