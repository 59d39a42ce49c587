"""Tells the plain facts of a banked table from its state, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from croupier.banked.authority import chips_of
from croupier.banked.facts import BankedFacts, BetFacts, JackpotFacts, RoundRecord
from croupier.banked.state import BETS, BoxState
from croupier.cards.value import category_told
from croupier.table.table import SHARED_FACTS

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable


def facts_of(table: BankedTable) -> BankedFacts:
    """Everything that can be said of the table now."""
    return BankedFacts(**named_facts(table, FACTS))


def named_facts(table: BankedTable, names: Iterable[str]) -> dict[str, Any]:
    """These facts, and no others are worked out."""
    return {name: FACTS[name](table) for name in names}


def _of_boxes(told: Callable[[BoxState], Any]) -> Callable[[BankedTable], dict[int, Any]]:
    """What there is to tell of each box, in their order; nothing is told of the others."""

    def of_boxes(table: BankedTable) -> dict[int, Any]:
        boxes = sorted(table.state.boxes.items())
        return {number: value for number, box in boxes if (value := told(box))}

    return of_boxes


def _record(table: BankedTable) -> RoundRecord:
    state, book = table.state, table.book
    if not state.round:
        return RoundRecord()
    return RoundRecord(
        rulebook=book.id,
        version=book.version,
        approved_by=book.regulator,
        knowingly=state.knowingly,
        dealer=state.dealer_name,
    )


def _payouts(box: BoxState) -> dict[str, BetFacts]:
    return {
        bet: BetFacts(staked=p.staked, won=p.won, returned=p.returned, lost=p.lost, paid=p.paid)
        for bet, p in box.payouts.items()
    }


def _jackpot(box: BoxState) -> JackpotFacts | None:
    if not box.due and not box.paid_lines:
        return None
    return JackpotFacts(due=list(box.due), claimed=box.claimed, paid=dict(box.paid_lines))


FACTS: Mapping[str, Callable[[BankedTable], Any]] = {
    **SHARED_FACTS,
    "round": lambda table: table.state.round,
    "record": _record,
    "bets_open": lambda table: table.state.phase == "bets open",
    "window": lambda table: table.state.window(),
    "players": lambda table: {
        n: player for n in table.taken_seats() if (player := table.player_at(n)) is not None
    },
    "stakes": _of_boxes(lambda box: {bet: x for bet in BETS if (x := getattr(box, bet))}),
    "standing": _of_boxes(lambda box: box.standing),
    "examined": lambda table: sorted(n for n, box in table.state.boxes.items() if box.examined),
    "chosen": _of_boxes(lambda box: list(box.chosen)),
    "cards": _of_boxes(lambda box: list(box.cards)),
    "face_up": _of_boxes(lambda box: list(box.face_up)),
    "board": lambda table: table.state.board[: table.state.shown],
    "community": lambda table: list(table.state.board),
    "burns": lambda table: list(table.state.burns),
    "exposed_burns": lambda table: list(table.state.exposed_burns),
    "stray": lambda table: {n: list(cards) for n, cards in table.state.stray.items()},
    "dealer": lambda table: list(table.state.dealer),
    "dealer_shown": lambda table: table.state.dealer_shown,
    "cards_left": lambda table: table.state.shoe.left if table.state.shoe is not None else 0,
    "hands": _of_boxes(lambda box: box.hand),
    "dealer_hand": lambda table: table.state.dealer_hand,
    "categories": _of_boxes(lambda box: box.hand and category_told(box.hand)),
    "dealer_category": lambda table: category_told(table.state.dealer_hand),
    "results": _of_boxes(lambda box: box.result),
    "payouts": _of_boxes(_payouts),
    "bonus_lines": _of_boxes(lambda box: box.bonus_line),
    "jackpot": _of_boxes(_jackpot),
    "paid": lambda table: {
        n: sum(payout.paid for payout in box.payouts.values())
        for n, box in sorted(table.state.boxes.items())
    },
    "net": lambda table: dict(table.state.net),
    "chips": lambda table: {
        player: chips
        for player in table.state.racks
        if (chips := chips_of(table, player)) is not None
    },
    "house": lambda table: table.state.house,
    "from_meter": lambda table: table.state.from_meter,
    "safekeeping": lambda table: dict(table.state.safekeeping),
    "void": lambda table: table.state.void,
    "goes_on": lambda table: list(table.state.goes_on),
    "irregularities": lambda table: list(table.state.irregularities),
    "rulings": lambda table: list(table.state.rulings),
    "calls": lambda table: list(table.state.calls),
    "jackpot_works": lambda table: not table.state.jackpot_failed(),
    "progressive_taken": lambda table: table.state.jackpot_open(),
    "next_rounds": lambda table: table.state.next_rounds,
    "blocked": lambda table: list(table.state.blocked),
    "notice": lambda table: table.state.notice,
    "accepted": lambda table: list(table.state.accepted),
    "policies": lambda table: dict(table.state.policies),
    "stakes_told": lambda table: table.state.stakes_told,
    "device": lambda table: table.state.settings.device,
    "boxes_in_use": lambda table: table.state.settings.boxes_in_use,
}
"""How each fact of `BankedFacts` is told."""
