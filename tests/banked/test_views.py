"""What each may see: face-down cards only their player, after looking; the auditor afterwards."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.banked import BankedFacts, BankedTable
from croupier.banked.commands import (
    CallForBets,
    CallForRuling,
    CloseBets,
    DealFlop,
    DealHoleCards,
    DealTurn,
    FlopBet,
    Fold,
    PlaceAnte,
    PlaceProgressive,
    RevealFlop,
    TurnBet,
)
from croupier.banked.events import (
    BetsCalled,
    BoxSettled,
    FlopDealt,
    HoleCardsDealt,
    Payout,
    how_many,
)
from croupier.banked.facts_of import FACTS
from croupier.banked.findings import (
    CardReplaced,
    ExtraLookFound,
    HandCancelled,
    SettledBetReturned,
    StreetDealtAgain,
)
from croupier.banked.outcome import known_cards as cards_judged_by
from croupier.banked.reports import ReportDrawnTogether, ReportExposed, ReportMissedBurn
from croupier.cards import Card, read_cards
from croupier.table import (
    AUDITOR,
    PUBLIC,
    ActorRank,
    Decide,
    DecisionNeeded,
    Look,
    Looked,
    Refused,
    player,
)
from croupier.table.reports import OneOf, SomeOf
from croupier.table.words import line_words
from tests.banked.two_tables import EVENING, TwoTables, known_cards

HIDDEN = (Card.UNKNOWN, Card.UNKNOWN)


@pytest.fixture
def two() -> TwoTables:
    """Ann on boxes 1 and 2, Ben on box 3; the Hole Cards are out at a shuffler table."""
    two = TwoTables("multi-link-progressive-v3", 7, device="shuffler")
    two.give("A", CallForBets())
    for box, who in ((1, "Ann"), (2, "Ann"), (3, "Ben")):
        two.give("A", PlaceAnte(box=box, amount=2500), who=who)
        two.give("A", PlaceProgressive(box=box), who=who)
    two.give("A", CloseBets())
    deal(two)
    return two


def deal(two: TwoTables) -> None:
    while (act := two.tables["A"].due()) is not None:
        two.give("A", act, ActorRank.HOUSE)


def hole_cards(table: BankedTable, box: int) -> tuple[Card, ...]:
    return tuple(table.state.boxes[box].cards)


def test_before_a_look_nobody_sees_anything(two: TwoTables) -> None:
    table = two.tables["A"]
    for viewer in (PUBLIC, AUDITOR, player("Ann"), player("Ben")):
        view = table.view(viewer)
        assert not known_cards(view)
        assert view.boxes[1].cards == HIDDEN
        assert len(view.board) == 5
        assert view.dealer == HIDDEN


def test_of_several_boxes_a_player_sees_the_one_he_looked_at(two: TwoTables) -> None:
    table = two.tables["A"]
    two.give("A", Look(seat=2), who="Ann")
    view = table.view(player("Ann"))
    assert view.boxes[2].cards == hole_cards(table, 2)
    assert view.boxes[1].cards == HIDDEN
    assert table.view(player("Ben")).boxes[2].cards == HIDDEN
    refused = two.give("A", Look(seat=1), who="Ann")
    assert isinstance(refused, Refused)
    assert refused.cites == ("3.7",)


def test_events_are_masked_as_views_are(two: TwoTables) -> None:
    table = two.tables["A"]
    said = two.give("A", Look(seat=3), who="Ben")
    assert isinstance(said, list)
    [looked] = [each.event for each in said]
    assert isinstance(looked, Looked)
    assert table.show(looked, player("Ben")) == looked
    assert not known_cards(table.show(looked, player("Ann")))
    dealt = HoleCardsDealt(cards=(Card("As"), Card("Kd")), order=(1, 1), dealt={}, burn=Card("2c"))
    for viewer in (PUBLIC, AUDITOR, player("Ann")):
        assert not known_cards(table.show(dealt, viewer))


def test_a_mucked_hand_is_for_the_auditor_alone_and_only_afterwards(two: TwoTables) -> None:
    table = two.tables["A"]
    two.give("A", Look(seat=3), who="Ben")
    two.give("A", Fold(box=3), who="Ben")
    for box in (1, 2):
        two.give("A", FlopBet(box=box), who="Ann")
    assert table.view(AUDITOR).boxes[3].cards == HIDDEN
    deal(two)
    for _ in range(2):
        for box in (1, 2):
            if "check" in [str(offer) for offer in table.offers(box)]:
                kind = next(k for k in table.whole.commands if k.__name__ == "Check")
                two.give("A", kind(box=box), who="Ann")
        deal(two)
    assert not table.playing() or table.state.phase == "jackpot"
    open_hand = table.state.boxes[3].face_up
    if not open_hand:
        assert table.view(PUBLIC).boxes[3].cards == HIDDEN
        assert table.view(player("Ann")).boxes[3].cards == HIDDEN
    if not table.playing():
        assert table.view(AUDITOR).boxes[3].cards == hole_cards(table, 3)
    assert table.view(PUBLIC).boxes[1].cards == hole_cards(table, 1)


def test_offers_stand_in_the_view_of_the_player_alone(two: TwoTables) -> None:
    table = two.tables["A"]
    assert table.view(player("Ann")).boxes[1].offers == ("look", "flop bet 50", "fold")
    assert table.view(player("Ben")).boxes[1].offers == ()
    assert table.view(PUBLIC).boxes[1].offers == ()


def test_a_snapshot_is_the_same_table(two: TwoTables) -> None:
    table = two.tables["A"]
    again = BankedTable.restore(two.book, table.snapshot())
    assert again.state == table.state
    assert again.view(player("Ann")) == table.view(player("Ann"))


# -- how it is told -------------------------------------------------------------------------------


def named(box: int) -> str:
    return {1: "Ann", 2: "Ben"}[box]


def test_cards_that_are_not_seen_are_told_by_their_number() -> None:
    dealt = HoleCardsDealt(
        cards=tuple(read_cards("As Kd Qh Jc")), burn=Card("2c"), order=(1, 2, 1, 2), dealt={}
    )
    assert dealt.tell(named) == "2♣ is burnt; Hole Cards: Ann A♠ Q♥, Ben K♦ J♣."
    masked = dealt.public()
    assert masked.tell(named) == "A card is burnt; Ann gets two cards, Ben gets two cards."
    flop = FlopDealt(cards=tuple(read_cards("As Kd Qh")))
    assert flop.tell(named) == "Flop Cards face down: A♠ K♦ Q♥."
    assert flop.public().tell(named) == "Flop Cards face down: three cards."
    replaced = CardReplaced(where="hole", position=1, box=1, old=Card("As"), new=Card("Kd"))
    assert replaced.tell(named) == "A♠ of Ann is replaced by K♦."
    assert replaced.public().tell(named) == "A card of Ann is replaced by the next one."
    again = StreetDealtAgain(old=(Card("As"),), new=(Card("Kd"),), shown=False)
    assert again.tell(named) == "A♠ is thrown out; dealt again: K♦."
    told = again.public().tell(named)
    assert told == "The last Community Card is thrown out; dealt again: a card."


def test_a_hand_that_was_looked_at_is_named_where_it_is_known() -> None:
    looked = ExtraLookFound(box=2, intentional=False, cards=tuple(read_cards("As Kd")))
    assert looked.tell(named) == "The hand of Ben (A♠ K♦) was looked at as well, not on purpose."
    for unknown in (looked.public(), ExtraLookFound(box=2, intentional=False)):
        assert unknown.tell(named) == "The hand of Ben was looked at as well, not on purpose."


@pytest.mark.parametrize("knowingly", [True, False])
def test_a_round_under_rules_that_are_not_in_force_is_told_as_such(knowingly: bool) -> None:
    called = BetsCalled(
        round=1,
        rulebook="the book",
        version=3,
        approved_by="",
        knowingly=knowingly,
        dealer="Dee",
        at=EVENING,
    )
    assert ("although not in force" in called.tell(named)) is knowingly


def test_a_burn_that_changes_places_with_a_card_in_play_does_so_in_the_shoe_as_well() -> None:
    two = TwoTables("multi-link-progressive-v3", 7, dealing="by-hand")
    two.give("A", CallForBets())
    two.give("A", PlaceAnte(box=1, amount=2500), who="Ann")
    two.give("A", CloseBets())
    two.give("A", DealHoleCards())
    state = two.tables["A"].state
    assert state.shoe is not None
    burnt, first = state.burns[0], state.boxes[1].cards[0]
    two.give("A", ReportDrawnTogether(burns=("hole cards",), first_cards=(1,)))
    [asked] = state.waiting
    assert isinstance(asked, DecisionNeeded)
    order = Decide(decision=asked.decision, option="fixed order", details={"order": "2 1"})
    assert two.give("A", order, ActorRank.SHIFT_MANAGER)
    assert (state.burns, state.boxes[1].cards[0]) == ([first], burnt)
    assert state.shoe.burnt == [first]


def test_burns_that_are_put_right_are_the_burnt_cards_of_the_shoe() -> None:
    """5.9: with the burn that was missed before the Turn all cards fall as they should have."""
    two = TwoTables("multi-link-progressive-v3", 7, dealing="by-hand")
    two.give("A", CallForBets())
    two.give("A", PlaceAnte(box=1, amount=2500), who="Ann")
    two.give("A", CloseBets())
    for act in (DealHoleCards(), FlopBet(box=1), DealFlop(), RevealFlop(), TurnBet(box=1)):
        assert isinstance(two.give("A", act, ActorRank.DEALER), list)
    two.give("A", DealTurn(burn=False))
    two.give("A", ReportMissedBurn(before="turn"))
    state = two.tables["A"].state
    [asked] = [need for need in state.waiting if isinstance(need, DecisionNeeded)]
    assert asked.question == "can it be reconstructed"
    two.give("A", Decide(decision=asked.decision, option="yes"), ActorRank.SHIFT_MANAGER)
    assert state.shoe is not None
    assert len(state.burns) == 3
    assert state.shoe.burnt == state.burns


def test_cards_drawn_together_may_be_said_to_lie_at_two_places_or_more() -> None:
    """Two of one kind and any of the others, or one of each of two kinds and any of the rest."""
    two = TwoTables("multi-link-progressive-v3", 7, dealing="by-hand")
    two.give("A", CallForBets())
    two.give("A", PlaceAnte(box=1, amount=2500), who="Ann")
    two.give("A", CloseBets())
    two.give("A", DealHoleCards())
    table = two.tables["A"]
    said = [*table.whole.reports[ReportDrawnTogether].candidates(table)]
    kinds = ["boxes", "community", "first_cards", "burns", "dealer"]
    for fields in said:
        first, *others = (kind for kind in fields if kind in kinds)
        if isinstance(fields[first], SomeOf):
            assert others == kinds[kinds.index(first) + 1 :]
            assert fields[first].least == 2
            assert not any(fields[kind].least for kind in others)
        else:
            assert others == kinds[kinds.index(others[0]) :]
            assert [fields[kind].least for kind in others] == [1, *(0 for _ in others[1:])]
    assert any(isinstance(fields.get("boxes"), OneOf) for fields in said)


def test_an_outcome_is_judged_by_the_hands_that_were_looked_at(two: TwoTables) -> None:
    """5.7, B-48: Hole Cards that nobody has seen decide nothing."""
    table = two.tables["A"]
    two.give("A", Look(seat=2), who="Ann")
    assert cards_judged_by(table) == set(hole_cards(table, 2))


def test_a_cancelled_hand_tells_what_goes_back_and_what_had_gone_back_before() -> None:
    hand = HandCancelled(box=2, cause="a misdeal", returned={"ante": 5000, "bonus": 500})
    for already, money in (
        (0, "55 goes back"),
        (500, "50 goes back, 5 had gone back before"),
        (5500, "55 had gone back before"),
    ):
        told = replace(hand, already=already).tell(named)
        assert told == f"The hand of Ben is cancelled (a misdeal): {money}."


def test_each_sentence_of_a_settlement_begins_with_a_capital() -> None:
    bets = {"ante": Payout(staked=5000, lost=5000), "bonus": Payout(staked=500, lost=500)}
    settled = BoxSettled(box=1, result="folded", bets=bets)
    assert settled.tell(named) == "Ann: folded. Ante 50 loses 50; Bonus 5 loses 5."


def test_a_stake_that_holds_a_line_does_not_lose() -> None:
    """It pays for 1: the stake stays, and the line is told by its name."""
    kept = Payout(staked=500, lost=500)
    line = "4.2.minor.four-of-a-kind"
    held = BoxSettled(box=1, result="folded", bets={"progressive": kept}, lines=(line,))
    told = "Progressive Jackpot bet 5 holds Four of a Kind."
    assert (held.tell(named), held.headline(named)) == (
        f"Ann: folded. {told}",
        f"Ann (folded): {told}",
    )
    assert line_words("4.2.major.royal-flush-river") == "Royal Flush on the river"
    assert line_words("4.2.community.royal-flush") == "Royal Flush on the board"


def test_facts_asked_for_by_name_are_those_of_the_whole(two: TwoTables) -> None:
    facts, table = two.tables["A"].facts(), two.tables["A"]
    assert sorted(FACTS) == sorted(BankedFacts.__struct_fields__)
    for name in FACTS:
        assert table.named_facts([name]) == {name: getattr(facts, name)}


def test_of_a_lost_bet_that_goes_back_nothing_is_told_as_won() -> None:
    lost = SettledBetReturned(box=1, bet="ante", staked=5000, won=0, lost=5000, cites=("5.10.3",))
    assert lost.tell(str) == "50 on Ante goes back to 1."
    won = SettledBetReturned(box=1, bet="ante", staked=5000, won=7500, lost=0, cites=("5.10.3",))
    assert won.tell(str) == "0 on Ante goes back to 1, and 75 won with it is taken back."


def test_cards_that_nobody_sees_are_counted_in_words_and_many_in_figures():
    assert [how_many([Card.UNKNOWN] * count) for count in (1, 2, 6, 7)] == [
        "a card",
        "two cards",
        "six cards",
        "7 cards",
    ]


def test_real_cards_that_lie_open_are_seen_by_everybody_before_they_are_named() -> None:
    """5.12: of a hand it is all the same which card it is; on the board it must be plain."""
    two = TwoTables("multi-link-progressive-v3", 7, dealing="by-hand", shoe="reported")
    two.give("A", CallForBets())
    for box, who in ((1, "Ann"), (3, "Ben")):
        two.give("A", PlaceAnte(box=box, amount=2500), who=who)
    two.give("A", CloseBets())
    two.give("A", DealHoleCards())
    two.give("A", Look(seat=3), who="Ben")
    for box in (1, 3):
        two.give("A", FlopBet(box=box), ActorRank.DEALER)
    two.give("A", DealFlop())
    seven, nine, *rest = read_cards("7d 9h 8h 2c")
    two.give("A", ReportExposed(boxes={1: (seven,)}, community=(nine,)))
    view = two.tables["A"].view(PUBLIC)
    assert view.boxes[1].cards == (seven, Card.UNKNOWN)
    assert view.boxes[3].cards == HIDDEN
    assert view.board == (Card.UNKNOWN,) * 3
    two.give("A", ReportExposed(community=tuple(rest)))
    assert two.tables["A"].view(PUBLIC).board == (nine, *rest)


def test_real_cards_that_lay_open_and_were_dealt_again_are_seen_no_more() -> None:
    """5.23: those that took their places lie face down."""
    two = TwoTables("multi-link-progressive-v3", 7, dealing="by-hand", shoe="reported")
    two.give("A", CallForBets())
    two.give("A", PlaceAnte(box=1, amount=2500), who="Ann")
    for command in (CloseBets(), DealHoleCards(), Look(seat=1), FlopBet(box=1), DealFlop()):
        two.give("A", command, ActorRank.DEALER)
    flop = tuple(read_cards("7d 9h 8h"))
    two.give("A", ReportExposed(community=flop))
    assert two.tables["A"].view(PUBLIC).board == flop
    two.give("A", CallForRuling(about="uncovered", says="?"))
    [asked] = two.tables["A"].state.waiting
    assert isinstance(asked, DecisionNeeded)
    again = Decide(decision=asked.decision, option="deal street again")
    two.give("A", again, ActorRank.SHIFT_MANAGER)
    assert two.tables["A"].view(PUBLIC).board == (Card.UNKNOWN,) * 3
    assert not {*flop} & two.tables["A"].state.hidden()
