/** <ludus-cross-table>: who scored what against whom, warm where a row's player scored well. */

import { el } from "../lib/dom.js";
import { playerLabel } from "./labels.js";

/** @typedef {{ wins: number, draws: number, losses: number }} Tally */
/** @typedef {(Tally | null)[][]} Pairings by row's player and column's player, as the row's player sees it */

/**
 * Half points as people write them: 3½.
 * @param {number} points
 */
export function pointsText(points) {
  const whole = Math.floor(points);
  const half = points - whole >= 0.25 ? "½" : "";
  return half && whole === 0 ? half : `${whole}${half}`;
}

/** @param {Tally} tally */
export function gamesOf({ wins, draws, losses }) {
  return wins + draws + losses;
}

/** @param {Tally} tally */
export function scoreOf({ wins, draws }) {
  return wins + draws / 2;
}

/** @param {Tally} tally */
export function tallyWords({ wins, draws, losses }) {
  return `${wins} won, ${draws} drawn, ${losses} lost`;
}

export class CrossTable extends HTMLElement {
  /** @type {HTMLElement[][]} */ #cells = [];
  /** @type {HTMLElement[]} */ #totals = [];
  #shown = "";

  /**
   * Shows a table; the cells stay where they are while the order of players does.
   * @param {string[]} players
   * @param {Pairings} pairings
   */
  show(players, pairings) {
    const order = ranking(players, pairings);
    const key = JSON.stringify(order.map((index) => players[index]));
    if (key !== this.#shown) {
      this.#build(order.map((index) => players[index]));
      this.#shown = key;
    }
    order.forEach((row, place) => {
      order.forEach((column, across) => this.#fill(this.#cells[place][across], row === column, pairings[row]?.[column] ?? null));
      const total = totalOf(pairings[row] ?? []);
      this.#totals[place].textContent = `${pointsText(scoreOf(total))} / ${gamesOf(total)}`;
    });
  }

  /** @param {string[]} players */
  #build(players) {
    this.#cells = players.map(() => players.map(() => el("td", { class: "cross-cell" })));
    this.#totals = players.map(() => el("td", { class: "cross-total number" }));
    const names = players.map((player) => el("span", { class: "cross-name", title: player }, playerLabel(player)));
    const head = el(
      "tr",
      {},
      el("th", { class: "cross-player", scope: "col" }, "Player"),
      ...players.map((player, index) => el("th", { class: "number", scope: "col", title: player }, String(index + 1))),
      el("th", { class: "cross-total", scope: "col" }, "Score"),
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
        this.#totals[index],
      ),
    );
    this.replaceChildren(
      el("div", { class: "scroll" }, el("table", { class: "cross-table" }, el("thead", {}, head), el("tbody", {}, ...rows))),
    );
  }

  /**
   * @param {HTMLElement} cell
   * @param {boolean} itself
   * @param {Tally | null} tally
   */
  #fill(cell, itself, tally) {
    const games = tally ? gamesOf(tally) : 0;
    cell.classList.toggle("itself", itself);
    cell.classList.toggle("played", games > 0);
    if (!tally || games === 0) {
      cell.textContent = itself ? "" : "·";
      cell.removeAttribute("title");
      cell.style.removeProperty("--warmth");
      return;
    }
    const share = scoreOf(tally) / games;
    cell.style.setProperty("--warmth", `${Math.round(Math.abs(share - 0.5) * 200)}%`);
    cell.classList.toggle("ahead", share > 0.5);
    cell.classList.toggle("behind", share < 0.5);
    cell.title = tallyWords(tally);
    setTexts(cell, pointsText(scoreOf(tally)), `+${tally.wins} =${tally.draws} −${tally.losses}`);
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
 * The players' indices, the best score share first.
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
 * @param {(Tally | null)[]} row
 * @returns {Tally}
 */
export function totalOf(row) {
  const total = { wins: 0, draws: 0, losses: 0 };
  for (const tally of row) {
    if (!tally) continue;
    total.wins += tally.wins;
    total.draws += tally.draws;
    total.losses += tally.losses;
  }
  return total;
}

customElements.define("ludus-cross-table", CrossTable);
