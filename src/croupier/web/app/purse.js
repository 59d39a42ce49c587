// What somebody has, in the casino's words: play money, or an account.

import { money } from "./money.js";

/** @typedef {import("./records.js").Me} Me */

/** Whether it is played for play money. @param {Me} me */
export function isPlayMoney(me) {
  return me.mode === "demonstration";
}

/** What somebody has, in the casino's words. @param {Me} me */
export function purseWords(me) {
  if (me.post) return me.on_duty ? me.post : `${me.post}, off duty`; // staff do not play
  if (me.play_money === null) return "";
  return isPlayMoney(me) ? `${money(me.play_money)} play money` : `Account ${money(me.play_money)}`;
}

/** What a purse is that has nothing left. @param {Me} me */
export function emptyPurse(me) {
  return isPlayMoney(me)
    ? "You have no more play money."
    : "There is no more money in your account; the cage takes it in.";
}
