"""Whether the clock of this machine follows a time server, as far as its kernel knows.

The times of the record are evidence, and two machines of one House must agree on them. chrony,
ntpd and systemd-timesyncd all tell the kernel that they keep its clock; other systems are not
asked.
"""

from __future__ import annotations

import ctypes
import sys

UNSYNCHRONISED = 0x40
"""Of the state that the kernel tells (STA_UNSYNC)."""
NO_CLOCK = 5
"""What it answers where nothing keeps the clock (TIME_ERROR)."""


class _Timex(ctypes.Structure):
    """The first fields of what `adjtimex` fills in, and room for the others."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("others", ctypes.c_long * 40),
    )


def follows_a_time_server() -> bool | None:
    """Whether something keeps the clock right; None where that cannot be known."""
    if not sys.platform.startswith("linux"):
        return None
    asked = _Timex()  # no mode is set: it is asked, and nothing is changed
    try:
        answer: int = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(asked))
    except (OSError, AttributeError):
        return None
    if answer < 0:
        return None
    return answer != NO_CLOCK and not asked.status & UNSYNCHRONISED
