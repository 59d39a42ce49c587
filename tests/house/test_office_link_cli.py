"""`croupier office link`: every order through the real command line, on a file no server holds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import BadCommand
from tests.house.jackpots import ROYAL_FLUSH, claim, set_up
from tests.house.quick import make_quick
from tests.house.test_office_cli import FIRST, Desk

WHY = ("--reason", "x")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two claims wait, at two tables; two pit managers and a supervisor are on duty."""
    with pytest.MonkeyPatch.context() as patch:
        make_quick(patch)
        folder = tmp_path_factory.mktemp("evening")
        made = Desk(folder)
        casino = Casino.open(made.url, administrator="Ada", password=FIRST)
        for name, role in (
            ("Max", "pit manager"),
            ("Mia", "pit manager"),
            ("Sue", "pit supervisor"),
        ):
            casino.hire(name, role, f"password of {name}", who="Ada", reason="x")  # type: ignore[arg-type]
            casino.tell(orders.GoOnDuty(name=name, post=role), who=name)  # type: ignore[arg-type]
        set_up(casino, "M1", "M2")
        for player, table, top in (("Ann", "M1", None), ("Bob", "M2", ROYAL_FLUSH)):
            casino.open_account(player)
            casino.cash_in(player, 200_000)
            claim(casino, table, player, *(() if top is None else (top,)))
        casino.stop()
        yield folder


@pytest.fixture
def desk(evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    make_quick(monkeypatch)
    shutil.copytree(evening, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)


def ordered(desk: Desk, *words: str, who: str = "Max") -> str:
    return desk.told("link", words[0], "URL", "Marina", *words[1:], "--as", who)


def wrong(desk: Desk, *words: str, who: str = "Max") -> str:
    error = desk.run("link", words[0], "URL", "Marina", *words[1:], "--as", who).exception
    assert isinstance(error, BadCommand), error
    return str(error)


def paid(desk: Desk) -> None:
    ordered(desk, "pay")
    ordered(desk, "order")


def test_the_report_shows_what_waits_and_the_orders_pay_it(desk: Desk):
    [report] = desk.json("report", "jackpot", "URL")  # type: ignore[misc]
    told = [(c["order"], c["table"], c["box"], c["player"]) for c in report["open_claims"]]
    assert told == [(1, "M1", 1, "Ann"), (2, "M2", 1, "Bob")]
    # 10 percent of 20,001 by the half cent upwards; then all that is left.
    assert [c["amount"] for c in report["open_claims"]] == [200_010, 1_800_090]
    assert [c["percent"] for c in report["open_claims"]] == ["10", "100"]
    assert all(c["since"].endswith("+00:00") for c in report["open_claims"])
    shown = desk.told("report", "jackpot", "URL")
    assert "Open claims" in shown
    assert "2,000.10" in shown
    assert "open claims,Marina,1,M1,1,1,Ann" in desk.told("report", "jackpot", "URL", "--csv")

    assert "Pit Manager" in desk.refused("link", "pay", "URL", "Marina", "--as", "Sue")
    assert "no order of payment" in wrong(desk, "order")
    assert "In which order were these hands dealt?" in ordered(desk, "pay")
    [report] = desk.json("report", "jackpot", "URL")  # type: ignore[misc]
    assert [q["question"] for q in report["questions"]] == ["order of payment"]
    said = ordered(desk, "order", "M2/1", "M1/1", who="Mia")
    assert "pays 20,001 to box 1 of table M2" in said
    assert "pays 1,000 to box 1 of table M1" in said
    [report] = desk.json("report", "jackpot", "URL")  # type: ignore[misc]
    assert (report["open_claims"], report["questions"]) == ([], [])
    assert [a["table"] for a in report["last_awards"]] == ["M2", "M1"]
    store = Store(open_database(desk.url))
    assert verify(store).difference is None
    store.close()


def test_a_table_goes_on_after_the_next_start(desk: Desk):
    paid(desk)
    casino = Casino.open(desk.url)
    assert casino.table("M1").status() == "between rounds"
    assert casino.dealer.call("M1") is not None
    casino.stop()


def test_faults_and_reconciliation(desk: Desk):
    paid(desk)
    assert "fails" in ordered(desk, "fault", *WHY)
    assert "works again" in ordered(desk, "repair", *WHY)
    assert "agree" in ordered(desk, "reconcile", "M1=1", "M2=1")
    assert "Other counts" in ordered(desk, "reconcile", "M1=1", "M2=2")
    assert desk.run("link", "reconcile", "URL", "Marina", "M1", "--as", "Max").exit_code == 2


def test_two_people_change_parameters_and_meter_and_end_a_link(desk: Desk):
    paid(desk)
    assert "closed" in wrong(desk, "parameters", "--ceiling", "90,000", *WHY)
    ordered(desk, "close")
    ordered(desk, "parameters", "--ceiling", "90,000", "--reset-value", "12,000", *WHY)
    [report] = desk.json("report", "jackpot", "URL")  # type: ignore[misc]
    assert [(c["proposal"], c["proposed_by"]) for c in report["changes"]] == [(1, "Max")]
    assert "second person" in wrong(desk, "approve", "1")
    assert "Pit Manager" in desk.refused("link", "approve", "URL", "Marina", "1", "--as", "Sue")
    ordered(desk, "approve", "1", who="Mia")
    ordered(desk, "parameters", "--clear", "ceiling", *WHY)
    ordered(desk, "approve", "2", who="Mia")
    ordered(desk, "correct", "12.50", "--down", *WHY)
    assert "-12.50" in ordered(desk, "approve", "3", who="Mia")
    ordered(desk, "open")
    ordered(desk, "close")
    ordered(desk, "terminate", "the Bay link", *WHY)
    assert "the Bay link" in ordered(desk, "approve", "4", who="Mia")
    assert "ended for good" in wrong(desk, "open")


def test_a_table_is_taken_off_and_joins_again(desk: Desk):
    paid(desk)
    assert "no longer hangs" in ordered(desk, "remove", "M2")
    assert "hangs on the jackpot" in ordered(desk, "join", "M2")
    assert "hangs on the link already" in wrong(desk, "join", "M2")


def test_a_link_that_there_is_not_is_named(desk: Desk):
    result = desk.run("link", "pay", "URL", "Bay", "--as", "Max")
    assert (result.exit_code, "there is Marina" in result.output) == (2, True)


def test_the_answer_as_json(desk: Desk):
    said = desk.json("link", "pay", "URL", "Marina", "--as", "Max")
    assert said["accepted"]  # type: ignore[index]
    assert said["refused"] is None  # type: ignore[index]
