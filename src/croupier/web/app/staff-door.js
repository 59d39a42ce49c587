// The demonstration's staff door: try a post of the pit, with play money. It is marked as play.

import { h, setText } from "./dom.js";
import { enterAsStaff, exit, whoAmI } from "./session.js";

/** @typedef {import("./records.js").StaffDoorBody["post"]} Post */

/** @type {[Post, string][]} */
const POSTS = [
  ["dealer", "reports what went wrong at a table"],
  ["pit supervisor", "confirms most rulings"],
  ["pit manager", "decides more, and pays the Progressive Jackpot"],
  ["shift manager", "decides what the book leaves open"],
];

export function staffDoor() {
  const name = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      maxlength: "24",
      placeholder: "Name on duty",
      "aria-label": "Name on duty",
      autocomplete: "nickname",
    })
  );
  const wrong = h("p", { class: "wrong", role: "alert" });
  const take = async (/** @type {Post} */ post) => {
    const called = name.value.trim() || `Guest ${Math.floor(1000 + Math.random() * 9000)}`;
    try {
      if ((await whoAmI()).name) await exit(); // staff do not play: who has a name gives it up
      await enterAsStaff(called, post);
      location.assign("/pit");
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
    }
  };
  return h(
    "section",
    { class: "staff-door", "aria-labelledby": "staff-door" },
    h("h2", { id: "staff-door" }, "Staff door", h("span", { class: "tag", text: "play" })),
    h("p", {
      text: "Try a post in the pit: watch the floor, report what goes wrong at a table, see the ruling before you confirm it. Everything is play money. Staff do not play: if you have a name as a player, you give it up.",
    }),
    name,
    h(
      "div",
      { class: "posts" },
      ...POSTS.map(([post, does]) =>
        h(
          "button",
          { class: "post", type: "button", "data-post": post, onclick: () => take(post) },
          h("strong", { text: post.charAt(0).toUpperCase() + post.slice(1) }),
          h("small", { text: does }),
        ),
      ),
    ),
    wrong,
  );
}
