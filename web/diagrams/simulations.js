/** Diagrams of Monte Carlo searches. */

import { arrow, box, circle, crossings, diagram, line, path, playout, text } from "./kit.js";

export function uct() {
  const stages = ["descend", "expand", "simulate", "back up"];
  return diagram(
    "The four steps of a simulation: selection, expansion, playout, backpropagation",
    ...stages.flatMap((name, index) => stage(30 + index * 112, name, index)),
  );
}

/**
 * @param {number} x
 * @param {string} name
 * @param {number} index
 */
function stage(x, name, index) {
  const hot = (/** @type {boolean} */ yes) => (yes ? "accent" : "");
  const walk = index === 0 || index === 3;
  /** @type {SVGElement[]} */
  const parts = [
    line(x + 42, 60, x + 18, 104),
    line(x + 42, 60, x + 66, 104, hot(walk)),
    line(x + 66, 104, x + 48, 148, hot(walk)),
    line(x + 66, 104, x + 84, 148),
    circle(x + 42, 60, 11, `node ${walk ? "best" : ""}`),
    circle(x + 18, 104, 9, "node"),
    circle(x + 66, 104, 10, `node ${walk ? "best" : ""}`),
    circle(x + 48, 148, 9, `node ${walk ? "best" : ""}`),
    circle(x + 84, 148, 8, "node"),
    text(x + 42, 30, `${index + 1}. ${name}`, "small"),
  ];
  if (index >= 1)
    parts.push(
      line(x + 48, 157, x + 48, 178, index === 1 || index === 3 ? "accent" : ""),
      circle(x + 48, 186, 8, `node ${index === 1 || index === 3 ? "best" : ""}`),
    );
  if (index >= 2)
    parts.push(
      playout(x + 48, 196, 46, index === 2 ? "accent" : ""),
      text(x + 48, 260, "1", index === 2 ? "figure accent" : "figure"),
    );
  if (index === 3) parts.push(...arrow(x + 98, 176, x + 98, 74, "accent"), text(x + 42, 64, "+1", "tiny accent"));
  return parts;
}

export function growth() {
  const visits = [
    [240, 40, 20, "1000"],
    [110, 108, 11, "130"],
    [240, 108, 18, "700"],
    [370, 108, 11, "170"],
    [150, 176, 8, "60"],
    [240, 176, 16, "520"],
    [340, 176, 9, "120"],
    [190, 236, 13, "400"],
    [296, 236, 9, "120"],
  ];
  const lines = [
    [0, 1],
    [0, 2],
    [0, 3],
    [2, 4],
    [2, 5],
    [2, 6],
    [5, 7],
    [5, 8],
  ];
  return diagram(
    "A search tree grown where it was promising: most visits are on one line",
    ...lines.map(([from, to]) =>
      line(
        Number(visits[from][0]),
        Number(visits[from][1]),
        Number(visits[to][0]),
        Number(visits[to][1]),
        [2, 5, 7].includes(to) ? "accent thick" : "",
      ),
    ),
    ...visits.flatMap(([x, y, radius, words], index) => [
      circle(Number(x), Number(y), Number(radius), `node ${[0, 2, 5, 7].includes(index) ? "best" : ""}`),
      text(Number(x) + Number(radius) + 6, Number(y) + 5, String(words), "figure start"),
    ]),
    text(24, 32, "visits", "small start"),
  );
}

export function flat() {
  const means = [0.42, 0.55, 0.71, 0.38];
  const visits = [14, 26, 51, 9];
  return diagram(
    "Flat Monte Carlo: random games from every move, the best mean is played",
    ...means.flatMap((mean, index) => {
      const x = 75 + index * 110;
      const best = index === 2;
      const games = Math.round(visits[index] / 10) + 1;
      return [
        line(240, 34, x, 84, best ? "accent" : ""),
        circle(x, 92, 13, `node ${best ? "best" : ""}`),
        ...Array.from({ length: games }, (_, game) =>
          playout(x + (game - (games - 1) / 2) * 13, 107, 56, best ? "accent" : ""),
        ),
        box(x - 34, 184, 68, 10, "fill-soft", 5),
        box(x - 34, 184, 68 * mean, 10, best ? "fill-accent" : "fill-ink", 5),
        text(x, 216, mean.toFixed(2), `figure ${best ? "accent" : ""}`),
        text(x, 236, `${visits[index]} games`, "small"),
      ];
    }),
    circle(240, 28, 14, "node"),
    text(240, 260, "UCB1 gives promising moves more games", "small"),
  );
}

export function rave() {
  const moves = [
    ["a", "c", "b", "d"],
    ["b", "d", "a", "c"],
    ["d", "c", "a", "b"],
  ];
  return diagram(
    "RAVE: a move counts as if it had been played first, wherever it was played",
    text(40, 36, "games", "small start"),
    text(300, 36, "as if first", "small start"),
    ...moves.flatMap((game, row) => {
      const y = 72 + row * 62;
      return [
        ...game.flatMap((move, column) => {
          const x = 52 + column * 48;
          const ours = move === "a";
          return [
            column < 3 ? line(x + 14, y, x + 34, y) : circle(x + 44, y, 5, row === 1 ? "fill-ink" : "fill-accent"),
            circle(x, y, 14, ours ? "fill-accent" : column % 2 ? "node" : "fill-soft"),
            text(x, y + 5, move, ours ? "figure on-accent" : "figure"),
          ];
        }),
        path(`M256 ${y}C290 ${y} 290 136 326 136`, "accent"),
      ];
    }),
    circle(346, 136, 18, "fill-accent"),
    text(346, 142, "a", "figure on-accent"),
    text(374, 132, "2 of 3 won", "figure start"),
    text(374, 150, "not just 1 of 1", "tiny start"),
    text(240, 258, "Three games contain a, though only one began with it", "small"),
  );
}

export function patterns() {
  const stones = [
    [1, 0, "stone-dark"],
    [1, 1, "stone-light"],
    [2, 1, "stone-light"],
  ];
  const board = (/** @type {number} */ x, /** @type {number} */ y) => [
    box(x - 18, y - 18, 100, 100, "paper", 6),
    ...crossings(x, y, 32, 3),
    ...stones.map(([column, row, tone]) => circle(x + Number(column) * 32, y + Number(row) * 32, 13, String(tone))),
    circle(x + 32, y + 64, 13, "ghost"),
    text(x + 32, y + 69, "?", "figure accent"),
  ];
  const strengths = [
    ["saves two stones", 0.92],
    ["hane pattern", 0.63],
    ["next to the last move", 0.44],
    ["on the first line", 0.09],
  ];
  return diagram(
    "A move is a team of features, each with a learned strength",
    ...board(62, 92),
    text(94, 210, "a move and", "small"),
    text(94, 226, "its surroundings", "small"),
    ...strengths.flatMap(([name, strength], index) => {
      const y = 70 + index * 44;
      return [
        text(210, y, String(name), "small start"),
        box(210, y + 7, 230, 11, "fill-soft", 5),
        box(210, y + 7, 230 * Number(strength), 11, index === 0 ? "fill-accent" : "fill-ink", 5),
      ];
    }),
    text(325, 258, "strengths, like Elo ratings", "small"),
  );
}

export function rules() {
  const names = [
    "a ko to fight?",
    "an eye to spoil?",
    "a capture?",
    "a group to save?",
    "a pattern beside the last move?",
    "any move, but not into an eye",
  ];
  return diagram(
    "The playout tries its rules in order; the first one with a move plays it",
    ...names.flatMap((name, index) => {
      const y = 22 + index * 39;
      const last = index === names.length - 1;
      return [
        box(88, y, 244, 28, last ? "soft accent" : "soft", 14),
        text(210, y + 19, name, `small ${last ? "accent" : ""}`),
        ...(last ? [] : [...arrow(210, y + 28, 210, y + 39), line(332, y + 14, 372, y + 14, "faint")]),
      ];
    }),
    path("M372 36V192", "faint"),
    ...arrow(372, 114, 410, 114, "accent"),
    circle(426, 114, 14, "stone-dark"),
    text(426, 148, "plays it", "small"),
  );
}

export function solvedBoard() {
  const sizes = [2, 3, 4, 5];
  return diagram(
    "Small Go boards solved completely, with superko",
    ...sizes.flatMap((size, index) => {
      const x = [34, 104, 204, 330][index];
      const span = (size - 1) * 28;
      const y = 150 - span / 2;
      const middle = Math.floor((size - 1) / 2) * 28;
      return [
        box(x - 16, y - 16, span + 32, span + 32, "paper", 4),
        ...crossings(x, y, 28, size),
        circle(x + middle + (size === 4 ? 28 : 0), y + middle, 12, "fill-accent"),
        text(x + span / 2, 248, `${size}×${size}`, "figure"),
      ];
    }),
    text(240, 36, "the first move of perfect play", "small"),
  );
}
