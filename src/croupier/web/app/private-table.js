// A private table: a guest chooses game, blinds and bots, and gets a link to send.

import { h, fill, setAttr, setText } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { readAmount } from "./amount.js";
import { money } from "./money.js";
import { ask } from "./session.js";

const GAMES = [
  ["no-limit-holdem-v8", "No Limit Hold'em v8"],
  ["poker-v5", "Poker v5"],
];

/** A Small Blind, as the server takes it (`croupier.live.private_tables`). */
const ALLOWED = { least: 100, most: 50_000, step: 100 };
const WRONG = `A Small Blind is a whole amount from ${money(ALLOWED.least)} to ${money(ALLOWED.most)}.`;

/** The button of a guest who wants to play among friends. */
export function privateTableButton() {
  return h("button", {
    class: "button quiet small",
    type: "button",
    text: "Make a private table",
    onclick: open,
  });
}

function open() {
  const game = /** @type {HTMLSelectElement} */ (
    h("select", {}, ...GAMES.map(([value, text]) => h("option", { value, text })))
  );
  const small = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value: "5", required: true })
  );
  const bots = /** @type {HTMLSelectElement} */ (
    h("select", {}, ...[0, 1, 2, 3, 4, 5].map((n) => h("option", { value: n, text: n ? String(n) : "none" })))
  );
  const says = h("p", { class: "label", role: "status" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const make = /** @type {HTMLButtonElement} */ (
    h("button", { class: "button main", type: "submit", text: "Make the table" })
  );
  const form = h(
    "form",
    { class: "inside" },
    h("p", { text: "Nobody finds it but by the link that you send." }),
    h("label", { class: "field" }, h("span", { text: "Game" }), game),
    h("label", { class: "field" }, h("span", { text: "Small Blind" }), small),
    says,
    h("label", { class: "field" }, h("span", { text: "Bots" }), bots),
    wrong,
    h("div", { class: "row" }, make),
  );
  const tell = () => {
    const { amount: cents } = readAmount(small.value, ALLOWED);
    make.disabled = cents === null;
    setAttr(says, "class", cents === null ? "wrong" : "label");
    setText(
      says,
      cents === null
        ? WRONG
        : `Blinds ${money(cents)} and ${money(2 * cents)}, from ${money(40 * cents)} to sit down.`,
    );
  };
  small.addEventListener("input", tell);
  tell();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { amount: cents } = readAmount(small.value, ALLOWED);
    if (cents === null) return;
    try {
      const made = await ask("/api/private-tables", {
        rulebook: game.value,
        small_blind: cents,
        bots: Number(bots.value),
      });
      fill(form, ...ready(new URL(made.path, location.href).href));
      /** @type {HTMLElement | null} */ (form.querySelector("a.main"))?.focus();
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
    }
  });
  openDialog("A private table", form);
}

const ONLY_HERE =
  "This server answers on this machine only: here the link works in any browser, and nowhere else. To play with others, whoever runs it opens it to them (croupier serve --config).";

/** Whether an address leads to this machine alone. @param {string} address */
export function isHere(address) {
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

/** @param {string} address */
function ready(address) {
  return [
    h("h2", { text: "Your table is ready" }),
    h("p", { text: "Send this link to those whom you want to play with. Whoever has it may come." }),
    copyLink(address),
    h("p", { class: "label", text: isHere(address) ? ONLY_HERE : "" }),
    h("div", { class: "row" }, h("a", { class: "button main", href: address, text: "To the table" })),
  ];
}

/** An address to be copied. @param {string} address */
export function copyLink(address) {
  const field = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", readonly: true, value: address, "aria-label": "Link to the table" })
  );
  const told = h("span", { role: "status" });
  return h(
    "div",
    { class: "copy-link" },
    field,
    h("button", {
      class: "button",
      type: "button",
      text: "Copy",
      onclick: async () => {
        field.select();
        try {
          await navigator.clipboard.writeText(address);
          setText(told, "Copied.");
        } catch {
          setText(told, "Press Ctrl C to copy it.");
        }
      },
    }),
    told,
  );
}
