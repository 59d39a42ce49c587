"""Standing orders: checked when they are read, and followed by the game they are for."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from croupier.house.standing import StandingOrders, order_named, unfit
from croupier.live.config import STANDING_ORDERS, FaultyConfig, check, read_config
from croupier.live.demonstration import demonstration
from croupier.live.errors import BadConfig
from croupier.pit import GAMES
from croupier.rulebooks import load
from croupier.table import ActorRank, Choice, Decide, DecisionNeeded, DecisionTaken
from tests.jackpot.test_link import Controller, PayClaims, held, three_claims

__all__ = ["three_claims"]
BOOK = {"poker": "no-limit-holdem-v8", "banked": "multi-link-progressive-v3"}


def asked(question: str, *options: str, of: int | ActorRank = ActorRank.DEALER, **about: str):
    return DecisionNeeded(
        decision=7,
        question=question,
        says="?",
        options=tuple(Choice(name=option) for option in options),
        of=of,
        about=about,
        cites=(),
    )


def answer(told, game, need):
    table = GAMES.games[BOOK[game]].table_type(load(BOOK[game]))
    decide = StandingOrders(told).decide(table, need)
    if decide is not None:
        assert decide.decision == 7
        assert re.fullmatch(r'standing order "[a-z: ]+"', decide.reason)
    return decide and decide.option


# -- following them -------------------------------------------------------------------------------


def test_an_order_is_for_every_game_or_for_one_and_the_one_stands_above():
    told = {"ruling": "continue", "banked": {"ruling": "void round"}}
    need = asked("ruling", "continue", "void", "void round")
    assert answer(told, "poker", need) == "continue"
    assert answer(told, "banked", need) == "void round"
    assert answer({"poker": {"ruling": "void"}}, "banked", need) is None


def test_an_order_for_a_case_stands_above_the_one_for_its_question():
    told = {"poker": {"ruling": "continue", "ruling: interruption": "void"}}
    assert answer(told, "poker", asked("ruling", "continue", "void")) == "continue"
    case = asked("ruling", "continue", "void", case="interruption")
    assert answer(told, "poker", case) == "void"
    other = asked("ruling", "continue", "void", case="interruption after showdown")
    assert answer(told, "poker", other) == "continue"


def test_the_log_names_the_order():
    told = {"poker": {"ruling": "continue", "ruling: interruption": "void"}}
    table = GAMES.games[BOOK["poker"]].table_type(load(BOOK["poker"]))
    decide = StandingOrders(told).decide(table, asked("ruling", "void", case="interruption"))
    assert decide is not None
    assert decide.reason == 'standing order "ruling: interruption"'
    taken = DecisionTaken(
        decision=7,
        question="ruling",
        option="void",
        reason=decide.reason,
        who="standing orders",
        rank=ActorRank.SHIFT_MANAGER,
        cites=(),
    )
    assert order_named(taken) == "ruling: interruption"
    assert order_named(structs.replace(taken, reason="standing order")) == "ruling"
    assert order_named(structs.replace(taken, who="Sam")) == ""


def test_what_is_not_offered_now_is_left_to_people():
    told = {"poker": {"ruling": "void"}}
    assert answer(told, "poker", asked("ruling", "continue")) is None


def test_nothing_is_decided_for_a_player():
    told = {"poker": {"join on the small blind": "wait"}}
    assert answer(told, "poker", asked("join on the small blind", "wait", of=3)) is None


def test_a_link_has_orders_of_its_own(three_claims: Controller):
    three_claims.do(PayClaims())
    [need] = three_claims.link.state.waiting
    orders = StandingOrders({"jackpot": {"order of payment": "as dealt"}})
    assert orders.decide(three_claims.link, need) == Decide(
        decision=need.decision, option="as dealt", reason='standing order "order of payment"'
    )


def test_hands_of_two_tables_dealt_at_the_same_time_are_left_to_people():
    c = Controller(start=9_999_000)
    for table in "AB":
        c.stakes(table, 1, 2)
        c.claim(table, 1, held(1, "4.2.major.straight-flush", 10))
    c.do(PayClaims())
    [need] = c.link.state.waiting
    orders = StandingOrders({"jackpot": {"order of payment": "as dealt"}})
    assert orders.decide(c.link, need) is None


# -- checking them --------------------------------------------------------------------------------


WRONG = {
    "another game's answer": (
        {"poker": {"confirm void": "void"}},
        'standing_orders.poker."confirm void": poker offers no "void" here; '
        'write "confirm" or "reject"',
    ),
    "one answer for two games": (
        {"confirm void": "void"},
        'standing_orders."confirm void": poker offers no "void" here; write "confirm" or '
        '"reject"; order it for each game, under [standing_orders.poker]',
    ),
    "a question that nobody asks": (
        {"who post": "nothing"},
        'standing_orders."who post": no game asks this; did you mean "who posts"?',
    ),
    "another game's question": (
        {"jackpot": {"who posts": "nothing"}},
        'standing_orders.jackpot."who posts": jackpot asks no such question of staff; '
        'there is "order of payment"',
    ),
    "details": (
        {"banked": {"next rounds": "block boxes"}},
        'standing_orders.banked."next rounds": "block boxes" needs details that nobody knows '
        'beforehand; write "close table" or "no progressive bets"',
    ),
    "only details": (
        {"poker": {"the street as it lies": "report"}},
        'standing_orders.poker."the street as it lies": "report" needs details that nobody knows '
        "beforehand; it is always left to people",
    ),
    "a player's question": (
        {"join on the small blind": "wait"},
        'standing_orders."join on the small blind": this is a player\'s own to answer, and the '
        "House does not decide it",
    ),
    "a player's question in its game": (
        {"poker": {"join on the small blind": "wait"}},
        'standing_orders.poker."join on the small blind": this is a player\'s own to answer, and '
        "the House does not decide it",
    ),
    "no game": (
        {"holdem": {"ruling": "void"}},
        "standing_orders.holdem: there is no such game; orders are for poker, banked, jackpot",
    ),
}


@pytest.mark.parametrize("told", WRONG)
def test_an_order_that_fits_nothing_is_an_error_with_its_place_and_what_fits(told):
    orders, says = WRONG[told]
    assert list(map(str, unfit(orders))) == [says]


def test_orders_that_fit_are_no_error():
    assert unfit({"who posts": "nothing", "ruling": "continue"}) == []
    assert unfit({"poker": {"ruling: interruption": "void"}, "jackpot": {}}) == []


def test_a_configuration_is_checked_when_it_is_read_and_every_wrong_order_is_told(tmp_path):
    file = tmp_path / "casino.toml"
    file.write_text(
        '[standing_orders]\n"who posts" = "nothing"\n"not shown" = "nothing"\n'
        '[standing_orders.poker]\n"confirm void" = "void"\n"who post" = "nothing"\n'
    )
    with pytest.raises(BadConfig) as wrong:
        read_config(file)
    assert str(wrong.value).splitlines() == [
        f"{file} has 3 faults:",
        '  line 3: standing_orders."not shown": banked offers no "nothing" here; write '
        '"treat as folded", "compare" or "return"',
        '  line 5: standing_orders.poker."confirm void": poker offers no "void" here; write '
        '"confirm" or "reject"',
        '  line 6: standing_orders.poker."who post": poker asks no such question of staff; '
        'did you mean "who posts"?',
    ]


def test_so_is_one_that_is_made():
    wrong = structs.replace(demonstration(), standing_orders={"confirm void": "void"})
    with pytest.raises(FaultyConfig, match="poker offers no"):
        check(wrong)


def test_the_page_lists_everything_that_may_be_ordered():
    page = (Path(__file__).parents[2] / "docs" / "serve.md").read_text("utf-8")
    of_a_game = re.compile(r"\| (poker|banked|jackpot) \| `")
    assert [line for line in page.splitlines() if of_a_game.match(line)] == [
        f"| {game} | `{name}` | {', '.join(f'`{option}`' for option in question.options)} |"
        for game, questions in GAMES.questions.items()
        for question in questions
        if question.of == "staff" and question.options
        for name in question.names
    ]


# -- the demonstration, which has no staff --------------------------------------------------------


def test_the_demonstration_has_an_order_for_every_question_that_can_have_one():
    for game, questions in GAMES.questions.items():
        own = STANDING_ORDERS[game]
        assert isinstance(own, dict)
        names = [n for q in questions if q.of == "staff" and q.options for n in q.names]
        assert sorted(own) == sorted(names)


def test_what_can_have_none_is_asked_of_a_dealer_alone():
    """Cards that lie on a real table, and packets that a person took from a shuffler."""
    left = [q.name for game in GAMES.questions.values() for q in game if not q.options]
    assert left == ["the street as it lies", "order of the cards"]
    for table in demonstration().tables.values():
        automatic = table.settings.get("dealing") is None
        assert automatic or table.settings.get("shoe") is None, "no real cards"
        assert automatic or table.settings.get("device") is None, "no shuffler"
