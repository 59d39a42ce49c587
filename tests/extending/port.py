"""What House and server ask of Red or Black, what case files need of it, and its registration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from croupier.cards import Card
from croupier.pit import Game, Stage
from croupier.pit.game import stacked
from croupier.pit.ports.offers import ReadyMade, with_amount
from croupier.pit.ports.port import Commands, Events, GamePort, Stands, Terms
from croupier.pit.ports.waits import BetsOpen, Instead, Wait, by_dealer
from croupier.pit.registry import GAMES
from croupier.table import Command, OpenTable, Seat, ShuffleNeeded
from tests.extending import red_or_black as game
from tests.extending.red_or_black import RedOrBlack


class RedOrBlackPort(GamePort[RedOrBlack]):
    begins: ClassVar[Commands] = (game.CallForBets,)
    sits: ClassVar[Commands] = (game.BuyIn,)
    enters: ClassVar[Commands] = (game.Bet,)
    leaves: ClassVar[Commands] = (game.Leave,)

    round_begins: ClassVar[Events] = (game.BetsCalled,)
    round_ends: ClassVar[Events] = (game.RoundEnded, game.RoundVoided)
    outcomes: ClassVar[Events] = (game.TurnedUp, game.BetSettled, game.RoundVoided)
    voids: ClassVar[Events] = (game.RoundVoided,)

    bets_are_closed: ClassVar[bool] = True
    chance_first: ClassVar[bool] = True

    def round_number(self, table: RedOrBlack) -> int:
        return table.state.round

    def was_void(self, table: RedOrBlack) -> bool:
        return table.state.void

    def interruption(self, says: str) -> Command:
        return game.ReportInterruption()

    def waits_for(self, table: RedOrBlack) -> Wait | None:
        seat = table.turn()
        if seat is None:
            return None
        return Wait(why="action", seats=(seat,), key=("action", table.state.round, seat))

    def instead(self, table: RedOrBlack, seat: int) -> Instead | None:
        return by_dealer(game.Stay(seat=seat)) if table.turn() == seat else None

    def can_play(self, table: RedOrBlack) -> list[int]:
        return table.taken_seats()

    def bets_open(self, table: RedOrBlack) -> BetsOpen | None:
        if table.state.phase != "bets open":
            return None
        return BetsOpen(
            key=("bets", table.state.round),
            betting=frozenset(seat.player for seat in table.betting().values()),
            sitting=frozenset(seat.player for seat in table.state.seats.values()),
        )

    def gone(self, table: RedOrBlack, who: str, *, seat_is_kept: bool) -> Iterator[Instead]:
        for number, seat in list(table.state.seats.items()):
            if seat.player == who and not seat_is_kept:
                yield by_dealer(game.Leave(seat=number))

    def limits(self, table: RedOrBlack) -> dict[str, int]:
        return {"least": table.state.settings.least, "most": table.state.settings.most}

    def seats(self, table: RedOrBlack) -> int:
        return table.state.settings.seats

    def chips(self, table: RedOrBlack, seat: int) -> int | None:
        return table.state.seats[seat].chips

    def stands(self, table: RedOrBlack, who: str, *, said_ready: bool) -> Stands:
        for number, seat in table.state.seats.items():
            if seat.player == who:
                offers = tuple(self._offers(table, number))
                return Stands(chips=seat.chips, offers=offers)
        return Stands(chips=None, offers=())

    def _offers(self, table: RedOrBlack, number: int) -> Iterator[ReadyMade]:
        for offer in table.offers(number):
            command = {"do": offer.do, "seat": number}
            if offer.do == "bet":
                yield with_amount(offer, "amount", {**command, "on": "red"})
            else:
                yield ReadyMade(do=offer.do, command=command)

    def terms(self, table: RedOrBlack) -> Terms:
        least = table.state.settings.least
        return Terms(unit=least, least=least)

    def house_won(self, table: RedOrBlack) -> int:
        return table.state.bank


# -- in case files --------------------------------------------------------------------------------


class SeatSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    player: str
    chips: int


class RedOrBlackSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    table: game.Settings = game.Settings()
    seats: dict[Seat, SeatSetup] = {}
    card: Card | None = None


class RedOrBlackStage(Stage[RedOrBlackSetup]):
    def opening(self, policies: dict[str, str]) -> Iterator[Command]:
        yield OpenTable(table=self.name, settings={}, policies=policies)
        for number, seat in sorted(self.setup.seats.items()):
            yield game.BuyIn(seat=number, player=seat.player, chips=seat.chips)
        yield game.CallForBets()

    def shuffle(self, need: ShuffleNeeded) -> tuple[Card, ...]:
        return stacked([self.setup.card], need.cards, self.seed)


RED_OR_BLACK = Game(
    name="red or black",
    table_type=RedOrBlack,
    stage_type=RedOrBlackStage,
    setup_type=RedOrBlackSetup,
    facts_type=game.RedOrBlackFacts,
    port=RedOrBlackPort(),
)


def register() -> None:
    """The one place where House, server and command line hear of it."""
    GAMES.register(game.BOOK, RED_OR_BLACK)
