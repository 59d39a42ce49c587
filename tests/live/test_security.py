"""Whose pages may speak to the server, what a change needs, and the limits on everything."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from croupier.live.config import Config, ServerConfig, check
from croupier.live.demonstration import demonstration
from croupier.live.errors import BadConfig, CannotListen
from croupier.live.identity import GuestIdentityProvider
from croupier.live.security import policy
from croupier.live.server import listen
from tests.live.conftest import PLENTY, Running, running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("security"), tables=("Raffles", "Orchard")) as casino:
        yield casino


def ask(
    house: Running, path: str, method: str = "GET", body: str | bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """One request exactly as it is written here."""
    address = house.url.removeprefix("http://")
    line = http.client.HTTPConnection(address, timeout=10)
    try:
        line.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
        answer = line.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        line.close()


def entering(house: Running) -> dict[str, str]:
    """Cookie and token of a new visitor, and the kind of what he sends."""
    _, headers, body = ask(house, "/api/me")
    cookie = headers["set-cookie"].partition(";")[0]
    token = json.loads(body)["token"]
    return {"Cookie": cookie, "X_Croupier_Token": token, "Content_Type": "application/json"}


# ---- host and origin ----------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost:80", ""])
def test_another_host_is_turned_away(house: Running, host: str):
    assert ask(house, "/api/lobby", Host=host)[0] == 403
    assert ask(house, "/", Host=host)[0] == 403


def test_the_server_knows_its_own_names(house: Running):
    port = house.url.rpartition(":")[2]
    for name in ("127.0.0.1", "localhost", "LOCALHOST"):
        assert ask(house, "/health", Host=f"{name}:{port}")[0] == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1", "null"])
def test_a_change_from_another_origin_is_turned_away(house: Running, origin: str):
    status, _, body = ask(
        house, "/api/enter", "POST", '{"name": "Eve"}', Origin=origin, **entering(house)
    )
    assert (status, json.loads(body)["error"]) == (403, "origin")


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:1", "null"])
def test_a_socket_from_another_origin_is_turned_away(house: Running, origin: str):
    url = house.url.replace("http", "ws", 1) + "/ws?place=Raffles"
    with pytest.raises(InvalidStatus) as turned_away, connect(url, origin=origin):  # type: ignore[arg-type]
        pass
    assert turned_away.value.response.status_code == 403


def test_a_socket_of_our_own_page_is_let_in(house: Running):
    url = house.url.replace("http", "ws", 1) + "/ws?place=Raffles"
    with connect(url, origin=house.url) as socket:  # type: ignore[arg-type]
        assert json.loads(socket.recv())["is"] == "hello"


# ---- cookies and tokens -------------------------------------------------------------------------


def test_the_cookie_is_for_the_browser_alone(house: Running):
    cookie = ask(house, "/api/me")[1]["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert "secure" not in cookie  # it is http on this machine; over https it is, see below


def test_over_https_the_cookie_is_secure():
    from starlette.requests import Request
    from starlette.responses import Response

    from croupier.live.visits import give_cookie

    for scheme, secure in (("https", True), ("http", False)):
        answer = Response()
        scope = {"type": "http", "scheme": scheme, "path": "/", "headers": [], "server": ("x", 1)}
        give_cookie(Request(scope), answer, "v")
        assert ("Secure" in answer.headers["set-cookie"]) is secure


@pytest.mark.parametrize("missing", ["Cookie", "X_Croupier_Token"])
def test_a_change_needs_cookie_and_token(house: Running, missing: str):
    headers = entering(house)
    del headers[missing]
    assert ask(house, "/api/enter", "POST", '{"name": "Eve"}', **headers)[0] == 403


def test_a_token_of_somebody_else_is_worth_nothing(house: Running):
    headers = {**entering(house), "X_Croupier_Token": entering(house)["X_Croupier_Token"]}
    status, _, body = ask(house, "/api/enter", "POST", '{"name": "Eve"}', **headers)
    assert (status, json.loads(body)["error"]) == (403, "no token")


def test_a_forged_cookie_is_nobody(house: Running):
    client = house.enter("Mallory's mark")
    visit, name, signature = client.cookie.removeprefix("croupier=").split(".")
    for forged in (
        f"{visit}.{name}.{'B' if signature[0] != 'B' else 'C'}{signature[1:]}",
        f"{visit}.{name}.{signature[:-1]}",
        f"{visit}x.{name}.{signature}",
        f"{visit}..{signature}",
        "a.b.c",
        "é.ü.ö".encode().decode("latin-1"),
        "." * 600,
    ):
        assert json.loads(ask(house, "/api/me", Cookie=f"croupier={forged}")[2])["name"] is None


def test_a_name_belongs_to_one_visitor(house: Running):
    house.enter("Ada Lovelace")
    for name in ("Ada Lovelace", "ADA lovelace", " Ada  Lovelace "):
        headers = entering(house)
        body = json.dumps({"name": name})
        status, _, answer = ask(house, "/api/enter", "POST", body, **headers)
        assert (status, json.loads(answer)["error"]) == (409, "name taken")


@pytest.mark.parametrize("name", ["house", "Clock", "administrator", "operator"])
def test_nobody_is_called_as_the_house_is(house: Running, name: str):
    status, _, answer = ask(
        house, "/api/enter", "POST", json.dumps({"name": name}), **entering(house)
    )
    assert (status, json.loads(answer)["error"]) == (409, "name taken")


@pytest.mark.parametrize(
    "name",
    [
        "deaIer",
        "DeaIer",
        "cleaIer",
        "OPERAT0R",
        "0perator",
        "pubIic",
        "рublic",  # noqa: RUF001
    ],
)
def test_nor_as_could_be_mistaken_for_it(house: Running, name: str):
    status, _, answer = ask(
        house, "/api/enter", "POST", json.dumps({"name": name}), **entering(house)
    )
    assert (status, json.loads(answer)["error"]) == (409, "name taken")
    assert "could be mistaken for" in json.loads(answer)["says"]


def entered(house: Running, name: str) -> tuple[int, str]:
    """Come under a name; the status, and what is said against it."""
    body = json.dumps({"name": name})
    status, _, answer = ask(house, "/api/enter", "POST", body, **entering(house))
    return status, json.loads(answer).get("says", "")


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "Adm1n", "ADMIN", "Administrator", "Pit supervisor", "Pit  Supervisor"),
        *("PitSupervisor", "pit-manager", "Shift manager", "Croupier", "Floor", "F1oor"),
        *("Support", "5upport", "Moderator", "Cashler", "Auditor", "Bot", "Аdmin"),  # noqa: RUF001
    ],
)
def test_nobody_is_called_as_those_who_work_here(house: Running, name: str):
    told = " ".join(name.split())
    says = f"{told} is a post of the House, or looks like one; choose a name of your own."
    assert entered(house, name) == (409, says)


@pytest.mark.parametrize("name", ["Floortje", "Adminah", "Botond", "Casinova", "Support Ann"])
def test_a_name_that_only_begins_like_a_post_is_a_name(house: Running, name: str):
    assert entered(house, name) == (200, "")


def test_who_has_such_a_name_already_keeps_it(house: Running):
    office, identity = house.casino.casino, house.casino.identity
    assert office.open_account("Support").refused is None
    assert office.hire("Floor", "dealer", None, who="administrator", reason="x").refused is None
    assert isinstance(identity, GuestIdentityProvider)
    visitor, _ = identity.welcome()
    identity._names.take("Support", visitor.visit)
    known, cookie = identity.enter(visitor, "Support")
    assert known.name == "Support"
    again = identity.visitor(cookie)
    assert again is not None
    assert again.name == "Support"


def test_nobody_looks_like_somebody_who_is_here(house: Running):
    assert entered(house, "Martin")[0] == 200
    for name in ("Rnartin", "RNARTIN", "Martln", "Mart1n", "MARTlN"):
        says = f"{name} could be mistaken for Martin, who is known here; choose another."
        assert entered(house, name) == (409, says)
    for name in ("Martina", "Marlin", "Clara", "Dara", "Guest 1", "Guest 2"):
        assert entered(house, name) == (200, ""), "another letter is another name"


@pytest.mark.parametrize("name", ["", " ", "a/b", "<b>", "a\nb\x00", "x" * 25, "_x", "\u202eevil"])
def test_a_name_is_a_name(house: Running, name: str):
    status, _, _ = ask(house, "/api/enter", "POST", json.dumps({"name": name}), **entering(house))
    assert status == 422


# ---- size and rate ------------------------------------------------------------------------------


def test_a_body_has_a_limit(house: Running):
    headers = entering(house)
    body = json.dumps({"name": "x" * 20_000})
    assert ask(house, "/api/enter", "POST", body, **headers)[0] == 413


def test_a_body_with_a_length_and_in_chunks_is_refused_and_nothing_behind_it_is_read(
    house: Running,
):
    """A proxy that goes by the one and a server that goes by the other would take what is behind it
    for the request of the next visitor."""
    host = house.url.removeprefix("http://")
    behind = f"GET /api/me HTTP/1.1\r\nHost: {host}\r\n\r\n"
    said = (
        f"POST /api/enter HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\n"
        f"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n{behind}"
    )
    name, _, port = host.partition(":")
    with socket.create_connection((name, int(port)), 10) as line:
        line.sendall(said.encode())
        heard = b""
        while more := line.recv(65_536):
            heard += more
    assert heard.startswith(b"HTTP/1.1 400")
    assert heard.count(b"HTTP/1.1") == 1


def test_a_body_is_json(house: Running):
    headers = {**entering(house), "Content_Type": "text/plain"}
    assert ask(house, "/api/enter", "POST", '{"name": "Eve"}', **headers)[0] == 415
    headers = entering(house)
    assert ask(house, "/api/enter", "POST", "{", **headers)[0] == 422


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/api/tables/Raffles/rounds/{'9' * 5_000}", 404),
        (f"/api/tables/Raffles/rounds/{'9' * 15}/replay", 404),
        (f"/disputes/{'9' * 5_000}", 404),
        (f"/api/seals?after={'0' * 17}{'9' * 30}", 422),
        (f"/api/seals?after={'0' * 17}{'9' * 5_000}", 422),
    ],
    ids=["round", "replay", "dispute", "seal", "long seal"],
)
def test_a_number_without_end_is_no_fault_of_the_server(house: Running, path: str, status: int):
    assert ask(house, path)[0] == status


def test_a_command_that_is_no_text_is_no_fault_of_the_server(house: Running):
    body = b'{"id": "abcdefgh", "command": {"do": "\xff"}}'
    headers = entering(house)
    assert ask(house, "/api/tables/Raffles/commands", "POST", body, **headers)[0] == 422


def test_requests_of_one_address_have_a_limit(tmp_path: Path):
    strict = structs.replace(PLENTY, requests_per_second=0.5, requests_at_once=5)
    with running(tmp_path, limits=strict, tables=("Raffles",)) as casino:
        answers = [ask(casino, "/health") for _ in range(8)]
    assert [status for status, _, _ in answers[:5]] == [200] * 5
    assert {status for status, _, _ in answers[5:]} == {429}
    assert int(answers[-1][1]["retry-after"]) >= 1


def test_connections_of_one_visitor_have_a_limit(tmp_path: Path):
    strict = structs.replace(PLENTY, connections_per_visitor=2)
    with running(tmp_path, limits=strict, tables=("Raffles",)) as casino:
        client = casino.enter("Ann")
        first, second = client.at("Raffles"), client.at("Raffles")
        assert first.next()["is"] == second.next()["is"] == "hello"
        third = client.at("Raffles")
        with pytest.raises(Exception, match="4429"):
            third.next()
        first.close()
        for _ in range(100):
            if len(casino.casino.hubs["Raffles"].viewings) == 1:
                break
            time.sleep(0.02)
        assert client.at("Raffles").next()["is"] == "hello"
        assert casino.enter("Ben").at("Raffles").next()["is"] == "hello"


# ---- pages --------------------------------------------------------------------------------------


def test_pages_run_nothing_inline_and_nothing_from_elsewhere(house: Running):
    status, headers, body = ask(house, "/")
    assert status == 200
    told = dict(
        part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";")
    )
    assert told["default-src"] == "'none'"
    assert told["script-src"] == told["style-src"] == "'self'"
    assert told["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    text = body.decode()
    assert "<style" not in text
    assert " style=" not in text
    assert "https://" not in text
    assert text.count("<script") == text.count('<script type="module" src="/static/')


def test_the_policy_names_the_sockets_of_its_origins():
    assert "connect-src 'self' ws://a:1 wss://b;" in policy(["http://a:1", "https://b"])


@pytest.mark.parametrize(
    "path",
    [
        "/static/../live/server.py",
        "/static/%2e%2e/live/server.py",
        "/static/..%2flive%2fserver.py",
        "/static//etc/passwd",
        "/static/",
        "/static/index.html%00",
        "/table/Nowhere",
    ],
)
def test_nothing_but_the_pages_can_be_read(house: Running, path: str):
    assert ask(house, path)[0] == 404


def test_an_unchanged_file_is_not_sent_twice(house: Running):
    _, headers, body = ask(house, "/")
    status, _, again = ask(house, "/", If_None_Match=headers["etag"])
    assert (status, again) == (304, b"")
    assert body


def test_a_file_is_packed_for_whoever_unpacks_it(house: Running):
    _, plain, body = ask(house, "/static/app/table.js")
    _, headers, packed = ask(house, "/static/app/table.js", Accept_Encoding="br, gzip")
    assert "content-encoding" not in plain
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == body
    assert len(packed) < len(body) / 2
    assert headers["etag"] != plain["etag"]
    assert headers["vary"] == plain["vary"] == "Accept-Encoding"


# ---- this machine alone -------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "casino.example"])
def test_the_demonstration_is_for_this_machine_alone(host: str):
    with pytest.raises(BadConfig, match="this machine alone"):
        demonstration(ServerConfig(host=host))
    open_to_all = structs.replace(demonstration(), server=ServerConfig(host=host))
    with pytest.raises(BadConfig, match="this machine alone"):
        listen(open_to_all)


def test_a_port_that_is_taken_is_said_in_one_sentence(house: Running):
    port = int(house.url.rpartition(":")[2])
    with pytest.raises(CannotListen, match=f"port {port}.*--port"):
        listen(demonstration(ServerConfig(port=port)))


def test_bots_cannot_sit_where_the_dealer_enters_what_players_do():
    raffles = demonstration().tables["Raffles"]
    by_hand = {**raffles.settings, "dealing": "by-hand"}
    seen = structs.replace(raffles, settings=by_hand, bots=2)
    with pytest.raises(BadConfig, match=r"tables\.T\.bots: .*acting = \"device\""):
        check(structs.replace(demonstration(), tables={"T": seen}))
    device = structs.replace(seen, settings={**by_hand, "acting": "device"})
    check(structs.replace(demonstration(), tables={"T": device}))


def test_a_casino_for_money_has_no_bots():
    tables: dict[str, Any] = {"T": demonstration().tables["Raffles"]}
    with pytest.raises(BadConfig, match=r"tables\.T\.bots: .* has no bots"):
        check(Config(mode="money", tables=tables))
