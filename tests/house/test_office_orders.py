"""Orders of the office that are more than one command: sent again, by whom, and at which moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.house.casino import Casino
from croupier.house.errors import IdTaken
from croupier.house.office import OFFICE
from croupier.house.office import commands as orders
from croupier.house.office.last_rounds import AnnounceLastRound, LastRoundAnnounced
from croupier.house.office_orders import carry_out, read_order
from croupier.house.records import OrderRecord
from croupier.pit.registry import GAMES
from croupier.table import BadCommand
from tests.house.jackpots import BOOK, TERMS
from tests.house.staff import employ
from tests.house.test_ledger import POKER

TABLE = orders.AddTable(table="P1", rulebook="no-limit-holdem-v8", settings=POKER, reason="opening")
LINK = orders.AddLink(link="L", rulebook=BOOK, settings=TERMS, reason="opening")
LAST = AnnounceLastRound(table="P1", reason="end of day")


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    made = Casino.open(f"sqlite:///{tmp_path / 'house.db'}", administrator="Ada")
    employ(made, "Max", "pit manager", by="Ada")
    yield made
    made.stop()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            b'{"do": "disable", "table": "P1", "reason": "x"}',
            "no field 'table'; it has reason, place",
        ),
        (b'{"do": "cash in", "player": "Ann", "amount": 5, "kind": "cash"}', "no field 'kind'"),
    ],
)
def test_a_word_that_an_order_does_not_have_is_no_other_order(given: bytes, says: str):
    """To disable a `table` that is called `place` here would be to disable everything."""
    with pytest.raises(BadCommand, match=says):
        read_order(given)
    assert read_order(b'{"do": "disable", "place": "P1", "reason": "x"}')[0] == orders.Disable(
        place="P1", reason="x"
    )


def on_record(casino: Casino, command_id: str) -> OrderRecord | None:
    casino.house.writer.flush()
    return casino.house.reader.recall(command_id)[1]


@pytest.mark.parametrize("adding", [TABLE, LINK], ids=["table", "link"])
def test_a_table_or_link_that_is_ordered_again_under_its_id_is_set_up_once(
    casino: Casino, adding: Any
):
    given = [
        carry_out(casino, adding, who="Ada", command_id="Ada/add-it", session="hers")
        for _ in range(2)
    ]
    assert [answer.refused for answer in given] == [None, None]
    assert given[0].said == given[1].said
    order = on_record(casino, "Ada/add-it")
    assert order is not None
    assert b"hers" in order.authority.encode(), "the session by which it was ordered"
    another = carry_out(casino, adding, who="Ada", command_id="Ada/another")
    assert another.refused is not None


def test_what_was_closed_since_is_not_put_back_by_an_order_that_comes_again(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'house.db'}"
    casino = Casino.open(url, administrator="Ada")
    carry_out(casino, TABLE, who="Ada", command_id="Ada/add-it")
    closing = orders.CloseTable(table="P1", reason="x")
    assert carry_out(casino, closing, who="Ada").refused is None
    casino.stop()
    casino = Casino.open(url)
    answer = carry_out(casino, TABLE, who="Ada", command_id="Ada/add-it")
    assert (answer.refused, answer.again) == (None, True)
    assert "P1" not in casino.house.pit.tables
    casino.stop()


# ---- the last round -----------------------------------------------------------------------------


@pytest.fixture
def rounds(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """P1 is open; how many rounds it has called stands in the list."""
    called = [4]
    carry_out(casino, TABLE, who="Ada")
    port = type(GAMES.port_of(casino.table("P1")))
    monkeypatch.setattr(port, "round_number", lambda *_: called[0])
    return called


def announced(casino: Casino) -> int:
    return casino.office.state.places["P1"].last_round


def test_the_last_round_is_the_next_one_and_nobody_else_says_which(
    casino: Casino, rounds: list[int]
):
    with pytest.raises(BadCommand, match="leave `round` out"):
        carry_out(casino, AnnounceLastRound(table="P1", reason="x", round=9), who="Max")
    assert not announced(casino)
    [said] = carry_out(casino, LAST, who="Max").said
    assert isinstance(said.event, LastRoundAnnounced)
    assert said.event.round == announced(casino) == 5


def test_an_announcement_that_is_sent_again_a_round_later_is_answered_as_before(
    casino: Casino, rounds: list[int]
):
    first = carry_out(casino, LAST, who="Max", command_id="Max/the-last")
    rounds[0] = 5
    again = carry_out(casino, LAST, who="Max", command_id="Max/the-last")
    assert (again.refused, again.said) == (None, first.said)
    casino.house._answered._done.clear()  # as after a restart: the log alone knows it
    stored = carry_out(casino, LAST, who="Max", command_id="Max/the-last")
    assert (stored.refused, stored.said, announced(casino)) == (None, first.said, 5)
    another = AnnounceLastRound(table="P1", reason="another reason")
    with pytest.raises(IdTaken):
        carry_out(casino, another, who="Max", command_id="Max/the-last")
    says = carry_out(casino, LAST, who="Max", command_id="Max/another").refused
    assert says is not None
    assert "announced already" in says.says


def test_no_round_is_called_between_the_count_and_the_announcement(
    casino: Casino, rounds: list[int], monkeypatch: pytest.MonkeyPatch
):
    house, happened = casino.house, []

    def call_a_round() -> None:
        with house.lock:
            happened.append("called")

    others: list[threading.Thread] = []

    def counted(*_: Any) -> int:
        others.append(threading.Thread(target=call_a_round))
        others[-1].start()
        return rounds[0]

    monkeypatch.setattr(type(GAMES.port_of(casino.table("P1"))), "round_number", counted)
    give = house.give

    def given(place: str, command: Any, **more: Any) -> Any:
        if place == OFFICE and isinstance(command, AnnounceLastRound):
            time.sleep(0.05)
            happened.append("announced")
        return give(place, command, **more)

    tell = casino.tell
    monkeypatch.setattr(house, "give", given)
    monkeypatch.setattr(casino, "tell", lambda *a, **k: (time.sleep(0.05), tell(*a, **k))[1])
    carry_out(casino, LAST, who="Max")
    for each in others:
        each.join()
    assert happened == ["announced", "called"]
