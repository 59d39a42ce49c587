"""A jackpot is paid while the server runs: over the socket, by the API, from the command line."""

from __future__ import annotations

import json
import shlex
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import croupier
from croupier.house.audit import verify
from croupier.house.errors import OwnedElsewhere
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.live.accounts import bets, claims, log_in, money_house, stands
from tests.live.conftest import PASSWORD, AtTable, Client, Running


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    with money_house(tmp_path, url) as opened:
        yield opened


@pytest.fixture
def on_file(tmp_path: Path) -> Iterator[Running]:
    with money_house(tmp_path) as opened:
        yield opened


def at_link(table: AtTable, id: str = "", **command: Any) -> dict[str, Any]:
    """Give the link of a table an order over its socket."""
    id = id or f"order-{len(table.heard)}-{command['do'].replace(' ', '-')}"
    table.send({"id": id, "place": "Marina", "command": command})
    while True:
        message = table.next()
        if message.get("id") == id:
            return message


def fails(call: Any) -> tuple[int, dict[str, Any]]:
    with pytest.raises(urllib.error.HTTPError) as answer:
        call()
    with answer.value:
        return answer.value.code, json.load(answer.value)


def test_a_jackpot_is_paid_over_the_socket_and_the_table_goes_on(house: Running):
    ann = claims(log_in(house, "Ann"))
    before = stands(ann, "jackpot")
    answer = at_link(ann, do="pay claims")
    assert answer["is"] == "refused", "a player pays himself nothing"
    spectator = house.enter().at("M1")
    assert at_link(spectator, do="pay claims")["code"] == "not entered"
    assert at_link(log_in(house, "Sue").at("M1"), do="pay claims")["is"] == "refused"

    max_ = log_in(house, "Max").at("M2")
    answer = at_link(max_, "the-click", do="pay claims")
    assert answer["is"] == "answer", answer
    assert answer["told"][0].startswith("Jackpot Marina pays 2,000.10 to box 1 of table M1")
    again = at_link(max_, "the-click", do="pay claims")
    assert (again["again"], again["positions"]) == (True, answer["positions"])
    third = at_link(max_, do="pay claims")
    assert (third["code"], third["says"]) == ("bad command", "no claim is open")

    after = stands(ann, "bets open")
    assert (after["round"], after["chips"]) == (before["round"] + 1, before["chips"] + 200_010)
    bets(ann)
    answer = at_link(max_, do="pay claims")
    assert answer["is"] == "answer", answer
    office = house.casino.casino
    office.house.writer.flush()
    assert verify(office.house.reader).difference is None


def test_the_order_of_payment_over_the_socket(on_file: Running):
    claims(log_in(on_file, "Ann"))
    bob = claims(log_in(on_file, "Bob"), "M2")
    max_ = log_in(on_file, "Max")
    table = max_.at("M1")
    at_link(table, do="pay claims")
    pending = max_.get("/api/links/Marina")["pending"]
    [asked] = pending["questions"]
    assert (asked["question"], asked["options"]) == (
        "order of payment",
        ["as dealt", "other order"],
    )
    assert [(c["order"], c["table"], c["player"]) for c in pending["claims"]] == [
        (1, "M1", "Ann"),
        (2, "M2", "Bob"),
    ]
    decide = {"do": "decide", "decision": asked["decision"], "option": "as dealt"}
    assert at_link(bob, **decide)["is"] == "refused"
    assert at_link(table, **decide)["is"] == "answer"
    stands(bob, "bets open")


def test_a_second_person_over_the_socket(on_file: Running):
    max_, mia = (log_in(on_file, name).at("M1") for name in ("Max", "Mia"))
    assert at_link(max_, do="close link")["is"] == "answer"
    proposed = at_link(max_, do="propose correction", by=100, reason="x")
    assert proposed["told"] == ["Max proposes a correction of the meter, because x."]
    same = at_link(max_, do="approve", proposal=1)
    assert (same["code"], "second person" in same["says"]) == ("bad command", True)
    sue = log_in(on_file, "Sue").at("M1")
    assert at_link(sue, do="approve", proposal=1)["is"] == "refused"
    assert at_link(mia, do="approve", proposal=1)["is"] == "answer"
    assert at_link(mia, do="reopen link")["is"] == "answer"


def test_a_socket_reaches_the_link_of_its_own_table_alone(on_file: Running):
    poker = log_in(on_file, "Max").at("Raffles")
    assert at_link(poker, do="pay claims")["code"] == "wrong place"
    banked = log_in(on_file, "Max").at("M1")
    assert at_link(banked, do="show display")["code"] == "bad command"
    assert at_link(banked, do="place ante")["code"] == "unreadable"


def test_what_waits_at_a_link_is_for_staff(on_file: Running):
    claims(log_in(on_file, "Ann"))
    assert log_in(on_file, "Bob").get("/api/links/Marina")["pending"] is None
    [claim] = log_in(on_file, "Sue").get("/api/links/Marina")["pending"]["claims"]
    assert (claim["table"], claim["box"], claim["player"]) == ("M1", 1, "Ann")
    assert (claim["percent"], claim["amount"]) == ("10", 200_010)


def order(client: Client, id: str, **command: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(
        "/api/links/Marina/commands", {"id": id, "command": command}
    )
    return answer


def test_a_jackpot_is_paid_by_the_api(on_file: Running):
    ann = log_in(on_file, "Ann")
    table = claims(ann)
    status, said = fails(lambda: order(ann, "by-a-player", do="pay claims"))
    assert (status, said["is"]) == (409, "refused")
    max_ = log_in(on_file, "Max")
    assert order(max_, "a-payment", do="pay claims")["again"] is False
    assert order(max_, "a-payment", do="pay claims")["again"] is True
    stands(table, "bets open")
    nowhere = fails(
        lambda: max_.post("/api/links/None/commands", {"id": "12345678", "command": {}})
    )
    assert nowhere[0] == 404


# -- the command line beside a running server -----------------------------------------------------


def run(*words: str, password: str = PASSWORD) -> Result:
    return CliRunner().invoke(
        croupier, ["office", "link", *words], env={"CROUPIER_PASSWORD": password}
    )


def test_the_command_line_pays_at_a_running_server(house: Running):
    table = claims(log_in(house, "Ann"))
    database = house.casino.config.server.database
    held = run("pay", database, "Marina", "--as", "Max")
    assert isinstance(held.exception, OwnedElsewhere)
    assert "http://127.0.0.1:8017" in str(held.exception)

    assert run("pay", house.url, "Marina", "--as", "Max", password="wrong password").exit_code == 1
    refused = run("pay", house.url, "Marina", "--as", "Sue")
    assert (refused.exit_code, "Pit Manager" in refused.output) == (1, True)
    paid = run("pay", house.url, "Marina", "--as", "Max")
    assert paid.exit_code == 0, paid.output
    assert paid.output.startswith("Jackpot Marina pays 2,000.10 to box 1 of table M1")
    stands(table, "bets open")
    again = run("pay", house.url, "Marina", "--as", "Max")
    assert again.exit_code == 1
    assert "no claim is open" in str(again.exception)
    sessions = house.casino.casino.office.state.sessions.values()
    assert [s.name for s in sessions] == ["Ann"], "the command line has logged out"


def test_the_command_line_names_the_order_at_a_running_server(on_file: Running):
    claims(log_in(on_file, "Ann"))
    claims(log_in(on_file, "Bob"), "M2")
    early = run("order", on_file.url, "Marina", "--as", "Max")
    assert "no order of payment" in str(early.exception)
    run("pay", on_file.url, "Marina", "--as", "Max")
    said = json.loads(
        run("order", on_file.url, "Marina", "M2/1", "M1/1", "--as", "Mia", "--json").output
    )
    assert said["accepted"]
    assert "The claims are paid in this order: M2/1, M1/1." in said["told"]
    off = run("remove", on_file.url, "Marina", "M2", "--as", "Max")
    on = run("join", on_file.url, "Marina", "M2", "--as", "Max")
    assert (off.exit_code, on.exit_code) == (0, 0), off.output + on.output


def test_a_password_does_not_go_to_another_machine_in_plain_text():
    result = run("pay", "http://casino.example", "Marina", "--as", "Max")
    assert result.exit_code == 2
    assert "https://" in result.output


def test_a_server_that_is_not_there_is_named():
    result = run("pay", "http://127.0.0.1:9", "Marina", "--as", "Max")
    assert "does not answer" in str(result.exception)


def test_reports_are_made_beside_the_server(on_file: Running):
    claims(log_in(on_file, "Ann"))
    on_file.casino.house.writer.flush()
    store = Store(open_database(on_file.casino.config.server.database))
    words = ["office", "report", "jackpot", on_file.casino.config.server.database, "--json"]
    [report] = json.loads(CliRunner().invoke(croupier, words).output)
    store.close()
    [claim] = report["open_claims"]
    assert (claim["table"], claim["box"], claim["player"], claim["amount"]) == (
        "M1",
        1,
        "Ann",
        200_010,
    )


# -- the page says how ----------------------------------------------------------------------------


def steps_of_the_page() -> list[list[str]]:
    """The commands of `docs/jackpot.md`, How a jackpot is paid, in their order."""
    page = (Path(__file__).parents[2] / "docs" / "jackpot.md").read_text(encoding="utf-8")
    section = page.split("## How a jackpot is paid", 1)[1].split("\n## ", 1)[0]
    return [shlex.split(line) for line in section.splitlines() if line.startswith("        croup")]


def test_a_jackpot_is_paid_by_the_steps_of_the_page(on_file: Running):
    tables = [claims(log_in(on_file, "Ann")), claims(log_in(on_file, "Bob"), "M2")]
    on_file.casino.house.writer.flush()
    here = {
        "http://127.0.0.1:8017": on_file.url,
        "sqlite:///house.db": on_file.casino.config.server.database,
    }
    said = []
    for step in steps_of_the_page():
        words = [here.get(word, word) for word in step[1:]]
        result = CliRunner().invoke(croupier, words, env={"CROUPIER_PASSWORD": PASSWORD})
        assert result.exit_code == 0, (step, result.output, result.exception)
        said.append(result.output)
    before, asked, paid, after = said
    assert "Ann" in before
    assert "4.2.major.straight-flush" in before
    assert "In which order were these hands dealt?" in asked
    assert "Jackpot Marina pays" in paid
    assert "Ann" not in after
    for table in tables:
        stands(table, "bets open")
