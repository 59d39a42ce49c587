"""Who may ask the ruling desk: the staff of a casino, everybody in the demonstration, or whoever
knows the PIN of a desk that stands alone."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from croupier.house.permissions import decides_ruling
from croupier.live.casino import LiveCasino
from croupier.live.desk_pin import Pin
from croupier.live.errors import NotAllowed
from croupier.live.visits import A_YEAR, TOKEN, give_cookie, known, owner_of_change, visitor_of
from croupier.pit.ruling import Ruling

PIN_COOKIE = "croupier-desk"
PIN_HEADER = "x-croupier-pin"


class DeskAccess(ABC):
    """What the handlers of the desk ask about people."""

    mode: str

    @abstractmethod
    def enter(self, request: Request) -> tuple[str, Callable[[Response], None]]:
        """The token of whoever comes, and what gives him his cookie if he is new."""

    @abstractmethod
    def reader(self, request: Request) -> str | None:
        """The name of whoever reads here, if it is known; raises NotAllowed."""

    @abstractmethod
    def changer(self, request: Request) -> str | None:
        """The same of whoever changes something, who must have meant it."""

    def barred(self, request: Request, ruling: Ruling | None) -> str:
        """Why whoever comes may not write down what was decided of a ruling; nothing if he may.
        A desk that knows nobody by name leaves that to those who hold it."""
        return ""

    def before_page(self, request: Request) -> Response | None:
        """Where a browser is sent before it sees a page of the desk."""
        return None


class StaffAccess(DeskAccess):
    """The desk of a casino: for its staff; in the demonstration for everybody."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self.mode = casino.config.mode

    def enter(self, request: Request) -> tuple[str, Callable[[Response], None]]:
        self.reader(request)
        identity = self._casino.identity
        visitor = visitor_of(request, self._casino)
        if visitor is not None:
            return identity.token(visitor), lambda answer: None
        visitor, cookie = identity.welcome()
        return identity.token(visitor), lambda answer: give_cookie(request, answer, cookie)

    def reader(self, request: Request) -> str | None:
        visitor = known(request, self._casino)
        if not self._casino.config.demonstration and not self._casino.is_staff(visitor):
            raise NotAllowed("staff only", "The ruling desk is for the staff of the House: log in.")
        return visitor.name

    def changer(self, request: Request) -> str | None:
        self.reader(request)
        return owner_of_change(request, self._casino).name

    def barred(self, request: Request, ruling: Ruling | None) -> str:
        if self._casino.config.demonstration:
            return ""
        now = self._casino.authority.of(known(request, self._casino))
        objection = decides_ruling(now.rank, ruling)
        return objection.says if objection is not None else ""


class PinAccess(DeskAccess):
    """A desk that stands alone. With a PIN nobody asks before he has given it once."""

    mode = "desk"

    def __init__(
        self, key: bytes, pin: str = "", *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pin = Pin(pin, key, clock=clock) if pin else None
        # The PIN is part of the key: with another PIN everybody must give it again.
        self._key = self._pin.key if self._pin is not None else key

    @property
    def wants_pin(self) -> bool:
        """Whether this desk has a PIN."""
        return self._pin is not None

    def enter(self, request: Request) -> tuple[str, Callable[[Response], None]]:
        self.reader(request)
        visit = self._visit(request)
        if visit is not None:
            return self._sign("token", visit), lambda answer: None
        visit = secrets.token_urlsafe(18)
        return self._sign("token", visit), lambda answer: self._give(request, answer, visit)

    def reader(self, request: Request) -> str | None:
        if self._pin is None or self._visit(request) is not None:
            return None
        brought = request.headers.get(PIN_HEADER)
        if brought is not None:
            self._pin.check(brought, _address(request))
            return None
        raise NotAllowed("pin", "This desk has a PIN: give it first.")

    def changer(self, request: Request) -> str | None:
        self.reader(request)
        if PIN_HEADER in request.headers or not _from_browser(request):
            return None  # no page can be made to send that, and no browser sends nothing
        visit, brought = self._visit(request), request.headers.get(TOKEN, "")
        token = self._sign("token", visit) if visit is not None else ""
        if not token or not hmac.compare_digest(brought.encode(), token.encode()):
            raise NotAllowed(
                "no token", "A change needs the token of /api/ask/desk in X-Croupier-Token."
            )
        return None

    def before_page(self, request: Request) -> Response | None:
        if self._pin is None or self._visit(request) is not None:
            return None
        then = quote(request.url.path, safe="/")
        return RedirectResponse(f"/pin?then={then}", 303, {"cache-control": "no-store"})

    def let_in(self, request: Request, pin: str, answer: Response) -> None:
        """Give the cookie to whoever knows the PIN; raises NotAllowed."""
        if self._pin is not None:
            self._pin.check(pin, _address(request))
        self._give(request, answer, secrets.token_urlsafe(18))

    def _visit(self, request: Request) -> str | None:
        """The visit of a cookie of ours."""
        visit, _, signature = request.cookies.get(PIN_COOKIE, "").partition(".")
        signed = self._sign("cookie", visit)
        return visit if visit and hmac.compare_digest(signature.encode(), signed.encode()) else None

    def _give(self, request: Request, answer: Response, visit: str) -> None:
        answer.set_cookie(
            PIN_COOKIE,
            f"{visit}.{self._sign('cookie', visit)}",
            max_age=A_YEAR,
            path="/",
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}\n{text}".encode(), hashlib.sha256).hexdigest()


def _from_browser(request: Request) -> bool:
    return any(name in request.headers for name in ("origin", "sec-fetch-site", "cookie"))


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
