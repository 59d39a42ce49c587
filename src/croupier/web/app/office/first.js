// The first table or jackpot of its kind: nothing stands there to be copied, so everything that the book and
// the House want is asked for. What is missing all the same the server names, with its paragraph.

import { h } from "../dom.js";
import { orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {BookSummary, PlaceLine} from "../records.js" */
/** @typedef {import("./form.js").Field} Field */
/** @typedef {Record<string, any>} Values */

/** @type {Field} */
const REASON = { name: "reason", label: "Why" };
/** @type {[string, string][]} */
const DEALT = [
  ["automatic", "by the House"],
  ["by-hand", "by hand"],
];
/** @type {[string, string][]} */
const NO_YES = [
  ["", "no"],
  ["yes", "yes"],
];

/** The forms for what does not stand there yet; folded away where others of the game do.
 * @param {Office} office @param {readonly BookSummary[]} books @param {PlaceLine[]} links
 * @param {Set<string>} standing the games of which a table stands there */
export function firstForms(office, books, links, standing) {
  const of = (/** @type {string} */ family) => books.filter((book) => book.family === family);
  return [
    folded("A poker table of its own kind", standing.has("poker"), pokerForm(office, of("poker"))),
    folded("A banked table of its own kind", standing.has("banked"), bankedForm(office, of("banked"), links)),
    folded("A jackpot of its own kind", links.length > 0, jackpotForm(office, of("banked"))),
  ];
}

/** @param {string} title @param {boolean} fold @param {HTMLElement} form */
function folded(title, fold, form) {
  return fold ? h("details", { class: "of-its-own" }, h("summary", { text: title }), form) : form;
}

/** @param {BookSummary[]} books @returns {[string, string][]} */
function titles(books) {
  return books.map((book) => [book.rulebook, book.superseded_by ? `${book.short} (superseded)` : book.short]);
}

/** What every table is asked. @param {Office} office @param {BookSummary[]} books @param {string[]} layouts
 * @returns {Field[]} */
function common(office, books, layouts) {
  return [
    { name: "table", label: "Name" },
    { name: "rulebook", label: "Rulebook", type: "select", options: titles(books) },
    { name: "area", label: "Area", optional: true, known: office.glance.areas },
    { name: "layout", label: "Approved layout", type: "select", options: layouts },
    { name: "dealing", label: "Dealt", type: "select", options: DEALT },
    { name: "knowingly", label: "Opened although the book is superseded", type: "select", optional: true, options: NO_YES },
    { name: "effective", label: "In force from", type: "moment", optional: true, hint: "only where the book gives no time" },
  ];
}

/** @param {Values} values */
function commonSettings(values) {
  return {
    layout: values.layout,
    dealing: values.dealing,
    ...(values.knowingly ? { opened_knowingly: true } : {}),
    ...(values.effective ? { effective: values.effective } : {}),
  };
}

/** @param {Office} office @param {BookSummary[]} books */
function pokerForm(office, books) {
  return orderForm({
    title: "A first poker table",
    says: "Nothing is copied: say what its sign shows.",
    fields: [
      ...common(office, books, ["A", "B", "C"]),
      { name: "seats", label: "Seats", type: "number", value: "9" },
      { name: "small", label: "Small Blind", type: "money" },
      { name: "big", label: "Big Blind", type: "money" },
      { name: "from", label: "Stake from", type: "money" },
      { name: "to", label: "Stake to", type: "money", optional: true, hint: "Poker v5 has no maximum" },
      { name: "chips", label: "Chips in play", hint: "with commas: 1, 5, 25, 100, 500" },
      { name: "percent", label: "Rake in percent", hint: "such as 5 or 2.5" },
      { name: "cap", label: "Cap of the Rake", type: "money" },
      { name: "sign", label: "The sign shows stakes and Rake", type: "select", options: NO_YES, optional: true },
      REASON,
    ],
    acts: [{ text: "Set it up", does: (values) => addPoker(office, values) }],
  });
}

/** @param {Office} office @param {Values} values */
function addPoker(office, values) {
  const settings = {
    ...commonSettings(values),
    seats: values.seats,
    blinds: [values.small, values.big],
    minimum_stake: values.from,
    ...(typeof values.to === "number" ? { maximum_stake: values.to } : {}),
    chips: chipsOf(values.chips),
    rake: { percent: values.percent, cap: values.cap },
    sign: values.sign === "yes",
  };
  return office.order({ do: "add table", table: values.table, rulebook: values.rulebook, settings, area: values.area, reason: values.reason });
}

/** `1, 5, 25` in cents. @param {string} written */
function chipsOf(written) {
  const parts = written.split(/[\s,]+/).filter(Boolean);
  const wrong = parts.find((part) => !/^\d{1,7}(\.\d{1,2})?$/.test(part));
  if (wrong !== undefined) throw new Error(`${wrong} is no value of a chip: write them as 1, 5, 25, 100.`);
  return parts.map((part) => Math.round(Number(part) * 100)).sort((a, b) => a - b);
}

/** @type {[string, string][]} */
const LIMITS = [
  ["ante_minimum", "Ante from"],
  ["ante_maximum", "Ante to"],
  ["bonus_minimum", "Bonus from"],
  ["bonus_maximum", "Bonus to"],
  ["progressive", "Progressive Jackpot bet"],
];

/** @param {Office} office @param {BookSummary[]} books @param {PlaceLine[]} links */
function bankedForm(office, books, links) {
  if (!links.length) return h("p", { class: "soft takes", text: "A banked table hangs on a jackpot: set the jackpot up first." });
  return orderForm({
    title: "A first banked table",
    says: "Nothing is copied: say what its sign shows, and on which jackpot of the same book it hangs.",
    fields: [
      ...common(office, books, ["A", "B", "C", "D"]),
      { name: "link", label: "Jackpot", type: "select", options: links.map((line) => line.name) },
      { name: "boxes", label: "Boxes on the layout", type: "number", value: "7" },
      { name: "device", label: "Cards come from", type: "select", options: [["shoe", "a Card Shoe"], ["shuffler", "an Electronic Card Shuffler"]] },
      ...LIMITS.map(([name, label]) => /** @type {Field} */ ({ name, label, type: "money" })),
      REASON,
    ],
    acts: [{ text: "Set it up", does: (values) => addBanked(office, values) }],
  });
}

/** @param {Office} office @param {Values} values */
function addBanked(office, values) {
  const limits = Object.fromEntries(LIMITS.map(([name]) => [name, values[name]]));
  const settings = { ...commonSettings(values), layout_boxes: values.boxes, device: values.device, ...limits };
  const { table, rulebook, link, area, reason } = values;
  return office.order({ do: "add table", table, rulebook, settings, link, area, reason });
}

/** @param {Office} office @param {BookSummary[]} books */
function jackpotForm(office, books) {
  return orderForm({
    title: "A first jackpot",
    says: "The book states neither reset value nor what each bet adds, so both are said here.",
    fields: [
      { name: "link", label: "Name" },
      { name: "rulebook", label: "Rulebook", type: "select", options: titles(books) },
      { name: "reset_value", label: "Reset value", type: "money" },
      { name: "contribution", label: "What each stake adds", type: "money" },
      { name: "start", label: "Meter at the start", type: "money", optional: true, hint: "the reset value, if not said" },
      REASON,
    ],
    acts: [
      {
        text: "Set it up",
        does: ({ link, rulebook, reset_value, contribution, start, reason }) => {
          const settings = { reset_value, contribution, ...(typeof start === "number" ? { start } : {}) };
          return office.order({ do: "add link", link, rulebook, settings, reason });
        },
      },
    ],
  });
}
