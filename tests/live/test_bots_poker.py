"""Bots at poker tables: never refused, never seeing more than their seat does, each in its way."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec import structs

from benchmarks.bots import CallingPlayer, mean_and_error, poker_batch
from croupier.cards import DECK, Card
from croupier.live.bots import BEST, TEMPERAMENTS, BotPlayer, PokerBot, make_bot, terms_of
from croupier.live.bots.practice import Practice
from croupier.live.bots.seat import View
from croupier.live.bots.temperaments import CAREFUL, DARING, SHARP, SOLID, TRUSTING
from croupier.poker import PokerTable
from croupier.poker import commands as do
from croupier.poker.view import PokerView
from croupier.table import Command, Decide, GiveShuffle, Look

BOOKS = ("no-limit-holdem-v8", "poker-v5")


def settings(book: str, chance: Random) -> dict[str, Any]:
    """A table with any blinds, seats and stakes."""
    small = chance.choice([100, 500, 2500])
    found: dict[str, Any] = {
        "layout": "A",
        "sign": True,
        "seats": chance.randint(3, 9),
        "blinds": [small, 2 * small],
        "minimum_stake": small * chance.choice([10, 40, 100]),
        "chips": [100, 500, 2500, 10_000],
        "rake": {"percent": chance.choice([2, 5]), "cap": 6 * small},
    }
    if book == "no-limit-holdem-v8":
        found |= {"maximum_stake": 400 * small, "straddle": chance.random() < 0.5}
    else:
        found["opened_knowingly"] = True
    return found


def practice_of(
    book: str, seed: int, *, spied: Callable[[BotPlayer, View], None] | None = None
) -> Practice:
    """A table with bots in some of its seats; whoever goes is followed by another."""
    chance = Random(seed)
    stated = settings(book, chance)
    numbers = iter(range(1, 1_000_000))

    def comes(seat: int) -> BotPlayer:
        name = f"bot {next(numbers)}"
        bot = make_bot(practice.table, name, chance.choice(TEMPERAMENTS))
        player = BotPlayer(bot, seat, terms_of(practice.table), Random(chance.random()))
        player.stays = chance.randint(3, 40)
        return player

    practice = Practice(
        book, stated, chance, spied=spied or (lambda player, view: None), comes=comes
    )
    count = chance.randint(2, stated["seats"])
    seats = chance.sample(range(1, stated["seats"] + 1), count)
    practice.players = [comes(seat) for seat in sorted(seats)]
    return practice


def play_many(book: str, tables: int, hands: int, first: int = 0) -> Practice:
    for seed in range(first, first + tables):
        practice = practice_of(book, seed)
        practice.play(hands)  # a refused command is an error
    return practice


# ---- legal, always ------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_bots_give_no_command_that_is_refused(book: str):
    play_many(book, tables=4, hands=12)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_bots_give_no_command_that_is_refused_in_thousands_of_hands(book: str):
    play_many(book, tables=60, hands=50, first=100)


def test_a_newcomer_on_the_button_does_not_wait_where_two_could_never_play_without_him():
    practice = practice_of("no-limit-holdem-v8", 104)
    asked: list[str] = []
    give = practice.give

    def watched(command: Command, *more: Any, **named: Any) -> None:
        if isinstance(command, Decide) and len(practice.table.taken_seats()) == 2:
            asked.append(command.option)
        give(command, *more, **named)

    practice.give = watched  # type: ignore[method-assign]
    practice.play(16)
    assert "both blinds" in asked
    assert "wait" not in asked


def test_nobody_folds_where_a_check_is_free(monkeypatch: pytest.MonkeyPatch):
    practice = practice_of("no-limit-holdem-v8", 3)
    given: list[Command] = []
    give = practice.give

    def watched(command: Command, *more: Any, **named: Any) -> None:
        if isinstance(command, do.Fold):
            offered = {offer.do for offer in practice.table.offers(command.seat)}
            assert "check" not in offered
            given.append(command)
        give(command, *more, **named)

    monkeypatch.setattr(practice, "give", watched)
    practice.play(40)
    assert given


def test_bots_answer_the_questions_that_are_asked_of_their_seat():
    asked: set[int] = set()

    def spied(player: BotPlayer, view: View) -> None:
        asked.update(q.decision for q in view.decisions if q.yours)

    for seed in range(18, 58):  # at about a third of the tables somebody is
        practice = practice_of("no-limit-holdem-v8", seed, spied=spied)
        practice.play(14)
        assert not practice.table.state.waiting
        if asked:
            return
    pytest.fail("no newcomer was asked about the Blinds")


# ---- nothing but what the seat sees -------------------------------------------------------------


def test_no_view_holds_a_card_that_lies_face_down():
    looked = 0

    def spied(player: BotPlayer, view: View) -> None:
        nonlocal looked
        assert isinstance(view, PokerView)
        for seat in view.seats.values():
            open_to_it = seat.looked if seat.player == player.name else bool(seat.hand)
            if open_to_it:
                looked += bool(seat.cards)
            else:
                assert set(seat.cards) <= {Card.UNKNOWN}

    for book in BOOKS:
        practice_of(book, 5, spied=spied).play(15)
    assert looked > 50


def heads_up(seed: int, swap: dict[Card, Card]) -> tuple[list[Command], PokerTable]:
    """The best bot and one who always calls play a hand; some cards of the deck are swapped."""
    practice = Practice("poker-v5", settings("poker-v5", Random(1)), Random(seed))
    table = practice.table
    assert isinstance(table, PokerTable)
    bots = (PokerBot("Best", BEST, terms_of(table).unit), CallingPlayer("Other", BEST))
    practice.players = [
        BotPlayer(bot, seat, terms_of(table), Random(seed)) for seat, bot in enumerate(bots, 1)
    ]
    given: list[Command] = []
    give = practice.give

    def watched(command: Command, *more: Any, **named: Any) -> None:
        if isinstance(command, GiveShuffle):
            cards = tuple(swap.get(card, card) for card in command.cards)
            command = structs.replace(command, cards=cards)
        elif getattr(command, "seat", None) == 1:
            given.append(command)
        give(command, *more, **named)

    practice.give = watched  # type: ignore[method-assign]
    practice.play(1)
    return given, table


@pytest.mark.parametrize("seed", range(6))
def test_a_bot_does_the_same_whatever_the_cards_are_that_it_cannot_see(seed: int):
    first, table = heads_up(seed, {})
    played = table.state.round
    assert played is not None
    others = played.players[2].cards
    seen = {*played.players[1].cards, *others, *table.board()}
    unseen = [card for card in Card if card.is_known and card not in seen]
    one, other = Random(seed).sample(unseen, 2)
    swap = {others[0]: one, one: others[0], others[1]: other, other: others[1]}
    again, changed = heads_up(seed, swap)
    assert changed.state.round is not None
    assert changed.state.round.players[1].cards == played.players[1].cards
    assert changed.board() == table.board()
    assert set(changed.state.round.players[2].cards) == {one, other}
    assert again == first


def test_without_having_seen_its_cards_a_bot_puts_nothing_in():
    practice = practice_of("poker-v5", 2)
    views: list[PokerView] = []

    def spied(player: BotPlayer, view: View) -> None:
        assert isinstance(view, PokerView)
        if view.turn is not None and view.turn in view.yours and view.status == "betting":
            views.append(view)

    practice.spied = spied
    practice.play(5)
    assert views
    for view in views:
        seat = view.yours[0]
        blind = structs.replace(
            view.seats[seat], cards=(Card.UNKNOWN, Card.UNKNOWN), looked=True, makes=""
        )
        hidden = structs.replace(view, seats={**view.seats, seat: blind})
        bot = PokerBot(view.seats[seat].player, SHARP, 1000)
        command = bot.decide(hidden, view.offers[seat], Random(1))
        assert isinstance(command, do.Check | do.Fold)
        not_looked = structs.replace(blind, looked=False)
        unseen = structs.replace(view, seats={**view.seats, seat: not_looked})
        assert bot.decide(unseen, view.offers[seat], Random(1)) == Look(seat=seat)


def test_a_bot_hears_only_what_everybody_hears():
    practice = practice_of("no-limit-holdem-v8", 8)
    heard = []
    practice.players[0].hear = heard.append  # type: ignore[method-assign]
    practice.play(3)
    assert heard
    assert all(event == event.public() for event in heard)


# ---- temperaments -------------------------------------------------------------------------------


def test_how_long_a_bot_takes_tells_nothing_of_its_cards():
    """Whatever it holds, and whatever it then does, it finds a decision as hard."""
    found: list[set[float]] = []

    def spied(player: BotPlayer, view: View) -> None:
        assert isinstance(view, PokerView)
        me = view.seats.get(player.seat)
        if me is None or view.turn != player.seat or not me.looked:
            return
        names = {offer.do for offer in view.offers.get(player.seat, ())}
        if "fold" not in names or len(me.cards) != 2:
            return
        others = [card for card in DECK if card not in (*view.board, *me.cards)]
        chance = Random(view.round)
        found.append(set())
        for cards in (me.cards, *(tuple(chance.sample(others, 2)) for _ in range(6))):
            seen = structs.replace(me, cards=cards)
            asked = structs.replace(view, seats={**view.seats, player.seat: seen})
            thought = player.bot.think(asked, view.offers[player.seat], Random(5))
            assert thought is not None
            found[-1].add(thought.hard)

    practice_of("no-limit-holdem-v8", 3, spied=spied).play(6)
    assert found
    assert all(len(hard) == 1 for hard in found)


@pytest.mark.slow
def test_temperaments_differ_measurably():
    chosen = (SOLID, DARING, TRUSTING, CAREFUL, SHARP)
    practice = Practice(
        "no-limit-holdem-v8",
        settings("no-limit-holdem-v8", Random(1)) | {"seats": 6, "straddle": False},
        Random(11),
    )
    practice.players = [
        BotPlayer(
            make_bot(practice.table, each.name, each), seat, terms_of(practice.table), Random(seat)
        )
        for seat, each in enumerate(chosen, 1)
    ]
    for player in practice.players:
        player.stays = 10_000
        player._may_buy = lambda: True  # type: ignore[method-assign]
    practice.play(110)
    bot = practice.players[-1].bot
    assert isinstance(bot, PokerBot)
    notes = bot.memory.notes
    entered = {name: note.entered / note.hands for name, note in notes.items()}
    raised = {name: note.raised / note.hands for name, note in notes.items()}
    folds = {name: note.folds / note.faced for name, note in notes.items()}
    assert entered["daring"] > entered["solid"] + 0.1
    assert entered["trusting"] > raised["trusting"] + 0.1  # it calls where others raise
    assert raised["daring"] > raised["careful"] + 0.1
    assert folds["solid"] > folds["trusting"]


@pytest.mark.slow
@pytest.mark.parametrize(("opponent", "hands"), [("acts at random", 700), ("always calls", 200)])
def test_the_best_temperament_beats_who_plays_without_sense(opponent: str, hands: int):
    results, seconds = poker_batch(opponent, hands, 1)
    mean, error = mean_and_error(results)
    assert mean > 2 * error
    assert sorted(seconds)[len(seconds) // 2] < 0.05
