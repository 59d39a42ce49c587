"""The JSON Schema of case files, made from the same records that read them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, inspect

from croupier.cards import Card
from croupier.pit.case_records import ASKED, PARAGRAPHS_AT_MOST, STEP_KEYS, Asked
from croupier.pit.game import Game, LinkKit, Registry, events_of
from croupier.pit.values import fields_of, node_of
from croupier.table import ActorRank, Announced, Call

_MONEY = {
    "description": "money as on the table: 60 or 2.50",
    "anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^-?[\d,]+(\.\d{1,2})?$"}],
}
_CARD = {"type": "string", "description": "a card: As, 10d, Td, 10♦, or ?? where nobody knows"}
_CARDS = {"type": "string", "description": "cards: Qh 10d"}
_PARAGRAPHS = {
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]
}
_NAME = {"type": "string", "minLength": 1}


def case_schema(registry: Registry) -> dict[str, Any]:
    """The schema of a case file for any of the registry's games."""
    by_game: dict[int, tuple[Game, list[str]]] = {}
    for book, game in registry.games.items():
        by_game.setdefault(id(game), (game, []))[1].append(book)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "croupier case file",
        "type": "object",
        "required": ["title", "paragraphs"],
        "oneOf": [_game(game, books, registry.link) for game, books in by_game.values()],
        "$defs": {
            _expect_name(where): _expectation(game, registry.link, facts)
            for game, _ in by_game.values()
            for where, facts in _expecting(game, registry.link).items()
        },
    }


def _expecting(game: Game, link: LinkKit | None) -> dict[str, type[Struct]]:
    """Where plain facts may be expected: at a table of the game, and at its link."""
    at_table: dict[str, type[Struct]] = {game.name: game.facts_type}
    return at_table if link is None else at_table | {f"{game.name} link": link.facts_type}


def _expect_name(where: str) -> str:
    return f"what a {where} case expects"


def _expected(where: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{_expect_name(where)}"}


def _game(game: Game, books: list[str], link: LinkKit | None) -> dict[str, Any]:
    expect = _expected(game.name)
    steps = [_step(word, kind, expect) for word, kind in sorted(game.words.items())]
    steps += [_phrase(word, expect) for word in sorted(game.stage_type.phrases)]
    if link is not None:
        at_link = _expected(f"{game.name} link")
        steps += [_step(w, kind, at_link, at="link") for w, kind in sorted(link.words.items())]
    setup = {name: _node(node) for name, node in fields_of(game.setup_type).items()}
    by_book = {
        "paragraphs": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "maxItems": PARAGRAPHS_AT_MOST,
        },
        "starts": {"description": "a date and time with its zone"},
        "policies": {"type": "object", "additionalProperties": {"type": "string"}},
        "expect": expect,
        "link": _NAME,
        "links": {
            "type": "object",
            "additionalProperties": _record(link.setup_type) if link is not None else False,
        },
        "tables": {
            "type": "object",
            "additionalProperties": _closed(setup | {"rulebook": _NAME, "link": _NAME}),
        },
    }
    head = {
        "title": _NAME,
        "about": {"type": "string"},
        "rulebook": {"enum": books},
        "rulebooks": {"type": "array", "items": {"enum": books}, "minItems": 1},
        "step": {"type": "array", "items": {"anyOf": steps}},
        "in": _in_books(books, _closed(setup | by_book)),
    }
    return {
        "title": game.name,
        "oneOf": [{"required": ["rulebook"]}, {"required": ["rulebooks"]}],
        **_closed(setup | by_book | head),
    }


def _in_books(books: list[str], otherwise: dict[str, Any]) -> dict[str, Any]:
    """What is otherwise in one of the books of a case."""
    return {
        "type": "object",
        "propertyNames": {"enum": books},
        "additionalProperties": otherwise,
    }


def _step(
    word: str, kind: type[Struct], expect: dict[str, Any], at: str = "table"
) -> dict[str, Any]:
    node = node_of(kind)
    assert isinstance(node, inspect.StructType)
    required = [field.encode_name for field in node.fields if field.required]
    fields = {field.encode_name: _node(field.type) for field in node.fields}
    asked = next((field for command, field in ASKED.items() if command is kind), None)
    if asked is not None:
        fields[asked] = {"anyOf": [fields[asked], _NAME, _record(Asked)]}
    under_with = {name: fields.pop(name) for name in fields.keys() & STEP_KEYS}
    if under_with:
        needed = sorted(under_with.keys() & set(required))
        fields["with"] = {"required": needed, **_closed(under_with)}
        required = [name for name in required if name not in under_with]
        required += ["with"] if needed else []
    return {
        "title": word,
        "required": ["do", *required],
        **_closed(fields | _any_step(expect) | {"do": {"const": word}, at: _NAME}),
    }


def _phrase(word: str, expect: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": word,
        "type": "object",
        "required": ["do"],
        "properties": {**_any_step(expect), "do": {"const": word}, "table": _NAME},
    }


def _any_step(expect: dict[str, Any]) -> dict[str, Any]:
    return {
        "who": _NAME,
        "rank": {"enum": [rank.value for rank in ActorRank]},
        "at": {"description": "a time such as 20:00:10.1, without quotes"},
        "note": {"type": "string"},
        "expect": expect,
        "in": {"type": "object", "additionalProperties": {"type": "object"}},
    }


def _expectation(game: Game, link: LinkKit | None, here: type[Struct]) -> dict[str, Any]:
    facts = {name: _node(node) for name, node in fields_of(game.facts_type).items()}
    own = {name: _node(node) for name, node in fields_of(here).items()}
    # What a table is told may have its answer at its link too.
    events = sorted({*events_of(game.table_type), *(link.event_types if link is not None else ())})
    event = {
        "anyOf": [
            {"enum": events},
            {"type": "object", "required": ["event"], "properties": {"event": {"enum": events}}},
        ]
    }
    call = {
        "anyOf": [
            {"enum": [c.value for c in Call]},
            {"required": ["call"], **_record(Announced)},
        ]
    }
    answer = {
        "refused": _PARAGRAPHS,
        "cites": _PARAGRAPHS,
        "error": _NAME,
        "says": _NAME,
        "events": {"type": "array", "items": event},
        "announced": {"type": "array", "items": call},
        "tables": {"type": "object", "additionalProperties": _closed(facts)},
        "links": {
            "type": "object",
            "additionalProperties": _record(link.facts_type) if link is not None else False,
        },
    }
    return {"minProperties": 1, **_closed(own | answer)}


def _record(kind: type[Struct]) -> dict[str, Any]:
    return _closed({name: _node(node) for name, node in fields_of(kind).items()})


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _node(node: inspect.Type) -> dict[str, Any]:
    """One type as a case file writes it; the mirror of `values.read`."""
    match node:
        case inspect.Metadata(type=inner, extra=extra):
            return _MONEY if extra is not None and extra.get("money") else _node(inner)
        case inspect.UnionType(types=types):
            known = [_node(t) for t in types if not isinstance(t, inspect.NoneType)]
            none = [{"const": "none"}] if node.includes_none else []
            return {"anyOf": known + none}
        case inspect.EnumType(cls=cls):
            return _CARD if cls is Card else {"enum": [member.value for member in cls]}
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            listed = {"type": "array", "items": _node(item)}
            if isinstance(item, inspect.EnumType) and item.cls is Card:
                return {"anyOf": [_CARDS, listed]}
            return listed
        case inspect.DictType(value_type=value):
            return {"type": "object", "additionalProperties": _node(value)}
        case inspect.StructType(cls=cls):
            return _record(cls)
        case inspect.LiteralType(values=values):
            return {"enum": list(values)}
        case inspect.BoolType():
            return {"type": "boolean"}
        case inspect.IntType():
            return {"type": "integer"}
        case inspect.StrType():
            return {"type": "string"}
        case _:
            return {}
