// What a poker player has chosen before his turn: nothing is sent until the turn comes, and until then
// he may think again. It holds for one turn, and never longer than the round.

import { h, setAttr, setText, show } from "./dom.js";
import { counts, meansNow } from "./guard.js";
import { keyed } from "./keys.js";
import { money } from "./money.js";

/** @import {Offer, PokerView, SeatView} from "./records.js" */

/**
 * What may be chosen, its key, and which of the offers it takes up, the first that there is. The keys
 * are none of those that act: who presses one twice must not have chosen for his next turn.
 */
const CHOICES = [
  { name: "Check or fold", key: "x", takes: ["check", "fold"] },
  { name: "Check", key: "k", takes: ["check"] },
  { name: "Call", key: "k", takes: ["call"] },
  { name: "Call any", key: "y", takes: ["check", "call"] },
];

export class PreAction {
  constructor() {
    this.chosen = "";
    this.round = 0;
    this.price = 0;
    this.node = h("div", { class: "pre-action", role: "group", "aria-label": "When it is your turn" });
    for (const { name, key } of CHOICES) {
      const button = h(
        "button",
        { class: "button small", type: "button", "aria-pressed": "false" },
        h("span", { class: "tick", "aria-hidden": "true" }),
        h("span", { class: "what", text: name }),
      );
      button.addEventListener("click", (event) => {
        if (counts(event)) this.#choose(this.chosen === name ? "" : name);
      });
      this.node.append(keyed(button, key));
    }
    show(this.node, false);
  }

  /** @param {string} name */
  #choose(name) {
    this.chosen = name;
    CHOICES.forEach((choice, i) =>
      setAttr(this.node.children[i], "aria-pressed", String(choice.name === name)),
    );
  }

  /** Show the choices while others act. @param {PokerView} view
   * @param {SeatView | undefined} mine @param {Offer[]} offers */
  update(view, mine, offers) {
    const waits =
      mine !== undefined &&
      mine.active &&
      !mine.all_in && view.status === "betting" && view.turn !== null;
    if (!waits || view.round !== this.round) this.#choose("");
    // A check that somebody has bet against is no longer one; nor is a call that costs more now.
    const held = { Check: mine !== undefined && view.price <= mine.bet, Call: view.price === this.price };
    if ((this.chosen === "Check" || this.chosen === "Call") && !held[this.chosen]) this.#choose("");
    this.round = view.round;
    this.price = view.price;
    const shown = waits && offers.length === 0;
    show(this.node, shown);
    const costs = mine === undefined ? 0 : view.price - mine.bet;
    CHOICES.forEach(({ name }, i) => {
      const button = this.node.children[i];
      const calls = name === "Call";
      meansNow(button, shown ? `${view.round} ${calls ? costs : ""}` : "");
      if (name === "Check") show(button, costs <= 0);
      if (!calls) return;
      const what = button.querySelector(".what");
      if (what) setText(what, `Call ${money(costs)}`);
      show(button, costs > 0 && costs < (mine?.stake ?? 0)); // All-in is not chosen ahead
    });
  }

  /** The turn has come: the offer that he chose ahead, once. @param {Offer[]} offers */
  due(offers) {
    const turn = offers.some((offer) => ["check", "call", "fold"].includes(offer.do));
    if (!this.chosen || !turn) return undefined;
    const takes = CHOICES.find((choice) => choice.name === this.chosen)?.takes ?? [];
    this.#choose("");
    for (const does of takes) {
      const offer = offers.find((each) => each.do === does);
      if (offer) return offer;
    }
    return undefined;
  }
}
