"""Sockets that listen: bound to an address, or a clear error why that cannot be had."""

from __future__ import annotations

import socket

from croupier.live.errors import CannotListen

PORT = "give another one with --port, or 0 for any free one"


def listen_on(host: str, port: int, instead: str = PORT) -> socket.socket:
    """A socket that is bound; port 0 takes any free one. `instead` says what to do where it is not
    to be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        says = f"cannot listen on {host} port {port} ({error.strerror or error}); {instead}"
        raise CannotListen(says) from error
    return made
