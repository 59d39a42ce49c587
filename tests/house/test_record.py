"""The record can be asked: figures of a short evening, worked out by hand, in every form."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from croupier.banked import commands as banked
from croupier.banked import reports as banked_reports
from croupier.cli.main import croupier, main
from croupier.house.audit.export import export
from croupier.house.disputes.about import find, read_about
from croupier.house.disputes.file import check_dispute_file, read_dispute_file, sealed
from croupier.house.disputes.gathering import gather
from croupier.house.documents import write_csv, write_json, write_page
from croupier.house.errors import BrokenLog
from croupier.house.office import Office
from croupier.house.office import commands as orders
from croupier.house.queries import (
    LogLine,
    Wanted,
    account_lines,
    acts_of,
    log_lines,
    make_statement,
)
from croupier.house.queries.printed import log_document
from croupier.house.queries.statement import round_lines
from croupier.house.queries.walk import Given
from croupier.house.queries.wording import events_in_words
from croupier.house.store import Store
from croupier.poker import commands as poker
from croupier.table import Event, Look
from croupier.table.event import Namer
from tests.house.quick import make_quick
from tests.house.test_reports import (
    DEALER,
    MANAGER,
    NOON,
    PLAYER,
    Evening,
    a_round_of_poker,
    evening,
)

__all__ = ["evening"]


@pytest.fixture
def store(evening: Evening) -> Store:
    evening.casino.house.writer.flush()
    return evening.casino.house.reader


def asked(evening: Evening, **wanted: object) -> list[LogLine]:
    evening.casino.house.writer.flush()
    return list(log_lines(evening.casino.house.reader, Wanted(**wanted)))  # type: ignore[arg-type]


def refuse(evening: Evening, who: str = "Bob") -> None:
    """Somebody wants to look at cards that nobody has."""
    rank = PLAYER if who == "Bob" else DEALER
    answer = evening.casino.house.give("P", Look(seat=1), who=who, rank=rank).result()
    assert answer.refused is not None
    evening.casino.house.writer.refused.write()


def test_a_player_is_told_all_that_names_him_or_his_seat(evening: Evening):
    loser, winner = a_round_of_poker(evening)
    mine = asked(evening, player=winner, place="P")
    assert [line.order.split(" (")[0] for line in mine if line.who == winner] == [
        *("sit", "check", "bet")
    ]
    bet = next(line for line in mine if line.order.startswith("bet"))
    seat = {"Ann": 1, "Bob": 2}[winner]
    assert (bet.order, bet.round) == (f"bet ({winner} ({seat}), to 40)", 1)
    assert f"{winner} ({seat}) bets 40." in bet.says
    settled = mine[-1]
    assert (settled.who, settled.people) == ("house", (winner,))
    assert "The Rake is 1" in settled.says
    fold = asked(evening, staff=loser, place="P")[-1]
    assert fold.says.startswith(f"{loser} ")


def test_by_table_time_paragraph_and_round(evening: Evening):
    a_round_of_poker(evening)
    began = evening.now
    evening.now = began + timedelta(hours=1)
    evening.give("P", poker.TopUp(seat=1, amount=10_000), "Ann", PLAYER)
    late = asked(evening, since=evening.now)
    assert [(line.place, line.who, line.order) for line in late] == [
        ("P", "Ann", "top up (Ann (1), amount 100)")
    ]
    early = asked(evening, until=evening.now)
    assert early
    assert {line.at[:13] for line in early} == {began.isoformat()[:13]}
    cited = asked(evening, paragraph="4.1")
    assert cited
    assert all(any(c == "4.1" or c.startswith("4.1.") for c in x.cites) for x in cited)
    assert {line.round for line in asked(evening, place="P", round=1)} == {1}
    assert not asked(evening, place="P", round=2)


def test_no_card_that_lies_face_down_is_told(evening: Evening):
    """Not in words, and not as data: a round is under way."""
    for seat, who in ((1, "Ann"), (2, "Bob")):
        evening.give("P", poker.Sit(seat=seat, player=who, stake=30_000), who, PLAYER)
    evening.call("P")
    evening.call("P")
    evening.give("P", Look(seat=1), "Ann", PLAYER)
    hands = evening.casino.table("P").state.round.players.values()
    hidden = {str(card) for hand in hands for card in hand.cards}
    hidden |= {card.pretty for hand in hands for card in hand.cards}
    assert len(hidden) == 8
    told = asked(evening, place="P", round=1, data=True)
    text = json.dumps([(line.says, line.order, line.events) for line in told])
    plain = " ".join(f"{line.says} {line.order}" for line in told)
    dealt = next(line for line in told if "hole cards" in line.order)
    assert "??" in json.dumps(dealt.events)
    words = set(re.findall(r"\w+[♠♥♦♣]?", plain))  # Th is a card, and also how The begins
    assert "The" in words
    assert not any(f'"{card}"' in text or card in words for card in hidden)


class Peeked(Event, frozen=True, kw_only=True):
    """What one person saw: nobody else's to know."""

    card: str

    def tell(self, name: Namer) -> str:
        return f"He sees {self.card}."

    def public(self) -> Event | None:
        return None if self.card == "Ah" else replace(self, card="??")


def test_what_is_told_is_what_everybody_may_know():
    at = Office()
    events = (Peeked(card="Ah"), Peeked(card="Kd"))
    given = Given(
        place="P",
        at=NOON,
        number=0,
        round=1,
        roster={},
        conversation=at,
        ordered_at=at,
        events=events,
    )
    assert events_in_words(given) == "He sees ??."


def test_what_was_refused_is_told_on_request(evening: Evening):
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    refuse(evening)
    assert not [line for line in asked(evening, place="P") if line.refused]
    [line] = [each for each in asked(evening, place="P", refused=True) if each.refused]
    assert (line.who, line.order, line.number) == ("Bob", "look (Ann (1))", None)
    assert line.says
    assert line.cites


def test_an_order_says_at_which_post_it_was_given(evening: Evening):
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    refuse(evening, "Dan")
    line = [each for each in asked(evening, refused=True) if each.who == "Dan"][-1]
    assert line.duty == "dealer, area of Dan"


def a_void_round(evening: Evening) -> None:
    """Ann's Ante of 25 is void by an interruption."""
    evening.give("M", banked.Sit(box=1, player="Ann", chips=50_000), "Ann", PLAYER)
    evening.call("M")
    evening.give("M", banked.PlaceAnte(box=1, amount=2_500), "Ann", PLAYER)
    evening.give("M", banked.CloseBets())
    report = banked_reports.ReportInterruption(says="the lights went out")
    evening.give("M", report)


def test_rulings_by_their_kind(evening: Evening):
    a_void_round(evening)
    [void] = asked(evening, kinds=frozenset({"void"}))
    assert (void.place, void.who, "void" in void.kinds) == ("M", "Dan", True)
    assert "irregularity" in void.kinds
    assert "Round 1 is void" in void.says
    undo = banked.UndoRuling(reason="it was another table")
    evening.give("M", undo, "Sam", MANAGER)
    [undone] = asked(evening, kinds=frozenset({"undone"}))
    assert (undone.who, undone.order) == ("Sam", "undo ruling, because it was another table")


def test_a_void_that_was_taken_back_is_none_in_the_reports(evening: Evening):
    a_void_round(evening)

    def counted() -> tuple[int, int]:
        report = evening.report()
        table = next(t for t in report.tables if t.table == "M")
        return table.voids, sum(person.voids for person in report.staff)

    assert counted() == (1, 1)
    evening.give("M", banked.UndoRuling(reason="it was another table"), "Sam", MANAGER)
    assert counted() == (0, 0)
    evening.give("M", banked_reports.ReportInterruption(says="now they did"))
    assert counted() == (1, 1)


# -- accounts -------------------------------------------------------------------------------------


def test_an_account_line_by_line(evening: Evening):
    """1,000 in, 300 to the table, 50 out: 650 are left."""
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    evening.now += timedelta(hours=1)
    evening.casino.cash_out("Ann", 5_000, who="Sam")
    evening.casino.house.writer.flush()
    reader = evening.casino.house.reader
    lines = list(account_lines(reader, "player/Ann"))
    assert [(x.place, x.amount, x.balance, x.against) for x in lines] == [
        ("office", 100_000, 100_000, ("cash",)),
        ("P", -30_000, 70_000, ("table/P/chips/Ann",)),
        ("office", -5_000, 65_000, ("cash",)),
    ]
    assert [x.who for x in lines] == ["house", "Ann", "Sam"]
    later = list(account_lines(reader, "player/Ann", since=evening.now))
    assert [(x.order, x.amount, x.balance) for x in later] == [
        ("brought forward", 0, 70_000),
        ("Ann takes out 50.", -5_000, 65_000),
    ]
    early = list(account_lines(reader, "player/Ann", until=evening.now))
    assert [x.balance for x in early] == [100_000, 70_000]
    after = list(account_lines(reader, "player/Ann", since=evening.now + timedelta(days=1)))
    assert [(x.order, x.balance) for x in after] == [("brought forward", 65_000)]


def test_an_account_that_does_not_hold_what_its_entries_say_is_not_told(
    evening: Evening, store: Store
):
    store.database.execute("UPDATE balances SET balance = 1 WHERE account = 'player/Ann'")
    with pytest.raises(BrokenLog, match="holds 1 and its entries sum to 100000"):
        list(account_lines(store, "player/Ann"))
    store.database.execute("UPDATE balances SET balance = 100000 WHERE account = 'player/Ann'")


def test_a_statement(evening: Evening):
    """Small Blind 5 called to 10 and lost; Big Blind 10 and the uncalled 40 come back, and 19 of
    the pot of 20 after a Rake of 1."""
    loser, winner = a_round_of_poker(evening)
    seats, stakes = {"Ann": 1, "Bob": 2}, {"Ann": 30_000, "Bob": 20_000}
    evening.give("P", poker.Leave(seat=seats[loser]), loser, PLAYER)
    evening.casino.house.writer.flush()
    reader = evening.casino.house.reader
    lost = make_statement(reader, loser)
    [table] = lost.tables
    assert (table.table, table.rounds, table.buy_in) == ("P", 1, stakes[loser])
    assert (table.wagered, table.won, table.net) == (1_000, 0, -1_000)
    assert (table.cash_out, table.chips) == (stakes[loser] - 1_000, 0)
    lines = list(lost.lines)
    assert [x.amount for x in lines] == [100_000, -stakes[loser], stakes[loser] - 1_000]
    assert lines[-1].balance == 99_000
    won = make_statement(reader, winner)
    assert (won.net, won.tables[0].chips) == (900, stakes[winner] + 900)
    [line] = round_lines(reader, winner)
    assert (line.table, line.round, line.net) == ("P", 1, 900)


def test_what_one_person_did_and_for_whom(evening: Evening):
    a_void_round(evening)
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    refuse(evening, "Dan")
    evening.casino.cash_in("Bob", 100, who="Sam")
    evening.now += timedelta(hours=8)
    evening.casino.tell(orders.GoOffDuty(name="Dan"), who="Dan")
    evening.casino.house.writer.flush()
    acts = acts_of(evening.casino.house.reader, "Dan")
    lines = list(acts.lines)
    assert acts.role == "dealer"
    [duty] = acts.duty
    assert (duty.post, duty.area, duty.by) == ("dealer", "area of Dan", "Dan")
    assert (duty.since[11:16], duty.until[11:16]) == ("12:00", "20:00")
    assert lines[0].order == "hire staff (name Dan, role dealer), because opening"
    assert lines[0].who == "administrator"
    assert acts.totals["refused"] == 1
    assert acts.totals["void"] == 1
    assert acts.for_whom["Ann"].rulings == 1
    assert "Bob" not in acts.for_whom


def test_in_the_office_nobody_of_the_staff_is_called_a_player(evening: Evening):
    """Rank is a word of the tables: whoever goes on duty has none yet."""
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    told = printed(evening, write_page, staff="Dan")
    assert "go on duty (" in told
    assert "Dan, player" not in told
    assert "Ann, player" in printed(evening, write_page, player="Ann")


# -- how it is printed ----------------------------------------------------------------------------

EVIL = "=HYPERLINK(\u202e<b>x</b>)"


def printed(evening: Evening, write, **wanted: object) -> str:
    stream = io.StringIO()
    told = Wanted(**wanted)  # type: ignore[arg-type]
    evening.casino.house.writer.flush()
    lines = log_lines(evening.casino.house.reader, told)
    write(log_document(told, lines, whole=write is not write_page), stream)
    return stream.getvalue()


def test_no_form_lets_a_name_hide_or_run(evening: Evening, monkeypatch: pytest.MonkeyPatch):
    """A name that an older release took: it is a formula, has markup, and turns the direction."""
    with monkeypatch.context() as older:
        older.setattr("croupier.house.office.authority.wrong_with_name", lambda name: "")
        older.setattr(Office, "check_written", lambda command: None)
        assert evening.casino.open_account(EVIL).refused is None
    told = printed(evening, write_csv, player=EVIL)
    [row] = list(csv.DictReader(io.StringIO(told)))
    assert row["people"] == "'=HYPERLINK(<U+202E><b>x</b>)"
    assert row["number"].isdecimal()
    page = printed(evening, write_page, player=EVIL)
    assert "<b>" not in page
    assert "\u202e" not in page
    assert "=HYPERLINK(&lt;U+202E&gt;&lt;b&gt;" in page
    assert "default-src 'none'" in page
    [line] = json.loads(printed(evening, write_json, player=EVIL))["log"]
    assert line["people"] == [EVIL]
    assert "<U+202E>" in run("log", url(evening), "--player", EVIL).output
    assert "\u202e" not in run("log", url(evening), "--player", EVIL).output


def url(evening: Evening) -> str:
    name = evening.casino.house.store.database.name
    return name if name.startswith("sqlite") else f"sqlite:///{name}"


def run(*words: str) -> Result:
    return CliRunner().invoke(croupier, ["audit", *words], catch_exceptions=False)


def test_the_command_line_beside_a_running_house(evening: Evening, tmp_path: Path):
    loser, _ = a_round_of_poker(evening)
    evening.casino.house.writer.flush()
    at = url(evening)
    page = tmp_path / "statement.html"
    assert run("statement", at, loser, "--rounds", "--out", str(page)).exit_code == 0
    assert page.stat().st_mode & 0o077 == 0
    assert f"<h1>Statement for {loser}</h1>" in page.read_text()
    told = json.loads(run("account", at, loser, "--json").stdout)
    assert told["entries"][0]["balance"] == 100_000
    assert json.loads(run("who", at, "Sam", "--json").stdout)["role"] == "shift manager"
    day = json.loads(run("log", at, "--day", "2026-11-16", "--json").stdout)["log"]
    assert day
    assert not json.loads(run("log", at, "--day", "2026-11-15", "--json").stdout)["log"]
    assert "What the log says" in run("log", at, "--people").output
    assert "settle" in run("account", at, "table/P/rake").output


def test_an_export_is_asked_like_a_database(evening: Evening, tmp_path: Path):
    loser, _ = a_round_of_poker(evening)
    evening.casino.house.writer.flush()
    file = tmp_path / "night.jsonl.gz"
    export(evening.casino.house.store, file)
    here = run("account", url(evening), loser, "--csv")
    there = run("account", str(file), loser, "--csv")
    assert (there.exit_code, there.stdout) == (0, here.stdout)
    here = run("log", url(evening), "--player", loser, "--csv")
    assert run("log", str(file), "--player", loser, "--csv").stdout == here.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["log", "URL", "--table", "Q"], "there is no log of 'Q'"),
        (["log", "URL", "--round", "1"], "name it with --table"),
        (["account", "URL", "Eve"], "there is no account 'Eve'"),
        (["statement", "URL", "Anm"], "no player called Anm; did you mean Ann?"),
        (["statement", "URL", "Sam"], "Sam is staff (shift manager), and no player"),
        (["who", "URL", "Ann"], "Ann is a player, and no member of staff"),
        (["log", "URL", "--since", "yesterday"], "write 2026-11-16"),
        (["log", "URL", "--day", "2026-11-16", "--since", "2026-11-16"], "leave --since"),
        (["log", "URL", "--out", "x.txt"], "say --csv, --json or --page"),
        (["log", "URL", "--since", "2026-11-16", "--until", "2026-11-15"], "nothing lies between"),
    ],
)
def test_a_mistake_is_told_with_what_to_do(
    evening: Evening, words: list[str], says: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as ended:
        main(["audit", *(url(evening) if word == "URL" else word for word in words)])
    assert ended.value.code == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_a_long_log_is_read_in_pages(evening: Evening, monkeypatch: pytest.MonkeyPatch):
    """Whatever the size of a page, the lines are the same."""
    a_round_of_poker(evening)
    before = asked(evening)
    for size in (1, 3):
        monkeypatch.setattr("croupier.house.queries.walk.ROWS_IN_MEMORY", size)
        monkeypatch.setattr("croupier.house.queries.walk.FEWEST", size)
        assert asked(evening) == before
    monkeypatch.setattr("croupier.house.queries.account.AT_ONCE", 1)
    evening.casino.house.writer.flush()
    lines = list(account_lines(evening.casino.house.reader, "table/P/pot"))
    assert lines[-1].balance == 0


def test_both_databases_are_asked_alike(database_url: str, monkeypatch: pytest.MonkeyPatch):
    """The log, an account, a statement and a dispute file, on SQLite and on PostgreSQL."""
    make_quick(monkeypatch)
    made = Evening(database_url)
    try:
        loser, _ = a_round_of_poker(made)
        refuse(made)
        made.casino.house.writer.flush()
        with made.casino.house.reader.as_it_stands() as now:
            told = list(log_lines(now, Wanted(player=loser, refused=True)))
            assert [line.refused for line in told].count(True) == 1
            assert made.casino.house.reader.balance(f"player/{loser}") == (
                list(account_lines(now, f"player/{loser}"))[-1].balance
            )
            statement = make_statement(now, loser)
            assert (statement.net, statement.tables[0].rounds) == (-1_000, 1)
            about = find(now, read_about("P#1"))
            gathered = gather(now, about, state=made.casino.office.state)
            money = {line.account: line.amount for line in gathered.content.money}
            assert money[f"table/P/chips/{loser}"] == -1_000
            file, _ = sealed(gathered.content)
            assert check_dispute_file(read_dispute_file(file), now) == []
    finally:
        made.casino.stop()
