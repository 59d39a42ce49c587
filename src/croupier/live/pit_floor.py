"""The floor at a glance, and the decisions that wait: as one member of staff sees them.

What waits for him stands first. Whether he may do something is asked in one place (`barred`); the
House asks again when he does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.house.office.holds import hold_at
from croupier.house.office.roster import assignment_at
from croupier.house.permissions import act_by_device, is_a_players, is_seen
from croupier.jackpot import JackpotLink
from croupier.live import pit_records as records
from croupier.live.citing import cited
from croupier.live.identity import Visitor
from croupier.live.pit_links import LEAST, Links
from croupier.live.pit_reasons import reasons_for
from croupier.live.pit_watch import PitWatch
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    Command,
    Conversation,
    DecisionNeeded,
    DrawNeeded,
    Order,
    Table,
    write_money,
)

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

PLAYERS_MONEY = ("chips/", "safekeeping/", "pot", "layout")


class Floor:
    """What the console shows of a casino's tables and links; used under the House's lock."""

    def __init__(self, casino: LiveCasino, watch: PitWatch) -> None:
        self._casino = casino
        self._watch = watch
        self.links = Links(casino)

    # -- who may -----------------------------------------------------------------------------

    def assigned(self, visitor: Visitor, place: str) -> str:
        """By which assignment somebody acts at a table; nothing if he may not."""
        if visitor.rank is ActorRank.PLAYER or visitor.name is None:
            return ""
        state = self._casino.casino.office.state
        return assignment_at(state, visitor.name, place, self._casino.house.clock())

    def barred(self, visitor: Visitor, place: str, need: DecisionNeeded) -> str:
        """Why somebody may not answer a question, if so."""
        table = self._casino.house.pit.tables.get(place)
        if visitor.rank is ActorRank.PLAYER:
            return "You are not on duty in the pit."
        if table is not None and not self.assigned(visitor, place):
            return f"You are not assigned to table {place}."
        if not isinstance(need.of, ActorRank):
            if table is not None and is_seen(table):
                return ""
            return "This is the player's own to answer."
        if not visitor.rank.is_at_least(need.of):
            return f"This is for a {need.of.title} or above to decide."
        if need.not_by and need.not_by == visitor.name:
            return "You made the report; somebody else must confirm it."
        if table is not None and not self._casino.schedulers[place].is_for_people(need):
            return "A standing order of the House answers it."
        return ""

    # -- the floor ---------------------------------------------------------------------------

    def floor(self, visitor: Visitor) -> records.PitFloor:
        """Everything, what needs this visitor first."""
        casino = self._casino
        pit = casino.house.pit
        tables = [self.tile(visitor, place) for place in casino.private.listed_places(visitor.name)]
        links = [
            self._link(visitor, name, link)
            for name, link in pit.links.items()
            if isinstance(link, JackpotLink)
        ]
        tables.sort(key=lambda t: (not t.mine, t.hold is None, not t.faults, t.place))
        links.sort(key=lambda each: (not each.mine, each.link))
        return records.PitFloor(
            you=visitor.name or "",
            rank=visitor.rank.value,
            now=casino.house.clock(),
            tables=tuple(tables),
            links=tuple(links),
            areas=tuple(sorted({tile.area for tile in tables} - {""})),
            mine=sum(table.mine for table in tables) + sum(link.mine for link in links),
        )

    def tile(self, visitor: Visitor, place: str) -> records.PitTile:
        """One table."""
        casino = self._casino
        state = casino.casino.office.state
        table = casino.table(place)
        port = GAMES.port_of(table)
        record = state.places.get(place)
        turn = table.turn()
        waits = tuple(self._waits(visitor, place, table))
        hold = self.hold(visitor, place)
        link = casino.house.pit.linked.get(place)
        return records.PitTile(
            place=place,
            area=record.area if record is not None else "",
            game=GAMES.game_of(table).name,
            rulebook=table.book.id,
            short=table.book.short,
            stage=table.status(),
            round=port.round_number(table),
            turn=turn,
            player=(table.player_at(turn) or "") if turn is not None else "",
            since=self._watch.since(place),
            money=sum(v for k, v in table.holdings().items() if k.startswith(PLAYERS_MONEY)),
            seated=len(port.seated(table)),
            seats=port.seats(table),
            dealt_by="house" if port.deals_itself(table) else "hand",
            acting="device" if act_by_device(table) else "seen",
            dealer=state.dealers.get(place, ""),
            due="" if casino.stand_in.deals(place) else _due(table, self._casino.house.clock()),
            link=link,
            waits=waits,
            faults=tuple(self._faults(place, link)),
            hold=hold,
            announced=tuple(
                records.PitAnnouncement(
                    call=event.call.value,
                    says=event.says,
                    seat=event.seat,
                    at=at,
                    cites=event.cites,
                )
                for at, event in self._watch.announced(place)
            ),
            assigned=self.assigned(visitor, place),
            mine=any(wait.mine for wait in waits) or (hold is not None and hold.mine),
        )

    def hold(self, visitor: Visitor, place: str) -> records.PitHold | None:
        """Who holds a table, if anybody."""
        state = self._casino.casino.office.state
        hold = hold_at(state, place, self._casino.house.clock())
        if hold is None:
            return None
        return records.PitHold(
            hold=hold.number,
            by=hold.by,
            post=hold.post,
            says=hold.says,
            since=hold.since,
            until=hold.until,
            mine=hold.by == visitor.name,
            command=msgspec.json.decode(hold.report) if hold.report else {},
        )

    def _faults(self, place: str, link: str | None) -> Iterator[str]:
        if closed := self._casino.why_closed(place):
            yield closed
        jackpot = self._casino.house.pit.links.get(link or "")
        if isinstance(jackpot, JackpotLink) and jackpot.status() in _FAULTS:
            yield f"Jackpot {link} {_FAULTS[jackpot.status()]}."

    def _link(self, visitor: Visitor, name: str, link: JackpotLink) -> records.PitLink:
        state = self._casino.casino.office.state
        waits = tuple(self._link_waits(visitor, name, link))
        record = state.places.get(name)
        faults = [f"Jackpot {name} {_FAULTS[s]}." for s in (link.status(),) if s in _FAULTS]
        if record is not None and record.disabled:
            faults.append(f"Jackpot {name} is disabled: {record.disabled}.")
        return records.PitLink(
            link=name,
            rulebook=link.book.id,
            status=link.status(),
            meter=link.state.meter,
            tables=tuple(link.state.tables),
            claims=len(link.state.claims),
            waits=waits,
            faults=tuple(faults),
            mine=any(wait.mine for wait in waits),
        )

    # -- what waits --------------------------------------------------------------------------

    def _waits(self, visitor: Visitor, place: str, table: Table[Any]) -> Iterator[records.PitWait]:
        for need in table.state.waiting:
            match need:
                case DecisionNeeded():
                    yield self._asked(visitor, place, table, need)
                case DrawNeeded(of=rank, pick=pick, among=among):
                    by_hand = not GAMES.port_of(table).deals_itself(table)
                    by_hand = by_hand and not self._casino.stand_in.picks(place, need)
                    may = by_hand and visitor.rank.is_at_least(rank)
                    yield records.PitWait(
                        kind="pick",
                        whom=_or_above(rank) if by_hand else "the House",
                        says=f"Pick {pick} of {among} cards.",
                        since=self._watch.since(place),
                        mine=may and bool(self.assigned(visitor, place)),
                    )
                case _:
                    continue
        turn = table.turn()
        if turn is not None and not table.state.waiting:
            yield records.PitWait(
                kind="turn",
                whom=table.player_at(turn) or "",
                says=f"It is the turn of {GAMES.game_of(table).seat_word} {turn}.",
                since=self._watch.since(place),
            )
        if not table.state.waiting:
            yield from self._awaited_payment(place)

    def _awaited_payment(self, place: str) -> Iterator[records.PitWait]:
        """A table whose claim waits stands still until the link has paid: at the link, not here."""
        pit = self._casino.house.pit
        link = pit.links.get(pit.linked.get(place, ""))
        if isinstance(link, JackpotLink) and any(c.table == place for c in link.state.claims):
            yield records.PitWait(
                kind="payment",
                whom=_or_above(link.state.settings.house_rank),
                says=PAY,
                since=self._watch.since(place),
            )

    def _asked(
        self, visitor: Visitor, place: str, asker: Conversation[Any], need: DecisionNeeded
    ) -> records.PitWait:
        return records.PitWait(
            kind="decision",
            whom=self._whom(place, asker, need),
            says=need.says,
            since=self._watch.asked(place, need.decision),
            mine=not self.barred(visitor, place, need),
            decision=need.decision,
            holds=need.holds,
        )

    def _whom(self, place: str, asker: Conversation[Any], need: DecisionNeeded) -> str:
        """Whom a question is for, in words: nobody waits for a person where an order stands."""
        scheduler = self._casino.schedulers.get(place)
        if scheduler is None or scheduler.is_for_people(need):
            return whom(asker, need)
        return "the House: a standing order answers it"

    def _link_waits(
        self, visitor: Visitor, name: str, link: JackpotLink
    ) -> Iterator[records.PitWait]:
        asked = [need for need in link.state.waiting if isinstance(need, DecisionNeeded)]
        for need in asked:
            yield self._asked(visitor, name, link, need)
        if link.state.claims and not asked:
            rank = link.state.settings.house_rank
            yield records.PitWait(
                kind="payment",
                whom=_or_above(rank),
                says=PAY,
                since=self._watch.since(name),
                mine=visitor.rank is not ActorRank.PLAYER and visitor.rank.is_at_least(rank),
            )

        if link.state.closed or link.state.failed:  # it can be approved only then
            for proposal in link.state.proposals.values():
                if proposal.kind not in _CHANGES:
                    continue
                rank = link.state.settings.house_rank
                may = visitor.rank is not ActorRank.PLAYER and visitor.rank.is_at_least(rank)
                yield records.PitWait(
                    kind="approval",
                    whom=f"{_or_above(rank)}, not {proposal.who}",
                    says=f"{proposal.who} proposes {_CHANGES[proposal.kind]}: "
                    "somebody else approves.",
                    since=self._watch.since(name),
                    mine=may and visitor.name != proposal.who,
                    holds=False,
                )
        for paid in self._casino.casino.awards.wait_for_witness(name, self._casino.house.clock()):
            yield records.PitWait(
                kind="witness",
                whom=f"{_or_above(LEAST)}, not {' or '.join(paid.ordered_by)}",
                says=f"Witness the payment of {write_money(paid.event.paid)} to box "
                f"{paid.event.box} of table {paid.event.table}.",
                since=paid.at,
                mine=not self.links.barred(visitor, paid),
                award=paid.award,
                holds=False,
            )

    # -- decisions ---------------------------------------------------------------------------

    def decisions(self, visitor: Visitor) -> records.PitDecisions:
        """Every question that waits; those of this visitor first, then the oldest."""
        pit = self._casino.house.pit
        known = self._casino.private.listed_places(visitor.name)
        links = {n: link for n, link in pit.links.items() if isinstance(link, JackpotLink)}
        found = [
            self.decision(visitor, place, asker, need)
            for place, asker in (known | links).items()
            for need in asker.state.waiting
            if isinstance(need, DecisionNeeded)
        ]
        found.sort(key=lambda each: (not each.mine, each.since, each.place))
        return records.PitDecisions(decisions=tuple(found))

    def decision(
        self, visitor: Visitor, place: str, asker: Conversation[Any], need: DecisionNeeded
    ) -> records.PitDecision:
        """One question, without what follows from each answer."""
        barred = self.barred(visitor, place, need)
        of = need.of.value if isinstance(need.of, ActorRank) else "player"
        return records.PitDecision(
            place=place,
            at="table" if isinstance(asker, Table) else "link",
            decision=need.decision,
            question=need.question,
            says=need.says,
            whom=whom(asker, need),
            of=of,
            since=self._watch.asked(place, need.decision),
            holds=need.holds,
            cites=cited(asker.book, need.cites),
            options=tuple(
                records.PitOption(
                    name=option.name,
                    says=option.says,
                    asks={name: str(kind) for name, kind in option.asks.items()},
                )
                for option in need.options
            ),
            mine=not barred,
            barred=barred,
            reasons=reasons_for(need),
        )

    def waits_at(self, visitor: Visitor, place: str) -> tuple[records.PitWait, ...]:
        """What a table or link waits for."""
        pit = self._casino.house.pit
        table = pit.tables.get(place)
        if table is not None:
            return tuple(self._waits(visitor, place, table))
        link = pit.links[place]
        assert isinstance(link, JackpotLink)
        return tuple(self._link_waits(visitor, place, link))


_CHANGES = {  # another rulebook is the office's, with the tables that it closes and sets up
    "parameters": "other parameters",
    "correction": "to correct the meter",
    "termination": "to end the jackpot",
}

PAY = "Pay the Progressive Jackpot that is claimed."

_FAULTS = {"failed": "has failed", "closed": "is closed", "terminated": "has come to its end"}


_DEALER = ActorRank.DEALER


def _due(table: Table[Any], when: datetime) -> str:
    """What a dealer does next by hand, by the tag of the command."""
    port = GAMES.port_of(table)
    if port.deals_itself(table) or table.state.waiting:
        return ""
    due = port.next_step(table)
    if due is None:
        due = table.next_call()
        if due is None or not _can_begin(table, due, when):
            return ""
    if act_by_device(table) and is_a_players(table, due):
        return ""
    return str(due.__struct_config__.tag)


def _can_begin(table: Table[Any], call: Command, when: datetime) -> bool:
    """Whether somebody is there to be called: an empty table waits for nobody."""
    if not GAMES.port_of(table).seated(table):
        return False
    order = Order(command=call, who=_DEALER.value, rank=_DEALER, when=when)
    return table.objection(order) is None


def whom(asker: Conversation[Any], need: DecisionNeeded) -> str:
    """Whom a question is for, in words."""
    if isinstance(need.of, ActorRank):
        return _or_above(need.of)
    return asker.player_at(need.of) or f"the player at {need.of}"


def _or_above(rank: ActorRank) -> str:
    return f"a {rank.title} or above"
