"""Keeps final verdicts between runs, so that nothing is paid for twice.

In: what was judged, by whom, and the verdict. Out: the same verdict when the same is asked again. A key is made of
everything the verdict depends on (`content_key`). An entry is written and checked (`entry`). A store holds the
entries: a file of diskcache's (`disk`, `store`, `rows`), memory, or nothing (`base`). A fault of the store is a miss
and one warning (`fault`), never another verdict. `commands` and `exchange` hold the work of `hybridverify cache`.

Entry points: `Cache`, `ScoreCache`, `MemoryCache`, `NoCache`, `key`, `keys`, `fingerprint`.
"""

from hybridverify.cache.base import Cache, MemoryCache, NoCache, ScoreCache, fingerprint, key, keys

__all__ = ["Cache", "MemoryCache", "NoCache", "ScoreCache", "fingerprint", "key", "keys"]
