// The example table, said wherever its places and amounts are shown.

import { h } from "../dom.js";

/** Whose places and amounts a ruling names, where nobody has told of another table.
 * @param {any} answer */
function exampleWords(answer) {
  return answer.example
    ? `${answer.example} Places and amounts in the ruling are those of the example, not of your table.`
    : "";
}

/** @param {any} answer */
export function exampleNote(answer) {
  const says = exampleWords(answer);
  return says ? h("p", { class: "small-words example", text: says }) : null;
}

const PLACES = /\b(?:seat|box) (\d+)(?:(?:, | and |, and )(?:seat|box) (\d+))*/gi;
const COUNTS = /\b\d+ cards?\b|\b[Rr]ound \d+\b|\(\d+(?:\.\w+)+\)|\b(?:seat|box) \d+/gi;

/** A sentence without the seats of an example; those that were told of stay.
 * @param {string} says @param {any[]} given */
export function withoutPlaces(says, given) {
  const told = new Set(given.filter(({ kind }) => kind === "place").map((one) => String(one.says)));
  return says.replace(PLACES, (all, _first, _last, /** @type {number} */ at) => {
    const numbers = all.match(/\d+/g) ?? [];
    if (numbers.every((number) => told.has(number.replace(/\D/g, "")))) return all;
    const words = numbers.length > 1 ? "the players concerned" : "the player concerned";
    return at === 0 ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  });
}

/** Whether a sentence names amounts. @param {string} says */
export function hasAmounts(says) {
  return /\d/.test(says.replace(COUNTS, ""));
}
