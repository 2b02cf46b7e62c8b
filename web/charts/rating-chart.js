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
    const ends = sorted.flatMap(({ elo, error }) => {
      const reach = isKnown(error) ? error : 0;
      return isKnown(elo) ? [elo - reach, elo + reach] : [];
    });
    const scale = linearScale(Math.min(-MIN_RANGE_ELO, ...ends), Math.max(MIN_RANGE_ELO, ...ends), 4);
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
    const { elo, error } = rating;
    const known = isKnown(elo);
    const sure = known && isKnown(error);
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
      ...(sure ? errorBar(elo - error, elo + error, scale) : []),
      ...(known ? [svg("circle", { class: "rating-point", cx: percent(scale.place(elo)), cy: "50%", r: 5 })] : []),
    );
    row.value.replaceChildren(
      el("b", {}, known ? signedWhole(elo) : boundText(rating)),
      el("small", { class: "muted" }, sure ? ` ± ${Math.round(error)}` : ""),
    );
    row.element.title = `${rating.games} distinct games: ${scoreWords(rating)}`;
  }
}

/**
 * The bound that is known of a player that won, or lost, every game.
 * @param {Rating} rating
 */
function boundText({ low, high }) {
  if (isKnown(low)) return `> ${signedWhole(low)}`;
  return isKnown(high) ? `< ${signedWhole(high)}` : "–";
}

/**
 * Order by falling rating, players without a rating last.
 * @param {Rating} one
 * @param {Rating} other
 */
function compare(one, other) {
  const known = Number(isKnown(other.elo)) - Number(isKnown(one.elo));
  return known || (isKnown(one.elo) && isKnown(other.elo) ? other.elo - one.elo : 0);
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

/**
 * Whether there is a number: JSON has null where a rating or a bound is unknown.
 * @param {number | null} value
 * @returns {value is number}
 */
export function isKnown(value) {
  return Number.isFinite(value);
}

/** @param {number} value */
export function signedWhole(value) {
  const whole = Math.round(value);
  return whole < 0 ? `−${-whole}` : whole > 0 ? `+${whole}` : "0";
}

customElements.define("ludus-rating-chart", RatingChart);
