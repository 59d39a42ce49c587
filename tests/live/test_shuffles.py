"""Commitments over the wire: told before the first bet, mixed with seeds, opened afterwards."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.cards import Card
from croupier.house import merkle, mixing
from croupier.house.audit.verify import verify
from croupier.live.scheduler import SEEDS_WITHIN
from tests.live.conftest import QUICK, AtTable, Client, Running, running

SLOWLY = structs.replace(QUICK, between_rounds=40.0, pace=0.02, bets=30.0)
"""Nearly a second between two rounds: long enough to send a hash."""


def seed_of(who: str, number: int) -> bytes:
    return hashlib.sha256(f"{who} {number}".encode()).digest()


def send_hash(table: AtTable, who: str, number: int) -> None:
    made = mixing.seed_hash(table.place, number, who, seed_of(who, number)).hex()
    table.send({"seed": {"number": number, "hash": made}})


def open_seed(table: AtTable, who: str, number: int) -> None:
    table.send({"seed": {"number": number, "open": seed_of(who, number).hex()}})


def at_orchard(casino: Running, name: str = "Ann") -> tuple[Client, AtTable, dict[str, Any]]:
    client = casino.enter(name)
    table = client.at("Orchard")
    hello = table.until("hello")
    return client, table, hello["shuffle"]


def sit(table: AtTable, box: int, who: str) -> None:
    answer = table.do(do="sit", box=box, player=who, chips=100_000)
    assert answer["is"] == "answer", answer


def bet(table: AtTable, box: int, who: str) -> None:
    answer = table.do(do="place ante", box=box, amount=500, player=who)
    assert answer["is"] == "answer", answer


def last_shuffle(table: AtTable) -> dict[str, Any]:
    return [message for message in table.heard if message["is"] == "shuffle"][-1]


def play_on(table: AtTable, box: int) -> None:
    """To the end of the round: he looks, bets the Flop, and checks."""
    table.until_view(lambda view: view["status"] == "first decision")
    assert table.do(do="look", seat=box)["is"] == "answer"
    assert table.do(do="flop bet", box=box)["is"] == "answer"
    for decision in ("turn decision", "river decision"):
        if table.heard[-1].get("view", {}).get("status") != decision:
            table.until_view(lambda view, d=decision: view["status"] == d)
        assert table.do(do="check", box=box)["is"] == "answer"


def proofs(client: Client, number: int) -> list[dict[str, Any]]:
    until = time.monotonic() + 10
    while True:
        found = client.get("/api/tables/Orchard/rounds")["rounds"]
        if any(each["round"] == number and each["ended"] for each in found):
            break
        assert time.monotonic() < until
        time.sleep(0.05)
    return client.get(f"/api/tables/Orchard/rounds/{number}/shuffles")["shuffles"]


def test_everybody_is_told_the_commitment_before_a_bet_and_the_openings_after(tmp_path: Path):
    with running(tmp_path, clocks=SLOWLY, tables=("Orchard",)) as casino:
        ann, table, shuffle = at_orchard(casino)
        watcher = casino.enter().at("Orchard")
        first = shuffle["next"]
        sit(table, 1, "Ann")
        send_hash(table, "Ann", first)
        told = table.until("shuffle", stage="committed")
        assert told["number"] == first
        assert [each["player"] for each in told["seeds"]] == ["Ann"]
        called = table.until_view(lambda view: view["status"] == "bets open")
        before = [message["is"] for message in table.heard]
        assert before.index("shuffle") < len(before) - 1
        assert "bets called" in str(called["events"])
        assert watcher.until("shuffle", stage="committed")["root"] == told["root"]
        assert casino.enter().get("/api/tables/Orchard/shuffle")["root"] == told["root"]
        # Who comes now is told in his greeting.
        assert casino.enter("Ben").at("Orchard").until("hello")["shuffle"]["root"] == told["root"]
        bet(table, 1, "Ann")
        table.send({"ready": True})
        assert table.until("shuffle", stage="opening")["root"] == told["root"]
        open_seed(table, "Ann", first)
        mixed = table.until("shuffle", stage="mixed")["mixed"]
        assert [each["seed"] for each in mixed["seeds"]] == [seed_of("Ann", first).hex()]
        assert mixed["unopened"] == []
        play_on(table, 1)
        [proof] = proofs(ann, told["for_round"])
        check(proof, told)
        assert len(proof["openings"]) >= 9, "his own two, the board, the dealer's"
        [seen] = casino.enter().get(f"/api/tables/Orchard/rounds/{told['for_round']}/shuffles")[
            "shuffles"
        ]
        assert len(seen["openings"]) <= len(proof["openings"])
        check(seen, told)
        house = casino.casino.house
        house.writer.flush()
        assert verify(house.store).difference is None


@pytest.mark.parametrize("place", ["Raffles", "Clarke", "Orchard", "Sentosa-2", "Marina-1"])
def test_in_every_game_everybody_is_told_the_root_before_a_bet_of_its_round(
    tmp_path: Path, place: str
):
    """Who plays, who watches, and who comes between the commitment and the bets."""
    with running(tmp_path, tables=(place,)) as casino:
        watcher = casino.enter().at(place)
        tables = {name: casino.enter(name).at(place) for name in ("Ann", "Ben")}
        for number, (name, table) in enumerate(tables.items(), start=1):
            if place in ("Raffles", "Clarke"):
                answer = table.do(do="sit", seat=number, player=name, stake=50_000)
            else:
                answer = table.do(do="sit", box=number, player=name, chips=100_000)
            assert answer["is"] == "answer", answer
        roots = [root_before_bets(each) for each in (*tables.values(), watcher)]
        late = casino.enter("Cho").at(place).until("hello")["shuffle"]
        assert {(1, late["root"])} == set(roots)
        assert late["for_round"] == 1


def root_before_bets(table: AtTable) -> tuple[int, str]:
    """The first round that begins, and the root that everybody was told for it before that."""
    told: dict[int, str] = {}
    heard = list(table.heard)
    while True:
        message = heard.pop(0) if heard else table.next(timeout=20)
        shuffle = message.get("shuffle") if message["is"] == "hello" else message
        if shuffle and shuffle.get("root"):
            assert len(shuffle["root"]) == 64
            told[shuffle["for_round"]] = shuffle["root"]
        for event in message.get("events", ()):
            if "bets called" in str(event) or "blinds called" in str(event):
                number = event["event"]["round"]
                assert number in told, f"round {number} began, and nobody was told its root"
                return number, told[number]


def check(proof: dict[str, Any], told: dict[str, Any]) -> None:
    """As a player's own program would: with what he was told before, and nothing else."""
    assert (proof["digest"], proof["committed_root"]) == (told["digest"], told["root"])
    assert proof["hashes"] == told["seeds"]
    seeds = [(each["player"], bytes.fromhex(each["seed"])) for each in proof["seeds"]]
    digest, root = bytes.fromhex(proof["digest"]), bytes.fromhex(proof["committed_root"])
    places = mixing.places_of(mixing.mix_key(digest, root, seeds), proof["counter"], proof["cards"])
    assert proof["openings"]
    for opened in proof["openings"]:
        assert places[opened["index"]] == opened["place"]
        salt, card = bytes.fromhex(opened["salt"]), Card(opened["card"])
        leaf = mixing.leaf_of(salt, opened["place"], card)
        path = [bytes.fromhex(step) for step in opened["path"]]
        made = merkle.root_by(leaf, opened["place"], proof["cards"], path)
        assert made is not None
        assert made.hex() == proof["root"] == told["root"]


def test_a_table_waits_a_second_for_a_seed_and_no_longer(tmp_path: Path):
    with running(tmp_path, clocks=SLOWLY, tables=("Orchard",)) as casino:
        _, table, shuffle = at_orchard(casino)
        first = shuffle["next"]
        sit(table, 1, "Ann")
        send_hash(table, "Ann", first)
        table.until("shuffle", stage="committed")
        bet(table, 1, "Ann")
        table.send({"ready": True})
        table.until("shuffle", stage="opening")
        began = time.monotonic()
        mixed = table.until("shuffle", stage="mixed")["mixed"]
        waited = time.monotonic() - began
        assert SEEDS_WITHIN * 0.8 < waited < SEEDS_WITHIN * 2.5
        assert mixed["unopened"] == ["Ann"]
        # Now it is too late, and he is told so.
        open_seed(table, "Ann", first)
        assert table.until("error", code="seed")["says"].startswith("No seed of commitment")


def test_who_has_no_seed_is_not_waited_for_nor_who_is_away(tmp_path: Path):
    with running(tmp_path, clocks=SLOWLY, tables=("Orchard",)) as casino:
        _, ann, shuffle = at_orchard(casino)
        _, ben, _ = at_orchard(casino, "Ben")
        first = shuffle["next"]
        sit(ann, 1, "Ann")
        sit(ben, 2, "Ben")
        send_hash(ben, "Ben", first)
        bet_when_open(ann, 1, "Ann")
        bet_when_open(ben, 2, "Ben")
        ben.close()
        time.sleep(0.2)
        ann.send({"ready": True})
        ann.until("shuffle", stage="opening")
        began = time.monotonic()
        mixed = ann.until("shuffle", stage="mixed")["mixed"]
        assert time.monotonic() - began < SEEDS_WITHIN * 0.8
        assert mixed["unopened"] == ["Ben"]


def bet_when_open(table: AtTable, box: int, who: str) -> None:
    if table.heard[-1].get("view", {}).get("status") != "bets open":
        table.until_view(lambda view: view["status"] == "bets open")
    bet(table, box, who)


@pytest.mark.parametrize(
    ("seed", "says"),
    [
        ({"number": 99, "hash": "00" * 32}, "The next commitment is number"),
        ({"number": 99, "open": "00" * 32}, "No seed of commitment 99"),
    ],
)
def test_a_seed_at_the_wrong_time_is_told_so(tmp_path: Path, seed: dict[str, Any], says: str):
    with running(tmp_path, clocks=SLOWLY, tables=("Orchard",)) as casino:
        _, table, _ = at_orchard(casino)
        table.send({"seed": seed})
        assert "Only who sits" in table.until("error", code="seed")["says"]
        sit(table, 1, "Ann")
        table.send({"seed": seed})
        assert table.until("error", code="seed")["says"].startswith(says)


@pytest.mark.parametrize(
    "seed",
    [
        {},
        {"number": 1},
        {"number": 1, "hash": "00" * 32, "open": "00" * 32},
        {"number": 0, "hash": "00" * 32},
        {"number": 1, "hash": "0" * 63},
        {"number": 1, "hash": "G" * 64},
        {"number": 1, "open": "00" * 32, "more": 1},
        {"number": 1 << 32, "open": "00" * 32},
    ],
)
def test_a_seed_that_is_none_is_unreadable(tmp_path: Path, seed: dict[str, Any]):
    with running(tmp_path, tables=("Orchard",)) as casino:
        _, table, _ = at_orchard(casino)
        table.send({"seed": seed})
        assert table.until("error")["code"] == "unreadable"


def test_of_a_round_that_is_not_over_nothing_is_opened(tmp_path: Path):
    with running(tmp_path, clocks=SLOWLY, tables=("Orchard",)) as casino:
        ann, table, _ = at_orchard(casino)
        sit(table, 1, "Ann")
        told = table.until("shuffle", stage="committed")
        for number in (told["for_round"], told["for_round"] + 50):
            with pytest.raises(Exception, match="404"):
                ann.get(f"/api/tables/Orchard/rounds/{number}/shuffles")
