"""Tells systemd that the server is open, that it lives, and that it stops.

A unit of `Type=notify` counts as started once the server listens, and one with `WatchdogSec=` is
restarted where the event loop no longer turns. Without systemd nothing is told to anybody.
"""

from __future__ import annotations

import asyncio
import os
import socket

READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"


def notify(state: str) -> bool:
    """Tell systemd something; whether there was anybody to tell."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")) or not hasattr(socket, "AF_UNIX"):
        return False
    if address.startswith("@"):  # a name that is no file
        address = f"\0{address[1:]}"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
            made.connect(address)
            made.sendall(state.encode())
    except OSError:
        return False
    return True


def watchdog_seconds() -> float:
    """How often it is to be told that the server lives: twice in the time that systemd waits; 0
    where it does not."""
    watched = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    micro = os.environ.get("WATCHDOG_USEC", "")
    return int(micro) / 2_000_000 if watched and micro.isdecimal() else 0.0


async def say_alive() -> None:
    """Say that the event loop turns, until this is cancelled."""
    seconds = watchdog_seconds()
    while seconds:
        notify(ALIVE)  # one that is not taken is said again before systemd loses patience
        await asyncio.sleep(seconds)
