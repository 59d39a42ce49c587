"""Nothing costs money by accident: what was typed wrong, pressed twice, or pressed too soon."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import Visitor, first_of
from tests.web.test_banked import bet
from tests.web.test_poker import next_to_act, pair

__all__ = ["pair"]

Pair = Callable[..., list[Visitor]]
Message = dict[str, Any]
GOES_ON = ("sit", "look")
"""Commands that the real table hears; everything else is answered here, and costs nobody a chip."""
APPEARS = """([key, busy, ...after]) => {
  const button = document.querySelector(`.big .button[data-shortcut="${key}"]`);
  const pressed = window.pressed = { soon: [], over: null };
  let seen = 0;
  const press = () => {
    const since = performance.now() - seen;
    if (since >= 300) return; // this machine is too slow for such a press
    pressed.soon.push(since);
    button.click();
    document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  };
  new MutationObserver(() => {
    if (seen || !button.offsetParent) return;
    seen = performance.now();
    while (performance.now() < seen + busy); // nothing is drawn before this is done
    requestAnimationFrame(() => {
      seen = performance.now(); // the frame that has the button is drawn after this
      press();
      for (const wait of after) setTimeout(press, wait);
    });
  }).observe(button, { attributes: true });
  new MutationObserver(() => {
    if (seen && !button.ariaDisabled) pressed.over ??= performance.now() - seen;
  }).observe(button, { attributes: true, attributeFilter: ["aria-disabled"] });
}"""
"""Presses a button when it can be seen, by pointer and key, and again some milliseconds later.
Before that the page may be busy for a while with what else has come."""


class Offering:
    """Stands between a page and a real poker table, and offers what a test wants offered."""

    def __init__(self, visitor: Visitor, *does: str) -> None:
        self.page = visitor.page
        self.does: tuple[str, ...] = does
        self.then: tuple[str, ...] = ()
        """What is offered once something was sent."""
        self.sent: list[Message] = []
        self.price = 1_000
        self.settled: list[Message] = []
        """The pots of a round that is over, if it is."""
        self.last: Message = {}
        self.alone = False
        """Whether nothing of the table itself comes any more."""
        self.socket: Any = None
        visitor.page.route_web_socket("**/ws?*", self._between)

    def _between(self, socket: Any) -> None:
        self.socket = socket
        server = socket.connect_to_server()

        def back(text: str) -> None:
            message = json.loads(text)
            if self.alone:
                return
            if "view" in message and message["view"]["yours"]:
                self.last = message
                self._put_in(message)
            socket.send(json.dumps(message))

        def forward(text: str) -> None:
            message = json.loads(text)
            if message.get("command", {}).get("do") in (None, *GOES_ON):
                server.send(text)
                return
            self.sent.append(message["command"])
            answer = {"is": "answer", "id": message["id"], "positions": [], "again": False}
            self.offer(*self.then)
            socket.send(json.dumps(answer))

        server.on_message(back)
        socket.on_message(forward)

    def offer(self, *does: str) -> None:
        """Offer something else."""
        self.does = does
        message = {"missed": 0, **self.last, "is": "view"}
        self._put_in(message)
        self.socket.send(json.dumps(message))

    def _put_in(self, message: Message) -> None:
        view = message["view"]
        number = view["yours"][0]
        seat = view["seats"][str(number)]
        all_of_it = seat["stake"] + seat["bet"]
        amounts = {
            "raise": (2_000, all_of_it, 100),
            "bet": (100, all_of_it, 100),
            "call": (1_000, 1_000, 1),
            "all in": (all_of_it, all_of_it, 1),
        }
        offers = []
        for do in self.does:
            least, most, step = amounts.get(do, (None, None, 1))
            offers.append({"do": do, "word": "to", "least": least, "most": most, "step": step})
        view.update(offers={str(number): offers}, status="betting", pot=9_000, price=self.price)
        view.update(turn=number if offers else 0, betting_round=2)
        seat.update(active=True, cards=["Ah", "Kd"], looked=True)
        if self.settled:
            view.update(settlement=self.settled, betting_round=None, status="between rounds")

    def wait(self, *does: str) -> None:
        """Wait until these were sent, and nothing else of their kind."""
        for _ in range(100):
            if self.did(*does) == list(does):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(self.did(*does))

    def did(self, *does: str) -> list[str]:
        """Which of these were sent."""
        return [command["do"] for command in self.sent if command["do"] in does]


@pytest.fixture
def ann(visitor: Callable[..., Visitor]) -> Visitor:
    """Comes straight to the table, as by a link that was sent to her."""
    return visitor("Ann")


@pytest.fixture
def seated(ann: Visitor, like: Callable[[str], str]) -> Callable[..., Offering]:
    """Ann at a table of her own, where these are offered."""

    def make(*does: str) -> Offering:
        at = Offering(ann, *does)
        ann.sit(like("Raffles"))
        return at

    return make


def test_an_amount_that_is_not_allowed_is_said_and_never_sent(
    ann: Visitor, seated: Callable[..., Offering]
):
    at = seated("fold", "call", "raise")
    field = ann.page.locator(".amount-text")
    field.wait_for()
    raises = ann.page.locator(".big .button[data-shortcut=r]")
    for typed, said in {
        "3o": "“3o” is no amount",
        "-60": "“-60” is no amount",
        "5": "The least is 20.",
        "9000": "The most is 500.",
        "60.50": "The smallest chip is 1",
        "2,50": "“2,50” is no amount",
        "1e3": "“1e3” is no amount",
        "\uff16\uff10": "is no amount",  # digits of another script
        "": "Write an amount",
    }.items():
        field.fill(typed)
        ann.page.locator(".amount-wrong", has_text=said).wait_for()
        assert raises.is_disabled()
        field.press("Enter")
        field.blur()
        ann.page.keyboard.press("r")
        assert field.input_value() == typed, "what was typed stays as it was typed"
    assert at.sent == []
    for typed, to in {"60": 6_000, "200.00": 20_000}.items():
        at.sent.clear()
        field.fill(typed)
        field.press("Enter")
        ann.page.wait_for_timeout(200)
        assert [command["to"] for command in at.sent] == [to]
        at.offer("fold", "call", "raise")
        ann.page.wait_for_timeout(400)


@pytest.mark.slow
def test_the_same_holds_for_chips_that_are_brought(ann: Visitor, like: Callable[[str], str]):
    ann.go(like("Raffles"))
    ann.page.locator(".invite .button").click()
    dialog = ann.page.get_by_role("dialog")
    for typed, said in {
        "5": "The least is 200.",
        "5000": "The most is 1,000.",
        "x": "no amount",
    }.items():
        dialog.get_by_label("Amount").first.fill(typed)
        dialog.locator(".wrong", has_text=said).wait_for()
        assert dialog.locator("button[type=submit]").is_disabled()


@pytest.mark.parametrize("busy", [0, 250])
def test_a_button_that_has_just_come_takes_no_press(
    ann: Visitor, seated: Callable[..., Offering], busy: int
):
    """The time is counted from when the button can be seen: a page that has much to do, as the
    first one on a slow machine, shows it a good while after it knows of it."""
    at = seated()
    at.offer()
    ann.page.evaluate(APPEARS, ["c", busy, 150, 250, 290])
    at.offer("fold", "call")
    ann.page.wait_for_function("() => window.pressed.over !== null")
    pressed = ann.page.evaluate("window.pressed")
    assert pressed["over"] >= 300
    assert pressed["soon"]
    assert at.sent == [], pressed
    ann.page.locator(".big .button[data-shortcut=c]").click()
    at.wait("call")


ASKED: Message = {
    "decision": 7,
    "question": "deal again",
    "says": "Shall it be dealt again?",
    "of": 1,
    "yours": True,
    "options": [{"name": name, "says": "", "asks": {}} for name in ("yes", "no")],
    "holds": True,
    "cites": [],
}


def test_nor_does_the_answer_to_a_question_that_has_just_come(
    ann: Visitor, seated: Callable[..., Offering]
):
    at = seated()
    page = ann.page
    at.last["view"]["decisions"] = [ASKED]
    page.evaluate(
        """void new Promise((done) => {
          const looks = setInterval(() => {
            const answer = document.querySelector(".asked .button");
            if (!answer) return;
            clearInterval(looks);
            answer.click();
            done(true);
          }, 5);
        })"""
    )
    at.offer()
    yes = page.locator(".asked .button:not([aria-disabled])", has_text="Yes")
    yes.wait_for()
    assert at.sent == []
    yes.click()
    at.wait("decide")


def test_a_double_click_acts_once(ann: Visitor, seated: Callable[..., Offering]):
    at = seated("check", "bet")
    at.then = ("fold", "call")
    ann.page.wait_for_timeout(400)
    check = ann.page.locator(".big .button[data-shortcut=c]")
    check.dblclick(delay=20)
    ann.page.wait_for_timeout(300)
    assert at.did("check", "call") == ["check"]


def test_ticks_for_later_and_buttons_for_now_never_share_a_place(
    ann: Visitor, seated: Callable[..., Offering]
):
    at = seated("fold", "call", "raise", "all in")
    boxes = """(what) => [...document.querySelectorAll(what)].filter((b) => b.checkVisibility())
      .map((b) => b.getBoundingClientRect()).map((r) => [r.top, r.bottom])"""
    ann.page.locator(".big .button:visible").first.wait_for()
    now = ann.page.evaluate(boxes, ".big .button, .presets .button")
    at.offer()
    ann.page.locator(".pre-action .button:visible").first.wait_for()
    later = ann.page.evaluate(boxes, ".pre-action .button")
    assert now
    assert later
    for top, bottom in now:
        assert all(below <= top + 1 or above >= bottom - 1 for above, below in later)


def test_all_in_and_a_fold_for_nothing_are_asked_once(
    ann: Visitor, seated: Callable[..., Offering]
):
    at = seated("fold", "check", "bet", "all in")
    page = ann.page
    page.wait_for_timeout(400)
    ann.button("All-in").click()
    dialog = page.get_by_role("dialog", name="All-in?")
    dialog.get_by_text("everything that you have at this table: 500").wait_for()
    page.keyboard.press("Enter")  # what is safe has the focus
    dialog.wait_for(state="detached")
    page.locator(".amount-text").fill("500")
    ann.button("Bet 500").click()
    dialog.get_by_role("button", name="Do not").click()
    ann.button("Fold").click()
    page.get_by_role("dialog", name="Fold?").get_by_role("button", name="Do not fold").click()
    assert at.sent == []
    ann.button("Fold").click()
    page.get_by_role("button", name="Fold nonetheless").click()
    page.wait_for_timeout(200)
    assert at.did("fold") == ["fold"]


TWICE = """async (first) => {
  const press = (button, detail) =>
    button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
  press(document.querySelector(first), 1);
  let answer = null;
  for (let i = 0; i < 50 && !answer; i += 1) {
    await null;
    answer = document.querySelector("dialog[open] .row .button:last-child");
  }
  press(answer, 2);
  press(answer, 1);
}"""
"""Presses something, and at once what comes up for it, as if that came up under the pointer."""


def test_the_second_click_of_two_is_no_answer_to_what_the_first_one_asks(
    ann: Visitor, seated: Callable[..., Offering]
):
    at = seated("fold", "check", "bet", "all in")
    ann.page.wait_for_timeout(400)
    ann.page.evaluate(TWICE, ".big .button[data-shortcut=a]")
    ann.page.wait_for_timeout(100)
    assert at.sent == []
    ann.page.get_by_role("dialog", name="All-in?").get_by_role("button", name="All-in 500").click()
    at.wait("all in")


def test_a_call_that_was_chosen_ahead_is_asked_about_where_it_is_all_in(
    ann: Visitor, seated: Callable[..., Offering]
):
    at = seated()
    page = ann.page
    page.wait_for_timeout(300)
    at.last["view"]["seats"][str(at.last["view"]["yours"][0])].update(stake=900, bet=0)
    at.offer()
    page.wait_for_timeout(400)
    assert page.locator(".pre-action .button:visible .what").all_inner_texts() == [
        "Check or fold",
        "Call any",
    ], "All-in is not chosen ahead"
    page.locator(".pre-action .button:has-text('Call any')").click()
    at.offer("fold", "call")
    dialog = page.get_by_role("dialog", name="All-in?")
    dialog.wait_for()
    assert at.sent == []
    dialog.get_by_role("button", name="Do not").click()
    assert at.sent == []


@pytest.mark.slow
def test_a_call_that_is_chosen_ahead_is_of_one_price(ann: Visitor, seated: Callable[..., Offering]):
    at = seated()
    page = ann.page
    call = page.locator(".pre-action .button:has-text('Call 10')")
    for price in (1_000, 3_000):
        at.offer()
        page.wait_for_timeout(400)
        call.click()
        at.price = price
        at.offer("fold", "call")
        page.locator(".big .button:visible").first.wait_for()
        at.wait("call")
        page.wait_for_timeout(200)
        assert at.did("call") == ["call"], "somebody has raised: it is no longer that call"


@pytest.mark.slow
def test_a_question_ends_with_its_turn(ann: Visitor, seated: Callable[..., Offering]):
    at = seated("fold", "check", "all in")
    ann.page.wait_for_timeout(400)
    ann.button("All-in").click()
    dialog = ann.page.get_by_role("dialog", name="All-in?")
    dialog.wait_for()
    at.offer()
    dialog.wait_for(state="detached")
    assert at.sent == []


@pytest.mark.slow
def test_the_question_can_be_turned_off(ann: Visitor, seated: Callable[..., Offering]):
    ann.page.goto(f"{ann.address}/")
    ann.page.evaluate("""localStorage.setItem("croupier-settings", '{"confirm": false}')""")
    at = seated("fold", "check", "all in")
    ann.page.wait_for_timeout(400)
    ann.button("All-in").click()
    ann.page.wait_for_timeout(200)
    assert at.did("all in") == ["all in"]


@pytest.mark.slow
def test_a_bet_begins_with_a_sensible_amount(ann: Visitor, seated: Callable[..., Offering]):
    """Poker v5 would take one chip; that is no bet into a pot of 90."""
    at = seated("check", "bet")
    ann.page.locator(".amount-text").wait_for()
    assert ann.page.locator(".amount-text").input_value() == "45"
    at.offer("fold", "call", "raise")
    ann.page.wait_for_timeout(200)
    assert ann.page.locator(".amount-text").input_value() == "20"


@pytest.mark.slow
def test_whether_one_straddles_can_be_said_for_good(ann: Visitor, seated: Callable[..., Offering]):
    at = seated()
    menu = ann.page.get_by_role("group", name="My seat")
    group = ann.page.get_by_role("group", name="Straddle")
    menu.get_by_role("button", name="Straddle: ask me").click()
    ann.page.get_by_text("may bet 20, twice the Big Blind, before the cards are dealt").wait_for()
    group.get_by_role("button", name="Never").click()
    at.offer("straddle", "decline straddle")
    at.wait("decline straddle")
    menu.get_by_role("button", name="Straddle: never").click()
    group.get_by_role("button", name="Always").click()
    at.offer()
    at.offer("straddle", "decline straddle")
    at.wait("decline straddle", "straddle")


@pytest.mark.slow
def test_a_newcomers_question_about_blinds_is_answered_as_was_chosen_ahead(
    ann: Visitor, seated: Callable[..., Offering]
):
    """Everybody else would wait for the answer: the page asks nothing, and gives it at once."""
    at = seated()
    chosen = ann.page.get_by_label("Pay both blinds at once, if the Small Blind reaches me first")
    for number, option in ((1, "wait"), (2, "both blinds")):
        at.last["view"]["decisions"] = [
            {
                "decision": number,
                "question": "join on the small blind",
                "says": "Both Blinds now, or wait until the button has passed?",
                "of": at.last["view"]["yours"][0],
                "yours": True,
                "options": [{"name": name, "asks": {}} for name in ("both blinds", "wait")],
                "holds": True,
                "cites": [],
            }
        ]
        at.offer()
        ann.page.wait_for_timeout(300)
        assert [each["option"] for each in at.sent if each["do"] == "decide"][-1:] == [option]
        assert ann.page.get_by_text("Both Blinds now, or wait").count() == 0
        at.last["view"]["decisions"] = []
        at.offer()
        chosen.check()


# ---- the seat ----------------------------------------------------------------------------------


PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll(".actions .big .button, .tray .pick, .actions .spot")]
    .filter((node) => node.offsetParent)
    .map((node, at) => [at, node.getBoundingClientRect()])
    .map(([at, place]) => [at, [Math.round(place.left), Math.round(place.top)]]))"""
"""Where everything stands that costs money; a chip that is picked stands out by 5 px."""


@pytest.mark.parametrize("size", first_of([(1440, 900), (390, 844), (320, 640)]))
def test_nothing_moves_when_a_wish_waits_and_a_double_click_takes_it_back_once(
    ann: Visitor, seated: Callable[..., Offering], size: tuple[int, int]
):
    """What was taken back by the first click is not followed by a call with the second one."""
    page = ann.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    at = seated("fold", "call", "raise", "all in")
    page.wait_for_timeout(400)
    now: dict[str, Any] = {"leave": False, "sit_out": False, "add": 0, "says": ""}

    def wishes(route: Any) -> None:
        now.update(route.request.post_data_json or {})
        route.fulfill(json=now)

    page.route("**/wishes", wishes)
    before = page.evaluate(PLACES)
    assert len(before) >= 4
    page.get_by_role("button", name="Leave").click()
    back = page.get_by_role("button", name="Leaving · take back")
    back.wait_for()
    assert page.evaluate(PLACES) == before
    page.wait_for_timeout(400)
    back.dblclick(delay=60)
    page.get_by_role("button", name="Leave", exact=True).wait_for()
    assert page.evaluate(PLACES) == before
    assert (now["leave"], at.sent) == (False, [])


@pytest.mark.parametrize("size", first_of([(1024, 768), (1440, 900), (768, 1024), (844, 390)]))
def test_no_chip_and_no_spot_moves_when_something_lies_there_or_he_is_ready(
    visitor: Callable[..., Visitor], like: Callable[[str], str], size: tuple[int, int]
):
    """Who reaches for a chip of 25 does not pick one of 500, and takes nothing back by it. A double
    click puts the jackpot bet there and leaves it there."""
    ann = visitor("Ann", viewport={"width": size[0], "height": size[1]})
    table = like("Marina-1")
    ann.sit(table)
    visitor("Ben").sit(table)  # for whom she waits
    page = ann.page
    page.locator(".spot.ante.offered").wait_for()
    before = page.evaluate(PLACES)
    assert len(before) >= 6 + 4
    page.locator(".spot.ante").click()
    page.locator(".spot.ante.lies").wait_for()
    assert page.evaluate(PLACES) == before
    page.locator(".spot.progressive").dblclick()
    page.locator(".spot.progressive.lies").wait_for()
    ann.button("Deal").click()
    page.get_by_role("button", name="Waiting").wait_for()
    assert page.evaluate(PLACES) == before
    assert page.locator(".spot.progressive.lies").count() == 1


def test_a_key_that_is_held_down_presses_a_button_once(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    """Enter on a spot that has the focus: one chip, and the jackpot bet stays where it is. When the
    bets of the round before go, no spot moves either."""
    ann = visitor("Ann", viewport={"width": 1440, "height": 900})
    ann.sit(like("Marina-1"))
    page = ann.page
    for spot, amount in (("ante", "5"), ("progressive", "5")):
        page.locator(f".spot.{spot}.offered").focus()
        for _ in range(6):
            page.keyboard.down("Enter")  # all but the first are repeated
            page.wait_for_timeout(50)
        page.keyboard.up("Enter")
        page.locator(f".spot.{spot}.lies").wait_for()
        assert page.locator(f".spot.{spot} strong").inner_text() == amount
    ann.button("Deal").click()
    ann.button("Fold").click()
    page.locator(".settled-bets.past").wait_for()
    page.locator(".spot.ante.offered").wait_for()
    before = page.evaluate(PLACES)
    page.locator(".spot.ante").click()
    page.locator(".settled-bets.past").wait_for(state="hidden")
    assert page.evaluate(PLACES) == before


@pytest.mark.slow
def test_leaving_and_sitting_out_wait_for_their_moment(pair: Pair):
    players = pair("Raffles")
    first = next_to_act(players)
    page = first.page
    page.get_by_role("button", name="Leave").click()
    page.get_by_text("You leave after this round.").wait_for()
    page.get_by_role("button", name="Leaving · take back").click()
    page.get_by_text("You stay.").wait_for()
    page.get_by_role("button", name="Leave", exact=True).wait_for()
    page.get_by_role("button", name="Sit out").click()
    page.get_by_text("You sit out after this hand.").wait_for()
    page.reload()
    page.get_by_role("button", name="Sitting out · take back").wait_for()
    first.button("Fold").click()
    page.get_by_role("button", name="I am back").wait_for()


@pytest.mark.slow
def test_who_has_folded_goes_and_is_seen_out(pair: Pair):
    players = pair("Raffles")
    first = next_to_act(players)
    first.button("Fold").click()
    first.page.get_by_role("button", name="Leave").click()
    first.page.goto(f"{first.address}/")
    card = first.page.locator(".table-card").first
    card.wait_for()
    first.page.wait_for_timeout(800)
    first.page.reload()
    card.wait_for()
    assert first.name not in first.page.locator("#tables").inner_text()


# ---- banked ------------------------------------------------------------------------------------


def test_not_to_show_says_what_it_costs_and_has_no_key(ann: Visitor, like: Callable[[str], str]):
    sent: list[Message] = []
    offered: list[str] = []

    def between(socket: Any) -> None:
        server = socket.connect_to_server()

        def back(text: str) -> None:
            message = json.loads(text)
            if "patch" in message and offered:
                return  # it would take back what is offered here
            for number in message.get("view", {}).get("yours", []):
                offered.append(number)
                may = [
                    {"do": do, "word": "", "least": None, "most": None, "step": 1}
                    for do in ("refuse to show", "table cards")
                ]
                message["view"]["boxes"][str(number)]["may"] = may
            socket.send(json.dumps(message))

        def forward(text: str) -> None:
            sent.append(json.loads(text).get("command", {}))
            server.send(text)

        server.on_message(back)
        socket.on_message(forward)

    ann.page.route_web_socket("**/ws?*", between)
    ann.sit(like("Marina-1"))
    refuses = ann.page.get_by_role("button", name="I do not show my cards")
    refuses.wait_for()
    assert ann.page.locator(".big .button:visible .what").all_inner_texts() == ["Show my cards"]
    assert refuses.get_attribute("data-shortcut") is None
    ann.page.keyboard.press("x")
    refuses.click()
    dialog = ann.page.get_by_role("dialog", name="Not show your cards?")
    dialog.get_by_text("counts as folded").wait_for()
    dialog.get_by_role("button", name="Back").click()
    assert "refuse to show" not in [command.get("do") for command in sent]


def test_a_bet_that_came_too_late_is_said_with_its_paragraph(
    ann: Visitor, like: Callable[[str], str]
):
    late: list[str] = []
    servers: list[Any] = []

    def between(socket: Any) -> None:
        servers.append(socket.connect_to_server())
        servers[-1].on_message(socket.send)
        socket.on_message(
            lambda text: late.append(text) if '"place bonus"' in text else servers[-1].send(text)
        )

    ann.page.route_web_socket("**/ws?*", between)
    ann.sit(like("Marina-1"))
    bet(ann, "ante")
    ann.page.locator(".spot.bonus.offered").click()
    ann.button("Deal").click()
    ann.button("Flop bet").wait_for()
    servers[-1].send(late[0])
    said = ann.page.locator(".ruling", has_text="Bets were closed before that came")
    said.get_by_text("nothing of this bet was placed").wait_for()
    assert said.locator(".cite").all_inner_texts() == ["5.11", "3.10"]
    ann.button("Fold").click()


@pytest.mark.slow
def test_a_double_click_on_repeat_does_not_take_the_bets_back(
    ann: Visitor, like: Callable[[str], str]
):
    ann.sit(like("Marina-1"))
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.button("Fold").click()
    ann.button("Repeat last bet").dblclick(delay=30)
    ann.page.locator(".spot.ante.lies").wait_for()
    ann.page.wait_for_timeout(400)
    assert ann.page.locator(".spot.ante.lies").count() == 1
