"""No card that a viewer may not see is ever in a message to him: every byte sent is read.

Players, spectators and people who come back sit at tables of all five games; an oracle that knows
nothing of the code that masks says from the stored log what each of them may see at each position.
Every other one takes patches of the view; each is read as whole views are, and what comes of them
is compared with whole views.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from msgspec import structs

from croupier.house.audit.verify import verify
from croupier.house.mixing import salt_of
from croupier.poker.events import HoleCardsDealt
from croupier.simulator.cards import Leak, Oracle, Reader, cards_in
from croupier.table import Event, Looked
from tests.live.conftest import QUICK, Running, running
from tests.live.crowd import Evening, Somebody, play

TABLES = ["Raffles", "Clarke", "Orchard", "Marina-1", "Marina-2", "Sentosa-1", "Sentosa-2"]


IMPATIENT = structs.replace(QUICK, to_act=2.0, time_bank=1.0, bets=0.3)


def check(
    folder: Path, tables: list[str], rounds: int, seconds: float, players: int = 4
) -> Evening:
    with running(folder, clocks=IMPATIENT) as casino:
        evening = play(casino, tables, rounds, players=players, seconds=seconds)
        assert casino.casino.metrics.faults.value() == 0
        for place, crowd in evening.crowds.items():
            for somebody in (crowd[0], crowd[-2], crowd[-1]):
                recalled(casino, place, somebody)
        no_secret_was_told(casino, evening)
    played = evening.played()
    assert len(played) == 5
    assert all(count >= rounds for count in played.values()), played
    for place, crowd in evening.crowds.items():
        oracle = evening.oracles[place]
        assert oracle.rounds > 1, place
        assert oracle.looks > oracle.rounds // 3, f"{place}: hardly anybody looked at his cards"
        assert oracle.shown > oracle.rounds, f"{place}: hardly a card was turned up"
        for somebody in crowd:
            assert somebody.reader.messages > oracle.rounds, f"{place}: {somebody.client.name}"
            # Nothing lost and nothing twice, through every cut line.
            assert somebody.seen == sorted(set(somebody.seen)), place
        taking = [somebody for somebody in crowd if somebody.asks]
        assert sum(somebody.patches for somebody in taking) > oracle.rounds, place
        assert sum(somebody.compared for somebody in taking) > 0, place
        watched = crowd[-1]
        assert watched.seen == list(range(watched.seen[0], watched.seen[-1] + 1)), place
    return evening


def no_secret_was_told(casino: Running, evening: Evening) -> None:
    """Neither a secret of the House nor a salt of any place of its orders, to anybody, while the
    evening lasted: what is opened after a round is asked for apart."""
    house = casino.casino.house
    house.writer.flush()
    kept = {opening.seed for opening in house.reader.openings()}
    assert kept
    closed = {secret.hex() for secret in kept}
    closed |= {salt_of(secret, 0, place).hex() for secret in kept for place in range(52)}
    crowds = [somebody for crowd in evening.crowds.values() for somebody in crowd]
    assert sum(somebody.opened for somebody in crowds) > 3, "hardly anybody opened a seed"
    for somebody in crowds:
        assert somebody.reader.hashes, "nobody was told a commitment"
        assert not somebody.reader.hashes & closed
    assert verify(house.store).difference is None


def recalled(casino: Running, place: str, somebody: Somebody) -> None:
    """Recall shows nobody more than he was allowed to see then."""
    rounds = somebody.client.get(f"/api/tables/{place}/rounds")["rounds"]
    ended = [each for each in rounds if each["ended"]]
    assert ended, place
    for each in ended[:3]:
        path = f"{casino.url}/api/tables/{place}/rounds/{each['round']}"
        with somebody.client.opener.open(path) as answer:
            told = somebody.reader.read(answer.read().decode())
        assert told["recall"] is True
        positions = [event["position"] for event in told["events"]]
        assert positions[0] == each["first"]
        assert positions[-1] == each["last"]


def test_no_viewer_is_ever_sent_a_card_that_he_may_not_see(tmp_path: Path):
    check(tmp_path, ["Raffles", "Clarke", "Orchard", "Marina-2", "Sentosa-1"], 2, seconds=120)


@pytest.mark.slow
def test_no_viewer_is_ever_sent_such_a_card_over_a_thousand_rounds_of_each_game(tmp_path: Path):
    evening = check(tmp_path, TABLES, 1_000, seconds=3_600, players=3)
    assert min(evening.played().values()) >= 1_000
    readers = [somebody.reader for crowd in evening.crowds.values() for somebody in crowd]
    assert sum(reader.cards for reader in readers) > 1_000_000, "hardly a card was read"
    messages, read = sum(r.messages for r in readers), sum(r.bytes for r in readers)
    sys.stdout.write(f"{dict(evening.played())}: {messages:,} messages, {read:,} bytes read\n")


# ---- the test can fail --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [HoleCardsDealt, Looked])
def test_an_event_that_is_not_masked_is_found(
    kind: type[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kind, "public", lambda self: self)
    with running(tmp_path, tables=("Raffles",)) as casino, pytest.raises(Leak, match="was sent"):
        play(casino, ["Raffles"], rounds=10)


def test_a_view_that_shows_too_much_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from croupier.banked import view

    monkeypatch.setattr(view, "_seen", lambda box, his: set(box.cards))
    with running(tmp_path, tables=("Orchard",)) as casino, pytest.raises(Leak, match="was sent"):
        play(casino, ["Orchard"], rounds=10)


def test_a_card_in_a_sentence_is_found():
    assert cards_in('{"told": "Ann shows 10♦ and A♠.", "cards": ["Qh", "??"]}') == {
        "Td",
        "As",
        "Qh",
    }
    assert cards_in('{"name": "As", "id": "Ah7c"}') == {"As"}
    reader = Reader(Oracle("poker", lambda after: []), "Ann")
    with pytest.raises(Leak):
        reader.read(json.dumps({"is": "error", "says": "the card is K♥"}, ensure_ascii=False))
