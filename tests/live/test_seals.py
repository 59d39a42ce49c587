"""Seals over HTTP: collected by a witness without an account, and signed back."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec import structs

from croupier.house.seals.kept import marks_of
from croupier.house.seals.keys import SigningKey, make_key
from croupier.house.seals.records import Forked
from croupier.house.seals.witness import CannotCollect, Witness, source_of
from croupier.live.config import FaultyConfig, SealsConfig, check
from croupier.live.demonstration import demonstration
from tests.live.conftest import Running, running

WITNESS = SigningKey(bytes(range(2, 34)))
NOW = datetime(2026, 11, 17, tzinfo=UTC)


def sealed(**how) -> object:
    return structs.replace(demonstration(), seals=SealsConfig(**how))


def a_seal(house: Running, player: str) -> None:
    casino = house.casino.casino
    assert casino.sealer is not None
    casino.open_account(player)
    assert casino.sealer.seal() is not None


def status(house: Running, path: str, body: object = None) -> int:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{house.url}{path}", data, {"content-type": "application/json"}
    )
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(request)
    error.value.close()
    return error.value.code


def test_a_witness_collects_and_signs_back_over_http(tmp_path: Path):
    make_key(tmp_path / "casino.sqlite3.seal-key")
    config = sealed(witnesses={"Ruth": WITNESS.public})
    with running(tmp_path, config, tables=()) as house:
        casino = house.casino.casino
        witness = Witness(tmp_path / "kept", WITNESS, "Ruth")
        a_seal(house, "Ann")
        a_seal(house, "Ben")
        found = witness.collect(source_of(house.url), NOW)
        assert (found.new, found.number, found.not_handed_back) == (2, 2, "")
        [mark] = marks_of(casino.house.store)
        assert (mark.seal, mark.witness) == (2, "Ruth")
        stranger = Witness(tmp_path / "other", SigningKey(bytes(32)), "Eve")
        found = stranger.collect(source_of(f"{house.url}/"), NOW)
        assert (found.new, "no witness of that name" in found.not_handed_back) == (2, True)
        told = structs.asdict(mark)
        assert (
            status(house, "/api/seals/2/witnesses", {**told, "at": "2026-11-18T00:00:00Z"}) == 403
        )
        assert status(house, "/api/seals/1/witnesses", told) == 422
        assert status(house, "/api/seals/9/witnesses", {**told, "seal": 9}) == 404
        assert status(house, "/api/seals?after=-1") == 422
        assert status(house, "/api/seals?after=99999999999999999999") == 422
        casino.house.store.database.execute("DELETE FROM seals WHERE number = 2")
        (tmp_path / "casino.sqlite3.seals" / "seal-00000002.json").unlink()
        a_seal(house, "Cho")
        with pytest.raises(Forked, match="FORK"):
            witness.collect(source_of(house.url), NOW)


def test_a_house_may_keep_its_seals_to_files(tmp_path: Path):
    with running(tmp_path, sealed(serve=False), tables=()) as house:
        assert house.casino.casino.sealer is None, "it has no key"
        with pytest.raises(CannotCollect, match="404 This House hands its seals over as files"):
            Witness(tmp_path / "kept", WITNESS, "Ruth").collect(source_of(house.url), NOW)
    with pytest.raises(CannotCollect, match="cannot be reached"):
        next(source_of(house.url).seals(0))


@pytest.mark.parametrize("how", [{"zone": "Nowhere"}, {"witnesses": {"Ruth": "no key"}}])
def test_what_is_wrong_in_the_configuration_is_said(how):
    with pytest.raises(FaultyConfig, match="seals"):
        check(sealed(**how))
