"""Links, tables and staff as a configuration file names them, and what it would change.

The file is the casino's one TOML file (`croupier.live.config` reads it); here is the part that
belongs to the House. Applying it twice changes nothing the second time. It adds what the office
does not know; it never changes what a table or link was opened with, and never takes anything
away: both are acts of their own, with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from croupier.house.casino import Casino
from croupier.house.config_words import Fault, Path, faults, in_file, kind_at
from croupier.house.office import Office
from croupier.house.office.commands import AddLink, AddTable, ChangeSetting, HireStaff
from croupier.house.office.state import OfficeState, PlaceRecord, Role
from croupier.jackpot import LinkSettings
from croupier.pit.registry import GAMES
from croupier.rulebooks.errors import RulebookError
from croupier.table import BadCommand, Order, Refused

PlaceName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 _-]{0,31}$",
        description="1 to 32 letters, digits, spaces, - or _, the first a letter or digit",
    ),
]
CONFIGURED = "as the configuration has it"
"""Why something was set up, where nobody gave another reason."""
BookName = Annotated[str, Meta(description="a rulebook such as no-limit-holdem-v8")]


class LinkConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A jackpot link: its rulebook and its settings."""

    rulebook: BookName
    settings: dict[str, Any]
    policies: dict[str, str] = {}

    def __post_init__(self) -> None:
        msgspec.convert(self.settings, LinkSettings)

    @staticmethod
    def faults_within(told: dict[str, Any], path: Path) -> list[Fault]:
        """What is wrong with the settings of a link."""
        return _settings_faults(told, LinkSettings, path)


class TableConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table: its rulebook, its settings, and the link that it hangs on."""

    rulebook: BookName
    settings: dict[str, Any]
    policies: dict[str, str] = {}
    link: str | None = None
    area: str = ""
    """The part of the floor that it stands in, for reports."""
    bots: Annotated[int, Meta(ge=0, le=9)] = 0
    """Seats that bots take; a casino that plays for money has none."""
    clocks: dict[str, float] = {}
    """Clocks of its own, where they are not as everywhere (`croupier.house.clocks`)."""

    def __post_init__(self) -> None:
        kind = settings_type(self.rulebook)
        if kind is not None:
            msgspec.convert(self.settings, kind)

    @staticmethod
    def faults_within(told: dict[str, Any], path: Path) -> list[Fault]:
        """What is wrong with the settings of a table, as its rulebook has them."""
        kind = settings_type(told.get("rulebook"))
        return _settings_faults(told, kind, path) if kind is not None else []


def settings_type(rulebook: Any) -> type[Struct] | None:
    """What the settings of a table under a rulebook are; None where there is no such book."""
    if not isinstance(rulebook, str):
        return None
    try:
        return GAMES.games[GAMES.resolve(rulebook)].table_type.settings_type
    except RulebookError:
        return None  # that is a fault of its own


def _settings_faults(told: dict[str, Any], kind: type[Struct], path: Path) -> list[Fault]:
    settings = told.get("settings")
    return faults(settings, kind, (*path, "settings")) if isinstance(settings, dict) else []


Adding = AddLink | AddTable | HireStaff | ChangeSetting


class Change(Struct, frozen=True, kw_only=True):
    """What a configuration says of one place or person that the office does not have so."""

    place: str
    """A link, a table, a person, or a setting."""
    what: Literal["add", "set", "differs", "not in the file"]
    says: str
    command: Adding | None = None
    """What would be given; none where a person must decide."""


class Applied(Struct, frozen=True, kw_only=True):
    """What became of one change."""

    change: Change
    done: bool
    says: str = ""
    """Why not, if it was refused."""
    cites: tuple[str, ...] = ()


def settings_of(config: Struct, leave_out: Collection[str] = ()) -> dict[str, str]:
    """What a configuration sets otherwise than by default, by key (`clocks.to_act`), as JSON."""
    told, default = (_flat(msgspec.to_builtins(each)) for each in (config, type(config)()))
    return {
        key: msgspec.json.encode(value).decode()
        for key, value in told.items()
        if value != default.get(key) and not key.startswith(tuple(leave_out))
    }


def _flat(told: dict[str, Any], root: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in told.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{root}{key}.")
        else:
            flat[f"{root}{key}"] = value
    return flat


def setting_changes(
    state: OfficeState, settings: Mapping[str, str], reason: str = CONFIGURED
) -> list[ChangeSetting]:
    """Which settings are not as they were last put on record; what is not named has its default."""
    known = state.settings
    return [
        ChangeSetting(setting=name, before=before, after=after, reason=reason)
        for name in sorted(known.keys() | settings.keys())
        if (before := known.get(name, "")) != (after := settings.get(name, ""))
    ]


def changes(
    state: OfficeState,
    links: Mapping[str, LinkConfig],
    tables: Mapping[str, TableConfig],
    staff: Mapping[str, Role] | None = None,
    *,
    settings: Mapping[str, str] | None = None,
    reason: str = CONFIGURED,
) -> list[Change]:
    """What these links, tables, people and settings would change, in the order in which it would
    be done."""
    found = [_link(name, link, state.places.get(name), reason) for name, link in links.items()]
    found += [_table(name, table, state.places.get(name), reason) for name, table in tables.items()]
    found += [_person(name, role, state, reason) for name, role in (staff or {}).items()]
    set_anew = setting_changes(state, settings, reason) if settings is not None else []
    found += [_setting(command) for command in set_anew]
    for name, record in state.places.items():
        if name not in links and name not in tables and not record.closed:
            says = f"{record.kind} {name} stays as it is; the file does not name it"
            found.append(Change(place=name, what="not in the file", says=says))
    return [change for change in found if change is not None]


def apply(
    casino: Casino,
    links: Mapping[str, LinkConfig],
    tables: Mapping[str, TableConfig],
    staff: Mapping[str, Role] | None = None,
    *,
    who: str,
    session: str = "",
    settings: Mapping[str, str] | None = None,
    reason: str = CONFIGURED,
) -> list[Applied]:
    """Add what the office does not know, each by a command of its own."""

    def give(command: Adding) -> Refused | None:
        match command:
            case AddLink():
                return casino.add_link(command, who=who, session=session).refused
            case AddTable():
                return casino.add_table(command, who=who, session=session).refused
            case HireStaff() | ChangeSetting():
                return casino.tell(command, who=who, session=session).refused

    state = casino.office.state
    planned = changes(state, links, tables, staff, settings=settings, reason=reason)
    return [_applied(change, give) for change in planned]


def rehearse(
    casino: Casino,
    links: Mapping[str, LinkConfig],
    tables: Mapping[str, TableConfig],
    staff: Mapping[str, Role] | None = None,
    *,
    who: str,
    settings: Mapping[str, str] | None = None,
    reason: str = CONFIGURED,
) -> list[Applied]:
    """What would become of it: a copy of the office and empty tables are asked, in the same order,
    so that whatever would be refused is refused here too. Nothing changes."""
    office = Office.restore(casino.office.book, casino.office.snapshot())
    rank, when = casino.rank_of(who), casino.house.clock()

    def ask(command: Adding) -> Refused | None:
        if isinstance(command, AddLink | AddTable):
            refused = casino.places.would_refuse(command)
            if refused is not None:
                return refused
        office.check_written(command)
        answer = office.handle(Order(command=command, who=who, rank=rank, when=when))
        return answer if isinstance(answer, Refused) else None

    state = casino.office.state
    planned = changes(state, links, tables, staff, settings=settings, reason=reason)
    return [_applied(change, ask) for change in planned]


def _applied(change: Change, give: Callable[[Adding], Refused | None]) -> Applied:
    """Give the command of one change; a table may be turned away because its link was."""
    if change.command is None:
        return Applied(change=change, done=False)
    try:
        refused = give(change.command)
    except BadCommand as error:
        return Applied(change=change, done=False, says=str(error))
    if refused is None:
        return Applied(change=change, done=True)
    return Applied(change=change, done=False, says=refused.says, cites=refused.cites)


def adding_link(name: str, link: LinkConfig, reason: str = CONFIGURED) -> AddLink:
    """The command that sets a link up."""
    return AddLink(
        link=name,
        rulebook=link.rulebook,
        settings=link.settings,
        policies=link.policies,
        reason=reason,
    )


def adding_table(name: str, table: TableConfig, reason: str = CONFIGURED) -> AddTable:
    """The command that sets a table up."""
    return AddTable(
        table=name,
        rulebook=table.rulebook,
        settings=table.settings,
        policies=table.policies,
        link=table.link or "",
        area=table.area,
        reason=reason,
    )


def _link(name: str, link: LinkConfig, known: PlaceRecord | None, reason: str) -> Change | None:
    if known is None:
        says = f"set up link {name} under {link.rulebook}"
        return Change(place=name, what="add", says=says, command=adding_link(name, link, reason))
    return _differs(name, known, "link", link, LinkSettings)


def _table(name: str, table: TableConfig, known: PlaceRecord | None, reason: str) -> Change | None:
    if known is None:
        says = f"set up table {name} under {table.rulebook}"
        says += f" on link {table.link}" if table.link else ""
        return Change(place=name, what="add", says=says, command=adding_table(name, table, reason))
    kind = GAMES.games[table.rulebook].table_type.settings_type
    more = {"link": (known.link, table.link or ""), "area": (known.area, table.area)}
    return _differs(name, known, "table", table, kind, more)


def _setting(command: ChangeSetting) -> Change:
    before, after = command.before or "its default", command.after or "its default"
    says = f"put on record that {command.setting} is {after}, and was {before}"
    return Change(place=command.setting, what="set", says=says, command=command)


def _person(name: str, role: Role, state: OfficeState, reason: str) -> Change | None:
    """A member of staff; without a password, which is in no file: he cannot log in until he has
    one."""
    known = state.people.get(name)
    if known is None:
        says = f"take on {name} as {role}, without a password yet"
        hiring = HireStaff(name=name, role=role, reason=reason)
        return Change(place=name, what="add", says=says, command=hiring)
    if known.role == role:
        return None
    is_now = known.role or "a player"
    says = f"{name} stays {is_now}; the file says {role}"
    return Change(place=name, what="differs", says=says)


def _differs(
    name: str,
    known: PlaceRecord,
    place: Literal["link", "table"],
    file: LinkConfig | TableConfig,
    kind: type[Struct],
    more: Mapping[str, tuple[str, str]] | None = None,
) -> Change | None:
    """Where a place that is there is not as the file has it; None if it is."""
    pairs = {
        "kind": (known.kind, place),
        "rulebook": (known.rulebook, file.rulebook),
        **(more or {}),
    }
    told = [
        f"{key} is {in_file(before)}, the file says {in_file(after)}"
        for key, (before, after) in pairs.items()
        if before != after
    ]
    if not told:
        told += _settings_differ(known.settings, file.settings, kind)
        told += [
            f"policies.{key} is {in_file(known.policies.get(key))}, the file says {in_file(value)}"
            for key, value in file.policies.items()
            if known.policies.get(key) != value
        ]
    if known.closed:
        told.insert(0, "it is closed")
    if not told:
        return None
    says = f"{known.kind} {name} stays as it is: {'; '.join(told)}"
    return Change(place=name, what="differs", says=says)


def _settings_differ(known: dict[str, Any], file: dict[str, Any], kind: type[Struct]) -> list[str]:
    """Where settings that stand are not those of a file, in the words of the file.

    Both are read as the same record: the office has lists where the file's are tuples, and what
    either leaves out has its default.
    """
    before, after = (_flat(msgspec.to_builtins(msgspec.convert(s, kind))) for s in (known, file))
    named = _flat(file)
    told = []
    for key in sorted(before.keys() | after.keys()):
        was, would = before.get(key), after.get(key)
        if was == would:
            continue
        of = kind_at(kind, key)
        says = "says" if key in named else "leaves it out, which means"
        told.append(f"settings.{key} is {in_file(was, of)}, the file {says} {in_file(would, of)}")
    return told
