"""The dealer's side of a hand-dealt table in a real browser: by keyboard, by touch, by reader."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import PHONE, Visitor
from tests.web.test_pages import violations

NUMBERS = itertools.count(1)
TABLET = {"width": 1180, "height": 820}
READS = """(text) => {
  for (const key of [...text, "Enter"])
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""
"""What a card reader does: it types a card and Enter, faster than anybody can."""
TYPIST = 60
"""Milliseconds between the keys of a fast typist; a card reader takes a few."""


class Dealer:
    """Somebody at the dealer's page, who counts the keys."""

    def __init__(self, one: Visitor, place: str) -> None:
        self.one, self.page, self.place = one, one.page, place
        self.keys = 0

    def goes(self) -> None:
        self.page.goto(f"{self.one.address}/deal/{self.place}")
        self.page.locator(".deal-seat").first.wait_for()

    def type(self, text: str) -> None:
        """Type letters and figures; `⏎` is Enter."""
        for letter in text.replace(" ", ""):
            self.page.keyboard.press("Enter" if letter == "⏎" else letter)
            self.page.wait_for_timeout(TYPIST)
            self.keys += 1

    def reads(self, card: str) -> None:
        """A card reader types this card."""
        self.page.evaluate(READS, card)

    def next(self, says: str) -> None:
        """Wait until this comes next."""
        self.page.locator(".next-step", has_text=says).wait_for()

    def note(self, says: str) -> None:
        self.page.locator(".note", has_text=says).wait_for()

    def sits(self, seat: int, name: str, amount: str = "") -> None:
        """Somebody sits down for cash, by keyboard."""
        self.page.keyboard.press(str(seat))
        self.page.wait_for_timeout(TYPIST)
        self.page.keyboard.press("i")
        self.page.locator(".entry-form input[name=player]").wait_for()
        self.page.keyboard.type(f"{name} {next(NUMBERS)}")
        self.page.keyboard.press("Enter")
        self.page.locator(f'.deal-seat[data-seat="{seat}"]:not(.free)').wait_for()

    def api(self, command: dict[str, Any], player: str = "") -> None:
        """Give an order as the page does, for what a test does not type."""
        token = self.page.evaluate("fetch('/api/me').then((answer) => answer.json())")["token"]
        path, body = f"/api/tables/{self.place}/commands", {"command": command}
        if player:
            path = f"/api/tables/{self.place}/for-player"
            body |= {"player": player, "word": "cash", "why": "pays cash"}
        answer = self.page.request.post(
            f"{self.one.address}{path}",
            headers={"X-Croupier-Token": token, "Origin": self.one.address},
            data={"id": f"test-order-{next(NUMBERS):06}", **body},
        )
        assert answer.ok, answer.text()

    def seats(self, many: int) -> None:
        """So many cash players sit down."""
        for seat in range(1, many + 1):
            name = f"Cash {next(NUMBERS)}"
            self.api({"do": "sit", "seat": seat, "player": name, "stake": 100_000}, name)

    def to_the_flop(self, many: int = 3) -> None:
        """So many players are dealt in, and have called."""
        self.seats(many)
        self.goes()
        self.type("⏎")
        self.next("Deal for the button")
        self.type("2c 3c 4c 5c 6c 7c"[: 3 * many] + "⏎ ⏎ ⏎ ⏎ ⏎ ⏎")
        self.type("c" * (many - 1) + "k")
        self.next("deal the flop")


@pytest.fixture
def dealer(visitor: Callable[..., Visitor]) -> Callable[..., Dealer]:
    """Makes dealers, who come in by the staff door."""

    def comes(place: str, post: str = "dealer", **options: Any) -> Dealer:
        one = visitor(**({"viewport": TABLET} | options))
        one.name = f"Dealer {next(NUMBERS)}"
        one.page.goto(f"{one.address}/")
        one.page.get_by_label("Name on duty").fill(one.name)
        one.page.locator(f'[data-post="{post}"]').click()
        one.page.locator(".tile").first.wait_for()
        return Dealer(one, place)

    return comes


def test_it_is_for_the_dealer_of_the_table(visitor: Callable[..., Visitor]):
    one = visitor("Ann")
    one.page.goto(f"{one.address}/deal/Seen 1")
    one.page.get_by_role("heading", name="For the dealer of this table").wait_for()
    assert one.page.locator(".deal-seat").count() == 0
    assert violations(one.page) == []


def test_a_hand_of_six_by_keyboard_alone(dealer: Callable[..., Dealer]):
    """From the shuffle to the pot, with a raise, two who see the river, and a hand shown."""
    dan = dealer("Seen 1")
    dan.seats(6)
    dan.goes()
    dan.type("⏎")  # the game starts once in an evening
    dan.next("Deal for the button")
    dan.type("2c 3c 4c 5c 6c Ah ⏎")
    dan.next("Shuffle the deck")
    dan.keys = 0
    dan.type("⏎ ⏎ ⏎ ⏎ ⏎")  # shuffle, cut, call for the Blinds, they are placed, Hole Cards
    dan.type("f f f r30⏎ c c")  # the button raises to 30, both Blinds call
    dan.next("deal the flop")
    dan.type("As Kd 7h ⏎")
    dan.type("k k b50⏎ f c")
    dan.next("deal the turn")
    dan.type("2d ⏎ k k")
    dan.next("deal the river")
    dan.type("9c ⏎ k k")
    dan.page.locator(".next-step", has_text="shows").wait_for()
    dan.type("Ac Qc ⏎ m ⏎")  # one shows, the other mucks, the pot is paid
    dan.next("Shuffle the deck")
    assert dan.keys == 46
    assert "between rounds" in dan.page.locator(".how").inner_text().lower()
    assert violations(dan.page) == []


@pytest.mark.slow
def test_a_banked_round_by_keyboard_alone(dealer: Callable[..., Dealer]):
    """Three boxes, one of which folds; one has a jackpot bet."""
    dan = dealer("Boxes")
    dan.goes()
    for seat in (1, 2, 3):
        dan.sits(seat, "Cash")
    dan.next("Call for bets")
    dan.keys = 0
    dan.type("⏎ a10⏎ a20⏎ a⏎ 1p ⏎")  # bets of 10, 20 and the least; box 1 has a jackpot bet
    dan.next("Deal the Hole Cards")
    dan.type("⏎ b f b")
    dan.next("Lay the flop")
    dan.type("⏎ As Kd 7h ⏎ k k")
    dan.next("Lay the turn")
    dan.type("⏎ 2d ⏎ b k")
    dan.next("Lay the river")
    dan.type("⏎ 9c ⏎ ⏎ 3c 4c ⏎")  # the river, the dealer's cards
    dan.next("Box 1 lays the hand open")
    dan.type("Ac Qc ⏎ 8c 8d ⏎ ⏎")
    dan.next("Call for bets")
    assert dan.keys == 55
    assert violations(dan.page) == []


@pytest.mark.slow
def test_a_card_is_taken_back_before_it_is_confirmed(dealer: Callable[..., Dealer]):
    dan = dealer("Seen 2")
    dan.to_the_flop()
    dan.type("As As")
    dan.note("A♠ is entered already")
    dan.type("Kx")
    dan.note("After the rank comes its suit")
    dan.page.keyboard.press("Backspace")
    dan.page.keyboard.press("Backspace")
    dan.page.wait_for_timeout(TYPIST)
    assert dan.page.locator(".slots playing-card").count() == 0
    dan.type("Kd Qd ⏎")
    dan.note("One more card")
    dan.type("7h 2")
    dan.note("All 3 cards are there")
    dan.type("⏎")
    dan.page.locator('.deal-board playing-card[card="Kd"]').wait_for()
    dan.type("k k k Kd")
    dan.note("K♦ is out already")
    assert dan.page.locator('.pad-card[data-card="Kd"]').is_disabled()
    dan.page.locator('.pad-card[data-card="Ah"]').click()
    dan.type("⏎")
    dan.page.locator('.deal-board playing-card[card="Ah"]').wait_for()


@pytest.mark.slow
def test_a_reader_that_types_is_never_taken_for_shortcuts(dealer: Callable[..., Dealer]):
    """`Ah` while somebody is to act is no All-in."""
    dan = dealer("Seen 3")
    dan.to_the_flop()
    for card in ("As", "10d", "7h"):
        dan.reads(card)
    dan.page.locator('.deal-board playing-card[card="Td"]').wait_for()
    assert dan.page.locator(".deal-board playing-card").count() == 3
    dan.page.locator(".deal-seat.awaited").wait_for()
    dan.reads("Kc")
    dan.note("K♣ was read, but no card is to be entered now")
    dan.reads("Ah")
    dan.note("A♥ was read, but no card is to be entered now")
    assert dan.page.locator(".deal-seat", has_text="all in").count() == 0


@pytest.mark.slow
def test_what_was_typed_is_kept_while_the_server_does_not_answer(dealer: Callable[..., Dealer]):
    dan = dealer("Seen 4")
    dan.to_the_flop()
    dan.type("As Kd 7h")
    dan.page.route("**/api/tables/**", lambda route: route.abort())
    dan.type("⏎")
    dan.note("What you entered is kept: Enter sends it again")
    dan.page.reload()
    dan.note("was sent and not answered")
    dan.page.unroute("**/api/tables/**")
    dan.type("⏎")
    dan.page.locator('.deal-board playing-card[card="7h"]').wait_for()
    assert dan.page.locator(".deal-board playing-card").count() == 3


@pytest.mark.slow
def test_by_touch_on_a_telephone_and_out_of_turn(dealer: Callable[..., Dealer]):
    """v8 5.13: the seat is chosen, then what it did; words and chips as they were seen."""
    dan = dealer("Seen 5", viewport=PHONE, has_touch=True)
    dan.seats(3)
    dan.goes()
    step = dan.page.locator(".next-step")
    step.click()
    dan.next("Deal for the button")
    for card in ("2c", "3c", "4c"):
        dan.page.locator(f'.pad-card[data-card="{card}"]').click()
    for says in ("Deal for the button", "Shuffle", "Cut", "Call for", "Blinds are placed"):
        dan.next(says)
        step.click()
    dan.next("Deal the Hole Cards")
    assert dan.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(dan.page) == []
    step.click()
    turn = dan.page.locator(".deal-seat.awaited")
    turn.wait_for()
    other = dan.page.locator(".deal-seat:not(.awaited):not(.free)").first
    seat = other.get_attribute("data-seat")
    other.click()
    dan.page.get_by_role("button", name="Fold, out of turn").click()
    dan.page.locator(f'.deal-seat[data-seat="{seat}"]', has_text="folded").wait_for()
    dan.page.get_by_role("button", name="As it was seen").click()
    dan.page.get_by_role("button", name="A chip of 25").first.click()
    assert violations(dan.page) == []
    dan.page.get_by_role("button", name="Enter it").click()
    dan.page.locator(".told", has_text="Call").wait_for()


def test_the_longest_rank_fits_the_smallest_telephone(dealer: Callable[..., Dealer]):
    max_ = dealer("Seen 7", "shift manager", viewport={"width": 320, "height": 640})
    max_.goes()
    assert max_.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_what_is_said_and_offered_goes_when_the_table_goes_on(dealer: Callable[..., Dealer]):
    """Whoever has read *The flop is dealt now* and touches it a moment too late deals no fourth
    card instead; and nobody is said to be to act who has acted."""
    dan = dealer("Seen 7")
    dan.to_the_flop()
    dan.type("AhKhQh ⏎")
    dan.page.locator(".told", has_text="The flop is dealt").wait_for()
    dan.type("⏎")
    dan.note("Seat 1 is to act.")
    dan.api({"do": "check", "seat": 1})
    dan.page.locator(".note:empty").wait_for(state="attached")
    dan.type("g")
    first = dan.page.locator('.wrongs .act[data-key="1"]')
    first.wait_for()
    for seat in (2, 3):
        dan.api({"do": "check", "seat": seat})
    dan.note("The table has gone on meanwhile: look again what went otherwise.")
    assert first.count() == 0
    dan.next("deal the turn")


def test_a_round_on_a_tablet_held_upright_with_four_cards_on_the_flop(
    dealer: Callable[..., Dealer],
):
    """An empty table says what to do; an amount is touched without scrolling aside; a mistake that
    is chosen takes the list with its figures away, for they are cards now; only one street can be
    meant; and who deals is led back to the cards."""
    size = {"width": 768, "height": 1024}
    dan = dealer("Seen 8", "pit manager", viewport=size, has_touch=True)
    dan.goes()
    dan.page.get_by_text("Nobody sits here yet. Choose a seat").wait_for()
    dan.seats(1)
    dan.page.get_by_text("Too few are here to begin").wait_for()
    name = f"Cash {next(NUMBERS)}"
    dan.api({"do": "sit", "seat": 2, "player": name, "stake": 100_000}, name)
    dan.next("Start the game")
    dan.type("⏎")
    dan.next("Deal for the button")
    dan.type("2c 3c ⏎ ⏎ ⏎ ⏎ ⏎ ⏎ r")
    point = dan.page.get_by_role("group", name="Figures").get_by_role(
        "button", name=".", exact=True
    )
    box = point.bounding_box()
    assert box["x"] + box["width"] <= 768
    assert dan.page.evaluate("document.documentElement.scrollWidth") <= 768
    dan.page.keyboard.press("Escape")
    dan.type("c k g")
    dan.page.locator(".wrongs .act", has_text="Four cards are dealt").click()
    dan.next("Four cards are dealt")
    assert dan.page.locator(".wrongs .act").count() == 0
    dan.type("Ah Kd Qc 9s ⏎ !")
    dan.page.locator(".pick.report", has_text="Too many Community Cards").click()
    dan.page.locator(".confirm").wait_for()
    assert dan.page.get_by_text("On which street?").count() == 0
    dan.page.locator(".confirm").click()
    main = dan.page.locator(".done .row .button.main")
    main.click()  # the same person decides
    dan.page.locator('[data-option="yes"]').click()
    dan.page.get_by_role("button", name="Decide: Yes").click()
    dan.page.locator(".done", has_text="Which cards are the flop").locator(".button.main").click()
    for card in ("Ah", "Kd", "Qc"):
        dan.page.locator(f'.pad-card[data-card="{card}"]').click()
    assert violations(dan.page) == []
    dan.page.get_by_role("button", name="These are the cards").click()
    dan.page.locator(".done", has_text="The flop is A♥ K♦ Q♣").wait_for()
    assert main.inner_text() == "Deal on"


@pytest.mark.slow
def test_a_newcomer_makes_a_mistake_and_sees_it_ruled(
    dealer: Callable[..., Dealer], visitor: Callable[..., Visitor]
):
    """v8 5.3: two cards exposed in the deal. The House deals until the newcomer comes, who needs
    one touch for the mistake and three for the ruling."""
    for player in (visitor("Ann"), visitor("Bob")):
        player.sit("By hand 2")
        player.plays("f")
    max_ = dealer("By hand 2", "pit manager")
    max_.page.locator(".try-it a").wait_for()
    max_.goes()
    for _ in range(30):
        step = max_.page.locator(".next-step")
        step.wait_for()
        says = step.inner_text().split("\n")[0].removesuffix("Enter")
        if says == "Deal the Hole Cards":
            break
        max_.type("⏎")
        max_.note(f"{says}.")
    max_.page.get_by_role("button", name="Make a mistake").click()
    max_.page.get_by_role("button", name="Two cards are exposed").click()
    max_.page.locator(".told", has_text="dealt").wait_for()
    max_.page.locator(".note", has_text="the players wait until you report it").wait_for()
    max_.page.reload()
    max_.page.locator(".told li", has_text="dealt").first.wait_for()
    max_.page.get_by_role("button", name="Deal on").wait_for()
    max_.page.get_by_role("link", name="Report it").click()
    max_.page.locator('[data-report="report exposed"]').first.click()
    max_.page.locator(".before .headline", has_text="Misdeal").wait_for()
    max_.page.locator(".confirm").click()
    max_.page.locator(".done", has_text="Misdeal").wait_for()


@pytest.mark.slow
def test_a_player_follows_on_a_telephone_and_the_dealer_is_asked(
    dealer: Callable[..., Dealer], visitor: Callable[..., Visitor]
):
    """v8 3.20: a bare figure is confirmed. Ann is offered no acts, and has not looked."""
    ann = visitor("Ann", viewport=PHONE)
    ann.sit("Seen 6")
    dan = dealer("Seen 6")
    for seat in (2, 3):
        name = f"Cash {next(NUMBERS)}"
        dan.api({"do": "sit", "seat": seat, "player": name, "stake": 100_000}, name)
    dan.goes()
    dan.type("⏎")
    dan.next("Deal for the button")
    dan.type("4c 3c 2c ⏎")
    dan.next("Shuffle the deck")
    dan.type("⏎ ⏎ ⏎ ⏎ ⏎")
    ann.page.get_by_text("Your turn: act, and the dealer enters it.").wait_for()
    assert ann.page.locator(".actions .big .button:visible").count() == 0
    assert dan.page.locator('.deal-seat[data-seat="1"]', has_text="has looked").count() == 0
    assert ann.page.locator("playing-card.up").count() == 0
    dan.type("w")
    dan.page.locator("input[name=figure]").fill("50")
    dan.page.keyboard.press("Enter")
    dan.page.locator(".question", has_text="50 are named").wait_for()
    assert violations(dan.page) == []
    dan.type("1")
    dan.page.locator('.deal-seat[data-seat="1"]', has_text="Bet 50").wait_for()
    dan.type("⏎")
    dan.note("is to act")
