// The tray: the chips to pick from, and what is done with all bets at once.

import { h, patchList, setAttr, setText, show } from "./dom.js";
import { chipFace } from "./chips.js";
import { counts, meansNow } from "./guard.js";
import { keyed } from "./keys.js";
import { money } from "./money.js";

/** @import {BankedTableInfo} from "./records.js" */

/** @type {Record<string, number>} */
const ARROWS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

export class Tray {
  /** @param {{picked: () => void, repeat: () => void, clear: () => void, deal: () => void}} does */
  constructor(does) {
    this.does = does;
    this.chip = 0;
    this.chips = h("div", { class: "tray", role: "radiogroup", "aria-label": "Chip to place" });
    this.chips.addEventListener("keydown", (event) => this.#arrows(event));
    this.repeat = wordy("button", does.repeat, "r");
    this.clear = wordy("button quiet", does.clear, "x");
    this.deal = wordy("button main", does.deal, "d");
    setText(word(this.clear), "Take back");
    const line = h("div", { class: "line" }, this.repeat, this.clear, this.deal);
    this.node = h("div", { class: "betting" }, this.chips, line);
  }

  /**
   * @param {BankedTableInfo} sign @param {{last: number, lies: boolean, ready: boolean}} now what was bet last,
   *   whether an Ante lies there, whether the player has said that he is ready
   */
  update(sign, { last, lies, ready }) {
    const { ante_minimum: least, ante_maximum: most } = sign.limits;
    /** @type {number[]} */
    const chips = sign.chips.filter((chip) => chip <= most);
    if (!chips.includes(this.chip)) this.chip = chips.find((chip) => chip >= least) ?? chips[0];
    patchList(
      this.chips,
      chips,
      (chip) => chip,
      (chip, i) => this.#make(chip, i),
      (node, chip) => {
        setAttr(node, "aria-checked", String(chip === this.chip));
        node.tabIndex = chip === this.chip ? 0 : -1;
      },
    );
    show(this.repeat, last > 0 && !lies);
    setText(word(this.repeat), `Repeat last bet ${money(last)}`);
    show(this.clear, lies);
    show(this.deal, lies);
    meansNow(this.repeat, last > 0 && !lies ? "repeat" : "");
    meansNow(this.clear, lies ? "clear" : "");
    meansNow(this.deal, lies ? "deal" : "");
    this.deal.disabled = ready;
    setText(word(this.deal), ready ? "Waiting" : "Deal");
  }

  /** @param {number} chip @param {number} i */
  #make(chip, i) {
    const label = `Chip of ${money(chip)}`;
    const button = h("button", {
      class: "pick",
      type: "button",
      role: "radio",
      "aria-label": label,
    });
    button.append(chipFace(chip));
    button.addEventListener("click", () => this.#pick(chip));
    return keyed(button, String(i + 1));
  }

  /** @param {number} chip */
  #pick(chip) {
    this.chip = chip;
    this.does.picked();
    const picked = this.chips.querySelector('[aria-checked="true"]');
    /** @type {HTMLElement | null} */ (picked)?.focus();
  }

  /** The arrows move between the chips, as in any group of radio buttons. @param {KeyboardEvent} event */
  #arrows(event) {
    const step = ARROWS[event.key];
    if (!step) return;
    const all = /** @type {HTMLElement[]} */ ([...this.chips.children]);
    const at = all.findIndex((chip) => chip.getAttribute("aria-checked") === "true");
    all[(at + step + all.length) % all.length].click();
    event.preventDefault();
  }
}

/** A button whose words change. @param {string} classes @param {() => void} press @param {string} key */
export function wordy(classes, press, key) {
  const made = h("button", { class: classes, type: "button" });
  made.addEventListener("click", (event) => {
    if (counts(event)) press();
  });
  made.append(h("span", { class: "what" }));
  return /** @type {HTMLButtonElement} */ (keyed(made, key));
}

/** @param {Element} button */
export function word(button) {
  return /** @type {Element} */ (button.querySelector(".what"));
}
