// A poker table on the page: stage and actions together, and the player's seat.

import { h, setText, show } from "./dom.js";
import { money } from "./money.js";
import { PokerStage } from "./poker-stage.js";
import { PokerActions } from "./poker-actions.js";
import { sitsOut } from "./coming-in.js";
import { askAmount } from "./dialogs.js";
import { emptyPurse } from "./purse.js";
import { setting } from "./settings.js";
import { watchLink } from "./watch-link.js";
import { Wishes } from "./wishes.js";

/** @import {PokerView} from "./records.js" */
/** @import {Asks, PokerShown, PokerTold, Reply} from "./shown.js" */

export class PokerFamily {
  /** @param {Asks} asks @param {string} place */
  constructor(asks, place) {
    this.asks = asks;
    this.stage = new PokerStage({ sit: (seat) => this.#sit(seat) });
    this.actions = new PokerActions(asks);
    this.invite = h(
      "div",
      { class: "line invite" },
      h("span", { class: "says", text: "You are watching." }),
      h(
        "button",
        { class: "button main", type: "button", onclick: () => this.#sit(0) },
        "Take a seat",
      ),
      watchLink(place),
    );
    this.broke = h(
      "div",
      { class: "line broke" },
      h("span", { class: "says", text: "You have no chips left." }),
      h(
        "button",
        { class: "button main", type: "button", onclick: () => this.#topUp() },
        "Buy in again",
      ),
    );
    this.wishes = new Wishes(place, () => this.update(this.table), (says) => asks.say(says));
    this.awaySays = h("span", { class: "says" });
    this.away = h(
      "div",
      { class: "line broke" },
      this.awaySays,
      h(
        "button",
        { class: "button main", type: "button", onclick: () => this.#return() },
        "I am back",
      ),
    );
    this.out = this.wishes.button("sit_out", "Sit out", () => this.#sitOut());
    this.menu = h(
      "div",
      { class: "seat-menu", role: "group", "aria-label": "My seat" },
      this.wishes.button("add", "Add chips", () => this.#topUp()),
      this.out,
      this.actions.comingIn.straddle,
      this.wishes.button("leave", "Leave", () => this.#leave()),
    );
    this.node = h(
      "div",
      { class: "family" },
      this.actions.node,
      this.broke,
      this.away,
      this.invite,
      this.menu,
    );
    this.table = /** @type {PokerShown} */ (/** @type {unknown} */ (null)); // until the first update
    this.lookedAt = "";
    /** The round of which a win was heard. */
    this.won = 0;
    /** Questions that were answered ahead. @type {Set<number>} */
    this.answered = new Set();
  }

  /** @param {PokerShown} table */
  update(table) {
    this.table = table;
    const { view } = table;
    const seat = view.yours?.[0];
    this.stage.update(table);
    this.actions.update(table);
    const broke = Boolean(seat) && hasNothing(view, seat);
    const out = Boolean(seat) && !broke && !view.seats[seat].here;
    show(this.actions.node, Boolean(seat) && !broke && (!out || view.seats[seat].active));
    show(this.away, out);
    if (out) setText(this.awaySays, sitsOut(view.seats[seat].missed, table.sign.blinds));
    show(this.broke, broke && !this.wishes.now.add);
    show(this.menu, Boolean(seat));
    show(this.invite, !seat && table.maySit);
    const stays = Boolean(seat) && view.seats[seat].here;
    show(this.out, stays);
  }

  /** What the page does by itself: look, if its player wants that, and add the chips that wait. */
  react() {
    const { view } = this.table;
    this.wishes.look(view.yours.length > 0, !inRound(view));
    this.#answerAhead();
    const key = `${view.round}`;
    if (this.actions.unseen && setting("lookByItself") && this.lookedAt !== key) {
      this.lookedAt = key;
      this.asks.give({ do: "look", seat: view.yours[0] });
    }
  }

  /** @param {PokerTold[]} events @param {boolean} missed whether others went before, untold */
  hear(events, missed) {
    this.stage.hear(events, missed);
  }

  /** @param {PokerTold[]} events */
  recall(events) {
    this.stage.recall(events);
  }

  spoken() {
    return this.actions.spoken();
  }

  hasWon() {
    const { view } = this.table;
    const round = view.yours.some((seat) => view.seats[seat].won > 0) ? view.round : 0;
    const news = round > 0 && round !== this.won;
    this.won = round;
    return news;
  }

  /** @param {import("./records.js").QuestionView} asked */
  answersAhead(asked) {
    return this.actions.comingIn.answer(asked) !== undefined;
  }

  /** @param {number} wanted a seat, or 0 for any */
  async #sit(wanted) {
    if (!(await this.asks.enter())) return;
    const { sign } = this.table;
    const me = this.asks.me();
    const free = this.#free();
    const seat = free.includes(wanted) ? wanted : free[0];
    if (!seat) {
      this.asks.say("Every seat is taken.");
      return;
    }
    const purse = me.play_money ?? 0;
    const most = Math.min(sign.maximum_stake ?? Infinity, purse);
    if (most < sign.minimum_stake) {
      this.asks.say(
        `You need at least ${money(sign.minimum_stake)} to sit down here and have ${money(purse)}.`,
      );
      return;
    }
    askAmount({
      title: `Sit down at seat ${seat}`,
      says: `You put your table stake in plain sight. You have ${money(purse)}.`,
      does: "Sit down with",
      least: sign.minimum_stake,
      most,
      start: Math.min(most, sign.blinds[1] * 50),
      step: Math.min(...sign.chips),
      give: async (amount) => {
        // Somebody may have been faster; who wanted any seat takes another one.
        const now = this.#free();
        const at = wanted || now.includes(seat) ? seat : (now[0] ?? seat);
        return answer(await this.asks.give({ do: "sit", seat: at, player: me.name ?? "", stake: amount }));
      },
    });
  }

  /** Seats at which nobody sits. */
  #free() {
    const { view, sign } = this.table;
    return Array.from({ length: sign.seats }, (_, i) => i + 1).filter((seat) => !view.seats[seat]);
  }

  /** Answer what he has chosen ahead, so that nobody waits for it. */
  #answerAhead() {
    for (const asked of this.table.view.decisions) {
      const option = this.actions.comingIn.answer(asked);
      if (!option || this.answered.has(asked.decision)) continue;
      this.answered.add(asked.decision);
      this.asks.give({ do: "decide", decision: asked.decision, option: option.name });
    }
  }

  /** How much can be added to a stake. @param {number} seat */
  #room(seat) {
    const { view, sign } = this.table;
    const { stake } = view.seats[seat];
    const purse = this.asks.me().play_money ?? 0;
    const step = Math.min(...sign.chips);
    // Who buys in again from nothing brings the minimum stake, as on entry.
    const least = stake ? step : sign.minimum_stake;
    const room = sign.maximum_stake === null ? Infinity : sign.maximum_stake - stake;
    return { stake, purse, step, least, most: Math.min(purse, room) };
  }

  #topUp() {
    const { view, sign } = this.table;
    const seat = view.yours[0];
    const me = this.asks.me();
    const { stake, purse, step, least, most } = this.#room(seat);
    if (most < least) {
      this.asks.say(stakeStays(me, purse, least, step));
      return;
    }
    askAmount({
      title: stake ? "Add chips" : "Buy in again",
      says: `Your stake is ${money(stake)}. Chips are added between rounds: while one is played, your wish waits for its end.`,
      does: stake ? "Add" : "Buy in with",
      least,
      most,
      start: Math.min(most, stake ? sign.minimum_stake : sign.blinds[1] * 50),
      step,
      give: (amount) => this.wishes.wish({ add: amount }),
    });
  }

  async #sitOut() {
    this.#say(await this.wishes.wish({ sit_out: true }));
  }

  #return() {
    this.asks.give({ do: "return to seat", seat: this.table.view.yours[0] });
  }

  async #leave() {
    this.#say(await this.wishes.wish({ leave: true }));
  }

  /** @param {string | null} problem */
  #say(problem) {
    if (problem) this.asks.say(problem);
  }
}

/** Where no Round of play is under way. @type {Set<PokerView["status"]>} */
const BETWEEN = new Set([
  "open",
  "shuffling for the button",
  "drawing for the button",
  "between rounds",
  "shuffling",
  "cutting",
  "ready",
]);

/** Whether a Round of play is under way. @param {PokerView} view */
function inRound(view) {
  return !BETWEEN.has(view.status);
}

/** Whether a player has lost his stake and nothing of his is at play. @param {PokerView} view @param {number} seat */
function hasNothing(view, seat) {
  const { stake, bet, active } = view.seats[seat];
  return stake === 0 && bet === 0 && !active;
}

/**
 * Why no chips can be added. @param {import("./records.js").Me} me @param {number} purse
 * @param {number} least @param {number} step
 */
function stakeStays(me, purse, least, step) {
  if (purse < step) return emptyPurse(me);
  if (purse < least)
    return `You need at least ${money(least)} to buy in again and have ${money(purse)}.`;
  return "Your stake is at the table's maximum.";
}

/** What is wrong, or null. @param {Reply} reply */
function answer(reply) {
  return reply.is === "answer" ? null : reply.says;
}
