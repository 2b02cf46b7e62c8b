/** <ludus-cross-table>: the score of every pairing, coloured by the share of the row's player, and columns beside it. */

import { el } from "../lib/dom.js";
import { playerLabel } from "../lib/labels.js";

/** @typedef {{ wins: number, draws: number, losses: number }} Score */
/** @typedef {(Score | null)[][]} Pairings by row's player and column's player, as the row's player sees it */

/**
 * Points with halves as in 3½.
 * @param {number} points
 */
export function pointsText(points) {
  const whole = Math.floor(points);
  const half = points - whole >= 0.25 ? "½" : "";
  return half && whole === 0 ? half : `${whole}${half}`;
}

/** @param {Score} score */
export function gamesOf({ wins, draws, losses }) {
  return wins + draws + losses;
}

/** @param {Score} score */
export function scoreOf({ wins, draws }) {
  return wins + draws / 2;
}

/** @param {Score} score */
export function scoreWords({ wins, draws, losses }) {
  return `${wins} won, ${draws} drawn, ${losses} lost`;
}

export class CrossTable extends HTMLElement {
  /** @type {HTMLElement[][]} */ #cells = [];
  /** @type {HTMLElement[][]} */ #values = [];
  #shown = "";

  /**
   * Shows a table; cells are kept while the order of players stays the same.
   * @param {string[]} players
   * @param {Pairings} pairings
   * @param {Ludus.ColumnView[]} columns beside the grid
   */
  show(players, pairings, columns) {
    const order = ranking(players, pairings);
    const headings = columns.map(({ heading }) => heading);
    const key = JSON.stringify([order.map((index) => players[index]), headings]);
    if (key !== this.#shown) {
      this.#build(
        order.map((index) => players[index]),
        headings,
      );
      this.#shown = key;
    }
    order.forEach((row, place) => {
      order.forEach((column, across) => {
        this.#fill(this.#cells[place][across], row === column, pairings[row]?.[column] ?? null);
      });
      columns.forEach(({ values }, index) => {
        this.#values[place][index].textContent = values[row] ?? "";
      });
    });
  }

  /**
   * @param {string[]} players
   * @param {string[]} headings of the columns beside the grid
   */
  #build(players, headings) {
    this.#cells = players.map(() => players.map(() => el("td", { class: "cross-cell" })));
    this.#values = players.map(() => headings.map(() => el("td", { class: "cross-total number" })));
    const names = players.map((player) => el("span", { class: "cross-name", title: player }, playerLabel(player)));
    const head = el(
      "tr",
      {},
      el("th", { class: "cross-player", scope: "col" }, "Player"),
      ...players.map((player, index) => el("th", { class: "number", scope: "col", title: player }, String(index + 1))),
      ...headings.map((heading) => el("th", { class: "cross-total", scope: "col" }, heading)),
    );
    const rows = players.map((_, index) =>
      el(
        "tr",
        {},
        el(
          "th",
          { class: "cross-player", scope: "row" },
          el("span", { class: "cross-place number" }, String(index + 1)),
          names[index],
        ),
        ...this.#cells[index],
        ...this.#values[index],
      ),
    );
    this.replaceChildren(
      el(
        "div",
        { class: "scroll" },
        el("table", { class: "cross-table" }, el("thead", {}, head), el("tbody", {}, ...rows)),
      ),
    );
  }

  /**
   * @param {HTMLElement} cell
   * @param {boolean} itself
   * @param {Score | null} score
   */
  #fill(cell, itself, score) {
    const games = score ? gamesOf(score) : 0;
    cell.classList.toggle("itself", itself);
    cell.classList.toggle("played", games > 0);
    if (!score || games === 0) {
      cell.textContent = itself ? "" : "·";
      cell.removeAttribute("title");
      cell.style.removeProperty("--warmth");
      return;
    }
    const share = scoreOf(score) / games;
    cell.style.setProperty("--warmth", `${Math.round(Math.abs(share - 0.5) * 200)}%`);
    cell.classList.toggle("ahead", share > 0.5);
    cell.classList.toggle("behind", share < 0.5);
    cell.title = scoreWords(score);
    setTexts(cell, pointsText(scoreOf(score)), `+${score.wins} =${score.draws} −${score.losses}`);
  }
}

/**
 * @param {HTMLElement} cell
 * @param {string} points
 * @param {string} detail
 */
function setTexts(cell, points, detail) {
  if (cell.childElementCount !== 2) {
    cell.replaceChildren(el("b", { class: "number" }), el("small", { class: "number" }));
  }
  const [strong, small] = [...cell.children];
  if (strong.textContent !== points) strong.textContent = points;
  if (small.textContent !== detail) small.textContent = detail;
}

/**
 * The players' indices by falling score.
 * @param {string[]} players
 * @param {Pairings} pairings
 */
function ranking(players, pairings) {
  const share = players.map((_, index) => {
    const total = totalOf(pairings[index] ?? []);
    return gamesOf(total) === 0 ? 0 : scoreOf(total) / gamesOf(total);
  });
  return players.map((_, index) => index).sort((one, other) => share[other] - share[one] || one - other);
}

/**
 * @param {(Score | null)[]} row
 * @returns {Score}
 */
export function totalOf(row) {
  const total = { wins: 0, draws: 0, losses: 0 };
  for (const score of row) {
    if (!score) continue;
    total.wins += score.wins;
    total.draws += score.draws;
    total.losses += score.losses;
  }
  return total;
}

customElements.define("ludus-cross-table", CrossTable);
