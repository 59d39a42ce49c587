"""Patches: what has changed of a view since the one before, for who keeps that one.

A view of a table is some two thousand bytes, and a command changes little of it. A patch is made
from two views that the same audience was to see, so it can hold nothing that the second one does
not, and says nothing of what is the same in both.

    {"set": {"turn": 4, "pot": 4500}, "each": {"seats": {"3": {"stake": 900}, "5": null}}}

`set` has the new values of whole fields. `each` is for fields that hold a record for each seat or
box: of each only what has changed, all of one that was not there, and null for one that is gone.
`patched` is what a receiver does with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct, structs

from croupier.live.audience import Audience
from croupier.table import Table
from croupier.table.views import Own, Views

_encoder = msgspec.json.Encoder()

Fields = dict[str, Any]


class Patch(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What has changed of a view."""

    set: dict[str, Any] = {}
    """The fields that have another value now."""
    each: dict[str, dict[int | str, dict[str, Any] | None]] = {}
    """Of fields that hold a record for each seat or box: what has changed of each."""


class Moment(Struct, frozen=True, kw_only=True):
    """What the audiences of a table see at one moment, the public always among them."""

    table: Table[Any]
    """The very table: one that was read again from its log is another."""
    position: int
    names: frozenset[str]
    """Who sat there: whoever sits down or leaves sees as somebody else from then on."""
    views: Views

    def follows(self, before: Moment | None, first: int) -> bool:
        """Whether the events from a position on have led here from the moment before, and everybody
        is whom he was then."""
        return (
            before is not None
            and before.table is self.table
            and before.position == first - 1
            and before.names == self.names
        )


def patches(before: Moment, now: Moment, audiences: Iterable[Audience]) -> dict[Audience, Raw]:
    """What has changed for each of these audiences; who was not there before has none. Those for
    whom the same has changed as for the public share one."""
    public = _Public(before.views.public, now.views.public)
    were, are = before.views.own, now.views.own
    return {
        audience: public.for_one(were[audience], are[audience])
        for audience in audiences
        if audience in were
    }


class _Public:
    """What has changed for the public, from which that of a player is made: only in fields of
    their own something else may have."""

    def __init__(self, old: Struct, new: Struct) -> None:
        self._old, self._new = old, new
        self._patch = changes(old, new)
        self._encoded = Raw(_encoder.encode(self._patch))

    def for_one(self, old: Own, new: Own) -> Raw:
        """What has changed for one who looks, of whom these fields are otherwise."""
        public = self._patch
        own: Patch | None = None
        for name in old if old.keys() == new.keys() else {**old, **new}:
            a = old[name] if name in old else getattr(self._old, name)
            b = new[name] if name in new else getattr(self._new, name)
            changed = a != b
            if changed or name in public.set or name in public.each:
                own = own or Patch(set=dict(public.set), each=dict(public.each))
                own.set.pop(name, None)
                own.each.pop(name, None)
                if changed:
                    _note(own, name, a, b)
        return self._encoded if own is None else Raw(_encoder.encode(own))


def changes(old: Struct, new: Struct) -> Patch:
    """What has changed from one view to another of the same kind."""
    made = Patch(set={}, each={})
    for name, a, b in zip(
        new.__struct_encode_fields__, structs.astuple(old), structs.astuple(new), strict=True
    ):
        if a is not b and a != b:
            _note(made, name, a, b)
    return made


def _note(patch: Patch, name: str, old: Any, new: Any) -> None:
    """Put into a patch what a field was and is."""
    if type(new) is dict and (_is_records(new) or _is_records(old)):
        patch.each[name] = _of_each(old, new)
    else:
        patch.set[name] = new


def _changed(old: Struct, new: Struct) -> Fields:
    return {
        name: b
        for name, a, b in zip(
            new.__struct_encode_fields__, structs.astuple(old), structs.astuple(new), strict=True
        )
        if a is not b and a != b
    }


def _is_records(value: dict[Any, Any]) -> bool:
    """Whether a field holds a record for each seat or box; what holds nothing does not say so."""
    return isinstance(next(iter(value.values()), None), Struct)


def _of_each(
    old: dict[Any, Struct], new: dict[Any, Struct]
) -> dict[int | str, dict[str, Any] | None]:
    found: dict[int | str, Fields | None] = {key: None for key in old if key not in new}
    for key, record in new.items():
        was = old.get(key)
        if was is None:
            found[key] = dict(
                zip(record.__struct_encode_fields__, structs.astuple(record), strict=True)
            )
        elif was is not record and was != record:
            found[key] = _changed(was, record)
    return found


def patched(view: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """A view with its patch, both as they are read from JSON; the view itself stays as it is."""
    made = {**view, **patch.get("set", {})}
    for name, each in patch.get("each", {}).items():
        records = dict(made[name])
        for key, changed in each.items():
            if changed is None:
                records.pop(key, None)
            else:
                records[key] = {**records.get(key, {}), **changed}
        made[name] = records
    return made
