// A banked table as it is seen: the dealer's hand, the community cards, and the boxes on their arc.

import { h, patchList, setAttr, setText, show } from "./dom.js";
import { makeCard, cardNames, lift, UNKNOWN } from "./cards.js";
import { chipStack } from "./chips.js";
import { comeFrom, deal, flyCopy, setCard } from "./motion.js";
import { JACKPOT, money, signed } from "./money.js";
import { setClock } from "./clock.js";
import { makeTaken, part, put, setHole, setMarks } from "./plate.js";

/** @import {BoxView} from "./records.js" */
/** @import {BankedShown, BankedTold} from "./shown.js" */
/** @import {Mark} from "./plate.js" */

const STREETS = ["Flop", "Flop", "Flop", "Turn", "River"];

/** Where the boxes are, in percent of the stage: from the dealer's left, clockwise.
 * @param {number} n @param {boolean} tall */
function arc(n, tall) {
  if (tall) {
    return Array.from({ length: n }, (_, i) => {
      const off = n === 1 ? 0 : (2 * i) / (n - 1) - 1;
      return { x: 50 - 42.5 * off, y: 83 - 9 * off * off };
    });
  }
  const [cx, cy, rx, ry] = [50, 36, 42, 45];
  const ends = 0.3;
  return Array.from({ length: n }, (_, i) => {
    const angle = n === 1 ? Math.PI / 2 : ends + (i * (Math.PI - 2 * ends)) / (n - 1);
    return { x: cx + rx * Math.cos(angle), y: cy + ry * Math.sin(angle) };
  });
}

/** What a settled box won or lost in all. @param {BoxView} box */
export function netOf(box) {
  // What jackpot lines pay is part of what the Progressive Jackpot bet has won.
  return Object.values(box.payouts ?? {}).reduce((sum, bet) => sum + bet.won - bet.lost, 0);
}

/** @param {BoxView} box */
function staked(box) {
  return Object.values(box.stakes ?? {}).reduce((sum, amount) => sum + amount, 0);
}

export class BankedStage {
  /** @param {{take: (box: number) => void}} asks */
  constructor(asks) {
    this.asks = asks;
    this.shoe = h("span", { class: "shoe", "aria-hidden": "true" });
    this.dealer = h("div", { class: "board dealer", role: "group" });
    this.dealerHand = h("p", { class: "dealer-hand" });
    this.board = h("div", { class: "board", role: "group" });
    this.says = h("p", { class: "table-says" });
    this.boxes = h("ol", { class: "boxes", "aria-label": "Boxes" });
    this.node = h(
      "section",
      { class: "stage banked", "aria-label": "The table" },
      h("div", { class: "rim" }),
      h("div", { class: "felt" }),
      this.shoe,
      h(
        "div",
        { class: "bank" },
        h("p", { class: "sign-on-felt", text: "Dealer" }),
        this.dealer,
        this.dealerHand,
      ),
      h("div", { class: "centre" }, this.board, this.says),
      this.boxes,
    );
    for (let i = 0; i < 2; i += 1) this.dealer.append(h("div", { class: "slot" }));
    STREETS.forEach((street, i) =>
      this.board.append(h("div", { class: "slot", "data-street": i === 1 || i > 2 ? street : "" })),
    );
    this.table = /** @type {BankedShown} */ (/** @type {unknown} */ (null)); // until the first update
    new ResizeObserver(() => {
      const tall = this.node.clientWidth < 640;
      this.node.classList.toggle("tall", tall);
      if (tall !== this.tall) {
        this.tall = tall;
        if (this.table) this.update(this.table);
      }
    }).observe(this.node);
    this.tall = false;
    this.below = 0;
    /** @type {{x: number, y: number}[]} */
    this.places = [];
  }

  /** @param {BankedShown} table @param {number} [below] the box that lies below in full */
  update(table, below = this.below) {
    this.table = table;
    this.below = below;
    const { view, sign } = table;
    const count = view.boxes_in_use || sign.boxes;
    this.places = arc(count, this.tall);
    const numbers = Array.from({ length: count }, (_, i) => i + 1);
    patchList(
      this.boxes,
      numbers,
      (box) => box,
      (box) => this.#makeBox(box),
      (node, box) => this.#updateBox(node, box),
    );
    lay(this.board, view.board);
    lay(this.dealer, view.dealer);
    setAttr(
      this.board,
      "aria-label",
      view.board.length ? `Community cards: ${cardNames(view.board)}` : "No community cards yet",
    );
    setAttr(
      this.dealer,
      "aria-label",
      view.dealer.length ? `Dealer: ${cardNames(view.dealer)}` : "The dealer has no cards yet",
    );
    const won = winningFive(view);
    lift(this.board, won);
    lift(this.dealer, won);
    setText(this.dealerHand, view.dealer_hand.split(", ").slice(0, 2).join(", "));
    setText(this.says, says(table));
  }

  /** @param {number} box */
  #makeBox(box) {
    const empty = h("button", {
      class: "empty",
      type: "button",
      onclick: () => this.asks.take(box),
    });
    empty.append(h("span"), h("small", { text: `box ${box}` }));
    const minis = h("span", { class: "minis" });
    for (const { bet, letter } of SMALL) minis.append(h("i", { "data-bet": bet, text: letter }));
    const stakes = h(
      "div",
      { class: "stakes", "aria-hidden": "true" },
      minis,
      chipStack(0),
      h("strong"),
    );
    return h("li", { class: "box" }, empty, makeTaken(stakes));
  }

  /** @param {HTMLElement} node @param {number} number */
  #updateBox(node, number) {
    const { view, bots, away, clock } = this.table;
    const box = view.boxes[number];
    const at = this.places[number - 1];
    put(node, at.x, at.y);
    const mine = view.yours.includes(number);
    const seated = view.yours.length > 0;
    const empty = /** @type {HTMLButtonElement} */ (part(node, ".empty"));
    show(empty, !box);
    empty.disabled = seated ? view.status !== "bets open" : !this.table.maySit;
    const word = seated ? "+" : this.table.maySit ? "Sit" : "Free";
    setText(/** @type {Element} */ (empty.firstElementChild), word);
    const does = seated ? `Play box ${number} too` : `Sit down at box ${number}`;
    setAttr(empty, "aria-label", does);
    show(part(node, ".taken"), Boolean(box));
    node.classList.toggle("mine", mine);
    if (!box) return;
    const bot = bots.includes(box.player);
    const total = staked(box);
    const marks = boxMarks(box, away, this.tall);
    node.classList.toggle("out", box.standing === "folded" || box.standing === "cancelled");
    setText(part(node, ".name span"), box.player);
    show(part(node, ".tag.bot"), bot);
    const rack = view.racks[box.player];
    setText(part(node, ".worth"), rack === undefined ? `Box ${number}` : money(rack));
    setHole(node, box.cards);
    const lies = total > 0 || Object.keys(box.payouts).length > 0;
    show(part(node, ".stakes"), lies);
    updateMinis(part(node, ".minis"), box);
    show(part(node, ".stakes chip-stack"), total > 0);
    show(part(node, ".stakes strong"), total > 0);
    node.classList.toggle("below", number === this.below);
    setAttr(part(node, ".stakes chip-stack"), "amount", total);
    setText(part(node, ".stakes strong"), money(total));
    setMarks(node, marks);
    const decides =
      clock !== null &&
      (clock.why === "action" || clock.why === "decision") &&
      clock.for.includes(number);
    setClock(part(node, ".ring"), decides ? clock : null);
    node.classList.toggle("turn", decides);
    setText(part(node, ".about"), about(box, number, { mine, bot, total, marks }));
  }

  // -- movement --------------------------------------------------------------------------------

  before() {
    /** @type {Map<number, {amount: number, rect: DOMRect}>} */
    this.lay = new Map();
    for (const [number, box] of Object.entries(this.table?.view.boxes ?? {})) {
      const spot = this.boxes.querySelector(`[data-key="${number}"] .stakes chip-stack`);
      if (spot)
        this.lay.set(Number(number), { amount: staked(box), rect: spot.getBoundingClientRect() });
    }
    for (const node of this.node.querySelectorAll(".fresh")) node.classList.remove("fresh");
  }

  /** @param {BankedTold[]} events */
  after(events) {
    const shoe = this.shoe.getBoundingClientRect();
    const fresh = events.length ? [...this.node.querySelectorAll("playing-card.fresh")] : [];
    fresh.forEach((card, i) =>
      deal(/** @type {HTMLElement} */ (card), shoe, Math.min(i * 70, 900)),
    );
    for (const node of this.node.querySelectorAll("playing-card.fresh")) node.classList.remove("fresh");
    for (const { event } of events) {
      if (event.event === "box settled") {
        const lay = this.lay?.get(event.box);
        const plate = this.boxes
          .querySelector(`[data-key="${event.box}"] .plate`)
          ?.getBoundingClientRect();
        if (!lay || !plate) continue;
        const paid = Object.values(event.bets).reduce(
          (sum, bet) => sum + bet.won + bet.returned,
          0,
        );
        const lost = Object.values(event.bets).reduce((sum, bet) => sum + bet.lost, 0);
        if (lost) flyCopy(chipStack(lost), lay.rect, shoe, { time: 600 });
        if (paid) flyCopy(chipStack(paid), shoe, plate, { time: 700, delay: 250 });
      } else if (event.event === "award received") {
        const { box, paid } = event;
        const mine = this.table?.view.yours.includes(box) ?? false;
        const who = this.table?.view.boxes[box]?.player ?? `Box ${box}`;
        import("./jackpot-won.js").then(({ celebrate }) => celebrate(this.node, { who, mine, paid }), () => undefined);
      } else if ("box" in event && /placed$/.test(event.event)) {
        const pod = this.boxes.querySelector(`[data-key="${event.box}"]`);
        const plate = pod?.querySelector(".plate")?.getBoundingClientRect();
        const stack = /** @type {HTMLElement | null | undefined} */ (
          pod?.querySelector(".stakes chip-stack")
        );
        if (plate && stack) comeFrom(stack, plate, { time: 280 });
      }
    }
  }
}

/** The five cards that decided the viewer's first settled box: his own where he won, or the dealer's.
 * @param {import("./records.js").BankedView} view @returns {string[]} */
export function winningFive(view) {
  const box = view.yours.map((number) => view.boxes[number]).find((each) => each?.result);
  if (!box) return [];
  if (box.result === "won" || box.result === "stand off") return box.best;
  return box.result === "lost" ? view.dealer_best : [];
}

/** The spots as they are printed on the felt, in small. */
const SMALL = [
  { bet: "progressive", letter: "P" },
  { bet: "bonus", letter: "B" },
  { bet: "ante", letter: "A" },
  { bet: "flop", letter: "F" },
  { bet: "turn", letter: "T" },
  { bet: "river", letter: "R" },
];

/** Which spots of a box have a bet, and what became of it. @param {Element} minis @param {BoxView} box */
function updateMinis(minis, box) {
  for (const node of minis.children) {
    const bet = /** @type {HTMLElement} */ (node).dataset.bet ?? "";
    const payout = box.payouts[bet];
    node.classList.toggle("lies", (box.stakes[bet] ?? 0) > 0 || payout !== undefined);
    node.classList.toggle("won", (payout?.won ?? 0) > 0);
    node.classList.toggle("lost", (payout?.lost ?? 0) > 0);
  }
}

/** Lay cards into their slots. @param {Element} row @param {string[]} cards */
function lay(row, cards) {
  [...row.children].forEach((slot, i) => {
    const lying = slot.querySelector("playing-card");
    if (cards[i] === undefined) lying?.remove();
    else if (lying) setCard(/** @type {HTMLElement} */ (lying), cards[i]);
    else slot.append(makeCard(cards[i], "fresh"));
  });
}

/** @param {BoxView} box @param {string[]} away @param {boolean} narrow whether a box has no room for a long mark */
function boxMarks(box, away, narrow) {
  const marks = [];
  if (box.result) {
    const net = netOf(box);
    const even = box.result === "stand off" ? "Stand Off" : "Even";
    marks.push({ kind: net > 0 ? "won" : "said", text: net ? signed(net) : even });
  } else if (box.standing === "folded") marks.push({ kind: "said", text: "Fold" });
  else if (box.standing === "cancelled") marks.push({ kind: "away", text: "Cancelled" });
  if (box.lines_due?.length || Object.keys(box.lines_paid ?? {}).length)
    marks.push({ kind: "all-in", text: narrow ? "Jackpot" : JACKPOT });
  if (away.includes(box.player)) marks.push({ kind: "away", text: "No connection" });
  return marks;
}

/** @param {BoxView} box @param {number} number
 * @param {{mine: boolean, bot: boolean, total: number, marks: Mark[]}} more */
function about(box, number, { mine, bot, total, marks }) {
  const parts = [`Box ${number}: ${mine ? "you" : box.player}${bot ? ", a bot" : ""}`];
  if (total) parts.push(`${money(total)} staked`);
  if (box.cards.some((card) => card !== UNKNOWN))
    parts.push(cardNames(box.cards));
  else if (box.cards.length) parts.push("two cards face down");
  for (const mark of marks) parts.push(mark.text);
  return `${parts.join(", ")}.`;
}

/** @param {BankedShown} table */
function says({ view, clock }) {
  const over = view.void ? "This round is void. All bets go back. " : "";
  if (over || view.notice) return `${over}${view.notice}`.trim();
  if (view.waiting) return view.waiting;
  if (view.status === "bets open") return "Place your bets";
  if (view.status === "between rounds")
    return clock?.why === "next round" ? "The next round begins in a moment" : "Between rounds";
  if (view.status === "jackpot") return `The ${JACKPOT} is being paid`;
  return "";
}
