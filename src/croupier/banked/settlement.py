"""Settling every bet in every outcome (3.13 to 3.17, 4.1, 4.2, 5.1.1, 5.2.1, 5.3, 5.4).

First the effective sizes: a bet above its maximum counts as the maximum, a Flop bet counts up to
twice the effective Ante, Turn and River up to once; every surplus goes back, won or lost (B-42).
Then each box is compared with the dealer. Jackpot lines are found here and paid once they have
been claimed (see `claims`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.banked.authority import staff_only
from croupier.banked.betting import give
from croupier.banked.claims import claims_next
from croupier.banked.commands import BetName, Settle
from croupier.banked.decisions import fold_topic
from croupier.banked.events import WALKED_AWAY, BoxSettled, Payout, Result
from croupier.banked.figures import DEALER_CARDS, HOLE_CARDS
from croupier.banked.lines import ANY_LINE_AFTER_FOLD, RANK_TOPICS, Bet, Held, found_lines
from croupier.banked.phases import bonus_established, faces_the_dealer, jackpot_alive
from croupier.banked.questions import ask_before_settling
from croupier.banked.reconstruction import community_due, streets_due
from croupier.banked.state import BoxState
from croupier.cards import Card, Category, HandValue, rank_hand
from croupier.rulebooks import Made, PayLine, ToOne, Topic, number_of
from croupier.table import Order, Room
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

settlement = Room("settlement")

BONUS_CAP = number_of("bonus-cap")
MAIN: tuple[Bet, ...] = ("ante", "flop", "turn", "river")


@settlement.decides(Settle)
def settle(table: BankedTable, order: Order[Settle]) -> None:
    state = table.state
    staff_only(table, order, "settles")
    if state.phase != "settling":
        table.refuse(Topic.ROUND_OF_PLAY, "The round is not ready to be settled.")
    _check_cards(table)
    if ask_before_settling(table):
        return
    dealer = _dealer_value(table)
    for number, box in sorted(state.boxes.items()):
        if box.result is None:
            table.emit(settle_box(table, number, box, dealer))
    claims_next(table)


def _check_cards(table: BankedTable) -> None:
    """A wrong number of cards is noticed here at the latest; real cards must have been shown."""
    state = table.state
    live = [n for n, box in state.boxes.items() if faces_the_dealer(box)]
    if len(state.board) != community_due(table):
        table.refuse(
            Topic.WRONG_COMMUNITY_OR_DEALER_COUNT,
            f"{counted(len(state.board), 'Community Card lies', 'Community Cards lie')} there; "
            "this must be reported.",
        )
    if state.laid != streets_due(table):
        table.refuse(
            Topic.WRONG_COMMUNITY_OR_DEALER_COUNT,
            "One deal laid too many Community Cards and another too few; this must be reported.",
        )
    # B-24: against nobody the dealer needs no cards; a wrong number of them is wrong all the same.
    if (live or state.dealer) and len(state.dealer) != table.by_book[DEALER_CARDS]:
        table.refuse(
            Topic.WRONG_COMMUNITY_OR_DEALER_COUNT,
            f"The dealer has {counted(len(state.dealer), 'card', 'cards')}; this must be reported.",
        )
    played_for = live or any(jackpot_alive(box) for box in state.boxes.values())
    if played_for and Card.UNKNOWN in state.board[: state.shown]:
        table.refuse(Topic.COMMUNITY_CARDS, "An open Community Card must first be named.")
    if live and state.dealer_shown and Card.UNKNOWN in state.dealer:
        table.refuse(Topic.HAND, "The dealer's open cards must first be named.")
    hand = table.by_book[HOLE_CARDS]
    for number, box in sorted(state.boxes.items()):
        if box.standing in ("cancelled", "no hand") or box.is_unknown():
            continue
        if len(box.cards) != hand:
            has = counted(len(box.cards), "card", "cards")
            table.refuse(Topic.WRONG_COUNT, f"Box {number} has {has}; this must be reported.")
        if Card.UNKNOWN in box.cards and cards_matter(table, box):
            table.refuse(Topic.HAND, f"The cards of box {number} must first be laid open.")


def cards_matter(table: BankedTable, box: BoxState) -> bool:
    """Whether the settlement turns on the cards of a box, so that they must be known."""
    shown_or_to_be = not box.refused or box.tabled
    if box.standing == "in for the finish":
        return shown_or_to_be or box.ruled == "compare"
    if box.refused and box.bonus and bonus_established(table, box):
        return True
    hand_counts = table.by_book[ANY_LINE_AFTER_FOLD] or box.refused
    return hand_counts and box.progressive > 0 and shown_or_to_be and table.state.street > 0


def _dealer_value(table: BankedTable) -> HandValue | None:
    """None while his hand does not lie open, and where nobody is left for whom real cards that were
    put into another order would have to be named."""
    state = table.state
    cards = (*state.dealer, *state.board)
    if not state.dealer_shown or Card.UNKNOWN in cards:
        return None
    return rank_hand(cards)


# -- one box --------------------------------------------------------------------------------------


class _Settling:
    """One box being settled: gathers its payouts, its words and what they rest on."""

    def __init__(self, table: BankedTable, box: BoxState) -> None:
        self.table = table
        self.box = box
        self.topics: list[str] = []
        self.bets: dict[BetName, Payout] = dict(box.payouts)
        settings, times = table.state.settings, table.multiples
        assert settings.ante_minimum is not None
        assert settings.ante_maximum is not None
        assert settings.bonus_minimum is not None
        assert settings.bonus_maximum is not None
        assert settings.progressive is not None
        ante = self._effective(box.ante, settings.ante_minimum, settings.ante_maximum)
        bonus = self._effective(box.bonus, settings.bonus_minimum, settings.bonus_maximum)
        self.progressive = self._effective(box.progressive, 0, settings.progressive)
        self.counts: dict[BetName, tuple[int, int]] = {
            "ante": (box.ante, ante),
            "flop": (box.flop, self._later(box.flop, times["flop"] * ante)),
            "turn": (box.turn, self._later(box.turn, times["turn"] * ante)),
            "river": (box.river, self._later(box.river, times["river"] * ante)),
            "bonus": (box.bonus, bonus),
            "progressive": (box.progressive, self.progressive),
        }
        """Of each bet what lies there and what of it counts (B-42)."""

    def _effective(self, staked: int, least: int, most: int) -> int:
        """5.1.1 and 5.2.1: above the maximum it is the maximum; below the minimum what it is."""
        if staked > most:
            self.topics.append(Topic.OVER_MAXIMUM_LATE)
            return most
        if 0 < staked < least:
            self.topics.append(Topic.UNDER_MINIMUM_LATE)
        return staked

    def _later(self, staked: int, right: int) -> int:
        """5.3: the surplus goes back, and what is short counts for what is there."""
        if staked > right:
            self.topics.append(Topic.OVERSIZED_BET)
            return right
        if 0 < staked < right:
            self.topics.append(Topic.UNDERSIZED_BET)
        return staked

    def give_back(self, bet: BetName, won: int = 0) -> None:
        """The whole stake goes back, with its winnings if it has any."""
        staked, _ = self.counts[bet]
        if staked:
            self.bets[bet] = Payout(staked=staked, won=won, returned=staked)

    def lose(self, bet: BetName) -> None:
        """What counts is lost; the surplus goes back."""
        staked, counts = self.counts[bet]
        if staked:
            self.bets[bet] = Payout(staked=staked, returned=staked - counts, lost=counts)

    def lose_main(self) -> None:
        for bet in MAIN:
            self.lose(bet)

    def hand_main_back(self) -> None:
        for bet in MAIN:
            self.give_back(bet)

    def win_main(self, category: Category) -> None:
        for bet in MAIN:
            staked, counts = self.counts[bet]
            if not staked:
                continue
            line = self.table.pays.main(bet, category)
            if line is None:
                # 3.13: below a Straight the winning Ante is neither paid nor collected.
                self.topics.append(Topic.ANTE_HANDED_BACK)
                self.give_back(bet)
            else:
                self.topics.append(line.topic)
                self.give_back(bet, won=_to_one(line, counts))

    def settle_bonus(self, dealer: list[Card] | None) -> str:
        """The Bonus on its own table, its winnings cut at the cap (4.1.1, B-32)."""
        staked, counts = self.counts["bonus"]
        if not staked:
            return ""
        line = self.table.pays.bonus(self.box.cards, dealer)
        if line is None:
            self.topics.append(Topic.BONUS_LINES)
            self.lose("bonus")
            return ""
        won, cap = _to_one(line, counts), self.table.by_book[BONUS_CAP]
        self.topics.append(line.topic)
        if won > cap:
            self.topics.append(Topic.BONUS_CAP)
        self.give_back("bonus", won=min(won, cap))
        return line.id


def _to_one(line: PayLine, stake: int) -> int:
    assert isinstance(line.pays, ToOne)
    return line.pays.winnings(stake)


def settle_box(
    table: BankedTable, number: int, box: BoxState, dealer: HandValue | None
) -> BoxSettled:
    """Work out everything of a box; the event carries it all."""
    state = table.state
    settling = _Settling(table, box)
    topics = settling.topics
    hand = against = line = ""
    shown: tuple[Card, ...] = ()
    result: Result
    if not box.ante:
        result = "no hand"
        if box.bonus:  # ruled on under BONUS_WITHOUT_ANTE
            topics.append(Topic.DISCRETION_UNCOVERED)
            settling.lose("bonus")
        if box.progressive:
            topics.append(Topic.JACKPOT_BET_WITHOUT_ANTE)
            settling.give_back("progressive")
        topics.append(Topic.BOX_WITHOUT_ANTE)
    elif box.standing == "folded" or (box.refused and box.ruled != "compare"):
        result, line = _settle_folded(table, box, settling)
    else:
        assert dealer is not None
        value = rank_hand((*box.cards, *state.board))
        hand, against = value.sentence, dealer.sentence
        shown = tuple(box.cards)
        result = _compare(table, settling, value, dealer)
        line = settling.settle_bonus(state.dealer)
    held: tuple[Held, ...] = ()
    if box.ante and box.progressive:
        settling.lose("progressive")  # it is kept, win or lose (B-22)
        held = _jackpot(table, box, settling)
    elif box.ante and _would_qualify(table, box):
        topics.append(Topic.JACKPOT_QUALIFICATION)
    return BoxSettled(
        box=number,
        result=result,
        bets=settling.bets,
        hand=hand,
        dealer=against,
        shown=shown,
        bonus_line=line,
        lines=tuple(h.line.id for h in held),
        instead=next((h.instead.id for h in held if h.instead is not None), ""),
        cites=table.cite(*topics),
    )


def _settle_folded(table: BankedTable, box: BoxState, settling: _Settling) -> tuple[Result, str]:
    """A fold, or what counts as one, loses Ante and Bonus (3.11.2.a, 4.3, 5.5)."""
    topics = settling.topics
    state = table.state
    if not box.refused:
        topics.append(fold_topic(table))
        if box.deemed:
            away = box.deemed == WALKED_AWAY
            topics.append(Topic.WALK_AWAY_WITH_DECISIONS_LEFT if away else Topic.DISCRETION)
        settling.lose_main()
        settling.lose("bonus")
        return "folded", ""
    topics.append(Topic.NOT_SHOWING)
    if box.ruled == "return":
        settling.hand_main_back()
    else:
        settling.lose_main()
    if bonus_established(table, box):
        named = state.dealer_shown and Card.UNKNOWN not in state.dealer
        return "not shown", settling.settle_bonus(state.dealer if named else None)
    settling.lose("bonus")
    return "not shown", ""


def _compare(
    table: BankedTable, settling: _Settling, value: HandValue, dealer: HandValue
) -> Result:
    """A full comparison of the best five, side cards and all (B-34)."""
    topics = settling.topics
    result: Result
    if value > dealer:
        result = "won"
        topics.append(Topic.PLAYER_WINS)
        settling.win_main(value.category)
    elif value < dealer:
        result = "lost"
        topics.append(Topic.PLAYER_LOSES)
        settling.lose_main()
    else:
        result = "stand off"
        topics.append(Topic.STAND_OFF)
        settling.hand_main_back()
    topics += (
        Topic.OUTRANK_THE_DEALER,
        Topic.FIVE_CARD_HAND,
        Topic.COMMUNITY_CARDS,
        RANK_TOPICS[value.category],
        RANK_TOPICS[dealer.category],
        Topic.CARD_RANKS,
    )
    if value.category is not dealer.category:
        topics.append(Topic.HAND_CATEGORIES)
    elif value != dealer:
        topics += (Topic.TIE_BREAKS, _TIE_BREAK.get(value.category, Topic.TIE_BREAK_KICKER))
    else:
        topics.append(Topic.TIE_BREAKS)
    return result


_TIE_BREAK = {
    Category.STRAIGHT: Topic.TIE_BREAK_STRAIGHTS,
    Category.STRAIGHT_FLUSH: Topic.TIE_BREAK_STRAIGHTS,
    Category.FIVE_ODD_CARDS: Topic.TIE_BREAK_ODD_CARDS,
    Category.FLUSH: Topic.TIE_BREAK_ODD_CARDS,
}


# -- the jackpot line -----------------------------------------------------------------------------


def jackpot_made(table: BankedTable, box: BoxState, *, unseen: bool = False) -> Made:
    """What the cards of a box come to for the jackpot, as far as they may count; of an `unseen`
    hand only what the board makes alone."""
    state = table.state
    board = state.board[: state.shown]
    not_shown = box.refused and not box.tabled
    folded = box.standing == "folded" or (box.refused and box.ruled != "compare")
    hand_counts = table.by_book[ANY_LINE_AFTER_FOLD] or not folded
    hand_counts_now = hand_counts and not not_shown and not unseen
    cards = box.cards_known() if hand_counts_now and not box.gone else None
    # 4.3 in v6: he has established the hand after all; a real fold has the board alone (3.11.2.a).
    if not hand_counts and box.refused and box.tabled and not box.is_unknown():
        cards, folded = box.cards_known(), False
    if cards is not None and not countable(table, cards):
        cards = None
    if not countable_board(table):
        return Made(folded=folded)
    return table.pays.made(cards, board, folded=folded)


def countable(table: BankedTable, cards: Sequence[Card]) -> bool:
    """Whether a hand can be ranked: as many cards as it should have, and all of them known."""
    return len(cards) == table.by_book[HOLE_CARDS] and Card.UNKNOWN not in cards


def countable_board(table: BankedTable) -> bool:
    """Whether what lies face up can be ranked; not where a deal laid a card too many or too few."""
    state = table.state
    board = state.board[: state.shown]
    right = streets_due(table)[: state.street]
    return not board or (state.laid[: state.street] == right and Card.UNKNOWN not in board)


def jackpot_held(table: BankedTable, box: BoxState, *, unseen: bool = False) -> tuple[Held, ...]:
    """The jackpot lines that the box's stake holds now; of an `unseen` hand those of the board."""
    stake = min(box.progressive, table.state.settings.prescribed)
    made = jackpot_made(table, box, unseen=unseen)
    return found_lines(table.pays, table.state.policies, made, stake)


def _jackpot(table: BankedTable, box: BoxState, settling: _Settling) -> tuple[Held, ...]:
    """Which lines are paid, and what to cite for it."""
    book, topics = table.book, settling.topics
    made = jackpot_made(table, box)
    topics += table.pays.jackpot_topics(made)
    if box.lines_ruled is not None:
        topics.append(Topic.DISCRETION_UNCOVERED)
        pays = book.pay("progressive")
        ruled = (pays.line(line) for line in box.lines_ruled)
        return tuple(Held(line=line) for line in ruled if line is not None)
    held = found_lines(table.pays, table.state.policies, made, settling.progressive)
    if held and book.has(Topic.JACKPOT_QUALIFICATION):
        topics.append(Topic.JACKPOT_QUALIFICATION)
    if book.has(Topic.COMMUNITY_LINES):
        topics.append(Topic.COMMUNITY_LINES)
        if made.best_of_seven is Category.ROYAL_FLUSH and not made.hole_card:
            topics.append(Topic.JACKPOT_HOLE_CARD_NEEDED)
    return held


def _would_qualify(table: BankedTable, box: BoxState) -> bool:
    """A hand that would have been paid, had there been a jackpot bet (4.2.1)."""
    if not table.book.has(Topic.JACKPOT_QUALIFICATION) or table.state.street == 0:
        return False
    return bool(table.pays.jackpot(jackpot_made(table, box)))


# -- applying -------------------------------------------------------------------------------------


@settlement.applies(BoxSettled)
def box_settled(table: BankedTable, event: BoxSettled) -> None:
    state = table.state
    box = state.boxes[event.box]
    handed = 0
    for bet, payout in event.bets.items():
        if getattr(box, bet):
            handed += payout.won + payout.returned
            state.house += payout.lost - payout.won
        box.payouts[bet] = payout
    box.ante = box.bonus = box.progressive = box.flop = box.turn = box.river = 0
    give(state, box.player, handed)
    box.result = event.result
    box.hand = event.hand
    box.bonus_line = event.bonus_line
    box.due = list(event.lines)
    box.instead = event.instead
    if event.dealer:
        state.dealer_hand = event.dealer
    if event.shown:
        box.face_up = list(event.shown)
