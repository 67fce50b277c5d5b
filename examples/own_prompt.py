"""A prompt of your own: a text file with its parser in the head, tried here without a model.

With a model it is one entry of a configuration file:
    judges: [{template_file: own_prompt.txt, backend: {name: openai, model: ..., base_url: ...}}]
"""

from __future__ import annotations

from pathlib import Path

import hybridverify as hv
from hybridverify.judges.template_file import load_template
from hybridverify.testing import ScriptedJudge

PRESET = load_template(Path(__file__).with_name("own_prompt.txt"))
REPLIES = {
    "Table salt": "NaCl is table salt.\nGrade: SAME",
    "Baking soda": "Another substance.\nGrade: DIFFERENT",
    "Rock salt": "Hard to say. It could be the same thing",
}


def main() -> None:
    judge = ScriptedJudge(REPLIES, preset=PRESET)
    with hv.Verifier(policy="judge_only", judges=[judge]) as verifier:
        for answer in REPLIES:
            (grade,) = verifier.grade([hv.Sample(answer, "NaCl", "What is left when sea water dries?")])
            print(f"{answer:<12} {grade.outcome.value:<11} graded: {grade.graded}")
    print(judge.prompts[0])


if __name__ == "__main__":
    main()
