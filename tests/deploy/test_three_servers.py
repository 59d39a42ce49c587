"""Three real servers on one PostgreSQL database behind the proxies of `deploy/`; one is killed."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
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
from tests.live.several import Several, wait
from tests.live.test_proxies import certificate, free_port, installed

NAMES = ("left", "middle", "right")


def nginx(folder: Path, port: int, text: str) -> list[str]:
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/tables.example.pem", str(folder / "cert.pem")),
        ("/etc/ssl/private/tables.example.key", str(folder / "key.pem")),
    ):
        assert old in text
        text = text.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{text}\n}}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, text: str) -> list[str]:
    own = f"https://tables.example:{port} {{\n\ttls {folder}/cert.pem {folder}/key.pem"
    text = text.replace("tables.example {", own)
    # The server knows the name under which it is reached, and here that has a port.
    text = text.replace("Host tables.example", f"Host tables.example:{port}")
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


PROXIES = {"nginx": (nginx, "nginx.conf"), "caddy": (caddy, "Caddyfile")}


@contextmanager
def three(folder: Path, url: str, program: str) -> Iterator[tuple[Several, int]]:
    installed(program)
    certificate(folder)
    port, theirs = free_port(), [free_port() for _ in NAMES]
    make, file = PROXIES[program]
    text = (DEPLOY / "proxy" / file).read_text()
    for old, new in zip(ports(), theirs, strict=True):
        text = text.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
    house = Several(folder, url, poker=1)
    told = f'origins = ["https://tables.example:{port}"]\nproxies = ["127.0.0.1"]'
    house.config.write_text(house.config.read_text().replace("[server]", f"[server]\n{told}"))
    with ExitStack() as ends:
        ends.callback(house.stop)
        for name, own in zip(NAMES, theirs, strict=True):
            house.start(name, "--port", str(own))
        with (folder / "proxy.log").open("wb") as log:
            process = subprocess.Popen(make(folder, port, text), stdout=log, stderr=log)
        ends.callback(process.wait, 20)
        ends.callback(process.terminate)

        def listens() -> bool:
            assert process.poll() is None, (folder / "proxy.log").read_text()
            with socket.socket() as made:
                return made.connect_ex(("127.0.0.1", port)) == 0

        wait(listens, 30)
        yield house, port


@pytest.mark.slow
@pytest.mark.parametrize("program", PROXIES)
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
