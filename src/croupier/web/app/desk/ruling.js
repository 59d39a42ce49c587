// The ruling: readable at arm's length, then what it does to cards and money, who signs, who may
// choose, what comes next, and the paragraphs behind it.

import { h } from "../dom.js";
import { cardSigns } from "../cards.js";
import { keyed } from "../keys.js";
import { paragraphAddress, paragraphName } from "../rules.js";
import { exampleNote } from "./example.js";
import { assumedWords, saidSoFar } from "./facts.js";
import { felt } from "./felt.js";
import { writeDown, decisionBar, noteList } from "./decided.js";
import { badge, badges, fillParagraph } from "./paragraph.js";
import { capital, clock, headWords, listed, optionWords, together } from "./words.js";

/** @typedef {import("./main.js").Desk} Desk */

/** @param {Desk} desk @param {import("./main.js").Reply} reply */
export function rulingView(desk, reply) {
  const { answer } = reply;
  const { ruling } = answer;
  const first = ruling.paragraphs[0];
  const spoken = `${headWords(ruling)}${first ? ` Paragraph ${paragraphName(first.id)}.` : ""}`;
  return h(
    "article",
    { class: `ruling of-${ruling.kind}`, "data-says": spoken },
    saidSoFar(desk, answer),
    headline(answer.rulebook, ruling),
    exampleNote(answer),
    readingsPart(answer.rulebook, ruling),
    answer.unsaid ? h("p", { class: "wrong", text: answer.unsaid }) : null,
    ...ruling.decisions.map((/** @type {any} */ each) => decision(desk, reply, each)),
    ruling.kind === "discretion" ? beforeList(reply.before ?? []) : null,
    h(
      "div",
      { class: "parts" },
      cardsPart(ruling),
      moneyPart(ruling),
      signPart(answer.rulebook, ruling),
      nextPart(ruling),
      whyPart(answer.rulebook, ruling),
      ruling.kind === "discretion" ? null : otherwiseBefore(reply.before ?? []),
      tablesPart(ruling),
    ),
    paragraphsPart(answer.rulebook, ruling),
    assumedWords(answer),
    notesPart(reply.notes ?? []),
    decisionBar(desk, reply),
  );
}

/** @param {string} book @param {any} ruling */
export function headline(book, ruling) {
  const [first] = ruling.paragraphs;
  return h(
    "header",
    { class: "headline" },
    first ? badge(book, first.id) : null,
    h("h1", {
      text: headWords(ruling),
      tabindex: "-1",
      class: ruling.headline.length > 130 ? "long" : "",
    }),
  );
}

// -- choices --------------------------------------------------------------------------------------

/** @param {Desk} desk @param {import("./main.js").Reply} reply @param {any} asked */
function decision(desk, reply, asked) {
  const { rulebook } = reply.answer;
  const needsMore = (/** @type {any} */ option) => Object.keys(option.asks ?? {}).length > 0;
  const foretold = asked.options.filter((/** @type {any} */ option) => !needsMore(option));
  const others = asked.options.filter(needsMore);
  const options = h("ul", { class: "options" });
  foretold.forEach((/** @type {any} */ option, /** @type {number} */ k) => {
    options.append(h("li", {}, optionButton(desk, asked, option, k + 1)));
  });
  const whose = asked.by === "player" ? "chooses" : "decides";
  return h(
    "section",
    { class: "part decision" },
    h("h2", { text: `${capital(asked.of)} ${whose}` }),
    h("p", { class: "asks" }, `${asked.says} `, badges(rulebook, asked.cites, 2)),
    options,
    others.length ? otherOptions(desk, reply, others) : null,
  );
}

/** @param {Desk} desk @param {any} asked @param {any} option @param {number} number */
function optionButton(desk, asked, option, number) {
  const then = option.then.map((/** @type {any} */ each) => each.says);
  const button = h(
    "button",
    {
      class: "pick option",
      type: "button",
      "data-option": option.name,
      onclick: () => {
        desk.chosen[`${asked.question}~${option.name}`] = optionWords(option);
        const { here } = desk;
        const answers = [...here.answers, { question: asked.question, option: option.name }];
        desk.go({ ...here, answers });
      },
    },
    h(
      "span",
      { class: "words" },
      h("strong", { text: optionWords(option) }),
      option.says ? h("span", { text: option.says }) : null,
      then.length ? h("small", { text: then.join(" ") }) : null,
    ),
  );
  return number < 10 ? keyed(button, String(number)) : button;
}

/** What also may be decided, but wants more said with it than the desk can try.
 * @param {Desk} desk @param {import("./main.js").Reply} reply @param {any[]} others */
function otherOptions(desk, reply, others) {
  if (reply.barred) return null;
  const list = h("ul", { class: "chips" });
  for (const option of others)
    list.append(
      h(
        "li",
        {},
        h(
          "button",
          {
            class: "chip",
            type: "button",
            title: option.says || null,
            onclick: () => writeDown(desk, reply, `${optionWords(option)}: `),
          },
          h("strong", { text: optionWords(option) }),
          h("span", { class: "more", text: listed(Object.keys(option.asks)) }),
        ),
      ),
    );
  return h(
    "div",
    { class: "others" },
    h("p", { text: "Also possible; touch one to write down what was decided:" }),
    list,
  );
}

/** What was decided in like cases. @param {any[]} before */
function beforeList(before) {
  return h(
    "section",
    { class: "part like-cases" },
    h("h2", { text: "Decided in like cases before" }),
    before.length
      ? decidedList(before)
      : h("p", { class: "none", text: "Nothing yet. What you decide is kept for the next time." }),
  );
}

/** What was noted to this question; hidden until there is something. @param {any[]} notes */
function notesPart(notes) {
  return h(
    "section",
    { class: "part notes-part", hidden: !notes.length },
    h("h2", { text: "Notes" }),
    noteList(notes),
  );
}

/** Where the book rules, only what was decided otherwise is worth knowing. @param {any[]} before */
function otherwiseBefore(before) {
  const found = before.filter((one) => one.as_ruled === false);
  if (!found.length) return null;
  return h(
    "section",
    { class: "part" },
    h("h2", { text: "Decided otherwise before" }),
    decidedList(found),
  );
}

/** @param {any[]} before */
function decidedList(before) {
  const list = h("ul", { class: "before" });
  for (const one of before)
    list.append(
      h(
        "li",
        {},
        h("strong", { text: one.decided }),
        one.why ? ` because ${one.why}` : "",
        h("small", { text: [clock(one.when), one.who, ...factWords(one.facts)].filter(Boolean).join(" · ") }),
      ),
    );
  return list;
}

/** What was known then, in a few words. @param {Record<string, string>} facts */
function factWords(facts) {
  return Object.entries(facts ?? {}).map(([asked, said]) => `${asked} ${capital(said)}`);
}

// -- what happens ---------------------------------------------------------------------------------

/** @param {any} ruling */
export function cardsPart(ruling) {
  if (!ruling.cards.length) return null;
  /** @type {Map<string, {leaves: string[], way: any}>} */
  const ways = new Map();
  for (const way of ruling.cards) {
    const key = way.cards.length ? JSON.stringify(way) : JSON.stringify([way.count, way.goes]);
    const found = ways.get(key) ?? { leaves: [], way };
    found.leaves.push(way.leaves);
    ways.set(key, found);
  }
  const list = h("ul", { class: "moves" });
  for (const { leaves, way } of ways.values()) {
    const each = leaves.length > 1 ? " each" : "";
    const more = way.count - way.cards.length;
    const what = way.cards.length
      ? `${cardSigns(way.cards)}${more ? ` and ${more === 1 ? "one card" : `${more} cards`}` : ""}`
      : `${way.count === 1 ? "one card" : `${way.count} cards`}${each}`;
    list.append(
      h(
        "li",
        {},
        h("strong", { text: capital(together(leaves)) }),
        h("span", { class: "what", text: `${what} to` }),
        h("strong", { text: way.goes }),
      ),
    );
  }
  return h("section", { class: "part" }, h("h2", { text: "The cards" }), list);
}

/** Those whose money changes alike stand together. @param {any[]} money
 * @returns {[string, any[]][]} whose, and what changes */
export function whoseMoney(money) {
  /** @type {Map<string, any[]>} */
  const whose = new Map();
  for (const change of money) whose.set(change.who, [...(whose.get(change.who) ?? []), change]);
  /** @type {Map<string, {names: string[], changes: any[]}>} */
  const alike = new Map();
  for (const [who, changes] of whose) {
    const key = JSON.stringify(changes.map(({ where, before, after }) => [where, before, after]));
    const found = alike.get(key) ?? { names: [], changes };
    found.names.push(who);
    alike.set(key, found);
  }
  return [...alike.values()].map(({ names, changes }) => [
    `${capital(together(names))}${names.length > 1 ? ", each" : ""}`,
    changes,
  ]);
}

/** Where a settled reading rules rather than the text. @param {string} book @param {any} ruling
 * @param {boolean} [folded] whether only their names stand there until somebody wants to read them */
export function readingsPart(book, ruling, folded = false) {
  if (!ruling.readings?.length) return null;
  const list = h("ul", { class: "readings" });
  for (const one of ruling.readings) {
    const otherwise = (one.otherwise ?? []).map((/** @type {string} */ each) =>
      h("p", { class: "small-words", text: `If the House has chosen otherwise: ${each}` }),
    );
    list.append(
      h(
        "li",
        {},
        h("strong", {}, readingLink(book, one)),
        " ",
        badges(book, one.paragraphs, 2),
        h("em", { text: ` ${one.question} ` }),
        one.says,
        ...otherwise,
      ),
    );
  }
  const title = "The text leaves this open; it is read so";
  if (!folded) return h("section", { class: "part rests" }, h("h2", { text: title }), list);
  const named = listed(ruling.readings.map((/** @type {any} */ one) => one.reading));
  return h(
    "details",
    { class: "part rests folded" },
    h("summary", {}, h("h2", { text: `Where the text leaves something open: ${named}` })),
    list,
  );
}

/** A reading by its name, where the rulebook says it. @param {string} book @param {any} one */
function readingLink(book, one) {
  const [first] = one.paragraphs;
  if (!first) return one.reading;
  const href = `${paragraphAddress(book, first)}#${encodeURIComponent(one.reading)}`;
  const to = { href, target: "_blank", rel: "noopener", text: one.reading };
  return h("a", { ...to, class: "reading-link" });
}

/** @param {any} ruling */
export function moneyPart(ruling) {
  if (!ruling.money.length) return null;
  const list = h("dl", { class: "money" });
  for (const [who, changes] of whoseMoney(ruling.money)) {
    const row = h("div", {}, h("dt", { text: who }));
    for (const change of changes)
      row.append(
        h(
          "dd",
          {},
          h("span", { class: "where", text: change.where }),
          h("span", { class: "was" }, h("span", { class: "vh", text: "from " }), change.before),
          h("span", { class: "arrow", "aria-hidden": "true", text: "→" }),
          h("span", { class: "vh", text: " to " }),
          h("strong", { class: "now", text: change.after }),
        ),
      );
    list.append(row);
  }
  return h("section", { class: "part" }, h("h2", { text: "The money" }), list);
}

/** Whose word it needs, on what, and which paragraph or reading wants it.
 * @param {string} book @param {any} ruling */
export function signPart(book, ruling) {
  if (!ruling.signed_by.length) return null;
  const list = h("ul", { class: "why" });
  const named = (/** @type {string} */ name) =>
    ruling.readings?.find((/** @type {any} */ one) => one.reading === name) ?? { reading: name, paragraphs: [] };
  for (const one of ruling.confirmed ?? []) {
    const answer = one.took === "confirm" ? "Here taken as confirmed" : `Answer given: ${one.took}`;
    const whose = one.readings.length
      ? [" Reading ", ...one.readings.flatMap((/** @type {string} */ name, /** @type {number} */ k) => [k ? ", " : "", readingLink(book, named(name))]), " says whose word it is."]
      : [];
    const says = `${one.of}: ${one.says} ${answer}. `;
    list.append(h("li", {}, says, badges(book, one.cites, 2), ...whose));
  }
  return h(
    "section",
    { class: "part signs" },
    h("h2", { text: "Needs the word of" }),
    h("p", { class: "stamp", text: listed(ruling.signed_by) }),
    list,
  );
}

/** @param {any} ruling */
export function nextPart(ruling) {
  if (!ruling.next.length) return null;
  const list = h("ul", { class: "next" });
  for (const one of ruling.next) list.append(h("li", { text: one }));
  return h("section", { class: "part" }, h("h2", { text: "What comes next" }), list);
}

/** @param {string} book @param {any} ruling */
export function whyPart(book, ruling) {
  const rest = ruling.sentences.filter((/** @type {any} */ each) => each.says !== ruling.headline);
  if (!rest.length) return null;
  const list = h("ul", { class: "why" });
  for (const one of rest) list.append(h("li", {}, `${one.says} `, badges(book, one.cites, 2)));
  return h("section", { class: "part" }, h("h2", { text: "In full" }), list);
}

/** @param {any} ruling */
function tablesPart(ruling) {
  const tables = Object.entries(ruling.tables ?? {});
  if (!tables.length) return null;
  const drawn = tables.map(([name, picture]) =>
    h(
      "figure",
      {},
      felt(/** @type {any} */ (picture)),
      tables.length > 1 ? h("figcaption", { text: `Table ${name}` }) : null,
    ),
  );
  return h(
    "section",
    { class: "part tables" },
    h("h2", { text: "The table as it was taken" }),
    ...drawn,
  );
}

// -- the paragraphs -------------------------------------------------------------------------------

/** @param {string} book @param {any} ruling */
export function paragraphsPart(book, ruling) {
  if (!ruling.paragraphs.length) return null;
  const list = h("div", { class: "paragraphs" });
  for (const one of ruling.paragraphs) {
    const inside = h("div", { class: "paragraph" }, h("p", { class: "words", text: one.says }));
    const details = h(
      "details",
      {},
      h(
        "summary",
        {},
        h("span", { class: "number", text: `§ ${paragraphName(one.id)}` }),
        h("span", { text: one.title }),
      ),
      inside,
    );
    details.addEventListener("toggle", () => {
      if (details.hasAttribute("open") && !details.dataset.read) {
        details.dataset.read = "yes";
        fillParagraph(inside, book, one.id);
      }
    });
    list.append(details);
  }
  return h("section", { class: "part whole" }, h("h2", { text: "The paragraphs" }), list);
}
