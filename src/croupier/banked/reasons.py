"""Why each bet of a settled box won or lost, in a sentence to its player, with its paragraphs.

The commonest shock is a Full House whose jackpot bet loses, for only Hole Cards and Flop count
there. So each sentence says which cards count, what they make, and what the book pays for it. All
follows from the settled box; nothing here decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.banked.betting import limits
from croupier.banked.decisions import fold_topic
from croupier.banked.events import WALKED_AWAY, Payout
from croupier.banked.lines import ANY_LINE_AFTER_FOLD, RANK_TOPICS, Bet
from croupier.banked.phases import bonus_established
from croupier.banked.settlement import (
    MAIN,
    countable,
    countable_board,
)
from croupier.banked.state import BoxState
from croupier.cards import Category, rank_hand
from croupier.rulebooks import HoleCards, PayLine, Rulebook, Topic
from croupier.table.money import write_money
from croupier.table.view import hand_in_words

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

ONLY_HOLE_CARDS = "Only your two Hole Cards count here"
BOTH_HOLE_CARDS = "Your two Hole Cards and the dealer's count here"
ONLY_HOLE_AND_FLOP = "Only your two Hole Cards and the Flop count here"


class Reason(Struct, frozen=True, kw_only=True):
    """Why one bet came out as it did."""

    says: str
    cites: tuple[str, ...] = ()


def reasons_of(table: BankedTable, box: BoxState) -> dict[str, Reason]:
    """Of each bet of a settled box, why; nothing before the settlement."""
    if box.result is None:
        return {}
    found: dict[str, Reason] = {}
    for bet, payout in box.payouts.items():
        if bet in MAIN:
            found[bet] = _main(table, box, bet, payout)
        elif bet == "bonus":
            found[bet] = _bonus(table, box, payout)
        else:
            found[bet] = _progressive(table, box, payout)
    return found


def _reason(table: BankedTable, says: str, *topics: str) -> Reason:
    return Reason(says=says, cites=table.cite(*topics))


def _short(hand: str) -> str:
    """A hand without its side cards: `Two Pairs, Nines and Fives`."""
    return ", ".join(hand.split(", ")[:2])


# -- against the dealer ---------------------------------------------------------------------------


def _main(table: BankedTable, box: BoxState, bet: Bet, payout: Payout) -> Reason:
    match box.result:
        case "folded":
            return _reason(table, f"Lost: {_folded(box)}.", *_fold_topics(table, box))
        case "not shown" if payout.lost:
            return _reason(table, "Lost: your cards were not shown.", Topic.NOT_SHOWING)
        case "not shown":
            says = "Back: your cards were not shown, and the House ruled so."
            return _reason(table, says, Topic.NOT_SHOWING)
        case "stand off":
            says = "Back: your hand and the dealer's are worth the same."
            return _reason(table, says, Topic.STAND_OFF)
        case "lost":
            return _beaten(table, box)
        case "won":
            return _winning(table, box, bet, payout)
        case _:
            return _not_played(table, box, payout)


def _not_played(table: BankedTable, box: BoxState, payout: Payout) -> Reason:
    """A round that is void, a hand that was cancelled, or none at all."""
    what = "Lost" if payout.lost else "Back"
    if box.result == "no hand":
        says = f"{what}: there was no Ante, and so no hand."
        return _reason(table, says, Topic.BOX_WITHOUT_ANTE)
    if table.state.void or box.result == "void":
        says = f"{what}: this round is void."
        return _reason(table, says, Topic.VOID_RETURNS_EVERY_BET)
    return Reason(says=f"{what}: your hand was {box.result}.", cites=box.cancelled_by)


def _folded(box: BoxState) -> str:
    if not box.deemed:
        return "you folded"
    why = "you walked away" if box.deemed == WALKED_AWAY else box.deemed
    return f"your hand counts as folded ({why})"


def _fold_topics(table: BankedTable, box: BoxState) -> tuple[str, ...]:
    if box.deemed == WALKED_AWAY:
        return (Topic.WALK_AWAY_WITH_DECISIONS_LEFT,)
    return (Topic.DISCRETION, fold_topic(table)) if box.deemed else (fold_topic(table),)


def _beaten(table: BankedTable, box: BoxState) -> Reason:
    mine, dealers = _short(box.hand), _short(table.state.dealer_hand)
    if mine == dealers:  # the side cards decide
        mine, dealers = box.hand, table.state.dealer_hand
    says = f"Lost: the dealer's {dealers} beats your {mine}."
    return _reason(table, says, Topic.PLAYER_LOSES, *_ranks(table, box))


def _winning(table: BankedTable, box: BoxState, bet: Bet, payout: Payout) -> Reason:
    mine, dealers = _short(box.hand), _short(table.state.dealer_hand)
    if mine == dealers:
        mine, dealers = box.hand, table.state.dealer_hand
    category = rank_hand((*box.cards, *table.state.board)).category
    line = table.pays.main(bet, category)
    if line is None or not payout.won:
        says = (
            f"Back without winnings: your {mine} beats the dealer's {dealers}, but the "
            f"{bet.capitalize()} is paid from a {_least_paid(table, bet)} up."
        )
        return _reason(table, says, Topic.ANTE_HANDED_BACK, Topic.PLAYER_WINS)
    says = f"Won {line.pays}: your {mine} beats the dealer's {dealers}."
    return _reason(table, says, line.topic, Topic.PLAYER_WINS, *_ranks(table, box))


def _least_paid(table: BankedTable, bet: Bet) -> str:
    paid = [each for each in Category if table.pays.main(bet, each) is not None]
    return min(paid).title


def _ranks(table: BankedTable, box: BoxState) -> tuple[str, ...]:
    state = table.state
    if not countable(table, box.cards) or not state.dealer_shown:
        return ()
    mine = rank_hand((*box.cards, *state.board)).category
    dealers = rank_hand((*state.dealer, *state.board)).category
    same = (Topic.TIE_BREAKS,) if mine is dealers else (Topic.HAND_CATEGORIES,)
    return (*same, RANK_TOPICS[mine])


# -- the Bonus ------------------------------------------------------------------------------------


PLAYED = ("won", "lost", "stand off", "folded", "not shown")


def _bonus(table: BankedTable, box: BoxState, payout: Payout) -> Reason:
    if box.result not in PLAYED:
        return _not_played(table, box, payout)
    if box.bonus_line:
        line = _line(table, "bonus", box.bonus_line)
        # 5.1.1: above its maximum a stake wins as the maximum, and that is no cut.
        counts = min(payout.staked, limits(table, "bonus")[1])
        cut = line is not None and payout.won < _full(line, counts)
        cap = f", cut to the most that is paid, {write_money(payout.won)}" if cut else ""
        odds = f" {line.pays}" if line is not None else ""
        asks = line.when if line is not None else None
        both = isinstance(asks, HoleCards) and bool(asks.dealer)
        which = BOTH_HOLE_CARDS if both else ONLY_HOLE_CARDS
        says = f"Won{odds}{cap}: {_hole_words(box)}. {which}."
        topics = (line.topic,) if line is not None else (Topic.BONUS_LINES,)
        return _reason(table, says, *topics, *((Topic.BONUS_CAP,) if cap else ()))
    if box.result == "folded":
        says = f"Lost: {_folded(box)}, and a fold loses the Bonus too."
        return _reason(table, says, *_fold_topics(table, box))
    if box.result == "not shown" and not bonus_established(table, box):
        return _reason(table, "Lost: your cards were not shown.", Topic.NOT_SHOWING)
    says = f"Lost: no line pays for {_hole_words(box)}. {ONLY_HOLE_CARDS}."
    return _reason(table, says, Topic.BONUS_LINES)


def _full(line: PayLine, staked: int) -> int:
    winnings = getattr(line.pays, "winnings", None)
    return int(winnings(staked)) if winnings is not None else 0


def _hole_words(box: BoxState) -> str:
    return hand_in_words(box.cards, ()) or "your Hole Cards"


# -- the Progressive Jackpot ----------------------------------------------------------------------


def _progressive(table: BankedTable, box: BoxState, payout: Payout) -> Reason:
    topics = _jackpot_topics(table)
    if box.result == "no hand":
        says = "Back: there was no Ante, and so no hand."
        return _reason(table, says, Topic.JACKPOT_BET_WITHOUT_ANTE, Topic.BOX_WITHOUT_ANTE)
    if box.result not in PLAYED:
        return _not_played(table, box, payout)
    if not payout.lost:
        says = "Back: it did not count in this round."
        return Reason(says=says, cites=box.returned_by.get("progressive") or table.cite(*topics))
    held = [*box.paid_lines, *box.due]
    if held:
        says = f"Won: {_lines_won(table, box)}. The bet itself is kept by the House, won or lost."
        lines = [_line(table, "progressive", each) for each in held]
        return _reason(table, says, *(each.topic for each in lines if each is not None))
    if box.lines_ruled is not None:
        says = "Lost: your cards were gone, and the House ruled that no line is paid."
        return _reason(table, says, Topic.JACKPOT_CLAIM, Topic.DISCRETION_UNCOVERED)
    if not _tells_cards(table, box):
        return _reason(table, "Lost: there is no line for it.", *topics)
    if box.refused and not box.tabled:  # also where its other bets are compared by ruling (v6)
        says = "Lost: your cards were not shown."
        return _reason(table, says, Topic.NOT_SHOWING, *topics)
    if box.result == "folded" and not table.by_book[ANY_LINE_AFTER_FOLD]:
        counts = "so only the Community Cards count, and no line pays for them"
        says = f"Lost: {_folded(box)}, {counts}."
        return _reason(table, says, *_fold_topics(table, box), *topics)
    board = table.state.board[: table.state.shown]
    if table.pays.jackpot_cards.whole_board:
        made = _short(hand_in_words(box.cards, board)) or "your cards"
        return _reason(table, f"Lost: no line pays for {made}.", *topics)
    return _hole_and_flop(table, box, topics)


def _lines_won(table: BankedTable, box: BoxState) -> str:
    """Which jackpot lines have been paid, how much on all of them, and which are to be paid yet."""
    told = []
    if box.paid_lines:
        pays = "pays" if len(box.paid_lines) == 1 else "pay"
        paid = write_money(sum(box.paid_lines.values()))
        told.append(f"{_titles(table, box.paid_lines)} {pays} {paid}")
    if box.due:
        told.append(f"{_titles(table, box.due)} {'is' if len(box.due) == 1 else 'are'} being paid")
    return ", and ".join(told)


def _titles(table: BankedTable, lines: Iterable[str]) -> str:
    return " and ".join(line_title(table.book, line) for line in lines)


def _hole_and_flop(table: BankedTable, box: BoxState, topics: tuple[str, ...]) -> Reason:
    """Say it where a hand that looks like a line came too late."""
    board = table.state.board[: table.state.shown]
    if len(board) < 3:
        return _reason(table, f"Lost: there was no Flop. {ONLY_HOLE_AND_FLOP}.", *topics)
    counts = _short(rank_hand((*box.cards, *board[:3])).sentence)
    says = f"Lost: no line pays for {counts}. {ONLY_HOLE_AND_FLOP}."
    if len(board) > 3:
        whole = rank_hand((*box.cards, *board)).category
        pays = table.pays.made(box.cards, board, folded=False)
        late = whole not in (pays.hole_and_flop, None) and _is_listed(table, whole)
        if late:
            says += f" Your {whole.title} came with the Turn or the River."
    return _reason(table, says, *topics)


def _is_listed(table: BankedTable, category: Category) -> bool:
    """Whether the jackpot's pay table has a line for a hand like this."""
    lines = table.book.pay("progressive").lines
    return any(getattr(line.when, "category", None) is category for line in lines)


def _tells_cards(table: BankedTable, box: BoxState) -> bool:
    """Whether its player knows the cards: nobody is told here what he has not looked at."""
    known = box.examined or box.face_up == box.cards
    return known and countable(table, box.cards) and countable_board(table)


def _jackpot_topics(table: BankedTable) -> tuple[str, ...]:
    own = (Topic.JACKPOT_HAND,) if table.book.has(Topic.JACKPOT_HAND) else ()
    return (*own, Topic.JACKPOT_PAY_TABLE)


def _line(table: BankedTable, pays: str, line: str) -> PayLine | None:
    return table.book.pay(pays).line(line)


PAY_IN_TITLE = re.compile(r" (?:(?:pays|fixed) )?[\d,]+(?: percent)?$| pays even money$")
"""What some titles of lines end with: the pay, which stands beside them already."""


def line_title(book: Rulebook, line: str) -> str:
    """What a line of a pay table pays for, without what it pays."""
    title = PAY_IN_TITLE.sub("", book.paragraph(line).title)
    return title.replace("Four of Kind", "Four of a Kind")
