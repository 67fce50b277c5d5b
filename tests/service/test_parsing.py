"""Large bodies are read in windows, to the same values and faults as in one go."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from hybridverify.service import lists, parsing
from hybridverify.service.asked import lines_of
from hybridverify.service.bites import Bites, in_bites
from hybridverify.service.rows import Malformed, parsed

LETTERS = 'ab,"]}[{\\ é中😀\n1:'


def in_windows(body: bytes) -> Any:
    return asyncio.run(parsing.parsed_in_bites(body))


def outcome(read: Callable[[bytes], Any], body: bytes) -> tuple[Any, ...]:
    try:
        return ("read", read(body))
    except Malformed as fault:
        return (fault.status, str(fault).split(":")[1][:9])


def made(chance: random.Random, depth: int = 0) -> Any:
    """Some value."""
    kind = chance.randrange(9 if depth < 5 else 6)
    if kind == 0:
        return chance.choice([None, True, False])
    if kind == 1:
        return chance.randrange(-(10 ** chance.randrange(1, 30)), 10**9)
    if kind == 2:
        return chance.random() * 10.0 ** chance.randrange(-9, 9)
    if kind < 6:
        return "".join(chance.choices(LETTERS, k=chance.randrange(12)))
    if kind < 8:
        return [made(chance, depth + 1) for _ in range(chance.randrange(6))]
    return {f"k{chance.randrange(9)}": made(chance, depth + 1) for _ in range(chance.randrange(5))}


def damaged(chance: random.Random, text: str) -> str:
    """The text with a character more, less or changed, half of the times."""
    if chance.random() < 0.5:
        return text
    at, what = chance.randrange(len(text) + 1), chance.randrange(3)
    return text[:at] + (chance.choice(',]}[{":1 e.-') if what else "") + text[at + (what != 1) :]


@pytest.mark.parametrize("seed", range(5))
def test_every_text_is_read_as_in_one_go(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "WINDOW", 20)
    chance = random.Random(seed)
    for _ in range(400):
        value = made(chance)
        text = json.dumps(value, ensure_ascii=chance.random() < 0.5, indent=chance.choice([None, None, 1]))
        body = damaged(chance, text).encode()
        assert outcome(in_windows, body) == outcome(parsed, body), body


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b"[" + b" " * 70_000 + b"NaN]", "NaN is no JSON value"),
        (b"[" * 200_000, "nested too deeply"),
        ((b"[" + b" " * 70_000) * 150 + b"]" * 150, "nested too deeply"),
        (b"[1," + b" " * 70_000 + b"]", "Expecting value, at character 70003"),
        (b"[," + b"1," * 50_000 + b"1]", "Expecting value, at character 1"),
        (b'{"a":' + b" " * 70_000 + b"1,}", "property name enclosed in double quotes, at character 70007"),
        (b'{"a":"' + b"x" * 70_000, "Unterminated string"),
        (b"[" + b"9" * 70_000 + b"]", "Exceeds the limit"),
        (b"[" + b"1," * 50_000 + b"1]]", "Extra data, at character 100003"),
        ("é".encode() * 40_000 + b"\xff", "not UTF-8, at byte 80000"),
        (b" " * 70_000, "Expecting value"),
    ],
)
def test_a_fault_in_a_large_body_is_told(body: bytes, fault: str) -> None:
    with pytest.raises(Malformed, match=fault) as raised:
        in_windows(body)
    assert raised.value.status == 400


def test_a_character_may_lie_on_the_border_of_two_pieces() -> None:
    text = "é" * 700_000
    assert in_windows(json.dumps(["x" + text], ensure_ascii=False).encode()) == ["x" + text]


@pytest.mark.parametrize(
    "body",
    [
        json.dumps([[n, str(n)] for n in range(60_000)]).encode(),
        json.dumps({"a": {str(n): n for n in range(60_000)}}).encode(),
        json.dumps({"rows": [{"response": "x, y " * 400} for _ in range(500)]}).encode(),
    ],
    ids=["lists", "keys", "rows"],
)
def test_others_have_turns_while_a_large_body_is_read(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    rests = 0

    class Impatient(Bites):
        over = True

        async def rest(self) -> None:
            nonlocal rests
            rests += 1

    monkeypatch.setattr(parsing, "Bites", Impatient)
    assert in_windows(body) == json.loads(body)
    assert rests >= len(body) / parsing.WINDOW


def test_a_list_of_numbers_is_read_many_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    read = parsing._Reader._value

    async def counted(reader: Any, at: int, depth: int) -> tuple[Any, int]:
        nonlocal calls
        calls += 1
        return await read(reader, at, depth)

    monkeypatch.setattr(parsing._Reader, "_value", counted)
    body = b"[" + b"1," * 500_000 + b"1]"
    assert len(in_windows(body)) == 500_001
    assert calls <= 2 * math.ceil(len(body) / parsing.WINDOW) + 1


def test_lines_are_counted_before_they_are_read() -> None:
    assert asyncio.run(lines_of(b'{"a": 1}\n\n \n{"a": 2}\n', 2)) == [{"a": 1}, {"a": 2}]
    with pytest.raises(Malformed, match="1000000 lines, and a request may have 2 rows") as raised:
        asyncio.run(lines_of(b"\n" * 1_000_000, 2))
    assert raised.value.status == 413
    with pytest.raises(Malformed, match="row 1: not JSON"):
        asyncio.run(lines_of(b"{}\n{", 2))


def test_bites_end_by_their_clock() -> None:
    now = iter([0.0, 0.001, 0.003, 0.003, 0.004])
    bites = Bites(0.002, lambda: next(now))
    assert (bites.over, bites.over) == (False, True)
    asyncio.run(bites.rest())
    assert not bites.over


def test_items_keep_their_order_and_numbers() -> None:
    assert asyncio.run(in_bites("abc", lambda at, item: f"{at}{item}")) == ["0a", "1b", "2c"]


MANY = [b"[]", b"[1,[2]]", b'{"a":{}}', b"[" * 40 + b"]" * 40, b'["' + b"x" * 20 + b'",[],[]]']


@pytest.mark.parametrize("value", MANY)
def test_more_lists_than_are_allowed_are_refused(value: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_LISTS", 5_000)
    monkeypatch.setattr(lists, "CHARACTERS_A_LIST", 10_000)
    count = lists.lists_in([json.loads(value)])
    for rows, refused in ((5_000 // count, False), (5_000 // count + 2, True)):
        for form in (b"[%s" % (b"1," * 40_000) + b"%s]", b'{"a":[%s"",' % (b'"[[[",' * 20_000) + b"%s]}"):
            body = form % b",".join([value] * rows)
            if refused:
                with pytest.raises(Malformed, match="more than 5,000 lists and objects") as told:
                    in_windows(body)
                assert told.value.status == 413
            else:
                assert in_windows(body) == json.loads(body)


def test_a_longer_body_may_hold_more_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_LISTS", 100)
    row = b'{"response": "%s", "reference": ["7"]}' % (b"[]{}" * 8)  # brackets of a text are none
    body = b"[%s]" % b",".join([row] * 4_000)
    assert in_windows(body) == json.loads(body)


def test_lines_of_a_body_share_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_LISTS", 5_000)
    body = b"\n".join([b"[%s]" % b",".join([b"[]"] * 999)] * 6)
    with pytest.raises(Malformed, match="more than 5,000 lists and objects"):
        asyncio.run(lines_of(body, 10))
    assert len(asyncio.run(lines_of(b"\n".join(body.split(b"\n")[:5]), 10))) == 5
