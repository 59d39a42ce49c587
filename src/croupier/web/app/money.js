// Money: whole cents inside, written as on the table (60, 2.50, 1,234) outside.

/** Write whole cents: no decimals where there are none. @param {number} cents */
export function money(cents) {
  const sign = cents < 0 ? "−" : "";
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-GB");
  const rest = Math.abs(cents) % 100;
  return rest ? `${sign}${whole}.${String(rest).padStart(2, "0")}` : sign + whole;
}

/** Write a meter: always with its cents. @param {number} cents */
export function meter(cents) {
  const whole = Math.floor(cents / 100).toLocaleString("en-GB");
  return `${whole}.${String(cents % 100).padStart(2, "0")}`;
}

/**
 * Read what somebody typed: "60", "2.5", "1,200". Null if it is no amount of whole cents. A comma stands between
 * thousands alone: who writes "2,50" means no 250.
 * @param {string} text @returns {number | null}
 */
export function readMoney(text) {
  const match = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1].replace(/,/g, "")) * 100 + Number((match[2] ?? "").padEnd(2, "0") || 0);
}

/** A sum won or lost, with its sign. @param {number} cents */
export function signed(cents) {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/** What the rulebooks call it; the page has no other name for it. */
export const JACKPOT = "Progressive Jackpot";
