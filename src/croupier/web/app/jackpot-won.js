// A share of the Progressive Jackpot was won at this table: said over the board, in gold, to everybody.

import { h } from "./dom.js";
import { JACKPOT, meter } from "./money.js";
import { setting } from "./settings.js";

/** Milliseconds for which it stands there. */
const SHOWN = 10_000;

/**
 * Say who has won how much. It lies over the table, moves nothing and takes no click.
 * @param {HTMLElement} stage @param {{who: string, mine: boolean, paid: number}} won
 */
export function celebrate(stage, { who, mine, paid }) {
  document.querySelector(".jackpot-won")?.remove();
  const { x, y, width, height } = stage.getBoundingClientRect();
  const still = setting("calm") || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const node = h(
    "div",
    { class: `jackpot-won${still ? "" : " moves"}${mine ? " mine" : ""}`, role: "status" },
    h("p", { class: "of", text: JACKPOT }),
    h("strong", { text: meter(paid) }),
    h("p", { text: mine ? "You win!" : `${who} wins!` }),
  );
  node.style.left = `${x + width / 2}px`;
  node.style.top = `${y + height * 0.44}px`;
  node.style.maxWidth = `${width - 24}px`;
  document.body.append(node); // over what the last round came to, which lies over the table on a phone
  setTimeout(() => node.remove(), SHOWN);
}
