// An amount that somebody types: read, and held against what is allowed. What cannot be read or is not
// allowed has a sentence that says so, and no amount: nothing of it can be sent.

import { money, readMoney } from "./money.js";

/** @typedef {{least: number, most: number, step: number}} Allowed in cents; least and most always count */

/**
 * @param {string} text @param {Allowed} allowed
 * @returns {{amount: number, wrong: ""} | {amount: null, wrong: string}}
 */
export function readAmount(text, { least, most, step }) {
  const amount = readMoney(text);
  /** @param {string} says @returns {{amount: null, wrong: string}} */
  const no = (says) => ({ amount: null, wrong: says });
  if (!text.trim()) return no("Write an amount, such as 60 or 2.50.");
  if (amount === null) return no(`“${text.trim()}” is no amount: write it as 60 or 2.50.`);
  if (amount < least) return no(`The least is ${money(least)}.`);
  if (amount > most) return no(`The most is ${money(most)}.`);
  if (amount % step && amount !== least && amount !== most)
    return no(`The smallest chip is ${money(step)}: ${money(amount)} cannot be put in.`);
  return { amount, wrong: "" };
}
