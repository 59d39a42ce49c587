// What a poker player chooses ahead about blinds, so that nobody waits for his answer: whether he straddles,
// and whether he pays both blinds where the Small Blind reaches him as a newcomer. Kept on this device.

import { openDialog } from "./dialogs.js";
import { h, setAttr, setText, show } from "./dom.js";
import { money } from "./money.js";

/** @import {Offer, PokerTableInfo, QuestionView, SeatView} from "./records.js" */

const KEY = "croupier-blinds";
/** @typedef {"ask" | "always" | "never"} Straddle */

/** @returns {{straddle: Straddle, pays: boolean}} */
function stored() {
  try {
    return { straddle: "ask", pays: false, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { straddle: "ask", pays: false };
  }
}

/** @type {[Straddle, string, string][]} */
const STRADDLES = [
  ["ask", "Ask me", "ask me"],
  ["always", "Always", "always"],
  ["never", "Never", "never"],
];

/** What is said to who sits out, with what he pays for Blinds that he missed: at the Big Blind that alone.
 * @param {string} missed @param {number[]} blinds */
export function sitsOut(missed, [small, big]) {
  if (!missed) return "You sit out: no cards are dealt to you.";
  if (missed === "small")
    return `You sit out. Coming back costs ${money(small)} dead, or the Blind that comes to you.`;
  return `You sit out. Coming back costs up to ${money(small + big)}: ${money(big)} as your bet and ${money(small)} dead.`;
}

export class ComingIn {
  constructor() {
    this.bet = 0;
    /** What he has chosen; it stands with his seat, where no action ever does. */
    this.straddle = h("button", {
      class: "button quiet small",
      type: "button",
      "aria-haspopup": "dialog",
      onclick: () => this.#choose(),
    });
    const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
    box.addEventListener("change", () => this.#set({ pays: box.checked }));
    this.box = box;
    this.newcomer = h(
      "label",
      { class: "choice" },
      box,
      "Pay both blinds at once, if the Small Blind reaches me first",
    );
    this.#show();
  }

  /** What a straddle is, for whoever has not met one, and whether he does. */
  #choose() {
    const now = stored().straddle;
    const choices = h("div", { class: "row choices", role: "group", "aria-label": "Straddle" });
    for (const [value, word] of STRADDLES) {
      const button = h("button", { class: "button", type: "button", text: word });
      setAttr(button, "aria-pressed", String(value === now));
      button.addEventListener("click", () => {
        this.#set({ straddle: value });
        close();
      });
      choices.append(button);
    }
    const close = openDialog(
      "A straddle",
      h(
        "div",
        { class: "inside" },
        h("p", {
          text: `The player to the left of the Big Blind may bet ${money(this.bet)}, twice the Big Blind, before the cards are dealt. That is the price to call then, and whoever straddles acts last before the flop. It needs three players.`,
        }),
        h("p", {
          text: "Always and Never answer for you, so that nobody waits; with Ask me you choose each time.",
        }),
        choices,
      ),
    );
  }

  /** @param {Partial<ReturnType<typeof stored>>} change */
  #set(change) {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), ...change }));
    this.#show();
  }

  #show() {
    const { straddle, pays } = stored();
    const [, , words] = STRADDLES.find(([value]) => value === straddle) ?? STRADDLES[0];
    setText(this.straddle, `Straddle: ${words}`);
    this.box.checked = pays;
  }

  /** @param {PokerTableInfo} sign @param {SeatView | undefined} mine */
  update(sign, mine) {
    this.bet = 2 * sign.blinds[1];
    const comes = mine?.entering === "new";
    show(this.newcomer, comes);
    show(this.straddle, sign.straddle && mine !== undefined);
  }

  /** The offer that he has chosen ahead, if he has. @param {Offer[]} offers */
  due(offers) {
    const { straddle } = stored();
    const wanted = { always: "straddle", never: "decline straddle", ask: "" }[straddle];
    return offers.find((offer) => offer.do === wanted);
  }

  /** What he has chosen ahead of a question, if he has. @param {QuestionView} asked */
  answer(asked) {
    const wanted = stored().pays ? "both blinds" : "wait";
    return asked.question === "join on the small blind" && asked.yours
      ? asked.options.find((option) => option.name === wanted)
      : undefined;
  }
}
