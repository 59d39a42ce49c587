"""JSON over HTTP: records out by msgspec, bodies in with a limit on their size."""

from __future__ import annotations

import gzip
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.live.errors import NotAllowed

T = TypeVar("T")

_encoder = msgspec.json.Encoder()
_LEVEL = 6
"""Of packing: more costs more time than it spares."""


class Json(Response):
    """A record as JSON. Nothing of the API is kept by a browser."""

    media_type = "application/json"

    def __init__(self, record: Any, status_code: int = 200) -> None:
        super().__init__(_encoder.encode(record), status_code, {"cache-control": "no-store"})


def packed(request: Request, answer: Response) -> Response:
    """The answer as a narrow line likes it, for who unpacks it.

    Only what holds nothing hidden may be packed. How small it becomes depends on whatever else
    stands in it, such as the name of another player: who sees the lengths alone would learn of it.
    """
    if "gzip" in request.headers.get("accept-encoding", ""):
        answer.body = gzip.compress(bytes(answer.body), _LEVEL, mtime=0)
        answer.headers["content-length"] = str(len(answer.body))
        answer.headers["content-encoding"] = "gzip"
    answer.headers["vary"] = "Accept-Encoding"
    return answer


class BadBody(NotAllowed):
    """A body that is too large, of another kind, or cannot be read; `status` is HTTP's."""

    def __init__(self, status: int, says: str) -> None:
        super().__init__("bad body", says)
        self.status = status


async def read_body(request: Request, kind: type[T], most: int) -> T:
    """The body of a request as a record, strictly and not more than so many bytes."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise BadBody(415, "Send JSON, with content-type application/json.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise BadBody(413, f"A body has at most {most} bytes.")
    try:
        return msgspec.json.decode(bytes(body), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadBody(422, f"unreadable body: {error}") from None
