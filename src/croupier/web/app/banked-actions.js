// What a player at a banked table may do: chips on the spots of his boxes before the close; looking,
// Flop, Turn and River bets, fold and check after it; and what became of every bet.

import { h, patchList, setAttr, setText, show } from "./dom.js";
import { lift, makeCard } from "./cards.js";
import { winningFive } from "./banked-stage.js";
import { setClock } from "./clock.js";
import { confirmed } from "./dialogs.js";
import { counts, meansNow } from "./guard.js";
import { keyed } from "./keys.js";
import { keepBets, lastBets } from "./last-bets.js";
import { money } from "./money.js";
import { setCard } from "./motion.js";
import { Settled } from "./settled.js";
import { lying, makeSpots, offerAt, OPENING, spotName, updateSpots } from "./spots.js";
import { Tray, word, wordy } from "./tray.js";

/** @import {BankedCommand, BankedTableInfo, BankedView, Offer} from "./records.js" */
/** @import {Asks, BankedShown} from "./shown.js" */
/** @import {Box} from "./spots.js" */

/** The buttons of a decision, in their order. @type {Record<string, {word: string, key: string}>} */
const DECISIONS = {
  fold: { word: "Fold", key: "f" },
  check: { word: "Check", key: "c" },
  "table cards": { word: "Show my cards", key: "s" },
  "flop bet": { word: "Flop bet", key: "b" },
  "turn bet": { word: "Turn bet", key: "b" },
  "river bet": { word: "River bet", key: "b" },
  "accept notice": { word: "I accept this", key: "y" },
};
const ORDER = Object.keys(DECISIONS);
/** Where no decision follows any more for who has none now. @type {Set<BankedView["status"]>} */
const LAST = new Set(["river decision", "river", "dealer", "settling"]);
/** A box in which nothing lies yet. @type {Box} */
const NOTHING = { cards: [], stakes: {}, may: [], payouts: {}, lines_paid: {}, result: null };

export class BankedActions {
  /** @param {Asks} asks @param {string} place */
  constructor(asks, place) {
    this.asks = asks;
    this.place = place;
    this.table = /** @type {BankedShown} */ (/** @type {unknown} */ (null)); // until the first update
    this.box = 0;
    /** The player's boxes, and those that he wants to play too. @type {number[]} */
    this.boxes = [];
    /** Boxes that he wants to play although no chip of his lies there yet. @type {Set<number>} */
    this.extra = new Set();
    /** Totals that were sent and not yet answered, by box and bet. @type {Map<string, number>} */
    this.sent = new Map();
    this.busy = false;
    this.time = h("div", { class: "time" }, h("div", { class: "time-left" }));
    this.tabs = h("div", { class: "box-tabs", role: "group", "aria-label": "My boxes" });
    this.cards = h("div", { class: "my-cards", "aria-hidden": "true" });
    this.hand = h("p", { class: "hand" });
    this.says = h("p", { class: "says" });
    const looks = () => this.asks.give({ do: "look", seat: this.box });
    const look = h("button", { class: "button small", type: "button", onclick: looks }, "Look");
    this.look = keyed(look, "l");
    this.spots = makeSpots((bet) => this.#tap(bet));
    const words = h("div", { class: "my-words" }, this.hand, this.says, this.look);
    const mine = h("div", { class: "my-hand" }, this.cards, words);
    this.settled = new Settled();
    this.tray = new Tray({
      picked: () => this.update(this.table),
      repeat: () => this.#repeat(),
      clear: () => this.#clear(),
      deal: () => this.asks.ready(),
    });
    this.big = h("div", { class: "big" });
    this.refuses = /** @type {HTMLButtonElement} */ (
      h("button", { class: "button quiet small refuses", type: "button" }, "I do not show my cards …")
    );
    this.refuses.addEventListener("click", (event) => {
      if (counts(event)) this.#refuse();
    });
    const layout = h("div", { class: "layout" }, mine, this.spots);
    this.node = h("div", { class: "banked-actions" });
    this.node.append(this.time, this.tabs, layout, this.settled.node, this.tray.node, this.big);
    this.node.append(this.refuses);
  }

  // -- showing ---------------------------------------------------------------------------------

  /** @param {BankedShown} table */
  update(table) {
    this.table = table;
    const { view, sign, clock } = table;
    const open = view.status === "bets open";
    this.#choose(view, open);
    const shown = this.#shown();
    const { box } = shown;
    this.#updateTabs();
    patchList(
      this.cards,
      box.cards,
      (_, i) => i,
      (card) => makeCard(card),
      (node, card) => setCard(node, card),
    );
    lift(this.cards, box.result ? winningFive(view) : []);
    const looks = box.may.some((offer) => offer.do === "look");
    show(this.look, looks);
    setText(this.hand, box.hand || box.makes || "");
    setText(this.says, this.#sentence(view, box, open));
    updateSpots(this.spots, shown);
    this.node.classList.toggle("is-settled", Boolean(box.result));
    this.settled.update(this.box, view, this.table.sign.rulebook);
    show(this.tray.node, open && !sign.seen);
    if (open && !sign.seen) this.#updateTray(view, sign);
    this.#updateBig(box);
    const refuses = box.may.some((offer) => offer.do === "refuse to show");
    show(this.refuses, refuses);
    meansNow(this.refuses, refuses ? `${view.round} ${this.box}` : "");
    const mine = (/** @type {number} */ number) => this.boxes.includes(number);
    const waits = clock && (clock.why === "bets" || clock.for.some(mine));
    setClock(/** @type {Element} */ (this.time.firstElementChild), waits ? clock : null);
    show(this.time, Boolean(waits));
    keepBets(this.place, view);
  }

  /** Which boxes are his, and which of them is shown. @param {BankedView} view @param {boolean} open */
  #choose(view, open) {
    if (!open) this.extra.clear();
    for (const box of view.yours) this.extra.delete(box);
    this.boxes = [...view.yours, ...this.extra].sort((a, b) => a - b);
    if (!this.boxes.includes(this.box)) this.box = this.boxes[0] ?? 0;
    if (open || this.#decisions(this.box).length) return;
    this.box = this.boxes.find((box) => this.#decisions(box).length) ?? this.box;
  }

  /** @returns {import("./spots.js").Shown} */
  #shown() {
    const { table, sent, box: number } = this;
    const box = table.view.boxes[number] ?? NOTHING;
    return { number, box, table, sent, chip: this.tray.chip, extra: this.extra.has(number) };
  }

  /** @param {number} number */
  #decisions(number) {
    const may = this.table.view.boxes[number]?.may ?? [];
    return may.filter((offer) => offer.do in DECISIONS);
  }

  #updateTabs() {
    show(this.tabs, this.boxes.length > 1);
    patchList(
      this.tabs,
      this.boxes,
      (number) => number,
      (number) =>
        h("button", { class: "button small", type: "button", onclick: () => this.choose(number) }),
      (node, number) => {
        setText(node, `Box ${number}${this.#decisions(number).length ? " •" : ""}`);
        setAttr(node, "aria-pressed", String(number === this.box));
      },
    );
  }

  /** @param {BankedView} view @param {BankedTableInfo} sign */
  #updateTray(view, sign) {
    let last = 0;
    for (const [, bets] of lastBets(this.place)) {
      for (const amount of Object.values(bets)) last += amount;
    }
    const lies = this.boxes.some((number) => view.boxes[number]?.stakes?.ante);
    this.tray.update(sign, { last, lies, ready: this.table.ready.includes(this.table.me ?? "") });
  }

  /** @param {Box} box */
  #updateBig(box) {
    const offers = box.may.filter((offer) => offer.do in DECISIONS);
    /** @type {(offer: Offer) => number} */
    const rank = (offer) => ORDER.indexOf(offer.do);
    patchList(
      this.big,
      offers.sort((a, b) => rank(a) - rank(b)),
      (offer) => offer.do,
      (offer) => wordy("button", () => this.#do(offer.do), DECISIONS[offer.do].key),
      (node, offer) => {
        meansNow(node, `${this.table.view.round} ${this.table.view.window} ${this.box} ${offer.do}`);
        const name = DECISIONS[offer.do].word;
        const says = offer.least ? `${name} ${money(offer.least)}` : name;
        setText(word(node), says);
        setAttr(node, "aria-label", this.boxes.length > 1 ? `${says}, box ${this.box}` : says);
        node.classList.toggle("main", offer.do.endsWith(" bet") || offer.do === "accept notice");
        node.disabled = this.busy;
      },
    );
  }

  /** @param {BankedView} view @param {Box} box @param {boolean} open */
  #sentence(view, box, open) {
    const { sign } = this.table;
    if (open && sign.seen) return "Place your bets: the dealer enters them.";
    if (open && box.stakes.ante) {
      const ready = this.table.ready.includes(this.table.me ?? "");
      const then = ready ? "We wait for the others." : "Bets close when the time is over.";
      return shortWords("flop", view, sign, box) || `You are in. ${then}`;
    }
    if (open) return "Put an Ante on the layout to play this round.";
    if (box.result) return box.result.charAt(0).toUpperCase() + box.result.slice(1);
    if (box.deemed) return `Counts as folded: ${box.deemed}`;
    if (box.standing === "folded") return "Folded";
    if (this.#decisions(this.box).length) return shortWords(view.window ?? "", view, sign, box);
    if (box.standing === "in for the finish")
      return LAST.has(view.status) ? "In for the finish" : "";
    return box.stakes.ante || view.status === "between rounds" ? "" : "You sit this round out.";
  }

  /** What is offered, in a sentence for the ear. */
  spoken() {
    const { view } = this.table;
    if (view.status === "bets open") return "Place your bets.";
    const said = [...this.big.children].map((button) => button.getAttribute("aria-label"));
    if (!said.length) return "";
    const { makes } = view.boxes[this.box];
    return `Your decision. ${makes ? `You have ${makes}. ` : ""}${said.join(", ")}.`;
  }

  // -- doing -----------------------------------------------------------------------------------

  /** Show another of his boxes. @param {number} number */
  choose(number) {
    this.box = number;
    this.update(this.table);
  }

  /** Play a further box. @param {number} number */
  play(number) {
    this.extra.add(number);
    this.choose(number);
  }

  /** A spot was tapped. @param {string} bet */
  async #tap(bet) {
    if (!OPENING.includes(bet)) {
      await this.#do(`${bet} bet`);
      return;
    }
    const shown = this.#shown();
    const offer = offerAt(bet, shown);
    if (!offer) return;
    const lies = lying(bet, shown);
    if (bet === "progressive" && lies) {
      await this.asks.give({ do: "withdraw bet", box: this.box, bet });
      return;
    }
    const more = bet === "progressive" ? offer.least : lies + this.tray.chip;
    const amount = Math.min(offer.most, Math.max(offer.least, more));
    if (amount === lies) this.asks.say(`${money(amount)} is ${mostWords(bet, amount, shown)}.`);
    else await this.#place(this.box, bet, amount);
  }

  /** Make a bet this much in all; it is shown before it is answered. @param {number} number @param {string} bet @param {number} amount */
  async #place(number, bet, amount) {
    const key = `${number} ${bet}`;
    this.sent.set(key, amount);
    this.update(this.table);
    const command = /** @type {BankedCommand} */ ({ do: `place ${bet}`, box: number, amount });
    const reply = await this.asks.give(command);
    if (this.sent.get(key) === amount) this.sent.delete(key);
    this.update(this.table);
    return reply.is === "answer";
  }

  async #clear() {
    const { boxes } = this.table.view;
    for (const number of this.boxes) {
      const ante = boxes[number]?.stakes?.ante;
      if (ante) await this.asks.give({ do: "withdraw bet", box: number, bet: "ante" });
    }
  }

  async #repeat() {
    for (const [number, bets] of lastBets(this.place)) {
      for (const bet of OPENING) {
        if (bets[bet] && !(await this.#place(number, bet, bets[bet]))) return;
      }
    }
  }

  /** Not to show costs the bets: said before it is done. */
  async #refuse() {
    const box = this.box;
    const sure = await confirmed({
      title: "Not show your cards?",
      says: this.table.sign.not_showing.says,
      does: "I do not show them",
      not: "Back",
    });
    if (sure && box === this.box) await this.#do("refuse to show");
  }

  /** @param {string} what */
  async #do(what) {
    if (this.busy) return;
    const whose = what === "accept notice" ? { player: this.table.me } : { box: this.box };
    this.busy = true;
    this.update(this.table);
    try {
      await this.asks.give(/** @type {BankedCommand} */ ({ do: what, ...whose }));
    } finally {
      this.busy = false;
      this.update(this.table);
    }
  }
}

/** What the bet of a window takes, for whom the rack has less: else nobody sees why it is not offered.
 * @param {string} bet @param {BankedView} view @param {BankedTableInfo} sign @param {Box} box */
function shortWords(bet, view, sign, box) {
  const takes = (sign.multiples[bet] ?? 0) * (box.stakes.ante ?? 0);
  if (view.chips === null || takes <= view.chips) return "";
  return `The ${spotName(bet)} bet takes ${money(takes)}, your rack has ${money(view.chips)}: add chips to make it.`;
}

/** Why no more can lie on a spot: the limit of the table, or his own chips.
 * @param {string} bet @param {number} amount @param {import("./spots.js").Shown} shown */
function mostWords(bet, amount, { table }) {
  const most = table.sign.limits[`${bet}_maximum`] ?? amount;
  return amount < most ? "all that your rack allows there" : "the most that may lie there";
}
