"""Views of one table for many: the public's whole, and of each player only what differs from it.

Most of a table is the same for all who look. Kept like this, what has changed of it from one moment
to the next is found once for the public, and for a player only in the few fields of their own; a
whole view is made of both when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

Own = Mapping[str, Any]
"""The fields of a view that are otherwise for a player than for the public."""


class Views(Struct, frozen=True, kw_only=True):
    """What the public and some players see of a table at one moment."""

    public: Struct
    own: Mapping[str | None, Own]
    """Of each who looks, by name, and by None for the public; nothing where it is the same."""

    def __getitem__(self, who: str | None) -> Struct:
        """The whole view of one who looks."""
        own = self.own[who]
        return structs.replace(self.public, **own) if own else self.public


def told_apart(public: Struct, views: Mapping[str | None, Struct]) -> Views:
    """Views that were made one by one."""
    own = {
        who: {
            name: value
            for name, value in structs.asdict(view).items()
            if value != getattr(public, name)
        }
        for who, view in views.items()
    }
    return Views(public=public, own=own)
