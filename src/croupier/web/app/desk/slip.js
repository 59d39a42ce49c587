// The slip: on the screen large enough to hold to a player, on paper with room for a signature.

import { h, show } from "../dom.js";
import { paragraphName } from "../rules.js";
import { exampleWords } from "./example.js";
import { headWords, whoseMoney } from "./ruling.js";
import { ask } from "./server.js";
import { clock, listed, plainly, valueWords } from "./words.js";

/** @param {import("./main.js").Desk} desk @param {string} id */
export async function slipView(desk, id) {
  show(desk.bar, false);
  document.body.classList.add("slip-page");
  try {
    const entry = await ask(`/api/ask/${encodeURIComponent(id)}`);
    desk.put(slip(desk, entry), "Slip");
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

/** @param {import("./main.js").Desk} desk @param {any} entry */
function slip(desk, entry) {
  const { answer } = entry;
  const ruling = answer.ruling;
  const book = desk.book(entry.book);
  const word = book?.word ?? "seat";
  const facts = (answer.given ?? []).map((/** @type {any} */ known) =>
    h("li", {}, `${known.ask} `, h("strong", { text: valueWords(known.kind, known.says, word) })),
  );
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
      text: ruling ? headWords(ruling) : plainly(answer.impossible) || "Not ruled yet",
      tabindex: "-1",
    }),
    ruling ? grounds(ruling) : null,
    ruling ? sentences(ruling) : null,
    ruling && !entry.incident ? sums(ruling) : null,
    answer.example ? h("p", { class: "slip-note", text: exampleWords(answer) }) : null,
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
      h("p", { class: "governs", text: "Paragraphs in our own words; the approved rules govern." }),
    ),
  );
}

/** @param {any} ruling */
function grounds(ruling) {
  const [first] = ruling.paragraphs;
  if (!first) return null;
  return h(
    "section",
    { class: "slip-ground" },
    h(
      "h2",
      {},
      h("span", { class: "number", text: `§ ${paragraphName(first.id)}` }),
      ` ${first.title}`,
    ),
    h("p", { text: first.says }),
    ...(ruling.readings ?? []).map((/** @type {any} */ one) =>
      h("p", {}, h("strong", { text: `As read in ${one.reading}: ` }), `${one.question} ${one.says}`),
    ),
  );
}

/** @param {any} ruling */
function sentences(ruling) {
  const rest = ruling.sentences.filter(
    (/** @type {any} */ each) => each.says !== headWords(ruling),
  );
  if (!rest.length) return null;
  return h(
    "ul",
    { class: "slip-why" },
    ...rest.map((/** @type {any} */ each) => h("li", { text: each.says })),
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
