"""What the table keeps so that an Action, or a ruling, can be taken back.

By hand, and everywhere once somebody was passed over (A-67), the table before each Action is kept
for as long as that Action is the last one: a skipped player may get his turn back (v8 5.14), a
ruling may take an Action back (5.16). The table before a ruling is kept at every table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from msgspec import structs

from croupier.cards import Card
from croupier.poker.events import Checked, Folded
from croupier.poker.irregularities.state import AnAction, Irregular
from croupier.poker.settings import PokerSettings
from croupier.poker.state import PokerState, RoundPlayer, RoundState
from croupier.poker.wager_seen import BoundTo
from croupier.rulebooks import Topic, number_of
from croupier.table import Event

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

ACTIONS = frozenset(get_args(AnAction))


NOT_KEPT: dict[str, Any] = {
    "name": "",
    "rulebook": "",
    "opened": False,
    "settings": PokerSettings(),
    "waiting": [],
    "last_need": 0,
}
"""What no Action and no ruling takes back: who the table is, what it asks for. All else is kept, so
that nothing new can be forgotten here."""

_KEPT = tuple(name for name in PokerState.__struct_fields__ if name not in NOT_KEPT)

OF_PEOPLE: dict[str, Any] = {
    "seats": {},
    "brought": 0,
    "departed": {},
    "vacated": [],
    "timed_from": None,
}
"""What is no part of play: whatever is taken back or undone leaves it as it is."""


def irregular_of(table: PokerTable) -> Irregular:
    """What the Round of play remembers of irregularities, begun when the first one happens."""
    round_ = table.current_round()
    if round_.irregular is None:
        round_.irregular = Irregular()
    table.follows = True
    return round_.irregular


def bound_out_of_turn(round_: RoundState) -> dict[int, BoundTo]:
    """Who said Raise or BET before their turn, without an amount: held as an act is (v8 5.13)."""
    held = round_.irregular.held if round_.irregular is not None else {}
    return {seat: to for seat, to in round_.betting.bound.items() if seat in held}


def to_be_looked_at_again(table: PokerTable, seat: int) -> None:
    """A hand has changed: its player sees it when he looks again; that he had looked is kept."""
    round_ = table.current_round()
    player = round_.players[seat]
    if player.looked:
        irregular_of(table).seen = True
        player.looked = False


def exposed_by_dealer(round_: RoundState) -> list[tuple[int, Card]]:
    """The cards that the dealer exposed in the deal, by the seats that got them, as far as they are
    still where they fell. What a player has shown of his own does not count (A-26)."""
    irregular = round_.irregular
    shown = irregular.shown if irregular is not None else {}
    shown_after = irregular.shown_after if irregular is not None else []
    found = [
        (seat, card)
        for seat, player in round_.players.items()
        for card in player.exposed
        if card not in shown.get(seat, ()) or (seat, card) in shown_after
    ]
    return found + round_.stray_exposed


def counted_as_exposed(round_: RoundState) -> list[Card]:
    """The cards exposed in the deal that have been ruled on. A card counts once, whoever's hand it
    was put into since (v8 5.3.3, v5 5.1.3); those that nobody has named are as many as they are."""
    cards = [card for _, card in round_.irregular.exposed] if round_.irregular is not None else []
    known = dict.fromkeys(card for card in cards if card.is_known)
    return [*known, *(card for card in cards if not card.is_known)]


def not_yet_counted(round_: RoundState) -> list[tuple[int, Card]]:
    """Those of them that nobody has ruled on as exposed, where it is known which they are."""
    counted = counted_as_exposed(round_)
    found = exposed_by_dealer(round_)
    return [(seat, card) for seat, card in found if card.is_known and card not in counted]


def name_in_hand(table: PokerTable, round_: RoundState, seat: int, card: Card) -> None:
    """A card of a real shoe that nobody had seen turns out to be this one: in the hand, among the
    discards if the hand was given up, and in the record of a wrong deal."""
    player = round_.players[seat]
    hand = player.cards or player.gave_up
    hand[hand.index(Card.UNKNOWN)] = card
    if not player.cards:
        round_.discards[round_.discards.index(Card.UNKNOWN)] = card
    places = [n for n, dealt in enumerate(round_.dealt) if dealt == (seat, Card.UNKNOWN)]
    exposed = [n for n in places if n in round_.dealt_exposed]
    if card in player.exposed and exposed:
        places = exposed[:1]
    if len(places) == 1:  # else nobody can tell which of them it is
        round_.dealt[places[0]] = (seat, card)
    table.identify(card)


def exchange_dealt(round_: RoundState, old: Card, new: Card) -> None:
    """A card of the Initial Deal was replaced: in the record of a wrong deal as well."""
    for place, (seat, card) in enumerate(round_.dealt):
        if card is old:
            round_.dealt[place] = (seat, new)
            round_.dealt_exposed = [other for other in round_.dealt_exposed if other != place]


def exchange_early(table: PokerTable, old: Card, new: Card | None) -> None:
    """A Community Card was replaced or taken away: if it was exposed early, the new one will go
    back in its place, and with the last of them there is nothing to go back (v8 5.11)."""
    irregular = irregular_of(table)
    held = []
    for early in irregular.held_early:
        now = [new if card is old else card for card in early.cards]
        cards = tuple(card for card in now if card is not None)
        if cards:
            held.append(structs.replace(early, cards=cards))
    irregular.held_early = held
    kept = [new if card is old else card for card in irregular.kept_early]
    irregular.kept_early = [card for card in kept if card is not None]


def keep(table: PokerTable, *, last_action: bool = False) -> str:
    """The table as it stands, without what it keeps itself; with the last Action and what was
    before it, where that is asked for."""
    state = table.state
    round_ = state.round
    if round_ is not None and (irregular := round_.irregular) is not None:
        plain = structs.replace(
            irregular,
            skips=[],
            opening="",
            before=irregular.before if last_action else "",
            last=irregular.last if last_action else None,
            ruled_by="",
            before_ruling="",
            after_ruling="",
            ruled_on=None,
            notes=[],
            rulings=[],
        )
        round_ = structs.replace(round_, irregular=plain)
    return msgspec.json.encode(structs.replace(state, **NOT_KEPT, round=round_)).decode()


def bring_back(table: PokerTable, text: str) -> Irregular:
    """Make the table what it was, with everybody and every chip."""
    now = table.current_round().irregular
    return restore(table, msgspec.json.decode(text, type=PokerState), now)


def take_back(table: PokerTable, text: str) -> Irregular:
    """Bring the table back to before an Action, but for what is no part of play: who sits where,
    who is at his seat, chips added or taken away, who has looked at his cards."""
    state = table.state
    kept = msgspec.json.decode(text, type=PokerState)
    assert state.round is not None
    assert kept.round is not None
    for number, player in kept.round.players.items():
        since = state.round.players[number]
        player.left = since.left
        if since.looked and (not since.cards or since.cards == player.cards):
            player.looked = True
        if not since.left:
            before, seat = kept.seats[number], state.seats[number]
            before.stake = seat.stake + since.total - player.total
            before.here, before.returns = seat.here, seat.returns
            state.seats[number] = before
    for name in OF_PEOPLE:
        setattr(kept, name, getattr(state, name))
    _keep_exposed(state, kept)
    return restore(table, kept, state.round.irregular)


def _keep_exposed(state: PokerState, kept: PokerState) -> None:
    """A card exposed in the deal was exposed before the Action, whenever somebody said so: that it
    counts (v8 5.3.3), and the card that took its place (5.5), outlive the Action."""
    now, was = state.round, kept.round
    assert now is not None
    assert was is not None
    if now.irregular is None:
        return
    if was.irregular is None:
        was.irregular = Irregular()
    was.irregular.exposed = now.irregular.exposed
    if now.flop != was.flop or now.first_burn is None or now.first_burn == was.first_burn:
        return
    was.first_burn, was.dealt, kept.shoe = now.first_burn, now.dealt, state.shoe
    was.irregular.seen = now.irregular.seen
    for seat, card in now.irregular.exposed:
        if card == now.first_burn:
            since, player = now.players[seat], was.players[seat]
            player.cards, player.exposed = since.cards, since.exposed
            player.looked = since.looked


_OF_BETTING = (
    "bet",
    "dead",
    "total",
    "blinds",
    "uncalled",
    "all_in",
    "all_in_button",
    "all_in_with",
    "acted",
    "wagered",
    "answered",
)
"""What an Action, or the close of a Betting Round, changes of a player who keeps his hand."""


def take_back_betting(table: PokerTable, text: str) -> None:
    """Bring the betting back to where it was when this was kept, and nothing else."""
    betting_as_in(table, msgspec.json.decode(text, type=PokerState))


def betting_as_in(table: PokerTable, kept: PokerState) -> None:
    """The betting as it was then. Cards that were dealt since, hands that have gone, what was
    shown, who has looked and who may not raise: all that stays."""
    state = table.state
    round_, was = state.round, kept.round
    assert round_ is not None
    assert was is not None
    for number, before in was.players.items():
        player, seat = round_.players[number], state.seats.get(number)
        stay = 0 if player.active else max(0, staked(player) - staked(before))
        if seat is not None and not player.left:
            seat.stake += player.total - before.total - stay
        for name in _OF_BETTING:
            setattr(player, name, getattr(before, name))
        player.bet += stay  # whoever has folded since leaves in what he put in (v8 3.5.4)
        player.total += stay
    said = bound_out_of_turn(round_)
    round_.betting = was.betting
    round_.betting.bound.update(said)
    round_.betting.to_act = [s for s in was.betting.to_act if round_.players[s].active]
    round_.acts = was.acts
    round_.pots = was.pots
    round_.final_round = was.final_round
    state.phase = kept.phase


def staked(player: RoundPlayer) -> int:
    """What somebody has put into the round, with what nobody called of it: that goes back with the
    close of a Betting Round, and comes again where it goes on."""
    return player.total + player.uncalled


def gone_back(before: RoundPlayer, now: RoundPlayer) -> int:
    """What was returned since of what somebody had in the round: less what of it was bet since."""
    back = now.returned - before.returned
    uncalled = now.uncalled - before.uncalled
    bet = now.total + uncalled + back - before.total
    return max(0, back - max(0, bet - uncalled))


def short_of_chips(
    table: PokerTable, text: str, again: AnAction | None = None, *, but_gone: bool = False
) -> int | None:
    """The first seat whose chips cannot be again what they were before an Action: what came back to
    its stake was moved by a ruling, or its player has left. None if there is none.

    `again` is an Action that is taken again at once; with `but_gone` chips that have gone back
    since stay where they are.
    """
    state = table.state
    kept = msgspec.json.decode(text, type=PokerState)
    assert state.round is not None
    assert kept.round is not None
    for number, player in kept.round.players.items():
        needed = player.total
        if again is not None and again.seat == number and not isinstance(again, Checked | Folded):
            needed += again.to - player.bet
        since = state.round.players[number]
        if but_gone:
            needed -= gone_back(player, since)
        if since.left:
            if needed != since.total:
                return number
        elif needed > since.total + state.seats[number].stake:
            return number
    return None


def restore(table: PokerTable, kept: PokerState, now: Irregular | None) -> Irregular:
    """Make the table what it was; notes, rulings and other skips stay as they are now."""
    state = table.state
    for name in _KEPT:
        setattr(state, name, getattr(kept, name))
    table.cards_moved = True
    assert state.round is not None
    irregular = irregular_of(table)
    if now is not None:
        irregular.skips = now.skips
        irregular.remembers = now.remembers
        irregular.opening = now.opening
        irregular.notes = now.notes
        irregular.rulings = now.rulings
    return irregular


def remember_action(table: PokerTable, event: Event) -> None:
    """Before an Action is applied: keep the table, and count what was done since a turn was passed
    over."""
    irregular = irregular_of(table)
    irregular.before = keep(table)
    round_ = table.current_round()
    number = round_.betting.number
    if not any(act.betting_round == number for act in round_.actions()):
        irregular.opening = irregular.before
    irregular.last = event  # type: ignore[assignment]
    for skip in irregular.skips:
        skip.since.append(event)  # type: ignore[arg-type]


def remembering(
    appliers: Mapping[type[Event], Callable[..., None]],
) -> dict[type[Event], Callable[..., None]]:
    """The functions that apply events, where Actions are remembered first: by hand always, else in
    a Round of play in which somebody was passed over."""

    def remembered(function: Callable[..., None]) -> Callable[..., None]:
        def apply(table: PokerTable, round_: RoundState, event: Any) -> None:
            if table.automatic and not is_remembered(table):
                table.remember_actions(False)
            else:
                remember_action(table, event)
            function(table, round_, event)

        return apply

    return {
        kind: remembered(function) if kind in ACTIONS else function
        for kind, function in appliers.items()
    }


def is_remembered(table: PokerTable) -> bool:
    """Whether somebody was passed over in this Round of play, so that Actions are remembered."""
    round_ = table.state.round
    return round_ is not None and round_.irregular is not None and round_.irregular.remembers


SUBSTANTIAL_WITH_BET = number_of("substantial-with-bet")
SUBSTANTIAL_WITHOUT_BET = number_of("substantial-without-bet")


def substantial(table: PokerTable, bets: list[bool]) -> tuple[str, ...]:
    """The paragraphs by which these Actions are Substantial Action; none if they are not.

    `bets` says of each Action whether it put a Bet into the Pot (v8 1.48, A-31).
    """
    if len(bets) >= table.by_book[SUBSTANTIAL_WITH_BET] and any(bets):
        return table.paragraphs(Topic.SUBSTANTIAL_ACTION_TWO, Topic.SUBSTANTIAL_ACTION)
    if len(bets) >= table.by_book[SUBSTANTIAL_WITHOUT_BET]:
        return table.paragraphs(Topic.SUBSTANTIAL_ACTION_THREE, Topic.SUBSTANTIAL_ACTION)
    return ()


def substantial_action(table: PokerTable, stopped: int = 0) -> tuple[str, ...]:
    """Whether there was Substantial Action in this Round of play, and by which limb.

    The last `stopped` Actions do not count: somebody tried to stop them when he noticed.
    """
    round_ = table.current_round()
    return substantial(table, [act.bet for act in round_.actions(stopped=stopped)])
