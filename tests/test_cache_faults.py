"""A cache that breaks is a cache that misses: never an exception, never a hang, one warning."""

from __future__ import annotations

import logging
import os
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import diskcache
import pytest

from hybridverify.cache import ScoreCache
from hybridverify.cache import disk as cache_disk
from hybridverify.types import Outcome, Verdict

ROOT = Path(__file__).parent.parent
YES = Verdict(Outcome.CORRECT, 1.0, "judge:tinyv", "42", "True")
MANY = {f"{number:064x}": Verdict(Outcome.CORRECT, 1.0, answer=f"{number} " * 20) for number in range(2_000)}


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.WARNING, logger="hybridverify"):
        yield caplog


def still_works(cache: ScoreCache, name: str = "new") -> None:
    """Whatever happened to the file, nothing is asked twice in this process."""
    cache.put_many({name: YES}, "judge")
    assert set(cache.get_many([name])) == {name}
    cache.close()


def one_warning(caplog: pytest.LogCaptureFixture, *words: str) -> None:
    (record,) = caplog.records
    assert record.name == "hybridverify"
    assert record.levelno == logging.WARNING
    assert all(word in record.getMessage() for word in words), record.getMessage()


def filled(folder: Path) -> ScoreCache:
    cache = ScoreCache(folder)
    cache.put_many(MANY, "judge")
    cache.close()
    return cache


def overwrite(folder: Path, at: float, size: int = 4096) -> None:
    file = folder / "cache.db"
    with file.open("r+b") as handle:
        handle.seek(int(file.stat().st_size * at) // 4096 * 4096)
        handle.write(b"\xa5" * size)


def is_right(found: dict[str, Verdict]) -> bool:
    return all(verdict.answer == MANY[name].answer for name, verdict in found.items())


# Entries


@pytest.mark.parametrize(
    "value", ['{"verd', "17", "", "null", '{"outcome": "correct", "score": 1.0}', 17, 1.5, b"x"]
)
def test_a_damaged_entry_is_a_miss_and_is_replaced(tmp_path: Path, value: object) -> None:
    cache = ScoreCache(tmp_path)
    cache.put_many({"k": YES, "l": YES}, "judge")
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database, database:
        assert database.execute("UPDATE Cache SET value = ? WHERE key = 'k'", (value,)).rowcount == 1
    assert set(cache.get_many(["k", "l"])) == {"l"}
    cache.put_many({"k": YES}, "judge")
    assert set(cache.get_many(["k", "l"])) == {"k", "l"}
    cache.close()


class Bomb:
    """Unpickled, it leaves a mark."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (os.mkdir, (self.mark,))


@pytest.mark.parametrize("in_file", [False, True])
def test_a_planted_pickle_is_never_loaded(tmp_path: Path, in_file: bool) -> None:
    mark = tmp_path / "exploded"
    cache = ScoreCache(tmp_path / "store")
    cache.put_many({"k": YES}, "judge")
    cache.close()
    with diskcache.Cache(str(tmp_path / "store"), disk_min_file_size=0 if in_file else 10_000) as planted:
        planted.set("k", Bomb(str(mark)))
        planted.set(("a", "pickled key"), "x")
    assert cache.get_many(["k"]) == {}
    cache.put_many({"k": YES}, "judge")
    assert set(cache.get_many(["k"])) == {"k"}
    cache.close()
    assert not mark.exists()
    pickle.loads(pickle.dumps(Bomb(str(mark))))  # noqa: S301
    assert mark.exists(), "the bomb works"


def test_a_planted_key_is_never_unpickled(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "store")
    cache.put_many({"k": YES}, "judge")
    planted = pickle.dumps(Bomb(str(tmp_path / "exploded")))
    with closing(sqlite3.connect(tmp_path / "store" / "cache.db")) as database, database:
        database.execute("INSERT INTO Cache (key, raw, mode, value) VALUES (?, 0, 1, 'x')", (planted,))
    assert cache._store is not None
    assert sorted(cache._store._database) == ["", "k"]
    assert not (tmp_path / "exploded").exists()
    cache.close()


def test_a_value_that_points_to_a_file_is_not_followed(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "store")
    cache.put_many({"k": YES}, "judge")
    (tmp_path / "elsewhere").write_text("x")
    with closing(sqlite3.connect(tmp_path / "store" / "cache.db")) as database, database:
        database.execute("UPDATE Cache SET mode = 3, filename = '../elsewhere', value = NULL")
    assert cache.get_many(["k"]) == {}
    cache.put_many({"k": YES}, "judge")
    cache.close()
    assert (tmp_path / "elsewhere").exists()


# Files


@pytest.mark.parametrize("at", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_page_overwritten_during_a_run_costs_misses_only(
    tmp_path: Path, at: float, warnings: pytest.LogCaptureFixture
) -> None:
    filled(tmp_path)
    running = ScoreCache(tmp_path)
    running.get_many(list(MANY)[:1])
    overwrite(tmp_path, at)
    found = running.get_many(list(MANY))
    assert is_right(found)
    running.put_many({name: MANY[name] for name in MANY if name not in found}, "judge")
    again = running.get_many(list(MANY))
    assert is_right(again)
    assert len(again) == len(MANY)
    still_works(running)
    assert len(warnings.records) <= 1


def test_of_a_damaged_file_the_other_pages_are_still_read(
    tmp_path: Path, warnings: pytest.LogCaptureFixture
) -> None:
    filled(tmp_path)
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database:
        pages = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'Cache'").fetchall()
    overwrite(tmp_path, 0.5)
    cache = ScoreCache(tmp_path)
    found = cache.get_many(list(MANY))
    assert pages
    assert is_right(found)
    assert 0.9 * len(MANY) < len(found) < len(MANY)
    one_warning(warnings, "malformed", "memory", "cache clear")
    still_works(cache)


@pytest.mark.parametrize("size", [100, 4096, 100_000])
def test_a_file_without_its_head_is_no_cache(
    tmp_path: Path, size: int, warnings: pytest.LogCaptureFixture
) -> None:
    filled(tmp_path)
    overwrite(tmp_path, 0.0, size)
    cache = ScoreCache(tmp_path)
    assert cache.get_many(list(MANY)) == {}
    one_warning(warnings, "not a database")
    still_works(cache)


@pytest.mark.parametrize("size", [0, 100, 4096, 50_000, 200_000])
def test_a_truncated_file_costs_misses_only(
    tmp_path: Path, size: int, warnings: pytest.LogCaptureFixture
) -> None:
    filled(tmp_path)
    os.truncate(tmp_path / "cache.db", size)
    cache = ScoreCache(tmp_path)
    assert is_right(cache.get_many(list(MANY)))
    still_works(cache)
    assert len(warnings.records) <= 1


@pytest.mark.parametrize("size", [0, 4096, 200_000])
@pytest.mark.load
def test_a_file_truncated_during_a_run_does_not_kill_the_process(tmp_path: Path, size: int) -> None:
    filled(tmp_path)
    code = f"""
import os, sys
from hybridverify.cache import ScoreCache
from tests.test_cache_faults import MANY, is_right, still_works
cache = ScoreCache(sys.argv[1])
cache.get_many(list(MANY)[:10])
os.truncate(sys.argv[1] + "/cache.db", {size})
assert is_right(cache.get_many(list(MANY)))
still_works(cache)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, timeout=200
    )
    assert done.returncode == 0, done.stderr.decode()


def test_random_bytes_are_no_cache(tmp_path: Path, warnings: pytest.LogCaptureFixture) -> None:
    (tmp_path / "cache.db").write_bytes(os.urandom(20_000))
    cache = ScoreCache(tmp_path)
    still_works(cache)
    one_warning(warnings, "not a database")


def test_a_folder_deleted_during_a_run_is_made_anew(
    tmp_path: Path, warnings: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "store"
    cache = ScoreCache(folder)
    for turn in range(3):
        cache.put_many({"k": YES}, "judge")
        assert set(cache.get_many(["k"])) == {"k"}
        shutil.rmtree(folder)
        assert cache.get_many(["k"]) == {}, f"turn {turn}"
    one_warning(warnings, "deleted", str(folder))
    cache.put_many({"k": YES}, "judge")
    cache.close()
    other = ScoreCache(folder)
    assert set(other.get_many(["k"])) == {"k"}
    other.close()


def test_a_folder_deleted_between_writes_takes_the_next_write(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "store")
    cache.put_many({"k": YES}, "judge")
    shutil.rmtree(tmp_path / "store")
    cache.put_many({"l": YES}, "judge")
    cache.close()
    assert set(cache.get_many(["k", "l"])) == {"l"}
    cache.close()


# Places where there can be no store


@pytest.mark.parametrize("below", [False, True])
def test_a_path_that_is_a_file_is_warned_of_once(
    tmp_path: Path, below: bool, warnings: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("mine")
    cache = ScoreCache(tmp_path / "file" / "cache" if below else tmp_path / "file")
    assert cache.get_many(["k"]) == {}
    cache.put_many({"k": YES}, "judge")
    assert set(cache.get_many(["k"])) == {"k"}
    still_works(cache)
    one_warning(warnings, "memory", str(tmp_path / "file"))
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is where even root may not write")
def test_a_folder_that_cannot_be_made_is_warned_of_once(warnings: pytest.LogCaptureFixture) -> None:
    cache = ScoreCache("/proc/no/such/place")
    still_works(cache)
    one_warning(warnings, "memory")


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="no user to become")
@pytest.mark.parametrize("with_store", [False, True])
def test_a_read_only_folder_is_warned_of_once(with_store: bool) -> None:
    code = """
import logging, os, sys
from tests.test_cache_faults import MANY, ScoreCache, is_right, still_works
import hybridverify.cache.store
logging.basicConfig(format="%(levelname)s %(name)s %(message)s")
if os.getuid() == 0:  # root may write anywhere
    os.setuid(65534)
cache = ScoreCache(sys.argv[1])
assert is_right(cache.get_many(list(MANY)))
still_works(cache)
"""
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to other users
        folder = Path(name)
        if with_store:
            filled(folder)
            (folder / "cache.db").chmod(0o444)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", code, name], cwd=ROOT, capture_output=True, text=True, timeout=200
        )
        folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("WARNING") == 1, done.stderr
    assert "memory" in done.stderr


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path, warnings: pytest.LogCaptureFixture) -> None:
    filled(tmp_path)
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database:
        database.execute("PRAGMA user_version = 99")
    before = (tmp_path / "cache.db").read_bytes()
    cache = ScoreCache(tmp_path)
    assert cache.get_many(list(MANY)) == {}
    still_works(cache)
    one_warning(warnings, "newer", "99")
    assert (tmp_path / "cache.db").read_bytes() == before


def test_a_store_of_another_program_is_left_alone(tmp_path: Path, warnings: pytest.LogCaptureFixture) -> None:
    with diskcache.Cache(str(tmp_path), eviction_policy="least-recently-used") as foreign:
        foreign["k"] = "theirs"
    cache = ScoreCache(tmp_path)
    assert cache.get_many(["k"]) == {}
    still_works(cache)
    one_warning(warnings, "another program")
    with diskcache.Cache(str(tmp_path)) as foreign:
        assert list(foreign) == ["k"]
        assert foreign.eviction_policy == "least-recently-used"


# Waiting


LOCKER = """
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA locking_mode = " + sys.argv[2])
database.execute("BEGIN EXCLUSIVE")
database.execute("UPDATE Settings SET value = value")
print("locked", flush=True)
time.sleep(600)
"""


@contextmanager
def locked(folder: Path, mode: str = "NORMAL") -> Iterator[None]:
    """Another process writes and does not end; in EXCLUSIVE mode it keeps readers out as well."""
    command = [sys.executable, "-c", LOCKER, str(folder / "cache.db"), mode]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        try:
            yield
        finally:
            process.kill()


WAIT_S = 2.0


class Stopwatch:
    """How long each call took."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __enter__(self) -> None:
        self._begin = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.seconds.append(time.monotonic() - self._begin)

    def waits(self) -> list[int]:
        """The calls that took as long as a wait for a lock does: the others need a thousandth of it."""
        return [call for call, seconds in enumerate(self.seconds) if seconds >= 0.8 * WAIT_S]


@pytest.mark.load
def test_a_lock_costs_one_bounded_wait_and_no_verdict(
    tmp_path: Path, warnings: pytest.LogCaptureFixture
) -> None:
    cache, took = ScoreCache(tmp_path, lock_wait_s=WAIT_S), Stopwatch()
    cache.put_many({"old": YES}, "judge")
    with locked(tmp_path):
        for turn in range(20):
            with took:
                cache.put_many({f"new {turn}": YES}, "judge")
            with took:
                assert set(cache.get_many(["old", f"new {turn}"])) == {"old", f"new {turn}"}
    assert took.waits() == [0]  # the first write, and no other call
    one_warning(warnings, "locked", "later")
    cache.close()  # the lock is gone: what waited is written
    other = ScoreCache(tmp_path)
    assert len(other.get_many(["old", *(f"new {turn}" for turn in range(20))])) == 21
    other.close()


@pytest.mark.load
def test_a_store_locked_from_the_start_does_not_hold_the_run_up(
    tmp_path: Path, warnings: pytest.LogCaptureFixture
) -> None:
    filled(tmp_path)
    for mode in ("NORMAL", "EXCLUSIVE"):
        warnings.clear()
        cache, took = ScoreCache(tmp_path, lock_wait_s=WAIT_S), Stopwatch()
        with locked(tmp_path, mode):
            for turn in range(12):
                with took:
                    assert cache.get_many(list(MANY)) == {}
                with took:
                    cache.put_many({f"new {turn}": YES}, "judge")
            with took:
                cache.close()
        assert took.waits() == [0, 24]  # the first read, and the last try to write
        one_warning(warnings, "locked")
        cache.close()


@pytest.mark.load
def test_after_a_pause_the_file_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_disk, "RETRY_AFTER_S", 0.2)
    cache = ScoreCache(tmp_path, lock_wait_s=0.1)
    cache.put_many({"old": YES}, "judge")
    with locked(tmp_path):
        cache.put_many({"waits": YES}, "judge")
    time.sleep(0.3)
    cache.put_many({"next": YES}, "judge")
    other = ScoreCache(tmp_path)
    assert set(other.get_many(["old", "waits", "next"])) == {"old", "waits", "next"}
    other.close()
    cache.close()


def test_a_full_disk_keeps_reading_and_writes_later(
    tmp_path: Path, warnings: pytest.LogCaptureFixture
) -> None:
    cache = ScoreCache(tmp_path)
    cache.put_many({"old": YES}, "judge")
    assert cache._store is not None
    connection = cache._store._database._con
    ((pages,),) = connection.execute("PRAGMA page_count").fetchall()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    cache.put_many(MANY, "judge")
    assert set(cache.get_many(["old", *MANY])) == {"old", *MANY}
    one_warning(warnings, "full", "later")
    connection.execute("PRAGMA max_page_count = 1000000")
    cache.close()
    other = ScoreCache(tmp_path)
    assert set(other.get_many(["old", *MANY])) == {"old", *MANY}
    other.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files")
def test_a_disk_that_refuses_to_write_does_not_stop_the_run(tmp_path: Path) -> None:
    code = """
import logging, resource, sys
from hybridverify.cache import ScoreCache
from tests.test_cache_faults import MANY, is_right, still_works
logging.basicConfig(format="%(levelname)s %(name)s %(message)s")
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
cache = ScoreCache(sys.argv[1])
cache.put_many(MANY, "judge")
found = cache.get_many(list(MANY))
assert is_right(found) and len(found) == len(MANY)
still_works(cache)
"""
    for limit in (0, 20_000, 100_000):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / str(limit)), str(limit)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("WARNING") == 1, done.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_crash_inside_a_transaction_leaves_a_whole_store(tmp_path: Path) -> None:
    code = """
import os, signal, sys
from hybridverify.cache import ScoreCache
from tests.test_cache_faults import MANY, YES
cache = ScoreCache(sys.argv[1])
cache.put_many({"before": YES}, "judge")
store = cache._store._database
with store.transact():
    for name in MANY:
        store.set(name, "half", tag="judge")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, timeout=200)
    assert done.returncode == -signal.SIGKILL
    cache = ScoreCache(tmp_path, lock_wait_s=1.0)
    assert set(cache.get_many(["before", *MANY])) == {"before"}
    cache.put_many(MANY, "judge")
    cache.close()
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ((count,),) = database.execute("SELECT COUNT(*) FROM Cache").fetchall()
    assert count == len(MANY) + 1


@pytest.mark.load
def test_writers_killed_one_after_another_damage_nothing(tmp_path: Path) -> None:
    code = """
import sys
from hybridverify.cache import ScoreCache
from tests.test_cache_faults import MANY
cache = ScoreCache(sys.argv[1])
print("go", flush=True)
while True:
    cache.put_many(MANY, "judge")
"""
    for turn in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.05 + 0.07 * turn)
            process.kill()
    cache = ScoreCache(tmp_path)
    assert is_right(cache.get_many(list(MANY)))
    still_works(cache)
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# Warnings


def test_each_object_warns_for_itself(tmp_path: Path, warnings: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    for _ in range(2):
        still_works(ScoreCache(tmp_path / "file"))
    assert len(warnings.records) == 2


def test_a_healthy_cache_warns_of_nothing(tmp_path: Path, warnings: pytest.LogCaptureFixture) -> None:
    cache = filled(tmp_path)
    assert len(cache.get_many(list(MANY))) == len(MANY)
    cache.close()
    assert warnings.records == []


def test_a_warning_tells_no_sample_text(tmp_path: Path, warnings: pytest.LogCaptureFixture) -> None:
    cache = ScoreCache(tmp_path)
    cache.put_many({"k": Verdict(Outcome.CORRECT, 1.0, answer="SECRET")}, "judge")
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database, database:
        database.execute("UPDATE Cache SET value = CAST(x'534543524554ff' AS TEXT)")
    assert cache.get_many(["k"]) == {}
    still_works(cache)
    assert "SECRET" not in warnings.text
    one_warning(warnings, "UTF-8")
