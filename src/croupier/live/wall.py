"""The jackpot display: what big screens show of each link, for anybody and without a login.

Public facts alone, and durable ones: a screen shows how a link stood after the last command that
was stored. So it never shows a contribution or an award that could not be stored, and no more than
the meter had. Who won is said only where the House has set that (`[wall] names`).
"""

from __future__ import annotations

from copy import copy
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.answers import Answer
from croupier.house.archives.file import ArchiveDamaged
from croupier.house.records import written_time
from croupier.jackpot import JackpotLink, shown_at
from croupier.jackpot.state import Award, LinkState
from croupier.live.json_response import Json
from croupier.live.paths import Path
from croupier.live.requested import NotFound, casino_of
from croupier.rulebooks import Topic
from croupier.table import AwardMade, Command, Money, Order

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

LOOKED_BACK = 2_000
"""Events of a link's log that are looked through for its last awards when the casino opens."""
PAID_KEPT = 1_000
"""Awards of which it is remembered when they were paid."""
AWARDS_SHOWN = 3
"""Awards that a screen shows at once, where several were paid together."""

WallStatus = Literal["open", "claim pending", "out of service", "closed", "ended"]

_STATUS: dict[str, WallStatus] = {
    "open": "open",
    "claims": "claim pending",
    "failed": "out of service",
    "closed": "closed",
    "terminated": "ended",
}
_SAYS: dict[WallStatus, str] = {
    "open": "",
    "claim pending": "A claim is being verified.",
    "out of service": "No bets on this jackpot are taken until it is repaired.",
    "closed": "No bets on this jackpot are taken at present.",
    "ended": "This jackpot has ended.",
}


class WallAward(Struct, frozen=True, kw_only=True):
    """A jackpot that was won a short while ago."""

    amount: Money
    table: str
    line: str
    """The winning hand, such as `Royal Flush`."""
    at: str
    player: str | None = None
    """Who won it; only where the House allows that names are shown."""


class WallLink(Struct, frozen=True, kw_only=True):
    """One jackpot link as a screen shows it."""

    link: str
    status: WallStatus
    amount: Money | None
    """What the display shows, never more than the meter; nothing while it is out of service."""
    says: str
    """What is to be said about the status, in a sentence."""
    cites: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    """Tables whose claims wait."""
    won: tuple[WallAward, ...] = ()
    """The newest first."""


class WallAnswer(Struct, frozen=True, kw_only=True):
    """The links of a wall, and when this was so."""

    at: str
    links: tuple[WallLink, ...]


class _Picture(Struct, frozen=True, kw_only=True):
    """A link as one command has left it."""

    status: str
    state: LinkState
    """Its numbers; the lists in it belong to the link and are not read here."""
    tables: tuple[str, ...]
    claims: tuple[str, ...]
    awards: tuple[Award, ...] = field(default=())
    """The last ones that were not taken back, the newest first."""


def _picture(link: JackpotLink) -> _Picture:
    state = link.state
    standing = [award for award in state.awards if not award.taken_back]
    return _Picture(
        status=link.status(),
        state=copy(state),
        tables=tuple(state.tables),
        claims=tuple(dict.fromkeys(claim.table for claim in state.claims)),
        awards=tuple(reversed(standing[-AWARDS_SHOWN:])),
    )


_Key = tuple[str, int, int, str]


def _key(award: Award | AwardMade) -> _Key:
    return award.table, award.round, award.box, award.line


class Wall:
    """Watches the answers of one House, and keeps how each link stood when it was last stored."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self._made: dict[int, tuple[Answer, dict[str, _Picture]]] = {}
        """What is not stored yet, by the identity of the answer: what was lost may be given again
        under the same id before that is heard of."""
        self._stored: dict[str, _Picture] = {}
        self._paid: dict[_Key, tuple[datetime, str | None]] = {}
        """When an award was paid, and to whom."""
        for name, link in casino.house.pit.links.items():
            if isinstance(link, JackpotLink):
                self._stored[name] = _picture(link)
                self._look_back(name, link)
        casino.house.watch(self)

    def _look_back(self, name: str, link: JackpotLink) -> None:
        """Find when the last awards were paid; nobody's name is known of them any more."""
        house = self._casino.house
        try:
            for row in house.reader.rows(name, after=max(0, house.positions[name] - LOOKED_BACK)):
                event = link.read_event(row.event)
                if isinstance(event, AwardMade):
                    self._paid[_key(event)] = datetime.fromisoformat(row.at), None
        except ArchiveDamaged:
            return  # told as an alarm

    # -- what the House says (Watcher) ---------------------------------------------------------

    def made(self, answer: Answer, order: Order[Command]) -> None:
        """Note how the links stand that a command has touched; called under the House's lock."""
        pit = self._casino.house.pit
        touched = {said.place for said in answer.said} & pit.links.keys()
        if not touched:
            return
        for said in answer.said:
            if isinstance(said.event, AwardMade):
                table = pit.tables.get(said.event.table)
                player = table.player_at(said.event.box) if table is not None else None
                self._paid[_key(said.event)] = order.when, player
                if len(self._paid) > PAID_KEPT:
                    del self._paid[next(iter(self._paid))]
        pictures = {
            name: _picture(link)
            for name in touched
            if isinstance(link := pit.links[name], JackpotLink)
        }
        self._made[id(answer)] = answer, pictures

    def stored(self, answer: Answer) -> None:
        """It is durable: that is what screens show from now on."""
        made = self._made.pop(id(answer), None)
        if made is not None:
            self._stored |= made[1]

    def lost(self, answer: Answer) -> None:
        """It never happened."""
        self._made.pop(id(answer), None)

    # -- what is asked -------------------------------------------------------------------------

    def links(self) -> tuple[WallLink, ...]:
        """Every link, in the order of its name."""
        return tuple(shown for name in sorted(self._names()) if (shown := self.link(name)))

    def _names(self) -> list[str]:
        links = self._casino.house.pit.links
        return [name for name, link in links.items() if isinstance(link, JackpotLink)]

    def link(self, name: str) -> WallLink | None:
        """One link as its screen shows it; None if there is no such link."""
        link = self._casino.house.pit.links.get(name)
        if not isinstance(link, JackpotLink):
            return None
        picture = self._stored.get(name) or self._newly_opened(name, link)
        now = self._casino.house.clock()
        status = _STATUS.get(picture.status, "closed")
        says, cites = _SAYS[status], self._cites(link, status)
        if disabled := self._disabled(name):
            status, says, cites = "out of service", disabled, ()
        counts = status in ("open", "claim pending")
        return WallLink(
            link=name,
            status=status,
            amount=shown_at(picture.state, now) if counts else None,
            says=says,
            cites=cites,
            tables=picture.tables,
            claims=picture.claims,
            won=tuple(self._won(picture, now)),
        )

    def _newly_opened(self, name: str, link: JackpotLink) -> _Picture:
        """A link that was opened while the casino runs and has been told nothing since."""
        with self._casino.house.lock:
            picture = _picture(link)
        return self._stored.setdefault(name, picture)

    def _cites(self, link: JackpotLink, status: WallStatus) -> tuple[str, ...]:
        topic = Topic.JACKPOT_FAULT_NEXT_ROUNDS
        if status == "out of service" and link.book.has(topic):
            return link.book.cite(topic)
        return ()

    def _disabled(self, name: str) -> str:
        """Why the office has stopped a link, in a sentence."""
        state = self._casino.casino.office.state
        if state.disabled:
            return f"The casino is disabled: {state.disabled}."
        record = state.places.get(name)
        return f"Disabled: {record.disabled}." if record is not None and record.disabled else ""

    def _won(self, picture: _Picture, now: datetime) -> list[WallAward]:
        config = self._casino.config.wall
        since = now - timedelta(seconds=config.won_shown)
        found = []
        for award in picture.awards:
            at, player = self._paid.get(_key(award), (None, None))
            if at is None or at < since:
                continue
            found.append(
                WallAward(
                    amount=award.paid,
                    table=award.table,
                    line=award.line.rsplit(".", 1)[-1].replace("-", " ").title(),
                    at=written_time(at),
                    player=player if config.names else None,
                )
            )
        return found


def _wall_of(request: Request) -> Wall:
    wall: Wall = request.app.state.wall
    return wall


def _answer(request: Request, links: tuple[WallLink, ...]) -> Response:
    now = casino_of(request).house.clock()
    return Json(WallAnswer(at=written_time(now), links=links))


async def wall(request: Request) -> Response:
    """Every jackpot link as the screens of the floor show it."""
    return _answer(request, _wall_of(request).links())


async def wall_link(request: Request) -> Response:
    """One jackpot link as its screen shows it."""
    name: str = request.path_params["link"]
    found = _wall_of(request).link(name)
    if found is None:
        raise NotFound(f"There is no link {name!r}.")
    return _answer(request, (found,))


WALL_PATHS = (
    Path(path="/api/wall", does=wall, answers=WallAnswer),
    Path(path="/api/wall/{link}", does=wall_link, answers=WallAnswer),
)
