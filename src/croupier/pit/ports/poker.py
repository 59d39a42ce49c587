"""The port of the poker family: No Limit Hold'em v8 and Poker v5."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar

from msgspec import Struct

from croupier.cards import Card, pretty_cards
from croupier.jackpot import JackpotLink
from croupier.pit.ports.dealer_acts import DealerAct, DealerView
from croupier.pit.ports.poker_dealer import dealer_acts, dealer_view
from croupier.pit.ports.poker_info import PokerTableInfo, poker_info
from croupier.pit.ports.poker_irregularities import is_irregularity
from croupier.pit.ports.poker_offers import poker_offers
from croupier.pit.ports.port import Commands, Events, GamePort, Stands, Terms
from croupier.pit.ports.waits import Instead, Wait, by_house
from croupier.pit.ports.wishes import Wish
from croupier.poker import PokerSettings, PokerTable
from croupier.poker import commands as do
from croupier.poker.calling import ON_THE_SMALL_BLIND
from croupier.poker.events import (
    BlindsCalled,
    DeckCut,
    HandShown,
    HoleCardsDealt,
    LeftTable,
    MisdealDeclared,
    PotWon,
    Relocated,
    RoundEnded,
    RoundVoided,
    SatDown,
    StakeAdded,
)
from croupier.poker.irregularities.commands import DealAgain, ReportInterruption, ReportIrregularity
from croupier.poker.irregularities.events import RulingMade, RulingUndone
from croupier.poker.seating import may_add_chips, may_leave, may_sit_out
from croupier.poker.view import views_of
from croupier.poker.wagers import ReportWager
from croupier.table import Command, Event, Look, Looked, player
from croupier.table.acting import Acting, usual_acting, with_usual_acting
from croupier.table.event import Namer
from croupier.table.views import Views


class PokerPort(GamePort[PokerTable]):
    """Players against each other; the House takes a rake."""

    begins: ClassVar[Commands] = (do.StartGame, do.CallForBlinds)
    sits: ClassVar[Commands] = (do.Sit,)
    enters: ClassVar[Commands] = (do.ReturnToSeat,)
    leaves: ClassVar[Commands] = (do.Leave, do.SitOut)
    by_page: ClassVar[Commands] = (Look, do.Straddle, do.DeclineStraddle)
    seen: ClassVar[Commands] = (do.Relocate, do.PostBlinds, ReportWager)
    deals: ClassVar[Commands] = (
        do.StartGame,
        do.DealForButton,
        do.PlaceButton,
        do.Shuffle,
        do.Cut,
        do.CallForBlinds,
        do.DealHoleCards,
        do.Burn,
        do.DealFlop,
        do.DealTurn,
        do.DealRiver,
        do.TurnUp,
        DealAgain,
        do.PlaceAllInButton,
        do.FlipMarker,
        do.ShowHands,
        do.Settle,
        ReportWager,
    )

    round_begins: ClassVar[Events] = (BlindsCalled,)
    seat_taken: ClassVar[Events] = (SatDown, Relocated)
    comes: ClassVar[Events] = (SatDown, Relocated)
    goes: ClassVar[Events] = (LeftTable,)
    hands_dealt: ClassVar[Events] = (HoleCardsDealt,)
    round_ends: ClassVar[Events] = (RoundEnded, RoundVoided)
    cards_dealt: ClassVar[Events] = (HoleCardsDealt,)
    outcomes: ClassVar[Events] = (PotWon, RoundVoided)
    voids: ClassVar[Events] = (RoundVoided,)
    misdeals: ClassVar[Events] = (MisdealDeclared,)
    cut_made: ClassVar[Events] = (DeckCut,)
    rulings: ClassVar[Events] = (RulingMade,)
    undone: ClassVar[Events] = (RulingUndone,)

    fewest: ClassVar[int] = 2
    relocates: ClassVar[bool] = True
    shares_pots: ClassVar[bool] = True
    has_bots: ClassVar[bool] = True
    asks_newcomers: ClassVar[frozenset[str]] = frozenset({ON_THE_SMALL_BLIND})
    chance_first: ClassVar[bool] = True
    cuts: ClassVar[Commands] = (do.Cut,)

    def seat_named(self, event: Event) -> tuple[int, str] | None:
        if isinstance(event, SatDown | Relocated | StakeAdded | LeftTable):
            return event.seat, event.player
        return None

    # -- settings ----------------------------------------------------------------------------

    def acting(self, settings: Struct) -> Acting:
        assert isinstance(settings, PokerSettings)
        return settings.acting or usual_acting(settings.dealing)

    def dealt_by_hand(self, settings: Struct) -> bool:
        assert isinstance(settings, PokerSettings)
        return settings.dealing == "by-hand"

    def opening_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        return with_usual_acting(settings)

    # -- dealing and rounds ------------------------------------------------------------------

    def deals_itself(self, table: PokerTable) -> bool:
        return table.state.settings.dealing == "automatic"

    def shuffled_by_house(self, table: PokerTable) -> bool:
        return table.state.settings.shoe == "virtual"

    def dealt_in(self, table: PokerTable) -> frozenset[str]:
        seats = table.state.seats
        return frozenset(seats[number].player for number in self.can_play(table))

    def acts_by_device(self, table: PokerTable) -> bool:
        acting = table.state.settings.acting
        return acting == "device" if acting is not None else self.deals_itself(table)

    def round_number(self, table: PokerTable) -> int:
        return table.state.rounds

    def was_void(self, table: PokerTable) -> bool:
        return table.state.round is not None and bool(table.state.round.voided)

    def interruption(self, says: str) -> Command:
        return ReportInterruption()

    def uncovered(self, says: str) -> Command:
        return ReportIrregularity(says=says)

    # -- whom it waits for -------------------------------------------------------------------

    def waits_for(self, table: PokerTable) -> Wait | None:
        state = table.state
        round_ = state.round
        if state.settings.acting == "seen" or round_ is None or not round_.open:
            return None  # where players are seen the dealer enters it: no clock acts for them
        if state.phase == "betting":
            seat = table.turn()
            if seat is None:
                return None
            street, acts = round_.betting.number, len(round_.acts)
            key = ("action", round_.number, round_.restarts, street, acts, seat)
            return Wait(why="action", seats=(seat,), key=key)
        if state.phase == "dealing" and table.may_straddle():
            for seat in table.taken_seats():
                if any(offer.do == "straddle" for offer in table.offers(seat)):
                    straddle = ("straddle", round_.number, round_.restarts, seat)
                    return Wait(why="straddle", seats=(seat,), key=straddle)
        return None

    def instead(self, table: PokerTable, seat: int) -> Instead | None:
        """Check before fold."""
        offered = {offer.do for offer in table.offers(seat)}
        if "decline straddle" in offered:
            return by_house(do.DeclineStraddle(seat=seat))
        if "muck" in offered:
            return by_house(do.Muck(seat=seat))
        if "check" in offered:
            return by_house(do.Check(seat=seat))
        return by_house(do.Fold(seat=seat)) if "fold" in offered else None

    def can_play(self, table: PokerTable) -> list[int]:
        return [n for n, seat in table.state.seats.items() if seat.here and seat.stake > 0]

    # -- the showdown ------------------------------------------------------------------------

    def to_show(self, table: PokerTable) -> tuple[int, ...]:
        round_ = table.state.round
        if table.state.phase != "showdown" or round_ is None:
            return ()
        return tuple(round_.to_show)

    def asked_to_show(
        self, table: PokerTable, due: Command | None, people: tuple[int, ...]
    ) -> Wait | None:
        """Where the House would show all hands at once, a person is asked: only where the choice
        is his."""
        showing = self.to_show(table)
        if not isinstance(due, do.ShowHands) or not showing or showing[0] not in people:
            return None
        if not _may_muck(table, showing[0]):
            return None
        key = ("showdown", table.state.rounds, showing[0])
        return Wait(why="showdown", seats=showing[:1], key=key)

    def shows_next(
        self, table: PokerTable, due: Command | None, people: tuple[int, ...]
    ) -> Command | None:
        """The next hand alone where a person behind it may have a choice."""
        showing = self.to_show(table)
        if not isinstance(due, do.ShowHands) or not any(seat in people for seat in showing[1:]):
            return None
        seat = showing[0]
        return do.Muck(seat=seat) if _may_muck(table, seat) else do.ShowHand(seat=seat)

    # -- what the House does by itself -------------------------------------------------------

    def charge_due(self, table: PokerTable) -> Command | None:
        """The timed rake of a seat that can be asked for it now."""
        if table.playing():
            return None
        for number, seat in table.state.seats.items():
            if seat.rake_due and seat.stake:
                return do.CollectTimedRake(seat=number)
        return None

    def sits_out(self, table: PokerTable, whoever: Callable[[str], bool]) -> Iterator[Command]:
        for number, seat in sorted(table.state.seats.items()):
            if seat.here and whoever(seat.player):
                yield do.SitOut(seat=number)

    def gone(self, table: PokerTable, who: str, *, seat_is_kept: bool) -> Iterator[Instead]:
        """Refused while he is in a round with cards or chips; then it is tried again later."""
        number = next((n for n in table.taken_seats() if table.player_at(n) == who), None)
        if number is None:
            return
        if not seat_is_kept:
            yield by_house(do.Leave(seat=number))
        if number in table.state.seats and table.state.seats[number].here:
            yield by_house(do.SitOut(seat=number))

    def wished(self, table: PokerTable, who: str, wish: Wish) -> Command | None:
        state = table.state
        number = next((n for n, seat in state.seats.items() if seat.player == who), None)
        if number is None:
            return None
        if wish.leave:
            return do.Leave(seat=number) if may_leave(state, number) else None
        if wish.sit_out and state.seats[number].here and may_sit_out(state, number):
            return do.SitOut(seat=number, returns=True)
        if wish.add and may_add_chips(table, number):
            return do.TopUp(seat=number, amount=wish.add)
        return None

    def has_come_true(self, table: PokerTable, who: str, wish: Wish) -> bool:
        own = (seat for seat in table.state.seats.values() if seat.player == who)
        return wish.sit_out and not any(seat.here for seat in own)

    def relocation(
        self, table: PokerTable, player: str, seat: int
    ) -> tuple[Command, Command] | None:
        for number, sat in table.state.seats.items():
            if sat.player == player:
                brought = do.Relocate(seat=seat, player=player, stake=sat.stake)
                return do.Leave(seat=number), brought
        return None

    # -- what is shown -----------------------------------------------------------------------

    def table_info(
        self, table: PokerTable, link: JackpotLink | None, when: datetime
    ) -> PokerTableInfo:
        return poker_info(table, when)

    def limits(self, table: PokerTable) -> dict[str, int]:
        settings = table.state.settings
        small, big = settings.blinds
        limits = {"small_blind": small, "big_blind": big, "minimum_stake": settings.minimum_stake}
        if settings.maximum_stake is not None:
            limits["maximum_stake"] = settings.maximum_stake
        return limits

    def seats(self, table: PokerTable) -> int:
        return table.state.settings.seats

    def chips(self, table: PokerTable, seat: int) -> int | None:
        return table.state.seats[seat].stake

    def views(self, table: PokerTable, names: Iterable[str | None]) -> Views:
        return views_of(table, names)

    def seen_before(self, table: PokerTable) -> Iterable[Any]:
        round_ = table.state.round
        if round_ is None:
            return ()
        known: list[Any] = [round_.stray_exposed, round_.first_burn, round_.aside]
        irregular = round_.irregular
        if irregular is not None:
            early = [irregular.kept_early, irregular.held_early]
            known += [irregular.exposed, irregular.shown, *early]
        return known

    def stands(self, table: PokerTable, who: str, *, said_ready: bool) -> Stands:
        view = table.view(player(who))
        chips = view.seats[view.yours[0]].stake if view.yours else None
        return Stands(chips=chips, offers=tuple(poker_offers(table, view, who)))

    def terms(self, table: PokerTable) -> Terms:
        settings = table.state.settings
        return Terms(
            unit=settings.big_blind,
            least=settings.minimum_stake,
            most=settings.maximum_stake,
            chip=settings.smallest_chip,
        )

    # -- what a dealer enters by hand --------------------------------------------------------

    def dealer_acts(self, table: PokerTable) -> Iterator[DealerAct]:
        return dealer_acts(table)

    def dealer_view(self, table: PokerTable) -> DealerView:
        return dealer_view(table)

    # -- what is told ------------------------------------------------------------------------

    def cards_seen(self, event: Event) -> tuple[int, tuple[Card, ...]] | None:
        return (event.seat, event.cards) if isinstance(event, Looked | HandShown) else None

    def told_to_auditor(self, event: Event, name: Namer) -> str | None:
        if not isinstance(event, HoleCardsDealt):
            return None
        hands: dict[int, list[Card]] = {}
        for seat, card in zip(event.to, event.cards, strict=True):
            hands.setdefault(seat, []).append(card)
        each = ", ".join(f"{name(seat)} {pretty_cards(held)}" for seat, held in hands.items())
        return f"{event.tell(name)} Hole Cards: {each}."

    def is_irregularity(self, events: Sequence[Event]) -> bool:
        return is_irregularity(events)

    def house_won(self, table: PokerTable) -> int:
        return table.state.house


def _may_muck(table: PokerTable, seat: int) -> bool:
    """Whether it is this seat's turn to show and its player may choose not to."""
    return any(offer.do == "muck" for offer in table.offers(seat))


POKER_PORT = PokerPort()
