// Building and patching nodes. Text goes in by textContent; nothing here parses markup, so whatever
// a player calls himself stays text. What cannot be seen in a text (zero-width characters, those that
// turn the direction of writing) is written out, so that no old name hides.

const SVG = "http://www.w3.org/2000/svg";
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** A text as it may be shown: what cannot be seen is written `<U+202E>`.
 * @param {unknown} text */
export function visible(text) {
  return String(text).replace(HIDDEN, (char) => {
    const point = /** @type {number} */ (char.codePointAt(0));
    return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/**
 * Make an element. Properties: `class`, `text`, `on<event>`, anything else is an attribute; null,
 * undefined and false leave it out.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  apply(node, props);
  for (const child of children)
    if (child || child === "") node.append(typeof child === "string" ? visible(child) : child);
  return node;
}

/**
 * Make an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) {
    if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/** @param {HTMLElement} node @param {Record<string, any>} props */
function apply(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "text") node.textContent = visible(value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Set the text of a node only if it changed, so that readers and selections are left alone.
 * @param {Element} node @param {string | number} text */
export function setText(node, text) {
  const wanted = visible(text);
  if (node.textContent !== wanted) node.textContent = wanted;
}

/** Set or remove an attribute only if it changed.
 * @param {Element} node @param {string} name @param {string | number | boolean | null | undefined} value */
export function setAttr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const wanted = value === true ? "" : String(value);
  if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
}

/** Show or hide a node. @param {Element} node @param {boolean} shown */
export function show(node, shown) {
  setAttr(node, "hidden", !shown);
}

/** Give a node exactly this child, or none. @param {Element} node @param {...Node} children */
export function fill(node, ...children) {
  node.replaceChildren(...children);
}

/**
 * Patch a list in place: nodes are kept by key, made where they are missing, moved where the order
 * changed and removed where they are gone.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T, index: number) => string | number} keyOf
 * @param {(item: T, index: number) => Element} make
 * @param {(node: any, item: T, index: number) => void} [update]
 */
export function patchList(parent, items, keyOf, make, update) {
  /** @type {Map<string, Element>} */
  const before = new Map();
  for (const node of parent.children) {
    const key = /** @type {HTMLElement} */ (node).dataset.key;
    if (key !== undefined) before.set(key, node);
  }
  let place = parent.firstElementChild;
  items.forEach((item, index) => {
    const key = String(keyOf(item, index));
    let node = before.get(key);
    before.delete(key);
    if (!node) {
      node = make(item, index);
      /** @type {HTMLElement} */ (node).dataset.key = key;
    }
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
    if (update) update(node, item, index);
  });
  for (const node of before.values()) node.remove();
}
