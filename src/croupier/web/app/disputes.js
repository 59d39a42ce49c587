// Disputes, for staff: open one by a touch, print the notice, keep the sealed file, record what was
// settled. What an inspector has decided stands.

/** @import {DisputeSummary} from "./records.js" */

import { brand } from "./brand.js";
import { fill, h, show } from "./dom.js";
import { ask, makeFile, whoAmI } from "./session.js";

const FOR = { patron: "for the patron", house: "for the House", neither: "for neither" };

/** @param {string} at */
function day(at) {
  return new Date(at).toLocaleDateString([], { year: "numeric", month: "short", day: "numeric" });
}

/** @param {string} at */
function moment(at) {
  return `${day(at)}, ${new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`;
}

/** @param {string} name @param {string} label @param {Record<string, any>} [more] */
function field(name, label, more = {}) {
  const input = h(more.rows ? "textarea" : "input", { id: name, name, ...more });
  return h("div", { class: "field" }, h("label", { for: name, text: label }), input);
}

/** What a form says, by the names of its fields, which are those of the body.
 * @param {HTMLFormElement} form @returns {any} */
function values(form) {
  return Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value).trim()]));
}

class Disputes {
  constructor() {
    this.list = h("div", { class: "disputes", id: "disputes", tabindex: "-1" });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.opening = this.#opening();
    show(this.opening, false); // until it is known that the visitor may
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "header",
        { class: "bar" },
        brand(),
        h("div", { class: "grow" }),
        h("a", { class: "button quiet small", href: "/", text: "Lobby" }),
      ),
      h("main", {}, h("h1", { text: "Disputes" }), this.wrong, this.opening, this.list),
    );
    this.read();
  }

  #opening() {
    const about = new URLSearchParams(location.search).get("about") ?? "";
    const form = /** @type {HTMLFormElement} */ (
      h(
        "form",
        { class: "opening" },
        h("h2", { text: "Open a dispute" }),
        field("about", "Round or ruling", {
          required: true,
          value: about,
          placeholder: "Raffles#12",
          autocomplete: "off",
          maxlength: 120,
        }),
        field("patron", "Patron", { placeholder: "nobody: the House looks at it", maxlength: 120, autocomplete: "off" }),
        field("claim", "What the patron says", { required: true, rows: 3, maxlength: 500 }),
        h("button", { class: "button main", type: "submit", text: "Open and seal the file" }),
      )
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.#try(form, async () => {
        await ask("/api/disputes", values(form));
        form.reset();
        await this.read();
        this.list.focus();
      });
    });
    return form;
  }

  /** @param {HTMLElement} form @param {() => Promise<void>} does */
  async #try(form, does) {
    this.wrong.textContent = "";
    const buttons = form.querySelectorAll("button");
    for (const button of buttons) button.disabled = true;
    try {
      await does();
    } catch (error) {
      fill(this.wrong, h("span", { text: /** @type {Error} */ (error).message }));
      this.wrong.scrollIntoView({ block: "nearest" });
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  }

  async read() {
    try {
      await whoAmI();
      const { disputes } = await ask("/api/disputes");
      show(this.opening, true);
      fill(this.list, ...disputes.map((each) => this.#dispute(each)));
      if (!disputes.length) fill(this.list, h("p", { class: "none", text: "There is no dispute." }));
    } catch (error) {
      fill(this.wrong, h("span", { text: /** @type {Error} */ (error).message }));
    }
  }

  /** @param {DisputeSummary} found */
  #dispute(found) {
    const { settled } = found;
    const last = Boolean(settled?.inspector || settled?.inspector_rank);
    const where = found.round ? `${found.place}, round ${found.round}` : found.about;
    return h(
      "article",
      { class: settled ? "dispute settled" : "dispute" },
      h(
        "header",
        {},
        h("h2", { text: `No. ${found.dispute} · ${where}` }),
        h("span", { class: "tag", text: settled ? "Settled" : "Open" }),
      ),
      h("blockquote", { text: found.claim }),
      h(
        "dl",
        { class: "facts" },
        ...[
          ["Patron", found.patron || "not named"],
          ["Opened", `${moment(found.at)}, ${found.by}`],
          ["Deadline", day(found.deadline)],
        ].map(([word, says]) => h("div", {}, h("dt", { text: word }), h("dd", { text: says }))),
      ),
      settled
        ? h(
            "p",
            { class: "outcome" },
            h("strong", { text: `Settled ${FOR[settled.in_favour_of]}: ` }),
            settled.outcome,
            h("small", {
              text: last
                ? `Inspector ${[settled.inspector, settled.inspector_rank].filter(Boolean).join(", ")}; recorded by ${settled.by}`
                : `Agreed; recorded by ${settled.by}`,
            }),
          )
        : null,
      found.sha256 ? h("p", { class: "digest", text: `sha256 ${found.sha256}` }) : null,
      h(
        "p",
        { class: "keys" },
        found.round
          ? h("a", {
              class: "button small",
              href: `/round/${encodeURIComponent(found.place)}/${found.round}`,
              text: "Play it again",
            })
          : null,
        h("a", { class: "button small", href: `/disputes/${found.dispute}/notice`, text: "Patron's notice" }),
        h("a", { class: "button small", href: `/disputes/${found.dispute}`, text: "The record" }),
        h("button", {
          class: "button small",
          type: "button",
          text: "Sealed file",
          onclick: (/** @type {Event} */ event) =>
            this.#try(/** @type {HTMLElement} */ (event.target), () => this.#keep(found.dispute)),
        }),
      ),
      last ? null : this.#settling(found, Boolean(settled)),
    );
  }

  /** Make the sealed file and hand it to the browser to keep. @param {number} dispute */
  async #keep(dispute) {
    const url = URL.createObjectURL(await makeFile(`/api/disputes/${dispute}/file`));
    h("a", { href: url, download: `dispute-${dispute}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    await this.read();
  }

  /** @param {DisputeSummary} found @param {boolean} again */
  #settling(found, again) {
    const id = (/** @type {string} */ name) => `${name}-${found.dispute}`;
    const choice = h(
      "select",
      { id: id("for"), name: "in_favour_of" },
      ...Object.entries(FOR).map(([value, text]) => h("option", { value, text })),
    );
    const form = /** @type {HTMLFormElement} */ (
      h(
        "form",
        {},
        field(id("outcome"), "What was decided", { name: "outcome", required: true, maxlength: 500 }),
        h("div", { class: "field" }, h("label", { for: id("for"), text: "In whose favour" }), choice),
        field(id("inspector"), "Inspector", { name: "inspector", maxlength: 120, required: again }),
        field(id("rank"), "Rank or office", { name: "inspector_rank", maxlength: 120 }),
        h("button", { class: "button small main", type: "submit", text: "Record it" }),
      )
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.#try(form, async () => {
        await ask(`/api/disputes/${found.dispute}/settle`, values(form));
        await this.read();
      });
    });
    const says = again ? "An inspector decided otherwise" : "Settle it";
    return h("details", {}, h("summary", { text: says }), form);
  }
}

new Disputes();
