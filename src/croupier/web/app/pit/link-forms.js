// The forms of a jackpot link: what the tables have counted, and changes that a second person approves.

import { h, setText } from "../dom.js";
import { meter, money, readMoney } from "../money.js";
import { openDialog } from "../dialogs.js";
import { placeName } from "./words.js";

/** @import {PitLinkWork} from "../records.js" */
/** @typedef {(command: Record<string, unknown>) => void} Order */

/** @param {string} label @param {string} value @param {string} [mode] */
function entry(label, value, mode = "decimal") {
  const input = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", inputmode: mode, value, autocomplete: "off", maxlength: "200" })
  );
  return { label, input, part: h("label", { class: "field" }, h("span", { text: label }), input) };
}

/** @param {string} title @param {string} lead @param {HTMLElement[]} fields @param {string} does
 * @param {() => Record<string, unknown> | string} read a command, or what is wrong @param {Order} order */
function form(title, lead, fields, does, read, order) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const press = () => {
    const command = read();
    if (typeof command === "string") return setText(wrong, command);
    close();
    return order(command);
  };
  const body = h(
    "form",
    {
      class: "inside",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        press();
      },
    },
    h("p", { text: lead }),
    ...fields,
    wrong,
    h("div", { class: "row" }, h("button", { class: "button main", type: "submit", text: does })),
  );
  const close = openDialog(title, body);
}

/** Compare what each table has counted with the controller. @param {PitLinkWork} work @param {Order} order */
export function askCounts(work, order) {
  const counts = Object.entries(work.counts).map(([table, count]) => ({ table, ...entry(placeName(table), String(count), "numeric") }));
  form(
    "Reconcile the tables",
    "What each table has counted itself stands there. Enter what you have counted; a difference is a fault of the jackpot.",
    counts.map((each) => each.part),
    "Compare",
    () => {
      /** @type {Record<string, number>} */
      const said = {};
      for (const each of counts) {
        if (!/^\d{1,12}$/.test(each.input.value.trim())) return `${each.label}: a whole number of bets.`;
        said[each.table] = Number(each.input.value);
      }
      return { do: "reconcile", counts: said };
    },
    order,
  );
}

/** @type {[keyof PitLinkWork["parameters"], string, "money" | "percent", boolean][]} */
const PARAMETERS = [
  ["reset_value", "Reset value", "money", false],
  ["contribution", "Each bet adds", "money", true],
  ["contribution_rate", "Or so many per cent of it", "percent", true],
  ["reserve_rate", "Kept for the next reset, per cent", "percent", false],
  ["ceiling", "Ceiling of the meter", "money", true],
  ["unreasonable", "Set aside from one table in one round above", "money", true],
  ["display_pace", "The display climbs a second by at most", "money", true],
];

/** @param {"parameters" | "correction" | "termination"} kind @param {PitLinkWork} work @param {Order} order */
export function askChange(kind, work, order) {
  const reason = entry("Why", "", "text");
  const why = () => reason.input.value.trim();
  if (kind === "parameters") return askParameters(work, order, reason);
  if (kind === "correction") {
    const by = entry("Up or down by, such as 12.50 or -12.50", "");
    return form(
      "Correct the meter",
      "It is carried out when somebody else approves it.",
      [by.part, reason.part],
      "Propose it",
      () => {
        const down = /^[-−]/.test(by.input.value.trim());
        const amount = readMoney(by.input.value.trim().replace(/^[-−+]/, ""));
        if (!amount) return "An amount such as 12.50 or -12.50.";
        if (!why()) return "Say why: it is recorded.";
        return { do: "propose correction", by: down ? -amount : amount, reason: why() };
      },
      order,
    );
  }
  const destination = entry("What becomes of its money, as settled with the authority", "", "text");
  return form(
    "End the jackpot for good",
    "It is carried out when somebody else approves it, and cannot be undone.",
    [destination.part, reason.part],
    "Propose it",
    () => {
      if (!destination.input.value.trim()) return "Say what becomes of its money.";
      if (!why()) return "Say why: it is recorded.";
      return { do: "propose termination", destination: destination.input.value.trim(), reason: why() };
    },
    order,
  );
}

/** @param {PitLinkWork} work @param {Order} order @param {ReturnType<typeof entry>} reason */
function askParameters(work, order, reason) {
  const now = (/** @type {string | number | null} */ value, /** @type {string} */ kind) =>
    value === null ? "" : kind === "money" ? meter(Number(value)).replaceAll(",", "") : String(value);
  const fields = PARAMETERS.map(([name, label, kind, empty]) => ({ name, kind, empty, was: now(work.parameters[name], kind), ...entry(label, now(work.parameters[name], kind)) }));
  form(
    "Other parameters",
    `Change what is to be changed; the rest stays. Now the meter goes back to ${money(work.parameters.reset_value)} when the whole is won. Somebody else approves it.`,
    [...fields.map((each) => each.part), reason.part],
    "Propose it",
    () => {
      /** @type {Record<string, unknown>} */
      const command = { do: "propose parameters" };
      /** @type {string[]} */
      const clear = [];
      for (const each of fields) {
        const text = each.input.value.trim();
        if (text === each.was) continue;
        if (!text && !each.empty) return `${each.label}: it cannot be without one.`;
        if (!text) clear.push(each.name);
        else if (each.kind === "money") {
          const amount = readMoney(text);
          if (amount === null) return `${each.label}: an amount, such as 60 or 2.50.`;
          command[each.name] = amount;
        } else if (!/^\d{1,3}(\.\d{1,4})?$/.test(text)) return `${each.label}: per cent, such as 12.5.`;
        else command[each.name] = text;
      }
      if (clear.length) command.clear = clear;
      if (Object.keys(command).length === 1) return "Nothing is changed yet.";
      if (!reason.input.value.trim()) return "Say why: it is recorded.";
      return { ...command, reason: reason.input.value.trim() };
    },
    order,
  );
}
