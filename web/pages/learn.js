/** Learn page: an article on every player, algorithm and game, and a timeline. */

import { timeline } from "../charts/timeline.js";
import { diagramFor } from "../diagrams/index.js";
import { get } from "../lib/api.js";
import { el, replace, table } from "../lib/dom.js";
import { emblem, icon } from "../lib/icons.js";
import { FAMILIES, familyOf } from "./learn/families.js";

/** @typedef {import("./learn/families.js").Family} Family */

/**
 * @param {HTMLElement} main
 * @param {Ludus.Route} route
 */
export async function show(main, route) {
  const entries = /** @type {Ludus.ArticleSummary[]} */ (await get("/learn"));
  const id = route.path[0];
  if (id) await showArticle(main, id, entries);
  else showIndex(main, entries);
  return () => {};
}

/**
 * @param {HTMLElement} main
 * @param {Ludus.ArticleSummary[]} entries
 */
function showIndex(main, entries) {
  const search = el("input", {
    class: "input learn-search",
    type: "search",
    placeholder: "Search players and algorithms",
    "aria-label": "Search players and algorithms",
  });
  const families = el("div", {});
  const fill = () => {
    const wanted = search.value.trim().toLowerCase();
    const found = entries.filter((entry) =>
      `${entry.id} ${entry.title} ${entry.summary} ${entry.year ?? ""}`.toLowerCase().includes(wanted),
    );
    replace(
      families,
      found.length > 0 ? FAMILIES.map((family) => familySection(family, found)) : nothingFound(search.value),
    );
  };
  search.addEventListener("input", fill);
  fill();
  replace(
    main,
    el(
      "div",
      { class: "page" },
      el(
        "div",
        { class: "learn-head" },
        el(
          "div",
          {},
          el("h1", { class: "page-title" }, "Learn"),
          el(
            "p",
            { class: "page-lead" },
            "Ninety years of ideas about thinking in games, each with its source, a picture and an opponent.",
          ),
        ),
        search,
      ),
      el("section", { class: "card timeline", "aria-label": "Timeline" }, timeline(entries)),
      families,
    ),
  );
}

/** @param {string} words */
function nothingFound(words) {
  return el(
    "div",
    { class: "empty" },
    icon("search"),
    el("h3", {}, "Nothing found"),
    el("p", {}, `No article mentions “${words}”.`),
  );
}

/**
 * @param {Family} family
 * @param {Ludus.ArticleSummary[]} entries
 */
function familySection(family, entries) {
  const members = entries
    .filter((entry) => familyOf(entry) === family)
    .sort((one, other) => (one.year ?? 9999) - (other.year ?? 9999) || one.title.localeCompare(other.title));
  if (members.length === 0) return null;
  return el(
    "section",
    { class: `learn-family family-${family.id}` },
    el("header", {}, el("h2", {}, family.name), el("span", { class: "muted small" }, family.about)),
    el("div", { class: "grid learn-cards" }, members.map(card)),
  );
}

/** @param {Ludus.ArticleSummary} entry */
function card(entry) {
  return el(
    "a",
    { class: "card learn-card", href: address(entry.id) },
    el("div", { class: "learn-card-picture", "aria-hidden": "true" }, diagramFor(entry)),
    el(
      "div",
      { class: "learn-card-body" },
      el(
        "div",
        { class: "learn-card-head" },
        entry.kind === "player" ? emblem(plainId(entry.id), 32) : null,
        el("h3", {}, entry.title),
        entry.year === null ? null : el("span", { class: "badge number" }, entry.year),
      ),
      el("p", {}, entry.summary),
    ),
  );
}

/** @param {string} id */
function address(id) {
  return `#/learn/${encodeURIComponent(id)}`;
}

/**
 * The player an article is about: the engine has an article for every game.
 * @param {string} id
 */
function plainId(id) {
  return id.replace(/^engine-.*/, "engine");
}

/**
 * @param {HTMLElement} main
 * @param {string} id
 * @param {Ludus.ArticleSummary[]} entries
 */
async function showArticle(main, id, entries) {
  const page = /** @type {Ludus.Article} */ (await get(`/learn/${encodeURIComponent(id)}`));
  const entry = entries.find((one) => one.id === id) ?? {
    id,
    title: page.title,
    kind: "algorithm",
    year: null,
    summary: "",
  };
  document.title = `${page.title} · Ludus`;
  replace(
    main,
    el(
      "div",
      { class: `page family-${familyOf(entry).id}` },
      el("nav", { class: "crumbs", "aria-label": "Back" }, el("a", { href: "#/learn" }, icon("back"), "All pages")),
      el(
        "article",
        { class: "learn-article" },
        articleHead(entry, page),
        illustration(entry),
        el("div", { class: "learn-main" }, articleText(page), actions(page), source(page)),
        figures(page),
        neighbours(entry, entries),
      ),
    ),
  );
}

/**
 * @param {Ludus.ArticleSummary} entry
 * @param {Ludus.Article} page
 */
function articleHead(entry, page) {
  return el(
    "header",
    {},
    el(
      "div",
      { class: "learn-title" },
      entry.kind === "player" ? emblem(plainId(entry.id), 56) : null,
      el("h1", { class: "page-title" }, page.title),
    ),
    el(
      "div",
      { class: "learn-meta" },
      entry.year === null ? null : el("span", { class: "badge accent number" }, entry.year),
      el("span", { class: "badge" }, familyOf(entry).name),
      el("span", { class: "badge" }, entry.kind),
    ),
  );
}

/** @param {Ludus.Article} page */
function articleText(page) {
  return el(
    "div",
    { class: "learn-text" },
    page.idea.map((paragraph) => el("p", {}, paragraph.trim())),
  );
}

/** @param {Ludus.Article} page */
function actions(page) {
  const { play, explain } = page;
  if (!play && !explain) return null;
  return el(
    "div",
    { class: "learn-actions" },
    play
      ? el(
          "a",
          { class: "button primary", href: `#/play?${new URLSearchParams({ game: play.game, opponent: play.spec })}` },
          icon("play"),
          "Play it",
        )
      : null,
    explain
      ? el(
          "a",
          {
            class: "button",
            href: `#/explain?${new URLSearchParams({ game: explain.game, algorithm: explain.algorithm })}`,
          },
          icon("explain"),
          "Step through it",
        )
      : null,
  );
}

/** @param {Ludus.Article} page */
function source(page) {
  if (!page.source) return null;
  return el("aside", { class: "learn-source" }, el("b", {}, "Source"), page.source);
}

/** @param {Ludus.ArticleSummary} entry */
function illustration(entry) {
  const picture = diagramFor(entry);
  return el(
    "figure",
    { class: "card learn-figure" },
    picture,
    el("figcaption", {}, picture.getAttribute("aria-label")),
  );
}

/** @param {Ludus.Article} page */
function figures(page) {
  if (page.figures.length === 0) return null;
  const columns = ["What", "Published", "Ours", "Where"];
  const rows = page.figures.map(({ what, published, ours, where }) =>
    el(
      "tr",
      {},
      [what, published, ours, where].map((value, index) => el("td", { "data-label": columns[index] }, value || "–")),
    ),
  );
  return el(
    "section",
    { class: "card learn-figures" },
    el("h2", { class: "card-title" }, "Published figures beside ours"),
    table(columns, el("tbody", {}, rows)),
  );
}

/**
 * The previous and next article of its family, by year.
 * @param {Ludus.ArticleSummary} entry
 * @param {Ludus.ArticleSummary[]} entries
 */
function neighbours(entry, entries) {
  const family = entries
    .filter((one) => familyOf(one) === familyOf(entry))
    .sort((one, other) => (one.year ?? 9999) - (other.year ?? 9999));
  const here = family.findIndex((one) => one.id === entry.id);
  const [before, after] = [family[here - 1], family[here + 1]];
  return el(
    "nav",
    { class: "learn-more", "aria-label": "Next pages" },
    before ? el("a", { class: "button quiet", href: address(before.id) }, icon("back"), before.title) : el("span", {}),
    after ? el("a", { class: "button quiet", href: address(after.id) }, after.title, icon("forward")) : null,
  );
}
