"""Cookies and tokens: which visitor a request comes from, and whether he meant the change.

The cookie is HttpOnly and SameSite=Strict, and Secure where the page came over https. A change must
bring the visitor's token in a header: no form and no page of another origin can.
"""

from __future__ import annotations

import hmac

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor

COOKIE = "croupier"
TOKEN = "x-croupier-token"
A_YEAR = 365 * 24 * 3600


def visitor_of(request: HTTPConnection, casino: LiveCasino) -> Visitor | None:
    """Who comes with this request's cookie; None if it brings none of ours."""
    return casino.identity.visitor(request.cookies.get(COOKIE))


def known(request: HTTPConnection, casino: LiveCasino) -> Visitor:
    """Who comes with this request; somebody without a name if it brings no cookie of ours."""
    return visitor_of(request, casino) or Visitor(visit="")


def owner_of_change(request: Request, casino: LiveCasino) -> Visitor:
    """The visitor who asks for a change, if he brings his token."""
    visitor = visitor_of(request, casino)
    if visitor is None:
        raise NotAllowed("no visit", "Ask /api/me first: it gives a cookie and a token.")
    brought = request.headers.get(TOKEN, "")
    if not hmac.compare_digest(brought.encode(), casino.identity.token(visitor).encode()):
        raise NotAllowed("no token", "A change needs the token of /api/me in X-Croupier-Token.")
    return visitor


def give_cookie(request: HTTPConnection, answer: Response, cookie: str) -> None:
    """Let the browser remember the visitor."""
    answer.set_cookie(
        COOKIE,
        cookie,
        max_age=A_YEAR,
        path="/",
        httponly=True,
        samesite="strict",
        secure=is_secure(request),
    )


def is_secure(request: HTTPConnection) -> bool:
    """Whether the visitor reached the server over https, also by way of a proxy."""
    return request.url.scheme in ("https", "wss")
