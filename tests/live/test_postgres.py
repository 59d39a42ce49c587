"""`croupier serve` on a real PostgreSQL server: play, a planned stop, on with the saved rounds."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.live.conftest import AtTable, Client
from tests.live.test_stopping import does_not_start, said, started

CONFIG = """
mode = "demonstration"

[server]
log = "json"

[clocks]
pace = 0
between_rounds = 0.2
bets = 30
to_act = 60

[links.Jackpot]
rulebook = "progressive-texas-holdem-v6"
settings = { reset_value = 10000, contribution = 1, start = 18423.50 }

[tables.Hold]
rulebook = "no-limit-holdem-v8"
settings = { layout = "A", sign = true, blinds = [5, 10], minimum_stake = 200, maximum_stake = 1000, rake = { percent = 5, cap = 30 } }

[tables.Bank]
rulebook = "progressive-texas-holdem-v6"
link = "Jackpot"

[tables.Bank.settings]
layout = "A"
ante_minimum = 5
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
effective = "2020-01-01T08:00:00+08:00"
"""  # noqa: E501
LIKES = ("sit", "look", "place ante", "place progressive", "ready", "flop bet", "check", "call")


class Somewhere:
    """A server of which only the address is known."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.sockets = ExitStack()


class Seat(AtTable):
    """One player at one table, who takes up what he likes of what he is offered."""

    def __init__(self, client: Client, place: str, after: int | None = None) -> None:
        since = "" if after is None else f"&after={after}"
        url = f"{client.running.url.replace('http', 'ws', 1)}/ws?place={place}&offers=1{since}"
        opened = connect(url, additional_headers={"Cookie": client.cookie})
        super().__init__(client.running.sockets.enter_context(opened), place)
        self.view: dict[str, Any] = {}
        self.position = 0
        self.offers: dict[str, Any] = {}

    def hear(self) -> None:
        """Everything that has come."""
        while True:
            try:
                message = self.next(timeout=0.02)
            except TimeoutError:
                return
            assert message["is"] != "bye", message
            if "view" in message:
                self.view, self.position = message["view"], message["position"]
            if message["is"] == "offers":
                self.offers = {each["do"]: each["send"] for each in message["offers"]}

    def take(self, *likes: str) -> None:
        for do in likes:
            if do in self.offers:
                self.send(self.offers[do])
                self.offers = {}
                return


def play(seats: list[Seat], until: Callable[[Seat], bool], *likes: str) -> None:
    """Let them take up what they like until it is so for each of them."""
    for _ in range(1_000):
        for seat in seats:
            seat.hear()
        if all(map(until, seats)):
            return
        for seat in seats:
            if not until(seat):
                seat.take(*likes)
    raise AssertionError([(seat.place, seat.view, seat.offers) for seat in seats])


@contextmanager
def open_casino(folder: Path, url: str) -> Iterator[Any]:
    """`croupier serve --database URL`, stopped as planned at the end."""
    config = folder / "casino.toml"
    config.write_text(CONFIG)
    options = ("--config", str(config), "--database", url, "--no-bots")
    process, address = started(folder, *options, tables=2)
    house = Somewhere(address)
    try:
        with house.sockets:
            yield house
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    except BaseException:
        process.kill()
        _, err = process.communicate()
        sys.stderr.write(err)
        raise
    assert process.returncode == 0, err
    says = [json.loads(line)["says"] for line in said(err)]
    says = [each for each in says if each != "a round was under way at the start"]
    assert says == ["the casino is open", "the casino is closed"]


def in_round(number: int) -> Callable[[Seat], bool]:
    """Whether the cards of this round lie before him, and he has looked."""

    def holds(seat: Seat) -> bool:
        view = seat.view
        if view.get("round") != number or not view["yours"]:
            return False
        here = view["seats" if seat.place == "Hold" else "boxes"][str(view["yours"][0])]
        return here["looked"] and "??" not in here["cards"] and len(here["cards"]) == 2

    return holds


def test_rounds_are_played_saved_and_finished(tmp_path: Path, postgres_url: str):  # noqa: F811
    with open_casino(tmp_path, postgres_url) as house:
        ann, ben, cho = (Client(house, name) for name in ("Ann", "Ben", "Cho"))
        seats = [Seat(ann, "Hold"), Seat(ben, "Hold"), Seat(cho, "Bank")]
        play(
            seats, lambda seat: seat.view.get("round", 0) >= 1 and bool(seat.view["yours"]), *LIKES
        )
        play(seats, lambda seat: seat.view["round"] >= 2, *LIKES)
        play(seats, in_round(2), "look", "place ante", "place progressive", "ready")
        before = [(seat.position, seat.view) for seat in seats]
        accounts = [who.get("/api/me") for who in (ann, ben, cho)]
        told = cho.get("/api/tables/Bank/rounds")["rounds"]
        assert [bool(each["ended"]) for each in told if each["round"] == 1] == [True]

    with open_casino(tmp_path, postgres_url) as house:
        for who, account in zip((ann, ben, cho), accounts, strict=True):
            who.running = house
            now = who.get("/api/me")  # the cookie is still good
            assert (now["name"], now["play_money"]) == (account["name"], account["play_money"])
            assert now["seats"] == account["seats"] != []
        places = [(ann, "Hold"), (ben, "Hold"), (cho, "Bank")]
        seats = [
            Seat(who, place, after=position)
            for (who, place), (position, _) in zip(places, before, strict=True)
        ]
        for seat, (position, view) in zip(seats, before, strict=True):
            seat.hear()
            assert seat.position == position, "nothing is lost and nothing has happened"
            assert seat.view == view
        play(seats, lambda seat: seat.view["round"] >= 3, *LIKES)
        told = cho.get("/api/tables/Bank/rounds")["rounds"]
        assert [bool(each["ended"]) for each in told if each["round"] == 2] == [True]
        assert cho.get("/health")["status"] == "ok"


def test_a_second_server_of_the_same_name_is_refused(
    tmp_path: Path,
    postgres_url: str,  # noqa: F811
):
    with open_casino(tmp_path, postgres_url) as house:
        named = Client(house, None).get("/health")["server"]
        options = ("--config", str(tmp_path / "casino.toml"), "--database", postgres_url)
        says = does_not_start(tmp_path, *options, "--name", named)
        assert "there is a server" in says
        assert "another name with --name" in says
        assert Client(house, None).get("/health")["status"] == "ok"


def test_a_database_that_is_not_there_is_named(tmp_path: Path, postgres_url: str):  # noqa: F811
    url = postgres_url.replace("/croupier_", "/nowhere_")
    assert "does not exist; make it with `createdb`" in does_not_start(tmp_path, "--database", url)
