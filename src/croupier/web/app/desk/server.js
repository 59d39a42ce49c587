// The desk's server. A question that could not be put is put again until the server answers: whoever
// stands at a table does not lose what he has said.

import { h, setText, show } from "../dom.js";
import { capital } from "./words.js";

const AGAIN = 1_500;
const TOO_LONG = 8_000;
const GONE = [502, 503, 504];

/** What the server says when it does not do what was asked. */
export class NotDone extends Error {
  /** @param {string} says @param {number} status @param {string} error @param {string} path */
  constructor(says, status, error, path) {
    super(says);
    this.status = status;
    this.error = error;
    this.path = path;
  }
}

class Lost extends Error {}

const wire = h("p", { class: "wire", role: "status", hidden: true });
document.body.append(wire);

let token = "";

/** Changes carry the token of whoever is logged in, where there is one. @param {string} given */
export function useToken(given) {
  token = given;
}

/** @param {any} [change] @returns {RequestInit} */
function request(change) {
  if (change === undefined) return { credentials: "same-origin" };
  return {
    method: "POST",
    credentials: "same-origin",
    headers: {
      "Content-Type": "application/json",
      ...(token ? { "X-Croupier-Token": token } : {}),
    },
    body: JSON.stringify(change),
  };
}

/** @param {string} path @param {any} change @param {AbortSignal} [signal] */
async function once(path, change, signal) {
  const limit = AbortSignal.timeout(TOO_LONG);
  let response;
  try {
    response = await fetch(path, {
      ...request(change),
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
  } catch {
    if (signal?.aborted) throw new DOMException("no longer wanted", "AbortError");
    throw new Lost();
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  if (GONE.includes(response.status) && !answer.says) throw new Lost();
  const says = answer.says || answer.error || `The server answered ${response.status}.`;
  throw new NotDone(capital(says), response.status, answer.error ?? "", answer.path ?? "");
}

/** @param {number} wait */
function pause(wait) {
  return new Promise((done) => {
    setTimeout(done, wait);
    addEventListener("online", done, { once: true });
  });
}

/**
 * Ask the server, as often as it takes. @param {string} path @param {any} [change] sent as a POST
 * @param {AbortSignal} [signal] @returns {Promise<any>}
 */
export async function ask(path, change, signal) {
  for (;;) {
    try {
      const answer = await once(path, change, signal);
      show(wire, false);
      return answer;
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      setText(wire, "The desk has lost its server. What you have said is kept; trying again …");
      show(wire, true);
      await pause(AGAIN);
      if (signal?.aborted) throw new DOMException("no longer wanted", "AbortError");
    }
  }
}

/** Tell the server something on leaving: it is sent even if the page is gone by then.
 * @param {string} path */
export function tellOnLeaving(path) {
  fetch(path, { ...request({}), keepalive: true }).catch(() => {});
}

/** @param {string} book @param {string} paragraph */
export function paragraph(book, paragraph) {
  const path = `/api/ask/books/${encodeURIComponent(book)}/paragraphs/${encodeURIComponent(paragraph)}`;
  return remembered(path);
}

/** @type {Map<string, Promise<any>>} */
const read = new Map();

/** Read something that does not change while the page stands. @param {string} path */
export function remembered(path) {
  let found = read.get(path);
  if (!found) {
    found = ask(path);
    found.catch(() => read.delete(path));
    read.set(path, found);
  }
  return found;
}
