"""What a dealer enters at a hand-dealt poker table, in the order of a Round of play.

A clear act of the player whose turn it is has one letter and is entered as the exact command. What
was done out of turn, or in a way that the book must read (words and chips, in one motion or
several), is entered as it was seen (`report wager`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from msgspec import structs

from croupier.cards import Card, Shoe
from croupier.pit.ports.dealer_acts import (
    DealerAct,
    DealerSeat,
    DealerView,
    EntryField,
    Kind,
    cards_field,
)
from croupier.pit.ports.offers import USUAL
from croupier.poker import PokerTable, SeatView
from croupier.poker import commands as do
from croupier.poker.button import drawing
from croupier.poker.commands import Street
from croupier.poker.dealing import CARDS_DUE, next_street, street_face_down
from croupier.poker.figures import HOLE_CARDS
from croupier.poker.irregularities.commands import DealAgain
from croupier.poker.irregularities.dealing_again import street_again, street_lacking
from croupier.poker.irregularities.streets import was_burnt
from croupier.poker.remedies import street_of
from croupier.poker.state import RoundState
from croupier.poker.table import CALLS, DUE_COMMANDS
from croupier.poker.wager_seen import Gesture, Words
from croupier.poker.wager_seen import Order as Sequel
from croupier.poker.wagers import ReportWager
from croupier.table import PUBLIC, Command, Look, Money, Offer

Streets = do.DealFlop | do.DealTurn | do.DealRiver
STREETS: dict[Street, type[Streets]] = {
    "flop": do.DealFlop,
    "turn": do.DealTurn,
    "river": do.DealRiver,
}
SAYS = {
    "start game": "Start the game",
    "deal for button": "Deal for the button",
    "shuffle": "Shuffle the deck",
    "cut": "Cut the deck",
    "place button": "Put the button out",
    "call for blinds": "Call for the Blinds",
    "post blinds": "The Blinds are placed",
    "deal hole cards": "Deal the Hole Cards",
    "deal flop": "Burn, deal the flop",
    "deal turn": "Burn, deal the turn",
    "deal river": "Burn, deal the river",
    "deal again": "Complete the street",
    "turn up": "Turn the cards up",
    "flip marker": "Flip the Game Marker",
    "show hands": "Show the hands",
    "settle": "Pay the pots",
}
KEYS = {
    "check": "k",
    "call": "c",
    "bet": "b",
    "raise": "r",
    "all in": "a",
    "fold": "f",
    "post blind": "p",
    "straddle": "s",
    "decline straddle": "d",
    "show hand": "s",
    "muck": "m",
}
OUT_OF_TURN: tuple[Words, ...] = ("check", "call", "bet", "raise", "all in", "fold")


def dealer_acts(table: PokerTable) -> Iterator[DealerAct]:
    """Everything that might be entered now, what comes next first."""
    if table.state.round is not None and not table.state.round.button_out:  # 3.8: once noticed
        yield DealerAct(kind="mend", says=SAYS["place button"], command=do.PlaceButton())
    yield from _steps(table)
    yield from _otherwise(table)
    for seat in table.taken_seats():
        yield from _acts(table, seat)
    yield from _people(table)


# -- dealing --------------------------------------------------------------------------------------


def _steps(table: PokerTable) -> Iterator[DealerAct]:
    phase = table.state.phase
    due = table.due() or table.due_reported() or DUE_COMMANDS.get(phase) or CALLS.get(phase)
    if due is not None:
        begun = isinstance(due, Streets) and not due.burn
        yield _step(table, due, "mend" if begun else "step")
    if phase == "face down":
        yield _step(table, do.TurnUp(), "mend")
    round_ = table.state.round
    if round_ is not None and round_.open and street_lacking(table, round_) is not None:
        yield _step(table, DealAgain(), "mend")  # too few were dealt
    if phase == "showdown" and round_ is not None:  # a real shoe: each hand is said as it is shown
        yield from (_shows(table, seat, "step") for seat in round_.to_show[:1])


def _step(table: PokerTable, command: Command, kind: Kind = "step") -> DealerAct:
    tag = str(command.__struct_config__.tag)
    says = SAYS.get(tag, command.tell())
    if isinstance(command, Streets) and not command.burn:
        says = tag.capitalize().replace("Deal ", "Deal the ")
    return DealerAct(kind=kind, says=says, command=command, fields=_faces(table, command))


def _faces(table: PokerTable, command: Command) -> tuple[EntryField, ...]:
    """The cards that must be said with a step, where the shoe is a real one."""
    shoe, round_ = table.state.shoe, table.state.round
    if shoe is None or not shoe.real:
        return ()
    match command:
        case do.DealForButton():
            seats = drawing(table)
            ask = f"One card for each, from seat {seats[0]}" if seats else "One card for each"
            return (cards_field("cards", ask, len(seats), shoe.unseen),)
        case do.DealFlop() | do.DealTurn() | do.DealRiver() if command.turn_up:
            burns = command.burn and round_ is not None and _burns(table, round_, command)
            return (_said(shoe.order[burns : burns + command.count], shoe),)
        case DealAgain() if round_ is not None and (missing := _missing(table, round_)):
            street = street_again(round_)
            burns = street is not None and _burns_first(table, round_, street)
            return (_said(shoe.order[burns : burns + missing], shoe),)
        case do.TurnUp() if round_ is not None:
            _, count = street_face_down(round_)
            lying = round_.down[:count]
            return (_said(lying, shoe),) if Card.UNKNOWN in lying else ()
        case _:
            return ()


def _said(cards: Sequence[Card], shoe: Shoe) -> EntryField:
    """Cards that are said as they turn up; those that are known already lie where they were put."""
    unseen = iter(shoe.unseen)
    trial = tuple(card if card.is_known else next(unseen) for card in cards)
    return cards_field("faces", _which(len(cards)), len(cards), trial)


def _burns(table: PokerTable, round_: RoundState, command: Streets) -> bool:
    """Whether the burn comes from the shoe, in front of the street."""
    street = next(name for name, kind in STREETS.items() if kind is type(command))
    return _burns_first(table, round_, street)


def _burns_first(table: PokerTable, round_: RoundState, street: Street) -> bool:
    return not was_burnt(round_, street) and table.burn_for(round_, street) is None


def _missing(table: PokerTable, round_: RoundState) -> int:
    """How many cards must be said where a street is completed: of those that come face up."""
    street = street_again(round_) or street_lacking(table, round_)
    if street is None:
        return 0
    laid = street_of(round_, street)
    if street_again(round_) is None and any(card in round_.down for card in laid):
        return 0
    return max(0, CARDS_DUE[street] - len(laid))


def _which(cards: int) -> str:
    return "Which card?" if cards == 1 else "Which cards?"


def _otherwise(table: PokerTable) -> Iterator[DealerAct]:
    """What the dealer may have done instead of what is due, as in life."""
    phase, round_ = table.state.phase, table.state.round
    if table.automatic:
        return
    if phase == "ready":
        yield _went("The button is not put out", do.CallForBlinds(button_out=False))
    if round_ is None or not round_.open:
        return
    if phase == "dealing":
        yield from _wrong_deals(table, round_)
    street = next_street(round_)
    if street is None or not table.cards_are_out():
        return
    if phase != "betting" and street_again(round_) is not None:
        return
    kind = STREETS[street]
    burnt = was_burnt(round_, street)
    right = kind(burn=not burnt)
    early = phase == "betting"
    if early:
        says = f"The {street} is dealt now, before all have acted"
        yield _went(says, right, _faces(table, right))
        return
    for says, wrong in (
        (_many(right.count + 1), structs.replace(right, count=right.count + 1)),
        (
            _many(right.count - 1),
            structs.replace(right, count=right.count - 1) if right.count > 1 else None,
        ),
        ("No card is burnt", None if burnt else kind(burn=False)),
        ("The cards are left face down", structs.replace(right, turn_up=False)),
        ("A card is burnt now", None if burnt else do.Burn()),
    ):
        if wrong is not None:
            yield _went(says, wrong, _faces(table, wrong))


def _wrong_deals(table: PokerTable, round_: RoundState) -> Iterator[DealerAct]:
    each = table.by_book[HOLE_CARDS]
    due = round_.order * each
    yield _went("The second card is exposed", do.DealHoleCards(exposed=(2,)))
    yield _went("Two cards are exposed", do.DealHoleCards(exposed=(1, 2)))
    last = round_.order[-1]
    left_out = tuple(seat for seat in due if seat != last)
    yield _went(f"Seat {last} gets no cards", do.DealHoleCards(to=left_out))
    yield _went(f"Seat {due[0]} gets a card too many", do.DealHoleCards(to=(*due, due[0])))
    yield _went(f"Seat {last} gets a card too few", do.DealHoleCards(to=due[:-1]))
    turned = (*round_.order[1:], round_.order[0]) * each
    yield _went(f"Dealt from seat {turned[0]}, not from {due[0]}", do.DealHoleCards(to=turned))


def _went(says: str, command: Command, fields: tuple[EntryField, ...] = ()) -> DealerAct:
    return DealerAct(kind="otherwise", says=says, command=command, fields=fields)


def _many(cards: int) -> str:
    return {2: "Two cards are dealt", 4: "Four cards are dealt"}.get(cards, f"{cards} are dealt")


# -- what players are seen to do ------------------------------------------------------------------


def _acts(table: PokerTable, seat: int) -> Iterator[DealerAct]:
    for offer in table.offers(seat):
        yield _offered(table, seat, offer)
    round_ = table.state.round
    if round_ is None or not round_.open:
        return
    player = round_.players.get(seat)
    if player is not None and player.cards and player.active and not player.looked:
        yield DealerAct(
            kind="act", says="Looks at the cards", key="l", seat=seat, command=Look(seat=seat)
        )
    to_act = round_.betting.to_act if table.state.phase == "betting" else []
    if seat not in to_act:
        return
    if seat != to_act[0]:
        yield from (_out_of_turn(table, seat, words) for words in OUT_OF_TURN)
    yield _as_seen(seat, early=seat != to_act[0])


def _offered(table: PokerTable, seat: int, offer: Offer) -> DealerAct:
    if offer.do == "show hand":
        return _shows(table, seat, "act")
    commands: dict[str, Command] = {
        "check": do.Check(seat=seat),
        "call": do.Call(seat=seat),
        "all in": do.AllIn(seat=seat),
        "fold": do.Fold(seat=seat),
        "post blind": do.PostBlind(seat=seat),
        "straddle": do.Straddle(seat=seat),
        "decline straddle": do.DeclineStraddle(seat=seat),
        "muck": do.Muck(seat=seat),
    }
    says = offer.do.capitalize()
    fields: tuple[EntryField, ...] = ()
    match offer.do:
        case "bet" | "raise":
            kind = do.Bet if offer.do == "bet" else do.Raise
            command: Command = kind(seat=seat, to=offer.least or 0)
            fields = (_money("to", f"{says} to how much in all?", offer.least, offer.most),)
            says = f"{says} to"
        case _:
            command = commands[offer.do]
            says = says + str(offer).removeprefix(offer.do)  # `Call to 10`: so much in all
    key = KEYS.get(offer.do, "")
    return DealerAct(kind="act", says=says, key=key, seat=seat, command=command, fields=fields)


def _shows(table: PokerTable, seat: int, kind: str) -> DealerAct:
    """A hand is shown; of a real shoe its cards are said."""
    shoe, round_ = table.state.shoe, table.state.round
    fields: tuple[EntryField, ...] = ()
    cards = round_.players[seat].cards if round_ is not None and seat in round_.players else []
    if shoe is not None and shoe.real and Card.UNKNOWN in cards:
        unseen = iter(shoe.unseen)
        trial = tuple(card if card.is_known else next(unseen) for card in cards)
        ask = f"The hand of seat {seat}"
        fields = (cards_field("cards", ask, len(cards), trial),)
    return DealerAct(
        kind="step" if kind == "step" else "act",
        says=f"Seat {seat} shows" if kind == "step" else "Shows the hand",
        key="" if kind == "step" else "s",
        seat=seat,
        command=do.ShowHand(seat=seat),
        fields=fields,
    )


def _out_of_turn(table: PokerTable, seat: int, words: Words) -> DealerAct:
    fields: tuple[EntryField, ...] = ()
    if words in ("bet", "raise"):
        least = table.state.settings.big_blind
        round_ = table.current_round()
        most = round_.players[seat].bet + table.state.seats[seat].stake
        fields = (_money("figure", f"{words.capitalize()} to how much in all?", least, most),)
    return DealerAct(
        kind="act",
        says=f"{words.capitalize()}, out of turn",
        key=KEYS[words],
        seat=seat,
        command=ReportWager(seat=seat, words=words),
        fields=fields,
    )


def _as_seen(seat: int, *, early: bool) -> DealerAct:
    """Words, figure, chips and motions, for the book to read."""
    fields = [
        _choice("words", "Words", get_args(Words), trial="fold"),
        EntryField(name="figure", kind="money", ask="The amount named", needed=False),
        _flag("more", "The amount came on top: raise by"),
        _choice("gesture", "Gesture", get_args(Gesture), trial="cards forward"),
        EntryField(name="chips", kind="chips", ask="Chips of the first motion", needed=False),
        EntryField(name="later", kind="chips", ask="Chips that followed", needed=False),
        _choice("first", "Which came first?", get_args(Sequel), usual="words"),
        _flag("clear", "The words were clear", usual=True),
        _flag("then_folds", "Then folds on the same turn"),
    ]
    if early:
        fields.append(_flag("unnoticed", "Nobody noticed: play goes on from here"))
    return DealerAct(
        kind="act",
        says="As it was seen: words and chips",
        key="w",
        seat=seat,
        command=ReportWager(seat=seat),
        fields=tuple(fields),
    )


def _money(name: str, ask: str, least: Money | None, most: Money | None) -> EntryField:
    return EntryField(
        name=name, kind="money", ask=ask, least=least, most=most, usual=least, trial=least
    )


def _choice(
    name: str, ask: str, values: tuple[str, ...], *, usual: str = "", trial: str | None = None
) -> EntryField:
    return EntryField(
        name=name, kind="choice", ask=ask, needed=False, values=values, usual=usual, trial=trial
    )


def _flag(name: str, ask: str, *, usual: bool = False) -> EntryField:
    return EntryField(name=name, kind="flag", ask=ask, needed=False, usual=usual)


# -- who comes and goes ---------------------------------------------------------------------------


def _people(table: PokerTable) -> Iterator[DealerAct]:
    settings, seats = table.state.settings, table.state.seats
    least, most = settings.minimum_stake, settings.maximum_stake
    usual = max(least, min(USUAL * settings.big_blind, most or 1 << 53))
    for number in range(1, settings.seats + 1):
        if number not in seats:
            yield DealerAct(
                kind="people",
                says="Somebody sits down",
                key="i",
                seat=number,
                command=do.Sit(seat=number, player="-", stake=usual),
                fields=(_who(), _stake("stake", "With how much?", least, most, usual)),
                word=True,
            )
            continue
        for says, key, command in (
            ("Sits out", "o", do.SitOut(seat=number)),
            ("Is back at the seat", "e", do.ReturnToSeat(seat=number)),
            ("Leaves the game", "v", do.Leave(seat=number)),
        ):
            if not (isinstance(command, do.ReturnToSeat) and seats[number].here):
                yield DealerAct(kind="people", says=says, key=key, seat=number, command=command)
        yield from _brings_more(table, number, usual)


def _brings_more(table: PokerTable, number: int, usual: Money) -> Iterator[DealerAct]:
    """Chips up to the most that a stake may have; from nothing the least that it must (3.7)."""
    settings, stake = table.state.settings, table.state.seats[number].stake
    least = settings.smallest_chip if stake else settings.minimum_stake
    most = None if settings.maximum_stake is None else settings.maximum_stake - stake
    if most is not None:
        usual = min(usual, most)
    if usual >= least:
        yield DealerAct(
            kind="people",
            says="Brings more chips",
            key="u",
            seat=number,
            command=do.TopUp(seat=number, amount=usual),
            fields=(_stake("amount", "How much more?", least, most, usual),),
            word=True,
        )


def _who() -> EntryField:
    return EntryField(name="player", kind="text", ask="Who?", trial="a player")


def _stake(name: str, ask: str, least: Money, most: Money | None, usual: Money) -> EntryField:
    return EntryField(
        name=name, kind="money", ask=ask, least=least, most=most, usual=usual, trial=usual
    )


# -- how it stands --------------------------------------------------------------------------------


def dealer_view(table: PokerTable) -> DealerView:
    """The table as its dealer sees it."""
    view, settings = table.view(PUBLIC), table.state.settings
    playing = table.playing()  # between rounds nothing of the last one is shown
    seats = []
    for number in range(1, settings.seats + 1):
        seat = view.seats.get(number)
        if seat is None:
            seats.append(DealerSeat(seat=number))
            continue
        stands = (
            ("folded", playing and seat.folded),
            ("mucked", playing and seat.mucked),
            ("all in", playing and seat.all_in),
            ("away", not seat.here),
            (seat.hand, playing and bool(seat.hand)),
            ("has looked", playing and seat.looked and seat.active),
        )
        marks = (
            ("D", view.button == number),
            ("SB", playing and view.small_blind == number),
            ("BB", playing and view.big_blind == number),
        )
        seats.append(
            DealerSeat(
                seat=number,
                player=seat.player,
                chips=seat.stake,
                bets={"bet": seat.bet} if seat.bet else {},
                cards=_shown_cards(seat, playing),
                says=next((says for says, so in stands if so), ""),
                marks=tuple(mark for mark, so in marks if so),
            )
        )
    return DealerView(
        seats=tuple(seats),
        awaited=_awaited(table),
        board=view.board if playing else (),
        pot=view.pot if playing else None,
        chips=tuple(sorted(settings.chips)),
        real=settings.shoe == "reported",
    )


def _shown_cards(seat: SeatView, playing: bool) -> tuple[Card, ...]:
    """The hand, as far as it lies face up; before the first round, the card for the button."""
    if playing and seat.cards:
        return seat.cards
    return (seat.face_up,) if seat.face_up is not None else ()


def _awaited(table: PokerTable) -> tuple[int, ...]:
    turn = table.turn()
    if turn is not None:
        return (turn,)
    return tuple(seat for seat in table.taken_seats() if table.offers(seat))
