"""The pit console in a browser of a casino that plays for money, as staff of each rank: jackpots
with slips and a witness, faults of devices, wrong counts, skipped players, tables that are not
theirs, lost connections and restarts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.live.accounts import CLOCKS, claims, log_in, stands
from tests.live.conftest import PASSWORD, AtTable, Running
from tests.live.lucky import deals, founded, lucky, with_hand_dealt
from tests.live.test_pit import Console, by_hand, play, posted
from tests.web.conftest import Visitor
from tests.web.test_pages import violations
from tests.web.test_pit import TABLET, confirm, report, rules, tile

SLOWLY = structs.replace(CLOCKS, between_rounds=600)
"""What was ruled stays on the table until it is looked at."""


class Floor:
    """A casino with staff who have browsers of their own."""

    def __init__(self, house: Running, browser: Any, opened: ExitStack) -> None:
        self.house = house
        self._browser = browser
        self._opened = opened

    def staff(self, name: str, **options: Any) -> Visitor:
        """Somebody who has logged in and looks at the floor."""
        options = {"viewport": TABLET, "reduced_motion": "reduce"} | options
        one = Visitor(self._browser.new_context(**options), self.house.url.rstrip("/"))
        self._opened.callback(one.context.close)
        one.name = name
        comes_in(one)
        return one

    def reports(self, one: Visitor, place: str, do: str) -> None:
        """Open a table, and report something there."""
        one.page.goto(f"{one.address}/pit#table/{place}")
        report(one, do)


def comes_in(one: Visitor) -> None:
    one.page.goto(f"{one.address}/")
    one.page.get_by_label("Your name").fill(one.name)
    one.page.get_by_label("Password").fill(PASSWORD)
    one.page.get_by_role("button", name="Log in").click()
    one.page.locator(".bar .me", has_text=one.name).wait_for()
    one.page.goto(f"{one.address}/pit")
    one.page.locator(".tile").first.wait_for()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return founded(tmp_path, monkeypatch)


@pytest.fixture
def opened(browser: Any, folder: Path) -> Iterator[Callable[..., Floor]]:
    """Opens the casino, as often as it is asked for: each time it is the same House."""
    with ExitStack() as stack:

        def again(**how: Any) -> Floor:
            house = stack.enter_context(lucky(folder, with_hand_dealt(), **how))
            return Floor(house, browser, stack)

        yield again


def decides(one: Visitor, place: str, option: str) -> None:
    """Answer what waits there."""
    one.page.locator(".need", has_text=place).get_by_role("link", name="Decide").first.click()
    rules(one, option)
    one.page.locator(".done").wait_for()


# -- who may --------------------------------------------------------------------------------------


def test_a_dealer_is_refused_at_a_table_that_is_not_theirs(opened: Callable[..., Floor]):
    floor = opened()
    play(floor.house)
    deb = floor.staff("Deb")
    assert "not yours" in tile(deb, "Raffles").inner_text()
    assert tile(deb, "Raffles").get_by_role("link", name="Report").count() == 0
    deb.page.goto(f"{deb.address}/pit#table/Raffles")
    deb.page.get_by_text("You are not assigned to this table").wait_for()
    assert deb.page.locator(".pick.report").count() == 0
    assert violations(deb.page) == []
    command = {"id": "deb-tries-1", "command": {"do": "report interruption"}}
    status, said = posted(log_in(floor.house, "Deb"), "/api/pit/tables/Raffles/hold", command)
    assert (status, "not assigned" in said["says"]) == (409, True), "whatever the page shows"


# -- jackpots -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_claims_of_two_tables_are_paid_in_order_with_slips(opened: Callable[..., Floor]):
    floor = opened()
    for name, place in (("Ann", "M1"), ("Bob", "M2")):
        claims(log_in(floor.house, name), place)
    max_, sue = floor.staff("Max"), floor.staff("Sue", viewport={"width": 1280, "height": 900})
    need = max_.page.locator(".need", has_text="Marina")
    need.get_by_role("link", name="Look at the claim").click()
    rows = max_.page.locator(".claims li")
    rows.nth(1).wait_for()
    assert ["M1" in rows.nth(0).inner_text(), "M2" in rows.nth(1).inner_text()] == [True, True]
    assert "dealt at" in rows.nth(0).inner_text()
    assert violations(max_.page) == []
    max_.page.locator(".pay").click()
    max_.page.get_by_role("link", name="Decide").click()
    rules(max_, "as dealt")
    max_.page.locator(".done").wait_for()
    max_.page.get_by_role("link", name="Back to Marina").click()
    slips = max_.page.locator(".awards").get_by_role("link", name="Slip")
    slips.nth(1).wait_for()
    assert slips.count() == 2, "who has paid is offered no witnessing"
    slips.nth(1).click()  # the newest stands first
    slip = max_.page.locator(".award-slip")
    slip.wait_for()
    assert "You have paid it; somebody else witnesses it." in slip.inner_text()
    assert "Ann" in slip.inner_text()
    sue.page.locator(".need", has_text="M1").get_by_role("link", name="Witness it").click()
    sue.page.locator(".witness").click()
    sue.page.locator(".signatures", has_text="Sue (pit supervisor)").wait_for()
    assert "Paid by Max (pit manager)" in sue.page.locator(".signatures").inner_text()
    assert violations(sue.page) == []
    sue.page.emulate_media(media="print")
    assert sue.page.locator(".slip-keys").is_hidden()
    assert sue.page.locator(".bar").is_hidden()
    sue.page.emulate_media(media="screen")
    sue.page.keyboard.press("Escape")
    sue.page.locator(".need", has_text="M2").get_by_role("link", name="Witness it").wait_for()


@pytest.mark.slow
def test_parameters_are_changed_by_two_people(opened: Callable[..., Floor]):
    floor = opened()
    max_, mia = floor.staff("Max"), floor.staff("Mia")
    max_.page.get_by_role("link", name="Details: Marina").click()
    max_.page.get_by_role("button", name="Close the jackpot").click()
    max_.page.get_by_role("button", name="Other parameters").click()
    dialog = max_.page.get_by_role("dialog", name="Other parameters")
    dialog.get_by_label("Ceiling of the meter").fill("90000")
    dialog.get_by_role("button", name="Propose it").click()
    dialog.get_by_text("Say why").wait_for()
    assert violations(max_.page) == []
    dialog.get_by_label("Why").fill("the new licence")
    dialog.get_by_role("button", name="Propose it").click()
    max_.page.get_by_role("button", name="Approve it").click()
    max_.page.locator(".at-link .wrong:not(:empty)").first.wait_for()
    mia.page.goto(f"{mia.address}/pit#link/Marina")
    mia.page.get_by_role("button", name="Approve it").click()
    mia.page.locator(".told li").first.wait_for()
    link = floor.house.casino.house.pit.links["Marina"]
    assert link.state.settings.ceiling == 9_000_000
    mia.page.get_by_role("button", name="Reconcile the tables").click()
    mia.page.get_by_role("dialog").get_by_role("button", name="Compare").click()
    mia.page.locator(".told", has_text="agree with the controller").wait_for()


@pytest.mark.slow
def test_a_device_fails_before_anybody_has_seen_cards(opened: Callable[..., Floor]):
    """5.17: the round is void; then the House says how the next rounds are run, with a notice."""
    floor = opened(clocks=SLOWLY)
    table = at_first_decision(floor, "M1")
    sue, max_ = floor.staff("Sue"), floor.staff("Max")
    floor.reports(sue, "M1", "report jackpot fault")
    assert "void" in sue.page.locator(".headline h1").inner_text().lower()
    assert violations(sue.page) == []
    confirm(sue)
    decides(max_, "M1", "no progressive bets")
    table.until_view(lambda view: bool(view["notice"]))
    max_.page.goto(f"{max_.address}/pit#table/M1")
    max_.page.locator(".announced", has_text="No Progressive Jackpot bets").first.wait_for()


@pytest.mark.slow
def test_a_device_is_found_to_have_failed_before_cards_were_seen(opened: Callable[..., Floor]):
    """5.16 holds also where it is noticed late: one more touch, and the round is void."""
    floor = opened(clocks=SLOWLY)
    table = at_first_decision(floor, "M1")
    assert table.do(do="look", seat=1)["is"] == "answer"
    sue = floor.staff("Sue")
    floor.reports(sue, "M1", "report jackpot fault")
    asked = sue.page.locator('[data-field="before_looking"]')
    assert "before anybody looked" in asked.inner_text()
    asked.get_by_role("button", name="Yes").click()
    headline = sue.page.locator(".headline h1")
    headline.get_by_text("void", exact=False).wait_for()
    assert violations(sue.page) == []
    confirm(sue)
    table.until_view(lambda view: view["void"])


@pytest.mark.slow
def test_a_device_fails_after_cards_were_seen(opened: Callable[..., Floor]):
    """5.17.1: the round goes on, and is paid on what was registered."""
    floor = opened(clocks=SLOWLY)
    table = at_first_decision(floor, "M1")
    assert table.do(do="look", seat=1)["is"] == "answer"
    sue, max_ = floor.staff("Sue"), floor.staff("Max")
    floor.reports(sue, "M1", "report jackpot fault")
    assert "void" not in sue.page.locator(".headline h1").inner_text().lower()
    confirm(sue)
    max_.page.locator(".need", has_text="M1").get_by_role("link", name="Decide").click()
    blocks = max_.page.locator(".answer-card", has_text="Block boxes")
    blocks.get_by_role("button", name="Box 2", exact=True).click()
    assert violations(max_.page) == []
    blocks.locator('[data-option="block boxes"]').click()
    max_.page.locator(".done").wait_for()
    assert floor.house.casino.table("M1").state.blocked == [2]


def at_first_decision(floor: Floor, place: str) -> AtTable:
    """Ann has a jackpot bet, and her cards lie before her."""
    table = log_in(floor.house, "Ann").at(place)
    assert table.do(do="sit", box=1, player="Ann", chips=50_000)["is"] == "answer"
    stands(table, "bets open")
    table.do(do="place ante", box=1, amount=1_000)
    table.do(do="place progressive", box=1)
    stands(table, "first decision")
    return table


# -- cards and turns ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_wrong_count_and_a_player_who_withdraws(opened: Callable[..., Floor]):
    """5.15 and 5.10.3: a box got three cards; the order can be restored, and another player, whom
    it affects, takes the bets back."""
    floor = opened(clocks=SLOWLY)
    dan = Console(floor.house, "Dan")
    players = {}
    for box, name in enumerate(("Ann", "Bob"), start=1):
        players[name] = log_in(floor.house, name).at("H2")
        said = players[name].do(do="sit", box=box, player=name, chips=50_000)
        assert said["is"] == "answer", said
    deals(floor.house, dan, "bets open")
    for box, one in enumerate(players.values(), start=1):
        assert one.do(do="place ante", box=box, amount=1_000)["is"] == "answer"
    deals(floor.house, dan, "first decision")
    sue, max_ = floor.staff("Sue"), floor.staff("Max")
    sue.page.goto(f"{sue.address}/pit#table/H2")
    report(sue, "report wrong count")
    sue.page.get_by_role("button", name="Box 2 · Bob: 3 cards").click()
    sue.page.locator('[data-field="affected"]').get_by_role("button", name="Box 1").click()
    sue.page.locator(".before:not([aria-busy]) .headline").wait_for()
    assert violations(sue.page) == []
    confirm(sue)
    decides(max_, "H2", "yes")
    told = players["Ann"].until_view(lambda v: any(each["yours"] for each in v["decisions"]))
    [asked] = [each for each in told["view"]["decisions"] if each["yours"]]
    answer = players["Ann"].do(do="decide", decision=asked["decision"], option="take bets back")
    assert answer["is"] == "answer", answer
    assert floor.house.casino.table("H2").holdings()["chips/Ann"] == 50_000


@pytest.mark.slow
def test_what_a_ruling_asks_for_is_touched(opened: Callable[..., Floor]):
    """5.23: bets, players and policies by their names; what is told of one try goes with the next,
    and what was said stands in the question whether one is sure."""
    floor = opened(clocks=SLOWLY)
    dan, ann = Console(floor.house, "Dan"), log_in(floor.house, "Ann").at("H2")
    assert ann.do(do="sit", box=1, player="Ann", chips=50_000)["is"] == "answer"
    deals(floor.house, dan, "bets open")
    assert ann.do(do="place ante", box=1, amount=1_000)["is"] == "answer"
    deals(floor.house, dan, "first decision")
    sue, sam = floor.staff("Sue"), floor.staff("Sam")
    floor.reports(sue, "H2", "call for ruling")
    confirm(sue)
    sam.page.locator(".need", has_text="H2").get_by_role("link", name="Decide").first.click()
    sam.page.locator(".why-so .choice").first.click()
    offered = {each: sam.page.locator(".answer-card", has_text=each) for each in CARDS}
    assert offered["Deal street again"].count() == 0
    back, player = offered["Return chips"], offered["Pay player"]
    assert "Progressive Jackpot bet" in back.inner_text()
    player.locator("[data-option]").click()
    player.locator(".wrong", has_text="Player: touch the player").wait_for()
    policy = offered["Change policy"]
    policy.locator("[data-word=refusal-bonus]").click()
    assert policy.locator(".asked").nth(1).locator("[data-word]").count() > 1
    back.get_by_role("button", name="Box 1").click()
    back.get_by_role("button", name="Ante").click()
    back.get_by_label("Amount").fill("400")
    back.locator("[data-option]").click()
    assert player.locator(".wrong").inner_text() == ""
    sure = sam.page.locator("dialog[open]")
    assert "Box 1 Ann · Ante · 400" in sure.inner_text()
    assert violations(sam.page) == []
    sure.locator(".sure").click()
    sam.page.locator(".wrong", has_text="Only 10 lies on ante").wait_for()


CARDS = ("Deal street again", "Return chips", "Pay player", "Change policy")


@pytest.mark.slow
def test_a_raise_out_of_turn_passes_a_player_over(opened: Callable[..., Floor]):
    """v8 5.13 and 5.14: somebody raises before his turn and nobody notices; who was passed over is
    reported, and has the turn."""
    floor = opened(clocks=SLOWLY)
    dan = Console(floor.house, "Dan")
    third = {"do": "sit", "seat": 3, "player": "Cash 3", "stake": 50_000}
    sits = {"command": third, "player": "Cash 3", "word": "cash", "why": "500 counted"}
    body = {"id": "sit-down-3", **sits}
    assert posted(dan.client, "/api/tables/H1/for-player", body)[1]["is"] == "answer"
    table = floor.house.casino.table("H1")
    with pytest.raises(AssertionError, match="decline straddle"):
        by_hand(floor.house, dan)  # of three players one may straddle
    [seat] = table.facts().offered
    for number, command in enumerate(
        ({"do": "decline straddle", "seat": seat}, {"do": "deal hole cards"})
    ):
        body = {"id": f"goes-on-{number:04}", "command": command}
        assert posted(dan.client, "/api/tables/H1/commands", body)[1]["is"] == "answer"
    turn = table.turn()
    assert turn is not None
    early = {"do": "report wager", "seat": turn % 3 + 1, "words": "raise", "figure": 4_000}
    body = {"id": "out-of-turn-1", "command": {**early, "unnoticed": True}}
    said = posted(dan.client, "/api/tables/H1/commands", body)[1]
    assert said["is"] == "answer", said
    assert table.turn() not in (turn, turn % 3 + 1), "nobody has noticed it"
    sue = floor.staff("Sue")
    floor.reports(sue, "H1", "report skipped")
    assert "5.14" in sue.page.locator(".headline .cite").inner_text()
    assert violations(sue.page) == []
    confirm(sue)
    assert table.turn() == turn


# -- undone ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_void_is_undone(opened: Callable[..., Floor]):
    floor = opened(clocks=SLOWLY)
    ann = play(floor.house)
    slow = {"between_rounds": 600, "pace": 10}
    command = {"do": "set clocks", "table": "Raffles", "clocks": slow, "reason": "to see it"}
    office = {"id": "slow-it-down", "command": command}
    assert posted(log_in(floor.house, "Sam"), "/api/office/commands", office)[0] == 200
    sam = floor.staff("Sam")
    floor.reports(sam, "Raffles", "report irregularity")
    confirm(sam)
    sam.page.get_by_role("link", name="Decide").click()
    rules(sam, "void")
    sam.page.locator(".done", has_text="void").wait_for()
    ann.until_view(lambda view: bool(view["voided"]))
    sam.page.get_by_role("link", name="Back to").click()
    sam.page.get_by_role("button", name="Undo the last ruling").click()
    sam.page.get_by_role("button", name="It rested on a wrong fact").click()
    sam.page.locator(".before .headline").wait_for()
    assert violations(sam.page) == []
    confirm(sam)
    assert floor.house.casino.table("Raffles").status() == "betting"


# -- a ruling that is cut off ---------------------------------------------------------------------


@pytest.mark.slow
def test_a_connection_is_lost_between_ruling_and_confirmation(opened: Callable[..., Floor]):
    """The hold is shown to whoever comes next and taken over; who comes back confirms nothing."""
    floor = opened(clocks=SLOWLY)
    play(floor.house)
    sue, max_ = floor.staff("Sue"), floor.staff("Max")
    floor.reports(sue, "Raffles", "report interruption")
    sue.context.set_offline(True)
    sue.page.locator(".confirm").click()
    sue.page.locator(".wrong", has_text="does not answer").first.wait_for()
    held = tile(max_, "Raffles").locator(".hold", has_text="Sue")
    held.wait_for()
    max_.page.goto(f"{max_.address}/pit#ruling/Raffles")
    max_.page.locator(".take").click()
    confirm(max_)
    sue.context.set_offline(False)
    sue.page.locator(".wrong", has_text="over").first.wait_for()
    assert sue.page.locator(".confirm").count() == 0


@pytest.mark.slow
def test_a_confirmation_that_was_lost_on_its_way_is_sent_again(opened: Callable[..., Floor]):
    """The page sends it again with the same id: one effect, and what came of it is told."""
    floor = opened(clocks=SLOWLY)
    play(floor.house)
    sue = floor.staff("Sue")
    floor.reports(sue, "Raffles", "report interruption")
    answers = []

    def lose(route: Any) -> None:
        answers.append(route.fetch())  # it is carried out
        route.abort()  # and nobody hears of it

    sue.page.route("**/confirm", lose, times=1)
    sue.page.locator(".confirm").click()
    sue.page.locator(".wrong", has_text="does not answer").first.wait_for()
    sue.page.locator(".done", has_text="void").wait_for()
    assert len(answers) == 1
    house = floor.house.casino.house
    house.writer.flush()
    told = [row for row in house.reader.rows("Raffles") if b"round voided" in row.event]
    assert len(told) == 1, "sent twice, it has one effect"


@pytest.mark.slow
def test_the_server_is_restarted_between_ruling_and_confirmation(browser: Any, folder: Path):
    with ExitStack() as stack:
        with lucky(folder, with_hand_dealt(), SLOWLY) as first:
            play(first)
            floor = Floor(first, browser, stack)
            dan = floor.staff("Dan")
            floor.reports(dan, "Raffles", "report interruption")
        with lucky(folder, with_hand_dealt(), SLOWLY, new=False) as second:
            sue = Floor(second, browser, stack).staff("Sue")
            tile(sue, "Raffles").locator(".hold", has_text="Dan").wait_for()
            sue.page.goto(f"{sue.address}/pit#ruling/Raffles")
            sue.page.locator(".take").click()
            assert "void" in confirm(sue)


# -- announcements, sound and badge ---------------------------------------------------------------


@pytest.mark.slow
def test_what_is_read_out_stands_at_the_table(opened: Callable[..., Floor]):
    floor = opened()
    dan = floor.staff("Dan")
    dan.page.goto(f"{dan.address}/pit#table/H2")
    calls = dan.page.locator(".calls")
    calls.wait_for()
    assert "the boxes are open for bets" in calls.inner_text()
    calls.get_by_text("Warnings and notices").click()
    calls.get_by_text("without the jackpot").wait_for()
    assert violations(dan.page) == []


RINGS = """
window.rings = 0;
window.badges = [];
window.AudioContext = class extends window.AudioContext {
  createOscillator() { window.rings += 1; return super.createOscillator(); }
};
navigator.setAppBadge = async (count) => { window.badges.push(count); };
navigator.clearAppBadge = async () => { window.badges.push(0); };
"""
"""Notes what a headless browser can tell of a sound and a badge: that they are asked for."""


@pytest.mark.slow
def test_a_sound_and_a_badge_when_something_new_waits(opened: Callable[..., Floor]):
    floor = opened(clocks=SLOWLY)
    play(floor.house)
    sam = floor.staff("Sam")
    sam.page.add_init_script(RINGS)
    sam.page.reload()
    sam.page.get_by_role("button", name="Sam").click()
    sam.page.get_by_label("Sound").check()
    assert sam.page.evaluate("window.rings") == 2, "two tones, to be heard at once"
    sam.page.get_by_label("Badge").check()
    sam.page.keyboard.press("Escape")
    dan = Console(floor.house, "Dan")
    fell = {"do": "report irregularity", "says": "a card fell"}
    held = dan.post("/tables/Raffles/hold", command=fell)[1]
    dan.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
    sam.page.locator(".need", has_text="Raffles").wait_for()
    assert sam.page.evaluate("window.rings") == 4
    assert sam.page.evaluate("window.badges.at(-1)") == 1
    assert sam.page.title().startswith("(1) ")
    sam.page.wait_for_timeout(3_000)
    assert sam.page.evaluate("window.rings") == 4, "once, not with every look"
    decides(sam, "Raffles", "continue")
    sam.page.wait_for_function("() => window.badges.at(-1) === 0")
