// What has changed of a view, put onto the view before. The server sends a patch to who takes them
// (docs/protocol.md); the view before stays as it is, for whoever compares both.

/** @import {BankedView, Patch, PokerView} from "./records.js" */

/** The view that follows.
 * @template {PokerView | BankedView} View
 * @param {View} view
 * @param {Patch} patch
 * @returns {View} */
export function patched(view, patch) {
  /** @type {Record<string, any>} */
  const made = { ...view, ...patch.set };
  for (const [field, each] of Object.entries(patch.each ?? {})) {
    const records = { ...made[field] };
    for (const [key, changed] of Object.entries(each)) {
      if (changed === null) delete records[key];
      else records[key] = { ...records[key], ...changed };
    }
    made[field] = records;
  }
  return /** @type {View} */ (made);
}
