// The first page of the school: the books, where one stands in each, and how a lesson begins.

import { h } from "../dom.js";
import { ask } from "../session.js";
import { loginSays, makeLoginForm } from "../login.js";
import { counted, day, lessonName, lessonScore, levelMark, share } from "./words.js";

/** @import {KindLine, LessonLine, SchoolBookLine, SchoolPage} from "../records.js" */
/** @typedef {import("./main.js").School} School */
/** @typedef {import("./main.js").View} View */

/** @param {School} school @returns {Promise<View>} */
export async function homeView(school) {
  const page = await ask("/api/school");
  const node = h("div", { class: "school-home" });
  if (page.trainee === null) node.append(enterPart(school));
  else node.append(firstPart(school, page));
  const books = h("ul", { class: "books" });
  for (const book of page.books) books.append(bookCard(school, book, page.trainee !== null));
  node.append(h("section", {}, h("h2", { text: "The rulebooks" }), books));
  if (page.lessons.length) node.append(lessonsPart(page.lessons));
  if (page.supervises)
    node.append(h("p", {}, h("a", { class: "button", href: "/school/trainees", text: "Who knows what" })));
  return { title: "Dealer school", under: "A table errs on purpose. You rule.", node };
}

/** Somebody without a name gives one first. @param {School} school */
function enterPart(school) {
  const me = /** @type {import("../records.js").Me} */ (school.me);
  const says =
    me.mode === "demonstration" ? "Give yourself a name; your record is kept under it." : loginSays(me);
  return h(
    "section",
    { class: "welcome" },
    h("h2", { text: "Learn by ruling" }),
    h("p", {
      text: "You see a table at which something has gone wrong, and say what happens. The rulebook marks it, and shows you the paragraph.",
    }),
    h("p", { text: says }),
    makeLoginForm(me, () => void school.open()),
  );
}

/** What to do now: go on with a lesson, or begin the first. @param {School} school @param {SchoolPage} page */
function firstPart(school, page) {
  const open = page.lessons.find((line) => !line.over);
  if (open)
    return h(
      "section",
      { class: "welcome" },
      h("h2", { text: `Your ${lessonName(open).toLowerCase()} is not over` }),
      h("p", { text: `${open.title}: ${open.asked} of ${open.length} answered.` }),
      h("a", { class: "button main", href: `/school/lesson/${open.lesson}`, text: "Go on" }),
    );
  const [first] = page.books;
  if (page.lessons.length || !first) return h("span", { hidden: true });
  return h(
    "section",
    { class: "welcome" },
    h("h2", { text: `Welcome, ${page.trainee}` }),
    h("p", {
      text: "Five exercises. You may look everything up, and what was wrong comes again until it is right.",
    }),
    beginButton(school, first.rulebook, "Begin the first lesson", () => ({})),
  );
}

/** @param {School} school @param {string} rulebook @param {string} text
 * @param {() => object} how @param {string} [classes] */
function beginButton(school, rulebook, text, how, classes = "button main") {
  const button = /** @type {HTMLButtonElement} */ (h("button", { class: classes, type: "button", text }));
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const made = await ask("/api/school/lessons", { rulebook, ...how() });
      await school.go(`/school/lesson/${made.line.lesson}`);
    } catch (error) {
      button.disabled = false;
      school.fail(error);
    }
  });
  return button;
}

/** @param {School} school @param {SchoolBookLine} book @param {boolean} entered */
function bookCard(school, book, entered) {
  const clock = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  /** @type {Map<string, HTMLInputElement>} */
  const kinds = new Map();
  const list = h("ul", { class: "kinds" });
  for (const line of book.kinds) list.append(kindItem(line, kinds));
  const how = () => ({
    clock: clock.checked,
    kinds: [...kinds].filter(([, box]) => box.checked).map(([kind]) => kind),
  });
  return h(
    "li",
    { class: "book", "data-book": book.rulebook },
    h("div", { class: "head" }, h("h3", { text: book.title }), levelMark(book)),
    share(book.known, book.items, `Known: ${book.known} of ${book.items}`),
    h("p", { class: "label", text: bookWords(book) }),
    entered
      ? h(
          "div",
          { class: "acts" },
          beginButton(school, book.rulebook, "Lesson", how),
          beginButton(school, book.rulebook, "Examination", () => ({ examination: true }), "button"),
        )
      : null,
    h(
      "details",
      {},
      h("summary", { text: "What is asked" }),
      list,
      h("p", { class: "label", text: "Choose some, or all of them come." }),
      entered ? h("label", { class: "check" }, clock, h("span", { text: "Against the clock" })) : null,
    ),
  );
}

/** @param {KindLine} line @param {Map<string, HTMLInputElement>} kinds */
function kindItem(line, kinds) {
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  kinds.set(line.kind, box);
  const fared = line.asked ? `${line.right} of ${line.asked} right` : "not asked yet";
  return h("li", {}, h("label", { class: "check" }, box, h("span", {}, line.called, h("small", { text: fared }))));
}

/** @param {SchoolBookLine} book */
function bookWords(book) {
  if (!book.asked) return `Level ${book.level}. Not begun yet.`;
  const words = [
    `Level ${book.level}`,
    `${book.right} of ${book.asked} right`,
    `${counted(book.streak, "right answer")} in a row, ${book.best_streak} at best`,
    book.due ? `${book.due} to be asked again` : "nothing due today",
  ];
  return `${words.join(" · ")}.`;
}

/** @param {readonly LessonLine[]} lessons */
function lessonsPart(lessons) {
  const list = h("ul", { class: "lessons" });
  for (const line of lessons) {
    const where = line.over ? `/school/certificate/${line.lesson}` : `/school/lesson/${line.lesson}`;
    const state = !line.over ? "not over" : line.passed ? "passed" : "not passed";
    list.append(
      h(
        "li",
        {},
        h("a", { href: where, text: `${lessonName(line)}, ${line.title}` }),
        h("span", { text: line.over ? lessonScore(line) : `${line.asked} of ${line.length}` }),
        h("span", { class: `tag ${state === "passed" ? "good" : ""}`, text: state }),
        h("span", { class: "label", text: day(line.at) }),
      ),
    );
  }
  return h("section", {}, h("h2", { text: "Your lessons" }), list);
}
