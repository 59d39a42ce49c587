"""Ready-made offers: a program picks one and sends it back as it is."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from msgspec import structs
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.live.config import TableConfig
from croupier.live.demonstration import demonstration
from croupier.live.offering import Offering
from croupier.live.ready_made import Standing
from croupier.pit.ports.offers import ReadyMade
from tests.live.conftest import QUICK, AtTable, Running, found_for_money, running

TURNS = {"check", "call", "bet", "raise", "all in", "fold", "flop bet", "turn bet", "river bet"}
"""The table waits for these; everything else it may have gone past while it was on its way."""
SELDOM = ("leave", "withdraw")
CALM = structs.replace(QUICK, between_rounds=0.3)


def as_bot(house: Running, place: str, name: str, **headers: str) -> AtTable:
    """Enter and connect in one step."""
    url = f"{house.url.replace('http', 'ws', 1)}/ws?{urlencode({'place': place, 'bot': name})}"
    opened = connect(url, additional_headers=headers, max_size=None, close_timeout=1)
    return AtTable(house.sockets.enter_context(opened), place)


def offered(table: AtTable, do: str) -> dict[str, Any]:
    """Read on until it is offered."""
    while True:
        for offer in table.until("offers")["offers"]:
            if offer["do"] == do:
                return offer


def take(table: AtTable, do: str) -> dict[str, Any]:
    """Take an offer up and read its answer."""
    send = offered(table, do)["send"]
    table.send(send)
    while (message := table.next()).get("id") != send["id"]:
        pass
    return message


# ---- at the table -------------------------------------------------------------------------------


def test_a_bot_enters_as_it_connects_and_is_marked(house: Running):
    table = as_bot(house, "Raffles", "Deep Green")
    assert table.next()["you"] == "Deep Green"
    assert take(table, "sit")["is"] == "answer"
    assert table.until("offers", chips=100_000)
    assert house.enter().get("/api/lobby")["tables"][0]["players"][0]["bot"] is True


def test_who_comes_with_a_cookie_may_ask_for_offers_too(house: Running):
    ann = house.enter("Ann")
    url = f"{house.url.replace('http', 'ws', 1)}/ws?place=Clarke&offers=1"
    with connect(url, additional_headers={"Cookie": ann.cookie}) as socket:
        assert take(AtTable(socket, "Clarke"), "sit")["is"] == "answer"
    watching = ann.at("Raffles")
    watching.next()
    watching.next()
    watching.send({"ping": 1})
    assert watching.next()["is"] == "pong", "who does not ask is not offered anything"


@pytest.mark.parametrize("place", ["Raffles", "Marina-1"])
def test_everything_that_is_offered_would_be_accepted(tmp_path: Path, place: str):
    """Two bots take up anything by turns; what nobody else could have crossed is never refused."""
    import random

    least = {"sit", "look", "check", "fold", "leave"}
    more = {"call", "raise"} if place == "Raffles" else {"place ante", "ready", "flop bet"}
    with running(tmp_path, tables=(place,), clocks=CALM) as house:
        chance = random.Random(7)
        bots = [as_bot(house, place, name) for name in ("Ada", "Bee")]
        taken: set[str] = set()
        asked: dict[str, str] = {}
        end = time.monotonic() + 60
        while not (least | more <= taken and len(asked) >= 100):
            assert time.monotonic() < end, f"only {len(asked)} offers were taken up: {taken}"
            for bot in bots:
                try:
                    message = bot.next(timeout=0.02)
                except TimeoutError:
                    continue
                if message["is"] == "refused":
                    assert asked[message["id"]] not in TURNS, message
                assert message["is"] != "error" or message["code"] == "too late", message
                if message["is"] == "offers":
                    often = [o for o in message["offers"] if o["do"].split()[0] not in SELDOM]
                    if not often and chance.random() < 0.9:
                        continue
                    seldom = not often or chance.random() < 0.05
                    pick = chance.choice(message["offers"] if seldom else often)
                    taken.add(pick["do"])
                    asked[pick["send"].get("id", "")] = pick["do"]
                    bot.send(pick["send"])
        assert house.casino.metrics.faults.value() == 0


def test_who_has_left_is_offered_a_seat_although_his_settled_box_lies_there(tmp_path: Path):
    # Without a pace the next round is called at once, and the box is cleared.
    calm = structs.replace(QUICK, pace=0.01, between_rounds=600)
    with running(tmp_path, tables=("Marina-1",), clocks=calm) as house:
        bot = as_bot(house, "Marina-1", "Ada")
        for do in ("sit", "place ante"):
            assert take(bot, do)["is"] == "answer"
        bot.send(offered(bot, "ready")["send"])
        for do in ("fold", "leave"):
            assert take(bot, do)["is"] == "answer"
        offers = bot.until("offers", chips=None)["offers"]
        assert [offer["do"] for offer in offers] == ["sit"]


def test_amounts_may_be_chosen(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",), clocks=CALM) as house:
        bots = []
        for name in ("Ada", "Bee"):
            bots.append(bot := as_bot(house, "Raffles", name))
            sit = offered(bot, "sit")
            assert (sit["least"], sit["most"], sit["step"]) == (20_000, 100_000, 100)
            sit["send"]["command"]["stake"] = 30_000
            bot.send(sit["send"])
            assert bot.until("offers", chips=30_000)
        view = bots[0].until_view(lambda v: v["turn"] is not None)["view"]
        bot = bots[view["turn"] - 1]
        bet = offered(bot, "raise")
        assert bet["send"]["command"]["to"] == bet["least"]
        bet["send"]["command"]["to"] = bet["least"] + 5 * bet["step"]
        bot.send(bet["send"])
        assert bot.until("answer")["id"] == bet["send"]["id"]
        raised = next(m for m in reversed(bot.heard) if m["is"] == "events")
        assert raised["view"]["price"] == bet["least"] + 5 * bet["step"]


def test_an_offer_is_taken_up_once(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as house:
        bot = as_bot(house, "Raffles", "Ada")
        sit = offered(bot, "sit")["send"]
        bot.send(sit)
        bot.send(sit)
        told: dict[str, Any] = {}
        while len(told) < 2:  # whichever comes first
            message = bot.next()
            if message.get("id") == sit["id"]:
                told[message["is"]] = message
        assert told["error"]["code"] == "too late"
        assert told["answer"]["positions"]
        assert house.casino.table("Raffles").taken_seats() == [1]


def test_what_was_refused_is_offered_again_after_a_moment(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as house:
        bot = as_bot(house, "Raffles", "Ada")
        sit = offered(bot, "sit")["send"]
        sit["command"]["stake"] = 100
        bot.send(sit)
        assert bot.until("refused")["id"] == sit["id"]
        began = time.monotonic()
        again = offered(bot, "sit")["send"]
        assert time.monotonic() - began > 0.8
        assert again["id"] != sit["id"]
        bot.send(again)
        assert bot.until("answer")["id"] == again["id"]


# ---- logging in ---------------------------------------------------------------------------------


def turned_away(house: Running, name: str) -> dict[str, Any]:
    table = as_bot(house, "Raffles", name)
    bye = table.next()
    with pytest.raises(ConnectionClosed):
        table.next()
    assert table.socket.close_code == 4403
    assert bye["is"] == "bye"
    return bye


def test_a_bot_that_may_not_enter_is_told_why(house: Running):
    house.enter("Ann")
    assert turned_away(house, "Ann")["code"] == "name taken"
    assert turned_away(house, "House")["code"] == "name taken"
    assert turned_away(house, "<script>")["code"] == "bad name"
    assert turned_away(house, "")["code"] == "bad name"


def test_a_casino_for_money_lets_no_bot_in(tmp_path: Path):
    found_for_money(tmp_path)
    config = structs.replace(demonstration(), mode="money")
    tables = {"Raffles": structs.replace(config.tables["Raffles"], bots=0)}
    with running(tmp_path, structs.replace(config, tables=tables, links={})) as house:
        assert isinstance(house.casino.config.tables["Raffles"], TableConfig)
        assert turned_away(house, "Deep Green")["code"] == "no guests"


def test_the_name_of_a_bot_that_has_gone_is_for_the_next_one(house: Running):
    first = as_bot(house, "Raffles", "Deep Green")
    first.next()
    assert turned_away(house, "Deep Green")["code"] == "name taken"
    first.close()
    later(lambda: as_bot(house, "Raffles", "Deep Green").next()["is"] == "hello")


def test_the_name_of_a_bot_that_still_sits_is_its_own(house: Running):
    first = as_bot(house, "Raffles", "Deep Green")
    assert take(first, "sit")["is"] == "answer"
    response = first.socket.response
    assert response is not None
    cookie = response.headers["Set-Cookie"].split(";")[0]
    first.close()
    time.sleep(0.2)
    assert turned_away(house, "Deep Green")["code"] == "name taken"
    back = as_bot(house, "Raffles", "Deep Green", Cookie=cookie)
    assert back.next()["you"] == "Deep Green"
    assert back.until("offers")["chips"] == 100_000


def test_no_page_of_another_origin_can_enter_a_bot(house: Running):
    with pytest.raises(Exception, match="403"):
        as_bot(house, "Raffles", "Deep Green", Origin="https://example.org")
    assert "Deep Green" not in house.casino.casino.office.state.people


def later(holds: Any) -> None:
    """It is so, soon."""
    end = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


# ---- messages that cross ------------------------------------------------------------------------


def standing(position: int, *does: str) -> Standing:
    offers = tuple(ReadyMade(do=do, command={"do": do, "seat": 1}) for do in does)
    return Standing(position=position, round=1, chips=500, offers=offers)


def ids(message: Any) -> list[str]:
    return [offer["send"]["id"] for offer in json.loads(json.dumps(list_of(message)))]


def list_of(message: Any) -> list[dict[str, Any]]:
    return [{"do": offer.do, "send": offer.send} for offer in message.offers]


def test_the_same_offers_are_not_made_twice():
    offering = Offering("T", "unique")
    assert offering.stands(standing(1, "check", "fold")) is not None
    assert offering.stands(standing(2, "check", "fold")) is None
    assert offering.stands(standing(3, "call", "fold")) is not None
    assert offering.stands(standing(4)) is None, "nor is nothing offered"


def test_an_offer_that_newer_ones_have_overtaken_does_not_count():
    offering = Offering("T", "unique")
    old = ids(offering.stands(standing(1, "check", "fold")))
    new = ids(offering.stands(standing(2, "call", "fold")))
    assert not offering.asks(old[0])
    assert offering.asks(new[0])
    assert not offering.asks(new[1]), "one of them, not two"


def test_nothing_is_offered_while_a_command_is_unanswered():
    offering = Offering("T", "unique")
    made = ids(offering.stands(standing(1, "check", "fold")))
    assert offering.asks(made[0])
    assert offering.stands(standing(2, "check", "fold")) is None, "the table before the check"
    assert offering.stands(standing(3, "check", "bet")) is None, "and after it"
    message = offering.answered(done=True)
    assert message is not None
    assert (message.position, [offer.do for offer in message.offers]) == (3, ["check", "bet"])
    assert ids(message) != made


def test_a_command_of_ones_own_may_come_at_any_time():
    offering = Offering("T", "unique")
    made = ids(offering.stands(standing(1, "check")))
    assert offering.asks("7b1f0f4e-own")
    assert not offering.asks(made[0])
    assert offering.answered(done=False) is None, "nothing has changed"
    assert offering.again() is not None
