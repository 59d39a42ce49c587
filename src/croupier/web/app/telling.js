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

/** The sentence of an event; cards that may not be seen are not spelled out. @param {TellingEntry} told */
export function sentence(told) {
  if (!told.told.includes("??")) return told.told;
  return FACE_DOWN[told.event.event] ?? told.told.replace(/\?\?( \?\?)*/g, "face-down cards");
}

/** @param {TellingEntry} told */
export function isQuiet(told) {
  return QUIET.has(told.event.event);
}
