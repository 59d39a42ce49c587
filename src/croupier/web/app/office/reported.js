// Players who were reported to the pit: what was said, and what came of it.

import { h } from "../dom.js";
import { ask } from "../session.js";
import { orderForm } from "./form.js";

/** @import {Office} from "./main.js" */

/** @param {Office} office */
export async function reportedView(office) {
  const reports = Object.entries(await ask("/api/office/lists/player_reports"));
  if (!reports.length) return [h("p", { class: "none", text: "Nobody is reported." })];
  return reports.map(([number, report]) => {
    const round = report.round ? `/round/${encodeURIComponent(report.table)}/${report.round}` : "";
    return h(
      "section",
      { class: "reported" },
      orderForm({
        title: `${report.player}, at ${report.table}`,
        says: `${new Date(report.at).toLocaleString("en-GB")}, reported by ${report.by}: “${report.says}”`,
        fields: [{ name: "outcome", label: "What came of it" }],
        acts: [
          {
            text: "Answer",
            does: (values) => office.order({ do: "answer report", report: Number(number), ...values }),
          },
        ],
      }),
      round ? h("p", {}, h("a", { href: round, text: `Round ${report.round} of ${report.table}` })) : null,
    );
  });
}
