// The example table, said wherever its places and amounts are shown.

import { h } from "../dom.js";

/** Whose places and amounts a ruling names, where nobody has told of another table.
 * @param {any} answer */
export function exampleWords(answer) {
  return answer.example
    ? `${answer.example} Places and amounts in the ruling are those of the example, not of your table.`
    : "";
}

/** @param {any} answer */
export function exampleNote(answer) {
  const says = exampleWords(answer);
  return says ? h("p", { class: "small-words example", text: says }) : null;
}
