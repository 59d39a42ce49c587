// The slip: on the screen large enough to hold to a player, on paper with room for a signature.

import { h, show } from "../dom.js";
import { paragraphAddress, paragraphName } from "../rules.js";
import { hasAmounts, withoutPlaces } from "./example.js";
import { whoseMoney } from "./ruling.js";
import { ask, paragraph } from "./server.js";
import { clock, headWords, listed, plainly, valueWords } from "./words.js";

/** @param {import("./main.js").Desk} desk @param {string} id */
export async function slipView(desk, id) {
  show(desk.bar, false);
  document.body.classList.add("slip-page");
  try {
    const entry = await ask(`/api/ask/${encodeURIComponent(id)}`);
    desk.put(slip(desk, entry, await approvedWords(entry.answer)), "Slip");
  } catch (error) {
    const says = /** @type {Error} */ (error).message;
    desk.put(
      h(
        "section",
        { class: "slip" },
        h("h1", { text: "No slip", tabindex: "-1" }),
        h("p", { text: says }),
      ),
      "Slip",
    );
  }
}

/** The approved wording of the paragraph that rules, where the House has loaded it.
 * @param {any} answer @returns {Promise<string>} */
async function approvedWords(answer) {
  const first = answer.ruling?.paragraphs[0];
  if (!first) return "";
  try {
    return (await paragraph(answer.rulebook, first.id)).approved ?? "";
  } catch {
    return ""; // a slip is handed out without it
  }
}

/** What is held to a player names no seat and no amount of an example: only what was told.
 * @param {any} answer @param {string} says */
function forPlayer(answer, says) {
  return answer.example ? withoutPlaces(says, answer.given ?? []) : says;
}

/** @param {import("./main.js").Desk} desk @param {any} entry @param {string} approved */
function slip(desk, entry, approved) {
  const { answer } = entry;
  const ruling = answer.ruling;
  const book = desk.book(entry.book);
  const word = book?.word ?? "seat";
  const facts = (answer.given ?? []).map((/** @type {any} */ known) =>
    h("li", {}, `${known.ask} `, h("strong", { text: valueWords(known.kind, known.says, word) })),
  );
  const head = ruling ? forPlayer(answer, headWords(ruling)) : "";
  return h(
    "article",
    { class: "slip" },
    h(
      "div",
      { class: "slip-keys" },
      h("button", { class: "button main", type: "button", text: "Print", onclick: () => print() }),
      h("a", {
        class: "button",
        href: `/ask/${encodeURIComponent(entry.id)}`,
        text: "Back to the ruling",
      }),
    ),
    h("p", {
      class: "slip-book",
      text: [desk.known?.house, book?.short ?? entry.book].filter(Boolean).join(" · "),
    }),
    h("p", { class: "slip-what", text: entry.title }),
    facts.length ? h("ul", { class: "slip-facts" }, ...facts) : null,
    h("h1", {
      text: head || plainly(answer.impossible) || "Not ruled yet",
      tabindex: "-1",
    }),
    ruling ? grounds(entry.book, ruling, approved) : null,
    ruling ? sentences(answer) : null,
    ruling && !entry.incident ? sums(ruling) : null,
    answer.example && hasAmounts(head)
      ? h("p", {
          class: "slip-note",
          text: "The amounts illustrate the rule; at this table it is applied to the chips that were bet.",
        })
      : null,
    entry.decided && entry.decided !== ruling?.headline
      ? h(
          "p",
          { class: "slip-decided" },
          h("strong", { text: "Decided: " }),
          entry.decided,
          entry.why ? `, because ${entry.why}` : "",
        )
      : null,
    h(
      "footer",
      {},
      h("p", {
        text: [clock(entry.when), entry.area, entry.who, `No. ${entry.id}`]
          .filter(Boolean)
          .join(" · "),
      }),
      h("p", {
        class: "sign",
        text: `Signed${ruling?.signed_by?.length ? ` (${listed(ruling.signed_by)})` : ""}`,
      }),
      h("p", {
        class: "governs",
        text: approved
          ? "The approved wording governs."
          : "Paragraphs in our own words; the approved rules govern.",
      }),
    ),
  );
}

/** @param {string} book @param {any} ruling @param {string} approved */
function grounds(book, ruling, approved) {
  const [first] = ruling.paragraphs;
  if (!first) return null;
  return h(
    "section",
    { class: "slip-ground" },
    h(
      "h2",
      {},
      h("a", {
        class: "number",
        href: paragraphAddress(book, first.id),
        text: `§ ${paragraphName(first.id)}`,
      }),
      ` ${first.title}`,
    ),
    approved ? h("p", {}, h("strong", { text: "As approved: " }), approved) : null,
    h("p", {}, approved ? h("strong", { text: "In our words: " }) : null, first.says),
    ...(ruling.readings ?? []).map((/** @type {any} */ one) =>
      h("p", {}, h("strong", { text: `As read in ${one.reading}: ` }), `${one.question} ${one.says}`),
    ),
  );
}

/** @param {any} answer */
function sentences(answer) {
  const { ruling } = answer;
  const rest = ruling.sentences
    .filter((/** @type {any} */ each) => each.says !== headWords(ruling))
    .map((/** @type {any} */ each) => forPlayer(answer, each.says))
    .filter((/** @type {string} */ says) => !answer.example || !hasAmounts(says));
  if (!rest.length) return null;
  return h(
    "ul",
    { class: "slip-why" },
    ...rest.map((/** @type {string} */ says) => h("li", { text: says })),
  );
}

/** @param {any} ruling */
function sums(ruling) {
  if (!ruling.money.length) return null;
  const list = h("ul", { class: "slip-money" });
  for (const [who, changes] of whoseMoney(ruling.money)) {
    const says = changes.map(({ where, before, after }) => `${where} ${before} to ${after}`);
    list.append(h("li", {}, h("strong", { text: `${who}: ` }), says.join(", ")));
  }
  return list;
}
