"""Makes the next seal of a House from what is stored.

Nothing is sealed that does not follow from what was sealed before: where a log no longer has the
event that the seal before named, somebody has changed it, and that is said instead.
"""

from __future__ import annotations

from datetime import datetime

from croupier.house.database import ALL
from croupier.house.errors import CorruptDatabase
from croupier.house.office import OFFICE
from croupier.house.records import written_time
from croupier.house.seals.kept import keep_seal, newest_number, newest_seals
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.records import (
    FIRST,
    FORMAT,
    WHOLE_EVERY,
    BadSeal,
    Seal,
    SignedSeal,
    Why,
    heads_digest,
    signed,
)
from croupier.house.seals.running import (
    NO_ENTRIES,
    NO_ORDERS,
    balances_digest,
    entries_since,
    newest_refused,
    newest_school,
    orders_since,
)
from croupier.house.seals.taking import CannotSeal
from croupier.house.store import Store

Heads = dict[str, tuple[int, str]]


class Before:
    """The seal before, with the heads of all logs as of then."""

    def __init__(self, last: SignedSeal | None, heads: Heads) -> None:
        self.last = last
        self.seal = last.read() if last is not None else None
        self.heads = heads


def seal_now(
    store: Store, key: SigningKey, why: Why, now: datetime, *, next_key: str = ""
) -> SignedSeal | None:
    """Seal what is stored; None where nothing has happened since the last seal, or another process
    has sealed in this moment."""
    with store.as_it_stands() as still:
        before = newest(still)
        _check_key(before, key)
        heads = {place: (head.position, head.digest.hex()) for place, head in still.heads().items()}
        _check_heads(still, before, heads)
        seal = _made(still, before, heads, key, why, now, next_key)
    if seal is None:
        return None
    made = signed(seal, key)
    return made if keep_seal(store, seal.number, made) else None


def newest(store: Store) -> Before:
    """The newest seal, with all heads: from the last that named them all."""
    number = newest_number(store)
    if not number:
        return Before(None, {})
    heads: Heads = {}
    some = newest_seals(store, (number - 1) % WHOLE_EVERY + 1)
    for given in reversed(some):
        heads |= given.read().heads
    return Before(some[0], heads)


def _check_key(before: Before, key: SigningKey) -> None:
    if before.seal is None:
        return
    expected = before.seal.next_key or before.seal.key
    if key.public != expected:
        raise CannotSeal(
            f"the key of this House is {expected}, and the one that it was given is {key.public}; "
            "another key follows when two people have approved it (docs/seals.md)"
        )


def _check_heads(store: Store, before: Before, heads: Heads) -> None:
    """What was sealed before is still there."""
    for place, (position, digest) in before.heads.items():
        there = store.digest_at(place, position)
        if there is None or there.hex() != digest:
            found = f"has digest {there.hex()}" if there is not None else "is not there"
            assert before.seal is not None
            raise BadSeal(
                f"event {position} of {place} was sealed with digest {digest} (seal "
                f"{before.seal.number}), and now {found}: the log was changed. Nothing is sealed; "
                "`croupier audit verify` says more"
            )
    events = sum(position for position, _ in heads.values())
    counted = store.database.execute("SELECT events FROM length WHERE log = ?", (ALL,))
    if counted != [(events,)]:
        raise CorruptDatabase(f"the logs have {events} events, and {counted} is what is counted")


def _made(
    store: Store,
    before: Before,
    heads: Heads,
    key: SigningKey,
    why: Why,
    now: datetime,
    next_key: str,
) -> Seal | None:
    last = before.seal
    house = last.house if last is not None else (store.digest_at(OFFICE, 1) or b"").hex()
    if not house:
        return None  # no House was founded yet: there is nothing to seal
    grown = {place: head for place, head in heads.items() if before.heads.get(place) != head}
    refused, school = newest_refused(store), newest_school(store)
    if last is not None and not (grown or next_key) and last.beside == (refused, school):
        return None
    number = last.number + 1 if last is not None else 1
    events = sum(position for position, _ in heads.values())
    after = {place: position for place, (position, _) in before.heads.items()}
    until = {place: position for place, (position, _) in grown.items()}
    named = heads if (number - 1) % WHOLE_EVERY == 0 else grown
    return Seal(
        croupier="seal",
        format=FORMAT,
        house=house,
        number=number,
        before=before.last.digest if before.last is not None else FIRST,
        at=written_time(now),
        why=why,
        key=key.public,
        events=events,
        heads=dict(sorted(named.items())),
        logs=heads_digest(heads),
        orders=orders_since(
            store, last.orders if last else NO_ORDERS, last.events if last else 0, events
        ),
        entries=entries_since(store, last.entries if last else NO_ENTRIES, after, until, {}),
        balances=balances_digest(store.balances()),
        refused=refused,
        school=school,
        next_key=next_key,
    )
