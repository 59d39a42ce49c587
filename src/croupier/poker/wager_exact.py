"""Reading chips over the line: Poker v5 counts what lies there, and nothing else.

Words have no effect, a large chip counts for its full value (P-24). A raise that is too small is
refused, and staff choose between a Call with change and a whole raise (P-25).
"""

from __future__ import annotations

from croupier.poker.wager_seen import ReadAction, Reading, Seen, Situation
from croupier.rulebooks import Topic
from croupier.table.money import write_money


def read_exact_total(s: Situation, seen: Seen, smallest_bet: int) -> Reading:
    """What chips over the line, a tap or cards over the line are; words are not heard."""
    if seen.then_folds or seen.gesture == "cards forward":
        return _fold(s, seen)
    placed = sum(seen.chips) + sum(seen.later)
    if not placed:
        return _without_chips(s, seen)
    total = s.bet + placed
    amount = write_money(total)
    if not s.may_raise and total > s.price:
        return _not_open(s, placed)
    if placed == s.stake:
        return _made(
            "all in", s, total, (Topic.ALL_IN,), "All chips of the seat are over the line."
        )
    if s.unopened:
        if total < smallest_bet:
            least = write_money(smallest_bet)
            return _again(s, placed, Topic.MINIMUM_BET, f"A bet is at least {least}, not {amount}.")
        return _made("bet", s, total, (Topic.OPENING_BET,), f"{amount} are over the line: a bet.")
    if total < s.price:
        price = write_money(s.price)
        return _again(s, placed, Topic.CALL, f"{amount} are over the line; to Call takes {price}.")
    if total == s.price:
        return _made("call", s, total, (Topic.CALL,), f"{amount} are over the line: a Call.")
    if total < s.raise_to:
        least = write_money(s.raise_to)
        return Reading(
            action="ask again",
            to=s.bet,
            back=placed,
            below_minimum=True,
            topics=(Topic.MINIMUM_RAISE,),
            says=f"{amount} are over the line; the least raise is to {least}.",
        )
    return _made("raise", s, total, (Topic.RAISE,), f"{amount} are over the line: a raise.")


def _not_open(s: Situation, placed: int) -> Reading:
    """Whoever may not raise is held to the Call, and what is above it goes back."""
    if s.unopened:
        says = "A BET is not open here."
        return Reading(action="ask again", to=s.bet, back=placed, bar=s.bar, says=says)
    return Reading(
        action="call" if s.owed > 0 else "check",
        to=s.price,
        back=placed - max(0, s.owed),
        topics=(Topic.CALL if s.owed > 0 else Topic.CHECK,),
        bar=s.bar,
        says="A Raise is not open here: what goes over the Call goes back.",
    )


def _without_chips(s: Situation, seen: Seen) -> Reading:
    if seen.gesture != "tap":
        says = "No chips and no cards are over the line: words alone have no effect."
        return _again(s, 0, Topic.OPENING_BET if s.unopened else Topic.CALL, says)
    if s.owed > 0:
        says = f"A Check is not open: {write_money(s.owed)} are owed."
        return _again(s, 0, Topic.CHECK, says)
    return _made("check", s, s.bet, (Topic.CHECK,), "A tap on the table: a Check.")


def _fold(s: Situation, seen: Seen) -> Reading:
    """Cards over the line are a fold. What becomes of chips that were put there on the same turn
    the text does not say (P-21); a wager that was made before is reported by itself."""
    back = sum(seen.chips) + sum(seen.later)
    unruled = "put chips over the line and folded on the same turn" if back else ""
    says = "The cards are over the line: a fold."
    return Reading(
        action="fold", to=s.bet, back=back, topics=(Topic.FOLD,), says=says, unruled=unruled
    )


def _made(action: ReadAction, s: Situation, to: int, topics: tuple[str, ...], says: str) -> Reading:
    return Reading(action=action, to=to, topics=topics, says=says)


def _again(s: Situation, placed: int, topic: str, says: str) -> Reading:
    return Reading(action="ask again", to=s.bet, back=placed, topics=(topic,), says=says)
