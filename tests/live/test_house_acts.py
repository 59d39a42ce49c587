"""Acts of the House: a few at a time, players in between and first, but not for ever."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.live.house_acts import HouseActs
from tests.in_a_loop import in_a_loop
from tests.live.conftest import running


def in_order(
    setting: Callable[[HouseActs, list[str], asyncio.AbstractEventLoop], None],
) -> list[str]:
    """What happened, in order, until nothing is left to be done."""
    happened: list[str] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: happened.append("reported"))
        setting(HouseActs(loop), happened, loop)
        for _ in range(30):
            await asyncio.sleep(0)

    in_a_loop(run())
    return happened


def three_acts(acts: HouseActs, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
    """Three acts, and a player who is ready after each."""

    def deal(name: str) -> None:
        happened.append(name)
        loop.call_soon(happened.append, f"player after {name}")

    for name in ("A", "B", "C"):
        acts.put(lambda name=name: deal(name))


def test_a_few_acts_are_done_in_one_turn_of_the_loop(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("croupier.live.house_acts.A_FEW", 60.0)
    assert in_order(three_acts)[:4] == ["A", "B", "C", "player after A"]


def test_whoever_is_ready_comes_between_two_acts_that_take_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("croupier.live.house_acts.A_FEW", 0.0)
    acts = ["A", "player after A", "B", "player after B", "C", "player after C"]
    assert in_order(three_acts) == acts


def test_whoever_waits_for_the_loop_comes_before_the_next_act(monkeypatch: pytest.MonkeyPatch):
    """As the writer does when the process that stores has answered."""
    monkeypatch.setattr("croupier.live.house_acts.A_FEW", 60.0)
    wanted = iter([False, True])

    def setting(acts: HouseActs, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        acts._is_wanted = lambda: next(wanted, False)
        three_acts(acts, happened, loop)

    assert in_order(setting)[:4] == ["A", "B", "player after A", "player after B"]


def test_a_player_who_comes_meanwhile_goes_before_the_next_act(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("croupier.live.house_acts.A_FEW", 60.0)

    def setting(acts: HouseActs, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        def deal() -> None:
            happened.append("A")
            acts.let_players_go_first()
            loop.call_soon(happened.append, "player")

        acts.put(deal)
        acts.put(lambda: happened.append("B"))

    assert in_order(setting) == ["A", "player", "B"]


def test_an_act_that_fails_is_reported_and_stops_no_other():
    def setting(acts: HouseActs, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        def fails() -> None:
            raise ZeroDivisionError

        acts.put(fails)
        acts.put(lambda: happened.append("B"))

    assert in_order(setting) == ["reported", "B"]


def commands_and_an_act(
    count: int,
) -> Callable[[HouseActs, list[str], asyncio.AbstractEventLoop], None]:
    """So many commands, one in every round of the loop, and an act that was due with the first."""

    def setting(acts: HouseActs, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        def command(left: int) -> None:
            happened.append("command")
            acts.let_players_go_first()
            if left > 1:
                loop.call_soon(command, left - 1)

        loop.call_soon(command, count)
        acts.put(lambda: happened.append("act"))

    return setting


def test_a_dealer_lets_players_go_first():
    assert in_order(commands_and_an_act(10)) == ["command"] * 10 + ["act"]


def test_the_turn_of_a_dealer_comes_however_many_players_there_are(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("croupier.live.house_acts.MAX_DELAY", 0.0)
    assert in_order(commands_and_an_act(10))[:3] == ["command", "act", "command"]


def test_what_is_taken_after_a_rest_is_done_too():
    def setting(acts: HouseActs, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        acts.put(lambda: happened.append("A"))
        loop.call_later(0, lambda: loop.call_soon(acts.put, lambda: happened.append("B")))

    assert in_order(setting) == ["A", "B"]


def test_whoever_waits_for_an_answer_that_is_stored_is_told_before_the_next_act(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr("croupier.live.house_acts.A_FEW", 60.0)
    happened: list[str] = []
    with running(tmp_path, tables=("Raffles",)) as house:
        casino, done = house.casino, threading.Event()

        def first() -> None:
            happened.append("A")
            casino.post(lambda: happened.append("told"))

        def second() -> None:
            happened.append("B")
            done.set()

        def put() -> None:
            casino.house_acts.put(first)
            casino.house_acts.put(second)

        casino.loop.call_soon_threadsafe(put)
        assert done.wait(20)
    assert happened == ["A", "told", "B"]
