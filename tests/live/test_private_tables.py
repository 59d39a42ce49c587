"""Private tables: made by a guest, found by nobody else, given up when nobody comes; chat."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.house.office import OFFICE, talk
from croupier.house.office.talk import OF_ONE_OPEN, AnswerReport, ReportPlayer
from croupier.live import private_tables
from croupier.live.errors import NotAllowed
from croupier.live.limits import Bucket, Buckets
from croupier.live.talk import LINES_A_DAY, Talk
from tests.live.accounts import log_in, money_house
from tests.live.conftest import Client, Running, running, until

BLINDS = {"rulebook": "no-limit-holdem-v8", "small_blind": 300}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, tables=("Raffles", "Clarke")) as opened:
        yield opened


def refused(client: Client, path: str, body: Any = None) -> tuple[int, str]:
    with pytest.raises(urllib.error.HTTPError) as answer:
        client.get(path) if body is None else client.post(path, body)
    with answer.value:
        return answer.value.code, json.load(answer.value)["says"]


def private(client: Client, **more: Any) -> str:
    place: str = client.post("/api/private-tables", {**BLINDS, **more})["place"]
    return place


def listed(client: Client) -> set[str]:
    return {table["place"] for table in client.get("/api/lobby")["tables"]}


def test_a_private_table_is_played_by_who_has_its_link_and_listed_for_nobody_else(house: Running):
    ann, bob, eve = (house.enter(name) for name in ("Ann", "Bob", "Eve"))
    place = private(ann)
    assert place in listed(ann)
    assert place not in listed(bob) | listed(eve) | listed(house.enter())
    with eve.opener.open(f"{house.url}/metrics") as answer:
        assert place not in answer.read().decode()
    lines = []
    for seat, client in enumerate((ann, bob), 1):
        at = client.at(place.replace(" ", "%20"))
        at.place = place
        assert at.next()["private"] is True
        answer = at.do(do="sit", seat=seat, player=client.name, stake=20_000)
        assert answer["is"] == "answer", answer
        lines.append(at)
    assert place in listed(bob)
    found = ann.get(f"/api/tables/{place.replace(' ', '%20')}")["table"]
    assert (found["limits"]["small_blind"], found["limits"]["big_blind"]) == (300, 600)
    lines[0].until_view(lambda view: view["round"] >= 1)

    path = f"/api/tables/{place.replace(' ', '%20')}/chat"
    bob.post(path, {"words": "  good <b>luck</b>  "})
    said = lines[0].until("chat")
    assert (said["player"], said["words"]) == ("Bob", "good <b>luck</b>")
    assert [line["words"] for line in eve.get(path)["lines"]] == ["good <b>luck</b>"]
    assert refused(eve, path, {"words": "hello"})[0] == 403, "who does not sit does not speak"
    assert refused(bob, path, {"words": "x" * 141})[0] == 422
    assert "cannot be seen" in refused(bob, path, {"words": "a\u202eb"})[1]
    assert refused(ann, "/api/tables/Raffles/chat", {"words": "hello"})[0] == 403
    for _ in range(6):
        code = _posted(bob, path, {"words": "again"})
    assert code == 429, "not too often"
    house.casino.house.writer.flush()
    told = [row.event.decode() for row in house.casino.house.reader.rows(OFFICE)]
    assert any("good <b>luck</b>" in event for event in told), "it is on record"

    reports = path.replace("chat", "player-reports")
    assert "sat there lately" in refused(eve, reports, {"player": "Bob", "says": "x"})[1]
    ann.post(reports, {"player": "Bob", "says": "talks too much"})
    assert "not at this table" in refused(ann, reports, {"player": "Zoe", "says": "x"})[1]
    assert "have reported Bob here" in refused(ann, reports, {"player": "Bob", "says": "x"})[1]
    [report] = house.casino.casino.office.state.player_reports.values()
    assert (report.player, report.by, report.says) == ("Bob", "Ann", "talks too much")


def _posted(client: Client, path: str, body: Any) -> int:
    try:
        client.post(path, body)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    return 200


@pytest.mark.parametrize("whose", ["you", "your address", "this table"])
def test_so_many_lines_a_day_and_no_more(
    house: Running, monkeypatch: pytest.MonkeyPatch, whose: str
):
    monkeypatch.setitem(LINES_A_DAY, whose, 2)
    told = Talk(house.casino)
    for number in range(2):
        told._check_day("Ann", "192.0.2.1", "Private A")
        told._check_day(f"other {number}", f"192.0.2.{number + 2}", f"Private {number}")
    with pytest.raises(NotAllowed, match=f"2 lines in a day are the most for {whose}"):
        told._check_day("Ann", "192.0.2.1", "Private A")


def test_what_is_said_counts_for_the_day(house: Running, monkeypatch: pytest.MonkeyPatch):
    counted: list[tuple[str, ...]] = []
    monkeypatch.setattr(Talk, "_check_day", lambda talk, *who: counted.append(who))
    ann = house.enter("Ann")
    place = private(ann)
    at = ann.at(place.replace(" ", "%20"))
    at.place = place
    assert at.do(do="sit", seat=1, player="Ann", stake=20_000)["is"] == "answer"
    ann.post(f"/api/tables/{place.replace(' ', '%20')}/chat", {"words": "hello"})
    assert counted == [("Ann", "127.0.0.1", place)]


def test_so_many_reports_wait_and_no_more(house: Running, monkeypatch: pytest.MonkeyPatch):
    names = ["Ann", "Bob", *(f"Guest {n}" for n in range(OF_ONE_OPEN + 1))]
    for name in names:
        house.enter(name)

    def says(by: str, player: str, table: str = "Raffles") -> str:
        given = ReportPlayer(table=table, player=player, says="x")
        refused = house.casino.casino.tell(given, who=by).refused
        return refused.says if refused is not None else ""

    for name in names[2:-1]:
        assert says("Ann", name) == ""
    assert "wait for its answers" in says("Ann", names[-1])
    assert says("Bob", "Ann") == ""
    assert "have reported Ann here" in says("Bob", "Ann")
    assert says("Bob", "Ann", "Clarke") == "", "at another table it is another matter"
    monkeypatch.setattr(talk, "REPORTS_OPEN", OF_ONE_OPEN + 2)
    assert "Too many reports" in says("Guest 1", "Ann")
    answer = AnswerReport(report=1, outcome="looked at")
    assert house.casino.casino.tell(answer, who="administrator").refused is None
    assert says("Guest 1", "Ann") == ""


def test_what_cannot_be_made_is_said(house: Running):
    ann = house.enter("Ann")
    path = "/api/private-tables"
    for blind in (0, -500, 250, 50_100):
        code, says = refused(ann, path, {**BLINDS, "small_blind": blind})
        assert (code, says) == (403, "A Small Blind is a whole amount from 1 to 500."), blind
    for wrong in (
        {"rulebook": "multi-link-progressive-v3"},
        {"bots": 2},
    ):
        assert refused(ann, path, {**BLINDS, **wrong})[0] == 403, wrong
    assert refused(house.enter(), path, BLINDS)[0] == 403, "without a name"
    for _ in range(private_tables.OF_ONE):
        private(ann)
    assert "already" in refused(ann, path, BLINDS)[1]


def test_a_table_that_nobody_comes_to_is_closed(house: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(private_tables, "IDLE", 0.1)
    monkeypatch.setattr(private_tables, "EVERY", 0.1)
    ann = house.enter("Ann")
    place = private(ann)
    until(lambda: place not in listed(ann))
    assert house.casino.why_closed(place) == "This table is closed."


def test_nothing_of_a_closed_table_is_kept_in_memory(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    for name in ("IDLE", "EVERY", "FORGOTTEN_AFTER"):
        monkeypatch.setattr(private_tables, name, 0.1)
    ann = house.enter("Ann")
    place = private(ann)
    until(lambda: place not in house.casino.house.pit.tables)
    casino = house.casino
    until(lambda: place not in casino.private._makers)
    for kept in (
        casino.hubs,
        casino.schedulers,
        casino.recalls,
        casino.table_infos,
        casino.house.positions,
        casino.house.pit.links,
        casino.private._seen,
        casino.private._senders,
    ):
        assert not [name for name in kept if place in name]
    assert refused(ann, f"/api/tables/{place.replace(' ', '%20')}")[0] == 404
    assert ann.get("/api/my-hands")["rounds"] == []
    assert private(ann) != place, "the next one can be made"


def test_one_address_makes_so_many_and_no_more(house: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(private_tables, "OF_ONE_SENDER", 2)
    path = "/api/private-tables"
    for name in ("Ann", "Bob"):
        private(house.enter(name))
    assert "of your address are open" in refused(house.enter("Eve"), path, BLINDS)[1]
    monkeypatch.setattr(private_tables, "OF_ONE_SENDER", 100)
    house.casino.private._by_day = Buckets(1 / 3600, 1)
    private(house.enter("Zoe"))
    code, says = refused(house.enter("Max"), path, BLINDS)
    assert (code, "a day" in says) == (429, True)
    house.casino.private._by_day = Buckets(1, 100)
    house.casino.private._all_by_day = Bucket(1 / 3600, 1)
    private(house.enter("Una"))
    assert refused(house.enter("Kim"), path, BLINDS)[0] == 503


class Birds:
    """Bots of which so many are spare."""

    def __init__(self, spare: int) -> None:
        self._spare = spare

    def join(self, place: str, bots: int) -> None:
        self._spare -= bots

    def forget(self, place: str) -> None:
        pass

    def spare(self) -> int:
        return self._spare


def test_bots_that_the_tables_of_the_house_need_sit_at_no_private_one(house: Running):
    house.casino.private.bots = Birds(3)
    ann = house.enter("Ann")
    private(ann, bots=2)
    assert "Only 1 bot is free" in refused(ann, "/api/private-tables", {**BLINDS, "bots": 2})[1]
    private(ann, bots=1)


@pytest.mark.slow
def test_where_money_is_real_there_is_none_and_the_pit_answers_reports(tmp_path: Path):
    with money_house(tmp_path) as house:
        ann, bob, sue = (log_in(house, name) for name in ("Ann", "Bob", "Sue"))
        assert refused(ann, "/api/private-tables", BLINDS)[0] == 403
        for box, client in enumerate((bob, ann), 1):
            sits = client.at("M1").do(do="sit", box=box, player=client.name, chips=50_000)
            assert sits["is"] == "answer"
        ann.post("/api/tables/M1/player-reports", {"player": "Bob", "says": "past posting"})
        assert refused(ann, "/api/office/lists/player_reports")[0] == 403, "for staff alone"
        [(number, report)] = sue.get("/api/office/lists/player_reports").items()
        assert (report["player"], report["table"], report["by"]) == ("Bob", "M1", "Ann")
        order = {"do": "answer report", "report": int(number), "outcome": "watched, no fault"}
        body = {"id": "answer-01", "command": order}
        assert "watched, no fault" in sue.post("/api/office/commands", body)["told"][0]
        assert sue.get("/api/office/lists/player_reports") == {}
