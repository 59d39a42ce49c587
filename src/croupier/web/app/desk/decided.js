// What was decided in the end: as ruled, or otherwise and why; and what can be taken along.

import { h, fill, setText, show } from "../dom.js";
import { openDialog } from "../dialogs.js";
import { device } from "./device.js";
import { place } from "./place.js";
import { ask } from "./server.js";
import { clock, headWords } from "./words.js";

/** @typedef {import("./main.js").Desk} Desk */
/** @typedef {import("./main.js").Reply} Reply */

/** @param {Desk} desk @param {Reply} reply */
export function decisionBar(desk, reply) {
  const path = `/api/ask/${encodeURIComponent(reply.id)}`;
  const bar = h("div", { class: "decide" });
  const links = h(
    "div",
    { class: "links" },
    h("a", {
      class: "button quiet",
      href: `/ask/${encodeURIComponent(reply.id)}/slip`,
      text: "Slip",
    }),
    h("button", {
      class: "button quiet",
      type: "button",
      text: "Leave a note",
      onclick: () => leaveNote(reply),
    }),
    h("a", {
      class: "button quiet",
      href: `${path}/case`,
      download: "",
      text: "Save as case file",
    }),
  );
  const said = h("div", { class: "said" });
  bar.append(said, links);
  if (reply.status === "decided") showDecided(desk, reply, said);
  else showChoice(desk, reply, said);
  return bar;
}

/** @param {Desk} desk @param {Reply} reply @param {HTMLElement} said */
function showChoice(desk, reply, said) {
  const { ruling } = reply.answer;
  if (reply.barred) {
    fill(said, h("p", { class: "barred-words", text: reply.barred }));
    return;
  }
  const open = leftToStaff(ruling);
  const as = h("button", {
    class: "button main",
    type: "button",
    text: "Decided as ruled",
    onclick: () => send(desk, reply, said, { decided: ruling.headline, why: "", as_ruled: true }),
  });
  const otherwise = h("button", {
    class: open ? "button main" : "button",
    type: "button",
    text: open ? "Write down what was decided" : "Decided otherwise",
    onclick: () => writeDown(desk, reply),
  });
  fill(said, ...(open ? [otherwise] : [as, otherwise]));
}

/** Whether somebody of the staff has still to choose: then nothing is decided by the ruling alone.
 * @param {any} ruling */
function leftToStaff(ruling) {
  return (
    ruling.kind !== "ruling" &&
    ruling.decisions.some((/** @type {any} */ each) => each.by === "staff")
  );
}

/** @param {Desk} desk @param {Reply} reply @param {HTMLElement} said */
function showDecided(desk, reply, said) {
  const { ruling } = reply.answer;
  const as = reply.decided === ruling?.headline;
  const text = as
    ? "Noted: decided as ruled."
    : `Noted: ${reply.decided}${reply.why ? `, because ${reply.why}` : ""}`;
  fill(
    said,
    h("p", { class: "noted", role: "status", text }),
    h("button", {
      class: "button main",
      type: "button",
      text: "Next question",
      onclick: () => desk.go(place({ book: desk.here.book })),
    }),
  );
}

/** @param {Desk} desk @param {Reply} reply @param {HTMLElement} said @param {any} decided
 * @param {HTMLElement} [wrong] */
async function send(desk, reply, said, decided, wrong) {
  try {
    await ask(`/api/ask/${encodeURIComponent(reply.id)}/decided`, { ...decided, who: whoAsks() });
    Object.assign(reply, { status: "decided", decided: decided.decided, why: decided.why });
    showDecided(desk, reply, said);
    return true;
  } catch (error) {
    const says = /** @type {Error} */ (error).message;
    if (wrong) setText(wrong, says);
    else said.append(h("p", { class: "wrong", role: "alert", text: says }));
    return false;
  }
}

/** Who this device says it is, where the desk knows nobody by name. */
function whoAsks() {
  return device().who ?? "";
}

/** What was noted to a question, the oldest first. @param {any[]} notes */
export function noteList(notes) {
  const list = h("ul", { class: "before notes-left" });
  for (const note of notes)
    list.append(
      h(
        "li",
        {},
        note.says,
        h("small", { text: [note.who, clock(note.when)].filter(Boolean).join(" · ") }),
      ),
    );
  return list;
}

/** @param {Reply} reply */
function leaveNote(reply) {
  const says = area("Note, for the log", "note", "");
  const wrong = h("p", { class: "wrong", role: "alert" });
  const form = h(
    "form",
    { class: "inside" },
    h("p", { text: "A note decides nothing. It stands in the log beside the question." }),
    says.label,
    wrong,
    h(
      "div",
      { class: "row" },
      h("button", { class: "button main", type: "submit", text: "Keep the note" }),
    ),
  );
  const close = openDialog("Leave a note", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = says.field.value.trim();
    if (!text) {
      setText(wrong, "Write what is to be noted.");
      says.field.focus();
      return;
    }
    try {
      const path = `/api/ask/${encodeURIComponent(reply.id)}/notes`;
      const entry = await ask(path, { says: text, who: whoAsks() });
      reply.notes = entry.notes;
      const part = document.querySelector(".notes-part");
      if (part) {
        fill(part, h("h2", { text: "Notes" }), noteList(entry.notes));
        show(/** @type {HTMLElement} */ (part), true);
      }
      close();
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
    }
  });
  says.field.focus();
}

/** @param {Desk} desk @param {Reply} reply @param {string} [begun] what is written already */
export function writeDown(desk, reply, begun = "") {
  const said = /** @type {HTMLElement} */ (document.querySelector(".decide .said"));
  const { ruling } = reply.answer;
  const what = area("What was decided", "what", begun);
  const why = area("Why", "why", "");
  const wrong = h("p", { class: "wrong", role: "alert" });
  const form = h(
    "form",
    { class: "inside" },
    h("p", { text: `The desk said: ${headWords(ruling)}` }),
    what.label,
    why.label,
    wrong,
    h(
      "div",
      { class: "row" },
      h("button", { class: "button main", type: "submit", text: "Write it down" }),
    ),
  );
  const asRuled = leftToStaff(ruling); // what the book leaves to somebody is no deviation from it
  const close = openDialog(asRuled ? "What was decided" : "Decided otherwise", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const decided = what.field.value.trim();
    const because = why.field.value.trim();
    if (!decided || !because) {
      setText(wrong, decided ? "Say why, in a few words." : "Say what was decided.");
      (decided ? why.field : what.field).focus();
      return;
    }
    const noted = { decided, why: because, as_ruled: asRuled };
    if (await send(desk, reply, said, noted, wrong)) close();
  });
  what.field.focus();
}

/** @param {string} says @param {string} name @param {string} text */
function area(says, name, text) {
  const field = /** @type {HTMLTextAreaElement} */ (
    h("textarea", { rows: "2", name, maxlength: "500", text })
  );
  return { field, label: h("label", { class: "field" }, h("span", { text: says }), field) };
}
