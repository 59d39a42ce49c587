"""What a path of the HTTP API is: from lists of these the routes and OpenAPI are made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response

Endpoint = Callable[[Request], Awaitable[Response]]


class ShortInteger(IntegerConvertor):
    """A whole number in a path. Of more digits than any has, Python would refuse to read it."""

    regex = "[0-9]{1,15}"


register_url_convertor("int", ShortInteger())


class Path(Struct, frozen=True, kw_only=True):
    """One path of the API."""

    path: str
    """As OpenAPI writes it; a parameter `{round:int}` is a whole number, `{source:path}` may have
    slashes."""
    does: Endpoint
    answers: Any
    method: str = "GET"
    takes: Any = None
    others: dict[int, Any] = {}
    """Further answers by status; `Problem` may come with any of 4xx."""
    query: tuple[str, ...] = ()
    """What may stand behind the question mark."""
    media: str = "application/json"
    """What comes back, where it is no JSON: then `answers` is `str`."""
