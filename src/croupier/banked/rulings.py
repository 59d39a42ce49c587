"""The discretion clause (5.23): what the shift manager may order, and carrying it out.

The table offers only what it can carry out (`ruling_checks` looks at the details). Cards that are
dealt anew are in `ruled_cards`, chips that are moved in `ruled_chips`; `undoing` takes it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import SHIFT_MANAGER, people_only
from croupier.banked.betting import give, put
from croupier.banked.commands import CallForRuling
from croupier.banked.events import Folded
from croupier.banked.findings import (
    DecisionGivenBack,
    PaymentCorrected,
    PolicyChanged,
    RoundGoesOn,
    StreetDealtAgain,
)
from croupier.banked.phases import onward
from croupier.banked.questions import ruled
from croupier.banked.ruled_cards import last_street, replaced
from croupier.banked.ruled_chips import move_chips
from croupier.banked.voiding import cancel, void_now
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Choice, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

rulings = Room("rulings")


RULING = "ruling"

_ALWAYS = (
    Choice(name="continue", says="play goes on as it stands"),
    Choice(name="note only", says="keep a note and change nothing"),
    Choice(
        name="pay player",
        says="the House pays a player",
        asks={"player": "text", "amount": "money"},
    ),
    Choice(
        name="collect from player",
        says="the House collects what was paid wrongly",
        asks={"player": "text", "amount": "money"},
    ),
    Choice(
        name="change policy",
        says="read the rules otherwise from here on",
        asks={"policy": "text", "value": "text"},
    ),
)
_IN_A_ROUND = (
    Choice(name="void round", says="no result; every stake goes back"),
    Choice(name="cancel hand", says="the hand does not count", asks={"box": "box"}),
    Choice(name="return chips", asks={"box": "box", "bet": "text", "amount": "money"}),
    Choice(
        name="move chips",
        says="from one spot of a box to another",
        asks={"box": "box", "bet": "text", "to": "text", "amount": "money"},
    ),
)
_WITH_CARDS = (
    Choice(name="treat as folded", asks={"box": "box"}),
    Choice(name="give decision back", says="a folded box may decide", asks={"box": "box"}),
    Choice(name="take action back", says="the box may decide again", asks={"box": "box"}),
    Choice(
        name="replace hole card",
        says="by the next card of the device",
        asks={"box": "box", "position": "number"},
    ),
    Choice(name="replace community card", asks={"position": "number"}),
    Choice(name="replace dealer card", asks={"position": "number"}),
    Choice(name="deal street again", says="the last Community Cards, by the next cards"),
)


# -- asking ---------------------------------------------------------------------------------------


@rulings.on(CallForRuling)
def call_for_ruling(table: BankedTable, order: Order[CallForRuling]) -> None:
    command = order.command
    people_only(table, order, "calls for a ruling")
    state = table.state
    if command.round is not None and not 1 <= command.round <= state.round:
        raise BadCommand(f"there was no round {command.round}; the last is {state.round}")
    uncovered = command.about == "uncovered"
    topic = Topic.DISCRETION_UNCOVERED if uncovered else Topic.DISCRETION_INTERPRETATION
    ask_for_ruling(table, topic, command.says, command.round)


def ask_for_ruling(table: BankedTable, topic: str, says: str, round: int | None = None) -> None:
    """Ask the Table Game Shift Manager or above, offering what can be carried out now."""
    state = table.state
    options = list(_ALWAYS)
    earlier = round is not None and round < state.round
    if table.playing() and not state.is_settled() and not earlier:
        options += _IN_A_ROUND
        if any(box.cards for box in state.boxes.values()):
            options += _WITH_CARDS
    elif table.playing() and not earlier:
        options += _IN_A_ROUND[:1]
    table.ask(RULING, says, options, SHIFT_MANAGER, table.cite(topic, Topic.DISCRETION))


# -- carrying it out ------------------------------------------------------------------------------


@rulings.answered(RULING)
def carry_out(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    details, cites = taken.details, asked.cites
    box: int | None = details.get("box")
    table.emit(ruled(asked, taken, box))
    state = table.state
    match taken.option:
        case "void round":
            void_now(table, cites, "by ruling")
        case "cancel hand":
            assert box is not None
            cancel(table, box, cites, "by ruling")
        case "treat as folded":
            assert box is not None
            table.emit(Folded(box=box, deemed="by ruling", cites=cites))
        case "give decision back" | "take action back":
            assert box is not None
            table.emit(_given_back(table, box, cites))
        case "replace hole card" | "replace community card" | "replace dealer card":
            where = taken.option.removeprefix("replace ").removesuffix(" card")
            table.emit(replaced(table, where, box, details["position"], cites))
        case "deal street again":
            old = last_street(state)
            assert state.shoe is not None
            new = tuple(state.shoe.order[: len(old)])
            shown = state.shown == len(state.board)
            table.emit(StreetDealtAgain(old=old, new=new, shown=shown, cites=cites))
        case "return chips" | "move chips":
            assert box is not None
            move_chips(table, box, details, cites)
        case "pay player" | "collect from player":
            sign = 1 if taken.option == "pay player" else -1
            table.emit(
                PaymentCorrected(
                    player=details["player"], amount=sign * details["amount"], cites=cites
                )
            )
        case "change policy":
            table.emit(PolicyChanged(policy=details["policy"], value=details["value"], cites=cites))
        case _:
            table.emit(RoundGoesOn(why=f"ruling: {taken.option}", cites=cites))


def _given_back(table: BankedTable, number: int, cites: tuple[str, ...]) -> DecisionGivenBack:
    box = table.state.boxes[number]
    window = table.state.window()
    returned = getattr(box, window) if window is not None else 0
    return DecisionGivenBack(box=number, returned=returned, cites=cites)


@rulings.when(DecisionGivenBack)
def decision_given_back(table: BankedTable, event: DecisionGivenBack) -> None:
    state = table.state
    box = state.boxes[event.box]
    window = state.window()
    if box.standing == "folded":
        box.standing, box.deemed = "in", ""
        box.window, box.chosen = 0, []
    elif window is not None:
        put(table, event.box, box.player, window, getattr(box, window) - event.returned)
        box.window -= 1
        box.chosen.pop()
        if window == "flop":
            box.standing = "in"
    state.away = [player for player in state.away if player != box.player]
    onward(table)


@rulings.when(PaymentCorrected)
def payment_corrected(table: BankedTable, event: PaymentCorrected) -> None:
    state = table.state
    give(state, event.player, event.amount)
    state.house -= event.amount


@rulings.when(PolicyChanged)
def policy_changed(table: BankedTable, event: PolicyChanged) -> None:
    table.state.policies[event.policy] = event.value
