// Players who were reported: the console says how many wait, and leads to them.

import { h, setText, show } from "../dom.js";
import { ask } from "../session.js";

const AGAIN = 10_000;

/** A link with the count, which reads it by itself. */
export function reportedLink() {
  const link = h("a", { class: "button quiet small reported", href: "/office#reported", hidden: true });
  const read = async () => {
    const found = await ask("/api/office/lists/player_reports").catch(() => null);
    if (!found) return; // the console says already that there is no connection
    const count = Object.keys(found).length;
    setText(link, `${count} ${count === 1 ? "player" : "players"} reported`);
    show(link, count > 0);
  };
  read();
  setInterval(() => document.visibilityState === "visible" && read(), AGAIN);
  return link;
}
