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
    dead: Annotated[list[str], Meta(description="Cards that are known to be gone.")]
    dealer: Annotated[list[str], Meta(description="Cards that are known to be the dealer's.")]
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


class AnteLine(TypedDict):
    """By meter: the Ante from which on a hand is folded with a jackpot stake down."""

    hand: str
    meters: list[float]
    antes: list[float]


class BestPlay(TypedDict):
    """The best play of a round with a jackpot stake down. Values are money a round."""

    ante: Money
    stake: Money
    meter: Money
    fold_hands: list[str]
    base_fold_hands: list[str]
    value: Money
    value_exact: Exact
    value_with_base_folds: Money
    value_without_stake: Money
    stake_is_worth: Money
    lines: list[AnteLine]


class Progressive(Stamp):
    """`lab progressive`."""

    book: str
    progressive: JackpotBet
    best_play: BestPlay
    players: NotRequired[Crowd]
    fold_from: NotRequired[list[FoldFrom]]
    changes: NotRequired[list[Change]]
    before: NotRequired[Any]


class KnownRow(TypedDict):
    """What a box gains that knows so many cards, in Antes a round; sampled."""

    dead: int
    dealer: int
    hands: int
    fold: Antes
    turn: Antes
    river: Antes
    gain: Antes
    interval_95_of_gain: list[float]
    value: Antes
    boxes: int
    gain_of_all_boxes: Antes


class Known(Stamp):
    """`lab known`: what boxes gain that show each other their cards."""

    book: str
    samples: int
    hands: int
    seed: int
    without: Antes
    rows: list[KnownRow]


class CardRule(TypedDict):
    """One rule of a strategy card."""

    rule: str
    gain: Antes
    gain_exact: Exact
    still_costs: Antes


class StrategyCard(Stamp):
    """`lab card`: rules for Turn and River that a person can remember."""

    book: str
    fold_hands: list[str]
    turn: list[CardRule]
    river: list[CardRule]
    value: Antes
    value_exact: Exact
    best: Antes
    costs: Antes
    costs_exact: Exact


class LineSensitivity(TypedDict):
    """What it does to the House if one line paid more."""

    id: str
    bet: Literal["main", "bonus", "progressive"]
    pays: str
    instead: str
    edge: Annotated[float, Meta(description="Of the unit of the bet, as it is.")]
    edge_then: float
    change: float
    change_exact: Exact


class Sensitivity(Stamp):
    """`lab sensitivity`: what each pay line is worth."""

    book: str
    by: Share
    bonus: Money
    stake: Money
    meter: Money
    lines: list[LineSensitivity]


class RuinRow(TypedDict):
    """How a session ends that begins with so much."""

    bankroll: Money
    ruin: Share
    ahead: Share
    mean_end: Money
    quantiles: dict[str, float]


class Ruin(Stamp):
    """`lab ruin`: how likely a session ends with nothing left to play."""

    book: str
    strategy: str
    ante: Money
    rounds: int
    needed: Annotated[float, Meta(description="What a round may take, in money.")]
    rows: list[RuinRow]
    bankroll_for: dict[str, float]


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


class EquityOn(TypedDict):
    """The equity of each player on one board."""

    street: str
    board: str
    exact: bool
    equity: list[float]


class Equity(Stamp):
    """`lab equity`."""

    exact: bool
    board: str
    dead: str
    deals: int
    boards: int
    seed: int | None
    players: list[OddsOf]
    by_street: NotRequired[list[EquityOn]]


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


class RakedSeat(TypedDict):
    """What one seat paid."""

    seat: str
    hands: int
    put_in: Money
    won: Money
    paid: Annotated[float, Meta(description="Of the Rake, out of what it won.")]
    contributed: Annotated[float, Meta(description="Of the Rake, by what it put in.")]
    paid_per_hundred_hands: Money
    big_blinds_per_hundred_hands: float


class Raked(Stamp):
    """`lab raked`: who paid the Rake of recorded hands."""

    hands: int
    raked_hands: int
    without_result: int
    unreadable: int
    rake: Money
    seats: list[RakedSeat]


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


Marked = Literal["inside", "outside 95%", "outside 99%"]
GroupedBy = Literal["house", "game", "table", "dealer", "day"]


class ActualBand(TypedDict):
    """Where what was won lies so much of the time."""

    level: Literal["95%", "99%"]
    low: Money
    high: Money


class ActualBet(TypedDict):
    """One bet of all boxes of a group, from the House's side."""

    bet: Literal["main", "bonus", "progressive"]
    staked: Money
    won: Money
    expected: Annotated[float, Meta(description="Money: the exact mean for the bets placed.")]
    standard_deviation: Annotated[float, Meta(description="Money, of the whole sum.")]
    deviations: float
    mark: Marked


class ActualDecision(TypedDict):
    """How often boxes decided so, and how often the best play does."""

    decision: Literal["fold", "turn", "river"]
    share: Share
    best_play: Share


class ActualGroup(TypedDict):
    """A table, a game, a dealer, a gaming day, or the whole House, against its theory."""

    by: GroupedBy
    name: str
    games: list[str]
    rounds: int
    boxes: int
    staked: Money
    won: Money
    hold: Share | None
    expected: Annotated[float, Meta(description="Money: the exact mean for the bets placed.")]
    expected_hold: Share | None
    standard_deviation: Annotated[float, Meta(description="Money, of the whole sum.")]
    deviations: float
    chance: Annotated[float, Meta(description="How often chance alone puts a sum so far off.")]
    mark: Marked
    bands: list[ActualBand]
    normal: Annotated[bool, Meta(description="Whether so many rounds are enough for the bands.")]
    skewness: float
    corrected: Annotated[float, Meta(description="Money of the bets that the ledger has not.")]
    bets: list[ActualBet]
    decisions: list[ActualDecision]
    explained: list[str]


class RakeDiffers(TypedDict):
    """A round whose Rake is not the one of the rules."""

    table: str
    round: int
    taken: Money
    by_rules: Money


class ActualRake(TypedDict):
    """The Rake of a group of poker rounds."""

    by: GroupedBy
    name: str
    rounds: int
    base: Annotated[float, Meta(description="Money in pots out of which Rake is taken.")]
    taken: Money
    by_rules: Money
    share: Share | None
    differ: list[RakeDiffers]


class LedgerDiffers(TypedDict):
    """A table whose rounds do not come to what its ledger has."""

    table: str
    rounds: Money
    ledger: Money


class Tie(TypedDict):
    """How two boxes of one round hang together, as correlations."""

    main: float
    bonus: float
    progressive: float
    simulated_rounds: int


class ActualAnswer(Stamp):
    """`lab actual`: what a House really won, against theory."""

    source: str
    groups: list[ActualGroup]
    rake: list[ActualRake]
    left_out: dict[str, int]
    ledger_differs: list[LedgerDiffers]
    ties: dict[str, Tie]


KINDS: dict[str, Any] = {
    "actual": ActualAnswer,
    "card": StrategyCard,
    "edge": Edge,
    "equity": Equity,
    "hand": Hand,
    "known": Known,
    "par": ParSheet,
    "progressive": Progressive,
    "rake": Rake,
    "raked": Raked,
    "ruin": Ruin,
    "sensitivity": Sensitivity,
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
