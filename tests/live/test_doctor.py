"""`croupier doctor`: what it finds, what it says to do, and that it changes nothing."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from croupier.cli.doctor import doctor
from croupier.house.casino import Casino
from croupier.house.seals.keys import make_key
from croupier.house.standby import standbys
from croupier.live import descriptors
from croupier.live.clock_sync import follows_a_time_server
from croupier.live.config import ApprovalConfig, Config, SealsConfig, ServerConfig
from croupier.live.doctor import Finding, Look, examine
from croupier.live.doctor import descriptors as descriptors_found
from croupier.live.seals import sealing_of
from tests.house.quick import make_quick
from tests.live.conftest import approved_by_regulator, found_for_money, put_on_record


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """A House of real money in order."""
    make_quick(monkeypatch)
    found_for_money(tmp_path)
    make_key(tmp_path / "seal-key")
    monkeypatch.setattr("os.geteuid", lambda: tmp_path.stat().st_uid or 0)
    monkeypatch.setattr("croupier.live.doctor.started_as_root", lambda: "")
    monkeypatch.setattr(descriptors, "_limit", lambda: None)
    server = ServerConfig(
        database=f"sqlite:///{tmp_path / 'casino.sqlite3'}", key_file=str(tmp_path / "key")
    )
    made = Config(server=server, seals=SealsConfig(key_file=str(tmp_path / "seal-key")))
    made = approved_by_regulator(made, tmp_path)
    put_on_record(made)
    return made


def faults(config: Config) -> dict[str, Finding]:
    return {each.about: each for each in examine(config) if each.level == "fault"}


def digest(folder: Path) -> dict[str, str]:
    files = (p for p in folder.rglob("*") if p.is_file() and not p.name.endswith(("-shm", "-wal")))
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_a_house_in_order_has_no_fault_and_is_not_changed(config: Config, tmp_path: Path):
    before = digest(tmp_path)
    found = examine(config)
    assert [each for each in found if each.level == "fault"] == []
    assert {each.about for each in found} >= {
        *("permissions", "user", "descriptors", "people", "proxy", "database"),
        *("keys", "copy", "seals", "clock"),
    }
    assert digest(tmp_path) == before


def test_what_others_may_read_is_a_fault(config: Config, tmp_path: Path):
    (tmp_path / "casino.sqlite3").chmod(0o644)
    assert "chmod 600" in faults(config)["permissions"].do


def test_staff_without_a_second_factor(config: Config):
    """A note where it is required, for they set it up at their next log-in; a fault where not."""
    [found] = [each for each in examine(config) if each.about == "people"]
    assert (found.level, "no second factor yet: administrator" in found.says) == ("note", True)
    lax = structs.replace(config, server=structs.replace(config.server, second_factor="optional"))
    assert faults(lax)["people"].do == 'second_factor = "required"'


def test_nobody_is_there_who_can_administer_the_house(config: Config, tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'another.sqlite3'}"
    Casino.open(url, administrator="Ada", password=None, real_money=True).close()
    server = structs.replace(config.server, database=url)
    found = faults(structs.replace(config, server=server))["people"]
    assert "no administrator has a password" in found.says


def test_no_database_is_said_first(config: Config):
    server = structs.replace(config.server, database="sqlite:///nowhere.db")
    do = faults(structs.replace(config, server=server))["database"].do
    assert "office init sqlite:///nowhere.db --administrator NAME --real-money" in do
    assert not Path("nowhere.db").exists()


def opening(config: Config) -> str:
    return "; ".join(each.says for each in examine(config) if each.about == "opening")


def test_it_says_what_a_server_would_stop_at(config: Config, tmp_path: Path):
    """What is not approved, what nobody has put on record, and play money where it is real."""
    assert opening(config) == "in order"
    assert "no manifest is named" in opening(structs.replace(config, approval=ApprovalConfig()))
    slow = structs.replace(config, clocks=structs.replace(config.clocks, to_act=99))
    assert "clocks.to_act is its default on record, the file says 99" in opening(slow)
    url = f"sqlite:///{tmp_path / 'play.sqlite3'}"
    Casino.open(url, administrator="Ada", password="of eight or more").close()
    server = structs.replace(config.server, database=url)
    assert "a House of play money" in opening(structs.replace(config, server=server))


def test_before_its_first_start_nothing_is_wrong_with_the_demonstration(config: Config):
    server = structs.replace(config.server, database="sqlite:///nowhere.db")
    found = examine(structs.replace(config, server=server, mode="demonstration"))
    [missing] = [each for each in found if each.about == "database"]
    assert missing.level == "note"
    assert missing.do == "start the demonstration, which founds it: croupier"


def test_a_key_that_is_gone(config: Config, tmp_path: Path):
    key = next(tmp_path.glob("casino.sqlite3.*key*"))
    key.unlink()
    assert "keys" in faults(config)
    assert not key.exists(), "it makes none"


def test_a_copy_that_is_gone(config: Config, tmp_path: Path):
    folder = tmp_path / "casino.sqlite3.copy"
    folder.rename(tmp_path / "elsewhere")
    assert "no copy" in faults(config)["copy"].says


def test_no_key_to_seal_with(config: Config):
    assert "key make" in faults(structs.replace(config, seals=SealsConfig()))["seals"].do


@pytest.mark.parametrize(
    ("server", "says"),
    [
        ({"origins": ("https://tables.example",)}, "share one"),
        ({"host": "0.0.0.0"}, "passwords can be read"),
    ],
)
def test_the_proxy(config: Config, server: dict[str, object], says: str):
    changed = structs.replace(config, server=structs.replace(config.server, **server))
    assert says in faults(changed)["proxy"].says
    good = {"origins": ("https://tables.example",), "proxies": ("127.0.0.1",)}
    changed = structs.replace(config, server=structs.replace(config.server, **good))
    assert "proxy" not in faults(changed)


def test_descriptors_and_root(config: Config, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(descriptors, "_limit", lambda: 1_024)
    monkeypatch.setattr("croupier.live.doctor.started_as_root", lambda: "started as root")
    notes = {each.about for each in examine(config) if each.level == "note"}
    assert {"descriptors", "user"} <= notes


def test_among_several_servers_a_socket_may_hold_two_descriptors(
    config: Config, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(descriptors, "_limit", lambda: 10_000)
    server = structs.replace(config.server, database="postgresql://there/casino")
    assert not list(descriptors_found(Look(config)))
    found = list(descriptors_found(Look(structs.replace(config, server=server))))
    assert "raise the limit to 11096" in found[0].says


def test_a_clock_that_is_behind(config: Config, monkeypatch: pytest.MonkeyPatch):
    from datetime import UTC, datetime, timedelta

    later = Casino.open(
        config.server.database, tables=(), clock=lambda: datetime.now(UTC) + timedelta(days=1)
    )
    later.stop()
    assert "timedatectl" in faults(config)["clock"].do


@pytest.mark.parametrize(
    ("follows", "says"), [(False, "no time server"), (None, "cannot be known")]
)
def test_a_clock_that_nothing_keeps(
    config: Config, monkeypatch: pytest.MonkeyPatch, follows: bool | None, says: str
):
    monkeypatch.setattr("croupier.live.doctor.follows_a_time_server", lambda: follows)
    [found] = [each for each in examine(config) if each.about == "clock"]
    assert (found.level, says in found.says) == ("note", True)
    monkeypatch.setattr("croupier.live.doctor.follows_a_time_server", lambda: True)
    [found] = [each for each in examine(config) if each.about == "clock"]
    assert found.level == "good"


def test_the_kernel_is_asked_about_its_clock():
    assert follows_a_time_server() in (True, False, None)
    if sys.platform.startswith("linux") and shutil.which("adjtimex"):
        assert follows_a_time_server() is not None


class Said:
    """A server that answers so."""

    def __init__(self, standby: bool, names: str, *states: str | None) -> None:
        self._first, self._states = (standby, names), states

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        return [(each,) for each in self._states] if "sync_state" in sql else [self._first]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (Said(True, ""), "standby"),
        (Said(False, ""), "alone"),
        (Said(False, "", "async"), "loses"),
        (Said(False, "b"), "stands still"),
        (Said(False, "b", "async"), "stands still"),
        (Said(False, "b", None), "unseen"),
        (Said(False, "b", "async", "sync"), "confirmed"),
        (Said(False, "ANY 1 (b, c)", "quorum"), "confirmed"),
    ],
)
def test_a_server_says_how_its_standbys_are(said: Said, kind: str):
    found = standbys(said)  # type: ignore[arg-type]
    assert found.kind == kind
    assert bool(found.says) == bool(found.do) == (kind != "confirmed")


def test_a_sealed_record(config: Config):
    sealed = Casino.open(config.server.database, tables=(), sealing=sealing_of(config))
    sealed.stop()
    [found] = [each for each in examine(config) if each.about == "seals"]
    assert found.level == "good", found


def test_the_command(config: Config, tmp_path: Path):
    runner = CliRunner()
    file = tmp_path / "casino.toml"
    file.write_text(
        f'mode = "money"\n[server]\ndatabase = "{config.server.database}"\n'
        f'[seals]\nkey_file = "{tmp_path / "seal-key"}"\n'
        f'[approval]\nmanifest = "{config.approval.manifest}"\n'
        f'regulator_key = "{config.approval.regulator_key}"\n'
    )
    done = runner.invoke(doctor, ["--config", str(file)])
    assert done.exit_code == 0, done.output
    (tmp_path / "casino.sqlite3").chmod(0o666)
    done = runner.invoke(doctor, ["--config", str(file), "--json"])
    assert done.exit_code == 1
    found = [json.loads(line) for line in done.output.splitlines()]
    assert {"about", "level", "says", "do"} == set(found[0])
