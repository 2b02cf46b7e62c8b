/** <ludus-curve-chart>: several curves over one axis, with a legend, a cursor read-out and a switch for a logarithmic scale. */

import { el, svg } from "../lib/dom.js";
import {
  axes,
  drawable,
  frameOf,
  linePath,
  nearest,
  PALETTE_SIZE,
  placeAcross,
  placeUp,
  planOf,
  valueAcross,
} from "./curve-plot.js";
import { fullNumber } from "./scale.js";

/** @typedef {import("./curve-plot.js").Series} Series */
/** @typedef {import("./curve-plot.js").Plan} Plan */

const HEIGHT = 260;

export class CurveChart extends HTMLElement {
  /** @type {Series[]} */ #series = [];
  /** @type {Set<string>} */ #hidden = new Set();
  /** @type {Plan | null} */ #plan = null;
  /** @type {number | null} */ #cursor = null;
  #logarithmic = false;
  #caption = "";
  #xLabel = "";
  #built = false;
  /** @type {Map<string, SVGElement>} */ #lines = new Map();
  #title = el("span", { class: "chart-title" });
  #switch = /** @type {HTMLButtonElement} */ (
    el(
      "button",
      { class: "button quiet chart-log", type: "button", "aria-pressed": "false", title: "Logarithmic scale" },
      "log",
    )
  );
  #axes = svg("g", { "aria-hidden": "true" });
  #curves = svg("g", { class: "chart-lines", "aria-hidden": "true" });
  #pointer = svg("g", { class: "chart-cursor", "aria-hidden": "true" });
  #canvas = /** @type {SVGSVGElement} */ (
    svg("svg", { class: "chart-canvas", tabindex: "0", role: "img" }, this.#axes, this.#curves, this.#pointer)
  );
  #readout = el("div", { class: "chart-readout", "aria-live": "polite", hidden: "" });
  #legend = el("ul", { class: "chart-legend" });
  #observer = new ResizeObserver(() => this.#draw());

  connectedCallback() {
    if (!this.#built) this.#build();
    this.#observer.observe(this.#canvas);
    this.#draw();
  }

  disconnectedCallback() {
    this.#observer.disconnect();
  }

  /** @param {Series[]} series */
  set series(series) {
    this.#series = series;
    this.#draw();
  }

  get series() {
    return this.#series;
  }

  /** @param {string} caption */
  set caption(caption) {
    this.#caption = caption;
    this.#title.textContent = caption;
  }

  get caption() {
    return this.#caption;
  }

  /** @param {string} label */
  set xLabel(label) {
    this.#xLabel = label;
    this.#draw();
  }

  get xLabel() {
    return this.#xLabel;
  }

  #build() {
    this.#built = true;
    this.append(
      el(
        "figure",
        { class: "chart" },
        el("figcaption", { class: "chart-head" }, this.#title, this.#switch),
        el("div", { class: "chart-plot" }, this.#canvas, this.#readout),
        this.#legend,
      ),
    );
    this.#switch.addEventListener("click", () => {
      this.#logarithmic = !this.#logarithmic;
      this.#switch.setAttribute("aria-pressed", String(this.#logarithmic));
      this.#draw();
    });
    this.#canvas.addEventListener("pointermove", (event) => this.#point(event));
    this.#canvas.addEventListener("pointerdown", (event) => this.#point(event));
    this.#canvas.addEventListener("pointerleave", () => this.#moveCursor(null));
    this.#canvas.addEventListener("blur", () => this.#moveCursor(null));
    this.#canvas.addEventListener("keydown", (event) => this.#step(event));
  }

  #visible() {
    return this.#series.filter((one) => !this.#hidden.has(one.name));
  }

  #draw() {
    if (!this.#built) return;
    this.#drawLegend();
    const width = this.#canvas.clientWidth;
    if (width === 0) return;
    const frame = frameOf(width, HEIGHT);
    this.#canvas.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.#canvas.setAttribute("aria-label", this.#summary());
    this.#switch.disabled = !this.#logarithmic && !this.#series.some((one) => one.points.some(([, y]) => y > 0));
    this.#plan = planOf(this.#visible(), frame, this.#logarithmic);
    this.#drawLines();
    this.#moveCursor(this.#cursor);
  }

  #drawLines() {
    const plan = this.#plan;
    if (!plan) {
      this.#axes.replaceChildren(
        svg(
          "text",
          { class: "chart-nothing", x: this.#canvas.clientWidth / 2, y: HEIGHT / 2, "text-anchor": "middle" },
          this.#series.length > 0 ? "No points to show" : "Points appear here during the run",
        ),
      );
    } else {
      this.#axes.replaceChildren(...axes(plan, this.#xLabel));
    }
    const names = new Set(this.#series.map((one) => one.name));
    for (const [name, line] of this.#lines) {
      if (names.has(name)) continue;
      line.remove();
      this.#lines.delete(name);
    }
    /** @type {Set<string>} */
    const drawn = new Set();
    this.#series.forEach((one, index) => {
      const line = this.#line(one.name);
      const shown = plan && !this.#hidden.has(one.name);
      const path = shown ? linePath(plan, one.points, this.#logarithmic) : "";
      // Of identical curves the later one is dashed, so that the earlier one shows through.
      line.setAttribute("class", `chart-line ${colourClass(one, index)}${drawn.has(path) ? " overlaid" : ""}`);
      line.setAttribute("d", path);
      drawn.add(path);
    });
  }

  /** @param {string} name */
  #line(name) {
    const known = this.#lines.get(name);
    if (known) return known;
    const line = svg("path", { fill: "none" });
    this.#curves.append(line);
    this.#lines.set(name, line);
    return line;
  }

  #drawLegend() {
    const items = [...this.#legend.children];
    this.#series.forEach((one, index) => {
      const item = items[index] ?? this.#legend.appendChild(this.#legendItem());
      const button = /** @type {HTMLButtonElement} */ (item.firstElementChild);
      button.className = `chart-key ${colourClass(one, index)}`;
      button.dataset.name = one.name;
      button.setAttribute("aria-pressed", String(!this.#hidden.has(one.name)));
      const last = one.points[one.points.length - 1];
      const [name, value] = [...button.querySelectorAll("span")];
      name.textContent = one.name;
      value.textContent = last ? fullNumber(last[1]) : "";
    });
    for (const item of items.slice(this.#series.length)) item.remove();
  }

  #legendItem() {
    const button = el(
      "button",
      { type: "button", title: "Show or hide this curve" },
      el("span", {}),
      el("span", { class: "number muted" }),
    );
    button.addEventListener("click", () => {
      const name = button.dataset.name ?? "";
      if (!this.#hidden.delete(name)) this.#hidden.add(name);
      this.#draw();
    });
    return el("li", {}, button);
  }

  #summary() {
    const parts = this.#visible().map((one) => {
      const last = one.points[one.points.length - 1];
      return last ? `${one.name}: ${fullNumber(last[1])} at ${fullNumber(last[0])}` : one.name;
    });
    return `${this.#caption || "Curves"}. ${parts.join("; ")}. Use the arrow keys to read the values.`;
  }

  /** @param {PointerEvent} event */
  #point(event) {
    if (!this.#plan) return;
    const box = this.#canvas.getBoundingClientRect();
    this.#moveCursor(valueAcross(this.#plan, event.clientX - box.left));
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    const places = this.#places();
    if (places.length === 0) return;
    const here = this.#cursor === null ? -1 : places.findIndex((x) => x >= /** @type {number} */ (this.#cursor));
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: places.length - 1 };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#moveCursor(places[Math.max(0, Math.min(places.length - 1, target))]);
  }

  #places() {
    const all = this.#visible().flatMap((one) => drawable(one.points, this.#logarithmic).map(([x]) => x));
    return [...new Set(all)].sort((one, other) => one - other);
  }

  /** @param {number | null} x */
  #moveCursor(x) {
    const plan = this.#plan;
    this.#cursor = x;
    const found = x === null || !plan ? [] : this.#readings(x);
    this.#readout.hidden = found.length === 0;
    if (!plan || x === null || found.length === 0) {
      this.#pointer.replaceChildren();
      return;
    }
    const anchor = found.reduce((best, one) => (Math.abs(one.point[0] - x) < Math.abs(best.point[0] - x) ? one : best))
      .point[0];
    const left = placeAcross(plan, anchor);
    const { top, height, bottom, width } = plan.frame;
    this.#pointer.replaceChildren(
      svg("line", { class: "chart-hair", x1: left, x2: left, y1: top, y2: height - bottom }),
      ...found.map(({ point, colour }) =>
        svg("circle", {
          class: `chart-dot ${colour}`,
          cx: placeAcross(plan, point[0]),
          cy: placeUp(plan, point[1]),
          r: 4,
        }),
      ),
    );
    this.#readout.replaceChildren(
      el("div", { class: "chart-readout-x number" }, `${this.#xLabel || "x"} ${fullNumber(anchor)}`),
      ...found.map(({ name, point, colour }) =>
        el(
          "div",
          { class: `chart-readout-row ${colour}` },
          el("span", {}, name),
          el("b", { class: "number" }, fullNumber(point[1])),
        ),
      ),
    );
    this.#readout.classList.toggle("on-left", left > width / 2);
    this.#readout.style.setProperty("--at", `${left > width / 2 ? width - left : left}px`);
  }

  /** @param {number} x */
  #readings(x) {
    return this.#series.flatMap((one, index) => {
      if (this.#hidden.has(one.name)) return [];
      const point = nearest(drawable(one.points, this.#logarithmic), x);
      return point ? [{ name: one.name, point, colour: colourClass(one, index) }] : [];
    });
  }
}

/**
 * @param {Series} series
 * @param {number} index
 */
function colourClass(series, index) {
  return `series-${((series.colour ?? index) % PALETTE_SIZE) + 1}`;
}

customElements.define("ludus-curve-chart", CurveChart);
