"""The report of poker odds, and the answers of `lab equity` and `lab rake` as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from croupier.cards import pretty_cards, write_cards
from croupier.lab import charts
from croupier.lab.answer_types import stamped
from croupier.lab.equity import Equity, Odds, Share
from croupier.lab.rake import HANDS, RakeCost, Shape, Terms, Timed
from croupier.lab.report import Chart, Grid, Heading, Part, Report
from croupier.lab.report_words import percent


def equity_answer(found: Equity) -> dict[str, Any]:
    """What `lab equity --json` prints."""
    answer = {
        "exact": found.exact,
        "board": write_cards(found.board),
        "dead": write_cards(found.dead),
        "deals": int(found.deals),
        "boards": found.boards,
        "seed": found.seed,
        "players": [_player_answer(odds) for odds in found.players],
    }
    return stamped("equity", answer)


def _player_answer(odds: Odds) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "range": odds.range.text,
        "hands": float(odds.remaining),
        "hands_named": float(odds.range.size),
        "equity": float(odds.equity),
        "win": float(odds.win),
        "tie": float(odds.tie),
    }
    if isinstance(odds.equity, Fraction):
        answer["equity_exact"] = str(odds.equity)
    if odds.interval is not None:
        answer["interval_95"] = list(odds.interval)
    if odds.by_hand:
        answer["by_hand"] = {
            name: {"equity": float(share), "held": float(held)}
            for name, (share, held) in odds.by_hand.items()
        }
    return answer


STREETS = {0: "Before the flop", 3: "Flop", 4: "Turn", 5: "River"}


def streets_answer(streets: Sequence[Equity]) -> dict[str, Any]:
    """What `--by-street` adds: the odds of each player on each board."""
    if not streets:
        return {}
    return {
        "by_street": [
            {
                "street": STREETS[len(found.board)],
                "board": write_cards(found.board),
                "exact": found.exact,
                "equity": [float(odds.equity) for odds in found.players],
            }
            for found in streets
        ]
    }


def street_rows(streets: Sequence[Equity]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The same as a table: headings, and a row for each street."""
    heads = ("Street", *(_short(odds.range.text) for odds in streets[0].players))
    rows = [
        (
            f"{STREETS[len(found.board)]} {write_cards(found.board)}".strip(),
            *(
                percent(float(odds.equity), 3) + ("" if found.exact else " ±")
                for odds in found.players
            ),
        )
        for found in streets
    ]
    return heads, rows


def equity_report(found: Equity, streets: Sequence[Equity] = (), *, made_by: str = "") -> Report:
    """The odds as bars, a table, and a square of hands for each range."""
    parts: list[Part] = [
        Chart(
            charts.shares(
                [
                    (_short(odds.range.text), (float(odds.win), _split(odds)))
                    for odds in found.players
                ],
                label="Share of the pot of each player",
            ),
            "Share of the pot",
            "Blue: won alone. Orange: the player's part of pots that are split.",
        ),
        Grid(
            title="Odds",
            headings=("Range", "Hands>", "Equity>", "Wins>", "Ties>", "95% interval>"),
            rows=tuple(
                (
                    odds.range.text,
                    hands_of(odds),
                    percent(float(odds.equity), 3),
                    percent(float(odds.win), 3),
                    percent(float(odds.tie), 3),
                    "exact"
                    if odds.interval is None
                    else " to ".join(percent(end, 3) for end in odds.interval),
                )
                for odds in found.players
            ),
            caption=how_found(found),
        ),
    ]
    if streets:
        heads, rows = street_rows(streets)
        parts.append(
            Grid(
                title="Equity by street",
                headings=(heads[0], *(f"{name}>" for name in heads[1:])),
                rows=tuple(rows),
                caption="± marks what is sampled.",
            )
        )
    for number, odds in enumerate(found.players, 1):
        if len(odds.by_hand) > 1:
            values = {name: float(share) for name, (share, _) in odds.by_hand.items()}
            parts += [
                Heading(f"Player {number}: {_short(odds.range.text)}"),
                Chart(
                    charts.heat_map(
                        values,
                        label=f"Equity of each starting hand of player {number}",
                        write=lambda share: f"{share:.1%}",
                        middle=0.5,
                    ),
                    "Equity of each hand of the range",
                    "Suited hands above the diagonal, mixed below. Blue is more than half of the "
                    "pot.",
                ),
            ]
    against = " against ".join(_short(odds.range.text) for odds in found.players)
    return Report(title=against, subtitle=_where(found), parts=tuple(parts), made_by=made_by)


def hands_of(odds: Odds) -> str:
    """How many pairs of cards remain; where some are gone, of how many."""
    remain, named = float(odds.remaining), float(odds.range.size)
    return f"{remain:,.7g}" + ("" if remain == named else f" of {named:,.7g}")


def where(found: Equity) -> str:
    """Board and dead cards, as they were given."""
    board = f"Board {write_cards(found.board)}" if found.board else "Before the flop"
    return board + (f"; dead {write_cards(found.dead)}" if found.dead else "") + "."


def how_found(found: Equity) -> str:
    """Whether the figures are exact, and if not, how they were drawn."""
    if found.exact:
        each = f"{found.boards:,} boards for each way to hold the hands"
        return f"Exact: every deal counted, {each}."
    return (
        f"Sampled: {int(found.deals):,} deals drawn with seed {found.seed}; the true figure "
        "lies in a 95% interval 19 times in 20."
    )


def _where(found: Equity) -> str:
    board = f"Board {pretty_cards(found.board)}" if found.board else "Before the flop"
    return board + (f"; dead {pretty_cards(found.dead)}" if found.dead else "") + "."


def _short(text: str) -> str:
    return text if len(text) <= 28 else text[:27] + "…"


def _split(odds: Odds) -> float:
    share: Share = odds.equity
    return float(share) - float(odds.win)


def rake_answer(cost: RakeCost, terms: Terms | Timed, mix: tuple[Shape, ...]) -> dict[str, Any]:
    """What `lab rake --json` prints. Money is in whole units of the table."""
    answer: dict[str, Any] = {
        "book": cost.book,
        "hands": HANDS,
        "players": cost.players,
        "big_blind": cost.big_blind / 100,
        "rake": float(cost.per_hundred / 100),
        "rake_exact": str(cost.per_hundred / 100),
        "rake_per_player": float(cost.per_player / 100),
        "big_blinds_per_player": float(cost.big_blinds),
        "paragraphs": list(cost.cites),
    }
    if isinstance(terms, Terms):
        answer |= {
            "percentage": float(terms.share * 100),
            "cap": None if terms.cap is None else terms.cap / 100,
            "effective_percentage": float(cost.effective * 100),
            "hands_at_cap": float(cost.capped),
            "assumed_mix": [
                {
                    "what": shape.what,
                    "share": float(shape.share),
                    "pots_in_big_blinds": [float(pot) for pot in shape.pots],
                    "uncalled_raise": float(shape.uncalled_raise),
                    "rake": charged / 100,
                }
                for shape, (_, charged) in zip(mix, cost.largest, strict=True)
            ],
        }
    return stamped("rake", answer)
