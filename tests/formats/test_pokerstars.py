"""PokerStars-style text: worked out by hand line by line, and read back by a small parser."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from croupier.cards import read_cards
from croupier.formats.errors import FormatError
from croupier.formats.export_poker import poker_hands
from croupier.formats.hand import Act, Hand, Player, Post, Pot, Street, Uncalled
from croupier.formats.pokerstars import hand_id, write_pokerstars
from croupier.formats.pokerstars_read import read_pokerstars
from croupier.formats.pokerstars_summary import made
from tests.formats.export_logs import EVERY, can_be_counted, evening, log_of, shipped
from tests.formats.test_export import SIDE_POT

WHEN = datetime(2024, 8, 1, 12, 30, 5, tzinfo=UTC)


def exported(text: str) -> Hand:
    log, book = log_of(text)
    [hand] = poker_hands(log, book, currency="AUD", symbol="$")
    return structs.replace(hand, time=WHEN)


def text_of(hand: Hand, hero: int | None = None) -> str:
    """The text with the number of the hand left out, and no spaces at the ends of lines."""
    lines = write_pokerstars(hand, hero).replace(hand_id(hand), "N").splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def test_a_hand_with_a_side_pot_and_a_rake():
    assert text_of(exported(SIDE_POT), hero=6) == (
        """\
PokerStars Hand #N:  Hold'em No Limit ($5/$10) - 2024/08/01 12:30:05 UTC [2024/08/01 08:30:05 ET]
Table 'table' 9-max Seat #6 is the button
Seat 3: Cho ($510 in chips)
Seat 4: Dev ($160 in chips)
Seat 6: Eli ($500 in chips)
Cho: posts small blind $5
Dev: posts big blind $10
*** HOLE CARDS ***
Dealt to Eli [Ah Kh]
Eli: calls $10
Cho: calls $5
Dev: checks
*** FLOP *** [2c 7d Jh]
Cho: bets $100
Dev: raises $50 to $150 and is all-in
Eli: calls $150
Cho: calls $50
*** TURN *** [2c 7d Jh] [3s]
Cho: checks
Eli: bets $200
Cho: raises $150 to $350 and is all-in
Eli: folds
Uncalled bet ($150) returned to Cho
*** RIVER *** [2c 7d Jh 3s] [4s]
*** SHOW DOWN ***
Cho: shows [Qh Qs] (a pair of Queens)
Dev: mucks hand
Cho collected $400 from side pot
Cho collected $470 from main pot
croupier said, "{"currency":"AUD"}"
*** SUMMARY ***
Total pot $880 Main pot $470. Side pot $400. | Rake $10
Board [2c 7d Jh 3s 4s]
Seat 3: Cho (small blind) showed [Qh Qs] and won ($870) with a pair of Queens
Seat 4: Dev (big blind) mucked [9c 9d]
Seat 6: Eli (button) folded on the Turn
"""
    )


def test_everybody_folds_to_the_big_blind():
    hand = exported(
        """
title = "a walk"
rulebook = "no-limit-holdem-v8"
paragraphs = ["4.3"]
[table]
blinds = [1, 2]
button = 1
[seats]
1 = { player = "Ann", stake = 200 }
2 = { player = "Ben", stake = 200 }
3 = { player = "Cho", stake = 150 }
[[step]]
do = "fold"
seat = 1
[[step]]
do = "fold"
seat = 2
expect.stakes = { 3 = 151.50 }
""".replace("150.50", "150").replace("151.50", "151")
    )
    assert text_of(hand).split("*** HOLE CARDS ***\n")[1] == (
        """\
Ann: folds
Ben: folds
Uncalled bet ($1) returned to Cho
Cho collected $2 from pot
Cho: doesn't show hand
croupier said, "{"currency":"AUD"}"
*** SUMMARY ***
Total pot $2 | Rake $0
Seat 1: Ann (button) folded before Flop (didn't bet)
Seat 2: Ben (small blind) folded before Flop
Seat 3: Cho (big blind) collected ($2)
"""
    )


def test_a_pot_of_nothing_is_collected_too():
    """v8 4.3, 5.8: without a Small Blind the whole Big Blind goes back; a Rake may take all."""
    hand = exported(
        """
title = "A Big Blind that nobody answered, without a Small Blind"
rulebook = "no-limit-holdem-v8"
paragraphs = ["4.3"]
[table]
blinds = [1, 2]
button = 1
[seats]
1 = { player = "Ann", stake = 200 }
2 = { player = "Ben", stake = 200, absent = true }
3 = { player = "Cho", stake = 150 }
4 = { player = "Dev", stake = 150 }
[[step]]
do = "fold"
seat = 4
[[step]]
do = "fold"
seat = 1
expect.stakes = { 3 = 150 }
"""
    )
    text = text_of(hand)
    assert "Uncalled bet ($2) returned to Cho\nCho collected $0 from pot\n" in text
    assert "Seat 3: Cho (big blind) collected ($0)" in text
    again = read_pokerstars(write_pokerstars(hand))
    assert [(pot.amount, pot.wins) for pot in again.pots] == [(0, {3: 0})]
    raked = heads_up()
    [pot] = raked.pots
    all_of_it = Pot(amount=pot.amount, rake=pot.amount, seats=pot.seats, wins={5: 0})
    text = write_pokerstars(structs.replace(raked, pots=(all_of_it,), rake=pot.amount))
    assert [(pot.rake, pot.wins) for pot in read_pokerstars(text).pots] == [(pot.amount, {5: 0})]


def heads_up() -> Hand:
    """Cents, chips that are no currency, a heads-up button, a shared pot, a time without a zone."""
    board = ("2c 7d Jh", "3s", "4s")
    both = ("Ah Kh", "Ad Kd")
    return Hand(
        number=4711,
        table="Aurora",
        time=datetime(2009, 7, 1, 23, 5, 6),  # noqa: DTZ001
        players=(
            Player(seat=5, name="Ben", stack=1250, cards=read_cards(both[1])),
            Player(seat=2, name="Ann", stack=1000, cards=read_cards(both[0])),
        ),
        button=2,
        small_blind=25,
        big_blind=50,
        posts=(
            Post(seat=2, kind="small blind", amount=25),
            Post(seat=5, kind="big blind", amount=50),
        ),
        streets=(
            Street(
                name="preflop",
                acts=(
                    Act(seat=2, do="raise", to=150, by=125),
                    Act(seat=5, do="call", to=150, by=100),
                ),
            ),
            Street(
                name="flop",
                cards=read_cards(board[0]),
                acts=(
                    Act(seat=5, do="check"),
                    Act(seat=2, do="bet", to=275, by=275),
                    Act(seat=5, do="raise", to=1100, by=1100, all_in=True),
                    Act(seat=2, do="call", to=850, by=575, all_in=True),
                ),
            ),
            Street(name="turn", cards=read_cards(board[1])),
            Street(
                name="river",
                cards=read_cards(board[2]),
                acts=(
                    Act(seat=5, do="show", cards=read_cards(both[1])),
                    Act(seat=2, do="show", cards=read_cards(both[0])),
                ),
            ),
        ),
        pots=(Pot(amount=2000, rake=55, wins={5: 973, 2: 972}),),
        uncalled=(Uncalled(seat=5, amount=250, street="flop"),),
        rake=55,
    )


def test_two_players_share_a_pot_in_cents():
    assert text_of(heads_up()) == (
        """\
PokerStars Hand #N:  Hold'em No Limit (0.25/0.50) - 2009/07/01 23:05:06 ET
Table 'Aurora' 5-max Seat #2 is the button
Seat 2: Ann (10 in chips)
Seat 5: Ben (12.50 in chips)
Ann: posts small blind 0.25
Ben: posts big blind 0.50
*** HOLE CARDS ***
Ann: raises 1 to 1.50
Ben: calls 1
*** FLOP *** [2c 7d Jh]
Ben: checks
Ann: bets 2.75
Ben: raises 8.25 to 11 and is all-in
Ann: calls 5.75 and is all-in
Uncalled bet (2.50) returned to Ben
*** TURN *** [2c 7d Jh] [3s]
*** RIVER *** [2c 7d Jh 3s] [4s]
*** SHOW DOWN ***
Ben: shows [Ad Kd] (high card Ace)
Ann: shows [Ah Kh] (high card Ace)
Ben collected 9.73 from pot
Ann collected 9.72 from pot
*** SUMMARY ***
Total pot 20 | Rake 0.55
Board [2c 7d Jh 3s 4s]
Seat 2: Ann (button) (small blind) showed [Ah Kh] and won (9.72) with high card Ace
Seat 5: Ben (big blind) showed [Ad Kd] and won (9.73) with high card Ace
"""
    )
    assert hand_id(heads_up()) == "4711", "a hand from elsewhere keeps its number"


def test_straddles_and_posts():
    hand = structs.replace(
        heads_up(),
        currency="USD",
        players=tuple(
            Player(seat=seat, name=name, stack=5000)
            for seat, name in ((1, "Ann"), (2, "Ben"), (3, "Cho"), (4, "Dev"), (5, "Eli"))
        ),
        button=5,
        posts=(
            Post(seat=1, kind="small blind", amount=25),
            Post(seat=2, kind="big blind", amount=50),
            Post(seat=4, kind="post", amount=50),
            Post(seat=4, kind="post", amount=25, dead=True),
            Post(seat=5, kind="post", amount=25, dead=True),
            Post(seat=3, kind="straddle", amount=100),
        ),
        streets=(
            Street(
                name="preflop",
                acts=(
                    Act(seat=4, do="raise", to=300, by=250),
                    Act(seat=5, do="fold"),
                    Act(seat=1, do="fold"),
                    Act(seat=2, do="fold"),
                    Act(seat=3, do="fold"),
                ),
            ),
        ),
        pots=(Pot(amount=325, rake=0, wins={4: 325}),),
        uncalled=(Uncalled(seat=4, amount=200, street="preflop"),),
        rake=None,
    )
    assert text_of(hand).splitlines()[7:] == [
        "Ann: posts small blind $0.25",
        "Ben: posts big blind $0.50",
        "Dev: posts small & big blinds $0.75",
        "Eli: posts small blind $0.25",
        "Cho: posts straddle $1",
        "*** HOLE CARDS ***",
        "Dev: raises $2 to $3",
        "Eli: folds",
        "Ann: folds",
        "Ben: folds",
        "Cho: folds",
        "Uncalled bet ($2) returned to Dev",
        "Dev collected $3.25 from pot",
        "Dev: doesn't show hand",
        "*** SUMMARY ***",
        "Total pot $3.25 | Rake $0",
        "Seat 1: Ann (small blind) folded before Flop",
        "Seat 2: Ben (big blind) folded before Flop",
        "Seat 3: Cho folded before Flop",
        "Seat 4: Dev collected ($3.25)",
        "Seat 5: Eli (button) folded before Flop",
    ]


def test_several_side_pots_are_numbered():
    hand = structs.replace(
        heads_up(),
        players=tuple(
            Player(seat=s, name=n, stack=k)
            for s, n, k in ((1, "Ann", 100), (2, "Ben", 200), (3, "Cho", 300))
        ),
        button=3,
        posts=(
            Post(seat=1, kind="small blind", amount=25),
            Post(seat=2, kind="big blind", amount=50),
        ),
        streets=(
            Street(
                name="preflop",
                acts=(
                    Act(seat=3, do="raise", to=300, by=300, all_in=True),
                    Act(seat=1, do="call", to=100, by=75, all_in=True),
                    Act(seat=2, do="call", to=200, by=150, all_in=True),
                ),
            ),
            Street(name="flop", cards=read_cards("2c 7d Jh")),
            Street(name="turn", cards=read_cards("3s")),
            Street(
                name="river",
                cards=read_cards("4s"),
                acts=tuple(
                    Act(seat=s, do="show", cards=read_cards(c))
                    for s, c in ((3, "Qh Qs"), (1, "Ah Ad"), (2, "Kh Kd"))
                ),
            ),
        ),
        pots=(
            Pot(amount=300, rake=0, wins={1: 300}),
            Pot(amount=150, rake=0, wins={2: 150}),
            Pot(amount=50, rake=0, wins={2: 50}),
        ),
        uncalled=(Uncalled(seat=3, amount=100, street="preflop"),),
        rake=0,
    )
    lines = text_of(hand).splitlines()
    assert [line for line in lines if "collected" in line] == [
        "Ben collected 0.50 from side pot-2",
        "Ben collected 1.50 from side pot-1",
        "Ann collected 3 from main pot",
    ]
    assert "Total pot 5 Main pot 3. Side pot-1 1.50. Side pot-2 0.50. | Rake 0" in lines


@pytest.mark.parametrize(
    ("cards", "board", "words"),
    [
        ("Ah Kh", "Qh Jh Th 2c 3d", "a Royal Flush"),
        ("9h Kh", "Qh Jh Th 2c 3d", "a straight flush, Nine to King"),
        ("2h 2s", "2c 2d Th 9c 3d", "four of a kind, Deuces"),
        ("Qh Qs", "Qc 2d 2h 9c 3d", "a full house, Queens full of Deuces"),
        ("Ah 2h", "3h 9h Th 9c 3d", "a flush, Ace high"),
        ("Ah 2s", "3h 4h 5s 9c Kd", "a straight, Ace to Five"),
        ("9h 5s", "6h 7h 8s Kc Kd", "a straight, Five to Nine"),
        ("9h 9s", "9c 7h 8s Kc 2d", "three of a kind, Nines"),
        ("Ah 6s", "Ac 6h 8s Kc 2d", "two pair, Aces and Sixes"),
        ("Qh Qs", "Jc 7h 8s Kc 2d", "a pair of Queens"),
        ("Ah Qs", "Jc 7h 8s 3c 2d", "high card Ace"),
        ("Ah ??", "Jc 7h 8s 3c 2d", ""),
        ("Ah Qs", "Jc 7h 8s", ""),
    ],
)
def test_hands_have_the_words_of_the_format(cards: str, board: str, words: str):
    assert made(read_cards(cards), read_cards(board)) == words


def test_the_number_of_a_hand_is_its_own():
    one, two = exported(SIDE_POT), exported(SIDE_POT)
    assert hand_id(one) == hand_id(two)
    assert re.fullmatch(r"[1-9]\d{17}", hand_id(one))
    assert int(hand_id(one)) < 2**63, "trackers keep it in 64 bits"
    others = {
        hand_id(structs.replace(one, **{name: value}))
        for name, value in {
            "number": 2,
            "table": "T2",
            "room": "R",
            "time": datetime(2025, 1, 1, tzinfo=UTC),
        }.items()
    }
    assert len(others | {hand_id(one)}) == 5


def test_what_a_tracker_cannot_read_is_not_written():
    hand = heads_up()
    with pytest.raises(FormatError, match=r"hand 4711: a void hand has no result \(why\)"):
        write_pokerstars(structs.replace(hand, voided="why"))
    with pytest.raises(FormatError, match="hand 4711, pots: the hand has no result"):
        write_pokerstars(structs.replace(hand, pots=()))
    with pytest.raises(FormatError, match="hand 4711, time: nobody noted when"):
        write_pokerstars(structs.replace(hand, time=None))
    with pytest.raises(FormatError, match="seat 9 was not dealt in"):
        write_pokerstars(hand, hero=9)
    twins = tuple(structs.replace(player, name="Ann") for player in hand.players)
    with pytest.raises(FormatError, match="players: two players have one name"):
        write_pokerstars(structs.replace(hand, players=twins))
    broken = (structs.replace(hand.players[0], name="An\nn"), hand.players[1])
    with pytest.raises(FormatError, match="does not fit into a line"):
        write_pokerstars(structs.replace(hand, players=broken))
    unknown = (structs.replace(hand.players[0], stack=None), hand.players[1])
    with pytest.raises(
        FormatError, match="seat 5: the record does not say how many chips this player had"
    ):
        write_pokerstars(structs.replace(hand, players=unknown))


# -- read back by a small parser -------------------------------------------------------------------

AMOUNT = r"\$?(\d+(?:\.\d\d)?)"


def cents(text: str) -> int:
    units, _, rest = text.partition(".")
    return int(units) * 100 + int(rest or 0)


def stacks_after(text: str) -> dict[str, int]:
    """Play the text as a tracker does: what each has at the end, the pots and the Rake checked."""
    stacks: dict[str, int] = {}
    bets: dict[str, int] = {}
    pot = collected = 0
    preflop = True
    blinds = re.search(rf"\({AMOUNT}/{AMOUNT}", text)
    assert blinds is not None
    big = cents(blinds[2])
    body, summary = text.split("*** SUMMARY ***")
    for line in body.splitlines():
        if match := re.fullmatch(rf"Seat \d+: (.+) \({AMOUNT} in chips\)", line):
            stacks[match[1]] = cents(match[2])
        elif line.startswith("*** ") and "HOLE" not in line:
            bets, preflop = {}, False
        elif match := re.fullmatch(rf"Uncalled bet \({AMOUNT}\) returned to (.+)", line):
            stacks[match[2]] += cents(match[1])
            pot -= cents(match[1])
        elif match := re.fullmatch(rf"(.+) collected {AMOUNT} from .*pot.*", line):
            stacks[match[1]] += cents(match[2])
            collected += cents(match[2])
        elif match := re.match(rf"(.+): raises {AMOUNT} to {AMOUNT}", line):
            before, to = bets.get(match[1], 0), cents(match[3])
            price = max(bets.values(), default=0)
            assert to - cents(match[2]) == (max(price, big) if preflop else price), line
            bets[match[1]] = to
            pot += to - before
            stacks[match[1]] -= to - before
        elif match := re.match(rf"(.+): (posts .*|calls|bets) {AMOUNT}", line):
            put = cents(match[3])
            stacks[match[1]] -= put
            pot += put
            if not (match[2] == "posts small blind" and bets):  # a second one is dead
                # Of two Blinds posted at once the big one is live.
                live = min(put, big) if "small & big" in match[2] else put
                bets[match[1]] = bets.get(match[1], 0) + live
        assert all(stack >= 0 for stack in stacks.values()), line
    total = re.search(rf"Total pot {AMOUNT}(.*) \| Rake {AMOUNT}", summary)
    assert total is not None
    assert cents(total[1]) == pot == collected + cents(total[3])
    parts = [cents(amount) for amount in re.findall(rf"pot(?:-\d)? {AMOUNT}\.", total[2])]
    assert not parts or sum(parts) == collected
    return stacks


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.slow)])
def test_every_shipped_case_reads_back_to_the_same_stacks(every: int):
    count = 0
    for source, book, log in shipped("poker", every):
        for hand in poker_hands(log, book, currency="AUD", symbol="$"):
            if not hand.voided and can_be_counted(hand):
                count += 1
                finishing = {p.name: p.finishing for p in hand.players}
                assert stacks_after(write_pokerstars(hand)) == finishing, source
    assert count > 200 // every


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_an_evening_reads_back_to_the_same_stacks(seed: int):
    felt = evening(random.Random(seed))
    for hand in poker_hands(enumerate(felt.log, 1), felt.book, currency="USD"):
        if not hand.voided:
            finishing = {p.name: p.finishing for p in hand.players}
            assert stacks_after(write_pokerstars(hand)) == finishing, (seed, hand.number)
