"""The call for Blinds, which begins the Round of play: who plays, from where, and who comes in.

v8 1.41, 3.8, 3.9, 5.7 to 5.9 (worked out in `positions`); v5 3.1 and 3.7. What must be asked first
is asked here; a timed charge that has fallen due is reported (v8 4.1.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import structs

from croupier.poker.commands import CallForBlinds
from croupier.poker.entries import SEATS_BY_THE_BOOK, Ask
from croupier.poker.events import (
    AbsenceRuled,
    BlindMissed,
    BlindsCalled,
    CallWithdrawn,
    EntryChosen,
    EntrySettled,
    SeatKept,
    TimedRakeDue,
)
from croupier.poker.final_round import SHOWDOWN_TRIGGER
from croupier.poker.in_round import in_round
from croupier.poker.opening import RAKE_BY_TIME
from croupier.poker.positions import Plan, in_rotation_again, left_for_the_button
from croupier.poker.seating import THREE_MISSED, drop_questions, leave_seat
from croupier.poker.settlement import button_goes
from croupier.poker.state import ButtonStood, RoundPlayer, RoundState
from croupier.rulebooks import Cites, Rulebook, Topic, number_of
from croupier.table import (
    ActorRank,
    Announced,
    Call,
    Choice,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
)

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

calling = Room("calling")

PLAYER = ActorRank.PLAYER
ON_THE_SMALL_BLIND = "join on the small blind"
WHO_POSTS = "who posts"
ABSENT = "absent at the blinds"
WAIT_FOR_HIM = "wait for him"


# -- the call ----------------------------------------------------------------------------------


@calling.decides(CallForBlinds)
def call_for_blinds(table: PokerTable, order: Order[CallForBlinds]) -> None:
    state = table.state
    if order.rank is PLAYER:
        table.only_the_dealer("calls for the Blinds", Topic.CALL_FOR_BLINDS)
    by_hand = not table.automatic
    if state.phase != "ready" and not (by_hand and state.phase in ("between rounds", "cutting")):
        says = "A Round of play is under way." if table.playing() else "The deck is not ready."
        table.refuse(Topic.CALL_FOR_BLINDS, says)
    if state.button is None:
        table.refuse(Topic.CALL_FOR_BLINDS, "Nobody has the button yet.")
    if not order.command.button_out and not (by_hand and table.book.has(Topic.LATE_BUTTON)):
        table.refuse(Topic.FIRST_BUTTON, "The button is put out before the Blinds are called.")
    superseded = check_in_force(table, order.when)
    call(table, order.when, button_out=order.command.button_out, superseded=superseded)


def check_in_force(table: PokerTable, when: datetime) -> bool:
    """Refuse a round before the book's time, or after it unless the table was opened knowingly.

    Return whether the book is superseded.
    """
    since, until = table.in_force
    if since and when.tzinfo and since <= when and (until is None or when < until):
        return False  # as nearly always, told without asking the book again
    settings = table.state.settings
    if not table.book.begun(when, stated=settings.effective):
        table.refuse_with(
            (Topic.APPROVAL, Topic.CALL_FOR_BLINDS), f"{table.book.short} is not yet in force."
        )
    superseded = table.book.superseded(when)
    if superseded and not settings.opened_knowingly:
        table.refuse_with(
            (Topic.APPROVAL, Topic.CALL_FOR_BLINDS),
            f"{table.book.short} has been superseded by {table.book.superseded_by}; "
            "a table under it must be opened knowingly.",
        )
    return superseded


OPENING_CALL = Cites(Topic.CALL_FOR_BLINDS)


class _OpeningAnnounced:
    """The call that opens a Round of play: the same words in every round."""

    def of(self, book: Rulebook) -> Announced:
        """As this book cites it."""
        says = "The Blinds are called for."
        return Announced(call=Call.OPENING, says=says, cites=OPENING_CALL.of(book))


OPENING_ANNOUNCED = _OpeningAnnounced()
_THE_CALL = (
    Topic.CALL_FOR_BLINDS,
    Topic.ROUND_OF_PLAY,
    Topic.BLIND,
    Topic.PLAYER,
    Topic.APPROVAL,
    Topic.MARKER_BETTING_ROUND,
)
"""What every call for Blinds rests on, after who posts them."""
CALLED = Cites(
    Topic.WHO_POSTS_THE_BLINDS,
    *_THE_CALL,
)
CALLED_HEADS_UP = Cites(
    Topic.HEADS_UP_BLINDS,
    *_THE_CALL,
)
CALLED_WITHOUT_SMALL_BLIND = Cites(
    Topic.ABSENT_SMALL_BLIND,
    Topic.WHO_POSTS_THE_BLINDS,
    *_THE_CALL,
)


def call(table: PokerTable, when: datetime, *, button_out: bool, superseded: bool) -> None:
    """Begin a Round of play as the seats stand, or first ask what must be asked."""
    state = table.state
    plan = table.plan()
    if plan is None:
        table.refuse(Topic.WHO_POSTS_THE_BLINDS, "A round needs at least two Players.")
    if isinstance(plan, Ask):
        _ask(table, plan, when, button_out=button_out, superseded=superseded)
        return
    if table.charges_by_time:
        _report_timed_rake(table, when)
    called = CALLED_HEADS_UP if len(plan.players) == 2 else CALLED
    if plan.small_blind is None and called is CALLED and plan.players[0] == plan.big_blind:
        # Somebody is away; whoever was brought to the Small Blind sits before the Big Blind.
        called = CALLED_WITHOUT_SMALL_BLIND
    table.emit(table.by_book[OPENING_ANNOUNCED])
    table.emit(
        BlindsCalled(
            round=state.rounds + 1,
            at=when,
            button=plan.button,
            small_blind=plan.small_blind,
            big_blind=plan.big_blind,
            players=plan.players,
            posts=plan.blinds,
            button_out=button_out,
            superseded=superseded,
            policies=state.policies,
            cites=table.by_book[called],
        )
    )
    if plan.entries or plan.missed:
        _come_in(table, plan)
        ask_about_three_missed(table, [m.seat for m in plan.missed if m.blind == "big"])


def _come_in(table: PokerTable, plan: Plan) -> None:
    """Say who missed a Blind and who comes in for what, each with his paragraph."""
    for missed in plan.missed:
        # A place that Blinds pass over is so by 5.9, whichever Blind it is.
        small = missed.blind == "small" and missed.due
        topic = Topic.ABSENT_SMALL_BLIND if small else Topic.ABSENT_BIG_BLIND
        table.emit(
            BlindMissed(
                seat=missed.seat,
                blind=missed.blind,
                marker=missed.blind == "big",
                here=table.state.seats[missed.seat].here,
                cites=table.paragraphs(topic, Topic.MISSED_BLINDS),
            )
        )
    for entry in plan.entries:
        table.emit(
            EntrySettled(
                seat=entry.seat,
                plays=entry.plays,
                live=entry.live,
                dead=entry.dead,
                button=plan.button,
                cites=table.paragraphs(entry.topic),
            )
        )


@calling.applies(BlindMissed)
def blind_missed(table: PokerTable, event: BlindMissed) -> None:
    """A-52: whoever misses the Big Blind leaves the rotation until he returns; whoever misses only
    the Small Blind stays in it, so that the button comes to his empty seat."""
    seat = table.state.seats[event.seat]
    seat.waits_at = None  # what he waited for (5.7.3.a) is not what he owes now
    if event.blind == "small":
        seat.missed_small = True
        return
    seat.missed_big = seat.missed_marker = True
    seat.rotates = False
    seat.misses += 1


@calling.applies(EntrySettled)
def entry_settled(table: PokerTable, event: EntrySettled) -> None:
    state = table.state
    seat = state.seats[event.seat]
    seat.decided = ""
    if not event.plays:
        seat.waits_at = event.button
        return
    seat.entry, seat.waits_at = "in", None
    seat.missed_small = seat.missed_big = seat.missed_marker = False
    seat.misses = seat.kept = 0
    round_ = table.current_round()
    if event.live or event.dead:
        round_.owes[event.seat] = round_.posts[event.seat] = (event.live, event.dead)


@calling.applies(BlindsCalled)
def blinds_called(table: PokerTable, event: BlindsCalled) -> None:
    state = table.state
    duties = {}
    players = {}
    for number in event.players:
        players[number] = RoundPlayer()
    for number, seat in state.seats.items():
        if number in players:
            if not seat.rotates or seat.missed_small or seat.misses:
                duties[number] = structs.replace(seat)
                seat.rotates = True
        else:
            duties[number] = structs.replace(seat)
            if not table.by_book[SEATS_BY_THE_BOOK] and seat.entry == "in":
                seat.misses += 1
    if not state.shuffled:
        table.gather_unshuffled()
    posts = {}
    for number, due in event.posts.items():
        posts[number] = (due, 0)
    state.round = RoundState(
        number=event.round,
        at=event.at,
        button=event.button,
        small_blind=event.small_blind,
        big_blind=event.big_blind,
        order=event.players,
        owes=posts.copy(),
        posts=posts,
        duties=duties,
        button_out=event.button_out,
        players=players,
        deviations=table.deck_deviations(),
    )
    state.rounds = event.round
    button = state.button
    if button is not None and (button != event.button or state.vacated):
        # With two Players left, or an empty seat, the button goes on with the call itself.
        state.round.stood = ButtonStood(button=button, orbit=state.orbit, vacated=state.vacated)
        if button != event.button:
            button_goes(state, button, event.button)
        left_for_the_button(state, event.button, event.big_blind, event.players)
    state.button = event.button
    state.absent_ruling = state.absent_big_ruling = ""
    state.phase = "blinds"
    if table.by_book[SHOWDOWN_TRIGGER].game_marker:
        state.marker = "BETTING ROUND"
    if state.timed_from is None:
        state.timed_from = event.at


def call_again(table: PokerTable) -> None:
    """Somebody went away between the call and the first Blind: withdraw the call, and call anew."""
    round_ = table.current_round()
    when, button_out = round_.at, round_.button_out
    table.emit(CallWithdrawn(cites=table.by_book[OPENING_CALL]))
    if table.plan() is not None:
        superseded = table.book.superseded(when)
        call(table, when, button_out=button_out, superseded=superseded)


@in_round(calling, CallWithdrawn)
def call_withdrawn(table: PokerTable, round_: RoundState, event: CallWithdrawn) -> None:
    """Everything is as before the call, but for who is at his seat and with how many chips."""
    state = table.state
    for number, before in round_.duties.items():
        now = state.seats.get(number)
        if now is not None and now.player == before.player:
            state.seats[number] = structs.replace(
                before,
                here=now.here,
                rotates=in_rotation_again(before, now),
                returns=now.returns,
                kept=now.kept,
                stake=now.stake,
                rake_due=now.rake_due,
                decided=before.decided if now.here else "",
            )
    if (stood := round_.stood) is not None:
        state.button, state.orbit = stood.button, stood.orbit
        since = [seat for seat in state.vacated if seat not in stood.vacated]
        state.vacated = stood.vacated + since
    not_so_many_missed(table)
    state.round = None
    state.rounds -= 1
    state.phase = "ready"


# -- questions before the call -----------------------------------------------------------------


def _ask(
    table: PokerTable, ask: Ask, when: datetime, *, button_out: bool, superseded: bool
) -> None:
    about = {
        "seat": ask.seat,
        "player": table.state.seats[ask.seat].player,
        "at": when.isoformat(),
        "button_out": button_out,
        "superseded": superseded,
    }
    match ask.question:
        case "join on the small blind":
            says = "Both Blinds now, or wait until the button has passed?"
            options: tuple[Choice, ...] = (
                Choice(
                    name="both blinds",
                    says="Pay both and play; the next button comes to this seat.",
                ),
                Choice(name="wait", says="Come in for a Big Blind when the button is past."),
            )
            cites = table.paragraphs(Topic.NEW_PLAYER_SMALL_BLIND)
            table.ask(ON_THE_SMALL_BLIND, says, options, ask.seat, cites, about=about)
        case "who posts":
            name = table.state.seats[ask.seat].player
            says = f"What does {name} (seat {ask.seat}) post to come in? The text does not say."
            options = (
                Choice(name="nothing"),
                Choice(name="big blind"),
                Choice(name="both blinds", says="A Big Blind live and a Small Blind dead."),
                Choice(name="wait", says="No cards for this seat yet."),
            )
            cites = table.paragraphs(Topic.WHO_POSTS_THE_BLINDS)
            rank = table.state.settings.house_rank
            table.ask(WHO_POSTS, says, options, rank, cites, about=about)
        case "absent at the blinds":
            blind = f"the {ask.blind.title()} Blind"
            why = "has no chips" if table.state.seats[ask.seat].here else "is away"
            says = f"Seat {ask.seat} {why} when {blind} is due. The text does not say who posts."
            other = Choice(name="no small blind", says="There is no Small Blind this time.")
            if ask.blind == "big":
                other = Choice(name=WAIT_FOR_HIM, says="The Blinds are not called yet.")
            options = (
                Choice(name="pass over", says="The Blinds go to the next Players present."),
                other,
            )
            about["blind"] = ask.blind
            cites = table.paragraphs(Topic.WHO_POSTS_THE_BLINDS)
            rank = table.state.settings.house_rank
            table.ask(ABSENT, says, options, rank, cites, about=about)


@calling.answered(ON_THE_SMALL_BLIND, WHO_POSTS, ABSENT)
def answered(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    about = asked.about
    if taken.option == WAIT_FOR_HIM:
        return  # the dealer calls when he is back, or is asked again
    if not _is_asked_still(table, asked):
        pass  # the seats are others since: what has to be asked now is asked anew
    elif asked.question == ABSENT:
        blind = about.get("blind", "small")
        table.emit(AbsenceRuled(choice=taken.option, blind=blind, cites=asked.cites))
    else:
        table.emit(EntryChosen(seat=about["seat"], choice=taken.option, cites=asked.cites))
    if table.plan() is None:
        return
    call(
        table,
        datetime.fromisoformat(about["at"]),
        button_out=about["button_out"],
        superseded=about["superseded"],
    )


def _is_asked_still(table: PokerTable, asked: DecisionNeeded) -> bool:
    """Whether it would be asked now: of the same player, who may have gone, left or come back since
    and somebody else have taken his seat."""
    about, plan = asked.about, table.plan()
    if not isinstance(plan, Ask) or plan.question != asked.question or plan.seat != about["seat"]:
        return False
    player = table.player_at(plan.seat)
    return plan.blind == about.get("blind", "small") and player == about.get("player", player)


@calling.applies(EntryChosen)
def entry_chosen(table: PokerTable, event: EntryChosen) -> None:
    """The answer is kept with the seat until the Blinds are called."""
    table.state.seats[event.seat].decided = event.choice


@calling.applies(AbsenceRuled)
def absence_ruled(table: PokerTable, event: AbsenceRuled) -> None:
    if event.blind == "big":
        table.state.absent_big_ruling = event.choice
    else:
        table.state.absent_ruling = event.choice


MISSED_BIG_BLINDS = number_of("missed-big-blinds")


def _most_missed(table: PokerTable) -> int:
    """After how many Big Blinds missed in a row the House is asked; 0 where it never is."""
    if not table.book.has(Topic.THREE_MISSED_BIG_BLINDS):
        return 0
    return table.by_book[MISSED_BIG_BLINDS]


def not_so_many_missed(table: PokerTable) -> None:
    """Blinds count as missed no more: who has not missed so many now is asked about no more."""
    if table.state.waiting:
        limit, seats = _most_missed(table), table.state.seats
        drop_questions(table, [number for number, seat in seats.items() if seat.misses < limit])


def ask_about_three_missed(table: PokerTable, seats: Iterable[int]) -> None:
    """A-51: at three in a row without notice of return, the House says whether he is gone.

    It is asked with the Big Blind that makes three; where the seat was kept, after three more.
    """
    state = table.state
    limit = _most_missed(table)
    asked = {need.about["seat"] for need in table.asking(THREE_MISSED)}
    for number in seats:
        seat = state.seats[number]
        if not limit or seat.misses - seat.kept < limit or seat.returns or number in asked:
            continue
        chips = "" if seat.stake else ", has no chips"
        table.ask(
            THREE_MISSED,
            f"{seat.player} (seat {number}) has missed {seat.misses} Big Blinds in a row{chips} "
            "and gave no notice. Is a return within a reasonable time to be expected?",
            (
                Choice(name="keep", says="The seat is kept."),
                Choice(
                    name="release", says="The player is taken to have left; the seat is given up."
                ),
            ),
            state.settings.house_rank,
            table.paragraphs(Topic.THREE_MISSED_BIG_BLINDS),
            holds=False,
            about={"seat": number},
        )


@calling.answered(THREE_MISSED)
def three_missed(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    """He is in no Round of play, or nobody would ask any more (`seating`): so it is at once, also
    while the others play, and whether he is away or sits there without chips."""
    number = asked.about["seat"]
    if taken.option == "release":
        leave_seat(table, number, f"Seat {number} is in this round.", found=True)
    else:
        table.emit(SeatKept(seat=number, cites=asked.cites))


@calling.applies(SeatKept)
def seat_kept(table: PokerTable, event: SeatKept) -> None:
    """The finding is about the Big Blinds missed so far; after three more it is asked again."""
    seat = table.state.seats[event.seat]
    seat.kept = seat.misses


# -- the timed charge --------------------------------------------------------------------------


def _report_timed_rake(table: PokerTable, when: datetime) -> None:
    """A-44: each period that is over is reported as due from every seat; nothing is taken yet."""
    state = table.state
    rake, since = state.settings.rake, state.timed_from
    if rake is None or rake.timed is None or since is None:
        return
    period = timedelta(minutes=rake.minutes)
    while when >= since + period:
        since += period
        seats = tuple(number for number, seat in state.seats.items() if seat.entry == "in")
        table.emit(
            TimedRakeDue(
                amount=rake.timed, seats=seats, until=since, cites=table.by_book[RAKE_BY_TIME]
            )
        )


@calling.applies(TimedRakeDue)
def timed_rake_due(table: PokerTable, event: TimedRakeDue) -> None:
    state = table.state
    state.timed_from = event.until
    for number in event.seats:
        state.seats[number].rake_due += event.amount
