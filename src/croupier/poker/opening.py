"""Opening a table: what its sign, its layout and its charge must be before anybody plays.

v8 1.8, 2.1.1, 3.4, 3.7, 4.1 to 4.1.2; v5 2.1.1, 3.2, 4.1.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from croupier.poker.settings import PokerSettings, RakeSettings, rate_of
from croupier.rulebooks import Cites, Topic, Ways, names_of, number_of, share_of
from croupier.table import BadCommand
from croupier.table.actor import check_house_rank
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable


LAYOUTS = names_of("layouts")
BIG_BLIND = number_of("big-blind")
TIMED_RAKE = Ways("rake-forms", {"percentage-or-timed": True, "percentage": False})
RAKE_BY_TIME = Cites(Topic.RAKE_TIMED)
RAKE_CEILING = share_of("rake-ceiling")
LONGEST_PERIOD = 366 * 24 * 60
"""Of the timed Rake, in minutes: when it is over must be a time. A limit on everything."""
PERCENTAGE = re.compile(r"-?[0-9]*\.?[0-9]+")
"""As it is written on a sign; whether it can be taken is asked next."""


def check_settings(table: PokerTable, settings: PokerSettings, when: datetime) -> None:
    """Refuse a table that its book does not allow; an error for what cannot be."""
    _check_sense(settings)
    book = table.book
    small, big = settings.blinds
    if big != small * table.by_book[BIG_BLIND]:
        table.refuse(
            Topic.BIG_BLIND,
            f"The Big Blind is twice the Small Blind: with {write_money(small)} it is "
            f"{write_money(2 * small)}, not {write_money(big)}.",
        )
    layouts = table.by_book[LAYOUTS]
    if settings.layout not in layouts:
        shown = settings.layout or "none"
        table.refuse(
            Topic.APPROVED_LAYOUT, f"The layout is one of {', '.join(layouts)}, not {shown}."
        )
    if settings.betting_limit is not None:
        table.refuse(Topic.NO_LIMIT, "The betting structure is No Limit: there is no highest bet.")
    if book.has(Topic.MAXIMUM_TABLE_STAKE):
        if settings.maximum_stake is None:
            table.refuse(Topic.MAXIMUM_TABLE_STAKE, "State the most that a Player may bring.")
    elif settings.maximum_stake is not None:
        raise BadCommand(f"{book.short} has no maximum Table stake")
    if settings.straddle and not book.has(Topic.STRADDLE):
        raise BadCommand(f"{book.short} has no straddle")
    _check_rake(table, settings.rake, settings.smallest_chip)
    if not settings.sign and table.by_book[TIMED_RAKE]:
        # v8 4.1 to 4.1.2: where there is a choice of charges, a sign says which; v5 asks for none.
        table.refuse_with(
            (Topic.RAKE, Topic.TABLE_STAKE_ON_ENTRY),
            "A table opens with a sign that shows its stakes and its Rake.",
        )
    if book.superseded(when) and not settings.opened_knowingly:
        table.refuse_with(
            (Topic.APPROVAL, Topic.CALL_FOR_BLINDS),
            f"{book.short} has been superseded by {book.superseded_by}; "
            "a table under it must be opened knowingly.",
        )


def _check_sense(settings: PokerSettings) -> None:
    """Amounts that make sense at all."""
    chip = settings.smallest_chip
    if chip <= 0 or settings.blinds[0] <= 0:
        raise BadCommand("chips and Blinds are more than nothing")
    amounts = {
        "blinds": settings.blinds,
        "chips": settings.chips,
        "minimum_stake": (settings.minimum_stake,),
        "maximum_stake": (settings.maximum_stake or 0,),
    }
    for name, values in amounts.items():
        for value in values:
            if value < 0 or value % chip:
                raise BadCommand(
                    f"{name}: {write_money(value)} is not a whole number of the smallest chip, "
                    f"{write_money(chip)}"
                )
    if settings.minimum_stake <= 0:
        raise BadCommand("minimum_stake: the least Table Stake is more than nothing")
    if settings.maximum_stake is not None and settings.maximum_stake < settings.minimum_stake:
        raise BadCommand("maximum_stake: the most is less than the least")
    check_house_rank(settings.house_rank)


def _check_rake(table: PokerTable, rake: RakeSettings | None, smallest: int) -> None:
    """One form of charge, displayed: a percentage with its cap, or a timed amount."""
    forms = 0 if rake is None else (rake.percent is not None) + (rake.timed is not None)
    if rake is None or forms == 0:
        table.refuse(Topic.RAKE, "A table opens with a form of Rake.")
    if forms == 2:
        table.refuse(Topic.RAKE, "The Rake is a percentage or timed, not both.")
    if rake.timed is not None:
        if not table.by_book[TIMED_RAKE]:
            table.refuse(Topic.RAKE, "In this game the Rake is a percentage.")
        if rake.timed <= 0 or rake.timed % smallest:
            raise BadCommand(
                f"rake.timed: an amount is more than nothing, in chips of the table, the smallest "
                f"is {write_money(smallest)}"
            )
        if rake.minutes > LONGEST_PERIOD:
            raise BadCommand("rake.minutes: the period of the timed Rake is a year at most")
        return
    if not PERCENTAGE.fullmatch(str(rake.percent)):
        raise BadCommand(f"rake.percent: {rake.percent!r} is not a percentage")
    rate = rate_of(rake)
    if not 0 <= rate <= 1:
        raise BadCommand(f"rake.percent: {rake.percent} is not between 0 and 100")
    if table.book.has(Topic.RAKE_CEILING):
        ceiling = table.by_book[RAKE_CEILING]
        if rate > ceiling:
            table.refuse(Topic.RAKE_CEILING, f"The Rake is at most {ceiling * 100}%.")
    if rake.cap is None:
        table.refuse(Topic.RAKE_CAP, "A percentage Rake has an overall cap.")
    if rake.cap < 0 or rake.chip <= 0 or rake.cap % rake.chip:
        raise BadCommand(
            "rake.cap: the cap is a whole number of the chips that the Rake is taken in"
        )
    if rate and rake.chip % smallest:
        raise BadCommand(
            f"rake.chip: the Rake is taken in chips of the table, the smallest is "
            f"{write_money(smallest)}, not in {write_money(rake.chip)}"
        )
