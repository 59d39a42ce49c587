"""Disputes: opened, sealed, told to the patron, held, settled; figures worked out by hand."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from croupier.banked import commands as banked
from croupier.banked.reports import ReportInterruption
from croupier.cli.main import croupier
from croupier.house.disputes.about import find, read_about
from croupier.house.disputes.file import (
    DisputeFile,
    check_dispute_file,
    read_dispute_file,
    sealed,
)
from croupier.house.disputes.gathering import Gathered, gather
from croupier.house.disputes.holds import held_before, holds
from croupier.house.disputes.notice import notice_page
from croupier.house.disputes.papers import dispute_of, make_papers, open_dispute
from croupier.house.disputes.records import Content, DisputeLine, HeadLine
from croupier.house.disputes.settings import RIGHTS, DisputeSettings, settings_on_record
from croupier.house.errors import CorruptDatabase
from croupier.house.office import commands as orders
from croupier.house.office.disputes import OpenDispute, SettleDispute
from croupier.house.openings import NotOver, Openings, UnknownRound
from croupier.poker import commands as poker
from croupier.table import AUDITOR_AFTERWARDS, Look, Refused
from tests.house.test_record import a_void_round, refuse, url
from tests.house.test_reports import MANAGER, PLAYER, Evening, a_round_of_poker, evening

__all__ = ["evening"]


def opened(evening: Evening, about: str = "P#1", patron: str = "Ann", who: str = "Sam") -> int:
    evening.casino.house.writer.flush()
    number = open_dispute(
        evening.casino, about, who=who, claim="I had raised before the flop", patron=patron
    )
    assert isinstance(number, int), number
    return number


def gathered(evening: Evening, number: int) -> Gathered:
    evening.casino.house.writer.flush()
    state, reader = evening.casino.office.state, evening.casino.house.reader
    about = find(reader, read_about(dispute_of(state, number).about))
    return gather(reader, about, state=state, number=number)


def poker_round(evening: Evening, *, refused: bool = False) -> tuple[str, str]:
    """Both look at their cards; then as in the reports: the loser gives 10, the Rake is 1."""
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    evening.give("P", poker.Sit(seat=2, player="Bob", stake=20_000), "Bob", PLAYER)
    evening.call("P")
    evening.call("P")
    for seat, name in ((1, "Ann"), (2, "Bob")):
        evening.give("P", Look(seat=seat), name, PLAYER)
    names = {1: "Ann", 2: "Bob"}
    small = evening.casino.table("P").turn()
    assert small is not None
    big = 3 - small
    evening.give("P", poker.Call(seat=small), names[small], PLAYER)
    evening.give("P", poker.Check(seat=big), names[big], PLAYER)
    evening.give("P", poker.Bet(seat=big, to=4_000), names[big], PLAYER)
    if refused:
        refuse(evening)
    evening.give("P", poker.Fold(seat=small), names[small], PLAYER)
    return names[small], names[big]


# -- on record ------------------------------------------------------------------------------------


def test_a_dispute_is_on_record_with_its_deadline(evening: Evening):
    a_round_of_poker(evening)
    number = opened(evening)
    found = dispute_of(evening.casino.office.state, number)
    assert (number, found.about, found.patron, found.by) == (1, "P#1", "Ann", "Sam")
    assert found.began == evening.now
    assert found.deadline == evening.now + timedelta(days=30)
    assert found.settled is None
    assert isinstance(open_again := open_dispute_again(evening), Refused)
    assert open_again.says == "That is dispute 1 already, and it is not settled."
    assert opened(evening, patron="Bob") == 2


def open_dispute_again(evening: Evening) -> int | Refused:
    return open_dispute(evening.casino, "P#1", who="Sam", claim="again", patron="Ann")


@pytest.mark.parametrize(("who", "may"), [("Sam", True), ("Max", True), ("Dan", False)])
def test_who_may_open_one(evening: Evening, who: str, may: bool):
    a_round_of_poker(evening)
    evening.casino.house.writer.flush()
    made = open_dispute(evening.casino, "P#1", who=who, claim="x")
    assert isinstance(made, int) is may


def test_the_inspector_has_the_last_word(evening: Evening):
    a_round_of_poker(evening)
    number = opened(evening)

    def settle(**told: str) -> str:
        command = SettleDispute(dispute=number, outcome="10 goes back", **told)  # type: ignore[arg-type]
        refused = evening.casino.tell(command, who="Max").refused
        return refused.says if refused is not None else ""

    assert settle(in_favour_of="house") == ""
    assert "only an inspector" in settle(in_favour_of="patron")
    assert settle(in_favour_of="patron", inspector="Lim Wei", inspector_rank="Inspector") == ""
    assert "that stands" in settle(in_favour_of="house", inspector="Tan")
    settled = dispute_of(evening.casino.office.state, number).settled
    assert settled is not None
    assert (settled.inspector, settled.inspector_rank) == ("Lim Wei", "Inspector")
    assert (settled.in_favour_of, settled.by) == ("patron", "Max")
    again = open_dispute(evening.casino, "P#1", who="Max", claim="x", patron="Ann")
    assert isinstance(again, Refused)
    assert "an inspector has decided it: that stands" in again.says
    assert open_dispute(evening.casino, "P#1", who="Max", claim="x", patron="Ben") == 2
    told = SettleDispute(dispute=9, outcome="x", in_favour_of="house")
    with pytest.raises(Exception, match="there is no dispute 9; there is 1, 2"):
        evening.casino.tell(told, who="Max")


def test_a_dispute_of_a_round_of_long_ago_is_found_by_its_ruling(evening: Evening):
    a_void_round(evening)
    evening.casino.house.writer.flush()
    position = evening.casino.house.positions["M"]
    found = find(evening.casino.house.reader, read_about(f"M@{position}"))
    assert (found.round, str(found)) == (1, f"M@{position}")
    with pytest.raises(UnknownRound, match="P has no round 3"):
        find(evening.casino.house.reader, read_about("P#3"))
    with pytest.raises(UnknownRound, match="no event 9999"):
        find(evening.casino.house.reader, read_about("M@9999"))


def test_what_is_in_dispute_is_held_until_it_is_settled(evening: Evening):
    a_round_of_poker(evening)
    number = opened(evening)
    state = evening.casino.office.state
    [hold] = holds(state)
    assert (hold.dispute, hold.place, hold.round, hold.began) == (1, "P", 1, evening.now)
    assert held_before(state, evening.now + timedelta(seconds=1)) == [hold]
    assert held_before(state, evening.now) == []
    settle = SettleDispute(dispute=number, outcome="agreed", in_favour_of="neither")
    assert evening.casino.tell(settle, who="Sam").refused is None
    assert holds(evening.casino.office.state) == []
    unknown = OpenDispute(place="P", round=1, claim="x", days=1)
    assert evening.casino.tell(unknown, who="Sam").refused is None
    assert held_before(evening.casino.office.state, evening.now)  # nobody knows since when


# -- the file -------------------------------------------------------------------------------------


def test_the_file_holds_orders_money_and_who_was_on_duty(evening: Evening):
    """The loser's 300 or 200 are 10 less, the winner's 9 more, and the Rake is 1."""
    loser, winner = poker_round(evening)
    refuse_in_round = evening.casino.house.give("P", Look(seat=2), who="Ann", rank=PLAYER).result()
    assert refuse_in_round.refused is not None
    evening.casino.house.writer.refused.write()
    evening.now += timedelta(hours=1)
    evening.casino.cash_out(loser, 5_000)  # later, and no part of it
    made = gathered(evening, opened(evening, patron=loser))
    content = made.content
    stakes = {"Ann": 30_000, "Bob": 20_000}
    money = {m.account: (m.held_before, m.amount, m.held_after) for m in content.money}
    assert money == {
        f"table/P/chips/{loser}": (stakes[loser], -1_000, stakes[loser] - 1_000),
        f"table/P/chips/{winner}": (stakes[winner], 900, stakes[winner] + 900),
        f"player/{loser}": (100_000 - stakes[loser], 0, 100_000 - stakes[loser]),
        f"player/{winner}": (100_000 - stakes[winner], 0, 100_000 - stakes[winner]),
        "table/P/rake": (0, 100, 100),
    }
    assert [m.account for m in made.own] == [f"player/{loser}", f"table/P/chips/{loser}"]
    given = [msgspec.json.decode(order.command)["do"] for order in content.orders]
    assert given[:2] == ["call for blinds", "post blinds"]
    assert [do for do in given if do in ("call", "check", "bet", "fold")] == [
        *("call", "check", "bet", "fold")
    ]
    assert "give shuffle" not in given  # the next deck lies there shuffled
    [refused] = content.refused
    assert (refused.who, refused.says) == ("Ann", "Ann cannot act for Bob.")
    on_duty = {line.name: (line.post, line.area) for line in content.staff}
    assert on_duty["Dan"] == ("dealer", "area of Dan")
    assert content.players == {1: "Ann", 2: "Bob"}
    assert {p.paragraph for p in content.paragraphs} >= {"3.8", "4.1"}
    assert any("Hole Cards" in told.says or "Face down" in told.says for told in content.replay)


def test_the_ruling_has_its_time_on_the_clock_for_the_cameras(evening: Evening):
    evening.give("M", banked.Sit(box=1, player="Ann", chips=50_000), "Ann", PLAYER)
    evening.call("M")
    evening.give("M", banked.PlaceAnte(box=1, amount=2_500), "Ann", PLAYER)
    evening.give("M", banked.CloseBets())
    evening.now += timedelta(seconds=12.5)
    evening.give("M", ReportInterruption(says="the lights went out"))
    evening.now += timedelta(seconds=30)
    evening.give("M", banked.UndoRuling(reason="another table"), "Sam", MANAGER)
    evening.give("M", ReportInterruption(says="now they did"))
    made = gathered(evening, opened(evening, "M#1")).content
    rulings = [(line.clock[11:], line.who, "void" in line.kinds) for line in made.rulings]
    assert rulings == [
        ("12:00:12.500", "Dan", True),
        ("12:00:42.500", "Sam", False),
        ("12:00:42.500", "Dan", True),
    ]
    sam = next(line for line in made.staff if line.name == "Sam")
    assert [(act.seconds, act.order) for act in sam.acts] == [
        (42.5, "undo ruling, because another table")
    ]
    money = {m.account: m.amount for m in made.money}
    assert money["table/M/chips/Ann"] == 0


def test_no_file_of_a_round_that_is_under_way(evening: Evening):
    """The dispute is on record and holds; the cards stay closed."""
    for seat, who in ((1, "Ann"), (2, "Bob")):
        evening.give("P", poker.Sit(seat=seat, player=who, stake=30_000), who, PLAYER)
    evening.call("P")
    evening.call("P")
    number = opened(evening)
    with pytest.raises(UnknownRound, match="is not over"):
        gathered(evening, number)


def test_a_change_to_the_file_is_found(evening: Evening):
    poker_round(evening)
    number = opened(evening)
    evening.casino.house.writer.flush()
    reader = evening.casino.house.reader
    papers = make_papers(evening.casino, number, "Sam")
    file = read_dispute_file(papers.file)
    assert check_dispute_file(file, reader) == []
    assert dispute_of(evening.casino.office.state, number).sha256 == papers.sha256 == file.sha256
    changed = bytes(file.content).replace(b'"Ann"', b'"Eve"', 1)
    assert "was changed" in wrong(msgspec.structs.replace(file, content=msgspec.Raw(changed)))
    content = file.read()
    content.money[0] = msgspec.structs.replace(content.money[0], held_after=1)
    assert "is not 1" in wrong(resealed(content))
    content = file.read()
    content.rows[2].who = "Eve"
    assert "does not follow" in wrong(resealed(content))
    content = file.read()
    content.orders[1].who = "Eve"
    assert "is not the one its event is bound to" in wrong(resealed(content))
    content = file.read()
    content.heads[0] = msgspec.structs.replace(content.heads[0], digest="00" * 32)
    assert any("another event" in each for each in check_dispute_file(resealed(content), reader))
    with pytest.raises(CorruptDatabase, match="is no dispute file"):
        read_dispute_file(b'{"croupier": 1}')


@pytest.mark.parametrize("part", [*Content.__struct_fields__])
def test_a_change_to_any_part_is_found_by_the_log(evening: Evening, part: str):
    """Also by somebody who makes the digest again; what the office has on record needs no more."""
    poker_round(evening, refused=True)
    number = opened(evening)
    evening.casino.house.writer.refused.write()
    evening.casino.house.writer.flush()
    reader = evening.casino.house.reader
    content = gathered(evening, number).content
    assert check_dispute_file(resealed(content), reader) == []
    setattr(content, part, another(getattr(content, part)))
    told = part in ("made", "made_by", "version", "shuffles_say")  # by whoever made it
    assert bool(check_dispute_file(resealed(content), reader)) != told, part


@pytest.mark.parametrize("part", ["money", "held", "staff", ""])
def test_a_file_that_says_it_is_older_is_held_to_the_log_for_what_it_has(
    evening: Evening, part: str
):
    """Whoever leaves out what came after the round, as if it was made before, gains nothing."""
    poker_round(evening)
    evening.give("P", poker.TopUp(seat=1, amount=100_00), "Ann", PLAYER)
    number = opened(evening)
    evening.casino.house.writer.flush()
    reader = evening.casino.house.reader
    content = gathered(evening, number).content
    last = content.rows[-1]
    assert content.after
    later = {row.command_id for row in content.elsewhere if row.place == "P"}
    assert later
    content.after = []
    content.rulings = [each for each in content.rulings if each.position <= last.position]
    content.elsewhere = [row for row in content.elsewhere if row.command_id not in later]
    content.orders = [order for order in content.orders if order.command_id not in later]
    content.heads = [
        head
        if head.place != "P"
        else HeadLine(place="P", position=last.position, digest=last.digest)
        for head in content.heads
    ]
    replace = msgspec.structs.replace
    if part == "money":
        ours, theirs = [n for n, line in enumerate(content.money) if line.amount][:2]
        for n, amount in ((ours, 100), (theirs, -100)):
            line = content.money[n]
            more, after = line.amount + amount, line.held_after + amount
            content.money[n] = replace(line, amount=more, held_after=after)
    elif part == "held":
        line = content.money[0]
        before, after = line.held_before + 1, line.held_after + 1
        content.money[0] = replace(line, held_before=before, held_after=after)
    elif part == "staff":
        content.staff[0] = replace(content.staff[0], post="no post")
    wrong = check_dispute_file(resealed(content), reader)
    named = "money" if part == "held" else part
    assert wrong == ([f"its part `{named}` is not what the log has"] if part else [])


def test_shuffles_that_could_not_be_opened_are_not_there(evening: Evening):
    """Whoever says so of some that are would not be held to the log for them."""
    poker_round(evening)
    number = opened(evening)
    evening.casino.house.writer.flush()
    content = gathered(evening, number).content
    content.shuffles[0] = msgspec.structs.replace(content.shuffles[0], root="00" * 32)
    content.shuffles_say = "the key is not here"
    [wrong] = check_dispute_file(resealed(content), evening.casino.house.reader)
    assert "`shuffles` is not what the log has" in wrong


def another(value: Any) -> Any:
    """Something else of the same kind."""
    match value:
        case list():
            if not value:
                return [{}]
            return [] if isinstance(value[0], HeadLine) else value[:-1]
        case dict():
            return {} if value else {"some": "thing"}
        case DisputeLine():
            return msgspec.structs.replace(value, claim="I had folded")
        case str():
            return value[:-1] if value else "x"
        case int():
            return value + 1
    return 1


def resealed(content: object) -> DisputeFile:
    """By somebody who makes the digest again."""
    return read_dispute_file(sealed(content)[0])  # type: ignore[arg-type]


def wrong(file: DisputeFile) -> str:
    return " ".join(check_dispute_file(file))


# -- the notice -----------------------------------------------------------------------------------


def test_the_patron_reads_his_rights_and_no_card_of_anybody_else(evening: Evening):
    for seat, name in ((1, "Ann"), (2, "Bob")):
        stake = poker.Sit(seat=seat, player=name, stake=30_000)
        evening.give("P", stake, name, PLAYER)
    evening.call("P")
    evening.call("P")
    hands = {
        evening.casino.table("P").player_at(seat): hand.cards
        for seat, hand in evening.casino.table("P").state.round.players.items()
    }
    for seat, name in ((1, "Ann"), (2, "Bob")):
        evening.give("P", Look(seat=seat), name, PLAYER)
    first = evening.casino.table("P").turn()
    assert first is not None
    evening.give("P", poker.Fold(seat=first), {1: "Ann", 2: "Bob"}[first], PLAYER)
    refuse_in_round = evening.casino.house.give("P", Look(seat=2), who="Ann", rank=PLAYER).result()
    assert refuse_in_round.refused is not None
    number = opened(evening)
    make_papers(evening.casino, number, "Sam")
    made = gathered(evening, number)
    state = evening.casino.office.state
    settings = DisputeSettings(house="Marina Casino", inspector="Desk 3", zone="Asia/Singapore")
    page = notice_page(number, dispute_of(state, number), made, settings)
    told = " ".join(line.says for line in made.seen)
    for card in hands["Ann"]:
        assert card.pretty in told
    for card in hands["Bob"]:
        assert card.pretty not in told
        assert card.pretty not in page
    assert all(right.split(".")[0] in page for right in RIGHTS)
    assert "16 December 2026, 20:00 (Asia/Singapore)" in page  # noon and 30 days, in Singapore
    assert "Marina Casino" in page
    assert "Desk 3" in page
    assert "I had raised before the flop" in page
    assert dispute_of(state, number).sha256 in page
    assert "Bob" in page
    assert "table/P/chips/Bob" not in page


def test_settings_come_from_the_record(evening: Evening):
    for name, value in (("disputes.days", "14"), ("disputes.rights", '["Ask."]')):
        told = orders.ChangeSetting(setting=name, before="", after=value, reason="the law")
        assert evening.casino.tell(told, who="Sam").refused is None
    settings = settings_on_record(evening.casino.office.state)
    assert (settings.days, settings.rights) == (14, ("Ask.",))
    a_round_of_poker(evening)
    found = dispute_of(evening.casino.office.state, opened(evening))
    assert found.deadline == evening.now + timedelta(days=14)
    with pytest.raises(msgspec.ValidationError, match="is no time zone"):
        msgspec.convert({"zone": "Atlantis"}, DisputeSettings)


# -- the command line -----------------------------------------------------------------------------


def run(*words: str, password: str = "Sam's password") -> Result:
    env = {"CROUPIER_PASSWORD": password}
    return CliRunner().invoke(croupier, ["audit", "dispute", *words], env=env)


def test_one_command_opens_seals_and_tells(evening: Evening, tmp_path: Path):
    poker_round(evening)
    refuse(evening)
    evening.casino.set_password("Sam", "Sam's password", who="administrator", reason="opening")
    at = url(evening)
    evening.casino.stop()
    evening.casino.stop = lambda: None  # type: ignore[method-assign]
    folder = tmp_path / "papers"
    words = ("open", at, "P#1", "--patron", "Ann", "--claim", "I said call", "--as", "Sam")
    made = run(*words, "--folder", str(folder))
    assert (made.exit_code, made.output.count("dispute-1")) == (0, 2)
    file = folder / "dispute-1.json"
    assert file.stat().st_mode & 0o077 == 0
    assert "I said call" in (folder / "dispute-1-notice.html").read_text()
    check = run("check", str(file), "--against", at)
    assert (check.exit_code, "is what the log has" in check.output) == (0, True)
    [listed] = json.loads(run("list", at, "--json").output)
    assert (listed["about"], listed["sha256"]) == ("P#1", json.loads(file.read_bytes())["sha256"])
    assert "For the cameras" in run("show", at, "1").output
    page = tmp_path / "record.html"
    assert run("show", at, "1", "--page", "--out", str(page)).exit_code == 0
    assert "<h1>Dispute 1: P#1</h1>" in page.read_text()
    assert run("notice", at, "1", "--out", str(tmp_path / "n.html")).exit_code == 0
    assert run("file", at, "P#1", "--out", str(tmp_path / "any.json")).exit_code == 0
    settle = ("settle", at, "1", "--outcome", "it stands", "--for", "house", "--as", "Sam")
    assert "decided by the inspector (Lim)" in run(*settle, "--inspector", "Lim").output
    assert run(*settle).exit_code == 1
    assert "No dispute is open." in run("list", at, "--open").output
    file.write_bytes(file.read_bytes().replace(b"Ann", b"Eve"))
    spoiled = run("check", str(file))
    assert (spoiled.exit_code, "was changed" in spoiled.output) == (1, True)
    again = run("notice", at, "1", "--out", str(tmp_path / "n.html"))
    assert "is there already" in str(again.exception)


@pytest.mark.parametrize("word", ["P", "P#", "#1", "P#0", "P@x", "P@"])
def test_what_is_neither_a_round_nor_a_ruling(word: str):
    with pytest.raises(Exception, match="write TABLE#ROUND"):
        read_about(word)


def test_no_card_of_a_round_that_goes_on_since_its_void_was_undone(evening: Evening):
    """The round was over, and is under way again: its cards are closed again."""
    house = evening.casino.house
    openings = Openings(house)

    def places(asked: Openings) -> set[tuple[str, int]]:
        house.writer.flush()
        opened = asked.openings_for("M", 1, AUDITOR_AFTERWARDS)
        return {(each.shuffle, each.index) for each in opened}

    a_void_round(evening)
    known = places(openings)
    assert known
    evening.give("M", banked.UndoRuling(reason="another table"), "Sam", MANAGER)
    assert house.pit.tables["M"].playing()
    number = opened(evening, "M#1")
    with pytest.raises(UnknownRound, match="is not over"):
        gathered(evening, number)
    for asked in (openings, Openings(house)):
        with pytest.raises(NotOver):
            places(asked)
    evening.give("M", ReportInterruption(says="now they did"))
    assert not house.pit.tables["M"].playing()
    for asked in (openings, Openings(house)):
        assert places(asked) >= known, "nothing of the round is lost by it"
    assert gathered(evening, number).content.replay
