"""The orders by which players and links go elsewhere, through the real command line on a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.banked import commands as banked
from croupier.banked import reports as banked_reports
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.errors import OwnedElsewhere
from croupier.house.reports import report_unclaimed
from croupier.house.rulebook_change import CannotChange
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.poker import commands as poker
from croupier.table import ActorRank, BadCommand, Command
from tests.house.quick import make_quick
from tests.house.seeded import Seeded
from tests.house.staff import employ
from tests.house.test_ledger import BANKED, POKER
from tests.house.test_office_cli import FIRST, Desk

V2 = "multi-link-progressive-v2"
V3 = "multi-link-progressive-v3"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Two poker tables and a linked one of the old version; two shift managers and a dealer."""
    from croupier.house.office import commands as orders

    make_quick(monkeypatch)
    made = Desk(tmp_path)
    casino = Casino.open(made.url, administrator="Ada", password=FIRST)
    for name, role in (
        ("Sam", "shift manager"),
        ("Max", "shift manager"),
        ("Dan", "dealer"),
        ("Cal", "cashier"),
    ):
        if role != "cashier":
            employ(casino, name, role, by="Ada", password=f"password of {name}")
    casino.hire("Cal", "cashier", "password of Cal", who="Ada", reason="x")
    for table in ("P1", "P2"):
        adding = orders.AddTable(table=table, rulebook="no-limit-holdem-v8", settings=POKER)
        assert casino.add_table(adding).refused is None
    settings = {"reset_value": 100_000, "contribution": 150, "start": 123_400}
    casino.add_link(orders.AddLink(link="Marina", rulebook=V2, settings=settings))
    knowingly = {**BANKED, "opened_knowingly": True}
    casino.add_table(
        orders.AddTable(table="M1", rulebook=V2, settings=knowingly, link="Marina", area="floor")
    )
    for name in ("Ann", "Bob"):
        casino.open_account(name)
        casino.cash_in(name, 100_000)
    given(casino, "P1", poker.Sit(seat=1, player="Ann", stake=20_000), "Ann")
    casino.stop()
    return made


def given(casino: Casino, place: str, command: Command, who: str) -> None:
    rank = ActorRank.PLAYER if who in ("Ann", "Bob") else ActorRank.DEALER
    refused = casino.house.give(place, command, who=who, rank=rank).result().refused
    assert refused is None, refused


@contextmanager
def stored(desk: Desk) -> Iterator[Store]:
    store = Store(open_database(desk.url))
    try:
        yield store
    finally:
        store.close()


def check_verifies(desk: Desk) -> None:
    with stored(desk) as store:
        assert verify(store).difference is None
        assert sum(store.balances().values()) == 0


# -- relocation -----------------------------------------------------------------------------------

MOVE = ("player", "relocate", "URL", "Ann", "--from", "P1", "--to", "P2", "--seat", "4")
WHY = ("--reason", "P1 is closed for the night")


def test_a_player_is_relocated_with_his_chips(desk: Desk):
    said = desk.told(*MOVE, *WHY, "--as", "Dan")
    assert said == (
        "Ann is relocated with their chips from table P1 to seat 4 of table P2: "
        "P1 is closed for the night.\n"
    )
    with stored(desk) as store:
        balances = store.balances()
    held = {account: held for account, held in balances.items() if "Ann" in account and held}
    assert held == {"player/Ann": 80_000, "table/P2/chips/Ann": 20_000}
    [_, at_p2] = [
        t
        for t in desk.json("report", "day", "URL")["tables"]  # type: ignore[index]
        if t["table"] in ("P1", "P2")
    ]
    assert (at_p2["buy_in"], at_p2["relocated"]) == (0, 20_000), "it is no new money"
    check_verifies(desk)


def test_a_relocation_that_is_refused_says_why_and_moves_nothing(desk: Desk):
    assert "S-34" in desk.refused(*MOVE, *WHY, "--as", "Cal")
    again = (*MOVE[:3], "Bob", *MOVE[4:])
    assert "Bob does not sit at table P1" in desk.refused(*again, *WHY, "--as", "Dan")
    nowhere = desk.run(*MOVE[:6], "--to", "P9", "--seat", "4", *WHY, "--as", "Dan")
    assert isinstance(nowhere.exception, BadCommand)
    assert "P1, P2" in str(nowhere.exception)
    assert desk.run(*MOVE[:-1], "0", *WHY, "--as", "Dan").exit_code == 2
    with stored(desk) as store:
        assert store.balances()["table/P1/chips/Ann"] == 20_000
    check_verifies(desk)


# -- unclaimed awards -----------------------------------------------------------------------------


def walk_away_from_a_win(desk: Desk, chance: str = "unclaimed") -> int:
    casino = Casino.open(desk.url, source=Seeded(chance))
    if not casino.table("M1").taken_seats():
        given(casino, "M1", banked.Sit(box=1, player="Bob", chips=50_000), "Bob")
    for _ in range(20):
        for command in (None, banked.PlaceAnte(box=1, amount=1_000)):
            if command is not None:
                given(casino, "M1", command, "Bob")
            call = casino.dealer.call("M1")
            assert call is not None
            call.result()
        casino.dealer.deal("M1")
        given(casino, "M1", banked.FlopBet(box=1), "Bob")
        for _ in ("turn", "river"):
            casino.dealer.deal("M1")
            given(casino, "M1", banked.Check(box=1), "Bob")
        given(casino, "M1", banked_reports.ReportWalkAway(player="Bob"), "Dan")
        casino.dealer.deal("M1")
        kept = int(casino.table("M1").state.safekeeping.get("Bob", 0))
        if kept:
            casino.stop()
            return kept
    raise AssertionError("twenty rounds without a win")


def test_what_is_unclaimed_is_listed_and_paid(desk: Desk):
    assert desk.json("unclaimed", "list", "URL") == []
    kept = walk_away_from_a_win(desk)
    [listed] = desk.json("unclaimed", "list", "URL")  # type: ignore[misc]
    assert (listed["table"], listed["player"], listed["amount"]) == ("M1", "Bob", kept)
    with stored(desk) as store:
        [entry] = report_unclaimed(store)
        won = [row.at for row in store.rows("M1") if b"walked away" in row.event]
        assert entry.since >= won[-1], "since he won it, and not since he sat down"
    assert "Bob" in desk.told("unclaimed", "list", "URL")
    rows = list(csv.reader(io.StringIO(desk.told("unclaimed", "list", "URL", "--csv"))))
    assert rows[0] == ["sheet", "table", "player", "amount", "since"]
    wrong = ("unclaimed", "pay", "URL", "M1", "Bob", "1", "--as", "Cal", "--reason", "back")
    assert "S-26" in desk.refused(*wrong)
    amount = f"{kept // 100}.{kept % 100:02d}"
    right = (*wrong[:5], amount, *wrong[6:])
    assert "is given" in desk.told(*right)
    assert desk.json("unclaimed", "list", "URL") == []
    assert "S-26" in desk.refused(*right), "it is paid once"
    walk_away_from_a_win(desk, "again")
    [later] = desk.json("unclaimed", "list", "URL")  # type: ignore[misc]
    assert later["since"] > listed["since"], "not since what was paid"
    check_verifies(desk)


def test_what_is_kept_safe_is_not_paid_from_a_balance_that_was_changed(desk: Desk):
    kept = walk_away_from_a_win(desk)
    database = open_database(desk.url)
    with database.transaction():
        sql = "UPDATE balances SET balance = balance + 1 WHERE account = 'table/M1/safekeeping/Bob'"
        database.execute(sql)
    database.close()
    amount = f"{kept // 100}.{kept % 100:02d}"
    pay = ("unclaimed", "pay", "URL", "M1", "Bob", amount, "--as", "Cal", "--reason", "back")
    said = desk.refused(*pay)
    assert "table/M1/safekeeping/Bob" in said
    assert "`croupier audit verify` says more" in said


# -- another version of the rulebook --------------------------------------------------------------


def test_a_link_goes_on_under_another_book_by_two_people(desk: Desk):
    proposal = ("rulebook", "propose", "URL", "Marina", "v3", "--reason", "in force")
    assert "Proposal 1 of Marina" in desk.told(*proposal, "--as", "Sam")
    assert "in force" in desk.told("rulebook", "list", "URL", "--as", "Max")
    [waiting] = desk.json("rulebook", "list", "URL", "--as", "Max")  # type: ignore[misc]
    assert (waiting["rulebook"], list(waiting["proposals"])) == (V2, ["1"])
    approval = ("rulebook", "approve", "URL", "Marina", "1", "--table", "M1=M1 v3")
    same = desk.run(*approval, "--as", "Sam")
    assert isinstance(same.exception, CannotChange)
    assert "second person" in str(same.exception)
    said = desk.told(*approval, "--as", "Max")
    assert said == f"Marina goes on under {V3} with 1,234.\nIts tables: M1 v3.\n"
    [link] = desk.json("report", "jackpot", "URL")  # type: ignore[misc]
    assert (link["rulebook"], link["meter"], link["status"]) == (V3, 123_400, "open")
    assert desk.json(*approval, "--as", "Max") == {
        "link": "Marina",
        "rulebook": V3,
        "meter": 123_400,
        "tables": ["M1 v3"],
    }, "given again, it changes nothing"
    check_verifies(desk)


@pytest.mark.parametrize("words", [("M1",), ("M1=",), ("M1=a", "M1=b"), ("M1=a", "M2=a")])
def test_tables_that_follow_are_written_old_and_new(desk: Desk, words: tuple[str, ...]):
    tables = [word for each in words for word in ("--table", each)]
    result = desk.run("rulebook", "approve", "URL", "Marina", "1", *tables, "--as", "Max")
    assert (result.exit_code, "OLD=NEW" in result.output) == (2, True)


def test_nothing_of_it_is_done_while_a_server_runs(desk: Desk):
    running = Casino.open(desk.url)
    held = desk.run(*MOVE, *WHY, "--as", "Dan")
    assert isinstance(held.exception, OwnedElsewhere)
    assert desk.json("unclaimed", "list", "URL") == [], "a list only reads"
    running.stop()
