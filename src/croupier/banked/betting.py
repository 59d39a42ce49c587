"""The opening stakes: Ante, Bonus and Progressive Jackpot bet (3.2 to 3.9, 5.1, 5.2, 5.4, 5.22).

A player's own bet is exact. Chips that the dealer finds on a spot are entered as they lie; when he
notices in time that they are wrong, he acts on it here; otherwise settlement does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from croupier.banked.authority import (
    HOUSE,
    PLAYER,
    can_pay,
    check_box,
    himself,
    own_box,
    refuse_hand,
)
from croupier.banked.commands import (
    AcceptNotice,
    BetName,
    PlaceAnte,
    PlaceBonus,
    PlaceProgressive,
    WithdrawBet,
)
from croupier.banked.events import (
    AntePlaced,
    BetReturned,
    BetWithdrawn,
    BonusPlaced,
    CameBack,
    NoticeAccepted,
    OpeningBetPlaced,
    Payout,
    ProgressivePlaced,
)
from croupier.banked.phases import no_choice_left, onward
from croupier.banked.state import BETS, BankedState, BoxState
from croupier.rulebooks import Topic, number_of
from croupier.table import Announced, BadCommand, Call, Command, DecisionNeeded, Order, Room
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

betting = Room("betting")

OPENING = ("ante", "bonus", "progressive")
LATER: tuple[BetName, ...] = ("flop", "turn", "river")
BETS_CLOSED = "Bets are closed for this round."
SIZES = {
    "flop": number_of("flop-bet"),
    "turn": number_of("turn-bet"),
    "river": number_of("river-bet"),
}
"""Flop, Turn and River bet in Antes (1.11, 3.7)."""


# -- who bets where -------------------------------------------------------------------------------


def bettor(table: BankedTable, order: Order[Command], box: int, named: str | None) -> str:
    """Whose bet it is: the speaker's own, or that of the player for whom staff place it (5.22)."""
    state = table.state
    if state.phase != "bets open":
        bets_not_open(table)
    check_box(table, box)
    if order.rank is PLAYER:
        if named is not None and named != order.who:
            table.refuse(Topic.SEATED_PLAYERS_ONLY, f"You cannot bet for {named}.")
        player = order.who
    else:
        if order.rank is HOUSE:
            table.refuse(Topic.STAFF_PLACES_BET, "The software places no bets for a player.")
        player = named or table.player_at(box) or ""
        if not player:
            raise BadCommand(f"say for which player the bet on box {box} is placed")
    if box in state.blocked:
        table.refuse(Topic.JACKPOT_FAULT_BLOCK_BOXES, f"No bets are taken on box {box}.")
    holder = table.player_at(box)
    if holder is not None and holder != player:
        table.refuse_citing(
            (Topic.SEATED_PLAYERS_ONLY, Topic.STANDING_PLAYER),
            f"Box {box} is {holder}'s; nobody else may bet there.",
        )
    held = state.boxes.get(box)
    if held is not None and held.standing != "in":
        refuse_hand(table, box, held)
    if state.notice and player not in state.told and player not in state.accepted:
        table.refuse(
            Topic.JACKPOT_FAULT_NO_JACKPOT,
            f"{'You' if himself(order, player) else player} must first accept that no Progressive "
            "Jackpot bets are taken or paid.",
        )
    return player


def bets_not_open(table: BankedTable) -> NoReturn:
    if table.playing():
        table.refuse_citing((Topic.NO_CHANGES_AFTER_CLOSE, Topic.CLOSING_CALL), BETS_CLOSED)
    table.refuse(Topic.OPENING_CALL, "Bets may be placed once the dealer has called for them.")


def _within(table: BankedTable, bet: str, amount: int) -> None:
    """The displayed limits of a spot (3.3, 3.4)."""
    least, most = limits(table, bet)
    if not least <= amount <= most:
        between = f"from {write_money(least)} to {write_money(most)}"
        table.refuse(
            Topic.PLAYER_MINDS_BET_SIZE, f"The {bet} is {between}, not {write_money(amount)}."
        )


def limits(table: BankedTable, bet: str) -> tuple[int, int]:
    """The least and the most of an opening stake; the jackpot bet has one prescribed amount."""
    settings = table.state.settings
    if bet == "progressive":
        return settings.prescribed, settings.prescribed
    least = settings.ante_minimum if bet == "ante" else settings.bonus_minimum
    most = settings.ante_maximum if bet == "ante" else settings.bonus_maximum
    return least or 0, most or 0


def is_extra(table: BankedTable, box: int, player: str) -> bool:
    """Whether this box is a further hand of a player: not where he sits, nor his first."""
    state = table.state
    if state.sitting.get(box) == player:
        return False
    first = next((b for b, held in state.boxes.items() if held.player == player), box)
    return first != box or player in state.sitting.values()


def is_further(table: BankedTable, box: int, player: str) -> bool:
    """Whether an Ante that is new on this box is for a further hand of a player (3.7)."""
    boxes = table.state.boxes
    if box in boxes and boxes[box].ante:
        return False
    return any(b != box and held.player == player and held.ante for b, held in boxes.items())


def tell_of_one_hand(table: BankedTable, box: int, player: str) -> None:
    """3.7: whoever bets on a further hand is told that he may examine one only."""
    table.emit(
        Announced(
            call=Call.NOTICE,
            says=f"{player} may examine one hand only.",
            seat=box,
            cites=table.cite(Topic.EXTRA_HANDS),
        )
    )


def more_chips(held: BoxState | None, bet: str, amount: int) -> int:
    """What a bet of this amount in all takes from the rack."""
    return amount - (getattr(held, bet) if held is not None else 0)


def right_size(table: BankedTable, held: BoxState, bet: str) -> int:
    """What a Flop, Turn or River bet should be: a multiple of the Ante as it lies (1.11, 3.7)."""
    return table.multiples[bet] * held.ante


# -- the player's own stakes ----------------------------------------------------------------------


@betting.decides(PlaceAnte)
def place_ante(table: BankedTable, order: Order[PlaceAnte]) -> None:
    command, state = order.command, table.state
    box = command.box
    player = bettor(table, order, box, command.player)
    _within(table, "ante", command.amount)
    held = state.boxes.get(box)
    can_pay(table, order, player, more_chips(held, "ante", command.amount))
    topics: list[str] = [Topic.ANTE, Topic.PLAYER, Topic.SEATED_PLAYER]
    further = is_further(table, box, player)
    if further:
        topics.append(Topic.EXTRA_HANDS)
    comes_back(table, player)
    table.emit(
        AntePlaced(
            box=box,
            player=player,
            amount=command.amount,
            placed_by=_placer(order, topics),
            cites=table.cite(*topics),
        )
    )
    if further:
        tell_of_one_hand(table, box, player)


def _placer(order: Order[Command], topics: list[str]) -> str | None:
    if order.rank is PLAYER:
        return None
    topics.append(Topic.STAFF_PLACES_BET)
    return order.who


@betting.decides(PlaceBonus)
def place_bonus(table: BankedTable, order: Order[PlaceBonus]) -> None:
    command = order.command
    box = command.box
    player = bettor(table, order, box, command.player)
    held = table.state.boxes.get(box)
    if held is None or not held.ante:
        table.refuse(Topic.BONUS_BET, f"A Bonus bet on box {box} needs an Ante there first.")
    _within(table, "bonus", command.amount)
    can_pay(table, order, player, more_chips(held, "bonus", command.amount))
    topics: list[str] = [Topic.BONUS_BET]
    table.emit(
        BonusPlaced(
            box=box,
            player=player,
            amount=command.amount,
            placed_by=_placer(order, topics),
            cites=table.cite(*topics),
        )
    )


@betting.decides(PlaceProgressive)
def place_progressive(table: BankedTable, order: Order[PlaceProgressive]) -> None:
    command, state = order.command, table.state
    box = command.box
    player = bettor(table, order, box, command.player)
    check_jackpot_open(table, box)
    extra = is_extra(table, box, player)
    held = state.boxes.get(box)
    if held is None or not held.ante:
        table.refuse(
            Topic.JACKPOT_BET_ON_EXTRA_HAND if extra else Topic.JACKPOT_BET,
            f"A Progressive Jackpot bet on box {box} needs an Ante there first.",
        )
    prescribed = state.settings.prescribed
    amount = prescribed if command.amount is None else command.amount
    if amount != prescribed:
        table.refuse(
            Topic.PLAYER_MINDS_BET_SIZE,
            f"The Progressive Jackpot bet is {write_money(prescribed)}, not {write_money(amount)}.",
        )
    can_pay(table, order, player, more_chips(held, "progressive", amount))
    topics: list[str] = [
        Topic.JACKPOT_BET_ON_EXTRA_HAND if extra else Topic.JACKPOT_BET,
        Topic.JACKPOT_COIN_SPOT,
    ]
    table.emit(
        ProgressivePlaced(
            box=box,
            player=player,
            amount=amount,
            placed_by=_placer(order, topics),
            cites=table.cite(*topics),
        )
    )


def check_jackpot_open(table: BankedTable, box: int) -> None:
    """No jackpot bets while the notice hangs, the system is down or the link is closed."""
    state = table.state
    if state.notice:
        table.refuse(Topic.JACKPOT_FAULT_NO_JACKPOT, state.notice)
    if state.link_failed or state.whole_failed or box in state.failed_boxes:
        table.refuse(Topic.JACKPOT_FAULT_LATER, "The Progressive Jackpot is not functional.")
    if state.link_closed:
        table.refuse(Topic.JACKPOT_BET, "The Progressive Jackpot is closed for the time being.")


@betting.applies(AntePlaced, BonusPlaced, ProgressivePlaced)
def opening_bet_placed(table: BankedTable, event: OpeningBetPlaced) -> None:
    bet = _SPOT[type(event)]
    put(table, event.box, event.player, bet, event.amount)


_SPOT: dict[type, BetName] = {
    AntePlaced: "ante",
    BonusPlaced: "bonus",
    ProgressivePlaced: "progressive",
}


def put(table: BankedTable, box: int, player: str, bet: BetName, amount: int) -> None:
    """Make the chips on a spot this much; the difference comes from, or goes to, the player."""
    state = table.state
    held = state.boxes.get(box)
    if held is None:
        held = state.boxes[box] = BoxState(player=player)
    give(state, player, getattr(held, bet) - amount)
    setattr(held, bet, amount)


def is_gone(state: BankedState, player: str) -> bool:
    """Whether a player is not here to be handed anything."""
    return player in state.away or player in state.left or player in state.absent


def comes_back(table: BankedTable, player: str) -> None:
    """Whoever bets again is here, and decides for the new hand: what was reported of the player
    before holds for the hands that there were then (1.26, 5.5)."""
    if is_gone(table.state, player):
        table.emit(CameBack(player=player, cites=table.cite(Topic.SEATED_PLAYER)))


@betting.applies(CameBack)
def came_back(table: BankedTable, event: CameBack) -> None:
    state = table.state
    state.away = [player for player in state.away if player != event.player]
    state.left = [player for player in state.left if player != event.player]
    state.absent = [player for player in state.absent if player != event.player]


def give(state: BankedState, player: str, amount: int) -> None:
    """Hand money to a player; what is due to one who walked away or has left is kept safe (B-47).

    Of one who has left nothing is counted any more but what he owes, and that goes first.
    """
    if amount > 0 and player in state.left:
        owes = min(amount, max(0, -state.net.get(player, 0)))
        if owes:
            state.net[player] += owes
            amount -= owes
    if amount > 0 and is_gone(state, player):
        state.safekeeping[player] = state.safekeeping.get(player, 0) + amount
    else:
        state.net[player] = state.net.get(player, 0) + amount


@betting.decides(WithdrawBet)
def withdraw_bet(table: BankedTable, order: Order[WithdrawBet]) -> None:
    command, state = order.command, table.state
    held = own_box(table, order, command.box)
    if state.phase != "bets open":
        if held.accepts:
            own = himself(order, held.player)
            accepts = "You accept" if own else f"{held.player} accepts"
            table.refuse(
                Topic.ACCEPTS_LATER_CARDS,
                f"{accepts} the cards that come: that was the choice to continue.",
            )
        bets_not_open(table)
    if held.standing != "in":
        refuse_hand(table, command.box, held)
    if not getattr(held, command.bet):
        raise BadCommand(f"there is no {command.bet} on box {command.box}")
    for bet in with_what_rests_on_it(command.bet):
        amount = getattr(held, bet)
        if amount:
            table.emit(
                BetWithdrawn(
                    box=command.box,
                    bet=bet,
                    amount=amount,
                    cites=table.cite(Topic.NO_CHANGES_AFTER_CLOSE),
                )
            )


def with_what_rests_on_it(bet: BetName) -> tuple[BetName, ...]:
    """Without an Ante, Bonus and jackpot bet cannot stay (3.8, 3.9)."""
    return ("bonus", "progressive", "ante") if bet == "ante" else (bet,)


SHORT_PROGRESSIVE = "short progressive"
FOLDED_ROYAL = "folded royal flush"
CARDS_GONE = "cards gone"
_OF_THE_JACKPOT_BET = (SHORT_PROGRESSIVE, FOLDED_ROYAL, CARDS_GONE)
"""What is asked of a box for its jackpot bet alone."""


def ask_no_more(state: BankedState, box: int) -> None:
    """A jackpot stake that has gone back, or is another now, needs no ruling as it was."""
    state.waiting = [
        need
        for need in state.waiting
        if not isinstance(need, DecisionNeeded)
        or need.question not in _OF_THE_JACKPOT_BET
        or need.about.get("box") != box
    ]


@betting.applies(BetWithdrawn, BetReturned)
def bet_taken_off(table: BankedTable, event: BetWithdrawn | BetReturned) -> None:
    state = table.state
    held = state.boxes[event.box]
    put(table, event.box, held.player, event.bet, getattr(held, event.bet) - event.amount)
    if isinstance(event, BetReturned):
        held.payouts[event.bet] = Payout(staked=event.amount, returned=event.amount)
        held.returned_by[event.bet] = event.cites
        if event.bet == "progressive":
            held.registered = False
            ask_no_more(state, event.box)
            if held.standing == "folded":
                no_choice_left(state, event.box)
                onward(table)  # B-24: for the last jackpot bet alone cards were still to be shown.
    elif event.bet in LATER and not getattr(held, event.bet):
        held.window -= 1
        held.chosen.pop()
        if event.bet == "flop":
            held.standing = "in"
        onward(table)
    free_if_bare(state, event.box)


def free_if_bare(state: BankedState, box: int) -> None:
    """While bets are open a box on which nothing lies any more is anybody's (3.5, 3.7)."""
    if state.phase == "bets open" and not any(getattr(state.boxes[box], bet) for bet in BETS):
        del state.boxes[box]


# -- the notice after a fault ---------------------------------------------------------------------


@betting.decides(AcceptNotice, while_waiting=True)
def accept_notice(table: BankedTable, order: Order[AcceptNotice]) -> None:
    player = order.command.player
    if order.rank is PLAYER and order.who != player:
        table.refuse(Topic.SEATED_PLAYERS_ONLY, f"You cannot accept it for {player}.")
    if order.rank is HOUSE:
        table.refuse(Topic.SEATED_PLAYERS_ONLY, "The software decides nothing for a player.")
    if not table.state.notice:
        raise BadCommand("no notice hangs at this table")
    if player in table.state.accepted:
        has = "you have" if himself(order, player) else f"{player} has"
        raise BadCommand(f"{has} accepted the notice already")
    table.emit(NoticeAccepted(player=player, cites=table.cite(Topic.JACKPOT_FAULT_NO_JACKPOT)))


@betting.applies(NoticeAccepted)
def notice_accepted(table: BankedTable, event: NoticeAccepted) -> None:
    table.state.accepted.append(event.player)
