"""Who deals a table: whoever takes the dealer's side, of whatever rank, until somebody else does,
goes off duty, or takes another table. Tiles, reports and the lab are told by one place."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, time, timedelta
from pathlib import Path

import pytest

from croupier.banked import BankedTable
from croupier.house.disputes.about import find, read_about
from croupier.house.disputes.gathering import gather
from croupier.house.office import OFFICE
from croupier.house.office import commands as orders
from croupier.house.openings import UnknownRound
from croupier.house.reports import GamingDay, report_day
from croupier.house.reports.actual import rounds_of
from croupier.house.reports.dealers import Dealers, who_dealt
from croupier.pit.registry import GAMES
from croupier.poker import PokerTable
from croupier.poker import commands as poker
from croupier.poker.irregularities.commands import ReportIrregularity
from croupier.poker.wagers import ReportWager
from croupier.table import ActorRank, Command
from tests.house.quick import make_quick
from tests.house.test_table_staff import NOON, SITS, Floor

RANKS = {
    "Dan": ActorRank.DEALER,
    "Eve": ActorRank.DEALER,
    "Sue": ActorRank.PIT_SUPERVISOR,
    "Max": ActorRank.PIT_MANAGER,
}


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    make_quick(monkeypatch)
    made = Floor(tmp_path)
    for name in ("Dan", "Eve", "Sue"):
        made.assign(name)
    assert made.bring("H", SITS, "Ann", "pin").refused is None
    sits = poker.Sit(seat=2, player="Cash 2", stake=30_000)
    assert made.bring("H", sits, "Cash 2", "cash").refused is None
    yield made
    made.casino.stop()


def gives(floor: Floor, who: str, command: Command, table: str = "H") -> None:
    assert floor.says(table, command, who, RANKS[who]) == ""


def one_step(floor: Floor, who: str) -> bool:
    """One step at table H; whether the round is over with it."""
    table = floor.casino.table("H")
    due, turn, before = table.due() or table.next_call(), table.turn(), table.status()
    if table.state.waiting:
        floor.casino.dealer.act("H").result()  # type: ignore[union-attr]
    elif turn is not None:
        gives(floor, who, ReportWager(seat=turn, words="fold"))
    elif due is not None:
        gives(floor, who, due)
    return before == "settling"


def deals_a_round(floor: Floor, who: str) -> None:
    floor.now += timedelta(minutes=1)
    for _ in range(60):
        if one_step(floor, who):
            return
    raise AssertionError("the round does not end")


def deals_now(floor: Floor, table: str = "H") -> str:
    return floor.casino.office.state.dealers.get(table, "")


def reported(floor: Floor) -> list[tuple[str, int, int, int, str]]:
    floor.casino.house.writer.flush()
    report = report_day(floor.casino.house.reader, GamingDay(day=NOON.date()))
    return [(d.dealer, d.first, d.last, d.rounds, d.relieved) for d in report.dealers]


def test_a_supervisor_and_a_manager_who_deal_are_booked_as_dealers_are(floor: Floor):
    for who in ("Dan", "Sue", "Max", "Eve"):
        deals_a_round(floor, who)
        assert deals_now(floor) == who
    assert reported(floor) == [
        ("Dan", 1, 1, 1, ""),
        ("Sue", 2, 2, 1, "Dan"),
        ("Max", 3, 3, 1, "Sue"),
        ("Eve", 4, 4, 1, "Max"),
    ]


def test_to_report_or_to_rule_or_to_seat_somebody_is_not_to_deal(floor: Floor):
    deals_a_round(floor, "Dan")
    while not floor.casino.table("H").playing() or floor.casino.table("H").state.waiting:
        one_step(floor, "Dan")
    gives(floor, "Eve", ReportIrregularity(says="a phone at the table"))
    assert deals_now(floor) == "Dan"
    floor.bring("H", poker.Sit(seat=3, player="Cash 3", stake=30_000), "Cash 3", "cash", who="Eve")
    assert deals_now(floor) == "Dan"


def test_what_another_dealer_has_dealt_is_in_no_dispute_before_the_round_is_over(floor: Floor):
    """That Dan relieves Eve is noted with the order by which he deals the Hole Cards: papers about
    that note show them, once nobody can gain by it."""
    while (due := floor.casino.table("H").due()) is None or type(due) is not poker.DealHoleCards:
        one_step(floor, "Eve")
    gives(floor, "Dan", due)
    house, state = floor.casino.house, floor.casino.office.state
    house.writer.flush()
    [noted] = [r for r in house.reader.rows(OFFICE) if b'"relieved":"Eve"' in r.event]
    about = find(house.reader, read_about(f"{OFFICE}@{noted.position}"))
    with pytest.raises(UnknownRound, match="also of a round of H that is not over"):
        gather(house.reader, about, state=state)
    while not one_step(floor, "Dan"):
        pass
    house.writer.flush()
    told = gather(house.reader, about, state=state).content.elsewhere
    assert [b"hole cards dealt" in bytes(row.event) for row in told] == [True]


def test_who_goes_off_duty_deals_no_longer(floor: Floor):
    deals_a_round(floor, "Dan")
    floor.now += timedelta(minutes=1)
    floor.casino.tell(orders.GoOffDuty(name="Dan"), who="Dan")
    assert deals_now(floor) == ""
    floor.now += timedelta(minutes=1)
    deals_a_round(floor, "Eve")
    assert deals_now(floor) == "Eve"
    assert reported(floor) == [("Dan", 1, 1, 1, ""), ("Eve", 2, 2, 1, "")]  # nobody to relieve


def test_who_comes_back_deals_from_the_first_act_on(floor: Floor):
    deals_a_round(floor, "Dan")
    floor.now += timedelta(minutes=1)
    floor.casino.tell(orders.GoOffDuty(name="Dan"), who="Dan")
    floor.casino.tell(orders.GoOnDuty(name="Dan", post="dealer"), who="Dan")
    assert deals_now(floor) == ""
    deals_a_round(floor, "Dan")
    assert reported(floor) == [("Dan", 1, 1, 1, ""), ("Dan", 2, 2, 1, "")]


def test_who_takes_another_table_leaves_the_first(floor: Floor):
    deals_a_round(floor, "Dan")
    floor.now += timedelta(minutes=1)
    gives(floor, "Dan", floor.casino.table("B").next_call(), "B")  # type: ignore[arg-type]
    assert (deals_now(floor), deals_now(floor, "B")) == ("", "Dan")
    deals_a_round(floor, "Eve")
    assert reported(floor) == [
        ("Dan", 0, 0, 0, ""),  # at table B, where no card was dealt
        ("Dan", 1, 1, 1, ""),
        ("Eve", 2, 2, 1, ""),
    ]


def test_the_house_that_deals_on_relieves_who_has_gone(floor: Floor):
    dealer = floor.casino.dealer
    deals_a_round(floor, "Dan")
    floor.now += timedelta(minutes=1)
    dealer.stands_in = lambda place: place == "H"
    assert dealer.act("H").result().refused is None  # type: ignore[union-attr]
    assert deals_now(floor) == ""
    told = [floor.casino.office.read_event(r.event).tell(str) for r in office_rows(floor)]
    assert told[-1] == "The House deals at table H and relieves Dan."
    dealer.act("H").result()  # type: ignore[union-attr]
    again = [r for r in office_rows(floor) if b"dealer changed" in r.event]
    assert len(again) == 2  # said once
    assert reported(floor) == [("Dan", 1, 1, 1, "")]


def office_rows(floor: Floor) -> list:
    floor.casino.house.writer.flush()
    return [r for r in floor.casino.house.reader.rows("office") if b"deal" in r.event]


def test_the_lab_books_a_round_to_who_dealt_it(floor: Floor):
    for who in ("Sue", "Dan"):
        deals_a_round(floor, who)
    floor.now += timedelta(minutes=1)
    floor.casino.tell(orders.GoOffDuty(name="Dan"), who="Dan")
    store = floor.casino.house.reader
    floor.casino.house.writer.flush()
    dealers: Dealers = who_dealt(store)
    assert dealers.at("H", NOON) == ""
    assert dealers.at("H", NOON + timedelta(minutes=1)) == "Sue"
    assert dealers.at("H", NOON + timedelta(minutes=2)) == "Dan"
    assert dealers.at("H", NOON + timedelta(minutes=3)) == ""
    found = rounds_of(store, lambda when: GamingDay.of(when, begins=time(6), zone=UTC))
    assert [each.dealer for each in found] == ["Sue", "Dan"]


@pytest.mark.parametrize("kind", [PokerTable, BankedTable])
def test_every_command_of_the_dealers_side_is_known_as_one(kind: type[PokerTable | BankedTable]):
    """Who adds a command says here whether whoever gives it deals."""
    book = "no-limit-holdem-v8" if kind is PokerTable else "multi-link-progressive-v3"
    port = GAMES.games[book].port
    names = {str(c.__struct_config__.tag) for c in port.deals}
    assert names == (POKER_DEALS if kind is PokerTable else BANKED_DEALS)


def listed(text: str) -> set[str]:
    return {name.strip() for name in " ".join(text.split()).split(",")}


POKER_DEALS = listed(
    """start game, deal for button, place button, shuffle, cut, call for blinds, deal hole cards,
    burn, deal flop, deal turn, deal river, turn up, deal again, place all in button, flip marker,
    show hands, settle, report wager"""
)
BANKED_DEALS = listed(
    """call for bets, notice bet, close bets, deal community, deal hole cards, deal flop, deal turn,
    deal river, deal dealer, reveal flop, reveal turn, reveal river, reveal dealer, collect cards,
    settle, report chips"""
)
