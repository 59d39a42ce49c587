"""What must be ruled on before a round is settled: things that the book leaves to the shift
manager and that settlement would stumble over (B-20, B-23, B-26, B-39, B-44)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import SHIFT_MANAGER
from croupier.banked.betting import CARDS_GONE, FOLDED_ROYAL, SHORT_PROGRESSIVE
from croupier.banked.decisions import fold_topic
from croupier.banked.events import BetReturned
from croupier.banked.findings import LinesRuled, RulingMade
from croupier.banked.lines import ANY_LINE_AFTER_FOLD, found_lines
from croupier.banked.state import BankedState, BoxState
from croupier.cards import Card, Category, rank_hand
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Choice, DecisionNeeded, DecisionTaken, Room, StakesAccepted
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

questions = Room("questions")

BONUS_WITHOUT_ANTE = "bonus without ante"
NOT_SHOWN = "not shown"
TREAT_AS_FOLDED = "treat as folded"


def ask_before_settling(table: BankedTable) -> bool:
    """Ask everything that is open; True if anything was asked."""
    state = table.state
    prescribed = state.settings.prescribed
    asked = False
    for number, box in sorted(state.boxes.items()):
        if box.result is not None:
            continue
        if not box.ante:
            if box.bonus and not box.bonus_ruled:
                ask_bonus_without_ante(table, number)
                asked = True
            continue
        if 0 < box.progressive < prescribed and not box.short_ruled:
            _ask_short(table, number, box, prescribed)
            asked = True
        if _line_unknown(table, box):
            _ask_gone(table, number)
            asked = True
        elif not box.royal_ruled and _folded_royal(table, box):
            _ask_royal(table, number)
            asked = True
    return asked


def ruled(asked: DecisionNeeded, taken: DecisionTaken, box: int | None = None) -> RulingMade:
    """The ruling that a decision of the shift manager is."""
    return RulingMade(
        question=asked.question,
        remedy=taken.option,
        reason=taken.reason,
        who=taken.who,
        box=box,
        cites=asked.cites,
    )


# -- a Bonus bet without an Ante ------------------------------------------------------------------


def ask_bonus_without_ante(table: BankedTable, box: int) -> None:
    """B-44: proposed is to return it, as with a jackpot bet."""
    table.ask(
        BONUS_WITHOUT_ANTE,
        f"There is a Bonus bet without an Ante on box {box}; proposed: return it.",
        ("return", "collect"),
        SHIFT_MANAGER,
        table.cite(Topic.DISCRETION_UNCOVERED, Topic.BONUS_BET),
        about={"box": box},
    )


@questions.answered(BONUS_WITHOUT_ANTE)
def bonus_without_ante(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    box: int = asked.about["box"]
    held = table.state.boxes[box]
    if taken.option == "return":
        table.emit(BetReturned(box=box, bet="bonus", amount=held.bonus, cites=asked.cites))
    else:
        table.emit(ruled(asked, taken, box))


# -- a jackpot stake below the prescribed amount ---------------------------------------------------


def _ask_short(table: BankedTable, number: int, box: BoxState, prescribed: int) -> None:
    """A jackpot that takes no stakes now cannot accept it (B-57)."""
    can_accept = table.state.jackpot_takes(number)
    table.ask(
        SHORT_PROGRESSIVE,
        f"The Progressive Jackpot bet on box {number} is {write_money(box.progressive)} instead of "
        f"{write_money(prescribed)}; proposed: return it.",
        ("return", "accept") if can_accept else ("return",),
        SHIFT_MANAGER,
        table.cite(Topic.DISCRETION_UNCOVERED, Topic.PLAYER_MINDS_BET_SIZE),
        about={"box": number},
    )


def check_short(table: BankedTable, box: int, option: str) -> None:
    """A stake can only be accepted by a jackpot that works, also if it has failed since it was
    asked; else it goes back (B-57)."""
    if option == "accept" and not table.state.jackpot_takes(box):
        raise BadCommand(
            "the jackpot takes no stakes now; the short Progressive Jackpot bet can be returned"
        )


@questions.answered(SHORT_PROGRESSIVE)
def short_progressive(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    number: int = asked.about["box"]
    box = table.state.boxes[number]
    table.emit(ruled(asked, taken, number))
    if taken.option == "return":
        table.emit(
            BetReturned(box=number, bet="progressive", amount=box.progressive, cites=asked.cites)
        )
    else:
        table.emit(
            StakesAccepted(
                round=table.state.round, stakes={number: box.progressive}, cites=asked.cites
            )
        )


# -- a player who does not show (v6) ---------------------------------------------------------------


def ask_not_shown(table: BankedTable, number: int) -> None:
    """4.3 of v6 says nothing of the main bets: the shift manager rules on them (B-39)."""
    table.ask(
        NOT_SHOWN,
        f"The player of box {number} does not show the cards; proposed: treat as folded.",
        (TREAT_AS_FOLDED, "compare", "return"),
        SHIFT_MANAGER,
        table.cite(Topic.NOT_SHOWING, Topic.DISCRETION_UNCOVERED),
        about={"box": number},
    )


# -- a folded Royal Flush (v6) ---------------------------------------------------------------------


def _folded_royal(table: BankedTable, box: BoxState) -> bool:
    state = table.state
    if table.by_book[ANY_LINE_AFTER_FOLD] or not box.progressive:
        return False
    if box.standing != "folded" or state.street == 0:
        return False
    hand = box.cards_known()
    if box.gone or Card.UNKNOWN in hand:
        return False
    return rank_hand((*hand, *state.board[:3])).category is Category.ROYAL_FLUSH


def _ask_royal(table: BankedTable, number: int) -> None:
    table.ask(
        FOLDED_ROYAL,
        f"Folded box {number} would have a Royal Flush on the flop; by the letter it gets nothing "
        "beyond the board.",
        ("board only", "pay the line"),
        SHIFT_MANAGER,
        table.cite(fold_topic(table), Topic.DISCRETION_INTERPRETATION),
        about={"box": number},
    )


@questions.answered(FOLDED_ROYAL)
def folded_royal(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    number: int = asked.about["box"]
    state, box = table.state, table.state.boxes[number]
    table.emit(ruled(asked, taken, number))
    if taken.option == "pay the line":
        made = table.pays.made(box.cards_known(), state.board[: state.shown], folded=False)
        held = found_lines(table.pays, state.policies, made, box.progressive)
        lines = tuple(h.line.id for h in held)
        table.emit(LinesRuled(box=number, lines=lines, cites=asked.cites))


# -- cards that are gone ---------------------------------------------------------------------------


def _line_unknown(table: BankedTable, box: BoxState) -> bool:
    """Whether the line of a folded box turns on cards that are gone. Where only the board counts
    after a fold it does not (4.2.community)."""
    gone = bool(box.progressive) and box.gone and box.lines_ruled is None
    return gone and table.by_book[ANY_LINE_AFTER_FOLD]


def _ask_gone(table: BankedTable, number: int) -> None:
    table.ask(
        CARDS_GONE,
        f"The cards of box {number} are gone; nothing is paid unless it is ruled so.",
        ("no payout", Choice(name="pay", asks={"line": "text"})),
        SHIFT_MANAGER,
        table.cite(Topic.JACKPOT_CLAIM, Topic.DISCRETION_UNCOVERED),
        about={"box": number},
    )


@questions.answered(CARDS_GONE)
def cards_gone(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    number: int = asked.about["box"]
    table.emit(ruled(asked, taken, number))
    lines = (taken.details["line"],) if taken.option == "pay" else ()
    table.emit(LinesRuled(box=number, lines=lines, cites=asked.cites))


def check_line(table: BankedTable, line: object) -> None:
    """A ruling can only pay a line that the book has."""
    known = [each.id for each in table.book.pay("progressive").lines]
    if line not in known:
        raise BadCommand(f"{line!r} is no jackpot line of this book; it has {', '.join(known)}")


def not_shown_no_more(state: BankedState, box: int) -> None:
    """A hand that may decide again has not been refused to show (4.3)."""
    state.waiting = [
        need
        for need in state.waiting
        if not (
            isinstance(need, DecisionNeeded)
            and need.question == NOT_SHOWN
            and need.about["box"] == box
        )
    ]


@questions.answered(NOT_SHOWN)
def not_shown(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    table.emit(ruled(asked, taken, asked.about["box"]))


# -- applying -------------------------------------------------------------------------------------

_RULED_ON = {
    SHORT_PROGRESSIVE: "short_ruled",
    BONUS_WITHOUT_ANTE: "bonus_ruled",
    NOT_SHOWN: "ruled",
    FOLDED_ROYAL: "royal_ruled",
}


@questions.applies(RulingMade)
def ruling_made(table: BankedTable, event: RulingMade) -> None:
    state = table.state
    state.rulings.append(f"{event.question}: {event.remedy}")
    attribute = _RULED_ON.get(event.question)
    if attribute is not None and event.box is not None:
        setattr(state.boxes[event.box], attribute, event.remedy)


@questions.applies(LinesRuled)
def lines_ruled(table: BankedTable, event: LinesRuled) -> None:
    table.state.boxes[event.box].lines_ruled = list(event.lines)
