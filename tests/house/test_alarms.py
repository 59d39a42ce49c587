"""What is wrong with the record of a running House is told to whoever watches it."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from croupier.house.alarms import BEHIND, NO_KEY, NOT_SEALED
from croupier.house.casino import Casino
from croupier.house.errors import StorageError
from croupier.house.seals.keys import make_key
from croupier.house.seals.sealer import Sealing


@pytest.fixture
def sealing(tmp_path: Path) -> Sealing:
    make_key(tmp_path / "seal.key")
    return Sealing(key_file=tmp_path / "seal.key", folder=tmp_path / "seals")


def test_a_house_without_trouble_says_nothing(sqlite_url: str, sealing: Sealing):
    casino = Casino.open(sqlite_url, sealing=sealing)
    assert casino.alarms.told() == ()
    casino.stop()


def test_what_cannot_be_sealed_is_an_alarm_until_it_is(
    sqlite_url: str, sealing: Sealing, monkeypatch, caplog
):
    casino = Casino.open(sqlite_url, sealing=sealing)
    assert casino.sealer is not None
    for error in (StorageError("no room"), RuntimeError("what nobody foresaw")):

        def fails(*given: object, why: Exception = error, **how: object) -> None:
            raise why

        with monkeypatch.context() as patch:
            patch.setattr("croupier.house.seals.sealer.seal_now", fails)
            casino.sealer._try("time")
        assert casino.alarms.told() == (NOT_SEALED,)
        assert "NOT SEALED" in caplog.text
        casino.sealer.seal()
        assert casino.alarms.told() == ()
    casino.stop()


def test_a_copy_that_cannot_be_written_is_an_alarm(sqlite_url: str, sealing: Sealing):
    casino = Casino.open(sqlite_url, sealing=sealing)
    casino.house.writer.trouble = StorageError("no room")
    assert casino.alarms.told() == (BEHIND,)
    casino.stop()


def test_where_money_is_real_and_nothing_seals_that_is_an_alarm(sqlite_url: str):
    casino = Casino.open(sqlite_url, password="a long password", real_money=True)
    assert casino.alarms.told() == (NO_KEY,)
    casino.stop()


def test_the_log_of_the_house_is_in_the_log_of_the_server(capsys):
    from croupier.live import logs

    before = {name: logging.getLogger(name).handlers for name in (logs.NAME, logs.HOUSE)}
    try:
        logs.set_up()
        logging.getLogger(logs.HOUSE).error("NOT SEALED: %s", "no room")
    finally:
        for name, handlers in before.items():
            logging.getLogger(name).handlers = handlers
            logging.getLogger(name).propagate = True
    assert '"says":"NOT SEALED: no room"' in capsys.readouterr().err
