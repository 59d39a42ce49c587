"""Disputes over HTTP: a touch opens one, its papers come back, and an inspector settles it."""

from __future__ import annotations

import json
import logging
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.house.disputes.file import check_dispute_file, read_dispute_file
from tests.house.quick import make_quick
from tests.live.accounts import claims, log_in, money_house
from tests.live.conftest import PASSWORD, Client, Running, running
from tests.live.test_guest_names import CLOCKS, played


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Ann has won the jackpot of round 1 at M1, and it is paid."""
    with money_house(tmp_path_factory.mktemp("disputes")) as made:
        claims(log_in(made, "Ann"))
        pay = {"id": uuid.uuid4().hex, "command": {"do": "pay claims"}}
        max_ = log_in(made, "Max")
        max_.post("/api/links/Marina/commands", pay)
        while not any(r["ended"] for r in max_.get("/api/tables/M1/rounds")["rounds"]):
            time.sleep(0.02)
        yield made


def read(client: Client, path: str, *, made: bool = False) -> bytes:
    headers = {"X-Croupier-Token": client.token}
    url = f"{client.running.url}{path}"
    asked = urllib.request.Request(url, b"" if made else None, headers)
    with client.opener.open(asked, timeout=20) as answer:
        found: bytes = answer.read()
        return found


def refused(does: Any) -> tuple[int, str]:
    with pytest.raises(urllib.error.HTTPError) as error:
        does()
    with error.value as answer:
        return answer.code, json.load(answer)["says"]


def test_one_touch_makes_the_papers(house: Running):
    sue = log_in(house, "Sue")
    body = {"about": "M1#1", "patron": "Ann", "claim": "I was not asked to show"}
    made = sue.post("/api/disputes", body)
    assert (made["dispute"], made["about"], made["settled"]) == (1, "M1#1", None)
    assert len(made["sha256"]) == 64
    file = read_dispute_file(read(sue, "/api/disputes/1/file", made=True))
    assert check_dispute_file(file, house.casino.house.reader) == []
    assert sue.get("/api/disputes/1")["sha256"] == file.sha256
    content = file.read()
    assert content.dispute is not None
    assert content.dispute.by == "Sue"
    assert {line.account: line.amount for line in content.money}["link/Marina/meter"] < 0
    order = next(order for order in content.orders if order.who == "Ann")
    assert json.loads(bytes(order.authority))["session"]
    notice = read(sue, "/disputes/1/notice").decode()
    assert "I was not asked to show" in notice
    assert '<link rel="stylesheet" href="/static/style/notice.css">' in notice
    assert "<style>" not in notice
    assert "<style>" in read(sue, "/disputes/1/notice?whole=1").decode()
    page = read(sue, "/disputes/1")
    assert b"For the cameras" in page
    assert b'<a href="/rules/multi-link-progressive-v3/' in page, "citations lead to paragraphs"
    assert b'id="page"' in read(sue, "/disputes")
    twice = refused(lambda: sue.post("/api/disputes", body))
    assert twice == (403, "That is dispute 1 already, and it is not settled.")


def test_disputes_are_for_staff_and_settled_by_managers(house: Running):
    ann, sue, max_ = (log_in(house, name) for name in ("Ann", "Sue", "Max"))
    made = sue.post("/api/disputes", {"about": "M1#1", "claim": "look at this"})
    number = made["dispute"]
    for path in ("/api/disputes", f"/disputes/{number}", f"/disputes/{number}/notice"):
        status, says = refused(lambda path=path: ann.get(path))
        assert (status, "for the staff" in says) == (403, True)
    body = {"outcome": "it stands", "in_favour_of": "house", "inspector": "Lim Wei"}
    settle = f"/api/disputes/{number}/settle"
    assert "takes a pit manager" in refused(lambda: sue.post(settle, body))[1]
    assert max_.post(settle, body)["settled"]["inspector"] == "Lim Wei"
    assert "that stands" in refused(lambda: max_.post(settle, body))[1]
    listed = max_.get("/api/disputes")["disputes"]
    assert [each["dispute"] for each in listed] == sorted(
        (each["dispute"] for each in listed), reverse=True
    )
    assert refused(lambda: max_.get("/api/disputes/99"))[0] == 404
    assert refused(lambda: max_.post("/api/disputes", {"about": "M1", "claim": "x"}))[0] == 403
    assert refused(lambda: max_.post("/api/disputes", {"about": "M1#9", "claim": "x"}))[0] == 404


@pytest.mark.parametrize("name", ["Dan", "Cal"])
def test_the_cards_of_a_dispute_are_for_those_who_take_disputes_up(house: Running, name: str):
    sue, other = log_in(house, "Sue"), log_in(house, name)
    number = sue.post("/api/disputes", {"about": "M1#1", "claim": f"{name} looks"})["dispute"]
    assert number in [each["dispute"] for each in other.get("/api/disputes")["disputes"]]
    for path in (f"/disputes/{number}", f"/disputes/{number}/notice"):
        assert read(sue, path)
        status, says = refused(lambda path=path: read(other, path))
        assert (status, "take disputes up" in says) == (403, True)
    file = f"/api/disputes/{number}/file"
    assert refused(lambda: read(other, file, made=True))[0] == 403
    settle = {"outcome": "it stands", "in_favour_of": "house", "inspector": "Lim Wei"}
    log_in(house, "Max").post(f"/api/disputes/{number}/settle", settle)


def test_who_came_by_the_staff_door_sees_no_cards_of_a_dispute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Anybody may come by it: also whoever wants to know what the others have folded."""
    make_quick(monkeypatch)
    with running(tmp_path, tables=("Raffles",), clocks=CLOCKS) as demonstration:
        played(demonstration, "Ann", "Ben")
        sue = demonstration.enter()
        sue.post("/api/staff-door", {"name": "Sue", "post": "pit supervisor"})
        made = sue.post("/api/disputes", {"about": "Raffles#1", "claim": "what had Ann?"})
        assert made["sha256"]
        for path in ("/disputes/1", "/disputes/1/notice"):
            assert refused(lambda path=path: read(sue, path))[0] == 403
        assert refused(lambda: read(sue, "/api/disputes/1/file", made=True))[0] == 403
        replay = "/api/tables/Raffles/rounds/1/replay"
        assert refused(lambda: sue.get(f"{replay}?as=*"))[0] == 403
        assert refused(lambda: sue.get(f"{replay}?as=Ann"))[0] == 403
        assert sue.get(replay)["seen_as"] == [""]


def test_the_command_line_opens_one_at_a_running_server(house: Running, tmp_path: Path):
    words = ["open", house.url, "M1#1", "--patron", "Bob", "--claim", "I saw it", "--as", "Max"]
    env = {"CROUPIER_PASSWORD": PASSWORD}
    run = CliRunner().invoke(
        croupier, ["audit", "dispute", *words, "--folder", str(tmp_path)], env=env
    )
    assert run.exit_code == 0, run.output
    [file] = tmp_path.glob("*.json")
    assert check_dispute_file(read_dispute_file(file.read_bytes())) == []
    [notice] = tmp_path.glob("*.html")
    assert "I saw it" in notice.read_text()
    number = file.stem.removeprefix("dispute-")
    settle = ["settle", house.url, number, "--outcome", "agreed", "--for", "neither", "--as", "Max"]
    done = CliRunner().invoke(croupier, ["audit", "dispute", *settle], env=env)
    assert "is settled" in done.output, done.output


def test_rounds_that_a_start_found_under_way_are_in_the_servers_log(
    house: Running, caplog: pytest.LogCaptureFixture
):
    from croupier.house.recovery import Recovered

    casino = house.casino
    went = Recovered(place="M1", round=1, outcome="void", says="The round is void.", cites=("5.7",))
    before, casino.casino.recovered = casino.casino.recovered, [went]
    casino.log.propagate = True
    with caplog.at_level(logging.INFO, logger=casino.log.name):
        casino.tell_recovered()
    casino.casino.recovered = before
    [told] = caplog.records
    assert told.getMessage() == "a round was under way at the start"
    assert (told.levelname, told.table, told.outcome) == ("WARNING", "M1", "void")  # type: ignore[attr-defined]
