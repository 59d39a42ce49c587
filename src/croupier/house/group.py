"""Which bundles of a group may be stored, and what is then to be written. No database is here.

A group knows how far the logs go and what the accounts hold. Each bundle is judged against that
and against the bundles before it; one that may not be stored is turned away alone and leaves no
trace in the others.
"""

from __future__ import annotations

import hashlib

from croupier.house.chain import LINES, START, heading
from croupier.house.errors import Conflict, HouseError, Malformed, Unbalanced
from croupier.house.ledger import may_be_negative
from croupier.house.records import Bundle, Row

GREATEST = 2**63 - 1
"""What a column of whole numbers holds, in cents: ninety thousand million million."""

NOTHING = (0, START)
"""The head of a log without events."""


class Group:
    """The bundles that are stored in one transaction."""

    def __init__(
        self,
        heads: dict[str, tuple[int, bytes]],
        balances: dict[str, int],
        *,
        known: set[str],
        opened: set[str],
    ) -> None:
        self._heads = heads
        self._balances = balances
        self._known = known
        self._opened = opened
        self.commands: list[tuple[str, int]] = []
        self.rows: list[tuple[str, int, str, str, str, str, bytes, bytes]] = []
        self.entries: list[tuple[str, int, str, int]] = []
        self.moved: dict[str, int] = {}
        self.grown: dict[str, tuple[int, bytes]] = {}
        self.secrets: dict[tuple[str, str], str] = {}
        self.openings: list[tuple[str, str, bytes]] = []
        self.snapshots: dict[str, tuple[str, int, bytes]] = {}

    def take(self, bundle: Bundle) -> HouseError | None:
        """Add a bundle, or say why not. Its rows then carry their digests."""
        try:
            self._check_versions(bundle)
            linked, grown = self._linked(bundle)
            _check_texts(bundle)
            entries = _entries(bundle)
            moved = self._moved(bundle)
            self._check_openings(bundle)
            _check_snapshots(bundle, grown)
        except HouseError as problem:
            return problem
        bundle.rows[:] = linked
        self._heads.update(grown)
        self.grown.update(grown)
        self._known.add(bundle.command_id)
        self.commands.append((bundle.command_id, len(linked)))
        self.rows += [
            (r.place, r.position, r.command_id, r.who, r.rank, r.at, r.event, r.digest)
            for r in linked
        ]
        if entries:
            self.entries += entries
            for account, amount in moved.items():
                self._balances[account] = self._balances.get(account, 0) + amount
                self.moved[account] = self.moved.get(account, 0) + amount
        for secret in bundle.secrets:
            self.secrets[secret.name, secret.kind] = secret.secret
        for opening in bundle.openings:
            self._opened.add(opening.shuffle)
            self.openings.append((opening.shuffle, opening.place, opening.seed))
        for kept in bundle.snapshots:
            self.snapshots[kept.place] = (kept.place, kept.position, kept.state)
        return None

    def _check_versions(self, bundle: Bundle) -> None:
        for place, expected in bundle.expected.items():
            found = self._heads.get(place, NOTHING)[0]
            if found != expected:
                raise Conflict(f"{place} is at event {found}, not at {expected}")
        if bundle.command_id in self._known:
            raise Conflict(f"command {bundle.command_id} is stored already")

    def _linked(self, bundle: Bundle) -> tuple[list[Row], dict[str, tuple[int, bytes]]]:
        """The rows chained to the heads of their logs, and the heads after them."""
        command_id = bundle.command_id
        heads = {place: self._heads.get(place, NOTHING) for place in bundle.expected}
        grown: dict[str, tuple[int, bytes]] = {}
        linked = []
        for row in bundle.rows:
            place, position = row.place, row.position
            if place not in heads:
                raise Malformed(f"command {command_id} does not say how far {place} went before it")
            before, last = heads[place]
            if position != before + 1:
                raise Malformed(f"event {position} of {place} would follow event {before}")
            if row.command_id != command_id:
                raise Malformed(f"event {position} of {place} is of command {row.command_id}")
            made = hashlib.sha256(last + _heading(row) + row.event).digest()
            heads[place] = grown[place] = (position, made)
            linked.append(
                Row(
                    place=place,
                    position=position,
                    command_id=command_id,
                    who=row.who,
                    rank=row.rank,
                    at=row.at,
                    event=row.event,
                    digest=made,
                )
            )
        return linked, grown

    def _moved(self, bundle: Bundle) -> dict[str, int]:
        """What each account gains by a bundle; the whole must come to nothing."""
        moved: dict[str, int] = {}
        for entry in bundle.entries:
            if type(entry.amount) is not int:
                raise Malformed(f"{entry.account} cannot gain {entry.amount!r}: no whole cents")
            moved[entry.account] = moved.get(entry.account, 0) + entry.amount
        if total := sum(moved.values()):
            raise Unbalanced(
                f"the entries of command {bundle.command_id} do not balance: they sum to {total}"
            )
        for account, amount in moved.items():
            after = self._balances.get(account, 0) + amount
            if after < 0 and amount < 0 and not may_be_negative(account):
                raise Unbalanced(
                    f"command {bundle.command_id} takes {-amount} from {account}, "
                    f"which holds {after - amount}"
                )
            if abs(after) > GREATEST:
                raise Unbalanced(f"{account} would hold more than can be written: {after}")
        return moved

    def _check_openings(self, bundle: Bundle) -> None:
        seen: set[str] = set()
        for opening in bundle.openings:
            if opening.shuffle in self._opened or opening.shuffle in seen:
                raise Conflict(f"shuffle {opening.shuffle} has its opening already")
            seen.add(opening.shuffle)


def _heading(row: Row) -> bytes:
    """The text before the event, if every database can hold it and the chain can tell it apart."""
    text = heading(row)
    if text.count("\n") != LINES or "\0" in text:
        raise Malformed(f"a name or time holds a line feed or a NUL: {text!r}")
    if b"\n" in row.event or not row.event:
        raise Malformed(f"event {row.position} of {row.place} is not one line of JSON")
    return _written(text)


def _written(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Malformed(f"{text!r} cannot be written as UTF-8") from error


def _entries(bundle: Bundle) -> list[tuple[str, int, str, int]]:
    """One entry for each event and account; each belongs to an event of its own command."""
    if not bundle.entries:
        return []
    events = {(row.place, row.position) for row in bundle.rows}
    summed: dict[tuple[str, int, str], int] = {}
    for entry in bundle.entries:
        if (entry.place, entry.position) not in events:
            raise Malformed(
                f"an entry of {entry.account} names event {entry.position} of {entry.place}, "
                f"which is not of command {bundle.command_id}"
            )
        key = entry.place, entry.position, entry.account
        summed[key] = summed.get(key, 0) + entry.amount
    return [(*key, amount) for key, amount in summed.items()]


def _check_snapshots(bundle: Bundle, grown: dict[str, tuple[int, bytes]]) -> None:
    for kept in bundle.snapshots:
        if grown.get(kept.place, NOTHING)[0] != kept.position:
            raise Malformed(
                f"a state of {kept.place} after event {kept.position} is not what command "
                f"{bundle.command_id} leaves"
            )


def _check_texts(bundle: Bundle) -> None:
    """Texts that are not in the chain must be writable too, in every database."""
    texts = [entry.account for entry in bundle.entries]
    for secret in bundle.secrets:
        texts += (secret.name, secret.kind, secret.secret)
    for opening in bundle.openings:
        texts += (opening.shuffle, opening.place)
    if not texts:
        return
    together = "\n".join(texts)
    if "\0" in together:
        raise Malformed(f"a name of command {bundle.command_id} holds a NUL: {together!r}")
    _written(together)
