"""How case files set a poker table: settings, seats, cards, and the phrases of its cases.

Everything is reached by real commands: `button = 6` plays the draw for the button with a suitable
deck, `cards = "Qh Qs"` stacks the shuffle so that they come out where they should.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

from croupier.cards import Card
from croupier.pit.game import Game, Phrase, Stage, stacked
from croupier.pit.inventory import poker_bars, poker_inventory, poker_picture
from croupier.pit.poker_now import NowSetup, Posted, brought, play_to_now, posted_straddle
from croupier.pit.poker_orbit import (
    Before,
    Joins,
    Missed,
    find,
    is_mid_orbit,
    joined,
    played_before,
    somebody_comes,
    told_to_wait,
)
from croupier.pit.poker_remarks import PokerRemarks
from croupier.pit.ports.poker import POKER_PORT
from croupier.pit.situation import Contradiction, give_all, usual_time
from croupier.poker import PokerFacts, PokerSettings, PokerTable, RakeSettings
from croupier.poker.commands import (
    CUT_IN_THE_MIDDLE,
    Call,
    CallForBlinds,
    Check,
    DealFlop,
    DealHoleCards,
    DealRiver,
    DealTurn,
    Fold,
    ShowHands,
    Sit,
    SitOut,
    StartGame,
)
from croupier.poker.deck import DECK_IS_CUT, FOR_THE_BUTTON, FOR_THE_ROUND, WHOLE_DECK
from croupier.rulebooks import Topic
from croupier.table import Command, Money, OpenTable, Seat, ShuffleNeeded

Begin = Literal["closed", "open", "ready", "blinds", "posted", "cards"]
"""Where the steps begin: not opened yet; players seated; the deck in the shoe; Blinds called;
Blinds placed; Hole Cards dealt."""

PHRASE_AT_MOST = 1_000
"""A limit on everything: a phrase that gives more commands than this is broken."""

_MUCH = 1_000_000_00
_HIGHEST = Card("As")


class TableSetup(PokerSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of the table, with what most cases do not care about filled in."""

    layout: str = "A"
    sign: bool = True
    rake: RakeSettings | None = RakeSettings(percent=0, cap=0)
    minimum_stake: Money = 100
    maximum_stake: Money | None = None
    """Filled in where the book wants one; 0 states none."""
    button: Seat | None = None
    """Who wins the draw for the first button."""
    begin: Begin | None = None
    """Where the steps begin: `cards` if there is a button, else `open`; `ready` in mid-orbit."""
    orbit: Annotated[int, Meta(ge=1, le=3)] | None = None
    """Which lap of the button it is when the steps begin."""


class SeatSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player at his seat when the steps begin."""

    player: Annotated[str, Meta(min_length=1)]
    stake: Money
    cards: Annotated[tuple[Card, ...], Meta(max_length=2)] = ()
    """His Hole Cards in the first Round of play."""
    draw: Card | None = None
    """His card in the draw for the button."""
    absent: bool = False
    """Whether he has left his seat before the Blinds are called."""
    missed: Missed | None = None
    """Which Blinds he has missed in the Rounds of play before; he is back unless `absent`."""
    joins: Joins | None = None
    """How he came, if he sat down when the game was under way and has not played yet."""
    waits: bool = False
    """Whether he was told to wait until the button has passed him."""


class BoardSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Community Cards; `??` or nothing leaves a card open."""

    flop: Annotated[tuple[Card, ...], Meta(max_length=3)] = ()
    turn: Annotated[tuple[Card, ...], Meta(max_length=1)] = ()
    river: Annotated[tuple[Card, ...], Meta(max_length=1)] = ()


class DealSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards of one deal."""

    cards: dict[Seat, tuple[Card, ...]] = {}
    board: BoardSetup = BoardSetup()
    burns: Annotated[tuple[Card, ...], Meta(max_length=3)] = ()
    """The cards burnt before flop, turn and river."""
    rest: tuple[Card, ...] = ()
    """What lies in the shoe behind the river."""
    shoe: tuple[Card, ...] = ()
    """The shoe from its first card, instead of all the others."""


class PokerSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may stand at the top of a poker case."""

    table: TableSetup = TableSetup()
    seats: dict[Seat, SeatSetup] = {}
    board: BoardSetup = BoardSetup()
    burns: Annotated[tuple[Card, ...], Meta(max_length=3)] = ()
    rest: tuple[Card, ...] = ()
    shoe: tuple[Card, ...] = ()
    later: tuple[DealSetup, ...] = ()
    """The cards of the deals after the first: later Rounds of play, or a Misdeal's restart."""
    now: NowSetup | None = None
    """A Round of play under way. Stakes are then what the players have behind them."""
    redeals: tuple[tuple[Card, ...], ...] = ()
    """What comes out first after each shuffle of a part of the deck, in order."""


class PokerStage(Stage[PokerSetup]):
    """A poker table in a case."""

    table: PokerTable
    phrases: ClassVar[dict[str, Phrase]] = {}

    def __init__(self, table: PokerTable, name: str, setup: PokerSetup, seed: str) -> None:
        super().__init__(table, name, setup, seed)
        self.opened = False
        self.policies: dict[str, str] = {}
        self.before = Before(first_button=setup.table.button)
        self.brought = {n: seat.stake for n, seat in setup.seats.items()}
        """What each sits down with."""
        self.deals: list[tuple[int, int]] = []
        """The deals that a deck was asked for: the Round of play, and its restarts before it."""
        self.stacked_for: dict[int, tuple[int, ...]] = {}
        self.known_orders: Mapping[int, tuple[int, ...]] = {}
        self.dealt: dict[int, tuple[int, ...]] = {}
        self.redealt: list[int] = []
        """The shuffles of a part of the deck that were asked for, by their numbers."""

    # -- setting up --------------------------------------------------------------------------

    def opening(self, policies: dict[str, str]) -> Iterator[Command]:
        setup = self.setup
        self.policies = policies
        if setup.table.begin == "closed":
            return
        yield from self._midway() if self.is_midway() else self._from_the_start()
        self.opened = True

    def _from_the_start(self) -> Iterator[Command]:
        """To the first Round of play of a game that nobody has played before."""
        setup = self.setup
        yield from self.opened_and_seated()
        begin = setup.table.begin or ("cards" if setup.table.button is not None else "open")
        if begin != "open":
            yield StartGame()
            yield from self.until(lambda: self.table.state.phase == "ready")
            yield from self._away()
        if begin not in ("open", "ready"):
            yield CallForBlinds()
        if begin in ("posted", "cards"):
            yield from self.until(lambda: self.table.state.phase != "blinds")
        if begin == "cards" and not self.table.may_straddle():
            yield from self.until(lambda: self.table.state.phase != "dealing")

    def _away(self) -> Iterator[Command]:
        for seat, sitter in sorted(self.setup.seats.items()):
            if sitter.absent and not sitter.missed:
                yield SitOut(seat=seat)

    # -- the middle of an Orbit, or of a Round of play ----------------------------------------

    def is_midway(self) -> bool:
        """Whether the steps begin in mid-orbit or in mid-hand."""
        if self.setup.table.begin != "open":
            return self.setup.now is not None or is_mid_orbit(self)
        if self.setup.now is not None or somebody_comes(self):
            raise Contradiction("table.begin", "the game has not begun: nothing was played before")
        return False

    def _midway(self) -> Iterator[Command]:
        """What was played before, then the described Round of play as far as it goes."""
        setup, now = self.setup, self.setup.now
        posted = self._prepared()
        comes = somebody_comes(self) and now is None and not self._waits()
        begin = setup.table.begin or ("ready" if comes else "cards")
        if now is not None and begin != "cards":
            raise Contradiction("table.begin", f"with [now] a round is under way, not '{begin}'")
        yield from self._to_the_call(waiting=begin == "ready")
        if begin == "ready":
            return
        yield from self._called()
        if begin == "blinds":
            return
        yield from self.until(lambda: self.table.state.phase != "blinds")
        if now is not None and posted is not None:
            yield from posted_straddle(self, now)
            yield from self.until(lambda: self.table.state.phase != "dealing")
            yield from play_to_now(self, now, posted)
        elif begin == "cards" and not self.table.may_straddle():
            yield from self.until(lambda: self.table.state.phase != "dealing")

    def _prepared(self) -> Posted | None:
        """Find what must have been played before, and what each must have brought for it."""
        setup, now = self.setup, self.setup.now
        if setup.table.button is None:
            raise Contradiction("table", "say who has the button")
        if is_mid_orbit(self):
            self.before = find(self)
        gains = self.before.gains
        posted = self._posted(now) if now is not None else None
        if now is not None and posted is not None:
            self.brought = brought(self, now, posted)
            self.known_orders = {self.before.rounds: posted.order, **self.known_orders}
        self.brought = {n: stake - gains.get(n, 0) for n, stake in self.brought.items()}
        return posted

    def _posted(self, now: NowSetup) -> Posted:
        """Who would be in the Round of play and what the Blinds would leave before each."""
        again = self.rehearsal(self.before.first_button)
        again.before = self.before

        def commands() -> Iterator[Command]:
            yield from again._to_the_call(waiting=False)
            yield from again._called()
            yield from again.until(lambda: again.table.state.phase != "blinds")
            yield from posted_straddle(again, now)

        for _ in give_all(again, commands(), usual_time(self.table.book)):
            pass
        round_ = again.table.state.round
        if round_ is None or not round_.open or again.table.state.phase == "blinds":
            raise Contradiction("seats", "the Blinds of this round cannot all be placed")
        return Posted(
            order=round_.order,
            bets={n: p.bet for n, p in round_.players.items() if p.bet},
            dead={n: p.dead for n, p in round_.players.items() if p.dead},
            big_blind=again.table.state.settings.big_blind,
            chip=again.table.state.settings.smallest_chip,
        )

    def rehearsal(self, first_button: int | None) -> PokerStage:
        """The same table once more with plenty of chips, to try on it what may have happened."""
        table = type(self.table)(self.table.book)
        again = PokerStage(table, self.name, self.setup, self.seed)
        again.policies = self.policies
        again.before = Before(first_button=first_button)
        much = self._settings()["maximum_stake"] or _MUCH
        again.brought = dict.fromkeys(self.setup.seats, min(much, _MUCH))
        return again

    def seated_with_a_button(self) -> Iterator[Command]:
        """The players who began the game, the draw for the button, and a deck in the shoe."""
        yield from self.opened_and_seated()
        yield StartGame()
        yield from self.until(lambda: self.table.state.phase == "ready")

    def _to_the_call(self, *, waiting: bool) -> Iterator[Command]:
        yield from self.seated_with_a_button()
        yield from played_before(self, self.before)
        yield from self._away()
        if waiting:
            yield from told_to_wait(self)

    def _called(self) -> Iterator[Command]:
        """The call for the Blinds of the described Round of play."""
        yield CallForBlinds()
        yield from told_to_wait(self)
        round_, button = self.table.state.round, self.setup.table.button
        if self.table.is_held() or round_ is None or not round_.open:
            asked = ", ".join(d.question for d in self.table.facts().decisions)
            raise Contradiction(
                "seats", f"the Blinds are not called before the table has its answer: {asked}"
            )
        if round_.button != button:
            raise Contradiction(
                "table.button", f"the button would be at seat {round_.button}, and not {button}"
            )

    def _waits(self) -> bool:
        return any(seat.waits for seat in self.setup.seats.values())

    def opened_and_seated(self) -> Iterator[Command]:
        """Open the table as its settings say, and seat the players."""
        yield OpenTable(table=self.name, settings=self._settings(), policies=self.policies)
        for seat, sitter in sorted(self.setup.seats.items()):
            if not joined(sitter):
                yield Sit(seat=seat, player=sitter.player, stake=self.brought[seat])

    def _settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = msgspec.to_builtins(self.setup.table)
        del settings["button"], settings["begin"], settings["orbit"]
        if not self.table.book.has(Topic.MAXIMUM_TABLE_STAKE):
            return settings
        if settings["maximum_stake"] is None:
            settings["maximum_stake"] = _MUCH
        elif settings["maximum_stake"] == 0:
            settings["maximum_stake"] = None
        return settings

    def deals_itself(self) -> bool:
        return self.opened and self.setup.table.dealing == "automatic"

    def leaves_to(self, command: Command, next_step: str) -> bool:
        """Showing and mucking are one matter: a step that does either does it for the House."""
        if next_step in ("show hand", "muck"):
            return isinstance(command, ShowHands)
        return super().leaves_to(command, next_step)

    # -- cards -------------------------------------------------------------------------------

    def shuffle(self, need: ShuffleNeeded) -> tuple[Card, ...]:
        """A deck in which the draw, the hands, the burns and the board come as the case asks."""
        seed = f"{self.seed}/{need.need}"
        if need.purpose == FOR_THE_BUTTON:
            return stacked(self._draw(), need.cards, seed)
        if need.purpose == FOR_THE_ROUND:
            deck = stacked(self._wanted(), need.cards, seed)
            if self.table.by_book[DECK_IS_CUT]:
                # The cut in the middle will bring it to the top.
                place = len(deck) - CUT_IN_THE_MIDDLE
                deck = deck[place:] + deck[:place]
            return deck
        number = self.redealt.index(need.need)
        wanted = self.setup.redeals[number] if number < len(self.setup.redeals) else ()
        return stacked(_open(wanted), need.cards, seed)

    def _draw(self) -> list[Card | None]:
        """Each player's card in the draw, dealt from the dealer's left."""
        setup = self.setup
        drawn: list[Card | None] = []
        for seat in self.table.taken_seats():
            card = setup.seats[seat].draw if seat in setup.seats else None
            drawn.append(_HIGHEST if card is None and seat == self.before.first_button else card)
        return drawn

    def asked(self, need: ShuffleNeeded) -> None:
        """Deals are counted by Rounds of play and restarts, however often a deck is shuffled for
        one and whoever shuffles it."""
        if need.purpose not in WHOLE_DECK and need.need not in self.redealt:
            self.redealt.append(need.need)
        if need.purpose != FOR_THE_ROUND:
            return
        state = self.table.state
        round_ = state.round
        under_way = round_ is not None and round_.open
        deal = (
            (state.rounds, round_.restarts)
            if round_ is not None and under_way
            else (state.rounds + 1, 0)
        )
        if deal not in self.deals:
            self.deals.append(deal)

    def order_given(self) -> None:
        """Keep the order in which the last deal goes, once its Blinds have been called. A restart
        after a Misdeal is a deal of its own: somebody may have left meanwhile."""
        round_ = self.table.state.round
        this = (round_.number, round_.restarts) if round_ is not None else None
        if round_ is not None and self.deals and self.deals[-1] == this:
            self.dealt[len(self.deals) - 1] = round_.order

    def orders_dealt(self) -> dict[int, tuple[int, ...]]:
        """Only what is otherwise than the decks were stacked for: seats are taken and left after
        the shuffle, and that moves every card behind them."""
        known = {**self.known_orders, **self.dealt}
        wrong = any(self.dealt.get(n, order) != order for n, order in self.stacked_for.items())
        return known if wrong else {}

    def knows_orders(self, orders: Mapping[int, tuple[int, ...]]) -> None:
        self.known_orders = orders

    def cards_went_astray(self) -> str:
        for number, deal in enumerate(self.setup.later, 1):
            for seat in deal.cards:
                if seat not in self.dealt.get(number + self.before.rounds, (seat,)):
                    return f"later[{number}].cards.{seat}"
        return ""

    def _deal(self, number: int) -> DealSetup:
        """The cards of a deal of the whole deck; 0 is the first that the case tells of."""
        setup = self.setup
        if number < 0:
            return DealSetup()
        if number == 0:
            return DealSetup(
                cards={seat: s.cards for seat, s in setup.seats.items()},
                board=setup.board,
                burns=setup.burns,
                rest=setup.rest,
                shoe=setup.shoe,
            )
        return setup.later[number - 1] if number <= len(setup.later) else DealSetup()

    def _wanted(self) -> list[Card | None]:
        """The deck from its first card: hands card by card, then burn and street, three times."""
        number = len(self.deals) - 1
        deal = self._deal(number - self.before.rounds)
        if deal.shoe:
            return _open(deal.shoe)
        order = self.known_orders.get(number) or self.table.deal_order()
        if deal != DealSetup():
            self.stacked_for[number] = order
        wanted: list[Card | None] = []
        for turn in range(2):
            for seat in order:
                cards = _open(deal.cards.get(seat, ()))
                wanted.append(cards[turn] if turn < len(cards) else None)
        burns = _fill(deal.burns, 3)
        for burn, street, count in zip(
            burns, (deal.board.flop, deal.board.turn, deal.board.river), (3, 1, 1), strict=True
        ):
            wanted += [burn, *_fill(street, count)]
        return wanted + _open(deal.rest)

    def reported(self, command: Command) -> Command:
        """A dealer's act at a real shoe, with the cards that the case says come out."""
        board, table = self.setup.board, self.table
        if table.state.settings.shoe == "virtual":
            return command
        match command:
            case DealFlop():
                return DealFlop(faces=_reported(board.flop, 3))
            case DealTurn():
                return DealTurn(faces=_reported(board.turn, 1))
            case DealRiver():
                return DealRiver(faces=_reported(board.river, 1))
            case _:
                return command

    # -- phrases -----------------------------------------------------------------------------

    def until(self, done: Callable[[], bool]) -> Iterator[Command]:
        """The dealer's acts and plain Checks and Calls, until something is so."""
        for _ in range(PHRASE_AT_MOST):
            if done():
                return
            command = self._easy()
            if command is None:
                return
            yield command
        raise RuntimeError("a phrase without an end")

    def _easy(self) -> Command | None:
        """The next command that needs no thought: deal, check, or else call."""
        table = self.table
        if table.is_held():
            return None
        due = table.due()
        if due is None:
            due = table.due_reported()
        if due is not None:
            return self.reported(due)
        if table.state.phase == "ready":
            return CallForBlinds()
        if table.state.phase == "dealing":
            return DealHoleCards()
        seat = table.turn()
        if seat is None or table.state.phase != "betting":
            return None
        may = {offer.do for offer in table.offers(seat)}
        return Check(seat=seat) if "check" in may else Call(seat=seat)


def _phrase(words: str, until: Callable[[PokerTable, Mapping[str, Any]], bool]) -> None:
    def play(stage: PokerStage, values: Mapping[str, Any]) -> Iterator[Command]:
        yield from stage.until(lambda: until(stage.table, values))

    PokerStage.phrases[words] = play


def _on_board(cards: int) -> Callable[[PokerTable, Mapping[str, Any]], bool]:
    def is_there(table: PokerTable, values: Mapping[str, Any]) -> bool:
        round_ = table.state.round
        return round_ is not None and len(table.board()) >= cards and table.playing()

    return is_there


_phrase("deal to flop", _on_board(3))
_phrase("deal to turn", _on_board(4))
_phrase("deal to river", _on_board(5))
_phrase(
    "deal to showdown",
    lambda table, values: table.state.phase in ("showdown", "settling") or not table.playing(),
)
_phrase("play round", lambda table, values: not table.playing())
_phrase("check or call to", lambda table, values: table.turn() == values.get("seat"))


def _next_round(stage: PokerStage, values: Mapping[str, Any]) -> Iterator[Command]:
    """Shuffle, cut, call for the Blinds and deal the Hole Cards."""
    yield from stage.until(lambda: stage.table.state.phase == "ready")
    yield CallForBlinds()
    yield from stage.until(
        lambda: stage.table.state.phase not in ("blinds", "dealing") or stage.table.may_straddle()
    )


def _fold_to(stage: PokerStage, values: Mapping[str, Any]) -> Iterator[Command]:
    """Everybody folds until it is this seat's turn."""
    for _ in range(PHRASE_AT_MOST):
        seat = stage.table.turn()
        if seat is None or seat == values.get("seat"):
            return
        yield Fold(seat=seat)


def _open_the_table(stage: PokerStage, values: Mapping[str, Any]) -> Iterator[Command]:
    """Open a table that began closed, as its settings say."""
    stage.opened = True
    yield from stage.opened_and_seated()


PokerStage.phrases["open the table"] = _open_the_table
PokerStage.phrases["next round"] = _next_round
PokerStage.phrases["fold to"] = _fold_to


def _open(cards: tuple[Card, ...]) -> list[Card | None]:
    """Cards as wanted ones: `??` leaves a place open."""
    return [card if card.is_known else None for card in cards]


def _fill(cards: tuple[Card, ...], count: int) -> list[Card | None]:
    """So many places, the first of them as wanted."""
    return (_open(cards) + [None] * count)[:count]


def _reported(cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    """So many reported cards, `??` where the case does not say."""
    return (cards + (Card.UNKNOWN,) * count)[:count]


POKER = Game(
    name="poker",
    table_type=PokerTable,
    stage_type=PokerStage,
    setup_type=PokerSetup,
    facts_type=PokerFacts,
    port=POKER_PORT,
    inventory=poker_inventory,
    picture=poker_picture,
    bars=poker_bars,
    remarks=PokerRemarks(),
)
