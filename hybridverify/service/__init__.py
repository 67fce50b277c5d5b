"""The verifier as a service over HTTP, and its client. (`hybridverify.serving` is something else: it starts the model
server of a judge.)

In: requests with rows. Out: their grades. `app` has the endpoints. On the way to them `protocol` is the connection,
`around` lets in and counts, and `asked`, `body`, `parsing` and `rows` read what clients send, in `bites` where it is
large. `desk` grades it with one verifier for all: `job` is one request, `fair` the order, `turns` and `stage` do the
work. `wire` and `replies` write the answers, `trainers` knows the forms of OpenRLHF and slime, `gym` those of NeMo Gym,
and `metrics` counts. `server` runs one process, `processes` several behind one socket, each a `child`. `client`, with
`connections`, is what trainers use; it needs none of the packages of a server.

Entry points: `Client`, `ServiceUnavailable`; for the command line `app.Service`, `desk.Desk`, `server.serve_here` and
`processes.Processes`.
"""

from hybridverify.errors import ServiceUnavailable
from hybridverify.service.client import Client

__all__ = ["Client", "ServiceUnavailable"]
