// Who is on duty here: what calls him, the way to the ruling desk, and the end of his post.

import { h } from "../dom.js";
import { openDialog } from "../dialogs.js";
import { exit } from "../session.js";
import { capital } from "../desk/words.js";
import { alertBoxes } from "./alert.js";

/** @import {Me} from "../records.js" */

/** @param {Me} me */
export function openPost(me) {
  const leave = async () => {
    await exit();
    location.assign("/");
  };
  openDialog(
    `${me.name}, ${capital(me.rank)}`,
    h(
      "div",
      { class: "inside" },
      h("h3", { text: "When something waits for me" }),
      h("div", {}, ...alertBoxes()),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button", href: "/ask", text: "Ruling desk" }),
        h("a", { class: "button", href: "/disputes", text: "Disputes" }),
        h("a", { class: "button", href: "/office", text: "Office" }),
        h("button", {
          class: "button",
          type: "button",
          text: me.mode === "demonstration" ? "Leave the post" : "Log out",
          onclick: leave,
        }),
      ),
    ),
  );
}
