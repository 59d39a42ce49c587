"""A House of real money runs no table, by whichever way it is opened, but with what is approved."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.house import manifest
from croupier.house.approval import NotApproved, running_manifest
from croupier.house.casino import Casino
from croupier.house.manifest import differences, manifest_of, sign, write_manifest
from croupier.house.office import commands as orders
from croupier.house.seals.keys import SigningKey
from tests.house.casino import POKER, settings_of

REGULATOR = SigningKey(b"the regulator's key in all tests")
PASSWORD = "a long password"
TABLE = orders.AddTable(
    table="P8", rulebook="no-limit-holdem-v8", settings=settings_of("P8"), reason="opening"
)


@pytest.fixture
def url(sqlite_url: str) -> str:
    """A House of real money with a table, set up and never opened for play."""
    casino = Casino.open(sqlite_url, password=PASSWORD, real_money=True, setting_up=True)
    assert casino.add_table(TABLE, who="administrator").refused is None
    casino.stop()
    return sqlite_url


def put_on_record(url: str, file: Path) -> None:
    """The regulator approves what runs, and a person puts on record where that lies."""
    casino = Casino.open(url, tables=())
    write_manifest(file, sign(running_manifest(casino.office.state), REGULATOR))
    named = {"approval.manifest": str(file), "approval.regulator_key": REGULATOR.public}
    changes = [
        orders.ChangeSetting(
            setting=name, before="", after=msgspec.json.encode(value).decode(), reason="approved"
        )
        for name, value in named.items()
    ]
    assert casino.note_settings(changes, who="administrator") is None
    casino.stop()


def test_no_table_is_run_without_a_manifest(url: str):
    for tables in (None, ["P8"]):
        with pytest.raises(NotApproved, match="no manifest is named"):
            Casino.open(url, tables=tables)
    Casino.open(url, tables=()).stop()  # the office alone: it is how two people say otherwise


def test_nor_is_one_set_up_and_played_at_in_one_go(sqlite_url: str):
    casino = Casino.open(sqlite_url, password=PASSWORD, real_money=True)
    with pytest.raises(NotApproved):
        casino.add_table(TABLE, who="administrator")
    casino.stop()


def test_the_office_runs_no_table_for_an_order_either(url: str):
    words = f"office unclaimed pay {url} P8 Ann 10 --as administrator --reason asked".split()
    told = CliRunner().invoke(croupier, words, env={"CROUPIER_PASSWORD": PASSWORD})
    assert isinstance(told.exception, NotApproved), told.output


def test_what_is_approved_on_record_is_run(url: str, tmp_path: Path):
    put_on_record(url, tmp_path / "approved.json")
    casino = Casino.open(url)
    assert casino.check_files() == []
    casino.stop()


def test_other_settings_of_a_table_are_not_what_was_approved(url: str, tmp_path: Path):
    put_on_record(url, tmp_path / "approved.json")
    casino = Casino.open(url, setting_up=True)
    again = orders.AddTable(table="P9", rulebook="poker-v5", settings=POKER, reason="more")
    assert casino.add_table(again, who="administrator").refused is None
    casino.stop()
    with pytest.raises(NotApproved, match=r"settings: tables\.P9\.rulebook is not approved"):
        Casino.open(url)


def test_two_people_say_otherwise(url: str, caplog):
    office = Casino.open(url, tables=())
    digest = running_manifest(office.office.state).digest
    office.hire("Sam", "shift manager", PASSWORD, who="administrator", reason="opening")
    wish = orders.ProposeApproval(what="software", digest=digest, reason="a mend for tonight")
    assert office.tell(wish, who="Sam").refused is None
    assert office.tell(orders.GiveApproval(proposal=1), who="administrator").refused is None
    office.stop()
    Casino.open(url).stop()
    assert "NOT AS THE REGULATOR HAS APPROVED, by two people" in caplog.text


# -- dependencies ---------------------------------------------------------------------------------


def test_every_package_has_a_digest_of_its_files():
    found = manifest_of({}).dependencies
    for name in ("msgspec", "argon2-cffi", "cryptography"):
        version, _, digest = found[name].partition(" sha256:")
        assert version == metadata.version(name)
        assert len(digest) == 64


def test_a_package_whose_files_were_changed_is_named(tmp_path: Path, monkeypatch):
    package = tmp_path / "thing"
    info = tmp_path / "thing-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text("safe = True\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    listed = "thing/__init__.py,,\nthing-1.0.dist-info/METADATA,,\nthing-1.0.dist-info/RECORD,,\n"
    (info / "RECORD").write_text(listed + "../../bin/thing,,\nthing/__pycache__/x.pyc,,\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(manifest, "OPTIONAL", ("thing",))
    before = manifest_of({})
    assert before == manifest_of({})
    (info / "INSTALLER").write_text("another\n")
    assert before == manifest_of({})
    (package / "__init__.py").write_text("safe = False\n")
    told = differences(before, manifest_of({}))
    assert told == ["dependencies: thing 1.0 has other files than were approved"]


def test_an_approved_table_that_is_not_set_up_is_no_difference():
    """Nothing is played there; but a table of which one setting is gone is another table."""
    table = {"tables.P1.rulebook": '"poker-v5"', "tables.P1.settings.blinds": "[5,10]"}
    of_the_house = {"clocks.act": "20"}
    approved = manifest_of(table | of_the_house)
    assert differences(approved, manifest_of(of_the_house)) == []
    assert differences(manifest_of(of_the_house), approved) == [
        "settings: tables.P1.rulebook is not approved",
        "settings: tables.P1.settings.blinds is not approved",
    ]
    less = {"tables.P1.rulebook": '"poker-v5"'} | of_the_house
    assert differences(approved, manifest_of(less)) == [
        "settings: tables.P1.settings.blinds is missing"
    ]
    assert differences(approved, manifest_of(table)) == ["settings: clocks.act is missing"]


def test_a_manifest_that_nobody_has_signed_is_said_to_be_that(tmp_path: Path):
    file = tmp_path / "casino.manifest"
    write_manifest(file, manifest_of({}))
    with pytest.raises(manifest.BadManifest, match="that nobody has signed"):
        manifest.read_signed(file)
    file.write_text("{}")
    with pytest.raises(manifest.BadManifest, match=r"no manifest of croupier's"):
        manifest.read_signed(file)
