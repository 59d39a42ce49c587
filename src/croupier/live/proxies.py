"""Behind a proxy: whose word about a visitor is taken, and what it says.

A proxy says in `X-Forwarded-For` for whom it asks, and in `X-Forwarded-Proto` how that one reached
it. Anybody can write such headers; they count only where the connection comes from an address that
the configuration trusts (`server.proxies`). Of several addresses the last one counts that is no
trusted proxy's: what stands before it the visitor may have written.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

Network = IPv4Network | IPv6Network


class Proxies:
    """The addresses and networks of proxies that are trusted."""

    def __init__(self, written: Iterable[str] = ()) -> None:
        self._networks: tuple[Network, ...] = tuple(ip_network(each) for each in written)
        self._known = lru_cache(maxsize=4_096)(self._is_within)

    def __contains__(self, address: object) -> bool:
        return bool(self._networks) and isinstance(address, str) and self._known(address)

    def _is_within(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        mapped = getattr(found, "ipv4_mapped", None) or found
        return any(mapped in network for network in self._networks)

    def seen_through(self, scope: Scope) -> Scope:
        """A connection as the visitor made it, where it came by a trusted proxy."""
        client = scope.get("client")
        if client is None or client[0] not in self:
            return scope
        headers = Headers(scope=scope)
        changed: dict[str, object] = {}
        address = self._visitor(",".join(headers.getlist("x-forwarded-for")))
        if address:
            changed["client"] = (address, 0)
        if headers.get("x-forwarded-proto", "").strip().lower() == "https":
            changed["scheme"] = "wss" if scope["type"] == "websocket" else "https"
        return {**scope, **changed} if changed else scope

    def _visitor(self, forwarded: str) -> str:
        """For whom the proxies ask."""
        for written in reversed(forwarded.split(",")):
            text = written.strip().removeprefix("[").partition("]")[0]
            try:
                address = str(ip_address(text))
            except ValueError:
                return ""  # no proxy of ours has written that
            if address not in self:
                return address
        return ""


def unfit_proxy(written: str) -> str:
    """What is wrong with an entry of `server.proxies`, in a sentence; nothing if it is good."""
    try:
        network = ip_network(written)
    except ValueError:
        return f"{written!r} is no address or network; write 127.0.0.1 or 10.0.0.0/8"
    if network.prefixlen == 0:
        return f"{written} is everybody: name the proxy's own address"
    return ""
