"""What the rooms about Community Cards share: back into the shoe, picked, dealt again.

Cards that are taken back lie aside. They are shuffled into the shoe, or each becomes burn, street,
next burn or discard: in their order, or by a random pick of the Pit Manager. With a real shoe
nobody knows a scrambled card, so staff say how the street lies afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card, CardError, read_cards
from croupier.poker.betting import reopen_after_street
from croupier.poker.commands import STREETS, Street
from croupier.poker.dealing import CARDS_DUE
from croupier.poker.events import Place
from croupier.poker.irregularities.commands import DealAgain
from croupier.poker.irregularities.events import (
    CardsScrambled,
    CardsShuffledIn,
    StoppedActionsTakenBack,
    StreetDealtAgain,
)
from croupier.poker.irregularities.memory import bring_back, irregular_of
from croupier.poker.irregularities.state import Scramble
from croupier.poker.remedies import place_cards, street_of, take_back_street
from croupier.poker.state import Burnt, RoundState
from croupier.rulebooks import Topic
from croupier.table import (
    BadCommand,
    Choice,
    Decide,
    DecisionNeeded,
    DecisionTaken,
    DrawGiven,
    DrawNeeded,
    Order,
    Room,
    ShuffleGiven,
    ShuffleNeeded,
    StaffRank,
)

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

community = Room("community")

SHUFFLE_IN = "cards back into the shoe"
PICK = "pick from the scrambled cards"
AS_IT_LIES = "the street as it lies"

EARLY_TOPIC: dict[Street, Topic] = {
    "flop": Topic.EARLY_FLOP_CARD,
    "turn": Topic.EARLY_TURN_CARD,
    "river": Topic.EARLY_RIVER_CARD,
}
NEXT: dict[Street, Street] = {"flop": "turn", "turn": "river", "river": "river"}
"""The street before which a stored burn will be used."""


def last_street(played: RoundState) -> Street | None:
    """The street that was dealt last."""
    if played.river:
        return "river"
    if played.turn:
        return "turn"
    return "flop" if played.flop else None


def was_burnt(played: RoundState, street: Street) -> bool:
    """Whether a card was burnt before a street."""
    return any(burnt.street == street for burnt in played.burns)


def round_after(street: Street) -> int:
    """The Betting Round that a street opens."""
    return STREETS.index(street) + 2


def is_early(table: PokerTable, played: RoundState, street: Street) -> bool:
    """Whether a street lies on the table before the Betting Round that precedes it is over."""
    return table.state.phase == "betting" and played.betting.number < round_after(street)


def acts_since(played: RoundState, street: Street, stopped: int) -> int:
    """Actions taken since a street opened its Betting Round, but for those that were stopped."""
    number = round_after(street)
    acts = sum(act.betting_round >= number for act in played.acts)
    if stopped > acts:
        raise BadCommand(f"{stopped} Actions cannot have been stopped; there were {acts}")
    return acts - stopped


def take_back_stopped(table: PokerTable, stopped: int) -> None:
    """Take back what somebody tried to stop, before the street that it followed is put right."""
    if stopped:
        cites = table.paragraphs(Topic.SUBSTANTIAL_ACTION)
        table.emit(StoppedActionsTakenBack(count=stopped, cites=cites))


@community.when(StoppedActionsTakenBack)
def stopped_actions_taken_back(table: PokerTable, event: StoppedActionsTakenBack) -> None:
    bring_back(table, irregular_of(table).opening)


# -- back into the shoe ------------------------------------------------------------------------


def shuffle_in(table: PokerTable, street: Street, cites: tuple[str, ...]) -> None:
    """Shuffle what lies aside with the rest of the shoe; the burn stays burnt."""
    state = table.state
    played, shoe = state.round, state.shoe
    assert played is not None
    assert shoe is not None
    if shoe.real:
        table.emit(CardsShuffledIn(street=street, cards=tuple(played.aside), cites=cites))
    else:
        table.need_shuffle(SHUFFLE_IN, [*shoe.order, *played.aside], cites)


@community.answered(SHUFFLE_IN)
def shuffled(table: PokerTable, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    played = table.state.round
    assert played is not None
    table.emit(
        CardsShuffledIn(
            street=_street_lacking(played),
            cards=tuple(played.aside),
            order=given.cards,
            cites=given.cites,
        )
    )


def _street_lacking(played: RoundState) -> Street:
    """The first street that has not all its cards: the one whose cards lie aside."""
    for street in STREETS:
        if len(street_of(played, street)) < CARDS_DUE[street]:
            return street
    raise AssertionError("cards lie aside and no street lacks any")


@community.when(CardsShuffledIn)
def cards_shuffled_in(table: PokerTable, event: CardsShuffledIn) -> None:
    state = table.state
    played, shoe = state.round, state.shoe
    assert played is not None
    assert shoe is not None
    shoe.shuffle_in(event.cards, None if shoe.real else event.order)
    played.aside = []
    irregular_of(table).again = event.street
    table.cards_moved = True


# -- scrambled and picked, or in order ---------------------------------------------------------


def scramble(table: PokerTable, plan: Scramble, pick: int, cites: tuple[str, ...]) -> None:
    """Take a street back and let chance say what each card becomes; no `pick`: in their order."""
    played = table.state.round
    assert played is not None
    among = len(street_of(played, plan.street))
    take_back_street(table, plan.street, cites)
    table.emit(
        CardsScrambled(
            street=plan.street,
            burn=plan.burn,
            board=plan.board,
            stored=plan.stored,
            picked=bool(pick),
            cites=cites,
        )
    )
    if table.state.settings.shoe == "reported":
        rank = StaffRank.PIT_MANAGER if pick else StaffRank.DEALER
        says = f"Pick {pick} of the {among} scrambled cards. " if pick else ""
        table.ask(
            AS_IT_LIES,
            f"{says}Which cards are the {plan.street} now, those from the shoe last?",
            (Choice(name="report", asks={"cards": "cards"}),),
            rank,
            cites,
        )
    elif pick:
        table.need_draw(PICK, pick=pick, among=among, cites=cites)
    else:
        _lay(table, list(played.aside), (), cites)


@community.when(CardsScrambled)
def cards_scrambled(table: PokerTable, event: CardsScrambled) -> None:
    irregular_of(table).scramble = Scramble(
        street=event.street, burn=event.burn, board=event.board, stored=event.stored
    )


@community.answered(PICK)
def picked(table: PokerTable, asked: DrawNeeded, given: DrawGiven) -> None:
    """The picked cards come first, in the order of the picks; the others as they lay."""
    played = table.state.round
    assert played is not None
    chosen = [played.aside[pick] for pick in given.picks]
    rest = [card for i, card in enumerate(played.aside) if i not in given.picks]
    _lay(table, chosen + rest, (), given.cites)


@community.checked(AS_IT_LIES)
def can_lie_so(table: PokerTable, asked: DecisionNeeded, answer: Decide) -> None:
    """The reported street has its number of cards: those from the scramble first, then new ones."""
    played = table.state.round
    assert played is not None
    assert played.irregular is not None
    plan = played.irregular.scramble
    assert plan is not None
    cards = _read_cards(answer.details["cards"])
    due = CARDS_DUE[plan.street]
    if len(cards) != due or len(set(cards)) != due or Card.UNKNOWN in cards:
        raise BadCommand(f"the {plan.street} is {due} different known cards")
    old, new = cards[: plan.board], cards[plan.board :]
    unseen = tuple(card for card in old if card not in played.aside)
    if len(unseen) > played.aside.count(Card.UNKNOWN):
        raise BadCommand(f"{unseen[-1].pretty} is not among the scrambled cards")
    table.check_reported((*unseen, *new))


@community.answered(AS_IT_LIES)
def lies_so(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    played = table.state.round
    assert played is not None
    assert played.irregular is not None
    plan = played.irregular.scramble
    assert plan is not None
    cards = _read_cards(taken.details["cards"])
    rest = list(played.aside)
    board: list[Card] = []
    for card in cards[: plan.board]:
        was = card if card in rest else Card.UNKNOWN
        rest.remove(was)
        board.append(card)
    order = [*rest[: plan.burn], *board, *rest[plan.burn :]]
    _lay(table, order, cards[plan.board :], asked.cites)


def _read_cards(raw: object) -> tuple[Card, ...]:
    """Cards as a person or a record writes them: `Qh 10d`, or a list of single ones."""
    text = raw if isinstance(raw, str) else " ".join(map(str, raw if isinstance(raw, list) else ()))
    try:
        return tuple(read_cards(text))
    except CardError as error:
        raise BadCommand(f"cards are written such as 'Qh 10d': {error}") from error


def _lay(
    table: PokerTable, order: list[Card], faces: tuple[Card, ...], cites: tuple[str, ...]
) -> None:
    """Put each card where the plan wants it, deal what is missing, and go on."""
    played = table.state.round
    assert played is not None
    assert played.irregular is not None
    plan = played.irregular.scramble
    assert plan is not None
    street = plan.street
    cuts = [plan.burn, plan.burn + plan.board, plan.burn + plan.board + plan.stored]
    parts = (order[: cuts[0]], order[cuts[0] : cuts[1]], order[cuts[1] : cuts[2]], order[cuts[2] :])
    places: tuple[tuple[Place, Street | None], ...] = (
        ("burn", street),
        ("board", street),
        ("stored burn", NEXT[street]),
        ("discard", None),
    )
    for cards, (place, for_street) in zip(parts, places, strict=True):
        if cards:
            place_cards(table, tuple(cards), place, cites, street=for_street)
    missing = CARDS_DUE[street] - plan.board
    new = table.next_cards(missing, faces) if missing else ()
    table.emit(StreetDealtAgain(street=street, cards=new, cites=cites))
    table.move_on()


# -- dealt again -------------------------------------------------------------------------------


@community.on(DealAgain)
def deal_again(table: PokerTable, order: Order[DealAgain]) -> None:
    """A-37, A-38: only what is missing, without a second burn; one is made if there was none."""
    topic = Topic.COMMUNITY_CARDS
    table.dealer_only(order, "deals", topic)
    played = table.open_round(topic)
    street = street_again(played)
    if street is None:
        table.refuse(topic, "No street is to be dealt again.")
    if table.state.phase == "betting":
        table.refuse_with((EARLY_TOPIC[street], topic), "The Betting Round is finished first.")
    missing = CARDS_DUE[street] - len(street_of(played, street))
    burnt: Card | None = None
    taken = 0
    if not was_burnt(played, street):
        burnt = table.burn_for(played, street)
        if burnt is None:
            [burnt] = table.next_cards(1, (), unseen=True)
            taken = 1
    cards = table.next_cards(missing, order.command.faces, after=taken)
    cites = (*table.paragraphs(EARLY_TOPIC[street]), *table.cited[street])
    table.emit(StreetDealtAgain(street=street, cards=cards, burnt=burnt, cites=cites))
    table.move_on()


def street_again(played: RoundState) -> Street | None:
    """The street that is to be dealt again, if one is and it still lacks cards."""
    again = played.irregular.again if played.irregular is not None else None
    if again is None or len(street_of(played, again)) >= CARDS_DUE[again]:
        return None
    return again


@community.when(StreetDealtAgain)
def street_dealt_again(table: PokerTable, event: StreetDealtAgain) -> None:
    state = table.state
    played = state.round
    assert played is not None
    if event.burnt is not None:
        _burn(table, played, event.burnt, event.street)
    if event.cards:
        table.take(event.cards)
    street_of(played, event.street).extend(event.cards)
    played.down = []
    irregular = irregular_of(table)
    irregular.again = irregular.scramble = None
    reopen_after_street(table, round_after(event.street))


def _burn(table: PokerTable, played: RoundState, card: Card, street: Street) -> None:
    """Burn the next card of the shoe, or one that a ruling has set aside."""
    if card is played.stored_burn:
        played.stored_burn = None
    elif street == "flop" and card is played.first_burn:
        played.first_burn = None
    else:
        table.burn(card)
    played.burns.append(Burnt(card=card, street=street))
