// What was proposed for a jackpot link, in words.

import { money } from "./money.js";

/** Amounts are cents; what is to be without a value is null. @param {Record<string, unknown>} change */
export function changeWords(change) {
  return Object.entries(change)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${worth(name, value)}`)
    .join(", ");
}

/** @param {string} name @param {unknown} value */
function worth(name, value) {
  if (value === null) return "none";
  if (typeof value === "number") return money(value);
  return name.endsWith("_rate") ? `${value}%` : `${value}`;
}
