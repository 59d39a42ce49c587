"""What a viewer is told: questions, what holds the table, hands in words, sentences of events."""

import pytest

from croupier.cards import DECK, Card, read_cards
from croupier.table import (
    PUBLIC,
    ActorRank,
    Announced,
    Call,
    Choice,
    Decide,
    DecisionNeeded,
    DecisionTaken,
    DrawGiven,
    DrawNeeded,
    GiveShuffle,
    OpenTable,
    ShuffleNeeded,
    player,
)
from croupier.table.link import (
    AwardMade,
    AwardsPaidAgain,
    AwardsReturned,
    HeldLine,
    LinesHeld,
    ReceiveAward,
    StakesAccepted,
    StakesReturned,
)
from croupier.table.view import hand_in_words, held_by, questions_for
from tests.pit.high_card import (
    BOOK,
    SOME_EVENING,
    BettingClosed,
    CloseBetting,
    Deal,
    HighCard,
    PlaceStake,
    ReportExposedCard,
    Stayed,
    order,
)

DEALER, SUPERVISOR = ActorRank.DEALER, ActorRank.PIT_SUPERVISOR


def name(place: int) -> str:
    return f"P{place}"


def shuffling() -> HighCard:
    table = HighCard(BOOK)
    table.handle(order(OpenTable(table="T", settings={}), "Dee", DEALER))
    for box, who in ((1, "Ann"), (2, "Ben")):
        table.handle(order(PlaceStake(box=box, player=who, stake=1000), who))
    table.handle(order(CloseBetting(), "Dee", DEALER))
    return table


def dealing() -> HighCard:
    table = shuffling()
    table.handle(order(GiveShuffle(need=1, cards=DECK), "house", ActorRank.HOUSE))
    return table


def test_a_question_is_marked_for_whom_it_is():
    table = dealing()
    table.handle(order(Deal(), "Dee", DEALER))
    table.handle(order(ReportExposedCard(box=1), "Dee", DEALER))
    [asked] = questions_for(table, player("Ann"))
    assert (asked.question, asked.of, asked.yours) == ("exposed card", SUPERVISOR, False)
    table.handle(order(Decide(decision=2, option="go on"), "Sue", SUPERVISOR))
    yours = [questions_for(table, who)[0].yours for who in (player("Ann"), player("Ben"), PUBLIC)]
    assert yours == [True, False, False]


def test_what_holds_the_table_is_said_in_a_sentence():
    table = shuffling()
    assert held_by(table) == "52 cards are being shuffled."
    table = dealing()
    assert held_by(table) == ""
    table.handle(order(Deal(two_to=2), "Dee", DEALER))
    assert held_by(table) == "1 of 2 cards are to be picked at random."
    table = dealing()
    table.handle(order(Deal(), "Dee", DEALER))
    table.handle(order(ReportExposedCard(box=1), "Dee", DEALER))
    waits = "The table waits for a Pit Supervisor: The card of box 1 is exposed."
    assert held_by(table) == waits
    table.handle(order(Decide(decision=2, option="go on"), "Sue", SUPERVISOR))
    assert held_by(table) == "The table waits for Ann: Do you withdraw?"


def test_a_question_that_does_not_hold_the_table_is_not_said_to():
    table = dealing()
    table.ask("withdraw", "Do you?", ("yes",), 1, (), holds=False)
    assert held_by(table) == ""
    table.refuse_while_waiting()


@pytest.mark.parametrize(
    ("hole", "board", "words"),
    [
        ("Kc Ah", "", "Ace and King, off suit"),
        ("Kc Ac", "", "Ace and King, suited"),
        ("7c 7d", "", "Pair of Sevens"),
        ("Kc", "", ""),
        ("Kc Ah Qd", "", ""),
        ("Kc ??", "", ""),
        ("Kc Ah", "?? 2c 3c", ""),
        ("Kc Ah", "2c 3d", "Ace and King, off suit"),
    ],
)
def test_a_hand_is_told_in_words(hole, board, words):
    assert hand_in_words(read_cards(hole), read_cards(board)) == words


@pytest.mark.parametrize("board", ["Kd 7s 2c", "Kd 7s 2c 3h", "Kd 7s 2c 3h 9s"])
def test_with_three_to_five_cards_on_the_board_a_hand_is_ranked(board):
    assert "Kings" in hand_in_words(read_cards("Kc Ah"), read_cards(board))


NEED = DecisionNeeded(
    decision=1,
    question="ruling",
    says="What now?",
    options=(Choice(name="void"), Choice(name="go on")),
    of=SUPERVISOR,
)
TAKEN = DecisionTaken(decision=1, question="x", option="void", who="Sue", rank=SUPERVISOR)
HELD = HeldLine(box=2, line="Royal Flush", percent="100", dealt=SOME_EVENING)
AWARD = AwardMade(
    link="main",
    table="A",
    round=3,
    box=2,
    line="Royal Flush",
    paid=5000,
    meter_before=6000,
    meter_after=1000,
)
PAID = "Jackpot main pays 50 to box 2 of table A"
METER = "the meter goes from 60 to 10."


def but(event, **otherwise):
    """The event with other values."""
    known = {field: getattr(event, field) for field in event.__struct_fields__}
    return type(event)(**{**known, **otherwise})


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (BettingClosed(), "Betting closed."),
        (Stayed(box=3, cites=("2.3",)), "Stayed: box 3."),
        (NEED, "Pit Supervisor or above must decide: What now? (void, go on)"),
        (
            but(NEED, not_by="Dee"),
            "Pit Supervisor or above, but not Dee, must decide: What now? (void, go on)",
        ),
        (but(NEED, of=3), "P3 must decide: What now? (void, go on)"),
        (TAKEN, "Sue (pit supervisor) decides: void."),
        (but(TAKEN, reason="it fell"), "Sue (pit supervisor) decides: void, because it fell."),
        (but(TAKEN, who="Ann", rank=ActorRank.PLAYER), "Ann decides: void."),
        (but(TAKEN, entered_for=3), "Sue (pit supervisor) for P3 decides: void."),
        (Announced(call=Call.NOTICE, says="Last round."), "Notice: Last round."),
        (Announced(call=Call.NOTICE, says="Your turn.", seat=3), "Notice (to P3): Your turn."),
        (
            DrawNeeded(need=1, purpose="the card", pick=1, among=2, of=SUPERVISOR),
            "1 of 2 cards are to be picked at random (the card).",
        ),
        (DrawGiven(need=1, purpose="it", picks=(0, 2), who="Sue"), "Sue picks cards 1, 3 (it)."),
        (StakesAccepted(round=1, stakes={}), "No jackpot stake is accepted."),
        (StakesAccepted(round=1, stakes={2: 500}), "Jackpot stake accepted: P2 5."),
        (
            StakesAccepted(round=1, stakes={2: 500, 1: 250}),
            "Jackpot stakes accepted: P1 2.50 and P2 5.",
        ),
        (
            StakesReturned(round=1, boxes=(2,)),
            "The link is told that the jackpot stake of P2 went back.",
        ),
        (
            StakesReturned(round=1, boxes=(2, 4)),
            "The link is told that the jackpot stakes of P2 and P4 went back.",
        ),
        (
            AwardsReturned(round=1, awards={4: {"x": 100}, 2: {"x": 300, "y": 200}}),
            "Back to the Progressive Jackpot: 5 of P2, 1 of P4.",
        ),
        (
            AwardsPaidAgain(round=1, awards={2: {"x": 300, "y": 200}}),
            "Awards of the Progressive Jackpot that stand again: 5 of P2.",
        ),
        (LinesHeld(round=1, lines=()), "No share of the meter is held."),
        (LinesHeld(round=1, lines=(HELD,)), "A share of the meter: P2 (Royal Flush, 100%)."),
        (
            LinesHeld(round=1, lines=(HELD, but(HELD, box=3))),
            "Shares of the meter: P2 (Royal Flush, 100%) and P3 (Royal Flush, 100%).",
        ),
        (AWARD, f"{PAID}; {METER}"),
        (
            but(AWARD, registered=5000, completed=200),
            f"{PAID}, a share of the 50 registered before the fault; {METER}"
            " The House completes it with 2.",
        ),
        (but(AWARD, overflow=500), f"{PAID}; {METER} 5 goes to the overflow pool."),
    ],
)
def test_an_event_is_told_in_a_sentence(event, told):
    assert event.tell(name) == told


def test_an_award_is_carried_to_its_table_alone():
    [(table, command)] = but(AWARD, registered=5000).to_tables().items()
    assert table == "A"
    assert command == ReceiveAward(
        link="main",
        round=3,
        box=2,
        line="Royal Flush",
        paid=5000,
        meter_before=6000,
        meter_after=1000,
        registered=5000,
    )


def test_the_cards_of_a_shuffle_and_of_an_answer_stay_hidden():
    asked = ShuffleNeeded(need=1, purpose="x", cards=DECK)
    assert asked.public().cards == (Card.UNKNOWN,) * 52
    named = but(TAKEN, details={"card": "As", "seat": 3}, cards=("card",))
    assert named.public().details == {"card": "??", "seat": 3}
