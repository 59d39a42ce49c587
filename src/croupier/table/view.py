"""Viewers: who looks at a table, and so what may be in his view.

Face-down cards are for their player alone, after he has looked. Dealer, pit and spectators see
what lies face up. The auditor sees everything of finished rounds.
"""

from __future__ import annotations

from msgspec import Struct


class Viewer(Struct, frozen=True, kw_only=True):
    """Somebody who looks: a player by name, the public (dealer, pit, spectators), the auditor."""

    who: str | None = None
    auditor: bool = False


PUBLIC = Viewer()
AUDITOR = Viewer(auditor=True)


def player(who: str) -> Viewer:
    """The viewer who is this player."""
    return Viewer(who=who)
