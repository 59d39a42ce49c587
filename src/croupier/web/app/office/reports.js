// Reports of a gaming day: the figures at a glance, and the whole of it as a page that prints.

import { fill, h } from "../dom.js";
import { ask } from "../session.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {DayReport} from "../records.js" */

/** @param {Office} office */
export async function reportsView(office) {
  const shown = h("div", { class: "report" });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const form = orderForm({
    title: "A gaming day",
    says: "Made from the logs alone, for any day, also while it goes on.",
    fields: [
      { name: "day", label: "Day", type: "date", optional: true, hint: "the one that goes on, if not said" },
      { name: "begins", label: "Begins at", value: "06:00" },
      { name: "zone", label: "Time zone", value: zone },
    ],
    acts: [
      {
        text: "Show",
        does: async (values) => {
          const words = query(values);
          fill(shown, ...figures(await ask(/** @type {"/api/office/reports/day"} */ (`/api/office/reports/day?${words}`)), words));
          return "";
        },
      },
    ],
  });
  const words = query({ day: "", begins: "06:00", zone });
  fill(shown, ...figures(await ask(/** @type {"/api/office/reports/day"} */ (`/api/office/reports/day?${words}`)), words));
  return [h("div", { class: "forms" }, form), shown];
}

/** @param {string} at */
function clock(at) {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** @param {Record<string, any>} values */
function query(values) {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
}

/** @param {DayReport} made @param {string} words */
function figures(made, words) {
  const { cage } = made;
  return [
    h(
      "p",
      { class: "row" },
      h("strong", { text: `Gaming day ${made.day}${made.closed_by ? `, closed by ${made.closed_by}` : ", not closed"}` }),
      h("a", { class: "button", href: `/office/day?${words}`, text: "Print view" }),
      h("a", { class: "button", href: `/office/figures?${words}`, text: "Charts, for managers" }),
    ),
    listTable(
      "Cage",
      ["Day", "Cash in", "Cash out", "Bank", "Transfers", "At tables"],
      [[made.day, cage.cash_in, cage.cash_out, cage.bank, cage.transfers, cage.at_tables]],
    ),
    listTable(
      "Tables",
      ["Table", "Rounds", "Drop", "Cash out", "Rake", "Win", "Jackpot"],
      made.tables.map((t) => [t.table, `${t.rounds}`, t.buy_in, t.cash_out, t.rake, t.win, t.from_jackpot]),
      "No table was open.",
    ),
    listTable(
      "What went wrong, and how it was ruled",
      ["Table", "Reported", "By the book", "By discretion", "Misdeals", "Voids"],
      made.tables.map((t) => [t.table, ...[t.irregularities, t.by_the_book, t.rulings, t.misdeals, t.voids].map(String)]),
      "No table was open.",
    ),
    listTable(
      "Staff",
      ["Name", "Rank", "Decisions", "Reported", "By the book", "By discretion", "Voids"],
      made.staff.map((s) => [s.name, s.rank, ...[s.decisions, s.irregularities, s.by_the_book, s.rulings, s.voids].map(String)]),
      "Nobody reported or ruled anything.",
    ),
    listTable(
      "Who dealt",
      ["Table", "Dealer", "From", "Until", "Rounds", "Relieved"],
      made.dealers.map((d) => [d.table, d.dealer, clock(d.since), clock(d.until), `${d.rounds}`, d.relieved || "nobody"]),
      "Nobody dealt by hand.",
    ),
  ];
}
