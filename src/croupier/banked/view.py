"""A banked table as one person may see it.

Face-down cards are for their player alone, once he has looked; of several boxes he sees the one
that he looked at. Dealer, pit and spectators see what lies face up. The auditor sees everything of
a finished round.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from croupier.banked.events import Payout, Result
from croupier.banked.reasons import Reason, reasons_of
from croupier.banked.state import BETS, BankedState, BoxState, Standing, Status
from croupier.cards import Card, best_five
from croupier.table import Money, Offer, Viewer
from croupier.table.money import write_money
from croupier.table.view import QuestionView, hand_in_words, held_by, questions_for

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable


class BoxView(Struct, frozen=True, kw_only=True):
    """One box: `??` is a card that this viewer may not see."""

    player: str
    stakes: dict[str, Money] = {}
    standing: Standing | Literal[""] = ""
    cards: tuple[Card, ...] = ()
    looked: bool = False
    chosen: tuple[str, ...] = ()
    result: Result | None = None
    hand: str = ""
    payouts: dict[str, Payout] = {}
    lines_due: tuple[str, ...] = ()
    lines_paid: dict[str, Money] = {}
    offers: tuple[str, ...] = ()
    """What this viewer may do here, if the box is his."""
    may: tuple[Offer, ...] = ()
    """The same with the amounts apart."""
    makes: str = ""
    """What the cards make with the board, in words: for their player alone, once he has looked."""
    deemed: str = ""
    """Why it counts as folded although its player did not say so."""
    bonus_line: str = ""
    settled: str = ""
    """What became of each bet, spelled out, until the next call."""
    why: dict[str, Reason] = {}
    """Why each bet of a settled box won or lost: for its player alone."""
    best: tuple[Card, ...] = ()
    """The five cards of a hand that was compared with the dealer's."""


class BankedView(Struct, frozen=True, kw_only=True):
    """The table as a viewer may see it."""

    table: str
    rulebook: str
    round: int
    status: Status
    device: str
    limits: dict[str, Money]
    boxes: dict[int, BoxView]
    board: tuple[Card, ...]
    burns: int
    dealer: tuple[Card, ...]
    dealer_hand: str
    void: bool
    notice: str
    progressive_taken: bool
    dealer_best: tuple[Card, ...] = ()
    """The five cards of the dealer's hand, once it was compared."""
    chips: Money | None = None
    """The viewer's own rack, where it is counted."""
    racks: dict[str, Money] = {}
    """The racks of those who sit here, where they are counted: chips lie in plain sight."""
    net: Money | None = None
    """What the viewer has won or lost here."""
    window: str = ""
    """The betting window that is open: `flop`, `turn` or `river`."""
    boxes_in_use: int = 0
    yours: tuple[int, ...] = ()
    """The viewer's own boxes."""
    decisions: tuple[QuestionView, ...] = ()
    waiting: str = ""
    """What holds the table, beside the players' decisions."""


def view_of(table: BankedTable, viewer: Viewer) -> BankedView:
    """What this viewer may see; a pure function of the table and of who looks."""
    from croupier.banked.authority import chips_of

    state, settings = table.state, table.state.settings
    everything = viewer.auditor and (viewer.afterwards or not table.playing())
    limits = {
        "ante_minimum": settings.ante_minimum,
        "ante_maximum": settings.ante_maximum,
        "bonus_minimum": settings.bonus_minimum,
        "bonus_maximum": settings.bonus_maximum,
        "progressive": settings.progressive,
    }
    return BankedView(
        table=state.name,
        rulebook=state.rulebook,
        round=state.round,
        status=table.status(),
        device=settings.device,
        limits={name: amount for name, amount in limits.items() if amount is not None},
        boxes={n: _box(table, n, viewer, everything) for n in table.taken_seats()},
        board=_face(_board(state), {*state.board[: state.shown], *state.exposed_board}, everything),
        burns=len(state.burns),
        dealer=_face(
            _named(state.dealer, state.exposed_dealer),
            set(state.dealer) if state.dealer_shown else set(state.exposed_dealer),
            everything,
        ),
        dealer_hand=state.dealer_hand,
        dealer_best=_best(table, state.dealer) if state.dealer_hand else (),
        void=state.void,
        notice=state.notice,
        progressive_taken=state.jackpot_open(),
        chips=chips_of(table, viewer.who) if viewer.who is not None else None,
        racks={
            who: chips
            for who in sorted(set(state.sitting.values()))
            if (chips := chips_of(table, who)) is not None
        },
        net=state.net.get(viewer.who, 0) if viewer.who is not None else None,
        window=state.window() or "",
        boxes_in_use=settings.boxes_in_use,
        yours=tuple(
            n
            for n in table.taken_seats()
            if viewer.who is not None and table.player_at(n) == viewer.who
        ),
        decisions=questions_for(table, viewer),
        waiting=held_by(table),
    )


def _face(cards: list[Card], open_ones: set[Card], everything: bool) -> tuple[Card, ...]:
    return tuple(card if everything or card in open_ones else Card.UNKNOWN for card in cards)


def _named(cards: list[Card], open_ones: Collection[Card]) -> list[Card]:
    """The cards of one place with those that lie open there: of a real shoe nobody may have said
    yet which of them it is, and in a hand that is all the same."""
    unnamed = iter([card for card in open_ones if card not in cards])
    return [next(unnamed, card) if card is Card.UNKNOWN else card for card in cards]


def _box(table: BankedTable, number: int, viewer: Viewer, everything: bool) -> BoxView:
    player = table.player_at(number)
    assert player is not None
    his = viewer.who is not None and viewer.who == player
    # Where the dealer enters what players do, nothing is for them to do by command.
    by_command = table.state.settings.acting != "seen"
    may = tuple(table.offers(number)) if his and by_command else ()
    offers = tuple(str(offer) for offer in may)
    box = table.state.boxes.get(number)
    if box is None:
        return BoxView(player=player, offers=offers, may=may)
    makes = ""
    if his and box.examined and table.playing():
        makes = hand_in_words(box.cards, table.state.board[: table.state.shown])
    return BoxView(
        player=player,
        stakes={bet: amount for bet in BETS if (amount := getattr(box, bet))},
        standing=box.standing,
        cards=_face(_named(box.cards, box.face_up), _seen(box, his), everything),
        looked=box.examined,
        chosen=tuple(box.chosen),
        result=box.result,
        hand=box.hand,
        payouts={str(bet): payout for bet, payout in box.payouts.items()},
        lines_due=tuple(box.due),
        lines_paid=dict(box.paid_lines),
        offers=offers,
        may=may,
        makes=makes,
        deemed=box.deemed,
        bonus_line=box.bonus_line,
        settled=_settled(table, box),
        why=reasons_of(table, box) if his else {},
        best=_best(table, box.cards) if box.hand else (),
    )


def _best(table: BankedTable, cards: list[Card]) -> tuple[Card, ...]:
    """The five that count of a hand which everybody has seen compared."""
    whole = (*cards, *table.state.board)
    return best_five(whole) if len(whole) >= 5 and Card.UNKNOWN not in whole else ()


def _settled(table: BankedTable, box: BoxState) -> str:
    """Result, hands and every bet in one line of text; empty before the settlement."""
    if box.result is None:
        return ""
    against = f" with {box.hand}" if box.hand else ""
    if box.hand and table.state.dealer_hand:
        against += f" against {table.state.dealer_hand}"
    bets = [_told_bet(bet, payout) for bet, payout in box.payouts.items()]
    bets += [f"Line {line} pays {write_money(paid)}." for line, paid in box.paid_lines.items()]
    return " ".join((f"{box.result.capitalize()}{against}.", *bets))


def _told_bet(bet: str, payout: Payout) -> str:
    parts = (("wins", payout.won), ("gets back", payout.returned), ("loses", payout.lost))
    told = ", ".join(f"{word} {write_money(amount)}" for word, amount in parts if amount)
    return f"{bet.capitalize()} {write_money(payout.staked)} {told or 'lies there still'}."


def _seen(box: BoxState, his: bool) -> set[Card]:
    return {*box.cards, *box.face_up} if his and box.examined else set(box.face_up)


def _board(state: BankedState) -> list[Card]:
    """The Community Cards, with real ones that lie open where it is plain which they are: all that
    nobody has named."""
    unnamed = [card for card in state.exposed_board if card not in state.board]
    plain = len(unnamed) == state.board.count(Card.UNKNOWN)
    return _named(state.board, unnamed) if plain else state.board
