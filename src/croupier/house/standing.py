"""Standing orders: what the House has decided beforehand, so that nobody has to be asked.

    [standing_orders]                   # wherever it is asked
    "who posts" = "nothing"
    [standing_orders.poker]             # in one game: poker, banked, or a jackpot link
    "confirm void" = "confirm"

An order that is for one game stands above one that is for all; one for a case of a question
(`ruling: interruption`) above one for the question. Each is checked, when it is read, against what
the games say that they ask (`Registry.questions`). What a table does not offer at that moment is
left to people.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from croupier.house.config_words import Fault
from croupier.house.config_words import Path as Where
from croupier.house.software import STANDING_ORDERS
from croupier.jackpot import JackpotLink
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    Conversation,
    Decide,
    DecisionNeeded,
    DecisionTaken,
    Question,
)
from croupier.table.question import names_of

REASON = "standing order"
"""Why, as it stands in the log; with the name of the order behind it."""

Told = Mapping[str, str | Mapping[str, str]]
"""As a configuration says it: question = option, or such a table for a game."""


class StandingOrders:
    """What the House has decided beforehand, game by game."""

    def __init__(self, told: Told | None = None) -> None:
        told = told or {}
        everywhere = {name: option for name, option in told.items() if isinstance(option, str)}
        self._orders = {game: {**everywhere, **_table(told, game)} for game in GAMES.questions}

    def decide(self, asker: Conversation[Any], need: DecisionNeeded) -> Decide | None:
        """The answer to a question of a table or link, if it was given beforehand and is offered
        as things stand."""
        if not isinstance(need.of, ActorRank):
            return None
        orders = self._orders.get(game_of(asker), {})
        name = next((name for name in names_of(need) if name in orders), None)
        offered = {choice.name for choice in need.options if not choice.asks}
        if name is None or orders[name] not in offered:
            return None
        return Decide(decision=need.decision, option=orders[name], reason=reason_of(name))


def reason_of(name: str) -> str:
    """What stands in the log as the reason of an answer by the order of this name."""
    return f'{REASON} "{name}"'


def order_named(taken: DecisionTaken) -> str:
    """The name of the standing order that has answered a question; nothing if a person has. Older
    logs have no name: there it is that of the question."""
    if taken.who != STANDING_ORDERS:
        return ""
    return taken.reason.removeprefix(REASON).strip(' "') or taken.question


def game_of(asker: Conversation[Any]) -> str:
    """The game of a table, under the name by which the pit knows it; `jackpot` for a link."""
    return "jackpot" if isinstance(asker, JackpotLink) else GAMES.game_of(asker).name


def _table(told: Told, game: str) -> Mapping[str, str]:
    own = told.get(game, {})
    return {} if isinstance(own, str) else own


# -- checked when they are read -------------------------------------------------------------------

A_PLAYERS = "this is a player's own to answer, and the House does not decide it"


def unfit(told: Told, where: Where = ("standing_orders",)) -> list[Fault]:
    """Every order that fits no question of the game it is for, or no answer to it, with its place
    and what would fit."""
    return list(_unfit(told, where))


def _unfit(told: Told, where: Where) -> Iterator[Fault]:
    games = GAMES.questions
    for key, order in told.items():
        if isinstance(order, str):
            yield from _anywhere(key, order, (*where, key))
        elif key in games:
            for name, option in order.items():
                yield from _in_game(key, name, option, (*where, key, name))
        else:
            says = f"there is no such game; orders are for {', '.join(games)}"
            yield Fault(path=(*where, key), says=says)


def _anywhere(name: str, option: str, where: Where) -> Iterator[Fault]:
    """An order for every game that asks the question must fit each of them."""
    asking = [game for game in GAMES.questions if _question(game, name) is not None]
    if not asking and any(_is_a_players(game, name) for game in GAMES.questions):
        yield Fault(path=where, says=A_PLAYERS)
    elif not asking:
        known = [each for game in GAMES.questions for each in _names(game)]
        yield Fault(path=where, says=f"no game asks this; {_instead(name, known)}")
    for game in asking:
        for fault in _in_game(game, name, option, where):
            apart = f"; order it for each game, under [{where[0]}.{game}]"
            yield Fault(path=where, says=fault.says + (apart if len(asking) > 1 else ""))


def _in_game(game: str, name: str, option: str, where: Where) -> Iterator[Fault]:
    question = _question(game, name)
    if question is None and _is_a_players(game, name):
        yield Fault(path=where, says=A_PLAYERS)
    elif question is None:
        says = f"{game} asks no such question of staff; {_instead(name, _names(game))}"
        yield Fault(path=where, says=says)
    elif option in question.detailed:
        says = f'"{option}" needs details that nobody knows beforehand; {_fitting(question)}'
        yield Fault(path=where, says=says)
    elif option not in question.options:
        yield Fault(path=where, says=f'{game} offers no "{option}" here; {_fitting(question)}')


def _question(game: str, name: str) -> Question | None:
    """What a game asks of staff by this name."""
    asked = GAMES.questions[game]
    return next((each for each in asked if each.of == "staff" and name in each.names), None)


def _is_a_players(game: str, name: str) -> bool:
    return any(each.of == "player" and each.name == name for each in GAMES.questions[game])


def _names(game: str) -> list[str]:
    asked = (each for each in GAMES.questions[game] if each.of == "staff" and each.options)
    return [name for each in asked for name in each.names]


def _instead(name: str, known: list[str]) -> str:
    known = list(dict.fromkeys(known))
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f'did you mean "{close[0]}"?' if close else f"there is {_quoted(known)}"


def _fitting(question: Question) -> str:
    if not question.options:
        return "it is always left to people"
    return f"write {_quoted(question.options, 'or')}"


def _quoted(words: tuple[str, ...] | list[str], last: str = "and") -> str:
    *first, end = (f'"{word}"' for word in words)
    return f"{', '.join(first)} {last} {end}" if first else end
