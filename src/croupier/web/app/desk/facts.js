// The few facts: one question at a time, and below it what the book says either way.

import { h, svg } from "../dom.js";
import { keyed } from "../keys.js";
import { readMoney } from "../money.js";
import { felt } from "./felt.js";
import { badge } from "./paragraph.js";
import { exampleNote } from "./example.js";
import { place } from "./place.js";
import { capital, listed, optionWords, plainly, valueWords } from "./words.js";

const SHOWN = 2;

/** @typedef {import("./main.js").Desk} Desk */

/** What has been said so far; a touch takes it back. @param {Desk} desk @param {any} answer */
export function saidSoFar(desk, answer) {
  const { here } = desk;
  const word = desk.book()?.word ?? "seat";
  const chips = h("ul", { class: "chips", "aria-label": "What you have said; touch to change" });
  const add = (
    /** @type {string} */ about,
    /** @type {string} */ says,
    /** @type {() => void} */ change,
  ) =>
    chips.append(
      h(
        "li",
        {},
        h(
          "button",
          { class: "chip", type: "button", onclick: change, title: about },
          h("span", { class: about.endsWith(":") ? "vh" : "more", text: `${about} ` }),
          h("strong", { text: says }),
          /** @type {any} */ (pencil()),
        ),
      ),
    );
  add("What happened:", answer.title, () => desk.go(place({ book: here.book })));
  for (const known of answer.given ?? []) {
    const change = () => {
      const facts = { ...here.facts };
      delete facts[known.name];
      // What was asked after it says how it was: with that left, it would not be asked again.
      for (const other of answer.given) {
        if (other.hangs_on?.includes(known.name)) delete facts[other.name];
      }
      desk.go({ ...here, facts, answers: [] });
    };
    add(known.ask, valueWords(known.kind, known.says, word), change);
  }
  here.answers.forEach((each, k) => {
    const says =
      desk.chosen[`${each.question}~${each.option}`] ??
      optionWords({ name: each.option, says: "" });
    add("Chosen:", says, () => desk.go({ ...here, answers: here.answers.slice(0, k) }));
  });
  return chips;
}

/** The sign for what can be changed. */
export function pencil() {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "pencil", "aria-hidden": "true" },
    svg("path", { d: "M4 20l1-4L16 5l3 3L8 19z" }),
  );
}

/** @param {Desk} desk @param {any} answer */
export function factView(desk, answer) {
  const fact = answer.open[0];
  const word = desk.book()?.word ?? "seat";
  const pick = (/** @type {string} */ value) =>
    desk.go({ ...desk.here, facts: { ...desk.here.facts, [fact.name]: value } });
  const picture = firstPicture(answer);
  const asks = { place: askPlace, amount: askAmount, choice: askChoice };
  const ask = asks[/** @type {keyof typeof asks} */ (fact.kind)] ?? askChoice;
  return h(
    "section",
    { class: `fact asks-${fact.kind}`, "data-says": fact.ask },
    saidSoFar(desk, answer),
    h("h1", { text: fact.ask, tabindex: "-1" }),
    ask(fact, pick, word, picture),
    impossibles(fact, word),
    branches(desk, answer, fact, word, pick),
    assumedWords(answer),
    fact.kind === "place" || !picture ? null : asTaken(picture),
  );
}

/** @param {any} answer */
function firstPicture(answer) {
  for (const branch of answer.branches)
    for (const ruling of branch.rulings) {
      const [picture] = Object.values(ruling.tables ?? {});
      if (picture) return /** @type {import("./felt.js").Picture} */ (picture);
    }
  return null;
}

/** The table that the desk has in mind. @param {import("./felt.js").Picture} picture */
function asTaken(picture) {
  return h(
    "figure",
    { class: "as-taken" },
    felt(picture),
    h("figcaption", { text: "The table the desk has in mind; places and stakes are examples." }),
  );
}

// -- the three kinds of question ------------------------------------------------------------------

/** @param {any} fact @param {(value: string) => void} pick */
function askChoice(fact, pick) {
  const list = h("ul", { class: "values" });
  fact.values.forEach((/** @type {any} */ value, /** @type {number} */ k) => {
    list.append(h("li", {}, valueButton(value, capital(value.says), pick, k + 1)));
  });
  return list;
}

/** @param {any} value @param {string} says @param {(value: string) => void} pick @param {number} number */
function valueButton(value, says, pick, number) {
  const button = h(
    "button",
    {
      class: "pick value",
      type: "button",
      "data-value": value.is,
      "aria-disabled": value.impossible ? "true" : null,
      onclick: () => value.impossible || pick(value.is),
    },
    h(
      "span",
      { class: "words" },
      h("span", { text: says }),
      value.impossible ? h("small", { text: `Cannot be: ${plainly(value.impossible)}` }) : null,
    ),
  );
  return number < 10 ? keyed(button, String(number)) : button;
}

/** @param {any} fact @param {(value: string) => void} pick @param {string} word
 * @param {import("./felt.js").Picture | null} picture */
function askPlace(fact, pick, word, picture) {
  const numbers = new Set((picture?.places ?? []).map((seat) => String(seat.number)));
  const elsewhere = fact.values.filter((/** @type {any} */ value) => !numbers.has(value.is));
  const list = h("ul", { class: "values" });
  for (const value of elsewhere)
    list.append(h("li", {}, valueButton(value, valueWords("place", value.says, word), pick, 99)));
  if (!picture) return list;
  const drawn = felt(picture, { pick, values: fact.values });
  return elsewhere.length ? h("div", {}, drawn, list) : drawn;
}

/** Why some places cannot be: said below the drawing, for there is no room in it.
 * @param {any} fact @param {string} word */
function impossibles(fact, word) {
  const barred = fact.values.filter((/** @type {any} */ value) => value.impossible);
  if (fact.kind !== "place" || !barred.length) return null;
  const list = h("ul", { class: "barred" });
  for (const value of barred)
    list.append(
      h("li", {
        text: `Not ${valueWords("place", value.says, word).toLowerCase()}: ${plainly(value.impossible)}`,
      }),
    );
  return list;
}

/** @param {any} fact @param {(value: string) => void} pick */
function askAmount(fact, pick) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": fact.ask,
      placeholder: "Amount",
    })
  );
  const wrong = h("p", { class: "wrong", role: "alert" });
  const form = h(
    "form",
    { class: "amount" },
    input,
    h("button", { class: "button main", type: "submit", text: "This much" }),
    wrong,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const cents = readMoney(input.value);
    if (cents === null) wrong.textContent = "Write it as 60 or 2.50.";
    else pick(input.value.trim().replaceAll(",", ""));
  });
  return h("div", {}, askChoice(fact, pick), form);
}

// -- either way -----------------------------------------------------------------------------------

/** @param {any} ruling */
function alike(ruling) {
  const text = ruling.headline.replaceAll(/\d+([.,]\d+)*/g, "#");
  return JSON.stringify([ruling.kind, ruling.paragraphs[0]?.id, text]);
}

/** Values that fare alike stand together. @param {any[]} found */
function grouped(found) {
  /** @type {Map<string, {branches: any[], rulings: any[]}>} */
  const groups = new Map();
  for (const branch of found) {
    const key = branch.rulings.map(alike).sort().join();
    /** @type {{branches: any[], rulings: any[]}} */
    const group = groups.get(key) ?? { branches: [], rulings: branch.rulings };
    group.branches.push(branch);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** @param {Desk} desk @param {any} answer @param {any} fact @param {string} word
 * @param {(value: string) => void} pick */
function branches(desk, answer, fact, word, pick) {
  const list = h("ul", { class: "branches" });
  for (const group of grouped(answer.branches)) {
    const says = group.branches.map((branch) => valueWords(fact.kind, branch.says, word));
    const only = group.branches.length === 1 ? group.branches[0] : null;
    const title = listed(says, "or");
    list.append(
      h(
        "li",
        { class: "branch" },
        h(
          "h3",
          {},
          h("span", { class: "if", text: "If" }),
          only
            ? h("button", {
                class: "if-so",
                type: "button",
                text: title,
                onclick: () => pick(only.name),
              })
            : h("span", { text: title }),
        ),
        ...rulings(answer.rulebook, distinct(group.rulings)),
      ),
    );
  }
  return h(
    "section",
    { class: "either-way" },
    h("h2", { text: "What the book says in each case" }),
    exampleNote(answer),
    list,
  );
}

/** The rulings of a branch; where there are many, the first few and the rest on a touch.
 * @param {string} book @param {any[]} found */
function rulings(book, found) {
  const told = found.map((ruling) => short(book, ruling));
  if (told.length <= SHOWN + 1) return told;
  const rest = h(
    "details",
    { class: "rest" },
    h("summary", { text: `and ${told.length - SHOWN} more, by what else is known` }),
    ...told.slice(SHOWN),
  );
  return [...told.slice(0, SHOWN), rest];
}

/** @param {any[]} rulings */
function distinct(rulings) {
  return [...new Map(rulings.map((ruling) => [alike(ruling), ruling])).values()];
}

/** A ruling in a few words. @param {string} book @param {any} ruling */
function short(book, ruling) {
  const [first] = ruling.paragraphs;
  const whose = whoDecides(ruling);
  return h(
    "p",
    { class: `short ${ruling.kind}` },
    whose ? h("strong", { text: `${whose} ` }) : null,
    ruling.kind === "discretion" ? null : `${ruling.headline} `,
    first ? badge(book, first.id) : null,
  );
}

/** Whose choice it is, where the headline does not say so itself. @param {any} ruling */
function whoDecides(ruling) {
  const [asked] = ruling.decisions;
  if (ruling.kind === "discretion") return `Left to the ${asked.of}.`;
  if (ruling.kind !== "choice" || /\b(choose|decide)s?\b/.test(ruling.headline)) return "";
  return asked.by === "player" ? `${capital(asked.of)} chooses.` : `The ${asked.of} decides.`;
}

/** @param {any} answer */
export function assumedWords(answer) {
  if (!answer.assumed?.length) return null;
  const list = h("ul", {});
  for (const one of answer.assumed)
    list.append(h("li", { text: `${one.ask} ${capital(one.says)}.`.replace("..", ".") }));
  return h(
    "details",
    { class: "assumed" },
    h("summary", { text: "Not asked, for it makes no difference" }),
    list,
  );
}

// -- what cannot be -------------------------------------------------------------------------------

/** @param {Desk} desk @param {any} answer */
export function impossibleView(desk, answer) {
  const { here } = desk;
  const last = (answer.given ?? []).at(-1);
  const facts = { ...here.facts };
  const named = Object.keys(here.facts).at(-1) ?? last?.name;
  if (named) delete facts[named];
  const cites = answer.ruling?.paragraphs ?? [];
  return h(
    "section",
    { class: "calm", "data-says": `That cannot be. ${plainly(answer.impossible)}` },
    saidSoFar(desk, answer),
    h("h1", { text: "That cannot be", tabindex: "-1" }),
    h(
      "p",
      { class: "says" },
      `${plainly(answer.impossible)} `,
      ...cites.slice(0, 2).map((/** @type {any} */ each) => badge(answer.rulebook, each.id)),
    ),
    h("p", {
      class: "small-words",
      text: "Something of what you have said does not go with the rest. Touch it above to change it.",
    }),
    h(
      "div",
      { class: "row" },
      named
        ? h("button", {
            class: "button main",
            type: "button",
            text: "Take the last one back",
            onclick: () => desk.go({ ...here, facts, answers: [] }),
          })
        : null,
      h("button", {
        class: "button",
        type: "button",
        text: "Ask something else",
        onclick: () => desk.go(place({ book: here.book })),
      }),
    ),
  );
}
