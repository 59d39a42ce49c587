"""Which server is to run which table."""

from __future__ import annotations

from collections import Counter

import pytest
from click import ClickException
from msgspec import structs

from croupier.cli import office_servers
from croupier.house.servers import ServerRecord
from croupier.live.cluster.spread import spread

PLACES = [f"T{number:02}" for number in range(10)]


def server(name: str, may_run: tuple[str, ...] = ()) -> ServerRecord:
    return ServerRecord(
        name=name, session=name, address=name, version="1", schema=1, may_run=may_run
    )


A, B, C = map(server, "abc")


def test_one_server_runs_everything():
    assert set(spread(PLACES, [A], {}, {}).values()) == {"a"}


def test_a_second_one_gets_half_and_the_rest_stays():
    now = dict.fromkeys(PLACES, "a")
    found = spread(PLACES, [A, B], now, {})
    assert Counter(found.values()) == {"a": 5, "b": 5}
    assert spread(PLACES, [B, A], found, {}) == found


def test_what_a_server_ran_that_has_gone_is_spread_and_nothing_else_moves():
    now = spread(PLACES, [A, B, C], {}, {})
    found = spread(PLACES, [A, B], now, {})
    assert all(found[place] == now[place] for place in PLACES if now[place] != "c")
    assert Counter(found.values()) == {"a": 5, "b": 5}


def test_nobody_runs_what_it_may_not():
    only = server("b", ("T0[0-2]",))
    found = spread(PLACES, [A, only], dict.fromkeys(PLACES, "b"), {})
    assert {place for place, name in found.items() if name == "b"} == {"T00", "T01", "T02"}
    assert spread(PLACES, [only], {}, {}).keys() == {"T00", "T01", "T02"}


def test_nobody_is_told_to_move_a_table_where_it_may_not_be():
    there = [structs.replace(each, connected=True) for each in (A, server("b", ("T0?", "Bank")))]
    office_servers._check(there, "T01", "b")
    with pytest.raises(ClickException, match=r"^b may not run T10: its .* names T0\?, Bank$"):
        office_servers._check(there, "T10", "b")
    with pytest.raises(ClickException, match="there is no server 'c'; there is a, b"):
        office_servers._check([*there, structs.replace(C, ended="it was stopped")], "T10", "c")


def test_what_somebody_wants_elsewhere_goes_there_and_stays():
    now = spread(PLACES, [A, B], {}, {})
    wanted = dict.fromkeys(PLACES[:8], "a")
    found = spread(PLACES, [A, B], now, wanted)
    assert all(found[place] == "a" for place in PLACES[:8])
    assert Counter(found.values()) == {"a": 8, "b": 2}
    assert spread(PLACES, [B], found, wanted) == dict.fromkeys(PLACES, "b")
