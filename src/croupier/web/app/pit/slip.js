// The slip of a jackpot award: to be read on the screen, witnessed by a second person, and printed with
// room for the signatures.

import { h, fill, setText } from "../dom.js";
import { JACKPOT, meter, money } from "../money.js";
import { cardNames, cardSigns } from "../cards.js";
import { paragraphName } from "../rules.js";
import { ask } from "../session.js";
import { hour, newId, placeName } from "./words.js";

/** @import {PitAward} from "../records.js" */
/** @typedef {import("./main.js").Console} Console */

/** @param {Console} console @param {string} link @param {number} award
 * @returns {Promise<import("./main.js").View>} */
export async function slipView(console, link, award) {
  const path = /** @type {const} */ (`/api/pit/links/${encodeURIComponent(link)}/awards/${award}`);
  const view = h("article", { class: "slip award-slip" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const witness = async () => {
    try {
      draw(await ask(`${path}/witness`, { id: newId() }));
      /** @type {HTMLElement | null} */ (view.querySelector(".print"))?.focus();
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
      draw(await ask(path));
    }
    console.read();
  };
  /** @param {PitAward} paid */
  const draw = (paid) => fill(view, keys(paid, witness), wrong, ...paper(paid).filter((part) => part !== null));
  draw(await ask(path));
  return { title: `Slip ${award}`, view };
}

/** @param {PitAward} paid @param {() => void} witness */
function keys(paid, witness) {
  return h(
    "div",
    { class: "slip-keys" },
    paid.mine && !paid.witness
      ? h("button", { class: "button main witness", type: "button", text: "I have seen the hand and the payment", onclick: witness })
      : null,
    h("button", { class: paid.mine && !paid.witness ? "button print" : "button main print", type: "button", text: "Print", onclick: () => print() }),
    h("a", { class: "button", href: `#link/${encodeURIComponent(paid.link)}`, text: "Back to the jackpot" }),
    !paid.witness && paid.paid_by && !paid.mine ? h("p", { class: "barred", text: paid.barred }) : null,
  );
}

/** @param {PitAward} paid */
function paper(paid) {
  const rows = [
    ["Player", paid.player || "not known"],
    ["Table", `${placeName(paid.table)}, box ${paid.box}, round ${paid.round}`],
    ["Hand dealt", paid.dealt ? when(paid.dealt) : ""],
    ["Claimed", paid.since ? when(paid.since) : ""],
    ["Paid", when(paid.at)],
    ["Share", paid.percent ? `${paid.percent}% of ${meter(paid.registered ?? paid.meter_before)}${paid.registered === null ? "" : ", registered before the fault"}` : ""],
    ["Meter", `${meter(paid.meter_before)} before, ${meter(paid.meter_after)} after`],
    ["Completed by the House", paid.completed ? money(paid.completed) : ""],
    ["Taken back", paid.taken_back ? "it stands no more: the round is void or the hand cancelled" : ""],
  ].filter(([, says]) => says);
  const [first] = paid.cites;
  return [
    h("p", { class: "slip-book", text: `${JACKPOT} ${paid.link} · slip ${paid.award}` }),
    h("p", { class: "slip-what", text: paid.line.replace(/^Major: /, "") }),
    h("h1", { text: money(paid.paid), tabindex: "-1" }),
    paid.hand.length
      ? h("p", { class: "slip-cards", role: "img", "aria-label": `Hand ${cardNames([...paid.hand])}; board ${cardNames([...paid.board])}` }, `${cardSigns([...paid.hand])}   |   ${cardSigns([...paid.board])}`)
      : null,
    h("dl", { class: "slip-facts" }, ...rows.map(([word, says]) => h("div", {}, h("dt", { text: word }), h("dd", { text: says })))),
    first
      ? h("section", { class: "slip-ground" }, h("h2", {}, h("span", { class: "number", text: `§ ${paragraphName(first.paragraph)}` }), ` ${first.title.replace(/^Major: /, "")}`), h("p", { text: first.says }))
      : null,
    h(
      "footer",
      { class: "signatures" },
      signature("Paid by", paid.paid_by ? `${paid.paid_by} (${paid.post}), ${when(paid.at)}` : "the House, at once"),
      signature("Witnessed by", paid.witness ? `${paid.witness.by} (${paid.witness.post}), ${when(paid.witness.at)}` : "nobody yet"),
      signature("Received by", paid.player),
    ),
    h("p", { class: "governs", text: "Paragraphs in our own words; the approved rules govern." }),
  ];
}

/** @param {string} what @param {string} who */
function signature(what, who) {
  return h("div", {}, h("p", { class: "line", "aria-hidden": "true" }), h("p", {}, h("strong", { text: `${what} ` }), who));
}

/** @param {string} at */
function when(at) {
  const day = new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  return `${day}, ${hour(at)}`;
}
