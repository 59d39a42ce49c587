"""Setting up the tables and links of a configuration that the office does not know yet.

What it knows already goes on where it stood, with the settings that it was set up with.
"""

from __future__ import annotations

from croupier.house.casino import Casino
from croupier.house.config import adding_link, adding_table
from croupier.house.errors import HouseError
from croupier.live.config import Config
from croupier.live.errors import BadConfig
from croupier.table import TableError


def set_up_places(config: Config, casino: Casino) -> None:
    """Put every new link and table of the configuration on the floor."""
    known = casino.office.state.places
    try:
        for name, link in config.links.items():
            if name not in known:
                _accepted(name, casino.add_link(adding_link(name, link)).refused)
        for name, table in config.tables.items():
            if name not in known:
                _accepted(name, casino.add_table(adding_table(name, table)).refused)
    except (TableError, HouseError) as error:
        raise BadConfig(str(error)) from error


def _accepted(name: str, refused: object) -> None:
    if refused is not None:
        raise BadConfig(f"{name} cannot be set up: {refused}")
