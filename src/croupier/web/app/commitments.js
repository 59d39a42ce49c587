// What a page keeps of the commitments to shuffles, and in which form.

/**
 * @typedef {object} Told what this page was told of a commitment before the first bet
 * @property {string} digest
 * @property {string} root
 * @property {number} [round] which round it was for; older pages did not keep that
 * @property {string} seeds the hashes, as they stood there
 */

/** Whether this page can compute hashes: browsers let it on secure connections alone. */
export const canCheck = Boolean(globalThis.crypto?.subtle);

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The hashes of a commitment as one text. @param {{player: string, hash: string}[]} hashes */
export const listed = (hashes) => hashes.map(({ player, hash }) => `${player} ${hash}`).join("\n");
