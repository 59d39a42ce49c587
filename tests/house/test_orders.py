"""Every accepted order is on record with by whose authority it was given; what was refused too."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.cards import DECK
from croupier.house import refused as refused_module
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.copy import LogCopy
from croupier.house.copy_reading import files, records_in, rows_of_copy
from croupier.house.critical_files import digests, reference
from croupier.house.errors import DiskFull
from croupier.house.office import commands as orders
from croupier.house.passwords import digest_of
from croupier.house.records import OrderRecord, Row
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import ActorRank, BadCommand, GiveShuffle, Look
from tests.house.casino import Guests, sitting
from tests.house.evening import evening, furnish, open_casino, play


@pytest.fixture
def casino(database_url: str, tmp_path: Path) -> Any:
    made = open_casino(database_url, tmp_path / "copy")
    furnish(made)
    yield made
    made.close()


def order_of(casino: Casino, words: str) -> OrderRecord:
    casino.house.writer.flush()
    found = [o for o in casino.house.reader.orders() if words.encode() in o.command]
    return found[-1]


def refusals(casino: Casino) -> list[Any]:
    casino.house.writer.refused.write()
    return list(casino.house.reader.refused())


def test_an_order_says_who_gave_it_where_and_what_decided_it(casino: Casino):
    casino.cash_in("Ann", 12_34, who="Cal", note="over the counter")
    order = order_of(casino, "over the counter")
    assert json.loads(order.command) == {
        "do": "cash in",
        "player": "Ann",
        "amount": 1234,
        "note": "over the counter",
    }
    assert (order.place, order.who, order.rank) == ("office", "Cal", "player")
    assert order.software == reference(digests()) == casino.house.software
    assert order.number == casino.house.reader.head("office").position - 1 + sum(
        head.position for place, head in casino.house.reader.heads().items() if place != "office"
    )


def test_it_says_by_which_session_and_at_which_post(casino: Casino):
    login = casino.log_in("Max", "Max's password")
    session = digest_of(login.token)
    note = orders.Disable(place="P8", reason="a spill")
    assert casino.tell(note, who="Max", session=session).refused is None
    assert json.loads(order_of(casino, "a spill").authority) == {
        "session": session,
        "duty": "pit manager",
        "area": "poker room",
    }
    casino.cash_in("Ann", 1, who="Cal")
    assert order_of(casino, '"cash in"').authority == ""
    hired = orders.HireStaff(name="Deb", role="dealer", digest=None, reason="busy")
    assert casino.tell(hired, who="administrator").refused is None
    acting = orders.GoOnDuty(name="Deb", post="pit supervisor", reason="for an hour")
    assert casino.tell(acting, who="Sam").refused is None
    assert casino.tell(orders.GoOffDuty(name="Deb"), who="Deb").refused is None
    authority = json.loads(order_of(casino, '"go off duty"').authority)
    assert authority == {"duty": "pit supervisor", "acting": True}


def test_a_player_who_sits_down_does_so_by_his_session(casino: Casino):
    casino.open_account("Eve", "Eve's password")
    casino.cash_in("Eve", 100_000_00, who="Cal")
    given = casino.house.give(
        "P8", sitting("P8", 7, "Eve"), who="Eve", rank=ActorRank.PLAYER, session="ab" * 32
    )
    assert given.result().refused is None
    order = order_of(casino, '"Eve"')
    assert (order.place, json.loads(order.authority)) == ("P8", {"session": "ab" * 32})


def test_what_other_places_had_to_hear_is_with_it(casino: Casino):
    play(casino, 1)
    shuffle = order_of(casino, '"give shuffle"')
    [heard] = json.loads(shuffle.also)
    assert heard["place"] == f"shuffles/{shuffle.place}"
    told = heard["command"]
    assert (told["do"], told["shuffle"]) == ("mix shuffle", shuffle.command_id)
    committed = order_of(casino, '"call for bets"')  # with what begins a round
    assert [each["command"]["do"] for each in json.loads(committed.also)] == ["commit secret"]


def test_what_came_to_nothing_is_decided_again_and_its_change_is_named(tmp_path: Path):
    """A second look: it has no event to be bound by, and its own digest beside it."""
    url = f"sqlite:///{tmp_path}/house.db"
    casino = open_casino(url, tmp_path / "copy")
    furnish(casino)
    table = casino.table("P8")
    guests = Guests(casino.house, casino.dealer, "P8", 3)
    while table.facts().status != "betting":
        assert guests.step() is not None
    seat = table.turn()
    assert seat is not None
    who = table.player_at(seat)
    for _ in range(2):
        look = casino.house.give("P8", Look(seat=seat), who=who, rank=ActorRank.PLAYER)
        assert look.result().refused is None
    assert look.result().said == ()
    casino.stop()
    store = Store(open_database(url))
    assert verify(store, tmp_path / "copy").differences == []
    [(number,)] = store.database.execute("SELECT COUNT(*) FROM orders WHERE events = 0")
    assert number == 1
    for column, value in (("who", "Ben"), ("command", b'{"do":"look","seat":2}')):
        [(before,)] = store.database.execute(f"SELECT {column} FROM orders WHERE events = 0")
        store.database.execute(f"UPDATE orders SET {column} = ? WHERE events = 0", (value,))
        [first, *_] = verify(store).differences
        assert (first.table, first.column) == ("orders", "digest")
        store.database.execute(f"UPDATE orders SET {column} = ? WHERE events = 0", (before,))
    store.close()


# -- what was refused -----------------------------------------------------------------------------


def test_what_a_person_is_refused_is_kept_with_what_he_was_told(casino: Casino):
    give = casino.house.give
    look = Look(seat=1)
    refused = give("P8", look, who="Ann", rank=ActorRank.PLAYER, command_id="hers", session="cd")
    told = refused.result().refused
    assert told is not None
    with pytest.raises(BadCommand):
        give("P8", orders.FoundHouse(administrator="x"), who="Max", rank=ActorRank.PIT_MANAGER)
    give("P8", look, who="house", rank=ActorRank.HOUSE).result()  # the software has no disputes
    first, second = refusals(casino)
    assert (first.command_id, first.place, first.who) == ("hers", "P8", "Ann")
    assert json.loads(first.command) == {"do": "look", "seat": 1}
    assert (first.says, json.loads(first.cites)) == (told.says, list(told.cites))
    assert json.loads(first.authority) == {"session": "cd"}
    assert (second.who, second.cites) == ("Max", "[]")
    assert json.loads(second.authority)["duty"] == "pit manager"
    assert second.says


def test_it_is_stored_soon_and_no_command_waits_for_it(casino: Casino):
    began = time.monotonic()
    casino.house.give("P8", Look(seat=1), who="Ann", rank=ActorRank.PLAYER).result()
    assert not list(casino.house.reader.refused())
    while not list(casino.house.reader.refused()):
        assert time.monotonic() < began + 20
        time.sleep(0.05)


def test_where_it_cannot_be_stored_commands_go_on_and_it_is_tried_again(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
):
    house = casino.house
    real = house.store.append_refused

    def full(*_: Any, **__: Any) -> None:
        raise DiskFull("no room left")

    monkeypatch.setattr(house.store, "append_refused", full)
    house.give("P8", Look(seat=1), who="Ann", rank=ActorRank.PLAYER).result()
    with pytest.raises(DiskFull):
        house.writer.refused.write()
    assert casino.cash_in("Ann", 5, who="Cal").refused is None
    monkeypatch.setattr(house.store, "append_refused", real)
    assert [each.who for each in refusals(casino)] == ["Ann"]


def test_there_is_a_bound_and_the_drop_is_counted(casino: Casino, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(refused_module, "WAIT_AT_MOST", 4)
    for seat in range(1, 7):
        look = Look(seat=seat)
        casino.house.give("M2", look, who="Nobody", rank=ActorRank.PLAYER).result()
    kept = refusals(casino)
    assert [json.loads(each.command)["seat"] for each in kept] == [3, 4, 5, 6]
    assert [each.number for each in kept] == [3, 4, 5, 6]
    casino.house.writer.flush()
    found = verify(casino.house.reader)
    assert (found.difference, found.refused, found.refused_dropped) == (None, 4, 2)


def test_a_shuffle_that_was_refused_does_not_tell_its_cards(casino: Casino):
    give = GiveShuffle(need=99, cards=tuple(DECK))
    with pytest.raises(BadCommand):
        casino.house.give("P8", give, who="Max", rank=ActorRank.PIT_MANAGER)
    [kept] = refusals(casino)
    assert json.loads(kept.command) == {"do": "give shuffle", "need": 99, "cards": []}


def test_names_that_no_database_holds_are_kept_as_far_as_they_can_be(casino: Casino):
    for who in ("a\0b", "a\nb", "\ud800"):
        casino.house.give("P8", Look(seat=1), who=who, rank=ActorRank.PLAYER).result()
    assert [each.who for each in refusals(casino)] == ["a\ufffdb", "a b", "?"]
    assert verify(casino.house.reader).difference is None


# -- in the copy ----------------------------------------------------------------------------------


def test_the_copy_has_the_orders_and_catches_them_up(casino: Casino, tmp_path: Path):
    play(casino, 1)
    casino.house.writer.flush()
    stored = list(casino.house.reader.orders())
    later = LogCopy(tmp_path / "later")
    later.catch_up(casino.house.reader)
    assert "there is one in" in later.alarm
    later.renew(casino.house.reader)  # as a person has it made
    later.close()
    for folder in (tmp_path / "copy", tmp_path / "later"):
        records = [each for file in files(folder) for each in records_in(file)]
        copied = {o.command_id: o for o in records if isinstance(o, OrderRecord)}
        assert copied == {o.command_id: o.as_stored() for o in stored}
        seen: set[str] = set()
        for record in records:
            if isinstance(record, OrderRecord):
                seen.add(record.command_id)
            elif isinstance(record, Row) and record.order:
                assert record.command_id in seen, "an event before its order"
    events = sum(head.position for head in casino.house.reader.heads().values())
    assert len(list(rows_of_copy(tmp_path / "later"))) == events


def test_an_order_that_the_copy_lacks_or_has_otherwise_is_named(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/house.db"
    evening(url, tmp_path / "copy", rounds=1)
    store = Store(open_database(url))
    file = files(tmp_path / "copy")[0]
    lines = file.read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"order":') and n > 40)
    command_id = msgspec.json.decode(lines[at])["order"]["command_id"]
    file.write_bytes(b"".join([*lines[:at], *lines[at + 1 :]]))
    [lacks] = verify(store, tmp_path / "copy").differences
    assert "the copy lacks the order" in lacks.says
    spoiled = lines[at].replace(b'"who":"', b'"who":"x')
    file.write_bytes(b"".join([*lines[:at], spoiled, *lines[at + 1 :]]))
    [other] = verify(store, tmp_path / "copy").differences
    assert (other.table, other.column) == ("copy", "who")
    assert command_id in other.where
    store.close()
