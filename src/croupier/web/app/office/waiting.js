// Waiting lists: names in order, called, seated, taken off; free seats, and who could be moved.

import { h } from "../dom.js";
import { ask } from "../session.js";
import { act } from "./cage.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {WaitingList, WaitingName} from "../records.js" */

/** @param {Office} office */
export async function waitingView(office) {
  const rooms = await ask("/api/office/lists/waiting");
  const keeps = office.may("waiting list");
  const lists = [...new Set([...rooms.tables.map((one) => one.area).filter(Boolean), ...rooms.tables.map((one) => one.table)])];
  const moves = rooms.tables.filter((one) => one.relocates);
  const rows = rooms.tables.map((one) => [one.table, one.area, `${one.seated} of ${one.seats}`, one.free.join(", ") || "none"]);
  const reason = { name: "reason", label: "Why" };
  return [
    ...rooms.suggestions.map((one) => h("p", { class: "suggestion", text: one.says })),
    ...rooms.lists.map((one) => listOf(office, one, keeps)),
    h(
      "div",
      { class: "forms" },
      keeps
        ? orderForm({
            title: "Put a name on a list",
            says: "A list is of an area or of one table; an account is not needed.",
            fields: [{ name: "list_of", label: "List of", type: "select", options: lists }, { name: "player", label: "Name" }, { name: "note", label: "Note", optional: true }],
            acts: [{ text: "Put on the list", does: (values) => office.order({ do: "join waiting list", ...values }) }],
          })
        : office.takes("keep a waiting list", "somebody of the pit on duty"),
      office.may("relocate") && moves.length > 1
        ? orderForm({
            title: "Move a player",
            says: "With all chips, in one act: if either table refuses, the player stays.",
            fields: [
              { name: "player", label: "Player", known: moves.flatMap((one) => one.players) },
              { name: "table", label: "From", type: "select", options: moves.map((one) => one.table) },
              { name: "to", label: "To", type: "select", options: moves.map((one) => one.table) },
              { name: "seat", label: "Seat there", type: "number" },
              reason,
            ],
            acts: [{ text: "Move", does: (values) => office.order({ do: "relocate player", ...values }) }],
          })
        : null,
    ),
    listTable("Seats", ["Table", "Area", "Seated", "Free seats"], rows, "There is no table."),
  ].filter((each) => each !== null);
}

/** @param {Office} office @param {WaitingList} list @param {boolean} keeps */
function listOf(office, list, keeps) {
  const rows = list.names.map((one) => [
    `${one.number}. ${one.player}`,
    new Date(one.since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }),
    one.called ? `to ${one.called_to}` : "",
    one.note,
    keeps ? acts(office, list, one) : "",
  ]);
  return listTable(`Waiting for ${list.list_of}`, ["Name", "Since", "Called", "Note", ""], rows, "Nobody waits.");
}

/** @param {Office} office @param {WaitingList} list @param {WaitingName} one */
function acts(office, list, one) {
  const about = { list_of: list.list_of, player: one.player };
  const table = /** @type {HTMLSelectElement} */ (
    h("select", { "aria-label": `Table for ${one.player}` }, ...list.tables.map((name) => h("option", { value: name, text: name, selected: name === one.called_to })))
  );
  const why = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", class: "why", placeholder: "why, if out of turn", "aria-label": `Why ${one.player} is called out of turn`, autocomplete: "off" })
  );
  return h(
    "span",
    { class: "acts" },
    table,
    one.number > 1 && !one.called ? why : null,
    act("Call", `Call ${one.player}`, () => office.order({ do: "call player", ...about, table: table.value, reason: why.value.trim() })),
    act("Seated", `${one.player} sits there`, () => office.order({ do: "note seated", ...about, table: table.value })),
    act("Off", `Take ${one.player} off the list`, () => office.order({ do: "leave waiting list", ...about, reason: "taken off in the office" })),
  );
}
