// One seat of a poker table: empty and to be taken, or with its player, his cards and his marks.

import { h, setAttr, setText, show } from "./dom.js";
import { cardNames, lift, UNKNOWN } from "./cards.js";
import { setClock } from "./clock.js";
import { money } from "./money.js";
import { makeTaken, part, setHole, setMarks } from "./plate.js";

/** @import {PokerView, SeatView} from "./records.js" */
/** @import {PokerShown} from "./shown.js" */

/** @param {number} seat @param {(seat: number) => void} sit */
export function makeSeat(seat, sit) {
  const empty = h("button", { class: "empty", type: "button", onclick: () => sit(seat) });
  empty.append(h("span", { text: "Sit" }), h("small", { text: `seat ${seat}` }));
  setAttr(empty, "aria-label", `Sit down at seat ${seat}`);
  return h("li", { class: "seat" }, empty, makeTaken());
}

/**
 * @param {HTMLElement} node @param {number} seat @param {PokerShown} table
 * @param {string | undefined} said what its player has said or done in this Betting Round
 * @param {string[]} kept his own cards that he has folded: he may still think of them
 */
export function updateSeat(node, seat, table, said, kept) {
  const { view, bots, away, clock } = table;
  const taken = view.seats[seat];
  const mine = view.yours.includes(seat);
  const turn = view.turn === seat;
  const empty = /** @type {HTMLButtonElement} */ (part(node, ".empty"));
  show(empty, !taken);
  empty.disabled = view.yours.length > 0 || !table.maySit;
  setText(/** @type {Element} */ (empty.firstElementChild), empty.disabled ? "Free" : "Sit");
  show(part(node, ".taken"), Boolean(taken));
  node.classList.toggle("mine", mine);
  node.classList.toggle("turn", turn);
  if (!taken) return;
  const lost = taken.here && away.includes(taken.player);
  const bot = bots.includes(taken.player);
  node.classList.toggle("out", !taken.here || lost || taken.folded);
  node.classList.toggle("won", taken.won > 0);
  setText(part(node, ".name span"), taken.player);
  show(part(node, ".tag.bot"), bot);
  setText(part(node, ".worth"), money(taken.stake));
  const cards = cardsOf(taken);
  setHole(node, cards.length ? cards : kept);
  node.classList.toggle("gone", !cards.length && kept.length > 0);
  lift(part(node, ".hole"), bestOf(view, seat));
  const marks = marksOf(taken, view, seat, lost, said);
  setMarks(node, marks);
  setClock(part(node, ".ring"), clock?.for?.includes(seat) ? clock : null);
  setText(part(node, ".about"), about(taken, seat, { mine, bot, turn, marks, view }));
}

/** The five cards of the hand that won a pot, where this seat has won one. @param {PokerView} view
 * @param {number} seat @returns {string[]} */
function bestOf(view, seat) {
  return view.settlement.find((pot) => pot.winners.includes(seat))?.best ?? [];
}

/** What lies before him: his hand, or his card in the draw for the button. @param {SeatView} taken @returns {string[]} */
function cardsOf(taken) {
  if (taken.folded || taken.mucked) return [];
  if (taken.cards.length) return taken.cards;
  return taken.face_up ? [taken.face_up] : [];
}

/**
 * @param {SeatView} taken @param {PokerView} view @param {number} seat @param {boolean} lost
 * @param {string | undefined} said @returns {import("./plate.js").Mark[]}
 */
function marksOf(taken, view, seat, lost, said) {
  const marks = [];
  const won = taken.won > 0;
  if (won) marks.push({ kind: "won", text: `+${money(taken.won)}` });
  if (taken.all_in && view.betting_round !== null) marks.push({ kind: "all-in", text: "All-in" });
  else if (said && !won) marks.push({ kind: "said", text: said });
  else if (view.straddle === seat && view.betting_round === 1) {
    marks.push({ kind: "said", text: "Straddle" });
  }
  if (taken.hand && !won)
    marks.push({ kind: "hand", text: taken.hand.split(", ").slice(0, 2).join(", ") });
  if (!taken.here) marks.push({ kind: "away", text: "Away" });
  else if (lost) marks.push({ kind: "away", text: "No connection" });
  if (taken.missed) {
    const text = taken.missed === "both" ? "Missed blinds" : `Missed ${taken.missed} blind`;
    marks.push({ kind: "missed", text });
  }
  if (taken.entering && taken.here) marks.push({ kind: "waits", text: "Waits to come in" });
  return marks;
}

/**
 * A seat in words. @param {SeatView} taken @param {number} seat
 * @param {{mine: boolean, bot: boolean, turn: boolean, marks: import("./plate.js").Mark[], view: PokerView}} more
 */
function about(taken, seat, { mine, bot, turn, marks, view }) {
  const who = mine ? "you" : taken.player;
  const parts = [`Seat ${seat}: ${who}${bot ? ", a bot" : ""}, stake ${money(taken.stake)}`];
  if (taken.bet) parts.push(`bet ${money(taken.bet)}`);
  if (view.button === seat) parts.push("dealer button");
  const cards = cardsOf(taken);
  if (taken.folded) parts.push("folded");
  else if (cards.some((card) => card !== UNKNOWN)) parts.push(cardNames(cards));
  else if (cards.length) parts.push("two cards face down");
  for (const mark of marks) if (mark.kind !== "said") parts.push(mark.text);
  if (turn) parts.push(mine ? "your turn" : "to act");
  return `${parts.join(", ")}.`;
}
