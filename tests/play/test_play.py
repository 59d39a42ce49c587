"""Playing in a few lines: the dealer does his part, and every decision is the table's own."""

import random

import pytest

from croupier.play import BankedPlay, NotOpen, PlayError, PokerPlay

POKER = ("no-limit-holdem-v8", "poker-v5")
BANKED = ("progressive-texas-holdem-v6", "multi-link-progressive-v2", "multi-link-progressive-v3")


def random_hand(hand, chance):
    """Play a hand by what is open; give what was done."""
    done = []
    while hand.seat is not None:
        offer = chance.choice([*hand.options.values()])
        amount = None
        if offer.do in ("bet", "raise"):
            amount = chance.choice([offer.least, offer.most])
        hand.act(offer.do, amount)
        done.append((offer.do, amount))
    return done


@pytest.mark.parametrize("book", POKER)
def test_random_hands_of_poker_end_and_no_chip_is_lost(book):
    chance = random.Random(book)
    hand = PokerPlay(book, players=4, rake={"percent": 5, "cap": 3000}, seed=1)
    for _ in range(40):
        random_hand(hand, chance)
        assert sum(hand.result.values()) == -hand.rake
        assert all(event.cites for event in hand.events)
        hand.deal(stakes=[chance.randrange(1, 90) * 1000 for _ in range(4)])


@pytest.mark.parametrize("book", BANKED)
def test_random_rounds_of_a_banked_game_end(book):
    chance = random.Random(book)
    play = BankedPlay(book, players=3, bonus=500, progressive=500, seed=1)
    seen = set()
    for _ in range(25):
        seen |= {do for do, _ in random_hand(play, chance)}
        assert not play.table.playing()
        assert set(play.result) == {1, 2, 3}
        play.deal()
    assert seen == {"fold", "flop bet", "turn bet", "river bet", "check"}


def test_the_button_is_at_seat_1_and_cards_lie_where_they_were_put():
    for book in POKER:
        hand = PokerPlay(book, players=5, straddle=book.endswith("v8"))
        hand.deal(hands={1: "As Ad", 4: "?? 2c"}, board="Kd Qd Jd Td")
        if "straddle" in hand.options:
            hand.act("decline straddle")
        assert hand.positions == (2, 3, 4, 5, 1)
        assert [str(card) for card in hand.view(1).seats[1].cards] == ["As", "Ad"]
        assert str(hand.view(4).seats[4].cards[1]) == "2c"
        assert [str(card) for card in hand.view(2).seats[1].cards] == ["??", "??"]
        while hand.seat is not None:
            hand.act("check" if "check" in hand.options else "call")
        assert [str(card) for card in hand.view(1).board[:4]] == ["Kd", "Qd", "Jd", "Td"]
        assert hand.result[1] == 4_000  # a Royal Flush


def test_a_refusal_is_the_table_s_and_changes_nothing():
    hand = PokerPlay("no-limit-holdem-v8", players=2)
    before = hand.save()
    with pytest.raises(NotOpen, match=r"The smallest raise is to 20\. \(1\.28, 1\.37\)") as refused:
        hand.act("raise", 1500)
    assert refused.value.cites == ("1.28", "1.37")
    for words, says in (
        (("raise",), "say to how much"),
        (("call", 100), "call takes no amount"),
        (("dance",), "there is no 'dance'; there is check, call"),
        (("check",), "There is a bet of 10 to answer"),
    ):
        with pytest.raises(NotOpen, match=says):
            hand.act(*words)
    assert hand.save() == before
    hand.act("fold")
    with pytest.raises(NotOpen, match="the hand is over"):
        hand.act("fold")
    round_ = BankedPlay("multi-link-progressive-v3")
    with pytest.raises(NotOpen, match="The Flop bet is exactly twice the Ante, 20, not 15"):
        round_.act("flop bet", 1500)


def test_a_state_goes_on_alike_from_wherever_it_was_saved():
    """Chance is part of it: the same decisions meet the same cards."""
    for play in (
        PokerPlay("no-limit-holdem-v8", players=3, seed=8),
        BankedPlay("multi-link-progressive-v3", players=2, bonus=500, progressive=500, seed=8),
    ):
        first = next(iter(play.options))
        saved, other = play.save(), play.clone()
        assert other == play
        done = random_hand(play, random.Random(3))
        assert random_hand(other, random.Random(3)) == done
        assert other == play
        assert other.result == play.result
        assert other.told()[-1] == play.told()[-1]
        play.restore(saved)
        assert play != other
        assert next(iter(play.options)) == first
        assert random_hand(play, random.Random(3)) == done
        assert play.result == other.result
    with pytest.raises(PlayError, match="no saved game"):
        play.restore(b"\x00")
    with pytest.raises(PlayError, match="is of multi-link-progressive-v3"):
        BankedPlay("multi-link-progressive-v2").restore(saved)


def test_what_cannot_be_set_up_is_refused():
    for make, says in (
        (lambda: PokerPlay("multi-link-progressive-v3"), "is a banked game, not poker"),
        (lambda: PokerPlay("v8", players=11), "players: 11; 2 to 10 can play"),
        (lambda: PokerPlay("v8", players=["Ann", "Ann"]), "two have the same name"),
        (lambda: PokerPlay("v8", stakes=[1000]), "stakes: 1 for 2 players"),
        (lambda: PokerPlay("v8", stakes=150), "1.50"),
        (lambda: PokerPlay("v8", stakes=[1000.5, 1000]), "1000.5 is no whole number of cents"),
        (lambda: PokerPlay("v8").act("raise", 2000.5), "raise: 2000.5 is no whole number of cents"),
        (lambda: PokerPlay("v8").act("raise", "2000"), "raise: '2000' is no whole number of cents"),
        (lambda: PokerPlay("v8").deal(hands={3: "As"}), "there is no seat 3"),
        (lambda: PokerPlay("v8").deal(board="2c 3c 4c 5c 6c 7c"), "board: 6 cards, at most 5"),
        (lambda: BankedPlay("v3").deal(hands={2: "As"}), "there is no box 2"),
    ):
        with pytest.raises(PlayError, match=says):
            make()
    with pytest.raises(NotOpen, match="The Big Blind is twice the Small Blind"):
        PokerPlay("v8", blinds=(500, 900))


def test_it_is_told_in_a_line_and_a_list():
    hand = PokerPlay("poker-v5", players=2)
    assert repr(hand) == "<PokerPlay: poker-v5, betting, player 1 to act>"
    assert "<li>player 1 posts 5." in hand._repr_html_()
