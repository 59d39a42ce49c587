"""How players act at a table: by their own devices, or seen by the dealer, who enters it.

Who deals is another setting. A table that says neither takes both, as case files do. Where players
act by device nobody enters what somebody was seen to do; where the dealer enters it, a player's own
command is refused, so that nothing is entered twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NoReturn

from croupier.rulebooks import Topic
from croupier.table.actor import ActorRank
from croupier.table.command import Command, Order
from croupier.table.refusal import Refusal, Refused

Dealing = Literal["automatic", "by-hand"]
"""Automatic: the House gives the dealer's acts. By hand: a person does, and may err."""

Acting = Literal["device", "seen"]
"""By the player's own device; or seen, and entered by the dealer."""

Decider = Callable[..., None]
Acts = Mapping[type[Command], tuple[Topic, ...]]
"""Commands, each with the topics that speak of such an act."""

NOT_SEEN = "Players act by their own devices at this table; nobody enters what one was seen to do."
NOT_BY_DEVICE = "At this table the dealer enters what you do: act, and say it."


def usual_acting(dealing: Dealing) -> Acting:
    """How players act at a live table that does not say: as its cards are dealt."""
    return "device" if dealing == "automatic" else "seen"


def with_usual_acting(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a live table, which says how its players act."""
    if settings.get("acting") is not None:
        return settings
    return {**settings, "acting": usual_acting(settings.get("dealing", "automatic"))}


def heard(
    deciders: dict[type[Command], Decider], acting: Acting | None, *, seen: Acts, own: Acts
) -> dict[type[Command], Decider]:
    """The deciders of a table where players act so: `seen` are reports of what a player was seen to
    do, `own` what he does himself by command."""
    match acting:
        case "device":
            return {**deciders, **{kind: _never(topics) for kind, topics in seen.items()}}
        case "seen":
            found = {kind: _not_his(deciders[kind], topics) for kind, topics in own.items()}
            return {**deciders, **found}
        case None:
            return deciders


def _never(topics: tuple[Topic, ...]) -> Decider:
    def refused(table: Any, order: Order[Any]) -> None:
        _refuse(table, topics, NOT_SEEN)

    return refused


def _not_his(decide: Decider, topics: tuple[Topic, ...]) -> Decider:
    def decided(table: Any, order: Order[Any]) -> None:
        if order.rank is ActorRank.PLAYER:
            _refuse(table, topics, NOT_BY_DEVICE)
        decide(table, order)

    return decided


def _refuse(table: Any, topics: tuple[Topic, ...], says: str) -> NoReturn:
    cites = (table.book.cite(topic) for topic in topics if table.book.has(topic))
    raise Refusal(Refused(tuple(dict.fromkeys(p for found in cites for p in found)), says))
