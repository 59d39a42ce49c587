// The spots of a box as they lie on the layout: what lies on each, what may be done there, and what
// became of it.

import { h, setAttr, setText } from "./dom.js";
import { chipStack } from "./chips.js";
import { counts, meansNow } from "./guard.js";
import { keyed } from "./keys.js";
import { JACKPOT, money } from "./money.js";

/** @import {BoxView, Payout} from "./records.js" */
/** @import {BankedShown} from "./shown.js" */

const SPOTS = [
  { bet: "progressive", name: JACKPOT, key: "p" },
  { bet: "bonus", name: "Bonus", key: "o" },
  { bet: "ante", name: "Ante", key: "a" },
  { bet: "flop", name: "Flop", key: "" },
  { bet: "turn", name: "Turn", key: "" },
  { bet: "river", name: "River", key: "" },
];

/** Bets that are placed before the close, in the order in which they are placed. */
export const OPENING = ["ante", "bonus", "progressive"];

/** @param {string} bet */
export function spotName(bet) {
  return SPOTS.find((each) => each.bet === bet)?.name ?? bet;
}

/** As much of a box as is there before anything of the player's lies in it.
 * @typedef {Pick<BoxView, "cards" | "stakes" | "may" | "payouts" | "lines_paid" | "result"> & Partial<BoxView>} Box */
/** What may be done at a spot, from the least to the most.
 * @typedef {{do: string, least: number, most: number}} Spot */

/**
 * What the spots are shown for: the box as the view has it (nothing of it if it is not his yet),
 * the table, the chip in hand, and what was sent and not yet answered.
 * @typedef {{number: number, box: Box, table: BankedShown, chip: number, extra: boolean, sent: Map<string, number>}} Shown
 */

/** @param {(bet: string) => void} tap */
export function makeSpots(tap) {
  const node = h("div", { class: "spots", role: "group", "aria-label": "Bets" });
  for (const { bet, name, key } of SPOTS) {
    const spot = h(
      "button",
      { class: `spot ${bet}`, type: "button", "data-bet": bet },
      h("span", { class: "spot-name", text: name }),
      chipStack(0),
      h("strong"),
      h("span", { class: "spot-result" }),
    );
    // Every tap adds a chip before the close, but for the jackpot bet, which lies there or does not: a
    // double click must not take it back. Afterwards a spot is a decision, and taken once.
    const adds = bet === "ante" || bet === "bonus";
    spot.addEventListener("click", (event) => {
      if (adds || (OPENING.includes(bet) && event.detail < 2) || counts(event)) tap(bet);
    });
    node.append(key ? keyed(spot, key) : spot);
  }
  return node;
}

/** @param {HTMLElement} spots @param {Shown} shown */
export function updateSpots(spots, shown) {
  for (const spot of spots.children) updateSpot(/** @type {HTMLButtonElement} */ (spot), shown);
}

/** @param {HTMLButtonElement} spot @param {Shown} shown */
function updateSpot(spot, shown) {
  const bet = spot.dataset.bet ?? "";
  const payout = shown.box.payouts?.[bet];
  const amount = lying(bet, shown) || payout?.staked || 0;
  const offer = offerAt(bet, shown);
  const result = payout ? resultOf(payout) : "";
  const find = (/** @type {string} */ what) => /** @type {Element} */ (spot.querySelector(what));
  setAttr(find("chip-stack"), "amount", amount);
  setText(find("strong"), amount ? money(amount) : hint(bet, shown, offer));
  setText(find(".spot-result"), result);
  spot.disabled = !offer;
  if (!OPENING.includes(bet)) meansNow(spot, offer ? `${shown.table.view.round} ${shown.number}` : "");
  spot.classList.toggle("lies", amount > 0);
  spot.classList.toggle("offered", Boolean(offer));
  spot.classList.toggle("won", (payout?.won ?? 0) > 0);
  spot.classList.toggle("lost", (payout?.lost ?? 0) > 0);
  const parts = [`${spotName(bet)}: ${amount ? money(amount) : "nothing"}`];
  if (result) parts.push(result);
  if (offer) parts.push(deed(bet, offer, amount, shown.chip));
  setAttr(spot, "aria-label", parts.join(", "));
}

/** What lies on a spot now, or will in a moment. @param {string} bet @param {Shown} shown @returns {number} */
export function lying(bet, { number, box, sent }) {
  return sent.get(`${number} ${bet}`) ?? box.stakes?.[bet] ?? 0;
}

/** What may be done at a spot now. @param {string} bet @param {Shown} shown @returns {Spot | undefined} */
export function offerAt(bet, { number, box, table, extra, sent }) {
  const { view, sign } = table;
  const find = (/** @type {string} */ what) =>
    spotOf(box.may.find((offer) => offer.do === what));
  if (!OPENING.includes(bet)) return find(`${bet} bet`);
  if (view.status !== "bets open") return undefined;
  const offered = find(`place ${bet}`) ?? (box.stakes?.[bet] ? find(`withdraw ${bet}`) : undefined);
  if (offered) return offered;
  // An Ante that is on its way opens the other spots: the table takes commands in their order.
  const opens = bet === "ante" ? extra : sent.has(`${number} ante`);
  if (!opens || (bet === "progressive" && !view.progressive_taken)) return undefined;
  const { limits } = sign;
  const least = bet === "progressive" ? limits.progressive : limits[`${bet}_minimum`];
  const most = bet === "progressive" ? limits.progressive : limits[`${bet}_maximum`];
  const chips = view.chips ?? Infinity;
  return chips >= least ? { do: `place ${bet}`, least, most: Math.min(most, chips) } : undefined;
}

/** An offer with its amounts; one without an amount has none to say.
 * @param {import("./records.js").Offer | undefined} offer @returns {Spot | undefined} */
function spotOf(offer) {
  return offer && { do: offer.do, least: offer.least ?? 0, most: offer.most ?? Infinity };
}

/** What an empty spot says. @param {string} bet @param {Shown} shown @param {Spot | undefined} offer */
function hint(bet, { box, table }, offer) {
  const { sign, view } = table;
  if (bet === "progressive") {
    return view.progressive_taken ? money(sign.limits.progressive) : "closed";
  }
  const antes = sign.multiples[bet];
  if (antes) return box.stakes?.ante ? money(antes * box.stakes.ante) : `${antes}×`;
  return offer ? `${money(offer.least)}+` : "";
}

/** What a tap does, in words. @param {string} bet @param {Spot} offer @param {number} amount @param {number} chip */
function deed(bet, offer, amount, chip) {
  if (bet === "progressive" && amount) return "take back";
  if (bet === "ante" || bet === "bonus") {
    const more = Math.min(offer.most, Math.max(offer.least, amount + chip)) - amount;
    return more > 0 ? `add ${money(more)}` : "no more may lie there";
  }
  return `place ${money(offer.least)}`;
}

/** @param {Payout} payout */
function resultOf(payout) {
  if (payout.won) return `+${money(payout.won)}`;
  if (payout.lost) return `−${money(payout.lost)}`;
  return payout.returned ? "back" : "";
}
