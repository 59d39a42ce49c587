"""A technical interruption: the round is concluded or void. v8 5.1 (A-23); v5 leaves it open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.commands import STREETS
from croupier.poker.dealing import CARDS_DUE
from croupier.poker.final_round import BETWEEN
from croupier.poker.irregularities.commands import ReportInterruption
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.reporting import note, propose_void, under_way
from croupier.poker.remedies import street_of
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic, Ways
from croupier.table import Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

interruption = Room("interruption")

WHAT = "a technical interruption"
UNDECIDED, DECIDED = CASES = ("interruption", "interruption after showdown")
"""v5 leaves both to the House, which may wish to order them beforehand."""


@interruption.decides(ReportInterruption)
def interrupted(table: PokerTable, order: Order[ReportInterruption]) -> None:
    table.by_book[INTERRUPTION](table, order)


def _house_decides(table: PokerTable, order: Order[ReportInterruption]) -> None:
    round_ = under_way(table, order, Topic.VOID)
    decided = _is_decided(table, round_)
    # v8 counts a run-out as decided too; this book knows the 4th Betting Round alone.
    later = decided or (table.state.phase in BETWEEN and not table.somebody_can_bet(round_))
    answer = "play on (5.1.1)" if later else "void (5.1.2)"
    ask_ruling(table, WHAT, later_book=answer, case=DECIDED if decided else UNDECIDED)


def _concluded_or_void(table: PokerTable, order: Order[ReportInterruption]) -> None:
    round_ = under_way(table, order, Topic.TECHNICAL_INTERRUPTION)
    if _is_decided(table, round_):
        says = "Showdown has taken place: play continues and the round is concluded."
        note(table, WHAT, says, table.paragraphs(Topic.INTERRUPTION_CONCLUDED))
    else:
        propose_void(table, WHAT, table.paragraphs(Topic.INTERRUPTION_VOID))


INTERRUPTION = Ways(
    "technical-interruption",
    {"conclude-after-showdown": _concluded_or_void, "house-decision": _house_decides},
)


def _is_decided(table: PokerTable, round_: RoundState) -> bool:
    """A-23: Showdown has taken place once the Final Betting Round is complete. With cards still to
    come the policy says whether that is enough. One player left has won already."""
    if round_.won_by_folds:
        return True
    if round_.final_round is None:
        return False
    if all(len(street_of(round_, street)) >= CARDS_DUE[street] for street in STREETS):
        return True
    return table.state.policies.get("interrupted-run-out") != "void"
