"""The port of the banked family: Progressive Texas Hold'em v6, Multi-Link Progressive v2 and v3."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar

from msgspec import Struct

from croupier.banked import BankedSettings, BankedTable, findings
from croupier.banked import commands as do
from croupier.banked.authority import chips_of
from croupier.banked.conduct import is_asked
from croupier.banked.events import (
    AwardReceived,
    BetsCalled,
    BoxSettled,
    CardsTabled,
    ChipsReported,
    CommunityDealt,
    HoleCardsDealt,
    JackpotPaid,
    Left,
    OpeningBetPlaced,
    RoundConcluded,
    SatDown,
)
from croupier.banked.reports import ReportInterruption, ReportWalkAway
from croupier.banked.rulings import RULING
from croupier.banked.seating import may_leave
from croupier.banked.voiding import NEXT_ROUNDS
from croupier.cards import Card
from croupier.jackpot import JackpotLink
from croupier.pit.ports.banked_claimed import claimed_in
from croupier.pit.ports.banked_dealer import dealer_acts, dealer_view
from croupier.pit.ports.banked_info import BankedTableInfo, banked_info, limits_of
from croupier.pit.ports.banked_offers import banked_offers
from croupier.pit.ports.dealer_acts import DealerAct, DealerView
from croupier.pit.ports.port import Claimed, Commands, Events, GamePort, Stands, Terms
from croupier.pit.ports.waits import BetsOpen, Instead, Wait, by_dealer, by_house
from croupier.pit.ports.wishes import Wish
from croupier.table import (
    Command,
    DecisionNeeded,
    DecisionTaken,
    Event,
    Looked,
    player,
    write_money,
)
from croupier.table.acting import Acting, usual_acting, with_usual_acting
from croupier.table.event import Namer
from croupier.table.view import held_by

ANTES_OF_A_ROUND = 5
"""What a whole round takes: Ante 1, Flop bet 2, Turn bet 1, River bet 1."""


class BankedPort(GamePort[BankedTable]):
    """Every player against the dealer, with a progressive jackpot."""

    begins: ClassVar[Commands] = (do.CallForBets,)
    sits: ClassVar[Commands] = (do.Sit,)
    enters: ClassVar[Commands] = (do.PlaceAnte, do.PlaceBonus, do.PlaceProgressive)
    leaves: ClassVar[Commands] = (do.Leave,)
    seen: ClassVar[Commands] = (do.ReportChips,)
    deals: ClassVar[Commands] = (
        do.CallForBets,
        do.NoticeBet,
        do.CloseBets,
        do.DealCommunity,
        do.DealHoleCards,
        do.DealFlop,
        do.DealTurn,
        do.DealRiver,
        do.DealDealer,
        do.RevealFlop,
        do.RevealTurn,
        do.RevealRiver,
        do.RevealDealer,
        do.CollectCards,
        do.Settle,
        do.ReportChips,
    )

    round_begins: ClassVar[Events] = (BetsCalled,)
    comes: ClassVar[Events] = (SatDown,)
    goes: ClassVar[Events] = (Left,)
    round_ends: ClassVar[Events] = (RoundConcluded,)
    cards_dealt: ClassVar[Events] = (CommunityDealt, HoleCardsDealt)
    outcomes: ClassVar[Events] = (BoxSettled, JackpotPaid, AwardReceived)
    voids: ClassVar[Events] = (findings.RoundVoided,)
    rulings: ClassVar[Events] = (findings.RulingMade, findings.LinesRuled)
    undone: ClassVar[Events] = (findings.RulingUndone,)

    has_jackpot: ClassVar[bool] = True
    has_bots: ClassVar[bool] = True
    bets_are_closed: ClassVar[bool] = True

    def seat_named(self, event: Event) -> tuple[int, str] | None:
        if isinstance(event, SatDown | OpeningBetPlaced | ChipsReported):
            return event.box, event.player
        return None

    # -- settings ----------------------------------------------------------------------------

    def needs_link(self, settings: Struct) -> bool:
        assert isinstance(settings, BankedSettings)
        return settings.controller == "link"

    def acting(self, settings: Struct) -> Acting:
        assert isinstance(settings, BankedSettings)
        return settings.acting or usual_acting(settings.dealing)

    def dealt_by_hand(self, settings: Struct) -> bool:
        assert isinstance(settings, BankedSettings)
        return settings.dealing == "by-hand"

    def opening_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        return with_usual_acting(settings)

    # -- dealing and rounds ------------------------------------------------------------------

    def deals_itself(self, table: BankedTable) -> bool:
        return table.state.settings.dealing == "automatic"

    def shuffled_by_house(self, table: BankedTable) -> bool:
        return table.state.settings.shoe == "virtual"

    def dealt_in(self, table: BankedTable) -> frozenset[str]:
        """Who has an Ante once bets are closed; before that, whoever sits there may bet."""
        state = table.state
        if state.phase in ("between rounds", "closed", "bets open"):
            return frozenset(state.sitting.values())
        return frozenset(box.player for box in state.boxes.values() if box.ante)

    def acts_by_device(self, table: BankedTable) -> bool:
        acting = table.state.settings.acting
        return acting == "device" if acting is not None else self.deals_itself(table)

    def round_number(self, table: BankedTable) -> int:
        return table.state.round

    def was_void(self, table: BankedTable) -> bool:
        return table.state.void

    def interruption(self, says: str) -> Command:
        return ReportInterruption(says=says)

    def uncovered(self, says: str) -> Command:
        return do.CallForRuling(about="uncovered", says=says)

    # -- whom it waits for -------------------------------------------------------------------

    def waits_for(self, table: BankedTable) -> Wait | None:
        state = table.state
        window = None if state.settings.acting == "seen" else state.window()
        if window is None:
            return None  # where players are seen the dealer enters it: no clock acts for them
        late = ("fold",) if window == "flop" else ("check",)
        seats = [n for n in state.boxes if any(offer.do in late for offer in table.offers(n))]
        if not seats:
            return None
        return Wait(why="action", seats=tuple(sorted(seats)), key=("window", state.round, window))

    def instead(self, table: BankedTable, seat: int) -> Instead | None:
        """A fold at the first decision and a check at the later ones."""
        offered = {offer.do for offer in table.offers(seat)}
        if "fold" in offered:
            return by_dealer(do.Fold(box=seat))
        return by_dealer(do.Check(box=seat)) if "check" in offered else None

    def stands_still(self, table: BankedTable, need: DecisionNeeded) -> bool:
        """After a jackpot fault a round is played to its end, but bets are not called for
        (5.17.2)."""
        return need.holds or (need.question == NEXT_ROUNDS and not table.playing())

    def can_play(self, table: BankedTable) -> list[int]:
        return sorted(table.state.sitting)

    def bets_open(self, table: BankedTable) -> BetsOpen | None:
        state = table.state
        if state.phase != "bets open":
            return None
        boxes = state.boxes.values()
        return BetsOpen(
            key=("bets", state.round),
            betting=frozenset(box.player for box in boxes if box.ante),
            sitting=frozenset((*state.sitting.values(), *(box.player for box in boxes))),
        )

    # -- what the House does by itself -------------------------------------------------------

    def owed(self, table: BankedTable, has_account: Callable[[str], bool]) -> Command | None:
        """What fell due to a player after he had left goes to his account, where he has one; for
        everybody else it is kept safe at the table (B-66). So it is for who walked away from the
        round that was played last: he may be on his way back."""
        state = table.state
        if not state.safekeeping:
            return None
        gone = set(state.left) - set(state.away)
        for name, amount in state.safekeeping.items():
            if amount and name in gone and has_account(name):
                return do.HandOver(player=name)
        return None

    def kept_safe(self, table: BankedTable, player: str) -> int:
        return table.state.safekeeping.get(player, 0)

    def hand_over(self, player: str) -> Command:
        return do.HandOver(player=player)

    def gone(self, table: BankedTable, who: str, *, seat_is_kept: bool) -> Iterator[Instead]:
        state = table.state
        has_bet = _has_bet(table, who) and state.phase != "bets open"
        if has_bet or (state.is_settled() and is_asked(state, who)):
            yield by_house(ReportWalkAway(player=who))
        elif not seat_is_kept and who in state.sitting.values():
            yield by_dealer(do.Leave(player=who))

    def wished(self, table: BankedTable, who: str, wish: Wish) -> Command | None:
        if who not in table.state.sitting.values() or held_by(table):
            return None
        if wish.leave:
            return do.Leave(player=who) if may_leave(table, who) else None
        return do.AddChips(player=who, chips=wish.add) if wish.add else None

    def has_come_true(self, table: BankedTable, who: str, wish: Wish) -> bool:
        """There is nothing to sit out: whoever places no Ante is not in the round."""
        return wish.sit_out

    # -- what is shown -----------------------------------------------------------------------

    def table_info(
        self, table: BankedTable, link: JackpotLink | None, when: datetime
    ) -> BankedTableInfo:
        return banked_info(table, link, when)

    def limits(self, table: BankedTable) -> dict[str, int]:
        return limits_of(table)

    def seats(self, table: BankedTable) -> int:
        return table.state.settings.boxes_in_use

    def seated(self, table: BankedTable) -> list[int]:
        """A settled box lies there until the next call, also when its player has left."""
        return table.taken_seats() if table.playing() else sorted(table.state.sitting)

    def chips(self, table: BankedTable, seat: int) -> int | None:
        who = table.player_at(seat)
        return None if who is None else chips_of(table, who)

    def seen_before(self, table: BankedTable) -> Iterable[Any]:
        return (table.state.exposed_burns,)

    def stands(self, table: BankedTable, who: str, *, said_ready: bool) -> Stands:
        view = table.view(player(who))
        offers = tuple(banked_offers(table, view, who, said_ready=said_ready))
        return Stands(chips=view.chips if view.yours else None, offers=offers)

    def terms(self, table: BankedTable) -> Terms:
        ante = table.state.settings.ante_minimum
        assert ante is not None, "a banked table does not open without its limits"
        return Terms(unit=ante, least=ante * ANTES_OF_A_ROUND)

    # -- what a dealer enters by hand --------------------------------------------------------

    def next_step(self, table: BankedTable) -> Command | None:
        return table.next_act()

    def dealer_acts(self, table: BankedTable) -> Iterator[DealerAct]:
        return dealer_acts(table)

    def dealer_view(self, table: BankedTable) -> DealerView:
        return dealer_view(table)

    # -- what is told ------------------------------------------------------------------------

    def outcome(self, event: Event, name: Namer, told: Container[str]) -> list[str]:
        if not isinstance(event, BoxSettled):
            return [event.tell(name)]
        dealer = f"The dealer has {event.dealer}."
        settled = _settled(event, name)
        return [dealer, settled] if event.dealer and dealer not in told else [settled]

    def cards_seen(self, event: Event) -> tuple[int, tuple[Card, ...]] | None:
        if isinstance(event, CardsTabled):
            return event.box, event.cards
        return (event.seat, event.cards) if isinstance(event, Looked) else None

    def claimed_in(self, events: Iterable[Event], box: int) -> Claimed:
        return claimed_in(events, box)

    def is_irregularity(self, events: Sequence[Event]) -> bool:
        """The table says so by an event of its own, or asks for a ruling; the answer to that is no
        second irregularity (35)."""
        if any(isinstance(event, findings.IrregularityReported) for event in events):
            return True
        if any(isinstance(event, DecisionTaken) for event in events) or not events:
            return False
        return isinstance(events[0], DecisionNeeded) and events[0].question == RULING

    def house_won(self, table: BankedTable) -> int:
        return table.state.house

    def jackpot_count(self, table: BankedTable) -> int:
        return table.state.stakes_told

    def from_jackpot(self, table: BankedTable) -> int:
        return table.state.from_meter


def _has_bet(table: BankedTable, player: str) -> bool:
    """Whether a player has a bet in the round that is not settled."""
    state = table.state
    if state.is_settled() or player in state.away:
        return False
    return any(box.player == player for box in state.boxes.values())


def _settled(event: BoxSettled, name: Namer) -> str:
    """What a box won or lost, all its bets together."""
    net = sum(payout.won - payout.lost for payout in event.bets.values())
    who = name(event.box)
    if net == 0:
        return f"{who} comes out even."
    return f"{who} {'wins' if net > 0 else 'loses'} {write_money(abs(net))}."


BANKED_PORT = BankedPort()
