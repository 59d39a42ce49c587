"""The pit console over HTTP, as each rank: floor, decisions, a ruling before it is confirmed."""

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

from croupier.house.office import commands as orders
from croupier.live.config import Config
from croupier.table.view import PUBLIC
from tests.house.jackpots import STRAIGHT_FLUSH, stacked
from tests.house.quick import make_quick
from tests.house.stacking import all_stacked
from tests.house.staff import employ
from tests.live.accounts import CLOCKS, claims, for_money, log_in, people
from tests.live.conftest import PASSWORD, AtTable, Client, Running, found_for_money, running

INTERRUPTION = {"do": "report interruption"}
FELL = {"do": "report irregularity", "says": "a card fell"}


def config() -> Config:
    made = for_money()
    raffles = structs.replace(made.tables["Raffles"], area="poker room")
    by_hand = structs.replace(raffles, settings={**raffles.settings, "dealing": "by-hand"})
    return structs.replace(made, tables={**made.tables, "Raffles": raffles, "H1": by_hand})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_quick(monkeypatch)
    found_for_money(tmp_path)
    return tmp_path


def staffed(house: Running) -> Running:
    people(house.casino.casino)
    employ(house.casino.casino, "Deb", "dealer", password=PASSWORD, assigned=False)
    for name in ("Sam", "Sid"):
        employ(house.casino.casino, name, "shift manager", password=PASSWORD)
    return house


@pytest.fixture
def house(folder: Path) -> Iterator[Running]:
    lucky = all_stacked(lambda cards: stacked(cards, STRAIGHT_FLUSH))
    with lucky, running(folder, config(), clocks=CLOCKS) as opened:
        yield staffed(opened)


class Console:
    """Somebody at the console."""

    def __init__(self, house: Running, name: str) -> None:
        self.client = log_in(house, name)
        self._number = 0

    def get(self, path: str = "") -> Any:
        return self.client.get(f"/api/pit{path}")

    def post(self, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
        self._number += 1
        told = {"id": f"{self.client.name}-order-{self._number:04}", **body}
        if path.endswith("/preview"):
            del told["id"]
        return posted(self.client, f"/api/pit{path}", told)

    def tile(self, place: str = "Raffles") -> Any:
        return self.get(f"/tables/{place}")


def posted(client: Client, path: str, body: Any) -> tuple[int, dict[str, Any]]:
    try:
        return 200, client.post(path, body)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def play(house: Running) -> AtTable:
    """Ann and Bob play at Raffles until one of them is to act."""
    tables = [log_in(house, name).at("Raffles") for name in ("Ann", "Bob")]
    for seat, table in enumerate(tables, start=1):
        name = ("Ann", "Bob")[seat - 1]
        assert table.do(do="sit", seat=seat, player=name, stake=50_000)["is"] == "answer"
    tables[0].until_view(lambda view: view["turn"] is not None)
    return tables[0]


# -- the floor ------------------------------------------------------------------------------------


def test_the_floor_at_a_glance(house: Running):
    play(house)
    sue = Console(house, "Sue")
    floor = sue.get()
    assert (floor["you"], floor["rank"]) == ("Sue", "pit supervisor")
    assert {tile["place"] for tile in floor["tables"]} == {"Raffles", "M1", "M2", "H1"}
    assert floor["areas"] == ["poker room"]
    tile = sue.tile()
    assert (tile["stage"], tile["round"], tile["money"]) == ("betting", 1, 100_000)
    assert tile["player"] in ("Ann", "Bob")
    assert [(w["kind"], w["whom"], w["mine"]) for w in tile["waits"]] == [
        ("turn", tile["player"], False)
    ]
    assert (tile["dealt_by"], tile["acting"], tile["assigned"]) == ("house", "device", "the floor")
    assert {"call", "says", "seat", "at", "cites"} <= tile["announced"][0].keys()
    by_hand = sue.tile("H1")
    assert (by_hand["dealt_by"], by_hand["acting"]) == ("hand", "seen")
    [link] = floor["links"]
    assert (link["link"], link["status"], link["waits"]) == ("Marina", "open", [])
    deb = Console(house, "Deb").tile()
    assert (deb["assigned"], deb["mine"]) == ("", False)


def test_a_table_waits_for_its_dealer_once_there_is_somebody_to_deal_to(house: Running):
    dan = Console(house, "Dan")
    assert dan.tile("H1")["due"] == ""
    for seat, due in ((1, ""), (2, "start game")):
        name = f"Cash {seat}"
        command = {"do": "sit", "seat": seat, "player": name, "stake": 50_000}
        body = {"command": command, "player": name, "word": "cash", "why": "500 counted"}
        posted(dan.client, "/api/tables/H1/for-player", {"id": f"sits-here-{seat}", **body})
        assert dan.tile("H1")["due"] == due


@pytest.mark.parametrize("name", ["Ann", "Cal", None])
def test_it_is_for_staff_on_duty_in_the_pit(house: Running, name: str | None):
    client = log_in(house, name) if name else house.enter()
    for path in ("/api/pit", "/api/pit/decisions", "/api/pit/tables/Raffles/reports"):
        with pytest.raises(urllib.error.HTTPError) as error:
            client.get(path)
        with error.value:
            assert error.value.code == 403
    body = {"id": "an-order-1", "command": FELL}
    assert posted(client, "/api/pit/tables/Raffles/hold", body)[0] == 403


def test_what_is_wrong_with_a_table_is_said(house: Running):
    office = house.casino.casino
    office.tell(orders.Disable(place="Raffles", reason="a torn layout"), who="Max")
    tile = Console(house, "Sue").tile()
    assert tile["faults"] == ["This table is disabled: a torn layout."]
    with pytest.raises(urllib.error.HTTPError):
        Console(house, "Sue").tile("Nowhere")


# -- a report, the ruling, the confirmation -------------------------------------------------------


def test_what_can_be_reported_is_listed_ready_made(house: Running):
    play(house)
    listed = Console(house, "Dan").get("/tables/Raffles/reports")
    by_name = {each["do"]: each for each in listed["reports"]}
    assert "report interruption" in by_name
    one = by_name["report irregularity"]
    assert one["title"] == "The book does not say"
    assert one["says"].endswith(".")
    assert {field["name"] for field in one["fields"]} == {"kind", "says"}
    assert listed["undo"] is False
    assert listed["position"] == house.casino.house.positions["Raffles"]


def test_what_is_listed_is_ruled_as_it_stands_there(house: Running):
    """But for a card that nobody may see: which it was, is for whoever reports it to say."""
    play(house)
    sue = Console(house, "Sue")
    listed = sue.get("/tables/Raffles/reports")["reports"]
    assert len(listed) > 5
    for report in listed:
        status, said = sue.post("/tables/Raffles/preview", command=report["command"])
        if "??" not in json.dumps(report["command"]):
            assert (status, said["ruling"]["kind"] != "refused") == (200, True), report


def test_a_supervisor_reports_sees_the_ruling_and_confirms_it_in_one(house: Running):
    ann = play(house)
    sue = Console(house, "Sue")
    before = house.casino.house.positions["Raffles"]
    status, held = sue.post("/tables/Raffles/hold", command=INTERRUPTION)
    assert status == 200, held
    ruling = held["preview"]["ruling"]
    assert ruling["signed_by"] == ["Pit Supervisor"]
    assert held["preview"]["yours"] is True
    assert "void" in ruling["headline"].lower()
    assert ruling["paragraphs"][0]["id"] == "5.1.2"
    assert {change["who"] for change in ruling["money"]} >= {"seat 1", "seat 2"}
    assert house.casino.house.positions["Raffles"] == before, "nothing has happened yet"
    assert held["hold"]["mine"] is True
    status, done = sue.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
    assert status == 200, done
    assert done["signed"] == ["confirm void"]
    assert any("void" in said.lower() for said in done["told"])
    assert sue.tile()["hold"] is None
    ann.until_view(lambda view: view["round"] == 2)


def test_what_a_dealer_may_not_sign_waits_for_a_supervisor(house: Running):
    play(house)
    dan, sue = Console(house, "Dan"), Console(house, "Sue")
    status, held = dan.post("/tables/Raffles/hold", command=INTERRUPTION)
    assert (status, held["preview"]["yours"]) == (200, False)
    status, done = dan.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
    assert (status, done["signed"]) == (200, [])
    [wait] = [w for w in done["waits"] if w["kind"] == "decision"]
    assert (wait["whom"], wait["mine"]) == ("a Pit Supervisor or above", False)
    [his] = dan.get("/decisions")["decisions"]
    assert (his["mine"], "Pit Supervisor" in his["barred"]) == (False, True)
    status, said = dan.post(f"/decisions/Raffles/{his['decision']}", option="confirm")
    assert (status, said["is"]) == (409, "refused")
    [hers] = sue.get("/decisions")["decisions"]
    assert (hers["mine"], hers["at"], hers["of"]) == (True, "table", "pit supervisor")
    assert sue.get()["tables"][0]["place"] == "Raffles", "what needs her stands first"
    assert sue.get()["mine"] == 1
    deb = Console(house, "Deb").get("/decisions")["decisions"][0]
    assert "not assigned" in deb["barred"]
    told = sue.get(f"/decisions/Raffles/{hers['decision']}")
    confirm = next(one for one in told["options"] if one["name"] == "confirm")
    assert confirm["money"], "what each answer does to everybody's money is foretold"
    status, done = sue.post(f"/decisions/Raffles/{hers['decision']}", option="confirm")
    assert status == 200, done


def test_two_people_at_once_one_wins_and_the_other_is_told_who_was_first(house: Running):
    play(house)
    dan, max_, sam, sid = (Console(house, name) for name in ("Dan", "Max", "Sam", "Sid"))
    held = dan.post("/tables/Raffles/hold", command=FELL)[1]
    assert held["preview"]["ruling"]["kind"] == "discretion"
    dan.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
    [asked] = max_.get("/decisions")["decisions"]
    path = f"/decisions/Raffles/{asked['decision']}"
    assert "Shift Manager" in max_.get(path)["barred"]
    told = sam.get(path)
    void = next(one for one in told["options"] if one["name"] == "void")
    assert void["follows"]
    assert told["reasons"]
    status, done = sam.post(path, option="void", reason="nobody knows which")
    assert status == 200, done
    status, said = sid.post(path, option="continue", reason="it lay face down")
    assert (status, said["code"]) == (409, "taken")
    assert said["says"].startswith("Sam (shift manager) has decided that at")
    assert said["says"].endswith(": void.")
    status, said = sid.post("/decisions/Raffles/999", option="continue")
    assert (status, said["error"]) == (404, "not found")


def test_a_void_that_was_ruled_is_undone(house: Running):
    play(house)
    sam = Console(house, "Sam")
    slow = {"between_rounds": 600, "pace": 10}
    posted(
        sam.client,
        "/api/office/commands",
        {
            "id": "slow-it-down",
            "command": {"do": "set clocks", "table": "Raffles", "clocks": slow, "reason": "x"},
        },
    )
    held = sam.post("/tables/Raffles/hold", command=FELL)[1]
    sam.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
    [asked] = sam.get("/decisions")["decisions"]
    status, done = sam.post(f"/decisions/Raffles/{asked['decision']}", option="void", reason="x")
    assert status == 200, done
    assert sam.tile()["stage"] != "betting"
    assert sam.get("/tables/Raffles/reports")["undo"] is True
    undo = {"do": "undo ruling", "reason": "the card was found"}
    status, held = sam.post("/tables/Raffles/hold", command=undo)
    assert status == 200, held
    status, done = sam.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
    assert status == 200, done
    assert sam.tile()["stage"] == "betting"
    assert sam.tile()["money"] == 100_000


# -- at a table that is dealt by hand -------------------------------------------------------------


def by_hand(house: Running, dan: Console) -> None:
    """Two cash players sit at H1, and Dan deals until one of them is to act."""
    for seat in (1, 2):
        name = f"Cash {seat}"
        command = {"do": "sit", "seat": seat, "player": name, "stake": 50_000}
        body = {"command": command, "player": name, "word": "cash", "why": "500 counted"}
        path = "/api/tables/H1/for-player"
        said = posted(dan.client, path, {"id": f"sit-down-{seat}", **body})[1]
        assert said["is"] == "answer", said
    table = house.casino.table("H1")
    for number in range(40):
        if table.turn() is not None:
            return
        due = table.due() or table.next_call()
        if due is not None and not table.state.waiting:
            command = {"do": due.__struct_config__.tag}
            body = {"id": f"dealt-{number:04}", "command": command}
            said = posted(dan.client, "/api/tables/H1/commands", body)[1]
            assert said["is"] == "answer", said
        else:
            time.sleep(0.05)  # the House shuffles its virtual shoe
    raise AssertionError(f"nobody is to act: {table.facts()}")


def test_a_dealer_reports_what_he_did_wrong_at_his_own_table(house: Running):
    """Four flop cards (v8 5.12): the pit manager has one of them picked."""
    dan, max_ = Console(house, "Dan"), Console(house, "Max")
    by_hand(house, dan)
    tile = dan.tile("H1")
    assert (tile["dealer"], tile["acting"], tile["stage"]) == ("Dan", "seen", "betting")
    table = house.casino.table("H1")
    for number, act in enumerate(("call", "check")):
        command = {"do": act, "seat": table.turn()}
        said = posted(
            dan.client, "/api/tables/H1/commands", {"id": f"acted-{number:04}", "command": command}
        )
        assert said[1]["is"] == "answer", said
    flop = {"id": "deal-flop-1", "command": {"do": "deal flop", "count": 4}}
    assert posted(dan.client, "/api/tables/H1/commands", flop)[1]["is"] == "answer"
    listed = {each["do"]: each for each in dan.get("/tables/H1/reports")["reports"]}
    report = listed["report surplus cards"]["command"]
    status, held = dan.post("/tables/H1/hold", command=report)
    assert status == 200, held
    assert any(p["id"].startswith("5.12") for p in held["preview"]["ruling"]["paragraphs"])
    status, done = dan.post("/tables/H1/confirm", hold=held["hold"]["hold"])
    assert status == 200, done
    [asked] = [d for d in max_.get("/decisions")["decisions"] if d["place"] == "H1"]
    assert asked["mine"], "whether it can be put in order is a supervisor's word, or above"
    status, done = max_.post(f"/decisions/H1/{asked['decision']}", option="no", reason="x")
    assert status == 200, done
    [wait] = max_.tile("H1")["waits"]
    assert (wait["kind"], wait["mine"]) == ("pick", True)
    assert dan.tile("H1")["waits"][0]["mine"] is False
    assert dan.post("/tables/H1/pick")[0] == 409
    status, done = max_.post("/tables/H1/pick")
    assert status == 200, done
    *_, picked = house.casino.house.reader.orders(["H1"])
    assert (picked.who, b'"give draw"' in picked.command) == ("Max", True)
    assert '"session":"' in picked.authority
    assert len(house.casino.table("H1").view(PUBLIC).board) == 3  # type: ignore[attr-defined]


def test_a_banked_table_and_its_jackpot(house: Running):
    """Ann's Straight Flush waits for payment: the link says so to a manager."""
    claims(log_in(house, "Ann"))
    sue, max_ = Console(house, "Sue"), Console(house, "Max")
    [link] = max_.get()["links"]
    assert (link["status"], link["claims"], link["mine"]) == ("claims", 1, True)
    assert [wait["kind"] for wait in link["waits"]] == ["payment"]
    assert sue.get()["links"][0]["mine"] is False
    listed = sue.get("/tables/M1/reports")["reports"]
    fault = next(each for each in listed if each["do"] == "report jackpot fault")
    status, said = sue.post("/tables/M1/preview", command=fault["command"])
    assert (status, bool(said["ruling"]["headline"])) == (200, True), said


# -- bad input ------------------------------------------------------------------------------------


def test_a_report_that_cannot_be_true_holds_nothing(house: Running):
    play(house)
    dan = Console(house, "Dan")
    status, said = dan.post("/tables/Raffles/hold", command={"do": "report missing burn"})
    assert (status, said["is"]) == (409, "refused"), said
    assert said["cites"]
    assert dan.tile()["hold"] is None
    for command in ({"do": "deal flop"}, {"do": "fold", "seat": 1}, {"do": "fly"}):
        status, said = dan.post("/tables/Raffles/hold", command=command)
        assert (status, said["is"]) == (422, "error"), said
        status, said = dan.post("/tables/Raffles/preview", command=command)
        assert status == 422
    assert dan.tile()["hold"] is None


def test_a_preview_changes_nothing(house: Running):
    play(house)
    sue = Console(house, "Sue")
    before = house.casino.house.positions.copy()
    status, said = sue.post("/tables/Raffles/preview", command=INTERRUPTION)
    assert (status, said["ruling"]["kind"]) == (200, "ruling")
    assert house.casino.house.positions == before


# -- the hold -------------------------------------------------------------------------------------


def test_while_it_is_held_nobody_else_acts_and_no_clock_runs(house: Running):
    ann = play(house)
    seat = house.casino.table("Raffles").turn()
    who = house.casino.table("Raffles").player_at(seat or 0) or ""
    player = log_in(house, who).at("Raffles")
    dan, sue = Console(house, "Dan"), Console(house, "Sue")
    hold = dan.post("/tables/Raffles/hold", command=FELL)[1]["hold"]["hold"]
    told = ann.until("clock", held=True)
    assert told["clock"] is None
    said = player.do(do="fold", seat=seat)
    assert (said["is"], "A ruling is being made" in said["says"]) == ("refused", True)
    status, said = sue.post("/tables/Raffles/hold", command=INTERRUPTION)
    assert (status, said["is"]) == (409, "refused")
    assert said["says"].startswith("Dan (dealer) holds table Raffles since")
    status, said = sue.post("/tables/Raffles/hold/release", hold=hold)
    assert status == 409
    shown = sue.get("/tables/Raffles/hold")
    assert (shown["hold"]["by"], shown["hold"]["command"]["do"]) == ("Dan", "report irregularity")
    assert dan.post("/tables/Raffles/hold/keep", hold=hold)[0] == 200
    status, tile = dan.post("/tables/Raffles/hold/release", hold=hold)
    assert (status, tile["hold"]) == (200, None)
    again = ann.until("clock", held=False)
    assert again["clock"] is not None
    assert player.do(do="fold", seat=seat)["is"] == "answer"


def test_a_hold_is_taken_over_by_who_may(house: Running):
    play(house)
    dan, sue, deb = (Console(house, name) for name in ("Dan", "Sue", "Deb"))
    hold = sue.post("/tables/Raffles/hold", command=INTERRUPTION)[1]["hold"]["hold"]
    status, said = dan.post("/tables/Raffles/hold/take", hold=hold)
    assert (status, "takes a pit supervisor or above" in said["says"]) == (409, True)
    assert deb.post("/tables/Raffles/hold/take", hold=hold)[0] == 409
    house.casino.casino.tell(orders.GoOffDuty(name="Sue"), who="Sue")
    status, held = dan.post("/tables/Raffles/hold/take", hold=hold)
    assert (status, held["hold"]["by"], held["hold"]["mine"]) == (200, "Dan", True)
    status, done = dan.post("/tables/Raffles/confirm", hold=hold)
    assert status == 200, done


def test_whose_hold_was_taken_over_confirms_nothing(house: Running):
    play(house)
    dan, sue = Console(house, "Dan"), Console(house, "Sue")
    hold = dan.post("/tables/Raffles/hold", command=INTERRUPTION)[1]["hold"]["hold"]
    assert sue.post("/tables/Raffles/hold/take", hold=hold)[0] == 200
    status, said = dan.post("/tables/Raffles/confirm", hold=hold)
    assert (status, "Sue (pit supervisor) holds" in said["says"]) == (409, True)
    assert sue.post("/tables/Raffles/confirm", hold=hold)[0] == 200
    status, said = sue.post("/tables/Raffles/confirm", hold=hold)
    assert (status, "is over" in said["says"]) == (409, True)


def test_a_confirmation_that_is_sent_twice_has_one_effect(house: Running):
    play(house)
    dan = Console(house, "Dan")
    hold = dan.post("/tables/Raffles/hold", command=INTERRUPTION)[1]["hold"]["hold"]
    body = {"id": "confirm-once-1", "hold": hold}
    once = posted(dan.client, "/api/pit/tables/Raffles/confirm", body)
    before = house.casino.house.positions["Raffles"]
    again = posted(dan.client, "/api/pit/tables/Raffles/confirm", body)
    assert (again[0], again[1]["told"]) == (200, once[1]["told"])
    assert house.casino.house.positions["Raffles"] == before


def test_a_hold_that_nobody_confirms_is_over_after_a_while(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("croupier.house.office.holds.HOLD_FOR", timedelta(seconds=0.5))
    ann = play(house)
    dan = Console(house, "Dan")
    hold = dan.post("/tables/Raffles/hold", command=FELL)[1]["hold"]["hold"]
    ann.until("clock", held=True)
    assert ann.until("clock", held=False)["clock"] is not None
    status, said = dan.post("/tables/Raffles/confirm", hold=hold)
    assert (status, "is over" in said["says"]) == (409, True)
    rows = house.casino.house.reader.rows("office")
    read = house.casino.casino.office.read_event
    told = [read(row.event).tell(str) for row in rows]
    assert told[-1] == "Table Raffles is held no more: its time is over."


def test_a_hold_outlives_a_restart_and_is_shown_to_whoever_comes_next(folder: Path):
    with running(folder, config(), clocks=CLOCKS) as first:
        play(staffed(first))
        dan = Console(first, "Dan")
        hold = dan.post("/tables/Raffles/hold", command=FELL)[1]["hold"]["hold"]
    with running(folder, config(), clocks=CLOCKS) as second:
        sue = Console(second, "Sue")
        tile = sue.tile()
        assert (tile["hold"]["by"], tile["hold"]["mine"]) == ("Dan", False)
        before = second.casino.house.positions["Raffles"]
        time.sleep(0.5)
        assert second.casino.house.positions["Raffles"] == before
        status, held = sue.post("/tables/Raffles/hold/take", hold=hold)
        assert (status, held["preview"]["ruling"]["kind"]) == (200, "discretion")
        status, done = sue.post("/tables/Raffles/confirm", hold=hold)
        assert status == 200, done
