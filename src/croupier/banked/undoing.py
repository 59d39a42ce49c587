"""Taking a ruling back (5.23), while play has not gone on since.

The table then stands where it stood before the ruling, and the log keeps both. Chips that were
brought since, and boxes taken or left by those who have nothing in the round, stay as they are now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.banked.authority import SHIFT_MANAGER, at_least
from croupier.banked.claims import all_claimed, tell_the_link
from croupier.banked.commands import UndoRuling
from croupier.banked.events import (
    BetReturned,
    BetsCalled,
    CameBack,
    ChipsAdded,
    Folded,
    HandedOver,
    Left,
    SatDown,
)
from croupier.banked.findings import (
    BoxesBlocked,
    CardReplaced,
    CardsExchanged,
    CardsExposed,
    CardsRestored,
    ChipsMoved,
    DecisionGivenBack,
    ExtraLookFound,
    HandCancelled,
    IrregularityReported,
    JackpotClosed,
    JackpotFailed,
    JackpotReopened,
    JackpotRepaired,
    LinesRuled,
    NoticeDisplayed,
    PaymentCorrected,
    PolicyChanged,
    RoundGoesOn,
    RoundVoided,
    RulingMade,
    RulingUndone,
    SettledBetReturned,
    StreetDealtAgain,
    TableClosed,
    TableReopened,
)
from croupier.banked.ruled_chips import told_stakes
from croupier.banked.seating import on_the_layout
from croupier.banked.state import BankedState, Undo
from croupier.banked.voiding import return_to_link
from croupier.rulebooks import Topic
from croupier.table import (
    ActorRank,
    Announced,
    AwardsPaidAgain,
    AwardsReturned,
    Call,
    DecisionNeeded,
    DecisionTaken,
    DeviceFailed,
    DeviceFaultWithdrawn,
    Event,
    Order,
    Room,
    StakesAccepted,
    StakesReturned,
)

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

undoing = Room("undoing")


BEGINS: frozenset[type[Event]] = frozenset((IrregularityReported, DecisionTaken))
"""A report or a staff decision begins a ruling; the state before it is kept."""

_CONSEQUENCES: frozenset[type[Event]] = BEGINS | {
    Announced,
    AwardsPaidAgain,
    AwardsReturned,
    BetReturned,
    BoxesBlocked,
    CardReplaced,
    CardsExchanged,
    CardsExposed,
    CardsRestored,
    ChipsMoved,
    DecisionGivenBack,
    DecisionNeeded,
    DeviceFailed,
    DeviceFaultWithdrawn,
    ExtraLookFound,
    Folded,
    HandCancelled,
    JackpotFailed,
    LinesRuled,
    NoticeDisplayed,
    PaymentCorrected,
    PolicyChanged,
    RoundGoesOn,
    RoundVoided,
    RulingMade,
    RulingUndone,
    SettledBetReturned,
    StakesAccepted,
    StakesReturned,
    StreetDealtAgain,
    TableClosed,
}
"""What a ruling may lead to. Anything else means that something has happened since."""

_OF_PEOPLE = (CameBack, ChipsAdded, Left, SatDown)
"""Who comes, goes and brings chips: no part of play, where nothing of theirs is in the round."""


def watch(table: BankedTable, event: Event) -> None:
    """Before an event is applied: keep the state where a ruling begins, drop it once play goes
    on."""
    state = table.state
    said = ""
    if isinstance(event, IrregularityReported):
        said = event.kind
    elif isinstance(event, DecisionTaken) and event.entered_for is None:
        said = event.question if event.rank is not ActorRank.PLAYER else ""
    if said:
        state.undo, state.ruling_stands = None, ""
        state.undo = Undo(before=msgspec.json.encode(state), ruling=said)
    elif state.undo is None:
        return
    elif isinstance(event, _OF_PEOPLE):
        state.undo.since.append(msgspec.json.encode(event))
    elif type(event) not in _CONSEQUENCES or isinstance(event, DecisionTaken):
        state.undo, state.ruling_stands = None, _gone_on(event)
    elif isinstance(event, JackpotFailed) and event.link is not None:
        # The link's own fault is no consequence, and is not taken back.
        state.undo, state.ruling_stands = None, "The jackpot link has failed since."
    elif not state.undo.over:
        state.undo.over = _no_consequence(table, event)


def _no_consequence(table: BankedTable, event: Event) -> str:
    """Why an event that a ruling may lead to has come about without one, as a sentence.

    What was kept is not dropped: earlier releases took such rulings back.
    """
    match event:
        case Folded(deemed=""):
            return "Play has gone on since."
        case Announced(call=Call.WARNING):
            return "A bet has been put right since."
        case BetReturned(box=number, bet="progressive") if not table.state.boxes[number].ante:
            return "A bet has been put right since."
        case JackpotFailed() if not table.playing():
            return "The jackpot has failed since."
        case _:
            return ""


def _gone_on(event: Event) -> str:
    if isinstance(event, DecisionTaken):
        return "A player has decided since."
    return _GONE_ON.get(type(event), "Play has gone on since.")


_GONE_ON: dict[type[Event], str] = {
    BetsCalled: "The next round has begun since.",
    HandedOver: "What was kept safe has been handed over since.",
    JackpotClosed: "The jackpot link has been closed since.",
    JackpotReopened: "The jackpot link has been opened since.",
    JackpotRepaired: "The jackpot has been repaired since.",
    TableReopened: "The table has been opened again since.",
}
"""What else than play a ruling does not lead to."""


@undoing.decides(UndoRuling, while_waiting=True)
def undo_ruling(table: BankedTable, order: Order[UndoRuling]) -> None:
    at_least(table, order, SHIFT_MANAGER, "takes a ruling back")
    undo = table.state.undo
    if undo is None:
        stands = table.state.ruling_stands
        none = f"{stands} The ruling stands." if stands else "There is no ruling to take back."
        table.refuse(Topic.DISCRETION, none)
    if undo.over:
        table.refuse(Topic.DISCRETION, f"{undo.over} The ruling stands.")
    before = _before(undo)
    if over := _contradiction(table, before, undo):
        table.refuse(Topic.DISCRETION, f"{over} The ruling stands.")
    gone, come = _changed_at_the_link(before, table.state)
    awards = {
        number: box.awarded
        for number, box in sorted(before.boxes.items())
        if box.awarded and not table.state.boxes[number].awarded
    }
    registered = table.state.device_told and not before.device_told
    table.emit(
        RulingUndone(reason=order.command.reason, who=order.who, cites=table.cite(Topic.DISCRETION))
    )
    # The link hears that stakes which the ruling had brought about do not lie there any more, and
    # that those which had gone back lie there again.
    return_to_link(table, come, table.cite(Topic.DISCRETION))
    if registered:
        cites = table.cite(Topic.DISCRETION)
        table.emit(DeviceFaultWithdrawn(round=table.state.round, cites=cites))
    if gone:
        table.emit(
            StakesAccepted(
                round=table.state.round, stakes=gone, cites=table.cite(Topic.JACKPOT_BET)
            )
        )
    if awards:
        cites = table.cite(Topic.DISCRETION, Topic.JACKPOT_PAY_TABLE)
        table.emit(AwardsPaidAgain(round=table.state.round, awards=awards, cites=cites))
    if gone and table.state.phase == "jackpot" and all_claimed(table):
        tell_the_link(table)


def _contradiction(table: BankedTable, before: BankedState, undo: Undo) -> str:
    """Who has come or gone since so that the round could not be as it was, as a sentence."""
    chips = {player: bought + before.net.get(player, 0) for player, bought in before.racks.items()}
    for event in _people(table, undo):
        match event:
            case ChipsAdded(player=player, chips=added):
                chips[player] += added
            case Left(player=player, chips=taken):
                if on_the_layout(before, player):
                    return f"{player} has left since, whose bets would lie there again."
                if player in chips and chips.pop(player) != taken:
                    return f"{player} has left since, with chips that the ruling had moved."
            case SatDown(box=number, player=player, chips=brought):
                box = before.boxes.get(number)
                if box is not None and box.player != player and on_the_layout(before, box.player):
                    return f"{player} has taken box {number} since, where {box.player} played."
                if brought is not None:
                    chips[player] = brought
            case _:
                pass
    return ""


def _people(table: BankedTable, undo: Undo) -> list[Event]:
    return [table.read_event(each) for each in undo.since]


def _before(undo: Undo) -> BankedState:
    return msgspec.json.decode(undo.before, type=BankedState)


def _changed_at_the_link(before: BankedState, now: BankedState) -> tuple[dict[int, int], list[int]]:
    """The jackpot stakes that a ruling has sent back from the link, and the boxes whose stake it
    has told to the link; a stake of another size is both."""
    knew, knows = told_stakes(before), told_stakes(now)
    gone = {number: stake for number, stake in knew.items() if knows.get(number) != stake}
    return gone, [number for number, stake in knows.items() if knew.get(number) != stake]


@undoing.applies(RulingUndone)
def ruling_undone(table: BankedTable, event: RulingUndone) -> None:
    undo = table.state.undo
    assert undo is not None
    again = _before(undo)
    gone, come = _changed_at_the_link(again, table.state)
    # Numbers of decisions are not given twice, and the ruling stays on record.
    again.last_need = table.state.last_need
    again.rulings.append(f"{undo.ruling}: undone")
    # Until the link is told it knows what it knew: it counts the one anew, and the other no more.
    for number in gone:
        again.boxes[number].registered = again.boxes[number].named = False
    for number in come:
        again.boxes[number].registered = True
    again.stakes_told = table.state.stakes_told
    table.state = again
    for each in _people(table, undo):
        table.whole.events[type(each)](table, each)


@undoing.applies(AwardsPaidAgain, DeviceFaultWithdrawn)
def link_told(table: BankedTable, event: Event) -> None:
    """The table stands there already; the link has only to hear of it."""
