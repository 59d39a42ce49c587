// Coming to the desk: its token, who one is known as, and where it stands.

import { NotDone, ask, useToken } from "./server.js";

/** @typedef {{token: string, who: string | null, house: string, area: string, mode: string}} Hello */

/** Null if the desk wants its PIN first: the browser is on its way there. @returns {Promise<Hello | null>} */
export async function hello() {
  try {
    const found = await ask("/api/ask/desk");
    useToken(found.token);
    return found;
  } catch (error) {
    if (!(error instanceof NotDone) || error.error !== "pin") throw error;
    location.assign(`/pin?then=${encodeURIComponent(location.pathname)}`);
    return null;
  }
}
