"""A poker table in mid-orbit or mid-hand: reached by orders, checked for contradictions."""

import random

import msgspec
import pytest

from croupier.pit import GAMES, CaseError, read_case, run_case
from croupier.pit.poker import POKER, PokerSetup
from croupier.pit.poker_now import STREETS
from croupier.pit.situation import give_all, reach, usual_time
from croupier.poker.commands import AllIn, Bet, Call, Check, Fold, Raise
from croupier.rulebooks import load
from croupier.table import write_money

HEAD = """title = "In the middle of a hand"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.12"]
[table]
button = 6
blinds = [5, 10]
[seats]
2 = { player = "Ann", stake = 400, cards = "As Ad" }
3 = { player = "Ben", stake = 300 }
4 = { player = "Cho", stake = 200, cards = "Ks Kd" }
6 = { player = "Dev", stake = 500 }
[board]
flop = "2c 7d Jh"
turn = "8s"
"""
LAST = """
[[step]]
do = "{do}"
seat = {seat}
"""


def run(now: str, step: str, head: str = HEAD):
    return run_case(read_case(head + now + step, "a.toml", GAMES), GAMES)


def passes(now: str, step: str, head: str = HEAD) -> None:
    result = run(now, step, head)
    assert result.passed, result.failures


def contradiction(now: str, head: str = HEAD) -> str:
    with pytest.raises(CaseError) as caught:
        run(now, '[[step]]\ndo = "fold"\nseat = 4\nexpect.turn = 4\n', head)
    return str(caught.value)


def test_a_hand_begins_on_the_turn_with_the_stakes_and_the_pot_as_told():
    passes(
        """[now]
stage = "turn"
pot = 145
folded = [3]
acted = ["2 bet to 30"]
looked = [2, 4]
turn = 4
""",
        """[[step]]
do = "call"
seat = 4
expect.stakes = { 2 = 400, 3 = 300, 4 = 170, 6 = 500 }
expect.pot = 175
expect.bets = { 2 = 30, 4 = 30 }
expect.board = "2c 7d Jh 8s"
expect.hole_cards = { 2 = "As Ad", 4 = "Ks Kd" }
expect.looked = [2, 4]
expect.folded = [3]
expect.turn = 6
expect.betting_round = 3
""",
    )


def test_before_the_flop_the_acts_are_told_from_the_first_on():
    passes(
        """[now]
stage = "before the flop"
acted = ["4 raise to 30", "6 fold", "2 call"]
bets = { 2 = 30, 3 = 10, 4 = 30 }
pot = 70
""",
        """[[step]]
do = "fold"
seat = 3
expect.stakes = { 2 = 400, 3 = 300, 4 = 200, 6 = 500 }
expect.status = "betting"
expect.betting_round = 2
expect.pot = 70
""",
    )


def test_a_side_pot_of_a_player_who_is_all_in():
    head = HEAD.replace("stake = 200", "stake = 0")
    passes(
        """[now]
stage = "flop"
pot = 215
folded = [3]
put_in = { 4 = 45 }
""",
        """[[step]]
do = "check"
seat = 2
expect.all_in = [4]
expect.pots = [{ amount = 145, seats = [2, 4, 6] }, { amount = 70, seats = [2, 6] }]
expect.turn = 6
""",
        head,
    )


def test_who_folded_to_a_raise_after_a_call_has_left_his_chips():
    passes(
        '[now]\nstage = "flop"\nput_in = { 6 = 30 }\nfolded = [3, 6]\npot = 240\n',
        """[[step]]
do = "check"
seat = 2
expect.put_in = { 2 = 100, 3 = 10, 4 = 100, 6 = 30 }
expect.turn = 4
""",
    )


def test_the_acts_of_a_betting_round_that_is_over_can_be_told():
    passes(
        """[now]
stage = "flop"
pot = 130
[now.earlier]
"before the flop" = ["4 call", "6 raise to 40", "2 fold", "3 call", "4 call"]
""".replace("pot = 130", "pot = 125"),
        """[[step]]
do = "check"
seat = 3
expect.turn = 4
expect.stakes = { 2 = 400, 3 = 300, 4 = 200, 6 = 500 }
""",
    )


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (
            'stage = "flop"\npot = 95',
            "a.toml:17: now.pot: 95 cannot be made by equal bets of seats 2, 3, 4, 6",
        ),
        (
            'stage = "flop"\npot = 20',
            "a.toml:17: now.pot: 20 would be 5 from each of seats 2, 3, 4, 6, and nobody saw the",
        ),
        (
            'stage = "flop"\npot = 60',
            "a.toml:17: now.pot: the bets cannot have gone from 10 to 15: no such raise is large",
        ),
        (
            'stage = "flop"\nacted = ["3 check"]',
            "a.toml:17: now.acted[1]: seat 3 cannot act before seat 2, whose turn it is",
        ),
        (
            'stage = "flop"\nacted = ["2 check", "3 bet to 5"]',
            "now.acted[2]: seat 3: bet to 5 is not possible; seat 3 may: check, bet",
        ),
        ('stage = "flop"\nacted = ["2 sings"]', "now.acted[1]: an act is told as '3 raise to 60'"),
        ('stage = "flop"\nacted = ["2 bet"]', "say to how much: '2 bet to 60'"),
        ('stage = "flop"\nacted = ["2 check"]\nturn = 6', "it is seat 3's turn, and not seat 6's"),
        (
            'stage = "flop"\nacted = ["2 bet to 20"]\nbets = { 2 = 30 }',
            "a.toml:18: now.bets.2: the acts leave 20 in front of seat 2, and not 30",
        ),
        ('stage = "flop"\nlooked = [5]', "now.looked[1]: seat 5 has no cards to look at"),
        ('stage = "flop"\nfolded = [5]', "now.folded: seat 5 is not dealt in"),
        (
            'stage = "before the flop"\npot = 30',
            "now.pot: the bets make 15, and not 30",
        ),
        ('stage = "flop"\nstraddle = 4', "now.straddle: nobody may straddle at this table now"),
        (
            'stage = "flop"\n[now.earlier]\nflop = ["2 check"]',
            "now.earlier.flop: it is not over yet at the flop",
        ),
    ],
)
def test_what_contradicts_what_is_told_at_its_line(now, told):
    assert told in contradiction(f"[now]\n{now}\n")


def test_cards_twice_are_told_at_their_lines():
    told = contradiction('[now]\nstage = "turn"\n', HEAD.replace("8s", "As"))
    assert "the case places A♠ twice" in told


def test_a_situation_is_reached_without_a_case_file():
    setup = msgspec.convert(
        {
            "table": {"button": 6, "blinds": [500, 1000]},
            "seats": {
                2: {"player": "Ann", "stake": 40000},
                3: {"player": "Ben", "stake": 30000},
                6: {"player": "Dev", "stake": 50000},
            },
            "now": {"stage": "turn", "pot": 9000, "acted": ["2 bet to 30"]},
        },
        PokerSetup,
    )
    reached = reach(POKER, load("no-limit-holdem-v8"), setup)
    facts = reached.table.facts()
    assert (facts.turn, facts.pot, facts.betting_round) == (3, 9000, 3)
    assert facts.stakes == {2: 40000, 3: 30000, 6: 50000}
    again = type(reached.table)(reached.table.book)
    for _, events in reached.log:
        for event in events:
            again.apply(event)
    assert again.state == reached.table.state


def test_poker_v5_begins_in_mid_hand_too():
    head = HEAD.replace("no-limit-holdem-v8", "poker-v5").replace('"3.12"', '"3.1"')
    passes(
        '[now]\nstage = "river"\npot = 80\nacted = ["2 check"]\n',
        '[[step]]\ndo = "check"\nseat = 3\nexpect.turn = 4\nexpect.betting_round = 4\n',
        head,
    )


def test_two_players_and_a_hand_dealt_table():
    head = """title = "Heads-up"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.12"]
[table]
button = 2
dealing = "by-hand"
blinds = [5, 10]
[seats]
2 = { player = "Ann", stake = 90 }
5 = { player = "Ben", stake = 40, cards = "Ks Kd" }
"""
    passes(
        '[now]\nstage = "before the flop"\nacted = ["2 raise to 30"]\nturn = 5\n',
        '[[step]]\ndo = "call"\nseat = 5\nexpect.status = "flop due"\nexpect.stakes = { 5 = 20 }\n',
        head,
    )


def test_a_straddle_in_front_of_its_player():
    head = HEAD.replace("blinds =", "straddle = true\nblinds =")
    passes(
        '[now]\nstage = "before the flop"\nstraddle = 4\nacted = ["6 call"]\npot = 55\n',
        '[[step]]\ndo = "fold"\nseat = 2\nexpect.straddle = 4\nexpect.turn = 3\n',
        head,
    )


@pytest.mark.parametrize("seed", range(40))
def test_what_was_really_played_can_be_described_and_is_reached_again(seed):
    """Play at random to some moment, tell it act by act, and stand where the game stood."""
    rng = random.Random(seed)
    numbers = sorted(rng.sample(range(1, 10), rng.randint(2, 6)))
    seats = {n: {"player": f"P{n}", "stake": rng.randrange(40, 400) * 100} for n in numbers}
    button = rng.choice(numbers)
    table = {"button": button, "blinds": [500, 1000]}
    setup = msgspec.convert({"table": table, "seats": seats}, PokerSetup)
    book = load(rng.choice(["no-limit-holdem-v8", "poker-v5"]))
    first = reach(POKER, book, setup)
    told: dict[str, list[str]] = {}
    for _ in range(rng.randint(0, 12)):
        seat = first.table.turn()
        if seat is None or first.table.state.phase != "betting":
            break
        before = STREETS[first.table.state.round.betting.number - 1]
        command, act = random_act(rng, first.table, seat)
        saved = (first.table.snapshot(), dict(told))
        told = {**told, before: [*told.get(before, []), act]}
        commands = [command, *()]
        for _ in give_all(first.stage, iter(commands), usual_time(book)):
            pass
        for _ in give_all(first.stage, dealt_on(first.table), usual_time(book)):
            pass
        if first.table.state.phase != "betting":
            first.table = type(first.table).restore(book, saved[0])
            told = saved[1]
            break
    facts = first.table.facts()
    stage = STREETS[facts.betting_round - 1]
    stakes = {n: {"player": f"P{n}", "stake": facts.stakes[n]} for n in numbers}
    now = {
        "stage": stage,
        "acted": told.pop(stage, []),
        "earlier": told,
        "pot": facts.pot,
        "turn": facts.turn,
    }
    described = msgspec.convert({"table": table, "seats": stakes, "now": now}, PokerSetup)
    again = reach(POKER, book, described).table.facts()
    for name in ("stakes", "pot", "pots", "bets", "turn", "options", "folded", "all_in", "put_in"):
        assert getattr(again, name) == getattr(facts, name), name


def random_act(rng, table, seat):
    offer = rng.choice(table.offers(seat))
    match offer.do:
        case "fold":
            return Fold(seat=seat), f"{seat} fold"
        case "check":
            return Check(seat=seat), f"{seat} check"
        case "call":
            return Call(seat=seat), f"{seat} call to {write_money(offer.least)}"
        case "all in":
            played = table.state.round.players[seat]
            to = played.bet + table.state.seats[seat].stake
            return AllIn(seat=seat), f"{seat} all in to {write_money(to)}"
        case _:
            to = min(offer.most, offer.least + 100 * rng.randint(0, 30))
            kind = Bet if offer.do == "bet" else Raise
            return kind(seat=seat, to=to), f"{seat} {offer.do} to {write_money(to)}"


def dealt_on(table):
    while (due := table.due()) is not None and table.playing():
        yield due


# -- mid-orbit ----------------------------------------------------------------------------------

ORBIT = """title = "In the middle of an Orbit"
rulebook = "no-limit-holdem-v8"
paragraphs = ["5.7"]
[table]
button = 4
blinds = [5, 10]
[seats]
2 = { player = "Ann", stake = 400 }
3 = { player = "Ben", stake = 300 }
4 = { player = "Cho", stake = 200 }
6 = { player = "Dev", stake = 500 }
7 = { player = "Eve", stake = 100, cards = "As Ad" }
"""


def orbit(old: str, new: str) -> str:
    assert old in ORBIT
    return ORBIT.replace(old, new)


def test_a_missed_big_blind_and_the_stakes_as_told():
    passes(
        "",
        """[[step]]
do = "call for blinds"
expect.button = 4
expect.stakes.2 = 400
expect.events = [{ event = "entry settled", seat = 3, live = 10, dead = 5 }]
""",
        orbit("stake = 300", 'stake = 300, missed = "both"'),
    )


def test_who_missed_a_blind_may_still_be_away():
    passes(
        "",
        """[[step]]
do = "call for blinds"
expect.absent = [3]
expect.missed = { 3 = "both" }
expect.missed_markers = [3]
""",
        orbit("stake = 300", 'stake = 300, missed = "both", absent = true'),
    )


def test_a_newcomer_after_the_first_orbit_is_asked_on_the_small_blind():
    head = orbit("button = 4", "button = 6\norbit = 2")
    head = head.replace("stake = 100,", 'stake = 100, joins = "new",')
    passes(
        "",
        """[[step]]
do = "call for blinds"
expect.orbit = 2
expect.decisions = [
    { question = "join on the small blind", of = 7, options = ["both blinds", "wait"] },
]
""",
        head,
    )


def test_who_waits_is_there_in_mid_hand():
    head = orbit("button = 4", "button = 6\norbit = 2").replace(
        'stake = 100, cards = "As Ad"', "stake = 100, waits = true"
    )
    passes(
        '[now]\nstage = "flop"\n',
        """[[step]]
do = "check"
seat = 2
expect.waiting = [7]
expect.turn = 3
expect.stakes = { 2 = 400, 3 = 300, 4 = 200, 6 = 500, 7 = 100 }
expect.orbit = 2
""",
        head,
    )


def test_blinds_that_nobody_can_have_missed_are_a_contradiction():
    head = orbit("stake = 300", 'stake = 300, missed = "big"').replace(
        "stake = 500", 'stake = 500, missed = "small"'
    )
    told = contradiction("", head)
    assert "seats: no game of these players leads there: the button at seat 4" in told
    assert "seat 3 big, seat 6 small" in told
