// The button of a document that prints it.

document.querySelector("#print")?.addEventListener("click", () => print());
