"""Staff over the network: refused where they are not assigned, for players on their word only."""

from __future__ import annotations

import json
import time
import urllib.error
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.house.office.roster_commands import AssignStaff, EndAssignment, SetLicence
from croupier.live.config import Config
from croupier.live.waits import waits_for
from croupier.table import Table
from tests.house.quick import make_quick
from tests.house.staff import employ
from tests.live.accounts import CLOCKS, for_money, log_in, people
from tests.live.conftest import PASSWORD, Client, Running, found_for_money, running

PIN = "2580"


def with_hand_dealt() -> Config:
    """Raffles deals by itself with its own clocks; at H1 and H2 a person deals and sees."""
    config = for_money()
    raffles = config.tables["Raffles"]
    by_hand = structs.replace(
        raffles, settings={**raffles.settings, "dealing": "by-hand"}, area="poker room"
    )
    own = structs.replace(raffles, clocks={"to_act": 33.0})
    return structs.replace(config, tables={"Raffles": own, "H1": by_hand, "H2": by_hand}, links={})


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    make_quick(monkeypatch)
    found_for_money(tmp_path)
    clocks = structs.replace(CLOCKS, grace=0.0, seat_kept=0.0, decision=0.2)
    with running(tmp_path, with_hand_dealt(), clocks=clocks) as opened:
        office = opened.casino.casino
        people(office)
        employ(office, "Deb", "dealer", password=PASSWORD, assigned=False)
        office.set_pin("Ann", PIN, who="Ann")
        yield opened


def post(client: Client, path: str, body: Any) -> tuple[int, dict[str, Any]]:
    try:
        return 200, client.post(path, body)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def sits(player: str, word: str, seat: int = 1, **more: Any) -> dict[str, Any]:
    command = {"do": "sit", "seat": seat, "player": player, "stake": 50_000}
    return {
        "id": f"sit-{player}-{word}".replace(" ", "-"),
        "command": command,
        "player": player,
        "word": word,
        "why": "as he asked",
        **more,
    }


def office_says(client: Client, id: str, **command: Any) -> tuple[int, dict[str, Any]]:
    return post(client, "/api/office/commands", {"id": id, "command": command})


def test_a_dealer_is_refused_at_a_table_that_is_not_his(house: Running):
    deb, sue = log_in(house, "Deb"), log_in(house, "Sue")
    start = {"id": "start-it-1", "command": {"do": "start game"}}
    status, said = post(deb, "/api/tables/H1/commands", start)
    assert (status, said["is"], said["cites"][0]["paragraph"]) == (409, "refused", "S-34")
    assert "Deb is not assigned to table H1" in said["says"]
    status, said = office_says(
        deb, "assign-deb-1", do="assign staff", name="Deb", table="H1", reason="x"
    )
    assert (status, said["is"]) == (409, "refused")
    status, said = office_says(
        sue, "assign-deb-2", do="assign staff", name="Deb", table="H1", reason="relief"
    )
    assert status == 200
    assert "Deb is assigned to table H1" in said["told"][0]
    again = office_says(
        sue, "assign-deb-2", do="assign staff", name="Deb", table="H1", reason="relief"
    )
    assert again == (200, said), "sent twice, it has one effect and the same answer"
    status, said = post(deb, "/api/tables/H1/commands", {**start, "id": "start-it-2"})
    assert "assigned" not in str(said)
    status, said = post(deb, "/api/tables/H2/commands", {**start, "id": "start-it-3"})
    assert "Deb is not assigned to table H2" in said["says"]
    line = next(one for one in deb.get("/api/office/roster")["staff"] if one["name"] == "Deb")
    assert [one["says"] for one in line["assignments"]] == ["table H1"]
    assert line["licence"] == "L-Deb"


def test_an_assignment_that_is_ended_is_ended_over_an_open_socket(house: Running):
    office = house.casino.casino
    office.tell(AssignStaff(name="Deb", table="H1", reason="x"), who="Max")
    [number] = [n for n, one in office.office.state.roster.items() if one.name == "Deb"]
    table = log_in(house, "Deb").at("H1")
    assert "assigned" not in str(table.do(do="start game"))
    office.tell(EndAssignment(assignment=number, reason="over"), who="Max")
    assert "Deb is not assigned to table H1" in table.do(do="start game")["says"]


def test_a_player_and_who_is_off_duty_are_told(house: Running):
    ann, cal = log_in(house, "Ann"), log_in(house, "Cal")
    for client in (ann, house.enter()):
        status, said = post(client, "/api/tables/H1/for-player", sits("Ann", "cash"))
        assert (status, said["error"]) == (403, "staff only")
    status, said = post(cal, "/api/tables/H1/for-player", sits("Ann", "cash"))
    assert (status, said["error"]) == (403, "off duty")
    start = {"id": "start-it-1", "command": {"do": "start game"}}
    status, said = post(cal, "/api/tables/H1/commands", start)
    assert (status, said["code"]) == (403, "off duty")
    with pytest.raises(urllib.error.HTTPError):
        ann.get("/api/office/roster")


def test_whose_licence_ends_goes_off_duty_and_is_told_why(house: Running):
    office = house.casino.casino
    dan = log_in(house, "Dan")
    table = dan.at("H1")
    table.until("view")
    yesterday = house.casino.house.clock().date() - timedelta(days=1)
    ended = SetLicence(name="Dan", licence="SE-1", until=yesterday, reason="not renewed")
    assert office.tell(ended, who="administrator").refused is None
    bye = table.until("bye")
    assert bye["code"] == "off duty"
    start = {"id": "start-it-1", "command": {"do": "start game"}}
    status, said = post(dan, "/api/tables/H1/commands", start)
    assert (status, said["code"]) == (403, "no licence")
    assert "licence SE-1 of Dan ended" in said["says"]
    status, said = office_says(dan, "go-on-duty", do="go on duty", name="Dan", post="dealer")
    assert (status, said["cites"][0]["paragraph"]) == (409, "S-41")
    for _ in range(40):
        if "Dan" not in office.office.state.duty:
            break
        wait_a_little()
    assert "Dan" not in office.office.state.duty


def wait_a_little() -> None:

    time.sleep(0.1)


def test_a_player_is_seated_on_his_pin_or_for_cash(house: Running):
    dan = log_in(house, "Dan")
    status, said = post(dan, "/api/tables/H1/for-player", sits("Ann", "pin", pin="1379"))
    assert (status, said["code"]) == (403, "wrong pin")
    assert "not the PIN of Ann" in said["says"]
    right = sits("Ann", "pin", pin=PIN)
    once = post(dan, "/api/tables/H1/for-player", right)
    assert once[1]["is"] == "answer"
    assert post(dan, "/api/tables/H1/for-player", right) == once
    cash = sits("Cash 2", "cash", seat=2)
    assert post(dan, "/api/tables/H1/for-player", cash)[1]["is"] == "answer"
    status, said = post(dan, "/api/tables/Raffles/for-player", sits("Bob", "cash", seat=3))
    assert (status, said["is"]) == (409, "refused")
    assert "act for themselves" in said["says"]
    without = {"id": "no-word-here", "command": sits("Bob", "cash", seat=4)["command"]}
    status, said = post(dan, "/api/tables/H1/commands", without)
    assert (status, "player's own word" in said["says"]) == (409, True)
    status, said = post(dan, "/api/tables/H1/for-player", {**cash, "id": "no-why-1", "why": ""})
    assert status == 422


def test_no_pin_is_tried_where_somebody_does_not_deal(house: Running):
    """Whoever is not assigned, or stands where players act for themselves, learns of no PIN."""
    deb, dan = log_in(house, "Deb"), log_in(house, "Dan")
    state = house.casino.casino.office.state
    for client, place in ((deb, "H1"), (dan, "Raffles")):
        told = []
        for pin in ("1379", PIN):
            body = {**sits("Ann", "pin", pin=pin), "id": f"try-{client.name}-{pin}"}
            told.append(post(client, f"/api/tables/{place}/for-player", body))
        assert [status for status, _ in told] == [409, 409]
        assert told[0][1]["says"] == told[1][1]["says"], "right or wrong"
    assert state.people["Ann"].pin_failures == 0


def test_cash_at_a_table_is_paid_in_within_the_deposit_limit(house: Running):
    dan, ann = log_in(house, "Dan"), log_in(house, "Ann")
    ann.post("/api/own-limits", {"limit": "deposit", "to": 210_000})
    status, said = post(dan, "/api/tables/H1/for-player", sits("Ann", "cash"))
    assert (status, said["cites"][0]["paragraph"]) == (409, "S-43")
    assert "deposit limit" in said["says"]
    by_pin = sits("Ann", "pin", pin=PIN)
    assert post(dan, "/api/tables/H1/for-player", by_pin)[1]["is"] == "answer"


def test_no_clock_acts_for_anybody_at_a_hand_dealt_table(house: Running):
    """Nobody there has a connection, and the grace is over at once: they stay."""
    dan = log_in(house, "Dan")
    for seat, name in ((1, "Cash 1"), (2, "Cash 2")):
        said = post(dan, "/api/tables/H1/for-player", sits(name, "cash", seat=seat))[1]
        assert said["is"] == "answer", said
    watching = dan.at("H1")
    view = watching.until("view")
    assert view["away"] == []
    assert view["clock"] is None
    before = house.casino.house.positions["H1"]
    for _ in range(25):
        wait_a_little()
    assert house.casino.house.positions["H1"] == before


def test_a_question_to_a_seat_has_no_clock_where_the_dealer_enters_the_answer(house: Running):
    for place, waited in (("H1", False), ("Raffles", True)):
        with house.casino.house.lock:
            table = house.casino.table(place)
            copy = type(table).restore(table.book, table.snapshot())
        assert isinstance(copy, Table)
        copy.ask("after a dealing error", "Go on?", ("continue", "withdraw"), 1, ())
        assert (waits_for(copy) is not None) == waited


def test_each_table_has_clocks_of_its_own(house: Running):
    assert house.casino.clocks_of("Raffles").to_act == 33.0
    assert house.casino.clocks_of("H1").to_act == CLOCKS.to_act
    assert house.casino.clocks_of("Raffles").time_bank == CLOCKS.time_bank
    status, said = office_says(
        log_in(house, "Max"),
        "set-clocks-1",
        do="set clocks",
        table="Raffles",
        clocks={"to_act": 44},
        reason="slow",
    )
    assert (status, "to_act 44" in said["told"][0]) == (200, True)
    assert house.casino.clocks_of("Raffles").to_act == 44


def test_the_office_says_what_it_cannot_read_and_who_may(house: Running):
    max_ = log_in(house, "Max")
    status, said = office_says(max_, "cash-in-1", do="cash in", player="Ann", amount=1)
    assert (status, said["is"]) == (409, "refused")
    assert "takes a cashier or shift manager" in said["says"]
    status, said = office_says(max_, "nonsense-1", do="fly")
    assert (status, said["code"]) == (422, "unreadable")
    status, said = office_says(
        max_, "assign-x-1", do="assign staff", name="Deb", table="H9", reason="x"
    )
    assert (status, "there is H1, H2, Raffles" in said["says"]) == (422, True)


def test_what_was_done_in_the_name_of_somebody_says_his_session(house: Running):
    dan = log_in(house, "Dan")
    assert post(dan, "/api/tables/H1/for-player", sits("Cash 2", "cash"))[1]["is"] == "answer"
    house.casino.house.writer.flush()
    [order] = [o for o in house.casino.house.reader.orders() if o.place == "H1" and o.who == "Dan"]
    told = json.loads(order.authority)
    assert len(told.pop("session")) == 64
    assert told == {
        "duty": "dealer",
        "assignment": "the floor",
        "on_behalf": "Cash 2",
        "word": "cash",
        "why": "as he asked",
    }
