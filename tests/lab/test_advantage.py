"""Strategy cards, what a line is worth, ruin, and the commands that tell of them."""

import json
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from croupier.cards import DECK, read_cards
from croupier.cli.lab import lab
from croupier.lab.answer_types import schema_of
from croupier.lab.base import result_of, solve
from croupier.lab.bonus_bet import bonus
from croupier.lab.card_features import FEATURES, signatures
from croupier.lab.errors import BadAmount
from croupier.lab.game import base_game
from croupier.lab.joint import main_counts
from croupier.lab.known_gain import Gain, Part
from croupier.lab.par import main_bets
from croupier.lab.report import to_html
from croupier.lab.report_card import card_answer, card_report
from croupier.lab.report_known import known_answer, known_report
from croupier.lab.ruin import bankroll_for, session
from croupier.lab.sensitivity import effects
from croupier.lab.strategy_card import decisions_of, strategy_card
from croupier.lab.whatif import what_if
from croupier.rulebooks import load
from tests.lab.test_answer_types import closed
from tests.lab.test_report import checked

V3 = load("multi-link-progressive-v3")
V6 = load("progressive-texas-holdem-v6")
GAME = base_game(V3)


def fits(kind, answer):
    Draft202012Validator(closed(schema_of(kind))).validate(json.loads(json.dumps(answer)))


# ---- the strategy card -----------------------------------------------------------------------


def seen(text):
    """The features that a person sees in two Hole Cards and a board."""
    cards = read_cards(text)
    hole, board = cards[:2], cards[2:]
    rest = [card for card in DECK if card not in cards]
    row = [*board, *rest[: 7 - len(board)], *hole]
    indices = np.array([[card.index for card in row]], np.uint8)
    [number] = signatures(indices, len(board))
    return {name for bit, name in enumerate(FEATURES) if number >> bit & 1}


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("Ah Kh 2h 7h 9c", {"flush-draw", "ace", "king", "queen", "jack", "two-over", "one-over"}),
        ("9d 8c 7s 6h 2c", {"open-ended", "one-over", "two-over"}),
        ("9d 8c 7s 5h 2c", {"gutshot", "one-over", "two-over"}),
        ("Qd 3c Qs 6h 2c", {"made", "queen", "jack"}),
        ("4d 4c Ks 6h 2c", {"made", "pocket"}),
        ("4d 4c Ks Kh 2c", {"made", "pocket", "strong", "paired"}),
        ("Jd 4c Ks Kh 2c", {"jack", "paired"}),
        ("Ad 4c 2s 3h 5c", {"made", "strong", "ace", "king", "queen", "jack", "one-over"}),
        ("8d 4c Ks 7s 2s", {"suited-board"}),
        ("Jd 4c 9s Ts Qs 2d", {"jack", "open-ended", "suited-board"}),
    ],
)
def test_a_person_sees_what_lies_there(text, has):
    assert seen(text) == has


@pytest.mark.slow
def test_a_card_is_worth_exactly_what_its_deals_come_to(swept):
    """Its value is a sum over what people see; counted deal by deal it is the same fraction."""
    card = strategy_card(V3, rules=3)
    counts = main_counts(swept, decisions_of(card)).sum(axis=0)
    assert main_bets(GAME, counts)["main"].mean == card.value
    assert card.best == solve(V3).ev
    assert 0 < card.costs < Fraction(2, 100)
    assert [rule.text for rule in card.turn[:2]] == [
        "a pair or better with a Hole Card", "four to a flush with a Hole Card",
    ]  # fmt: skip
    for rules in (card.turn, card.river):
        costs = [rule.still_costs for rule in rules]
        assert costs == sorted(costs, reverse=True)
        for before, after in pairwise(rules):
            assert before.still_costs - after.gain == after.still_costs
    answer = card_answer(card)
    fits("card", answer)
    words = " ".join(checked(to_html(card_report(answer))).text)
    assert "Fold 32o 42o 52o 62o 72o" in words
    with pytest.raises(BadAmount, match="1 to 8"):
        strategy_card(V3, rules=9)


# ---- what a line is worth --------------------------------------------------------------------


@pytest.mark.slow
def test_what_a_line_is_worth_is_its_count_times_what_it_pays_more():
    terms = {"bonus_stake": 500, "stake": 500, "meter": 10_000_000}
    found = {one.id: one for one in effects(V3, by=Fraction(1, 2), **terms)}
    pair = found["4.1.bonus.low-pair"]
    assert pair.change == -Fraction(66_150 * 3, 1_624_350 * 2)
    assert (pair.pays, pair.instead) == ("3 to 1", "4.5 to 1")
    royal = found["4.2.major.royal-flush"]
    assert royal.change == -Fraction(4, 2_598_960) * Fraction(10_000_000, 500) / 2
    assert found["4.2.minor.flush"].change == -Fraction(5108 * 20, 2_598_960)
    # Better odds are worth at least what they pay more to hands that are played as before.
    bets = solve(what_if(V3, ["4.1.turn=3 to 2"])[0]).turn_bet_frequency
    assert found["4.1.turn"].change < 0
    assert found["4.1.flop"].change < found["4.1.turn"].change < 0
    assert abs(found["4.1.turn"].change) < bets / 2
    assert {one.bet for one in found.values()} == {"main", "bonus", "progressive"}
    assert pair.edge == bonus(V3, stake=500).house_edge
    with pytest.raises(BadAmount, match="by: 0%"):
        effects(V3, by=Fraction(0), bonus_stake=1, stake=1, meter=0)


def test_a_line_that_pays_otherwise_may_be_paid_instead_of_another():
    # B-15, B-18: a board of Four of a Kind or a Straight Flush satisfies two lines of v6.
    terms = {"bonus_stake": 500, "stake": 500, "meter": 10_000_000}
    ways, fours = 56_189_515_200, 13_490_880
    more = {one.id: one for one in effects(V6, by=Fraction(1, 10), **terms)}
    assert more["4.2.community.four-of-a-kind"].change == -Fraction(fours * 30, ways * 5)
    flushes = 778_320 - 3_760  # the others have a Royal Flush on the river, worth 5,000
    assert more["4.2.community.straight-flush"].change == -Fraction(flushes * 150, ways * 5)
    less = {one.id: one for one in effects(V6, by=-Fraction(1, 2), **terms)}
    assert less["4.2.community.four-of-a-kind"].change == 0
    lost = (94_436_160 - fours) * 150
    assert less["4.2.major.four-of-a-kind"].change == Fraction(lost, ways * 5)


# ---- ruin ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result():
    return result_of(solve(V3))


def test_the_distribution_of_a_round_is_the_solver_s(result):
    solution = solve(V3)
    assert (result.mean, result.variance) == (solution.ev, solution.variance)
    assert result.staked == solution.average_bet


def test_ruin_in_one_round_is_a_loss_too_large(result):
    """From 9 Antes one round leaves less than 5 exactly if it loses 5."""
    one = session(GAME, result, bankroll=9, rounds=1)
    assert one.ruin == pytest.approx(result.results[Fraction(-5)] / result.universe)
    assert one.ends.sum() == pytest.approx(1, abs=1e-9)
    assert one.mean == pytest.approx(9 + float(result.mean))
    assert session(GAME, result, bankroll=4, rounds=50).ruin == 1
    assert session(GAME, result, bankroll=10, rounds=1).ruin == 0


def test_ruin_is_that_of_sessions_that_are_played(result):
    rng = np.random.default_rng(8)
    values = np.array([int(value) for value in result.results])
    chances = np.array(list(result.results.values())) / result.universe
    left = np.full(20_000, 30)
    for _ in range(60):
        step = rng.choice(values, len(left), p=chances)
        left = np.where(left >= 5, left + step, left)
    exact = session(GAME, result, bankroll=30, rounds=60)
    share = (left < 5).mean()
    assert abs(share - exact.ruin) < 4 * (exact.ruin * (1 - exact.ruin) / len(left)) ** 0.5
    assert np.median(left) == pytest.approx(exact.quantile(0.5), abs=1)
    assert abs((left > 30).mean() - exact.ahead) < 0.015


def test_the_bankroll_for_a_risk_is_the_least(result):
    need = bankroll_for(GAME, result, risk=0.05, rounds=100)
    assert session(GAME, result, bankroll=need, rounds=100).ruin <= 0.05
    assert session(GAME, result, bankroll=need - 1, rounds=100).ruin > 0.05
    for wrong in ({"bankroll": 0, "rounds": 5}, {"bankroll": 5, "rounds": 0}):
        with pytest.raises(BadAmount):
            session(GAME, result, **wrong)


# ---- commands --------------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(lab, list(words))


@pytest.mark.parametrize(
    ("kind", "words", "says"),
    [
        ("ruin", ("ruin", "v3", "--rounds", "30"), "Risk of ruin"),
        ("sensitivity", ("sensitivity", "v6", "--by", "50%"), "4.2.major.four-of-a-kind"),
        ("hand", ("hand", "v3", "7c", "2d", "--dealer", "As Ah"), "known to be the dealer's"),
    ],
)
def test_the_commands_answer_as_tables_json_and_pages(tmp_path, kind, words, says):
    text = run(*words)
    assert text.exit_code == 0, text.output
    assert says in " ".join(text.output.split())
    page = tmp_path / "a.html"
    result = run(*words, "--json", "--html", str(page))
    assert result.exit_code == 0, result.output
    fits(kind, json.loads(result.stdout))
    checked(page.read_text(encoding="utf-8"))


def test_known_cards_as_data_and_page():
    part = Part(0.1, 0.02)
    known = {"samples": 60, "hands": 3, "fold": part, "turn": part, "river": part}
    gains = [Gain(dead=0, dealer=2, without=-0.02, **known)]
    assert gains[0].error == pytest.approx(0.02 * 3**0.5)
    assert gains[0].value == pytest.approx(0.28)
    answer = known_answer(V3, gains, seed=1)
    fits("known", answer)
    assert "both cards of the dealer's" in " ".join(checked(to_html(known_report(answer))).text)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("sensitivity", "v3", "--by", "much"), "no percentage"),
        (("sensitivity", "v3", "--by", "0%"), "by: 0%"),
        (("ruin", "v3", "--bankroll", "5"), "at least one Ante"),
        (("ruin", "v3", "--rounds", "30000"), "1 to 20,000"),
        (("hand", "v3", "7c", "2d", "--dead", "7c"), "dead: 7c is in"),
        (("hand", "v3", "7c", "2d", "--dealer", "As Ah Ac"), "two Hole Cards"),
        (("card", "v3", "--rules", "0"), "0 is not in the range"),
        (("known", "v8"), "no-limit-holdem-v8"),
    ],
)
def test_what_cannot_be_asked_is_named(words, says):
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert says in result.output
