// Chips: <chip-stack amount="2500"> draws what an amount looks like in chips; chipFace draws one chip
// from above for trays and spots.

import { svg, setAttr } from "./dom.js";
import { money } from "./money.js";

/** Denominations in cents with the class that colours them, the largest first. */
const CHIPS = [
  [500000, "c5000"],
  [100000, "c1000"],
  [50000, "c500"],
  [10000, "c100"],
  [2500, "c25"],
  [500, "c5"],
  [100, "c1"],
  [1, "coin"],
];
const HIGH = 6;
const COLUMNS = 3;

/** The colour class of a chip of this worth. @param {number} cents */
function chipClass(cents) {
  const found = CHIPS.find(([worth]) => Number(worth) <= cents) ?? CHIPS[CHIPS.length - 1];
  return String(found[1]);
}

/** The chips of an amount, the largest first; a tall heap is drawn lower than it is.
 * @param {number} amount @returns {string[]} */
function chipsOf(amount) {
  /** @type {string[]} */
  const found = [];
  let rest = amount;
  for (const [worth, name] of CHIPS) {
    const many = Math.floor(rest / Number(worth));
    rest -= many * Number(worth);
    for (let i = 0; i < many && found.length < HIGH * COLUMNS; i += 1) {
      found.push(String(name));
      if (name === "coin") break;
    }
  }
  return found;
}

class ChipStack extends HTMLElement {
  static observedAttributes = ["amount"];

  connectedCallback() {
    this.setAttribute("aria-hidden", "true");
    this.#draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#draw();
  }

  #draw() {
    const chips = chipsOf(Number(this.getAttribute("amount") ?? 0));
    const columns = Math.max(1, Math.ceil(chips.length / HIGH));
    const tallest = Math.min(HIGH, chips.length);
    const width = columns * 25;
    const height = 12 + tallest * 4.6;
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
    chips.forEach((name, i) => {
      const column = Math.floor(i / HIGH);
      const level = i % HIGH;
      const x = column * 25 + 12.5;
      const y = height - 8 - level * 4.6;
      drawing.append(
        svg(
          "g",
          { class: `chip ${name}`, transform: `translate(${x} ${y})` },
          svg("path", { class: "edge", d: "M-11.5 -1.5v4.5a11.5 4.8 0 0 0 23 0v-4.5z" }),
          svg("path", {
            class: "mark",
            d: "M-3 2.9v4.5h6v-4.5zM-11.2 0v4.3l2.8 2v-4.6zM11.2 0v4.3l-2.8 2v-4.6z",
          }),
          svg("ellipse", { class: "top", cy: "-1.5", rx: "11.5", ry: "4.8" }),
          svg("ellipse", { class: "ring", cy: "-1.5", rx: "7", ry: "2.8" }),
        ),
      );
    });
    this.replaceChildren(drawing);
  }
}

customElements.define("chip-stack", ChipStack);

/** @param {number} amount */
export function chipStack(amount) {
  const stack = document.createElement("chip-stack");
  setAttr(stack, "amount", amount);
  return stack;
}

/** One chip from above with its worth on it. @param {number} cents */
export function chipFace(cents) {
  const label = money(cents);
  const text = svg("text", { class: "worth", y: "6", "text-anchor": "middle" });
  text.textContent = cents >= 100000 ? `${cents / 100000}k` : label;
  return svg(
    "svg",
    { viewBox: "-24 -24 48 48", class: `chipface chip ${chipClass(cents)}`, "aria-hidden": "true" },
    svg("circle", { class: "top", r: "22" }),
    svg("circle", { class: "dash", r: "19.5" }),
    svg("circle", { class: "well", r: "14.5" }),
    text,
  );
}
