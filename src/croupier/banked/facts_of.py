"""Takes the plain facts of a banked table from its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import chips_of
from croupier.banked.facts import BankedFacts, BetFacts, JackpotFacts, RoundRecord
from croupier.banked.state import BETS, BoxState
from croupier.cards.value import category_told

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable


def facts_of(table: BankedTable) -> BankedFacts:
    """Everything that can be said of the table now."""
    state, book = table.state, table.book
    boxes = dict(sorted(state.boxes.items()))
    record = RoundRecord()
    if state.round:
        record = RoundRecord(
            rulebook=book.id,
            version=book.version,
            approved_by=book.regulator,
            knowingly=state.knowingly,
            dealer=state.dealer_name,
        )
    return BankedFacts(
        **table.shared_facts(),
        round=state.round,
        record=record,
        bets_open=state.phase == "bets open",
        window=state.window(),
        players={n: p for n in table.taken_seats() if (p := table.player_at(n)) is not None},
        stakes={n: stakes for n, box in boxes.items() if (stakes := _stakes(box))},
        standing={n: box.standing for n, box in boxes.items()},
        examined=[n for n, box in boxes.items() if box.examined],
        chosen={n: list(box.chosen) for n, box in boxes.items() if box.chosen},
        cards={n: list(box.cards) for n, box in boxes.items() if box.cards},
        face_up={n: list(box.face_up) for n, box in boxes.items() if box.face_up},
        board=state.board[: state.shown],
        community=list(state.board),
        burns=list(state.burns),
        exposed_burns=list(state.exposed_burns),
        stray={n: list(cards) for n, cards in state.stray.items()},
        dealer=list(state.dealer),
        dealer_shown=state.dealer_shown,
        cards_left=state.shoe.left if state.shoe is not None else 0,
        hands={n: box.hand for n, box in boxes.items() if box.hand},
        dealer_hand=state.dealer_hand,
        categories={n: category_told(box.hand) for n, box in boxes.items() if box.hand},
        dealer_category=category_told(state.dealer_hand),
        results={n: box.result for n, box in boxes.items() if box.result is not None},
        payouts={n: _payouts(box) for n, box in boxes.items() if box.payouts},
        bonus_lines={n: box.bonus_line for n, box in boxes.items() if box.bonus_line},
        jackpot={
            n: JackpotFacts(due=list(box.due), claimed=box.claimed, paid=dict(box.paid_lines))
            for n, box in boxes.items()
            if box.due or box.paid_lines
        },
        paid={n: sum(p.paid for p in box.payouts.values()) for n, box in boxes.items()},
        net=dict(state.net),
        chips={p: chips for p in state.racks if (chips := chips_of(table, p)) is not None},
        house=state.house,
        from_meter=state.from_meter,
        safekeeping=dict(state.safekeeping),
        void=state.void,
        goes_on=list(state.goes_on),
        irregularities=list(state.irregularities),
        rulings=list(state.rulings),
        calls=list(state.calls),
        jackpot_works=not state.jackpot_failed(),
        progressive_taken=state.jackpot_open(),
        next_rounds=state.next_rounds,
        blocked=list(state.blocked),
        notice=state.notice,
        accepted=list(state.accepted),
        policies=dict(state.policies),
        stakes_told=state.stakes_told,
        device=state.settings.device,
        boxes_in_use=state.settings.boxes_in_use,
    )


def _stakes(box: BoxState) -> dict[str, int]:
    return {bet: amount for bet in BETS if (amount := getattr(box, bet))}


def _payouts(box: BoxState) -> dict[str, BetFacts]:
    return {
        bet: BetFacts(staked=p.staked, won=p.won, returned=p.returned, lost=p.lost, paid=p.paid)
        for bet, p in box.payouts.items()
    }
