"""The office: who may do what, and what is refused. Every branch has its sentence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from croupier.house.ledger import MoneyMoved
from croupier.house.office import Office, events
from croupier.house.office import commands as orders
from croupier.house.office.roster_commands import AssignStaff
from croupier.table import ActorRank, BadCommand, Command, Order, Refused

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DIGEST = "a" * 64
TOKEN = "b" * 64
HOUSE = ActorRank.HOUSE
PLAYER = ActorRank.PLAYER


class Desk:
    """An office with a clock, spoken to in short."""

    def __init__(self, *, real_money: bool = False) -> None:
        self.office = Office()
        self.now = NOON
        found = orders.FoundHouse(administrator="Ada", digest=DIGEST, real_money=real_money)
        self.accepted(found, "house", HOUSE)

    def give(self, command: Command, who: str, rank: ActorRank = PLAYER) -> Any:
        return self.office.handle(Order(command=command, who=who, rank=rank, when=self.now))

    def accepted(self, command: Command, who: str, rank: ActorRank = PLAYER) -> Any:
        answer = self.give(command, who, rank)
        assert not isinstance(answer, Refused), answer
        return answer

    def refused(self, command: Command, who: str, rank: ActorRank = PLAYER) -> str:
        before = self.office.snapshot()
        answer = self.give(command, who, rank)
        assert isinstance(answer, Refused), answer
        assert answer.cites[0].startswith("S-")
        assert self.office.snapshot() == before
        return answer.says

    def staffed(self) -> Desk:
        """One of each role."""
        for name, role in (
            ("Dan", "dealer"),
            ("Sue", "pit supervisor"),
            ("Max", "pit manager"),
            ("Mia", "pit manager"),
            ("Sam", "shift manager"),
            ("Cal", "cashier"),
            ("Ari", "auditor"),
        ):
            self.accepted(orders.HireStaff(name=name, role=role, reason="opening"), "Ada")
        self.accepted(orders.OpenAccount(player="Ann"), "Ann")
        self.accepted(orders.OpenAccount(player="Bob"), "Cal")
        return self


@pytest.fixture
def desk() -> Desk:
    return Desk().staffed()


# -- people ---------------------------------------------------------------------------------------


def test_nothing_is_heard_before_the_house_is_founded():
    office = Office()
    order = Order(command=orders.OpenAccount(player="Ann"), who="Ann", rank=PLAYER, when=NOON)
    with pytest.raises(BadCommand, match="not founded"):
        office.handle(order)


def test_a_house_is_founded_once_and_by_the_software(desk: Desk):
    again = orders.FoundHouse(administrator="Eve")
    assert "founded already" in desk.refused(again, "house", HOUSE)
    assert "software itself" in desk.refused(again, "Eve")


def test_only_an_administrator_takes_people_on(desk: Desk):
    hire = orders.HireStaff(name="New", role="dealer", reason="busy")
    for who in ("Dan", "Sue", "Max", "Sam", "Cal", "Ari", "Ann", "nobody"):
        desk.refused(hire, who)
    desk.accepted(hire, "Ada")
    assert desk.office.state.people["New"].role == "dealer"


@pytest.mark.parametrize("name", ["Ann", "Ada", "house"])
def test_a_name_is_one_persons(desk: Desk, name: str):
    assert "taken" in desk.refused(orders.OpenAccount(player=name), "house", HOUSE)
    hire = orders.HireStaff(name=name, role="dealer", reason="busy")
    assert "taken" in desk.refused(hire, "Ada")


def test_nobody_changes_or_disables_himself(desk: Desk):
    change = orders.ChangeRole(name="Ada", role="auditor", reason="tired")
    assert "own role" in desk.refused(change, "Ada")
    assert "disable yourself" in desk.refused(
        orders.DisablePerson(name="Ada", reason="tired"), "Ada"
    )


def test_a_new_role_ends_the_duty_of_the_old_one(desk: Desk):
    desk.accepted(orders.GoOnDuty(name="Sue", post="pit supervisor"), "Sue")
    desk.accepted(orders.ChangeRole(name="Sue", role="cashier", reason="moved"), "Ada")
    assert "Sue" not in desk.office.state.duty
    assert desk.office.state.people["Sue"].role == "cashier"


def test_a_player_opens_his_own_account_only(desk: Desk):
    assert "may not open" in desk.refused(orders.OpenAccount(player="Zoe"), "Ann")
    assert "takes a" in desk.refused(orders.OpenAccount(player="Zoe"), "Dan", ActorRank.DEALER)


def test_bots_are_marked_and_never_play_for_real_money(desk: Desk):
    bot = orders.OpenAccount(player="Robby", bot=True)
    assert "software itself" in desk.refused(bot, "Robby")
    desk.accepted(bot, "house", HOUSE)
    assert desk.office.state.people["Robby"].bot
    real = Desk(real_money=True)
    assert "no bots" in real.refused(bot, "house", HOUSE)


def test_disabling_a_player_takes_a_supervisor_and_enabling_him_a_shift_manager(desk: Desk):
    disable = orders.DisablePerson(name="Ann", reason="asked for it")
    enable = orders.EnablePerson(name="Ann", reason="the month is over")
    desk.refused(disable, "Dan")
    desk.refused(disable, "Cal")
    assert "not disabled" in desk.refused(enable, "Sam")
    desk.accepted(disable, "Sue")
    assert "already" in desk.refused(disable, "Max")
    desk.refused(enable, "Max")
    desk.accepted(enable, "Sam")
    assert not desk.office.state.people["Ann"].disabled


def test_disabled_staff_can_do_nothing_and_are_logged_out(desk: Desk):
    until = NOON + timedelta(hours=1)
    desk.accepted(orders.OpenSession(name="Cal", token=TOKEN, until=until), "house", HOUSE)
    desk.refused(orders.DisablePerson(name="Cal", reason="left"), "Sam")
    desk.accepted(orders.DisablePerson(name="Cal", reason="left"), "Ada")
    assert TOKEN not in desk.office.state.sessions
    assert "disabled" in desk.refused(orders.CashIn(player="Ann", amount=100), "Cal")
    session = orders.OpenSession(name="Cal", token=TOKEN, until=until)
    assert "disabled" in desk.refused(session, "house", HOUSE)


# -- duty -----------------------------------------------------------------------------------------


def test_somebody_takes_up_his_own_post_or_a_lower_one(desk: Desk):
    desk.accepted(orders.GoOnDuty(name="Max", post="pit manager", area="east"), "Max")
    desk.accepted(orders.GoOnDuty(name="Sam", post="dealer"), "Sam")
    assert desk.office.state.duty["Max"].area == "east"
    assert not desk.office.state.duty["Sam"].acting


def test_an_acting_post_is_given_by_one_who_holds_it_or_more(desk: Desk):
    acting = orders.GoOnDuty(name="Sue", post="pit manager", reason="Max is ill")
    assert "give yourself" in desk.refused(acting, "Sue")
    desk.refused(acting, "Dan")
    desk.accepted(acting, "Mia")
    assert desk.office.state.duty["Sue"].acting
    higher = orders.GoOnDuty(name="Sue", post="shift manager", reason="nobody is here")
    desk.refused(higher, "Max")
    desk.accepted(higher, "Sam")


def test_an_acting_post_counts_in_the_office(desk: Desk):
    disable = orders.Disable(reason="fire drill")
    desk.refused(disable, "Sue")
    desk.accepted(orders.GoOnDuty(name="Sue", post="pit manager", reason="Max is ill"), "Sam")
    desk.accepted(disable, "Sue")


def test_a_cashier_has_no_post_in_the_pit(desk: Desk):
    post = orders.GoOnDuty(name="Cal", post="cashier")
    desk.accepted(post, "Cal")
    assert "not dealer" in desk.refused(orders.GoOnDuty(name="Cal", post="dealer"), "Sam")
    assert "not cashier" in desk.refused(orders.GoOnDuty(name="Dan", post="cashier"), "Dan")
    assert "no member" in desk.refused(orders.GoOnDuty(name="Ann", post="dealer"), "Sam")


def test_going_off_duty(desk: Desk):
    assert "not on duty" in desk.refused(orders.GoOffDuty(name="Max"), "Max")
    desk.accepted(orders.GoOnDuty(name="Max", post="pit manager"), "Max")
    desk.refused(orders.GoOffDuty(name="Max"), "Dan")
    assert "say why" in desk.refused(orders.GoOffDuty(name="Max"), "Sam")
    desk.accepted(orders.GoOffDuty(name="Max", reason="he is tired"), "Sam")
    assert not desk.office.state.duty


@pytest.mark.parametrize("reason", ["", "  "])
def test_whoever_changes_what_is_not_his_own_says_why(desk: Desk, reason: str):
    """S-32: refused without a reason, and with one it is in the log."""
    link_settings = {"reset_value": 100, "contribution": 1}
    acts: list[tuple[Any, dict[str, Any], str]] = [
        (orders.SetPassword, {"name": "Ann", "digest": DIGEST}, "Ada"),
        (orders.GoOnDuty, {"name": "Sue", "post": "pit manager"}, "Sam"),
        (orders.GoOffDuty, {"name": "Sue"}, "Sam"),
        (orders.AddTable, {"table": "A", "rulebook": "poker-v5", "settings": POKER}, "Sam"),
        (orders.AddLink, {"link": "L", "rulebook": V3, "settings": link_settings}, "Sam"),
    ]
    for kind, told, who in acts:
        assert "say why" in desk.refused(kind(**told, reason=reason), who)
        [event] = desk.accepted(kind(**told, reason="the reason"), who)
        assert event.reason == "the reason"
        assert event.tell(str).endswith(": the reason.")
    desk.accepted(orders.SetPassword(name="Ann", digest=DIGEST), "Ann")
    desk.accepted(orders.GoOnDuty(name="Max", post="pit manager"), "Max")


@pytest.mark.parametrize("blank", ["", "  ", "\t\n", "\u200b"])
def test_a_reason_that_says_nothing_is_none(desk: Desk, blank: str):
    """S-32: also where a command cannot do without one, and for somebody else's duty."""
    acts: list[tuple[Any, dict[str, Any], str]] = [
        (orders.GoOnDuty, {"name": "Dan", "post": "dealer"}, "Max"),
        (AssignStaff, {"name": "Dan"}, "Max"),
        (orders.DisablePerson, {"name": "Ann"}, "Max"),
        (orders.ProposeCorrection, {"moves": {"player/Ann": 5, "cash": -5}}, "Cal"),
        (orders.FundBank, {"amount": 500}, "Cal"),
        (orders.ChangeRole, {"name": "Dan", "role": "pit supervisor"}, "Ada"),
    ]
    for kind, told, who in acts:
        assert "say why" in desk.refused(kind(**told, reason=blank), who)
        desk.accepted(kind(**told, reason="the reason"), who)


def test_what_is_set_in_the_configuration_is_remembered_until_it_is_the_default_again(desk: Desk):
    def change(before: str, after: str) -> orders.ChangeSetting:
        return orders.ChangeSetting(
            setting="clocks.to_act", before=before, after=after, reason="slower guests"
        )

    assert "takes a" in desk.refused(change("", "20"), "Max")
    [event] = desk.accepted(change("", "20"), "house", HOUSE)
    assert event.tell(str) == "clocks.to_act is changed from its default to 20: slower guests."
    assert desk.office.state.settings == {"clocks.to_act": "20"}
    desk.accepted(change("20", ""), "Sam")
    assert desk.office.state.settings == {}


# -- sessions -------------------------------------------------------------------------------------


def test_the_fifth_wrong_password_locks_and_the_fourth_does_not(desk: Desk):
    wrong = orders.NoteFailedLogin(name="Ann")
    for _ in range(4):
        desk.accepted(wrong, "house", HOUSE)
    assert desk.office.state.people["Ann"].locked_until is None
    desk.accepted(wrong, "house", HOUSE)
    assert desk.office.state.people["Ann"].locked_until == NOON + timedelta(minutes=15)
    session = orders.OpenSession(name="Ann", token=TOKEN, until=NOON + timedelta(hours=1))
    desk.now = NOON + timedelta(minutes=15) - timedelta(microseconds=1)
    assert "Locked" in desk.refused(session, "house", HOUSE)
    desk.now = NOON + timedelta(minutes=15)
    desk.accepted(session, "house", HOUSE)
    assert desk.office.state.people["Ann"].failures == 0


def test_a_locked_account_can_be_unlocked(desk: Desk):
    unlock = orders.Unlock(name="Ann", reason="he showed his passport")
    assert "not locked" in desk.refused(unlock, "Sam")
    for _ in range(5):
        desk.accepted(orders.NoteFailedLogin(name="Ann"), "house", HOUSE)
    desk.refused(unlock, "Dan")
    desk.accepted(unlock, "Sam")
    assert desk.office.state.people["Ann"].locked_until is None


def test_only_the_software_opens_sessions(desk: Desk):
    session = orders.OpenSession(name="Ann", token=TOKEN, until=NOON)
    desk.refused(session, "Ann")
    desk.refused(orders.NoteFailedLogin(name="Bob"), "Ann")


def test_of_many_sessions_the_oldest_give_way(desk: Desk):
    for i in range(12):
        token = f"{i:064x}"
        desk.accepted(orders.OpenSession(name="Ann", token=token, until=NOON), "house", HOUSE)
    kept = list(desk.office.state.sessions)
    assert kept == [f"{i:064x}" for i in range(2, 12)]


def test_a_session_is_closed_by_its_owner_or_from_above(desk: Desk):
    desk.accepted(orders.OpenSession(name="Ann", token=TOKEN, until=NOON), "house", HOUSE)
    close = orders.CloseSession(token=TOKEN)
    desk.refused(close, "Bob")
    desk.accepted(close, "Ann")
    assert "no such session" in desk.refused(close, "Ann")


def test_a_new_password_ends_every_session(desk: Desk):
    desk.accepted(orders.OpenSession(name="Ann", token=TOKEN, until=NOON), "house", HOUSE)
    password = orders.SetPassword(name="Ann", digest=DIGEST)
    desk.refused(password, "Bob")
    desk.accepted(password, "Ann")
    assert not desk.office.state.sessions


# -- the cage -------------------------------------------------------------------------------------


def moved(events: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for event in events:
        if isinstance(event, MoneyMoved):
            for account, amount in event.moves():
                found[account] = found.get(account, 0) + amount
    return found


def test_cash_in_and_out_by_the_cage_only(desk: Desk):
    cash = orders.CashIn(player="Ann", amount=5_000)
    for who in ("Ann", "Dan", "Max", "Ada", "Ari"):
        desk.refused(cash, who)
    assert moved(desk.accepted(cash, "Cal")) == {"cash": -5_000, "player/Ann": 5_000}
    out = orders.CashOut(player="Ann", amount=2_000)
    assert moved(desk.accepted(out, "Sam")) == {"cash": 2_000, "player/Ann": -2_000}


def test_the_software_gives_play_money_and_never_real_money(desk: Desk):
    cash = orders.CashIn(player="Ann", amount=5_000)
    desk.accepted(cash, "house", HOUSE)
    real = Desk(real_money=True).staffed()
    real.refused(cash, "house", HOUSE)
    real.accepted(cash, "Cal")


def test_staff_have_no_players_account_and_the_disabled_bring_nothing(desk: Desk):
    assert "staff" in desk.refused(orders.CashIn(player="Dan", amount=100), "Cal")
    assert "Nobody" in desk.refused(orders.CashIn(player="Zoe", amount=100), "Cal")
    desk.accepted(orders.DisablePerson(name="Ann", reason="asked for it"), "Sue")
    assert "disabled" in desk.refused(orders.CashIn(player="Ann", amount=100), "Cal")
    desk.accepted(orders.CashOut(player="Ann", amount=100), "Cal")  # his money stays his


@pytest.mark.parametrize("amount", [0, -1])
def test_amounts_are_more_than_nothing(desk: Desk, amount: int):
    for command in (
        orders.CashIn(player="Ann", amount=amount),
        orders.CashOut(player="Ann", amount=amount),
        orders.Transfer(payer="Ann", payee="Bob", amount=amount, reason="gift"),
    ):
        with pytest.raises(BadCommand):
            desk.give(command, "Cal")


def test_transfers(desk: Desk):
    gift = orders.Transfer(payer="Ann", payee="Bob", amount=300, reason="a bet lost")
    desk.refused(gift, "Ann")
    assert moved(desk.accepted(gift, "Cal")) == {"player/Ann": -300, "player/Bob": 300}
    with pytest.raises(BadCommand, match="from one player to another"):
        desk.give(orders.Transfer(payer="Ann", payee="Ann", amount=1, reason="x"), "Cal")


def test_the_bank_takes_and_gives_cash(desk: Desk):
    fund = orders.FundBank(amount=10_000, reason="float")
    assert moved(desk.accepted(fund, "Sam")) == {"cash": -10_000, "house/bank": 10_000}
    with pytest.raises(BadCommand):
        desk.give(orders.FundBank(amount=0, reason="float"), "Sam")


def test_a_correction_takes_two_people(desk: Desk):
    moves = {"player/Ann": 500, "house/bank": -500}
    propose = orders.ProposeCorrection(moves=moves, reason="counted wrongly")
    desk.refused(propose, "Dan")
    desk.accepted(propose, "Max")
    approve = orders.ApproveCorrection(proposal=1)
    assert "second person" in desk.refused(approve, "Max")
    desk.refused(approve, "Cal")
    assert moved(desk.accepted(approve, "Mia")) == moves
    with pytest.raises(BadCommand, match="no correction 1"):
        desk.give(approve, "Mia")


@pytest.mark.parametrize(
    "moves",
    [
        {},
        {"player/Ann": 5},
        {"player/Ann": 5, "cash": -4},
        {"table/A/pot": 5, "cash": -5},
        {"link/L/meter": 5, "house/bank": -5},
    ],
)
def test_corrections_that_cannot_be(desk: Desk, moves: dict[str, int]):
    with pytest.raises(BadCommand):
        desk.give(orders.ProposeCorrection(moves=moves, reason="x"), "Max")


# -- the floor ------------------------------------------------------------------------------------

POKER = {"layout": "A", "sign": True, "rake": {"percent": 5, "cap": 1_000}}
BANKED = {
    "layout": "A",
    "ante_minimum": 500,
    "ante_maximum": 10_000,
    "bonus_minimum": 500,
    "bonus_maximum": 10_000,
    "progressive": 500,
}
V3 = "multi-link-progressive-v3"


def adding(**told: Any) -> orders.AddTable:
    return orders.AddTable(**{"reason": "opening", **told})


def test_tables_and_links_are_set_up_from_above(desk: Desk):
    table = adding(table="A", rulebook="no-limit-holdem-v8", settings=POKER)
    for who in ("Ann", "Dan", "Max", "Cal"):
        desk.refused(table, who)
    desk.accepted(table, "Sam")
    assert "taken" in desk.refused(table, "Sam")
    reserved = adding(table="office", rulebook="no-limit-holdem-v8", settings=POKER)
    assert "taken" in desk.refused(reserved, "Sam")


def test_settings_are_read_when_a_table_is_set_up(desk: Desk):
    for settings, says in (({"seats": 1}, "seats"), ({"nonsense": 1}, "nonsense")):
        table = adding(table="A", rulebook="no-limit-holdem-v8", settings=settings)
        with pytest.raises(BadCommand, match=says):
            desk.give(table, "Sam")
    with pytest.raises(BadCommand, match="no rulebook"):
        desk.give(adding(table="A", rulebook="bridge", settings={}), "Sam")


def test_a_banked_table_hangs_on_a_link_of_its_own_book(desk: Desk):
    settings = {"reset_value": 100, "contribution": 1}
    link = orders.AddLink(link="L", rulebook=V3, settings=settings, reason="opening")
    table = adding(table="M", rulebook=V3, settings=BANKED, link="L")
    with pytest.raises(BadCommand, match="set it up first"):
        desk.give(table, "Sam")
    desk.accepted(link, "Sam")
    with pytest.raises(BadCommand, match="needs a jackpot link"):
        desk.give(adding(table="M", rulebook=V3, settings=BANKED), "Sam")
    other = adding(table="M", rulebook="multi-link-progressive-v2", settings=BANKED, link="L")
    assert "runs under" in desk.refused(other, "Sam")
    poker = adding(table="M", rulebook="poker-v5", settings=POKER, link="L")
    with pytest.raises(BadCommand, match="no jackpot"):
        desk.give(poker, "Sam")
    desk.accepted(table, "Sam")


def test_disabling_and_enabling_places(desk: Desk):
    desk.accepted(adding(table="A", rulebook="poker-v5", settings=POKER), "Sam")
    with pytest.raises(BadCommand, match="no table or link"):
        desk.give(orders.Disable(place="Z", reason="x"), "Max")
    for place in ("A", ""):
        disable = orders.Disable(place=place, reason="water on the floor")
        enable = orders.Enable(place=place, reason="dry")
        desk.refused(disable, "Dan")
        assert "not disabled" in desk.refused(enable, "Sam")
        desk.accepted(disable, "Max")
        assert "already" in desk.refused(disable, "Max")
        desk.refused(enable, "Max")
        desk.accepted(enable, "Sam")


def test_a_table_is_closed_once(desk: Desk):
    desk.accepted(adding(table="A", rulebook="poker-v5", settings=POKER), "Sam")
    close = orders.CloseTable(table="A", reason="end of the season")
    desk.refused(close, "Max")
    desk.accepted(close, "Sam")
    assert "already" in desk.refused(close, "Sam")
    with pytest.raises(BadCommand, match="no table"):
        desk.give(orders.CloseTable(table="Z", reason="x"), "Sam")


# -- starts and stops -----------------------------------------------------------------------------


def test_a_start_says_what_was_cut_off_and_which_files_changed(desk: Desk):
    files = {"poker": DIGEST, "pit": DIGEST}
    start = orders.NoteStart(version="1", places=("A", "B"), digests=files)
    [first] = desk.accepted(start, "house", HOUSE)
    assert first.interrupted == first.changed == ()
    [crashed] = desk.accepted(start, "house", HOUSE)
    assert crashed.interrupted == ("A", "B")
    assert crashed.changed == ()
    desk.accepted(orders.NoteStop(positions={"A": 7}), "house", HOUSE)
    assert desk.office.state.stopped_at == {"A": 7}
    again = orders.NoteStart(version="2", places=("A",), digests={"poker": TOKEN, "web": DIGEST})
    [updated] = desk.accepted(again, "house", HOUSE)
    assert updated.interrupted == ()
    assert updated.changed == ("pit", "poker", "web")
    [other] = desk.accepted(
        orders.NoteStart(version="2", places=("B",), digests={}), "house", HOUSE
    )
    assert other.interrupted == ("B",)


def test_only_the_software_notes_starts_stops_and_files(desk: Desk):
    for command in (
        orders.NoteStart(version="1"),
        orders.NoteStop(positions={}),
        orders.NoteFilesChecked(),
    ):
        desk.refused(command, "Ada")


def test_every_event_of_the_office_says_itself_what_happened():
    own = [kind for kind in Office.whole.events if kind.__module__ == events.__name__]
    assert len(own) > 25
    assert [kind.__name__ for kind in own if "tell" not in vars(kind)] == []


def test_an_office_is_restored_from_its_state(desk: Desk):
    desk.accepted(orders.FundBank(amount=-5, reason="change"), "Sam")
    restored = Office.restore(desk.office.book, desk.office.snapshot())
    assert restored.state == desk.office.state
