"""`croupier office`: every order through the real command line, on a real file."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import click
import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import croupier, named_errors
from croupier.cli.office import office
from croupier.house import critical_files
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.errors import HouseError, OwnedElsewhere
from croupier.house.founding import office_at
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.live.errors import BadConfig
from tests.house.quick import make_quick

FIRST = "the first password"
CONFIG = """
[links.L]
rulebook = "multi-link-progressive-v3"
settings = { reset_value = 50000, contribution = 1 }

[tables.M]
rulebook = "multi-link-progressive-v3"
link = "L"
area = "main floor"
[tables.M.settings]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
"""


class Desk:
    """The command line with a House of its own."""

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite:///{folder / 'house.db'}"
        self.config = folder / "casino.toml"
        self.config.write_text(CONFIG, encoding="utf-8")
        self.runner = CliRunner()

    def run(self, *words: str, password: str | None = None) -> Result:
        """Run an order; URL stands for the database."""
        named = [self.url if word == "URL" else word for word in words]
        own = f"password of {named[named.index('--as') + 1]}" if "--as" in named else FIRST
        if "--as" in named and named[named.index("--as") + 1] == "Ada":
            own = FIRST
        name = next((w for w in named[3:] if not w.startswith(("sqlite", "--"))), "")
        env = {"CROUPIER_PASSWORD": password or own, "CROUPIER_NEW_PASSWORD": f"password of {name}"}
        return self.runner.invoke(croupier, ["office", *named], env=env)

    def told(self, *words: str) -> str:
        """Run an order that must be carried out."""
        result = self.run(*words)
        assert result.exit_code == 0, result.output + repr(result.exception)
        return result.output

    def refused(self, *words: str) -> str:
        result = self.run(*words)
        assert result.exit_code == 1, result.output
        return result.output

    def json(self, *words: str) -> object:
        return json.loads(self.told(*words, "--json"))


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A House with some people, made once and copied for each test."""
    with pytest.MonkeyPatch.context() as patch:
        make_quick(patch)
        folder = tmp_path_factory.mktemp("founded")
        made = Desk(folder)
        made.told("init", "URL", "--administrator", "Ada")
        for name, role in (("Sam", "shift manager"), ("Max", "pit manager"), ("Cal", "cashier")):
            made.told("staff", "add", "URL", name, role, "--as", "Ada", "--reason", "opening")
        made.told("player", "open", "URL", "Ann", "--as", "Cal")
        yield folder


@pytest.fixture
def desk(founded: Path, tmp_path: Path) -> Desk:
    shutil.copytree(founded, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)


def test_a_house_is_founded_once(desk: Desk):
    again = desk.run("init", "URL", "--administrator", "Eve")
    assert again.exit_code == 2
    assert "already" in again.output


def test_an_administrator_without_a_password_is_given_one(tmp_path: Path):
    desk = Desk(tmp_path)
    Casino.open(desk.url, administrator="Ada", real_money=True).stop()
    other = desk.run("init", "URL", "--administrator", "Eve", "--real-money")
    assert (other.exit_code, "--administrator 'Ada'" in other.output) == (2, True)
    play = desk.run("init", "URL", "--administrator", "Ada")
    assert (play.exit_code, "with --real-money" in play.output) == (2, True)
    assert "can log in now" in desk.told("init", "URL", "--administrator", "Ada", "--real-money")
    desk.told("staff", "add", "URL", "Sam", "shift manager", "--as", "Ada", "--reason", "opening")
    again = desk.run("init", "URL", "--administrator", "Ada", "--real-money")
    assert (again.exit_code, "already" in again.output) == (2, True)


def serving(desk: Desk, mode: str) -> str:
    """What `croupier serve` says of a configuration with which it must not open."""
    config = desk.config.with_name("serve.toml")
    config.write_text(f'mode = "{mode}"\n[server]\nport = 0\ndatabase = "{desk.url}"\n')
    with pytest.raises(BadConfig) as caught:
        desk.runner.invoke(
            croupier, ["serve", "--config", str(config), "--no-browser"], catch_exceptions=False
        )
    return str(caught.value)


def test_a_server_for_money_founds_no_house(tmp_path: Path):
    desk = Desk(tmp_path)
    init = f"croupier office init {desk.url} --administrator"
    assert f"{init} NAME --real-money" in serving(desk, "money")
    assert not (tmp_path / "house.db").exists()
    Casino.open(desk.url, real_money=True).stop()
    assert f"{init} 'administrator' --real-money" in serving(desk, "money")


def test_the_mode_and_the_money_of_the_house_belong_together(tmp_path: Path):
    desk = Desk(tmp_path)
    desk.told("init", "URL", "--administrator", "Ada")
    assert "holds a House of play money" in serving(desk, "money")
    (tmp_path / "house.db").unlink()
    shutil.rmtree(tmp_path / "house.db.copy")
    desk.told("init", "URL", "--administrator", "Ada", "--real-money")
    assert "holds a House of real money" in serving(desk, "demonstration")


def test_nothing_is_done_where_there_is_no_house(tmp_path: Path):
    empty = Desk(tmp_path)
    nowhere = empty.run("staff", "list", "URL", "--as", "Ada")
    assert nowhere.exit_code != 0
    assert not (tmp_path / "house.db").exists(), "a mistyped name makes no file"


def test_a_wrong_password_opens_nothing(desk: Desk):
    wrong = desk.run("cash", "in", "URL", "Ann", "5", "--as", "Cal", password="not his password")
    assert isinstance(wrong.exception, HouseError)
    assert isinstance(wrong.exception, named_errors()), "it is said in one line"
    assert "wrong name or password" in str(wrong.exception)


def test_without_a_terminal_a_password_must_be_in_the_environment(desk: Desk):
    asked = desk.runner.invoke(croupier, ["office", "staff", "list", desk.url, "--as", "Ada"])
    assert asked.exit_code == 2
    assert "CROUPIER_PASSWORD" in asked.output


def test_cash_goes_in_and_out_to_the_cent(desk: Desk):
    assert "500.50" in desk.told("cash", "in", "URL", "Ann", "500.50", "--as", "Cal")
    assert "S-27" in desk.refused("cash", "out", "URL", "Ann", "500.51", "--as", "Cal")
    desk.told("cash", "out", "URL", "Ann", "0.50", "--as", "Cal")
    assert desk.json("player", "list", "URL", "--as", "Cal") == [
        {"name": "Ann", "account": 50_000, "bot": False, "cash": False, "disabled": ""}
    ]
    assert desk.run("cash", "in", "URL", "Ann", "1.005", "--as", "Cal").exit_code == 2


def test_transfers_and_the_bank(desk: Desk):
    desk.told("player", "open", "URL", "Bob", "--no-password", "--as", "Cal")
    desk.told("cash", "in", "URL", "Ann", "80", "--as", "Cal")
    desk.told("cash", "transfer", "URL", "Ann", "Bob", "30", "--as", "Cal", "--reason", "a debt")
    desk.told("cash", "bank", "URL", "1,000", "--as", "Cal", "--reason", "float")
    desk.told("cash", "bank", "URL", "400", "--out", "--as", "Cal", "--reason", "to the safe")
    with_store = Store(open_database(desk.url))
    assert with_store.balances() == {
        "cash": -68_000,
        "house/bank": 60_000,
        "player/Ann": 5_000,
        "player/Bob": 3_000,
    }
    with_store.close()


def test_a_correction_takes_two_people(desk: Desk):
    moves = ("player/Ann=25", "house/bank=-25")
    desk.told("correct", "propose", "URL", *moves, "--as", "Max", "--reason", "short change")
    assert "short change" in desk.told("correct", "list", "URL", "--as", "Sam")
    assert "S-20" in desk.refused("correct", "approve", "URL", "1", "--as", "Max")
    desk.told("correct", "approve", "URL", "1", "--as", "Sam")
    assert desk.json("correct", "list", "URL", "--as", "Sam") == {}
    twice = desk.run(
        "correct", "propose", "URL", "cash=1", "cash=-1", "--as", "Max", "--reason", "x"
    )
    assert twice.exit_code == 2


def test_people_are_placed_disabled_and_enabled(desk: Desk):
    desk.told("staff", "duty", "URL", "Max", "--area", "pit", "--as", "Max")
    assert "pit manager pit" in desk.told("staff", "list", "URL", "--as", "Ada")
    desk.told("staff", "duty", "URL", "Max", "--off", "--as", "Max")
    desk.told("staff", "role", "URL", "Max", "dealer", "--as", "Ada", "--reason", "a change")
    desk.told("staff", "disable", "URL", "Max", "--as", "Ada", "--reason", "left")
    assert "S-29" in desk.refused("staff", "disable", "URL", "Max", "--as", "Ada", "--reason", "x")
    desk.told("staff", "enable", "URL", "Max", "--as", "Ada", "--reason", "back")
    desk.told("player", "disable", "URL", "Ann", "--as", "Sam", "--reason", "at her wish")
    assert "S-29" in desk.refused("cash", "in", "URL", "Ann", "5", "--as", "Cal")
    desk.told("player", "enable", "URL", "Ann", "--as", "Sam", "--reason", "again")
    [ada, cal, *_] = desk.json("staff", "list", "URL", "--as", "Ada")  # type: ignore[misc]
    assert (ada["role"], cal["name"]) == ("administrator", "Cal")


def test_passwords_are_set_and_locks_are_opened(desk: Desk):
    assert "S-32" in desk.refused("player", "password", "URL", "Ann", "--as", "Ada")
    desk.told("player", "password", "URL", "Ann", "--as", "Ada", "--reason", "she forgot it")
    desk.told("staff", "password", "URL", "Sam", "--as", "Sam")
    for _ in range(5):
        desk.run("staff", "list", "URL", "--as", "Max", password="a wrong password")
    locked = desk.run("staff", "list", "URL", "--as", "Max")
    assert "too many wrong passwords" in str(locked.exception)
    desk.told("staff", "unlock", "URL", "Max", "--as", "Ada", "--reason", "he called")
    desk.told("staff", "list", "URL", "--as", "Max")


def test_whoever_applies_a_file_answers_for_its_settings(desk: Desk):
    desk.config.write_text("[clocks]\nto_act = 20\n[disputes]\ndays = 14\n", encoding="utf-8")
    words = ("apply", "URL", str(desk.config), "--as", "Ada", "--reason", "slower guests")
    said = "put on record that clocks.to_act is 20.0, and was its default"
    assert f"would {said}" in desk.told(*words, "--dry-run")
    assert f"done: {said}" in desk.told(*words)
    assert "as the file has it" in desk.told(*words)
    state = office_at(desk.url)
    assert state is not None
    assert state.settings == {"clocks.to_act": "20.0", "disputes.days": "14"}


def test_a_configuration_is_applied_once(desk: Desk):
    config = str(desk.config)
    planned = desk.told("apply", "URL", config, "--as", "Sam", "--dry-run")
    assert planned.splitlines() == [
        "would set up link L under multi-link-progressive-v3",
        "would set up table M under multi-link-progressive-v3 on link L",
    ]
    assert desk.json("table", "list", "URL", "--as", "Sam") == []
    assert "done: set up table M" in desk.told("apply", "URL", config, "--as", "Sam")
    assert "as the file has it" in desk.told("apply", "URL", config, "--as", "Sam")
    assert desk.json("apply", "URL", config, "--as", "Sam") == []
    assert "main floor" in desk.told("table", "list", "URL", "--as", "Sam")
    assert "L " in desk.told("link", "list", "URL", "--as", "Sam")


@pytest.mark.parametrize(
    ("written", "instead", "says"),
    [
        ("blinds = [5, 10]", "blinds = [5, 15]", "would be refused: set up table H under"),
        ("percent = 5", "percent = 6", None),
        ("reset_value = 50000, ", "reset_value = 50000, ceiling = 1, ", "is no link 'L'"),
    ],
)
def test_what_would_be_refused_is_refused_in_a_rehearsal(
    desk: Desk, written: str, instead: str, says: str | None
):
    poker = """
[tables.H]
rulebook = "no-limit-holdem-v8"
[tables.H.settings]
layout = "A"
sign = true
blinds = [5, 10]
rake = { percent = 5, cap = 30 }
maximum_stake = 1000
"""
    desk.config.write_text((CONFIG + poker).replace(written, instead), "utf-8")
    words = ("apply", "URL", str(desk.config), "--as", "Sam")
    planned = desk.run(*words, "--dry-run")
    assert desk.json("table", "list", "URL", "--as", "Sam") == []
    assert desk.json("link", "list", "URL", "--as", "Sam") == []
    done = desk.run(*words)
    assert planned.exit_code == done.exit_code == (1 if says else 0), planned.output + done.output
    assert says is None or says in planned.output
    lines = [each.removeprefix("would be refused: ") for each in planned.output.splitlines()]
    lines = [f"done: {e.removeprefix('would ')}" if e.startswith("would ") else e for e in lines]
    assert [e for e in done.output.splitlines() if "as the file has it" not in e] == lines


def test_every_column_of_a_list_has_a_heading(desk: Desk):
    desk.told("apply", "URL", str(desk.config), "--as", "Sam")
    desk.told("table", "disable", "URL", "M", "--as", "Max", "--reason", "a torn layout")
    wide = desk.runner.invoke(
        croupier,
        ["office", "table", "list", desk.url, "--as", "Sam"],
        env={"CROUPIER_PASSWORD": "password of Sam", "COLUMNS": "200"},
    )
    _, heads, row, *_ = wide.output.splitlines()
    assert heads.split() == ["name", "rulebook", "link", "area", "status"]
    assert row.index("disabled: a torn layout") == heads.index("status")


def test_staff_are_taken_on_from_a_file_by_an_administrator(desk: Desk):
    desk.config.write_text('[staff]\nSue = "pit supervisor"\nCal = "dealer"\n', "utf-8")
    config = str(desk.config)
    planned = desk.refused("apply", "URL", config, "--as", "Ada", "--dry-run")
    assert planned.splitlines() == [
        "would take on Sue as pit supervisor, without a password yet",
        "Cal stays cashier; the file says dealer",
    ]
    assert "S-34" in desk.refused("apply", "URL", config, "--as", "Sam")
    done = desk.refused("apply", "URL", config, "--as", "Ada", "--reason", "the new season")
    assert "done: take on Sue as pit supervisor" in done
    people = {p["name"]: p["role"] for p in desk.json("staff", "list", "URL", "--as", "Ada")}  # type: ignore[attr-defined]
    assert (people["Sue"], people["Cal"]) == ("pit supervisor", "cashier")
    with Store(open_database(desk.url)).as_it_stands() as store:
        hired = [r for r in store.rows("office") if b'"staff hired"' in r.event][-1]
    assert (hired.who, b"the new season" in hired.event) == ("Ada", True)
    again = desk.run("staff", "list", "URL", "--as", "Sue")
    assert "wrong name or password" in str(again.exception), "nobody's password is in a file"
    desk.config.write_text('[staff]\nSue = "boss"\n', "utf-8")
    wrong = desk.run("apply", "URL", config, "--as", "Ada")
    assert 'line 2: staff.Sue: "boss" cannot stand here' in str(wrong.exception)


@pytest.mark.parametrize(
    "words",
    [
        ("staff", "list"),
        ("player", "list"),
        ("table", "list"),
        ("link", "list"),
        ("correct", "list"),
        ("rulebook", "list"),
        ("files", "check"),
    ],
)
def test_what_is_the_houses_is_not_for_a_players_eyes(desk: Desk, words: tuple[str, str]):
    desk.told("player", "password", "URL", "Ann", "--as", "Ada", "--reason", "she forgot it")
    said = desk.refused(*words, "URL", "--as", "Ann")
    assert said == "Refused (S-34): Ann is no member of staff and may not look at this.\n"


def test_what_stands_is_not_changed_by_a_file(desk: Desk):
    desk.told("apply", "URL", str(desk.config), "--as", "Sam")
    desk.config.write_text(CONFIG.replace("ante_maximum = 500", "ante_maximum = 900"), "utf-8")
    said = desk.refused("apply", "URL", str(desk.config), "--as", "Sam")
    assert "settings.ante_maximum is 500, the file says 900" in said
    desk.config.write_text("", "utf-8")
    assert "stays as it is" in desk.told("apply", "URL", str(desk.config), "--as", "Sam")


def test_who_may_not_set_tables_up_is_told_so(desk: Desk):
    said = desk.refused("apply", "URL", str(desk.config), "--as", "Cal")
    assert "S-34" in said


def test_tables_are_added_disabled_and_closed(desk: Desk):
    config = str(desk.config)
    assert desk.run("table", "add", "URL", "Q", config, "--as", "Sam").exit_code == 2
    desk.told("link", "add", "URL", "L", config, "--as", "Sam")
    desk.told("table", "add", "URL", "M", config, "--as", "Sam")
    desk.told("table", "disable", "URL", "M", "--as", "Max", "--reason", "a torn layout")
    assert "disabled: a torn layout" in desk.told("table", "list", "URL", "--as", "Sam")
    desk.told("table", "enable", "URL", "M", "--as", "Sam", "--reason", "a new one")
    desk.told("everything", "disable", "URL", "--as", "Max", "--reason", "a fire alarm")
    assert "S-34" in desk.refused("everything", "enable", "URL", "--as", "Max", "--reason", "x")
    desk.told("everything", "enable", "URL", "--as", "Sam", "--reason", "a false alarm")
    desk.told("table", "close", "URL", "M", "--as", "Sam", "--reason", "moved")
    assert "closed" in desk.told("table", "list", "URL", "--as", "Sam")


def test_files_are_checked_by_digest(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    assert "as they were" in desk.told("files", "check", "URL", "--as", "Ada")
    real = critical_files.digests()
    monkeypatch.setattr(critical_files, "digests", lambda: {**real, "poker": "0" * 64})
    assert "poker" in desk.refused("files", "check", "URL", "--as", "Ada")
    running = Casino.open(desk.url)
    try:
        compared = desk.run("files", "compare", "URL")
    finally:
        running.stop()
    assert (compared.exit_code, "poker" in compared.output) == (1, True)
    with Store(open_database(desk.url)).as_it_stands() as store:
        checks = [row.event for row in store.rows("office") if b"files checked" in row.event]
    assert len(checks) == 2, "to compare records nothing"
    assert b'"asked_by":"Ada"' in checks[-1]


def test_a_file_that_a_server_holds_is_named(desk: Desk):
    running = Casino.open(desk.url)
    held = desk.run("staff", "list", "URL", "--as", "Ada")
    assert isinstance(held.exception, OwnedElsewhere)
    assert "in use by another croupier" in str(held.exception)
    assert desk.run("report", "jackpot", "URL").exit_code == 0, "a report only reads"
    running.stop()


def test_reports_as_table_csv_and_json(desk: Desk):
    desk.told("apply", "URL", str(desk.config), "--as", "Sam")
    assert "50,000" in desk.told("report", "jackpot", "URL")
    [link] = desk.json("report", "jackpot", "URL")  # type: ignore[misc]
    assert (link["meter"], link["base"], link["ceiling"]) == (5_000_000, 5_000_000, None)
    day = ("--day", "2030-01-01", "--begins", "05:30", "--zone", "Asia/Singapore")
    report = desk.json("report", "day", "URL", *day)
    assert report["start"] == "2030-01-01T05:30:00+08:00"  # type: ignore[index]
    for kind in ("day", "staff", "errors"):
        assert desk.told("report", kind, "URL", *day)
        rows = list(csv.reader(io.StringIO(desk.told("report", kind, "URL", *day, "--csv"))))
        assert all(row[0] for row in rows)
    assert desk.run("report", "day", "URL", *day, "--csv", "--json").exit_code == 2
    for wrong in (("--begins", "25:00"), ("--zone", "Nowhere/At all")):
        assert desk.run("report", "day", "URL", "--day", "2030-01-01", *wrong).exit_code == 2


def test_a_report_is_of_the_current_gaming_day_and_says_its_period(desk: Desk):
    zone = ZoneInfo("Asia/Singapore")
    begins = (datetime.now(zone) + timedelta(hours=2)).time().replace(second=0, microsecond=0)
    words = ("--begins", f"{begins:%H:%M}", "--zone", "Asia/Singapore")
    made = desk.json("report", "day", "URL", *words)
    start, end = (datetime.fromisoformat(made[at]) for at in ("start", "end"))  # type: ignore[index]
    assert start < datetime.now(zone) < end
    assert end - start == timedelta(days=1)
    head = f"Gaming day {start:%Y-%m-%d}: {start:%Y-%m-%d %H:%M} +08 to {end:%Y-%m-%d %H:%M} +08"
    for kind in ("day", "staff", "errors"):
        assert desk.told("report", kind, "URL", *words).splitlines()[0] == head


def test_what_the_office_did_verifies(desk: Desk, tmp_path: Path):
    desk.told("cash", "in", "URL", "Ann", "5", "--as", "Cal")
    store = Store(open_database(desk.url))
    assert verify(store, tmp_path / "house.db.copy").difference is None
    store.close()


def test_every_order_is_in_somebodys_name():
    """Only what founds the House and what reads its logs needs nobody."""

    def leaves(command: click.Command, name: str) -> dict[str, click.Command]:
        if not isinstance(command, click.Group):
            return {name: command}
        found: dict[str, click.Command] = {}
        context = click.Context(command)
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            assert below is not None
            found |= leaves(below, f"{name} {word}".strip())
        return found

    nameless = {
        name
        for name, command in leaves(office, "").items()
        if not any("--as" in each.opts and each.required for each in command.params)
    }
    reports = {"report day", "report staff", "report errors", "report jackpot", "unclaimed list"}
    looking = {"archive show", "copy show", "copy pack"}
    assert nameless == {"init", "files compare"} | looking | reports


def spoil(desk: Desk, sql: str) -> None:
    """Change what is stored, behind croupier's back."""
    database = open_database(desk.url)
    with database.transaction():
        database.execute(sql)
    database.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE balances SET balance = 90000 WHERE account = 'player/Ann'",
        "UPDATE balances SET balance = 100 WHERE account = 'player/Ann'",
        "UPDATE entries SET amount = 90000 WHERE account = 'player/Ann'",
        "DELETE FROM entries WHERE account = 'player/Ann'",
    ],
)
def test_nothing_is_paid_from_a_balance_that_its_entries_do_not_account_for(desk: Desk, sql: str):
    desk.told("cash", "in", "URL", "Ann", "500", "--as", "Cal")
    desk.told("player", "open", "URL", "Bob", "--as", "Cal")
    spoil(desk, sql)
    words = ("500", "--as", "Cal")
    for said in (
        desk.refused("cash", "out", "URL", "Ann", *words),
        desk.refused("cash", "transfer", "URL", "Ann", "Bob", *words, "--reason", "a debt"),
    ):
        assert said.startswith("Refused (S-26): The balance of player/Ann is ")
        assert said.endswith("nothing is paid from it; `croupier audit verify` says more.\n")
    desk.told("cash", "in", "URL", "Bob", "20", "--as", "Cal")
    desk.told("cash", "out", "URL", "Bob", "20", "--as", "Cal")


@pytest.mark.parametrize("name", ["Bne", "Sam"])
def test_whoever_has_no_account_is_paid_nothing_and_is_told_so(desk: Desk, name: str):
    words = ("URL", name, "5", "--as", "Cal")
    said = desk.refused("cash", "out", *words)
    assert said == desk.refused("cash", "in", *words)
    assert ("Nobody here is called Bne." if name == "Bne" else "no player's account") in said
