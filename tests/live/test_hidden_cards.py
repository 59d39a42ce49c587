"""Nobody of the staff learns at the console what lies face down: a card that is named may be wrong,
and the ruling before the confirmation does not say so; the report itself does, a few times."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.cards import DECK
from croupier.house.untrue_reports import AT_MOST
from croupier.pit.face_down import open_to_all
from tests.live.accounts import log_in
from tests.live.conftest import Running
from tests.live.lucky import deals, founded, lucky, with_hand_dealt
from tests.live.test_pit import FELL, Console, play


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    with lucky(founded(tmp_path, monkeypatch), with_hand_dealt()) as opened:
        yield opened


def exposed(card: str) -> dict[str, object]:
    return {"do": "report exposed", "cards": {"1": [card]}}


def hidden(house: Running) -> tuple[list[str], list[str]]:
    """The cards of seat 1, and those that lie elsewhere and not open."""
    table = house.casino.house.pit.tables["Raffles"]
    hand = table.state.round.players[1].cards
    known = open_to_all(table)
    return [str(c.value) for c in hand], [
        str(c.value) for c in DECK if c not in hand and c not in known
    ]


def test_a_preview_is_the_same_for_every_hidden_card(house: Running):
    play(house)
    sue = Console(house, "Sue")
    said = set()
    for card in (*hidden(house)[0], *hidden(house)[1][::7]):
        for report in (exposed(card), {"do": "report shown", "seat": 1, "cards": [card]}):
            status, told = sue.post("/tables/Raffles/preview", command=report)
            signs = {c.value: c.pretty for c in DECK}[card]
            text = json.dumps(told, ensure_ascii=False, sort_keys=True)
            text = text.replace(signs, "CARD").replace(f'"{card}"', '"CARD"')
            said.add((status, str(report["do"]), text))
    assert {(status, do) for status, do, _ in said} == {
        (200, "report exposed"),
        (200, "report shown"),
    }
    assert len(said) == 2, said


def test_an_untrue_report_is_refused_a_few_times_and_on_record(house: Running):
    play(house)
    sue, dan = Console(house, "Sue"), Console(house, "Dan")
    hand, elsewhere = hidden(house)
    for who, card in zip((sue, dan, sue), elsewhere, strict=False):
        status, held = who.post("/tables/Raffles/hold", command=exposed(card))
        assert status == 200, held
        status, said = who.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
        assert (status, said["is"]) == (409, "refused")
    assert sue.tile()["hold"] is None, "what was refused holds nobody"
    before = house.casino.house.positions["Raffles"]
    for card in (elsewhere[AT_MOST], hand[0]):
        status, said = dan.post("/tables/Raffles/hold", command=exposed(card))
        assert (status, said["is"]) == (409, "refused")
        assert "3 reports" in said["says"]
        told = dan.client.at("Raffles").do(**exposed(card))
        assert (told["is"], "3 reports" in told["says"]) == ("refused", True), told
    assert house.casino.house.positions["Raffles"] == before
    house.casino.house.writer.flush()
    house.casino.house.writer.refused.write()
    kept = house.casino.house.store.refused(place="Raffles")
    who = [row.who for row in kept if b"report exposed" in row.command]
    assert who[:3] == ["Sue", "Dan", "Sue"]
    status, held = sue.post("/tables/Raffles/hold", command=FELL)
    assert status == 200, "what names no card is heard as ever"


def test_a_true_report_is_carried_out(house: Running):
    play(house)
    sue = Console(house, "Sue")
    hand, _ = hidden(house)
    status, held = sue.post("/tables/Raffles/hold", command=exposed(hand[0]))
    assert status == 200, held
    status, done = sue.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
    assert status == 200, done


def test_what_is_listed_names_no_card(house: Running):
    play(house)
    listed = Console(house, "Dan").get("/tables/Raffles/reports")["reports"]
    for report in listed:
        for field in report["fields"]:
            if field["name"] != "twice":
                assert not any(f'"{c.value}"' in json.dumps(field["values"]) for c in DECK), field


def test_nor_at_a_banked_table_that_is_dealt_by_hand(house: Running):
    """Which card comes next in the device, which lies before a box or is burnt."""
    ann, dan, sue = log_in(house, "Ann").at("H2"), Console(house, "Dan"), Console(house, "Sue")
    assert ann.do(do="sit", box=1, player="Ann", chips=50_000)["is"] == "answer"
    deals(house, dan, "bets open")
    assert ann.do(do="place ante", box=1, amount=1_000)["is"] == "answer"
    deals(house, dan, "first decision")
    table = house.casino.table("H2")
    state = table.state
    true = [state.shoe.order[0], state.boxes[1].cards[0], state.burns[0]]
    others = [card for card in DECK if card not in true and card not in open_to_all(table)][::9]
    said = set()
    for card in (*true, *others):
        for report in (
            {"do": "report face up card", "card": card.value},
            {"do": "report exposed", "boxes": {"1": [card.value]}},
            {"do": "report exposed", "burns": [card.value]},
        ):
            status, told = sue.post("/tables/H2/preview", command=report)
            text = json.dumps(told, ensure_ascii=False, sort_keys=True)
            text = text.replace(card.pretty, "CARD").replace(f'"{card.value}"', '"CARD"')
            said.add((status, str(report["do"]), "boxes" in report, text))
    assert len(said) == 3, said
    assert all(status == 200 and '"kind": "refused"' not in text for status, _, _, text in said)
    [listed] = [
        each
        for each in sue.get("/tables/H2/reports")["reports"]
        if each["do"] == "report face up card" and not each["fields"][-1]["values"].get("least")
    ]
    assert listed["command"]["card"] == "??", "the next card is not told by being the only one"
    assert ann.do(do="look", seat=1)["is"] == "answer"
    stopped = {"do": "report interruption", "says": "the device stopped"}
    ruling = sue.post("/tables/H2/preview", command=stopped)[1]["ruling"]
    assert ruling["headline"] == "The round is void: all bets go back.", "no Bonus was placed"
