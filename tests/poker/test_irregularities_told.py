"""What irregularities say: each event in each of its wordings, singular and plural, and masked."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import Card
from croupier.poker.events import AskedAgain, CardsPlaced
from croupier.poker.irregularities import events as e
from croupier.poker.irregularities.state import HeldAct
from croupier.table import ActorRank, Event

A, K, Q = Card("As"), Card("Kd"), Card("Qc")
HIDDEN = Card.UNKNOWN
BET = HeldAct(seat=3, action="bet", to=4000, price=0)
CHECK = HeldAct(seat=4, action="check", to=0, price=0)
MANAGER: dict[str, Any] = {"who": "Mia", "rank": ActorRank.SHIFT_MANAGER}


def name(seat: int) -> str:
    return f"seat {seat}"


TOLD: list[tuple[Event, str]] = [
    (
        e.WagerRead(seat=2, action="raise", to=9000, back=500, owed=1000, why="So it is."),
        "seat 2: raise to 90; 5 back; 10 still to put in. So it is.",
    ),
    (e.WagerRead(seat=2, action="check", to=0, why="So it is."), "seat 2: check. So it is."),
    (e.WagerRead(seat=2, action="fold", to=0, why="So it is."), "seat 2: fold. So it is."),
    (e.PlayerBound(seat=2, to="raise"), "seat 2 is bound to Raise: only how much is open."),
    (e.PlayerBound(seat=2, to="bet"), "seat 2 is bound to BET: only how much is open."),
    (
        e.PlayerBound(seat=2, to="raise", early=True),
        "seat 2 says how much when the turn comes, if it stands.",
    ),
    (
        e.WagerRead(seat=2, action="ask again", to=0, why="So it is."),
        "seat 2: ask again. So it is.",
    ),
    (e.ChipsForfeited(seat=2, amount=4000), "40 of seat 2 stay in."),
    (
        e.EarlyActHeld(seat=3, action="call", to=4000, price=4000, why="A Call.", upon=2),
        "seat 3 acts out of turn upon what seat 2 did: A Call. It is held until the turn comes.",
    ),
    (
        e.EarlyActHeld(seat=3, action="bet", to=4000, price=0, why="A BET."),
        "seat 3 acts out of turn: A BET. It is held until the turn comes.",
    ),
    (
        e.EarlyActFell(seat=3, action="bet", back=4000),
        "What seat 3 did out of turn is not binding; 40 go back.",
    ),
    (
        e.EarlyActFell(seat=3, action="check", back=0),
        "What seat 3 did out of turn is not binding.",
    ),
    (
        e.RaiseBarred(seat=3, until="turn", bar=()),
        "seat 3 may not bet or raise for the rest of this turn.",
    ),
    (
        e.TurnGivenBack(seat=2, stands=True),
        "seat 2 was passed over and has the turn now. What others did since stands.",
    ),
    (e.TurnGivenBack(seat=2), "seat 2 was passed over and has the turn now."),
    (
        e.TurnGivenBack(seat=3, stands=True, first=(2,)),
        "seat 3 was passed over and acts after seat 2. What others did since stands.",
    ),
    (
        AskedAgain(seats=(2, 3)),
        "Nobody has shown a hand for that pot: seat 2 and seat 3 may show again.",
    ),
    (
        e.TurnGivenBack(seat=2, held=(BET, CHECK)),
        "seat 2 was passed over and has the turn now. What others did since was out of turn and is "
        "held, chips and all: seat 3: bet to 40; seat 4: check.",
    ),
    (CardsPlaced(cards=(A,), place="burn", street="turn"), "One card is the burn of the turn."),
    (
        CardsPlaced(cards=(A, K), place="board", street="flop"),
        "The flop is A♠ K♦.",
    ),
    (CardsPlaced(cards=(A,), place="stored burn"), "One card is kept as the burn."),
    (CardsPlaced(cards=(A,), place="shoe"), "One card goes back in front of the shoe."),
    (CardsPlaced(cards=(A, K), place="shoe"), "2 cards go back in front of the shoe."),
    (CardsPlaced(cards=(A, K), place="discard"), "2 cards are out of play."),
    (CardsPlaced(cards=(A,), place="hand", seat=2), "One card goes to seat 2."),
    (e.DeckConfirmed(new=True), "New cards are put into play."),
    (e.DeckConfirmed(new=False), "The deck is complete: 52 cards."),
    (e.MissingCardsDealt(seat=1, cards=(A,)), "seat 1 gets the missing card."),
    (e.MissingCardsDealt(seat=1, cards=(A, K)), "seat 1 gets the missing 2 cards."),
    (
        e.DeckTakenBack(reason="a foreign card was found", misdeal=False),
        "The deck that was ready is not used: a foreign card was found.",
    ),
    (e.EarlyCardsKept(street="turn"), "No hand that had yet to act is left: the early turn stays."),
    (
        e.EarlyCardsKept(street="turn", kept=False),
        "The early turn goes back into the shoe; what was burnt before it stays burnt.",
    ),
    (
        e.CardsShuffledIn(street="turn", cards=(A,)),
        "The card is shuffled into the shoe; the turn is due again.",
    ),
    (
        e.CardsShuffledIn(street="turn", cards=(A, K), also=("river",)),
        "2 cards are shuffled into the shoe; the turn and the river are due again.",
    ),
    (
        e.SurplusPutBack(street="flop", cards=(A,)),
        "A surplus card of the flop goes back in front of the shoe.",
    ),
    (
        e.SurplusPutBack(street="flop", cards=(A, K)),
        "2 surplus cards of the flop go back in front of the shoe.",
    ),
    (
        e.CardsScrambled(street="flop"),
        "The cards of the flop are scrambled face down, to be picked at random.",
    ),
    (
        e.CardsScrambled(street="flop", picked=False),
        "The cards of the flop are put into their intended order.",
    ),
    (
        e.StreetDealtAgain(street="flop", cards=()),
        "The flop lies as it should; play goes on.",
    ),
    (e.StreetDealtAgain(street="turn", cards=(A,)), "The turn is dealt from the shoe: A♠."),
    (
        e.StreetDealtAgain(street="turn", cards=(A,), burnt=K),
        "A card is burnt. The turn is dealt from the shoe: A♠.",
    ),
    (
        e.StreetPutBack(street="turn", cards=(A,), burnt=(K,)),
        "The turn and its burn go back in front of the shoe.",
    ),
    (
        e.StreetPutBack(street="turn", cards=(A,)),
        "The turn goes back in front of the shoe.",
    ),
    (
        e.StreetCompleted(street="flop", cards=(A,)),
        "The flop lacked 1: completed from the shoe, A♠.",
    ),
    (
        e.StreetCompleted(street="flop", cards=(A,), up=False),
        "The flop lacked 1: completed from the shoe, face down.",
    ),
    (
        e.CardsShown(seat=1, cards=(A,), to=(2,), due="at once"),
        "seat 1 has shown a card to seat 2: at once.",
    ),
    (
        e.CardsShown(seat=1, cards=(A, K), to=(), due="at once"),
        "seat 1 has shown 2 cards to everybody: at once.",
    ),
    (
        e.RulingMade(ruling="void", reason="it is late", **MANAGER),
        "Mia (shift manager) rules: void, because it is late.",
    ),
    (e.RulingMade(ruling="void", **MANAGER), "Mia (shift manager) rules: void."),
    (
        e.StoppedActionsTakenBack(count=1),
        "One Action was stopped in time and is taken back, with its chips.",
    ),
    (
        e.StoppedActionsTakenBack(count=2),
        "2 Actions were stopped in time and are taken back, with their chips.",
    ),
    (e.CardExchanged(card=A, new=K, seat=2, down=True), "A card of seat 2 is replaced."),
    (
        e.CardExchanged(card=A, new=K, street="flop", down=True),
        "A card of the flop that lay face down is replaced.",
    ),
    (e.CardExchanged(card=A, new=K, street="flop"), "A♠ is replaced by K♦."),
    (e.CardTakenAway(card=A, street="flop"), "A♠ is taken away from the flop."),
    (
        e.CardTakenAway(card=A, street="flop", down=True),
        "A card that lay face down is taken away from the flop.",
    ),
    (
        e.HandsDownAgain(),
        "The hands shown are not what they were: they go down, and are shown again.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD, ids=[said for _, said in TOLD])
def test_what_is_told(event: Event, sentence: str) -> None:
    assert event.tell(name) == sentence


MASKED: list[tuple[Event, Event]] = [
    (
        e.StreetDealtAgain(street="turn", cards=(A,), burnt=K),
        e.StreetDealtAgain(street="turn", cards=(A,), burnt=HIDDEN),
    ),
    (
        e.StreetDealtAgain(street="turn", cards=(A,)),
        e.StreetDealtAgain(street="turn", cards=(A,)),
    ),
    (
        e.StreetCompleted(street="flop", cards=(A,), up=False),
        e.StreetCompleted(street="flop", cards=(HIDDEN,), up=False),
    ),
    (e.StreetCompleted(street="flop", cards=(A,)), e.StreetCompleted(street="flop", cards=(A,))),
    (
        e.CardExchanged(card=A, new=K, street="flop", down=True),
        e.CardExchanged(card=HIDDEN, new=HIDDEN, street="flop", down=True),
    ),
    (
        e.CardExchanged(card=A, new=K, street="flop"),
        e.CardExchanged(card=A, new=K, street="flop"),
    ),
    (
        e.CardTakenAway(card=A, street="flop", down=True),
        e.CardTakenAway(card=HIDDEN, street="flop", down=True),
    ),
    (e.CardTakenAway(card=A, street="flop"), e.CardTakenAway(card=A, street="flop")),
    (
        e.RulingMade(ruling="replace card", details={"card": "As", "new": "Kd"}, **MANAGER),
        e.RulingMade(ruling="replace card", details={"card": "??", "new": "??"}, **MANAGER),
    ),
    (
        e.RulingMade(ruling="replace card", details={"card": "As"}, **MANAGER),
        e.RulingMade(ruling="replace card", details={"card": "??"}, **MANAGER),
    ),
    (
        e.RulingMade(ruling="deal missing cards", details={"cards": "As Kd"}, **MANAGER),
        e.RulingMade(ruling="deal missing cards", details={"cards": "??"}, **MANAGER),
    ),
    (
        e.RulingMade(ruling="dead hand", details={"seat": 2}, **MANAGER),
        e.RulingMade(ruling="dead hand", details={"seat": 2}, **MANAGER),
    ),
]


@pytest.mark.parametrize(("event", "seen"), MASKED)
def test_what_everybody_may_see(event: Event, seen: Event) -> None:
    assert event.public() == seen


@pytest.mark.parametrize(
    ("until", "headline"),
    [
        ("turn", "seat 3 checked out of turn: only call or fold now, no raise."),
        ("betting round", "seat 3 may only check, call or fold in this Betting Round."),
        ("round", "seat 3 may only check, call or fold in this Round."),
    ],
)
def test_what_a_barred_player_may_still_do(until: Any, headline: str) -> None:
    assert e.RaiseBarred(seat=3, until=until, bar=()).headline(name) == headline
