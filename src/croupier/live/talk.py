"""A few words at private tables, and reports of players to the pit.

What is said is on record in the office before anybody reads it. Only who sits at the table speaks,
in few words and not too often; readers mute whom they like, in their own browser.
"""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.elsewhere import named_lately
from croupier.house.office.talk import Complaint, ReportPlayer, Say, Words
from croupier.house.records import written_time
from croupier.live import wire
from croupier.live.errors import NotAllowed
from croupier.live.json_response import Json, read_body
from croupier.live.limits import Buckets
from croupier.live.paths import Path
from croupier.live.private_tables import PrivateTable, PrivateTableBody
from croupier.live.requested import casino_of, place_of
from croupier.live.senders import sender
from croupier.live.visits import known, owner_of_change
from croupier.pit.registry import GAMES
from croupier.table import BadCommand, Command

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

DAY = 86_400
LINES_A_DAY = {"you": 300, "your address": 600, "this table": 1_500}
"""Lines at most in a day: of one guest, of one address, at one table."""
LATELY = 500
"""Events of a table in which whoever sat there lately is looked for."""
KEPT = 50
"""Lines of each table that are told to who comes later; all of them are in the log."""


class SayBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A few words."""

    words: Words


class ReportPlayerBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is reported to the pit, and why."""

    player: str
    says: Complaint


class Chat(Struct, frozen=True, kw_only=True):
    """The last words at a table."""

    lines: tuple[wire.ChatMessage, ...]


class Done(Struct, frozen=True, kw_only=True):
    """What came of it, in a sentence."""

    says: str


class Talk:
    """What is said at the private tables of a casino."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        casino.forgets.append(self._forget)
        self._lines: dict[str, deque[wire.ChatMessage]] = {}
        self._words = Buckets(0.5, 4)
        """One line in two seconds, and four at once."""
        self._today = {what: Buckets(most / DAY, most) for what, most in LINES_A_DAY.items()}
        self._reports = Buckets(1 / 300, 3)
        """One report in five minutes, and three at once."""

    def _forget(self, place: str) -> None:
        """A table is run no more."""
        self._lines.pop(place, None)

    def lines(self, place: str, who: str | None) -> tuple[wire.ChatMessage, ...]:
        """The last lines; to watchers those that are as old as their delay."""
        found = tuple(self._lines.get(place, ()))
        held_back = self._casino.watchers.held_back(place, who)
        if held_back is None:
            return found
        until = self._casino.house.clock() - timedelta(seconds=held_back.delay)
        return tuple(line for line in found if datetime.fromisoformat(line.at) <= until)

    async def say(self, place: str, who: str, words: str, sender: str) -> None:
        """Put it on record, then tell everybody at the table."""
        casino = self._casino
        if not casino.private.is_private(place):
            raise NotAllowed("no chat", "There is no chat at the tables of the House.")
        table = casino.table(place)
        if who not in map(table.player_at, table.taken_seats()):
            raise NotAllowed("not seated", "Who sits at the table may say something.")
        if self._words.take(who):
            raise NotAllowed("too fast", "Slower, please.")
        self._check_day(who, sender, place)
        await self._told(Say(table=place, words=words), who)
        at = written_time(casino.house.clock())
        line = wire.ChatMessage(player=who, words=" ".join(words.split()), at=at)
        self._lines.setdefault(place, deque(maxlen=KEPT)).append(line)
        casino.hubs[place].tell_all(wire.write(line))

    def _check_day(self, who: str, sender: str, place: str) -> None:
        """Each line is on record for good, so nobody says as much as they like, day after day."""
        for what, of in (("you", who), ("your address", sender), ("this table", place)):
            if self._today[what].take(of):
                most = LINES_A_DAY[what]
                says = f"{most} lines in a day are the most for {what}; wait for a while."
                raise NotAllowed("too fast", says)

    async def report(self, place: str, who: str, body: ReportPlayerBody) -> None:
        """Report somebody who sits at a table, or has sat there lately, to the pit; so has whoever
        reports."""
        casino = self._casino
        table = casino.table(place)
        here = {table.player_at(seat) for seat in table.taken_seats()}
        lately = {name for entry in casino.hubs[place].recent for name in entry.roster.values()}
        if not {who, body.player} <= here | lately:  # another server may have run it until now
            lately |= await asyncio.to_thread(named_lately, casino.house, place, LATELY)
        if who not in here | lately:
            raise NotAllowed("not here", "Who sits at a table, or sat there lately, may report.")
        if body.player not in here | lately:
            raise NotAllowed("not here", f"{body.player} was not at this table lately.")
        if self._reports.take(who):
            raise NotAllowed("too fast", "You have reported enough for now; the pit looks at it.")
        number = GAMES.port_of(table).round_number(table)
        await self._told(
            ReportPlayer(table=place, player=body.player, says=body.says, round=number), who
        )

    async def _told(self, command: Command, who: str) -> None:
        try:
            answer = await asyncio.to_thread(self._casino.casino.tell, command, who=who)
        except BadCommand as error:
            text = str(error)
            raise NotAllowed("words", f"{text[:1].upper()}{text[1:]}.") from error
        if answer.refused is not None:
            raise NotAllowed("words", answer.refused.says)


def _talk(request: Request) -> Talk:
    found: Talk = request.app.state.talk
    return found


def _who(request: Request) -> str:
    casino = casino_of(request)
    visitor = casino.authority.of(owner_of_change(request, casino))
    if visitor.name is None:
        raise NotAllowed("not entered", "Enter under a name first.")
    return visitor.name


async def chat(request: Request) -> Response:
    """The last words at a private table."""
    casino = casino_of(request)
    place = place_of(request, casino)
    return Json(Chat(lines=_talk(request).lines(place, known(request, casino).name)))


async def say(request: Request) -> Response:
    """Say a few words at a private table."""
    casino, who = casino_of(request), _who(request)
    place = place_of(request, casino)
    body = await read_body(request, SayBody, casino.config.limits.body_bytes)
    await _talk(request).say(place, who, body.words, sender(request))
    return Json(Done(says="Said."))


async def report_player(request: Request) -> Response:
    """Report a player of a table to the pit."""
    casino, who = casino_of(request), _who(request)
    place = place_of(request, casino)
    body = await read_body(request, ReportPlayerBody, casino.config.limits.body_bytes)
    await _talk(request).report(place, who, body)
    return Json(Done(says="Thank you. Somebody of the pit looks at it."))


async def make_private_table(request: Request) -> Response:
    """Make a private table, in the demonstration."""
    casino = casino_of(request)
    visitor = casino.authority.of(owner_of_change(request, casino))
    body = await read_body(request, PrivateTableBody, casino.config.limits.body_bytes)
    made = await asyncio.to_thread(casino.private.make, visitor, body, sender(request))
    casino.open_new_places()
    return Json(made)


TALK_PATHS = (
    Path(
        path="/api/private-tables",
        method="POST",
        does=make_private_table,
        takes=PrivateTableBody,
        answers=PrivateTable,
    ),
    Path(path="/api/tables/{place}/chat", does=chat, answers=Chat),
    Path(path="/api/tables/{place}/chat", method="POST", does=say, takes=SayBody, answers=Done),
    Path(
        path="/api/tables/{place}/player-reports",
        method="POST",
        does=report_player,
        takes=ReportPlayerBody,
        answers=Done,
    ),
)
