"""What one viewer may see of a poker table, as a pure function of the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.cards import Card, best_five
from croupier.poker.betting import least_raise
from croupier.poker.entries import SEATS_BY_THE_BOOK
from croupier.poker.facts import PotFacts
from croupier.poker.positions import comes_in
from croupier.poker.pots import contestants
from croupier.poker.state import Phase, RoundPlayer, RoundState, SeatState
from croupier.table import Money, Offer
from croupier.table.view import (
    PUBLIC,
    QuestionView,
    Viewer,
    hand_in_words,
    held_by,
    questions_for,
)
from croupier.table.view import player as player_named
from croupier.table.views import Own, Views

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat as the viewer may see it."""

    player: str
    stake: Money
    here: bool = True
    bet: Money = 0
    dead_post: Money = 0
    active: bool = False
    all_in: bool = False
    cards: tuple[Card, ...] = ()
    """His Hole Cards; `??` for those that the viewer may not see."""
    face_up: Card | None = None
    """His card in the draw for the button."""
    hand: str = ""
    """The hand that he has shown, in words."""
    makes: str = ""
    """What his cards make with the board, in words: for himself alone, once he has looked."""
    looked: bool = False
    folded: bool = False
    mucked: bool = False
    put_in: Money = 0
    """Everything that he has put into this Round of play."""
    won: Money = 0
    """What he was paid in the last Round of play, until the next call."""
    missed: str = ""
    """Missed Blinds: `small`, `big` or `both`."""
    missed_marker: bool = False
    """Whether a missed Blind button stands at his place."""
    entering: str = ""
    """Until he comes in: `new`, `returning` or `relocated`."""
    rake_due: Money = 0
    """Timed charge that he owes."""


class PaidPot(Struct, frozen=True, kw_only=True):
    """One pot of a settled round: what it held, what was taken from it and who won it."""

    pot: str
    amount: Money
    rake: Money
    winners: tuple[int, ...]
    hand: str = ""
    """The winning hand in words, if it was shown."""
    best: tuple[Card, ...] = ()
    """Its five cards, if it was shown."""


class PokerView(Struct, frozen=True, kw_only=True):
    """A poker table as a viewer may see it."""

    table: str
    rulebook: str
    status: Phase
    round: int
    seats: dict[int, SeatView]
    button: int | None
    small_blind: int | None = None
    big_blind: int | None = None
    straddle: int | None = None
    board: tuple[Card, ...] = ()
    pots: tuple[PotFacts, ...] = ()
    betting_round: int | None = None
    price: Money = 0
    turn: int | None = None
    game_marker: str | None = None
    offers: dict[int, list[Offer]] = {}
    """What the viewer himself may do now, at his own seat."""
    yours: tuple[int, ...] = ()
    """The viewer's own seats."""
    face_down: int = 0
    """Community Cards that lie face down."""
    minimum_raise_to: Money = 0
    pot: Money = 0
    """Everything contributed in this Round of play and not yet paid."""
    rake: Money = 0
    settlement: tuple[PaidPot, ...] = ()
    """How the last round was paid, until the next call."""
    voided: str = ""
    decisions: tuple[QuestionView, ...] = ()
    waiting: str = ""
    """What holds the table, beside a player's turn."""


def view_of(table: PokerTable, viewer: Viewer) -> PokerView:
    """The table as this viewer may see it.

    Face-down cards: only their player, after looking. What lies face up, everybody. The auditor
    sees everything of a finished round; a mucked hand, only he.
    """
    state = table.state
    round_ = state.round
    finished = round_ is not None and not round_.open
    sees_all = viewer.auditor and (finished or viewer.afterwards)
    own = [
        n for n, seat in state.seats.items() if viewer.who is not None and seat.player == viewer.who
    ]
    seats = {
        number: _seat(table, number, seat, mine=number in own, sees_all=sees_all)
        for number, seat in state.seats.items()
    }
    turn = table.turn()
    return PokerView(
        table=state.name,
        rulebook=state.rulebook,
        status=state.phase,
        round=state.rounds,
        seats=seats,
        button=state.button,
        small_blind=round_.small_blind if round_ is not None else None,
        big_blind=round_.big_blind if round_ is not None else None,
        straddle=round_.straddle if round_ is not None else None,
        board=tuple(table.board()),
        pots=tuple(
            PotFacts(amount=pot.amount, seats=contestants(round_, pot)) for pot in round_.pots
        )
        if round_ is not None
        else (),
        betting_round=round_.betting.number if round_ is not None and round_.open else None,
        price=round_.betting.price if state.phase == "betting" and round_ is not None else 0,
        turn=turn,
        game_marker=state.marker,
        offers=_offers(table, own),
        yours=tuple(own),
        decisions=questions_for(table, viewer),
        waiting=held_by(table),
        **(_round(table, round_) if round_ is not None else {}),
    )


def views_of(table: PokerTable, names: Iterable[str | None]) -> Views:
    """The table for many at once, each as `view_of` gives it: what all see is made once."""
    public = view_of(table, PUBLIC)
    found: dict[str | None, Own] = {name: {} for name in names}
    for number, seat in table.state.seats.items():
        if seat.player in found:
            others = found[seat.player].get("yours", ())
            found[seat.player] = _own(table, public, seat.player, (*others, number))
    return Views(public=public, own=found)


def _own(table: PokerTable, public: PokerView, who: str, own: tuple[int, ...]) -> Own:
    """What a player sees more than the public: at their own seats, their offers and questions."""
    found: dict[str, Any] = {"yours": own}
    if offers := _offers(table, own):
        found["offers"] = offers
    if public.decisions:
        found["decisions"] = questions_for(table, player_named(who))
    seats = _with_own(table, public.seats, own)
    if seats is not public.seats:
        found["seats"] = seats
    return found


def _with_own(
    table: PokerTable, seats: dict[int, SeatView], own: tuple[int, ...]
) -> dict[int, SeatView]:
    """The seats as the public sees them, but for a player's own once he has looked at his cards."""
    round_ = table.state.round
    if round_ is None or not round_.open:
        return seats
    looked = [n for n in own if n in round_.players and round_.players[n].looked]
    if not looked:
        return seats
    own_views = {
        n: _seat(table, n, table.state.seats[n], mine=True, sees_all=False) for n in looked
    }
    return {**seats, **own_views}


def _round(table: PokerTable, round_: RoundState) -> dict[str, Any]:
    """What belongs to the Round of play, or until the next call to the last one."""
    betting = round_.betting
    before = sum(p.bet + p.dead for p in round_.players.values())
    in_pots = sum(pot.amount for pot in round_.pots) - round_.paid if round_.open else 0
    return {
        "face_down": len(round_.down),
        "minimum_raise_to": least_raise(table, betting)
        if table.state.phase == "betting" and betting.opened
        else 0,
        "pot": in_pots + before,
        "rake": round_.rake,
        "settlement": tuple(_paid(round_, table.board()))
        if not round_.open and not round_.voided
        else (),
        "voided": round_.voided,
    }


def _paid(round_: RoundState, board: list[Card]) -> Iterator[PaidPot]:
    for number, pot in enumerate(round_.pots):
        winners = round_.winners.get(number, ())
        hands = {round_.players[seat].hand for seat in winners}
        yield PaidPot(
            pot=f"Side Pot {number}" if number else "Main Pot",
            amount=pot.amount,
            rake=round_.rakes[number] if number < len(round_.rakes) else 0,
            winners=winners,
            hand=hands.pop() if len(hands) == 1 else "",
            best=_best(round_, winners, board),
        )


def _best(round_: RoundState, winners: tuple[int, ...], board: list[Card]) -> tuple[Card, ...]:
    """The five cards of the first winner who has shown them."""
    for seat in winners:
        player = round_.players[seat]
        whole = (*player.cards, *board)
        if player.shown and player.hand and len(whole) >= 5 and Card.UNKNOWN not in whole:
            return best_five(whole)
    return ()


_MISSED = {
    (True, True): "both",
    (True, False): "small",
    (False, True): "big",
    (False, False): "",
}
"""The Blinds that somebody missed, by whether it was the small and the big one."""


def _seat(
    table: PokerTable, number: int, seat: SeatState, *, mine: bool, sees_all: bool
) -> SeatView:
    round_ = table.state.round
    player = round_.players.get(number) if round_ is not None else None
    if round_ is None or player is None or player.left:  # somebody else sat here then
        return SeatView(
            player=seat.player,
            stake=seat.stake,
            here=seat.here,
            face_up=seat.button_card,
            missed=_MISSED[seat.missed_small, seat.missed_big],
            missed_marker=seat.missed_marker,
            entering=_entering(table, seat),
            rake_due=seat.rake_due,
        )
    his = mine and round_.open
    return SeatView(
        player=seat.player,
        stake=seat.stake,
        here=seat.here,
        bet=player.bet,
        dead_post=player.dead,
        active=player.active and round_.open,
        all_in=player.all_in,
        cards=_cards(player, mine=his, all_of_them=sees_all) or _shown_when_gone(round_, number),
        face_up=seat.button_card,
        hand=player.hand,
        makes=hand_in_words(player.cards, table.board()) if his and player.looked else "",
        looked=player.looked,
        folded=player.folded,
        mucked=player.mucked,
        put_in=player.total,
        won=round_.payouts.get(number, 0),
        missed=_MISSED[seat.missed_small, seat.missed_big],
        missed_marker=seat.missed_marker,
        entering=_entering(table, seat),
        rake_due=seat.rake_due,
    )


def _offers(table: PokerTable, own: Iterable[int]) -> dict[int, list[Offer]]:
    """What a player may do by his own command: nothing where the dealer enters it."""
    if table.state.settings.acting == "seen":
        return {}
    return {number: found for number in own if (found := table.offers(number))}


def _entering(table: PokerTable, seat: SeatState) -> str:
    if not comes_in(seat, table.by_book[SEATS_BY_THE_BOOK]):
        return ""
    return seat.entry if seat.entry != "in" else "returning"


def _cards(player: RoundPlayer, *, mine: bool, all_of_them: bool) -> tuple[Card, ...]:
    """A hand, with `??` for each card that the viewer may not see."""
    if player.shown or all_of_them or (mine and player.looked):
        return tuple(player.cards)
    if not player.exposed:
        return (Card.UNKNOWN,) * len(player.cards)
    return tuple(
        card if card in player.exposed and card.is_known else Card.UNKNOWN for card in player.cards
    )


def _shown_when_gone(round_: RoundState, number: int) -> tuple[Card, ...]:
    """Cards of a hand that has gone which everybody has a right to see (v8 5.15)."""
    shown = round_.irregular.shown.get(number, []) if round_.irregular is not None else []
    player = round_.players[number] if shown else None
    if player is None or player.cards:
        return ()
    return tuple(card for card in shown if card in player.exposed)
