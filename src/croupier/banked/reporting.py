"""Reports: whether one is in time, and what is put on record (5.8.effect, 5.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import people_only
from croupier.banked.findings import IrregularityReported, RoundGoesOn
from croupier.banked.reports import (
    Report,
    ReportDeckCount,
    ReportForeignCard,
    ReportMissedBurn,
    ReportNotEnoughCards,
    ReportNotShuffled,
    ReportWrongDeal,
)
from croupier.cards import Card
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

reporting = Room("reporting")


def report(
    table: BankedTable,
    order: Order[Report],
    kind: str,
    effect: str,
    cites: tuple[str, ...],
    *,
    boxes: tuple[int, ...] = (),
    says: str = "",
) -> None:
    """Put on record what is reported and what the book makes of it."""
    table.emit(
        IrregularityReported(
            kind=kind,
            effect=effect,
            round=_round_of(table, order.command),
            boxes=boxes,
            says=says,
            by=order.who,
            cites=cites,
        )
    )


def _round_of(table: BankedTable, command: Report) -> int:
    return table.state.round if command.round is None else command.round


def of_this_round(
    table: BankedTable,
    order: Order[Report],
    kind: str,
    *,
    until_next: bool = False,
    boxes: tuple[int, ...] = (),
    says: str = "",
) -> bool:
    """Whether the report is in time; if not, it is recorded without effect.

    An error of an earlier round does not touch a later one (5.19). Once a round is settled it is
    no longer the current one and stands (1.25, 5.8.effect, 5.9); a wrong count alone still counts
    until the next opening call (`until_next`: 5.8.7, 5.15).
    """
    state = table.state
    people_only(table, order, "reports an irregularity")
    named_once(order.command)
    if state.round == 0:
        table.refuse(Topic.ROUND_OF_PLAY, "No round has been played yet.")
    named = _round_of(table, order.command)
    if not 1 <= named <= state.round:
        raise BadCommand(f"there was no round {named}; the last is {state.round}")
    if named < state.round:
        cites = table.cite(Topic.LATE_FOUND_ERROR)
        report(table, order, kind, "no effect on later rounds", cites, boxes=boxes, says=says)
        return False
    if not table.playing() and state.void:
        cites = table.cite(Topic.VOID, Topic.ROUND_OF_PLAY)
        report(table, order, kind, "the round is void already", cites, boxes=boxes, says=says)
        return False
    if not table.playing() and not until_next:
        cites = _why_it_stands(table, order.command)
        report(table, order, kind, "the settled round stands", cites, boxes=boxes, says=says)
        return False
    return True


_OF_THE_PACK_OR_THE_DEAL = (
    ReportForeignCard,
    ReportDeckCount,
    ReportNotEnoughCards,
    ReportNotShuffled,
    ReportWrongDeal,
)


def _why_it_stands(table: BankedTable, command: Report) -> tuple[str, ...]:
    """5.8 and 5.9 say themselves that they void the current round only; otherwise the round has
    ended with its settlement."""
    topics = [Topic.ROUND_OF_PLAY, Topic.LATE_FOUND_ERROR]
    if isinstance(command, _OF_THE_PACK_OR_THE_DEAL):
        topics.insert(0, Topic.EARLIER_ROUNDS_STAND)
    elif isinstance(command, ReportMissedBurn):
        topics.insert(0, Topic.MISSING_BURN)
    return table.cite(*topics)


def named_once(command: Report) -> None:
    """Places stand in a report once each; of unknown cards there may be several."""
    for field in command.__struct_fields__:
        named = getattr(command, field)
        if isinstance(named, tuple):
            known = [place for place in named if place is not Card.UNKNOWN]
            if len(set(known)) < len(known):
                raise BadCommand("each place can be named once")


@reporting.applies(IrregularityReported)
def irregularity_reported(table: BankedTable, event: IrregularityReported) -> None:
    table.state.irregularities.append(f"{event.kind}: {event.effect}")


@reporting.applies(RoundGoesOn)
def round_goes_on(table: BankedTable, event: RoundGoesOn) -> None:
    table.state.goes_on.append(event.why)


def knows_the_deal(table: BankedTable) -> bool:
    """Whether the table itself has dealt every card, and so knows what became of each (B-69)."""
    settings = table.state.settings
    return settings.dealing == "automatic" and settings.shoe == "virtual"


def known_to_be_untrue(table: BankedTable, says: str) -> None:
    """Turn a report of the deal away that the record of an automatic table contradicts.

    Faults of the pack or the device (5.8.1, 5.8.3 to 5.8.5) are not of the deal: they are what
    people find, and say that the record itself may be wrong.
    """
    if knows_the_deal(table):
        raise BadCommand(says)


def cards_out(table: BankedTable) -> None:
    """An error of the deal needs a deal."""
    if not table.state.holes_out() and not table.state.board:
        raise BadCommand("no cards have been dealt in this round")
