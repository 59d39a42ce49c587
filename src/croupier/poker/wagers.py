"""What a player was seen to do, reported by the dealer and read as the book reads it.

v8 1.5, 3.5 to 3.6.1, 3.20 and 5.13; in v5 only chips, cards and taps over the line count (P-24).
The Action that comes out is decided by the Betting Round like any other; change goes back, and what
is still owed is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec
from msgspec import structs

from croupier.poker.betting import least_bet, least_raise, why_no_raise
from croupier.poker.final_round import BETWEEN
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import ChipsForfeited, WagerRead
from croupier.poker.irregularities.memory import irregular_of
from croupier.poker.irregularities.skipped import pass_over
from croupier.poker.irregularities.state import ReadWager
from croupier.poker.irregularities.turns import betting_before, bind, do, hold_early_act
from croupier.poker.remedies import dead_hand
from croupier.poker.state import Betting, RoundState
from croupier.poker.wager_exact import read_exact_total
from croupier.poker.wager_reading import Manner, read_words_and_chips
from croupier.poker.wager_seen import (
    Chip,
    Gesture,
    ReadAction,
    Reading,
    Seen,
    Situation,
    Words,
)
from croupier.poker.wager_seen import Order as Sequence
from croupier.rulebooks import Topic, Ways, share_of
from croupier.table import (
    ActorRank,
    BadCommand,
    Choice,
    Command,
    DecisionNeeded,
    DecisionTaken,
    Money,
    Order,
    Room,
    Seat,
)
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

wagers = Room("wagers")

CONFIRM_READING = "confirm reading"
BELOW_MINIMUM = "raise below the minimum"


class ReportWager(Command, frozen=True, kw_only=True):
    """The dealer reports what a player was seen to do: words, chips, which came first.

    A seat whose turn it is not has acted out of turn: that is held (v8 5.13). With `unnoticed`
    nobody says so, play goes on from him, and those before him are passed over (v8 5.14).
    """

    usually_by: ClassVar[ActorRank] = ActorRank.DEALER
    players_may: ClassVar[bool] = False

    seat: Seat
    words: Words = ""
    figure: Money | None = None
    """The amount that he named: a total, unless `more`."""
    more: bool = False
    """Whether the figure clearly came on top: `raise by 50`, `50 more`."""
    gesture: Gesture = ""
    chips: tuple[Chip, ...] = ()
    """The chips of his first motion, each by its denomination."""
    later: tuple[Chip, ...] = ()
    """Chips that followed in further motions."""
    first: Sequence = "words"
    """Which came first, where there were both."""
    clear: bool = True
    """Whether the words were clear and reasonable."""
    then_folds: bool = False
    """Whether he folded on the same turn after that."""
    unnoticed: bool = False


# -- reading -----------------------------------------------------------------------------------


def situation_of(
    table: PokerTable, round_: RoundState, seat: int, betting: Betting | None = None
) -> Situation:
    """What a player faces now, has in front of him and has left."""
    betting, player = betting or round_.betting, round_.players[seat]
    bar = why_no_raise(table, betting, player)
    return Situation(
        price=betting.price if betting.opened else 0,
        full=betting.full,
        minimum=betting.minimum,
        bet=player.bet,
        stake=table.state.seats[seat].stake,
        big_blind=table.state.settings.big_blind,
        raise_to=least_raise(table, betting),
        may_raise=not bar,
        bar=bar,
        bound=round_.betting.bound.get(seat),
    )


def read_wager(
    table: PokerTable, round_: RoundState, seat: int, seen: Seen, betting: Betting | None = None
) -> Reading:
    """What this book makes of what was seen."""
    situation = situation_of(table, round_, seat, betting)
    return table.by_book[WAGER_READING](table, situation, seen)


def _exact_total(table: PokerTable, situation: Situation, seen: Seen) -> Reading:
    return read_exact_total(situation, seen, least_bet(table))


def _words_and_chips(table: PokerTable, situation: Situation, seen: Seen) -> Reading:
    manner = Manner(
        share=table.by_book[SILENT_RAISE_SHARE],
        chip_is_total=table.state.policies["declared-oversize-chip"] == "total",
    )
    return read_words_and_chips(situation, seen, manner)


WAGER_READING = Ways(
    "wager-reading", {"words-and-chips": _words_and_chips, "exact-total": _exact_total}
)
SILENT_RAISE_SHARE = share_of("silent-raise-share")


# -- the report --------------------------------------------------------------------------------


@wagers.decides(ReportWager)
def report_wager(table: PokerTable, order: Order[ReportWager]) -> None:
    command = order.command
    table.dealer_only(order, "reports what a player did", Topic.BETTING_ROUND)
    round_ = table.open_round(Topic.BETTING_ROUND)
    phase = table.state.phase
    if phase != "betting" and not (phase in BETWEEN and _throws_away(command)):
        table.refuse(Topic.BETTING_ROUND, "No Betting Round is open.")
    seat = command.seat
    player = round_.players.get(seat)
    if player is None:
        raise BadCommand(f"seat {seat} is not in the round")
    if not player.active:
        says = f"Seat {seat}'s hand is out of the round."
        table.refuse_with((Topic.FOLD, Topic.DEAD_HAND), says)
    seen = _seen(table, command)
    if phase != "betting":
        _between_betting_rounds(table, round_, command, seen)
        return
    to_act = round_.betting.to_act
    early = to_act[0] != seat
    if early and seat not in to_act and not _gives_up(table, round_, command, seen):
        table.refuse_with(
            (Topic.OUT_OF_TURN, Topic.BETTING_ROUND),
            f"Seat {seat} has no turn to come in this round.",
        )
    if early and _is_held(table, round_, command) and not _folds(table, round_, command, seen):
        table.refuse(Topic.OUT_OF_TURN, f"What seat {seat} did out of turn is held already.")
    if early and not table.book.has(Topic.OUT_OF_TURN):
        reading = read_wager(table, round_, seat, seen)
        if reading.action == "ask again" and not seen.chips:
            # Words without chips are nothing that he has done, on his turn or before it (P-24).
            _emit_reading(table, seat, reading, _cites(table, reading))
            return
        _ask_about_early_act(table, seat, folds=reading.action == "fold")
        return
    if command.unnoticed and not early:
        raise BadCommand(f"it is the turn of seat {seat}; nobody was passed over")
    if command.unnoticed:
        _check_acts(table, read_wager(table, round_, seat, seen))
        pass_over(table, round_, seat)
        early = False
    if early:
        betting, _ = betting_before(table, round_, seat)
        _out_of_turn(table, round_, seat, read_wager(table, round_, seat, seen, betting))
        return
    reading = read_wager(table, round_, seat, seen)
    if reading.unruled:
        ask_ruling(
            table,
            f"seat {seat} {reading.unruled}",
            later_book="the chips stay in the Pot (3.5.4)",
        )
    elif reading.below_minimum:
        _ask_about_small_raise(table, seat, reading)
    elif reading.confirm and not command.unnoticed:
        _ask_to_confirm(table, seat, seen, reading)
    else:
        carry_out(table, seat, reading)


def _throws_away(command: ReportWager) -> bool:
    """Whether he gave his hand up, and did nothing else."""
    gives_up = command.then_folds or command.words == "fold" or command.gesture == "cards forward"
    return gives_up and not command.chips


def _between_betting_rounds(
    table: PokerTable, round_: RoundState, command: ReportWager, seen: Seen
) -> None:
    """1.21: whoever gives his hand up is bound to it, also before the Betting Round in which his
    next turn would come; everything else has to wait for that round."""
    seat = command.seat
    goes_on = round_.final_round is None and table.somebody_can_bet(round_)
    if not (goes_on and _gives_up(table, round_, command, seen)):
        table.refuse(Topic.BETTING_ROUND, "No Betting Round is open.")
    if not table.book.has(Topic.OUT_OF_TURN):
        _ask_about_early_act(table, seat, folds=True)
        return
    cites = table.paragraphs(Topic.OUT_OF_TURN_FOLD, Topic.FOLD)
    dead_hand(table, seat, "it was given up before the next Betting Round", cites)


def _ask_about_early_act(table: PokerTable, seat: int, *, folds: bool) -> None:
    later_book = "it binds if those before it do not change the price (5.13)"
    if folds:
        later_book = "a Fold out of turn binds (5.13.4)"
    ask_ruling(table, f"seat {seat} acted before its turn", later_book=later_book)


def _seen(table: PokerTable, command: ReportWager) -> Seen:
    """What was seen, if it can be true: chips of this table that he has."""
    settings = table.state.settings
    table.check_in_play(*command.chips, *command.later)
    stake = table.state.seats[command.seat].stake
    placed = sum(command.chips) + sum(command.later)
    if placed > stake:
        raise BadCommand(
            f"seat {command.seat} cannot have placed {write_money(placed)}; it has "
            f"{write_money(stake)} left"
        )
    if command.later and not command.chips:
        raise BadCommand("a later motion follows a first one")
    if command.figure is not None:
        if command.words not in ("", "bet", "raise"):
            raise BadCommand(f"{command.words!r} names no amount")
        if command.figure <= 0 or command.figure % settings.smallest_chip:
            smallest = write_money(settings.smallest_chip)
            raise BadCommand(
                f"{write_money(command.figure)} cannot be made with chips of {smallest}"
            )
    return Seen(
        words=command.words,
        figure=command.figure,
        more=command.more,
        gesture=command.gesture,
        chips=command.chips,
        later=command.later,
        first=command.first,
        clear=command.clear,
        then_folds=command.then_folds,
    )


def _check_acts(table: PokerTable, reading: Reading) -> None:
    """Nobody is passed over by what binds nobody."""
    if reading.action == "ask again" or reading.below_minimum:
        raise BadCommand(f"this is no Action that play could have gone on from: {reading.says}")


def _is_held(table: PokerTable, round_: RoundState, command: ReportWager) -> bool:
    """Whether what he did out of turn is held, and he has nothing more to say about it: how much he
    raises he may say as long as the price is the same."""
    seat = command.seat
    act = round_.irregular.held.get(seat) if round_.irregular is not None else None
    if act is None or command.unnoticed:
        return act is not None
    betting, _ = betting_before(table, round_, seat)
    return seat not in betting.bound or act.price != betting.price or act.undermined


def _folds(table: PokerTable, round_: RoundState, command: ReportWager, seen: Seen) -> bool:
    """Whether he folds out of turn: that binds, whatever is held of him (5.13.4)."""
    if command.unnoticed:
        return False
    betting, _ = betting_before(table, round_, command.seat)
    reading = read_wager(table, round_, command.seat, seen, betting)
    return reading.action == "fold" or reading.folds


def _gives_up(table: PokerTable, round_: RoundState, command: ReportWager, seen: Seen) -> bool:
    """Whether somebody who has answered all that was bet throws his cards away while others have
    yet to: it is before his next turn, should there be one (5.13.4)."""
    if command.unnoticed or round_.players[command.seat].all_in:
        return False
    return read_wager(table, round_, command.seat, seen).action == "fold"


def _out_of_turn(table: PokerTable, round_: RoundState, seat: int, reading: Reading) -> None:
    policies = table.state.policies
    if reading.impossible_check and policies.get("impossible-early-check") != "ignored":
        # by the letter he has checked out of turn, and that costs the Raise.
        says = f"{reading.says} It costs the right to raise when the turn comes."
        reading = structs.replace(reading, action="check", says=says)
    bound = reading.binds
    if bound is not None and seat not in round_.betting.bound:
        # Held at its least; how much is asked when the turn comes.
        betting, _ = betting_before(table, round_, seat)
        action, to = situation_of(table, round_, seat, betting).least_of(bound)
        hold_early_act(table, round_, seat, action, to, reading.says)
        bind(table, seat, bound, early=True)
        return
    if reading.action == "ask again":
        cites = _cites(table, reading)
        if reading.impossible_check:
            cites = tuple(dict.fromkeys((*table.paragraphs(Topic.OUT_OF_TURN_CHECK), *cites)))
        _emit_reading(table, seat, reading, cites)
        return
    if reading.folds:
        reading = structs.replace(reading, action="fold")
    hold_early_act(table, round_, seat, reading.action, reading.to, reading.says)


def carry_out(table: PokerTable, seat: int, reading: Reading) -> None:
    """Say how it is read, then let the Betting Round decide it."""
    _emit_reading(table, seat, reading, _cites(table, reading))
    round_ = table.current_round()
    if reading.action == "ask again":
        if reading.binds is not None and seat not in round_.betting.bound:
            bind(table, seat, reading.binds)
        return
    cites = table.paragraphs(Topic.FOLD_AFTER_CHIPS, Topic.FOLD)
    stays = reading.to - round_.players[seat].bet
    if reading.action == "fold" and stays:
        table.emit(ChipsForfeited(seat=seat, amount=stays, cites=cites))
    do(table, seat, reading.action, reading.to)
    if reading.folds and reading.action != "fold" and table.playing():
        # 3.5.4: the wager stands for the others, only the hand is dead.
        dead_hand(table, seat, "folded on the turn on which the bet was made", cites)


def _emit_reading(table: PokerTable, seat: int, reading: Reading, cites: tuple[str, ...]) -> None:
    table.emit(
        WagerRead(
            seat=seat,
            action=reading.action,
            to=reading.to,
            back=reading.back,
            owed=reading.owed,
            why=reading.says,
            cites=cites,
        )
    )


def _cites(table: PokerTable, reading: Reading) -> tuple[str, ...]:
    topics = tuple(Topic(topic) for topic in reading.topics)
    return tuple(dict.fromkeys((*reading.bar, *table.paragraphs(*topics))))


@wagers.applies(WagerRead)
def wager_read(table: PokerTable, event: WagerRead) -> None:
    irregular_of(table).reading = ReadWager(
        seat=event.seat,
        action=event.action,
        to=event.to,
        back=event.back,
        owed=event.owed,
        why=event.why,
    )


@in_round(wagers, ChipsForfeited)
def chips_forfeited(table: PokerTable, round_: RoundState, event: ChipsForfeited) -> None:
    player = round_.players[event.seat]
    table.state.seats[event.seat].stake -= event.amount
    player.bet += event.amount
    player.total += event.amount
    player.wagered = True
    round_.betting.left_in = event.seat


# -- what staff confirm or choose --------------------------------------------------------------


def _ask_to_confirm(table: PokerTable, seat: int, seen: Seen, reading: Reading) -> None:
    """A-17, A-18: a bare figure, and a Fold after chips, are confirmed before they count."""
    table.ask(
        CONFIRM_READING,
        f"Seat {seat}: {reading.says}",
        (
            Choice(name="confirm"),
            Choice(name="ask again", says="The player is asked what was meant."),
        ),
        ActorRank.DEALER,
        _cites(table, reading),
        about={"seat": seat, "seen": msgspec.json.decode(msgspec.json.encode(seen))},
    )


@wagers.answered(CONFIRM_READING)
def reading_confirmed(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    round_ = table.current_round()
    seat = asked.about["seat"]
    if taken.option == "ask again":
        bet = round_.players[seat].bet
        again = Reading(action="ask again", to=bet, says="The player is asked again.")
        _emit_reading(table, seat, again, asked.cites)
        return
    seen = msgspec.convert(asked.about["seen"], Seen)
    reading = read_wager(table, round_, seat, seen)
    carry_out(table, seat, reading)


def _ask_about_small_raise(table: PokerTable, seat: int, reading: Reading) -> None:
    """P-25: it is rejected; staff choose a Call with change, the default, or a whole raise."""
    table.ask(
        BELOW_MINIMUM,
        f"Seat {seat}: {reading.says} A Call with change, or a whole raise?",
        (
            Choice(name="call", says="A Call, and the rest goes back."),
            Choice(name="complete", says="Chips are added up to the least raise."),
        ),
        table.state.settings.house_rank,
        table.paragraphs(Topic.MINIMUM_RAISE),
        about={"seat": seat, "placed": reading.back},
    )


@wagers.answered(BELOW_MINIMUM)
def small_raise_chosen(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    round_ = table.current_round()
    seat, placed = asked.about["seat"], asked.about["placed"]
    situation = situation_of(table, round_, seat)
    # Whoever has been barred while it was asked is held to the Call, as always.
    raises = taken.option == "complete" and situation.may_raise
    to = min(situation.raise_to, situation.all) if raises else situation.price
    puts_in = to - situation.bet
    whole = to == situation.all
    calls: ReadAction = "call" if situation.owed > 0 else "check"
    reading = Reading(
        action="all in" if whole else "raise" if raises else calls,
        to=to,
        back=max(0, placed - puts_in),
        owed=max(0, puts_in - placed),
        topics=(Topic.MINIMUM_RAISE,),
        bar=() if raises or taken.option == "call" else situation.bar,
        says="Staff rule a whole raise." if raises else "Staff rule a Call.",
    )
    carry_out(table, seat, reading)
