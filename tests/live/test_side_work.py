"""What anybody may have reckoned holds up nobody else, however much of it is asked for."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.error import HTTPError

import pytest

from croupier.desk import Desk
from croupier.live import guide, replay_api, rules_pages
from croupier.live.bots import true_equity
from croupier.live.bots.true_equity import Equities
from croupier.live.side_work import OF_SENDER
from tests.live.conftest import Client, Running, running, until
from tests.live.test_replay import HAND

HANDS = {"name": "x.phh", "text": HAND}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("side work"), tables=("Raffles",)) as made:
        yield made


def status(client: Client, path: str, body: Any = None) -> int:
    try:
        if body is not None:
            client.post(path, body)
        else:
            client.opener.open(f"{client.running.url}{path}").close()
    except HTTPError as error:
        with error:
            return error.code
    return 200


@pytest.mark.parametrize(
    ("module", "reckons", "path", "body"),
    [
        (replay_api, "equities", "/api/hands/equities", HANDS),
        (guide, "_advice", "/api/tables/Raffles/guide", None),
        (rules_pages, "book_page", "/rules/no-limit-holdem-v8", None),
        (Desk, "search", "/api/ask/search?book=no-limit-holdem-v8&words=bet", None),
    ],
    ids=["equities", "guide", "pages", "desk"],
)
def test_one_address_has_a_part_of_the_queue(
    house: Running, monkeypatch: pytest.MonkeyPatch, module: Any, reckons: str, path: str, body: Any
):
    goes_on = threading.Event()

    def slowly(*_: object) -> Any:
        assert goes_on.wait(30)
        return {replay_api: Equities(), guide: (), rules_pages: "", Desk: []}[module]

    monkeypatch.setattr(module, reckons, slowly)
    ann = house.enter(f"Ann {reckons.strip('_')}")
    with ThreadPoolExecutor(OF_SENDER + 4) as threads:
        asked = [threads.submit(status, ann, path, body) for _ in range(OF_SENDER + 4)]
        try:
            until(lambda: sum(one.done() for one in asked) == 4)
            assert {one.result() for one in asked if one.done()} == {503}
            until(lambda: status(ann, "/api/hands/replay", HANDS) == 200)  # it is another queue
        finally:
            goes_on.set()
        assert sorted(one.result(20) for one in asked) == [200] * OF_SENDER + [503] * 4


def test_a_lab_that_comes_to_no_end_is_no_fault(monkeypatch: pytest.MonkeyPatch):
    def never(asked: list[str], **_: object) -> None:
        raise subprocess.TimeoutExpired(asked, 60)

    monkeypatch.setattr(true_equity, "find_spec", lambda name: name)
    monkeypatch.setattr(subprocess, "run", never)
    assert true_equity._by_lab([], [], []) is None
