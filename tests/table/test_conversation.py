"""How a table answers: refusals before the first event, replay, snapshots, text form."""

from datetime import datetime
from typing import ClassVar

import msgspec
import pytest

from croupier.cards import DECK, Card
from croupier.table import (
    ActorRank,
    BadCommand,
    BrokenTable,
    Command,
    Conversation,
    Decide,
    Event,
    GiveDraw,
    GiveShuffle,
    Look,
    NotItsCommand,
    OpenTable,
    Order,
    Refused,
    Room,
)
from croupier.table.conversation import write
from tests.pit.high_card import (
    BOOK,
    CloseBetting,
    Deal,
    HighCard,
    PlaceStake,
    ReportExposedCard,
    Stay,
    order,
)

DEALER = ActorRank.DEALER
HOUSE = ActorRank.HOUSE


def opened() -> tuple[HighCard, list[Event]]:
    table, log = HighCard(BOOK), []
    log += table.handle(order(OpenTable(table="T", settings={}), "Dee", DEALER))
    for box, who in ((1, "Ann"), (2, "Ben")):
        log += table.handle(order(PlaceStake(box=box, player=who, stake=1000), who))
    return table, log


def dealt() -> tuple[HighCard, list[Event]]:
    table, log = opened()
    log += table.handle(order(CloseBetting(), "Dee", DEALER))
    log += table.handle(order(GiveShuffle(need=1, cards=DECK), "house", HOUSE))
    log += table.handle(order(Deal(), "Dee", DEALER))
    return table, log


def test_a_log_rebuilds_the_identical_table():
    table, log = dealt()
    assert HighCard.rebuild(BOOK, log).state == table.state


def test_a_snapshot_restores_the_identical_table():
    table, _ = dealt()
    again = HighCard.restore(BOOK, table.snapshot())
    assert again.state == table.state
    later = order(Stay(box=1))
    assert again.handle(later) == table.handle(later)


def test_a_refusal_changes_nothing_and_cites_its_paragraph():
    table, _ = dealt()
    before = table.snapshot()
    answer = table.handle(order(Stay(box=2), "Ben"))
    assert answer == Refused(("2.3", "2.2"), "It is box 1's turn.")
    assert str(answer) == "It is box 1's turn. (2.3, 2.2)"
    assert table.snapshot() == before


def test_nothing_but_the_answer_is_accepted_while_the_table_waits():
    table, _ = opened()
    table.handle(order(CloseBetting(), "Dee", DEALER))
    answer = table.handle(order(Deal(), "Dee", DEALER))
    assert isinstance(answer, Refused)
    assert answer.says == "The table waits for the shuffle."


def test_a_closed_table_knows_only_opening():
    with pytest.raises(BadCommand, match="not open"):
        HighCard(BOOK).handle(order(Stay(box=1)))


def test_a_table_opens_once_by_staff_with_settings_that_can_be_read():
    table = HighCard(BOOK)
    with pytest.raises(BadCommand, match="player cannot open"):
        table.handle(order(OpenTable(table="T", settings={})))
    with pytest.raises(BadCommand, match="unknown field `loast`"):
        table.handle(order(OpenTable(table="T", settings={"loast": 5}), "Dee", DEALER))
    assert not table.state.opened
    table, _ = opened()
    with pytest.raises(BadCommand, match="open already"):
        table.handle(order(OpenTable(table="T", settings={}), "Dee", DEALER))


def test_a_policy_that_the_book_lacks_is_an_error_and_the_default_is_recorded():
    table = HighCard(BOOK)
    command = OpenTable(table="T", settings={}, policies={"fold-costs": "double"})
    with pytest.raises(ValueError, match="double"):
        table.handle(order(command, "Dee", DEALER))
    table, _ = opened()
    assert table.state.policies == {"fold-costs": "whole"}


class Dance(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False


def test_a_command_of_no_room_is_an_error_that_names_the_known_ones():
    table, _ = opened()
    with pytest.raises(NotItsCommand, match=r"no command 'dance'.*close betting"):
        table.handle(order(Dance()))


class Danced(Event, frozen=True, kw_only=True):
    pass


def test_a_refusal_after_an_event_breaks_the_table():
    hall = Room("hall")

    @hall.decides(Dance)
    def dance(table: Conversation, given: Order) -> None:
        table.emit(Danced())
        table.refuse("stake", "Too late.")

    @hall.applies(Danced)
    def danced(table: Conversation, event: Danced) -> None:
        pass

    class Ballroom(Conversation):
        rooms: ClassVar = (hall,)

    with pytest.raises(BrokenTable, match="after an event"):
        Ballroom(BOOK).handle(order(Dance()))


def test_an_event_that_nobody_applies_breaks_the_table():
    with pytest.raises(BrokenTable, match="Danced is no event"):
        HighCard(BOOK).apply(Danced())


def test_two_rooms_cannot_answer_the_same_command():
    one, two = Room("one"), Room("two")
    for hall in (one, two):
        hall.decides(Dance)(lambda table, given: None)
    with pytest.raises(TypeError, match="two handlers in room two"):
        type("Twice", (Conversation,), {"rooms": (one, two)})


# -- answers to what the table waits for --------------------------------------------------------


def test_only_the_house_shuffles_and_gives_back_the_same_cards():
    table, _ = opened()
    table.handle(order(CloseBetting(), "Dee", DEALER))
    assert isinstance(table.handle(order(GiveShuffle(need=1, cards=DECK), "Dee", DEALER)), Refused)
    for wrong in (DECK[1:], DECK[1:] + DECK[1:2]):
        with pytest.raises(BadCommand, match="52 cards"):
            table.handle(order(GiveShuffle(need=1, cards=wrong), "house", HOUSE))
    with pytest.raises(BadCommand, match="no ShuffleNeeded 7; open: 1"):
        table.handle(order(GiveShuffle(need=7, cards=DECK), "house", HOUSE))


def test_unknown_cards_are_shuffled_too_and_named_last():
    ace, two, unknown = Card("As"), Card("2c"), Card.UNKNOWN
    hall = Room("hall")
    hall.answered("anew")(lambda table, asked, given: None)
    table = type("Hall", (Conversation,), {"rooms": (hall,)})(BOOK)
    table.need_shuffle("anew", (unknown, ace, unknown, two), ())
    assert table.state.waiting[0].cards == (two, ace, unknown, unknown)
    for wrong in ((ace, two, unknown, two), (ace, two, unknown)):
        with pytest.raises(BadCommand, match="4 cards"):
            table.handle(order(GiveShuffle(need=1, cards=wrong), "house", HOUSE))
    given = GiveShuffle(need=1, cards=(unknown, two, unknown, ace))
    assert not isinstance(table.handle(order(given, "house", HOUSE)), Refused)


def drawing() -> HighCard:
    table, _ = opened()
    table.handle(order(CloseBetting(), "Dee", DEALER))
    table.handle(order(GiveShuffle(need=1, cards=DECK), "house", HOUSE))
    table.handle(order(Deal(two_to=2), "Dee", DEALER))
    return table


@pytest.mark.parametrize("picks", [(), (0, 1), (2,), (-1,)])
def test_a_draw_picks_as_many_different_cards_as_were_asked_for(picks):
    with pytest.raises(BadCommand, match="pick"):
        drawing().handle(order(GiveDraw(need=2, picks=picks), "house", HOUSE))


def test_a_draw_is_the_houses_or_a_pit_managers():
    for rank in (ActorRank.PLAYER, DEALER, ActorRank.PIT_SUPERVISOR):
        assert isinstance(drawing().handle(order(GiveDraw(need=2, picks=(0,)), "x", rank)), Refused)
    for rank in (ActorRank.PIT_MANAGER, ActorRank.SHIFT_MANAGER, HOUSE):
        assert not isinstance(
            drawing().handle(order(GiveDraw(need=2, picks=(0,)), "x", rank)), Refused
        )


def test_a_decision_needs_its_rank_an_offered_option_and_no_stray_details():
    table, _ = dealt()
    table.handle(order(ReportExposedCard(box=1), "Dee", DEALER))
    void = Decide(decision=2, option="void")
    for rank in (ActorRank.PLAYER, DEALER, HOUSE):
        answer = table.handle(order(void, "x", rank))
        assert isinstance(answer, Refused)
        assert answer.cites == ("4.1",)
    supervisor = ActorRank.PIT_SUPERVISOR
    answer = table.handle(order(Decide(decision=2, option="dance"), "Sue", supervisor))
    assert isinstance(answer, Refused)
    assert answer.says == "'dance' is not offered; choose: void, go on."
    stray = Decide(decision=2, option="void", details={"seat": 3})
    with pytest.raises(BadCommand, match="asks for no details"):
        table.handle(order(stray, "Sue", supervisor))
    assert not isinstance(table.handle(order(void, "Mia", ActorRank.PIT_MANAGER)), Refused)


def test_a_players_decision_is_his_own_or_entered_for_him_by_the_dealer():
    table, _ = dealt()
    table.handle(order(ReportExposedCard(box=1), "Dee", DEALER))
    go_on = Decide(decision=2, option="go on")
    table.handle(order(go_on, "Sue", ActorRank.PIT_SUPERVISOR))
    mine = Decide(decision=3, option="withdraw")
    assert isinstance(table.handle(order(mine, "Ben")), Refused)
    assert isinstance(table.handle(order(mine, "house", HOUSE)), Refused)
    entered = table.handle(order(mine, "Dee", DEALER))
    assert not isinstance(entered, Refused)
    assert (entered[0].who, entered[0].entered_for) == ("Dee", 1)


def test_a_table_knows_which_decisions_of_a_name_are_open():
    table, _ = opened()
    table.handle(order(CloseBetting(), "Dee", DEALER))
    assert table.asking("exposed card") == []
    table, _ = dealt()
    table.handle(order(ReportExposedCard(box=1), "Dee", DEALER))
    assert [need.about for need in table.asking("exposed card")] == [{"box": 1}]
    assert table.asking("withdraw") == []


# -- text form ----------------------------------------------------------------------------------


def test_every_event_of_a_log_has_one_text_form():
    table, log = dealt()
    log += table.handle(order(Look(seat=1)))
    for event in log:
        assert HighCard.read_event(write(event)) == event
    assert msgspec.json.decode(write(log[1])) == {
        "event": "stake placed",
        "cites": ["1.1"],
        "box": 1,
        "player": "Ann",
        "stake": 1000,
    }


def test_a_command_is_read_from_its_words():
    assert HighCard.read_command('{"do": "stay", "box": 3}') == Stay(box=3)
    for wrong in ('{"do": "dance"}', '{"do": "stay"}', '{"do": "stay", "box": "x"}', "nonsense"):
        with pytest.raises(BadCommand, match="unreadable command"):
            HighCard.read_command(wrong)


def test_a_command_that_is_given_has_no_word_too_many():
    assert HighCard.read_given('{"do": "stay", "box": 3}') == Stay(box=3)
    with pytest.raises(BadCommand, match="'stay' has no field 'seat'; its fields: box"):
        HighCard.read_given('{"do": "stay", "box": 3, "seat": 4}')
    with pytest.raises(BadCommand, match="unreadable command"):
        HighCard.read_given(b'{"do": "stay", "box": 3, "x": "\xff"}')
    old = '{"do": "stay", "box": 3, "seat": 4}'
    assert HighCard.read_command(old) == Stay(box=3), "on record it may be of an older version"


@pytest.mark.parametrize(
    "wrong",
    [b'{"do": "\xff"}', b'{"do": "stay", "x": ' + b"[" * 100_000],
    ids=["no text", "too deep"],
)
def test_bytes_that_are_no_text_and_what_is_nested_too_deep_are_unreadable(wrong: bytes):
    with pytest.raises(BadCommand, match="unreadable command"):
        HighCard.read_command(wrong)


def test_an_order_without_a_time_zone_cannot_be_read():
    raw = {"command": {}, "who": "Ann", "rank": "player", "when": datetime(2024, 1, 1)}  # noqa: DTZ001
    with pytest.raises(msgspec.ValidationError, match="timezone"):
        msgspec.convert(raw, Order[Command])
