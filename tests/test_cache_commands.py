"""What the cache commands count, remove, write and join."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import diskcache
import pytest

from hybridverify.cache import ScoreCache
from hybridverify.cache.commands import clear, export, merge, prune, stats
from hybridverify.errors import InputError
from hybridverify.types import Outcome, Verdict

ROOT = Path(__file__).parent.parent
YES = Verdict(Outcome.CORRECT, 1.0, "judge:tinyv", "42", "True", p_yes=0.93, p_mass=0.99)
NO = Verdict(Outcome.INCORRECT, 0.0, "rule:sympy", "7", "7 is not 8")


def name(text: object) -> str:
    return hashlib.sha256(str(text).encode()).hexdigest()


def store(folder: Path, judge: int = 0, rule: int = 0) -> Path:
    cache = ScoreCache(folder)
    cache.put_many({name(f"judge {n}"): replace(YES, answer=str(n)) for n in range(judge)}, "judge")
    cache.put_many({name(f"rule {n}"): replace(NO, answer=str(n)) for n in range(rule)}, "rule")
    cache.close()
    return folder


def age(folder: Path, text: str, days: float) -> None:
    with closing(sqlite3.connect(folder / "cache.db")) as database, database:
        database.execute(
            "UPDATE Cache SET store_time = ? WHERE key = ?", (time.time() - days * 86_400, name(text))
        )


def held(folder: Path, *texts: str) -> set[str]:
    cache = ScoreCache(folder)
    found = cache.get_many([name(text) for text in texts])
    cache.close()
    return {text for text in texts if name(text) in found}


# stats


def test_stats_count_by_stage_and_say_that_there_is_no_limit(tmp_path: Path) -> None:
    begun = time.time()
    found = stats(store(tmp_path, judge=3, rule=2))
    assert (found.exists, found.entries, found.stages) == (True, 5, {"judge": 3, "rule": 2})
    assert found.limit.startswith("none")
    assert found.bytes == (tmp_path / "cache.db").stat().st_size
    assert begun <= found.oldest <= found.newest <= time.time()


def test_the_store_itself_names_no_hidden_limit(tmp_path: Path) -> None:
    store(tmp_path, judge=1)
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database:
        settings = dict(database.execute("SELECT key, value FROM Settings").fetchall())
    assert settings["eviction_policy"] == "none"
    assert settings["cull_limit"] == 0
    assert settings["size_limit"] > 2**60


def test_stats_of_an_absent_store_are_empty_and_make_nothing(tmp_path: Path) -> None:
    found = stats(tmp_path / "absent")
    assert (found.exists, found.entries, found.stages) == (False, 0, {})
    assert not (tmp_path / "absent").exists()


def test_stats_see_what_a_run_has_just_written(tmp_path: Path) -> None:
    running = ScoreCache(tmp_path)
    running.put_many({name(1): YES}, "judge")
    assert stats(tmp_path).entries == 1
    running.put_many({name(2): YES}, "judge")
    assert stats(tmp_path).entries == 2
    running.close()


def test_stats_without_a_path_look_at_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRIDVERIFY_CACHE", str(store(tmp_path / "cache", judge=4)))
    assert stats().entries == 4


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="no user to become")
def test_a_read_only_store_is_counted_and_exported() -> None:
    code = """
import os, sys
from hybridverify.cache.commands import export, prune, stats
from hybridverify.errors import InputError
os.chdir(sys.argv[1])
stats("store")  # loads what the other user may not be allowed to read
os.chmod("store/cache.db", 0o444)
os.chmod("store", 0o555)
if os.getuid() == 0:  # root may write anywhere
    os.setuid(65534)
assert stats("store").stages == {"judge": 4}
assert export("store", "out/all.jsonl").written == 4
try:
    prune("store", max_entries=1)
except InputError as error:
    assert "readonly" in str(error), error
else:
    raise AssertionError("pruned")
"""
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to other users
        folder = Path(name)
        store(folder / "store", judge=4)
        (folder / "out").mkdir()
        for path, mode in ((folder, 0o755), (folder / "out", 0o777)):
            path.chmod(mode)
        done = subprocess.run(
            [sys.executable, "-c", code, name], cwd=ROOT, capture_output=True, text=True, timeout=400
        )
        (folder / "store").chmod(0o755)
    assert done.returncode == 0, done.stderr


# prune and clear


def test_prune_by_age(tmp_path: Path) -> None:
    store(tmp_path, judge=2, rule=1)
    age(tmp_path, "judge 0", 10)
    age(tmp_path, "rule 0", 10)
    assert prune(tmp_path, older_than_days=11).removed == 0
    done = prune(tmp_path, older_than_days=9, stage="judge")
    assert (done.removed, done.left) == (1, 2)
    assert held(tmp_path, "judge 0", "judge 1", "rule 0") == {"judge 1", "rule 0"}


def test_prune_keeps_the_newest(tmp_path: Path) -> None:
    store(tmp_path, judge=3, rule=1)
    age(tmp_path, "judge 0", 1)
    age(tmp_path, "judge 2", 2)
    age(tmp_path, "rule 0", 9)
    done = prune(tmp_path, max_entries=2, stage="judge")
    assert (done.removed, done.left) == (1, 3)
    assert held(tmp_path, "judge 0", "judge 1", "judge 2", "rule 0") == {"judge 0", "judge 1", "rule 0"}
    assert prune(tmp_path, max_entries=1).left == 1
    assert held(tmp_path, "judge 1") == {"judge 1"}


def test_prune_by_stage_alone_removes_the_stage(tmp_path: Path) -> None:
    store(tmp_path, judge=3, rule=2)
    assert prune(tmp_path, stage="rule").removed == 2
    assert stats(tmp_path).stages == {"judge": 3}


def test_prune_gives_space_back(tmp_path: Path) -> None:
    store(tmp_path, judge=3_000)
    done = prune(tmp_path, max_entries=10)
    assert done.bytes_after < done.bytes_before / 10
    assert done.bytes_after == stats(tmp_path).bytes


@pytest.mark.parametrize(
    "wanted", [{}, {"older_than_days": -1}, {"max_entries": -1}, {"older_than_days": float("nan")}]
)
def test_prune_refuses_what_it_cannot_mean(tmp_path: Path, wanted: dict[str, float]) -> None:
    store(tmp_path, judge=1)
    with pytest.raises(InputError, match="cache prune"):
        prune(tmp_path, **wanted)  # type: ignore[arg-type]
    assert stats(tmp_path).entries == 1


def test_clear_removes_all_or_one_stage(tmp_path: Path) -> None:
    store(tmp_path, judge=3, rule=2)
    assert clear(tmp_path, stage="judge").removed == 3
    assert stats(tmp_path).stages == {"rule": 2}
    assert clear(tmp_path).removed == 2
    assert stats(tmp_path).entries == 0


def test_a_run_goes_on_over_prune_and_clear(tmp_path: Path) -> None:
    running = ScoreCache(tmp_path)
    running.put_many({name(n): YES for n in range(1_000)}, "judge")
    assert prune(tmp_path, max_entries=10).left == 10
    assert len(running.get_many([name(n) for n in range(1_000)])) == 10
    clear(tmp_path)
    running.put_many({name("new"): YES}, "judge")
    running.close()
    assert held(tmp_path, "new") == {"new"}


def test_the_count_that_diskcache_keeps_stays_right(tmp_path: Path) -> None:
    store(tmp_path, judge=5, rule=5)
    prune(tmp_path, max_entries=7)
    with diskcache.Cache(str(tmp_path)) as opened:
        assert len(opened) == 7


def damaged(folder: Path) -> Path:
    store(folder, judge=3_000)
    with (folder / "cache.db").open("r+b") as file:
        file.write(b"\xa5" * 4096)
    return folder


def test_clear_mends_a_damaged_store(tmp_path: Path) -> None:
    damaged(tmp_path)
    with pytest.raises(InputError, match="cache clear"):
        stats(tmp_path)
    with pytest.raises(InputError, match="cache clear"):
        clear(tmp_path, stage="judge")
    assert clear(tmp_path).bytes_after == 0
    assert stats(store(tmp_path, judge=1)).entries == 1


def test_clear_removes_no_file_that_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "cache.db").write_bytes(b"a cache of something else" * 1000)
    with pytest.raises(InputError):
        clear(tmp_path)
    assert (tmp_path / "cache.db").exists()


@pytest.mark.parametrize("command", [prune, clear, export, stats], ids=lambda command: command.__name__)
def test_commands_leave_the_store_of_another_program_alone(tmp_path: Path, command: object) -> None:
    with diskcache.Cache(str(tmp_path / "theirs")) as foreign:
        foreign["k"] = "v"
    extra = {prune: {"max_entries": 0}, export: {"out_jsonl": tmp_path / "out"}}.get(command, {})  # type: ignore[call-overload]
    with pytest.raises(InputError, match="another program"):
        command(tmp_path / "theirs", **extra)  # type: ignore[operator]
    with diskcache.Cache(str(tmp_path / "theirs")) as foreign:
        assert list(foreign) == ["k"]


def test_commands_say_that_there_is_no_cache(tmp_path: Path) -> None:
    for command in (
        lambda: clear(tmp_path),
        lambda: export(tmp_path, tmp_path / "out"),
        lambda: prune(tmp_path, max_entries=1),
    ):
        with pytest.raises(InputError, match="there is no cache here"):
            command()
    assert list(tmp_path.iterdir()) == []


# export and merge


def test_export_writes_sorted_lines_that_are_equal_for_equal_stores(tmp_path: Path) -> None:
    export(store(tmp_path / "a", judge=20, rule=5), tmp_path / "a.jsonl")
    cache = ScoreCache(tmp_path / "b")
    for n in reversed(range(20)):
        cache.put_many({name(f"judge {n}"): replace(YES, answer=str(n))}, "judge")
    cache.put_many({name(f"rule {n}"): replace(NO, answer=str(n)) for n in range(5)}, "rule")
    cache.close()
    done = export(tmp_path / "b", tmp_path / "b.jsonl")
    assert (done.written, done.damaged) == (25, 0)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [line["key"] for line in lines] == sorted(line["key"] for line in lines)
    (line,) = [line for line in lines if line["key"] == name("rule 3")]
    assert line == {
        "key": name("rule 3"),
        "schema": 1,
        "stage": "rule",
        "verdict": {
            "outcome": "incorrect",
            "score": 0.0,
            "source": "rule:sympy",
            "answer": "3",
            "reason": "7 is not 8",
            "p_yes": -1.0,
            "p_mass": -1.0,
        },
    }


def test_export_leaves_damaged_entries_out(tmp_path: Path) -> None:
    store(tmp_path, judge=5)
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database, database:
        database.execute("UPDATE Cache SET value = '{\"verd' WHERE key = ?", (name("judge 2"),))
    done = export(tmp_path, tmp_path / "out.jsonl")
    assert (done.written, done.damaged) == (4, 1)


def test_export_saves_what_a_damaged_store_still_holds(tmp_path: Path) -> None:
    store(tmp_path, judge=3_000)
    size = (tmp_path / "cache.db").stat().st_size
    with (tmp_path / "cache.db").open("r+b") as file:
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\xa5" * 4096)
    done = export(tmp_path, tmp_path / "out.jsonl")
    assert 2_900 < done.written < 3_000
    keys = [json.loads(line)["key"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert keys == sorted(set(keys))
    assert merge(tmp_path / "new", [tmp_path / "out.jsonl"]).added == done.written


def test_an_export_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    damaged(tmp_path / "store")
    with pytest.raises(InputError):
        export(tmp_path / "store", tmp_path / "out.jsonl")
    assert not list(tmp_path.glob("out*"))
    with pytest.raises(InputError, match="cannot be written"):
        export(store(tmp_path / "sound", judge=1), tmp_path / "no" / "out.jsonl")


def test_merge_joins_stores_and_exports(tmp_path: Path) -> None:
    first = store(tmp_path / "1", judge=10)
    second = store(tmp_path / "2", judge=15, rule=3)
    third = store(tmp_path / "3", rule=6)
    export(third, tmp_path / "3.jsonl")
    done = merge(tmp_path / "all", [first, second, tmp_path / "3.jsonl"])
    assert (done.added, done.present, done.conflicts, done.refused) == (21, 13, 0, 0)
    assert stats(tmp_path / "all").stages == {"judge": 15, "rule": 6}
    export(tmp_path / "all", tmp_path / "all.jsonl")
    assert merge(tmp_path / "all", [tmp_path / "all.jsonl"]).added == 0
    cache = ScoreCache(tmp_path / "all")
    assert cache.get_many([name("judge 4")]) == {name("judge 4"): replace(YES, answer="4", cached=True)}
    cache.close()


def test_merge_keeps_the_first_of_two_verdicts_and_counts_the_other(tmp_path: Path) -> None:
    for folder, verdict in (("1", YES), ("2", NO)):
        cache = ScoreCache(tmp_path / folder)
        cache.put_many({name("k"): verdict}, "judge")
        cache.close()
    done = merge(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])
    assert (done.added, done.present, done.conflicts) == (1, 1, 1)
    assert merge(tmp_path / "2", [tmp_path / "1"]).conflicts == 1
    cache = ScoreCache(tmp_path / "all")
    assert cache.get_many([name("k")])[name("k")].outcome is Outcome.CORRECT
    cache.close()


def test_merge_mends_a_damaged_entry(tmp_path: Path) -> None:
    store(tmp_path / "1", judge=2)
    store(tmp_path / "2", judge=2)
    with closing(sqlite3.connect(tmp_path / "1" / "cache.db")) as database, database:
        database.execute("UPDATE Cache SET value = 17 WHERE key = ?", (name("judge 1"),))
    assert merge(tmp_path / "1", [tmp_path / "2"]).added == 1
    assert held(tmp_path / "1", "judge 1") == {"judge 1"}


def test_merge_refuses_and_counts_malformed_lines(tmp_path: Path) -> None:
    export(store(tmp_path / "1", judge=1), tmp_path / "good.jsonl")
    good = json.loads((tmp_path / "good.jsonl").read_text())
    bad = [
        b"",
        b"{",
        b"17",
        b"[]",
        b"\xff\xfe",
        b"[" * 50_000,
        json.dumps({**good, "key": "short"}).encode(),
        json.dumps({**good, "key": name("x").upper()}).encode(),
        json.dumps({**good, "key": 17}).encode(),
        json.dumps({**good, "stage": None}).encode(),
        json.dumps({**good, "schema": 2}).encode(),
        json.dumps({**good, "schema": True}).encode(),
        json.dumps({**good, "verdict": {**good["verdict"], "score": float("nan")}}).encode(),
        json.dumps({**good, "verdict": {**good["verdict"], "extra": 1}}).encode(),
        json.dumps({**good, "verdict": {**good["verdict"], "outcome": "failed"}}).encode(),
        json.dumps({**good, "verdict": "correct"}).encode(),
        json.dumps({"key": name("y"), "stage": "judge"}).encode(),
    ]
    (tmp_path / "bad.jsonl").write_bytes(b"\n".join([*bad, json.dumps(good).encode()]) + b"\n")
    done = merge(tmp_path / "all", [tmp_path / "bad.jsonl"])
    assert (done.added, done.refused) == (1, len(bad))


def test_merge_names_a_source_that_is_neither(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent"):
        merge(tmp_path / "all", [store(tmp_path / "1", judge=1), tmp_path / "absent"])
    assert not (tmp_path / "all").exists()


def test_merge_into_a_place_without_a_store_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="file"):
        merge(tmp_path / "file", [store(tmp_path / "1", judge=1)])


def test_a_store_merged_in_many_batches_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hybridverify.cache.exchange.BATCH", 7)
    assert merge(tmp_path / "all", [store(tmp_path / "1", judge=50)]).added == 50
    assert stats(tmp_path / "all").entries == 50
