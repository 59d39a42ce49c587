"""Bonus and jackpot: counts by brute force over real cards, values, and what others do to them."""

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, permutations
from random import Random

import msgspec
import numpy as np
import pytest

from croupier.cards import DECK, Category, rank_hand
from croupier.lab.base import solve
from croupier.lab.bonus_bet import bonus
from croupier.lab.errors import BadAmount, UnsolvableGame
from croupier.lab.hands import COMBINATIONS, NAMES, hand_number
from croupier.lab.jackpot_bet import amount, fold_from, progressive
from croupier.lab.kernel import card_masks, rank_masks
from croupier.lab.meter import coinciding, long_run, others_ahead
from croupier.lab.outcomes import BY_STREET, every_street_outcome, street_outcomes
from croupier.lab.solver import categories
from croupier.lab.whatif import what_if
from croupier.rulebooks import Made, RulebookError, hole_class, load

V2, V3 = "multi-link-progressive-v2", "multi-link-progressive-v3"
V6 = "progressive-texas-holdem-v6"
ORDER = tuple(Category)


# ---- Bonus -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [V2, V3, V6])
def test_bonus_lines_by_brute_force(name):
    """All 1,624,350 pairs of hands: the player's 1,326 and each time the dealer's 1,225."""
    book = load(name)
    table = book.pay("bonus")
    aces = [card for card in DECK if card.rank.value == "A"]
    counts = Counter()
    for player in combinations(DECK, 2):
        hand = hole_class(*player)
        dealer_aces = sum(not set(pair) & set(player) for pair in combinations(aces, 2))
        for dealer, ways in (("AA", dealer_aces), ("other", 1225 - dealer_aces)):
            if line := table.hole_line(hand, dealer):
                counts[line.id] += ways
    bet = bonus(book)
    assert {line.id: line.count for line in bet.lines} == counts
    assert bet.universe == 1_624_350 == bet.losing + sum(counts.values())


def test_the_value_of_the_bonus_by_hand():
    """Line by line of 1,624,350: player's hands times the dealer's 1,225, the double A-A apart."""
    won = 6 * 1000 + (6 * 1225 - 6) * 30
    pairs = 4 * 25 + 8 * 20 + 12 * 15 + 18 * 10 + 24 * 5 + 54 * 3
    paid = 6 + 4 + 8 + 12 + 18 + 24 + 54
    bet = bonus(load(V3))
    assert bet.ev == Fraction(won + 1225 * pairs - 1225 * (1326 - paid), 1_624_350)
    assert bet.ev == Fraction(-13873, 162435)


def test_the_cap_cuts_winnings_only_above_it():
    book = load(V3)
    free = bonus(book)
    at = bonus(book, stake=100_00)
    assert at.ev == free.ev
    assert bonus(book, stake=100_01).ev < free.ev
    above = bonus(book, stake=150_00)
    first = above.lines[0]
    assert first.winnings == Fraction(100_000_00, 150_00)
    assert above.ev == free.ev - Fraction(first.count, free.universe) * (1000 - first.winnings)
    both = bonus(book, stake=4_000_00)
    assert [line.winnings for line in both.lines[:3]] == [25, 25, 25]
    assert both.variance < free.variance


@pytest.mark.parametrize("stake", [0, -1])
def test_no_stake_is_no_bonus(stake):
    with pytest.raises(BadAmount, match="Bonus stake"):
        bonus(load(V3), stake=stake)


def test_a_bonus_that_is_not_to_one_is_refused():
    changed, _ = what_if(load(V3), ["4.1.bonus.low-pair=$100"])
    with pytest.raises(UnsolvableGame, match=r"4\.1\.bonus\.low-pair"):
        bonus(changed)
    with pytest.raises(UnsolvableGame, match="no Bonus"):
        bonus(load("poker-v5"))


# ---- jackpot: counts -------------------------------------------------------------------------


def all_fives():
    """All 2,598,960 sets of five card indices."""
    cards = chain.from_iterable(combinations(range(52), 5))
    return np.fromiter(cards, np.uint8).reshape(-1, 5)


def test_five_card_lines_by_brute_force():
    """All 2,598,960 Hole Cards and flops, as sets of five cards."""
    hands = all_fives()
    values = rank_masks(card_masks()[hands].sum(axis=1, dtype=np.uint64), cards=5)
    found = Counter(dict(enumerate(np.bincount(categories()[values], minlength=10).tolist())))
    for name in (V2, V3):
        check_five_card_lines(progressive(load(name)), found)


def check_five_card_lines(bet, found):
    assert bet.universe == 2_598_960 == sum(found.values())
    for line, counted in zip(bet.lines, bet.counted(stake=500), strict=True):
        assert counted.count == counted.held == found[line.when.category.order]


def made_of(hole, board):
    """What one deal comes to, from the words of the lines: card by card."""
    flop, turn = board[:3], board[:4]
    best = rank_hand((*hole, *board)).category
    streets = [rank_hand((*hole, *cards)).category for cards in (flop, turn, board)]
    first = ("flop", "turn", "river")[streets.index(best)]
    alone = rank_hand(board).category
    seen = (Category.FOUR_OF_A_KIND, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
    royal = best is Category.ROYAL_FLUSH
    return Made(
        best_of_seven=best if best in seen else None,
        board=alone if alone in seen else None,
        first_complete=first if royal else None,
        hole_card=royal and alone is not best,
    )


def deals_of(seven):
    """The 420 ways in which seven cards can be Hole Cards, flop, Turn Card and River Card."""
    for hole in combinations(seven, 2):
        board = [card for card in seven if card not in hole]
        for turn, river in permutations(board, 2):
            flop = [card for card in board if card not in (turn, river)]
            yield hole, (*flop, turn, river)


def special_sevens(suited):
    """Seven cards with this set of one suit: the others from the other suits, a few of them."""
    others = [card for card in DECK if card not in suited and card.suit is not suited[0].suit]
    random = Random(str(suited))
    return [(*suited, *random.sample(others, 7 - len(suited))) for _ in range(3)]


def test_street_outcomes_of_special_hands_agree_with_cards_one_by_one():
    """Every deal of sampled hands with a Straight or Royal Flush is an outcome that is counted."""
    known = set(every_street_outcome())
    clubs = sorted((card for card in DECK if card.suit.value == "c"), key=lambda c: c.index)
    for suited in ([*clubs[8:]], [*clubs[7:]], [*clubs[4:9]], [clubs[12], *clubs[:4]], clubs[3:10]):
        for seven in special_sevens(tuple(suited)):
            for hole, board in deals_of(seven):
                made = made_of(hole, board)
                assert made in known
                hand = hand_number(hole_class(*hole))
                assert street_outcomes()[hand][made] > 0


@pytest.mark.slow
def test_street_outcomes_by_brute_force():
    """Every seven cards with Four of a Kind or better, in all 420 deals: 112 million of them.

    Suits are alike and so is the order of dealing, so one suit stands for four and the deals of a
    set are counted by what the line asks: which cards are Hole Cards, and which comes last.
    """
    totals = Counter()
    of_value = categories()
    masks = card_masks()
    hands = all_fives()
    for hole in ((0, 1), (0, 12), (8, 12), (0, 13), (12, 25), (11, 25), (3, 30)):
        rest = [card for card in range(52) if card not in hole]
        index = np.array(rest, np.uint8)
        boards = index[hands[hands.max(axis=1) < 50]]
        own = int(masks[hole[0]] | masks[hole[1]])
        five = masks[boards].sum(axis=1, dtype=np.uint64)
        best = of_value[rank_masks(five | np.uint64(own))]
        alone = of_value[rank_masks(five, cards=5)]
        by_index = {card.index: card for card in DECK}
        counted = Counter()
        for place in np.flatnonzero(best >= Category.FOUR_OF_A_KIND.order):
            cards = tuple(by_index[int(i)] for i in boards[place])
            pair = tuple(by_index[i] for i in hole)
            if best[place] == Category.ROYAL_FLUSH.order:
                for turn, river in permutations(cards, 2):
                    flop = [card for card in cards if card not in (turn, river)]
                    counted[made_of(pair, (*flop, turn, river))] += 1
            else:
                board = ORDER[alone[place]]
                seen = alone[place] >= Category.FOUR_OF_A_KIND.order
                made = Made(best_of_seven=ORDER[best[place]], board=board if seen else None)
                counted[made] += 20
        number = hand_number(hole_class(*(by_index[i] for i in hole)))
        counted[Made()] = 20 * len(boards) - sum(counted.values())
        assert dict(counted) == street_outcomes()[number], NAMES[number]
        totals.update(counted)
    assert totals


def test_street_outcomes_add_up_to_what_is_known_of_seven_cards():
    outcomes = every_street_outcome()
    assert sum(outcomes.values()) == BY_STREET == 56_189_515_200
    known = {"royal-flush": 4324, "straight-flush": 37260, "four-of-a-kind": 224848}
    boards = {"royal-flush": 4, "straight-flush": 36, "four-of-a-kind": 624}
    for slug, sevens in known.items():
        category = Category(slug)
        best = sum(n for made, n in outcomes.items() if made.best_of_seven is category)
        alone = sum(n for made, n in outcomes.items() if made.board is category)
        assert Fraction(best, BY_STREET) == Fraction(sevens, 133_784_560)
        assert Fraction(alone, BY_STREET) == Fraction(boards[slug], 2_598_960)
    royal = {
        street: sum(
            n for made, n in outcomes.items() if made.hole_card and made.first_complete == street
        )
        for street in ("flop", "turn", "river")
    }
    assert Fraction(royal["flop"], BY_STREET) == Fraction(4, 2_598_960)
    by_turn = royal["flop"] + royal["turn"]
    assert Fraction(by_turn, BY_STREET) == Fraction(188, 20_358_520)


# ---- jackpot: values -------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "rate"), [(V2, "0.1930"), (V3, "0.3684")])
def test_minor_lines_return_what_the_readings_say(name, rate):
    bet = progressive(load(name))
    assert round(bet.expected(stake=500, meter=0) / 500, 4) == Fraction(rate)


@pytest.mark.parametrize("name", [V2, V3, V6])
@pytest.mark.parametrize("stake", [100, 500, 1000])
def test_at_the_break_even_meter_the_bet_is_even(name, stake):
    bet = progressive(load(name))
    meter = bet.break_even(stake=stake)
    assert bet.ev(stake=stake, meter=meter) == 0
    assert bet.ev(stake=stake, meter=meter + 1) > 0
    assert bet.ev(stake=stake, meter=meter - 1) < 0


def test_break_even_of_v3_by_hand():
    """The minor lines give back so much of the stake; the rest must come from the meter."""
    minor = 624 * 400 + 3744 * 80 + 5108 * 40 + 10200 * 20
    share = 4 + Fraction(36, 10)
    even = 500 * (2_598_960 - minor) / share
    assert progressive(load(V3)).break_even(stake=500) == even == Fraction(2051900000, 19)


def test_a_bet_that_never_loses_or_never_wins_has_its_break_even_at_nothing_or_nowhere():
    book = load(V3)
    rich, _ = what_if(book, ["4.2.minor.straight=500 for 1"])
    assert progressive(rich).break_even(stake=500) == 0
    poor, _ = what_if(book, ["4.2.major.royal-flush=1 for 1", "4.2.major.straight-flush=nothing"])
    assert progressive(poor).break_even(stake=500) is None


def test_v6_pays_one_line_the_most_valuable():
    bet = progressive(load(V6))
    royal_over_board = Made(
        best_of_seven=Category.ROYAL_FLUSH,
        board=Category.STRAIGHT_FLUSH,
        first_complete="river",
        hole_card=True,
    )

    def paid(meter):
        [line] = bet.paid(royal_over_board, stake=500, meter=meter)
        return line.id, amount(line, stake=500, meter=meter)

    # B-19: 5% of a meter below 30,000 is less than the community line of 1,500.
    assert paid(29_999_99) == ("4.2.community.straight-flush", 1_500_00)
    assert paid(30_000_00) == ("4.2.major.royal-flush-river", 1_500_00)
    assert paid(30_000_20) == ("4.2.major.royal-flush-river", 1_500_01)
    [line] = bet.paid(royal_over_board, stake=500, meter=None)
    assert line.id == "4.2.major.royal-flush-river"


def test_v6_lines_add_up_only_by_policy():
    one = progressive(load(V6))
    every = progressive(load(V6), policies={"v6-lines": "all-lines"})
    assert every.expected(stake=500, meter=10**7) > one.expected(stake=500, meter=10**7)
    for single, added in zip(one.counted(stake=500), every.counted(stake=500), strict=True):
        assert added.count == added.held == single.held >= single.count
    by_setting, _ = what_if(load(V6), ["v6-lines=all-lines"])
    assert progressive(by_setting) == every
    with pytest.raises(RulebookError, match="no policy 'lines'"):
        progressive(load(V6), policies={"lines": "all"})


def test_the_value_is_that_of_its_lines():
    for name in (V2, V3, V6):
        bet = progressive(load(name))
        for meter in (0, 20_000_00, 1_000_000_00):
            total = sum(
                counted.count * amount(line, stake=500, meter=meter)
                for line, counted in zip(
                    bet.lines, bet.counted(stake=500, meter=meter), strict=True
                )
            )
            assert bet.expected(stake=500, meter=meter) == total / bet.universe


def test_by_starting_hand_and_after_a_fold():
    bet = progressive(load(V6))
    live = [bet.live(n, stake=500, meter=10**7) for n in range(169)]
    mean = sum(x * n for x, n in zip(live, COMBINATIONS, strict=True)) / 1326
    assert mean == bet.expected(stake=500, meter=10**7)
    for number in range(169):
        assert bet.after_fold(number, stake=500, meter=10**7) < live[number]
    # All folded: the community lines alone, whoever holds what.
    folded = bet.expected_with_folds(range(169), stake=500, meter=10**7)
    assert folded == Fraction(4 * 10_000_00 + 36 * 1_500_00 + 624 * 300_00, 2_598_960)
    with pytest.raises(UnsolvableGame, match="a fold changes nothing"):
        progressive(load(V3)).live(0, stake=500, meter=0)


def test_a_small_ante_is_not_folded_with_a_jackpot_stake_down():
    book = load(V6)
    solution, bet = solve(book), progressive(book)
    found = {one.hand: one for one in fold_from(bet, solution, stake=500, meter=100_000_00)}
    assert tuple(found) == solution.fold_hands
    for one in found.values():
        hand = solution.hand(one.hand)
        below, above = one.ante * Fraction(99, 100), one.ante * Fraction(101, 100)
        assert below * hand.play + one.jackpot > -below
        assert above * hand.play + one.jackpot < -above
    v3 = load(V3)
    assert all(
        one.ante == one.jackpot == 0
        for one in fold_from(progressive(v3), solve(v3), stake=500, meter=10**8)
    )


@pytest.mark.parametrize(("stake", "meter"), [(0, 0), (-5, 0), (500, -1)])
def test_amounts_less_than_nothing_are_refused(stake, meter):
    with pytest.raises(BadAmount, match=r"stake|meter"):
        progressive(load(V3)).ev(stake=stake, meter=meter)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (V6, {"category": Category.FLUSH}),
        (V6, {"cards": "hole-and-flop"}),
        (V6, {"category": Category.STRAIGHT_FLUSH, "first_complete": "turn"}),
        (V3, {"cards": "board"}),
        (V3, {"folded": False}),
    ],
)
def test_lines_that_the_lab_cannot_count_are_refused_by_name(name, change):
    book = load(name)
    table = book.pay("progressive")
    first = table.lines[0]
    line = msgspec.structs.replace(first, when=msgspec.structs.replace(first.when, **change))
    table = msgspec.structs.replace(table, lines=(line, *table.lines[1:]))
    changed = msgspec.structs.replace(book, pays={**book.pays, "progressive": table})
    with pytest.raises(UnsolvableGame) as error:
        progressive(changed)
    assert error.value.part == first.id


# ---- several players -------------------------------------------------------------------------


def test_two_majors_at_one_table_by_brute_force():
    """Every suited flop and every two pairs of cards of its suit, ranked as real cards."""
    bet = progressive(load(V3))
    clubs = [card for card in DECK if card.suit.value == "c"]
    counts = Counter()
    percent = {Category.STRAIGHT_FLUSH: 10, Category.ROYAL_FLUSH: 100}
    for flop in combinations(clubs, 3):
        rest = [card for card in clubs if card not in flop]
        held = {}
        for pair in combinations(rest, 2):
            category = rank_hand((*flop, *pair)).category
            if category in percent:
                held[pair] = percent[category]
        for (one, mine), (other, theirs) in permutations(held.items(), 2):
            if not set(one) & set(other):
                counts[mine, theirs] += 4
    universe = 22_100 * 1176 * 1081
    assert coinciding(bet) == {both: Fraction(n, universe) for both, n in counts.items()}
    assert (100, 100) not in counts


def test_boxes_ahead_cost_the_last_one_a_little():
    bet = progressive(load(V3))
    cost = [others_ahead(bet, ahead=n, meter=10**7, reset=10**6) for n in range(4)]
    assert cost[0] == 0 < cost[1]
    assert cost[3] == 3 * cost[1]
    assert others_ahead(progressive(load(V6)), ahead=6, meter=10**7, reset=10**6) == 0


def test_in_the_long_run_a_stake_gets_back_what_it_brings():
    for name in (V2, V3, V6):
        bet = progressive(load(name))
        alone = long_run(bet, contribution=100, reset=10**6, players=1, stake=500)
        many = long_run(bet, contribution=100, reset=10**6, players=7, stake=500)
        assert alone.paid == many.paid == 100 + Fraction(10**6, 649_740)
        assert alone.at_award == many.at_award
        assert many.displayed < alone.displayed
        assert many.rounds_between < alone.rounds_between == 649_740


def test_the_steady_state_is_one():
    """Play the mean of a round forward from it: it comes out where it began."""
    bet = progressive(load(V3))
    found = long_run(bet, contribution=150, reset=5_000_000, players=3, stake=500)
    whole, taken = Fraction(4, 2_598_960), Fraction(4, 2_598_960) + Fraction(36, 25_989_600)
    meter = found.displayed + 3 * 150
    seen = []
    for _ in range(3):
        seen.append(meter)
        meter = (1 - taken) * meter + whole * 5_000_000
    assert meter == found.displayed
    assert sum(seen) / 3 == found.at_award


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"contribution": -1}, "contribution"),
        ({"reset": -1}, "reset value"),
        ({"players": 0}, "players"),
    ],
)
def test_a_meter_that_cannot_be_is_refused(changes, problem):
    given = {"contribution": 100, "reset": 10**6, "players": 1, "stake": 500, **changes}
    with pytest.raises(BadAmount, match=problem):
        long_run(progressive(load(V3)), **given)
    with pytest.raises(BadAmount):
        others_ahead(progressive(load(V3)), ahead=22, meter=1, reset=1)
