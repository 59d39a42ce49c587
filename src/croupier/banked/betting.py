"""The opening stakes: Ante, Bonus and Progressive Jackpot bet (3.2 to 3.9, 5.1, 5.2, 5.4, 5.22).

A player's own bet is exact. Chips that the dealer finds on a spot are entered as they lie; when he
notices in time that they are wrong, he acts on it here; otherwise settlement does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from croupier.banked.authority import (
    HOUSE,
    PLAYER,
    SHIFT_MANAGER,
    can_pay,
    check_box,
    chips_of,
    own_box,
    people_only,
)
from croupier.banked.commands import (
    AcceptNotice,
    BetName,
    ClaimMisplacedBet,
    NoticeBet,
    PlaceAnte,
    PlaceBonus,
    PlaceProgressive,
    ReportChips,
    WithdrawBet,
)
from croupier.banked.events import (
    AntePlaced,
    BetMadeUp,
    BetReturned,
    BetWithdrawn,
    BonusPlaced,
    ChipsReported,
    NoticeAccepted,
    OpeningBetPlaced,
    Payout,
    ProgressivePlaced,
    RulingMade,
    SurplusRefused,
)
from croupier.banked.phases import onward
from croupier.banked.state import BETS, BankedState, BoxState
from croupier.rulebooks import Topic
from croupier.table import (
    Announced,
    BadCommand,
    Call,
    Command,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
)
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

betting = Room("betting")

BELOW_THE_MINIMUM = "below the minimum"
BONUS_WITHOUT_ANTE = "bonus without ante"
_OPENING = ("ante", "bonus", "progressive")
_LATER = ("flop", "turn", "river")


# -- who bets where -------------------------------------------------------------------------------


def _bettor(table: BankedTable, order: Order[Command], box: int, named: str | None) -> str:
    """Whose bet it is: the speaker's own, or that of the player for whom staff place it (5.22)."""
    state = table.state
    if state.phase != "bets open":
        _bets_not_open(table)
    check_box(table, box)
    if order.rank is PLAYER:
        if named is not None and named != order.who:
            table.refuse(Topic.SEATED_PLAYERS_ONLY, f"{order.who} cannot bet for {named}.")
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
        table.refuse(
            Topic.FOLD_ENDS_THE_HAND,
            f"The hand of box {box} is out of this round; it takes no bets.",
        )
    if state.notice and player not in state.told and player not in state.accepted:
        table.refuse(
            Topic.JACKPOT_FAULT_NO_JACKPOT,
            f"{player} must first accept that no Progressive Jackpot bets are taken or paid.",
        )
    return player


def _bets_not_open(table: BankedTable) -> NoReturn:
    if table.playing():
        table.refuse_citing(
            (Topic.NO_CHANGES_AFTER_CLOSE, Topic.CLOSING_CALL), "Bets are closed for this round."
        )
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
        return settings.progressive or 0, settings.progressive or 0
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


def _has_another(table: BankedTable, box: int, player: str) -> bool:
    boxes = table.state.boxes.items()
    return any(b != box and held.player == player and held.ante for b, held in boxes)


def _more(held: BoxState | None, bet: str, amount: int) -> int:
    """What a bet of this amount in all takes from the rack."""
    return amount - (getattr(held, bet) if held is not None else 0)


# -- the player's own stakes ----------------------------------------------------------------------


@betting.on(PlaceAnte)
def place_ante(table: BankedTable, order: Order[PlaceAnte]) -> None:
    command, state = order.command, table.state
    box = command.box
    player = _bettor(table, order, box, command.player)
    _within(table, "ante", command.amount)
    held = state.boxes.get(box)
    can_pay(table, player, _more(held, "ante", command.amount))
    topics: list[str] = [Topic.ANTE, Topic.PLAYER, Topic.SEATED_PLAYER]
    further = not (held is not None and held.ante) and _has_another(table, box, player)
    if further:
        topics.append(Topic.EXTRA_HANDS)
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
        table.emit(
            Announced(
                call=Call.NOTICE,
                says=f"{player} may examine one hand only.",
                seat=box,
                cites=table.cite(Topic.EXTRA_HANDS),
            )
        )


def _placer(order: Order[Command], topics: list[str]) -> str | None:
    if order.rank is PLAYER:
        return None
    topics.append(Topic.STAFF_PLACES_BET)
    return order.who


@betting.on(PlaceBonus)
def place_bonus(table: BankedTable, order: Order[PlaceBonus]) -> None:
    command = order.command
    box = command.box
    player = _bettor(table, order, box, command.player)
    held = table.state.boxes.get(box)
    if held is None or not held.ante:
        table.refuse(Topic.BONUS_BET, f"A Bonus bet on box {box} needs an Ante there first.")
    _within(table, "bonus", command.amount)
    can_pay(table, player, _more(held, "bonus", command.amount))
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


@betting.on(PlaceProgressive)
def place_progressive(table: BankedTable, order: Order[PlaceProgressive]) -> None:
    command, state = order.command, table.state
    box = command.box
    player = _bettor(table, order, box, command.player)
    check_jackpot_open(table, box)
    extra = is_extra(table, box, player)
    held = state.boxes.get(box)
    if held is None or not held.ante:
        table.refuse(
            Topic.JACKPOT_BET_ON_EXTRA_HAND if extra else Topic.JACKPOT_BET,
            f"A Progressive Jackpot bet on box {box} needs an Ante there first.",
        )
    prescribed = state.settings.progressive or 0
    amount = prescribed if command.amount is None else command.amount
    if amount != prescribed:
        table.refuse(
            Topic.PLAYER_MINDS_BET_SIZE,
            f"The Progressive Jackpot bet is {write_money(prescribed)}, not {write_money(amount)}.",
        )
    can_pay(table, player, _more(held, "progressive", amount))
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


@betting.when(AntePlaced, BonusPlaced, ProgressivePlaced)
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


def give(state: BankedState, player: str, amount: int) -> None:
    """Hand money to a player; what is due to one who walked away is kept safe (B-47)."""
    if amount > 0 and player in state.away:
        state.safekeeping[player] = state.safekeeping.get(player, 0) + amount
    else:
        state.net[player] = state.net.get(player, 0) + amount


@betting.on(WithdrawBet)
def withdraw_bet(table: BankedTable, order: Order[WithdrawBet]) -> None:
    command, state = order.command, table.state
    held = own_box(table, order, command.box)
    if state.phase != "bets open":
        if held.accepts:
            table.refuse(
                Topic.ACCEPTS_LATER_CARDS,
                f"{held.player} chose to continue and accepts the cards that come.",
            )
        _bets_not_open(table)
    if held.standing != "in":
        table.refuse(
            Topic.FOLD_ENDS_THE_HAND, f"The hand of box {command.box} is out of this round."
        )
    if not getattr(held, command.bet):
        raise BadCommand(f"there is no {command.bet} on box {command.box}")
    for bet in _with_what_rests_on_it(command.bet):
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


def _with_what_rests_on_it(bet: BetName) -> tuple[BetName, ...]:
    """Without an Ante, Bonus and jackpot bet cannot stay (3.8, 3.9)."""
    return ("bonus", "progressive", "ante") if bet == "ante" else (bet,)


@betting.when(BetWithdrawn, BetReturned)
def bet_taken_off(table: BankedTable, event: BetWithdrawn | BetReturned) -> None:
    state = table.state
    held = state.boxes[event.box]
    put(table, event.box, held.player, event.bet, getattr(held, event.bet) - event.amount)
    if isinstance(event, BetReturned):
        held.payouts[event.bet] = Payout(staked=event.amount, returned=event.amount)
        if event.bet == "progressive":
            held.registered = False
    elif event.bet in _LATER and not getattr(held, event.bet):
        held.window -= 1
        held.chosen.pop()
        if event.bet == "flop":
            held.standing = "in"
        onward(table)
    if state.phase == "bets open" and not any(getattr(held, bet) for bet in BETS):
        del state.boxes[event.box]


# -- chips as they lie ----------------------------------------------------------------------------


@betting.on(ReportChips)
def report_chips(table: BankedTable, order: Order[ReportChips]) -> None:
    """Whatever lies on the spot is entered; whether it counts is for 5.1 to 5.4."""
    command, state = order.command, table.state
    box, bet = command.box, command.bet
    people_only(table, order, "reports what lies on the layout")
    if command.amount <= 0:
        raise BadCommand("chips that lie on a spot are more than nothing")
    if bet in _OPENING:
        player = _bettor(table, order, box, command.player)
        if bet == "progressive":
            check_jackpot_open(table, box)
        held = state.boxes.get(box)
        topics: tuple[str, ...] = (Topic.CHIP_POSITION_GOVERNS,)
    else:
        held = own_box(table, order, box)
        player = held.player
        topics = (_later_window(table, held, box, bet),)
    can_pay(table, player, _more(held, bet, command.amount))
    table.emit(
        ChipsReported(
            box=box, player=player, bet=bet, amount=command.amount, cites=table.cite(*topics)
        )
    )


def _later_window(table: BankedTable, held: BoxState, box: int, bet: BetName) -> str:
    """Flop, Turn and River chips lie down in their own window only."""
    from croupier.banked.decisions import WINDOW_TOPICS  # the two rooms need each other

    state = table.state
    topic = WINDOW_TOPICS[bet]
    if state.window() != bet:
        table.refuse(topic, f"It is not the time for a {bet.capitalize()} bet.")
    live = held.standing == "in for the finish" or (bet == "flop" and held.standing == "in")
    if not live:
        table.refuse(Topic.FOLD_ENDS_THE_HAND, f"Box {box} is no longer in the round.")
    if held.chosen and held.window > _BEFORE[bet] and not getattr(held, bet):
        table.refuse(topic, f"Box {box} has decided already.")
    return topic


_BEFORE = {"flop": 0, "turn": 1, "river": 2}


@betting.when(ChipsReported)
def chips_reported(table: BankedTable, event: ChipsReported) -> None:
    new = event.box not in table.state.boxes or not getattr(table.state.boxes[event.box], event.bet)
    put(table, event.box, event.player, event.bet, event.amount)
    if event.bet in _LATER and new:
        held = table.state.boxes[event.box]
        held.window += 1
        held.chosen.append(f"{event.bet} bet")
        if event.bet == "flop":
            held.standing = "in for the finish"
        onward(table)


# -- noticing a wrong bet -------------------------------------------------------------------------


def right_size(table: BankedTable, held: BoxState, bet: str) -> int:
    """What a Flop, Turn or River bet should be: a multiple of the Ante as it lies (1.11, 3.7)."""
    return table.multiples[bet] * held.ante


@betting.on(NoticeBet)
def notice_bet(table: BankedTable, order: Order[NoticeBet]) -> None:
    command, state = order.command, table.state
    box, bet = command.box, command.bet
    people_only(table, order, "acts on a bet that he notices")
    held = state.boxes.get(box)
    amount = getattr(held, bet) if held is not None else 0
    if held is None or not amount:
        raise BadCommand(f"there is no {bet} on box {box}")
    if bet != "ante" and bet in _OPENING and not held.ante:
        _without_ante(table, box, bet, amount)
        return
    if bet in _OPENING:
        least, most = limits(table, bet)
        in_time = state.phase == "bets open"
        over, under = Topic.OVER_MAXIMUM_IN_TIME, Topic.UNDER_MINIMUM_IN_TIME
        if not in_time:
            over, under = Topic.OVER_MAXIMUM_LATE, Topic.UNDER_MINIMUM_LATE
    else:
        least = most = right_size(table, held, bet)
        # 1.3: a window shuts when the next Community Cards are turned up, not when all have bet.
        in_time = bet in (state.window(), state.phase)
        over, under = Topic.OVERSIZED_BET, Topic.UNDERSIZED_BET
    if least <= amount <= most:
        raise BadCommand(f"the {bet} of {write_money(amount)} on box {box} is as it should be")
    if not in_time and bet in _OPENING:
        table.refuse(
            over if amount > most else under,
            "Bets are closed: it counts as the book says at settlement.",
        )
    if not in_time:
        table.refuse(Topic.WRONG_SIZE_AT_SETTLEMENT, "Its window has shut; settlement sees to it.")
    table.emit(
        Announced(
            call=Call.WARNING,
            says=f"The {bet} of {write_money(amount)} on box {box} is not as displayed.",
            seat=box,
            cites=table.cite(Topic.PLAYER_MINDS_BET_SIZE),
        )
    )
    if amount > most:
        table.emit(SurplusRefused(box=box, bet=bet, surplus=amount - most, cites=table.cite(over)))
    elif bet == "progressive":
        # B-23: before close a stake of the wrong size is rejected.
        table.emit(
            BetReturned(
                box=box,
                bet=bet,
                amount=amount,
                cites=table.cite(Topic.PLAYER_MINDS_BET_SIZE),
            )
        )
    else:
        table.ask(
            BELOW_THE_MINIMUM,
            f"The {bet} on box {box} must be at least {write_money(least)}.",
            _ways_to_put_right(table, held, least - amount),
            box,
            table.cite(under),
            about={"bet": bet, "least": least},
        )


def _ways_to_put_right(table: BankedTable, held: BoxState, more: int) -> tuple[str, ...]:
    """He may raise it or take it back; raising it takes chips that he has."""
    chips = chips_of(table, held.player)
    return ("increase", "withdraw") if chips is None or chips >= more else ("withdraw",)


def _without_ante(table: BankedTable, box: int, bet: BetName, amount: int) -> None:
    """A jackpot bet without an Ante goes back (5.4); a Bonus bet by ruling (B-44)."""
    if table.state.is_settled():
        table.refuse(Topic.ROUND_OF_PLAY, "The round has been settled.")
    if bet == "progressive":
        cites = table.cite(Topic.JACKPOT_BET_WITHOUT_ANTE)
        table.emit(BetReturned(box=box, bet=bet, amount=amount, cites=cites))
    else:
        ask_bonus_without_ante(table, box)


def ask_bonus_without_ante(table: BankedTable, box: int) -> None:
    """B-44: proposed is to return it, as with a jackpot bet."""
    table.ask(
        BONUS_WITHOUT_ANTE,
        f"There is a Bonus bet without an Ante on box {box}; proposed: return it.",
        ("return", "collect"),
        SHIFT_MANAGER,
        table.cite(Topic.DISCRETION_UNCOVERED, Topic.BONUS_BET),
        about={"box": box},
    )


@betting.answered(BELOW_THE_MINIMUM)
def made_up_or_withdrawn(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    assert isinstance(asked.of, int)
    bet: BetName = asked.about["bet"]
    held = table.state.boxes[asked.of]
    if taken.option == "increase":
        table.emit(BetMadeUp(box=asked.of, bet=bet, amount=asked.about["least"], cites=asked.cites))
        return
    for each in _with_what_rests_on_it(bet):
        amount = getattr(held, each)
        if amount:
            table.emit(BetWithdrawn(box=asked.of, bet=each, amount=amount, cites=asked.cites))


@betting.answered(BONUS_WITHOUT_ANTE)
def bonus_without_ante(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    box: int = asked.about["box"]
    held = table.state.boxes[box]
    if taken.option == "return":
        table.emit(BetReturned(box=box, bet="bonus", amount=held.bonus, cites=asked.cites))
    else:
        table.emit(ruled(asked, taken, box))


def ruled(asked: DecisionNeeded, taken: DecisionTaken, box: int | None = None) -> RulingMade:
    """The ruling that a decision of the shift manager is."""
    return RulingMade(
        question=asked.question,
        remedy=taken.option,
        reason=taken.reason,
        who=taken.who,
        box=box,
        cites=asked.cites,
    )


@betting.when(SurplusRefused)
def surplus_refused(table: BankedTable, event: SurplusRefused) -> None:
    held = table.state.boxes[event.box]
    put(table, event.box, held.player, event.bet, getattr(held, event.bet) - event.surplus)


@betting.when(BetMadeUp)
def bet_made_up(table: BankedTable, event: BetMadeUp) -> None:
    put(table, event.box, table.state.boxes[event.box].player, event.bet, event.amount)


# -- the rest -------------------------------------------------------------------------------------


@betting.on(ClaimMisplacedBet, while_waiting=True)
def claim_misplaced_bet(table: BankedTable, order: Order[ClaimMisplacedBet]) -> None:
    """What was meant is not a fact that the table accepts (B-62)."""
    command = order.command
    own_box(table, order, command.box)
    if table.state.phase == "bets open":
        table.refuse(
            Topic.CHIP_POSITION_GOVERNS, "Bets are open: withdraw the bet and place it rightly."
        )
    table.refuse(
        Topic.CHIP_POSITION_GOVERNS,
        f"The chips lay on {command.lies} when bets closed and are settled there.",
    )


@betting.on(AcceptNotice, while_waiting=True)
def accept_notice(table: BankedTable, order: Order[AcceptNotice]) -> None:
    player = order.command.player
    if order.rank is PLAYER and order.who != player:
        table.refuse(Topic.SEATED_PLAYERS_ONLY, f"{order.who} cannot accept it for {player}.")
    if order.rank is HOUSE:
        table.refuse(Topic.SEATED_PLAYERS_ONLY, "The software decides nothing for a player.")
    if not table.state.notice:
        raise BadCommand("no notice hangs at this table")
    if player in table.state.accepted:
        raise BadCommand(f"{player} has accepted the notice already")
    table.emit(NoticeAccepted(player=player, cites=table.cite(Topic.JACKPOT_FAULT_NO_JACKPOT)))


@betting.when(NoticeAccepted)
def notice_accepted(table: BankedTable, event: NoticeAccepted) -> None:
    table.state.accepted.append(event.player)
