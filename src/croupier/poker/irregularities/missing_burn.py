"""The dealer forgot to burn: v8 5.10 (A-39, A-70, A-75). v5 has no rule.

Nothing is dealt again once anybody has acted since. In a run-out nobody can, so that it may still
be put right when later streets are out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.commands import Street
from croupier.poker.dealing import CARDS_DUE
from croupier.poker.irregularities.commands import ReportMissingBurn
from croupier.poker.irregularities.community import put_back_later, scramble, take_back_stopped
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.reporting import ask_reconstructible, note, under_way
from croupier.poker.irregularities.state import Scramble
from croupier.poker.irregularities.streets import (
    IS_WON,
    acts_since,
    is_early,
    is_won,
    last_street,
    later_book_on,
    street_with,
    was_burnt,
)
from croupier.poker.irregularities.surplus_community import TOPIC as SURPLUS
from croupier.poker.remedies import street_of
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import (
    ActorRank,
    BadCommand,
    Choice,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
)

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

missing_burn = Room("missing burn")

RECONSTRUCTIBLE = "flop without a burn reconstructible"
ANNOUNCE = "announce the burn"

TOPIC: dict[Street, Topic] = {
    "flop": Topic.MISSING_BURN_FLOP,
    "turn": Topic.MISSING_BURN_TURN,
    "river": Topic.MISSING_BURN_RIVER,
}


@missing_burn.decides(ReportMissingBurn)
def no_burn(table: PokerTable, order: Order[ReportMissingBurn]) -> None:
    covered = table.book.has(Topic.MISSING_BURN)
    round_ = under_way(table, order, Topic.MISSING_BURN if covered else Topic.BURNT_CARD)
    named = order.command.street
    street = street_with(round_, named, lambda one: not was_burnt(round_, one))
    if street is None:
        _was_burnt(table, round_, named or last_street(round_))
        return
    what = f"no card was burnt before the {street}"
    if not covered:
        ask_ruling(table, what, later_book=_in_the_later_book(table, round_, street))
        return
    acts = acts_since(round_, street, order.command.stopped)
    if is_won(round_, order.command.stopped):
        note(table, what, IS_WON, table.paragraphs(Topic.LONE_SURVIVOR, TOPIC[street]))
        return
    if acts:
        says = "Somebody has acted since: the cards stand, and this Betting Round has no burn."
        note(table, what, says, table.paragraphs(Topic.MISSING_BURN_ACTION_TAKEN))
        return
    if len(street_of(round_, street)) > CARDS_DUE[street]:
        table.refuse_with(
            (SURPLUS[street, False], TOPIC[street]), "There are too many cards too: report these."
        )
    if is_early(table, round_, street):
        table.refuse_with(
            (Topic.EARLY_COMMUNITY_CARD, TOPIC[street]),
            f"The {street} was dealt early: report that first.",
        )
    if street == "flop":
        about = {"stopped": order.command.stopped}
        ask_reconstructible(table, RECONSTRUCTIBLE, what.capitalize(), (TOPIC["flop"],), about)
    else:
        table.ask(
            ANNOUNCE,
            f"Announce the card dealt as the {street} to be the burn; another {street} is dealt.",
            (Choice(name="announce"),),
            ActorRank.PIT_MANAGER,
            table.paragraphs(TOPIC[street]),
            about={"street": street, "stopped": order.command.stopped},
        )


def _in_the_later_book(table: PokerTable, round_: RoundState, street: Street) -> str:
    """What v8 would do, as information for a House whose book says nothing of it."""
    if says := later_book_on(table, round_, street):
        return says
    if acts_since(round_, street, 0):
        return "the cards stand, since somebody has acted (5.10)"
    if len(street_of(round_, street)) > CARDS_DUE[street]:
        return "there are too many cards too, and one of them becomes the burn (5.12.3 to 5.12.5)"
    if street == "flop":
        return "one of the cards is picked to be the burn, another is dealt (5.10.1)"
    return "the card becomes the burn, another is dealt (5.10.2, 5.10.3)"


def _was_burnt(table: PokerTable, round_: RoundState, street: Street | None) -> None:
    """A-70: where a card was set aside to be the burn, that is the Burnt Card, and none is missing
    though the dealer has burnt none."""
    if street is None or not street_of(round_, street):
        raise BadCommand("no such street has been dealt")
    burnt = [burnt for burnt in round_.burns if burnt.street == street]
    if not any(each.set_aside for each in burnt):
        raise BadCommand(f"a card was burnt before the {street}")
    card = burnt[0].card
    note(
        table,
        f"no card was burnt before the {street} but the one set aside",
        f"{card.pretty if card.is_known else 'It'} is the burn: the {street} stands.",
        table.paragraphs(_set_aside_by(round_, street), TOPIC[street])
        or table.paragraphs(Topic.BURNT_CARD),
    )


def _set_aside_by(round_: RoundState, street: Street) -> Topic:
    """What made a card the burn before this street: exposed in the deal, or the one too many of the
    street before, which had been dealt with a burn or without."""
    if street == "flop":
        return Topic.ONE_CARD_EXPOSED
    before: Street = "flop" if street == "turn" else "turn"
    return SURPLUS[before, f"no burn before the {before}" not in round_.deviations]


@missing_burn.answered(ANNOUNCE)
def announced(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    """Turn and river need no test: the single card is the burn."""
    take_back_stopped(table, asked.about["stopped"])
    scramble(table, Scramble(street=asked.about["street"], burn=1), 0, asked.cites)


@missing_burn.answered(RECONSTRUCTIBLE)
def in_order_or_scrambled(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    """In order, the first card off was the burn and the next ones move up; else all are scrambled
    and one is picked."""
    take_back_stopped(table, asked.about["stopped"])
    round_ = table.current_round()
    plan = Scramble(street="flop", burn=1, board=len(round_.flop) - 1)
    if taken.option == "yes":
        cites = table.paragraphs(Topic.MISSING_BURN, Topic.RECONSTRUCTION)
        put_back_later(table, "flop", cites)
        scramble(table, plan, 0, cites)
    else:
        scramble(table, plan, 1, table.paragraphs(Topic.MISSING_BURN_FLOP))
