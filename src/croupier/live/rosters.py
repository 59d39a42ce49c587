"""Who sat where when something of an old log happened.

A table that was read from its newest state knows who sits there now, and not who sat there before.
To play its whole log again would tell; it may be long. The last events tell it too: who sits down
is named with the seat or box, who goes is named, and so is whoever bets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.live.audience import Roster
from croupier.pit.ports.port import GamePort
from croupier.table import Event


def rosters(port: GamePort[Any], events: Sequence[Event], now: Roster) -> list[Roster]:
    """Who sat where at each of these events, the last of a table at which these sit `now`; the
    same object as before while nobody has come or gone. Who had a seat and has gone before any of
    them named it is not known, nor told of by any."""
    named, had = _named(port, events)
    found: list[Roster] = []
    roster = now
    for event, in_round, of_gone in zip(
        reversed(events), reversed(named), reversed(had), strict=True
    ):
        after = roster
        whose = port.seat_named(event)
        if isinstance(event, port.comes) and whose is not None:
            roster = {seat: who for seat, who in roster.items() if seat != whose[0]}
        elif of_gone:
            roster = {**roster, **of_gone}
        during = {**in_round, **roster, **after}
        found.append(found[-1] if found and found[-1] == during else during)
    found.reverse()
    return found


def _named(port: GamePort[Any], events: Sequence[Event]) -> tuple[list[Roster], list[Roster]]:
    """At each event: who was named with a seat in its round so far, also if they have gone since;
    and the seats of whoever goes with it."""
    in_round: Roster = {}
    sits: Roster = {}
    named, had = [], []
    for event in events:
        if isinstance(event, port.round_begins):
            in_round = {}
        whose = port.seat_named(event)
        if whose is not None and in_round.get(whose[0]) != whose[1]:
            in_round = {**in_round, whose[0]: whose[1]}
        if whose is not None:
            sits[whose[0]] = whose[1]
        gone = event.player if isinstance(event, port.goes) else None  # type: ignore[attr-defined]
        had.append({seat: who for seat, who in sits.items() if who == gone} if gone else {})
        for seat in had[-1]:
            del sits[seat]
        named.append(in_round)
    return named, had
