"""From vLLM's output to replies: texts and log-probabilities by token text, made from ids.

The engine is asked not to turn ids into text. It would do so token by token for each request, and for a small judge
the host, not the GPU, is the bottleneck. Here each distinct reply is decoded once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hybridverify.judges.backends.vllm_logprobs import Positions, positions_of, with_texts
from hybridverify.judges.base import Reply

Ids = tuple[int, ...]


class Draw(NamedTuple):
    """One text of a reply, if the engine made it, and its ids."""

    text: str
    ids: Ids
    finish_reason: str


class Said(NamedTuple):
    """The parts of a reply without log-probabilities."""

    draws: tuple[Draw, ...]
    prompt_tokens: int
    output_tokens: int


class ReplyReader:
    """Reads outputs with the engine's own tokenizer, which knows the special tokens. Decoded tokens are kept."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._texts: dict[int, str] = {}

    def replies(self, outputs: Sequence[Any], seconds: float) -> list[Reply]:
        """One reply for each output, in order. Equal replies are one object. `seconds` is the time of the whole
        batch."""
        share = seconds / max(1, len(outputs))
        texts = self._decoded(outputs)
        made: dict[Said, Reply] = {}
        found = []
        for output in outputs:
            said = _said(output)  # making them for all outputs at once would burden the garbage collector
            if said not in made:
                made[said] = _reply(said, texts, share)
            reply = made[said]
            if logprobs := output.outputs[0].logprobs:
                reply = _beside(reply, self._positions(logprobs))
            found.append(reply)
        with_texts([one.logprobs for one in found if isinstance(one.logprobs, Positions)], self._text)
        return found

    def _decoded(self, outputs: Sequence[Any]) -> dict[Ids, str]:
        """The text of each distinct reply that came as ids alone."""
        found: dict[Ids, None] = {}
        for output in outputs:
            for draw in output.outputs:
                if not draw.text:
                    found[_shown(draw)] = None
        wanted = list(found)
        if not wanted or self._tokenizer is None:
            return {}
        decode_all = getattr(self._tokenizer, "batch_decode", None)
        if decode_all is not None:
            texts = decode_all([list(ids) for ids in wanted], skip_special_tokens=True)
        else:
            texts = [self._tokenizer.decode(list(ids), skip_special_tokens=True) for ids in wanted]
        return dict(zip(wanted, texts, strict=True))

    def _positions(self, given: Any) -> Sequence[Mapping[str, float]]:
        """Read at once where there is one position, or where the engine has made the texts."""
        if len(given) == 1 or next((one.decoded_token for one in given[0].values()), None):
            return tuple(map(self._top, given))
        return positions_of(given)

    def _top(self, position: Mapping[int, Any]) -> dict[str, float]:
        ranked: Iterable[tuple[int, Any]] = position.items()
        values = [found.logprob for _, found in ranked]
        if values != sorted(values, reverse=True):
            ranked = sorted(ranked, key=_logprob, reverse=True)
        top: dict[str, float] = {}
        for token, found in ranked:
            text = found.decoded_token or self._texts.get(token) or self._text(token)
            if text not in top:  # of tokens with equal text, the likeliest
                top[text] = found.logprob
        return top

    def _text(self, token: int) -> str:
        """A token as it stands inside a text. Decoded alone, some tokenizers drop its leading blank."""
        if token not in self._texts:
            text = str(self._tokenizer.decode([token]))
            convert = getattr(self._tokenizer, "convert_ids_to_tokens", None)
            piece = str(convert(token) or "") if convert is not None else ""
            self._texts[token] = f" {text}" if piece.startswith("▁") and not text.startswith(" ") else text
        return self._texts[token]


def _logprob(item: tuple[int, Any]) -> float:
    return float(item[1].logprob)


def _said(output: Any) -> Said:
    draws = [Draw(draw.text, _shown(draw), draw.finish_reason or "") for draw in output.outputs]
    tokens = sum([len(draw.token_ids) for draw in output.outputs])
    return Said(tuple(draws), len(output.prompt_token_ids or ()), tokens)


def _shown(draw: Any) -> tuple[int, ...]:
    """The ids of the text, without the token that ended it."""
    ids = tuple(draw.token_ids)
    ended = draw.finish_reason == "stop" and not isinstance(draw.stop_reason, str)
    return ids[:-1] if ended else ids


def _reply(said: Said, texts: Mapping[Ids, str], seconds: float) -> Reply:
    shown = tuple([draw.text or texts.get(draw.ids, "") for draw in said.draws])
    reasons = tuple([draw.finish_reason for draw in said.draws])
    return Reply(shown, reasons, (), said.prompt_tokens, said.output_tokens, seconds)


def _beside(reply: Reply, logprobs: Sequence[Mapping[str, float]]) -> Reply:
    """The reply with log-probabilities. Its text is shared with equal replies."""
    return Reply(
        reply.texts, reply.finish_reasons, logprobs, reply.prompt_tokens, reply.output_tokens, reply.seconds
    )
