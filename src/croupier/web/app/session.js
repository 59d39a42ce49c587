// Who the visitor is, and the HTTP API. Every change carries the token that the server gave.

/** @import {Ask, Me} from "./records.js" */

/** What the server says when it does not do what was asked. */
export class NotDone extends Error {
  /** @param {string} says @param {any} [answer] what the server said, whole */
  constructor(says, answer = {}) {
    super(says);
    this.answer = answer;
  }
}

/** No answer came: whether it was done is not known. */
export class NoAnswer extends NotDone {}

let token = "";

/** Ask the API; what is to be changed is sent as a POST. @type {Ask} */
export const ask = (/** @type {string} */ path, /** @type {object | undefined} */ change = undefined) =>
  send(path, change);

/** What comes back is what the server's list of paths says. @param {string} path
 * @param {object} [change] @returns {Promise<any>} */
async function send(path, change) {
  const init =
    change === undefined
      ? {}
      : {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Croupier-Token": token },
          body: JSON.stringify(change),
        };
  let response;
  try {
    response = await fetch(path, { ...init, credentials: "same-origin" });
  } catch {
    throw new NoAnswer("The casino does not answer. Is the server running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new NotDone(
      answer.says || answer.error || `The server answered ${response.status}.`,
      answer,
    );
  return answer;
}

/** Tell the server something while the page is being left; nobody waits for the answer.
 * @param {string} path @param {object} change */
export function askLeaving(path, change) {
  fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Croupier-Token": token },
    body: JSON.stringify(change),
    credentials: "same-origin",
    keepalive: true,
  }).catch(() => {});
}

/** A file that the server makes, byte for byte. @param {string} path @returns {Promise<Blob>} */
export async function makeFile(path) {
  const response = await fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "X-Croupier-Token": token },
  });
  if (response.ok) return response.blob();
  const answer = await response.json().catch(() => ({}));
  throw new NotDone(answer.says || `The server answered ${response.status}.`);
}

/** @returns {Promise<Me>} */
export async function whoAmI() {
  return remember(await ask("/api/me"));
}

/** Name yourself and get play money. @param {string} name @returns {Promise<Me>} */
export async function enter(name) {
  return remember(await ask("/api/enter", { name }));
}

/** Be the guest of a code, on this device too. @param {string} code @returns {Promise<Me>} */
export async function useCode(code) {
  return remember(await ask("/api/guest-code/use", { code }));
}

/** Try a post of the pit, in the demonstration. @param {string} name
 * @param {import("./records.js").StaffDoorBody["post"]} post @returns {Promise<Me>} */
export async function enterAsStaff(name, post) {
  return remember(await ask("/api/staff-door", { name, post }));
}

/**
 * Log in to an account. @param {string} name @param {string} password
 * @param {string} [code] of the second factor
 * @param {string} [note] of a key that is set up now
 * @returns {Promise<Me>}
 */
export async function login(name, password, code = "", note = "") {
  return remember(await ask("/api/login", { name, password, code, note }));
}

/** Bring play money that has run short back to where it began. @returns {Promise<Me>} */
export async function refill() {
  return remember(await ask("/api/refill", {}));
}

/** Forget the name, or log out. @returns {Promise<Me>} */
export async function exit() {
  return remember(await ask("/api/exit", {}));
}

/** @param {Me} me */
function remember(me) {
  if (me.token) token = me.token;
  return me;
}
