"""Keys that never change, verdicts that come back bit for bit, and what is not kept."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from collections import OrderedDict
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybridverify.cache import Cache, MemoryCache, NoCache, ScoreCache, fingerprint, key, keys
from hybridverify.cache.content_key import canonical_json
from hybridverify.cache.entry import decode, encode, storable
from hybridverify.cache.location import cache_folder, network_filesystem
from hybridverify.errors import ConfigError
from hybridverify.types import Outcome, Verdict

GOLDEN = json.loads((Path(__file__).parent / "golden" / "cache_keys.json").read_text(encoding="utf-8"))

YES = Verdict(Outcome.CORRECT, 1.0, "judge:tinyv", "42", "True", seconds=0.7, p_yes=0.93, p_mass=0.99)
NO = Verdict(Outcome.INCORRECT, 0.0, "rule:exact", "7", "7 is not 8")


# Keys


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
def test_keys_are_those_that_earlier_runs_paid_for(case: dict[str, str]) -> None:
    arguments = json.loads(case["arguments"])
    assert key(*arguments) == case["key"]


def test_key_is_the_hash_of_sorted_json_without_spaces() -> None:
    text = '{"identity":{"a":1,"b":[true,null]},"namespace":"n","payload":"é","stage":"judge"}'
    import hashlib

    expected = hashlib.sha256(text.encode("utf-8")).hexdigest()
    assert key("judge", {"b": (True, None), "a": 1}, "é", "n") == expected


BASE = ("judge", {"model": "m", "sampling": {"temperature": 0.0}}, [["user", "Is 2 equal to 2?"]], "ns")


@pytest.mark.parametrize(
    "changed",
    [
        ("rule", BASE[1], BASE[2], "ns"),
        ("judge", {"model": "other", "sampling": {"temperature": 0.0}}, BASE[2], "ns"),
        ("judge", {"model": "m", "sampling": {"temperature": 0.1}}, BASE[2], "ns"),
        ("judge", {"model": "m", "sampling": {"temperature": 0.0}, "n": 1}, BASE[2], "ns"),
        ("judge", BASE[1], [["user", "Is 2 equal to 3?"]], "ns"),
        ("judge", BASE[1], [["system", "Is 2 equal to 2?"]], "ns"),
        ("judge", BASE[1], BASE[2], ""),
    ],
)
def test_a_change_of_any_part_gives_another_key(changed: tuple[str, dict[str, object], object, str]) -> None:
    assert key(*changed) != key(*BASE)


def test_no_part_can_pose_as_another() -> None:
    assert key("judge", {}, "", "x") != key("judge", {}, "x", "")
    assert key("judge", {}, '","stage":"rule"}') != key("rule", {}, "")


@pytest.mark.parametrize(
    "payloads",
    [
        [1, "1", 1.0, True, [1], None, "", [], {}, False, 0],
        ["é", "e\u0301", "É", "é "],
        ["\ud83d\ude00", "😀", "\ud83d", "\ude00", "\\ud83d\\ude00"],
        [{"a": 1}, {"a": "1"}, {"b": 1}, [["a", 1]]],
        [[1, 2], [2, 1], [[1], 2], [1, [2]]],
    ],
    ids=["types", "accents", "surrogates", "mappings", "lists"],
)
def test_different_payloads_have_different_keys(payloads: list[object]) -> None:
    assert len(set(keys("rule", {}, payloads))) == len(payloads)


def test_order_of_a_mapping_and_kind_of_a_sequence_do_not_matter() -> None:
    plain = key("judge", {"a": 1, "b": {"x": [1, 2], "y": None}}, ["q"])
    other = OrderedDict([("b", MappingProxyType({"y": None, "x": (1, 2)})), ("a", 1)])
    assert key("judge", other, ("q",)) == plain


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        {1, 2},
        frozenset(),
        b"x",
        pytest.param(object(), id="object()"),
        {1: "a"},
        [{"x": [{None: 1}]}],
        ({"a": -math.inf},),
    ],
    ids=repr,
)
def test_what_json_cannot_hold_exactly_is_refused(value: object) -> None:
    with pytest.raises(ConfigError, match="cache key"):
        key("judge", {"value": value}, "")


def test_a_value_that_holds_itself_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ConfigError, match="cache key"):
        key("judge", {}, loop)


def test_many_keys_are_the_keys_one_by_one() -> None:
    payloads = ["a", ["b", 1], {"c": 2.5}]
    assert keys("rule", {"name": "x"}, payloads, "n") == [
        key("rule", {"name": "x"}, p, "n") for p in payloads
    ]


def test_keys_do_not_depend_on_the_hash_seed_or_the_locale() -> None:
    code = "from hybridverify.cache import key; print(key('judge', {'b': 'é', 'a': [1.0, True]}, '\\ud800x'))"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale},
            capture_output=True,
            check=True,
            cwd=Path(__file__).parent.parent,
        ).stdout
        for seed, locale in (("1", "C"), ("2", "C.UTF-8"))
    }
    assert len(found) == 1
    assert found.pop().decode().strip() == key("judge", {"a": [1.0, True], "b": "é"}, "\ud800x")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(json_values)
def test_canonical_json_reads_back_as_the_same_value(value: object) -> None:
    assert json.loads(canonical_json(value)) == value


def test_fingerprint_is_short_and_follows_content() -> None:
    assert len(fingerprint({"a": 1})) == 16
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})


# Entries


texts = st.text(st.characters(), max_size=40)  # lone surrogates among them
numbers = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(Outcome), numbers, texts, texts, texts, numbers)
def test_a_hit_is_bit_equal_or_a_miss(
    outcome: Outcome, score: float, source: str, answer: str, reason: str, p: float
) -> None:
    verdict = Verdict(outcome, score, source, answer, reason, p_yes=p, p_mass=-p)
    read = decode("k", encode("k", verdict))
    if read is None:  # only two halves of one character side by side cannot be written
        assert any("\ud800" <= letter <= "\udbff" for letter in source + answer + reason)
    else:
        assert replace(read, cached=False) == verdict
        assert [repr(value) for value in asdict(replace(read, cached=False)).values()] == [
            repr(value) for value in asdict(verdict).values()
        ]


@pytest.mark.parametrize(
    "answer", ["", "\x00", "日本 😀", "\ud800", "x\udfff", '"\\', "\u2028", "a" * 100_000]
)
def test_any_answer_survives_the_disk(tmp_path: Path, answer: str) -> None:
    verdict = replace(YES, answer=answer)
    cache = ScoreCache(tmp_path)
    cache.put_many({"k": verdict}, "judge")
    cache.close()
    assert cache.get_many(["k"]) == {"k": replace(verdict, cached=True, seconds=0.0)}
    cache.close()


def test_two_halves_of_one_character_are_not_joined() -> None:
    assert encode("k", replace(YES, answer="\ud83d\ude00")) == ""


def test_an_integer_score_stays_an_integer() -> None:
    read = decode("k", encode("k", Verdict(Outcome.CORRECT, 1)))
    assert read is not None
    assert repr(read.score) == "1"


def test_a_truth_value_is_no_score_and_is_not_stored() -> None:
    assert encode("k", Verdict(Outcome.CORRECT, True)) == ""


def test_an_entry_without_end_is_neither_stored_nor_read() -> None:
    assert encode("k", replace(YES, answer="a" * 1_000_001)) == ""
    assert decode("k", "[" * 2_000_000) is None


@pytest.mark.parametrize(
    "entry",
    [
        '{"verd',
        "",
        "1",
        "null",
        "[]",
        "[" * 5_000,
        '["00000000",{"outcome":"correct","score":1.0}]',
        17,
        17.5,
        None,
        b'["00000000",{}]',
        pickle.dumps(YES),
    ],
    ids=lambda entry: repr(entry)[:20],
)
def test_a_damaged_entry_is_no_verdict(entry: object) -> None:
    assert decode("k", entry) is None


@pytest.mark.parametrize(
    "body",
    [
        '{"outcome":"correct","score":1.0}',
        '{"outcome":"correct","score":NaN,"source":"","answer":"","reason":"","p_yes":-1.0,"p_mass":-1.0}',
        '{"outcome":"correct","score":1e999,"source":"","answer":"","reason":"","p_yes":-1.0,"p_mass":-1.0}',
        '{"outcome":"correct","score":1.0,"source":"","answer":"","reason":"","p_yes":1e999,"p_mass":-1.0}',
        '{"outcome":"correct","score":true,"source":"","answer":"","reason":"","p_yes":-1.0,"p_mass":-1.0}',
        '{"outcome":"correct","score":"1","source":"","answer":"","reason":"","p_yes":-1.0,"p_mass":-1.0}',
        '{"outcome":"correct","score":1.0,"source":7,"answer":"","reason":"","p_yes":-1.0,"p_mass":-1.0}',
        '{"outcome":"right","score":1.0,"source":"","answer":"","reason":"","p_yes":-1.0,"p_mass":-1.0}',
        '{"outcome":[],"score":1.0,"source":"","answer":"","reason":"","p_yes":-1.0,"p_mass":-1.0}',
        '{"outcome":"correct","score":1.0,"source":"","answer":"","reason":"","p_yes":-1.0,"p_mass":-1.0,"x":1}',
        '{"outcome":"correct","score":1'
        + "0" * 400
        + ',"source":"","answer":"","reason":"","p_yes":0,"p_mass":0}',
        '["correct",1.0]',
        "[" * 100_000,
    ],
    ids=lambda body: body[:45],
)
def test_an_entry_with_a_right_checksum_and_wrong_fields_is_no_verdict(body: str) -> None:
    from hybridverify.cache.entry import _checksum

    assert decode("k", f'["{_checksum("k", body)}",{body}]') is None


def test_an_entry_changed_in_one_character_or_moved_to_another_key_is_no_verdict() -> None:
    entry = encode("k", YES)
    assert decode("k", entry) is not None
    assert decode("other", entry) is None
    for place in range(len(entry)):
        assert decode("k", entry[:place] + "#" + entry[place + 1 :]) is None
    assert decode("k", entry.replace("correct", "invalid")) is None


# What is kept


@pytest.mark.parametrize(
    ("stage", "verdict", "kept"),
    [
        ("judge", YES, True),
        ("judge", NO, True),
        ("judge", Verdict(Outcome.PARTIAL, 0.5), True),
        ("judge", Verdict(Outcome.INVALID), True),
        ("judge", Verdict(Outcome.UNDECIDED, 0.5, p_yes=0.5), True),  # inside the abstain band
        ("judge", Verdict(Outcome.UNDECIDED, reason="tie: 1 to 1"), False),
        ("judge", Verdict(Outcome.FAILED), False),
        ("judge", Verdict(Outcome.TIMED_OUT), False),
        ("judge", Verdict(Outcome.UNPARSEABLE), False),
        ("judge", Verdict(Outcome.UNPARSEABLE, p_yes=0.9), False),
        ("judge", Verdict(Outcome.TOO_LONG), False),
        ("judge", Verdict(Outcome.SKIPPED), False),
        ("rule", NO, True),
        ("rule", Verdict(Outcome.UNDECIDED, reason="forms differ"), True),
        ("rule", Verdict(Outcome.UNDECIDED, reason="limit: 200 terms"), True),
        ("rule", Verdict(Outcome.UNDECIDED, reason="Time ran out"), False),
        ("rule", Verdict(Outcome.UNDECIDED, reason="no worker processes in a daemonic process"), False),
        ("rule", Verdict(Outcome.TIMED_OUT), False),
        ("rule", Verdict(Outcome.FAILED), False),
        ("rule", Verdict(Outcome.BAD_REFERENCE), False),
    ],
)
def test_only_final_verdicts_are_kept(tmp_path: Path, stage: str, verdict: Verdict, kept: bool) -> None:
    assert storable(verdict, stage) is kept
    for cache in (MemoryCache(), ScoreCache(tmp_path)):
        cache.put_many({"k": verdict}, stage)
        assert bool(cache.get_many(["k"])) is kept
        cache.close()


def test_every_outcome_has_been_thought_of() -> None:
    kept = {outcome for outcome in Outcome if storable(Verdict(outcome), "rule")}
    assert kept == {"correct", "incorrect", "partial", "invalid", "undecided"}


def test_a_verdict_with_nan_in_it_is_not_kept(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path)
    cache.put_many({"k": replace(YES, p_yes=math.nan)}, "judge")
    assert cache.get_many(["k"]) == {}
    cache.close()


# The caches


def test_a_hit_says_cached_and_holds_no_time(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path)
    cache.put_many({"k": replace(YES, cached=True)}, "judge")
    assert cache.get_many(["k", "absent", "k"]) == {"k": replace(YES, cached=True, seconds=0.0)}
    cache.close()


def test_memory_and_disk_answer_alike(tmp_path: Path) -> None:
    verdicts = {"a": YES, "b": NO, "c": Verdict(Outcome.FAILED)}
    memory, disk = MemoryCache(), ScoreCache(tmp_path)
    for cache in (memory, disk):
        cache.put_many(verdicts, "judge")
    assert memory.get_many(list("abcd")) == disk.get_many(list("abcd"))
    disk.close()


def test_verdicts_last_beyond_the_object(tmp_path: Path) -> None:
    first = ScoreCache(tmp_path)
    first.put_many({"k": YES, "l": NO}, "judge")
    first.close()
    second = ScoreCache(tmp_path)
    assert set(second.get_many(["k", "l"])) == {"k", "l"}
    second.close()


def test_a_verdict_is_seen_by_another_object_at_once(tmp_path: Path) -> None:
    writer, reader = ScoreCache(tmp_path), ScoreCache(tmp_path)
    assert reader.get_many(["k"]) == {}
    writer.put_many({"k": YES}, "judge")
    assert set(reader.get_many(["k"])) == {"k"}
    writer.close()
    reader.close()


def test_making_a_cache_touches_no_disk(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    cache.close()
    cache.put_many({"f": Verdict(Outcome.FAILED)}, "judge")
    assert cache.get_many([]) == {}
    assert not (tmp_path / "new").exists()


def test_a_closed_cache_opens_again(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path)
    cache.put_many({"k": YES}, "judge")
    cache.close()
    cache.close()
    assert set(cache.get_many(["k"])) == {"k"}
    cache.close()


def test_a_cache_travels_by_its_settings(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path, namespace="n", lock_wait_s=2.0)
    cache.put_many({"k": YES}, "judge")
    copy = pickle.loads(pickle.dumps(cache))  # noqa: S301
    assert (copy.path, copy.namespace, copy.lock_wait_s) == (tmp_path, "n", 2.0)
    assert set(copy.get_many(["k"])) == {"k"}
    copy.close()
    cache.close()


def test_no_cache_keeps_nothing() -> None:
    cache = NoCache()
    cache.put_many({"k": YES}, "judge")
    assert cache.get_many(["k"]) == {}


def test_every_cache_has_the_one_shape(tmp_path: Path) -> None:
    assert all(isinstance(cache, Cache) for cache in (MemoryCache(), NoCache(), ScoreCache(tmp_path)))


def test_many_threads_share_one_object(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path)
    missed: list[str] = []

    def work(number: int) -> None:
        for turn in range(20):
            names = [f"{number}-{turn}-{i}" for i in range(10)]
            cache.put_many(dict.fromkeys(names, YES), "judge")
            missed.extend(set(names) - set(cache.get_many(names)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missed == []
    cache.close()  # from another thread than those that used it


def _write_in_child(path: str, number: int, count: int) -> None:
    cache = ScoreCache(path)
    for turn in range(count):
        cache.put_many(
            {f"{number}-{turn}-{i}": replace(YES, answer=f"{number} {i}") for i in range(10)}, "judge"
        )
    cache.close()


def test_eight_processes_writing_at_once_lose_nothing(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    folder = tmp_path / "made by all of them"
    writers = [spawn.Process(target=_write_in_child, args=(str(folder), n, 20)) for n in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0] * 8
    cache = ScoreCache(folder)
    wanted = {f"{n}-{turn}-{i}": f"{n} {i}" for n in range(8) for turn in range(20) for i in range(10)}
    assert {name: verdict.answer for name, verdict in cache.get_many(list(wanted)).items()} == wanted
    cache.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_opens_its_own_connection(tmp_path: Path) -> None:
    # In a process of its own, which has one thread: fork beside threads is warned about.
    code = """
import os, sys
from hybridverify.cache import ScoreCache
from hybridverify.types import Outcome, Verdict
cache = ScoreCache(sys.argv[1])
cache.put_many({"before": Verdict(Outcome.CORRECT, 1.0)}, "judge")
cache._lock.acquire()  # as another thread of the parent might hold it at the moment of the fork
child = os.fork()
if child == 0:
    assert set(cache.get_many(["before"])) == {"before"}
    cache.put_many({"child": Verdict(Outcome.CORRECT, 1.0)}, "judge")
    cache.close()
    os._exit(0)
cache._lock.release()
assert os.waitpid(child, 0)[1] == 0
cache.put_many({"after": Verdict(Outcome.CORRECT, 1.0)}, "judge")
assert set(cache.get_many(["before", "child", "after"])) == {"before", "child", "after"}
cache.close()
"""
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], check=True, timeout=400, cwd=Path(__file__).parent.parent
    )


def test_the_store_holds_text_and_never_a_pickle(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    cache = ScoreCache(tmp_path)
    cache.put_many({"k": YES, "l": replace(YES, answer="a" * 50_000)}, "judge")
    cache.close()
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database:
        rows = database.execute("SELECT typeof(value), mode, filename, tag FROM Cache").fetchall()
    assert rows == [("text", 1, None, "judge")] * 2
    assert not list(tmp_path.rglob("*.val"))


# Where


def test_the_default_folder_is_the_variable_else_the_user_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRIDVERIFY_CACHE", "/scratch/hv")
    assert ScoreCache().path == Path("/scratch/hv")
    monkeypatch.setenv("HYBRIDVERIFY_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert ScoreCache().path == Path("/xdg/hybridverify")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/users/someone")
    assert ScoreCache().path == Path("/users/someone/.cache/hybridverify")


def test_a_relative_path_is_fixed_when_the_cache_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cache = ScoreCache("store")
    monkeypatch.chdir("/")
    assert cache.path == tmp_path / "store"


@pytest.mark.parametrize("path", ["", "  ", "a\0b", 7, b"bytes", ["x"]])
def test_a_path_that_names_no_folder_is_refused_at_once(path: object) -> None:
    with pytest.raises(ConfigError, match="cache"):
        ScoreCache(path)  # type: ignore[arg-type]


@pytest.mark.parametrize("wait", [-1.0, math.nan, math.inf])
def test_a_wait_without_end_is_refused(tmp_path: Path, wait: float) -> None:
    with pytest.raises(ConfigError, match="lock_wait_s"):
        ScoreCache(tmp_path, lock_wait_s=wait)


def test_a_namespace_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="namespace"):
        ScoreCache(tmp_path, namespace=None)  # type: ignore[arg-type]


def test_a_network_mount_is_told_from_a_local_one(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/a / ext4 rw 0 0\nserver:/x {tmp_path.resolve()}/net nfs4 rw 0 0\n"
        f"/dev/b {tmp_path.resolve()}/net/local xfs rw 0 0\nserver:/y {tmp_path.resolve()}/a\\040b lustre rw 0 0\n"
    )
    kinds = {
        name: network_filesystem(tmp_path / name, str(mounts))
        for name in ("net", "net/deep/er", "network", "net/local/x", "a b", ".")
    }
    assert kinds == {
        "net": "nfs4",
        "net/deep/er": "nfs4",
        "network": "",
        "net/local/x": "",
        "a b": "lustre",
        ".": "",
    }
    assert network_filesystem(tmp_path, str(tmp_path / "absent")) == ""


def test_a_folder_of_the_user_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/users/someone")
    assert cache_folder("~/hv") == Path("/users/someone/hv")


def test_importing_the_cache_loads_no_database() -> None:
    code = "import sys, hybridverify.cache; print(*{'sqlite3', 'diskcache', 'pickle'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    assert "sqlite3" not in done.stdout
    assert "diskcache" not in done.stdout
