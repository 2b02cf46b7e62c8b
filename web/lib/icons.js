/** Icons of the interface, and emblems of players generated from their names. */

import { svg } from "./dom.js";

/** Stroke paths in a 24 × 24 box. */
const STROKES = {
  play: "M7 4.5v15l12-7.5z",
  analyse: "M3 19V5M3 19h18M7 15l4-5 3.5 3L20 6",
  explain: "M12 4v4M12 8L6 13M12 8l6 5M6 13v3M18 13v3M6 16l-2.5 4M6 16l2.5 4M18 16l-2.5 4M18 16l2.5 4",
  arena:
    "M7 4h10v4a5 5 0 0 1-10 0zM7 5H4v1a3 3 0 0 0 3.2 3M17 5h3v1a3 3 0 0 1-3.2 3M12 13v4M8 20h8M9.5 20c0-2 1-3 2.5-3s2.5 1 2.5 3",
  train: "M4 18c4 0 4-12 8-12s4 8 8 8M4 21h16",
  learn: "M12 6C10 4.5 7 4 3.5 4v14c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2V4C17 4 14 4.5 12 6zM12 6v14",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
  auto: "M3 5h18v11H3zM8.5 20h7M12 16v4",
  undo: "M9 7L4.5 11.5 9 16M4.5 11.5H15a5 5 0 0 1 0 10h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.1 1 1.9h5c0-.8.4-1.4 1-1.9A6 6 0 0 0 12 3z",
  flag: "M5 21V4M5 4h11l-2 4 2 4H5",
  draw: "M4 9h16M4 15h16",
  flip: "M8 4v15M8 4L4.5 7.5M8 4l3.5 3.5M16 20V5M16 20l-3.5-3.5M16 20l3.5-3.5",
  pass: "M4 12h12M12 7l5 5-5 5M20 5v14",
  copy: "M8 8h11v12H8zM16 8V4H5v12h3",
  download: "M12 4v11M7 10.5l5 5 5-5M4 20h16",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  first: "M6 5v14M18 5l-8.5 7L18 19",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  last: "M18 5v14M6 5l8.5 7L6 19",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7",
  stop: "M6.5 6.5h11v11h-11z",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  link: "M9.5 14.5l5-5M8 12l-2.5 2.5a3.5 3.5 0 0 0 5 5L13 17M16 12l2.5-2.5a3.5 3.5 0 0 0-5-5L11 7",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.7-4 3.7-6 7.5-6s6.8 2 7.5 6",
  brain:
    "M12 5.5A3 3 0 0 0 6.5 7 3.5 3.5 0 0 0 5 13a3.5 3.5 0 0 0 3 5.5 2.5 2.5 0 0 0 4 0zM12 5.5A3 3 0 0 1 17.5 7 3.5 3.5 0 0 1 19 13a3.5 3.5 0 0 1-3 5.5 2.5 2.5 0 0 1-4 0zM12 5.5v13",
  board: "M4 4h16v16H4zM4 12h16M12 4v16",
  clock: "M12 4a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 8v5l3 2M9 2h6",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
  warning: "M12 4L2.5 20h19zM12 10v5M12 17.5v.1",
};

/** @typedef {keyof typeof STROKES} IconName */

/**
 * An icon of the interface, hidden from screen readers: its control has a label.
 * @param {IconName} name
 * @param {number} [size]
 * @returns {SVGSVGElement}
 */
export function icon(name, size = 20) {
  return svg(
    "svg",
    {
      viewBox: "0 0 24 24",
      width: size,
      height: size,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.8,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
    },
    svg("path", { d: STROKES[name] }),
  );
}

/** Background, figure and centre colours of emblems, muted to fit the light and the dark theme. */
const EMBLEM_COLOURS = [
  ["#7a3b2e", "#f0c9a0", "#e0803c"],
  ["#2f5d62", "#dfe8cc", "#e6a83a"],
  ["#3f4a6b", "#dcd6f0", "#e2b04a"],
  ["#5b6b2f", "#f2ecc0", "#d9772b"],
  ["#6b3a5b", "#f0d3dc", "#e8a34c"],
  ["#24503c", "#d7ead0", "#d9b23a"],
  ["#8a5a1f", "#fbe9c4", "#5b2f14"],
  ["#37474f", "#dfe7e4", "#e0784a"],
  ["#8c4a3a", "#fde6d2", "#33505a"],
  ["#4a3f2f", "#eadfc4", "#c98a2b"],
];

/** Shapes on the upward ray, repeated around the centre. */
const EMBLEM_SHAPES = [
  "M0-19C5-14 5-9 0-5C-5-9-5-14 0-19z",
  "M0-20L5.5-12 0-4-5.5-12z",
  "M-3-19h6v12h-6z",
  "M0-18.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z",
  "M-6-8L0-20 6-8z",
  "M-5.5-18.5A19 19 0 0 1 5.5-18.5L3-9.5A10 10 0 0 0-3-9.5z",
];

/**
 * FNV-1a hash of `text`.
 * @param {string} text
 */
function hash(text) {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/**
 * The emblem of a player, determined by its name.
 * @param {string} id
 * @param {number} [size]
 * @returns {SVGSVGElement}
 */
export function emblem(id, size = 44) {
  const seed = hash(id);
  const [ground, figure, centre] = EMBLEM_COLOURS[seed % EMBLEM_COLOURS.length];
  const rays = 3 + ((seed >>> 5) % 6);
  const shape = EMBLEM_SHAPES[(seed >>> 9) % EMBLEM_SHAPES.length];
  const inner = EMBLEM_SHAPES[(seed >>> 13) % EMBLEM_SHAPES.length];
  const turn = (seed >>> 17) % 2 ? 180 / rays : 0;
  const around = (
    /** @type {string} */ d,
    /** @type {string} */ fill,
    /** @type {number} */ angle,
    /** @type {number} */ scale,
  ) =>
    Array.from({ length: rays }, (_, ray) =>
      svg("path", {
        d,
        fill,
        transform: `rotate(${(angle + (ray * 360) / rays).toFixed(1)}) scale(${scale})`,
      }),
    );
  return svg(
    "svg",
    { viewBox: "-24 -24 48 48", width: size, height: size, class: "emblem", "aria-hidden": "true" },
    svg("rect", { x: -24, y: -24, width: 48, height: 48, rx: 12, fill: ground }),
    svg("g", {}, around(shape, figure, turn, 0.98)),
    svg("g", { opacity: 0.95 }, around(inner, centre, turn + 180 / rays, 0.56)),
    svg("circle", { r: 3.4, fill: figure }),
  );
}

/**
 * The emblem of a human player.
 * @param {number} [size]
 */
export function humanEmblem(size = 44) {
  return svg(
    "svg",
    { viewBox: "-24 -24 48 48", width: size, height: size, class: "emblem", "aria-hidden": "true" },
    svg("rect", { x: -24, y: -24, width: 48, height: 48, rx: 12, fill: "var(--accent-soft)" }),
    svg("circle", { cy: -5.5, r: 7, fill: "var(--accent)" }),
    svg("path", { d: "M-14 15.5C-13 6-7 4.5 0 4.5S13 6 14 15.5z", fill: "var(--accent)" }),
  );
}
