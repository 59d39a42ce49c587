// A decision that waits: the question with its paragraph, what follows from each answer for cards and
// money, and the reason by a touch or in words. Who comes second is told who was first.

import { openDialog } from "../dialogs.js";
import { fill, h, setText } from "../dom.js";
import { keyed } from "../keys.js";
import { readMoney } from "../money.js";
import { ask } from "../session.js";
import { cardsPart, moneyPart, paragraphsPart } from "../desk/ruling.js";
import { badge, badges } from "../desk/paragraph.js";
import { capital, optionWords } from "../desk/words.js";
import { pad } from "../deal/pad.js";
import { betName } from "../deal/seats.js";
import { doneView } from "./done.js";
import { playersAt } from "./players.js";
import { newId, placeName, seatWord } from "./words.js";

/** @import {PitDecision, PitOption, PolicyDetails} from "../records.js" */

/** What the book leaves to somebody's discretion. */
const RULING = "ruling";
/** @typedef {import("./main.js").Console} Console */

/** @param {Console} console @param {string} place @param {number} number
 * @returns {Promise<import("./main.js").View>} */
export async function decisionView(console, place, number) {
  const asked = await ask(`/api/pit/decisions/${encodeURIComponent(place)}/${number}`);
  const book = asked.cites[0]?.rulebook ?? console.tile(place)?.rulebook ?? "";
  const wrong = h("p", { class: "wrong", role: "alert" });
  const why = asked.reasons.length ? reasonPart(asked.reasons, asked.question === RULING) : null;
  /** @type {string | null} one answer has one id, however often it is sent */
  let id = null;
  const give = async (/** @type {PitOption} */ option, /** @type {Record<string, unknown>} */ details, said = "") => {
    setText(wrong, why?.lacking() ?? "");
    if (why?.lacking()) return why.part.querySelector("button")?.focus();
    if (weighs(asked, option) && !(await isSure(place, asked, option, said))) return undefined;
    id ??= newId();
    try {
      const body = { id, option: option.name, details, reason: why?.reason() ?? "", pause: true };
      const answer = await ask(`/api/pit/decisions/${encodeURIComponent(place)}/${number}`, body);
      console.put(doneView(console, place, answer));
    } catch (error) {
      id = null;
      setText(wrong, capital(/** @type {Error} */ (error).message));
      wrong.scrollIntoView({ block: "center" });
      if (!(await stillOpen(place, number))) view.classList.add("taken");
    }
    return console.read();
  };
  const options = h("ul", { class: "options answers" });
  const here = console.tile(place);
  const policies = asked.options.some((option) => "policy" in option.asks) ? (await ask(`/api/rulebooks/${book}`)).policies : [];
  const places = here ? { word: seatWord(here.game), count: here.seats, names: await playersAt(place), policies } : null;
  asked.options.forEach((option, k) => options.append(h("li", {}, answerCard(book, asked, option, k + 1, places, give))));
  const view = h(
    "section",
    { class: "asked-of-me", "data-says": asked.says },
    h("p", { class: "reported" }, h("strong", { text: placeName(place) }), h("span", { text: `for ${asked.whom}, ` }), h("span", { "data-since": asked.since })),
    h("h1", { text: capital(asked.says), tabindex: "-1", class: asked.says.length > 90 ? "long" : "" }),
    h("p", { class: "cited" }, ...asked.cites.slice(0, 3).map((each) => badge(each.rulebook, each.paragraph))),
    wrong,
    asked.barred ? h("p", { class: "then", text: asked.barred }) : why?.part ?? null,
    options,
    asked.cites.length ? paragraphsPart(book, { paragraphs: asked.cites.map((each) => ({ id: each.paragraph, title: each.title, says: each.says })) }) : null,
  );
  return {
    view,
    title: `${placeName(place)}: a decision`,
    update: async (floor) => {
      if (view.classList.contains("taken") || !view.isConnected) return;
      const waits = [...floor.tables.filter((each) => each.place === place), ...floor.links.filter((each) => each.link === place)].flatMap((each) => each.waits);
      if (waits.some((wait) => wait.decision === number) || id) return;
      view.classList.add("taken");
      setText(wrong, (await whoWasFirst(place, number)) || "This question is no longer open.");
    },
  };
}

/** @param {string} place @param {number} number */
async function whoWasFirst(place, number) {
  try {
    await ask(`/api/pit/decisions/${encodeURIComponent(place)}/${number}`);
    return "";
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/** @param {string} place @param {number} number */
async function stillOpen(place, number) {
  return !(await whoWasFirst(place, number));
}

/** Whether an answer is asked about once more: it moves cards or money, or is somebody's own ruling.
 * @param {PitDecision} asked @param {PitOption} option */
function weighs(asked, option) {
  return asked.question === RULING || option.money.length > 0 || option.cards.length > 0;
}

/** Ask once. An option may be a mere yes or no: it is never the answer to this question, and what is asked
 * stands beside it. @param {string} place @param {PitDecision} asked @param {PitOption} option
 * @param {string} said what was said with it @returns {Promise<boolean>} */
function isSure(place, asked, option, said) {
  return new Promise((done) => {
    const words = optionWords(option);
    const yes = h("button", { class: "button main sure", type: "button", text: `Decide: ${words}`, onclick: () => answered(true) });
    const body = h(
      "div",
      { class: "inside" },
      h("p", { text: capital(asked.says) }),
      said ? h("p", {}, h("strong", { text: said })) : null,
      h("p", { text: option.follows || capital(option.says) || "It is carried out at once." }),
      h("div", { class: "row" }, yes, h("button", { class: "button", type: "button", text: "Not yet", onclick: () => answered(false) })),
    );
    const close = openDialog(`Decide “${words}” at ${placeName(place)}?`, body);
    const answered = (/** @type {boolean} */ sure) => {
      done(sure);
      close();
    };
    body.closest("dialog")?.addEventListener("close", () => done(false));
    yes.focus();
  });
}

/** No reason stands there before somebody has touched it: what is on record was meant.
 * @param {readonly string[]} reasons @param {boolean} needed whether nothing is decided without one */
function reasonPart(reasons, needed) {
  let chosen = "";
  const field = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", maxlength: "300", placeholder: "or in your words", "aria-label": "Another reason", autocomplete: "off" })
  );
  const buttons = reasons.map((reason) =>
    h("button", {
      class: "choice",
      type: "button",
      text: capital(reason),
      "aria-pressed": String(reason === chosen),
      onclick: () => {
        chosen = reason;
        field.value = "";
        mark();
      },
    }),
  );
  const mark = () => buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(!field.value.trim() && reasons[k] === chosen)));
  field.addEventListener("input", mark);
  const part = h("fieldset", { class: "asked why-so" }, h("legend", { text: "Why" }), h("div", { class: "choices" }, ...buttons, field));
  const reason = () => field.value.trim() || chosen;
  return { part, reason, lacking: () => (needed && !reason() ? "Say why first: touch a reason, or write one." : "") };
}

/** @typedef {{word: string, count: number, names: Record<number, string>, policies: readonly PolicyDetails[]} | null} Places
 * how many seats or boxes there are, who sits where, and what the book leaves to the House */

/** @param {string} book @param {PitDecision} asked @param {PitOption} option @param {number} number
 * @param {Places} places @param {(option: PitOption, details: Record<string, unknown>, said: string) => void} give */
function answerCard(book, asked, option, number, places, give) {
  const kinds = Object.entries(option.asks);
  const fields = kinds.map(([name, kind]) =>
    places && ["seat", "box", "seats"].includes(kind) ? placesDetail(name, kind, places) : (named(name, kind, places) ?? detail(name, kind)),
  );
  const [policy, value] = ["policy", "value"].map((name) => fields.find((field) => field.name === name));
  if (policy && value && places) tie(policy, value, places.policies);
  const wrong = h("p", { class: "wrong", role: "alert" });
  const press = () => {
    /** @type {Record<string, unknown>} */
    const details = {};
    for (const said of button.closest(".asked-of-me")?.querySelectorAll(".wrong") ?? []) setText(said, "");
    for (const field of fields) {
      const value = field.value();
      if (value === null) {
        setText(wrong, `${capital(field.name)}: ${field.wants}`);
        return field.input.focus();
      }
      details[field.name] = value;
    }
    return give(option, details, fields.map((field) => field.said()).join(" · "));
  };
  const button = h("button", {
    class: "button answer",
    type: "button",
    "data-option": option.name,
    text: optionWords(option),
    disabled: Boolean(asked.barred),
    onclick: press,
  });
  if (number < 10) keyed(button, String(number));
  const sentences = option.sentences.filter((each) => each.says !== option.follows);
  return h(
    "article",
    { class: "answer-card" },
    button,
    option.says ? h("p", { class: "says", text: capital(option.says) }) : null,
    option.follows ? h("p", { class: "follows", text: option.follows }) : null,
    sentences.length
      ? h("ul", { class: "why" }, ...sentences.map((each) => h("li", {}, `${each.says} `, badges(book, each.cites, 1))))
      : null,
    cardsPart(option),
    moneyPart(option),
    ...fields.map((field) => field.label),
    wrong,
  );
}

/** @type {Record<string, string>} */
const WANTS = {
  seat: "the number of a seat",
  box: "the number of a box",
  seats: "numbers with commas between them",
  money: "an amount, such as 60 or 2.50",
  card: "a card, such as Kh",
  cards: "cards with spaces between them, such as Kh 7d",
  number: "a whole number",
  text: "a few words",
};

/** Seats or boxes by a touch: one is somebody's, several may be free too.
 * @param {string} name @param {string} kind @param {NonNullable<Places>} places */
function placesDetail(name, kind, { word, count, names }) {
  /** @type {number[]} */
  let chosen = [];
  const all = Array.from({ length: count }, (_, k) => k + 1);
  const taken = all.filter((place) => names[place]);
  const offered = kind === "seats" || !taken.length ? all : taken;
  const buttons = offered.map((place) =>
    h("button", {
      class: "choice",
      type: "button",
      text: `${capital(word)} ${place}${names[place] ? ` · ${names[place]}` : ""}`,
      "aria-pressed": "false",
      onclick: () => {
        const on = chosen.includes(place);
        chosen = kind === "seats" ? (on ? chosen.filter((one) => one !== place) : [...chosen, place]) : on ? [] : [place];
        buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(chosen.includes(offered[k]))));
      },
    }),
  );
  return {
    name,
    input: buttons[0],
    wants: kind === "seats" ? `touch each ${word}` : `touch the ${word}`,
    label: h("fieldset", { class: "asked" }, h("legend", { text: capital(name.replaceAll("_", " ")) }), h("div", { class: "choices" }, ...buttons)),
    said: () => chosen.map((each) => `${capital(word)} ${each}${names[each] ? ` ${names[each]}` : ""}`).join(", "),
    value: () => (chosen.length ? (kind === "seats" ? [...chosen].sort((a, b) => a - b) : chosen[0]) : null),
  };
}

const BETS = ["ante", "bonus", "progressive", "flop", "turn", "river"];

/** A word of the table's own, by a touch: nobody has to know how it is written.
 * @param {string} name @param {string} kind @param {Places} places */
function named(name, kind, places) {
  if (kind !== "text" || !places) return null;
  if (name === "bet" || name === "to") return wordDetail(name, BETS.map((bet) => [bet, betName(bet)]), `touch the bet${name === "to" ? " that they go to" : ""}`);
  if (name === "player") return wordDetail(name, [...new Set(Object.values(places.names))].map((each) => [each, each]), "touch the player, or write the name", true);
  if (name === "policy" && places.policies.length) return wordDetail(name, places.policies.map((each) => [each.policy, each.question]), "touch what is to be read otherwise");
  if (name === "value" && places.policies.length) return wordDetail(name, [], "touch how it is read from here on");
  return null;
}

/** @param {string} name @param {string[][]} choices each with what it is called @param {string} wants
 * @param {boolean} [others] whether another word may be written */
function wordDetail(name, choices, wants, others = false) {
  let chosen = "";
  const touched = h("div", { class: "choices" });
  const written = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", maxlength: "200", autocomplete: "off", placeholder: "or another name", "aria-label": "Another name" })
  );
  /** @param {string} word */
  const choose = (word) => {
    chosen = word;
    for (const button of touched.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.word === chosen));
  };
  written.addEventListener("input", () => choose(""));
  /** @param {string[][]} offered */
  const offer = (offered) => {
    const button = (/** @type {string[]} */ [word, text]) => h("button", { class: "choice", type: "button", "data-word": word, "aria-pressed": "false", text, onclick: () => ((written.value = ""), choose(word === chosen ? "" : word)) });
    fill(touched, ...offered.map(button), ...(others ? [written] : []));
    chosen = "";
  };
  offer(choices);
  return {
    name,
    get input() {
      return /** @type {HTMLElement} */ (touched.querySelector("button, input") ?? touched);
    },
    wants,
    label: h("fieldset", { class: "asked" }, h("legend", { text: capital(name) }), touched),
    said: () => written.value.trim() || touched.querySelector("[aria-pressed=true]")?.textContent || "",
    value: () => written.value.trim() || chosen || null,
    offer,
    touched,
  };
}

/** How a policy may be read is offered once it is chosen.
 * @param {any} policy @param {any} value @param {readonly PolicyDetails[]} policies */
function tie(policy, value, policies) {
  const offer = () => {
    const chosen = policies.find((each) => each.policy === policy.value());
    value.offer(Object.entries(chosen?.values ?? {}).map(([word, says]) => [word, says || word]));
  };
  policy.touched?.addEventListener("click", offer);
}

/** The pad beside a field of cards: what is touched is written there, what is written there cannot be touched.
 * @param {HTMLInputElement} input @param {boolean} several */
function cardsToTouch(input, several) {
  const part = h("div", {});
  const draw = () => {
    const written = input.value.split(/[\s,]+/).filter(Boolean);
    const touch = (/** @type {string} */ card) => {
      input.value = several ? [...written, card].join(" ") : card;
      draw();
      /** @type {HTMLElement | null} */ (part.querySelector(".pad-card:enabled"))?.focus({ preventScroll: true });
    };
    fill(part, pad(new Set(), written, false, touch));
  };
  input.addEventListener("input", draw);
  draw();
  return part;
}

/** What must be said with an answer. @param {string} name @param {string} kind */
function detail(name, kind) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", inputmode: ["seat", "box", "number", "money"].includes(kind) ? "decimal" : "text", placeholder: WANTS[kind] ?? "", autocomplete: "off", maxlength: "200" })
  );
  const field = h("label", { class: "field" }, h("span", { text: capital(name.replaceAll("_", " ")) }), input);
  return {
    name,
    input,
    wants: WANTS[kind] ?? kind,
    label: kind === "card" || kind === "cards" ? h("div", { class: "field-with-pad" }, field, cardsToTouch(input, kind === "cards")) : field,
    said: () => input.value.trim(),
    value: () => readDetail(kind, input.value.trim()),
  };
}

/** @param {string} kind @param {string} text @returns {unknown} null where it cannot be read */
function readDetail(kind, text) {
  if (!text) return null;
  if (kind === "money") return readMoney(text);
  if (["seat", "box", "number"].includes(kind)) return /^\d+$/.test(text) ? Number(text) : null;
  if (kind === "seats") {
    const parts = text.split(/[\s,]+/).filter(Boolean);
    return parts.every((part) => /^\d+$/.test(part)) ? parts.map(Number) : null;
  }
  if (kind === "cards") return text.split(/[\s,]+/).filter(Boolean);
  return text;
}
