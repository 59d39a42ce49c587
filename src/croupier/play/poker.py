"""Poker: seat 1 has the button, everybody looks at once, each hand begins with the same chips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from croupier.cards import Card
from croupier.play.errors import NotOpen, PlayError
from croupier.play.playing import PLACE, Cards, Playing, cards_of, names, whole_cents
from croupier.poker import PokerTable
from croupier.poker.commands import (
    CUT_IN_THE_MIDDLE,
    AllIn,
    Bet,
    Call,
    CallForBlinds,
    Check,
    DeclineStraddle,
    Fold,
    Raise,
    Sit,
    StartGame,
    Straddle,
)
from croupier.poker.deck import DECK_IS_CUT, FOR_THE_BUTTON
from croupier.poker.events import BettingRoundClosed
from croupier.poker.state import RoundState
from croupier.rulebooks import Rulebook, Topic
from croupier.table import ActorRank, Command, Look, OpenTable, ShuffleNeeded

BIG_BLINDS = 200
NO_RAKE = {"percent": 0, "cap": 0}
_PLAIN: dict[str, type[Any]] = {
    "check": Check,
    "call": Call,
    "all in": AllIn,
    "fold": Fold,
    "straddle": Straddle,
    "decline straddle": DeclineStraddle,
}
_SIZED: dict[str, type[Any]] = {"bet": Bet, "raise": Raise}
_HIGHEST = Card("As")


class PokerPlay(Playing):
    """Hands of one poker book. With nothing said: Blinds of 5 and 10, 200 Big Blinds, no Rake.

    Amounts are cents. The button is at seat 1, so the last seat acts last but one before the flop;
    who sits where is for the caller to change from hand to hand.
    """

    family = "poker"
    table: PokerTable

    def __init__(
        self,
        book: Rulebook | str,
        *,
        players: int | Sequence[str] = 2,
        blinds: tuple[int, int] = (500, 1000),
        stakes: int | Sequence[int] | None = None,
        rake: Mapping[str, Any] | None = None,
        straddle: bool = False,
        chips: Sequence[int] = (100, 500, 2500, 10000, 50000, 100000),
        policies: Mapping[str, str] | None = None,
        seed: int = 0,
        looks: bool = True,
    ) -> None:
        super().__init__(book, policies=policies, seed=seed)
        self.players = names(players, 2, 10)
        self.stakes = self._each(blinds[1] * BIG_BLINDS if stakes is None else stakes)
        self.looks = looks
        self._hands: dict[int, list[Card | None]] = {}
        self._board: list[Card | None] = []
        self.put_by_street: list[dict[int, int]] = []
        """What each seat has put into each Betting Round that is over, the 1st first."""
        self.settings: dict[str, Any] = {
            "seats": len(self.players),
            "blinds": blinds,
            "chips": tuple(chips),
            "minimum_stake": min(chips),
            "rake": dict(rake if rake is not None else NO_RAKE),
            "straddle": straddle,
            "layout": "A",
            "sign": True,
            "opened_knowingly": True,
        }
        self.deal()

    # -- a hand ------------------------------------------------------------------------------

    def deal(
        self,
        *,
        stakes: int | Sequence[int] | None = None,
        hands: Mapping[int, Cards] | None = None,
        board: Cards = (),
    ) -> None:
        """Begin a hand with these stakes by seat, or those of before. Hands (by seat) and board may
        be fixed, wholly or in part; the rest is dealt."""
        if stakes is not None:
            self.stakes = self._each(stakes)
        self._hands = {
            seat: cards_of(cards, 2, f"seat {seat}") for seat, cards in (hands or {}).items()
        }
        if unknown := set(self._hands) - set(self.seats):
            raise PlayError(f"hands: there is no seat {min(unknown)}")
        self._board = cards_of(board, 5, "board")
        self.put_by_street = []
        settings = dict(self.settings)
        if self.book.has(Topic.MAXIMUM_TABLE_STAKE):
            settings["maximum_stake"] = max(self.stakes)
        self._begin(PokerTable(self.book), {})
        opening = OpenTable(table=PLACE, settings=settings, policies=self.policies)
        self.give(opening, "staff", ActorRank.PIT_MANAGER)
        for seat, (player, stake) in enumerate(zip(self.players, self.stakes, strict=True), 1):
            self.give(Sit(seat=seat, player=player, stake=stake), player, ActorRank.PLAYER)
        self.house(StartGame())
        while (due := self.table.due()) is not None:  # the draw for the button, shuffle and cut
            self.house(due)
        self.events = []
        self.house(CallForBlinds())
        self._deal_on()

    def give(self, command: Command, who: str, rank: ActorRank, place: str = PLACE) -> None:
        before = len(self.events)
        super().give(command, who, rank, place)
        if any(isinstance(event, BettingRoundClosed) for event in self.events[before:]):
            put = {seat: player.total for seat, player in self._round().players.items()}
            for earlier in self.put_by_street:
                put = {seat: amount - earlier[seat] for seat, amount in put.items()}
            self.put_by_street.append(put)

    def _deal_on(self) -> None:
        super()._deal_on()
        if not self.looks:
            return
        round_ = self.table.state.round
        if round_ is not None and round_.open:
            for seat, player in round_.players.items():
                if player.cards and not player.looked and player.active:
                    self.give(Look(seat=seat), self._name(seat), ActorRank.PLAYER)

    @property
    def seat(self) -> int | None:
        round_ = self.table.state.round
        if round_ is None or not round_.open:
            return None
        if self.table.state.phase == "betting":
            return round_.betting.to_act[0]
        return next((seat for seat in round_.order if self.table.offers(seat)), None)

    @property
    def seats(self) -> range:
        """All seats, the one with the button first."""
        return range(1, len(self.players) + 1)

    @property
    def positions(self) -> tuple[int, ...]:
        """The seats in the order of the deal: first left of the button, the button last."""
        return self._round().order

    @property
    def result(self) -> dict[int, int]:
        """What each seat has won or lost; chips in the pot of a hand under way count as lost."""
        seats = self.table.state.seats
        return {seat: seats[seat].stake - self.stakes[seat - 1] for seat in self.seats}

    @property
    def rake(self) -> int:
        """What the House has taken of this hand."""
        return self._round().rake

    def _round(self) -> RoundState:
        return self.table.current_round()

    def _kept(self) -> Any:
        return [self.stakes, [list(put.items()) for put in self.put_by_street]]

    def _take_kept(self, kept: Any) -> None:
        stakes, put = kept
        self.stakes = tuple(stakes)
        self.put_by_street = [dict(street) for street in put]

    # -- what is given -----------------------------------------------------------------------

    def _command(self, do: str, seat: int, amount: int | None) -> Command:
        if do in _SIZED:
            if amount is None:
                raise NotOpen(f"{do}: say to how much, in cents")
            wager: Command = _SIZED[do](seat=seat, to=amount)
            return wager
        if do not in _PLAIN:
            raise NotOpen(f"there is no {do!r}; there is {', '.join([*_PLAIN, *_SIZED])}")
        if amount is not None:
            raise NotOpen(f"{do} takes no amount")
        plain: Command = _PLAIN[do](seat=seat)
        return plain

    def _each(self, stakes: int | Sequence[int]) -> tuple[int, ...]:
        if isinstance(stakes, Iterable):
            each = tuple(stakes)
        else:
            each = (stakes,) * len(self.players)
        if len(each) != len(self.players):
            raise PlayError(f"stakes: {len(each)} for {len(self.players)} players")
        return tuple(whole_cents("stakes", stake) for stake in each)

    def _shuffled(self, need: ShuffleNeeded) -> Sequence[Card]:
        if need.purpose == FOR_THE_BUTTON:
            return self._stacked([_HIGHEST], need)  # the highest card: the button is at seat 1
        if not self._hands and not any(self._board):
            return super()._shuffled(need)
        order = (*self.seats[1:], self.seats[0])
        wanted = [self._hands.get(seat, [None, None])[turn] for turn in range(2) for seat in order]
        board = self._board
        wanted += [None, *board[:3], None, board[3], None, board[4]]
        deck = self._stacked(wanted, need)
        if self.table.by_book[DECK_IS_CUT]:  # the cut in the middle brings it to the top
            place = len(deck) - CUT_IN_THE_MIDDLE
            deck = deck[place:] + deck[:place]
        return deck
