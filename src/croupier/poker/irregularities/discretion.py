"""What the book does not provide for: v8 5.16, v5 by a decision of the House.

v8 leaves it to the Table Game Shift Manager or above; v5 has no such clause (P-21).

The table freezes and offers what it can carry out. Every ruling has a reason and a decider. It can
be undone while the table stands exactly as the ruling left it; the log keeps both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.cards import Card, CardError, read_cards
from croupier.poker.commands import STREETS, Street
from croupier.poker.dealing import CARDS_DUE
from croupier.poker.irregularities.commands import ReportIrregularity, UndoRuling
from croupier.poker.irregularities.events import (
    ActionTakenBack,
    CardExchanged,
    CardTakenAway,
    ChipsMoved,
    RulingCarriedOut,
    RulingMade,
    RulingUndone,
    TurnGiven,
)
from croupier.poker.irregularities.memory import (
    bring_back,
    exchange_dealt,
    exchange_early,
    irregular_of,
    keep,
    short_of_chips,
    take_back,
    to_be_looked_at_again,
)
from croupier.poker.remedies import (
    change_policy,
    dead_hand,
    misdeal,
    return_chips,
    street_of,
    take_back_street,
    void_round,
)
from croupier.poker.state import Playing, RoundState
from croupier.rulebooks import RulebookError, Topic
from croupier.table import (
    BadCommand,
    Choice,
    Decide,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
    StaffRank,
    write_money,
)

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

discretion = Room("discretion")

RULING = "ruling"


def rank_of_rulings(table: PokerTable) -> StaffRank:
    """Who rules: the Shift Manager where the book says so, else whoever speaks for the House."""
    if table.book.procedure("uncovered-case") == "shift-manager":
        return StaffRank.SHIFT_MANAGER
    return table.state.settings.house_rank


def cites_of_rulings(table: PokerTable, kind: str = "uncovered") -> tuple[str, ...]:
    """The clause that leaves it to somebody; in v5 the paragraph that does not speak of it."""
    topic = Topic.DISCRETION_UNCOVERED
    if kind == "interpretation":
        topic = Topic.DISCRETION_INTERPRETATION
    return table.paragraphs(topic) or table.book.procedures["uncovered-case"].paragraphs


def ask_ruling(
    table: PokerTable,
    what: str,
    *,
    kind: str = "uncovered",
    version_8: str = "",
    first: str = "",
) -> None:
    """Freeze the table and ask for a ruling. `version_8` is what the later book says, as
    information; `first` is the option that stands first because it is the default."""
    options = remedies_now(table)
    options.sort(key=lambda option: option.name != first)
    known = f" Version 8 of the rules says: {version_8}." if version_8 else ""
    what = what[:1].upper() + what[1:]
    table.ask(
        RULING,
        f"{what}. The rules do not provide for it; how is it resolved?{known}",
        options,
        rank_of_rulings(table),
        cites_of_rulings(table, kind),
        about={"what": what, "kind": kind},
    )


@discretion.on(ReportIrregularity)
def report_irregularity(table: PokerTable, order: Order[ReportIrregularity]) -> None:
    topic = Topic.DISCRETION if table.book.has(Topic.DISCRETION) else Topic.VOID
    table.dealer_only(order, "reports this; tell him", topic)
    ask_ruling(table, order.command.says.rstrip("."), kind=order.command.kind)


# -- what can be ruled -------------------------------------------------------------------------


def remedies_now(table: PokerTable) -> list[Choice]:
    """What the table can carry out as it stands."""
    played = table.state.round
    found = [Choice(name="continue", says="Play goes on as it stands.")]
    if played is not None and played.open:
        found += _remedies_of_round(table, played)
    found.append(
        Choice(name="move chips", asks={"giver": "seat", "taker": "seat", "amount": "money"})
    )
    if table.book.policies:
        found.append(Choice(name="change policy", asks={"policy": "text", "value": "text"}))
    found.append(Choice(name="note only"))
    return found


def _remedies_of_round(table: PokerTable, played: RoundState) -> list[Choice]:
    found = [Choice(name="void")]
    if table.book.has(Topic.MISDEAL):
        found.append(Choice(name="misdeal"))
    if table.book.has(Topic.DEAD_HAND) and table.cards_are_out() and table.alone() is None:
        found.append(Choice(name="dead hand", asks={"seat": "seat"}))
    if table.state.phase == "betting":
        found.append(Choice(name="give turn", asks={"seat": "seat"}))
    last = played.irregular.last if played.irregular is not None else None
    if last is not None and not played.players[last.seat].left:
        found.append(Choice(name="take action back"))
    if table.cards_are_out():
        asks: dict[str, Any] = {"card": "card"}
        if table.state.settings.shoe == "reported":
            asks["new"] = "card"
        found.append(Choice(name="replace card", asks=asks))
    if any(_is_surplus(played, street) for street in STREETS):
        found.append(Choice(name="take card away", asks={"card": "card"}))
    if _street_to_deal_again(table, played) is not None:
        found.append(Choice(name="deal street again"))
    chips: dict[str, Any] = {"seat": "seat", "amount": "money"}
    says = "Of what the seat has put in."
    if len(played.pots) > 1:
        chips["pot"] = "number"
        says = "From before the seat (0), the Main Pot (1) or a Side Pot (2 and so on)."
    found.append(Choice(name="return chips", says=says, asks=chips))
    return found


def _is_surplus(played: RoundState, street: Street) -> bool:
    """Whether a street has more cards than it should."""
    return len(street_of(played, street)) > CARDS_DUE[street]


def _street_to_deal_again(table: PokerTable, played: RoundState) -> Street | None:
    """The last street, if nobody has acted since and no showdown has begun."""
    if table.state.phase in ("showdown", "settling") or played.show_order:
        return None
    for number, street in reversed(list(enumerate(STREETS, 2))):
        if street_of(played, street):
            acted = any(act.betting_round >= number for act in played.acts)
            early = table.state.phase == "betting" and played.betting.number < number
            return None if acted or early else street
    return None


@discretion.checked(RULING)
def can_be_carried_out(table: PokerTable, asked: DecisionNeeded, answer: Decide) -> None:
    """Refuse an answer that names a seat, card, amount or policy that is not there."""
    if not answer.reason.strip():
        raise BadCommand("a ruling needs its reason")
    _Details(table, answer.option, answer.details).read()


class _Details:
    """The details of a ruling, read and checked."""

    def __init__(self, table: PokerTable, option: str, raw: dict[str, Any]) -> None:
        self.table = table
        self.option = option
        self.raw = raw

    def read(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in self.raw.items():
            match key:
                case "seat" | "giver" | "taker":
                    found[key] = self._seat(value)
                case "amount":
                    found[key] = self._amount(value)
                case "card" | "new":
                    found[key] = self._card(value)
                case "pot":
                    found[key] = self._pot(value)
                case _:
                    found[key] = str(value)
        self._check(found)
        return found

    def _seat(self, value: Any) -> int:
        if not isinstance(value, int) or value not in self.table.state.seats:
            raise BadCommand(f"nobody sits at seat {value}")
        return value

    def _amount(self, value: Any) -> int:
        """Details carry money as every command does, in whole cents."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadCommand("an amount is a whole number of cents")
        if value <= 0 or value % self.table.smallest_chip:
            raise BadCommand(f"{write_money(value)} is no amount of chips of this table")
        return value

    def _pot(self, value: Any) -> int:
        played = self.table.state.round
        assert played is not None
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadCommand("a pot is named by its number")
        if not 0 <= value <= len(played.pots):
            raise BadCommand(f"there are {len(played.pots)} pots; there is no pot {value}")
        return value

    def _card(self, value: Any) -> Card:
        try:
            [card] = read_cards(str(value))
        except (CardError, ValueError) as error:
            raise BadCommand(f"{value!r} is not one card") from error
        return card

    def _check(self, found: dict[str, Any]) -> None:
        table = self.table
        played = table.state.round
        player = None
        if played is not None and "seat" in found:
            player = played.players.get(found["seat"])
            if player is None:
                raise BadCommand(f"seat {found['seat']} is not in the round")
        match self.option:
            case "dead hand" if player is not None and not player.active:
                raise BadCommand(f"seat {found['seat']} has no hand any more")
            case "give turn" if player is not None and (not player.active or player.all_in):
                raise BadCommand(f"seat {found['seat']} can take no turn")
            case "take action back":
                assert played is not None
                assert played.irregular is not None
                short = short_of_chips(table, played.irregular.before)
                if short is not None:
                    raise BadCommand(
                        f"the Action cannot be taken back: chips were moved since, and seat {short}"
                        " has not what it had in the round before it"
                    )
            case "return chips" if player is not None:
                assert played is not None
                most = _returnable(played, player, found["seat"], found.get("pot"))
                if found["amount"] > most:
                    where = "there" if "pot" in found else "in the round"
                    raise BadCommand(f"the seat has {write_money(most)} {where}, not more")
            case "move chips":
                stake = table.state.seats[found["giver"]].stake
                if found["amount"] > stake or found["giver"] == found["taker"]:
                    raise BadCommand(f"seat {found['giver']} has {write_money(stake)} to give")
            case "replace card":
                _place_of(table, found["card"])
                if table.state.settings.shoe == "reported":
                    table.check_reported((found["new"],))
            case "take card away":
                _, street = _place_of(table, found["card"])
                if street is None or played is None or not _is_surplus(played, street):
                    raise BadCommand(f"{found['card'].pretty} is no card too many on the board")
            case "change policy":
                try:
                    table.book.policies_with({found["policy"]: found["value"]})
                except RulebookError as error:
                    raise BadCommand(str(error)) from error
            case _:
                pass  # nothing to check


def _returnable(played: RoundState, player: Playing, seat: int, pot: int | None) -> int:
    """The most that can go back to a Player: of all he has put in, or of one place that is named.

    Whoever still contests a round and is not among those of a pot has paid nothing into it.
    """
    if pot is None:
        return player.total
    before_him = player.bet + player.dead
    if pot == 0:
        return before_him
    named = played.pots[pot - 1]
    if player.active and seat not in named.seats:
        return 0
    return min(player.total - before_him, named.amount)


def _place_of(table: PokerTable, card: Card) -> tuple[int | None, Street | None]:
    """Where a card lies that a ruling replaces: in a hand, or on the board."""
    played = table.state.round
    assert played is not None
    for seat, player in played.players.items():
        if card in player.cards:
            return seat, None
    for street in STREETS:
        if card in street_of(played, street):
            return None, street
    raise BadCommand(f"{card.pretty} lies neither in a hand nor on the board")


# -- carrying it out ---------------------------------------------------------------------------


@discretion.answered(RULING)
def ruled(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    details = _Details(table, taken.option, taken.details).read()
    cites = asked.cites
    table.emit(
        RulingMade(
            ruling=taken.option,
            details=taken.details,
            reason=taken.reason,
            who=taken.who,
            rank=taken.rank,
            cites=cites,
        )
    )
    _carry_out(table, taken.option, details, asked.about["what"], cites)
    table.emit(RulingCarriedOut(cites=cites))


def _carry_out(
    table: PokerTable, ruling: str, details: dict[str, Any], what: str, cites: tuple[str, ...]
) -> None:
    played = table.state.round
    match ruling:
        case "void":
            void_round(table, what, cites)
        case "misdeal":
            misdeal(table, what, cites)
        case "dead hand":
            dead_hand(table, details["seat"], what, cites)
        case "give turn":
            table.emit(TurnGiven(seat=details["seat"], cites=cites))
        case "take action back":
            assert played is not None
            assert played.irregular is not None
            last = played.irregular.last
            assert last is not None
            table.emit(ActionTakenBack(seat=last.seat, cites=cites))
        case "replace card":
            seat, street = _place_of(table, details["card"])
            given = (details["new"],) if "new" in details else ()
            [new] = table.next_cards(1, given)
            assert played is not None
            table.emit(
                CardExchanged(
                    card=details["card"],
                    new=new,
                    seat=seat,
                    street=street,
                    down=seat is not None or details["card"] in played.down,
                    cites=cites,
                )
            )
        case "deal street again":
            assert played is not None
            street = _street_to_deal_again(table, played)
            assert street is not None
            from croupier.poker.irregularities.community import shuffle_in

            take_back_street(table, street, cites)
            shuffle_in(table, street, cites)
        case "take card away":
            assert played is not None
            card = details["card"]
            _, street = _place_of(table, card)
            assert street is not None
            down = card in played.down
            table.emit(CardTakenAway(card=card, street=street, down=down, cites=cites))
        case "return chips":
            assert played is not None
            player = played.players[details["seat"]]
            left, named = details["amount"], details.get("pot", 0)
            bet = 0 if named else min(player.bet, left)
            dead = 0 if named else min(player.dead, left - bet)
            return_chips(
                table,
                details["seat"],
                bet=bet,
                dead=dead,
                pot=left - bet - dead,
                named=named,
                reason=what,
                cites=cites,
            )
        case "move chips":
            table.emit(
                ChipsMoved(
                    giver=details["giver"],
                    taker=details["taker"],
                    amount=details["amount"],
                    cites=cites,
                )
            )
        case "change policy":
            change_policy(table, details["policy"], details["value"], cites)
        case _:
            pass  # to continue, or to note it, changes nothing


@discretion.when(RulingMade)
def ruling_made(table: PokerTable, event: RulingMade) -> None:
    if table.state.round is None:
        return
    irregular = irregular_of(table)
    irregular.before_ruling = keep(table)
    irregular.ruled_by = event.rank.value
    irregular.rulings.append(event.ruling)


@discretion.when(RulingCarriedOut)
def ruling_carried_out(table: PokerTable, event: RulingCarriedOut) -> None:
    played = table.state.round
    if played is None:
        return
    irregular = irregular_of(table)
    if irregular.before_ruling:
        # A Misdeal begins the round anew: it has left nothing behind to go back to.
        irregular.after_ruling = keep(table)


@discretion.when(TurnGiven)
def turn_given(table: PokerTable, event: TurnGiven) -> None:
    played = table.state.round
    assert played is not None
    others = [seat for seat in played.betting.to_act if seat != event.seat]
    played.betting.to_act = [event.seat, *others]


@discretion.when(ActionTakenBack)
def action_taken_back(table: PokerTable, event: ActionTakenBack) -> None:
    irregular = irregular_of(table)
    before_ruling, ruled_by = irregular.before_ruling, irregular.ruled_by
    irregular = take_back(table, irregular.before)
    irregular.before_ruling, irregular.ruled_by = before_ruling, ruled_by


@discretion.when(CardExchanged)
def card_exchanged(table: PokerTable, event: CardExchanged) -> None:
    played = table.state.round
    assert played is not None
    table.take((event.new,))
    if event.seat is not None:
        player = played.players[event.seat]
        cards = player.cards
        to_be_looked_at_again(table, event.seat)
        player.exposed = [card for card in player.exposed if card is not event.card]
        exchange_dealt(played, event.card, event.new)
    else:
        assert event.street is not None
        cards = street_of(played, event.street)
        if event.card in played.down:
            played.down[played.down.index(event.card)] = event.new
        exchange_early(played, event.card, event.new)
    cards[cards.index(event.card)] = event.new
    played.discards.append(event.card)
    table.cards_moved = True


@discretion.when(CardTakenAway)
def card_taken_away(table: PokerTable, event: CardTakenAway) -> None:
    played = table.state.round
    assert played is not None
    street_of(played, event.street).remove(event.card)
    if event.down:
        played.down.remove(event.card)
    exchange_early(played, event.card, None)
    played.discards.append(event.card)
    table.cards_moved = True


@discretion.when(ChipsMoved)
def chips_moved(table: PokerTable, event: ChipsMoved) -> None:
    seats = table.state.seats
    seats[event.giver].stake -= event.amount
    seats[event.taker].stake += event.amount


# -- undoing it --------------------------------------------------------------------------------


@discretion.on(UndoRuling)
def undo_ruling(table: PokerTable, order: Order[UndoRuling]) -> None:
    cites = cites_of_rulings(table)
    played = table.state.round
    irregular = played.irregular if played is not None else None
    if irregular is None or not irregular.after_ruling:
        table.refuse_paragraphs(cites, "There is no ruling to be undone.")
    rank = StaffRank(irregular.ruled_by)
    if order.rank is StaffRank.HOUSE or not order.rank.is_at_least(rank):
        table.refuse_paragraphs(cites, f"This is for a {rank.title} or above to undo.")
    if keep(table) != irregular.after_ruling:
        table.refuse_paragraphs(cites, "Play has gone on since; the ruling stands.")
    table.emit(
        RulingUndone(reason=order.command.reason, who=order.who, rank=order.rank, cites=cites)
    )


@discretion.when(RulingUndone)
def ruling_undone(table: PokerTable, event: RulingUndone) -> None:
    bring_back(table, irregular_of(table).before_ruling)
    irregular_of(table).rulings.append("undone")
