/** The curves of one or several runs; related curves share a chart. */

import { CurveChart } from "../../charts/curve-chart.js";
import { drawable, PALETTE_SIZE, thinned } from "../../charts/curve-plot.js";
import { el, svg } from "../../lib/dom.js";

/** @typedef {import("../../charts/curve-plot.js").Series} Series */
/** Fixed palette colours of outcomes: green, blue, red. @type {Record<string, number>} */
const OUTCOMES = { won: 2, drawn: 1, lost: 3 };

/** @typedef {{ caption: string, xLabel: string, series: Series[] }} Chart */

/**
 * One run: curves of the same thing share a chart, as "errors train" and "errors validation" do.
 * Several runs: a chart for every curve, with a line for each run.
 * @param {Ludus.RunView[]} runs
 * @returns {Map<string, Chart>}
 */
function chartsOf(runs) {
  /** @type {Map<string, Chart>} */
  const charts = new Map();
  const several = runs.length > 1;
  runs.forEach((run, colour) => {
    for (const curve of run.curves) {
      const thing = several ? curve.name : curve.name.replace(/\s+\S+$/, "");
      const key = `${curve.x_label}/${thing}`;
      const chart = charts.get(key) ?? { caption: curve.name, xLabel: curve.x_label, series: [] };
      if (chart.series.length > 0) chart.caption = thing;
      chart.series.push(
        several ? { name: run.name, points: curve.points, colour } : { name: curve.name, points: curve.points },
      );
      charts.set(key, chart);
    }
  });
  if (!several) for (const { series } of charts.values()) colour(series);
  return charts;
}

/**
 * Gives outcomes their fixed colours, and other curves the rest of the palette.
 * @param {Series[]} series
 */
function colour(series) {
  const meant = series.map(({ name }) => OUTCOMES[name.split(/\s+/).pop() ?? ""]);
  const free = [...Array(PALETTE_SIZE).keys()].filter((place) => !meant.includes(place));
  series.forEach((one, index) => {
    one.colour = meant[index] ?? free.shift() ?? index;
  });
}

/** Charts that are updated in place while their curves grow. */
export class RunCurves {
  /** @type {Map<string, CurveChart>} */ #charts = new Map();
  #empty = el("div", { class: "empty" }, "No curve yet: points appear with the first results.");
  element = el("div", { class: "run-curves" }, this.#empty);

  /** @param {Ludus.RunView[]} runs */
  show(runs) {
    const wanted = chartsOf(runs);
    for (const [key, chart] of this.#charts) {
      if (wanted.has(key)) continue;
      chart.closest(".card")?.remove();
      this.#charts.delete(key);
    }
    for (const [key, { caption, xLabel, series }] of wanted) {
      const chart = this.#chart(key);
      chart.caption = caption;
      chart.xLabel = xLabel;
      chart.series = series;
    }
    this.#empty.hidden = wanted.size > 0;
  }

  /** @param {string} key */
  #chart(key) {
    const known = this.#charts.get(key);
    if (known) return known;
    const chart = new CurveChart();
    this.#charts.set(key, chart);
    this.element.append(el("section", { class: "card" }, chart));
    return chart;
  }
}

/**
 * Sparkline of the first curve of a run.
 * @param {Ludus.RunView} run
 */
export function sparkline(run) {
  const points = thinned(drawable(run.curves[0]?.points ?? [], false), 80);
  if (points.length < 2) return null;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, least, most] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const place = (/** @type {[number, number]} */ [x, y]) =>
    `${(((x - left) / (right - left || 1)) * 196 + 2).toFixed(1)} ${(42 - ((y - least) / (most - least || 1)) * 38).toFixed(1)}`;
  return svg(
    "svg",
    { class: "sparkline", viewBox: "0 0 200 44", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { d: `M${points.map(place).join("L")}`, fill: "none", "vector-effect": "non-scaling-stroke" }),
  );
}
