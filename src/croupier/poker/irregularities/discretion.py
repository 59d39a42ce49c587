"""What the book does not provide for: v8 5.16, v5 by a decision of the House.

v8 leaves it to the Table Game Shift Manager or above; v5 has no such clause (P-21).

The table freezes and offers what it can carry out. Every ruling has a reason and a decider. It can
be undone while play stands as the ruling left it, and then the question is asked again; the log
keeps both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.blinds import offer_straddle
from croupier.poker.calling import ask_about_three_missed
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import ReportIrregularity, UndoRuling
from croupier.poker.irregularities.events import (
    ActionTakenBack,
    CardExchanged,
    CardTakenAway,
    ChipsMoved,
    HandsDownAgain,
    RulingCarriedOut,
    RulingMade,
    RulingUndone,
    TurnGiven,
)
from croupier.poker.irregularities.memory import (
    exchange_dealt,
    exchange_early,
    irregular_of,
    keep,
    take_back,
    to_be_looked_at_again,
)
from croupier.poker.irregularities.ordered import REMEDIES
from croupier.poker.irregularities.state import RuledOn
from croupier.poker.irregularities.taking_back import take_actions_back
from croupier.poker.irregularities.turns import given_back
from croupier.poker.irregularities.undoing import contradiction, undo
from croupier.poker.positions import can_play
from croupier.poker.remedies import hands_down_again, street_of
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic, Ways
from croupier.table import (
    ActorRank,
    BadCommand,
    Decide,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
)

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

discretion = Room("discretion")

RULING = "ruling"


def _shift_manager(table: PokerTable) -> ActorRank:
    return ActorRank.SHIFT_MANAGER


def _the_house(table: PokerTable) -> ActorRank:
    return table.state.settings.house_rank


WHO_RULES = Ways("uncovered-case", {"shift-manager": _shift_manager, "house-decision": _the_house})


def rank_of_rulings(table: PokerTable) -> ActorRank:
    """Who rules: the Shift Manager where the book says so, else whoever speaks for the House."""
    return table.by_book[WHO_RULES](table)


def cites_of_rulings(table: PokerTable, kind: str = "uncovered") -> tuple[str, ...]:
    """The clause that leaves it to somebody; in v5 the paragraph that does not speak of it."""
    topic = Topic.DISCRETION_UNCOVERED
    if kind == "interpretation":
        topic = Topic.DISCRETION_INTERPRETATION
    return table.paragraphs(topic) or table.book.procedures[WHO_RULES.name].paragraphs


def ask_ruling(
    table: PokerTable,
    what: str,
    *,
    kind: str = "uncovered",
    later_book: str = "",
    first: str = "",
    case: str = "",
    seen: bool = False,
) -> None:
    """Freeze the table and ask for a ruling. `later_book` is what the later book says, as
    information; `first` is the option that stands first because it is the default; `case` is an
    occasion that is known by name (`asked`); `seen` says that Hole Cards were seen, which they were
    whatever is ruled."""
    options = REMEDIES.offered(table, first=first)
    known = f" Version 8 of the rules says: {later_book}." if later_book else ""
    what = what[:1].upper() + what[1:]
    open_ = "The rules do not provide for it; how is it resolved?"
    if kind == "interpretation":
        open_ = "How is the rule to be read?"
    table.ask(
        RULING,
        f"{what}. {open_}{known}",
        options,
        rank_of_rulings(table),
        cites_of_rulings(table, kind),
        about={"what": what, "kind": kind}
        | ({"case": case} if case else {})
        | ({"seen": True} if seen else {}),
    )


@discretion.decides(ReportIrregularity)
def report_irregularity(table: PokerTable, order: Order[ReportIrregularity]) -> None:
    topic = Topic.DISCRETION if table.book.has(Topic.DISCRETION) else Topic.VOID
    table.dealer_only(order, "reports this; tell the dealer", topic)
    ask_ruling(table, order.command.says.rstrip("."), kind=order.command.kind)


@discretion.checked(RULING)
def can_be_carried_out(table: PokerTable, asked: DecisionNeeded, answer: Decide) -> None:
    """Refuse an answer that names a seat, card, amount or policy that is not there."""
    if not answer.reason.strip():
        raise BadCommand("a ruling needs its reason")
    REMEDIES.check(table, answer.option, answer.details)


@discretion.answered(RULING)
def ruled(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    cites = asked.cites
    table.emit(
        RulingMade(
            ruling=taken.option,
            details=taken.details,
            reason=taken.reason,
            who=taken.who,
            rank=taken.rank,
            on=RuledOn(says=asked.says, about=asked.about, first=asked.options[0].name),
            cites=cites,
        )
    )
    what = asked.about["what"]
    REMEDIES.carry_out(table, taken.option, taken.details, what=what, cites=cites)
    table.follow()  # what follows by itself goes back with the ruling
    table.emit(RulingCarriedOut(cites=cites))


# -- carrying it out ---------------------------------------------------------------------------


@discretion.applies(RulingMade)
def ruling_made(table: PokerTable, event: RulingMade) -> None:
    if table.state.round is None:
        return
    irregular = irregular_of(table)
    if event.on is not None and event.on.about.get("seen"):
        irregular.seen = True
    # Undone, it leaves the last Action to be taken back by another ruling, as it was before.
    irregular.before_ruling = keep(table, last_action=True)
    irregular.ruled_by = event.rank.value
    irregular.ruled_on = event.on
    irregular.rulings.append(event.ruling)
    irregular.deck_taken_up = False
    for skip in irregular.skips:
        skip.undone, skip.ruled_at = [], len(skip.since)


@discretion.applies(RulingCarriedOut)
def ruling_carried_out(table: PokerTable, event: RulingCarriedOut) -> None:
    round_ = table.state.round
    if round_ is None:
        return
    irregular = irregular_of(table)
    if irregular.before_ruling:
        # A Misdeal begins the round anew: it has left nothing behind to go back to.
        irregular.after_ruling = keep(table)


@in_round(discretion, TurnGiven)
def turn_given(table: PokerTable, round_: RoundState, event: TurnGiven) -> None:
    betting = round_.betting
    for seat in (event.seat, *betting.to_act[:1]):
        betting.bound.pop(seat, None)  # a word binds for the turn on which it was said
    others = [seat for seat in betting.to_act if seat != event.seat]
    betting.to_act = [event.seat, *others]


@discretion.applies(ActionTakenBack)
def action_taken_back(table: PokerTable, event: ActionTakenBack) -> None:
    ruled = irregular_of(table)
    if event.alone:
        given = given_back(table, table.current_round())
        take_actions_back(table, ruled.before)
        betting = table.current_round().betting
        betting.bound.pop(event.seat, None)
        # Whoever has been given back a turn since has it still (5.4).
        betting.to_act = [*given, *(seat for seat in betting.to_act if seat not in given)]
        return
    irregular = take_back(table, ruled.before)  # as releases before this one meant it
    table.current_round().betting.bound.pop(event.seat, None)
    irregular.before_ruling = ruled.before_ruling
    irregular.ruled_by, irregular.ruled_on = ruled.ruled_by, ruled.ruled_on


@in_round(discretion, CardExchanged)
def card_exchanged(table: PokerTable, round_: RoundState, event: CardExchanged) -> None:
    table.take((event.new,))
    if event.seat is not None:
        player = round_.players[event.seat]
        cards = player.cards
        to_be_looked_at_again(table, event.seat)
        player.exposed = [card for card in player.exposed if card is not event.card]
        exchange_dealt(round_, event.card, event.new)
    else:
        assert event.street is not None
        cards = street_of(round_, event.street)
        if event.card in round_.down:
            round_.down[round_.down.index(event.card)] = event.new
        exchange_early(table, event.card, event.new)
    cards[cards.index(event.card)] = event.new
    round_.discards.append(event.card)
    table.cards_moved = True


@in_round(discretion, CardTakenAway)
def card_taken_away(table: PokerTable, round_: RoundState, event: CardTakenAway) -> None:
    street_of(round_, event.street).remove(event.card)
    if event.down:
        round_.down.remove(event.card)
    exchange_early(table, event.card, None)
    round_.discards.append(event.card)
    table.cards_moved = True


@in_round(discretion, HandsDownAgain)
def hands_go_down(table: PokerTable, round_: RoundState, event: HandsDownAgain) -> None:
    hands_down_again(round_)
    table.state.phase = "showdown"


@discretion.applies(ChipsMoved)
def chips_moved(table: PokerTable, event: ChipsMoved) -> None:
    seats = table.state.seats
    seats[event.giver].stake -= event.amount
    seats[event.taker].stake += event.amount
    offer_straddle(table)


# -- undoing it --------------------------------------------------------------------------------


@discretion.decides(UndoRuling)
def undo_ruling(table: PokerTable, order: Order[UndoRuling]) -> None:
    cites = cites_of_rulings(table)
    round_ = table.state.round
    irregular = round_.irregular if round_ is not None else None
    if irregular is None or not irregular.after_ruling:
        none = "There is no ruling by discretion that could be undone; what the book rules stands."
        table.refuse_paragraphs(cites, none)
    rank = ActorRank(irregular.ruled_by)
    if order.rank is ActorRank.HOUSE or not order.rank.is_at_least(rank):
        table.refuse_paragraphs(cites, f"This is for a {rank.title} or above to undo.")
    if since := contradiction(table, irregular):
        table.refuse_paragraphs(cites, f"{since} The ruling stands.")
    asked = irregular.ruled_on
    missed = {number: seat.misses for number, seat in table.state.seats.items()}
    table.emit(
        RulingUndone(reason=order.command.reason, who=order.who, rank=order.rank, cites=cites)
    )
    # Big Blinds that the ruling had taken for not missed, with the question about them.
    seats = table.state.seats
    again = [n for n, was in missed.items() if seats[n].misses > was and not can_play(seats[n])]
    ask_about_three_missed(table, again)
    if asked is not None:
        kind = asked.about.get("kind", "uncovered")
        table.ask(
            RULING,
            asked.says,
            REMEDIES.offered(table, first=asked.first),
            rank_of_rulings(table),
            cites_of_rulings(table, kind),
            about=asked.about,
        )


@discretion.applies(RulingUndone)
def ruling_undone(table: PokerTable, event: RulingUndone) -> None:
    undo(table)
    irregular = irregular_of(table)
    irregular.rulings.append("undone")
    for skip in irregular.skips:
        if skip.ruled_at is not None:
            del skip.since[skip.ruled_at - len(skip.undone) :]
        skip.since, skip.undone = [*skip.since, *skip.undone], []
