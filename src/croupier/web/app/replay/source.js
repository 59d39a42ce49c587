// Where a replay comes from: a round of the House, a shipped case, a file that somebody dropped, or
// the page itself, which then needs no server.

import { ask, whoAmI } from "../session.js";

/** @import {Equities, HandsAnswer, Replay, ReplayAnswer, ShuffleProof} from "../records.js" */

/**
 * @typedef {object} Found a replay, and what may be asked of it
 * @property {Replay} replay
 * @property {string[]} seenAs as whom it may be seen
 * @property {string[]} formats in which it can be written
 * @property {string[]} [hands] of a file with several
 */

/**
 * @typedef {object} Source
 * @property {(seenAs?: string) => Promise<Found>} load
 * @property {((step: number, seenAs: string) => Promise<Equities>) | null} equities
 * @property {((seenAs: string) => Promise<ShuffleProof[]>) | null} proofs
 * @property {((format: string, seenAs: string) => Promise<Blob>) | null} write
 * @property {((hand: number) => Promise<Found>) | null} [hand] another hand of the same file
 */

/** @param {ReplayAnswer} answer @returns {Found} */
function found({ replay, seen_as, formats }) {
  return { replay, seenAs: [...seen_as], formats: [...formats] };
}

/** @param {string | undefined} seenAs @param {Record<string, string>} [more] */
function query(seenAs, more = {}) {
  const params = new URLSearchParams(more);
  if (seenAs !== undefined) params.set("as", seenAs);
  const text = params.toString();
  return text ? `?${text}` : "";
}

/** A round of the House. @param {string} place @param {string} round @returns {Source} */
export function ofRound(place, round) {
  const base = `/api/tables/${encodeURIComponent(place)}/rounds/${round}`;
  return {
    load: async (seenAs) => found(await get(`${base}/replay${query(seenAs)}`)),
    equities: (step, seenAs) => get(`${base}/equities${query(seenAs, { step: String(step) })}`),
    proofs: async (seenAs) => (await get(`${base}/proofs${query(seenAs)}`)).shuffles,
    write: async (format, seenAs) => {
      const response = await fetch(`${base}/export/${format}${query(seenAs)}`);
      if (response.ok) return response.blob();
      throw new Error((await response.json()).says);
    },
  };
}

/** A shipped case. @param {string} book @param {string} source @returns {Source} */
export function ofCase(book, source) {
  const path = source.split("/").map(encodeURIComponent).join("/");
  const base = `/api/cases/${encodeURIComponent(book)}`;
  return {
    load: async (seenAs) => found(await get(`${base}/replay/${path}${query(seenAs)}`)),
    equities: (step, seenAs) =>
      get(`${base}/equities/${path}${query(seenAs, { step: String(step) })}`),
    proofs: null,
    write: null,
  };
}

/** A file of hands. @param {string} name @param {string} text @returns {Source} */
export function ofFile(name, text) {
  let hand = 0;
  /** @param {HandsAnswer} answer @returns {Found} */
  const made = ({ replay, formats, hands }) => ({
    replay,
    seenAs: ["*"],
    formats: [...formats],
    hands: [...hands],
  });
  const load = async () => {
    await whoAmI();
    return made(await ask("/api/hands/replay", { name, text, hand }));
  };
  return {
    load,
    equities: (step) => ask("/api/hands/equities", { name, text, hand, step }),
    proofs: null,
    write: async (format) => {
      const me = await whoAmI();
      const response = await fetch("/api/hands/export", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Croupier-Token": me.token },
        body: JSON.stringify({ name, text, hand, format }),
      });
      if (response.ok) return response.blob();
      throw new Error((await response.json()).says);
    },
    hand: (number) => {
      hand = number;
      return load();
    },
  };
}

/**
 * What stands in the page itself.
 * @typedef {{answers: Record<string, ReplayAnswer>, equities: Record<string, Equities>,
 *   files: Record<string, string>, proofs: ShuffleProof[]}} Inside
 */

/** @param {Inside} inside @returns {Source} */
export function ofPage(inside) {
  const [first] = Object.keys(inside.answers);
  const seenAs = Object.keys(inside.answers);
  return {
    load: async (wanted) => ({
      ...found(inside.answers[wanted ?? first]),
      seenAs,
      formats: Object.keys(inside.files),
    }),
    equities: Object.keys(inside.equities).length
      ? async (step) =>
          inside.equities[step] ?? { hands: [], exact: false, says: "No hands to compare here." }
      : null,
    proofs: inside.proofs.length ? async () => inside.proofs : null,
    write: async (format) => new Blob([inside.files[format]], { type: "text/plain" }),
  };
}

/** @param {string} path @returns {Promise<any>} */
async function get(path) {
  return ask(/** @type {any} */ (path));
}
