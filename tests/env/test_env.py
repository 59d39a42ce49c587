"""The environments keep the promises of their own libraries, and play as the batch does."""

import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from croupier.cards import DECK
from croupier.env import BankedEnv, EnvError, PokerEnv
from croupier.env.banked import COLUMNS
from croupier.lab import ACTIONS, Amounts, PokerBatch

POKER = ("no-limit-holdem-v8", "poker-v5")
BANKED = ("progressive-texas-holdem-v6", "multi-link-progressive-v2", "multi-link-progressive-v3")
RAKE = {"percent": 5, "cap": 3000}
BY_INDEX = sorted(DECK, key=lambda card: card.index)


@pytest.mark.parametrize("book", POKER)
def test_pettingzoo_s_own_tests_pass(book):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of observations that are no pictures
        api_test(PokerEnv(book, players=3), num_cycles=200)
        seed_test(lambda: PokerEnv(book, players=2, stakes=20_000), num_cycles=50)


@pytest.mark.parametrize("book", BANKED)
def test_gymnasium_s_own_tests_pass(book):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(BankedEnv(book, bonus=500), skip_render_check=True)
        check_env(BankedEnv(book, bonus=500, progressive=500, render_mode="ansi"))


@pytest.mark.parametrize("book", POKER)
def test_an_environment_sees_what_the_batch_sees(book):
    """The same cards, stakes and Actions: every observation, mask and reward is the same."""
    tables, players = 40, 4
    chance = np.random.default_rng(5)
    straddle = book.endswith("v8")
    amounts = Amounts(percent=5, cap=3000, straddle=straddle)
    stakes = chance.integers(1, 60, (tables, players)).astype(np.int32) * 500
    batch = PokerBatch(book, tables=tables, players=players, amounts=amounts, stakes=stakes)
    env = PokerEnv(book, players=players, stakes=30_000, rake=RAKE, straddle=straddle, rotate=False)
    steps = []
    while batch.playing:
        kinds, to = batch.random_actions(chance)
        steps.append((kinds, to, batch.masks.copy(), batch.observations.copy()))
        batch.step(kinds, to)
    for t in range(tables):
        cards = [BY_INDEX[card] for card in batch.cards[t]]
        hands = {f"player_{p}": cards[5 + 2 * p : 7 + 2 * p] for p in range(players)}
        env.reset(options={"hands": hands, "board": cards[:5], "stakes": stakes[t].tolist()})
        for kinds, to, masks, seen in steps:
            if seen[t][0] < 0:
                break
            agent = f"player_{seen[t][0]}"
            assert env.agent_selection == agent
            observed = env.observe(agent)
            assert observed["observation"].tolist() == seen[t].tolist()
            assert _as_kinds(observed["action_mask"], env, masks[t]) == masks[t].tolist()
            word = ACTIONS[kinds[t]]
            env.step(env.encoding.write(word, int(to[t])))
        assert [env.rewards[f"player_{p}"] for p in range(players)] == pytest.approx(
            batch.rewards[t].tolist()
        )


def _as_kinds(mask, env, batch_mask):
    """The environment's mask by the words of the batch; totals are bets or raises."""
    words = [int(mask[env.encoding.write(word, 100)]) for word in ACTIONS]
    amounts = int(mask[6:].any())
    words[3], words[4] = amounts * int(batch_mask[3]), amounts * int(batch_mask[4])
    if amounts:
        row = env.observe(env.agent_selection)["observation"]
        first, last = np.flatnonzero(mask[6:])[[0, -1]]
        assert ((first + 1) * 100, (last + 1) * 100) == (row[13], row[14])
        assert mask[6 + first : 7 + last].all()
    return words


def test_agents_change_their_positions_and_a_seed_begins_anew():
    env = PokerEnv(players=3)
    env.reset(seed=4)
    first = [env.position_of(agent) for agent in env.agents]
    cards = env.observe("player_0")["observation"][3:5].tolist()
    env.reset()
    assert [first, [env.position_of(agent) for agent in env.agents]] == [[0, 1, 2], [2, 0, 1]]
    assert env.observe("player_0")["observation"][3:5].tolist() != cards
    env.reset(seed=4)
    assert env.observe("player_0")["observation"][3:5].tolist() == cards


def test_only_own_cards_are_seen_and_rewards_are_big_blinds():
    env = PokerEnv(players=2, render_mode="ansi")
    env.reset(options={"hands": {"player_0": "As Ad", "player_1": "Kh Ks"}, "board": "2c 3d 4h"})
    own = env.observe("player_1")["observation"][3:5]
    assert [str(BY_INDEX[card]) for card in own] == ["Kh", "Ks"]
    assert not env.observe("player_0")["action_mask"].any()  # it is the button's turn
    env.step(env.encoding.write("raise", 3000))
    env.step(env.encoding.write("fold"))
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert all(env.terminations.values())
    assert "player 1 raises to 30" in env.render()


def test_what_is_not_open_is_refused_in_the_table_s_words():
    env = PokerEnv(players=2)
    env.reset(seed=1)
    with pytest.raises(EnvError, match=r"player_1: The smallest raise is to 20\. \(1\.28, 1\.37\)"):
        env.step(env.encoding.write("raise", 1500))
    with pytest.raises(EnvError, match="there are 2006, from 0 on"):
        env.step(2006)
    for wrong in (1.5, "1", None):
        with pytest.raises(EnvError, match="there are 2006, from 0 on"):
            env.step(wrong)
    with pytest.raises(EnvError, match="raise: 2050; it is a whole number of chips of 100"):
        env.encoding.write("raise", 2050)
    with pytest.raises(EnvError, match="there is no 'jump'; there is fold, check"):
        env.encoding.write("jump")
    with pytest.raises(EnvError, match="there is no 'player_9'; there is player_0, player_1"):
        env.reset(options={"hands": {"player_9": "As Ad"}})
    with pytest.raises(EnvError, match="there is no flop; hands, board, stakes are"):
        env.reset(options={"flop": "As"})
    with pytest.raises(EnvError, match="no more than the environment was made with"):
        env.reset(options={"stakes": [300_000, 300_000]})
    banked = BankedEnv()
    banked.reset(seed=1)
    with pytest.raises(EnvError, match="0 folds or checks, 1 bets"):
        banked.step(2)
    banked.step(0)
    with pytest.raises(EnvError, match="the round is over"):
        banked.step(0)
    with pytest.raises(EnvError, match="hand, board, dealer are"):
        banked.reset(options={"flop": "As"})


def test_states_are_saved_and_put_back():
    env = PokerEnv(players=3)
    env.reset(seed=2)
    saved = env.save()
    played = []
    for _ in range(2):
        while not all(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(np.flatnonzero(mask)[1]))
        played.append(dict(env.rewards))
        env.restore(saved)
        assert not any(env.terminations.values())
    assert played[0] == played[1]


def test_a_clone_plays_on_by_itself():
    env = PokerEnv(players=2)
    env.reset(seed=3)
    other = env.clone()
    other.step(other.encoding.write("fold"))
    assert all(other.terminations.values())
    assert not any(env.terminations.values())
    assert env.play != other.play
    env.step(env.encoding.write("fold"))
    assert env.play == other.play
    assert env.rewards == other.rewards
    banked = BankedEnv()
    banked.reset(seed=3)
    again = banked.clone()
    assert again.step(0)[1] == -1
    assert banked.play.seat == 1


def test_a_banked_round_on_paper():
    """README's round: a Flush on the flop against kings; 25, 50 and 25 won, the Bonus of 5 lost."""
    env = BankedEnv("multi-link-progressive-v3", ante=2500, bonus=500)
    seen, info = env.reset(options={"hand": "Ah 9h", "board": "2h 7h Jh 4s 9c", "dealer": "Ks Kd"})
    named = dict(zip(COLUMNS, seen.tolist(), strict=True))
    assert (named["window"], named["bet_size"]) == (1, 5000)
    assert (named["ante"], named["bonus"]) == (2500, 500)
    assert [str(BY_INDEX[named[own]]) for own in ("own_1", "own_2")] == ["Ah", "9h"]
    assert named["flop_1"] == -1
    assert info["action_mask"].tolist() == [1, 1]
    for action, paid, bet in ((1, 0, 5000), (1, 0, 5000), (0, 3.8, 0)):
        seen, reward, over, _, info = env.step(action)
        assert reward == paid
        named = dict(zip(COLUMNS, seen.tolist(), strict=True))
        assert named["flop_bet"] == bet  # once the round is settled no stake lies there
    assert over
    assert info["action_mask"].tolist() == [0, 0]
