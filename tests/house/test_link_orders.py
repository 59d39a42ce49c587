"""What people of the pit order at a jackpot link: paid once, by whoever may, in one transaction."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.banked import BankedTable
from croupier.house import rulebook_change
from croupier.house.answers import Answer
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.errors import OwnedElsewhere
from croupier.house.link_orders import link_of, order_at, order_of_payment
from croupier.house.office import commands as orders
from croupier.house.reports import report_jackpots
from croupier.jackpot.commands import (
    Approve,
    CloseLink,
    JoinTable,
    OpenLink,
    PayClaims,
    ProposeCorrection,
    ProposeRulebook,
    ProposeTermination,
    Reconcile,
    RemoveTable,
    ReopenLink,
    RepairLink,
    ReportLinkFault,
    ShowDisplay,
)
from croupier.table import ActorRank, BadCommand, Command
from tests.house.jackpots import (
    BOOK,
    ROYAL_FLUSH,
    SETTINGS,
    STRAIGHT_FLUSH,
    claim,
    set_up,
    stacked,
)
from tests.house.quick import make_quick
from tests.house.stacking import all_stacked

ROOT = Path(__file__).parents[2]
STAFF = {
    "Max": "pit manager",
    "Mia": "pit manager",
    "Sue": "pit supervisor",
    "Dan": "dealer",
    "Off": "pit manager",
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    make_quick(monkeypatch)


def opened(url: str) -> Casino:
    """A casino with two tables on a link; everybody but Off is on duty."""
    casino = Casino.open(url, administrator="Ada")
    if "Marina" in casino.office.state.places:
        return casino
    for name, role in STAFF.items():
        hired = casino.hire(name, role, None, who="Ada", reason="opening")  # type: ignore[arg-type]
        assert hired.refused is None
        if name != "Off":
            casino.tell(orders.GoOnDuty(name=name, post=role), who=name)  # type: ignore[arg-type]
    set_up(casino, "M1", "M2")
    for name in ("Ann", "Bob"):
        casino.open_account(name)
        casino.cash_in(name, 200_000)
    return casino


def give(casino: Casino, command: Command, who: str, id: str | None = None) -> Answer:
    return order_at(casino, "Marina", command, who=who, command_id=id).result()


def done(casino: Casino, command: Command, who: str = "Max", id: str | None = None) -> Answer:
    answer = give(casino, command, who, id)
    assert answer.refused is None, answer.refused
    return answer


def chips(casino: Casino, table: str, player: str) -> int:
    return casino.table(table).holdings()[f"chips/{player}"]


def is_whole(casino: Casino) -> None:
    """Nothing was made, lost, or stored by halves."""
    casino.house.writer.flush()
    assert verify(casino.house.reader).difference is None
    balances = casino.house.reader.balances()
    assert sum(balances.values()) == 0
    assert balances.get("awards", 0) == 0


def test_at_a_link_a_reason_of_blanks_is_none(tmp_path: Path):
    """S-32, as in the office."""
    casino = opened(f"sqlite:///{tmp_path}/house.db")
    for reason in (" ", "\u200b"):
        with pytest.raises(BadCommand, match="say why"):
            give(casino, ReportLinkFault(reason=reason), "Max")
    done(casino, ReportLinkFault(reason="its counts differ"))
    casino.stop()


def test_a_claim_is_paid_and_its_table_goes_on(database_url: str):
    casino = opened(database_url)
    claim(casino, "M1", "Ann")
    before = chips(casino, "M1", "Ann")
    assert casino.dealer.call("M1") is None, "the table waits for its jackpot"
    answer = done(casino, PayClaims())
    assert {said.place for said in answer.said} == {"Marina", "M1"}
    rows = casino.house.reader.answer_of(answer.command_id)
    assert {(row.stream, row.who) for row in rows} == {("Marina", "Max"), ("M1", "Max")}
    # 10 percent of 20,001, half a cent upwards; the meter is left with the rest.
    assert chips(casino, "M1", "Ann") == before + 200_010
    assert link_of(casino, "Marina").state.meter == 2_000_100 - 200_010
    assert casino.dealer.call("M1") is not None
    is_whole(casino)
    casino.stop()


ORDERS = (
    PayClaims(),
    ReportLinkFault(reason="x"),
    CloseLink(),
    Reconcile(counts={"M1": 9}),
    Approve(proposal=1),
    RemoveTable(table="M1"),
    JoinTable(table="M1", rulebook=BOOK),
    ProposeTermination(destination="x", reason="x"),
)


def test_only_a_manager_on_duty_gives_orders(sqlite_url: str):
    """Not below the rank, not off duty, no player, no administrator, nobody who is unknown."""
    casino = opened(sqlite_url)
    before = casino.house.positions["Marina"]
    for command in ORDERS:
        for who in ("Sue", "Dan", "Off", "Ann", "Ada", "nobody"):
            assert give(casino, command, who).refused is not None, (who, command)
    assert casino.house.positions["Marina"] == before
    casino.close()


def test_the_rank_is_that_of_the_moment(database_url: str):
    casino = opened(database_url)
    claim(casino, "M1", "Ann")
    casino.tell(orders.GoOffDuty(name="Max"), who="Max")
    assert give(casino, PayClaims(), "Max").refused is not None
    casino.tell(orders.DisablePerson(name="Mia", reason="dismissed"), who="Ada")
    assert give(casino, PayClaims(), "Mia").refused is not None
    assert len(link_of(casino, "Marina").state.claims) == 1
    casino.close()


def test_a_double_click_pays_once(database_url: str):
    casino = opened(database_url)
    claim(casino, "M1", "Ann")
    first = done(casino, PayClaims(), id="click")
    after = chips(casino, "M1", "Ann")
    again = done(casino, PayClaims(), id="click")
    assert again.positions == first.positions
    assert chips(casino, "M1", "Ann") == after
    with pytest.raises(BadCommand, match="no claim is open"):
        give(casino, PayClaims(), "Max", "another click")
    casino.stop()
    casino = opened(database_url)
    later = done(casino, PayClaims(), id="click")
    assert later.again, "also after a restart"
    assert chips(casino, "M1", "Ann") == after
    is_whole(casino)
    casino.stop()


def test_claims_of_two_tables_wait_for_the_order_of_payment(database_url: str):
    casino = opened(database_url)
    claim(casino, "M1", "Ann")
    claim(casino, "M2", "Bob", ROYAL_FLUSH)
    with pytest.raises(BadCommand, match="asks for no order"):
        order_of_payment(link_of(casino, "Marina"))
    done(casino, PayClaims())
    link = link_of(casino, "Marina")
    assert len(link.state.claims) == 2, "nothing is paid before the order is confirmed"
    answer = order_of_payment(link, "M2/1", "M1/1")
    assert give(casino, answer, "Sue").refused is not None
    done(casino, answer, "Mia")
    paid = [(award.table, award.paid) for award in link_of(casino, "Marina").state.awards]
    # Only M1's stake was on the meter when it claimed; M2's was parked. Bob takes the whole, Ann
    # 10 percent of the reset value.
    assert paid == [("M2", 2_000_100), ("M1", 100_000)]
    is_whole(casino)
    casino.stop()


def test_two_people_change_a_link(database_url: str):
    casino = opened(database_url)
    done(casino, CloseLink())
    done(casino, ProposeCorrection(by=5_000, reason="stakes that were lost"))
    with pytest.raises(BadCommand, match="second person"):
        give(casino, Approve(proposal=1), "Max")
    assert give(casino, Approve(proposal=1), "Sue").refused is not None, "he lacks the rank"
    done(casino, Approve(proposal=1), "Mia")
    assert link_of(casino, "Marina").state.meter == 2_005_000
    with pytest.raises(BadCommand, match="no open proposal"):
        give(casino, Approve(proposal=1), "Mia")
    done(casino, ReopenLink())
    is_whole(casino)
    casino.stop()


def test_a_link_is_ended_by_two_people_with_a_destination(database_url: str):
    casino = opened(database_url)
    bank = casino.house.balance("house/bank")
    done(casino, CloseLink())
    done(casino, ProposeTermination(destination="the Bay link", reason="a new licence"))
    done(casino, Approve(proposal=1), "Mia")
    assert casino.house.balance("link/Marina/meter") == 0
    assert casino.house.balance("house/bank") == bank + 2_000_000
    is_whole(casino)
    casino.stop()
    casino = opened(database_url)
    [report] = report_jackpots(casino.house.reader)
    assert (report.status, report.meter) == ("terminated", 0)
    with pytest.raises(BadCommand, match="ended for good"):
        give(casino, ReopenLink(), "Max")
    casino.stop()


def test_a_fault_is_heard_at_every_table_and_repaired(sqlite_url: str):
    casino = opened(sqlite_url)
    answer = done(casino, ReportLinkFault(reason="the display is dark"))
    assert {said.place for said in answer.said} == {"Marina", "M1", "M2"}
    done(casino, RepairLink(reason="a new cable"))
    wrong = done(casino, Reconcile(counts={"M1": 3}))
    assert link_of(casino, "Marina").state.failed
    assert {said.place for said in wrong.said} == {"Marina", "M1", "M2"}
    casino.stop()


def test_a_table_that_was_taken_off_stays_off_after_a_restart(database_url: str):
    casino = opened(database_url)
    done(casino, RemoveTable(table="M2"))
    casino.stop()
    casino = opened(database_url)
    assert link_of(casino, "Marina").state.tables == ["M1"]
    with pytest.raises(BadCommand, match="the office knows no table"):
        give(casino, JoinTable(table="M9", rulebook=BOOK), "Max")
    with pytest.raises(BadCommand, match="is of"):
        give(casino, JoinTable(table="M2", rulebook="multi-link-progressive-v2"), "Max")
    done(casino, JoinTable(table="M2", rulebook=BOOK))
    casino.stop()
    casino = opened(database_url)
    assert link_of(casino, "Marina").state.tables == ["M1", "M2"]
    casino.stop()


@pytest.mark.parametrize("ended", [False, True], ids=("has failed", "has ended"))
def test_a_table_set_up_at_a_link_that_takes_none_opens_without_a_jackpot(
    database_url: str, ended: bool
):
    casino = opened(database_url)
    if ended:
        done(casino, CloseLink())
        done(casino, ProposeTermination(destination="the Bay link", reason="a new licence"))
        done(casino, Approve(proposal=1), "Mia")
    else:
        done(casino, ReportLinkFault(reason="the display is dark"))
    added = orders.AddTable(table="M3", rulebook=BOOK, settings=SETTINGS, link="Marina")
    assert casino.add_table(added).refused is None
    casino.stop()
    casino = opened(database_url)  # and the House starts
    assert link_of(casino, "Marina").state.tables == ["M1", "M2"]
    assert not jackpot_taken(casino, "M3")
    if not ended:
        done(casino, RepairLink(reason="a new cable"))
        done(casino, JoinTable(table="M3", rulebook=BOOK))
        assert jackpot_taken(casino, "M3")
    is_whole(casino)
    casino.stop()


def test_a_table_of_the_old_book_that_never_joined_opens_without_a_jackpot(sqlite_url: str):
    casino = opened(sqlite_url)
    done(casino, ReportLinkFault(reason="the display is dark"))
    added = orders.AddTable(table="M3", rulebook=BOOK, settings=SETTINGS, link="Marina")
    assert casino.add_table(added).refused is None
    done(casino, RepairLink(reason="a new cable"))
    for name in ("Sam", "Sid"):
        casino.hire(name, "shift manager", None, who="Ada", reason="opening")
        casino.tell(orders.GoOnDuty(name=name, post="shift manager"), who=name)
    other = "multi-link-progressive-v2"
    number = rulebook_change.propose(casino, "Marina", other, who="Sam", reason="back")
    rulebook_change.approve(casino, "Marina", number, who="Sid", tables={"M1": "N1"})
    casino.stop()
    casino = opened(sqlite_url)
    assert link_of(casino, "Marina").state.tables == ["N1"]
    assert not jackpot_taken(casino, "M3")
    is_whole(casino)
    casino.stop()


def test_a_table_is_set_up_while_the_order_of_payment_is_open(database_url: str):
    casino = opened(database_url)
    claim(casino, "M1", "Ann")
    claim(casino, "M2", "Bob")
    done(casino, PayClaims())
    added = orders.AddTable(table="M3", rulebook=BOOK, settings=SETTINGS, link="Marina")
    assert casino.add_table(added).refused is None
    casino.stop()
    casino = opened(database_url)
    assert link_of(casino, "Marina").state.tables == ["M1", "M2", "M3"]
    done(casino, order_of_payment(link_of(casino, "Marina")))
    is_whole(casino)
    casino.stop()


def jackpot_taken(casino: Casino, table: str) -> bool:
    at = casino.table(table)
    assert isinstance(at, BankedTable)
    return at.state.jackpot_open()


@pytest.mark.parametrize(
    "command",
    [
        OpenLink(link="Marina", settings={}),
        ProposeRulebook(rulebook="multi-link-progressive-v2", reason="x"),
        ShowDisplay(),
    ],
    ids=lambda command: command.tell(),
)
def test_what_is_more_than_the_links_own_is_not_given_there(sqlite_url: str, command: Command):
    casino = opened(sqlite_url)
    with pytest.raises(BadCommand, match="not given at a link by hand"):
        give(casino, command, "Max")
    casino.close()


def test_another_rulebook_is_not_approved_behind_the_offices_back(sqlite_url: str):
    casino = opened(sqlite_url)
    for table in ("M1", "M2"):
        done(casino, RemoveTable(table=table))
    done(casino, CloseLink())
    proposing = ProposeRulebook(rulebook="multi-link-progressive-v2", reason="x")
    rank = ActorRank.PIT_MANAGER
    casino.house.give("Marina", proposing, who="Max", rank=rank).result()
    with pytest.raises(BadCommand, match="office rulebook"):
        give(casino, Approve(proposal=1), "Mia")
    casino.close()


def test_no_claim_is_paid_where_its_table_could_not_hear_of_it(sqlite_url: str):
    """On a server it could (`tests.house.test_shared_links`): a file is one process's."""
    casino = opened(sqlite_url)
    claim(casino, "M1", "Ann")
    casino.stop()
    casino = Casino.open(sqlite_url, tables=["Marina", "M2"])
    with pytest.raises(OwnedElsewhere, match="M1"):
        give(casino, PayClaims(), "Max")
    assert len(link_of(casino, "Marina").state.claims) == 1
    casino.stop()


# -- a killed process -----------------------------------------------------------------------------


def killed(url: str, step: str) -> None:
    """A process of its own that does one step and is killed at once."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    command = [sys.executable, "-m", "tests.house.test_link_orders", url, step]
    ended = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, cwd=ROOT, check=False)
    assert ended.returncode == -signal.SIGKILL


@pytest.mark.parametrize("top", [STRAIGHT_FLUSH, pytest.param(ROYAL_FLUSH, marks=pytest.mark.slow)])
def test_a_kill_between_claim_and_payment_neither_loses_nor_doubles_money(
    database_url: str, top: str
):
    opened(database_url).stop()
    killed(database_url, f"claim {top}")
    casino = opened(database_url)
    before = chips(casino, "M1", "Ann")
    owed = sum(c.amount for r in report_jackpots(casino.house.reader) for c in r.open_claims)
    assert owed == (200_010 if top == STRAIGHT_FLUSH else 2_000_100), "the claim is still there"
    casino.close()  # without a word
    killed(database_url, "pay")
    casino = opened(database_url)
    assert chips(casino, "M1", "Ann") == before + owed, "it was acknowledged, so it is there"
    assert done(casino, PayClaims(), id="the payment").again
    with pytest.raises(BadCommand, match="no claim is open"):
        give(casino, PayClaims(), "Max")
    assert chips(casino, "M1", "Ann") == before + owed, "and not twice"
    assert casino.dealer.call("M1") is not None
    with all_stacked(lambda cards: stacked(cards, top)):
        is_whole(casino)
    casino.stop()


def test_a_kill_before_the_payment_is_stored_leaves_the_claim(database_url: str):
    opened(database_url).stop()
    killed(database_url, f"claim {STRAIGHT_FLUSH}")
    killed(database_url, "almost pay")
    casino = opened(database_url)
    before = chips(casino, "M1", "Ann")
    assert len(link_of(casino, "Marina").state.claims) == 1
    done(casino, PayClaims(), id="the payment")
    assert chips(casino, "M1", "Ann") == before + 200_010
    with all_stacked(lambda cards: stacked(cards, STRAIGHT_FLUSH)):
        is_whole(casino)
    casino.stop()


def child(url: str, step: str) -> None:
    casino = opened(url)
    what, _, top = step.partition(" ")
    match what:
        case "claim":
            claim(casino, "M1", "Ann", top)
            casino.house.writer.flush()
        case "pay":
            done(casino, PayClaims(), id="the payment")
        case _:
            # Nobody writes it: the process dies with the payment in memory alone.
            order_at(casino, "Marina", PayClaims(), who="Max", command_id="the payment")
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    child(*sys.argv[1:])
