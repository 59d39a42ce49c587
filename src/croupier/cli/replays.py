"""Rounds and cases written as one page that plays them again: `case open`, `audit round --page`."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path
from typing import Any

import click

from croupier.formats.errors import FormatError
from croupier.formats.export import export_rounds, formats_for, read_log
from croupier.house.replays import replay_round, round_log
from croupier.house.store import Store
from croupier.live.bots.true_equity import equities
from croupier.pit import GAMES, CaseResult
from croupier.pit.replay import EVERYTHING, Replay
from croupier.pit.replay_case import case_log, replay_case
from croupier.site.replay_page import page_of


def page_of_case(result: CaseResult) -> str:
    """A case, seen whole, by everybody, and by each who was there."""
    whole = replay_case(result, GAMES, EVERYTHING)
    others = [replay_case(result, GAMES, name) for name in ("", *whole.players)]
    return page_of(
        [whole, *others],
        equities=known_equities(whole),
        files=files_of(whole.rulebook, case_log(result, whole.place), rounds=None),
    )


def page_of_round(store: Store, place: str, number: int) -> str:
    """A finished round of a House, seen whole, by everybody, and by each who was there."""
    whole = replay_round(store, place, number, EVERYTHING)
    others = [replay_round(store, place, number, name) for name in ("", *whole.players)]
    _, log = read_log(round_log(store, place, number))
    return page_of(
        [whole, *others],
        equities=known_equities(whole),
        files=files_of(whole.rulebook, log, rounds=(number,)),
    )


def known_equities(replay: Replay) -> dict[int, Any]:
    """What each hand was worth at every step at which that can be said."""
    found = ((step, equities(replay, step, by_lab=False)) for step in range(len(replay.steps)))
    return {step: one for step, one in found if one.hands}


def files_of(rulebook: str, log: Any, rounds: Any) -> dict[str, str]:
    """A log in every format that can tell it."""
    book = GAMES.load(rulebook)
    log = list(log)
    made = {}
    for form in formats_for(book):
        try:
            text = b"".join(export_rounds(log, book, form.name, rounds=rounds)).decode()
        except FormatError:
            continue
        if text:
            made[form.name] = text
    return made


def show_page(page: str, out: Path | None, browser: bool) -> None:
    """Write a page to a file; without one, open it in the browser."""
    if out is not None:
        out.write_text(page, encoding="utf-8", newline="\n")
        click.echo(f"Written to {out}: open it in any browser.")
        return
    with tempfile.NamedTemporaryFile(
        "w", suffix=".html", prefix="croupier-", delete=False, encoding="utf-8"
    ) as file:
        file.write(page)
    path = Path(file.name)
    opened = browser and webbrowser.open(path.as_uri())
    click.echo(f"{'Opened' if opened else 'Open it in a browser:'} {path}")
