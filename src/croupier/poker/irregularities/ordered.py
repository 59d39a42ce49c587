"""What a ruling at a poker table can order: each remedy, when it can be carried out, and how.

v8 5.16; in v5 a decision of the House. What each of them does to the table is applied in
`discretion` and `croupier.poker.remedies`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card
from croupier.poker.commands import STREETS, Street
from croupier.poker.dealing import CARDS_DUE
from croupier.poker.irregularities.community import shuffle_in
from croupier.poker.irregularities.dealing_again import (
    complete_street,
    missing_cards,
    street_lacking,
)
from croupier.poker.irregularities.events import (
    ActionTakenBack,
    CardExchanged,
    CardTakenAway,
    ChipsMoved,
    ExposedCardReplaced,
    ExposedInDeal,
    HandsDownAgain,
    TurnGiven,
)
from croupier.poker.irregularities.memory import (
    not_yet_counted,
    short_of_chips,
    substantial_action,
)
from croupier.poker.irregularities.streets import is_early, last_street, round_after, was_burnt
from croupier.poker.remedies import (
    change_policy,
    dead_hand,
    go_on_without,
    misdeal,
    return_chips,
    street_of,
    take_back_street,
    void_round,
)
from croupier.poker.state import RoundPlayer, RoundState
from croupier.rulebooks import Topic
from croupier.table import BadCommand, write_money
from croupier.table.decision import Ask
from croupier.table.remedy import Details, Remedies, Remedy, Ruling, asks, go_on, known_policy

if TYPE_CHECKING:
    from croupier.poker.irregularities.state import AnAction
    from croupier.poker.table import PokerTable


AS_THE_BURN = "replace exposed card"
"""What v8 5.5 says of one card exposed in the Initial Deal, as a ruling."""


# -- when a remedy is possible ------------------------------------------------------------------


def _under_way(table: PokerTable) -> bool:
    return table.playing()


def _can_be_dealt_anew(table: PokerTable) -> bool:
    """After Substantial Action no Misdeal can be declared, by a ruling neither (v8 5.3.7)."""
    if not (table.playing() and table.book.has(Topic.MISDEAL)):
        return False
    return not substantial_action(table)


def _has_hands(table: PokerTable) -> bool:
    return table.playing() and table.cards_are_out()


def _a_hand_can_be_dead(table: PokerTable) -> bool:
    if not _has_hands(table) or not table.book.has(Topic.DEAD_HAND):
        return False
    return table.alone(table.current_round()) is None


def _somebody_has_a_turn(table: PokerTable) -> bool:
    return table.state.phase == "betting"


def _an_action_is_kept(table: PokerTable) -> bool:
    if not table.playing():
        return False
    last = _last_action(table)
    if last is None:
        return False
    player = table.current_round().players[last.seat]
    return not player.left and (player.active or player.folded)  # a dead hand has no turn (1.15)


def _a_street_has_too_many(table: PokerTable) -> bool:
    return table.playing() and any(is_surplus(table.current_round(), street) for street in STREETS)


def _a_street_can_be_dealt_again(table: PokerTable) -> bool:
    return table.playing() and _street_to_deal_again(table) is not None


def _a_street_lacks_cards(table: PokerTable) -> bool:
    return table.playing() and street_lacking(table, table.current_round()) is not None


def _an_exposed_card_can_be_the_burn(table: PokerTable) -> bool:
    return table.playing() and _exposed_card(table) is not None


def _exposed_card(table: PokerTable) -> tuple[int, Card] | None:
    """The one card that was exposed in the deal, while it lies in a hand and can be the burn."""
    round_ = table.current_round()
    exposed = round_.irregular.exposed if round_.irregular is not None else []
    if len(exposed) != 1 or has_its_burn(round_) or table.alone(round_) is not None:
        return None
    [(_, card)] = exposed  # a hand that was put right may have it now
    if not card.is_known:
        return None  # it went back before anybody had named it
    holders = (seat for seat, player in round_.players.items() if card in player.cards)
    return next(((seat, card) for seat in holders), None)


def has_its_burn(round_: RoundState) -> bool:
    """Whether no card can be the burn before the flop any more: the flop is dealt, or a card has
    been burnt for it, which stays burnt when an early flop goes back (v8 5.11.2)."""
    return bool(round_.flop) or was_burnt(round_, "flop")


def _the_book_has_policies(table: PokerTable) -> bool:
    return bool(table.book.policies)


def is_surplus(round_: RoundState, street: Street) -> bool:
    """Whether a street has more cards than it should."""
    return len(street_of(round_, street)) > CARDS_DUE[street]


def _street_to_deal_again(table: PokerTable) -> Street | None:
    """The last street, if nobody has acted since and no showdown has begun. One that lies there too
    early only where the book does not say itself what becomes of it (v8 5.11)."""
    round_ = table.current_round()
    if table.state.phase in ("showdown", "settling") or round_.show_order:
        return None
    street = last_street(round_)
    if street is None or any(a.betting_round >= round_after(street) for a in round_.actions()):
        return None
    ruled = table.book.has(Topic.EARLY_COMMUNITY_CARD)
    return None if ruled and is_early(table, round_, street) else street


def _last_action(table: PokerTable) -> AnAction | None:
    irregular = table.current_round().irregular
    return irregular.last if irregular is not None else None


# -- what it asks for -----------------------------------------------------------------------------


def _a_card_and_its_successor(table: PokerTable) -> dict[str, Ask]:
    """Of a real shoe the next card must be said."""
    if table.state.settings.shoe == "reported":
        return {"card": "card", "new": "card"}
    return {"card": "card"}


def _cards_of_a_real_shoe(table: PokerTable) -> dict[str, Ask]:
    return {"cards": "cards"} if table.state.settings.shoe == "reported" else {}


def _chips_of_a_seat(table: PokerTable) -> dict[str, Ask]:
    """Where there are Side Pots: from before the player (0), the Main Pot (1), a Side Pot (2 …)."""
    if len(table.current_round().pots) > 1:
        return {"seat": "seat", "amount": "money", "pot": "number"}
    return {"seat": "seat", "amount": "money"}


# -- with what it cannot be carried out -----------------------------------------------------------


def _in_the_round(table: PokerTable, details: Details) -> RoundPlayer:
    seat = details["seat"]
    _taken(table, seat)
    player = table.current_round().players.get(seat)
    if player is None:
        raise BadCommand(f"seat {seat} is not in the round")
    return player


def _taken(table: PokerTable, seat: int) -> None:
    if seat not in table.state.seats:
        raise BadCommand(f"nobody sits at seat {seat}")


def _has_a_hand(table: PokerTable, details: Details) -> None:
    if not _in_the_round(table, details).active:
        raise BadCommand(f"seat {details['seat']} has no hand any more")


def _can_take_a_turn(table: PokerTable, details: Details) -> None:
    player = _in_the_round(table, details)
    if not player.active or player.all_in:
        raise BadCommand(f"seat {details['seat']} can take no turn")


def _chips_are_still_there(table: PokerTable, details: Details) -> None:
    irregular = table.current_round().irregular
    assert irregular is not None
    short = short_of_chips(table, irregular.before, but_gone=True)
    if short is not None:
        raise BadCommand(
            f"the Action cannot be taken back: chips were moved since, and seat {short}"
            " has not what it had in the round before it"
        )


def _lies_and_can_be_replaced(table: PokerTable, details: Details) -> None:
    _, street = _place_of(table, details["card"])
    _successor(table, details, street)


def _successor(table: PokerTable, details: Details, street: Street | None) -> tuple[Card, bool]:
    """The card that comes in place of another, and whether it will lie face down, so that nobody
    need say which it is."""
    down = street is None or details["card"] in table.current_round().down
    given = (details["new"],) if "new" in details else ()
    [new] = table.next_cards(1, given, unseen=down)
    return new, down


def _is_too_many(table: PokerTable, details: Details) -> None:
    _, street = _place_of(table, details["card"])
    if street is None or not is_surplus(table.current_round(), street):
        raise BadCommand(f"{details['card'].pretty} is no card too many on the board")


def _can_be_completed(table: PokerTable, details: Details) -> None:
    round_ = table.current_round()
    missing_cards(table, round_, _lacking(table), details.get("cards", ()))


def _lacking(table: PokerTable) -> Street:
    street = street_lacking(table, table.current_round())
    assert street is not None
    return street


def _chips(table: PokerTable, amount: int) -> None:
    if amount % table.smallest_chip:
        raise BadCommand(f"{write_money(amount)} is no amount of chips of this table")


def _has_put_them_in(table: PokerTable, details: Details) -> None:
    player = _in_the_round(table, details)
    round_, pot = table.current_round(), details.get("pot")
    _chips(table, details["amount"])
    if pot is not None and not 0 <= pot <= len(round_.pots):
        raise BadCommand(f"there are {len(round_.pots)} pots; there is no pot {pot}")
    most = _returnable(round_, player, details["seat"], pot)
    if details["amount"] > most:
        where = "there" if pot is not None else "in the round"
        raise BadCommand(f"the seat has {write_money(most)} {where}, not more")


def _returnable(round_: RoundState, player: RoundPlayer, seat: int, pot: int | None) -> int:
    """The most that can go back to a Player: of all he has put in, or of one place that is named.

    Whoever still contests a round and is not among those of a pot has paid nothing into it.
    """
    if pot is None:
        return player.total
    if pot == 0:
        return player.bet  # once there are pots to name, every dead post is in one of them
    named = round_.pots[pot - 1]
    if player.active and seat not in named.seats:
        return 0
    return min(player.total - player.bet, named.amount)


def _has_them_to_give(table: PokerTable, details: Details) -> None:
    giver, taker, amount = details["giver"], details["taker"], details["amount"]
    _taken(table, giver)
    _taken(table, taker)
    _chips(table, amount)
    stake = table.state.seats[giver].stake
    if amount > stake or giver == taker:
        raise BadCommand(f"seat {giver} has {write_money(stake)} to give")


def _place_of(table: PokerTable, card: Card) -> tuple[int | None, Street | None]:
    """Where a card lies that a ruling replaces: in a hand, or on the board. One of a real shoe that
    nobody has seen lies at no place by which it could be told from the others."""
    if not card.is_known:
        raise BadCommand("say which card it is")
    round_ = table.current_round()
    for seat, player in round_.players.items():
        if card in player.cards:
            return seat, None
    for street in STREETS:
        if card in street_of(round_, street):
            return None, street
    raise BadCommand(f"{card.pretty} lies neither in a hand nor on the board")


# -- what it does ---------------------------------------------------------------------------------


def _void(table: PokerTable, ruling: Ruling) -> None:
    void_round(table, ruling.what, ruling.cites)


def _misdeal(table: PokerTable, ruling: Ruling) -> None:
    misdeal(table, ruling.what, ruling.cites)


def _dead_hand(table: PokerTable, ruling: Ruling) -> None:
    dead_hand(table, ruling.details["seat"], ruling.what, ruling.cites)


def _give_turn(table: PokerTable, ruling: Ruling) -> None:
    table.emit(TurnGiven(seat=ruling.details["seat"], cites=ruling.cites))


def _take_action_back(table: PokerTable, ruling: Ruling) -> None:
    last = _last_action(table)
    assert last is not None
    table.emit(ActionTakenBack(seat=last.seat, alone=True, cites=ruling.cites))
    go_on_without(table)  # the other hands may have gone since


def _replace_card(table: PokerTable, ruling: Ruling) -> None:
    details = ruling.details
    seat, street = _place_of(table, details["card"])
    new, down = _successor(table, details, street)
    if seat is not None:
        _was_exposed(table, seat, details["card"])
    table.emit(
        CardExchanged(
            card=details["card"], new=new, seat=seat, street=street, down=down, cites=ruling.cites
        )
    )
    if seat is None or table.current_round().players[seat].active:
        _show_again(table, ruling)


def _was_exposed(table: PokerTable, seat: int, card: Card) -> None:
    """A card that was exposed in the deal is counted with the next one, whatever replaces it and
    however it was reported (v8 5.3.3, v5 5.1.3; A-69)."""
    if (seat, card) in not_yet_counted(table.current_round()):
        cites = table.paragraphs(Topic.ONE_CARD_EXPOSED, Topic.TWO_OR_MORE_EXPOSED)
        table.emit(ExposedInDeal(seat=seat, card=card, cites=cites))


def _show_again(table: PokerTable, ruling: Ruling) -> None:
    """Hands that were shown are worth what they are with the cards as they lie now."""
    round_ = table.current_round()
    shown = any(player.shown and player.active for player in round_.players.values())
    if shown and not round_.won_by_folds:
        table.emit(HandsDownAgain(cites=ruling.cites))


def _replace_exposed(table: PokerTable, ruling: Ruling) -> None:
    found = _exposed_card(table)
    assert found is not None
    replace_exposed(table, *found, cites=ruling.cites)


def replace_exposed(table: PokerTable, seat: int, card: Card, cites: tuple[str, ...] = ()) -> None:
    """v8 5.5: the card will be the burn before the flop, and its Player gets another."""
    [new] = table.next_cards(1, (), unseen=True)
    by = (*cites, *table.paragraphs(Topic.ONE_CARD_EXPOSED))
    table.emit(ExposedCardReplaced(seat=seat, card=card, new=new, cites=by))


def _take_card_away(table: PokerTable, ruling: Ruling) -> None:
    card = ruling.details["card"]
    _, street = _place_of(table, card)
    assert street is not None
    down = card in table.current_round().down
    table.emit(CardTakenAway(card=card, street=street, down=down, cites=ruling.cites))
    _show_again(table, ruling)


def _deal_street_again(table: PokerTable, ruling: Ruling) -> None:
    street = _street_to_deal_again(table)
    assert street is not None
    early = is_early(table, table.current_round(), street)
    take_back_street(table, street, ruling.cites, reopens=not early)
    shuffle_in(table, (street,), ruling.cites)


def _deal_missing_cards(table: PokerTable, ruling: Ruling) -> None:
    given = ruling.details.get("cards", ())
    complete_street(table, table.current_round(), _lacking(table), given, ruling.cites)
    _show_again(table, ruling)


def _return_chips(table: PokerTable, ruling: Ruling) -> None:
    details = ruling.details
    player = table.current_round().players[details["seat"]]
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
        reason=ruling.what,
        cites=ruling.cites,
    )


def _move_chips(table: PokerTable, ruling: Ruling) -> None:
    details = ruling.details
    table.emit(
        ChipsMoved(
            giver=details["giver"],
            taker=details["taker"],
            amount=details["amount"],
            cites=ruling.cites,
        )
    )


def _change_policy(table: PokerTable, ruling: Ruling) -> None:
    change_policy(table, ruling.details["policy"], ruling.details["value"], ruling.cites)


REMEDIES: Remedies[PokerTable] = Remedies(
    Remedy(name="continue", says="Play goes on as it stands; no card and no chip moves.", do=go_on),
    Remedy(
        name="void",
        says="No result: every chip goes back to whoever put it in, and the cards are collected.",
        possible=_under_way,
        do=_void,
    ),
    # A Misdeal begins the round anew: it leaves nothing behind to go back to.
    Remedy(
        name="misdeal",
        says="Every bet goes back, and the same round is shuffled, cut and dealt again.",
        possible=_can_be_dealt_anew,
        do=_misdeal,
        undone=False,
    ),
    Remedy(
        name="dead hand",
        says="The cards of the seat are out of play, its chips stay in the Pot, the others go on.",
        possible=_a_hand_can_be_dead,
        asks=asks(seat="seat"),
        check=_has_a_hand,
        do=_dead_hand,
    ),
    Remedy(
        name="give turn",
        says="The seat acts now; cards and chips stay where they lie.",
        possible=_somebody_has_a_turn,
        asks=asks(seat="seat"),
        check=_can_take_a_turn,
        do=_give_turn,
    ),
    Remedy(
        name="take action back",
        says="The last act counts as not done: its chips go back, and that seat acts again.",
        possible=_an_action_is_kept,
        check=_chips_are_still_there,
        do=_take_action_back,
    ),
    Remedy(
        name="replace card",
        says="The card goes to the discards and another takes its place; no chip moves.",
        possible=_has_hands,
        asks=_a_card_and_its_successor,
        check=_lies_and_can_be_replaced,
        do=_replace_card,
    ),
    Remedy(
        name=AS_THE_BURN,
        says="The exposed card will be the burn before the flop, and its player gets another.",
        possible=_an_exposed_card_can_be_the_burn,
        do=_replace_exposed,
    ),
    Remedy(
        name="take card away",
        says="A card too many goes from the board to the discards; no chip moves.",
        possible=_a_street_has_too_many,
        asks=asks(card="card"),
        check=_is_too_many,
        do=_take_card_away,
    ),
    Remedy(
        name="deal street again",
        says="The last street goes back, is shuffled into the shoe and dealt anew; no chip moves.",
        possible=_a_street_can_be_dealt_again,
        do=_deal_street_again,
    ),
    Remedy(
        name="deal missing cards",
        says="What the street lacks is dealt from the shoe; no chip moves.",
        possible=_a_street_lacks_cards,
        asks=_cards_of_a_real_shoe,
        asks_always=False,
        check=_can_be_completed,
        do=_deal_missing_cards,
    ),
    Remedy(
        name="return chips",
        says="Chips that the seat has put in go back to it; where there are Side Pots, from before "
        "the seat (0), the Main Pot (1) or a Side Pot (2 and so on).",
        possible=_under_way,
        asks=_chips_of_a_seat,
        check=_has_put_them_in,
        do=_return_chips,
    ),
    Remedy(
        name="move chips",
        says="One player gives chips to another, as after a Pot that went to the wrong one.",
        asks=asks(giver="seat", taker="seat", amount="money"),
        check=_has_them_to_give,
        do=_move_chips,
    ),
    Remedy(
        name="change policy",
        says="The rule is read otherwise from here on; cards and chips stay where they lie.",
        possible=_the_book_has_policies,
        asks=asks(policy="text", value="text"),
        check=known_policy,
        do=_change_policy,
    ),
    Remedy(name="note only", says="It is written down; no card and no chip moves.", do=go_on),
)
