// What a player is asked about once more before it is sent: all his chips, and a fold that he need not make.

import { confirmed } from "./dialogs.js";
import { money } from "./money.js";
import { setting } from "./settings.js";

/** @import {Offer, SeatView} from "./records.js" */

/** @typedef {{title: string, says: string, does: string, not: string}} Doubt */

/** @param {Offer} offer @param {Offer[]} offers @param {SeatView} mine @param {number} amount
 * @returns {Doubt | null} */
function doubtOf(offer, offers, mine, amount) {
  const all = mine.stake + mine.bet;
  if (offer.do === "fold" && offers.some((each) => each.do === "check"))
    return {
      title: "Fold?",
      says: "You can check for nothing and stay in the round.",
      does: "Fold nonetheless",
      not: "Do not fold",
    };
  const wagers = offer.do === "bet" || offer.do === "raise";
  const puts = offer.do === "all in" ? all : wagers ? amount : offer.do === "call" ? offer.least ?? 0 : 0;
  if (puts < all || !mine.stake) return null;
  return {
    title: "All-in?",
    says: mine.bet
      ? `That is everything that you have left at this table: ${money(mine.stake)}, which makes your bet ${money(all)}.`
      : `That is everything that you have at this table: ${money(mine.stake)}.`,
    does: offer.do === "call" ? `Call ${money(mine.stake)}, all-in` : `All-in ${money(all)}`,
    not: "Do not",
  };
}

/**
 * Whether he is sure; asked once, and only about what costs much. `over` ends the question with the turn.
 * @param {Offer} offer @param {Offer[]} offers @param {SeatView} mine @param {number} amount @param {AbortSignal} over
 */
export async function isSure(offer, offers, mine, amount, over) {
  const doubt = setting("confirm") ? doubtOf(offer, offers, mine, amount) : null;
  return doubt === null || (await confirmed(doubt, over));
}
