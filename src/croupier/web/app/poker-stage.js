// The poker table as it is seen: an oval felt, seats around it, cards, bets, pots, the button.

import { h, patchList, setAttr, setText, show } from "./dom.js";
import { makeCard, cardNames, lift, UNKNOWN } from "./cards.js";
import { chipStack } from "./chips.js";
import { comeFrom, deal, flyCopy, setCard } from "./motion.js";
import { money } from "./money.js";
import { put } from "./plate.js";
import { buttonPlace, isCrowded, isFarthest, isNearest, ring } from "./ring.js";
import { makeSeat, updateSeat } from "./seat.js";

/** @import {PokerEvent, PokerView} from "./records.js" */
/** @import {PokerShown, PokerTold} from "./shown.js" */

/** What a seat is said to have done, until the street is over.
 * @type {{[K in PokerEvent["event"]]?: (e: PokerEvent & {event: K}) => string}} */
const SAID = {
  checked: () => "Check",
  called: (e) => (e.all_in ? "All-in" : "Call"),
  "bet placed": (e) => (e.all_in ? "All-in" : `Bet ${money(e.to)}`),
  raised: (e) => (e.all_in ? "All-in" : `Raise ${money(e.to)}`),
  "went all in": () => "All-in",
  folded: () => "Fold",
  "blind posted": () => "Blind",
  "straddle placed": () => "Straddle",
  mucked: () => "Does not show",
};
/** @type {Set<PokerEvent["event"]>} */
const STREET_OVER = new Set([
  "betting round closed",
  "flop dealt",
  "turn dealt",
  "river dealt",
  "blinds called",
  "round ended",
  "misdeal declared",
  "round voided",
]);
/** With these nobody has done anything yet. @type {Set<PokerEvent["event"]>} */
const AFRESH = new Set(["blinds called", "misdeal declared", "round voided"]);

export class PokerStage {
  /** @param {{sit: (seat: number) => void}} asks */
  constructor(asks) {
    this.asks = asks;
    this.seats = h("ol", { class: "seats", "aria-label": "Seats" });
    this.bets = h("div", { class: "bets", "aria-hidden": "true" });
    this.board = h("div", { class: "board", role: "group", "aria-label": "Community cards" });
    this.pots = h("ul", { class: "pots", "aria-label": "Pots" });
    this.button = h("span", { class: "dealer-button", text: "D", "aria-hidden": "true" });
    this.shoe = h("span", { class: "shoe", "aria-hidden": "true" });
    this.says = h("p", { class: "table-says" });
    this.paid = h("ul", { class: "settled", "aria-label": "How the last round was paid" });
    this.marker = h("p", { class: "game-marker" });
    this.node = h(
      "section",
      { class: "stage poker", "aria-label": "The table" },
      h("div", { class: "rim" }),
      h("div", { class: "felt" }),
      this.shoe,
      this.marker,
      h("div", { class: "centre" }, this.pots, this.board, this.paid, this.says),
      this.bets,
      this.seats,
      this.button,
    );
    for (let i = 0; i < 5; i += 1) this.board.append(h("div", { class: "slot" }));
    /** @type {Map<number, string>} */
    this.said = new Map();
    /** His own cards, and of which round: once folded they stay visible to him.
     * @type {{round: number, cards: string[]}} */
    this.own = { round: 0, cards: [] };
    /** Where chips lay before the last update. @type {{amount: number, rect: DOMRect}[]} */
    this.lay = [];
    /** @type {DOMRect | undefined} */
    this.potLay = undefined;
    this.tall = false;
    /** @type {PokerShown | null} */
    this.table = null;
    /** @type {(seat: number) => import("./ring.js").Place} */
    this.place = () => ({ x: 50, y: 50, bx: 50, by: 50 });
    new ResizeObserver(() => {
      const { clientHeight: high, clientWidth: wide } = this.node;
      // On a phone the plates of a wide oval would lie over its bets.
      const small = wide < 480 && high > wide * 0.7 && high <= wide * 1.2;
      const tall = high > wide * 1.02 || small;
      this.node.classList.toggle("small", small);
      this.node.classList.toggle("tall", tall);
      if (tall !== this.tall) {
        this.tall = tall;
        if (this.table) this.update(this.table);
      }
    }).observe(this.node);
  }

  /** Show the table as it stands. @param {PokerShown} table */
  update(table) {
    this.table = table;
    const { view, sign } = table;
    const places = ring(sign.seats, this.tall);
    this.node.classList.toggle("crowded", isCrowded(sign.seats));
    const bottom = view.yours?.[0] ?? Math.ceil(sign.seats / 2);
    this.place = (/** @type {number} */ seat) => places[(seat - bottom + sign.seats) % sign.seats];
    const numbers = Array.from({ length: sign.seats }, (_, i) => i + 1);
    patchList(
      this.seats,
      numbers,
      (seat) => seat,
      (seat) => makeSeat(seat, this.asks.sit),
      (node, seat) => {
        const { x, y } = this.place(seat);
        put(node, x, y);
        node.classList.toggle("left", x < 40);
        node.classList.toggle("right", x > 60);
        node.classList.toggle("farthest", isFarthest(this.place(seat)));
        updateSeat(node, seat, table, this.said.get(seat), this.#kept(view, seat));
      },
    );
    this.#updateBoard(view);
    this.#updatePaid(view);
    this.#updatePots(view);
    this.#updateBets(view);
    show(this.button, view.button !== null);
    if (view.button !== null) put(this.button, ...buttonPlace(this.place(view.button), this.tall, sign.seats));
    setText(this.says, says(table));
    setText(this.marker, view.game_marker ?? "");
    show(this.marker, Boolean(view.game_marker));
  }

  /** @param {PokerView} view */
  #updateBoard(view) {
    const cards = [...view.board, ...Array(view.face_down ?? 0).fill(UNKNOWN)].slice(0, 5);
    [...this.board.children].forEach((slot, i) => {
      const card = cards[i];
      const lying = slot.querySelector("playing-card");
      if (!card) lying?.remove();
      else if (lying) setCard(/** @type {HTMLElement} */ (lying), card);
      else slot.append(makeCard(card, "fresh"));
    });
    setAttr(
      this.board,
      "aria-label",
      cards.length ? `Community cards: ${cardNames(cards)}` : "No community cards yet",
    );
  }

  /** His own cards that he has folded or not shown. @param {PokerView} view @param {number} seat */
  #kept(view, seat) {
    if (!view.yours.includes(seat)) return [];
    const cards = view.seats[seat].cards;
    if (cards.length && !cards.includes(UNKNOWN)) this.own = { round: view.round, cards };
    return this.own.round === view.round ? this.own.cards : [];
  }

  /** Who has won what, where one looks. @param {PokerView} view */
  #updatePaid(view) {
    const lines = paidLines(view);
    patchList(
      this.paid,
      lines,
      (line) => line.pot,
      () => h("li", {}, h("b"), h("span"), h("small")),
      (node, line) => {
        setText(node.children[0], line.who);
        setText(node.children[1], line.what);
        setText(node.children[2], line.with);
        node.classList.toggle("mine", line.mine);
      },
    );
    show(this.paid, lines.length > 0);
    const best = view.settlement.find((pot) => pot.best.length)?.best ?? [];
    lift(this.board, view.betting_round === null ? best : []);
  }

  /** @param {PokerView} view */
  #updatePots(view) {
    const paid = ["between rounds", "ready", "open"].includes(view.status);
    const several = view.pots.length > 1;
    let inPots = 0;
    /** @type {{key: string, name: string, amount: number}[]} */
    const shown = [];
    view.pots.forEach((pot, i) => {
      inPots += pot.amount;
      const name = several ? (i ? `Side pot ${i}` : "Main pot") : "Pot";
      if (pot.amount && !paid) shown.push({ key: String(i), name, amount: pot.amount });
    });
    if (!paid && view.pot > inPots) {
      shown.push({ key: "total", name: shown.length ? "Total" : "Pot", amount: view.pot });
    }
    patchList(
      this.pots,
      shown,
      (pot) => pot.key,
      (pot) => {
        const words = h("span", {}, h("span", { class: "pot-name" }), h("strong"));
        return pot.key === "total"
          ? h("li", { class: "pot total" }, words)
          : h("li", { class: "pot" }, chipStack(0), words);
      },
      (node, pot) => {
        const stack = node.querySelector("chip-stack");
        if (stack) setAttr(stack, "amount", pot.amount);
        setText(node.querySelector(".pot-name"), pot.name);
        setText(node.querySelector("strong"), money(pot.amount));
      },
    );
  }

  /** @param {PokerView} view */
  #updateBets(view) {
    const bets = Object.entries(view.seats)
      .map(([seat, taken]) => ({ seat: Number(seat), amount: taken.bet + (taken.dead_post ?? 0) }))
      .filter((bet) => bet.amount > 0);
    patchList(
      this.bets,
      bets,
      (bet) => bet.seat,
      () => h("div", { class: "bet fresh" }, chipStack(0), h("strong")),
      (node, bet) => {
        const at = this.place(bet.seat);
        put(node, at.bx, at.by);
        node.classList.toggle("near", isNearest(at));
        node.dataset.seat = String(bet.seat);
        const stack = node.querySelector("chip-stack");
        if (Number(stack.getAttribute("amount")) < bet.amount) node.classList.add("fresh");
        setAttr(stack, "amount", bet.amount);
        setText(node.querySelector("strong"), money(bet.amount));
      },
    );
  }

  // -- movement --------------------------------------------------------------------------------

  /** Before the new view is shown: what lies where, for the chips that will move. */
  before() {
    this.lay = [];
    for (const stack of this.bets.querySelectorAll("chip-stack")) {
      const amount = Number(stack.getAttribute("amount"));
      this.lay.push({ amount, rect: stack.getBoundingClientRect() });
    }
    this.potLay = this.pots.querySelector("chip-stack")?.getBoundingClientRect();
    for (const node of this.node.querySelectorAll(".fresh")) node.classList.remove("fresh");
  }

  /** Note what the events say of each seat, before the view is shown; where some were missed, what was said
   * before may be of another round. @param {PokerTold[]} events @param {boolean} missed */
  hear(events, missed) {
    if (missed) this.said.clear();
    for (const { event } of events) {
      if (STREET_OVER.has(event.event)) {
        for (const [seat, word] of this.said)
          if (word !== "Fold" || AFRESH.has(event.event)) this.said.delete(seat);
      }
      if ("seat" in event && event.seat) {
        const said = /** @type {((e: PokerEvent) => string) | undefined} */ (SAID[event.event]);
        if (said) this.said.set(event.seat, said(event));
      }
    }
  }

  /** What went before this page: his own cards of the round in play. @param {PokerTold[]} events */
  recall(events) {
    for (const { event } of events) {
      const looked = event.event === "looked" && !event.cards.includes(UNKNOWN);
      if (event.event === "blinds called") this.own = { round: event.round, cards: [] };
      else if (looked) this.own = { ...this.own, cards: [...event.cards] };
    }
    if (this.table) this.update(this.table);
  }

  /** After the new view is shown: move what has changed places; nothing of a page that was just
   * loaded. @param {PokerTold[]} events */
  after(events) {
    const shoe = this.shoe.getBoundingClientRect();
    const fresh = events.length ? [...this.node.querySelectorAll("playing-card.fresh")] : [];
    fresh.forEach((card, i) =>
      deal(/** @type {HTMLElement} */ (card), shoe, Math.min(i * 70, 900)),
    );
    for (const node of this.bets.querySelectorAll(".bet.fresh")) {
      const plate = this.#plate(Number(/** @type {HTMLElement} */ (node).dataset.seat));
      const stack = /** @type {HTMLElement | null} */ (node.querySelector("chip-stack"));
      if (plate && stack) comeFrom(stack, plate, { time: 300 });
    }
    for (const node of this.node.querySelectorAll(".fresh")) node.classList.remove("fresh");
    const kinds = new Set(events.map(({ event }) => event.event));
    const pot = this.pots.querySelector("chip-stack")?.getBoundingClientRect();
    const board = this.board.getBoundingClientRect();
    if (kinds.has("betting round closed") || kinds.has("pot won")) {
      for (const { amount, rect } of this.lay) flyCopy(chipStack(amount), rect, pot ?? board);
    }
    const from = this.potLay ?? board;
    for (const { event } of events) {
      if (event.event !== "pot won") continue;
      for (const [seat, amount] of Object.entries(event.shares)) {
        const plate = this.#plate(Number(seat));
        if (plate) flyCopy(chipStack(Number(amount)), from, plate, { time: 700, delay: 120 });
      }
    }
  }

  /** @param {number} seat */
  #plate(seat) {
    return this.seats.querySelector(`[data-key="${seat}"] .plate`)?.getBoundingClientRect() ?? null;
  }
}

/** How the last round was paid, pot by pot. @param {PokerView} view */
function paidLines(view) {
  if (view.betting_round !== null) return [];
  const several = view.settlement.length > 1;
  return view.settlement.map((pot) => {
    const mine = pot.winners.some((seat) => view.yours.includes(seat));
    const names = pot.winners.map((seat) =>
      view.yours.includes(seat) ? "you" : (view.seats[seat]?.player ?? `Seat ${seat}`),
    );
    const who = names.join(" and ");
    const rake = pot.rake ? `, less ${money(pot.rake)} rake` : "";
    const shares = names.length > 1 ? "share" : mine ? "win" : "wins";
    return {
      pot: pot.pot,
      mine,
      who: who.charAt(0).toUpperCase() + who.slice(1),
      what: ` ${shares} the ${several ? pot.pot : "pot"} of ${money(pot.amount)}${rake}`,
      with: pot.hand,
    };
  });
}

/** What the table says in its middle. @param {PokerShown} table */
function says({ view, clock }) {
  const held = view.decisions.some((asked) => asked.holds);
  if (view.settlement.length && view.betting_round === null && !held) return "";
  if (view.voided) return `Void: ${view.voided}`;
  if (view.waiting) return view.waiting;
  if (clock?.why === "next round") return "The next round begins in a moment";
  if (view.status === "open" || Object.keys(view.seats).length < 2) return "Waiting for players";
  return "";
}
