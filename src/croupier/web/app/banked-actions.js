// What a player at a banked table may do: chips on the spots of his boxes before the close; looking,
// Flop, Turn and River bets, fold and check after it; and what became of every bet.

import { h, patchList, setAttr, setText, show } from "./dom.js";
import { chipFace, chipStack } from "./chips.js";
import { makeCard, UNKNOWN } from "./cards.js";
import { keyed } from "./keys.js";
import { money, signed } from "./money.js";
import { netOf } from "./banked-stage.js";
import { setClock } from "./poker-stage.js";
import { setCard } from "./motion.js";

/** The spots of a box as they lie on the layout. */
const SPOTS = [
  { bet: "progressive", name: "Jackpot", key: "p" },
  { bet: "bonus", name: "Bonus", key: "o" },
  { bet: "ante", name: "Ante", key: "a" },
  { bet: "flop", name: "Flop", key: "" },
  { bet: "turn", name: "Turn", key: "" },
  { bet: "river", name: "River", key: "" },
];
const OPENING = ["ante", "bonus", "progressive"];

/** The buttons of a decision. @type {Record<string, {word: string, key: string}>} */
const DECISIONS = {
  fold: { word: "Fold", key: "f" },
  check: { word: "Check", key: "c" },
  "flop bet": { word: "Flop bet", key: "b" },
  "turn bet": { word: "Turn bet", key: "b" },
  "river bet": { word: "River bet", key: "b" },
  "table cards": { word: "Show my cards", key: "s" },
  "refuse to show": { word: "Do not show", key: "x" },
  "accept notice": { word: "I accept this", key: "y" },
};
const ORDER = [
  "fold",
  "refuse to show",
  "check",
  "table cards",
  "flop bet",
  "turn bet",
  "river bet",
  "accept notice",
];

export class BankedActions {
  /** @param {import("./poker.js").Asks} asks @param {string} place */
  constructor(asks, place) {
    this.asks = asks;
    this.place = place;
    /** @type {any} */
    this.table = null;
    this.box = 0;
    this.chip = 0;
    this.busy = false;
    /** Boxes that the player wants to play although no chip of his lies there yet. @type {Set<number>} */
    this.extra = new Set();
    /** How the bets of each box were settled last. @type {Map<number, ReturnType<typeof settledRows>>} */
    this.paid = new Map();
    /** Totals that were sent and not yet answered. @type {Map<string, number>} */
    this.sent = new Map();
    this.time = h("div", { class: "time" }, h("div", { class: "time-left" }));
    this.tabs = h("div", { class: "box-tabs", role: "group", "aria-label": "My boxes" });
    this.cards = h("div", { class: "my-cards", "aria-hidden": "true" });
    this.hand = h("p", { class: "hand" });
    this.says = h("p", { class: "says" });
    this.look = keyed(
      h("button", { class: "button small", type: "button", onclick: () => this.#look() }, "Look"),
      "l",
    );
    this.spots = h("div", { class: "spots", role: "group", "aria-label": "Bets" });
    for (const spot of SPOTS) this.spots.append(this.#makeSpot(spot));
    this.layout = h(
      "div",
      { class: "layout" },
      h(
        "div",
        { class: "my-hand" },
        this.cards,
        h("div", { class: "my-words" }, this.hand, this.says, this.look),
      ),
      this.spots,
    );
    this.settled = h("ul", { class: "settled-bets", "aria-label": "How your bets were settled" });
    this.chips = h("div", { class: "tray", role: "radiogroup", "aria-label": "Chip to place" });
    this.repeat = keyed(
      h(
        "button",
        { class: "button", type: "button", onclick: () => this.#repeat() },
        h("span", { class: "what", text: "Repeat last bet" }),
      ),
      "r",
    );
    this.clear = keyed(
      h(
        "button",
        { class: "button quiet", type: "button", onclick: () => this.#clear() },
        "Take back",
      ),
      "x",
    );
    this.deal = /** @type {HTMLButtonElement} */ (
      keyed(
        h(
          "button",
          { class: "button main", type: "button", onclick: () => asks.ready() },
          h("span", { class: "what" }),
        ),
        "d",
      )
    );
    this.chips.addEventListener("keydown", (event) => this.#arrows(event));
    this.betting = h(
      "div",
      { class: "betting" },
      this.chips,
      h("div", { class: "line" }, this.repeat, this.clear, this.deal),
    );
    this.big = h("div", { class: "big" });
    this.node = h(
      "div",
      { class: "banked-actions" },
      this.time,
      this.tabs,
      this.layout,
      this.settled,
      this.betting,
      this.big,
    );
  }

  /** @param {{bet: string, name: string, key: string}} spot */
  #makeSpot({ bet, name, key }) {
    const button = h(
      "button",
      { class: `spot ${bet}`, type: "button", "data-bet": bet, onclick: () => this.#tap(bet) },
      h("span", { class: "spot-name", text: name }),
      chipStack(0),
      h("strong"),
      h("span", { class: "spot-result" }),
    );
    return key ? keyed(button, key) : button;
  }

  // -- showing ---------------------------------------------------------------------------------

  /** @param {any} table */
  update(table) {
    this.table = table;
    const { view, sign, clock } = table;
    const open = view.status === "bets open";
    if (!open) this.extra.clear();
    for (const box of view.yours) this.extra.delete(box);
    this.boxes = [...view.yours, ...this.extra].sort((a, b) => a - b);
    const pressing = this.boxes.find((box) => this.#decisions(box).length);
    if (!this.boxes.includes(this.box)) this.box = this.boxes[0] ?? 0;
    if (!open && pressing && !this.#decisions(this.box).length) this.box = pressing;
    const box = this.#now();
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
    patchList(
      this.cards,
      box.cards ?? [],
      (_, i) => i,
      (card) => makeCard(card),
      (node, card) => setCard(node, card),
    );
    const looking = (box.may ?? []).some((/** @type {any} */ offer) => offer.do === "look");
    this.unseen = looking && (box.cards ?? []).includes(UNKNOWN);
    show(this.look, looking);
    setText(this.hand, box.hand || box.makes || "");
    setText(this.says, this.#sentence(view, box, open));
    for (const spot of this.spots.children)
      this.#updateSpot(/** @type {HTMLButtonElement} */ (spot), box, open, sign);
    this.#updateSettled(box, open);
    show(this.betting, open);
    if (open) this.#updateTray(view, sign);
    this.#updateBig(box);
    const waits =
      clock &&
      (clock.why === "bets" ||
        clock.for?.some((/** @type {number} */ number) => this.boxes?.includes(number)));
    setClock(/** @type {Element} */ (this.time.firstElementChild), waits ? clock : null);
    show(this.time, Boolean(waits));
  }

  /** The selected box as the view has it. */
  #now() {
    return this.table.view.boxes[this.box] ?? { cards: [], stakes: {}, may: [], payouts: {} };
  }

  /** @param {number} number */
  #decisions(number) {
    return (this.table.view.boxes[number]?.may ?? []).filter(
      (/** @type {any} */ offer) => offer.do in DECISIONS,
    );
  }

  /** @param {HTMLButtonElement} spot @param {any} box @param {boolean} open @param {any} sign */
  #updateSpot(spot, box, open, sign) {
    const bet = spot.dataset.bet ?? "";
    const payout = box.payouts?.[bet];
    const amount = this.sent.get(`${this.box} ${bet}`) ?? box.stakes?.[bet] ?? payout?.staked ?? 0;
    const offer = this.#offer(bet, box, open, sign);
    setAttr(/** @type {Element} */ (spot.querySelector("chip-stack")), "amount", amount);
    setText(
      /** @type {Element} */ (spot.querySelector("strong")),
      amount ? money(amount) : this.#hint(bet, box, offer),
    );
    spot.classList.toggle("lies", amount > 0);
    spot.classList.toggle("offered", Boolean(offer));
    spot.disabled = !offer;
    const result = payout ? resultOf(payout) : "";
    const mark = /** @type {HTMLElement} */ (spot.querySelector(".spot-result"));
    setText(mark, result);
    spot.classList.toggle("won", Boolean(payout && payout.won > 0));
    spot.classList.toggle("lost", Boolean(payout && payout.lost > 0));
    const name = SPOTS.find((each) => each.bet === bet)?.name ?? bet;
    const does = !offer
      ? ""
      : OPENING.includes(bet)
        ? bet === "progressive"
          ? amount
            ? ", take back"
            : `, place ${money(sign.limits.progressive)}`
          : `, add ${money(this.chip)}`
        : `, place ${money(offer.least)}`;
    setAttr(
      spot,
      "aria-label",
      `${name}: ${amount ? money(amount) : "nothing"}${result ? `, ${result}` : ""}${does}`,
    );
  }

  /** @param {string} bet @param {any} box @param {any} offer */
  #hint(bet, box, offer) {
    const { sign, view } = this.table;
    if (bet === "progressive")
      return view.progressive_taken === false ? "closed" : money(sign.limits.progressive);
    const antes = sign.multiples?.[bet];
    if (antes) return box.stakes?.ante ? money(antes * box.stakes.ante) : `${antes}×`;
    return offer ? `${money(offer.least)}+` : "";
  }

  /** What may be done at a spot now. @param {string} bet @param {any} box @param {boolean} open @param {any} sign */
  #offer(bet, box, open, sign) {
    const may = box.may ?? [];
    if (!OPENING.includes(bet))
      return may.find((/** @type {any} */ offer) => offer.do === `${bet} bet`);
    if (!open) return undefined;
    const offered = may.find((/** @type {any} */ offer) => offer.do === `place ${bet}`);
    if (offered) return offered;
    if (box.stakes?.[bet])
      return may.find((/** @type {any} */ offer) => offer.do === `withdraw ${bet}`);
    const { limits } = sign;
    const chips = this.table.view.chips ?? Infinity;
    if (bet === "ante")
      return this.extra.has(this.box)
        ? within(bet, limits.ante_minimum, limits.ante_maximum, chips)
        : undefined;
    // An Ante that is on its way opens the other spots: the table takes commands in their order.
    if (!this.sent.has(`${this.box} ante`)) return undefined;
    if (bet === "bonus") return within(bet, limits.bonus_minimum, limits.bonus_maximum, chips);
    return this.table.view.progressive_taken
      ? within(bet, limits.progressive, limits.progressive, chips)
      : undefined;
  }

  /** @param {any} view @param {any} sign */
  #updateTray(view, sign) {
    const chips = sign.chips.filter(
      (/** @type {number} */ chip) => chip <= sign.limits.ante_maximum,
    );
    if (!chips.includes(this.chip))
      this.chip =
        chips.find((/** @type {number} */ chip) => chip >= sign.limits.ante_minimum) ?? chips[0];
    patchList(
      this.chips,
      chips,
      (chip) => chip,
      (chip, i) => {
        const button = h(
          "button",
          {
            class: "pick",
            type: "button",
            role: "radio",
            "aria-label": `Chip of ${money(chip)}`,
            onclick: () => this.#pick(chip),
          },
          /** @type {any} */ (chipFace(chip)),
        );
        return keyed(button, String(i + 1));
      },
      (node, chip, i) => {
        setAttr(node, "aria-checked", String(chip === this.chip));
        node.tabIndex = chip === this.chip ? 0 : -1;
        node.querySelector("kbd").textContent = String(i + 1);
      },
    );
    const last = this.#last();
    const total = last.reduce(
      (sum, [, bets]) => sum + Object.values(bets).reduce((all, amount) => all + Number(amount), 0),
      0,
    );
    const lies = this.boxes?.some((number) => view.boxes[number]?.stakes?.ante);
    show(this.repeat, total > 0 && !lies);
    setText(
      /** @type {Element} */ (this.repeat.querySelector(".what")),
      `Repeat last bet ${money(total)}`,
    );
    show(this.clear, Boolean(lies));
    show(this.deal, Boolean(lies));
    const ready = this.table.ready.includes(this.table.me);
    this.deal.disabled = ready;
    setText(
      /** @type {Element} */ (this.deal.querySelector(".what")),
      ready ? "Waiting for the others" : "Deal",
    );
  }

  /** @param {any} box */
  #updateBig(box) {
    const offers = (box.may ?? []).filter((/** @type {any} */ offer) => offer.do in DECISIONS);
    offers.sort(
      (/** @type {any} */ a, /** @type {any} */ b) => ORDER.indexOf(a.do) - ORDER.indexOf(b.do),
    );
    patchList(
      this.big,
      offers,
      (offer) => offer.do,
      (offer) =>
        keyed(
          h(
            "button",
            { class: "button", type: "button", onclick: () => this.#do(offer.do) },
            h("span", { class: "what" }),
          ),
          DECISIONS[offer.do].key,
        ),
      (node, offer) => {
        const word = offer.least
          ? `${DECISIONS[offer.do].word} ${money(offer.least)}`
          : DECISIONS[offer.do].word;
        setText(node.querySelector(".what"), word);
        setAttr(
          node,
          "aria-label",
          this.boxes && this.boxes.length > 1 ? `${word}, box ${this.box}` : word,
        );
        node.classList.toggle("main", offer.do.endsWith(" bet") || offer.do === "accept notice");
        node.disabled = this.busy;
      },
    );
  }

  /** What became of every bet; it stays until the player bets again. @param {any} box @param {boolean} open */
  #updateSettled(box, open) {
    if (box.result) this.paid.set(this.box, settledRows(box));
    else if (!open || box.stakes?.ante) this.paid.delete(this.box);
    const rows = this.paid.get(this.box) ?? [];
    show(this.settled, rows.length > 0);
    this.settled.classList.toggle("past", !box.result);
    patchList(
      this.settled,
      rows,
      (row) => row.name,
      () => h("li", {}, h("span"), h("span")),
      (node, row) => {
        setText(node.children[0], row.name);
        setText(node.children[1], row.words);
        node.classList.toggle("won", row.net > 0);
        node.classList.toggle("all", row.all);
      },
    );
  }

  /** @param {any} view @param {any} box @param {boolean} open */
  #sentence(view, box, open) {
    if (open)
      return box.stakes?.ante
        ? "You are in. Bets close when the time is over."
        : "Put an Ante on the layout to play this round.";
    if (box.result)
      return `${resultWord(box.result)}${view.dealer_hand ? ` against ${view.dealer_hand}` : ""}`;
    if (box.deemed) return `Counts as folded: ${box.deemed}`;
    if (box.standing === "folded") return "Folded";
    if (this.#decisions(this.box).length) return "";
    if (box.standing === "in for the finish") return "In for the finish";
    return box.stakes?.ante || view.status === "between rounds" ? "" : "You sit this round out.";
  }

  // -- doing -----------------------------------------------------------------------------------

  /** @param {number} number */
  choose(number) {
    this.box = number;
    this.update(this.table);
  }

  /** Play a further box. @param {number} number */
  play(number) {
    this.extra.add(number);
    this.choose(number);
  }

  /** @param {number} chip */
  #pick(chip) {
    this.chip = chip;
    this.update(this.table);
    /** @type {HTMLElement | null} */ (this.chips.querySelector('[aria-checked="true"]'))?.focus();
  }

  /** The arrows move between the chips, as in any group of radio buttons. @param {KeyboardEvent} event */
  #arrows(event) {
    const step = ["ArrowRight", "ArrowUp"].includes(event.key)
      ? 1
      : ["ArrowLeft", "ArrowDown"].includes(event.key)
        ? -1
        : 0;
    if (!step) return;
    const all = /** @type {HTMLElement[]} */ ([...this.chips.children]);
    const at = all.findIndex((chip) => chip.getAttribute("aria-checked") === "true");
    all[(at + step + all.length) % all.length].click();
    event.preventDefault();
  }

  /** A spot was tapped. @param {string} bet */
  async #tap(bet) {
    const { view, sign } = this.table;
    const box = this.#now();
    if (!OPENING.includes(bet)) {
      await this.#do(`${bet} bet`);
      return;
    }
    const offer = this.#offer(bet, box, view.status === "bets open", sign);
    if (!offer) return;
    const key = `${this.box} ${bet}`;
    const lies = this.sent.get(key) ?? box.stakes?.[bet] ?? 0;
    if (bet === "progressive" && lies) {
      await this.asks.give({ do: "withdraw bet", box: this.box, bet });
      return;
    }
    const amount =
      bet === "progressive"
        ? sign.limits.progressive
        : Math.min(offer.most, Math.max(offer.least, lies + this.chip));
    if (amount === lies) {
      this.asks.say(`${money(amount)} is the most that may lie there.`);
      return;
    }
    await this.#place(this.box, bet, amount);
  }

  /** @param {number} number @param {string} bet @param {number} amount */
  async #place(number, bet, amount) {
    const key = `${number} ${bet}`;
    this.sent.set(key, amount);
    this.update(this.table);
    const reply = await this.asks.give({ do: `place ${bet}`, box: number, amount });
    if (this.sent.get(key) === amount) this.sent.delete(key);
    this.update(this.table);
    return reply.is === "answer";
  }

  async #clear() {
    const lying = this.boxes?.filter((number) => this.table.view.boxes[number]?.stakes?.ante) ?? [];
    for (const number of lying)
      await this.asks.give({ do: "withdraw bet", box: number, bet: "ante" });
  }

  async #repeat() {
    for (const [number, bets] of this.#last()) {
      for (const bet of OPENING) {
        if (bets[bet] && !(await this.#place(Number(number), bet, bets[bet]))) return;
      }
    }
  }

  /** The bets of the last round that was played here, box by box. @returns {[string, Record<string, number>][]} */
  #last() {
    try {
      return Object.entries(JSON.parse(sessionStorage.getItem(`bets ${this.place}`) ?? "{}"));
    } catch {
      return [];
    }
  }

  /** Keep what lies there when betting has closed, to be repeated. */
  remember() {
    const { view } = this.table;
    if (view.status === "bets open" || view.status === "between rounds") return;
    /** @type {Record<string, Record<string, number>>} */
    const bets = {};
    for (const number of view.yours) {
      const stakes = view.boxes[number].stakes;
      if (stakes?.ante)
        bets[number] = Object.fromEntries(
          OPENING.filter((bet) => stakes[bet]).map((bet) => [bet, stakes[bet]]),
        );
    }
    if (Object.keys(bets).length)
      sessionStorage.setItem(`bets ${this.place}`, JSON.stringify(bets));
  }

  /** @param {string} what */
  async #do(what) {
    if (this.busy) return;
    this.busy = true;
    this.update(this.table);
    try {
      await this.asks.give(
        what === "accept notice"
          ? { do: what, player: this.table.me }
          : { do: what, box: this.box },
      );
    } finally {
      this.busy = false;
      this.update(this.table);
    }
  }

  async #look() {
    await this.asks.give({ do: "look", seat: this.box });
  }

  /** What is offered, in a sentence for the ear. */
  spoken() {
    const { view } = this.table;
    if (view.status === "bets open" && view.yours.length) return "Place your bets.";
    const said = [...this.big.children].map((button) => button.getAttribute("aria-label"));
    if (!said.length) return "";
    const box = this.#now();
    const held = box.makes ? `You have ${box.makes}. ` : "";
    return `Your decision. ${held}${said.join(", ")}.`;
  }
}

/** An offer between two limits, if the chips are there. @param {string} bet @param {number} least @param {number} most @param {number} chips */
function within(bet, least, most, chips) {
  return chips >= least ? { do: `place ${bet}`, least, most: Math.min(most, chips) } : undefined;
}

/** A settled box, bet by bet. @param {any} box */
function settledRows(box) {
  const rows = Object.entries(box.payouts ?? {}).map(([bet, payout]) => ({
    name: SPOTS.find((each) => each.bet === bet)?.name ?? bet,
    words: payoutWords(payout),
    net: payout.won - payout.lost,
    all: false,
  }));
  for (const [line, paid] of Object.entries(box.lines_paid ?? {})) {
    rows.push({
      name: `Jackpot line ${line}`,
      words: `pays ${money(paid)}`,
      net: paid,
      all: false,
    });
  }
  const net = netOf(box);
  rows.push({ name: "In all", words: signed(net), net, all: true });
  return rows;
}

/** @param {string} result */
function resultWord(result) {
  return result.charAt(0).toUpperCase() + result.slice(1);
}

/** @param {any} payout */
function resultOf(payout) {
  if (payout.won) return `+${money(payout.won)}`;
  if (payout.lost) return `−${money(payout.lost)}`;
  return payout.returned ? "back" : "";
}

/** @param {any} payout */
function payoutWords(payout) {
  const parts = [];
  if (payout.won) parts.push(`wins ${money(payout.won)}`);
  if (payout.returned) parts.push(`${money(payout.returned)} back`);
  if (payout.lost) parts.push(`loses ${money(payout.lost)}`);
  return parts.join(", ") || `${money(payout.staked)} lies there still`;
}
