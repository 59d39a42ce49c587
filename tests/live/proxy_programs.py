"""nginx and Caddy as Debian has them, each by an example of ours, before the servers of a test."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.live.conftest import until

FILES = {"nginx": "nginx.conf", "caddy": "Caddyfile"}
"""The example of each program."""


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


@contextmanager
def proxy(program: str, folder: Path, port: int, text: str) -> Iterator[None]:
    """The program by this example, with a port and a certificate of its own."""
    _installed(program)
    _certificate(folder)
    words = {"nginx": _nginx, "caddy": _caddy}[program](folder, port, text)
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)

    def listens() -> bool:
        assert process.poll() is None, (folder / "proxy.log").read_text()
        with socket.socket() as made:
            return made.connect_ex(("127.0.0.1", port)) == 0

    try:
        until(listens, 30)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _installed(program: str) -> None:
    """Install it as Debian has it; where that cannot be, the test fails."""
    if shutil.which(program) is None:
        package = "nginx-light" if program == "nginx" else program
        subprocess.run(["apt-get", "install", "-y", "-q", package], check=True, capture_output=True)


def _certificate(folder: Path) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")),
            *("-subj", "/CN=tables.example", "-addext", "subjectAltName=DNS:tables.example"),
        ],
        check=True,
        capture_output=True,
    )


def _nginx(folder: Path, port: int, text: str) -> list[str]:
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


def _caddy(folder: Path, port: int, text: str) -> list[str]:
    own = f"https://tables.example:{port} {{\n\ttls {folder}/cert.pem {folder}/key.pem"
    assert "tables.example {" in text
    text = text.replace("tables.example {", own)
    # The server knows the name under which it is reached, and here that has a port.
    text = text.replace("Host tables.example", f"Host tables.example:{port}")
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
