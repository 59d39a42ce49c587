"""Red or Black, the sixth game: rules that know nothing of House or server.

Each player bets on a colour. One card is dealt face down; each stays or gives up half of his bet;
the card is turned up. `port.py` beside this is what House and server ask of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Literal

from msgspec import Struct

from croupier.cards import DECK, Card
from croupier.rulebooks import Rulebook, load_file
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Event,
    Facts,
    Money,
    Offer,
    Order,
    Room,
    Seat,
    ShuffleGiven,
    ShuffleNeeded,
    State,
    Table,
    TableState,
    Viewer,
)
from croupier.table.event import Namer

BOOK: Rulebook = load_file(Path(__file__).with_name("red-or-black.toml"))
Colour = Literal["red", "black"]
RED = ("d", "h")


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seats: int = 4
    least: Money = 500
    most: Money = 10_000


class SeatState(Struct, kw_only=True):
    player: str
    chips: Money
    bet: Money = 0
    on: Colour = "red"
    stays: bool | None = None


class RedOrBlackState(TableState, kw_only=True):
    settings: Settings = Settings()
    phase: str = "between rounds"
    seats: dict[int, SeatState] = {}
    deck: tuple[Card, ...] = ()
    card: Card | None = None
    round: int = 0
    void: bool = False
    bank: int = 0
    """What the House has won, or lost if negative."""


# -- commands and events --------------------------------------------------------------------------


class BuyIn(Command, frozen=True, kw_only=True):
    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True
    seat: Seat
    player: str
    chips: Money


class Leave(Command, frozen=True, kw_only=True):
    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True
    seat: Seat


class CallForBets(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False


class Bet(Command, frozen=True, kw_only=True):
    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True
    seat: Seat
    on: Colour
    amount: Money


class CloseBets(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False


class DealCard(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False


class Stay(Command, frozen=True, kw_only=True):
    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True
    seat: Seat


class GiveUp(Command, frozen=True, kw_only=True):
    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True
    seat: Seat


class TurnUp(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False


class ReportInterruption(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False


class BoughtIn(Event, frozen=True, kw_only=True):
    seat: Seat
    player: str
    chips: Money

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, self.chips),)


class PlayerLeft(Event, frozen=True, kw_only=True):
    seat: Seat
    player: str
    chips: Money

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, -self.chips),)


class BetsCalled(Event, frozen=True, kw_only=True):
    round: int


class BetPlaced(Event, frozen=True, kw_only=True):
    seat: Seat
    on: Colour
    amount: Money


class BetsClosed(Event, frozen=True, kw_only=True):
    pass


class CardDealt(Event, frozen=True, kw_only=True):
    card: Card

    def public(self) -> Event:
        return CardDealt(card=Card.UNKNOWN, cites=self.cites)


class Stayed(Event, frozen=True, kw_only=True):
    seat: Seat


class GaveUp(Event, frozen=True, kw_only=True):
    seat: Seat
    back: Money


class TurnedUp(Event, frozen=True, kw_only=True):
    card: Card


class BetSettled(Event, frozen=True, kw_only=True):
    seat: Seat
    paid: Money
    """Stake included."""

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} {'wins' if self.paid else 'loses'}."


class RoundEnded(Event, frozen=True, kw_only=True):
    round: int


class RoundVoided(Event, frozen=True, kw_only=True):
    round: int


# -- deciding and applying ------------------------------------------------------------------------

room = Room("red or black")


@room.decides(BuyIn)
def buy_in(table: RedOrBlack, order: Order[BuyIn]) -> None:
    command, state = order.command, table.state
    if command.seat in state.seats or command.seat > state.settings.seats:
        table.refuse("seat", "That seat is not free.")
    table.emit(
        BoughtIn(
            seat=command.seat,
            player=command.player,
            chips=command.chips,
            cites=table.cite("seat"),
        )
    )


@room.applies(BoughtIn)
def bought_in(table: RedOrBlack, event: BoughtIn) -> None:
    table.state.seats[event.seat] = SeatState(player=event.player, chips=event.chips)


@room.decides(Leave)
def leave(table: RedOrBlack, order: Order[Leave]) -> None:
    seat = own_seat(table, order)
    if seat.bet:
        table.refuse("seat", "You have a bet in the round.")
    table.emit(
        PlayerLeft(
            seat=order.command.seat,
            player=seat.player,
            chips=seat.chips,
            cites=table.cite("seat"),
        )
    )


@room.applies(PlayerLeft)
def player_left(table: RedOrBlack, event: PlayerLeft) -> None:
    del table.state.seats[event.seat]


@room.decides(CallForBets)
def call_for_bets(table: RedOrBlack, order: Order[CallForBets]) -> None:
    if table.state.phase != "between rounds":
        table.refuse("calls", "A round is under way.")
    table.emit(BetsCalled(round=table.state.round + 1, cites=table.cite("calls")))


@room.applies(BetsCalled)
def bets_called(table: RedOrBlack, event: BetsCalled) -> None:
    state = table.state
    state.round, state.phase, state.void, state.card = event.round, "bets open", False, None


@room.decides(Bet)
def bet(table: RedOrBlack, order: Order[Bet]) -> None:
    command, settings = order.command, table.state.settings
    seat = own_seat(table, order)
    if table.state.phase != "bets open" or seat.bet:
        table.refuse("bet", "You cannot bet now.")
    if not settings.least <= command.amount <= min(settings.most, seat.chips):
        table.refuse("bet", "The bet is outside the limits.")
    table.emit(
        BetPlaced(seat=command.seat, on=command.on, amount=command.amount, cites=table.cite("bet"))
    )


@room.applies(BetPlaced)
def bet_placed(table: RedOrBlack, event: BetPlaced) -> None:
    seat = table.state.seats[event.seat]
    seat.bet, seat.on, seat.chips = event.amount, event.on, seat.chips - event.amount
    seat.stays = None


@room.decides(CloseBets)
def close_bets(table: RedOrBlack, order: Order[CloseBets]) -> None:
    if table.state.phase != "bets open" or not table.betting():
        table.refuse("calls", "There is no bet to close.")
    table.emit(BetsClosed(cites=table.cite("calls")))
    table.need_shuffle("new deck", DECK, table.cite("deal"))


@room.applies(BetsClosed)
def bets_closed(table: RedOrBlack, event: BetsClosed) -> None:
    table.state.phase = "shuffling"


@room.applies(ShuffleGiven)
def shuffled(table: RedOrBlack, event: ShuffleGiven) -> None:
    table.state.deck, table.state.phase = event.cards, "dealing"


@room.answered("new deck")
def new_deck(table: RedOrBlack, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    pass


@room.decides(DealCard)
def deal_card(table: RedOrBlack, order: Order[DealCard]) -> None:
    if table.state.phase != "dealing":
        table.refuse("deal", "It is not time to deal.")
    table.emit(CardDealt(card=table.state.deck[0], cites=table.cite("deal")))


@room.applies(CardDealt)
def card_dealt(table: RedOrBlack, event: CardDealt) -> None:
    table.state.card, table.state.phase = event.card, "deciding"


@room.decides(Stay, GiveUp)
def stay_or_give_up(table: RedOrBlack, order: Order[Any]) -> None:
    number = order.command.seat
    seat = own_seat(table, order)
    if table.turn() != number:
        table.refuse("stay", "It is not your turn.")
    if isinstance(order.command, Stay):
        table.emit(Stayed(seat=number, cites=table.cite("stay")))
    else:
        table.emit(GaveUp(seat=number, back=seat.bet // 2, cites=table.cite("stay")))


@room.applies(Stayed)
def stayed(table: RedOrBlack, event: Stayed) -> None:
    table.state.seats[event.seat].stays = True


@room.applies(GaveUp)
def gave_up(table: RedOrBlack, event: GaveUp) -> None:
    table.state.seats[event.seat].stays = False
    table.pay(event.seat, event.back)


@room.decides(TurnUp)
def turn_up(table: RedOrBlack, order: Order[TurnUp]) -> None:
    state, cites = table.state, table.cite("turn-up")
    if state.phase != "deciding" or table.turn() is not None or state.card is None:
        table.refuse("turn-up", "It is not time to turn the card up.")
    table.emit(TurnedUp(card=state.card, cites=cites))
    wins = "red" if str(state.card)[1] in RED else "black"
    for number, seat in sorted(table.betting().items()):
        paid = 2 * seat.bet if seat.on == wins else 0
        table.emit(BetSettled(seat=number, paid=paid, cites=cites))
    table.emit(RoundEnded(round=state.round, cites=cites))


@room.applies(TurnedUp)
def turned_up(table: RedOrBlack, event: TurnedUp) -> None:
    table.state.phase = "settling"


@room.applies(BetSettled)
def bet_settled(table: RedOrBlack, event: BetSettled) -> None:
    table.pay(event.seat, event.paid)


@room.applies(RoundEnded)
def round_ended(table: RedOrBlack, event: RoundEnded) -> None:
    table.state.phase = "between rounds"


@room.decides(ReportInterruption)
def report_interruption(table: RedOrBlack, order: Order[ReportInterruption]) -> None:
    if not table.playing():
        table.refuse("interruption", "No round is under way.")
    table.emit(RoundVoided(round=table.state.round, cites=table.cite("interruption")))


@room.applies(RoundVoided)
def round_voided(table: RedOrBlack, event: RoundVoided) -> None:
    for number, seat in table.betting().items():
        table.pay(number, seat.bet)
    table.state.phase, table.state.void, table.state.card = "between rounds", True, None


def own_seat(table: RedOrBlack, order: Order[Any]) -> SeatState:
    """The seat of a command, which its player gives, or the House for him."""
    seat = table.state.seats.get(order.command.seat)
    if seat is None:
        raise BadCommand(f"nobody sits at {order.command.seat}")
    if order.rank is ActorRank.PLAYER and order.who != seat.player:
        table.refuse("seat", "That is somebody else's seat.")
    return seat


# -- the table ------------------------------------------------------------------------------------


class SeatView(Struct, frozen=True, kw_only=True):
    player: str
    chips: Money
    bet: Money
    on: Colour
    stays: bool | None


class RedOrBlackView(Struct, frozen=True, kw_only=True):
    table: str
    status: str
    round: int
    turn: int | None
    card: Card | None
    """`??` while it lies face down."""
    seats: dict[int, SeatView]


class RedOrBlackFacts(Facts, kw_only=True):
    chips: dict[int, Money] = {}
    bets: dict[int, Money] = {}


class RedOrBlack(Table[RedOrBlackState]):
    rooms: ClassVar[tuple[Room, ...]] = (room,)
    state_type: ClassVar[type[State]] = RedOrBlackState
    settings_type: ClassVar[type[Struct]] = Settings

    def begin(self, settings: Struct) -> None:
        assert isinstance(settings, Settings)
        self.state.settings = settings

    def betting(self) -> dict[int, SeatState]:
        """The seats with a bet in the round."""
        return {number: seat for number, seat in self.state.seats.items() if seat.bet}

    def pay(self, number: int, paid: int) -> None:
        """A bet is settled: so much goes to its player, and the House has the rest."""
        seat = self.state.seats[number]
        self.state.bank += seat.bet - paid
        seat.chips, seat.bet = seat.chips + paid, 0

    def status(self) -> str:
        return self.state.phase

    def playing(self) -> bool:
        return self.state.phase not in ("between rounds", "bets open") or bool(self.betting())

    def taken_seats(self) -> list[int]:
        return sorted(self.state.seats)

    def player_at(self, seat: int) -> str | None:
        found = self.state.seats.get(seat)
        return None if found is None else found.player

    def turn(self) -> int | None:
        if self.state.phase != "deciding":
            return None
        return next((n for n, s in sorted(self.betting().items()) if s.stays is None), None)

    def offers(self, seat: int) -> list[Offer]:
        state = self.state
        if self.turn() == seat:
            return [Offer(do="stay"), Offer(do="give up")]
        if state.phase == "bets open" and not state.seats[seat].bet:
            most = min(state.settings.most, state.seats[seat].chips)
            return [Offer(do="bet", least=state.settings.least, most=most)]
        return []

    def due(self) -> Command | None:
        if self.state.phase == "dealing":
            return DealCard()
        return TurnUp() if self.state.phase == "deciding" and self.turn() is None else None

    def next_call(self) -> Command | None:
        return {"between rounds": CallForBets(), "bets open": CloseBets()}.get(self.state.phase)

    def buying(self, command: Command) -> tuple[str, int] | None:
        return (command.player, command.chips) if isinstance(command, BuyIn) else None

    def holdings(self) -> dict[str, int]:
        seats = self.state.seats.values()
        held = {"bank": self.state.bank, "layout": sum(seat.bet for seat in seats)}
        for seat in seats:
            held[f"chips/{seat.player}"] = held.get(f"chips/{seat.player}", 0) + seat.chips
        return held

    def facts(self) -> RedOrBlackFacts:
        seats = self.state.seats.items()
        return RedOrBlackFacts(
            **self.shared_facts(),
            chips={number: seat.chips for number, seat in seats},
            bets={number: seat.bet for number, seat in seats},
        )

    def view(self, viewer: Viewer) -> RedOrBlackView:
        state = self.state
        hidden = state.card is not None and state.phase == "deciding"
        return RedOrBlackView(
            table=state.name,
            status=state.phase,
            round=state.round,
            turn=self.turn(),
            card=Card.UNKNOWN if hidden else state.card,
            seats={
                number: SeatView(
                    player=seat.player,
                    chips=seat.chips,
                    bet=seat.bet,
                    on=seat.on,
                    stays=seat.stays,
                )
                for number, seat in state.seats.items()
            },
        )
