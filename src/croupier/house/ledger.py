"""The ledger: double entry in cents, made from where each place says that its money lies.

Money only moves. What a command changes at a place is the difference of the place's holdings
before and after it, and what its events say crossed from or to the accounts of players. So the
entries follow from the events alone: an auditor who replays a log gets the same entries.

    cash                      the world outside: what came in is negative, what went out positive
    house/bank                the House's own money; it funds the jackpots
    player/<name>             what the House owes a player
    table/<table>/chips/<name>, /pot, /layout, /rake, /bank, /safekeeping/<name>
    link/<link>/meter, /parked, /reserve, /overflow, /doubtful
    awards                    what a link pays on its way to a table: nothing after every command
    outside/<table>           chips in the pockets of players whose racks are not counted

The sum over all accounts is nothing, always.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from croupier.house.records import Entry
from croupier.table import Conversation, Event, Table

CASH = "cash"
BANK = "house/bank"
AWARDS = "awards"
NAMES_KEPT = 1_000
"""Accounts of a place whose names are kept ready."""


def player_account(player: str) -> str:
    """The account of a player."""
    return f"player/{player}"


def may_be_negative(account: str) -> bool:
    """Whether an account may owe: the world outside, the House, and what is on its way."""
    if account in (CASH, BANK, AWARDS) or account.startswith("outside/"):
        return True
    # No name of a place or person has a slash in it, so the parts cannot be mistaken.
    match account.split("/"):
        case ["table", _, "bank"] | ["link", _, "doubtful"]:
            return True
        case _:
            return False


class MoneyMoved(Event, frozen=True, kw_only=True):
    """An event of the office that moves money from account to account."""

    def moves(self) -> tuple[tuple[str, int], ...]:
        """What each account gains, or gives if negative; the sum is nothing."""
        raise NotImplementedError


ELSEWHERE = {"awards": AWARDS, "bank": BANK}
"""What a link says of money that is not its own."""


def account_of(place: str, conversation: Conversation[Any], key: str) -> str:
    """The name in the ledger of what a place calls `pot`, `chips/Ann` or `meter`."""
    if isinstance(conversation, Table):
        return AWARDS if key == "awards" else f"table/{place}/{key}"
    return ELSEWHERE.get(key) or f"link/{place}/{key}"


def holdings(place: str, conversation: Conversation[Any]) -> dict[str, int]:
    """Where the money of a place lies, by the names of the ledger."""
    held = conversation.holdings()
    return {account_of(place, conversation, key): amount for key, amount in held.items()}


@cache
def moves_nothing(kind: type[Event]) -> bool:
    """Whether no event of this kind says that money crossed or moved: most say nothing of it."""
    return kind.crossings is Event.crossings and not issubclass(kind, MoneyMoved)


class Ledger:
    """Follows the holdings of every place and turns what changed into entries."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, int]] = {}
        self._names: dict[str, dict[str, str]] = {}
        """The accounts of each place as they are called here: asked for at every command."""

    def follow(self, place: str, conversation: Conversation[Any]) -> None:
        """Begin, or begin again, from where the money of a place lies now."""
        self._held[place] = conversation.holdings()
        self._names[place] = {}

    def forget(self, place: str) -> None:
        """Follow a place no more; what was posted is in the store."""
        self._held.pop(place, None)
        self._names.pop(place, None)

    def _name(self, place: str, conversation: Conversation[Any], key: str) -> str:
        names = self._names[place]
        if len(names) > NAMES_KEPT:  # players come and go
            names.clear()
        name = names[key] = account_of(place, conversation, key)
        return name

    def post(
        self, place: str, conversation: Conversation[Any], events: Iterable[Event], position: int
    ) -> list[Entry]:
        """The entries of what a command has changed at a place; `position` is its last event."""
        moved = self.moved(place, conversation, events)
        if not moved:
            return []
        return [
            Entry(stream=place, position=position, account=account, amount=amount)
            for account, amount in moved.items()
        ]

    def moved(
        self, place: str, conversation: Conversation[Any], events: Iterable[Event]
    ) -> dict[str, int]:
        """What each account has gained, or given if negative, by a command at a place."""
        moved: dict[str, int] = {}
        for event in events:
            if moves_nothing(type(event)):
                continue
            for player, amount in event.crossings():
                account = player_account(player)
                moved[account] = moved.get(account, 0) - amount
            if isinstance(event, MoneyMoved):
                for account, amount in event.moves():
                    moved[account] = moved.get(account, 0) + amount
        before, after = self._held[place], conversation.holdings()
        if before != after:
            self._held[place] = after
            names = self._names[place]
            for key, amount in after.items():
                gained = amount - before.get(key, 0)
                if gained:
                    account = names.get(key) or self._name(place, conversation, key)
                    moved[account] = moved.get(account, 0) + gained
            for key, amount in before.items():
                if amount and key not in after:
                    account = self._name(place, conversation, key)
                    moved[account] = moved.get(account, 0) - amount
        if not moved:
            return moved
        # Where every chip is counted, what does not balance is turned away by the store.
        if isinstance(conversation, Table) and not conversation.counts_every_chip:
            uncounted = sum(moved.values())
            if uncounted:
                moved[f"outside/{place}"] = -uncounted
        if 0 in moved.values():
            return {account: amount for account, amount in moved.items() if amount}
        return moved
