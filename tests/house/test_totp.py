"""Codes of a second factor, by the vectors of RFC 4226 and RFC 6238, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from croupier.house import totp
from croupier.house.casino import Casino, NotAllowedIn
from croupier.house.log_in import NeedsSecondFactor, second_factor_of
from croupier.house.office.commands import OpenSession
from croupier.house.office.second_factor import DropSecondFactor
from tests.house.quick import make_quick

SHA1 = b"12345678901234567890"
KEYS = {"sha1": SHA1, "sha256": (SHA1 * 2)[:32], "sha512": (SHA1 * 4)[:64]}
RFC_6238 = [
    (59, "sha1", "94287082"),
    (59, "sha256", "46119246"),
    (59, "sha512", "90693936"),
    (1111111109, "sha1", "07081804"),
    (1111111109, "sha256", "68084774"),
    (1111111109, "sha512", "25091201"),
    (1111111111, "sha1", "14050471"),
    (1111111111, "sha256", "67062674"),
    (1111111111, "sha512", "99943326"),
    (1234567890, "sha1", "89005924"),
    (1234567890, "sha256", "91819424"),
    (1234567890, "sha512", "93441116"),
    (2000000000, "sha1", "69279037"),
    (2000000000, "sha256", "90698825"),
    (2000000000, "sha512", "38618901"),
    (20000000000, "sha1", "65353130"),
    (20000000000, "sha256", "77737706"),
    (20000000000, "sha512", "47863826"),
]
RFC_4226 = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split()
KEY = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
PASSWORD = "correct horse battery staple"


@pytest.mark.parametrize(("at", "hash", "code"), RFC_6238)
def test_the_vectors_of_rfc_6238(at: int, hash: str, code: str):
    assert totp.code_at(KEYS[hash], at // 30, 8, hash) == code


def test_the_vectors_of_rfc_4226():
    assert [totp.code_at(SHA1, step) for step in range(10)] == RFC_4226


def code_for(when: datetime, key: str = KEY) -> str:
    import base64

    return totp.code_at(base64.b32decode(key), totp.step_at(when))


@pytest.mark.parametrize(("late", "counts"), [(-30, True), (0, True), (30, True), (61, False)])
def test_a_code_counts_for_a_moment_longer(late: int, counts: bool):
    found = totp.matching_step(KEY, code_for(NOON), NOON + timedelta(seconds=late))
    assert (found is not None) == counts


def test_a_code_counts_once():
    step = totp.matching_step(KEY, code_for(NOON), NOON)
    assert step is not None
    assert totp.matching_step(KEY, code_for(NOON), NOON, after=step) is None


@pytest.mark.parametrize("code", ["", "12345", "abcdef", "\uff11" * 6, "\ud800", "1" * 500])
def test_what_is_no_code_is_wrong(code: str):
    assert totp.matching_step(KEY, code, NOON) is None


def test_a_new_key_is_one_that_apps_take():
    key = totp.new_key()
    assert totp.is_key(key)
    assert totp.spaced(key).count(" ") == 7
    assert totp.address_of(key, "Ada B").startswith("otpauth://totp/croupier:Ada%20B?secret=")


# ---- at a House ---------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def on(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def casino(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Casino]:
    make_quick(monkeypatch)
    opened = Casino.open(
        f"sqlite:///{tmp_path / 'house.db'}",
        administrator="Ada",
        password=PASSWORD,
        real_money=True,
        clock=clock,
    )
    for name, role in (("Sam", "shift manager"), ("Aud", "auditor"), ("Dan", "dealer")):
        opened.hire(name, role, PASSWORD, who="Ada", reason="opening")  # type: ignore[arg-type]
    opened.open_account("Ann", PASSWORD)
    yield opened
    opened.stop()


def set_up(casino: Casino, name: str) -> None:
    command, secrets = second_factor_of(name, KEY)
    assert casino.tell(command, who=name, secrets=secrets).refused is None


def test_with_a_second_factor_the_password_alone_is_not_enough(casino: Casino, clock: Clock):
    set_up(casino, "Sam")
    with pytest.raises(NotAllowedIn, match="wrong name or password, or code"):
        casino.log_in("Sam", PASSWORD)
    with pytest.raises(NotAllowedIn, match="wrong name or password, or code"):
        casino.log_in("Sam", PASSWORD, code="000000")
    assert casino.log_in("Sam", PASSWORD, code=code_for(clock.now)).name == "Sam"


def test_a_code_that_was_used_lets_nobody_in_again(casino: Casino, clock: Clock):
    set_up(casino, "Sam")
    code = code_for(clock.now)
    casino.log_in("Sam", PASSWORD, code=code)
    with pytest.raises(NotAllowedIn):
        casino.log_in("Sam", PASSWORD, code=code)
    clock.on(30)
    with pytest.raises(NotAllowedIn):
        casino.log_in("Sam", PASSWORD, code=code)
    casino.log_in("Sam", PASSWORD, code=code_for(clock.now))


def test_of_two_who_bring_the_same_code_at_the_same_time_one_is_let_in(
    casino: Casino, clock: Clock
):
    """Both were found right before either session was open: the office lets the second one in no
    more than a code that was used."""
    set_up(casino, "Sam")
    step = totp.step_at(clock.now)
    until = clock.now + timedelta(hours=1)
    answers = [
        casino.tell(OpenSession(name="Sam", token=token * 64, until=until, code_step=step)).refused
        for token in "ab"
    ]
    assert answers[0] is None
    assert answers[1] is not None
    assert "used already" in answers[1].says


def test_where_it_is_required_the_first_log_in_sets_it_up(casino: Casino, clock: Clock):
    casino.second_factor_required = True
    with pytest.raises(NotAllowedIn, match="wrong name"):
        casino.log_in("Sam", "not the password")
    with pytest.raises(NeedsSecondFactor):
        casino.log_in("Sam", PASSWORD)
    with pytest.raises(NotAllowedIn):
        casino.log_in("Sam", PASSWORD, new_key=KEY, code="000000")
    assert not casino.office.state.people["Sam"].second_factor
    casino.log_in("Sam", PASSWORD, new_key=KEY, code=code_for(clock.now))
    clock.on(30)
    other = totp.new_key()
    with pytest.raises(NotAllowedIn):  # nobody replaces it so
        casino.log_in("Sam", PASSWORD, new_key=other, code=code_for(clock.now, other))
    assert casino.log_in("Ann", PASSWORD).name == "Ann", "players need none"


def test_two_others_drop_a_second_factor(casino: Casino, clock: Clock):
    set_up(casino, "Sam")
    casino.log_in("Sam", PASSWORD, code=code_for(clock.now))
    drop = DropSecondFactor(name="Sam", reason="lost the phone")
    for nobody in ("Dan", "Ann", "Sam"):
        assert casino.tell(drop, who=nobody).refused is not None
    assert casino.tell(drop, who="Ada").refused is None
    assert casino.tell(drop, who="Ada").refused is not None, "one person is not two"
    assert casino.office.state.people["Sam"].second_factor
    assert casino.tell(drop, who="Aud").refused is None
    assert not casino.office.state.people["Sam"].second_factor
    assert not [s for s in casino.office.state.sessions.values() if s.name == "Sam"]
    casino.log_in("Sam", PASSWORD)


def test_a_proposal_to_drop_it_is_confirmed_within_a_day(casino: Casino, clock: Clock):
    set_up(casino, "Sam")
    drop = DropSecondFactor(name="Sam", reason="lost the phone")
    casino.tell(drop, who="Ada")
    clock.on(86_401)
    casino.tell(drop, who="Aud")
    assert casino.office.state.people["Sam"].second_factor


def test_a_key_that_the_office_has_not_filed_is_nobodys(casino: Casino, clock: Clock):
    set_up(casino, "Sam")
    casino.house.writer.flush()
    database = casino.house.store.database
    with database.lock:
        database.execute("UPDATE secrets SET secret = ? WHERE kind = ?", ("A" * 32, totp.KIND))
    forged = code_for(clock.now, "A" * 32)
    with pytest.raises(NotAllowedIn):
        casino.log_in("Sam", PASSWORD, code=forged)


# ---- wrong passwords ----------------------------------------------------------------------------


def test_nobody_is_locked_out_elsewhere_by_a_stranger(casino: Casino):
    for _ in range(20):
        with pytest.raises(NotAllowedIn):
            casino.log_in("Ada", "wrong", origin="a stranger")
    with pytest.raises(NotAllowedIn):
        casino.log_in("Ada", PASSWORD, origin="a stranger")
    assert casino.log_in("Ada", PASSWORD, origin="her own place").name == "Ada"
    assert casino.log_in("Ada", PASSWORD).name == "Ada"


def test_where_it_was_tried_too_often_it_counts_again_later(casino: Casino, clock: Clock):
    for _ in range(5):
        with pytest.raises(NotAllowedIn):
            casino.log_in("Ada", "wrong", origin="there")
    with pytest.raises(NotAllowedIn):
        casino.log_in("Ada", PASSWORD, origin="there")
    clock.on(901)
    casino.log_in("Ada", PASSWORD, origin="there")


def test_unknown_wrong_and_locked_are_told_the_same(casino: Casino):
    said = set()
    for name in ["Nobody", *["Ada"] * 8]:
        with pytest.raises(NotAllowedIn) as error:
            casino.log_in(name, "wrong", origin="there")
        said.add(str(error.value))
    with pytest.raises(NotAllowedIn) as error:
        casino.log_in("Ada", PASSWORD, origin="there")
    assert {str(error.value)} == said


def test_of_many_places_the_last_are_remembered(casino: Casino):
    for n in range(40):
        with pytest.raises(NotAllowedIn):
            casino.log_in("Ada", "wrong", origin=f"place {n}")
    assert len(casino.office.state.people["Ada"].tried) == 32
