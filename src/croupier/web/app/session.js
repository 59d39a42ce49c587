// Who the visitor is, and the HTTP API. Every change carries the token that the server gave.

/** @typedef {{name: string | null, rank: string, post: string | null, on_duty: boolean, token: string, play_money: number | null, seats: {place: string, seat: number}[], mode: string}} Me */

/** What the server says when it does not do what was asked. */
export class NotDone extends Error {}

let token = "";

/**
 * Ask the API. @param {string} path @param {Record<string, any>} [change] sent as a POST if given
 * @returns {Promise<any>}
 */
export async function ask(path, change) {
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
    throw new NotDone("The casino does not answer. Is the server running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new NotDone(answer.says || answer.error || `The server answered ${response.status}.`);
  return answer;
}

/** @returns {Promise<Me>} */
export async function whoAmI() {
  return remember(await ask("/api/me"));
}

/** Name yourself and get play money. @param {string} name @returns {Promise<Me>} */
export async function enter(name) {
  return remember(await ask("/api/enter", { name }));
}

/** Log in to an account. @param {string} name @param {string} password @returns {Promise<Me>} */
export async function login(name, password) {
  return remember(await ask("/api/login", { name, password }));
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
