"""A round that was cut off is concluded or void as its book says; a planned stop cuts nothing."""

import pytest

from croupier.banked import commands as banked
from croupier.house.casino import Casino as TheCasino
from croupier.house.dealer import Dealer
from croupier.house.errors import DiskFull
from croupier.house.house import House
from croupier.house.office import commands as orders
from croupier.house.recovery import interrupted, recover
from croupier.house.shuffle_book import book_of
from croupier.house.sqlite import SqliteDatabase
from croupier.house.standing import StandingOrders
from croupier.house.store import Store
from croupier.live.config import STANDING_ORDERS
from croupier.poker import commands as poker
from croupier.poker.irregularities import commands as reports
from croupier.table import ActorRank, Decide, DecisionTaken, DrawNeeded, GiveShuffle, ShuffleNeeded
from tests.house.casino import (
    TABLES,
    Guests,
    add_places,
    call_or_check,
    deal_by_hand,
    four_flop_cards,
    must,
    open_places,
    settings_of,
)
from tests.house.seeded import Seeded

SUPERVISOR, MANAGER, PLAYER = (
    ActorRank.PIT_SUPERVISOR,
    ActorRank.PIT_MANAGER,
    ActorRank.PLAYER,
)


class Casino:
    """A House on a file, that can stop and start again."""

    def __init__(self, path) -> None:
        self.path = path
        self.house = self.start(tuple(TABLES))
        self.dealer = Dealer(self.house, Seeded(1))

    def start(self, tables) -> House:
        house = House(Store(SqliteDatabase(self.path)), reader=Store(SqliteDatabase(self.path)))
        add_places(house, tables)
        return house

    def again(self, *, planned: bool, told=None):
        """A new process on the same file; returns what became of the rounds."""
        self.house.close()
        self.house = self.start(tuple(TABLES))
        self.dealer = Dealer(self.house, Seeded(2))
        orders = StandingOrders(told)
        found = recover(self.house, planned=planned, dealer=self.dealer, orders=orders)
        return {made.place: made for made in found}

    def table(self, place):
        return self.house.pit.tables[place]

    def deal(self, place) -> None:
        for given in self.dealer.deal(place):
            given.result()

    def call(self, place):
        return self.dealer.call(place).result()

    def give(self, place, command, who=None, rank=PLAYER):
        return must(self.house, place, command, rank, who)

    def to_the_betting(self, place) -> None:
        """The Hole Cards of a round of poker are dealt."""
        self.call(place)
        self.deal(place)
        self.call(place)
        self.deal(place)
        assert self.table(place).status() == "betting"

    def bet_or_check(self, place, until: str) -> None:
        """Everybody calls or checks, and streets are dealt, until the table is so far."""
        table = self.table(place)
        for _ in range(100):
            if table.status() == until:
                return
            seat = table.turn()
            if table.status() == "betting":
                may = {offer.do for offer in table.offers(seat)}
                act = poker.Check(seat=seat) if "check" in may else poker.Call(seat=seat)
                self.give(place, act, table.player_at(seat))
            else:
                self.dealer.act(place).result()
        raise AssertionError(f"{place} never was at {until!r}")

    def bets(self, place, *boxes) -> None:
        """A banked round with Antes and jackpot bets on these boxes, up to the closing call."""
        self.call(place)
        for box in boxes:
            who = self.table(place).player_at(box)
            self.give(place, banked.PlaceAnte(box=box, amount=2500, player=who), who)
            self.give(place, banked.PlaceProgressive(box=box, player=who), who)
        self.call(place)

    def money(self):
        """What everybody has, and what the meters show."""
        house = self.house
        balances = {k: v for k, v in house.reader.balances().items() if v}
        assert sum(balances.values()) == 0
        return balances


@pytest.fixture
def closed(tmp_path):
    """Nothing is open yet."""
    made = Casino(tmp_path / "house.db")
    yield made
    made.house.close()


@pytest.fixture
def casino(closed):
    open_places(closed.house)
    return closed


def test_between_rounds_nothing_was_cut_off(casino):
    Guests(casino.house, casino.dealer, "M3", seed=1).play(rounds=1)
    assert interrupted(casino.house) == []
    before = casino.house.reader.heads()
    assert casino.again(planned=False) == {}
    assert casino.house.reader.heads() == before


@pytest.mark.parametrize("place", TABLES)
def test_after_a_planned_stop_a_round_goes_on_where_it_stood(casino, place):
    guests = Guests(casino.house, casino.dealer, place, seed=3)
    while not guests.table.playing() or guests.table.status() in ("bets open", "blinds"):
        guests.step()
    for _ in range(3):
        guests.step()
    assert interrupted(casino.house) == [place]
    state, heads = guests.table.state, casino.house.reader.heads()
    made = casino.again(planned=True)
    assert made[place].outcome == "goes on"
    assert casino.table(place).state == state
    assert casino.house.reader.heads() == heads, "nothing is reported after a planned stop"
    after = Guests(casino.house, casino.dealer, place, seed=3)
    after.play(rounds=1)


# -- No Limit Hold'em v8, 5.1 -------------------------------------------------------------------


def test_v8_before_the_showdown_a_pit_supervisor_confirms_that_the_round_is_void(casino):
    before = casino.money()
    casino.to_the_betting("P8")
    casino.bet_or_check("P8", until="flop due")
    made = casino.again(planned=False)["P8"]
    assert made.outcome == "waits"
    assert "void" in made.says
    assert "5.1.2" in made.cites
    assert casino.money() != before
    [need] = casino.table("P8").state.waiting
    casino.give("P8", Decide(decision=need.decision, option="confirm"), rank=SUPERVISOR)
    assert not casino.table("P8").playing()
    assert casino.money() == before


def test_v8_after_the_final_betting_round_the_round_is_concluded(casino):
    casino.to_the_betting("P8")
    casino.bet_or_check("P8", until="showdown")
    made = casino.again(planned=False)["P8"]
    assert made.outcome == "concluded"
    assert "5.1.1" in made.cites
    table = casino.table("P8")
    assert not table.playing()
    assert table.state.round.paid > 0
    assert table.status() == "between rounds", "the next round is for whoever paces the table"


def test_v8_with_everybody_all_in_the_board_is_dealt_and_the_round_concluded(casino):
    casino.to_the_betting("P8")
    table = casino.table("P8")
    while table.status() == "betting":
        seat = table.turn()
        may = {offer.do for offer in table.offers(seat)}
        act = poker.AllIn(seat=seat) if "all in" in may else poker.Call(seat=seat)
        casino.give("P8", act, table.player_at(seat))
    assert table.status() == "flop due"
    made = casino.again(planned=False)["P8"]
    assert made.outcome == "concluded"
    assert len(casino.table("P8").state.round.river) == 1


def test_v8_a_round_that_one_player_has_won_is_paid(casino):
    casino.to_the_betting("P8")
    table = casino.table("P8")
    for _ in range(2):
        seat = table.turn()
        casino.give("P8", poker.Fold(seat=seat), table.player_at(seat))
    assert table.playing()
    assert casino.again(planned=False)["P8"].outcome == "concluded"


@pytest.fixture
def by_hand(closed):
    """The first Hole Cards are dealt by a person at the poker table of v8."""
    open_places(closed.house, ("P8",), dealing="by-hand")
    deal_by_hand(closed.house, closed.dealer)
    return closed


def test_v8_a_shuffle_that_the_table_waits_for_comes_before_the_report(by_hand):
    by_hand.give("P8", poker.DealFlop(), rank=ActorRank.DEALER)  # too early
    by_hand.give("P8", reports.ReportEarlyCards(), rank=ActorRank.DEALER)
    call_or_check(by_hand.house)
    [need] = by_hand.table("P8").state.waiting
    assert isinstance(need, ShuffleNeeded)
    made = by_hand.again(planned=False)["P8"]
    assert made.outcome == "waits"
    assert "void" in made.says
    assert by_hand.house.pit.links[book_of("P8")].state.shuffles == 3


def test_v8_a_pick_by_hand_that_the_table_waits_for_is_left_to_who_picks(by_hand):
    four_flop_cards(by_hand.house)
    [need] = by_hand.table("P8").state.waiting
    assert isinstance(need, DrawNeeded)
    heads = by_hand.house.reader.heads()
    made = by_hand.again(planned=False)["P8"]
    assert made.outcome == "waits"
    assert made.says == "The table waits for 3 of 4 cards to be picked."
    assert by_hand.house.reader.heads() == heads
    by_hand.dealer.pick("P8", who="Pat", rank=MANAGER).result()
    assert recover(by_hand.house, planned=False)[0].says.startswith("The Round of play is void")


def test_a_second_crash_while_the_void_waits_asks_no_second_time(casino):
    casino.to_the_betting("P8")
    casino.again(planned=False)
    position = casino.house.positions["P8"]
    made = casino.again(planned=False)["P8"]
    assert made.outcome == "waits"
    assert casino.house.positions["P8"] == position
    assert len(casino.table("P8").state.waiting) == 1


# -- Poker v5, which has no such paragraph ------------------------------------------------------


def test_v5_waits_for_a_decision_of_the_house(casino):
    casino.to_the_betting("P5")
    casino.bet_or_check("P5", until="flop due")
    before = casino.money()
    made = casino.again(planned=False)["P5"]
    assert made.outcome == "waits"
    [need] = casino.table("P5").state.waiting
    assert need.of is MANAGER
    assert {"continue", "void"} <= {option.name for option in need.options}
    assert casino.money() == before, "nothing happens before the House has decided"
    assert casino.dealer.next_act("P5") is None


# -- what the House has decided beforehand ------------------------------------------------------


def decided(casino, place) -> list[tuple[str, str, str]]:
    """What was decided in the name of the standing orders, and in which rank."""
    table = casino.table(place)
    rows = [row for row in casino.house.reader.rows(place) if row.who == "standing orders"]
    events = [(table.read_event(row.event), row.rank) for row in rows]
    return [(e.question, e.option, rank) for e, rank in events if isinstance(e, DecisionTaken)]


def test_v8_by_a_standing_order_the_round_is_void_before_the_doors_open(casino):
    before = casino.money()
    casino.to_the_betting("P8")
    casino.bet_or_check("P8", until="flop due")
    made = casino.again(planned=False, told={"poker": {"confirm void": "confirm"}})["P8"]
    assert made.outcome == "void"
    assert "5.1.2" in made.cites
    assert casino.money() == before
    assert decided(casino, "P8") == [("confirm void", "confirm", "pit supervisor")]
    Guests(casino.house, casino.dealer, "P8", seed=5).play(rounds=1)


@pytest.mark.parametrize("place", ["P8", "P5"])
def test_a_question_that_waited_since_an_earlier_crash_is_answered(casino, place):
    before = casino.money()
    casino.to_the_betting(place)
    assert casino.again(planned=False)[place].outcome == "waits"
    made = casino.again(planned=False, told=STANDING_ORDERS)[place]
    assert made.outcome == "void"
    assert casino.money() == before


def test_an_order_that_is_not_offered_leaves_it_to_people(casino):
    casino.to_the_betting("P8")
    made = casino.again(planned=False, told={"poker": {"confirm void": "void"}})["P8"]
    assert made.outcome == "waits"
    assert decided(casino, "P8") == []


def test_v5_by_standing_orders_an_undecided_round_is_void(casino):
    before = casino.money()
    casino.to_the_betting("P5")
    casino.bet_or_check("P5", until="flop due")
    made = casino.again(planned=False, told=STANDING_ORDERS)["P5"]
    assert made.outcome == "void"
    assert casino.money() == before
    assert decided(casino, "P5") == [("ruling", "void", "pit manager")]
    Guests(casino.house, casino.dealer, "P5", seed=5).play(rounds=1)


def test_v5_by_standing_orders_a_round_after_its_showdown_is_concluded(casino):
    casino.to_the_betting("P5")
    casino.bet_or_check("P5", until="showdown")
    made = casino.again(planned=False, told=STANDING_ORDERS)["P5"]
    assert made.outcome == "concluded"
    assert casino.table("P5").state.round.paid > 0
    assert decided(casino, "P5") == [("ruling", "continue", "pit manager")]


# -- the banked games, 5.7 ----------------------------------------------------------------------

BANKED = [place for place in TABLES if place not in ("P8", "P5")]


@pytest.mark.parametrize("place", BANKED)
def test_banked_with_no_bet_decided_the_round_is_void_and_every_stake_goes_back(casino, place):
    before = casino.money()
    casino.bets(place, 1, 3)
    casino.deal(place)
    assert casino.table(place).status() == "first decision"
    assert casino.money() != before
    made = casino.again(planned=False)[place]
    assert made.outcome == "void"
    assert "5.7.2" in made.cites
    assert casino.money() == before, "stakes and the meter's contribution went back"


@pytest.mark.parametrize("place", BANKED)
def test_banked_while_the_table_waits_for_the_shuffle_the_round_is_void(casino, place):
    before = casino.money()
    casino.bets(place, 1)
    assert isinstance(casino.dealer.next_act(place), GiveShuffle)
    assert casino.again(planned=False)[place].outcome == "void"
    assert casino.table(place).state.waiting == []
    assert casino.money() == before
    Guests(casino.house, casino.dealer, place, seed=5).play(rounds=1)


@pytest.mark.parametrize("place", BANKED)
def test_banked_one_bet_that_is_decided_keeps_the_round_alive(casino, place):
    casino.bets(place, 1, 3)
    casino.deal(place)
    casino.give(place, banked.Fold(box=1), "Ann")
    made = casino.again(planned=False)[place]
    assert made.outcome == "goes on"
    assert "5.7.1" in made.cites
    casino.give(place, banked.FlopBet(box=3), "Ben")
    Guests(casino.house, casino.dealer, place, seed=5).play(rounds=1)


@pytest.mark.parametrize("place", BANKED)
def test_banked_when_only_settlement_is_left_the_round_is_concluded(casino, place):
    casino.bets(place, 1, 3)
    casino.deal(place)
    casino.give(place, banked.Fold(box=1), "Ann")
    casino.give(place, banked.FlopBet(box=3), "Ben")
    casino.deal(place)
    casino.give(place, banked.Check(box=3), "Ben")
    casino.deal(place)
    casino.give(place, banked.Check(box=3), "Ben")
    made = casino.again(planned=False)[place]
    assert made.outcome == "concluded"
    assert casino.table(place).state.boxes[3].result is not None


def test_every_table_is_looked_at(casino):
    casino.to_the_betting("P8")
    casino.to_the_betting("P5")
    for place in BANKED:
        casino.bets(place, 1)
    assert interrupted(casino.house) == sorted(TABLES)
    made = casino.again(planned=False)
    assert {place: each.outcome for place, each in made.items()} == {
        "P8": "waits",
        "P5": "waits",
        "V6": "void",
        "M2": "void",
        "M3": "void",
    }
    assert {each.round for each in made.values()} == {1}


def test_of_several_tables_only_those_that_were_not_stopped_as_planned_are_reported(casino):
    for place in BANKED:
        casino.bets(place, 1)
    casino.house.close()
    casino.house = casino.start(tuple(TABLES))
    made = recover(casino.house, planned=("V6", "M2"))
    assert [each.outcome for each in made] == ["goes on", "void", "goes on"]
    assert [each.place for each in made] == ["M2", "M3", "V6"]


def test_the_log_names_who_reported_the_interruption(casino):
    casino.bets("M3", 1)
    casino.house.close()
    casino.house = casino.start(tuple(TABLES))
    [made] = recover(casino.house, planned=False, who="Pat", rank=ActorRank.PIT_MANAGER)
    assert made.outcome == "void"
    rows = list(casino.house.reader.rows("M3"))
    assert (rows[-1].who, rows[-1].rank) == ("Pat", "pit manager")


# -- links --------------------------------------------------------------------------------------


def test_of_a_command_that_a_table_and_its_link_answer_nothing_is_half_done(casino, monkeypatch):
    casino.call("M3")
    casino.give("M3", banked.PlaceAnte(box=1, amount=2500, player="Ann"), "Ann")
    casino.give("M3", banked.PlaceProgressive(box=1, player="Ann"), "Ann")
    meter = casino.house.pit.links["L3"].snapshot()
    positions = {place: casino.house.positions[place] for place in ("M3", "L3")}
    insert_all = type(casino.house.store.database).insert_all

    def cut_off(database, insertions, *, quiet=False):
        insert_all(database, insertions[:2])  # the command, and its rows of both logs
        raise DiskFull("there is no room left to write")

    with monkeypatch.context() as patch:
        patch.setattr(type(casino.house.store.database), "insert_all", cut_off)
        with pytest.raises(DiskFull):
            casino.call("M3")  # bets closed at the table, a contribution at the link
    assert {place: casino.house.positions[place] for place in positions} == positions
    assert casino.house.pit.links["L3"].snapshot() == meter
    assert {place: casino.house.reader.head(place).position for place in positions} == positions
    said = {each.place for each in casino.call("M3").said}
    assert said == {"M3", "L3"}


# -- the casino as a whole ----------------------------------------------------------------------


def mid_round(url) -> TheCasino:
    """A casino with one banked table on its link, and cards on the table."""
    casino = TheCasino.open(url, password="the first password")
    terms = {"reset_value": 5_000_000, "contribution": 100}
    book = TABLES["M3"]
    casino.add_link(orders.AddLink(link="L3", rulebook=book, settings=terms))
    table = orders.AddTable(table="M3", rulebook=book, settings=settings_of("M3"), link="L3")
    assert casino.add_table(table).refused is None
    casino.open_account("Ann")
    casino.cash_in("Ann", 5_000_000)
    must(casino.house, "M3", banked.Sit(box=1, player="Ann", chips=2_000_000), PLAYER, "Ann")
    casino.dealer.call("M3").result()
    bet = banked.PlaceAnte(box=1, amount=2500, player="Ann")
    must(casino.house, "M3", bet, PLAYER, "Ann")
    casino.dealer.call("M3").result()
    for given in casino.dealer.deal("M3"):
        given.result()
    assert casino.table("M3").status() == "first decision"
    return casino


def test_a_casino_that_stopped_as_planned_goes_on_with_the_round(database_url):
    casino = mid_round(database_url)
    state = casino.table("M3").snapshot()
    casino.stop()
    later = TheCasino.open(database_url)
    assert [(made.place, made.outcome) for made in later.recovered] == [("M3", "goes on")]
    assert later.table("M3").snapshot() == state
    later.stop()


def test_a_casino_that_crashed_lets_the_book_decide(database_url):
    casino = mid_round(database_url)
    casino.house.close()  # and no word of a stop
    later = TheCasino.open(database_url)
    assert [(made.place, made.outcome) for made in later.recovered] == [("M3", "void")]
    assert later.house.balance("table/M3/chips/Ann") == 2_000_000
    later.stop()
    last = TheCasino.open(database_url)
    assert last.recovered == []
    last.stop()
