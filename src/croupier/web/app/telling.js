// What an event says in words, and which events say nothing that a player wants to read.

/** @import {TellingEntry} from "./records.js" */
/** @import {EventName} from "./shown.js" */

/** Events that say nothing a player wants to read one by one. @type {Set<EventName>} */
const QUIET = new Set([
  "shuffle needed",
  "shuffle given",
  "draw needed",
  "deck cut",
  "button cards collected",
  "entry chosen", // what comes of it is said when he comes in, or waits
  "looked",
]);

/** Cards that lie face down, in words. @type {{[event in EventName]?: string}} */
const FACE_DOWN = {
  "hole cards dealt": "Two cards are dealt face down to each hand.",
  "community dealt": "Five community cards lie face down.",
  "flop dealt": "The flop lies face down.",
  "turn dealt": "The turn lies face down.",
  "river dealt": "The river lies face down.",
  "dealer dealt": "The dealer has two cards face down.",
};

/** By whom the House answers what it has decided once for all nights (`croupier.house.software.STANDING_ORDERS`). */
const STANDING_ORDERS = "standing orders";

/** The sentence of an event; cards that may not be seen are not spelled out. @param {TellingEntry} told */
export function sentence(told) {
  if (!told.told.includes("??")) return told.told;
  return FACE_DOWN[told.event.event] ?? told.told.replace(/\?\?( \?\?)*/g, "face-down cards");
}

/** @param {TellingEntry} told */
export function isQuiet(told) {
  return QUIET.has(told.event.event);
}

/**
 * What staff are asked, and what standing orders answer: the table says who is waited for.
 * @param {TellingEntry["event"]} event
 */
export function isForStaff(event) {
  if (event.event === "decision needed") return typeof event.of !== "number"; // of a seat, it is a player's
  return event.event === "decision taken" && event.who === STANDING_ORDERS;
}
