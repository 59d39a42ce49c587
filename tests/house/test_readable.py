"""What is stored can be read again: a command that was made here keeps to the limits of its fields.

Over the wire each command is read, and held to them. One that the office itself has made, of a
configuration or of words at the command line, was stored as it was: nobody could read it again, and
an audit took the log for one that was changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.banked.commands import Leave
from croupier.cli.main import croupier
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.link_orders import order_at
from croupier.house.office import commands as orders
from croupier.house.office.disputes import SettleDispute
from croupier.house.office_acts import ApplyConfig, ApproveBook, Configured, perform
from croupier.house.rulebook_change import CannotChange, propose
from croupier.jackpot import commands as jackpot
from croupier.table import ActorRank, BadCommand
from tests.house.casino import TABLES
from tests.house.evening import furnish

PASSWORD = "a long password"
LONG = "x" * 501
PLAYER = ActorRank.PLAYER


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    made = Casino.open(f"sqlite:///{tmp_path}/house.db", password=PASSWORD)
    yield made
    assert verify(made.house.store).differences == []
    made.close()


@pytest.mark.parametrize("name", ["a/b", "", " a", "x" * 41, "shuffles/P8"])
@pytest.mark.parametrize("dry_run", [True, False])
def test_a_configuration_names_nobody_as_nobody_can_be_called(casino, name, dry_run):
    settings = dict(casino.office.state.settings)
    act = ApplyConfig(
        links={}, tables={}, staff={name: "dealer"}, settings=settings, reason="x", dry_run=dry_run
    )
    done = perform(casino, act, who="administrator")
    assert isinstance(done, Configured)
    [applied] = done.done
    assert (applied.done, "unreadable command" in applied.says) == (False, True)
    assert name not in casino.office.state.people


@pytest.mark.parametrize("why", ["", LONG])
def test_a_reason_has_words_and_not_too_many(casino, why):
    for command in (
        orders.Disable(reason=why),
        SettleDispute(dispute=1, outcome=why, in_favour_of="house"),
    ):
        with pytest.raises(BadCommand, match="unreadable command: Expected `str` of length"):
            casino.tell(command, who="administrator")


def test_at_a_link_too(casino):
    furnish(casino)
    closing = jackpot.ProposeTermination(destination="house", reason="")
    with pytest.raises(BadCommand, match="unreadable command"):
        order_at(casino, "L3", closing, who="Sam")


@pytest.mark.parametrize("why", ["", LONG])
def test_nothing_is_done_of_an_act_whose_reason_the_office_could_not_read(casino, why):
    furnish(casino)
    for who in ("Ann", "Ben", "Cho"):
        assert casino.house.give("M3", Leave(player=who), who=who, rank=PLAYER).result().said
    with pytest.raises(BadCommand, match="unreadable command"):
        propose(casino, "L3", TABLES["M2"], who="Sam", reason=why)
    assert not casino.office.state.places["M3"].closed
    link = casino.house.pit.links["L3"]
    assert (link.state.tables, link.state.closed) != ([], True)


def test_a_link_that_is_mistyped_is_said_so(casino):
    for name in ("nowhere", "office"):
        act = ApproveBook(link=name, proposal=1)
        with pytest.raises(CannotChange, match=f"there is no jackpot link '{name}' here"):
            perform(casino, act, who="administrator")


def test_at_the_command_line_it_is_a_sentence(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/house.db"
    made = Casino.open(url, password=PASSWORD)
    made.open_account("Ann")
    made.stop()
    words = ["office", "player", "disable", url, "Ann", "--as", "administrator", "--reason", ""]
    done = CliRunner().invoke(croupier, words, env={"CROUPIER_PASSWORD": PASSWORD})
    assert isinstance(done.exception, BadCommand)
    assert CliRunner().invoke(croupier, ["audit", "verify", url]).exit_code == 0
