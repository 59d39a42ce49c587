"""The banked catalogue of the ruling desk: everything in it answers, nothing in it is idle, it
reaches all of section 5, and what it says is what a table does that was played there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from croupier.pit import GAMES
from croupier.pit.incidents import Incident, catalogue_of, combinations, staged
from croupier.pit.question import Answer, Question, ask, cards_named
from croupier.pit.rehearsal import Rehearsal
from croupier.pit.ruling import Ruling, rule_on
from croupier.pit.situation import Contradiction

V6 = "progressive-texas-holdem-v6"
V2 = "multi-link-progressive-v2"
V3 = "multi-link-progressive-v3"
BOOKS = (V6, V2, V3)
CATALOGUE = catalogue_of("banked")


def of(book: str) -> list[Incident]:
    """The incidents that can come about under a book."""
    return [incident for incident in CATALOGUE.incident if incident.fits(GAMES.load(book))]


ALL = [(book, incident.name) for book in BOOKS for incident in of(book)]


@cache
def asked(book: str, name: str) -> Answer:
    """An incident of which nothing is known."""
    return ask(Question(rulebook=book, incident=name), GAMES)


def ways(book: str, name: str) -> list[dict[str, str]]:
    loaded = GAMES.load(book)
    incident = CATALOGUE.find(name, loaded)
    return list(combinations(CATALOGUE.facts_of(incident, loaded), {}))


@cache
def every_answer(book: str) -> list[tuple[str, dict[str, str], Answer]]:
    """Every incident in every combination of its facts."""
    return [
        (incident.name, way, ask(Question(rulebook=book, incident=incident.name, facts=way), GAMES))
        for incident in of(book)
        for way in ways(book, incident.name)
    ]


# -- all of it answers ----------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_every_incident_in_every_combination_has_a_ruling(book: str) -> None:
    for name, way, answer in every_answer(book):
        ruling = answer.ruling
        assert not answer.impossible, (name, way, answer.impossible)
        assert ruling is not None, (name, way)
        assert ruling.headline.endswith((".", "?")), (name, way, ruling.headline)
        assert ruling.paragraphs, (name, way)
        assert ruling.kind != "refused", (name, way)


@pytest.mark.parametrize("book", BOOKS)
def test_a_ruling_names_no_cards_and_nothing_of_the_stage(book: str) -> None:
    for name, way, answer in every_answer(book):
        assert answer.ruling is not None
        told = msgspec.json.encode(msgspec.structs.replace(answer.ruling, paragraphs=())).decode()
        for word in ("♠", "♥", "♦", "♣", "table table", "Jackpot main", "as asked at the desk"):
            assert word not in told, (name, way, word)


@pytest.mark.parametrize("book", BOOKS)
def test_there_are_never_too_many_ways_to_try(book: str) -> None:
    most = {incident.name: len(ways(book, incident.name)) for incident in of(book)}
    assert max(most.values()) <= 64, most


def test_no_fact_is_idle() -> None:
    """It changes the ruling in one book at least; a place changes what is said of it."""
    for name in {name for _, name in ALL}:
        books = [book for book, each in ALL if each == name]
        facts = CATALOGUE.facts_of(CATALOGUE.find(name, GAMES.load(books[0])), GAMES.load(books[0]))
        telling = {fact.name for book in books for fact in asked(book, name).open}
        idle = {f.name for f in facts if f.kind != "place"} - telling
        assert not idle, (name, idle)


def test_a_place_is_where_the_ruling_says_it_is() -> None:
    for book, name in ALL:
        placed = [way for way in ways(book, name) if "box" in way]
        for way in placed[:1]:
            told = {
                msgspec.json.encode(ruling)
                for box in ("1", "2", "3")
                if (ruling := _ruling(book, name, {**way, "box": box})) is not None
            }
            assert len(told) == 3, (book, name)


def _ruling(book: str, name: str, facts: dict[str, str]) -> Ruling | None:
    return ask(Question(rulebook=book, incident=name, facts=facts), GAMES).ruling


def test_about_ten_are_common_and_every_group_has_something() -> None:
    for book in BOOKS:
        incidents = of(book)
        assert 10 <= sum(incident.common for incident in incidents) <= 24
        assert {i.group for i in incidents} == {group.name for group in CATALOGUE.group}


# -- all of section 5 -----------------------------------------------------------------------------

NOT_REACHED = {
    "5": "a heading",
}
"""Paragraphs of section 5 that no incident cites, and why."""


def cited(ruling: Ruling) -> Iterator[str]:
    """Every paragraph that a ruling rests on, also those of what may be chosen."""
    yield from ruling.cites
    for decision in ruling.decisions:
        yield from decision.cites
        for option in decision.options:
            for sentence in option.then:
                yield from sentence.cites


@pytest.mark.parametrize("book", BOOKS)
def test_every_paragraph_of_section_5_is_cited_by_some_incident(book: str) -> None:
    reached = {id for _, _, a in every_answer(book) if a.ruling is not None for id in cited(a.ruling)}
    wanted = {
        id
        for id, paragraph in GAMES.load(book).paragraphs.items()
        if id.split(".")[0] == "5" and paragraph.executable != "physical"
    }
    assert wanted - reached == NOT_REACHED.keys() & wanted


def test_every_report_occurs() -> None:
    raw = msgspec.to_builtins(CATALOGUE)
    done = {step["do"] for step in _steps(raw) if "do" in step}
    words = {*GAMES.games[V3].words, *(GAMES.link.words if GAMES.link is not None else ())}
    assert {word for word in words if word.startswith("report ")} <= done


def _steps(raw: Any) -> Iterator[dict[str, Any]]:
    if isinstance(raw, dict):
        if "do" in raw:
            yield raw
        for value in raw.values():
            yield from _steps(value)
    elif isinstance(raw, list | tuple):
        for value in raw:
            yield from _steps(value)


# -- two ways to the same state --------------------------------------------------------------------

WINDOWS = ("first decision", "turn decision", "river decision")
STREETS = ("flop", "turn", "river")


def by_plain_commands(raw: dict[str, Any]) -> dict[str, Any]:
    """The same question without `now`: every order that leads there, one by one."""
    raw = dict(raw)
    now = raw.pop("now", None)
    if now is None:
        return raw
    boxes = {int(n): box for n, box in raw["boxes"].items()}
    in_order = sorted(boxes)
    steps: list[dict[str, Any]] = [{"do": "call for bets"}]
    for n in in_order:
        player = boxes[n]["player"]
        for bet in ("ante", "bonus", "progressive"):
            if boxes[n].get(bet):
                order = {"do": f"place {bet}", "box": n, "player": player}
                amount = boxes[n][bet]
                steps.append(order if amount is True else {**order, "amount": amount})
    if now["stage"] != "bets open":
        steps += _dealt_and_decided(now, in_order, raw["table"].get("device", "shoe"))
    return {**raw, "step": [*steps, *raw["step"]]}


def _dealt_and_decided(
    now: dict[str, Any], boxes: list[int], device: str
) -> Iterator[dict[str, Any]]:
    shoe = device == "shoe"
    yield {"do": "close bets"}
    if not shoe:
        yield {"do": "deal community"}
    yield {"do": "deal hole cards"}
    if not shoe:
        yield {"do": "deal dealer"}
    for box in now.get("looked", ()):
        yield {"do": "look", "seat": box}
    chosen = {int(n): list(told) for n, told in now.get("chosen", {}).items()}
    last = WINDOWS.index(now["stage"]) if now["stage"] in WINDOWS else len(WINDOWS)
    live = list(boxes)
    for window, street in enumerate(STREETS):
        for box in list(live):
            told = chosen.get(box, [])
            plain = ("flop bet" if window == 0 else "check") if window < last else None
            choice = told[window] if window < len(told) else plain
            if choice is not None:
                yield {"do": choice, "box": box}
            if choice == "fold":
                live.remove(box)
        if window == last:
            return
        if shoe:
            yield {"do": f"deal {street}"}
        yield {"do": f"reveal {street}"}


def same_both_ways(raw: dict[str, Any], reports: int, title: str) -> None:
    """As a `now` and by plain commands: the same events, facts, citations and the same ruling."""
    named = cards_named(raw)
    plain = by_plain_commands(raw)

    def rehearse(question: dict[str, Any]) -> Rehearsal:
        return Rehearsal(question, reports, GAMES, title=title, named=named)

    try:
        one = rehearse(raw)
    except Contradiction as error:
        with pytest.raises(Contradiction) as other:
            rehearse(plain)
        assert other.value.says == error.says
        return
    two = rehearse(plain)
    assert one.refused == two.refused
    assert told(one) == told(two)
    assert facts(one) == facts(two)
    assert rule_on(lambda: rehearse(raw)) == rule_on(lambda: rehearse(plain))


def told(played: Rehearsal) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [
        (said.place, type(said.event).__name__, said.event.tell(str), said.event.cites)
        for said in played.said
    ]


def facts(played: Rehearsal) -> Any:
    return {name: table.facts() for name, table in played.run.pit.tables.items()}


def _same_for_the_catalogue(book: str, name: str, some: slice) -> None:
    loaded = GAMES.load(book)
    incident = CATALOGUE.find(name, loaded)
    open_facts = CATALOGUE.facts_of(incident, loaded)
    for way in ways(book, name)[some]:
        raw, reports = staged(CATALOGUE, incident, open_facts, way)
        same_both_ways({**raw, "rulebook": book}, reports, incident.title)


@pytest.mark.parametrize("book", BOOKS)
def test_every_incident_comes_out_as_at_a_table_that_was_played_there(book: str) -> None:
    for incident in of(book):
        _same_for_the_catalogue(book, incident.name, slice(-1, None))


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_every_incident_in_every_combination_comes_out_as_at_a_table(book: str) -> None:
    for incident in of(book):
        _same_for_the_catalogue(book, incident.name, slice(None))


REPORTS: tuple[dict[str, Any], ...] = (
    {"do": "report foreign card"},
    {"do": "report deck count", "count": 53},
    {"do": "report not enough cards"},
    {"do": "report not shuffled"},
    {"do": "report exposed", "boxes": {"1": "??"}},
    {"do": "report exposed", "boxes": {"1": "??", "2": "??"}},
    {"do": "report exposed", "community": "??"},
    {"do": "report exposed", "dealer": "??"},
    {"do": "report exposed", "burns": "??"},
    {"do": "report wrong deal", "affected": [1, 2], "moves": {"1": 2, "2": 1}},
    {"do": "report wrong count", "box": 2, "cards": 3, "affected": [1, 3]},
    {"do": "report wrong count", "community": 4},
    {"do": "report wrong count", "dealer": 3},
    {"do": "report missed burn", "before": "hole cards"},
    {"do": "report missed burn", "before": "flop"},
    {"do": "report dealing error", "says": "a card fell off the table"},
    {"do": "report drawn together", "boxes": [1, 3]},
    {"do": "report walk away", "player": "Ann"},
    {"do": "report interruption", "says": "power failure"},
    {"do": "report jackpot fault"},
    {"do": "report jackpot fault", "unregistered": [1]},
    {"do": "report cards gone", "box": 2},
    {"do": "report link fault", "link": "main", "reason": "the display is dark"},
    {"do": "report extra look", "box": 3},
    {"do": "call for ruling", "about": "uncovered", "says": "a drink was spilt"},
    {"do": "claim misplaced bet", "box": 1, "lies": "bonus", "meant": "ante"},
    {"do": "notice bet", "box": 1, "bet": "ante"},
)


def situation(chance: random.Random, book: str) -> dict[str, Any]:
    """Any table in mid-round: three boxes of two or three players, any bets, looks, decisions."""
    boxes: dict[str, dict[str, Any]] = {}
    for n, player in enumerate(("Ann", "Ben", chance.choice(("Ann", "Cho"))), start=1):
        boxes[str(n)] = {"player": player, "ante": chance.choice((25, 50, 500))}
        if chance.random() < 0.5:
            boxes[str(n)]["bonus"] = chance.choice((5, 10))
        if chance.random() < 0.5:
            boxes[str(n)]["progressive"] = True
    stage = chance.choice(("bets open", *WINDOWS, "dealer"))
    now: dict[str, Any] = {"stage": stage}
    if stage != "bets open":
        now["looked"] = chance.choice(([], [1], [2], [1, 2]))
        now["chosen"] = _chosen(chance, stage)
    return {
        "rulebook": book,
        "link": "main",
        "links": {"main": {"reset_value": 50000, "contribution": 1, "meter": 80000}},
        "table": {
            **CATALOGUE.setup["table"],
            "device": chance.choice(("shoe", "shuffler")),
            "dealing": chance.choice(("by-hand", "automatic")),
        },
        "boxes": boxes,
        "now": now,
        "step": [],
    }


def _chosen(chance: random.Random, stage: str) -> dict[str, list[str]]:
    """What some boxes decided; one box at least has not yet where a decision is open."""
    over = WINDOWS.index(stage) if stage in WINDOWS else len(WINDOWS)
    found = {}
    for box in ("1", "2"):
        told: list[str] = []
        for window in range(min(over + chance.choice((0, 1)), len(WINDOWS))):
            first = ("fold", "flop bet", "flop bet")
            told.append(chance.choice(first if window == 0 else ("check", f"{STREETS[window]} bet")))
            if told[-1] == "fold":
                break
        if told:
            found[box] = told
    return found


@pytest.mark.parametrize("seed", range(40))
def test_any_report_comes_out_as_at_a_table_that_was_played_there(seed: int) -> None:
    _any_report(seed)


@pytest.mark.slow
def test_many_reports_come_out_as_at_a_table_that_was_played_there() -> None:
    for seed in range(40, 3_000):
        _any_report(seed)


def _any_report(seed: int) -> None:
    chance = random.Random(seed)
    raw = situation(chance, BOOKS[seed % len(BOOKS)])
    report = REPORTS[(seed * 7) % len(REPORTS)]
    if raw["table"]["dealing"] == "automatic":
        raw["table"] = {**raw["table"], "dealing": "by-hand"} if seed % 2 else raw["table"]
    same_both_ways({**raw, "step": [report]}, 1, f"situation {seed}")
