"""The discretion clause (5.23): what the shift manager may order, and carrying it out.

What can be ordered is in `ordered`. Cards that are dealt anew are in `ruled_cards`, chips that are
moved in `ruled_chips`; `undoing` takes it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import SHIFT_MANAGER, people_only
from croupier.banked.betting import LATER, give, put
from croupier.banked.commands import CallForRuling
from croupier.banked.findings import DecisionGivenBack, PaymentCorrected, PolicyChanged
from croupier.banked.ordered import OF_NO_ROUND, REMEDIES
from croupier.banked.phases import onward
from croupier.banked.questions import not_shown_no_more, ruled
from croupier.rulebooks import Topic
from croupier.table import BadCommand, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

rulings = Room("rulings")


RULING = "ruling"

# -- asking ---------------------------------------------------------------------------------------


@rulings.decides(CallForRuling)
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
    options = REMEDIES.offered(table)
    if round is not None and round < state.round:
        options = [option for option in options if option.name in OF_NO_ROUND]
    table.ask(RULING, says, options, SHIFT_MANAGER, table.cite(topic, Topic.DISCRETION))


# -- carrying it out ------------------------------------------------------------------------------


@rulings.answered(RULING)
def carry_out(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    box: int | None = taken.details.get("box")
    table.emit(ruled(asked, taken, box))
    REMEDIES.carry_out(table, taken.option, taken.details, what=asked.says, cites=asked.cites)


@rulings.applies(DecisionGivenBack)
def decision_given_back(table: BankedTable, event: DecisionGivenBack) -> None:
    state = table.state
    box = state.boxes[event.box]
    window = state.window()
    state.away = [player for player in state.away if player != box.player]
    if event.bet is not None:
        put(table, event.box, box.player, event.bet, getattr(box, event.bet) - event.returned)
        decided = LATER.index(event.bet)
        box.window, box.chosen = decided, box.chosen[:decided]
        box.standing = "in for the finish" if decided else "in"
        box.deemed, box.collected = "", False
        # Whether it shows its cards comes after its decisions, and is open again (4.3).
        box.refused = box.bonus_by_dealer = False
        box.ruled = ""
        not_shown_no_more(state, event.box)
    elif box.standing == "folded":  # As it was told before `bet` was.
        box.standing, box.deemed = "in", ""
        box.window, box.chosen = 0, []
        box.collected = False
        put(table, event.box, box.player, "flop", box.flop - event.returned)
    elif window is not None:
        put(table, event.box, box.player, window, getattr(box, window) - event.returned)
        box.window -= 1
        box.chosen.pop()
        if window == "flop":
            box.standing = "in"
    onward(table)


@rulings.applies(PaymentCorrected)
def payment_corrected(table: BankedTable, event: PaymentCorrected) -> None:
    state = table.state
    give(state, event.player, event.amount)
    state.house -= event.amount


@rulings.applies(PolicyChanged)
def policy_changed(table: BankedTable, event: PolicyChanged) -> None:
    table.state.policies[event.policy] = event.value
