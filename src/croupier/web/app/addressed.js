// Sentences to the player who reads them: what the table says of Ann, Ann reads as said to her.

/** Verbs whose form for you is not the one without its s. @type {Record<string, string>} */
const IRREGULAR = { is: "are", has: "have", does: "do", was: "were", goes: "go" };
/** Before these words somebody is not the one who does something. */
const OBJECT = /(?:\b(?:to|of|for|by|from|with|against|at|and|is|in order:|Blind|between)|[(,])\s*$/;
/** Verbs that follow in the same sentence, about the same player. */
const FOLLOWS = /(\band|,|;) (gets|wins|loses|pays|posts|plays|sits|is|has|keeps|waits|comes|goes)\b/g;

/** @param {string} verb */
function yours(verb) {
  const known = IRREGULAR[verb];
  if (known) return known;
  if (/(?:ss|sh|ch|x)es$/.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/.test(verb) ? verb.slice(0, -1) : verb;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** @param {string} sentence @param {string | null} name of whoever reads it */
export function toYou(sentence, name) {
  if (!name || !sentence.includes(name)) return sentence;
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}('s)?(?![\\p{L}\\p{N}])( [a-z]+)?`, "gu");
  let acts = false;
  const said = sentence.replace(found, (whole, owns, verb, at) => {
    const before = sentence.slice(0, at);
    const you = !before || /[.!?] $/.test(before) ? "You" : "you";
    if (owns) return `${you}r${verb ?? ""}`;
    if (!verb || OBJECT.test(before)) return `${you}${verb ?? ""}`;
    acts = true;
    return `${you} ${yours(verb.slice(1))}`;
  });
  if (!acts) return said;
  return said
    .replace(/\btheir\b/g, "your")
    .replace(FOLLOWS, (_, joins, verb) => `${joins} ${yours(verb)}`);
}
