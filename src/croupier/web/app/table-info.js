// What a player may read of a table: its sign, and its pay tables.

import { h } from "./dom.js";
import { money } from "./money.js";
import { citeButtons } from "./rules.js";

/** @import {BankedTableInfo, HelloMessage, PayTableInfo, PokerTableInfo} from "./records.js" */
/** @typedef {(name: string, value: string | null) => void} Fact writes a line of the sign */

/** The sign of a table. @param {HelloMessage} hello */
export function signParts(hello) {
  const { sign } = hello;
  const facts = h("dl", { class: "facts" });
  /** @type {Fact} */
  const fact = (name, value) => {
    if (value) facts.append(h("dt", { text: name }), h("dd", { text: value }));
  };
  fact("Rulebook", `Version ${sign.version}`);
  if ("blinds" in sign) pokerFacts(sign, fact);
  else bankedFacts(sign, fact);
  /** @type {HTMLElement[]} */
  const parts = [h("h2", { text: sign.title })];
  if (sign.marked) parts.push(h("p", { class: "marked", text: sign.marked }));
  parts.push(
    facts,
    h("h2", { text: "A void round" }),
    h("p", { class: "label" }, `${sign.void.says} `, citeButtons(hello.rulebook, sign.void.cites, 2)),
  );
  const rules = "jackpot_rules" in sign ? sign.jackpot_rules : [];
  if (rules.length) {
    const list = h("ul", { class: "sentences" });
    for (const sentence of rules) list.append(h("li", { text: sentence }));
    parts.push(h("h2", { text: "Progressive Jackpot" }), list);
  }
  const policies = Object.entries(sign.policies ?? {});
  if (policies.length) {
    const list = h("dl", { class: "facts" });
    for (const [name, value] of policies) {
      list.append(
        h("dt", { text: name.replaceAll("-", " ") }),
        h("dd", { text: String(value).replaceAll("-", " ") }),
      );
    }
    parts.push(
      h(
        "details",
        { class: "past" },
        h("summary", { text: "How this House reads open questions" }),
        list,
      ),
    );
  }
  return parts;
}

/** @param {PokerTableInfo} sign @param {Fact} fact */
function pokerFacts(sign, fact) {
  fact("Betting", sign.betting);
  fact("Blinds", `${money(sign.blinds[0])} and ${money(sign.blinds[1])}`);
  fact(
    "Table stake",
    sign.maximum_stake
      ? `${money(sign.minimum_stake)} to ${money(sign.maximum_stake)}`
      : `from ${money(sign.minimum_stake)}`,
  );
  fact("Seats", String(sign.seats));
  fact("Straddle", sign.straddle ? "taken" : "not taken");
  fact("Smallest chip", sign.chips?.length ? money(Math.min(...sign.chips)) : null);
  const rake = sign.rake;
  if (rake?.percent) {
    fact("Rake", `${rake.percent}% of each pot${rake.cap ? `, at most ${money(rake.cap)}` : ""}`);
  } else if (rake?.timed) fact("Rake", `${money(rake.timed)} each ${rake.minutes} minutes`);
}

/** @param {BankedTableInfo} sign @param {Fact} fact */
function bankedFacts(sign, fact) {
  const { limits, multiples } = sign;
  fact("Ante", `${money(limits.ante_minimum)} to ${money(limits.ante_maximum)}`);
  fact("Bonus", `${money(limits.bonus_minimum)} to ${money(limits.bonus_maximum)}`);
  fact("Progressive Jackpot bet", money(limits.progressive));
  fact("Flop bet", times(multiples?.flop));
  fact("Turn and River bets", times(multiples?.turn));
  fact("Boxes", String(sign.boxes));
  fact("Cards from", sign.device === "shoe" ? "a Card Shoe" : "an Electronic Card Shuffler");
}

/** @param {number | undefined} antes */
function times(antes) {
  if (!antes) return null;
  return antes === 1 ? "as much as the Ante" : antes === 2 ? "twice the Ante" : `${antes} Antes`;
}

/** @param {PayTableInfo} table */
export function payTable(table) {
  const body = h("tbody");
  for (const line of table.lines) {
    body.append(
      h(
        "tr",
        { "data-line": line.line },
        h("th", { scope: "row", text: line.title }),
        h("td", { text: line.pays }),
      ),
    );
  }
  const about = h("small", { class: "about-cards", text: table.about });
  return h("table", { class: "pays" }, h("caption", {}, table.title, about), body);
}
