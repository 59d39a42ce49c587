// The tables: what stands on the floor, and where nothing new may begin.

import { h } from "../dom.js";
import { ask } from "../session.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {PlaceLine} from "../records.js" */

/** @param {PlaceLine} line */
function status({ record }) {
  if (record.closed) return "closed for good";
  if (record.disabled) return `disabled: ${record.disabled}`;
  return record.last_round ? `last round is ${record.last_round}: ${record.closing}` : "open";
}

/** @param {Office} office */
export async function floorView(office) {
  const [tables, links] = await Promise.all([ask("/api/office/lists/tables"), ask("/api/office/lists/links")]);
  const rows = tables.map((line) => [line.name, line.record.rulebook, line.record.area, line.record.link, status(line)]);
  const open = tables.filter((line) => !line.record.closed).map((line) => line.name);
  const reason = { name: "reason", label: "Why" };
  const places = [...open, ...links.map((line) => line.name)];
  const place = /** @type {import("./form.js").Field} */ ({ name: "place", label: "Table or jackpot", type: "select", options: places });
  /** @type {import("./form.js").Act[]} */
  const acts = [
    { text: "Disable", danger: true, does: (values) => office.order({ do: "disable", ...values }) },
    { text: "Enable", does: (values) => office.order({ do: "enable", ...values }) },
  ];
  return [
    listTable("Tables", ["Table", "Rulebook", "Area", "Jackpot", "Status"], rows, "There is no table yet."),
    h(
      "div",
      { class: "forms" },
      office.may("disable")
        ? orderForm({
            title: "Disable or enable a table",
            says: "No new round begins there; one under way is finished by its book.",
            fields: [place, reason],
            acts: office.may("enable") ? acts : acts.slice(0, 1),
          })
        : office.takes("disable a table", "a pit manager or above"),
      office.may("announce last round")
        ? orderForm({
            title: "Announce the last round",
            says: "The players are told now; one round more is played, and then nothing new begins there. To open it again, enable it.",
            fields: [{ name: "table", label: "Table", type: "select", options: open }, reason],
            acts: [{ text: "Announce it", does: (values) => office.order({ do: "announce last round", ...values }) }],
          })
        : null,
      office.may("close table")
        ? orderForm({
            title: "Close a table for good",
            says: "Nobody may sit there any more. New tables are set up under Set up.",
            fields: [{ name: "table", label: "Table", type: "select", options: open }, reason],
            acts: [{ text: "Close for good", danger: true, does: (values) => office.order({ do: "close table", ...values }) }],
          })
        : office.takes("close a table", "a shift manager or administrator"),
    ),
  ];
}
