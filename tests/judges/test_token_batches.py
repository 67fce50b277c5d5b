"""Which prompts are read together."""

from __future__ import annotations

from hybridverify.judges.backends.token_batches import Family, batches, common_prefix, families

QUESTION = list(range(100, 150))


def test_one_token_of_every_prompt_is_left_to_be_read() -> None:
    assert common_prefix([[1, 2, 3], [1, 2, 3]]) == 2
    assert common_prefix([[5]]) == 0


def test_candidates_of_one_question_are_a_family() -> None:
    prompts = [[*QUESTION, 1], [9, 9, 9], [*QUESTION, 2, 3]]
    found = {group.places: group.stem for group in families(prompts)}
    assert found == {(0, 2): 50, (1,): 2}


def test_what_all_prompts_share_makes_no_family() -> None:
    prompts = [[*QUESTION, 1, 5], [*QUESTION, 2, 6]]
    assert families(prompts, base=50) == [Family((0,), 51), Family((1,), 51)]


def test_a_family_does_not_give_up_its_question_for_a_distant_relative() -> None:
    prompts = [[*QUESTION, 1], [*QUESTION, 2], [*QUESTION[:35], 7]]
    assert {group.places for group in families(prompts)} == {(0, 1), (2,)}


def test_a_prompt_that_another_one_continues_keeps_a_token_of_its_own() -> None:
    prompts = [QUESTION, [*QUESTION, 1]]
    assert families(prompts) == [Family((0, 1), 49)]


def test_every_prompt_is_in_one_batch_and_families_stay_together() -> None:
    prompts = [[*QUESTION, 1], [1] * 60, [*QUESTION, 2], [2] * 10]
    found = list(batches(prompts, families(prompts), more=4, batch_size=2, max_tokens=1000))
    assert found == [[0, 2], [1, 3]]


def test_padding_and_reply_count_for_the_budget() -> None:
    prompts = [[1] * 10, [2] * 4, [3] * 4, [4] * 30]
    alone = [Family((place,), 0) for place in range(4)]
    found = list(batches(prompts, alone, more=2, batch_size=9, max_tokens=24))
    assert found == [[3], [0, 1], [2]]
