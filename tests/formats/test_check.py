"""`croupier hands check` and `show`: collections in files, folders and archives, good and bad."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import structs

from croupier.cli.main import croupier
from croupier.formats import check, sources
from croupier.formats.check import Options, Report, check_hands
from croupier.formats.ohh_write import write_ohh
from croupier.formats.phh import read_phh
from croupier.formats.replay import Replayer
from croupier.formats.replayed import replayed_hand
from tests.formats.records import COLLECTION, HEADS_UP, SHOWDOWN, WALK

TAMPERED = WALK.replace(
    "finishing_stacks = [995, 1005, 1000]", "finishing_stacks = [995, 1006, 999]"
)
OUT_OF_TURN = WALK.replace("'p3 f', 'p1 f'", "'p1 f', 'p3 f'")
ANTES = WALK.replace("antes = [0, 0, 0]", "antes = [1, 1, 1]")
BROKEN = WALK.replace("'p3 f'", "'p3 folds'")
OMAHA = WALK.replace("variant = 'NT'", "variant = 'PO'")
MIXED = "".join(
    f"[{number}]\n{text}\n"
    for number, text in enumerate((WALK, TAMPERED, OUT_OF_TURN, ANTES, BROKEN, OMAHA), 1)
)


def run(*words: object) -> Result:
    return CliRunner().invoke(croupier, ["hands", *[str(word) for word in words]])


def report_of(*words: object) -> dict[str, Any]:
    result = run("check", "--json", *words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    file = tmp_path / "mixed.phhs"
    file.write_text(MIXED)
    return file


# -- the report --------------------------------------------------------------------------------


def test_each_hand_is_counted_under_one_verdict(mixed: Path):
    report = report_of(mixed)
    assert report["hands"] == 6
    assert report["replayed"] == 4
    assert report["agree"] == 1
    assert report["differ"] == 1
    assert report["refused"] == 2
    assert report["unreadable"] == 1
    assert report["skipped"] == {
        "antes": 1,
        "negative posts": 0,
        "void": 0,
        "incomplete showdown": 0,
    }
    assert report["switches"] == {
        "rulebook": "no-limit-holdem-v8",
        "policies": {},
        "chip": None,
        "rake_percent": 10,
        "missing_folds": False,
        "room": {},
    }


def test_what_is_wrong_is_named_by_file_hand_and_place(mixed: Path):
    report = report_of(mixed)
    [difference] = report["differences"]
    assert (difference["file"], difference["hand"]) == (str(mixed), "2")
    assert "player 2 has 1,005 by the book, 1,006 on record" in difference["says"]
    first, omaha = report["refusals"]
    assert (first["hand"], first["place"]) == ("3", "step 1")
    assert first["cites"][0] == "5.13"
    assert omaha["hand"] == "6"
    assert omaha["cites"]
    [error] = report["errors"]
    assert (error["hand"], error["place"]) == ("5", "action 4")
    assert "p3 folds" in error["says"]


@pytest.mark.parametrize(
    ("text", "status"), [(WALK, 0), (OUT_OF_TURN, 0), (ANTES, 0), (TAMPERED, 1), (BROKEN, 2)]
)
def test_the_exit_status_tells(tmp_path: Path, text: str, status: int):
    file = tmp_path / "one.phh"
    file.write_text(text)
    assert run("check", file).exit_code == status


def test_the_report_for_people(mixed: Path):
    told = run("check", mixed).output
    for words in (
        "hands                 6",
        "agree                 1",
        "hand 2: finishing stacks: player 2 has 1,005 by the book",
        "It is player 3's turn. (5.13",
        "1  antes",
        "hand 5, action 4: 'p3 folds'",
    ):
        assert words in told


def test_a_policy_of_the_room_is_a_switch_and_in_the_report(mixed: Path):
    switch = "short-all-in-bar=answered-last-full-raise"
    report = report_of(mixed, "--policy", switch, "--chip", "0.50", "--rake", "5")
    assert report["switches"]["policies"] == {"short-all-in-bar": "answered-last-full-raise"}
    assert (report["switches"]["chip"], report["switches"]["rake_percent"]) == ("0.50", 5)
    told = run("check", mixed, "--policy", switch, "--chip", "0.50").output
    assert f"switch: --policy {switch}" in told
    assert "switch: --chip 0.50" in told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--policy", "no-such=thing"), "short-all-in-bar"),
        (("--policy", "short-all-in-bar=maybe"), "any-bet"),
        (("--policy", "short-all-in-bar"), "NAME=VALUE"),
        (("--chip", "0"), "more than nothing"),
    ],
)
def test_a_switch_that_makes_no_sense_is_an_error(mixed: Path, words: tuple[str, ...], says: str):
    result = run("check", mixed, *words)
    assert result.exit_code == 2
    assert says in result.output


# -- where hands come from ---------------------------------------------------------------------


def test_files_folders_and_archives_are_looked_through(tmp_path: Path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.phh").write_text(WALK)
    (tmp_path / "three.phhs").write_text(COLLECTION)
    (tmp_path / "notes.txt").write_text("nothing")
    with zipfile.ZipFile(tmp_path / "more.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/one.phh", HEADS_UP)
        archive.writestr("readme.md", "nothing")
        archive.writestr("b.phhs", COLLECTION)
    report = report_of(tmp_path)
    assert (report["hands"], report["agree"], report["files"]) == (8, 8, 4)
    inside = report_of(tmp_path / "more.zip")
    assert inside["hands"] == 4


def test_a_folder_without_hands_says_so(tmp_path: Path):
    report = report_of(tmp_path)
    assert report["unreadable"] == 1
    assert "no .phh" in report["errors"][0]["says"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nonsense", b"no archive at all"])
def test_a_broken_archive_is_an_error_and_the_rest_goes_on(tmp_path: Path, content: bytes):
    (tmp_path / "a.zip").write_bytes(content)
    (tmp_path / "b.phh").write_text(WALK)
    report = report_of(tmp_path)
    assert (report["unreadable"], report["agree"]) == (1, 1)
    assert report["errors"][0]["file"].endswith("a.zip")


def test_a_truncated_member_is_an_error_and_the_rest_goes_on(tmp_path: Path):
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.phhs", COLLECTION * 20)
        archive.writestr("b.phh", WALK)
    data = bytearray(file.read_bytes())
    place = data.index(b"Felt 1")
    data[place : place + 4] = b"Hole"  # so that its checksum is wrong
    file.write_bytes(bytes(data))
    report = report_of(file)
    assert report["agree"] >= 1
    [error] = [e for e in report["errors"] if "broken" in e["says"]]
    assert error["file"].endswith("a.zip:a.phhs")


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.phhs", b"\n" * 20_000_000)
        archive.writestr("one.phh", WALK)
    report = report_of(file)
    assert (report["unreadable"], report["agree"]) == (1, 1)
    assert "times smaller" in report["errors"][0]["says"]
    monkeypatch.setattr(sources, "TIGHTEST", 10**9)
    monkeypatch.setattr(sources, "MEMBER_BYTES", 1_000_000)
    assert "more than 1,000,000" in report_of(file)["errors"][0]["says"]


def test_a_member_that_lies_about_its_size_is_stopped(tmp_path: Path):
    source = sources.Limited(__import__("io").BytesIO(b"x" * 100), 50, "liar")
    with pytest.raises(sources.FormatError, match="more than the archive says"):
        source.read()


def test_a_file_in_another_encoding_is_an_error_for_its_hands_alone(tmp_path: Path):
    file = tmp_path / "latin.phhs"
    file.write_bytes(f"[1]\n{WALK}[2]\n{WALK}".replace("Ann", "Änn", 1).encode("latin-1"))
    report = report_of(file)
    assert (report["agree"], report["unreadable"]) == (1, 1)
    [error] = report["errors"]
    assert (error["hand"], error["place"]) == ("1", "line 17")
    assert "not UTF-8" in error["says"]


def test_open_hand_histories_are_checked_as_well(tmp_path: Path):
    replayed = replayed_hand(read_phh(HEADS_UP.encode()), Replayer())
    replayed = structs.replace(replayed, time=datetime(2024, 8, 1, 20, tzinfo=UTC))
    file = tmp_path / "one.ohh"
    file.write_bytes(write_ohh(replayed) + b"\n\n{ broken")
    report = report_of(tmp_path)
    assert (report["agree"], report["unreadable"]) == (1, 1)
    assert "The record agrees with the book" in run("show", file).output


# -- many hands --------------------------------------------------------------------------------


def many(tmp_path: Path, copies: int = 400) -> Path:
    hands = (WALK, SHOWDOWN, TAMPERED, OUT_OF_TURN, BROKEN)
    file = tmp_path / "many.phhs"
    file.write_text(
        "".join(f"[{n}]\n{hands[n % len(hands)]}\n" for n in range(1, copies * len(hands) + 1))
    )
    return file


def test_several_processes_count_what_one_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = many(tmp_path)
    alone = check_hands((file,), processes=1)
    monkeypatch.setattr(check, "SMALL", 0)
    together = check_hands((file,), processes=2)
    assert alone == together
    assert alone.hands == 2000
    assert (alone.agree, alone.differ, alone.refused, alone.unreadable) == (800, 400, 400, 400)


def test_the_report_keeps_only_so_many_details(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(check, "DETAILS", 7)
    report = check_hands((many(tmp_path, 20),), processes=1)
    assert report.differ == 20
    assert len(report.differences) == len(report.refusals) == len(report.errors) == 7


def test_an_interrupt_ends_the_check_with_what_was_counted(tmp_path: Path):
    def interrupt(done: int, report: Report) -> None:
        raise KeyboardInterrupt

    report = check_hands((many(tmp_path),), Options(), processes=1, progress=interrupt)
    assert not report.complete
    assert 0 < report.hands < 2000


def test_progress_is_told_in_bytes(tmp_path: Path):
    told: list[int] = []
    file = many(tmp_path)
    check_hands((file,), processes=1, progress=lambda done, report: told.append(done))
    assert told == sorted(told)
    assert 0.95 * file.stat().st_size < told[-1] <= file.stat().st_size


# -- the story ---------------------------------------------------------------------------------


def test_a_hand_is_told_as_a_story(tmp_path: Path):
    file = tmp_path / "c.phhs"
    file.write_text(COLLECTION)
    told = run("show", file).output
    for words in (
        "Hand 17 at table Felt 1, The Room, 01 August 2024 20:15",
        "Bob (seat 5) with $1,000.",
        "Cyn (seat 9) folds.  1.21",
        "Main Pot: 10 to Bob (seat 5)",
        "The record agrees with the book.",
    ):
        assert words in told, told


def test_a_hand_is_found_by_its_name_or_by_what_the_room_calls_it(tmp_path: Path):
    file = tmp_path / "c.phhs"
    file.write_text(COLLECTION)
    assert "Hand H-2" in run("show", file, "--hand", "2").output
    told = run("show", file, "--hand", "H-2").output
    assert "the room kept 10" in told
    assert "Seat 1 shows J♣ 10♣: One Pair, Jacks" in told
    missing = run("show", file, "--hand", "99")
    assert missing.exit_code != 0


@pytest.mark.parametrize(
    ("text", "words", "status"),
    [
        (TAMPERED, "The record differs: finishing stacks", 1),
        (OUT_OF_TURN, "The book does not allow it. step 1: It is Cyn's turn. (5.13", 0),
        (ANTES, "Not compared: antes.", 0),
    ],
)
def test_a_story_ends_with_the_verdict(tmp_path: Path, text: str, words: str, status: int):
    file = tmp_path / "one.phh"
    file.write_text(text)
    result = run("show", file)
    assert words in result.output
    assert "Ann (seat 2)" in result.output
    assert result.exit_code == status


def test_a_story_for_programs(tmp_path: Path):
    file = tmp_path / "one.phh"
    file.write_text(HEADS_UP)
    story = json.loads(run("show", file, "--json").stdout)
    assert [chapter["heading"] for chapter in story["chapters"]] == [
        "Blinds",
        "Hole Cards",
        "Flop",
        "Turn",
        "River",
    ]
    assert story["outcome"]["verdict"] == "agrees"


def test_a_file_that_cannot_be_read_says_so_in_one_line(tmp_path: Path):
    from croupier.cli.main import main

    file = tmp_path / "one.phh"
    file.write_text(BROKEN)
    with pytest.raises(SystemExit) as ended:
        main(["hands", "show", str(file)])
    assert ended.value.code == 2
