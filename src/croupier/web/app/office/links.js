// The jackpots: meters, open claims, changes by two people, faults. Claims are paid in the pit console.

import { h } from "../dom.js";
import { changeWords } from "../link-words.js";
import { ask } from "../session.js";
import { act } from "./cage.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {JackpotReport} from "../records.js" */

/** @type {[string, string][]} */
const PARAMETERS = [
  ["reset_value", "reset value"],
  ["contribution", "what each stake adds"],
  ["ceiling", "ceiling"],
  ["unreasonable", "the most that one round may add"],
];

/** @param {string} link @param {Record<string, unknown>} command @param {Office} office */
async function order(office, link, command) {
  const given = /** @type {any} */ ({ id: crypto.randomUUID(), command });
  const { told } = await ask(`/api/links/${encodeURIComponent(link)}/commands`, given);
  return office.did(told.join(" "));
}

/** @param {Office} office */
export async function linksView(office) {
  const links = await ask("/api/office/reports/jackpot");
  if (!links.length) return [h("p", { class: "soft", text: "There is no jackpot link." })];
  const rows = links.map((link) => [
    link.link,
    link.status,
    link.meter,
    link.ceiling,
    `${link.hits}`,
    `${link.open_claims.length}`,
    h("a", { class: "button small", href: `/pit#link/${encodeURIComponent(link.link)}`, text: "In the pit", "aria-label": `${link.link} in the pit console` }),
  ]);
  const names = links.map((link) => link.link);
  const link = /** @type {const} */ ({ name: "link", label: "Jackpot", type: "select", options: names });
  const reason = { name: "reason", label: "Why" };
  const amount = /** @type {const} */ ({ name: "amount", label: "Amount", type: "money" });
  if (!office.may("order at link"))
    return [table(rows), changes(office, links), office.takes("give orders at a jackpot", "a pit manager or above on duty")];
  return [
    table(rows),
    changes(office, links),
    h(
      "div",
      { class: "forms" },
      orderForm({
        title: "Open, close, fault",
        says: "A closed link takes no stakes; only then may its parameters change.",
        fields: [link, { ...reason, optional: true, hint: "for a fault and its repair" }],
        acts: [
          { text: "Close", does: ({ link: at }) => order(office, at, { do: "close link" }) },
          { text: "Open", does: ({ link: at }) => order(office, at, { do: "reopen link" }) },
          { text: "Fault", danger: true, does: ({ link: at, reason: why }) => order(office, at, { do: "report link fault", reason: why }) },
          { text: "Repair", does: ({ link: at, reason: why }) => order(office, at, { do: "repair link", reason: why }) },
        ],
      }),
      orderForm({
        title: "Propose a parameter",
        says: "While the link is closed; a second person approves.",
        fields: [link, { name: "parameter", label: "Which", type: "select", options: PARAMETERS }, amount, reason],
        acts: [{ text: "Propose", does: ({ link: at, parameter, amount: cents, reason: why }) => order(office, at, { do: "propose parameters", [parameter]: cents, reason: why }) }],
      }),
      orderForm({
        title: "Propose a correction of the meter",
        fields: [link, amount, reason],
        acts: [
          { text: "Up", does: ({ link: at, amount: cents, reason: why }) => order(office, at, { do: "propose correction", by: cents, reason: why }) },
          { text: "Down", does: ({ link: at, amount: cents, reason: why }) => order(office, at, { do: "propose correction", by: -cents, reason: why }) },
        ],
      }),
    ),
  ];
}

/** @param {(string | number | Node | null)[][]} rows */
function table(rows) {
  return listTable("Jackpots", ["Jackpot", "Status", "Meter", "Ceiling", "Hits", "Open claims", ""], rows);
}

/** @param {Office} office @param {JackpotReport[]} links */
function changes(office, links) {
  const rows = links.flatMap((link) =>
    link.changes.map((one) => [
      link.link,
      `No. ${one.proposal}`,
      one.kind,
      changeWords(one.change),
      one.proposed_by,
      one.reason,
      one.proposed_by === office.glance.you || !office.may("order at link")
        ? h("span", { class: "soft", text: "a second person approves" })
        : act("Approve", `Approve proposal ${one.proposal} of ${link.link}`, () => order(office, link.link, { do: "approve", proposal: one.proposal })),
    ]),
  );
  return listTable("Changes that wait for a second person", ["Jackpot", "Number", "Kind", "Change", "Proposed by", "Why", ""], rows, "No change waits.");
}
