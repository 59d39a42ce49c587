"""Every bet of every settled box in the shipped cases says why it won or lost, by its paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from croupier.banked import BankedTable
from croupier.banked.reasons import Reason, reasons_of
from croupier.banked.state import BoxState
from croupier.pit.case import read_case
from croupier.pit.registry import GAMES
from croupier.pit.runner import stage_case
from tests.shipped import shipped_results

BOOKS = ("multi-link-progressive-v3", "multi-link-progressive-v2", "progressive-texas-holdem-v6")
Settled = tuple[str, BankedTable, BoxState]
GONE = "Lost: your cards were gone, and the House ruled that no line is paid."


@cache
def settled(book: str) -> list[Settled]:
    """The boxes that lie settled at the end of the cases of a book, with the name of the case."""
    return [found for found in _all_settled() if found[1].book.id == book]


@cache
def _all_settled() -> tuple[Settled, ...]:
    return tuple(_boxes())


def _boxes() -> Iterator[Settled]:
    for first in shipped_results().values():
        for result in first.in_each_book():
            if result.case.book.id not in BOOKS:
                continue
            if not result.case.paragraphs[0].startswith(("1.", "3.", "4.")):
                continue
            pit, _ = stage_case(result.case, GAMES)
            for table in pit.tables.values():
                assert isinstance(table, BankedTable)
                for box in table.state.boxes.values():
                    if box.result is not None:
                        yield result.case.title, table, box


def why(book: str, case: str, bet: str, number: int = 1) -> Reason:
    """The reason of one bet in the case whose title begins so."""
    for title, table, box in settled(book):
        if title.startswith(case) and table.state.boxes[number] is box:
            return reasons_of(table, box)[bet]
    raise AssertionError(case)


@pytest.mark.parametrize("book", BOOKS)
def test_every_settled_bet_says_why(book: str):
    assert len(settled(book)) > 40
    for title, table, box in settled(book):
        found = reasons_of(table, box)
        assert found.keys() == box.payouts.keys(), title
        for bet, reason in found.items():
            payout = box.payouts[bet]
            word = reason.says.split()[0].rstrip(":.")
            jackpot = bet == "progressive" and (box.due or box.paid_lines)
            expected = "Won" if payout.won or jackpot else "Lost" if payout.lost else "Back"
            assert word == expected, (title, bet, reason, payout)
            assert reason.cites, (title, bet, reason)
            assert all(table.book.paragraph(cite) for cite in reason.cites)


def test_a_hand_that_came_too_late_for_the_jackpot():
    found = why("multi-link-progressive-v3", "Only Hole Cards and flop make", "progressive")
    assert found.says == (
        "Lost: no line pays for Five Odd Cards, King high. Only your two Hole Cards and the Flop "
        "count here. Your Royal Flush came with the Turn or the River."
    )
    assert found.cites[0] == "1.21"


def test_a_folded_hand_of_v6_has_no_line_whatever_it_is():
    found = why("progressive-texas-holdem-v6", "A folded box gains nothing", "progressive")
    assert found.says == (
        "Lost: you folded, so only the Community Cards count, and no line pays for them."
    )
    assert "3.11.2.a" in found.cites


def test_one_bonus_line_asks_for_the_dealers_cards():
    found = why("multi-link-progressive-v3", "Aces in the player's and the dealer's", "bonus")
    assert found.says.endswith("Your two Hole Cards and the dealer's count here.")


def test_nobody_is_told_of_cards_that_were_not_looked_at():
    for book in BOOKS:
        for _, table, box in settled(book):
            if box.examined or box.face_up or "progressive" not in box.payouts:
                continue
            says = reasons_of(table, box)["progressive"].says
            if box.lines_ruled == []:
                assert says == GONE
                continue
            assert says.startswith(("Lost: there is no line for it.", "Back: ", "Won: ")), says


def test_a_bonus_that_is_cut_says_so_and_one_at_the_cap_is_not_cut():
    above = why("multi-link-progressive-v3", "A Bonus of 150 on double aces", "bonus")
    assert above.says.startswith("Won 1000 to 1, cut to the most that is paid, 100,000: Pair of")
    at_it = why("multi-link-progressive-v3", "A Bonus of 100 on double aces", "bonus")
    assert at_it.says.startswith("Won 1000 to 1: Pair of Aces.")


TABLE = """
title = "{title}"
rulebook = "multi-link-progressive-v3"
paragraphs = ["5.15"]
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
dealing = "by-hand"
[boxes]
1 = {{ player = "Ann", ante = 50, bonus = 5, cards = "Kh Jd" }}
2 = {{ player = "Ben", ante = 25, cards = "7c 2d" }}
"""


def told(title: str, *steps: str, table: str = TABLE) -> dict[str, Reason]:
    """Why the bets of box 1 came out as they did after these steps."""
    text = table.format(title=title) + "".join(f"\n[[step]]\n{step}\n" for step in steps)
    text += "expect.round = 1\n"
    pit, _ = stage_case(read_case(text, title, GAMES), GAMES)
    (played,) = pit.tables.values()
    assert isinstance(played, BankedTable)
    return reasons_of(played, played.state.boxes[1])


def test_a_cancelled_hand_is_told_by_the_rule_that_cancelled_it():
    found = told(
        "Three cards",
        'do = "deal to decisions"',
        'do = "report wrong count"\nbox = 1\ncards = 3',
        'do = "decide"\ndecision = "can it be reconstructed"\noption = "no"',
    )
    assert found["ante"] == Reason(says="Back: your hand was cancelled.", cites=("5.15",))


def test_whoever_walked_away_is_told_of_himself_as_you():
    found = told(
        "Away",
        'do = "deal to decisions"',
        'do = "report walk away"\nplayer = "Ann"',
        'do = "play to settlement"',
    )
    assert found["ante"].says == "Lost: your hand counts as folded (you walked away)."
    assert found["ante"].cites == ("5.5",)


def test_a_hand_that_is_folded_by_ruling_is_told_so_although_its_player_walks_away_later():
    found = told(
        "Ruled",
        'do = "deal to decisions"',
        'do = "call for ruling"\nabout = "uncovered"\nsays = "A phone."',
        'do = "decide"\ndecision = "ruling"\noption = "treat as folded"\ndetails = { box = 1 }',
        'do = "report walk away"\nplayer = "Ann"',
        'do = "play to settlement"',
    )
    assert found["ante"].says == "Lost: your hand counts as folded (by ruling)."
    assert found["ante"].cites[0] == "5.23"


def test_a_bonus_laid_open_after_a_refusal_has_no_line_by_its_cards():
    found = told(
        "Laid open",
        'do = "play to river"',
        'do = "deal dealer"',
        'do = "reveal dealer"',
        'do = "refuse to show"\nbox = 1',
        'do = "table cards"\nbox = 1',
        'do = "settle"',
    )
    assert found["ante"].says == "Lost: your cards were not shown."
    assert found["bonus"].says.startswith("Lost: no line pays for King and Jack")


def test_a_folded_jackpot_bet_that_went_back_is_told_by_the_rule_that_gave_it_back():
    staked = TABLE.replace("bonus = 5, cards", "progressive = true, cards")
    folded = ('do = "deal to decisions"', 'do = "look"\nseat = 1', 'do = "fold"\nbox = 1')
    unregistered = told(
        "Unregistered",
        *folded,
        'do = "report jackpot fault"\nunregistered = [1]',
        'do = "play to settlement"',
        table=staked,
    )
    says = "Back: it did not count in this round."
    assert unregistered["progressive"] == Reason(says=says, cites=("5.17.1", "5.17"))
    one = "after a dealing error"
    error = 'do = "report dealing error"\nsays = "?"\naffected = [1]'
    judged = 'do = "decide"\ndecision = "can it be reconstructed"\noption = "no"'
    back = f'do = "decide"\ndecision = "{one}"\noption = "take bets back"'
    withdrawn = told(
        "Withdrawn", *folded, error, judged, back, 'do = "play to settlement"', table=staked
    )
    assert withdrawn["progressive"] == Reason(says=says, cites=("5.10.3", "5.10"))


def test_a_withdrawn_jackpot_bet_of_a_settled_box_is_told_by_the_choice():
    staked = TABLE.replace("bonus = 5, cards", "progressive = true, cards")
    found = told(
        "Withdrawn late",
        'do = "deal to decisions"',
        'do = "look"\nseat = 1',
        'do = "fold"\nbox = 1',
        'do = "play to settlement"',
        'do = "report wrong count"\nbox = 2\ncards = 3\naffected = [1]',
        'do = "decide"\ndecision = "confirm report"\noption = "confirm"',
        'do = "decide"\ndecision = "can it be reconstructed"\noption = "no"',
        'do = "decide"\ndecision = "after a dealing error"\noption = "take bets back"',
        table=staked,
    )
    assert found["progressive"].says == "Back: it did not count in this round."
    assert found["progressive"].cites == ("5.10.3", "5.10")


def test_where_cards_are_gone_the_ruling_is_the_reason_and_no_hand():
    flush = TABLE.replace("bonus = 5, cards", "progressive = true, cards")
    flush = flush.replace("Kh Jd", "9h 3h") + '[board]\nflop = "Kh Qh 2h"\n'
    found = told(
        "Gone",
        'do = "deal to decisions"',
        'do = "look"\nseat = 1',
        'do = "everybody folds"',
        'do = "report cards gone"\nbox = 1',
        'do = "deal flop"',
        'do = "reveal flop"',
        'do = "settle"',
        'do = "decide"\ndecision = "cards gone"\noption = "no payout"\nreason = "nobody knows"',
        'do = "settle"',
        table=flush,
    )
    assert found["progressive"] == Reason(says=GONE, cites=("4.4", "5.23.a", "5.23"))


ALL_LINES = """
title = "{title}"
rulebook = "progressive-texas-holdem-v6"
paragraphs = ["4.2"]
policies = {{ v6-lines = "all-lines" }}
link = "main"
[links.main]
reset_value = 50000
contribution = 1
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
effective = 2020-01-01T08:00:00+08:00
[boxes]
1 = {{ player = "Ann", ante = 50, progressive = true, cards = "Ah 3h" }}
[board]
flop = "Kh Qh 9h"
turn = "Jh"
river = "10h"
"""


def test_of_several_lines_what_is_paid_and_what_is_to_be_paid_yet_are_told_apart():
    waiting = told("Both lines", 'do = "play to settlement"', table=ALL_LINES)["progressive"]
    kept = "The bet itself is kept by the House, won or lost."
    assert waiting.says == (
        f"Won: Community Straight Flush pays 1,500, and Royal Flush on River is being paid. {kept}"
    )
    at_once = ALL_LINES.replace("contribution = 1", 'contribution = 1\npayment = "at once"')
    paid = told("Both paid", 'do = "play to settlement"', table=at_once)["progressive"]
    assert paid.says == (
        f"Won: Community Straight Flush and Royal Flush on River pay 4,000.05. {kept}"
    )


def test_a_hand_that_is_compared_though_it_was_not_shown_has_no_jackpot_line_for_that():
    found = told(
        "Compared",
        'do = "deal to decisions"',
        'do = "look"\nseat = 1',
        'do = "play to river"',
        'do = "reveal dealer"',
        'do = "refuse to show"\nbox = 1',
        'do = "decide"\ndecision = "not shown"\noption = "compare"',
        'do = "settle"',
        table=UNSHOWN,
    )
    assert found["ante"].says.startswith("Back without winnings") or found["ante"].says[:3] == "Won"
    assert found["progressive"].says == "Lost: your cards were not shown."
    assert found["progressive"].cites[0] == "4.3"


UNSHOWN = """
title = "{title}"
rulebook = "progressive-texas-holdem-v6"
paragraphs = ["4.3"]
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
effective = 2020-01-01T08:00:00+08:00
dealing = "by-hand"
device = "shuffler"
[boxes]
1 = {{ player = "Ann", ante = 50, progressive = true, cards = "9h 9d" }}
[board]
flop = "9c 9s 2h"
turn = "Jh"
river = "5c"
[dealer]
cards = "As Kd"
"""


def test_a_bonus_above_its_maximum_that_wins_just_what_is_paid_at_most_is_not_cut():
    """20 times 5,000 is 100,000; the 1,000 above the maximum go back (4.1.1, 5.1.1)."""
    high = TABLE.replace("bonus_maximum = 500", "bonus_maximum = 5000")
    high = high.replace(", bonus = 5, cards", ", cards").replace("Kh Jd", "Ah Qh")
    found = told(
        "At the cap",
        'do = "place bets"',
        'do = "report chips"\nbox = 1\nbet = "bonus"\namount = 6000',
        'do = "play to settlement"',
        table=high,
    )
    assert found["bonus"].says.startswith("Won 20 to 1: Ace and Queen")
    assert "4.1.1" not in found["bonus"].cites
