"""Whatever is sent over the socket: a clear error, the connection closed where it must be, and
every table unharmed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from croupier.live import wire
from croupier.poker import PokerTable
from tests.live.conftest import AtTable, Running, running

WORDS = sorted(str(c.__struct_config__.tag) for c in PokerTable.whole.commands)
FIELDS = [
    "seat",
    "box",
    "player",
    "stake",
    "to",
    "amount",
    "cards",
    "decision",
    "option",
    "details",
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
likely = st.one_of(
    st.integers(-3, 12),
    st.sampled_from(["Fuzz", "Ann", "As", "wait", "", "é\u0000"]),
    st.integers(-(2**70), 2**70),
    json_values,
)
commands = st.builds(
    lambda do, fields: {"do": do, **fields},
    st.sampled_from([*WORDS, "fly", "", "sit"]),
    st.dictionaries(st.sampled_from(FIELDS), likely, max_size=5),
)
ids = st.one_of(st.just("abcdefgh"), st.uuids().map(str), likely)
messages = st.one_of(
    st.text(max_size=200),
    json_values.map(json.dumps),
    st.fixed_dictionaries(
        {},
        optional={
            "id": ids,
            "place": st.sampled_from(["Raffles", "Clarke", 7]),
            "command": commands,
            "ping": likely,
            "ready": st.booleans(),
            "more": likely,
        },
    ).map(json.dumps),
    st.builds(
        lambda id, command: json.dumps({"id": str(id), "place": "Raffles", "command": command}),
        st.uuids(),
        commands,
    ),
)


@settings(max_examples=300, deadline=None)
@given(messages)
def test_a_message_is_read_or_said_to_be_unreadable(text: str):
    try:
        message = wire.read(text)
    except wire.Unreadable as error:
        found: wire.Incoming | wire.Unreadable = error
    else:
        found = message
    if isinstance(found, wire.Unreadable):
        assert str(found)
        assert found.id is None or isinstance(found.id, str)
    else:
        assert found.ping is not None or found.ready or bytes(found.command)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("fuzz"), tables=("Raffles",)) as casino:
        yield casino


class Fuzzer:
    """A connection that is opened again whenever the server has closed it."""

    def __init__(self, house: Running) -> None:
        self.client = house.enter("Fuzz")
        self.table: AtTable = self.client.at("Raffles")

    def send(self, text: str) -> None:
        try:
            self.table.send(text)
            self.table.send('{"ping": 4711}')
            while True:
                message = self.table.next()
                assert message["is"] in KINDS, message
                if message == {"is": "pong", "ping": 4711}:
                    return
        except ConnectionClosed:
            assert self.table.socket.close_code in (4400, 1009, 4408), self.table.socket.close_code
            self.table = self.client.at("Raffles")


KINDS = ("hello", "view", "events", "answer", "refused", "error", "pong", "clock", "bye", "jackpot")


def test_nothing_that_is_sent_harms_the_table(house: Running):
    fuzzer = Fuzzer(house)
    other = house.enter("Other").at("Raffles")

    @settings(max_examples=150, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(messages)
    def sent(text: str) -> None:
        fuzzer.send(text)

    sent()
    assert house.casino.metrics.faults.value() == 0
    seat = free_seat(other)
    assert other.do(do="sit", seat=seat, player="Other", stake=50_000)["is"] == "answer"
    table = house.casino.table("Raffles")
    table.check()
    again = type(table).rebuild(
        table.book,
        (table.read_event(row.event) for row in house.casino.house.reader.rows("Raffles")),
    )
    assert again.state == table.state


def free_seat(table: AtTable) -> int:
    taken: dict[str, Any] = {}
    for message in (table.next(), table.next()):
        taken = message.get("view", {}).get("seats", taken)
    return next(n for n in range(1, 7) if str(n) not in taken)
