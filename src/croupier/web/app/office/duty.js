// Duty and assignments: who is at which post, works where, and by which licence.

import { h } from "../dom.js";
import { ask } from "../session.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {AssignmentLine} from "../records.js" */

const FLOOR = "the floor";

/** @param {Office} office */
export async function dutyView(office) {
  const { staff, areas, tables } = await ask("/api/office/roster");
  const names = staff.map((line) => line.name);
  const places = [FLOOR, ...areas.map((area) => `area ${area}`), ...tables.map((table) => `table ${table}`)];
  const rows = staff.map((line) => [
    line.name,
    line.role,
    line.post ? `${line.acting ? "acting " : ""}${line.post} since ${hour(line.since ?? "")}` : "off duty",
    line.unlicensed || (line.licence ? `${line.licence} until ${line.licence_until}` : ""),
    h("ul", {}, ...line.assignments.map((one) => assignment(office, one))),
    line.deals_at.join(", "),
  ]);
  const reason = { name: "reason", label: "Why" };
  const on = office.may("put on duty");
  return [
    listTable("Roster", ["Name", "Role", "Duty", "Licence", "Works at", "Deals at"], rows),
    h(
      "div",
      { class: "forms" },
      orderForm({
        title: "On and off duty",
        fields: [
          { name: "name", label: "Name", type: "select", options: on ? names : [office.glance.you], value: office.glance.you },
          { name: "post", label: "Post", type: "select", options: office.glance.roles, value: office.glance.role, hint: "One above the own role is an acting one, given by somebody who holds it." },
          { name: "area", label: "Area", type: "select", options: [["", "none"], .../** @type {[string, string][]} */ (areas.map((area) => [area, area]))], optional: true },
          { ...reason, optional: true, hint: "for an acting post, and for somebody else's duty" },
        ],
        acts: [
          { text: "Go on duty", does: ({ name, post, area, reason: why }) => office.order({ do: "go on duty", name, post, area, reason: why }) },
          { text: "Go off duty", does: ({ name, reason: why }) => office.order({ do: "go off duty", name, reason: why }) },
        ],
      }),
      office.may("assign")
        ? orderForm({
            title: "Assign somebody",
            says: "Only where somebody is assigned are orders taken; a manager's area is the floor.",
            fields: [
              { name: "name", label: "Name", type: "select", options: names },
              { name: "where", label: "Where", type: "select", options: places },
              { name: "since", label: "From", type: "moment", optional: true },
              { name: "until", label: "Until", type: "moment", optional: true },
              reason,
            ],
            acts: [{ text: "Assign", does: ({ name, where, since, until, reason: why }) => office.order({ do: "assign staff", name, ...named(where), since, until, reason: why }) }],
          })
        : office.takes("assign somebody", "a pit supervisor or above"),
      office.may("set licence")
        ? orderForm({
            title: "Licence",
            fields: [
              { name: "name", label: "Name", type: "select", options: names },
              { name: "licence", label: "Number" },
              { name: "until", label: "Last day", type: "date" },
              reason,
            ],
            acts: [{ text: "Put on record", does: ({ name, licence, until, reason: why }) => office.order({ do: "set licence", name, licence, until, reason: why }) }],
          })
        : office.takes("put a licence on record", "a shift manager or administrator"),
    ),
  ];
}

/** @param {string} where */
function named(where) {
  if (where.startsWith("area ")) return { area: where.slice(5) };
  return where.startsWith("table ") ? { table: where.slice(6) } : {};
}

/** @param {string} at */
function hour(at) {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** @param {Office} office @param {AssignmentLine} one */
function assignment(office, one) {
  const until = one.until ? ` until ${new Date(one.until).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}` : "";
  const end = () => office.order({ do: "end assignment", assignment: one.assignment, reason: "ended in the office" });
  return h(
    "li",
    {},
    `${one.says}${until} `,
    office.may("assign")
      ? h("button", { class: "button small", type: "button", "aria-label": `End assignment ${one.assignment} to ${one.says}`, text: "End", onclick: end })
      : null,
  );
}
