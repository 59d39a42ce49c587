// Whose device it is, where, and what the House has chosen: said once, kept on the device.

import { h } from "../dom.js";
import { openDialog } from "../dialogs.js";
import { capital } from "./words.js";
import { device, remember } from "./device.js";

/** Who asks, and where: as the desk knows it, or as the device was told.
 * @param {import("./main.js").Desk} desk */
export function aboutWords(desk) {
  const told = device();
  const area = told.area || desk.known?.area;
  return [desk.known?.who || told.who, area].filter(Boolean).join(" · ") || "Set up";
}

/** @param {import("./main.js").Desk} desk */
export function aboutDevice(desk) {
  const known = device();
  const who = field("Your name or number", known.who ?? "", "64");
  const area = field("Where you stand, such as Pit 3", known.area ?? "", "64");
  const book = desk.book();
  const chosen = { ...(known.policies?.[book?.id] ?? {}) };
  const body = h(
    "form",
    { class: "inside", method: "dialog" },
    h("p", {
      text: "Your name and area go into the log with every question. This device keeps them.",
    }),
    desk.known?.who ? null : who.label,
    area.label,
    book?.policies?.length ? policies(book, chosen) : null,
    h(
      "div",
      { class: "row" },
      h("a", { class: "button quiet", href: "/ask/log", text: "The log" }),
      h("button", { class: "button main", type: "submit", text: "Keep" }),
    ),
  );
  body.addEventListener("submit", () => {
    const all = { ...(device().policies ?? {}) };
    if (book) all[book.id] = chosen;
    remember({ who: who.input.value.trim(), area: area.input.value.trim(), policies: all });
    desk.showAbout();
    if (desk.here.incident) desk.open(desk.here);
  });
  openDialog("This device", body);
}

/** @param {string} says @param {string} value @param {string} most */
function field(says, value, most) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", value, maxlength: most, autocomplete: "off" })
  );
  return { input, label: h("label", { class: "field" }, h("span", { text: says }), input) };
}

/** @param {any} book @param {Record<string, string>} chosen */
function policies(book, chosen) {
  const list = h("div", { class: "policies" });
  for (const policy of book.policies) {
    const select = /** @type {HTMLSelectElement} */ (h("select", {}));
    for (const value of policy.values)
      select.append(
        h("option", {
          value,
          text: capital(String(value).replaceAll("-", " ")),
          selected: String(chosen[policy.name] ?? policy.value) === String(value),
        }),
      );
    select.addEventListener("change", () => {
      if (select.value === String(policy.value)) delete chosen[policy.name];
      else chosen[policy.name] = select.value;
    });
    list.append(h("label", { class: "field" }, h("span", { text: policy.says }), select));
  }
  return h(
    "details",
    { class: "house" },
    h("summary", { text: `What the House has chosen, ${book.short}` }),
    list,
  );
}
