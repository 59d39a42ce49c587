"""The House deals: what is due, chance once for each need, calls when it is told to."""

from collections.abc import Iterator

import pytest

from croupier.banked import commands as banked
from croupier.house.dealer import Dealer, OutOfStep
from croupier.house.errors import DiskFull, UnknownPlace
from croupier.house.house import House
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.pit.registry import GAMES
from croupier.poker import commands as poker
from croupier.table import ActorRank, DrawNeeded, GiveDraw, GiveShuffle, OpenTable, ShuffleNeeded
from tests.house.casino import (
    TABLES,
    Guests,
    add_places,
    deal_by_hand,
    four_flop_cards,
    must,
    open_places,
)
from tests.house.seeded import Seeded
from tests.pit.high_card import BOOK, HIGH_CARD, CloseBetting, Deal, HighCard, PlaceStake


@pytest.fixture
def path(tmp_path):
    return tmp_path / "house.db"


@pytest.fixture
def house(path):
    made = House(Store(SqliteDatabase(path)), reader=Store(SqliteDatabase(path)))
    yield made
    made.close()


class Counting(Seeded):
    """Counts how often it is asked."""

    asked = 0

    def take(self, count: int) -> bytes:
        self.asked += 1
        return super().take(count)


def seated(house: House, place: str, **settings) -> Dealer:
    add_places(house, (place,))
    open_places(house, (place,), **settings)
    return Dealer(house, Seeded(1))


@pytest.mark.parametrize("place", TABLES)
def test_rounds_of_every_game_are_dealt_to_their_end(house, place):
    dealer = seated(house, place)
    guests = Guests(house, dealer, place, seed=2)
    guests.play(rounds=4)
    table = guests.table
    assert not table.playing()
    played = table.state.rounds if place in ("P8", "P5") else table.state.round
    assert played == 4


def test_at_poker_the_house_draws_for_the_button_shuffles_cuts_and_deals(house):
    dealer = seated(house, "P8")
    assert isinstance(dealer.next_call("P8"), poker.StartGame)
    assert dealer.next_act("P8") is None
    dealer.call("P8").result()
    done = [answer.result() for answer in dealer.deal("P8")]
    told = [said.event.__struct_config__.tag for answer in done for said in answer.said]
    assert told[0] == "shuffle given"
    assert "deck cut" in told
    assert house.pit.tables["P8"].status() == "ready"
    # When the Blinds are called is for whoever paces the table.
    assert dealer.next_act("P8") is None
    assert isinstance(dealer.next_call("P8"), poker.CallForBlinds)
    dealer.call("P8").result()
    dealer.deal("P8")
    assert house.pit.tables["P8"].status() == "betting"
    assert dealer.next_act("P8") is None
    assert dealer.next_call("P8") is None


def test_at_a_banked_table_the_house_opens_and_closes_the_bets_when_it_is_told(house):
    dealer = seated(house, "M3")
    assert isinstance(dealer.next_call("M3"), banked.CallForBets)
    dealer.call("M3").result()
    bet = banked.PlaceAnte(box=1, amount=2500, player="Ann")
    must(house, "M3", bet, ActorRank.PLAYER, "Ann")
    assert dealer.deal("M3") == []
    assert isinstance(dealer.next_call("M3"), banked.CloseBets)
    dealer.call("M3").result()
    assert isinstance(dealer.next_act("M3"), GiveShuffle)
    assert dealer.next_call("M3") is None
    dealer.deal("M3")
    assert house.pit.tables["M3"].status() == "first decision"


def test_a_call_may_be_refused_and_the_answer_says_so(house):
    add_places(house, ("P8",))
    must(
        house,
        "P8",
        OpenTable(
            table="P8",
            settings={
                "layout": "A",
                "sign": True,
                "rake": {"percent": 5, "cap": 3000},
                "maximum_stake": 100_000,
            },
        ),
        ActorRank.DEALER,
    )
    refused = Dealer(house).call("P8").result().refused
    assert refused is not None
    assert refused.cites


def test_at_a_table_dealt_by_hand_the_house_only_shuffles(house):
    dealer = seated(house, "P8", dealing="by-hand")
    assert dealer.next_call("P8") is None
    must(house, "P8", poker.StartGame(), ActorRank.DEALER)
    assert isinstance(dealer.next_act("P8"), GiveShuffle)
    dealer.deal("P8")
    assert house.pit.tables["P8"].status() == "drawing for the button"
    assert dealer.next_act("P8") is None


def test_chance_is_asked_once_for_each_need(house):
    dealer = seated(house, "M3")
    source = dealer.shuffler.source = Counting(5)
    dealer.call("M3").result()
    bet = banked.PlaceAnte(box=1, amount=2500, player="Ann")
    must(house, "M3", bet, ActorRank.PLAYER, "Ann")
    dealer.call("M3").result()
    first = dealer.next_act("M3")
    asked = source.asked
    assert dealer.next_act("M3") is first
    assert source.asked == asked


def test_an_outcome_that_could_not_be_stored_is_given_again(house, monkeypatch):
    dealer = seated(house, "M3")
    dealer.call("M3").result()
    bet = banked.PlaceAnte(box=1, amount=2500, player="Ann")
    must(house, "M3", bet, ActorRank.PLAYER, "Ann")
    dealer.call("M3").result()
    drawn = dealer.next_act("M3")

    def full(bundles):
        raise DiskFull("there is no room left to write")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", full)
        with pytest.raises(DiskFull):
            dealer.act("M3").result()
    [waiting] = house.pit.tables["M3"].state.waiting
    assert isinstance(waiting, ShuffleNeeded)
    assert dealer.next_act("M3") == drawn
    dealer.act("M3").result()
    assert house.pit.tables["M3"].state.shoe.order == list(drawn.cards)


def test_an_outcome_that_is_stored_is_never_given_again(house):
    """Even if the table comes to ask for the very same once more, as after a ruling undone."""
    dealer = seated(house, "M3")
    dealer.call("M3").result()
    bet = banked.PlaceAnte(box=1, amount=2500, player="Ann")
    must(house, "M3", bet, ActorRank.PLAYER, "Ann")
    dealer.call("M3").result()
    [need] = house.pit.tables["M3"].state.waiting
    first = dealer.next_act("M3")
    for given in dealer.deal("M3"):
        given.result()
    house.pit.tables["M3"].state.waiting.append(need)
    again = dealer.next_act("M3")
    assert again.need == first.need
    assert again.cards != first.cards


def test_the_next_shuffle_is_another_one(house):
    dealer = seated(house, "M3")
    guests = Guests(house, dealer, "M3", seed=3)
    guests.play(rounds=3)
    rows = [house.pit.at("M3").read_event(row.event) for row in house.reader.rows("M3")]
    orders = [event.cards for event in rows if event.__struct_config__.tag == "shuffle given"]
    assert len(orders) == len(set(orders)) == 3


@pytest.fixture
def high_card() -> Iterator[None]:
    GAMES.register(BOOK, HIGH_CARD)
    yield
    GAMES.forget(BOOK.id)


def scrambled(house: House) -> Dealer:
    """A table that waits for one of two cards to be picked."""
    house.add_table("A", lambda: HighCard(BOOK))
    must(house, "A", OpenTable(table="A", settings={}), ActorRank.DEALER)
    must(house, "A", PlaceStake(box=1, player="Ann", stake=1000), ActorRank.PLAYER, "Ann")
    must(house, "A", CloseBetting(), ActorRank.DEALER)
    dealer = Dealer(house, Seeded(1))
    dealer.act("A").result()
    must(house, "A", Deal(two_to=1), ActorRank.DEALER)
    return dealer


@pytest.mark.usefixtures("high_card")
def test_the_house_picks_at_random_where_a_table_asks_for_it(house):
    dealer = scrambled(house)
    [need] = house.pit.tables["A"].state.waiting
    assert isinstance(need, DrawNeeded)
    command = dealer.next_act("A")
    assert isinstance(command, GiveDraw)
    assert len(command.picks) == need.pick


@pytest.mark.usefixtures("high_card")
def test_a_pick_in_the_name_of_a_pit_manager_comes_from_the_same_source_and_says_so(house):
    dealer = scrambled(house)
    answer = dealer.pick("A", who="Pat", rank=ActorRank.PIT_MANAGER).result()
    given = answer.said[0].event
    assert given.who == "Pat"
    assert dealer.pick("A", who="Pat", rank=ActorRank.PIT_MANAGER) is None


def test_at_poker_a_pit_manager_has_three_of_four_flop_cards_picked(house):
    dealer = seated(house, "P8", dealing="by-hand")
    deal_by_hand(house, dealer)
    four_flop_cards(house)
    assert dealer.next_act("P8") is None, "by hand, nobody picks before he is asked to"
    picked = dealer.pick("P8", who="Pat", rank=ActorRank.PIT_MANAGER).result().said[0].event
    assert len(picked.picks) == 3
    assert len(house.pit.tables["P8"].state.round.flop) == 3


@pytest.mark.usefixtures("high_card")
def test_a_pick_needs_the_rank_that_the_book_asks_for(house):
    dealer = scrambled(house)
    answer = dealer.pick("A", who="Ann", rank=ActorRank.PLAYER).result()
    assert answer.refused is not None
    assert house.pit.tables["A"].state.waiting


def test_there_is_no_dealing_at_a_table_that_is_not_there(house):
    with pytest.raises(UnknownPlace, match="'Z'"):
        Dealer(house).deal("Z")


def test_a_table_that_is_not_open_is_not_dealt_at(house):
    add_places(house, ("P8",))
    assert Dealer(house).deal("P8") == []
    assert Dealer(house).call("P8") is None


def test_a_table_that_refuses_what_is_due_is_a_defect_and_says_so(house, monkeypatch):
    dealer = seated(house, "P8")
    monkeypatch.setattr(type(house.pit.tables["P8"]), "due", lambda table: poker.DealFlop())
    with pytest.raises(OutOfStep, match="P8 refuses deal flop, which is due"):
        dealer.deal("P8")
