"""The office of a House whose server runs: every order of the command line goes through it."""

from __future__ import annotations

import json
import os
import stat
import urllib.error
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import croupier, named_errors
from croupier.house import totp
from croupier.house.office import OFFICE, Office
from croupier.house.office.commands import CashIn
from croupier.house.office_orders import ELSEWHERE, ORDERS
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.making import seal_now
from croupier.house.serving import noted, server_of
from croupier.live import office_page
from croupier.live.config import Config, read_config
from croupier.table import ActorRank
from tests.house.quick import make_quick
from tests.house.staff import employ
from tests.live.accounts import for_money, log_in, people
from tests.live.conftest import PASSWORD, Client, Running, found_for_money, running

CONFIG = """
[tables."P9"]
rulebook = "no-limit-holdem-v8"
area = "poker room"
settings.layout = "A"
settings.sign = true
settings.blinds = [5, 10]
settings.minimum_stake = 200
settings.maximum_stake = 1000
settings.rake = { percent = 5, cap = 30 }
[tables."P8"]
rulebook = "no-limit-holdem-v8"
settings.layout = "A"
settings.sign = true
settings.blinds = [5, 10]
settings.minimum_stake = 200
settings.maximum_stake = 1000
settings.rake = { percent = 5, cap = 30 }
[staff]
Nia = "dealer"
"""
Tells = Callable[..., Result]


def _config(folder: Path) -> Config:
    file = folder / "more.toml"
    file.write_text(CONFIG, encoding="utf-8")
    return read_config(file)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A House of real money on a file, its server running; Sam is shift manager."""
    folder = tmp_path_factory.mktemp("house")
    with pytest.MonkeyPatch.context() as patch:
        make_quick(patch)
        found_for_money(folder)
        with running(folder, for_money(), approved=_config(folder)) as opened:
            office = opened.casino.casino
            people(office)
            office.set_password("administrator", PASSWORD, who="administrator")
            for name in ("Sam", "Sid"):
                employ(office, name, "shift manager", password=PASSWORD)
            yield opened


@pytest.fixture
def tells(house: Running, tmp_path: Path) -> Tells:
    """Runs an order of the office; URL is the server's address, FILE the database it owns."""
    database = house.casino.config.server.database

    def run(*words: str, new: str = PASSWORD) -> Result:
        named = [{"URL": house.url, "FILE": database}.get(word, word) for word in words]
        env = {
            "CROUPIER_PASSWORD": PASSWORD,
            "CROUPIER_NEW_PASSWORD": new,
            "CROUPIER_NEW_PIN": new,
        }
        return CliRunner().invoke(croupier, ["office", *named], env=env)

    return run


def told(result: Result) -> str:
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.output


def sentence(result: Result) -> str:
    """What is said of what cannot be done: never a traceback."""
    assert result.exit_code != 0
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        assert isinstance(error, named_errors()), repr(error)
        return str(error)
    return result.output


def fails(client: Client, path: str, body: Any) -> tuple[int, dict[str, Any]]:
    with pytest.raises(urllib.error.HTTPError) as error:
        client.post(path, body)
    with error.value:
        return error.value.code, json.load(error.value)


WHY = ("--reason", "x")


def test_everything_of_the_office_goes_through_the_server(tells: Tells, house: Running):
    """One order of each kind: people, duty, cage, corrections, floor, approvals."""
    ada = ("--as", "administrator", *WHY)
    sam = ("--as", "Sam", *WHY)
    assert "Flo" in told(tells("staff", "add", "URL", "Flo", "dealer", *ada))
    assert "Flo" in told(tells("staff", "role", "URL", "Flo", "pit supervisor", *ada))
    licence = ("staff", "licence", "URL", "Flo", "SE-1", "--until", "2999-01-01")
    assert "SE-1" in told(tells(*licence, *sam))
    assert "on duty" in told(tells("staff", "duty", "URL", "Flo", "--as", "Flo"))
    assert "table M1" in told(tells("staff", "assign", "URL", "Flo", "--table", "M1", *sam))
    assert "Flo" in told(tells("staff", "roster", "URL", "--as", "Sam"))
    assert "pit supervisor" in told(tells("staff", "list", "URL", "--as", "Sam"))
    assert "off duty" in told(tells("staff", "duty", "URL", "Flo", "--off", "--as", "Flo"))
    assert "Flo" in told(tells("staff", "password", "URL", "Flo", *ada))
    assert "Flo" in told(tells("staff", "disable", "URL", "Flo", *ada))
    assert "Eve" in told(tells("player", "open", "URL", "Eve", "--as", "Cal"))
    told(tells("player", "pin", "URL", "Eve", "--as", "Cal", *WHY, new="2580"))
    assert "500" in told(tells("cash", "in", "URL", "Eve", "500", "--as", "Cal"))
    transfer = ("cash", "transfer", "URL", "Eve", "Bob", "100", "--as", "Cal", *WHY)
    assert "100" in told(tells(*transfer))
    assert "50" in told(tells("cash", "out", "URL", "Eve", "50", "--as", "Cal"))
    listed = json.loads(told(tells("player", "list", "URL", "--as", "Cal", "--json")))
    assert {"account": 35_000, "bot": False, "cash": False, "disabled": "", "name": "Eve"} in listed
    assert "Everything is disabled" in told(tells("everything", "disable", "URL", *sam))
    assert house.casino.why_closed("Raffles") == "The casino is disabled: x."
    assert "enabled" in told(tells("everything", "enable", "URL", *sam))
    assert house.casino.why_closed("Raffles") == ""
    assert "Raffles" in told(tells("table", "list", "URL", "--as", "Sam"))
    assert "Marina" in told(tells("link", "list", "URL", "--as", "Sam"))
    assert "Marina" in told(tells("rulebook", "list", "URL", "--as", "Sam"))
    assert "to_act 44" in told(tells("table", "clocks", "URL", "Raffles", "to_act=44", *sam))
    assert "waiting" in told(tells("approval", "list", "URL", "--as", "administrator"))
    assert "parts are as they were" in told(tells("files", "check", "URL", "--as", "Sam"))
    assert "events were written" in told(tells("copy", "renew", "URL", *sam))
    told(tells("link", "close", "URL", "Marina", "--as", "Max"))
    told(tells("link", "open", "URL", "Marina", "--as", "Max"))


def test_two_people_put_an_account_right_through_the_server(tells: Tells):
    moves = ("player/Ann=5", "house/bank=-5")
    told(tells("correct", "propose", "URL", *moves, "--as", "Cal", "--reason", "a slip"))
    waiting = json.loads(told(tells("correct", "list", "URL", "--as", "Max", "--json")))
    [number] = waiting
    assert waiting[number]["moves"] == {"player/Ann": 500, "house/bank": -500}
    approved = told(tells("correct", "approve", "URL", number, "--as", "Max", "--json"))
    said = json.loads(approved)
    assert said["accepted"]
    assert said["said"][0]["event"] == "corrected"
    assert said["refused"] is None


def test_a_rank_that_is_too_low_is_refused_by_the_server(tells: Tells, house: Running):
    refused = tells("cash", "in", "URL", "Ann", "5", "--as", "Dan")
    assert refused.exit_code == 1
    assert "Refused (S-34)" in refused.output
    refused = tells("everything", "disable", "URL", "--as", "Sue", *WHY, "--json")
    assert json.loads(refused.output)["refused"]["cites"] == ["S-34"]
    assert house.casino.casino.office.state.disabled == ""
    assert "log in as one of them" in sentence(tells("staff", "list", "URL", "--as", "Ann"))
    assert "wrong name or password" in sentence(tells("staff", "list", "URL", "--as", "Zoe"))


def test_the_database_that_a_server_owns_leads_to_the_server(tells: Tells, house: Running):
    database = house.casino.config.server.database
    assert server_of(database) is None
    in_use = sentence(tells("cash", "in", "FILE", "Ann", "5", "--as", "Cal"))
    assert "in use by another croupier" in in_use
    assert "http://127.0.0.1:8017" in in_use
    with noted(database, house.url):
        assert server_of(database) == house.url
        note = Path(f"{database.removeprefix('sqlite:///')}.server")
        assert stat.S_IMODE(note.stat().st_mode) == 0o600
        assert "Ann" in told(tells("cash", "in", "FILE", "Ann", "5", "--as", "Cal"))
        told(tells("link", "close", "FILE", "Marina", "--as", "Max"))
        told(tells("link", "open", "FILE", "Marina", "--as", "Max"))
        assert house.url in sentence(tells("init", "FILE", "--administrator", "administrator"))
        note.chmod(0o666)
        assert server_of(database) is None, "somebody else could have written it"
        note.chmod(0o600)
        note.write_bytes(b'{"process": 1, "address": "http://127.0.0.1:1"}')
        assert server_of(database) is None, "it is of a process that has gone"
    assert not note.exists()


@pytest.mark.skipif(os.name != "posix", reason="files have owners there")
def test_a_note_that_another_user_has_put_there_is_not_believed(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    """In a folder that others may write to, somebody waits for passwords at an address of his."""
    database = house.casino.config.server.database
    with noted(database, house.url):
        note = Path(f"{database.removeprefix('sqlite:///')}.server")
        his = note.with_name("his")
        his.write_bytes(note.read_bytes())
        his.chmod(0o644)
        assert server_of(database) == house.url
        note.unlink()
        note.symlink_to(his)
        assert server_of(database) is None
        note.unlink()
        his.rename(note)
        assert server_of(database) == house.url
        mine = note.stat()
        other = os.stat_result((*mine[:4], mine.st_uid + 1, *mine[5:10]))
        monkeypatch.setattr(os, "fstat", lambda descriptor: other)
        assert server_of(database) is None
        monkeypatch.undo()


def test_a_table_is_set_up_while_the_casino_is_open(tells: Tells, house: Running, tmp_path: Path):
    file = tmp_path / "casino.toml"
    file.write_text(CONFIG, encoding="utf-8")
    ada = ("--as", "administrator", *WHY)
    dry = tells("apply", "URL", str(file), "--dry-run", *ada)
    assert "would set up table P9" in dry.output, dry.output
    assert "P9" not in house.casino.hubs
    assert "P8" in told(tells("table", "add", "URL", "P8", str(file), *ada))
    assert log_in(house, "Ann").at("P8").until("hello")["place"] == "P8"
    done = tells("apply", "URL", str(file), *ada)
    assert "done: set up table P9" in done.output
    assert "done: take on Nia as dealer" in done.output
    floor = log_in(house, "Sam").get("/api/pit")
    assert "P9" in [tile["place"] for tile in floor["tables"]]
    table = log_in(house, "Bob").at("P9")
    assert table.do(do="sit", seat=2, player="Bob", stake=50_000)["is"] == "answer"
    assert table.do(do="leave", seat=2)["is"] == "answer"
    gone = told(tells("table", "close", "URL", "P9", *ada))
    assert "P9" in gone
    assert house.casino.why_closed("P9") == "This table is closed."


def test_a_running_server_sets_up_no_table_that_is_not_approved(
    tells: Tells, house: Running, tmp_path: Path
):
    """It would be played at once, unapproved: another name, or the same with another Rake."""
    file = tmp_path / "casino.toml"
    file.write_text(CONFIG.replace("P9", "P7").replace("cap = 30", "cap = 31"), encoding="utf-8")
    for name in ("P7", "P8"):
        refused = tells("table", "add", "URL", name, str(file), "--as", "administrator", *WHY)
        assert "approved manifest does not name it" in sentence(refused)
    assert "P7" not in house.casino.hubs


def test_reports_are_the_same_through_the_server_and_for_staff_alone(tells: Tells):
    there = told(tells("report", "day", "URL", "--as", "Sam", "--json"))
    assert (
        json.loads(there).keys()
        == json.loads(told(tells("report", "day", "FILE", "--json"))).keys()
    )
    for report in (("report", "jackpot"), ("unclaimed", "list"), ("report", "staff")):
        assert told(tells(*report, "URL", "--as", "Sam", "--csv")) == told(
            tells(*report, "FILE", "--csv")
        )
    assert "events when last noted" in told(tells("copy", "show", "URL", "--as", "Sam"))
    assert "name the database" in sentence(tells("copy", "pack", "URL"))
    assert "say who asks" in sentence(tells("report", "day", "URL"))
    assert "staff" in sentence(tells("report", "day", "URL", "--as", "Ann"))


def test_weak_passwords_wrong_dates_and_unknown_names_are_told_in_a_sentence(
    tells: Tells, house: Running
):
    ada = ("--as", "administrator", *WHY)
    weak = tells("staff", "add", "URL", "Kim", "dealer", *ada, new="short")
    assert "8 to 200 characters" in sentence(weak)
    weak = tells("player", "pin", "URL", "Ann", "--as", "Cal", *WHY, new="1111")
    assert "tried first" in sentence(weak)
    nobody = tells("staff", "role", "URL", "Nobody", "dealer", *ada)
    assert "Nobody here is called Nobody" in sentence(nobody)
    assert "no table 'H9'" in sentence(tells("table", "close", "URL", "H9", *ada))
    licence = ("staff", "licence", "URL", "Dan", "SE-1", "--until", "2026-13-01", *ada)
    assert "2026-13-01" in sentence(tells(*licence))
    sam = log_in(house, "Sam")
    body: dict[str, Any] = {"id": "12345678", "command": {"do": "set password", "name": "Ann"}}
    assert fails(sam, "/api/office/commands", body)[1]["says"].startswith("to set password")
    status, said = fails(sam, "/api/office/commands", {**body, "secret": "x"})
    assert (status, said["code"], said["says"]) == (
        422,
        "weak",
        "A password has 8 to 200 characters.",
    )
    digest = {**body, "command": {**body["command"], "digest": "0" * 64}}
    assert "leave the digest out" in fails(sam, "/api/office/commands", digest)[1]["says"]
    for path in ("?day=2026-02-30", "?begins=25:00", "?begins=06:00%2B08:00", "?zone=Nowhere/City"):
        with pytest.raises(urllib.error.HTTPError) as error:
            sam.get(f"/api/office/reports/day{path}")
        assert "is not a" in json.load(error.value)["says"]
    for day in ("0001-01-01", "9999-12-31"):
        with pytest.raises(urllib.error.HTTPError) as error:
            sam.get(f"/api/office/reports/day?day={day}&zone=Asia/Singapore")
        assert "no gaming day" in json.load(error.value)["says"]
        assert "no gaming day" in sentence(tells("report", "day", "FILE", "--day", day))
    status, said = fails(sam, "/api/office/acts", {"act": {"do": "fly"}})
    assert (status, said["error"]) == (422, "bad body")
    act = {"do": "propose rulebook", "link": "Nowhere", "rulebook": "x", "reason": "x"}
    assert "no jackpot link 'Nowhere'" in fails(sam, "/api/office/acts", {"act": act})[1]["says"]


def test_an_act_is_on_record_with_the_session_in_which_it_was_asked_for(house: Running):
    ada, office = log_in(house, "administrator"), house.casino.casino
    settings = dict(office.office.state.settings)
    act = {"do": "apply configuration", "links": {}, "tables": {}, "settings": settings}
    act |= {"staff": {"Zia": "dealer"}, "reason": "she begins"}
    assert ada.post("/api/office/acts", {"act": act})["done"]
    orders = list(office.house.reader.orders([OFFICE]))
    [hired] = [order for order in orders if b'"name":"Zia"' in order.command]
    found = json.loads(hired.authority)
    assert office.has_session("administrator", found["session"])


def test_the_software_is_spoken_for_by_nobody(house: Running):
    """What only the House notes is not heard from anybody."""
    ada = log_in(house, "administrator")
    given = {"do": "note start", "version": "1"}
    status, said = fails(ada, "/api/office/commands", {"id": "note-start", "command": given})
    assert (status, "is not ordered here; there is add link" in said["says"]) == (422, True)


def test_every_command_of_the_office_is_ordered_somewhere_or_the_softwares_own():
    """A new one must be put into one of the lists, or it is not heard over HTTP at all."""
    tags = {str(kind.__struct_config__.tag): kind for kind in Office.whole.commands}
    own = {tag for tag, kind in tags.items() if kind.usually_by is ActorRank.HOUSE}
    assert own.isdisjoint(ORDERS)
    assert tags.keys() - own == ORDERS | ELSEWHERE.keys() | {"decide", "close session"}


def test_what_is_a_part_of_something_more_is_not_ordered_alone(house: Running):
    """To note that the copy was renewed would end its alarm, and nothing would be renewed."""
    ada = log_in(house, "administrator")
    renew = {"do": "renew copy", "copy": "x", "folder": "y", "reason": "z"}
    for given in (renew, {"do": "hold table"}, {"do": "settle dispute"}, {"do": "change setting"}):
        body = {"id": "alone-1234", "command": given}
        status, said = fails(ada, "/api/office/commands", body)
        assert (status, "is not ordered here" in said["says"]) == (422, True), given


def test_who_has_a_password_logs_in_to_the_office_of_the_demonstration(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as shown:
        office = shown.casino.casino
        office.set_password("administrator", PASSWORD, who="administrator")
        env = {"CROUPIER_PASSWORD": PASSWORD, "CROUPIER_NEW_PASSWORD": PASSWORD}
        words = ["office", "staff", "add", shown.url, "Sam", "shift manager", *WHY]
        run = CliRunner().invoke(croupier, [*words, "--as", "administrator"], env=env)
        assert run.exit_code == 0, run.output
        words = ["office", "staff", "duty", shown.url, "Sam", "--as", "Sam"]
        assert CliRunner().invoke(croupier, words, env=env).exit_code == 0
        assert "Sam" in office.office.state.duty, "a session that ends is no end of a duty"
        env["CROUPIER_PASSWORD"] = "another one"
        assert "wrong name or password" in sentence(CliRunner().invoke(croupier, words, env=env))
        guest = shown.enter("Ann")
        body = {"name": "Ann", "password": PASSWORD}
        assert fails(guest, "/api/login", body)[1]["error"] == "no accounts"


def test_a_second_factor_is_set_up_through_the_server(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    office, key = house.casino.casino, totp.new_key()
    employ(office, "Fay", "dealer", password=PASSWORD)
    monkeypatch.setattr(totp, "new_key", lambda: key)
    words = ["office", "staff", "second-factor", house.url, "Fay", "--as", "Fay"]
    code = totp.code_of(key, datetime.now(UTC))
    env = {"CROUPIER_PASSWORD": PASSWORD}
    ran = CliRunner().invoke(croupier, words, env=env, input=f"{code}\n")
    assert "Fay has a second factor." in told(ran)
    assert office.office.state.people["Fay"].second_factor


@pytest.mark.parametrize(("hour", "day"), [(5, 18), (6, 19)])
def test_the_gaming_day_that_goes_on_is_yesterdays_before_it_begins(hour: int, day: int):
    """At 5 in the morning the trays are closed of the day that the reports show."""
    house = SimpleNamespace(clock=lambda: datetime(2026, 11, 19, hour, tzinfo=UTC))
    casino: Any = SimpleNamespace(config=Config(), house=house)
    assert office_page.gaming_day(casino) == date(2026, 11, day)


def test_a_day_is_archived_while_the_casino_is_open(tmp_path: Path, monkeypatch):
    make_quick(monkeypatch)
    found_for_money(tmp_path)
    with running(tmp_path, for_money()) as house:
        casino = house.casino.casino
        people(casino)
        employ(casino, "Sam", "shift manager", password=PASSWORD)
        today = datetime.now(UTC)
        casino.house.clock = lambda: datetime.now(UTC) + timedelta(days=2)
        file = casino.house.store.database.url
        words = ["office", "archive", "make", file, "--reason", "closed", "--day", f"{today:%F}"]

        def run(who: str, *more: str) -> Result:
            env = {"CROUPIER_PASSWORD": PASSWORD}
            return CliRunner().invoke(croupier, [*words, "--as", who, *more], env=env)

        with noted(file, house.url):
            assert "leave --folder out" in run("Sam", "--folder", str(tmp_path)).output
            assert "administrator" in run("Dan").output
            assert "is not over before" in sentence(run("Sam", "--day", "2999-01-01"))
            assert "seal it first" in sentence(run("Sam"))
            assert seal_now(casino.house.store, SigningKey(bytes(32)), "day", today) is not None
            ran = run("Sam")
        assert "are moved to" in told(ran)
        assert "without it no audit is whole" in ran.output
        assert len(casino.house.store.past.known()) == 1
        assert casino.tell(CashIn(player="Ann", amount=100), who="Cal").refused is None
