// What this device remembers: the book of the table it is used at, whose hand it is in, where, and
// what the House has chosen. It is sent with a question and nowhere else.

const KEY = "croupier-desk";

/** @typedef {{book?: string, who?: string, area?: string,
 *   policies?: Record<string, Record<string, string>>}} Device */

/** @returns {Device} */
export function device() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Device} change */
export function remember(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...device(), ...change }));
  } catch {
    // a device that keeps nothing asks for the book each time
  }
}
