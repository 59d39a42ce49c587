"""My hands: every round that somebody played, in sums and as files, and nobody else's."""

from __future__ import annotations

import io
import urllib.error
import zipfile
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.house.office.name_reuse import PassName
from croupier.live.my_hands import MyRound, _sums, hands_of
from croupier.pit.registry import GAMES
from tests.live.conftest import QUICK, Client, running, until
from tests.live.crowd import play


def files(client: Client, form: str) -> dict[str, bytes]:
    url = f"{client.running.url}/api/my-hands/export/{form}"
    with client.opener.open(url) as answer:
        archive = zipfile.ZipFile(io.BytesIO(answer.read()))
    return {name: archive.read(name) for name in archive.namelist()}


def test_rounds_sums_and_files_are_those_of_who_asks(tmp_path: Path):
    with running(tmp_path, tables=("Raffles", "Orchard")) as house:
        evening = play(house, ["Raffles", "Orchard"], rounds=4, players=2, seconds=120)
        house.casino.house.writer.flush()
        ann = evening.crowds["Raffles"][0].client
        found = ann.get("/api/my-hands")
        assert {each["table"] for each in found["rounds"]} == {"Raffles"}
        assert found["total"]["rounds"] == len(found["rounds"]) >= 3
        assert found["total"]["net"] == sum(each["net"] for each in found["rounds"])
        assert found["formats"] == ["phh", "phhs", "ohh", "pokerstars"]
        [session] = found["sessions"]
        assert session["net"] == found["total"]["net"] == session["won"] - session["lost"]
        hands = files(ann, "phhs")["Raffles.phhs"].decode()
        assert hands.count("antes") >= 1
        assert len(files(ann, "phh")) >= len(found["rounds"])
        other = evening.crowds["Orchard"][0].client
        assert other.get("/api/my-hands")["formats"] == ["banked-json"]
        assert files(other, "banked-json")["Orchard.jsonl"].count(b"\n") >= 1
        number = GAMES.port_of(house.casino.table("Raffles")).round_number(
            house.casino.table("Raffles")
        )
        passed = PassName(
            player=ann.name or "", holder="0" * 16, rounds={"Raffles": number}, positions={}
        )
        assert house.casino.casino.tell(passed).refused is None
        later = hands_of(house.casino, ann.name or "")
        assert later.rounds == (), "they are of who had the name before"
        nobody = house.enter()
        for path in ("/api/my-hands", "/api/my-hands/export/phh"):
            with pytest.raises(urllib.error.HTTPError) as error:
                nobody.get(path)
            error.value.close()
            assert error.value.code == 403


def test_a_hand_that_was_folded_without_a_chip_is_one_of_them_also_for_who_left(tmp_path: Path):
    clocks = structs.replace(QUICK, to_act=30, between_rounds=0.3, pace=0)
    with running(tmp_path, tables=("Raffles",), clocks=clocks) as house:
        names = ("Ann", "Ben", "Cid")
        guests = [house.enter(name) for name in names]
        tables = [guest.at("Raffles") for guest in guests]
        for seat, (name, table) in enumerate(zip(names, tables, strict=True), 1):
            table.do(do="sit", seat=seat, player=name, stake=50_000)
        view = tables[0].until_view(lambda v: v["status"] == "betting" and v["turn"])["view"]
        folds, next_one = view["turn"], view["turn"] % 3 + 1  # who sits at the button has no Blind
        guests[folds - 1].post("/api/tables/Raffles/wishes", {"leave": True})
        tables[folds - 1].do(do="fold", seat=folds)
        assert guests[folds - 1].get("/api/my-hands")["rounds"] == [], "it is under way"
        tables[next_one - 1].until_view(lambda v: v["turn"] == next_one)
        tables[next_one - 1].do(do="fold", seat=next_one)
        until(lambda: folds not in house.casino.table("Raffles").taken_seats())
        house.casino.house.writer.flush()
        [hand] = guests[folds - 1].get("/api/my-hands")["rounds"]
        assert (hand["table"], hand["round"], hand["net"]) == ("Raffles", 1, 0)
        assert len(files(guests[folds - 1], "phh")) == 1


def at(minute: int, net: int, game: str = "Poker v5") -> Any:
    hour, left = divmod(minute, 60)
    when = f"2026-11-17T{hour:02}:{left:02}:00Z"
    return MyRound(at=when, table="T", game=game, round=minute, net=net)


def test_a_pause_of_more_than_half_an_hour_begins_a_session():
    rounds = [at(0, 100), at(30, -250), at(61, 40, "No Limit Hold'em v8")]
    total, games, sessions = _sums(rounds)
    assert (total.rounds, total.won, total.lost, total.net) == (3, 140, 250, -110)
    assert [(one.of, one.net) for one in games] == [("No Limit Hold'em v8", 40), ("Poker v5", -150)]
    assert [(one.rounds, one.net) for one in sessions] == [(1, 40), (2, -150)]
