"""A player with the wrong number of cards: v8 5.6 (A-27 to A-30), v5 5.1.4 (P-19).

The order of testing in v8: the button that is short of cards (5.6.4); before Substantial Action, a
player who has not acted (5.3.4, 5.3.5); otherwise a dead hand, with or without his Blinds (5.6.1,
5.6.2); and the sole claimant at the end (5.6.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.poker.figures import DECK_CARDS, HOLE_CARDS
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import ReportWrongCount
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import MissingCardsDealt
from croupier.poker.irregularities.memory import substantial_action, to_be_looked_at_again
from croupier.poker.irregularities.misdeal import judge_wrong_deal
from croupier.poker.irregularities.reporting import (
    any_card_exposed,
    board_was_seen,
    note,
    propose_misdeal,
    propose_void,
    under_way,
)
from croupier.poker.remedies import dead_hand, return_blinds
from croupier.poker.state import RoundPlayer, RoundState
from croupier.rulebooks import Topic, Ways
from croupier.table import ActorRank, BadCommand, Choice, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

wrong_count = Room("wrong count")

DEAL_MISSING = "deal the missing card"


@wrong_count.decides(ReportWrongCount)
def counted(table: PokerTable, order: Order[ReportWrongCount]) -> None:
    command = order.command
    round_ = under_way(table, order, Topic.WRONG_COUNT)
    if not table.cards_are_out():
        table.refuse(Topic.WRONG_COUNT, "The Hole Cards have not been dealt.")
    if command.seat not in round_.players:
        raise BadCommand(f"seat {command.seat} has no hand in the round")
    rule_on_count(table, round_, command)


def rule_on_count(table: PokerTable, round_: RoundState, command: ReportWrongCount) -> None:
    """Rule on a player's wrong number of cards; it is an error if the number is right."""
    count = _count(table, round_, command.seat, command.count)
    reason = f"seat {command.seat} has {count} card{'' if count == 1 else 's'}"
    table.by_book[WRONG_NUMBER](table, round_, command, count, reason)


def _void_once_seen(
    table: PokerTable, round_: RoundState, command: ReportWrongCount, count: int, reason: str
) -> None:
    """v5 5.1.4 asks what was dealt, not whether the hand is still held (P-19); and whether any card
    was seen, also one that the dealer exposed, or a Community Card."""
    any_seen = any_card_exposed(round_) or board_was_seen(table, round_)
    seen = True if any_seen else command.seen
    judge_wrong_deal(table, round_, reason, seen, "wrong count")


def _misdeal_or_dead_hand(
    table: PokerTable, round_: RoundState, command: ReportWrongCount, count: int, reason: str
) -> None:
    player = round_.players[command.seat]
    if not player.active and not round_.has_acted(command.seat):
        raise BadCommand(f"seat {command.seat} has no hand in the round")
    about = {"seen": command.seen, "stopped": command.stopped, "reason": reason}
    if player.active and _sole_claimant(table, round_, command.seat):
        propose_void(
            table,
            f"{reason} and nobody else is left",
            table.paragraphs(Topic.WRONG_COUNT_LAST_PLAYER),
        )
    elif command.seat == round_.button and count < table.by_book[HOLE_CARDS]:
        _button_short(table, round_, player, count, about)
    else:
        _ordinary(table, round_, command.seat, about)


WRONG_NUMBER = Ways(
    "wrong-number-of-cards",
    {"misdeal-or-dead-hand": _misdeal_or_dead_hand, "void-once-seen": _void_once_seen},
)


def held_by(table: PokerTable, round_: RoundState, seat: int) -> int:
    """How many cards a player has or had, as far as the table knows."""
    player = round_.players[seat]
    if player.active:
        return len(player.cards)
    if not round_.dealt:
        return table.by_book[HOLE_CARDS]
    # His cards lie among the discards; a wrong deal was recorded card by card.
    return sum(to == seat for to, _ in round_.dealt)


def _count(table: PokerTable, round_: RoundState, seat: int, said: int | None) -> int:
    held = held_by(table, round_, seat)
    if table.state.settings.shoe == "virtual":
        if said is not None and said != held:
            raise BadCommand(f"the House knows these cards: seat {seat} has {held}, not {said}")
        said = held
    elif said is None:
        raise BadCommand(f"say how many cards seat {seat} has")
    if said > table.by_book[DECK_CARDS]:
        raise BadCommand(f"{said} cards are more than the deck has")
    if said == table.by_book[HOLE_CARDS]:
        raise BadCommand(f"{said} cards are the right number")
    return said


def _sole_claimant(table: PokerTable, round_: RoundState, seat: int) -> bool:
    """A-30: all others have folded, mucked or been found dead, and the Pot is not yet paid."""
    if table.state.phase != "settling":
        return table.alone(round_) == seat and table.state.phase != "betting"
    others = [
        other
        for other, player in round_.players.items()
        if other != seat and player.active and not player.mucked
    ]
    return not others or all(
        len(round_.players[other].cards) != table.by_book[HOLE_CARDS] for other in others
    )


# -- the button (5.6.4, A-28) ------------------------------------------------------------------


def _button_short(
    table: PokerTable, round_: RoundState, player: RoundPlayer, count: int, about: dict[str, Any]
) -> None:
    seat = round_.button
    topic = Topic.WRONG_COUNT_BUTTON_SHORT
    if not player.active:
        _ordinary(table, round_, seat, about)  # a Fold is none of the Actions of 5.6.4
        return
    if acted_in_time(round_, seat, about["stopped"]):
        dead_hand(table, seat, about["reason"], table.paragraphs(topic))
        return
    in_first_round = table.state.phase == "betting" and round_.betting.number == 1
    if not in_first_round or round_.flop_exposed:
        _ordinary(table, round_, seat, about)
        return
    missing = table.by_book[HOLE_CARDS] - count
    table.ask(
        DEAL_MISSING,
        f"The button has {count} card{'' if count == 1 else 's'} and has not acted. "
        f"{'Is the missing card' if missing == 1 else 'Are the missing cards'} dealt from the "
        "shoe?",
        (
            Choice(name="deal", says=f"The button gets {missing} from the shoe."),
            Choice(name="refuse", says="It is refused; the refusal is recorded."),
        ),
        ActorRank.PIT_SUPERVISOR,
        table.paragraphs(topic),
        about={**about, "seat": seat, "missing": missing},
    )


@wrong_count.answered(DEAL_MISSING)
def missing_or_refused(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    round_ = table.current_round()
    about = dict(asked.about)
    seat = about["seat"]
    if taken.option == "refuse":
        note(table, about["reason"], "The missing card is refused.", asked.cites)
        _ordinary(table, round_, seat, about)
        return
    shoe = table.state.shoe
    assert shoe is not None
    # A real deal that was not recorded card by card has both cards at the button already: what the
    # shoe has given by now is right, and nothing more comes from it.
    lacking = table.by_book[HOLE_CARDS] - len(round_.players[seat].cards)
    cards = tuple(shoe.order[: max(0, lacking)])
    table.emit(MissingCardsDealt(seat=seat, cards=cards, cites=asked.cites))


@in_round(wrong_count, MissingCardsDealt)
def missing_cards_dealt(table: PokerTable, round_: RoundState, event: MissingCardsDealt) -> None:
    table.take(event.cards)
    player = round_.players[event.seat]
    player.cards += event.cards
    if round_.dealt:
        round_.dealt += [(event.seat, card) for card in event.cards]
    to_be_looked_at_again(table, event.seat)
    _was_put_right(table, round_)


def _was_put_right(table: PokerTable, round_: RoundState) -> None:
    """The deal is as it should be if everybody has his two cards again."""
    right = table.by_book[HOLE_CARDS]
    if not round_.stray and all(
        len(player.cards) == right for player in round_.players.values() if player.active
    ):
        round_.deviations = [d for d in round_.deviations if d != "hole cards dealt wrongly"]
        round_.dealt, round_.dealt_exposed = [], []


# -- anybody else ------------------------------------------------------------------------------


def _ordinary(table: PokerTable, round_: RoundState, seat: int, about: dict[str, Any]) -> None:
    reason = about["reason"]
    limb = substantial_action(table, about["stopped"])
    if acted_in_time(round_, seat, about["stopped"]):
        if not limb and table.state.policies["wrong-count-after-action"] == "misdeal":
            cites = table.paragraphs(
                Topic.WRONG_DEAL_CARDS_SEEN, Topic.WRONG_DEAL_NOT_RECONSTRUCTIBLE
            )
            propose_misdeal(table, f"{reason} and there was no Substantial Action", cites)
            return
        cites = table.paragraphs(Topic.WRONG_COUNT_ACTED)
        if round_.players[seat].active:
            dead_hand(table, seat, reason, cites)
        else:
            note(table, reason, "The hand is given up; what it put in stays in the Pot.", cites)
    elif limb and round_.has_acted(seat):
        ask_ruling(table, f"{reason}, and an Action of this seat was stopped")
    elif limb:
        topic = Topic.WRONG_COUNT_NOT_ACTED
        cites = tuple(dict.fromkeys((*table.paragraphs(topic), *limb)))
        return_blinds(table, seat, "the Blinds of that seat go back", cites)
        dead_hand(table, seat, reason, cites)
    else:
        judge_wrong_deal(table, round_, reason, about["seen"], "wrong count", about["stopped"])


def acted_in_time(round_: RoundState, seat: int, stopped: int) -> bool:
    """Whether he acted before it was discovered: what somebody tried to stop came after (1.48)."""
    early = [act for act in round_.acts if act.early]  # a Fold out of turn: the hand is given up
    return any(act.seat == seat for act in (*round_.actions(stopped=stopped), *early))
