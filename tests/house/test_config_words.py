"""A fault of a configuration file names its key, its line, what is there and what to write."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct, inspect

from croupier.banked.settings import BankedSettings
from croupier.house.config_words import Fault, explain, faults, line_of, unreadable, written
from croupier.jackpot import LinkSettings
from croupier.live.config import Config, read_config
from croupier.live.errors import BadConfig
from croupier.poker.settings import PokerSettings

GOOD = """\
mode = "money"            # line 1

[server]
port = 8017
origins = ["https://tables.example"]

[links."Marina link"]     # line 7
rulebook = "multi-link-progressive-v3"
settings = { reset_value = 10000, contribution = 1 }

[tables.M1]               # line 11
rulebook = "multi-link-progressive-v3"
link = "Marina link"
[tables.M1.settings]      # line 14
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
"""


def said(tmp_path: Path, text: str | bytes) -> str:
    """What is said of a file with a fault; the name of the file is left out."""
    file = tmp_path / "casino.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadConfig) as caught:
        read_config(file)
    told = str(caught.value)
    assert told.startswith(str(file))
    for library in ("Expected `", "Object ", "$", "Errno", "codec", "document"):
        assert library not in told, "a library's own words"
    return told.removeprefix(str(file)).lstrip(":, ")


def test_a_file_without_fault_is_read(tmp_path: Path):
    file = tmp_path / "casino.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert read_config(file).tables["M1"].settings["ante_minimum"] == 2_500


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (
            '"money" ',
            '"cash" ',
            'line 1: mode: "cash" cannot stand here; write one of "demonstration", "money"',
        ),
        (
            "port = 8017",
            'port = "8017"',
            'line 4: server.port: "8017" cannot stand here; write a whole number from 0 to 65,535',
        ),
        (
            "port = 8017",
            "port = 70000",
            "line 4: server.port: 70000 cannot stand here; write a whole number from 0 to 65,535",
        ),
        (
            "port = 8017",
            "prot = 8017",
            "line 4: server.prot: there is no such key here; did you mean port?",
        ),
        (
            '["https://tables.example"]',
            "[5]",
            "line 5: server.origins[0]: 5 cannot stand here; write text in quotes",
        ),
        (
            'rulebook = "multi-link-progressive-v3"\nlink',
            "link",
            "line 11: tables.M1: rulebook is missing; add it, with text in quotes: a rulebook "
            "such as no-limit-holdem-v8",
        ),
        (
            "[tables.M1]  ",
            '[tables."M/1"]',
            'line 11: tables."M/1": this is no name here; write text in quotes: 1 to 32 letters, '
            "digits, spaces, - or _, the first a letter or digit",
        ),
        (
            "reset_value = 10000, ",
            "",
            'line 9: links."Marina link".settings: reset_value is missing; add it, with an amount '
            "such as 60 or 2.50",
        ),
        (
            "ante_minimum = 25",
            "ante_minimum = 25.005",
            "line 16: tables.M1.settings.ante_minimum: '25.005' is not an amount; write whole "
            "units or cents, such as 60 or 2.50",
        ),
        (
            "ante_minimum = 25",
            "layout_boxes = 15",
            "line 16: tables.M1.settings.layout_boxes: 15 cannot stand here; write a whole number "
            "from 1 to 14",
        ),
        (
            'link = "Marina link"',
            'link = "Marina"',
            "line 13: tables.M1.link: there is no link 'Marina'; there is Marina link",
        ),
        (
            'link = "Marina link"',
            'link = "Marina link"\nbots = 2',
            "line 14: tables.M1.bots: a casino that plays for money has no bots; leave the key out",
        ),
    ],
)
def test_what_is_wrong_and_where(tmp_path: Path, before: str, after: str, says: str):
    assert GOOD.count(before) == 1
    told = said(tmp_path, GOOD.replace(before, after))
    assert told.splitlines()[-1].strip() == says if "tables." not in after else says in told


def test_faults_of_the_server_of_links_and_of_tables_are_told_together(tmp_path: Path):
    text = GOOD.replace("port = 8017", "port = 99999").replace('layout = "A"', "layout_boxes = 15")
    text = text.replace("contribution = 1", 'payment = "never"')
    text += '[tables.H1]\nrulebook = "v8"\nsettings = { seats = 1, signs = true }\n'
    text += '[tables.H2]\nrulebook = "no such book"\nsettings = { seats = 1 }\n'
    head, *lines = said(tmp_path, text).splitlines()
    assert head == "has 5 faults:"
    assert [line.split(":")[1].strip() for line in lines] == [
        "server.port",
        'links."Marina link".settings.payment',
        "tables.M1.settings.layout_boxes",
        "tables.H1.settings.seats",
        "tables.H1.settings.signs",
    ]


def test_faults_of_the_settings_of_several_tables_are_told_together(tmp_path: Path):
    text = GOOD.replace('layout = "A"', "layout_boxes = 15")
    text += '[tables.H1]\nrulebook = "v8"\nsettings = { seats = 1 }\n'
    told = said(tmp_path, text)
    assert "tables.M1.settings.layout_boxes: 15 cannot stand here" in told
    assert "tables.H1.settings.seats: 1 cannot stand here" in told


def test_every_fault_is_told_at_once(tmp_path: Path):
    text = GOOD.replace("8017", "-1").replace("[server]", "[server]\nlog = 3")
    assert said(tmp_path, text).splitlines() == [
        "has 2 faults:",
        '  line 4: server.log: 3 cannot stand here; write one of "json", "off"',
        "  line 5: server.port: -1 cannot stand here; write a whole number from 0 to 65,535",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a b", "line 1, column 3: after a key comes = and its value; write key = value: a b"),
        ("a = 1\na = 2\nb = 3", "line 2, column 6: this key stands here for the second time"),
        ("[a]\n[a]\n", "line 2, column 3: this section stands here for the second time"),
        ("[x", "line 1: a section is closed by ]; write [section]: [x"),
        ("a = [1\n", "line 1: a list is not closed; end it with ]: a = [1"),
        ('a = "x', 'line 1: text is not closed; end it with ": a = "x'),
        ("a = yes\n", "line 1, column 5: this is no value; write a number, true, false"),
        ("a = 1 2", "line 1, column 7: something stands after the value"),
        ("é = 1", "line 1, column 1: this is no TOML; a line is key = value"),
    ],
)
def test_what_is_no_toml(tmp_path: Path, text: str, says: str):
    assert said(tmp_path, text).startswith(says)
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    assert unreadable(text, caught.value).startswith(says)


def test_what_cannot_be_read_at_all(tmp_path: Path):
    assert said(tmp_path, b"a = 1\nb = '\xff'\n") == (
        "line 2: this is no UTF-8; save the file as that"
    )
    with pytest.raises(BadConfig, match=r"nowhere\.toml cannot be read: No such file"):
        read_config(tmp_path / "nowhere.toml")


# -- the words agree with what is read ------------------------------------------------------------

PROBES: tuple[Any, ...] = (
    "", "x", "12.5", "house", "dealer", "shoe", "2026-11-16T06:00:00Z", -1, 0, 1, 5, 15, 101,
    10**6, 0.0, 0.5, 11.5, True, False, [], [1], [1, 2], ["x"], [1, 2, 3], {}, {"x": 1},
    {"x": "y"}, {"percent": 5}, {"minutes": 0}, datetime(2026, 11, 16, tzinfo=UTC),
)  # fmt: skip


def fields(kind: type[Struct], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every key of a record and of the records in it."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        here = (*path, field.encode_name)
        yield here
        if isinstance(field.type, inspect.StructType):
            yield from fields(field.type.cls, here)


def with_value(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    for key in reversed(path):
        value = {key: value}
    return value  # type: ignore[no-any-return]


def is_read(told: dict[str, Any], kind: type[Struct]) -> bool:
    try:
        msgspec.convert(told, kind)
    except msgspec.ValidationError:
        return False
    return True


NEEDED: dict[type[Struct], dict[str, Any]] = {
    Config: {},
    PokerSettings: {},
    BankedSettings: {},
    LinkSettings: {"reset_value": 1},
}


@pytest.mark.parametrize("kind", NEEDED)
def test_a_fault_is_found_exactly_where_the_file_cannot_be_read(kind: type[Struct]):
    """Each key with each of some thirty values: no word about what is read, none missing."""
    tried = refused = 0
    for path in fields(kind):
        for value in PROBES:
            told = {**NEEDED[kind], **with_value(path, value)}
            found = faults(told, kind)
            assert bool(found) == (not is_read(told, kind)), f"{told}: {found}"
            assert all(fault.path[: len(path)] == path for fault in found), found
            refused += bool(found)
            tried += 1
    assert tried >= 10 * len(PROBES)
    assert refused > tried // 4


def test_what_a_required_key_may_be_is_said():
    assert [str(fault) for fault in faults({}, LinkSettings)] == [
        "reset_value is missing; add it, with an amount such as 60 or 2.50"
    ]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("mode",), 1),
        (("server", "port"), 4),
        (("server", "origins", 0), 5),
        (("links", "Marina link"), 7),
        (("links", "Marina link", "settings", "reset_value"), 9),
        (("tables", "M1", "area"), 11),
        (("tables", "M1", "settings", "progressive"), 20),
        (("clocks", "pace"), None),
    ],
)
def test_the_line_of_a_key(path: tuple[str | int, ...], line: int | None):
    assert line_of(GOOD, path) == line


def test_a_key_is_written_as_in_the_file():
    assert written(("links", "Marina link", "settings", "blinds", 1)) == (
        'links."Marina link".settings.blinds[1]'
    )
    lost = Fault(path=("clocks",), says="this is nowhere")
    assert explain("casino.toml", GOOD, [lost]) == "casino.toml: clocks: this is nowhere"
