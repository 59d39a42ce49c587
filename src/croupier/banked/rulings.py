"""The discretion clause (5.23): what the shift manager may order, and taking a ruling back.

The table offers only what it can carry out. A ruling can be undone while nothing has happened
since: the table then stands where it stood before it, and the log keeps both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.banked.authority import SHIFT_MANAGER, at_least, people_only
from croupier.banked.betting import SHORT_PROGRESSIVE, give, put
from croupier.banked.choices import can_choose
from croupier.banked.claims import all_claimed, tell_the_link
from croupier.banked.commands import CallForRuling, UndoRuling
from croupier.banked.device import ORDER_OF_THE_CARDS, read_order
from croupier.banked.events import BetReturned, Folded
from croupier.banked.faults import check_next_rounds
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
    JackpotFailed,
    LinesRuled,
    NoticeDisplayed,
    PaymentCorrected,
    PolicyChanged,
    RoundGoesOn,
    RoundVoided,
    RulingMade,
    RulingUndone,
    StreetDealtAgain,
    TableClosed,
)
from croupier.banked.phases import onward
from croupier.banked.questions import CARDS_GONE, check_line, check_short, ruled
from croupier.banked.state import BETS, BankedState, Undo
from croupier.banked.voiding import (
    NEXT_ROUNDS,
    cancel,
    return_to_link,
    staked,
    void_now,
    within_reach,
)
from croupier.rulebooks import RulebookError, Topic
from croupier.table import (
    Announced,
    BadCommand,
    Choice,
    Decide,
    DecisionNeeded,
    DecisionTaken,
    Event,
    Order,
    Room,
    StaffRank,
    StakesAccepted,
    StakesReturned,
)
from croupier.table.money import write_money

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


# -- what can be carried out ----------------------------------------------------------------------


def check_answer(table: BankedTable, asked: DecisionNeeded, answer: Decide) -> None:
    """Refuse details that do not fit before the answer is taken."""
    details = answer.details
    if asked.question == NEXT_ROUNDS and answer.option == "block boxes":
        check_next_rounds(table, details)
    elif asked.question == ORDER_OF_THE_CARDS:
        places = asked.about["boxes"] or asked.about["community"]
        read_order(str(details["order"]), len(places))
    elif asked.question == CARDS_GONE and answer.option == "pay":
        check_line(table, details["line"])
    elif asked.question == SHORT_PROGRESSIVE:
        check_short(table, answer.option)
    elif asked.question == RULING:
        _check_ruling(table, answer.option, details)


def _check_ruling(table: BankedTable, option: str, details: dict[str, Any]) -> None:
    state = table.state
    if "box" in details and details["box"] not in _with_a_hand(table, option):
        raise BadCommand(f"box {details['box']!r} has no hand in this round")
    if "amount" in details:
        amount = details["amount"]
        if isinstance(amount, bool) or not isinstance(amount, int) or amount <= 0:
            raise BadCommand("an amount is a whole number of cents above nothing")
    match option:
        case "return chips" | "move chips":
            _check_chips(table, details)
        case "pay player" | "collect from player":
            _check_payment(state, option, details["player"], details["amount"])
        case "change policy":
            try:
                table.book.policies_with({details["policy"]: details["value"]})
            except (RulebookError, TypeError) as error:
                raise BadCommand(str(error)) from error
        case "treat as folded":
            if state.boxes[details["box"]].standing == "folded":
                raise BadCommand(f"box {details['box']} has folded")
        case "give decision back" | "take action back":
            _check_given_back(table, option, details["box"])
        case "replace hole card":
            _check_position(details["position"], len(state.boxes[details["box"]].cards))
            _check_next_card(table, 1)
        case "replace community card":
            _check_position(details["position"], len(state.board))
            _check_next_card(table, 1)
        case "replace dealer card":
            _check_position(details["position"], len(state.dealer))
            _check_next_card(table, 1)
        case "deal street again":
            if not state.board:
                raise BadCommand("no Community Cards lie there to be dealt again")
            _check_next_card(table, len(_last_street(state)))
        case _:
            return


def _with_a_hand(table: BankedTable, option: str) -> list[int]:
    """The boxes that a ruling may be about; a decision may be given back to any folded one."""
    if option == "give decision back":
        return [n for n, box in table.state.boxes.items() if box.standing == "folded"]
    return can_choose(table)


def _check_chips(table: BankedTable, details: dict[str, Any]) -> None:
    state = table.state
    for key in ("bet", "to"):
        if key in details and details[key] not in BETS:
            raise BadCommand(f"{details[key]!r} is no bet; there are {', '.join(BETS)}")
    box = state.boxes[details["box"]]
    bet, to, amount = details["bet"], details.get("to"), details["amount"]
    there = getattr(box, bet)
    if amount > there:
        raise BadCommand(f"only {write_money(there)} lies on {bet}")
    if bet == "ante" and amount == there:
        raise BadCommand("a hand without its Ante is none; have the hand cancelled instead")
    if to in ("flop", "turn", "river") and not getattr(box, to):
        raise BadCommand(f"no {to} bet was made on box {details['box']} that chips could be put to")
    if to == "progressive" and not state.jackpot_takes():
        raise BadCommand("the jackpot takes no stakes now")


def _check_payment(state: BankedState, option: str, player: str, amount: int) -> None:
    if player in state.left and option == "collect from player":
        raise BadCommand(f"{player} has left the table; nothing can be collected from him here")
    if player not in state.net and player not in state.left:
        raise BadCommand(f"{player!r} has not played at this table")
    if option == "collect from player" and player in state.racks:
        there = within_reach(state, player)
        if amount > there:
            raise BadCommand(f"{player} has only {write_money(there)} in chips at this table")


def _check_given_back(table: BankedTable, option: str, number: int) -> None:
    state = table.state
    box = state.boxes[number]
    if option == "give decision back":
        if box.standing != "folded" or state.street != 0:
            raise BadCommand(f"box {number} is not a folded box that could still decide")
    elif state.window() is None or box.window < _WINDOW_NUMBER[state.window()]:
        raise BadCommand(f"box {number} has made no decision in this window")


_WINDOW_NUMBER: dict[str | None, int] = {None: 0, "flop": 1, "turn": 2, "river": 3}


def _check_position(position: object, most: int) -> None:
    if isinstance(position, bool) or not isinstance(position, int) or not 1 <= position <= most:
        raise BadCommand(f"positions are counted from 1 to {most}; got {position!r}")


def _check_next_card(table: BankedTable, count: int) -> None:
    shoe = table.state.shoe
    if shoe is None or shoe.left < count:
        raise BadCommand(f"the device has not {count} cards left")


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
            table.emit(_replaced(table, where, box, details["position"], cites))
        case "deal street again":
            old = _last_street(state)
            assert state.shoe is not None
            new = tuple(state.shoe.order[: len(old)])
            shown = state.shown == len(state.board)
            table.emit(StreetDealtAgain(old=old, new=new, shown=shown, cites=cites))
        case "return chips" | "move chips":
            assert box is not None
            _move_chips(table, box, details, cites)
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


def _last_street(state: BankedState) -> tuple[Any, ...]:
    laid = state.laid[-1] if state.settings.device == "shoe" else len(state.board) - state.shown
    if state.settings.device == "shuffler" and state.street:
        first = sum(state.laid[: state.street - 1])
        return tuple(state.board[first : state.shown])
    return tuple(state.board[len(state.board) - laid :])


@rulings.when(StreetDealtAgain)
def street_dealt_again(table: BankedTable, event: StreetDealtAgain) -> None:
    state = table.state
    assert state.shoe is not None
    state.shoe.take(event.new)
    first = _find(state.board, event.old)
    state.board[first : first + len(event.old)] = list(event.new)
    state.thrown += event.old
    state.sequence += event.new


def _find(board: list[Any], old: tuple[Any, ...]) -> int:
    starts = range(len(board) - len(old), -1, -1)
    return next(i for i in starts if tuple(board[i : i + len(old)]) == old)


def _replaced(
    table: BankedTable, where: str, box: int | None, position: int, cites: tuple[str, ...]
) -> CardReplaced:
    state = table.state
    assert state.shoe is not None
    cards = state.board if where == "community" else state.dealer
    if box is not None:
        cards = state.boxes[box].cards
    return CardReplaced(
        where=where,
        position=position,
        box=box,
        old=cards[position - 1],
        new=state.shoe.order[0],
        cites=cites,
    )


@rulings.when(CardReplaced)
def card_replaced(table: BankedTable, event: CardReplaced) -> None:
    state = table.state
    assert state.shoe is not None
    state.shoe.take([event.new])
    state.sequence.append(event.new)
    state.thrown.append(event.old)
    if event.box is not None:
        box = state.boxes[event.box]
        box.cards[event.position - 1] = event.new
        box.face_up = [card for card in box.face_up if card is not event.old]
    elif event.where == "community":
        state.board[event.position - 1] = event.new
    else:
        state.dealer[event.position - 1] = event.new


def _move_chips(
    table: BankedTable, box: int, details: dict[str, Any], cites: tuple[str, ...]
) -> None:
    """Carry chips over, and tell the link where that changes what it knows of the jackpot stake.

    What is left below the prescribed amount is short, and is asked about at settlement (B-23).
    """
    held = table.state.boxes[box]
    told = _told(table.state).get(box, 0)
    table.emit(
        ChipsMoved(
            box=box,
            bet=details["bet"],
            to=details.get("to"),
            amount=details["amount"],
            cites=cites,
        )
    )
    prescribed = table.state.settings.progressive or 0
    enough = held.progressive >= prescribed
    touched = "progressive" in (details["bet"], details.get("to"))
    if touched and told and not (enough and told == prescribed):
        return_to_link(table, [box], cites)
    if enough and not held.registered and held.ante and table.state.phase != "bets open":
        stakes = {box: prescribed}
        table.emit(StakesAccepted(round=table.state.round, stakes=stakes, cites=cites))


def _told(state: BankedState) -> dict[int, int]:
    """The jackpot stakes that the link knows, by box: what lies there, or lay there before it was
    settled, up to the prescribed amount."""
    prescribed = state.settings.progressive or 0
    return {
        number: min(staked(box).get("progressive", 0), prescribed)
        for number, box in sorted(state.boxes.items())
        if box.registered
    }


@rulings.when(ChipsMoved)
def chips_moved(table: BankedTable, event: ChipsMoved) -> None:
    box = table.state.boxes[event.box]
    put(table, event.box, box.player, event.bet, getattr(box, event.bet) - event.amount)
    if event.to is not None:
        put(table, event.box, box.player, event.to, getattr(box, event.to) + event.amount)
    if "progressive" in (event.bet, event.to):
        box.short_ruled = ""  # That was about another amount.
    onward(table)


@rulings.when(PaymentCorrected)
def payment_corrected(table: BankedTable, event: PaymentCorrected) -> None:
    state = table.state
    give(state, event.player, event.amount)
    state.house -= event.amount


@rulings.when(PolicyChanged)
def policy_changed(table: BankedTable, event: PolicyChanged) -> None:
    table.state.policies[event.policy] = event.value


# -- taking a ruling back -------------------------------------------------------------------------

BEGINS: frozenset[type[Event]] = frozenset((IrregularityReported, DecisionTaken))
"""A report or a staff decision begins a ruling; the state before it is kept."""

_CONSEQUENCES: frozenset[type[Event]] = BEGINS | {
    Announced,
    BetReturned,
    BoxesBlocked,
    CardReplaced,
    CardsExchanged,
    CardsExposed,
    CardsRestored,
    ChipsMoved,
    DecisionGivenBack,
    DecisionNeeded,
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
    StakesAccepted,
    StakesReturned,
    StreetDealtAgain,
    TableClosed,
}
"""What a ruling may lead to. Anything else means that something has happened since."""


def watch(table: BankedTable, event: Event) -> None:
    """Before an event is applied: keep the state where a ruling begins, drop it once play goes
    on."""
    state = table.state
    said = ""
    if isinstance(event, IrregularityReported):
        said = event.kind
    elif isinstance(event, DecisionTaken) and event.entered_for is None:
        said = event.question if event.rank is not StaffRank.PLAYER else ""
    if said:
        state.undo = None
        state.undo = Undo(before=msgspec.json.encode(state), ruling=said)
    elif type(event) not in _CONSEQUENCES or isinstance(event, DecisionTaken):
        state.undo = None
    elif isinstance(event, JackpotFailed) and event.link is not None:
        state.undo = None  # The link's own fault is no consequence, and is not taken back.


@rulings.on(UndoRuling, while_waiting=True)
def undo_ruling(table: BankedTable, order: Order[UndoRuling]) -> None:
    at_least(table, order, SHIFT_MANAGER, "takes a ruling back")
    undo = table.state.undo
    if undo is None:
        table.refuse(
            Topic.DISCRETION, "There is no ruling to take back, or play has gone on since."
        )
    gone, come = _changed_at_the_link(_before(undo), table.state)
    table.emit(
        RulingUndone(reason=order.command.reason, who=order.who, cites=table.cite(Topic.DISCRETION))
    )
    # The link hears that stakes which the ruling had brought about do not lie there any more, and
    # that those which had gone back lie there again.
    return_to_link(table, come, table.cite(Topic.DISCRETION))
    if gone:
        table.emit(
            StakesAccepted(
                round=table.state.round, stakes=gone, cites=table.cite(Topic.JACKPOT_BET)
            )
        )
        if table.state.phase == "jackpot" and all_claimed(table):
            tell_the_link(table)


def _before(undo: Undo) -> BankedState:
    return msgspec.json.decode(undo.before, type=BankedState)


def _changed_at_the_link(before: BankedState, now: BankedState) -> tuple[dict[int, int], list[int]]:
    """The jackpot stakes that a ruling has sent back from the link, and the boxes whose stake it
    has told to the link; a stake of another size is both."""
    knew, knows = _told(before), _told(now)
    gone = {number: stake for number, stake in knew.items() if knows.get(number) != stake}
    return gone, [number for number, stake in knows.items() if knew.get(number) != stake]


@rulings.when(RulingUndone)
def ruling_undone(table: BankedTable, event: RulingUndone) -> None:
    undo = table.state.undo
    assert undo is not None
    again = _before(undo)
    gone, come = _changed_at_the_link(again, table.state)
    # Numbers of decisions are not given twice, and the ruling stays on record.
    again.needs = table.state.needs
    again.rulings.append(f"{undo.ruling}: undone")
    # Until the link is told it knows what it knew: it counts the one anew, and the other no more.
    for number in gone:
        again.boxes[number].registered = again.boxes[number].named = False
    for number in come:
        again.boxes[number].registered = True
    again.stakes_told = table.state.stakes_told
    table.state = again
