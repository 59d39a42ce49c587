"""How many connections this process has descriptors for.

Each connection holds one, and a socket that goes to another server of the House or came from one
holds a second, for what leads to that server. The listening socket, the database, the log and its
copy, and the files that are being read hold one each. A server that lets in more connections than
it has descriptors for can open no file any more, and accepts nobody until somebody goes.
"""

from __future__ import annotations

import sys

from msgspec import Struct

KEPT_BACK = 96
"""Descriptors for everything that is no connection."""
LEAST = 16
"""Connections that are let in however few descriptors there are."""

if sys.platform == "win32":  # pragma: no cover

    def _limit() -> int | None:
        return None

else:
    import resource

    def _limit() -> int | None:
        """The descriptors that this process may have, after it asked for all that it may."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
                soft = hard
            except (ValueError, OSError):
                pass  # some systems have a hard limit that they do not grant
        return None if soft == resource.RLIM_INFINITY else soft


class Descriptors(Struct, frozen=True, kw_only=True):
    """What there is, and what was wished for."""

    limit: int | None
    """None where there is no limit."""
    wanted: int
    """Connections that the configuration allows."""
    twice: int = 0
    """How many of them may hold two."""

    @property
    def room(self) -> int:
        """How many connections are let in at a time."""
        if self.limit is None:
            return self.wanted
        there, all_of_them = self.limit - KEPT_BACK, self.wanted + self.twice
        return min(self.wanted, max(LEAST, there * self.wanted // all_of_them))

    @property
    def warning(self) -> str:
        """What to do, where there are fewer than were wished for."""
        if self.room >= self.wanted:
            return ""
        return (
            f"this process may have {self.limit} descriptors: it lets in {self.room} connections, "
            f"not {self.wanted}; raise the limit to {self.wanted + self.twice + KEPT_BACK} "
            "(ulimit -n, or LimitNOFILE= of a systemd unit), or lower limits.connections"
        )


def descriptors_for(wanted: int, twice: int = 0) -> Descriptors:
    """What there is for so many connections, of which so many may hold two."""
    return Descriptors(limit=_limit(), wanted=wanted, twice=twice)
