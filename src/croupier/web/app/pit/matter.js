// What can be reported, as the table lists it: entries of one report that ask for the same fields are
// one matter, whose facts hang together.

/** @import {PitField, PitReport} from "../records.js" */

/** @typedef {Record<string, any>} Said what is said, by the name of the field */

const CARD = /^[2-9TJQKA][cdhs]$/;

/** @param {any} one @param {any} other */
function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @param {PitField} field @param {any} value */
function fits(field, value) {
  const { values } = field;
  switch (values.is) {
    case "one of":
      return values.values.some((each) => same(each, value) || (each === "??" && CARD.test(value)));
    case "some of":
      return Array.isArray(value) && value.length >= values.least && value.length <= values.values.length;
    case "by place": {
      const lying = /** @type {Record<string, any[]>} */ (values.values);
      const all = Object.entries(value ?? {});
      const many = all.reduce((sum, [, cards]) => sum + /** @type {any[]} */ (cards).length, 0);
      return many >= values.least && all.every(([seat, cards]) => /** @type {any[]} */ (cards).length <= (lying[seat]?.length ?? 0));
    }
    case "from":
      return value >= values.least && value <= values.most;
    default:
      return true;
  }
}

/** What is said in words without typing; the first stands there already.
 * @type {Record<string, string[]>} */
export const PRESETS = {
  "report interruption": ["the device stopped", "a power failure", "the screens went dark"],
  "call for ruling": ["a card fell", "a player disputes the hand", "something else"],
  "report irregularity": ["a card fell", "a player disputes the hand", "something else"],
  "report dealing error": ["cards were dealt out of order", "something else"],
};

export class Matter {
  /** @param {PitReport[]} entries */
  constructor(entries) {
    this.entries = entries;
    const [first] = entries;
    this.do = first.do;
    this.title = first.title;
    this.says = first.says;
    this.names = first.fields.map((field) => field.name);
  }

  /** What is usual, before anybody has said anything. @returns {Said} */
  usual() {
    const { do: _, ...said } = /** @type {Said} */ (this.entries[0].command);
    const [preset] = PRESETS[this.do] ?? [];
    return preset && "says" in said ? { ...said, says: preset } : said;
  }

  /** Whether something must be named that only whoever stands at the table can know. */
  mustBeNamed() {
    if (!JSON.stringify(this.usual()).includes('"??"')) return false;
    return this.entries[0].fields.some(({ values }) =>
      values.is === "one of" ? values.values.includes("??") : "unnamed" in values && !values.unnamed && values.least > 0,
    );
  }

  /** @param {Said} said */
  command(said) {
    return { do: this.do, ...said };
  }

  /** A field as the other facts leave it; of single values all that any of the others allow.
   * @param {string} name @param {Said} said @returns {PitField} */
  field(name, said) {
    const here = this.#entry(said);
    const field = /** @type {PitField} */ (here.fields.find((each) => each.name === name));
    if (field.values.is !== "one of") return field;
    /** @type {any[]} */
    const all = [];
    for (const entry of this.entries) {
      const { values } = /** @type {PitField} */ (entry.fields.find((each) => each.name === name));
      if (values.is === "one of")
        for (const value of values.values) if (!all.some((each) => same(each, value))) all.push(value);
    }
    return { ...field, values: { ...field.values, values: all } };
  }

  /** The entry that allows most of what is said. @param {Said} said @param {string} [must] */
  #entry(said, must) {
    const score = (/** @type {PitReport} */ entry) =>
      entry.fields.reduce(
        (sum, field) => sum + (fits(field, said[field.name]) ? (field.name === must ? 100 : 1) : 0),
        0,
      );
    return this.entries.reduce((best, entry) => (score(entry) > score(best) ? entry : best));
  }

  /** What is said once this is: what does not go with it becomes usual again.
   * @param {Said} said @param {string} name @param {any} value @returns {Said} */
  with(said, name, value) {
    const wanted = { ...said, [name]: value };
    const entry = this.#entry(wanted, name);
    return Object.fromEntries(
      entry.fields.map((field) => [field.name, fits(field, wanted[field.name]) ? wanted[field.name] : field.usual]),
    );
  }
}

/** @param {PitReport[]} reports @returns {Matter[]} */
export function matters(reports) {
  /** @type {Map<string, PitReport[]>} */
  const found = new Map();
  for (const report of reports) {
    const key = [report.title, ...report.fields.map((field) => field.name)].join("|");
    found.set(key, [...(found.get(key) ?? []), report]);
  }
  return [...found.values()].map((entries) => new Matter(entries));
}

/** @param {any} value whether something is said with it at all */
function isSaid(value) {
  return value !== null && value !== "" && !(typeof value === "object" && !Object.keys(value).length);
}

/** The matter that a command reports, and what it says; a command has every field, also those that
 * are of another matter and say nothing. @param {Matter[]} all @param {Said} command
 * @returns {{matter: Matter, said: Said} | null} */
export function matterOf(all, command) {
  const { do: does, ...given } = command;
  const matter = all.find(
    (each) =>
      each.do === does &&
      Object.entries(given).every(([name, value]) => each.names.includes(name) || !isSaid(value)),
  );
  if (!matter) return null;
  const said = Object.entries(given).filter(([name]) => matter.names.includes(name));
  return { matter, said: { ...matter.usual(), ...Object.fromEntries(said) } };
}
