// Sentences to the player who reads them: what the table says of Ann, Ann reads as said to her.

/** Verbs whose form for you is not the one without its s. @type {Record<string, string>} */
const IRREGULAR = { is: "are", has: "have", does: "do", was: "were", goes: "go" };
/** Before these words somebody is not the one who does something. */
const OBJECT = /(?:\b(?:to|of|for|by|from|with|against|at|and|is|in order:|Blind|between)|[(,])\s*$/;
const VERBS = "gets|wins|loses|pays|posts|plays|sits|is|has|keeps|waits|comes|goes|misses|takes|stays|leaves|draws|does";
/** Verbs that follow in the same sentence, about the same player. */
const FOLLOWS = new RegExp(`(\\band|,|;) (${VERBS})\\b`, "g");
/** In a list of players each may be the one who does something. */
const LISTED = /(?:\band|,)\s*$/;
const DOES = new RegExp(`^ (?:${VERBS})$`);

/** What is said to be somebody's: “the folded cards of Ann”. */
const OWNED = "(?:jackpot )?hand|(?:folded )?cards|seat|account|chips";

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
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}('s)?(?![\\p{L}\\p{N}])( \\([a-z ]+\\))?( [a-z]+)?`, "gu");
  let acts = false;
  const whose = `of ${escaped(name)}(?![\\p{L}\\p{N}])`;
  const owned = sentence
    .replace(new RegExp(`\\b(T|t)he (${OWNED}) ${whose}`, "gu"), (_, the, what) => `${the === "T" ? "Your" : "your"} ${what}`)
    .replace(new RegExp(`\\b([Aa] card) ${whose}`, "gu"), "$1 of yours");
  const asked = owned.replace(new RegExp(`\\b(D|d)oes ${escaped(name)}(?![\\p{L}\\p{N}'])`, "gu"), "$1o you");
  const said = asked.replace(found, (whole, owns, rank, verb, at) => {
    const before = asked.slice(0, at);
    const you = !before || /[.!?] $/.test(before) ? "You" : "you";
    const as = rank ?? "";
    if (owns) return `${you}r${as}${verb ?? ""}`;
    const subject = !OBJECT.test(before) || (LISTED.test(before) && DOES.test(verb ?? ""));
    // “Ann, at the dealer's left, gets the button.”
    if (!verb && you === "You" && asked.slice(at + whole.length).startsWith(", ")) acts = true;
    if (!verb || !subject) return `${you}${as}${verb ?? ""}`;
    acts = true;
    return `${you}${as} ${yours(verb.slice(1))}`;
  });
  if (!acts) return said;
  return said
    .replace(/\btheir\b/g, "your")
    .replace(FOLLOWS, (_, joins, verb) => `${joins} ${yours(verb)}`);
}
