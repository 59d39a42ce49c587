"""The PAR sheet: every count a second way, and the sheets in the documentation as computed."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from croupier.cards import DECK, Category, read_cards
from croupier.cli import lab_par
from croupier.cli.lab import lab
from croupier.lab.answer_types import schema_of
from croupier.lab.base import solve
from croupier.lab.bonus_bet import bonus
from croupier.lab.classes import FLOP_ENTRIES, locate
from croupier.lab.decisions import _second
from croupier.lab.errors import BadAmount
from croupier.lab.game import base_game
from croupier.lab.hands import COMBINATIONS, NAMES, hand_number, hand_of
from croupier.lab.jackpot_bet import progressive
from croupier.lab.joint import Decisions, _given_dealer, _let_through, joint_counts, main_counts
from croupier.lab.outcomes import street_outcomes
from croupier.lab.par import Terms, main_bets, par
from croupier.lab.par_answer import par_answer
from croupier.lab.report import to_html
from croupier.lab.report_par import par_report
from croupier.lab.simulate import Plan, simulate
from croupier.lab.simulate_deal import deal
from croupier.lab.simulate_kernel import BETS_RIVER, BETS_TURN
from croupier.lab.simulate_pay import (
    FOLDED,
    LOST,
    RESULTS,
    TIED,
    WON,
    Stakes,
    main_part,
    schedule,
)
from croupier.lab.simulate_strategy import (
    PUBLISHED_FOLDS,
    SUIT_AND_RANK,
    made_hands,
    places,
    positions,
)
from croupier.lab.solver import DEALS, count
from croupier.lab.street_lines import street_lines
from croupier.lab.tabulate import flop_categories, tabulate
from croupier.lab.whatif import what_if
from croupier.rulebooks import load
from tests.lab.test_answer_types import closed
from tests.lab.test_report import checked

V2, V3 = "multi-link-progressive-v2", "multi-link-progressive-v3"
V6 = "progressive-texas-holdem-v6"
BOOKS = [V2, V3, V6]
SHEETS = Path(__file__).resolve().parents[2] / "docs" / "par"
STAKES = Stakes(ante=1000, bonus=500, progressive=500)
BY_INDEX = {card.index: card for card in DECK}


@pytest.fixture(scope="module")
def best(swept):
    solution = solve(load(V3))
    return Decisions("optimal", solution.fold_hands, swept.bets_turn, swept.bets_river)


@pytest.fixture(scope="module")
def mains(swept, best):
    return main_counts(swept, best)


@pytest.fixture(scope="module")
def made():
    return tabulate(made_hands(fold=()))


# ---- the main bets ---------------------------------------------------------------------------


def test_the_distribution_has_the_solver_s_value_and_spread(mains):
    solution = solve(load(V3))
    main = main_bets(base_game(load(V3)), mains.sum(axis=0))["main"]
    assert main.universe == DEALS
    assert main.mean == solution.ev
    assert main.variance == solution.variance
    assert main.staked == solution.average_bet
    assert list(main.results) == [-5, -4, -3, -1, 0, 2, 3, 4, 5]
    assert main.results[-1] == DEALS * 60 // 1326, "five hands of twelve are folded"


def test_the_bets_add_up_to_the_round(mains):
    bets = main_bets(base_game(load(V3)), mains.sum(axis=0))
    parts = [bets[bet] for bet in ("ante", "flop", "turn", "river")]
    assert sum(bet.mean for bet in parts) == bets["main"].mean
    assert sum(bet.staked for bet in parts) == bets["main"].staked
    assert bets["turn"].placed == solve(load(V3)).turn_bet_frequency
    assert bets["flop"].hit_frequency == bets["main"].hit_frequency


# ---- strategies as tables --------------------------------------------------------------------


def random_rows(rounds, seed=3):
    cards = np.zeros((rounds, 9), np.uint8)
    deal(np.uint64(seed), np.uint64(0), 0, rounds, 1, cards)
    return cards


def test_a_tabulated_strategy_decides_as_it_does_by_cards(made):
    strategy = made_hands(fold=())
    turn, river = made
    cards = random_rows(200_000)
    turns, rivers = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
    places(cards, 0, turns, rivers, positions(), *SUIT_AND_RANK)
    decided = strategy.decide(cards, 1)[:, 0]
    assert (turn[turns] == (decided & BETS_TURN != 0)).all()
    assert (river[rivers] == (decided & BETS_RIVER != 0)).all()


@pytest.mark.slow
def test_made_hands_are_worth_what_a_simulation_finds(swept, made):
    decisions = Decisions("made", PUBLISHED_FOLDS, *made)
    exact = main_bets(base_game(load(V3)), main_counts(swept, decisions).sum(axis=0))["main"]
    plan = Plan.make(load(V3), made_hands(), Stakes(ante=100), rounds=600_000, seed=4)
    main = simulate(plan).main
    assert abs(main.mean / 100 - float(exact.mean)) < 4 * main.error / 100
    assert main.deviation / 100 == pytest.approx(float(exact.standard_deviation), rel=0.005)
    assert exact.mean < solve(load(V3)).ev


# ---- all bets together -----------------------------------------------------------------------


def test_the_flops_of_a_line_are_counted_as_real_cards_are(swept, best):
    """One flop let through the sweep: its deals are those that `lab hand` deals from real cards."""
    hole, flop = read_cards("Ah Kh"), read_cards("2h 7h 9h")
    entry = locate(hole, flop).entry
    assert flop_categories()[entry] == Category.FLUSH.order
    flags = np.zeros(FLOP_ENTRIES, np.bool_)
    flags[entry] = True
    tally, _ = count(swept, flags, best.river)
    hand = hand_of(*hole)
    found = dict(_let_through([int(n) for n in tally[:, hand]], bet=True))
    _, turns = _second(base_game(load(V3)), hole, flop)
    expected = dict.fromkeys(found, 0)
    for card, outcome in turns.items():
        bets = bool(best.river[locate(hole, (*flop, card)).entry])
        first = main_part(turn=True, river=bets, result=0)
        expected[first + LOST] += outcome.lost
        expected[first + TIED] += outcome.deals - outcome.lost - sum(outcome.won)
        for order, won in enumerate(outcome.won):
            expected[first + WON + order] += won
    # The class: four suits for this flop and these hole cards.
    assert found == {part: 4 * deals for part, deals in expected.items()}


def test_the_categories_of_flops_are_those_of_five_cards():
    cards = random_rows(20_000, seed=9)
    turns, rivers = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
    places(cards, 0, turns, rivers, positions(), *SUIT_AND_RANK)
    from croupier.cards import rank_hand

    for row, at in zip(cards[:400], turns[:400], strict=True):
        five = [BY_INDEX[int(i)] for i in (*row[:3], *row[7:9])]
        assert flop_categories()[at] == rank_hand(five).category.order


@pytest.mark.parametrize(
    "hand", ["AKs", *(pytest.param(hand, marks=pytest.mark.slow) for hand in ("77", "72o", "AA"))]
)
def test_lines_by_street_are_those_of_another_count(swept, best, hand, monkeypatch):
    """Dealt one by one here, by combinations in ``outcomes``; folded and played."""
    book = load(V6)
    paid, bet = schedule(book, STAKES), progressive(book)
    number = hand_number(hand)
    monkeypatch.setattr("croupier.lab.street_lines.NAMES", (hand,))
    monkeypatch.setattr(
        "croupier.lab.street_lines._cards_of",
        lambda _: (number // 13, number % 13 + (0 if number // 13 > number % 13 else 13)),
    )
    played, folded = street_lines(paid.lookup, len(paid.sets), best.turn, best.river, threads=1)
    expected, gone = np.zeros(len(paid.sets), np.int64), np.zeros(len(paid.sets), np.int64)
    names = [tuple(award.line for award in held) for held in paid.sets]
    for made, deals in street_outcomes()[number].items():
        held = names.index(tuple(line.id for line in bet.held(made)))
        expected[held] += 990 * deals
    assert (played[0].sum(axis=(1, 2))[1:] == expected[1:]).all()
    for made, deals in street_outcomes()[number].items():
        board = [line.id for line in bet.lines if line.when.cards == "board"
                 and line.when.category is made.board]  # fmt: skip
        gone[names.index(tuple(board))] += 990 * deals
    assert (folded[0][1:] == gone[1:]).all()


@pytest.mark.slow
def test_aces_against_aces_win_as_often_as_they_lose(best):
    """The line that looks at the dealer's hand: dealt card by card, and suits are alike."""
    book = load(V3)
    paid = schedule(book, STAKES)
    found = _given_dealer(book, paid, best, "AA", "AA")
    assert found.sum() == 6 * 17_296 * 45 * 44
    by_part = found.sum(axis=1)
    results = by_part[1:].reshape(4, RESULTS).sum(axis=0)
    assert by_part[FOLDED] == 0
    assert results[LOST] == results[WON:].sum() > 0
    assert results[TIED] > 40 * results[LOST], "they share the board but for a flush"
    # A flop makes Four of a Kind with two Aces only if both are left, and none is.
    names = [[award.line for award in held] for held in paid.sets]
    assert found[:, names.index(["4.2.minor.four-of-a-kind"])].sum() == 0


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_the_joint_counts_are_those_of_a_simulation(swept, best, mains, book):
    """Every outcome of the three bets together, against 20 million rounds that are settled."""
    loaded = load(book)
    paid = schedule(loaded, STAKES)
    exact = joint_counts(loaded, paid, swept, best, mains=mains)
    rounds = 20_000_000
    from croupier.lab.floor import Link

    link = Link(reset=5_000_000, contribution=100)
    plan = Plan.make(loaded, best.tabled, STAKES, rounds=rounds, seed=11, link=link)
    seen = simulate(plan).counts
    expected = exact / DEALS * rounds
    assert seen[exact == 0].sum() == 0, "nothing comes that cannot"
    often = expected >= 5
    score = ((seen - expected) ** 2 / np.where(often, expected, 1))[often].sum()
    freedom = often.sum() - 1
    assert freedom > 300
    assert abs(score - freedom) < 4.5 * (2 * freedom) ** 0.5
    rare = seen[~often].sum(), expected[~often].sum()
    assert abs(rare[0] - rare[1]) < 5 * rare[1] ** 0.5


# ---- the sheets in the documentation ---------------------------------------------------------


def sheet(book):
    return json.loads((SHEETS / f"{book}.json").read_text(encoding="utf-8"))


def bet_of(answer, name):
    return next(bet for bet in answer["bets"] if bet["bet"] == name)


@pytest.mark.parametrize("book", BOOKS)
def test_a_sheet_says_nothing_that_is_not_in_its_schema(book):
    Draft202012Validator(closed(schema_of("par"))).validate(sheet(book))


@pytest.mark.parametrize("book", BOOKS)
def test_every_figure_of_a_sheet_follows_from_its_distribution(book):
    answer = sheet(book)
    for bet in answer["bets"]:
        rows = [(Fraction(row["exact"]), row["count"]) for row in bet["distribution"]]
        assert sum(n for _, n in rows) == bet["deals"] == DEALS
        mean = sum(result * n for result, n in rows) / DEALS
        assert mean == Fraction(bet["ev"])
        variance = sum(result**2 * n for result, n in rows) / DEALS - mean**2
        assert variance == Fraction(bet["variance"])
        assert bet["standard_deviation"] == pytest.approx(float(variance) ** 0.5, rel=1e-12)
        assert Fraction(bet["return_exact"]) == 1 + mean / Fraction(bet["staked_exact"])
        assert bet["hold"] == pytest.approx(1 - bet["return"], abs=1e-12)
        assert Fraction(bet["hit_frequency_exact"]) == sum(
            Fraction(n, DEALS) for result, n in rows if result > 0
        )
    terms = answer["terms"]
    parts = [("main", terms["ante"]), ("bonus", terms["bonus"]), ("progressive", terms["stake"])]
    whole = sum(Fraction(bet_of(answer, name)["ev"]) * Fraction(unit) for name, unit in parts)
    assert Fraction(bet_of(answer, "round")["ev"]) == whole


@pytest.mark.parametrize("book", BOOKS)
def test_the_lines_of_a_sheet_are_those_of_other_counts(book):
    """Main bets by the solver, Bonus by pairs of hands, jackpot by combinations."""
    answer, loaded = sheet(book), load(book)
    lines = {line["id"]: line for line in answer["lines"]}
    solution = solve(loaded)
    assert Fraction(bet_of(answer, "main")["ev"]) == solution.ev
    assert Fraction(bet_of(answer, "main")["variance"]) == solution.variance
    wins = sum(hand.combinations * hand.wins for hand in solution.hands if not hand.folded)
    assert lines["4.1.flop"]["count"] == wins / 1326 * DEALS
    # The Bonus comes out of the joint counts, where each line is a starting hand's.
    found = {row["exact"]: row["count"] for row in bet_of(answer, "bonus")["distribution"]}
    for line in bonus(loaded, stake=500).lines:
        assert found[str(line.winnings)] == line.count * DEALS // 1_624_350
        assert lines[line.id]["count"] == line.count
    bet = progressive(loaded)
    for line in bet.counted(stake=500, meter=5_000_000):
        assert lines[line.id]["count"] == line.count
    folded = [n for n, hand in enumerate(solution.hands) if hand.folded]
    paid = bet.expected_with_folds(folded, stake=500, meter=5_000_000)
    assert Fraction(bet_of(answer, "progressive")["return_exact"]) == paid / 500


@pytest.mark.parametrize("book", BOOKS)
def test_other_strategies_are_worth_what_is_known_of_them(book):
    answer, solution = sheet(book), solve(load(book))
    found = {one["name"]: one for one in answer["strategies"]}
    assert list(found) == [
        "optimal", "always Flop bet", "made hands only", "blind", "all bets always",
    ]  # fmt: skip
    played = sum(hand.combinations * hand.play for hand in solution.hands) / 1326
    assert Fraction(found["always Flop bet"]["main"]["ev"]) == played
    # An unseen hand wins as often as it loses, so bets at even money change nothing but the spread.
    for name in ("blind", "all bets always"):
        assert Fraction(found[name]["main"]["ev"]) == solution.blind.play
    assert (
        found["blind"]["main"]["standard_deviation"]
        < 3
        < 4
        < (found["all bets always"]["main"]["standard_deviation"])
    )
    assert all(one["costs"] >= 0 for one in answer["strategies"])


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_of_a_sheet_opens_offline_and_shows_every_result(book):
    answer = sheet(book)
    page = checked(to_html(par_report(answer)))
    words = " ".join(page.text)
    for row in bet_of(answer, "round")["distribution"]:
        assert f"{row['count']:,}" in words
    assert answer["rulebook_sha256"] in words
    assert page.tags.count("svg") == 3


def test_a_what_if_has_a_second_column_and_the_difference():
    now, before = sheet(V3), sheet(V3)
    now["changes"] = [{"part": "4.2.minor.flush", "old": "40 for 1", "new": "50 for 1"}]
    bet_of(now, "progressive")["return"] += 0.02
    text = " ".join(checked(to_html(par_report(now, before))).text)
    assert "Changed to" in text
    assert "… as it is" in text
    assert "… difference" in text
    assert "+2.0000%" in text


def recomputed(book, settings=()):
    changed, _ = what_if(load(book), settings)
    return par_answer(par(changed, Terms()))


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_the_sheets_in_the_documentation_are_what_is_computed_now(book):
    answer = json.loads(json.dumps(recomputed(book)))
    kept = sheet(book)
    for key in ("software_sha256", "croupier"):
        answer.pop(key), kept.pop(key)
    assert answer == kept, "write them anew: croupier lab par v2 v3 v6 --into docs/par"


# ---- the command -----------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(lab, ["par", *words])


def test_the_sheet_from_the_command_line(monkeypatch, tmp_path):
    monkeypatch.setattr(lab_par, "sheet_of", lambda book, *_: sheet(book))
    answer = json.loads(run("v3", "--json").stdout)
    assert answer == sheet(V3)
    text = run("v3").output
    assert "Time between awards" in text
    assert run("v3", "--html", str(tmp_path / "a.html")).exit_code == 0
    checked((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert run("v2", "v3", "--into", str(tmp_path / "all")).exit_code == 0
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == [
        f"{V2}.html", f"{V2}.json", f"{V3}.html", f"{V3}.json",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("v8",), "no-limit-holdem-v8"),
        (("v3", "v2"), "--into a folder"),
        (("v3", "--ante", "0"), "ante: 0"),
        (("v3", "--bonus", "0"), "bonus: a sheet tells of every bet"),
        (("v3", "--contribution", "9"), "contribution: 9 of a jackpot stake of 5"),
        (("v3", "--set", "4.2.minor.flush=some"), "is not a payment"),
    ],
)
def test_terms_that_cannot_be_are_named(words, says):
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert says in result.output


def test_a_sheet_of_nothing_is_refused():
    with pytest.raises(BadAmount, match="at least 1"):
        Terms(stakes_per_round=0).check()
    assert len(NAMES) == len(COMBINATIONS)
