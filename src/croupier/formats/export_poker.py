"""The rounds of a poker table from its log: each finished one as a `Hand`.

The log is replayed through a table, which knows what its events mean; this room notes the posts,
Actions and payments as they go by. A round lasts until the next call for Blinds, because a ruling
may still be taken back. What a ruling undoes is undone here too; the ruling itself stays on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from croupier.cards import Card
from croupier.formats.export_poker_notes import Notes
from croupier.formats.hand import STREETS, Hand, Player, Pot, Ruling, Street
from croupier.poker import PokerTable
from croupier.poker.events import BlindsCalled, MisdealDeclared, RoundEnded
from croupier.poker.irregularities.discretion import RULING
from croupier.poker.irregularities.events import RulingMade, RulingUndone
from croupier.poker.state import RoundPlayer, RoundState
from croupier.rulebooks import Rulebook
from croupier.table import AUDITOR, DecisionTaken, Event, Viewer


def poker_hands(
    log: Iterable[tuple[int, Event]],
    book: Rulebook,
    viewer: Viewer = AUDITOR,
    *,
    room: str = "",
    currency: str = "",
    symbol: str = "",
) -> Iterator[Hand]:
    """The finished rounds in the log of a poker table, as this viewer may see them.

    `log` holds every event of the table from its opening, with its position. A round under way is
    left out: nobody may see its cards. A void round is told with `voided`, and everything that was
    put in goes back; a Misdeal is counted in `restarts`, and the deal that counted is told.
    """
    table = PokerTable(book)
    place = {"room": room, "currency": currency, "symbol": symbol}
    round_: _Round | None = None
    before_the_call: list[Ruling] = []
    for position, event in log:
        if isinstance(event, BlindsCalled):
            if round_ is not None and round_.ended:
                yield round_.hand(table, viewer, place)
            elif round_ is not None:  # The call was withdrawn and is made anew.
                before_the_call = round_.rulings + before_the_call
            round_ = _Round(table, position, event, before_the_call, viewer)
            before_the_call = []
        elif isinstance(event, DecisionTaken):
            if round_ is not None and (_open(table) or event.question == RULING):
                round_.rulings.append(ruling_of(event, table.state.round))
            else:
                before_the_call.append(ruling_of(event, None))
        if round_ is not None:
            round_.before(table, position, event)
        table.apply(event)
        if round_ is not None:
            round_.after(table, event)
    if round_ is not None and round_.ended:
        yield round_.hand(table, viewer, place)


def _open(table: PokerTable) -> bool:
    return table.state.round is not None and table.state.round.open


def ruling_of(taken: DecisionTaken, round_: RoundState | None) -> Ruling:
    """A decision as the record keeps it."""
    dealt = round_ is not None and any(p.cards or p.folded for p in round_.players.values())
    street = STREETS[round_.betting.number - 1] if round_ is not None and dealt else None
    return Ruling(
        question=taken.question,
        option=taken.option,
        reason=taken.reason,
        who=taken.who,
        rank=taken.rank.value,
        street=street,
        cites=taken.cites,
    )


class _Round:
    """One Round of play while its events go by."""

    def __init__(
        self,
        table: PokerTable,
        position: int,
        called: BlindsCalled,
        rulings: list[Ruling],
        viewer: Viewer,
    ) -> None:
        seats = table.state.seats
        self.called = called
        self.first = self.last = position
        self.names = {seat: seats[seat].player for seat in called.players}
        self.stacks = {seat: seats[seat].stake for seat in called.players}
        self.finishing: dict[int, int] = {}
        self.rulings = rulings
        self.notes = Notes(viewer)
        self.ended = False

    def before(self, table: PokerTable, position: int, event: Event) -> None:
        """Note what the event does to the table as it stands."""
        self.notes.hear(table, event, over=self.ended)
        if not self.ended or isinstance(event, RulingMade | RulingUndone):
            self.last = position

    def after(self, table: PokerTable, event: Event) -> None:
        """Note where the event has left the round."""
        round_ = table.state.round
        if round_ is None or round_.number != self.called.round:
            return
        self.notes.heard(round_, event)
        if self.ended and round_.open:
            self.ended = False  # The ruling that ended it was taken back.
        elif isinstance(event, MisdealDeclared):
            self.stacks = {seat: table.state.seats[seat].stake for seat in round_.order}
        elif isinstance(event, RoundEnded):
            self.ended = True
            seats, left, brought = table.state.seats, self.notes.left, self.notes.brought
            self.finishing = {
                seat: (left[seat] if seat in left else seats[seat].stake) - brought.get(seat, 0)
                for seat in round_.order
            }

    # -- when it is over ---------------------------------------------------------------------

    def hand(self, table: PokerTable, viewer: Viewer, place: dict[str, str]) -> Hand:
        """The record of the round."""
        state, called, notes = table.state, self.called, self.notes
        round_ = state.round
        assert round_ is not None
        extra: dict[str, Any] = {"_log": [self.first, self.last]}
        if called.superseded:
            extra["_superseded"] = True
        return Hand(
            number=called.round,
            **place,
            table=state.name,
            time=called.at,
            seats=state.settings.seats,
            players=tuple(self._player(round_, seat, viewer) for seat in round_.order),
            button=called.button,
            small_blind=state.settings.small_blind,
            big_blind=state.settings.big_blind,
            posts=notes.posts(),
            streets=self._streets(round_),
            pots=tuple(
                Pot(
                    amount=pot.amount,
                    rake=round_.rakes[number] if round_.rakes else 0,
                    seats=notes.contested.get(number, pot.seats),
                    wins=notes.wins.get(number, {}),
                )
                for number, pot in enumerate(round_.pots)
            ),
            uncalled=notes.uncalled(),
            winnings_hold_uncalled=False,
            rake=round_.rake,
            rulebook=state.rulebook,
            policies=dict(called.policies),
            cites=tuple(notes.cites),
            rulings=tuple(self.rulings),
            voided=round_.voided,
            restarts=round_.restarts,
            extra=extra,
        )

    def _player(self, round_: RoundState, seat: int, viewer: Viewer) -> Player:
        name, playing = self.names[seat], round_.players[seat]
        cards = tuple(playing.cards) or self.notes.gone.get(seat, ())
        if not playing.active and len(cards) != 2:
            cards = ()  # a hand of a wrong number that was given up: no format can write it
        return Player(
            seat=seat,
            name=name,
            stack=self.stacks[seat],
            finishing=self.finishing[seat],
            winnings=round_.payouts.get(seat, 0),
            cards=_seen(cards, playing, own=name == viewer.who, viewer=viewer),
        )

    def _streets(self, round_: RoundState) -> tuple[Street, ...]:
        """The streets that lay face up, with what was done on each; shows stand on the last."""
        boards = ((), round_.flop, round_.turn, round_.river)
        dealt = [()] + [
            tuple(card for card in board if card not in round_.down) for board in boards[1:]
        ]
        acts = self.notes.acts()
        last = max(n for n in range(4) if n == 0 or dealt[n] or acts[n])
        return tuple(
            Street(
                name=STREETS[n],
                cards=dealt[n],
                acts=tuple(acts[n]) + (tuple(self.notes.shown()) if n == last else ()),
            )
            for n in range(last + 1)
        )


def _seen(
    cards: tuple[Card, ...], playing: RoundPlayer, *, own: bool, viewer: Viewer
) -> tuple[Card, ...]:
    """The auditor sees every card of a finished round, others those that they may."""
    if viewer.auditor or playing.shown or (own and playing.looked):
        return cards
    return tuple(card if card in playing.exposed else Card.UNKNOWN for card in cards)
