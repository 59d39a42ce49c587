"""What players wish to do with their seats once the table lets them: leave, sit out, add chips.

Kept here, not in the page: whoever has folded may close it and be gone, and is seen out of his seat
when the round is settled. A wish is tried when its time has come and not before, for what a person
was refused is on record. It is given in the name and rank of the player who made it. A wish is not
stored: after a restart everybody sits where he sat, and may wish again.

Whoever is there and lets his time run out in two rounds running is sat out by the House.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from croupier.house.answers import Answer
from croupier.house.errors import HouseError
from croupier.house.permissions import act_by_device
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.scheduler import CLOCK
from croupier.pit.ports.port import GamePort
from croupier.pit.ports.wishes import Wish
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, BadCommand, Command, Money, Table

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

IDLE_ROUNDS = 2
"""Rounds running in which somebody let his time run out before he is sat out."""


class WishBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player wishes; what is left out stays as it was."""

    leave: bool | None = None
    sit_out: bool | None = None
    add: Money | None = None
    """Chips to add, in cents; 0 takes it back."""


class WishesNow(Struct, frozen=True, kw_only=True):
    """What waits for its moment."""

    leave: bool = False
    sit_out: bool = False
    add: Money = 0
    says: str = ""
    """Why the last wish came to nothing, if it did."""


class _Kept(Struct, kw_only=True):
    """The wishes of one player at one table, each carried out by itself."""

    visitor: Visitor
    """Who wishes: carried out is what he still may wish when its time has come."""
    wishes: dict[str, Wish] = {}
    says: str = ""
    under_way: int = 0
    """Commands that are not answered yet."""


class _Idle(Struct, kw_only=True):
    rounds: int
    last: int


class Wishes:
    """The wishes at all tables. Used in the loop."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._idle: dict[tuple[str, str], _Idle] = {}
        self._out: set[tuple[str, str]] = set()
        """Who is to be sat out by the House, for he does not act."""

    # -- asking --------------------------------------------------------------------------------

    def of(self, who: str | None, place: str) -> WishesNow:
        """What waits for a player at a table."""
        kept = self._kept.get((place, who or ""))
        if kept is None:
            return WishesNow()
        found = WishesNow(says=kept.says)
        for wish in kept.wishes.values():
            changes = {f: getattr(wish, f) for f in wish.__struct_fields__ if getattr(wish, f)}
            found = structs.replace(found, **changes)
        return found

    def take(self, visitor: Visitor, place: str, body: WishBody) -> WishesNow:
        """Take a wish up, or take it back; it is carried out at once if it can be."""
        who = self._casino.authority.of(visitor).name
        if who is None or not self._sits(place, who):
            raise NotAllowed("not entered", "You do not sit at this table; sit down first.")
        if not act_by_device(self._table(place)):
            says = "At this table the dealer enters what players do: say it to the dealer."
            raise NotAllowed("seen at the table", says)
        if body.add is not None and body.add < 0:
            raise NotAllowed("bad amount", "Chips that are added are more than nothing.")
        kept = self._kept.setdefault((place, who), _Kept(visitor=visitor))
        kept.visitor, kept.says = visitor, ""
        for name, value in structs.asdict(body).items():
            if value:
                kept.wishes[name] = Wish(**{name: value})
            elif value is not None:
                kept.wishes.pop(name, None)
        self.look(place)
        return self.of(who, place)

    # -- carrying out --------------------------------------------------------------------------

    def look(self, place: str) -> None:
        """The table has changed: carry out what may be done now."""
        for key, kept in [(k, v) for k, v in self._kept.items() if k[0] == place]:
            who = key[1]
            if not self._sits(place, who):
                del self._kept[key]
                continue
            for name, wish in tuple(kept.wishes.items()):
                self._try(place, who, kept, name, wish)
            if not (kept.wishes or kept.says or kept.under_way):
                self._kept.pop(key, None)
        for key in [key for key in self._out | self._idle.keys() if key[0] == place]:
            if not self._sits(*key):
                self.acted(*key)  # whoever comes back later begins anew
            elif key in self._out:
                self._sit_out(*key)

    def _try(self, place: str, who: str, kept: _Kept, name: str, wish: Wish) -> None:
        """Give the command if its time has come. What is refused then is not tried again."""
        casino, port, table = self._casino, self._port(place), self._table(place)
        if port.has_come_true(table, who, wish):
            del kept.wishes[name]  # or it would be carried out once it is not so any more
            return
        command = port.wished(table, who, wish)
        if command is None or casino.stopping or casino.is_held(place):
            return
        del kept.wishes[name]
        wish_id = f"{who}/wish-{self._casino.house.world.unique()}"
        try:
            session = casino.authority.of(kept.visitor).session
            future = casino.house.give(
                place,
                command,
                who=who,
                rank=ActorRank.PLAYER,
                command_id=wish_id,
                session=session,
            )
        except (NotAllowed, BadCommand, HouseError) as error:
            kept.says = str(error)
            return
        kept.under_way += 1
        future.add_done_callback(lambda done: casino.post(lambda: _note(kept, done)))

    # -- who does not act ----------------------------------------------------------------------

    def timed_out(self, place: str, who: str, round_number: int) -> None:
        """The House has acted for a player whose time was over."""
        idle = self._idle.setdefault((place, who), _Idle(rounds=0, last=-1))
        if idle.last == round_number:
            return
        idle.rounds, idle.last = idle.rounds + 1, round_number
        if idle.rounds >= IDLE_ROUNDS:
            self._out.add((place, who))
            self._casino.post(lambda: self._sit_out(place, who))

    def gave(self, place: str, who: str, command: Command) -> None:
        """A player gave a command: they are there, unless their page sends such by itself."""
        if not isinstance(command, self._port(place).by_page):
            self.acted(place, who)

    def acted(self, place: str, who: str) -> None:
        """He is there after all."""
        self._idle.pop((place, who), None)
        self._out.discard((place, who))

    def _sit_out(self, place: str, who: str) -> None:
        command = self._port(place).wished(self._table(place), who, Wish(sit_out=True))
        if (place, who) not in self._out or command is None or self._casino.stopping:
            return
        self.acted(place, who)
        with self._casino.guarded(place):
            self._casino.house.give(place, command, who=CLOCK, rank=ActorRank.HOUSE)

    def _sits(self, place: str, who: str) -> bool:
        table = self._table(place)
        return who in map(table.player_at, self._port(place).seated(table))

    def _table(self, place: str) -> Table[Any]:
        return self._casino.house.pit.tables[place]

    def _port(self, place: str) -> GamePort[Any]:
        return GAMES.port_of(self._table(place))


def _note(kept: _Kept, done: Future[Answer]) -> None:
    """Keep why a wish came to nothing."""
    kept.under_way -= 1
    if done.exception() is not None:
        kept.says = str(done.exception())
    elif (refused := done.result().refused) is not None:
        kept.says = refused.says
