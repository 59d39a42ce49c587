"""What the lab prints as JSON, as types: from them comes the schema that `lab schema` prints.

Every answer says of what kind it is and which version of that kind. A field keeps its name and its
meaning for as long as the version stays; a new field may be added to it.

Words that mean the same wherever they stand: an *exact* value is a fraction as text; money is in
whole units of the table (2.5 is two and a half), never in cents; *mean*, *interval_95* and
*standard_deviation* are money for each round of one box; what is for each unit staked stands under
*per_unit*.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from croupier import __version__
from croupier.lab.errors import LabError

VERSION = 1
Exact = Annotated[str, Meta(description="An exact value: a whole number or a fraction, as text.")]
Money = Annotated[float, Meta(description="Money in whole units of the table.")]
Antes = Annotated[float, Meta(description="A value in Antes.")]
Share = Annotated[float, Meta(description="A share: 0.02 is 2%.")]


class Stamp(TypedDict):
    """What every answer begins with."""

    kind: str
    version: Literal[1]
    croupier: Annotated[str, Meta(description="The version of croupier that answered.")]


class Change(TypedDict):
    """One part of a rulebook that was changed for the question."""

    part: str
    old: str
    new: str


class Indifferent(TypedDict):
    """Decisions in which both choices are worth exactly the same."""

    turn: int
    river: int


class Blind(TypedDict):
    """A hand that its player may not look at."""

    ev: Exact
    value: Antes
    decision: Literal["fold", "bet"]


class Base(TypedDict):
    """The base game under optimal play, in Antes for each round dealt."""

    ev: Exact
    house_edge: Share
    element_of_risk: Share
    average_bet: Antes
    standard_deviation: Antes
    variance: Exact
    fold_hands: list[str]
    fold_frequency: Share
    turn_bet_frequency: Share
    river_bet_frequency: Share
    deals: int
    ante_pays_from: str | None
    indifferent: Indifferent
    blind: Blind


class BonusLine(TypedDict):
    """One line of the Bonus: in how many of the universe's pairs of hands it pays, and what."""

    id: str
    pays: str
    count: int
    probability: Share
    winnings: Annotated[float, Meta(description="For each unit staked, the cap considered.")]
    capped: bool


class BonusBet(TypedDict):
    """The Bonus bet, for each unit staked."""

    ev: Exact
    house_edge: Share
    universe: int
    stake: Annotated[
        float | None, Meta(description="Money; null for a stake too small to meet the cap.")
    ]
    cap: Money
    lines: list[BonusLine]


JackpotLine = TypedDict(
    "JackpotLine",
    {
        "id": str,
        "pays": str,
        "count": int,
        "held": int,
        "probability": Share,
        "amount": NotRequired[Money],
        "return": NotRequired[Share],
    },
)


class BreakEven(TypedDict):
    """The lowest meter at which a jackpot stake does not lose, and what it takes for granted."""

    folds: Literal["none", "base", "best"]
    meaning: str
    hands: list[str]
    ante: NotRequired[Money]
    meter: float | None
    exact: Exact | None


class JackpotBet(TypedDict):
    """The jackpot bet, for each unit staked; counts are those of a box that is played."""

    universe: int
    stake: Money
    lines: list[JackpotLine]
    break_even_meter: float | None
    break_even_meter_exact: Exact | None
    break_even: list[BreakEven]
    meter: NotRequired[Money]
    ev: NotRequired[Exact]
    house_edge: NotRequired[Share]
    ev_with_base_folds: NotRequired[Exact]


class Edge(Stamp):
    """`lab edge`: every bet of a book."""

    book: str
    base: Base
    bonus: BonusBet
    progressive: JackpotBet
    changes: NotRequired[list[Change]]
    before: NotRequired[Any]


class Decision(TypedDict):
    """One decision on the way: what to do, and what each choice is worth, in Antes."""

    window: Literal["flop", "turn", "river"]
    hole: list[str]
    board: list[str]
    best: Literal["fold", "check", "bet"]
    indifferent: bool
    values: dict[str, float]
    exact: dict[str, str]
    mistake_costs: Antes
    wins: Share
    ties: Share
    loses: Share
    after: NotRequired[
        Annotated[
            Literal["turn bet", "turn check"],
            Meta(description="What the values take the Turn to have been: its best choice."),
        ]
    ]
    otherwise: NotRequired[
        Annotated[
            dict[str, float],
            Meta(description="The values, had the Turn been played the other way."),
        ]
    ]


class Hand(Stamp):
    """`lab hand`."""

    book: str
    decisions: list[Decision]
    changes: NotRequired[list[Change]]
    before: NotRequired[Any]


class HandValue(TypedDict):
    """One of the 169 starting hands."""

    hand: str
    combinations: int
    decision: Literal["fold", "bet"]
    value: Antes
    play: Antes
    exact: Exact
    mistake_costs: Antes
    wins: Share
    ties: Share
    loses: Share
    turn_bet_frequency: Share
    river_bet_frequency: Share


class Threshold(TypedDict):
    """The base game if the Ante paid from another category."""

    category: str
    ev: Exact
    house_edge: Share
    fold_hands: list[str]


class Strategy(Stamp):
    """`lab strategy`."""

    book: str
    fold_hands: list[str]
    tie_rule: str
    indifferent: Indifferent
    blind: Blind
    hands: list[HandValue]
    ante_pays_from: list[Threshold]
    changes: NotRequired[list[Change]]
    before: NotRequired[Any]


class Crowd(TypedDict):
    """Several players on one meter."""

    players: int
    last_box_loses: Money
    last_box_ev: Exact
    displayed_on_average: NotRequired[Money]
    meter_at_award: NotRequired[Money]
    paid_from_meter: NotRequired[Money]
    rounds_between_jackpots: NotRequired[float]


class FoldFrom(TypedDict):
    """A hand that the base game folds, and from which Ante on that is still right."""

    hand: str
    ante: Money
    exact: Exact
    jackpot: Money


class Progressive(Stamp):
    """`lab progressive`."""

    book: str
    progressive: JackpotBet
    players: NotRequired[Crowd]
    fold_from: NotRequired[list[FoldFrom]]
    changes: NotRequired[list[Change]]
    before: NotRequired[Any]


class OddsOf(TypedDict):
    """One player of `lab equity`."""

    range: Annotated[str, Meta(description="As it was typed.")]
    hands: Annotated[
        float, Meta(description="Pairs of cards that remain once board and dead cards are gone.")
    ]
    hands_named: Annotated[float, Meta(description="Pairs of cards that the range names.")]
    equity: Share
    win: Share
    tie: Share
    equity_exact: NotRequired[Exact]
    interval_95: NotRequired[list[float]]
    by_hand: NotRequired[dict[str, dict[str, float]]]


class Equity(Stamp):
    """`lab equity`."""

    exact: bool
    board: str
    dead: str
    deals: int
    boards: int
    seed: int | None
    players: list[OddsOf]


class Rake(Stamp):
    """`lab rake`."""

    book: str
    hands: int
    players: int
    big_blind: Money
    rake: Money
    rake_exact: Exact
    rake_per_player: Money
    big_blinds_per_player: float
    paragraphs: list[str]
    percentage: NotRequired[float]
    cap: NotRequired[float | None]
    effective_percentage: NotRequired[float]
    hands_at_cap: NotRequired[Share]
    assumed_mix: NotRequired[list[dict[str, Any]]]


class PerUnit(TypedDict):
    """The same for each unit staked."""

    unit: Literal["ante", "bonus", "progressive"]
    mean: float
    interval_95: list[float]
    standard_deviation: float


class SimulatedBet(TypedDict):
    """What one bet came to. Mean, interval and deviation: money for each round of one box."""

    result: Money
    staked: Money
    mean: Money
    interval_95: list[float]
    standard_deviation: Money
    per_unit: PerUnit
    lines: NotRequired[dict[str, int]]


class SimulatedJackpot(SimulatedBet):
    """The jackpot bet, and what the meter did."""

    few_awards: Annotated[
        bool, Meta(description="Too few awards fell for the interval to say much.")
    ]
    meter: dict[str, float]
    jackpots: int
    jackpot_gaps: list[int]
    rounds_per_jackpot: float | None
    awards: list[dict[str, Any]]


class Sessions(TypedDict):
    """How sessions of one box ended."""

    rounds: int
    count: int
    won: float | None
    quantiles: dict[str, float] | None


class Simulation(Stamp):
    """`lab simulate`."""

    book: str
    strategy: str
    seed: int
    complete: bool
    rounds: int
    rounds_planned: int
    tables: int
    boxes: int
    box_rounds: int
    stakes: dict[str, float]
    main: SimulatedBet
    total: SimulatedBet
    bonus: NotRequired[SimulatedBet]
    progressive: NotRequired[SimulatedJackpot]
    frequencies: dict[str, float]
    winning_hands: dict[str, int]
    sessions: Sessions


class Result(TypedDict):
    """One result of a bet, in its unit, and in how many of all deals it comes."""

    result: float
    exact: Exact
    count: int
    probability: Share


class Band(TypedDict):
    """Within which bounds the return of so many rounds lies."""

    rounds: int
    level: Literal["90%", "95%", "99%"]
    low: Share
    high: Share
    normal: Annotated[
        bool, Meta(description="Whether so many rounds are enough for a normal distribution.")
    ]


_BET: dict[str, Any] = {
    "bet": Literal["ante", "flop", "turn", "river", "main", "bonus", "progressive", "round"],
    "unit": Annotated[str, Meta(description="What results and stakes are counted in.")],
    "meaning": str,
    "deals": int,
    "placed": Annotated[float, Meta(description="How often anything is staked on it.")],
    "staked": Annotated[float, Meta(description="What is staked in a round on average.")],
    "staked_exact": Exact,
    "ev": Exact,
    "mean_result": Annotated[float, Meta(description="Won or lost in a round on average.")],
    "return": Annotated[float, Meta(description="Comes back of all that is staked.")],
    "return_exact": Exact,
    "hold": Annotated[float, Meta(description="What the House keeps of all that is staked.")],
    "hit_frequency": Annotated[float, Meta(description="More comes back than was staked.")],
    "hit_frequency_exact": Exact,
    "push_frequency": Annotated[float, Meta(description="Exactly what was staked comes back.")],
    "variance": Exact,
    "standard_deviation": Annotated[float, Meta(description="Of the result of a round.")],
    "standard_deviation_of_return": float,
    "volatility_index": Annotated[float, Meta(description="1.645 times the deviation of return.")],
    "skewness": float,
    "normal_from_rounds": int,
    "distribution": list[Result],
}
ParMain = TypedDict("ParMain", _BET)  # type: ignore[misc]
ParBet = TypedDict("ParBet", {**_BET, "bands": list[Band]})  # type: ignore[misc]
ParLine = TypedDict(
    "ParLine",
    {
        "id": str,
        "bet": Literal["main", "bonus", "progressive"],
        "pays": str,
        "count": int,
        "universe": int,
        "probability": Share,
        "one_in": float | None,
        "return": NotRequired[Share],
        "return_exact": NotRequired[Exact],
        "capped": NotRequired[bool],
        "amount": NotRequired[Money],
        "count_with_folds": NotRequired[int],
    },
)
ReturnAt = TypedDict(
    "ReturnAt", {"meter": Money, "return": Share, "exact": Exact, "from_meter": Share}
)


class AwardTime(TypedDict):
    """How long it takes from one award of a share of the meter to the next."""

    id: str
    pays: str
    count: int
    universe: int
    stakes: float | None
    rounds: float | None
    hours: float | None
    median_stakes: float | None


class ParJackpot(TypedDict):
    """The jackpot over the meter."""

    reset: Money
    contribution: Money
    increment: Annotated[float, Meta(description="What of each stake goes into the meter.")]
    return_without_meter: Share
    return_without_meter_exact: Exact
    return_at_nothing: Annotated[float, Meta(description="At a meter that stands at nothing.")]
    long_run_return: Share
    long_run_meter_at_award: Money
    long_run_meter_displayed: Money
    returns: list[ReturnAt]
    break_even: list[BreakEven]
    awards: list[AwardTime]


class ParStrategy(TypedDict):
    """The main bets under one strategy."""

    name: str
    meaning: str
    fold_hands: list[str]
    fold_frequency: Share
    turn_bet_frequency: Share
    river_bet_frequency: Share
    house_edge: Share
    costs: Annotated[float, Meta(description="Antes a round that the best play would save.")]
    main: ParMain


class ParTerms(TypedDict):
    """What no rulebook says and a sheet takes for granted."""

    ante: Money
    bonus: Money
    stake: Money
    meter: Money
    reset: Money
    contribution: Money
    stakes_per_round: int
    rounds_per_hour: int


class ParSheet(Stamp):
    """`lab par`: the sheet that a testing laboratory signs."""

    book: str
    title: str
    rulebook_sha256: str
    software_sha256: dict[str, str]
    terms: ParTerms
    deals: int
    bets: list[ParBet]
    lines: list[ParLine]
    jackpot: ParJackpot
    strategies: list[ParStrategy]
    changes: NotRequired[list[Change]]
    before: NotRequired[Any]


KINDS: dict[str, Any] = {
    "edge": Edge,
    "equity": Equity,
    "hand": Hand,
    "par": ParSheet,
    "progressive": Progressive,
    "rake": Rake,
    "simulation": Simulation,
    "strategy": Strategy,
}
"""What `croupier lab` answers, by kind."""


def stamped(kind: str, answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, with its kind and version in front."""
    return {"kind": kind, "version": VERSION, "croupier": __version__, **answer}


def schema_of(kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind of answer."""
    if kind not in KINDS:
        raise LabError(f"there is no answer of kind {kind!r}; there are {', '.join(KINDS)}")
    found = msgspec.json.schema(KINDS[kind])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"croupier lab: {kind}, version {VERSION}",
        **found,
    }
