"""A House of real money opens only with what the regulator has approved, or by two people."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from croupier.cli.audit import audit
from croupier.house.casino import Casino
from croupier.house.manifest import (
    BadManifest,
    differences,
    manifest_of,
    read_manifest,
    read_signed,
    sign,
    write_manifest,
)
from croupier.house.office import commands as orders
from croupier.house.seals.keys import SigningKey
from croupier.live.config import ApprovalConfig, Clocks, Config, ServerConfig
from croupier.live.errors import BadConfig
from croupier.live.opening import approved_settings
from croupier.live.server import open_casino
from tests.live.conftest import (
    PASSWORD,
    REGULATOR,
    approved_by_regulator,
    found_for_money,
    put_on_record,
)

OTHER = SigningKey(bytes(32))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    found_for_money(tmp_path)
    server = ServerConfig(
        database=f"sqlite:///{tmp_path / 'casino.sqlite3'}", key_file=str(tmp_path / "key")
    )
    return Config(mode="money", server=server, clocks=Clocks(to_act=20))


def test_a_manifest_says_what_runs_and_nothing_of_where(config: Config):
    made = manifest_of(approved_settings(config))
    assert made == manifest_of(approved_settings(config))
    assert {"house", "rulebooks", "poker"} <= made.software.keys()
    assert "no-limit-holdem-v8" in made.rulebooks
    assert {"python", "sqlite", "msgspec", "argon2-cffi", "cffi"} <= made.dependencies.keys()
    assert "pytest" not in made.dependencies
    assert made.settings == {"clocks.to_act": "20"}


def test_each_difference_is_named(config: Config):
    approved = manifest_of({"clocks.to_act": "20.0"})
    now = structs.replace(
        approved,
        version="9.9",
        software={**approved.software, "house": "0" * 64},
        rulebooks={k: v for k, v in approved.rulebooks.items() if k != "poker-v5"},
        dependencies={**approved.dependencies, "msgspec": "0.1", "stranger": "1.0"},
        settings={},
    )
    told = "\n".join(differences(approved, now))
    for says in (
        "version 9.9, approved",
        "software: house is another one",
        "rulebooks: poker-v5 is missing",
        "dependencies: msgspec is 0.1, approved",
        "dependencies: stranger is not approved",
        "settings: clocks.to_act is missing",
    ):
        assert says in told
    assert differences(approved, approved) == []


def test_only_the_regulators_own_signature_counts(tmp_path: Path):
    made = manifest_of({})
    file = tmp_path / "approved.json"
    write_manifest(file, sign(made, OTHER))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(BadManifest, match="and the regulator's is"):
        read_signed(file, REGULATOR.public)
    assert read_signed(file, OTHER.public).manifest == made
    file.write_text(file.read_text().replace('"sqlite": "', '"sqlite": "9'))
    with pytest.raises(BadManifest, match="was changed"):
        read_signed(file, OTHER.public)
    with pytest.raises(BadManifest, match="no manifest"):
        read_manifest(file)
    with pytest.raises(BadManifest, match="there already"):
        write_manifest(file, made)
    with pytest.raises(BadManifest, match="cannot be read"):
        read_signed(tmp_path / "nowhere")


def closed(casino) -> None:
    casino.casino.stop()


def test_a_house_of_real_money_opens_with_a_matching_manifest_alone(config, tmp_path):
    with pytest.raises(BadConfig, match="no manifest is named"):
        open_casino(config)
    approved = approved_by_regulator(config, tmp_path)
    put_on_record(approved)
    closed(open_casino(approved))
    other = structs.replace(approved, clocks=Clocks(to_act=5))
    with pytest.raises(BadConfig, match=r"settings: clocks\.to_act is 5, approved 20\."):
        open_casino(other)
    forged = structs.replace(
        approved, approval=structs.replace(approved.approval, regulator_key=OTHER.public)
    )
    with pytest.raises(BadConfig, match="is signed with key"):
        open_casino(forged)
    gone = structs.replace(approved, approval=ApprovalConfig(manifest="nowhere", regulator_key="x"))
    with pytest.raises(BadConfig, match="nowhere cannot be read"):
        open_casino(gone)


def test_or_after_two_people_have_said_otherwise_on_record(config, caplog):
    digest = manifest_of(approved_settings(config)).digest
    with pytest.raises(BadConfig, match=f"software {digest}"):
        open_casino(config)
    office = Casino.open(config.server.database, tables=())
    office.hire("Sam", "shift manager", PASSWORD, who="administrator", reason="opening")
    wish = orders.ProposeApproval(what="software", digest=digest, reason="a mend for tonight")
    assert office.tell(wish, who="Sam").refused is None
    assert office.tell(orders.GiveApproval(proposal=1), who="Sam").refused is not None
    office.stop()
    with pytest.raises(BadConfig, match="only with what is approved"):
        open_casino(config)
    office = Casino.open(config.server.database, tables=())
    assert office.tell(orders.GiveApproval(proposal=1), who="administrator").refused is None
    office.stop()
    put_on_record(config)
    closed(open_casino(config))
    assert "NOT AS THE REGULATOR HAS APPROVED, by two people" in caplog.text
    with pytest.raises(BadConfig, match="only with what is approved"):
        open_casino(structs.replace(config, clocks=Clocks(to_act=7)))


def test_every_day_is_held_to_the_manifest_and_not_to_the_last_start(config, tmp_path, monkeypatch):
    approved = approved_by_regulator(config, tmp_path)
    put_on_record(approved)
    casino = open_casino(approved).casino
    assert casino.check_files() == []
    from croupier.house import manifest

    now = {**casino.digests, "house": "0" * 64}
    monkeypatch.setattr(manifest, "digests", lambda: now)
    assert casino.check_files() == ["software: house is another one"]
    change = orders.ChangeSetting(
        setting="clocks.to_act", before="20.0", after="9.0", reason="tried"
    )
    assert casino.tell(change, who="administrator").refused is None
    assert len(casino.check_files()) == 2
    casino.stop()


def test_the_commands_make_sign_and_check(tmp_path: Path):
    run = CliRunner().invoke
    (tmp_path / "casino.toml").write_text('mode = "money"\n[clocks]\nto_act = 20\n')
    config = ["--config", str(tmp_path / "casino.toml")]
    made, signed, key = (str(tmp_path / name) for name in ("made.json", "signed.json", "r.key"))
    assert run(audit, ["key", "make", key]).exit_code == 0
    told = run(audit, ["manifest", "make", made, *config])
    assert (told.exit_code, "1 settings" in told.output) == (0, True)
    told = run(audit, ["manifest", "sign", made, signed, "--key-file", key])
    assert told.exit_code == 0, told.output
    words = ["manifest", "check", signed, "--key", f"{key}.pub"]
    told = run(audit, [*words, *config])
    assert (told.exit_code, "as it was approved" in told.output) == (0, True), told.output
    told = run(audit, [*words, "--json"])
    assert (told.exit_code, "clocks.to_act" in told.output) == (1, True)
