// Limits that a player sets, a break, exclusion, and what was played: where money is real.

import { h, fill, setText } from "./dom.js";
import { confirmed, openDialog } from "./dialogs.js";
import { money, readMoney, signed } from "./money.js";
import { ask } from "./session.js";

/** @import {OwnLimits, OwnLimitNow, Statement} from "./records.js" */

/** @type {Record<OwnLimitNow["limit"], string>} */
const NAMES = {
  loss: "Most to lose in a day",
  deposit: "Most to pay in on a day",
  session: "Longest session",
};

/** @param {OwnLimitNow["limit"]} limit @param {number | null} to */
function inWords(limit, to) {
  if (to === null) return "no limit";
  return limit === "session" ? `${to} minutes` : money(to);
}

/** The way to one's limits. */
export function limitsButton() {
  return h("button", {
    class: "button quiet small",
    type: "button",
    text: "Limits and statement",
    onclick: openLimits,
  });
}

async function openLimits() {
  const rows = h("div", { class: "own-limits" });
  const played = h("div", { class: "statement" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  openDialog("Limits and statement", h("div", { class: "inside" }, rows, wrong, played));
  /** @param {Promise<OwnLimits>} change */
  const take = async (change) => {
    try {
      show(await change);
      setText(wrong, "");
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
    }
  };
  /** @param {OwnLimits} now */
  const show = (now) => fill(rows, ...now.limits.map((each) => limitRow(each, take)), awayRow(now, take));
  await take(ask("/api/own-limits"));
  ask("/api/statement").then(
    (found) => fill(played, ...statementOf(found)),
    (error) => setText(wrong, error.message),
  );
}

/** @param {OwnLimitNow} each @param {(change: Promise<OwnLimits>) => void} take */
function limitRow({ limit, to, will_be: later, since }, take) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": NAMES[limit] })
  );
  const form = h(
    "form",
    { class: "field" },
    h("span", { text: `${NAMES[limit]}: ${inWords(limit, to)}` }),
    since ? h("small", { text: `${inWords(limit, later)} from ${new Date(since).toLocaleString()} on` }) : null,
    input,
    h("button", { class: "button small", type: "submit", text: "Set" }),
    to === null
      ? null
      : h("button", {
          class: "button quiet small",
          type: "button",
          text: "Take away",
          onclick: () => take(ask("/api/own-limits", { limit, to: null })),
        }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = limit === "session" ? (/^\d{1,4}$/.test(input.value) ? Number(input.value) : null) : readMoney(input.value);
    if (typed === null) take(Promise.reject(new Error(`“${input.value}” is no ${limit === "session" ? "number of minutes" : "amount"}.`)));
    else take(ask("/api/own-limits", { limit, to: typed }));
  });
  return form;
}

/** @param {OwnLimits} now @param {(change: Promise<OwnLimits>) => void} take */
function awayRow({ away_until: until, excluded }, take) {
  /** @param {number} days @param {boolean} exclusion @param {string} text */
  const button = (days, exclusion, text) =>
    h("button", {
      class: "button small",
      type: "button",
      text,
      onclick: async () => {
        const sure = await confirmed({
          title: exclusion ? "Be excluded?" : "Take a break?",
          says: `For ${days === 1 ? "a day" : `${days} days`} you can bring no money and play no round here. Nobody can make that shorter. You may always take your money out.`,
          does: text,
          not: "Back",
        });
        if (sure) take(ask("/api/stay-away", { days, exclusion }));
      },
    });
  const says = until
    ? `You ${excluded ? "are excluded" : "take a break"} until ${new Date(until).toLocaleString()}.`
    : "A break or exclusion is never shortened.";
  return h(
    "div",
    { class: "field" },
    h("span", { text: says }),
    h("div", { class: "row" }, button(1, false, "Break for a day"), button(7, false, "Break for a week"), button(180, true, "Exclude me for half a year")),
  );
}

/** @param {Statement} found */
function statementOf({ days, deposits, withdrawals, tables, net }) {
  const body = h("tbody");
  for (const { place, paid, received } of tables)
    body.append(
      h("tr", {}, h("th", { scope: "row", text: place }), h("td", { text: money(paid) }), h("td", { text: money(received) }), h("td", { text: signed(received - paid) })),
    );
  return [
    h("h3", { text: `The last ${days} days` }),
    h("p", { text: `Paid in ${money(deposits)}, taken out ${money(withdrawals)}; at the tables ${signed(net)}.` }),
    h(
      "table",
      { class: "pays" },
      h("thead", {}, h("tr", {}, ...["Table", "Brought", "Taken back", "Result"].map((word) => h("th", { scope: "col", text: word })))),
      body,
    ),
  ];
}
