"""The banked games: one box for each player, who looks; each round has the same stakes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from croupier.banked import BankedTable
from croupier.banked.commands import (
    CallForBets,
    Check,
    CloseBets,
    FlopBet,
    Fold,
    PlaceAnte,
    PlaceBonus,
    PlaceProgressive,
    RiverBet,
    Sit,
    TurnBet,
)
from croupier.banked.events import AwardReceived, BoxSettled, JackpotPaid
from croupier.cards import Card
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import OpenLink
from croupier.play.errors import NotOpen, PlayError
from croupier.play.playing import LINK, PLACE, Cards, Playing, cards_of, names
from croupier.rulebooks import Rulebook
from croupier.table import ActorRank, Command, Look, OpenTable, ShuffleNeeded

_DECISIONS: dict[str, type[Any]] = {
    "fold": Fold,
    "flop bet": FlopBet,
    "turn bet": TurnBet,
    "river bet": RiverBet,
    "check": Check,
}


class BankedPlay(Playing):
    """Rounds of one banked book. With nothing said: one box, an Ante of 10, nothing else staked.

    Amounts are cents. With a jackpot stake the table hangs on a link of its own, whose meter stands
    at `meter` when the round begins.
    """

    family = "banked"
    table: BankedTable

    def __init__(
        self,
        book: Rulebook | str,
        *,
        players: int | Sequence[str] = 1,
        ante: int = 1000,
        bonus: int = 0,
        progressive: int = 0,
        meter: int = 50_000_00,
        contribution: int = 100,
        policies: Mapping[str, str] | None = None,
        seed: int = 0,
        looks: bool = True,
    ) -> None:
        super().__init__(book, policies=policies, seed=seed)
        self.players = names(players, 1, 14)
        self.ante, self.bonus, self.progressive = ante, bonus, progressive
        self.meter, self.contribution = meter, contribution
        self.looks = looks
        self._hands: dict[int, list[Card | None]] = {}
        self._board: list[Card | None] = []
        self._dealer: list[Card | None] = []
        self.won: dict[int, int] = {}
        self.deal()

    def deal(
        self,
        *,
        hands: Mapping[int, Cards] | None = None,
        board: Cards = (),
        dealer: Cards = (),
    ) -> None:
        """Begin a round. Hands (by box), board and the dealer's cards may be fixed."""
        self._hands = {
            box: cards_of(cards, 2, f"box {box}") for box, cards in (hands or {}).items()
        }
        if unknown := set(self._hands) - set(self.boxes):
            raise PlayError(f"hands: there is no box {min(unknown)}")
        self._board = cards_of(board, 5, "board")
        self._dealer = cards_of(dealer, 2, "dealer")
        self.won = dict.fromkeys(self.boxes, 0)
        link = {LINK: JackpotLink(self.book)} if self.progressive else {}
        self._begin(BankedTable(self.book), link)
        if link:
            terms = {
                "reset_value": self.meter,
                "contribution": self.contribution,
                "payment": "at once",
            }
            opening = OpenLink(link=LINK, settings=terms, tables=(PLACE,))
            self.give(opening, "staff", ActorRank.PIT_MANAGER, LINK)
        settings = self._settings()
        self.give(
            OpenTable(table=PLACE, settings=settings, policies=self.policies),
            "staff",
            ActorRank.PIT_MANAGER,
        )
        for box, player in enumerate(self.players, 1):
            self.give(Sit(box=box, player=player), player, ActorRank.PLAYER)
        self.events = []
        self.give(CallForBets(), "staff", ActorRank.DEALER)
        for box, player in enumerate(self.players, 1):
            self.give(PlaceAnte(box=box, amount=self.ante), player, ActorRank.PLAYER)
            if self.bonus:
                self.give(PlaceBonus(box=box, amount=self.bonus), player, ActorRank.PLAYER)
            if self.progressive:
                self.give(PlaceProgressive(box=box), player, ActorRank.PLAYER)
        self.give(CloseBets(), "staff", ActorRank.DEALER)
        self._deal_on()

    def _settings(self) -> dict[str, Any]:
        return {
            "layout": "A",
            "layout_boxes": len(self.players),
            "ante_minimum": self.ante,
            "ante_maximum": self.ante,
            "bonus_minimum": self.bonus or self.ante,
            "bonus_maximum": self.bonus or self.ante,
            "progressive": self.progressive or 500,
            "effective": None if self.book.effective else self.when.isoformat(),
            "opened_knowingly": True,
        }

    def _deal_on(self) -> None:
        super()._deal_on()
        if self.looks and self.table.playing():
            for box in self.boxes:
                if any(offer.do == "look" for offer in self.table.offers(box)):
                    self.give(Look(seat=box), self._name(box), ActorRank.PLAYER)

    def give(self, command: Command, who: str, rank: ActorRank, place: str = PLACE) -> None:
        before = len(self.events)
        super().give(command, who, rank, place)
        for event in self.events[before:]:
            self._note(event)

    def _note(self, event: Any) -> None:
        """What a round pays: each bet of a box, and the lines of its jackpot stake."""
        match event:
            case BoxSettled():
                paid = sum(payout.won - payout.lost for payout in event.bets.values())
                self.won[event.box] += paid
            case JackpotPaid() | AwardReceived():
                self.won[event.box] += event.paid
            case _:
                pass

    @property
    def boxes(self) -> range:
        """All boxes."""
        return range(1, len(self.players) + 1)

    @property
    def seat(self) -> int | None:
        """The first box whose decision is open."""
        if not self.table.playing():
            return None
        return next((box for box in self.boxes if self.options_of(box)), None)

    def options_of(self, seat: int) -> dict[str, Any]:
        return {offer.do: offer for offer in self.table.offers(seat) if offer.do in _DECISIONS}

    @property
    def result(self) -> dict[int, int]:
        """What each box has won or lost: the lost stakes too, once the round is settled."""
        return dict(self.won)

    def _kept(self) -> Any:
        return [[box, won] for box, won in self.won.items()]

    def _take_kept(self, kept: Any) -> None:
        self.won = dict(kept)

    def _command(self, do: str, seat: int, amount: int | None) -> Command:
        if do not in _DECISIONS:
            raise NotOpen(f"there is no {do!r}; there is {', '.join(_DECISIONS)}")
        if amount is not None and do not in ("flop bet", "turn bet", "river bet"):
            raise NotOpen(f"{do} takes no amount")
        command: Command
        if amount is None:
            command = _DECISIONS[do](box=seat)
        else:
            command = _DECISIONS[do](box=seat, amount=amount)
        return command

    def _shuffled(self, need: ShuffleNeeded) -> Sequence[Card]:
        if not self._hands and not any(self._board) and not any(self._dealer):
            return super()._shuffled(need)
        none: list[Card | None] = [None, None]
        hands = [self._hands.get(box, none) for box in self.boxes]
        board = self._board
        first, second = [hand[0] for hand in hands], [hand[1] for hand in hands]
        wanted = [None, *first, *second, None, *board[:3], None, board[3], None, board[4]]
        return self._stacked([*wanted, *self._dealer], need)
