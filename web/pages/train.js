/** Train page: recipes, runs, their curves and results. */

import { diagramFor } from "../diagrams/index.js";
import { field } from "../forms/fields.js";
import { games, get, post } from "../lib/api.js";
import { CardList } from "../lib/card-list.js";
import { el, errorText, replace, setText } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { capital, gameSettings } from "../lib/names.js";
import { readSpec } from "../lib/specs.js";
import { stateBadge } from "../lib/state-badge.js";
import { clusterMap } from "./train/cluster-map.js";
import { FeatureView } from "./train/feature-view.js";
import { kindPicture } from "./train/recipe-kinds.js";
import { RunCurves } from "./train/run-curves.js";
import { RunCard, RunWatch } from "./train/run-watch.js";

const TABS = [
  ["", "Runs"],
  ["recipes", "Recipes"],
  ["compare", "Compare"],
  ["clusters", "Endgame map"],
  ["features", "Features"],
];
const REFRESH_INTERVAL_MS = 3000;
const MAP_WORDS = "A self-organising map assigns each board with twelve pieces to one of them.";
const TILE_WORDS =
  "Each tile is a unit with its most typical board of a sample of games. " +
  "The bar shows how many of them belong to it; select one to see more.";
const nothing = () => {};

/**
 * @param {HTMLElement} main
 * @param {Ludus.Route} route
 * @returns {Promise<() => void>}
 */
export async function show(main, route) {
  const [part = "", name] = route.path;
  if (part === "run" && name) return showRun(main, name);
  if (part === "recipe" && name) return showRecipe(main, name);
  const parts = /** @type {Record<string, (body: HTMLElement, route: Ludus.Route) => Promise<() => void>>} */ ({
    "": showRuns,
    recipes: showRecipes,
    compare: showCompare,
    clusters: showClusters,
    features: showFeatures,
  });
  if (!Object.hasOwn(parts, part)) throw new Error(`There is no part of Train called “${part}”.`);
  const body = el("div", { class: "train-body" });
  replace(main, frame(part, body));
  main.querySelector(".tab[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  return parts[part](body, route);
}

/**
 * @param {string} part
 * @param {HTMLElement} body
 */
function frame(part, body) {
  return el(
    "div",
    { class: "page" },
    el("h1", { class: "page-title" }, "Train"),
    el(
      "p",
      { class: "page-lead" },
      "A recipe starts a run; a run produces weights. The same recipe gives the same weights on any machine.",
    ),
    el(
      "nav",
      { class: "tabs", "aria-label": "Parts of this page" },
      TABS.map(([id, words]) =>
        el(
          "a",
          { class: "tab", href: `#/train${id ? `/${id}` : ""}`, "aria-current": id === part ? "page" : null },
          words,
        ),
      ),
    ),
    body,
  );
}

/** @returns {Promise<Ludus.RunView[]>} */
async function readRuns() {
  const answer = /** @type {{ runs: Ludus.RunView[] }} */ (await get("/runs"));
  return answer.runs;
}

/** @returns {Promise<Ludus.RecipeView[]>} */
async function readRecipes() {
  return get("/recipes");
}

/** @param {HTMLElement} body */
async function showRuns(body) {
  const runs = await readRuns();
  const gallery = games();
  const cards = new CardList(
    "run-grid",
    (/** @type {Ludus.RunView} */ run) => run.name,
    () => new RunCard(gallery),
  );
  cards.show(runs);
  replace(
    body,
    runs.length > 0
      ? cards.element
      : el(
          "div",
          { class: "card empty" },
          icon("train"),
          el("h2", {}, "No run yet"),
          el("p", {}, "Choose a recipe: the short ones take a minute."),
          el("a", { class: "button primary", href: "#/train/recipes" }, "See the recipes"),
        ),
  );
  return refreshed(runs, (fresh) => cards.show(fresh));
}

/**
 * Polls the runs while one of them is running.
 * @param {Ludus.RunView[]} runs
 * @param {(runs: Ludus.RunView[]) => void} paint
 */
function refreshed(runs, paint) {
  if (!runs.some((run) => run.state === "running")) return nothing;
  const timer = setInterval(() => void readRuns().then(paint, nothing), REFRESH_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** @param {HTMLElement} body */
async function showRecipes(body) {
  const recipes = await readRecipes();
  const gallery = games();
  const ids = [...new Set(recipes.map((recipe) => readSpec(recipe.game).id))].sort();
  replace(
    body,
    ids.map((id) =>
      el(
        "section",
        { class: "recipe-section" },
        el("h2", {}, gallery.find((game) => game.id === id)?.name ?? id),
        el(
          "div",
          { class: "grid recipe-grid" },
          recipes.filter((recipe) => readSpec(recipe.game).id === id).map(recipeCard),
        ),
      ),
    ),
  );
  return nothing;
}

/** @param {Ludus.RecipeView} recipe */
function recipeCard(recipe) {
  return el(
    "a",
    { class: "card recipe-card", href: `#/train/recipe/${encodeURIComponent(recipe.name)}` },
    el("div", { class: "recipe-picture", "aria-hidden": "true" }, diagramFor({ id: kindPicture(recipe.kind) })),
    el(
      "div",
      { class: "recipe-body" },
      el("h3", {}, recipe.name),
      el("p", { class: "muted small" }, recipe.about),
      recipe.game.includes(":")
        ? el("div", { class: "row recipe-badges" }, el("span", { class: "badge" }, gameSettings(recipe.game)))
        : null,
      el("p", { class: "recipe-kind small" }, `${capital(recipe.kind_about)}.`),
    ),
  );
}

/**
 * @param {HTMLElement} main
 * @param {string} name
 */
async function showRecipe(main, name) {
  const [recipes, runs] = await Promise.all([readRecipes(), readRuns()]);
  const recipe = recipes.find((one) => one.name === name);
  if (!recipe) throw new Error(`There is no recipe called “${name}”.`);
  replace(
    main,
    el(
      "div",
      { class: "page" },
      el(
        "nav",
        { class: "crumbs", "aria-label": "Back" },
        el("a", { href: "#/train/recipes" }, icon("back"), "All recipes"),
      ),
      el("h1", { class: "page-title" }, recipe.name),
      el("p", { class: "page-lead" }, recipe.about),
      recipeForm(recipe, freeName(recipe.name, runs)),
    ),
  );
  return nothing;
}

/**
 * A name that no run has.
 * @param {string} wanted
 * @param {Ludus.RunView[]} runs
 */
function freeName(wanted, runs) {
  const taken = new Set(runs.map((run) => run.name));
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
  return name;
}

/**
 * @param {Ludus.RecipeView} recipe
 * @param {string} proposed suggested name of the run
 */
function recipeForm(recipe, proposed) {
  const text = el("textarea", {
    class: "input recipe-text",
    spellcheck: "false",
    rows: Math.min(32, Math.max(12, recipe.text.split("\n").length + 1)),
    ".value": recipe.text,
  });
  const name = el("input", {
    class: "input",
    type: "text",
    placeholder: proposed,
    spellcheck: "false",
    autocomplete: "off",
  });
  const error = el("p", { class: "field-error", role: "alert", hidden: true });
  const start = el("button", { class: "button primary large wide", type: "submit" }, icon("play"), "Start the run");
  const reset = el(
    "button",
    {
      class: "button quiet",
      type: "button",
      onclick: () => {
        text.value = recipe.text;
      },
    },
    icon("undo"),
    "Reset",
  );
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    start.disabled = true;
    error.hidden = true;
    try {
      const run = /** @type {Ludus.RunView} */ (
        await post("/runs", { name: name.value.trim() || proposed, recipe: text.value })
      );
      location.hash = `#/train/run/${encodeURIComponent(run.name)}`;
    } catch (problem) {
      setText(error, errorText(problem));
      error.hidden = false;
      start.disabled = false;
    }
  };
  return el(
    "form",
    { class: "split recipe-form", onsubmit: submit },
    el(
      "section",
      { class: "card column tight" },
      el("div", { class: "row spread" }, el("h2", { class: "card-title" }, "The recipe"), reset),
      field("The recipe, which you may edit", text),
    ),
    el(
      "section",
      { class: "card column" },
      el("div", { "aria-hidden": "true" }, diagramFor({ id: kindPicture(recipe.kind) })),
      el("p", { class: "muted" }, `${capital(recipe.kind_about)}.`),
      field("Name of the run", name, "Each run has a folder of its own."),
      error,
      start,
    ),
  );
}

/**
 * @param {HTMLElement} main
 * @param {string} name
 */
async function showRun(main, name) {
  const watch = new RunWatch(name, games());
  await watch.start();
  document.title = `${name} · Ludus`;
  replace(main, watch.element);
  return () => watch.close();
}

/**
 * @param {HTMLElement} body
 * @param {Ludus.Route} route
 */
async function showCompare(body, route) {
  let runs = (await readRuns()).filter((run) => run.curves.length > 0);
  const chosen = new Set(route.query.getAll("run"));
  if (chosen.size === 0) for (const run of runs.slice(0, 2)) chosen.add(run.name);
  const curves = new RunCurves();
  const paint = () => curves.show(runs.filter((run) => chosen.has(run.name)));
  const choice = (/** @type {Ludus.RunView} */ run) =>
    el(
      "label",
      { class: "compare-choice" },
      el("input", {
        type: "checkbox",
        ".checked": chosen.has(run.name),
        onchange: () => {
          if (!chosen.delete(run.name)) chosen.add(run.name);
          paint();
        },
      }),
      el("span", { class: "grow" }, run.name),
      stateBadge(run.state),
    );
  if (runs.length === 0) {
    replace(body, el("div", { class: "card empty" }, icon("train"), el("p", {}, "No run has curves yet.")));
    return nothing;
  }
  replace(
    body,
    el(
      "div",
      { class: "compare" },
      el("section", { class: "card compare-list" }, el("h2", { class: "card-title" }, "Runs"), runs.map(choice)),
      curves.element,
    ),
  );
  paint();
  return refreshed(runs, (fresh) => {
    runs = fresh;
    paint();
  });
}

/** @param {HTMLElement} body */
async function showClusters(body) {
  const map = /** @type {{ units: number, clusters: Ludus.Cluster[] }} */ (await get("/clusters"));
  replace(
    body,
    el(
      "div",
      { class: "cluster-layout" },
      clusterMap(map),
      el(
        "aside",
        { class: "card column" },
        el("div", { "aria-hidden": "true" }, diagramFor({ id: "som" })),
        el("p", {}, `MP-Draughts has ${map.units} specialists for endgames. ${MAP_WORDS}`),
        el("p", { class: "muted" }, TILE_WORDS),
        el(
          "a",
          { class: "button", href: "#/play?game=draughts&opponent=mp-draughts" },
          icon("play"),
          "Play MP-Draughts",
        ),
      ),
    ),
  );
  return nothing;
}

/** @param {HTMLElement} body */
async function showFeatures(body) {
  const view = new FeatureView(games());
  replace(body, view.element);
  await view.start();
  return nothing;
}
