// Rounds that are over: what each was for this player, whether it was shuffled as everybody had bound
// himself, and all of it again.

import { h, fill } from "./dom.js";
import { toYou } from "./addressed.js";
import { cardNames, cardSigns, UNKNOWN } from "./cards.js";
import { canCheck } from "./commitments.js";
import { checkRound } from "./mixing.js";
import { signed } from "./money.js";
import { citeButtons } from "./rules.js";
import { ask } from "./session.js";
import { isQuiet, sentence } from "./telling.js";

/** @import {OwnPart, RoundSummary, TellingEntry} from "./records.js" */
/** @typedef {{place: string, rulebook: string, me: string | null, staff: boolean, seeds: import("./seeds.js").Seeds}} Reader who
 * reads, at which table; staff may open a dispute */

/** Whether somebody reads here which cards he looked at himself. @param {TellingEntry} told */
function isOwnLook({ event }) {
  return event.event === "looked" && !event.cards.includes(UNKNOWN);
}

/** What a past round was for this player: his cards, and what it brought him. @param {OwnPart} yours */
function ownPart({ cards, net }) {
  /** @type {string[][]} */
  const hands = Object.values(cards);
  const spoken = hands.map((hand) => cardNames(hand)).join("; ");
  const brought = net === null ? "" : net === 0 ? "came out even" : signed(net);
  return h(
    "span",
    { class: "yours" },
    "You",
    hands.length ? " " : "",
    hands.length
      ? h(
          "span",
          {},
          h("b", { "aria-hidden": "true", text: hands.map(cardSigns).join(", ") }),
          h("span", { class: "vh", text: `had ${spoken}` }),
        )
      : "",
    brought ? `${hands.length ? " · " : ": "}${brought}` : "",
  );
}

/** @param {string} rulebook @param {TellingEntry} told @param {string | null} me @param {number} [most] paragraphs */
function eventItem(rulebook, told, me, most = 1) {
  const said = toYou(sentence(told), me);
  const item = h("li", { class: said.startsWith("You ") ? "mine" : "" }, `${said} `);
  if (told.cites?.length) item.append(citeButtons(rulebook, told.cites, most));
  return item;
}

/** Whether a past round was shuffled as everybody had bound himself. @param {number} round @param {Reader} reader */
function check(round, reader) {
  const found = h("ul", { class: "found", "aria-live": "polite" });
  const button = h("button", {
    class: "button quiet small",
    type: "button",
    text: "Check the shuffle",
    onclick: async () => {
      fill(found, h("li", { text: "Reckoning …" }));
      try {
        fill(found, ...(await checked(round, reader)));
      } catch (error) {
        fill(found, h("li", { text: /** @type {Error} */ (error).message }));
      }
    },
  });
  return h("div", { class: "check" }, button, found);
}

/** @param {number} round @param {Reader} reader */
async function checked(round, reader) {
  if (!canCheck)
    return [h("li", { text: "The browser can check hashes on a secure connection only." })];
  const { shuffles } = await ask(
    `/api/tables/${encodeURIComponent(reader.place)}/rounds/${round}/shuffles`,
  );
  const found = await checkRound(shuffles, reader.seeds, round, reader.me);
  if (!found.length) found.push({ holds: true, says: "Nothing was shuffled in this round." });
  return found.map(({ holds, says }) =>
    h("li", { class: holds ? "holds" : "wrong", text: says }),
  );
}

/** Show the rounds that are over. @param {HTMLElement} into @param {Reader} reader */
export async function readRounds(into, reader) {
  fill(into, h("p", { class: "label", text: "Reading …" }));
  try {
    const found = await ask(`/api/tables/${encodeURIComponent(reader.place)}/rounds`);
    const rounds = found.rounds.filter((each) => each.ended !== null);
    fill(
      into,
      h("p", { class: "recall", text: "Recall: rounds that are over. Nothing here is in play." }),
    );
    if (!rounds.length)
      into.append(h("p", { class: "label", text: "No round has been played here yet." }));
    for (const each of rounds) into.append(pastRound(each, reader));
  } catch (error) {
    fill(into, h("p", { class: "label", text: /** @type {Error} */ (error).message }));
  }
}

/** @param {RoundSummary} found @param {Reader} reader */
function pastRound(found, reader) {
  const inside = h("ol", { class: "log" });
  const when = found.began
    ? new Date(found.began).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : "";
  const details = h(
    "details",
    { class: "past" },
    h(
      "summary",
      {},
      h("span", { class: "tag", text: "Recall" }),
      ` Round ${found.round} `,
      h("time", { class: "label", text: when }),
      found.told ? h("span", { class: "outcome", text: toYou(found.told, reader.me) }) : null,
      found.yours ? ownPart(found.yours) : null,
    ),
    found.cites?.length
      ? h("p", { class: "label" }, "Paid under ", citeButtons(reader.rulebook, found.cites, 6))
      : null,
    check(found.round, reader),
    h("a", {
      class: "button quiet small",
      href: `/round/${encodeURIComponent(reader.place)}/${found.round}`,
      text: "Play it again",
    }),
    reader.staff
      ? h("a", {
          class: "button quiet small",
          href: `/disputes?about=${encodeURIComponent(`${reader.place}#${found.round}`)}`,
          text: "Open a dispute",
        })
      : null,
    inside,
  );
  details.addEventListener("toggle", async () => {
    if (inside.childElementCount) return;
    try {
      const { events } = await ask(
        `/api/tables/${encodeURIComponent(reader.place)}/rounds/${found.round}`,
      );
      for (const told of events)
        if (!isQuiet(told) || isOwnLook(told)) inside.append(eventItem(reader.rulebook, told, reader.me, 4));
    } catch (error) {
      inside.append(h("li", { text: /** @type {Error} */ (error).message }));
    }
  });
  return details;
}
