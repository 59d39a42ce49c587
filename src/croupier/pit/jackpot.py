"""How case files set up a jackpot link."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from croupier.jackpot import JackpotLink, LinkFacts
from croupier.jackpot.commands import OpenLink
from croupier.jackpot.settings import Payment, Percent
from croupier.pit.game import LinkKit
from croupier.table import ActorRank, Command, Conversation, Money


class LinkSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may stand under [links.NAME]: the settings of a link, and the value it opens with."""

    reset_value: Money
    contribution: Money | None = None
    contribution_rate: Percent | None = None
    meter: Money | None = None
    """The meter when the case begins; the reset value if not said."""
    reserve_rate: Percent = "0"
    ceiling: Money | None = None
    unreasonable: Money | None = None
    payment: Payment = "confirmed"
    display_pace: Money | None = None
    house_rank: ActorRank = ActorRank.PIT_MANAGER
    tables: tuple[str, ...] | None = None
    """The tables that hang on it when it opens; all that name it if not said."""


class JackpotKit(LinkKit):
    """How the pit makes a jackpot link."""

    link_type = JackpotLink
    setup_type = LinkSetup
    facts_type = LinkFacts

    def opening(self, name: str, setup: Any, tables: Sequence[str]) -> Iterator[Command]:
        return self.opening_under(name, setup, tables, {})

    def opening_under(
        self, name: str, setup: Any, tables: Sequence[str], policies: dict[str, str]
    ) -> Iterator[Command]:
        """Open the link with what the case says of it."""
        assert isinstance(setup, LinkSetup)
        settings = msgspec.to_builtins(setup)
        settings["start"] = settings.pop("meter")
        named = settings.pop("tables")
        yield OpenLink(
            link=name,
            settings=settings,
            tables=tuple(tables) if named is None else tuple(named),
            policies=policies,
        )

    def facts(self, link: Conversation[Any]) -> Struct:
        assert isinstance(link, JackpotLink)
        return link.facts()


JACKPOT = JackpotKit()
