"""What a case expects after a step, and how it differs from what came out.

Facts are compared by what the case names: of a table or record, only the named keys; of a list,
all of it, in order. Events are expected in order, others may stand between them.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, inspect

from croupier.pit.values import (
    ValueProblem,
    fields_of,
    near,
    node_of,
    plain,
    read,
    read_fields,
    shown,
    write,
)
from croupier.table import Announced, Call, Event

if TYPE_CHECKING:
    from croupier.pit.case_records import CaseLink, CaseTable
    from croupier.pit.game import Registry
    from croupier.rulebooks import Rulebook

ANSWER_KEYS = ("refused", "error", "says", "cites", "events", "announced")
"""Keys that speak of the answer to the step; every other key is a fact of the table."""


class EventMatch(Struct, kw_only=True):
    """An event that must have happened: its name, and any of its values."""

    name: str
    values: dict[str, Any] = {}
    text: str = ""

    def fits(self, event: Event) -> bool:
        """True if this is such an event with these values."""
        if event.__struct_config__.tag != self.name:
            return False
        return not self.values or not list(_compare(self.values, plain(event), ""))


class Expectation(Struct, kw_only=True):
    """Everything that must hold after one step, or at the end of a case."""

    refused: tuple[str, ...] | None = None
    error: str | None = None
    says: str | None = None
    cites: tuple[str, ...] = ()
    events: list[EventMatch] = []
    announced: list[EventMatch] | None = None
    facts: dict[str, dict[str, Any]] = {}
    here: str | None = None
    """The table or link whose facts are named plainly; all others under `tables` or `links`."""
    links: frozenset[str] = frozenset()

    def named_paragraphs(self) -> Iterator[str]:
        """The paragraphs that it names, which the book must have."""
        yield from self.refused or ()
        yield from self.cites

    def speaks_of_the_answer(self) -> str | None:
        """The key by which it expects a refusal or an error, if it does."""
        named = {"refused": self.refused, "error": self.error, "says": self.says}
        return next((key for key, value in named.items() if value is not None), None)

    def told_of_the_answer(self) -> str:
        """Which answer is expected, in words."""
        if self.refused is not None:
            return f"refused ({', '.join(self.refused)})"
        if self.error is not None:
            return f"an error with {shown(self.error)}"
        return "refused" if self.says is not None else "accepted"

    def where(self, place: str, key: str) -> str:
        """The path of an expected fact in the file."""
        if place == self.here:
            return key
        return f"{'links' if place in self.links else 'tables'}.{place}.{key}"

    def paths(self) -> Iterator[tuple[str, str]]:
        """The places and paths of all facts that are expected, such as (`table`, `stakes.3`)."""
        for place, facts in self.facts.items():
            for path, _ in flatten(facts):
                yield place, path


class Difference(Struct, kw_only=True):
    """One thing that came out otherwise than expected."""

    what: str
    expected: str
    got: str
    path: str = ""
    """Where the case file expects it, inside the `expect` or else inside the step."""
    line: int = 0
    """The line of that; 0 if it stands nowhere."""


def read_expectation(
    raw: Any,
    tables: Mapping[str, CaseTable],
    links: Mapping[str, CaseLink],
    registry: Registry,
    place: str | None,
) -> Expectation:
    """Read an `expect` table; `place` is where its plain facts are about."""
    if not isinstance(raw, dict):
        raise ValueProblem("", f"is a table, not {shown(raw)}")
    if not raw:
        raise ValueProblem("", "is empty; say what must come out")
    if place is None and len(tables) == 1:
        place = next(iter(tables))
    facts: dict[str, dict[str, Any]] = {}
    own: dict[str, Any] = {}
    for key, value in raw.items():
        if key == "tables":
            for name, values in _named(value, tables, key).items():
                kind = tables[name].game.facts_type
                facts.setdefault(name, {}).update(_facts(values, kind, f"tables.{name}"))
        elif key == "links":
            for name, values in _named(value, links, key).items():
                assert registry.link is not None
                kind_of_link = registry.link.facts_type
                facts.setdefault(name, {}).update(_facts(values, kind_of_link, f"links.{name}"))
        elif key not in ANSWER_KEYS:
            own[key] = value
    if own:
        if place is None:
            known = ", ".join((*ANSWER_KEYS, "tables", "links"))
            raise ValueProblem(
                next(iter(own)),
                f"with several tables, say which one (tables.NAME…); known: {known}",
            )
        kind_here = tables[place].game.facts_type if place in tables else _link_facts(registry)
        facts.setdefault(place, {}).update(_facts(own, kind_here, ""))
    events = _event_types(tables, registry)
    books = {table.book.id: table.book for table in tables.values()}
    return Expectation(
        refused=_paragraph_list(raw["refused"], "refused", books) if "refused" in raw else None,
        error=_text(raw["error"], "error") if "error" in raw else None,
        says=_text(raw["says"], "says") if "says" in raw else None,
        cites=_paragraph_list(raw.get("cites", []), "cites", books),
        events=[
            _event(value, events, f"events[{i}]")
            for i, value in enumerate(_list(raw.get("events", []), "events"), 1)
        ],
        announced=_announced(raw["announced"]) if "announced" in raw else None,
        facts=facts,
        here=place,
        links=frozenset(links),
    )


def differences(
    expectation: Expectation,
    facts: Mapping[str, Mapping[str, Any]],
    kind_of: Callable[[str], type[Struct]],
    said: Sequence[Event],
) -> Iterator[Difference]:
    """How the facts and events of a step differ from what was expected of them.

    `facts` holds those that are expected, by place; `kind_of` tells of a place what record they
    are of, so that they are written rightly.
    """
    for place, expected in expectation.facts.items():
        for key, value in expected.items():
            prefix = key if len(facts) == 1 else f"{place}: {key}"
            for path, want, got in _compare(value, plain(facts[place][key]), prefix):
                inner = path[len(prefix) :]
                node = _node_at(fields_of(kind_of(place))[key], inner)
                yield Difference(
                    what=path,
                    expected=_say(want, node),
                    got=_say(got, node),
                    path=expectation.where(place, key) + inner,
                )
    for number, missing in all_missing(expectation.events, said):
        yield Difference(
            what="events",
            expected=missing.text,
            got=_say_candidates(missing, said),
            path=f"events[{number}]",
        )
    if expectation.announced is not None:
        yield from _announced_differences(expectation.announced, said)
    if expectation.cites:
        cited = {paragraph for event in said for paragraph in event.cites}
        lacking = [paragraph for paragraph in expectation.cites if paragraph not in cited]
        if lacking:
            yield Difference(
                what="cites",
                expected=", ".join(lacking),
                got=", ".join(sorted(cited)) or "none",
                path="cites",
            )


def all_missing(
    wanted: Sequence[EventMatch], said: Sequence[Event]
) -> Iterator[tuple[int, EventMatch]]:
    """Every wanted event that does not follow those before it, with its place in the list."""
    after = 0
    for number, match in enumerate(wanted, 1):
        for i in range(after, len(said)):
            if match.fits(said[i]):
                after = i + 1
                break
        else:
            yield number, match


def flatten(values: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of plain values with their paths. A list is one leaf: it is compared whole."""
    if isinstance(values, dict) and values:
        for key, value in values.items():
            yield from flatten(value, f"{path}.{key}" if path else str(key))
    else:
        yield path, values


# -- comparing ----------------------------------------------------------------------------------

_ABSENT = "(absent)"


def _compare(want: Any, got: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if want == {} and got != {}:
        yield path, want, got  # an empty table is expected to be empty
    elif isinstance(want, dict) and isinstance(got, dict):
        for key, value in want.items():
            inner = f"{path}.{key}" if path else str(key)
            if key not in got:
                yield inner, value, _ABSENT
            else:
                yield from _compare(value, got[key], inner)
    elif isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got) or any(
            list(_compare(w, g, "")) for w, g in zip(want, got, strict=True)
        ):
            yield path, want, got
    elif want != got or isinstance(want, bool) != isinstance(got, bool):
        yield path, want, got


def _announced_differences(
    wanted: Sequence[EventMatch], said: Sequence[Event]
) -> Iterator[Difference]:
    """Announcements are expected completely: a call too many is as wrong as one too few."""
    calls = [event for event in said if isinstance(event, Announced)]
    if len(calls) != len(wanted) or not all(
        match.fits(call) for match, call in zip(wanted, calls, strict=True)
    ):
        yield Difference(
            what="announced",
            expected=", ".join(match.text for match in wanted) or "nothing",
            got=", ".join(_say_event(call) for call in calls) or "nothing",
            path="announced",
        )


# -- reading ------------------------------------------------------------------------------------


def _facts(raw: Any, kind: type[Struct], path: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise ValueProblem(path, f"is a table, not {shown(raw)}")
    fields = fields_of(kind)
    for key in raw:
        if key not in fields:
            known = (*fields, *ANSWER_KEYS)
            where = f"{path}.{key}" if path else key
            told = f"{near(key, known)}known: {', '.join(known)}"
            raise ValueProblem(where, f"is no fact of this table; {told}")
    return {
        key: _read_partly(value, fields[key], f"{path}.{key}" if path else key)
        for key, value in raw.items()
    }


def _read_partly(raw: Any, node: inspect.Type, path: str) -> Any:
    """Read an expected value: records may be given in part, `none` stands for nothing."""
    if raw == "none" and isinstance(node, inspect.UnionType) and node.includes_none:
        return None
    return read(raw, node, path)


def _named(raw: Any, known: Mapping[str, Any], key: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise ValueProblem(key, f"is a table of names, not {shown(raw)}")
    for name in raw:
        if name not in known:
            raise ValueProblem(
                key, f"there is no {shown(name)}; there is {', '.join(known) or 'none'}"
            )
    return raw


def _event_types(tables: Mapping[str, CaseTable], registry: Registry) -> Mapping[str, type[Event]]:
    """The events that a step can cause, by their names: those of the tables and of the links."""
    known = [table.game.event_types for table in tables.values()]
    if registry.link is not None:
        known.append(registry.link.event_types)
    return ChainMap(*known)


def _event(raw: Any, known: Mapping[str, type[Event]], path: str) -> EventMatch:
    if isinstance(raw, str):
        raw = {"event": raw}
    if not isinstance(raw, dict) or not isinstance(raw.get("event"), str):
        raise ValueProblem(path, f'is "name" or {{ event = "name", … }}, not {shown(raw)}')
    name = raw["event"]
    if name not in known:
        told = f"{near(name, known)}known: {', '.join(sorted(known))}"
        raise ValueProblem(path, f"no event is called {shown(name)}; {told}")
    values = {key: value for key, value in raw.items() if key != "event"}
    return EventMatch(
        name=name,
        values=read_fields(values, known[name], path),
        text=f"{name} {say(values)}" if values else name,
    )


_CALLS = [call.value for call in Call]


def _announced(raw: Any) -> list[EventMatch]:
    matches = []
    for i, value in enumerate(_list(raw, "announced"), 1):
        path = f"announced[{i}]"
        fields = {"call": value} if isinstance(value, str) else value
        if not isinstance(fields, dict) or fields.get("call") not in _CALLS:
            told = f"is one of {', '.join(_CALLS)}, or a table with call = …; got {shown(value)}"
            raise ValueProblem(path, f"{near(str(value), _CALLS)}{told}")
        values = read_fields(fields, Announced, path)
        name = str(Announced.__struct_config__.tag)
        matches.append(EventMatch(name=name, values=values, text=say(value)))
    return matches


def _paragraph_list(raw: Any, key: str, books: Mapping[str, Rulebook]) -> tuple[str, ...]:
    listed = [raw] if isinstance(raw, str) else raw
    if not isinstance(listed, list) or not all(isinstance(p, str) for p in listed):
        raise ValueProblem(key, f'is a paragraph such as "3.8" or a list of them, not {shown(raw)}')
    if key == "refused" and not listed:
        raise ValueProblem(key, "names the paragraph that refuses")
    for paragraph in listed:
        if not any(paragraph in book.paragraphs for book in books.values()):
            known = [id for book in books.values() for id in book.paragraphs]
            told = f"{' and '.join(books)} has no paragraph {shown(paragraph)}"
            meant = near(paragraph, known)
            raise ValueProblem(key, f"{told}; {meant}".rstrip("; "))
    return tuple(listed)


def _text(raw: Any, key: str) -> str:
    if not isinstance(raw, str) or not raw:
        raise ValueProblem(key, f"is text, not {shown(raw)}")
    return raw


def _list(raw: Any, key: str) -> list[Any]:
    if not isinstance(raw, list):
        raise ValueProblem(key, f"is a list, not {shown(raw)}")
    return raw


def _link_facts(registry: Registry) -> type[Struct]:
    assert registry.link is not None
    return registry.link.facts_type


# -- saying -------------------------------------------------------------------------------------


def _node_at(node: inspect.Type, path: str) -> inspect.Type:
    """The type of a value inside a fact, found by its path, so that it is written rightly."""
    for key in filter(None, path.split(".")):
        while isinstance(node, inspect.Metadata | inspect.UnionType):
            node = (
                node.type
                if isinstance(node, inspect.Metadata)
                else next(t for t in node.types if not isinstance(t, inspect.NoneType))
            )
        if isinstance(node, inspect.DictType):
            node = node.value_type
        elif isinstance(node, inspect.StructType):
            node = fields_of(node.cls)[key]
    return node


def _say(value: Any, node: inspect.Type) -> str:
    if value is None:
        return "none"
    if value == _ABSENT:
        return _ABSENT
    return say(write(value, node))


def say(written: Any) -> str:
    """Values in a line of text, as a case file would have them."""
    if isinstance(written, dict):
        inside = ", ".join(f"{k} = {say(v)}" for k, v in written.items())
        return f"{{ {inside} }}" if inside else "nothing"
    if isinstance(written, list):
        return "[" + ", ".join(say(v) for v in written) + "]" if written else "nothing"
    if isinstance(written, str):
        return written or "nothing"
    return "none" if written is None else shown(written)


def _say_candidates(missing: EventMatch, said: Sequence[Event]) -> str:
    """What came instead of an event: those of its name in full, else the names of all."""
    alike = [event for event in said if event.__struct_config__.tag == missing.name]
    if alike:
        return ", ".join(_say_event(event) for event in alike)
    return ", ".join(str(event.__struct_config__.tag) for event in said) or "no events"


def _say_event(event: Event) -> str:
    written = write(plain(event), node_of(type(event)))
    values = {k: v for k, v in written.items() if k not in ("event", "cites")}
    return f"{event.__struct_config__.tag} {say(values)}" if values else str(written["event"])
