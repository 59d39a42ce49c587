// Small matters of wording that several views share.

/** @param {string[]} parts @param {string} [last] */
export function listed(parts, last = "and") {
  return parts.length < 2
    ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value as one says it: a place by its word. @param {string} kind @param {string} says
 * @param {string} word */
export function valueWords(kind, says, word) {
  return kind === "place" && /^\d+$/.test(says) ? `${capital(word)} ${says}` : says;
}

/** `seat 1`, `seat 2`, `seat 4` are seats 1, 2 and 4. @param {string[]} names */
export function together(names) {
  const parts = names.map((name) => /^(seat|box) (\d+)$/.exec(name));
  if (names.length < 2 || parts.some((part) => !part || part[1] !== parts[0]?.[1]))
    return listed(names);
  const numbers = parts.map((part) => Number(part?.[2])).sort((a, b) => a - b);
  const many = parts[0]?.[1] === "box" ? "boxes" : "seats";
  return `${many} ${listed(numbers.map(String))}`;
}

/** Options whose name on record says too little. @type {Record<string, string>} */
const OPTIONS = { report: "These are the cards" };

/** An option by its name, where it has no sentence of its own. @param {{name: string, says: string}} option */
export function optionWords(option) {
  return OPTIONS[option.name] ?? capital(option.name.replaceAll("-", " ").replace(/\bhim\b/, "them")); // the name is on record as it was
}

/** Why something cannot be, without where in the question it was found: `now.acted[1]: seat 2 …`.
 * @param {string} says */
export function plainly(says) {
  return capital(says.replace(/^([a-z_]+[\w.[\]]*: )+/, ""));
}

/** @param {string} when */
export function clock(when) {
  const at = new Date(when);
  return Number.isNaN(at.valueOf())
    ? when
    : at.toLocaleString("en-GB", {
        day: "numeric",
        month: "short",
        hour: "2-digit",
        minute: "2-digit",
      });
}

/** Whom the book leaves it to. @param {any} ruling */
function leftTo(ruling) {
  return ruling.decisions.find((/** @type {any} */ each) => each.question === "ruling")?.of ?? "";
}

/** @param {any} ruling */
export function headWords(ruling) {
  const left = ruling.kind === "discretion" && ruling.headline.startsWith("The book leaves");
  if (!left) return ruling.headline;
  return `The book leaves this to the ${leftTo(ruling)} or above.`;
}
