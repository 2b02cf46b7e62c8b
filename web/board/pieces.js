/** The pieces of all games, drawn once as symbols in a box from -50 to 50 and used by every board. */

import { svg } from "../lib/dom.js";

/** Base of every chess piece. */
const BASE = "M-27 38v-4c0-4 3-7 8-8h38c5 1 8 4 8 8v4z";

/** Silhouettes and inner lines of the chess set. */
const CHESS = {
  pawn: {
    body: [
      "M-11-6h22l3 6H7c0 12 7 19 13 26h-40c6-7 13-14 13-26h-7z",
      "M0-34a14.5 14.5 0 1 1 0 29 14.5 14.5 0 0 1 0-29z",
      BASE,
    ],
    lines: "M-19 26h38",
  },
  rook: {
    body: ["M-24-34h11v8h7v-8h12v8h7v-8h11v18l-8 7v21l6 14h-44l6-14v-21l-8-7z", BASE],
    lines: "M-16-9h32M-16 12h32M-22 26h44M-24-16h48",
  },
  knight: {
    body: [
      "M22 26c2-14 5-30-2-44-5-9-13-14-22-15l-5-8-5 9c-7 3-11 9-13 16l-9 14c-2 3-2 7 1 10 3 2 7 2 10-1l4-4c6 1 11-1 15-4 1 9-7 14-11 20-2 3-3 5-3 7z",
      BASE,
    ],
    lines: "M-22 26h44M-31-2c1 2 2 3 1 5M1-29c9 3 14 12 15 22M-4 0c3-2 4-5 4-8",
    dots: "M-13-20a3 3 0 1 1 0 .1z",
  },
  bishop: {
    body: [
      "M-10 8h20l3 6H7c1 5 6 9 12 12h-38c6-3 11-7 12-12h-6z",
      "M0-35c11 9 18 20 17 29-1 7-5 12-9 14H-8c-4-2-8-7-9-14-1-9 6-20 17-29z",
      "M0-44a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z",
      BASE,
    ],
    lines: "M6-25L-3-10M-19 26h38M-8 8H8",
  },
  queen: {
    body: [
      "M-35-24l11 36c2 6 1 10-1 14h50c-2-4-3-8-1-14l11-36-14 18-2-28-12 25L0-38l-7 29-12-25-2 28z",
      "M-35-30a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM-19-40a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM0-45a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM19-40a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM35-30a5 5 0 1 1 0 10 5 5 0 0 1 0-10z",
      BASE,
    ],
    lines: "M-24 12c15-5 33-5 48 0M-25 26h50",
  },
  king: {
    body: [
      "M0-16c6-14 32-13 33 4 1 10-7 15-9 24-1 5 0 10 1 14h-50c1-4 2-9 1-14-2-9-10-14-9-24 1-17 27-18 33-4z",
      "M-4-45h8v7h7v7.5H4V-16h-8v-14.5h-7V-38h7z",
      BASE,
    ],
    lines: "M0-16v24M-24 12c15-5 33-5 48 0M-25 26h50",
  },
};

/** Radial gradients of round pieces, with two stops each. */
const GRADIENTS = {
  "stone-light": ["#ffffff", "#d3cab6"],
  "stone-dark": ["#6d6a66", "#0d0c0b"],
  "man-light": ["#fdf6e4", "#e2cea3"],
  "man-dark": ["#6a3e2b", "#3a1e13"],
  "token-light": ["#ffd978", "#e2a01f"],
  "token-dark": ["#e2705a", "#ad3423"],
  coin: ["#ffe39a", "#d99a2b"],
};

const ID = "ludus-pieces";

/** Adds the symbols to the document, once. */
export function ensurePieces() {
  if (document.getElementById(ID)) return;
  const holder = svg(
    "svg",
    { id: ID, width: 0, height: 0, "aria-hidden": "true", style: { position: "absolute" } },
    svg("defs", {}, gradients(), grain()),
    chessSymbols(),
    manSymbols(),
    discSymbols(),
    markSymbols(),
    coinSymbol(),
  );
  document.body.append(holder);
}

function gradients() {
  return Object.entries(GRADIENTS).map(([name, [light, dark]]) =>
    svg(
      "radialGradient",
      { id: `lg-${name}`, cx: "38%", cy: "32%", r: "72%" },
      svg("stop", { offset: "0", "stop-color": light }),
      svg("stop", { offset: "1", "stop-color": dark }),
    ),
  );
}

/** Wood grain of boards and draughts pieces. */
function grain() {
  const wave = (/** @type {number} */ y, /** @type {number} */ bend) =>
    `M0 ${y}c60 ${bend} 140 ${-bend} 200 0s140 ${bend} 200 0`;
  return svg(
    "pattern",
    { id: "lp-grain", width: 400, height: 120, patternUnits: "userSpaceOnUse" },
    svg("path", {
      d: [wave(9, 6), wave(31, -7), wave(44, 5), wave(70, 8), wave(83, -5), wave(108, 6)].join(""),
      fill: "none",
      stroke: "#3a2008",
      "stroke-width": 2.5,
      opacity: 0.055,
    }),
  );
}

/**
 * @param {string} id
 * @param {...(Node | Node[])} children
 */
function symbol(id, ...children) {
  return svg("symbol", { id: `lp-${id}`, viewBox: "-50 -50 100 100", overflow: "visible" }, ...children);
}

function chessSymbols() {
  return Object.entries(CHESS).map(([kind, piece]) =>
    symbol(
      kind,
      svg(
        "g",
        { class: "chess-body" },
        piece.body.map((d) => svg("path", { d })),
      ),
      svg("path", { class: "chess-lines", d: piece.lines }),
      "dots" in piece ? svg("path", { class: "chess-dots", d: piece.dots }) : [],
    ),
  );
}

/** Draughts men with a rim and rings; kings are two men high with a crown. */
function manSymbols() {
  return ["light", "dark"].flatMap((shade) => [
    symbol(`man-${shade}`, man(shade, 0)),
    symbol(
      `crowned-${shade}`,
      man(shade, 5),
      man(shade, -5),
      svg("path", {
        class: `crown-${shade}`,
        d: "M-19-13l8 9L0-21 11-4l8-9-4 23h-30z",
        "stroke-width": 2.5,
        "stroke-linejoin": "round",
      }),
    ),
  ]);
}

/**
 * @param {string} shade
 * @param {number} lift
 */
function man(shade, lift) {
  return svg(
    "g",
    { transform: `translate(0 ${lift})` },
    svg("ellipse", { cx: 1, cy: 9, rx: 39, ry: 36, fill: "#000", opacity: 0.22 }),
    svg("circle", { class: `man-edge-${shade}`, cy: 5, r: 38 }),
    svg("circle", { r: 38, fill: `url(#lg-man-${shade})`, class: `man-rim-${shade}`, "stroke-width": 1.5 }),
    svg("path", {
      class: `man-grain-${shade}`,
      d: "M-33-14C-12-20 12-10 34-15M-37 2C-14-5 12 7 37 0M-33 16C-10 10 14 21 32 17",
      fill: "none",
      "stroke-width": 1.6,
      opacity: 0.17,
    }),
    svg("circle", { r: 29, fill: "none", class: `man-ring-${shade}`, "stroke-width": 2.4 }),
    svg("circle", { r: 19, fill: "none", class: `man-ring-${shade}`, "stroke-width": 2 }),
  );
}

/** Stones for Go, two-sided discs for Reversi, tokens for Connect Four. */
function discSymbols() {
  return ["light", "dark"].flatMap((shade) => [
    symbol(
      `stone-${shade}`,
      svg("ellipse", { cx: 3, cy: 5, rx: 46.5, ry: 45.5, fill: "#000", opacity: 0.24 }),
      svg("circle", { r: 46.5, fill: `url(#lg-stone-${shade})` }),
    ),
    symbol(
      `disc-${shade}`,
      svg("ellipse", { cx: 2, cy: 8, rx: 40, ry: 38, fill: "#000", opacity: 0.25 }),
      svg("circle", { cy: 4.5, r: 39, class: `disc-under-${shade}` }),
      svg("circle", { r: 39, fill: `url(#lg-stone-${shade})` }),
    ),
    symbol(
      `token-${shade}`,
      svg("circle", { r: 41, fill: `url(#lg-token-${shade})` }),
      svg("circle", { r: 30, fill: "none", stroke: "#000", "stroke-opacity": 0.18, "stroke-width": 4 }),
      svg("path", {
        d: "M-27-13A30 30 0 0 1 8-29",
        fill: "none",
        stroke: "#fff",
        "stroke-opacity": 0.45,
        "stroke-width": 4,
        "stroke-linecap": "round",
      }),
    ),
  ]);
}

function markSymbols() {
  return [
    symbol("cross", svg("path", { class: "cross-mark", d: "M-27-27C-8-10 9 9 27 27M27-27C10-9-9 10-27 27" })),
    symbol("nought", svg("circle", { class: "nought-mark", r: 29 })),
  ];
}

function coinSymbol() {
  return symbol(
    "coin",
    svg("path", { d: "M-18 0v5c0 4 8 7 18 7s18-3 18-7V0z", fill: "#a86a14" }),
    svg("ellipse", { rx: 18, ry: 7, fill: "url(#lg-coin)", stroke: "#a86a14", "stroke-width": 1 }),
    svg("ellipse", { rx: 12, ry: 4.2, fill: "none", stroke: "#a86a14", "stroke-opacity": 0.6, "stroke-width": 1.2 }),
  );
}

/** Largest number of coins in a stack, and of stacks in a pile. */
const MAX_STACK_COINS = 7;
const MAX_STACKS = 3;

/**
 * @param {number} count
 */
function pile(count) {
  const stacks = Math.min(MAX_STACKS, Math.ceil(count / MAX_STACK_COINS));
  const shown = Math.min(count, MAX_STACKS * MAX_STACK_COINS);
  const base = Math.floor(shown / stacks);
  const coins = [];
  for (let stack = 0; stack < stacks; stack += 1) {
    const height = base + (stack < shown % stacks ? 1 : 0);
    const x = (stack - (stacks - 1) / 2) * 28;
    const floor = 19 + (stack === 1 && stacks === 3 ? 5 : 0);
    for (let coin = 0; coin < height; coin += 1) coins.push(use("coin", x, floor - coin * 9));
  }
  return svg(
    "g",
    {},
    svg("ellipse", { cy: 27, rx: 14 + stacks * 13, ry: 9, fill: "#000", opacity: 0.16 }),
    coins,
    svg("text", { class: "coin-count", y: 47, "text-anchor": "middle" }, count),
  );
}

/**
 * @param {string} id
 * @param {number} [x]
 * @param {number} [y]
 */
function use(id, x = 0, y = 0) {
  return svg("use", { href: `#lp-${id}`, x: x - 50, y: y - 50, width: 100, height: 100 });
}

/**
 * Key of a piece's appearance: equal for pieces that look alike.
 * @param {Ludus.PieceView} piece
 */
export function pieceKey(piece) {
  return `${piece.kind}-${piece.light ? "light" : "dark"}-${piece.count ?? ""}`;
}

/**
 * Draws `piece` around the origin, in the style of `grid`.
 * @param {Ludus.PieceView} piece
 * @param {Ludus.GridKind} grid
 * @returns {SVGElement}
 */
export function drawPiece(piece, grid) {
  const shade = piece.light ? "light" : "dark";
  switch (piece.kind) {
    case "coins":
      return pile(piece.count ?? 0);
    case "man":
    case "crowned":
      return use(`${piece.kind}-${shade}`);
    case "cross":
    case "nought":
      return use(piece.kind);
    case "disc":
      return use(`${grid === "intersections" ? "stone" : grid === "holes" ? "token" : "disc"}-${shade}`);
    default:
      return svg("g", { class: `chess ${shade}`, transform: "translate(0 2.5) scale(1.04)" }, use(piece.kind));
  }
}

/**
 * A piece in words, for screen readers.
 * @param {Ludus.PieceView} piece
 * @param {Ludus.GridKind} grid
 */
export function pieceWords(piece, grid) {
  if (piece.kind === "coins") return piece.count === 1 ? "a single coin" : `pile of ${piece.count} coins`;
  if (piece.kind === "cross" || piece.kind === "nought") return piece.kind;
  const shades = grid === "holes" ? ["yellow", "red"] : ["white", "black"];
  const shade = piece.light ? shades[0] : shades[1];
  if (piece.kind === "disc") return `${shade} ${grid === "intersections" ? "stone" : "disc"}`;
  return `${shade} ${piece.kind === "crowned" ? "king" : piece.kind}`;
}
