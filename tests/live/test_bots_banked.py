"""Bots at banked tables: never refused, the best play, stakes that carry through the round."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec import structs

from benchmarks.bots import BANKED
from croupier.banked import BankedTable
from croupier.banked import commands as do
from croupier.banked.view import BankedView, BoxView
from croupier.cards import Card, read_cards
from croupier.lab import UnsolvableGame, base_game
from croupier.live.bots import TEMPERAMENTS, BankedBot, BotPlayer, make_bot, terms_of
from croupier.live.bots.banked_strategy import Strategy
from croupier.live.bots.practice import Practice
from croupier.live.bots.seat import View
from croupier.live.bots.temperaments import CAREFUL, DARING, SHARP
from croupier.rulebooks import load
from croupier.table import ActorRank, Command, Decide, Look, Offer
from croupier.table.view import player as seen_by

BOOKS = ("progressive-texas-holdem-v6", "multi-link-progressive-v2", "multi-link-progressive-v3")
V3 = "multi-link-progressive-v3"


def practice_of(book: str, seed: int = 1, **more: Any) -> Practice:
    """A table with a bot of each temperament."""
    stated = {**BANKED, "opened_knowingly": True, **more}
    if book.startswith("progressive"):
        stated["effective"] = "2020-01-01T08:00:00+08:00"
    practice = Practice(book, stated, Random(seed))
    practice.players = [
        BotPlayer(
            make_bot(practice.table, each.name, each), box, terms_of(practice.table), Random(box)
        )
        for box, each in enumerate(TEMPERAMENTS, 1)
    ]
    return practice


# ---- legal, always ------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["shoe", "shuffler"])
@pytest.mark.parametrize("book", BOOKS)
def test_bots_give_no_command_that_is_refused(book: str, device: str):
    practice = practice_of(book, device=device)
    practice.play(6)
    assert isinstance(practice.table, BankedTable)
    assert practice.table.state.round == 6


@pytest.mark.slow
@pytest.mark.parametrize("device", ["shoe", "shuffler"])
@pytest.mark.parametrize("book", BOOKS)
def test_bots_give_no_command_that_is_refused_in_hundreds_of_rounds(book: str, device: str):
    for seed in range(4):
        practice_of(book, seed, device=device).play(100)


def test_a_short_rack_never_leaves_a_bot_without_its_flop_bet():
    practice = practice_of(V3)
    short = BotPlayer(
        make_bot(practice.table, "short", structs.replace(DARING, buys=5, antes=(5,))),
        6,
        terms_of(practice.table),
        Random(1),
    )
    short._may_buy = lambda: False  # type: ignore[method-assign]
    practice.players = [short]
    folds: list[Command] = []
    give = practice.give

    def watched(command: Command, *more: Any, **named: Any) -> None:
        if isinstance(command, do.Fold):
            folds.append(command)
            view = practice.table.view(seen_by("short"))
            assert isinstance(view, BankedView)
            assert "flop bet" in {offer.do for offer in view.boxes[6].may}
        give(command, *more, **named)

    practice.give = watched  # type: ignore[method-assign]
    for _ in range(12):
        practice.between()
        view = practice.table.view(seen_by("short"))
        assert isinstance(view, BankedView)
        if view.chips is not None and view.chips < 5 * BANKED["ante_minimum"]:
            break
        practice.round()
    else:
        pytest.fail("it never lost: choose another seed")


# ---- nothing but what the box sees --------------------------------------------------------------


def test_no_view_holds_a_card_that_lies_face_down():
    seen = 0

    def spied(player: BotPlayer, view: View) -> None:
        nonlocal seen
        assert isinstance(view, BankedView)
        for number, box in view.boxes.items():
            if number in view.yours and box.looked:
                seen += bool(box.cards)
            elif view.status not in ("jackpot", "between rounds", "bets open"):
                assert set(box.cards) <= {Card.UNKNOWN}
        if view.status not in ("settling", "jackpot", "between rounds", "bets open"):
            assert set(view.dealer) <= {Card.UNKNOWN}

    practice = practice_of(V3)
    practice.spied = spied
    practice.play(5)
    assert seen > 20


def view_with(cards: str, board: str, status: str, *may: str, **box: Any) -> BankedView:
    offers = tuple(Offer(do=name, least=500, most=500) for name in may)
    held = BoxView(
        player="Bot",
        stakes={"ante": 500},
        standing="in for the finish" if board else "in",
        cards=read_cards(cards),
        looked="?" not in cards,
        may=offers,
        **box,
    )
    return BankedView(
        table="T",
        rulebook=V3,
        round=1,
        status=status,
        device="shoe",
        limits={"ante_minimum": 500, "ante_maximum": 50_000},
        boxes={3: held},
        board=read_cards(board),
        burns=0,
        dealer=(Card.UNKNOWN, Card.UNKNOWN),
        dealer_hand="",
        void=False,
        notice="",
        progressive_taken=False,
        yours=(3,),
    )


def decided(view: BankedView) -> Command | None:
    bot = BankedBot("Bot", SHARP, load(V3))
    return bot.decide(view, view.boxes[3].may, Random(1))


@pytest.mark.parametrize(
    ("cards", "board", "may", "does"),
    [
        ("7c 2d", "", ("flop bet", "fold"), do.Fold(box=3)),
        ("8c 2d", "", ("flop bet", "fold"), do.FlopBet(box=3)),
        ("?? ??", "", ("flop bet", "fold"), do.FlopBet(box=3)),
        ("?? ??", "", ("look", "flop bet", "fold"), Look(seat=3)),
        ("Ah Kd", "", ("fold",), do.Fold(box=3)),
        ("Ah Kd", "2c 7s 9h", ("turn bet", "check"), do.TurnBet(box=3)),
        ("2c 3d", "Kh Qs 9h", ("turn bet", "check"), do.Check(box=3)),
        ("Ah Kd", "2c 7s 9h Ad", ("river bet", "check"), do.RiverBet(box=3)),
        ("?? ??", "2c 7s 9h", ("turn bet", "check"), do.Check(box=3)),
        ("Ah Kd", "2c 7s 9h", ("check",), do.Check(box=3)),
        ("Ah Kd", "2c 7s 9h", (), None),
    ],
)
def test_the_hand_is_played_by_the_best_strategy(
    cards: str, board: str, may: tuple[str, ...], does: Command | None
):
    assert decided(view_with(cards, board, "turn", *may)) == does


@pytest.mark.parametrize(
    ("board", "may"),
    [
        ("", ("flop bet", "fold")),
        ("2c 7s 9h", ("turn bet", "check")),
        ("2c 7s 9h Td", ("river bet", "check")),
    ],
)
def test_how_long_a_bot_takes_tells_nothing_of_its_cards(board: str, may: tuple[str, ...]):
    """Whatever it holds, and whatever it then does, it finds a decision as hard."""
    bot = BankedBot("Bot", SHARP, load(V3))
    found = []
    for cards in ("Ah Ad", "7d 2h", "8d 2h", "Kc Qc", "3d 4c"):
        view = view_with(cards, board, "turn", *may)
        thought = bot.think(view, view.boxes[3].may, Random(1))
        assert thought is not None
        found.append(thought)
    assert len({type(each.command) for each in found}) == 2, "it bets with some, and not with all"
    assert len({(each.hard, each.at_once) for each in found}) == 1


def test_a_game_that_was_not_solved_is_refused_by_name(monkeypatch: pytest.MonkeyPatch):
    better = structs.replace(base_game(load(V3)), river_odds=2)
    monkeypatch.setattr("croupier.live.bots.banked_strategy.base_game", lambda book: better)
    with pytest.raises(UnsolvableGame, match="solved for other bets or odds"):
        Strategy(load(V3))


# ---- stakes by temperament ----------------------------------------------------------------------


def test_temperaments_stake_differently():
    practice = practice_of(V3)
    staked: dict[str, set[str]] = {each.name: set() for each in TEMPERAMENTS}
    give = practice.give

    def watched(command: Command, who: str = "house", *more: Any, **named: Any) -> None:
        if who in staked:
            staked[who].add(type(command).__name__)
        give(command, who, *more, **named)

    practice.give = watched  # type: ignore[method-assign]
    practice.play(8)
    assert {"PlaceAnte", "PlaceBonus", "PlaceProgressive"} <= staked[DARING.name]
    assert "PlaceBonus" not in staked[SHARP.name]  # it loses more than the rest of the game
    assert "PlaceAnte" in staked[CAREFUL.name]


# ---- questions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("amount", "answered"), [(300, "increase")])
def test_a_bot_answers_a_question_that_is_asked_of_its_box(amount: int, answered: str):
    practice = practice_of(V3, dealing="by-hand")
    [bot] = practice.players = practice.players[:1]
    practice.between()
    for command in (
        do.CallForBets(),
        do.ReportChips(box=1, bet="ante", amount=amount),
        do.NoticeBet(box=1, bet="ante"),
    ):
        practice.give(command, "dealer", ActorRank.DEALER)
    view = practice.table.view(seen_by(bot.name))
    assert isinstance(view, BankedView)
    [question] = view.decisions
    assert question.yours
    thought = bot.step(view)
    assert thought is not None
    assert thought.command == Decide(decision=question.decision, option=answered)
    practice.give(thought.command, bot.name, ActorRank.PLAYER)
    assert not practice.table.state.waiting
