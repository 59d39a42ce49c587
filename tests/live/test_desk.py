"""The ruling desk over HTTP: in a casino for its staff, and alone behind a PIN; the same paths."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest
from msgspec import Struct, structs

from croupier.desk import Desk, DeskLog
from croupier.desk.approved import Approved
from croupier.house.office import commands as orders
from croupier.house.office.roster_commands import SetLicence
from croupier.live.config import ServerConfig, read_config
from croupier.live.demonstration import demonstration
from croupier.live.desk_pin import ALL_SHUT_FOR, ALL_TRIES, SHUT_FOR, TRIES, Pin
from croupier.live.desk_routes import DESK_PATHS
from croupier.live.desk_server import DeskAddress, check_address, desk_server, origins_of
from croupier.live.errors import BadConfig, NotAllowed
from croupier.live.keys import desk_key, desk_log
from croupier.live.listening import listen_on
from croupier.live.openapi import describe
from croupier.live.replay_api import CASE_PATHS
from tests.desk.asked import DISCRETION
from tests.house.staff import GOOD
from tests.live.accounts import log_in, money_house
from tests.live.conftest import PASSWORD, Running, running

EXPOSED = {
    "rulebook": "v8",
    "incident": "exposed-in-the-deal",
    "facts": {"exposed": "two", "acted": "none"},
}
OPEN = {"rulebook": "v8", "incident": "exposed-in-the-deal"}
PIN = "471100"


class Said(Struct, frozen=True):
    """What a server has answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Asker:
    """Somebody who speaks to a server, exactly as it is written here."""

    def __init__(self, url: str, **headers: str) -> None:
        self.address = url.removeprefix("http://")
        self.headers = {k.replace("_", "-"): v for k, v in headers.items()}

    def __call__(self, path: str, body: Any = None, *, method: str = "", **headers: str) -> Said:
        line = http.client.HTTPConnection(self.address, timeout=20)
        more = {k.replace("_", "-"): v for k, v in headers.items()}
        whole = {"Content-Type": "application/json", **self.headers, **more}
        sent = body if isinstance(body, str) or body is None else json.dumps(body)
        try:
            line.request(method or ("GET" if body is None else "POST"), path, sent, whole)
            answer = line.getresponse()
            found = {k.lower(): v for k, v in answer.getheaders()}
            return Said(answer.status, found, answer.read())
        finally:
            line.close()

    def ask(self, question: dict[str, Any], **more: Any) -> Any:
        said = self("/api/ask", {"question": question, **more})
        assert said.status == 200, said.body
        return said.json

    def as_browser(self) -> Asker:
        """The same in a browser that has its cookie and token."""
        hello = self("/api/ask/desk")
        assert hello.status == 200, hello.body
        cookie = hello.headers.get("set-cookie", self.headers.get("Cookie", "")).partition(";")[0]
        return Asker(
            self.address,
            Cookie=cookie,
            X_Croupier_Token=hello.json["token"],
            Origin=f"http://{self.address}",
        )


@contextmanager
def standing_alone(desk: Desk, pin: str = "") -> Iterator[str]:
    """The address of a desk on a free port."""
    address = DeskAddress(port=0, pin=pin)
    made = listen_on(address.host, 0)
    ready = threading.Event()
    server = desk_server(desk, address, made, ready.set)
    thread = threading.Thread(target=lambda: server.run(sockets=[made]), daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield f"http://127.0.0.1:{made.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        made.close()
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    """A desk without a PIN, asked by a program."""
    approved = Approved({"no-limit-holdem-v8": {"5.14": "As approved."}})
    log = DeskLog(tmp_path_factory.mktemp("desk") / "desk.sqlite3")
    opened = Desk(log, approved=approved, house="Casino X", area="Pit 1")
    with standing_alone(opened) as url:
        yield Asker(url)


@pytest.fixture
def guarded() -> Iterator[Asker]:
    with standing_alone(Desk(DeskLog()), PIN) as url:
        yield Asker(url)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("demo"), tables=("Raffles",)) as casino:
        yield casino


# -- asking ---------------------------------------------------------------------------------------


def test_a_question_from_its_opening_to_its_decision(desk: Asker):
    first = desk.ask(OPEN, who="Ann")
    assert first["status"] == "open"
    fact = first["answer"]["open"][0]
    assert {"is", "says", "impossible"} == fact["values"][0].keys()
    assert len(first["answer"]["branches"]) == len(fact["values"])
    second = desk.ask(EXPOSED, id=first["id"])
    assert (second["id"], second["status"]) == (first["id"], "ruled")
    assert second["answer"]["ruling"]["paragraphs"][0]["id"] == "5.3.3"
    assert len(second["told"]) == 2

    entry = desk(f"/api/ask/{first['id']}").json
    assert (entry["who"], entry["area"], entry["status"]) == ("Ann", "Pit 1", "ruled")
    assert entry["question"]["rulebook"] == "no-limit-holdem-v8"
    assert entry["answer"] == second["answer"]

    decided = {"decided": "Play on", "why": "nobody objected", "as_ruled": False}
    entry = desk(f"/api/ask/{first['id']}/decided", decided).json
    assert (entry["status"], entry["decided"], entry["as_ruled"]) == ("decided", "Play on", False)
    other = {**decided, "decided": "Misdeal"}
    said = desk(f"/api/ask/{first['id']}/decided", other)
    assert (said.status, said.json["error"]) == (409, "settled")
    [before] = desk.ask(OPEN)["before"]
    assert (before["decided"], before["why"]) == ("Play on", "nobody objected")


def test_a_question_that_is_left(desk: Asker):
    id = desk.ask(OPEN)["id"]
    assert desk(f"/api/ask/{id}/abandoned", "", method="POST").json["status"] == "abandoned"
    assert desk("/api/ask/log?status=abandoned").json["entries"][0]["id"] == id


@pytest.mark.parametrize(
    ("body", "status", "path"),
    [
        ({"question": {"rulebook": "v99"}}, 422, "question.rulebook"),
        ({"question": {**OPEN, "policies": {"x": "y"}}}, 422, "question.policies"),
        ({"question": {**OPEN, "incident": "x"}}, 422, "question.incident"),
        ({"question": {**OPEN, "facts": {"x": "y"}}}, 422, "question.facts.x"),
        ({"question": {**OPEN, "facts": {"acted": "y"}}}, 422, "question.facts.acted"),
        ({"question": {"rulebook": "v8"}}, 422, "question.report"),
        ({"question": {**OPEN, "colour": "red"}}, 422, ""),
        ({"question": {"rulebook": 5}}, 422, ""),
        ({"question": OPEN, "id": "../x"}, 422, ""),
        ({}, 422, ""),
        ("no json", 422, ""),
        ("{" * 5_000, 422, ""),
        (json.dumps({"question": {**OPEN, "title": "x" * 70_000}}), 413, ""),
    ],
)
def test_what_cannot_be_asked_is_said_with_its_place(
    desk: Asker, body: Any, status: int, path: str
):
    said = desk("/api/ask", body)
    assert said.status == status, said.body
    assert said.json.get("path", "") == path
    assert said.json["says"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/ask/feedfeed00", 404),
        ("/api/ask/feedfeed00/case", 404),
        ("/api/ask/books/v99", 422),
        ("/api/ask/books/v8/paragraphs/5.99", 404),
        ("/api/ask/search?words=x", 422),
        ("/api/ask/search?book=v99&words=x", 422),
        ("/api/ask/log?from=yesterday", 400),
        ("/api/ask/log?from=2026-13-45", 400),
        ("/api/ask/log?from=0001-01-01", 400),
        ("/api/ask/log?to=9999-12-31", 400),
        ("/api/ask/log.csv?to=9999-12-31T23:59:59-23:59", 400),
        ("/api/ask/figures?from=1066-10-14T00:00:00Z", 400),
        ("/api/ask/figures?from=%EF%BC%92026-01-01", 400),
        (f"/api/ask/log?from={'9' * 3_000}", 400),
        ("/api/ask/log?from=2026-11-18&to=2026-11-16", 400),
        ("/api/ask/log?status=gone", 400),
        ("/api/ask/figures?book=v99", 400),
        ("/api/ask/case/no/such.toml", 404),
        ("/api/ask/case/..%2f..%2fetc%2fpasswd", 404),
        ("/nowhere", 404),
        ("/api/me", 404),
        ("/ws", 404),
    ],
)
def test_what_is_not_there_is_said_so(desk: Asker, path: str, status: int):
    said = desk(path)
    assert said.status == status, said.body
    assert 0 < len(said.json["says"]) < 300


def test_a_ruling_comes_within_300_ms(desk: Asker):
    desk.ask(EXPOSED)
    question = desk("/api/ask/case/" + quote(DISCRETION)).json["question"]
    for number in range(3):  # a question that nobody has asked before
        began = time.perf_counter()
        desk.ask({**question, "title": f"never asked before {number}"})
        took = time.perf_counter() - began
        if took < 0.3:
            return
    pytest.fail(f"{took:.3f} s")


# -- books, search, cases -------------------------------------------------------------------------


def test_books_and_their_incidents(desk: Asker):
    books = desk("/api/ask/books").json
    assert [book["word"] for book in books] == ["seat", "seat", "box", "box", "box"]
    page = desk("/api/ask/books/v8").json
    assert page["book"] == books[0]
    until = time.monotonic() + 20  # the paragraphs are found out behind the page
    while not all(i["cites"] for i in page["incidents"] if i["name"] == OPEN["incident"]):
        assert time.monotonic() < until
        time.sleep(0.05)
        page = desk("/api/ask/books/v8").json
    assert OPEN["incident"] in [incident["name"] for incident in page["incidents"]]


def test_a_paragraph_with_the_approved_wording_that_was_loaded(desk: Asker):
    assert desk("/api/ask/books/v8/paragraphs/5.14").json["approved"] == "As approved."
    assert desk("/api/ask/books/v8/paragraphs/5.3").json["approved"] is None
    hello = desk("/api/ask/desk").json
    assert hello["approved"] == ["no-limit-holdem-v8"]
    assert (hello["house"], hello["area"], hello["mode"], hello["log"]) == (
        "Casino X", "Pit 1", "desk", True,
    )  # fmt: skip


def test_search(desk: Asker):
    hits = desk("/api/ask/search?book=v8&words=card%20flashed").json["hits"]
    assert (hits[0]["kind"], hits[0]["name"]) == ("incident", "exposed-in-the-deal")
    assert desk("/api/ask/search?book=v8&words=").json == {"hits": []}


def test_a_case_opens_and_a_question_is_saved_as_one(desk: Asker):
    found = desk(f"/api/ask/case/{quote(DISCRETION)}").json
    asked = desk.ask(found["question"])
    assert asked["answer"]["ruling"]["paragraphs"][0]["id"] == "5.16.a"
    saved = desk(f"/api/ask/{asked['id']}/case")
    assert saved.status == 200, saved.body
    assert saved.headers["content-type"] == "text/plain; charset=utf-8"
    assert f'filename="question-{asked["id"]}.toml"' in saved.headers["content-disposition"]
    assert saved.body.startswith(b"title = ")
    unfinished = desk(f"/api/ask/{desk.ask(OPEN)['id']}/case")
    assert (unfinished.status, unfinished.json["error"]) == (409, "settled")


# -- the log --------------------------------------------------------------------------------------


def test_the_log_its_figures_and_its_csv(desk: Asker):
    id = desk.ask(EXPOSED, area="Pit 9")["id"]
    page = desk("/api/ask/log?area=Pit+9").json
    assert [entry["id"] for entry in page["entries"]] == [id]
    assert not page["more"]
    assert page["entries"][0]["cites"][0] == "5.3.3"
    figures = desk("/api/ask/figures?area=Pit+9&book=v8").json
    assert (figures["entries"], sum(figures["by_hour"])) == (1, 1)
    rows = desk("/api/ask/log.csv?area=Pit+9")
    assert rows.headers["content-type"] == "text/csv; charset=utf-8"
    assert rows.body.decode().count("\r\n") == 2
    today = time.strftime("%Y-%m-%d")
    assert desk(f"/api/ask/log?from={today}&to={today}&area=Pit%209").json["entries"]
    assert not desk("/api/ask/log?to=2020-01-01").json["entries"]
    assert not desk("/api/ask/log?from=2120-01-01T00:00:00Z").json["entries"]


# -- pages ----------------------------------------------------------------------------------------


def test_the_pages_of_a_desk(desk: Asker):
    assert desk("/").headers["location"] == "/ask"
    for path in ("/ask", "/ask/log", "/ask/feedfeed00", "/ask/feedfeed00/slip"):
        said = desk(path)
        assert (said.status, said.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "default-src 'none'" in said.headers["content-security-policy"]
    lost = desk("/rules/nope")
    assert (lost.status, lost.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"All rulebooks" in lost.body
    assert desk("/static/style/base.css").status == 200
    assert desk("/pin").headers["location"] == "/ask"  # there is none


def test_another_host_or_origin_is_turned_away(desk: Asker):
    assert desk("/api/ask/books", Host="evil.example").status == 403
    body = {"question": OPEN}
    assert desk("/api/ask", body, Origin="http://evil.example").status == 403


def test_a_page_of_the_desk_needs_its_token(desk: Asker):
    own = f"http://{desk.address}"
    said = desk("/api/ask", {"question": OPEN}, Origin=own)
    assert (said.status, said.json["error"]) == (403, "no token")
    browser = desk.as_browser()
    assert browser.ask(OPEN)["status"] == "open"
    assert browser("/api/ask", {"question": OPEN}, X_Croupier_Token="x").status == 403


# -- the PIN --------------------------------------------------------------------------------------


def test_a_desk_that_others_can_reach_needs_a_pin():
    for host in ("0.0.0.0", "192.168.1.20", "::", "desk.example"):
        with pytest.raises(BadConfig, match="give it a PIN"):
            check_address(DeskAddress(host=host))
        check_address(DeskAddress(host=host, pin="907315"))
    for pin in ("1", "4711", "90731", "x" * 65):
        with pytest.raises(BadConfig, match="at least 6"):
            check_address(DeskAddress(pin=pin))
    for pin in ("000000", "123456", "987654", "abcdef"):
        with pytest.raises(BadConfig, match="tried first"):
            check_address(DeskAddress(pin=pin))
    for host in ("127.0.0.1", "localhost", "::1"):
        check_address(DeskAddress(host=host))


def test_a_desk_is_reached_under_the_names_of_its_machine():
    assert origins_of(DeskAddress(host="192.168.1.20"), 8018) == ["http://192.168.1.20:8018"]
    assert origins_of(DeskAddress(host="fd00::1"), 80) == [
        "http://[fd00::1]:80",
        "http://[fd00::1]",
    ]
    everywhere = DeskAddress(host="0.0.0.0", origins=("https://desk.example",))
    found = origins_of(everywhere, 8018)
    assert "http://127.0.0.1:8018" in found
    assert "https://desk.example" in found
    assert len(found) > 3


def test_nothing_is_told_before_the_pin(guarded: Asker):
    for path in DESK_PATHS:
        where = path.path.replace("{source:path}", DISCRETION).replace("{book}", "v8")
        where = where.replace("{id}", "feedfeed00").replace("{paragraph}", "5.14")
        said = guarded(where, {} if path.method == "POST" else None)
        assert (said.status, said.json["error"]) == (401, "pin"), where
    pages = ("/ask", "/ask/log", "/ask/feedfeed00/slip", "/rules/no-limit-holdem-v8/search.js")
    for page in pages:
        said = guarded(page)
        assert (said.status, said.headers["location"]) == (303, f"/pin?then={page}")


def test_a_browser_gives_the_pin_once(guarded: Asker):
    page = guarded("/pin?then=/ask/log")
    assert b'value="/ask/log"' in page.body
    said = guarded("/pin", f"pin={PIN}&then=%2Fask%2Flog")
    assert (said.status, said.headers["location"]) == (303, "/ask/log")
    cookie = said.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    inside = Asker(guarded.address, Cookie=cookie.partition(";")[0])
    assert inside("/ask").status == 200
    browser = inside.as_browser()
    assert browser.ask(EXPOSED)["status"] == "ruled"
    forged = Asker(guarded.address, Cookie=f"croupier-desk=me.{'0' * 64}")
    assert forged("/api/ask/books").status == 401


@pytest.mark.parametrize(
    "then", ["//evil.example", "https://evil.example", "/ask/\\evil", "/api/ask", '/ask"><script>']
)
def test_the_pin_leads_nowhere_else(guarded: Asker, then: str):
    said = guarded("/pin", f"pin={PIN}&then={quote(then, safe='')}")
    assert said.headers["location"].startswith("/ask")
    assert b"<script" not in guarded(f"/pin?then={quote(then, safe='')}").body


def test_a_program_brings_the_pin_in_a_header(guarded: Asker):
    program = Asker(guarded.address, X_Croupier_Pin=PIN)
    assert program.ask(EXPOSED)["status"] == "ruled"
    assert program("/api/ask/books", X_Croupier_Pin="wrong").json["error"] == "wrong pin"


def test_wrong_pins_shut_an_address_out_and_the_right_one_waits_too(guarded: Asker):
    for _ in range(TRIES):
        said = guarded("/pin", "pin=000000")
        assert (said.status, b"not the PIN" in said.body) == (401, True)
    said = guarded("/pin", f"pin={PIN}")
    assert (said.status, b"Wait 15 minutes" in said.body) == (429, True)
    assert guarded("/api/ask/books", X_Croupier_Pin=PIN).status == 429
    assert guarded("/pin", "x" * 5_000).status == 413


def test_who_is_in_stays_in_while_others_guess(guarded: Asker):
    cookie = guarded("/pin", f"pin={PIN}").headers["set-cookie"].partition(";")[0]
    for _ in range(TRIES + 1):
        guarded("/pin", "pin=000000")
    assert guarded("/pin", f"pin={PIN}").status == 429
    assert Asker(guarded.address, Cookie=cookie).as_browser().ask(EXPOSED)["status"] == "ruled"


class Ticking:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def tried(pin: Pin, what: str, address: str) -> str:
    """What the door says to a PIN."""
    try:
        pin.check(what, address)
    except NotAllowed as error:
        return error.says
    return "come in"


def test_an_address_may_try_again_after_a_quarter_of_an_hour():
    clock = Ticking()
    pin = Pin(PIN, b"salt", clock=clock)
    for _ in range(TRIES):
        assert "not the PIN" in tried(pin, "111111", "192.168.1.7")
    assert tried(pin, PIN, "192.168.1.7").startswith("5 wrong PINs came from this device. Wait 15")
    assert tried(pin, PIN, "192.168.1.8") == "come in"
    clock.now += SHUT_FOR - 1
    assert "Wait a minute" in tried(pin, PIN, "192.168.1.7")
    clock.now += 1
    assert tried(pin, PIN, "192.168.1.7") == "come in"


@pytest.mark.parametrize(
    "addresses", [[f"10.0.0.{n}" for n in range(40)], ["::ffff:10.0.0.1"] * 40]
)
def test_thieves_with_many_addresses_are_shut_out_together(addresses: list[str]):
    clock = Ticking()
    pin = Pin(PIN, b"salt", clock=clock)
    said = [tried(pin, f"2{n:05}", address) for n, address in enumerate(addresses)]
    wrong = sum("not the PIN" in one for one in said)
    assert wrong == (ALL_TRIES if len(set(addresses)) > 1 else TRIES)
    if len(set(addresses)) > 1:
        assert "at this desk. Wait 30 minutes" in tried(pin, PIN, "192.168.1.8")
        clock.now += ALL_SHUT_FOR
    assert tried(pin, PIN, "192.168.1.8") == "come in"


def test_an_ipv6_network_is_one_address():
    pin = Pin(PIN, b"salt", clock=Ticking())
    for n in range(TRIES):
        tried(pin, "111111", f"2001:db8::{n}")
    assert "Wait" in tried(pin, PIN, "2001:db8::99")
    assert tried(pin, PIN, "2001:db8:0:1::1") == "come in"


def test_a_pin_is_checked_slowly_but_a_program_brings_it_quickly():
    pin = Pin(PIN, b"salt")
    began = time.process_time()
    assert tried(pin, PIN, "10.0.0.1") == "come in"
    slow = time.process_time() - began
    began = time.process_time()
    assert tried(pin, PIN, "10.0.0.1") == "come in"
    assert time.process_time() - began < slow / 4
    assert slow > 0.01


def test_a_cookie_is_good_after_a_restart_until_the_pin_is_another(tmp_path: Path):
    file = tmp_path / "desk.sqlite3"
    with standing_alone(Desk(DeskLog(file)), PIN) as url:
        cookie = Asker(url)("/pin", f"pin={PIN}").headers["set-cookie"].partition(";")[0]
    with standing_alone(Desk(DeskLog(file)), PIN) as url:
        assert Asker(url, Cookie=cookie)("/api/ask/books").status == 200
    with standing_alone(Desk(DeskLog(file)), "another") as url:
        assert Asker(url, Cookie=cookie)("/api/ask/books").status == 401


def test_the_key_of_the_cookies_is_no_part_of_the_log(tmp_path: Path):
    file = tmp_path / "desk.sqlite3"
    with standing_alone(Desk(DeskLog(file)), PIN) as url:
        assert Asker(url)("/pin", f"pin={PIN}").status == 303
    key = tmp_path / "desk.sqlite3.key"
    assert len(key.read_bytes()) == 32
    assert [found.stat().st_mode & 0o077 for found in (file, key)] == [0, 0]
    for found in tmp_path.iterdir():
        assert found == key or key.read_bytes() not in found.read_bytes()
    key.write_bytes(b"short")
    with pytest.raises(BadConfig, match="is no key of croupier's"):
        desk_key(file)
    assert desk_key(None) != desk_key(None)


# -- a log in trouble -----------------------------------------------------------------------------


def test_a_log_that_is_deleted_is_told_on_the_page_and_in_the_terminal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    folder = tmp_path / "kept"
    folder.mkdir()
    with standing_alone(Desk(DeskLog(folder / "desk.sqlite3"))) as url:
        asker = Asker(url)
        id = asker.ask(EXPOSED)["id"]
        for found in folder.iterdir():
            if found.suffix != ".key":
                found.unlink()
        for _ in range(3):
            said = asker("/api/ask", {"question": OPEN})
            assert (said.status, said.json["error"]) == (503, "log")
            assert "moved or deleted" in said.json["says"]
        saved = folder / "desk-rescued.sqlite3"
        assert str(saved) in said.json["says"]
    told = [r for r in caplog.records if "moved or deleted" in r.getMessage()]
    assert len(told) == 1, "once, not with every question"
    assert Desk(DeskLog(saved)).entry(id).status == "ruled"


def test_a_damaged_row_breaks_neither_the_log_nor_its_csv(tmp_path: Path):
    kept = DeskLog(tmp_path / "desk.sqlite3")
    with standing_alone(Desk(kept)) as url:
        asker = Asker(url)
        bad, good = asker.ask(EXPOSED)["id"], asker.ask(EXPOSED)["id"]
        with kept.file.changing() as change:
            change("UPDATE entries SET told = '{' WHERE id = ?", (bad,))
        by_id = {entry["id"]: entry for entry in asker("/api/ask/log").json["entries"]}
        assert "row 1 of the log is damaged" in by_id[bad]["unreadable"]
        assert not by_id[good]["unreadable"]
        assert "row 1 of the log is damaged" in asker("/api/ask/log.csv").body.decode()
        assert asker("/api/ask/figures").json["unreadable"] == 1
        said = asker(f"/api/ask/{bad}")
        assert (said.status, said.json["error"]) == (500, "damaged")


# -- in a casino ----------------------------------------------------------------------------------


def test_everybody_asks_in_the_demonstration(demo: Running):
    ann = demo.enter("Ann")
    asked = ann.post("/api/ask", {"question": EXPOSED, "who": "Somebody"})
    assert asked["status"] == "ruled"
    entry = ann.get(f"/api/ask/{asked['id']}")
    assert entry["who"] == "Ann"  # under whose name he has entered
    stranger = Asker(demo.url)
    assert stranger("/api/ask/books").status == 200
    assert stranger("/ask").status == 200
    assert stranger("/api/ask", {"question": EXPOSED}).json["error"] == "no visit"
    browser = stranger.as_browser()
    asked = browser.ask(EXPOSED, who="Somebody")
    assert browser(f"/api/ask/{asked['id']}").json["who"] == "Somebody"


def test_the_desk_of_a_casino_is_for_its_staff(tmp_path: Path):
    with money_house(tmp_path) as house:
        player, nobody = log_in(house, "Ann"), Asker(house.url)
        inside = Asker(house.url, Cookie=player.cookie, X_Croupier_Token=player.token)
        for asker in (inside, nobody):
            for path in ("/api/ask/books", "/api/ask/log", "/api/ask/figures", "/api/ask/desk"):
                said = asker(path)
                assert (said.status, said.json["error"]) == (403, "staff only")
            assert asker("/api/ask", {"question": EXPOSED}).status == 403
        for name in ("Dan", "Cal", "Max"):
            staff = log_in(house, name)
            asked = staff.post("/api/ask", {"question": EXPOSED, "who": "another"})
            assert staff.get(f"/api/ask/{asked['id']}")["who"] == name
        assert (tmp_path / "casino.sqlite3.desk").exists()


LAMP = {"rulebook": "v8", "incident": "dealer-took-hand"}
"""The book leaves this to the Shift Manager or above."""


def test_who_may_write_down_a_decision_follows_the_ruling(tmp_path: Path):
    otherwise = {"decided": "Play on", "why": "nobody objected", "as_ruled": False}
    with money_house(tmp_path) as house:
        office = house.casino.casino
        hired = office.hire("Sam", "shift manager", PASSWORD, who="administrator", reason="nights")
        assert hired.refused is None
        staff = {name: log_in(house, name) for name in ("Dan", "Cal", "Sue", "Max", "Sam")}
        askers = {
            name: Asker(house.url, Cookie=client.cookie, X_Croupier_Token=client.token)
            for name, client in staff.items()
        }

        def decides(name: str, question: dict[str, Any], body: dict[str, Any]) -> Said:
            asked = askers["Dan"].ask(question)
            assert "leave a note" in asked["barred"], "a dealer asks; the page tells him why"
            return askers[name](f"/api/ask/{asked['id']}/decided", body)

        for name in ("Dan", "Cal", "Sam"):  # a dealer, a cashier, a manager who is not on duty
            for body in ({"as_ruled": True}, otherwise):
                said = decides(name, EXPOSED, body)
                assert (said.status, said.json["error"]) == (403, "not yours to decide"), name
                assert "Pit Supervisor or above who is on duty" in said.json["says"]
        for name in ("Sue", "Max"):
            entry = decides(name, EXPOSED, {"as_ruled": True}).json
            assert (entry["status"], entry["decided_by"]) == ("decided", name)
        for name in ("Sue", "Max"):  # what the book leaves to the Shift Manager
            said = decides(name, LAMP, otherwise)
            assert said.status == 403, name
            assert "Shift Manager or above" in said.json["says"]
        good = SetLicence(name="Sam", licence="SE-1", until=GOOD, reason="x")
        office.tell(good, who="administrator")
        office.tell(orders.GoOnDuty(name="Sam", post="shift manager"), who="Sam")
        assert decides("Sam", LAMP, otherwise).json["decided_by"] == "Sam"

        asked = askers["Dan"].ask(EXPOSED)
        noted = askers["Dan"](f"/api/ask/{asked['id']}/notes", {"says": "I saw two", "who": "Sue"})
        assert [(n["who"], n["says"]) for n in noted.json["notes"]] == [("Dan", "I saw two")]
        assert noted.json["status"] == "ruled"
        assert not askers["Sue"](f"/api/ask/{asked['id']}").json["barred"]


def test_where_the_log_of_a_casino_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    config = demonstration(ServerConfig(database=f"sqlite:///{tmp_path / 'house.db'}"))
    assert desk_log(config) == tmp_path / "house.db.desk"
    file = tmp_path / "casino.toml"
    file.write_text('mode = "demonstration"\n[desk]\nlog = "rulings.db"\nhouse = "X"\n')
    named = read_config(file)
    assert desk_log(named) == Path("rulings.db")
    server = structs.replace(config.server, database="postgresql://house@db/casino")
    assert desk_log(structs.replace(config, server=server)).suffix == ".desk"


# -- described ------------------------------------------------------------------------------------


def test_the_answers_are_as_described(desk: Asker):
    described = describe(DESK_PATHS)
    for schema in described["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    id = desk.ask(EXPOSED)["id"]
    said: dict[tuple[str, str], Any] = {
        ("/api/ask", "post"): desk.ask(OPEN),
        ("/api/ask/desk", "get"): desk("/api/ask/desk").json,
        ("/api/ask/books", "get"): desk("/api/ask/books").json,
        ("/api/ask/books/{book}", "get"): desk("/api/ask/books/v8").json,
        ("/api/ask/books/{book}/paragraphs/{paragraph}", "get"): desk(
            "/api/ask/books/v8/paragraphs/5.14"
        ).json,
        ("/api/ask/search", "get"): desk("/api/ask/search?book=v8&words=card").json,
        ("/api/ask/log", "get"): desk("/api/ask/log").json,
        ("/api/ask/figures", "get"): desk("/api/ask/figures").json,
        ("/api/ask/case/{source}", "get"): desk(f"/api/ask/case/{quote(DISCRETION)}").json,
        ("/api/ask/{id}", "get"): desk(f"/api/ask/{id}").json,
        ("/api/ask/{id}/decided", "post"): desk(f"/api/ask/{id}/decided", {"as_ruled": True}).json,
        ("/api/ask/{id}/notes", "post"): desk(f"/api/ask/{id}/notes", {"says": "seen"}).json,
        ("/api/ask/{id}/abandoned", "post"): desk(
            f"/api/ask/{id}/abandoned", "", method="POST"
        ).json,
    }
    texts = {("/api/ask/log.csv", "get"), ("/api/ask/{id}/case", "get")}
    operations = {(p, m) for p, methods in described["paths"].items() for m in methods}
    assert operations == {*said, *texts}
    for (path, method), answer in said.items():
        told = described["paths"][path][method]["responses"]["200"]["content"]
        schema = {**told["application/json"]["schema"], "components": described["components"]}
        jsonschema.validate(answer, schema)
    takes = described["paths"]["/api/ask"]["post"]["requestBody"]["content"]
    schema = {**takes["application/json"]["schema"], "components": described["components"]}
    jsonschema.validate({"question": EXPOSED}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"question": {"facts": {}}}, schema)
    served = describe((*DESK_PATHS, *CASE_PATHS))  # its rulebook pages play cases, too
    assert desk("/api/openapi.json").json == json.loads(json.dumps(served))
