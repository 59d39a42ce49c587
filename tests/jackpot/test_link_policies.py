"""Which policies are the link's, and which a table's, is said in one place and is true."""

from __future__ import annotations

import re
from importlib.resources import files

from croupier.table.link import READ_BY_THE_LINK


def test_the_policies_of_the_link_are_those_that_the_link_reads():
    read: set[str] = set()
    for module in files("croupier.jackpot").iterdir():
        if module.name.endswith(".py"):
            read |= set(re.findall(r'policies\["([a-z-]+)"\]', module.read_text(encoding="utf-8")))
    assert read == READ_BY_THE_LINK
