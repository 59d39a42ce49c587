"""What must stay hidden is encrypted at rest, and nobody else may read the files of a House."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.audit import audit
from croupier.house.audit.export import export
from croupier.house.audit.verify import verify
from croupier.house.casino import Casino
from croupier.house.errors import CorruptDatabase
from croupier.house.records import Opening, Secret
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.house.vault import KEY, KEY_FILE, MARK, NoKey, Vault, beside
from tests.house.contract import one

HEX = "5a" * 32
posix = pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX's")


def some() -> dict:
    return {
        "secrets": [Secret(name="Ann", kind="password", secret="$argon2id$hash")],
        "openings": [Opening(shuffle="s1", stream="A", seed=bytes(range(32)))],
    }


def raw(store: Store) -> tuple[str, bytes]:
    [(secret,)] = store.database.execute("SELECT secret FROM secrets")
    [(seed,)] = store.database.execute("SELECT seed FROM openings")
    return secret, seed


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path, monkeypatch):
    """A database of either kind, and a key that the operator has named."""
    file = tmp_path / "key"
    file.write_text(HEX)
    file.chmod(0o600)
    monkeypatch.setenv(KEY_FILE, str(file))
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'house.db'}"
    return request.getfixturevalue("postgres_url")


def test_secrets_are_encrypted_and_read_again(url):
    store = Store(open_database(url))
    assert store.append([one("c1", **some())]) == [None]
    secret, seed = raw(store)
    assert "argon2" not in secret
    assert bytes(range(32)) not in seed
    assert seed.startswith(MARK)
    store.close()
    again = Store(open_database(url))
    assert again.secret("Ann", "password") == "$argon2id$hash"
    assert again.secrets() == some()["secrets"]
    assert again.opening("s1") == some()["openings"][0]
    assert again.openings("A") == some()["openings"]
    again.close()


def test_without_the_key_nothing_is_read_and_no_other_key_is_made(url, monkeypatch):
    store = Store(open_database(url))
    store.append([one("c1", **some())])
    store.close()
    monkeypatch.delenv(KEY_FILE)
    again = Store(open_database(url))
    for reads in (again.openings, again.secrets, lambda: again.secret("Ann", "password")):
        with pytest.raises(NoKey, match=f"there is no key.*{KEY_FILE}"):
            reads()
    if url.startswith("sqlite"):
        more = {"openings": [Opening(shuffle="s2", stream="A", seed=bytes(32))]}
        with pytest.raises(NoKey):
            again.append([one("c2", "A", 2, **more)])
        assert not beside(Path(url.removeprefix("sqlite:///"))).exists()
    again.close()


def test_another_key_or_a_changed_byte_is_named(url, monkeypatch):
    store = Store(open_database(url))
    store.append([one("c1", **some())])
    _, seed = raw(store)
    for at in (len(MARK), len(MARK) + 8, len(MARK) + 25, len(seed) - 1):
        changed = seed[:at] + bytes([seed[at] ^ 1]) + seed[at + 1 :]
        store.database.execute("UPDATE openings SET seed = ?", (changed,))
        with pytest.raises(CorruptDatabase, match="changed"):
            store.openings()
    store.database.execute("UPDATE openings SET seed = ?", (seed,))
    store.database.execute("UPDATE openings SET shuffle = 's9'")  # moved to another row
    with pytest.raises(CorruptDatabase, match="was changed"):
        store.openings()
    store.close()
    monkeypatch.delenv(KEY_FILE)
    monkeypatch.setenv(KEY, "00" * 32)
    again = Store(open_database(url))
    with pytest.raises(CorruptDatabase, match="encrypted with another key"):
        again.openings()
    again.close()


def test_what_was_written_before_there_was_a_key_is_read(url, monkeypatch):
    store = Store(open_database(url))
    store.append([one("c1", **some())])
    store.database.execute("UPDATE openings SET seed = ?", (bytes(range(32)),))
    store.database.execute("UPDATE secrets SET secret = ?", ("$argon2id$hash",))
    assert store.openings() == some()["openings"]
    assert store.secret("Ann", "password") == "$argon2id$hash"
    store.close()


@pytest.mark.parametrize("told", ["", "zz", "00" * 31, "00" * 33])
def test_what_is_no_key_is_told_so(tmp_path, monkeypatch, told):
    monkeypatch.setenv(KEY_FILE, str(tmp_path / "key"))
    vault = Vault("house.db", tmp_path / "beside")
    with pytest.raises(NoKey, match="cannot be read"):
        vault.ready(lambda: False)
    (tmp_path / "key").write_text(told)
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(NoKey, match="holds no key: a key is 64 hexadecimal digits"):
        vault.ready(lambda: False)


@posix
def test_a_key_that_others_can_read_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "key"
    file.write_text(HEX)
    file.chmod(0o640)
    monkeypatch.setenv(KEY_FILE, str(file))
    with pytest.raises(NoKey, match="chmod 600"):
        Vault("house.db").ready(lambda: False)


def test_a_key_that_somebody_else_makes_meanwhile_is_the_key(tmp_path):
    """Two begin with a new House at once: the other one has made the key and encrypted with it
    between this one's look for the key and its look for what is encrypted."""
    file = tmp_path / "key"
    ours, theirs = Vault("house.db", file), Vault("house.db", file)
    written = []

    def they_were_quicker() -> bool:
        assert theirs.ready(lambda: False)
        written.append(theirs.seal(b"state", "T"))
        return True

    assert ours.ready(they_were_quicker)
    assert ours.unseal(written[0], "T") == b"state"


def test_the_same_is_never_encrypted_alike(tmp_path):
    vault = Vault("house.db", tmp_path / "key")
    assert vault.ready(lambda: False)
    assert vault.seal(b"a", "x") != vault.seal(b"a", "x")
    assert vault.unseal(vault.seal(b"a", "x"), "x") == b"a"


# -- a whole House -------------------------------------------------------------------------------


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_nobody_else_may_read_the_files_of_a_house(tmp_path):
    before = os.umask(0o022)
    try:
        casino = Casino.open(f"sqlite:///{tmp_path / 'house.db'}", password="a long password")
        casino.open_account("Ann", "another password")
        made = {path for path in tmp_path.rglob("*") if path.is_file()}
        assert {"house.db", "house.db-wal", "house.db.lock", "house.db.secrets-key"} <= {
            path.name for path in made
        }
        assert {path.name: oct(mode(path)) for path in made if mode(path) & 0o077} == {}
        assert mode(tmp_path / "house.db.copy") == 0o700
        casino.stop()
        store = Store(SqliteDatabase(tmp_path / "house.db"))
        export(store, tmp_path / "night.jsonl.gz")
        export(store, tmp_path / "night.jsonl.gz")
        store.close()
        assert mode(tmp_path / "night.jsonl.gz") == 0o600
    finally:
        os.umask(before)


@posix
def test_files_of_an_older_release_are_closed_when_they_are_opened(tmp_path):
    url = f"sqlite:///{tmp_path / 'house.db'}"
    Casino.open(url, password="a long password").stop()
    (tmp_path / "house.db").chmod(0o644)
    (tmp_path / "house.db.copy").chmod(0o755)
    casino = Casino.open(url)
    casino.open_account("Ann")
    casino.stop()
    assert mode(tmp_path / "house.db") == 0o600
    assert mode(tmp_path / "house.db.copy") == 0o700


def test_a_house_starts_again_logs_in_is_audited_and_needs_its_key(tmp_path):
    url = f"sqlite:///{tmp_path / 'house.db'}"
    casino = Casino.open(url, password="a long password")
    casino.open_account("Ann", "another password")
    casino.stop()
    kept = (tmp_path / "house.db").read_bytes()
    assert b"$argon2" not in kept
    again = Casino.open(url)
    assert again.log_in("Ann", "another password").name == "Ann"
    again.stop()
    store = Store(SqliteDatabase(tmp_path / "house.db"))
    assert verify(store).difference is None
    store.close()
    beside(tmp_path / "house.db").unlink()
    with pytest.raises(NoKey, match="there is no key"):
        Casino.open(url)
    told = CliRunner().invoke(audit, ["verify", url])
    assert isinstance(told.exception, NoKey), "a sentence and exit status 2, by `main`"
    store = Store(SqliteDatabase(tmp_path / "house.db"))
    with pytest.raises(NoKey):
        verify(store)
    store.close()


def test_a_house_with_another_key_does_not_open(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'house.db'}"
    Casino.open(url, password="a long password").stop()
    monkeypatch.setenv(KEY, "00" * 32)
    with pytest.raises(CorruptDatabase, match="encrypted with another key"):
        Casino.open(url)
    monkeypatch.delenv(KEY)
    Casino.open(url).stop()


def test_a_server_without_a_key_says_so_and_goes_on(postgres_url, caplog, tmp_path):
    copy = tmp_path / "copy"
    casino = Casino.open(postgres_url, password="a long password", real_money=True, copy=copy)
    assert "are not encrypted" in caplog.text
    casino.stop()
