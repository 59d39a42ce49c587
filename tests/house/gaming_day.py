"""A whole gaming day: random legal play of all five games, with everything that can go wrong.

Everything goes through the casino and its office; one seed makes the whole day. After every single
command the books are compared with the tables: what the entries add up to is what lies there.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from croupier.house.answers import Answer
from croupier.house.casino import Casino
from croupier.house.ledger import AWARDS, BANK, CASH, holdings, may_be_negative
from croupier.house.office import OFFICE
from croupier.house.office import commands as orders
from croupier.house.office.events import BankFunded, CashedIn, CashedOut
from croupier.house.openings import round_of
from croupier.house.permissions import act_by_device
from croupier.house.records import Bundle
from croupier.house.software import CLOCK
from croupier.rulebooks import load
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Decide,
    DecisionNeeded,
    Refused,
    Table,
)
from tests.house import day_banked, day_poker
from tests.house.casino import BANKED, POKER
from tests.house.day_banked import OF_A_LINK, DayOfBanked, DayOfLink, LuckyShuffler
from tests.house.day_poker import DayOfPoker
from tests.house.lucky_secrets import LuckySecrets
from tests.house.seeded import Seeded
from tests.house.stacking import stack_decks
from tests.house.staff import employ

MORNING = datetime(2026, 11, 16, 6, 0, tzinfo=UTC)
TICK = timedelta(milliseconds=50)
GUESTS = tuple(f"Guest {n}" for n in range(1, 13))
MUCH = 1_000_000_000_00
STAFF = {
    ActorRank.DEALER: "Dan",
    ActorRank.PIT_SUPERVISOR: "Sue",
    ActorRank.PIT_MANAGER: "Max",
    ActorRank.SHIFT_MANAGER: "Sam",
}
WAITING_AT_MOST = 200
"""Commands that are under way to the disk before the day waits for them."""

V8, V5 = "no-limit-holdem-v8", "poker-v5"
V6 = "progressive-texas-holdem-v6"
M2, M3 = "multi-link-progressive-v2", "multi-link-progressive-v3"
BOOKS = (V8, V5, V6, M2, M3)

BY_HAND = {"dealing": "by-hand"}
REAL = {"dealing": "by-hand", "shoe": "reported"}
SHUFFLER = {"device": "shuffler"}

TABLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "P8": (V8, "", {"straddle": True, "maximum_stake": 1_000_000}),
    "P8 by hand": (V8, "", {"straddle": True, "maximum_stake": 1_000_000, **BY_HAND}),
    "P8 real": (V8, "", {"maximum_stake": 1_000_000, "rake": {"timed": 500, "minutes": 1}, **REAL}),
    "P5": (V5, "", {}),
    "P5 by hand": (V5, "", BY_HAND),
    "P5 real": (V5, "", REAL),
    "V6": (V6, "L6", {}),
    "V6 by hand": (V6, "L6 by hand", BY_HAND),
    "M2": (M2, "L2", {}),
    "M2 shuffler": (M2, "L2", SHUFFLER),
    "M2 by hand": (M2, "L2", BY_HAND),
    "M3": (M3, "L3", {}),
    "M3 shuffler": (M3, "L3", {**SHUFFLER, **BY_HAND}),
    "M3 by hand": (M3, "L3", BY_HAND),
}
"""Each table with its rulebook, its link and what is particular about it."""

LUCKY = "V6 by hand"
"""Where jackpots are won if no deck is stacked: what its link pays, a manager confirms."""

PAID_BY_HAND = 3
"""As many times: then the House chooses no secret any more."""

LINKS: dict[str, tuple[str, dict[str, Any]]] = {
    "L6": (V6, {"payment": "at once"}),
    "L6 by hand": (V6, {"payment": "confirmed", "ceiling": 5_100_000}),
    "L2": (M2, {"payment": "confirmed", "reserve_rate": "12.5"}),
    "L3": (M3, {"payment": "confirmed", "contribution": None, "contribution_rate": "3.333"}),
}


class Books:
    """Hears every bundle on its way to the disk, and holds the entries against the tables."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.balances: dict[str, int] = dict(casino.house.reader.balances())
        self.accounts: dict[str, set[str]] = {}
        self.bank_moved = 0
        self.cash = self.balances.get(CASH, 0)
        self.commands = 0
        writer = casino.house.writer
        self._put = writer.put
        writer.put = self.put  # type: ignore[method-assign]

    def put(self, bundle: Bundle, tell: Any, *, wake: bool = True) -> None:
        assert sum(entry.amount for entry in bundle.entries) == 0, bundle
        for entry in bundle.entries:
            after = self.balances.get(entry.account, 0) + entry.amount
            assert after >= 0 or may_be_negative(entry.account), f"{entry.account}: {after}"
            self.balances[entry.account] = after
        for place in bundle.expected:
            self._compare(place)
        if OFFICE in bundle.expected:
            self._cage(bundle)
        assert not self.balances.get(AWARDS, 0), "an award did not arrive"
        assert self.balances.get(CASH, 0) == self.cash, "cash that nobody brought or took"
        outside = [entry for entry in bundle.entries if entry.account.startswith("outside/")]
        assert not outside, f"chips that nobody has counted: {bundle.rows}"
        self.commands += 1
        self._put(bundle, tell, wake=wake)

    def _compare(self, place: str) -> None:
        """What the entries of a place add up to is what lies there, account by account."""
        held = holdings(place, self.casino.conversation(place))
        known = self.accounts.setdefault(place, set())
        known |= held.keys() - {AWARDS, BANK}
        for account in known:
            entered, lies = self.balances.get(account, 0), held.get(account, 0)
            assert entered == lies, f"{account}: {lies} lies there, the books say {entered}"

    def _cage(self, bundle: Bundle) -> None:
        for row in bundle.rows:
            if row.stream != OFFICE:
                continue
            match self.casino.office.read_event(row.event):
                case CashedIn(amount=amount):
                    self.cash -= amount
                case CashedOut(amount=amount):
                    self.cash += amount
                case BankFunded(amount=amount):
                    self.cash -= amount
                    self.bank_moved += amount
                case _:
                    continue

    def check_bank(self) -> None:
        """The House's bank is what it was given less what it has put into its jackpots."""
        links = self.casino.house.pit.links
        put_in = sum(holdings(p, link).get(BANK, 0) for p, link in links.items())
        assert self.balances.get(BANK, 0) == self.bank_moved + put_in
        assert sum(self.balances.values()) == 0


class Day:
    """The casino, its guests and staff, and what they have done so far."""

    def __init__(
        self,
        url: str,
        seed: int,
        *,
        copy: Path | None = None,
        trouble: float = 0.03,
        stacked: bool = True,
    ):
        self.url, self.copy = url, copy
        self.stacked = stacked
        """Whether decks are stacked, so that jackpots are won at every link; another process, which
        knows nothing of it, would find that such decks are not what secrets and seeds make. Else
        the House chooses a few of its secrets (`lucky_secrets`), and one link pays."""
        self.seed = seed
        self.chance = random.Random(seed)
        self.trouble = trouble
        """How often something goes wrong instead of going on."""
        self.now = MORNING
        self.given: Counter[tuple[str, str]] = Counter()
        """Accepted commands, by rulebook and kind."""
        self.decided: Counter[str] = Counter()
        self.cited: dict[str, set[str]] = {book: set() for book in BOOKS}
        self._pending: list[Future[Answer]] = []
        self.lucky = LuckySecrets(
            self.chance,
            wanted=lambda: self.given[TABLES[LUCKY][1], "PayClaims"] < PAID_BY_HAND,
            seated=lambda: len(self.casino.table(LUCKY).taken_seats()),
        )
        self._open("morning")
        self._furnish()

    # -- opening and closing -----------------------------------------------------------------

    def _open(self, name: str) -> None:
        source = Seeded(f"{self.seed} {name}")
        self.casino = Casino.open(
            self.url,
            password="the first password",
            copy=self.copy,
            clock=self._tick,
            source=source,
        )
        before = getattr(self, "books", None)
        self.books = Books(self.casino)
        if before is not None:
            self.books.bank_moved, self.books.commands = before.bank_moved, before.commands
        self.shuffler = LuckyShuffler(source, self)
        if self.stacked:
            stack_decks(self.casino.dealer, self.shuffler.shuffle)
        else:
            binding = self.casino.dealer.binding
            self.lucky.draw(binding, source, LUCKY)
        self.casino.house.listen(self._hear)

    def _hear(self, answer: Answer) -> None:
        for said in answer.said:
            self._cite(said.place, said.event.cites)

    def _cite(self, place: str, cites: tuple[str, ...]) -> None:
        if place in TABLES:
            self.cited[TABLES[place][0]].update(cites)

    def _tick(self) -> datetime:
        self.now += TICK
        return self.now

    def _furnish(self) -> None:
        casino = self.casino
        for rank, name in STAFF.items():
            for one in (name, f"another {name}"):
                employ(casino, one, rank.value, area="the pit")
        _accepted(casino.hire("Cal", "cashier", None, who="administrator", reason="opening"))
        _accepted(casino.tell(orders.FundBank(amount=5_000_000_00, reason="float"), who="Cal"))
        for name in GUESTS:
            self.account(name)
        for link, (book, more) in LINKS.items():
            settings = {"reset_value": 5_000_000, "contribution": 100, **more}
            _accepted(casino.add_link(orders.AddLink(link=link, rulebook=book, settings=settings)))
        for name, (book, link, more) in TABLES.items():
            settings = {**(POKER if book in (V8, V5) else BANKED), **more}
            if book == V6:
                settings["effective"] = "2020-01-01T00:00:00+08:00"
            area = "poker room" if book in (V8, V5) else "main floor"
            adding = orders.AddTable(
                table=name, rulebook=book, settings=settings, link=link, area=area
            )
            _accepted(casino.add_table(adding))
        self.links = {name: DayOfLink(self, name) for name in LINKS}
        self.tables = {
            name: (DayOfPoker if book in (V8, V5) else DayOfBanked)(self, name)
            for name, (book, _, _) in TABLES.items()
        }

    def account(self, name: str) -> str:
        """A player with much money; the same one if he has an account already."""
        if name not in self.casino.office.state.people:
            _accepted(self.casino.open_account(name))
            _accepted(self.casino.cash_in(name, MUCH, who="Cal"))
        return name

    def crash(self) -> None:
        """The software stops without a word and is started again: the books decide (5.1, 5.7)."""
        self.settle()
        self.casino.close()
        self._open(f"after a crash at {self.now}")

    def close(self) -> None:
        """Wait for the disk, and stop as planned."""
        self.settle()
        self.books.check_bank()
        self.casino.stop()

    # -- commands ----------------------------------------------------------------------------

    def give(
        self, place: str, command: Command, rank: ActorRank, who: str
    ) -> tuple[Any, ...] | Refused | str:
        """Give a command: () if it was accepted, else the refusal or why it cannot be. What the
        dealer enters for players at this table, he gives."""
        if rank is ActorRank.PLAYER:
            entered = self.casino.conversation(place).entered_by_dealer
            if type(command) in entered:
                rank, who = ActorRank.DEALER, self.on_duty(ActorRank.DEALER)
        try:
            future = self.casino.house.give(place, command, who=who, rank=rank)
        except BadCommand as error:
            return str(error)
        if future.done():
            refused = future.result().refused
            if refused is not None:
                assert refused.cites, f"a refusal without a citation: {command}"
                self._cite(place, refused.cites)
                return refused
        book = TABLES[place][0] if place in TABLES else place
        self.given[book, type(command).__name__] += 1
        self.wait(future)
        return ()

    def wait(self, future: Future[Answer] | None) -> None:
        """Keep a command in mind until it is durable."""
        assert future is not None
        self._pending.append(future)
        if len(self._pending) > WAITING_AT_MOST:
            self.settle()

    def settle(self) -> None:
        """Wait until everything is durable."""
        for future in self._pending:
            refused = future.result().refused
            assert refused is None, refused
        self._pending.clear()

    def decide(
        self,
        place: str,
        detail: Callable[[str, str, DecisionNeeded], Any],
        without: Collection[str] = (),
    ) -> None:
        """Answer what a place asks by any option; if its details cannot be, by another one."""
        waiting = self.casino.conversation(place).state.waiting
        asked = [need for need in waiting if isinstance(need, DecisionNeeded)]
        if not asked:
            return
        need = min(asked, key=lambda each: not each.holds)
        offered = [option for option in need.options if option.name not in without]
        options = self.chance.sample(offered, len(offered))
        if self.chance.random() < 0.5:  # a round that is void ends what else could happen in it
            options.sort(key=lambda option: option.name in ("void", "void round", "confirm"))
        for option in (options[0], *sorted(options, key=lambda o: len(o.asks))):
            details = {key: detail(key, kind, need) for key, kind in option.asks.items()}
            said = Decide(
                decision=need.decision, option=option.name, details=details, reason="so ruled"
            )
            rank, who = self._who_answers(place, need)
            if isinstance(self.give(place, said, rank, who), tuple):
                self.decided[f"{need.question}: {option.name}"] += 1
                return
        raise AssertionError(f"{place}: nothing answers {need}")

    def _who_answers(self, place: str, need: DecisionNeeded) -> tuple[ActorRank, str]:
        if isinstance(need.of, ActorRank):
            who = self.on_duty(need.of)
            return need.of, who if who != need.not_by else f"another {who}"
        table = self.casino.table(place)
        who = table.player_at(need.of)
        if who is None or self.chance.random() < 0.3:
            # Where players act by their own devices only the clock answers for one of them.
            clock = act_by_device(table)
            return ActorRank.DEALER, CLOCK if clock else STAFF[ActorRank.DEALER]
        return ActorRank.PLAYER, who

    # -- who and what ------------------------------------------------------------------------

    def on_duty(self, rank: ActorRank) -> str:
        return STAFF.get(rank, "house")

    def guest(self, place: str, number: int) -> str:
        """Somebody who is not at this table."""
        table = self.casino.table(place)
        here = {table.player_at(n) for n in table.taken_seats()}
        free = [name for name in GUESTS if name not in here]
        if not free:
            return self.account(f"Guest {len(self.casino.office.state.people)}")
        return self.chance.choice(free)

    def relocate(self, place: str, number: int) -> None:
        """Bring somebody who sits at another table of the same game, if anybody may go: an act of
        the office, by which all chips go along."""
        here = self.casino.table(place)
        taken = {here.player_at(n) for n in here.taken_seats()}
        others = [
            (name, player)
            for name, (book, _, _) in TABLES.items()
            if book == TABLES[place][0] and name != place
            for seat in self.casino.table(name).taken_seats()
            if (player := self.casino.table(name).player_at(seat)) not in (None, *taken)
        ]
        if not others:
            return
        table, player = self.chance.choice(others)
        assert player is not None
        move = orders.RelocatePlayer(
            player=player, table=table, to=place, seat=number, reason="a seat is free"
        )
        try:
            answer = self.casino.tell(move, who=self.on_duty(ActorRank.SHIFT_MANAGER))
        except BadCommand:
            return
        if answer.refused is not None:
            assert answer.refused.cites, f"a refusal without a citation: {move}"

    def link_of(self, place: str) -> DayOfLink | None:
        return self.links.get(TABLES[place][1])

    def missing(self, book: str) -> set[str]:
        """The irregularities of a book that have not happened yet."""
        return {kind for kind in irregularities(book) if not self.given[book, kind]}

    def missing_at_links(self) -> set[str]:
        """What managers have done at none of the links yet."""
        done = {kind for place, kind in self.given if place in LINKS}
        return {kind.__name__ for kind in OF_A_LINK} - done - OPENS_A_LINK.keys()

    def all_missing(self) -> set[str]:
        """What has not gone wrong yet, at any table of a game or at any link."""
        at_tables = {f"{book}: {kind}" for book in BOOKS for kind in self.missing(book)}
        return at_tables | self.missing_at_links()

    def uncited(self) -> set[str]:
        """The paragraphs of section 5, irregularities, that nothing has rested on yet."""
        return {
            f"{book}: {paragraph}"
            for book in BOOKS
            for paragraph in load(book).paragraphs
            if paragraph.startswith("5.") and paragraph not in self.cited[book]
        }

    def is_complete(self) -> bool:
        """Whether everything has gone wrong today that can go wrong."""
        return not (self.uncited() or self.all_missing())

    def played(self, name: str) -> int:
        """Rounds at one table."""
        return round_of(self.casino.table(name))

    def rounds(self) -> Counter[str]:
        """Rounds of each game so far."""
        found: Counter[str] = Counter()
        for name, (book, _, _) in TABLES.items():
            found[book] += self.played(name)
        return found

    # -- the day -----------------------------------------------------------------------------

    def play(self, rounds: int, until: Callable[[], bool] = lambda: True) -> None:
        """Play on at all tables until each game has so many rounds, and until something is so."""
        open_books = {book for book in BOOKS if self.rounds()[book] < rounds}
        steps = told = 0
        while open_books or not until():
            names = [name for name, (book, _, _) in TABLES.items() if book in open_books] or [
                *TABLES
            ]
            for _ in range(200):
                self.tables[self.chance.choice(names)].step()
                if self.chance.random() < 0.1 * self.trouble + 0.005:
                    self.links[self.chance.choice(list(LINKS))].step()
                if self.chance.random() < 0.01:
                    self._at_the_cage()
            self.settle()  # what was said is heard when it is durable
            open_books = {book for book in BOOKS if self.rounds()[book] < rounds}
            steps += 200
            if sum(self.rounds().values()) >= told + 500:
                told = sum(self.rounds().values())
                lacks = f", not yet: {', '.join(sorted(self.all_missing())[:3])}"
                sys.stdout.write(f"{told:,} rounds{lacks if self.all_missing() else ''}\n")
            assert steps < 1_000 * rounds + 100_000, f"the day does not end: {self.rounds()}"
        self.settle()

    def _at_the_cage(self) -> None:
        guest, other = self.chance.sample(GUESTS, 2)
        amount = self.chance.randrange(1, 10_000)
        acts: list[Command] = [
            orders.CashIn(player=guest, amount=amount),
            orders.CashOut(player=guest, amount=amount),
            orders.Transfer(payer=guest, payee=other, amount=amount, reason="a loan"),
        ]
        _accepted(self.casino.tell(self.chance.choice(acts), who="Cal"))

    def finish_rounds(self) -> None:
        """Play every round that is under way to its end."""
        self.trouble = 0.0
        for name, at in self.tables.items():
            for _ in range(2_000):
                table: Table[Any] = self.casino.table(name)
                held = any(getattr(need, "holds", True) for need in table.state.waiting)
                if not table.playing() and not held:
                    break
                at.step()
            else:
                raise AssertionError(f"{name} does not finish: {table.facts()}")
        self.settle()


def irregularities(book: str) -> set[str]:
    """The names of all commands that a game has for what goes wrong."""
    kinds = day_poker.IRREGULARITIES if book in (V8, V5) else day_banked.IRREGULARITIES
    return {kind.__name__ for kind in kinds}


OPENS_A_LINK = {
    "OpenLink": "given by the office when a link is set up",
    "JoinTable": "given by the office when a table is set up",
    "RemoveTable": "only before a change of rulebook",
    "ProposeRulebook": "between days, not in play",
}
"""What the managers of a link do not do on an ordinary day, and why."""


def _accepted(answer: Answer) -> None:
    assert answer.refused is None, answer.refused
