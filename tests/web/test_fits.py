"""A table fits every screen, stays put, is heard, and calls its player."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import PHONE, WIDE, Visitor, first_of
from tests.web.test_banked import bet
from tests.web.test_misclicks import Offering
from tests.web.test_pages import violations

WIDTHS = (320, 390, 720, 820, 1024, 1280, 1920, 2560)
ON_ITS_SIDE = {"width": 844, "height": 390}
SMALL_ON_ITS_SIDE = {"width": 740, "height": 360}
OVER = """() => {
  const wide = document.documentElement.clientWidth;
  return [...document.querySelectorAll(".bar *, .actions *, .stage")]
    .filter((node) => node.checkVisibility() && !node.closest(".vh"))
    .map((node) => [node.className?.baseVal ?? node.className, node.getBoundingClientRect()])
    .filter(([, at]) => at.width && (at.right > wide + 1 || at.left < -1))
    .map(([name, at]) => `${name} ${Math.round(at.left)}-${Math.round(at.right)}`);
}"""
"""What sticks out of the page at its sides."""


def over_at_last(page: Any) -> list[str]:
    """The same, once the page is laid out: a busy machine takes a moment for it."""
    for _ in range(20):
        page.wait_for_timeout(60)
        if not page.evaluate(OVER):
            break
    found: list[str] = page.evaluate(OVER)
    return found


@pytest.mark.parametrize("table", first_of(["Sentosa-1", "Raffles"]))
def test_nothing_sticks_out_from_a_small_phone_to_a_wide_screen(
    visitor: Callable[..., Visitor], like: Callable[[str], str], table: str
):
    ann = visitor("Ann")
    page = ann.page
    if table == "Raffles":
        Offering(ann, "fold", "call", "raise", "all in")
    ann.sit(like(table))
    if table != "Raffles":
        bet(ann, "ante", "bonus", "progressive")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert over_at_last(page) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
@pytest.mark.parametrize("table", ["Raffles", "Marina-1"])
def test_the_actions_are_in_reach_on_a_phone_on_its_side(
    visitor: Callable[..., Visitor], like: Callable[[str], str], table: str
):
    ann = visitor("Ann", viewport=ON_ITS_SIDE, has_touch=True, is_mobile=True)
    if table == "Raffles":
        Offering(ann, "fold", "call", "raise", "all in")
    ann.sit(like(table))
    if table != "Raffles":
        bet(ann, "ante")
        ann.button("Deal").click()
        ann.button("Flop bet").wait_for()
    ann.page.locator(".big .button:visible").first.wait_for()
    boxes = ann.page.evaluate(
        """[...document.querySelectorAll(".big .button")].filter((b) => b.checkVisibility())
        .map((b) => b.getBoundingClientRect()).map((r) => [r.left, r.right, r.top, r.bottom])"""
    )
    assert boxes
    for left, right, top, bottom in boxes:
        assert left >= 0
        assert right <= ON_ITS_SIDE["width"]
        assert top >= 0
        assert bottom <= ON_ITS_SIDE["height"]


SMALLEST = {"width": 320, "height": 640}
SMALL_PHONE = {"width": 360, "height": 640}
"""What is left of a usual phone under the bar of its browser and above its keys."""
LONG = "Five Odd Cards, Ace high, then King, Queen, Ten and Eight"


def test_a_poker_table_fits_a_small_phone(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    """All of it in reach, whatever the hand is called, and who has won under nobody's cards."""
    ann = visitor("Ann", viewport=SMALL_PHONE, has_touch=True, is_mobile=True)
    page = ann.page
    at = Offering(ann, "fold", "call", "raise", "all in")
    ann.sit(like("Raffles"))
    page.locator(".big .button:visible").first.wait_for()
    seat = at.last["view"]["seats"][str(at.last["view"]["yours"][0])]
    seat["makes"] = LONG
    for offers in (("fold", "call", "raise", "all in"), ()):
        at.offer(*offers)
        page.wait_for_timeout(200)
        assert page.locator(".hand").inner_text() == LONG
        assert page.evaluate(OVER) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL_PHONE["width"]
        assert page.evaluate("document.documentElement.scrollHeight") <= SMALL_PHONE["height"]
    pot: dict[str, Any] = {
        "pot": "Main Pot",
        "amount": 75_000,
        "rake": 3_000,
        "winners": [3],
        "shares": {"3": 1},
    }
    pot.update(hand=LONG, best=[], cites=[])
    at.settled = [pot]
    at.offer()
    page.locator(".settled li").wait_for()
    low, high = page.evaluate(
        """() => [".settled", ".seat.mine .hole"].map((what) =>
          document.querySelector(what).getBoundingClientRect())
          .map((at, i) => (i ? at.top : at.bottom))"""
    )
    assert low <= high, "who has won stands above the player's own cards"


def test_a_banked_table_fits_the_smallest_phone(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    """From the first bet to what became of each, nothing has to be scrolled to."""
    ann = visitor("Ann", viewport=SMALLEST, has_touch=True, is_mobile=True)
    page = ann.page

    def fits() -> bool:
        page.wait_for_timeout(200)
        high: int = page.evaluate("document.documentElement.scrollHeight")
        assert over_at_last(page) == []
        return high <= SMALLEST["height"]

    ann.sit(like("Marina-1"))
    assert fits(), "before a bet"
    bet(ann, "ante", "bonus", "progressive")
    assert fits(), "bets"
    names = page.evaluate(
        """["progressive", "bonus"].map((bet) =>
          document.querySelector(`.spot.${bet} .spot-name`).getBoundingClientRect())
          .map((at, i) => (i ? at.left : at.right))"""
    )
    assert names[0] <= names[1], "the name of one spot lies over the next one's"
    ann.button("Deal").click()
    ann.button("Flop bet").wait_for()
    assert fits(), "the flop bet"
    ann.button("Flop bet").click()
    for _ in range(2):
        ann.button("Check").click()
    page.locator(".settled-bets li").first.wait_for()
    assert fits(), "what became of each bet"


SHOWN = """() => new Promise((done) => {
  const boxes = (what) => [...document.querySelectorAll(what)]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const looks = setInterval(() => {
    const dealer = boxes(".bank playing-card.up");
    const board = boxes(".centre playing-card.up");
    if (dealer.length < 2 || board.length < 5 || !boxes(".settled-bets li.all").length) return;
    clearInterval(looks);
    const [said, next] = [".dealer-hand:not(:empty)", ".table-says"].map(boxes);
    const plates = boxes(".box .plate, .box .empty");
    const pairs = { dealer: [dealer, board], said: [said, [...dealer, ...board]],
      next: [next, [...board, ...plates]], board: [board, plates] };
    done(Object.keys(pairs).filter((name) =>
      pairs[name][0].some((one) => pairs[name][1].some((other) => over(one, other)))));
  }, 20);
})"""
"""Waits until a banked round is settled: what of it lies over something else."""


@pytest.mark.parametrize("size", first_of([SMALLEST, SMALL_PHONE, ON_ITS_SIDE, PHONE]))
def test_dealers_cards_board_and_boxes_stand_one_below_the_other(
    visitor: Callable[..., Visitor], like: Callable[[str], str], size: dict[str, int]
):
    ann = visitor("Ann", viewport=size, has_touch=True, is_mobile=True)
    ann.sit(like("Marina-1"))
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.button("Flop bet").click()
    ann.button("Check").click()
    ann.button("Check").wait_for()
    ann.page.evaluate(f"void (window.over = ({SHOWN})())")
    ann.button("Check").click()
    assert ann.page.evaluate("window.over") == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1024, 768), (1280, 720)])
def test_on_a_screen_that_is_not_high_the_last_round_lies_over_no_box_and_moves_no_spot(
    visitor: Callable[..., Visitor], like: Callable[[str], str], size: tuple[int, int]
):
    ann = visitor("Ann", viewport={"width": size[0], "height": size[1]})
    page = ann.page
    spots = "document.querySelector('.spots').getBoundingClientRect().top"
    ann.sit(like("Marina-1"))
    bet(ann, "ante")
    before = page.evaluate(spots)
    ann.button("Deal").click()
    ann.button("Fold").click()
    page.locator(".settled-bets.past li.all").wait_for()
    page.wait_for_function("!document.querySelector('.stage playing-card')")  # nobody plays now
    assert page.evaluate(spots) == before
    under = page.evaluate(
        """() => {
          const at = (node) => node.getBoundingClientRect();
          const last = at(document.querySelector(".settled-bets.past"));
          return [...document.querySelectorAll(".box .plate, .box .empty, .spot, playing-card")]
            .filter((node) => node.checkVisibility() && at(node).width)
            .filter((node) => at(node).left < last.right && at(node).right > last.left
              && at(node).top < last.bottom - 1 && at(node).bottom > last.top + 1)
            .map((node) => node.className);
        }"""
    )
    assert under == []


def test_no_spot_moves_under_a_thumb(visitor: Callable[..., Visitor], like: Callable[[str], str]):
    """From the first bet to the decision; and nothing of the actions lies over the boxes."""
    ann = visitor("Ann", viewport=SMALL_PHONE, has_touch=True, is_mobile=True)
    page = ann.page
    ann.sit(like("Marina-1"))
    places = """() => [...document.querySelectorAll(".spot")].map((spot) => {
      const { x, y } = spot.getBoundingClientRect();
      return [x, y].map((at) => Math.round(at * 10) / 10);
    })"""
    fits = """() => {
      const at = (what) => document.querySelector(what).getBoundingClientRect();
      return [at(".banked-actions").top >= at(".stage").bottom,
        document.documentElement.scrollHeight <= innerHeight];
    }"""
    ann.page.locator(".spot.ante.offered").wait_for()
    before = page.evaluate(places)
    assert page.evaluate(fits) == [True, True]
    bet(ann, "ante", "bonus", "progressive")
    assert page.evaluate(places) == before
    ann.button("Deal").click()
    ann.button("Fold").wait_for()
    assert page.evaluate(places) == before
    assert page.evaluate(fits) == [True, True]
    ann.button("Fold").click()
    page.locator(".settled-bets li.all").wait_for()
    assert page.evaluate(fits) == [True, True]


@pytest.mark.parametrize("size", [WIDE, SMALL_ON_ITS_SIDE], ids=["wide", "on its side"])
def test_nothing_moves_when_something_is_said(
    visitor: Callable[..., Visitor], like: Callable[[str], str], size: dict[str, int]
):
    ann = visitor("Ann", viewport=size)
    at = Offering(ann, "fold", "call", "raise")
    ann.sit(like("Raffles"))
    page = ann.page
    places = """() => [".stage", ".big", ".seat-menu"].map((what) => {
      const { x, y, width, height } = document.querySelector(what).getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    })"""
    page.locator(".big .button:visible").first.wait_for()
    before = page.evaluate(places)
    page.locator(".amount-text").fill("3o")
    page.locator(".amount-wrong", has_text="is no amount").wait_for()
    assert page.evaluate(places) == before
    told = {
        "position": 1,
        "at": "2026-11-16T02:50:00.000000+00:00",
        "event": {"event": "decision taken", "cites": []},
        "told": "Sam decides: as dealt.",
        "cites": ["3.8"],
    }
    at.socket.send(json.dumps({**at.last, "is": "events", "events": [told], "caught_up": False}))
    page.wait_for_timeout(100)
    at.offer()  # another's turn
    page.wait_for_timeout(200)
    assert page.evaluate(places) == before


ADVICE = [
    "You have Queen and Jack, off suit. Against 5 hands at random it wins 59% of the pot.",
    "To call costs 5 for a pot of 15: it pays from 25% on.",
    "The book allows now: call, raise to anything from 20 to 500, all in, fold.",
]
GUIDED = ({"width": 390, "height": 844}, {"width": 768, "height": 1024})
GUIDED += ({"width": 1024, "height": 768}, WIDE, {"width": 1440, "height": 900})


def test_the_guide_lies_over_no_card_no_seat_and_no_button(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    page = ann.page
    page.add_init_script(
        "localStorage.setItem('croupier-settings', JSON.stringify({ guide: true }));"
    )
    page.route("**/guide", lambda route: route.fulfill(json={"says": ADVICE}))
    Offering(ann, "fold", "call", "raise", "all in")
    ann.sit(like("Raffles"))
    page.locator(".guide li").nth(2).wait_for()
    for size in GUIDED:
        page.set_viewport_size(size)
        page.wait_for_timeout(300)
        under = page.evaluate(
            """() => {
              const at = (node) => node.getBoundingClientRect();
              const guide = at(document.querySelector(".guide"));
              const lies = "playing-card, .plate, .big .button, .presets .button, .line .hand";
              return [...document.querySelectorAll(lies)]
                .filter((node) => node.checkVisibility() && at(node).width)
                .filter((node) => at(node).left < guide.right && at(node).right > guide.left
                  && at(node).top < guide.bottom - 1 && at(node).bottom > guide.top + 1)
                .map((node) => node.className || node.tagName);
            }"""
        )
        assert under == [], size


@pytest.mark.slow
def test_sounds_are_made_here_and_turned_off_by_one_touch(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    ann.page.add_init_script(
        """window.heard = [];
        document.addEventListener("sound", (event) => window.heard.push(event.detail));"""
    )
    loaded: list[str] = []
    ann.page.on("request", lambda request: loaded.extend([request.resource_type]))
    ann.sit(like("Marina-1"))
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.button("Fold").click()
    ann.page.locator(".settled-bets li.all").wait_for()
    assert {"turn", "chips", "card"} <= set(ann.page.evaluate("window.heard"))
    assert not {"media", "font"} & set(loaded)
    ann.page.get_by_role("button", name="Turn sounds off").click()
    ann.page.get_by_role("button", name="Turn sounds on").wait_for()


@pytest.mark.slow
def test_the_tab_is_marked_and_the_keys_are_listed(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    at = Offering(ann)
    ann.sit(like("Raffles"))
    assert not ann.page.title().startswith("●")
    at.offer("fold", "call")
    ann.page.locator(".big .button:visible").first.wait_for()
    assert ann.page.title().startswith("● ")
    ann.page.keyboard.press("?")
    keys = ann.page.get_by_role("dialog", name="Keys")
    keys.get_by_text("Fold", exact=True).wait_for()
    assert violations(ann.page) == []
    ann.page.keyboard.press("Escape")
    at.offer()
    ann.page.wait_for_timeout(100)
    assert not ann.page.title().startswith("●")


ELSEWHERE = """
window.elsewhere = false;
Object.defineProperty(document, "visibilityState",
  { get: () => (window.elsewhere ? "hidden" : "visible") });
window.notes = [];
const Real = window.Notification;
window.Notification = class extends Real {
  constructor(title, options) {
    if (window.cannotNotify) throw new TypeError("Illegal constructor");
    super(title, options);
    window.notes.push({ title, body: options.body, note: this });
    this.addEventListener("close", () => { window.notes.at(-1).closed = true; });
  }
};
"""
"""A page that can be told that its player looks at another tab, and keeps its notifications."""
NOTED = "window.notes.map(({ title, body }) => [title, body])"


@pytest.mark.slow
def test_who_looks_at_another_tab_is_told_that_it_is_his_turn(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    page = ann.page
    page.add_init_script(ELSEWHERE)
    ann.context.grant_permissions(["notifications"], origin=ann.address)
    at = Offering(ann)
    place = like("Raffles")
    ann.sit(place)

    def turn(*, elsewhere: bool) -> list[list[str]]:
        at.offer()
        page.wait_for_timeout(150)
        page.evaluate("(away) => { window.elsewhere = away; }", elsewhere)
        at.offer("fold", "call")
        page.wait_for_timeout(250)
        assert page.title().startswith("● ")
        said: list[list[str]] = page.evaluate(NOTED)
        return said

    assert turn(elsewhere=True) == [], "nobody asked for it"
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Tell me in other tabs that it is my turn").check()
    page.keyboard.press("Escape")
    assert turn(elsewhere=False) == [], "he sees it himself"
    [(title, body)] = turn(elsewhere=True)
    assert title == place
    assert "turn" in body.lower()
    page.evaluate("() => { window.cannotNotify = true; }")
    assert len(turn(elsewhere=True)) == 1, "where the browser cannot after all, play goes on"
    assert ann.faults == []


def test_on_a_slow_line_it_is_said_at_once_that_it_is_sent(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")

    def between(socket: Any) -> None:
        server = socket.connect_to_server()
        server.on_message(socket.send)

        def forward(text: str) -> None:
            if "command" in text and "look" in text:
                return  # it is on its way for a long time
            server.send(text)

        socket.on_message(forward)

    ann.page.route_web_socket("**/ws?*", between)
    ann.sit(like("Marina-1"))
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.page.get_by_text("Sending …").wait_for()


OVER_CARDS = """() => {
  const button = document.querySelector(".dealer-button").getBoundingClientRect();
  return [...document.querySelectorAll(".board .slot, .board playing-card, .seat playing-card")]
    .map((card) => card.getBoundingClientRect())
    .filter((card) => button.left < card.right && button.right > card.left)
    .filter((card) => button.top < card.bottom && button.bottom > card.top).length;
}"""


BETS_OVER = """() => {
  const at = (what) => [...document.querySelectorAll(what)].filter((n) => n.checkVisibility())
    .map((n) => [n, n.getBoundingClientRect()]);
  const cards = at(".board playing-card, .seat.mine playing-card");
  return at(".bet, .seat:not(.mine) .mark").flatMap(([what, bet]) => cards
    .filter(([, card]) => bet.left < card.right - 2 && bet.right > card.left + 2 &&
      bet.top < card.bottom - 2 && bet.bottom > card.top + 2)
    .map(([card, { x, y, right, bottom }]) => `${what.className} ${what.textContent} over ` +
      `${card.getAttribute("card")} ${[bet.x, bet.y, bet.right, bet.bottom, x, y, right, bottom]
        .map(Math.round)}`));
}"""


@pytest.mark.parametrize("size", first_of([SMALL_ON_ITS_SIDE, {"width": 360, "height": 740}]))
def test_no_bet_lies_over_a_card_on_a_small_phone(
    visitor: Callable[..., Visitor], like: Callable[[str], str], size: dict[str, int]
):
    ann = visitor("Ann", viewport=size, has_touch=True, is_mobile=True)
    at = Offering(ann, "fold", "call")
    ann.sit(like("Raffles"))
    view = at.last["view"]
    mine = view["seats"][str(view["yours"][0])]
    view.update(board=["4d", "Jc", "2s", "9h", "Tc"])
    view["seats"] = {
        str(seat): {**mine, "player": f"Somebody {seat}", "missed": "both", "here": False}
        | {"missed_marker": True, "cards": ["??", "??"], "active": seat % 2, "bet": 12_500}
        for seat in range(1, 7)
    } | {str(view["yours"][0]): {**mine, "bet": 49_500}}
    at.offer("fold", "call")
    ann.page.locator(".board playing-card.up").nth(4).wait_for()
    ann.page.locator(".bet").nth(5).wait_for()
    ann.page.wait_for_timeout(200)
    assert ann.page.evaluate(BETS_OVER) == []


@pytest.mark.slow
def test_after_a_round_the_chips_are_in_reach_on_a_phone_on_its_side(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann", viewport=SMALL_ON_ITS_SIDE, has_touch=True, is_mobile=True)
    ann.sit(like("Marina-1"))
    bet(ann, "ante", "bonus", "progressive")
    ann.button("Deal").click()
    ann.button("Fold").click()
    ann.button("Repeat last bet").wait_for()
    low = ann.page.evaluate(
        """Math.max(...[...document.querySelectorAll(".pick, .betting .button, .seat-menu .button")]
        .filter((b) => b.checkVisibility()).map((b) => b.getBoundingClientRect().bottom))"""
    )
    assert low <= SMALL_ON_ITS_SIDE["height"]
    assert ann.page.locator(".settled-bets.past li.all").is_visible(), "and why stands over there"


@pytest.mark.slow
def test_the_dealers_button_lies_over_no_card_on_a_phone(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann", viewport=PHONE)
    at = Offering(ann)
    ann.sit(like("Raffles"))
    for seat in range(1, 7):
        at.last["view"].update(button=seat, board=["4d", "Jc", "2s", "9h", "Tc"])
        at.offer()
        ann.page.wait_for_timeout(250)
        assert ann.page.locator(".dealer-button").is_visible()
        assert ann.page.evaluate(OVER_CARDS) == 0, f"seat {seat}"


@pytest.mark.slow
def test_a_guest_comes_back_on_another_device(visitor: Callable[..., Visitor]):
    ann, other = visitor(), visitor()
    ann.enter("Ann")
    ann.page.get_by_role("button", name="Play on another device").click()
    code = ann.page.locator(".guest-code").inner_text()
    other.page.goto(f"{other.address}/")
    other.page.get_by_role("button", name="I have a code").click()
    dialog = other.page.get_by_role("dialog", name="Come back as a guest")
    dialog.get_by_label("Code").fill("WRON-GONE")
    dialog.get_by_role("button", name="Come back").click()
    dialog.get_by_text("That code is not good").wait_for()
    dialog.get_by_label("Code").fill(code.lower())
    dialog.get_by_role("button", name="Come back").click()
    other.page.locator(".bar .me strong", has_text=ann.name).wait_for()


def test_what_is_wrong_with_a_name_is_said(visitor: Callable[..., Visitor]):
    one = visitor("Olivia")
    two = visitor()
    two.page.goto(f"{two.address}/")
    for name, said in {
        "Ann <3": "“<” cannot be in a name",
        "   ": "Write a name first",
        "-Ann": "A name begins with a letter or digit",
        one.name.replace("l", "I"): "could be mistaken for",
    }.items():
        two.page.get_by_label("Your name").first.fill(name)
        two.page.get_by_role("button", name="Enter").first.click()
        two.page.locator(".wrong", has_text=said).first.wait_for()


@pytest.mark.slow
def test_an_address_to_nowhere_has_a_page(visitor: Callable[..., Visitor]):
    one = visitor()
    for path in ("/table/Nowhere", "/nothing/here"):
        answer = one.page.goto(f"{one.address}{path}")
        assert answer.status == 404
        one.page.get_by_role("heading", name="There is nothing here").wait_for()
    assert violations(one.page) == []
    one.page.get_by_role("link", name="To the tables").click()
    one.page.locator(".table-card").first.wait_for()


HOLES = (["3s", "Ts"], ["9d", "Kh"], ["4c", "4d"], ["Qs", "Qh"], ["7h", "2c"])
"""What the others have at a showdown."""
PHONES = (PHONE, SMALL_PHONE, SMALLEST, ON_ITS_SIDE)
HIDES = """() => {
  const at = (what) => [...document.querySelectorAll(what)].filter((node) => node.checkVisibility())
    .map((node) => [node.className || node.localName, node.getBoundingClientRect()]);
  const over = ([, a], [, b]) => a.left < b.right - 2 && b.left < a.right - 2
    && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const pairs = [
    [".settled li", ".seat .name, .seat .worth, .seat .mark, playing-card"],
    [".dealer-button", ".seat .plate, .seat .mark, playing-card, .settled li"],
    [".board playing-card", ".seat .name, .seat .worth, .seat .mark"],
    [".bet strong", ".seat .plate, .seat .mark, playing-card, .pot, .dealer-button"],
    [".seat .mark", ".seat .mark"],
  ];
  return pairs.flatMap(([upper, lower]) => at(upper).flatMap((one) => at(lower)
    .filter((other) => one[1].top !== other[1].top && over(one, other))
    .map((other) => `${one[0]} over ${other[0]}: ${[one, other].map(([, r]) =>
      [r.left, r.top, r.right, r.bottom].map(Math.round)).join(" / ")}`)));
}"""
"""What lies over something that is to be read."""


def all_bet(view: dict[str, Any], button: int, seats: int = 6) -> None:
    """Everybody has a seat and has bet."""
    mine = view["yours"][0]
    own = view["seats"][str(mine)]
    for seat in range(1, seats + 1):
        other = {"player": f"Firecrest {seat}", "cards": ["??", "??"], "looked": True}
        shown = {} if seat == mine else other
        now = {"stake": 128_700, "bet": 24_000, "hand": "", "won": 0, "entering": ""}
        view["seats"][str(seat)] = own | shown | now
    view.update(board=["2s", "Td", "Ad", "As", "Qd"], button=button, settlement=[])
    view.update(pots=[{"amount": 90_000, "seats": [1, 2, 3]}])


def all_show(view: dict[str, Any], winner: int) -> list[Any]:
    """What they show, and one of them wins."""
    mine = view["yours"][0]
    others = [seat for seat in range(1, 7) if seat != mine]
    for seat, cards in zip(others, HOLES, strict=True):
        won = 206_400 if seat == winner else 0
        hand = "Two Pairs, Aces and Tens, Queen kicker"
        view["seats"][str(seat)].update(cards=cards, hand=hand, bet=0, won=won)
    view["seats"][str(mine)].update(bet=0)
    pot = {"pot": "Main Pot", "amount": 209_400, "rake": 3_000, "cites": [], "hand": LONG}
    best = ["Td", "Ad", "As", "Qd", "Ts"]
    return [pot | {"winners": [winner], "shares": {str(winner): 206_400}, "best": best}]


def test_at_a_table_for_nine_no_bet_and_no_button_lies_over_or_under_anything(
    visitor: Callable[..., Visitor],
):
    """Nine seats are what a table has unless its settings say otherwise."""
    ann = visitor("Ann", viewport=PHONE)
    at = Offering(ann)
    ann.sit("Nine")
    ann.page.wait_for_timeout(200)
    at.alone = True  # its own button would move in between
    for size in (PHONE, WIDE):
        ann.page.set_viewport_size(size)
        for button in range(1, 10):
            all_bet(at.last["view"], button, seats=9)
            at.offer()
            found: list[str] = []
            for _ in range(60):
                ann.page.wait_for_timeout(60)
                found = ann.page.evaluate(HIDES)
                if not found:
                    break
            assert found == [], (size, button)
            assert ann.page.locator(".dealer-button").is_visible()


@pytest.mark.parametrize("size", first_of(PHONES))
def test_on_a_phone_nothing_that_is_to_be_read_lies_under_something_else(
    visitor: Callable[..., Visitor], like: Callable[[str], str], size: dict[str, int]
):
    """While all bet, and when it is said who has won; in between the board stays where it is."""
    ann = visitor("Ann", viewport=size)
    page = ann.page
    at = Offering(ann)
    ann.sit(like("Raffles"))
    page.wait_for_timeout(200)
    at.alone = True  # its own button would move in between

    def hidden() -> list[str]:
        found: list[str] = []
        for _ in range(60):
            page.wait_for_timeout(60)
            found = page.evaluate(HIDES)
            if not found:
                break
        return found

    board = "document.querySelector('.board').getBoundingClientRect().top"
    for button in (1, 2, 3, 4):
        at.settled = []
        all_bet(at.last["view"], button)
        at.offer()
        assert hidden() == [], button
        assert over_at_last(page) == []
        before = page.evaluate(board)
        at.settled = all_show(at.last["view"], button + 1)
        at.offer()
        page.locator(".settled li").wait_for()
        assert hidden() == [], button
        assert page.evaluate(board) == pytest.approx(before, abs=1)


UNDER_NOTICE = """() => {
  const [notice, ...read] = [".ruling", ".seconds:not(:empty)", ".plate"].map((what) =>
    [...document.querySelectorAll(what)].map((node) => node.getBoundingClientRect()));
  return read.flat().filter((at) => notice.some((over) => over.top < at.bottom - 5
    && at.top < over.bottom - 5 && over.left < at.right - 2 && at.left < over.right - 2)).length;
}"""
"""How many clocks and plates a notice lies over, if only in part."""
MENU = """() => {
  const tops = [...document.querySelectorAll(".seat-menu .button")]
    .map((node) => node.getBoundingClientRect().top);
  return Math.max(...tops) - Math.min(...tops);
}"""
"""How far the buttons of a seat stand apart: in one line, not at all."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (820, 1180), (1024, 768), (1280, 720)])
def test_a_wish_that_waits_is_read_in_whole_and_its_notice_lies_over_no_clock(
    visitor: Callable[..., Visitor], like: Callable[[str], str], size: tuple[int, int]
):
    ann = visitor("Ann", viewport={"width": size[0], "height": size[1]})
    page = ann.page
    Offering(ann, "fold", "call", "raise", "all in")
    ann.sit(like("Raffles"))
    page.wait_for_timeout(400)
    now = {"leave": False, "sit_out": False, "add": 0, "says": "You may go now: your chips follow."}
    page.route(
        "**/wishes",
        lambda route: route.fulfill(json=now | (route.request.post_data_json or {})),
    )
    clock = "document.querySelector('.seconds').textContent = '15 s of your time bank'"
    for name in ("Sit out", "Leave"):
        page.get_by_role("button", name=name, exact=True).click()
        page.locator(".ruling").wait_for()
        page.evaluate(clock)
        assert page.evaluate(UNDER_NOTICE) == 0, name
        assert over_at_last(page) == []
        assert page.evaluate(MENU) < 20, "all in one line"


@pytest.mark.slow
def test_a_dialog_has_its_button_in_sight_on_a_phone_on_its_side(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann", viewport=ON_ITS_SIDE)
    ann.sit(like("Raffles"))
    ann.page.get_by_role("button", name="Add chips").click()
    button = ann.page.locator("dialog[open] .button").last
    button.wait_for()
    ann.page.wait_for_timeout(500)
    box = button.bounding_box()
    frame = ann.page.locator("dialog[open]").bounding_box()
    assert box
    assert frame
    assert box["y"] + box["height"] <= frame["y"] + frame["height"] <= ON_ITS_SIDE["height"]
