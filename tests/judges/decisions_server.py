"""A server with typed decisions in the shapes of vLLM 0.33 and of OpenAI's client 3.57, which misbehaves on demand.

It refuses what vLLM refuses: unknown fields, too many questions, fewer than two options.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.judges.server import Asked, Behaviour, JudgeServer

REQUEST = {"model", "input", "questions", "safety_identifier", "joint", "cache_salt"}
SYSTEMONE = {"model", "state", "questions", "instructions", "cache_salt", "priority", "request_id"}
NOT_IMPLEMENTED = (
    '{"error": {"message": "The model does not support the Decisions API", "type": "NotImplementedError",'
    ' "param": null, "code": 501}}'
)
NO_PATH = '{"detail": "Not Found"}'


@dataclass
class DecisionsServer(JudgeServer):
    """`likely` gives P(first option) of a question's text; `lacks` are endpoints that are not there."""

    likely: Callable[[str], float] = lambda text: 0.9
    mass: float = 0.98
    lacks: Mapping[str, Behaviour] = field(default_factory=dict)
    most_questions: int = 64

    def __enter__(self) -> DecisionsServer:
        super().__enter__()
        return self

    def typed(self) -> list[dict[str, Any]]:
        """The bodies of the questions that were asked in types."""
        return [asked.body for asked in self.asked if "questions" in asked.body]

    def chats(self) -> list[Asked]:
        """The requests by chat."""
        return [asked for asked in self.asked if asked.path.endswith("/chat/completions")]

    def _completion(self, asked: Asked, behaviour: Behaviour) -> tuple[int, str]:
        name = asked.path.rpartition("/")[2]
        if name not in ("decisions", "systemone"):
            return super()._completion(asked, behaviour)
        if name in self.lacks:
            return self.lacks[name].status, self.lacks[name].text or ""
        if self._refuses(asked):
            return 401, '{"error": {"message": "Unauthorized"}}'
        fault = self._fault(name, asked.body)
        if fault:
            return 400, json.dumps({"error": {"message": fault, "type": "BadRequestError", "code": 400}})
        reply = self._decisions(asked.body) if name == "decisions" else self._systemone(asked.body)
        return 200, json.dumps(behaviour.edit(reply) if behaviour.edit else reply)

    def _fault(self, name: str, body: dict[str, Any]) -> str:
        unknown = set(body) - (REQUEST if name == "decisions" else SYSTEMONE)
        if unknown:
            return f"Extra inputs are not permitted: {sorted(unknown)}"
        if len(body["questions"]) > self.most_questions:
            return f"questions: at most {self.most_questions} for this model"
        questions = body["questions"]
        for question in questions if isinstance(questions, list) else questions.values():
            if len(question.get("choices") or question.get("criteria") or ()) < 2:
                return "needs at least two options"
        return ""

    def _shares(self, text: str) -> tuple[float, float]:
        chance = self.likely(text)
        return chance, 1.0 - chance

    def _decisions(self, body: dict[str, Any]) -> dict[str, Any]:
        answers = []
        for question in body["questions"]:
            shares = self._shares(question["instructions"])
            values = [choice["value"] for choice in question["choices"]]
            answers.append(
                {
                    "type": "choice",
                    "name": question.get("name"),
                    "choice": values[shares.index(max(shares))],
                    "probabilities": [
                        {"value": value, "probability": share}
                        for value, share in zip(values, shares, strict=True)
                    ],
                    "confidence": max(shares) * self.mass,
                }
            )
        details = {"input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}}
        details |= {"output_tokens_details": {"reasoning_tokens": 0}}
        count = len(answers)
        usage = {"input_tokens": 50 * count, "output_tokens": count, "total_tokens": 51 * count, **details}
        return {"model": body["model"], "answers": answers, "usage": usage}

    def _systemone(self, body: dict[str, Any]) -> dict[str, Any]:
        answers, diagnostics = {}, {}
        for name, question in body["questions"].items():
            shares = self._shares(question["instructions"])
            names = list(question["criteria"])
            answers[name] = {
                "type": "choice",
                "choice": names[shares.index(max(shares))],
                "probabilities": dict(zip(names, shares, strict=True)),
                "confidence": max(shares) * self.mass,
            }
            diagnostics[name] = {"label_mass": self.mass, "argmax_is_label": True}
        usage = {"input_tokens": 50 * len(answers), "output_tokens": len(answers)}
        head = {"id": "decision-1", "object": "structured_decision", "created": 1, "model": body["model"]}
        return {**head, "answers": answers, "usage": usage, "diagnostics": diagnostics, "joint": None}
