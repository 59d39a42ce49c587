"""The patron's notice: what he disputes, what was ruled, his own money, his rights, the deadline.

It tells what he was allowed to see and no other card. One page of HTML that prints on A4.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from croupier.house.disputes.gathering import Gathered, on_clock
from croupier.house.disputes.records import MoneyLine, RulingLine, SeenLine
from croupier.house.disputes.settings import DisputeSettings
from croupier.house.documents import PAPER, facts_html, page_foot, page_head, text
from croupier.house.office.state import Dispute
from croupier.table.money import write_money

CHIPS, ACCOUNT, SAFE = "Chips at the table", "Account", "Kept safe at the table"


def notice_page(
    number: int,
    dispute: Dispute,
    gathered: Gathered,
    settings: DisputeSettings,
    *,
    linked: bool = False,
) -> str:
    """The notice for the patron of a dispute."""
    zone, content = settings.clock, gathered.content
    deadline = f"{dispute.deadline.astimezone(zone):%d %B %Y, %H:%M} ({settings.zone})"
    where = f"Table {dispute.place}" + (f", round {dispute.round}" if dispute.round else "")
    facts = (
        ("Dispute", f"No. {number}"),
        ("Patron", dispute.patron or "not named"),
        ("Where", where),
        ("When", f"{_day(content.begun, settings)} ({settings.zone})"),
        ("Rules", content.book),
        ("Taken by", f"{dispute.by}, {on_clock(dispute.at, zone)[:16]}"),
    )
    parts = [
        page_head(
            f"Dispute {number}: notice to the patron", styles=(PAPER, "notice"), linked=linked
        ),
        f'<p class="house">{text(settings.house)}</p>\n' if settings.house else "",
        "<h1>Notice of a dispute</h1>\n",
        facts_html(facts),
        f"<section><h2>What you say</h2>\n<p class='claim'>{text(dispute.claim)}</p></section>\n",
        _deadline(deadline, settings),
        "<section><h2>Your rights</h2>\n<ol class='rights'>",
        *(f"<li>{text(right)}</li>" for right in settings.rights),
        "</ol></section>\n",
        _rulings(content.rulings),
        _money(gathered.own),
        _settled(dispute, settings),
        _seen(gathered.seen),
        '<div class="sign"><p>Patron</p><p>For the House</p></div>\n',
        _record(dispute),
        page_foot(zone),
    ]
    return "".join(parts)


def _record(dispute: Dispute) -> str:
    if not dispute.sha256:
        return ""
    what = "round" if dispute.round else "ruling"
    return (
        f'<section><h2>The record</h2><p class="note">The House has sealed the record of this '
        f"{what}. Note down its digest: with it anybody can tell whether the record was changed."
        f'</p><p class="digest">{text(dispute.sha256)}</p></section>\n'
    )


def _day(at: str, settings: DisputeSettings) -> str:
    return on_clock(datetime.fromisoformat(at), settings.clock)[:19]


def _deadline(deadline: str, settings: DisputeSettings) -> str:
    where = f"<p>{text(settings.inspector)}</p>" if settings.inspector else ""
    return (
        '<div class="deadline">You may take this further until '
        f"<strong>{text(deadline)}</strong>{where}</div>\n"
    )


def _rulings(rulings: Iterable[RulingLine]) -> str:
    """What was ruled, in words that everybody may read."""
    told = "".join(
        f"<li><time>{text(line.clock[11:19])}</time><span>{text(line.says)} "
        f'<span class="cites">{text(line.who)}, {text(line.rank)}'
        f"</span>{_cites(line.cites)}</span></li>"
        for line in rulings
    )
    none = '<p class="none">Nobody ruled anything in it.</p>'
    inner = f'<ul class="said">{told}</ul>' if told else none
    return f"<section><h2>What was ruled</h2>\n{inner}</section>\n"


def _money(own: list[MoneyLine]) -> str:
    if not own:
        return ""
    rows = "".join(
        f'<tr><td data-label="Where">{text(_where(line.account))}</td>'
        f'<td class="money" data-label="Before">{write_money(line.held_before)}</td>'
        f'<td class="money" data-label="After">{write_money(line.held_after)}</td>'
        f'<td class="money{" less" if line.amount < 0 else ""}" data-label="Change">'
        f"{'+' if line.amount > 0 else ''}{write_money(line.amount)}</td></tr>"
        for line in own
    )
    return (
        '<section><h2>Your money</h2>\n<table class="sums"><thead><tr><th>where</th>'
        '<th class="money">before</th><th class="money">after</th><th class="money">change</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></section>\n"
    )


def _where(account: str) -> str:
    if account.startswith("player/"):
        return ACCOUNT
    return SAFE if "/safekeeping/" in account else CHIPS


def _settled(dispute: Dispute, settings: DisputeSettings) -> str:
    settled = dispute.settled
    if settled is None:
        return ""
    who = ", ".join(filter(None, (settled.inspector, settled.inspector_rank)))
    by = f"Decided by the inspector: {who}" if settled.is_last_word else "Agreed with the House"
    when = on_clock(settled.at, settings.clock)[:16]
    return (
        f"<section><h2>Settled</h2><p><strong>{text(settled.outcome)}</strong></p>"
        f'<p class="note">{text(by)}; recorded by {text(settled.by)}, {text(when)}.</p></section>\n'
    )


def _seen(seen: list[SeenLine]) -> str:
    told = "".join(
        f"<li><time>{text(line.clock[11:19])}</time><span>{text(line.says)}"
        f"{_cites(line.cites)}</span></li>"
        for line in seen
    )
    return (
        "<section><h2>The round as you were allowed to see it</h2>\n"
        f'<ul class="said">{told}</ul></section>\n'
    )


def _cites(cites: tuple[str, ...]) -> str:
    return f' <span class="cites">§&nbsp;{text(", ".join(cites))}</span>' if cites else ""
