"""How case files set a banked table: settings, boxes with their stakes and cards, the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from croupier.banked import BankedFacts, BankedSettings, BankedTable
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
from croupier.cards import Card
from croupier.pit.banked_now import NowSetup, play_to_now, staked
from croupier.pit.game import Game, Phrase, Stage, stacked
from croupier.pit.inventory import banked_inventory, banked_picture
from croupier.pit.ports.banked import BANKED_PORT
from croupier.pit.situation import Contradiction
from croupier.table import Box, Command, Look, Money, OpenTable, ShuffleNeeded, Table

STEPS_AT_MOST = 200
"""A limit on everything: a round that never gets where a phrase wants it is broken."""

Cards = tuple[Card, ...]
Two = Annotated[Cards, Meta(max_length=2)]
Three = Annotated[Cards, Meta(max_length=3)]


class BoxSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A box when the steps begin: who plays it, what he will stake, and the cards it will get."""

    player: Annotated[str, Meta(min_length=1)]
    ante: Money | None = None
    bonus: Money | None = None
    progressive: Money | bool | None = None
    """An amount, or true for the prescribed one."""
    cards: Two = ()
    chips: Money | None = None
    """His rack, where the table counts it."""
    looks: bool | None = None
    """Whether `everybody looks` looks at this box; of several boxes of a player the first one."""


class BoardSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Community Cards that will come; what is left out is filled in."""

    flop: Three = ()
    turn: Card | None = None
    river: Card | None = None


class DealerSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dealer's two cards."""

    cards: Two = ()


class BurnsSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card burnt ahead of each deal from a shoe."""

    hole: Card | None = None
    flop: Card | None = None
    turn: Card | None = None
    river: Card | None = None


class ShoeSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The top cards of the shuffled deck, in order; it overrides boxes, board and dealer."""

    cards: Cards


class RoundSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards of a later round."""

    boxes: dict[Box, Two] = {}
    board: BoardSetup = BoardSetup()
    dealer: Two = ()
    burns: BurnsSetup = BurnsSetup()


class BankedSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may stand at the top of a banked case."""

    table: BankedSettings = BankedSettings()
    boxes: dict[Box, BoxSetup] = {}
    board: BoardSetup = BoardSetup()
    dealer: DealerSetup = DealerSetup()
    burns: BurnsSetup = BurnsSetup()
    shoe: ShoeSetup | None = None
    rounds: dict[int, RoundSetup] = {}
    now: NowSetup | None = None
    """A round under way. Racks are then what the players have beside their stakes."""
    opened: bool = True
    """False leaves the table unopened; the phrase `open the table` opens it."""


class BankedStage(Stage[BankedSetup]):
    """A banked table in a case."""

    table: BankedTable

    def __init__(self, table: Table[Any], name: str, setup: BankedSetup, seed: str) -> None:
        super().__init__(table, name, setup, seed)
        self.policies: dict[str, str] = {}

    def opening(self, policies: dict[str, str]) -> Iterator[Command]:
        known = self.table.book.policies
        self.policies = {name: value for name, value in policies.items() if name in known}
        now = self.setup.now
        if not self.setup.opened:
            if now is not None:
                raise Contradiction("opened", "a table that is not open has no round under way")
            return
        yield from self.open_the_table()
        if now is not None:
            yield from play_to_now(self, now)

    def open_the_table(self) -> Iterator[Command]:
        """Open with the set-up's settings; each player sits at the first of his boxes."""
        settings = msgspec.to_builtins(self.setup.table)
        yield OpenTable(table=self.name, settings=settings, policies=self.policies)
        sitting: set[str] = set()
        for number, box in sorted(self.setup.boxes.items()):
            if box.player not in sitting:
                sitting.add(box.player)
                yield Sit(box=number, player=box.player, chips=self._rack(box.player))

    def _rack(self, player: str) -> int | None:
        """What he buys: what he has now, and what he has staked since."""
        boxes = {n: b for n, b in self.setup.boxes.items() if b.player == player}
        racks = [b.chips for b in boxes.values() if b.chips]
        now = self.setup.now
        if not racks or now is None:
            return racks[0] if racks else None
        return racks[0] + sum(staked(self, now, n) for n in boxes)

    def deals_itself(self) -> bool:
        return self.setup.table.dealing == "automatic"

    def dealt_to(self, phase: str) -> Iterator[Command]:
        """The dealer's acts, until the round is somewhere or nothing more is due."""
        for _ in range(STEPS_AT_MOST):
            act = self.table.next_act()
            if self.table.state.phase == phase or act is None:
                return
            yield act

    # -- the deck ----------------------------------------------------------------------------

    def shuffle(self, need: ShuffleNeeded) -> tuple[Card, ...]:
        """The deck of this round: an explicit one, or the cards where the case wants them."""
        setup, round_number = self.setup, self.table.state.round
        seed = f"{self.seed}/{need.need}"
        if round_number == 1 and setup.shoe is not None:
            top = [card if card.is_known else None for card in setup.shoe.cards]
            return stacked(top, need.cards, seed)
        if round_number == 1:
            cards = RoundSetup(
                boxes={n: box.cards for n, box in setup.boxes.items()},
                board=setup.board,
                dealer=setup.dealer.cards,
                burns=setup.burns,
            )
        else:
            cards = setup.rounds.get(round_number, RoundSetup())
        return stacked(self._wanted(cards), need.cards, seed)

    def _wanted(self, cards: RoundSetup) -> list[Card | None]:
        """The order in which a correct deal takes the cards from this device."""
        boxes = [n for n, box in sorted(self.table.state.boxes.items()) if box.ante]
        hands = {n: _filled(cards.boxes.get(n, ()), 2) for n in boxes}
        flop = _filled(cards.board.flop, 3)
        turn, river = cards.board.turn, cards.board.river
        dealer = _filled(cards.dealer, 2)
        if self.setup.table.device == "shuffler":
            packets = [card for n in boxes for card in hands[n]]
            return [*flop, turn, river, *packets, *dealer]
        burns = cards.burns
        first, second = [hands[n][0] for n in boxes], [hands[n][1] for n in boxes]
        return [
            burns.hole,
            *first,
            *second,
            burns.flop,
            *flop,
            burns.turn,
            turn,
            burns.river,
            river,
            *dealer,
        ]

    # -- phrases -----------------------------------------------------------------------------

    def place_bets(self, values: Mapping[str, Any]) -> Iterator[Command]:
        """The opening call if bets are not open, then every stake of the set-up."""
        if self.table.state.phase != "bets open":
            yield CallForBets()
        for number, box in sorted(self.setup.boxes.items()):
            if box.ante is not None:
                yield PlaceAnte(box=number, amount=box.ante, player=box.player)
            if box.bonus is not None:
                yield PlaceBonus(box=number, amount=box.bonus, player=box.player)
            if box.progressive:
                amount = None if box.progressive is True else box.progressive
                yield PlaceProgressive(box=number, amount=amount, player=box.player)

    def deal_to_decisions(self, values: Mapping[str, Any]) -> Iterator[Command]:
        """Bets if none lie there, the closing call, and the deal."""
        yield from self._to("first decision", values)

    def _to(self, phase: str, values: Mapping[str, Any], bets: int = 1) -> Iterator[Command]:
        """Play on to a phase; undecided boxes bet in the first so many windows, then check."""
        state = self.table.state
        for _ in range(STEPS_AT_MOST):
            state = self.table.state
            if state.phase == phase or (phase == "jackpot" and self._is_over()):
                return
            if state.phase in ("between rounds", "bets open") and not state.boxes:
                yield from self.place_bets(values)
            elif state.phase == "between rounds":
                return
            elif state.phase == "bets open":
                yield CloseBets()
            elif state.window() is not None:
                yield from self._decide(bets)
            else:
                act = self.table.next_act()
                if act is None:
                    return
                yield act

    def _is_over(self) -> bool:
        state = self.table.state
        return state.round > 0 and not self.table.playing()

    def _decide(self, bets: int) -> Iterator[Command]:
        """Every undecided box bets, or checks once it has bet in so many windows."""
        window = self.table.state.window()
        assert window is not None
        place = {"flop": FlopBet, "turn": TurnBet, "river": RiverBet}[window]
        betting = {"flop": 1, "turn": 2, "river": 3}[window] <= bets
        for number in self.undecided():
            yield place(box=number) if betting else Check(box=number)

    def undecided(self) -> list[int]:
        """Boxes with a decision to make in the window that is open."""
        state = self.table.state
        window = state.window()
        if window is None:
            return []
        after = {"flop": 1, "turn": 2, "river": 3}[window]
        standing = "in" if window == "flop" else "in for the finish"
        return [
            n
            for n, box in sorted(state.boxes.items())
            if box.standing == standing and box.window < after
        ]

    def everybody_looks(self, values: Mapping[str, Any]) -> Iterator[Command]:
        """Each player looks at one hand: the one marked `looks`, else his first."""
        chosen: dict[str, int] = {}
        for number, box in sorted(self.table.state.boxes.items()):
            marked = self.setup.boxes.get(number)
            if not box.cards or box.standing != "in" or box.examined:
                continue
            if box.player not in chosen or (marked is not None and marked.looks):
                chosen[box.player] = number
        for number in sorted(chosen.values()):
            yield Look(seat=number)

    def everybody_plays(self, values: Mapping[str, Any]) -> Iterator[Command]:
        """Every box that has a decision to make bets."""
        yield from self._decide(bets=3)

    def everybody_checks(self, values: Mapping[str, Any]) -> Iterator[Command]:
        for number in self.undecided():
            yield Check(box=number)

    def everybody_folds(self, values: Mapping[str, Any]) -> Iterator[Command]:
        for number in self.undecided():
            yield Fold(box=number)

    def play_to_flop(self, values: Mapping[str, Any]) -> Iterator[Command]:
        yield from self._to("turn decision", values)

    def play_to_turn(self, values: Mapping[str, Any]) -> Iterator[Command]:
        yield from self._to("river decision", values)

    def play_to_river(self, values: Mapping[str, Any]) -> Iterator[Command]:
        yield from self._to("dealer", values)

    def play_to_settlement(self, values: Mapping[str, Any]) -> Iterator[Command]:
        yield from self._to("jackpot", values)

    def bet_to_settlement(self, values: Mapping[str, Any]) -> Iterator[Command]:
        yield from self._to("jackpot", values, bets=3)

    phrases: ClassVar[Mapping[str, Phrase]] = {
        "open the table": lambda stage, values: stage.open_the_table(),
        "place bets": place_bets,
        "deal to decisions": deal_to_decisions,
        "everybody looks": everybody_looks,
        "everybody plays": everybody_plays,
        "everybody checks": everybody_checks,
        "everybody folds": everybody_folds,
        "play to flop": play_to_flop,
        "play to turn": play_to_turn,
        "play to river": play_to_river,
        "play to settlement": play_to_settlement,
        "bet to settlement": bet_to_settlement,
        "next round": place_bets,
    }


def _filled(cards: Sequence[Card], count: int) -> list[Card | None]:
    """These cards and open places up to a number; an unknown card is an open place too."""
    known: list[Card | None] = [card if card.is_known else None for card in cards]
    return [*known, *[None] * (count - len(known))][:count]


BANKED = Game(
    name="banked",
    table_type=BankedTable,
    stage_type=BankedStage,
    setup_type=BankedSetup,
    facts_type=BankedFacts,
    port=BANKED_PORT,
    inventory=banked_inventory,
    picture=banked_picture,
    seat_word="box",
)
