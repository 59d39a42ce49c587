"""Codes by which a guest comes back on another device: once, for a while, and not by guessing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.live.errors import NotAllowed
from croupier.live.guest_codes import ALL_TRIES, MINUTES, TRIES, GuestCodes
from croupier.live.identity import Visitor
from tests.live.conftest import Running, running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("codes")
    with running(folder, tables=("Raffles",)) as opened:
        yield opened


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def entered(house: Running, name: str) -> Visitor:
    identity = house.casino.identity
    return identity.enter(identity.welcome()[0], name)[0]


def test_a_code_is_good_once_and_for_a_while(house: Running):
    time = Time()
    codes = GuestCodes(house.casino, time)
    ann = entered(house, "Ann")
    first, second = codes.make(ann).code, codes.make(ann).code
    with pytest.raises(NotAllowed, match="not good"):
        codes.use(first)
    assert codes.use(second.lower())[0].name == "Ann"
    with pytest.raises(NotAllowed, match="not good"):
        codes.use(second)
    late = codes.make(ann).code
    time.now += 60 * MINUTES + 1
    with pytest.raises(NotAllowed, match="not good"):
        codes.use(late)


def test_a_code_of_somebody_who_has_left_opens_nothing(house: Running):
    codes = GuestCodes(house.casino)
    bob = entered(house, "Bob")
    code = codes.make(bob).code
    house.casino.identity.exit(bob, None)
    with pytest.raises(NotAllowed, match="has left"):
        codes.use(code)


def test_who_guesses_is_shut_out_and_nobody_else(house: Running):
    codes = GuestCodes(house.casino)
    cho = entered(house, "Cho")
    for _ in range(TRIES):
        with pytest.raises(NotAllowed, match="not good"):
            codes.use("AAAA-AAAA", "192.0.2.1")
    code = codes.make(cho).code
    with pytest.raises(NotAllowed, match="Too many"):
        codes.use(code, "192.0.2.1")
    assert codes.use(code, "192.0.2.2")[0].name == "Cho"
    for number in range(ALL_TRIES - TRIES):
        with pytest.raises(NotAllowed, match="not good"):
            codes.use("AAAA-AAAA", f"2001:db8::{number:x}")
    with pytest.raises(NotAllowed, match="Too many"):
        codes.use(codes.make(cho).code, "192.0.2.2")
