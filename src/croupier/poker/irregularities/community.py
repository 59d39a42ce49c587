"""What the rooms about Community Cards share: back into the shoe, scrambled and picked.

Cards that are taken back lie aside. They are shuffled into the shoe, or each becomes burn, street,
next burn or discard: in their order, or by a random pick of the Pit Manager. With a real shoe
nobody knows a scrambled card, so staff say how the street lies afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card, CardError, Pile, read_cards
from croupier.poker.commands import STREETS, Street
from croupier.poker.dealing import CARDS_DUE
from croupier.poker.events import Place
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.events import (
    CardsScrambled,
    CardsShuffledIn,
    StoppedActionsTakenBack,
    StreetDealtAgain,
    StreetPutBack,
)
from croupier.poker.irregularities.memory import (
    bound_out_of_turn,
    bring_back,
    irregular_of,
    take_back,
)
from croupier.poker.irregularities.state import Scramble
from croupier.poker.irregularities.taking_back import take_actions_back
from croupier.poker.irregularities.turns import lift
from croupier.poker.remedies import place_cards, street_of, take_back_street
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import (
    ActorRank,
    BadCommand,
    Choice,
    Decide,
    DecisionNeeded,
    DecisionTaken,
    DrawGiven,
    DrawNeeded,
    Room,
    ShuffleGiven,
    ShuffleNeeded,
)
from croupier.table.words import counted, listed

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

community = Room("community")

SHUFFLE_IN = "cards back into the shoe"
PICK = "pick from the scrambled cards"
AS_IT_LIES = "the street as it lies"

NEXT: dict[Street, Street] = {"flop": "turn", "turn": "river", "river": "river"}
"""The street before which a stored burn will be used."""


def take_back_stopped(table: PokerTable, stopped: int) -> None:
    """Take back what somebody tried to stop, before the street that it followed is put right."""
    if stopped:
        cites = table.paragraphs(Topic.SUBSTANTIAL_ACTION)
        table.emit(StoppedActionsTakenBack(count=stopped, keeps=True, alone=True, cites=cites))


@community.applies(StoppedActionsTakenBack)
def stopped_actions_taken_back(table: PokerTable, event: StoppedActionsTakenBack) -> None:
    irregular = irregular_of(table)
    opening = irregular.opening
    if event.alone:
        take_actions_back(table, opening, but_early=True)
    elif event.keeps:
        irregular = take_back(table, opening)  # as it was meant before
    else:
        bring_back(table, opening)  # and before that
    if event.keeps:
        number = table.current_round().betting.number
        irregular.skips = [skip for skip in irregular.skips if skip.betting_round != number]
    round_ = table.current_round()
    round_.betting.bound = bound_out_of_turn(round_)
    for seat in list(irregular.bars):
        lift(round_, irregular, seat, "betting round")  # no Action of it counts (v8 5.4)


# -- back into the shoe ------------------------------------------------------------------------


def shuffle_in(table: PokerTable, streets: tuple[Street, ...], cites: tuple[str, ...]) -> None:
    """Shuffle what lies aside with the rest of the shoe; the burns stay burnt."""
    state = table.state
    round_, shoe = table.current_round(), state.shoe
    assert shoe is not None
    if shoe.real:
        table.emit(
            CardsShuffledIn(
                street=streets[0], also=streets[1:], cards=tuple(round_.aside), cites=cites
            )
        )
    else:
        table.need_shuffle(SHUFFLE_IN, [*shoe.order, *round_.aside], cites)


@community.answered(SHUFFLE_IN)
def shuffled(table: PokerTable, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    round_ = table.current_round()
    assert round_.irregular is not None
    taken_back = round_.irregular.taken_back
    streets = tuple(street for street in STREETS if street in taken_back)
    table.emit(
        CardsShuffledIn(
            street=streets[0],
            also=streets[1:],
            cards=tuple(round_.aside),
            order=given.cards,
            cites=given.cites,
        )
    )


@in_round(community, CardsShuffledIn)
def cards_shuffled_in(table: PokerTable, round_: RoundState, event: CardsShuffledIn) -> None:
    state = table.state
    shoe = state.shoe
    assert shoe is not None
    shoe.shuffle_in(event.cards, None if shoe.real else event.order)
    round_.aside = []
    irregular = irregular_of(table)
    irregular.taken_back = []
    for street in (event.street, *event.also):
        irregular.deal_again[street] = event.cites
    table.cards_moved = True


# -- in a run-out: the streets after it --------------------------------------------------------


def put_back_later(table: PokerTable, street: Street, cites: tuple[str, ...]) -> None:
    """A-75: nobody could act since, and later streets lie there too. In their intended order
    (1.39) the cards of these come after what the street lacks, so they go in front of the shoe."""
    round_ = table.current_round()
    for later in reversed(STREETS[STREETS.index(street) + 1 :]):
        cards = tuple(street_of(round_, later))
        if cards:
            burnt = tuple(burnt.card for burnt in round_.burns if burnt.street == later)
            table.emit(StreetPutBack(street=later, cards=cards, burnt=burnt, cites=cites))


@in_round(community, StreetPutBack)
def street_put_back(table: PokerTable, round_: RoundState, event: StreetPutBack) -> None:
    state = table.state
    shoe = state.shoe
    assert shoe is not None
    for card in event.cards:
        street_of(round_, event.street).remove(card)
        if card in round_.down:
            round_.down.remove(card)
    round_.burns = [burnt for burnt in round_.burns if burnt.street != event.street]
    shoe.put_back(event.cards)
    shoe.put_back(event.burnt, Pile.BURNT)
    # It will be dealt as if for the first time: nothing is wrong with it, nobody decides over it.
    round_.deviations = [what for what in round_.deviations if event.street not in what.split()]
    irregular = irregular_of(table)
    irregular.held_early = [one for one in irregular.held_early if one.street != event.street]
    irregular.kept_early = [card for card in irregular.kept_early if card not in event.cards]
    table.cards_moved = True


# -- scrambled and picked, or in order ---------------------------------------------------------


def scramble(table: PokerTable, plan: Scramble, pick: int, cites: tuple[str, ...]) -> None:
    """Take a street back and let chance say what each card becomes; no `pick`: in their order."""
    round_ = table.current_round()
    among = len(street_of(round_, plan.street))
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
        rank = ActorRank.PIT_MANAGER if pick else ActorRank.DEALER
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
        _lay(table, list(round_.aside), (), cites)


@community.applies(CardsScrambled)
def cards_scrambled(table: PokerTable, event: CardsScrambled) -> None:
    irregular_of(table).scramble = Scramble(
        street=event.street, burn=event.burn, board=event.board, stored=event.stored
    )


@community.answered(PICK)
def picked(table: PokerTable, asked: DrawNeeded, given: DrawGiven) -> None:
    """The picked cards come first, in the order of the picks; the others as they lay."""
    round_ = table.current_round()
    chosen = [round_.aside[pick] for pick in given.picks]
    rest = [card for i, card in enumerate(round_.aside) if i not in given.picks]
    _lay(table, chosen + rest, (), given.cites)


@community.checked(AS_IT_LIES)
def can_lie_so(table: PokerTable, asked: DecisionNeeded, answer: Decide) -> None:
    """The reported street has its number of cards: those from the scramble first, then new ones."""
    round_ = table.current_round()
    assert round_.irregular is not None
    plan = round_.irregular.scramble
    assert plan is not None
    cards = cards_given(answer.details["cards"])
    due = CARDS_DUE[plan.street]
    if len(cards) != due or len(set(cards)) != due or Card.UNKNOWN in cards:
        known = counted(due, "known card", "different known cards")
        raise BadCommand(f"the {plan.street} is {known}")
    old, new = cards[: plan.board], cards[plan.board :]
    unseen = tuple(card for card in old if card not in round_.aside)
    if len(unseen) > round_.aside.count(Card.UNKNOWN):
        back = listed([card.pretty for card in round_.aside if card.is_known])
        was = f"the cards of the {plan.street} that were taken back"
        raise BadCommand(f"{unseen[-1].pretty} is not among {was}{': ' + back if back else ''}")
    table.check_unseen(unseen)
    table.check_reported((*unseen, *new))
    if new:
        table.next_cards(len(new), new)


@community.answered(AS_IT_LIES)
def lies_so(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    round_ = table.current_round()
    assert round_.irregular is not None
    plan = round_.irregular.scramble
    assert plan is not None
    cards = cards_given(taken.details["cards"])
    rest = list(round_.aside)
    board: list[Card] = []
    for card in cards[: plan.board]:
        was = card if card in rest else Card.UNKNOWN
        rest.remove(was)
        board.append(card)
    if sum(map(bool, (plan.burn, plan.stored, len(rest) - plan.burn - plan.stored))) > 1:
        rest = [Card.UNKNOWN] * len(rest)  # what each of them became nobody has seen
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
    round_ = table.current_round()
    assert round_.irregular is not None
    plan = round_.irregular.scramble
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
    table.move_on(round_)
