"""The rules of a jackpot as players may read them: funding, seed, ceiling, several winners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.jackpot.claims import AT_ONE_TABLE
from croupier.rulebooks import ShareOfMeter
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink


def jackpot_rules(link: JackpotLink) -> list[str]:
    """What a player may know of this jackpot, sentence by sentence."""
    settings, book, policies = link.state.settings, link.book, link.state.policies
    if settings.contribution is not None:
        adds = f"Each accepted Progressive Jackpot bet adds {write_money(settings.contribution)}."
    else:
        adds = f"{settings.contribution_rate}% of each accepted Progressive Jackpot bet is added."
    shares = [
        f"{line.id.rsplit('.', 1)[-1].replace('-', ' ')} {line.pays}"
        for line in book.pay("progressive").lines
        if isinstance(line.pays, ShareOfMeter)
    ]
    told = [
        f"The jackpot starts at {write_money(settings.reset_value)} and goes back to it when won.",
        adds,
        f"Shares of the jackpot: {', '.join(shares)}.",
    ]
    if policies["partial-award"] == "deduct":
        told.append("A share that is paid lowers the jackpot by that amount.")
    if settings.reserve_rate != "0":
        told.append(f"{settings.reserve_rate}% of what is added is kept for the next jackpot.")
    if settings.ceiling is not None:
        told.append(
            f"The jackpot shows at most {write_money(settings.ceiling)}; more is kept for later."
        )
    if link.by_book[AT_ONE_TABLE]:
        told.append("Several winners at one table are paid clockwise, each from what is left.")
    told.append("Winners at several tables are paid in the order in which their hands were dealt.")
    # B-63: what was not said beforehand may not be recovered.
    told.append("A void round or an invalidated hand wins nothing: its award is given back.")
    return told
