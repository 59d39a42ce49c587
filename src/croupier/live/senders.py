"""Whom a limit counts: an address of IPv4, or the network of an address of IPv6.

Whoever has an address of IPv6 has the 2**64 of its network. Counted one by one they would be no
limit at all, so every limit goes by what is said here.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Network, ip_address

from starlette.requests import HTTPConnection

NETWORK = 64
"""The leading bits of an address of IPv6 that a provider gives to one customer."""


@lru_cache(maxsize=4_096)
def sender_of(address: str) -> str:
    """Whom the limits count for an address; what is no address stands for itself."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), NETWORK), strict=False))


def sender(connection: HTTPConnection) -> str:
    """Whom the limits count for a request or a socket."""
    return sender_of(connection.client.host if connection.client else "")
