"""Long responses under a small context: question and reference stay whole, the tail is kept, the cut is marked."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.base import Prompt, Request, Subject
from hybridverify.judges.llm import LLMJudge
from hybridverify.judges.presets import PRESETS
from hybridverify.judges.truncate import CUT_MARK, tails
from hybridverify.types import Outcome, Sample, Verdict


class WordTokens(ScriptedBackend):
    """Counts a token for each word, however long: nothing like the bytes that the estimate goes by."""

    counted = 0

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        self.counted += 1
        return [len(text.split()) for text in texts]


def subject(response: str, question: str = "Which number?", reference: str = "42") -> Subject:
    return Subject(Sample(response, reference, question, meta={"criteria": "some"}), response, reply=response)


def prompt_of(prepared: Request | Verdict) -> str:
    assert isinstance(prepared, Request)
    return prepared.prompt.text or prepared.prompt.messages[-1].content


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("backend", [ScriptedBackend, WordTokens])
def test_a_response_of_32k_tokens_is_judged_under_a_4k_context(
    name: str, backend: type[ScriptedBackend]
) -> None:
    if name == "master_rm":  # shows one line
        response = "step " * 40_000 + "so the answer is 42"
    else:
        response = "\n".join(f"step {i} of the work" for i in range(16_000)) + "\nso the answer is 42"
    engine = backend("True", context_tokens=4096)
    judge = LLMJudge(name, engine)
    question = "Which number is it, of all {numbers}? " * 10
    (prepared,) = judge.prepare([subject(response, question, "42 (forty-two)")])
    text = prompt_of(prepared)
    assert question.strip() in text
    assert "so the answer is 42" in text
    assert CUT_MARK.strip() in text
    if name != "rubric":
        assert "42 (forty-two)" in text
    assert "step 0 of" not in text
    (tokens,) = engine.count_tokens([text])
    room = 4096 - judge.sampling.max_tokens
    assert room // 2 < tokens <= room


def test_a_prompt_that_fits_is_not_touched_and_not_counted() -> None:
    engine = WordTokens("True", context_tokens=4096)
    (prepared,) = LLMJudge("tinyv", engine).prepare([subject("so 42")])
    assert CUT_MARK.strip() not in prompt_of(prepared)
    assert engine.counted == 0


def test_without_a_known_context_nothing_is_cut() -> None:
    response = "word " * 50_000
    (prepared,) = LLMJudge("xverify", ScriptedBackend("Correct")).prepare([subject(response)])
    assert response.strip() in prompt_of(prepared)


def test_the_setting_wins_over_the_engine_and_the_engine_over_the_preset() -> None:
    response = "word " * 20_000
    lengths = []
    for setting, engine in ((3000, 9000), (None, 9000), (None, 0)):
        judge = LLMJudge("tinyv", ScriptedBackend("True", context_tokens=engine), context_tokens=setting)
        lengths.append(len(prompt_of(judge.prepare([subject(response)])[0])) // 4)
    assert lengths[0] < 3000 <= lengths[1] < 9000
    assert 3000 < lengths[2] < 4096


def test_a_limit_on_the_response_alone_cuts_it_whatever_the_context() -> None:
    judge = LLMJudge("xverify", ScriptedBackend("Correct"), response_tokens=100)
    (prepared,) = judge.prepare([subject("word " * 5000 + "end")])
    shown = prompt_of(prepared).partition(CUT_MARK)[2].partition('"""')[0]
    assert shown.endswith("end")
    assert 350 < len(shown) <= 400


@pytest.mark.parametrize("part", ["question", "reference"])
def test_what_cannot_be_cut_makes_it_too_long(part: str) -> None:
    long = "x" * 20_000
    row = subject("so 42", question=long) if part == "question" else subject("so 42", reference=long)
    (verdict,) = LLMJudge("tinyv", ScriptedBackend("True", context_tokens=2048)).prepare([row])
    assert isinstance(verdict, Verdict)
    assert (verdict.outcome, verdict.source) == (Outcome.TOO_LONG, "judge:tinyv")
    assert verdict.reason == "the prompt does not fit the judge's context of 2048 tokens"


def test_one_row_that_is_too_long_costs_the_others_nothing() -> None:
    judge = LLMJudge("tinyv", ScriptedBackend("True", context_tokens=2048))
    prepared = judge.prepare(
        [subject("so 42"), subject("so 42", question="x" * 20_000), subject("word " * 9000)]
    )
    assert [type(item).__name__ for item in prepared] == ["Request", "Verdict", "Request"]
    assert CUT_MARK.strip() in prompt_of(prepared[2])


def test_equal_rows_are_cut_alike_whatever_stands_beside_them() -> None:
    judge = LLMJudge("compass_verifier", ScriptedBackend("A", context_tokens=4096))
    rows = [subject(f"{i} word " * 9000) for i in range(3)]
    together = judge.prepare(rows)
    assert [judge.prepare([row])[0] for row in rows] == together


def test_values_that_grow_when_made_inert_still_fit() -> None:
    engine = ScriptedBackend("A", context_tokens=3072)
    (prepared,) = LLMJudge("compass_verifier", engine, sampling={"max_tokens": 64}).prepare(
        [subject("<s></s>" * 9000)]
    )
    assert engine.count_tokens([prompt_of(prepared)])[0] <= 3072 - 64


def test_tails_fit_and_are_nearly_as_long_as_they_may_be() -> None:
    draw = random.Random(3)
    alphabet = ["a", "word", "é", "数", "\n", " ", "x" * 30]
    texts = ["".join(draw.choices(alphabet, k=draw.randint(1, 4000))) for _ in range(40)]
    for engine in (ScriptedBackend(""), WordTokens("")):
        counts = engine.count_tokens(texts)
        rooms = [draw.randint(1, max(1, count)) for count in counts]
        kept = tails(texts, rooms, engine)
        for text, room, count, tail in zip(texts, rooms, counts, kept, strict=True):
            assert text.endswith(tail)
            (tokens,) = engine.count_tokens([tail])
            assert tokens <= room
            if count > room > 40:
                assert tokens * 10 >= room * 8


def test_a_hook_s_prompt_is_sent_as_it_is() -> None:
    judge = LLMJudge(
        "generic",
        ScriptedBackend("1", context_tokens=100),
        hooks={"preprocess": lambda p, r, t: ["x" * 5000 for _ in p]},
    )
    (prepared,) = judge.prepare([subject("so 42")])
    assert isinstance(prepared, Request)
    assert prepared.prompt == Prompt(text="x" * 5000)
