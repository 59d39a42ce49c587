"""A small game that proves the table's vocabulary and the case runner: High Card.

One card to each box and one to the dealer; the higher card wins. It has everything that the real
games need of the ground floor: turns, refusals, judgement by rank and by seat, shuffles and draws,
looking, calls, and a jackpot link across tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from croupier.cards import DECK, Card, Shoe
from croupier.pit import Game, LinkKit, Registry, Stage
from croupier.pit.game import stacked
from croupier.pit.ports.port import Commands, Events, GamePort, Stands, Terms
from croupier.pit.ports.waits import Instead, Wait, by_dealer
from croupier.rulebooks import Rulebook, load_file
from croupier.table import (
    ActorRank,
    Announced,
    AwardMade,
    BadCommand,
    Box,
    Call,
    Command,
    Conversation,
    DecisionNeeded,
    DecisionTaken,
    DrawGiven,
    DrawNeeded,
    Event,
    Facts,
    HeldLine,
    LinesHeld,
    Look,
    Looked,
    Money,
    Offer,
    OpenTable,
    Order,
    ReceiveAward,
    Room,
    ShuffleGiven,
    ShuffleNeeded,
    StakesAccepted,
    State,
    Table,
    TableState,
    TakeClaims,
    TakeStakes,
    Viewer,
)

BOOK: Rulebook = load_file(Path(__file__).with_name("high-card.toml"))
DEALERS_BOX = 99
ACE_OF_SPADES = Card("As")


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    least: Money = 500
    most: Money = 10_000


class BoxState(Struct, kw_only=True):
    player: str
    stake: Money
    card: Card | None = None
    looked: bool = False
    done: str = ""
    paid: Money = 0


class HighCardState(TableState, kw_only=True):
    settings: Settings = Settings()
    phase: str = "betting"
    boxes: dict[int, BoxState] = {}
    shoe: Shoe | None = None
    dealers_card: Card | None = None
    scrambled: list[Card] = []
    round: int = 1


class HighCardFacts(Facts, kw_only=True):
    stakes: dict[int, Money] = {}
    paid: dict[int, Money] = {}
    dealer: Card | None = None


# -- commands and events ------------------------------------------------------------------------


class PlaceStake(Command, frozen=True, kw_only=True):
    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True
    box: Box
    player: Annotated[str, Meta(min_length=1)]
    stake: Money


class CloseBetting(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False


class Deal(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False
    two_to: Box | None = None


class Stay(Command, frozen=True, kw_only=True):
    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True
    box: Box


class Fold(Command, frozen=True, kw_only=True):
    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True
    box: Box


class Settle(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False


class ReportExposedCard(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False
    box: Box


class StakePlaced(Event, frozen=True, kw_only=True):
    box: Box
    player: str
    stake: Money


class BettingClosed(Event, frozen=True, kw_only=True):
    pass


class Dealt(Event, frozen=True, kw_only=True):
    box: Box
    card: Card

    def public(self) -> Event:
        hidden = self.card if self.box == DEALERS_BOX else Card.UNKNOWN
        return Dealt(box=self.box, card=hidden, cites=self.cites)


class Scrambled(Event, frozen=True, kw_only=True):
    box: Box
    cards: tuple[Card, ...]

    def public(self) -> Event:
        unknown = (Card.UNKNOWN,) * len(self.cards)
        return Scrambled(box=self.box, cards=unknown, cites=self.cites)


class Stayed(Event, frozen=True, kw_only=True):
    box: Box


class Folded(Event, frozen=True, kw_only=True):
    box: Box


class BoxSettled(Event, frozen=True, kw_only=True):
    box: Box
    paid: Money


class Withdrawn(Event, frozen=True, kw_only=True):
    box: Box


class Voided(Event, frozen=True, kw_only=True):
    pass


class RoundEnded(Event, frozen=True, kw_only=True):
    pass


class AwardReceived(Event, frozen=True, kw_only=True):
    box: Box
    paid: Money


# -- the table ----------------------------------------------------------------------------------

room = Room("high card")


@room.decides(PlaceStake)
def place_stake(table: HighCard, order: Order[PlaceStake]) -> None:
    command, limits = order.command, table.state.settings
    if table.state.phase != "betting":
        table.refuse("closing-call", "Betting is closed.")
    if command.box in table.state.boxes:
        raise BadCommand(f"box {command.box} has its stake")
    if not limits.least <= command.stake <= limits.most:
        table.refuse("stake", "The stake is outside the limits.")
    table.emit(
        StakePlaced(
            box=command.box, player=command.player, stake=command.stake, cites=table.cite("stake")
        )
    )


@room.applies(StakePlaced)
def stake_placed(table: HighCard, event: StakePlaced) -> None:
    table.state.boxes[event.box] = BoxState(player=event.player, stake=event.stake)


@room.decides(CloseBetting)
def close_betting(table: HighCard, order: Order[CloseBetting]) -> None:
    if table.state.phase != "betting" or not table.state.boxes:
        table.refuse("closing-call", "There is nothing to close.")
    cites = table.cite("closing-call")
    table.emit(Announced(call=Call.CLOSING, says="No more stakes.", cites=cites))
    table.emit(BettingClosed(cites=cites))
    stakes = dict.fromkeys(table.state.boxes, 100)
    table.emit(
        StakesAccepted(round=table.state.round, stakes=stakes, cites=table.cite("jackpot-stake"))
    )
    table.need_shuffle("new deck", DECK, table.cite("deal"))


@room.applies(BettingClosed)
def betting_closed(table: HighCard, event: BettingClosed) -> None:
    table.state.phase = "shuffling"


@room.applies(StakesAccepted, LinesHeld)
def told_the_link(table: HighCard, event: Event) -> None:
    pass


@room.applies(ShuffleGiven)
def shuffled(table: HighCard, event: ShuffleGiven) -> None:
    table.state.shoe = Shoe.virtual(event.cards)
    table.state.phase = "dealing"


@room.answered("new deck")
def new_deck(table: HighCard, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    pass


@room.decides(Deal)
def deal(table: HighCard, order: Order[Deal]) -> None:
    state, cites = table.state, table.cite("deal")
    if state.phase != "dealing" or state.shoe is None:
        table.refuse("deal", "It is not time to deal.")
    wrong = order.command.two_to
    for box in sorted(state.boxes):
        if box == wrong:
            table.emit(Scrambled(box=box, cards=state.shoe.peek(2), cites=table.cite("two-cards")))
        else:
            table.emit(Dealt(box=box, card=state.shoe.peek()[0], cites=cites))
    table.emit(Dealt(box=DEALERS_BOX, card=state.shoe.peek()[0], cites=cites))
    if wrong is not None:
        table.need_draw("the card that counts", pick=1, among=2, cites=table.cite("two-cards"))


@room.applies(Dealt)
def dealt(table: HighCard, event: Dealt) -> None:
    state = table.state
    if state.shoe is not None and event.card not in state.scrambled:
        state.shoe.take([event.card])
    if event.box == DEALERS_BOX:
        state.dealers_card = event.card
        state.phase = "deciding"
    else:
        state.boxes[event.box].card = event.card


@room.applies(Scrambled)
def scrambled(table: HighCard, event: Scrambled) -> None:
    assert table.state.shoe is not None
    table.state.shoe.take(event.cards)
    table.state.scrambled = list(event.cards)


@room.answered("the card that counts")
def card_that_counts(table: HighCard, asked: DrawNeeded, given: DrawGiven) -> None:
    box = next(b for b, s in sorted(table.state.boxes.items()) if s.card is None)
    card = table.state.scrambled[given.picks[0]]
    table.emit(Dealt(box=box, card=card, cites=asked.cites))


@room.decides(Look)
def look(table: HighCard, order: Order[Look]) -> None:
    box = table.state.boxes.get(order.command.seat)
    if box is None or box.card is None:
        table.refuse("look", "There is no card to look at.")
    if order.who != box.player:
        table.refuse("look", "That is somebody else's card.")
    table.emit(Looked(seat=order.command.seat, cards=(box.card,), cites=table.cite("look")))


@room.applies(Looked)
def looked(table: HighCard, event: Looked) -> None:
    table.state.boxes[event.seat].looked = True


@room.decides(Stay, Fold)
def stay_or_fold(table: HighCard, order: Order[Any]) -> None:
    command = order.command
    if table.turn() != command.box:
        table.refuse("stay-or-fold", f"It is box {table.turn()}'s turn.")
    if order.who != table.player_at(command.box):
        table.refuse("stay-or-fold", "That is somebody else's box.")
    kind = Stayed if isinstance(command, Stay) else Folded
    table.emit(kind(box=command.box, cites=table.cite("stay-or-fold")))


@room.applies(Stayed, Folded)
def decided(table: HighCard, event: Stayed | Folded) -> None:
    table.state.boxes[event.box].done = "stays" if isinstance(event, Stayed) else "folds"


@room.decides(Settle)
def settle(table: HighCard, order: Order[Settle]) -> None:
    state = table.state
    if state.phase != "deciding" or table.turn() is not None:
        table.refuse("higher-card", "Not everybody has decided.")
    assert state.dealers_card is not None
    held = []
    for number, box in sorted(state.boxes.items()):
        paid = 0
        if box.done == "folds":
            paid = box.stake // 2 if state.policies["fold-costs"] == "half" else 0
        elif box.done == "stays" and box.card is not None:
            mine, dealers = box.card.rank.order, state.dealers_card.rank.order
            tie = box.stake if table.book.procedure("tie") == "push" else 0
            paid = 2 * box.stake if mine > dealers else tie if mine == dealers else 0
        if box.done != "withdrawn":
            table.emit(BoxSettled(box=number, paid=paid, cites=table.cite("higher-card")))
        if box.card is ACE_OF_SPADES:
            held.append(HeldLine(box=number, line="5.2", percent="10", dealt=order.when))
    table.emit(LinesHeld(round=state.round, lines=tuple(held), cites=table.cite("jackpot-line")))
    table.emit(RoundEnded(cites=table.cite("higher-card")))


@room.applies(BoxSettled)
def box_settled(table: HighCard, event: BoxSettled) -> None:
    table.state.boxes[event.box].paid += event.paid


@room.applies(RoundEnded)
def round_ended(table: HighCard, event: RoundEnded) -> None:
    table.state.phase = "settled"


@room.decides(ReportExposedCard)
def report_exposed_card(table: HighCard, order: Order[ReportExposedCard]) -> None:
    box = order.command.box
    if box not in table.state.boxes:
        raise BadCommand(f"there is no stake on box {box}")
    table.ask(
        "exposed card",
        f"The card of box {box} is exposed.",
        ("void", "go on"),
        ActorRank.PIT_SUPERVISOR,
        table.cite("exposed-card"),
        about={"box": box},
    )


@room.answered("exposed card")
def exposed_card(table: HighCard, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    if taken.option == "void":
        table.emit(Voided(cites=table.cite("void")))
        return
    table.ask(
        "withdraw",
        "Do you withdraw?",
        ("stay in", "withdraw"),
        asked.about["box"],
        table.cite("affected-player"),
        about=asked.about,
    )


@room.applies(Voided)
def voided(table: HighCard, event: Voided) -> None:
    for box in table.state.boxes.values():
        box.paid, box.done = box.stake, "void"
    table.state.phase = "settled"


@room.answered("withdraw")
def withdraw(table: HighCard, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    if taken.option == "withdraw":
        table.emit(Withdrawn(box=asked.about["box"], cites=asked.cites))


@room.applies(Withdrawn)
def withdrawn(table: HighCard, event: Withdrawn) -> None:
    box = table.state.boxes[event.box]
    box.done, box.paid = "withdrawn", box.stake


@room.decides(ReceiveAward)
def receive_award(table: HighCard, order: Order[ReceiveAward]) -> None:
    award = order.command
    table.emit(AwardReceived(box=award.box, paid=award.paid, cites=table.cite("jackpot-line")))


@room.applies(AwardReceived)
def award_received(table: HighCard, event: AwardReceived) -> None:
    table.state.boxes[event.box].paid += event.paid


class BoxView(Struct, frozen=True, kw_only=True):
    player: str
    stake: Money
    card: Card | None


class HighCard(Table[HighCardState]):
    rooms: ClassVar[tuple[Room, ...]] = (room,)
    state_type: ClassVar[type[State]] = HighCardState
    settings_type: ClassVar[type[Struct]] = Settings

    def begin(self, settings: Struct) -> None:
        assert isinstance(settings, Settings)
        self.state.settings = settings

    def check(self) -> None:
        for number, box in self.state.boxes.items():
            assert box.stake > 0, f"box {number} has a stake of {box.stake}"

    def status(self) -> str:
        return self.state.phase

    def playing(self) -> bool:
        return self.state.phase not in ("betting", "settled")

    def taken_seats(self) -> list[int]:
        return sorted(self.state.boxes)

    def player_at(self, seat: int) -> str | None:
        box = self.state.boxes.get(seat)
        return box.player if box is not None else None

    def turn(self) -> int | None:
        if self.state.phase != "deciding" or self.state.waiting:
            return None
        return next((n for n, b in sorted(self.state.boxes.items()) if not b.done), None)

    def offers(self, seat: int) -> list[Offer]:
        if self.turn() != seat:
            return []
        return [Offer(do="stay"), Offer(do="fold")]

    def due(self) -> Command | None:
        return Deal() if self.state.phase == "dealing" and not self.state.waiting else None

    def facts(self) -> HighCardFacts:
        return HighCardFacts(
            **self.shared_facts(),
            stakes={n: b.stake for n, b in self.state.boxes.items()},
            paid={n: b.paid for n, b in self.state.boxes.items()},
            dealer=self.state.dealers_card,
        )

    def view(self, viewer: Viewer) -> Struct:
        everything = viewer.auditor and not self.playing()
        boxes = {}
        for number, box in self.state.boxes.items():
            own = viewer.who == box.player and box.looked
            card = box.card if box.card is None or everything or own else Card.UNKNOWN
            boxes[number] = BoxView(player=box.player, stake=box.stake, card=card)
        return HighCardView(boxes=boxes, dealer=self.state.dealers_card)


class HighCardView(Struct, frozen=True, kw_only=True):
    boxes: dict[int, BoxView]
    dealer: Card | None


# -- the link -----------------------------------------------------------------------------------

link_room = Room("meter")


class MeterState(State, kw_only=True):
    meter: Money = 0


class OpenMeter(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False
    name: str
    meter: Money


class MeterOpened(Event, frozen=True, kw_only=True):
    name: str
    meter: Money


class Contributed(Event, frozen=True, kw_only=True):
    by: Money


class Meter(Conversation[MeterState]):
    state_type: ClassVar[type[State]] = MeterState


@link_room.decides(OpenMeter)
def open_meter(link: Meter, order: Order[OpenMeter]) -> None:
    link.emit(MeterOpened(name=order.command.name, meter=order.command.meter))


@link_room.applies(MeterOpened)
def meter_opened(link: Meter, event: MeterOpened) -> None:
    link.state.name, link.state.meter = event.name, event.meter


@link_room.decides(TakeStakes)
def take_stakes(link: Meter, order: Order[TakeStakes]) -> None:
    by = sum(order.command.stakes.values())
    link.emit(Contributed(by=by, cites=link.cite("jackpot-stake")))


@link_room.applies(Contributed)
def contributed(link: Meter, event: Contributed) -> None:
    link.state.meter += event.by


@link_room.decides(TakeClaims)
def take_claims(link: Meter, order: Order[TakeClaims]) -> None:
    claims = order.command
    for held in claims.lines:
        before = link.state.meter
        paid = int(before * Fraction(held.share))
        link.emit(
            AwardMade(
                link=link.state.name,
                table=claims.table,
                round=claims.round,
                box=held.box,
                line=held.line,
                paid=paid,
                meter_before=before,
                meter_after=before - paid,
                cites=link.cite("jackpot-line"),
            )
        )


@link_room.applies(AwardMade)
def award_made(link: Meter, event: AwardMade) -> None:
    link.state.meter = event.meter_after


class LinkedMeter(Meter):
    rooms: ClassVar[tuple[Room, ...]] = (link_room,)


# -- on the stage -------------------------------------------------------------------------------


class BoxSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    player: str
    stake: Money
    card: Card | None = None


class DealerSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    card: Card | None = None
    by_hand: bool = False


class HighCardSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    table: Settings = Settings()
    boxes: dict[Box, BoxSetup] = {}
    dealer: DealerSetup = DealerSetup()
    shoe: tuple[Card, ...] = ()


def close_and_stay(stage: HighCardStage, values: dict[str, Any]) -> Iterator[Command]:
    """Betting closes and everybody stays."""
    yield CloseBetting()
    while (box := stage.table.turn()) is not None:
        yield Stay(box=box)


class HighCardStage(Stage[HighCardSetup]):
    phrases = {"everybody stays": close_and_stay}

    def opening(self, policies: dict[str, str]) -> Iterator[Command]:
        settings = {"least": self.setup.table.least, "most": self.setup.table.most}
        yield OpenTable(table=self.name, settings=settings, policies=policies)
        for box, setup in sorted(self.setup.boxes.items()):
            yield PlaceStake(box=box, player=setup.player, stake=setup.stake)

    def shuffle(self, need: ShuffleNeeded) -> tuple[Card, ...]:
        wanted = [
            self.setup.boxes[box].card if box in self.setup.boxes else None
            for box in self.table.taken_seats()
        ]
        wanted.append(self.setup.dealer.card)
        return stacked(self.setup.shoe or wanted, need.cards, self.seed)

    def deals_itself(self) -> bool:
        return not self.setup.dealer.by_hand


class MeterSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    meter: Money


class MeterFacts(Struct, kw_only=True):
    meter: Money


class Meters(LinkKit):
    link_type = LinkedMeter
    setup_type = MeterSetup
    facts_type = MeterFacts

    def opening(self, name: str, setup: MeterSetup, tables: Sequence[str]) -> Iterator[Command]:
        yield OpenMeter(name=name, meter=setup.meter)

    def facts(self, link: Conversation[Any]) -> MeterFacts:
        return MeterFacts(meter=link.state.meter)


class HighCardPort(GamePort[HighCard]):
    """As little as a game must say; nobody serves this one."""

    begins: ClassVar[Commands] = (CloseBetting,)
    sits: ClassVar[Commands] = (PlaceStake,)
    round_begins: ClassVar[Events] = (BettingClosed,)
    round_ends: ClassVar[Events] = (RoundEnded, Voided)

    def round_number(self, table: HighCard) -> int:
        return table.state.round

    def interruption(self, says: str) -> Command:
        return ReportExposedCard(box=1)

    def waits_for(self, table: HighCard) -> Wait | None:
        turn = table.turn()
        return None if turn is None else Wait(why="action", seats=(turn,), key=(turn,))

    def instead(self, table: HighCard, seat: int) -> Instead | None:
        return by_dealer(Fold(box=seat))

    def can_play(self, table: HighCard) -> list[int]:
        return table.taken_seats()

    def seats(self, table: HighCard) -> int:
        return 9

    def stands(self, table: HighCard, who: str, *, said_ready: bool) -> Stands:
        return Stands(chips=None, offers=())

    def terms(self, table: HighCard) -> Terms:
        return Terms(unit=table.state.settings.least, least=table.state.settings.least)


HIGH_CARD = Game(
    name="high card",
    table_type=HighCard,
    stage_type=HighCardStage,
    setup_type=HighCardSetup,
    facts_type=HighCardFacts,
    port=HighCardPort(),
    seat_word="box",
)
REGISTRY = Registry(games={"high-card": HIGH_CARD}, load=lambda name: BOOK, link=Meters())
SOME_EVENING = datetime.fromisoformat("2024-08-01T20:00:00+08:00")


def order(command: Command, who: str = "Ann", rank: ActorRank = ActorRank.PLAYER) -> Order[Command]:
    """A command in its envelope."""
    return Order(command=command, who=who, rank=rank, when=SOME_EVENING)
