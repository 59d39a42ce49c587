"""Logs of releases in which a turn was given back with everything, not the betting alone."""

from __future__ import annotations

from msgspec import structs

from croupier.poker import PokerTable
from croupier.poker.commands import Bet, Call, Check, DealFlop, Fold, Sit
from croupier.poker.facts import PokerFacts
from croupier.poker.irregularities.commands import (
    ReportExposed,
    ReportIrregularity,
    ReportSkipped,
)
from croupier.poker.irregularities.events import (
    ActionTakenBack,
    StoppedActionsTakenBack,
    TurnGivenBack,
)
from croupier.poker.wagers import ReportWager
from croupier.table import Command, Decide
from tests.poker.seated import Seated

PAST_HIM = ReportWager(seat=0, words="check", unnoticed=True)


def on_the_flop() -> tuple[Seated, list[int]]:
    """Five players on the flop, and the order in which they act."""
    table = Seated(5).dealt()
    while table.table.state.phase == "betting":
        facts = table.table.facts()
        seat = facts.to_act[0]
        words = "call" if facts.bets.get(seat, 0) < facts.price else "check"
        table.must(ReportWager(seat=seat, words=words))
    table.must(DealFlop())
    return table, list(table.table.facts().to_act)


def facts_after(table: Seated, seat: int, stopped: int, *, keeps: bool) -> PokerFacts:
    """The turn is given back to a seat, as it is today or as an older log says it."""
    if keeps:
        table.must(ReportSkipped(seat=seat, stopped=stopped))
        return table.table.facts()
    before = table.table.snapshot()
    events = table.must(ReportSkipped(seat=seat, stopped=stopped))
    older = PokerTable.restore(table.table.book, before)
    for event in events:
        if isinstance(event, TurnGivenBack):
            older.apply(structs.replace(event, keeps=False))
        else:
            older.apply(event)
    return older.facts()


def both(acts: list[tuple[int, str]], stopped: int) -> tuple[PokerFacts, PokerFacts]:
    found = []
    for keeps in (True, False):
        table, order = on_the_flop()
        table.must(structs.replace(PAST_HIM, seat=order[1]))
        for place, act in acts:
            seat = order[place]
            commands: dict[str, Command] = {
                "check": Check(seat=seat),
                "fold": Fold(seat=seat),
                "bet": Bet(seat=seat, to=4000),
            }
            table.must(commands[act])
        found.append(facts_after(table, order[0], stopped, keeps=keeps))
    return found[0], found[1]


def test_without_substantial_action_an_older_log_comes_to_the_same() -> None:
    now, then = both([(2, "fold"), (3, "bet")], stopped=1)
    assert now.held
    assert len(now.folded) == 1
    assert (then.to_act, then.held, then.stakes, then.folded, then.bets, then.actions) == (
        now.to_act,
        now.held,
        now.stakes,
        now.folded,
        now.bets,
        now.actions,
    )


def test_a_betting_round_that_had_closed_is_open_in_an_older_log_too() -> None:
    for last in ("check", "fold"):
        now, then = both([(2, "check"), (3, "check"), (4, last)], stopped=0)
        assert now.status == "betting"
        assert (then.to_act, then.stakes, then.folded, then.actions, then.barred) == (
            now.to_act,
            now.stakes,
            now.folded,
            now.actions,
            now.barred,
        )


def test_stopped_actions_of_an_older_log_are_taken_back_with_everything() -> None:
    """As then: with who has sat down since, and the chips that were brought."""
    table, order = on_the_flop()
    table.must(Bet(seat=order[0], to=3000))
    table.must(Sit(seat=7, player="Newcomer", stake=50000))
    older = PokerTable.restore(table.table.book, table.table.snapshot())
    older.apply(StoppedActionsTakenBack(count=1, keeps=False))
    facts = older.facts()
    assert facts.to_act == order
    assert facts.bets == {}
    assert facts.actions == 5
    assert 7 not in facts.players


def test_an_action_taken_back_in_an_older_log_leaves_the_card_that_was_replaced() -> None:
    """As today: of the exposed card and the one that took its place each lies at one place."""
    found = []
    for alone in (True, False):
        table = Seated(3).dealt(exposed=(5,))
        table.must(Call(seat=table.table.facts().to_act[0]))
        table.must(ReportExposed())
        replaced = table.table.facts()
        table.must(ReportIrregularity(says="nobody had heard of the card"))
        before, [need] = table.table.snapshot(), table.table.state.waiting
        ruling = Decide(decision=need.decision, option="take action back", reason="so ruled")
        events = table.must(ruling)
        ruled = PokerTable.restore(table.table.book, before)
        for event in events:
            taken = isinstance(event, ActionTakenBack)
            ruled.apply(structs.replace(event, alone=alone) if taken else event)
        facts = ruled.facts()
        assert (facts.hole_cards, facts.first_burn) == (replaced.hole_cards, replaced.first_burn)
        found.append((facts.to_act, facts.bets, facts.stakes))
    assert found[0] == found[1]
