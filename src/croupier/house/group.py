"""Which bundles of a group may be stored, and what is then to be written. No database is here.

A group knows how far the logs go and what the accounts hold. Each bundle is judged against that
and against the bundles before it; one that may not be stored is turned away alone and leaves no
trace in the others.

Every command of the House comes through here, so it is written to be quick: one pass over the
rows, one over the entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from croupier.house.chain import LINES, ORDER_LINES, START, heading, order_heading
from croupier.house.errors import Conflict, HouseError, Malformed, Unbalanced
from croupier.house.ledger import may_be_negative
from croupier.house.records import Bundle

GREATEST = 2**63 - 1
"""What a column of whole numbers holds, in cents: ninety thousand million million."""

NOTHING = (0, START)
"""The head of a log without events."""

Heads = dict[str, tuple[int, bytes]]
Amounts = dict[str, int]

ORDER = (
    *("number", "command_id", "place", "who", "rank", "at"),
    *("authority", "software", "also", "command"),
)
"""The columns of an order that are its own; `events` and `digest` say what came of it."""
OrderRow = tuple[int | str | bytes | None, ...]
LogRow = tuple[int | str | bytes, ...]
"""A row in the order of the columns of the log."""
NO_ORDER = ("", "", "", "", "", "", b"", None)
"""What stands in place of an order, after its id, where only rows are stored."""


class Group:
    """The bundles that are stored in one transaction."""

    def __init__(
        self,
        heads: Heads,
        balances: Amounts,
        *,
        known: set[str],
        opened: set[str],
        failed: dict[str, int] | None = None,
        length: int = 0,
    ) -> None:
        self._length = length
        """How many events all logs had before this group."""
        self._heads = heads
        self._balances = balances
        self._known = known
        self._opened = opened
        self.failed = dict(failed or {})
        """The generation of each place of which a bundle was turned away: whatever it has answered
        since is turned away too."""
        self.orders: list[OrderRow] = []
        self.ids: list[str] = []
        self.rows: list[LogRow] = []
        self.grown: Heads = {}
        self.entries: list[tuple[str, int, str, int]] = []
        self.moved: Amounts = {}
        self.secrets: dict[tuple[str, str], str] = {}
        self.openings: list[tuple[str, str, bytes]] = []
        self.snapshots: dict[str, tuple[str, int, bytes]] = {}

    def take(self, bundle: Bundle) -> HouseError | None:
        """Add a bundle, or say why not. Its rows then carry their digests."""
        more = bundle.secrets or bundle.openings or bundle.snapshots
        moved: Amounts = {}
        entries: list[tuple[str, int, str, int]] = []
        try:
            self._check_versions(bundle)
            unbound = self._ordered(bundle)
            grown, rows = self._linked(bundle)
            if bundle.entries:
                moved = self._moved(bundle)
                entries = _entries(bundle)
            if more:
                self._check_more(bundle, grown)
        except HouseError as problem:
            self.failed.update(bundle.generations)
            return problem
        self._known.add(bundle.command_id)
        self.ids.append(bundle.command_id)
        self.orders.append(order_row(bundle, unbound))
        self.rows += rows
        self._heads.update(grown)
        self.grown.update(grown)
        if moved:
            self.entries += entries
            for account, amount in moved.items():
                self._balances[account] = self._balances.get(account, 0) + amount
                self.moved[account] = self.moved.get(account, 0) + amount
        if more:
            self._take_more(bundle)
        return None

    def _take_more(self, bundle: Bundle) -> None:
        for secret in bundle.secrets:
            self.secrets[secret.name, secret.kind] = secret.secret
        for opening in bundle.openings:
            self._opened.add(opening.shuffle)
            self.openings.append((opening.shuffle, opening.stream, opening.seed))
        for kept in bundle.snapshots:
            self.snapshots[kept.stream] = (kept.stream, kept.position, kept.state)

    # -- the log -----------------------------------------------------------------------------

    def _check_versions(self, bundle: Bundle) -> None:
        for stream, expected in bundle.expected.items():
            found = self._heads.get(stream, NOTHING)[0]
            if found != expected:
                raise Conflict(f"{stream} is at event {found}, not at {expected}")
        if self.failed:
            for stream, generation in bundle.generations.items():
                # The position may fit all the same: another process may have stored an event there.
                if self.failed.get(stream) == generation:
                    raise Conflict(f"what {stream} was told before this could not be stored")
        if bundle.command_id in self._known:
            raise Conflict(f"command {bundle.command_id} is stored already")
        if not bundle.rows:  # with rows, the id is checked with the first of them
            check_texts((bundle.command_id,))

    def _ordered(self, bundle: Bundle) -> bytes:
        """Give the order its number, and bind its first row to it; return its digest where there
        is no such row."""
        order = bundle.order
        if order is None:
            return b""
        if order.command_id != bundle.command_id:
            raise Malformed(f"command {bundle.command_id} comes with order {order.command_id}")
        order.number = self._length + len(self.rows)
        text = order_heading(order)
        if text.count("\n") != ORDER_LINES - 1 or "\0" in text:
            raise Malformed(f"a name or time holds a line feed or a NUL: {text!r}")
        command = order.stored or order.command
        if b"\n" in order.also or b"\n" in command or not command:
            raise Malformed(f"order {order.command_id} is not one line of JSON")
        made = sha256(b"%s%s\n%s" % (_written(text), order.also, command)).digest()
        for row in bundle.rows:
            if row.stream == order.place:
                row.order = made
                return b""
        return made

    def _linked(self, bundle: Bundle) -> tuple[Heads, list[LogRow]]:
        """Chain the rows to the heads of their logs; return the heads after them, and the rows as
        they are stored."""
        command_id, expected = bundle.command_id, bundle.expected
        grown: Heads = {}
        rows: list[LogRow] = []
        for row in bundle.rows:
            stream, position, event = row.stream, row.position, row.stored or row.event
            if stream not in expected:
                raise Malformed(
                    f"command {command_id} does not say how far {stream} went before it"
                )
            before, last = grown.get(stream) or self._heads.get(stream, NOTHING)
            if position != before + 1:
                raise Malformed(f"event {position} of {stream} would follow event {before}")
            if row.command_id != command_id:
                raise Malformed(f"event {position} of {stream} is of command {row.command_id}")
            text = heading(row)
            if text.count("\n") != LINES or "\0" in text:
                raise Malformed(f"a name or time holds a line feed or a NUL: {text!r}")
            if b"\n" in event or not event:
                raise Malformed(f"event {position} of {stream} is not one line of JSON")
            digest = row.digest = sha256(last + _written(text) + event).digest()
            grown[stream] = (position, digest)
            rows.append(
                (stream, position, command_id, row.who, row.rank, row.at, event, digest, row.order)
            )
        return grown, rows

    # -- the ledger --------------------------------------------------------------------------

    def _moved(self, bundle: Bundle) -> Amounts:
        """What each account gains by a bundle; the whole must come to nothing."""
        moved: Amounts = {}
        balances = self._balances
        for entry in bundle.entries:
            account, amount = entry.account, entry.amount
            if type(amount) is not int:
                raise Malformed(f"{account} cannot gain {amount!r}: no whole cents")
            if account not in balances:  # the name of one that is stored was checked then
                check_texts((account,))
            moved[account] = moved.get(account, 0) + amount
        if total := sum(moved.values()):
            raise Unbalanced(
                f"the entries of command {bundle.command_id} do not balance: they sum to {total}"
            )
        for account, amount in moved.items():
            after = balances.get(account, 0) + amount
            if after < 0 and amount < 0 and not may_be_negative(account):
                raise Unbalanced(
                    f"command {bundle.command_id} takes {-amount} from {account}, "
                    f"which holds {after - amount}"
                )
            if abs(after) > GREATEST:
                raise Unbalanced(f"{account} would hold more than can be written: {after}")
        return moved

    # -- secrets, openings, snapshots --------------------------------------------------------

    def _check_more(self, bundle: Bundle, grown: Heads) -> None:
        for secret in bundle.secrets:
            check_texts((secret.name, secret.kind, secret.secret))
        seen: set[str] = set()
        for opening in bundle.openings:
            check_texts((opening.shuffle, opening.stream))
            if opening.shuffle in self._opened or opening.shuffle in seen:
                raise Conflict(f"shuffle {opening.shuffle} has its opening already")
            seen.add(opening.shuffle)
        for kept in bundle.snapshots:
            if grown.get(kept.stream, NOTHING)[0] != kept.position:
                raise Malformed(
                    f"a state of {kept.stream} after event {kept.position} is not what command "
                    f"{bundle.command_id} leaves"
                )


def order_row(bundle: Bundle, unbound: bytes) -> OrderRow:
    """What is stored of an order; its own digest only where no row is bound to it."""
    order, events = bundle.order, len(bundle.rows)
    if order is None:
        return (None, bundle.command_id, *NO_ORDER, events, None)
    return (
        order.number,
        order.command_id,
        order.place,
        order.who,
        order.rank,
        order.at,
        order.authority,
        order.software,
        order.also,
        order.stored or order.command,
        events,
        unbound or None,
    )


def _entries(bundle: Bundle) -> list[tuple[str, int, str, int]]:
    """One entry for each event and account; each belongs to an event of its own command."""
    events = {(row.stream, row.position) for row in bundle.rows}
    summed: dict[tuple[str, int, str], int] = {}
    for entry in bundle.entries:
        stream, position, account = entry.stream, entry.position, entry.account
        if (stream, position) not in events:
            raise Malformed(
                f"an entry of {account} names event {position} of {stream}, "
                f"which is not of command {bundle.command_id}"
            )
        key = stream, position, account
        summed[key] = summed.get(key, 0) + entry.amount
    if max(summed.values()) > GREATEST or min(summed.values()) < -GREATEST:
        raise Malformed(f"command {bundle.command_id} has an entry that cannot be written")
    return [(*key, amount) for key, amount in summed.items()]


def check_texts(texts: Iterable[str]) -> None:
    """Every database must be able to hold these."""
    for text in texts:
        if "\0" in text:
            raise Malformed(f"{text!r} holds a NUL")
        _written(text)


def _written(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Malformed(f"{text!r} cannot be written as UTF-8") from error
