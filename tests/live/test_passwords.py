"""Passwords over HTTP: they hold up nobody, strangers lock nobody out, staff have two factors."""

from __future__ import annotations

import base64
import json
import threading
import time
import urllib.error
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.house import passwords, totp
from croupier.house.log_in import WRONG
from croupier.house.office.commands import NoteFailedLogin
from croupier.live import log_in_api
from croupier.live.limits import Buckets
from croupier.live.log_in_limits import SLOTS, From, LogInLimits
from croupier.live.password_pool import WAITING
from tests.house.quick import make_quick
from tests.live.accounts import CLOCKS, for_money, people
from tests.live.conftest import PASSWORD, Client, Running, found_for_money, running, until


def posted(client: Client, path: str, body: Any) -> tuple[int, dict[str, Any]]:
    """The status and what was said, whatever it is."""
    try:
        return 200, client.post(path, body)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def try_in(house: Running, name: str, password: str, **more: str) -> tuple[int, dict[str, Any]]:
    return posted(house.enter(), "/api/login", {"name": name, "password": password, **more})


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    make_quick(monkeypatch)
    monkeypatch.setattr(log_in_api, "REFUSED_AFTER", 0.02)
    found_for_money(tmp_path)
    with running(tmp_path, for_money(), clocks=CLOCKS) as opened:
        people(opened.casino.casino)
        yield opened


@pytest.fixture
def with_factor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    make_quick(monkeypatch)
    monkeypatch.setattr(log_in_api, "REFUSED_AFTER", 0.02)
    found_for_money(tmp_path)
    with running(tmp_path, for_money(), clocks=CLOCKS, second_factor="") as opened:
        people(opened.casino.casino)
        yield opened


def test_health_and_play_do_not_wait_for_passwords(house: Running, monkeypatch: pytest.MonkeyPatch):
    """Fifty log-ins at once, each of which would take a second."""
    player = house.enter()
    player.post("/api/login", {"name": "Ann", "password": PASSWORD})
    table = player.at("Raffles")
    table.until("hello")
    free = threading.Event()

    def slow(password: str, kept: str | None) -> bool:
        free.wait(10)
        return False

    monkeypatch.setattr(passwords, "is_right", slow)
    status: list[int] = []
    tries = [
        threading.Thread(target=lambda n=n: status.append(try_in(house, f"Nobody{n}", "x")[0]))
        for n in range(50)
    ]
    for each in tries:
        each.start()
    try:
        until(lambda: status.count(503) >= 50 - WAITING)
        began = time.monotonic()
        assert house.enter().get("/health")["status"] == "ok"
        table.send({"ping": 5})
        table.until("pong", ping=5)
        assert time.monotonic() - began < 1.5
    finally:
        free.set()
        for each in tries:
            each.join()
    assert set(status) <= {403, 503}


def test_a_stop_does_not_wait_for_passwords(house: Running, monkeypatch: pytest.MonkeyPatch):
    """Every round is saved at once, whatever is being checked."""
    free, saved = threading.Event(), threading.Event()
    monkeypatch.setattr(passwords, "is_right", lambda *_: free.wait(8) and False)
    stop = house.casino.casino.stop
    monkeypatch.setattr(house.casino.casino, "stop", lambda: (stop(), saved.set()))
    tries = [threading.Thread(target=try_in, args=(house, "Ann", "x")) for _ in range(3)]
    for each in tries:
        each.start()
    until(lambda: house.casino.passwords._pool.held("all") == 3)
    loop = house.casino.loop
    loop.call_soon_threadsafe(lambda: loop.create_task(house.casino.stop()))
    assert saved.wait(5)
    free.set()
    for each in tries:
        each.join()


def test_no_stranger_keeps_an_administrator_out(house: Running):
    known = house.enter()
    known.post("/api/login", {"name": "administrator", "password": PASSWORD})
    for _ in range(80):  # more than an address may try, and than all strangers may
        assert try_in(house, "administrator", "wrong")[0] == 403
    assert try_in(house, "administrator", PASSWORD)[0] == 403, "from there it is tried too often"
    known.token = known.get("/api/me")["token"]
    status, said = posted(known, "/api/login", {"name": "administrator", "password": PASSWORD})
    assert status == 200, said


def test_unknown_wrong_and_tried_too_often_are_told_the_same(house: Running):
    told = set()
    for name in ("Ann", "Nobody"):
        for _ in range(40):
            status, said = try_in(house, name, "wrong")
            told.add((status, said["error"], said["says"]))
    status, said = try_in(house, "Ann", PASSWORD)
    told.add((status, said["error"], said["says"]))
    assert told == {(403, "wrong password", WRONG)}


@pytest.mark.parametrize(
    ("took", "answered"), [(0, 0.6), (0.3, 0.6), (0.59, 0.6), (0.61, 1.2), (1.19, 1.2), (5, 5.4)]
)
def test_a_refusal_comes_at_a_multiple_of_its_time(took: float, answered: float):
    assert took + log_in_api._until_refused(took) == pytest.approx(answered)


def test_in_the_queue_too_nobody_sees_how_long_a_name_took(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    """Three at once, looked at one after the other: to note the failure of a name that somebody has
    takes a while. The answers come in steps, and not in those whiles."""
    monkeypatch.setattr(log_in_api, "REFUSED_AFTER", step := 0.2)
    monkeypatch.setattr(house.casino.passwords._pool, "_threads", ThreadPoolExecutor(1))
    tell, left = house.casino.casino.tell, log_in_api._until_refused

    def slow_to_note(command: Any, **more: Any) -> Any:
        time.sleep(0.15 if isinstance(command, NoteFailedLogin) else 0)
        return tell(command, **more)

    waited: list[tuple[float, float]] = []

    def noted(took: float) -> float:
        waited.append((took, left(took)))
        return waited[-1][1]

    monkeypatch.setattr(house.casino.casino, "tell", slow_to_note)
    monkeypatch.setattr(log_in_api, "_until_refused", noted)
    tries = [threading.Thread(target=try_in, args=(house, "Ann", "wrong")) for _ in range(3)]
    for each in tries:
        each.start()
    for each in tries:
        each.join()
    assert max(took for took, _ in waited) > step, "they waited for each other"
    for took, more in waited:
        assert 0 <= more <= step
        assert (took + more) / step == pytest.approx(round((took + more) / step))


def test_what_is_right_does_not_count():
    limits, place = LogInLimits(), From(address="192.0.2.1")
    for _ in range(500):
        assert limits.may_try("Ann", place)
        limits.was_right("Ann", place)
    wrong = sum(limits.may_try("Ann", place) for _ in range(100))
    assert wrong == 30


def test_all_strangers_together_have_a_limit_at_one_account():
    limits = LogInLimits()
    tried = sum(limits.may_try("Ada", From(address=f"192.0.2.{n}")) for n in range(250))
    assert tried == 60
    assert limits.may_try("Ada", From(address="192.0.2.1", device="hers"))


def test_by_trying_other_names_nobody_gets_more_tries_at_one():
    """A household has 256 networks of IPv6, and thirty tries from each."""
    limits = LogInLimits()
    places = [From(address=f"2001:db8:0:{n:x}::/64") for n in range(256)]
    assert sum(limits.may_try("Ada", place) for place in places[:100]) == 60
    for _ in range(10):
        limits.was_wrong_code("Bob", places[0])
    tried = [limits.may_try(f"nobody{n}", places[n % 256]) for n in range(256 * 25)]
    assert sum(tried) > 6_000
    assert sum(limits.may_try("Ada", place) for place in places) <= 1
    assert not any(limits.may_try("Bob", place) for place in places)
    assert len(limits._account._buckets) <= SLOTS


# ---- a second factor ----------------------------------------------------------------------------


def code_of(key: str) -> str:
    raw = base64.b32decode(key.replace(" ", ""))
    return totp.code_at(raw, totp.step_at(datetime.now(UTC)))


def test_where_money_is_real_staff_set_up_a_second_factor_at_the_first_log_in(with_factor: Running):
    house = with_factor
    assert try_in(house, "Max", "wrong")[1]["error"] == "wrong password"
    status, shown = try_in(house, "Max", PASSWORD)
    assert (status, shown["error"]) == (403, "second factor")
    assert shown["address"].startswith("otpauth://totp/croupier:Max?secret=")
    wrong = try_in(house, "Max", PASSWORD, code="000000", note=shown["note"])
    assert wrong[0] == 403
    code = code_of(shown["key"])
    others = try_in(house, "Mia", PASSWORD, code=code, note=shown["note"])
    assert others[1]["error"] == "second factor", "a key is for who was shown it"
    status, me = try_in(house, "Max", PASSWORD, code=code, note=shown["note"])
    assert (status, me["name"], me["rank"]) == (200, "Max", "pit manager")
    again = try_in(house, "Max", PASSWORD, code=code)
    assert again[0] == 403, "a code counts once"
    assert try_in(house, "Max", PASSWORD)[0] == 403, "a password is not enough any more"
    assert try_in(house, "Ann", PASSWORD)[0] == 200, "players need none"


def test_who_knows_a_password_guesses_at_no_more_than_a_few_codes():
    """From as many addresses as they like. Whoever does not know it keeps nobody out by that."""
    limits = LogInLimits()
    places = [From(address=f"192.0.2.{n}") for n in range(20)]
    for place in places[:10]:
        assert limits.may_try("Ada", place)
        limits.was_wrong_code("ada", place)
    assert not any(limits.may_try("Ada", place) for place in places[10:])
    assert limits.may_try("Ada", From(address="192.0.2.1", device="hers"))
    assert limits.may_try("Bob", places[0])


def test_a_wrong_code_with_the_right_password_is_counted(with_factor: Running):
    house = with_factor
    _, shown = try_in(house, "Max", PASSWORD)
    code = code_of(shown["key"])
    assert try_in(house, "Max", PASSWORD, code=code, note=shown["note"])[0] == 200
    house.casino.log_in_limits._code = Buckets(1 / 3600, 2)
    told = [try_in(house, "Max", "wrong", code="000000"), try_in(house, "Max", PASSWORD)]
    told += [try_in(house, "Max", PASSWORD, code="000000") for _ in range(2)]
    elsewhere = From(address="192.0.2.1")
    assert not house.casino.log_in_limits.may_try("Max", elsewhere), "the last two count"
    house.casino.log_in_limits.was_right("Max", elsewhere)
    told.append(try_in(house, "Max", PASSWORD, code=code_of(shown["key"])))
    assert told == [told[0]] * 5, "and nobody sees which"
    assert told[0][0] == 403


def test_a_forged_note_sets_up_nothing(with_factor: Running):
    identity = with_factor.casino.identity
    key = totp.new_key()
    body = {"name": "Max", "key": key, "until": time.time() + 900}
    for purpose in ("cookie", "token", log_in_api.KNOWN_DEVICE):
        forged = identity.note(purpose, json.dumps(body).encode())
        said = try_in(with_factor, "Max", PASSWORD, code=code_of(key), note=forged)[1]
        assert said["error"] == "second factor"
    assert not with_factor.casino.casino.office.state.people["Max"].second_factor


def test_at_the_command_line_nobody_is_told_of_a_key_that_is_not_shown(with_factor: Running):
    words = ["office", "staff", "roster", with_factor.url, "--as", "Max"]
    ran = CliRunner().invoke(croupier, words, env={"CROUPIER_PASSWORD": PASSWORD})
    assert "Max has none yet" in str(ran.exception)
    assert with_factor.url.rstrip("/") in str(ran.exception)
    assert "this key" not in str(ran.exception)


def own_key(client: Client, id: str, key: str, **more: str) -> tuple[int, dict[str, Any]]:
    command = {"do": "set second factor", "name": "Max"}
    body = {"id": f"factor-{id}", "command": command, "secret": key, **more}
    return posted(client, "/api/office/commands", body)


def test_at_an_open_session_a_stranger_sets_up_no_second_factor(house: Running):
    """Whose key it would be from then on, with nobody but two others to take it away."""
    max_, key = house.enter(), totp.new_key()
    max_.token = max_.post("/api/login", {"name": "Max", "password": PASSWORD})["token"]
    code, people = code_of(key), house.casino.casino.office.state.people
    assert own_key(max_, "0", key)[1].get("error") == "wrong password"
    status, said = own_key(max_, "1", key, code=code)
    assert (status, said["error"], "as `old`" in said["says"]) == (403, "wrong password", True)
    assert own_key(max_, "2", key, code=code, old="wrong")[1]["error"] == "wrong password"
    for number, wrong in enumerate(({}, {"code": "000000"}, {"code": code_of(totp.new_key())})):
        status, said = own_key(max_, f"3{number}", key, old=PASSWORD, **wrong)
        assert (status, said["error"], "as `code`" in said["says"]) == (403, "wrong code", True)
    assert not people["Max"].second_factor
    assert own_key(max_, "4", key, code=code_of(key), old=PASSWORD)[0] == 200
    assert people["Max"].second_factor
    assert try_in(house, "Max", PASSWORD)[0] == 403
    assert try_in(house, "Max", PASSWORD, code=code_of(key))[0] == 200


def test_a_code_with_another_order_is_not_passed_over(house: Running):
    max_ = house.enter()
    max_.token = max_.post("/api/login", {"name": "Max", "password": PASSWORD})["token"]
    order = {"do": "go off duty", "name": "Max"}
    body = {"id": "duty-with-code", "command": order, "code": "000000"}
    status, said = posted(max_, "/api/office/commands", body)
    assert (status, "leave it out" in said["says"]) == (422, True)


# ---- one's own password -------------------------------------------------------------------------


def set_own(client: Client, name: str, new: str, **more: str) -> tuple[int, dict[str, Any]]:
    body = {"id": "12345678" + new[-1:], "command": {"do": "set password", "name": name}}
    return posted(client, "/api/office/commands", {**body, "secret": new, **more})


def test_to_set_ones_own_password_one_knows_the_old_one(house: Running):
    max_ = house.enter()
    max_.token = max_.post("/api/login", {"name": "Max", "password": PASSWORD})["token"]
    socket = max_.at("Raffles")
    assert set_own(max_, "Max", "another password 1")[1]["error"] == "wrong password"
    assert set_own(max_, "Max", "another password 2", old="wrong")[1]["error"] == "wrong password"
    assert try_in(house, "Max", PASSWORD)[0] == 200
    assert set_own(max_, "Max", "another password 3", old=PASSWORD)[0] == 200
    assert socket.until("bye")["code"] == "logged out"
    assert max_.get("/api/me")["name"] is None, "every session is over"
    assert try_in(house, "Max", PASSWORD)[0] == 403
    assert try_in(house, "Max", "another password 3")[0] == 200
