// Whether the deck of a past round was fixed before the bets, computed here and said in a sentence.

import { canCheck } from "../commitments.js";
import { checkRound } from "../mixing.js";
import { Seeds } from "../seeds.js";

/** @import {ShuffleProof} from "../records.js" */
/** @import {Found} from "../mixing.js" */

/**
 * @typedef {object} Checked
 * @property {boolean | null} holds nothing where there was nothing to check
 * @property {string} says in a sentence
 * @property {Found[]} found what was looked at, one by one
 */

/** @param {readonly string[]} names */
function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

/** @param {ShuffleProof[]} proofs @param {string} place @param {number} round @param {string} seenAs @param {string | null} me
 * @returns {Promise<Checked>} */
export async function checkAll(proofs, place, round, seenAs, me) {
  if (!canCheck)
    return {
      holds: null,
      says: "Whether the deck was fixed before the bets can be checked on a secure connection only.",
      found: [],
    };
  const seeds = new Seeds(place, () => undefined);
  seeds.greet(me, null);
  const mixed = proofs.filter((proof) => proof.made === "mixed");
  const bound = seeds.toldFor(round) !== undefined;
  if (!mixed.length && !(proofs.length && bound))
    return {
      holds: null,
      says: "A person shuffled here, or nobody did: there is no promise of the House to check.",
      found: [],
    };
  const wasTold = mixed.every((proof) => seeds.toldOf(proof.number) !== undefined);
  const found = await checkRound(bound ? proofs : mixed, seeds, round, me);
  const wrong = found.filter(({ holds }) => !holds);
  if (wrong.length)
    return {
      holds: false,
      says: `The shuffle does not hold: ${wrong.map(({ says }) => says).join(" ")}`,
      found,
    };
  const names = [...new Set(mixed.flatMap((proof) => proof.seeds.map(({ player }) => player)))];
  const cards = mixed.reduce((sum, proof) => sum + proof.openings.length, 0);
  const who = seenAs === "" || seenAs === "*" ? "shown here" : seenAs === me ? "you saw" : `${seenAs} saw`;
  const part = names.length
    ? `${listed(names.map((name) => (name === me ? "you" : name)))} had a part in the shuffle`
    : "no player had a part in the shuffle";
  const before = wasTold
    ? "The House had fixed its part of the deck before the first bet, as this browser was told then"
    : "The House had fixed its part of the deck beforehand";
  return {
    holds: true,
    says: `Checked here: ${before[0].toLowerCase()}${before.slice(1)}; ${part}; and each of the ${cards} cards that ${who} lay where both had put it.`.replace(
      "that shown here",
      "shown here",
    ),
    found,
  };
}
