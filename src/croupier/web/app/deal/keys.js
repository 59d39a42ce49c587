// What is typed, one key after another, also while the server has not answered the last one yet. A card
// reader types as well, but faster than anybody: rank, suit and Enter within a few milliseconds. Such a
// burst is a card, whatever its letters would be as shortcuts, and its Enter confirms only what is whole.

/** Milliseconds between two keys of a reader at most. */
const FAST = 35;
const RANK = /^[2-9tjqka]$/i;
const SUIT = /^[cdhs]$/i;

/** @typedef {{key: string, at: number}} Pressed */
/** @typedef {{key: string} | {card: string, ended: boolean}} Typed a key, or a card that a reader has typed */

/** A card as it is written: `As`. @param {string} rank @param {string} suit */
export function cardOf(rank, suit) {
  return rank.toUpperCase() + suit.toLowerCase();
}

/** @param {string} key */
export function isRank(key) {
  return RANK.test(key);
}

/** @param {string} key */
export function isSuit(key) {
  return SUIT.test(key);
}

export class KeyReader {
  /** @type {Pressed[]} */
  #queue = [];
  #at_work = false;
  /** @type {() => void} */
  #came = () => {};

  /** @param {(typed: Typed) => Promise<boolean>} take false: what was typed after it is dropped
   * @param {(dropped: number) => void} drop */
  constructor(take, drop) {
    this.take = take;
    this.drop = drop;
  }

  /** @param {string} key @param {number} at */
  put(key, at) {
    this.#queue.push({ key, at });
    this.#came();
    this.#work();
  }

  async #work() {
    if (this.#at_work) return;
    this.#at_work = true;
    while (this.#queue.length) {
      const typed = await this.#next();
      if (!(await this.take(typed)) && this.#queue.length) {
        this.drop(this.#queue.length);
        this.#queue = [];
      }
    }
    this.#at_work = false;
  }

  /** The next key, or the card of a burst. @returns {Promise<Typed>} */
  async #next() {
    const first = /** @type {Pressed} */ (this.#queue.shift());
    const ten = first.key === "1" && (await this.#follows(first, (key) => key === "0"));
    const last = ten ? /** @type {Pressed} */ (this.#queue.shift()) : first;
    if (!ten && !isRank(first.key)) return { key: first.key };
    if (!(await this.#follows(last, isSuit))) {
      if (ten) this.#queue.unshift(last);
      return { key: first.key };
    }
    const suit = /** @type {Pressed} */ (this.#queue.shift());
    const ended = await this.#follows(suit, (key) => key === "Enter");
    if (ended) this.#queue.shift();
    return { card: cardOf(ten ? "T" : first.key, suit.key), ended };
  }

  /** Whether such a key follows as fast as a reader types. @param {Pressed} before
   * @param {(key: string) => boolean} such */
  async #follows(before, such) {
    if (!this.#queue.length) {
      const left = before.at + FAST - performance.now();
      if (left > 0)
        await new Promise((done) => {
          this.#came = () => done(undefined);
          setTimeout(done, left);
        });
      this.#came = () => {};
    }
    const next = this.#queue[0];
    return next !== undefined && next.at - before.at <= FAST && such(next.key);
  }
}
