// Where the page stands: which book, what happened, what is known. It is kept in the address, so that
// going back and loading again come to the same.

/**
 * @typedef {{question: string, option: string}} Answered
 * @typedef {{book: string, incident: string, source: string, facts: Record<string, string>,
 *   answers: Answered[], id: string}} Place
 * `source` is a shipped case that is asked instead of an incident; `id` the entry in the log.
 */

/** @param {Partial<Place>} [known] @returns {Place} */
export function place(known = {}) {
  return { book: "", incident: "", source: "", facts: {}, answers: [], id: "", ...known };
}

/** Whether something is asked here. @param {Place} here */
export function asks(here) {
  return Boolean(here.incident || here.source || here.id);
}

/** @param {string} hash @returns {Place} */
export function readHash(hash) {
  const found = place();
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (name === "book") found.book = value;
    else if (name === "what") found.incident = value;
    else if (name === "case") found.source = value;
    else if (name === "id") found.id = value;
    else if (name === "then") {
      const [question, option = ""] = value.split("~");
      found.answers.push({ question, option });
    } else if (name.startsWith("is.")) found.facts[name.slice(3)] = value;
  }
  return found;
}

/** @param {Place} here */
export function writeHash(here) {
  const words = new URLSearchParams();
  if (here.book) words.set("book", here.book);
  if (here.incident) words.set("what", here.incident);
  if (here.source) words.set("case", here.source);
  for (const [name, value] of Object.entries(here.facts)) words.set(`is.${name}`, value);
  for (const each of here.answers) words.append("then", `${each.question}~${each.option}`);
  if (here.id) words.set("id", here.id);
  return `#${words}`;
}

/** The entry that an address names: `/ask/7f3a` or `/ask/7f3a/slip`. @param {string} path */
export function entryIn(path) {
  const found = /^\/ask\/([^/]+)(\/slip)?\/?$/.exec(path);
  return found ? { id: decodeURIComponent(found[1]), slip: Boolean(found[2]) } : null;
}
