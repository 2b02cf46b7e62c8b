/** A contest, live: boards, cross table, ratings, the sequential test, its games. */

import { el, replace, setText } from "../../lib/dom.js";
import { emblem, icon } from "../../lib/icons.js";
import "../../board/board.js";
import { CrossTable, gamesOf, pointsText, scoreOf, scoreWords, totalOf } from "../../charts/cross-table.js";
import { isKnown, RatingChart, signedWhole } from "../../charts/rating-chart.js";
import { SprtGauge } from "../../charts/sprt-gauge.js";
import { contestLabel, gameLabel, playerLabel } from "../../lib/labels.js";
import { LiveWatch } from "../../lib/live-watch.js";
import { momentText, ProgressLine, showState } from "../../lib/state-badge.js";
import { ContestGames } from "./contest-games.js";

const FORMS = /** @type {Record<string, string>} */ ({
  "round-robin": "all play each other",
  gauntlet: "the first against all others",
  knockout: "losers are eliminated",
});

/** Explanation of the rating scale. */
const SCALE = "Players d Elo apart are expected to score 1 / (1 + 10^(−d/400)): 100 are 64 %. Bars are 95 % intervals.";

/** @param {string} spec */
function playerId(spec) {
  return spec.split(":", 1)[0];
}

/** The board of a running game. */
class LiveBoard {
  #board = el("ludus-board", { class: "live-board" });
  #first = el("span", { class: "live-name" });
  #second = el("span", { class: "live-name" });
  #moves = el("span", { class: "badge number" });
  #shown = "";
  element = el(
    "figure",
    { class: "live-game" },
    this.#board,
    el("figcaption", {}, el("div", { class: "live-names" }, this.#first, this.#second), this.#moves),
  );

  /** @param {Ludus.ContestBoardView} game */
  show(game) {
    const key = `${game.first}|${game.second}|${game.moves}|${game.last_cells.join()}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#board.view = game.view;
    this.#board.last = game.last_cells;
    setText(this.#first, playerLabel(game.first));
    setText(this.#second, playerLabel(game.second));
    setText(this.#moves, `move ${game.moves}`);
  }
}

/** Elo difference of two players, with its interval. */
class Duel {
  #won = el("div", { class: "duel-part won number" });
  #drawn = el("div", { class: "duel-part drawn number" });
  #lost = el("div", { class: "duel-part lost number" });
  #elo = el("span", { class: "duel-elo number" });
  #interval = el("span", { class: "muted number" });
  #words = el("p", { class: "muted small" });
  #gauge = new SprtGauge();
  #test = el("div", { class: "duel-test" }, el("h3", { class: "card-title" }, "Sequential test"), this.#gauge);
  element = el(
    "section",
    { class: "card" },
    el("h2", { class: "card-title" }, "The match"),
    el("div", { class: "duel-figures" }, this.#elo, this.#interval),
    el("div", { class: "duel-bar" }, this.#won, this.#drawn, this.#lost),
    this.#words,
    this.#test,
  );

  /** @param {Ludus.ContestView} contest */
  show({ elo, table, players, sprt, state }) {
    this.#test.hidden = !sprt;
    if (sprt) this.#gauge.show(sprt, state !== "running");
    const score = totalOf(table[0] ?? []);
    setText(this.#elo, elo && isKnown(elo.value) ? `${signedWhole(elo.value)} Elo` : unknownElo(score, state));
    setText(
      this.#interval,
      elo && isKnown(elo.low) && isKnown(elo.high)
        ? `95 % between ${signedWhole(elo.low)} and ${signedWhole(elo.high)}`
        : "",
    );
    for (const [part, count, name] of /** @type {[HTMLElement, number, string][]} */ ([
      [this.#won, score.wins, "won"],
      [this.#drawn, score.draws, "drawn"],
      [this.#lost, score.losses, "lost"],
    ])) {
      part.style.setProperty("flex-grow", String(count));
      part.hidden = count === 0;
      part.title = `${count} ${name}`;
      setText(part, String(count));
    }
    setText(
      this.#words,
      gamesOf(score) > 0
        ? `${playerLabel(players[0])} scored ${pointsText(scoreOf(score))} of ${gamesOf(score)} distinct games: ${scoreWords(score)}.`
        : "No game has ended yet.",
    );
  }
}

/**
 * Explains a missing Elo difference: it is unbounded if one side wins every game.
 * @param {Ludus.WdlView} score
 * @param {Ludus.Phase} state
 */
function unknownElo(score, state) {
  if (state === "running") return "Elo not known yet";
  return gamesOf(score) > 0 ? "No Elo: one side won every game" : "No Elo: no game was played";
}

export class ContestWatch {
  #gallery;
  /** @type {LiveWatch<Ludus.ContestView & { champion?: string }>} */ #watch;
  /** @type {LiveBoard[]} */ #boards = [];
  #title = el("h1", { class: "page-title" });
  #about = el("p", { class: "page-lead" });
  #champion = el("p", { class: "contest-champion" });
  #progress = new ProgressLine();
  #repeats = el("p", { class: "muted small contest-repeats" });
  #progressCard = el("div", { class: "card contest-progress" }, this.#progress.element, this.#champion, this.#repeats);
  #grid = el("div", { class: "live-grid" });
  #boardsCard = el(
    "section",
    { class: "card live-card" },
    el("h2", { class: "card-title" }, "Running games"),
    this.#grid,
  );
  #cross = new CrossTable();
  #ratings = new RatingChart();
  #duel = new Duel();
  #results = el(
    "div",
    { class: "contest-results" },
    this.#boardsCard,
    this.#duel.element,
    el("section", { class: "card" }, el("h2", { class: "card-title" }, "Cross table"), this.#cross),
    el(
      "section",
      { class: "card" },
      el("h2", { class: "card-title" }, "Ratings"),
      this.#ratings,
      el("p", { class: "muted small" }, SCALE),
    ),
  );
  #games;
  element;

  /**
   * @param {string} id
   * @param {Ludus.GameCard[]} gallery
   */
  constructor(id, gallery) {
    this.#gallery = gallery;
    this.#watch = new LiveWatch(`/contests/${encodeURIComponent(id)}`, "contest", (contest) => this.#show(contest));
    this.#games = new ContestGames(id);
    this.element = el(
      "div",
      { class: "page contest" },
      el("nav", { class: "crumbs", "aria-label": "Back" }, el("a", { href: "#/arena" }, icon("back"), "All contests")),
      el(
        "header",
        { class: "contest-head" },
        el(
          "div",
          { class: "grow" },
          el("div", { class: "contest-title" }, this.#title, this.#watch.badge),
          this.#about,
        ),
        el("div", { class: "row" }, this.#watch.buttons),
      ),
      this.#watch.error,
      this.#progressCard,
      this.#results,
      this.#games.element,
    );
  }

  start() {
    return this.#watch.start();
  }

  close() {
    this.#watch.close();
    this.#games.stop();
  }

  /** @param {Ludus.ContestView & { champion?: string }} contest */
  #show(contest) {
    const two = contest.players.length === 2;
    document.title = `${contestLabel(contest)} · Ludus`;
    setText(this.#title, contestLabel(contest));
    setText(this.#about, this.#words(contest));
    this.#progress.show(contest.done, gamesInAll(contest), "games");
    this.#progressCard.hidden = contest.state === "finished" && !contest.champion && contest.repeats === 0;
    this.#repeats.hidden = contest.repeats === 0;
    setText(
      this.#repeats,
      `${contest.done} games, ${contest.distinct} distinct: ${contest.repeats} repeated an earlier one move for move and are not counted again.`,
    );
    this.#champion.hidden = !contest.champion;
    setText(this.#champion, contest.champion ? `${playerLabel(contest.champion)} has won the knockout.` : "");
    this.#showBoards(contest.boards);
    this.#cross.show(contest.players, contest.table, contest.columns);
    this.#ratings.ratings = contest.ratings;
    this.#duel.element.hidden = !two;
    if (two) this.#duel.show(contest);
    this.#arrange(contest.boards.length);
    this.#games.update(contest.done);
  }

  /** @param {Ludus.ContestView} contest */
  #words(contest) {
    const form = contest.players.length === 2 ? "a match" : (FORMS[contest.form] ?? contest.form);
    const early = gamesInAll(contest) < contest.planned ? `decided early, of up to ${contest.planned} games` : "";
    const size = contest.state === "finished" ? `${contest.done} games` : `${contest.players.length} players`;
    return [gameLabel(this.#gallery, contest.game), form, size, early].filter(Boolean).join(" · ");
  }

  /** Cards stand in pairs: many boards take a full row, and so does the last of an odd number of cards. @param {number} boards */
  #arrange(boards) {
    const cards = /** @type {HTMLElement[]} */ ([...this.#results.children]).filter((card) => !card.hidden);
    const pairs = cards.filter((card) => card !== this.#boardsCard || boards <= 2);
    for (const card of cards)
      card.classList.toggle(
        "wide",
        !pairs.includes(card) || (pairs.length % 2 === 1 && card === pairs[pairs.length - 1]),
      );
  }

  /** @param {Ludus.ContestBoardView[]} games */
  #showBoards(games) {
    this.#boardsCard.hidden = games.length === 0;
    while (this.#boards.length < games.length) {
      const board = new LiveBoard();
      this.#boards.push(board);
      this.#grid.append(board.element);
    }
    this.#boards.forEach((board, index) => {
      board.element.hidden = index >= games.length;
      if (index < games.length) board.show(games[index]);
    });
  }
}

/** @param {string[]} players */
export function emblems(players) {
  const shown = players.slice(0, 6);
  const row = el(
    "div",
    { class: "emblem-row", "aria-hidden": "true" },
    shown.map((player) => emblem(playerId(player), 32)),
  );
  if (players.length > shown.length)
    row.append(el("span", { class: "muted small" }, `+${players.length - shown.length}`));
  return row;
}

/**
 * Number of games: a sequential test may end with fewer than planned.
 * @param {Pick<Ludus.ContestView, "state" | "done" | "planned">} contest
 */
function gamesInAll({ state, done, planned }) {
  return state === "finished" ? done : planned;
}

/** A contest in the list. */
export class ContestCard {
  #gallery;
  #progress = new ProgressLine();
  #badge = el("span", {});
  #emblems = el("div", {});
  #title = el("h3", {});
  #players = el("p", { class: "muted small contest-players" });
  #error = el("p", { class: "card-error small", hidden: true });
  element = el(
    "a",
    { class: "card contest-card" },
    el("div", { class: "row spread nowrap" }, this.#emblems, this.#badge),
    this.#title,
    this.#players,
    this.#error,
    this.#progress.element,
  );

  /** @param {Ludus.GameCard[]} gallery */
  constructor(gallery) {
    this.#gallery = gallery;
  }

  /** @param {Ludus.ContestSummary & { started?: number }} contest */
  show(contest) {
    this.element.href = `#/arena/${encodeURIComponent(contest.id)}`;
    if (this.#emblems.childElementCount === 0) replace(this.#emblems, emblems(contest.players));
    showState(this.#badge, contest.state);
    setText(this.#title, contestLabel(contest));
    const when = contest.started ? ` · ${momentText(contest.started)}` : "";
    setText(
      this.#players,
      `${gameLabel(this.#gallery, contest.game)}${when} · ${contest.players.map(playerLabel).join(", ")}`,
    );
    setText(this.#error, contest.error ?? "");
    this.#error.hidden = !contest.error;
    this.#progress.show(contest.done, gamesInAll(contest), "games");
  }
}
