"""The section `serve` of a configuration file: how the verifier is served. It changes no grade."""

from __future__ import annotations

from pydantic import Field

from hybridverify.config.checking import Strict


class ServeEntry(Strict):
    """`serve`. The options of `hybridverify serve` with the same names replace its values."""

    host: str = "127.0.0.1"
    port: int = Field(default=8100, ge=0, le=65_535)
    processes: int = Field(default=1, ge=1, le=256)
    token_env: str = ""
    """The variable that holds the token; "" asks for none, which is possible on a loopback address alone."""
    max_body_mb: float = Field(default=16.0, gt=0.0, le=1024.0)
    body_timeout_s: float = Field(default=30.0, gt=0.0)
    """How long a client may take to send a request."""
    max_rows: int = Field(default=8192, ge=1)
    """Rows in one request."""
    queue_rows: int = Field(default=32_768, ge=1)
    """Rows that wait at one time, in each process; above it new requests are told to come again."""
    deadline_s: float = Field(default=0.0, ge=0.0)
    """How long a request may take where it does not say so itself; 0 sets no limit."""
    stop_grace_s: float = Field(default=60.0, ge=0.0)
    """How long requests may take that are open when the service is stopped."""
