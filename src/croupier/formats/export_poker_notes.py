"""What is noted of a Round of play while its events go by: posts, Actions, chips that went back.

Notes are kept in order, so that an Action that is taken back takes with it what followed from it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

from croupier.cards import Card
from croupier.formats.hand import STREETS, Act, ActKind, Post, PostKind, StreetName, Uncalled
from croupier.poker import PokerTable
from croupier.poker.betting import nobody_can_call
from croupier.poker.events import (
    BetPlaced,
    BlindPosted,
    Called,
    Checked,
    ChipsReturned,
    Folded,
    HandDeclaredDead,
    HandShown,
    LeftTable,
    MisdealDeclared,
    Mucked,
    PotWon,
    Raised,
    RakeTaken,
    RoundVoided,
    ShowdownBegun,
    StakeAdded,
    StakeReduced,
    StraddlePlaced,
    UncalledReturned,
    WentAllIn,
)
from croupier.poker.irregularities import events as irregular
from croupier.poker.pots import contestants
from croupier.poker.state import RoundState
from croupier.table import Event, Viewer
from croupier.table.money import write_money

_ALL_IN: dict[str, ActKind] = {
    "call": "call",
    "under the call": "call",
    "bet": "bet",
    "under the bet": "bet",
    "over the call": "raise",
    "raise": "raise",
}
"""What an All-in is in words that every format has."""

_TOLD: tuple[type[Event], ...] = (
    irregular.CardExchanged,
    irregular.CardsShuffledIn,
    irregular.ChipsForfeited,
    irregular.ChipsMoved,
    irregular.DeckConfirmed,
    irregular.EarlyActFell,
    irregular.EarlyActHeld,
    irregular.EarlyActStands,
    irregular.EarlyCardsHeld,
    irregular.EarlyCardsKept,
    irregular.ExposedCardReplaced,
    irregular.HandsReconstructed,
    irregular.IrregularityNoted,
    irregular.MissingCardsDealt,
    irregular.PlayerBound,
    irregular.RaiseBarred,
    irregular.RulingMade,
    irregular.ShownToAll,
    irregular.StreetDealtAgain,
    irregular.SurplusPutBack,
    irregular.TurnGiven,
    irregular.TurnGivenBack,
    irregular.TurnsPassedOver,
    irregular.ActionTakenBack,
    irregular.StoppedActionsTakenBack,
    irregular.RulingUndone,
    ChipsReturned,
    RoundVoided,
)
"""What no format has a word for: it is told as a remark, with its paragraphs."""


class _Note(Struct, frozen=True, kw_only=True):
    """One thing that happened, and in which Betting Round."""

    what: Post | Act | Uncalled
    street: int
    action: bool = False
    """Whether it is an Action: a wager, a Check or a Fold."""
    stays: bool = False
    """Whether it stays, whatever Action is taken back: that a hand was declared dead, and what went
    back to somebody otherwise than uncalled."""


class Notes:
    """The notes of one Round of play, as one viewer may read them."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._begin()

    def _begin(self) -> None:
        self.noted: list[_Note] = []
        self.gone: dict[int, tuple[Card, ...]] = {}
        """The cards of hands that were folded or declared dead."""
        self.left: dict[int, int] = {}
        """With how much those left who went before the round was over."""
        self.brought: dict[int, int] = {}
        """What came to a stake, or went, beside the round: no part of what it won or lost."""
        self.contested: dict[int, tuple[int, ...]] = {}
        self.wins: dict[int, dict[int, int]] = {}
        self.cites: dict[str, None] = {}
        self.passed_over: dict[int, list[int]] = {}
        """How many notes there were each time when a turn was passed over."""
        self.uncallable: dict[int, int] = {}
        """What somebody raised by over a price that nobody else could go above (A-78)."""
        self.before_ruling: tuple[list[_Note], dict[int, int]] = ([], {})
        self.since_ruling: dict[int, int] = {}
        """What was brought or taken since the last ruling: it stays where that is undone."""

    # -- reading them ------------------------------------------------------------------------

    def posts(self) -> tuple[Post, ...]:
        return tuple(note.what for note in self.noted if isinstance(note.what, Post))

    def uncalled(self) -> tuple[Uncalled, ...]:
        return tuple(note.what for note in self.noted if isinstance(note.what, Uncalled))

    def acts(self) -> list[list[Act]]:
        """Actions and remarks by Betting Round."""
        found: list[list[Act]] = [[], [], [], []]
        left_in: Act | None = None
        for note in self.noted:
            act = note.what
            if isinstance(act, Act) and act.do not in ("show", "muck"):
                acts = found[note.street]
                if left_in is not None and _is_fold(note):
                    # Chips that stay in with a Fold (v8 3.5.4) are noted just before it. A wager
                    # that stands although its maker folds on the same turn is an Action by itself.
                    acts.pop()
                    act = structs.replace(act, to=left_in.to, by=left_in.by)
                left_in = act if act.by and not note.action else None
                acts.append(act)
        return found

    def shown(self) -> list[Act]:
        """What was shown and mucked at the showdown: of whoever was asked again, the last."""
        last: dict[int, Act] = {}
        for note in self.noted:
            act = note.what
            if isinstance(act, Act) and act.do in ("show", "muck"):
                last.pop(act.seat, None)
                last[act.seat] = act
        return list(last.values())

    # -- before an event is applied ----------------------------------------------------------

    def hear(self, table: PokerTable, event: Event, *, over: bool = False) -> None:
        """Note an event; when the round is over, only what may open it again."""
        round_ = table.state.round
        if over and isinstance(event, irregular.RulingMade | irregular.RulingUndone):
            self._restore(event)
        self._note_brought(round_, event)
        if isinstance(event, LeftTable):
            self._note_left(round_, event)
        if over or round_ is None:
            return
        self._restore(event)
        if isinstance(event, _TOLD):
            self._tell(table, round_, event)
        match event:
            case BlindPosted():
                self._posted(round_, event)
            case StraddlePlaced(seat=seat, to=to, all_in=all_in):
                by = to - round_.players[seat].bet
                self._add(round_, Post(seat=seat, kind="straddle", amount=by, all_in=all_in))
            case Checked():
                self._act(round_, event, "check")
            case BetPlaced():
                self._act(round_, event, "bet")
            case Called():
                self._act(round_, event, "call")
            case Raised():
                self._act(round_, event, "raise")
            case WentAllIn(kind=kind):
                self._act(round_, event, _ALL_IN[kind])
            case Folded(seat=seat, cites=cites):
                self.gone[seat] = tuple(round_.players[seat].cards)
                self._add(round_, Act(seat=seat, do="fold", cites=cites), action=True)
            case irregular.ChipsForfeited(seat=seat, amount=amount, cites=cites):
                to = round_.players[seat].bet + amount
                self._add(round_, Act(seat=seat, do="call", to=to, by=amount, cites=cites))
            case HandDeclaredDead(seat=seat, reason=reason, cites=cites):
                # No format has a dead hand: it has no further turn, as if it had been folded.
                self.gone[seat] = tuple(round_.players[seat].cards)
                dead = Act(seat=seat, do="fold", note=f"a dead hand: {reason}", cites=cites)
                self._add(round_, dead, stays=True)
            case UncalledReturned(seat=seat, amount=amount):
                self._back(round_, seat, amount)
            case ChipsReturned(seat=seat, bet=bet, dead=dead, pot=pot):
                self._back(round_, seat, bet + dead + pot, stays=True)
            case RoundVoided():
                for seat, player in round_.players.items():
                    self._back(round_, seat, player.total)
            case ShowdownBegun(cites=cites) | RakeTaken(cites=cites):
                self.cites.update(dict.fromkeys(cites))
            case HandShown(seat=seat, cards=cards, hand=hand, cites=cites):
                act = Act(seat=seat, do="show", cards=cards, note=hand, cites=cites)
                self._add(round_, act)
            case Mucked(seat=seat, cites=cites):
                self._add(round_, Act(seat=seat, do="muck", cites=cites))
            case PotWon(pot=pot, shares=shares, cites=cites):
                self.contested[pot] = tuple(contestants(round_, round_.pots[pot]))
                self.wins[pot] = dict(shares)
                self.cites.update(dict.fromkeys(cites))
            case StakeAdded(seat=seat) | StakeReduced(seat=seat):
                self._brought(round_, seat, _by(event))
            case irregular.ChipsMoved(giver=giver, taker=taker, amount=amount):
                self._brought(round_, giver, -amount)
                self._brought(round_, taker, amount)
            case _:
                pass

    def heard(self, round_: RoundState, event: Event) -> None:
        """Note what an applied event has changed for all that was noted."""
        if isinstance(event, MisdealDeclared):
            left = self.left
            self._begin()
            self.left = left
            self._add(round_, Act(seat=0, do="note", note=event.tell(str), cites=event.cites))

    def _note_left(self, round_: RoundState | None, event: LeftTable) -> None:
        """Also of whoever leaves while the round is void: it may go on, once that is undone."""
        player = None if round_ is None else round_.players.get(event.seat)
        if player is not None and not player.left:
            self.left[event.seat] = event.stake

    def _note_brought(self, round_: RoundState | None, event: Event) -> None:
        if isinstance(event, StakeAdded | StakeReduced) and round_ is not None:
            seat = event.seat
            if seat in round_.players and not round_.players[seat].left:
                self.since_ruling[seat] = self.since_ruling.get(seat, 0) + _by(event)

    def _brought(self, round_: RoundState, seat: int, amount: int) -> None:
        if seat in round_.players and not round_.players[seat].left:
            self.brought[seat] = self.brought.get(seat, 0) + amount

    def _posted(self, round_: RoundState, event: BlindPosted) -> None:
        seat, owed = event.seat, round_.posts[event.seat][0]
        kind: PostKind = "post"
        if seat == round_.big_blind:
            kind = "big blind"
        elif seat == round_.small_blind and owed < _big_blind(round_):
            kind = "small blind"
        if event.live:
            all_in = event.all_in and not event.dead
            self._add(round_, Post(seat=seat, kind=kind, amount=event.live, all_in=all_in))
        if event.dead:
            dead = Post(seat=seat, kind="post", amount=event.dead, dead=True, all_in=event.all_in)
            self._add(round_, dead)

    def _act(self, round_: RoundState, event: Any, do: ActKind) -> None:
        player = round_.players[event.seat]
        to = getattr(event, "to", player.bet)
        all_in = isinstance(event, WentAllIn) or getattr(event, "all_in", False)
        note = ""
        over = to - round_.betting.price
        if do == "raise" and nobody_can_call(round_, player):
            # No other format has it: the Call, and what came back of it as a remark.
            note = f"a Raise to {write_money(to)} that nobody could call; {write_money(over)} back"
            self.uncallable[event.seat] = over
            to, do, all_in = to - over, "call", False
        act = Act(
            seat=event.seat,
            do=do,
            to=to,
            by=to - player.bet,
            all_in=all_in,
            note=note,
            cites=event.cites,
        )
        self._add(round_, act, action=True)

    def _back(self, round_: RoundState, seat: int, amount: int, *, stays: bool = False) -> None:
        amount -= self.uncallable.pop(seat, 0)
        if amount > 0:
            street: StreetName = STREETS[round_.betting.number - 1]
            back = Uncalled(seat=seat, amount=amount, street=street)
            self._add(round_, back, stays=stays)

    def _tell(self, table: PokerTable, round_: RoundState, event: Event) -> None:
        def name(seat: int) -> str:
            player = table.player_at(seat)
            return f"{player} (seat {seat})" if player is not None else f"Seat {seat}"

        seen = event if self.viewer.auditor else table.show(event, self.viewer)
        if seen is not None:
            self._add(round_, Act(seat=0, do="note", note=seen.tell(name), cites=event.cites))

    def _add(
        self,
        round_: RoundState,
        what: Post | Act | Uncalled,
        *,
        action: bool = False,
        stays: bool = False,
    ) -> None:
        street = round_.betting.number - 1
        self.noted.append(_Note(what=what, street=street, action=action, stays=stays))

    # -- what is taken back ------------------------------------------------------------------

    def _restore(self, event: Event) -> None:
        """Take out of the notes what this event takes out of the round."""
        match event:
            case irregular.TurnsPassedOver(seats=seats):
                for seat in seats:
                    self.passed_over.setdefault(seat, []).append(len(self.noted))
            case irregular.RulingMade():
                self.before_ruling = (list(self.noted), dict(self.brought))
                self.since_ruling = {}
            case irregular.RulingUndone():
                noted, brought = self.before_ruling
                self.noted, self.brought = list(noted), dict(brought)
                for seat, amount in self.since_ruling.items():
                    self.brought[seat] = self.brought.get(seat, 0) + amount
            case irregular.ActionTakenBack():
                self._drop_from(self._actions()[-1], alone=True)
            case irregular.StoppedActionsTakenBack():
                actions = self._actions()
                street = self.noted[actions[-1]].street
                first = next(n for n in actions if self.noted[n].street == street)
                self._drop_from(first, alone=True)
            case irregular.TurnGivenBack(seat=seat, stands=True, nth=nth):
                del self.passed_over[seat][nth]
                self._drop_from(self._actions()[-1] + 1)
            case irregular.TurnGivenBack(seat=seat, nth=nth):
                since = self.passed_over[seat][nth]
                for places in self.passed_over.values():
                    places[:] = [place for place in places if place < since]
                folds = [n for n in self.noted[since:] if n.action and _is_fold(n)]
                self._drop_from(since)
                self.noted += folds
            case _:
                pass

    def _actions(self) -> list[int]:
        """Where in the notes the Actions stand."""
        return [n for n, note in enumerate(self.noted) if note.action]

    def _drop_from(self, place: int, *, alone: bool = False) -> None:
        """Drop what was done from there on; remarks stay, and what became of gone hands. Where
        Actions `alone` are taken back, chips that were returned besides theirs stay so too."""
        before, dropped = self.noted[:place], self.noted[place:]
        gone = {n.what.seat for n in before if _is_fold(n)}
        gone |= {n.what.seat for n in dropped if _is_fold(n) and n.stays}
        whole = {seat for seat in gone if self._all_went_back(seat)}
        put: dict[int, int] = {}
        for note in dropped:
            of = note.what
            if isinstance(of, Act):
                put[of.seat] = put.get(of.seat, 0) + of.by
            elif isinstance(of, Uncalled) and not note.stays:
                put[of.seat] = put.get(of.seat, 0) - of.amount
        kept = []
        for note in dropped:
            what, seat = note.what, note.what.seat
            remark = isinstance(what, Act) and what.do == "note"
            all_back = isinstance(what, Uncalled) and seat in whole
            if remark or all_back or (note.stays and seat in gone):
                kept.append(note)
            elif note.stays and alone and isinstance(what, Uncalled):
                of_the_action = min(what.amount, max(0, put.get(seat, 0)))
                put[seat] = put.get(seat, 0) - of_the_action
                if what.amount > of_the_action:
                    less = structs.replace(what, amount=what.amount - of_the_action)
                    kept.append(structs.replace(note, what=less))
        self.noted[place:] = kept

    def _all_went_back(self, seat: int) -> bool:
        """Whether somebody has put in Blinds alone, and has them all back (v8 5.6.1)."""
        own = [note.what for note in self.noted if note.what.seat == seat]
        put = sum(what.amount for what in own if isinstance(what, Post))
        back = sum(what.amount for what in own if isinstance(what, Uncalled))
        wagers = any(isinstance(what, Act) and what.by for what in own)
        return bool(back) and back == put and not wagers


def _big_blind(round_: RoundState) -> int:
    return round_.posts[round_.big_blind][0]


def _is_fold(note: _Note) -> bool:
    return isinstance(note.what, Act) and note.what.do == "fold"


def _by(event: StakeAdded | StakeReduced) -> int:
    """By how much a stake has grown, or shrunk."""
    return event.amount if isinstance(event, StakeAdded) else -event.amount
