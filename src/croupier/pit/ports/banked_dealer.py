"""What a dealer enters at a hand-dealt banked table, in the order of a round."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.banked import BankedTable
from croupier.banked import commands as do
from croupier.banked.betting import OPENING, limits, right_size
from croupier.banked.dealing import to_be_named
from croupier.banked.settlement import cards_matter
from croupier.banked.showing import may_show
from croupier.banked.state import BETS, BoxState
from croupier.banked.table import CALLS
from croupier.cards import Card
from croupier.pit.ports.dealer_acts import (
    DealerAct,
    DealerSeat,
    DealerView,
    EntryField,
    cards_field,
)
from croupier.pit.ports.offers import USUAL
from croupier.table import PUBLIC, Command, Look, Money, Offer
from croupier.table.money import write_money

SAYS = {
    "call for bets": "Call for bets",
    "close bets": "No more bets",
    "deal community": "Lay the Community Cards",
    "deal hole cards": "Deal the Hole Cards",
    "deal flop": "Lay the flop, face down",
    "deal turn": "Lay the turn, face down",
    "deal river": "Lay the river, face down",
    "deal dealer": "Two cards to the dealer",
    "reveal flop": "Turn the flop up",
    "reveal turn": "Turn the turn up",
    "reveal river": "Turn the river up",
    "reveal dealer": "Turn the dealer's cards up",
    "settle": "Settle the bets",
}
KEYS = {
    "look": "l",
    "fold": "f",
    "check": "k",
    "flop bet": "b",
    "turn bet": "b",
    "river bet": "b",
    "refuse to show": "x",
    "table cards": "s",
    "accept notice": "y",
    "place ante": "a",
    "place bonus": "b",
    "place progressive": "p",
    "withdraw ante": "w",
    "withdraw bonus": "",
    "withdraw progressive": "",
}
STREETS = (do.RevealFlop, do.RevealTurn, do.RevealRiver)
COUNTED = (do.DealCommunity, do.DealFlop, do.DealTurn, do.DealRiver, do.DealDealer)
BURNT = (do.DealHoleCards, do.DealFlop, do.DealTurn, do.DealRiver)
DECIDES = ("fold", "check")
"""What is offered to whoever has still to decide in a betting window."""


def dealer_acts(table: BankedTable) -> Iterator[DealerAct]:
    """Everything that might be entered now, what comes next first."""
    due = table.next_act() or CALLS.get(table.state.phase)
    yield from _to_be_named_anew(table)
    if due is not None:
        yield _step(table, due)
    yield from _hands_to_open(table)
    if due is not None:
        yield from _otherwise(table, due)
    for box in table.taken_seats():
        yield from _acts(table, box)
    yield from _people(table)


# -- dealing --------------------------------------------------------------------------------------


def _step(table: BankedTable, command: Command) -> DealerAct:
    tag = str(command.__struct_config__.tag)
    seat = command.box if isinstance(command, do.RecordClaim) else None
    says = f"Box {seat} claims the jackpot" if seat is not None else SAYS.get(tag, command.tell())
    return DealerAct(
        kind="step", says=says, command=command, seat=seat, fields=_faces(table, command)
    )


def _faces(table: BankedTable, command: Command) -> tuple[EntryField, ...]:
    """The cards that must be said with a step, where the shoe is a real one."""
    state = table.state
    if isinstance(command, do.RevealDealer):
        lying, lie_open = state.dealer, state.exposed_dealer
    elif isinstance(command, STREETS):
        lying, lie_open = state.street_cards(STREETS.index(type(command))), state.exposed_board
    else:
        return ()
    ask = "Which card?" if len(lying) == 1 else "Which cards?"
    return _cards(table, ask, lying, [card for card in lie_open if card not in state.board])


def _cards(
    table: BankedTable, ask: str, lying: list[Card], lie_open: list[Card]
) -> tuple[EntryField, ...]:
    """Tried with cards that can lie there: those that lie open in that place, and of the others
    none that lies open elsewhere (5.12)."""
    shoe = table.state.shoe
    if shoe is None or not shoe.real or Card.UNKNOWN not in lying:
        return ()
    first = [card for card in lie_open if card not in lying]
    hidden = table.state.hidden()
    unseen = iter([*first, *(card for card in shoe.unseen if card in hidden)])
    trial = tuple(card if card.is_known else next(unseen) for card in lying)
    return (cards_field("cards", ask, len(lying), trial),)


def _to_be_named_anew(table: BankedTable) -> Iterator[DealerAct]:
    """Real cards that were turned up, and are others since the deal was put right or cards drawn
    together have their order: until they are named nothing can be settled (1.22, 5.14)."""
    state = table.state
    for street, reveal in enumerate(STREETS[: state.street]):
        if to_be_named(state, state.street_cards(street)):
            yield _named_anew(table, reveal(), _STREET_HAS[street])
    if state.dealer_shown and to_be_named(state, state.dealer):
        yield _named_anew(table, do.RevealDealer(), "Say which cards the dealer has now")


_STREET_HAS = (
    "Say which cards the flop has now",
    "Say which card the turn is now",
    "Say which card the river is now",
)


def _named_anew(table: BankedTable, command: Command, says: str) -> DealerAct:
    return DealerAct(kind="mend", says=says, command=command, fields=_faces(table, command))


def _hands_to_open(table: BankedTable) -> Iterator[DealerAct]:
    """Before bets are settled, the hands of a real shoe that decide something are laid open."""
    if table.state.phase != "settling":
        return
    for number, box in sorted(table.state.boxes.items()):
        if may_show(table, box) and Card.UNKNOWN in box.cards and cards_matter(table, box):
            yield _opened(table, number, "step")


def _opened(table: BankedTable, number: int, kind: str) -> DealerAct:
    step = kind == "step"
    box = table.state.boxes[number]
    fields = _cards(table, f"The hand of box {number}", box.cards, box.face_up)
    return DealerAct(
        kind="step" if step else "act",
        says=f"Box {number} lays the hand open" if step else "Lays the hand open",
        key="" if step else KEYS["table cards"],
        seat=number,
        command=do.TableCards(box=number),
        fields=fields,
    )


def _otherwise(table: BankedTable, due: Command) -> Iterator[DealerAct]:
    """What the dealer may have done instead of what is due, as in life."""
    if isinstance(due, BURNT) and table.state.settings.device == "shoe":
        yield _went("No card is burnt", type(due)(burn=False))
    if isinstance(due, COUNTED):
        for count in (due.count + 1, due.count - 1):
            yield _went(_many(count), type(due)(count=count))
    if not isinstance(due, do.DealHoleCards):
        return
    boxes = [n for n, box in sorted(table.state.boxes.items()) if box.ante]
    right = tuple(boxes * 2) if table.state.settings.device == "shoe" else tuple(boxes)
    if not boxes:
        return
    last = boxes[-1]
    if len(boxes) > 1:
        left_out = tuple(box for box in right if box != last)
        yield _went(f"Box {last} gets no cards", do.DealHoleCards(order=left_out))
    too_many = do.DealHoleCards(order=(*right, boxes[0]))
    yield _went(f"Box {boxes[0]} gets too many cards", too_many)


def _many(cards: int) -> str:
    words = {0: "No card is", 1: "One card is", 2: "Two cards are", 3: "Three cards are"}
    return f"{words.get(cards, f'{cards} cards are')} dealt"


def _went(says: str, command: Command) -> DealerAct:
    return DealerAct(kind="otherwise", says=says, command=command)


# -- what players are seen to do ------------------------------------------------------------------


def _acts(table: BankedTable, number: int) -> Iterator[DealerAct]:
    for offer in table.offers(number):
        yield _offered(table, number, offer)
    box = table.state.boxes.get(number)
    if box is not None and may_show(table, box) and Card.UNKNOWN in box.cards:
        yield _opened(table, number, "act")  # offered to no player: the table does not know them
    if table.state.phase == "bets open" or table.state.window() is not None:
        yield _chips_seen(table, number)
    if box is not None:
        yield from _noticed(table, number, box)


def _noticed(table: BankedTable, number: int, box: BoxState) -> Iterator[DealerAct]:
    """A bet of the wrong size, or without an Ante, that the dealer notices (5.1 to 5.4)."""
    for bet in BETS:
        amount = getattr(box, bet)
        if bet in OPENING:
            least, most = limits(table, bet)
        else:
            least = most = right_size(table, box, bet)
        if amount and not (box.ante and least <= amount <= most):
            says = f"Notices: the {bet} of {write_money(amount)} is not as displayed"
            command = do.NoticeBet(box=number, bet=bet)
            yield DealerAct(kind="act", says=says, seat=number, command=command)


def _offered(table: BankedTable, number: int, offer: Offer) -> DealerAct:
    verb, _, bet = offer.do.partition(" ")
    player = table.player_at(number) or ""
    fields: tuple[EntryField, ...] = ()
    says = offer.do.capitalize()
    match verb, bet:
        case "look", _:
            command: Command = Look(seat=number)
            says = "Looks at the cards"
        case "accept", _:
            command = do.AcceptNotice(player=player)
        case "place", "progressive":
            command = do.PlaceProgressive(box=number, player=player)
            says = f"Progressive Jackpot bet {write_money(offer.least or 0)}"
        case "place", _:
            kind = do.PlaceAnte if bet == "ante" else do.PlaceBonus
            command = kind(box=number, amount=offer.least or 0, player=player)
            says = bet.capitalize()
            fields = (_money("amount", f"{says}: how much in all?", offer.least, offer.most),)
        case "withdraw", "ante" | "bonus" | "progressive":
            command = do.WithdrawBet(box=number, bet=bet)
            says = f"Takes the {bet} back"
        case "table", _:
            return _opened(table, number, "act")
        case _:
            command = _DECISIONS[offer.do](box=number)
            amount = f" {write_money(offer.least)}" if offer.least is not None else ""
            says = f"{says}{amount}"
    return DealerAct(
        kind="act", says=says, key=KEYS[offer.do], seat=number, command=command, fields=fields
    )


_DECISIONS: dict[str, type] = {
    "flop bet": do.FlopBet,
    "turn bet": do.TurnBet,
    "river bet": do.RiverBet,
    "check": do.Check,
    "fold": do.Fold,
    "refuse to show": do.RefuseToShow,
}


def _chips_seen(table: BankedTable, number: int) -> DealerAct:
    """Chips as they lie on a spot, whatever their size."""
    window = table.state.window()
    bets = (window,) if window is not None else ("ante", "bonus", "progressive")
    fields = (
        EntryField(
            name="bet",
            kind="choice",
            ask="On which spot?",
            values=bets,
            usual=bets[0],
            trial=bets[0],
        ),
        # Tried with the least there is: also less than a bet may lie there (5.2, 5.3.2).
        EntryField(name="amount", kind="money", ask="How much lies there in all?", trial=1),
    )
    player = table.player_at(number)
    command = do.ReportChips(box=number, bet=bets[0], amount=0, player=player)  # type: ignore[arg-type]
    return DealerAct(
        kind="act", says="Chips as they lie", key="o", seat=number, command=command, fields=fields
    )


def _money(name: str, ask: str, least: Money | None, most: Money | None) -> EntryField:
    return EntryField(
        name=name, kind="money", ask=ask, least=least, most=most, usual=least, trial=least
    )


# -- who comes and goes ---------------------------------------------------------------------------


def _people(table: BankedTable) -> Iterator[DealerAct]:
    state = table.state
    least = state.settings.ante_minimum or 1
    usual = USUAL * least
    for number in range(1, state.settings.boxes_in_use + 1):
        who = state.sitting.get(number)
        if who is None:
            fields = (
                EntryField(name="player", kind="text", ask="Who?", trial="a player"),
                _brings("With how much?", usual),
            )
            sit = do.Sit(box=number, player="-", chips=usual)
            yield DealerAct(
                kind="people",
                says="Somebody sits down",
                key="i",
                seat=number,
                command=sit,
                fields=fields,
                word=True,
            )
            continue
        leave = do.Leave(player=who)
        yield DealerAct(kind="people", says="Leaves", key="v", seat=number, command=leave)
        yield DealerAct(
            kind="people",
            says="Brings more chips",
            key="u",
            seat=number,
            command=do.AddChips(player=who, chips=usual),
            fields=(_brings("How much more?", usual),),
            word=True,
        )


def _brings(ask: str, usual: Money) -> EntryField:
    return EntryField(name="chips", kind="money", ask=ask, usual=usual, trial=usual)


# -- how it stands --------------------------------------------------------------------------------


def dealer_view(table: BankedTable) -> DealerView:
    """The table as its dealer sees it."""
    view, state = table.view(PUBLIC), table.state
    seats = []
    for number in range(1, state.settings.boxes_in_use + 1):
        box = view.boxes.get(number)
        if box is None:
            seats.append(DealerSeat(seat=number))
            continue
        has_bet = number in state.boxes
        stands = (
            (str(box.result or ""), box.result is not None),
            ("folded", box.standing == "folded"),
            (f"{', '.join(box.chosen)}", bool(box.chosen)),
            ("has looked", box.looked and has_bet),
        )
        seats.append(
            DealerSeat(
                seat=number,
                player=box.player,
                chips=view.racks.get(box.player),
                bets={bet: box.stakes[bet] for bet in BETS if bet in box.stakes},
                cards=box.cards,
                says=next((says for says, so in stands if so), ""),
            )
        )
    return DealerView(
        seats=tuple(seats),
        awaited=_awaited(table),
        board=view.board,
        dealer=view.dealer,
        real=state.settings.shoe == "reported",
    )


def _awaited(table: BankedTable) -> tuple[int, ...]:
    state = table.state
    if state.phase == "bets open":
        boxes = state.boxes
        return tuple(n for n in sorted(state.sitting) if n not in boxes or not boxes[n].ante)
    seats = table.taken_seats()
    return tuple(n for n in seats if any(offer.do in DECIDES for offer in table.offers(n)))
