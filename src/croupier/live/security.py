"""What stands before everything: whose pages may speak to the server, how fast, and how much.

* `Host` must be one of the server's own names, so that no other site can be made to point here.
* `Origin`, where a browser sends one, must be the server's own for every change and every socket.
* A change over HTTP also needs the visitor's token, which a page of another origin cannot read.
* Behind a trusted proxy it is the visitor's own address that counts (`croupier.live.proxies`).
* Each address (of IPv6: each network) has a limit on its rate of requests, each body one on its
  size.
* The content security policy lets a page load and run what comes from the server, nothing inline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from croupier.live.api_records import Problem
from croupier.live.json_response import Json
from croupier.live.limits import Buckets
from croupier.live.metrics import Metrics
from croupier.live.proxies import Proxies
from croupier.live.senders import sender_of

CHANGES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_HOST = re.compile(r"[A-Za-z0-9.\-_\[\]:]{1,255}")

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


def policy(origins: Iterable[str]) -> str:
    """The content security policy of pages that are served under these origins."""
    # A policy cannot name an address of IPv6; there 'self' has to do.
    sockets = " ".join(sorted({_socket(origin) for origin in origins if "[" not in origin}))
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "manifest-src 'self'",
            f"connect-src 'self' {sockets}".strip(),
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def _socket(origin: str) -> str:
    return origin.replace("https://", "wss://", 1).replace("http://", "ws://", 1)


class Guarded:
    """The application behind its guard."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        origins: Iterable[str],
        metrics: Metrics,
        requests_per_second: float,
        requests_at_once: int,
        proxies: Proxies | None = None,
    ) -> None:
        self._app = app
        self._proxies = proxies or Proxies()
        self._origins = frozenset(origins)
        self._hosts = frozenset(urlsplit(origin).netloc.lower() for origin in self._origins)
        self._metrics = metrics
        self._buckets = Buckets(requests_per_second, requests_at_once)
        self._policy = policy(self._origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        scope = self._proxies.seen_through(scope)
        turned_away = self._problem(scope)
        if turned_away is not None:
            await self._turn_away(turned_away, scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["content-security-policy"] = self._policy
                for name, value in HEADERS.items():
                    headers[name] = value
                self._metrics.requests.add(1, str(message["status"]))
            await send(message)

        try:
            await self._app(scope, receive, with_headers if scope["type"] == "http" else send)
        except ClientDisconnect:  # gone before everything was said: nobody is there to be answered
            self._metrics.dropped.add(1, "gone while asking")

    def _problem(self, scope: Scope) -> Response | None:
        # First of all: what is turned away for another reason counts as much as what is not.
        client = scope.get("client")
        if wait := self._buckets.take(sender_of(client[0] if client else "")):
            answer = self._no("too fast", 429, "Slower, please.")
            answer.headers["retry-after"] = str(max(1, round(wait)))
            return answer
        headers = Headers(scope=scope)
        if "transfer-encoding" in headers and "content-length" in headers:
            # Where a proxy goes by the one and the server by the other, what one visitor sends as a
            # body is read as the request of the next (RFC 9112, 6.1).
            answer = self._no("framing", 400, "A body has a length or comes in chunks, not both.")
            answer.headers["connection"] = "close"
            return answer
        host = headers.get("host", "")
        if not _HOST.fullmatch(host) or host.lower() not in self._hosts:
            return self._no("host", 403, "This server is not called so.")
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] in CHANGES
        if changes and origin is not None and origin.lower() not in self._origins:
            return self._no("origin", 403, "Pages of another origin may not do that.")
        return None

    def _no(self, error: str, status: int, says: str) -> Response:
        self._metrics.turned_away.add(1, error)
        return Json(Problem(error=error, says=says), status)

    async def _turn_away(
        self, answer: Response, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if scope["type"] == "http":
            answer.headers["content-security-policy"] = self._policy
            await answer(scope, receive, send)
            return
        socket = WebSocket(scope, receive, send)
        await socket.receive()
        if "websocket.http.response" in scope.get("extensions", {}):
            await socket.send_denial_response(
                PlainTextResponse(bytes(answer.body), answer.status_code)
            )
        else:
            await socket.close(4403)
