/** <ludus-score-graph>: the score over a game, with mistakes marked; a click goes to the position. */

import { on, setAttributes, svg } from "../lib/dom.js";
import { expected, scoreText } from "./score-bar.js";

/**
 * @typedef {object} Annotation
 * @property {"inaccuracy" | "mistake" | "blunder"} name
 * @property {string} sign annotation symbol
 * @property {number} from smallest loss of expected points
 */

/** Sorted from the worst. @type {Annotation[]} */
export const ANNOTATIONS = [
  { name: "blunder", sign: "??", from: 0.25 },
  { name: "mistake", sign: "?", from: 0.14 },
  { name: "inaccuracy", sign: "?!", from: 0.07 },
];

/**
 * The annotation of a move with this loss.
 * @param {number} loss of expected points, from 0 to 1
 * @returns {Annotation | null}
 */
export function annotationOf(loss) {
  return ANNOTATIONS.find(({ from }) => loss >= from) ?? null;
}

/**
 * @typedef {object} GraphPoint
 * @property {number | null} score in hundredths, for the first side
 * @property {string} label of the move that led here
 * @property {Annotation | null} annotation of that move
 */

const HEIGHT = 120;
const MARGIN = 8;

export class ScoreGraph extends HTMLElement {
  /** @type {GraphPoint[]} */
  #points = [];
  #game = "";
  #ply = 0;
  #width = 600;
  #svg = svg("svg", {
    class: "graph-svg",
    height: HEIGHT,
    role: "slider",
    tabindex: 0,
    "aria-label": "Score over the game",
    "aria-orientation": "horizontal",
  });
  #ahead = svg("path", { class: "graph-ahead" });
  #behind = svg("path", { class: "graph-behind" });
  #line = svg("path", { class: "graph-line" });
  #middle = svg("line", { class: "graph-middle" });
  #cursor = svg("line", { class: "graph-cursor" });
  #marks = svg("g");
  #cleanUp = () => {};

  connectedCallback() {
    if (!this.firstChild) {
      this.#svg.append(this.#ahead, this.#behind, this.#middle, this.#line, this.#cursor, this.#marks);
      this.append(this.#svg);
    }
    const watch = new ResizeObserver(() => this.#measure());
    watch.observe(this);
    const off = [
      on(this.#svg, "pointerdown", (/** @type {PointerEvent} */ event) => this.#point(event)),
      on(this.#svg, "pointermove", (/** @type {PointerEvent} */ event) => {
        if (event.buttons === 1) this.#point(event);
      }),
      on(this.#svg, "keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event)),
    ];
    this.#cleanUp = () => {
      watch.disconnect();
      for (const stop of off) stop();
    };
    this.#measure();
  }

  disconnectedCallback() {
    this.#cleanUp();
  }

  /**
   * @param {GraphPoint[]} points the start, and after every move
   * @param {number} ply the position shown
   * @param {string} game
   */
  show(points, ply, game) {
    this.#game = game;
    this.#points = points;
    this.#ply = ply;
    this.#draw();
  }

  #measure() {
    this.#width = Math.max(120, this.clientWidth);
    setAttributes(this.#svg, { width: this.#width, viewBox: `0 0 ${this.#width} ${HEIGHT}` });
    this.#draw();
  }

  /** @param {number} ply */
  #x(ply) {
    return MARGIN + (ply * (this.#width - 2 * MARGIN)) / Math.max(1, this.#points.length - 1);
  }

  /** @param {number} score */
  #y(score) {
    return MARGIN + (1 - expected(score)) * (HEIGHT - 2 * MARGIN);
  }

  #draw() {
    const middle = HEIGHT / 2;
    const known = withCrossings(
      this.#points.flatMap(({ score }, ply) => (score === null ? [] : [{ x: this.#x(ply), y: this.#y(score) }])),
      middle,
    );
    const text = known.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const area = (/** @type {(y: number) => number} */ limit) =>
      known.length < 2
        ? ""
        : `M${known[0].x.toFixed(1)} ${middle}L${known.map(({ x, y }) => `${x.toFixed(1)} ${limit(y).toFixed(1)}`).join("L")}L${known[known.length - 1].x.toFixed(1)} ${middle}z`;
    this.#ahead.setAttribute(
      "d",
      area((y) => Math.min(y, middle)),
    );
    this.#behind.setAttribute(
      "d",
      area((y) => Math.max(y, middle)),
    );
    this.#line.setAttribute("d", known.length > 0 ? `M${text}` : "");
    setAttributes(this.#middle, { x1: 0, x2: this.#width, y1: middle, y2: middle });
    setAttributes(this.#cursor, { x1: this.#x(this.#ply), x2: this.#x(this.#ply), y1: 2, y2: HEIGHT - 2 });
    this.#drawMarks();
    const here = this.#points[this.#ply];
    const words = here
      ? `Move ${this.#ply}${here.label ? `, ${here.label}` : ""}${here.score === null ? "" : `, ${scoreText(here.score, this.#game)}`}${here.annotation ? `, ${here.annotation.name}` : ""}`
      : "";
    setAttributes(this.#svg, {
      "aria-valuemin": 0,
      "aria-valuemax": Math.max(0, this.#points.length - 1),
      "aria-valuenow": this.#ply,
      "aria-valuetext": words,
    });
  }

  #drawMarks() {
    const marks = this.#points.flatMap(({ score, annotation, label }, ply) => {
      if (!annotation || score === null) return [];
      const [x, y] = [this.#x(ply), this.#y(score)];
      const shape = {
        inaccuracy: `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`,
        mistake: `M${x} ${y - 6}l6 10h-12z`,
        blunder: `M${x} ${y - 6}l6 6l-6 6l-6 -6z`,
      }[annotation.name];
      return [
        svg(
          "path",
          { class: `graph-mark ${annotation.name}`, d: shape },
          svg("title", {}, `${label} ${annotation.sign}`),
        ),
      ];
    });
    this.#marks.replaceChildren(...marks);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const box = this.#svg.getBoundingClientRect();
    const share = (event.clientX - box.left - MARGIN) / Math.max(1, this.#width - 2 * MARGIN);
    this.#go(Math.round(share * (this.#points.length - 1)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, number>} */ ({
      ArrowLeft: this.#ply - 1,
      ArrowRight: this.#ply + 1,
      Home: 0,
      End: this.#points.length - 1,
      PageUp: this.#ply - 10,
      PageDown: this.#ply + 10,
    });
    const ply = steps[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#go(ply);
  }

  /** @param {number} ply */
  #go(ply) {
    const next = Math.max(0, Math.min(this.#points.length - 1, ply));
    if (next !== this.#ply) this.dispatchEvent(new CustomEvent("ply", { detail: { ply: next } }));
  }
}

/**
 * The points of a line and its crossings of a level, so that areas above and below can be filled separately.
 * @param {{ x: number, y: number }[]} points
 * @param {number} level
 */
function withCrossings(points, level) {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (!before || (before.y - level) * (point.y - level) >= 0) return [point];
    const share = (level - before.y) / (point.y - before.y);
    return [{ x: before.x + share * (point.x - before.x), y: level }, point];
  });
}

customElements.define("ludus-score-graph", ScoreGraph);
