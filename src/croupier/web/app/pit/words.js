// Small matters of wording that the views of the console share.

import { capital } from "../desk/words.js";

/** Reasons that need no typing, where a ruling is signed. */
export const REASON = "the book says so";

/** A table as one says its name. @param {string} place */
export function placeName(place) {
  return place.replaceAll("-", " ");
}

/** What a hold is for, in a few words. @param {string} says */
export function heldFor(says) {
  return says.replace(/^report /, "");
}

/** @param {string} game */
export function seatWord(game) {
  return game === "banked" ? "box" : "seat";
}

/** How long, as a clock shows it: `0:42`, `12:05`, `2 h 05`. @param {number} ms */
export function span(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 48) return `${hours} h ${two(Math.floor(seconds / 60) % 60)}`;
  return `${Math.floor(hours / 24)} days`;
}

/** @param {string} at */
export function hour(at) {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** @type {Record<string, string>} */
const NOTHING = {
  seen: "Nobody knows",
  round: "This one",
  street: "The last one",
  count: "Not counted",
  left: "Not counted",
};

/** @type {Record<string, string>} */
const SAID = {
  uncovered: "The book does not provide for it",
  interpretation: "What the book means",
  shuffle: "The shuffle",
  cut: "The cut",
  "wrong seats": "To the wrong seats",
  "hand left out": "A hand was left out",
  "extra hand": "A hand too many",
};

const PLACES = new Set(["seat", "box", "to", "affected", "boxes", "unregistered", "first_cards", "dealer_gets", "dealer_gives"]);

/**
 * The value of a field as one says it. @param {string} field @param {any} value
 * @param {string} word seat or box @param {Record<number, string>} names who sits where
 */
export function valueSays(field, value, word, names) {
  if (value === true) return "Yes";
  if (value === false) return "No";
  if (value === null) return NOTHING[field] ?? "None";
  if (typeof value === "number" && PLACES.has(field)) {
    const name = names[value];
    return name ? `${capital(word)} ${value} · ${name}` : `${capital(word)} ${value}`;
  }
  if (field === "round") return `Round ${value}`;
  return SAID[value] ?? capital(String(value));
}

let counter = 0;

/** An id that is new for each order. */
export function newId() {
  counter += 1;
  return crypto.randomUUID?.() ?? `pit-${Date.now()}-${Math.random().toString(36).slice(2, 12)}-${counter}`;
}
