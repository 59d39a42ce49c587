// The poker table as it is seen: an oval felt, seats around it, cards, bets, pots, the button.

import { h, patchList, setAttr, setText, show, svg } from "./dom.js";
import { makeCard, cardNames, UNKNOWN } from "./cards.js";
import { chipStack } from "./chips.js";
import { comeFrom, deal, flyCopy, setCard } from "./motion.js";
import { money } from "./money.js";

/** What a seat is said to have done, until the street is over. @type {Record<string, (e: any) => string>} */
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
const STREET_OVER = new Set([
  "betting round closed",
  "flop dealt",
  "turn dealt",
  "river dealt",
  "blinds called",
  "round ended",
]);

/** Where the n seats are, in percent of the stage; the first is at the bottom, then clockwise.
 * @param {number} n @param {boolean} tall @returns {{x: number, y: number, bx: number, by: number}[]} */
export function ring(n, tall) {
  const [cx, cy, rx, ry] = tall ? [50, 53.5, 37.5, 38] : [50, 55, 42.5, 35.5];
  return Array.from({ length: n }, (_, k) => {
    const angle = Math.PI / 2 + (k * 2 * Math.PI) / n;
    const power = tall ? 0.78 : 0.86;
    const cos = Math.sign(Math.cos(angle)) * Math.abs(Math.cos(angle)) ** power;
    const sin = Math.sign(Math.sin(angle)) * Math.abs(Math.sin(angle)) ** (tall ? 0.95 : 0.9);
    const near = tall ? 0.5 : 0.63;
    const down = tall ? 0.62 : 0.56;
    const place = {
      x: cx + rx * cos,
      y: cy + ry * sin,
      bx: cx + rx * near * cos,
      by: cy - (tall ? 5 : 6) + ry * down * sin,
    };
    // Right above the pots a bet lies beside its seat.
    if (place.y < 30 && Math.abs(place.x - 50) < 12)
      Object.assign(place, { bx: place.x + (tall ? 24 : 13), by: place.y + (tall ? 4 : 5) });
    // Nor does it hide behind the cards of who sits nearest.
    if (place.y > 85) place.by = tall ? 64 : 62.5;
    return place;
  });
}

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
    this.marker = h("p", { class: "game-marker" });
    this.node = h(
      "section",
      { class: "stage poker", "aria-label": "The table" },
      h("div", { class: "rim" }),
      h("div", { class: "felt" }),
      this.shoe,
      h("div", { class: "centre" }, this.marker, this.pots, this.board, this.says),
      this.bets,
      this.seats,
      this.button,
    );
    for (let i = 0; i < 5; i += 1) this.board.append(h("div", { class: "slot" }));
    /** @type {Map<number, string>} */
    this.said = new Map();
    this.tall = false;
    /** @type {any} */
    this.table = null;
    /** @type {(seat: number) => {x: number, y: number, bx: number, by: number}} */
    this.place = () => ({ x: 50, y: 50, bx: 50, by: 50 });
    new ResizeObserver(() => {
      const tall = this.node.clientHeight > this.node.clientWidth * 1.02;
      this.node.classList.toggle("tall", tall);
      if (tall !== this.tall) {
        this.tall = tall;
        if (this.table) this.update(this.table);
      }
    }).observe(this.node);
  }

  /** Show the table as it stands. @param {any} table view, sign, clock, bots, away, me */
  update(table) {
    this.table = table;
    const { view, sign } = table;
    const places = ring(sign.seats, this.tall);
    const bottom = view.yours?.[0] ?? Math.ceil(sign.seats / 2);
    this.place = (/** @type {number} */ seat) => places[(seat - bottom + sign.seats) % sign.seats];
    const numbers = Array.from({ length: sign.seats }, (_, i) => i + 1);
    patchList(
      this.seats,
      numbers,
      (seat) => seat,
      (seat) => this.#makeSeat(seat),
      (node, seat) => this.#updateSeat(node, seat),
    );
    this.#updateBoard(view);
    this.#updatePots(view);
    this.#updateBets(view);
    const at = view.button ? this.place(view.button) : null;
    show(this.button, at !== null);
    if (at && at.y > 75 && Math.abs(at.x - 50) < 5)
      this.#put(this.button, at.x + (this.tall ? 20 : 10), at.y - 7);
    else if (at && at.y < 30 && Math.abs(at.x - 50) < 5)
      this.#put(this.button, at.x - (this.tall ? 19 : 10), at.y + 5);
    else if (at)
      this.#put(
        this.button,
        at.x + (at.bx - at.x) * 0.55 + (at.x < 49 ? 5 : -5),
        at.y + (at.by - at.y) * (at.y < 50 ? 0.95 : 0.55),
      );
    setText(this.says, says(table));
    setText(this.marker, view.game_marker ?? "");
    show(this.marker, Boolean(view.game_marker));
  }

  /** @param {HTMLElement} node @param {number} x @param {number} y */
  #put(node, x, y) {
    node.style.setProperty("--x", `${x}%`);
    node.style.setProperty("--y", `${y}%`);
  }

  /** @param {number} seat */
  #makeSeat(seat) {
    const ringing = svg(
      "svg",
      { class: "ring", "aria-hidden": "true" },
      svg("rect", {
        x: "1.5",
        y: "1.5",
        rx: "13",
        pathLength: "100",
        width: "calc(100% - 3px)",
        height: "calc(100% - 3px)",
      }),
    );
    return h(
      "li",
      { class: "seat" },
      h(
        "button",
        { class: "empty", type: "button", onclick: () => this.asks.sit(seat) },
        h("span", { text: "Sit" }),
        h("small", { text: `seat ${seat}` }),
      ),
      h(
        "div",
        { class: "taken" },
        h("p", { class: "vh about" }),
        h("div", { class: "hole", "aria-hidden": "true" }),
        h(
          "div",
          { class: "plate", "aria-hidden": "true" },
          ringing,
          h("div", { class: "name" }, h("span"), h("span", { class: "tag bot", text: "bot" })),
          h("div", { class: "worth" }),
        ),
        h("div", { class: "marks", "aria-hidden": "true" }),
      ),
    );
  }

  /** @param {HTMLElement} node @param {number} seat */
  #updateSeat(node, seat) {
    const { view, bots, away, clock, me } = this.table;
    const taken = view.seats[seat];
    const at = this.place(seat);
    this.#put(node, at.x, at.y);
    const mine = view.yours?.includes(seat) ?? false;
    const find = (/** @type {string} */ what) =>
      /** @type {HTMLElement} */ (node.querySelector(what));
    const empty = /** @type {HTMLButtonElement} */ (find(".empty"));
    show(empty, !taken && !view.yours?.length);
    show(find(".taken"), Boolean(taken));
    setAttr(empty, "aria-label", `Sit down at seat ${seat}`);
    node.classList.toggle("mine", mine);
    node.classList.toggle("turn", view.turn === seat);
    node.classList.toggle("low", at.y > 55);
    if (!taken) return;
    const gone = !taken.here || away.includes(taken.player);
    node.classList.toggle("out", gone || taken.folded);
    node.classList.toggle("won", taken.won > 0);
    setText(find(".name span"), taken.player);
    const bot = bots.includes(taken.player);
    show(find(".tag.bot"), bot);
    setText(find(".worth"), money(taken.stake));
    const cards =
      taken.folded || taken.mucked
        ? []
        : taken.cards.length
          ? taken.cards
          : taken.face_up
            ? [taken.face_up]
            : [];
    patchList(
      find(".hole"),
      cards,
      (_, i) => i,
      (card) => makeCard(card, "fresh"),
      (cardNode, card) => setCard(cardNode, card),
    );
    const marks = seatMarks(taken, view, seat, gone, this.said.get(seat));
    patchList(
      find(".marks"),
      marks,
      (mark) => mark.kind,
      (mark) => h("span", { class: `mark ${mark.kind}` }),
      (markNode, mark) => setText(markNode, mark.text),
    );
    const runs = clock?.for?.includes(seat) ?? false;
    setClock(find(".ring"), runs ? clock : null);
    setText(
      find(".about"),
      about(taken, seat, {
        mine,
        bot,
        gone,
        turn: view.turn === seat,
        button: view.button === seat,
        marks,
        me,
      }),
    );
  }

  /** @param {any} view */
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

  /** @param {any} view */
  #updatePots(view) {
    const paid = ["between rounds", "ready", "open"].includes(view.status);
    const several = view.pots.length > 1;
    let inPots = 0;
    /** @type {{key: string, name: string, amount: number}[]} */
    const shown = [];
    view.pots.forEach((/** @type {any} */ pot, /** @type {number} */ i) => {
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

  /** @param {any} view */
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
        this.#put(node, at.bx, at.by);
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
    /** @type {Map<number, {node: HTMLElement, rect: DOMRect}>} */
    this.lay = new Map();
    for (const node of /** @type {Iterable<HTMLElement>} */ (this.bets.children)) {
      this.lay.set(Number(node.dataset.seat), {
        node: /** @type {HTMLElement} */ (node.cloneNode(true)),
        rect: node.getBoundingClientRect(),
      });
    }
    const pot = this.pots.querySelector("chip-stack");
    this.potLay = pot
      ? {
          node: /** @type {HTMLElement} */ (pot.cloneNode(true)),
          rect: pot.getBoundingClientRect(),
        }
      : null;
    for (const node of this.node.querySelectorAll(".fresh")) node.classList.remove("fresh");
  }

  /** Note what the events say of each seat, before the view is shown. @param {any[]} events */
  hear(events) {
    for (const { event } of events) {
      if (STREET_OVER.has(event.event)) {
        for (const [seat, word] of this.said)
          if (word !== "Fold" || event.event === "blinds called") this.said.delete(seat);
      }
      const said = SAID[event.event];
      if (said && event.seat) this.said.set(event.seat, said(event));
    }
  }

  /** After the new view is shown: move what has changed places. @param {any[]} events */
  after(events) {
    const shoe = this.shoe.getBoundingClientRect();
    const fresh = [...this.node.querySelectorAll("playing-card.fresh")];
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
    const middle = (this.pots.querySelector("chip-stack") ?? this.pots).getBoundingClientRect();
    if (kinds.has("betting round closed") || kinds.has("pot won")) {
      for (const { node, rect } of this.lay?.values() ?? [])
        flyCopy(node, rect, middle.width ? middle : this.board.getBoundingClientRect());
    }
    const from = this.potLay?.rect ?? this.board.getBoundingClientRect();
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

/** Let a ring run out in the time that is left. @param {Element} ring @param {any} clock */
export function setClock(ring, clock) {
  const node = /** @type {HTMLElement} */ (/** @type {unknown} */ (ring));
  if (!clock) {
    node.classList.remove("runs");
    delete node.dataset.clock;
    return;
  }
  const key = `${clock.ends}|${clock.of}`;
  if (node.dataset.clock === key) return;
  node.dataset.clock = key;
  const left = Math.max(0, clock.ends - Date.now());
  const all = Math.max(clock.of, left);
  node.style.setProperty("--all", `${all}ms`);
  node.style.setProperty("--gone", `${left - all}ms`);
  node.classList.remove("runs");
  void node.getBoundingClientRect();
  node.classList.add("runs");
}

/** @param {any} taken @param {any} view @param {number} seat @param {boolean} gone @param {string | undefined} said */
function seatMarks(taken, view, seat, gone, said) {
  const marks = [];
  if (taken.won > 0) marks.push({ kind: "won", text: `+${money(taken.won)}` });
  if (taken.all_in && view.betting_round !== null) marks.push({ kind: "all-in", text: "All-in" });
  else if (said && !(taken.won > 0)) marks.push({ kind: "said", text: said });
  if (taken.hand) marks.push({ kind: "hand", text: taken.hand.split(", ").slice(0, 2).join(", ") });
  if (!taken.here) marks.push({ kind: "away", text: "Away" });
  else if (gone) marks.push({ kind: "away", text: "No connection" });
  if (taken.missed_marker || taken.missed)
    marks.push({
      kind: "missed",
      text: `Missed ${taken.missed === "both" ? "blinds" : `${taken.missed || ""} blind`}`.replace(
        "  ",
        " ",
      ),
    });
  if (taken.entering && taken.here) marks.push({ kind: "waits", text: "Waits to come in" });
  if (view.straddle === seat && view.betting_round === 1 && !said)
    marks.push({ kind: "said", text: "Straddle" });
  return marks;
}

/** A seat in words. @param {any} taken @param {number} seat @param {any} more */
function about(taken, seat, { mine, bot, gone, turn, button, marks, me }) {
  const parts = [
    `Seat ${seat}: ${mine && taken.player === me ? "you" : taken.player}${bot ? ", a bot" : ""}, stake ${money(taken.stake)}`,
  ];
  if (taken.bet) parts.push(`bet ${money(taken.bet)}`);
  if (button) parts.push("dealer button");
  if (taken.folded) parts.push("folded");
  else if (taken.cards?.some((/** @type {string} */ card) => card !== UNKNOWN))
    parts.push(cardNames(taken.cards));
  else if (taken.cards?.length) parts.push("two cards face down");
  for (const mark of marks) if (mark.kind !== "said") parts.push(mark.text);
  if (gone && taken.here) parts.push("not connected");
  if (turn) parts.push(mine ? "your turn" : "to act");
  return `${parts.join(", ")}.`;
}

/** What the table says in its middle. @param {any} table */
function says({ view, clock }) {
  if (view.voided) return `Void: ${view.voided}`;
  if (view.waiting) return view.waiting;
  if (clock?.why === "next round") return "The next round begins in a moment";
  if (view.status === "open" || Object.keys(view.seats).length < 2) return "Waiting for players";
  return "";
}
