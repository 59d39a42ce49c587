"""A bot at a banked table: opening stakes by temperament, every other decision by the best play."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from croupier.banked import commands as do
from croupier.banked.choices import AS_DEALT, AS_RECONSTRUCTED, TAKE_BETS_BACK
from croupier.banked.view import BankedView, BoxView
from croupier.cards import Card
from croupier.live.bots.banked_seat import BankedSeat
from croupier.live.bots.banked_strategy import Strategy
from croupier.live.bots.bot import Thought, answer, own_question
from croupier.live.bots.temperaments import Temperament
from croupier.pit.ports.banked import ANTES_OF_A_ROUND
from croupier.rulebooks import Rulebook
from croupier.table import Look, Offer
from croupier.table.view import QuestionView

HARD = 0.4
"""How hard every decision of a hand is: as hard with any cards, for whoever counts the seconds."""


class Stakes(Struct, frozen=True, kw_only=True):
    """What it has set its mind on for a round."""

    round: int
    ante: int
    bonus: bool
    progressive: bool


class BankedBot(BankedSeat):
    """Plays one box."""

    def __init__(self, name: str, temperament: Temperament, book: Rulebook) -> None:
        super().__init__(name, temperament)
        self.strategy = Strategy(book)
        self._stakes: Stakes | None = None

    def think(self, view: BankedView, offers: Sequence[Offer], chance: Random) -> Thought | None:
        if not view.yours:
            return None
        number = view.yours[0]
        box = view.boxes[number]
        question = own_question(view.decisions)
        if question is not None:
            return self._answer(question, view, box)
        may = {offer.do: offer for offer in offers}
        if "accept notice" in may:
            return Thought(command=do.AcceptNotice(player=self.name))
        if view.status == "bets open":
            return self._open(view, number, box, may, chance)
        if "look" in may:
            return Thought(command=Look(seat=number))
        return self._play(view, number, box, may)

    # -- opening stakes ----------------------------------------------------------------------

    def _open(
        self, view: BankedView, number: int, box: BoxView, may: dict[str, Offer], chance: Random
    ) -> Thought | None:
        stakes = self._stakes
        if stakes is None or stakes.round != view.round:
            stakes = self._stakes = self._plan(view, chance)
        ante, bonus, jackpot = (may.get(f"place {bet}") for bet in ("ante", "bonus", "progressive"))
        if "ante" not in box.stakes:
            if ante is None or not stakes.ante:
                return None
            return Thought(command=do.PlaceAnte(box=number, amount=stakes.ante), hard=0.1)
        if stakes.bonus and bonus is not None and "bonus" not in box.stakes:
            amount = bonus.least
            assert amount is not None
            if self._can_spare(view, box, amount):
                return Thought(command=do.PlaceBonus(box=number, amount=amount))
        if stakes.progressive and jackpot is not None and "progressive" not in box.stakes:
            amount = jackpot.least
            assert amount is not None
            if self._can_spare(view, box, amount):
                return Thought(command=do.PlaceProgressive(box=number))
        return None

    def _plan(self, view: BankedView, chance: Random) -> Stakes:
        """An Ante that the rack carries through all three windows; none if it carries none."""
        least, most = view.limits["ante_minimum"], view.limits["ante_maximum"]
        likes = chance.choice(self.temperament.antes)
        affordable = most if view.chips is None else view.chips // (least * ANTES_OF_A_ROUND)
        ante = min(likes, affordable) * least if affordable else 0
        return Stakes(
            round=view.round,
            ante=min(ante, most // least * least),
            bonus=chance.random() < self.temperament.bonus,
            progressive=chance.random() < self.temperament.progressive,
        )

    def _can_spare(self, view: BankedView, box: BoxView, amount: int) -> bool:
        """Whether the later bets can still be made after this one."""
        later = box.stakes["ante"] * (ANTES_OF_A_ROUND - 1)
        return view.chips is None or view.chips >= later + amount

    def has_bet(self, view: BankedView) -> bool:
        stakes = self._stakes
        return stakes is not None and stakes.round == view.round

    # -- the hand ----------------------------------------------------------------------------

    def _play(
        self, view: BankedView, number: int, box: BoxView, may: dict[str, Offer]
    ) -> Thought | None:
        board = [card for card in view.board if card is not Card.UNKNOWN]
        known = len(box.cards) == 2 and Card.UNKNOWN not in box.cards
        if "fold" in may:
            verdict = self.strategy.judge(box.cards, ()) if known else None
            # A hand that may not be looked at is played: of all hands few are worth less than -1.
            if "flop bet" in may and (verdict is None or verdict.bet):
                return Thought(command=do.FlopBet(box=number), hard=HARD)
            return Thought(command=do.Fold(box=number), hard=HARD)
        if "check" not in may:
            return None
        window = "turn" if "turn bet" in may else "river" if "river bet" in may else ""
        if not window or not known or len(board) not in (3, 4):
            return Thought(command=do.Check(box=number), hard=HARD)
        verdict = self.strategy.judge(box.cards, board)
        assert verdict.gain is not None
        if not verdict.bet:
            return Thought(command=do.Check(box=number), hard=HARD)
        bets = {"turn": do.TurnBet(box=number), "river": do.RiverBet(box=number)}
        return Thought(command=bets[window], hard=HARD)

    # -- questions ---------------------------------------------------------------------------

    def _answer(self, question: QuestionView, view: BankedView, box: BoxView) -> Thought | None:
        """After a dealing error it goes on with what is worth more than its stakes back."""
        goes_on = (AS_RECONSTRUCTED, AS_DEALT)
        likes = (*goes_on, "increase") if self._is_good(view, box) else (TAKE_BETS_BACK, "increase")
        return answer(question, likes)

    def _is_good(self, view: BankedView, box: BoxView) -> bool:
        if box.standing not in ("in", "in for the finish"):
            return False
        if len(box.cards) != 2 or Card.UNKNOWN in box.cards:
            return False  # unseen, a round is worth a little less than nothing
        board = [card for card in view.board if card is not Card.UNKNOWN]
        if len(board) < 3:
            return (
                box.cards[0].rank is box.cards[1].rank
                or max(card.rank.order for card in box.cards) > _KING
            )
        return self.strategy.main_bets(box.cards, board) > 0


_KING = 13
