// A jackpot link: its meter, the claims that wait with hand and board, paying them, slips and witnesses,
// faults and repair with the self-check, changes that want a second person.

import { h, fill, setText } from "../dom.js";
import { JACKPOT, meter, money } from "../money.js";
import { cardNames, cardSigns } from "../cards.js";
import { changeWords } from "../link-words.js";
import { ask } from "../session.js";
import { openDialog } from "../dialogs.js";
import { capital } from "../desk/words.js";
import { askChange, askCounts } from "./link-forms.js";
import { hour, newId, placeName } from "./words.js";

/** @import {BankedView, LinkDetails, OpenClaim, PitAward, PitLinkWork} from "../records.js" */
/** @typedef {import("./main.js").Console} Console */

/** @param {Console} console @param {string} link @returns {Promise<import("./main.js").View>} */
export async function linkView(console, link) {
  const path = `/api/links/${encodeURIComponent(link)}`;
  const wrong = h("p", { class: "wrong", role: "alert" });
  const told = h("ul", { class: "told" });
  const body = h("div", { class: "link-body" });
  const order = async (/** @type {Record<string, unknown>} */ command) => {
    setText(wrong, "");
    try {
      const given = /** @type {any} */ ({ id: newId(), command });
      const answer = await ask(/** @type {`/api/links/${string}/commands`} */ (`${path}/commands`), given);
      fill(told, ...answer.told.map((says) => h("li", { text: says })));
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
      wrong.scrollIntoView({ block: "center" });
    }
    drawn = "";
    await console.read();
  };
  let drawn = "";
  const draw = async () => {
    const [found, work] = await Promise.all([
      ask(/** @type {`/api/links/${string}`} */ (path)),
      ask(`/api/pit/links/${encodeURIComponent(link)}`),
    ]);
    const now = JSON.stringify([found, work]);
    if (now === drawn || body.contains(document.activeElement?.closest("details[open]") ?? null)) return;
    drawn = now;
    const claims = found.pending?.claims ?? [];
    const hands = await Promise.all(claims.map(handOf));
    fill(body, ...parts(found, work, hands, order));
  };
  await draw();
  return {
    title: link,
    view: h("section", { class: "at-link" }, h("h1", { tabindex: "-1" }, link, h("small", { text: JACKPOT })), wrong, h("div", { role: "status" }, told), body),
    update: () => draw().catch((error) => setText(wrong, error.message)),
  };
}

/** @typedef {{hand: string[], board: string[]} | null} Hand */

/** The cards of a claim, if its round still lies on the table. @param {OpenClaim} claim @returns {Promise<Hand>} */
async function handOf(claim) {
  try {
    const { view } = await ask(`/api/tables/${encodeURIComponent(claim.table)}/view`);
    const table = /** @type {BankedView} */ (view);
    if (table.round !== claim.round) return null;
    return { hand: table.boxes[claim.box]?.cards ?? [], board: table.board };
  } catch {
    return null;
  }
}

/** @param {LinkDetails} found @param {PitLinkWork} work @param {Hand[]} hands
 * @param {(command: Record<string, unknown>) => void} order */
function parts(found, work, hands, order) {
  const { pending } = found;
  return [
    h(
      "dl",
      { class: "figures" },
      ...[
        ["Meter", meter(found.meter)],
        ["Shown to players", meter(found.display)],
        ["Reset value", money(found.reset_value)],
        ["Status", capital(found.status)],
        ...(work.parked ? [["Parked until claims are paid", meter(work.parked)]] : []),
        ["Tables", found.tables.map(placeName).join(", ") || "none"],
        ["Paid so far", found.hits ? `${money(found.awarded)} in ${found.hits} ${found.hits > 1 ? "awards" : "award"}` : "nothing"],
      ].map(([word, says]) => h("div", {}, h("dt", { text: word }), h("dd", { text: says }))),
    ),
    claimsPart(found, work, hands, order),
    ...(pending?.questions ?? []).map((each) =>
      h(
        "section",
        { class: "part" },
        h("h2", { text: "To be decided" }),
        h("p", { text: each.says }),
        h("a", { class: "button main", href: `#decision/${encodeURIComponent(found.link)}/${each.decision}`, text: "Decide" }),
      ),
    ),
    ...(pending?.changes ?? []).map((each) =>
      h(
        "section",
        { class: "part" },
        h("h2", { text: "Wants a second person" }),
        h("p", { text: `${each.proposed_by} proposes: ${each.kind}, ${changeWords(each.change)}, because ${each.reason}.` }),
        h("button", { class: "button main", type: "button", text: "Approve it", onclick: () => order({ do: "approve", proposal: each.proposal }) }),
      ),
    ),
    awardsPart(work),
    faultPart(found, work, order),
    changesPart(found, work, order),
  ];
}

const FAULTS = ["the display has failed", "bets are not registered", "the meter looks wrong"];
const REPAIRS = ["tested, it counts again", "a part was replaced and tested"];

/** What the link looks at before it goes live again, and the way there.
 * @param {LinkDetails} found @param {PitLinkWork} work @param {(command: Record<string, unknown>) => void} order */
function faultPart(found, work, order) {
  const works = found.status !== "failed";
  const holds = work.checks.every((check) => check.holds);
  return h(
    "section",
    { class: "part" },
    h("h2", { text: "Fault and repair" }),
    h("p", { class: holds ? "check-all" : "check-all wrong", text: holds ? "Self-check: everything agrees." : "Self-check: something does not agree." }),
    h(
      "details",
      { open: !holds || !works },
      h("summary", { text: "What is checked" }),
      h("ul", { class: "checks" }, ...work.checks.map((check) => h("li", { class: check.holds ? "holds" : "fails" }, h("span", { class: "mark", text: check.holds ? "✓ " : "✗ ", "aria-hidden": "true" }), check.says, check.holds ? null : h("strong", { text: " It does not agree." })))),
    ),
    works ? null : h("p", { class: "then", text: "Each table is asked how its next rounds are run; players are told. The amount that was registered stands for every round that goes on." }),
    h(
      "div",
      { class: "row" },
      works
        ? h("button", { class: "button", type: "button", text: "Report a fault", onclick: () => askWhy("What has failed?", FAULTS, "Report the fault", (reason) => order({ do: "report link fault", reason })) })
        : h("button", { class: "button main", type: "button", text: "It works again", onclick: () => askWhy("What was done?", REPAIRS, "It works again", (reason) => order({ do: "repair link", reason })) }),
      h("button", { class: "button", type: "button", text: "Reconcile the tables", onclick: () => askCounts(work, order) }),
      found.status === "closed"
        ? h("button", { class: "button", type: "button", text: "Open the jackpot", onclick: () => order({ do: "reopen link" }) })
        : h("button", { class: "button", type: "button", text: "Close the jackpot", onclick: () => order({ do: "close link" }) }),
    ),
  );
}

/** Changes that one proposes and another approves. @param {LinkDetails} found @param {PitLinkWork} work
 * @param {(command: Record<string, unknown>) => void} order */
function changesPart(found, work, order) {
  const closed = found.status === "closed";
  const may = closed || found.status === "failed";
  const button = (/** @type {string} */ text, /** @type {"parameters" | "correction" | "termination"} */ kind, /** @type {boolean} */ on) =>
    h("button", { class: "button", type: "button", text, disabled: !on, onclick: () => askChange(kind, work, order) });
  return h(
    "section",
    { class: "part" },
    h("h2", { text: "Changes by two people" }),
    h("p", { class: "lead", text: may ? "You propose, somebody else approves." : "Only while the jackpot is closed. You propose, somebody else approves." }),
    h(
      "div",
      { class: "row" },
      button("Other parameters", "parameters", closed),
      button("Correct the meter", "correction", may),
      button("End the jackpot", "termination", closed),
    ),
  );
}

/** @param {LinkDetails} found @param {PitLinkWork} work @param {Hand[]} hands
 * @param {(command: Record<string, unknown>) => void} order */
function claimsPart(found, work, hands, order) {
  const claims = found.pending?.claims ?? [];
  if (!claims.length) return h("section", { class: "part" }, h("h2", { text: "Claims" }), h("p", { class: "none", text: "Nobody claims anything." }));
  const list = h("ol", { class: "claims" });
  claims.forEach((claim, k) => list.append(claimItem(claim, work, hands[k])));
  const total = claims.reduce((sum, claim) => sum + claim.amount, 0);
  const asked = (found.pending?.questions ?? []).length > 0;
  return h(
    "section",
    { class: "part claims-part" },
    h("h2", { text: claims.length > 1 ? "Claims, in the order of payment" : "A claim" }),
    list,
    asked
      ? null
      : h("button", {
          class: "button main pay",
          type: "button",
          text: claims.length > 1 ? `Verified: pay ${claims.length} claims, ${money(total)}` : `Verified: pay ${money(total)}`,
          onclick: () => order({ do: "pay claims" }),
        }),
  );
}

/** @param {OpenClaim} claim @param {PitLinkWork} work @param {Hand} hand */
function claimItem(claim, work, hand) {
  return h(
    "li",
    {},
    h("strong", { class: "amount", text: money(claim.amount) }),
    h("span", { class: "line", text: lineName(work, claim.line) }),
    h("span", { text: `${claim.player}, box ${claim.box} of ${placeName(claim.table)}, round ${claim.round}` }),
    hand?.hand.length
      ? h("span", { class: "cards", "aria-label": `Hand ${cardNames(hand.hand)}; board ${cardNames(hand.board)}`, role: "img" }, `${cardSigns(hand.hand)}  |  ${cardSigns(hand.board)}`)
      : h("span", { class: "cards none", text: "The round has left the table; see its history." }),
    h("small", { text: `${claim.dealt ? `dealt at ${hour(claim.dealt)}, ` : ""}claimed at ${hour(claim.since)}` }),
  );
}

/** @param {PitLinkWork} work @param {string} line */
function lineName(work, line) {
  return (work.lines[line] ?? line).replace(/^Major: /, "");
}

/** What was paid, each with its slip and its witness. @param {PitLinkWork} work */
function awardsPart(work) {
  if (!work.awards.length) return h("section", { class: "part" }, h("h2", { text: "Paid" }), h("p", { class: "none", text: "Nothing yet." }));
  const list = h("ul", { class: "awards" });
  for (const one of work.awards.slice(0, 8)) list.append(awardItem(one));
  return h("section", { class: "part" }, h("h2", { text: "Paid" }), list);
}

/** @param {PitAward} one */
function awardItem(one) {
  const waits = !one.witness && one.paid_by && !one.taken_back;
  const witness = one.witness
    ? `witnessed by ${one.witness.by}`
    : one.paid_by
      ? waits && "not witnessed yet"
      : "paid at once";
  return h(
    "li",
    { class: waits ? "unwitnessed" : "" },
    h("strong", { class: "amount", text: money(one.paid) }),
    h("span", { text: `${one.line.replace(/^Major: /, "")}, box ${one.box} of ${placeName(one.table)}, round ${one.round}` }),
    h("small", { text: [hour(one.at), one.paid_by && `paid by ${one.paid_by}`, witness, one.taken_back && "taken back", `meter ${meter(one.meter_before)} → ${meter(one.meter_after)}`].filter(Boolean).join(" · ") }),
    h("a", { class: one.mine && !one.witness ? "button main" : "button", href: `#slip/${encodeURIComponent(one.link)}/${one.award}`, text: one.mine && !one.witness ? "Witness it" : "Slip", "aria-label": `${one.mine && !one.witness ? "Witness it" : "Slip"}: ${money(one.paid)}, box ${one.box} of ${placeName(one.table)}` }),
  );
}

/** @param {string} title @param {string[]} presets @param {string} does @param {(reason: string) => void} give */
function askWhy(title, presets, does, give) {
  const field = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: "300", autocomplete: "off" }));
  const wrong = h("p", { class: "wrong", role: "alert" });
  const say = (/** @type {string} */ reason) => {
    if (!reason.trim()) {
      setText(wrong, "Touch one of these, or write it in your own words.");
      return field.focus();
    }
    close();
    return give(reason.trim());
  };
  const body = h(
    "div",
    { class: "inside" },
    h("div", { class: "choices" }, ...presets.map((each) => h("button", { class: "choice", type: "button", text: capital(each), onclick: () => say(each) }))),
    h("label", { class: "field" }, h("span", { text: "In other words" }), field),
    wrong,
    h("div", { class: "row" }, h("button", { class: "button main", type: "button", text: does, onclick: () => say(field.value) })),
  );
  const close = openDialog(title, body);
}
