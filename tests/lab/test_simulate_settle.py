"""Settlement against one written independently: from the pay tables on paper, card by card.

Nothing here reads the rulebooks' data or the lab's tables; only single hands are ranked by
`croupier.cards`.
"""

import functools
from itertools import combinations

import numpy as np
import pytest

from croupier.cards import DECK, Category, rank_hand, read_cards
from croupier.lab.floor import Floor, Link, Major, run_link
from croupier.lab.simulate import outcomes
from croupier.lab.simulate_kernel import BETS_RIVER, BETS_TURN, PLAYS
from croupier.lab.simulate_pay import Stakes, schedule
from croupier.rulebooks import load

V2, V3, V6 = (
    "multi-link-progressive-v2",
    "multi-link-progressive-v3",
    "progressive-texas-holdem-v6",
)
BY_INDEX = {card.index: card for card in DECK}
RF, SF, QUADS = Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH, Category.FOUR_OF_A_KIND


class PlainMeter:
    def __init__(self, start, reset, partial="deduct", top_up="no"):
        self.value, self.reset, self.partial, self.top_up = start, reset, partial, top_up

    def pay(self, percent):
        amount = self.worth(percent)
        self.value -= amount
        if percent == 100 or self.partial == "reset":
            self.value = self.reset
        if self.top_up == "yes":
            self.value = max(self.value, self.reset)
        return amount

    def worth(self, percent):
        whole, rest = divmod(self.value * percent, 100)
        return whole + (rest >= 50)


def plain_main(ante, board, dealer, hole, turn, river):
    bets = {"flop": 2 * ante, "turn": ante * turn, "river": ante * river}
    own, theirs = rank_hand((*board, *hole)), rank_hand((*board, *dealer))
    if own == theirs:
        return 0
    if own < theirs:
        return -ante - sum(bets.values())
    return sum(bets.values()) + (ante if own.category >= Category.STRAIGHT else 0)


def plain_bonus(stake, hole, dealer):
    def same_rank(cards, letters):
        return cards[0].rank is cards[1].rank and cards[0].rank.value in letters

    def two(letters):
        return {card.rank.value for card in hole} == set(letters)

    suited = hole[0].suit is hole[1].suit
    if same_rank(hole, "A"):
        times = 1000 if same_rank(dealer, "A") else 30
    elif two("AK"):
        times = 25 if suited else 15
    elif two("AQ") or two("AJ"):
        times = 20 if suited else 5
    elif same_rank(hole, "KQJ"):
        times = 10
    elif hole[0].rank is hole[1].rank:
        times = 3
    else:
        return -stake
    return min(times * stake, 10_000_000)


def plain_progressive(book, stake, board, hole, folded, meter, lines="best-single"):
    """What is handed over for the stake, which is always kept."""
    if book != V6:
        category = rank_hand((*hole, *board[:3])).category
        if category is RF:
            return meter.pay(100)
        if category is SF:
            return meter.pay(10)
        if book == V2:
            fixed = {QUADS: 2000_00, Category.FULL_HOUSE: 200_00, Category.FLUSH: 100_00}
            return fixed.get(category, 0)
        times = {QUADS: 400, Category.FULL_HOUSE: 80, Category.FLUSH: 40, Category.STRAIGHT: 20}
        return times.get(category, 0) * stake
    fixed, shares = [], []
    alone = rank_hand(board).category
    fixed.append({RF: 10_000_00, SF: 1500_00, QUADS: 300_00}.get(alone, 0))
    if not folded:
        best = rank_hand((*board, *hole)).category
        fixed.append({SF: 1500_00, QUADS: 300_00}.get(best, 0))
        if best is RF:
            royal = next(
                set(five)
                for five in combinations((*board, *hole), 5)
                if rank_hand(five).category is RF
            )
            if royal <= {*board[:3], *hole}:
                shares.append(100)
            elif royal <= {*board[:4], *hole}:
                shares.append(25)
            elif royal & set(hole):
                shares.append(5)
    if lines == "all-lines":
        return sum(fixed) + sum(meter.pay(percent) for percent in shares)
    if shares and meter.worth(shares[0]) >= max(fixed):
        return meter.pay(shares[0])
    return max(fixed)


def deals(rng, count, boxes):
    """Random rounds, most of them from a few cards only, so that every line comes up."""
    pools = [
        list(range(52)),
        [suit * 13 + rank for suit in range(4) for rank in range(8, 13)],
        [*range(13), 25, 24, 38, 51],
        [*range(7, 13), 25, 38, 51],
        [*range(6, 13), 25, 24, 38, 37, 51, 50],
        [suit * 13 + rank for suit in range(4) for rank in (0, 1, 2, 3, 12)],
    ]
    pools = [pool for pool in pools if len(pool) >= 7 + 2 * boxes]
    rows = [rng.permutation(pools[i % len(pools)])[: 7 + 2 * boxes] for i in range(count)]
    for i in range(0, count, 7):  # flop Q-J-10 suited, the other high cards about
        others = [12, 11, 7, 6, 25, 24, 23, 38, 37, 36, 51, 50, 49]
        rows[i] = np.array([10, 9, 8, *rng.permutation(others)][: 7 + 2 * boxes])
    return np.array(rows, np.uint8)


def rows(*texts):
    return np.array([[card.index for card in read_cards(text)] for text in texts], np.uint8)


# Board, dealer, one box.
FAMOUS = rows(
    "Qd Jd Td 3c 4s  2h 7h  Ad Kd",  # a Royal Flush on the flop
    "Qd Jd Td 9d 8d  2h 7h  Ad Kd",  # and a straight flush on the board
    "Qd Jd 3c Td 4s  2h 7h  Ad Kd",  # on the turn
    "Qd Jd 9d Td 8d  2h 7h  Ad Kd",
    "Qd Jd 3c 4s Td  2h 7h  Ad Kd",  # on the river
    "Qd Jd Td Kd 4s  2h 7h  Ad Ac",  # with one hole card
    "Qd Jd 9d 8d Td  2h 7h  Ad Kd",
    "Ad Kd Qd Jd Td  2h 7h  9d 8d",  # on the board alone
    "Ah Kh Qh Jh Th  As Ac  Ad Kd",
    "8h 7h 6h 5h 4h  As Ac  9h Td",  # a straight flush on the board, and a better one
    "8h 7h 6h 5h 4h  As Ac  2c 3d",
    "9c 9d 9h 9s 2c  As Ac  2d 2h",  # four of a kind on the board
    "9h 9s 5c Kd 2h  As Ac  9c 9d",  # and with hole cards
    "5h 4h 3h 2h Kd  As Ac  Ah 7d",  # the steel wheel
    "Ks Kd 2c 7h 8d  Ac Ah  Ad As",  # aces against aces
)


@functools.cache
def paid(book, stakes, policies):
    return schedule(load(book), stakes, dict(policies))


def settled(book, stakes, cards, decisions, *, link, policies=None):
    """What the lab makes of the rounds: money by round and box, and the meter at the end."""
    pays = paid(book, stakes, tuple((policies or {}).items()))
    codes = outcomes(pays, cards, decisions)
    money = pays.lookup.money[codes]
    boxes = decisions.shape[1]
    majors = [
        Major(i, 0, box, int(codes[i, box]))
        for i in range(len(cards))
        for box in range(boxes)
        if pays.lookup.major[codes[i, box] % len(pays.sets)]
    ]
    story = run_link(pays, link, Floor(boxes=boxes), majors, rounds=len(cards))
    for award in story.awards:
        money[award.round, award.box] += award.paid
    return money, story


def plainly(book, stakes, cards, decisions, *, link, policies=None):
    chosen = policies or {}
    meter = PlainMeter(
        link.start,
        link.reset,
        chosen.get("partial-award", "deduct"),
        chosen.get("top-up-to-reset", "no"),
    )
    money = np.zeros(decisions.shape, np.int64)
    for i, row in enumerate(cards):
        dealt = [BY_INDEX[int(card)] for card in row]
        board, dealer = dealt[:5], dealt[5:7]
        meter.value += decisions.shape[1] * link.contribution
        for box in range(decisions.shape[1]):
            hole = dealt[7 + 2 * box : 9 + 2 * box]
            bits = int(decisions[i, box])
            if bits & PLAYS:
                bets = bool(bits & BETS_TURN), bool(bits & BETS_RIVER)
                won = plain_main(stakes.ante, board, dealer, hole, *bets)
                won += plain_bonus(stakes.bonus, hole, dealer)
            else:
                won = -stakes.ante - stakes.bonus
            if stakes.progressive:
                lines = chosen.get("v6-lines", "best-single")
                folded = not bits & PLAYS
                won += plain_progressive(
                    book, stakes.progressive, board, hole, folded, meter, lines
                )
            money[i, box] = won - stakes.progressive
    return money, meter.value


STAKES = Stakes(ante=2500, bonus=1500, progressive=500)
POLICIES = [
    {},
    {"partial-award": "reset"},
    {"top-up-to-reset": "yes"},
]


@pytest.mark.parametrize("policies", POLICIES, ids=str)
@pytest.mark.parametrize("book", [V2, V3, V6])
@pytest.mark.parametrize("meter", [12_345_67, 250_000_03])
def test_every_cent_agrees_with_a_plain_settlement(book, policies, meter):
    rng = np.random.default_rng(8)
    link = Link(reset=10_000_00, contribution=133, meter=meter)
    for boxes in (1, 3):
        cards = deals(rng, 1500, boxes)
        decisions = rng.choice(np.array([0, 1, 3, 5, 7], np.uint8), (len(cards), boxes))
        money, story = settled(book, STAKES, cards, decisions, link=link, policies=policies)
        plain, value = plainly(book, STAKES, cards, decisions, link=link, policies=policies)
        wrong = np.flatnonzero((money != plain).any(axis=1))
        assert not len(wrong), [str(BY_INDEX[c]) for c in cards[wrong[0]].tolist()]
        assert story.end == value
        assert len(story.awards) > 3, "the deals above are made so that majors come up"


@pytest.mark.parametrize("book", [V2, V3, V6])
@pytest.mark.parametrize("plays", [PLAYS, PLAYS | BETS_TURN | BETS_RIVER, 0])
@pytest.mark.parametrize("meter", [100_00, 20_000_00, 1_000_000_00])
def test_famous_rounds_agree_one_by_one(book, plays, meter):
    link = Link(reset=500_00, contribution=0, meter=meter)
    decisions = np.array([[plays]], np.uint8)
    for row in FAMOUS:
        cards = row[None]
        money, story = settled(book, STAKES, cards, decisions, link=link)
        plain, value = plainly(book, STAKES, cards, decisions, link=link)
        shown = " ".join(str(BY_INDEX[int(card)]) for card in row)
        assert (money[0, 0], story.end) == (plain[0, 0], value), shown


def test_all_lines_of_v6_are_paid_where_the_policy_says_so():
    rng = np.random.default_rng(8)
    link = Link(reset=10_000_00, contribution=100, meter=80_000_00)
    cards = np.concatenate([FAMOUS, deals(rng, 1500, 1)])
    decisions = np.full((len(cards), 1), 7, np.uint8)
    policies = {"v6-lines": "all-lines"}
    money, story = settled(V6, STAKES, cards, decisions, link=link, policies=policies)
    plain, value = plainly(V6, STAKES, cards, decisions, link=link, policies=policies)
    assert (money == plain).all()
    assert story.end == value


def test_the_bonus_is_cut_at_its_cap_at_and_above_it():
    aces = FAMOUS[-1:]
    decisions = np.array([[PLAYS]], np.uint8)
    for stake, won in ((99_99, 9_999_000), (100_00, 10_000_000), (100_01, 10_000_000)):
        stakes = Stakes(ante=100, bonus=stake)
        money, _ = settled(V3, stakes, aces, decisions, link=Link(reset=0, contribution=0))
        assert money[0, 0] == won, "the main bets stand off"


def test_the_worked_example_of_the_readings():
    """3.5: ten percent, the rest, then ten percent of the reset value."""
    link = Link(reset=50_000_00, contribution=0, meter=99_999_00)
    flop = "Qd Jd Td"
    cards = rows(
        f"{flop} 3c 4s  2h 7h  9d 8d  Ad Kd",
        "6h 5h 4h 3c 4s  2h 7h  8h 7d  8c 7c",
        "6h 5h 4h 3c 4s  2s 7d  8h 7h  8c 7c",
    )
    decisions = np.full((3, 2), PLAYS, np.uint8)
    _, story = settled(V3, Stakes(ante=100, progressive=500), cards, decisions, link=link)
    paid = [(award.paid, award.after) for award in story.awards]
    assert paid == [(9_999_90, 89_999_10), (89_999_10, 50_000_00), (5_000_00, 45_000_00)]
    assert [award.full for award in story.awards] == [False, True, False]
