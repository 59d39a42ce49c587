// The pages of the rulebooks: search as one types, and keys. A plain script, because a browser loads
// no modules from a folder. The index says which words stand where in each paragraph, and what each
// place counts; the rest is `croupier.rulebooks.search`, so that both find the same.

(() => {
  const WORD = /[a-z]-[0-9]{2}|[a-z0-9]+(?:\.[a-z0-9]+)*/g;
  const ENDINGS = ["ing", "es", "ed", "s", "e"];
  const PLACES = ["title", "topics", "summary", "readings", "test"];
  const SHOWN = 12;

  /** @typedef {{weights: Record<string, number>, paragraphs: string[][]}} Index */

  /** @param {string} word */
  function stem(word) {
    for (const ending of ENDINGS)
      if (word.endsWith(ending) && word.length - ending.length >= 3 && !word.endsWith("ss"))
        return word.slice(0, -ending.length);
    return word;
  }

  /** @param {string} text */
  function stems(text) {
    return (text.toLowerCase().replaceAll("'", "").match(WORD) ?? []).map(stem);
  }

  /** Whether one word goes on where the other stops, or stops one letter short.
   * @param {string} word @param {string} other */
  function akin(word, other) {
    if (word.length >= 4 && other.startsWith(word)) return true;
    return other.length >= 4 && word.slice(0, -1) === other;
  }

  /** What a word counts at each place of a paragraph. @param {string} word @param {boolean} typing
   * @param {string} id @param {string[][]} places @param {Record<string, number>} weights */
  function points(word, typing, id, places, weights) {
    /** @type {number[]} */
    const found = [];
    places.forEach((there, i) => {
      const weight = weights[PLACES[i]];
      if (there.includes(word)) found.push(2 * weight);
      else if (there.some((other) => akin(word, other) || (typing && other.startsWith(word))))
        found.push(weight);
    });
    if (id === word || (typing && id.startsWith(word) && /\d/.test(word))) found.push(weights.id);
    return found;
  }

  /** @param {string} typed @param {Index} index */
  function search(typed, index) {
    const wanted = stems(typed);
    const typing = !/\s$/.test(typed);
    if (!wanted.length) return [];
    const hits = [];
    for (const [id, name, title, section, ...texts] of index.paragraphs) {
      const places = texts.map((text) => text.split(" "));
      let score = 0;
      let whole = true;
      wanted.forEach((word, i) => {
        const last = typing && i === wanted.length - 1 && word.length > 1;
        const counts = points(word, last, id, places, index.weights);
        if (!counts.length) whole = false;
        else {
          const best = Math.max(...counts);
          const all = counts.reduce((sum, one) => sum + one, 0);
          score += best + Math.floor((all - best) / 4);
        }
      });
      if (!whole) continue;
      for (const i of [0, 2])
        if (wanted.length > 1 && texts[i].includes(wanted.join(" ")))
          score += 2 * index.weights[PLACES[i]];
      hits.push({ id, name, title, section, score });
    }
    return hits.sort((a, b) => b.score - a.score);
  }

  /** @type {Promise<Index> | null} */
  let loading = null;

  /** The index is a script too; it is loaded when somebody begins to search. @param {string} from */
  function load(from) {
    loading ??= new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = from;
      script.onload = () => done(/** @type {any} */ (globalThis).rulebookIndex);
      script.onerror = () => {
        loading = null;
        fail(new Error("The index could not be loaded."));
      };
      document.head.append(script);
    });
    return loading;
  }

  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.search"));
  if (form) {
    const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
    const list = /** @type {HTMLElement} */ (form.querySelector("ol"));
    const says = /** @type {HTMLElement} */ (form.querySelector('[role="status"]'));
    const from = form.dataset.index ?? "";
    const address = form.dataset.paragraph ?? "";

    const update = async () => {
      const typed = field.value.trimStart();
      if (!typed) {
        list.hidden = true;
        says.textContent = "";
        return;
      }
      try {
        const index = await load(from);
        const hits = search(field.value, index);
        list.replaceChildren(
          ...hits.slice(0, SHOWN).map(({ id, name, title, section }) => {
            const item = document.createElement("li");
            const link = document.createElement("a");
            link.href = address.replace("PARAGRAPH", encodeURIComponent(id));
            const number = document.createElement("span");
            number.className = "number";
            number.textContent = name;
            const where = document.createElement("small");
            where.textContent = section;
            link.append(number, title, where);
            item.append(link);
            return item;
          }),
        );
        list.hidden = !hits.length;
        const more = hits.length > SHOWN ? `, the likeliest ${SHOWN} are shown` : "";
        says.textContent = hits.length
          ? `${hits.length} paragraphs${more}.`
          : "No paragraph has all of these words.";
        says.classList.toggle("vh", hits.length > 0);
      } catch (error) {
        says.textContent = /** @type {Error} */ (error).message;
        says.classList.remove("vh");
      }
    };
    field.addEventListener("input", update);
    field.addEventListener("focus", () => void load(from).catch(() => undefined));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      /** @type {HTMLAnchorElement | null} */ (list.querySelector("a"))?.click();
    });
    form.addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a")];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") {
        list.hidden = true;
        field.focus();
      } else if (step && links.length) {
        event.preventDefault();
        const now = links.findIndex((link) => link === document.activeElement);
        (links[now + step] ?? field).focus();
      }
    });
  }

  document.addEventListener("keydown", (event) => {
    const within = /** @type {Element | null} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || within?.closest("input, form")) return;
    if (event.key === "/" && form) {
      event.preventDefault();
      form.querySelector("input")?.focus();
    }
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (rel)
      /** @type {HTMLAnchorElement | null} */ (
        document.querySelector(`.neighbours a[rel="${rel}"]`)
      )?.click();
  });
})();
