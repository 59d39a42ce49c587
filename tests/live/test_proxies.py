"""Behind a proxy: whose word is taken, and the examples with the real programs."""

from __future__ import annotations

import json
import socket
import ssl
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from websockets.sync.client import connect

from croupier.live.config import ServerConfig, check
from croupier.live.demonstration import demonstration
from croupier.live.errors import BadConfig
from croupier.live.proxies import Proxies
from tests.live.conftest import PLENTY, Running, running
from tests.live.proxy_programs import FILES, free_port, proxy

EXAMPLES = Path(__file__).parents[2] / "examples" / "proxy"


def seen(proxies: Proxies, peer: str, **headers: str) -> tuple[str, str]:
    raw = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    scope = {"type": "http", "scheme": "http", "client": (peer, 5), "headers": raw}
    found = proxies.seen_through(scope)
    return found["client"][0], found["scheme"]


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("127.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("192.0.2.1", "192.0.2.7", "192.0.2.1"),  # no proxy of ours: its word counts nothing
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.1, 192.0.2.7", "192.0.2.7"),  # the first one was invented
        ("127.0.0.1", "192.0.2.7, 10.1.2.3", "192.0.2.7"),  # a second proxy of ours
        ("127.0.0.1", "192.0.2.7, rubbish", "127.0.0.1"),
        ("127.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("::ffff:127.0.0.1", "192.0.2.7", "192.0.2.7"),
    ],
)
def test_the_last_address_counts_that_is_no_proxy_of_ours(peer: str, forwarded: str, address: str):
    proxies = Proxies(["127.0.0.1", "10.0.0.0/8"])
    assert seen(proxies, peer, x_forwarded_for=forwarded)[0] == address
    assert seen(Proxies(), peer, x_forwarded_for=forwarded)[0] == peer


def test_https_is_believed_of_a_proxy_of_ours_alone():
    proxies = Proxies(["127.0.0.1"])
    assert seen(proxies, "127.0.0.1", x_forwarded_proto="https")[1] == "https"
    assert seen(proxies, "192.0.2.1", x_forwarded_proto="https")[1] == "http"


@pytest.mark.parametrize("written", ["0.0.0.0/0", "::/0", "tables.example", "10.0.0.1/8"])
def test_a_proxy_is_named_by_its_address(written: str):
    config = structs.replace(demonstration(), server=ServerConfig(proxies=(written,)))
    with pytest.raises(BadConfig, match=r"proxies|address|everybody"):
        check(config)


def test_behind_a_proxy_each_visitor_has_limits_of_their_own(tmp_path: Path):
    limits = structs.replace(PLENTY, requests_per_second=0.1, requests_at_once=3)
    proxies = ("127.0.0.1",)
    with running(tmp_path, tables=("Raffles",), limits=limits, proxies=proxies) as house:

        def asked(visitor: str) -> int:
            headers = {"X-Forwarded-For": visitor, "X-Forwarded-Proto": "https"}
            request = urllib.request.Request(f"{house.url}/api/me", headers=headers)
            try:
                with urllib.request.urlopen(request) as answer:
                    assert "Secure" in answer.headers["set-cookie"]
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                with error:
                    return error.code

        assert [asked("192.0.2.1") for _ in range(4)] == [200, 200, 200, 429]
        assert asked("192.0.2.2") == 200


# ---- the real programs --------------------------------------------------------------------------


@contextmanager
def proxied(folder: Path, program: str) -> Iterator[tuple[Running, int]]:
    port = free_port()
    origins = (f"https://tables.example:{port}",)
    text = (EXAMPLES / FILES[program]).read_text()
    assert "127.0.0.1:8017" in text
    with running(folder, tables=("Raffles",), proxies=("127.0.0.1",), origins=origins) as house:
        text = text.replace("127.0.0.1:8017", house.url.partition("//")[2])
        with proxy(program, folder, port, text):
            yield house, port


@pytest.mark.slow
@pytest.mark.parametrize("program", FILES)
def test_the_example_with_the_real_program(
    tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    addresses: list[str] = []
    through = Proxies.seen_through

    def watched(self: Proxies, scope: Any) -> Any:
        found = through(self, scope)
        addresses.append(found["client"][0])
        return found

    monkeypatch.setattr(Proxies, "seen_through", watched)
    with proxied(tmp_path, program) as (_, port):
        trust = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        base = f"https://tables.example:{port}"
        resolve = socket.getaddrinfo

        def here(host: str, *more: Any, **named: Any) -> Any:
            return resolve("127.0.0.1" if host == "tables.example" else host, *more, **named)

        monkeypatch.setattr(socket, "getaddrinfo", here)
        jar = CookieJar()
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=trust),
            urllib.request.HTTPCookieProcessor(jar),
        )
        # What a visitor writes into the headers of a proxy counts nothing.
        forged = {"X-Forwarded-For": "203.0.113.9"}
        with opener.open(urllib.request.Request(f"{base}/api/me", headers=forged)) as answer:
            cookie, me = answer.headers["set-cookie"], json.load(answer)
        assert "Secure" in cookie
        assert addresses == ["127.0.0.1"]
        body = json.dumps({"name": "Ann"}).encode()
        headers = {
            "X-Croupier-Token": me["token"],
            "Content-Type": "application/json",
            "Origin": base,
        }
        with opener.open(urllib.request.Request(f"{base}/api/enter", body, headers)) as answer:
            assert json.load(answer)["name"] == "Ann"
        sent = "; ".join(f"{each.name}={each.value}" for each in jar)
        url = f"wss://tables.example:{port}/ws?place=Raffles"
        with connect(
            url, ssl=trust, additional_headers={"Cookie": sent}, origin=base, proxy=None
        ) as table:  # type: ignore[arg-type]
            assert json.loads(table.recv())["you"] == "Ann"
            began = time.perf_counter()
            table.send('{"ping": 4}')
            while json.loads(table.recv(timeout=10)).get("is") != "pong":
                pass
            assert time.perf_counter() - began < 5
