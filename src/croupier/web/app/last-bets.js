// The bets of the last round that a player has played at a table, kept in the tab to be repeated.

import { OPENING } from "./spots.js";

/** @import {BankedView} from "./records.js" */

/** @typedef {Record<string, number>} Bets by the name of the bet */

/** @param {string} place @returns {[number, Bets][]} box by box */
export function lastBets(place) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(`bets ${place}`) ?? "{}");
    return Object.entries(kept).map(([box, bets]) => [Number(box), bets]);
  } catch {
    return [];
  }
}

/** Keep what lies there once betting has closed. @param {string} place @param {BankedView} view */
export function keepBets(place, view) {
  if (view.status === "bets open" || view.status === "between rounds") return;
  /** @type {Record<string, Bets>} */
  const bets = {};
  for (const number of view.yours) {
    const { stakes } = view.boxes[number];
    if (!stakes?.ante) continue;
    bets[number] = {};
    for (const bet of OPENING) if (stakes[bet]) bets[number][bet] = stakes[bet];
  }
  if (Object.keys(bets).length) sessionStorage.setItem(`bets ${place}`, JSON.stringify(bets));
}
