/** Arena page: starts, watches and stops contests. */

import { games, get } from "../lib/api.js";
import { CardList } from "../lib/card-list.js";
import { el, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { readSpec } from "../lib/specs.js";
import { ContestForm } from "./arena/contest-form.js";
import { ContestCard, ContestWatch, emblems } from "./arena/contest-watch.js";

/** Suggested contests, offered if the gallery has their players. */
const SUGGESTIONS = [
  {
    title: "Learning draughts players",
    about: "Four self-taught networks, 1997 to 2009.",
    game: "draughts",
    players: ["neurodraughts:pruning=on", "ls-draughts:pruning=on", "visiondraughts:database=off", "mp-draughts"],
  },
  {
    title: "Do cutoffs help?",
    about: "Minimax and alpha-beta with equal nodes.",
    game: "chess",
    players: ["alphabeta", "minimax"],
  },
  {
    title: "Monte Carlo",
    about: "Flat Monte Carlo, UCT and alpha-beta.",
    game: "connect4",
    players: ["mcts:playouts=500", "flat:playouts=500", "alphabeta:depth=4"],
  },
  {
    title: "Styles of Go",
    about: "RAVE, learned patterns and playouts with tactics on 9×9.",
    game: "go:size=9",
    players: ["fuego-like", "crazystone-like", "btt-go"],
  },
];

const REFRESH_INTERVAL_MS = 3000;

/**
 * @param {HTMLElement} main
 * @param {Ludus.Route} route
 */
export async function show(main, route) {
  const [id] = route.path;
  if (id === "new") return showForm(main, route);
  if (id) return showContest(main, id);
  return showList(main);
}

/** @param {HTMLElement} main */
async function showList(main) {
  const contests = await readContests();
  const gallery = games();
  const [running, earlier] = [new ContestList("Running", gallery), new ContestList("Earlier contests", gallery)];
  const paint = (/** @type {Ludus.ContestSummary[]} */ all) => {
    running.show(all.filter((contest) => contest.state === "running"));
    earlier.show(all.filter((contest) => contest.state !== "running"));
  };
  paint(contests);
  replace(
    main,
    el(
      "div",
      { class: "page" },
      el(
        "header",
        { class: "contest-head" },
        el(
          "div",
          { class: "grow" },
          el("h1", { class: "page-title" }, "Arena"),
          el(
            "p",
            { class: "page-lead" },
            "Let players meet: matches, tournaments and sequential tests, with every game kept.",
          ),
        ),
        el("a", { class: "button primary", href: "#/arena/new" }, icon("plus"), "New contest"),
      ),
      running.element,
      earlier.element,
      contests.length === 0
        ? el(
            "div",
            { class: "card empty" },
            icon("arena"),
            el("h2", {}, "No contest yet"),
            el("p", {}, "Start one of these, or create your own."),
          )
        : null,
      proposals(gallery),
    ),
  );
  if (!contests.some((contest) => contest.state === "running")) return () => {};
  const timer = setInterval(() => void readContests().then(paint, () => {}), REFRESH_INTERVAL_MS);
  return () => clearInterval(timer);
}

async function readContests() {
  const { contests } = /** @type {{ contests: Ludus.ContestSummary[] }} */ (await get("/contests"));
  return contests;
}

/** Contests under a title that is hidden when there are none. */
class ContestList {
  #gallery;
  #cards = new CardList(
    "",
    (/** @type {Ludus.ContestSummary} */ contest) => contest.id,
    () => new ContestCard(this.#gallery),
  );
  element;

  /**
   * @param {string} title
   * @param {Ludus.GameCard[]} gallery
   */
  constructor(title, gallery) {
    this.#gallery = gallery;
    this.element = el("section", { class: "contest-list" }, el("h2", {}, title), this.#cards.element);
  }

  /** @param {Ludus.ContestSummary[]} contests */
  show(contests) {
    this.element.hidden = contests.length === 0;
    this.#cards.show(contests);
  }
}

/** @param {Ludus.GameCard[]} gallery */
function proposals(gallery) {
  const possible = SUGGESTIONS.filter(({ game, players }) => {
    const known = gallery.find((one) => one.id === readSpec(game).id)?.players.map((player) => player.id) ?? [];
    return players.every((spec) => known.includes(readSpec(spec).id));
  });
  if (possible.length === 0) return null;
  return el(
    "section",
    { class: "contest-list" },
    el("h2", {}, "Worth a look"),
    el(
      "div",
      { class: "grid" },
      possible.map(({ title, about, game, players }) =>
        el(
          "a",
          {
            class: "card contest-card",
            href: `#/arena/new?${new URLSearchParams([["game", game], ...players.map((player) => ["player", player])])}`,
          },
          emblems(players),
          el("h3", {}, title),
          el("p", { class: "muted small" }, about),
        ),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} main
 * @param {Ludus.Route} route
 */
async function showForm(main, route) {
  const players = route.query.getAll("player");
  const form = new ContestForm(games(), {
    game: route.query.get("game") ?? undefined,
    players: players.length > 0 ? players : undefined,
  });
  replace(
    main,
    el(
      "div",
      { class: "page" },
      el("nav", { class: "crumbs", "aria-label": "Back" }, el("a", { href: "#/arena" }, icon("back"), "All contests")),
      el("h1", { class: "page-title" }, "New contest"),
      el("p", { class: "page-lead" }, "Players may differ in any option; the same seed gives the same games."),
      form.element,
    ),
  );
  return () => {};
}

/**
 * @param {HTMLElement} main
 * @param {string} id
 */
async function showContest(main, id) {
  const watch = new ContestWatch(id, games());
  await watch.start();
  replace(main, watch.element);
  return () => watch.close();
}
