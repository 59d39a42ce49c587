// A banked table on the page: stage and actions together, and the player's box and rack.

import { h, setText, show } from "./dom.js";
import { money } from "./money.js";
import { BankedStage, netOf } from "./banked-stage.js";
import { BankedActions } from "./banked-actions.js";
import { askAmount } from "./dialogs.js";
import { emptyPurse } from "./purse.js";
import { setting } from "./settings.js";
import { watchLink } from "./watch-link.js";
import { Wishes } from "./wishes.js";

/** @import {BankedView} from "./records.js" */
/** @import {Asks, BankedShown, Reply} from "./shown.js" */

export class BankedFamily {
  /** @param {Asks} asks @param {string} place @param {import("./panel.js").Panel} panel */
  constructor(asks, place, panel) {
    this.asks = asks;
    this.place = place;
    this.panel = panel;
    this.stage = new BankedStage({ take: (box) => this.#take(box) });
    this.actions = new BankedActions(asks, place);
    this.invite = h(
      "div",
      { class: "line invite" },
      h("span", { class: "says", text: "You are watching." }),
      h(
        "button",
        { class: "button main", type: "button", onclick: () => this.#take(0) },
        "Take a box",
      ),
      watchLink(place),
    );
    this.rack = h("span", { class: "rack" });
    this.wishes = new Wishes(place, () => this.update(this.table), (says) => asks.say(says));
    this.menu = h(
      "div",
      { class: "seat-menu", role: "group", "aria-label": "My box" },
      this.rack,
      this.wishes.button("add", "Add chips", () => this.#add()),
      this.wishes.button("leave", "Leave", () => this.#leave()),
    );
    this.node = h(
      "div",
      { class: "family" },
      this.actions.node,
      this.invite,
      this.menu,
    );
    this.table = /** @type {BankedShown} */ (/** @type {unknown} */ (null)); // until the first update
    this.lookedAt = "";
    /** The round of which a win was heard. */
    this.won = 0;
  }

  /** @param {BankedShown} table */
  update(table) {
    table = this.#withoutMine(table);
    this.table = table;
    const { view } = table;
    const seated = view.yours.length > 0;
    if (seated) this.actions.update(table);
    this.stage.update(table, seated ? this.actions.box : 0);
    show(this.actions.node, seated);
    show(this.menu, seated);
    show(this.invite, !seated && table.maySit);
    setText(this.rack, view.chips === null ? "" : rackWords(view));
    const lines = new Set(/** @type {string[]} */ ([]));
    for (const number of view.yours) {
      const box = view.boxes[number];
      for (const line of [
        box.bonus_line,
        ...(box.lines_due ?? []),
        ...Object.keys(box.lines_paid ?? {}),
      ])
        if (line) lines.add(line);
    }
    this.panel.markLines(lines);
  }

  /** His settled boxes lie there until the next call; once he has left they are not his any more.
   * @param {BankedShown} table @returns {BankedShown} */
  #withoutMine(table) {
    const { view } = table;
    const { seats } = this.asks.me();
    const sits = seats.some((seat) => seat.place === this.place);
    if (sits || view.status !== "between rounds" || view.chips !== null) return table;
    const boxes = { ...view.boxes };
    for (const box of view.yours) delete boxes[box];
    return { ...table, view: { ...view, boxes, yours: [] } };
  }

  /** What the page does by itself: look, if its player wants that and has one hand only. */
  react() {
    const { view } = this.table;
    const between = view.status === "between rounds" || view.status === "bets open";
    this.wishes.look(view.yours.length > 0, between);
    const dealt = view.yours.filter((box) => view.boxes[box].cards?.length);
    const may = dealt.filter((box) =>
      view.boxes[box].may.some((offer) => offer.do === "look"),
    );
    const key = `${view.round}`;
    if (
      dealt.length === 1 &&
      may.length === 1 &&
      setting("lookByItself") &&
      this.lookedAt !== key
    ) {
      this.lookedAt = key;
      this.asks.give({ do: "look", seat: may[0] });
    }
  }

  hear() {}

  recall() {}

  hasWon() {
    const { view } = this.table;
    const wins = view.yours.some((box) => view.boxes[box].result && netOf(view.boxes[box]) > 0);
    const news = wins && view.round !== this.won;
    if (wins) this.won = view.round;
    return news;
  }

  answersAhead() {
    return false;
  }

  spoken() {
    return this.table.view.yours.length ? this.actions.spoken() : "";
  }

  /** @param {number} wanted a box, or 0 for any */
  async #take(wanted) {
    if (!(await this.asks.enter())) return;
    const { view, sign } = this.table;
    if (view.yours.length) {
      this.actions.play(wanted);
      return;
    }
    const me = this.asks.me();
    const player = me.name ?? ""; // who has entered has one
    const free = this.#free();
    const box = free.includes(wanted) ? wanted : free[0];
    if (!box) {
      this.asks.say("Every box is taken.");
      return;
    }
    const purse = me.play_money ?? 0;
    const least = sign.limits.ante_minimum;
    if (purse < least) {
      this.asks.say(`The smallest Ante is ${money(least)} and you have ${money(purse)}.`);
      return;
    }
    askAmount({
      title: `Sit down at box ${box}`,
      says: `You bring chips to the table. You have ${money(purse)}.`,
      does: "Sit down with",
      least,
      most: purse,
      start: Math.min(purse, least * 100),
      step: Math.min(...sign.chips),
      give: async (amount) => {
        // Somebody may have been faster; who wanted any box takes another one.
        const now = this.#free();
        const at = wanted || now.includes(box) ? box : (now[0] ?? box);
        return problem(await this.asks.give({ do: "sit", box: at, player, chips: amount }));
      },
    });
  }

  /** Boxes at which nobody sits, those in the middle first. */
  #free() {
    const { view, sign } = this.table;
    const boxes = view.boxes_in_use || sign.boxes;
    const middle = boxes / 2 + 0.5;
    const free = Array.from({ length: boxes }, (_, i) => i + 1).filter((box) => !view.boxes[box]);
    return free.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  }

  #add() {
    const { sign } = this.table;
    const me = this.asks.me();
    const purse = me.play_money ?? 0;
    const step = Math.min(...sign.chips);
    if (purse < step) {
      this.asks.say(emptyPurse(me));
      return;
    }
    askAmount({
      title: "Add chips",
      says: `You have ${money(purse)}.`,
      does: "Add",
      least: step,
      most: purse,
      start: Math.min(purse, sign.limits.ante_minimum * 100),
      step,
      give: (amount) => this.wishes.wish({ add: amount }),
    });
  }

  async #leave() {
    const problem = await this.wishes.wish({ leave: true });
    if (problem) this.asks.say(problem);
  }
}

/** A player's chips: before him, on the table and not yet settled, and what he has won or lost.
 * @param {BankedView} view */
function rackWords(view) {
  let lies = 0;
  for (const number of view.yours) {
    const { stakes, result } = view.boxes[number] ?? {};
    /** @type {number[]} */
    const bets = result ? [] : Object.values(stakes ?? {});
    lies += bets.reduce((sum, amount) => sum + amount, 0);
  }
  const net = (view.net ?? 0) + lies; // the table counts what lies on the layout as gone
  const parts = [`Your rack ${money(view.chips ?? 0)}`];
  if (lies) parts.push(`${money(lies)} on the table`);
  if (net) parts.push(`${net > 0 ? "up" : "down"} ${money(Math.abs(net))}`);
  return parts.join(" · ");
}

/** What is wrong, or null. @param {Reply} reply */
function problem(reply) {
  return reply.is === "answer" ? null : reply.says;
}
