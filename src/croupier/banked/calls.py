"""Opening a table and a round, and the two calls of the dealer (2.1 to 3.3, 3.10, 1.25)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import staff_only
from croupier.banked.commands import CallForBets, CloseBets
from croupier.banked.events import BetReturned, BetsCalled, BetsClosed
from croupier.banked.settings import BankedSettings
from croupier.cards import DECK, Shoe
from croupier.rulebooks import Topic, names_of
from croupier.table import Announced, Call, Order, Room, ShuffleGiven, ShuffleNeeded, StakesAccepted
from croupier.table.actor import check_house_rank

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

calls = Room("calls")

FOR_THE_ROUND = "before the deal"

LAYOUTS = names_of("layouts")
_LIMITS = ("ante_minimum", "ante_maximum", "bonus_minimum", "bonus_maximum", "progressive")


def check_settings(table: BankedTable, settings: BankedSettings) -> None:
    """The book wants an approved layout and displayed limits before a table opens."""
    layouts = table.by_book[LAYOUTS]
    if settings.layout not in layouts:
        known = ", ".join(layouts)
        table.refuse(Topic.APPROVED_LAYOUT, f"The table must show one of the layouts {known}.")
    if settings.boxes_in_use > settings.layout_boxes:
        table.refuse(
            Topic.BOX_LIMIT,
            f"Layout {settings.layout} shows {settings.layout_boxes} boxes, "
            f"not {settings.boxes_in_use}.",
        )
    missing = [name.replace("_", " ") for name in _LIMITS if getattr(settings, name) is None]
    if missing:
        table.refuse(Topic.DISPLAYED_LIMITS, f"Not displayed at the table: {', '.join(missing)}.")
    for name in _LIMITS:
        if getattr(settings, name) <= 0:
            told = name.replace("_", " ")
            table.refuse(Topic.DISPLAYED_LIMITS, f"The {told} must be more than nothing.")
    for bet in ("ante", "bonus"):
        if getattr(settings, f"{bet}_minimum") > getattr(settings, f"{bet}_maximum"):
            table.refuse(Topic.DISPLAYED_LIMITS, f"The {bet} minimum is above its maximum.")
    check_house_rank(settings.house_rank)


@calls.decides(CallForBets)
def call_for_bets(table: BankedTable, order: Order[CallForBets]) -> None:
    state = table.state
    staff_only(table, order, "calls for bets")
    if state.phase == "closed":
        table.refuse(Topic.JACKPOT_FAULT_CLOSE_TABLES, "The House has closed this table.")
    if table.playing():
        table.refuse(Topic.ROUND_OF_PLAY, f"Round {state.round} is not settled yet.")
    if state.next_rounds == "asked":
        table.refuse(
            Topic.JACKPOT_FAULT_NEXT_ROUNDS,
            "After the jackpot fault the House must first say how the next rounds are run.",
        )
    knowingly = _under_which_book(table, order)
    opening: tuple[str, ...] = (Topic.OPENING_CALL,)
    if table.book.has(Topic.APPROVAL):
        opening = (Topic.APPROVAL, Topic.OPENING_CALL)
    table.emit(
        BetsCalled(
            round=state.round + 1,
            rulebook=table.book.id,
            version=table.book.version,
            approved_by=table.book.regulator,
            knowingly=knowingly,
            dealer=order.who,
            at=order.when,
            cites=table.cite(*opening),
        )
    )
    table.emit(
        Announced(
            call=Call.OPENING, says="Bets may be placed.", cites=table.cite(Topic.OPENING_CALL)
        )
    )


def _under_which_book(table: BankedTable, order: Order[CallForBets]) -> bool:
    """A round is played under the book in force at its opening call, or knowingly under another.

    Returns True where it is knowingly.
    """
    book, settings = table.book, table.state.settings
    known = book.effective is not None or settings.effective is not None
    if known and book.in_force(order.when, stated=settings.effective):
        return False
    if settings.opened_knowingly:
        return True
    topic = Topic.APPROVAL if book.has(Topic.APPROVAL) else Topic.ROUND_OF_PLAY
    says = f"{book.short} is not in force at the opening call."
    if not known:
        says = "The operator must state from when this book is in force."
    return table.refuse(topic, says)


@calls.applies(BetsCalled)
def bets_called(table: BankedTable, event: BetsCalled) -> None:
    state = table.state
    state.round = event.round
    state.knowingly = event.knowingly
    state.dealer_name = event.dealer
    state.phase = "bets open"
    state.boxes = {}
    state.shoe = None
    state.sequence, state.board, state.burns, state.dealer = [], [], [], []
    state.falls = []
    state.laid, state.thrown, state.exposed_board, state.exposed_dealer = [], [], [], []
    state.exposed_burns, state.exposed_count, state.stray = [], 0, {}
    state.exposed_stray, state.exposed_unnamed = [], {}
    state.street = state.shown = 0
    state.dealer_dealt = state.dealer_shown = state.void = state.device_told = False
    state.dealer_hand = ""
    state.away, state.absent, state.goes_on, state.irregularities = [], [], [], []
    state.left = [player for player in state.left if player in state.safekeeping]
    state.calls, state.rulings, state.missed = [], [], []
    state.failed_in_round = []
    state.run_in_spite_of = state.jackpot_faults()


@calls.decides(CloseBets)
def close_bets(table: BankedTable, order: Order[CloseBets]) -> None:
    state = table.state
    staff_only(table, order, "closes the bets")
    if state.phase != "bets open":
        table.refuse(Topic.CLOSING_CALL, "Bets are not open.")
    if not state.jackpot_open():
        for box, held in sorted(state.boxes.items()):
            if held.progressive:
                table.emit(
                    BetReturned(
                        box=box,
                        bet="progressive",
                        amount=held.progressive,
                        cites=table.cite(Topic.JACKPOT_BET),
                    )
                )
    dealt_in = tuple(sorted(box for box, held in state.boxes.items() if held.ante))
    table.emit(
        BetsClosed(
            round=state.round,
            dealt_in=dealt_in,
            cites=table.cite(
                Topic.CLOSING_CALL, Topic.CHIP_POSITION_GOVERNS, Topic.BOX_WITHOUT_ANTE
            ),
        )
    )
    table.emit(
        Announced(call=Call.CLOSING, says="No more bets.", cites=table.cite(Topic.CLOSING_CALL))
    )
    prescribed = state.settings.prescribed
    stakes = {box: prescribed for box in dealt_in if state.boxes[box].progressive >= prescribed}
    if stakes:
        table.emit(
            StakesAccepted(round=state.round, stakes=stakes, cites=table.cite(Topic.JACKPOT_BET))
        )
    if dealt_in and state.settings.shoe == "virtual":
        table.need_shuffle(FOR_THE_ROUND, DECK, table.cite(Topic.ONE_DECK, Topic.CARDS_IN_USE))


@calls.applies(BetsClosed)
def bets_closed(table: BankedTable, event: BetsClosed) -> None:
    state = table.state
    for box, held in state.boxes.items():
        if box not in event.dealt_in and held.standing != "cancelled":
            held.standing = "no hand"
    state.phase = "dealing" if event.dealt_in else "settling"
    if event.dealt_in and state.settings.shoe == "reported":
        state.shoe = Shoe.reported()


@calls.applies(StakesAccepted)
def stakes_accepted(table: BankedTable, event: StakesAccepted) -> None:
    state = table.state
    for box in event.stakes:
        state.boxes[box].registered = True
    state.stakes_told += len(event.stakes)


@calls.answered(FOR_THE_ROUND)
def shuffled(table: BankedTable, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    """The deck lies ready; the dealer may deal."""


@calls.applies(ShuffleGiven)
def deck_shuffled(table: BankedTable, event: ShuffleGiven) -> None:
    table.state.shoe = Shoe(real=False, order=list(event.cards))


@calls.applies(Announced)
def announced(table: BankedTable, event: Announced) -> None:
    table.state.calls.append(event.says)
