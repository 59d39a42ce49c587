"""The back office of a House whose server runs: orders go to it by its own HTTP API.

While a server runs it holds its tables and links, and where it runs on a file, all of that; what is
ordered there must be ordered of it. The password is the same as for a database, and the same ranks
are asked for: by the server, on every order.
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

import click
import msgspec

from croupier.cli.office_session import NotDone, ask_code, ask_password, show_answer
from croupier.house import totp
from croupier.house.errors import HouseError
from croupier.house.office.commands import SetPassword
from croupier.house.office.second_factor import SetSecondFactor
from croupier.house.serving import is_server
from croupier.table import BadCommand, Command, Refused

if TYPE_CHECKING:
    from croupier.house.office_acts import Act

__all__ = ["AtServer", "NoAnswer", "RunningServer", "at_server", "is_server", "logged_in"]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
TIMEOUT = 30
TRIES = 3
"""An order is sent again, under the same id, if the line breaks: it has one effect."""
ACT_TIMEOUT = 3600
"""An act of several orders may take long (a day archived), and is never sent again by itself."""


class NoAnswer(HouseError):
    """The server cannot be reached, or does not do what it was asked."""


class RunningServer:
    """A server, spoken to by somebody who has logged in there."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise click.UsageError("a password goes to another machine by https:// alone")
        self._url = url.rstrip("/")
        # No proxy: a password is for this server and nobody in between.
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
        )
        self._token = ""
        self.password = ""
        """By which somebody has logged in: a new one of their own is set with it."""

    def log_in(self, who: str, password: str, code: str = "") -> None:
        """Log in; what follows is said in this name."""
        self._token = self._ask("/api/me")[1]["token"]
        status, said = self._ask("/api/login", {"name": who, "password": password, "code": code})
        if status == 403 and said.get("error") == "second factor":
            raise NoAnswer(
                f"staff log in with a second factor here, and {who} has none yet. The page of the "
                f"server ({self._url}) shows the key for it and takes its first code; or, at the "
                f"database while no server runs: croupier office staff second-factor URL {who} "
                f"--as {who}"
            )
        if status != 200:
            raise NoAnswer(said["says"])
        self._token, self.password = said["token"], password

    def log_out(self) -> None:
        """The session is over; where it ended by itself there is nothing to do."""
        self._ask("/api/exit", {})

    def link(self, name: str) -> dict[str, Any]:
        """A link as its server has it, with what waits there."""
        status, said = self._ask(f"/api/links/{quote(name, safe='')}")
        if status != 200:
            raise NoAnswer(said["says"])
        return said

    def order(self, link: str, command: Command) -> tuple[int, dict[str, Any]]:
        """Give a link an order; the status of HTTP and what was said."""
        body = {"id": uuid.uuid4().hex, "command": msgspec.to_builtins(command)}
        return self._ask(f"/api/links/{quote(link, safe='')}/commands", body)

    def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Ask or order something else of the server; an error if it does not do it."""
        status, said = self._ask(path, body)
        if status != 200:
            raise NoAnswer(said.get("says", f"{self._url} answers {status} to {path}"))
        return said

    def try_to(
        self, path: str, body: dict[str, Any], *, tries: int = TRIES, timeout: float = TIMEOUT
    ) -> dict[str, Any]:
        """Order something that may be refused by a standard: `refused` has it then."""
        status, said = self._ask(path, body, tries=tries, timeout=timeout)
        match said.get("is"):
            case "refused":
                cites = tuple(each["paragraph"] for each in said["cites"])
                return {"refused": Refused(cites, said["says"])}
            case "error" if status == 422:
                raise BadCommand(said["says"])
        if status != 200:
            raise NoAnswer(said.get("says", f"{self._url} answers {status} to {path}"))
        return said

    def read(self, path: str, kind: Any, **asked: str) -> Any:
        """A record of the server."""
        words = f"?{urlencode(asked)}" if asked else ""
        return msgspec.convert(self.ask(f"{path}{words}"), kind, strict=False)

    def fetch(self, path: str, *, made: bool = False) -> bytes:
        """A file of the server, byte for byte; `made` if it is to be made first."""
        headers = {"X-Croupier-Token": self._token}
        asked = urllib.request.Request(f"{self._url}{path}", b"" if made else None, headers)
        try:
            with self._opener.open(asked, timeout=TIMEOUT) as answer:
                found: bytes = answer.read()
                return found
        except (OSError, ValueError) as error:
            raise NoAnswer(f"{self._url} does not give {path}: {error}") from error

    def _ask(
        self,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        tries: int = TRIES,
        timeout: float = TIMEOUT,
    ) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json", "X-Croupier-Token": self._token}
        data = json.dumps(body).encode() if body is not None else None
        trouble = ""
        for _ in range(tries):
            asked = urllib.request.Request(f"{self._url}{path}", data, headers)
            try:
                with self._opener.open(asked, timeout=timeout) as answer:
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as error:
                with error:
                    try:
                        return error.code, json.load(error)
                    except ValueError:
                        raise NoAnswer(f"{self._url} answers {error.code} to {path}") from None
            except (OSError, ValueError) as error:
                trouble = str(getattr(error, "reason", error))
        raise NoAnswer(f"{self._url} does not answer: {trouble}")


@contextmanager
def logged_in(url: str, who: str) -> Iterator[RunningServer]:
    """Somebody at a running server, from his password to his leaving."""
    server = RunningServer(url)
    server.log_in(who, ask_password(f"Password of {who}"), ask_code())
    try:
        yield server
    finally:
        server.log_out()


class AtServer:
    """Somebody who has logged in at the office of a running server."""

    def __init__(self, server: RunningServer, who: str, as_json: bool) -> None:
        self.server = server
        self.who = who
        self.as_json = as_json

    def give(self, command: Command) -> None:
        """Give the office an order and show what it says."""
        self._order(msgspec.to_builtins(command))

    def give_with(self, secret: str | None, kind: type[Command], **fields: Any) -> None:
        """Give an order that a password or PIN comes with."""
        command = {"do": kind.__struct_config__.tag, **msgspec.to_builtins(fields)}
        more = {"secret": secret} if secret is not None else {}
        if kind in (SetPassword, SetSecondFactor) and fields.get("name") == self.who:
            more["old"] = self.server.password
        if kind is SetSecondFactor and secret is not None:
            # Its code was asked for and looked at before; meanwhile the app may show the next one.
            more["code"] = totp.code_of(secret, datetime.now(UTC))
        self._order(command, **more)

    def _order(self, command: dict[str, Any], **more: str) -> None:
        body = {"id": uuid.uuid4().hex, "command": command, **more}
        said = self.server.try_to("/api/office/commands", body)
        told, events = said.get("told", ()), said.get("said", ())
        show_answer(told, events, said.get("refused"), self.as_json)

    def listed(self, name: str) -> Any:
        """A list of the office, for staff alone."""
        from croupier.house.office_lists import LISTS

        return self.server.read(f"/api/office/lists/{name}", LISTS[name].kind)

    def perform(self, act: Act) -> Any:
        """Carry out what is more than one order."""
        from croupier.house.office_acts import COMES_OF

        body = {"act": msgspec.to_builtins(act)}
        said = self.server.try_to("/api/office/acts", body, tries=1, timeout=ACT_TIMEOUT)
        if "refused" in said:
            show_answer((), (), said["refused"], self.as_json)
        return msgspec.convert(said, COMES_OF[type(act)], strict=False)


@contextmanager
def at_server(address: str, who: str, as_json: bool) -> Iterator[AtServer]:
    """Somebody at the office of a running server, from the password to the leaving."""
    done = True
    with logged_in(address, who) as server:
        try:
            yield AtServer(server, who, as_json)
        except NotDone:
            done = False
    if not done:
        sys.exit(1)
