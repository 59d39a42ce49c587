"""The HTTP API for whoever watches the server: whether it can do its work, and its counters."""

from __future__ import annotations

import hmac
import time

from msgspec import structs
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from croupier import __version__
from croupier.live import api_records as records
from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed
from croupier.live.health import code_of
from croupier.live.json_response import Json
from croupier.live.requested import casino_of
from croupier.live.visits import known


async def health(request: Request) -> Response:
    """Whether the server can do its work: it runs, and its database answers and stores. More is
    for those who may read the counters."""
    casino = casino_of(request)
    code, alarms = await code_of(casino)
    found = records.Health(status="down" if code else "ok", code=code)
    if reads_counters(request, casino):
        found = structs.replace(
            found,
            version=__version__,
            mode=casino.config.mode,
            tables=len(casino.hubs),
            viewers=casino.watchers.connections(),
            up=round(time.time() - casino.started, 3),
            alarms=alarms,
            **(casino.cluster.told() if casino.cluster is not None else {}),
        )
    return Json(found, 503 if code else 200)


def reads_counters(request: Request, casino: LiveCasino) -> bool:
    """Whether somebody may know how the server is: staff, and a program with the key."""
    brought = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if casino.metrics_key and hmac.compare_digest(brought.encode(), casino.metrics_key.encode()):
        return True
    return casino.identity.reads_reports(known(request, casino))


async def metrics(request: Request) -> Response:
    """The counters, for Prometheus: for staff, and for a program with the key."""
    casino = casino_of(request)
    if not reads_counters(request, casino):
        says = "The counters are for the staff of the House, or for a program with the key."
        raise NotAllowed("staff only", says)
    await code_of(casino)
    text = casino.metrics.text()
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")
