"""Reports open offline and hold what they should; the commands print, and refuse by name."""

import importlib.util
import json
import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from croupier.cli.lab import lab
from croupier.cli.lab_play import command_line
from croupier.lab.equity import equity
from croupier.lab.errors import LabError
from croupier.lab.floor import Floor, Link
from croupier.lab.report import (
    Chart,
    Facts,
    Grid,
    Heading,
    Note,
    Report,
    ReportError,
    to_html,
    write_report,
)
from croupier.lab.report_equity import equity_report
from croupier.lab.report_simulation import simulation_answer, simulation_report
from croupier.lab.simulate import Plan, simulate
from croupier.lab.simulate_pay import Stakes
from croupier.lab.simulate_strategy import always
from croupier.rulebooks import load

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="the extra `lab` is not installed"
)
V3 = load("multi-link-progressive-v3")


class Page(HTMLParser):
    """Reads a page: what is open, what is named, what it would fetch."""

    EMPTY = {"meta", "br", "hr", "img", "input", "link"}

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.fetched, self.tags, self.text = [], [], [], [], []
        self.feed(text)
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.note(tag, attrs)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.note(tag, attrs)

    def note(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "xlink:href", "data", "action", "srcset"):
                self.fetched.append(value)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"{tag} closed out of order"

    def handle_data(self, data):
        self.text.append(data)


def checked(text):
    """A page that needs nothing from anywhere, and is well formed."""
    page = Page(text)
    assert all(target.startswith("#") for target in page.fetched)
    assert {target[1:] for target in page.fetched} <= set(page.ids)
    assert len(set(page.ids)) == len(page.ids), "no two charts share a name"
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    for found in re.findall(r"url\(([^)]*)\)", text):
        assert found.startswith("#")
        assert found[1:] in page.ids
    assert "@import" not in text
    elsewhere = set(re.findall(r"https?://[^\s\"'<]+", text))
    assert elsewhere <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert not re.search(r"#0[1-8]0[1-8]0[1-8]", text), "a stand-in colour was left"
    return page


@pytest.fixture(scope="module")
def played():
    plan = Plan.make(
        V3,
        always(fold=["72o"]),
        Stakes(ante=1000, bonus=500, progressive=500),
        rounds=150_000,
        seed=2,
        floor=Floor(tables=3, boxes=4),
        link=Link(reset=5_000_000, contribution=100),
    )
    return simulate(plan)


def test_a_simulation_as_a_page(played):
    text = to_html(simulation_report(played, V3, made_by="croupier lab simulate v3 --seed 2"))
    page = checked(text)
    assert page.tags.count("svg") == 4, "sessions, the House, the meter, time between jackpots"
    words = " ".join(page.text)
    assert "1,800,000 rounds simulated" in words
    assert "croupier lab simulate v3 --seed 2" in words
    for line, times in played.progressive_counts.items():
        assert line in words
        assert f"{times:,}" in words
    assert all(line in words for line in played.bonus_counts)
    one_in = 150_000 * 3 / len(played.jackpots)  # the rounds of three tables
    assert f"on average one in {one_in:,.0f} rounds" in words


def test_how_often_a_jackpot_falls_counts_the_rounds_after_the_last_one(played):
    hits, rounds = len(played.jackpots), played.rounds * played.plan.floor.tables
    assert played.rounds_per_jackpot == rounds / hits
    assert played.rounds_per_jackpot > sum(played.jackpot_gaps) / hits
    assert simulation_answer(played)["progressive"]["rounds_per_jackpot"] == rounds / hits


def test_a_simulation_as_data_adds_up(played):
    answer = json.loads(json.dumps(simulation_answer(played)))
    parts = sum(answer[bet]["result"] for bet in ("main", "bonus", "progressive"))
    assert answer["total"]["result"] == pytest.approx(parts)
    assert answer["box_rounds"] == 1_800_000
    assert answer["progressive"]["meter"]["end"] == played.meter.end / 100
    assert len(answer["progressive"]["jackpot_gaps"]) == answer["progressive"]["jackpots"] > 0
    low, high = answer["main"]["interval_95"]
    assert low < answer["main"]["mean"] < high


def test_odds_as_a_page():
    found = equity("QQ+,AKs", "random", board="2c 7d Jh")
    page = checked(to_html(equity_report(found)))
    assert page.tags.count("svg") == 3, "bars, and a square for each range"
    assert sum(text == "AKs" for text in page.text) == 2


def test_text_is_escaped_wherever_it_comes_from(tmp_path):
    bad = "<script>alert(1)</script> & 'x' \"y\""
    report = Report(
        title=bad,
        subtitle=bad,
        parts=(
            Heading(bad),
            Note(bad),
            Facts(((bad, bad, bad),)),
            Grid(title=bad, headings=(bad, bad + ">"), rows=((bad, bad),), caption=bad),
            Chart("<svg></svg>", bad, bad),
        ),
        made_by=bad,
    )
    write_report(tmp_path / "bad.html", report)
    page = checked((tmp_path / "bad.html").read_text(encoding="utf-8"))
    assert page.text.count(bad) >= 12


def test_a_report_that_cannot_be_written_is_said(tmp_path):
    report = Report(title="a", subtitle="b", parts=())
    with pytest.raises(ReportError, match="cannot be written"):
        write_report(tmp_path / "nowhere" / "x.html", report)


def test_the_foot_of_a_report_names_the_command_without_the_file(monkeypatch):
    monkeypatch.setattr("sys.argv", ["x", "lab", "equity", "AA", "QQ+,AKs", "--html", "a b.html"])
    assert command_line() == "croupier lab equity AA QQ+,AKs"
    monkeypatch.setattr("sys.argv", ["x", "lab", "edge", "v3", "--html=a.html", "--json"])
    assert command_line() == "croupier lab edge v3 --json"


@pytest.mark.slow
@pytest.mark.parametrize("book", ["v2", "v3", "v6"])
@pytest.mark.parametrize(
    ("words", "charts"),
    [
        (["edge"], 1),
        (["edge", "--meter", "250000", "--set", "ante-pays-from=flush"], 1),
        (["strategy"], 3),
        (["progressive", "--meter", "180000", "--players", "4", "--reset", "50000"], 1),
    ],
)
def test_exact_answers_as_pages(tmp_path, book, words, charts):
    file = tmp_path / "page.html"
    result = run(words[0], book, *words[1:], "--html", str(file))
    assert result.exit_code == 0, result.output
    page = checked(file.read_text(encoding="utf-8"))
    assert page.tags.count("svg") == charts


# ---- commands --------------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(lab, list(words))


def test_odds_from_the_command_line(tmp_path):
    result = run("equity", "AhKh", "QQ", "--board", "2h 7h Jc", "--html", str(tmp_path / "a.html"))
    assert result.exit_code == 0
    assert "exact" in result.output
    checked((tmp_path / "a.html").read_text(encoding="utf-8"))
    answer = json.loads(run("equity", "AhKh", "QQ", "--board", "2h 7h Jc", "--json").stdout)
    assert sum(player["equity"] for player in answer["players"]) == pytest.approx(1)
    drawn = run("equity", "AhKh", "QQ", "--sampled", "--samples", "1000", "--seed", "4", "--json")
    assert json.loads(drawn.stdout)["seed"] == 4


def test_rake_from_the_command_line():
    words = ("rake", "v8", "--percent", "5", "--cap", "30", "--big-blind", "10")
    assert "assumed mix" in run(*words).output
    answer = json.loads(run(*words, "--json").stdout)
    assert answer["rake"] == 597.0
    timed = run("rake", "v8", "--timed", "8", "--big-blind", "10", "--json")
    # 9 seats, 8 for each half hour, 100 hands at 30 an hour.
    assert json.loads(timed.stdout)["rake"] == 480.0


def test_a_simulation_from_the_command_line(tmp_path):
    words = ["simulate", "v3", "--rounds", "4000", "--strategy", "made-hands"]
    words += ["--bonus", "5", "--stake", "5", "--reset", "50000", "--contribution", "1"]
    result = run(*words, "--html", str(tmp_path / "a.html"))
    assert result.exit_code == 0, result.output
    assert "Sessions" in result.output
    checked((tmp_path / "a.html").read_text(encoding="utf-8"))
    kept = str(tmp_path / "kept.npz")
    one = json.loads(run(*words, "--json", "--checkpoint", kept).stdout)
    two = json.loads(run(*words, "--json", "--checkpoint", kept, "--threads", "1").stdout)
    assert one == two
    assert one["complete"]
    assert one["stakes"] == {"ante": 10.0, "bonus": 5.0, "progressive": 5.0}


def test_another_pay_table_is_simulated():
    words = ("simulate", "v3", "--rounds", "2000", "--strategy", "check", "--bonus", "10", "--json")
    one = json.loads(run(*words).stdout)
    other = json.loads(run(*words, "--set", "4.1.bonus.low-pair=4 to 1").stdout)
    more = one["bonus"]["lines"]["4.1.bonus.low-pair"] * 10
    assert other["bonus"]["result"] == one["bonus"]["result"] + more
    assert other["main"] == one["main"]


STAKED = ("simulate", "v3", "--strategy", "check", "--stake", "5")
RAKED = ("rake", "v8", "--percent", "5")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("equity", "AA,T9z", "KK"), "'T9z' at character 4"),
        (("equity", "AA", "KK", "--board", "2c 2c 3d"), "board: 2c twice"),
        (("equity", "AA", "KK", "--board", "2c 7x 3d"), "7x"),
        (("equity", "AA"), "1 ranges"),
        (("equity", "AA", "KK", "--exact", "--sampled"), "--exact or --sampled, not both"),
        (("equity", "AA", "KK", "--sampled", "--exact"), "--exact or --sampled, not both"),
        (("rake", "v8", "--big-blind", "10"), "either --percent or --timed"),
        (("rake", "v5", "--percent", "6", "--big-blind", "10"), "over the 5% allowed"),
        (("rake", "v5", "--timed", "6", "--big-blind", "10"), "no timed Rake"),
        (("rake", "v3", "--percent", "5", "--big-blind", "10"), "takes no Rake"),
        (("rake", "v8", "--percent", "five", "--big-blind", "10"), "no percentage"),
        (("rake", "v8", "--percent", "5", "--big-blind", "10", "--pots", "2:50%, x"), "'x'"),
        (("rake", "v8", "--percent", "5", "--big-blind", "10", "--pots", "2:50%"), "not to 100%"),
        (("simulate", "v3", "--stake", "5"), "needs --reset and --contribution"),
        (("simulate", "v3", "--reset", "5"), "need a jackpot --stake"),
        (("simulate", "v8"), "no-limit-holdem-v8"),
        (("simulate", "v3", "--strategy", "optimum"), "did you mean optimal"),
        (("simulate", "v3", "--strategy", "nowhere:x"), "no module 'nowhere'"),
        (("simulate", "v3", "--strategy", "check", "--fold", "27o"), "27o"),
        (("simulate", "v3", "--ante", "0", "--strategy", "check"), "ante: 0"),
        (("simulate", "v3", "--strategy", "check", "--boxes", "23"), "boxes: 23"),
        ((*STAKED, "--reset", "-5", "--contribution", "1"), "reset: -5; a meter"),
        ((*STAKED, "--reset", "5", "--contribution", "7.50"), "contribution: 7.50 of a jackpot"),
        ((*STAKED, "--reset", "5", "--contribution", "7.50"), "stake of 5; it is between"),
        (("simulate", "v3", "--strategy", "check", "--bonus", "-2.50"), "bonus: -2.50; 0 means"),
        ((*RAKED, "--big-blind", "10", "--cap", "-30"), "cap: -30; it is"),
        ((*RAKED, "--big-blind", "10", "--chip", "0"), "chip: 0; the smallest"),
        ((*RAKED, "--big-blind", "-2.50"), "big blind -2.50, 9 players"),
        (
            (*RAKED, "--big-blind", "10", "--cap", "30", "--chip", "20"),
            "cap: 30; it is a whole number of",
        ),
        ((*RAKED, "--big-blind", "10", "--period", "30"), "--period says nothing of a percentage"),
        (("rake", "v8", "--timed", "8", "--big-blind", "10", "--cap", "3"), "nothing of a timed"),
        (("rake", "v8", "--percent", "100", "--big-blind", "10"), "100% of a pot; it is from 0%"),
        (("rake", "v5", "--percent", "5.000001", "--big-blind", "10"), "5.000001% is over the 5%"),
        (("simulate", "v3", "--strategy", "json:loads"), "it is no Strategy and makes none"),
        (("simulate", "v3", "--strategy", ":mine"), "write it as MODULE:NAME"),
        (("edge", "v3", "--ante", "0"), "ante: 0.00; no box plays without an Ante"),
        (("simulate", "v3", "--strategy", "check", "--set", "nothing=1"), "nothing"),
    ],
)
def test_bad_input_is_named_and_ends_with_status_2(words, says):
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert says in result.output
    assert "cents" not in result.output, "amounts are written as on the table"


@pytest.mark.parametrize(
    "words",
    [
        ("edge", "v3"),
        ("hand", "v3", "Ah", "Kd"),
        ("strategy", "v6"),
        ("progressive", "v6", "--meter", "180000"),
        ("equity", "AA", "KK"),
        ("simulate", "v3"),
    ],
)
def test_a_report_that_could_not_be_written_is_refused_before_anything_is_computed(
    tmp_path, monkeypatch, words
):
    def computed(*_, **__):
        raise AssertionError("it began to compute")

    monkeypatch.setattr("croupier.cli.lab.waiting", computed)
    monkeypatch.setattr("croupier.cli.lab_play.waiting", computed)
    result = run(*words, "--html", str(tmp_path / "nowhere" / "x.html"))
    assert result.exit_code == 2, result.output
    assert "the report cannot be written there: No such file or directory" in result.output


def test_asking_whether_a_report_can_be_written_leaves_the_folder_as_it_was(tmp_path):
    there = tmp_path / "there.html"
    there.write_text("kept", encoding="utf-8")
    assert run("equity", "AA", "ZZ", "--html", str(there)).exit_code == 2
    assert run("equity", "AA", "ZZ", "--html", str(tmp_path / "new.html")).exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["there.html"]
    assert there.read_text(encoding="utf-8") == "kept"


def test_a_report_of_nothing_known_is_refused():
    from croupier.lab.report_answers import answer_report

    with pytest.raises(LabError, match="no report of 'x'"):
        answer_report("x", {}, None, book=V3)
