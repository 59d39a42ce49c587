"""Rounds from the log of a poker table: told by hand, from every shipped case, in every format."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from croupier.cards import read_cards
from croupier.formats.errors import FormatError
from croupier.formats.export import FORMATS, export_rounds, formats_for, read_log
from croupier.formats.export_poker import poker_hands
from croupier.formats.export_sums import as_counted, check_sums, put_in, uncalled_of
from croupier.formats.hand import Act, Hand
from croupier.formats.ohh import read_ohh
from croupier.formats.ohh_write import write_ohh
from croupier.formats.phh_write import write_phh
from croupier.formats.pokerstars import write_pokerstars
from croupier.formats.pokerstars_read import read_pokerstars
from croupier.rulebooks import load
from croupier.table import AUDITOR, PUBLIC, Event, Viewer, player
from tests.formats.export_logs import (
    EVERY,
    Log,
    can_be_counted,
    log_of,
    shipped,
    shipped_case,
)
from tests.formats.test_banked_record import FLUSH

SIDE_POT = """
title = "A short all-in, a side pot, an uncalled raise, and a Rake at its cap"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.19.3"]
[table]
blinds = [5, 10]
button = 6
rake = { percent = 5, cap = 10 }
[seats]
3 = { player = "Cho", stake = 510, cards = "Qh Qs" }
4 = { player = "Dev", stake = 160, cards = "9c 9d" }
6 = { player = "Eli", stake = 500, cards = "Ah Kh" }
[board]
flop = "2c 7d Jh"
turn = "3s"
river = "4s"
[[step]]
do = "deal to flop"
[[step]]
do = "bet"
seat = 3
to = 100
[[step]]
do = "all in"
seat = 4
[[step]]
do = "call"
seat = 6
[[step]]
do = "call"
seat = 3
[[step]]
do = "check"
seat = 3
[[step]]
do = "bet"
seat = 6
to = 200
[[step]]
do = "all in"
seat = 3
[[step]]
do = "fold"
seat = 6
[[step]]
do = "play round"
expect.stakes = { 3 = 1020, 4 = 0, 6 = 140 }
"""


def only(text: str, viewer: Viewer = AUDITOR) -> Hand:
    log, book = log_of(text)
    [hand] = poker_hands(log, book, viewer)
    return hand


def told(hand: Hand) -> list[str]:
    """The Actions of a hand, briefly."""
    return [
        f"{street.name} {act.seat} {act.do}" + (f" {act.to // 100}" if act.by else "")
        for street in hand.streets
        for act in street.acts
        if act.do != "note"
    ]


def remarks(hand: Hand) -> list[Act]:
    return [act for street in hand.streets for act in street.acts if act.do == "note"]


def cards(found: Any) -> str:
    return " ".join(map(str, found))


# -- one hand, worked out by hand ------------------------------------------------------------------


def test_a_round_is_told_exactly():
    hand = only(SIDE_POT)
    assert (hand.number, hand.table, hand.button, hand.seats) == (1, "table", 6, 9)
    assert [p.seat for p in hand.players] == [3, 4, 6], "from the left of the button"
    assert [(p.seat, p.kind, p.amount, p.dead) for p in hand.posts] == [
        (3, "small blind", 500, False),
        (4, "big blind", 1000, False),
    ]
    assert told(hand) == [
        "preflop 6 call 10",
        "preflop 3 call 10",
        "preflop 4 check",
        "flop 3 bet 100",
        "flop 4 raise 150",  # All-in, more than the Call and less than a Raise
        "flop 6 call 150",
        "flop 3 call 150",
        "turn 3 check",
        "turn 6 bet 200",
        "turn 3 raise 350",
        "turn 6 fold",
        "river 3 show",
        "river 4 muck",
    ]
    short = hand.streets[1].acts[1]
    assert (short.by, short.all_in) == (15000, True)
    assert [cards(street.cards) for street in hand.streets] == ["", "2c 7d Jh", "3s", "4s"]
    [back] = hand.uncalled
    assert (back.seat, back.amount, back.street) == (3, 15000, "turn")
    # Main Pot 3 x 10 + 3 x 150 = 480, Side Pot 2 x 200; 5% of 480 is 24, and the cap is 10.
    main, side = hand.pots
    assert (main.amount, main.rake, main.wins, main.seats) == (48000, 1000, {3: 47000}, (3, 4))
    assert (side.amount, side.rake, side.wins, side.seats) == (40000, 0, {3: 40000}, (3,))
    assert [p.stack for p in hand.players] == [51000, 16000, 50000]
    assert [p.finishing for p in hand.players] == [102000, 0, 14000]
    assert [p.winnings for p in hand.players] == [87000, 0, 0]
    assert hand.rake == 1000
    assert hand.rulebook == "no-limit-holdem-v8"
    log, _ = log_of(SIDE_POT)
    at = {str(event.__struct_config__.tag): (place, event.cites) for place, event in log}
    assert hand.streets[3].acts[0].cites == at["hand shown"][1]
    assert set(at["rake taken"][1]) <= set(hand.cites)
    assert hand.extra["_log"] == [at["blinds called"][0], at["round ended"][0]]


def test_who_may_not_see_a_hand_does_not_read_it():
    everything, public = only(SIDE_POT), only(SIDE_POT, PUBLIC)
    assert [cards(p.cards) for p in everything.players] == ["Qh Qs", "9c 9d", "Ah Kh"]
    assert [cards(p.cards) for p in public.players] == ["Qh Qs", "?? ??", "?? ??"], "one was shown"
    eli = only(
        SIDE_POT.replace("[[step]]", '[[step]]\ndo = "look"\nseat = 6\n[[step]]', 1), player("Eli")
    )
    assert [cards(p.cards) for p in eli.players] == ["Qh Qs", "?? ??", "Ah Kh"]
    assert [cards(p.cards) for p in only(SIDE_POT, player("Eli")).players][2] == "?? ??", (
        "he never looked"
    )


def test_a_round_under_way_is_not_told():
    log, book = log_of(SIDE_POT)
    names = [str(event.__struct_config__.tag) for _, event in log]
    assert list(poker_hands(log[: names.index("round ended")], book)) == []


def test_entry_posts_are_live_and_dead():
    """v8 5.7.1.a: a new player on the Small Blind pays both Blinds, the small one dead."""
    log, book = shipped_case("no-limit-holdem-v8/5.7.1.a-both-blinds-on-the-small-blind.toml")
    found = list(poker_hands(log, book))
    posts = [(p.seat, p.kind, p.amount, p.dead) for p in found[-1].posts]
    [live, dead] = [post for post in posts if post[1] == "post"]
    assert (live[2:], dead[2:]) == ((1000, False), (500, True))
    assert found[-1].rulings[0].question == "join on the small blind"


# -- what goes wrong -------------------------------------------------------------------------------

BY_HAND = """
title = "a test"
rulebook = "no-limit-holdem-v8"
paragraphs = ["5.16"]
[table]
button = 1
dealing = "by-hand"
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 500 }
3 = { player = "Cho", stake = 500 }
"""
RULING = """
[[step]]
do = "report irregularity"
says = "A phone rang at the table"
[[step]]
do = "decide"
decision = 3
option = "{option}"
reason = "it was heard by everybody"
"""


def test_a_void_round_is_marked_and_everything_goes_back():
    hand = only(
        BY_HAND
        + '[[step]]\ndo = "raise"\nseat = 1\nto = 40\n'
        + RULING.format(option="void")
        + 'expect.status = "between rounds"\n'
    )
    assert hand.voided == "A phone rang at the table"
    assert hand.pots == ()
    assert {u.seat: u.amount for u in hand.uncalled} == {1: 4000, 2: 500, 3: 1000}
    assert all(p.finishing == p.stack == 50000 for p in hand.players)
    [ruling] = hand.rulings
    assert (ruling.option, ruling.rank, ruling.street) == ("void", "shift manager", "preflop")
    assert ruling.reason == "it was heard by everybody"
    assert "5.16" in " ".join(ruling.cites)


def test_a_void_that_is_undone_is_no_void_and_chips_brought_since_are_not_won():
    hand = only(
        BY_HAND
        + RULING.format(option="void")
        + """
[[step]]
do = "top up"
seat = 1
amount = 100
[[step]]
do = "undo ruling"
rank = "shift manager"
reason = "it was another table"
[[step]]
do = "decide"
decision = "ruling"
option = "continue"
reason = "it was another table"
[[step]]
do = "fold"
seat = 1
[[step]]
do = "fold"
seat = 2
[[step]]
do = "settle"
expect.stakes = { 1 = 600, 2 = 495, 3 = 505 }
"""
    )
    assert hand.voided == ""
    assert {p.seat: p.finishing - p.stack for p in hand.players} == {1: 0, 2: -500, 3: 500}
    assert told(hand) == ["preflop 1 fold", "preflop 2 fold"]
    assert [(u.seat, u.amount) for u in hand.uncalled] == [(3, 500)]
    assert sum(pot.amount for pot in hand.pots) == 1000
    assert [ruling.option for ruling in hand.rulings] == ["void", "continue"]


def test_an_action_that_is_taken_back_was_not_taken():
    hand = only(
        BY_HAND
        + '[[step]]\ndo = "raise"\nseat = 1\nto = 40\n'
        + RULING.format(option="take action back")
        + """
[[step]]
do = "fold"
seat = 1
[[step]]
do = "fold"
seat = 2
[[step]]
do = "settle"
expect.stakes = { 1 = 500, 2 = 495, 3 = 505 }
"""
    )
    assert told(hand) == ["preflop 1 fold", "preflop 2 fold"]
    assert any("taken back" in act.note for act in remarks(hand)), "but it is on record"


def test_a_misdeal_is_counted_and_the_last_deal_is_told():
    log, book = log_of("""
title = "a misdeal"
rulebook = "no-limit-holdem-v8"
paragraphs = ["5.3.6"]
[table]
button = 1
dealing = "by-hand"
begin = "posted"
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 500 }
[[step]]
do = "deal hole cards"
exposed = [1, 2]
[[step]]
do = "report exposed"
[[step]]
do = "decide"
decision = 3
option = "confirm"
[[step]]
do = "shuffle"
[[step]]
do = "cut"
[[step]]
do = "post blinds"
[[step]]
do = "deal hole cards"
[[step]]
do = "fold"
seat = 1
[[step]]
do = "settle"
expect.stakes = { 1 = 495, 2 = 505 }
""")
    [hand] = poker_hands(log, book)
    assert hand.restarts == 1
    assert told(hand) == ["preflop 1 fold"]
    assert len(hand.posts) == 2
    assert remarks(hand)[0].note.startswith("Misdeal")
    check_sums(hand)


def test_chips_that_stay_in_with_a_fold_are_in_the_pot():
    """v8 3.5.4: the fold keeps the chips that came with it."""
    hand = only(
        FORFEIT
        + '[[step]]\ndo = "fold"\nseat = 2\n[[step]]\ndo = "fold"\nseat = 3\n'
        + "expect.stakes = { 1 = 480, 2 = 495, 3 = 490, 4 = 535 }\n"
    )
    fold = next(act for act in hand.streets[0].acts if act.do == "fold")
    assert (fold.seat, fold.by, fold.to) == (1, 2000, 2000)
    assert told(hand)[:2] == ["preflop 4 raise 30", "preflop 1 fold 20"]
    check_sums(hand)


FORFEIT = """
title = "Chips stay in the Pot if he folds on that turn"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.5.4"]
[table]
button = 1
chips = [1, 5, 10, 25, 100]
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 500 }
3 = { player = "Cho", stake = 500 }
4 = { player = "Dev", stake = 500 }
[[step]]
do = "raise"
seat = 4
to = 30
[[step]]
do = "report wager"
seat = 1
chips = [10, 10]
then_folds = true
[[step]]
do = "decide"
decision = 3
option = "confirm"
"""


def test_a_raise_that_stands_although_its_maker_folds_is_told_as_a_raise():
    """v8 3.5.4: the price is 60 for the others, although only a dead hand has it before it."""
    hand = only(
        FORFEIT.replace("chips = [10, 10]", "chips = [25, 25, 10]")
        + '[[step]]\ndo = "call"\nseat = 2\n[[step]]\ndo = "fold"\nseat = 3\n'
        + '[[step]]\ndo = "call"\nseat = 4\nexpect.pot = 190\n'
        + '[[step]]\ndo = "check"\nseat = 2\n[[step]]\ndo = "fold"\nseat = 4\n'
        + "expect.stakes = { 1 = 440, 2 = 630, 3 = 490, 4 = 440 }\n"
    )
    told_first = ["preflop 4 raise 30", "preflop 1 raise 60", "preflop 1 fold"]
    assert told(hand)[:3] == told_first
    assert "preflop 4 call 60" in told(hand)
    assert_money(hand, "3.5.4")
    assert "p4 cbr 60" in write_phh(hand)
    for again in (read_ohh(write_ohh(hand)), read_pokerstars(write_pokerstars(hand))):
        assert [act.to for act in again.streets[0].acts if act.do == "raise"] == [3000, 6000]


def test_an_uncalled_raise_of_all_chips_that_the_rake_reaches_into_is_all_in():
    """v5 4.3, P-15: what stays in for the charge is told as a dead post; the raise took the last
    chip, for whoever reads it too."""
    hand = only(RAKED_RAISE)
    assert hand.pots[0].amount == 50500
    counted = as_counted(hand)
    last = counted.streets[0].acts[-2]
    assert (last.seat, last.do, last.to, last.all_in) == (1, "raise", 1000, True)
    assert [(post.dead, post.all_in) for post in counted.posts][2:] == [(True, False)]
    again = read_ohh(write_ohh(hand))
    assert again.posts == counted.posts
    assert [a.all_in for a in again.streets[0].acts] == [a.all_in for a in counted.streets[0].acts]


def test_a_round_with_chips_that_a_ruling_moved_into_it_is_left_to_phh():
    """Ben wagers 200 of a stack of 100: 100 were moved to it in the course of the round (5.16)."""
    log, book = log_of(CHIPS_MOVED)

    def written(name: str) -> tuple[int, int]:
        """How many rounds are written, and how many left out with that reason."""
        left: list[str] = []
        pieces = export_rounds(log, book, name, left_out=lambda _, why: left.append(why.says))
        return len(list(pieces)), sum(why.startswith("what was put right") for why in left)

    assert [written(name) for name in ("phh", "phhs")] == [(1, 0), (1, 0)]
    assert [written(name) for name in ("ohh", "pokerstars")] == [(0, 1), (0, 1)]


CHIPS_MOVED = """
title = "Chips moved into a round"
rulebook = "no-limit-holdem-v8"
paragraphs = ["5.16.a"]
[table]
button = 1
dealing = "by-hand"
minimum_stake = 10
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 100 }
[[step]]
do = "call"
seat = 1
[[step]]
do = "report irregularity"
says = "The last Pot was shared wrongly"
[[step]]
do = "decide"
decision = "ruling"
option = "move chips"
details = { giver = 1, taker = 2, amount = 100 }
reason = "they are Ben's"
[[step]]
do = "all in"
seat = 2
[[step]]
do = "fold"
seat = 1
[[step]]
do = "settle"
expect.stakes = { 1 = 390, 2 = 210 }
"""


def test_a_hand_shown_again_with_another_card_is_told_as_it_was_shown_last():
    hand = only(SHOWN_TWICE)
    shows = [(act.seat, act.do, act.cards) for act in hand.streets[-1].acts if act.do == "show"]
    assert shows == [(2, "show", tuple(read_cards("As Ah"))), (1, "show", hand.player(1).cards)]
    assert read_pokerstars(write_pokerstars(hand)).player(1).cards == hand.player(1).cards


SHOWN_TWICE = """
title = "A card replaced at the showdown"
rulebook = "no-limit-holdem-v8"
paragraphs = ["5.16.a"]
[table]
button = 1
dealing = "by-hand"
[seats]
1 = { player = "Ann", stake = 500, cards = "Ks Kh" }
2 = { player = "Ben", stake = 500, cards = "As Ah" }
[board]
flop = "4d 9s Jh"
turn = "7d"
river = "8c"
[[step]]
do = "deal to showdown"
[[step]]
do = "show hand"
seat = 2
[[step]]
do = "show hand"
seat = 1
[[step]]
do = "report irregularity"
says = "A King was the last player's"
[[step]]
do = "decide"
decision = "ruling"
option = "replace card"
details = { card = "Kh" }
reason = "it was left on the table"
[[step]]
do = "show hand"
seat = 2
[[step]]
do = "show hand"
seat = 1
expect.categories = { 1 = "Five Odd Cards" }
[[step]]
do = "settle"
"""


RAKED_RAISE = """
title = "More is charged than was called"
rulebook = "poker-v5"
paragraphs = ["4.3"]
[table]
button = 1
rake = { percent = 5, cap = 25 }
[seats]
1 = { player = "Ann", stake = 495 }
2 = { player = "Ben", stake = 500 }
[[step]]
do = "all in"
seat = 1
[[step]]
do = "fold"
seat = 2
expect.payouts = { 1 = 480 }
"""


NOBODY_CAN_CALL = """
title = "A Raise that nobody can call, played out"
rulebook = "no-limit-holdem-v8"
paragraphs = ["1.37"]
[table]
button = 1
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 200 }
[[step]]
do = "raise"
seat = 1
to = 30
[[step]]
do = "all in"
seat = 2
[[step]]
do = "raise"
seat = 1
to = 400
expect.put_in = { 1 = 200, 2 = 200 }
"""


def test_a_raise_that_nobody_can_call_is_told_as_the_call():
    hand = only(NOBODY_CAN_CALL)
    last = [act for act in hand.streets[0].acts if act.do != "note"][-1]
    assert (last.seat, last.do, last.to, last.by, last.all_in) == (1, "call", 20000, 17000, False)
    assert last.note == "a Raise to 400 that nobody could call; 200 back"
    assert hand.uncalled == ()
    assert_money(hand, "A-78")
    check_sums(hand)
    assert uncalled_of(hand) == ()


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.slow)])
def test_every_shipped_case_gives_hands_that_add_up(every: int):
    hands = void = pots = 0
    for source, book, log in shipped("poker", every):
        for hand in poker_hands(log, book):
            hands += 1
            void += bool(hand.voided)
            pots += len(hand.pots) > 1
            assert_money(hand, source)
    assert hands > 200 // every
    assert void > 5 // every
    assert pots >= 5 // every


def assert_money(hand: Hand, where: object) -> None:
    """What was put in, less what went back, is the pots; and everybody's stack follows from it."""
    put = put_in(hand)
    back = {p.seat: 0 for p in hand.players}
    for uncalled in hand.uncalled:
        back[uncalled.seat] += uncalled.amount
    pots = sum(pot.amount for pot in hand.pots)
    assert sum(put.values()) - sum(back.values()) == pots, where
    for pot in hand.pots:
        assert pot.amount == pot.rake + sum(pot.wins.values()), where
    for p in hand.players:
        assert p.stack is not None
        assert p.finishing == p.stack - put[p.seat] + back[p.seat] + (p.winnings or 0), where
    if hand.voided:
        assert all(p.finishing == p.stack for p in hand.players), where
        return
    if not can_be_counted(hand):
        return
    counted = as_counted(hand)
    assert counted.uncalled == uncalled_of(counted), where
    check_sums(counted)
    assert net(counted) == net(hand), where


def net(hand: Hand) -> dict[int, int]:
    put = put_in(hand)
    return {
        p.seat: sum(pot.wins.get(p.seat, 0) for pot in hand.pots)
        + sum(u.amount for u in hand.uncalled if u.seat == p.seat)
        - put[p.seat]
        for p in hand.players
    }


# -- the formats -----------------------------------------------------------------------------------


def test_every_format_is_written():
    log, book = log_of(SIDE_POT)
    assert [kind.name for kind in formats_for(book)] == ["phh", "phhs", "ohh", "pokerstars"]
    for kind in formats_for(book):
        [piece] = export_rounds(log, book, kind.name, room="The Casino", currency="AUD")
        assert b"Cho" in piece
        assert isinstance(piece, bytes)
    banked = load("multi-link-progressive-v3")
    assert [kind.name for kind in formats_for(banked)] == ["banked-json"]
    assert set(FORMATS) == {"phh", "phhs", "ohh", "pokerstars", "banked-json"}


def test_a_banked_table_gives_records_line_by_line():
    log, book = log_of(FLUSH + '[[step]]\ndo = "next round"\n' * 2 + "expect.round = 2\n")
    [piece] = export_rounds(log, book, "banked-json")
    assert piece.endswith(b"}\n")
    assert json.loads(piece)["format"] == "croupier banked round"


def test_a_player_gets_his_own_hands():
    text = SIDE_POT.replace("[[step]]", '[[step]]\ndo = "look"\nseat = 6\n[[step]]', 1)
    log, book = log_of(text)
    [stars] = export_rounds(log, book, "pokerstars", viewer=player("Eli"))
    assert b"Dealt to Eli [Ah Kh]" in stars
    assert b"9c" not in stars
    [ohh] = export_rounds(log, book, "ohh", viewer=player("Eli"))
    assert json.loads(ohh)["ohh"]["hero_player_id"] == 6


def test_trackers_are_not_told_of_void_rounds():
    log, book = log_of(
        BY_HAND + RULING.format(option="void") + 'expect.status = "between rounds"\n'
    )
    heard: list[tuple[int, str]] = []
    for kind in ("ohh", "pokerstars"):
        left = export_rounds(log, book, kind, left_out=lambda n, e: heard.append((n, str(e))))
        assert list(left) == []
        assert list(export_rounds(log, book, kind)) == []
    assert heard == [(1, "hand 1: a void hand has no result (A phone rang at the table)")] * 2
    [phh] = export_rounds(log, book, "phh")
    assert b"_voided" in phh


def test_trackers_are_not_told_of_four_cards_on_the_flop():
    log, book = log_of(
        BY_HAND
        + """
[[step]]
do = "call"
seat = 1
[[step]]
do = "call"
seat = 2
[[step]]
do = "check"
seat = 3
[[step]]
do = "deal flop"
count = 4
[[step]]
do = "bet"
seat = 2
to = 20
[[step]]
do = "fold"
seat = 3
[[step]]
do = "fold"
seat = 1
[[step]]
do = "settle"
expect.stakes = { 1 = 490, 2 = 520, 3 = 490 }
"""
    )
    heard: list[str] = []
    assert list(export_rounds(log, book, "ohh", left_out=lambda n, e: heard.append(str(e)))) == []
    assert heard == ["hand 1, flop: 4 cards lie there; it has 3"]
    [hand] = poker_hands(log, book)
    assert_money(hand, "four cards")
    assert len(hand.streets[1].cards) == 4, "the record says what lay there"


def test_some_rounds_can_be_picked():
    log, book = log_of(
        SIDE_POT + '[[step]]\ndo = "next round"\n[[step]]\ndo = "play round"\nexpect.round = 2\n'
    )
    assert len(list(export_rounds(log, book, "phhs"))) == 2
    [second] = export_rounds(log, book, "ohh", rounds=[2])
    assert json.loads(second)["ohh"]["_croupier"]["number"] == 2


def test_a_stored_log_is_read():
    for family in ("poker", "banked"):
        for source, book, log in shipped(family, 40):
            if not log:
                continue  # a case of a table that does not open
            rows = [(position, msgspec.json.encode(event)) for position, event in log]
            found, events = read_log(rows)
            assert found.id == book.id
            assert [(p, msgspec.json.encode(event)) for p, event in events] == rows, source
            kind = formats_for(book)[-1].name
            again = export_rounds(read_log(rows)[1], book, kind)
            assert list(again) == list(export_rounds(log, book, kind)), source


# -- bad logs --------------------------------------------------------------------------------------


def fails(log: Log, rulebook: str, kind: str) -> str:
    with pytest.raises(FormatError) as caught:
        list(export_rounds(log, load(rulebook), kind))
    return str(caught.value)


def test_a_log_that_cannot_be_told_is_refused_with_the_place():
    log, book = log_of(SIDE_POT)
    v8 = book.id
    assert fails(log, v8, "banked-json").startswith("'banked-json' is for banked tables; rounds of")
    assert "'pdf' is no format" in fails(log, v8, "pdf")
    assert fails(log[1:], v8, "phh").startswith("position 2: a log begins with the opening")
    assert "opened under no-limit-holdem-v8, not poker-v5" in fails(log, "poker-v5", "phh")
    assert fails([*log, log[-1]], v8, "phh").endswith(f"comes after position {log[-1][0]}")
    foreign: list[tuple[int, Event]] = [*log, (9999, banked_event())]
    assert fails(foreign, v8, "phh").startswith("position 9999: the log does not replay")


def test_a_stored_log_that_cannot_be_read_is_refused_with_the_place():
    log, _ = log_of(SIDE_POT)
    rows = [(position, msgspec.json.encode(event)) for position, event in log]
    with pytest.raises(FormatError, match="the log is empty"):
        read_log([])
    for wrong in (rows[1:], [(1, b"{")], [(1, b"[" * 100_000)]):
        with pytest.raises(FormatError, match="begins with the opening"):
            read_log(wrong)
    other = rows[0][1].replace(b"no-limit-holdem-v8", b"whist-v1")
    with pytest.raises(FormatError, match="position 1: 'whist-v1' is no rulebook"):
        read_log([(1, other)])
    _, events = read_log([rows[0], (2, b'{"event": "bets called"}')])
    with pytest.raises(FormatError, match="position 2: no event of no-limit-holdem-v8"):
        list(events)


def banked_event() -> Event:
    log, _ = log_of(FLUSH)
    return next(e for _, e in log if str(e.__struct_config__.tag) == "bets called")


def test_what_went_back_to_a_dead_hand_is_told_though_an_action_is_taken_back():
    """The 6 of a Blind of 10 that went back (v8 5.6.1), and the 4 that nobody had called."""
    name = "5.16-an-action-taken-back-and-a-blind-in-part-uncalled"
    log, book = shipped_case(f"no-limit-holdem-v8/{name}.toml")
    [hand] = poker_hands(log, book)
    assert_money(hand, name)
    assert [(back.seat, back.amount) for back in hand.uncalled] == [(3, 400), (3, 600), (2, 400)]


def test_what_a_ruling_returned_is_told_though_an_action_is_taken_back():
    """Cho, who is still in, has 20 back: Ann's Call is taken back, and that return is not."""
    name = "5.16-chips-returned-stay-returned"
    log, book = shipped_case(f"no-limit-holdem-v8/{name}.toml")
    [hand] = poker_hands(log, book)
    assert_money(hand, name)
    assert [(back.seat, back.amount) for back in hand.uncalled] == [(3, 2000)]
