"""The dealer's side of a hand-dealt table over HTTP: what can be entered, and what is refused."""

from __future__ import annotations

import itertools
import json
import urllib.error
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs

from croupier.house.office.commands import DisablePerson
from croupier.house.office.own_limits import StayAway
from croupier.house.office.roster_commands import AssignStaff
from croupier.live.config import Config, TableConfig
from tests.house.jackpots import BOOK, SETTINGS
from tests.house.quick import make_quick
from tests.house.staff import employ
from tests.live.accounts import CLOCKS, for_money, log_in, people
from tests.live.conftest import PASSWORD, Client, Running, found_for_money, running

REAL = {"dealing": "by-hand", "shoe": "reported"}
NUMBERS = itertools.count(1)


def config() -> Config:
    """H1 to H9: poker with real cards. V5: the same by Poker v5. B1, B2: a banked game so."""
    made = for_money()
    raffles = made.tables["Raffles"]
    poker = structs.replace(raffles, settings={**raffles.settings, **REAL, "straddle": False})
    old = {**poker.settings, "opened_knowingly": True}
    del old["straddle"], old["maximum_stake"]
    fifth = structs.replace(poker, rulebook="poker-v5", settings=old)
    banked = TableConfig(rulebook=BOOK, settings={**SETTINGS, **REAL}, link="Marina")
    tables = {"Raffles": raffles, "V5": fifth, "B1": banked, "B2": banked, "B3": banked}
    tables |= {f"H{number}": poker for number in range(1, 10)}
    return structs.replace(made, tables=tables)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("deal")
    with pytest.MonkeyPatch.context() as patch:
        make_quick(patch)
        found_for_money(folder)
        with running(folder, config(), clocks=CLOCKS) as opened:
            people(opened.casino.casino)
            employ(opened.casino.casino, "Deb", "dealer", password=PASSWORD, assigned=False)
            yield opened


def posted(client: Client, path: str, body: Any) -> tuple[int, dict[str, Any]]:
    try:
        return 200, client.post(path, body)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


class Dealer:
    """Somebody at the dealer's page of a table."""

    def __init__(self, house: Running, place: str, name: str = "Dan") -> None:
        self.client = log_in(house, name)
        self.place = place
        self._number = 0

    def table(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"/api/deal/{self.place}")
        return found

    def entries(self, kind: str, seat: int | None = None) -> list[dict[str, Any]]:
        found = self.table()["entries"]
        return [e for e in found if e["kind"] == kind and (seat is None or e["seat"] == seat)]

    def keys(self, seat: int) -> str:
        return "".join(sorted(e["key"] for e in self.entries("act", seat)))

    def send(self, entry: dict[str, Any], **said: Any) -> tuple[int, dict[str, Any]]:
        self._number += 1
        body: dict[str, Any] = {
            "id": f"deal-{self.place}-{self.client.name}-{self._number:04}",
            "command": {**entry["command"], **said},
        }
        path = f"/api/tables/{self.place}/commands"
        if entry["word"]:
            path = f"/api/tables/{self.place}/for-player"
            body |= {"player": said["player"], "word": "cash", "why": "pays cash"}
        return posted(self.client, path, body)

    def must(self, entry: dict[str, Any], **said: Any) -> None:
        status, answer = self.send(entry, **said)
        assert status == 200, answer

    def step(self, says: str, cards: str = "") -> None:
        """Do what comes next, which is called so."""
        first = self.entries("step")[0]
        assert first["says"] == says
        named = cards.split()
        fields = {f["name"]: named for f in first["fields"]}
        assert sum(f["count"] for f in first["fields"]) == len(named)
        self.must(first, **fields)

    def sees(self, key: str, seat: int, **said: Any) -> None:
        [act] = [e for e in self.entries("act", seat) if e["key"] == key]
        self.must(act, **said)

    def turn(self) -> int:
        [seat] = self.table()["view"]["awaited"]
        return int(seat)

    def seats(self, many: int, first: int = 1) -> None:
        """So many sit down who pay in cash, each under a name that nobody had."""
        for seat in range(first, first + many):
            [sits] = [e for e in self.entries("people", seat) if e["key"] == "i"]
            self.must(sits, player=f"Cash {next(NUMBERS)}")


# -- who may --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "place", "says"),
    [
        ("Ann", "H1", "for the staff"),
        ("Cal", "H1", "not on duty in the pit"),
        ("Deb", "H1", "not assigned to table H1"),
        ("Dan", "Raffles", "not dealt by hand"),
    ],
)
def test_it_is_for_staff_who_are_assigned_there(house: Running, name: str, place: str, says: str):
    with pytest.raises(urllib.error.HTTPError) as error:
        log_in(house, name).get(f"/api/deal/{place}")
    with error.value:
        assert error.value.code == 403
        assert says in json.load(error.value)["says"]


def test_who_is_assigned_there_may(house: Running):
    house.casino.casino.tell(AssignStaff(name="Deb", table="H7", reason="x"), who="Max")
    assert Dealer(house, "H7", "Deb").table()["you"] == "Deb"
    with pytest.raises(urllib.error.HTTPError):
        Dealer(house, "B1", "Deb").table()


# -- poker ----------------------------------------------------------------------------------------


def to_the_blinds(dan: Dealer) -> None:
    dan.seats(6)
    dan.step("Start the game")
    dan.step("Deal for the button", "2c 3c 4c 5c 6c Ah")
    dan.step("Shuffle the deck")
    dan.step("Cut the deck")
    dan.step("Call for the Blinds")
    dan.step("The Blinds are placed")


def test_a_hand_of_six_with_real_cards(house: Running):
    """From the first chair to the pot: what comes next is always the first step offered."""
    dan = Dealer(house, "H1")
    to_the_blinds(dan)
    dan.step("Deal the Hole Cards")
    dan.sees("l", 1)
    order = []
    for key in "ffffcc":
        order.append(seat := dan.turn())
        dan.sees("k" if "k" in dan.keys(seat) else key, seat)
    assert sorted(order) == [1, 2, 3, 4, 5, 6]
    dan.step("Burn, deal the flop", "As Kd 7h")
    first = dan.turn()
    [bet] = [e for e in dan.entries("act", first) if e["key"] == "b"]
    assert bet["fields"][0]["least"] == 1_000
    dan.must(bet, to=3_000)
    dan.sees("c", dan.turn())
    dan.step("Burn, deal the turn", "2d")
    dan.sees("k", dan.turn())
    dan.sees("k", dan.turn())
    dan.step("Burn, deal the river", "9c")
    dan.sees("k", dan.turn())
    dan.sees("k", dan.turn())
    shows = dan.turn()
    dan.step(f"Seat {shows} shows", "Ac Qc")
    dan.sees("m", dan.turn())
    dan.step("Pay the pots")
    assert dan.table()["tile"]["stage"] == "between rounds"
    assert dan.table()["tile"]["dealer"] == "Dan"


def test_a_card_that_is_out_is_refused_and_nothing_is_half_done(house: Running):
    dan = Dealer(house, "H2")
    to_the_blinds(dan)
    dan.step("Deal the Hole Cards")
    for _ in range(6):
        seat = dan.turn()
        dan.sees("k" if "k" in dan.keys(seat) else "c", seat)
    [flop] = dan.entries("step")
    before = dan.table()["position"]
    for cards, says in ((["As", "As", "Kd"], "twice"), (["As", "Kd"], "3 cards")):
        status, answer = dan.send(flop, faces=cards)
        assert (status, says in answer["says"]) == (422, True), answer
        assert dan.table()["position"] == before
    dan.step("Burn, deal the flop", "As Kd 7h")
    for _ in range(6):
        dan.sees("k", dan.turn())
    [turn] = dan.entries("step")
    status, answer = dan.send(turn, faces=["Kd"])
    assert (status, answer["says"]) == (422, "K♦ is out already")


def test_out_of_turn_and_passed_over(house: Running):
    """v8 5.13: held; v8 5.14: nobody notices, and play goes on from there."""
    dan = Dealer(house, "H3")
    to_the_blinds(dan)
    dan.step("Deal the Hole Cards")
    first = dan.turn()
    second = first % 6 + 1
    third = second % 6 + 1
    dan.sees("f", second)
    assert dan.turn() == first, "it is held, and the turn stays where it was"
    [seen] = [e for e in dan.entries("act", third) if e["key"] == "w"]
    assert "unnoticed" in [field["name"] for field in seen["fields"]]
    dan.must(seen, words="call", unnoticed=True)
    assert dan.turn() == third % 6 + 1


def test_words_and_chips_are_read_by_the_book(house: Running):
    """v8 3.5: a single chip above the price, without a word, is a Call."""
    dan = Dealer(house, "H4")
    to_the_blinds(dan)
    dan.step("Deal the Hole Cards")
    first = dan.turn()
    [seen] = [e for e in dan.entries("act", first) if e["key"] == "w"]
    dan.must(seen, chips=[10_000])
    seat = next(s for s in dan.table()["view"]["seats"] if s["seat"] == first)
    assert seat["bets"] == {"bet": 1_000}


@pytest.mark.slow
def test_a_dealer_goes_on_wrongly_and_reports_it_later(house: Running):
    """v8 5.12: four cards lie there until somebody says so."""
    dan = Dealer(house, "H5")
    to_the_blinds(dan)
    dan.step("Deal the Hole Cards")
    early = [e["says"] for e in dan.entries("otherwise")]
    assert early == ["The flop is dealt now, before all have acted"]
    for _ in range(6):
        seat = dan.turn()
        dan.sees("k" if "k" in dan.keys(seat) else "c", seat)
    wrong = {e["says"]: e for e in dan.entries("otherwise")}
    assert set(wrong) == {
        "Four cards are dealt",
        "Two cards are dealt",
        "No card is burnt",
        "The cards are left face down",
        "A card is burnt now",
    }
    assert wrong["Four cards are dealt"]["fields"][0]["count"] == 4
    dan.must(wrong["Four cards are dealt"], faces=["As", "Kd", "7h", "2d"])
    listed = dan.client.get("/api/pit/tables/H5/reports")["reports"]
    assert "report surplus cards" in [each["do"] for each in listed]


def test_what_the_dealer_left_undone_comes_next(house: Running):
    """Nobody rules on it, so the dealer finds it here: v8 3.8, a forgotten button is put out as
    soon as it is noticed; 1.9, one card is burnt before a street."""
    dan = Dealer(house, "H8")
    dan.seats(3)
    dan.step("Start the game")
    dan.step("Deal for the button", "2c 3c Ah")
    dan.step("Shuffle the deck")
    dan.step("Cut the deck")
    assert dan.entries("mend") == []
    [wrong] = dan.entries("otherwise")
    assert wrong["says"] == "The button is not put out"
    dan.must(wrong)
    assert dan.table()["entries"][0]["kind"] == "mend"
    [mend] = dan.entries("mend")
    assert mend["says"] == "Put the button out"
    dan.must(mend)
    assert dan.entries("mend") == []
    dan.step("The Blinds are placed")
    dan.step("Deal the Hole Cards")
    for _ in range(3):
        seat = dan.turn()
        dan.sees("k" if "k" in dan.keys(seat) else "c", seat)
    [burns] = [e for e in dan.entries("otherwise") if e["says"] == "A card is burnt now"]
    dan.must(burns)
    [mend] = dan.entries("mend")
    assert mend["says"] == "Deal the flop"
    assert "A card is burnt now" not in [e["says"] for e in dan.entries("otherwise")]
    dan.must(mend, faces=["As", "Kd", "7h"])
    told = [each["says"] for each in dan.table()["told"]]
    assert sum("burnt" in each for each in told) == 1


def test_the_fifth_book_offers_its_own(house: Running):
    """Poker v5 has no cut and no draw for the button, and a Game Marker."""
    dan = Dealer(house, "V5")
    dan.seats(3)
    steps = []
    for _ in range(12):
        found = dan.entries("step")
        if not found:
            break
        steps.append(found[0]["says"])
        dan.must(found[0])
    assert "Cut the deck" not in steps
    assert "Deal for the button" not in steps
    assert steps[-1] == "Deal the Hole Cards"


# -- a banked game --------------------------------------------------------------------------------


def test_a_banked_round_with_real_cards(house: Running):
    dan = Dealer(house, "B1")
    dan.seats(2)
    dan.step("Call for bets")
    assert dan.table()["view"]["awaited"] == [1, 2]
    dan.sees("a", 1, amount=1_000)
    dan.sees("p", 1)
    dan.sees("a", 2, amount=2_000)
    assert dan.table()["view"]["awaited"] == []
    dan.step("No more bets")
    dan.step("Deal the Hole Cards")
    assert dan.table()["view"]["awaited"] == [1, 2]
    dan.sees("l", 1)
    dan.sees("b", 1)
    dan.sees("f", 2)
    dan.step("Lay the flop, face down")
    dan.step("Turn the flop up", "As Kd 7h")
    dan.sees("k", 1)
    dan.step("Lay the turn, face down")
    dan.step("Turn the turn up", "2d")
    dan.sees("b", 1)
    dan.step("Lay the river, face down")
    dan.step("Turn the river up", "9c")
    dan.step("Two cards to the dealer")
    dan.step("Turn the dealer's cards up", "3c 4c")
    dan.step("Box 1 lays the hand open", "Ac Qc")
    dan.step("Settle the bets")
    assert dan.table()["tile"]["stage"] == "between rounds"


def test_chips_as_they_lie_and_a_wrong_deal(house: Running):
    """5.1: more than the table allows lies there until somebody notices."""
    dan = Dealer(house, "B2")
    dan.seats(2)
    dan.step("Call for bets")
    dan.sees("o", 1, bet="ante", amount=1_500)
    dan.sees("a", 2, amount=1_000)
    dan.step("No more bets")
    wrong = {e["says"]: e for e in dan.entries("otherwise")}
    assert "Box 2 gets no cards" in wrong
    dan.must(wrong["Box 2 gets no cards"])
    listed = dan.client.get("/api/pit/tables/B2/reports")["reports"]
    assert any("wrong" in each["do"] for each in listed)


# -- who follows on a telephone -------------------------------------------------------------------


def test_who_follows_sees_what_everybody_sees(house: Running):
    """Ann sits by her account and has looked; nobody's cards are sent to anybody."""
    ann = log_in(house, "Ann").at("H6")
    assert ann.do(do="sit", seat=1, player="Ann", stake=50_000)["is"] == "answer"
    dan = Dealer(house, "H6")
    dan.seats(2, first=2)
    dan.step("Start the game")
    dan.step("Deal for the button", "2c 3c Ah")
    for says in (
        "Shuffle the deck",
        "Cut the deck",
        "Call for the Blinds",
        "The Blinds are placed",
    ):
        dan.step(says)
    dan.step("Deal the Hole Cards")
    dan.sees("l", 2)
    refused = ann.do(do="fold", seat=1)
    assert (refused["is"], "the dealer enters" in refused["says"]) == ("refused", True)
    view = next(m["view"] for m in reversed(ann.heard) if "view" in m)
    assert view["seats"]["2"]["looked"]
    assert [seat["cards"] for seat in view["seats"].values()] == [["??", "??"]] * 3
    assert view["offers"] == {}, "nothing is for her to do by command"


def test_nobody_bets_by_the_dealer_who_may_not_bet_himself(house: Running):
    """Two sit with their chips; then one stays away by his own wish, and the other is disabled."""
    dan, office = Dealer(house, "B3"), house.casino.casino
    dan.seats(2)
    dan.step("Call for bets")
    names = [seat["player"] for seat in dan.table()["view"]["seats"][:2]]
    away = StayAway(player=names[0], days=7, reason="as the player asked at the cage")
    assert office.tell(away, who="Cal").refused is None
    disabled = DisablePerson(name=names[1], reason="under age")
    assert office.tell(disabled, who="Max").refused is None
    for seat, says, cites in ((1, "takes a break", "S-43"), (2, "is disabled", "S-29")):
        [ante] = [e for e in dan.entries("act", seat) if e["key"] == "a"]
        status, said = dan.send(ante, amount=1_000)
        assert (status, said["cites"][0]["paragraph"]) == (409, cites)
        assert says in said["says"]
        [leaves] = [e for e in dan.entries("people", seat) if e["command"]["do"] == "leave"]
        dan.must(leaves)
