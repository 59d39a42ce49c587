"""Clocks: time to act, the time bank, what the House does when both are over, and who is away."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec import structs

from croupier.live.config import Clocks, Config
from croupier.live.demonstration import demonstration
from tests.live.conftest import AtTable, Running, running

SHORT = Clocks(
    to_act=0.5,
    time_bank=0.0,
    bank_refill=0.0,
    straddle=0.2,
    decision=0.3,
    bets=0.3,
    grace=0.6,
    seat_kept=2.5,
    between_rounds=0.05,
    pace=0.0,
)


def sit(house: Running, place: str, names: list[str], *, bot: bool = False) -> dict[str, AtTable]:
    tables = {}
    for n, name in enumerate(names, start=1):
        table = house.enter(name, bot=bot).at(place)
        table.next()
        table.next()
        chips = {"seat": n, "stake": 50_000} if place == "Raffles" else {"box": n, "chips": 50_000}
        assert table.do(do="sit", player=name, **chips)["is"] == "answer"
        tables[name] = table
    return tables


def events_of(table: AtTable) -> list[dict[str, Any]]:
    return [e["event"] for m in table.heard for e in m.get("events", ())]


def until_event(table: AtTable, kind: str, **fields: Any) -> dict[str, Any]:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for event in table.next(timeout=15).get("events", ()):
            found = event["event"]
            if found["event"] == kind and all(found.get(k) == v for k, v in fields.items()):
                return event
    raise AssertionError(f"there is no {kind} {fields}")


def test_at_poker_a_late_player_checks_if_he_may_and_folds_if_he_must(tmp_path: Path):
    with running(tmp_path, clocks=SHORT, tables=("Raffles",)) as casino:
        tables = sit(casino, "Raffles", ["Ann", "Ben"])
        until_event(tables["Ann"], "folded")  # the small blind owes something before the flop
        view = tables["Ann"].until_view(lambda v: v["status"] == "betting" and v["price"])
        seat = view["view"]["turn"]
        caller = next(t for t in tables.values() if seat in _yours(t))
        caller.give(do="call", seat=seat)
        checked = until_event(tables["Ann"], "checked")
        assert checked["told"].endswith("checks.")
        rows = [r for r in casino.casino.house.reader.rows("Raffles") if b'"folded"' in r.event]
        assert {(row.who, row.rank) for row in rows} == {("clock", "house")}
        assert casino.casino.metrics.timed_out.value() >= 2


def _yours(table: AtTable) -> list[int]:
    views = [m["view"] for m in table.heard if "view" in m]
    return list(views[-1]["yours"])


def test_the_clock_says_who_is_waited_for_and_how_long(tmp_path: Path):
    clocks = structs.replace(SHORT, to_act=5, time_bank=7)
    with running(tmp_path, clocks=clocks, tables=("Raffles",)) as casino:
        tables = sit(casino, "Raffles", ["Ann", "Ben"])
        message = tables["Ben"].until_view(lambda v: v["turn"] is not None)
        clock = message["clock"]
        assert clock["for"] == [message["view"]["turn"]]
        assert clock["why"] == "action"
        assert 0 < clock["left"] <= clock["of"] == 5_000
        assert (clock["bank"], clock["on_bank"]) == (7_000, False)


def test_after_the_time_to_act_the_time_bank_runs(tmp_path: Path):
    clocks = structs.replace(SHORT, to_act=0.3, time_bank=0.6)
    with running(tmp_path, clocks=clocks, tables=("Raffles",)) as casino:
        tables = sit(casino, "Raffles", ["Ann", "Ben"])
        ann = tables["Ann"]
        turn = ann.until_view(lambda v: v["turn"] is not None)
        began = time.monotonic()
        on_bank = ann.until("clock")
        assert on_bank["clock"]["on_bank"] is True
        assert on_bank["clock"]["for"] == [turn["view"]["turn"]]
        until_event(ann, "folded")
        assert time.monotonic() - began > 0.75
        scheduler = casino.casino.schedulers["Raffles"]
        late = casino.casino.table("Raffles").player_at(turn["view"]["turn"])
        assert scheduler.banks[late] == pytest.approx(0, abs=0.05)


def test_what_was_due_at_a_table_that_is_given_up_meanwhile_is_not_done(tmp_path: Path):
    """Another server runs it: the act waited for its turn, and the table is not here any more."""
    with running(tmp_path, clocks=SHORT, tables=("Raffles",)) as house:
        sit(house, "Raffles", ["Ann", "Ben"])["Ann"].until_view(lambda v: v["turn"] is not None)
        casino, over = house.casino, Event()

        def given_up() -> None:
            scheduler = casino.schedulers["Raffles"]
            assert scheduler._next is not None
            scheduler._due(scheduler._next)
            casino.let_go(["Raffles"], b"{}")
            casino.loop.call_later(0.2, over.set)

        casino.loop.call_soon_threadsafe(given_up)
        assert over.wait(5)
        assert casino.metrics.faults.value() == 0


def test_a_straddle_that_nobody_places_is_declined(tmp_path: Path):
    with running(tmp_path, clocks=SHORT, tables=("Raffles",)) as casino:
        tables = sit(casino, "Raffles", ["Ann", "Ben", "Cho"])
        message = tables["Cho"].until_view(lambda v: v["status"] == "dealing" and v["round"])
        assert message["clock"] is None or message["clock"]["why"] in ("straddle", "next round")
        until_event(tables["Cho"], "straddle declined")


@pytest.mark.parametrize("place", ["Orchard", "Marina-2"])
def test_at_banked_tables_a_late_box_folds_first_and_checks_later(tmp_path: Path, place: str):
    with running(tmp_path, clocks=SHORT, tables=(place,)) as casino:
        tables = sit(casino, place, ["Ann", "Ben"])
        ann = tables["Ann"]
        ann.until_view(lambda v: v["status"] == "bets open")
        for n, (name, table) in enumerate(tables.items(), start=1):
            assert table.do(do="place ante", box=n, amount=500)["is"] == "answer", name
        ann.until_view(lambda v: v["window"] == "flop")
        assert ann.do(do="flop bet", box=1)["is"] == "answer"
        until_event(ann, "folded", box=2)
        until_event(ann, "checked", box=1, window="turn")
        until_event(ann, "checked", box=1, window="river")
        settled = until_event(ann, "box settled", box=1)
        assert settled["event"]["bets"]["flop"]["staked"] == 1_000


def test_betting_closes_at_once_when_everybody_is_ready(tmp_path: Path):
    patient = structs.replace(SHORT, bets=30, to_act=30)
    with running(tmp_path, clocks=patient, tables=("Orchard",)) as casino:
        tables = sit(casino, "Orchard", ["Ann", "Ben"])
        ann, ben = tables.values()
        ann.until_view(lambda v: v["status"] == "bets open")
        ann.do(do="place ante", box=1, amount=500)
        ann.send({"ready": True})
        assert ann.until("clock")["ready"] == ["Ann"]
        ben.send({"ready": True})
        began = time.monotonic()
        ann.until_view(lambda v: v["window"] == "flop")
        assert time.monotonic() - began < 10


def test_who_only_watches_cannot_be_ready(tmp_path: Path):
    with running(tmp_path, clocks=SHORT, tables=("Orchard",)) as casino:
        table = casino.enter("Ann").at("Orchard")
        table.send({"ready": True})
        assert table.until("error")["code"] == "not entered"


def test_after_the_grace_a_lost_player_has_walked_away(tmp_path: Path):
    patient = structs.replace(SHORT, to_act=20, grace=0.3)
    with running(tmp_path, clocks=patient, tables=("Marina-1",)) as casino:
        tables = sit(casino, "Marina-1", ["Ann", "Ben"])
        ann, ben = tables.values()
        ann.until_view(lambda v: v["status"] == "bets open")
        ann.do(do="place ante", box=1, amount=500)
        ben.do(do="place ante", box=2, amount=500)
        ann.until_view(lambda v: v["window"] == "flop")
        ben.close()
        assert ann.until("clock")["away"] == ["Ben"]
        walked = until_event(ann, "walked away")
        assert walked["event"]["player"] == "Ben"
        assert walked["event"]["decisions_left"] == [2]
        assert walked["cites"]


def test_who_comes_back_in_time_has_not_walked_away(tmp_path: Path):
    patient = structs.replace(SHORT, to_act=20, grace=1.0)
    with running(tmp_path, clocks=patient, tables=("Marina-1",)) as casino:
        client = casino.enter("Ann")
        first = client.at("Marina-1")
        first.do(do="sit", box=1, player="Ann", chips=50_000)
        first.until_view(lambda v: v["status"] == "bets open")
        first.do(do="place ante", box=1, amount=500)
        seen = first.until_view(lambda v: v["window"] == "flop")["position"]
        first.close()
        watch = casino.enter("Watcher").at("Marina-1")
        assert watch.until("view")["away"] in (["Ann"], [])
        again = client.at("Marina-1", after=seen)
        back = again.until("view")
        assert (back["away"], back["position"]) == ([], seen)
        time.sleep(2.2)  # longer than the grace
        assert not casino.casino.is_away("Marina-1", "Ann")
        assert again.do(do="flop bet", box=1)["is"] == "answer"


@pytest.mark.parametrize(
    ("seat_kept", "kind", "fields"),
    [(600.0, "went absent", {"seat": 3}), (0.7, "left table", {"seat": 3, "player": "Cho"})],
)
def test_at_poker_a_lost_player_sits_out_and_in_the_end_gives_up_his_seat(
    tmp_path: Path, seat_kept: float, kind: str, fields: dict[str, Any]
):
    clocks = structs.replace(SHORT, seat_kept=seat_kept)
    with running(tmp_path, clocks=clocks, tables=("Raffles",)) as casino:
        tables = sit(casino, "Raffles", ["Ann", "Ben", "Cho"])
        tables["Cho"].close()
        told = until_event(tables["Ann"], kind, **fields)["told"]
        assert told.startswith("Cho")


def timed() -> Config:
    """The demonstration's poker table with a timed Rake: 6 each minute."""
    config = demonstration()
    table = config.tables["Raffles"]
    settings = {**table.settings, "rake": {"timed": 600, "minutes": 1}}
    tables = {"Raffles": structs.replace(table, settings=settings)}
    return structs.replace(config, tables=tables, links={})


def test_a_timed_rake_is_collected_between_rounds(tmp_path: Path):
    with running(tmp_path, timed(), clocks=SHORT) as casino:
        house = casino.casino.house
        tables = sit(casino, "Raffles", ["Ann", "Ben"])
        until_event(tables["Ann"], "round ended")
        house.clock = lambda: datetime.now(UTC) + timedelta(minutes=1, seconds=5)
        due = until_event(tables["Ann"], "timed rake due")
        assert due["event"]["amount"] == 600
        for seat in (1, 2):
            paid = until_event(tables["Ann"], "timed rake collected", seat=seat)
            assert paid["event"]["amount"] == 600


# ---- standing orders ----------------------------------------------------------------------------


PATIENT = structs.replace(SHORT, to_act=2.0)


def not_shown(casino: Running) -> AtTable:
    """Somebody at a table of v6 refuses to show his hand, which is for the shift manager."""
    tables = sit(casino, "Orchard", ["Ann", "Ben"])
    ann, ben = tables["Ann"], tables["Ben"]
    ann.until_view(lambda v: v["status"] == "bets open")
    for box, table in enumerate((ann, ben), start=1):
        assert table.do(do="place ante", box=box, amount=500)["is"] == "answer"
    for table in (ann, ben):
        table.until_view(lambda v: v["window"] == "flop")
    for box, table in enumerate((ann, ben), start=1):
        assert table.do(do="flop bet", box=box)["is"] == "answer"
    for window in ("turn", "river"):  # Ben takes his time
        ann.until_view(lambda v, window=window: v["window"] == window)
        assert ann.do(do="check", box=1)["is"] == "answer"
    assert ann.do(do="refuse to show", box=1)["is"] == "answer"
    return ann


def test_what_the_house_has_decided_beforehand_is_recorded_as_a_standing_order(tmp_path: Path):
    with running(tmp_path, clocks=PATIENT, tables=("Orchard",)) as casino:
        ann = not_shown(casino)
        taken = until_event(ann, "decision taken", question="not shown")["event"]
        assert (taken["who"], taken["rank"]) == ("standing orders", "shift manager")
        assert (taken["option"], taken["reason"]) == (
            "treat as folded",
            'standing order "not shown"',
        )
        until_event(ann, "round concluded")


def test_a_standing_order_that_is_refused_is_left_to_people(tmp_path: Path):
    wrong = structs.replace(demonstration(), standing_orders={"not shown": "no such option"})
    with running(tmp_path, wrong, clocks=PATIENT, tables=("Orchard",)) as casino:
        ann = not_shown(casino)
        view = next(m["view"] for m in reversed(ann.heard) if "view" in m)
        assert [asked["question"] for asked in view["decisions"]] == ["not shown"]
        assert view["waiting"].startswith("The table waits for a Shift Manager")
        time.sleep(0.5)
        waiting = casino.casino.table("Orchard").state.waiting
        assert [need.question for need in waiting] == ["not shown"]
        assert casino.casino.schedulers["Orchard"].clock() is None


CALM = structs.replace(SHORT, to_act=20, pace=0.01, showdown=150)
"""A person who may choose has a second and a half to show his hand."""


def until_somebody_may_muck(tables: dict[str, AtTable]) -> tuple[AtTable, int, dict[str, Any]]:
    """All call and check until one may choose whether he shows; he, his seat, what he got."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for table in tables.values():
            try:
                message = table.next(timeout=0.02)
            except TimeoutError:
                continue
            for seat, offers in (message.get("view", {}).get("offers") or {}).items():
                offered = {offer["do"] for offer in offers}
                if "muck" in offered:
                    assert "show hand" in offered
                    return table, int(seat), message
                for do in ("decline straddle", "check", "call"):
                    if do in offered:
                        table.give(do=do, seat=int(seat))
                        break
    raise AssertionError("nobody ever had a hand that he need not show")


@pytest.mark.parametrize("does", ["show hand", "muck", ""])
def test_a_person_who_need_not_show_his_hand_has_time_to_choose(tmp_path: Path, does: str):
    with running(tmp_path, clocks=CALM, tables=("Raffles",)) as casino:
        tables = sit(casino, "Raffles", ["Ann", "Ben"])
        table, seat, message = until_somebody_may_muck(tables)
        clock = message["clock"]
        assert (clock["why"], clock["for"], clock["of"]) == ("showdown", [seat], 1500)
        before = time.monotonic()
        if does:
            assert table.do(do=does, seat=seat)["is"] == "answer"
        else:
            until_event(table, "mucked", seat=seat)
            assert time.monotonic() - before > 1
        (row,) = [
            r
            for r in casino.casino.house.reader.rows("Raffles")
            if (b'"mucked"' in r.event or b'"hand shown"' in r.event)
            and f'"seat":{seat}'.encode() in r.event
            and r.position >= message["position"]
        ]
        assert (b'"hand shown"' in row.event) == (does == "show hand")
        assert (row.who == "clock") == (not does)


def test_bots_are_not_waited_for_at_the_showdown(tmp_path: Path):
    with running(tmp_path, clocks=CALM, tables=("Raffles",)) as casino:
        bots = sit(casino, "Raffles", ["Ada", "Bee"], bot=True)
        end = time.monotonic() + 60
        while not any(e["event"] == "mucked" for e in events_of(bots["Ada"])):
            assert time.monotonic() < end, "nobody ever had a hand that he need not show"
            for bot in bots.values():
                try:
                    offers = bot.next(timeout=0.02).get("view", {}).get("offers") or {}
                except TimeoutError:
                    continue
                for seat, offered in offers.items():
                    does = [each["do"] for each in offered if each["do"] in ("check", "call")]
                    if does:
                        bot.give(do=does[0], seat=int(seat))
        clocks = [m["clock"] for m in bots["Ada"].heard if m.get("clock")]
        assert {clock["why"] for clock in clocks} >= {"action"}
        assert not any(clock["why"] == "showdown" for clock in clocks)


def test_who_is_away_is_not_waited_for_at_the_showdown(tmp_path: Path):
    with running(tmp_path, clocks=CALM, tables=("Raffles",)) as casino:
        tables = sit(casino, "Raffles", ["Ann", "Ben"])
        table, seat, _ = until_somebody_may_muck(tables)
        other = next(each for each in tables.values() if each is not table)
        before = time.monotonic()
        table.close()
        until_event(other, "mucked", seat=seat)
        assert time.monotonic() - before < 1
