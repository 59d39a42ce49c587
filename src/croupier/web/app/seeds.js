// This player's part of the shuffles: his page chooses a seed, sends its hash before the House
// commits, and opens it when the table shuffles. It also keeps what the House committed to.

import { canCheck, listed, toHex } from "./commitments.js";

/** @import {ShuffleMessage} from "./records.js" */
/** @import {Told} from "./commitments.js" */

const KEPT = 60;

/** @typedef {{number: number, seed: string, opened?: boolean}} Seed */

export class Seeds {
  /** @type {ShuffleMessage | null} */
  #last = null;
  /** @type {string | null} */
  #me = null;
  #seated = false;
  #sent = 0;

  /** @param {string} place @param {(seed: {number: number, hash?: string, open?: string}) => void} send */
  constructor(place, send) {
    this.place = place;
    this.send = send;
    this.toldKey = `croupier commitments ${place}`;
  }

  /** A connection begins: what was sent over the one before may be lost. @param {string | null} me @param {ShuffleMessage | null} message */
  greet(me, message) {
    this.#me = me;
    this.#sent = 0;
    const newest = Math.max(0, ...Object.keys(this.#told()).map(Number));
    if (message && message.number < newest) keep(this.toldKey, {}); // it is another log
    if (message) this.hear(message);
  }

  /** @param {boolean} seated whether he sits here, and so takes part */
  sits(seated) {
    this.#seated = seated;
    this.#offer();
  }

  /** @param {ShuffleMessage} message */
  hear(message) {
    this.#last = message;
    if (message.number) {
      const told = this.#told();
      told[message.number] ??= {
        digest: message.digest,
        root: message.root,
        round: message.for_round,
        seeds: listed(message.seeds),
      };
      for (const old of Object.keys(told).map(Number).sort((a, b) => b - a).slice(KEPT))
        delete told[old];
      keep(this.toldKey, told);
    }
    this.#open();
    this.#offer();
  }

  /** What this page was told of a commitment. @param {number} number @returns {Told | undefined} */
  toldOf(number) {
    return this.#told()[number];
  }

  /** What this page was told of a commitment for a round. @param {number} round @returns {Told | undefined} */
  toldFor(round) {
    return Object.values(this.#told()).find((told) => told.round === round);
  }

  /** The seed that this page has opened for a commitment. @param {number} number */
  openedFor(number) {
    return this.#seeds().find((each) => each.number === number && each.opened)?.seed;
  }

  /** Send the hash of a seed for the next commitment, once for each connection. */
  async #offer() {
    const next = this.#last?.next ?? 0;
    const me = this.#me;
    if (!canCheck || !this.#seated || me === null || !next || this.#sent === next) return;
    this.#sent = next;
    const { seedHash } = await import("./mixing.js");
    const hash = await seedHash(this.place, next, me, this.#seedFor(next));
    this.send({ number: next, hash });
  }

  /** Open the seed once the table shuffles, if its hash is the one that stands there. */
  async #open() {
    const message = this.#last;
    const me = this.#me;
    if (!canCheck || message?.stage !== "opening" || me === null) return;
    const seeds = this.#seeds();
    const mine = seeds.find((each) => each.number === message.number);
    const hash = message.seeds.find(({ player }) => player === me)?.hash;
    if (!mine || hash === undefined) return;
    const { seedHash } = await import("./mixing.js");
    if ((await seedHash(this.place, message.number, me, mine.seed)) !== hash) return;
    this.send({ number: message.number, open: mine.seed });
    mine.opened = true;
    keep(this.#seedKey(), seeds);
  }

  /** @param {number} number */
  #seedFor(number) {
    const seeds = this.#seeds();
    const known = seeds.find((each) => each.number === number && !each.opened);
    if (known) return known.seed;
    const seed = toHex(crypto.getRandomValues(new Uint8Array(32)));
    keep(this.#seedKey(), [{ number, seed }, ...seeds.filter((s) => s.number !== number)].slice(0, KEPT));
    return seed;
  }

  #seedKey() {
    return `croupier seeds ${this.place} ${this.#me}`;
  }

  /** @returns {Seed[]} */
  #seeds() {
    return kept(this.#seedKey()) ?? [];
  }

  /** @returns {Record<number, Told>} */
  #told() {
    return kept(this.toldKey) ?? {};
  }
}

/** Tabs of one browser share what is kept, so that all of them have the same seed. @param {string} key */
function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without a place to keep it the page takes part as long as it is open.
  }
}
