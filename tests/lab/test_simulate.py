"""The simulation: dealing by number, one outcome whatever the threads, and the exact figures."""

import os
import signal
import threading
from itertools import combinations

import msgspec
import numpy as np
import pytest

from croupier.cards import DECK, Card, Category, Suit, rank_hand
from croupier.lab import simulate as module
from croupier.lab.classes import FLOP_ENTRIES, TURN_ENTRIES, locate
from croupier.lab.compiled import kernel
from croupier.lab.errors import BadAmount, UnknownHand, UnsolvableGame
from croupier.lab.floor import Floor, Link
from croupier.lab.simulate import Plan, play, simulate
from croupier.lab.simulate_checkpoint import CheckpointError
from croupier.lab.simulate_deal import MAX_BOXES, deal, philox
from croupier.lab.simulate_kernel import BETS_RIVER, BETS_TURN, PLAYS
from croupier.lab.simulate_pay import Stakes, schedule
from croupier.lab.simulate_strategy import (
    PUBLISHED_FOLDS,
    SUIT_AND_RANK,
    StrategyError,
    always,
    batches,
    check,
    folds,
    made_hands,
    places,
    positions,
    tabled,
    with_folds,
)
from croupier.rulebooks import load

V3 = load("multi-link-progressive-v3")
V6 = load("progressive-texas-holdem-v6")
STAKES = Stakes(ante=1000, bonus=500, progressive=500)
LINK = Link(reset=5_000_000, contribution=100)
BY_INDEX = {card.index: card for card in DECK}


def plan(rounds=20_000, *, book=V3, strategy=None, floor=None, seed=5, **more):
    return Plan.make(
        book,
        strategy or always(fold=["72o"]),
        STAKES,
        rounds=rounds,
        seed=seed,
        floor=floor or Floor(tables=3, boxes=2),
        link=LINK,
        **more,
    )


def dealt(rounds, boxes, *, seed=1, table=0, first=0):
    cards = np.zeros((rounds, 7 + 2 * boxes), np.uint8)
    deal(np.uint64(seed), np.uint64(table), first, rounds, boxes, cards)
    return cards


def same(one, other):
    return (
        (one.counts == other.counts).all()
        and (one.sessions == other.sessions).all()
        and one.meter == other.meter
    )


# ---- dealing ---------------------------------------------------------------------------------


@kernel
def _four_words(counter, key):
    c = [np.uint64(word) for word in counter]
    k = [np.uint64(word) for word in key]
    return philox(c[0], c[1], c[2], c[3], k[0], k[1])


def test_the_generator_gives_its_authors_known_answers():
    ones = [0xFFFFFFFF] * 4
    digits_of_pi = [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344]
    for counter, key, answer in (
        ([0] * 4, [0] * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (ones, ones[:2], "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (digits_of_pi, [0xA4093822, 0x299F31D0], "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ):
        given = np.array(counter, np.uint64), np.array(key, np.uint64)
        assert [f"{int(word):08x}" for word in _four_words(*given)] == answer.split()


def test_no_card_is_dealt_twice_in_a_round():
    cards = np.sort(dealt(2000, MAX_BOXES), axis=1)
    assert (cards[:, 1:] != cards[:, :-1]).all()
    assert cards.max() == 51


def test_every_card_comes_to_every_place_equally_often():
    cards = dealt(52_000, 3)
    expected = len(cards) / 52
    for place in range(cards.shape[1]):
        counts = np.bincount(cards[:, place], minlength=52)
        # 51 degrees of freedom: beyond 105 once in 100,000.
        assert ((counts - expected) ** 2 / expected).sum() < 105


def test_two_cards_come_together_as_often_as_they_should():
    cards = dealt(200_000, 2)
    for one, other in ((0, 1), (4, 5), (7, 8), (8, 9), (9, 10)):
        pairs = np.bincount(cards[:, one].astype(int) * 52 + cards[:, other], minlength=2704)
        possible = pairs.reshape(52, 52)[~np.eye(52, dtype=bool)]
        expected = len(cards) / 2652
        # 2,651 degrees of freedom, deviation 73.
        assert abs(((possible - expected) ** 2 / expected).sum() - 2651) < 5 * 73


def test_a_round_depends_on_its_number_and_table_and_seed_alone():
    whole = dealt(1000, 4)
    assert (dealt(300, 4, first=700) == whole[700:]).all()
    assert (dealt(1000, 2) == whole[:, :11]).all(), "further boxes come after"
    assert (dealt(1000, 4, table=1) != whole).any(axis=1).all()
    assert (dealt(1000, 4, seed=2) != whole).any(axis=1).all()
    far = dealt(1, 1, first=1 << 40)
    assert (far != dealt(1, 1)).any()


# ---- strategies ------------------------------------------------------------------------------


def alike(hole, board):
    """The entries of the hole cards, whichever of two suits with the same ranks comes first."""
    ranks = {suit: {card.rank for card in board if card.suit is suit} for suit in Suit}
    found = {locate(hole, board).entry}
    for one, other in combinations(Suit, 2):
        if ranks[one] == ranks[other]:
            swap = {one: other, other: one}
            moved = [Card(card.rank.value + swap.get(card.suit, card.suit).value) for card in hole]
            found.add(locate((moved[0], moved[1]), board).entry)
    return found


def test_decisions_are_looked_up_where_the_solver_keeps_them():
    cards = dealt(3000, 1)
    turns, rivers = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
    places(cards, 0, turns, rivers, positions(), *SUIT_AND_RANK)
    for i, row in enumerate(cards):
        seen = [BY_INDEX[int(card)] for card in row]
        hole = seen[7], seen[8]
        for entry, board in ((turns[i], seen[:3]), (rivers[i], seen[:4])):
            assert entry in alike(hole, tuple(board))


def test_a_table_decides_as_it_says():
    rng = np.random.default_rng(4)
    turn, river = rng.random(FLOP_ENTRIES) < 0.5, rng.random(TURN_ENTRIES) < 0.5
    strategy = tabled("random", fold=["72o", "AA"], turn=turn, river=river)
    cards = dealt(5000, 2)
    decided = strategy.decide(cards, 2)
    for box in range(2):
        turns, rivers = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
        places(cards, box, turns, rivers, positions(), *SUIT_AND_RANK)
        expected = PLAYS + turn[turns] * BETS_TURN + river[rivers] * BETS_RIVER
        for i in range(len(cards)):
            one, other = (BY_INDEX[int(c)] for c in cards[i, 7 + 2 * box : 9 + 2 * box])
            ranks = {one.rank.value, other.rank.value}
            folded = ranks == {"A"} or (ranks == {"7", "2"} and one.suit is not other.suit)
            assert decided[i, box] == (0 if folded else expected[i])


def test_made_hands_bet_when_a_hole_card_lifts_the_hand():
    cards = dealt(4000, 1)
    decided = made_hands(fold=()).decide(cards, 1)

    def alone(cards):
        counts = sorted((sum(c.rank is d.rank for d in cards) for c in cards), reverse=True)
        if counts[0] == 4:
            return Category.FOUR_OF_A_KIND
        if counts[0] == 3:
            return Category.THREE_OF_A_KIND
        pairs = counts.count(2) // 2
        return [Category.FIVE_ODD_CARDS, Category.ONE_PAIR, Category.TWO_PAIRS][pairs]

    for row, decision in zip(cards, decided[:, 0], strict=True):
        seen = [BY_INDEX[int(card)] for card in row]
        hole = seen[7:9]
        turn = rank_hand((*hole, *seen[:3])).category > alone(seen[:3])
        river = rank_hand((*hole, *seen[:4])).category > alone(seen[:4])
        assert decision == PLAYS + turn * BETS_TURN + river * BETS_RIVER


def test_a_function_on_batches_plays_as_the_table_that_says_the_same():
    written = batches(
        "never folds, bets all",
        play=lambda hole: np.ones(len(hole), bool),
        turn=lambda hole, flop: np.ones(len(hole), bool),
        river=lambda hole, flop, turn: np.ones(len(hole), bool),
    )
    assert same(simulate(plan(strategy=written)), simulate(plan(strategy=always())))


def test_a_function_sees_what_the_player_sees_and_cannot_change_it():
    seen = {}

    def turn(hole, flop):
        seen["turn"] = hole.copy(), flop.copy()
        flop[:] = 0
        return hole[:, 0] > 20

    def river(hole, flop, turn_card):
        seen["river"] = hole.copy(), flop.copy(), turn_card.copy()
        return turn_card > 20

    strategy = batches("looks", play=lambda hole: hole[:, 1] > 3, turn=turn, river=river)
    cards = dealt(100, 1)
    before = cards.copy()
    decided = strategy.decide(cards, 1)[:, 0]
    assert (cards == before).all()
    assert (seen["river"][1] == cards[:, :3]).all()
    assert (seen["river"][2] == cards[:, 3]).all()
    assert (seen["turn"][0] == cards[:, 7:9]).all()
    plays = cards[:, 8] > 3
    expected = plays * (PLAYS + (cards[:, 7] > 20) * BETS_TURN + (cards[:, 3] > 20) * BETS_RIVER)
    assert (decided == expected).all()


@pytest.mark.parametrize("answer", [1, np.ones(3, bool), np.ones(50, np.int64), None])
def test_an_answer_that_is_no_decision_is_refused(answer):
    yes = lambda *cards: np.ones(len(cards[0]), bool)  # noqa: E731
    strategy = batches("odd", play=yes, turn=lambda hole, flop: answer, river=yes)
    with pytest.raises(StrategyError, match="strategy odd, turn: 50 hands"):
        strategy.decide(dealt(50, 1), 1)


def test_folds_are_named_and_can_be_changed():
    assert folds(made_hands()) == tuple(sorted(PUBLISHED_FOLDS, key=folds(made_hands()).index))
    assert folds(with_folds(check(), ["AA"])) == ("AA",)
    with pytest.raises(UnknownHand, match="27o"):
        check(fold=["27o"])


# ---- one outcome -----------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_numbers_whatever_the_threads_and_chunks(monkeypatch):
    one = simulate(plan(), threads=1)
    assert one.complete
    assert one.box_rounds == 20_000 * 6
    assert same(one, simulate(plan(), threads=4))
    monkeypatch.setattr(module, "_CHUNK", 6 * 200)
    monkeypatch.setattr(module, "_BLOCK", 77)
    assert len(list(plan().chunks())) == 100
    assert same(one, simulate(plan(), threads=3))
    assert not (one.counts == simulate(plan(seed=6)).counts).all()


def test_sessions_add_up_to_everything_won_and_lost():
    found = simulate(plan(20_000, session_rounds=500))
    assert found.sessions.shape == (40, 3, 2)
    assert found.sessions.sum() == found.total_result == -found.house_results.sum()
    assert found.total_result == round(found.total.mean * found.box_rounds)
    parts = found.main_result + found.bonus_result + found.progressive_result
    assert parts == found.total_result


def test_an_unfinished_session_is_left_out_of_the_sessions_only():
    found = simulate(plan(1050, session_rounds=200))
    assert found.sessions.shape[0] == 5
    assert found.rounds == 1050
    assert found.box_rounds == 1050 * 6


def test_the_meter_gains_contributions_and_loses_awards():
    found = simulate(plan(200_000, floor=Floor(tables=2, boxes=4)))
    story = found.meter
    assert story.contributed == 200_000 * 8 * 100
    assert len(story.awards) > 3
    paid = sum(award.paid for award in story.awards)
    assert story.end == LINK.start + story.contributed - paid + story.reset_by_house
    for earlier, later in zip(story.awards, story.awards[1:], strict=False):
        rounds = (later.round - earlier.round) * 2 + later.table - earlier.table
        assert later.before == earlier.after + rounds * 4 * 100
    assert story.path[0] == (0, LINK.start)
    assert story.path[-1] == (200_000, story.end)


def test_spread_and_mean_are_those_of_the_rounds_themselves():
    one = plan(3000, floor=Floor(), session_rounds=1)
    found = simulate(one)
    results = found.session_results.astype(float)
    assert found.total.mean == pytest.approx(results.mean())
    assert found.total.deviation == pytest.approx(results.std())


def test_exact_chances_lie_where_the_simulation_finds_them():
    found = simulate(plan(400_000, floor=Floor(), strategy=check(), book=V6))
    n = found.box_rounds
    for line, chance in (
        ("4.1.bonus.low-pair", 66150 / 1624350),
        ("4.1.bonus.aa-player", 7344 / 1624350),
    ):
        spread = (n * chance * (1 - chance)) ** 0.5
        assert abs(found.bonus_counts[line] - n * chance) < 4.5 * spread
    quads = found.progressive_counts["4.2.major.four-of-a-kind"]
    assert abs(quads - n * 0.0016806722689) < 4.5 * (n * 0.00168) ** 0.5
    assert found.frequencies["folded"] == 0
    assert found.frequencies["won"] == pytest.approx(found.frequencies["lost"], abs=0.005)


@pytest.mark.slow
def test_optimal_play_has_the_exact_value_and_the_exact_frequencies():
    from croupier.lab.base import solve
    from croupier.lab.simulate_optimal import optimal

    solution = solve(V3)
    one = Plan.make(V3, optimal(V3), Stakes(ante=1000), rounds=20_000_000)
    found = simulate(one)
    assert abs(found.main.mean - 1000 * float(solution.ev)) < 4 * found.main.error
    assert found.main.deviation / 1000 == pytest.approx(
        float(solution.standard_deviation), rel=0.001
    )
    for name in ("turn_bet", "river_bet"):
        exact = float(getattr(solution, f"{name}_frequency"))
        assert found.frequencies[name] == pytest.approx(exact, abs=0.0005)
    assert found.frequencies["folded"] == pytest.approx(float(solution.fold_frequency), abs=0.0003)


# ---- interrupted -----------------------------------------------------------------------------


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", 6 * 200)


class StopAfter:
    """Presses Ctrl-C once so many chunks are done."""

    def __init__(self, chunks):
        self.chunks = chunks
        self.calls = 0

    def __call__(self, done, of):
        self.calls += 1
        if self.calls == self.chunks:
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.skipif(os.name == "nt", reason="a process cannot press its own Ctrl-C there")
def test_an_interrupted_simulation_keeps_what_it_has_and_goes_on(tmp_path, small_chunks):
    before = signal.getsignal(signal.SIGINT)
    kept = tmp_path / "kept.npz"
    part = simulate(plan(), threads=2, checkpoint=kept, progress=StopAfter(20))
    assert not part.complete
    assert 0 < part.rounds < 20_000
    assert same(part, simulate(plan(part.rounds), threads=1))
    done = []
    whole = simulate(plan(), threads=2, checkpoint=kept, progress=lambda d, of: done.append(d))
    assert done[0] == part.box_rounds, "it goes on from there"
    assert same(whole, simulate(plan()))
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif(os.name == "nt", reason="a process cannot press its own Ctrl-C there")
def test_without_a_checkpoint_an_interrupted_simulation_is_rescued(tmp_path, small_chunks):
    rescue = tmp_path / "rescue.npz"
    assert simulate(plan(400), rescue=rescue).complete
    assert not rescue.exists()
    assert not simulate(plan(), threads=2, rescue=rescue, progress=StopAfter(9)).complete
    assert same(simulate(plan(), checkpoint=rescue), simulate(plan()))


def test_a_simulation_runs_in_a_thread_of_its_own_too():
    found = []
    thread = threading.Thread(target=lambda: found.append(simulate(plan(2000))))
    thread.start()
    thread.join()
    assert same(found[0], simulate(plan(2000)))


def test_a_failing_strategy_leaves_what_was_done(tmp_path, small_chunks):
    kept = tmp_path / "kept.npz"
    calls = []

    def fails(hole):
        calls.append(len(hole))
        if len(calls) > 40:
            raise ZeroDivisionError
        return np.ones(len(hole), bool)

    yes = lambda *cards: np.ones(len(cards[0]), bool)  # noqa: E731
    failing = batches("fails", play=fails, turn=yes, river=yes)
    with pytest.raises(ZeroDivisionError):
        simulate(plan(strategy=failing), threads=1, checkpoint=kept)
    state = module.State(plan(strategy=failing))
    module.load_state(state, kept)
    assert state.through > 0
    assert (state.counts == simulate(plan(state.rounds, strategy=always())).counts.ravel()).all()


def test_a_checkpoint_of_another_simulation_is_refused(tmp_path):
    kept = tmp_path / "kept.npz"
    simulate(plan(1000), checkpoint=kept)
    for other in (
        plan(1000, seed=6),
        plan(1200),
        plan(1000, strategy=check()),
        plan(1000, strategy=always(fold=["32o"])),
        plan(1000, book=V6),
        plan(1000, floor=Floor(tables=2, boxes=3)),
        plan(1000, policies={"partial-award": "reset"}),
        msgspec.structs.replace(plan(1000), link=Link(reset=1, contribution=100)),
        msgspec.structs.replace(plan(1000), schedule=schedule(V3, Stakes(ante=1001))),
    ):
        with pytest.raises(CheckpointError, match="another simulation"):
            simulate(other, checkpoint=kept)
    assert simulate(plan(1000), checkpoint=kept).complete


@pytest.mark.parametrize("contents", [b"", b"rubbish", b"PK\x03\x04 cut off"])
def test_a_damaged_checkpoint_is_refused_by_name(tmp_path, contents):
    kept = tmp_path / "kept.npz"
    kept.write_bytes(contents)
    with pytest.raises(CheckpointError, match=r"kept\.npz"):
        simulate(plan(1000), checkpoint=kept)
    assert kept.read_bytes() == contents


def test_a_checkpoint_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(CheckpointError, match="cannot be written"):
        simulate(plan(1000), checkpoint=tmp_path / "nowhere" / "kept.npz")


# ---- refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"rounds": 0}, "rounds: 0"),
        ({"seed": -1}, "seed: -1"),
        ({"seed": 1 << 64}, "seed"),
        ({"session_rounds": 0}, "session rounds: 0"),
        ({"rounds": 30_000_000, "session_rounds": 1}, "at least 2 rounds long"),
        ({"floor": Floor(boxes=23)}, "boxes: 23"),
        ({"floor": Floor(boxes=0)}, "boxes: 0"),
        ({"floor": Floor(tables=0)}, "tables: 0"),
        ({"floor": Floor(rounds_per_hour=0)}, "rounds per hour: 0"),
        ({"link": Link(reset=-1, contribution=0)}, "reset: -0.01"),
        ({"link": Link(reset=0, contribution=0, meter=-5)}, "meter: -0.05"),
        ({"link": Link(reset=0, contribution=501)}, "contribution: 5.01"),
        ({"link": Link(reset=0, contribution=-1)}, "contribution: -0.01"),
        ({"stakes": Stakes(ante=0)}, "ante: 0"),
        ({"stakes": Stakes(ante=1, bonus=-1)}, "bonus: -0.01"),
    ],
)
def test_what_cannot_be_simulated_is_refused_by_name(changes, says):
    given = {"rounds": 1000, "link": Link(reset=0, contribution=0), "stakes": STAKES} | changes
    stakes = given.pop("stakes")
    with pytest.raises(BadAmount, match=says):
        Plan.make(V3, check(), stakes, **given)


def test_a_poker_book_has_no_dealer_to_play_against():
    with pytest.raises(UnsolvableGame, match="poker-v5"):
        Plan.make(load("poker-v5"), check(), STAKES, rounds=10)


def test_threads_must_be_some():
    with pytest.raises(BadAmount, match="threads: 0"):
        simulate(plan(100), threads=0)


def test_a_chunk_depends_on_nothing_but_its_arguments():
    one, again = play(plan(), 400, 800), play(plan(), 400, 800)
    assert (one.counts == again.counts).all()
    assert one.sessions.shape == (2, 3, 2)
