// What a poker player may do: his hand in words, the actions with their amounts, slider and presets
// (which set the amount and do not submit it), looking, and his seat.

import { h, setAttr, setText, show } from "./dom.js";
import { readAmount } from "./amount.js";
import { ComingIn } from "./coming-in.js";
import { isSure } from "./doubt.js";
import { counts, isNew, meansNow } from "./guard.js";
import { keyed } from "./keys.js";
import { money } from "./money.js";
import { PreAction } from "./pre-action.js";
import { UNKNOWN } from "./cards.js";

/** @import {Offer, PokerCommand, PokerView, SeatView} from "./records.js" */
/** @import {Asks, PokerShown} from "./shown.js" */

/** How each action is called on its button, with its key. */
const BUTTONS = [
  { does: ["fold", "muck", "decline straddle"], key: "f" },
  { does: ["check", "call", "post blind", "show hand"], key: "c" },
  { does: ["bet", "raise", "straddle"], key: "r" },
  { does: ["all in"], key: "a" },
];
/** @type {Record<string, string>} */
const WORDS = {
  fold: "Fold",
  muck: "Do not show",
  "decline straddle": "No straddle",
  check: "Check",
  "post blind": "Post blind",
  "show hand": "Show hand",
  "all in": "All-in",
};

/** What the House does by itself: the button is for a table where nobody does. */
const BY_ITSELF = new Set(["post blind", "show hand"]);
/** Milliseconds after which nobody seems to do it. */
const NOBODY_DOES = 4_000;

/** Presets: what they are called, what of the pot they are. */
const PRESETS = [
  { name: "Min", key: "1", of: () => 0 },
  { name: "½ pot", key: "2", of: () => 0.5 },
  { name: "⅔ pot", key: "3", of: () => 2 / 3 },
  { name: "Pot", key: "4", of: () => 1 },
  { name: "Max", key: "5", of: () => Infinity },
];

/** @typedef {Offer & {least: number, most: number}} Wager an offer whose amount is chosen */

export class PokerActions {
  /** @param {Pick<Asks, "give">} asks */
  constructor(asks) {
    this.asks = asks;
    this.amount = 0;
    /** What is wrong with the amount that stands in the field, if anything is. */
    this.wrong = "";
    this.turnKey = "";
    /** Ends whatever was asked about this turn. */
    this.turnOver = new AbortController();
    this.hand = h("span", { class: "hand" });
    this.says = h("span", { class: "says" });
    this.look = keyed(
      h(
        "button",
        { class: "button small", type: "button", onclick: () => this.#look() },
        "Look at my cards",
      ),
      "l",
    );
    this.text = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "text",
        inputmode: "decimal",
        autocomplete: "off",
        "aria-label": "Amount to bet or raise to",
        "aria-describedby": "amount-wrong",
        class: "amount-text",
      })
    );
    this.says_wrong = h("p", { class: "wrong amount-wrong", id: "amount-wrong", role: "alert" });
    this.slider = /** @type {HTMLInputElement} */ (
      h("input", { type: "range", "aria-label": "Amount to bet or raise to" })
    );
    this.presets = h("div", { class: "presets", role: "group", "aria-label": "Set the amount" });
    for (const preset of PRESETS) {
      this.presets.append(
        keyed(
          h(
            "button",
            { class: "button small", type: "button", onclick: () => this.#preset(preset.of()) },
            preset.name,
          ),
          preset.key,
        ),
      );
    }
    this.wager = h("form", { class: "wager" }, this.presets, this.slider, this.text, this.says_wrong);
    this.wager.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#read();
      const raise = BUTTONS.findIndex(({ key }) => key === "r");
      if (!this.wrong && !isNew(this.big.children[raise])) this.#press("r");
    });
    this.slider.addEventListener("input", () => this.#set(Number(this.slider.value), "slider"));
    this.text.addEventListener("input", () => this.#read());
    this.text.addEventListener("blur", () => {
      if (!this.wrong) this.#set(this.amount, "");
    });
    this.big = h("div", { class: "big" });
    this.preAction = new PreAction();
    this.comingIn = new ComingIn();
    this.node = h(
      "div",
      { class: "poker-actions" },
      h("div", { class: "line" }, this.hand, this.says, this.look),
      h("div", { class: "later" }, this.preAction.node, this.comingIn.newcomer),
      h("div", { class: "wager-place" }, this.wager),
      this.big,
    );
    for (const { key } of BUTTONS) {
      const button = keyed(
        h(
          "button",
          {
            class: "button",
            type: "button",
            onclick: (/** @type {Event} */ event) => {
              if (counts(event)) this.#press(key);
            },
          },
          h("span", { class: "what" }),
        ),
        key,
      );
      this.big.append(button);
    }
    this.table = /** @type {PokerShown} */ (/** @type {unknown} */ (null)); // until the first update
    /** @type {Offer[]} */
    this.offers = [];
    this.seat = 0;
    this.busy = false;
    /** Since when the offers stand. */
    this.offeredAt = 0;
  }

  /** @param {PokerShown} table */
  update(table) {
    this.table = table;
    const { view } = table;
    this.seat = view.yours?.[0] ?? 0;
    const mine = view.seats[this.seat];
    this.offers = oneForAll(view.offers?.[this.seat] ?? [], mine);
    const unseen =
      !table.sign.seen && // there the dealer enters who has looked at real cards
      Boolean(mine) &&
      !mine.looked &&
      !mine.folded &&
      mine.cards?.includes(UNKNOWN) &&
      view.betting_round !== null;
    this.unseen = unseen;
    show(this.look, unseen);
    setText(this.hand, mine && !mine.folded ? mine.makes || mine.hand || "" : "");
    setText(this.says, this.#sentence(view, mine));
    const wager = this.#wager();
    const turnKey = `${view.round}|${view.betting_round}|${view.price}|${this.offers.map((offer) => offer.do).join()}`;
    if (turnKey !== this.turnKey) this.#newTurn(turnKey, wager);
    show(this.wager, wager !== undefined && wager.most > wager.least);
    this.#label();
    this.preAction.update(view, table.sign.seen ? undefined : mine, this.offers);
    this.comingIn.update(table.sign, mine);
    const chosen = this.preAction.due(this.offers) ?? this.comingIn.due(this.offers);
    if (chosen) this.#take(chosen); // a call that turns out to be All-in is asked about nonetheless
  }

  /** @param {string} key @param {Wager | undefined} wager */
  #newTurn(key, wager) {
    this.turnKey = key;
    this.turnOver.abort();
    this.turnOver = new AbortController();
    this.offeredAt = Date.now();
    if (wager) this.#start(wager);
  }

  /** The offer whose amount is chosen. @returns {Wager | undefined} */
  #wager() {
    const found = this.offers.find((offer) => offer.do === "bet" || offer.do === "raise");
    if (!found || found.least === null || found.most === null) return undefined;
    return { ...found, least: found.least, most: found.most };
  }

  /** @param {Wager} wager */
  #start(wager) {
    this.slider.min = String(wager.least);
    this.slider.max = String(wager.most);
    this.slider.step = String(wager.step || 1);
    this.#set(this.#sensible(wager), "");
  }

  /** The amount that a turn begins with: half the pot, or twice what was bet, and never less than a
   * Big Blind, whatever the book allows. @param {Wager} wager */
  #sensible(wager) {
    const { view, sign } = this.table;
    const usual = wager.do === "bet" ? Math.max(view.pot / 2, sign.blinds[1]) : 2 * view.price;
    return Math.max(wager.least, usual);
  }

  /** Read what stands in the field; what cannot be sent is said beside it. */
  #read() {
    const wager = this.#wager();
    if (!wager) return;
    const read = readAmount(this.text.value, { ...wager, step: wager.step || 1 });
    if (read.amount !== null) this.#set(read.amount, "text");
    this.#wrong(read.wrong);
  }

  /** @param {string} says */
  #wrong(says) {
    this.wrong = says;
    setText(this.says_wrong, says);
    setAttr(this.text, "aria-invalid", says ? "true" : null);
    this.#label();
  }

  /** Take an amount: within the offer, in whole chips, or exactly the least or the most.
   * @param {number} wanted @param {string} by */
  #set(wanted, by) {
    const wager = this.#wager();
    if (!wager) return;
    const step = wager.step || 1;
    let amount = Math.round(wanted / step) * step;
    if (wanted >= wager.most || amount > wager.most) amount = wager.most;
    if (amount < wager.least) amount = wager.least;
    if (by === "slider" && wanted > wager.most - step) amount = wager.most;
    this.amount = amount;
    if (by !== "slider") this.slider.value = String(amount);
    if (by !== "text") this.text.value = money(amount);
    setAttr(this.slider, "aria-valuetext", money(amount));
    this.#wrong("");
  }

  /** Set the amount by a share of the pot after calling; nothing is submitted. @param {number} share */
  #preset(share) {
    const { view } = this.table;
    const wager = this.#wager();
    if (!wager) return;
    if (share === 0) this.#set(wager.least, "");
    else if (share === Infinity) this.#set(wager.most, "");
    else {
      const mine = view.seats[this.seat];
      const call = Math.max(0, view.price - mine.bet);
      this.#set(view.price + share * (view.pot + call), "");
    }
  }

  /** @param {string} key */
  #offer(key) {
    const row = BUTTONS.find((button) => button.key === key);
    return this.offers.find((offer) => row?.does.includes(offer.do));
  }

  /** Whether the House is about to do this by itself; if it does not, the button comes.
   * @param {Offer | undefined} offer */
  #happens(offer) {
    const chooses = this.offers.some((each) => each.do === "muck");
    if (!offer || !BY_ITSELF.has(offer.do) || chooses) return false;
    const left = this.offeredAt + NOBODY_DOES - Date.now();
    if (left <= 0) return false;
    setTimeout(() => this.#label(), left + 1);
    return true;
  }

  /** Whether something can be pressed under this key. @param {string} key */
  #isOffered(key) {
    const offer = this.#offer(key);
    return offer !== undefined && !this.#happens(offer);
  }

  #label() {
    const mine = this.table?.view.seats[this.seat];
    let main = null;
    BUTTONS.forEach(({ key }, i) => {
      const button = /** @type {HTMLButtonElement} */ (this.big.children[i]);
      const offer = this.#offer(key);
      const shown = offer !== undefined && this.#isOffered(key);
      const wagers = offer?.do === "bet" || offer?.do === "raise";
      show(button, shown);
      meansNow(button, shown ? `${this.turnKey} ${offer.do}` : "");
      button.disabled = this.busy || (wagers && Boolean(this.wrong));
      button.classList.remove("main");
      if (!shown) return;
      // What is not asked of everybody, and costs chips, does not call for a press.
      const optional = offer.do === "straddle";
      if (key === "c" || (key === "r" && !optional) || offer.do === "decline straddle") main = button;
      const what = /** @type {HTMLElement} */ (button.querySelector(".what"));
      let word = WORDS[offer.do] ?? offer.do;
      let spoken = word;
      if (offer.do === "call") {
        const least = offer.least ?? 0;
        const more = least - mine.bet;
        const all = more >= mine.stake ? ", all-in" : "";
        word = `Call ${money(more)}${all}`;
        spoken = `Call ${money(more)}, ${money(least)} in all${all}`;
      } else if (offer.do === "bet" || offer.do === "raise") {
        word = `${offer.do === "bet" ? "Bet" : "Raise to"} ${this.wrong ? "…" : money(this.amount)}`;
        spoken = word;
      } else if (offer.do === "straddle") {
        word = `Straddle ${money(offer.least ?? 0)}`;
        spoken = word;
      } else if (offer.do === "all in") {
        const all = offer.most ?? mine.stake + mine.bet;
        word = `All-in ${money(all)}`;
        spoken = word;
      }
      setText(what, word);
      setAttr(button, "aria-label", spoken);
    });
    if (main) /** @type {HTMLElement} */ (main).classList.add("main");
  }

  /** @param {string} key */
  async #press(key) {
    const offer = this.#offer(key);
    if (offer) await this.#take(offer);
  }

  /** Take up an offer, if he is sure. @param {Offer} offer */
  async #take(offer) {
    const mine = this.table.view.seats[this.seat];
    if (!mine || this.busy) return;
    const { turnKey, amount } = this;
    const sure = await isSure(offer, this.offers, mine, amount, this.turnOver.signal);
    if (sure && turnKey === this.turnKey) await this.#send(offer);
  }

  /** @param {Offer} offer */
  async #send(offer) {
    if (this.busy) return;
    const wagers = offer.do === "bet" || offer.do === "raise";
    if (wagers && this.wrong) return;
    const command = /** @type {PokerCommand} */ ({
      do: offer.do,
      seat: this.seat,
      ...(wagers && { to: this.amount }),
    });
    this.busy = true;
    this.#label();
    try {
      await this.asks.give(command);
    } finally {
      this.busy = false;
      this.#label();
    }
  }

  async #look() {
    await this.asks.give({ do: "look", seat: this.seat });
  }

  /** @param {PokerView} view @param {SeatView | undefined} mine */
  #sentence(view, mine) {
    if (!mine) return "";
    if (this.table.sign.seen && view.turn === this.seat) return "Your turn: act, and the dealer enters it.";
    if (this.offers.some((offer) => offer.do === "muck")) return "Do you show your hand?";
    const straddle = this.offers.find((offer) => offer.do === "straddle");
    if (straddle) return `Bet ${money(straddle.least ?? 0)} before the deal, or not?`;
    if (BUTTONS.some(({ key }) => this.#isOffered(key))) {
      const call = this.offers.find((offer) => offer.do === "call");
      return call ? `${money((call.least ?? 0) - mine.bet)} to call` : "Your turn";
    }
    const turn = view.turn === null ? null : view.seats[view.turn];
    if (turn && view.status === "betting") return `${turn.player} is to act`;
    return "";
  }

  /** What is offered, in a sentence for the ear. */
  spoken() {
    const offered = [...this.big.querySelectorAll("button:not([hidden])")];
    const said = offered.map((button) => button.getAttribute("aria-label"));
    return said.length ? `Your turn. ${said.join(", ")}.` : "";
  }
}

/** Leave out the all-in that is the call itself. @param {Offer[]} offers @param {SeatView | undefined} mine */
function oneForAll(offers, mine) {
  const call = offers.find((offer) => offer.do === "call");
  const calls = call && mine && (call.least ?? 0) - mine.bet >= mine.stake;
  return calls ? offers.filter((offer) => offer.do !== "all in") : offers;
}
