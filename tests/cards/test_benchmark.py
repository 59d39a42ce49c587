"""The benchmark of ranking: a missing peer shows, and one that ranks otherwise stops it."""

import pytest

from benchmarks import ranking
from croupier.cards import rank_hand


def quick(monkeypatch: pytest.MonkeyPatch, **peers) -> None:
    monkeypatch.setattr(ranking, "PEERS", peers)
    monkeypatch.setattr(ranking, "HANDS", 500)
    monkeypatch.setattr(ranking, "SECONDS", 0.001)
    monkeypatch.setattr(ranking, "ROUNDS", 1)


def missing(hands):
    raise ModuleNotFoundError("No module named 'treys'")


def test_a_missing_peer_is_a_row_that_does_not_meet_its_target(monkeypatch):
    quick(monkeypatch, treys=missing, ours=lambda hands: (rank_hand, hands))
    croupier, treys, ours = ranking.measure()
    assert croupier.value > 0
    assert (treys.who, treys.value, treys.outcome) == ("treys", None, "missing")
    assert "not installed" in treys.note
    assert ours.ratio == croupier.value / ours.value


def test_peers_may_count_up_or_down_but_must_agree(monkeypatch):
    quick(monkeypatch, down=lambda hands: (lambda hand: -rank_hand(hand), hands))
    ranking.measure()
    quick(monkeypatch, first=lambda hands: (lambda hand: hand[0].index, hands))
    with pytest.raises(RuntimeError, match="first ranks otherwise than croupier"):
        ranking.measure()
    quick(monkeypatch, blurred=lambda hands: (lambda hand: rank_hand(hand) // 2, hands))
    with pytest.raises(RuntimeError, match="blurred ranks otherwise"):
        ranking.measure()


def test_everybody_gets_the_same_hands_on_every_run():
    assert ranking.make_hands(50) == ranking.make_hands(50)
    assert ranking.make_hands(50) != ranking.make_hands(50, seed=1)
