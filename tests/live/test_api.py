"""The HTTP API: what each path answers, that it is described, and that nothing makes it fail."""

from __future__ import annotations

import gzip
import io
import json
import logging
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from websockets.sync.client import connect

from croupier.house.errors import LostConnection
from croupier.live.logs import JsonLines, set_up
from croupier.live.metrics import Metrics
from croupier.live.openapi import description
from croupier.live.routes import PATHS
from croupier.rulebooks import BOOKS
from tests.live.conftest import Client, Running, running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("api")) as casino:
        yield casino


@pytest.fixture(scope="module")
def ann(house: Running) -> Client:
    return house.enter("Ann")


def fails(call: Any) -> tuple[int, dict[str, Any]]:
    with pytest.raises(urllib.error.HTTPError) as answer:
        call()
    return answer.value.code, json.load(answer.value)


def test_the_lobby_shows_eight_tables_and_marks_superseded_books(house: Running, ann: Client):
    lobby = ann.get("/api/lobby")
    books = [table["rulebook"] for table in lobby["tables"]]
    assert sorted(set(books)) == sorted(BOOKS)
    assert [books.count(book) for book in BOOKS] == [2, 1, 1, 2, 2]
    marked = {table["rulebook"] for table in lobby["tables"] if table["marked"]}
    assert marked == {"poker-v5", "multi-link-progressive-v2"}
    linked = {table["link"] for table in lobby["tables"] if table["meter"]}
    assert linked == {link["link"] for link in lobby["links"]}
    assert len(linked) == 3


def test_a_table_a_view_and_a_link(house: Running, ann: Client):
    table = ann.get("/api/tables/Marina-1")
    assert table["sign"]["limits"]["ante_minimum"] == 500
    view = ann.get("/api/tables/Marina-1/view")
    assert (view["is"], view["view"]["table"]) == ("view", "Marina-1")
    link = ann.get("/api/links/Marina%20link")
    assert link["tables"] == ["Marina-1", "Marina-2"]
    assert link["rules"]
    assert [each["link"] for each in ann.get("/api/links")["links"]] == [
        "Orchard jackpot",
        "Marina link",
        "Sentosa link",
    ]


def test_what_hides_nothing_is_sent_packed_and_a_hand_is_not(house: Running):
    """How small a packed answer is tells of all that stands in it: no card may."""
    bea = house.enter("Bea")

    def asked(path: str) -> tuple[str | None, Any]:
        asks = urllib.request.Request(
            f"{bea.running.url}{path}", headers={"accept-encoding": "gzip"}
        )
        with bea.opener.open(asks) as answer:
            raw, encoding = answer.read(), answer.headers["content-encoding"]
        return encoding, json.loads(gzip.decompress(raw) if encoding else raw)

    path = "/api/tables/Marina-2/first"
    assert asked("/api/lobby")[0] == "gzip"
    encoding, first = asked(path)
    assert encoding == "gzip"
    assert first == bea.get(path), "the same for who does not unpack"
    sit = {"do": "sit", "box": 1, "player": "Bea", "chips": 50_000}
    bea.post("/api/tables/Marina-2/commands", {"id": "packed-0001", "command": sit})
    encoding, first = asked(path)
    assert encoding is None
    assert first["view"]["view"]["yours"] == [1]


def test_commands_over_http_are_answered_as_over_the_socket(house: Running, ann: Client):
    path = "/api/tables/Orchard/commands"
    sit = {"do": "sit", "box": 2, "player": "Ann", "chips": 5_000}
    first = ann.post(path, {"id": "http-0001", "command": sit})
    assert (first["is"], first["again"]) == ("answer", False)
    assert ann.post(path, {"id": "http-0001", "command": sit}) == {**first, "again": True}
    status, refused = fails(lambda: ann.post(path, {"id": "http-0002", "command": sit}))
    assert (status, refused["is"], bool(refused["cites"])) == (409, "refused", True)
    status, error = fails(lambda: ann.post(path, {"id": "http-0003", "command": {"do": "fly"}}))
    assert (status, error["code"]) == (422, "unreadable")
    deal = {"id": "http-0004", "command": {"do": "deal flop"}}
    status, error = fails(lambda: ann.post(path, deal))
    assert (status, error["code"]) == (403, "not a player's command")
    me = ann.get("/api/me")
    assert me["seats"] == [{"place": "Orchard", "seat": 2}]
    status, problem = fails(lambda: ann.post("/api/exit", {}))
    assert (status, problem["error"]) == (409, "seated")


def test_a_guest_who_is_short_gets_play_money_again(house: Running):
    ben = house.enter("Ben")
    path = "/api/tables/Orchard/commands"
    sit = {"do": "sit", "box": 3, "player": "Ben", "chips": 900_000}
    ben.post(path, {"id": "refill-1", "command": sit})
    assert ben.get("/api/me")["play_money"] == 100_000
    assert ben.post("/api/refill", {})["play_money"] == 1_000_000
    assert ben.post("/api/refill", {})["play_money"] == 1_000_000


def test_a_guest_who_asks_for_play_money_twice_at_once_gets_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with running(tmp_path, tables=("Raffles",)) as house:
        bea, identity = house.enter("Bea"), house.casino.identity
        sit = {"do": "sit", "seat": 1, "player": "Bea", "stake": 100_000}
        bea.post("/api/tables/Raffles/commands", {"id": "refill-2", "command": sit})
        funds = identity.funds

        def slowly(name: str) -> int | None:
            held = funds(name)
            time.sleep(0.1)
            return held

        monkeypatch.setattr(identity, "funds", slowly)
        with ThreadPoolExecutor(4) as threads:
            asked = [threads.submit(bea.post, "/api/refill", {}) for _ in range(4)]
            assert {each.result()["play_money"] for each in asked} == {1_000_000}


def test_exit_gives_the_name_up(house: Running):
    cho = house.enter("Cho")
    assert cho.post("/api/exit", {})["name"] is None
    assert cho.get("/api/me")["name"] is None


def test_the_demonstration_has_no_accounts(house: Running, ann: Client):
    body = {"name": "Ann", "password": "secret"}
    assert fails(lambda: ann.post("/api/login", body))[1]["error"] == "no accounts"


def test_the_rulebooks_can_be_read(ann: Client):
    assert [b["rulebook"] for b in ann.get("/api/rulebooks")["rulebooks"]] == list(BOOKS)
    book = ann.get("/api/rulebooks/multi-link-progressive-v3")
    assert len(book["paragraphs"]) == book["book"]["paragraphs"]
    assert {table["table"] for table in book["pays"]} == {"main", "bonus", "progressive"}
    paragraph = ann.get("/api/rulebooks/no-limit-holdem-v8/paragraphs/3.19.3")
    assert paragraph["says"]
    assert any(p["policy"] for p in paragraph["policies"])


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/Nowhere",
        "/api/tables/Nowhere/view",
        "/api/tables/Raffles/rounds/99",
        "/api/tables/Raffles/rounds/x",
        "/api/links/Nowhere",
        "/api/links/office",
        "/api/rulebooks/v99",
        "/api/rulebooks/poker-v5/paragraphs/99",
        "/api/nothing",
    ],
)
def test_what_is_not_there_is_said_so(ann: Client, path: str):
    status, problem = fails(lambda: ann.get(path))
    assert status == 404
    assert problem["says"]


def test_reports_health_and_metrics(house: Running, ann: Client):
    tables = {report["place"]: report for report in ann.get("/api/reports/tables")["tables"]}
    assert len(tables) == 8
    assert ann.get("/health")["tables"] == 8
    with ann.opener.open(f"{house.url}/metrics") as answer:
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        text = answer.read().decode()
    names = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert {"croupier_commands_total", "croupier_durable_seconds", "croupier_viewers"} <= names
    for line in text.splitlines():
        if not line.startswith("#"):
            float(line.rpartition(" ")[2])


@pytest.mark.parametrize("char", ["\u202e", "\u200b", "\u0085", "\u2028", "\U000e0041", "\x1b"])
def test_nothing_hides_in_a_line_of_the_log(char: str):
    record = logging.makeLogRecord({"msg": "%s sits down", "args": (f"An{char}n",)})
    record.who = f"B{char}en"
    line = JsonLines().format(record)
    assert char not in line
    assert line.isprintable()
    told = json.loads(line)
    assert (told["says"], told["who"]) == (f"An{char}n sits down", f"B{char}en")
    assert "José" in JsonLines().format(logging.makeLogRecord({"msg": "José"}))


def test_a_histogram_counts_what_it_saw():
    metrics = Metrics()
    for seconds in (0.0004, 0.004, 99):
        metrics.durable.saw(seconds)
    lines = dict(line.rsplit(" ", 1) for line in metrics.text().splitlines() if line[0] != "#")
    assert lines['croupier_durable_seconds_bucket{le="0.001"}'] == "1"
    assert lines['croupier_durable_seconds_bucket{le="0.005"}'] == "2"
    assert lines['croupier_durable_seconds_bucket{le="+Inf"}'] == "3"
    assert lines["croupier_durable_seconds_count"] == "3"


def test_logs_are_lines_of_json():
    out = io.StringIO()
    set_up(out)
    try:
        logging.getLogger("croupier.live").info("hello\nthere", extra={"place": "T", "n": 1})
        try:
            raise ValueError("a defect")
        except ValueError:
            logging.getLogger("croupier.live").exception("failed")
    finally:
        for name in ("croupier.live", "croupier.house", "uvicorn"):
            logging.getLogger(name).handlers = []
            logging.getLogger(name).propagate = True
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["says"], first["level"]) == ("hello\nthere", "info")
    assert (first["place"], first["n"]) == ("T", 1)
    assert "a defect" in second["traceback"]
    assert JsonLines().format(logging.makeLogRecord({"msg": "x"}))


# ---- described, and without a fault -------------------------------------------------------------


def test_every_path_of_the_api_is_described():
    described = description()
    assert described["openapi"] == "3.1.0"
    operations = {(m.upper(), p) for p, methods in described["paths"].items() for m in methods}
    assert operations == {(path.method, re.sub(r":(int|path)\b", "", path.path)) for path in PATHS}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert operation["responses"]["200"]["content"]
    ids = [o["operationId"] for methods in described["paths"].values() for o in methods.values()]
    assert len(set(ids)) == len(ids)


def test_answers_are_as_described(house: Running, ann: Client):
    described = description()
    for path, example in {
        "/api/me": "/api/me",
        "/api/lobby": "/api/lobby",
        "/api/tables/{place}": "/api/tables/Raffles",
        "/api/tables/{place}/rounds": "/api/tables/Raffles/rounds",
        "/api/links": "/api/links",
        "/api/rulebooks/{book}": "/api/rulebooks/poker-v5",
        "/api/rulebooks/{book}/paragraphs/{paragraph}": "/api/rulebooks/poker-v5/paragraphs/3.3",
        "/api/reports/tables": "/api/reports/tables",
        "/health": "/health",
    }.items():
        answer = described["paths"][path]["get"]["responses"]["200"]
        told = answer["content"]["application/json"]["schema"]
        schema = {**told, "components": described["components"]}
        jsonschema.validate(ann.get(example), schema)


def test_while_the_database_is_away_whoever_asks_is_told_to_try_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    """That is no fault of what was asked (500), neither where it reads nor where it stores."""
    with (
        running(tmp_path, tables=("Raffles", "Clarke")) as away,
        pytest.MonkeyPatch.context() as patch,
    ):
        ann, new = away.enter("Ann"), away.enter()
        where: Any = away.casino.house
        for broken in (where.store, where.reader):
            for each in [each for each in dir(broken) if not each.startswith("_")]:
                if callable(getattr(broken, each)) and each not in ("close", "has_answered"):
                    patch.setattr(broken, each, _gone)
        for path in ("rounds/1/replay", "rounds/1/proofs", "rounds/1/shuffles"):
            status, told = fails(lambda path=path: ann.get(f"/api/tables/Raffles/{path}"))
            assert (status, told["error"]) == (503, "not stored"), path
        status, told = fails(lambda: new.post("/api/enter", {"name": "Bob"}))
        assert (status, told["error"]) == (503, "not stored")
        url = f"{away.url.replace('http', 'ws', 1)}/ws?place=Raffles&bot=Deep%20Green"
        with connect(url) as bot:
            assert json.loads(bot.recv(timeout=10))["code"] == "not stored"
        sit = {"do": "sit", "seat": 1, "player": "Ann", "stake": 50_000}
        order = {"id": "sit-12345", "command": sit}
        assert fails(lambda: ann.post("/api/tables/Clarke/commands", order))[0] == 503
        # Nobody is shown what is in memory and perhaps not in the log.
        status, told = fails(lambda: ann.get("/api/tables/Clarke/view"))
        assert (status, told["error"]) == (503, "not stored")
    assert "a request failed" not in caplog.text


def _gone(*args: Any, **kwargs: Any) -> Any:
    raise LostConnection("the database is out of reach")


@pytest.mark.parametrize("requests", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_nothing_that_schemathesis_sends_makes_the_api_fail(
    house: Running, ann: Client, requests: int
):
    """Two requests to every path; in the slow set twenty times as many."""
    schema = schemathesis.openapi.from_dict(description())
    schema.config.update(base_url=house.url)
    headers = {"Cookie": ann.cookie, "X-Croupier-Token": ann.token}
    tried = []
    for found in schema.get_all_operations():
        operation = found.ok()
        tried.append(operation.label)
        _try(operation.as_strategy(), headers, requests)
    assert len(tried) == len(PATHS)
    assert house.casino.metrics.faults.value() == 0


def _try(cases: Any, headers: dict[str, str], requests: int) -> None:
    """Some requests to one path, each of them well or badly made."""
    unhurried = settings(deadline=None, database=None, suppress_health_check=[*HealthCheck])

    @settings(unhurried, max_examples=requests)
    @given(case=cases)
    def one(case: Any) -> None:
        answer = case.call(headers=headers)
        assert answer.status_code < 500, (case, answer.text)

    one()
