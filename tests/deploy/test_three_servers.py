"""Three real servers on one PostgreSQL database behind the proxies of `deploy/`; one is killed."""

from __future__ import annotations

import json
import socket
import ssl
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.deploy.test_files import DEPLOY, ports
from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.live.proxy_programs import FILES, free_port, proxy
from tests.live.several import Several, wait

NAMES = ("left", "middle", "right")


@contextmanager
def three(folder: Path, url: str, program: str) -> Iterator[tuple[Several, int]]:
    port, theirs = free_port(), [free_port() for _ in NAMES]
    text = (DEPLOY / "proxy" / FILES[program]).read_text()
    for old, new in zip(ports(), theirs, strict=True):
        text = text.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
    house = Several(folder, url, poker=1)
    told = f'origins = ["https://tables.example:{port}"]\nproxies = ["127.0.0.1"]'
    house.config.write_text(house.config.read_text().replace("[server]", f"[server]\n{told}"))
    with ExitStack() as ends:
        ends.callback(house.stop)
        for name, own in zip(NAMES, theirs, strict=True):
            house.start(name, "--port", str(own))
        ends.enter_context(proxy(program, folder, port, text))
        yield house, port


@pytest.mark.slow
@pytest.mark.parametrize("program", FILES)
def test_behind_the_proxy_nobody_misses_a_server_that_is_killed(
    tmp_path: Path,
    program: str,
    monkeypatch: pytest.MonkeyPatch,
    postgres_url: str,  # noqa: F811
):
    monkeypatch.setenv("HOME", str(tmp_path))
    resolve = socket.getaddrinfo

    def here(host: str, *more: Any, **named: Any) -> Any:
        return resolve("127.0.0.1" if host == "tables.example" else host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", here)
    with three(tmp_path, postgres_url, program) as (house, port):
        trust = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        base, jar = f"https://tables.example:{port}", CookieJar()
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=trust),
            urllib.request.HTTPCookieProcessor(jar),
        )

        def get(path: str) -> Any:
            with opener.open(f"{base}{path}", timeout=10) as answer:
                return json.load(answer)

        def hello() -> str:
            sent = "; ".join(f"{each.name}={each.value}" for each in jar)
            with connect(
                f"wss://tables.example:{port}/ws?place=Hold",
                ssl=trust,
                additional_headers={"Cookie": sent},
                origin=base,  # type: ignore[arg-type]
                proxy=None,
            ) as table:
                return str(json.loads(table.recv(10))["is"])

        wait(lambda: get("/health")["status"] == "ok", 30)
        get("/api/me")
        wait(lambda: len(get("/api/lobby")["tables"]) == house.tables, 30)  # each has its share
        assert [hello() for _ in range(6)] == ["hello"] * 6
        house.kill("middle")

        def goes_on() -> bool:
            try:
                return len(get("/api/lobby")["tables"]) == house.tables and hello() == "hello"
            except (OSError, KeyError, ValueError):
                return False

        wait(goes_on, 30)
        wait(lambda: all(goes_on() for _ in range(9)), 30)
