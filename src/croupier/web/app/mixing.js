// How a deck is made of the House's secret and the players' seeds, as docs/shuffling.md says it:
// here as far as anybody can check it who is told no secret. Nothing but the browser's SHA-256.

import { listed, toHex } from "./commitments.js";

/** @import {ShuffleProof} from "./records.js" */
/** @import {Told} from "./commitments.js" */

const encoder = new TextEncoder();
const HASH_BYTES = 32;

/** @param {...Uint8Array} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {...Uint8Array} parts */
async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));
}

/** @param {string} value words of its own for each use, ended by a zero byte */
const words = (value) => encoder.encode(`croupier 1 ${value}\0`);

/** @param {number} value four bytes, the highest first */
function number(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** @param {string} value its length in bytes, then itself */
function text(value) {
  const written = encoder.encode(value);
  return joined(number(written.length), written);
}

/** @param {string} hex */
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** A stream of bytes that follows from a key. @param {Uint8Array} key @param {string} use @param {number} counter */
async function* stream(key, use, counter) {
  const usable = /** @type {Uint8Array<ArrayBuffer>} */ (key);
  const signing = await crypto.subtle.importKey(
    "raw", usable, { name: "HMAC", hash: "SHA-256" }, false, ["sign"],
  );
  for (let block = 0; ; block += 1) {
    const message = joined(words(use), number(counter), number(block));
    yield* new Uint8Array(await crypto.subtle.sign("HMAC", signing, message));
  }
}

/** The hash that a player sends of his seed. @param {string} table @param {number} committed @param {string} player @param {string} seed */
export async function seedHash(table, committed, player, seed) {
  return toHex(
    await sha256(words("seed"), text(table), number(committed), text(player), fromHex(seed)),
  );
}

/** The key of a mix. @param {{digest: string, committed_root: string, seeds: {player: string, seed: string}[]}} of */
export async function mixKey({ digest, committed_root, seeds }) {
  const parts = seeds.flatMap(({ player, seed }) => [text(player), fromHex(seed)]);
  return sha256(
    words("mix"), fromHex(digest), fromHex(committed_root), number(seeds.length), ...parts,
  );
}

/** Which place of the House's order lies in each place of the deck. @param {Uint8Array} key @param {number} counter @param {number} count */
export async function placesOf(key, counter, count) {
  const order = Array.from({ length: count }, (_, place) => place);
  const bytes = stream(key, "places", counter);
  for (let left = count; left > 1; ) {
    const { value } = await bytes.next();
    const byte = /** @type {number} */ (value);
    if (byte >= 256 - (256 % left)) continue; // else some places would be likelier than others
    const chosen = byte % left;
    left -= 1;
    [order[left], order[chosen]] = [order[chosen], order[left]];
  }
  return order;
}

/** How many cards the cut takes from the top. @param {Uint8Array} key @param {number} counter @param {number} count */
export async function cutOf(key, counter, count) {
  const among = count - 1;
  if (among === 1) return 1;
  for await (const byte of stream(key, "cut", counter))
    if (byte < 256 - (256 % among)) return 1 + (byte % among);
  return 0;
}

/** The root that a card leads to. @param {{salt: string, place: number, card: string, path: string[]}} opened @param {number} count */
export async function rootBy({ salt, place, card, path }, count) {
  if (!Number.isInteger(place) || place < 0 || place >= count) return "";
  let node = await sha256(
    Uint8Array.of(0), fromHex(salt), number(place), encoder.encode(card),
  );
  const partners = path.map(fromHex);
  let at = place;
  for (let row = count; row > 1; row = (row + 1) >> 1, at >>= 1) {
    if ((at ^ 1) >= row) continue; // the last of a row without a partner goes up as it is
    const partner = partners.shift();
    if (partner?.length !== HASH_BYTES) return "";
    node = await (at & 1
      ? sha256(Uint8Array.of(1), partner, node)
      : sha256(Uint8Array.of(1), node, partner));
  }
  return partners.length ? "" : toHex(node);
}

/** @typedef {{holds: boolean, says: string}} Found */

/** Check the shuffles of a round, with what this page has kept. @param {ShuffleProof[]} proofs @param {import("./seeds.js").Seeds} seeds
 * @param {number} round @param {string | null} me @returns {Promise<Found[]>} */
export async function checkRound(proofs, seeds, round, me) {
  /** @type {Found[]} */
  const found = [];
  for (const proof of proofs) {
    const told = proof.made === "mixed" ? seeds.toldOf(proof.number) : seeds.toldFor(round);
    found.push(...(await checkShuffle(proof, told, seeds.openedFor(proof.number), me, round)));
  }
  return found;
}

/** Check one shuffle. @param {ShuffleProof} proof @param {Told | undefined} told what this page was told of its commitment; where it names none, of one for this round
 * @param {string | undefined} mine the seed that this page has opened for it, and its player
 * @param {string | null} me @param {number} [round] @returns {Promise<Found[]>} */
export async function checkShuffle(proof, told, mine, me, round) {
  if (proof.made !== "mixed")
    return told
      ? [{ holds: false, says: "You were told a commitment before the first bet, and this shuffle is not made of it." }]
      : [{ holds: true, says: "Shuffled under an older release: see docs/shuffling.md." }];
  /** @type {Found[]} */
  const found = [];
  if (told?.round !== undefined && round !== undefined && told.round !== round)
    found.push({
      holds: false,
      says: `Commitment ${proof.number} was told to you for round ${told.round}, and not for this one.`,
    });
  const same =
    told?.digest === proof.digest &&
    told.root === proof.committed_root &&
    told.seeds === listed(proof.hashes);
  found.push(
    told
      ? {
          holds: same,
          says: same
            ? `Commitment ${proof.number} is the one that you were told before the first bet.`
            : `Commitment ${proof.number} is not the one that you were told before the first bet.`,
        }
      : {
          holds: true,
          says: `This page was not told commitment ${proof.number}: of the time before the bets it knows nothing.`,
        },
  );
  if (proof.counter === 0 && proof.root !== proof.committed_root)
    found.push({ holds: false, says: "The first shuffle is not of the order committed to." });
  found.push(...(await checkSeeds(proof, mine, me)));
  const places = await placesOf(await mixKey(proof), proof.counter, proof.cards);
  let wrong = 0;
  for (const card of proof.openings)
    if (places[card.index] !== card.place || (await rootBy(card, proof.cards)) !== proof.root)
      wrong += 1;
  const count = proof.openings.length;
  found.push({
    holds: wrong === 0,
    says: wrong
      ? `${wrong} of ${count} cards that you saw did not lie where secret and seeds had put them.`
      : `All ${count} cards that you saw lay where secret and seeds had put them.`,
  });
  return found;
}

/** @param {ShuffleProof} proof @param {string | undefined} mine @param {string | null} me @returns {Promise<Found[]>} */
async function checkSeeds(proof, mine, me) {
  /** @type {Found[]} */
  const found = [];
  const hashes = new Map(proof.hashes.map(({ player, hash }) => [player, hash]));
  for (const { player, seed } of proof.seeds)
    if ((await seedHash(proof.table, proof.number, player, seed)) !== hashes.get(player))
      found.push({ holds: false, says: `The seed of ${player} is not the one whose hash stood there.` });
  const named = [...proof.seeds.map(({ player }) => player), ...proof.unopened, ...proof.absent];
  if (
    proof.hashes.length !== hashes.size ||
    named.length !== hashes.size ||
    new Set(named).size !== hashes.size ||
    !named.every((name) => hashes.has(name))
  )
    found.push({ holds: false, says: "The seeds are not those whose hashes stood there." });
  const ordered = [...hashes.keys()].filter((name) => proof.seeds.some(({ player }) => player === name));
  if (!proof.seeds.every(({ player }, n) => player === ordered[n]))
    found.push({ holds: false, says: "The seeds do not stand in the order of their hashes: somebody could have chosen the deck." });
  const own = proof.seeds.find(({ player }) => player === me);
  if (mine && own && own.seed !== mine)
    found.push({ holds: false, says: "The seed under your name is not yours." });
  if (mine && !own && me !== null && proof.unopened.includes(me))
    found.push({ holds: false, says: "Your seed was left out although this page had opened it." });
  if (mine && !own && me !== null && proof.absent.includes(me))
    found.push({ holds: true, says: "Your seed is no part of it: the House says that you were not dealt in." });
  const names = proof.seeds.map(({ player }) => (player === me ? "you" : player));
  found.push({
    holds: true,
    says: names.length ? `Seeds of ${names.join(", ")} are part of it.` : "No player's seed is part of it.",
  });
  if (proof.unopened.length)
    found.push({ holds: true, says: `Not opened in time: ${proof.unopened.join(", ")}.` });
  return found;
}
