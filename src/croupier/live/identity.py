"""Identity: who a visitor is, in which rank he speaks, and what his account holds.

`IdentityProvider` is all that the server asks. `GuestIdentityProvider` is the demonstration's:
anybody may enter under a name that is free, with play money, and a signed cookie proves it when he
comes back. `AccountIdentityProvider` is for a casino with accounts: whoever logs in has a session
of the office.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import threading
from abc import ABC, abstractmethod
from contextlib import suppress

from msgspec import Struct

from croupier.house import log_in
from croupier.house.casino import Casino, Login, NotAllowedIn
from croupier.house.elsewhere import seat_elsewhere
from croupier.house.errors import HouseError
from croupier.house.ledger import player_account
from croupier.house.log_in import NeedsSecondFactor
from croupier.house.names import TakenNames, blurred, visible
from croupier.house.office import Role
from croupier.house.office.name_reuse import PassName
from croupier.house.office.state import Person
from croupier.house.passwords import digest_of
from croupier.house.software import SOFTWARE
from croupier.live.errors import NotAllowed, WrongCode
from croupier.live.guest_names import GuestNames
from croupier.live.name_past import past_of
from croupier.live.post_names import is_a_post
from croupier.table import ActorRank, read_money

PLAY_MONEY = read_money(10_000)
"""What a guest has when he enters."""

NAME = re.compile(r"[^\W_](?:[\w '.-]{0,22}[\w.])?")
"""A name: letters, digits, spaces and a few marks, at most 24 of them."""
RESERVED = SOFTWARE | {"dealer", "operator", "public"}
_RESERVED = TakenNames(sorted({*RESERVED, *map(str.title, RESERVED), *map(str.upper, RESERVED)}))
"""Also what looks like one of them, in small letters or with capitals."""

LONGEST = 24


def what_is_wrong(name: str) -> str:
    """What is wrong with a name that does not fit, in a sentence."""
    if not name:
        return "A name has one letter or digit at least."
    if len(name) > LONGEST:
        return f"A name has {LONGEST} characters at most; this one has {len(name)}."
    for char in name:
        if not (char.isalnum() or char in " '-._"):
            return (
                f"“{char}” cannot be in a name: letters, digits, spaces, apostrophes, hyphens "
                "and dots can."
            )
    if not name[0].isalnum():
        return f"A name begins with a letter or digit, not with “{name[0]}”."
    return f"A name ends with a letter, a digit or a dot, not with “{name[-1]}”."


class Visitor(Struct, frozen=True, kw_only=True):
    """Somebody who has come to the casino; without a name he may only watch."""

    visit: str
    """What his cookie says: it names the visit, nobody else knows it."""
    name: str | None = None
    rank: ActorRank = ActorRank.PLAYER
    bot: bool = False
    session: str = ""
    """The session of the office that proves it, by the digest of its token; in the demonstration
    only whoever logged in with a password has one."""


class LogIn(Struct, frozen=True, kw_only=True):
    """What proves who somebody is who logs in."""

    password: str
    code: str = ""
    origin: str = ""
    """From where, as a digest."""
    new_key: str = ""
    """Of a second factor that is set up now."""


class IdentityProvider(ABC):
    """What the server asks about people. What changes the office waits until that is durable."""

    def __init__(self, casino: Casino, key: bytes | None = None) -> None:
        self.casino = casino
        self._key = key or secrets.token_bytes(32)

    @abstractmethod
    def visitor(self, cookie: str | None) -> Visitor | None:
        """Who comes with this cookie; None if it is none of ours."""

    @abstractmethod
    def now(self, visitor: Visitor, *, read: bool = True) -> Visitor:
        """Who somebody is who was let in before: without a name, if he is nobody any more.

        `read` says whether to make sure first of what other processes have written.
        """

    def welcome(self) -> tuple[Visitor, str]:
        """A new visitor without a name, and his cookie."""
        visitor = Visitor(visit=secrets.token_urlsafe(18))
        return visitor, self.cookie(visitor.visit, "")

    @abstractmethod
    def enter(
        self, visitor: Visitor, name: str, *, bot: bool = False, proof: LogIn | None = None
    ) -> tuple[Visitor, str]:
        """Give the visitor his name; raises NotAllowed. Returns his new cookie too."""

    @abstractmethod
    def exit(self, visitor: Visitor, cookie: str | None) -> tuple[Visitor, str]:
        """Take the name from him again."""

    @abstractmethod
    def go(self, visitor: Visitor) -> None:
        """A program that entered as it connected has gone."""

    @abstractmethod
    def refill(self, visitor: Visitor) -> int:
        """Play money for a guest who is short of it; raises NotAllowed where there is none."""

    @abstractmethod
    def reads_reports(self, visitor: Visitor) -> bool:
        """Whether he may read the reports of the House."""

    # -- the same for every provider ---------------------------------------------------------

    def _proved(self, name: str, proof: LogIn) -> Login:
        """Log in at the office; NeedsSecondFactor is for whoever asked."""
        given = {key: getattr(proof, key) for key in ("code", "origin", "new_key")}
        try:
            return self.casino.log_in(name, proof.password, **given)
        except NeedsSecondFactor:
            raise
        except NotAllowedIn as error:
            kind = WrongCode if isinstance(error, log_in.WrongCode) else NotAllowed
            raise kind("wrong password", str(error)) from None

    def note(self, purpose: str, text: bytes) -> str:
        """A note that somebody keeps for the server, signed for one purpose: no note of another
        one is taken for it, nor any cookie."""
        body = _b64(text)
        return f"{body}.{self._sign(purpose, body)}"

    def read_note(self, purpose: str, note: str) -> bytes | None:
        """What the server has written; None if it is none of ours for this purpose."""
        body, _, signature = note.rpartition(".")
        if not note.isascii() or not hmac.compare_digest(signature, self._sign(purpose, body)):
            return None
        return base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))

    def token(self, visitor: Visitor) -> str:
        """What must come with every change over HTTP: a page of another origin cannot know it."""
        return self._sign("token", visitor.visit)

    def funds(self, name: str) -> int | None:
        """What the account of a player holds; None if there is none of that name."""
        person = self.casino.office.state.people.get(name)
        if person is None or person.kind != "player":
            return None
        return self.casino.house.balance(player_account(name))

    def is_bot(self, name: str) -> bool:
        """Whether a player is a bot, which must be shown wherever his name is."""
        person = self.casino.office.state.people.get(name)
        return person is not None and person.bot

    def cookie(self, visit: str, holds: str) -> str:
        """A signed cookie: the visit and what belongs to it."""
        body = f"{visit}.{_b64(holds.encode())}"
        return f"{body}.{self._sign('cookie', body)}"

    def read_cookie(self, cookie: str | None) -> tuple[str, str] | None:
        """The visit and what belongs to it; None if the cookie is not ours."""
        if cookie is None or cookie.count(".") != 2 or not cookie.isascii() or len(cookie) > 500:
            return None
        body, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature, self._sign("cookie", body)):
            return None
        visit, packed = body.split(".")
        return visit, base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode()

    def _sign(self, purpose: str, text: str) -> str:
        made = hmac.new(self._key, f"{purpose}\n{text}".encode(), hashlib.sha256).digest()
        return _b64(made)


class GuestIdentityProvider(IdentityProvider):
    """The demonstration: a name and play money for everybody.

    With the same key a cookie is still good after a restart; names and money are in the office.
    """

    def __init__(self, casino: Casino, key: bytes | None = None, most: int = 10_000) -> None:
        super().__init__(casino, key)
        self._names = GuestNames(most, self._sits)
        self._own_bots: dict[str, str] = {}
        self._folded: dict[str, str] = {}
        self._looks = TakenNames(looks=lambda name: (blurred(name),))
        self._lock = threading.Lock()
        """For a moment only: the loop takes it whenever somebody is heard of."""
        self._entering = threading.Lock()
        """Of whoever comes in, one at a time, while that is stored. Never taken in the loop."""
        self._refilling = threading.Lock()
        """The same of whoever gets play money: who asks twice at once gets it once."""

    def visitor(self, cookie: str | None) -> Visitor | None:
        found = self.read_cookie(cookie)
        if found is None:
            return None
        visit, held = found
        name, _, token = held.partition("\n")
        if token:
            return self._logged_in(visit, name, token)
        if name and not self._comes_as(name, visit):
            with suppress(HouseError):  # the database is out of reach: they are nobody until then
                self.casino.catch_up_office()  # they may have come in elsewhere a moment ago
            if not self._comes_as(name, visit):
                name = ""
        return self._known(visit, name) if name else Visitor(visit=visit)

    def _comes_as(self, name: str, visit: str) -> bool:
        """Whether a cookie without a session counts still, as far as is known here."""
        person = self.casino.office.state.people.get(name)
        if person is None or not self._may_hold(person, visit):
            return False
        with self._lock:
            passed_on = person.past is not None and person.past.holder == _holder(visit)
            if passed_on and self._names.is_of_another(name, visit):
                self._names.take(name, visit)  # it was passed on at another server
            return self._names.claim(name, visit)

    def _logged_in(self, visit: str, name: str, token: str) -> Visitor:
        """Whoever logged in with a password, as long as that session lasts."""
        try:
            whose = self.casino.who_is(token)
        except NotAllowedIn:
            return Visitor(visit=visit)
        session = digest_of(token)
        if whose != name or not self.casino.has_session(name, session):
            return Visitor(visit=visit)
        return self._known(visit, name, session)

    @staticmethod
    def _may_hold(person: Person, visit: str) -> bool:
        """Whether a cookie without a session counts still: not once somebody else has the name, and
        not where one logs in with a password."""
        passed_on = person.past is not None and person.past.holder != _holder(visit)
        return not (passed_on or person.digest)

    def _known(self, visit: str, name: str, session: str = "") -> Visitor:
        """A player; or one of the staff, in the rank of his post."""
        rank = self.casino.rank_of(name)
        return Visitor(visit=visit, name=name, bot=self.is_bot(name), rank=rank, session=session)

    def now(self, visitor: Visitor, *, read: bool = True) -> Visitor:
        name, visit, session = visitor.name, visitor.visit, visitor.session
        if name is None:
            return visitor
        if read and visitor.rank is not ActorRank.PLAYER:
            self.casino.refresh_office()
        if session:
            holds = self.casino.has_session(name, session)
        else:
            person = self.casino.office.state.people[name]
            holds = self._names.is_of(name, visit) and self._may_hold(person, visit)
        if not holds:
            return Visitor(visit=visit)
        rank = self.casino.rank_of(name)
        return visitor if rank is visitor.rank else self._known(visit, name, session)

    def enter(
        self, visitor: Visitor, name: str, *, bot: bool = False, proof: LogIn | None = None
    ) -> tuple[Visitor, str]:
        if proof is not None:
            return self._log_in(name, proof)
        name = self._fit(visitor, name)
        with self._entering:
            taken = self._taken(name)
            self._check_new(name, taken, visitor)
            if taken is not None and not self._names.holds(taken, visitor.visit):
                if not self._may_pass(taken, bot=bot):
                    says = f"Somebody here is called {taken}; choose another."
                    raise NotAllowed("name taken", says)
                self._pass_on(taken, visitor.visit)
            if taken is None:
                self._open(name, bot, visitor.visit)
        known = taken or name
        entered = self._known(visitor.visit, known)
        if self.funds(known) is not None:  # staff have no account
            self.refill(entered)
        return entered, self.cookie(visitor.visit, known)

    def _check_new(self, name: str, taken: str | None, visitor: Visitor) -> None:
        """Whether a name may be had by somebody who has not had it; raises NotAllowed."""
        if taken is not None and self._names.holds(taken, visitor.visit):
            return
        if is_a_post(name):
            says = f"{name} is a post of the House, or looks like one; choose a name of your own."
            raise NotAllowed("name taken", says)
        people = self.casino.office.state.people
        like = self._looks.like(name, dict(people)) if taken is None else None
        if like is not None:
            known = f"{visible(like)}, who is known here"
            says = f"{name} could be mistaken for {known}; choose another."
            raise NotAllowed("name taken", says)

    def _may_pass(self, name: str, *, bot: bool) -> bool:
        """Whether somebody new may take a name: of a bot only a bot, so that each is marked."""
        person = self.casino.office.state.people[name]
        return person.kind == "player" and person.bot is bot and self._names.is_free(name)

    def _pass_on(self, name: str, visit: str) -> None:
        """The name without its past: neither what was seen under it, nor more money than everybody
        begins with."""
        rounds, positions = past_of(self.casino, name)
        command = PassName(
            player=name,
            holder=_holder(visit),
            rounds=rounds,
            positions=positions,
            all_tables=True,
        )
        refused = self.casino.tell(command).refused
        if refused is not None:
            raise NotAllowed("name taken", refused.says)
        held = self.funds(name) or 0
        if held > PLAY_MONEY:
            self.casino.cash_out(name, held - PLAY_MONEY, note="the name is passed on")
        self._names.take(name, visit)

    def _log_in(self, name: str, proof: LogIn) -> tuple[Visitor, str]:
        """A member of staff with a password, for the office of the demonstration."""
        login = self._proved(name, proof)
        visit = secrets.token_urlsafe(18)
        entered = self._known(visit, login.name, digest_of(login.token))
        return entered, self.cookie(visit, f"{login.name}\n{login.token}")

    @staticmethod
    def _fit(visitor: Visitor, name: str) -> str:
        """The name as it may be taken."""
        name = " ".join(name.split())
        if not NAME.fullmatch(name):
            raise NotAllowed("bad name", what_is_wrong(name))
        if name.casefold() in RESERVED:
            raise NotAllowed("name taken", f"{name} is a name of the House; choose another.")
        if (like := _RESERVED.like(name, {})) is not None:
            says = f"{name} could be mistaken for {like}, a name of the House; choose another."
            raise NotAllowed("name taken", says)
        if visitor.name is not None and visitor.name != name:
            raise NotAllowed("entered", f"You have entered as {visitor.name}; exit first.")
        return name

    def employ(self, visitor: Visitor, name: str, role: Role) -> tuple[Visitor, str]:
        """Take a visitor on as a member of the play-money House's staff, under a free name."""
        name = self._fit(visitor, name)
        with self._entering:
            taken = self._taken(name)
            self._check_new(name, taken, visitor)
            if taken is not None:
                raise NotAllowed("name taken", f"Somebody here is called {taken}; choose another.")
            people = self.casino.office.state.people
            if self._names.is_full():
                raise NotAllowed("full", "The house is full; try again later.")
            who = next(n for n, person in people.items() if person.role == "administrator")
            refused = self.casino.hire(name, role, None, who=who, reason="the staff door").refused
            if refused is not None:
                raise NotAllowed("name taken", refused.says)
            self._names.take(name, visitor.visit)
        return self._known(visitor.visit, name), self.cookie(visitor.visit, name)

    def reserve(self, name: str) -> Visitor:
        """A bot of the House's own; nobody else gets its name, and it has money again each time."""
        with self._entering:
            visit = self._own_bots.setdefault(name, secrets.token_urlsafe(18))
            if self._taken(name) is None:
                self._open(name, True, visit)
            self._names.take(name, visit)
        bot = Visitor(visit=visit, name=name, bot=True)
        self.refill(bot)
        return bot

    def _taken(self, name: str) -> str | None:
        """The name in the office that this one could be mistaken for."""
        people = self.casino.office.state.people
        if len(self._folded) != len(people):
            self._folded = {known.casefold(): known for known in people}
        return self._folded.get(name.casefold())

    def _open(self, name: str, bot: bool, visit: str) -> None:
        if self._names.is_full():
            raise NotAllowed("full", "The house is full; try again later.")
        refused = self.casino.open_account(name, bot=bot).refused
        if refused is not None:
            raise NotAllowed("name taken", refused.says)
        self._names.take(name, visit)

    def _sits(self, name: str) -> bool:
        house = self.casino.house
        here = any(name in map(t.player_at, t.taken_seats()) for t in house.tables().values())
        return here or seat_elsewhere(house, name) is not None

    def go(self, visitor: Visitor) -> None:
        """The name may be taken by the next bot, unless it sits somewhere still."""
        name = visitor.name
        with self._lock:
            if name is not None and visitor.bot and self._names.holds(name, visitor.visit):
                self._names.leave(name, visitor.visit, for_good=False)

    def exit(self, visitor: Visitor, cookie: str | None) -> tuple[Visitor, str]:
        found = self.read_cookie(cookie)
        if visitor.session and found is not None:
            self.casino.log_out(found[1].partition("\n")[2])
        elif visitor.name is not None:
            with self._lock:
                self._names.leave(visitor.name, visitor.visit)
        return self.welcome()

    def refill(self, visitor: Visitor) -> int:
        with self._refilling:
            held = self.funds(visitor.name) if visitor.name is not None else None
            if visitor.name is None or held is None:
                raise NotAllowed("not entered", "Enter under a name first.")
            if held < PLAY_MONEY:
                self.casino.cash_in(visitor.name, PLAY_MONEY - held, note="play money")
        return max(held, PLAY_MONEY)

    def reads_reports(self, visitor: Visitor) -> bool:
        """It is play money on one's own machine: everybody may look behind the scenes."""
        return True


class AccountIdentityProvider(IdentityProvider):
    """A casino with accounts: the cookie holds the token of a session of the office."""

    def visitor(self, cookie: str | None) -> Visitor | None:
        found = self.read_cookie(cookie)
        if found is None:
            return None
        visit, token = found
        if not token:
            return Visitor(visit=visit)
        try:
            name = self.casino.who_is(token)
        except NotAllowedIn:
            return Visitor(visit=visit)
        return self._known(visit, name, digest_of(token))

    def _known(self, visit: str, name: str, session: str) -> Visitor:
        return Visitor(visit=visit, name=name, rank=self.casino.rank_of(name), session=session)

    def now(self, visitor: Visitor, *, read: bool = True) -> Visitor:
        if visitor.name is None:
            return visitor
        if read:
            self.casino.refresh_office()
        if not self.casino.has_session(visitor.name, visitor.session):
            return Visitor(visit=visitor.visit)
        return self._known(visitor.visit, visitor.name, visitor.session)

    def enter(
        self, visitor: Visitor, name: str, *, bot: bool = False, proof: LogIn | None = None
    ) -> tuple[Visitor, str]:
        login = self._proved(name, proof or LogIn(password=""))
        # A new visit: what was known of the old one before the log-in is worth nothing after it.
        visit = secrets.token_urlsafe(18)
        entered = self._known(visit, login.name, digest_of(login.token))
        return entered, self.cookie(visit, login.token)

    def exit(self, visitor: Visitor, cookie: str | None) -> tuple[Visitor, str]:
        found = self.read_cookie(cookie)
        if found is not None and found[1] and visitor.name is not None:
            self.casino.log_out(found[1])
        return self.welcome()

    def go(self, visitor: Visitor) -> None:
        """No program enters here."""

    def refill(self, visitor: Visitor) -> int:
        raise NotAllowed("no play money", "This casino plays for money; the cage takes it in.")

    def reads_reports(self, visitor: Visitor) -> bool:
        """Staff of the House, whatever their post."""
        person = self.casino.office.state.people.get(visitor.name or "")
        return person is not None and person.kind == "staff"


def _holder(visit: str) -> str:
    """A visit as the office knows it: nobody can come with that."""
    return digest_of(f"holder {visit}")[:16]


def _b64(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()
