"""Dealers take turns: one act at a time, players in between and first, but not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from croupier.live.turns import GO_FIRST, Turns


def in_order(setting: Callable[[Turns, list[str], asyncio.AbstractEventLoop], None]) -> list[str]:
    """What happened, in order, until nothing is left to be done."""
    happened: list[str] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: happened.append("reported"))
        setting(Turns(loop), happened, loop)
        for _ in range(30):
            await asyncio.sleep(0)

    asyncio.run(run())
    return happened


def test_whoever_is_ready_comes_between_two_acts():
    def setting(turns: Turns, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        def deal(name: str) -> None:
            happened.append(name)
            loop.call_soon(happened.append, f"player after {name}")

        for name in ("A", "B", "C"):
            turns.take(lambda name=name: deal(name))

    acts = ["A", "player after A", "B", "player after B", "C", "player after C"]
    assert in_order(setting) == acts


def test_an_act_that_fails_is_reported_and_stops_no_other():
    def setting(turns: Turns, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        def fails() -> None:
            raise ZeroDivisionError

        turns.take(fails)
        turns.take(lambda: happened.append("B"))

    assert in_order(setting) == ["reported", "B"]


def test_a_dealer_lets_players_go_first_but_his_turn_comes():
    def setting(turns: Turns, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        def command(left: int) -> None:
            happened.append("command")
            turns.let_go_first()
            if left:
                loop.call_soon(command, left - 1)

        loop.call_soon(command, 9)  # one in every round of the loop
        turns.take(lambda: happened.append("act"))

    happened = in_order(setting)
    assert happened.index("act") == GO_FIRST + 1
    assert happened.count("command") == 10


def test_what_is_taken_after_a_rest_is_done_too():
    def setting(turns: Turns, happened: list[str], loop: asyncio.AbstractEventLoop) -> None:
        turns.take(lambda: happened.append("A"))
        loop.call_later(0, lambda: loop.call_soon(turns.take, lambda: happened.append("B")))

    assert in_order(setting) == ["A", "B"]
