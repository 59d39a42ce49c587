"""`croupier office waiting`: waiting lists, and who could be moved so that games stay full."""

from __future__ import annotations

from collections.abc import Mapping

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import (
    as_json,
    at,
    by,
    draw,
    office_session,
    write_json,
)
from croupier.house.office import PlaceRecord
from croupier.house.office.waiting import (
    CallPlayer,
    JoinWaitingList,
    LeaveWaitingList,
    NoteSeated,
)

list_of = click.argument("list_of", metavar="LIST")
player_of = click.argument("player")
table_of = click.argument("table")
HOUR = "%H:%M"


def _tables(places: Mapping[str, PlaceRecord]) -> list[str]:
    return [n for n, record in places.items() if record.kind == "table" and not record.closed]


@click.group(cls=CommandGroup)
def waiting() -> None:
    """Waiting lists: names in order, called, seated, taken off; who could be moved.

    A LIST is of an area, or of one table. To move a player is `croupier office player relocate`.

    \b
    Example:
      croupier office waiting list sqlite:///house.db --as Dan
    """


@waiting.command("add")
@at
@list_of
@player_of
@click.option("--note", default="", help="What the player wants, for whoever calls.")
@by
@as_json
def add(url: str, list_of: str, player: str, note: str, who: str, as_json: bool) -> None:
    """Put PLAYER at the end of the LIST of an area or table; an account is not needed.

    URL is the database or the server.

    \b
    Example:
      croupier office waiting add sqlite:///house.db 'poker room' Ann --as Dan
    """
    with office_session(url, who, as_json) as here:
        here.give(JoinWaitingList(list_of=list_of, player=player, note=note))


@waiting.command("call")
@at
@list_of
@player_of
@table_of
@click.option("--reason", default="", help="Why somebody is called who has waited less long.")
@by
@as_json
def call(
    url: str, list_of: str, player: str, table: str, reason: str, who: str, as_json: bool
) -> None:
    """Call PLAYER from a LIST to a TABLE of it. URL is the database or the server.

    \b
    Example:
      croupier office waiting call sqlite:///house.db 'poker room' Ann P1 --as Dan
    """
    with office_session(url, who, as_json) as here:
        here.give(CallPlayer(list_of=list_of, player=player, table=table, reason=reason))


@waiting.command("seated")
@at
@list_of
@player_of
@table_of
@by
@as_json
def seated(url: str, list_of: str, player: str, table: str, who: str, as_json: bool) -> None:
    """PLAYER sits at TABLE now, and is off the LIST. URL is the database or the server.

    \b
    Example:
      croupier office waiting seated sqlite:///house.db 'poker room' Ann P1 --as Dan
    """
    with office_session(url, who, as_json, [table]) as here:
        here.give(NoteSeated(list_of=list_of, player=player, table=table))


@waiting.command("remove")
@at
@list_of
@player_of
@click.option("--reason", default="", help="Why, for the record.")
@by
@as_json
def remove(url: str, list_of: str, player: str, reason: str, who: str, as_json: bool) -> None:
    """Take PLAYER off a LIST: did not come, or waits no longer. URL is the database or the server.

    \b
    Example:
      croupier office waiting remove sqlite:///house.db 'poker room' Ann --as Dan
    """
    with office_session(url, who, as_json) as here:
        here.give(LeaveWaitingList(list_of=list_of, player=player, reason=reason))


@waiting.command("list")
@at
@by
@as_json
def list_waiting(url: str, who: str, as_json: bool) -> None:
    """List who waits where, the free seats of each table, and who could be moved.

    URL is the database or the server.

    \b
    Example:
      croupier office waiting list sqlite:///house.db --as Dan
    """
    with office_session(url, who, as_json, _tables) as here:
        rooms = here.listed("waiting")
        if as_json:
            write_json(rooms)
            return
        for one in rooms.lists:
            rows = [
                (
                    str(name.number),
                    name.player,
                    f"{name.since:{HOUR}}",
                    f"{name.called:{HOUR}} to {name.called_to}" if name.called else "",
                    "yes" if name.seated else "",
                    name.note,
                )
                for name in one.names
            ]
            heads = ("number", "name", "since", "called", "seated", "note")
            draw(f"{one.list_of}: {len(rows)} waiting", heads, rows, {"number"})
        tables = [
            (t.table, t.area, f"{t.seated} of {t.seats}", ", ".join(map(str, t.free)))
            for t in rooms.tables
        ]
        draw("Tables", ("table", "area", "seated", "free seats"), tables, set())
        for each in rooms.suggestions:
            click.echo(each.says)
