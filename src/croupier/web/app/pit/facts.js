// The facts of a report: at most three questions, each answered by what is usual until somebody touches
// another value. What is rarely otherwise stands below them. With the report itself and the confirmation
// no irregularity takes more than four touches, so what goes together is asked together: which box got how
// many cards, whose card it was. tests/pit/test_inputs.py counts them.

import { h } from "../dom.js";
import { capital } from "../desk/words.js";
import { cardName, cardSigns } from "../cards.js";
import { PRESETS } from "./matter.js";
import { valueSays } from "./words.js";

/** @import {PitField} from "../records.js" */
/** @typedef {import("./matter.js").Matter} Matter */
/** @typedef {import("./matter.js").Said} Said */
/** @typedef {{word: string, names: Record<number, string>}} Around */
/** @typedef {(value: any) => void} Say */

const MOST = 3;
const RARE = new Set(["stopped", "street", "round", "to", "unregistered", "burns", "first_cards", "dealer_gets", "dealer_gives"]);
const CARD = /^[2-9TJQKA][cdhs]$/;
const MANY = 12;
const QUICK = 4;

/**
 * The questions of a matter. @param {Matter} matter @param {Said} said @param {Around} around
 * @param {(said: Said) => void} changed
 */
export function factsPart(matter, said, around, changed) {
  const asked = matter.names
    .map((name) => matter.field(name, said))
    .filter((field) => isAsked(field))
    .sort((a, b) => Number(RARE.has(a.name)) - Number(RARE.has(b.name)));
  if (!asked.length) return null;
  const both = together(matter, asked, said, around, changed);
  const rows = asked
    .filter((field) => !both?.instead.has(field.name))
    .map((field) => {
      const say = (/** @type {any} */ value) => changed(withWhatFollows(matter, said, field, value));
      return question(matter, field, said[field.name], around, say);
    });
  if (both) rows.unshift(both.part);
  const first = rows.filter((row) => !RARE.has(row.dataset.field ?? "")).length;
  const shown = Math.min(MOST, first || 1);
  const more = rows.slice(shown);
  return h(
    "section",
    { class: "facts", "aria-label": "The facts" },
    ...rows.slice(0, shown),
    more.length
      ? h("details", { class: "more-facts" }, h("summary", { text: "More facts" }), ...more)
      : null,
  );
}

/** Hands that go to other boxes are those that are affected.
 * @param {Matter} matter @param {Said} said @param {PitField} field @param {any} value */
function withWhatFollows(matter, said, field, value) {
  const next = matter.with(said, field.name, value);
  if (field.name !== "moves" || !("affected" in next)) return next;
  return matter.with(next, "affected", Object.keys(value).map(Number));
}

/** Two facts that are one answer: a place with its number of cards, a player with the cards that were shown.
 * @param {Matter} matter @param {PitField[]} asked @param {Said} said @param {Around} around
 * @param {(said: Said) => void} changed @returns {{part: HTMLElement, instead: Set<string>} | null} */
function together(matter, asked, said, around, changed) {
  const place = asked.find((field) => (field.name === "box" || field.name === "seat") && field.values.is === "one of");
  if (!place || place.values.is !== "one of") return null;
  const places = /** @type {number[]} */ (place.values.values);
  const say = (/** @type {string} */ name, /** @type {any} */ value, /** @type {number} */ at) =>
    changed(matter.with(matter.with(said, place.name, at), name, value));
  const number = asked.find((field) => (field.name === "cards" || field.name === "count") && field.values.is === "one of");
  if (number && number.values.is === "one of") {
    const counts = nearest(number.values.values.filter((each) => typeof each === "number"), number.usual, 2);
    if (!counts.length) return null;
    const buttons = places.flatMap((at) =>
      counts.map((count) =>
        choice(
          `${valueSays(place.name, at, around.word, around.names)}: ${count} ${count === 1 ? "card" : "cards"}`,
          said[place.name] === at && said[number.name] === count,
          () => say(number.name, count, at),
          `${at}:${count}`,
        ),
      ),
    );
    return {
      part: h("fieldset", { class: "asked", "data-field": place.name }, h("legend", { text: number.ask }), h("div", { class: "choices" }, ...buttons)),
      instead: new Set([place.name]),
    };
  }
  const shown = asked.find((field) => field.name === "cards" && field.values.is === "some of");
  if (!shown || shown.values.is !== "some of" || !shown.values.values.includes("??")) return null;
  const values = shown.values;
  const rows = places.map((at) => {
    const label = valueSays(place.name, at, around.word, around.names);
    const here = said[place.name] === at ? said[shown.name] : [];
    const about = { least: 0, unnamed: values.unnamed };
    return h(
      "div",
      { class: "place-row" },
      h("span", { class: "place-name", text: label }),
      faceDown(label, here, values.values.length, about, (cards) => say(shown.name, cards, at)),
    );
  });
  return {
    part: h("fieldset", { class: "asked", "data-field": shown.name }, h("legend", { text: shown.ask }), h("div", { class: "by-place" }, ...rows)),
    instead: new Set([place.name, shown.name]),
  };
}

/** The values next to what is usual, in order. @param {any[]} all @param {any} usual @param {number} many */
function nearest(all, usual, many) {
  const from = typeof usual === "number" ? usual : 0;
  return [...all].sort((a, b) => Math.abs(a - from) - Math.abs(b - from) || a - b).slice(0, many).sort((a, b) => a - b);
}

/** @param {PitField} field */
function isAsked({ name, values }) {
  switch (values.is) {
    case "one of":
      if (name === "street" && values.values.includes(null) && values.values.length < 3) return false; // the last one is the only one
      return values.values.length > 1 || values.values.includes("??");
    case "some of":
      return values.values.length > 0 && values.values.length > values.least - 1;
    case "by place":
      return Object.keys(values.values).length > 0;
    case "moves":
      return values.places.length > 1;
    case "anything":
      return false;
    default:
      return true;
  }
}

/** @param {Matter} matter @param {PitField} field @param {any} value @param {Around} around @param {Say} say */
function question(matter, field, value, around, say) {
  return h(
    "fieldset",
    { class: "asked", "data-field": field.name },
    h("legend", { text: field.ask }),
    answer(matter, field, value, around, say),
  );
}

/** @param {Matter} matter @param {PitField} field @param {any} value @param {Around} around @param {Say} say
 * @returns {HTMLElement} */
function answer(matter, field, value, around, say) {
  const { values } = field;
  switch (values.is) {
    case "one of": {
      const all = values.values;
      if (all.includes("??")) return cardSelect(field.ask, value, DECK, say, "Which card?");
      if (all.length > MANY && all.every((each) => typeof each === "string" && CARD.test(each)))
        return cardSelect(field.ask, value, all, say);
      const numbers = all.filter((each) => typeof each === "number");
      if (numbers.length > MANY)
        return h(
          "div",
          { class: "words-field" },
          choices({ ...field }, nearest(numbers, field.usual, QUICK), [value], around, say),
          stepper(field.ask, value, all, say),
        );
      return choices(field, all, [value], around, say);
    }
    case "some of": {
      const lying = /** @type {any[]} */ (values.values);
      if (lying.includes("??")) return faceDown(field.ask, value, lying.length, values, say);
      return toggles(field, lying, value, around, say);
    }
    case "by place":
      return byPlace(/** @type {any} */ (values), value, field.usual, around, say);
    case "from":
      return stepper(field.ask, value, range(values.least, values.most), say);
    case "moves":
      return moves(values.places, value, around, say);
    default:
      return words(matter, field, value, say);
  }
}

/** @param {number} least @param {number} most */
function range(least, most) {
  return Array.from({ length: most - least + 1 }, (_, k) => least + k);
}

/** @param {string} text @param {boolean} on @param {() => void} press @param {string} key */
function choice(text, on, press, key) {
  return h("button", {
    class: "choice",
    type: "button",
    text,
    "data-value": key,
    "aria-pressed": String(on),
    onclick: press,
  });
}

/** @param {PitField} field @param {any[]} all @param {any[]} on @param {Around} around @param {Say} say */
function choices(field, all, on, around, say) {
  return h(
    "div",
    { class: "choices" },
    ...all.map((each) =>
      choice(
        valueSays(field.name, each, around.word, around.names),
        on.some((one) => one === each),
        () => say(each),
        String(each),
      ),
    ),
  );
}

/** Any of several. Where there must be two at least, the first touch begins anew and the second completes it.
 * @param {PitField} field @param {any[]} all @param {any[]} on @param {Around} around @param {Say} say */
function toggles(field, all, on, around, say) {
  const least = field.values.is === "some of" ? field.values.least : 0;
  let chosen = [...on];
  let begun = least < 2 || JSON.stringify(on) !== JSON.stringify(field.usual);
  const set = (/** @type {any[]} */ next) => {
    begun = true;
    chosen = next;
    if (chosen.length >= least) return say(chosen);
    return buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(chosen.includes(all[k]))));
  };
  const press = (/** @type {any} */ each) =>
    set(!begun ? [each] : chosen.includes(each) ? chosen.filter((one) => one !== each) : [...chosen, each]);
  const buttons = all.map((each) =>
    choice(valueSays(field.name, each, around.word, around.names), on.includes(each), () => press(each), String(each)),
  );
  const whole = on.length === all.length;
  const every = all.length > 2 && least < all.length ? [choice("All of them", whole, () => set(whole ? [] : [...all]), "all")] : [];
  return h("div", { class: "choices" }, ...every, ...buttons);
}

/** @param {string} ask @param {any} value @param {any[]} all @param {Say} say */
function stepper(ask, value, all, say) {
  const at = all.indexOf(value);
  const step = (/** @type {number} */ by) => {
    const next = all[at + by];
    if (next !== undefined) say(next);
  };
  const field = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", inputmode: "numeric", value: String(value ?? ""), "aria-label": ask })
  );
  field.addEventListener("change", () => {
    const typed = Number(field.value);
    if (field.value.trim() && all.includes(typed)) say(typed);
    else field.value = String(value ?? "");
  });
  const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {number} */ by) =>
    h("button", {
      class: "choice",
      type: "button",
      text,
      "aria-label": label,
      "data-value": label,
      disabled: all[at + by] === undefined,
      onclick: () => step(by),
    });
  return h("div", { class: "stepper" }, button("−", "One fewer", -1), field, button("+", "One more", 1));
}

/** @param {string} ask @param {string} value @param {any[]} all @param {Say} say @param {string} [none] */
function cardSelect(ask, value, all, say, none = "") {
  const select = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { "aria-label": ask },
      none ? h("option", { value: "", text: none, selected: !value }) : null,
      ...all.map((card) =>
        h("option", { value: card, text: `${cardSigns([card])}  ${cardName(card)}`, selected: card === value }),
      ),
    )
  );
  select.addEventListener("change", () => say(select.value));
  return select;
}

const DECK = [..."shdc"].flatMap((suit) => [..."AKQJT98765432"].map((rank) => `${rank}${suit}`));

/** Cards that nobody has to name, or each by its name. @param {string} ask @param {any[]} value
 * @param {number} most @param {{least: number, unnamed: boolean, further?: boolean}} about whether the table
 * knows of some already @param {Say} say */
function faceDown(ask, value, most, { least, unnamed, further }, say) {
  if (unnamed)
    return h(
      "div",
      { class: "choices" },
      ...range(least, most).map((many) =>
        choice(String(many), value.length === many, () => say(Array(many).fill("??")), String(many)),
      ),
    );
  const rows = [...value, ...(value.length < most ? [""] : [])].map((card, k) =>
    cardSelect(
      `${ask} ${k + 1}`,
      card,
      DECK,
      (named) => say([...value.slice(0, k), ...(named ? [named] : []), ...value.slice(k + 1)]),
      k < least ? "Which card?" : k || further ? "No further card" : "No card",
    ),
  );
  return h("div", { class: "card-rows" }, ...rows);
}

/** Until somebody has said where, a touch says it for another place; then it is one more.
 * @param {{values: Record<string, any[]>, least: number, unnamed: boolean}} about
 * @param {Record<string, any[]>} value @param {any} usual @param {Around} around @param {Say} say */
function byPlace(about, value, usual, around, say) {
  const untouched = JSON.stringify(value) === JSON.stringify(usual);
  const part = h("div", { class: "by-place" });
  for (const [place, lying] of Object.entries(about.values)) {
    const here = value?.[place] ?? [];
    const change = (/** @type {any[]} */ cards) => {
      const { [place]: _, ...others } = untouched ? {} : (value ?? {});
      say(cards.length ? { ...others, [place]: cards } : others);
    };
    const label = valueSays("seat", Number(place), around.word, around.names);
    part.append(
      h(
        "div",
        { class: "place-row" },
        h("span", { class: "place-name", text: label }),
        faceDown(label, here, lying.length, { least: 0, unnamed: about.unnamed, further: !about.least }, change),
      ),
    );
  }
  return part;
}

/** @param {number[]} places @param {Record<string, number>} value @param {Around} around @param {Say} say */
function moves(places, value, around, say) {
  const swaps = places.flatMap((one, k) => places.slice(k + 1).map((other) => [one, other]));
  const said = JSON.stringify(value ?? {});
  const options = swaps.map(([one, other]) => ({
    value: JSON.stringify({ [one]: other, [other]: one }),
    text: `Yes: the hands of ${around.word} ${one} and ${other} change places`,
  }));
  const select = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { "aria-label": "Can it be put in order?" },
      h("option", { value: "{}", text: "No", selected: said === "{}" }),
      ...options.map((each) => h("option", { ...each, selected: each.value === said })),
    )
  );
  select.addEventListener("change", () => say(JSON.parse(select.value)));
  return select;
}

/** @param {Matter} matter @param {PitField} field @param {any} value @param {Say} say */
function words(matter, field, value, say) {
  const presets = PRESETS[matter.do] ?? [];
  const input = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", value: value ?? "", maxlength: "200", autocomplete: "off", "aria-label": field.ask })
  );
  input.addEventListener("change", () => {
    const written = input.value.trim();
    if (written || (field.values.is === "words" && !field.values.needed)) say(written);
    else input.value = value;
  });
  return h(
    "div",
    { class: "words-field" },
    presets.length
      ? h("div", { class: "choices" }, ...presets.map((each) => choice(capital(each), each === value, () => say(each), each)))
      : null,
    input,
  );
}
