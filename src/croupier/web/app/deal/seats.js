// The seats or boxes of the table, each a button: who sits there, with what, and how it stands.

import { h } from "../dom.js";
import { makeCard } from "../cards.js";
import { capital } from "../desk/words.js";
import { money } from "../money.js";

/** @import {DealTable, DealerSeat} from "../records.js" */

/** @param {DealTable} table @param {number | null} current @param {(seat: number) => void} choose */
export function seatsPart(table, current, choose) {
  return h(
    "ul",
    { class: "deal-seats", "aria-label": `${capital(table.seat_word)}s` },
    ...table.view.seats.map((seat) => h("li", {}, seatButton(table, seat, current === seat.seat, choose))),
  );
}

/** A bet as the book calls it. @param {string} bet */
export function betName(bet) {
  return bet === "progressive" ? "Progressive Jackpot bet" : capital(bet);
}

/** @param {DealTable} table @param {DealerSeat} seat @param {boolean} on @param {(seat: number) => void} choose */
function seatButton(table, seat, on, choose) {
  const awaited = table.view.awaited.includes(seat.seat);
  const bets = Object.entries(seat.bets);
  return h(
    "button",
    {
      type: "button",
      class: `deal-seat${awaited ? " awaited" : ""}${seat.player ? "" : " free"}${seat.says === "folded" ? " out" : ""}`,
      "data-seat": seat.seat,
      "aria-pressed": String(on),
      onclick: () => choose(seat.seat),
    },
    h("span", { class: "number", text: seat.seat }),
    h(
      "span",
      { class: "who" },
      h("strong", { text: seat.player || "Free" }),
      ...seat.marks.map((mark) => h("span", { class: "mark", text: mark })),
    ),
    seat.chips === null ? null : h("span", { class: "stack", text: money(seat.chips) }),
    h(
      "span",
      { class: "lies" },
      ...bets.map(([bet, amount]) => h("span", { class: "bet", text: `${betName(bet)} ${money(amount)}` })),
      seat.says ? h("span", { text: seat.says }) : null,
      awaited && !seat.says ? h("span", { class: "to-act", text: "to act" }) : null,
    ),
    seat.cards.length ? h("span", { class: "held" }, ...seat.cards.map((card) => makeCard(card))) : null,
  );
}
