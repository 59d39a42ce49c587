"""Rounds of the banked games in a batch: the real table deals, sees and pays the same."""

import numpy as np
import pytest

from croupier.lab import BankedBatch, BatchError, Stakes
from croupier.lab.batch import by_index
from croupier.lab.errors import BadAmount
from croupier.play import BankedPlay

BOOKS = ("progressive-texas-holdem-v6", "multi-link-progressive-v2", "multi-link-progressive-v3")
STAKES = Stakes(ante=2500, bonus=1500, progressive=500)
BETS = ("flop bet", "turn bet", "river bet")


def rich_cards(chance, rows, boxes):
    """Some decks are plain; in others flop and first box make a Royal or a Straight Flush, or are
    of one suit, so that lines and shares of the meter come up."""
    cards = np.zeros((rows, 7 + 2 * boxes), np.uint8)
    for row in range(rows):
        lowest = {0: 8, 1: 5}.get(row % 4)
        suited = np.arange(13) if lowest is None else np.arange(lowest, lowest + 5)
        made = chance.permutation(suited)[:5] if row % 4 < 3 else chance.permutation(52)[:5]
        rest = [card for card in chance.permutation(52) if card not in made]
        cards[row] = [*made[:3], *rest[:4], *made[3:], *rest[4 : 2 + 2 * boxes]]
    return cards


@pytest.mark.parametrize("book", BOOKS)
def test_the_batch_plays_as_the_table_does(book):
    rows, boxes = 60, 2
    chance = np.random.default_rng(8)
    batch = BankedBatch(book, tables=rows, boxes=boxes, stakes=STAKES, meter=1_000_000)
    play = BankedPlay(book, players=boxes, ante=2500, bonus=1500, progressive=500, meter=1_000_000)
    batch.deal(cards=rich_cards(chance, rows, boxes))
    steps = []
    while batch.window:
        bets = chance.random((rows, boxes)) < 0.75
        steps.append((bets, batch.masks.copy(), batch.observations.copy()))
        batch.step(bets)
    assert (np.abs(batch.net) > 50_000).any(), "some lines of the jackpot are held"
    for t in range(rows):
        cards = [by_index()[card] for card in batch.cards[t]]
        hands = {box + 1: cards[7 + 2 * box : 9 + 2 * box] for box in range(boxes)}
        play.deal(hands=hands, board=cards[:5], dealer=cards[5:7])
        for (bets, masks, seen), bet in zip(steps, BETS, strict=True):
            for box in range(boxes):
                options = play.options_of(box + 1)
                assert masks[t, box].tolist() == [int(bool(options))] * 2
                if options:
                    assert options[bet].least == seen[t, box, 14]
                    view = play.view(box + 1)
                    up = [card.index for card in view.board if card.is_known]
                    assert seen[t, box, 3:8].tolist() == up + [-1] * (5 - len(up))
                    own = view.boxes[box + 1].cards
                    assert seen[t, box, 1:3].tolist() == [card.index for card in own]
                    assert sum(view.boxes[box + 1].stakes.values()) == seen[t, box, 8:14].sum()
            for box in range(boxes):
                options = play.options_of(box + 1)
                if options:
                    word = bet if bets[t, box] else next(do for do in options if do != bet)
                    play.act(word, seat=box + 1)
        assert play.seat is None
        assert [play.result[box + 1] for box in range(boxes)] == batch.net[t].tolist(), t


def test_rounds_are_repeated_by_their_seed_and_cloned():
    one = BankedBatch("multi-link-progressive-v3", tables=100, boxes=3, seed=4)
    two = BankedBatch("multi-link-progressive-v3", tables=100, boxes=3, seed=4)
    assert one == two
    one.step(np.ones((100, 3)))
    assert one != two
    again = one.clone()
    one.step(np.ones((100, 3)))
    again.step(np.ones((100, 3)))
    assert one == again
    first = one.cards.copy()
    one.deal()
    assert not np.array_equal(one.cards, first)
    one.reset(seed=4)
    assert one == two
    assert repr(one) == (
        "<BankedBatch: multi-link-progressive-v3, 100 tables of 3 boxes, decision 1>"
    )
    assert len(one.rows()) == 300


def test_everybody_folds_and_it_is_over():
    batch = BankedBatch("multi-link-progressive-v3", tables=10)
    batch.step(np.zeros((10, 1)))
    assert batch.window == 0
    assert batch.rewards.tolist() == [[-1.0]] * 10
    assert not batch.in_play.any()
    with pytest.raises(BatchError, match="the round is over"):
        batch.step(np.zeros((10, 1)))


def test_a_meter_below_nothing_is_refused():
    with pytest.raises(BadAmount, match="a meter cannot stand below nothing"):
        BankedBatch("multi-link-progressive-v3", tables=1, stakes=STAKES, meter=-1)


def test_cards_can_be_fixed():
    batch = BankedBatch("multi-link-progressive-v3", tables=3_000, boxes=2, stakes=STAKES)
    batch.deal(hands={1: "As Kd"}, board="2c ?? 4c", dealer="Qh Qs")
    wanted = {0: "2c", 2: "4c", 5: "Qh", 6: "Qs", 9: "As", 10: "Kd"}
    for place, card in wanted.items():
        index = next(found.index for found in by_index() if str(found) == card)
        assert (batch.cards[:, place] == index).all()
    ordered = np.sort(batch.cards, axis=1)
    assert (ordered[:, 1:] != ordered[:, :-1]).all()
    assert len(np.unique(batch.cards[:, 1])) == 46
    for given, says in (
        ({"hands": {2: "As"}}, "there is no box 2"),
        ({"board": "As", "dealer": "As"}, "given twice"),
        ({"cards": np.zeros((1, 2), np.uint8)}, "indices from 0 to 51"),
    ):
        with pytest.raises(BatchError, match=says):
            batch.deal(**given)
    with pytest.raises(BatchError, match="boxes: 0"):
        BankedBatch("multi-link-progressive-v3", tables=1, boxes=0)
    with pytest.raises(BatchError, match="by table and box"):
        batch.step([1, 0])
