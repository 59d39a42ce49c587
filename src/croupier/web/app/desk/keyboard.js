// The desk by keyboard: Escape goes back, the stroke goes to the search. The numbers that pick values
// stand on their buttons, as on every page.

/** @param {import("./main.js").Desk} desk */
export function keysOfTheDesk(desk) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const field = document.activeElement;
    const typing = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (event.key === "Escape") {
      event.preventDefault();
      if (typing && field.value && field.id === "words") clear(field);
      else desk.goBack();
    } else if (event.key === "/" && !typing) {
      event.preventDefault();
      const words = document.querySelector("#words");
      if (words instanceof HTMLElement) words.focus();
    }
  });
}

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
function clear(field) {
  field.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
