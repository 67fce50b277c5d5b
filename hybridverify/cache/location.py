"""The folder of a cache, and whether that folder is on this node."""

from __future__ import annotations

import os
from pathlib import Path

from hybridverify.errors import ConfigError

NETWORK_FILESYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "lustre", "gpfs", "beegfs", "ceph", "afs", "glusterfs"}
    | {"fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.juicefs", "fuse.s3fs", "fuse.gcsfuse"}
)


def cache_folder(path: object) -> Path:
    """The folder that `path` names; None names the default. Does not use the disk. Raises ConfigError if it cannot be
    one.

    >>> cache_folder("/scratch/hv").name
    'hv'
    """
    if path is None:
        return default_folder()
    if not isinstance(path, (str, os.PathLike)):
        raise ConfigError(f"cache: path must be the name of a folder, not {type(path).__name__}")
    name = os.fspath(path)
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        raise ConfigError(f"cache: path {name!r} is not the name of a folder")
    return Path(os.path.abspath(os.path.expanduser(name)))  # a later chdir must not move the cache


def default_folder() -> Path:
    """$HYBRIDVERIFY_CACHE, else `hybridverify` in the user's cache folder."""
    named = os.environ.get("HYBRIDVERIFY_CACHE", "").strip()
    if named:
        return Path(os.path.abspath(os.path.expanduser(named)))
    cache_home = os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache")
    return Path(os.path.abspath(cache_home)) / "hybridverify"


def network_filesystem(folder: Path, mounts: str = "/proc/mounts") -> str:
    """The type of the network file system that `folder` is on; "" if it is local or unknown."""
    try:
        lines = Path(mounts).read_text(encoding="utf-8", errors="replace").splitlines()
        place = str(folder.resolve())
    except OSError:
        return ""
    found = ("", "")  # the longest mount point above the folder wins, of equal ones the last
    for line in lines:
        _, point, kind, *_ = [*line.split(" "), "", "", ""]
        point = point.replace("\\040", " ")
        inside = place == point or place.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(found[0]):
            found = (point, kind)
    return found[1] if found[1] in NETWORK_FILESYSTEMS else ""
