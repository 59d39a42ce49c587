"""A connection that is lost in the middle of a round: the page comes back by itself."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import PHONE, SECONDS, WIDE, Visitor
from tests.web.test_banked import bet
from tests.web.test_poker import next_to_act


@pytest.mark.slow
def test_a_lost_connection_loses_and_doubles_nothing(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    table = like("Raffles")
    ann, ben = visitor("Ann"), visitor("Ben")
    sockets: list[Any] = []
    addresses: list[str] = []

    def between(socket: Any) -> None:
        addresses.append(socket.url)
        sockets.append(socket)
        socket.connect_to_server()

    ann.page.route_web_socket("**/ws?*", between)
    ann.sit(table)
    ben.sit(table)
    first = next_to_act([ann, ben])
    first.button("Call").click()
    (ben if first is ann else ann).button("Check").click()
    flop = "The flop is dealt"
    ann.page.locator("#body-log li", has_text=flop).wait_for(state="attached")

    sockets[-1].close(code=4408, reason="too slow")
    for player in (ann, ben):
        player.plays("c")
    ann.paid()
    ann.page.locator("#body-log li", has_text="Round 1 is over").wait_for(state="attached")

    assert len(addresses) > 1
    assert "after=" in addresses[-1], "it comes back from where it was"
    round_of = [line for line in ann.log() if line]
    begins = max(i for i, line in enumerate(round_of) if "Round 1 begins" in line)
    ends = max(i for i, line in enumerate(round_of) if "Round 1 is over" in line)
    played = round_of[begins : ends + 1]
    for said in (flop, "The turn is dealt", "The river is dealt", "Showdown", "Round 1 is over"):
        assert sum(said in line for line in played) == 1, f"{said}: {played}"


def test_a_command_sent_into_a_dead_line_is_carried_out_once(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    sockets: list[Any] = []
    sent: list[str] = []
    dead: set[int] = set()

    def between(socket: Any) -> None:
        server = socket.connect_to_server()
        number = len(sockets)
        sockets.append(socket)

        def forward(message: str) -> None:
            sent.append(message)
            server.send(message)

        def back(message: str) -> None:
            if number not in dead:
                socket.send(message)

        socket.on_message(forward)
        server.on_message(back)

    ann.page.route_web_socket("**/ws?*", between)
    ann.sit(like("Marina-1"))
    ann.page.locator(".spot.ante.offered").wait_for()
    dead.add(len(sockets) - 1)  # the command arrives; its answer does not
    ann.page.locator(".spot.ante.offered").click()
    for _ in range(200):
        if any('"place ante"' in message for message in sent):
            break
        ann.page.wait_for_timeout(20)
    sockets[-1].close(code=4408, reason="too slow")

    placed_once = ann.page.locator("#body-log li", has_text="You bet 5 on Ante")
    placed_once.wait_for(state="attached")
    ann.page.locator(".spot.ante.lies").wait_for()
    assert ann.page.locator(".wire").is_hidden()
    placed = [message for message in sent if '"place ante"' in message]
    assert len(placed) == 2, "it is sent again"
    assert placed[0] == placed[1], "under the same id"
    assert placed_once.count() == 1


def test_what_players_did_before_events_were_missed_is_said_of_them_no_more(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    """As after a crash: the next round has begun before the page is back, and it is not told how.
    Whoever has called in the round that is void has not called in this one."""
    table = like("Raffles")
    ann, ben = visitor("Ann"), visitor("Ben")
    sockets: list[Any] = []

    def between(socket: Any) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)

        def back(message: str) -> None:
            told = json.loads(message)
            if len(sockets) > 1 and told["is"] == "view":
                told["missed"] = 5
            socket.send(json.dumps(told))

        socket.on_message(server.send)
        server.on_message(back)

    ann.page.route_web_socket("**/ws?*", between)
    ann.sit(table)
    ben.sit(table)
    next_to_act([ann, ben]).button("Call").click()
    called = ann.page.locator(".seats .said", has_text="Call")
    called.wait_for(state="attached")  # hidden where it is her own
    sockets[-1].close(code=4408, reason="too slow")
    called.wait_for(state="detached")


@contextmanager
def open_casino(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The demonstration without bots, in a process of its own."""
    database = f"sqlite:///{folder / 'house.db'}"
    program = [sys.executable, "-m", "croupier", "serve", "--no-bots", "--no-browser", "--quiet"]
    with subprocess.Popen(
        [*program, "--port", str(port), "--database", database],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as running:
        assert running.stdout is not None
        assert b"is open at" in running.stdout.readline()
        try:
            yield running
        finally:
            running.kill()


@pytest.mark.slow
def test_after_a_crash_the_player_is_told_what_became_of_the_round(browser: Any, tmp_path: Path):
    """A server that is ended in the middle of a hand and started again: nobody has to guess why his
    cards are gone."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    players: list[Visitor] = []
    with open_casino(tmp_path, port) as running:
        for name in ("Ann", "Ben"):
            one = Visitor(
                browser.new_context(viewport=WIDE, reduced_motion="reduce"), address(port)
            )
            one.come(name)
            one.sit("Raffles")
            players.append(one)
        next_to_act(players)
        running.kill()
        running.wait()
    wire = players[0].page.locator(".wire", has_text="Connection lost")
    wire.wait_for()
    with open_casino(tmp_path, port):
        wire.wait_for(state="hidden", timeout=2 * SECONDS)
        void = "The Round of play is void: a technical interruption. All bets go back."
        said = players[0].page.locator(".ruling", has_text=void)
        said.locator(".cite", has_text="5.1.2").wait_for()
        players[0].page.locator("#body-log li", has_text=void).wait_for(state="attached")
        next_to_act(players)
        players[0].page.reload()
        players[0].page.locator("#body-log li", has_text=void).wait_for(state="attached")
        for one in players:
            assert one.faults == []
            one.context.close()


@pytest.mark.slow
def test_after_a_crash_the_player_of_a_banked_game_is_told_that_the_round_goes_on(
    browser: Any, tmp_path: Path
):
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    with open_casino(tmp_path, port) as running:
        ann = Visitor(browser.new_context(viewport=PHONE, reduced_motion="reduce"), address(port))
        ann.come("Ann")
        ann.sit("Marina-1")
        bet(ann, "ante")
        ann.page.locator(".box .empty:enabled").first.click()
        bet(ann, "ante")
        ann.button("Deal").click()
        ann.button("Fold").click()
        ann.page.locator("#body-log li", has_text="You fold").wait_for(state="attached")
        running.kill()
        running.wait()
    wire = ann.page.locator(".wire", has_text="Connection lost")
    wire.wait_for()
    with open_casino(tmp_path, port):
        wire.wait_for(state="hidden", timeout=2 * SECONDS)
        stopped = "The House's software stopped and was started again. The round goes on: "
        said = ann.page.locator(".ruling", has_text=stopped)
        said.locator(".cite", has_text="5.7.1").wait_for()
        assert said.count() == 1
        ann.button("Flop bet").wait_for()
        assert ann.faults == []
        ann.context.close()


def address(port: int) -> str:
    return f"http://127.0.0.1:{port}"
