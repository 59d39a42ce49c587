"""A past round is seen by each as it was for him: every byte of every replay is read.

The oracle of `test_leaks` says from the stored log what each may have seen by the end of a round.
"""

from __future__ import annotations

import io
import json
import re
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from croupier.formats.reading import hands_in, read_any
from croupier.formats.replay import Replayer
from croupier.house.archives.file import ArchiveDamaged
from croupier.house.replays import replay_round
from croupier.live.bots.true_equity import equities
from croupier.pit import GAMES, read_case, run_case, shipped_cases
from croupier.pit.replay import EVERYTHING, Replay, views_of, with_changes
from croupier.pit.replay_case import replay_case
from croupier.simulator.cards import Oracle, cards_in
from tests.live.accounts import claims, log_in, money_house
from tests.live.conftest import PASSWORD, Client, Running, running
from tests.live.crowd import Evening, play
from tests.live.test_leaks import IMPATIENT
from tests.live.test_recall import playing

BOTH = ["Raffles", "Marina-1"]


def text_of(client: Client, path: str) -> str:
    with client.opener.open(f"{client.running.url}{path}", timeout=60) as answer:
        found: str = answer.read().decode()
        return found


def refused(client: Client, path: str) -> tuple[int, str]:
    with pytest.raises(urllib.error.HTTPError) as error:
        text_of(client, path)
    with error.value as answer:
        return answer.code, json.load(answer)["says"]


def oracle_of(house: Running, place: str) -> Oracle:
    game = "banked" if place.startswith(("Marina", "M1")) else "poker"
    reader = house.casino.house.reader
    return Oracle(game, lambda after: reader.rows(place, after=after))


def ended(client: Client, place: str) -> list[dict[str, Any]]:
    rounds = client.get(f"/api/tables/{place}/rounds")["rounds"]
    return [each for each in rounds if each["ended"]]


# -- no card that a viewer may not see ------------------------------------------------------------


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Evening]]:
    """A crowd that does anything has played at a table of each family."""
    with running(tmp_path_factory.mktemp("replays"), clocks=IMPATIENT) as casino:
        yield casino, play(casino, BOTH, 3, players=3, seconds=120)


@pytest.mark.parametrize("place", BOTH)
def test_every_byte_of_a_replay_is_for_its_viewer(evening: tuple[Running, Evening], place: str):
    casino, played = evening
    oracle = oracle_of(casino, place)
    seen = 0
    for somebody in played.crowds[place]:
        client = somebody.client
        for each in ended(client, place)[:2]:
            base = f"/api/tables/{place}/rounds/{each['round']}"
            for path in (f"{base}/replay", f"{base}/replay?as="):
                who = client.name if "?" not in path else None
                may = oracle.allowed(each["last"], who)
                text = text_of(client, path)
                assert cards_in(text) <= may, (client.name, path)
                seen += len(cards_in(text))
                answer = msgspec.json.decode(text)
                assert answer["replay"]["seen_as"] == (who or "")
                assert set(answer["seen_as"]) <= {"", client.name}
            for form in answer["formats"]:
                exported = exported_or_not(client, f"{base}/export/{form}")
                assert cards_in(quoted(exported)) <= oracle.allowed(each["last"], client.name), form
    assert seen > 30, "hardly a card was seen"


def exported_or_not(client: Client, path: str) -> str:
    """A round in a format; nothing where it was void."""
    try:
        return text_of(client, path)
    except urllib.error.HTTPError as error:
        with error as answer:
            assert "cannot" in json.load(answer)["says"]
        return ""


def quoted(text: str) -> str:
    """Cards as hand histories write them, so that the oracle's reader finds them: `AsKd`."""
    found = re.findall(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])", text)
    return " ".join(f'"{one[i : i + 2]}"' for one in found for i in range(0, len(one), 2))


@pytest.mark.parametrize("place", BOTH)
def test_a_view_that_shows_too_much_would_be_found(
    evening: tuple[Running, Evening], place: str, monkeypatch: pytest.MonkeyPatch
):
    from croupier.banked import view as banked
    from croupier.poker import view as poker

    casino, _ = evening
    monkeypatch.setattr(banked, "_seen", lambda box, his: set(box.cards))
    monkeypatch.setattr(poker, "_cards", lambda player, mine, all_of_them: tuple(player.cards))
    oracle, watching = oracle_of(casino, place), casino.enter()
    leaks = 0
    for each in ended(watching, place)[:8]:
        found = replay_round(casino.casino.house.reader, place, each["round"], "")
        named = cards_in(msgspec.json.encode(found).decode())
        leaks += not named <= oracle.allowed(each["last"], None)
    assert leaks


def test_a_round_that_is_played_is_shown_to_nobody(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as house:
        clients, _ = playing(house, "Raffles", "Ann", "Ben")
        now = clients[0].get("/api/tables/Raffles/view")["view"]["round"]
        base = f"/api/tables/Raffles/rounds/{now}"
        for path in ("replay", "equities?step=3", "proofs", "export/phh"):
            status, says = refused(clients[0], f"{base}/{path}")
            assert status == 404
            assert "not over" in says


def test_a_replay_goes_from_the_call_to_the_end_and_cites(evening: tuple[Running, Evening]):
    casino, _ = evening
    watching = casino.enter()
    for place in BOTH:
        last = ended(watching, place)[1]
        found = watching.get(f"/api/tables/{place}/rounds/{last['round']}/replay")["replay"]
        first = {e["event"].get("event") for e in found["steps"][0]["events"]}
        assert first & {"blinds called", "bets called"}, "a newcomer's answer may bring the call"
        cited = {cite for step in found["steps"] for e in step["events"] for cite in e["cites"]}
        assert cited <= found["titles"].keys()
        assert len(cited) > 5


# -- who may see it as whom -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Ann has won the jackpot of round 1 at M1, and it is paid. Aud is an auditor."""
    with money_house(tmp_path_factory.mktemp("entitled")) as made:
        office = made.casino.casino
        office.hire("Aud", "auditor", PASSWORD, who="administrator", reason="audit")
        claims(log_in(made, "Ann"))
        pay = {"id": uuid.uuid4().hex, "command": {"do": "pay claims"}}
        log_in(made, "Max").post("/api/links/Marina/commands", pay)
        while not ended(log_in(made, "Max"), "M1"):
            time.sleep(0.02)
        yield made


def test_the_auditor_sees_everything_and_as_each_saw_it(house: Running):
    aud = log_in(house, "Aud")
    whole = aud.get("/api/tables/M1/rounds/1/replay")
    assert whole["seen_as"] == [EVERYTHING, "", "Ann"]
    assert whole["replay"]["seen_as"] == EVERYTHING
    steps = msgspec.convert(whole["replay"], Replay).steps
    assert any("Ann" in step.who for step in steps), "the auditor reads who gave an order"
    views = list(views_of(msgspec.convert(whole["replay"], Replay)))
    first = next(view for view in views if view["boxes"].get("1", {}).get("cards"))
    assert "??" not in first["boxes"]["1"]["cards"], "from the deal on"
    as_ann = aud.get("/api/tables/M1/rounds/1/replay?as=Ann")["replay"]
    ann = log_in(house, "Ann")
    assert as_ann == ann.get("/api/tables/M1/rounds/1/replay")["replay"]
    assert all(step["who"] == "" for step in as_ann["steps"])


def test_nobody_else_sees_as_another_saw_it(house: Running):
    ann, bob, sue = (log_in(house, name) for name in ("Ann", "Bob", "Sue"))
    for client in (ann, bob, sue, house.enter()):
        for wanted in ("*", "Ann" if client is not ann else "Bob"):
            path = f"/api/tables/M1/rounds/1/replay?as={quote(wanted)}"
            assert refused(client, path)[0] == 403, (client.name, wanted)
        for what in ("equities?step=1&as=*", "proofs?as=*", "export/banked-json?as=*"):
            assert refused(client, f"/api/tables/M1/rounds/1/{what}")[0] == 403


def test_a_round_in_an_archive_that_is_gone_is_told_in_a_sentence(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    def gone(*_: object) -> None:
        raise ArchiveDamaged("/somewhere/1.archive is missing")

    monkeypatch.setattr("croupier.live.replays.replay_round", gone)
    monkeypatch.setattr(house.casino.shuffles, "of_viewer", gone)
    for what in ("replay", "proofs"):
        status, said = refused(log_in(house, "Bob"), f"/api/tables/M1/rounds/1/{what}")
        assert (status, "cannot be read now" in said) == (403, True)


def test_a_player_who_is_called_by_the_word_for_everything_sees_no_more(house: Running):
    office = house.casino.casino
    assert office.open_account(EVERYTHING, PASSWORD, who="Cal").refused is None
    star = log_in(house, EVERYTHING)
    path = "/api/tables/M1/rounds/1"
    assert star.get(f"{path}/replay")["replay"]["seen_as"] == ""
    for what in ("replay?as=*", "equities?step=1&as=*", "proofs?as=*", "export/banked-json?as=*"):
        assert refused(star, f"{path}/{what}")[0] == 403


def test_who_takes_up_a_dispute_sees_the_disputed_round(house: Running):
    sue, max_ = log_in(house, "Sue"), log_in(house, "Max")
    assert max_.get("/api/tables/M1/rounds/1/replay")["replay"]["seen_as"] in ("", "Max")
    sue.post("/api/disputes", {"about": "M1#1", "patron": "Ann", "claim": "it was mine"})
    assert max_.get("/api/tables/M1/rounds/1/replay?as=*")["replay"]["seen_as"] == "*"
    assert refused(log_in(house, "Ann"), "/api/tables/M1/rounds/1/replay?as=*")[0] == 403


def test_a_jackpot_is_seen_to_be_won(house: Running):
    found = log_in(house, "Ann").get("/api/tables/M1/rounds/1/replay")["replay"]
    meters = [found["jackpot"]["meter"]]
    meters += [step["jackpot"]["meter"] for step in found["steps"] if step["jackpot"]]
    assert meters[0] == 5_000_000 or meters[0] > 0
    assert min(meters) < max(meters)
    said = [e for step in found["steps"] for e in step["events"] if e["place"] == "Marina"]
    assert any(e["event"]["event"] == "award made" for e in said)


def test_the_shuffle_of_a_replay_is_proved_for_its_viewer(house: Running):
    ann, aud = log_in(house, "Ann"), log_in(house, "Aud")
    mine = ann.get("/api/tables/M1/rounds/1/proofs")["shuffles"]
    assert mine == ann.get("/api/tables/M1/rounds/1/shuffles")["shuffles"]
    whole = aud.get("/api/tables/M1/rounds/1/proofs")["shuffles"]
    assert len(whole[0]["openings"]) == 52 > len(mine[0]["openings"])


# -- cases, hands, equities -----------------------------------------------------------------------


def test_a_board_of_six_cards_has_no_equities():
    name = "no-limit-holdem-v8/1.18-a-board-of-six-makes-no-hand.toml"
    case = read_case(dict(shipped_cases())[name], name, GAMES)
    replay = replay_case(run_case(case, GAMES), GAMES)
    said = {equities(replay, step, by_lab=False).says for step in range(7, len(replay.steps))}
    assert "6 Community Cards lie there: they make no hand." in said


HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [100, 200, 500]
actions = ['d dh p1 AsAc', 'd dh p2 KsKc', 'd dh p3 QsQc', 'p3 cbr 30', 'p1 cbr 100', \
'p2 cbr 200', 'p3 cc', 'd db 2c3d4h', 'd db 9s', 'd db 9d', 'p2 sm KsKc', 'p3 sm QsQc', \
'p1 sm AsAc']
players = ['Ann', 'Bob', 'Cyn']
finishing_stacks = [300, 200, 300]
time = 20:15:00
day = 17
month = 11
year = 2026
"""


def test_a_case_is_played_in_each_of_its_books(evening: tuple[Running, Evening]):
    watching = evening[0].enter()
    path = "/api/cases/no-limit-holdem-v8/replay/no-limit-holdem-v8/1.27-main-pot-and-side-pot.toml"
    found = watching.get(path)
    assert found["replay"]["title"].startswith("The Main Pot holds")
    assert found["seen_as"] == ["*", "", "Ann", "Ben", "Cho"]
    view = found["replay"]["start"]
    for step in found["replay"]["steps"][:3]:
        view = with_changes(view, step["changes"])
    assert [pot["amount"] for pot in view["pots"]] == [15_000, 14_000]
    assert "1.27" in found["replay"]["titles"]
    other = path.replace("/no-limit-holdem-v8/replay", "/poker-v5/replay")
    status, says = refused(watching, other.replace("1.27-main", "nothing"))
    assert status == 404
    assert "There is no case" in says


def test_a_dropped_hand_is_played_by_the_book_and_written_again(
    evening: tuple[Running, Evening],
):
    client = evening[0].enter("Dora")
    body = {"name": "x.phh", "text": HAND}
    found = client.post("/api/hands/replay", body)
    assert "comes out as it is on record" in found["replay"]["about"]
    told = [e["told"] for step in found["replay"]["steps"] for e in step["events"]]
    assert "The 1st Betting Round, the Final one, is over: Main Pot 300, Side Pot 1 200." in told
    assert found["formats"] == ["phh", "phhs", "ohh", "pokerstars"]
    for form in found["formats"][:3]:
        request = urllib.request.Request(
            f"{client.running.url}/api/hands/export",
            json.dumps(body | {"format": form}).encode(),
            {"X-Croupier-Token": client.token, "Content-Type": "application/json"},
        )
        with client.opener.open(request) as answer:
            (hand,) = hands_in(io.BytesIO(answer.read()), f"x.{form}")
        assert Replayer().check(read_any(hand)).verdict == "agrees", form


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("x.phh", "", "no hand in this file"),
        ("x.ohh", "{", "cannot be read"),
        ("x.phh", "variant = 'FT'\n", "cannot be read"),
        ("x.phh", HAND.replace("p1 cbr 100", "p2 cbr 100"), "does not allow"),
    ],
)
def test_a_file_that_is_no_hand_says_why(
    evening: tuple[Running, Evening], name: str, text: str, says: str
):
    client = evening[0].enter()
    try:
        answer = client.post("/api/hands/replay", {"name": name, "text": text})
        told = answer["replay"]["about"]
    except urllib.error.HTTPError as error:
        with error as answer:
            assert answer.code == 422
            told = json.load(answer)["says"]
    assert says in told


def test_the_share_of_each_hand_is_counted_at_a_step(evening: tuple[Running, Evening]):
    client = evening[0].enter()
    body = {"name": "x.phh", "text": HAND}
    steps = client.post("/api/hands/replay", body)["replay"]["steps"]
    flop = next(i for i, s in enumerate(steps) if s["changes"].get("board"))
    found = client.post("/api/hands/equities", body | {"step": flop})
    assert found["exact"]
    shares = {each["seat"]: each["equity"] for each in found["hands"]}
    assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
    # Aces lose on the flop 2 3 4 rainbow only to a King or a Queen, of which two each are left.
    assert 0.7 < shares[1] < 0.9
    river = max(i for i, s in enumerate(steps) if s["changes"].get("board"))
    last = client.post("/api/hands/equities", body | {"step": river})
    assert {e["seat"]: e["equity"] for e in last["hands"]} == {1: 1.0, 2: 0.0, 3: 0.0}
