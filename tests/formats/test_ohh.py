"""Open Hand History: written by hand and compared, read as others write it, and bad input."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.formats.export_poker import poker_hands
from croupier.formats.export_sums import as_counted, uncalled_of
from croupier.formats.hand import Act, Hand, Player, Pot, Uncalled
from croupier.formats.ohh import LONGEST, OtherGame, read_ohh, read_ohhs
from croupier.formats.ohh_write import write_ohh
from tests.formats.export_logs import EVERY, can_be_counted, evening, log_of, shipped
from tests.formats.test_export import SIDE_POT


def side_pot() -> Hand:
    log, book = log_of(SIDE_POT)
    [hand] = poker_hands(log, book, room="The Casino", currency="AUD", symbol="$")
    return hand


def written(hand: Hand, hero: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(write_ohh(hand, hero), parse_float=Decimal)["ohh"]
    return found


def actions(ohh: dict[str, Any]) -> list[str]:
    """Every action, briefly: `Preflop 3 Post SB 5.00`."""
    return [
        " ".join(
            str(part)
            for part in (
                round_["street"],
                action["player_id"],
                action["action"],
                action.get("amount", ""),
                "all-in" if action.get("is_allin") else "",
                *action.get("cards", ()),
            )
            if part != ""
        )
        for round_ in ohh["rounds"]
        for action in round_["actions"]
    ]


# -- writing ---------------------------------------------------------------------------------------


def test_a_hand_is_written_as_the_specification_asks():
    ohh = written(side_pot())
    assert actions(ohh) == [
        "Preflop 3 Post SB 5.00",
        "Preflop 4 Post BB 10.00",
        "Preflop 3 Dealt Cards Qh Qs",
        "Preflop 4 Dealt Cards 9c 9d",
        "Preflop 6 Dealt Cards Ah Kh",
        "Preflop 6 Call 10.00",
        "Preflop 3 Call 5.00",
        "Preflop 4 Check",
        "Flop 3 Bet 100.00",
        "Flop 4 Raise 150.00 all-in",
        "Flop 6 Call 150.00",
        "Flop 3 Call 50.00",
        "Turn 3 Check",
        "Turn 6 Bet 200.00",
        "Turn 3 Raise 350.00 all-in",  # what the action put in, not the total
        "Turn 6 Fold",
        "Showdown 3 Shows Cards Qh Qs",
        "Showdown 4 Mucks Cards 9c 9d",
    ]
    assert [r["street"] for r in ohh["rounds"]] == ["Preflop", "Flop", "Turn", "River", "Showdown"]
    assert [r["cards"] for r in ohh["rounds"]] == [[], ["2c", "7d", "Jh"], ["3s"], ["4s"], []]
    assert ohh["pots"] == [
        {
            "number": 0,
            "amount": Decimal("480.00"),
            "rake": Decimal("10.00"),
            "player_wins": [{"player_id": 3, "win_amount": Decimal("470.00")}],
        },
        {
            "number": 1,
            "amount": Decimal("400.00"),
            "rake": Decimal("0.00"),
            "player_wins": [{"player_id": 3, "win_amount": Decimal("400.00")}],
        },
    ]
    stated = {
        "spec_version": "1.4.7",
        "site_name": "The Casino",
        "game_type": "Holdem",
        "tournament": False,
        "table_size": 9,
        "currency": "AUD",
        "dealer_seat": 6,
        "small_blind_amount": Decimal("5.00"),
        "big_blind_amount": Decimal("10.00"),
        "ante_amount": Decimal("0.00"),
        "bet_limit": {"bet_cap": Decimal("0.00"), "bet_type": "NL"},
        "hero_player_id": None,
        "flags": ["Observed"],
    }
    assert {name: ohh[name] for name in stated} == stated
    assert [(p["id"], p["seat"], p["name"], p["starting_stack"]) for p in ohh["players"]] == [
        (3, 3, "Cho", Decimal("510.00")),
        (4, 4, "Dev", Decimal("160.00")),
        (6, 6, "Eli", Decimal("500.00")),
    ]
    numbers = [a["action_number"] for r in ohh["rounds"] for a in r["actions"]]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_hero_is_named():
    ohh = written(side_pot(), hero=6)
    assert (ohh["hero_player_id"], ohh["flags"]) == (6, [])
    with pytest.raises(FormatError, match="seat 5 was not dealt in"):
        write_ohh(side_pot(), hero=5)


def tracked(ohh: dict[str, Any]) -> None:
    """What a tracker adds up, from the JSON alone and in its own way."""
    put = Decimal(0)
    uncalled = Decimal(0)
    for round_ in ohh["rounds"]:
        live: dict[Any, Decimal] = {}
        posts = ohh["rounds"][0]["actions"] if round_["street"] == "Preflop" else []
        assert len(posts) in (0, len(round_["actions"]))
        for action in round_["actions"]:
            amount = action.get("amount", Decimal(0))
            put += amount
            if action["action"] not in ("Post Dead", "Post Ante"):
                live[action["player_id"]] = live.get(action["player_id"], Decimal(0)) + amount
        bets = [*sorted(live.values(), reverse=True), Decimal(0), Decimal(0)]
        uncalled += bets[0] - bets[1]
    pots = sum((pot["amount"] for pot in ohh["pots"]), Decimal(0))
    assert put - uncalled == pots
    for pot in ohh["pots"]:
        won = sum((win["win_amount"] for win in pot["player_wins"]), Decimal(0))
        assert pot["amount"] == won + pot["rake"]


def _given_up(acts: Iterable[Act]) -> tuple[Act, ...]:
    """A Call whose hand is declared dead at once is one act of ours, and two of the format."""
    found: list[Act] = []
    for act in acts:
        last = found[-1] if found else None
        if act.do == "fold" and last is not None and (last.do, last.seat) == ("call", act.seat):
            act = structs.replace(act, by=last.by + act.by)
            found.pop()
        found.append(act)
    return tuple(found)


def comparable(hand: Hand) -> Hand:
    """A hand without what the format cannot say: citations, remarks, where hands were shown, who
    could win a pot, stacks that follow from the rest, and that a hand of a wrong number, which is
    left out, is not one of two cards that nobody saw."""
    acts = [act for street in hand.streets for act in street.acts if act.do in ("show", "muck")]
    streets = [
        structs.replace(
            street,
            note="",
            acts=_given_up(
                structs.replace(act, cites=(), note="", to=0 if act.do == "fold" else act.to)
                for act in street.acts
                if act.do not in ("note", "show", "muck")
            ),
        )
        for street in hand.streets
    ]
    shown = tuple(structs.replace(act, cites=(), note="") for act in acts)
    streets[-1] = structs.replace(streets[-1], acts=streets[-1].acts + shown)
    return structs.replace(
        hand,
        streets=tuple(streets),
        players=tuple(
            structs.replace(p, finishing=None, cards=p.cards or (Card.UNKNOWN,) * 2)
            for p in hand.players
        ),
        pots=tuple(
            structs.replace(pot, seats=(), wins={s: won for s, won in pot.wins.items() if won})
            for pot in hand.pots
        ),
        time=hand.time.astimezone(UTC) if hand.time is not None else None,
    )


def test_what_is_written_comes_back():
    hand = side_pot()
    again = read_ohh(write_ohh(hand))
    assert comparable(again) == comparable(hand)
    assert again.rulebook == "no-limit-holdem-v8"
    assert again.number == 1
    hero = read_ohh(write_ohh(hand, hero=6))
    assert hero.extra["_ohh"]["hero_player_id"] == 6
    assert written(hero)["hero_player_id"] == 6


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.slow)])
def test_every_shipped_case_is_written_adds_up_and_comes_back(every: int):
    count = 0
    for source, book, log in shipped("poker", every):
        for hand in poker_hands(log, book):
            if hand.voided or not can_be_counted(hand):
                continue
            count += 1
            tracked(written(hand))
            again = read_ohh(write_ohh(hand))
            assert comparable(again) == comparable(as_counted(hand)), source
    assert count > 200 // every


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_an_evening_adds_up_and_comes_back(seed: int):
    felt = evening(random.Random(seed))
    for hand in poker_hands(enumerate(felt.log, 1), felt.book):
        if not hand.voided:
            tracked(written(hand))
            assert comparable(read_ohh(write_ohh(hand))) == comparable(as_counted(hand)), seed


def test_a_hand_that_somebody_won_alone_is_not_written():
    """All others have left since the Misdeal after which it was dealt again."""
    alone = "3.18.1-the-only-one-who-is-dealt-in-again"
    [(_, book, log)] = [each for each in shipped("poker", 1) if alone in each[0]]
    [hand] = [each for each in poker_hands(log, book) if not each.voided]
    with pytest.raises(FormatError, match="hand 1, players: only one player took part"):
        write_ohh(hand)


def test_what_a_tracker_cannot_count_is_not_written():
    hand = side_pot()
    with pytest.raises(FormatError, match=r"hand 1: a void hand has no result \(why\)"):
        write_ohh(structs.replace(hand, voided="why"))
    with pytest.raises(FormatError, match="hand 1, pots: the hand has no result"):
        write_ohh(structs.replace(hand, pots=()))
    short = (structs.replace(hand.pots[0], amount=47900), hand.pots[1])
    with pytest.raises(FormatError, match=r"pots\[0\]: 479 is not 470 won and 10 Rake"):
        write_ohh(structs.replace(hand, pots=short))
    with pytest.raises(FormatError, match="hand 1, time: nobody noted when"):
        write_ohh(structs.replace(hand, time=None))
    unknown = (structs.replace(hand.players[0], stack=None), *hand.players[1:])
    with pytest.raises(
        FormatError, match="players: seat 3: the record does not say how many chips this player had"
    ):
        write_ohh(structs.replace(hand, players=unknown))


def test_chips_that_a_ruling_handed_back_were_not_put_in():
    """10 of Dev's 160 go back by ruling: a tracker reads that he put in 150."""
    hand = structs.replace(
        side_pot(),
        pots=(Pot(amount=88000 - 1000, rake=1000, wins={3: 86000}),),
        uncalled=(
            Uncalled(seat=3, amount=15000, street="turn"),
            Uncalled(seat=4, amount=1000, street="preflop"),
        ),
    )
    counted = as_counted(hand)
    assert counted.uncalled == uncalled_of(counted)
    tracked(written(hand))
    assert "Flop 4 Raise 140.00" in actions(written(hand))
    assert "Turn 3 Raise 350.00 all-in" in actions(written(hand)), "nobody called: no ruling"


# -- reading what others write ---------------------------------------------------------------------

OTHERS: dict[str, Any] = {
    "ohh": {
        "spec_version": "1.2.2",
        "site_name": "Some Room",
        "network_name": "Some Network",
        "internal_version": "3.1",
        "game_number": "4711",
        "start_date_utc": "2023-05-06T07:08:09.250Z",
        "table_name": "Aurora",
        "table_handle": "x",
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL", "bet_cap": 0},
        "table_size": "6",
        "currency": "PPC",
        "dealer_seat": 5,
        "small_blind_amount": 0.05,
        "big_blind_amount": 0.1,
        "ante_amount": 0,
        "hero_player_id": "b",
        "players": [
            {"id": "a", "seat": 1, "name": "Ann", "starting_stack": 10},
            {"id": "b", "seat": 3, "name": "Ben", "starting_stack": 7.5, "cards": ["Ah", "Kd"]},
            {"id": "c", "seat": 4, "name": "Cho", "starting_stack": "12.25"},
            {"id": "d", "seat": 5, "name": "Dev", "starting_stack": 9},
            {"id": "e", "seat": 6, "name": "Eli", "starting_stack": 1, "is_sitting_out": True},
            {"id": "f", "seat": 2, "name": "Fay", "starting_stack": 1},
        ],
        "rounds": [
            {
                "id": 0,
                "cards": "",
                "street": "Preflop",
                "actions": [
                    {"action_number": 0, "player_id": "a", "action": "Post SB", "amount": 0.05},
                    {"action_number": 1, "player_id": "b", "action": "Post BB", "amount": 0.1},
                    {"action_number": 2, "player_id": "d", "action": "Post BB", "amount": 0.1},
                    {"action_number": 3, "player_id": "d", "action": "Post Dead", "amount": 0.05},
                    {"action_number": 4, "player_id": "c", "action": "Straddle", "amount": 0.2},
                    {"action_number": 5, "player_id": "a", "action": "Added Chips", "amount": 5},
                    {"action_number": 6, "player_id": "d", "action": "Raise", "amount": 0.5},
                    {"action_number": 7, "player_id": "a", "action": "Fold", "amount": 0},
                    {"action_number": 8, "player_id": "b", "action": "Call", "amount": 0.5},
                    {"action_number": 9, "player_id": "c", "action": "Fold"},
                ],
            },
            {
                "id": 1,
                "cards": ["2c", "7d", "Jh"],
                "street": "Flop",
                "actions": [
                    {"action_number": 0, "player_id": "b", "action": "Raise", "amount": 1},
                    {"action_number": 1, "player_id": "d", "action": "Raise", "amount": 3},
                    {"action_number": 2, "player_id": "b", "action": "Fold"},
                ],
            },
        ],
        "pots": [
            {
                "number": 0,
                "amount": 3.5,
                "rake": 0.1,
                "jackpot": 0.05,
                "player_wins": [
                    {"player_id": "d", "win_amount": 3.35, "contributed_rake": 0.1},
                    {"player_id": "b", "win_amount": 0},
                ],
            }
        ],
    }
}


def others(path: str = "", value: Any = None) -> str:
    """The hand of others with one value changed."""
    whole = copy.deepcopy(OTHERS)
    if path:
        *places, last = [int(p) if p.isdigit() else p for p in path.split(".")]
        part: Any = whole["ohh"]
        for place in places:
            part = part[place]
        if value is None:
            del part[last]
        else:
            part[last] = value
    return json.dumps(whole)


def test_what_others_write_is_read():
    hand = read_ohh(others())
    # Pot: 0.05 + 0.05 dead + 0.20 + 2 x 0.60 + 2 x 1.00 = 3.50; Dev's last 2.00 nobody called.
    assert [(p.seat, p.name, p.stack) for p in hand.players] == [
        (1, "Ann", 1000),
        (3, "Ben", 750),
        (4, "Cho", 1225),
        (5, "Dev", 900),
    ], "who sits out, and who did nothing, was not dealt in"
    assert [(p.seat, p.kind, p.amount, p.dead) for p in hand.posts] == [
        (1, "small blind", 5, False),
        (3, "big blind", 10, False),
        (5, "post", 10, False),
        (5, "post", 5, True),
        (4, "straddle", 20, False),
    ]
    assert [(a.seat, a.do, a.to, a.by) for a in hand.streets[0].acts if a.do != "note"] == [
        (5, "raise", 60, 50),
        (1, "fold", 0, 0),
        (3, "call", 60, 50),
        (4, "fold", 0, 0),
    ]
    assert hand.streets[0].acts[0].note == "added chips Ann 5"
    assert [(a.seat, a.do, a.to) for a in hand.streets[1].acts] == [
        (3, "bet", 100),  # whatever they call it
        (5, "raise", 300),
        (3, "fold", 0),
    ]
    assert hand.uncalled == (Uncalled(seat=5, amount=200, street="flop"),)
    assert hand.pots == (Pot(amount=350, rake=15, wins={5: 335}),), "a jackpot fee leaves the pot"
    assert hand.player(5).winnings == 335
    assert [str(card) for card in hand.player(3).cards] == ["Ah", "Kd"]
    assert (hand.number, hand.room, hand.currency, hand.seats) == ("4711", "Some Room", "", 6)
    assert hand.time == datetime(2023, 5, 6, 7, 8, 9, 250000, tzinfo=UTC)
    assert hand.extra["_ohh"]["network_name"] == "Some Network"
    assert hand.extra["_ohh"]["hero_player_id"] == 3
    again = read_ohh(write_ohh(hand))
    assert comparable(again) == comparable(hand)


def test_an_uncalled_bet_that_was_counted_as_won_is_taken_out():
    text = others(
        "pots.0",
        {
            "number": 0,
            "amount": 5.5,
            "rake": 0.15,
            "player_wins": [{"player_id": "d", "win_amount": 5.35}],
        },
    )
    hand = read_ohh(text)
    assert hand.pots == (Pot(amount=350, rake=15, wins={5: 335}),)
    assert hand.uncalled == (Uncalled(seat=5, amount=200, street="flop"),)


def test_totals_instead_of_amounts_are_believed_where_the_sums_prove_it():
    whole = copy.deepcopy(OTHERS)
    preflop = whole["ohh"]["rounds"][0]["actions"]
    preflop[6]["amount"] = preflop[8]["amount"] = 0.6  # his total, against the specification
    assert read_ohh(json.dumps(whole)) == read_ohh(others())
    del whole["ohh"]["pots"]
    assert read_ohh(json.dumps(whole)).streets[0].acts[1].to == 70, "without sums, as specified"


def test_a_hand_without_its_result_is_read():
    hand = read_ohh(others("pots"))
    assert (hand.pots, hand.uncalled, hand.rake) == ((), (), None)
    assert hand.players[0].winnings is None


@pytest.mark.parametrize("between", ["\n\n", "\n", ",\n", "\r\n\r\n", ""])
def test_a_file_holds_several_hands(between: str):
    text = between.join([others(), others("game_number", "4712"), others()])
    assert [h.number for h in read_ohhs(text) if isinstance(h, Hand)] == ["4711", "4712", "4711"]
    listed = f"\ufeff[{','.join([others(), others()])}]".encode()
    assert all(isinstance(hand, Hand) for hand in read_ohhs(listed))


# -- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("spec_version", "2.0", "ohh.spec_version: version 2.0 is unknown"),
        ("players", {}, "ohh.players: a list is expected, not an object"),
        ("players.1.id", "a", "ohh.players[1].id: player a is there twice"),
        ("players.1.seat", 1, "ohh.players[1].seat: two players at seat 1"),
        ("players.0.seat", "one", "ohh.players[0].seat: a whole number is expected, not 'one'"),
        ("players.0.starting_stack", -1, "ohh.players[0].starting_stack: a stack is not negative"),
        ("players.0.starting_stack", 0.055, "starting_stack: 0.055 is no whole number of cents"),
        ("players.0.starting_stack", "ten", "starting_stack: 'ten' is no amount"),
        ("players.0.starting_stack", 1e300, "starting_stack: '1E+300' is no amount"),
        ("players.0.starting_stack", True, "starting_stack: an amount is expected, not True"),
        ("dealer_seat", None, "ohh.dealer_seat: a whole number is expected, not nothing"),
        ("start_date_utc", "tonight", "ohh.start_date_utc: 'tonight' is no date and time"),
        ("rounds", [], "ohh.rounds: the hand has no rounds"),
        ("rounds.0.street", "Flop", "ohh.rounds[0].street: 'Flop' where the preflop comes next"),
        ("rounds.1.street", "Turn", "ohh.rounds[1].street: 'Turn' where the flop comes next"),
        ("rounds.1.cards", ["2c"], "ohh.rounds[1].cards: 1 cards; the flop has 3"),
        ("rounds.1.cards", ["2c", "7d", "1x"], "ohh.rounds[1].cards: '1x' is no card"),
        ("rounds.1.cards", ["2c", "7d", "Ah"], "ohh.rounds: Ah is there twice"),
        ("rounds.0.actions.0.player_id", "z", "actions[0].player_id: there is no player 'z'"),
        ("rounds.0.actions.0.player_id", [], "actions[0].player_id: an identifier is expected"),
        ("rounds.0.actions.0.action", "Dances", "actions[0].action: 'Dances' is no action"),
        ("rounds.0.actions.0.amount", 0, "actions[0].amount: a post of nothing"),
        ("rounds.0.actions.0.amount", 11, "actions[0].amount: the player has 10 left, not more"),
        ("rounds.0.actions.6.amount", -1, "actions[6].amount: nobody puts in less than nothing"),
        ("rounds.0.actions.6.amount", 0, "actions[6].amount: a raise of nothing"),
        ("rounds.0.actions.7.amount", 1, "actions[7].amount: 1 with a fold"),
        ("rounds.0.actions.0.action", "Add to Pot", "chips that the room adds to a pot"),
        ("rounds.1.actions.0.action", "Post BB", "actions[0].action: a post after the flop"),
        ("pots.0.amount", 3.6, "ohh.pots[0]: 3.60 is not 3.35 won and 0.15 Rake"),
        ("pots.0.player_wins.0.player_id", "z", "player_wins[0].player_id: there is no player"),
        ("pots.0.player_wins.0.win_amount", -1, "win_amount: nobody wins less than nothing"),
        ("big_blind_amount", 0.01, "ohh.big_blind_amount: the table has no Blinds that could be"),
        ("_croupier", {"restarts": "x"}, "ohh._croupier: Expected `int`, got `str`"),
    ],
)
def test_what_is_wrong_is_refused_with_the_place(path: str, value: Any, says: str):
    with pytest.raises(FormatError) as caught:
        read_ohh(others(path, value))
    assert says in str(caught.value)


def test_the_sums_must_hold():
    text = others(
        "pots.0", {"number": 0, "amount": 4, "player_wins": [{"player_id": "d", "win_amount": 4}]}
    )
    with pytest.raises(FormatError, match=r"5\.50 put in, less 2 uncalled, is not the 4 in"):
        read_ohh(text)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("game_type", "Omaha"),
        ("bet_limit.bet_type", "PL"),
        ("flags", ["Run_It_Twice"]),
    ],
)
def test_other_games_are_told_apart(path: str, value: Any):
    with pytest.raises(OtherGame):
        read_ohh(others(path, value))


def test_a_broken_hand_does_not_stop_the_others():
    text = "\n\n".join([others(), others()[:-40], others("players.1.id", "a"), others()])
    first, second, third, fourth = read_ohhs(text, "night.ohh")
    assert isinstance(first, Hand)
    assert first == fourth
    assert str(second).startswith("night.ohh, hand 2: not JSON")
    assert str(third).startswith("night.ohh, hand 3, ohh.players[1].id")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"\xff\xfe", "not UTF-8 text: byte 0"),
        (b"", "one hand was expected, there are 0"),
        (b"7", "root: an object is expected, not 7"),
        (b'{"x": 1}', "ohh: the field is missing"),
        (b'{"ohh": {"pots": NaN}}', "NaN is no number of this format"),
        (b'{"ohh": {"big_blind_amount": 1' + b"0" * 5000 + b"}}", "not JSON"),
        (b'{"ohh": ' * 100_000, "not JSON"),
        (b" " * (LONGEST + 1), "at most"),
    ],
    ids=["encoding", "empty", "number", "no root", "nan", "long number", "deep", "long"],
)
def test_hostile_input_is_refused(text: bytes, says: str):
    with pytest.raises(FormatError) as caught:
        read_ohh(text)
    assert says in str(caught.value)


SCRAPS = st.sampled_from(
    [None, True, -1, 0, 3, 1.005, 10**30, "", "a", "Fold", "As", [], ["As"], [None], {}, {"id": 1}]
)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_hand_with_anything_in_it_is_read_or_refused(data: st.DataObject):
    """Any value replaced by a scrap: an error with its place, or a hand that adds up."""
    whole = copy.deepcopy(OTHERS)
    for _ in range(data.draw(st.integers(1, 3))):
        part: Any = whole
        while True:
            keys = list(part) if isinstance(part, dict) else list(range(len(part)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if not isinstance(part[key], dict | list) or data.draw(st.integers(0, 5)) == 0:
                part[key] = copy.deepcopy(data.draw(SCRAPS))
                break
            part = part[key]
    [found] = read_ohhs(json.dumps(whole))
    if isinstance(found, FormatError):
        assert found.says
    elif found.pots:
        assert as_counted(found) == found


@given(place=st.integers(0, 3000), junk=st.binary(max_size=4), cut=st.booleans())
def test_damaged_text_is_read_or_refused(place: int, junk: bytes, cut: bool):
    good = others().encode()
    text = good[:place] if cut else good[:place] + junk + good[place + len(junk) :]
    for found in read_ohhs(text):
        assert isinstance(found, Hand | FormatError)


@pytest.mark.parametrize("cards", ["2c 7d Jh", "2c,7d,Jh", "2c7dJh", ["2c", "7d", "Jh"]])
def test_cards_are_a_list_or_a_text(cards: Any):
    assert read_ohh(others("rounds.1.cards", cards)) == read_ohh(others())


@pytest.mark.parametrize("unknown", [["??", "??"], ["Xx", "Xx"], "", None])
def test_cards_that_nobody_knows_are_unknown(unknown: Any):
    hand = read_ohh(others("players.1.cards", unknown))
    assert [str(card) for card in hand.player(3).cards] == ["??", "??"]


@given(text=st.binary(max_size=200))
def test_any_bytes_are_hands_or_errors(text: bytes):
    for found in read_ohhs(text):
        assert isinstance(found, FormatError)


def test_a_file_of_broken_hands_is_read_to_its_end():
    text = '{"ohh": {"x": 1,}}\n\n' * 20_000 + others()
    *broken, last = read_ohhs(text)
    assert len(broken) == 20_000
    assert "hand 20000: not JSON" in str(broken[-1])
    assert "begins on line 39999)" in str(broken[-1])
    assert isinstance(last, Hand)


def test_an_object_may_begin_a_line_within_another():
    flat = others().replace("{", "\n{")
    found = list(read_ohhs(flat + "\n\n" + flat))
    assert [isinstance(hand, Hand) for hand in found] == [True, True]


def test_a_player_without_a_name_has_his_seat():
    hand = side_pot()
    nameless = tuple(Player(seat=p.seat, stack=p.stack) for p in hand.players)
    ohh = written(structs.replace(hand, players=nameless))
    assert [p["name"] for p in ohh["players"]] == ["Seat 3", "Seat 4", "Seat 6"]
