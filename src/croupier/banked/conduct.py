"""What players do beside the game, and what stops it: extra looks, walking away, interruptions
(5.5 to 5.7, 5.18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import staff_only
from croupier.banked.decisions import hand_seen
from croupier.banked.events import WALKED_AWAY, Folded
from croupier.banked.figures import BETTING_WINDOWS
from croupier.banked.findings import ExtraLookFound, RoundGoesOn, WalkedAway
from croupier.banked.outcome import established
from croupier.banked.phases import no_bet_to_put_right, no_choice_left, onward
from croupier.banked.reporting import of_this_round, report
from croupier.banked.reports import ReportExtraLook, ReportInterruption, ReportWalkAway
from croupier.banked.state import BankedState
from croupier.banked.voiding import cancel, void
from croupier.rulebooks import Topic
from croupier.table import ActorRank, BadCommand, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

conduct = Room("conduct")

LOOKED_ON_PURPOSE = "looked on purpose"


# -- players --------------------------------------------------------------------------------------


@conduct.decides(ReportExtraLook)
def report_extra_look(table: BankedTable, order: Order[ReportExtraLook]) -> None:
    """5.18: whether it was on purpose is for the Pit Supervisor or above; once the bets are settled
    and only a jackpot claim waits, for one who has not reported it (B-69)."""
    number = order.command.box
    if not of_this_round(table, order, "second hand examined", boxes=(number,)):
        return
    box = table.state.boxes.get(number)
    if box is None or not box.cards or box.standing == "cancelled":
        raise BadCommand(f"box {number} has no hand that could be looked at")
    seen = [n for n, b in table.state.boxes.items() if b.examined and b.player == box.player]
    if hand_seen(table, box.player) is None or seen == [number]:
        raise BadCommand(f"{box.player} has not looked at another hand before; enter it as a look")
    if box.examined:
        raise BadCommand(f"it is known already that {box.player} has looked at box {number}")
    cites = table.cite(Topic.EXTRA_HAND_EXAMINED)
    report(
        table, order, "second hand examined", "the Pit Supervisor judges", cites, boxes=(number,)
    )
    table.ask(
        LOOKED_ON_PURPOSE,
        f"Did {box.player} look at box {number} on purpose?",
        ("on purpose", "not on purpose"),
        ActorRank.PIT_SUPERVISOR,
        cites,
        about={"box": number},
        not_by=order.who if table.state.is_settled() else "",
    )


@conduct.answered(LOOKED_ON_PURPOSE)
def looked_on_purpose(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    number: int = asked.about["box"]
    intentional = taken.option == "on purpose"
    cards = tuple(table.state.boxes[number].cards)
    table.emit(ExtraLookFound(box=number, intentional=intentional, cards=cards, cites=asked.cites))
    if intentional:
        cancel(table, number, asked.cites, "a second hand was examined on purpose")


@conduct.applies(ExtraLookFound)
def extra_look_found(table: BankedTable, event: ExtraLookFound) -> None:
    state = table.state
    state.boxes[event.box].examined = True
    found = "on purpose" if event.intentional else "not on purpose"
    state.rulings.append(f"{LOOKED_ON_PURPOSE}: {found}")


@conduct.decides(ReportWalkAway, while_waiting=True)
def report_walk_away(table: BankedTable, order: Order[ReportWalkAway]) -> None:
    """5.5 and 5.6. The House may report it as well: a player whose line has dropped."""
    player, state = order.command.player, table.state
    staff_only(table, order, "reports that a player has left")
    if not table.playing() and not is_asked(state, player):
        table.refuse(Topic.ROUND_OF_PLAY, "No round is under way.")
    his = {n: box for n, box in sorted(state.boxes.items()) if box.player == player}
    if not his:
        raise BadCommand(f"{player} has no bet in this round")
    if player in state.away:
        raise BadCommand(f"{player} is reported away already")
    left = tuple(n for n, box in his.items() if decisions_left(table, n))
    none = tuple(n for n in his if n not in left)
    folds = table.cite(Topic.WALK_AWAY_WITH_DECISIONS_LEFT) if left else ()
    staying = [n for n in none if his[n].standing != "cancelled"]
    settles = table.cite(Topic.WALK_AWAY_WITH_NONE_LEFT) if staying or not left else ()
    cites = (*folds, *settles)
    table.emit(WalkedAway(player=player, decisions_left=left, none_left=none, cites=cites))
    for number in left:
        table.emit(Folded(box=number, deemed=WALKED_AWAY, cites=folds))


def is_asked(state: BankedState, player: str) -> bool:
    """Whether the table waits for an answer of this player, be it after the settlement (5.15)."""
    boxes = [number for number, box in state.boxes.items() if box.player == player]
    return any(isinstance(need, DecisionNeeded) and need.of in boxes for need in state.waiting)


def decisions_left(table: BankedTable, number: int) -> bool:
    """Whether a box has a game decision still to make: fold or Flop, Turn or River."""
    box = table.state.boxes[number]
    if not box.ante:
        return False
    windows = table.by_book[BETTING_WINDOWS]
    return box.standing == "in" or (box.standing == "in for the finish" and box.window < windows)


@conduct.applies(WalkedAway)
def walked_away(table: BankedTable, event: WalkedAway) -> None:
    state = table.state
    state.away.append(event.player)
    for number, box in state.boxes.items():
        if box.player == event.player:  # whoever is gone chooses nothing: it goes on as it lies
            no_choice_left(state, number)
            no_bet_to_put_right(state, number)
    onward(table)


# -- interruptions --------------------------------------------------------------------------------


@conduct.decides(ReportInterruption, while_waiting=True)
def report_interruption(table: BankedTable, order: Order[ReportInterruption]) -> None:
    """5.7: one bet that is decided keeps the whole round alive (B-48)."""
    says = order.command.says
    if not of_this_round(table, order, "technical interruption", says=says):
        return
    decided = established(table)
    if decided:
        cites = table.cite(Topic.INTERRUPTION_CONCLUDED, Topic.TECHNICAL_INTERRUPTION)
        report(table, order, "technical interruption", "the round is concluded", cites, says=says)
        table.emit(RoundGoesOn(why=decided, cites=cites))
    else:
        cites = table.cite(Topic.INTERRUPTION_VOID, Topic.TECHNICAL_INTERRUPTION)
        report(table, order, "technical interruption", "the round is void", cites, says=says)
        void(table, cites, "technical interruption")
