"""Before anybody is served: the House and its configuration must belong together, and the tables
and links that the office does not know yet are set up.

What it knows already goes on where it stood, with the settings that it was set up with.
"""

from __future__ import annotations

from pathlib import Path

from croupier.house.approval import NotApproved, approved, as_set_up
from croupier.house.casino import Casino
from croupier.house.config import (
    CONFIGURED,
    adding_link,
    adding_table,
    setting_changes,
    settings_of,
)
from croupier.house.errors import HouseError
from croupier.house.founding import administrators, office_at
from croupier.house.manifest import (
    BadManifest,
    Manifest,
    manifest_of,
    named_places,
    named_settings,
    read_signed,
)
from croupier.house.office.commands import AddLink, AddTable
from croupier.house.office.roster_commands import SetClocks
from croupier.house.office.state import OfficeState
from croupier.house.urls import copy_folder, shown
from croupier.live.config import ApprovalConfig, Config
from croupier.live.errors import BadConfig
from croupier.table import TableError

NO_SETTINGS = (
    *("links.", "tables.", "staff.", "desk.", "servers."),
    *(
        f"server.{key}"
        for key in ("host", "port", "database", "key_file", "log", "metrics_key_file", "proxies")
    ),
)
"""What has records of its own in the office; where a server listens, which is its own; and the
ruling desk, which settles nothing at a table."""


def check_house(config: Config) -> None:
    """`mode = "money"` needs a House of real money that somebody can administer; the
    demonstration founds one of play money by itself, and touches no other."""
    url = config.server.database
    state = office_at(url)
    if config.demonstration:
        if state is not None and state.real_money:
            raise BadConfig(
                f"mode: {shown(url)} holds a House of real money, and the demonstration is for "
                'play money; write mode = "money", or name another database'
            )
        return
    init = f"croupier office init {shown(url)} --administrator"
    if state is None:
        raise BadConfig(
            f'there is no House at {shown(url)} yet, and mode = "money" needs one that somebody '
            f"can log in to; found it with: {init} NAME --real-money"
        )
    if not state.real_money:
        raise BadConfig(
            f'mode: {shown(url)} holds a House of play money, and mode = "money" needs one of real '
            f"money; found it in another database with: {init.replace(shown(url), 'URL')} NAME "
            '--real-money, or write mode = "demonstration"'
        )
    if not config.server.copy and copy_folder(url) is None:
        raise BadConfig(
            "server.copy: a House of real money keeps a copy of its log outside the database; "
            'name a folder for it, on another disk if you can: copy = "/var/lib/croupier/copy"'
        )
    known = administrators(state)
    if not any(known.values()):
        raise BadConfig(
            f"nobody can administer the House at {shown(url)}: its administrator has no password; "
            f"set one with: {init} {' or '.join(map(repr, known))} --real-money"
        )


def check_settings(config: Config, casino: Casino) -> None:
    """What a configuration sets otherwise than it is on record is put there by a person (S-32):
    where it is real money the server opens with nothing that nobody has answered for. The
    demonstration has nobody, and notes it itself."""
    changed = setting_changes(casino.office.state, settings_of(config, NO_SETTINGS))
    if config.demonstration:
        casino.note_settings(changed)
        return
    check_on_record(config, casino.office.state)


def check_on_record(config: Config, state: OfficeState) -> None:
    """What a configuration of real money sets is on record."""
    changed = setting_changes(state, settings_of(config, NO_SETTINGS))
    if not changed:
        return
    told = "; ".join(
        f"{each.setting} is {each.before or 'its default'} on record, the file says "
        f"{each.after or 'its default'}"
        for each in changed[:5]
    )
    more = f"; and {len(changed) - 5} more" if len(changed) > 5 else ""
    raise BadConfig(
        f"settings were changed that nobody has put on record: {told}{more}. A shift manager or "
        f"administrator does: croupier office apply {shown(config.server.database)} FILE --as NAME "
        "--reason WHY"
    )


def approved_settings(config: Config, state: OfficeState | None = None) -> dict[str, str]:
    """The settings of a House that a manifest names, with its tables and links: those on record
    stand as they were set up, the others as the configuration has them."""
    links = {name: adding_link(name, link) for name, link in config.links.items()}
    tables = {name: adding_table(name, table) for name, table in config.tables.items()}
    places = {name: as_set_up(each) for name, each in (links | tables).items()}
    if state is not None:
        places |= state.places
    return named_settings(settings_of(config, NO_SETTINGS)) | named_places(places)


def manifest_of_house(config: Config) -> Manifest:
    """What would run here: this installation with the settings of a configuration, and with the
    tables and links that are on record in its database, if there is one."""
    return manifest_of(approved_settings(config, office_at(config.server.database)))


def check_approved(config: Config) -> Manifest | None:
    """A House of real money opens only with what the regulator has approved, or after two people
    have said otherwise on record. Returns what is approved; None where that is nothing."""
    approval = config.approval
    if config.demonstration and not approval.manifest:
        return None
    url = config.server.database
    state = office_at(url)
    now = manifest_of(approved_settings(config, state))
    try:
        return approved(now, approval.manifest, approval.regulator_key, state, shown(url))
    except NotApproved as error:
        if config.demonstration:
            return _signed(approval)
        raise BadConfig(str(error)) from error


def _signed(approval: ApprovalConfig) -> Manifest | None:
    """What the demonstration is held to every day, if it names a manifest."""
    try:
        return read_signed(Path(approval.manifest), approval.regulator_key).manifest
    except BadManifest:
        return None


def set_up_places(config: Config, casino: Casino) -> None:
    """Put every new link and table of the configuration on the floor; what else it sets must be on
    record."""
    known = frozenset(casino.office.state.places)
    try:
        check_settings(config, casino)
        for name, link in config.links.items():
            if name not in known:
                _set_up(casino, name, adding_link(name, link))
        for name, table in config.tables.items():
            is_new = name not in known
            if is_new:
                _set_up(casino, name, adding_table(name, table))
            _set_clocks(config, casino, name, is_new=is_new)
    except (TableError, HouseError) as error:
        raise BadConfig(str(error)) from error


def _set_up(casino: Casino, name: str, adding: AddLink | AddTable) -> None:
    """Set a new place up, unless another server does so at this moment."""
    if isinstance(adding, AddLink):
        refused = casino.add_link(adding).refused
    else:
        refused = casino.add_table(adding).refused
    if refused is not None:
        casino.catch_up_office()
    if name not in casino.office.state.places:
        _accepted(name, refused)


def _set_clocks(config: Config, casino: Casino, name: str, *, is_new: bool) -> None:
    """The clocks that a table has of its own are set with it; where it is real money they are
    changed by a person, and nobody else."""
    clocks, on_record = config.tables[name].clocks, casino.office.state.places[name].clocks
    if not clocks or clocks == on_record:
        return
    if not is_new and not config.demonstration:
        told = " ".join(f"{clock}={seconds:g}" for clock, seconds in sorted(clocks.items()))
        raise BadConfig(
            f"tables.{name}.clocks: the file has other clocks than are on record; put them there "
            f"with: croupier office table clocks {shown(config.server.database)} {name} {told} "
            "--as NAME --reason WHY"
        )
    own = SetClocks(table=name, clocks=clocks, reason=CONFIGURED)
    _accepted(name, casino.tell(own).refused)


def _accepted(name: str, refused: object) -> None:
    if refused is not None:
        raise BadConfig(f"{name} cannot be set up: {refused}")
