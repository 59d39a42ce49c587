"""What the rooms about Community Cards share: back into the shoe, picked, dealt again.

Cards that are taken back lie aside. They are shuffled into the shoe, or each becomes burn, street,
next burn or discard: in their order, or by a random pick of the Pit Manager. With a real shoe
nobody knows a scrambled card, so staff say how the street lies afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.cards import Card, CardError, Pile, read_cards
from croupier.poker.betting import reopen_after_street
from croupier.poker.commands import STREETS, Street
from croupier.poker.dealing import CARDS_DUE, burn_card
from croupier.poker.events import Place
from croupier.poker.irregularities.commands import DealAgain
from croupier.poker.irregularities.events import (
    CardsScrambled,
    CardsShuffledIn,
    StoppedActionsTakenBack,
    StreetCompleted,
    StreetDealtAgain,
    StreetPutBack,
)
from croupier.poker.irregularities.memory import bring_back, irregular_of
from croupier.poker.irregularities.state import Scramble
from croupier.poker.remedies import place_cards, street_of, take_back_street
from croupier.poker.state import RoundState
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
DEALT: dict[Street, Topic] = {
    "flop": Topic.FLOP_DEALT,
    "turn": Topic.TURN_DEALT,
    "river": Topic.RIVER_DEALT,
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


def street_with(
    played: RoundState, named: Street | None, fault: Callable[[Street], bool]
) -> Street | None:
    """The street of which a fault is true: the one that is named, or else the last one."""
    streets = (named,) if named is not None else tuple(reversed(STREETS))
    return next((s for s in streets if street_of(played, s) and fault(s)), None)


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
    now = sum(act.betting_round == played.betting.number for act in played.acts)
    if stopped > min(acts, now):
        raise BadCommand(
            f"{stopped} Actions cannot have been stopped; there were {min(acts, now)} in this "
            "Betting Round"
        )
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


def shuffle_in(table: PokerTable, streets: tuple[Street, ...], cites: tuple[str, ...]) -> None:
    """Shuffle what lies aside with the rest of the shoe; the burns stay burnt."""
    state = table.state
    played, shoe = state.round, state.shoe
    assert played is not None
    assert shoe is not None
    if shoe.real:
        table.emit(
            CardsShuffledIn(
                street=streets[0], also=streets[1:], cards=tuple(played.aside), cites=cites
            )
        )
    else:
        table.need_shuffle(SHUFFLE_IN, [*shoe.order, *played.aside], cites)


@community.answered(SHUFFLE_IN)
def shuffled(table: PokerTable, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    played = table.state.round
    assert played is not None
    assert played.irregular is not None
    taken_back = played.irregular.taken_back
    streets = tuple(street for street in STREETS if street in taken_back)
    table.emit(
        CardsShuffledIn(
            street=streets[0],
            also=streets[1:],
            cards=tuple(played.aside),
            order=given.cards,
            cites=given.cites,
        )
    )


@community.when(CardsShuffledIn)
def cards_shuffled_in(table: PokerTable, event: CardsShuffledIn) -> None:
    state = table.state
    played, shoe = state.round, state.shoe
    assert played is not None
    assert shoe is not None
    shoe.shuffle_in(event.cards, None if shoe.real else event.order)
    played.aside = []
    irregular = irregular_of(table)
    irregular.taken_back = []
    for street in (event.street, *event.also):
        irregular.deal_again[street] = event.cites
    table.cards_moved = True


# -- in a run-out: the streets after it --------------------------------------------------------


def put_back_later(table: PokerTable, street: Street, cites: tuple[str, ...]) -> None:
    """A-75: nobody could act since, and later streets lie there too. In their intended order
    (1.39) the cards of these come after what the street lacks, so they go in front of the shoe."""
    played = table.state.round
    assert played is not None
    for later in reversed(STREETS[STREETS.index(street) + 1 :]):
        cards = tuple(street_of(played, later))
        if cards:
            burnt = tuple(burnt.card for burnt in played.burns if burnt.street == later)
            table.emit(StreetPutBack(street=later, cards=cards, burnt=burnt, cites=cites))


@community.when(StreetPutBack)
def street_put_back(table: PokerTable, event: StreetPutBack) -> None:
    state = table.state
    played, shoe = state.round, state.shoe
    assert played is not None
    assert shoe is not None
    for card in event.cards:
        street_of(played, event.street).remove(card)
        if card in played.down:
            played.down.remove(card)
    played.burns = [burnt for burnt in played.burns if burnt.street != event.street]
    shoe.put_back(event.cards)
    shoe.put_back(event.burnt, Pile.BURNT)
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
    cards = cards_given(answer.details["cards"])
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
    cards = cards_given(taken.details["cards"])
    rest = list(played.aside)
    board: list[Card] = []
    for card in cards[: plan.board]:
        was = card if card in rest else Card.UNKNOWN
        rest.remove(was)
        board.append(card)
    order = [*rest[: plan.burn], *board, *rest[plan.burn :]]
    _lay(table, order, cards[plan.board :], asked.cites)


def cards_given(raw: object) -> tuple[Card, ...]:
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
    stored: tuple[Place, Street | None] = ("stored burn", NEXT[street])
    if was_burnt(played, NEXT[street]):
        stored = ("discard", None)  # found late, in a run-out: the next street has its burn
    places: tuple[tuple[Place, Street | None], ...] = (
        ("burn", street),
        ("board", street),
        stored,
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
    """A-37, A-38: only what is missing, without a second burn; one is made if there was none.
    A-76: a street of which the dealer has dealt too few is completed in the same way."""
    topic = Topic.COMMUNITY_CARDS
    table.dealer_only(order, "deals", topic)
    played = table.open_round(topic)
    street = street_again(played)
    if street is None:
        _complete(table, played, order.command.faces)
        return
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
    assert played.irregular is not None
    cites = dict.fromkeys((*played.irregular.deal_again[street], *table.cited[street]))
    table.emit(StreetDealtAgain(street=street, cards=cards, burnt=burnt, cites=tuple(cites)))
    table.move_on()


def street_again(played: RoundState) -> Street | None:
    """The first street that is to be dealt again, if one is."""
    again = played.irregular.deal_again if played.irregular is not None else {}
    return next((street for street in STREETS if street in again), None)


@community.when(StreetDealtAgain)
def street_dealt_again(table: PokerTable, event: StreetDealtAgain) -> None:
    state = table.state
    played = state.round
    assert played is not None
    if event.burnt is not None:
        burn_card(table, played, event.burnt, event.street)
    for card in street_of(played, event.street):
        if card in played.down:
            played.down.remove(card)  # what had stayed face down is turned up with the rest
    if event.cards:
        table.take(event.cards)
    street_of(played, event.street).extend(event.cards)
    irregular = irregular_of(table)
    irregular.deal_again.pop(event.street, None)
    irregular.taken_back = []
    irregular.scramble = None
    reopen_after_street(table, round_after(event.street))


# -- too few cards -----------------------------------------------------------------------------


def street_lacking(table: PokerTable, played: RoundState) -> Street | None:
    """The first street of which the dealer has dealt some cards, but too few."""
    for street in STREETS:
        laid = len(street_of(played, street))
        waits = played.irregular is not None and played.irregular.waits_for(street)
        if 0 < laid < CARDS_DUE[street] and not waits and not is_early(table, played, street):
            return street
    return None


def _complete(table: PokerTable, played: RoundState, faces: tuple[Card, ...]) -> None:
    street = street_lacking(table, played)
    if street is None:
        table.refuse(Topic.COMMUNITY_CARDS, "No street is to be dealt again.")
    if acts_since(played, street, 0):
        table.refuse_with(
            (Topic.DISCRETION_UNCOVERED, DEALT[street]),
            f"Somebody has acted on this {street}: a ruling decides.",
        )
    complete_street(table, played, street, faces, table.cited[street])


def complete_street(
    table: PokerTable,
    played: RoundState,
    street: Street,
    faces: tuple[Card, ...],
    cites: tuple[str, ...],
) -> None:
    """Deal what a street lacks and go on from where the round stands (A-76)."""
    cards = missing_cards(table, played, street, faces)
    up = not _lies_down(played, street)
    table.emit(StreetCompleted(street=street, cards=cards, up=up, cites=cites))


def missing_cards(
    table: PokerTable, played: RoundState, street: Street, faces: tuple[Card, ...]
) -> tuple[Card, ...]:
    """What a street lacks, from the shoe."""
    missing = CARDS_DUE[street] - len(street_of(played, street))
    return table.next_cards(missing, faces, unseen=_lies_down(played, street))


def _lies_down(played: RoundState, street: Street) -> bool:
    return any(card in played.down for card in street_of(played, street))


@community.when(StreetCompleted)
def street_completed(table: PokerTable, event: StreetCompleted) -> None:
    played = table.state.round
    assert played is not None
    table.take(event.cards)
    street = street_of(played, event.street)
    if not event.up:
        # Those face down are kept in the order of the streets.
        place = sum(card in played.down for card in street)
        played.down[place:place] = event.cards
    street += event.cards
    dealt = len(street) - len(event.cards)
    played.deviations = [
        d for d in played.deviations if d != f"{dealt} cards on the {event.street}"
    ]
