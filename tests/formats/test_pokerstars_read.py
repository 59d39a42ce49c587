"""PokerStars text as rooms write it, read: every line is accounted for, every sum must hold."""

from __future__ import annotations

import io
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from msgspec import structs

from croupier.cards import Card, read_cards
from croupier.formats.errors import FormatError
from croupier.formats.hand import Post, Uncalled
from croupier.formats.pokerstars import write_pokerstars
from croupier.formats.pokerstars_pots import shares
from croupier.formats.pokerstars_read import read_pokerstars, read_text
from croupier.formats.pokerstars_text import OtherGame
from croupier.formats.replay import Replayer
from tests.formats.test_pokerstars import heads_up

RING = """\
PokerStars Game #37165169101:  Hold'em No Limit ($0.10/$0.25 USD) - 2009/12/25 9:50:09 ET
Table 'Lucretia IV' 6-max Seat #2 is the button
Seat 1: late: comer ($20 in chips)
Seat 2: Zoë ($25 in chips)
Seat 3: b@d [one] ($10.35 in chips)
Seat 4: hero ($29.85 in chips)
Seat 6: gone ($5 in chips) is sitting out
b@d [one]: posts small blind $0.10
hero: posts big blind $0.25
late: comer: posts small & big blinds $0.35
*** HOLE CARDS ***
Dealt to hero [Ah Kd]
gone said, "wait for me: folds"
late: comer: checks
Zoë: folds
b@d [one]: raises $10.10 to $10.35 and is all-in
hero: calls $10.10
late: comer: folds
*** FLOP *** [2c 7d Kh]
*** TURN *** [2c 7d Kh] [3s]
newcomer joins the table at seat #5
*** RIVER *** [2c 7d Kh 3s] [4s]
*** SHOW DOWN ***
b@d [one]: shows [Qh Qs] (a pair of Queens)
hero: shows [Ah Kd] (a pair of Kings)
hero collected $20.05 from pot
*** SUMMARY ***
Total pot $21.05 | Rake $1
Board [2c 7d Kh 3s 4s]
Seat 1: late: comer folded before Flop
Seat 2: Zoë (button) folded before Flop (didn't bet)
Seat 3: b@d [one] (small blind) showed [Qh Qs] and lost with a pair of Queens
Seat 4: hero (big blind) showed [Ah Kd] and won ($20.05) with a pair of Kings
"""


def test_a_hand_of_a_room_is_read():
    hand = read_pokerstars(RING)
    assert (hand.number, hand.room, hand.table) == (37165169101, "PokerStars", "Lucretia IV")
    assert hand.time == datetime(2009, 12, 25, 9, 50, 9, tzinfo=ZoneInfo("America/New_York"))
    assert (hand.currency, hand.symbol, hand.seats) == ("USD", "$", 6)
    assert [(p.seat, p.name, p.stack) for p in hand.players] == [
        (3, "b@d [one]", 1035),
        (4, "hero", 2985),
        (1, "late: comer", 2000),
        (2, "Zoë", 2500),
    ]
    assert hand.posts == (
        Post(seat=3, kind="small blind", amount=10),
        Post(seat=4, kind="big blind", amount=25),
        Post(seat=1, kind="post", amount=25),
        Post(seat=1, kind="post", amount=10, dead=True),
    )
    acts = [(a.seat, a.do, a.to, a.by, a.all_in) for a in hand.streets[0].acts if a.do != "note"]
    assert acts == [
        (1, "check", 25, 0, False),
        (2, "fold", 0, 0, False),
        (3, "raise", 1035, 1025, True),
        (4, "call", 1035, 1010, False),
        (1, "fold", 0, 0, False),
    ]
    assert hand.board == read_cards("2c 7d Kh 3s 4s")
    assert hand.player(4).cards == read_cards("Ah Kd")
    [pot] = hand.pots
    # 10.35 twice and the 0.35 of the late comer, less 1 Rake.
    assert (pot.amount, pot.rake, pot.wins, hand.rake) == (2105, 100, {4: 2005}, 100)
    assert hand.extra["_ohh"]["hero_player_id"] == 4
    assert hand.extra["_sitting_out"] == [{"seat": 6, "name": "gone", "cents": 500}]
    notes = [act.note for street in hand.streets for act in street.acts if act.do == "note"]
    assert notes == ['gone said, "wait for me: folds"', "newcomer joins the table at seat #5"]


def test_the_book_replays_it():
    late = Replayer().check(read_pokerstars(RING))
    assert late.verdict in ("agrees", "refused"), late
    assert Replayer().check(read_pokerstars(write_pokerstars(heads_up()))).verdict == "agrees"


@pytest.mark.parametrize(
    ("was", "line", "says", "place"),
    [
        ("hero: calls $10.10", "hero: calls $9", "is not the", ""),
        ("hero: calls $10.10", "hero: wins at once", "no line of a hand", "line 17"),
        ("Zoë: folds", "Zoe: folds", "no line of a hand", "line 15"),
        ("| Rake $1", "| Rake $2", "not the total pot", ""),
        ("Seat 4: hero ($29.85", "Seat 3: hero ($29.85", "two players at seat 3", "line 6"),
        ("[2c 7d Kh] [3s]", "[2c 7d Kh] [7d]", "twice", "line 20"),
        ("*** TURN ***", "*** RIVER ***", "turn comes next", "line 20"),
        ("b@d [one]: raises $10.10 to $10.35", "b@d [one]: raises $10.10 to $99", "has", "line 16"),
        ("hero: shows [Ah Kd]", "hero: shows [Ah Ks]", "others are shown", "line 25"),
        ("hero: shows [Ah Kd]", "hero: shows [Ah K!]", "K!", "line 25"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(was: str, line: str, says: str, place: str):
    assert was in RING
    with pytest.raises(FormatError, match=says) as caught:
        read_pokerstars(RING.replace(was, line, 1))
    assert place in caught.value.place
    assert caught.value.hand == "37165169101"


@pytest.mark.parametrize(
    ("was", "line"),
    [
        ("Hold'em No Limit ($0.10/$0.25 USD)", "Omaha Pot Limit ($0.10/$0.25 USD)"),
        ("Hold'em No Limit ($0.10/$0.25 USD)", "Hold'em No Limit ($0.10/$0.25 - $5 Cap - USD)"),
        ("Hold'em", "Tournament #5, $1+$0.10 USD Hold'em"),
        ("*** FLOP ***", "*** FIRST FLOP ***"),
        (
            "newcomer joins the table at seat #5",
            "hero cashed out the hand for $9 | Cash Out Fee $1",
        ),
    ],
)
def test_other_games_are_told_as_such(was: str, line: str):
    with pytest.raises(OtherGame):
        read_pokerstars(RING.replace(was, line, 1))


def test_a_file_holds_many_hands_and_a_bad_one_is_an_error_in_its_place():
    bad = RING.replace("Zoë: folds", "Zoë: sleeps")
    text = f"\ufeff{RING}\n\n\n{bad}\n\n***** # 3 *****\n{RING}".replace("\n", "\r\n")
    found = list(read_text(io.BytesIO(text.encode())))
    assert [isinstance(each, FormatError) for each in found] == [False, True, False]
    error = found[1]
    assert isinstance(error, FormatError)
    assert error.place == f"line {RING.count(chr(10)) + 3 + 15}"


def test_old_files_are_not_in_utf_8():
    [found] = read_text(io.BytesIO(RING.encode("cp1252")))
    assert not isinstance(found, FormatError)
    assert found[1].player(2).name == "Zoë"


def test_a_hero_who_never_looked_is_dealt_no_question_marks():
    hand = heads_up()
    ben, ann = hand.players
    unseen = structs.replace(ann, cards=(Card.UNKNOWN,) * 2)
    text = write_pokerstars(structs.replace(hand, players=(ben, unseen)), hero=2)
    assert "??" not in text
    assert "Dealt to" not in text


@pytest.mark.parametrize(
    ("currency", "stakes"),
    [
        ("USD", "($0.25/$0.50 USD)"),
        ("EUR", "(€0.25/€0.50 EUR)"),
        ("INR", "(₹0.25/₹0.50 INR)"),
        ("AUD", "($0.25/$0.50)"),
        ("SGD", "($0.25/$0.50)"),
        ("SEK", "(0.25/0.50)"),
        ("", "(0.25/0.50)"),
    ],
)
def test_a_currency_is_written_as_trackers_accept_it_and_read_again(currency: str, stakes: str):
    hand = structs.replace(heads_up(), currency=currency)
    text = write_pokerstars(hand)
    assert f"No Limit {stakes} - " in text
    assert read_pokerstars(text).currency == currency


def test_chat_of_a_player_who_is_called_croupier_is_only_chat():
    text = write_pokerstars(structs.replace(heads_up(), currency="AUD")).replace("Ann", "croupier")
    hand = read_pokerstars(text)
    assert hand.currency == ""
    assert any(act.note.startswith("croupier said") for s in hand.streets for act in s.acts)


def test_a_rake_of_several_pots_is_shared_in_proportion():
    assert shares([470, 400], 10) == [6, 4]
    assert shares([1000], 50) == [50]
    assert sum(shares([333, 333, 334], 7)) == 7


def test_what_went_back_is_read_on_its_street():
    hand = read_pokerstars(write_pokerstars(heads_up()))
    assert hand.uncalled == (Uncalled(seat=5, amount=250, street="flop"),)


SIDE_POTS = """\
PokerStars Hand #2:  Hold'em No Limit ($5/$10) - 2009/12/25 9:50:09 ET
Table 'Felt' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Ben ($400 in chips)
Seat 3: Cho ($400 in chips)
Ben: posts small blind $5
Cho: posts big blind $10
*** HOLE CARDS ***
Ann: raises $90 to $100 and is all-in
Ben: calls $95
Cho: calls $90
*** FLOP *** [2c 7d Kh]
Ben: bets $50
Cho: calls $50
*** TURN *** [2c 7d Kh] [3s]
Ben: checks
Cho: checks
*** RIVER *** [2c 7d Kh 3s] [4s]
Ben: checks
Cho: checks
*** SHOW DOWN ***
Ben: shows [Ah Kd] (a pair of Kings)
Cho: mucks hand
Ben collected $100 from side pot
Ann: shows [As Ac] (a pair of Aces)
Ann collected $285 from main pot
*** SUMMARY ***
Total pot $400 Main pot $285. Side pot $100. | Rake $15
Board [2c 7d Kh 3s 4s]
Seat 1: Ann (button) showed [As Ac] and won ($285) with a pair of Aces
Seat 2: Ben (small blind) showed [Ah Kd] and won ($100) with a pair of Kings
Seat 3: Cho (big blind) mucked [Qh Qd]
"""


def test_of_several_pots_the_chips_tell_which_the_rake_came_from():
    """300 and 100 were put in: all of the 15 comes from the Main Pot, not 11.11 and 3.89."""
    hand = read_pokerstars(SIDE_POTS.encode())
    assert [(pot.amount, pot.rake) for pot in hand.pots] == [(30000, 1500), (10000, 0)]
    assert Replayer().check(hand).verdict == "agrees"


def test_a_rake_of_pots_that_the_chips_do_not_make_is_in_proportion():
    text = SIDE_POTS.replace("Main pot $285. Side pot $100.", "Main pot $201. Side pot $184.")
    text = text.replace("$285", "$201").replace("collected $100", "collected $184")
    hand = read_pokerstars(text.encode())
    rakes = shares([20100, 18400], 1500)
    assert [(pot.amount, pot.rake) for pot in hand.pots] == [
        (20100 + rakes[0], rakes[0]),
        (18400 + rakes[1], rakes[1]),
    ]


NO_SMALL_BLIND = """\
PokerStars Hand #3:  Hold'em No Limit ($5/$10) - 2009/12/25 9:50:09 ET
Table 'Felt' 6-max Seat #2 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Ben ($400 in chips)
Seat 4: Cho ($400 in chips)
Cho: posts big blind $10
Ann: posts small blind $5
*** HOLE CARDS ***
Ann: raises $10 to $20
Ben: folds
Cho: calls $10
*** FLOP *** [2c 7d Kh]
Cho: checks
Ann: bets $30
Cho: folds
Uncalled bet ($30) returned to Ann
Ann collected $45 from pot
*** SUMMARY ***
Total pot $45 | Rake $0
Board [2c 7d Kh]
Seat 1: Ann collected ($45)
Seat 2: Ben (button) folded before Flop (didn't bet)
Seat 4: Cho (big blind) folded on the Flop
"""


def test_a_small_blind_where_nobody_is_at_the_small_blind_was_missed_and_is_dead():
    hand = read_pokerstars(NO_SMALL_BLIND.encode())
    assert hand.posts == (
        Post(seat=4, kind="big blind", amount=1000),
        Post(seat=1, kind="post", amount=500, dead=True),
    )
    assert [(act.seat, act.do, act.to, act.by) for act in hand.streets[0].acts][:1] == [
        (1, "raise", 2000, 2000)
    ]
    assert Replayer().check(hand).verdict == "agrees"
    assert read_pokerstars(write_pokerstars(hand).encode()).posts == hand.posts


def test_the_small_blind_may_stand_after_the_big_blind_in_the_lines():
    """Left of the button it is the Small Blind all the same, and heads-up on the button."""
    lines = RING.splitlines(keepends=True)
    lines[7], lines[8] = lines[8], lines[7]
    assert {
        post.seat: (post.kind, post.dead) for post in read_pokerstars("".join(lines)).posts
    } == {post.seat: (post.kind, post.dead) for post in read_pokerstars(RING).posts}
    text = write_pokerstars(heads_up())
    small = next(line for line in text.splitlines(keepends=True) if "posts small blind" in line)
    big = next(line for line in text.splitlines(keepends=True) if "posts big blind" in line)
    other = text.replace(small + big, big + small)
    assert other != text
    kinds = [(post.seat, post.kind) for post in read_pokerstars(other).posts]
    assert sorted(kinds) == sorted((p.seat, p.kind) for p in read_pokerstars(text).posts)
