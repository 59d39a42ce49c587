// Today: what waits for somebody, who is on duty, what is stopped.

import { h } from "../dom.js";
import { money } from "../money.js";
import { ask } from "../session.js";

/** @import {Office} from "./main.js" */

/** @param {Office} office */
export async function todayView(office) {
  const [glance, unclaimed] = [office.glance, await ask("/api/office/reports/unclaimed")];
  const { waits } = glance;
  const kept = unclaimed.reduce((sum, each) => sum + each.amount, 0);
  const drops = waits.drop_boxes ? `, ${waits.drop_boxes} drop${waits.drop_boxes === 1 ? "" : "s"} to count` : "";
  const trays = `${waits.open_trays} open, ${waits.slips} slip${waits.slips === 1 ? "" : "s"} to sign${drops}`;
  const stopped = glance.disabled ? [`everything: ${glance.disabled}`, ...glance.stopped] : glance.stopped;
  return [
    h(
      "ul",
      { class: "facts", "data-list": "today" },
      fact("#cage", "Corrections to approve", String(waits.corrections), waits.corrections > 0),
      fact("#trays", "Trays", trays, waits.slips + waits.drop_boxes > 0),
      fact("#waiting", "Waiting for a seat", `${waits.waiting}, ${waits.called} called`, waits.called > 0),
      fact("#cage", "Unclaimed awards", unclaimed.length ? `${unclaimed.length}, ${money(kept)}` : "none", false),
      fact("#tables", "Disabled", stopped.join(", ") || "nothing", stopped.length > 0),
      fact("#duty", "On duty", glance.on_duty.join(", ") || "nobody", false),
      fact("#reports", "Last day closed", glance.day_closed ?? "none yet", false),
      fact("#reports", "Money", glance.real_money ? "real" : "play money", false),
    ),
  ];
}

/** @param {string} href @param {string} title @param {string} says @param {boolean} waits */
function fact(href, title, says, waits) {
  return h(
    "li",
    { class: waits ? "fact waits" : "fact" },
    h("a", { href }, h("span", { class: "title", text: title }), h("strong", { text: says })),
  );
}
