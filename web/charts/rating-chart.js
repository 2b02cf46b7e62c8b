/** <ludus-rating-chart>: ratings with error bars, one row a player. */

import { el, svg } from "../lib/dom.js";
import { playerLabel } from "../lib/labels.js";
import { scoreWords } from "./cross-table.js";
import { linearScale } from "./scale.js";

/** @typedef {Ludus.RatingRow} Rating */
/** @typedef {{ element: HTMLElement, strip: SVGElement, value: HTMLElement }} Row */

/** Smallest Elo range shown on either side of the average. */
const MIN_RANGE_ELO = 50;

export class RatingChart extends HTMLElement {
  /** @type {Map<string, Row>} */ #rows = new Map();
  #list = el("ol", { class: "rating-rows" });
  #axis = svg("svg", { class: "rating-axis", "aria-hidden": "true" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.append(
      this.#list,
      el("div", { class: "rating-foot" }, el("span", {}), this.#axis, el("span", { class: "muted" }, "Elo")),
    );
  }

  /** @param {Rating[]} ratings */
  set ratings(ratings) {
    const sorted = [...ratings].sort((one, other) => compare(one, other));
    const known = sorted.filter((rating) => Number.isFinite(rating.elo));
    const reach = known.map((rating) => (Number.isFinite(rating.error) ? rating.error : 0));
    const scale = linearScale(
      Math.min(-MIN_RANGE_ELO, ...known.map((rating, index) => rating.elo - reach[index])),
      Math.max(MIN_RANGE_ELO, ...known.map((rating, index) => rating.elo + reach[index])),
      4,
    );
    this.#drop(sorted);
    for (const rating of sorted) {
      const row = this.#row(rating.player);
      this.#fill(row, rating, scale);
      this.#place(row.element, sorted.indexOf(rating));
    }
    this.#axis.replaceChildren(
      ...scale.ticks.map((tick) =>
        svg(
          "text",
          { class: "chart-tick", x: percent(scale.place(tick)), y: 14, "text-anchor": "middle" },
          String(tick),
        ),
      ),
    );
  }

  /** @param {Rating[]} ratings */
  #drop(ratings) {
    const names = new Set(ratings.map((rating) => rating.player));
    for (const [player, row] of this.#rows) {
      if (names.has(player)) continue;
      row.element.remove();
      this.#rows.delete(player);
    }
  }

  /**
   * @param {HTMLElement} element
   * @param {number} index
   */
  #place(element, index) {
    const there = this.#list.children[index];
    if (there !== element) this.#list.insertBefore(element, there ?? null);
  }

  /** @param {string} player */
  #row(player) {
    const known = this.#rows.get(player);
    if (known) return known;
    const strip = svg("svg", { class: "rating-strip", "aria-hidden": "true" });
    const value = el("span", { class: "rating-value number" });
    const element = el(
      "li",
      { class: "rating-row" },
      el("span", { class: "rating-name", title: player }, playerLabel(player)),
      strip,
      value,
    );
    const row = { element, strip, value };
    this.#rows.set(player, row);
    return row;
  }

  /**
   * @param {Row} row
   * @param {Rating} rating
   * @param {import("./scale.js").Scale} scale
   */
  #fill(row, rating, scale) {
    const known = Number.isFinite(rating.elo);
    const sure = known && Number.isFinite(rating.error);
    row.strip.replaceChildren(
      ...scale.ticks.map((tick) =>
        svg("line", {
          class: tick === 0 ? "rating-zero" : "chart-grid",
          x1: percent(scale.place(tick)),
          x2: percent(scale.place(tick)),
          y1: 0,
          y2: "100%",
        }),
      ),
      ...(sure ? errorBar(rating.elo - rating.error, rating.elo + rating.error, scale) : []),
      ...(known
        ? [svg("circle", { class: "rating-point", cx: percent(scale.place(rating.elo)), cy: "50%", r: 5 })]
        : []),
    );
    row.value.replaceChildren(
      el("b", {}, known ? signedWhole(rating.elo) : boundText(rating)),
      el("small", { class: "muted" }, sure ? ` ± ${Math.round(rating.error)}` : ""),
    );
    row.element.title = `${rating.games} distinct games: ${scoreWords(rating)}`;
  }
}

/**
 * The bound that is known of a player that won, or lost, every game.
 * @param {Rating} rating
 */
function boundText({ low, high }) {
  if (Number.isFinite(low)) return `> ${signedWhole(Number(low))}`;
  return Number.isFinite(high) ? `< ${signedWhole(Number(high))}` : "–";
}

/**
 * Order by falling rating, players without a rating last.
 * @param {Rating} one
 * @param {Rating} other
 */
function compare(one, other) {
  const known = Number(Number.isFinite(other.elo)) - Number(Number.isFinite(one.elo));
  return known || (Number.isFinite(one.elo) ? other.elo - one.elo : 0);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {import("./scale.js").Scale} scale
 */
function errorBar(low, high, scale) {
  const [left, right] = [percent(scale.place(low)), percent(scale.place(high))];
  return [
    svg("line", { class: "rating-bar", x1: left, x2: right, y1: "50%", y2: "50%" }),
    ...[left, right].map((end) => svg("line", { class: "rating-end", x1: end, x2: end, y1: "34%", y2: "66%" })),
  ];
}

/** @param {number} share */
function percent(share) {
  return `${(share * 100).toFixed(2)}%`;
}

/** @param {number} value */
export function signedWhole(value) {
  const whole = Math.round(value);
  return whole < 0 ? `−${-whole}` : whole > 0 ? `+${whole}` : "0";
}

customElements.define("ludus-rating-chart", RatingChart);
