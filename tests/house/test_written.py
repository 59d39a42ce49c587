"""Events of a release before this one, which lack what was added since."""

import msgspec
import pytest

from croupier.house.audit.written import is_same, is_written
from croupier.poker.events import BettingRoundClosed, Checked
from croupier.poker.state import Pot
from croupier.table import ActorRank, DecisionNeeded, Event
from croupier.table.conversation import write


def asked(not_by: str = "") -> DecisionNeeded:
    return DecisionNeeded(
        decision=1,
        question="misdeal",
        says="Is it a Misdeal?",
        of=ActorRank.PIT_MANAGER,
        options=(),
        not_by=not_by,
        cites=("5.3",),
    )


def read(stored: bytes) -> Event:
    return msgspec.json.decode(stored, type=DecisionNeeded)


def without(field: str, event: Event) -> bytes:
    """As a release wrote it that did not know this field."""
    plain = msgspec.json.decode(write(event))
    del plain[field]
    return msgspec.json.encode(plain)


def test_an_event_without_a_field_that_came_later_is_as_it_was_written() -> None:
    stored = without("not_by", asked())
    assert stored != write(asked())
    assert is_written(stored, read(stored))
    assert is_same(stored, asked(), read)


def test_what_the_engine_says_now_and_the_log_does_not_is_another_event() -> None:
    stored = without("not_by", asked())
    assert not is_same(stored, asked(not_by="Ann"), read)


def test_a_field_inside_a_field_may_have_come_later_too() -> None:
    closed = BettingRoundClosed(number=1, pots=(Pot(amount=30, seats=(1, 2)),), cites=())
    plain = msgspec.json.decode(write(closed))
    assert plain["pots"][0].pop("closed") is False
    assert is_written(msgspec.json.encode(plain), closed)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda stored: stored.replace(b'"seat":2', b'"seat": 2'),
        lambda stored: stored.replace(b'"seat":2', b'"seat":2,"more":1'),
        lambda stored: stored.replace(b'"seat":2', b'"seat":2.0'),
    ],
    ids=["a blank", "a field that nobody knows", "a number written otherwise"],
)
def test_anything_else_is_not_as_croupier_writes_it(spoil) -> None:
    event = Checked(seat=2, cites=("3.14",))
    stored = spoil(write(event))
    assert stored != write(event)
    assert not is_written(stored, event)
