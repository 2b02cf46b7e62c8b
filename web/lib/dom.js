/** Small helpers to build and watch the document. Text goes in as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, unknown>} Attributes
 */

/**
 * An HTML element. `onclick` and the like take functions, `.value` sets a property, `style` and `dataset` take objects,
 * true sets an empty attribute, false, null and undefined leave it out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/**
 * An SVG element, by the same conventions.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {string} name
 * @param {unknown} value
 */
function setAttribute(element, name, value) {
  if (name.startsWith("on") && typeof value === "function") {
    element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
  } else if (name.startsWith(".")) {
    Reflect.set(element, name.slice(1), value);
  } else if (name === "style" && typeof value === "object" && value !== null) {
    for (const [property, text] of Object.entries(value)) element.style.setProperty(property, String(text));
  } else if (name === "dataset" && typeof value === "object" && value !== null) {
    Object.assign(element.dataset, value);
  } else if (value === false || value === null || value === undefined) {
    element.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
export function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Replaces all children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * Sets text only if it differs, to avoid layout and repeated announcements by screen readers.
 * @param {Element} element
 * @param {string | number} text
 */
export function setText(element, text) {
  const wanted = String(text);
  if (element.textContent !== wanted) element.textContent = wanted;
}

/**
 * Resolves once the browser has painted the current state.
 * @returns {Promise<void>}
 */
export function painted() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** Number of pending tasks that will change the page. */
let underway = 0;

/** @param {1 | -1} change */
function count(change) {
  underway += change;
  document.documentElement.dataset.ready = String(underway === 0);
}

/**
 * Marks the page as busy during work that changes it: the root element has `data-ready="true"` only while no work is pending and the
 * results of earlier work are painted.
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>} the same
 */
export async function announce(work) {
  count(1);
  try {
    return await work;
  } finally {
    void painted().then(() => count(-1));
  }
}

/**
 * Listens until the returned function is called.
 * @template {Event} E
 * @param {EventTarget} target
 * @param {string} type
 * @param {(event: E) => void} listener
 * @param {AddEventListenerOptions} [options]
 * @returns {() => void}
 */
export function on(target, type, listener, options) {
  const handler = /** @type {EventListener} */ (listener);
  target.addEventListener(type, handler, options);
  return () => target.removeEventListener(type, handler, options);
}

/**
 * A table with a line of headings, which scrolls sideways where it is wider than the page.
 * @param {(string | [name: string, className: string])[]} columns
 * @param {HTMLElement} body
 * @param {string} [className]
 */
export function table(columns, body, className = "") {
  const headings = columns.map((column) => {
    const [name, headingClass] = typeof column === "string" ? [column, ""] : column;
    return el("th", { scope: "col", class: headingClass }, name);
  });
  const head = el("thead", {}, el("tr", {}, headings));
  return el("div", { class: "scroll" }, el("table", { class: `table ${className}`.trim() }, head, body));
}

/**
 * Shows a message for a few seconds; errors stay longer.
 * @param {string} message
 * @param {"note" | "error"} [kind]
 */
export function toast(message, kind = "note") {
  const stack = document.querySelector(".toasts");
  if (!stack) return;
  const close = el("button", { type: "button", "aria-label": "Dismiss", onclick: () => box.remove() }, "✕");
  const box = el("div", { class: `toast ${kind}` }, el("span", {}, message), close);
  while (stack.children.length > 3) stack.firstElementChild?.remove();
  stack.append(box);
  setTimeout(() => box.remove(), kind === "error" ? 9000 : 4000);
}

/**
 * The message of an error.
 * @param {unknown} error
 * @returns {string}
 */
export function errorText(error) {
  return error instanceof Error && error.message ? error.message : "Something went wrong.";
}

/** @param {unknown} error */
export function showError(error) {
  toast(errorText(error), "error");
}
