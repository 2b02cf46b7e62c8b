/** The frame around all pages: navigation, theme, and a router over the fragment of the URL. */

import { ApiError } from "./lib/api.js";
import { announce, el, errorText, on, replace, showError } from "./lib/dom.js";
import { icon } from "./lib/icons.js";
import { capital } from "./lib/names.js";
import * as play from "./pages/play.js";

/** @type {{id: import("./lib/icons.js").IconName & string, title: string}[]} */
const PAGES = [
  { id: "play", title: "Play" },
  { id: "analyse", title: "Analyse" },
  { id: "explain", title: "Explain" },
  { id: "arena", title: "Arena" },
  { id: "train", title: "Train" },
  { id: "learn", title: "Learn" },
];
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const LOADING_BAR_DELAY_MS = 250;

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const navigation = /** @type {HTMLElement} */ (document.querySelector(".site-nav"));
const tools = /** @type {HTMLElement} */ (document.querySelector(".site-tools"));

let visit = 0;
/** @type {() => void} */
let leave = () => {};

/** @returns {{page: string, route: Ludus.Route}} */
function readAddress() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [page, ...rest] = path.split("/").map((part) => decodePart(part));
  return {
    page: page || "play",
    route: { path: rest.filter(Boolean), query: new URLSearchParams(query ?? "") },
  };
}

/** @param {string} part */
function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function go() {
  const number = ++visit;
  const { page, route } = readAddress();
  markNavigation(page);
  leave();
  leave = () => {};
  const bar = el("div", { class: "loading-bar", role: "progressbar", "aria-label": "Loading" });
  const timer = setTimeout(() => document.body.append(bar), LOADING_BAR_DELAY_MS);
  try {
    const known = PAGES.find((entry) => entry.id === page);
    document.title = known ? `${known.title} · Ludus` : "Ludus";
    const module = known ? await load(page) : null;
    if (number !== visit) return;
    const stage = el("div", { class: `stage ${page}-stage` });
    if (!module) return showMissing(page);
    replace(main, stage);
    const cleanUp = await module.show(stage, route);
    if (number === visit) leave = cleanUp;
    else cleanUp();
  } catch (error) {
    if (number === visit) showFailure(error);
  } finally {
    clearTimeout(timer);
    bar.remove();
  }
}

/**
 * @param {string} page
 * @returns {Promise<Ludus.PageModule | null>}
 */
async function load(page) {
  // Imported statically, so that it is there at the first paint.
  if (page === "play") return play;
  try {
    return await import(`./pages/${page}.js`);
  } catch (error) {
    // A module that exists but fails to load is an error, not a missing page.
    const answer = await fetch(`pages/${page}.js`, { method: "HEAD" });
    if (answer.ok) throw error;
    return null;
  }
}

/** @param {string} page */
function showMissing(page) {
  replace(
    main,
    el(
      "div",
      { class: "page" },
      el(
        "div",
        { class: "empty" },
        icon("board", 40),
        el("h2", {}, "Nothing here"),
        el("p", {}, `There is no page called “${page}”.`),
        el("a", { class: "button primary", href: "#/play" }, "Play a game"),
      ),
    ),
  );
}

/** @param {unknown} error */
function showFailure(error) {
  const missing = error instanceof ApiError && error.status === 404;
  replace(
    main,
    el(
      "div",
      { class: "page" },
      el(
        "div",
        { class: "empty", role: "alert" },
        icon(missing ? "search" : "warning", 40),
        el("h2", {}, missing ? "It no longer exists" : "This page could not be shown"),
        // Hints for scripts ("GET …") are left out.
        el("p", {}, capital(errorText(error).split(": GET ", 1)[0])),
        el(
          "div",
          { class: "row" },
          missing
            ? null
            : el(
                "button",
                { class: "button primary", type: "button", onclick: () => void announce(go()) },
                "Try again",
              ),
          el("a", { class: missing ? "button primary" : "button", href: "#/play" }, "Go to Play"),
        ),
      ),
    ),
  );
}

/** @param {string} page */
function markNavigation(page) {
  for (const link of navigation.querySelectorAll("a")) {
    if (link.dataset.page === page) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function buildNavigation() {
  for (const { id, title } of PAGES) {
    navigation.append(el("a", { href: `#/${id}`, dataset: { page: id } }, icon(id), el("span", {}, title)));
  }
}

/** @returns {typeof THEMES[number]} */
function theme() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "auto";
}

/** @param {typeof THEMES[number]} chosen */
function setTheme(chosen) {
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  try {
    localStorage.setItem("ludus.theme", chosen);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

function buildThemeSwitch() {
  const symbols = /** @type {const} */ ({ auto: "auto", light: "sun", dark: "moon" });
  const words = { auto: "system", light: "light", dark: "dark" };
  const button = el("button", { class: "button quiet icon", type: "button" });
  const paint = () => {
    replace(button, icon(symbols[theme()]));
    button.title = `Theme: ${words[theme()]}`;
    button.setAttribute("aria-label", `Theme: ${words[theme()]}. Change`);
  };
  button.addEventListener("click", () => {
    setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
    paint();
  });
  paint();
  tools.append(button);
}

buildNavigation();
buildThemeSwitch();
on(document, "click", (/** @type {MouseEvent} */ event) => {
  if (!(event.target instanceof Element) || !event.target.closest(".skip-link")) return;
  event.preventDefault();
  main.focus();
});
on(window, "hashchange", () => {
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
  void announce(go());
});
on(window, "unhandledrejection", (/** @type {PromiseRejectionEvent} */ event) => {
  if (event.reason instanceof DOMException && event.reason.name === "AbortError") return;
  showError(event.reason);
});
void announce(go());
