"""Which server is to run which table: the same answer wherever it is asked.

Nothing moves without need, for whoever sits at a table that moves must connect again. A table stays
where it is unless its server has gone or may not run it, somebody wants it elsewhere, or its server
has at least two more than another that may run it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.house.servers import ServerRecord


def spread(
    places: Sequence[str],
    servers: Sequence[ServerRecord],
    running: Mapping[str, str],
    wanted: Mapping[str, str],
) -> dict[str, str]:
    """The server of each place that any may run. `running` is where each is now, `wanted` where
    somebody wants it; both may name servers that are not there."""
    known = {server.name: server for server in sorted(servers, key=lambda each: each.name)}
    found: dict[str, str] = {}
    pinned: set[str] = set()
    for place in sorted(places):
        for choice in (wanted.get(place, ""), running.get(place, "")):
            if choice in known and known[choice].may(place):
                found[place] = choice
                if choice == wanted.get(place):
                    pinned.add(place)
                break
    load = {name: sum(each == name for each in found.values()) for name in known}
    for place in sorted(set(places) - found.keys()):
        able = [name for name, server in known.items() if server.may(place)]
        if able:
            found[place] = min(able, key=lambda name: (load[name], name))
            load[found[place]] += 1
    _level(found, pinned, known, load)
    return found


def _level(
    found: dict[str, str], pinned: set[str], known: dict[str, ServerRecord], load: dict[str, int]
) -> None:
    """Move single places from servers with many to servers with few."""
    while True:
        move = next(
            (
                (place, low)
                for low in sorted(known, key=lambda name: (load[name], name))
                for place in sorted(found, key=lambda each: (-load[found[each]], each))
                if load[found[place]] >= load[low] + 2
                and place not in pinned
                and known[low].may(place)
            ),
            None,
        )
        if move is None:
            return
        place, low = move
        load[found[place]] -= 1
        found[place] = low
        load[low] += 1
