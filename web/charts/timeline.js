/** Timeline of ideas, one lane a family. */

import { el, svg } from "../lib/dom.js";
import { FAMILIES, familyOf } from "../pages/learn/families.js";

/** @typedef {import("../pages/learn/families.js").Family} Family */
/** @typedef {Ludus.ArticleSummary & { year: number }} Dated */
/** @typedef {{ first: number, last: number, width: number, left: number, broken: boolean }} Span */

const LANE_HEIGHT = 72;
const TOP = 8;
const LETTER_WIDTH = 6.6;
/** Longer gaps in years break the axis. */
const MAX_GAP_YEARS = 20;

/**
 * A chart of all entries with a year, redrawn when its width changes.
 * @param {Ludus.ArticleSummary[]} entries
 */
export function timeline(entries) {
  const dated = /** @type {Dated[]} */ (entries.filter((entry) => entry.year !== null && entry.kind !== "game")).sort(
    (one, other) => one.year - other.year,
  );
  const canvas = svg("svg", { class: "timeline-canvas", role: "group", "aria-label": "Ideas by year" });
  const observer = new ResizeObserver(() => draw(canvas, dated));
  observer.observe(canvas);
  return el("div", {}, canvas);
}

/**
 * @param {SVGSVGElement} canvas
 * @param {Dated[]} entries
 */
function draw(canvas, entries) {
  const width = canvas.clientWidth;
  if (width === 0 || entries.length === 0) return;
  const families = FAMILIES.filter((family) => entries.some((entry) => familyOf(entry) === family));
  const span = spanOf(entries, width);
  const floor = TOP + families.length * LANE_HEIGHT;
  const decades = decadesOf(span);
  canvas.setAttribute("viewBox", `0 0 ${width} ${floor + 22}`);
  canvas.setAttribute("height", String(floor + 22));
  canvas.replaceChildren(
    ...decades.map((year) =>
      svg("line", { class: "timeline-decade", x1: place(span, year), x2: place(span, year), y1: TOP, y2: floor }),
    ),
    ...decades.map((year) =>
      svg(
        "text",
        { class: "timeline-year", x: place(span, year), y: floor + 16, "text-anchor": "middle" },
        String(year),
      ),
    ),
    ...(span.broken ? axisBreak(span, floor) : []),
    svg("line", { class: "timeline-rail", x1: 0, x2: width, y1: floor, y2: floor }),
    ...families.flatMap((family, index) =>
      lane(
        family,
        entries.filter((entry) => familyOf(entry) === family),
        span,
        TOP + index * LANE_HEIGHT,
      ),
    ),
  );
}

/**
 * @param {Dated[]} entries
 * @param {number} width
 * @returns {Span}
 */
function spanOf(entries, width) {
  const later = entries.findIndex((entry, index) => index > 0 && entry.year - entries[index - 1].year > MAX_GAP_YEARS);
  const broken = later === 1;
  const first = Math.floor(entries[broken ? 1 : 0].year / 10) * 10;
  const last = Math.max(first + 10, entries[entries.length - 1].year + 4);
  return { first, last, width, left: broken ? Math.min(120, width / 5) : 16, broken };
}

/**
 * @param {Span} span
 * @param {number} floor
 */
function axisBreak({ left }, floor) {
  const x = left - 28;
  return [svg("path", { class: "timeline-break", d: `M${x} ${floor + 7}l5-14m3 14l5-14` })];
}

/** @param {Span} span */
function decadesOf({ first, last, width }) {
  const step = width < 560 ? 20 : 10;
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
}

/**
 * @param {Span} span
 * @param {number} year
 */
function place({ first, last, width, left }, year) {
  if (year < first) return left / 4;
  return left + ((year - first) / (last - first)) * (width - left - 16);
}

/**
 * One family: its name, dots on a line, names where there is room.
 * @param {Family} family
 * @param {Dated[]} entries
 * @param {Span} span
 * @param {number} top
 */
function lane(family, entries, span, top) {
  const middle = top + 42;
  const ends = [-Infinity, -Infinity];
  const narrow = span.width < 560;
  let lastDot = -Infinity;
  const marks = entries.map((entry) => {
    const x = Math.max(place(span, entry.year), lastDot + (narrow ? 8 : 13));
    lastDot = x;
    const length = nameOf(entry, span).length * LETTER_WIDTH;
    const start = Math.max(0, x - length / 2);
    const row = ends.findIndex((end) => start > end + 8);
    const fits = row >= 0 && start + length < span.width;
    if (fits) ends[row] = start + length;
    return mark(entry, nameOf(entry, span), x, middle, fits ? row : -1);
  });
  return [
    svg("text", { class: "timeline-lane", x: 0, y: top + 11 }, family.name),
    svg("g", { class: `family-${family.id}` }, ...marks),
  ];
}

/**
 * Left of the break the axis has no years, so the name includes it.
 * @param {Dated} entry
 * @param {Span} span
 */
function nameOf(entry, span) {
  return entry.year < span.first ? `${entry.title} ${entry.year}` : entry.title;
}

/**
 * @param {Dated} entry
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {number} row of its name: 0 above, 1 below, -1 none
 */
function mark(entry, words, x, y, row) {
  const name =
    row < 0
      ? null
      : svg(
          "text",
          {
            class: "timeline-name",
            x: x < (words.length * LETTER_WIDTH) / 2 ? 0 : x,
            y: row === 0 ? y - 12 : y + 21,
            "text-anchor": x < (words.length * LETTER_WIDTH) / 2 ? "start" : "middle",
          },
          words,
        );
  return svg(
    "a",
    {
      class: "timeline-mark",
      href: `#/learn/${encodeURIComponent(entry.id)}`,
      "aria-label": `${entry.title}, ${entry.year}`,
    },
    svg("title", {}, `${entry.title}, ${entry.year}`),
    svg("circle", { r: 14, cx: x, cy: y, fill: "transparent" }),
    name,
    svg("circle", { class: "timeline-dot", cx: x, cy: y }),
  );
}
