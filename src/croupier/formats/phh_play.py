"""The actions of a PHH hand in order, with the chips counted along.

The format says `cc` for Check and Call and gives no amount; what it came to, and who was All-in,
follows from what was put in before.
"""

from __future__ import annotations

from typing import Any

from msgspec import structs

from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.formats.hand import STREETS, Act, Street
from croupier.formats.phh_actions import read_action

ACTIONS = 2_000
"""A limit on everything: no hand has so many actions."""
_BOARD = (3, 4, 5)
"""With how many Community Cards a street is complete."""


class Play:
    """The actions in order, with the chips counted along: what `cc` came to, who was All-in."""

    def __init__(
        self,
        seats: list[int],
        stacks: list[int | None],
        put: list[int],
        live: list[int],
        price: int,
    ) -> None:
        count = len(seats)
        self.seats = seats
        self.left = [
            None if have is None else have - spent for have, spent in zip(stacks, put, strict=True)
        ]
        self.bets = list(live)
        self.price = price
        self.cards: list[tuple[Card, ...]] = [()] * count
        self.notes = [""] * count
        self.placed: list[tuple[int, int] | None] = []
        """Where each entry of `actions` went: street and place in it, None for a deal."""
        self.unusual = False
        """Whether the deal is told otherwise than hand by hand, in order, before anything else."""

    def read(self, actions: list[Any]) -> list[Street]:
        if len(actions) > ACTIONS:
            raise FormatError(f"more than {ACTIONS} actions", place="actions")
        streets: list[Street] = []
        acts: list[Act] = []
        opened: tuple[Card, ...] = ()
        pending: tuple[Card, ...] = ()
        note = ""
        count = len(self.seats)
        board = 0
        for number, text in enumerate(actions, 1):
            try:
                action = read_action(text, count)
                verb = action.verb
                if verb == "board":
                    self.placed.append(None)
                    if pending or len(action.cards) != (1 if board else 3):
                        self.unusual = True
                    for card in action.cards:
                        pending += (card,)
                        if board + len(pending) in _BOARD:
                            streets.append(
                                Street(
                                    name=STREETS[len(streets)],
                                    cards=opened,
                                    acts=tuple(acts),
                                    note=note,
                                )
                            )
                            board += len(pending)
                            opened, pending, acts, note = pending, (), [], action.note
                        elif board + len(pending) > 5:
                            raise FormatError("more than five Community Cards")
                    self.bets = [0] * count
                    self.price = 0
                elif verb == "hole":
                    self.placed.append(None)
                    i = action.player
                    if acts or streets or self.cards[i] or any(self.cards[i:]):
                        self.unusual = True
                    self.cards[i] += action.cards
                    if len(self.cards[i]) > 2:
                        raise FormatError("more than two Hole Cards for one player")
                    self.notes[i] = self.notes[i] or action.note
                else:
                    if pending:
                        raise FormatError("a flop of fewer than three cards")
                    self.placed.append((len(streets), len(acts)))
                    acts.append(self._act(action))
            except FormatError as error:
                raise error.at(place=f"action {number}") from None
        if pending:
            raise FormatError("a flop of fewer than three cards", place="actions")
        streets.append(
            Street(name=STREETS[len(streets)], cards=opened, acts=tuple(acts), note=note)
        )
        return streets

    def _act(self, action: Any) -> Act:
        """What one player did, in chips."""
        i = action.player
        verb = action.verb
        if i < 0:
            return Act(seat=0, do="note", note=action.note)
        seat = self.seats[i]
        bet = self.bets[i]
        if verb == "fold":
            return Act(seat=seat, do="fold", to=bet, note=action.note)
        left = self.left[i]
        if verb == "call":
            owed = self.price - bet
            if owed <= 0:
                return Act(seat=seat, do="check", to=bet, note=action.note)
            by = owed if left is None or owed < left else left
            return self._chips(i, "call", by, action.note)
        if verb == "wager":
            by = action.amount - bet
            act = self._chips(i, "raise" if self.price else "bet", by, action.note)
            self.price = max(self.price, action.amount)
            return act
        if verb == "show":
            return Act(seat=seat, do="show", cards=action.cards, note=action.note)
        return Act(seat=seat, do="muck", note=action.note)

    def _chips(self, i: int, do: Any, by: int, note: str) -> Act:
        left = self.left[i]
        self.bets[i] += by
        if left is not None:
            self.left[i] = left - by
        return Act(
            seat=self.seats[i],
            do=do,
            to=self.bets[i],
            by=by,
            all_in=left is not None and by == left,
            note=note,
        )

    def with_cites(
        self, streets: list[Street], citations: list[tuple[str, ...]] | None
    ) -> tuple[Street, ...]:
        """The streets with the paragraphs that our own field gives for each action."""
        if not citations:
            return tuple(streets)
        acts = [list(street.acts) for street in streets]
        for place, cites in zip(self.placed, citations, strict=True):
            if place is not None and cites:
                street, number = place
                acts[street][number] = structs.replace(acts[street][number], cites=cites)
        return tuple(
            structs.replace(street, acts=tuple(done))
            for street, done in zip(streets, acts, strict=True)
        )
