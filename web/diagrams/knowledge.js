/** Diagrams of games, endgame tables and solved games. */

import { arrow, board, box, circle, crossings, diagram, line, path, text } from "./kit.js";

export function endgame() {
  const columns = [
    ["lost", 2, "fill-ink"],
    ["won in 1", 4, "fill-accent"],
    ["lost in 2", 3, "fill-ink"],
    ["won in 3", 5, "fill-accent"],
  ];
  return diagram(
    "Retrograde analysis: from finished positions backwards, until every endgame position has its value",
    ...columns.flatMap(([name, count, tone], index) => {
      const x = 412 - index * 112;
      const dots = Array.from({ length: Number(count) }, (_, place) =>
        circle(x, 126 + (place - (Number(count) - 1) / 2) * 34, 11, String(tone)),
      );
      const back = index < 3 ? arrow(x - 20, 126, x - 90, 126, "accent") : [];
      return [...back, ...dots, text(x, 236, String(name), "small")];
    }),
    text(412, 36, "the end", "small"),
    text(240, 260, "backwards, one ply at a time", "small accent"),
  );
}

export function levels() {
  const steps = Array.from({ length: 10 }, (_, index) => index);
  return diagram(
    "A strong engine with levels: fewer nodes, more mistakes",
    ...steps.flatMap((index) => [
      box(44 + index * 40, 206 - 14 * (index + 1), 30, 14 * (index + 1), index === 2 ? "fill-accent" : "fill-soft", 4),
      text(59 + index * 40, 226, String(index + 1), "figure"),
    ]),
    path("M59 190C200 176 320 120 419 60", "dashed"),
    text(240, 254, "higher levels: fewer mistakes", "small"),
  );
}

export function draughts() {
  const man = (/** @type {number} */ column, /** @type {number} */ row, /** @type {string} */ tone) =>
    circle(130 + column * 28, 28 + row * 28, 10.5, tone);
  return diagram(
    "A double jump in draughts",
    ...board(116, 14, 28, 8),
    man(1, 6, "stone-light"),
    man(2, 5, "stone-dark"),
    man(4, 3, "stone-dark"),
    man(0, 1, "stone-dark"),
    man(3, 0, "stone-dark"),
    man(6, 7, "stone-light"),
    man(0, 7, "stone-light"),
    ...arrow(158, 196, 214, 140, "accent thick"),
    ...arrow(214, 140, 270, 84, "accent thick"),
    text(368, 130, "a multi-jump", "small start"),
    text(368, 148, "is one move", "small start"),
  );
}

export function chess() {
  return diagram(
    "A knight's eight moves",
    ...board(116, 14, 28, 8),
    ...[
      [1, 2],
      [2, 1],
      [-1, 2],
      [-2, 1],
      [1, -2],
      [2, -1],
      [-1, -2],
      [-2, -1],
    ].flatMap(([across, up]) => [
      ...arrow(242, 140, 242 + across * 28, 140 + up * 28, "accent"),
      circle(242 + across * 28, 140 + up * 28, 4, "fill-accent"),
    ]),
    circle(242, 140, 11, "stone-dark"),
    text(242, 145, "N", "figure on-accent"),
    text(360, 126, "material,", "small start"),
    text(360, 144, "mobility,", "small start"),
    text(360, 162, "safety", "small start"),
  );
}

export function go() {
  const at = (/** @type {number} */ line) => 128 + line * 28;
  return diagram(
    "A capture in Go: the last liberty is taken",
    box(106, 14, 240, 240, "paper", 4),
    ...crossings(114, 22, 28, 9),
    ...[
      [3, 3],
      [3, 4],
    ].map(([column, row]) => circle(at(column) - 14, 22 + row * 28, 12, "stone-light")),
    ...[
      [2, 3],
      [2, 4],
      [3, 2],
      [4, 3],
      [3, 5],
    ].map(([column, row]) => circle(at(column) - 14, 22 + row * 28, 12, "stone-dark")),
    circle(at(4) - 14, 22 + 4 * 28, 12, "fill-accent"),
    text(360, 124, "no liberty left:", "small start"),
    text(360, 142, "captured", "small start"),
  );
}

export function reversi() {
  const disc = (/** @type {number} */ column, /** @type {string} */ tone) => circle(74 + column * 48, 110, 18, tone);
  return diagram(
    "Discs between two of the other colour are flipped",
    ...[0, 1, 2, 3, 4, 5, 6].map((column) => box(50 + column * 48, 86, 48, 48, "soft", 0)),
    disc(1, "stone-dark"),
    ...[2, 3, 4].map((column) => disc(column, "stone-light")),
    disc(5, "fill-accent"),
    ...[2, 3, 4].flatMap((column) => arrow(74 + column * 48, 146, 74 + column * 48, 178, "accent")),
    ...[2, 3, 4].map((column) => circle(74 + column * 48, 204, 18, "stone-dark")),
    text(240, 252, "corners are never flipped", "small"),
  );
}

export function connectFour() {
  const filled = new Map([
    ["0,5", 1],
    ["1,5", 2],
    ["2,5", 1],
    ["3,5", 2],
    ["1,4", 1],
    ["2,4", 2],
    ["3,4", 1],
    ["2,3", 1],
    ["3,3", 2],
    ["4,5", 2],
    ["3,2", 3],
  ]);
  return diagram(
    "Four in a row horizontally, vertically or diagonally",
    box(100, 14, 280, 240, "frame", 12),
    ...Array.from({ length: 42 }, (_, index) => {
      const [column, row] = [index % 7, Math.floor(index / 7)];
      return circle(
        126 + column * 38,
        36 + row * 39,
        15,
        ["paper", "fill-accent", "stone-dark", "fill-accent"][filled.get(`${column},${row}`) ?? 0],
      );
    }),
    line(126, 231, 240, 114, "accent thick on-top"),
  );
}

export function ticTacToe() {
  const cross = (/** @type {number} */ x, /** @type {number} */ y) =>
    path(`M${x - 18} ${y - 18}l36 36m0-36l-36 36`, "thick");
  return diagram(
    "Tic-tac-toe",
    ...[200, 280].flatMap((x) => [line(x, 28, x, 242)]),
    ...[97, 173].flatMap((y) => [line(130, y, 350, y)]),
    cross(162, 62),
    cross(240, 135),
    cross(318, 62),
    circle(162, 208, 20, "outline-info"),
    circle(318, 135, 20, "outline-info"),
    circle(240, 62, 20, "outline-info"),
    path("M298 188l40 40m0-40l-40 40", "accent thick"),
  );
}

export function nim() {
  const pile = (/** @type {number} */ x, /** @type {number} */ count, /** @type {string} */ tone) =>
    Array.from({ length: count }, (_, index) => box(x - 24, 186 - index * 13, 48, 10, tone, 5));
  return diagram(
    "Split-Nim: a pile is split into two unequal piles",
    ...pile(100, 9, "fill-ink"),
    ...arrow(150, 140, 230, 140, "accent"),
    ...pile(290, 6, "fill-accent"),
    ...pile(370, 3, "fill-accent"),
    text(100, 222, "9", "figure"),
    text(290, 222, "6", "figure"),
    text(370, 222, "3", "figure"),
    text(240, 256, "no split left: you lose", "small"),
  );
}
