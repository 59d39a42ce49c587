// What the page asks of the server, and what it sends. An order keeps its id until it was answered, so
// that one which is sent twice counts once.

import { ask, whoAmI } from "../session.js";
import { newId } from "../pit/words.js";

/** @import {DealTable} from "../records.js" */
/** @typedef {import("./form.js").Word} Word */

/** @param {string} place @returns {Promise<DealTable>} */
export function readTable(place) {
  return ask(`/api/deal/${encodeURIComponent(place)}`);
}

/** @param {string} place @param {string} id @param {Record<string, any>} command @param {Word | null} word
 * @param {boolean} again whether it was sent before: the server may have been started anew since */
export async function give(place, id, command, word, again) {
  if (again) await whoAmI();
  const path = encodeURIComponent(place);
  if (!word) return ask(`/api/tables/${path}/commands`, /** @type {any} */ ({ id, command }));
  const why = word.word === "cash" ? "paid in cash at the table" : "typed the PIN at the table";
  return ask(`/api/tables/${path}/for-player`, /** @type {any} */ ({ id, command, ...word, why }));
}

/** @param {string} place @param {number} decision @param {string} id @param {string} option @param {string} reason */
export function decide(place, decision, id, option, reason) {
  return ask(`/api/pit/decisions/${encodeURIComponent(place)}/${decision}`, { id, option, details: {}, reason });
}

/** Hold the table, so that nobody acts before something is reported; null where that cannot be.
 * @param {string} place @returns {Promise<number | null>} */
export async function look(place) {
  try {
    return (await ask(`/api/pit/tables/${encodeURIComponent(place)}/look`, { id: newId() })).hold.hold;
  } catch {
    return null; // somebody else holds it already
  }
}

/** Let it go on. @param {string} place @param {number} hold */
export async function release(place, hold) {
  try {
    await ask(`/api/pit/tables/${encodeURIComponent(place)}/hold/release`, { id: newId(), hold });
  } catch {
    // its time was over, or it was reported
  }
}
