// Setting up: a table or jackpot like one that stands there, another version of a link's rulebook, and what
// two people approve. What is new is proposed by what stands; the server asks for everything else.

import { h } from "../dom.js";
import { money } from "../money.js";
import { ask } from "../session.js";
import { act } from "./cage.js";
import { firstForms } from "./first.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {ApprovalList, LinkBook, PlaceLine} from "../records.js" */
/** @typedef {import("./form.js").Field} Field */

const REASON = { name: "reason", label: "Why" };

/** What may be otherwise than at the table that is copied: its setting, what it is called, its place in a list.
 * @type {Record<string, [string, string, number?][]>} */
const AMOUNTS = {
  poker: [
    ["blinds", "Small Blind", 0],
    ["blinds", "Big Blind", 1],
    ["minimum_stake", "Stake from"],
    ["maximum_stake", "Stake to"],
  ],
  banked: [
    ["ante_minimum", "Ante from"],
    ["ante_maximum", "Ante to"],
    ["bonus_minimum", "Bonus from"],
    ["bonus_maximum", "Bonus to"],
    ["progressive", "Progressive Jackpot bet"],
  ],
};

/** @param {Office} office */
export async function setupView(office) {
  const [tables, links, books, approvals, known] = await Promise.all([
    ask("/api/office/lists/tables"),
    ask("/api/office/lists/links"),
    ask("/api/office/lists/rulebooks"),
    ask("/api/office/lists/approvals"),
    ask("/api/rulebooks"),
  ]);
  const open = tables.filter((line) => !line.record.closed);
  const may = office.may("set up");
  return [
    bookTable(office, books),
    approvalTable(office, approvals),
    h(
      "div",
      { class: "forms" },
      ...(may
        ? [
            ...[tableForm(office, "poker", open), tableForm(office, "banked", open), linkForm(office, links)].filter((form) => form !== null),
            ...firstForms(office, known.rulebooks, links, new Set(open.map(gameOf))),
          ]
        : [office.takes("set up a table or jackpot", "a shift manager or administrator")]),
      ...(office.may("change rulebook")
        ? [proposeBookForm(office, books), approveBookForm(office, books)]
        : [office.takes("change the rulebook of a jackpot", "two shift managers on duty")]),
      office.may("approve software")
        ? approvalForm(office)
        : office.takes("propose a key or software", "an administrator, shift manager or auditor"),
    ),
  ];
}

// -- a table like another ---------------------------------------------------------------------------------

/** @param {PlaceLine} line */
function gameOf({ record }) {
  return "blinds" in record.settings ? "poker" : "banked";
}

/** @param {Office} office @param {"poker" | "banked"} game @param {PlaceLine[]} open */
function tableForm(office, game, open) {
  const like = open.filter((line) => gameOf(line) === game);
  const title = game === "poker" ? "A poker table" : "A banked table";
  if (!like.length) return null;
  /** @type {Field[]} */
  const amounts = AMOUNTS[game].map(([name, label, at]) => ({ name: `${name}-${at ?? ""}`, label, type: "money", optional: true }));
  return orderForm({
    title,
    says: "Like one that stands there, with its rulebook, chips and policies; what you leave empty is as it is there.",
    fields: [
      { name: "table", label: "Name" },
      { name: "like", label: "Like table", type: "select", options: like.map((line) => line.name) },
      { name: "area", label: "Area", optional: true, known: office.glance.areas },
      { name: "dealing", label: "Dealt", type: "select", optional: true, options: [["", "as there"], ["automatic", "by the House"], ["by-hand", "by hand"]] },
      ...amounts,
      REASON,
    ],
    acts: [{ text: "Set it up", does: (values) => addTable(office, game, like, values) }],
  });
}

/** @param {Office} office @param {string} game @param {PlaceLine[]} like @param {Record<string, any>} values */
function addTable(office, game, like, values) {
  const { record } = /** @type {PlaceLine} */ (like.find((line) => line.name === values.like));
  /** @type {Record<string, any>} */
  const settings = { ...record.settings };
  for (const [name, , at] of AMOUNTS[game]) {
    const cents = values[`${name}-${at ?? ""}`];
    if (cents === null || cents === undefined || cents === "") continue;
    if (at === undefined) settings[name] = cents;
    else settings[name] = settings[name].map((/** @type {number} */ each, /** @type {number} */ k) => (k === at ? cents : each));
  }
  if (values.dealing) {
    settings.dealing = values.dealing;
    settings.acting = null;
  }
  return office.order({
    do: "add table",
    table: values.table,
    rulebook: record.rulebook,
    settings,
    policies: record.policies,
    link: record.link,
    area: values.area || record.area,
    reason: values.reason,
  });
}

// -- a jackpot like another -------------------------------------------------------------------------------

/** @param {Office} office @param {PlaceLine[]} links */
function linkForm(office, links) {
  if (!links.length) return null;
  /** @type {Field[]} */
  const amounts = [
    { name: "reset_value", label: "Reset value", type: "money", optional: true },
    { name: "contribution", label: "What each stake adds", type: "money", optional: true },
    { name: "start", label: "Meter at the start", type: "money", optional: true },
  ];
  return orderForm({
    title: "A jackpot",
    says: "Like one that stands there; what you leave empty is as it was set up there.",
    fields: [
      { name: "link", label: "Name" },
      { name: "like", label: "Like jackpot", type: "select", options: links.map((line) => line.name) },
      ...amounts,
      REASON,
    ],
    acts: [
      {
        text: "Set it up",
        does: (values) => {
          const { record } = /** @type {PlaceLine} */ (links.find((line) => line.name === values.like));
          const said = Object.fromEntries(amounts.map(({ name }) => [name, values[name]]).filter(([, cents]) => typeof cents === "number"));
          const settings = { ...record.settings, ...said };
          return office.order({ do: "add link", link: values.link, rulebook: record.rulebook, settings, policies: record.policies, reason: values.reason });
        },
      },
    ],
  });
}

// -- another version of a rulebook ------------------------------------------------------------------------

/** @param {Office} office @param {LinkBook[]} books */
function bookTable(office, books) {
  const rows = books.flatMap((line) => {
    const waiting = Object.entries(line.proposals);
    if (!waiting.length) return [[line.link, line.rulebook, "", "", ""]];
    return waiting.map(([number, one]) => [line.link, line.rulebook, `No. ${number}: ${one.change.rulebook ?? one.kind}`, one.who, one.reason]);
  });
  const heads = ["Jackpot", "Rulebook", "Proposed", "By", "Why"];
  return listTable("Rulebooks of jackpots", heads, rows, "There is no jackpot.");
}

/** @param {Office} office @param {LinkBook[]} books */
function proposeBookForm(office, books) {
  return orderForm({
    title: "Propose another rulebook",
    says: "Closes the tables of the jackpot for good, and the jackpot until a second shift manager approves. Nothing happens while a round is under way or somebody has chips there.",
    fields: [
      { name: "link", label: "Jackpot", type: "select", options: books.map((line) => line.link) },
      { name: "rulebook", label: "Rulebook", known: [...new Set(books.map((line) => line.rulebook))], hint: "such as multi-link-progressive-v3" },
      REASON,
    ],
    acts: [
      {
        text: "Propose it",
        danger: true,
        does: async (values) => {
          const done = await perform({ do: "propose rulebook", ...values });
          return office.did(`Proposal ${done.proposal}: ${done.link} under ${done.rulebook}. Closed for good: ${done.closed.join(", ") || "no table"}. Another shift manager approves.`);
        },
      },
    ],
  });
}

/** @param {Office} office @param {LinkBook[]} books */
function approveBookForm(office, books) {
  /** @type {[string, string][]} */
  const waiting = books.flatMap((line) =>
    Object.entries(line.proposals).map(([number, one]) => /** @type {[string, string]} */ ([`${number}/${line.link}`, `No. ${number}, ${line.link}, by ${one.who}`])),
  );
  if (!waiting.length) return h("p", { class: "soft takes", text: "No other rulebook waits for a second person." });
  return orderForm({
    title: "Approve another rulebook",
    says: "Each table that goes on is set up anew under the new book, as one that follows the old one: M1=M1-v3, with commas between them.",
    fields: [
      { name: "which", label: "Proposal", type: "select", options: waiting },
      { name: "tables", label: "Tables that go on", optional: true },
    ],
    acts: [
      {
        text: "Approve it",
        does: async ({ which, tables = "" }) => {
          const [number, ...link] = String(which).split("/");
          const done = await perform({ do: "approve rulebook", link: link.join("/"), proposal: Number(number), tables: followers(String(tables ?? "")) });
          return office.did(`${done.link} goes on under ${done.rulebook} with ${money(done.meter)} on its meter; tables: ${done.tables.join(", ") || "none"}.`);
        },
      },
    ],
  });
}

/** `M1=M1-v3, M2=M2-v3` as a record. @param {string} written */
function followers(written) {
  const pairs = written.split(",").map((each) => each.trim()).filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [old, made, more] = pair.split("=").map((each) => each.trim());
      if (!old || !made || more !== undefined) throw new Error(`${pair} cannot be read: write the old table and the new one, as M1=M1-v3.`);
      return [old, made];
    }),
  );
}

/** @param {Record<string, unknown>} doing @returns {Promise<any>} */
function perform(doing) {
  return ask("/api/office/acts", /** @type {any} */ ({ act: doing }));
}

// -- approvals by two -------------------------------------------------------------------------------------

/** @param {Office} office @param {ApprovalList} found */
function approvalTable(office, found) {
  const rows = Object.entries(found.waiting).map(([number, one]) => [
    `No. ${number}`,
    one.what,
    h("code", { class: "digest", text: one.digest }),
    one.who,
    one.reason,
    one.who === office.glance.you || !office.may("approve software")
      ? h("span", { class: "soft", text: "a second person approves" })
      : act("Approve", `Approve proposal ${number}`, () => office.order({ do: "give approval", proposal: Number(number) })),
  ]);
  const heads = ["Number", "What", "Digest", "Proposed by", "Why", ""];
  return listTable("Keys and software that wait for a second person", heads, rows, "Nothing waits.");
}

/** @param {Office} office */
function approvalForm(office) {
  return orderForm({
    title: "Propose a key or software",
    says: "Another key for the seals, or software that runs although no manifest of the regulator names it. A second person approves.",
    fields: [
      { name: "what", label: "What", type: "select", options: ["software", "seal key"] },
      { name: "digest", label: "Digest or public key", hint: "64 characters, as croupier office files and croupier audit print it" },
      REASON,
    ],
    acts: [{ text: "Propose it", does: (values) => office.order({ do: "propose approval", ...values }) }],
  });
}
