// Logging in: a guest names himself, somebody with an account logs in. The casino's mode says which.

import { fill, h, setText } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { isPlayMoney } from "./purse.js";
import { capital } from "./rules.js";
import { enter, login, NotDone } from "./session.js";

/** @typedef {import("./records.js").Me} Me */

/** What is asked of who logs in, in a sentence. @param {Me} me */
export function loginSays(me) {
  return isPlayMoney(me)
    ? "You play with play money. Choose the name that the others see."
    : "This casino plays for money. Log in to your account.";
}

/** The title of the form. @param {Me} me */
export function loginTitle(me) {
  return isPlayMoney(me) ? "Your name" : "Log in";
}

/**
 * The form to log in. @param {Me} me @param {(me: Me) => void} entered told who he is then
 * @returns {HTMLElement}
 */
export function makeLoginForm(me, entered) {
  const guest = isPlayMoney(me);
  const name = field("Your name", {
    type: "text",
    maxlength: guest ? "24" : "200",
    autocomplete: guest ? "nickname" : "username",
  });
  const password = guest
    ? null
    : field("Password", { type: "password", autocomplete: "current-password" });
  const code = guest
    ? null
    : field("Code (staff)", {
        type: "text",
        inputmode: "numeric",
        autocomplete: "one-time-code",
        maxlength: "7",
      });
  code?.removeAttribute("required");
  let note = "";
  const button = /** @type {HTMLButtonElement} */ (
    h("button", { class: "button main", type: "submit", text: guest ? "Enter" : "Log in" })
  );
  const wrong = h("p", { class: "wrong", role: "alert" });
  const newKey = h("div", { class: "new-key" });
  const form = h("form", { class: "enter" }, name, password, code, button, wrong, newKey);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const called = name.value.trim();
    if (!called) {
      setText(wrong, "Write a name first.");
      name.focus();
      return;
    }
    button.disabled = true;
    try {
      const typed = code ? code.value : "";
      entered(await (password ? login(called, password.value, typed, note) : enter(called)));
    } catch (error) {
      setText(wrong, capital(/** @type {Error} */ (error).message));
      const answer = error instanceof NotDone ? error.answer : {};
      if (code) code.value = "";
      if (answer.error === "second factor") {
        note = answer.note;
        fill(newKey, ...keyWords(answer));
        code?.focus();
      } else if (password) {
        password.value = "";
      }
    } finally {
      button.disabled = false;
    }
  });
  return form;
}

/** A new key, to be added to an authenticator app.
 * @param {import("./records.js").SecondFactorNeeded} needed */
function keyWords(needed) {
  return [
    h("p", {}, "Key: ", h("code", { text: needed.key })),
    h("p", {}, h("a", { href: needed.address, text: "Open it in an app on this device" })),
  ];
}

/** @param {string} label @param {Record<string, string>} about */
function field(label, about) {
  return /** @type {HTMLInputElement} */ (
    h("input", { required: true, placeholder: label, "aria-label": label, ...about })
  );
}

/** Let a visitor enter or log in; resolves with who he is then, or null if he would rather not.
 * @param {Me} me @returns {Promise<Me | null>} */
export function askWho(me) {
  return new Promise((done) => {
    const form = makeLoginForm(me, (entered) => {
      done(entered);
      close();
    });
    const body = h("div", { class: "inside" }, h("p", { text: loginSays(me) }), form);
    const close = openDialog(loginTitle(me), body);
    body.closest("dialog")?.addEventListener("close", () => done(null));
    form.querySelector("input")?.focus();
  });
}
