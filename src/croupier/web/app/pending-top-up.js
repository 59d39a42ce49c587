// Chips that a player wants to add while a round is played: the table takes them between rounds
// only, so the page remembers the amount, shows it, and sends it when the round is over.

import { h, setText, show } from "./dom.js";
import { money } from "./money.js";

/** @import {PokerView} from "./records.js" */

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
export function inRound(view) {
  return !BETWEEN.has(view.status);
}

export class PendingTopUp {
  /** @param {() => void} changed told when an amount waits, or none any more */
  constructor(changed) {
    this.changed = changed;
    this.amount = 0;
    this.says = h("span", { class: "says", role: "status" });
    this.node = h(
      "div",
      { class: "line pending-top-up" },
      this.says,
      h(
        "button",
        { class: "button quiet small", type: "button", onclick: () => this.set(0) },
        "Take back",
      ),
    );
    show(this.node, false);
  }

  /** @param {number} amount 0 takes it back */
  set(amount) {
    if (amount === this.amount) return;
    this.amount = amount;
    setText(this.says, amount ? `${money(amount)} will be added after this round.` : "");
    show(this.node, amount > 0);
    this.changed();
  }
}
