// The trays of tables: counted by the value of the chips, filled and credited by two people, the drop;
// the gaming day closed by name.

import { h } from "../dom.js";
import { money, signed } from "../money.js";
import { ask } from "../session.js";
import { act } from "./cage.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {InventoryDay, SlipLine, Trays} from "../records.js" */

/** @param {Office} office */
export async function traysView(office) {
  const found = await ask("/api/office/lists/inventory");
  const tables = Object.keys(found.chips);
  const table = /** @type {const} */ ({ name: "table", label: "Table", type: "select", options: tables });
  const chips = /** @type {import("./form.js").Field} */ ({
    name: "chips",
    label: "Chips",
    type: "chips",
    chips: (values) => found.chips[values.table] ?? [],
  });
  const reason = { name: "reason", label: "Why" };
  return [
    trayTable(found),
    slipTable(office, found.slips),
    boxTable(found),
    h(
      "div",
      { class: "forms" },
      office.may("count tray")
        ? orderForm({
            title: "Count a tray",
            fields: [table, { name: "which", label: "At the", type: "select", options: ["opening", "closing"] }, chips],
            acts: [{ text: "Put the count on record", does: (values) => office.order({ do: "count inventory", ...values }) }],
          })
        : office.takes("count a tray", "somebody of the pit on duty at the table"),
      office.may("order slip")
        ? orderForm({
            title: "Fill or credit",
            says: "A fill brings chips to the table, a credit takes some to the cage. Somebody else signs.",
            fields: [table, chips, reason],
            acts: [
              { text: "Order a fill", does: (values) => office.order({ do: "order fill", ...values }) },
              { text: "Order a credit", does: (values) => office.order({ do: "order credit", ...values }) },
            ],
          })
        : office.takes("order a fill or credit", "a pit supervisor or above on duty at the table"),
      office.may("count drop")
        ? orderForm({
            title: "The drop",
            says: "What the box of a table held, once its tray is closed.",
            fields: [
              table,
              ...(found.boxes.length ? [boxField(found)] : []),
              { name: "amount", label: "Amount", type: "money" },
              { name: "note", label: "Note", optional: true },
            ],
            acts: [{ text: "Put the drop on record", does: (values) => office.order({ do: "count drop", ...values, ...boxOf(values) }) }],
          })
        : office.takes("count a drop", "a cashier, shift manager or auditor"),
      office.may("close day")
        ? orderForm({
            title: "Close the gaming day",
            says: `${differences(found)} The last one that was closed: ${found.day_closed ?? "none yet"}.`,
            fields: [
              { name: "day", label: "Gaming day", type: "date", value: office.glance.today },
              { name: "note", label: "What differs and why", optional: true },
            ],
            acts: [{ text: `Close it as ${office.glance.you}`, does: (values) => office.order({ do: "close day", ...values }) }],
          })
        : office.takes("close the gaming day", "a shift manager"),
    ),
  ];
}

/** Drops of earlier trays that nobody has counted. @param {Trays} found */
function boxTable({ boxes }) {
  const rows = boxes.map(({ box, record }) => [`No. ${box}`, record.table, when(record.opened_at), record.closed_by]);
  return listTable("Drop boxes of earlier trays, still to be counted", ["Box", "Table", "Opened", "Tray closed by"], rows, "No drop waits.");
}

const LAST = "last";

/** @param {Trays} found @returns {import("./form.js").Field} */
function boxField({ boxes }) {
  /** @type {[string, string][]} */
  const earlier = boxes.map(({ box, record }) => [String(box), `No. ${box}, ${record.table}`]);
  return { name: "box", label: "Box", type: "select", options: [[LAST, "of the tray closed last"], ...earlier] };
}

/** @param {Record<string, any>} values */
function boxOf({ box = LAST }) {
  return { box: box === LAST ? null : Number(box) };
}

/** @param {string} at */
function when(at) {
  return new Date(at).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

/** @param {Trays} found */
function differences(found) {
  const lacking = found.trays.filter((tray) => tray.closing !== null && tray.drop === null).map((tray) => tray.table);
  const drops = lacking.length ? ` Drops not counted yet: ${lacking.join(", ")}; they can be counted later.` : "";
  return countWords(found) + drops;
}

/** @param {Trays} found */
function countWords(found) {
  const off = found.trays.filter((tray) => tray.difference || tray.drop_difference);
  const still = found.trays.filter((tray) => tray.closing === null);
  if (still.length) return `Still open: ${still.map((tray) => tray.table).join(", ")}.`;
  if (!off.length) return "Nothing differs.";
  const told = off.map((tray) => `${tray.table} ${signed((tray.difference ?? 0) + (tray.drop_difference ?? 0))}`);
  return `These differ: ${told.join(", ")}.`;
}

/** @param {Trays} found */
function trayTable(found) {
  const rows = found.trays.map((tray) => [
    tray.table,
    tray.opening,
    tray.fills,
    tray.credits,
    tray.expected,
    tray.closing,
    difference(tray.difference),
    tray.drop,
    difference(tray.drop_difference),
    who(tray),
  ]);
  const heads = ["Table", "Opening", "Fills", "Credits", "By the book", "Counted", "Difference", "Drop", "Drop differs", "Who"];
  return listTable("Trays since the last day was closed", heads, rows, "No tray was counted yet.");
}

/** @param {number | null} cents */
function difference(cents) {
  if (cents === null) return "";
  return h("span", { class: `figure ${cents ? "differs" : "agrees"}`, text: cents ? signed(cents) : "none" });
}

/** @param {InventoryDay} tray */
function who(tray) {
  return tray.closed_by ? `${tray.opened_by}, ${tray.closed_by}` : `${tray.opened_by}, open`;
}

/** @param {Office} office @param {SlipLine[]} slips */
function slipTable(office, slips) {
  const rows = slips.map(({ slip, record }) => [
    `No. ${slip}`,
    record.kind,
    record.table,
    record.amount,
    Object.entries(record.chips)
      .map(([value, count]) => `${count} of ${money(Number(value))}`)
      .join(", "),
    record.by,
    record.reason,
    h("span", { class: "acts" }, ...sign(office, slip, record.by)),
  ]);
  const heads = ["Slip", "Kind", "Table", "Amount", "Chips", "Ordered by", "Why", ""];
  return listTable("Slips that wait for a second signature", heads, rows, "No slip waits.");
}

/** @param {Office} office @param {number} slip @param {string} by */
function sign(office, slip, by) {
  const may = office.may("sign slip") && by !== office.glance.you;
  const signing = may
    ? act("Sign", `Sign slip ${slip}`, () => office.order({ do: "sign slip", slip }))
    : h("span", { class: "soft", text: "a second person signs" });
  const cancel = office.may("order slip")
    ? [act("Cancel", `Cancel slip ${slip}`, () => office.order({ do: "cancel slip", slip, reason: "not needed" }))]
    : [];
  return [signing, ...cancel];
}
